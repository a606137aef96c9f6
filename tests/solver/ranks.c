/* A body that several ranks share, with supports in frames of their own: conjugate gradients take the same iterations to
 * the same bits for any number of ranks, which are threads here. */
#include "assembly/elasticity/elasticity.h"
#include "core/comm.h"
#include "core/halo.h"
#include "core/memory.h"
#include "core/sum_parts.h"
#include "mesh/order/order.h"
#include "solver/krylov/linear.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *name, *precision;
} WAYS[] = {{"jacobi", "double"},
            {"block-jacobi", "double"},
            {"chebyshev", "mixed"},
            {"least-squares", "half"},
            {"chebyshev", "int8"}};
enum { N_WAYS = sizeof WAYS / sizeof *WAYS, MOST_PARTS = PARTITION_PARTS + 1 };

/* What all ranks of a run fill in: own nodes in the solver's order of the whole. */
typedef struct Answer {
  ElementKind kind;
  int n;
  int64_t rows, iterations[N_WAYS];
  double *x[N_WAYS];
} Answer;

/* All that a rank has. */
typedef struct RankWork {
  Mesh *mesh;
  int32_t *number, *material;
  Partition partition;
  LocalMesh local;
  NodeShare share;
  Halo *halo;
  SumParts *parts;
  Exec *exec;
  Elasticity *e;
  Mat *a;
  double *u, *b, *x;
} RankWork;

static void turn(Mesh *mesh) {
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    const double y[2] = {0.8 * x[0] - 0.6 * x[1], 0.6 * x[0] + 0.8 * x[1]};
    x[0] = y[0];
    x[1] = y[1];
  }
}

/* Mesh, order, and this rank's share of it; one rank is the whole as it always was. */
static Status work_deal_out(Comm *comm, const Answer *answer, RankWork *w) {
  const BoxParams box = {
      .kind = answer->kind, .n = {answer->n, answer->n, answer->n}, .size = {1, 1, 1}, .distort = 0.1};
  int64_t start[MOST_PARTS];
  int32_t n = 0;
  TRY(mesh_box(&box, &w->mesh));
  turn(w->mesh);
  ALLOC(w->number, w->mesh->n_node, "order");
  TRY(mesh_order(w->mesh, ORDER_HILBERT, w->number));
  TRY(partition_create(w->mesh->n_node, comm->n_rank, &w->partition));
  TRY(exec_create_cpu(1, &w->exec));
  TRY(exec_join(w->exec, comm));
  const Partition *p = &w->partition;
  for (int32_t k = partition_part(p, p->own[comm->rank]); k < p->n_part && p->part[k] < p->own[comm->rank + 1]; ++k)
    start[n++] = p->part[k] - p->own[comm->rank];
  start[n] = p->own[comm->rank + 1] - p->own[comm->rank];
  TRY(sum_parts_create(w->exec, n, start, &w->parts));
  if (comm->n_rank == 1) return OK;
  TRY(local_mesh_create(w->mesh, p, w->number, comm->rank, &w->local));
  const HaloLists lists = local_mesh_lists(&w->local);
  TRY(halo_create(w->exec, &lists, 9 * sizeof(double), &w->halo));
  w->share = (NodeShare){&w->local, w->halo};
  return OK;
}

static Status work_assemble(Comm *comm, RankWork *w) {
  const bool alone = comm->n_rank == 1;
  const Mesh *mesh = alone ? w->mesh : w->local.mesh;
  const MaterialValues material = {.kind = 0, .value = {1000, 0.3, 1, 0}};
  Support support[] = {{.on = mesh_group(mesh, "x0"), .symmetry = true, .where = "a"},
                       {.on = mesh_group(mesh, "y0"), .symmetry = true, .where = "b"},
                       {.on = mesh_group(mesh, mesh->dim == 3 ? "z0" : "x0"), .where = "c"}};
  Load load[] = {{.kind = LOAD_PRESSURE, .on = mesh_group(mesh, "x1"), .where = "d"},
                 {.kind = LOAD_SPRING, .on = mesh_group(mesh, "y1"), .where = "e"}};
  TRY(expr_parse("0.01 * x", &support[2].value[2]));
  TRY(expr_parse("1 + z", &load[0].value[0]));
  TRY(expr_parse("3", &load[1].value[2]));
  ALLOC(w->material, mesh->n_element, "materials");
  for (int32_t b = 0; b < mesh->n_block; ++b)
    for (int32_t e = 0; e < mesh->block[b].n; ++e)
      w->material[mesh->block[b].first + e] = element_type(mesh->block[b].kind)->dim == mesh->dim ? 0 : -1;
  int32_t n_support = 0, n_load = 0; /* a group of which nothing is here is left out */
  for (int k = 0; k < mesh->dim; ++k)
    if (support[k].on->n) support[n_support++] = support[k];
  for (int k = 0; k < 2; ++k)
    if (load[k].on->n) load[n_load++] = load[k];
  const ElasticityParams params = {.mesh = mesh,
                                   .model = mesh->dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRESS,
                                   .n_material = 1,
                                   .material = &material,
                                   .element_material = w->material,
                                   .n_support = n_support,
                                   .n_load = n_load,
                                   .support = support,
                                   .load = load,
                                   .node_rank = w->number,
                                   .share = alone ? NULL : &w->share};
  TRY(elasticity_create(w->exec, &params, &w->e));
  TRY(mat_create(w->exec, &(MatParams){.format = "sbell", .window = 1}, elasticity_pattern(w->e), &w->a));
  TRY(elasticity_bind(w->e, mat_slots(w->a)));
  EXEC_ALLOC(w->exec, w->u, elasticity_dofs(w->e), "u");
  EXEC_ALLOC(w->exec, w->x, elasticity_dofs(w->e), "x");
  EXEC_ALLOC(w->exec, w->b, elasticity_dofs(w->e), "b");
  TRY(elasticity_initial(w->e, w->u));
  TRY(elasticity_tangent(w->e, w->u, mat_values(w->a)));
  return elasticity_residual(w->e, w->u, w->b);
}

static Status work_solve(const RankWork *w, int way, Answer *answer) {
  LinearSolver *solver = NULL;
  LinearParams params = linear_params_default();
  LinearReport report;
  bool blocks;
  double bound;
  params.rtol = 1e-5;
  params.preconditioner = WAYS[way].name;
  TRY(linear_params_precision(&params, WAYS[way].precision));
  TRY(linear_create(w->exec, &params, w->a, &solver));
  Status status = OK;
  if (linear_wants_bound(solver, &blocks)) {
    status = elasticity_spectrum_bound(w->e, blocks, &bound);
    linear_set_bound(solver, bound);
  }
  if (status == OK) status = linear_setup(solver);
  if (status == OK) status = exec_zero(w->exec, w->x, (size_t)elasticity_dofs(w->e) * sizeof *w->x);
  if (status == OK) status = linear_solve(solver, w->b, w->x, &report);
  linear_destroy(&solver);
  answer->iterations[way] = report.iterations; /* the same on all ranks */
  const size_t bytes = (size_t)elasticity_rows(w->e) * sizeof *w->x;
  return status == OK ? exec_download(w->exec, answer->x[way] + mat_first(w->a), w->x, bytes) : status;
}

static void work_release(RankWork *w) {
  if (w->e) {
    EXEC_RELEASE(w->exec, w->u, elasticity_dofs(w->e));
    EXEC_RELEASE(w->exec, w->x, elasticity_dofs(w->e));
    EXEC_RELEASE(w->exec, w->b, elasticity_dofs(w->e));
  }
  mat_destroy(&w->a);
  elasticity_destroy(&w->e);
  halo_destroy(&w->halo);
  sum_parts_destroy(&w->parts);
  exec_destroy(&w->exec);
  local_mesh_release(&w->local);
  FREE(w->number);
  FREE(w->material);
  mesh_destroy(&w->mesh);
}

static Status rank_solves(Comm *comm, void *context) {
  Answer *answer = context;
  RankWork w = {0};
  Status status = work_deal_out(comm, answer, &w);
  if (status == OK) {
    exec_sum_over(w.exec, w.parts);
    status = work_assemble(comm, &w);
  }
  for (int way = 0; way < N_WAYS && status == OK; ++way) status = work_solve(&w, way, answer);
  work_release(&w);
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
        assert_true(alone.iterations[way] > 5);
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
  return cmocka_run_group_tests(tests, NULL, NULL);
}
