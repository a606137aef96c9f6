/* Between the files of elasticity: its keys, and a harmonic case, which is one with `analysis: {type: harmonic}`. */
#pragma once
#include "app/elasticity/analysis.h"
#include "core/field_type.h"
#include "solver/eigen/eigen.h"

/* In the order of the words of `formulation`. */
typedef enum FormulationWord {
  FORMULATION_WORD_AUTO,
  FORMULATION_WORD_DISPLACEMENT,
  FORMULATION_WORD_MEAN,
  FORMULATION_WORD_BUBBLES
} FormulationWord;
/* ---- case_elasticity.c: the keys of all analyses; case_elastic_check.c: checks ---- */
extern const Schema elasticity_schema, case_elastic_boundary_schema, case_elastic_body_schema, case_muscle_schema,
    case_load_time_schema, case_elastic_output_schema, case_elastic_expect_schema, case_elastic_probe_schema,
    case_elastic_sum_schema, case_load_adaptive_schema;
/* Of `model`, in the order of ElasticModel, and of `formulation`. */
extern const Word case_model_words[], case_formulation_words[];
/* ---- case_elastic_tables.c: `tables` and `directions` of the output, and axes ---- */
extern const Schema case_axes_schema, case_elastic_table_schema, case_directions_schema;
/* TABLE_DISPLACEMENT and so on: the rows of tables.def. */
typedef enum ElasticTableId {
#define ELASTIC_TABLE(NAME, ...) TABLE_##NAME,
#define ELASTIC_MADE_TABLE ELASTIC_TABLE
#include "app/elasticity/tables.def"
  N_ELASTIC_TABLES
} ElasticTableId;
/* Bits of those of elements or of their points. */
enum {
  ELASTIC_CELL_TABLES = 0
#define ELASTIC_TABLE(NAME, word, kinds, field, where, ...) | (WHERE_##where >= WHERE_ELEMENTS) << TABLE_##NAME
#define ELASTIC_MADE_TABLE ELASTIC_TABLE
#include "app/elasticity/tables.def"
};
typedef struct ElasticTable {
  int32_t field; /* ELASTIC_... */
  bool made;     /* of the field; else it lists the field */
  FieldWhere where;
  int width;
  bool directions;
  const char *head, *total;
} ElasticTable;
extern const ElasticTable elastic_table[N_ELASTIC_TABLES];
/* Bits of fields that the tables of the case need. */
FieldBits elastic_tables_need(const Case *c);
void case_check_axes(const Case *c, const CaseAxes *a, Diagnostics *out);
void case_check_elastic_tables(const Case *c, Diagnostics *out);

/* ---- case_body.c ---- */
extern const Schema case_thermal_schema;
void case_check_body(const Case *c, const MapsValue *body, Diagnostics *out);
void case_check_thermal(const Case *c, const CaseThermal *thermal, Diagnostics *out);
/* ---- case_constraints.c ---- */
extern const Schema case_bearing_schema, case_distribute_schema, case_rigid_schema, case_rotate_schema,
    case_equation_schema;
void case_check_constraint(const Case *c, const CaseBoundary *b, Diagnostics *out);
void case_check_equations(const Case *c, Diagnostics *out);
/* Numbers of nodes are refused where passes of 'adapt' make other meshes. */
void case_check_node_numbers(const Case *c, const NamesValue *nodes, const char *remedy, Diagnostics *out);
/* case_springs.c; on groups or between nodes. */
extern const Schema case_spring_schema;
void case_check_springs(const Case *c, Diagnostics *out);
bool case_has_dashpots(const Case *c);
/* Equations with a value, and rigid groups that are moved: of a vibration. */
void case_refuse_gaps(const Case *c, Diagnostics *out);
/* ---- case_contact.c ---- */
extern const Schema case_contact_schema;
/* How an obstacle turns about the axis through its `at`. */
typedef struct CaseRotation {
  Place place; /* zero: not given */
  VectorValue axis;
  ExprValue angle; /* degrees */
} CaseRotation;
/* A rigid obstacle: what its kind has of these. */
typedef struct CaseObstacle {
  Place place; /* zero: not given */
  VectorValue at, axis;
  NumberValue radius, angle; /* degrees */
  ExprsValue move;
  CaseRotation rotate;
} CaseObstacle;
enum { CASE_OBSTACLES = 4 };
typedef struct CaseAgainst {
  Place place;
  NamesValue group;
  CaseObstacle obstacle[CASE_OBSTACLES]; /* by ObstacleKind (assembly/contact/obstacle.h) */
} CaseAgainst;
typedef struct CaseContact {
  Place place;
  NamesValue on;
  CaseAgainst against;
  NumberValue interference, reach;
  ExprValue friction;
  FlagValue active;       /* true unless given */
  FlagValue tied, closes; /* closes: of what is tied */
  WordValue sliding;
} CaseContact;
/* ---- case_tied.c: entries of surfaces that stay joined become ties of `boundary` ---- */
void case_take_tied(Case *c, Diagnostics *out);
static inline CaseContact *case_contact(const Case *c, int32_t i) {
  return (CaseContact *)maps_item(&c->contact, sizeof(CaseContact), i);
}
/* Its obstacle, and which ObstacleKind that is; NULL: none is given. */
const CaseObstacle *case_obstacle(const CaseContact *contact, int32_t *kind);
/* Contacts of the case, then those that begin in one of its steps; *step (NULL: not asked for) becomes that, -1: from the start. */
int32_t case_contacts(const Case *c);
const CaseContact *case_contact_at(const Case *c, int32_t i, int32_t *step);
/* What step k says of the i-th; NULL: nothing. */
const CaseContact *case_contact_in(const Case *c, int32_t i, int32_t k);
/* `sliding: finite`. */
bool case_contact_slides(const CaseContact *contact);
/* A case without `time` and `steps` becomes one of one step. */
void case_check_contact(Case *c, Diagnostics *out);
/* ---- case_bolts.c ---- */
extern const Schema case_bolt_schema;
typedef struct CaseBolt {
  Place place;
  NamesValue on;
  VectorValue axis;              /* n 0: across the surface */
  ExprValue preload, elongation; /* one of the two, or none where it is locked */
  NumberValue lock;
} CaseBolt;
/* Bolts of the case, then those that a step names first; *step (NULL: not asked for) becomes that, -1: of the case. */
int32_t case_bolts(const Case *c);
const CaseBolt *case_bolt_at(const Case *c, int32_t i, int32_t *step);
/* What step k says of the i-th; NULL: nothing. */
const CaseBolt *case_bolt_in(const Case *c, int32_t i, int32_t k);
/* Which bolt is on these groups; -1: none. */
int32_t case_bolt_on(const Case *c, const NamesValue *on);
void case_check_bolts(const Case *c, Diagnostics *out);
/* ---- case_load_cases.c ---- */
extern const Schema case_load_case_schema, case_combination_schema, case_envelope_schema;
void case_check_load_cases(Case *c, Diagnostics *out);
/* ---- case_curve.c: `curve` becomes `yield` ---- */
extern const Word case_curve_words[];
void case_curve_fill(Case *c, CaseMaterial *m, Diagnostics *out);
/* ---- case_elastic_check.c ---- */
void case_check_boundary(Case *c, const MapsValue *boundary, Diagnostics *out);
/* A list has as many entries as the model has directions; a direction has a length too. */
void case_check_exprs(const Case *c, const char *key, const ExprsValue *value, Diagnostics *out);
void case_check_direction(const Case *c, const char *name, const VectorValue *v, Diagnostics *out);
/* Materials, boundary and body, then all of a static case, then of a harmonic one. */
void case_check_elastic(Case *c, Diagnostics *out);
void case_check_elastic_probes(const Case *c, Diagnostics *out);
void case_check_sums(const Case *c, Diagnostics *out);
void elasticity_check(Case *c, Diagnostics *out);
void elasticity_release(Case *c); /* of what checks of all analyses have made */
void harmonic_check(Case *c, Diagnostics *out);
/* Every material has a density; `analysis` is the word of what needs it. */
void case_check_density(const Case *c, const char *analysis, Diagnostics *out);
const char *elasticity_sum_letters(const Case *c, const CaseSum *sum);
/* Sums of groups of elements, bits of SumField; those through a cut among them. */
enum { ELASTIC_CELL_SUMS = 1 << SUM_STRAIN_ENERGY | 1 << SUM_SECTION_FORCE | 1 << SUM_SECTION_MOMENT };
bool case_is_section(const CaseSum *sum);

/* ---- case_active.c: muscle ---- */
extern const Schema case_active_schema, case_tension_schema;
/* Models of tension from files: they are models as those with a name from then on, until tensions_close. */
void tensions_read(Case *c, Diagnostics *out);
void tensions_close(Case *c);
void case_check_active(const Case *c, CaseMaterial *m, Diagnostics *out);
/* ---- case_strength.c ---- */
extern const Schema case_strength_schema;
void case_check_strength(const Case *c, CaseMaterial *m, Diagnostics *out);
void case_check_initial_stress(const Case *c, const CaseMaterial *m, Diagnostics *out); /* setup_initial.c */
void case_check_material_fields(const Case *c, Diagnostics *out);
bool case_has_strength(const Case *c);
Strength case_strength(const CaseStrength *s); /* of a checked one */
/* Of the output of a body with cavities. */
/* clang-format off */
#define CASE_LOOP_KEYS                                                                                                 \
  {"loops", VALUE_NAMES, false, AT(CaseOutput, loops), .only = HAS_PUMP,                                               \
   .meaning = "cavities in loops.csv: all of them"},                                                                   \
  {"maps", VALUE_WORDS, false, AT(CaseOutput, cell_maps), .words = elastic_map_words, .only = HAS_PUMP,                \
   .meaning = "written once: times of the cells, and what fibres had in the last whole beat"},                         \
  {"sample", VALUE_NUMBER, false, AT(CaseOutput, loop_sample), .open_min = true, .max = INFINITY, .only = HAS_PUMP,         \
   .meaning = "ms between rows of loops.csv: the step of the body"}
/* clang-format on */
/* ---- case_muscle.c: cases with HAS_MUSCLE ---- */
extern const Schema case_cavity_schema;
void muscle_check(Case *c, Diagnostics *out);
/* The chamber of the circulation that cavity i of the case is: of a closed loop by la, lv, ra, rv, else by the case; -1: none. */
int32_t case_cavity_chamber(const Case *c, int32_t i);
/* The k-th in the order of loads: those whose pressure is prescribed come last. */
int32_t case_cavity_at(const Case *c, int32_t k);
static inline const CaseCavity *case_cavity(const Case *c, int32_t i) {
  return (const CaseCavity *)maps_item(&c->cavities, sizeof(CaseCavity), i);
}
/* ---- case_finite.c ---- */
/* Small strains, and no material is other than linear? */
bool case_is_linear(const Case *c);
void finite_check(Case *c, Diagnostics *out);
void motion_check(Case *c, Diagnostics *out); /* case_transient.c */
/* Load or prescribed displacement that depends on t or f, `skip` such behind the first; NULL: there are no more. */
const ExprValue *case_timed(const Case *c, int32_t skip);
/* x, y and z of a force, then of a moment about a point; in a flat model the latter is the last. NULL: not given. */
enum { CASE_SUM_PARTS = 6 };
const ExprValue *case_sum_part(const ExprsValue *force, const ExprsValue *moment, int k);
/* None does: all of them grow from nothing in proportion to it. */
bool case_ramps(const Case *c);
/* Rigid groups turn as far as they are turned, or what is prescribed of their motion depends on t. */
bool case_rotates(const Case *c);
/* Temperatures grow over the first step, or the only one. */
bool case_heat_ramps(const Case *c);
/* And so do given tensions of muscle. */
bool case_tension_ramps(const Case *c);

/* ---- case_steps.c: steps of a chain against the case ---- */
extern const Schema case_step_schema, case_load_adaptive_schema, case_motion_adaptive_schema;
bool case_same_groups(const NamesValue *a, const NamesValue *b); /* in any order */
void case_check_steps(Case *c, Diagnostics *out);
/* Has step k inertia? Does a motion begin with a step that has none? */
bool case_step_moves(const Case *c, int32_t k);
bool case_rests_first(const Case *c);
/* What acts: list 0 is that of the case, i that of step i - 1. */
const MapsValue *case_list(const Case *c, int32_t i, bool body);
/* What an entry prescribes by one expression each, of all steps: `fix`, the volume, and `fix` of a rigid group. */
enum { CASE_PARTS = 10, CASE_VOLUME = 3, CASE_RIGID = 4 };
ExprValue *case_part(CaseBoundary *b, int k);
const ExprValue *case_part_of(const CaseBoundary *b, int k);
/* ---- case_chain.c ---- */
void case_chain_create(Case *c, Diagnostics *out);
void case_chain_release(Case *c);
/* Of `time:` where something depends on t: what acts from the start on rises over the first load step. */
void case_rise_create(Case *c, Diagnostics *out);

/* ---- case_transient.c ---- */
void transient_check(Case *c, Diagnostics *out);

/* ---- case_response.c: in the order of the words of `method` and of `remainder` ---- */
typedef enum ResponseMethod { RESPONSE_DIRECT, RESPONSE_BY_MODES } ResponseMethod;
typedef enum ResponseRemainder { REMAINDER_STATIC, REMAINDER_NONE } ResponseRemainder;
bool case_by_modes(const Case *c);
void case_check_response(const Case *c, Diagnostics *out);
void case_check_phase(const CaseBoundary *b, Diagnostics *out);
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
