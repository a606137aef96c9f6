/* Body loads of elasticity: the keys `body` and `thermal`, as tables, and their checks. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"

#include <math.h>

static const Key centrifugal_keys[] = {
    {"origin", VALUE_VECTOR, true, AT(CaseCentrifugal, origin), .meaning = "a point of the axis"},
    {"axis", VALUE_VECTOR, false, AT(CaseCentrifugal, axis),
     .meaning = "direction of the axis; z in a plane model, y in an axisymmetric one"},
    {"speed", VALUE_NUMBER, true, AT(CaseCentrifugal, speed), .meaning = "radians per time"}};
static const Schema centrifugal_schema = {SCHEMA("centrifugal", centrifugal_keys, CaseCentrifugal), .optional = true};

static const Key body_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseBody, on), .meaning = "group or list of groups of elements"},
    {"gravity", VALUE_EXPRS, false, AT(CaseBody, gravity), .meaning = "acceleration, times the material's density"},
    {"centrifugal", VALUE_MAP, false, AT(CaseBody, centrifugal), .schema = &centrifugal_schema,
     .only = (1 << N_ANALYSES) - 1 - ANALYSIS_HARMONIC - ANALYSIS_MOTION,
     .instead =
         "leave it out, as it is no amplitude, nor all that acts in a frame that turns; 'analysis: {type: modal, "
         "prestress: true}' says what it does to natural frequencies; 'initial: {velocity: ..}' turns the body "
         "itself",
     .meaning = "of a turning body: {origin: [..], axis: [..], speed: 314}"}};
const Schema case_elastic_body_schema = {SCHEMA("a body entry", body_keys, CaseBody)};

static const Key temperature_keys[] = {
    {"value", VALUE_EXPR, false, AT(CaseTemperature, value),
     .meaning = "a number or an expression in x, y, z; in load steps t too"},
    {"field", VALUE_TEXT, false, AT(CaseTemperature, field), .meaning = "data of the mesh, on nodes or elements"},
    {"results", VALUE_TEXT, false, AT(CaseTemperature, results), .meaning = "folder of a heat run on the same mesh"},
    {"time", VALUE_NUMBER, false, AT(CaseTemperature, time),
     .meaning = "a time that these results have; the last unless given"}};
static const Schema temperature_schema = {SCHEMA("temperature", temperature_keys, CaseTemperature), .plain = "value"};

static const Key thermal_keys[] = {{"reference", VALUE_NUMBER, false, AT(CaseThermal, reference), .initial = "0",
                                    .meaning = "temperature of the body without thermal strain"},
                                   {"temperature", VALUE_MAP, true, AT(CaseThermal, temperature),
                                    .schema = &temperature_schema,
                                    .meaning = "120, an expression, {field: NAME} or {results: FOLDER, time: 600}"}};
const Schema case_thermal_schema = {SCHEMA("thermal", thermal_keys, CaseThermal), .optional = true};

/* In a plane the axis is at right angles to it, and around an axis of revolution it is that one. */
static void check_centrifugal(const Case *c, const CaseCentrifugal *t, Diagnostics *out) {
  case_check_directions(c, "origin", t->origin.n, t->origin.place, out);
  if (case_dim(c) == 3 && !t->axis.n)
    report_error(out, t->place, "centrifugal needs the key 'axis' in a 3d model: direction of the axis");
  if (case_dim(c) == 3) case_check_direction(c, "axis", &t->axis, out);
  else if (t->axis.n)
    report_error(out, t->axis.place, "model '%s' turns about %s; leave axis out", c->model.text,
                 case_axisymmetric(c) ? "the axis x = 0" : "an axis at right angles to it");
  for (int32_t i = 0; elastic_has(c, HAS_LARGE_STRAIN) && i < c->boundary.n; ++i)
    if (place_given(case_boundary(c, i)->mass.place))
      report_error(out, case_boundary(c, i)->mass.place,
                   "a mass does not take part in 'centrifugal' at finite strain\n  remedy: elements with a density");
  if (!isfinite(t->speed.value * t->speed.value))
    report_error(out, t->speed.place, "speed is %g radians per time, its square must be finite", t->speed.value);
  if (case_axisymmetric(c) && t->origin.n && t->origin.value[0] != 0)
    report_error(out, t->origin.place, "origin has x = %g; model 'axisymmetric' turns about the axis x = 0",
                 t->origin.value[0]);
}

void case_check_body(const Case *c, const MapsValue *body, Diagnostics *out) {
  for (int32_t i = 0; i < body->n; ++i) {
    const CaseBody *b = maps_item(body, sizeof(CaseBody), i);
    case_check_exprs(c, "gravity", &b->gravity, out);
    if (place_given(b->centrifugal.place)) check_centrifugal(c, &b->centrifugal, out);
    if (!place_given(b->gravity.place) && !place_given(b->centrifugal.place) && place_given(b->on.place))
      report_error(out, b->place, "nothing acts in '%s'\n  allowed: gravity, centrifugal",
                   b->on.n ? b->on.item[0].text : "");
  }
}

void case_check_thermal(const Case *c, const CaseThermal *thermal, Diagnostics *out) {
  const CaseTemperature *t = &thermal->temperature;
  if (!place_given(thermal->place) || !place_given(t->place)) return;
  const int forms = place_given(t->value.place) + place_given(t->field.place) + place_given(t->results.place);
  if (forms != 1)
    report_error(out, t->place,
                 "temperature needs one of: a number or expression, {field: NAME}, {results: FOLDER, time: 600}");
  if (place_given(t->time.place) && !place_given(t->results.place))
    report_error(out, t->time.place, "time belongs to results; leave it out");
  if (place_given(t->value.place) && expr_is_timed(&t->value.expr) &&
      !elastic_has(c, HAS_LOAD_STEPS | ANALYSIS_NEWTON_MOTION))
    report_error(out, t->value.place, "the temperature depends on t, and a static case has one time only");
}
