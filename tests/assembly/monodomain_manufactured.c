/* Order in space and in time by a manufactured solution of VERIFICATION, v = cos 2 pi x cos 2 pi y sin t on the unit
 * square: Aliev-Panfilov in its own units, with a recovery variable that stands still (mu1 = 0 and next to no gamma) so
 * that the current that makes v a solution is known: dv/dt - D lap v - f(v). */
#include "tests/assembly/host_steps.h"

#include <math.h>

static const double PI = 3.14159265358979323846, D = 0.05, ALPHA = 0.1, C = 8;

static double exact(const double *x, double t) { return cos(2 * PI * x[0]) * cos(2 * PI * x[1]) * sin(t); }
static double current(const double *x, double t) {
  const double v = exact(x, t), rate = cos(2 * PI * x[0]) * cos(2 * PI * x[1]) * cos(t);
  return rate + 8 * PI * PI * D * v - C * v * (v - ALPHA) * (1 - v);
}

/* v at t = 1 in the mesh's order, and how far it is from the exact one in the mean square over the nodes. */
static double *solution(ElementKind kind, MonodomainScheme scheme, HostScheme in_time, int n, double dt,
                        double *error) {
  static const double values[] = {0.1, 1e-12, 0.15, 8, 0, 3, 0, 1, 1};
  HostSteps w = {0};
  Mesh *mesh = NULL;
  const BoxParams params = {.kind = kind, .n = {n, n, n}, .size = {1, 1, 1}};
  assert_ok(mesh_box(&params, &mesh));
  heart_mesh(&w.heart, testing_exec(), mesh, D);
  for (size_t k = 0; k < sizeof values / sizeof *values; ++k) w.heart.region[0].value[k] = values[k];
  host_steps_create(&w, scheme, in_time, dt);
  w.current = current;
  w.n_euler = in_time == BDF2 ? 1 : 0;
  host_steps_start(&w);
  while (w.time < 1 - 0.5 * dt) (void)host_step(&w);
  double square = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) square += pow(w.V[i] - exact(mesh->x[i], 1), 2);
  *error = sqrt(square / mesh->n_node);
  double *v = w.V;
  w.V = NULL;
  host_steps_finish(&w);
  return v;
}

/* Lumping keeps the order of linear elements. In tri6 it integrates no more than linear functions, so that nodal
 * reaction loses the third order there. */
static void in_space(void **state) {
  (void)state;
  if (testing_checks()) skip();
  const struct {
    ElementKind kind;
    MonodomainScheme scheme;
    int n;
    double least, error; /* of the order, of the finer mesh */
  } rows[] = {{ELEMENT_QUAD4, MONODOMAIN_NODAL, 8, 1.9, 0.02}, {ELEMENT_QUAD4, MONODOMAIN_GAUSS, 8, 1.9, 0.025},
              {ELEMENT_TRI3, MONODOMAIN_NODAL, 8, 1.9, 0.01},  {ELEMENT_TRI3, MONODOMAIN_GAUSS, 8, 1.9, 0.04},
              {ELEMENT_TRI6, MONODOMAIN_NODAL, 4, 1.5, 0.015}, {ELEMENT_TRI6, MONODOMAIN_GAUSS, 4, 2.8, 0.005},
              {ELEMENT_TET4, MONODOMAIN_NODAL, 8, 1.9, 0.015}, {ELEMENT_TET4, MONODOMAIN_GAUSS, 10, 1.9, 0.03},
              {ELEMENT_HEX8, MONODOMAIN_NODAL, 8, 1.9, 0.02},  {ELEMENT_HEX8, MONODOMAIN_GAUSS, 8, 1.9, 0.025},
              {ELEMENT_TET10, MONODOMAIN_GAUSS, 4, 2.8, 0.01}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    double e[2];
    for (int finer = 0; finer < 2; ++finer)
      free(solution(rows[k].kind, rows[k].scheme, BDF2, rows[k].n * (1 + finer), 0.04, &e[finer]));
    print_message("%s %s: %.2e %.2e, order %.2f\n", element_type(rows[k].kind)->name,
                  rows[k].scheme ? "gauss" : "nodal", e[0], e[1], log2(e[0] / e[1]));
    assert_true(log2(e[0] / e[1]) > rows[k].least && e[1] < rows[k].error);
  }
}

/* Differences of solutions on one mesh, whose error in space they share. */
static void in_time(void **state) {
  (void)state;
  if (testing_checks()) skip();
  for (int k = 0; k < 6; ++k) {
    const MonodomainScheme scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    const HostScheme in_time = (HostScheme)(k / 2);
    double *v[3], difference[2] = {0, 0}, error;
    for (int halved = 0; halved < 3; ++halved)
      v[halved] = solution(ELEMENT_QUAD4, scheme, in_time, 4, 0.02 / (1 << halved), &error);
    for (int i = 0; i < 25; ++i)
      for (int halved = 0; halved < 2; ++halved) difference[halved] += pow(v[halved + 1][i] - v[halved][i], 2);
    const double order = 0.5 * log2(difference[0] / difference[1]);
    print_message("%s scheme %d: order %.2f\n", scheme ? "gauss" : "nodal", (int)in_time, order);
    assert_within(order, in_time == BACKWARD_EULER ? 1 : 2, 0.3);
    for (int halved = 0; halved < 3; ++halved) free(v[halved]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_space), cmocka_unit_test(in_time)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
