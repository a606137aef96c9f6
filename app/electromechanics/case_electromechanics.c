/* The keys of a case of the heart as a pump, as tables: those of its circulation alone, and those of a body of muscle. */
#include "app/electromechanics/case_electromechanics.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/electromechanics/coupled.h"
#include "app/electromechanics/pump.h"
#include "app/input/case_tables.h"
#include "app/monodomain/case_monodomain.h"

#include <math.h>
#include <string.h>

static const Word quantity_words[] = {
#define LOOP(NAME, word, unit, meaning) {word, 0},
#include "app/electromechanics/loops.def"
#undef LOOP
    {NULL, 0}};

static const Key time_keys[] = {
    {"end", VALUE_NUMBER, false, AT(CaseTime, end), .open_min = true, .max = INFINITY,
     .meaning = "ms; unless given, beats go on until they repeat"},
    {"step", VALUE_NUMBER, false, AT(CaseTime, step), .initial = "0.1", .open_min = true, .max = INFINITY,
     .meaning = "ms, at most a tenth of a cycle; as many as make up the cycle have one length"}};
static const Schema time_schema = {SCHEMA("time", time_keys, CaseTime)};

static const Key output_keys[] = {{"sample", VALUE_NUMBER, false, AT(CaseOutput, sample), .initial = "1",
                                   .open_min = true, .max = INFINITY,
                                   .meaning = "ms between rows of loops.csv, about: a whole number of steps"}};
static const Schema output_schema = {SCHEMA("output", output_keys, CaseOutput)};

static const Key until_keys[] = {{"periodic", VALUE_NUMBER, true, AT(CaseUntil, periodic), .open_min = true, .max = 1,
                                  .open_max = true,
                                  .meaning = "a beat repeats where no volume of a cavity, chamber or vessel has "
                                             "changed by more, relative to the largest cavity"},
                                 {"beats", VALUE_INTEGER, false, AT(CaseUntil, beats), .min = 2, .max = 100000,
                                  .meaning = "at most so many; those until `end` unless given"}};
static const Schema until_schema = {SCHEMA("until", until_keys, CaseUntil), .plain = "periodic", .optional = true};

/* Of a body of muscle, with cells or without. */
#define BODY_TIME(adaptive_)                                                                                             \
  {"end", VALUE_NUMBER, true, AT(CaseTime, end), .open_min = true, .max = INFINITY, .meaning = "ms; it starts at 0"},    \
      {"step", VALUE_NUMBER, true, AT(CaseTime, step), .open_min = true, .max = INFINITY, .meaning = "ms, of the body"}, \
      {"adaptive",          VALUE_MAP, false, AT(CaseTime, adaptive), .schema = &case_load_adaptive_schema,              \
       .meaning = adaptive_},                                                                                            \
  {                                                                                                                      \
    "until", VALUE_MAP, false, AT(CaseTime, until),                                                                      \
        .schema = &until_schema,                                                                                         \
        .meaning = "{periodic: 0.01}: the run ends with the beat that repeats, at `end` at the latest"                   \
  }
static const Key muscle_time_keys[] = {
    BODY_TIME("steps as long as Newton's method converges quickly; unless given, those of step, cut where it fails; "
              "false: never cut")};
static const Schema muscle_time_schema = {SCHEMA("time", muscle_time_keys, CaseTime), .optional = true};

static const Key cells_time_keys[] = {
    BODY_TIME("false: steps are never cut; unless given, they are where Newton's method fails"),
    {"cells", VALUE_MAP, true, AT(CaseTime, cells), .schema = &case_cell_steps_schema,
     .meaning = "{step: 0.05}: steps of the cells"}};
static const Schema cells_time_schema = {SCHEMA("time", cells_time_keys, CaseTime), .optional = true};

static const Key cells_output_keys[] = {
    {"every", VALUE_NUMBER, false, AT(CaseOutput, every), .open_min = true, .max = INFINITY,
     .meaning = "ms between stored steps, a multiple of the body's; each of them unless given"},
    {"checkpoint", VALUE_NUMBER, false, AT(CaseOutput, checkpoint), .open_min = true, .max = INFINITY,
     .meaning = "ms between checkpoints"},
    {"fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = "[displacement, potential]",
     .words = elastic_field_words, .hides = elastic_word_hides, .meaning = "written to results.hdf"},
    {"threshold", VALUE_NUMBER, false, AT(CaseOutput, threshold), .min = -70, .open_min = true, .max = 100,
     .initial = "-30", .meaning = "mV, through which the potential rises at the time of activation"},
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &case_elastic_probe_schema,
     .meaning = "values at points"},
    {"sums", VALUE_MAPS, false, AT(CaseOutput, sums), .schema = &case_elastic_sum_schema,
     .meaning = "totals over groups"},
    CASE_LOOP_KEYS,
    CASE_LEAD_KEYS,
    CASE_OUTPUT_STORAGE_KEYS};
/* What outputs of hearts and of circulations have. */
static const char *output_elsewhere(const char *key) {
  if (strcmp("torso", key) == 0)
    return "is solved for around a body at rest, and this one moves: beside muscle leads are those of an infinite "
           "medium\n  remedy: leave it out, or 'physics: monodomain' with the same cells";
  return NULL;
}
static const Schema cells_output_schema = {SCHEMA("output", cells_output_keys, CaseOutput),
                                           .elsewhere = output_elsewhere};

static const Key expect_keys[] = {{"loop", VALUE_TEXT, true, AT(CaseExpect, loop), .meaning = "name of a chamber"},
                                  CASE_EXPECT_VALUE_KEYS(quantity_words)};
static const Schema expect_schema = {SCHEMA("an expect row", expect_keys, CaseExpect)};

/* The same of a body of muscle, which has probes and sums too. */
static const Word pump_quantity_words[] = {
#define LOOP(NAME, word, unit, meaning) {word, 0},
#include "app/electromechanics/loops.def"
#undef LOOP
    {"unknowns", 0},          {"iterations", 0},    {"steps", 0},  {"strain-energy", 0},
    {"dissipated-energy", 0}, {"external-work", 0}, {"safety", 0}, {NULL, 0}};
static const Key pump_expect_keys[] = {
    {"probe", VALUE_TEXT, false, AT(CaseExpect, probe), .meaning = "name of a probe"},
    {"sum", VALUE_TEXT, false, AT(CaseExpect, sum), .meaning = "column of a sum, such as left-reaction-x"},
    {"loop", VALUE_TEXT, false, AT(CaseExpect, loop),
     .meaning = "name of a cavity or chamber, with a quantity of its last whole beat"},
    {"ecg", VALUE_TEXT, false, AT(CaseExpect, ecg), .only = CASE_CELLS_AND_MUSCLE, .meaning = "name of a lead"},
    CASE_EXPECT_VALUE_KEYS(pump_quantity_words),
    {"time", VALUE_NUMBER, false, AT(CaseExpect, time), .max = INFINITY, .meaning = "when; the end unless given"}};
static const Schema pump_expect_schema = {SCHEMA("an expect row", pump_expect_keys, CaseExpect)};

static const Word conduction_words[] = {{"with-tissue", 0}, {"in-space", 0}, {NULL, 0}};

#define ALONE .only = HAS_CIRCULATION
#define MUSCLE .only = HAS_PUMP
#define BY_ITSELF .only = HAS_MUSCLE
#define CELLS .only = HAS_CELLS
static const Key case_keys[] = {
    CASE_TITLE_KEYS,
    CASE_PHYSICS_KEY,
    {"circulation", VALUE_MAP, true, AT(Case, circulation), .schema = &circulation_schema, ALONE,
     .meaning = "chambers, valves and vessels, without space"},
    {"circulation", VALUE_MAP, false, AT(Case, circulation), .schema = &circulation_schema, MUSCLE,
     .meaning = "what fills cavities and what they empty into, by their names"},
    {"mesh", VALUE_MAP, true, AT(Case, mesh), .schema = &case_mesh_schema, MUSCLE,
     .meaning = "{file: ventricle.geo, order: 2}"},
    {"functions", VALUE_MAPS, false, AT(Case, functions), .schema = &case_function_schema, MUSCLE,
     .meaning = "of one number, by their points, that expressions may call"},
    {"model", VALUE_WORD, false, AT(Case, model), .initial = "3d", .words = case_model_words, MUSCLE,
     .meaning = "3d, axisymmetric or plane-strain"},
    {"formulation", VALUE_WORD, false, AT(Case, formulation), .initial = "auto", .words = case_formulation_words,
     MUSCLE, .meaning = "displacement; mean-dilatation, where a material nearly keeps its volume; auto"},
    {"muscle", VALUE_MAPS, true, AT(Case, materials), .schema = &case_muscle_schema, MUSCLE,
     .meaning = "what the body is made of, and what it pulls with"},
    {"tissue", VALUE_MAPS, true, AT(Case, tissue), .schema = &heart_tissue_schema, CELLS,
     .meaning = "cells of the body, as of a heart alone; their calcium or potential drives the muscle"},
    {"stimuli", VALUE_MAPS, false, AT(Case, stimuli), .schema = &heart_stimulus_schema, CELLS,
     .meaning = "currents, a list"},
    {"conduction", VALUE_WORD, false, AT(Case, conduction), .initial = "with-tissue", .words = conduction_words, CELLS,
     .meaning =
         "diffusivities are those of the body as the mesh has it, or in-space: of the body where it has moved to"},
    {"prepace", VALUE_MAP, false, AT(Case, prepace), .schema = &heart_prepace_schema, CELLS,
     .meaning = "{cycle: 1000, beats: 100}: cells begin as after so many beats, alone; at rest unless given"},
    {"purkinje", VALUE_MAPS, false, AT(Case, purkinje), .schema = &heart_purkinje_schema, CELLS,
     .meaning = "trees of fibres that start the cells, as of a heart alone"},
    {"eikonal", VALUE_MAP, false, AT(Case, eikonal), .schema = &heart_eikonal_schema, CELLS,
     .meaning = "{amplitude: 50, duration: 2}: fronts from the stimuli, by 'velocity' of the tissue, start the cells"},
    {"boundary", VALUE_MAPS, false, AT(Case, boundary), .schema = &case_elastic_boundary_schema, MUSCLE,
     .meaning = "supports and loads"},
    {"body", VALUE_MAPS, false, AT(Case, body), .schema = &case_elastic_body_schema, MUSCLE,
     .meaning = "forces on volumes"},
    {"equations", VALUE_MAPS, false, AT(Case, equations), .schema = &case_equation_schema, MUSCLE,
     .meaning = "between displacements of nodes: {nodes: [3, 4], components: [x, y], factors: [1, -0.5], value: 0.01}"},
    {"cavities", VALUE_MAPS, false, AT(Case, cavities), .schema = &case_cavity_schema, MUSCLE,
     .meaning = "what the body is around: {name: lv, on: endo, pressure: 1.2}"},
    {"unload", VALUE_FACTORS, false, AT(Case, unload), MUSCLE,
     .meaning = "{lv: 1.2, rv: 0.6, tolerance: 1e-3}: the mesh is of a body with these pressures in its cavities, kPa, "
                "and the body without load is found first, mm"},
    {"time", VALUE_MAP, false, AT(Case, time), .schema = &time_schema, ALONE, .meaning = "{end: 1600, step: 0.1}, ms"},
    {"time", VALUE_MAP, true, AT(Case, single), .schema = &muscle_time_schema, BY_ITSELF,
     .meaning = "{end: 800, step: 1}, ms where a tension has a model"},
    {"time", VALUE_MAP, true, AT(Case, single), .schema = &cells_time_schema, CELLS,
     .meaning = "{end: 800, step: 1, cells: {step: 0.05}}, ms"},
    {"solver", VALUE_MAP, false, AT(Case, solver), .schema = &case_solver_schema, MUSCLE,
     .meaning = "optional as a whole"},
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, ALONE, .meaning = "{sample: 1}"},
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &case_elastic_output_schema, BY_ITSELF,
     .meaning = "fields, probes, sums"},
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &cells_output_schema, CELLS,
     .meaning = "fields, maps, probes, sums, leads"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, ALONE,
     .meaning = "rows for 'sinew verify', of the last beat: {loop: lv, quantity: ejection-fraction, value: 0.55}"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &pump_expect_schema, MUSCLE,
     .meaning = "rows for 'sinew verify'"}};

static bool is_among(const char *key, const char *const *list, int n) {
  for (int k = 0; k < n; ++k)
    if (strcmp(list[k], key) == 0) return true;
  return false;
}

/* What a heart in space would have, or a body of elasticity. */
static const char *case_elsewhere(const char *key) {
  static const char *const elastic[] = {"thermal",    "springs",      "contact",   "bolts", "steps",
                                        "load-cases", "combinations", "envelopes", "adapt", "analysis"};
  static const char *const cells[] = {"initial", "torso",    "bath", "electrodes",
                                      "without", "reaction", "mass", "layers"};
  if (is_among(key, cells, COUNT(cells)))
    return "belongs to cells alone; beside muscle they do not have it yet\n  remedy: leave it out, or 'physics: "
           "monodomain'";
  if (is_among(key, elastic, COUNT(elastic)))
    return "belongs to 'physics: elasticity'; a body of muscle does not have it\n  remedy: leave it out, or that "
           "physics, "
           "whose materials pull by 'active', without cells and circulation";
  if (strcmp(key, "strain") == 0) return "is always finite where there is muscle\n  remedy: leave it out";
  if (strcmp(key, "materials") == 0) return "are entries of 'muscle' here, with the same keys\n  remedy: 'muscle'";
  return NULL;
}
static bool case_idle(const void *root, const void *map, const char *name) {
  (void)map;
  return strcmp(name, "circulation") == 0 && !place_given(((const Case *)root)->circulation.place);
}
const Schema electromechanics_schema = {SCHEMA("the case", case_keys, Case), .elsewhere = case_elsewhere,
                                        .idle = case_idle};

/* Rows of expect: a loop needs a quantity of its own, and those belong to loops. */
static void check_loop_rows(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *row = case_expect(c, i);
    const bool of_loops = row->quantity.text && row->quantity.value < N_LOOP_QUANTITIES;
    if (row->quantity.text && of_loops != (row->loop.text != NULL))
      report_error(out, row->quantity.place, "'%s' is a quantity of %s\n  remedy: %s", row->quantity.text,
                   of_loops ? "a cavity" : "the whole run",
                   of_loops ? "'loop' with the name of the cavity" : "leave 'loop' out");
    if (row->loop.text && place_given(row->time.place))
      report_error(out, row->time.place, "a quantity of a loop belongs to a whole beat; it has no time");
  }
}

/* loops.csv has all cavities at all steps: less is asked for in vain. */
static void check_loops(const Case *c, Diagnostics *out) {
  const CaseOutput *o = &c->output;
  char where[512];
  for (int32_t i = 0; i < o->loops.n; ++i)
    if (case_cavity_called(c, o->loops.item[i].text) < 0) case_refuse_cavity(c, &o->loops.item[i], out);
  if (place_given(o->loops.place) && o->loops.n != c->cavities.n && !out->n)
    status_warn("%s: loops.csv has all %d cavities, not %d of them",
                place_text(c->path, o->loops.place, where, sizeof where), c->cavities.n, o->loops.n);
  if (place_given(o->loop_sample.place) && o->loop_sample.value != c->time.step.value && !out->n)
    status_warn("%s: loops.csv has a row for each step of the body, %g ms, not for every %g",
                place_text(c->path, o->loop_sample.place, where, sizeof where), c->time.step.value,
                o->loop_sample.value);
}

/* Beats that repeat have a length, and there are two of them at least. */
static void check_until(const Case *c, Diagnostics *out) {
  const CaseUntil *until = &c->time.until;
  const NumberValue *cycle = &c->circulation.cycle;
  if (!place_given(until->place)) return;
  if (!place_given(cycle->place))
    report_error(
        out, until->place,
        "beats until they repeat, and nothing says how long a beat is\n  remedy: 'cycle' under 'circulation:'");
  else if (c->time.end.value < 2 * cycle->value)
    report_error(
        out, c->time.end.place,
        "end is %g ms, and two beats of %g ms are the least that can repeat\n  remedy: a later 'end', which is "
        "when the run stops at the latest, or leave 'until' out",
        c->time.end.value, cycle->value);
}

void pump_check(Case *c, Diagnostics *out) {
  CaseCirculation *k = &c->circulation;
  muscle_check(c, out);
  unload_check(c, out);
  circulation_check_names(c, out);
  check_loop_rows(c, out);
  check_loops(c, out);
  check_until(c, out);
  pump_strain_check(c, out);
  pump_peaks_check(c, out);
  if (!place_given(k->place)) {
    circulation_check_expectations(c, out);
    return;
  }
  if (!place_given(k->cycle.place)) k->cycle.value = c->time.end.value;
  if (c->time.step.value > k->cycle.value / 10)
    report_error(out, c->time.step.place, "step is %g ms, must be at most a tenth of the cycle of %g ms",
                 c->time.step.value, k->cycle.value);
  circulation_check(c, out);
}

void electromechanics_check(Case *c, Diagnostics *out) {
  const double cycle = c->circulation.cycle.value, step = c->time.step.value;
  circulation_check_names(c, out);
  if (cycle > 0 && step > cycle / 10)
    report_error(out, c->time.step.place, "step is %g ms, must be at most a tenth of the cycle of %g ms", step, cycle);
  if (cycle > 0 && c->output.sample.value > cycle / 10)
    report_error(out, c->output.sample.place, "sample is %g ms, must be at most a tenth of the cycle of %g ms",
                 c->output.sample.value, cycle);
  circulation_check(c, out);
}
