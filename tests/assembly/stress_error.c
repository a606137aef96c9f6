/* The estimated error of the stress, strain and principal directions at nodes, against what is known of them. */
#include "assembly/diffusion/flux_error.h"
#include "assembly/elasticity/elasticity_data.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdlib.h>

static Exec *exec;
static const double LINEAR = 1.2; /* of linear elements, the true error over the estimate */

/* Each element's own stress is constant along x, the averages at nodes are linear: with u = x^2 on cells of length h the
 * one differs from the other by h / sqrt(3) in the mean square, in each element, and the stress by element is 2 x at the
 * middle. */
static void of_quadratic_displacement(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_QUAD4, ELEMENT_HEX8};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    Problem p;
    problem_box(&p, exec, kinds[k], 4, 0);
    p.model = p.mesh->dim == 2 ? MODEL_PLANE_STRESS : MODEL_SOLID;
    p.material[0] = (MaterialValues){.kind = 0, .value = {1000, 0, 1, 0}};
    problem_fix(&p, "body", "1e-3*x*x", "0", "0");
    problem_solve(&p);
    ElasticFields f;
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_STRESS_ERROR, &f));
    for (int32_t e = 0; e < p.e->space->set.n_solved; ++e)
      assert_near(f.stress_error[e], LINEAR * 0.25 / sqrt(3), 1e-12);
    const double error = LINEAR * LINEAR * 0.0625 / 3;
    assert_near(f.error, sqrt(error / (error + 1.3125)), 1e-12);
    elastic_fields_release(&f);
    problem_release(&p);
  }
}

/* Stress that jumps where materials meet is no error; one number of a node that is off is, around it. */
static void of_two_materials(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_HEX8, 4, 0);
  p.material[0] = (MaterialValues){.kind = 0, .value = {1000, 0, 1, 0}};
  p.material[p.n_material++] = (MaterialValues){.kind = 0, .value = {3000, 0, 1, 0}};
  const Group *body = problem_group(&p, "body");
  for (int32_t k = 0; k < body->n; ++k) {
    double x = 0;
    for (int a = 0; a < 8; ++a) x += p.mesh->x[mesh_nodes_of(p.mesh, body->element[k])[a]][0] / 8;
    p.element_material[body->element[k]] = x > 0.5;
  }
  problem_fix(&p, "body", "1e-3*x", "0", "0");
  problem_solve(&p);
  ElasticFields f;
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_STRESS, &f));
  assert_null(f.stress_error);
  assert_true(f.n_other > 0 && f.error >= 0 && f.error < 1e-14);
  elastic_fields_release(&f);
  const double off = 1;
  const int32_t last = p.mesh->n_node - 1;
  assert_ok(exec_upload(exec, p.exec_u + 3 * last, &off, sizeof off));
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_STRESS_ERROR, &f));
  bool near = false;
  const int32_t *nodes = mesh_nodes_of(p.mesh, body->element[f.error_element]);
  for (int a = 0; a < 8; ++a) near |= nodes[a] == last;
  assert_true(near && f.error > 0.1);
  elastic_fields_release(&f);
  problem_release(&p);
}

/* Of u = A x, in a body of two materials: strain is that everywhere, and the directions are eigenvectors of the stress. */
static void strain_and_directions(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI6, ELEMENT_TET4, ELEMENT_HEX20};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    Problem p;
    problem_box(&p, exec, kinds[k], 2, 0.2);
    const bool flat = p.mesh->dim == 2;
    problem_fix(&p, "body", flat ? "1e-3*x+2e-3*y" : "1e-3*x+2e-3*y+3e-3*z", "4e-3*x-5e-3*y", "6e-3*y+7e-3*z");
    problem_solve(&p);
    ElasticFields f;
    const double wanted[6] = {1e-3, -5e-3, flat ? 0 : 7e-3, 6e-3, flat ? 0 : 6e-3, flat ? 0 : 3e-3};
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
    for (int32_t i = 0; i < p.mesh->n_node; ++i) {
      const double *s = f.stress[i], S[3][3] = {{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
      for (int c = 0; c < 6; ++c) assert_near(f.strain[i][c], wanted[c], 1e-14);
      for (int d = 0; d < 3; ++d) {
        const double *v = (d == 0 ? f.direction_1 : d == 1 ? f.direction_2 : f.direction_3)[i];
        assert_near(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1, 1e-14);
        for (int r = 0; r < 3; ++r)
          assert_near(S[r][0] * v[0] + S[r][1] * v[1] + S[r][2] * v[2], f.principal[i][d] * v[r],
                      1e-12 * fabs(f.principal[i][0] - f.principal[i][2]));
      }
    }
    elastic_fields_release(&f);
    problem_release(&p);
  }
}

/* The bits of one thread with more of them. */
static void same_for_any_number_of_threads(void **state) {
  (void)state;
  const int threads[] = {1, 2, 3, 5};
  Exec *on[4];
  Problem p[4];
  ElasticFields f[4];
  for (int k = 0; k < 4; ++k) {
    assert_ok(exec_create_cpu(threads[k], &on[k]));
    problem_box(&p[k], on[k], ELEMENT_HEX8, 9, 0.1);
    problem_fix(&p[k], "body", "1e-3*x*y", "1e-3*z*z", "x");
    problem_solve(&p[k]);
    assert_ok(elasticity_recover(p[k].e, p[k].exec_u, FIELD_ALL, &f[k]));
    const size_t n = (size_t)p[k].mesh->n_node, n_solved = (size_t)p[k].e->space->set.n_solved;
    assert_memory_equal(f[k].strain, f[0].strain, n * sizeof *f->strain);
    assert_memory_equal(f[k].direction_3, f[0].direction_3, n * sizeof *f->direction_3);
    assert_memory_equal(f[k].stress_error, f[0].stress_error, n_solved * sizeof *f->stress_error);
    assert_memory_equal(&f[k].error, &f[0].error, sizeof f->error);
    assert_int_equal(f[k].error_element, f[0].error_element);
  }
  for (int k = 0; k < 4; ++k) {
    elastic_fields_release(&f[k]);
    problem_release(&p[k]);
    exec_destroy(&on[k]);
  }
}

/* The same of fluxes: of x^2, by element, with the tensor; and none where materials meet, along which the flux jumps. */
static void of_fluxes(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_QUAD4, ELEMENT_HEX8};
  for (size_t k = 0; k < 2 * sizeof kinds / sizeof *kinds; ++k) {
    Problem p;
    const bool kink = k >= 2;
    problem_box(&p, exec, kinds[k % 2], 4, 0);
    const Group *body = problem_group(&p, "body");
    const int32_t n = body->n, first = body->element[0], n_node = element_type(kinds[k % 2])->n_node;
    double(*tensor)[6] = calloc((size_t)n, sizeof *tensor), *u = calloc((size_t)p.mesh->n_node, sizeof *u);
    double *share = calloc((size_t)n, sizeof *share), *square = calloc((size_t)n, sizeof *square),
           *middle = calloc((size_t)n, sizeof *middle);
    int32_t *material = calloc((size_t)n, sizeof *material);
    for (int32_t e = 0; e < n; ++e) {
      for (int a = 0; a < n_node; ++a) middle[e] += p.mesh->x[mesh_nodes_of(p.mesh, first + e)[a]][0] / n_node;
      material[e] = kink && middle[e] > 0.5;
      const double D[6] = {material[e] ? 6 : 3, 2, 5, 0.5, 0, 0};
      memcpy(tensor[e], D, sizeof D);
    }
    for (int32_t i = 0; i < p.mesh->n_node; ++i) {
      const double x = p.mesh->x[i][0];
      u[i] = kink ? fmin(x, 0.5) + 0.5 * fmax(x - 0.5, 0) : x * x;
    }
    const FluxErrorParams params = {
        .mesh = p.mesh, .tensor = (const double(*)[6])tensor, .material = material, .n_material = 2, .u = u};
    assert_ok(flux_error(&params, share, square));
    const double volume = pow(0.25, p.mesh->dim);
    for (int32_t e = 0; e < n; ++e) {
      const double slope = kink ? (material[e] ? 0.5 : 1) : 2 * middle[e];
      assert_within(share[e], kink ? 0 : 1.25 * 1.25 * 3 * volume * 0.0625 / 3, 1e-15);
      assert_within(square[e], tensor[e][0] * volume * slope * slope, 1e-14);
    }
    free(tensor), free(u), free(share), free(square), free(middle), free(material);
    problem_release(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_fluxes), cmocka_unit_test(of_quadratic_displacement),
                                     cmocka_unit_test(of_two_materials), cmocka_unit_test(strain_and_directions),
                                     cmocka_unit_test(same_for_any_number_of_threads)};
  return testing_run("assembly/stress_error", tests, exec);
}
