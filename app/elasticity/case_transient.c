/* The keys of a case file of elasticity in time with inertia, as tables, and their checks. Materials, boundary and body
 * are those of case_elasticity.c. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/input/case_tables.h"

#include <math.h>

static const Word quantity_words[] = {{"unknowns", false}, {"iterations", false}, {"steps", false}, {NULL, false}};

static const Key analysis_keys[] = {
    {"type", VALUE_WORD, true, AT(CaseAnalysis, type), .words = case_analysis_words, .meaning = CASE_ANALYSIS_MEANING},
    {"rho-infinity", VALUE_NUMBER, false, AT(CaseAnalysis, rho_infinity), .initial = "0.8", .max = 1,
     .meaning = "what a step leaves of vibrations much faster than it: 1 all, 0 nothing"},
    CASE_RESPONSE_KEYS("direct, a solve for each step, or modes: by the lowest of them, each exactly"),
    {"damping", VALUE_MAP, false, AT(CaseAnalysis, damping), .schema = &case_damping_schema,
     .meaning = "{alpha: 1, beta: 1e-5}: Rayleigh, alpha M + beta K; with method modes {ratio: 0.01} too"}};
static const Schema analysis_schema = {
    .what = "analysis", .n = COUNT(analysis_keys), .key = analysis_keys, .size = sizeof(CaseAnalysis)};

static const Key initial_keys[] = {
    {"displacement", VALUE_EXPRS, false, AT(CaseInitial, displacement),
     .meaning = "[x, y, z], expressions of the place"},
    {"velocity", VALUE_EXPRS, false, AT(CaseInitial, velocity), .meaning = "[x, y, z], expressions of the place"}};
static const Schema initial_schema = {
    .what = "initial", .n = COUNT(initial_keys), .key = initial_keys, .size = sizeof(CaseInitial), .optional = true};

static const Key probe_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseProbe, name), .meaning = "its column in probes.csv"},
    {"at", VALUE_VECTOR, true, AT(CaseProbe, at), .meaning = "the point, [x, y] or [x, y, z]"},
    {"field", VALUE_WORD, true, AT(CaseProbe, field), .words = elastic_probe_words[FIELDS_TRANSIENT],
     .meaning = "displacement-x, velocity-x, acceleration-x, stress-xx, ..."}};
static const Schema probe_schema = {
    .what = "a probe", .n = COUNT(probe_keys), .key = probe_keys, .size = sizeof(CaseProbe)};

static const Key output_keys[] = {
    {"every", VALUE_NUMBER, false, AT(CaseOutput, every), .open_min = true, .max = INFINITY,
     .meaning = "time between stored steps"},
    {"checkpoint", VALUE_NUMBER, false, AT(CaseOutput, checkpoint), .open_min = true, .max = INFINITY,
     .meaning = "time between checkpoints"},
    {"fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = "[displacement]",
     .words = elastic_field_words[FIELDS_TRANSIENT], .meaning = "written to results.hdf"},
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &probe_schema, .meaning = "values at points"},
    {"tables", VALUE_MAPS, false, AT(CaseOutput, tables), .schema = &case_transient_table_schema,
     .meaning = "numbers of groups as text"},
    CASE_DIRECTIONS_KEY,
    CASE_OUTPUT_STORAGE_KEYS};
static const Schema output_schema = {
    .what = "output", .n = COUNT(output_keys), .key = output_keys, .size = sizeof(CaseOutput)};

static const Key expect_keys[] = {
    {"probe", VALUE_TEXT, false, AT(CaseExpect, probe), .meaning = "name of a probe"},
    CASE_EXPECT_VALUE_KEYS(quantity_words),
    {"time", VALUE_NUMBER, false, AT(CaseExpect, time), .max = INFINITY, .meaning = "when; the end unless given"}};
static const Schema expect_schema = {
    .what = "an expect row", .n = COUNT(expect_keys), .key = expect_keys, .size = sizeof(CaseExpect)};

static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"model", VALUE_WORD, true, AT(Case, model), .words = case_model_words,
     .meaning = "plane-stress, plane-strain, 3d or axisymmetric"},
    CASE_STRAIN_KEY,
    {"analysis", VALUE_MAP, true, AT(Case, analysis), .schema = &analysis_schema, .meaning = "{type: transient}"},
    {"materials", VALUE_MAPS, true, AT(Case, materials), .schema = &case_elastic_material_schema, .meaning = "a list"},
    {"boundary", VALUE_MAPS, false, AT(Case, boundary), .schema = &case_elastic_boundary_schema,
     .meaning = "supports and loads, which may use t"},
    {"body", VALUE_MAPS, false, AT(Case, body), .schema = &case_elastic_body_schema, .meaning = "forces on volumes"},
    {"equations", VALUE_MAPS, false, AT(Case, equations), .schema = &case_equation_schema,
     .meaning = "between displacements of nodes"},
    {"initial", VALUE_MAP, false, AT(Case, initial), .schema = &initial_schema,
     .meaning = "{displacement: [0, 0, 0], velocity: [0, 0, -1]}; at rest unless given"},
    {"time", VALUE_MAP, true, AT(Case, time), .schema = &case_motion_time_schema, .meaning = "{end: 1, step: 0.01}"},
    CASE_SOLVER_KEY,
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "fields, probes"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"}};
const Schema transient_schema = {
    .what = "the case", .n = COUNT(case_keys), .key = case_keys, .size = sizeof(Case), .elsewhere = case_of_statics};

static void check_initial(const Case *c, const char *key, const ExprsValue *value, Diagnostics *out) {
  case_check_exprs(c, key, value, out);
  for (int32_t i = 0; i < value->n; ++i)
    if (expr_is_timed(&value->item[i].expr))
      report_error(out, value->place, "%s depends on t; it is that of t = 0, a function of x, y and z", key);
}

static void check_steps(const Case *c, Diagnostics *out) {
  if (!case_by_modes(c)) return;
  if (place_given(c->analysis.rho_infinity.place))
    report_error(out, c->analysis.rho_infinity.place,
                 "rho-infinity is for 'method: direct'; a step of a mode is exact and leaves all of it");
  if (place_given(c->time.adaptive.place))
    report_error(out, c->time.adaptive.place,
                 "adaptive is for 'method: direct'; steps of modes are exact where loads go straight over each: one as "
                 "long as loads allow will do");
}

/* As of modes and of vibrations, whose equations these are. */
static const double RTOL_BY_MODES = 1e-6;

void transient_check(Case *c, Diagnostics *out) {
  if (case_by_modes(c) && !place_given(c->solver.rtol.place)) c->solver.rtol.value = RTOL_BY_MODES;
  case_check_elastic(c, out);
  case_check_density(c, "transient", out);
  case_check_equations(c, out);
  const NumberValue *loss = &c->analysis.damping.loss_factor;
  if (place_given(loss->place) && loss->value > 0)
    report_error(out, loss->place,
                 "a loss factor is for vibrations of one frequency; in time give alpha and beta (Rayleigh), such as "
                 "beta = loss-factor / (2 pi frequency)");
  case_check_response(c, out);
  check_steps(c, out);
  case_check_elastic_tables(c, true, out);
  if (!c->model.text) return;
  check_initial(c, "displacement", &c->initial.displacement, out);
  check_initial(c, "velocity", &c->initial.velocity, out);
  case_check_elastic_probes(c, out);
}
