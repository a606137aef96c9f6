/* Materials that are not linear, or remember: the registry, the element kernels and the recovery are compiled here with
 * one more line in the list of materials. Residual = derivative of the energy, tangent = derivative of the residual,
 * states go from step to step, failures are told. */
#include "core/memory.h"
#include "physics/material.h"
#include "physics/material_kernels.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Exec *exec;

static MaterialValues neo_hooke(double young, double poisson) {
  return (MaterialValues){.kind = material_by_name("neo-hooke"), .value = {young, poisson, [6] = 1}};
}

/* lambda 3, mu 2, tau 0.5 */
static MaterialValues maxwell(double limit) {
  return (MaterialValues){.kind = material_by_name("maxwell"), .value = {3, 2, 0.5, limit}};
}

/* P = dW/dH and A = dP/dH at a large gradient, with a state and a time step. */
static void points(void **state) {
  (void)state;
  const MaterialValues given[2] = {neo_hooke(10, 0.3), maxwell(1)};
  const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, old[2] = {0.07, 1}, h = 1e-5;
  for (int m = 0; m < 2; ++m) {
    double law[LAW_SIZE], A[81], now[2];
    const double H[9] = {0.3, -0.2, 0.1, 0.15, -0.1, 0.25, -0.05, 0.12, 0.2};
    material_law(given[m].kind, MODEL_SOLID, given[m].value, axes, law);
    PointOut out = {.state = now, .A = A};
    PointIn in = {.H = H, .axes = axes, .old = old, .dt = 0.2};
    assert_int_equal(material_point(given[m].kind, law, &in, &out), 0);
    for (int k = 0; k < 9; ++k) {
      PointOut side[2] = {{.state = now}, {.state = now}};
      for (int s = 0; s < 2; ++s) {
        double moved[9];
        memcpy(moved, H, sizeof moved);
        moved[k] += s ? h : -h;
        in.H = moved;
        assert_int_equal(material_point(given[m].kind, law, &in, &side[s]), 0);
      }
      assert_near((side[1].energy - side[0].energy) / (2 * h), out.P[k], 1e-8);
      for (int i = 0; i < 9; ++i) assert_near((side[1].P[i] - side[0].P[i]) / (2 * h), A[9 * i + k], 1e-7);
    }
    for (int k = 0; k < 81; ++k) assert_near(A[k], A[k % 9 * 9 + k / 9], 1e-13);
  }
}

static void begin(Problem *p, ElementKind kind, MaterialValues material) {
  problem_box(p, exec, kind, 2, 0.1);
  p->material[0] = material;
  p->params.allow_free_motion = true;
}

/* Some displacement, of the size of the body times `size`. */
static void displace(Problem *p, double size) {
  const int64_t n = elasticity_dofs(p->e);
  const int dim = p->mesh->dim;
  for (int64_t i = 0; i < n; ++i) {
    const double *x = p->mesh->x[i / dim];
    p->u[i] = size * sin(2.1 * x[0] - 1.3 * x[1] + 0.7 * x[2] + 1.9 * (double)(i % dim));
  }
}

static void check_derivatives(ElementKind kind, MaterialValues material, double dt, bool has_energy) {
  Problem p;
  begin(&p, kind, material);
  assert_ok(problem_create(&p));
  assert_false(elasticity_linear(p.e));
  problem_assemble(&p);
  elasticity_set_step(p.e, dt);
  const int64_t n = elasticity_dofs(p.e);
  double *r = calloc((size_t)n, sizeof *r), *side[2] = {calloc((size_t)n, sizeof *r), calloc((size_t)n, sizeof *r)};
  displace(&p, 0.08);
  problem_put(&p);
  problem_residual(&p, r);
  assert_ok(elasticity_check_answer(p.e));
  problem_tangent(&p);
  const double h = 1e-5;
  for (int64_t j = 0; j < n; j += 1 + n / 7) {
    double energy[2];
    const double u = p.u[j];
    for (int s = 0; s < 2; ++s) {
      p.u[j] = u + (s ? h : -h);
      energy[s] = problem_energy(&p);
      problem_residual(&p, side[s]);
    }
    p.u[j] = u;
    if (has_energy) assert_near((energy[1] - energy[0]) / (2 * h), -r[j], 2e-8);
    for (int64_t i = 0; i < n; ++i) assert_near(-(side[1][i] - side[0][i]) / (2 * h), problem_entry(&p, i, j), 2e-7);
  }
  free(r), free(side[0]), free(side[1]);
  problem_release(&p);
}

static void elements(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI6, ELEMENT_QUAD4, ELEMENT_TET4, ELEMENT_HEX8};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    check_derivatives(kinds[k], neo_hooke(10, 0.3), 0, true);
    check_derivatives(kinds[k], maxwell(1), 0.2, false);
  }
}

/* A cube pulled to 1.5 of its length, by Newton's method: lateral stretch, P11 and sigma11 to ten digits. */
static void pulled(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_HEX8, 2, 0.1);
  p.material[0] = neo_hooke(10, 0.3);
  problem_fix(&p, "x0", "0", NULL, NULL);
  problem_fix(&p, "y0", NULL, "0", NULL);
  problem_fix(&p, "z0", NULL, NULL, "0");
  problem_fix(&p, "x1", "0.5", NULL, NULL);
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  const int64_t n = elasticity_dofs(p.e);
  double *r = calloc((size_t)n, sizeof *r), *du = calloc((size_t)n, sizeof *du), size[12] = {0};
  int step = 0;
  for (; step < 12; ++step) {
    problem_residual(&p, r);
    assert_ok(elasticity_check_answer(p.e));
    for (int64_t i = 0; i < n; ++i) size[step] = fmax(size[step], fabs(r[i]));
    if (size[step] < 1e-12) break;
    problem_tangent(&p);
    problem_solve_linear(&p, r, du);
    for (int64_t i = 0; i < n; ++i) p.u[i] += du[i];
    problem_put(&p);
  }
  assert_true(step < 9); /* quadratic at the end */
  assert_true(size[step - 1] < 1e-3 || size[step] < 1e-10);
  ElasticFields f;
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
  double force = 0;
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double *x = p.mesh->x[i];
    if (x[0] > 1 - 1e-9) force += f.reaction[i][0];
    assert_near(f.displacement[i][1], (0.8801745918 - 1) * x[1], 1e-9);
    assert_near(f.stress[i][0], 4.8828786111, 1e-8);
    assert_near(f.stress[i][1], 0, 1e-8);
  }
  assert_near(force, 3.7828017639, 1e-9);
  elastic_fields_release(&f);
  free(r), free(du);
  problem_release(&p);
}

/* Held at a constant change of volume the pressure decays by 1 / (1 + dt/tau) a step, and only with a commit. */
static void remembers(void **state) {
  (void)state;
  Problem p;
  begin(&p, ELEMENT_HEX8, maxwell(1));
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  const double strain = 0.01, dt = 0.2, rate = 1 / (1 + dt / 0.5);
  for (int64_t i = 0; i < elasticity_dofs(p.e); ++i) p.u[i] = strain * p.mesh->x[i / 3][i % 3];
  problem_put(&p);
  elasticity_set_step(p.e, dt);
  double decay = 1, *r = calloc((size_t)elasticity_dofs(p.e), sizeof *r);
  for (int step = 0; step < 4; ++step) {
    ElasticFields f;
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_POINT_STRESS, &f));
    for (int q = 0; q < 8; ++q) assert_near(f.point_stress[q][0], 3 * 3 * strain * decay + 4 * strain, 1e-14);
    elastic_fields_release(&f);
    problem_residual(&p, r);
    if (step != 1) { /* a step that is not accepted leaves no trace */
      assert_ok(elasticity_commit(p.e));
      decay *= rate;
    }
  }
  free(r);
  problem_release(&p);
}

/* A body whose nodes the solver numbers backwards, or not; u at node x is size times some function of it. */
static int32_t *begin_in_order(Problem *p, bool backwards) {
  begin(p, ELEMENT_HEX8, maxwell(1));
  const int32_t n = p->mesh->n_node;
  int32_t *rank = calloc((size_t)n, sizeof *rank);
  for (int32_t i = 0; i < n; ++i) rank[i] = backwards ? n - 1 - i : i;
  p->params.node_rank = rank;
  assert_ok(problem_create(p));
  problem_assemble(p);
  return rank;
}
static void move(Problem *p, const int32_t *rank, double size) {
  for (int32_t node = 0; node < p->mesh->n_node; ++node)
    for (int i = 0; i < 3; ++i) {
      const double *x = p->mesh->x[node];
      p->u[3 * rank[node] + i] = size * sin(2.1 * x[0] - 1.3 * x[1] + 0.7 * x[2] + 1.9 * i);
    }
  problem_put(p);
}

/* States begin with their material's values; what one body has lived through is saved in the order of the mesh, so that another,
 * whose nodes have other numbers, goes on with it. */
static void goes_on(void **state) {
  (void)state;
  const int kind = material_by_name("maxwell");
  const double dt[] = {0.2, 0.05, 0.11};
  assert_int_equal(material_state(kind, "age"), 1);
  assert_int_equal(material_state(kind, "temperature"), -1);
  assert_int_equal(material_state(material_by_name("neo-hooke"), "age"), -1);
  Problem p[2];
  ElasticFields f[2];
  int32_t *rank[2] = {begin_in_order(&p[0], false), begin_in_order(&p[1], true)};
  const int64_t bytes = elasticity_state_bytes(p[0].e), n = bytes / (2 * (int64_t)sizeof(double));
  assert_int_equal(n, 8 * 8); /* points, of 2 x 2 x 2 elements */
  double *saved = calloc(1, (size_t)bytes), *again = calloc(1, (size_t)bytes),
         *r = calloc((size_t)elasticity_dofs(p[0].e), sizeof *r);
  assert_ok(elasticity_state_save(p[0].e, saved));
  for (int64_t k = 0; k < n; ++k) assert_true(saved[k] == 0 && saved[n + k] == 2.5);
  for (int step = 0; step < 3; ++step) {
    move(&p[0], rank[0], 0.03 * (step + 1));
    elasticity_set_step(p[0].e, dt[step]);
    problem_residual(&p[0], r);
    assert_ok(elasticity_commit(p[0].e));
  }
  assert_ok(elasticity_state_save(p[0].e, saved));
  for (int64_t k = 0; k < n; ++k) assert_near(saved[n + k], 2.5 + 0.36, 1e-14);
  for (int64_t k = 1; k < n; ++k) assert_true(saved[k] != saved[k - 1]); /* each point has its own */
  assert_ok(elasticity_state_restore(p[1].e, saved));
  assert_ok(elasticity_state_save(p[1].e, again));
  assert_memory_equal(saved, again, (size_t)bytes);
  for (int b = 0; b < 2; ++b) {
    move(&p[b], rank[b], -0.02);
    elasticity_set_step(p[b].e, 0.3);
    assert_ok(elasticity_recover(p[b].e, p[b].exec_u, FIELD_POINT_STRESS, &f[b]));
  }
  assert_memory_equal(f[0].point_stress, f[1].point_stress, (size_t)n * sizeof *f[0].point_stress);
  for (int b = 0; b < 2; ++b) elastic_fields_release(&f[b]), problem_release(&p[b]), free(rank[b]);
  free(saved), free(again), free(r);
}

/* Residual and messages where a point has no answer. */
static void fails(void **state) {
  (void)state;
  Problem p;
  begin(&p, ELEMENT_HEX8, maxwell(0.05));
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  double *r = calloc((size_t)elasticity_dofs(p.e), sizeof *r);
  displace(&p, 1e-3);
  problem_put(&p);
  problem_residual(&p, r);
  assert_ok(elasticity_check_answer(p.e));
  p.u[0] += 0.4;
  problem_put(&p);
  problem_residual(&p, r);
  assert_fails(elasticity_check_answer(p.e), ERR_NUMERIC,
               "the material gives no stress in 1 element: the first is hex8");
  p.u[0] -= 0.4;
  problem_put(&p);
  problem_residual(&p, r);
  assert_ok(elasticity_check_answer(p.e));
  problem_release(&p);
  begin(&p, ELEMENT_TRI3, neo_hooke(10, 0.3));
  p.model = MODEL_PLANE_STRESS;
  assert_fails(problem_create(&p), ERR_INPUT, "material 'neo-hooke' has no plane-stress form");
  free(r);
  problem_release(&p);
}

/* States as results: means of elements are those of their points, averages at nodes reproduce what is the same everywhere, whatever
 * the numbers of the nodes; a state that a material has not is 0; and only a step that is accepted changes them. */
static void as_fields(void **state) {
  (void)state;
  const char *const word[3] = {"age", "viscous-strain", "temperature"};
  const double dt = 0.3, strain = 0.01, share = dt / (0.5 + dt);
  Problem p[2];
  ElasticFields f[2];
  int32_t *rank[2] = {begin_in_order(&p[0], false), begin_in_order(&p[1], true)};
  const int64_t bytes = elasticity_state_bytes(p[0].e), n = bytes / (2 * (int64_t)sizeof(double));
  double *saved = calloc(1, (size_t)bytes), *r = calloc((size_t)elasticity_dofs(p[0].e), sizeof *r);
  for (int way = 0; way < 2; ++way) /* the same change of volume everywhere, then any */
    for (int b = 0; b < 2; ++b) {
      for (int32_t i = 0; i < p[b].mesh->n_node; ++i)
        for (int c = 0; c < 3; ++c) p[b].u[3 * rank[b][i] + c] = strain * p[b].mesh->x[i][c];
      if (way) move(&p[b], rank[b], 0.05);
      else problem_put(&p[b]);
      elasticity_set_step(p[b].e, dt);
      assert_ok(elasticity_recover_states(p[b].e, 3, word));
      problem_residual(&p[b], r);
      if (!way) {
        assert_ok(elasticity_recover(p[b].e, p[b].exec_u, FIELD_STATES, &f[b]));
        for (int32_t i = 0; i < p[b].mesh->n_node; ++i) assert_near(f[b].states[i], 2.5, 1e-14);
        elastic_fields_release(&f[b]);
      }
      assert_ok(elasticity_commit(p[b].e));
      assert_ok(elasticity_recover(p[b].e, p[b].exec_u, FIELD_STATES | FIELD_ELEMENT_STATES, &f[b]));
      const int32_t nodes = p[b].mesh->n_node;
      assert_ok(elasticity_state_save(p[b].e, saved));
      for (int32_t i = 0; i < nodes; ++i) {
        assert_near(f[b].states[i], 2.5 + (way + 1) * dt, 1e-14);
        assert_near(f[b].states[2 * nodes + i], 0, 0);
        if (!way) assert_near(f[b].states[nodes + i], share * 3 * strain, 1e-15);
        else if (b) assert_near(f[1].states[nodes + i], f[0].states[nodes + i], 1e-15);
      }
      for (int32_t e = 0; e < 8; ++e) {
        double mean = 0;
        for (int q = 0; q < 8; ++q) mean += saved[8 * e + q] / 8;
        assert_near(f[b].element_states[8 + e], mean, 1e-16);
      }
      assert_int_equal(n, 8 * 8);
      if (b) elastic_fields_release(&f[0]);
      if (b) elastic_fields_release(&f[1]);
    }
  for (int b = 0; b < 2; ++b) free(rank[b]), problem_release(&p[b]);
  free(saved), free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(points),    cmocka_unit_test(elements), cmocka_unit_test(pulled),
                                     cmocka_unit_test(remembers), cmocka_unit_test(goes_on),  cmocka_unit_test(fails),
                                     cmocka_unit_test(as_fields)};
  exec = testing_exec();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
