/* Spaces of lower order in those of higher order: what is exact, in frames and in the solver's order, and failures. */
#include "core/memory.h"
#include "mesh/order/order.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <string.h>

static Exec *exec;

static const ElementType *next_lower(const ElementType *type) {
  return type->order > 2 ? element_quadratic(type->linear, false) : element_type(type->linear);
}

static void apply(const NodeMap *map, int32_t B, const double *x, double *y) {
  for (int32_t i = 0; i < map->n_row; ++i)
    for (int32_t r = 0; r < B; ++r) {
      double s = 0;
      for (int64_t k = map->start[i]; k < map->start[i + 1]; ++k) {
        if (k > map->start[i] && r == 0) assert_true(map->column[k] > map->column[k - 1]);
        for (int32_t c = 0; c < B; ++c) {
          const double w = map->block == 1 ? (r == c) * map->value[k] : map->value[(k * B + r) * B + c];
          s += w * x[(int64_t)map->column[k] * B + c];
        }
      }
      y[(int64_t)i * B + r] = s;
    }
}

/* What a node of the lower order gives and gets back is the same; what both hold, `field` [n][B], comes up as it
 * was. */
static void check_level(const OrderTransfer *t, int32_t B, const double *field, int n_field, double **below) {
  const int64_t n = (int64_t)t->up.n_row * B, m = (int64_t)t->up.n_column * B;
  double *low = NULL, *high = NULL, *again = NULL;
  assert_true(t->down.n_row == t->up.n_column && t->down.n_column == t->up.n_row && m < n);
  assert_ok(mem_alloc(m * n_field, sizeof *low, "low", (void **)&low));
  assert_ok(mem_alloc(m, sizeof *again, "again", (void **)&again));
  assert_ok(mem_alloc(n, sizeof *high, "high", (void **)&high));
  for (int f = 0; f < n_field; ++f) {
    apply(&t->down, B, field + f * n, low + f * m);
    apply(&t->up, B, low + f * m, high);
    for (int64_t i = 0; i < n; ++i) assert_near(high[i], field[f * n + i], 1e-12);
  }
  for (int64_t j = 0; j < m; ++j) again[j] = sin((double)(7 * j));
  apply(&t->up, B, again, high);
  double *back = NULL;
  assert_ok(mem_alloc(m, sizeof *back, "back", (void **)&back));
  apply(&t->down, B, high, back);
  for (int64_t j = 0; j < m; ++j) assert_near(back[j], again[j], 1e-12);
  FREE(back);
  FREE(high);
  FREE(again);
  *below = low;
}

/* All of the orders of a problem, by its rigid motions. */
static void check_problem(const Problem *p, int32_t order) {
  const int32_t B = p->mesh->dim, n_field = elasticity_rigid_count(p->e);
  OrderTransfers t;
  double *field = NULL, *below = NULL;
  assert_ok(elasticity_order_transfers(p->e, &t));
  assert_int_equal(t.n, order - 1);
  assert_ok(mem_alloc(n_field * elasticity_dofs(p->e), sizeof *field, "motions", (void **)&field));
  assert_ok(elasticity_rigid_motions(p->e, field));
  for (int32_t l = 0; l < t.n; ++l) {
    check_level(&t.level[l], B, field, n_field, &below);
    FREE(field);
    field = below;
  }
  FREE(field);
  order_transfers_release(&t);
  order_transfers_release(&t); /* nothing happens */
}

static void every_kind(void **state) {
  (void)state;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    if (type->dim < 2) continue;
    Problem p;
    problem_box(&p, exec, type->kind, 3, 0);
    problem_fix(&p, "x0", "0", "0", "0");
    assert_ok(problem_create(&p));
    check_problem(&p, type->order);
    if (type->order == 2) { /* the vertices, which the linear mesh has too */
      OrderTransfers t;
      Mesh *linear = NULL;
      const BoxParams box = {.kind = type->linear, .n = {3, 3, 3}, .size = {1, 1, 1}};
      assert_ok(mesh_box(&box, &linear));
      assert_ok(elasticity_order_transfers(p.e, &t));
      assert_int_equal(t.level[0].up.n_column, linear->n_node);
      assert_int_equal(t.level[0].down.start[linear->n_node], linear->n_node);
      mesh_destroy(&linear);
      order_transfers_release(&t);
    }
    assert_true(type->order == 1 || next_lower(type)->n_node < type->n_node);
    problem_release(&p);
  }
}

static void tilt(double x[3]) {
  const double y = 0.8 * x[1] - 0.6 * x[2], z = 0.6 * x[1] + 0.8 * x[2];
  x[1] = y;
  x[2] = z;
}

/* Supports that are not along the axes give nodes frames of their own, and the solver may number nodes again. */
static void frames_and_order(void **state) {
  (void)state;
  const char *const names[] = {"tet10", "hex20", "hex27"};
  for (int k = 0; k < 3; ++k) {
    Problem p;
    int32_t *rank = NULL;
    problem_box(&p, exec, element_by_name(names[k])->kind, 3, 0);
    bend_mesh(p.mesh, tilt);
    problem_fix(&p, "x0", "0", "0", "0");
    problem_symmetry(&p, "y0");
    assert_ok(mem_alloc(p.mesh->n_node, sizeof *rank, "order", (void **)&rank));
    assert_ok(mesh_order(p.mesh, ORDER_HILBERT, rank));
    p.params.node_rank = rank;
    assert_ok(problem_create(&p));
    check_problem(&p, 2);
    OrderTransfers t;
    assert_ok(elasticity_order_transfers(p.e, &t));
    assert_int_equal(t.level[0].up.block, 3);
    order_transfers_release(&t);
    FREE(rank);
    problem_release(&p);
  }
}

static Status attempt(void *context) {
  OrderTransfers t;
  TRY(elasticity_order_transfers(context, &t));
  order_transfers_release(&t);
  return OK;
}

static void every_allocation_failed_once(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, element_by_name("tet10")->kind, 2, 0);
  bend_mesh(p.mesh, tilt);
  problem_fix(&p, "x0", "0", "0", "0");
  problem_symmetry(&p, "y0");
  assert_ok(problem_create(&p));
  assert_true(testing_fail_each(exec, attempt, p.e) > 12);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind), cmocka_unit_test(frames_and_order),
                                     cmocka_unit_test(every_allocation_failed_once)};
  return testing_run("assembly/order_transfer", tests, exec);
}
