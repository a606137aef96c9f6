/* The keys of a case file of elasticity at finite strain, as tables, and their checks. Materials, boundary and body are
 * those of case_elasticity.c. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/input/case_tables.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

static const Word quantity_words[] = {
    {"unknowns", false}, {"iterations", false}, {"strain-energy", false}, {"steps", false}, {NULL, false}};

static const Key adaptive_keys[] = {
    {"min", VALUE_NUMBER, false, AT(CaseAdaptive, min), .open_min = true, .max = INFINITY, .meaning = "shortest step"},
    {"max", VALUE_NUMBER, false, AT(CaseAdaptive, max), .open_min = true, .max = INFINITY, .meaning = "longest step"},
    {"cut", VALUE_FLAG, false, AT(CaseAdaptive, cut),
     .meaning = "false, or adaptive: false: all steps have the length of step, and one that fails ends the run"}};
static const Schema adaptive_schema = {.what = "adaptive",
                                       .n = COUNT(adaptive_keys),
                                       .key = adaptive_keys,
                                       .size = sizeof(CaseAdaptive),
                                       .plain = "cut",
                                       .optional = true};
static const Key time_keys[] = {
    {"end", VALUE_NUMBER, true, AT(CaseTime, end), .open_min = true, .max = INFINITY, .meaning = "it starts at 0"},
    {"step", VALUE_NUMBER, true, AT(CaseTime, step), .open_min = true, .max = INFINITY,
     .meaning = "of the load, or about that of the first ones when adaptive"},
    {"adaptive", VALUE_MAP, false, AT(CaseTime, adaptive), .schema = &adaptive_schema,
     .meaning = "steps as long as Newton's method converges quickly; unless given, those of step, cut where it fails; "
                "false: never cut"}};
static const Schema time_schema = {.what = "time", .n = COUNT(time_keys), .key = time_keys, .size = sizeof(CaseTime)};

static const Word sum_words[] = {
    {"reaction", false}, {"strain-energy", false}, {"volume", false}, {"pressure", false}, {NULL, false}};
static const Key sum_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseSum, name), .meaning = "start of its columns in probes.csv"},
    {"on", VALUE_NAMES, true, AT(CaseSum, on), .meaning = "group or list of groups"},
    {"field", VALUE_WORD, true, AT(CaseSum, field), .words = sum_words,
     .meaning = "reaction or strain-energy; volume or pressure of a cavity whose volume is prescribed"}};
static const Schema sum_schema = {.what = "a sum", .n = COUNT(sum_keys), .key = sum_keys, .size = sizeof(CaseSum)};

static const Key output_keys[] = {
    {"every", VALUE_NUMBER, false, AT(CaseOutput, every), .open_min = true, .max = INFINITY,
     .meaning = "time between stored steps; each step of fixed ones, the longest of adaptive ones unless given"},
    {"checkpoint", VALUE_NUMBER, false, AT(CaseOutput, checkpoint), .open_min = true, .max = INFINITY,
     .meaning = "time between checkpoints"},
    {"fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = "[displacement, cauchy, von-mises]",
     .words = elastic_field_words[FIELDS_FINITE], .meaning = "written to results.hdf"},
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &case_elastic_probe_schema,
     .meaning = "values at points"},
    {"sums", VALUE_MAPS, false, AT(CaseOutput, sums), .schema = &sum_schema,
     .meaning = "totals over groups, and what is in cavities"},
    {"tables", VALUE_MAPS, false, AT(CaseOutput, tables), .schema = &case_finite_table_schema,
     .meaning = "numbers of groups as text"},
    CASE_DIRECTIONS_KEY,
    CASE_OUTPUT_STORAGE_KEYS};
static const Schema output_schema = {
    .what = "output", .n = COUNT(output_keys), .key = output_keys, .size = sizeof(CaseOutput)};

static const Key expect_keys[] = {
    CASE_EXPECT_KEYS(quantity_words),
    {"time", VALUE_NUMBER, false, AT(CaseExpect, time), .max = INFINITY, .meaning = "when; the end unless given"}};
static const Schema expect_schema = {
    .what = "an expect row", .n = COUNT(expect_keys), .key = expect_keys, .size = sizeof(CaseExpect)};

static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"model", VALUE_WORD, true, AT(Case, model), .words = case_model_words,
     .meaning = "plane-stress, plane-strain, 3d or axisymmetric"},
    CASE_STRAIN_KEY,
    {"analysis", VALUE_MAP, false, AT(Case, analysis), .schema = &case_static_schema,
     .meaning = "{type: static}, as without this key"},
    {"materials", VALUE_MAPS, true, AT(Case, materials), .schema = &case_elastic_material_schema, .meaning = "a list"},
    {"boundary", VALUE_MAPS, false, AT(Case, boundary), .schema = &case_elastic_boundary_schema,
     .meaning = "supports and loads, which may use t; where none does all of them grow with it"},
    {"body", VALUE_MAPS, false, AT(Case, body), .schema = &case_elastic_body_schema, .meaning = "forces on volumes"},
    {"thermal", VALUE_MAP, false, AT(Case, thermal), .schema = &case_thermal_schema,
     .meaning = "of small strains only"},
    {"load-cases", VALUE_MAPS, false, AT(Case, load_cases), .schema = &case_load_case_schema,
     .meaning = "of small strains only"},
    {"combinations", VALUE_MAPS, false, AT(Case, combinations), .schema = &case_combination_schema,
     .meaning = "of small strains only"},
    {"envelopes", VALUE_MAPS, false, AT(Case, envelopes), .schema = &case_envelope_schema,
     .meaning = "of small strains only"},
    {"equations", VALUE_MAPS, false, AT(Case, equations), .schema = &case_equation_schema,
     .meaning = "between displacements of nodes; values grow with time"},
    {"time", VALUE_MAP, true, AT(Case, time), .schema = &time_schema, .meaning = "{end: 1, step: 0.1}"},
    CASE_SOLVER_KEY,
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "fields, probes, sums"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"}};
const Schema finite_schema = {.what = "the case", .n = COUNT(case_keys), .key = case_keys, .size = sizeof(Case)};

/* What rests on displacements that add up. */
static void refuse_linear(const Case *c, Diagnostics *out) {
  const struct {
    const char *key, *remedy;
    Place place;
  } of[] = {{"load-cases", "make a case of each", c->load_cases.place},
            {"combinations", "answers do not add up at finite strain; make a case of each", c->combinations.place},
            {"envelopes", "make a case of each", c->envelopes.place},
            {"thermal", "leave it out", c->thermal.place}};
  for (int k = 0; k < COUNT(of); ++k)
    if (place_given(of[k].place))
      report_error(out, of[k].place, "'%s' is not available with 'strain: finite'\n  remedy: %s, or 'strain: small'",
                   of[k].key, of[k].remedy);
  if (place_given(c->analysis.place) && c->analysis.type.text && c->analysis.type.value != ANALYSIS_STATIC)
    report_error(out, c->analysis.place,
                 "a %s analysis is one of small strains\n  remedy: 'strain: small', or leave 'analysis' out",
                 c->analysis.type.text);
}

/* Equations of a rigid group are those of small turns. */
static void refuse_rigid(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->boundary.n; ++i) {
    const CaseBoundary *b = case_boundary(c, i);
    if (place_given(b->rigid.place))
      report_error(
          out, b->rigid.place,
          "rigid: its group turns by small angles only, and 'strain: finite' turns by large ones\n  allowed: tie, "
          "periodic and equations\n  remedy: 'fix' with the motion of each point as an expression of x, y and "
          "t, a stiff part in the mesh, or 'strain: small'");
  }
}

/* What a load does where the same entry holds: nothing, but in reactions. */
static void refuse_held_loads(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->boundary.n; ++i) {
    const CaseBoundary *b = case_boundary(c, i);
    const ExprValue *fix[3] = {&b->fix.x, &b->fix.y, &b->fix.z};
    bool all = true;
    for (int k = 0; k < case_dim(c); ++k) all = all && place_given(fix[k]->place);
    for (const Act *act = NULL; (act = act_next(b, ACT_LOAD, act));) {
      const ExprValue *value[ACT_EXPRS];
      const int n = act_exprs(act, b, value);
      for (int k = 0; k < n && act->type == VALUE_EXPRS; ++k)
        if (place_given(fix[k]->place) && expr_acts(&value[k]->expr))
          report_error(out, act_place(act, b),
                       "%s acts in %c where fix prescribes %c; it would go into the reaction alone\n  allowed: one of "
                       "the two in each direction\n  remedy: write 0 for it, or leave %c out of fix",
                       act->key, "xyz"[k], "xyz"[k], "xyz"[k]);
      if (n && act->type == VALUE_EXPR && all && expr_acts(&value[0]->expr))
        report_error(out, act_place(act, b),
                     "%s acts where fix prescribes all directions; it would go into the reaction alone\n  remedy: "
                     "leave one of the two out",
                     act->key);
    }
    if (all && place_given(b->volume.place))
      report_error(out, b->volume.place,
                   "volume is prescribed where fix prescribes all directions, so that nothing can change it\n  remedy: "
                   "leave one of the two out");
  }
}

static bool same_names(const NamesValue *a, const NamesValue *b) {
  bool same = a->n == b->n;
  for (int32_t i = 0; same && i < a->n; ++i) same = strcmp(a->item[i].text, b->item[i].text) == 0;
  return same;
}

/* Volumes and pressures are those of cavities, by the names of their entries. */
static void check_cavity_sums(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *sum = case_sum(c, i);
    bool there = !sum->field.text || sum->field.value < SUM_VOLUME || !place_given(sum->on.place);
    for (int32_t k = 0; k < c->boundary.n; ++k)
      there =
          there || (place_given(case_boundary(c, k)->volume.place) && same_names(&sum->on, &case_boundary(c, k)->on));
    if (!there)
      report_error(
          out, sum->place,
          "%s of '%s': no entry of 'boundary' prescribes a volume there\n  allowed: the groups of an entry with "
          "'volume', by the same names\n  remedy: name them, or ask for another field",
          sum->field.text, sum->on.n ? sum->on.item[0].text : "");
  }
}

void finite_check(Case *c, Diagnostics *out) {
  const CaseTime *t = &c->time;
  case_check_elastic(c, out);
  refuse_linear(c, out);
  refuse_rigid(c, out);
  if (c->model.text) refuse_held_loads(c, out);
  case_refuse_dashpots(&c->boundary, "'strain: finite' goes from one equilibrium to the next", out);
  case_check_elastic_tables(c, true, out);
  case_check_elastic_probes(c, out);
  check_cavity_sums(c, out);
  const CaseAdaptive *a = &t->adaptive;
  if (place_given(a->cut.place) && !a->cut.value && (place_given(a->min.place) || place_given(a->max.place)))
    report_error(out, a->cut.place,
                 "cut: false means steps of one length, which have no min and max\n  remedy: leave 'cut' out, or write "
                 "'adaptive: false'");
  if (!place_given(c->output.every.place) && case_adapts(t))
    c->output.every.value = t->adaptive.max.value > 0 ? fmin(t->adaptive.max.value, t->end.value) : 0.1 * t->end.value;
}

/* The first of these that varies, once *skip of them have gone by; NULL: none. */
static const ExprValue *timed(int32_t n, const ExprValue *value, int32_t *skip) {
  for (int32_t k = 0; k < n; ++k)
    if (expr_is_timed(&value[k].expr) && (*skip)-- == 0) return &value[k];
  return NULL;
}

static const ExprValue *timed_among(const MapsValue *boundary, const MapsValue *body, int32_t *skip) {
  const ExprValue *found = NULL;
  for (int32_t i = 0; i < boundary->n && !found; ++i) {
    const CaseBoundary *b = maps_item(boundary, sizeof(CaseBoundary), i);
    for (const Act *act = NULL; !found && (act = act_next(b, ACT_ANY, act));) {
      const ExprValue *value[ACT_EXPRS];
      const int n = act_exprs(act, b, value);
      for (int k = 0; k < n && !found; ++k) found = timed(1, value[k], skip);
    }
  }
  for (int32_t i = 0; i < body->n && !found; ++i) {
    const CaseBody *b = maps_item(body, sizeof(CaseBody), i);
    found = timed(b->gravity.n, b->gravity.item, skip);
  }
  return found;
}

const ExprValue *case_timed(const Case *c, int32_t skip) {
  const ExprValue *found = timed_among(&c->boundary, &c->body, &skip);
  for (int32_t i = 0; i < c->load_cases.n && !found; ++i)
    found = timed_among(&case_load_case(c, i)->boundary, &case_load_case(c, i)->body, &skip);
  return found;
}

bool case_ramps(const Case *c) { return !case_timed(c, 0); }
