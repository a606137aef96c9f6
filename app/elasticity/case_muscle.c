/* A body of muscle, `physics: electromechanics`: what the tables cannot say of its keys. The rest is that of load steps at finite
 * strain (case_finite.c). */
#include "app/elasticity/case_elasticity.h"
#include "app/fibers/case_fibers.h"
#include "app/input/case_tables.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

/* Of tensions that have a model, ms. */
static const double LONG_STEP = 2;

static const Word lid_words[] = {{"carries", 0}, {NULL, 0}};
static const Key wall_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseWall, on), .meaning = "group or list of groups of its facets, as the epicardium"},
    {"axis", VALUE_VECTOR, false, AT(CaseWall, axis), .meaning = "from apex to base; z unless given"}};
static const Schema wall_schema = {SCHEMA("wall", wall_keys, CaseWall), .plain = "on", .optional = true};
static const Key cavity_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseCavity, name), .meaning = "start of its columns in loops.csv"},
    {"on", VALUE_NAMES, true, AT(CaseCavity, on), .meaning = "group or list of groups of the facets around it"},
    {"pressure", VALUE_EXPR, false, AT(CaseCavity, pressure),
     .meaning =
         "in it, kPa; an expression in t; of a chamber of the circulation that to which it is filled before t = 0"},
    {"volume", VALUE_EXPR, false, AT(CaseCavity, volume),
     .meaning = "in the place of pressure, mL: V0 is its initial value, and the pressure is found"},
    {"wall", VALUE_MAP, false, AT(CaseCavity, wall), .schema = &wall_schema,
     .meaning = "the other side of the wall, {on: epi}, whose thickness and strains are columns of loops.csv"},
    {"lid", VALUE_WORD, false, AT(CaseCavity, lid), .words = lid_words,
     .meaning = "over rims that are free: carries, the forces of the pressure on it are the rim's"}};
const Schema case_cavity_schema = {SCHEMA("a cavity", cavity_keys, CaseCavity)};

static bool same_name(const TextValue *a, const TextValue *b) {
  return a->text && b->text && strcmp(a->text, b->text) == 0;
}

int32_t case_cavity_chamber(const Case *c, int32_t i) {
  const CaseCirculation *k = &c->circulation;
  const TextValue *name = &case_cavity(c, i)->name;
  const bool closed = k->model.value == CIRCULATION_CLOSED;
  if (!place_given(k->place)) return -1;
  for (int32_t j = 0; closed && j < CASE_LOOP_CHAMBERS; ++j)
    if (same_name(&k->ventricles.cavity[j], name)) return j;
  for (int32_t j = 0; !closed && j < k->chambers.n; ++j)
    if (same_name(&((const CaseChamber *)maps_item(&k->chambers, sizeof(CaseChamber), j))->name, name)) return j;
  return -1;
}

int32_t case_cavity_at(const Case *c, int32_t k) {
  for (int known = 0; known < 2; ++known)
    for (int32_t i = 0; i < c->cavities.n; ++i) {
      const bool is = place_given(case_cavity(c, i)->pressure.place) && case_cavity_chamber(c, i) < 0;
      if (is == (known == 1) && k-- == 0) return i;
    }
  return -1;
}

/* Of a chamber of the circulation the pressure to begin with alone is given. */
static void check_chamber(const CaseCavity *k, Diagnostics *out) {
  if (place_given(k->volume.place))
    report_error(out, k->volume.place,
                 "cavity '%s' is a chamber of the circulation, which gives its volume\n  remedy: 'pressure', to which "
                 "it is filled before t = 0",
                 k->name.text);
  if (expr_is_timed(&k->pressure.expr))
    report_error(out, k->pressure.place,
                 "cavity '%s' is a chamber of the circulation, and its pressure follows from that\n  allowed: a "
                 "number, the pressure to which it is filled before t = 0",
                 k->name.text);
}

/* A wall is a surface in space. */
static void check_wall(const Case *c, const CaseWall *wall, Diagnostics *out) {
  const double *a = wall->axis.value;
  if (place_given(wall->place) && case_dim(c) < 3)
    report_error(out, wall->place,
                 "strains of a wall are those of a surface in space, and this model is %s\n  remedy: "
                 "leave 'wall' out, or 'model: 3d'",
                 c->model.text);
  if (wall->axis.n && (wall->axis.n != 3 || !(fabs(a[0]) + fabs(a[1]) + fabs(a[2]) > 0)))
    report_error(out, wall->axis.place,
                 "axis has %d entries and the length %g; it is a direction in space\n  such as: "
                 "[0, 0, 1]",
                 wall->axis.n, sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
}

/* A chamber begins as the mesh has it, with the pressure that `unload` gives it there, unless something else is said. */
static void take_pressure(const Case *c, CaseCavity *k) {
  if (place_given(k->pressure.place) || place_given(k->volume.place)) return;
  for (int32_t u = 0; u < c->unload.n && k->name.text; ++u)
    if (strcmp(c->unload.item[u].name.text, k->name.text) == 0)
      k->pressure = (ExprValue){.place = k->place, .expr = expr_constant(c->unload.item[u].value)};
}

static void check_cavity(const Case *c, int32_t i, Diagnostics *out) {
  CaseCavity *k = maps_item(&c->cavities, sizeof *k, i);
  if (case_cavity_chamber(c, i) >= 0) take_pressure(c, k);
  check_wall(c, &k->wall, out);
  if (case_cavity_chamber(c, i) >= 0) check_chamber(k, out);
  const bool pressure = place_given(k->pressure.place), volume = place_given(k->volume.place);
  if (pressure == volume)
    report_error(out, k->place,
                 "a cavity needs one of pressure and volume; this one has %s\n  such as: {name: lv, on: endo, "
                 "pressure: 1.2}, kPa, or volume: \"V0 - 30*t\", mL",
                 pressure ? "both" : "none");
  if (pressure && (expr_is_local(&k->pressure.expr) || expr_has_v0(&k->pressure.expr)))
    report_error(out, k->pressure.place,
                 "the pressure is one number for the whole cavity and depends on t alone\n  remedy: 'pressure' in an "
                 "entry of 'boundary', where it differs from place to place");
  for (int32_t j = 0; j < i && k->name.text; ++j)
    if (case_cavity(c, j)->name.text && strcmp(case_cavity(c, j)->name.text, k->name.text) == 0)
      report_error(out, k->name.place, "there are two cavities '%s'", k->name.text);
}

/* Fibres that stand in `axes` too, of which what was read has the later ones alone. */
static void check_twice(const Case *c, const CaseMaterial *m, Diagnostics *out) {
  static const char *const key[] = {"fibers", "sheets"};
  for (int32_t i = 0; i < c->tree.n; ++i) {
    const Place at = c->tree.node[i].place;
    if (memcmp(&at, &m->place, sizeof at) != 0 || tree_member(&c->tree, i, "muscle") >= 0) continue;
    for (int k = 0; k < COUNT(key); ++k) {
      const int32_t beside = tree_member(&c->tree, i, key[k]);
      if (beside >= 0 && tree_member(&c->tree, tree_member(&c->tree, i, "axes"), key[k]) >= 0)
        report_error(out, c->tree.node[beside].key_place,
                     "%s of this muscle are given twice, here and in 'axes'\n  remedy: leave one out", key[k]);
    }
  }
}

/* Fibres become axes; across them any direction does where the material is the same in all of them. */
static void take_fibers(CaseMaterial *m, Diagnostics *out) {
  const MaterialType *type = material_type(m->type.value);
  CaseAxes *a = &m->axes;
  if (!place_given(a->place)) a->place = a->fibers.place;
  fibers_check("fibers", &a->fibers, out);
  if (error_reported_at(out, a->fibers.place)) return; /* what belongs to a rule that is missing, for one */
  const bool across = type && (type->shape.across || !type->shape.axes);
  if (across && place_given(a->fibers.place) && !a->fibers.rule.text && !place_given(a->sheets.place)) {
    if (!a->field.text) a->field = a->fibers.field;
    if (!a->x.n) a->x = a->fibers.direction;
    a->fibers = (CaseFibers){0};
  }
  a->across = across && a->x.n && !a->y.n;
}

/* Soft tissue keeps its volume but for what blood leaves it by; laws that take a bulk modulus or a Poisson's ratio have this one. */
static void take_volume(CaseMaterial *m) {
  static const double TISSUE = 0.4999;
  const int bulk = material_parameter(m->type.value, "bulk"), poisson = material_parameter(m->type.value, "poisson");
  if (bulk < 0 || poisson < 0 || material_parameter(m->type.value, "young") >= 0) return;
  if (place_given(m->value[bulk].place) || place_given(m->value[poisson].place)) return;
  m->value[poisson].place = m->place;
  m->value[poisson].value = TISSUE;
}

/* Tensions of a model are first order in the step, and change within some ten ms. */
static void warn_of_steps(const Case *c) {
  char where[512];
  for (int32_t m = 0; m < c->materials.n; ++m) {
    if (!case_material(c, m)->active.model.text || !(c->time.step.value > LONG_STEP)) continue;
    status_warn(
        "%s: steps of %g are longer than 2 ms, and the tension of '%s' is off by a per cent or more\n  remedy: a "
        "'step' of 1, in ms",
        place_text(c->path, c->time.step.place, where, sizeof where), c->time.step.value,
        case_material(c, m)->active.model.text);
    return;
  }
}

/* Over the run, where it is the same everywhere. */
static void warn_of_calcium(const Case *c, const CaseActive *a) {
  static const double LEAST = 0.01, MOST = 100; /* uM: a tenth of a resting cell's, and far beyond any peak */
  enum { SAMPLES = 1000 };
  const double origin[3] = {0};
  char where[512];
  double most = -(double)INFINITY;
  if (!a->model.text || !place_given(a->calcium.place) || expr_is_local(&a->calcium.expr)) return;
  for (int k = 0; k <= SAMPLES; ++k)
    most = fmax(most, expr_value(&a->calcium.expr, origin, c->time.end.value * k / SAMPLES));
  if (most < LEAST || most > MOST)
    status_warn(
        "%s: the calcium is at most %g uM; cells have about 0.1 at rest, and peak at 0.3 to 2\n  remedy: check its "
        "unit, which is uM: 1 mM is 1000",
        place_text(c->path, a->calcium.place, where, sizeof where), most);
}

void muscle_check(Case *c, Diagnostics *out) {
  for (int32_t m = 0; m < c->materials.n; ++m) {
    CaseMaterial *of = case_material(c, m);
    const CaseAxes *a = &of->axes;
    const bool both = place_given(a->place) && place_given(a->fibers.place) &&
                      memcmp(&a->place, &a->fibers.place, sizeof(Place)) != 0 && !place_given(a->cylinder.place);
    if (both && (a->x.n || a->field.text))
      report_error(out, a->fibers.place, "an entry of muscle has axes or fibers, not both\n  remedy: leave one out");
    check_twice(c, of, out);
    take_fibers(of, out);
    take_volume(of);
  }
  for (int32_t i = 0; i < c->cavities.n; ++i) check_cavity(c, i, out);
  finite_check(c, out);
  if (!out->n) warn_of_steps(c);
  for (int32_t m = 0; m < c->materials.n && !out->n; ++m) warn_of_calcium(c, &case_material(c, m)->active);
}
