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
static const Word quantity_words[] = {{"unknowns", 0}, {"iterations", 0}, {NULL, 0}};

#define POSITIVE .open_min = true, .max = INFINITY
static const Key speed_keys[] = {
    {"along", VALUE_NUMBER, true, AT(CaseDiffusivity, along), POSITIVE, VARYING(CaseDiffusivity, varying[0]),
     .meaning = "mm/ms, along the fibres"},
    {"across", VALUE_NUMBER, false, AT(CaseDiffusivity, across), POSITIVE, VARYING(CaseDiffusivity, varying[1]),
     .meaning = "across them; as along unless given"},
    {"normal", VALUE_NUMBER, false, AT(CaseDiffusivity, normal), POSITIVE, VARYING(CaseDiffusivity, varying[2]),
     .meaning = "normal to the sheets; as across unless given"}};
static const Schema speed_schema = {SCHEMA("velocity", speed_keys, CaseDiffusivity), .plain = "along"};

static const Key tissue_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseTissue, on), .meaning = "group or list of groups of elements"},
    {"velocity", VALUE_MAP, true, AT(CaseTissue, diffusivity), .schema = &speed_schema,
     .meaning = "of conduction: a number, or {along: 0.6, across: 0.3}, mm/ms"},
    {"fibers", VALUE_MAP, false, AT(CaseTissue, fibers), .schema = &fibers_schema, .meaning = "{field: fiber}"},
    {"sheets", VALUE_MAP, false, AT(CaseTissue, sheets), .schema = &sheets_schema, .meaning = "{field: sheet}"}};
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
    CASE_OUTPUT_STORAGE_KEYS};
static const Schema output_schema = {SCHEMA("output", output_keys, CaseOutput)};

static const Key expect_keys[] = {
    CASE_EXPECT_KEYS(quantity_words),
    {"velocity", VALUE_TEXT, false, AT(CaseExpect, velocity), .meaning = "name of a velocity"}};
static const Schema expect_schema = {SCHEMA("an expect row", expect_keys, CaseExpect)};

static const Key case_keys[] = {
    CASE_HEAD_KEYS,
    {"tissue", VALUE_MAPS, true, AT(Case, materials), .schema = &tissue_schema, .meaning = "a list"},
    {"without", VALUE_NAMES, false, AT(Case, without),
     .meaning = "groups of elements that are left out, as scars or a bath: no front goes there"},
    {"purkinje", VALUE_MAPS, false, AT(Case, purkinje), .schema = &purkinje_schema,
     .meaning = "trees of fibres that fronts run along, a list"},
    {"stimuli", VALUE_MAPS, true, AT(Case, stimuli), .schema = &stimulus_schema,
     .meaning = "where fronts start, a list"},
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "fields, probes, velocity"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema, .meaning = "rows for 'sinew verify'"}};
const Schema eikonal_schema = {SCHEMA("the case", case_keys, Case)};

void eikonal_check(Case *c, Diagnostics *out) {
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
}
