/* The products of smoothed aggregation by rows (amg_product_spans.h) are those by blocks (amg_product_rows.h), wherever a
 * span begins and ends. On the CPU: the GPU has those by blocks only. */
#include "algebra/graph/exec_graph.h"
#include "core/memory.h"
#include "solver/multigrid/amg_product_rows.h"
#include "solver/multigrid/rows.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <string.h>

enum { N = 230, WIDE = 37 /* nodes of an aggregate that all know */ };
static Exec *exec;

/* What the kernels read. */
typedef struct Parts {
  Problem problem;
  ExecGraph a, p, t, ap, next;
  int64_t *source;
  int32_t of[N];
  void *value;
  double *modes, *scale;
  int32_t s, m, is_float;
} Parts;

/* Sums of these are exact, in whatever order and by whatever instructions. */
static double whole(int64_t k) { return (double)(k * 7 % 13 - 6); }

static Parts parts_make(int32_t s, int32_t m, int32_t is_float) {
  Parts x = {.s = s, .m = m, .is_float = is_float};
  int32_t n_aggregate = 0;
  problem_random(N, s, 3, &x.problem);
  const BlockGraph graph = {N, N, x.problem.pattern->start, x.problem.pattern->column};
  assert_ok(exec_graph_upload(exec, &graph, "graph", &x.a));
  for (int32_t i = 0; i < N; ++i) {
    x.of[i] = i % 13 == 5 ? -1 : i < WIDE ? 0 : 1 + (i - WIDE) / 3;
    n_aggregate = x.of[i] + 1 > n_aggregate ? x.of[i] + 1 : n_aggregate;
  }
  assert_ok(exec_graph_union(exec, &(GraphUnion){.a = &x.a, .of = x.of, .n_column = n_aggregate}, true, &x.p));
  assert_ok(exec_graph_transpose(exec, &x.p, n_aggregate, &x.t, &x.source));
  assert_ok(exec_graph_union(exec, &(GraphUnion){.a = &x.a, .b = &x.p, .n_column = n_aggregate}, true, &x.ap));
  assert_ok(exec_graph_union(exec, &(GraphUnion){.a = &x.t, .b = &x.ap, .n_column = n_aggregate}, true, &x.next));
  const int64_t n = x.a.n_entry * s * s;
  x.modes = problem_host((int64_t)N * s * m);
  x.scale = problem_host((int64_t)N * s);
  for (int64_t k = 0; k < (int64_t)N * s * m; ++k) x.modes[k] = whole(k);
  for (int64_t k = 0; k < (int64_t)N * s; ++k) x.scale[k] = k % 3 ? 2 : 0.5;
  assert_ok(mem_alloc(n, is_float ? sizeof(float) : sizeof(double), "values", &x.value));
  for (int64_t k = 0; k < n; ++k) hd_store(x.value, k, whole(k + 5), is_float);
  return x;
}

static void parts_release(Parts *x) {
  EXEC_RELEASE(exec, x->source, x->p.n_entry);
  FREE(x->modes);
  FREE(x->scale);
  FREE(x->value);
  exec_graph_release(exec, &x->a);
  exec_graph_release(exec, &x->p);
  exec_graph_release(exec, &x->t);
  exec_graph_release(exec, &x->ap);
  exec_graph_release(exec, &x->next);
  problem_release(&x->problem);
}

typedef void (*Body)(const void *args, int64_t row);

/* By blocks into what `args` name, then by spans; the two are the same. */
static void compare(const RowKernel *kernel, const void *args, Body body, int64_t n, void *to, size_t size) {
  static const int64_t steps[] = {1, 7, 64, 100000};
  void *wanted = NULL, *fresh = NULL;
  double none[ROW_SUMS];
  assert_ok(mem_alloc((int64_t)size, 1, "result", &wanted));
  assert_ok(mem_alloc((int64_t)size, 1, "result", &fresh));
  memcpy(fresh, to, size);
  for (int64_t k = 0; k < n; ++k) body(args, k);
  memcpy(wanted, to, size);
  for (size_t t = 0; t < sizeof steps / sizeof *steps; ++t) {
    memcpy(to, fresh, size);
    for (int64_t k = 0; k < n; k += steps[t]) kernel->range(args, k, k + steps[t] < n ? k + steps[t] : n, none);
    assert_memory_equal(to, wanted, size);
  }
  FREE(wanted);
  FREE(fresh);
}

static void smooth(const void *args, int64_t k) { amg_smooth_body(args, k, NULL); }
static void times(const void *args, int64_t k) { amg_times_body(args, k, NULL); }
static void galerkin(const void *args, int64_t k) { amg_galerkin_body(args, k, NULL); }

static void compare_products(Parts *x) {
  const int32_t s = x->s, m = x->m;
  const int64_t n_p = x->p.n_entry * s * m, n_ap = x->ap.n_entry * s * m, n_next = x->next.n_entry * m * m;
  const size_t p_size = (size_t)n_p * (x->is_float ? sizeof(float) : sizeof(double));
  const AmgBlocks a = {exec_graph_places(&x->a), x->a.column, x->value, x->is_float};
  double *ap = problem_host(n_ap), *next = problem_host(n_next);
  void *p = NULL;
  assert_ok(mem_alloc((int64_t)p_size, 1, "prolongator", &p));
  for (int64_t k = 0; k < n_next; ++k) next[k] = 0;
  const AmgSmoothArgs smooth_args = {a,           x->of, x->modes, x->scale, NULL, x->p.start, x->p.row,
                                     x->p.column, p,     0.5,      s,        m,    x->is_float};
  compare(&amg_smooth_kernel, &smooth_args, smooth, x->p.n_entry, p, p_size);
  const AmgTimesArgs times_args = {a,  x->p.start, x->p.column, p, x->ap.start, x->ap.row, x->ap.column,
                                   ap, 0,          s,           m, x->is_float};
  compare(&amg_times_kernel, &times_args, times, x->ap.n_entry, ap, (size_t)n_ap * sizeof *ap);
  AmgGalerkinArgs product = {.t_start = x->t.start,
                             .t_column = x->t.column,
                             .t_source = x->source,
                             .p = p,
                             .ap_start = x->ap.start,
                             .ap_column = x->ap.column,
                             .ap = ap,
                             .start = x->next.start,
                             .row = x->next.row,
                             .column = x->next.column,
                             .value = next,
                             .end_row = N / 3,
                             .s = s,
                             .m = m,
                             .p_float = x->is_float};
  compare(&amg_galerkin_kernel, &product, galerkin, x->next.n_entry, next, (size_t)n_next * sizeof *next);
  assert_true(next[0] != 0 && ap[n_ap - 1] != 0);
  FREE(ap);
  FREE(next);
  FREE(p);
}

static void by_rows_as_by_blocks(void **state) {
  (void)state;
  static const int32_t sizes[][2] = {{1, 1}, {2, 3}, {3, 3}, {3, 6}, {6, 6}, {3, 4}};
  for (size_t t = 0; t < sizeof sizes / sizeof *sizes; ++t)
    for (int32_t is_float = 0; is_float < 2; ++is_float) {
      Parts x = parts_make(sizes[t][0], sizes[t][1], is_float);
      compare_products(&x);
      parts_release(&x);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_rows_as_by_blocks)};
  const Status status = exec_create_cpu(2, &exec);
  return testing_stop(&exec, status == OK ? cmocka_run_group_tests_name("solver/amg_spans", tests, NULL, NULL) : 1);
}
