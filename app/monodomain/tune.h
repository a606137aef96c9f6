/* From a wanted velocity of conduction to the diffusivity that makes it, on a strand (strand.h): for elements and steps of
 * given lengths, and in the limit of fine ones, where velocities go with the square root of the diffusivity. */
#pragma once
#include "app/monodomain/strand.h"

typedef struct TuneParams {
  StrandParams strand; /* but for h */
  double length;       /* of elements, mm */
} TuneParams;

typedef struct Tuned {
  double diffusivity; /* mm2/ms, for these elements and steps */
  double limit;       /* for fine ones */
  double at_limit;    /* the velocity that the limit makes with these; 0: no front runs */
} Tuned;

/* velocity in mm/ms, > 0; the answer makes it within TUNE_TOLERANCE. ERR_INPUT: no front runs in these cells, or the
 * steps are too long for a solution. */
#define TUNE_TOLERANCE 1e-5
Status tune_velocity(const TuneParams *params, double velocity, Tuned *out);
