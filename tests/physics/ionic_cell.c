/* A single cell: action potential and restitution of Aliev-Panfilov (VERIFICATION), an action potential of
 * Mitchell-Schaeffer, and the order of the implicit schemes. */
#include "physics/ionic.h"
#include "physics/ionic_kernels.h"
#include "tests/testing.h"

#include <math.h>

typedef enum CellScheme { BACKWARD_EULER, CRANK_NICOLSON, BDF2, RUNGE_KUTTA } CellScheme;

typedef struct Cell {
  IonicConstants c;
  CellScheme scheme;
  double t, V, s;
  double V_old, s_old; /* one step ago */
  int n_step;
} Cell;

/* Models of one state, in scalars. */
static double rate(const IonicConstants *c, double V, double s) {
  double g;
  ionic_type(c->kind)->rate(c, V, &s, &g);
  return g;
}
static double reaction(const IonicConstants *c, double V, double s) {
  double by_V, by_s;
  return ionic_type(c->kind)->reaction(c, V, &s, &by_V, &by_s);
}
static double reaction_implicit(const IonicConstants *c, double V, double known, double step, double *slope) {
  const IonicCell cell = {.state = &known, .stride = 1};
  return ionic_implicit(1, c, V, &cell, step, slope);
}

static Cell cell_at_rest(const char *model, CellScheme scheme) {
  const int kind = ionic_by_name(model);
  Cell cell = {.c = ionic_constants(kind, 0), .scheme = scheme};
  cell.V = cell.V_old = ionic_type(kind)->rest(&cell.c, &cell.s);
  cell.s_old = cell.s;
  return cell;
}

static void runge_kutta(Cell *cell, double dt, double current) {
  double k[4][2], V = cell->V, s = cell->s;
  for (int i = 0; i < 4; ++i) {
    k[i][0] = reaction(&cell->c, V, s) + current;
    k[i][1] = rate(&cell->c, V, s);
    const double a = i < 2 ? 0.5 * dt : dt;
    V = cell->V + a * k[i][0];
    s = cell->s + a * k[i][1];
  }
  cell->V += dt / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
  cell->s += dt / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
}

/* mass (x - x_n) - history (x_n - x_old) = theta F(x) + (1 - theta) F(x_n) for V and s, the latter eliminated. */
static void implicit(Cell *cell, double dt, double current) {
  const bool second = cell->scheme == BDF2 && cell->n_step > 0;
  const double theta = cell->scheme == CRANK_NICOLSON ? 0.5 : 1, mass = (second ? 1.5 : 1) / dt,
               history = second ? 0.5 / dt : 0;
  const double explicit_V = (1 - theta) * (reaction(&cell->c, cell->V, cell->s) + current);
  const double explicit_s = (1 - theta) * rate(&cell->c, cell->V, cell->s);
  const double known = cell->s + (history * (cell->s - cell->s_old) + explicit_s) / mass, step = theta / mass;
  double V = 2 * cell->V - cell->V_old;
  for (int i = 0; i < 30; ++i) {
    double slope;
    const double f = reaction_implicit(&cell->c, V, known, step, &slope);
    const double r = mass * (V - cell->V) - history * (cell->V - cell->V_old) - theta * (f + current) - explicit_V;
    if (fabs(r) < 1e-11 * (1 + mass)) break;
    V -= r / (mass - theta * slope);
    assert_true(i < 25);
  }
  double s, by_V;
  ionic_type(cell->c.kind)->implicit(&cell->c, V, &known, step, &s, &by_V);
  cell->V_old = cell->V;
  cell->s_old = cell->s;
  cell->V = V;
  cell->s = s;
}

static void cell_step(Cell *cell, double dt, double current) {
  if (cell->scheme == RUNGE_KUTTA) runge_kutta(cell, dt, current);
  else implicit(cell, dt, current);
  cell->t += dt;
  ++cell->n_step;
}

typedef struct Action {
  double peak, peak_time, most_state, up[2], down[2]; /* times at which two levels are crossed */
} Action;

/* 20 mV/ms for 2 ms (2.58 dimensionless), then on to `end`; crossings of two levels linear within the step. */
static Action action(Cell *cell, double dt, double end, const double level[2]) {
  Action a = {.peak = -1000, .up = {-1, -1}, .down = {-1, -1}};
  const double start = cell->t;
  cell->n_step = 0;
  for (int64_t i = 0; cell->t - start < end - 0.5 * dt; ++i) {
    const double V = cell->V, t = cell->t;
    cell_step(cell, dt, ((double)i + 0.5) * dt < 2 ? 20 : 0);
    if (cell->V > a.peak) a.peak = cell->V, a.peak_time = cell->t - start;
    a.most_state = fmax(a.most_state, cell->s);
    for (int k = 0; k < 2; ++k) {
      const double at = t + dt * (level[k] - V) / (cell->V - V);
      if (V < level[k] && cell->V >= level[k] && a.up[k] < 0) a.up[k] = at;
      if (V >= level[k] && cell->V < level[k]) a.down[k] = at;
    }
  }
  return a;
}

/* APD50 and APD90: from the crossing of half the amplitude above rest down to half and to a tenth of it. */
static void known_action(void **state) {
  (void)state;
  const double level[2] = {-80 + 0.5 * 99.92, -80 + 0.1 * 99.92};
  const struct {
    CellScheme scheme;
    double dt, apd;
  } rows[] = {{RUNGE_KUTTA, 0.02, 0.05}, {BDF2, 0.02, 0.1}, {CRANK_NICOLSON, 0.02, 0.05}, {BACKWARD_EULER, 0.005, 0.1}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Cell cell = cell_at_rest("aliev-panfilov", rows[k].scheme);
    const Action a = action(&cell, rows[k].dt, 600, level);
    print_message("scheme %d: peak %.3f mV at %.2f ms, apd50 %.3f, apd90 %.3f, r %.4f\n", (int)rows[k].scheme, a.peak,
                  a.peak_time, a.down[0] - a.up[0], a.down[1] - a.up[0], a.most_state);
    assert_within(a.peak, 19.92, 0.02);
    assert_within(a.peak_time, 20.3, 0.1);
    assert_within(a.down[0] - a.up[0], 366.10, rows[k].apd);
    assert_within(a.down[1] - a.up[0], 396.09, rows[k].apd);
    assert_within(a.most_state, 2.336, 0.002);
  }
}

/* Five beats every 1000 ms, then one after S2: its duration from -30 mV up to -70 mV down. */
static void restitution(void **state) {
  (void)state;
  const double known[6][2] = {{1000, 311.6}, {800, 292.5}, {600, 260.0}, {500, 231.7}, {400, 179.2}, {350, 124.2}};
  const double level[2] = {-70, -30}, dt = 0.05;
  for (int k = 0; k < 6; ++k) {
    Cell cell = cell_at_rest("aliev-panfilov", RUNGE_KUTTA);
    for (int beat = 0; beat < 5; ++beat) (void)action(&cell, dt, beat < 4 ? 1000 : known[k][0], level);
    const Action last = action(&cell, dt, 600, level);
    print_message("S2 %g: apd %.2f\n", known[k][0], last.down[0] - last.up[1]);
    assert_within(last.down[0] - last.up[1], known[k][1], 1);
  }
}

/* Steps half as long: the error of backward Euler halves, those of the others go to a quarter. */
static void orders(void **state) {
  (void)state;
  const char *const models[] = {"aliev-panfilov", "mitchell-schaeffer"};
  for (int m = 0; m < 2; ++m)
    for (int scheme = BACKWARD_EULER; scheme <= BDF2; ++scheme) {
      double error[2];
      Cell exact = cell_at_rest(models[m], RUNGE_KUTTA);
      exact.V += 45;
      while (exact.t < 8 - 1e-9) cell_step(&exact, 0.001, 0);
      for (int k = 0; k < 2; ++k) {
        const double dt = 0.02 / (1 + k);
        Cell cell = cell_at_rest(models[m], (CellScheme)scheme);
        cell.V += 45;
        cell.V_old = cell.V;
        while (cell.t < 8 - 1e-9) cell_step(&cell, dt, 0);
        error[k] = fabs(cell.V - exact.V) + 100 * fabs(cell.s - exact.s);
      }
      const double order = log2(error[0] / error[1]);
      assert_within(order, scheme == BACKWARD_EULER ? 1 : 2, 0.15);
    }
}

/* Mitchell and Schaeffer's leading order: the plateau lasts tau_close log(1/h_min) from a full gate, h_min = 4
 * tau_in/tau_out (their equation for the duration); how the potential falls takes about another ten per cent. */
static void mitchell_schaeffer_action(void **state) {
  (void)state;
  const double level[2] = {-80 + 13, -30};
  Cell cell = cell_at_rest("mitchell-schaeffer", RUNGE_KUTTA);
  const Action a = action(&cell, 0.01, 900, level);
  const double duration = 150 * log(6 / (4 * 0.3));
  assert_true(a.peak > 0 && a.peak < 20 && a.peak_time < 12);
  assert_true(a.down[0] - a.up[0] > duration && a.down[0] - a.up[0] < 1.2 * duration);
  assert_true(cell.s > 0.9 && cell.V < -79.9);
  Cell sharp = cell_at_rest("mitchell-schaeffer", RUNGE_KUTTA);
  sharp.c.value[ionic_parameter(sharp.c.kind, "gate-width")] = 1e-4;
  const Action b = action(&sharp, 0.01, 900, level);
  print_message("duration %.3f ms, with a sharp gate %.3f ms\n", a.down[0] - a.up[0], b.down[0] - b.up[0]);
  assert_within(a.down[0] - a.up[0], b.down[0] - b.up[0], 0.02);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_action), cmocka_unit_test(restitution),
                                     cmocka_unit_test(orders), cmocka_unit_test(mitchell_schaeffer_action)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
