/* The keys of `circulation:`, as tables. */
#include "app/elasticity/case_elasticity.h"
#include "app/electromechanics/case_electromechanics.h"
#include "app/input/case_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POSITIVE .open_min = true, .max = INFINITY
#define ANY_NUMBER .min = -INFINITY, .max = INFINITY

static const Key valve_keys[] = {
    {"open", VALUE_NUMBER, true, AT(CaseValve, open), POSITIVE, .meaning = "resistance of the open valve, kPa ms/mL"},
    {"closed", VALUE_NUMBER, false, AT(CaseValve, closed), POSITIVE,
     .meaning = "resistance of the closed valve, kPa ms/mL; it is tight unless given"}};
static const Schema valve_schema = {SCHEMA("valve", valve_keys, CaseValve), .plain = "open", .optional = true};

static const Key elastance_keys[] = {
    {"active", VALUE_NUMBER, false, AT(CaseElastance, active), POSITIVE,
     .meaning = "kPa/mL, added to `passive` at the height of the contraction"},
    {"passive", VALUE_NUMBER, false, AT(CaseElastance, passive), POSITIVE, .meaning = "kPa/mL, of the relaxed chamber"},
    {"v0", VALUE_NUMBER, false, AT(CaseElastance, v0), .max = INFINITY, .meaning = "volume without pressure, mL"},
    {"start", VALUE_NUMBER, false, AT(CaseElastance, start), .max = INFINITY,
     .meaning = "of the contraction within the cycle, ms; 0 unless given"},
    {"contraction", VALUE_NUMBER, false, AT(CaseElastance, contraction), POSITIVE, .meaning = "how long it lasts, ms"},
    {"relaxation", VALUE_NUMBER, false, AT(CaseElastance, relaxation), POSITIVE,
     .meaning = "how long relaxation lasts, ms"},
    {"volume", VALUE_NUMBER, false, AT(CaseElastance, volume), POSITIVE, .meaning = "at the begin, mL"}};
static const Schema elastance_schema = {SCHEMA("elastance", elastance_keys, CaseElastance), .optional = true};

static const Key windkessel_keys[] = {
    {"zc", VALUE_NUMBER, false, AT(CaseWindkessel, zc), POSITIVE,
     .meaning = "characteristic impedance in front of it, kPa ms/mL: three elements"},
    {"r", VALUE_NUMBER, true, AT(CaseWindkessel, r), POSITIVE, .meaning = "peripheral resistance, kPa ms/mL"},
    {"c", VALUE_NUMBER, true, AT(CaseWindkessel, c), POSITIVE, .meaning = "compliance, mL/kPa"},
    {"l", VALUE_NUMBER, false, AT(CaseWindkessel, l), POSITIVE,
     .meaning = "inertance beside zc, kPa ms2/mL: four elements"},
    {"pressure", VALUE_NUMBER, true, AT(CaseWindkessel, pressure), .max = INFINITY,
     .meaning = "at the begin, behind zc, kPa"}};
static const Schema windkessel_schema = {SCHEMA("windkessel", windkessel_keys, CaseWindkessel), .optional = true};

static const Key atrium_keys[] = {{"elastance", VALUE_MAP, true, AT(CaseAtrium, elastance), .schema = &elastance_schema,
                                   .meaning = "as of a chamber"},
                                  {"r", VALUE_NUMBER, true, AT(CaseAtrium, r), POSITIVE,
                                   .meaning = "resistance between `pressure` and the atrium, kPa ms/mL"}};
static const Schema atrium_schema = {SCHEMA("atrium", atrium_keys, CaseAtrium), .optional = true};

static const Key from_keys[] = {
    {"pressure", VALUE_NUMBER, true, AT(CaseInflow, pressure), ANY_NUMBER,
     .meaning = "constant, kPa: of the atrium, or of the veins where there is an `atrium`"},
    {"valve", VALUE_MAP, true, AT(CaseInflow, valve), .schema = &valve_schema, .meaning = "{open: 2}"},
    {"atrium", VALUE_MAP, false, AT(CaseInflow, atrium), .schema = &atrium_schema,
     .meaning = "an atrium that contracts: its elastance, and the resistance r in front of it"}};
static const Schema from_schema = {SCHEMA("from", from_keys, CaseInflow), .optional = true};

static const Key to_keys[] = {
    {"pressure", VALUE_NUMBER, false, AT(CaseOutflow, pressure), ANY_NUMBER,
     .meaning = "constant, kPa, in the place of a windkessel"},
    {"valve", VALUE_MAP, true, AT(CaseOutflow, valve), .schema = &valve_schema, .meaning = "{open: 2}"},
    {"windkessel", VALUE_MAP, false, AT(CaseOutflow, windkessel), .schema = &windkessel_schema,
     .meaning = "{zc: 8, r: 130, c: 9, pressure: 10}"}};
static const Schema to_schema = {SCHEMA("to", to_keys, CaseOutflow), .optional = true};

static const Key chamber_keys[] = {{"elastance", VALUE_MAP, false, AT(CaseChamber, elastance),
                                    .schema = &elastance_schema,
                                    .meaning = "what makes its pressure: {active: 0.318, passive: 0.012, v0: 10, "
                                               "contraction: 300, relaxation: 150, volume: 110}"},
                                   {"from", VALUE_MAP, false, AT(CaseChamber, from), .schema = &from_schema,
                                    .meaning = "what fills it: {pressure: 1.2, valve: 2}"},
                                   {"to", VALUE_MAP, false, AT(CaseChamber, to), .schema = &to_schema,
                                    .meaning = "what it empties into: {valve: 2, windkessel: ..}"}};
static const Schema chamber_schema = {SCHEMA("a chamber", chamber_keys, CaseChamber)};

#define VESSEL(name, at, initial_, meaning_)                                                                           \
  { name, VALUE_NUMBER, false, at, POSITIVE, .initial = initial_, .meaning = meaning_ }
/* Resistances, compliances and inertances of arteries and veins, and their pressures at the begin. */
#define VESSEL_KEYS(ra, ca, la, rv, cv, lv, pa, pv)                                                                    \
  VESSEL("r-artery", AT(CaseVessels, r_artery), ra, "resistance, kPa ms/mL"),                                          \
      VESSEL("c-artery", AT(CaseVessels, c_artery), ca, "compliance, mL/kPa"),                                         \
      VESSEL("l-artery", AT(CaseVessels, l_artery), la, "inertance, kPa ms2/mL"),                                      \
      VESSEL("r-vein", AT(CaseVessels, r_vein), rv, "resistance, kPa ms/mL"),                                          \
      VESSEL("c-vein", AT(CaseVessels, c_vein), cv, "compliance, mL/kPa"),                                             \
      VESSEL("l-vein", AT(CaseVessels, l_vein), lv, "inertance, kPa ms2/mL"),                                          \
      VESSEL("p-artery", AT(CaseVessels, p_artery), pa, "pressure at the begin, kPa"),                                 \
      VESSEL("p-vein", AT(CaseVessels, p_vein), pv, "pressure at the begin, kPa")
static const Key systemic_keys[] = {
    VESSEL_KEYS("106.65792", "9.0007404", "666.612", "34.663824", "975.08021", "66.6612", "10.665792", "3.999672")};
static const Schema systemic_schema = {SCHEMA("systemic", systemic_keys, CaseVessels), .optional = true};
static const Key pulmonary_keys[] = {
    VESSEL_KEYS("21.66489", "75.00617", "66.6612", "21.66489", "120.009872", "66.6612", "4.666284", "3.1997376")};
static const Schema pulmonary_schema = {SCHEMA("pulmonary", pulmonary_keys, CaseVessels), .optional = true};

static const Key closed_valve_keys[] = {{"open", VALUE_NUMBER, false, AT(CaseValve, open), POSITIVE,
                                         .initial = "0.999918", .meaning = "resistance of an open valve, kPa ms/mL"},
                                        {"closed", VALUE_NUMBER, false, AT(CaseValve, closed), POSITIVE,
                                         .initial = "10000006.6",
                                         .meaning = "resistance of a closed valve, kPa ms/mL"}};
static const Schema closed_valve_schema = {SCHEMA("valves", closed_valve_keys, CaseValve), .optional = true};

static const Key begin_keys[] = {
    {"beats", VALUE_INTEGER, false, AT(CaseBegin, beats), .initial = "200", .min = 1, .max = 100000,
     .meaning = "at most so many, until beats repeat"},
    {"tolerance", VALUE_NUMBER, false, AT(CaseBegin, tolerance), .initial = "1e-6", POSITIVE,
     .meaning = "a beat repeats where no volume of a chamber or vessel has changed by more, relative to the chambers"}};
static const Schema begin_schema = {SCHEMA("begin", begin_keys, CaseBegin)};

static const Key ventricle_keys[] = {
    {"la", VALUE_TEXT, false, AT(CaseVentricles, cavity[0]), .meaning = "the cavity that is the left atrium"},
    {"lv", VALUE_TEXT, false, AT(CaseVentricles, cavity[1]), .meaning = "the left ventricle"},
    {"ra", VALUE_TEXT, false, AT(CaseVentricles, cavity[2]), .meaning = "the right atrium"},
    {"rv", VALUE_TEXT, false, AT(CaseVentricles, cavity[3]), .meaning = "the right ventricle"}};
static const Schema ventricle_schema = {SCHEMA("ventricles", ventricle_keys, CaseVentricles), .optional = true};

static const Word model_words[] = {{"open-loop", 0}, {"closed-loop", 0}, {NULL, 0}};

static const Key circulation_keys[] = {
    {"model", VALUE_WORD, false, AT(CaseCirculation, model), .initial = "open-loop", .words = model_words,
     .meaning = "open-loop: each chamber with what fills it and what it empties into; closed-loop: four chambers, the "
                "systemic and the pulmonary circulation"},
    {"cycle", VALUE_NUMBER, true, AT(CaseCirculation, cycle), POSITIVE, .only = HAS_CIRCULATION,
     .meaning = "how long a beat lasts, ms"},
    {"cycle", VALUE_NUMBER, false, AT(CaseCirculation, cycle), POSITIVE, .only = HAS_PUMP,
     .meaning = "how long a beat lasts, ms; all of the run unless given"},
    {"ventricles", VALUE_MAP, false, AT(CaseCirculation, ventricles), .schema = &ventricle_schema, .only = HAS_PUMP,
     .meaning = "which chambers of a closed loop are cavities of the body: {lv: lv, rv: rv}"},
    {"systemic", VALUE_MAP, false, AT(CaseCirculation, systemic), .schema = &systemic_schema,
     .meaning = "arteries and veins of the body, of a closed loop"},
    {"pulmonary", VALUE_MAP, false, AT(CaseCirculation, pulmonary), .schema = &pulmonary_schema,
     .meaning = "arteries and veins of the lungs, of a closed loop"},
    {"valves", VALUE_MAP, false, AT(CaseCirculation, valves), .schema = &closed_valve_schema,
     .meaning = "the four of a closed loop"},
    {"begin", VALUE_MAP, false, AT(CaseCirculation, begin), .schema = &begin_schema,
     .meaning =
         "how far beats go on unless `time` or `--beats` says so; with `muscle` the beats of a closed loop alone "
         "before the body takes part, none unless given"},
    {SCHEMA_ANY_NAME, VALUE_NAMED_MAPS, false, AT(CaseCirculation, chambers), .schema = &chamber_schema,
     .meaning = "a chamber, by its name; of a closed loop la, lv, ra and rv, whose elastances have defaults"}};
/* Beats before those of a body are of a closed loop. */
static bool circulation_idle(const void *root, const void *map, const char *name) {
  return elastic_has(root, HAS_PUMP) && ((const CaseCirculation *)map)->model.value != CIRCULATION_CLOSED &&
         strcmp(name, "begin") == 0;
}
const Schema circulation_schema = {SCHEMA("circulation", circulation_keys, CaseCirculation), .idle = circulation_idle};

/* All keys of these maps are numbers with a default. */
static void fill_numbers(const Schema *schema, void *map) {
  if (place_given(*(const Place *)map)) return;
  for (int k = 0; k < schema->n; ++k)
    ((NumberValue *)(void *)((char *)map + schema->key[k].offset))->value = strtod(schema->key[k].initial, NULL);
}

void circulation_fill_closed(CaseCirculation *k) {
  fill_numbers(&systemic_schema, &k->systemic);
  fill_numbers(&pulmonary_schema, &k->pulmonary);
  fill_numbers(&closed_valve_schema, &k->valves);
}
