/* Lids over rims of cavities that are free: the surface is closed, forces are the derivative of the volume, and theirs is what the tangent
 * and what is beyond it say. */
#include "physics/material.h"
#include "tests/assembly/problem.h"
#include "tests/draw.h"

#include <math.h>
#include <stdlib.h>

static Exec *exec;

static void begin(Problem *p, ElementKind kind, bool half) {
  problem_box(p, exec, kind, 2, 0.1);
  p->material[0] = (MaterialValues){.kind = material_by_name("neo-hooke"), .value = {10, 0.3}};
  p->material[0].value[material_parameter(p->material[0].kind, "thickness")] = 1;
  p->params.finite = p->params.free_rim = p->params.allow_free_motion = true;
  if (half) problem_symmetry(p, "y0");
  problem_load(p, LOAD_CAVITY, "x1", "1", NULL, NULL);
  p->load[0].lid = true;
  assert_ok(problem_create(p));
  problem_assemble(p);
}

static double volume(Problem *p, const double *u) {
  double out;
  for (int64_t i = 0; i < elasticity_dofs(p->e); ++i) p->u[i] = u[i];
  problem_put(p);
  assert_ok(elasticity_cavity_volumes(p->e, p->exec_u, &out));
  return out;
}

static double *numbers(const Problem *p) { return calloc((size_t)elasticity_dofs(p->e), sizeof(double)); }

/* Drawn, 0 where it is held. */
static double *drawn(const Problem *p, uint64_t *seed, double size, bool half) {
  double *v = numbers(p);
  for (int64_t i = 0; i < elasticity_dofs(p->e); ++i)
    v[i] = half && i % 3 == 1 && fabs(p->mesh->x[i / 3][1]) < 1e-9 ? 0 : draw_between(seed, -size, size);
  return v;
}

/* What is at u as a whole moves and turns. */
static void check_closed(Problem *p, const double *u) {
  static const double c = 0.8, s = 0.6, to[3] = {3, -5, 7};
  const double before = volume(p, u);
  double *v = numbers(p);
  for (int32_t i = 0; i < p->mesh->n_node; ++i) {
    double x[3];
    for (int k = 0; k < 3; ++k) x[k] = p->mesh->x[i][k] + u[3 * i + k];
    const double turned[3] = {c * x[0] - s * x[2], x[1], s * x[0] + c * x[2]};
    for (int k = 0; k < 3; ++k) v[3 * i + k] = turned[k] + to[k] - p->mesh->x[i][k];
  }
  assert_true(fabs(before) > 1e-3);
  assert_within(volume(p, v), before, 1e-12);
  free(v);
}

static void check_forces(Problem *p, const double *u, const double *x, bool half) {
  const double h = 1e-5;
  const int64_t n = elasticity_dofs(p->e);
  double *side = numbers(p), *g = numbers(p), sum[3] = {0}, along = 0, difference = 0;
  for (int s = -1; s <= 1; s += 2) {
    for (int64_t i = 0; i < n; ++i) side[i] = u[i] + s * h * x[i];
    difference += s * volume(p, side) / (2 * h);
  }
  (void)volume(p, u);
  assert_ok(elasticity_cavity_forces(p->e, p->exec_u, 0, p->exec_r));
  assert_ok(exec_download(exec, g, p->exec_r, (size_t)n * sizeof *g));
  for (int64_t i = 0; i < n; ++i) along += g[i] * x[i], sum[i % 3] += g[i];
  assert_within(along, difference, 1e-8);
  for (int k = 0; k < 3; ++k)
    if (!half || k != 1) assert_within(sum[k], 0, 1e-13);
  free(side), free(g);
}

static void check_beyond(Problem *p, const double *u, const double *x) {
  const double h = 1e-6, pressure = 3;
  const int64_t n = elasticity_dofs(p->e);
  const size_t bytes = (size_t)n * sizeof(double);
  double *side[2] = {numbers(p), numbers(p)}, *change = numbers(p);
  assert_ok(elasticity_press_cavities(p->e, &pressure));
  for (int s = 0; s < 2; ++s) {
    for (int64_t i = 0; i < n; ++i) p->u[i] = u[i] + (s ? h : -h) * x[i];
    problem_put(p);
    problem_residual(p, side[s]);
  }
  assert_ok(exec_upload(exec, p->exec_u, u, bytes));
  problem_tangent(p);
  assert_ok(elasticity_beyond_at(p->e, p->exec_u));
  assert_ok(exec_upload(exec, p->exec_u, x, bytes));
  assert_ok(elasticity_beyond(p->e, p->exec_u, p->exec_r));
  assert_ok(exec_download(exec, change, p->exec_r, bytes));
  for (int64_t i = 0; i < n; ++i) {
    double there = change[i];
    if (x[i] == 0) continue;
    for (int64_t j = 0; j < n; ++j) there -= x[j] ? problem_entry(p, i, j) * x[j] : 0;
    assert_within((side[1][i] - side[0][i]) / (2 * h), there, 1e-5 * fmax(1, fabs(there)));
  }
  free(side[0]), free(side[1]), free(change);
}

static void lids(void **state) {
  (void)state;
  static const ElementKind kind[] = {ELEMENT_HEX8, ELEMENT_TET4, ELEMENT_TET10, ELEMENT_HEX27};
  uint64_t seed = 5;
  for (size_t k = 0; k < 2 * sizeof kind / sizeof *kind; ++k) {
    const bool half = k % 2;
    Problem p;
    begin(&p, kind[k / 2], half);
    double *u = drawn(&p, &seed, 0.06, half), *x = drawn(&p, &seed, 1, half);
    if (!half) check_closed(&p, u);
    check_forces(&p, u, x, half);
    check_beyond(&p, u, x);
    free(u), free(x);
    problem_release(&p);
  }
}

static void refused(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_QUAD9, 2, 0);
  p.params.finite = p.params.allow_free_motion = true;
  problem_load(&p, LOAD_CAVITY, "x1", "1", NULL, NULL);
  p.load[0].lid = true;
  assert_fails(problem_create(&p), ERR_INPUT, "of a flat or axisymmetric model");
  problem_release(&p);
  problem_box(&p, exec, ELEMENT_HEX8, 2, 0);
  p.params.finite = p.params.allow_free_motion = true;
  problem_symmetry(&p, "y0");
  problem_symmetry(&p, "y1");
  problem_symmetry(&p, "z0");
  problem_symmetry(&p, "z1");
  problem_load(&p, LOAD_CAVITY, "x1", "1", NULL, NULL);
  p.load[0].lid = true;
  assert_fails(problem_create(&p), ERR_INPUT, "of which no edge is open");
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lids), cmocka_unit_test(refused)};
  exec = testing_exec();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
