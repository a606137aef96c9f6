/* Fields, probes, sums and quantities that a case names, each enum in the order of its words. */
#pragma once

/* States of all models, as ionic_state_count. */
enum {
  N_IONIC_STATES = 0
#define IONIC_LISTED
#define IONIC(name, text, n) +n
#include "physics/ionics.def"
#undef IONIC
#undef IONIC_LISTED
};

typedef enum SumField {
  SUM_REACTION,
  SUM_STRAIN_ENERGY,
  SUM_CONTACT_FORCE,
  SUM_MOMENT,
  SUM_CONTACT_MOMENT,
  SUM_SECTION_FORCE,
  SUM_SECTION_MOMENT,
  SUM_VOLUME,
  SUM_PRESSURE,
  SUM_BOLT_FORCE,
  SUM_BOLT_ELONGATION
} SumField; /* volumes and pressures at finite strain */

/* In the order of the words in case_heat.c. */
typedef enum HeatSum { HEAT_SUM_FLOW, HEAT_SUM_CONTENT } HeatSum;

/* In the order of the words in case_monodomain.c. */
typedef enum HeartField {
  HEART_POTENTIAL,
  HEART_EXTRACELLULAR,
  HEART_STATE,
  HEART_PHASE = HEART_STATE + N_IONIC_STATES, /* as ionic_state_word; of those of one name the first is used */
  HEART_FILAMENT,
  N_HEART_FIELDS
} HeartField;
typedef enum HeartMap {
  HEART_ACTIVATION,
  HEART_REPOLARIZATION,
  HEART_APD,
  HEART_DF, /* dominant frequency */
  HEART_CV,
  N_HEART_MAPS
} HeartMap;
enum {
  HEART_PROBE_MAP = HEART_PHASE,
  N_HEART_PROBES = HEART_PROBE_MAP + HEART_CV
}; /* potential, states, maps of nodes */

/* Of results.hdf. */
typedef enum OutputPrecision { OUTPUT_DOUBLE, OUTPUT_SINGLE } OutputPrecision;
typedef enum OutputCompression { COMPRESSION_NONE, COMPRESSION_FAST } OutputCompression;
