/* Cavities whose volume is prescribed: volumes, their derivatives, and pressures in them. */
#include "assembly/elasticity/cavity.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>
#include <string.h>

static const SpringBlock *facets_of(const Elasticity *p, int32_t k) { return &p->loads.spring[p->loads.n_spring + k]; }
static int64_t points_of(const Elasticity *p, int32_t k) { return (int64_t)facets_of(p, k)->n * facets_of(p, k)->n_q; }

int32_t elasticity_cavities(const Elasticity *p) { return p->n_cavity; }

static Status upload_points(const Elasticity *p, int32_t cavity, int32_t k, double **out) {
  const int64_t n = points_of(p, k);
  double *host = NULL;
  ALLOC(host, n, "facets of a cavity");
  loads_in_cavity(&p->loads, k, cavity, host);
  const Status status = exec_alloc_upload(p->space->exec, n, sizeof *host, host, "facets of a cavity", (void **)out);
  FREE(host);
  return status;
}

/* Axes along which two planes close it take no part. */
static Status upload_place(const Elasticity *p, Cavity *of) {
  const Space *s = p->space;
  const int64_t n_own = s->n_dof / p->dim;
  double *place = NULL;
  uint8_t *out = NULL, bits = 0;
  Status status = OK;
  for (int i = 0; i < p->dim; ++i) bits |= (uint8_t)((of->closed.along[i] == 0) << i);
  ALLOC_DONE(place, s->n_dof, "places around a cavity");
  for (int32_t k = 0; k < s->mesh->n_node; ++k) {
    const int64_t at = numbering_rank(&s->numbering, k);
    for (int i = 0; i < p->dim && at < n_own; ++i)
      place[at * p->dim + i] = bits >> i & 1 ? 0 : s->mesh->x[k][i] - of->closed.x0[i];
  }
  status =
      exec_alloc_upload(s->exec, s->n_dof, sizeof *place, place, "places around a cavity", (void **)(void *)&of->place);
  if (status != OK || !bits) goto done;
  ALLOC_DONE(out, n_own, "axes across planes");
  memset(out, bits, (size_t)n_own);
  status = exec_alloc_upload(s->exec, n_own, sizeof *out, out, "axes across planes", (void **)(void *)&of->out);
done:
  FREE(place);
  FREE(out);
  return status;
}

Status cavities_create(Elasticity *p) {
  Exec *exec = p->space->exec;
  if (!p->n_cavity) return OK;
  EXEC_ALLOC(exec, p->volume, 1, "volume of a cavity");
  EXEC_ALLOC(exec, p->pull, p->space->n_dof, "forces around a cavity");
  for (int32_t i = 0; i < p->n_cavity; ++i) TRY(upload_place(p, &p->cavity[i]));
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    EXEC_ALLOC(exec, p->known_pressure[k], points_of(p, k), "pressure on facets");
    for (int32_t i = 0; i < p->n_cavity; ++i) TRY(upload_points(p, i, k, &p->in_cavity[i][k]));
  }
  return lids_create(p);
}

void cavities_release(Elasticity *p) {
  Exec *exec = p->space->exec;
  EXEC_RELEASE(exec, p->volume, 1);
  EXEC_RELEASE(exec, p->pull, p->space->n_dof);
  for (int32_t i = 0; i < p->n_cavity; ++i) {
    EXEC_RELEASE(exec, p->cavity[i].place, p->space->n_dof);
    EXEC_RELEASE(exec, p->cavity[i].out, p->space->n_dof / p->dim);
  }
  lids_release(p);
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    EXEC_RELEASE(exec, p->known_pressure[k], points_of(p, k));
    for (int32_t i = 0; i < ELASTIC_CAVITIES; ++i) EXEC_RELEASE(exec, p->in_cavity[i][k], points_of(p, k));
  }
}

Status cavities_press(Elasticity *p) {
  Exec *exec = p->space->exec;
  for (int32_t k = 0; p->n_cavity && k < p->loads.n_follower; ++k) {
    const int64_t n = points_of(p, k);
    TRY(exec_copy(exec, p->pressure[k], p->known_pressure[k], (size_t)n * sizeof(double)));
    for (int32_t i = 0; i < p->n_cavity; ++i)
      TRY(vec_axpy(exec, n, p->cavity_pressure[i], p->in_cavity[i][k], p->pressure[k]));
  }
  return OK;
}

Status elasticity_press_cavities(Elasticity *p, const double *pressure) {
  bool same = true;
  for (int32_t i = 0; i < p->n_cavity; ++i) {
    same = same && p->cavity_pressure[i] == pressure[i];
    p->cavity_pressure[i] = pressure[i];
  }
  return same ? OK : cavities_press(p);
}

/* Forces of a pressure of 1 in cavity i on its facets, to the room for forces. */
static Status facets_pull(const Elasticity *p, int32_t i, const double *u) {
  const Space *s = p->space;
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    const SetBlock *b = &s->set.block[s->set.n_solved_block + p->loads.n_spring + k];
    FollowerArgs args = follower_args(p, b, k, 0, u);
    args.pressure = p->in_cavity[i][k];
    TRY(exec_rows(s->exec, &follower_force_kernel, &args, b->n));
  }
  return OK;
}

static Status pull_along(const Elasticity *p, const double *x, double factor, double *sum) {
  double part;
  TRY(vec_dot(p->space->exec, p->space->n_dof, x, p->pull, p->volume));
  TRY(exec_download(p->space->exec, &part, p->volume, sizeof part));
  *sum += factor * part;
  return OK;
}

/* w is what facets say of it at their nodes, so V = sum w . f of all nodes, with the forces f of a pressure of 1: a sum over rows, which is
 * the same for any number of ranks. */
static Status volume_of(const Elasticity *p, int32_t i, const double *u, double *out) {
  const Space *s = p->space;
  const Cavity *of = &p->cavity[i];
  const MassFixedArgs without = {of->out, p->pull, p->dim};
  const double along = fmax(of->closed.along[0], fmax(of->closed.along[1], of->closed.along[2]));
  *out = 0;
  TRY(facets_pull(p, i, u));
  TRY(followers_gather_all(p, p->pull));
  if (of->out) TRY(exec_rows(s->exec, &mass_fixed_kernel, &without, s->n_dof / p->dim));
  TRY(pull_along(p, of->place, along, out));
  TRY(pull_along(p, u, along, out));
  return lids_volume(p, i, u, out);
}

void elasticity_closures(const Elasticity *p, CavityClosure *closure) {
  for (int32_t i = 0; i < p->n_cavity; ++i) closure[i] = p->cavity[i].closed;
}

const LidRims *elasticity_rims(const Elasticity *p) { return &p->rims; }

Status elasticity_cavity_volumes(Elasticity *p, const double *u, double *volume) {
  if (!p->n_cavity) return OK;
  TRY(elasticity_global_frame(p, &u));
  TRY(space_need_forces(p->space));
  for (int32_t i = 0; i < p->n_cavity; ++i) TRY(volume_of(p, i, u, &volume[i]));
  return OK;
}

Status elasticity_cavity_forces(Elasticity *p, const double *u, int32_t i, double *g) {
  TRY(elasticity_global_frame(p, &u));
  TRY(space_need_forces(p->space));
  TRY(facets_pull(p, i, u));
  TRY(followers_gather(p, g));
  TRY(lids_force(p, i, 1, u, NULL, p->supports.exec_fixed, g));
  return elasticity_reduce(p, g);
}
