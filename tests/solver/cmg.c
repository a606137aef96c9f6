/* Combinatorial multigrid: clusters and quotients, symmetric and positive, iterations that hardly grow, stars, paths,
 * trees, parts, grounds, the same bits for any number of threads, wrong input, failures. */
#include "core/memory.h"
#include "solver/multigrid/cmg.h"
#include "solver/krylov/linear.h"
#include "solver/precond/precond.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

typedef struct Edge {
  int32_t i, j;
  double weight;
} Edge;

/* The Laplacian of some edges with `ground` added to the diagonal of nodes for which held() is true. */
static void from_edges(int32_t n, const Edge *edge, int64_t n_edge, const double *ground, Problem *out) {
  Pattern *p = NULL;
  int64_t *at = NULL;
  assert_ok(mem_alloc(1, sizeof *p, "pattern", (void **)&p));
  *p = (Pattern){.n = n, .block = 1};
  assert_ok(mem_alloc(n + 1, sizeof *p->start, "starts", (void **)&p->start));
  assert_ok(mem_alloc(n, sizeof *at, "places", (void **)&at));
  for (int32_t i = 0; i < n; ++i) p->start[i + 1] = 1;
  for (int64_t e = 0; e < n_edge; ++e) ++p->start[edge[e].i + 1], ++p->start[edge[e].j + 1];
  for (int32_t i = 0; i < n; ++i) p->start[i + 1] += p->start[i];
  out->pattern = p;
  assert_ok(mem_alloc(p->start[n], sizeof *p->column, "columns", (void **)&p->column));
  assert_ok(mem_alloc(p->start[n], sizeof *out->value, "values", (void **)&out->value));
  for (int32_t i = 0; i < n; ++i) {
    at[i] = p->start[i];
    p->column[at[i]] = i;
    out->value[at[i]++] = ground[i];
  }
  for (int64_t e = 0; e < n_edge; ++e)
    for (int side = 0; side < 2; ++side) {
      const int32_t i = side ? edge[e].j : edge[e].i, j = side ? edge[e].i : edge[e].j;
      p->column[at[i]] = j;
      out->value[at[i]++] = -edge[e].weight;
      out->value[p->start[i]] += edge[e].weight;
    }
  for (int32_t i = 0; i < n; ++i) /* columns ascending */
    for (int64_t k = p->start[i] + 1; k < p->start[i + 1]; ++k)
      for (int64_t m = k; m > p->start[i] && p->column[m - 1] > p->column[m]; --m) {
        const int32_t c = p->column[m];
        const double v = out->value[m];
        p->column[m] = p->column[m - 1], out->value[m] = out->value[m - 1];
        p->column[m - 1] = c, out->value[m - 1] = v;
      }
  FREE(at);
}

/* 5 or 7 point grid; weights jump by `jump` between bricks of 5 nodes; one face is tied to the ground. */
static void jumping_grid(int nx, int ny, int nz, double jump, Problem *out) {
  const int32_t n = nx * ny * nz;
  Edge *edge = NULL;
  double *ground = NULL;
  int64_t n_edge = 0;
  assert_ok(mem_alloc(3 * (int64_t)n, sizeof *edge, "edges", (void **)&edge));
  assert_ok(mem_alloc(n, sizeof *ground, "ground", (void **)&ground));
  const int step[3] = {1, nx, nx * ny}, size[3] = {nx, ny, nz};
  for (int32_t i = 0; i < n; ++i) {
    const int x[3] = {i % nx, i / nx % ny, i / nx / ny};
    const double w = (x[0] / 5 + x[1] / 5 + x[2] / 5) % 2 ? jump : 1;
    for (int d = 0; d < 3; ++d)
      if (x[d] + 1 < size[d]) edge[n_edge++] = (Edge){i, i + step[d], w};
    if (x[0] == 0) ground[i] = 1;
  }
  from_edges(n, edge, n_edge, ground, out);
  FREE(edge);
  FREE(ground);
}

static LinearParams with_cmg(const Problem *p, bool mixed) {
  LinearParams params = linear_params_default();
  params.preconditioner = "cmg";
  params.mixed = mixed;
  params.pattern = p->pattern;
  return params;
}

static Status try_solve(const Problem *p, const LinearParams *params, const double *b_host, LinearReport *report) {
  Mat *a = problem_mat(exec, p, "sell");
  const int64_t n = mat_rows(a);
  double *b = problem_vector(exec, n, b_host), *x = problem_vector(exec, n, NULL);
  LinearSolver *s = NULL;
  *report = (LinearReport){0};
  assert_ok(exec_zero(exec, x, (size_t)n * sizeof *x));
  Status status = linear_create(exec, params, a, &s);
  if (status == OK) status = linear_setup(s);
  if (status == OK) status = linear_solve(s, b, x, report);
  linear_destroy(&s);
  EXEC_RELEASE(exec, b, n);
  EXEC_RELEASE(exec, x, n);
  mat_destroy(&a);
  return status;
}

/* The recursion of the thesis. */
static void as_published(LinearParams *params) {
  params->degree = 1;
  params->has_values = true;
  params->values[0] = 0;
  params->values[1] = 1;
  params->values[2] = 200;
  params->values[3] = 0;
}

static int64_t iterations_of(const Problem *p, bool mixed) {
  const LinearParams params = with_cmg(p, mixed);
  LinearReport report;
  assert_ok(try_solve(p, &params, NULL, &report));
  assert_true(report.true_residual <= 1e-8);
  /* what a cycle solves all but exactly may need its residual replaced: the star, without optimisation */
  assert_true(report.restarts <= (report.iterations <= 3));
  return report.iterations;
}

static void iterations_hardly_grow(void **state) {
  (void)state;
  static const int size[2][3][3] = {{{32, 32, 1}, {64, 64, 1}, {128, 128, 1}},
                                    {{10, 10, 10}, {16, 16, 16}, {25, 25, 25}}};
  for (int d = 0; d < 2; ++d)
    for (int j = 0; j < 3; ++j) {
      int64_t count[3], published = 0;
      for (int k = 0; k < 3; ++k) {
        Problem p;
        jumping_grid(size[d][k][0], size[d][k][1], size[d][k][2], pow(1000, j), &p);
        count[k] = iterations_of(&p, k % 2);
        if (k == 2) {
          LinearParams params = with_cmg(&p, true);
          LinearReport report;
          as_published(&params);
          assert_ok(try_solve(&p, &params, NULL, &report));
          published = report.iterations;
        }
        problem_release(&p);
      }
      print_message("%dD, jump %g: %lld %lld %lld iterations, as published %lld\n", d + 2, pow(1000, j),
                    (long long)count[0], (long long)count[1], (long long)count[2], (long long)published);
      assert_true(count[2] <= 32 && count[2] <= 2 * count[0] && published <= 45);
    }
}

/* n nodes: 0 star, 1 path, 2 binary tree, 3 two paths of which one is held. */
static void tree(int kind, int32_t n, Problem *out) {
  Edge *edge = NULL;
  double *ground = NULL;
  int64_t n_edge = 0;
  assert_ok(mem_alloc(n, sizeof *edge, "edges", (void **)&edge));
  assert_ok(mem_alloc(n, sizeof *ground, "ground", (void **)&ground));
  for (int32_t i = 1; i < n; ++i)
    if (kind < 3 || i != n / 2)
      edge[n_edge++] = (Edge){kind == 0 ? 0 : kind == 2 ? (i - 1) / 2 : i - 1, i, 1.5 + problem_number(i)};
  ground[0] = 0.01;
  if (kind == 3) ground[n - 1] = 3;
  from_edges(n, edge, n_edge, ground, out);
  FREE(edge);
  FREE(ground);
}

static void trees_and_parts(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; ++kind)
    for (int small = 0; small < 2; ++small) {
      Problem p;
      tree(kind, small ? 150 : 3000, &p);
      const int64_t count = iterations_of(&p, false);
      print_message("tree %d of %d: %lld iterations\n", kind, p.pattern->n, (long long)count);
      assert_true(count <= (small ? 2 : 60)); /* small: solved directly */
      problem_release(&p);
    }
}

/* Rows that are all tied to the ground, as with a short time step, and a free one whose load balances. */
static void ground_everywhere_and_nowhere(void **state) {
  (void)state;
  Problem p;
  jumping_grid(40, 40, 1, 1, &p);
  for (int32_t i = 0; i < p.pattern->n; ++i) *problem_entry(&p, i, i, 0, 0) += 5;
  assert_true(iterations_of(&p, false) <= 15);
  problem_release(&p);

  double *b = NULL;
  jumping_grid(40, 40, 1, 10, &p);
  for (int32_t i = 0; i < p.pattern->n; i += 40) *problem_entry(&p, i, i, 0, 0) -= 1;
  assert_ok(mem_alloc(p.pattern->n, sizeof *b, "load", (void **)&b));
  b[0] = 1;
  b[1599] = -1;
  const LinearParams params = with_cmg(&p, false);
  LinearReport report;
  assert_ok(try_solve(&p, &params, b, &report));
  assert_true(report.iterations <= 40 && report.true_residual <= 1e-8);
  FREE(b);
  problem_release(&p);
}

static CmgGraph graph_of(const Problem *p) {
  CmgGraph g = {0};
  int64_t *place = NULL;
  assert_ok(mem_alloc(p->pattern->start[p->pattern->n], sizeof *place, "places", (void **)&place));
  for (int64_t k = 0; k < p->pattern->start[p->pattern->n]; ++k) place[k] = k;
  assert_ok(cmg_graph_create(p->pattern->n, p->pattern->start, p->pattern->column, p->value, place, &g));
  FREE(place);
  return g;
}

/* A path of 9 nodes in clusters of 3 around their middle: two edges inside and one between make a third of its weight,
 * and of the ground at the end half is left. Without `inner` the weights stay. */
static void resistances_in_series(void **state) {
  (void)state;
  Edge edge[8];
  double ground[9] = {0}, inner[9];
  int32_t of[9], member[9];
  int64_t first[4] = {0, 3, 6, 9};
  const CmgClusters clusters = {3, 9, of, inner, first, member};
  Problem p;
  CmgGraph q = {0};
  for (int32_t i = 0; i < 9; ++i) of[i] = i / 3, inner[i] = i % 3 == 1 ? 0 : 0.5, member[i] = i;
  for (int32_t i = 0; i < 8; ++i) edge[i] = (Edge){i, i + 1, 2};
  ground[8] = 2;
  from_edges(9, edge, 8, ground, &p);
  CmgGraph g = graph_of(&p);
  for (int with = 0; with < 2; ++with) {
    assert_ok(cmg_graph_quotient(&g, &clusters, with, &q));
    assert_int_equal(q.n, 3);
    const double w = with ? 2.0 / 3 : 2, end = with ? 1 : 2, diagonal[3] = {w, 2 * w, w + end};
    for (int32_t i = 0; i < 3; ++i) {
      assert_true(fabs(q.ground[i] - (i == 2 ? end : 0)) < 1e-15 && fabs(q.diagonal[i] - diagonal[i]) < 1e-15);
      for (int64_t k = q.start[i]; k < q.start[i + 1]; ++k) assert_true(fabs(q.weight[k] - w) < 1e-15);
    }
    assert_int_equal(q.start[3], 4);
    cmg_graph_release(&q);
  }
  cmg_graph_release(&g);
  problem_release(&p);
}

/* x^T (R A R^T) x = (R^T x)^T A (R^T x) on numbers x, every cluster is connected, and there are few enough. */
static void quotient_is_galerkin(void **state) {
  (void)state;
  for (int j = 0; j < 3; ++j) {
    Problem p;
    jumping_grid(30, 20, j == 1 ? 6 : 1, pow(1000, j), &p);
    CmgGraph g = graph_of(&p), q = {0};
    CmgClusters c = {0};
    assert_ok(cmg_clusters_create(&g, &c));
    assert_true(c.n > 1 && c.n * 5 < g.n * 2);
    for (int32_t i = 0; i < g.n; ++i) assert_true(c.inner[i] >= 0 && c.inner[i] < 10);
    for (int32_t k = 0; k < c.n; ++k)
      for (int64_t m = c.first[k]; m < c.first[k + 1]; ++m)
        assert_true(c.of[c.member[m]] == k && (m == c.first[k] || c.member[m] > c.member[m - 1]));
    assert_ok(cmg_graph_quotient(&g, &c, 0, &q));
    double fine = 0, coarse = 0;
    for (int32_t i = 0; i < g.n; ++i) {
      const double x = c.of[i] < 0 ? 0 : problem_number(c.of[i]);
      fine += g.ground[i] * x * x;
      for (int64_t k = g.start[i]; k < g.start[i + 1]; ++k) {
        const double y = c.of[g.column[k]] < 0 ? 0 : problem_number(c.of[g.column[k]]);
        fine += 0.5 * g.weight[k] * (x - y) * (x - y);
      }
    }
    for (int32_t i = 0; i < q.n; ++i) {
      coarse += q.diagonal[i] * problem_number(i) * problem_number(i);
      for (int64_t k = q.start[i]; k < q.start[i + 1]; ++k) {
        coarse -= q.weight[k] * problem_number(i) * problem_number(q.column[k]);
        assert_true(q.column[k] != i && (k == q.start[i] || q.column[k] > q.column[k - 1]) && q.weight[k] > 0);
      }
    }
    assert_true(fabs(fine - coarse) <= 1e-12 * fine);
    cmg_clusters_release(&c);
    cmg_graph_release(&g);
    cmg_graph_release(&q);
    problem_release(&p);
  }
}

/* Applies B to `from` in double with these parameters; NULL: the defaults. */
static void apply(const Problem *p, const double *value, int32_t degree, int64_t n_from, const double *from,
                  double *to) {
  Mat *a = problem_mat(exec, p, "csr");
  const int64_t n = mat_rows(a);
  Krylov *k = NULL;
  Precond *m = NULL;
  const Krylov fresh = {.from_unit = 1};
  double *work = problem_vector(exec, n, NULL), mean;
  int64_t n_bad;
  assert_ok(exec_alloc_upload(exec, 1, sizeof fresh, &fresh, "scalars", (void **)&k));
  assert_ok(precond_create(a, &(PrecondParams){.name = "cmg", .value = value, .degree = degree, .pattern = p->pattern},
                           k, &m));
  for (int twice = 0; twice < 2; ++twice) assert_ok(precond_setup(m, work, &n_bad, &mean));
  for (int64_t c = 0; c < n_from; ++c) {
    assert_ok(exec_upload(exec, m->residual, from + c * n, (size_t)n * sizeof *from));
    assert_ok(m->type->record(m));
    assert_ok(exec_download(exec, to + c * n, m->result, (size_t)n * sizeof *to));
  }
  precond_destroy(&m);
  EXEC_RELEASE(exec, work, n);
  EXEC_RELEASE(exec, k, 1);
  mat_destroy(&a);
}

static void symmetric_and_positive(void **state) {
  (void)state;
  for (int cycle = 0; cycle < 3; ++cycle)
    for (int j = 0; j < 2; ++j) {
      Problem p;
      jumping_grid(12, 11, 1, pow(1e4, j), &p);
      const int64_t n = p.pattern->n;
      const double value[4] = {cycle, cycle == 0, 5, 1}; /* 0: as published */
      double *e = NULL, *b = NULL, largest = 0, worst = 0;
      assert_ok(mem_alloc(n * n, sizeof *e, "identity", (void **)&e));
      assert_ok(mem_alloc(n * n, sizeof *b, "matrix", (void **)&b));
      for (int64_t i = 0; i < n; ++i) e[i * n + i] = 1;
      apply(&p, value, 1 + cycle, n, e, b);
      for (int64_t i = 0; i < n * n; ++i) largest = fmax(largest, fabs(b[i]));
      for (int64_t i = 0; i < n; ++i)
        for (int64_t c = 0; c < i; ++c) worst = fmax(worst, fabs(b[i * n + c] - b[c * n + i]) / largest);
      print_message("cycle %d, jump %g: unsymmetric by %.1e\n", cycle, pow(1e4, j), worst);
      assert_true(worst <= (j ? 1e-10 : 1e-12)); /* rounding, times the contrast */
      for (int64_t c = 0; c < n; ++c)            /* Cholesky */
        for (int64_t i = c; i < n; ++i) {
          double t = b[i * n + c];
          for (int64_t m = 0; m < c; ++m) t -= b[i * n + m] * b[c * n + m];
          if (i == c) assert_true(t > 0);
          b[i * n + c] = i == c ? sqrt(t) : t / b[c * n + c];
        }
      FREE(e);
      FREE(b);
      problem_release(&p);
    }
}

static void same_bits_for_any_thread_count(void **state) {
  (void)state;
  if (!exec_is_host(exec)) return;
  Problem p;
  jumping_grid(90, 80, 1, 7, &p);
  const int64_t n = p.pattern->n;
  double *x = NULL, *first = NULL, *z = NULL;
  assert_ok(mem_alloc(n, sizeof *x, "vector", (void **)&x));
  assert_ok(mem_alloc(n, sizeof *x, "vector", (void **)&first));
  assert_ok(mem_alloc(n, sizeof *x, "vector", (void **)&z));
  for (int64_t i = 0; i < n; ++i) x[i] = problem_number(i);
  Exec *shared = exec;
  const int threads[] = {1, 2, 3, 7};
  for (int t = 0; t < 4; ++t) {
    assert_ok(exec_create_cpu(threads[t], &exec));
    apply(&p, NULL, 0, 1, x, t ? z : first);
    if (t) assert_memory_equal(first, z, (size_t)n * sizeof *z);
    exec_destroy(&exec);
  }
  exec = shared;
  FREE(x);
  FREE(first);
  FREE(z);
  problem_release(&p);
}

static void wrong_matrices(void **state) {
  (void)state;
  Problem p;
  LinearReport report;
  problem_grid(4, 4, 4, 3, 1, &p);
  LinearParams params = with_cmg(&p, true);
  assert_fails(try_solve(&p, &params, NULL, &report), ERR_INPUT, "one unknown per node");
  problem_release(&p);

  jumping_grid(20, 20, 1, 1, &p);
  for (int32_t i = 0; i < 40; ++i) *problem_entry(&p, i * 10, i * 10, 0, 0) *= 0.9;
  params = with_cmg(&p, true);
  assert_fails(try_solve(&p, &params, NULL, &report), ERR_INPUT, "rows (");
  assert_non_null(strstr(status_message(), "use preconditioner 'amg'"));
  params.pattern = NULL;
  assert_fails(try_solve(&p, &params, NULL, &report), ERR_BUG, "graph of the matrix");
  problem_release(&p);

  /* positive couplings are lumped, and cost little where they are small */
  jumping_grid(40, 40, 1, 1, &p);
  const int64_t before = iterations_of(&p, true);
  for (int32_t i = 0; i + 41 < 1600; i += 3) {
    const double w = 0.2;
    if (i % 40 == 39) continue;
    *problem_entry(&p, i, i, 0, 0) -= w, *problem_entry(&p, i + 1, i + 1, 0, 0) -= w;
    *problem_entry(&p, i, i + 1, 0, 0) += w, *problem_entry(&p, i + 1, i, 0, 0) += w;
  }
  assert_true(iterations_of(&p, true) <= before + 10);
  problem_release(&p);
}

typedef struct Solver {
  const LinearParams *params;
  Mat *a;
} Solver;

static Status try_solver(void *context) {
  const Solver *t = context;
  LinearSolver *s = NULL;
  Status status = linear_create(exec, t->params, t->a, &s);
  if (status == OK) status = linear_setup(s);
  linear_destroy(&s);
  return status;
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Problem p;
  jumping_grid(24, 20, 1, 10, &p);
  for (int mixed = 0; mixed < 2; ++mixed) {
    const LinearParams params = with_cmg(&p, mixed);
    Mat *a = problem_mat(exec, &p, NULL);
    assert_true(testing_fail_each(exec, try_solver, &(Solver){&params, a}) > 50);
    mat_destroy(&a);
  }
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quotient_is_galerkin),
      cmocka_unit_test(resistances_in_series),
      cmocka_unit_test(symmetric_and_positive),
      cmocka_unit_test(iterations_hardly_grow),
      cmocka_unit_test(trees_and_parts),
      cmocka_unit_test(ground_everywhere_and_nowhere),
      cmocka_unit_test(same_bits_for_any_thread_count),
      cmocka_unit_test(wrong_matrices),
      cmocka_unit_test(every_allocation_failed_once),
  };
  return testing_run("solver/cmg", tests, exec);
}
