/* See conduction_velocity.h. */
#include "app/monodomain/conduction_velocity.h"
#include "core/parts.h"
#include "core/vec3.h"

#include <string.h>

/* g with J^T g = d, of a flat element in the plane z = constant. */
static void gradient_flat(double J[3][3], const double d[3], double g[3]) {
  const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  g[0] = (J[1][1] * d[0] - J[1][0] * d[1]) / det;
  g[1] = (J[0][0] * d[1] - J[0][1] * d[0]) / det;
  g[2] = 0;
}

/* The same of a solid one: column k of J is t_k, and g = sum_k d_k (t_i x t_j) / det. Of a surface in space the third column
 * is a normal, along which d is 0. */
static void gradient_solid(double J[3][3], const double d[3], double g[3]) {
  double t[3][3], n[3][3];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) t[k][i] = J[i][k];
  for (int k = 0; k < 3; ++k) vec3_cross(t[(k + 1) % 3], t[(k + 2) % 3], n[k]);
  const double det = t[0][0] * n[0][0] + t[0][1] * n[0][1] + t[0][2] * n[0][2];
  for (int i = 0; i < 3; ++i) g[i] = (d[0] * n[0][i] + d[1] * n[1][i] + d[2] * n[2][i]) / det;
}
static void add_normal(double J[3][3]) {
  const double s[3] = {J[0][0], J[1][0], J[2][0]}, t[3] = {J[0][1], J[1][1], J[2][1]};
  double n[3];
  vec3_cross(s, t, n);
  for (int i = 0; i < 3; ++i) J[i][2] = n[i];
}

static void element_velocity(const Mesh *mesh, const ElementType *type, const int32_t *nodes, const double *time,
                             double out[3]) {
  double x[ELEMENT_MAX_NODES][3], dN[ELEMENT_MAX_NODES * 3], J[3][3], middle[3] = {0}, d[3] = {0}, g[3], square = 0;
  memset(out, 0, 3 * sizeof *out);
  for (int32_t a = 0; a < type->n_node; ++a) {
    if (time[nodes[a]] < 0) return;
    memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
    for (int k = 0; k < type->dim && a < type->n_vertex; ++k) middle[k] += type->node[a][k] / type->n_vertex;
  }
  type->gradients(middle, dN);
  element_jacobian(type, (const double(*)[3])x, middle, J, false);
  for (int32_t a = 0; a < type->n_node; ++a)
    for (int k = 0; k < type->dim; ++k) d[k] += dN[a * type->dim + k] * (time[nodes[a]] - time[nodes[0]]);
  if (mesh->in_space) add_normal(J);
  if (type->dim == 2 && !mesh->in_space) gradient_flat(J, d, g);
  else gradient_solid(J, d, g);
  for (int i = 0; i < 3; ++i) square += g[i] * g[i];
  for (int i = 0; i < 3 && square > 0; ++i) out[i] = g[i] / square;
}

void conduction_velocity(const Mesh *mesh, const double *time, double *out) {
  memset(out, 0, 3 * (size_t)mesh->n_cable * sizeof *out);
  out += 3 * (int64_t)mesh->n_cable;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim) continue;
#pragma omp parallel for schedule(static) num_threads(parts_of(block->n))
    for (int32_t e = 0; e < block->n; ++e)
      element_velocity(mesh, type, block->nodes + (int64_t)e * type->n_node, time, out + 3 * (int64_t)e);
    out += 3 * (int64_t)block->n;
  }
}
