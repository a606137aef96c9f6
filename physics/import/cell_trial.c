#include "physics/import/cell_trial.h"
#include "core/memory.h"
#include "physics/import/cell_batch.h"

#include <math.h>
#include <string.h>

static const double STIFF = 5; /* per ms: forward Euler is stable up to 0.4 ms there */
static const double END = 400, FINE_END = 10, FINE = 0.02, COARSE = 0.1, STIMULUS = 52; /* ms; mV/ms, for 1 ms */
static const double DIFFERENCE = 1e-6, SMALL = 1e-3; /* of states, and what smaller ones count as */
enum { OFTEN = 5, SELDOM = 100 };                    /* steps from one look at the exchange to the next */
static const double FASTEST = 5000;                  /* mV/ms */

typedef struct Trial {
  const CellGraph *cell;
  CellBatch step, decay, rate;
  double stiffest[IONIC_IMPORTED_STATES];
  double max_slope, peak, steepest;
  double *exchange;                                       /* [n_state][n_state] or NULL: not looked at */
  double J[IONIC_IMPORTED_STATES][IONIC_IMPORTED_STATES]; /* of one moment */
} Trial;

/* How fast states exchange, by differences of their rates. */
static void exchange_see(Trial *t, const double *s, double V) {
  const int n = t->cell->n_state;
  double x[IONIC_IMPORTED_STATES], g[IONIC_IMPORTED_STATES], h[IONIC_IMPORTED_STATES], unused;
  memcpy(x, s, sizeof x);
  (void)cell_batch_run(&t->rate, x, g, V, 0, 0, &unused);
  for (int j = 0; j < n; ++j) {
    x[j] = s[j] + DIFFERENCE * fmax(fabs(s[j]), SMALL);
    (void)cell_batch_run(&t->rate, x, h, V, 0, 0, &unused);
    for (int i = 0; i < n; ++i) t->J[i][j] = (h[i] - g[i]) / (x[j] - s[j]);
    x[j] = s[j];
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      t->exchange[i * n + j] = fmax(t->exchange[i * n + j], sqrt(fabs(t->J[i][j] * t->J[j][i])));
}

/* All states by their decay, so that nothing is too stiff for these steps. */
static void trial_run(Trial *t) {
  const CellGraph *c = t->cell;
  double s[IONIC_IMPORTED_STATES], next[IONIC_IMPORTED_STATES], V = c->V, dt = FINE, unused;
  memcpy(s, c->initial, sizeof s);
  t->peak = V;
  int count = 0;
  for (double time = 0; time < END; time += dt) {
    if (t->exchange && count++ % (time < FINE_END ? OFTEN : SELDOM) == 0) exchange_see(t, s, V);
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

/* out or exchange may be NULL. */
static Status trial_create(CellGraph *c, double *exchange, CellTrial *out) {
  static const CellProgramKind kind[] = {CELL_STEP, CELL_DECAY, CELL_RATE};
  Trial *t = NULL;
  IonicProgram program[3] = {{0}};
  ALLOC(t, 1, "a beat of a cell model");
  *t = (Trial){.cell = c, .exchange = exchange};
  CellBatch *const batch[] = {&t->step, &t->decay, &t->rate};
  Status status = OK;
  for (int k = 0; k < 3 && status == OK; ++k) {
    status = cell_program_create(c, kind[k], NULL, &program[k]);
    if (status == OK) status = cell_batch_create(&program[k], c->n_state, batch[k]);
  }
  if (status == OK) trial_run(t);
  if (status == OK && out) slopes_of(t, out);
  for (int j = c->n_gate; j < c->n_state && out; ++j) out->stiff[j] = !(t->stiffest[j] < STIFF);
  for (int k = 0; k < 3; ++k) cell_batch_release(batch[k]), cell_program_release(&program[k]);
  FREE(t);
  return status;
}

Status cell_trial(CellGraph *c, CellTrial *out) {
  memset(out, 0, sizeof *out);
  return trial_create(c, NULL, out);
}

Status cell_trial_exchange(CellGraph *c, double *exchange) { return trial_create(c, exchange, NULL); }
