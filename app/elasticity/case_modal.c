/* The keys of a case file of modal analysis, as tables, and their checks. Materials and boundary are those of
 * case_elasticity.c. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/modal.h"
#include "app/input/case_tables.h"

#include <math.h>

static const Word quantity_words[] = {
    {"unknowns", false},         {"iterations", false},       {"rigid-motions", false},   {"frequency", false},
    {"participation-x", false},  {"participation-y", false},  {"participation-z", false}, {"effective-mass-x", false},
    {"effective-mass-y", false}, {"effective-mass-z", false}, {"load-factor", false},     {NULL, false}};
_Static_assert(COUNT(quantity_words) == N_MODAL_QUANTITIES + 1, "one word per ModalQuantity");

static const Key analysis_keys[] = {
    {"type", VALUE_WORD, true, AT(CaseAnalysis, type), .words = case_analysis_words, .meaning = CASE_ANALYSIS_MEANING},
    {"modes", VALUE_INTEGER, true, AT(CaseAnalysis, modes), .min = 1, .max = EIGEN_MOST,
     .meaning = "how many, from the lowest elastic one on"},
    {"prestress", VALUE_FLAG, false, AT(CaseAnalysis, prestress), .initial = "false",
     .meaning = "modes of the body under the stress of the loads"}};
static const Schema analysis_schema = {
    .what = "analysis", .n = COUNT(analysis_keys), .key = analysis_keys, .size = sizeof(CaseAnalysis)};

static const Key buckling_keys[] = {
    {"type", VALUE_WORD, true, AT(CaseAnalysis, type), .words = case_analysis_words, .meaning = CASE_ANALYSIS_MEANING},
    {"modes", VALUE_INTEGER, true, AT(CaseAnalysis, modes), .min = 1, .max = EIGEN_MOST,
     .meaning = "how many, from the lowest load factor on"}};
static const Schema buckling_analysis_schema = {
    .what = "analysis", .n = COUNT(buckling_keys), .key = buckling_keys, .size = sizeof(CaseAnalysis)};

static const Key probe_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseProbe, name), .meaning = "its column in probes.csv"},
    {"at", VALUE_VECTOR, true, AT(CaseProbe, at), .meaning = "the point, [x, y] or [x, y, z]"},
    {"field", VALUE_WORD, true, AT(CaseProbe, field), .words = elastic_probe_words[FIELDS_VIBRATION],
     .meaning = "displacement-x, stress-xx, ..."}};
static const Schema probe_schema = {
    .what = "a probe", .n = COUNT(probe_keys), .key = probe_keys, .size = sizeof(CaseProbe)};

static const Key output_keys[] = {
    {"fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = "[displacement]",
     .words = elastic_field_words[FIELDS_VIBRATION], .meaning = "written to results.hdf"},
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &probe_schema, .meaning = "values at points"},
    CASE_OUTPUT_STORAGE_KEYS};
static const Schema output_schema = {
    .what = "output", .n = COUNT(output_keys), .key = output_keys, .size = sizeof(CaseOutput)};

static const Key expect_keys[] = {{"probe", VALUE_TEXT, false, AT(CaseExpect, probe), .meaning = "name of a probe"},
                                  CASE_EXPECT_VALUE_KEYS(quantity_words),
                                  {"mode", VALUE_INTEGER, false, AT(CaseExpect, mode), .min = 1, .max = EIGEN_MOST,
                                   .meaning = "of which mode; the last unless given"}};
static const Schema expect_schema = {
    .what = "an expect row", .n = COUNT(expect_keys), .key = expect_keys, .size = sizeof(CaseExpect)};

#define MODAL_KEYS(analysis_schema_, example)                                                                          \
  CASE_HEAD_KEYS,                                                                                                      \
      {"model",                                                                                                        \
       VALUE_WORD,                                                                                                     \
       true,                                                                                                           \
       AT(Case, model),                                                                                                \
       .words = case_model_words,                                                                                      \
       .meaning = "plane-stress, plane-strain, 3d or axisymmetric"},                                                   \
      CASE_STRAIN_KEY,                                                                                                 \
      {"analysis", VALUE_MAP, true, AT(Case, analysis), .schema = &analysis_schema_, .meaning = example},              \
      {"materials",        VALUE_MAPS, true, AT(Case, materials), .schema = &case_elastic_material_schema,             \
       .meaning = "a list"},                                                                                           \
      {"boundary",                                                                                                     \
       VALUE_MAPS,                                                                                                     \
       false,                                                                                                          \
       AT(Case, boundary),                                                                                             \
       .schema = &case_elastic_boundary_schema,                                                                        \
       .meaning = "supports and springs; loads where the body is under stress"},                                       \
      {"body",                                                                                                         \
       VALUE_MAPS,                                                                                                     \
       false,                                                                                                          \
       AT(Case, body),                                                                                                 \
       .schema = &case_elastic_body_schema,                                                                            \
       .meaning = "forces on volumes, likewise"},                                                                      \
      {"thermal",                                                                                                      \
       VALUE_MAP,                                                                                                      \
       false,                                                                                                          \
       AT(Case, thermal),                                                                                              \
       .schema = &case_thermal_schema,                                                                                 \
       .meaning = "temperature, likewise"},                                                                            \
      {"equations",                                                                                                    \
       VALUE_MAPS,                                                                                                     \
       false,                                                                                                          \
       AT(Case, equations),                                                                                            \
       .schema = &case_equation_schema,                                                                                \
       .meaning = "between displacements of nodes"},                                                                   \
      CASE_SOLVER_KEY,                                                                                                 \
      {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "fields, probes"}, {         \
    "expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"      \
  }
static const Key case_keys[] = {MODAL_KEYS(analysis_schema, "{type: modal, modes: 10}")};
static const Key buckling_case_keys[] = {MODAL_KEYS(buckling_analysis_schema, "{type: buckling, modes: 3}")};
const Schema modal_schema = {
    .what = "the case", .n = COUNT(case_keys), .key = case_keys, .size = sizeof(Case), .elsewhere = case_of_statics};
const Schema buckling_schema = {.what = "the case",
                                .n = COUNT(buckling_case_keys),
                                .key = buckling_case_keys,
                                .size = sizeof(Case),
                                .elsewhere = case_of_statics};

bool modal_buckles(const Case *c) { return elastic_has(c, ANALYSIS_BUCKLING); }
bool modal_loaded(const Case *c) { return modal_buckles(c) || c->analysis.prestress.value; }

static void check_expected(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *row = case_expect(c, i);
    const bool of_mode = place_given(row->mode.place), quantity = place_given(row->quantity.place);
    if (of_mode && place_given(c->analysis.modes.place) && row->mode.value > c->analysis.modes.value)
      report_error(out, row->mode.place, "mode is %lld, and modes: %lld of 'analysis:' are found",
                   (long long)row->mode.value, (long long)c->analysis.modes.value);
    if (!quantity || !row->quantity.text) continue;
    if (of_mode && row->quantity.value < MODAL_FREQUENCY)
      report_error(out, row->mode.place, "%s belongs to the whole run; it has no mode", row->quantity.text);
    else if (row->quantity.value >= MODAL_FREQUENCY && modal_buckles(c) != (row->quantity.value == MODAL_LOAD_FACTOR))
      report_error(out, row->quantity.place,
                   modal_buckles(c) ? "%s is that of 'type: modal'; buckling has a load-factor of each mode"
                                    : "%s is that of 'type: buckling'",
                   row->quantity.text);
    else if (!of_mode && row->quantity.value >= MODAL_FREQUENCY)
      report_error(out, row->quantity.place, "%s needs the key 'mode': which one, from 1", row->quantity.text);
  }
}

/* Loads would be expected to do something. */
static void check_loads(const Case *c, Diagnostics *out) {
  if (modal_loaded(c)) return;
  if (c->body.n)
    report_error(out, c->body.place,
                 "body does not act on the modes of an unloaded body; leave it out, or set prestress");
  if (place_given(c->thermal.place))
    report_error(out, c->thermal.place,
                 "thermal does not act on the modes of an unloaded body; leave it out, or set prestress");
  for (int32_t i = 0; i < c->boundary.n; ++i) {
    const CaseBoundary *b = case_boundary(c, i);
    const char *const none = "%s does not act on the modes of an unloaded body; leave it out, or set prestress";
    for (const Act *act = NULL; (act = act_next(b, ACT_LOAD, act));)
      report_error(out, act_place(act, b), none, act->key);
    if (b->rigid.force.n) report_error(out, b->rigid.force.place, none, "force of rigid");
    if (b->rigid.moment.n) report_error(out, b->rigid.moment.place, none, "moment of rigid");
  }
}

/* The error of a value is about the square of this. */
static const double RTOL = 1e-6;

void modal_check(Case *c, Diagnostics *out) {
  if (!place_given(c->solver.rtol.place)) c->solver.rtol.value = RTOL;
  case_check_elastic(c, out);
  if (!modal_buckles(c)) case_check_density(c, "modal", out);
  if (modal_loaded(c) && c->model.text && case_axisymmetric(c))
    report_error(out, c->model.place,
                 "model 'axisymmetric' has no modes under stress, as they need not be the same all around; use '3d'");
  case_check_thermal(&c->thermal, out);
  case_check_equations(c, out);
  case_refuse_dashpots(&c->boundary, "modes are those of the undamped body", out);
  case_check_elastic_probes(c, out);
  check_loads(c, out);
  check_expected(c, out);
}
