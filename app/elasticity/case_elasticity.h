/* Between the files of elasticity: its keys, and a harmonic case, which is one with `analysis: {type: harmonic}`. */
#pragma once
#include "app/elasticity/analysis.h"
#include "solver/eigen/eigen.h"

/* In the order of case_formulation_words. */
typedef enum FormulationWord {
  FORMULATION_WORD_AUTO,
  FORMULATION_WORD_DISPLACEMENT,
  FORMULATION_WORD_MEAN,
  FORMULATION_WORD_BUBBLES
} FormulationWord;
extern const Word case_model_words[], case_analysis_words[];
extern const Schema case_static_schema, elasticity_schema, harmonic_schema;
extern const Schema case_elastic_material_schema, case_elastic_boundary_schema, case_elastic_body_schema;
extern const Word case_strain_words[], case_formulation_words[];
extern const Schema case_elastic_probe_schema, case_elastic_sum_schema;
/* clang-format off */
#define CASE_STRAIN_KEY                                                                                                \
  {"strain", VALUE_WORD, false, AT(Case, strain), .initial = "small", .words = case_strain_words,                      \
   .meaning = "small: displacements do not change the body; finite: they may be large, in steps of 'time:'"},                        \
  {"formulation", VALUE_WORD, false, AT(Case, formulation), .initial = "auto", .words = case_formulation_words,        \
   .meaning = "displacement; incompatible-modes, of quad4 and hex8 that bend; mean-dilatation, where a material nearly keeps its volume; auto"}
/* clang-format on */
/* clang-format off */
#define CASE_DIRECTIONS_KEY                                                                                            \
  {"directions", VALUE_MAPS, false, AT(CaseOutput, directions), .schema = &case_directions_schema,                     \
   .meaning = "what tables with 'local: true' are in"}
/* clang-format on */
#define CASE_ANALYSIS_MEANING "static (as without 'analysis:'), harmonic, modal, buckling or transient"

/* ---- case_elastic_tables.c: `tables` and `directions` of the output, and axes ---- */
extern const Schema case_axes_schema, case_elastic_table_schema, case_transient_table_schema,
    case_displacement_table_schema, case_finite_table_schema, case_directions_schema;
/* In the order of their words. */
typedef enum MotionTable {
  MOTION_DISPLACEMENT,
  MOTION_VELOCITY,
  MOTION_STRESS,
  MOTION_ENERGY,
  N_MOTION_TABLES
} MotionTable;
typedef enum FiniteTable { FINITE_TABLE_DISPLACEMENT, FINITE_TABLE_STRESS, N_FINITE_TABLES } FiniteTable;
/* Whether a table of the case has this word. */
bool case_has_table(const Case *c, int32_t word);
void case_check_axes(const Case *c, const CaseAxes *a, Diagnostics *out);
/* moving: a transient case. */
void case_check_elastic_tables(const Case *c, bool moving, Diagnostics *out);

/* ---- case_body.c ---- */
extern const Schema case_thermal_schema;
void case_check_body(const Case *c, const MapsValue *body, Diagnostics *out);
void case_check_thermal(const CaseThermal *thermal, Diagnostics *out);
/* ---- case_constraints.c ---- */
extern const Schema case_distribute_schema, case_rigid_schema, case_equation_schema;
void case_check_constraint(const Case *c, const CaseBoundary *b, Diagnostics *out);
void case_check_equations(const Case *c, Diagnostics *out);
/* Equations with a value, and rigid groups that are moved: of a vibration. */
void case_refuse_gaps(const Case *c, Diagnostics *out);
/* ---- case_load_cases.c ---- */
extern const Schema case_load_case_schema, case_combination_schema, case_envelope_schema;
void case_check_load_cases(Case *c, Diagnostics *out);
/* ---- case_elasticity.c ---- */
/* Where nothing moves, or undamped, what resists velocities does nothing: `why`. */
void case_refuse_dashpots(const MapsValue *boundary, const char *why, Diagnostics *out);
void case_check_boundary(Case *c, const MapsValue *boundary, Diagnostics *out);
/* A list has as many entries as the model has directions; a direction has a length too. */
void case_check_exprs(const Case *c, const char *key, const ExprsValue *value, Diagnostics *out);
void case_check_direction(const Case *c, const char *name, const VectorValue *v, Diagnostics *out);
/* Materials, boundary and body, then all of a static case, then of a harmonic one. */
void case_check_elastic(Case *c, Diagnostics *out);
void case_check_elastic_probes(const Case *c, Diagnostics *out);
void elasticity_check(Case *c, Diagnostics *out);
void harmonic_check(Case *c, Diagnostics *out);
/* Every material has a density; `analysis` is the word of what needs it. */
void case_check_density(const Case *c, const char *analysis, Diagnostics *out);
const char *elasticity_sum_letters(const Case *c, const CaseSum *sum);

/* ---- case_finite.c ---- */
extern const Schema finite_schema;
void finite_check(Case *c, Diagnostics *out);
/* Load or prescribed displacement that depends on t or f, `skip` such behind the first; NULL: there are no more. */
const ExprValue *case_timed(const Case *c, int32_t skip);
/* None does: all of them grow from nothing in proportion to it. */
bool case_ramps(const Case *c);

/* ---- case_transient.c ---- */
extern const Schema transient_schema;
void transient_check(Case *c, Diagnostics *out);

/* ---- case_response.c: in the order of the words of `method` and of `remainder` ---- */
typedef enum ResponseMethod { RESPONSE_DIRECT, RESPONSE_BY_MODES } ResponseMethod;
typedef enum ResponseRemainder { REMAINDER_STATIC, REMAINDER_NONE } ResponseRemainder;
extern const Word case_method_words[], case_remainder_words[];
extern const Schema case_damping_schema;
/* clang-format off */
#define CASE_RESPONSE_KEYS(meaning_)                                                                                   \
  {"method", VALUE_WORD, false, AT(CaseAnalysis, method), .initial = "direct", .words = case_method_words,             \
   .meaning = meaning_},                                                                                               \
      {"modes", VALUE_INTEGER, false, AT(CaseAnalysis, modes), .min = 1, .max = EIGEN_MOST,                            \
       .meaning = "how many, with method modes"},                                                                      \
      {"remainder", VALUE_WORD, false, AT(CaseAnalysis, remainder), .words = case_remainder_words,                     \
       .meaning = "what the other modes do: static, as if at rest (so unless given), or none"}
/* clang-format on */
bool case_by_modes(const Case *c);
void case_check_response(const Case *c, Diagnostics *out);
/* Of a key that goes with static cases, what to say elsewhere (Schema.elsewhere); NULL: it does not. */
const char *case_of_statics(const char *key);
void case_check_phase(const Case *c, const CaseBoundary *b, Diagnostics *out);
bool case_has_phases(const Case *c);
typedef enum FrequencySpacing { SPACING_LINEAR, SPACING_LOGARITHMIC, SPACING_MODES } FrequencySpacing;
extern const Word case_part_words[];
typedef enum HarmonicPart { PART_AMPLITUDE, PART_PHASE, PART_REAL, PART_IMAGINARY } HarmonicPart;

/* Number of frequencies of a checked case, and number k of them in Hz: as given, or from, to and between. With
 * `spacing: modes` there are that many at most, and all but the first and the last are NaN. */
int64_t harmonic_count(const Case *c);
double harmonic_frequency(const Case *c, int64_t k);
/* With `spacing: modes`: between natural ones, [n] rising, into out [harmonic_count]; how many. */
int64_t harmonic_between(const Case *c, int32_t n, const double *natural, double *out);
/* Which one is meant by f (within 1e-9 of it); -1: none. */
int64_t harmonic_find(const Case *c, double f);

/* K (1 + i loss) - omega^2 M + i omega viscous M: the loss with Rayleigh's beta, and alpha. */
typedef struct HarmonicFactors {
  double omega, loss, viscous;
} HarmonicFactors;
HarmonicFactors harmonic_factors(const Case *c, double frequency);
bool harmonic_is_damped(const Case *c);
