/* The step of a model of tension that was read from a file, for C and CUDA: a program (physics/ionic_program.h) that reads the stretch as its
 * potential, the drive as its stimulus, and behind the states the rate of the stretch and the step. It stores the next states and
 * brings out the tension as f, and its derivative by the stretch. physics/import/tension_file.h makes it. */
#pragma once
#include "physics/ionic_program.h"
#include "physics/tension_model.h"

enum { TENSION_REGISTERS = 96 };                  /* most of such a program, of which a GPU holds all for each thread */
enum { TENSION_RATE, TENSION_DT, TENSION_READS }; /* what stands behind the states: 1/ms, ms */
#define TENSION_BRIEFEST 1e-9                     /* ms: a step that takes no time, as when a body is filled */

#define IONIC_LANES 1
#define IONIC_ROOM TENSION_REGISTERS
#define IONIC_RUN tension_program_run
#include "physics/ionic_run.tmpl.h"

HD void tension_program_step(const IonicProgram *program, const int32_t n_state, const TensionIn *in, TensionOut *out) {
  double from[TENSION_STATES + TENSION_READS];
  const double dt = in->dt > TENSION_BRIEFEST ? in->dt : TENSION_BRIEFEST;
  for (int32_t k = 0; k < n_state; ++k) from[k] = in->old[k];
  from[n_state + TENSION_RATE] = (in->stretch - in->stretch_old) / dt;
  from[n_state + TENSION_DT] = dt;
  const IonicLanes point = {from, out->state, 1, 1, NULL, dt};
  tension_program_run(program, &point, &in->stretch, &in->drive, &out->tension, &out->slope);
}
