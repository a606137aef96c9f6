/* Checks of values of elasticity against each other, which the table of keys cannot express: in every analysis, then in
 * a static one. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/input/case_tables.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

static bool is_moment(const CaseSum *sum) {
  return sum->field.value == SUM_MOMENT || sum->field.value == SUM_CONTACT_MOMENT;
}

const char *elasticity_sum_letters(const Case *c, const CaseSum *sum) {
  const int32_t field = sum->field.value;
  if (is_moment(sum) || field == SUM_SECTION_MOMENT) return case_dim(c) == 2 ? "z" : "xyz";
  if (field == SUM_SECTION_FORCE && case_axisymmetric(c)) return "y"; /* radial ones have no resultant */
  if (field != SUM_REACTION && field != SUM_CONTACT_FORCE && field != SUM_SECTION_FORCE) return "";
  return case_dim(c) == 2 ? "xy" : "xyz";
}

void case_check_exprs(const Case *c, const char *key, const ExprsValue *value, Diagnostics *out) {
  if (!value->single) case_check_directions(c, key, value->n, value->place, out);
}

void case_check_direction(const Case *c, const char *name, const VectorValue *v, Diagnostics *out) {
  if (!v->n) return;
  case_check_directions(c, name, v->n, v->place, out);
  double square = 0;
  for (int32_t k = 0; k < v->n; ++k) square += v->value[k] * v->value[k];
  if (!(square > 0))
    report_error(out, v->place, "%s has no length; give a direction such as %s", name,
                 case_dim(c) == 3 ? "[0, 0, 1]" : "[1, 0]");
}

static void check_axes(const Case *c, const CaseMaterial *m, Diagnostics *out) {
  const CaseAxes *a = &m->axes;
  const MaterialType *type = material_type(m->type.value);
  if (type && type->shape.axes && type->shape.finite && !place_given(a->place))
    report_error(
        out, m->place,
        "material '%s' has fibres and needs the key 'axes': axis 1 is their direction, such as {x: [1, 0, 0], y: "
        "[0, 1, 0]} or {field: fiber}",
        type->name);
  if (!place_given(a->place) || !type) return;
  if (type->shape.axes || place_given(m->active.place)) case_check_axes(c, a, out);
  else
    report_error(out, a->place,
                 "axes, fibers and sheets do not apply to '%s', which is the same in all directions; leave them out",
                 type->name);
}

/* A parameter that varies with the place; false: it is a number. */
static bool check_varying(const CaseMaterial *m, const MaterialType *type, int k, Diagnostics *out) {
  const VaryingValue *v = &m->varying[k];
  const char *name = type->param[k].name;
  if (!place_given(v->place)) return false;
  if (strcmp(name, "thickness") == 0)
    report_error(out, v->place,
                 "%s is one number in a material; give the groups where it differs materials of their own", name);
  else if (expr_is_timed(&v->expr.expr))
    report_error(out, v->place, "%s depends on %s; a material varies with x, y and z only", name,
                 expr_running(&v->expr.expr));
  return true;
}

static void check_parameters(const Case *c, const CaseMaterial *m, const MaterialType *type, Diagnostics *out) {
  double value[PARAM_MOST + PARAM_CURVES];
  bool first = true, given = true;
  case_material_numbers(m, value);
  for (int k = 0; k < type->n_param; ++k) {
    const bool varying = check_varying(m, type, k, out);
    const bool refused = place_given(m->value[k].place) && error_reported_at(out, m->value[k].place);
    given &= !varying && !refused && !error_reported_of(out, type->param[k].name) &&
             (!type->param[k].required || place_given(m->value[k].place));
    if (refused || varying || !place_given(m->value[k].place) || param_check_at(&type->param[k], value, k) == OK)
      continue;
    if (first) material_check(m->type.value, value); /* its message has advice */
    report_error(out, m->value[k].place, "%s", status_message());
    first = false;
  }
  if (given && first && material_check(m->type.value, value) != OK) report_error(out, m->place, "%s", status_message());
  const int thickness = material_parameter(m->type.value, "thickness");
  if (case_axisymmetric(c) && thickness >= 0 && place_given(m->value[thickness].place))
    report_error(out, m->value[thickness].place,
                 "thickness has no meaning in an axisymmetric model, which goes all around");
}

/* A parameter that has a meaning under small strains only. */
static void check_strain(const Case *c, const CaseMaterial *m, const MaterialType *type, Diagnostics *out) {
  const int k = type->shape.small ? material_parameter(m->type.value, type->shape.small) : -1;
  if (k >= 0 && place_given(m->value[k].place) && elastic_has(c, HAS_LARGE_STRAIN))
    report_error(out, m->value[k].place,
                 "%s is for small strains; this is a finite-strain case\n  remedy: 'strain: "
                 "small', or leave %s out",
                 type->shape.small, type->shape.small);
}

static void check_materials(Case *c, Diagnostics *out) {
  if (place_given(c->materials.place) && c->materials.n == 0)
    report_error(out, c->materials.place, "materials is empty; every element needs one");
  for (int32_t i = 0; i < c->materials.n; ++i) {
    CaseMaterial *m = case_material(c, i);
    const MaterialType *type = material_type(m->type.value);
    if (place_given(m->curve.place)) case_curve_fill(c, m, out);
    if (type && !place_given(m->curve.place)) check_parameters(c, m, type, out), check_strain(c, m, type, out);
    check_axes(c, m, out);
    case_check_strength(c, m, out);
    case_check_initial_stress(c, m, out);
    if (place_given(m->active.place)) case_check_active(c, m, out);
  }
}

static void check_fix(Case *c, CaseBoundary *b, Diagnostics *out) {
  if (!place_given(b->fix.place)) return;
  const bool all = place_given(b->fix.z.place) && memcmp(&b->fix.z.place, &b->fix.place, sizeof(Place)) == 0;
  if (case_dim(c) == 2 && all) b->fix.z = (ExprValue){0};
  if (case_dim(c) == 2 && place_given(b->fix.z.place))
    report_error(out, b->fix.z.place, "fix has z; model '%s' has x and y only", c->model.text);
  if (!place_given(b->fix.x.place) && !place_given(b->fix.y.place) && !place_given(b->fix.z.place))
    report_error(out, b->fix.place, "fix has no component; write 'all' or {x: 0, ...}");
}

static void check_follower(const Case *c, const CaseBoundary *b, Diagnostics *out) {
  if (!place_given(b->follower.place)) return;
  if (!place_given(b->pressure.place))
    report_error(out, b->follower.place, "follower says how 'pressure' acts, and there is no pressure here");
  else if (!elastic_has(c, HAS_LARGE_STRAIN) && b->follower.value)
    report_error(out, b->follower.place, "under small strains no pressure follows its surface; add 'strain: finite'");
}

static void check_volume(const CaseBoundary *b, Diagnostics *out) {
  const Place at = b->volume.place;
  if (!place_given(at)) return;
  if (place_given(b->pressure.place))
    report_error(out, at,
                 "volume and pressure on the same surface: the pressure is a result where the volume is prescribed\n  "
                 "allowed: one of the two\n  remedy: leave one of them out");
  if (expr_is_local(&b->volume.expr))
    report_error(out, at,
                 "volume is one number for the whole cavity and depends on t alone, not on x, y or z\n  such as "
                 "\"V0*(1 + 0.3*t)\"");
}

void case_check_boundary(Case *c, const MapsValue *boundary, Diagnostics *out) {
  for (int32_t i = 0; i < boundary->n; ++i) {
    CaseBoundary *b = maps_item(boundary, sizeof(CaseBoundary), i);
    acts_check_any(&elastic_acts, b, b->place, &b->on, out);
    check_fix(c, b, out);
    case_check_phase(b, out);
    check_follower(c, b, out);
    check_volume(b, out);
    for (const Act *act = NULL; (act = act_next(b, ACT_ANY, act));) {
      const ExprsValue value = act_value(act, b);
      if (act->type != VALUE_EXPR) case_check_exprs(c, act->key, &value, out);
    }
    case_check_constraint(c, b, out);
  }
}

/* A probe of a line. */
static void check_line(const Case *c, int32_t i, Diagnostics *out) {
  const CaseProbe *probe = case_probe(c, i);
  const int32_t row = probe->field.text ? elastic_field[elastic_probe(c, i).row].of : ELASTIC_STRESS;
  if ((probe->to.n > 0) != (probe->take.text != NULL))
    report_error(out, probe->place,
                 "a line has both 'to', its end, and 'take', which is membrane, bending, "
                 "membrane-bending or peak; this one has '%s' alone",
                 probe->to.n ? "to" : "take");
  if (!probe->to.n) return;
  case_check_directions(c, "to", probe->to.n, probe->to.place, out);
  double square = 0;
  for (int32_t k = 0; k < probe->to.n; ++k) square += pow(probe->to.value[k] - probe->at.value[k], 2);
  if (!(square > 0)) report_error(out, probe->to.place, "the line has no length: 'to' is where 'at' is");
  if (row != ELASTIC_STRESS && row != ELASTIC_VON_MISES && row != ELASTIC_PRINCIPAL)
    report_error(out, probe->field.place,
                 "'%s' is not linearised along a line; allowed: stress-xx ..., von-mises, principal-1 ...",
                 probe->field.text);
  if (c->envelopes.n)
    report_error(out, probe->to.place,
                 "envelopes have no linearised stress: each point of the line may have another load case\n"
                 "  remedy: leave 'envelopes' out, or the line");
}

void case_check_elastic_probes(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.probes.n; ++i) check_line(c, i, out);
  for (int32_t i = 0; i < c->output.probes.n && c->model.text; ++i) {
    const WordValue *field = &case_probe(c, i)->field;
    const size_t n = field->text ? strlen(field->text) : 0;
    if (case_dim(c) == 2 && n > 2 && strcmp(field->text + n - 2, "-z") == 0)
      report_error(out, field->place, "%s: model '%s' has x and y only", field->text, c->model.text);
  }
}

/* Under small strains materials are linear, but where there are steps. */
static void check_small(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const WordValue *word = &case_material(c, i)->type;
    const MaterialType *type = material_type(word->value);
    if (type && type->shape.finite)
      report_error(out, word->place, "'%s' is a material of finite strain; add 'strain: finite'", type->name);
    else if (type && !type->shape.linear && !elastic_has(c, HAS_MEMORY))
      report_error(out, word->place,
                   "'%s' is not linear, and is solved in load steps\n  remedy: add 'time:' or 'steps:', and leave "
                   "'analysis' out, or write 'analysis: {type: transient}'",
                   type->name);
  }
}

/* A bound on the flow of a step, where nothing flows. */
static void check_flow(const Case *c, const CaseAdaptive *a, Diagnostics *out) {
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const MaterialType *type = material_type(case_material(c, i)->type.value);
    if (!type || type->shape.judged) return;
  }
  if (place_given(a->strain.place))
    report_error(out, a->strain.place,
                 "strain: the most plastic strain that a step may add, and no material of this case is plastic\n"
                 "  remedy: leave it out, or give a material 'type: plastic'");
}

/* Where no model is given the number of directions is not known. */
void case_check_elastic(Case *c, Diagnostics *out) {
  tensions_read(c, out);
  check_materials(c, out);
  case_check_material_fields(c, out);
  if (!elastic_has(c, HAS_LARGE_STRAIN)) check_small(c, out);
  check_flow(c, &c->time.adaptive, out);
  for (int32_t k = 0; k < c->steps.n; ++k) check_flow(c, &case_step(c, k)->adaptive, out);
  if (!c->model.text) return;
  case_check_boundary(c, &c->boundary, out);
  case_check_body(c, &c->body, out);
  case_check_equations(c, out);
  case_check_springs(c, out);
}

bool case_is_section(const CaseSum *sum) {
  return sum->field.text && (sum->field.value == SUM_SECTION_FORCE || sum->field.value == SUM_SECTION_MOMENT);
}

static void check_sections(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *sum = case_sum(c, i);
    const bool cut = place_given(sum->cut.place);
    if (case_is_section(sum) && !cut)
      report_error(out, sum->place, "a %s needs the key 'cut': the plane, such as {at: %s}", sum->field.text,
                   case_dim(c) == 2 ? "[0, 0], normal: [1, 0]" : "[0, 0, 0], normal: [1, 0, 0]");
    if (!case_is_section(sum) && cut && sum->field.text)
      report_error(out, sum->cut.place, "'cut' is the plane of a section, and '%s' has none\n  remedy: leave it out",
                   sum->field.text);
    if (!cut) continue;
    case_check_directions(c, "at", sum->cut.at.n, sum->cut.at.place, out);
    case_check_direction(c, "normal", &sum->cut.normal, out);
  }
}

static void check_moments(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *sum = case_sum(c, i);
    const bool moment = sum->field.text && is_moment(sum);
    case_check_directions(c, "about", sum->about.n, sum->about.place, out);
    if (moment && !sum->about.n)
      report_error(out, sum->place, "a moment needs the key 'about': the point that it is about, such as %s",
                   case_dim(c) == 2 ? "[0, 0]" : "[0, 0, 0]");
    if (!moment && sum->about.n && sum->field.text)
      report_error(out, sum->about.place, "'about' is the point of a moment, and '%s' has none\n  remedy: leave it out",
                   sum->field.text);
    if ((moment || (sum->field.text && sum->field.value == SUM_SECTION_MOMENT)) && case_axisymmetric(c))
      report_error(out, sum->field.place,
                   "model 'axisymmetric' has no moments: those of a ring add up to 0\n  remedy: leave the sum out");
  }
}

void case_check_sums(const Case *c, Diagnostics *out) {
  check_moments(c, out);
  check_sections(c, out);
}

void elasticity_release(Case *c) {
  tensions_close(c);
  case_chain_release(c);
}

void elasticity_check(Case *c, Diagnostics *out) {
  case_check_elastic(c, out);
  case_check_thermal(c, &c->thermal, out);
  case_check_elastic_tables(c, out);
  case_check_elastic_probes(c, out);
  case_check_sums(c, out);
  case_check_adapt(c, out);
  if (c->model.text) case_check_load_cases(c, out);
}
