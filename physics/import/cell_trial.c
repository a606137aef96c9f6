#include "physics/import/cell_trial.h"
#include "physics/import/cell_batch.h"

#include <math.h>
#include <string.h>

static const double STIFF = 5; /* per ms: forward Euler is stable up to 0.4 ms there */
static const double END = 400, FINE_END = 10, FINE = 0.02, COARSE = 0.1, STIMULUS = 52; /* ms; mV/ms, for 1 ms */
static const double FASTEST = 5000;                                                     /* mV/ms */

typedef struct Trial {
  const CellGraph *cell;
  CellBatch step, decay, rate;
  double stiffest[IONIC_IMPORTED_STATES];
  double max_slope, peak, steepest;
} Trial;

/* All states by their decay, so that nothing is too stiff for these steps. */
static void trial_run(Trial *t) {
  const CellGraph *c = t->cell;
  double s[IONIC_IMPORTED_STATES], next[IONIC_IMPORTED_STATES], V = c->V, dt = FINE, unused;
  memcpy(s, c->initial, sizeof s);
  t->peak = V;
  for (double time = 0; time < END; time += dt) {
    double by_V = 0;
    dt = time < FINE_END ? FINE : COARSE;
    const double stimulus = time < 1 ? STIMULUS : 0;
    (void)cell_batch_run(&t->decay, s, next, V, 0, 0, &unused);
    for (int j = c->n_gate; j < c->n_state; ++j) t->stiffest[j] = fmax(t->stiffest[j], next[j]);
    const double f = cell_batch_run(&t->step, s, next, V, stimulus, dt, &by_V), x = -by_V * dt;
    if (!(fabs(f) < FASTEST)) return; /* these steps are too long for it: nothing is known of further ones */
    V += dt * (f + stimulus) * (x > 1e-12 ? -expm1(-x) / x : 1);
    if (!(fabs(V) < 1000)) return;
    memcpy(s, next, (size_t)c->n_state * sizeof *s);
    t->max_slope = fmax(t->max_slope, by_V);
    t->steepest = fmax(t->steepest, f);
    t->peak = fmax(t->peak, V);
  }
}

/* Slopes for the longest step and the front: with a margin, since a beat is not all that may happen. A front rises by its
 * steepest rate over its height, about. */
static void slopes_of(const Trial *t, CellTrial *out) {
  const CellGraph *c = t->cell;
  const double height = t->peak - c->V;
  double g[IONIC_IMPORTED_STATES], by_V = 0, largest = t->max_slope;
  for (double V = c->V - 20; V < c->V + 140; V += 0.5) {
    (void)cell_batch_run(&t->rate, c->initial, g, V, 0, 0, &by_V);
    if (isfinite(by_V)) largest = fmax(largest, by_V);
  }
  out->max_slope = 1.25 * largest;
  out->front_slope = fmax(largest, height > 1 ? 0.8 * t->steepest / height : 0);
  if (!(out->front_slope > 1e-3)) out->front_slope = 1;
}

Status cell_trial(CellGraph *c, CellTrial *out) {
  static const CellProgramKind kind[] = {CELL_STEP, CELL_DECAY, CELL_RATE};
  Trial t = {.cell = c};
  IonicProgram program[3] = {{0}};
  CellBatch *const batch[] = {&t.step, &t.decay, &t.rate};
  Status status = OK;
  memset(out, 0, sizeof *out);
  for (int k = 0; k < 3 && status == OK; ++k) {
    status = cell_program_create(c, kind[k], NULL, &program[k]);
    if (status == OK) status = cell_batch_create(&program[k], c->n_state, batch[k]);
  }
  if (status == OK) trial_run(&t), slopes_of(&t, out);
  for (int j = c->n_gate; j < c->n_state; ++j) out->stiff[j] = !(t.stiffest[j] < STIFF);
  for (int k = 0; k < 3; ++k) cell_batch_release(batch[k]), cell_program_release(&program[k]);
  return status;
}
