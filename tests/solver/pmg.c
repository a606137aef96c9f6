/* p-multigrid: its lower matrix against the assembled one, symmetric and positive, new values, the same bits for any
 * number of threads, supports that are not along the axes, no lower order, wrong parameters, failures. Counts are
 * pmg_counts.c. */
#include "solver/multigrid/pmg.h"
#include "core/memory.h"
#include "solver/krylov/linear.h"
#include "tests/solver/elastic_systems.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

/* A preconditioner with what it hangs on. */
typedef struct Setting {
  ElasticSystem s;
  OrderTransfers lower;
  double *motions;
  Krylov *k;
  Precond *m;
  int64_t n;
  double value[PMG_N_PARAM];
  int32_t degree;
} Setting;

static void bare(const char *kind, int n, const char *format, double smoother, double bottom, Setting *s) {
  const ElementType *type = element_by_name(kind);
  const bool solid = type->dim == 3;
  const ElasticSystemParams params = {.box = {type->kind, {n, n, solid ? n : 0}, {1, 1, solid ? 1 : 0}, 0},
                                      .format = format};
  *s = (Setting){.value = {smoother, 1, bottom}};
  elastic_system_create(exec, &params, &s->s);
  s->n = s->s.n;
  assert_ok(elasticity_order_transfers(s->s.elasticity, &s->lower));
  assert_ok(mem_alloc(elasticity_rigid_count(s->s.elasticity) * s->n, sizeof(double), "motions", (void **)&s->motions));
  assert_ok(elasticity_rigid_motions(s->s.elasticity, s->motions));
  const Krylov fresh = {.from_unit = 1};
  assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&s->k));
}

static Status try_create(Setting *s, Precision precision) {
  const PrecondParams params = {.name = "pmg",
                                .value = s->value,
                                .storage = precision,
                                .degree = s->degree,
                                .pattern = elasticity_pattern(s->s.elasticity),
                                .near_null = s->motions,
                                .n_near_null = elasticity_rigid_count(s->s.elasticity),
                                .lower = s->lower.level,
                                .n_lower = s->lower.n};
  return precond_create(s->s.a, &params, s->k, &s->m);
}

static void begin(Setting *s, Precision precision) {
  assert_ok(try_create(s, precision));
  assert_ok(problem_precond_set_up(s->m));
}

static void end(Setting *s) {
  precond_destroy(&s->m);
  EXEC_RELEASE(exec, s->k, 1);
  FREE(s->motions);
  order_transfers_release(&s->lower);
  elastic_system_release(&s->s);
}

/* The node of a mesh where node j of lower order lies. */
static int32_t find_node(const Mesh *mesh, const Mesh *linear, const NodeMap *down, int32_t j) {
  double x[3] = {0};
  for (int64_t k = down->start[j]; k < down->start[j + 1]; ++k)
    for (int d = 0; d < 3; ++d) x[d] += down->value[k] * mesh->x[down->column[k]][d];
  for (int32_t i = 0; i < linear->n_node; ++i)
    if (fabs(linear->x[i][0] - x[0]) + fabs(linear->x[i][1] - x[1]) + fabs(linear->x[i][2] - x[2]) < 1e-9) return i;
  fail_msg("no node of lower order at (%g, %g, %g)", x[0], x[1], x[2]);
  return -1;
}

/* On affine elements P^T A P is what assembling the lower elements gives, supports too. */
static void lower_matrix_is_the_assembled_one(void **state) {
  (void)state;
  for (int t = 0; t < N_ELEMENT_KINDS; ++t) {
    const ElementType *type = element_type((ElementKind)t);
    if (type->dim < 2 || type->order < 2) continue;
    const ElementType *lower = type->order > 2 ? element_quadratic(type->linear, false) : element_type(type->linear);
    const int n = type->dim == 2 ? 3 : 2;
    Setting s, linear;
    bare(type->name, n, NULL, 0, 10, &s);
    bare(lower->name, n, NULL, 0, 10, &linear);
    begin(&s, PRECISION_DOUBLE);
    const Pmg *p = s.m->own;
    const int32_t B = p->B, rows = s.lower.level[0].down.n_row;
    assert_int_equal(mat_rows(p->coarse), linear.n);
    assert_int_equal(mat_entries(p->coarse), mat_entries(linear.s.a));
    double *got = problem_dense(exec, p->coarse), *wanted = problem_dense(exec, linear.s.a), largest = 0;
    int32_t *at = NULL;
    assert_ok(mem_alloc(rows, sizeof *at, "nodes", (void **)&at));
    for (int32_t j = 0; j < rows; ++j) at[j] = find_node(s.s.mesh, linear.s.mesh, &s.lower.level[0].down, j);
    for (int64_t k = 0; k < linear.n * linear.n; ++k) largest = fmax(largest, fabs(wanted[k]));
    for (int64_t i = 0; i < linear.n; ++i)
      for (int64_t j = 0; j < linear.n; ++j) {
        const double w = wanted[(at[i / B] * B + i % B) * linear.n + at[j / B] * B + j % B];
        assert_true(fabs(got[i * linear.n + j] - w) <= 1e-12 * largest);
      }
    FREE(at);
    FREE(got);
    FREE(wanted);
    end(&s);
    end(&linear);
  }
}

static void symmetric_and_positive(void **state) {
  (void)state;
  const struct {
    const char *kind, *format;
    int n;
    double smoother, bottom;
    int32_t degree;
  } cases[] = {{"tet10", NULL, 2, 0, 10, 2},
               {"tri6", "csr", 4, 1, 10, 1},
               {"quad8", "sell", 4, 0, 800, 3},
               {"hex20", NULL, 2, 1, 10, 8}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    Setting s;
    bare(cases[k].kind, cases[k].n, cases[k].format, cases[k].smoother, cases[k].bottom, &s);
    s.degree = cases[k].degree;
    begin(&s, PRECISION_DOUBLE);
    problem_precond_symmetric(s.m, s.k, 1e-12);
    end(&s);
  }
}

/* New values go through the structure that is there, and give the same as a new preconditioner. */
static void values_change(void **state) {
  (void)state;
  Setting s, fresh;
  bare("tet10", 3, "sell", 0, 50, &s);
  begin(&s, PRECISION_DOUBLE);
  bare("tet10", 3, "sell", 0, 50, &fresh);
  const int64_t n = mat_slots(s.s.a)->n_value;
  double *value = problem_host(n), *r = problem_host(s.n), *z = problem_host(s.n), *again = problem_host(s.n);
  assert_ok(exec_download(exec, value, mat_values(s.s.a), (size_t)n * sizeof *value));
  for (int64_t k = 0; k < n; ++k) value[k] *= 3;
  assert_ok(exec_upload(exec, mat_values(s.s.a), value, (size_t)n * sizeof *value));
  assert_ok(exec_upload(exec, mat_values(fresh.s.a), value, (size_t)n * sizeof *value));
  assert_ok(problem_precond_set_up(s.m));
  begin(&fresh, PRECISION_DOUBLE);
  for (int64_t i = 0; i < s.n; ++i) r[i] = problem_number(i);
  problem_precond(s.m, s.k, 1e-12, r, z);
  problem_precond(fresh.m, fresh.k, 1e-12, r, again);
  assert_memory_equal(z, again, (size_t)s.n * sizeof *z);
  FREE(value);
  FREE(r);
  FREE(z);
  FREE(again);
  end(&s);
  end(&fresh);
}

static void same_bits_for_any_thread_count(void **state) {
  (void)state;
  if (!exec_is_host(exec)) return;
  Exec *shared = exec;
  double *first = NULL, *x = NULL, *z = NULL;
  const int threads[] = {1, 2, 3, 7};
  for (int t = 0; t < 4; ++t) {
    Setting s;
    assert_ok(exec_create_cpu(threads[t], &exec));
    bare("hex20", 6, NULL, 0, 100, &s);
    if (t == 0) {
      first = problem_host(s.n);
      x = problem_host(s.n);
      z = problem_host(s.n);
      for (int64_t i = 0; i < s.n; ++i) x[i] = problem_number(i);
    }
    begin(&s, PRECISION_DOUBLE);
    problem_precond(s.m, s.k, 1e-12, x, z);
    if (t == 0) memcpy(first, z, (size_t)s.n * sizeof *z);
    assert_memory_equal(first, z, (size_t)s.n * sizeof *z);
    end(&s);
    exec_destroy(&exec);
  }
  exec = shared;
  FREE(first);
  FREE(x);
  FREE(z);
}

static void nothing_happens_after_a_stop(void **state) {
  (void)state;
  Setting s;
  bare("tri6", 8, NULL, 0, 10, &s);
  begin(&s, PRECISION_DOUBLE);
  problem_precond_stopped(s.m, s.k, 1e-12);
  end(&s);
}

/* Bounds that are too small are noticed and raised on all levels. */
static void bound_too_small_is_noticed(void **state) {
  (void)state;
  Setting s;
  bare("tet10", 3, NULL, 0, 50, &s);
  LinearParams params = linear_params_default();
  LinearReport report;
  params.preconditioner = "pmg";
  params.pattern = elasticity_pattern(s.s.elasticity);
  params.lower = s.lower.level;
  params.n_lower = s.lower.n;
  params.near_null = s.motions;
  params.n_near_null = elasticity_rigid_count(s.s.elasticity);
  params.bound_factor = 0.5;
  assert_ok(elastic_system_solve(&s.s, &params, &report));
  assert_true(report.restarts > 0 && report.true_residual <= 1e-8);
  status_clear();
  end(&s);
}

/* Linear elements: what is left is amg, told in a warning, with the same answer. */
static void no_lower_order(void **state) {
  (void)state;
  Setting s;
  bare("tet4", 6, NULL, 0, 100, &s);
  assert_int_equal(s.lower.n, 0);
  s.degree = 2;
  begin(&s, PRECISION_DOUBLE);
  assert_null(((const Pmg *)s.m->own)->coarse);
  double *r = problem_host(s.n), *z = problem_host(s.n), *amg = problem_host(s.n);
  for (int64_t i = 0; i < s.n; ++i) r[i] = problem_number(i);
  problem_precond(s.m, s.k, 1e-12, r, z);
  precond_destroy(&s.m);
  const PrecondParams params = {.name = "amg",
                                .degree = 3,
                                .pattern = elasticity_pattern(s.s.elasticity),
                                .near_null = s.motions,
                                .n_near_null = 6,
                                .value = (double[]){0.06, 1, 0, 100}};
  assert_ok(precond_create(s.s.a, &params, s.k, &s.m));
  assert_ok(problem_precond_set_up(s.m));
  problem_precond(s.m, s.k, 1e-12, r, amg);
  assert_memory_equal(z, amg, (size_t)s.n * sizeof *z);
  FREE(r);
  FREE(z);
  FREE(amg);
  end(&s);
}

static void wrong_parameters(void **state) {
  (void)state;
  const struct {
    int which;
    double value;
    const char *says;
  } cases[] = {{PMG_SMOOTHER, 2, "smoother is 2"},
               {PMG_SMOOTHER, 0.5, "smoother is 0.5, must be one of: chebyshev4, jacobi"},
               {PMG_CYCLE, 4, "cycle is 4, must be one of: v, w, k"},
               {PMG_BOTTOM, 0, "bottom is 0"},
               {PMG_BOTTOM, NAN, "bottom is"}};
  Setting s, other;
  bare("tri6", 3, NULL, 0, 50, &s);
  bare("tri6", 4, NULL, 0, 50, &other);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    const double right = s.value[cases[k].which];
    s.value[cases[k].which] = cases[k].value;
    assert_fails(try_create(&s, PRECISION_DOUBLE), ERR_INPUT, cases[k].says);
    assert_null(s.m);
    s.value[cases[k].which] = right;
  }
  s.degree = 9;
  assert_fails(try_create(&s, PRECISION_DOUBLE), ERR_INPUT, "degree of preconditioner 'pmg' is 9, must lie in [1, 8]");
  s.degree = 0;
  const OrderTransfers mine = s.lower;
  s.lower = other.lower;
  assert_fails(try_create(&s, PRECISION_DOUBLE), ERR_BUG, "is for 81 nodes");
  s.lower = mine;
  assert_fails(precond_create(s.s.a, &(PrecondParams){.name = "pmg"}, s.k, &s.m), ERR_BUG, "graph of the matrix");
  const PrecondParams wrong = {.name = "pmg", .pattern = elasticity_pattern(other.s.elasticity)};
  assert_fails(precond_create(s.s.a, &wrong, s.k, &s.m), ERR_BUG, "not that of the matrix");
  end(&s);
  end(&other);
}

static Precision attempted;
static Status attempt(void *context) {
  Setting *s = context;
  Status status = try_create(s, attempted);
  if (status == OK) status = problem_precond_set_up(s->m);
  precond_destroy(&s->m);
  return status;
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  for (int precision = PRECISION_DOUBLE; precision <= PRECISION_FLOAT; ++precision) {
    Setting s;
    bare("tri6", 4, NULL, 0, 20, &s);
    attempted = (Precision)precision;
    assert_ok(attempt(&s)); /* what the pattern and the matrix keep is there */
    assert_true(testing_fail_each(exec, attempt, &s) > 80);
    end(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lower_matrix_is_the_assembled_one),
      cmocka_unit_test(symmetric_and_positive),
      cmocka_unit_test(values_change),
      cmocka_unit_test(same_bits_for_any_thread_count),
      cmocka_unit_test(nothing_happens_after_a_stop),
      cmocka_unit_test(bound_too_small_is_noticed),
      cmocka_unit_test(no_lower_order),
      cmocka_unit_test(wrong_parameters),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return testing_run("solver/pmg", tests, exec);
}
