/* Muscle in a material: the key `active`, and its checks. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "core/nearest.h"
#include "physics/material.h"
#include "physics/import/tension_file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const Word model_words[] = {
#define TENSION(name, word) {word, 0},
#include "physics/tensions.def"
#undef TENSION
    {NULL, 0}};
/* In the order of ActiveForm, from 1. */
static const Word form_words[] = {{"stretch", 0}, {"invariant", 0}, {NULL, 0}};

/* What else is called a model of tension. */
static const char *model_meant(const char *word) {
  if (strncasecmp(word, "land", strlen("land")) == 0)
    return "did you mean 'land', of Land et al. 2017, as LandHumanStress of openCARP is? The file of a model is read "
           "with "
           "'file: LandHumanStress.model'";
  return strchr(word, '.') ? "a file is named with 'file', such as {file: stress.model}" : NULL;
}

/* clang-format off */
#define ACTIVE_KEYS(given)                                                                                             \
  {given, VALUE_EXPR, false, AT(CaseActive, tension),                                                                  \
   .meaning = "the tension: a number or an expression in x, y, z and t, of the unit of stress"},                       \
  {"model", VALUE_WORD, false, AT(CaseActive, model), .words = model_words, .meant = model_meant,           \
   .meaning = "in the place of that: see 'sinew list tensions'; times are ms then, stress kPa"},                       \
  {"preset", VALUE_TEXT, false, AT(CaseActive, preset), .meaning = "parameters of the model; its first unless given"}, \
  {"file", VALUE_TEXT, false, AT(CaseActive, file),                                                                    \
   .meaning = "in place of model: a model of tension to read, .mmt, .cellml or .model"},                               \
  {"parameters", VALUE_FACTORS, false, AT(CaseActive, parameters), .relative = true,                                   \
   .meaning = "constants of the file by name, {Tref: 100}; \"*0.5\": half of it"},                                   \
  {"units", VALUE_WORD, false, AT(CaseActive, units), .words = model_units_words,                                            \
   .meaning = "of the file: check or ignore; as the format has it unless given"},                                      \
  {"drive-variable", VALUE_TEXT, false, AT(CaseActive, variable[0]),                                                   \
   .meaning = "of the file: the calcium or potential that it goes by; by its name, such as Cai, unless given"},        \
  {"stretch-variable", VALUE_TEXT, false, AT(CaseActive, variable[1]),                                                 \
   .meaning = "of the file: the stretch of the fibre; by its name, such as lambda, unless given"},                     \
  {"rate-variable", VALUE_TEXT, false, AT(CaseActive, variable[2]),                                                    \
   .meaning = "of the file: the rate of the stretch; by its name, such as delLambda, unless given"},                   \
  {"tension-variable", VALUE_TEXT, false, AT(CaseActive, variable[3]),                                                 \
   .meaning = "of the file: the tension; by its name, such as Tension or Ta, unless given"},                           \
  {"calcium", VALUE_EXPR, false, AT(CaseActive, calcium),                                                              \
   .meaning = "that drives the model, uM: a number or an expression in x, y, z and t"},                                \
  {"potential", VALUE_EXPR, false, AT(CaseActive, potential), .meaning = "the same of models that go by it, mV"},      \
  {"form", VALUE_WORD, false, AT(CaseActive, form), .words = form_words,                                               \
   .meaning = "what the tension is: stretch, force per area of the body as it was, so of models unless given; "        \
              "invariant, second Piola-Kirchhoff stress"}
/* clang-format on */

static const Param *active_params(int32_t kind, int *n) {
  const TensionType *type = tension_type(kind);
  *n = type ? type->n_param : 0;
  return type ? type->param : NULL;
}
static int active_texts(int32_t kind, const char *key, int most, const char *names[]) {
  const TensionType *type = tension_type(kind);
  int n = 0;
  for (; type && strcmp(key, "preset") == 0 && n < type->n_preset && n < most; ++n) names[n] = type->preset[n].name;
  return n;
}
#define ACTIVE_PARAMS                                                                                                  \
  .optional = true, .chooser = "model", .params = active_params, .texts = active_texts,                                \
  .params_offset = offsetof(CaseActive, value), .varying_offset = offsetof(CaseActive, varying), .relative = true
static const Key active_keys[] = {ACTIVE_KEYS("tension")};
const Schema case_active_schema = {SCHEMA("active", active_keys, CaseActive), ACTIVE_PARAMS};
static const Key tension_keys[] = {ACTIVE_KEYS("value")};
const Schema case_tension_schema = {SCHEMA("tension", tension_keys, CaseActive), .plain = "value", ACTIVE_PARAMS};

/* The preset's index, or -1 after an error. */
static int preset_of(const CaseActive *a, Diagnostics *out) {
  const TensionType *type = tension_type(a->model.value);
  const char *names[16], *near;
  char list[256] = "";
  const int found = a->preset.text ? tension_preset(a->model.value, a->preset.text) : 0;
  if (found >= 0) return found;
  for (int i = 0; i < type->n_preset; ++i) {
    names[i] = type->preset[i].name;
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
  }
  near = nearest_name(a->preset.text, type->n_preset, names);
  report_error(out, a->preset.place, "%s has no preset '%.60s'\n  allowed: %s%s%s%s", type->name, a->preset.text, list,
               near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
  return -1;
}

/* Parameters that are given, and those of the preset, each alone and one against another. */
static void fill_in(CaseActive *a, Diagnostics *out) {
  const TensionType *type = tension_type(a->model.value);
  const int preset = preset_of(a, out), before = out->n;
  double value[TENSION_PARAMS];
  Place given = a->model.place;
  for (int k = 0; preset >= 0 && k < type->n_param; ++k) {
    NumberValue *to = &a->value[k];
    const VaryingValue *times = &a->varying[k];
    const double of = type->preset[preset].value[k];
    if (place_given(times->place))
      report_error(out, times->place,
                   "%s of a tension is one number in an entry, and here it varies\n  remedy: an entry for each part of "
                   "the body, or a tension that varies as an expression in the place of the model",
                   type->param[k].name);
    else if (place_given(to->place) && times->relative) to->value *= of; /* "*0.5" */
    else if (!place_given(to->place)) to->value = of;
    if (place_given(to->place)) given = to->place;
    if (place_given(to->place) && !error_reported_at(out, to->place) && param_check(&type->param[k], to->value) != OK)
      report_error(out, to->place, "%s", status_message());
    value[k] = to->value;
  }
  if (preset < 0 || out->n > before) return;
  if (type->check && type->check(value) != OK) report_error(out, given, "%s", status_message());
  a->preset.text = type->preset[preset].name;
}

static void check_model(const Case *c, CaseActive *a, Diagnostics *out) {
  const TensionType *type = tension_type(a->model.value);
  const bool by_calcium = type->shape.drive == TENSION_BY_CALCIUM, cells = elastic_has(c, HAS_CELLS);
  const ExprValue *drive = by_calcium ? &a->calcium : &a->potential, *other = by_calcium ? &a->potential : &a->calcium;
  if (cells && place_given(drive->place))
    report_error(out, drive->place, "the %s of this muscle is that of the cells of 'tissue'\n  remedy: leave it out",
                 by_calcium ? "calcium" : "potential");
  if (!cells && !place_given(drive->place))
    report_error(out, a->place, "the tension of %s goes by the %s, and there is none\n  such as: %s", type->name,
                 by_calcium ? "calcium" : "potential",
                 by_calcium ? "calcium: \"0.14 + 0.46*sin(pi*t/400)^2\"" : "potential: \"-80 + 100*sin(pi*t/400)^2\"");
  if (place_given(other->place))
    report_error(out, other->place, "the tension of %s goes by the %s; leave this out", type->name,
                 by_calcium ? "calcium" : "potential");
  fill_in(a, out);
}

void case_check_active(const Case *c, CaseMaterial *m, Diagnostics *out) {
  CaseActive *a = &m->active;
  const MaterialType *type = material_type(m->type.value);
  const bool given = place_given(a->tension.place), file = place_given(a->file.place);
  const bool model = place_given(a->model.place) || file;
  if (file && !a->imported) return; /* tensions_read has said why */
  const bool muscle = elastic_has(c, HAS_PUMP);
  const char *map = muscle ? "tension" : "active", *key = muscle ? "value" : "tension";
  if (given == model)
    report_error(out, a->place,
                 "%s needs one of %s, model and file; this one has %s\n  such as: {%s: "
                 "\"60*t\", form: invariant}, or {model: land, calcium: \"..\"}",
                 map, key, given ? "more" : "none", key);
  else if (model && a->model.text) check_model(c, a, out);
  else if (given && (place_given(a->preset.place) || place_given(a->calcium.place) || place_given(a->potential.place)))
    report_error(out, a->place,
                 "preset, calcium and potential are of a model, and the tension is given; leave them out");
  const double origin[3] = {0};
  if (given && expr_is_constant(&a->tension.expr) && expr_value(&a->tension.expr, origin, 0) < 0)
    report_error(out, a->tension.place, "the tension is %g, must be >= 0: muscle pulls",
                 expr_value(&a->tension.expr, origin, 0));
  if (given && !model && !place_given(a->form.place))
    report_error(out, a->place,
                 "%s has a %s and no 'form', and both forms are in use\n  allowed: form: stretch, force per "
                 "area of the body as it was; form: invariant, second Piola-Kirchhoff stress (Land 2015 and others)",
                 map, key);
  if (type && type->shape.linear)
    report_error(out, a->place,
                 "'%s' is a law of small strains, and muscle shortens\n  remedy: 'type: guccione', "
                 "'holzapfel-ogden' or another material of finite strain",
                 type->name);
  if (!place_given(m->axes.place))
    report_error(out, a->place, "muscle needs the key '%s' in its %s", muscle ? "fibers' or 'axes" : "axes",
                 muscle ? "entry: {rule: ldrb, lv: endo, epi: epi, base: base} or {field: fiber}"
                        : "material: axis 1 is the direction of fibres, such as {x: [1, 0, 0]} or {field: fiber}");
  if (c->model.text && c->model.value == MODEL_PLANE_STRESS)
    report_error(out, c->model.place,
                 "muscle is not available in plane stress\n  remedy: 'model: plane-strain', "
                 "axisymmetric or 3d");
}
