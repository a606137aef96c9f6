/* The cycle on hierarchies of assembled elasticity: low precision, K-cycle, a direct solve below. Counts are of solves to a
 * true 1e-8. */
#include "core/memory.h"
#include "mesh/elements/element.h"
#include "solver/multigrid/multigrid.h"
#include "algebra/graph/sparse_direct.h"
#include "tests/solver/elastic_systems.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

typedef struct Way {
  const char *preconditioner;
  LinearInner inner;
  double rtol, bound_factor;
  double value[4]; /* of the preconditioner */
} Way;
#define AMG(inner, rtol, bound_factor, cycle, bottom)                                                                  \
  ((Way){"amg", inner, rtol, bound_factor, {0.06, cycle, 0, bottom}})
#define PMG(inner, below) ((Way){"pmg", inner, 1e-8, 0, {0, MG_V, 800, below}})
enum { BELOW_AMG, BELOW_CHOLMOD };

static ElasticSystemParams box(const char *element, int nx, int n, double length) {
  const ElementType *type = element_by_name(element);
  return (ElasticSystemParams){
      .box = {type->kind, {nx, n, type->dim == 3 ? n : 0}, {length, 1, type->dim == 3 ? 1 : 0}, 0}};
}

static Status solve_on(Exec *where, const ElasticSystemParams *p, const Way *way, LinearReport *report, double **x) {
  ElasticSystem s;
  double *motions = NULL;
  OrderTransfers lower;
  elastic_system_create(where, p, &s);
  LinearParams params = linear_params_default();
  params.preconditioner = way->preconditioner;
  params.pattern = elasticity_pattern(s.elasticity);
  params.inner = way->inner;
  params.rtol = way->rtol;
  params.bound_factor = way->bound_factor;
  params.has_values = true;
  memcpy(params.values, way->value, sizeof params.values);
  params.n_near_null = elasticity_rigid_count(s.elasticity);
  assert_ok(mem_alloc(params.n_near_null * s.n, sizeof *motions, "motions", (void **)&motions));
  assert_ok(elasticity_rigid_motions(s.elasticity, motions));
  params.near_null = motions;
  assert_ok(elasticity_order_transfers(s.elasticity, &lower));
  params.lower = lower.level;
  params.n_lower = lower.n;
  const Status status = elastic_system_solve(&s, &params, report);
  if (x) {
    assert_ok(mem_alloc(s.n, sizeof **x, "solution", (void **)x));
    assert_ok(exec_download(where, *x, s.x, (size_t)s.n * sizeof **x));
  }
  FREE(motions);
  order_transfers_release(&lower);
  elastic_system_release(&s);
  return status;
}

static int count(const ElasticSystemParams *p, LinearInner inner, double rtol, Precision *used) {
  const Way way = AMG(inner, rtol, 0, MG_V, 300);
  LinearReport report;
  assert_ok(solve_on(exec, p, &way, &report, NULL));
  assert_true(report.true_residual <= rtol);
  if (used) *used = report.precision;
  return (int)report.iterations;
}

static void low_precision(void **state) {
  (void)state;
  const struct {
    const char *name, *element;
    int n;
    double poisson, contrast, flatten;
  } cases[] = {{"hex8", "hex8", 9, 0, 0, 0},
               {"contrast 1e6", "hex8", 8, 0, 1e6, 0},
               {"poisson 0.45", "hex8", 8, 0.45, 0, 0},
               {"slivers", "tet4", 8, 0, 0, 0.999},
               {"tri3", "tri3", 40, 0, 0, 0}};
  const int n_case = testing_checks() ? 1 : (int)(sizeof cases / sizeof *cases);
  for (int k = 0; k < n_case; ++k) {
    ElasticSystemParams p = box(cases[k].element, cases[k].n, cases[k].n, 1);
    Precision half, bits;
    p.poisson = cases[k].poisson;
    p.contrast = cases[k].contrast;
    p.flatten = cases[k].flatten;
    const int full = count(&p, LINEAR_INNER_FLOAT, 1e-8, NULL), sixteen = count(&p, LINEAR_INNER_HALF, 1e-8, &half),
              eight = count(&p, LINEAR_INNER_INT8, 1e-8, &bits);
    print_message("%s: float %d, half %d, int8 %d\n", cases[k].name, full, sixteen, eight);
    assert_true(sixteen <= full + 1 && eight <= full + 1);
    assert_int_equal(half, PRECISION_HALF);
    assert_int_equal(bits, cases[k].n == 40 ? PRECISION_HALF : PRECISION_INT8); /* blocks of two take half */
  }
}

/* A bound that is too small looks to conjugate gradients like bits that are too few: float first, then a larger
 * bound. */
static void low_precision_are_given_up(void **state) {
  (void)state;
  const ElasticSystemParams p = box("hex8", 6, 6, 1);
  const Way way = AMG(LINEAR_INNER_INT8, 1e-8, 0.4, MG_V, 100);
  LinearReport report;
  status_warnings_clear();
  assert_ok(solve_on(exec, &p, &way, &report, NULL));
  assert_true(report.true_residual <= 1e-8 && report.restarts > 0);
  assert_int_equal(report.first_precision, PRECISION_INT8);
  assert_int_equal(report.precision, PRECISION_FLOAT);
  assert_true(status_warning_count() > 0);
  assert_non_null(
      strstr(status_warning(0), "precision int8 of preconditioner 'amg' is replaced by float: conjugate gradients"));
  status_warnings_clear();
}

static void same_bits_for_any_threads(void **state) {
  (void)state;
  static const int threads[] = {1, 2, 3, 7};
  const ElasticSystemParams p = box("hex8", 9, 9, 1);
  const Way way = AMG(LINEAR_INNER_INT8, 1e-8, 0, MG_K, 20);
  double *first = NULL;
  for (size_t k = 0; k < sizeof threads / sizeof *threads; ++k) {
    Exec *cpu;
    double *x = NULL;
    LinearReport report;
    assert_ok(exec_create_cpu(threads[k], &cpu));
    assert_ok(solve_on(cpu, &p, &way, &report, &x));
    exec_destroy(&cpu);
    if (!first) {
      first = x;
      continue;
    }
    assert_memory_equal(x, first, 3 * 9 * 100 * sizeof *x);
    FREE(x);
  }
  FREE(first);
}

/* Three levels and a K-cycle need no more iterations than a V-cycle, and in the same number of unknowns. */
static void k_cycle(void **state) {
  (void)state;
  ElasticSystemParams p = box("hex8", 8, 8, 1);
  int n[MG_K + 1];
  p.poisson = 0.45;
  for (int cycle = MG_V; cycle <= MG_K; ++cycle) {
    const Way way = AMG(LINEAR_INNER_FLOAT, 1e-8, 0, cycle, 10);
    LinearReport report;
    assert_ok(solve_on(exec, &p, &way, &report, NULL));
    n[cycle] = (int)report.iterations;
  }
  print_message("v %d, w %d, k %d\n", n[MG_V], n[MG_W], n[MG_K]);
  assert_true(n[MG_K] <= n[MG_V] && n[MG_W] <= n[MG_V]);
}

/* Plain aggregates take clusters for short circuits: their levels are too stiff, and two steps of conjugate gradients
 * find by how much. Laplacian of a grid. */
static void k_cycle_of_plain_aggregates(void **state) {
  (void)state;
  enum { N = 48 };
  Problem p;
  int n[MG_K + 1];
  problem_grid(N, N, 1, 1, 1, &p);
  for (int cycle = MG_V; cycle <= MG_K; ++cycle) {
    const int64_t rows = p.pattern->n;
    LinearParams params = linear_params_default();
    LinearSolver *s = NULL;
    LinearReport report;
    Mat *a = problem_mat(exec, &p, "sell");
    double *b = problem_vector(exec, rows, NULL), *x = problem_vector(exec, rows, NULL);
    params.preconditioner = "cmg";
    params.pattern = p.pattern;
    params.degree = 1;
    params.has_values = true;
    params.values[0] = cycle; /* then smoother, bottom, series */
    params.values[2] = 30;
    assert_ok(linear_create(exec, &params, a, &s));
    assert_ok(linear_setup(s));
    assert_ok(exec_zero(exec, x, (size_t)rows * sizeof *x));
    assert_ok(linear_solve(s, b, x, &report));
    assert_true(report.true_residual <= 1e-8);
    n[cycle] = (int)report.iterations;
    linear_destroy(&s);
    EXEC_RELEASE(exec, b, rows);
    EXEC_RELEASE(exec, x, rows);
    mat_destroy(&a);
  }
  print_message("cmg: v %d, w %d, k %d\n", n[MG_V], n[MG_W], n[MG_K]);
  assert_true(3 * n[MG_K] <= 2 * n[MG_V]);
  problem_release(&p);
}

static void direct_below(void **state) {
  (void)state;
  const ElasticSystemParams quadratic = box("tet10", 4, 4, 1), linear = box("hex8", 6, 6, 1);
  const Way amg = PMG(LINEAR_INNER_DOUBLE, BELOW_AMG), direct = PMG(LINEAR_INNER_DOUBLE, BELOW_CHOLMOD),
            single = PMG(LINEAR_INNER_FLOAT, BELOW_CHOLMOD);
  LinearReport report;
  status_warnings_clear();
  if (!sparse_direct_there() || !exec_is_host(exec)) {
    assert_fails(solve_on(exec, &quadratic, &direct, &report, NULL), ERR_INPUT,
                 sparse_direct_there() ? "solves on the CPU only" : "built without CHOLMOD");
    return;
  }
  assert_ok(solve_on(exec, &quadratic, &amg, &report, NULL));
  const int64_t below_amg = report.iterations;
  assert_ok(solve_on(exec, &quadratic, &direct, &report, NULL));
  assert_true(report.iterations <= below_amg && report.true_residual <= 1e-8);
  const int64_t exact = report.iterations;
  assert_ok(solve_on(exec, &quadratic, &single, &report, NULL));
  print_message("tet10: amg below %d, cholmod %d, with float vectors %d\n", (int)below_amg, (int)exact,
                (int)report.iterations);
  assert_true(report.iterations <= exact + 1);
  /* without lower orders it is the solution itself */
  assert_ok(solve_on(exec, &linear, &direct, &report, NULL));
  print_message("hex8: cholmod alone %d\n", (int)report.iterations);
  assert_true(report.iterations <= 2 && report.true_residual <= 1e-8);
  assert_non_null(strstr(status_warning(0), "is the same as 'direct'"));
  status_warnings_clear();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(low_precision),
                                     cmocka_unit_test(low_precision_are_given_up),
                                     cmocka_unit_test(k_cycle),
                                     cmocka_unit_test(k_cycle_of_plain_aggregates),
                                     cmocka_unit_test(same_bits_for_any_threads),
                                     cmocka_unit_test(direct_below)};
  return testing_run("solver/cycle", tests, exec);
}
