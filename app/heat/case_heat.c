/* The keys of a case file of heat, as tables, and their checks. A new key is a line here and a member in case.h. */
#include "app/input/case_tables.h"
#include "app/input/field_words.h"
#include "app/heat/heat_columns.h"
#include "physics/diffusion.h"

#include <math.h>

static const Word model_words[] = {{"axisymmetric", 0}, {NULL, 0}};
static const Word field_words[] = {
#define HEAT_FIELD(NAME, word, where, parts, unit, out) FIELD_WORDS_##out(word, parts)
#include "app/heat/fields.def"
    {NULL, 0}};
static const Word probe_words[] = {
#define HEAT_FIELD(NAME, word, where, parts, unit, out) PROBE_WORDS_##out(word, parts)
#include "app/heat/fields.def"
    {NULL, 0}};
const FieldType heat_field[N_HEAT_FIELDS] = {
#define HEAT_FIELD(NAME, ...) FIELD_ROW(__VA_ARGS__)
#include "app/heat/fields.def"
};
static const Word sum_words[] = {{"heat-flow", 0}, {"heat-content", 0}, {NULL, 0}};
static const Word quantity_words[] = {{"unknowns", 0}, {"iterations", 0}, {"steps", 0}, {NULL, 0}};

static const Key material_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseHeatMaterial, on), .meaning = "group or list of groups of elements"},
    CASE_LIBRARY_KEY(CaseHeatMaterial),
    {"conductivity", VALUE_TENSOR, true, AT(CaseHeatMaterial, conductivity),
     VARYING(CaseHeatMaterial, conductivity_varying),
     .meaning = "a number, one per direction, or a symmetric tensor as a list of rows"},
    {"capacity", VALUE_NUMBER, false, AT(CaseHeatMaterial, capacity), .open_min = true, .max = INFINITY,
     .meaning = "heat per volume and degree"},
    {"thickness", VALUE_NUMBER, false, AT(CaseHeatMaterial, thickness), .initial = "1", .open_min = true,
     .max = INFINITY, .meaning = "of a flat body"}};
static bool material_idle(const void *root, const void *map, const char *name) {
  (void)map;
  return strcmp(name, "thickness") == 0 && case_axisymmetric(root);
}
static const Schema material_schema = {SCHEMA("a material", material_keys, CaseHeatMaterial), .idle = material_idle};

static const Key convection_keys[] = {
    {"coefficient", VALUE_EXPR, true, AT(CaseConvection, coefficient), .meaning = "heat per area, time and degree"},
    {"ambient", VALUE_EXPR, true, AT(CaseConvection, ambient), .meaning = "temperature far away"}};
static const Schema convection_schema = {SCHEMA("convection", convection_keys, CaseConvection), .optional = true};

static const Key boundary_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseHeatBoundary, on), .meaning = "group or list of groups"},
#define ACT(type, member, value, load, on, roles, schema_, meaning_)                                                   \
  {#member, value, false, AT(CaseHeatBoundary, member), .schema = schema_, .meaning = meaning_},
#include "app/input/heat_acts.def"
};
const ActTable heat_acts = {(const Act[]){
#define ACT(type, member, value, load, on, roles, ...) ACT_ROW(CaseHeatBoundary, member, value, load, on, roles)
#include "app/input/heat_acts.def"
                            },
                            0
#define ACT(...) +1
#include "app/input/heat_acts.def"
};
static const Schema boundary_schema = {SCHEMA("a boundary entry", boundary_keys, CaseHeatBoundary)};

static const Key probe_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseProbe, name), .meaning = "its column in probes.csv"},
    {"at", VALUE_VECTOR, true, AT(CaseProbe, at), .meaning = "the point, [x, y] or [x, y, z]"},
    {"field", VALUE_WORD, false, AT(CaseProbe, field), .initial = "temperature", .words = probe_words,
     .meaning = "temperature, flux-x ..."}};
static const Schema probe_schema = {SCHEMA("a probe", probe_keys, CaseProbe)};

static const Key sum_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseSum, name), .meaning = "its column in probes.csv"},
    {"on", VALUE_NAMES, true, AT(CaseSum, on), .meaning = "group or list of groups"},
    {"field", VALUE_WORD, true, AT(CaseSum, field), .words = sum_words,
     .meaning = "heat-flow (into the body through a boundary) or heat-content (of elements)"}};
static const Schema sum_schema = {SCHEMA("a sum", sum_keys, CaseSum)};

static const Word table_words[] = {{"temperature", 0}, {"point-flux", 0}, {"internal-flow", 0}, {NULL, 0}};
_Static_assert(COUNT(table_words) == N_HEAT_TABLES + 1, "one word per HeatTable");
static const Key table_keys[] = {CASE_TABLE_KEYS(table_words), CASE_TABLE_TIME_KEY};
static const Schema table_schema = {SCHEMA("a table", table_keys, CaseTable)};

static const Key output_keys[] = {
    {"every", VALUE_NUMBER, false, AT(CaseOutput, every), .open_min = true, .max = INFINITY,
     .meaning = "time between stored steps"},
    {"checkpoint", VALUE_NUMBER, false, AT(CaseOutput, checkpoint), .open_min = true, .max = INFINITY,
     .meaning = "time between checkpoints"},
    {"fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = "[temperature]", .words = field_words,
     .meaning = "written to results.hdf"},
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &probe_schema, .meaning = "values at points"},
    {"sums", VALUE_MAPS, false, AT(CaseOutput, sums), .schema = &sum_schema, .meaning = "totals over groups"},
    {"tables", VALUE_MAPS, false, AT(CaseOutput, tables), .schema = &table_schema,
     .meaning = "numbers of groups as text"},
    CASE_OUTPUT_STORAGE_KEYS};
static const Schema output_schema = {SCHEMA("output", output_keys, CaseOutput)};

static const Key expect_keys[] = {
    CASE_EXPECT_KEYS(quantity_words),
    {"time", VALUE_NUMBER, false, AT(CaseExpect, time), .max = INFINITY, .meaning = "when; the end unless given"}};
static const Schema expect_schema = {SCHEMA("an expect row", expect_keys, CaseExpect)};

static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"model", VALUE_WORD, false, AT(Case, model), .words = model_words,
     .meaning = "axisymmetric: x is the radius, y the axis; as the mesh lies unless given"},
    {"materials", VALUE_MAPS, true, AT(Case, materials), .schema = &material_schema, .meaning = "a list"},
    {"boundary", VALUE_MAPS, false, AT(Case, boundary), .schema = &boundary_schema,
     .meaning = "temperature, flux, convection"},
    {"source", VALUE_MAPS, false, AT(Case, source), .schema = &case_source_schema, .meaning = "heat made inside"},
    {"initial", VALUE_MAP, false, AT(Case, initial), .schema = &case_initial_schema,
     .meaning = "a number, an expression, or {image: grey.png}"},
    {"time", VALUE_MAP, false, AT(Case, time), .schema = &case_time_schema, .meaning = "{end: 1, step: 0.01}"},
    CASE_SOLVER_KEY,
    {"adapt", VALUE_MAP, false, AT(Case, adapt), .schema = &case_adapt_schema,
     .meaning = "of a steady case, {energy: 0.02}: passes on meshes that follow the error of the flux"},
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "fields, probes, sums"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"}};
const Schema heat_schema = {SCHEMA("the case", case_keys, Case)};

static bool is_positive(const double k[3][3], int32_t n) {
  const double components[6] = {k[0][0], k[1][1], k[2][2], k[0][1], k[1][2], k[0][2]};
  return diffusion_definite(n == 2 ? 2 : 3, components);
}

static void check_conductivity(const TensorValue *k, Diagnostics *out) {
  if (k->n == 0 || is_positive(k->value, k->n)) return;
  if (k->n == 1) report_error(out, k->place, "conductivity is %g, must be > 0", k->value[0][0]);
  else if (k->diagonal)
    report_error(out, k->place,
                 "conductivity has an entry that is not > 0; heat flows from hot to cold in every direction");
  else
    report_error(out, k->place,
                 "conductivity is not positive definite: in some direction heat would flow from cold to hot");
}

static void check_materials(const Case *c, Diagnostics *out) {
  if (place_given(c->materials.place) && c->materials.n == 0)
    report_error(out, c->materials.place, "materials is empty; every element needs one");
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const CaseHeatMaterial *m = heat_material(c, i);
    if (!place_given(m->conductivity_varying.place)) check_conductivity(&m->conductivity, out);
    else if (expr_is_timed(&m->conductivity_varying.expr.expr))
      report_error(out, m->conductivity.place, "conductivity depends on %s; it varies with x, y and z only",
                   expr_running(&m->conductivity_varying.expr.expr));
    if (case_axisymmetric(c) && place_given(m->thickness.place))
      report_error(out, m->thickness.place, "thickness has no meaning in an axisymmetric model, which goes all around");
    if (place_given(c->time.place) && !place_given(m->capacity.place))
      report_error(out, m->place,
                   "a material needs the key 'capacity' where there is 'time:': heat per volume and degree, > 0");
  }
}

static void check_boundary(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->boundary.n; ++i) {
    const CaseHeatBoundary *b = heat_boundary(c, i);
    acts_check_any(&heat_acts, b, b->place, &b->on, out);
    const ExprValue *h = &b->convection.coefficient;
    const double origin[3] = {0};
    if (place_given(h->place) && expr_is_constant(&h->expr) && !(expr_value(&h->expr, origin, 0) > 0))
      report_error(out, h->place, "coefficient is %g, must be > 0", expr_value(&h->expr, origin, 0));
  }
}

void heat_check(Case *c, Diagnostics *out) {
  const CaseOutput *o = &c->output;
  if (place_given(o->checkpoint.place) && !place_given(c->time.place))
    report_error(out, o->checkpoint.place, "a steady case has no checkpoints; leave 'checkpoint' out, or give 'time'");
  for (int32_t i = 0; i < o->tables.n && place_given(c->time.place); ++i)
    if (place_given(case_table(c, i)->time.place))
      report_error(out, case_table(c, i)->time.place,
                   "tables of a case with 'time' are of the times that are stored; leave out their own 'time'");
  check_materials(c, out);
  check_boundary(c, out);
  case_check_adapt(c, out);
  if (place_given(c->adapt.place) && place_given(c->time.place))
    report_error(out, c->adapt.place,
                 "adapt is for steady heat, and this case has 'time'\n  remedy: leave 'time' out, or "
                 "'mesh: {file: .., size: ..}' with sizes that a steady case of the same part has found");
}
