/* Several right-hand sides on several ranks, which are threads here: each column takes the iterations and has the bits of
 * one rank. */
#include "core/memory.h"
#include "solver/krylov/linear_many.h"
#include "tests/solver/rank_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, ROWS = 3 * 16 * 16 * 16 };
static const struct {
  const char *precond, *precision, *format;
} WAYS[] = {{"jacobi", "double", "csr"},
            {"block-jacobi", "double", "sbell"},
            {"chebyshev", "mixed", "sbell"},
            {"least-squares", "half", "sbell"}};
enum { N_WAYS = sizeof WAYS / sizeof *WAYS };

/* What all ranks of a run fill in: own rows in the solver's order of the whole. */
typedef struct Answer {
  int64_t iterations[N_WAYS][COLUMNS];
  double x[N_WAYS][COLUMNS][ROWS];
} Answer;

typedef struct Columns {
  double *b, *x; /* [COLUMNS][rows], [COLUMNS][columns], on the Exec, which is the host */
  LinearSolver *solver;
  LinearMany *many;
} Columns;

static Status columns_fill(const RankWork *w, Columns *c) {
  const int64_t n = mat_rows(w->a), first = mat_first(w->a);
  EXEC_ALLOC(w->exec, c->b, COLUMNS * n, "b");
  EXEC_ALLOC(w->exec, c->x, COLUMNS * mat_columns(w->a), "x");
  TRY(exec_zero(w->exec, c->x, (size_t)(COLUMNS * mat_columns(w->a)) * sizeof *c->x));
  for (int64_t k = 0; k < COLUMNS; ++k)
    for (int64_t i = 0; i < n; ++i) c->b[k * n + i] = k == 3 ? 0 : w->b[i] * cos((double)(k * (first + i)));
  return OK;
}

static Status columns_solve(const RankWork *w, int way, Columns *c, Answer *answer) {
  LinearParams params = linear_params_default();
  LinearReport report[COLUMNS];
  int32_t failed;
  params.rtol = 1e-3;
  params.preconditioner = WAYS[way].precond;
  TRY(linear_params_precision(&params, WAYS[way].precision));
  TRY(linear_create(w->exec, &params, w->a, &c->solver));
  TRY(linear_setup(c->solver));
  TRY(linear_many_create(c->solver, COLUMNS, &c->many));
  const char *note = linear_many_note(c->many);
  CHECK(!note || !strstr(note, "one after another"), ERR_BUG, "%s", note);
  TRY(linear_solve_many(c->many, c->b, c->x, COLUMNS, report, &failed));
  for (int k = 0; k < COLUMNS; ++k) {
    answer->iterations[way][k] = report[k].iterations; /* the same on all ranks */
    memcpy(answer->x[way][k] + mat_first(w->a), c->x + k * mat_columns(w->a), (size_t)mat_rows(w->a) * sizeof *c->x);
  }
  return OK;
}

static Status one_way(Comm *comm, int way, Answer *answer) {
  RankWork w = {0};
  Columns c = {0};
  Status status = rank_work_deal_out(comm, ELEMENT_TET4, 15, &w);
  if (status == OK) status = rank_work_assemble(comm, &(MatParams){.format = WAYS[way].format}, &w);
  if (status == OK) status = columns_fill(&w, &c);
  if (status == OK) status = columns_solve(&w, way, &c, answer);
  linear_many_destroy(&c.many);
  linear_destroy(&c.solver);
  if (c.b) EXEC_RELEASE(w.exec, c.b, COLUMNS * mat_rows(w.a));
  if (c.x) EXEC_RELEASE(w.exec, c.x, COLUMNS * mat_columns(w.a));
  rank_work_release(&w);
  return status;
}

static Status rank_solves(Comm *comm, void *context) {
  for (int way = 0; way < N_WAYS; ++way) TRY(one_way(comm, way, context));
  return OK;
}

static void columns_are_those_of_one_rank(void **state) {
  (void)state;
  Answer *alone = calloc(1, sizeof *alone), *shared = calloc(1, sizeof *shared);
  assert_ok(comm_threads_run(1, rank_solves, alone));
  for (int way = 0; way < N_WAYS; ++way) assert_true(alone->iterations[way][0] > 3);
  for (int r = 2; r < 4; ++r) {
    memset(shared, 0, sizeof *shared);
    assert_ok(comm_threads_run(r, rank_solves, shared));
    assert_memory_equal(shared->iterations, alone->iterations, sizeof alone->iterations);
    assert_memory_equal(shared->x, alone->x, sizeof alone->x);
  }
  free(alone);
  free(shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_those_of_one_rank)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
