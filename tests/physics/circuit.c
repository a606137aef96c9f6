/* Circulations: against the classical Runge-Kutta method on their equations, against beats of the published loop, and what may not
 * be lost. */
#include "physics/circuit.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

/* An atrium that contracts, a ventricle, and a Windkessel of 2 to 4 elements. */
typedef struct Plain {
  Elastance atrium, ventricle;
  double cycle, veins, r_veins, mitral, aortic, z, l, r, c;
} Plain;

/* y: volumes of atrium and ventricle, pressure of the vessel, flow of the inertance. */
static void plain_rate(const Plain *m, double t, const double y[4], double rate[4]) {
  const double pa = elastance_at(&m->atrium, m->cycle, t) * (y[0] - m->atrium.v0);
  const double pv = elastance_at(&m->ventricle, m->cycle, t) * (y[1] - m->ventricle.v0);
  const double in = fmax(0, (pa - pv) / m->mitral);
  const double out = fmax(0, (pv - y[2] + (m->l > 0 ? m->z * y[3] : 0)) / (m->aortic + m->z));
  rate[0] = (m->veins - pa) / m->r_veins - in;
  rate[1] = in - out;
  rate[2] = (out - y[2] / m->r) / m->c;
  rate[3] = m->l > 0 ? m->z * (out - y[3]) / m->l : 0;
}

static void plain_step(const Plain *m, double t, double dt, double y[4]) {
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double k[4] = {0}, sum[4] = {0}, x[4];
  for (int s = 0; s < 4; ++s) {
    for (int i = 0; i < 4; ++i) x[i] = y[i] + at[s] * dt * k[i];
    plain_rate(m, t + at[s] * dt, x, k);
    for (int i = 0; i < 4; ++i) sum[i] += weight[s] * k[i];
  }
  for (int i = 0; i < 4; ++i) y[i] += dt / 6 * sum[i];
}

static void plain_circuit(const Plain *m, const double y[4], Circuit *out) {
  *out = (Circuit){.cycle = m->cycle, .n_node = 5, .n_branch = 4};
  out->node[0] = (CircuitNode){"veins", CIRCUIT_SOURCE, .pressure = m->veins};
  out->node[1] = (CircuitNode){"atrium", CIRCUIT_CHAMBER, .elastance = m->atrium, .begin = y[0]};
  out->node[2] = (CircuitNode){"ventricle", CIRCUIT_CHAMBER, .elastance = m->ventricle, .begin = y[1]};
  out->node[3] = (CircuitNode){"artery", CIRCUIT_VESSEL, .compliance = m->c, .begin = m->c * y[2]};
  out->node[4] = (CircuitNode){"drain", CIRCUIT_SOURCE};
  out->branch[0] = (CircuitBranch){"veins", 0, 1, m->r_veins};
  out->branch[1] = (CircuitBranch){"mitral", 1, 2, m->mitral, true, (double)INFINITY};
  out->branch[2] = (CircuitBranch){"aortic", 2, 3, m->aortic, true, (double)INFINITY, m->z, m->l};
  out->branch[3] = (CircuitBranch){"artery", 3, 4, m->r};
}

static void windkessels_are_their_equations(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int i = 0; i < 6; ++i) {
    const Plain m = {.atrium = {0.02, draw_between(&seed, 0.02, 0.04), 5, 600, 100, 90},
                     .ventricle = {draw_between(&seed, 0.2, 0.5), 0.012, 10, 0, 300, 150},
                     .cycle = 800,
                     .veins = draw_between(&seed, 1, 2),
                     .r_veins = draw_between(&seed, 5, 20),
                     .mitral = 2,
                     .aortic = draw_between(&seed, 1, 4),
                     .z = i % 3 ? draw_between(&seed, 4, 10) : 0,
                     .l = i % 3 == 2 ? draw_between(&seed, 200, 2000) : 0,
                     .r = draw_between(&seed, 80, 200),
                     .c = draw_between(&seed, 6, 12)};
    double y[4] = {60, 110, 10, 0};
    Circuit circuit;
    CircuitState s;
    plain_circuit(&m, y, &circuit);
    circuit_start(&circuit, &s);
    for (int k = 1; k <= 8000; ++k) {
      for (int j = 0; j < 4; ++j) plain_step(&m, 0.1 * (k - 1) + 0.025 * j, 0.025, y);
      assert_int_equal(circuit_step(&circuit, 0.1 * k, &s), OK);
      if (k % 500) continue;
      assert_within(s.volume[1], y[0], 4e-3);
      assert_within(s.volume[2], y[1], 4e-3);
      assert_within(s.pressure[3], y[2], 4e-4);
      if (m.l > 0) assert_within(s.inert[2], y[3], 1e-4);
    }
  }
}

/* Half the step, a quarter of the error. */
static void steps_are_of_second_order(void **state) {
  (void)state;
  const Plain m = {.atrium = {0.02, 0.03, 5, 600, 100, 90},
                   .ventricle = {0.318, 0.012, 10, 0, 300, 150},
                   .cycle = 800,
                   .veins = 1.5,
                   .r_veins = 10,
                   .mitral = 2,
                   .aortic = 2,
                   .z = 8,
                   .r = 130,
                   .c = 9};
  const double y[4] = {60, 110, 10, 0};
  double found[3];
  for (int k = 0; k < 3; ++k) {
    const int n = 50 << k; /* to 50 ms, where no valve moves */
    Circuit circuit;
    CircuitState s;
    plain_circuit(&m, y, &circuit);
    circuit_start(&circuit, &s);
    for (int i = 1; i <= n; ++i) assert_int_equal(circuit_step(&circuit, 50.0 * i / n, &s), OK);
    found[k] = s.pressure[3];
  }
  assert_relative((found[0] - found[1]) / (found[1] - found[2]), 4, 0.05);
}

/* A loop without sources keeps what it holds, and its valves close. */
static void nothing_is_lost(void **state) {
  (void)state;
  Circuit circuit = {.cycle = 800, .n_node = 2, .n_branch = 2};
  circuit.node[0] =
      (CircuitNode){"ventricle", CIRCUIT_CHAMBER, .elastance = {0.3, 0.01, 10, 0, 300, 150}, .begin = 120};
  circuit.node[1] = (CircuitNode){"artery", CIRCUIT_VESSEL, .compliance = 9, .begin = 60};
  circuit.branch[0] = (CircuitBranch){"out", 0, 1, 2, true, (double)INFINITY};
  circuit.branch[1] = (CircuitBranch){"in", 1, 0, 130, .inertance = 500};
  CircuitState s;
  double least = 0, most = 0;
  circuit_start(&circuit, &s);
  for (int k = 1; k <= 8000; ++k) {
    assert_int_equal(circuit_step(&circuit, k, &s), OK);
    least = fmin(least, s.flow[0]), most = fmax(most, s.flow[0]);
  }
  assert_within(circuit_volume(&circuit, &s), 180, 180e-10);
  assert_true(least == 0 && most > 0.1);
}

/* An atrium and a ventricle whose pressures are drawn: volumes are those of the step, and fall with pressure by the slopes. */
static void cavities_answer(void **state) {
  (void)state;
  static const int32_t node[2] = {1, 2};
  const double short_way = 1e-6, y[4] = {60, 110, 10, 0.01};
  uint64_t seed = 7;
  for (int k = 0; k < 200; ++k) {
    const Plain m = {.cycle = 800,
                     .veins = 1.5,
                     .r_veins = 10,
                     .mitral = 2,
                     .aortic = 2,
                     .z = 8,
                     .l = k % 2 ? 300 : 0,
                     .r = 130,
                     .c = 9,
                     .atrium = {0.02, 0.03, 5, 600, 100, 90},
                     .ventricle = {0.3, 0.012, 10, 0, 300, 150}};
    Circuit circuit;
    CircuitState s, to;
    double p[2], v[2], slope[4], moved[2][2];
    plain_circuit(&m, y, &circuit);
    circuit.first_order = true;
    for (int i = 0; i < 2; ++i) circuit.node[node[i]].kind = CIRCUIT_CAVITY;
    if (k % 3 == 0) circuit.branch[1].closed = 1e4;
    circuit_start(&circuit, &s);
    for (int i = 0; i < 2; ++i) p[i] = draw_between(&seed, -2, 15);
    const double end = draw_between(&seed, 0.1, 8);
    assert_ok(circuit_answer(&circuit, end, &s, 2, node, p, v, slope));
    assert_within(slope[1], slope[2], 1e-12);
    assert_true(slope[0] >= 0 && slope[3] >= 0 && slope[0] * slope[3] >= slope[1] * slope[2] - 1e-12);
    for (int i = 0; i < 2; ++i) {
      for (int side = 0; side < 2; ++side) {
        const double at[2] = {p[0] + (i      ? 0
                                      : side ? -short_way
                                             : short_way),
                              p[1] + (!i     ? 0
                                      : side ? -short_way
                                             : short_way)};
        assert_ok(circuit_answer(&circuit, end, &s, 2, node, at, moved[side], NULL));
      }
      for (int j = 0; j < 2; ++j) assert_within((moved[1][j] - moved[0][j]) / (2 * short_way), slope[2 * j + i], 1e-6);
    }
    to = s;
    for (int i = 0; i < 2; ++i) to.pressure[node[i]] = p[i];
    assert_ok(circuit_step(&circuit, end, &to));
    for (int i = 0; i < 2; ++i) assert_true(to.volume[node[i]] == v[i] && to.pressure[node[i]] == p[i]);
  }
}

/* Numbers that are none end a step, not the program. */
static void what_is_no_number_is_told(void **state) {
  (void)state;
  Circuit circuit = {.cycle = 800, .n_node = 1};
  circuit.node[0] = (CircuitNode){"artery", CIRCUIT_VESSEL, .compliance = 9, .begin = (double)NAN};
  CircuitState s;
  circuit_start(&circuit, &s);
  assert_int_equal(circuit_step(&circuit, 1, &s), ERR_NUMERIC);
  status_clear();
}

/* Leaves numbers on the stack where the next call has its own. */
__attribute__((noinline)) static double dirty_stack(double with) {
  volatile double room[2048];
  for (int i = 0; i < 2048; ++i) room[i] = with;
  return room[17];
}

/* A checkpoint keeps the whole state, so two runs write the same bytes only where what a circuit lacks is zero. */
static void what_a_circuit_lacks_is_zero(void **state) {
  (void)state;
  Circuit circuit = {.cycle = 800, .n_node = 2, .n_branch = 1};
  circuit.node[0] = (CircuitNode){"vein", CIRCUIT_VESSEL, .compliance = 40, .begin = 10};
  circuit.node[1] = (CircuitNode){"artery", CIRCUIT_VESSEL, .compliance = 9, .begin = 60};
  circuit.branch[0] = (CircuitBranch){"bed", 1, 0, 130, .inertance = 0};
  CircuitState s;
  circuit_start(&circuit, &s);
  for (int k = 1; k <= 3; ++k) {
    assert_true(dirty_stack(k) == k);
    assert_ok(circuit_step(&circuit, k, &s));
  }
  for (int i = circuit.n_node; i < CIRCUIT_NODES; ++i)
    assert_true(s.volume[i] == 0 && s.volume_before[i] == 0 && s.pressure[i] == 0);
  for (int b = circuit.n_branch; b < CIRCUIT_BRANCHES; ++b)
    assert_true(s.flow[b] == 0 && s.inert[b] == 0 && s.inert_before[b] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(windkessels_are_their_equations),
                                     cmocka_unit_test(steps_are_of_second_order),
                                     cmocka_unit_test(nothing_is_lost),
                                     cmocka_unit_test(cavities_answer),
                                     cmocka_unit_test(what_is_no_number_is_told),
                                     cmocka_unit_test(what_a_circuit_lacks_is_zero)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
