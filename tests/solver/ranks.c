/* A body that several ranks share, with supports in frames of their own: conjugate gradients take the same iterations to
 * the same bits for any number of ranks, which are threads here. */
#include "core/memory.h"
#include "solver/krylov/linear.h"
#include "tests/solver/rank_work.h"

#include <math.h>
#include <string.h>

/* value: of amg, strength, cycle (1 V, 2 W, 3 K), smoother (1: Jacobi), bottom; cycle 0: as it comes. */
static const struct {
  const char *name, *precision;
  double value[4];
} WAYS[] = {{"jacobi", "double", {0}},      {"block-jacobi", "double", {0}},    {"chebyshev", "mixed", {0}},
            {"least-squares", "half", {0}}, {"chebyshev", "int8", {0}},         {"amg", "double", {0}},
            {"amg", "int8", {0}},           {"amg", "mixed", {0.06, 2, 1, 40}}, {"amg", "half", {0.03, 3, 0, 40}}};
enum { N_WAYS = sizeof WAYS / sizeof *WAYS };

/* What all ranks of a run fill in: own nodes in the solver's order of the whole. */
typedef struct Answer {
  ElementKind kind;
  int n;
  int64_t rows, iterations[N_WAYS];
  double *x[N_WAYS];
} Answer;

/* Rigid motions, as vectors where nodes have frames. */
static Status work_hints(const RankWork *w, LinearParams *params, double **motions) {
  params->pattern = elasticity_pattern(w->e);
  TRY(elasticity_rigid_places(w->e, &params->places));
  if (params->places.x) return OK;
  params->n_near_null = elasticity_rigid_count(w->e);
  ALLOC(*motions, params->n_near_null * elasticity_dofs(w->e), "rigid motions");
  params->near_null = *motions;
  return elasticity_rigid_motions(w->e, *motions);
}

static Status work_create(const RankWork *w, int way, LinearSolver **out) {
  LinearParams params = linear_params_default();
  double *motions = NULL;
  params.rtol = 1e-5;
  params.preconditioner = WAYS[way].name;
  if (WAYS[way].value[1] > 0) {
    params.has_values = true;
    memcpy(params.values, WAYS[way].value, sizeof params.values);
  }
  Status status = linear_params_precision(&params, WAYS[way].precision);
  if (status == OK) status = work_hints(w, &params, &motions);
  if (status == OK) status = linear_create(w->exec, &params, w->a, out);
  FREE(motions);
  return status;
}

static Status work_solve(const RankWork *w, int way, Answer *answer) {
  LinearSolver *solver = NULL;
  LinearReport report;
  bool blocks;
  double bound;
  TRY(work_create(w, way, &solver));
  Status status = OK;
  if (linear_wants_bound(solver, &blocks)) {
    status = elasticity_spectrum_bound(w->e, blocks, &bound);
    linear_set_bound(solver, bound);
  }
  if (status == OK) status = linear_setup(solver);
  if (status == OK) status = exec_zero(w->exec, w->x, (size_t)elasticity_dofs(w->e) * sizeof *w->x);
  if (status == OK) status = linear_solve(solver, w->b, w->x, &report);
  linear_destroy(&solver);
  if (mat_first(w->a) == 0)
    answer->iterations[way] = report.iterations; /* the same on all ranks: the first one writes */
  const size_t bytes = (size_t)elasticity_rows(w->e) * sizeof *w->x;
  return status == OK ? exec_download(w->exec, answer->x[way] + mat_first(w->a), w->x, bytes) : status;
}

static Status rank_solves(Comm *comm, void *context) {
  Answer *answer = context;
  RankWork w = {0};
  Status status = rank_work_deal_out(comm, answer->kind, answer->n, &w);
  if (status == OK) status = rank_work_assemble(comm, &(MatParams){.format = "sbell"}, &w);
  for (int way = 0; way < N_WAYS && status == OK; ++way) status = work_solve(&w, way, answer);
  rank_work_release(&w);
  return status;
}

static void answer_create(ElementKind kind, int n, Answer *answer) {
  const BoxParams box = {.kind = kind, .n = {n, n, n}, .size = {1, 1, 1}};
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&box, &mesh));
  *answer = (Answer){.kind = kind, .n = n, .rows = mesh->dim * (int64_t)mesh->n_node};
  for (int k = 0; k < N_WAYS; ++k) assert_ok(mem_alloc(answer->rows, sizeof(double), "answer", (void **)&answer->x[k]));
  mesh_destroy(&mesh);
}

static void answer_release(Answer *answer) {
  for (int k = 0; k < N_WAYS; ++k) FREE(answer->x[k]);
}

static void same_bits(void **state) {
  (void)state;
  static const struct {
    ElementKind kind;
    int n, n_rank[3];
  } CASES[] = {{ELEMENT_QUAD4, 67, {2, 5, 0}}, {ELEMENT_TET4, 11, {2, 0, 0}}};
  for (int c = 0; c < 2; ++c) {
    Answer alone;
    answer_create(CASES[c].kind, CASES[c].n, &alone);
    assert_ok(comm_threads_run(1, rank_solves, &alone));
    for (int r = 0; r < 3 && CASES[c].n_rank[r]; ++r) {
      Answer shared;
      answer_create(CASES[c].kind, CASES[c].n, &shared);
      assert_ok(comm_threads_run(CASES[c].n_rank[r], rank_solves, &shared));
      for (int way = 0; way < N_WAYS; ++way) {
        assert_true(alone.iterations[way] > 4);
        assert_int_equal(shared.iterations[way], alone.iterations[way]);
        assert_memory_equal(shared.x[way], alone.x[way], (size_t)alone.rows * sizeof(double));
      }
      answer_release(&shared);
    }
    answer_release(&alone);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
  Exec *exec = testing_exec(); /* ends here where there is none */
  exec_destroy(&exec);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
