/* Observations of a heart: leads and the torso around it, velocities between probes, maps. */
#pragma once
#include "app/input/case_axes.h"

typedef struct CaseLead {
  Place place;
  TextValue name;
  VectorValue positive, negative; /* n 0: against nothing, far away */
} CaseLead;

/* Of the twelve leads: RA LA LL V1 V2 V3 V4 V5 V6. */
enum { ELECTRODES = 9, STANDARD_LEADS = 12 };
typedef struct CaseElectrodes {
  Place place; /* zero: not given */
  VectorValue at[ELECTRODES];
} CaseElectrodes;

/* A part of the body around a heart, which starts as a CaseRegion. */
typedef struct CaseTorso {
  Place place;
  NamesValue on;
  VectorValue conductivity; /* S/m: one, or along, across, normal */
  CaseFibers fibers, sheets;
  NumberValue depth; /* of a bath beside an augmented monodomain, mm */
} CaseTorso;

/* A map of a heart, of as many beats. */
typedef struct CaseMap {
  Place place;
  WordValue name;              /* HeartMap */
  TextValue beats;             /* a number, or "all" */
  NumberValue start, from, to; /* of dominant-frequency: ms, Hz, Hz; place zero: not given */
} CaseMap;

/* Of phases: the angle of (V(t), V(t - delay)) about (center, center), or of V and a state of the cells about (center, middle). */
typedef struct CasePhase {
  Place place;
  NumberValue delay, center; /* ms, mV; see case_rhythm.c where not given */
  WordValue state;           /* in the order of ionic_state_word; text NULL: by the delay */
  NumberValue middle, range; /* of that state; place zero: not given, range 1 */
} CasePhase;

typedef struct CaseVelocity {
  Place place;
  TextValue name, from, to; /* names of probes */
} CaseVelocity;
