/* What a case says of functions by their points: parts of case.h. */
#pragma once
#include "app/input/schema.h"

/* A function of one number: either file or points. */
typedef struct CaseFunction {
  Place place;
  TextValue name, file;
  MapsValue points; /* of CasePoint */
} CaseFunction;
typedef struct CasePoint {
  Place place;
  NumberValue at, value;
} CasePoint;
