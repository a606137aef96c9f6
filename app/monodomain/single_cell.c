/* One cell alone. */
#include "app/monodomain/single_cell.h"
#include "core/memory.h"

#include <math.h>

static const double UPSTROKE = -40; /* mV */

void single_cell_start(const IonicConstants *constants, SingleCell *cell) {
  *cell = (SingleCell){.constants = constants};
  cell->V = ionic_type(constants->kind)->rest(constants, cell->s);
}

/* f goes on with V: (1 - exp(-x)) / x with x = -df/dV step, where V is drawn back. */
static void cell_step(SingleCell *cell, double stimulus, double step) {
  double by_V;
  const double f = ionic_type(cell->constants->kind)->first(cell->constants, cell->V, stimulus, step, cell->s, &by_V);
  const double x = -by_V * step;
  cell->V += step * (f + stimulus) * (x > 1e-12 ? -expm1(-x) / x : 1);
}

/* Between two values that are `step` apart: when `level` was passed, behind the first. */
static double crossing(double before, double after, double level, double step) {
  return step * (level - before) / (after - before);
}

/* From the upstroke to the last fall through `level`; NAN: still above, or never there. */
static double duration(const double *V, int64_t n, double step, double upstroke, double level) {
  if (isnan(upstroke) || !(V[n] < level)) return NAN;
  for (int64_t i = n; i > 0; --i)
    if (V[i - 1] >= level) return (double)(i - 1) * step + crossing(V[i - 1], V[i], level, step) - upstroke;
  return NAN;
}

static void measure(const double *V, int64_t n, double step, CellBeat *out) {
  *out = (CellBeat){.rest = V[0], .peak = V[0], .steepest = 0, .upstroke = NAN};
  for (int64_t i = 1; i <= n; ++i) {
    out->peak = fmax(out->peak, V[i]);
    out->steepest = fmax(out->steepest, (V[i] - V[i - 1]) / step);
    if (isnan(out->upstroke) && V[i - 1] < UPSTROKE && V[i] >= UPSTROKE)
      out->upstroke = (double)(i - 1) * step + crossing(V[i - 1], V[i], UPSTROKE, step);
  }
  const double height = out->peak - out->rest;
  out->apd50 = duration(V, n, step, out->upstroke, out->peak - 0.5 * height);
  out->apd90 = duration(V, n, step, out->upstroke, out->peak - 0.9 * height);
}

Status single_cell_beat(SingleCell *cell, const CellPacing *pacing, double length, const CellWatch *watch,
                        CellBeat *beat) {
  const int64_t n = (int64_t)ceil(length / pacing->step * (1 - 1e-12));
  const double step = length / (double)n;
  double *V = NULL, seen = 0;
  ALLOC(V, n + 1, "a beat of a cell");
  Status status = OK;
  V[0] = cell->V;
  for (int64_t i = 0; status == OK && i < n; ++i) {
    const double t = (double)i * step;
    if (watch && t >= seen * watch->every * (1 - 1e-12)) watch->see(watch->context, t, cell), ++seen;
    const double part = fmin(1, fmax(0, (pacing->duration - t) / step)); /* of the step that the stimulus lasts */
    cell_step(cell, part * pacing->amplitude, step);
    V[i + 1] = cell->V;
    if (!isfinite(cell->V))
      status = FAIL(ERR_NUMERIC, "the potential is not a number %g ms after the stimulus", t + step);
  }
  if (status == OK) measure(V, n, step, beat);
  FREE(V);
  return status;
}
