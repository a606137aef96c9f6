#include "tests/solver/rank_work.h"
#include "core/memory.h"
#include "mesh/order/order.h"

/* Of the halo: 8 vectors of three components side by side. */
enum { MOST_PARTS = PARTITION_PARTS + 1, HALO_BYTES = 24 * sizeof(double) };

static void turn(Mesh *mesh) {
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    const double y[2] = {0.8 * x[0] - 0.6 * x[1], 0.6 * x[0] + 0.8 * x[1]};
    x[0] = y[0];
    x[1] = y[1];
  }
}

Status rank_work_deal_out(Comm *comm, ElementKind kind, int each, RankWork *w) {
  const BoxParams box = {.kind = kind, .n = {each, each, each}, .size = {1, 1, 1}, .distort = 0.1};
  int64_t start[MOST_PARTS];
  int32_t n = 0;
  TRY(mesh_box(&box, &w->mesh));
  turn(w->mesh);
  ALLOC(w->number, w->mesh->n_node, "order");
  TRY(mesh_order(w->mesh, ORDER_HILBERT, w->number));
  TRY(partition_create(w->mesh->n_node, comm->n_rank, &w->partition));
  TRY(testing_rank_exec(comm, 1, &w->exec));
  const Partition *p = &w->partition;
  for (int32_t k = partition_part(p, p->own[comm->rank]); k < p->n_part && p->part[k] < p->own[comm->rank + 1]; ++k)
    start[n++] = p->part[k] - p->own[comm->rank];
  start[n] = p->own[comm->rank + 1] - p->own[comm->rank];
  TRY(sum_parts_create(w->exec, n, start, &w->parts));
  exec_sum_over(w->exec, w->parts);
  if (comm->n_rank == 1) return OK;
  TRY(local_mesh_create(w->mesh, p, w->number, comm->rank, &w->local));
  const HaloLists lists = local_mesh_lists(&w->local);
  TRY(halo_create(w->exec, &lists, HALO_BYTES, &w->halo));
  w->share = (NodeShare){&w->local, w->halo};
  return OK;
}

Status rank_work_assemble(Comm *comm, const MatParams *format, RankWork *w) {
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
  TRY(mat_create(w->exec, format, elasticity_pattern(w->e), &w->a));
  TRY(elasticity_bind(w->e, mat_slots(w->a)));
  EXEC_ALLOC(w->exec, w->u, elasticity_dofs(w->e), "u");
  EXEC_ALLOC(w->exec, w->x, elasticity_dofs(w->e), "x");
  EXEC_ALLOC(w->exec, w->b, elasticity_dofs(w->e), "b");
  TRY(elasticity_initial(w->e, w->u));
  TRY(elasticity_tangent(w->e, w->u, mat_values(w->a)));
  return elasticity_residual(w->e, w->u, w->b);
}

void rank_work_release(RankWork *w) {
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
