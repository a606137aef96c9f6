/* The numbers of a beat. */
#include "app/electromechanics/beat.h"

#include <math.h>

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
