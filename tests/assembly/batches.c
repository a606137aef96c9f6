/* Element matrices a batch at a time give the matrix and its bound that all at the same time do, to the bit. */
#include "algebra/mat.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <string.h>

static Exec *exec;

typedef struct Result {
  double *value, bound;
  int64_t n;
  int32_t n_batch;
} Result;

static void assemble(ElementKind kind, int cells, const char *format, bool in_batches, Result *out) {
  Problem p;
  Mesh *mesh = NULL;
  Mat *a = NULL;
  const BoxParams box = {.kind = kind, .n = {cells, cells, cells}, .size = {1, 1, 1}, .distort = 0.2};
  const MatParams params = {.format = format};
  assert_ok(mesh_box(&box, &mesh));
  problem_init(&p, exec, mesh, MODEL_SOLID, 1000, 0.3);
  problem_fix(&p, "x0", "0", "0", "0");
  problem_load(&p, LOAD_SPRING, "x1", "3", "5", "7");
  p.params.in_batches = in_batches;
  assert_ok(problem_create(&p));
  assert_ok(mat_create(exec, &params, elasticity_pattern(p.e), &a));
  assert_ok(elasticity_bind(p.e, mat_slots(a)));
  out->n_batch = p.e->space->n_batch;
  assert_ok(elasticity_tangent(p.e, NULL, mat_values(a)));
  assert_ok(elasticity_tangent(p.e, NULL, mat_values(a))); /* does not add to the first */
  assert_ok(elasticity_spectrum_bound(p.e, false, &out->bound));
  out->n = mat_slots(a)->n_value;
  assert_ok(mem_alloc(out->n, sizeof *out->value, "values", (void **)&out->value));
  assert_ok(exec_download(exec, out->value, mat_values(a), (size_t)out->n * sizeof *out->value));
  mat_destroy(&a);
  problem_release(&p);
}

static void same_matrix(void **state) {
  (void)state;
  static const struct {
    ElementKind kind;
    int cells;
    const char *format;
  } CASES[] = {{ELEMENT_HEX8, 25, "sbell"}, {ELEMENT_HEX8, 25, "csr"}, {ELEMENT_TET4, 21, "sell"}};
  for (size_t k = 0; k < sizeof CASES / sizeof *CASES; ++k) {
    Result whole = {0}, parts = {0};
    assemble(CASES[k].kind, CASES[k].cells, CASES[k].format, false, &whole);
    assemble(CASES[k].kind, CASES[k].cells, CASES[k].format, true, &parts);
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
