/* A strand of tissue: one line of elements, stepped on the host by the equations of the run
 * (solver/time/evolution_clock.h), to predict what the mesh and the steps of a case do to the speed of a front,
 * and whether a stimulus starts one, before it runs. It takes milliseconds and holds for any ionic model and
 * parameters. Lengths are divided by sqrt(D), so they are in sqrt(ms). */
#pragma once
#include "physics/ionic.h"
#include "solver/time/scheme.h"

/* Largest -df/dV of excited cells that explicit stages resolve, 1/ms; faster ones are clamped. Open sodium channels of human
 * ventricles pull at some 10 / ms: with room for less, ten Tusscher's cells with twice the sodium channels at 0.1 ms are 3.6 % too
 * fast, with it 0.1 %. Cubic models: three times the largest slope. */
double strand_decay(const IonicConstants *ionic);

typedef struct StrandParams {
  const IonicConstants *ionic;
  const TimeScheme *scheme; /* with stages: not consistent */
  double step;              /* ms, > 0 */
  double h;                 /* length of an element over sqrt(D), > 0 */
  double share;             /* lumped: of the consistent mass, as `mass:` has it */
  bool consistent;          /* mass and reaction of `reaction: gauss`; else both lumped */
  double point;             /* consistent: the reaction is taken at -point and point of an element from -1 to 1 */
} StrandParams;

/* Length of a front over sqrt(D): in the cubic approximation dV/dt = D V'' + k V (V - a)(1 - V) it is 1/(1 + exp(x/l))
 * with l^2 = 2 D/k, and the largest slope of the reaction is k/3 where a is small (Murray, Mathematical Biology I, the
 * section on the Nagumo wave). 0: cells of this model have no threshold beyond which they excite themselves. */
double strand_front(const IonicConstants *ionic);
/* Lumped nodes so many lengths of a front apart do not excite each other, whatever the model, and no strand of them is stepped,
 * which would take hours. Points within elements do, by the elements alone: their speed on elements of 50 lengths stands for
 * that on longer ones. */
#define STRAND_LONGEST 80.0
/* Speed of a front over sqrt(D), 1/sqrt(ms); 0: none runs; NaN: unknown, since steps found no solution. */
Status strand_speed(const StrandParams *params, double *speed);
/* What a current in the first n nodes does. */
typedef struct StrandPulse {
  bool captures;          /* it starts a front */
  bool lost;              /* steps found no solution: it goes beyond what the model can follow */
  double lowest, highest; /* potential while it flows and the front leaves, mV */
} StrandPulse;
/* scheme and step are chosen here. */
Status strand_pulse(const StrandParams *params, int32_t n, double amplitude, double duration, StrandPulse *out);
