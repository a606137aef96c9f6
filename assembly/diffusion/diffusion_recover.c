/* Between the host and the Exec, and what a solution gives: fluxes of elements, what flows in through supports. */
#include "assembly/diffusion/diffusion_data.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

#define PICK diffusion_flux
#include "assembly/space/pick_kernel.tmpl.h"
#define PICK_SURFACES
#define PICK diffusion_flux_surface
#include "assembly/space/pick_kernel.tmpl.h"

Status diffusion_initial(Diffusion *p, const double *value, double *u) {
  const size_t bytes = (size_t)p->space->n_node * sizeof *u;
  int32_t first = p->space->n_node;
#pragma omp parallel for schedule(static) reduction(min : first)
  for (int32_t i = 0; i < p->space->n_node; ++i)
    if (value && !isfinite(value[i]) && i < first) first = i;
  if (first < p->space->n_node) {
    const int32_t i = first;
    const double *x = p->space->mesh->x[i];
    return FAIL(ERR_INPUT, "the initial value is %s at node %lld (%g, %g, %g), must be finite",
                isnan(value[i]) ? "not a number" : "infinite", (long long)p->space->mesh->node_tag[i], x[0], x[1],
                x[2]);
  }
  TRY(value ? space_upload(p->space, value, u) : exec_zero(p->space->exec, u, bytes));
  return diffusion_prescribed(p, p->time, u);
}

Status diffusion_download(Diffusion *p, const double *u, double *out) { return space_download(p->space, u, out); }

static Status recovery_create(Diffusion *p) {
  const Space *s = p->space;
  const Numbering *numbering = &s->numbering;
  if (p->recovers) return OK;
  if (numbering->rank)
    TRY(exec_alloc_upload(s->exec, s->n_node, sizeof *p->mesh_node, numbering->node, "numbering of the nodes",
                          (void **)&p->mesh_node));
  for (int32_t k = 0; k < s->set.n_solved_block; ++k)
    if (numbering->element[k])
      TRY(exec_alloc_upload(s->exec, s->set.block[k].n, sizeof(int32_t), numbering->element[k], "order of the elements",
                            (void **)&p->mesh_element[k]));
  EXEC_ALLOC(s->exec, p->loads_now, s->n_node, "loads for reactions");
  EXEC_ALLOC(s->exec, p->unbalanced, s->n_node, "unbalanced loads");
  p->recovers = true;
  return OK;
}

void diffusion_recovery_release(Diffusion *p) {
  const Space *s = p->space;
  EXEC_RELEASE(s->exec, p->mesh_node, s->n_node);
  for (int32_t k = 0; k < s->set.n_solved_block; ++k) EXEC_RELEASE(s->exec, p->mesh_element[k], s->set.block[k].n);
  EXEC_RELEASE(s->exec, p->loads_now, s->n_node);
  EXEC_RELEASE(s->exec, p->unbalanced, s->n_node);
  p->recovers = false;
}

/* Those that are there after a failure are taken again. */
static Status recovery_ready(Diffusion *p) {
  const Status status = recovery_create(p);
  if (status != OK) diffusion_recovery_release(p);
  return status;
}

Status diffusion_flux(Diffusion *p, const double *u, double *out) {
  const Space *s = p->space;
  TRY(recovery_ready(p));
  TRY(space_bring_halo(s, u));
  for (int32_t k = 0, first = 0; k < s->set.n_solved_block; first += s->set.block[k++].n) {
    DiffusionArgs args = diffusion_args(p, k);
    args.u = u;
    args.flux = out + 3 * (int64_t)first;
    args.element = p->mesh_element[k];
    const ElementKind kind = s->set.block[k].type->kind;
    TRY(exec_rows(s->exec, s->mesh->in_space ? diffusion_flux_surface_kernel(kind) : diffusion_flux_kernel(kind), &args,
                  args.n_elem));
  }
  return OK;
}

static Status nodes_arrange(const Diffusion *p, const double *v, const uint8_t *fixed, double *out) {
  const DiffusionArrangeArgs args = {p->mesh_node, fixed, v, out};
  return exec_rows(p->space->exec, &diffusion_arrange_kernel, &args, p->space->n_node);
}

Status diffusion_reaction(Diffusion *p, double time, const double *u, const double *rate, double *out) {
  TRY(recovery_ready(p));
  TRY(diffusion_load(p, time, p->loads_now));
  TRY(diffusion_residual(p, u, rate, p->loads_now, true, p->unbalanced));
  return nodes_arrange(p, p->unbalanced, p->supports.exec_fixed, out);
}

Status diffusion_arrange(Diffusion *p, const double *v, double *out) {
  TRY(recovery_ready(p));
  return nodes_arrange(p, v, NULL, out);
}

Status diffusion_group_sum(const Mesh *mesh, const Group *group, const double *nodal, double *out) {
  uint8_t *seen = NULL;
  *out = 0;
  ALLOC(seen, mesh->n_node, "nodes of a group");
  for (int32_t k = 0; k < group->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, group->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, group->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) {
      if (!seen[nodes[a]]) *out += nodal[nodes[a]];
      seen[nodes[a]] = 1;
    }
  }
  FREE(seen);
  return OK;
}

double diffusion_total_load(const Diffusion *p) {
  double total[3];
  loads_total(&p->loads, p->space->n_node, total);
  return total[0];
}
