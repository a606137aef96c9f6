/* Between the host and the Exec, and what a solution gives: fluxes of elements, what flows in through supports. */
#include "assembly/diffusion/diffusion_data.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

#define PICK diffusion_flux
#include "assembly/space/pick_kernel.tmpl.h"

Status diffusion_initial(Diffusion *p, const double *value, double *u) {
  const size_t bytes = (size_t)p->space->n_node * sizeof *u;
  for (int32_t i = 0; value && i < p->space->n_node; ++i) {
    const double *x = p->space->mesh->x[i];
    CHECK(isfinite(value[i]), ERR_INPUT, "the initial value is %s at node %lld (%g, %g, %g), must be finite",
          isnan(value[i]) ? "not a number" : "infinite", (long long)p->space->mesh->node_tag[i], x[0], x[1], x[2]);
  }
  TRY(value ? space_upload(p->space, value, u) : exec_zero(p->space->exec, u, bytes));
  return diffusion_prescribed(p, p->time, u);
}

Status diffusion_download(Diffusion *p, const double *u, double *out) { return space_download(p->space, u, out); }

const double *diffusion_in_mesh_order(const Diffusion *p, const double *from, double *room) {
  if (!p->space->arranged) return from;
  numbering_to_mesh(&p->space->numbering, sizeof *from, from, room);
  return room;
}

/* flux [n_solved] in the mesh's order from the Exec's. */
static void arrange_flux(const Diffusion *p, const double (*from)[3], double (*flux)[3]) {
  for (int32_t k = 0, first = 0; k < p->space->set.n_solved_block; first += p->space->set.block[k++].n) {
    const int32_t *element = p->space->numbering.element[k];
    for (int32_t e = 0; e < p->space->set.block[k].n; ++e)
      memcpy(flux[first + (element ? element[e] : e)], from[first + e], sizeof *flux);
  }
}

static Status recover_flux(Diffusion *p, const double *u, DiffusionFields *out) {
  Status status = OK;
  const int64_t n = p->space->set.n_solved;
  double *flux = NULL, (*solver)[3] = NULL;
  TRY_DONE(exec_alloc(p->space->exec, 3 * n, sizeof *flux, "fluxes", (void **)&flux));
  ALLOC_DONE(solver, n, "fluxes");
  ALLOC_DONE(out->flux, n, "fluxes");
  for (int32_t k = 0, first = 0; k < p->space->set.n_solved_block; first += p->space->set.block[k++].n) {
    DiffusionArgs args = diffusion_args(p, k);
    args.u = u;
    args.flux = flux + 3 * (int64_t)first;
    TRY_DONE(exec_rows(p->space->exec, diffusion_flux_kernel(p->space->set.block[k].type->kind), &args, args.n_elem));
  }
  TRY_DONE(exec_download(p->space->exec, solver, flux, (size_t)n * sizeof *solver));
  arrange_flux(p, (const double(*)[3])solver, out->flux);
done:
  EXEC_RELEASE(p->space->exec, flux, 3 * n);
  FREE(solver);
  return status;
}

static Status recover_reaction(Diffusion *p, double time, const double *u, const double *rate, DiffusionFields *out) {
  Status status = OK;
  const int32_t n = p->space->n_node;
  double *f = NULL, *r = NULL;
  TRY_DONE(exec_alloc(p->space->exec, n, sizeof *f, "loads for reactions", (void **)&f));
  TRY_DONE(exec_alloc(p->space->exec, n, sizeof *r, "unbalanced loads", (void **)&r));
  ALLOC_DONE(out->reaction, n, "reactions");
  TRY_DONE(diffusion_load(p, time, f));
  TRY_DONE(diffusion_residual(p, u, rate, f, true, r));
  TRY_DONE(space_download(p->space, r, out->reaction));
  for (int32_t i = 0; i < n; ++i) {
    out->reaction[i] = p->supports.fixed[i] ? -out->reaction[i] + 0.0 : 0;
    out->total_reaction += out->reaction[i];
  }
done:
  EXEC_RELEASE(p->space->exec, f, n);
  EXEC_RELEASE(p->space->exec, r, n);
  return status;
}

Status diffusion_recover(Diffusion *p, double time, const double *u, const double *rate, unsigned which,
                         DiffusionFields *out) {
  *out = (DiffusionFields){0};
  Status status = OK;
  if (which & DIFFUSION_FIELD_FLUX) status = recover_flux(p, u, out);
  if (status == OK && which & DIFFUSION_FIELD_REACTION) status = recover_reaction(p, time, u, rate, out);
  if (status != OK) diffusion_fields_release(out);
  return status;
}

void diffusion_fields_release(DiffusionFields *fields) {
  FREE(fields->flux);
  FREE(fields->reaction);
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
