/* Precision inside the polynomial: what low precision costs on good meshes, and that `auto` converges wherever double
 * does. */
#include "algebra/mat_format.h"
#include "tests/solver/elastic_systems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

static LinearParams params_of(LinearInner inner, int32_t degree, double rtol) {
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  params.inner = inner;
  params.degree = degree;
  params.rtol = rtol;
  return params;
}

/* 3 % is what is allowed, rounded to whole iterations. */
static void eight_bits_cost_nothing_on_good_meshes(void **state) {
  (void)state;
  static const struct {
    const char *name;
    BoxParams box;
  } good[] = {{"hex8", {ELEMENT_HEX8, {12, 12, 12}, {1, 1, 1}, 0}},
              {"tet4", {ELEMENT_TET4, {10, 10, 10}, {1, 1, 1}, 0.1}},
              {"quad4", {ELEMENT_QUAD4, {48, 48}, {1, 1}, 0}},
              {"tri3", {ELEMENT_TRI3, {48, 48}, {1, 1}, 0}}};
  for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
    ElasticSystem s;
    elastic_system_create(exec, &(ElasticSystemParams){.box = good[k].box, .format = "sbell"}, &s);
    int64_t iterations[4] = {0};
    static const LinearInner inner[] = {LINEAR_INNER_DOUBLE, LINEAR_INNER_FLOAT, LINEAR_INNER_INT8,
                                        LINEAR_INNER_LOWEST};
    for (int i = 0; i < 4; ++i) {
      const LinearParams params = params_of(inner[i], 8, 1e-8);
      LinearReport report;
      assert_ok(elastic_system_solve(&s, &params, &report));
      iterations[i] = report.iterations;
      assert_int_equal(report.precision, i == 0 ? PRECISION_DOUBLE : i == 1 ? PRECISION_FLOAT : PRECISION_INT8);
      assert_int_equal(report.fallbacks, 0);
      assert_true(i < 3 || (report.stored_error > 1e-5 && report.stored_error < 1e-2));
    }
    print_message("%s: %lld %lld %lld %lld iterations in double, float, int8, auto\n", good[k].name,
                  (long long)iterations[0], (long long)iterations[1], (long long)iterations[2],
                  (long long)iterations[3]);
    for (int i = 2; i < 4; ++i) assert_true((double)iterations[i] <= ceil(1.03 * (double)iterations[0]));
    elastic_system_release(&s);
  }
}

static const struct {
  const char *name;
  ElasticSystemParams params;
} HARD[] = {
    {"slivers", {.box = {ELEMENT_TET4, {8, 8, 8}, {1, 1, 1}, 0}, .flatten = 0.999}},
    {"contrast 1e6", {.box = {ELEMENT_HEX8, {8, 8, 8}, {1, 1, 1}, 0}, .contrast = 1e6}},
    {"poisson 0.499", {.box = {ELEMENT_HEX8, {6, 6, 6}, {1, 1, 1}, 0.2}, .poisson = 0.499}},
    {"stretched 100:1", {.box = {ELEMENT_HEX8, {2, 2, 40}, {2, 2, 0.4}, 0}}},
    {"triangles, poisson 0.499", {.box = {ELEMENT_TRI3, {24, 24}, {1, 1}, 0.2}, .poisson = 0.499}},
};

/* Flat elements, where vectors in float cost two to four times the iterations: with 8 bits more they do not. */
static void float_vectors_are_exact_enough(void **state) {
  (void)state;
  static const struct {
    ElasticSystemParams params;
    double share[2]; /* float, int8 */
  } known[] = {{{.box = {ELEMENT_HEX8, {2, 2, 60}, {2, 2, 0.6}, 0}}, {1.1, 1.5}},
               {{.box = {ELEMENT_TRI3, {24, 24}, {1, 1}, 0.2}, .poisson = 0.499}, {1.02, 1.03}}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    if (testing_checks() && k != 1) continue;
    ElasticSystemParams p = known[k].params;
    p.format = "sbell";
    ElasticSystem s;
    elastic_system_create(exec, &p, &s);
    int64_t iterations[3];
    static const LinearInner inner[] = {LINEAR_INNER_DOUBLE, LINEAR_INNER_FLOAT, LINEAR_INNER_INT8};
    for (int i = 0; i < 3; ++i) {
      const LinearParams params = params_of(inner[i], 8, 1e-8);
      LinearReport report;
      assert_ok(elastic_system_solve(&s, &params, &report));
      iterations[i] = report.iterations;
    }
    print_message("%lld %lld %lld iterations in double, float, int8\n", (long long)iterations[0],
                  (long long)iterations[1], (long long)iterations[2]);
    for (int i = 0; i < 2; ++i)
      assert_true((double)iterations[i + 1] <= ceil(known[k].share[i] * (double)iterations[0]));
    elastic_system_release(&s);
  }
}

/* The elements as they are, high degrees, which low precision do not bear, and low ones. */
static void automatic_converges_where_double_does(void **state) {
  (void)state;
  int32_t fallbacks = 0, compared = 0;
  for (size_t k = 0; k < sizeof HARD / sizeof *HARD; ++k) {
    ElasticSystemParams p = HARD[k].params;
    p.format = "sbell";
    ElasticSystem s;
    elastic_system_create(exec, &p, &s);
    for (int32_t degree = 8; degree <= 32; degree *= 4)
      for (double rtol = 1e-8; rtol > 5e-11; rtol *= 0.01) {
        const LinearParams exact = params_of(LINEAR_INNER_DOUBLE, degree, rtol);
        const LinearParams automatic = params_of(LINEAR_INNER_LOWEST, degree, rtol);
        LinearReport in_double, report;
        if (elastic_system_solve(&s, &exact, &in_double) != OK) { /* 1e-10 can be beyond double */
          status_clear();
          continue;
        }
        compared += 1;
        assert_ok(elastic_system_solve(&s, &automatic, &report));
        assert_true(report.true_residual <= rtol);
        assert_int_equal(report.first_precision, PRECISION_INT8);
        assert_true((report.precision == PRECISION_INT8) == (report.fallbacks == 0));
        fallbacks += report.fallbacks;
        char text[LINEAR_PRECISION_TEXT];
        print_message("%s, degree %d, %.0e: %lld in double, %lld in %s, off by %.1e\n", HARD[k].name, (int)degree, rtol,
                      (long long)in_double.iterations, (long long)report.iterations,
                      linear_precision_text(&report, "auto", text), report.stored_error);
      }
    elastic_system_release(&s);
  }
  assert_true(fallbacks > 0 && compared >= 18 && status_warning_count() > 0);
  status_warnings_clear();
}

static void where_automatic_starts(void **state) {
  (void)state;
  static const struct {
    const char *format;
    ElementKind kind;
    Precision first;
  } known[] = {{"sbell", ELEMENT_HEX8, PRECISION_INT8},
               {"csr", ELEMENT_HEX8, PRECISION_FLOAT},
               {"sbell", ELEMENT_QUAD4, PRECISION_INT8},
               {"bell", ELEMENT_QUAD4, PRECISION_FLOAT}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    ElasticSystem s;
    elastic_system_create(
        exec, &(ElasticSystemParams){.box = {known[k].kind, {6, 6, 6}, {1, 1, 1}, 0}, .format = known[k].format}, &s);
    LinearParams params = params_of(LINEAR_INNER_LOWEST, 0, 1e-8);
    LinearReport report;
    assert_ok(elastic_system_solve(&s, &params, &report));
    assert_int_equal(report.first_precision, known[k].first);
    params.preconditioner = "jacobi";
    assert_ok(elastic_system_solve(&s, &params, &report));
    assert_int_equal(report.precision, PRECISION_DOUBLE);
    assert_int_equal(report.fallbacks, 0);
    elastic_system_release(&s);
  }
}

/* Nothing to see in the stored copy, but more than float vectors reach: the answer must come all the same. */
static void goes_on_from_where_it_is(void **state) {
  (void)state;
  ElasticSystem s;
  elastic_system_create(exec, &(ElasticSystemParams){.box = {ELEMENT_HEX8, {4, 4, 30}, {4, 4, 0.3}, 0}}, &s);
  LinearSolver *solver = NULL;
  LinearParams params = params_of(LINEAR_INNER_LOWEST, 8, 1e-8);
  params.bound_factor = 0.4; /* far too small: every precision breaks down until it was raised */
  LinearReport report;
  assert_ok(linear_create(exec, &params, s.a, &solver));
  assert_ok(linear_setup(solver));
  assert_ok(linear_solve(solver, s.b, s.x, &report));
  assert_true(report.true_residual <= 1e-8 && report.fallbacks > 0 && report.restarts > 0);
  assert_int_equal(report.precision > report.first_precision, 0);
  /* once given up, a precision is not tried again */
  const Precision reached = report.precision;
  assert_ok(linear_setup(solver));
  assert_ok(exec_zero(exec, s.x, (size_t)s.n * sizeof *s.x));
  assert_ok(linear_solve(solver, s.b, s.x, &report));
  assert_int_equal(report.first_precision, reached);
  linear_destroy(&solver);
  elastic_system_release(&s);
  status_warnings_clear();
}

/* So flat that no precision inside reaches 1e-10 in one go: auto goes up when the true residual stays behind, and on
 * from the residual of where it is. */
static void goes_up_when_the_true_residual_stays_behind(void **state) {
  (void)state;
  ElasticSystem s;
  elastic_system_create(exec, &(ElasticSystemParams){.box = {ELEMENT_HEX8, {2, 2, 60}, {2, 2, 0.6}, 0}}, &s);
  const LinearParams params = params_of(LINEAR_INNER_LOWEST, 8, 1e-10);
  LinearReport report;
  assert_ok(elastic_system_solve(&s, &params, &report));
  assert_true(report.true_residual <= 1e-10 && report.iterations < 1000);
  /* where sums are rounded otherwise (a GPU) low precision may just reach it */
  assert_int_equal(report.precision, report.fallbacks ? PRECISION_DOUBLE : report.first_precision);
  elastic_system_release(&s);
  status_warnings_clear();
}

static void words_of_precision(void **state) {
  (void)state;
  LinearParams params = linear_params_default();
  int n = 0;
  for (const char *const *word = linear_precision_words(); *word; ++word, ++n)
    assert_ok(linear_params_precision(&params, *word));
  assert_int_equal(n, 7);
  assert_ok(linear_params_precision(&params, "bfloat16"));
  assert_int_equal(params.inner, LINEAR_INNER_BFLOAT16);
  assert_fails(linear_params_precision(&params, "doubel"), ERR_INPUT, "did you mean 'double'?");
}

/* With diagonal blocks of the identity fewer iterations are needed than with a unit diagonal: where blocks are not
 * regular, at contrast and near incompressibility. CSR is scaled by points. */
static void blocks_save_iterations(void **state) {
  (void)state;
  static const struct {
    ElasticSystemParams params;
    double share;
  } known[] = {{{.box = {ELEMENT_TRI3, {32, 32}, {1, 1}, 0.2}}, 0.95},
               {{.box = {ELEMENT_HEX8, {8, 8, 8}, {1, 1, 1}, 0}, .contrast = 1e6}, 0.92},
               {{.box = {ELEMENT_TRI3, {16, 16}, {1, 1}, 0.2}, .poisson = 0.499}, 0.9}};
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    int64_t iterations[2][2];
    for (int format = 0; format < 2; ++format) {
      ElasticSystemParams p = known[k].params;
      p.format = format ? "sbell" : "csr";
      ElasticSystem s;
      elastic_system_create(exec, &p, &s);
      for (int jacobi = 0; jacobi < 2; ++jacobi) {
        LinearParams params = params_of(LINEAR_INNER_DOUBLE, 0, 1e-8);
        if (jacobi) params.preconditioner = format ? "block-jacobi" : "jacobi";
        LinearReport report;
        assert_ok(elastic_system_solve(&s, &params, &report));
        iterations[jacobi][format] = report.iterations;
      }
      elastic_system_release(&s);
    }
    for (int jacobi = 0; jacobi < 2; ++jacobi)
      assert_true((double)iterations[jacobi][1] <= known[k].share * (double)iterations[jacobi][0]);
    print_message("least squares %lld and %lld, Jacobi %lld and %lld by points and blocks\n",
                  (long long)iterations[0][0], (long long)iterations[0][1], (long long)iterations[1][0],
                  (long long)iterations[1][1]);
  }
}

typedef struct Solve {
  ElasticSystem *system;
  LinearParams params;
} Solve;

static Status try_solve(void *context) {
  const Solve *t = context;
  LinearReport report;
  return elastic_system_solve(t->system, &t->params, &report);
}

/* A fallback takes memory in the midst of a solve. */
static void every_allocation_failed_once(void **state) {
  (void)state;
  ElasticSystem s;
  elastic_system_create(exec, &(ElasticSystemParams){.box = {ELEMENT_TRI3, {10, 10}, {1, 1}, 0.1}}, &s);
  const LinearParams params = params_of(LINEAR_INNER_LOWEST, 64, 1e-8);
  LinearReport report;
  assert_ok(elastic_system_solve(&s, &params, &report));
  assert_true(report.fallbacks > 0);
  testing_fail_each(exec, try_solve, &(Solve){&s, params});
  elastic_system_release(&s);
  status_warnings_clear();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(eight_bits_cost_nothing_on_good_meshes),
      cmocka_unit_test(float_vectors_are_exact_enough),
      cmocka_unit_test(automatic_converges_where_double_does),
      cmocka_unit_test(where_automatic_starts),
      cmocka_unit_test(goes_on_from_where_it_is),
      cmocka_unit_test(goes_up_when_the_true_residual_stays_behind),
      cmocka_unit_test(words_of_precision),
      cmocka_unit_test(blocks_save_iterations),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return testing_run("solver/precision", tests, exec);
}
