/* The block `adapt:`. */
#pragma once
#include "app/input/schema.h"

enum { ADAPT_PASSES = 20 };
/* Passes on meshes that follow the error. */
typedef struct CaseAdapt {
  Place place; /* zero: not given */
  NumberValue energy, rtol, most;
  TextValue probe;
  IntegerValue passes;
} CaseAdapt;
