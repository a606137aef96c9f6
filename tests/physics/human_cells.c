/* Human cells against an independent program: the rates of all states at points where channels are open, a beat, and the
 * slope against differences. */
#include "tests/physics/human_cells.h"
#include "physics/ionic.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

/* A beat as the program (Myokit 1.39 with CVODE, tolerances 1e-8) has it after 100 at 1 Hz, where our initial states are
 * from: stimulus of `amplitude`, mV/ms, for 0.5 ms; APD90 from the upstroke through -40 mV. */
static const struct Row {
  const char *model, *preset;
  double amplitude, rest, peak, steepest, apd90, dt;
} row[] = {{"courtemanche", "atrium", 92.36, -81.9942, 22.599, 195.9, 243.116, 0.01},
           {"ohara-rudy", "endo", 116, -87.9990, 43.046, 332.6, 267.032, 0.01},
           {"ohara-rudy", "epi", 116, -87.9326, 39.214, 327.0, 233.885, 0.01},
           {"ohara-rudy", "mid", 116, -87.7537, 41.340, 316.8, 350.744, 0.01},
           {"tor-ord", "endo", 106, -89.7481, 32.862, 314.3, 272.563, 0.01},
           {"tor-ord", "epi", 106, -89.8521, 32.168, 312.0, 241.463, 0.01},
           {"tor-ord", "mid", 106, -89.4740, 30.835, 297.5, 355.073, 0.0025}};

static IonicConstants cell_of(const char *model, const char *preset) {
  const int kind = ionic_by_name(model);
  assert_true(kind >= 0 && ionic_preset(kind, preset) >= 0);
  return ionic_constants(kind, ionic_preset(kind, preset));
}

/* Of tor-ord: channels of the rapid delayed rectifier in their five states, which are all there are. */
static const int first_share = 28;
static double shares(const double *s) { return s[28] + s[29] + s[30] + s[31] + s[32]; }

static void rates_at(const IonicConstants *c, const double *at, const double *rate) {
  const IonicType *type = ionic_type(c->kind);
  double g[IONIC_STATES], by_s[IONIC_STATES], by_V;
  assert_within(type->reaction(c, at[0], at + 1, &by_V, by_s) / rate[0], 1, 1e-12);
  type->rate(c, at[0], at + 1, g);
  if (!strcmp(type->name, "tor-ord")) g[first_share] -= 1 - shares(at + 1); /* what draws the sum to 1, at 1/ms */
  for (int j = 0; j < type->n_state; ++j)
    if (!(fabs(g[j] - rate[j + 1]) <= 1e-11 * fabs(rate[j + 1]) + 1e-16))
      fail_msg("%s, %s: %.15g, not %.15g", type->name, type->state[j].name, g[j], rate[j + 1]);
}

static void rates(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cell_points / sizeof *cell_points; ++k) {
    const IonicConstants c = cell_of(cell_points[k].model, cell_points[k].preset);
    rates_at(&c, cell_points[k].at, cell_points[k].rate);
  }
}

/* Every parameter away from its preset, as a case sets it. */
static void rates_drawn(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof drawn_points / sizeof *drawn_points; ++k) {
    const struct DrawnPoint *p = &drawn_points[k];
    IonicConstants c = cell_of(p->model, p->preset);
    for (int j = 0; j < ionic_type(c.kind)->n_param; ++j) c.value[j] = p->value[j];
    rates_at(&c, p->at, p->rate);
  }
}

/* When V was `level` on its way from a to b within a step that ends at t. */
static double crossing(double t, double dt, double a, double b, double level) { return t - dt * (b - level) / (b - a); }

static void beat(void **state) {
  (void)state;
  static double trace[400001];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const IonicConstants c = cell_of(row[k].model, row[k].preset);
    const IonicType *type = ionic_type(c.kind);
    const double dt = row[k].dt;
    const int n = (int)lround(1000 / dt);
    double s[IONIC_STATES], by_V, peak = -100, steepest = 0, up = NAN, apd90 = NAN;
    trace[0] = type->rest(&c, s);
    for (int i = 0; i < n; ++i) {
      const double stimulus = (i + 0.5) * dt < 0.5 ? row[k].amplitude : 0, V = trace[i];
      const double rise = type->first(&c, V, stimulus, dt, s, &by_V) + stimulus, x = -by_V * dt;
      trace[i + 1] = V + dt * rise * (x > 1e-12 ? -expm1(-x) / x : 1); /* as `sinew cell` */
      peak = fmax(peak, trace[i + 1]);
      steepest = fmax(steepest, (trace[i + 1] - V) / dt);
      if (isnan(up) && trace[i + 1] >= -40) up = crossing((i + 1) * dt, dt, V, trace[i + 1], -40);
    }
    const double level = peak - 0.9 * (peak - trace[0]);
    for (int i = n; i > 0 && isnan(apd90); --i)
      if (trace[i] < level && trace[i - 1] >= level) apd90 = crossing(i * dt, dt, trace[i - 1], trace[i], level) - up;
    print_message("%s %s: rest %.3f peak %.2f steepest %.1f APD90 %.3f\n", row[k].model, row[k].preset, trace[0], peak,
                  steepest, apd90);
    assert_within(trace[0], row[k].rest, 1e-3);
    assert_within(peak, row[k].peak, 0.1);
    assert_within(steepest, row[k].steepest, 2);
    assert_within(apd90, row[k].apd90, 0.15);
    if (!strcmp(row[k].model, "tor-ord")) assert_within(shares(s), 1, 1e-6);
    assert_within(trace[n], trace[0], 5e-3); /* back where it began */
  }
}

/* Purkinje cells beat by themselves: between two upstrokes the same program has 1223.44 ms, and 299.13 ms from the
 * upstroke to -60 mV. */
static void alone(void **state) {
  (void)state;
  const IonicConstants c = cell_of("stewart", "purkinje");
  const double dt = 0.01;
  double s[IONIC_STATES], by_V, up[2] = {0}, down[2] = {0}, V = ionic_type(c.kind)->rest(&c, s);
  int n_up = 0, n_down = 0;
  for (int i = 1; i < 250000 && n_down < 2; ++i) {
    const double before = V, rise = ionic_type(c.kind)->first(&c, V, 0, dt, s, &by_V), x = -by_V * dt;
    V += dt * rise * (x > 1e-12 ? -expm1(-x) / x : 1);
    if (before < -40 && V >= -40 && n_up < 2) up[n_up++] = crossing(i * dt, dt, before, V, -40);
    if (before >= -60 && V < -60) down[n_down++] = crossing(i * dt, dt, before, V, -60);
  }
  assert_int_equal(n_up, 2);
  assert_int_equal(n_down, 2);
  print_message("stewart: cycle %.2f, to -60 mV %.2f\n", up[1] - up[0], down[0] - up[0]);
  assert_within(up[1] - up[0], 1223.44, 0.2);
  assert_within(down[0] - up[0], 299.13, 0.1);
}

static void slope(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cell_points / sizeof *cell_points; ++k) {
    const struct CellPoint *p = &cell_points[k];
    const IonicConstants c = cell_of(p->model, p->preset);
    const IonicType *type = ionic_type(c.kind);
    double s[IONIC_STATES], by_s[IONIC_STATES], by_V, unused;
    (void)type->rest(&c, s);
    for (int open = 0; open < 2; ++open) {
      for (double V = -95; V < 60; V += 0.5) { /* 0 among them, where fluxes are 0 / 0 as authors write them */
        const double h = 1e-4;
        const double up = type->reaction(&c, V + h, s, &unused, by_s),
                     down = type->reaction(&c, V - h, s, &unused, by_s);
        (void)type->reaction(&c, V, s, &by_V, by_s);
        assert_within(by_V, (up - down) / (2 * h), 2e-6 * (1 + fabs(by_V)));
        assert_true(by_V <= type->max_slope(&c));
      }
      for (int j = 0; j < type->n_gate; ++j) s[j] = p->at[j + 1];
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rates), cmocka_unit_test(rates_drawn), cmocka_unit_test(beat),
                                     cmocka_unit_test(slope), cmocka_unit_test(alone)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
