/* The keys of a case file of elasticity, as tables, and their checks. A new key is a line here and a member in
 * case.h. */
#include "app/fibers/case_fibers.h"
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/input/case_tables.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

const Word case_model_words[] = {
    {"plane-stress", false}, {"plane-strain", false}, {"3d", false}, {"axisymmetric", false}, {NULL, false}};
/* Of every kind of analysis, so that each of them tells of all. */
const Word case_analysis_words[] = {
#define ANALYSIS(NAME, name) {#name, false},
#define ANALYSIS_OF_STRAIN(NAME, name)
#include "app/elasticity/analyses.def"
    {NULL, false}};
static const Word material_words[] = {
#define MATERIAL(name, word, law) {word, false},
#include "physics/materials.def"
#undef MATERIAL
    {NULL, false}};
const Word case_formulation_words[] = {
    {"auto", false}, {"displacement", false}, {"mean-dilatation", false}, {"incompatible-modes", false}, {NULL, false}};
const Word case_strain_words[] = {{"small", false}, {"finite", false}, {NULL, false}};
static const Word sum_words[] = {{"reaction", false}, {"strain-energy", false}, {NULL, false}};
static const Word quantity_words[] = {
    {"unknowns", false}, {"iterations", false}, {"strain-energy", false}, {NULL, false}};

static const Key cylinder_keys[] = {
    {"origin", VALUE_VECTOR, true, AT(CaseCylinder, origin), .meaning = "a point of its line"},
    {"axis", VALUE_VECTOR, false, AT(CaseCylinder, axis), .meaning = "direction of its line; z in a flat model"}};
static const Schema cylinder_schema = {.what = "cylinder",
                                       .n = COUNT(cylinder_keys),
                                       .key = cylinder_keys,
                                       .size = sizeof(CaseCylinder),
                                       .optional = true};

static const Key axes_keys[] = {
    {"x", VALUE_EXPRS, false, AT(CaseAxes, x), .meaning = "direction of axis 1: numbers or expressions in x, y, z"},
    {"y", VALUE_EXPRS, false, AT(CaseAxes, y),
     .meaning = "a direction in the plane of axes 1 and 2, numbers or expressions"},
    {"field", VALUE_TEXT, false, AT(CaseAxes, field),
     .meaning = "data of the mesh: 3 components are axis 1; 9 on elements are axes 1, 2 and 3"},
    {"cylinder", VALUE_MAP, false, AT(CaseAxes, cylinder), .schema = &cylinder_schema,
     .meaning = "axis 1 away from a line, 2 around it, 3 along it"},
    {"fibers", VALUE_MAP, false, AT(CaseAxes, fibers), .schema = &fibers_schema,
     .meaning = "axis 1 as a heart has it: {rule: ldrb, lv: endo, epi: epi, base: base} gives sheets too"},
    {"sheets", VALUE_MAP, false, AT(CaseAxes, sheets), .schema = &sheets_schema, .meaning = "axis 2 beside fibers"}};
const Schema case_axes_schema = {.what = "axes",
                                 .n = COUNT(axes_keys),
                                 .key = axes_keys,
                                 .size = sizeof(CaseAxes),
                                 .plain = "field",
                                 .optional = true};

static const Key material_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseMaterial, on), .meaning = "group or list of groups of elements"},
    {"type", VALUE_WORD, false, AT(CaseMaterial, type), .initial = "isotropic", .words = material_words,
     .meaning = "law; see 'sinew list materials'"},
    {"axes", VALUE_MAP, false, AT(CaseMaterial, axes), .schema = &case_axes_schema,
     .meaning = "of a material with directions: {x: [1, 0, 0], y: [0, 1, 0]}; those of the model unless given"}};

static const Param *material_params(int32_t kind, int *n) {
  const MaterialType *type = material_type(kind);
  *n = type ? type->n_param : 0;
  return type ? type->param : NULL;
}

const Schema case_elastic_material_schema = {.what = "a material",
                                             .n = COUNT(material_keys),
                                             .key = material_keys,
                                             .size = sizeof(CaseMaterial),
                                             .chooser = "type",
                                             .params = material_params,
                                             .params_offset = offsetof(CaseMaterial, value),
                                             .varying_offset = offsetof(CaseMaterial, varying),
                                             .curves_offset = offsetof(CaseMaterial, curves)};

static const Key fix_keys[] = {{"x", VALUE_EXPR, false, AT(CaseFix, x), .meaning = "displacement in x"},
                               {"y", VALUE_EXPR, false, AT(CaseFix, y), .meaning = "displacement in y"},
                               {"z", VALUE_EXPR, false, AT(CaseFix, z), .meaning = "displacement in z"}};
static const Schema case_fix_schema = {
    .what = "fix", .n = COUNT(fix_keys), .key = fix_keys, .size = sizeof(CaseFix), .whole = "all"};

static const Key boundary_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseBoundary, on), .meaning = "group or list of groups"},
#define ACT(type, member, value, load, on, roles, schema_, meaning_)                                                   \
  {#member, value, false, AT(CaseBoundary, member), .schema = schema_, .meaning = meaning_},
#include "app/input/acts.def"
#undef ACT
    {"follower", VALUE_FLAG, false, AT(CaseBoundary, follower),
     .meaning = "of pressure at finite strain: on the facets where they have gone to, as without this key; or not"},
    {"phase", VALUE_NUMBER, false, AT(CaseBoundary, phase), .min = -INFINITY, .max = INFINITY,
     .meaning = "of vibrations, degrees: the loads and motions of this entry are that much ahead"}};
const Schema case_elastic_boundary_schema = {
    .what = "a boundary entry", .n = COUNT(boundary_keys), .key = boundary_keys, .size = sizeof(CaseBoundary)};

static const Key probe_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseProbe, name), .meaning = "its column in probes.csv"},
    {"at", VALUE_VECTOR, true, AT(CaseProbe, at), .meaning = "the point, [x, y] or [x, y, z]"},
    {"field", VALUE_WORD, true, AT(CaseProbe, field), .words = elastic_probe_words[FIELDS_STATIC],
     .meaning = "displacement-x, stress-xx, ..."}};
const Schema case_elastic_probe_schema = {
    .what = "a probe", .n = COUNT(probe_keys), .key = probe_keys, .size = sizeof(CaseProbe)};

static const Key sum_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseSum, name), .meaning = "start of its columns in probes.csv"},
    {"on", VALUE_NAMES, true, AT(CaseSum, on), .meaning = "group or list of groups"},
    {"field", VALUE_WORD, true, AT(CaseSum, field), .words = sum_words, .meaning = "reaction or strain-energy"}};
const Schema case_elastic_sum_schema = {
    .what = "a sum", .n = COUNT(sum_keys), .key = sum_keys, .size = sizeof(CaseSum)};

static const Key output_keys[] = {{"fields", VALUE_WORDS, false, AT(CaseOutput, fields),
                                   .initial = "[displacement, stress, von-mises]",
                                   .words = elastic_field_words[FIELDS_STATIC], .meaning = "written to results.hdf"},
                                  {"probes", VALUE_MAPS, false, AT(CaseOutput, probes),
                                   .schema = &case_elastic_probe_schema, .meaning = "values at points"},
                                  {"sums", VALUE_MAPS, false, AT(CaseOutput, sums), .schema = &case_elastic_sum_schema,
                                   .meaning = "totals over groups"},
                                  {"tables", VALUE_MAPS, false, AT(CaseOutput, tables),
                                   .schema = &case_elastic_table_schema, .meaning = "numbers of groups as text"},
                                  CASE_DIRECTIONS_KEY,
                                  CASE_OUTPUT_STORAGE_KEYS};
static const Schema output_schema = {
    .what = "output", .n = COUNT(output_keys), .key = output_keys, .size = sizeof(CaseOutput)};

static const Key expect_keys[] = {CASE_EXPECT_KEYS(quantity_words),
                                  {"load-case", VALUE_TEXT, false, AT(CaseExpect, load_case),
                                   .meaning = "name of a load case, combination or envelope; the last unless given"}};
static const Schema expect_schema = {
    .what = "an expect row", .n = COUNT(expect_keys), .key = expect_keys, .size = sizeof(CaseExpect)};

static const Key analysis_keys[] = {
    {"type", VALUE_WORD, true, AT(CaseAnalysis, type), .words = case_analysis_words, .meaning = CASE_ANALYSIS_MEANING}};
const Schema case_static_schema = {.what = "analysis",
                                   .n = COUNT(analysis_keys),
                                   .key = analysis_keys,
                                   .size = sizeof(CaseAnalysis),
                                   .optional = true};

static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"model", VALUE_WORD, true, AT(Case, model), .words = case_model_words,
     .meaning = "plane-stress, plane-strain, 3d or axisymmetric"},
    CASE_STRAIN_KEY,
    {"analysis", VALUE_MAP, false, AT(Case, analysis), .schema = &case_static_schema,
     .meaning = "{type: static}, as without this key"},
    {"materials", VALUE_MAPS, true, AT(Case, materials), .schema = &case_elastic_material_schema, .meaning = "a list"},
    {"boundary", VALUE_MAPS, false, AT(Case, boundary), .schema = &case_elastic_boundary_schema,
     .meaning = "supports and loads"},
    {"body", VALUE_MAPS, false, AT(Case, body), .schema = &case_elastic_body_schema, .meaning = "forces on volumes"},
    {"thermal", VALUE_MAP, false, AT(Case, thermal), .schema = &case_thermal_schema,
     .meaning = "{reference: 20, temperature: 120}"},
    {"equations", VALUE_MAPS, false, AT(Case, equations), .schema = &case_equation_schema,
     .meaning = "between displacements of nodes"},
    {"load-cases", VALUE_MAPS, false, AT(Case, load_cases), .schema = &case_load_case_schema,
     .meaning = "loads that are solved for one after the other, with one stiffness"},
    {"combinations", VALUE_MAPS, false, AT(Case, combinations), .schema = &case_combination_schema,
     .meaning = "sums of load cases, each times a factor"},
    {"envelopes", VALUE_MAPS, false, AT(Case, envelopes), .schema = &case_envelope_schema,
     .meaning = "the worst of several load cases and combinations, at each node"},
    CASE_SOLVER_KEY,
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "fields, probes, sums"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"}};
const Schema elasticity_schema = {.what = "the case", .n = COUNT(case_keys), .key = case_keys, .size = sizeof(Case)};

const char *elasticity_sum_letters(const Case *c, const CaseSum *sum) {
  if (sum->field.value != SUM_REACTION) return "";
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
  if (type->shape.axes) case_check_axes(c, a, out);
  else
    report_error(out, a->place, "axes do not apply to '%s', which is the same in all directions; leave them out",
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
    given &= !varying && !refused && (!type->param[k].required || place_given(m->value[k].place));
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
                 "thickness says nothing in an axisymmetric model, which goes all around");
}

static void check_materials(Case *c, Diagnostics *out) {
  if (place_given(c->materials.place) && c->materials.n == 0)
    report_error(out, c->materials.place, "materials is empty; every element needs one");
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const CaseMaterial *m = case_material(c, i);
    const MaterialType *type = material_type(m->type.value);
    if (type) check_parameters(c, m, type, out);
    check_axes(c, m, out);
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

void case_refuse_dashpots(const MapsValue *boundary, const char *why, Diagnostics *out) {
  for (int32_t i = 0; i < boundary->n; ++i) {
    const CaseBoundary *b = maps_item(boundary, sizeof(CaseBoundary), i);
    for (const Act *act = NULL; (act = act_next(b, ACT_VISCOUS, act));)
      report_error(out, act_place(act, b),
                   "a %s resists velocities, and %s\n  leave it out, or take 'analysis:' harmonic or transient",
                   act->key, why);
  }
}

static void check_follower(const Case *c, const CaseBoundary *b, Diagnostics *out) {
  if (!place_given(b->follower.place)) return;
  if (!place_given(b->pressure.place))
    report_error(out, b->follower.place, "follower says how 'pressure' acts, and there is no pressure here");
  else if (!elastic_has(c, HAS_LARGE_STRAIN) && b->follower.value)
    report_error(out, b->follower.place, "under small strains no pressure follows its surface; add 'strain: finite'");
}

static void check_volume(const Case *c, const CaseBoundary *b, Diagnostics *out) {
  const Place at = b->volume.place;
  if (!place_given(at)) return;
  if (!elastic_has(c, HAS_LARGE_STRAIN))
    report_error(out, at,
                 "volume: under small strains none is prescribed\n  remedy: add 'strain: finite', or prescribe the "
                 "pressure");
  if (place_given(b->pressure.place))
    report_error(out, at,
                 "volume and pressure on the same surface: the pressure is what is found where the volume is "
                 "prescribed\n  allowed: one of the two\n  remedy: leave one of them out");
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
    case_check_phase(c, b, out);
    check_follower(c, b, out);
    check_volume(c, b, out);
    for (const Act *act = NULL; (act = act_next(b, ACT_ANY, act));) {
      const ExprsValue value = act_value(act, b);
      if (act->type != VALUE_EXPR) case_check_exprs(c, act->key, &value, out);
    }
    case_check_constraint(c, b, out);
  }
}

void case_check_elastic_probes(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.probes.n && c->model.text; ++i) {
    const WordValue *field = &case_probe(c, i)->field;
    const size_t n = field->text ? strlen(field->text) : 0;
    if (case_dim(c) == 2 && n > 2 && strcmp(field->text + n - 2, "-z") == 0)
      report_error(out, field->place, "%s: model '%s' has x and y only", field->text, c->model.text);
  }
}

/* Under small strains all materials are linear: there is one step. */
static void check_small(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const WordValue *word = &case_material(c, i)->type;
    const MaterialType *type = material_type(word->value);
    if (type && type->shape.finite)
      report_error(out, word->place, "'%s' is a material of finite strain; add 'strain: finite'", type->name);
    else if (type && !type->shape.linear)
      report_error(out, word->place,
                   "'%s' is not linear, and is solved in load steps\n  remedy: add 'strain: finite' and 'time:'",
                   type->name);
  }
}

/* Where no model is given the number of directions is not known. */
void case_check_elastic(Case *c, Diagnostics *out) {
  check_materials(c, out);
  if (!elastic_has(c, HAS_LARGE_STRAIN)) check_small(c, out);
  if (!c->model.text) return;
  case_check_boundary(c, &c->boundary, out);
  case_check_body(c, &c->body, out);
}

void elasticity_check(Case *c, Diagnostics *out) {
  case_check_elastic(c, out);
  case_check_thermal(&c->thermal, out);
  case_check_equations(c, out);
  case_refuse_dashpots(&c->boundary, "a static case has none", out);
  for (int32_t i = 0; i < c->load_cases.n; ++i)
    case_refuse_dashpots(&case_load_case(c, i)->boundary, "a static case has none", out);
  case_check_elastic_tables(c, false, out);
  case_check_elastic_probes(c, out);
  if (c->model.text) case_check_load_cases(c, out);
}
