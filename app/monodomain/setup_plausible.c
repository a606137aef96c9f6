/* What a case of a heart gives and cannot mean: conductivities in another unit, fibres that nothing uses, fronts that cross
 * the tissue at once. Each is a warning with its remedy, once. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/strand.h"
#include "mesh/fibers/axis.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACE = 1024 };

/* S/m. No tissue, and no fluid of the body, conducts better than spinal fluid, 1.8 S/m; what is worse than its least
 * conducts nothing. */
typedef struct Bound {
  const char *what;
  double least, most;
  const char *usual;
} Bound;
static const Bound bound_of[] = {
    {"inside the cells of a heart", 1e-3, 1, "0.02 to 0.5, such as 0.17 along the fibres and 0.019 across"},
    {"around the cells of a heart", 1e-3, 3, "0.1 to 1, such as 0.62 along the fibres and 0.24 across"},
    {"of the medium around a heart", 1e-2, 3, "0.1 to 1, such as 0.2"},
    {"of a part of the body", 1e-3, 3, "0.005 to 1: bone 0.006, lungs 0.05, muscle 0.2, blood 0.6"}};

static bool warn_conductivity(const Case *c, const Bound *bound, const char *name, Place at, double value) {
  char place[PLACE];
  if (value >= bound->least && value <= bound->most) return false;
  status_warn("%s: %s is %g S/m; conductivities %s are %s\n  remedy: a number in S/m; 1 mS/cm is 0.1 S/m, 1 mS/mm is 1",
              place_text(c->path, at, place, sizeof place), name, value, bound->what, bound->usual);
  return true;
}

static double largest(const VectorValue *v) {
  double most = 0;
  for (int k = 0; k < v->n; ++k) most = fmax(most, v->value[k]);
  return most;
}

/* Tissue that conducts next to nothing may be a scar: all of it is looked at, of which the best conducts too little or too
 * well. */
static void look_at_tissue(const Case *c, bool extra) {
  const VectorValue *best = NULL;
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseConductivity *s = &heart_tissue(c, t)->conductivity;
    const VectorValue *v = extra ? &s->extra : &s->intra;
    if (place_given(s->place) && (!best || largest(v) > largest(best))) best = v;
  }
  if (best) (void)warn_conductivity(c, &bound_of[extra], extra ? "extra" : "intra", best->place, largest(best));
}

void setup_warn_conductivities(const Case *c) {
  look_at_tissue(c, false);
  look_at_tissue(c, true);
  if (place_given(c->output.medium.place))
    (void)warn_conductivity(c, &bound_of[2], "medium", c->output.medium.place, c->output.medium.value);
  for (int32_t i = 0; i < c->torso.n; ++i) {
    const NumberValue *v = &case_torso(c, i)->conductivity;
    if (warn_conductivity(c, &bound_of[3], "conductivity", v->place, v->value)) return;
  }
}

/* The first field of fibres; NULL: the mesh has none. */
static const MeshField *fibres_of(const Mesh *mesh) {
  for (int32_t f = 0; f < mesh->n_field; ++f)
    if (mesh->field[f].n_component == 3 && axis_field(mesh->field[f].name) && strncmp(mesh->field[f].name, "sheet", 5))
      return &mesh->field[f];
  return NULL;
}

/* The key that has one number in the place of several. */
static const char *one_number(const CaseTissue *t, const char *what) {
  return place_given(t->conductivity.place) ? "conductivity" : what;
}

/* Isotropic tissue beside others with fibres is meant. */
void setup_warn_fibres(const Case *c, const Mesh *mesh, const char *what) {
  const MeshField *field = fibres_of(mesh);
  char place[PLACE];
  bool used = false;
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseTissue *tissue = heart_tissue(c, t);
    const bool given = place_given(tissue->fibers.place), across = place_given(tissue->diffusivity.across.place);
    used |= given;
    if (!given || across || tissue->fibers.rule.text) continue;
    status_warn("%s: fibers of tissue '%s' change nothing: its %s is one number, the same in all directions\n  remedy: "
                "%s, or leave 'fibers' out",
                place_text(c->path, tissue->fibers.place, place, sizeof place), tissue->on.item[0].text,
                one_number(tissue, what),
                place_given(tissue->conductivity.place)
                    ? "two numbers for intra and for extra, along the fibres and across"
                    : "'along:' and 'across:' there");
    return;
  }
  if (used || !field || c->materials.n == 0) return;
  const CaseTissue *first = heart_tissue(c, 0);
  status_warn("%s: the mesh has fibres, the field '%s', which nothing uses: %s is one number, the same in all "
              "directions\n  remedy: 'fibers: {field: %s}' in each tissue, with %s",
              place_text(c->path, first->diffusivity.along.place, place, sizeof place), field->name,
              one_number(first, what), field->name,
              place_given(first->conductivity.place)
                  ? "two numbers for intra and for extra, along the fibres and across"
                  : "'along:' and 'across:' in the place of the number");
}

/* Of all tissues the fastest, by the box around the mesh. */
void setup_warn_crossing(const Case *c, const Mesh *mesh, bool eikonal) {
  static const double SOONEST = 1, LATEST = 2000; /* ms: no heart is so small, or so large */
  const NumberValue *fastest = NULL;
  double low[3], high[3], square = 0;
  char place[PLACE];
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseTissue *tissue = heart_tissue(c, t);
    const NumberValue *v = eikonal ? &tissue->diffusivity.along : &tissue->velocity;
    if (!fastest || v->value > fastest->value) fastest = v;
  }
  mesh_extent(mesh, low, high);
  for (int k = 0; k < 3; ++k) square += (high[k] - low[k]) * (high[k] - low[k]);
  if (!fastest || !(square > 0)) return;
  const double time = sqrt(square) / fastest->value;
  if (time >= SOONEST && time <= LATEST) return;
  status_warn(
      "%s: with a velocity of %g mm/ms a front crosses the tissue, %.4g mm from corner to corner, in %.3g ms; "
      "hearts are excited within some 50 to 200 ms, at 0.1 to 2 mm/ms\n  remedy: a velocity in mm/ms, which is the "
      "same number in m/s, and lengths in mm: 'scale:' under 'mesh:'",
      place_text(c->path, fastest->place, place, sizeof place), fastest->value, sqrt(square), time);
}

/* ---- initial values ---- */

/* What a state must lie in, of all cells that have one of that name; and what they rest with, of concentrations in mM, else 0. By
 * what the tables say of them; of a file gates alone are known. */
typedef struct StateSpan {
  double least, most, rest;
  bool small; /* of a model without gates: of the order of 1 */
} StateSpan;

static StateSpan span_of(const Case *c, const char *state) {
  static const double ROUNDED = 1e-6; /* published states are so far out of range at times */
  StateSpan span = {.least = -INFINITY, .most = INFINITY};
  for (int32_t i = 0; i < heart_ionics(c); ++i) {
    const IonicConstants constants = monodomain_constants_of(heart_ionic(c, i));
    const IonicType *type = ionic_type(constants.kind);
    const int j = type ? ionic_state(constants.kind, state) : -1;
    double s[IONIC_STATES];
    if (j < 0 || (type->program && j >= type->n_gate)) continue;
    span.small |= type->n_gate == 0 && strand_front(&constants) > 0;
    if (type->n_gate == 0) continue;
    const char *meaning = type->state[j].meaning, *unit = strrchr(meaning, ',');
    type->rest(&constants, s);
    span.least = -ROUNDED;
    if (type->program || strstr(meaning, "0 to 1")) span.most = 1 + ROUNDED;
    else if (unit && !strcmp(unit, ", mM")) span.rest = fmax(span.rest, s[j]);
  }
  return span;
}

/* Where value[n_node] is the farthest out. */
static int32_t farthest(const Mesh *mesh, const double *value, double least, double most, int32_t *n) {
  int32_t at = -1;
  double worst = 0;
  *n = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double out = fmax(value[i] - most, least - value[i]);
    *n += out > 0;
    if (out > worst) worst = out, at = i;
  }
  return at;
}

void setup_check_initial(const Case *c, const Mesh *mesh, const char *state, Place at, const double *value,
                         Diagnostics *out) {
  static const double MOST_POTENTIAL = 200, MOST_TIMES = 100,
                      MOST_STATE = 10; /* mV, as of stimuli; of what cells rest with */
  char place[PLACE], count[32];
  const StateSpan span = state ? span_of(c, state) : (StateSpan){.least = -MOST_POTENTIAL, .most = MOST_POTENTIAL};
  int32_t n, node = farthest(mesh, value, span.least, span.most, &n);
  if (node >= 0 && state) {
    report_error(out, at, "initial: %s is %g at node %lld, (%g, %g, %g)%s; it is %s, which %s", state, value[node],
                 (long long)mesh->node_tag[node], mesh->x[node][0], mesh->x[node][1], mesh->x[node][2],
                 n > 1 ? " and out of range at others" : "", isfinite(span.most) ? "a share" : "an amount",
                 isfinite(span.most) ? "must lie in [0, 1]" : "must be >= 0");
    return;
  }
  if (node >= 0)
    status_warn(
        "%s: initial: the potential is %g mV at node %lld, (%g, %g, %g)%s%s%s; models of cells are made for some "
        "-100 to 60 mV\n  remedy: a potential in mV; cells rest at some -85 mV without 'initial:'",
        place_text(c->path, at, place, sizeof place), value[node], (long long)mesh->node_tag[node], mesh->x[node][0],
        mesh->x[node][1], mesh->x[node][2], n > 1 ? ", and beyond 200 mV at " : "",
        n > 1 ? count_text(n - 1, count) : "", n > 1 ? " others" : "");
  node = span.small ? farthest(mesh, value, -MOST_STATE, MOST_STATE, &n) : -1;
  if (node >= 0)
    status_warn(
        "%s: initial: %s is %g at node %lld; states of its model are of the order of 1\n  remedy: 'sinew list ionic' "
        "says what they range over",
        place_text(c->path, at, place, sizeof place), state, value[node], (long long)mesh->node_tag[node]);
  if (!(span.rest > 0)) return;
  node = farthest(mesh, value, 0, MOST_TIMES * span.rest, &n);
  if (node >= 0)
    status_warn(
        "%s: initial: %s is %g at node %lld, %.2g times what its cells rest with, %.4g\n  remedy: the unit that "
        "'sinew list ionic' has: concentrations are in mM",
        place_text(c->path, at, place, sizeof place), state, value[node], (long long)mesh->node_tag[node],
        value[node] / span.rest, span.rest);
}
