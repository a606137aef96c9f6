/* A beat of every ionic model against an implicit integrator of its own: Rodas3 (Sandu et al., Atmospheric Environment 31,
 * 1997, an L-stable Rosenbrock method of order 3) with the whole Jacobian by differences and a tolerance of 1e-7, in place
 * of states that go first, each by its own decay. What the two share is the right-hand side. */
#include "app/monodomain/single_cell.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = IONIC_STATES + 1 };

typedef struct Beat {
  const IonicConstants *c;
  int n; /* V and the states */
  double stimulus;
} Beat;

static void right_side(const Beat *b, const double *y, double *f) {
  const IonicType *type = ionic_type(b->c->kind);
  double by_V, by_s[MOST];
  type->rate(b->c, y[0], y + 1, f + 1);
  f[0] = type->reaction(b->c, y[0], y + 1, &by_V, by_s) + b->stimulus;
}

static double matrix[MOST][MOST]; /* 1 / (h gamma) - J, factored */
static int pivot[MOST];

static void factor(const Beat *b, const double *y, double h) {
  double f[MOST], g[MOST], x[MOST];
  right_side(b, y, f);
  memcpy(x, y, (size_t)b->n * sizeof *x);
  for (int j = 0; j < b->n; ++j) {
    const double d = 1e-7 * fmax(fabs(y[j]), 1e-4);
    x[j] = y[j] + d;
    right_side(b, x, g);
    x[j] = y[j];
    for (int i = 0; i < b->n; ++i) matrix[i][j] = (i == j) * 2 / h - (g[i] - f[i]) / d;
  }
  for (int k = 0; k < b->n; ++k) {
    pivot[k] = k;
    for (int i = k + 1; i < b->n; ++i)
      if (fabs(matrix[i][k]) > fabs(matrix[pivot[k]][k])) pivot[k] = i;
    for (int j = 0; j < b->n && pivot[k] != k; ++j) {
      const double t = matrix[k][j];
      matrix[k][j] = matrix[pivot[k]][j], matrix[pivot[k]][j] = t;
    }
    for (int i = k + 1; i < b->n; ++i) {
      matrix[i][k] /= matrix[k][k];
      for (int j = k + 1; j < b->n && matrix[i][k] != 0; ++j) matrix[i][j] -= matrix[i][k] * matrix[k][j];
    }
  }
}

static void solve(int n, double *x) {
  for (int k = 0; k < n; ++k) {
    const double t = x[k];
    x[k] = x[pivot[k]], x[pivot[k]] = t;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) x[i] -= matrix[i][j] * x[j];
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] -= matrix[i][j] * x[j];
    x[i] /= matrix[i][i];
  }
}

/* One step of h; returns the error of it relative to the tolerance. */
static double rodas3(const Beat *b, const double *y, double h, double *out) {
  static const double a[4][4] = {{0}, {0}, {2}, {2, 0, 1}}, c[4][4] = {{0}, {4}, {1, -1}, {1, -1, -8.0 / 3}};
  static const double m[4] = {2, 0, 1, 1};
  double k[4][MOST], x[MOST], worst = 0;
  factor(b, y, h);
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < b->n; ++i) {
      x[i] = y[i];
      for (int j = 0; j < s; ++j) x[i] += a[s][j] * k[j][i];
    }
    right_side(b, x, k[s]);
    for (int i = 0; i < b->n; ++i)
      for (int j = 0; j < s; ++j) k[s][i] += c[s][j] / h * k[j][i];
    solve(b->n, k[s]);
  }
  for (int i = 0; i < b->n; ++i) {
    out[i] = y[i];
    for (int s = 0; s < 4; ++s) out[i] += m[s] * k[s][i];
    worst = fmax(worst, fabs(k[3][i]) / (1e-7 * (fabs(y[i]) + (i ? 1e-3 : 10))));
  }
  return isfinite(worst) ? worst : 1e10;
}

/* APD90 as single_cell.h defines it; NAN where the cell does not repolarise by `end`. */
static double exact_apd90(Beat *b, double amplitude, double duration, double end) {
  double y[MOST], next[MOST], peak = -INFINITY, up = (double)NAN, h = 1e-3, t = 0;
  const double rest = y[0] = ionic_type(b->c->kind)->rest(b->c, y + 1);
  while (t < end) {
    const double stop = t < duration ? duration : end;
    b->stimulus = t < duration ? amplitude : 0;
    h = fmin(fmin(h, 0.1), stop - t);
    const double error = rodas3(b, y, h, next);
    if (error > 1 && h > 1e-7) {
      h *= fmax(0.2, 0.8 * pow(error, -1.0 / 3));
      continue;
    }
    if (isnan(up) && y[0] < -40 && next[0] >= -40) up = t + h * (-40 - y[0]) / (next[0] - y[0]);
    const double level = peak - 0.9 * (peak - rest);
    if (!isnan(up) && y[0] > level && next[0] <= level) return t + h * (level - y[0]) / (next[0] - y[0]) - up;
    peak = fmax(peak, next[0]);
    memcpy(y, next, (size_t)b->n * sizeof *y);
    t = stop - t - h < 1e-12 ? stop : t + h;
    h *= fmin(3, 0.8 * pow(fmax(error, 1e-6), -1.0 / 3));
  }
  return (double)NAN;
}

static void every_model(void **state) {
  (void)state;
  static const double step[] = {0.005, 0.02};
  int compared = 0;
  for (int kind = 0; kind < ionic_count(); ++kind) {
    const IonicConstants c = ionic_constants(kind, 0);
    const IonicPulse pulse = ionic_pulse(kind);
    Beat b = {&c, ionic_type(kind)->n_state + 1, 0};
    const double exact = exact_apd90(&b, pulse.amplitude, pulse.duration, 600);
    if (isnan(exact)) continue;
    for (int k = 0; k < 2; ++k) {
      SingleCell cell;
      CellBeat beat;
      single_cell_start(&c, &cell);
      assert_ok(single_cell_beat(&cell, &(CellPacing){pulse.amplitude, pulse.duration, step[k]}, 600, NULL, &beat));
      if (!(fabs(beat.apd90 / exact - 1) < 0.005))
        fail_msg("%s at %g ms: APD90 %.3f, exact %.3f", ionic_type(kind)->name, step[k], beat.apd90, exact);
      ++compared;
    }
  }
  assert_true(compared >= 2 * 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_model)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
