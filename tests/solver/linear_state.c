/* A solver that takes over the state of another goes on to the same bits: where `auto` has arrived, and bounds that
 * were raised. */
#include "tests/solver/elastic_systems.h"
#include "tests/testing.h"

#include <string.h>

static Exec *exec;

static void one(ElasticSystem *s, LinearSolver *solver, LinearReport *report, double *x) {
  assert_ok(exec_zero(exec, s->x, (size_t)s->n * sizeof *x));
  assert_ok(linear_solve(solver, s->b, s->x, report));
  assert_ok(exec_download(exec, x, s->x, (size_t)s->n * sizeof *x));
}

/* The first solver solves twice, the second begins with its state and solves once. */
static LinearState taken_over(const ElasticSystemParams *system, const LinearParams *params) {
  ElasticSystem s;
  LinearSolver *first = NULL, *second = NULL;
  LinearReport a, b;
  elastic_system_create(exec, system, &s);
  const size_t bytes = (size_t)s.n * sizeof(double);
  double *x = malloc(bytes), *y = malloc(bytes);
  assert_ok(linear_create(exec, params, s.a, &first));
  assert_ok(linear_setup(first));
  one(&s, first, &a, x);
  const LinearState state = linear_state(first);
  one(&s, first, &a, x);
  assert_ok(linear_create(exec, params, s.a, &second));
  assert_ok(linear_setup(second));
  assert_ok(linear_restore(second, &state));
  const LinearState again = linear_state(second);
  assert_int_equal(again.precision, state.precision);
  assert_int_equal(again.raised, state.raised);
  one(&s, second, &b, y);
  assert_int_equal(a.iterations, b.iterations);
  assert_true(a.bound == b.bound);
  assert_memory_equal(x, y, bytes);
  free(x);
  free(y);
  linear_destroy(&first);
  linear_destroy(&second);
  elastic_system_release(&s);
  status_warnings_clear();
  return state;
}

static void raised_bounds(void **state) {
  (void)state;
  const ElasticSystemParams box = {.box = {ELEMENT_HEX8, {5, 5, 5}, {1, 1, 1}, 0}, .format = "sbell"};
  for (int32_t degree = 4; degree < 6; ++degree) {
    LinearParams params = linear_params_default();
    params.preconditioner = "least-squares";
    params.degree = degree;
    params.bound_factor = 0.6;
    assert_true(taken_over(&box, &params).raised > 0);
  }
}

static void fallen_precision(void **state) {
  (void)state;
  const ElasticSystemParams plate = {.box = {ELEMENT_HEX8, {4, 4, 30}, {4, 4, 0.3}, 0}, .format = "sbell"};
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  params.inner = LINEAR_INNER_AUTO;
  params.bound_factor = 0.4;
  assert_true(taken_over(&plate, &params).precision != PRECISION_INT8);
}

static void nothing_to_take_over(void **state) {
  (void)state;
  const ElasticSystemParams box = {.box = {ELEMENT_QUAD4, {9, 9}, {1, 1}, 0}};
  LinearParams params = linear_params_default();
  params.preconditioner = "jacobi";
  const LinearState none = taken_over(&box, &params);
  assert_true(none.precision == -1 && none.raised == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(raised_bounds), cmocka_unit_test(fallen_precision),
                                     cmocka_unit_test(nothing_to_take_over)};
  return testing_run("solver/linear_state", tests, exec);
}
