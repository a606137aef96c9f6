#include "mesh/near_nodes.h"
#include "core/vec3.h"

#include <math.h>
#include <stdlib.h>

static int order_along(const void *left, const void *right) {
  const NearNode *a = left, *b = right;
  return a->x != b->x ? (a->x < b->x ? -1 : 1) : (a->node > b->node) - (a->node < b->node);
}

void near_nodes_sort(NearNode *list, int32_t n) { qsort(list, (size_t)n, sizeof *list, order_along); }

int32_t near_nodes_from(const NearNode *list, int32_t n, double x) {
  int32_t low = 0, high = n;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (list[middle].x < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

int32_t near_nodes_find(const Mesh *mesh, const NearNode *list, int32_t n, const double x[3]) {
  const int32_t low = near_nodes_from(list, n, x[0]);
  int32_t best = -1;
  double least = INFINITY;
  for (int32_t way = -1; way <= 1; way += 2)
    for (int32_t k = way < 0 ? low - 1 : low; k >= 0 && k < n; k += way) {
      const double square = vec3_square(mesh->x[list[k].node], x);
      if ((list[k].x - x[0]) * (list[k].x - x[0]) > least) break;
      if (square < least || (square == least && list[k].node < best)) least = square, best = list[k].node;
    }
  return best;
}
