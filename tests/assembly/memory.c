/* Every allocation failed once; what is planned against what is taken. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <string.h>

static void turn(double x[3]) {
  const double y[2] = {0.8 * x[0] - 0.6 * x[1], 0.6 * x[0] + 0.8 * x[1]};
  x[0] = y[0];
  x[1] = y[1];
}

/* reversed: the solver numbers the nodes in reverse; give_back frees that. */
static void describe(Problem *p, Exec *exec, ElementKind kind, int n, bool skew, bool reversed) {
  problem_box(p, exec, kind, n, 0);
  if (skew) bend_mesh(p->mesh, turn);
  problem_symmetry(p, "x0");
  problem_fix(p, "x1", "0.1", NULL, NULL);
  problem_load(p, LOAD_SPRING, "y0", "5", "6", "7");
  problem_load(p, LOAD_PRESSURE, "y1", "1+x", NULL, NULL);
  if (!reversed) return;
  int32_t *rank = NULL;
  assert_ok(mem_alloc(p->mesh->n_node, sizeof *rank, "test", (void **)&rank));
  for (int32_t i = 0; i < p->mesh->n_node; ++i) rank[i] = p->mesh->n_node - 1 - i;
  p->params.node_rank = rank;
}

static void give_back(Problem *p) {
  mem_free((void **)(void *)&p->params.node_rank);
  problem_release(p);
}

/* All that takes memory: create, bind, tangent, residual, recover. Returns the first failure. */
static Status everything(Problem *p, const SlotMap *slots, double *vector, double *values) {
  ElasticFields f;
  TRY(problem_create(p));
  TRY(elasticity_bind(p->e, slots));
  TRY(elasticity_initial(p->e, vector));
  TRY(elasticity_tangent(p->e, vector, values));
  TRY(elasticity_recover(p->e, vector, 255, &f));
  elastic_fields_release(&f);
  return OK;
}

static void each_allocation_fails(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_QUAD4, ELEMENT_HEX8};
  for (int k = 0; k < 4; ++k) {
    Exec *exec = NULL;
    assert_ok(exec_create_cpu(2, &exec));
    Problem p;
    SlotMap slots;
    describe(&p, exec, kinds[k / 2], 2, true, k % 2);
    assert_ok(problem_create(&p));
    csr_slots(elasticity_pattern(p.e), false, &slots);
    const int64_t n = elasticity_dofs(p.e);
    elasticity_destroy(&p.e);
    double *vector = calloc((size_t)n, sizeof *vector), *values = calloc((size_t)slots.n_value, sizeof *values);
    assert_ok(everything(&p, &slots, vector, values)); /* what the Exec keeps for its sums is there now */
    elasticity_destroy(&p.e);
    const size_t before = mem_in_use();
    int64_t nth = 1;
    for (;; ++nth) {
      mem_fail_nth(nth);
      const Status status = everything(&p, &slots, vector, values);
      const int64_t made = mem_count();
      mem_fail_nth(0);
      elasticity_destroy(&p.e);
      assert_int_equal(mem_in_use(), before);
      assert_int_equal(exec->in_use, 0);
      if (status == OK) break;
      assert_int_equal(status, ERR_MEMORY);
      assert_int_equal(made, nth);
      assert_non_null(strstr(status_message(), "not enough memory for "));
    }
    assert_true(nth > 60);
    free(vector), free(values);
    slot_map_release(&slots);
    give_back(&p);
    exec_destroy(&exec);
  }
}

/* Peak of create, bind and recover against the plan: within 20 %. */
static void plan_holds(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD9, ELEMENT_TET4, ELEMENT_TET10, ELEMENT_HEX8, ELEMENT_HEX27};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    for (int form = 0; form < 3; ++form) { /* slots either way, then the solver's own order too */
      Exec *exec = NULL;
      assert_ok(exec_create_cpu(2, &exec));
      Problem p;
      SlotMap slots;
      const int dim = element_type(kinds[k])->dim, order = element_type(kinds[k])->order;
      describe(&p, exec, kinds[k], (dim == 2 ? 60 : 14) / order, form, form == 2);
      assert_ok(problem_create(&p));
      csr_slots(elasticity_pattern(p.e), form == 1, &slots);
      MemoryPlan plan = {0};
      assert_ok(elasticity_memory(p.e, &slots, 255, &plan));
      elasticity_destroy(&p.e);
      double *vector = calloc((size_t)p.mesh->n_node * 3, sizeof *vector),
             *values = calloc((size_t)slots.n_value, sizeof *values);
      const size_t before = mem_in_use();
      mem_reset_peak();
      assert_ok(everything(&p, &slots, vector, values));
      for (int32_t i = 0; i < plan.n; ++i) plan.item[i].on_exec = false; /* the CPU's Exec takes host memory */
      const double peak = (double)(mem_peak() - before), planned = (double)memory_plan_bytes(&plan, false);
      print_message("%s: %.4g bytes planned, %.4g taken\n", element_type(kinds[k])->name, planned, peak);
      assert_true(fabs(planned / peak - 1) < 0.2);
      free(vector), free(values);
      slot_map_release(&slots);
      give_back(&p);
      exec_destroy(&exec);
    }
}

static void plan_adds_up(void **state) {
  (void)state;
  MemoryPlan plan = {0};
  assert_ok(memory_plan_add(&plan, "a", 100, true, MEMORY_KEPT));
  assert_ok(memory_plan_add(&plan, "b", 50, true, MEMORY_BIND));
  assert_ok(memory_plan_add(&plan, "c", 70, true, MEMORY_SOLVE));
  assert_ok(memory_plan_add(&plan, "d", 7, false, MEMORY_KEPT));
  assert_ok(memory_plan_add(&plan, "nothing", 0, false, MEMORY_KEPT));
  assert_int_equal(plan.n, 4);
  assert_int_equal(memory_plan_bytes(&plan, true), 170);
  assert_ok(memory_plan_add_since(&plan, "e", 30, true, MEMORY_SOLVE));
  assert_int_equal(memory_plan_bytes(&plan, true), 200);
  assert_ok(memory_plan_add(&plan, "f", 60, true, MEMORY_BIND));
  assert_int_equal(memory_plan_bytes(&plan, true), 210);
  plan.n = 4;
  assert_int_equal(memory_plan_bytes(&plan, true), 170);
  assert_int_equal(memory_plan_bytes(&plan, false), 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation_fails), cmocka_unit_test(plan_holds),
                                     cmocka_unit_test(plan_adds_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
