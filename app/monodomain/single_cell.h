/* One cell alone, paced: its potential V (mV) and its states in time (ms), without any tissue around it. States go first
 * (IonicType.first), then V by an exponential step along df/dV: of first order in the step. */
#pragma once
#include "physics/ionic.h"

typedef struct SingleCell {
  const IonicConstants *constants; /* borrowed */
  double V, s[IONIC_STATES];
} SingleCell;

/* A stimulus of `amplitude`, mV/ms, for `duration` at the begin of each beat. */
typedef struct CellPacing {
  double amplitude, duration, step;
} CellPacing;

/* A beat: upstroke through -40 mV, NAN where there was none; durations from there until so many per cent of the way from
 * peak to `rest` (V before the stimulus) are gone back, NAN where that was not reached. */
typedef struct CellBeat {
  double rest, peak, steepest; /* mV, mV, mV/ms */
  double upstroke;             /* ms after the stimulus began */
  double apd50, apd90;         /* ms */
} CellBeat;

/* What V and the states are while a beat goes on: called at time 0 and then every `every` ms. */
typedef struct CellWatch {
  void (*see)(void *context, double t, const SingleCell *cell);
  void *context;
  double every;
} CellWatch;

void single_cell_start(const IonicConstants *constants, SingleCell *cell);
/* One beat of `length` ms; watch may be NULL. ERR_MEMORY, or ERR_NUMERIC with the time at which V is not a number. */
Status single_cell_beat(SingleCell *cell, const CellPacing *pacing, double length, const CellWatch *watch,
                        CellBeat *beat);
