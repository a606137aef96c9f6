#include "assembly/diffusion/flux_error.h"
#include "assembly/space/extrapolate.h"
#include "assembly/space/tangent_rows.h"
#include "core/memory.h"
#include "physics/diffusion.h"

#include <math.h>

/* One kind of elements. */
typedef struct FluxTables {
  const ElementType *type;
  Quadrature rule;
  double *N, *dN, *E; /* owned, [n_q][n_node], [n_q][n_node][dim], extrapolation [n_node][n_q] */
} FluxTables;

typedef struct FluxWork {
  const FluxErrorParams *params;
  int32_t first;     /* mesh id of the first solved element */
  double (*node)[3]; /* owned, [n_node]: sums, then averages of one material */
  double *weight;    /* owned, [n_node]: volumes */
} FluxWork;

/* The points of an element: flux and volume. */
typedef struct FluxPoints {
  double q[ELEMENT_MAX_QUADRATURE][3], dV[ELEMENT_MAX_QUADRATURE], volume;
} FluxPoints;

/* v . D^-1 v of `dim` components, by Cholesky's factors. */
static double inverse_square(int dim, const double D[6], const double v[3]) {
  const double a = sqrt(D[0]), b = D[3] / a, c = sqrt(D[1] - b * b);
  const double x = v[0] / a, y = (v[1] - b * x) / c;
  if (dim == 2) return x * x + y * y;
  const double d = D[5] / a, e = (D[4] - d * b) / c, f = sqrt(D[2] - d * d - e * e), z = (v[2] - d * x - e * y) / f;
  return x * x + y * y + z * z;
}

static void element_flux(const FluxWork *w, const FluxTables *t, const int32_t *nodes, int32_t s, FluxPoints *out) {
  const FluxErrorParams *p = w->params;
  const int n = t->type->n_node, dim = t->type->dim, space = p->mesh->in_space ? 3 : dim;
  double x[ELEMENT_MAX_NODES * 3];
  for (int a = 0; a < n; ++a)
    for (int k = 0; k < space; ++k) x[a * space + k] = p->mesh->x[nodes[a]][k];
  out->volume = 0;
  for (int32_t q = 0; q < t->rule.n; ++q) {
    const double *N = t->N + (int64_t)q * n, *dN = t->dN + (int64_t)q * n * dim;
    double inverse[9], reference[3] = {0}, gradient[3];
    const double det = tangent_inverse(n, dim, space, x, dN, inverse);
    for (int a = 0; a < n; ++a)
      for (int k = 0; k < dim; ++k) reference[k] -= dN[a * dim + k] * p->u[nodes[a]];
    tangent_gradient(dim, space, reference, inverse, gradient);
    out->q[q][2] = 0;
    diffusion_times(space, p->tensor[s], gradient, out->q[q]);
    out->dV[q] = fabs(det) * t->rule.weight[q] * (p->thickness ? p->thickness[s] : 1) *
                 (p->axisymmetric ? element_circle(n, dim, x, N) : 1);
    out->volume += out->dV[q];
  }
}

static void element_add(const FluxWork *w, const FluxTables *t, const int32_t *nodes, const FluxPoints *points) {
  for (int32_t a = 0; a < t->type->n_node; ++a) {
    w->weight[nodes[a]] += points->volume;
    for (int32_t q = 0; q < t->rule.n; ++q)
      for (int k = 0; k < 3; ++k)
        w->node[nodes[a]][k] += points->volume * t->E[(int64_t)a * t->rule.n + q] * points->q[q][k];
  }
}

/* True error over the estimate, squared: measured where the solution is known (docs/adapt.md). */
static const double FACTOR = 1.25 * 1.25;

static void element_error(const FluxWork *w, const FluxTables *t, const int32_t *nodes, int32_t s, double *share,
                          double *square) {
  const int dim = w->params->mesh->in_space ? 3 : t->type->dim;
  FluxPoints points;
  element_flux(w, t, nodes, s, &points);
  *share = *square = 0;
  for (int32_t q = 0; q < t->rule.n; ++q) {
    double d[3];
    for (int k = 0; k < 3; ++k) d[k] = -points.q[q][k];
    for (int32_t a = 0; a < t->type->n_node; ++a)
      for (int k = 0; k < 3; ++k) d[k] += t->N[(int64_t)q * t->type->n_node + a] * w->node[nodes[a]][k];
    *share += points.dV[q] * FACTOR * inverse_square(dim, w->params->tensor[s], d);
    *square += points.dV[q] * inverse_square(dim, w->params->tensor[s], points.q[q]);
  }
}

static Status tables_create(const ElementType *type, FluxTables *t) {
  static const char *const WHAT = "shape functions";
  t->type = type;
  TRY(element_stiffness_quadrature(type, &t->rule));
  ALLOC(t->N, (int64_t)t->rule.n * type->n_node, WHAT);
  ALLOC(t->dN, (int64_t)t->rule.n * type->n_node * type->dim, WHAT);
  ALLOC(t->E, (int64_t)t->rule.n * type->n_node, WHAT);
  element_tabulate(type, &t->rule, t->N, t->dN);
  return extrapolation_matrix(type, &t->rule, t->E);
}

static void tables_release(FluxTables *t) {
  FREE(t->N);
  FREE(t->dN);
  FREE(t->E);
}

/* Of the elements of a material in a block: to the averages, or (share not NULL) their errors. */
static void block_pass(const FluxWork *w, const FluxTables *t, const ElementBlock *block, int32_t material,
                       double *share, double *square) {
  for (int32_t e = 0; e < block->n; ++e) {
    const int32_t s = block->first - w->first + e, *nodes = block->nodes + (int64_t)e * t->type->n_node;
    FluxPoints points;
    if (w->params->material[s] != material) continue;
    if (share) element_error(w, t, nodes, s, &share[s], &square[s]);
    else element_flux(w, t, nodes, s, &points), element_add(w, t, nodes, &points);
  }
}

static void material_errors(const FluxWork *w, const FluxTables *tables, int32_t material, double *share,
                            double *square) {
  const Mesh *mesh = w->params->mesh;
  for (int32_t i = 0; i < mesh->n_node; ++i) w->node[i][0] = w->node[i][1] = w->node[i][2] = w->weight[i] = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (tables[b].type) block_pass(w, &tables[b], &mesh->block[b], material, NULL, NULL);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int k = 0; k < 3 && w->weight[i] > 0; ++k) w->node[i][k] /= w->weight[i];
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (tables[b].type) block_pass(w, &tables[b], &mesh->block[b], material, share, square);
}

Status flux_error(const FluxErrorParams *params, double *share, double *square) {
  const Mesh *mesh = params->mesh;
  FluxWork w = {.params = params, .first = INT32_MAX};
  FluxTables *tables = NULL;
  Status status = OK;
  ALLOC(tables, mesh->n_block, "shape functions");
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    if (type->dim != mesh->dim) continue;
    if (mesh->block[b].first < w.first) w.first = mesh->block[b].first;
    TRY_DONE(tables_create(type, &tables[b]));
  }
  TRY_DONE(mem_alloc(mesh->n_node, sizeof *w.node, "averages of fluxes", (void **)(void *)&w.node));
  ALLOC_DONE(w.weight, mesh->n_node, "averages of fluxes");
  for (int32_t m = 0; m < params->n_material; ++m) material_errors(&w, tables, m, share, square);
done:
  for (int32_t b = 0; b < mesh->n_block; ++b) tables_release(&tables[b]);
  FREE(tables);
  FREE(w.node);
  FREE(w.weight);
  return status;
}
