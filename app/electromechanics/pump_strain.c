/* Strains of a body in directions of the walls of its cavities, at nodes: across the wall, from the nearest place inside to the
 * nearest outside, along the axis of the cavity, and around it at right angles to both. At the apex, where the axis goes across the wall, the last two
 * have no direction, and are 0. Where there are several walls a node is of that whose inside is nearest. */
#include "app/electromechanics/pump.h"
#include "app/electromechanics/wall_side.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/run/ranks.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

/* Sine of the angle between the axis and the line across the wall from which directions along the wall are told. */
static const double SLANTED = 0.3;
enum { DIRECTIONS = CELL_RADIAL - CELL_CIRCUMFERENTIAL + 1 };
typedef double NodeDirections[DIRECTIONS][3];

static void place_of(const WallSide *side, const int32_t node[3], const double share[3], double x[3]) {
  for (int k = 0; k < 3; ++k) {
    x[k] = 0;
    for (int a = 0; a < 3; ++a) x[k] += share[a] * side->mesh->x[node[a]][k];
  }
}

/* The directions of a node by one wall, if it is nearer than *near; 0 where there are none. */
static void directions_by(const WallSide side[2], const double axis[3], const double x[3], double *near,
                          NodeDirections d) {
  double place[2][3], up[3], share[3], *across = d[CELL_RADIAL - CELL_CIRCUMFERENTIAL];
  int32_t node[3];
  const double far = wall_side_nearest(&side[0], x, node, share);
  if (!(far < *near)) return;
  *near = far;
  place_of(&side[0], node, share, place[0]);
  (void)wall_side_nearest(&side[1], x, node, share);
  place_of(&side[1], node, share, place[1]);
  memset(d, 0, sizeof(NodeDirections));
  vec3_minus(place[1], place[0], across);
  vec3_normalize(across);
  const double length = sqrt(vec3_dot(axis, axis)), slant = vec3_dot(axis, across) / length;
  for (int k = 0; k < 3; ++k) up[k] = axis[k] / length - slant * across[k];
  if (vec3_normalize(up) < SLANTED) return;
  memcpy(d[CELL_LONGITUDINAL - CELL_CIRCUMFERENTIAL], up, sizeof up);
  vec3_cross(up, across, d[0]);
}

static Status add_wall(const ElasticRun *w, int32_t cavity, double *near, NodeDirections *d) {
  const CaseWall *given = &case_cavity(w->run->c, cavity)->wall;
  const Mesh *mesh = w->run->mesh;
  const ElasticWall *wall = &elastic_setup(&w->setup)->wall[cavity];
  const double z[3] = {0, 0, 1};
  WallSide side[2] = {{0}};
  Status status = wall_side_create(mesh, wall->inside, &side[0]);
  if (status == OK) status = wall_side_create(mesh, wall->outside, &side[1]);
  for (int32_t i = 0; status == OK && i < mesh->n_node; ++i)
    directions_by(side, given->axis.n ? given->axis.value : z, mesh->x[i], &near[i], d[i]);
  for (int k = 0; k < 2; ++k) wall_side_release(&side[k]);
  return status;
}

static Status find_directions(const ElasticRun *w, double *near, NodeDirections *d) {
  const Case *c = w->run->c;
  for (int32_t i = 0; i < w->run->mesh->n_node; ++i) near[i] = INFINITY;
  for (int32_t i = 0; i < c->cavities.n && i < ELASTIC_CAVITIES; ++i)
    if (place_given(case_cavity(c, i)->wall.place)) TRY(add_wall(w, i, near, d));
  return OK;
}

/* Of the whole mesh, on rank 0. */
static Status directions_of_all(const ElasticRun *w, NodeDirections **out) {
  const int64_t n = w->run->mesh->n_node;
  double *near = NULL;
  ALLOC(*out, n, "directions of walls");
  ALLOC(near, n, "directions of walls");
  const Status status = find_directions(w, near, *out);
  FREE(near);
  return status;
}

/* Direction k of the nodes here, one array on the Exec; all: of the whole mesh, on rank 0. one: room for n of these. */
static Status direction_create(ElasticRun *w, int k, const NodeDirections *all, int64_t n, double (*one)[3]) {
  const Run *run = w->run;
  const int32_t n_here = run_mesh(run)->n_node;
  for (int64_t i = 0; all && i < n; ++i) memcpy(one[i], all[i][k], sizeof *one);
  if (run->share) TRY(comm_broadcast(run->params->comm, 0, one, n * (int64_t)sizeof *one));
  for (int32_t i = 0; run->share && i < n_here; ++i) /* ascending: nothing is written over that is still read */
    memmove(one[i], one[run->share->local.node[i]], sizeof *one);
  return exec_alloc_upload(run->device.exec, 3 * (int64_t)n_here, sizeof(double), one, "directions of walls",
                           (void **)&pump_own(w)->direction[k]);
}

Status pump_strain_create(ElasticRun *w) {
  const Run *run = w->run;
  NodeDirections *all = NULL;
  double(*one)[3] = NULL;
  if (!elastic_walls_asked(run->c)) return OK;
  const int32_t n_here = run_mesh(run)->n_node;
  const int64_t n = run->share ? run->share->local.n_whole : n_here;
  Status status = run_is_root(run) ? directions_of_all(w, &all) : OK;
  if (status == OK) status = mem_alloc(n, sizeof *one, "directions of walls", (void **)&one);
  status = ranks_agree(run, status);
  for (int k = 0; k < DIRECTIONS && status == OK; ++k) status = direction_create(w, k, all, n, one);
  if (status == OK)
    status = exec_alloc(run->device.exec, 6 * (int64_t)n_here, sizeof(double), "strains at nodes",
                        (void **)&pump_own(w)->strain);
  FREE(all);
  FREE(one);
  return status;
}

void pump_strain_release(ElasticRun *w) {
  PumpRun *o = pump_own(w);
  Exec *exec = w->run->device.exec;
  if (!exec || !o->direction[0]) return;
  const int64_t n = run_mesh(w->run)->n_node;
  for (int k = 0; k < DIRECTIONS; ++k) EXEC_RELEASE(exec, o->direction[k], 3 * n);
  EXEC_RELEASE(exec, o->strain, 6 * n);
}

Status pump_take(void *run, CellField field, double *room) {
  ElasticRun *w = run;
  PumpRun *o = pump_own(w);
  if (field >= CELL_PEAK_STRETCH) return pump_peaks_take(w, field, room);
  TRY(elastic_fields_take(w->elasticity, &w->fields, ELASTIC_STRAIN, o->strain));
  return elasticity_strain_along(w->elasticity, o->strain, o->direction[field - CELL_CIRCUMFERENTIAL], room);
}

void pump_strain_check(const Case *c, Diagnostics *out) {
  bool wall = false;
  for (int32_t i = 0; i < c->cavities.n; ++i) wall |= place_given(case_cavity(c, i)->wall.place);
  if (elastic_walls_asked(c) && !wall)
    report_error(out, c->output.place,
                 "strains in directions of a wall are asked for, and no cavity says what its wall is\n  such as: "
                 "cavities: [{name: lv, on: endo, pressure: 1.2, wall: epi}]");
}
