/* What ranks assemble of a mesh that is dealt out are the rows that one alone assembles, to the bit, and so are products
 * in every format. Vectors are dealt out by hand here, without ranks that talk to each other. */
#include "algebra/mat.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "mesh/order/order.h"
#include "tests/assembly/problem.h"
#include "tests/mesh/derived_mesh.h"

static Exec *exec;
static const int RANKS[] = {1, 2, 3, 5};
enum { N_RANKS = 4 };

static void describe(Problem *p, Mesh *mesh) {
  problem_init(p, exec, mesh, mesh->dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRESS, 1000, 0.3);
  problem_load(p, LOAD_SPRING, "x0", "3", "5", "7");
  problem_load(p, LOAD_PRESSURE, "x1", "1 + y", NULL, NULL);
  problem_load(p, LOAD_TRACTION, "y1", "t + x", "2*t", "x*z*t");
}

/* A problem whole, and as a rank has it. */
typedef struct Pair {
  Problem whole, part;
  int32_t *number, *at; /* the solver's number of a mesh node of the whole; and of the whole what each number here is */
  LocalMesh local;
  NodeShare share;
} Pair;

static void pair_open_whole(Pair *p, Mesh *mesh, MeshOrder order) {
  *p = (Pair){.number = testing_array(mesh->n_node, sizeof *p->number)};
  assert_ok(mesh_order(mesh, order, p->number));
  describe(&p->whole, mesh);
  p->whole.params.node_rank = p->number;
  p->whole.params.allow_free_motion = true;
  assert_ok(problem_create(&p->whole));
  problem_assemble(&p->whole);
}

static void pair_open_part(Pair *p, int rank, int n_rank) {
  Partition partition;
  assert_ok(partition_create(p->whole.mesh->n_node, n_rank, &partition));
  assert_ok(local_mesh_create(p->whole.mesh, &partition, p->number, rank, &p->local));
  describe(&p->part, p->local.mesh);
  p->share = (NodeShare){.local = &p->local};
  p->part.params.share = &p->share;
  assert_ok(problem_create(&p->part));
  problem_assemble(&p->part);
  p->at = testing_array(p->local.mesh->n_node, sizeof *p->at);
  for (int32_t i = 0; i < p->local.mesh->n_node; ++i) p->at[p->local.solver[i]] = p->number[p->local.node[i]];
}

static void pair_close_part(Pair *p) {
  problem_release(&p->part); /* the mesh too */
  p->local.mesh = NULL;
  local_mesh_release(&p->local);
  FREE(p->at);
}

static void pair_close_whole(Pair *p) {
  problem_release(&p->whole);
  FREE(p->number);
}

static void same_rows(const Pair *p) {
  const Pattern *a = elasticity_pattern(p->whole.e), *b = elasticity_pattern(p->part.e);
  const int32_t first = p->local.first, B = a->block;
  assert_int_equal(b->n, p->local.n_own);
  assert_int_equal(pattern_columns(b), p->local.mesh->n_node);
  assert_int_equal(b->share.n_low, p->local.n_low);
  for (int32_t i = 0; i < b->n; ++i) {
    const int64_t n = b->start[i + 1] - b->start[i], at = a->start[first + i];
    assert_int_equal(a->start[first + i + 1] - at, n);
    for (int64_t k = 0; k < n; ++k) assert_int_equal(p->at[b->column[b->start[i] + k]], a->column[at + k]);
    assert_memory_equal(p->part.values + b->start[i] * B * B, p->whole.values + at * B * B,
                        (size_t)(n * B * B) * sizeof(double));
  }
}

/* A number of each unknown of the whole. */
static double value_at(int64_t i) { return sin(0.37 * (double)i) + 1e-3 * (double)(i % 17); }

/* v on the Exec, of own nodes and the halo. */
static void deal_out(const Pair *p, int32_t B, double *v) {
  const int64_t n = (int64_t)p->local.mesh->n_node;
  double *host = testing_array(n * B, sizeof *host);
  for (int64_t i = 0; i < n * B; ++i) host[i] = value_at((int64_t)p->at[i / B] * B + i % B);
  assert_ok(exec_upload(exec, v, host, (size_t)(n * B) * sizeof *host));
  FREE(host);
}

/* Forces of own nodes at a displacement; nothing is written behind them. */
static void same_forces(Pair *p) {
  const int32_t B = p->whole.e->dim;
  const int64_t n = elasticity_dofs(p->whole.e), n_own = elasticity_rows(p->part.e),
                n_part = elasticity_dofs(p->part.e);
  double *u = testing_array(n, sizeof *u), *one = testing_array(n, sizeof *u),
         *other = testing_array(n_part, sizeof *u);
  assert_int_equal(n_own, (int64_t)p->local.n_own * B);
  for (int64_t i = 0; i < n; ++i) u[i] = value_at(i);
  assert_ok(exec_upload(exec, p->whole.exec_u, u, (size_t)n * sizeof *u));
  deal_out(p, B, p->part.exec_u);
  assert_ok(exec_upload(exec, p->part.exec_r, u, (size_t)n_part * sizeof *u));
  assert_ok(elasticity_load_at_time(p->whole.e, 1.5));
  assert_ok(elasticity_load_at_time(p->part.e, 1.5));
  problem_residual(&p->whole, one);
  problem_residual(&p->part, other);
  assert_memory_equal(other, one + (int64_t)p->local.first * B, (size_t)n_own * sizeof *u);
  assert_memory_equal(other + n_own, u + n_own, (size_t)(n_part - n_own) * sizeof *u);
  FREE(u);
  FREE(one);
  FREE(other);
}

/* y = A x by a format, new on the host; x dealt out by hand or whole. */
static double *product(Problem *p, const Pair *of, const MatParams *params) {
  Mat *a = NULL;
  double *x = NULL, *y = NULL, *out;
  assert_ok(mat_create(exec, params, elasticity_pattern(p->e), &a));
  assert_ok(elasticity_bind(p->e, mat_slots(a)));
  assert_ok(elasticity_tangent(p->e, NULL, mat_values(a)));
  const int64_t n = mat_columns(a);
  assert_int_equal(n, elasticity_dofs(p->e));
  assert_int_equal(mat_rows(a), elasticity_rows(p->e));
  assert_int_equal(mat_whole(a), elasticity_dofs(of->whole.e));
  out = testing_array(n, sizeof *out);
  assert_ok(exec_alloc(exec, n, sizeof *x, "test", (void **)&x));
  assert_ok(exec_alloc(exec, n, sizeof *x, "test", (void **)&y));
  if (p == &of->part) {
    deal_out(of, mat_block(a), x);
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = value_at(i);
    assert_ok(exec_upload(exec, x, out, (size_t)n * sizeof *x));
  }
  assert_ok(mat_apply(a, x, y));
  assert_ok(exec_download(exec, out, y, (size_t)mat_rows(a) * sizeof *y));
  EXEC_RELEASE(exec, x, n);
  EXEC_RELEASE(exec, y, n);
  mat_destroy(&a);
  return out;
}

/* All formats but those that add up a row in a way that depends on the rows beside it; the lanes to a row and the length of
 * a segment are chosen from all rows, so they are given. */
static void same_products(Pair *p) {
  for (int32_t f = 0; f < mat_format_count(); ++f) {
    const char *name = mat_format_name(f);
    const bool team = !strcmp(name, "sliced-ellr-t") || !strcmp(name, "csr");
    const MatParams params = {.format = name,
                              .variant = !strcmp(name, "csr") ? "vector" : NULL,
                              .threads = team ? 4 : 0,
                              .threshold = !strcmp(name, "segspmv") ? 16 : 0};
    if (!strcmp(name, "ell-warp") || !strcmp(name, "csr-balanced")) continue;
    double *whole = product(&p->whole, p, &params), *part = product(&p->part, p, &params);
    assert_memory_equal(part, whole + (int64_t)p->local.first * p->whole.e->dim,
                        (size_t)elasticity_rows(p->part.e) * sizeof *part);
    FREE(whole);
    FREE(part);
  }
}

/* Node of lower order in the whole of each one here, by the nodes that they stand for. */
static int32_t *lower_of(const int32_t *at, const OrderTransfer *whole, const OrderTransfer *part) {
  int32_t *of = testing_array(part->up.n_column, sizeof *of);
  for (int32_t i = 0; i < part->up.n_row; ++i)
    if (part->number[i] >= 0) {
      of[part->number[i]] = whole->number[at[i]];
      assert_true(of[part->number[i]] >= 0);
    }
  return of;
}

static int32_t lower_own(const OrderTransfer *t, int32_t n_own) {
  int32_t n = 0;
  for (int32_t i = 0; i < n_own; ++i) n += t->number[i] >= 0;
  return n;
}

/* Row i of a map here is row `row` of the whole one. */
static void same_row(const NodeMap *part, int32_t i, const int32_t *column, const NodeMap *whole, int32_t row) {
  const int64_t at = part->start[i], n = part->start[i + 1] - at, from = whole->start[row];
  assert_int_equal(n, whole->start[row + 1] - from);
  for (int64_t k = 0; k < n; ++k) assert_int_equal(column[part->column[at + k]], whole->column[from + k]);
  const size_t square = (size_t)(part->block * part->block);
  assert_memory_equal(part->value + (size_t)at * square, whole->value + (size_t)from * square,
                      (size_t)n * square * sizeof *part->value);
}

static void same_transfers(Pair *p) {
  OrderTransfers whole, part;
  assert_ok(elasticity_order_transfers(p->whole.e, &whole));
  assert_ok(elasticity_order_transfers(p->part.e, &part));
  assert_int_equal(part.n, whole.n);
  int32_t *at = p->at, *of = NULL, n_own = p->local.n_own ? p->local.n_own : part.level[0].up.n_row;
  for (int32_t l = 0; l < whole.n; ++l) {
    const OrderTransfer *here = &part.level[l], *all = &whole.level[l];
    of = lower_of(at, all, here);
    const int32_t n_lower = lower_own(here, n_own);
    assert_int_equal(here->up.block, all->up.block);
    for (int32_t i = 0; i < n_own; ++i) same_row(&here->up, i, of, &all->up, at[i]);
    for (int32_t g = 0; g < n_lower; ++g) same_row(&here->down, g, at, &all->down, of[g]);
    for (int32_t g = 0; g + 1 < n_lower; ++g) assert_int_equal(of[g + 1], of[g] + 1);
    for (int32_t g = n_lower; g + 1 < here->up.n_column; ++g) assert_true(of[g + 1] > of[g]);
    if (at != p->at) FREE(at);
    at = of;
    n_own = n_lower;
  }
  FREE(of);
  order_transfers_release(&whole);
  order_transfers_release(&part);
}

static void for_all(void (*check)(Pair *p), bool one_rank) {
  static const struct {
    ElementKind kind;
    int n;
    MeshOrder order;
  } CASES[] = {
      {ELEMENT_TET4, 17, ORDER_HILBERT}, {ELEMENT_QUAD8, 44, ORDER_NATURAL}, {ELEMENT_TET20, 6, ORDER_HILBERT}};
  const int first = check == same_transfers, n_case = first ? 3 : 2;
  for (int k = first; k < n_case; ++k) {
    Pair p;
    pair_open_whole(&p, testing_box(CASES[k].kind, CASES[k].n, 0.1), CASES[k].order);
    for (int r = one_rank ? 2 : 0; r < (one_rank ? 3 : N_RANKS); ++r)
      for (int rank = r > 1; rank < (r > 1 ? 2 : RANKS[r]); ++rank) { /* of 3 and 5 the second */
        pair_open_part(&p, rank, RANKS[r]);
        check(&p);
        pair_close_part(&p);
      }
    pair_close_whole(&p);
  }
}

static void check_assembly(Pair *p) {
  same_rows(p);
  same_forces(p);
}

static void rows_are_those_of_one(void **state) {
  (void)state;
  for_all(check_assembly, false);
}

static void products_are_those_of_one(void **state) {
  (void)state;
  for_all(same_products, true); /* the middle one of three */
}

static void orders_are_those_of_one(void **state) {
  (void)state;
  for_all(same_transfers, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_those_of_one), cmocka_unit_test(orders_are_those_of_one),
                                     cmocka_unit_test(products_are_those_of_one)};
  return testing_run("assembly/shares", tests, exec);
}
