/* The monodomain problems of Pathmanathan and Gray (2014) in one, two and three dimensions: a cell of three states, and
 * solutions in closed form on the unit interval, square and cube (docs/theory/monodomain.md). Orders in space and in
 * time of potential and states, and the solutions themselves in the equations. */
#include "tests/assembly/host_steps.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static int dim; /* of the problem; 1 lies on a strip */

/* The authors' conductivities over capacitance 2 and surface-to-volume ratio 3. */
static double diffusivity(int k) {
  static const double sigma[3] = {1.1, 1.2, 0.3};
  return k < dim ? sigma[k] / (PI * PI) / 6 : 0.01;
}
static double F(const double *x) {
  double f = 1;
  for (int k = 0; k < dim; ++k) f *= cos((k + 1) * PI * x[k]);
  return f;
}
static double G(const double *x) {
  double g = 1;
  for (int k = 0; k < dim; ++k) g *= pow(x[k], k + 1);
  return 1 + g;
}
static double exact_V(const double *x, double t) { return sqrt(1 + t) * F(x); }
static double exact_u1(const double *x, double t) { return (1 + t) * G(x) + exact_V(x, t); }
static double exact_u2(const double *x, double t) { return 1 / ((1 + t) * sqrt(G(x))); }

/* The equations at a point, derivatives by differences: both sides are the same. */
static void solutions(void **state) {
  (void)state;
  const double x[3] = {0.23, 0.31, 0.44}, t = 0.37, h = 1e-4;
  for (dim = 1; dim <= 3; ++dim) {
    const IonicConstants c = ionic_constants(ionic_by_name("pathmanathan-gray"), dim - 1);
    const double V = exact_V(x, t), s[3] = {exact_u1(x, t), exact_u2(x, t), 0};
    double g[3], by_V, by_s[3], diffused = 0;
    for (int k = 0; k < dim; ++k) {
      double up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
      up[k] += h, down[k] -= h;
      diffused += diffusivity(k) * (exact_V(up, t) - 2 * V + exact_V(down, t)) / (h * h);
    }
    const double f = ionic_type(c.kind)->reaction(&c, V, s, &by_V, by_s);
    ionic_type(c.kind)->rate(&c, V, s, g);
    assert_true(fabs(diffused) > 0.02 && fabs(g[0]) > 0.2 && fabs(g[1]) > 0.2);
    assert_near((exact_V(x, t + h) - exact_V(x, t - h)) / (2 * h) - diffused - f, 0, 1e-7);
    assert_near((exact_u1(x, t + h) - exact_u1(x, t - h)) / (2 * h) - g[0], 0, 1e-7);
    assert_near((exact_u2(x, t + h) - exact_u2(x, t - h)) / (2 * h) - g[1], 0, 1e-7);
    assert_true(g[2] == 0);
  }
}

static void set(HostSteps *w, const char *name, double (*value)(const double *x, double t)) {
  const Mesh *mesh = w->heart.mesh;
  double *at = calloc((size_t)mesh->n_node, 8);
  for (int32_t i = 0; i < mesh->n_node; ++i) at[i] = value(mesh->x[i], w->time);
  assert_ok(monodomain_set_state(w->heart.m, name, at));
  free(at);
}

static Mesh *mesh_of(ElementKind kind, int n) {
  Mesh *mesh = NULL; /* as many elements per wave in each direction */
  const BoxParams box = {.kind = kind, .n = {n, dim > 1 ? 2 * n : 1, 3 * n}, .size = {1, dim > 1 ? 1 : 1.0 / n, 1}};
  assert_ok(mesh_box(&box, &mesh));
  return mesh;
}

static void run(HostSteps *w, ElementKind kind, MonodomainScheme scheme, HostScheme in_time, int n, double dt,
                double end) {
  *w = (HostSteps){0};
  Mesh *mesh = mesh_of(kind, n);
  heart_mesh(&w->heart, testing_exec(), mesh, 1);
  for (int32_t b = 0, e = 0; b < mesh->n_block; ++b)
    for (int32_t i = 0; i < mesh->block[b].n && element_type(mesh->block[b].kind)->dim == mesh->dim; ++i, ++e)
      for (int k = 0; k < 3; ++k) w->heart.tensor[e][k] = diffusivity(k);
  w->heart.region[0] = ionic_constants(ionic_by_name("pathmanathan-gray"), dim - 1);
  host_steps_create(w, scheme, in_time, dt);
  w->n_euler = in_time == BDF2 ? 1 : 0; /* all is smooth at the start */
  for (int64_t i = 0; i < w->heart.n; ++i) w->V[i] = exact_V(mesh->x[i], 0);
  set(w, "u1", exact_u1);
  set(w, "u2", exact_u2);
  host_steps_start(w);
  while (w->time < end - 0.5 * dt) (void)host_step(w);
}

/* |v - reference| or, without one, |v - exact V| in L2 over the domain, in which all elements are of one size. */
static double distance(const HostSteps *w, const double *v, const double *reference) {
  const Mesh *mesh = w->heart.mesh;
  double square = 0, measure = 0;
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementBlock *block = &mesh->block[b];
    const ElementType *type = element_type(block->kind);
    if (type->dim != mesh->dim) continue;
    Quadrature rule;
    assert_ok(quadrature_create(type->shape, 4, &rule));
    for (int64_t e = 0; e < block->n; ++e)
      for (int q = 0; q < rule.n; ++q) {
        double N[ELEMENT_MAX_NODES], x[3] = {0}, here = 0;
        type->values(rule.xi[q], N);
        for (int a = 0; a < type->n_node; ++a) {
          const int32_t node = block->nodes[e * type->n_node + a];
          here += N[a] * (reference ? v[node] - reference[node] : v[node]);
          for (int k = 0; k < 3; ++k) x[k] += N[a] * mesh->x[node][k];
        }
        square += rule.weight[q] * pow(reference ? here : here - exact_V(x, w->time), 2);
        measure += rule.weight[q];
      }
  }
  return sqrt(square / measure);
}

static double *shown(HostSteps *w, const char *name) {
  double *u = calloc((size_t)w->heart.mesh->n_node, 8);
  assert_ok(monodomain_state(w->heart.m, name, NULL, w->heart.r));
  heart_download(&w->heart, w->heart.r, u);
  return u;
}

/* Errors of V, u1 and u2; of the states as they are shown at nodes, from the exact ones shown in the same way. */
static void errors(HostSteps *w, double out[3]) {
  double *u1 = shown(w, "u1"), *u2 = shown(w, "u2");
  set(w, "u1", exact_u1);
  set(w, "u2", exact_u2);
  double *exact_1 = shown(w, "u1"), *exact_2 = shown(w, "u2");
  out[0] = distance(w, w->V, NULL);
  out[1] = distance(w, u1, exact_1);
  out[2] = distance(w, u2, exact_2);
  free(u1), free(u2), free(exact_1), free(exact_2);
}

static void in_space(void **state) {
  (void)state;
  if (testing_checks()) skip();
  const struct {
    int dim;
    ElementKind kind;
    int n;
    double dt, least[2], error; /* orders of V and of states; V's error on the finer mesh */
  } rows[] = {
#ifdef FDA_CUBE
      {3, ELEMENT_HEX8, 8, 0.025, {1.93, 1.8}, 0.01},
      {3, ELEMENT_TET4, 10, 0.025, {1.88, 1.7}, 0.02},
#else
      {1, ELEMENT_QUAD4, 8, 0.0125, {1.95, 1.9}, 0.0045}, {1, ELEMENT_TRI3, 8, 0.0125, {1.95, 1.9}, 0.0055},
      {2, ELEMENT_QUAD4, 8, 0.025, {1.9, 1.9}, 0.0075},   {2, ELEMENT_TRI3, 8, 0.025, {1.9, 1.8}, 0.019},
      {3, ELEMENT_HEX8, 4, 0.05, {1.85, 1.5}, 0.03},
#endif
  };
  for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; ++k) {
    const MonodomainScheme scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    double e[2][3], order[3];
    dim = rows[k / 2].dim;
    for (int finer = 0; finer < 2; ++finer) {
      HostSteps w;
      run(&w, rows[k / 2].kind, scheme, CRANK_NICOLSON, rows[k / 2].n * (1 + finer), rows[k / 2].dt, 1);
      errors(&w, e[finer]);
      host_steps_finish(&w);
    }
    for (int i = 0; i < 3; ++i) order[i] = log2(e[0][i] / e[1][i]);
    print_message("%dD %s %s: V %.2e order %.2f, u1 %.2e order %.2f, u2 %.2e order %.2f\n", dim,
                  element_type(rows[k / 2].kind)->name, scheme ? "gauss" : "nodal", e[1][0], order[0], e[1][1],
                  order[1], e[1][2], order[2]);
    assert_true(order[0] > rows[k / 2].least[0] && e[1][0] < rows[k / 2].error);
    assert_true(order[1] > rows[k / 2].least[1] && order[2] > rows[k / 2].least[1]);
  }
}

/* Differences of solutions on one mesh, whose error in space they share: V and u1 at t = 1. */
static void in_time(void **state) {
  (void)state;
  if (testing_checks()) skip();
  dim = 2;
  for (int k = 0; k < 6; ++k) {
    const MonodomainScheme scheme = k % 2 ? MONODOMAIN_GAUSS : MONODOMAIN_NODAL;
    const HostScheme in_time = (HostScheme)(k / 2);
    double *V[3], *u1[3], difference[2][2];
    HostSteps w[3];
    for (int halved = 0; halved < 3; ++halved) {
      run(&w[halved], ELEMENT_QUAD4, scheme, in_time, 2, 0.05 / (1 << halved), 1);
      V[halved] = w[halved].V, u1[halved] = shown(&w[halved], "u1");
    }
    for (int halved = 0; halved < 2; ++halved) {
      difference[halved][0] = distance(&w[halved], V[halved], V[halved + 1]);
      difference[halved][1] = distance(&w[halved], u1[halved], u1[halved + 1]);
    }
    const double order[2] = {log2(difference[0][0] / difference[1][0]), log2(difference[0][1] / difference[1][1])};
    print_message("%s scheme %d: V order %.2f, u1 order %.2f\n", scheme ? "gauss" : "nodal", (int)in_time, order[0],
                  order[1]);
    for (int i = 0; i < 2; ++i) assert_within(order[i], in_time == BACKWARD_EULER ? 1 : 2, 0.2);
    for (int halved = 0; halved < 3; ++halved) {
      free(u1[halved]);
      host_steps_finish(&w[halved]);
    }
  }
}

int main(void) {
#ifdef FDA_CUBE
  const struct CMUnitTest tests[] = {cmocka_unit_test(in_space)};
  (void)in_time, (void)solutions;
#else
  const struct CMUnitTest tests[] = {cmocka_unit_test(solutions), cmocka_unit_test(in_space),
                                     cmocka_unit_test(in_time)};
#endif
  return cmocka_run_group_tests(tests, NULL, NULL);
}
