/* Warnings of valid cases that probably mean something else: loads that supports carry directly, loads without an area,
 * suction meant as pressure, a thickness left out. Each is given once, with its place, if it changes the result. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/setup_traps.h"
#include "app/setup/setup_steps.h"
#include "assembly/space/small_matrix.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

/* Supports and loads that act together. */
typedef struct Acts {
  int32_t n_support, n_load;
  const Support *support;
  const Load *load;
} Acts;

static bool is_surface_load(const Load *load) {
  return load->kind == LOAD_TRACTION || load->kind == LOAD_PRESSURE || load->kind == LOAD_FOLLOWER ||
         load->kind == LOAD_FORCE;
}

/* ---- loads on nodes that are held ---- */

enum { BY_SYMMETRY = 1 << 3 };

static void mark_held(const Mesh *mesh, const Support *s, uint8_t *held) {
  uint8_t bits = s->symmetry ? BY_SYMMETRY : 0;
  for (int c = 0; c < 3 && !s->symmetry; ++c)
    if (expr_given(&s->value[c])) bits = (uint8_t)(bits | 1u << c);
  for (int32_t k = 0; k < s->on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, s->on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, s->on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) held[nodes[a]] |= bits;
  }
}

/* What all nodes of a group have. */
static uint8_t held_everywhere(const Mesh *mesh, const Group *on, const uint8_t *held) {
  uint8_t bits = on->n ? 0xff : 0;
  for (int32_t k = 0; k < on->n && bits; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) bits &= held[nodes[a]];
  }
  return bits;
}

/* A spring or a damper that has nothing left to pull at. */
static void warn_of_tied_down(const Mesh *mesh, int dim, const Load *load, const uint8_t *held) {
  const uint8_t bits = held_everywhere(mesh, load->on, held), all = (uint8_t)((1u << dim) - 1);
  uint8_t acts = load->along_normal ? all : 0;
  for (int c = 0; c < dim && !load->along_normal; ++c)
    if (expr_acts(&load->value[c])) acts = (uint8_t)(acts | 1u << c);
  if (!acts || ((bits & acts) != acts && !(load->along_normal && bits & BY_SYMMETRY))) return;
  status_warn("%s: %s on '%s' does nothing: supports hold all of its nodes\n  remedy: leave out the one that is not "
              "meant",
              load->where, load_name(load->kind), load->on->name);
}

/* Components of the load that supports take, and whether any is left. */
static void warn_of_held(const Mesh *mesh, int dim, const Load *load, const uint8_t *held) {
  const uint8_t bits = held_everywhere(mesh, load->on, held), all = (uint8_t)((1u << dim) - 1);
  const bool pressure = load->kind == LOAD_PRESSURE || load->kind == LOAD_FOLLOWER;
  char lost[8] = "";
  if (pressure && expr_acts(&load->value[0]) && ((bits & all) == all || bits & BY_SYMMETRY))
    status_warn(
        "%s: pressure on '%s' does nothing: supports hold all of its nodes, so that it goes into their reaction "
        "alone\n  remedy: leave it out, or the group that it is meant for",
        load->where, load->on->name);
  for (int c = 0; c < dim && !pressure; ++c)
    if (expr_acts(&load->value[c]) && bits >> c & 1) lost[strlen(lost)] = "xyz"[c];
  if (*lost)
    status_warn("%s: %s on '%s' does nothing in %s: supports hold all of its nodes there, so that it goes into their "
                "reaction alone\n  remedy: leave it out, or the group that it is meant for",
                load->where, load_name(load->kind), load->on->name, lost);
}

static Status warn_of_lost(const Mesh *mesh, int dim, const Acts *acts, int32_t first) {
  uint8_t *held = NULL;
  ALLOC(held, mesh->n_node, "nodes that are held");
  for (int32_t s = 0; s < acts->n_support; ++s) mark_held(mesh, &acts->support[s], held);
  for (int32_t l = first; l < acts->n_load; ++l)
    if (is_surface_load(&acts->load[l])) warn_of_held(mesh, dim, &acts->load[l], held);
    else if (acts->load[l].kind == LOAD_SPRING || acts->load[l].kind == LOAD_DASHPOT)
      warn_of_tied_down(mesh, dim, &acts->load[l], held);
  FREE(held);
  return OK;
}

/* ---- loads on the axis of a body of revolution ---- */

static void warn_of_axis(const Mesh *mesh, const Load *load) {
  double radius = 0;
  if (!is_surface_load(load) || load->kind == LOAD_FORCE) return;
  if (!expr_acts(&load->value[0]) && !expr_acts(&load->value[1])) return;
  for (int32_t k = 0; k < load->on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, load->on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, load->on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) radius = fmax(radius, fabs(mesh->x[nodes[a]][0]));
  }
  if (radius <= AXIS_TOLERANCE * mesh_size(mesh))
    status_warn("%s: %s on '%s' does nothing: all of it has the radius x = 0, and no area\n  remedy: a mesh whose x is "
                "the distance from the axis: a bore begins at its radius",
                load->where, load_name(load->kind), load->on->name);
}

/* ---- forces on bores ---- */

/* Of facets: area, mean place, resultant and second moment of the normals, without their sense. */
typedef struct Ring {
  double area, center[3], normal[3], square[3][3];
} Ring;

static Status ring_add(const Mesh *mesh, int32_t e, Ring *ring) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3], N[ELEMENT_MAX_NODES];
  Quadrature rule;
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  TRY(element_stiffness_quadrature(type, &rule));
  for (int32_t q = 0; q < rule.n; ++q) {
    double J[3][3], n[3] = {0}, size = 0;
    (void)element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, false);
    type->values(rule.xi[q], N);
    if (type->dim == 1) n[0] = J[1][0], n[1] = -J[0][0];
    for (int i = 0; i < 3 && type->dim == 2; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      n[i] = J[j][0] * J[k][1] - J[k][0] * J[j][1];
    }
    for (int i = 0; i < 3; ++i) size += n[i] * n[i];
    size = sqrt(size);
    ring->area += rule.weight[q] * size;
    for (int i = 0; i < 3; ++i) {
      for (int32_t a = 0; a < type->n_node; ++a) ring->center[i] += rule.weight[q] * size * N[a] * x[a][i];
      for (int j = 0; j < 3 && size > 0; ++j) ring->square[i][j] += rule.weight[q] * n[i] * n[j] / size;
    }
  }
  return OK;
}

/* Whether the facets look in all directions across an axis alike, which is that of the least of their normals. */
static bool ring_closes(const Ring *ring, int dim, double axis[3]) {
  double a[6][6] = {{0}}, value[6], V[6][6];
  int least = 0;
  memset(axis, 0, 3 * sizeof *axis);
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) a[i][j] = ring->square[i][j] / ring->area;
  jacobi_svd(dim, a, value, V);
  if (dim == 2) return fabs(value[0] - value[1]) < 0.1;
  for (int k = 1; k < 3; ++k)
    if (value[k] < value[least]) least = k;
  for (int i = 0; i < 3; ++i) axis[i] = V[i][least];
  return value[least] < 0.05 && fabs(value[(least + 1) % 3] - value[(least + 2) % 3]) < 0.1;
}

static double off_axis(const double *x, const double center[3], const double axis[3]) {
  double along = 0, square = 0;
  for (int i = 0; i < 3; ++i) along += (x[i] - center[i]) * axis[i];
  for (int i = 0; i < 3; ++i) square += pow(x[i] - center[i] - along * axis[i], 2);
  return sqrt(square);
}

/* Places all around, not a half or a quarter, whose mean place is not on the axis: the mean of x^2 and y^2 about it agree
 * with a circle's, and so do all radii. */
static bool is_round(const Mesh *mesh, const Group *on, const Ring *ring, const double axis[3]) {
  double low = (double)INFINITY, high = 0;
  for (int32_t k = 0; k < on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) {
      const double r = off_axis(mesh->x[nodes[a]], ring->center, axis);
      low = fmin(low, r), high = fmax(high, r);
    }
  }
  return low > 0.8 * high;
}

Status traps_is_bore(const Mesh *mesh, const Group *on, const double center[3], const double axis[3], bool *bore) {
  uint8_t *mark = NULL;
  double outside = 0;
  ALLOC(mark, mesh->n_node, "nodes of a group");
  for (int32_t k = 0; k < on->n; ++k) {
    const int32_t *nodes = mesh_nodes_of(mesh, on->element[k]);
    const int32_t n = element_type(mesh_block_of(mesh, on->element[k])->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) mark[nodes[a]] = 1;
  }
  for (int32_t e = setup_first_solved(mesh); e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e), n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    double on_it = 0, beside = 0;
    int32_t n_on = 0;
    for (int32_t a = 0; a < n; ++a) n_on += mark[nodes[a]];
    if (n_on == 0 || n_on == n) continue;
    for (int32_t a = 0; a < n; ++a) {
      const double r = off_axis(mesh->x[nodes[a]], center, axis);
      if (mark[nodes[a]]) on_it += r;
      else beside += r;
    }
    outside += beside / (n - n_on) - on_it / n_on;
  }
  *bore = outside > 0;
  FREE(mark);
  return OK;
}

/* end: of the time in which loads vary, as they do from 0 on where they are applied in steps. */
static Status warn_of_bore(const Mesh *mesh, const Load *load, double end) {
  enum { TIMES = 5 };
  const int dim = mesh->dim;
  Ring ring = {0};
  double axis[3], force = 0, along = 0;
  bool bore;
  if (load->kind != LOAD_FORCE || load->on->dim != dim - 1) return OK;
  for (int32_t k = 0; k < load->on->n; ++k) TRY(ring_add(mesh, load->on->element[k], &ring));
  if (!(ring.area > 0)) return OK;
  for (int i = 0; i < 3; ++i) ring.center[i] /= ring.area;
  if (!ring_closes(&ring, dim, axis) || !is_round(mesh, load->on, &ring, axis)) return OK;
  bool across = false;
  for (int k = 0; k < TIMES; ++k, force = along = 0) {
    for (int i = 0; i < dim; ++i) {
      const double f = expr_value(&load->value[i], ring.center, end * k / (TIMES - 1));
      force += f * f, along += f * axis[i];
    }
    across |= force - along * along > 0.01 * force;
  }
  if (!across) return OK;
  TRY(traps_is_bore(mesh, load->on, ring.center, axis, &bore));
  if (bore)
    status_warn(
        "%s: force is spread evenly over all of the bore '%s': it pulls at one half of the wall as much as it "
        "presses on the other\n  remedy: 'bearing: {force: [..]}' of a pin; 'distribute' where it is bonded to all of "
        "it",
        load->where, load->on->name);
  return OK;
}

/* ---- thickness that was left out ---- */

/* The first total force among these; NULL: none. */
static const Place *total_force(const MapsValue *boundary) {
  for (int32_t i = 0; i < boundary->n; ++i) {
    const CaseBoundary *b = maps_item(boundary, sizeof(CaseBoundary), i);
    for (int k = 0; k < b->force.n; ++k)
      if (expr_acts(&b->force.item[k].expr)) return &b->force.place;
    if (place_given(b->bearing.place)) return &b->bearing.place;
    if (place_given(b->distribute.place)) return &b->distribute.place;
    if (b->rigid.force.n || b->rigid.moment.n) return &b->rigid.place;
  }
  return NULL;
}

/* The first material without one; -1: none. */
static int32_t without_thickness(const Case *c) {
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseMaterial *given = case_material(c, m);
    const int at = material_parameter(given->type.value, "thickness");
    if (at >= 0 && !place_given(given->value[at].place) && !place_given(given->varying[at].place)) return m;
  }
  return -1;
}

static void warn_of_thickness(const Case *c) {
  char place[512];
  const int32_t m = without_thickness(c);
  const Place *at = total_force(case_acting(c));
  if (c->model.value != MODEL_PLANE_STRESS || m < 0) return;
  for (int32_t i = 0; i < c->load_cases.n && !at; ++i) at = total_force(&case_load_case(c, i)->boundary);
  if (!at) return;
  status_warn(
      "%s: a total force acts on a plate whose thickness is not given, and counts as 1: displacement and stress "
      "are in proportion to 1/thickness\n  remedy: 'thickness' under materials, 1 too where that is meant",
      place_text(c->path, *at, place, sizeof place));
}

/* ---- what has no part in the case ---- */

/* A thickness in space other than 1, which is what sinew check fills in. */
static void warn_of_solid(const Case *c) {
  char place[512];
  for (int32_t m = 0; m < c->materials.n && c->model.value == MODEL_SOLID; ++m) {
    const CaseMaterial *given = case_material(c, m);
    const int at = material_parameter(given->type.value, "thickness");
    if (at < 0 || !place_given(given->value[at].place) || given->value[at].value == 1) continue;
    status_warn("%s: thickness does nothing in 'model: 3d': the mesh has it\n  remedy: leave it out",
                place_text(c->path, given->value[at].place, place, sizeof place));
    return;
  }
}

/* Something gives masses a weight, or turns them. */
static bool has_acceleration(const Case *c) {
  bool has = case_acting_body(c)->n > 0 || c->body.n > 0;
  for (int32_t i = 0; i < c->load_cases.n; ++i) has |= case_load_case(c, i)->body.n > 0;
  for (int32_t i = 0; i < c->steps.n; ++i) has |= case_step(c, i)->body.n > 0;
  return has;
}

/* A mass where nothing moves with inertia, and nothing pulls at it. */
static void warn_of_mass(const Case *c) {
  char place[512];
  const MapsValue *boundary = case_acting(c);
  const bool rest = elastic_has(c, ANALYSIS_STATIC | ANALYSIS_BUCKLING | ANALYSIS_FINITE | ANALYSIS_STEPPED);
  for (int32_t i = 0; i < boundary->n && rest && !has_acceleration(c); ++i) {
    const CaseBoundary *b = maps_item(boundary, sizeof(CaseBoundary), i);
    if (!place_given(b->mass.place) && !place_given(b->rigid.mass.place)) continue;
    const Place *at = place_given(b->mass.place) ? &b->mass.place : &b->rigid.mass.place;
    status_warn("%s: mass does nothing here: the case has no inertia, and no gravity or centrifugal load in 'body'\n  "
                "remedy: 'body: [{on: .., gravity: [..]}]', or leave it out",
                place_text(c->path, *at, place, sizeof place));
    return;
  }
}

/* A displacement that modes of a body at rest do not know. */
static void warn_of_given(const Case *c, const ElasticityParams *p) {
  if (!elastic_has(c, ANALYSIS_MODAL) || c->analysis.prestress.value) return;
  for (int32_t s = 0; s < p->n_support; ++s)
    for (int k = 0; k < 3; ++k)
      if (expr_acts(&p->support[s].value[k])) {
        status_warn("%s: the displacement that is given counts as 0: modes are about the body at rest\n  remedy: 0, or "
                    "'prestress: true' for modes about the state that it makes",
                    p->support[s].where);
        return;
      }
}

static void warn_of_directions(const Case *c) {
  char place[512];
  bool local = c->output.directions.n == 0;
  for (int32_t i = 0; i < c->output.tables.n; ++i) local |= case_table(c, i)->local.value;
  if (!local)
    status_warn("%s: directions do nothing: no table is in them\n  remedy: 'local: true' in a table, or leave them out",
                place_text(c->path, case_directions(c, 0)->place, place, sizeof place));
}

static Status warn_of_loads(const Case *c, const Mesh *mesh, const Acts *acts, int32_t first) {
  TRY(warn_of_lost(mesh, case_dim(c), acts, first));
  for (int32_t l = first; l < acts->n_load; ++l) {
    if (case_axisymmetric(c)) warn_of_axis(mesh, &acts->load[l]);
    else TRY(warn_of_bore(mesh, &acts->load[l], place_given(c->time.place) ? c->time.end.value : 0));
  }
  return OK;
}

static void warn_of_steps(const Case *c, const Mesh *mesh, const ElasticityParams *p) {
  for (int32_t s = 0; s < p->n_support; ++s)
    for (int k = 0; k < 3; ++k)
      setup_step_advice(c, mesh, p->support[s].on, &p->support[s].value[k], "prescribed displacement",
                        p->support[s].where);
  for (int32_t l = 0; l < p->n_load; ++l)
    for (int k = 0; k < 3; ++k)
      setup_step_advice(c, mesh, p->load[l].on, &p->load[l].value[k], load_name(p->load[l].kind), p->load[l].where);
}

Status setup_traps(const Case *c, const Mesh *mesh, const Setup *setup) {
  const ElasticSetup *own = elastic_setup(setup);
  const ElasticityParams *p = &own->params;
  warn_of_thickness(c);
  warn_of_solid(c);
  warn_of_mass(c);
  warn_of_directions(c);
  warn_of_given(c, p);
  if (elastic_has(c, ANALYSIS_TRANSIENT | ANALYSIS_NEWTON_MOTION)) warn_of_steps(c, mesh, p);
  TRY(warn_of_loads(c, mesh, &(Acts){p->n_support, p->n_load, p->support, p->load}, 0));
  for (int32_t i = c->load_cases.n ? 1 : 0; i < own->n_act; ++i) { /* the loads of the first are in params */
    const ElasticActs *act = &own->act[i];
    const bool joined = act->support != NULL;
    TRY(warn_of_loads(
        c, mesh,
        &(Acts){joined ? act->n_support : p->n_support, act->n_load, joined ? act->support : p->support, act->load},
        0));
  }
  return OK;
}
