/* The keys of a case file of an eikonal equation, as tables, and their checks. */
#include "app/fibers/case_fibers.h"
#include "app/input/case_tables.h"
#include "app/input/field_words.h"
#include "app/eikonal/case_eikonal.h"
#include "app/monodomain/case_monodomain.h"

#include <math.h>
#include <string.h>

static const Word field_words[] = {
#define EIKONAL_FIELD(NAME, word, where, parts, unit, out) FIELD_WORDS_##out(word, parts)
#include "app/eikonal/fields.def"
    {NULL, 0}};
static const Word probe_words[] = {
#define EIKONAL_FIELD(NAME, word, where, parts, unit, out) PROBE_WORDS_##out(word, parts)
#include "app/eikonal/fields.def"
    {NULL, 0}};
const FieldType eikonal_field[N_EIKONAL_FIELDS] = {
#define EIKONAL_FIELD(NAME, ...) FIELD_ROW(__VA_ARGS__)
#include "app/eikonal/fields.def"
};
static const Word quantity_words[] = {{"unknowns", 0}, {"iterations", 0}, {"qrs", 0},
                                      {"t-peak", 0},   {"qt", 0},         {NULL, 0}};

#define POSITIVE .open_min = true, .max = INFINITY
static const Key speed_keys[] = {
    {"along", VALUE_NUMBER, true, AT(CaseDiffusivity, along), POSITIVE, VARYING(CaseDiffusivity, varying[0]),
     .meaning = "mm/ms, along the fibres"},
    {"across", VALUE_NUMBER, false, AT(CaseDiffusivity, across), POSITIVE, VARYING(CaseDiffusivity, varying[1]),
     .meaning = "across them; as along unless given"},
    {"normal", VALUE_NUMBER, false, AT(CaseDiffusivity, normal), POSITIVE, VARYING(CaseDiffusivity, varying[2]),
     .meaning = "normal to the sheets; as across unless given"}};
static const Schema speed_schema = {SCHEMA("velocity", speed_keys, CaseDiffusivity), .plain = "along"};

static const Key conductivity_keys[] = {
    {"intra", VALUE_NUMBER_OR_VECTOR, true, AT(CaseConductivity, intra),
     .meaning = "S/m, inside the cells: one, or along the fibres, across, normal to the sheets"}};
static const Schema conductivity_schema = {SCHEMA("conductivity", conductivity_keys, CaseConductivity),
                                           .plain = "intra", .optional = true};

static const Key tissue_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseTissue, on), .meaning = "group or list of groups of elements"},
    {"velocity", VALUE_MAP, true, AT(CaseTissue, diffusivity), .schema = &speed_schema,
     .meaning = "of conduction: a number, or {along: 0.6, across: 0.3}, mm/ms"},
    {"fibers", VALUE_MAP, false, AT(CaseTissue, fibers), .schema = &fibers_schema, .meaning = "{field: fiber}"},
    {"sheets", VALUE_MAP, false, AT(CaseTissue, sheets), .schema = &sheets_schema, .meaning = "{field: sheet}"},
    {"ionic", VALUE_MAP, false, AT(CaseTissue, ionic), .schema = &heart_ionic_schema,
     .meaning = "of leads: cells whose action potential goes with the front, {model: ten-tusscher, preset: epi}"},
    {"conductivity", VALUE_MAP, false, AT(CaseTissue, conductivity), .schema = &conductivity_schema,
     .meaning = "of leads in mV: {intra: [0.17, 0.019]}"}};
static const Schema tissue_schema = {SCHEMA("a tissue entry", tissue_keys, CaseTissue)};

static const Key stimulus_keys[] = {
    {"name", VALUE_TEXT, false, AT(CaseStimulus, name), .meaning = "for messages"},
    {"on", VALUE_MAP, true, AT(CaseStimulus, on), .schema = &heart_spot_schema,
     .meaning = "where a front starts: a group, {box}, {sphere} or {nodes}"},
    {"start", VALUE_NUMBER, false, AT(CaseStimulus, start), .initial = "0", .max = INFINITY, .meaning = "ms"}};
static const Schema stimulus_schema = {SCHEMA("a stimulus", stimulus_keys, CaseStimulus)};

static const Key junction_keys[] = {
    {"radius", VALUE_NUMBER, true, AT(CaseJunction, radius), POSITIVE,
     .meaning = "mm: the tissue that near, which a front comes to from an end of the tree, and from which it enters"},
    {"delay", VALUE_NUMBER, false, AT(CaseJunction, delay), .max = INFINITY,
     .meaning = "ms, either way; 0 unless given"}};
static const Schema junction_schema = {SCHEMA("junction", junction_keys, CaseJunction), .plain = "radius"};

static const Key purkinje_keys[] = {
    CASE_TREE_KEYS,
    {"velocity", VALUE_NUMBER, true, AT(CasePurkinje, velocity), POSITIVE, .meaning = "mm/ms, along the lines"},
    {"junction", VALUE_MAP, true, AT(CasePurkinje, junction), .schema = &junction_schema,
     .meaning = "{radius: 1, delay: 0}"}};
static const Schema purkinje_schema = {SCHEMA("a purkinje entry", purkinje_keys, CasePurkinje)};

static const Key probe_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseProbe, name), .meaning = "its column in probes.csv"},
    {"at", VALUE_VECTOR, true, AT(CaseProbe, at), .meaning = "the point, [x, y] or [x, y, z]"},
    {"on", VALUE_TEXT, false, AT(CaseProbe, on),
     .meaning = "entry of 'purkinje:' by its name: the node of that tree nearest to the point; else in the tissue"},
    {"field", VALUE_WORD, false, AT(CaseProbe, field), .initial = "activation", .words = probe_words,
     .meaning = "activation"}};
static const Schema probe_schema = {SCHEMA("a probe", probe_keys, CaseProbe)};

static const Key output_keys[] = {
    {"fields", VALUE_WORDS, false, AT(CaseOutput, fields), .initial = "[activation]", .words = field_words,
     .meaning = "activation: when the front arrives, ms, -1 where it never does; conduction-velocity"},
    {"probes", VALUE_MAPS, false, AT(CaseOutput, probes), .schema = &probe_schema, .meaning = "values at points"},
    {"velocity", VALUE_MAPS, false, AT(CaseOutput, velocity), .schema = &heart_velocity_schema,
     .meaning = "of conduction between two probes, mm/ms"},
    CASE_LEAD_KEYS,
    CASE_OUTPUT_STORAGE_KEYS};
static const Schema output_schema = {SCHEMA("output", output_keys, CaseOutput)};

static const Key expect_keys[] = {
    CASE_EXPECT_KEYS(quantity_words),
    {"velocity", VALUE_TEXT, false, AT(CaseExpect, velocity), .meaning = "name of a velocity"},
    {"ecg", VALUE_TEXT, false, AT(CaseExpect, ecg), .meaning = "name of a lead"},
    {"time", VALUE_NUMBER, false, AT(CaseExpect, time), .max = INFINITY, .meaning = "when; the end unless given"}};
static const Schema expect_schema = {SCHEMA("an expect row", expect_keys, CaseExpect)};

static const Key time_keys[] = {{"end", VALUE_NUMBER, true, AT(CaseTime, end), POSITIVE, .meaning = "ms"},
                                {"step", VALUE_NUMBER, false, AT(CaseTime, step), POSITIVE, .initial = "1",
                                 .meaning = "ms between rows of probes.csv"}};
static const Schema time_schema = {SCHEMA("time", time_keys, CaseTime), .plain = "end", .optional = true};

static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"tissue", VALUE_MAPS, true, AT(Case, materials), .schema = &tissue_schema, .meaning = "a list"},
    {"without", VALUE_NAMES, false, AT(Case, without),
     .meaning = "groups of elements that are left out, as scars or a bath: no front goes there"},
    {"purkinje", VALUE_MAPS, false, AT(Case, purkinje), .schema = &purkinje_schema,
     .meaning = "trees of fibres that fronts run along, a list"},
    {"stimuli", VALUE_MAPS, true, AT(Case, stimuli), .schema = &stimulus_schema,
     .meaning = "where fronts start, a list"},
    {"prepace", VALUE_MAP, false, AT(Case, prepace), .schema = &heart_prepace_schema,
     .meaning = "of leads, {cycle: 1000, beats: 100}: the action potential is that of cells after so many beats"},
    {"time", VALUE_MAP, false, AT(Case, time), .schema = &time_schema, .meaning = "of leads: {end: 500, step: 1}, ms"},
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema,
     .meaning = "fields, probes, velocity, leads"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"}};
const Schema eikonal_schema = {SCHEMA("the case", case_keys, Case)};

static void refuse_idle(Place place, const char *what, Diagnostics *out) {
  if (place_given(place))
    report_error(out, place, "%s has no effect without leads: give 'electrodes' or 'ecg' under 'output:'", what);
}

/* What leads need, and what needs leads. */
static void check_leads(Case *c, Diagnostics *out) {
  const bool leads = case_leads(c) > 0;
  const Place at = c->output.ecg.n ? c->output.ecg.place : c->output.electrodes.place;
  if (!leads) refuse_idle(c->time.place, "time", out), refuse_idle(c->prepace.place, "prepace", out);
  if (leads && !place_given(c->time.place))
    report_error(out, at, "leads need the key 'time', until when they are asked for: 'time: {end: 500}', ms");
  if (leads) heart_check_prepace(&c->prepace, out);
  for (int32_t i = 0; i < c->materials.n; ++i) {
    CaseTissue *t = heart_tissue(c, i);
    const bool cells = place_given(t->ionic.place);
    if (!leads) refuse_idle(t->ionic.place, "ionic", out);
    if (!leads || !place_given(c->output.medium.place)) {
      if (leads && place_given(t->conductivity.place))
        report_error(out, t->conductivity.place,
                     "conductivity has no effect without 'medium:' under 'output:', the conductivity around the heart");
      else refuse_idle(t->conductivity.place, "conductivity", out);
    }
    if (leads && !cells)
      report_error(out, t->place,
                   "leads need the key 'ionic' of each tissue: cells whose action potential goes with the front");
    if (!leads || !cells) continue;
    heart_fill_ionic(&t->ionic, out);
    if (ionic_varies(&t->ionic))
      report_error(out, t->ionic.place,
                   "parameters of cells that vary are not possible in leads of fronts\n  remedy: a tissue entry for "
                   "each group of cells ('mesh: {regions: ..}' makes groups), or 'physics: monodomain'");
  }
}

void eikonal_check(Case *c, Diagnostics *out) {
  const int32_t before = out->n;
  if (place_given(c->materials.place) && c->materials.n == 0)
    report_error(out, c->materials.place, "tissue is empty; every element needs an entry");
  if (place_given(c->stimuli.place) && c->stimuli.n == 0)
    report_error(out, c->stimuli.place, "stimuli is empty; a front needs a place where it starts");
  for (int32_t i = 0; i < c->materials.n; ++i) heart_check_axes(heart_tissue(c, i), "velocity", out);
  for (int32_t i = 0; i < c->stimuli.n; ++i) heart_check_spot(&case_stimulus(c, i)->on, out);
  for (int32_t i = 0; i < c->purkinje.n; ++i) { /* what cells would need: any will do */
    CasePurkinje *tree = case_tree(c, i);
    NumberValue *const any[] = {&tree->diffusivity, &tree->radius, &tree->surface, &tree->capacitance,
                                &tree->junction.resistance};
    for (int k = 0; k < COUNT(any); ++k) any[k]->value = 1;
  }
  purkinje_check(c, out);
  heart_check_velocities(c, out);
  import_models(c, out);
  if (out->n == before) check_leads(c, out);
  if (out->n == before) heart_check_leads(c, out);
}
