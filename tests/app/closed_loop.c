/* Closed loops whose numbers are all drawn, key by key, against the classical Runge-Kutta method on the equations of Regazzoni et al.
 * 2022 as they are written: volumes, pressures and flows over two beats, what beats.csv has of them, and where beats repeat. */
#include "tests/app/scratch.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LA, LV, RA, RV, CHAMBERS };
enum { SYSTEMIC, PULMONARY, SIDES };
/* V of chambers; p of arteries, p of veins, Q of arteries, Q of veins, of both sides. */
enum { P_ARTERY = CHAMBERS, P_VEIN = P_ARTERY + SIDES, Q_ARTERY = P_VEIN + SIDES, Q_VEIN = Q_ARTERY + SIDES, N = 12 };
enum { ACTIVE, PASSIVE, V0, START, CONTRACTION, RELAXATION, VOLUME, N_ELASTANCE };
enum { R_A, C_A, L_A, R_V, C_V, L_V, PRESSURE_A, PRESSURE_V, N_VESSEL };
static const char *const chamber_name[CHAMBERS] = {"la", "lv", "ra", "rv"};

typedef struct Loop {
  double cycle, open, closed, chamber[CHAMBERS][N_ELASTANCE], side[SIDES][N_VESSEL];
} Loop;

static double pressure_of(const Loop *m, int k, double t, const double *y) {
  const double *e = m->chamber[k], at = fmod(t - e[START] + m->cycle, m->cycle);
  double share = 0;
  if (at < e[CONTRACTION]) share = (1 - cos(M_PI * at / e[CONTRACTION])) / 2;
  else if (at < e[CONTRACTION] + e[RELAXATION]) share = (1 + cos(M_PI * (at - e[CONTRACTION]) / e[RELAXATION])) / 2;
  return (e[PASSIVE] + e[ACTIVE] * share) * (y[k] - e[V0]);
}

static double valve_flow(const Loop *m, double d) { return d > 0 ? d / m->open : d / m->closed; }

/* q: flows out of la, lv, ra and rv. */
static void rate_of(const Loop *m, double t, const double *y, double rate[N], double q[CHAMBERS]) {
  static const int next_atrium[SIDES] = {RA, LA};
  double p[CHAMBERS];
  for (int k = 0; k < CHAMBERS; ++k) p[k] = pressure_of(m, k, t, y);
  q[LA] = valve_flow(m, p[LA] - p[LV]);
  q[LV] = valve_flow(m, p[LV] - y[P_ARTERY + SYSTEMIC]);
  q[RA] = valve_flow(m, p[RA] - p[RV]);
  q[RV] = valve_flow(m, p[RV] - y[P_ARTERY + PULMONARY]);
  rate[LA] = y[Q_VEIN + PULMONARY] - q[LA];
  rate[LV] = q[LA] - q[LV];
  rate[RA] = y[Q_VEIN + SYSTEMIC] - q[RA];
  rate[RV] = q[RA] - q[RV];
  for (int s = 0; s < SIDES; ++s) {
    const double *v = m->side[s], in = q[s == SYSTEMIC ? LV : RV];
    rate[P_ARTERY + s] = (in - y[Q_ARTERY + s]) / v[C_A];
    rate[P_VEIN + s] = (y[Q_ARTERY + s] - y[Q_VEIN + s]) / v[C_V];
    rate[Q_ARTERY + s] = (y[P_ARTERY + s] - y[P_VEIN + s] - v[R_A] * y[Q_ARTERY + s]) / v[L_A];
    rate[Q_VEIN + s] = (y[P_VEIN + s] - p[next_atrium[s]] - v[R_V] * y[Q_VEIN + s]) / v[L_V];
  }
}

static void runge_kutta(const Loop *m, double t, double dt, double y[N]) {
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double k[N] = {0}, sum[N] = {0}, x[N], q[CHAMBERS];
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < N; ++i) x[i] = y[i] + at[s] * dt * k[i];
    rate_of(m, t + at[s] * dt, x, k, q);
    for (int i = 0; i < N; ++i) sum[i] += weight[s] * k[i];
  }
  for (int i = 0; i < N; ++i) y[i] += dt / 6 * sum[i];
}

/* Around the defaults of the loop, in kPa, mL and ms; no number is one that is another's default. Beats last `pace` s, about. */
static void draw_loop(uint64_t *seed, double pace, Loop *m) {
  static const double elastance[CHAMBERS][N_ELASTANCE] = {{0.0093, 0.012, 4, 800, 170, 170, 65},
                                                          {0.37, 0.0107, 5, 20, 340, 170, 120},
                                                          {0.008, 0.0093, 4, 780, 170, 170, 65},
                                                          {0.073, 0.0067, 10, 30, 340, 170, 145}};
  static const double vessel[SIDES][N_VESSEL] = {{107, 9, 667, 35, 400, 67, 10.7, 4},
                                                 {22, 75, 67, 22, 120, 67, 4.7, 3.2}};
  *m = (Loop){.cycle = pace * draw_between(seed, 950, 1100), .open = draw_between(seed, 0.8, 3), .closed = 1e4};
  for (int k = 0; k < CHAMBERS; ++k)
    for (int i = 0; i < N_ELASTANCE; ++i)
      m->chamber[k][i] = elastance[k][i] * draw_between(seed, 0.85, 1.15) *
                         (i == START || i == CONTRACTION || i == RELAXATION ? pace : 1);
  for (int s = 0; s < SIDES; ++s)
    for (int i = 0; i < N_VESSEL; ++i) m->side[s][i] = vessel[s][i] * draw_between(seed, 0.8, 1.25);
}

static void write_loop(const Loop *m, char *to) {
  static const char *const key[N_ELASTANCE] = {"active",      "passive",    "v0",    "start",
                                               "contraction", "relaxation", "volume"};
  static const char *const of[N_VESSEL] = {"r-artery", "c-artery", "l-artery", "r-vein",
                                           "c-vein",   "l-vein",   "p-artery", "p-vein"};
  to += sprintf(to,
                "version: 1\nphysics: electromechanics\noutput: {sample: %.17g}\ncirculation:\n  model: closed-loop\n  "
                "cycle: %.17g\n"
                "  valves: {open: %.17g, closed: %.17g}\n",
                m->cycle / 1000, m->cycle, m->open, m->closed);
  for (int k = 0; k < CHAMBERS; ++k) {
    to += sprintf(to, "  %s:\n    elastance:\n", chamber_name[k]);
    for (int i = 0; i < N_ELASTANCE; ++i) to += sprintf(to, "      %s: %.17g\n", key[i], m->chamber[k][i]);
  }
  for (int s = 0; s < SIDES; ++s) {
    to += sprintf(to, "  %s:\n", s == SYSTEMIC ? "systemic" : "pulmonary");
    for (int i = 0; i < N_VESSEL; ++i) to += sprintf(to, "    %s: %.17g\n", of[i], m->side[s][i]);
  }
}

static void start_loop(const Loop *m, double y[N]) {
  memset(y, 0, N * sizeof *y);
  for (int k = 0; k < CHAMBERS; ++k) y[k] = m->chamber[k][VOLUME];
  for (int s = 0; s < SIDES; ++s) y[P_ARTERY + s] = m->side[s][PRESSURE_A], y[P_VEIN + s] = m->side[s][PRESSURE_V];
}

/* A number of the row that begins with these words, in the column of this name. */
static double number_at(const char *csv, const char *row, const char *column) {
  const size_t length = strlen(column);
  int k = 0;
  const char *at = csv;
  for (; strncmp(at, column, length) || (at[length] != ',' && at[length] != '\n'); ++k) {
    at = strchr(at, ',');
    if (!at) fail_msg("no column '%s'", column);
    ++at;
  }
  at = strstr(csv, row);
  if (!at) fail_msg("no row '%s'", row + 1);
  for (++at; k > 0; --k) at = strchr(at, ',') + 1;
  return strtod(at, NULL);
}

/* Rows every 100 steps of the case. */
static void compare_row(const Loop *m, const char *csv, int row, double t, const double y[N]) {
  static const struct {
    const char *name;
    int i;
  } column[] = {{"systemic-artery-pressure", P_ARTERY + SYSTEMIC},   {"systemic-vein-pressure", P_VEIN + SYSTEMIC},
                {"pulmonary-artery-pressure", P_ARTERY + PULMONARY}, {"pulmonary-vein-pressure", P_VEIN + PULMONARY},
                {"systemic-artery-flow", Q_ARTERY + SYSTEMIC},       {"systemic-vein-flow", Q_VEIN + SYSTEMIC},
                {"pulmonary-artery-flow", Q_ARTERY + PULMONARY},     {"pulmonary-vein-flow", Q_VEIN + PULMONARY}};
  char begin[64], name[64];
  const char *at = csv;
  for (int k = 0; k <= row; ++k) at = strchr(at + 1, '\n');
  snprintf(begin, sizeof begin, "%.40s", at);
  *strchr(begin, ',') = 0;
  assert_relative(strtod(begin + 1, NULL), t, 1e-9);
  for (int k = 0; k < CHAMBERS; ++k) {
    snprintf(name, sizeof name, "%s-volume", chamber_name[k]);
    assert_within(number_at(csv, begin, name), y[k], 0.01);
    snprintf(name, sizeof name, "%s-pressure", chamber_name[k]);
    assert_within(number_at(csv, begin, name), pressure_of(m, k, t, y), 4e-3);
  }
  for (size_t k = 0; k < sizeof column / sizeof *column; ++k)
    assert_within(number_at(csv, begin, column[k].name), y[column[k].i], 2e-3);
}

/* What a beat has of each chamber. */
typedef struct Seen {
  double most, least, peak, work, out, before_p, before_v;
} Seen;

static void see(const Loop *m, double t, const double y[N], bool first, Seen seen[CHAMBERS]) {
  double rate[N], q[CHAMBERS];
  rate_of(m, t, y, rate, q);
  for (int k = 0; k < CHAMBERS; ++k) {
    Seen *s = &seen[k];
    const double p = pressure_of(m, k, t, y);
    if (first) *s = (Seen){.most = y[k], .least = y[k], .peak = p, .before_p = p, .before_v = y[k]};
    s->most = fmax(s->most, y[k]), s->least = fmin(s->least, y[k]), s->peak = fmax(s->peak, p);
    s->out = fmax(s->out, q[k]);
    s->work -= (p + s->before_p) / 2 * (y[k] - s->before_v);
    s->before_p = p, s->before_v = y[k];
  }
}

static void compare_beat(const char *csv, int beat, const Seen seen[CHAMBERS]) {
  char row[32];
  for (int k = 0; k < CHAMBERS; ++k) {
    const Seen *s = &seen[k];
    snprintf(row, sizeof row, "\n%d,%s,", beat, chamber_name[k]);
    assert_within(number_at(csv, row, "end-diastolic-volume"), s->most, 0.01);
    assert_within(number_at(csv, row, "end-systolic-volume"), s->least, 0.01);
    assert_within(number_at(csv, row, "stroke-volume"), s->most - s->least, 0.02);
    assert_within(number_at(csv, row, "ejection-fraction"), 1 - s->least / s->most, 2e-4);
    assert_within(number_at(csv, row, "peak-pressure"), s->peak, 4e-3);
    assert_within(number_at(csv, row, "stroke-work"), s->work, 0.05 + 1e-3 * fabs(s->work));
    assert_within(number_at(csv, row, "peak-outflow"), s->out, 4e-3);
  }
}

static void run_loop(const char *folder, const Loop *m, const char *option, const char *value, const char *step) {
  char text[4096];
  write_loop(m, text);
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("circulation", scratch_path(folder, "case.yaml"), option, value, "--time-step", step,
                       "--overwrite", "--output", scratch_path(folder, "out"), NULL);
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  said_release(&said);
}

static void loops_are_their_equations(void **state) {
  (void)state;
  uint64_t seed = 11;
  char *folder = scratch_create();
  for (int i = 0; i < 3; ++i) {
    enum { STEPS = 10000, INNER = 4, BEATS = 2 };
    Loop m;
    double y[N];
    Seen seen[CHAMBERS];
    char step[32];
    draw_loop(&seed, i == 2 ? 0.4 : 1, &m);
    snprintf(step, sizeof step, "%.17g", m.cycle / STEPS);
    run_loop(folder, &m, "--beats", "2", step);
    char *rows = scratch_read(folder, "out/loops.csv"), *beats = scratch_read(folder, "out/beats.csv");
    start_loop(&m, y);
    const double dt = m.cycle / STEPS / INNER;
    for (int beat = 0; beat < BEATS; ++beat) {
      see(&m, beat * m.cycle, y, true, seen);
      for (int k = 1; k <= STEPS; ++k) {
        const double t = beat * m.cycle + k * m.cycle / STEPS;
        for (int j = INNER; j > 0; --j) runge_kutta(&m, t - j * dt, dt, y);
        see(&m, t, y, false, seen);
        if (k % 500 == 0) compare_row(&m, rows, (beat * STEPS + k) / 10, t, y);
      }
      compare_beat(beats, beat + 1, seen);
    }
    free(rows);
    free(beats);
  }
  scratch_remove(&folder);
}

/* What the definition in docs/pump.md says of volumes at both ends of a beat. */
static double change_of(const Loop *m, const double a[N], const double b[N]) {
  double most = 0, held = 0;
  for (int k = 0; k < CHAMBERS; ++k) most = fmax(most, fabs(b[k] - a[k])), held = fmax(held, fabs(a[k]));
  for (int s = 0; s < SIDES; ++s) {
    most = fmax(most, m->side[s][C_A] * fabs(b[P_ARTERY + s] - a[P_ARTERY + s]));
    most = fmax(most, m->side[s][C_V] * fabs(b[P_VEIN + s] - a[P_VEIN + s]));
  }
  return most / held;
}

/* The first beat that changes no more than a hundredth, and not one before or after it. */
static void beats_end_where_they_repeat(void **state) {
  (void)state;
  enum { STEPS = 5000, INNER = 8, MOST = 200 };
  uint64_t seed = 23;
  char *folder = scratch_create(), step[32], row[32];
  double y[N], before[N], change = 1, last = 1;
  Loop m;
  int n = 0;
  draw_loop(&seed, 1, &m);
  snprintf(step, sizeof step, "%.17g", m.cycle / STEPS);
  run_loop(folder, &m, "--set", "circulation.begin.tolerance=0.01", step);
  char *beats = scratch_read(folder, "out/beats.csv"), *rows = scratch_read(folder, "out/loops.csv");
  start_loop(&m, y);
  for (const double dt = m.cycle / STEPS / INNER; change > 0.01 && n < MOST; ++n) {
    memcpy(before, y, sizeof y);
    for (int k = 0; k < STEPS * INNER; ++k) runge_kutta(&m, n * m.cycle + k * dt, dt, y);
    last = change, change = change_of(&m, before, y);
  }
  assert_true(n > 2 && n < MOST);
  assert_true(change < 0.0099 && last > 0.0101); /* far enough from it for another method to see the same */
  snprintf(row, sizeof row, "\n%d,lv,", n);
  assert_non_null(strstr(beats, row));
  snprintf(row, sizeof row, "\n%d,lv,", n + 1);
  assert_null(strstr(beats, row));
  compare_row(&m, rows, n * 1000, n * m.cycle, y);
  free(rows);
  free(beats);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loops_are_their_equations),
                                     cmocka_unit_test(beats_end_where_they_repeat)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
