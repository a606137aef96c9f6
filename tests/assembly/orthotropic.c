/* Orthotropic elasticity: the isotropic limit, patches and bars in turned axes, turned bodies, a wound ring. */
#include "core/memory.h"
#include "physics/linear_law.h"
#include "physics/material.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Exec *exec;
static const double PLY[9] = {140, 10, 9, 0.3, 0.25, 0.45, 5, 4, 3};

static MaterialValues orthotropic(const double nine[9]) {
  MaterialValues m = {.kind = material_by_name("orthotropic")};
  memcpy(m.value, nine, 9 * sizeof *nine);
  m.value[9] = 1;
  return m;
}

/* Axis 1 at an angle to x in the plane. */
static void turn_about_z(MaterialValues *m, double angle) {
  const double c = cos(angle), s = sin(angle), R[9] = {c, s, 0, -s, c, 0, 0, 0, 1};
  m->axes.kind = AXES_CONSTANT;
  memcpy(m->axes.frame, R, sizeof R);
}

static void turn_about_all(MaterialValues *m) {
  const double row[6] = {0.3, -0.8, 0.5, 0.4, 0.1, -0.9};
  m->axes.kind = AXES_CONSTANT;
  memcpy(m->axes.frame, row, sizeof row);
  assert_true(axes_complete(m->axes.frame));
}

static double *matrix_of(Problem *p, int64_t *n) {
  p->params.allow_free_motion = true;
  assert_ok(problem_create(p));
  problem_assemble(p);
  double *values = calloc((size_t)p->slots.n_value, sizeof *values);
  memcpy(values, p->values, (size_t)p->slots.n_value * sizeof *values);
  *n = p->slots.n_value;
  problem_release(p);
  return values;
}

/* E, nu and E / 2 (1 + nu) as nine constants are the isotropic material, in axes that turn from point to point too. */
static void isotropic_limit(void **state) {
  (void)state;
  const double E = 1000, nu = 0.3, G = E / 2.6, nine[9] = {E, E, E, nu, nu, nu, G, G, G};
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const int32_t dim = element_type((ElementKind)k)->dim;
    for (int model = 0; model < 3; ++model)
      for (int axes = (k + model) % 3, once = 1; once; once = 0) {
        if (elastic_model_dim((ElasticModel)model) != dim) continue;
        Problem p;
        int64_t n, m;
        problem_init(&p, exec, patch_mesh((ElementKind)k), (ElasticModel)model, E, nu);
        double *wanted = matrix_of(&p, &n);
        problem_init(&p, exec, patch_mesh((ElementKind)k), (ElasticModel)model, E, nu);
        p.material[0] = orthotropic(nine);
        if (axes == 1) turn_about_z(&p.material[0], 0.4);
        if (axes == 2) {
          const MaterialAxes cylinder = {.kind = AXES_CYLINDER, .frame = {[8] = 1}, .origin = {-2, -1, 0}};
          p.material[0].axes = cylinder;
        }
        double *got = matrix_of(&p, &m), scale = 0;
        assert_int_equal(n, m);
        for (int64_t i = 0; i < n; ++i) scale = fmax(scale, fabs(wanted[i]));
        for (int64_t i = 0; i < n; ++i) assert_near(got[i] / scale, wanted[i] / scale, 2e-14);
        free(wanted), free(got);
      }
  }
}

/* A constant strain on the skin of a patch: inside it is the same, and the stress is that of the law. */
static void patch(ElementKind kind, ElasticModel model) {
  Problem p;
  problem_init(&p, exec, patch_mesh(kind), model, 1, 0);
  p.material[0] = orthotropic(PLY);
  const bool solid = model == MODEL_SOLID;
  if (solid) turn_about_all(&p.material[0]);
  else turn_about_z(&p.material[0], 0.6);
  problem_fix(&p, "skin", solid ? "1e-3*(x+y/2-z)" : "1e-3*(x+y/2)", solid ? "1e-3*(y+x/2+z/3)" : "1e-3*(y+x/2)",
              solid ? "1e-3*(z-x+y/3)" : NULL);
  problem_solve(&p);
  const double strain[6] = {1e-3, 1e-3, solid ? 1e-3 : 0, 1e-3, solid ? 2e-3 / 3 : 0, solid ? -2e-3 : 0};
  double law[LAW_SIZE], stress[6];
  material_law(p.material[0].kind, model, p.material[0].value, p.material[0].axes.frame, law);
  linear_stress(law, strain, stress);
  ElasticFields f;
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
  double energy = 0;
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    for (int c = 0; c < 6; ++c) assert_near(f.stress[i][c] / 0.1, stress[c] / 0.1, 1e-11);
    for (int c = 0; c < 3; ++c) energy += 0.5 * f.reaction[i][c] * f.displacement[i][c];
  }
  assert_relative(f.energy, energy, 1e-12);
  elastic_fields_release(&f);
  problem_release(&p);
}

static void patches(void **state) {
  (void)state;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const int32_t dim = element_type((ElementKind)k)->dim;
    if (dim == 3) patch((ElementKind)k, MODEL_SOLID);
    if (dim == 2) patch((ElementKind)k, MODEL_PLANE_STRESS);
    if (dim == 2) patch((ElementKind)k, MODEL_PLANE_STRAIN);
  }
}

/* Jones, Mechanics of Composite Materials, eq. 2.97: a bar pulled at an angle to its fibres,
 * 1/Ex = c^4/E1 + (1/G12 - 2 nu12/E1) s^2 c^2 + s^4/E2, and it shears by eta/Ex. */
static void off_axis_bar(void **state) {
  (void)state;
  for (int degrees = 0; degrees <= 90; degrees += 15) {
    Problem p;
    const double angle = degrees * acos(-1) / 180, c = cos(angle), s = sin(angle), c2 = c * c, s2 = s * s;
    const double E1 = PLY[0], E2 = PLY[1], nu = PLY[3], G = PLY[6];
    const BoxParams box = {.kind = ELEMENT_QUAD4, .n = {3, 3, 0}, .size = {1, 1, 0}, .distort = 0.2};
    const int32_t corner[2] = {0, 3}; /* (0, 0) and (1, 0) */
    Mesh *mesh = NULL;
    assert_ok(mesh_box(&box, &mesh));
    add_group(mesh, "pinned", ELEMENT_POINT1, 1, &corner[0]);
    add_group(mesh, "guided", ELEMENT_POINT1, 1, &corner[1]);
    problem_init(&p, exec, mesh, MODEL_PLANE_STRESS, 1, 0);
    p.material[0] = orthotropic(PLY);
    turn_about_z(&p.material[0], angle);
    problem_load(&p, LOAD_TRACTION, "x1", "1", "0", NULL);
    problem_load(&p, LOAD_TRACTION, "x0", "-1", "0", NULL);
    problem_fix(&p, "pinned", "0", "0", NULL);
    problem_fix(&p, "guided", NULL, "0", NULL);
    problem_solve(&p);
    const double xx = c2 * c2 / E1 + (1 / G - 2 * nu / E1) * s2 * c2 + s2 * s2 / E2;
    const double yy = (1 / E1 + 1 / E2 - 1 / G) * s2 * c2 - nu / E1 * (s2 * s2 + c2 * c2);
    const double xy = 2 * c2 * c * s / E1 - 2 * s2 * c * s / E2 + (2 * nu / E1 - 1 / G) * (s * c2 * c - s2 * s * c);
    for (int32_t i = 0; i < p.mesh->n_node; ++i) {
      const double *x = p.mesh->x[i];
      assert_near(p.u[2 * i], xx * x[0] + xy * x[1], 1e-13);
      assert_near(p.u[2 * i + 1], yy * x[1], 1e-13);
    }
    problem_release(&p);
  }
}

static void turn_body(double x[3]) {
  const double c = cos(0.7), s = sin(0.7), y[2] = {c * x[0] - s * x[1], s * x[0] + c * x[1]};
  x[0] = y[0], x[1] = y[1];
}

/* Body, axes and load turned together: so is the answer. */
static void turned_body(void **state) {
  (void)state;
  double *u[2], energy[2];
  int64_t n = 0;
  for (int k = 0; k < 2; ++k) {
    Problem p;
    problem_box(&p, exec, ELEMENT_HEX8, 3, 0.2);
    if (k) bend_mesh(p.mesh, turn_body);
    p.material[0] = orthotropic(PLY);
    turn_about_z(&p.material[0], 0.3 + (k ? 0.7 : 0));
    problem_fix(&p, "x0", "0", "0", "0");
    if (k) problem_load(&p, LOAD_TRACTION, "x1", "-0.644217687237691", "0.764842187284489", "0.5");
    else problem_load(&p, LOAD_TRACTION, "x1", "0", "1", "0.5");
    problem_solve(&p);
    n = elasticity_dofs(p.e);
    u[k] = calloc((size_t)n, sizeof *u[k]);
    memcpy(u[k], p.u, (size_t)n * sizeof *p.u);
    ElasticFields f;
    assert_ok(elasticity_recover(p.e, p.exec_u, 0, &f));
    energy[k] = f.energy;
    elastic_fields_release(&f);
    problem_release(&p);
  }
  assert_relative(energy[1], energy[0], 1e-11);
  for (int64_t i = 0; i < n; i += 3) {
    double v[3] = {u[0][i], u[0][i + 1], u[0][i + 2]};
    turn_body(v);
    for (int c = 0; c < 3; ++c) assert_near(u[1][i + c], v[c], 1e-11);
  }
  free(u[0]), free(u[1]);
}

static void quarter_ring(double x[3]) {
  const double r = 1 + x[0], angle = x[1] * acos(0);
  x[0] = r * cos(angle), x[1] = r * sin(angle);
}

/* A ring wound around (Lekhnitskii, Anisotropic Plates, section 35): inner pressure p, k^2 = E_hoop / E_radial, radii 1
 * and 2. Axes turn inside each element; an axis of a material that leaves the plane is refused. */
static void ring(void **state) {
  (void)state;
  const double radial = 10, hoop = 90, k = sqrt(hoop / radial), c = 0.5,
               nu = 0.2; /* nu12: around under a radial pull */
  const double nine[9] = {radial, hoop, 10, nu * radial / hoop, 0.3, 0.03, 4, 4, 4};
  double error[2];
  for (int fine = 0; fine < 2; ++fine) {
    Problem p;
    problem_box(&p, exec, ELEMENT_QUAD8, fine ? 8 : 4, 0);
    bend_mesh(p.mesh, quarter_ring);
    p.model = MODEL_PLANE_STRESS;
    p.material[0] = orthotropic(nine);
    p.material[0].axes = (MaterialAxes){.kind = AXES_CYLINDER, .frame = {[8] = 1}};
    problem_symmetry(&p, "y0");
    problem_symmetry(&p, "y1");
    problem_load(&p, LOAD_PRESSURE, "x0", "1", NULL, NULL);
    problem_solve(&p);
    ElasticFields f;
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
    error[fine] = 0;
    for (int32_t i = 0; i < p.mesh->n_node; ++i) {
      const double *x = p.mesh->x[i], r = hypot(x[0], x[1]), factor = pow(c, k + 1) / (1 - pow(c, 2 * k));
      const double s_r = factor * (pow(r / 2, k - 1) - pow(2 / r, k + 1));
      const double s_t = factor * k * (pow(r / 2, k - 1) + pow(2 / r, k + 1));
      const double u = r * (s_t / hoop - nine[3] / radial * s_r);
      error[fine] = fmax(error[fine], fabs(hypot(f.displacement[i][0], f.displacement[i][1]) - u) / 0.05);
      if (x[1] < 1e-9) assert_within(f.stress[i][1], s_t, fine ? 0.1 : 0.4);
    }
    elastic_fields_release(&f);
    problem_release(&p);
  }
  assert_true(error[1] < 2e-4 && error[1] < 0.12 * error[0]);
  Problem p;
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  p.material[0] = orthotropic(PLY);
  turn_about_all(&p.material[0]);
  p.params.allow_free_motion = true;
  assert_fails(problem_create(&p), ERR_INPUT, "an axis of a material leaves the plane");
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(isotropic_limit), cmocka_unit_test(patches),
                                     cmocka_unit_test(off_axis_bar), cmocka_unit_test(turned_body),
                                     cmocka_unit_test(ring)};
  exec = testing_exec();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
