/* Weights of electrodes, element by element. */
#include "assembly/monodomain/lead_field.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

/* Closer to an integration point than this share of an edge, an electrode sees nothing but that point. */
static const double NEAR = 1e-6;

/* grad N_a [n_node][3] at xi from the Jacobian J (3 x dim): J (J^T J)^-1 dN. */
static void space_gradients(const ElementType *type, const double xi[3], const double J[3][3], double (*grad)[3]) {
  double dN[ELEMENT_MAX_NODES * 3], G[3][3], inverse[3][3];
  const int32_t dim = type->dim;
  type->gradients(xi, dN);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      G[i][k] = i == k && i >= dim ? 1 : 0;
      if (i < dim && k < dim)
        for (int m = 0; m < 3; ++m) G[i][k] += J[m][i] * J[m][k];
    }
  const double det = G[0][0] * (G[1][1] * G[2][2] - G[1][2] * G[2][1]) -
                     G[0][1] * (G[1][0] * G[2][2] - G[1][2] * G[2][0]) +
                     G[0][2] * (G[1][0] * G[2][1] - G[1][1] * G[2][0]);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      inverse[k][i] = (G[i1][k1] * G[i2][k2] - G[i1][k2] * G[i2][k1]) / det;
    }
  for (int32_t a = 0; a < type->n_node; ++a)
    for (int m = 0; m < 3; ++m) {
      grad[a][m] = 0;
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k) grad[a][m] += J[m][i] * inverse[i][k] * dN[a * dim + k];
    }
}

/* False: the electrode is at a point of the rule. weight[n_node] of element i of the block. */
static bool element_weights(const double (*x)[3], const ElementBlock *block, int32_t i, const Quadrature *rule,
                            const double D[6], const double electrode[3], double factor, double *weight) {
  const ElementType *type = element_type(block->kind);
  const int32_t *nodes = block->nodes + (int64_t)i * type->n_node;
  double near = 0, corner[ELEMENT_MAX_NODES][3], grad[ELEMENT_MAX_NODES][3], N[ELEMENT_MAX_NODES];
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(corner[a], x[nodes[a]], sizeof corner[a]), weight[a] = 0;
  for (int k = 0; k < 3; ++k) near += (corner[1][k] - corner[0][k]) * (corner[1][k] - corner[0][k]);
  near *= NEAR * NEAR;
  for (int32_t q = 0; q < rule->n; ++q) {
    double J[3][3] = {{0}}, r[3] = {-electrode[0], -electrode[1], -electrode[2]}, flux[3];
    const double dV = rule->weight[q] * element_jacobian(type, (const double(*)[3])corner, rule->xi[q], J, false);
    type->values(rule->xi[q], N);
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int k = 0; k < 3; ++k) r[k] += N[a] * corner[a][k];
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if (!(square > near)) return false;
    /* grad (1/r) = -r/|r|^3, so that the two signs cancel */
    const double scale = factor * dV / (4 * M_PI * square * sqrt(square));
    flux[0] = D[0] * r[0] + D[3] * r[1] + D[5] * r[2];
    flux[1] = D[3] * r[0] + D[1] * r[1] + D[4] * r[2];
    flux[2] = D[5] * r[0] + D[4] * r[1] + D[2] * r[2];
    space_gradients(type, rule->xi[q], (const double(*)[3])J, grad);
    for (int32_t a = 0; a < type->n_node; ++a)
      weight[a] += scale * (flux[0] * grad[a][0] + flux[1] * grad[a][1] + flux[2] * grad[a][2]);
  }
  return true;
}

/* Elements whose weights are found by all threads before they are added in order. */
enum { PART = 4096 };

/* Of a block, of whose elements tensor[n] and thickness[n] are; own[PART] is room. *good false: the electrode is at a point. */
static Status block_weights(const Mesh *mesh, const ElementBlock *block, const double (*tensor)[6],
                            const double *thickness, const double electrode[3], double factor,
                            double (*own)[ELEMENT_MAX_NODES], double *weight, bool *good) {
  const ElementType *type = element_type(block->kind);
  const double(*x)[3] = (const double(*)[3])mesh->x;
  Quadrature rule;
  bool all = true;
  TRY(element_mass_quadrature(type, &rule));
  for (int32_t at = 0; at < block->n && all; at += PART) {
    const int32_t end = block->n - at < PART ? block->n : at + PART;
#pragma omp parallel for schedule(static) reduction(&& : all)
    for (int32_t i = at; i < end; ++i)
      all = all && element_weights(x, block, i, &rule, tensor[i], electrode, thickness ? factor * thickness[i] : factor,
                                   own[i - at]);
    for (int32_t i = at; i < end && all; ++i)
      for (int32_t a = 0; a < type->n_node; ++a) weight[block->nodes[(int64_t)i * type->n_node + a]] += own[i - at][a];
  }
  *good = all;
  return OK;
}

Status lead_field_add(const Mesh *mesh, const double (*tensor)[6], const double *thickness, const double electrode[3],
                      double factor, double *weight) {
  double(*own)[ELEMENT_MAX_NODES] = NULL;
  Status status = OK;
  bool good = true;
  int32_t first = 0;
  ALLOC(own, PART, "weights of elements");
  for (int32_t b = 0; b < mesh->n_block && good && status == OK; ++b) {
    const ElementBlock *block = &mesh->block[b];
    if (element_type(block->kind)->dim != mesh->dim) continue;
    status = block_weights(mesh, block, tensor + first, thickness ? thickness + first : NULL, electrode, factor, own,
                           weight, &good);
    first += block->n;
  }
  FREE(own);
  TRY(status);
  CHECK(good, ERR_INPUT, "the electrode (%g, %g, %g) lies at an integration point of the tissue; move it a little",
        electrode[0], electrode[1], electrode[2]);
  return OK;
}
