/* The keys of a case file of the heart, as tables. A new key is a line here and a member in case.h; the checks of one
 * value against another are in case_monodomain_check.c. */
#include "app/monodomain/case_monodomain.h"
#include "app/fibers/case_fibers.h"
#include "app/input/case_tables.h"
#include "app/input/field_words.h"
#include "app/monodomain/layers.h"
#include "physics/ionic_kernels.h"

#include <math.h>
#include <string.h>

#define IONIC_LISTED
/* States of all models, in the order of ionic_state_word. */
#define IONIC(name, text, n) name##_states(STATE)
/* clang-format off */
static const Word field_words[] = {
#define HEART_RULE(...)
#define HEART_FIELD(NAME, word, where, parts, unit, out) FIELD_WORDS_##out(word, parts)
#define HEART_MAP(NAME, word, where, parts, unit, out) 
#define STATE(name, meaning) {name, 0},
#include "app/monodomain/fields.def"
    {NULL, 0}};
static const Word map_words[] = {
#define HEART_RULE(...)
#define HEART_FIELD(NAME, word, where, parts, unit, out) 
#define HEART_MAP(NAME, word, where, parts, unit, out) FIELD_WORDS_##out(word, parts)
#define STATE(name, meaning) 
#include "app/monodomain/fields.def"
    {NULL, 0}};
static const Word probe_words[] = {
#define HEART_RULE(...)
#define HEART_FIELD(NAME, word, where, parts, unit, out) PROBE_WORDS_##out(word, parts)
#define HEART_MAP(NAME, word, where, parts, unit, out) PROBE_WORDS_##out(word, parts)
#define STATE(name, meaning) {name, 0},
#include "app/monodomain/fields.def"
    {NULL, 0}};
const FieldType heart_field[HEART_ROWS] = {
#define HEART_FIELD(NAME, ...) FIELD_ROW(__VA_ARGS__)
#define HEART_MAP HEART_FIELD
#define HEART_RULE HEART_FIELD
#define STATE(name, meaning) FIELD_ROW(name, NODES, ONE, NONE, P)
#include "app/monodomain/fields.def"
};
static const Word state_words[] = {
#define STATE(name, meaning) {name, 0},
#include "physics/ionics.def"
    {NULL, 0}};
/* clang-format on */
#undef STATE
#undef IONIC
/* A state of other cells than those of this case; where it reads some from a file, no state is. */
static bool of_other_cells(const Tree *tree, const char *name) {
  bool any = false, own = ionic_state_index(name) < 0;
  for (int32_t i = 0; i < tree->n && !own; ++i) {
    const TreeNode *node = &tree->node[i];
    const int kind = node->text ? ionic_by_name(node->text) : -1;
    any |= kind >= 0;
    own = ionic_state(kind, name) >= 0 ||
          (node->kind == TREE_MAP && node->key && !strcmp(node->key, "ionic") && tree_member(tree, i, "file") >= 0);
  }
  return any && !own;
}

static const Word quantity_words[] = {{"unknowns", 0},  {"iterations", 0}, {"steps", 0},
                                      {"filaments", 0}, {"reentry", 0},    {"qrs", 0},
                                      {"t-peak", 0},    {"qt", 0},         {NULL, 0}};
static const Word model_words[] = {{"monodomain", 0}, {"bidomain", 0}, {"augmented", 0}, {NULL, 0}};
static const Word reaction_words[] = {{"nodal", 0}, {"gauss", 0}, {NULL, 0}};
static const Word ionic_words[] = {
#define IONIC(id, name, n) {name, 0},
#include "physics/ionics.def"
#undef IONIC
    {NULL, 0}};
static const Word gates_words[] = {{"double", 0}, {"float", 0}, {NULL, 0}};
_Static_assert(COUNT(field_words) == N_HEART_FIELDS + 1, "one word per HeartField");
_Static_assert(COUNT(field_words) <= WORDS_MOST, "raise WORDS_MOST");
_Static_assert(COUNT(map_words) == N_HEART_MAPS + 1, "one word per HeartMap");
_Static_assert(COUNT(probe_words) == N_HEART_PROBES + 1, "fields, then maps of nodes");

static const Key ionic_keys[] = {
    {"model", VALUE_WORD, false, AT(CaseIonic, model), .words = ionic_words, .inside = true, .meant = carp_model,
     .meaning = "see 'sinew list ionic'; or {file: cell.mmt}, a model to read"},
    {"preset", VALUE_TEXT, false, AT(CaseIonic, preset),
     .meaning = "its parameters by name; the first one listed unless given"},
    {"gates", VALUE_WORD, false, AT(CaseIonic, gates), .words = gates_words,
     .meaning = "rates and targets of gates in double (unless given) or in float, which is faster; states stay double"},
    {"file", VALUE_TEXT, false, AT(CaseIonic, file),
     .meaning = "in place of model: a cell model to read, .mmt, .cellml or .model"},
    {"parameters", VALUE_FACTORS, false, AT(CaseIonic, parameters), .relative = true,
     .meaning = "constants of the file by name, {ina.gNa: 12}; \"*0.5\": half of it"},
    {"units", VALUE_WORD, false, AT(CaseIonic, units), .words = model_units_words,
     .meaning = "of the file: check or ignore; as the format has it unless given"},
    {"potential", VALUE_TEXT, false, AT(CaseIonic, potential),
     .meaning = "of the file: the state that is the potential, by name; as the file says unless given"},
    {"stimulus", VALUE_TEXT, false, AT(CaseIonic, stimulus),
     .meaning = "of the file: the variable that the case's stimuli replace; as the file says unless given"}};

static const Param *ionic_params(int32_t kind, int *n) {
  const IonicType *type = ionic_type(kind);
  *n = type ? type->n_param : 0;
  return type ? type->param : NULL;
}
static int ionic_texts(int32_t kind, const char *key, int most, const char *names[]) {
  const IonicType *type = ionic_type(kind);
  int n = 0;
  for (; type && strcmp(key, "preset") == 0 && n < type->n_preset && n < most; ++n) names[n] = type->preset[n].name;
  return n;
}
const Schema heart_ionic_schema = {SCHEMA("ionic", ionic_keys, CaseIonic),
                                   .plain = "model",
                                   .chooser = "model",
                                   .params = ionic_params,
                                   .texts = ionic_texts,
                                   .params_offset = offsetof(CaseIonic, value),
                                   .varying_offset = offsetof(CaseIonic, varying),
                                   .relative = true,
                                   .elsewhere = carp_key};

#define POSITIVE .open_min = true, .max = INFINITY
static const Key diffusivity_keys[] = {
    {"along", VALUE_NUMBER, true, AT(CaseDiffusivity, along), POSITIVE, VARYING(CaseDiffusivity, varying[0]),
     .meaning = "mm2/ms, along the fibres"},
    {"across", VALUE_NUMBER, false, AT(CaseDiffusivity, across), POSITIVE, VARYING(CaseDiffusivity, varying[1]),
     .meaning = "across them; as along unless given"},
    {"normal", VALUE_NUMBER, false, AT(CaseDiffusivity, normal), POSITIVE, VARYING(CaseDiffusivity, varying[2]),
     .meaning = "normal to the sheets; as across unless given"}};
static const Schema diffusivity_schema = {SCHEMA("diffusivity", diffusivity_keys, CaseDiffusivity), .plain = "along",
                                          .optional = true, .made = true, .elsewhere = carp_key};

static const Key conductivity_keys[] = {
    {"intra", VALUE_NUMBER_OR_VECTOR, true, AT(CaseConductivity, intra), VARYING(CaseConductivity, intra_varying),
     .meaning = "S/m, inside the cells: one, or along the fibres, across, normal to the sheets"},
    {"extra", VALUE_NUMBER_OR_VECTOR, true, AT(CaseConductivity, extra), VARYING(CaseConductivity, extra_varying),
     .meaning = "S/m, outside, likewise"},
    {"surface-to-volume", VALUE_NUMBER, false, AT(CaseConductivity, surface), POSITIVE, .initial = "140",
     .meaning = "1/mm, membrane per volume"},
    {"capacitance", VALUE_NUMBER, false, AT(CaseConductivity, capacitance), POSITIVE, .initial = "0.01",
     .meaning = "uF/mm2, of the membrane"}};
static const Schema conductivity_schema = {SCHEMA("conductivity", conductivity_keys, CaseConductivity),
                                           .optional = true, .elsewhere = carp_key};

#define CONDUCTOR_KEYS(what)                                                                                           \
  {"on", VALUE_NAMES, true, AT(CaseTorso, on), .meaning = "group or list of groups of elements " what},                \
      {"conductivity", VALUE_NUMBER_OR_VECTOR, true, AT(CaseTorso, conductivity),                                      \
       .meaning = "S/m: one, or along fibres, as of skeletal muscle, across them, normal to the sheets"},              \
      {"fibers",                                                                                                       \
       VALUE_MAP,                                                                                                      \
       false,                                                                                                          \
       AT(CaseTorso, fibers),                                                                                          \
       .schema = &plain_fibers_schema,                                                                                 \
       .meaning = "{field: fiber}, where there are several conductivities"},                                           \
  {                                                                                                                    \
    "sheets", VALUE_MAP, false, AT(CaseTorso, sheets), .schema = &sheets_schema, .meaning = "{field: sheet}"           \
  }
static const Key torso_keys[] = {CONDUCTOR_KEYS("around the heart")};
static const Schema torso_schema = {SCHEMA("an entry of the torso", torso_keys, CaseTorso)};
static const Key bath_keys[] = {
    CONDUCTOR_KEYS("without cells"),
    {"depth", VALUE_NUMBER, false, AT(CaseTorso, depth), POSITIVE, .initial = "0.25",
     .meaning = "mm, with 'model: augmented': of the tissue beside it that conducts better"}};
static bool bath_idle(const void *root, const void *map, const char *name) {
  (void)map;
  return strcmp(name, "depth") == 0 && !heart_is_augmented(root);
}
static const Schema bath_schema = {SCHEMA("an entry of the bath", bath_keys, CaseTorso), .idle = bath_idle};

static const Key stretch_current_keys[] = {
    {"conductance", VALUE_NUMBER, true, AT(CaseStretchCurrent, conductance), .open_min = true, .max = 10,
     .meaning = "1/ms (mS/uF) for each stretch of 1 beyond rest"},
    {"reversal", VALUE_NUMBER, false, AT(CaseStretchCurrent, reversal), .initial = "-20", .min = -150, .max = 150,
     .meaning = "mV, towards which these channels pull the potential"}};
static const Schema stretch_current_schema = {SCHEMA("stretch-current", stretch_current_keys, CaseStretchCurrent),
                                              .plain = "conductance", .optional = true};

static const Key tissue_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseTissue, on), .meaning = "group or list of groups of elements"},
    {"ionic", VALUE_MAP, true, AT(CaseTissue, ionic), .schema = &heart_ionic_schema,
     .meaning = "{model: aliev-panfilov}"},
    {"diffusivity", VALUE_MAP, false, AT(CaseTissue, diffusivity), .schema = &diffusivity_schema,
     .meaning = "a number, or {along: 0.10, across: 0.02}, mm2/ms"},
    {"conductivity", VALUE_MAP, false, AT(CaseTissue, conductivity), .schema = &conductivity_schema,
     .meaning = "in its place: {intra: [0.17, 0.019], extra: [0.62, 0.24], surface-to-volume: 140}"},
    {"velocity", VALUE_NUMBER, false, AT(CaseTissue, velocity), POSITIVE, VARYING(CaseTissue, velocity_varying),
     .meaning = "mm/ms along the fibres, where 'eikonal' starts the cells, that of their fronts unless given; in other "
                "directions by the root of diffusivity"},
    {"fibers", VALUE_MAP, false, AT(CaseTissue, fibers), .schema = &fibers_schema, .meaning = "{field: fiber}"},
    {"sheets", VALUE_MAP, false, AT(CaseTissue, sheets), .schema = &sheets_schema, .meaning = "{field: sheet}"},
    {"stretch-current", VALUE_MAP, false, AT(CaseTissue, stretch_current), .schema = &stretch_current_schema,
     .only = CASE_CELLS_AND_MUSCLE,
     .meaning = "beside muscle: {conductance: 0.1, reversal: -20}, of channels that open as fibres are stretched"},
    {"thickness", VALUE_NUMBER, false, AT(CaseTissue, thickness), .initial = "1", POSITIVE,
     .meaning = "mm, of a flat mesh or of surfaces in space"}};
const Schema heart_tissue_schema = {SCHEMA("a tissue entry", tissue_keys, CaseTissue), .elsewhere = carp_key};

static const Key box_keys[] = {{"min", VALUE_VECTOR, true, AT(CaseBox, min), .meaning = "lowest corner"},
                               {"max", VALUE_VECTOR, true, AT(CaseBox, max), .meaning = "highest corner"}};
static const Schema box_schema = {SCHEMA("box", box_keys, CaseBox), .optional = true};
static const Key sphere_keys[] = {
    {"center", VALUE_VECTOR, true, AT(CaseSphere, center), .meaning = "its centre"},
    {"radius", VALUE_NUMBER, true, AT(CaseSphere, radius), POSITIVE, .meaning = "its radius"}};
static const Schema sphere_schema = {SCHEMA("sphere", sphere_keys, CaseSphere), .optional = true};
static const Key spot_keys[] = {
    {"group", VALUE_NAMES, false, AT(CaseSpot, group), .meaning = "group or list of groups of any dimension"},
    {"box", VALUE_MAP, false, AT(CaseSpot, box), .schema = &box_schema, .meaning = "{min: [0, 0, 0], max: [1, 1, 1]}"},
    {"sphere", VALUE_MAP, false, AT(CaseSpot, sphere), .schema = &sphere_schema,
     .meaning = "{center: [0, 0, 0], radius: 1}"},
    {"nodes", VALUE_NAMES, false, AT(CaseSpot, nodes), .meaning = "numbers of nodes in the mesh file"}};
const Schema heart_spot_schema = {SCHEMA("on", spot_keys, CaseSpot), .plain = "group", .elsewhere = carp_key};

static const Key stimulus_keys[] = {
    {"name", VALUE_TEXT, false, AT(CaseStimulus, name), .meaning = "for messages"},
    {"on", VALUE_MAP, true, AT(CaseStimulus, on), .schema = &heart_spot_schema,
     .meaning = "a group, {box}, {sphere} or {nodes}"},
    {"start", VALUE_NUMBER, false, AT(CaseStimulus, start), .initial = "0", .max = INFINITY, .meaning = "ms"},
    {"duration", VALUE_NUMBER, true, AT(CaseStimulus, duration), POSITIVE, .meaning = "ms, of a pulse"},
    {"amplitude", VALUE_NUMBER, false, AT(CaseStimulus, amplitude), .meaning = "mV/ms, positive depolarises"},
    {"depth", VALUE_NUMBER, false, AT(CaseStimulus, depth), POSITIVE,
     .meaning = "mm: amplitude in a layer that deep below a group of surfaces"},
    {"current", VALUE_NUMBER, false, AT(CaseStimulus, current),
     .meaning = "mV mm/ms through a group of surfaces, in place of amplitude: current per area over surface-to-volume "
                "ratio and "
                "capacitance"},
    {"period", VALUE_NUMBER, false, AT(CaseStimulus, period), POSITIVE, .meaning = "ms from pulse to pulse of a train"},
    {"count", VALUE_INTEGER, false, AT(CaseStimulus, count), .min = 1, .max = 1e6,
     .meaning = "pulses of a train; to the end of the run unless given"}};
const Schema heart_stimulus_schema = {SCHEMA("a stimulus", stimulus_keys, CaseStimulus), .elsewhere = carp_key};

enum { FIRST_STATE = __COUNTER__ + 1 }; /* then they are counted */
static const Key initial_keys[] = {
    {"potential", VALUE_EXPR, false, AT(CaseInitial, value),
     .meaning = "mV, a number or an expression; at rest unless given"},
#define IONIC(name, text, n) name##_states(STATE)
#define STATE(name, meaning_)                                                                                          \
  {name,                                                                                                               \
   VALUE_EXPR,                                                                                                         \
   false,                                                                                                              \
   AT(CaseInitial, state[__COUNTER__ - FIRST_STATE]),                                                                  \
   .hides = of_other_cells,                                                                                            \
   .meaning = "that state; at rest unless given"},
#include "physics/ionics.def"
#undef STATE
#undef IONIC
};
static const Schema initial_schema = {SCHEMA("initial", initial_keys, CaseInitial), .plain = "potential",
                                      .optional = true};

static const Key prepace_keys[] = {
    {"cycle", VALUE_NUMBER, true, AT(CasePrepace, cycle), .open_min = true, .max = 1e6,
     .meaning = "ms from beat to beat"},
    {"beats", VALUE_INTEGER, true, AT(CasePrepace, beats), .min = 1, .max = 100000, .meaning = "how many"},
    {"amplitude", VALUE_NUMBER, false, AT(CasePrepace, amplitude), POSITIVE, .initial = "52",
     .meaning = "mV/ms, of the stimulus that starts a beat"},
    {"duration", VALUE_NUMBER, false, AT(CasePrepace, duration), POSITIVE, .initial = "1", .meaning = "ms, of that"}};
const Schema heart_prepace_schema = {SCHEMA("prepace", prepace_keys, CasePrepace), .optional = true};

static const Key eikonal_keys[] = {
    {"amplitude", VALUE_NUMBER, false, AT(CaseEikonal, amplitude), POSITIVE, .initial = "50",
     .meaning = "mV/ms, at each node when the front arrives"},
    {"duration", VALUE_NUMBER, false, AT(CaseEikonal, duration), POSITIVE, .initial = "2", .meaning = "ms, of that"}};
const Schema heart_eikonal_schema = {SCHEMA("eikonal", eikonal_keys, CaseEikonal), .optional = true};

static const Key probe_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseProbe, name), .meaning = "its column in probes.csv"},
    {"at", VALUE_VECTOR, true, AT(CaseProbe, at), .meaning = "the point, [x, y] or [x, y, z]"},
    {"on", VALUE_TEXT, false, AT(CaseProbe, on), .meaning = "a tree of 'purkinje': its node nearest to the point"},
    {"field", VALUE_WORD, false, AT(CaseProbe, field), .initial = "potential", .words = probe_words,
     .hides = of_other_cells,
     .meaning = "potential, extracellular, a state of the ionic model, activation, repolarization, apd, "
                "dominant-frequency"},
    {"beat", VALUE_INTEGER, false, AT(CaseProbe, beat), .initial = "1", .min = 1, .max = HEART_BEATS_MOST,
     .meaning = "of activation, repolarization and apd: which beat of that place"}};
static const Schema probe_schema = {SCHEMA("a probe", probe_keys, CaseProbe)};

static const Key map_keys[] = {{"name", VALUE_WORD, true, AT(CaseMap, name), .words = map_words,
                                .meaning = "activation, repolarization, apd, dominant-frequency, conduction-velocity"},
                               {"beats", VALUE_TEXT, false, AT(CaseMap, beats), .initial = "1",
                                .meaning = "how many of each node, or all: as many as there are pulses"},
                               {"start", VALUE_NUMBER, false, AT(CaseMap, start), .max = INFINITY,
                                .meaning = "ms, dominant-frequency: of what comes later; 0 unless given"},
                               {"from", VALUE_NUMBER, false, AT(CaseMap, from), POSITIVE,
                                .meaning = "Hz, dominant-frequency: the lowest; 1, or what the time can tell"},
                               {"to", VALUE_NUMBER, false, AT(CaseMap, to), POSITIVE,
                                .meaning = "Hz, dominant-frequency: the highest; 20, or what the samples can tell"}};
static const Schema map_schema = {SCHEMA("a map", map_keys, CaseMap), .plain = "name"};

static const Key phase_keys[] = {
    {"delay", VALUE_NUMBER, false, AT(CasePhase, delay), POSITIVE,
     .meaning = "ms, a multiple of that between samples; 20 or a little more unless given"},
    {"center", VALUE_NUMBER, false, AT(CasePhase, center), .meaning = "mV, which waves go around; -40 unless given"},
    {"state", VALUE_WORD, false, AT(CasePhase, state), .words = state_words, .hides = of_other_cells,
     .meaning = "of the cells, in place of the potential a delay ago"},
    {"middle", VALUE_NUMBER, false, AT(CasePhase, middle), .meaning = "of that state, which waves go around"},
    {"range", VALUE_NUMBER, false, AT(CasePhase, range),
     .meaning = "of that state, least to largest; negative where it falls after the upstroke; 1 unless given"}};
static const Schema phase_schema = {SCHEMA("phase", phase_keys, CasePhase), .optional = true};

static const Key lead_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseLead, name), .meaning = "its column in probes.csv"},
    {"positive", VALUE_VECTOR, true, AT(CaseLead, positive), .meaning = "where the electrode is"},
    {"negative", VALUE_VECTOR, false, AT(CaseLead, negative), .meaning = "and the one it is measured against"}};
const Schema heart_lead_schema = {SCHEMA("an ecg lead", lead_keys, CaseLead)};

#define ELECTRODE(name_, k)                                                                                            \
  { name_, VALUE_VECTOR, true, AT(CaseElectrodes, at[k]), .meaning = "where it is" }
static const Key electrode_keys[] = {ELECTRODE("RA", 0), ELECTRODE("LA", 1), ELECTRODE("LL", 2),
                                     ELECTRODE("V1", 3), ELECTRODE("V2", 4), ELECTRODE("V3", 5),
                                     ELECTRODE("V4", 6), ELECTRODE("V5", 7), ELECTRODE("V6", 8)};
const Schema heart_electrodes_schema = {SCHEMA("electrodes", electrode_keys, CaseElectrodes), .optional = true};
_Static_assert(COUNT(electrode_keys) == ELECTRODES, "one key per electrode");

static const Key velocity_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseVelocity, name), .meaning = "its column in probes.csv"},
    {"from", VALUE_TEXT, true, AT(CaseVelocity, from), .meaning = "a probe"},
    {"to", VALUE_TEXT, true, AT(CaseVelocity, to), .meaning = "a probe that the wave reaches later"}};
const Schema heart_velocity_schema = {SCHEMA("a velocity", velocity_keys, CaseVelocity)};

static const Key output_keys[] = {
    {"every", VALUE_NUMBER, false, AT(CaseOutput, every), POSITIVE, .meaning = "ms between stored steps"},
    {"sample", VALUE_NUMBER, false, AT(CaseOutput, sample), POSITIVE,
     .meaning = "ms between rows of probes.csv, of which 'every' is a multiple; every stored time has one"},
    {"fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = "[potential]", .words = field_words,
     .hides = of_other_cells,
     .meaning = "potential, extracellular, states of the ionic models, phase, filament; written to results.hdf at "
                "each stored step"},
    {"maps", VALUE_MAPS, false, AT(CaseOutput, maps), .schema = &map_schema,
     .meaning = "written once: activation, repolarization, apd (ms per node), dominant-frequency (Hz), "
                "conduction-velocity, or {name: activation, beats: all}"},
    {"phase", VALUE_MAP, false, AT(CaseOutput, phase), .schema = &phase_schema,
     .meaning = "of the fields phase and filament, {delay: 20, center: -40}"},
    {"threshold", VALUE_NUMBER, false, AT(CaseOutput, threshold), .min = -70, .open_min = true, .max = 100,
     .initial = "-30", .meaning = "mV, through which the potential rises at the time of activation"},
    {"apd", VALUE_NUMBER, false, AT(CaseOutput, apd), .open_min = true, .max = 100, .open_max = true,
     .meaning = "percent of repolarization that ends an action potential; below -70 mV unless given"},
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &probe_schema, .meaning = "values at points"},
    CASE_LEAD_KEYS,
    {"torso", VALUE_FLAG, false, AT(CaseOutput, torso),
     .meaning = "true: the potential at all nodes of heart and torso at each stored time, in torso/results.hdf"},
    {"velocity", VALUE_MAPS, false, AT(CaseOutput, velocity), .schema = &heart_velocity_schema,
     .meaning = "of conduction between two probes, mm/ms"},
    {"checkpoint", VALUE_NUMBER, false, AT(CaseOutput, checkpoint), POSITIVE, .meaning = "ms between checkpoints"},
    CASE_OUTPUT_STORAGE_KEYS};
static const Schema output_schema = {SCHEMA("output", output_keys, CaseOutput), .elsewhere = carp_key};

static const Key expect_keys[] = {
    CASE_EXPECT_KEYS(quantity_words),
    {"ecg", VALUE_TEXT, false, AT(CaseExpect, ecg), .meaning = "name of a lead"},
    {"velocity", VALUE_TEXT, false, AT(CaseExpect, velocity), .meaning = "name of a velocity"},
    {"time", VALUE_NUMBER, false, AT(CaseExpect, time), .max = INFINITY, .meaning = "when; the end unless given"}};
static const Schema expect_schema = {SCHEMA("an expect row", expect_keys, CaseExpect)};

static const Key shock_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseElectrode, name), .meaning = "of the electrode"},
    {"on", VALUE_MAP, true, AT(CaseElectrode, on), .schema = &heart_spot_schema,
     .meaning = "groups of surfaces, volumes or points, of tissue or bath; or nodes, by {box}, {sphere} or {nodes}"},
    {"current", VALUE_NUMBER, false, AT(CaseElectrode, current),
     .meaning = "mA into the body, evenly over the groups; in 2D for each mm of thickness unless 'tissue:' has it"},
    {"density", VALUE_NUMBER, false, AT(CaseElectrode, density),
     .meaning = "uA/mm2 of a surface, uA/mm3 of a volume, or of that of nodes, into the body"},
    {"potential", VALUE_NUMBER, false, AT(CaseElectrode, potential),
     .meaning = "mV, held; 0 before and after its time"},
    {"ground", VALUE_FLAG, false, AT(CaseElectrode, ground), .meaning = "true: 0 mV at all times"},
    {"balances", VALUE_TEXT, false, AT(CaseElectrode, balances), .meaning = "an electrode whose current goes out here"},
    {"start", VALUE_NUMBER, false, AT(CaseElectrode, start), .initial = "0", .max = INFINITY, .meaning = "ms"},
    {"duration", VALUE_NUMBER, false, AT(CaseElectrode, duration), POSITIVE, .meaning = "ms; to the end unless given"},
    {"period", VALUE_NUMBER, false, AT(CaseElectrode, period), POSITIVE,
     .meaning = "ms from pulse to pulse of a train"},
    {"count", VALUE_INTEGER, false, AT(CaseElectrode, count), .min = 1, .max = 1e6,
     .meaning = "pulses of a train; to the end of the run unless given"}};
static bool shock_idle(const void *root, const void *map, const char *name) {
  const CaseElectrode *e = map;
  (void)root;
  return (e->ground.value || place_given(e->balances.place)) &&
         (strcmp(name, "start") == 0 || strcmp(name, "duration") == 0 || strcmp(name, "period") == 0 ||
          strcmp(name, "count") == 0);
}
static const Schema shock_schema = {SCHEMA("an electrode", shock_keys, CaseElectrode), .idle = shock_idle};

static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"model", VALUE_WORD, false, AT(Case, heart_model), .initial = "monodomain", .words = model_words,
     .meaning =
         "monodomain; bidomain: with the potential outside of the cells as an unknown of each step; augmented: a "
         "monodomain that conducts better beside its bath"},
    {"tissue", VALUE_MAPS, true, AT(Case, materials), .schema = &heart_tissue_schema, .meaning = "a list"},
    {"without", VALUE_NAMES, false, AT(Case, without),
     .meaning = "groups of elements that are left out, as scars or a bath: no cells there, and no current"},
    {"purkinje", VALUE_MAPS, false, AT(Case, purkinje), .schema = &heart_purkinje_schema,
     .meaning = "trees of Purkinje fibres, a list"},
    {"layers", VALUE_MAPS, false, AT(Case, layers), .schema = &heart_layers_schema,
     .meaning = "of surfaces in space: pairs that are coupled, a list of {from: endo, to: epi, conductance: 0.05}"},
    {"torso", VALUE_MAPS, false, AT(Case, torso), .schema = &torso_schema,
     .meaning = "the mesh around the heart, a list of {on: lungs, conductivity: 0.05}: leads are of that body, in mV"},
    {"bath", VALUE_MAPS, false, AT(Case, bath), .schema = &bath_schema,
     .meaning =
         "of the bidomain: conductors without cells in or around the tissue, a list of {on: blood, conductivity: 0.6}"},
    {"reference", VALUE_TEXT, false, AT(Case, reference),
     .meaning =
         "of the bidomain: where the extracellular potential is 0 in the mean, tissue unless given, or all, with its "
         "bath; or at a node, by its number in the mesh"},
    {"stimuli", VALUE_MAPS, false, AT(Case, stimuli), .schema = &heart_stimulus_schema, .meaning = "currents, a list"},
    {"electrodes", VALUE_MAPS, false, AT(Case, electrodes), .schema = &shock_schema,
     .meaning =
         "of the bidomain: currents and potentials from outside, a list of {name: shock, on: plate, current: 40, "
         "start: 20, duration: 5}"},
    {"initial", VALUE_MAP, false, AT(Case, initial), .schema = &initial_schema,
     .meaning = "potential in mV, a number or an expression, or {potential: .., recovery: ..}; at rest unless given"},
    {"time", VALUE_MAP, true, AT(Case, time), .schema = &case_heart_time_schema,
     .meaning = "{end: 600, step: 0.5}, ms"},
    {"reaction", VALUE_WORD, false, AT(Case, reaction), .initial = "nodal", .words = reaction_words,
     .meaning = "nodal (lumped) or gauss (recovery variable at integration points)"},
    {"mass", VALUE_NUMBER, false, AT(Case, mass), .initial = "0", .max = 1,
     .meaning =
         "of nodal reaction: share of the consistent mass, from 0 (lumped) to 1; 0.5 has the least error of velocity"},
    {"prepace", VALUE_MAP, false, AT(Case, prepace), .schema = &heart_prepace_schema,
     .meaning = "{cycle: 1000, beats: 100}: cells begin as after so many beats, alone; at rest unless given"},
    {"eikonal", VALUE_MAP, false, AT(Case, eikonal), .schema = &heart_eikonal_schema,
     .meaning = "{amplitude: 50, duration: 2}: fronts from the stimuli, by 'velocity' of the tissue, start the cells"},
    CASE_SOLVER_KEY,
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "fields, maps, probes, ecg"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"}};
static bool case_idle(const void *root, const void *map, const char *name) {
  const Case *c = root;
  (void)map;
  if (strcmp(name, "torso") == 0) return c->torso.item && c->torso.item == c->bath.item;
  return strcmp(name, "mass") == 0 && c->reaction.value > 0;
}
const Schema monodomain_schema = {SCHEMA("the case", case_keys, Case), .elsewhere = carp_key, .idle = case_idle};
