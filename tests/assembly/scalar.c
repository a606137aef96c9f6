/* See scalar.h. */
#include "tests/assembly/scalar.h"
#include "core/memory.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

static const double PLANE[6] = {2, 3, 1, 0.7, 0, 0}, SOLID[6] = {2, 3, 1.5, 0.7, -0.4, 0.3};

Expr scalar_expr(const char *text) {
  Expr e;
  assert_ok(expr_parse(text, &e));
  return e;
}

const Group *scalar_group(const Scalar *s, const char *name) {
  const Group *g = mesh_group(s->mesh, name);
  if (!g) fail_msg("the test mesh has no group %s", name);
  return g;
}

void scalar_begin(Scalar *s, Exec *exec, Mesh *mesh) {
  *s = (Scalar){.exec = exec, .mesh = mesh};
  int32_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) n += mesh->block[b].n;
  s->tensor = calloc((size_t)n, sizeof *s->tensor);
  s->capacity = calloc((size_t)n, sizeof *s->capacity);
  s->thickness = calloc((size_t)n, sizeof *s->thickness);
  for (int32_t e = 0; e < n; ++e) {
    memcpy(s->tensor[e], mesh->dim == 2 ? PLANE : SOLID, sizeof PLANE);
    s->capacity[e] = 1.5;
    s->thickness[e] = mesh->dim == 2 ? 0.25 : 1;
  }
  s->params = (DiffusionParams){.mesh = mesh,
                                .tensor = (const double(*)[6])s->tensor,
                                .capacity = s->capacity,
                                .thickness = s->thickness,
                                .support = s->support,
                                .load = s->load};
}

Mesh *scalar_box(ElementKind kind, int n, double distort) {
  Mesh *mesh = NULL;
  const BoxParams params = {.kind = kind, .n = {n, n, n}, .size = {1, 1, 1}, .distort = distort};
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}

void scalar_prescribe(Scalar *s, const char *group, const char *value) {
  s->support[s->params.n_support++] = (Support){.on = scalar_group(s, group), .value = {scalar_expr(value)}};
}
void scalar_load(Scalar *s, LoadKind kind, const char *group, const char *value, const char *ambient) {
  s->load[s->params.n_load++] = (Load){
      .kind = kind, .on = scalar_group(s, group), .value = {scalar_expr(value)}, .ambient = {scalar_expr(ambient)}};
}

size_t scalar_bytes(const Scalar *s) { return (size_t)diffusion_dofs(s->d) * sizeof(double); }

void scalar_create(Scalar *s) {
  assert_ok(diffusion_create(s->exec, &s->params, &s->d));
  csr_slots(diffusion_pattern(s->d), false, &s->slots);
  assert_ok(diffusion_bind(s->d, &s->slots));
  assert_ok(exec_alloc(s->exec, s->slots.n_value, 8, "test", (void **)&s->values));
  assert_ok(exec_alloc(s->exec, diffusion_dofs(s->d), 8, "test", (void **)&s->u));
  s->A = calloc((size_t)s->slots.n_value, sizeof *s->A);
  s->x = calloc((size_t)diffusion_dofs(s->d), sizeof *s->x);
}

void scalar_finish(Scalar *s) {
  const int64_t n = s->d ? diffusion_dofs(s->d) : 0;
  EXEC_RELEASE(s->exec, s->values, s->slots.n_value);
  EXEC_RELEASE(s->exec, s->u, n);
  diffusion_destroy(&s->d);
  slot_map_release(&s->slots);
  free(s->A), free(s->x), free(s->tensor), free(s->capacity), free(s->thickness);
  mesh_destroy(&s->mesh);
  exec_destroy(&s->exec);
}

void scalar_matrix(Scalar *s, double stiffness, double mass) {
  assert_ok(diffusion_matrix(s->d, stiffness, mass, s->values));
  assert_ok(exec_download(s->exec, s->A, s->values, (size_t)s->slots.n_value * sizeof *s->A));
}

void scalar_multiply(const Scalar *s, const double *x, double *y) {
  const Pattern *p = diffusion_pattern(s->d);
  for (int32_t i = 0; i < p->n; ++i) {
    y[i] = 0;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) y[i] += s->A[s->slots.slot[k]] * x[p->column[k]];
  }
}

/* x = A^-1 b by conjugate gradients with the diagonal, to rounding. */
void scalar_solve_linear(const Scalar *s, const double *b, double *x) {
  const Pattern *p = diffusion_pattern(s->d);
  const size_t n = (size_t)p->n;
  double *r = calloc(n, 8), *z = calloc(n, 8), *d = calloc(n, 8), *q = calloc(n, 8), *m = calloc(n, 8), rho = 0;
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
      if (p->column[k] == i) m[i] = 1 / s->A[s->slots.slot[k]];
  for (size_t i = 0; i < n; ++i) {
    x[i] = 0;
    r[i] = b[i];
    d[i] = m[i] * r[i];
    rho += r[i] * d[i];
  }
  const double stop = 1e-28 * rho;
  for (int it = 0; it < 5000 && rho > stop; ++it) {
    double dq = 0, next = 0;
    scalar_multiply(s, d, q);
    for (size_t i = 0; i < n; ++i) dq += d[i] * q[i];
    for (size_t i = 0; i < n; ++i) {
      x[i] += rho / dq * d[i];
      r[i] -= rho / dq * q[i];
      z[i] = m[i] * r[i];
      next += r[i] * z[i];
    }
    for (size_t i = 0; i < n; ++i) d[i] = z[i] + next / rho * d[i];
    rho = next;
  }
  assert_true(rho <= stop);
  free(r), free(z), free(d), free(q), free(m);
}

/* The steady solution, on the Exec and in x. */
void scalar_solve(Scalar *s) {
  scalar_create(s);
  scalar_matrix(s, 1, 0);
  const int64_t n = diffusion_dofs(s->d);
  double *f = NULL, *r = NULL, *b = calloc((size_t)n, 8), *du = calloc((size_t)n, 8);
  assert_ok(exec_alloc(s->exec, n, 8, "test", (void **)&f));
  assert_ok(exec_alloc(s->exec, n, 8, "test", (void **)&r));
  assert_ok(diffusion_initial(s->d, NULL, s->u));
  assert_ok(diffusion_load(s->d, s->params.time, f));
  for (int step = 0; step < 2; ++step) { /* the second only polishes rounding away */
    assert_ok(diffusion_residual(s->d, s->u, NULL, f, false, r));
    assert_ok(exec_download(s->exec, b, r, scalar_bytes(s)));
    assert_ok(exec_download(s->exec, s->x, s->u, scalar_bytes(s)));
    scalar_solve_linear(s, b, du);
    for (int64_t i = 0; i < n; ++i) s->x[i] += du[i];
    assert_ok(exec_upload(s->exec, s->u, s->x, scalar_bytes(s)));
  }
  assert_ok(diffusion_download(s->d, s->u, s->x));
  EXEC_RELEASE(s->exec, f, n);
  EXEC_RELEASE(s->exec, r, n);
  free(b), free(du);
}

Status scalar_recover(Scalar *s, const double *u, unsigned which, ScalarFields *out) {
  const int64_t n_node = s->mesh->n_node, n_flux = 3 * (int64_t)diffusion_solved(s->d);
  double *room = NULL;
  *out = (ScalarFields){0};
  TRY(exec_alloc(s->exec, n_node + n_flux, 8, "test", (void **)&room));
  Status status = which & DIFFUSION_FIELD_FLUX ? diffusion_flux(s->d, u, room) : OK;
  if (status == OK && which & DIFFUSION_FIELD_REACTION) status = diffusion_reaction(s->d, 0, u, NULL, room + n_flux);
  if (which & DIFFUSION_FIELD_FLUX) out->flux = calloc((size_t)n_flux + 1, 8);
  if (which & DIFFUSION_FIELD_REACTION) out->reaction = calloc((size_t)n_node, 8);
  if (status == OK && out->flux) status = exec_download(s->exec, out->flux, room, (size_t)n_flux * 8);
  if (status == OK && out->reaction) status = exec_download(s->exec, out->reaction, room + n_flux, (size_t)n_node * 8);
  for (int64_t i = 0; out->reaction && i < n_node; ++i) out->total_reaction += out->reaction[i];
  EXEC_RELEASE(s->exec, room, n_node + n_flux);
  return status;
}

void scalar_fields_release(ScalarFields *fields) {
  free(fields->flux), free(fields->reaction);
  *fields = (ScalarFields){0};
}
