/* Rigid groups when a motion or load steps start: what is prescribed of them is where that says, and as fast; the rest of their motion is at
 * rest, or that of the velocities that are given, in the mean over the nodes. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/transient.h"
#include "core/memory.h"
#include "mesh/make/slit.h"

#include <math.h>

static const char WHAT[] = "start of rigid groups";

/* Displacement of the point and rotation vector, then their rates; bits of `held`: which are prescribed. */
typedef struct Start {
  RigidGroup group;
  double way[6], rate[6];
} Start;

/* Of t = 0, and by one-sided differences over the first step, exact for cubic motions. */
static Start start_of(const Case *c, const CaseBoundary *b) {
  const double h = (c->steps.n ? case_step(c, 0)->step.value : c->time.step.value) / 3, origin[3] = {0};
  static const double weight[] = {-11. / 6, 3, -1.5, 1. / 3};
  const int32_t dim = case_dim(c);
  Start s = {.group = {.dim = dim, .size = 1, .small = !elastic_has(c, HAS_LARGE_STRAIN)}};
  for (int32_t k = 0; k < dim; ++k) s.group.at[k] = b->rigid.at.value[k];
  for (int i = 0; i < 6; ++i) {
    const ExprValue *value = case_part_of(b, CASE_RIGID + i);
    if (!place_given(value->place)) continue;
    s.group.held |= 1 << i;
    s.way[i] = expr_value(&value->expr, origin, 0);
    for (int k = 0; k < 4; ++k) s.rate[i] += weight[k] / h * expr_value(&value->expr, origin, k * h);
  }
  return s;
}

/* Component c of the velocity at a lever from the point. */
static double turned(const double rate[6], const double *lever, int c) {
  const int i = (c + 1) % 3, j = (c + 2) % 3;
  return rate[c] + rate[3 + i] * lever[j] - rate[3 + j] * lever[i];
}

/* What is not prescribed: by least squares from velocities v; stays at rest where the nodes do not say it. */
static void rate_fit(const int32_t n, const int64_t *row, const double (*lever)[3], const double *v, Start *s) {
  const int32_t dim = s->group.dim, free = dim == 3 ? 6 : 3;
  double a[RIGID_FREEDOMS][RIGID_FREEDOMS] = {{0}}, inverse[RIGID_FREEDOMS][RIGID_FREEDOMS], r[RIGID_FREEDOMS] = {0};
  double out[RIGID_FREEDOMS], f[RIGID_FREEDOMS];
  for (int32_t k = 0; k < n * dim; ++k) {
    rigid_freedoms(&s->group, lever[k / dim], k % dim, f);
    for (int i = 0; i < free; ++i) {
      r[i] += f[i] * v[row[k / dim] + k % dim];
      for (int j = 0; j < free; ++j) a[i][j] += f[i] * f[j];
    }
  }
  if (!(rigid_invert(free, a, inverse) > 0)) return;
  for (int i = 0; i < free; ++i) {
    const int at = i < dim ? i : 3 + rigid_axis(&s->group, i);
    out[i] = 0;
    for (int j = 0; j < free; ++j) out[i] += inverse[i][j] * r[j];
    if (!(s->group.held >> at & 1)) s->rate[at] = out[i];
  }
}

/* Of the nodes of a group, marked: u and v [rows]. u stays where the case gives it. */
static Status group_start(const ElasticRun *w, const uint8_t *mark, Start *s, bool fit, double *u, double *v) {
  const Mesh *mesh = run_mesh(w->run);
  const int32_t dim = s->group.dim;
  const bool given = w->run->c->initial.displacement.n > 0;
  const int64_t rows = elasticity_rows(w->elasticity);
  int64_t *row = NULL;
  double(*lever)[3] = NULL, rotation[9];
  int32_t n = 0;
  Status status = OK;
  ALLOC_DONE(row, rows / dim, WHAT);
  ALLOC_DONE(lever, rows / dim, WHAT);
  rigid_rotation(s->way + 3, s->group.small, rotation);
  for (int64_t k = 0; k < rows; k += dim) {
    const double *x = mesh->x[elasticity_node(w->elasticity, k)];
    if (!mark[elasticity_node(w->elasticity, k)]) continue;
    rigid_from_point(&s->group, x, lever[n]);
    for (int c = 0; c < dim; ++c) {
      if (!given) u[k + c] = rigid_moved(&s->group, s->way, rotation, x, c);
      if (!s->group.small) lever[n][c] += u[k + c] - s->way[c];
    }
    row[n++] = k;
  }
  if (fit) rate_fit(n, row, (const double(*)[3])lever, v, s);
  for (int32_t k = 0; k < n; ++k)
    for (int c = 0; c < dim; ++c) v[row[k] + c] = turned(s->rate, lever[k], c);
done:
  FREE(row);
  FREE(lever);
  return status;
}

static Status group_mark(const Mesh *mesh, const Group *on, uint8_t *mark) {
  int32_t *node = NULL, n;
  for (int32_t i = 0; i < mesh->n_node; ++i) mark[i] = 0;
  TRY(mesh_group_nodes(mesh, on, &n, &node));
  for (int32_t i = 0; i < n; ++i) mark[node[i]] = 1;
  FREE(node);
  return OK;
}

/* All groups, in the order of ElasticSetup.rigid; those of which nothing is prescribed where velocities are given. */
static Status groups_start(ElasticRun *w, bool fit, double *u, double *v, bool *fast) {
  const Case *c = w->run->c;
  const ElasticSetup *own = elastic_setup(run_setup(w->run, &w->setup));
  const MapsValue *all = case_acting(c);
  uint8_t *mark = NULL;
  Status status = OK;
  ALLOC_DONE(mark, run_mesh(w->run)->n_node, WHAT);
  for (int32_t i = 0, g = 0; i < all->n && g < own->n_rigid; ++i) {
    const CaseBoundary *b = maps_item(all, sizeof(CaseBoundary), i);
    Start s = start_of(c, b);
    if (!place_given(b->rigid.place)) continue;
    const Group *on = own->rigid[g++].on;
    if (!s.group.held && !fit) continue;
    TRY_DONE(group_mark(run_mesh(w->run), on, mark));
    TRY_DONE(group_start(w, mark, &s, fit, u, v));
    for (int k = 0; k < 6; ++k) *fast = *fast || s.rate[k] < 0 || s.rate[k] > 0;
  }
done:
  FREE(mark);
  return status;
}

Status rigid_start(ElasticRun *w, double **velocity) {
  Exec *exec = w->run->device.exec;
  const size_t bytes = (size_t)w->n * sizeof(double);
  double *u = NULL, *v = NULL;
  const bool given = velocity && *velocity;
  bool fast = given;
  Status status = OK;
  if (!elastic_setup(run_setup(w->run, &w->setup))->n_rigid || case_ramps(w->run->c)) return OK;
  ALLOC_DONE(u, w->n, WHAT);
  ALLOC_DONE(v, w->n, WHAT);
  TRY_DONE(exec_download(exec, u, w->u, bytes));
  if (given) TRY_DONE(exec_download(exec, v, *velocity, bytes));
  TRY_DONE(groups_start(w, given, u, v, &fast));
  TRY_DONE(exec_upload(exec, w->u, u, bytes));
  if (!velocity || !fast) goto done;
  if (!given) TRY_DONE(exec_alloc(exec, w->n, sizeof *v, "velocity", (void **)velocity));
  TRY_DONE(exec_upload(exec, *velocity, v, bytes));
done:
  FREE(u);
  FREE(v);
  return status;
}
