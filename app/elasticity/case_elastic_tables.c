/* output.tables of elasticity with their directions, and material axes: keys and their checks. */
#include "app/fibers/case_fibers.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/input/case_tables.h"
#include "app/input/case_words.h"

#include <math.h>
#include <string.h>

static const Word total_words[] = {{"none", 0}, {"with", 0}, {"only", 0}, {NULL, 0}};
static const Word table_words[] = {
#define ELASTIC_TABLE(NAME, word, kinds, ...) {word, kinds},
#define ELASTIC_MADE_TABLE ELASTIC_TABLE
#include "app/elasticity/tables.def"
    {NULL, 0}};
const ElasticTable elastic_table[N_ELASTIC_TABLES] = {
#define ELASTIC_TABLE(NAME, word, kinds, field, where, ...) {ELASTIC_##field, false, WHERE_##where, __VA_ARGS__},
#define ELASTIC_MADE_TABLE(NAME, word, kinds, field, where, ...) {ELASTIC_##field, true, WHERE_##where, __VA_ARGS__},
#include "app/elasticity/tables.def"
};
static const Key table_keys[] = {
    CASE_TABLE_KEYS(table_words),
    {"local", VALUE_FLAG, false, AT(CaseTable, local), .initial = "false",
     .meaning = "in the directions that 'directions' gives there"},
    {"total", VALUE_WORD, false, AT(CaseTable, total), .initial = "none", .words = total_words,
     .meaning = "the sum over the group: with the numbers, or it only"},
    {"load-cases", VALUE_NAMES, false, AT(CaseTable, load_cases), .only = ANALYSIS_STATIC,
     .meaning = "list of the load cases, combinations or envelopes that it is of; all unless given"},
    {"steps", VALUE_NAMES, false, AT(CaseTable, steps), .only = HAS_MEMORY,
     .meaning = "list of the steps at whose times it is written; all unless given"},
    {"time", VALUE_NUMBER, false, AT(CaseTable, time), .max = INFINITY, .only = ANALYSIS_STATIC,
     .meaning = "in its head; the number of the step unless given"}};
const Schema case_elastic_table_schema = {SCHEMA("a table", table_keys, CaseTable)};

static const Word of_words[] = {{"elements", 0}, {"nodes", 0}, {NULL, 0}};
static const Key directions_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseDirections, on), .meaning = "group or list of groups"},
    {"of", VALUE_WORD, false, AT(CaseDirections, of), .initial = "elements", .words = of_words,
     .meaning = "elements (tables of integration points) or nodes"},
    {"name", VALUE_TEXT, false, AT(CaseDirections, name), .meaning = "what lines of tables end with; L unless given"},
    {"axes", VALUE_MAP, true, AT(CaseDirections, axes), .schema = &case_axes_schema,
     .meaning = "{x: [1, 0, 0], y: [0, 1, 0]} or {cylinder: {origin: [0, 0, 0], axis: [0, 0, 1]}}"}};
const Schema case_directions_schema = {SCHEMA("directions", directions_keys, CaseDirections)};

FieldBits elastic_tables_need(const Case *c) {
  FieldBits which = 0;
  for (int32_t i = 0; i < c->output.tables.n; ++i) {
    const ElasticTable *t = &elastic_table[case_table(c, i)->field.value];
    which |= t->made && !elastic_has(c, HAS_STEPS) ? FIELD_POINT_STRESS : FIELD_BIT(elastic_field[t->field].of);
  }
  for (int32_t i = 0; i < c->output.tables.n; ++i)
    if (case_table(c, i)->field.value == TABLE_EXTERNAL_FORCE)
      which |= FIELD_BIT(elastic_field[ELASTIC_CONTACT_FORCE].of);
  return which;
}

static void check_axis(const Case *c, const char *name, const ExprsValue *v, Diagnostics *out) {
  const double origin[3] = {0};
  VectorValue given = {.n = v->n, .place = v->place};
  bool constant = true;
  for (int32_t k = 0; k < v->n; ++k) {
    constant = constant && expr_is_constant(&v->item[k].expr);
    if (expr_is_timed(&v->item[k].expr)) {
      report_error(out, v->item[k].place,
                   "axes stay as they are in time; an expression of %s takes x, y and z, not t\n  remedy: leave t out",
                   name);
      return;
    }
    given.value[k] = constant && expr_given(&v->item[k].expr) ? expr_value(&v->item[k].expr, origin, 0) : 1;
  }
  case_check_direction(c, name, &given, out);
}

void case_check_axes(const Case *c, const CaseAxes *a, Diagnostics *out) {
  const bool cylinder = place_given(a->cylinder.place), solid = c->model.text && case_dim(c) == 3;
  const bool fibers = place_given(a->fibers.place), sheets = place_given(a->sheets.place);
  if ((a->x.n > 0) + (a->field.text != NULL) + cylinder + fibers != 1)
    report_error(out, a->place, "axes need one of: x (with y), field, cylinder, fibers (with sheets)");
  fibers_check("fibers", &a->fibers, out);
  fibers_check("sheets", &a->sheets, out);
  if (!elastic_has(c, HAS_CELLS)) fibers_doubt(&a->fibers, out); /* they have told */
  if (sheets && (!fibers || a->fibers.rule.text))
    report_error(out, a->sheets.place, fibers ? "rule ldrb gives sheets too; leave sheets out" : "sheets need fibers");
  if (fibers && !sheets && !a->fibers.rule.text && solid)
    report_error(out, a->fibers.place,
                 "fibers need sheets too in a 3d model: axis 2\n  remedy: add sheets, or 'field' where "
                 "the material is the same in all directions across its fibres");
  if (a->y.n && fibers) report_error(out, a->y.place, "axes have both y and fibers; axis 2 is that of sheets");
  if (a->y.n && cylinder) report_error(out, a->y.place, "axes have both y and cylinder, which gives all three");
  if (a->x.n && !a->y.n && solid && !a->across)
    report_error(out, a->place, "axes need y too in a 3d model: a direction in the plane of axes 1 and 2");
  check_axis(c, "x", &a->x, out);
  check_axis(c, "y", &a->y, out);
  if (!cylinder) return;
  case_check_directions(c, "origin", a->cylinder.origin.n, a->cylinder.origin.place, out);
  if (solid && !a->cylinder.axis.n)
    report_error(out, a->cylinder.place, "cylinder needs the key 'axis' in a 3d model: direction of its line");
  if (solid) case_check_direction(c, "axis", &a->cylinder.axis, out);
  else if (a->cylinder.axis.n)
    report_error(out, a->cylinder.axis.place, "model '%s' is flat: the line of its cylinders is at right angles to it",
                 c->model.text ? c->model.text : "");
}

static void check_steps(const Case *c, const CaseTable *t, Diagnostics *out) {
  for (int32_t i = 0; i < t->steps.n; ++i) {
    bool there = false;
    for (int32_t k = 0; k < c->steps.n; ++k)
      there = there || (case_step(c, k)->name.text && !strcmp(case_step(c, k)->name.text, t->steps.item[i].text));
    if (!there)
      report_error(out, t->steps.item[i].place, "there is no step '%s'\n  allowed: the names of 'steps'",
                   t->steps.item[i].text);
  }
}

static void check_table(const Case *c, const CaseTable *t, Diagnostics *out) {
  const ElasticTable *table = &elastic_table[t->field.value];
  const char *field = t->field.text ? t->field.text : "";
  if (t->local.value && !table->directions)
    report_error(out, t->local.place, "'%s' is the same in all directions; leave out 'local'", field);
  if (t->local.value && c->output.directions.n == 0)
    report_error(out, t->local.place, "local needs the key 'directions' beside 'tables'");
  if (t->total.value != TOTAL_NONE && !table->total)
    report_error(out, t->total.place, "total is the sum of forces, of strain-energy or of volume; '%s' has none",
                 field);
  if (!case_contacts(c) && (t->field.value == TABLE_CONTACT_GAP || t->field.value == TABLE_CONTACT_PRESSURE ||
                            t->field.value == TABLE_CONTACT_FORCE || t->field.value == TABLE_EXTERNAL_FORCE))
    report_error(out, t->field.place, "'%s' is of contact; the case has no 'contact'", field);
  check_steps(c, t, out);
}

void case_check_elastic_tables(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.tables.n; ++i) check_table(c, case_table(c, i), out);
  for (int32_t i = 0; i < c->output.directions.n; ++i) {
    const CaseAxes *a = &case_directions(c, i)->axes;
    case_check_axes(c, a, out);
    if (a->field.text || place_given(a->fibers.place))
      report_error(out, a->place, "directions of tables are x and y, or cylinder; no data of the mesh, no fibres");
  }
}
