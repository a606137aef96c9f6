/* What a material of elasticity is beside the parameters of its law. */
#pragma once
#include "app/input/schema.h"
#include "physics/strength.h"

/* A curve of a tensile test, in place of `yield`. */
typedef struct CaseTest {
  Place place; /* zero: not given */
  TextValue file;
  WordValue of;
} CaseTest;

/* The key `strength`: numbers by STRENGTH_YIELD and so on. */
typedef struct CaseStrength {
  Place place;         /* zero: not known */
  WordValue criterion; /* StrengthCriterion, from 1 */
  NumberValue value[N_STRENGTHS];
} CaseStrength;

/* The stress that a body has before anything acts: xx yy zz xy yz xz. */
typedef struct CaseStress {
  Place place; /* zero: none */
  NumberValue value[6];
  VaryingValue varying[6];
} CaseStress;
