/* Cavities whose volume is prescribed: volumes, their derivatives, and pressures in them. */
#include "assembly/elasticity/cavity.h"
#include "core/memory.h"
#include "core/vec.h"

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

Status cavities_create(Elasticity *p) {
  Exec *exec = p->space->exec;
  if (!p->n_cavity) return OK;
  EXEC_ALLOC(exec, p->volume, 1, "volume of a cavity");
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    EXEC_ALLOC(exec, p->known_pressure[k], points_of(p, k), "pressure on facets");
    for (int32_t i = 0; i < p->n_cavity; ++i) TRY(upload_points(p, i, k, &p->in_cavity[i][k]));
  }
  return lids_create(p);
}

void cavities_release(Elasticity *p) {
  Exec *exec = p->space->exec;
  EXEC_RELEASE(exec, p->volume, 1);
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

static Status volume_of(const Elasticity *p, int32_t i, const double *u, double *out) {
  const Space *s = p->space;
  *out = 0;
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    const SetBlock *b = &s->set.block[s->set.n_solved_block + p->loads.n_spring + k];
    CavityVolumeArgs args = {.facets = follower_args(p, b, k, 0, u), .volume = p->volume};
    double part;
    args.facets.pressure = p->in_cavity[i][k];
    for (int c = 0; c < 3; ++c) {
      args.Q[4 * c] = p->cavity[i].along[c];
      args.x0[c] = p->cavity[i].x0[c];
    }
    TRY(exec_rows(s->exec, &cavity_volume_kernel, &args, b->n));
    TRY(exec_download(s->exec, &part, p->volume, sizeof part));
    *out += part;
  }
  return lids_volume(p, i, u, out);
}

Status elasticity_cavity_volumes(Elasticity *p, const double *u, double *volume) {
  TRY(elasticity_global_frame(p, &u));
  for (int32_t i = 0; i < p->n_cavity; ++i) TRY(volume_of(p, i, u, &volume[i]));
  return OK;
}

Status elasticity_cavity_forces(Elasticity *p, const double *u, int32_t i, double *g) {
  const Space *s = p->space;
  TRY(elasticity_global_frame(p, &u));
  TRY(space_need_forces(p->space));
  for (int32_t k = 0; k < p->loads.n_follower; ++k) {
    const SetBlock *b = &s->set.block[s->set.n_solved_block + p->loads.n_spring + k];
    FollowerArgs args = follower_args(p, b, k, 0, u);
    args.pressure = p->in_cavity[i][k];
    TRY(exec_rows(s->exec, &follower_force_kernel, &args, b->n));
  }
  TRY(followers_gather(p, g));
  TRY(lids_force(p, i, 1, u, NULL, p->supports.exec_fixed, g));
  return elasticity_reduce(p, g);
}
