/* The key `active` of a material, and what cells feel of the stretch that it makes. */
#pragma once
#include "app/input/schema.h"
#include "physics/tension_model.h"

/* Muscle in a material: its tension, or a model of that and what drives it. */
typedef struct CaseActive {
  Place place; /* zero: none */
  ExprValue tension, calcium, potential;
  WordValue model, form;             /* indices into the registry of tensions and of ActiveForm, from 1 */
  TextValue preset;                  /* of the model, never NULL after the checks */
  TextValue file, variable[4];       /* in the place of a model; its drive, stretch, rate of the stretch and tension */
  FactorsValue parameters;           /* constants of the file */
  WordValue units;                   /* of the file: 0 check, 1 ignore */
  int32_t imported;                  /* the kind that was made of the file; 0: none */
  NumberValue value[TENSION_PARAMS]; /* of the model, in the order of its table; the preset's where not given */
  VaryingValue varying[TENSION_PARAMS]; /* so many times the preset's */
} CaseActive;

/* The bit of Physics.kind of cases that have muscle and its cells, which keys of a heart may ask for. */
enum { CASE_CELLS_AND_MUSCLE = 1 << 25 };
/* Channels of cells that open where fibres are longer than at rest. */
typedef struct CaseStretchCurrent {
  Place place;                       /* zero: none */
  NumberValue conductance, reversal; /* 1/ms per stretch, mV */
} CaseStretchCurrent;
