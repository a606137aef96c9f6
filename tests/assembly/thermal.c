/* Thermal strain and materials that vary with the place, against closed forms: bodies that expand freely and bodies
 * that cannot, a heated cylinder, a bar that is softer at one end. */
#include "assembly/elasticity/elasticity_mass.h"
#include "core/memory.h"
#include "physics/material.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static Exec *exec;
static const double ALPHA = 1e-3;

static void expand(MaterialValues *m, double a1, double a2, double a3) {
  const int k = material_parameter(m->kind, "expansion");
  m->value[k] = a1, m->value[k + 1] = a2, m->value[k + 2] = a3;
}

static void no_stress(const Problem *p, const double wanted[6], double scale) {
  ElasticFields f;
  assert_ok(elasticity_recover(p->e, p->exec_u, FIELD_ALL, &f));
  for (int32_t i = 0; i < p->mesh->n_node; ++i) {
    for (int c = 0; c < 6; ++c) assert_near(f.stress[i][c] / scale, wanted[c] / scale, 1e-11);
    for (int c = 0; c < 3 && wanted[2] == 0; ++c) assert_near(f.reaction[i][c] / scale, 0, 1e-11);
  }
  const int64_t solved = f.point_start ? p->mesh->n_element - mesh_group(p->mesh, "body")->element[0] : 0;
  for (int64_t k = 0; k < f.point_start[solved]; ++k)
    for (int c = 0; c < 6; ++c) assert_near(f.point_stress[k][c] / scale, wanted[c] / scale, 1e-11);
  for (int64_t s = 0; s < solved; ++s)
    for (int c = 0; c < 6; ++c) assert_near(f.element_stress[s][c] / scale, wanted[c] / scale, 1e-11);
  if (wanted[2] == 0) assert_near(f.energy / scale, 0, 1e-13);
  elastic_fields_release(&f);
}

/* Seven degrees: a body of any element expands as its skin is moved, without stress; held in z it is pressed there. */
static void free_patch(ElementKind kind, ElasticModel model) {
  Problem p;
  const ScalarSource seven = {.value = 7};
  const double E = 1000, nu = 0.25, held = model == MODEL_PLANE_STRAIN ? -E * ALPHA * 7 : 0;
  const double wanted[6] = {0, 0, held, 0, 0, 0};
  problem_init(&p, exec, patch_mesh(kind), model, E, nu);
  expand(&p.material[0], ALPHA, ALPHA, ALPHA);
  p.params.temperature = &seven;
  if (model == MODEL_PLANE_STRAIN) problem_fix(&p, "skin", "1.25*7e-3*x", "1.25*7e-3*y", NULL);
  else problem_fix(&p, "skin", "7e-3*x", "7e-3*y", model == MODEL_SOLID ? "7e-3*z" : NULL);
  problem_solve(&p);
  no_stress(&p, wanted, 1);
  problem_release(&p);
}

static void free_patches(void **state) {
  (void)state;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const int32_t dim = element_type((ElementKind)k)->dim;
    if (dim == 3) free_patch((ElementKind)k, MODEL_SOLID);
    if (dim == 2) free_patch((ElementKind)k, MODEL_PLANE_STRESS);
    if (dim == 2) free_patch((ElementKind)k, MODEL_PLANE_STRAIN);
  }
}

/* Three expansions along turned axes, of a material with nine constants. */
static void turned_expansion(void **state) {
  (void)state;
  Problem p;
  const ScalarSource seven = {.value = 7};
  const double nine[9] = {140, 10, 9, 0.3, 0.25, 0.45, 5, 4, 3}, none[6] = {0};
  const double row[6] = {0.3, -0.8, 0.5, 0.4, 0.1, -0.9}, a[3] = {1e-3, -2e-3, 5e-3};
  char u[3][96];
  problem_init(&p, exec, patch_mesh(ELEMENT_HEX8), MODEL_SOLID, 1, 0);
  p.material[0] = (MaterialValues){.kind = material_by_name("orthotropic"), .axes = {.kind = AXES_CONSTANT}};
  memcpy(p.material[0].value, nine, sizeof nine);
  p.material[0].value[9] = 1;
  memcpy(p.material[0].axes.frame, row, sizeof row);
  assert_true(axes_complete(p.material[0].axes.frame));
  expand(&p.material[0], a[0], a[1], a[2]);
  const double *R = p.material[0].axes.frame;
  for (int i = 0; i < 3; ++i) {
    double e[3] = {0};
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) e[j] += 7 * a[k] * R[3 * k + i] * R[3 * k + j];
    snprintf(u[i], sizeof u[i], "(%.17g)*x+(%.17g)*y+(%.17g)*z", e[0], e[1], e[2]);
  }
  p.params.temperature = &seven;
  problem_fix(&p, "skin", u[0], u[1], u[2]);
  problem_solve(&p);
  no_stress(&p, none, 0.1);
  problem_release(&p);
}

/* T = a.x makes no stress in a free body: u = alpha ((a.x) x - a |x|^2 / 2). The temperature as an expression and as data
 * at nodes. */
static void linear_temperature(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TET10, ELEMENT_HEX27};
  const double none[6] = {0};
  Expr t;
  assert_ok(expr_parse("2*x-y+3*z", &t));
  for (int k = 0; k < 4; ++k) {
    Problem p;
    double *node = NULL;
    problem_init(&p, exec, patch_mesh(kinds[k / 2]), MODEL_SOLID, 1000, 0.25);
    expand(&p.material[0], ALPHA, ALPHA, ALPHA);
    assert_ok(mem_alloc(p.mesh->n_node, sizeof *node, "test", (void **)&node));
    for (int32_t i = 0; i < p.mesh->n_node; ++i) node[i] = expr_value(&t, p.mesh->x[i], 0) + 20;
    const ScalarSource at_points = {.expr = &t}, at_nodes = {.node = node, .value = -20};
    p.params.temperature = k % 2 ? &at_nodes : &at_points;
    problem_fix(&p, "skin", "1e-3*((2*x-y+3*z)*x-(x^2+y^2+z^2))", "1e-3*((2*x-y+3*z)*y+(x^2+y^2+z^2)/2)",
                "1e-3*((2*x-y+3*z)*z-1.5*(x^2+y^2+z^2))");
    problem_solve(&p);
    no_stress(&p, none, 1);
    problem_release(&p);
    FREE(node);
  }
}

/* Every second element heated by data of elements, all nodes held: each has the stress of its own temperature. */
static void temperature_of_elements(void **state) {
  (void)state;
  Problem p;
  ElasticFields f;
  double *value = NULL;
  problem_box(&p, exec, ELEMENT_HEX8, 3, 0.2);
  expand(&p.material[0], ALPHA, ALPHA, ALPHA);
  assert_ok(mem_alloc(p.mesh->n_element, sizeof *value, "test", (void **)&value));
  for (int32_t e = 0; e < p.mesh->n_element; ++e) value[e] = e % 2 ? 0 : e;
  const ScalarSource source = {.element = value};
  p.params.temperature = &source;
  problem_fix(&p, "body", "0", "0", "0");
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
  const Group *body = mesh_group(p.mesh, "body");
  double energy = 0;
  for (int32_t s = 0; s < body->n; ++s) {
    const double pressed = -1000 / (1 - 0.6) * ALPHA * value[body->element[s]];
    for (int c = 0; c < 6; ++c) assert_near(f.element_stress[s][c], c < 3 ? pressed : 0, 1e-11);
    energy += f.strain_energy[s];
  }
  assert_relative(f.energy, energy, 1e-13);
  elastic_fields_release(&f);
  problem_release(&p);
  FREE(value);
}

/* A solid cylinder in T = r^2 - 1, its ends held (Timoshenko and Goodier, section 151): the closed form of any T(r). */
static void cylinder(void **state) {
  (void)state;
  Problem p;
  ElasticFields f;
  Expr t;
  assert_ok(expr_parse("x^2", &t));
  const ScalarSource source = {.expr = &t, .value = -1};
  problem_box(&p, exec, ELEMENT_QUAD9, 16, 0);
  p.model = MODEL_AXISYMMETRIC;
  expand(&p.material[0], ALPHA, ALPHA, ALPHA);
  p.params.temperature = &source;
  problem_fix(&p, "y0", NULL, "0", NULL);
  problem_fix(&p, "y1", NULL, "0", NULL);
  problem_solve(&p);
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
  const double nu = 0.3, E = 1000, C = -ALPHA * (1 + nu) * (1 - 2 * nu) / (1 - nu) / 4;
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double r = p.mesh->x[i][0], I = r * r / 4 - 0.5; /* int T r dr / r^2 */
    const double u = ALPHA * (1 + nu) / (1 - nu) * I * r + C * r, c = E / ((1 + nu) * (1 - 2 * nu)) * C;
    const double radial = -ALPHA * E / (1 - nu) * I + c, hoop = ALPHA * E / (1 - nu) * (I - (r * r - 1)) + c;
    const double axial = nu * (radial + hoop) - E * ALPHA * (r * r - 1);
    assert_within(f.displacement[i][0] / 1e-3, u / 1e-3, 3e-6);
    assert_within(f.stress[i][0], radial, 3e-3);
    assert_within(f.stress[i][1], axial, 3e-3);
    assert_within(f.stress[i][2], hoop, 3e-3);
  }
  elastic_fields_release(&f);
  problem_release(&p);
}

/* A bar of modulus 1000 (1 + x) without contraction: u = ln(1 + x) / 1000 under a unit pull. Data at nodes says the same
 * as the expression, and equal data of elements the same as one number. */
static void softer_at_one_end(void **state) {
  (void)state;
  Expr young;
  double *value = NULL, u[4][400];
  assert_ok(expr_parse("1000*(1+x)", &young));
  for (int k = 0; k < 4; ++k) {
    Problem p;
    problem_box(&p, exec, ELEMENT_QUAD8, 8, 0);
    p.model = MODEL_PLANE_STRESS;
    p.material[0].value[1] = 0;
    assert_ok(mem_alloc(p.mesh->n_node + p.mesh->n_element, sizeof *value, "test", (void **)&value));
    for (int32_t i = 0; i < p.mesh->n_node; ++i) value[i] = k == 2 ? 1000 : expr_value(&young, p.mesh->x[i], 0);
    for (int32_t i = 0; k == 2 && i < p.mesh->n_element; ++i) value[i] = 1000;
    MaterialVarying varying = {.parameter = 0, .source = {.expr = &young}};
    if (k == 1) varying.source = (ScalarSource){.node = value};
    if (k == 2) varying.source = (ScalarSource){.element = value};
    p.material[0].n_varying = k < 3;
    p.material[0].varying = &varying;
    if (k < 2) p.material[0].value[0] = -1; /* means nothing */
    problem_fix(&p, "x0", "0", NULL, NULL);
    problem_fix(&p, "y0", NULL, "0", NULL);
    problem_load(&p, LOAD_TRACTION, "x1", "1", "0", NULL);
    problem_solve(&p);
    const int64_t n = elasticity_dofs(p.e);
    assert_true(n <= 800);
    for (int32_t i = 0; i < p.mesh->n_node; ++i) {
      if (i < 400) u[k][i] = p.u[2 * i];
      if (k < 2) assert_within(p.u[2 * i] * 1000, log(1 + p.mesh->x[i][0]), 5e-6);
    }
    problem_release(&p);
    FREE(value);
  }
  for (int i = 0; i < 200; ++i) {
    assert_near(u[0][i] * 1000, u[1][i] * 1000, 1e-12);
    assert_near(u[2][i] * 1000, u[3][i] * 1000, 1e-11);
  }
}

/* The mass of rho = 1 + x is that of the field, in loads and in the mass matrix, around an axis too. */
static void heavier_at_one_end(void **state) {
  (void)state;
  Expr rho;
  assert_ok(expr_parse("1+x", &rho));
  const ScalarSource source = {.expr = &rho};
  const struct {
    ElementKind kind;
    ElasticModel model;
    double mass;
  } rows[] = {{ELEMENT_HEX8, MODEL_SOLID, 1.5},
              {ELEMENT_TET10, MODEL_SOLID, 1.5},
              {ELEMENT_QUAD9, MODEL_PLANE_STRESS, 1.5},
              {ELEMENT_TRI3, MODEL_AXISYMMETRIC, 6.283185307179586 * (1.0 / 2 + 1.0 / 3)}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Problem p;
    ElasticityMass *mass = NULL;
    double force[3], total, ignored = 0;
    problem_box(&p, exec, rows[k].kind, 3, 0.2);
    p.model = rows[k].model;
    p.material[0].density = &source;
    p.params.allow_free_motion = true;
    problem_load(&p, LOAD_GRAVITY, "body", "0", "-2", p.mesh->dim == 3 ? "0" : NULL);
    assert_ok(problem_create(&p));
    assert_ok(elasticity_total_load(p.e, force));
    assert_relative(force[1], -2 * rows[k].mass, 1e-12);
    assert_ok(elasticity_mass_create(p.e, &ignored, &mass));
    assert_ok(elasticity_mass_total(mass, &total));
    assert_relative(total, rows[k].mass, 1e-12);
    elasticity_mass_destroy(&mass);
    problem_release(&p);
  }
  Problem p;
  assert_ok(expr_parse("x-0.5", &rho));
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  p.material[0].density = &source;
  p.params.allow_free_motion = true;
  assert_fails(problem_create(&p), ERR_INPUT, "density is -0.");
  problem_release(&p);
}

static void refusals(void **state) {
  (void)state;
  Problem p;
  Expr t;
  assert_ok(expr_parse("sqrt(x-0.5)", &t));
  const ScalarSource source = {.expr = &t};
  problem_box(&p, exec, ELEMENT_QUAD4, 4, 0);
  expand(&p.material[0], ALPHA, ALPHA, ALPHA);
  p.params.temperature = &source;
  p.params.allow_free_motion = true;
  assert_fails(problem_create(&p), ERR_INPUT, "the temperature is not a number at (0.05");
  MaterialVarying varying = {.parameter = 1, .source = {.expr = &t}};
  p.params.temperature = NULL;
  assert_ok(expr_parse("x", &t));
  p.material[0].n_varying = 1;
  p.material[0].varying = &varying;
  assert_fails(problem_create(&p), ERR_INPUT, "poisson is 0.5");
  assert_fails(problem_create(&p), ERR_INPUT, "at (0.55");
  problem_release(&p);
}

/* Loads, laws and stresses are the same to the bit for any number of threads. */
static void same_for_any_threads(void **state) {
  (void)state;
#ifdef _OPENMP
  const int threads[] = {1, 2, 3, 5}, before = omp_get_max_threads();
  Expr t, young;
  double *first = NULL;
  assert_ok(expr_parse("x*y+z^2", &t));
  assert_ok(expr_parse("1000*(1+x*z)", &young));
  const ScalarSource source = {.expr = &t};
  MaterialVarying varying = {.parameter = 0, .source = {.expr = &young}};
  for (int k = 0; k < 4; ++k) {
    Problem p;
    ElasticFields f;
    omp_set_num_threads(threads[k]);
    problem_box(&p, exec, ELEMENT_HEX8, 4, 0.2);
    expand(&p.material[0], ALPHA, ALPHA, ALPHA);
    p.material[0].n_varying = 1;
    p.material[0].varying = &varying;
    p.params.temperature = &source;
    problem_fix(&p, "x0", "0", "0", "0");
    assert_ok(problem_create(&p));
    problem_assemble(&p);
    const size_t n = (size_t)elasticity_dofs(p.e), m = 6 * (size_t)p.mesh->n_node;
    double *now = NULL;
    assert_ok(mem_alloc((int64_t)(n + m), sizeof *now, "test", (void **)&now));
    problem_residual(&p, now);
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
    memcpy(now + n, f.stress, m * sizeof *now);
    if (first) assert_memory_equal(now, first, (n + m) * sizeof *now);
    elastic_fields_release(&f);
    problem_release(&p);
    if (!first) first = now;
    else FREE(now);
  }
  FREE(first);
  omp_set_num_threads(before);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(free_patches),
                                     cmocka_unit_test(turned_expansion),
                                     cmocka_unit_test(linear_temperature),
                                     cmocka_unit_test(temperature_of_elements),
                                     cmocka_unit_test(cylinder),
                                     cmocka_unit_test(softer_at_one_end),
                                     cmocka_unit_test(heavier_at_one_end),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(same_for_any_threads)};
  exec = testing_exec();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
