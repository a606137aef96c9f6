/* Thickness and strains of the wall of a cavity, as images show them: of lines through the wall, from the middle of each facet inside to
 * the nearest place outside, and of directions around and along the axis in these facets. All are means over the facets by their
 * area in the body as it was, of changes of length over length. Facets are flat between their corners. */
#include "app/electromechanics/pump.h"
#include "app/electromechanics/wall_side.h"
#include "app/run/ranks.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sine of the angle between the axis and a facet's normal from which directions along the facet are told; at the apex there are none. */
static const double SLANTED = 0.3;
static const char *const column[WALL_NUMBERS] = {"thickness", "radial-strain", "circumferential-strain",
                                                 "longitudinal-strain"};

typedef struct WallFacet {
  int32_t n, node[4];         /* corners */
  int32_t outside[3];         /* nodes of the place outside, */
  double share[3];            /* and their shares in it */
  double area, thickness;     /* as it was */
  double around[2], along[2]; /* directions by the two edges; 0: there are none */
} WallFacet;

/* ---- facets ---- */
/* Their middle, and two edges: of a quadrilateral those of its middle. u NULL: as it was. */
static void facet_edges(const WallFacet *f, const Mesh *mesh, const double (*u)[3], double x[3], double e[2][3]) {
  double at[4][3];
  for (int32_t a = 0; a < f->n; ++a)
    for (int k = 0; k < 3; ++k) at[a][k] = mesh->x[f->node[a]][k] + (u ? u[f->node[a]][k] : 0);
  for (int k = 0; k < 3; ++k) {
    x[k] = 0;
    for (int32_t a = 0; a < f->n; ++a) x[k] += at[a][k] / f->n;
    e[0][k] = f->n == 3 ? at[1][k] - at[0][k] : (at[1][k] + at[2][k] - at[0][k] - at[3][k]) / 2;
    e[1][k] = f->n == 3 ? at[2][k] - at[0][k] : (at[2][k] + at[3][k] - at[0][k] - at[1][k]) / 2;
  }
}

/* A direction in the plane of two edges by these. */
static void by_edges(double e[2][3], const double *d, double out[2]) {
  const double ee = vec3_dot(e[0], e[0]), ff = vec3_dot(e[1], e[1]), ef = vec3_dot(e[0], e[1]), det = ee * ff - ef * ef;
  out[0] = (vec3_dot(d, e[0]) * ff - vec3_dot(d, e[1]) * ef) / det,
  out[1] = (vec3_dot(d, e[1]) * ee - vec3_dot(d, e[0]) * ef) / det;
}

static void facet_create(const WallSide *of, int32_t element, const double axis[3], WallFacet *f) {
  const int32_t *node;
  double x[3], e[2][3], n[3], up[3], around[3], length = sqrt(vec3_dot(axis, axis)), slant = 0;
  *f = (WallFacet){.n = wall_corners(of->mesh, element, &node)};
  memcpy(f->node, node, (size_t)f->n * sizeof *node);
  facet_edges(f, of->mesh, NULL, x, e);
  vec3_cross(e[0], e[1], n);
  const double size = sqrt(vec3_dot(n, n));
  f->area = f->n == 3 ? size / 2 : size;
  f->thickness = wall_side_nearest(of, x, f->outside, f->share);
  for (int k = 0; k < 3; ++k) n[k] /= size, slant += n[k] * axis[k] / length;
  for (int k = 0; k < 3; ++k) up[k] = axis[k] / length - slant * n[k];
  const double sine = sqrt(vec3_dot(up, up));
  if (sine < SLANTED) return;
  for (int k = 0; k < 3; ++k) up[k] /= sine;
  vec3_cross(n, up, around);
  by_edges(e, up, f->along);
  by_edges(e, around, f->around);
}

static Status wall_create(const ElasticRun *w, const WallSide *of, int32_t cavity, PumpWall *out) {
  const CaseWall *given = &case_cavity(w->run->c, cavity)->wall;
  const Group *inside = elastic_setup(&w->setup)->wall[cavity].inside;
  const double z[3] = {0, 0, 1};
  char where[512];
  *out = (PumpWall){.cavity = cavity, .n = inside->n};
  ALLOC(out->facet, inside->n, "facets of a wall");
  for (int32_t k = 0; k < inside->n; ++k) {
    facet_create(of, inside->element[k], given->axis.n ? given->axis.value : z, &out->facet[k]);
    const double *x = of->mesh->x[out->facet[k].node[0]];
    CHECK(out->facet[k].thickness > 0, ERR_INPUT,
          "%s: the wall has no thickness beside (%g, %g, %g), where its facets are those of the cavity\n  remedy: the "
          "group of "
          "the facets on the other side",
          place_text(w->run->c->path, given->place, where, sizeof where), x[0], x[1], x[2]);
  }
  return OK;
}

/* Rank 0 has the facets of the whole. */
static Status facets_create(ElasticRun *w, int32_t cavity, PumpWall *out) {
  WallSide of;
  *out = (PumpWall){.cavity = cavity};
  if (!run_is_root(w->run)) return OK;
  Status status = wall_side_create(w->run->mesh, elastic_setup(&w->setup)->wall[cavity].outside, &of);
  if (status == OK) status = wall_create(w, &of, cavity, out);
  wall_side_release(&of);
  return status;
}

Status pump_walls_create(ElasticRun *w) {
  PumpRun *o = pump_own(w);
  const Case *c = w->run->c;
  for (int32_t i = 0; i < c->cavities.n && i < ELASTIC_CAVITIES; ++i)
    if (place_given(case_cavity(c, i)->wall.place))
      TRY(ranks_agree(w->run, facets_create(w, i, &o->wall[o->n_wall++])));
  if (!o->n_wall) return OK;
  ALLOC(o->here, run_mesh(w->run)->n_node, "displacement for walls");
  if (run_is_root(w->run)) ALLOC(o->u, w->run->mesh->n_node, "displacement for walls");
  return OK;
}

void pump_walls_release(ElasticRun *w) {
  PumpRun *o = pump_own(w);
  for (int32_t k = 0; k < o->n_wall; ++k) mem_free((void **)(void *)&o->wall[k].facet);
  mem_free((void **)(void *)&o->u);
  mem_free((void **)(void *)&o->here);
  if (o->room) EXEC_RELEASE(w->run->device.exec, o->room, 3 * (int64_t)run_mesh(w->run)->n_node);
  elastic_fields_release(&o->moved);
}

static double stretch_by(double e[2][3], const double by[2]) {
  double d[3];
  for (int k = 0; k < 3; ++k) d[k] = by[0] * e[0][k] + by[1] * e[1][k];
  return sqrt(vec3_dot(d, d));
}

static void wall_see(const Mesh *mesh, const double (*u)[3], PumpWall *wall) {
  double sum[WALL_NUMBERS] = {0}, area = 0, sides = 0, x[3], e[2][3];
  for (int32_t k = 0; k < wall->n; ++k) {
    const WallFacet *f = &wall->facet[k];
    double d[3];
    facet_edges(f, mesh, u, x, e);
    for (int c = 0; c < 3; ++c) {
      d[c] = -x[c];
      for (int a = 0; a < 3; ++a) d[c] += f->share[a] * (mesh->x[f->outside[a]][c] + u[f->outside[a]][c]);
    }
    const double thick = sqrt(vec3_dot(d, d));
    area += f->area;
    sum[WALL_THICKNESS] += f->area * thick, sum[WALL_RADIAL] += f->area * (thick / f->thickness - 1);
    if (f->along[0] == 0 && f->along[1] == 0) continue;
    sides += f->area;
    sum[WALL_CIRCUMFERENTIAL] += f->area * (stretch_by(e, f->around) - 1);
    sum[WALL_LONGITUDINAL] += f->area * (stretch_by(e, f->along) - 1);
  }
  for (int i = 0; i < WALL_NUMBERS; ++i) wall->value[i] = sum[i] / (i < WALL_CIRCUMFERENTIAL ? area : sides);
}

Status pump_moved(ElasticRun *w, const double *u, const double **moved) {
  PumpRun *o = pump_own(w);
  if (!o->room)
    EXEC_ALLOC(w->run->device.exec, o->room, 3 * (int64_t)run_mesh(w->run)->n_node, "displacement of the body");
  TRY(o->moved.own ? elasticity_recover_here(w->elasticity, u, &o->moved)
                   : elasticity_recover_begin(w->elasticity, u, FIELD_DISPLACEMENT, &o->moved));
  *moved = o->room;
  return elastic_fields_take(w->elasticity, &o->moved, ELASTIC_DISPLACEMENT, o->room);
}

Status pump_walls_see(ElasticRun *w, const double *u) {
  const Run *run = w->run;
  PumpRun *o = pump_own(w);
  const size_t bytes = (size_t)run_mesh(run)->n_node * sizeof *o->here;
  const double *moved;
  if (!o->n_wall) return OK;
  TRY(pump_moved(w, u, &moved));
  TRY(exec_download(run->device.exec, o->here, moved, bytes));
  if (run->share) TRY(collect(run->share->collector, OF_NODES, sizeof *o->here, o->here, o->u));
  else memcpy(o->u, o->here, bytes);
  for (int32_t k = 0; k < o->n_wall && run_is_root(run); ++k)
    wall_see(run->mesh, (const double(*)[3])o->u, &o->wall[k]);
  return OK;
}

void pump_walls_write(const ElasticRun *w, bool head) {
  const PumpRun *o = pump_own(w);
  for (int32_t k = 0; k < o->n_wall; ++k)
    for (int i = 0; i < WALL_NUMBERS; ++i) {
      if (head) fprintf(o->finite.loops, ",%s-%s", case_cavity(w->run->c, o->wall[k].cavity)->name.text, column[i]);
      else fprintf(o->finite.loops, ",%.12g", o->wall[k].value[i]);
    }
}
