#include "mesh/thinness.h"
#include "core/memory.h"
#include "mesh/elements/element.h"
#include "mesh/outer_faces.h"

#include <math.h>

/* The volume over the cube of the size up to which a body may be thin. */
static const double MAY_BE = 0.15;

/* Of the boxes around the elements: a bound of the volume. */
static double boxes_volume(const Mesh *mesh) {
  double sum = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    for (int32_t e = 0; e < block->n && type->dim == 3; ++e) {
      double volume = 1;
      for (int k = 0; k < 3; ++k) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t i = 0; i < type->n_vertex; ++i) {
          const double x = mesh->x[block->nodes[(int64_t)e * type->n_node + i]][k];
          low = fmin(low, x), high = fmax(high, x);
        }
        volume *= high - low;
      }
      sum += volume;
    }
  }
  return sum;
}

/* Area and, by the divergence theorem from the middle of the box, volume of the outer faces. */
static void add_face(const Mesh *mesh, const int32_t *v, const double middle[3], double *area, double *volume) {
  const int32_t corners = outer_face_corners(outer_face_width(mesh), v);
  const double *first = mesh->x[v[0]];
  for (int32_t c = 1; c + 1 < corners; ++c) {
    const double *p = mesh->x[v[c]], *q = mesh->x[v[c + 1]];
    double n[3], dot = 0, square = 0;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      n[k] = (p[i] - first[i]) * (q[j] - first[j]) - (p[j] - first[j]) * (q[i] - first[i]);
      dot += n[k] * (first[k] - middle[k]);
      square += n[k] * n[k];
    }
    *area += sqrt(square) / 2;
    *volume += dot / 6;
  }
}

Status mesh_thinness(const Mesh *mesh, double *out) {
  double low[3], high[3], middle[3], area = 0, volume = 0;
  const double size = mesh_size(mesh);
  int32_t *face = NULL, n = 0;
  *out = 0;
  if (!(boxes_volume(mesh) < MAY_BE * size * size * size)) return OK;
  const Status status = outer_faces_find(mesh, &n, &face);
  mesh_extent(mesh, low, high);
  for (int k = 0; k < 3; ++k) middle[k] = (low[k] + high[k]) / 2;
  for (int32_t f = 0; f < n && status == OK; ++f)
    add_face(mesh, face + (int64_t)f * outer_face_width(mesh), middle, &area, &volume);
  FREE(face);
  if (status == OK && volume > 0) *out = size * area / (2 * volume);
  return status;
}
