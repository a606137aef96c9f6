/* The key `active` of a material. */
#pragma once
#include "app/input/schema.h"

/* Muscle in a material: its tension, or a model of that and what drives it. */
typedef struct CaseActive {
  Place place; /* zero: none */
  ExprValue tension, calcium, potential;
  WordValue model, form; /* indices into the registry of tensions and of ActiveForm, from 1 */
  TextValue preset;
} CaseActive;
