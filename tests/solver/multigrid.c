/* The parts of a hierarchy one by one: aggregates, graphs of products, transfers, the dense inverse, smoothers. */
#include "core/memory.h"
#include "solver/multigrid/aggregation.h"
#include "algebra/graph/exec_graph.h"
#include "algebra/graph/graph_rows.h"
#include "solver/multigrid/multigrid.h"
#include "solver/multigrid/multigrid_dense.h"
#include "tests/solver/graph_reference.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

/* Pattern of n x n x n nodes of hexahedra as a graph; weights 1. */
static void grid(int n, Problem *p, BlockGraph *graph, float **weight, uint8_t **in) {
  problem_grid(n, n, n, 1, 1, p);
  *graph = (BlockGraph){p->pattern->n, p->pattern->n, p->pattern->start, p->pattern->column};
  assert_ok(mem_alloc(graph->start[graph->n_row], sizeof **weight, "weights", (void **)weight));
  assert_ok(mem_alloc(graph->n_row, 1, "nodes", (void **)in));
  for (int64_t k = 0; k < graph->start[graph->n_row]; ++k) (*weight)[k] = 1;
  memset(*in, 1, (size_t)graph->n_row);
}

/* Aggregates on the host, as graph of members. */
typedef struct Found {
  int32_t n, *of;
  BlockGraph member;
} Found;

static void release_found(Found *f) {
  FREE(f->of);
  block_graph_release(&f->member);
}

static int32_t rounds; /* of the next aggregates */

static Status make(const BlockGraph *graph, const float *weight, float limit, const uint8_t *in, Aggregates *out) {
  ExecGraph a = {0};
  float *w = NULL;
  uint8_t *on = NULL;
  const int64_t n_entry = graph->start[graph->n_row];
  Status status;
  *out = (Aggregates){0};
  TRY_DONE(exec_graph_upload(exec, graph, "graph", &a));
  TRY_DONE(exec_alloc_upload(exec, n_entry, sizeof *w, weight, "weights", (void **)&w));
  TRY_DONE(exec_alloc_upload(exec, graph->n_row, 1, in, "nodes", (void **)&on));
  const Ties ties = {&a, w, on, limit, rounds, NULL};
  TRY_DONE(aggregates_create(exec, &ties, out));
  status = aggregates_list(exec, out);
done:
  EXEC_RELEASE(exec, w, n_entry);
  EXEC_RELEASE(exec, on, graph->n_row);
  exec_graph_release(exec, &a);
  return status;
}

/* Those of a graph, checked: of and member say the same. */
static Found find(const BlockGraph *graph, const float *weight, float limit, const uint8_t *in) {
  Aggregates a;
  Found f = {0};
  int32_t listed = 0;
  assert_ok(make(graph, weight, limit, in, &a));
  f.n = a.n;
  assert_int_equal(a.n_node, graph->n_row);
  assert_int_equal(a.member.n_row, a.n);
  assert_ok(mem_alloc(a.n_node, sizeof *f.of, "aggregates", (void **)&f.of));
  assert_ok(exec_download(exec, f.of, a.of, (size_t)a.n_node * sizeof *f.of));
  assert_ok(exec_graph_download(exec, &a.member, a.n_node, &f.member));
  for (int32_t g = 0; g < a.n; ++g) {
    assert_true(f.member.start[g] < f.member.start[g + 1]);
    for (int64_t k = f.member.start[g]; k < f.member.start[g + 1]; ++k, ++listed) {
      assert_int_equal(f.of[f.member.column[k]], g);
      assert_true(k == f.member.start[g] || f.member.column[k - 1] < f.member.column[k]);
    }
  }
  for (int32_t i = 0; i < a.n_node; ++i) listed -= f.of[i] >= 0;
  assert_int_equal(listed, 0);
  aggregates_release(exec, &a);
  return f;
}

/* All nodes in aggregates of 8 to 64, 27 on average but for the boundary; those that are not in[] stay out; where only
 * a slab is tied strongly aggregates do not cross it. */
static void aggregates_cover_the_mesh(void **state) {
  (void)state;
  enum { N = 14 };
  Problem p;
  BlockGraph graph;
  float *weight;
  uint8_t *in;
  grid(N, &p, &graph, &weight, &in);
  Found a = find(&graph, weight, 0.5f, in);
  assert_int_equal(a.member.start[a.n], N * N * N);
  assert_true(a.n > N * N * N / 40 && a.n < N * N * N / 15);
  for (int32_t g = 0; g < a.n; ++g)
    assert_true(a.member.start[g + 1] - a.member.start[g] >= 8 && a.member.start[g + 1] - a.member.start[g] <= 64);
  release_found(&a);
  for (int32_t i = 0; i < graph.n_row; ++i) {
    in[i] = i % N != 0;
    for (int64_t k = graph.start[i]; k < graph.start[i + 1]; ++k)
      if (i / (N * N) / 4 != graph.column[k] / (N * N) / 4) weight[k] = 0.1f;
  }
  a = find(&graph, weight, 0.5f, in);
  for (int32_t i = 0; i < graph.n_row; ++i) {
    assert_true((a.of[i] < 0) == (i % N == 0));
    if (a.of[i] >= 0) assert_int_equal(i / (N * N) / 4, a.member.column[a.member.start[a.of[i]]] / (N * N) / 4);
  }
  release_found(&a);
  a = find(&graph, weight, 2, in);
  assert_int_equal(a.n, 0);
  release_found(&a);
  FREE(weight);
  FREE(in);
  problem_release(&p);
}

/* Balls by rounds on the Exec, by the host, and by both one after the other are the same. */
static void aggregates_by_rounds_are_the_same(void **state) {
  (void)state;
  enum { N = 13 };
  const int32_t ways[] = {1, 3, 40, 10000};
  Problem p;
  BlockGraph graph;
  float *weight;
  uint8_t *in;
  grid(N, &p, &graph, &weight, &in);
  for (int kind = 0; kind < 2; ++kind) {
    for (int64_t k = 0; kind && k < graph.start[graph.n_row]; ++k) weight[k] = 0;
    for (int32_t i = 0; kind && i < graph.n_row; ++i) /* some ties only, the same from both sides; some nodes out */
      for (int64_t k = graph.start[i]; k < graph.start[i + 1]; ++k) {
        const int32_t j = graph.column[k], low = i < j ? i : j, high = i < j ? j : i;
        weight[k] = (float)fabs(problem_number((int64_t)low * N * N * N + high));
        in[i] = i % 7 != 0;
      }
    rounds = -1;
    Found one = find(&graph, weight, 0.5f, in);
    assert_true(one.n > 20);
    for (int way = 0; way < 4; ++way) {
      rounds = ways[way];
      Found other = find(&graph, weight, 0.5f, in);
      assert_int_equal(one.n, other.n);
      assert_memory_equal(one.of, other.of, (size_t)graph.n_row * sizeof *one.of);
      release_found(&other);
    }
    rounds = 0;
    release_found(&one);
  }
  FREE(weight);
  FREE(in);
  problem_release(&p);
}

typedef struct FailContext {
  BlockGraph graph;
  float *weight;
  uint8_t *in;
} FailContext;

static Status try_aggregates(void *context) {
  const FailContext *c = context;
  Aggregates a;
  const Status status = make(&c->graph, c->weight, 0.5f, c->in, &a);
  aggregates_release(exec, &a);
  return status;
}

static void aggregates_fail_cleanly(void **state) {
  (void)state;
  Problem p;
  FailContext c;
  grid(5, &p, &c.graph, &c.weight, &c.in);
  for (rounds = 0; rounds < 3; rounds += 2) testing_fail_each(exec, try_aggregates, &c);
  rounds = 0;
  FREE(c.weight);
  FREE(c.in);
  problem_release(&p);
}

static bool holds(const BlockGraph *g, int32_t i, int32_t j) {
  for (int64_t k = g->start[i]; k < g->start[i + 1]; ++k)
    if (g->column[k] == j) return true;
  return false;
}

static void graphs_of_products(void **state) {
  (void)state;
  Problem p;
  problem_random(90, 1, 5, &p); /* with rows longer than the short sort */
  const BlockGraph a = {p.pattern->n, p.pattern->n, p.pattern->start, p.pattern->column};
  uint8_t skip[90] = {0};
  BlockGraph product, transposed;
  int64_t *source;
  skip[7] = 1;
  assert_ok(block_graph_times(&a, &a, skip, &product));
  for (int32_t i = 0; i < a.n_row; ++i) {
    for (int64_t k = product.start[i]; k + 1 < product.start[i + 1]; ++k)
      assert_true(product.column[k] < product.column[k + 1]);
    for (int32_t j = 0; j < a.n_row; ++j) {
      bool wanted = false;
      for (int64_t k = a.start[i]; k < a.start[i + 1] && i != 7; ++k) wanted = wanted || holds(&a, a.column[k], j);
      assert_int_equal(holds(&product, i, j), wanted);
    }
  }
  assert_ok(block_graph_transpose(&product, &transposed, &source));
  for (int32_t j = 0; j < transposed.n_row; ++j)
    for (int64_t k = transposed.start[j]; k < transposed.start[j + 1]; ++k) {
      assert_int_equal(product.column[source[k]], j);
      assert_true(source[k] >= product.start[transposed.column[k]] &&
                  source[k] < product.start[transposed.column[k] + 1]);
      assert_true(k == transposed.start[j] || transposed.column[k - 1] < transposed.column[k]);
    }
  assert_int_equal(transposed.start[transposed.n_row], product.start[product.n_row]);
  FREE(source);
  block_graph_release(&product);
  block_graph_release(&transposed);
  problem_release(&p);
}

static void check_same(const ExecGraph *got, const BlockGraph *wanted) {
  BlockGraph g;
  assert_ok(exec_graph_download(exec, got, wanted->n_column, &g));
  assert_int_equal(g.n_row, wanted->n_row);
  assert_memory_equal(g.start, wanted->start, ((size_t)g.n_row + 1) * sizeof *g.start);
  assert_memory_equal(g.column, wanted->column, (size_t)g.start[g.n_row] * sizeof *g.column);
  if (got->row) {
    int32_t *row = NULL;
    assert_ok(mem_alloc(got->n_entry, sizeof *row, "rows", (void **)&row));
    assert_ok(exec_download(exec, row, got->row, (size_t)got->n_entry * sizeof *row));
    for (int32_t i = 0; i < g.n_row; ++i)
      for (int64_t k = g.start[i]; k < g.start[i + 1]; ++k) assert_int_equal(row[k], i);
    FREE(row);
  }
  block_graph_release(&g);
}

/* A chain with some rows that name all: few are found by all threads, more than 64 each by its own. */
static void long_rows_of_products(void **state) {
  (void)state;
  enum { N = 5000, EVERY = 3 };
  _Static_assert(N > GRAPH_WIDE, "rows are wide");
  static const int32_t n_long[] = {2, 90};
  for (int round = 0; round < 2; ++round) {
    BlockGraph a = {N, N, NULL, NULL}, wanted;
    uint8_t *skip = NULL, *on = NULL, *in = NULL;
    ExecGraph ea, got;
    int64_t n = 0;
    assert_ok(mem_alloc(N + 1, sizeof *a.start, "rows", (void **)&a.start));
    assert_ok(mem_alloc((int64_t)N * (3 + n_long[round]), sizeof *a.column, "columns", (void **)&a.column));
    assert_ok(mem_alloc(N, 1, "rows", (void **)&skip));
    assert_ok(mem_alloc(N, 1, "rows", (void **)&in));
    for (int32_t i = 0; i < N; ++i) {
      const bool is_long = i % 50 == 17 && i / 50 < n_long[round];
      for (int32_t j = is_long || i == 0 ? 0 : i - 1; j < N && (is_long || j <= i + 1); ++j) a.column[n++] = j;
      a.start[i + 1] = n;
      skip[i] = i % 7 == 3, in[i] = !skip[i];
    }
    assert_ok(exec_alloc_upload(exec, N, 1, in, "rows", (void **)&on));
    assert_ok(exec_graph_upload(exec, &a, "graph", &ea));
    assert_ok(block_graph_times(&a, &a, skip, &wanted));
    assert_ok(exec_graph_union(exec, &(GraphUnion){.a = &ea, .b = &ea, .row_in = on, .n_column = N}, true, &got));
    check_same(&got, &wanted);
    exec_graph_release(exec, &got);
    block_graph_release(&wanted);
    /* without those columns, where b has them left out */
    BlockGraph b = {N, N, NULL, NULL};
    assert_ok(mem_alloc(N + 1, sizeof *b.start, "rows", (void **)&b.start));
    assert_ok(mem_alloc(n, sizeof *b.column, "columns", (void **)&b.column));
    for (int32_t i = 0; i < N; ++i) {
      b.start[i + 1] = b.start[i];
      for (int64_t k = a.start[i]; k < a.start[i + 1]; ++k)
        if (in[a.column[k]]) b.column[b.start[i + 1]++] = a.column[k];
    }
    assert_ok(block_graph_times(&a, &b, NULL, &wanted));
    assert_ok(exec_graph_union(exec, &(GraphUnion){.a = &ea, .b = &ea, .column_in = on, .n_column = N}, false, &got));
    check_same(&got, &wanted);
    block_graph_release(&b);
    block_graph_release(&wanted);
    exec_graph_release(exec, &got);
    exec_graph_release(exec, &ea);
    EXEC_RELEASE(exec, on, N);
    FREE(skip);
    FREE(in);
    block_graph_release(&a);
  }
}

/* Those that the Exec finds are those of the host: rows that are short (by a map), longer than what is
 * counted in one go, or left out; with columns left out. */
static void graphs_on_the_exec(void **state) {
  (void)state;
  enum { N = 600, GROUP = 7 };
  for (unsigned seed = 4; seed < 6; ++seed) {
    Problem p;
    problem_random(N, 1, seed, &p);
    const BlockGraph a = {N, N, p.pattern->start, p.pattern->column};
    BlockGraph wanted, member = {N, N / GROUP + 1, NULL, NULL};
    uint8_t skip[N], in[N], *on = NULL;
    int32_t of[N], *map = NULL;
    ExecGraph ea, got;
    assert_ok(mem_alloc(N + 1, sizeof *member.start, "rows", (void **)&member.start));
    assert_ok(mem_alloc(N, sizeof *member.column, "columns", (void **)&member.column));
    for (int i = 0; i < N; ++i) {
      skip[i] = i % 11 == 3;
      in[i] = !skip[i];
      of[i] = i % 5 ? i * 31 % N / GROUP : -1;
      member.start[i + 1] = member.start[i] + (of[i] >= 0);
      if (of[i] >= 0) member.column[member.start[i]] = of[i];
    }
    assert_ok(exec_alloc_upload(exec, N, 1, in, "rows", (void **)&on));
    assert_ok(exec_alloc_upload(exec, N, sizeof *map, of, "map", (void **)&map));
    assert_ok(exec_graph_upload(exec, &a, "graph", &ea));
    assert_ok(block_graph_times(&a, &a, skip, &wanted));
    assert_ok(exec_graph_union(exec, &(GraphUnion){.a = &ea, .b = &ea, .row_in = on, .n_column = N}, true, &got));
    assert_true(wanted.start[N] > N * GRAPH_LOCAL);
    check_same(&got, &wanted);
    exec_graph_release(exec, &got);
    block_graph_release(&wanted);
    assert_ok(block_graph_times(&a, &member, skip, &wanted));
    assert_ok(exec_graph_union(exec, &(GraphUnion){.a = &ea, .of = map, .row_in = on, .n_column = member.n_column},
                               false, &got));
    check_same(&got, &wanted);
    /* its transpose, from the rows of a, is symmetric as that is; and where its entries are */
    ExecGraph members, transposed, turned;
    BlockGraph listed, back;
    int64_t *source = NULL, *place = NULL, *from = NULL;
    assert_ok(block_graph_transpose(&member, &listed, &from));
    assert_ok(exec_graph_upload(exec, &listed, "members", &members));
    assert_ok(exec_graph_union(exec, &(GraphUnion){.a = &members, .b = &ea, .column_in = on, .n_column = N}, false,
                               &transposed));
    FREE(from);
    assert_ok(block_graph_transpose(&wanted, &back, &from));
    check_same(&transposed, &back);
    assert_ok(exec_graph_transpose(exec, &got, member.n_column, &turned, &source));
    check_same(&turned, &back);
    assert_ok(mem_alloc(got.n_entry, sizeof *place, "places", (void **)&place));
    assert_ok(exec_download(exec, place, source, (size_t)got.n_entry * sizeof *place));
    assert_memory_equal(place, from, (size_t)got.n_entry * sizeof *place);
    EXEC_RELEASE(exec, source, got.n_entry);
    FREE(place);
    FREE(from);
    block_graph_release(&listed);
    block_graph_release(&back);
    block_graph_release(&wanted);
    block_graph_release(&member);
    exec_graph_release(exec, &members);
    exec_graph_release(exec, &transposed);
    exec_graph_release(exec, &turned);
    exec_graph_release(exec, &got);
    exec_graph_release(exec, &ea);
    EXEC_RELEASE(exec, on, N);
    EXEC_RELEASE(exec, map, N);
    problem_release(&p);
  }
}

/* A symmetric positive definite matrix. */
static void fill_dense(int n, double *a) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a[i * n + j] = (i == j ? 2 : 0) + cos(0.3 * (i - j)) / (1 + abs(i - j));
}

static void dense_inverse(void **state) {
  (void)state;
  enum { N = 203 }; /* some panels, and work for two threads */
  static double a[N * N], b[N * N], work[N * N];
  fill_dense(N, a);
  memcpy(b, a, sizeof a);
  assert_int_equal(dense_invert(N, b, work), 0);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      double t = 0;
      for (int k = 0; k < N; ++k) t += a[i * N + k] * b[k * N + j];
      assert_true(fabs(t - (i == j)) < 1e-13);
      assert_true(b[i * N + j] == b[j * N + i]);
    }
  /* a row that repeats another one is left out, the rest is inverted */
  for (int i = 0; i < N; ++i) a[20 * N + i] = a[3 * N + i];
  for (int i = 0; i < N; ++i) a[i * N + 20] = a[i * N + 3];
  memcpy(b, a, sizeof a);
  assert_int_equal(dense_invert(N, b, work), 1);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      double t = 0;
      for (int k = 0; k < N; ++k) t += i != 20 && k != 20 ? a[i * N + k] * b[k * N + j] : 0;
      if (i != 20 && j != 20) assert_true(fabs(t - (i == j)) < 1e-13);
    }
  assert_true(b[20 * N + 20] == 1 && b[20 * N + 3] == 0 && b[3 * N + 20] == 0);
  a[5 * N + 5] = -1;
  assert_int_equal(dense_invert(N, a, work), N);
  for (int k = 0; k < N * N; ++k) assert_true(a[k] == (k / N == k % N));
}

/* What is left of an eigenvector: less than all of it on (0, bound], and for the 4th kind the bound of its extrema. */
static void smoothers_smooth(void **state) {
  (void)state;
  assert_true(smoother_count() >= 2);
  assert_null(smoother_type(smoother_count()));
  assert_string_equal(smoother_name(0), "chebyshev4");
  for (int32_t k = 0; k < smoother_count(); ++k)
    for (int32_t degree = 1; degree <= SMOOTHER_DEGREE_MAX; ++degree) {
      SmootherSteps s;
      smoother_type(k)->find(degree, 2.5, &s);
      assert_true(s.a[0] == 0);
      for (int i = 1; i <= 1000; ++i) {
        const double t = 2.5 * i / 1000;
        double r = 1, last = 1;
        for (int32_t d = 0; d < degree; ++d) {
          const double next = r + s.a[d] * (r - last) - s.b[d] * t * r;
          last = r;
          r = next;
        }
        assert_true(fabs(r) < 1);
        /* t R(t)^2 <= bound / (2 degree + 1)^2 (Lottes 2023) */
        if (k == 0) assert_true(t * r * r <= 2.5 / ((2 * degree + 1) * (2 * degree + 1)) * (1 + 1e-12));
      }
    }
}

static Status upload_and_transfer(const BlockGraph *graph, ExecGraph *p, ExecGraph *transposed, int64_t **source,
                                  MgTransfer **t) {
  TRY(exec_graph_upload(exec, graph, "a graph", p));
  TRY(exec_graph_transpose(exec, p, graph->n_column, transposed, source));
  return mg_transfer_create(exec, PRECISION_FLOAT, p, transposed, source, 3, t);
}

static Status try_transfer(void *context) {
  ExecGraph p = {0}, transposed = {0};
  int64_t *source = NULL, n;
  MgTransfer *t = NULL;
  const Status status = upload_and_transfer(context, &p, &transposed, &source, &t);
  assert_true((t != NULL) == (status == OK));
  n = p.n_entry;
  mg_transfer_destroy(&t);
  exec_graph_release(exec, &p);
  exec_graph_release(exec, &transposed);
  EXEC_RELEASE(exec, source, n);
  return status;
}

static void transfers_fail_cleanly(void **state) {
  (void)state;
  Problem p;
  problem_grid(5, 4, 3, 1, 1, &p);
  testing_fail_each(exec, try_transfer, &(BlockGraph){p.pattern->n, p.pattern->n, p.pattern->start, p.pattern->column});
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(aggregates_cover_the_mesh),
      cmocka_unit_test(aggregates_by_rounds_are_the_same),
      cmocka_unit_test(aggregates_fail_cleanly),
      cmocka_unit_test(graphs_of_products),
      cmocka_unit_test(graphs_on_the_exec),
      cmocka_unit_test(long_rows_of_products),
      cmocka_unit_test(dense_inverse),
      cmocka_unit_test(smoothers_smooth),
      cmocka_unit_test(transfers_fail_cleanly),
  };
  return testing_run("solver/multigrid", tests, exec);
}
