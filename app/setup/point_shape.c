#include "app/setup/point_shape.h"
#include "assembly/space/tangent_rows.h"
#include "core/memory.h"

/* Inverse of J (dim x dim) into `out`. */
static void invert_jacobian(int32_t dim, const double J[3][3], double out[3][3]) {
  if (dim == 2) {
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    out[0][0] = J[1][1] / det, out[0][1] = -J[0][1] / det;
    out[1][0] = -J[1][0] / det, out[1][1] = J[0][0] / det;
    return;
  }
  double det = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
      out[j][i] = J[p][r] * J[q][s] - J[p][s] * J[q][r];
    }
  for (int k = 0; k < 3; ++k) det += J[0][k] * out[k][0];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] /= det;
}

void point_shape_in_space(const ElementType *type, const double (*x)[3], const double xi[3], double weight,
                          PointShape *out) {
  double inverse[6], gradient[ELEMENT_MAX_NODES * 3];
  type->gradients(xi, gradient);
  out->dV = weight * surface_inverse(type->n_node, x[0], gradient, inverse);
  for (int32_t a = 0; a < type->n_node; ++a) tangent_gradient(2, 3, gradient + 2 * a, inverse, out->dN[a]);
}

void point_shape(const ElementType *type, const double (*x)[3], const double xi[3], double weight, PointShape *out) {
  double J[3][3], inverse[3][3], gradient[ELEMENT_MAX_NODES * 3];
  out->dV = weight * element_jacobian(type, x, xi, J, true);
  invert_jacobian(type->dim, (const double(*)[3])J, inverse);
  type->gradients(xi, gradient);
  for (int32_t a = 0; a < type->n_node; ++a)
    for (int32_t i = 0; i < 3; ++i) {
      out->dN[a][i] = 0;
      for (int32_t k = 0; k < type->dim && i < type->dim; ++k)
        out->dN[a][i] += gradient[a * type->dim + k] * inverse[k][i];
    }
}

double point_ring(const ElementType *type, const double (*x)[3], const double xi[3], double ring[ELEMENT_MAX_NODES]) {
  double radius = 0;
  type->values(xi, ring);
  for (int32_t a = 0; a < type->n_node; ++a) radius += ring[a] * x[a][0];
  for (int32_t a = 0; a < type->n_node; ++a) ring[a] /= radius;
  return radius;
}

Status point_starts(const Mesh *mesh, int32_t first_solved, int64_t **start) {
  const int32_t n = mesh->n_element - first_solved;
  ALLOC(*start, (int64_t)n + 1, "integration points");
  for (int32_t e = 0; e < n; ++e) {
    Quadrature rule;
    TRY(element_stiffness_quadrature(element_type(mesh_block_of(mesh, first_solved + e)->kind), &rule));
    (*start)[e + 1] = (*start)[e] + rule.n;
  }
  return OK;
}
