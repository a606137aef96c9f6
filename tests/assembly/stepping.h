/* A small piece of tissue (heart.h) in time by solver/time/stepper.h. */
#pragma once
#include "solver/time/stepper.h"
#include "tests/assembly/heart.h"

typedef struct Stepping {
  Heart h;
  Mat *K, *M, *a;
  LinearSolver *solver;
  Stepper *stepper;
  double *mass; /* lumped, on the Exec */
  /* What stepping_create goes by beside its arguments: share of the consistent mass, as Problem.poor, StepperParams.bound_factor,
   * and whether cells give their line by the nodes alone. */
  double consistent, bound_factor;
  double every; /* and through: as StepControlParams */
  int64_t through;
  const uint8_t *poor;
  bool no_line;
  bool too_stiff; /* what StepperParams.too_stiff was told */
} Stepping;

/* Of s->h as heart_mesh and changes of its params have left it, with a stimulus that is on all the time; steps of dt to the end. */
void stepping_create(Stepping *s, const TimeScheme *in_time, double dt, double end);
/* The same, which may fail. */
Status stepping_try(Stepping *s, const TimeScheme *in_time, double dt, double end);
/* From rest. */
void stepping_start(Stepping *s);
void stepping_destroy(Stepping *s);
