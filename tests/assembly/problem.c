/* See problem.h. */
#include "tests/assembly/problem.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char places[2][PROBLEM_ITEMS][32];

static const char *place(int kind, int i) {
  snprintf(places[kind][i], sizeof places[kind][i], "%s.yaml:%d:1", kind ? "load" : "support", i + 1);
  return places[kind][i];
}

void problem_init(Problem *p, Exec *exec, Mesh *mesh, ElasticModel model, double young, double poisson) {
  *p = (Problem){.exec = exec, .mesh = mesh, .model = model, .n_material = 1};
  p->material[0] = (MaterialValues){.kind = 0, .value = {young, poisson, 1, 0}};
  assert_ok(mem_alloc(mesh->n_element, sizeof(int32_t), "test", (void **)&p->element_material));
  for (int32_t b = 0; b < mesh->n_block; ++b)
    for (int32_t e = 0; e < mesh->block[b].n; ++e)
      p->element_material[mesh->block[b].first + e] = element_type(mesh->block[b].kind)->dim == mesh->dim ? 0 : -1;
}

void problem_box(Problem *p, Exec *exec, ElementKind kind, int n, double distort) {
  Mesh *mesh = NULL;
  const BoxParams box = {.kind = kind, .n = {n, n, n}, .size = {1, 1, 1}, .distort = distort};
  assert_ok(mesh_box(&box, &mesh));
  problem_init(p, exec, mesh, mesh->dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRAIN, 1000, 0.3);
}

const Group *problem_group(const Problem *p, const char *name) {
  const Group *group = mesh_group(p->mesh, name);
  if (!group) fail_msg("the test mesh has no group %s", name);
  return group;
}

void problem_material(Problem *p, const char *group, double young, double poisson) {
  const Group *g = problem_group(p, group);
  p->material[p->n_material] = (MaterialValues){.kind = 0, .value = {young, poisson, 1, 0}};
  for (int32_t k = 0; k < g->n; ++k) p->element_material[g->element[k]] = p->n_material;
  ++p->n_material;
}

static void parse(const char *text, Expr *out) {
  if (text) assert_ok(expr_parse(text, out));
}

void problem_fix(Problem *p, const char *group, const char *x, const char *y, const char *z) {
  Support *s = &p->support[p->n_support];
  *s = (Support){.on = problem_group(p, group), .where = place(0, p->n_support)};
  parse(x, &s->value[0]);
  parse(y, &s->value[1]);
  parse(z, &s->value[2]);
  ++p->n_support;
}

void problem_symmetry(Problem *p, const char *group) {
  p->support[p->n_support] =
      (Support){.on = problem_group(p, group), .symmetry = true, .where = place(0, p->n_support)};
  ++p->n_support;
}

void problem_load(Problem *p, LoadKind kind, const char *group, const char *x, const char *y, const char *z) {
  Load *l = &p->load[p->n_load];
  *l = (Load){.kind = kind, .on = problem_group(p, group), .where = place(1, p->n_load)};
  parse(x, &l->value[0]);
  parse(y, &l->value[1]);
  parse(z, &l->value[2]);
  ++p->n_load;
}

Status problem_create(Problem *p) {
  p->params = (ElasticityParams){.mesh = p->mesh,
                                 .model = p->model,
                                 .n_material = p->n_material,
                                 .material = p->material,
                                 .element_material = p->element_material,
                                 .n_support = p->n_support,
                                 .n_load = p->n_load,
                                 .support = p->support,
                                 .load = p->load,
                                 .equations = p->params.equations,
                                 .temperature = p->params.temperature,
                                 .node_rank = p->params.node_rank,
                                 .share = p->params.share,
                                 .formulation = p->params.formulation,
                                 .end = p->params.end,
                                 .in_batches = p->params.in_batches,
                                 .finite = p->params.finite,
                                 .free_rim = p->params.free_rim,
                                 .no_load = p->params.no_load,
                                 .allow_free_motion = p->params.allow_free_motion};
  return elasticity_create(p->exec, &p->params, &p->e);
}

void csr_slots(const Pattern *pattern, bool per_scalar, SlotMap *out) {
  assert_ok(pattern_fetch(pattern));
  const int64_t b = pattern->block, n_block = pattern->start[pattern->n];
  *out = (SlotMap){.n_value = n_block * b * b, .per_scalar = per_scalar, .column_step = 1};
  assert_ok(mem_alloc(per_scalar ? n_block * b * b : n_block, 8, "test", (void **)&out->slot));
  if (!per_scalar) assert_ok(mem_alloc(pattern->n, 8, "test", (void **)&out->row_step));
  for (int32_t i = 0; i < pattern->n; ++i) {
    const int64_t first = pattern->start[i], step = (pattern->start[i + 1] - first) * b;
    if (!per_scalar) out->row_step[i] = step;
    for (int64_t k = first; k < pattern->start[i + 1]; ++k) {
      const int64_t at = first * b * b + (k - first) * b;
      if (!per_scalar) out->slot[k] = at;
      for (int64_t r = 0; r < b && per_scalar; ++r)
        for (int64_t c = 0; c < b; ++c) out->slot[(k * b + r) * b + c] = at + r * step + c;
    }
  }
}

void problem_assemble(Problem *p) {
  csr_slots(elasticity_pattern(p->e), false, &p->slots);
  assert_ok(elasticity_bind(p->e, &p->slots));
  const int64_t n = elasticity_dofs(p->e);
  const size_t bytes = (size_t)n * sizeof(double);
  assert_ok(exec_alloc(p->exec, n, sizeof(double), "test", (void **)&p->exec_u));
  assert_ok(exec_alloc(p->exec, n, sizeof(double), "test", (void **)&p->exec_r));
  assert_ok(exec_alloc(p->exec, p->slots.n_value, sizeof(double), "test", (void **)&p->exec_values));
  assert_ok(exec_zero(p->exec, p->exec_values, (size_t)p->slots.n_value * sizeof(double)));
  assert_ok(elasticity_initial(p->e, p->exec_u));
  assert_ok(elasticity_tangent(p->e, p->exec_u, p->exec_values));
  assert_ok(mem_alloc(p->slots.n_value, sizeof(double), "test", (void **)&p->values));
  assert_ok(mem_alloc(n, sizeof(double), "test", (void **)&p->u));
  assert_ok(exec_download(p->exec, p->values, p->exec_values, (size_t)p->slots.n_value * sizeof(double)));
  assert_ok(exec_download(p->exec, p->u, p->exec_u, bytes));
}

void problem_residual(Problem *p, double *r) {
  assert_ok(elasticity_residual(p->e, p->exec_u, p->exec_r));
  assert_ok(exec_download(p->exec, r, p->exec_r, (size_t)elasticity_dofs(p->e) * sizeof *r));
}

/* y = A x */
static void multiply(const Problem *p, const double *x, double *y) {
  const Pattern *pattern = elasticity_pattern(p->e);
  const int b = pattern->block;
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int r = 0; r < b; ++r) {
      double sum = 0;
      for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        for (int c = 0; c < b; ++c)
          sum += p->values[p->slots.slot[k] + r * p->slots.row_step[i] + c] * x[pattern->column[k] * b + c];
      y[i * b + r] = sum;
    }
}

static void solve_dense(const Problem *p, const double *b, double *x) {
  const int64_t n = elasticity_dofs(p->e);
  double *L = calloc((size_t)(n * n), sizeof *L), *e = calloc((size_t)n, sizeof *e), *c = calloc((size_t)n, sizeof *c);
  for (int64_t j = 0; j < n; ++j) { /* columns of A by products, then Cholesky in place */
    e[j] = 1;
    multiply(p, e, c);
    e[j] = 0;
    for (int64_t i = 0; i < n; ++i) L[i * n + j] = c[i];
  }
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = j; i < n; ++i) {
      double s = L[i * n + j];
      for (int64_t k = 0; k < j; ++k) s -= L[i * n + k] * L[j * n + k];
      if (i == j && !(s > 0)) fail_msg("the matrix is not positive definite in row %d", (int)j);
      L[i * n + j] = i == j ? sqrt(s) : s / L[j * n + j];
    }
  for (int64_t i = 0; i < n; ++i) {
    x[i] = b[i];
    for (int64_t k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (int64_t i = n - 1; i >= 0; --i) {
    for (int64_t k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
  free(L), free(e), free(c);
}

static double inner(const double *a, const double *b, int64_t n) {
  double s = 0;
  for (int64_t i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}

static void solve_cg(const Problem *p, const double *b, double *x) {
  const Pattern *pattern = elasticity_pattern(p->e);
  const int64_t n = elasticity_dofs(p->e), size = pattern->block;
  double *r = calloc((size_t)n, sizeof *r), *z = calloc((size_t)n, sizeof *z), *d = calloc((size_t)n, sizeof *d),
         *q = calloc((size_t)n, sizeof *q), *m = calloc((size_t)n, sizeof *m);
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      for (int64_t c = 0; c < size && pattern->column[k] == i; ++c)
        m[i * size + c] = 1 / p->values[p->slots.slot[k] + c * p->slots.row_step[i] + c];
  for (int64_t i = 0; i < n; ++i) {
    x[i] = 0;
    r[i] = b[i];
    d[i] = z[i] = m[i] * r[i];
  }
  double rho = inner(r, z, n);
  const double stop = 1e-24 * rho;
  for (int it = 0; it < 20000 && rho > stop; ++it) {
    multiply(p, d, q);
    const double alpha = rho / inner(d, q, n);
    for (int64_t i = 0; i < n; ++i) {
      x[i] += alpha * d[i];
      r[i] -= alpha * q[i];
      z[i] = m[i] * r[i];
    }
    const double next = inner(r, z, n);
    for (int64_t i = 0; i < n; ++i) d[i] = z[i] + next / rho * d[i];
    rho = next;
  }
  assert_true(rho <= stop);
  free(r), free(z), free(d), free(q), free(m);
}

void problem_solve_linear(const Problem *p, const double *b, double *x) {
  if (elasticity_dofs(p->e) <= 500) solve_dense(p, b, x);
  else solve_cg(p, b, x);
}

void problem_solve(Problem *p) {
  assert_ok(problem_create(p));
  problem_assemble(p);
  const int64_t n = elasticity_dofs(p->e);
  double *r = calloc((size_t)n, sizeof *r), *du = calloc((size_t)n, sizeof *du);
  for (int step = 0; step < 3; ++step) { /* the second and third only polish rounding away */
    problem_residual(p, r);
    if (inner(r, r, n) == 0) break;
    problem_solve_linear(p, r, du);
    for (int64_t i = 0; i < n; ++i) p->u[i] += du[i];
    assert_ok(exec_upload(p->exec, p->exec_u, p->u, (size_t)n * sizeof *p->u));
  }
  free(r), free(du);
}

void problem_release(Problem *p) {
  const int64_t n = p->e ? elasticity_dofs(p->e) : 0;
  EXEC_RELEASE(p->exec, p->exec_u, n);
  EXEC_RELEASE(p->exec, p->exec_r, n);
  EXEC_RELEASE(p->exec, p->exec_values, p->slots.n_value);
  elasticity_destroy(&p->e);
  slot_map_release(&p->slots);
  FREE(p->values);
  FREE(p->u);
  FREE(p->element_material);
  mesh_destroy(&p->mesh);
}

void bend_mesh(Mesh *mesh, void (*map)(double x[3])) {
  for (int32_t i = 0; i < mesh->n_node; ++i) map(mesh->x[i]);
}

void problem_put(Problem *p) {
  assert_ok(exec_upload(p->exec, p->exec_u, p->u, (size_t)elasticity_dofs(p->e) * sizeof *p->u));
}

double problem_energy(Problem *p) {
  ElasticFields f;
  problem_put(p);
  assert_ok(elasticity_recover(p->e, p->exec_u, 0, &f));
  const double energy = f.energy;
  elastic_fields_release(&f);
  return energy;
}

void problem_tangent(Problem *p) {
  assert_ok(elasticity_tangent(p->e, p->exec_u, p->exec_values));
  assert_ok(exec_download(p->exec, p->values, p->exec_values, (size_t)p->slots.n_value * sizeof(double)));
}

double problem_entry(const Problem *p, int64_t row, int64_t column) {
  const Pattern *pattern = elasticity_pattern(p->e);
  const int b = pattern->block;
  const int64_t i = row / b;
  for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
    if (pattern->column[k] == column / b)
      return p->values[p->slots.slot[k] + row % b * p->slots.row_step[i] + column % b];
  return 0;
}
