/* A force F and a moment M about a point, spread over facets as a traction that is linear in the place,
 *   t = F / A + b x (x - c),  J b = M - (c - at) x F,  J = int |r|^2 1 - r r^T dA,  r = x - c,
 * with the area A and the centre c of the facets: of all tractions with that force and moment the one with the least
 * square (a distributing coupling, weighted by area). */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "assembly/space/small_matrix.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* int 1, x_i and x_i x_j over the group; in a flat model times the thickness. */
typedef struct Moments {
  double area, first[3], second[3][3];
} Moments;

static Status facet_add(const Mesh *mesh, int32_t e, double thickness, Moments *m) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3], N[ELEMENT_MAX_NODES], J[3][3];
  Quadrature rule;
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  TRY(element_load_quadrature(type, &rule));
  for (int32_t q = 0; q < rule.n; ++q) {
    const double w =
        thickness * rule.weight[q] * fabs(element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, false));
    double at[3] = {0};
    type->values(rule.xi[q], N);
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int i = 0; i < 3; ++i) at[i] += N[a] * x[a][i];
    m->area += w;
    for (int i = 0; i < 3; ++i) {
      m->first[i] += w * at[i];
      for (int j = 0; j < 3; ++j) m->second[i][j] += w * at[i] * at[j];
    }
  }
  return OK;
}

Status elastic_facet_thickness(const Case *c, const Mesh *mesh, const Setup *setup, double **out) {
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  double *solved = NULL;
  *out = NULL;
  if (case_dim(c) == 3) return OK;
  ALLOC(solved, n, "thickness");
  for (int32_t e = 0; e < n; ++e) {
    const int32_t m = setup->element_material[first + e];
    const MaterialValues *material = m >= 0 ? &elastic_setup(setup)->material[m] : NULL;
    const int at = material ? material_parameter(material->kind, "thickness") : -1;
    solved[e] = at >= 0 ? material->value[at] : 1;
  }
  const Status status = setup_facet_thickness(mesh, solved, out);
  FREE(solved);
  return status;
}

/* J b = M about the centre. False: facets in a line bear no moment about it. */
static bool spin_solve(const double J[3][3], const double M[3], double b[3]) {
  double a[6][6] = {{0}}, value[6], V[6][6], largest = 0, size = 0, rest[3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = J[i][j];
  jacobi_svd(3, a, value, V);
  for (int k = 0; k < 3; ++k) largest = fmax(largest, value[k]);
  for (int i = 0; i < 3; ++i) rest[i] = M[i], b[i] = 0, size = fmax(size, fabs(M[i]));
  for (int k = 0; k < 3; ++k) {
    double along = 0;
    if (!(value[k] > 1e-9 * largest)) continue;
    for (int i = 0; i < 3; ++i) along += V[i][k] * M[i];
    for (int i = 0; i < 3; ++i) b[i] += along / value[k] * V[i][k], rest[i] -= along * V[i][k];
  }
  return fabs(rest[0]) + fabs(rest[1]) + fabs(rest[2]) <= 1e-9 * size;
}

static Status traction_text(int32_t dim, const double F[3], const double b[3], const double center[3],
                            ExprsValue *out) {
  out->n = dim;
  for (int32_t i = 0; i < dim; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    char text[256];
    snprintf(text, sizeof text, "(%.17g)+(%.17g)*(%c-(%.17g))-(%.17g)*(%c-(%.17g))", F[i], b[j], "xyz"[k], center[k],
             b[k], "xyz"[j], center[j]);
    TRY(expr_parse(text, &out->item[i].expr));
  }
  return OK;
}

static Status moments_find(const Case *c, const Mesh *mesh, const Setup *setup, const Group *on, Moments *m) {
  Status status = OK;
  double *thickness = NULL;
  *m = (Moments){0};
  TRY(elastic_facet_thickness(c, mesh, setup, &thickness));
  for (int32_t k = 0; k < on->n; ++k)
    TRY_DONE(facet_add(mesh, on->element[k], thickness ? thickness[on->element[k]] : 1, m));
done:
  FREE(thickness);
  return status;
}

/* Numbers among its parts, or 1 for part `one`. False: there is nothing. */
static bool sums_of(const CaseDistribute *d, int one, double sum[CASE_SUM_PARTS]) {
  const double origin[3] = {0};
  bool any = false, varies = false;
  for (int k = 0; k < CASE_SUM_PARTS; ++k) {
    const ExprValue *part = case_sum_part(&d->force, &d->moment, k);
    const bool constant = !part || expr_is_constant(&part->expr);
    sum[k] = one >= 0 ? k == one && !constant : part && constant ? expr_value(&part->expr, origin, 0) : 0;
    any = any || sum[k] != 0, varies = varies || !constant;
  }
  return any || (one < 0 && !varies);
}

/* Each component times what part `one` is. */
static Status traction_scale(const CaseDistribute *d, int one, ExprsValue *out) {
  for (int i = 0; one >= 0 && i < out->n; ++i)
    TRY(expr_multiply(&out->item[i].expr, &case_sum_part(&d->force, &d->moment, one)->expr));
  return OK;
}

Status distribute_traction(const Case *c, const Mesh *mesh, const Setup *setup, const Group *on,
                           const CaseDistribute *d, int one, ExprsValue *out, Diagnostics *diagnostics) {
  Moments m;
  double J[3][3], F[3] = {0}, M[3], b[3], center[3], arm[3] = {0}, sum[CASE_SUM_PARTS];
  if (!sums_of(d, one, sum)) return OK;
  TRY(moments_find(c, mesh, setup, on, &m));
  if (!(m.area > 0)) return OK; /* told where the load is made */
  for (int i = 0; i < 3; ++i) center[i] = m.first[i] / m.area;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m.second[i][j] -= m.area * center[i] * center[j];
  const double trace = m.second[0][0] + m.second[1][1] + m.second[2][2];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J[i][j] = (i == j ? trace : 0) - m.second[i][j];
  for (int32_t i = 0; i < case_dim(c); ++i) {
    F[i] = sum[i];
    arm[i] = center[i] - d->at.value[i];
  }
  for (int i = 0; i < 3; ++i) M[i] = sum[3 + i] - arm[(i + 1) % 3] * F[(i + 2) % 3] + arm[(i + 2) % 3] * F[(i + 1) % 3];
  if (!spin_solve((const double(*)[3])J, M, b)) {
    report_error(diagnostics, d->place, "the facets of '%s' lie in a line and bear no moment about it", on->name);
    return OK;
  }
  for (int i = 0; i < 3; ++i) F[i] /= m.area;
  out->place = d->place;
  TRY(traction_text(case_dim(c), F, b, center, out));
  return traction_scale(d, one, out);
}
