#include "physics/import/cell_beat.h"

#include <math.h>
#include <string.h>

static const double MOST = 0.005; /* change of a duration */
                                  /* ms, the first step that is tried */
static const double NEAR = 3, SHORTER = 8;
static const double STIMULUS = 52, LASTS = 1, END = 1000;                 /* mV/ms, ms */
static const double UPSTROKE = -40, UP = 0, TOO_HIGH = 60, SAME_PEAK = 5; /* mV */
enum { STRENGTHS = 3 };

typedef enum Outcome { REST, BEAT, STAYS_UP, NO_POTENTIAL } Outcome;

typedef struct Beat {
  Outcome outcome;
  double peak, apd90;
} Beat;

/* When V goes through `level` in the step that ends at `time`. */
static double passed(double before, double after, double level, double time, double dt) {
  return time - dt * (after - level) / (after - before);
}

static Beat beat_run(const CellGraph *c, const CellBatch *batch, double stimulus, double dt) {
  double s[IONIC_IMPORTED_STATES], V = c->V, upstroke = NAN;
  Beat beat = {.outcome = REST, .peak = V, .apd90 = 0};
  memcpy(s, c->initial, sizeof s);
  const int64_t n = (int64_t)(END / dt + 0.5);
  for (int64_t i = 0; i < n; ++i) {
    const double part = fmin(1, fmax(0, LASTS / dt - (double)i)), before = V, end = (double)(i + 1) * dt;
    double by_V = 0;
    const double f = cell_batch_run(batch, s, s, V, part * stimulus, dt, &by_V), x = -by_V * dt;
    V += dt * (f + part * stimulus) * (x > 1e-12 ? -expm1(-x) / x : 1);
    beat.peak = fmax(beat.peak, V);
    if (!isfinite(V)) return beat.outcome = NO_POTENTIAL, beat;
    if (isnan(upstroke) && before < UPSTROKE && V >= UPSTROKE) upstroke = passed(before, V, UPSTROKE, end, dt);
    const double level = beat.peak - 0.9 * (beat.peak - c->V);
    if (beat.peak <= UP || before < level || V >= level) continue;
    beat.apd90 = passed(before, V, level, end, dt) - upstroke;
    return beat.outcome = isnan(upstroke) ? REST : BEAT, beat;
  }
  if (beat.peak > UP) beat.outcome = V > TOO_HIGH ? NO_POTENTIAL : STAYS_UP;
  return beat;
}

/* By steps of dt and of half of it, as strong as is needed for a beat; how strong. */
static double both_run(const CellGraph *c, const CellBatch *batch, double dt, Beat both[2]) {
  double stimulus = STIMULUS;
  for (int k = 0;; ++k, stimulus *= 2) {
    for (int half = 0; half < 2; ++half) both[half] = beat_run(c, batch, stimulus, half ? dt / 2 : dt);
    if (k == STRENGTHS - 1 || both[0].outcome != REST || both[1].outcome != REST) return stimulus;
  }
}

/* A part of APD90: as if steps were of first order, and by far shorter ones where that says that they are too long, and not by far. */
static double change_of(const CellGraph *c, const CellBatch *batch, double dt, double stimulus, const Beat both[2]) {
  const double change = 2 * (both[0].apd90 / both[1].apd90 - 1);
  if (fabs(change) <= MOST || fabs(change) > NEAR * MOST) return change;
  const Beat fine = beat_run(c, batch, stimulus, dt / SHORTER);
  return fine.outcome == BEAT ? (both[0].apd90 / fine.apd90 - 1) * SHORTER / (SHORTER - 1) : change;
}

/* Is it one beat whatever the step? Peaks beyond what a cell has must agree. */
static bool is_one(const Beat both[2]) {
  const bool high = fmax(both[0].peak, both[1].peak) > TOO_HIGH, same = fabs(both[0].peak - both[1].peak) < SAME_PEAK;
  return both[0].outcome == both[1].outcome && both[0].outcome != NO_POTENTIAL && (!high || same);
}

CellAccuracy cell_beat_accuracy(const CellGraph *c, const CellBatch *batch, int tries) {
  CellAccuracy out = {.tried = CELL_STEP_TRIED};
  for (int k = 0; k < tries; ++k, out.tried /= 2) {
    Beat both[2];
    const double stimulus = both_run(c, batch, out.tried, both);
    out.peak = both[0].peak;
    if (!is_one(both)) continue;
    out.beat = both[0].outcome == BEAT;
    if (out.beat) out.change = change_of(c, batch, out.tried, stimulus, both);
    const bool little = fabs(out.change) * both[0].apd90 <= out.tried;       /* less than a step */
    const double most = little ? (double)INFINITY : MOST / fabs(out.change); /* times the step */
    out.longest = out.tried * (k > 0 ? fmin(1, most) : most);
    return out;
  }
  return out;
}
