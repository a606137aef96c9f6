/* Freudenthal's triangulation (H. Freudenthal, Simplizialzerlegungen von beschraenkter Flachheit, Annals of Mathematics
 * 43, 1942): with whole numbers p_k of a node's reference coordinates times the order n, P_k = p_k + ... + p_dim turns
 * the cell into n >= P_1 >= ... >= P_dim >= 0. A piece is a way from one lattice point to the opposite one of its
 * cube, along each axis once; the ways that stay inside fill the cell. */
#include "output/pieces.h"

#include <math.h>

int32_t pieces_count(const ElementType *type) {
  const bool simplex = shape_is_simplex(type->shape);
  if (!simplex || type->order < 3) return 1;
  return type->dim == 2 ? type->order * type->order : type->order * type->order * type->order;
}

/* The node at the lattice point P, or -1 where P lies outside. */
static int32_t node_at(const ElementType *type, const int32_t P[3]) {
  for (int32_t a = 0; a < type->n_node; ++a) {
    int32_t sum = 0, same = 0;
    for (int32_t k = type->dim - 1; k >= 0; --k) {
      sum += (int32_t)lround(type->order * type->node[a][k]);
      same += sum == P[k];
    }
    if (same == type->dim) return a;
  }
  return -1;
}

/* The way from P along the axes in turn; false where it leaves the cell. */
static bool pieces_walk(const ElementType *type, const int32_t from[3], const int32_t axis[3],
                        int32_t node[PIECE_VERTICES]) {
  int32_t P[3] = {from[0], from[1], from[2]};
  for (int32_t k = 0; k <= type->dim; ++k) {
    node[k] = node_at(type, P);
    if (node[k] < 0) return false;
    if (k < type->dim) ++P[axis[k]];
  }
  return true;
}

void pieces_nodes(const ElementType *type, int32_t node[][PIECE_VERTICES]) {
  static const int32_t way[6][3] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {2, 1, 0}};
  const int32_t n = type->order, n_way = type->dim == 2 ? 2 : 6, last = type->dim;
  int32_t found = 0, P[3];
  for (P[0] = 0; P[0] < n; ++P[0])
    for (P[1] = 0; P[1] < n; ++P[1])
      for (P[2] = 0; P[2] < (type->dim == 2 ? 1 : n); ++P[2])
        for (int32_t w = 0; w < n_way; ++w) {
          int32_t piece[PIECE_VERTICES];
          if (!pieces_walk(type, P, way[w], piece)) continue;
          const bool odd = w % 2;
          for (int32_t k = 0; k <= last; ++k) node[found][k] = piece[odd && k >= last - 1 ? 2 * last - 1 - k : k];
          ++found;
        }
}
