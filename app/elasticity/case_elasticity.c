/* The keys of a case file of elasticity, as tables, and their checks. A new key is a line here and a member in
 * case.h. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

const Word case_model_words[] = {
    {"plane-stress", false}, {"plane-strain", false}, {"3d", false}, {"axisymmetric", false}, {NULL, false}};
static const Word material_words[] = {
#define MATERIAL(name, law) {#name, false},
#include "physics/materials.def"
#undef MATERIAL
    {NULL, false}};
static const Word field_words[] = {{"displacement", false},   {"stress", false},       {"von-mises", false},
                                   {"principal", false},      {"reaction", false},     {"strain-energy", false},
                                   {"element-stress", false}, {"point-stress", false}, {NULL, false}};
static const Word probe_words[] = {ELASTIC_PROBE_WORDS,    {"principal-1", false}, {"principal-2", false},
                                   {"principal-3", false}, {"reaction-x", false},  {"reaction-y", false},
                                   {"reaction-z", false},  {NULL, false}};
static const Word sum_words[] = {{"reaction", false}, {"strain-energy", false}, {NULL, false}};
static const Word quantity_words[] = {
    {"unknowns", false}, {"iterations", false}, {"strain-energy", false}, {NULL, false}};
_Static_assert(COUNT(field_words) == N_OUTPUT_FIELDS + 1, "one word per OutputField");
_Static_assert(COUNT(probe_words) == N_PROBE_FIELDS + 1, "one word per ProbeField");

static const Key cylinder_keys[] = {
    {"origin", VALUE_VECTOR, true, AT(CaseCylinder, origin), .meaning = "a point of its line"},
    {"axis", VALUE_VECTOR, false, AT(CaseCylinder, axis), .meaning = "direction of its line; z in a flat model"}};
static const Schema cylinder_schema = {.what = "cylinder",
                                       .n = COUNT(cylinder_keys),
                                       .key = cylinder_keys,
                                       .size = sizeof(CaseCylinder),
                                       .optional = true};

static const Key axes_keys[] = {
    {"x", VALUE_VECTOR, false, AT(CaseAxes, x), .meaning = "direction of axis 1"},
    {"y", VALUE_VECTOR, false, AT(CaseAxes, y), .meaning = "a direction in the plane of axes 1 and 2"},
    {"field", VALUE_TEXT, false, AT(CaseAxes, field),
     .meaning = "data of the mesh: 3 components are axis 1; 9 on elements are axes 1, 2 and 3"},
    {"cylinder", VALUE_MAP, false, AT(CaseAxes, cylinder), .schema = &cylinder_schema,
     .meaning = "axis 1 away from a line, 2 around it, 3 along it"}};
static const Schema axes_schema = {.what = "axes",
                                   .n = COUNT(axes_keys),
                                   .key = axes_keys,
                                   .size = sizeof(CaseAxes),
                                   .plain = "field",
                                   .optional = true};

static const Key material_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseMaterial, on), .meaning = "group or list of groups of elements"},
    {"type", VALUE_WORD, false, AT(CaseMaterial, type), .initial = "isotropic", .words = material_words,
     .meaning = "law; see 'sinew list materials'"},
    {"axes", VALUE_MAP, false, AT(CaseMaterial, axes), .schema = &axes_schema,
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
                                             .varying_offset = offsetof(CaseMaterial, varying)};

static const Key fix_keys[] = {{"x", VALUE_EXPR, false, AT(CaseFix, x), .meaning = "displacement in x"},
                               {"y", VALUE_EXPR, false, AT(CaseFix, y), .meaning = "displacement in y"},
                               {"z", VALUE_EXPR, false, AT(CaseFix, z), .meaning = "displacement in z"}};
static const Schema fix_schema = {
    .what = "fix", .n = COUNT(fix_keys), .key = fix_keys, .size = sizeof(CaseFix), .whole = "all"};

static const Key boundary_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseBoundary, on), .meaning = "group or list of groups"},
    {"fix", VALUE_MAP, false, AT(CaseBoundary, fix), .schema = &fix_schema, .meaning = "all, or {x: 0, y: 0.1}"},
    {"symmetry", VALUE_FLAG, false, AT(CaseBoundary, symmetry), .meaning = "no displacement along the normal"},
    {"traction", VALUE_EXPRS, false, AT(CaseBoundary, traction), .meaning = "force per area"},
    {"pressure", VALUE_EXPR, false, AT(CaseBoundary, pressure), .meaning = "per area, pushing on the body"},
    {"force", VALUE_EXPRS, false, AT(CaseBoundary, force), .meaning = "total force, spread over the group"},
    {"spring", VALUE_EXPR_OR_EXPRS, false, AT(CaseBoundary, spring), .meaning = "stiffness per area"}};
const Schema case_elastic_boundary_schema = {
    .what = "a boundary entry", .n = COUNT(boundary_keys), .key = boundary_keys, .size = sizeof(CaseBoundary)};

static const Key probe_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseProbe, name), .meaning = "its column in probes.csv"},
    {"at", VALUE_VECTOR, true, AT(CaseProbe, at), .meaning = "the point, [x, y] or [x, y, z]"},
    {"field", VALUE_WORD, true, AT(CaseProbe, field), .words = probe_words,
     .meaning = "displacement-x, stress-xx, ..."}};
static const Schema probe_schema = {
    .what = "a probe", .n = COUNT(probe_keys), .key = probe_keys, .size = sizeof(CaseProbe)};

static const Key sum_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseSum, name), .meaning = "start of its columns in probes.csv"},
    {"on", VALUE_NAMES, true, AT(CaseSum, on), .meaning = "group or list of groups"},
    {"field", VALUE_WORD, true, AT(CaseSum, field), .words = sum_words, .meaning = "reaction or strain-energy"}};
static const Schema sum_schema = {.what = "a sum", .n = COUNT(sum_keys), .key = sum_keys, .size = sizeof(CaseSum)};

static const Key output_keys[] = {
    {"fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = "[displacement, stress, von-mises]",
     .words = field_words, .meaning = "written to results.hdf"},
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &probe_schema, .meaning = "values at points"},
    {"sums", VALUE_MAPS, false, AT(CaseOutput, sums), .schema = &sum_schema, .meaning = "totals over groups"},
    CASE_OUTPUT_STORAGE_KEYS};
static const Schema output_schema = {
    .what = "output", .n = COUNT(output_keys), .key = output_keys, .size = sizeof(CaseOutput)};

static const Key expect_keys[] = {CASE_EXPECT_KEYS(quantity_words)};
static const Schema expect_schema = {
    .what = "an expect row", .n = COUNT(expect_keys), .key = expect_keys, .size = sizeof(CaseExpect)};

static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"model", VALUE_WORD, true, AT(Case, model), .words = case_model_words,
     .meaning = "plane-stress, plane-strain, 3d or axisymmetric"},
    {"materials", VALUE_MAPS, true, AT(Case, materials), .schema = &case_elastic_material_schema, .meaning = "a list"},
    {"boundary", VALUE_MAPS, false, AT(Case, boundary), .schema = &case_elastic_boundary_schema,
     .meaning = "supports and loads"},
    {"body", VALUE_MAPS, false, AT(Case, body), .schema = &case_elastic_body_schema, .meaning = "forces on volumes"},
    {"thermal", VALUE_MAP, false, AT(Case, thermal), .schema = &case_thermal_schema,
     .meaning = "{reference: 20, temperature: 120}"},
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
  if (!(square > 0)) report_error(out, v->place, "%s has no length", name);
}

static void check_axes(const Case *c, const CaseMaterial *m, Diagnostics *out) {
  const CaseAxes *a = &m->axes;
  const MaterialType *type = material_type(m->type.value);
  const bool cylinder = place_given(a->cylinder.place), solid = c->model.text && case_dim(c) == 3;
  if (!place_given(a->place) || !type) return;
  if (!type->shape.axes) {
    report_error(out, a->place, "axes say nothing of '%s', which is the same in all directions; leave them out",
                 type->name);
    return;
  }
  if ((a->x.n > 0) + (a->field.text != NULL) + cylinder != 1)
    report_error(out, a->place, "axes need one of: x (with y), field, cylinder");
  if (a->y.n && cylinder) report_error(out, a->y.place, "axes have both y and cylinder, which gives all three");
  if (a->x.n && !a->y.n && solid)
    report_error(out, a->place, "axes need y too in a 3d model: a direction in the plane of axes 1 and 2");
  case_check_direction(c, "x", &a->x, out);
  case_check_direction(c, "y", &a->y, out);
  if (!cylinder) return;
  case_check_directions(c, "origin", a->cylinder.origin.n, a->cylinder.origin.place, out);
  if (solid && !a->cylinder.axis.n)
    report_error(out, a->cylinder.place, "cylinder needs the key 'axis' in a 3d model: direction of its line");
  if (solid) case_check_direction(c, "axis", &a->cylinder.axis, out);
  else if (a->cylinder.axis.n)
    report_error(out, a->cylinder.axis.place, "model '%s' is flat: the line of its cylinders is at right angles to it",
                 c->model.text ? c->model.text : "");
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
    report_error(out, v->place, "%s depends on t; a material varies with x, y and z only", name);
  return true;
}

static void check_parameters(const Case *c, const CaseMaterial *m, const MaterialType *type, Diagnostics *out) {
  double value[CASE_MAX_PARAMS];
  bool first = true, given = true;
  for (int k = 0; k < CASE_MAX_PARAMS; ++k) value[k] = m->value[k].value;
  for (int k = 0; k < type->n_param; ++k) {
    const bool varying = check_varying(m, type, k, out);
    given &= !varying && (!type->param[k].required || place_given(m->value[k].place));
    if (varying || !place_given(m->value[k].place) || param_check(&type->param[k], value[k]) == OK) continue;
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

static void check_boundary(Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->boundary.n; ++i) {
    CaseBoundary *b = case_boundary(c, i);
    const bool any = place_given(b->fix.place) || place_given(b->symmetry.place) || place_given(b->traction.place) ||
                     place_given(b->force.place) || place_given(b->spring.place) || place_given(b->pressure.place);
    if (!any && place_given(b->on.place))
      report_error(out, b->place,
                   "nothing happens on '%s'\n  allowed: fix, symmetry, traction, pressure, force, spring",
                   b->on.n ? b->on.item[0].text : "");
    check_fix(c, b, out);
    case_check_exprs(c, "traction", &b->traction, out);
    case_check_exprs(c, "force", &b->force, out);
    case_check_exprs(c, "spring", &b->spring, out);
  }
}

static void check_probes(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const CaseProbe *p = case_probe(c, i);
    if (case_dim(c) == 2 && p->field.text &&
        (strcmp(p->field.text, "displacement-z") == 0 || strcmp(p->field.text, "reaction-z") == 0))
      report_error(out, p->field.place, "%s: model '%s' has x and y only", p->field.text, c->model.text);
  }
}

/* Where no model is given the number of directions is not known. */
void case_check_elastic(Case *c, Diagnostics *out) {
  check_materials(c, out);
  if (!c->model.text) return;
  check_boundary(c, out);
  case_check_body(c, out);
}

void elasticity_check(Case *c, Diagnostics *out) {
  case_check_elastic(c, out);
  case_check_thermal(c, out);
  if (c->model.text) check_probes(c, out);
}
