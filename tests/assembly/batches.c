/* Element matrices a batch at a time give the matrix and its bound that all at the same time do, to the bit. */
#include "algebra/mat.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "physics/material.h"
#include "tests/assembly/problem.h"
#include "tests/physics/material_samples.h"

#include <math.h>
#include <string.h>

static Exec *exec;

typedef struct Result {
  double *value, bound;
  int64_t n;
  int32_t n_batch;
} Result;

/* rubber: neo-Hookean at finite strain, at a displacement that is not 0, whose kernels have states and failures by element. */
static void assemble(ElementKind kind, int cells, const char *format, bool in_batches, bool rubber, Result *out) {
  Problem p;
  double *u = NULL, *host = NULL;
  Mesh *mesh = NULL;
  Mat *a = NULL;
  const BoxParams box = {.kind = kind, .n = {cells, cells, cells}, .size = {1, 1, 1}, .distort = 0.2};
  const MatParams params = {.format = format};
  assert_ok(mesh_box(&box, &mesh));
  problem_init(&p, exec, mesh, MODEL_SOLID, 1000, 0.3);
  problem_fix(&p, "x0", "0", "0", "0");
  problem_load(&p, LOAD_SPRING, "x1", "3", "5", "7");
  p.params.in_batches = in_batches;
  if (rubber) {
    int material = -1;
    double value[32];
    for (int k = 0; material != material_by_name("neo-hooke"); ++k) assert_true(material_sample(k, &material, value));
    p.material[0] = (MaterialValues){.kind = material};
    for (int i = 0; i < 32; ++i) p.material[0].value[i] = value[i];
    p.params.finite = true;
  }
  assert_ok(problem_create(&p));
  assert_ok(mat_create(exec, &params, elasticity_pattern(p.e), &a));
  assert_ok(elasticity_bind(p.e, mat_slots(a)));
  out->n_batch = p.e->space->n_batch;
  const int64_t n = elasticity_dofs(p.e);
  assert_ok(exec_alloc(exec, n, sizeof *u, "displacement", (void **)&u));
  assert_ok(mem_alloc(n, sizeof *host, "displacement", (void **)&host));
  for (int64_t i = 0; i < n; ++i) host[i] = 1e-3 * sin((double)i);
  assert_ok(exec_upload(exec, u, host, (size_t)n * sizeof *u));
  assert_ok(elasticity_tangent(p.e, u, mat_values(a)));
  assert_ok(elasticity_tangent(p.e, u, mat_values(a))); /* does not add to the first */
  assert_ok(elasticity_spectrum_bound(p.e, false, &out->bound));
  out->n = mat_slots(a)->n_value;
  assert_ok(mem_alloc(out->n, sizeof *out->value, "values", (void **)&out->value));
  assert_ok(exec_download(exec, out->value, mat_values(a), (size_t)out->n * sizeof *out->value));
  EXEC_RELEASE(exec, u, n);
  FREE(host);
  mat_destroy(&a);
  problem_release(&p);
}

static void same_matrix(void **state) {
  (void)state;
  static const struct {
    ElementKind kind;
    int cells;
    const char *format;
    bool rubber;
  } CASES[] = {{ELEMENT_HEX8, 25, "sbell", false},
               {ELEMENT_HEX8, 25, "csr", false},
               {ELEMENT_TET4, 21, "sell", false},
               {ELEMENT_HEX8, 25, "sbell", true},
               {ELEMENT_TET10, 12, "csr", true}};
  for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
    Result whole = {0}, parts = {0};
    assemble(CASES[k].kind, CASES[k].cells, CASES[k].format, false, CASES[k].rubber, &whole);
    assemble(CASES[k].kind, CASES[k].cells, CASES[k].format, true, CASES[k].rubber, &parts);
    assert_true(whole.n_batch == 1 && (parts.n_batch > 2 || !exec_is_host(exec))); /* a GPU takes all this at once */
    assert_int_equal(whole.n, parts.n);
    assert_memory_equal(whole.value, parts.value, (size_t)whole.n * sizeof *whole.value);
    assert_true(whole.bound == parts.bound && whole.bound > 1);
    FREE(whole.value);
    FREE(parts.value);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_matrix)};
  return testing_run("assembly/batches", tests, exec);
}
