/* See heart.h. */
#include "tests/assembly/heart.h"
#include "tests/assembly/problem.h"

#include <string.h>

static void begin(Heart *h, Exec *exec, Mesh *mesh, const double tensor[6]) {
  *h = (Heart){.exec = exec, .mesh = mesh};
  int32_t n = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (element_type(mesh->block[b].kind)->dim == mesh->dim) n += mesh->block[b].n;
  h->tensor = calloc((size_t)n, sizeof *h->tensor);
  h->capacity = calloc((size_t)n, sizeof *h->capacity);
  h->thickness = calloc((size_t)n, sizeof *h->thickness);
  h->element_region = calloc((size_t)n, sizeof *h->element_region);
  for (int32_t e = 0; e < n; ++e) memcpy(h->tensor[e], tensor, sizeof h->tensor[e]);
  h->region[0] = ionic_constants(ionic_by_name("aliev-panfilov"), 0);
  h->params = (MonodomainParams){.diffusion = {.mesh = mesh, .tensor = (const double(*)[6])h->tensor},
                                 .n_region = 1,
                                 .region = h->region,
                                 .element_region = h->element_region};
  for (int32_t e = 0; e < n; ++e) {
    h->capacity[e] = 1.5;
    h->thickness[e] = mesh->dim == 2 ? 0.25 : 1;
  }
}

double heart_state(const IonicConstants *c, double V, double known, double step) {
  double s, by_V;
  ionic_type(c->kind)->implicit(c, V, &known, step, &s, &by_V);
  return s;
}

double heart_rate(const IonicConstants *c, double V, double s) {
  double g;
  ionic_type(c->kind)->rate(c, V, &s, &g);
  return g;
}

double heart_reaction(const IonicConstants *c, double V, double s) {
  double by_V, by_s;
  return ionic_type(c->kind)->reaction(c, V, &s, &by_V, &by_s);
}

void heart_box(Heart *h, ElementKind kind, int n, double distort) {
  static const double tensor[6] = {0.2, 0.3, 0.15, 0.07, -0.04, 0.03};
  Mesh *mesh = NULL;
  const BoxParams params = {.kind = kind, .n = {n, n, n}, .size = {1, 1, 1}, .distort = distort};
  assert_ok(mesh_box(&params, &mesh));
  begin(h, testing_exec(), mesh, tensor);
  h->params.diffusion.capacity = h->capacity;
  if (mesh->dim == 2) h->params.diffusion.thickness = h->thickness;
}

void heart_mesh(Heart *h, Exec *exec, Mesh *mesh, double diffusivity) {
  const double tensor[6] = {diffusivity, diffusivity, diffusivity, 0, 0, 0};
  begin(h, exec, mesh, tensor);
}

void heart_create(Heart *h) {
  assert_ok(monodomain_create(h->exec, &h->params, &h->m));
  const Diffusion *d = monodomain_diffusion(h->m);
  csr_slots(diffusion_pattern(d), false, &h->slots);
  assert_ok(monodomain_bind(h->m, &h->slots));
  h->n = diffusion_dofs(d);
  assert_ok(exec_alloc(h->exec, h->n, 8, "test", (void **)&h->V));
  assert_ok(exec_alloc(h->exec, h->n, 8, "test", (void **)&h->r));
  assert_ok(exec_alloc(h->exec, h->n, 8, "test", (void **)&h->diagonal));
  assert_ok(exec_alloc(h->exec, h->slots.n_value, 8, "test", (void **)&h->values));
  assert_ok(exec_alloc(h->exec, MONODOMAIN_NUMBERS, 8, "test", (void **)&h->numbers));
  h->host = calloc((size_t)h->n, 8);
  h->A = calloc((size_t)h->slots.n_value, 8);
}

void heart_finish(Heart *h) {
  EXEC_RELEASE(h->exec, h->V, h->n);
  EXEC_RELEASE(h->exec, h->r, h->n);
  EXEC_RELEASE(h->exec, h->diagonal, h->n);
  EXEC_RELEASE(h->exec, h->values, h->slots.n_value);
  EXEC_RELEASE(h->exec, h->numbers, MONODOMAIN_NUMBERS);
  monodomain_destroy(&h->m);
  slot_map_release(&h->slots);
  free(h->tensor), free(h->capacity), free(h->thickness), free(h->element_region), free(h->host), free(h->A);
  mesh_destroy(&h->mesh);
  exec_destroy(&h->exec);
}

void heart_numbers(Heart *h, const double numbers[MONODOMAIN_NUMBERS]) {
  assert_ok(exec_upload(h->exec, h->numbers, numbers, MONODOMAIN_NUMBERS * sizeof *numbers));
}
void heart_rest(Heart *h) { assert_ok(monodomain_rest(h->m, h->V)); }

void heart_upload(Heart *h, double *to, const double *from) {
  assert_ok(exec_upload(h->exec, to, from, (size_t)h->n * sizeof *from));
}
void heart_download(Heart *h, const double *from, double *to) {
  assert_ok(exec_download(h->exec, to, from, (size_t)h->n * sizeof *from));
}

void heart_potential(Heart *h, double (*value)(const double *x)) {
  for (int64_t i = 0; i < h->n; ++i) h->host[i] = value(h->mesh->x[diffusion_node(monodomain_diffusion(h->m), i)]);
  heart_upload(h, h->V, h->host);
}

void heart_multiply(const Heart *h, const double *x, double *y) {
  const Pattern *p = diffusion_pattern(monodomain_diffusion(h->m));
  for (int32_t i = 0; i < p->n; ++i) {
    y[i] = 0;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) y[i] += h->A[h->slots.slot[k]] * x[p->column[k]];
  }
}

void heart_slope(Heart *h, const double numbers[MONODOMAIN_NUMBERS], const double *d, double *out) {
  if (h->params.scheme == MONODOMAIN_NODAL) {
    heart_download(h, h->diagonal, h->host);
    for (int64_t i = 0; i < h->n; ++i) out[i] = -h->host[i] * d[i];
    return;
  }
  const size_t bytes = (size_t)h->slots.n_value * sizeof *h->A;
  assert_ok(monodomain_tangent(h->m, h->numbers, NULL, h->values));
  assert_ok(exec_download(h->exec, h->A, h->values, bytes));
  heart_multiply(h, d, h->host);
  assert_ok(
      diffusion_matrix(monodomain_diffusion(h->m), numbers[MONODOMAIN_THETA], numbers[MONODOMAIN_MASS], h->values));
  assert_ok(exec_download(h->exec, h->A, h->values, bytes));
  heart_multiply(h, d, out);
  for (int64_t i = 0; i < h->n; ++i) out[i] -= h->host[i];
}
