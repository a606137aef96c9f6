/* The largest values of a result and the smallest safety factor, where they are, and how far the stress can be trusted: for the
 * summary and for report.json. */
#pragma once
#include "app/input/units.h"
#include "output/json.h"

enum { EXTREMES_MAX = 4, EXTREME_GROUP = 64 };
typedef struct Extreme {
  const char *name; /* "displacement", "von-mises": borrowed */
  UnitKind kind;
  double value, x[3];
  char group[EXTREME_GROUP]; /* the first group of cells there; empty: none */
  bool timed;                /* of a run in time: */
  double time;
} Extreme;

typedef struct Extremes {
  int32_t n;
  Extreme item[EXTREMES_MAX];
  bool has_safety, has_error;
  Extreme safety;    /* the smallest factor, and the material's group */
  Extreme error;     /* of the stress, relative, in the norm of the energy; its place has most of it */
  double at_largest; /* of the largest stress; 0: not known */
} Extremes;

void extremes_save(const Extremes *extremes, Json *json);
void extremes_print(const Extremes *extremes, const Units *units);
