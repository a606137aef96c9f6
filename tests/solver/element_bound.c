/* The bound of the elements beside the Lanczos estimate: never below it, and where it is the smaller one the polynomial
 * takes it. */
#include "solver/time/stepper.h"
#include "tests/solver/elastic_systems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

static const ElasticSystemParams SYSTEMS[] = {
    {.box = {ELEMENT_HEX8, {8, 8, 8}, {1, 1, 1}, 0}},
    {.box = {ELEMENT_TET4, {6, 6, 6}, {1, 1, 1}, 0}, .flatten = 0.999},
    {.box = {ELEMENT_HEX8, {6, 6, 6}, {1, 1, 1}, 0.2}, .contrast = 1e6},
    {.box = {ELEMENT_HEX8, {6, 6, 6}, {1, 1, 1}, 0.2}, .poisson = 0.499},
    {.box = {ELEMENT_HEX8, {2, 2, 40}, {2, 2, 0.4}, 0}},
    {.box = {ELEMENT_TRI3, {24, 24}, {1, 1}, 0.2}, .poisson = 0.499},
};

/* Solves with the strict bound where `strict`; the estimate is multiplied by `factor`. */
static LinearReport solve(ElasticSystem *s, LinearInner inner, double factor, bool strict) {
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  params.degree = 4;
  params.inner = inner;
  params.bound_factor = factor;
  LinearSolver *solver = NULL;
  LinearReport report;
  double bound = 0;
  bool blocks;
  assert_ok(linear_create(exec, &params, s->a, &solver));
  assert_int_equal(linear_wants_bound(solver, &blocks), inner != LINEAR_INNER_INT8);
  assert_ok(elasticity_spectrum_bound(s->elasticity, blocks, &bound));
  if (strict) linear_set_bound(solver, bound);
  assert_ok(linear_setup(solver));
  assert_ok(exec_zero(exec, s->x, (size_t)s->n * sizeof *s->x));
  assert_ok(linear_solve(solver, s->b, s->x, &report));
  assert_true(!strict || report.strict_bound == bound);
  assert_true(strict || report.strict_bound == 0);
  linear_destroy(&solver);
  return report;
}

static void estimate_stays_below(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof SYSTEMS / sizeof *SYSTEMS; ++k)
    for (int format = 0; format < 2; ++format) {
      ElasticSystemParams p = SYSTEMS[k];
      p.format = format ? "sbell" : "csr";
      ElasticSystem s;
      elastic_system_create(exec, &p, &s);
      const LinearReport usual = solve(&s, LINEAR_INNER_DOUBLE, 0, true);
      print_message("%zu, %s: Lanczos %.4f, bound %.4f, elements %.4f\n", k, p.format, usual.lanczos, usual.bound,
                    usual.strict_bound);
      assert_true(usual.lanczos > 1 && usual.lanczos <= usual.strict_bound);
      assert_true(usual.bound <= 1.06 * usual.lanczos && usual.bound <= usual.strict_bound * (1 + 1e-4));
      assert_true(usual.strict_bound < 3 * usual.lanczos);
      elastic_system_release(&s);
    }
}

/* An estimate that is far too large is taken back to the strict bound, which costs fewer iterations; in low precision, where
 * the stored matrix is another one, it is not. */
static void estimate_is_capped(void **state) {
  (void)state;
  ElasticSystem s;
  elastic_system_create(exec, &(ElasticSystemParams){.box = {ELEMENT_HEX8, {8, 8, 8}, {1, 1, 1}, 0}, .format = "sbell"},
                        &s);
  static const LinearInner inner[] = {LINEAR_INNER_DOUBLE, LINEAR_INNER_FLOAT, LINEAR_INNER_INT8};
  for (int i = 0; i < 3; ++i) {
    const LinearReport plain = solve(&s, inner[i], 100, false), capped = solve(&s, inner[i], 100, true);
    print_message("%lld iterations with a bound of %.4f, %lld with %.4f\n", (long long)plain.iterations, plain.bound,
                  (long long)capped.iterations, capped.bound);
    assert_true(plain.bound > 1.2 * capped.strict_bound);
    if (inner[i] == LINEAR_INNER_INT8) {
      assert_true(capped.bound == plain.bound);
    } else {
      assert_relative(capped.bound, capped.strict_bound, 1e-4);
      assert_true(capped.iterations < plain.iterations);
    }
    assert_int_equal(capped.restarts, 0);
  }
  elastic_system_release(&s);
}

static void who_asks(void **state) {
  (void)state;
  static const struct {
    LinearParams params;
    bool wants;
  } known[] = {{{.rtol = 1e-8, .preconditioner = "jacobi"}, false},
               {{.rtol = 1e-8, .preconditioner = "ssor"}, false},
               {{.rtol = 1e-8, .preconditioner = "least-squares", .degree = 1}, false},
               {{.rtol = 1e-8, .preconditioner = "chebyshev", .degree = 2}, true},
               {{.rtol = 1e-8, .preconditioner = "neumann", .degree = 2}, true},
               {{.rtol = 1e-8, .preconditioner = "neumann", .degree = 2, .inner = LINEAR_INNER_LOWEST}, false},
               {{.rtol = 1e-8, .preconditioner = "neumann", .degree = 2, .has_values = true, .values = {1, 5}}, false}};
  ElasticSystem s;
  elastic_system_create(exec, &(ElasticSystemParams){.box = {ELEMENT_QUAD4, {12, 12}, {1, 1}, 0}, .format = "sbell"},
                        &s);
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
    LinearParams params = known[k].params;
    LinearSolver *solver = NULL;
    bool blocks;
    params.pattern = elasticity_pattern(s.elasticity);
    assert_ok(linear_create(exec, &params, s.a, &solver));
    assert_int_equal(linear_wants_bound(solver, &blocks), known[k].wants);
    assert_true(!known[k].wants || blocks);
    linear_set_bound(solver, INFINITY); /* as good as none */
    linear_destroy(&solver);
  }
  elastic_system_release(&s);
}

static Status residual(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  (void)stage, (void)slope;
  return elasticity_residual(context, u, r);
}
static Status tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)stage;
  return elasticity_tangent(context, u, mat_values(a));
}
static Status bound(void *context, const Stage *stage, bool blocks, double *out) {
  assert_non_null(stage);
  return elasticity_spectrum_bound(context, blocks, out);
}

static void newton_asks(void **state) {
  (void)state;
  ElasticSystem s;
  elastic_system_create(exec, &(ElasticSystemParams){.box = {ELEMENT_HEX8, {5, 5, 5}, {1, 1, 1}, 0}, .format = "sbell"},
                        &s);
  Problem problem = {.context = s.elasticity, .n = s.n, .linear = true, .force = residual, .tangent = tangent};
  LinearParams params = linear_params_default();
  params.preconditioner = "least-squares";
  for (int with = 0; with < 2; ++with) {
    LinearSolver *solver = NULL;
    StepReport report;
    problem.bound = with ? bound : NULL;
    assert_ok(linear_create(exec, &params, s.a, &solver));
    assert_ok(exec_zero(exec, s.x, (size_t)s.n * sizeof *s.x));
    assert_ok(stepper_solve(exec, &problem, 1e-8, s.a, solver, s.x, &report));
    assert_true(with ? report.linear.strict_bound >= report.linear.lanczos : report.linear.strict_bound == 0);
    linear_destroy(&solver);
  }
  elastic_system_release(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(estimate_stays_below), cmocka_unit_test(estimate_is_capped),
                                     cmocka_unit_test(who_asks), cmocka_unit_test(newton_asks)};
  return testing_run("solver/element_bound", tests, exec);
}
