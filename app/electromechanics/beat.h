/* What a beat is judged by: volumes, pressures and flow of a chamber over one cycle, as they come. */
#pragma once
#include <stdint.h>

/* LOOP_EDV and so on: the rows of loops.def. */
typedef enum LoopQuantity {
#define LOOP(NAME, word, unit, meaning) LOOP_##NAME,
#include "app/electromechanics/loops.def"
#undef LOOP
  N_LOOP_QUANTITIES
} LoopQuantity;

typedef struct LoopType {
  const char *word, *unit, *meaning;
} LoopType;
extern const LoopType loop_type[N_LOOP_QUANTITIES];

typedef struct Beat {
  double value[N_LOOP_QUANTITIES];
  double volume, pressure, time; /* of the last sample */
} Beat;

/* From its first moment on: ms from the begin of the beat, mL, kPa, mL/ms. */
void beat_begin(Beat *beat, double volume, double pressure);
void beat_sample(Beat *beat, double time, double volume, double pressure, double outflow);
/* What the last sample would hold by what has flowed. */
void beat_error(Beat *beat, double volume);
/* Warns of numbers that no chamber of human size has: what it ejects, and its pressure. `at`: its place in the case. */
void beat_doubt(const Beat *beat, const char *at, const char *name);
