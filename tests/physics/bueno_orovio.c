/* The minimal ventricular model as its authors write it, with steps that are jumps, integrated explicitly with tiny
 * steps: the model of the registry, through implicit schemes and with smooth steps, gives the same action potentials.
 * Epi-, endo- and midmyocardium, and the two columns that stand for other cells. */
#include "physics/ionic.h"
#include "tests/physics/minimal_model.h"
#include "tests/testing.h"

/* What is compared: in mV and ms from the start of a pulse of 50 mV/ms for 1 ms. */
typedef struct Action {
  double peak, dome, up, down90,
      fastest; /* dome: the highest after 20 ms; up, down90: crossings of -30 mV and of 90 % down */
} Action;
static void note(Action *a, double t, double dt, double before, double V) {
  const double level = -84 + 0.1 * (a->peak + 84);
  a->peak = fmax(a->peak, V);
  if (t > 20) a->dome = fmax(a->dome, V);
  a->fastest = fmax(a->fastest, (V - before) / dt);
  if (before < -30 && V >= -30) a->up = t - dt * (V + 30) / (V - before);
  if (t > 20 && before > level && V <= level) a->down90 = t - dt * (V - level) / (V - before);
}
static double pulse(double t) { return t < 1 ? 50 : 0; }
enum { END = 520, N_TABLE = 5 }; /* END: ms from pulse to pulse */

/* y, u v w s, goes on from pulse to pulse. */
static Action explicit_action(const Table *t, double y[4]) {
  Action a = {.peak = -84, .dome = -84};
  const double dt = 0.0005;
  double dy[4];
  for (int64_t i = 0; i < (int64_t)(END / dt); ++i) {
    const double before = -84 + 85.7 * y[0];
    authors(t, y, dy);
    dy[0] += pulse(((double)i + 0.5) * dt) / 85.7;
    for (int k = 0; k < 4; ++k) y[k] += dt * dy[k];
    note(&a, (double)(i + 1) * dt, dt, before, -84 + 85.7 * y[0]);
  }
  return a;
}

/* Backward Euler with the gates eliminated, as a step of the tissue takes it. */
static Action implicit_action(const IonicConstants *c, double dt, double y[4]) {
  Action a = {.peak = -84, .dome = -84};
  const IonicType *type = ionic_type(c->kind);
  double s[3], s_by_V[3], f_by_s[3], V = y[0], *known = y + 1; /* y: V v w s */
  for (int64_t i = 0; i < (int64_t)(END / dt + 0.5); ++i) {
    const double before = V;
    for (int newton = 0;; ++newton) {
      double f_by_V;
      type->implicit(c, V, known, dt, s, s_by_V);
      const double f = type->reaction(c, V, s, &f_by_V, f_by_s),
                   r = (V - before) / dt - f - pulse(((double)i + 0.5) * dt);
      for (int j = 0; j < 3; ++j) f_by_V += f_by_s[j] * s_by_V[j];
      if (fabs(r) < 1e-9) break;
      assert_true(newton < 50);
      V -= r / (1 / dt - f_by_V);
    }
    for (int j = 0; j < 3; ++j) known[j] = s[j];
    note(&a, (double)(i + 1) * dt, dt, before, V);
  }
  y[0] = V;
  return a;
}

/* Two beats: the second one, 520 ms after the first, depends on how far the gates have recovered. */
static void action_potentials(void **state) {
  (void)state;
  static const Table *const tables[] = {&EPI, &ENDO, &MID, &PB, &TNNP};
  for (int preset = 0; preset < N_TABLE; ++preset) {
    IonicConstants c = ionic_constants(ionic_by_name("bueno-orovio"), preset);
    const Table *t = tables[preset];
    /* PB rests for 120 ms only, while w recovers with 140 ms: it feels how wide the steps are, linearly. */
    const double early = t == &PB ? 2.5 : 1;
    double y[4] = {0, 1, 1, (1 + tanh(-t->k_s * t->u_s)) / 2}, z[2][4];
    for (int sharp = 0; sharp < 2; ++sharp) z[sharp][0] = ionic_type(c.kind)->rest(&c, &z[sharp][1]);
    for (int beat = 0; beat < 2; ++beat) {
      const Action known = explicit_action(t, y);
      print_message("%s: peak %.2f, dome %.2f mV, up at %.3f ms, %.1f mV/ms, APD90 %.3f ms\n",
                    ionic_type(c.kind)->preset[preset].name, known.peak, known.dome, known.up, known.fastest,
                    known.down90 - known.up);
      assert_true(known.down90 - known.up > 200 && known.peak > 20); /* action potentials they are */
      for (int sharp = 0; sharp < 2; ++sharp) {
        c.value[ionic_parameter(c.kind, "gate-width")] = sharp ? 1e-4 : 2e-4;
        const Action got = implicit_action(&c, 0.002, z[sharp]);
        print_message("  width %g: peak %.2f, dome %.2f mV, up at %.3f ms, %.1f mV/ms, APD90 %.3f ms\n",
                      sharp ? 1e-4 : 2e-4, got.peak, got.dome, got.up, got.fastest, got.down90 - got.up);
        assert_within(got.peak, known.peak, 0.05);
        assert_within(got.dome, known.dome, 0.02 * (beat ? early : 1));
        assert_within(got.up, known.up, 0.01);
        assert_relative(got.fastest, known.fastest, 0.01);
        assert_within(got.down90 - got.up, known.down90 - known.up, beat ? 0.2 * early : 0.05);
        assert_within(z[sharp][0], -84 + 85.7 * y[0], 3e-3);
        for (int k = 1; k < 4; ++k) assert_within(z[sharp][k], y[k], 4e-3);
      }
    }
  }
}

/* Presets are the authors' columns: the table has the order of the parameters. */
static void presets(void **state) {
  (void)state;
  static const Table *const tables[] = {&EPI, &ENDO, &MID, &PB, &TNNP};
  const int n = sizeof(Table) / sizeof(double);
  for (int preset = 0; preset < N_TABLE; ++preset) {
    const IonicConstants c = ionic_constants(ionic_by_name("bueno-orovio"), preset);
    for (int k = 0; k < n; ++k) assert_true(fabs(c.value[k] - ((const double *)tables[preset])[k]) == 0);
    assert_int_equal(ionic_parameter(c.kind, "gate-width"), n);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(presets), cmocka_unit_test(action_potentials)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
