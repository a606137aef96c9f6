/* Bodies of revolution, x the radius and y the axis: patches, Lame's cylinder and sphere, a turning disc, what is held
 * and what is not; heat through a cylinder's and a sphere's wall, and what a body stores. */
#include "core/memory.h"
#include "tests/assembly/problem.h"
#include "tests/assembly/scalar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Exec *exec;
#define PI 3.14159265358979323846

static double radius_first, radius_last;
static void between_radii(double x[3]) { x[0] = radius_first + (radius_last - radius_first) * x[0]; }
/* The unit square to a quarter of a hollow sphere's section: x the radius, y the angle from the equator. */
static void quarter_sphere(double x[3]) {
  const double R = radius_first + (radius_last - radius_first) * x[0], angle = x[1] * PI / 2;
  x[0] = x[1] > 1 - 1e-12 ? 0 : R * cos(angle), x[1] = R * sin(angle);
}

static void begin(Problem *p, ElementKind kind, int n, double first, double last, double distort, double young,
                  double poisson) {
  problem_box(p, exec, kind, n, distort);
  radius_first = first, radius_last = last;
  bend_mesh(p->mesh, between_radii);
  p->model = MODEL_AXISYMMETRIC;
  p->material[0].value[0] = young;
  p->material[0].value[1] = poisson;
}

static void solve(Problem *p, ElasticFields *f) {
  problem_solve(p);
  assert_ok(elasticity_recover(p->e, p->exec_u, FIELD_ALL, f));
}

/* u = (a r, b y): constant strain in all elements, with a node on the axis and without. The energy is that of the whole
 * turn, and the reactions balance along the axis. */
static void patch(ElementKind kind, double first) {
  Problem p;
  ElasticFields f;
  begin(&p, kind, 3, first, 2, 0.2, 1e6, 0.25);
  problem_fix(&p, "x0", "1e-3*x", "2e-3*y", NULL);
  problem_fix(&p, "x1", "1e-3*x", "2e-3*y", NULL);
  problem_fix(&p, "y0", "1e-3*x", "2e-3*y", NULL);
  problem_fix(&p, "y1", "1e-3*x", "2e-3*y", NULL);
  solve(&p, &f);
  /* lambda = mu = 4e5 */
  const double trace = 4e-3, stress[6] = {4e5 * trace + 800, 4e5 * trace + 1600, 4e5 * trace + 800, 0, 0, 0};
  const double volume = PI * (4 - first * first);
  double sum = 0;
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    for (int c = 0; c < 6; ++c) assert_near(f.stress[i][c] / 1000, stress[c] / 1000, 1e-10);
    assert_near(f.displacement[i][0] / 1e-3, p.mesh->x[i][0], 1e-11);
    if (p.mesh->x[i][1] > 1 - 1e-9) sum += f.reaction[i][1];
  }
  assert_relative(f.energy, 0.5 * volume * (2 * stress[0] * 1e-3 + stress[1] * 2e-3), 1e-12);
  assert_relative(sum, stress[1] * volume, 1e-11);
  elastic_fields_release(&f);
  problem_release(&p);
}

static void patches(void **state) {
  (void)state;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k)
    if (element_type((ElementKind)k)->dim == 2) {
      patch((ElementKind)k, 0);
      patch((ElementKind)k, 0.5);
    }
}

/* Lame: radii 1 and 2, inner pressure 1, ends held: the thick cylinder of cases/, with exact numbers there. */
static void cylinder(void **state) {
  (void)state;
  Problem p;
  ElasticFields f;
  begin(&p, ELEMENT_QUAD8, 8, 1, 2, 0, 1000, 0.3);
  problem_fix(&p, "y0", NULL, "0", NULL);
  problem_fix(&p, "y1", NULL, "0", NULL);
  problem_load(&p, LOAD_PRESSURE, "x0", "1", NULL, NULL);
  solve(&p, &f);
  double axial = 0;
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double r = p.mesh->x[i][0], s = 1.0 / 3, t = 4 / (3 * r * r);
    assert_within(f.displacement[i][0], 1.3e-3 * (0.4 * r / 3 + 4 / (3 * r)), 2e-8);
    assert_within(f.stress[i][0], s - t, 0.01);
    assert_within(f.stress[i][2], s + t, 0.01); /* zz: around */
    assert_within(f.stress[i][1], 0.2, 0.003);
    if (p.mesh->x[i][1] < 1e-9) axial += f.reaction[i][1];
  }
  assert_relative(axial, -0.2 * 3 * PI, 1e-4);
  assert_relative(f.energy, 0.5 * 2 * PI * 1.9066666666666667e-3, 1e-5);
  elastic_fields_release(&f);
  problem_release(&p);
}

/* Radii 1 and 2, inner pressure 1, with an axis and a plane of symmetry. */
static void sphere(void **state) {
  (void)state;
  const double E = 1000, nu = 0.3, c = 1.0 / 7;
  Problem p;
  ElasticFields f;
  problem_box(&p, exec, ELEMENT_QUAD9, 8, 0);
  radius_first = 1, radius_last = 2;
  bend_mesh(p.mesh, quarter_sphere);
  p.model = MODEL_AXISYMMETRIC;
  p.material[0].value[0] = E;
  p.material[0].value[1] = nu;
  problem_symmetry(&p, "y0");
  problem_load(&p, LOAD_PRESSURE, "x0", "1", NULL, NULL);
  solve(&p, &f);
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double R = hypot(p.mesh->x[i][0], p.mesh->x[i][1]);
    const double u = c * R / E * ((1 - 2 * nu) + (1 + nu) * 8 / (2 * R * R * R));
    assert_within(hypot(f.displacement[i][0], f.displacement[i][1]), u, 2e-7);
    assert_within(f.stress[i][2], c * (1 + 4 / (R * R * R)), 0.02);
  }
  const double inner = c / E * ((1 - 2 * nu) + (1 + nu) * 4);
  assert_relative(f.energy, 0.5 * 2 * PI * inner, 1e-4);
  elastic_fields_release(&f);
  problem_release(&p);
}

/* A disc turning with omega: rho omega^2 r is an acceleration that depends on x. Without contraction its thickness does
 * not matter, u = rho omega^2 r (3 R^2 - r^2) / (8 E) (Timoshenko and Goodier, article 32). The axis holds itself. */
static void disc(void **state) {
  (void)state;
  Problem p;
  ElasticFields f;
  begin(&p, ELEMENT_QUAD9, 6, 0, 2, 0, 1000, 0);
  p.material[0].value[3] = 5;
  problem_fix(&p, "y0", NULL, "0", NULL);
  problem_load(&p, LOAD_GRAVITY, "body", "9*x", "0", NULL);
  solve(&p, &f);
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double r = p.mesh->x[i][0];
    assert_within(f.displacement[i][0], 45 * r * (12 - r * r) / 8000, 1e-5);
    assert_within(f.stress[i][2], 45 * (12 - r * r) / 8, 0.6);
    assert_within(f.displacement[i][1], 0, 1e-9);
  }
  elastic_fields_release(&f);
  problem_release(&p);
}

/* Loads are those of the whole turn; a force is a total, on a curve and on a point. */
static void totals(void **state) {
  (void)state;
  const int32_t corner = 3;
  const BoxParams box = {.kind = ELEMENT_TRI6, .n = {3, 3, 0}, .size = {1, 1, 0}};
  for (int k = 0; k < 4; ++k) {
    Mesh *mesh = NULL;
    Problem p;
    double force[3];
    assert_ok(mesh_box(&box, &mesh));
    add_group(mesh, "ring", ELEMENT_POINT1, 1, &corner);
    problem_init(&p, exec, mesh, MODEL_AXISYMMETRIC, 1000, 0.3);
    p.material[0].value[3] = 2;
    radius_first = 1, radius_last = 3;
    bend_mesh(p.mesh, between_radii);
    problem_fix(&p, "y1", NULL, "0", NULL);
    if (k == 0) problem_load(&p, LOAD_FORCE, "ring", "0", "7", NULL);
    if (k == 1) problem_load(&p, LOAD_FORCE, "y0", "0", "7", NULL);
    if (k == 2) problem_load(&p, LOAD_TRACTION, "y0", "0", "7", NULL);
    if (k == 3) problem_load(&p, LOAD_GRAVITY, "body", "0", "-10", NULL);
    assert_ok(problem_create(&p));
    assert_ok(elasticity_total_load(p.e, force));
    const double wanted[4] = {7, 7, 7 * PI * 8, -2 * 10 * PI * 8};
    assert_relative(force[1], wanted[k], 1e-13);
    problem_release(&p);
  }
}

/* Along the axis a body can move, away from it not; a radius is not negative; the axis stays where it is. */
static void refused(void **state) {
  (void)state;
  Problem p;
  begin(&p, ELEMENT_QUAD4, 2, 1, 2, 0, 1000, 0.3);
  problem_load(&p, LOAD_PRESSURE, "x0", "1", NULL, NULL);
  assert_fails(problem_create(&p), ERR_INPUT, "can move freely: translation in y");
  problem_release(&p);
  begin(&p, ELEMENT_QUAD4, 2, 1, 2, 0, 1000, 0.3);
  problem_fix(&p, "y0", NULL, "0", NULL);
  problem_load(&p, LOAD_PRESSURE, "x0", "1", NULL, NULL);
  assert_ok(problem_create(&p));
  problem_release(&p);
  begin(&p, ELEMENT_QUAD4, 2, -1, 2, 0, 1000, 0.3);
  problem_fix(&p, "y0", NULL, "0", NULL);
  assert_fails(problem_create(&p), ERR_MESH, "lies beyond the axis: in an axisymmetric model x is the radius");
  problem_release(&p);
  begin(&p, ELEMENT_QUAD4, 2, 0, 2, 0, 1000, 0.3);
  problem_fix(&p, "x0", "0.1", "0", NULL);
  assert_fails(problem_create(&p), ERR_INPUT, "the axis of the model, x = 0, prescribes x = 0");
  problem_release(&p);
  problem_box(&p, exec, ELEMENT_HEX8, 2, 0);
  p.model = MODEL_AXISYMMETRIC;
  assert_fails(problem_create(&p), ERR_MESH, "an axisymmetric model needs a surface mesh");
  problem_release(&p);
}

static void heat_begin(Scalar *s, ElementKind kind, int n, void (*map)(double x[3])) {
  scalar_begin(s, testing_exec(), scalar_box(kind, n, 0));
  radius_first = 1, radius_last = 2;
  bend_mesh(s->mesh, map);
  s->params.axisymmetric = true;
  s->params.thickness = NULL;
  for (int e = 0; e < n * n * (kind == ELEMENT_TRI3 ? 2 : 1); ++e) {
    memset(s->tensor[e], 0, sizeof *s->tensor);
    s->tensor[e][0] = s->tensor[e][1] = s->tensor[e][2] = 3;
  }
}

/* A cylinder's wall: T is linear in ln r. Held inside, film outside: the flow is 2 pi k dT / ln 2 and what the film
 * takes. A sphere's wall: T is linear in 1/R. */
static void walls(void **state) {
  (void)state;
  Scalar s;
  heat_begin(&s, ELEMENT_QUAD9, 8, between_radii);
  scalar_prescribe(&s, "x0", "100");
  scalar_load(&s, LOAD_CONVECTION, "x1", "5", "20");
  scalar_solve(&s);
  /* k T' (at 2) = -h (T - 20): T = 100 - a ln r, 3 a / 2 = 5 (80 - a ln 2) */
  const double a = 400 / (1.5 + 5 * log(2));
  for (int32_t i = 0; i < s.mesh->n_node; ++i) assert_within(s.x[i], 100 - a * log(s.mesh->x[i][0]), 1e-3);
  ScalarFields f;
  assert_ok(scalar_recover(&s, s.u, DIFFUSION_FIELD_REACTION, &f));
  assert_relative(f.total_reaction, 2 * PI * 3 * a, 1e-4);
  scalar_fields_release(&f);
  scalar_finish(&s);
  heat_begin(&s, ELEMENT_QUAD9, 8, quarter_sphere);
  scalar_prescribe(&s, "x0", "100");
  scalar_prescribe(&s, "x1", "20");
  scalar_solve(&s);
  for (int32_t i = 0; i < s.mesh->n_node; ++i)
    assert_within(s.x[i], -60 + 160 / hypot(s.mesh->x[i][0], s.mesh->x[i][1]), 0.01);
  scalar_finish(&s);
}

/* Sources and capacity are those of the whole turn: 1.5 times the volume, lumped and not. */
static void stored(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD4, ELEMENT_QUAD9};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    Scalar s;
    heat_begin(&s, kinds[k], 4, between_radii);
    scalar_load(&s, LOAD_SOURCE, "body", "2", "0");
    scalar_create(&s);
    assert_relative(diffusion_total_load(s.d), 2 * PI * 3, 1e-12);
    const int64_t n = diffusion_dofs(s.d);
    double *mass = NULL, *host = calloc((size_t)n, sizeof *host), *ones = calloc((size_t)n, sizeof *ones), sum = 0;
    assert_ok(exec_alloc(s.exec, n, sizeof *mass, "test", (void **)&mass));
    assert_ok(diffusion_lumped_mass(s.d, mass));
    assert_ok(exec_download(s.exec, host, mass, (size_t)n * sizeof *host));
    for (int64_t i = 0; i < n; ++i) sum += host[i];
    assert_relative(sum, 1.5 * PI * 3, 1e-12);
    scalar_matrix(&s, 0, 1);
    for (int64_t i = 0; i < n; ++i) ones[i] = 1;
    scalar_multiply(&s, ones, host);
    sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += host[i];
    assert_relative(sum, 1.5 * PI * 3, 1e-12);
    EXEC_RELEASE(s.exec, mass, n);
    free(host), free(ones);
    scalar_finish(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(patches), cmocka_unit_test(cylinder), cmocka_unit_test(sphere),
                                     cmocka_unit_test(disc),    cmocka_unit_test(totals),   cmocka_unit_test(refused),
                                     cmocka_unit_test(walls),   cmocka_unit_test(stored)};
  exec = testing_exec();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
