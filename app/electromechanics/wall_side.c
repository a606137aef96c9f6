/* The nearest place of a side of a wall. */
#include "app/electromechanics/wall_side.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

int32_t wall_corners(const Mesh *mesh, int32_t e, const int32_t **node) {
  *node = mesh_nodes_of(mesh, e);
  return element_type(mesh_block_of(mesh, e)->kind)->n_vertex;
}

Status wall_side_create(const Mesh *mesh, const Group *on, WallSide *out) {
  const int32_t *node;
  *out = (WallSide){.mesh = mesh, .on = on};
  ALLOC(out->start, mesh->n_node + 2, "facets of a wall");
  for (int32_t k = 0; k < on->n; ++k)
    for (int32_t a = wall_corners(mesh, on->element[k], &node); a-- > 0;) ++out->start[node[a] + 2];
  int32_t n = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) out->n_near += out->start[i + 2] > 0, n += out->start[i + 2];
  ALLOC(out->near, out->n_near, "nodes of a wall");
  ALLOC(out->facet, n, "facets of a wall");
  for (int32_t i = 0, k = 0; i < mesh->n_node; ++i)
    if (out->start[i + 2]) out->near[k++] = (NearNode){mesh->x[i][0], i};
  for (int32_t i = 0; i < mesh->n_node; ++i) out->start[i + 2] += out->start[i + 1];
  for (int32_t k = 0; k < on->n; ++k)
    for (int32_t a = wall_corners(mesh, on->element[k], &node); a-- > 0;) out->facet[out->start[node[a] + 1]++] = k;
  for (int32_t k = 0; k < on->n; ++k)
    for (int32_t a = wall_corners(mesh, on->element[k], &node); a-- > 1;)
      out->size = fmax(out->size, sqrt(vec3_square(mesh->x[node[a]], mesh->x[node[0]])));
  near_nodes_sort(out->near, out->n_near);
  return OK;
}

void wall_side_release(WallSide *of) {
  mem_free((void **)(void *)&of->near);
  FREE(of->start);
  FREE(of->facet);
}

/* Of the line from a to b: the share of b. */
static double on_line(const double *x, const double *a, const double *b) {
  double up = 0, low = 0;
  for (int k = 0; k < 3; ++k) up += (x[k] - a[k]) * (b[k] - a[k]), low += (b[k] - a[k]) * (b[k] - a[k]);
  return low > 0 ? fmin(fmax(up / low, 0), 1) : 0;
}

static double far(const double *x, const double *const p[3], const double share[3]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = x[k] - share[0] * p[0][k] - share[1] * p[1][k] - share[2] * p[2][k];
    sum += d * d;
  }
  return sqrt(sum);
}

/* The nearest place to x in a triangle: inside, by the normal equations, or on a side. Returns how far. */
static double in_triangle(const double *x, const double *const p[3], double share[3]) {
  double e[3], f[3], d[3], best = INFINITY;
  for (int k = 0; k < 3; ++k) e[k] = p[1][k] - p[0][k], f[k] = p[2][k] - p[0][k], d[k] = x[k] - p[0][k];
  const double ee = vec3_dot(e, e), ff = vec3_dot(f, f), ef = vec3_dot(e, f), det = ee * ff - ef * ef;
  const double s = (vec3_dot(d, e) * ff - vec3_dot(d, f) * ef) / det,
               t = (vec3_dot(d, f) * ee - vec3_dot(d, e) * ef) / det;
  if (det > 0 && s >= 0 && t >= 0 && s + t <= 1) {
    share[0] = 1 - s - t, share[1] = s, share[2] = t;
    return far(x, p, share);
  }
  for (int a = 0; a < 3; ++a) {
    double at[3] = {0};
    const int b = (a + 1) % 3;
    at[b] = on_line(x, p[a], p[b]), at[a] = 1 - at[b];
    const double here = far(x, p, at);
    if (here < best) best = here, memcpy(share, at, sizeof at);
  }
  return best;
}

/* The place in one facet, if it is nearer than `best`; returns how far the nearer of both is. */
static double in_facet(const WallSide *of, int32_t facet, const double *x, double best, int32_t place[3],
                       double by[3]) {
  const Mesh *mesh = of->mesh;
  const int32_t *node, n = wall_corners(mesh, of->on->element[facet], &node);
  double share[3];
  for (int32_t a = 2; a < n; ++a) {
    const int32_t at[3] = {node[0], node[a - 1], node[a]};
    const double *const p[3] = {mesh->x[at[0]], mesh->x[at[1]], mesh->x[at[2]]};
    const double here = in_triangle(x, p, share);
    if (here < best) best = here, memcpy(place, at, sizeof at), memcpy(by, share, sizeof share);
  }
  return best;
}

/* In the facets of the nearest node, and then in those whose first corner is no farther than the best place and the size of facets. */
double wall_side_nearest(const WallSide *of, const double *x, int32_t place[3], double by[3]) {
  const Mesh *mesh = of->mesh;
  const int32_t near = near_nodes_find(mesh, of->near, of->n_near, x), *node;
  const int32_t first = near_nodes_from(of->near, of->n_near, x[0]);
  double best = INFINITY;
  for (int32_t k = of->start[near]; k < of->start[near + 1]; ++k) best = in_facet(of, of->facet[k], x, best, place, by);
  for (int32_t way = -1; way <= 1; way += 2)
    for (int32_t i = way < 0 ? first - 1 : first; i >= 0 && i < of->n_near; i += way) {
      const int32_t at = of->near[i].node;
      const double reach = best + of->size;
      if (fabs(of->near[i].x - x[0]) > reach) break;
      if (vec3_square(mesh->x[at], x) > reach * reach) continue;
      for (int32_t k = of->start[at]; k < of->start[at + 1]; ++k) {
        (void)wall_corners(mesh, of->on->element[of->facet[k]], &node);
        if (node[0] == at) best = in_facet(of, of->facet[k], x, best, place, by);
      }
    }
  return best;
}
