/* Rigid motions in the unknowns of an elasticity problem. */
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/elasticity/rigid_motions.h"
#include "core/comm.h"
#include "core/memory.h"

int32_t elasticity_rigid_count(const Elasticity *p) { return rigid_motion_count(p->dim); }

/* Into the frames of nodes that have their own, u = R^T u_global; v [n_node][dim] in the solver's order. */
static void elasticity_modes_turn(const Elasticity *p, double *v) {
  const Supports *s = &p->supports;
  for (int32_t k = 0; k < s->n_frame; ++k) {
    const double *R = s->frame + 9 * (int64_t)k;
    double *u = v + (int64_t)numbering_rank(&p->space->numbering, s->frame_node[k]) * p->dim, t[3] = {0};
    for (int32_t c = 0; c < p->dim; ++c)
      for (int32_t d = 0; d < p->dim; ++d) t[c] += R[3 * d + c] * u[d];
    for (int32_t c = 0; c < p->dim; ++c) u[c] = t[c];
  }
}

/* About the centre of the whole body, whoever has which nodes. */
static Status modes_places(const Elasticity *p, RigidPlaces *out) {
  RigidReach reach = rigid_reach(p->space->mesh->n_node, (const double(*)[3])p->space->mesh->x);
  for (int k = 0; k < 6; ++k) TRY(comm_most(p->space->exec->comm, &reach.most[k]));
  *out = rigid_places(&reach);
  return OK;
}

Status elasticity_rigid_places(const Elasticity *p, RigidPlaces *out) {
  double framed = p->supports.n_frame > 0;
  TRY(modes_places(p, out));
  TRY(comm_most(p->space->exec->comm, &framed));
  out->x = framed > 0 ? NULL : p->space->x;
  out->part = p->part;
  return OK;
}

Status elasticity_rigid_motions(const Elasticity *p, double *out) {
  const Mesh *mesh = p->space->mesh;
  const Numbering *numbering = &p->space->numbering;
  RigidPlaces places;
  double(*x)[3] = NULL;
  TRY(modes_places(p, &places));
  if (numbering->rank) {
    ALLOC(x, mesh->n_node, "places of the nodes");
    numbering_to_solver(numbering, sizeof *x, mesh->x, x);
  }
  places.x = x ? &x[0][0] : &mesh->x[0][0];
  rigid_motions_at(&places, mesh->n_node, p->dim, out);
  for (int32_t k = 0; k < elasticity_rigid_count(p); ++k)
    elasticity_modes_turn(p, out + k * (int64_t)mesh->n_node * p->dim);
  FREE(x);
  return OK;
}
