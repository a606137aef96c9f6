/* Values of a heart that are implausible: conductivities in another unit, fibres that nothing uses, fronts that cross
 * the tissue at once. Each is a warning with its remedy, once. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/strand.h"
#include "mesh/fibers/axis.h"
#include "output/wording.h"
#include "solver/precond/precond.h"

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
static void check_tissue(const Case *c, bool extra) {
  const VectorValue *best = NULL;
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseConductivity *s = &heart_tissue(c, t)->conductivity;
    const VectorValue *v = extra ? &s->extra : &s->intra;
    if (place_given(s->place) && (!best || largest(v) > largest(best))) best = v;
  }
  if (best && largest(best) > 0)
    (void)warn_conductivity(c, &bound_of[extra], extra ? "extra" : "intra", best->place, largest(best));
}

/* 1400 per cm for 140 per mm, or capacitances per another area. What has too little membrane is told by its speed. */
static void check_membranes(const Case *c) {
  static const double MOST_SURFACE = 1000, LEAST_CAPACITANCE = 0.002, MOST_CAPACITANCE = 0.05;
  char place[PLACE];
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseConductivity *s = &heart_tissue(c, t)->conductivity;
    const double C = s->capacitance.value;
    if (!place_given(s->place)) continue;
    const bool wide = s->surface.value > MOST_SURFACE, odd = C < LEAST_CAPACITANCE || C > MOST_CAPACITANCE;
    if (wide)
      status_warn(
          "%s: surface-to-volume is %g per mm; cells of hearts have 100 to 300\n  remedy: a number per mm: 1400 per "
          "cm is 140",
          place_text(c->path, s->surface.place, place, sizeof place), s->surface.value);
    if (odd)
      status_warn("%s: capacitance is %g uF/mm2; membranes have 0.01\n  remedy: a number in uF/mm2: 1 uF/cm2 is 0.01",
                  place_text(c->path, s->capacitance.place, place, sizeof place), C);
    if (wide || odd) return;
  }
}

void setup_warn_conductivities(const Case *c) {
  check_membranes(c);
  check_tissue(c, false);
  check_tissue(c, true);
  if (place_given(c->output.medium.place))
    (void)warn_conductivity(c, &bound_of[2], "medium", c->output.medium.place, c->output.medium.value);
  for (int32_t i = 0; i < c->torso.n; ++i) {
    const VectorValue *v = &case_torso(c, i)->conductivity;
    if (warn_conductivity(c, &bound_of[3], "conductivity", v->place, largest(v))) return;
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

/* Sheets tell across from normal, which are one number unless three are given. */
static void warn_sheets(const Case *c, const char *what) {
  char place[PLACE];
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseTissue *tissue = heart_tissue(c, t);
    if (!place_given(tissue->sheets.place) || place_given(tissue->diffusivity.normal.place)) continue;
    status_warn("%s: sheets of tissue '%s' change nothing: its %s is one number in all directions across the fibres\n  "
                "remedy: a third one, normal to the sheets, or leave 'sheets' out",
                place_text(c->path, tissue->sheets.place, place, sizeof place), tissue->on.item[0].text,
                one_number(tissue, what));
    return;
  }
}

void setup_warn_solver(const Case *c) {
  const CaseSolver *s = &c->solver;
  const bool named = place_given(s->preconditioner.type.place) && !precond_is_auto(s->preconditioner.type.text);
  char place[PLACE];
  if (c->reaction.value > 0 || !(named || place_given(s->max_iterations.place))) return;
  status_warn("%s: %s has no effect: with 'reaction: nodal' steps have a solver of their own\n  remedy: leave it out",
              place_text(c->path, named ? s->preconditioner.type.place : s->max_iterations.place, place, sizeof place),
              named ? "preconditioner" : "max-iterations");
}

/* Isotropic tissue beside others with fibres is meant, and fibres beside muscle are the muscle's. */
void setup_warn_fibres(const Case *c, const Mesh *mesh, const char *what) {
  const MeshField *field = fibres_of(mesh);
  char place[PLACE];
  bool used = false;
  if (place_given(c->time.cells.step.place)) return;
  warn_sheets(c, what);
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
                  : "'along:' and 'across:' in place of the number");
}

/* mm/ms, of velocities that the case gives: from nodal tissue to Purkinje fibres. */
static const double LEAST_GIVEN = 0.05, MOST_GIVEN = 5;
/* ms, from one corner of the mesh to the other: no heart is so small, or so large. */
static const double SOONEST = 1, LATEST = 2000;

/* Of all tissues the fastest, by the box around the mesh; true: told. */
static bool warn_crossing(const Case *c, const Mesh *mesh, const Setup *setup, bool eikonal) {
  const NumberValue *at = NULL;
  double fastest = 0;
  double low[3], high[3], square = 0;
  char place[PLACE];
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseTissue *tissue = heart_tissue(c, t);
    const NumberValue *v = eikonal ? &tissue->diffusivity.along : &tissue->velocity;
    const double speed = eikonal ? heart_setup(setup)->mean[t].D[0] : heart_setup(setup)->mean[t].velocity;
    if (!(speed > fastest)) continue;
    fastest = speed;
    at = v;
  }
  mesh_extent(mesh, low, high);
  for (int k = 0; k < 3; ++k) square += (high[k] - low[k]) * (high[k] - low[k]);
  if (!at || !(square > 0)) return false;
  const double time = sqrt(square) / fastest;
  if (time >= SOONEST && time <= LATEST && fastest >= LEAST_GIVEN && fastest <= MOST_GIVEN) return false;
  status_warn(
      "%s: with a velocity of %g mm/ms a front crosses the tissue, %.4g mm from corner to corner, in %.3g ms; "
      "hearts are excited within about 50 to 200 ms, at 0.1 to 2 mm/ms\n  remedy: a velocity in mm/ms, which is the "
      "same number in m/s, and lengths in mm: 'scale:' under 'mesh:'",
      place_text(c->path, at->place, place, sizeof place), fastest, sqrt(square), time);
  return true;
}

/* As of fronts that cells make (setup_speed.c). */
static void warn_directions(const Case *c, const Setup *setup) {
  static const double MOST_RATIO = 10;
  char place[PLACE];
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseDiffusivity *d = &heart_tissue(c, t)->diffusivity;
    const NumberValue *const v[] = {&d->along, &d->across, &d->normal};
    const double *speed = heart_setup(setup)->mean[t].D;
    int slow = 0, fast = 0;
    for (int k = 1; k < 3; ++k) {
      if (!place_given(v[k]->place)) continue;
      if (speed[k] < speed[slow]) slow = k;
      if (speed[k] > speed[fast]) fast = k;
    }
    if (!(speed[slow] * MOST_RATIO < speed[fast])) continue;
    status_warn(
        "%s: fronts in tissue '%s' run at %g mm/ms in one direction and at %g in another, %.3g times as fast, where "
        "hearts have 1.5 to 4\n  remedy: all velocities in mm/ms, such as {along: 0.6, across: 0.3}",
        place_text(c->path, v[slow]->place, place, sizeof place), heart_tissue(c, t)->on.item[0].text, speed[slow],
        speed[fast], speed[fast] / speed[slow]);
    return;
  }
}

/* Numbers in another order, or fibres that point across. */
void setup_warn_swapped(const Case *c, const Setup *setup, const char *what) {
  static const double MORE = 1.2;
  char place[PLACE];
  for (int32_t t = 0; t < c->materials.n; ++t) {
    const CaseTissue *tissue = heart_tissue(c, t);
    const NumberValue *across = &tissue->diffusivity.across;
    const double *mean = heart_setup(setup)->mean[t].D;
    if (!place_given(across->place) || !(mean[1] > MORE * mean[0])) continue;
    status_warn(
        "%s: the %s of tissue '%s' is %.3g along the fibres and %.3g across them; muscle conducts best along its "
        "fibres\n  remedy: the larger number first, along the fibres",
        place_text(c->path, across->place, place, sizeof place), what, tissue->on.item[0].text, mean[0], mean[1]);
    return;
  }
}

/* Of bundles of fibres, and of the tissue that an end excites, mm. */
void setup_warn_trees(const Case *c) {
  static const double LEAST = 0.005, MOST = 5, MOST_JUNCTION = 15;
  char place[PLACE];
  for (int32_t i = 0; i < c->purkinje.n; ++i) {
    const CasePurkinje *tree = case_tree(c, i);
    const NumberValue *radius = &tree->radius, *reach = &tree->junction.radius;
    if (radius->value < LEAST || radius->value > MOST)
      status_warn(
          "%s: fibres of tree '%s' have a radius of %g mm; those of hearts have 0.01 to 1\n  remedy: a radius in mm: "
          "50 micrometres are 0.05",
          place_text(c->path, radius->place, place, sizeof place), tree->name.text, radius->value);
    if (reach->value > MOST_JUNCTION)
      status_warn("%s: ends of tree '%s' reach %g mm far into the tissue; 0.5 to 3 is usual\n  remedy: a radius in mm",
                  place_text(c->path, reach->place, place, sizeof place), tree->name.text, reach->value);
  }
}

static void warn_tree_fronts(const Case *c) {
  static const double MOST_DELAY = 50; /* ms: of junctions 1 to 15 */
  char place[PLACE];
  for (int32_t i = 0; i < c->purkinje.n; ++i) {
    const CasePurkinje *tree = case_tree(c, i);
    const NumberValue *v = &tree->velocity, *delay = &tree->junction.delay;
    if (v->value < LEAST_GIVEN || v->value > MOST_GIVEN)
      status_warn(
          "%s: fronts in tree '%s' run at %g mm/ms; those of Purkinje fibres run at 2 to 4\n  remedy: a velocity "
          "in mm/ms, which is the same number in m/s",
          place_text(c->path, v->place, place, sizeof place), tree->name.text, v->value);
    if (delay->value > MOST_DELAY)
      status_warn(
          "%s: the junctions of tree '%s' delay a front by %g ms; those of hearts by 1 to 15\n  remedy: a delay "
          "in ms",
          place_text(c->path, delay->place, place, sizeof place), tree->name.text, delay->value);
  }
}

void setup_warn_velocities(const Case *c, const Mesh *mesh, const Setup *setup, bool eikonal) {
  const bool told = warn_crossing(c, mesh, setup, eikonal);
  if (eikonal && !told) warn_directions(c, setup); /* else by setup_speed.c */
  warn_tree_fronts(c);
}

/* A parameter in another unit. 0 is a block. */
static void warn_times(const Case *c, const IonicType *type, int k, const NumberValue *given, double preset) {
  static const double MOST_TIMES = 100 * (1 + 1e-9);
  const double times = given->value / preset;
  const char *unit = type->param[k].unit;
  char place[PLACE];
  if (!place_given(given->place) || given->value == 0 || preset == 0) return;
  if (fabs(times) <= MOST_TIMES && fabs(times) * MOST_TIMES >= 1) return;
  status_warn("%s: %s is %g, %.3g times the %g of the preset\n  remedy: a number in %s",
              place_text(c->path, given->place, place, sizeof place), type->param[k].name, given->value, times, preset,
              strcmp(unit, "1") ? unit : "the unit of the preset: it has none");
}

/* "*3" of a parameter that is 0 stays 0. */
void setup_warn_factors(const Case *c) {
  char place[PLACE];
  for (int32_t i = 0; i < heart_ionics(c); ++i) {
    const CaseIonic *ionic = heart_ionic(c, i);
    const IonicType *type = ionic->model.text ? ionic_type(ionic->model.value) : NULL;
    const int preset = type && ionic->preset.text ? ionic_preset(ionic->model.value, ionic->preset.text) : -1;
    for (int k = 0; preset >= 0 && k < type->n_param; ++k) {
      const VaryingValue *v = &ionic->varying[k];
      warn_times(c, type, k, &ionic->value[k], type->preset[preset].value[k]);
      if (!v->relative || type->preset[preset].value[k] != 0 || !place_given(ionic->value[k].place)) continue;
      status_warn(
          "%s: %s is 0 in preset '%s' of %s, and a multiple of 0 is 0: this changes nothing\n  remedy: a number "
          "in place of the factor",
          place_text(c->path, ionic->value[k].place, place, sizeof place), type->param[k].name, ionic->preset.text,
          type->name);
    }
  }
}
