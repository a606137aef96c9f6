/* Between the files of a case of the heart. */
#pragma once
#include "app/input/physics.h"
#include "core/field_type.h"
#include "physics/ionic.h"

/* The rows of fields.def: HeartField, then HeartMap, then those of fibres by rule. */
enum { HEART_MAP_ROW = N_HEART_FIELDS, HEART_RULE_ROW = HEART_MAP_ROW + N_HEART_MAPS, HEART_ROWS = HEART_RULE_ROW + 6 };
/* One of those with a place says what it does. */
typedef struct CaseElectrode {
  Place place;
  TextValue name;
  CaseSpot on;
  NumberValue current, density, potential; /* mA; uA over mm to the dimension of the group, or of a volume; mV */
  FlagValue ground;
  TextValue balances;          /* name of the electrode whose current it takes */
  NumberValue start, duration; /* ms; duration with place zero: to the end */
  NumberValue period;          /* ms; place zero: one pulse */
  IntegerValue count;          /* place zero: as many as the run has time for */
} CaseElectrode;
static inline CaseElectrode *case_electrode(const Case *c, int32_t i) {
  return (CaseElectrode *)c->electrodes.item + i;
}
/* Where its potential is given. */
static inline bool electrode_holds(const CaseElectrode *e) {
  return e->ground.value || place_given(e->potential.place);
}
/* case_electrodes.c: the electrode whose times and current are those of the i-th; itself where it has its own. */
int32_t electrode_source(const Case *c, int32_t i);
/* Whether it is on in the moment after t, ms: its switches are steps. A ground is always. */
bool electrode_is_on(const Case *c, int32_t i, double t);
void electrodes_check(const Case *c, Diagnostics *diagnostics);
extern const FieldType heart_field[HEART_ROWS];
extern const Schema monodomain_schema;
extern const Schema heart_ionic_schema, heart_purkinje_schema, heart_grow_schema;
extern const Schema heart_spot_schema, heart_velocity_schema, heart_lead_schema,
    heart_electrodes_schema; /* app/eikonal has them too */
extern const Schema heart_tissue_schema, heart_stimulus_schema, heart_prepace_schema,
    heart_eikonal_schema; /* and app/electromechanics these */
/* Where a tree of fibres is, the same for cells and for fronts alone; and leads. */
/* clang-format off */
#define CASE_TREE_KEYS                                                                                                 \
  {"name", VALUE_TEXT, true, AT(CasePurkinje, name), .meaning = "its groups are NAME, NAME-root and NAME-ends"},       \
  {"file", VALUE_TEXT, false, AT(CasePurkinje, file), .meaning = "a mesh of lines"},                                   \
  {"scale", VALUE_NUMBER, false, AT(CasePurkinje, scale), .open_min = true, .max = INFINITY, .initial = "1",           \
   .meaning = "multiplies the coordinates of the file"},                                                               \
  {"on", VALUE_NAMES, false, AT(CasePurkinje, on), .meaning = "in its place: a group of lines of the mesh"},           \
  {"grow", VALUE_MAP, false, AT(CasePurkinje, grow), .schema = &heart_grow_schema,                                     \
   .meaning = "or by rule: {surface: lv_endo, direction: [0, 0, -1], length: 20, branch-length: 8, segment: 0.5}"},    \
  {"root", VALUE_VECTOR, false, AT(CasePurkinje, root),                                                                \
   .meaning = "where it begins; without it, the first node of the first line"},                                        \
  {"size", VALUE_NUMBER, false, AT(CasePurkinje, size), .open_min = true, .max = INFINITY,                             \
   .meaning = "mm: lines are cut into pieces no longer than that"}
#define CASE_LEAD_KEYS                                                                                                 \
  {"ecg", VALUE_MAPS, false, AT(CaseOutput, ecg), .schema = &heart_lead_schema,                                        \
   .meaning = "leads of the pseudo-ECG"},                                                                              \
  {"electrodes", VALUE_MAP, false, AT(CaseOutput, electrodes), .schema = &heart_electrodes_schema,                     \
   .meaning = "RA, LA, LL and V1 to V6: the twelve leads I, II, III, aVR, aVL, aVF, V1 to V6 besides"},                \
  {"medium", VALUE_NUMBER, false, AT(CaseOutput, medium), .open_min = true, .max = INFINITY,                           \
   .meaning = "S/m, of the medium around: leads in mV, where tissue has 'conductivity'"}
/* clang-format on */
/* An error where it is next to none or without end, so that products of such numbers are no numbers. */
void heart_check_places(const CaseTissue *tissue, const char *what, Diagnostics *diagnostics);
void heart_check_diffusivity(const char *what, const NumberValue *D, Diagnostics *diagnostics);
/* Those of a tissue, which its conductivities make where it has such; one of the two must be there. */
void heart_make_diffusivity(CaseTissue *tissue, Diagnostics *diagnostics);
/* One value against another; fills in the presets' parameters. */
void monodomain_check(Case *c, Diagnostics *diagnostics);
/* What app/eikonal checks too: fibres and sheets with values along their directions (`what`: "diffusivity"), where a stimulus
 * acts, what lies between two probes; parameters of cells, which those of a preset fill up. */
void heart_check_axes(const CaseTissue *tissue, const char *what, Diagnostics *diagnostics);
void heart_check_spot(const CaseSpot *on, Diagnostics *diagnostics);
void heart_fill_ionic(CaseIonic *ionic, Diagnostics *diagnostics);
void heart_check_prepace(const CasePrepace *prepace, Diagnostics *diagnostics);
void heart_check_velocities(const Case *c, Diagnostics *diagnostics);
/* Cell models from files are read, and put away with the case. */
void import_models(Case *c, Diagnostics *diagnostics);
void monodomain_release(Case *c);
/* Beside muscle: does the body's deformation act upon its cells, by conduction in space or by channels that stretch opens? */
bool heart_opens(const Case *c);
static inline bool heart_deforms(const Case *c) { return c->conduction.value || heart_opens(c); }
/* The kind of a tissue's model (physics/ionic.h); -1: it has none, which was said. */
int32_t ionic_kind_of(const CaseIonic *ionic);
/* Cells of the entries of `tissue:`, then of those of `purkinje:`. */
static inline int32_t heart_ionics(const Case *c) { return c->materials.n + c->purkinje.n; }
static inline CaseIonic *heart_ionic(const Case *c, int32_t i) {
  return i < c->materials.n ? &heart_tissue(c, i)->ionic : &case_tree(c, i - c->materials.n)->ionic;
}
/* Their parameters as the kernels take them. */
IonicConstants monodomain_constants_of(const CaseIonic *ionic);
/* Whether a parameter of the cells varies with the place. */
bool ionic_varies(const CaseIonic *ionic);
/* case_purkinje.c: before and after the cells are filled in. */
void purkinje_defaults(Case *c);
void purkinje_check(const Case *c, Diagnostics *diagnostics);
/* The longest step with a positive definite matrix, of all tissues, ms. */
double monodomain_step_bound(const Case *c);
/* The scheme in the place of explicit stages that nobody has asked for, where a mesh needs too many of them. */
extern const WordValue heart_scheme_solves;
const char *heart_beyond_bound(const Case *c); /* what is wrong there, by its scheme */
/* Beats of a map that are asked for; 0: it is not. At most HEART_BEATS_MOST. */
enum { HEART_BEATS_MOST = 100 };
/* Beats that maps and probes ask for, at least 1. */
int32_t heart_beats(const Case *c);
int32_t heart_map_beats(const Case *c, HeartMap map);
/* Are phases asked for, by themselves or for filaments? How many times that potentials are kept at (heart_sampling) their
 * delay is. */
bool heart_has_phase(const Case *c);
bool heart_has_filaments(const Case *c);
int32_t heart_phase_lag(const Case *c);
double heart_phase_center(const Case *c); /* mV */
/* ms between rows of probes.csv. */
double heart_sampling(const Case *c);
/* What the dominant frequency is found in: ms, and Hz; of a run that begins at `start`. from > to: too short. */
typedef struct HeartWindow {
  double begin, end, from, to;
} HeartWindow;
HeartWindow heart_window(const Case *c, double start);
/* case_rhythm.c: checks of the keys of both. */
void heart_check_rhythm(const Case *c, Diagnostics *diagnostics);
/* case_leads.c. */
void heart_check_leads(const Case *c, Diagnostics *diagnostics);
bool case_has_extracellular(const Case *c); /* is the potential outside of the cells asked for, or solved for? */
static inline bool heart_is_bidomain(const Case *c) {
  return c->physics == &monodomain_physics && c->heart_model.value == 1;
}
/* A monodomain whose tissue beside a bath conducts as if the bath were in parallel. */
static inline bool heart_is_augmented(const Case *c) {
  return c->physics == &monodomain_physics && c->heart_model.value == 2;
}
void conductors_check(const Case *c, Diagnostics *diagnostics); /* conductor_tensors.c: entries of `torso:` */
/* case_bidomain.c: the bath becomes the torso; then what the bidomain cannot be combined with. */
void bidomain_check(Case *c, Diagnostics *diagnostics);
bool bidomain_means_tissue(const Case *c); /* is the potential 0 in the mean over its tissue? */
/* Pulses of a stimulus that begin before the end of the run. */
int64_t stimulus_pulses(const Case *c, const CaseStimulus *stimulus);
int64_t electrode_pulses(const Case *c, const CaseElectrode *electrode);
/* Pulses of a train that are too short, too many, or overlap. */
void heart_check_train(const Case *c, double start, const NumberValue *duration, const NumberValue *period,
                       const IntegerValue *count, Diagnostics *diagnostics);
