/* What all models of active tension share: what the fibres of heart muscle pull with, kPa, by what their cells do and by how far
 * they are stretched. A model has n states and goes from step to step, with all it reads at the end of the step:
 *   void name_tension(value, in, out)              the states there, the tension, and its derivative by the stretch there
 *   void name_tension_begin(value, drive, stretch, s)  the states of a muscle at rest for this drive and stretch
 * It goes by one of two drives: the calcium in the cytosol, uM, or the potential, mV. Its line is in tensions.def. */
#pragma once
#include "core/hd.h"

#include <math.h>

enum { TENSION_PARAMS = 20, TENSION_STATES = 8 };

typedef struct TensionIn {
  double dt;                   /* ms */
  double drive;                /* at the end of the step */
  double stretch_old, stretch; /* of the fibre, at both its ends */
  const double *old;           /* [n_state] at its begin */
} TensionIn;

typedef struct TensionOut {
  double *state;         /* [n_state] at its end; may not be TensionIn.old */
  double tension, slope; /* kPa, and by the stretch */
} TensionOut;
