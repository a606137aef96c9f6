/* p-multigrid where ranks share a body, with supports in frames of their own: the iterations and the bits of one rank.
 * Ranks are threads here. */
#include "core/memory.h"
#include "solver/krylov/linear.h"
#include "tests/solver/rank_work.h"

#include <stdlib.h>
#include <string.h>

static const char *const PRECISIONS[] = {"double", "mixed", "half"};
enum { N_WAYS = sizeof PRECISIONS / sizeof *PRECISIONS, ROWS = 20000 };

/* What all ranks of a run fill in: own rows in the solver's order of the whole. */
typedef struct Answer {
  ElementKind kind;
  int n;
  int64_t iterations[N_WAYS], products[N_WAYS];
  double x[N_WAYS][ROWS];
} Answer;

static Status solve_with(const RankWork *w, int way, const OrderTransfers *lower, const double *motions,
                         LinearReport *report) {
  LinearSolver *solver = NULL;
  LinearParams params = linear_params_default();
  params.rtol = 1e-5;
  params.preconditioner = "pmg";
  params.pattern = elasticity_pattern(w->e);
  params.near_null = motions;
  params.n_near_null = elasticity_rigid_count(w->e);
  params.lower = lower->level;
  params.n_lower = lower->n;
  TRY(linear_params_precision(&params, PRECISIONS[way]));
  TRY(linear_create(w->exec, &params, w->a, &solver));
  Status status = linear_setup(solver);
  if (status == OK) status = exec_zero(w->exec, w->x, (size_t)elasticity_dofs(w->e) * sizeof *w->x);
  if (status == OK) status = linear_solve(solver, w->b, w->x, report);
  linear_destroy(&solver);
  return status;
}

static Status solve_all(const RankWork *w, Answer *answer) {
  OrderTransfers lower = {0};
  LinearReport report = {0};
  double *motions = NULL;
  Status status = OK;
  ALLOC_DONE(motions, elasticity_rigid_count(w->e) * elasticity_dofs(w->e), "motions");
  TRY_DONE(elasticity_rigid_motions(w->e, motions));
  TRY_DONE(elasticity_order_transfers(w->e, &lower));
  for (int way = 0; way < N_WAYS; ++way) {
    TRY_DONE(solve_with(w, way, &lower, motions, &report));
    answer->iterations[way] = report.iterations; /* the same on all ranks */
    answer->products[way] = report.products;
    memcpy(answer->x[way] + mat_first(w->a), w->x, (size_t)mat_rows(w->a) * sizeof *w->x);
  }
done:
  order_transfers_release(&lower);
  FREE(motions);
  return status;
}

static Status rank_solves(Comm *comm, void *context) {
  Answer *answer = context;
  RankWork w = {0};
  Status status = rank_work_deal_out(comm, answer->kind, answer->n, &w);
  if (status == OK) status = rank_work_assemble(comm, &(MatParams){.format = "sbell"}, &w);
  if (status == OK) status = solve_all(&w, answer);
  rank_work_release(&w);
  return status;
}

static void orders_on_ranks_are_those_of_one(void **state) {
  (void)state;
  static const struct {
    ElementKind kind;
    int n, n_rank[3];
  } CASES[] = {{ELEMENT_QUAD8, 44, {2, 3, 5}}, {ELEMENT_TET10, 8, {3}}, {ELEMENT_TET20, 5, {3}}};
  Answer *alone = calloc(1, sizeof *alone), *shared = calloc(1, sizeof *shared);
  for (size_t c = 0; c < sizeof CASES / sizeof *CASES; ++c) {
    memset(alone, 0, sizeof *alone);
    alone->kind = CASES[c].kind, alone->n = CASES[c].n;
    assert_ok(comm_threads_run(1, rank_solves, alone));
    for (int way = 0; way < N_WAYS; ++way) assert_in_range(alone->iterations[way], 3, 60);
    for (int r = 0; r < 3 && CASES[c].n_rank[r]; ++r) {
      memset(shared, 0, sizeof *shared);
      shared->kind = alone->kind, shared->n = alone->n;
      assert_ok(comm_threads_run(CASES[c].n_rank[r], rank_solves, shared));
      assert_memory_equal(shared->iterations, alone->iterations, sizeof alone->iterations);
      assert_memory_equal(shared->products, alone->products, sizeof alone->products);
      assert_memory_equal(shared->x, alone->x, sizeof alone->x);
    }
  }
  free(alone);
  free(shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders_on_ranks_are_those_of_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
