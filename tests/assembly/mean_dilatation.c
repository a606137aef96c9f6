/* Mean dilatation, for every element that has it: forces are the derivative of the energy and the tangent that of the
 * forces, with any material; displacements that are linear feel no difference; Cook's membrane that keeps its volume
 * does not lock, and its Newton steps converge quadratically. */
#include "physics/material.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Exec *exec;

static MaterialValues values_of(const char *type, int n, const char *const *name, const double *value) {
  MaterialValues m = {.kind = material_by_name(type)};
  const MaterialType *t = material_type(m.kind);
  for (int i = 0; i < t->n_param; ++i) m.value[i] = t->param[i].value;
  for (int i = 0; i < n; ++i) m.value[material_parameter(m.kind, name[i])] = value[i];
  assert_ok(material_check(m.kind, m.value));
  return m;
}
#define LIST(...) __VA_ARGS__
#define VALUES(type, n, names, ...) values_of(type, n, (const char *const[]){names}, (const double[]){__VA_ARGS__})

static void begin(Problem *p, ElementKind kind, int n, bool finite, MaterialValues material) {
  problem_box(p, exec, kind, n, 0.1);
  p->material[0] = material;
  p->params.allow_free_motion = true;
  p->params.finite = finite;
  p->params.formulation = FORMULATION_MEAN_DILATATION;
}

static void check_derivatives(ElementKind kind, ElasticModel model, bool finite, MaterialValues material) {
  Problem p;
  begin(&p, kind, kind == ELEMENT_HEX27 ? 1 : 2, finite, material);
  if (model == MODEL_AXISYMMETRIC) {
    p.model = model;
    for (int32_t i = 0; i < p.mesh->n_node; ++i) p.mesh->x[i][0] += 0.5;
  }
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  const int64_t n = elasticity_dofs(p.e);
  double *r = calloc((size_t)n, sizeof *r), *side[2] = {calloc((size_t)n, sizeof *r), calloc((size_t)n, sizeof *r)};
  for (int64_t i = 0; i < n; ++i) {
    const double *x = p.mesh->x[i / p.mesh->dim];
    p.u[i] = 0.06 * sin(2.1 * x[0] - 1.3 * x[1] + 0.7 * x[2] + 1.9 * (double)(i % p.mesh->dim));
  }
  problem_put(&p);
  problem_residual(&p, r);
  assert_ok(elasticity_check_answer(p.e));
  problem_tangent(&p);
  double size = 0, stiff = 0;
  for (int64_t i = 0; i < n; ++i) size = fmax(size, fabs(r[i])), stiff = fmax(stiff, fabs(problem_entry(&p, i, i)));
  const double h = 1e-5;
  for (int64_t j = 0; j < n; j += 1 + n / 5) {
    double energy[2];
    const double u = p.u[j];
    for (int s = 0; s < 2; ++s) {
      p.u[j] = u + (s ? h : -h);
      energy[s] = problem_energy(&p);
      problem_residual(&p, side[s]);
    }
    p.u[j] = u;
    assert_within((energy[1] - energy[0]) / (2 * h), -r[j], 1e-7 * size);
    for (int64_t i = 0; i < n; ++i) {
      assert_within(-(side[1][i] - side[0][i]) / (2 * h), problem_entry(&p, i, j), 1e-7 * stiff);
      assert_within(problem_entry(&p, j, i), problem_entry(&p, i, j), 1e-14 * stiff);
    }
  }
  free(r), free(side[0]), free(side[1]);
  problem_release(&p);
}

static const ElementKind KINDS[] = {ELEMENT_TRI6,  ELEMENT_QUAD4, ELEMENT_QUAD9,
                                    ELEMENT_TET10, ELEMENT_HEX8,  ELEMENT_HEX27};

static void derivatives(void **state) {
  (void)state;
  const MaterialValues whole = VALUES("neo-hooke", 2, LIST("young", "poisson"), 10, 0.45),
                       apart = VALUES("mooney-rivlin", 3, LIST("c10", "c01", "poisson"), 1, 0.5, 0.48),
                       linear = VALUES("isotropic", 2, LIST("young", "poisson"), 10, 0.45);
  for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; ++k) {
    check_derivatives(KINDS[k], MODEL_SOLID, true, k % 2 ? whole : apart);
    check_derivatives(KINDS[k], MODEL_SOLID, false, linear);
  }
  check_derivatives(ELEMENT_QUAD9, MODEL_AXISYMMETRIC, true, whole);
  check_derivatives(ELEMENT_QUAD4, MODEL_AXISYMMETRIC, false, linear);
}

/* The forces of displacements that are linear in x are those without it. */
static void patch(void **state) {
  (void)state;
  const MaterialValues rubber = VALUES("neo-hooke", 2, LIST("young", "poisson"), 10, 0.499),
                       linear = VALUES("isotropic", 2, LIST("young", "poisson"), 10, 0.4999);
  const double H[9] = {0.1, -0.2, 0.15, 0.05, 0.12, -0.1, 0.2, 0.1, -0.05};
  for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; ++k)
    for (int finite = 0; finite < 2; ++finite) {
      double *r[2] = {NULL, NULL}, size = 0;
      int64_t n = 0;
      for (int way = 0; way < 2; ++way) {
        Problem p;
        begin(&p, KINDS[k], 2, finite, finite ? rubber : linear);
        if (way) p.params.formulation = FORMULATION_DISPLACEMENT;
        assert_ok(problem_create(&p));
        problem_assemble(&p);
        n = elasticity_dofs(p.e);
        const int dim = p.mesh->dim;
        for (int64_t i = 0; i < n; ++i) {
          p.u[i] = 0;
          for (int j = 0; j < dim; ++j) p.u[i] += H[3 * (i % dim) + j] * p.mesh->x[i / dim][j];
        }
        problem_put(&p);
        r[way] = calloc((size_t)n, sizeof **r);
        problem_residual(&p, r[way]);
        problem_release(&p);
      }
      for (int64_t i = 0; i < n; ++i) size = fmax(size, fabs(r[1][i]));
      for (int64_t i = 0; i < n; ++i) assert_within(r[0][i], r[1][i], 1e-12 * size);
      free(r[0]), free(r[1]);
    }
}

static void to_cook(double x[3]) {
  const double s = x[0], t = x[1];
  x[0] = 48 * s;
  x[1] = 44 * s + t * (44 - 28 * s);
}

enum { LOAD_STEPS = 24 };
/* Newton's method at each of so many load steps: short ones, since without a line search a pressure that is far off ends
 * in a matrix that is not definite. most: the largest corrections in the last of them. */
static void load_steps(Problem *p, int n_step, double *most) {
  const int64_t n = elasticity_dofs(p->e);
  double *r = calloc((size_t)n, sizeof *r), *du = calloc((size_t)n, sizeof *du);
  for (int step = 1; step <= n_step; ++step) {
    assert_ok(elasticity_load_at_time(p->e, (double)step / n_step));
    for (int k = 0; k < 12 && (k == 0 || most[k - 1] > 1e-9); ++k) {
      problem_residual(p, r);
      assert_ok(elasticity_check_answer(p->e));
      problem_tangent(p);
      problem_solve_linear(p, r, du);
      most[k] = most[k + 1] = 0;
      for (int64_t i = 0; i < n; ++i) p->u[i] += du[i], most[k] = fmax(most[k], fabs(du[i]));
      problem_put(p);
    }
  }
  free(r), free(du);
}

/* Displacement of Cook's membrane at its corner (48, 60) under a force of 100. */
static double cook(ElementKind kind, int n, bool finite, ElasticFormulation formulation, MaterialValues material) {
  Problem p;
  double tip = 0, most[13] = {0};
  problem_box(&p, exec, kind, n, 0);
  p.material[0] = material;
  p.params.finite = finite;
  p.params.formulation = formulation;
  bend_mesh(p.mesh, to_cook);
  problem_fix(&p, "x0", "0", "0", NULL);
  problem_load(&p, LOAD_TRACTION, "x1", "0", "6.25*t", NULL);
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  load_steps(&p, finite ? LOAD_STEPS : 1, most);
  /* quadratic, once pressures are right, to what solves leave */
  for (int k = 3; finite && k < 12 && most[k] > 1e-10; ++k) assert_true(most[k] < most[k - 1] * most[k - 1]);
  for (int32_t i = 0; i < p.mesh->n_node; ++i)
    if (p.mesh->x[i][0] > 48 - 1e-9 && p.mesh->x[i][1] > 60 - 1e-9) tip = p.u[2 * i + 1];
  problem_release(&p);
  return tip;
}

static void membrane(void **state) {
  (void)state;
  const double bulk = 400889.8, mu = 80.194, nu = (3 * bulk - 2 * mu) / (2 * (3 * bulk + mu));
  const MaterialValues linear = VALUES("isotropic", 2, LIST("young", "poisson"), 2 * mu * (1 + nu), nu),
                       rubber = VALUES("neo-hooke", 3, LIST("shear", "bulk", "volumetric"), mu, bulk, 2);
  const double locked = cook(ELEMENT_QUAD4, 8, false, FORMULATION_DISPLACEMENT, linear);
  const double free4 = cook(ELEMENT_QUAD4, 8, false, FORMULATION_MEAN_DILATATION, linear);
  const double free9 = cook(ELEMENT_QUAD9, 8, false, FORMULATION_MEAN_DILATATION, linear);
  const double finite = cook(ELEMENT_QUAD9, 4, true, FORMULATION_MEAN_DILATATION, rubber);
  assert_true(locked < 2.3);
  assert_relative(free4, 8.1, 0.07);
  assert_relative(free9, 8.1, 0.015);
  assert_relative(finite, 6.935, 0.01); /* 6.893 with 6 cells along a side, 6.904 with 8 */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives), cmocka_unit_test(patch),
                                     cmocka_unit_test(membrane)};
  return testing_run("mean_dilatation", tests, exec);
}
