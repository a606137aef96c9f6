/* The numbers of a beat. */
#include "app/electromechanics/beat.h"

#include "core/status.h"

#include <math.h>

/* mL, from which on a chamber is as large as a human one; shares that those eject; and kPa, 300 mmHg. */
static const double HUMAN = 30, EJECTED_LEAST = 0.1, EJECTED_MOST = 0.8, PEAK_MOST = 40;

const LoopType loop_type[N_LOOP_QUANTITIES] = {
#define LOOP(NAME, word, unit, meaning) {word, unit, meaning},
#include "app/electromechanics/loops.def"
#undef LOOP
};

void beat_begin(Beat *beat, double volume, double pressure) {
  *beat = (Beat){.volume = volume, .pressure = pressure};
  double *v = beat->value;
  v[LOOP_EDV] = v[LOOP_ESV] = volume;
  v[LOOP_PEAK] = pressure;
  v[LOOP_OPENS] = v[LOOP_CLOSES] = -1;
}

void beat_sample(Beat *beat, double time, double volume, double pressure, double outflow) {
  double *v = beat->value;
  const double rate = (pressure - beat->pressure) / (time - beat->time);
  v[LOOP_EDV] = fmax(v[LOOP_EDV], volume);
  v[LOOP_ESV] = fmin(v[LOOP_ESV], volume);
  v[LOOP_SV] = v[LOOP_EDV] - v[LOOP_ESV];
  v[LOOP_EF] = v[LOOP_EDV] > 0 ? v[LOOP_SV] / v[LOOP_EDV] : 0;
  if (pressure > v[LOOP_PEAK]) v[LOOP_PEAK] = pressure, v[LOOP_PEAK_TIME] = time;
  v[LOOP_RISE] = fmax(v[LOOP_RISE], rate);
  v[LOOP_FALL] = fmin(v[LOOP_FALL], rate);
  v[LOOP_WORK] -= 0.5 * (pressure + beat->pressure) * (volume - beat->volume);
  v[LOOP_FLOW] = fmax(v[LOOP_FLOW], outflow);
  if (outflow > 0 && v[LOOP_OPENS] < 0) v[LOOP_OPENS] = time;
  if (outflow > 0) v[LOOP_CLOSES] = time;
  beat->volume = volume, beat->pressure = pressure, beat->time = time;
}

void beat_error(Beat *beat, double volume) {
  double *v = beat->value;
  if (v[LOOP_EDV] > 0) v[LOOP_ERROR] = fmax(v[LOOP_ERROR], fabs(beat->volume - volume) / v[LOOP_EDV]);
}

void beat_doubt(const Beat *beat, const char *at, const char *name) {
  const double *v = beat->value;
  if (v[LOOP_EDV] > HUMAN && (v[LOOP_EF] < EJECTED_LEAST || v[LOOP_EF] > EJECTED_MOST))
    status_warn(
        "%s: '%s' ejects %.3g %% of the %.4g mL that it holds; hearts of this size eject %g to %g %%\n  remedy: "
        "check the unit of the tension, of elastances and of resistances, kPa, kPa/mL and kPa ms/mL, and the "
        "stiffness of the muscle",
        at, name, 100 * v[LOOP_EF], v[LOOP_EDV], 100 * EJECTED_LEAST, 100 * EJECTED_MOST);
  if (v[LOOP_EDV] > HUMAN && v[LOOP_PEAK] > PEAK_MOST)
    status_warn(
        "%s: the pressure in '%s' peaks at %.4g kPa, %.4g mmHg, and hearts reach %g kPa at most\n  remedy: check the "
        "unit of the tension, of elastances and of resistances, kPa, kPa/mL and kPa ms/mL",
        at, name, v[LOOP_PEAK], v[LOOP_PEAK] / 0.1333224, PEAK_MOST);
}
