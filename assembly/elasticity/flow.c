/* How far the points of a step flow. */
#include "assembly/elasticity/bubble.h"
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/point_kernels.h"
#include "core/comm.h"
#include "core/memory.h"
#include "physics/material.h"

enum { FLOW_RUNS = 1024 };

Status flow_create(Elasticity *p, const ElasticityParams *params) {
  Exec *exec = p->space->exec;
  const int64_t n = p->space->set.n_solved;
  bool judged = false;
  for (int32_t m = 0; m < params->n_material; ++m) judged |= material_type(params->material[m].kind)->shape.judged;
  if (!judged || !(params->finite || params->in_load_steps)) return OK;
  p->n_flow = FLOW_PARTS * (n + FLOW_RUNS + 1);
  EXEC_ALLOC(exec, p->flow, p->n_flow, "flow of elements");
  if (p->points.n_modes) EXEC_ALLOC(exec, p->modes_before, p->points.n_modes, "incompatible modes before the step");
  if (p->work) EXEC_ALLOC(exec, p->before, p->space->n_read, "displacement before the step");
  return OK;
}

bool elasticity_flows(const Elasticity *p) { return p->flow; }

/* Of both ends of the step, as the states are still those at its start. */
static Status modes_before(const Elasticity *p, int32_t k, const double *before, FlowArgs *args) {
  PointArgs old = args->p;
  double *modes = p->modes_before + p->points.first_modes[k];
  old.e.u = before;
  old.modes = modes;
  old.dt = 0;
  args->modes = modes;
  TRY(bubbles_modes(p->space->exec, &old));
  return bubbles_modes(p->space->exec, &args->p);
}

Status elasticity_flow(Elasticity *p, const double *u, const FlowBefore *at, const double *before, double most[]) {
  Exec *exec = p->space->exec;
  const double gap = p->gap;
  const int64_t n = p->space->set.n_solved;
  double *part = p->flow + FLOW_PARTS * n, *all = part + (int64_t)FLOW_PARTS * FLOW_RUNS;
  RigidGroups *groups = &p->equations.groups;
  p->gap = at->gap;
  if (groups->n) TRY(rigid_groups_at_time(groups, at->time, NULL));
  const Status status = elasticity_global_frame(p, &before);
  p->gap = gap;
  TRY(status);
  if (groups->n) TRY(rigid_groups_at_time(groups, at->end, NULL));
  if (before == p->work) TRY(exec_copy(exec, p->before, p->work, (size_t)p->space->n_read * sizeof *before));
  if (before == p->work) before = p->before;
  TRY(elasticity_global_frame(p, &u));
  TRY(exec_zero(exec, p->flow, (size_t)FLOW_PARTS * (size_t)n * sizeof *p->flow));
  for (int32_t k = 0; k < p->space->set.n_solved_block; ++k) {
    const ElementArgs element = elasticity_element_args(p, k, u);
    FlowArgs args = {points_args(&p->points, k, 0, &element, p->space->block[k].stiffness.N), before, NULL,
                     p->flow + p->points.first_element[k], n};
    if (args.p.modes) TRY(modes_before(p, k, before, &args));
    if (args.p.nonlinear && args.p.law_row) TRY(exec_rows(exec, &flow_kernel, &args, element.n_elem));
  }
  const FlowMostArgs runs = {p->flow, n, FLOW_RUNS, part}, last = {part, FLOW_RUNS, 1, all};
  TRY(exec_rows(exec, &flow_most_kernel, &runs, (int64_t)FLOW_PARTS * FLOW_RUNS));
  TRY(exec_rows(exec, &flow_most_kernel, &last, FLOW_PARTS));
  TRY(exec_download(exec, most, all, FLOW_PARTS * sizeof *most));
  for (int k = 0; k < FLOW_PARTS; ++k) TRY(comm_most(exec->comm, &most[k]));
  return OK;
}
