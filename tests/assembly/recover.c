/* What is recovered from a solution: NAFEMS LE1, reactions that balance, energy, probes of the definitions. */
#include "assembly/elasticity/elasticity_data.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Exec *exec;

/* The quarter between the ellipses (x/2)^2 + y^2 = 1 and (x/3.25)^2 + (y/2.75)^2 = 1: x0 inner, x1 outer, y0 on the x
 * axis, y1 on the y axis. */
static void ellipses(double x[3]) {
  const double angle = 0.5 * 3.14159265358979323846 * x[1], s = x[0];
  const double inner[2] = {2 * cos(angle), sin(angle)}, outer[2] = {3.25 * cos(angle), 2.75 * sin(angle)};
  x[0] = (1 - s) * inner[0] + s * outer[0];
  x[1] = (1 - s) * inner[1] + s * outer[1];
}

static int32_t node_at(const Mesh *mesh, double x, double y, double z) {
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (fabs(mesh->x[i][0] - x) + fabs(mesh->x[i][1] - y) + fabs(mesh->x[i][2] - z) < 1e-9) return i;
  fail_msg("no node at (%g, %g, %g)", x, y, z);
  return -1;
}

static void le1_with(ElementKind kind, int n, double tolerance, double tolerance_u) {
  Problem p;
  problem_box(&p, exec, kind, n, 0);
  bend_mesh(p.mesh, ellipses);
  p.model = MODEL_PLANE_STRESS;
  p.material[0] = (MaterialValues){.kind = 0, .value = {210e9, 0.3, 0.1, 0}};
  problem_fix(&p, "y1", "0", NULL, NULL);
  problem_fix(&p, "y0", NULL, "0", NULL);
  problem_load(&p, LOAD_PRESSURE, "x1", "-10e6", NULL, NULL);
  problem_solve(&p);
  ElasticFields f;
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
  const int32_t at = node_at(p.mesh, 2, 0, 0);
  print_message("%s %d: syy %.4f ux %.6e\n", element_type(kind)->name, n, f.stress[at][1] / 1e6, f.displacement[at][0]);
  assert_relative(f.stress[at][1], 92.658e6, tolerance);
  assert_relative(f.displacement[at][0], -1.0220850e-4, tolerance_u);
  elastic_fields_release(&f);
  problem_release(&p);
}

static void le1(void **state) {
  (void)state;
  le1_with(ELEMENT_QUAD8, 8, 0.02, 1e-2);
  le1_with(ELEMENT_QUAD9, 8, 0.02, 1e-2);
  le1_with(ELEMENT_TRI6, 16, 0.02, 1e-2);
  le1_with(ELEMENT_QUAD9, 16, 0.005, 2e-4);
}

/* Reactions balance the loads and vanish where nothing is held. */
static void balance(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI6, ELEMENT_QUAD4, ELEMENT_TET4, ELEMENT_HEX8, ELEMENT_HEX20};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    Problem p;
    problem_box(&p, exec, kinds[k], 3, 0.2);
    const int dim = p.mesh->dim;
    p.material[0].value[2] = 0.4;
    p.material[0].value[3] = 2;
    problem_fix(&p, "x0", "0", NULL, NULL);
    problem_fix(&p, "y0", "0.01*y", "0", "0");
    problem_load(&p, LOAD_TRACTION, "x1", "1", "2*y", "3");
    problem_load(&p, LOAD_GRAVITY, "body", "0", "-9.81", "1");
    problem_load(&p, LOAD_SPRING, "y1", "9", "8", "7");
    problem_solve(&p);
    ElasticFields f;
    double load[3], sum[3] = {0};
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
    assert_ok(elasticity_total_load(p.e, load));
    for (int32_t i = 0; i < p.mesh->n_node; ++i) {
      const double *x = p.mesh->x[i];
      for (int c = 0; c < 3; ++c) sum[c] += f.reaction[i][c];
      if (x[0] > 1e-9 && x[1] > 1e-9 && x[1] < 1 - 1e-9) /* neither held nor sprung */
        for (int c = 0; c < 3; ++c) assert_true(f.reaction[i][c] == 0);
      if (x[0] < 1e-9 && x[1] > 1e-9 && x[1] < 1 - 1e-9) assert_true(f.reaction[i][1] == 0); /* held in x only */
    }
    for (int c = 0; c < dim; ++c) assert_near(sum[c], -load[c], 1e-11);
    double energy = 0;
    for (int32_t e = 0; e < problem_group(&p, "body")->n; ++e) {
      assert_true(f.strain_energy[e] > 0);
      energy += f.strain_energy[e];
    }
    assert_near(energy, f.energy, 1e-13);
    elastic_fields_release(&f);
    problem_release(&p);
  }
}

/* u = (x, 0, 0) e on two materials side by side: constant stress in each, on the interface that of the lower number,
 * and the other's beside it; a third material that equals the first is the first. */
static void two_materials(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_HEX8, 2, 0);
  p.material[0] = (MaterialValues){.kind = 0, .value = {1000, 0, 1, 0}};
  p.material[p.n_material++] = (MaterialValues){.kind = 0, .value = {3000, 0, 1, 0}};
  p.material[p.n_material++] = p.material[0];
  const Group *body = problem_group(&p, "body");
  for (int32_t k = 0; k < body->n; ++k) {
    double x = 0;
    for (int a = 0; a < 8; ++a) x += p.mesh->x[mesh_nodes_of(p.mesh, body->element[k])[a]][0] / 8;
    p.element_material[body->element[k]] = x > 0.5 ? 1 : k % 4 ? 0 : 2;
  }
  problem_fix(&p, "body", "1e-3*x", "0", "0");
  problem_solve(&p);
  ElasticFields f;
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double x = p.mesh->x[i][0], wanted = x < 0.6 ? 1 : 3;
    assert_near(f.stress[i][0], wanted, 1e-12);
    assert_near(f.von_mises[i], wanted, 1e-12);
    assert_near(f.principal[i][0], wanted, 1e-12);
    assert_near(f.principal[i][2], 0, 1e-12);
    const int64_t other = elastic_fields_other(&f, i, 1);
    assert_int_equal(other >= 0, x > 0.4 && x < 0.6);
    assert_int_equal(elastic_fields_other(&f, i, 0), -1);
    if (other >= 0) assert_near(f.other[other].stress[0], 3, 1e-12);
  }
  assert_int_equal(f.n_other, 9);
  for (int32_t e = 0; e < body->n; ++e) {
    const double stiff = p.element_material[body->element[e]] == 1 ? 3 : 1;
    assert_int_equal(f.material[e], p.element_material[body->element[e]] == 1);
    assert_near(f.element_stress[e][0], stiff, 1e-12);
    assert_near(f.strain_energy[e], 0.5 * stiff * 1e-3 / 8, 1e-15);
    assert_int_equal(f.point_start[e], 8 * e);
  }
  assert_near(f.energy, 0.5 * 4 * 1e-3 / 2, 1e-15);
  elastic_fields_release(&f);
  problem_release(&p);
}

/* A quadratic displacement gives a linear stress, which quadratic elements on straight cells have exactly at nodes. */
static void stress_is_linear(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI6, ELEMENT_QUAD8, ELEMENT_QUAD9, ELEMENT_TET10, ELEMENT_HEX20, ELEMENT_HEX27};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    Problem p;
    problem_box(&p, exec, kinds[k], 2, 0);
    p.material[0] = (MaterialValues){.kind = 0, .value = {1000, 0, 1, 0}};
    problem_fix(&p, "body", "1e-3*x*x", "0", "0");
    problem_solve(&p);
    ElasticFields f;
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_STRESS | FIELD_PRINCIPAL, &f));
    assert_null(f.displacement);
    assert_null(f.point_stress);
    for (int32_t i = 0; i < p.mesh->n_node; ++i) assert_near(f.stress[i][0], 2 * p.mesh->x[i][0], 1e-11);
    elastic_fields_release(&f);
    problem_release(&p);
  }
}

static void turn(double x[3]) {
  const double y[2] = {0.8 * x[0] - 0.6 * x[1], 0.6 * x[0] + 0.8 * x[1]};
  x[0] = y[0];
  x[1] = y[1];
}

/* Two materials, a skew symmetry, supports and springs; all nodes moved, to where nothing is in balance. */
static void describe_any(Problem *p, Exec *on, int n, double size) {
  problem_box(p, on, ELEMENT_HEX8, n, 0.2);
  bend_mesh(p->mesh, turn);
  problem_material(p, "body", 3000, 0.2);
  for (int32_t e = 0; e < p->mesh->n_element / 2; ++e)
    if (p->element_material[e] == 1) p->element_material[e] = 0;
  problem_symmetry(p, "x0");
  problem_fix(p, "y1", "0", NULL, "1");
  problem_load(p, LOAD_SPRING, "z1", "9", "8", "7");
  assert_ok(problem_create(p));
  const int64_t dofs = elasticity_dofs(p->e);
  double *u = calloc((size_t)dofs, sizeof *u);
  for (int64_t i = 0; i < dofs; ++i) u[i] = size * (double)(i * 7919 % 1009);
  assert_ok(exec_alloc_upload(on, dofs, sizeof *u, u, "test", (void **)&p->exec_u));
  assert_ok(exec_alloc(on, dofs, sizeof *u, "test", (void **)&p->exec_r));
  free(u);
}

static void same_for_any_number_of_threads(void **state) {
  (void)state;
  const int threads[] = {1, 2, 3, 5};
  Exec *on[4];
  Problem p[4];
  ElasticFields f[4];
  for (int k = 0; k < 4; ++k) {
    assert_ok(exec_create_cpu(threads[k], &on[k]));
    describe_any(&p[k], on[k], 16, 1e-3);
    assert_ok(elasticity_recover(p[k].e, p[k].exec_u, FIELD_ALL, &f[k]));
    const size_t n = (size_t)p[k].mesh->n_node, n_solved = (size_t)p[k].e->space->set.n_solved;
    assert_true(f[k].finite && f[k].n_other > 0);
    assert_int_equal(f[k].n_other, f[0].n_other);
    assert_memory_equal(f[k].displacement, f[0].displacement, n * sizeof *f->displacement);
    assert_memory_equal(f[k].reaction, f[0].reaction, n * sizeof *f->reaction);
    assert_memory_equal(f[k].stress, f[0].stress, n * sizeof *f->stress);
    assert_memory_equal(f[k].von_mises, f[0].von_mises, n * sizeof *f->von_mises);
    assert_memory_equal(f[k].principal, f[0].principal, n * sizeof *f->principal);
    assert_memory_equal(f[k].strain_energy, f[0].strain_energy, n_solved * sizeof *f->strain_energy);
    assert_memory_equal(f[k].element_stress, f[0].element_stress, n_solved * sizeof *f->element_stress);
    assert_memory_equal(f[k].point_stress, f[0].point_stress, 8 * n_solved * sizeof *f->point_stress);
    assert_memory_equal(f[k].other, f[0].other, (size_t)f->n_other * sizeof *f->other);
    assert_memory_equal(&f[k].energy, &f[0].energy, sizeof f->energy);
  }
  for (int k = 0; k < 4; ++k) {
    elastic_fields_release(&f[k]);
    problem_release(&p[k]);
    exec_destroy(&on[k]);
  }
}

/* Of another displacement into the same arrays; a number that is not finite is noticed in each field at nodes. */
static void again_and_not_finite(void **state) {
  (void)state;
  const unsigned fields[] = {FIELD_DISPLACEMENT, FIELD_REACTION, FIELD_STRESS, FIELD_VON_MISES, FIELD_PRINCIPAL};
  Problem p;
  ElasticFields f;
  describe_any(&p, exec, 2, 1e-3);
  const int64_t dofs = elasticity_dofs(p.e);
  double *u = calloc((size_t)dofs, sizeof *u);
  for (int k = 0; k < 5; ++k) {
    assert_ok(elasticity_recover(p.e, p.exec_u, fields[k], &f));
    assert_true(f.finite && isfinite(f.energy) && f.energy > 0);
    for (int64_t i = 0; i < dofs; ++i) u[i] = i == dofs / 2 ? (double)NAN : 0;
    assert_ok(exec_upload(exec, p.exec_r, u, (size_t)dofs * sizeof *u));
    assert_ok(elasticity_recover_again(p.e, p.exec_r, &f));
    assert_ok(elastic_fields_wait(p.e, &f));
    assert_false(f.finite);
    assert_ok(exec_zero(exec, p.exec_r, (size_t)dofs * sizeof *u));
    assert_ok(elasticity_recover_again(p.e, p.exec_r, &f));
    assert_ok(elastic_fields_wait(p.e, &f));
    assert_true(f.finite && f.energy == 0);
    elastic_fields_release(&f);
  }
  free(u);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(le1),
                                     cmocka_unit_test(balance),
                                     cmocka_unit_test(two_materials),
                                     cmocka_unit_test(stress_is_linear),
                                     cmocka_unit_test(same_for_any_number_of_threads),
                                     cmocka_unit_test(again_and_not_finite)};
  return testing_run("assembly/recover", tests, exec);
}
