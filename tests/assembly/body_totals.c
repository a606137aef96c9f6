/* Volume, mass, centre and inertia against the formulae of simple bodies. */
#include "assembly/elasticity/body_totals.h"

#include "tests/assembly/problem.h"

static Exec *exec;

enum { COSINE = 0, SINE = 1 };
static const double turn[2] = {0.8, 0.6};

static void stretch(double x[3]) {
  const double a = 2 * x[0] - 1, b = 3 * x[1] - 1.5;
  x[0] = 101 + turn[COSINE] * a - turn[SINE] * b;
  x[1] = turn[SINE] * a + turn[COSINE] * b - 5.5;
  x[2] *= 4;
}

/* A block 2 x 3 x 4, turned about z, far from the origin. */
static void block(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TET4, ELEMENT_HEX8, ELEMENT_TET10, ELEMENT_HEX20};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    Problem p;
    BodyTotals t;
    problem_box(&p, exec, kinds[k], 12, 0);
    bend_mesh(p.mesh, stretch);
    p.material[0].value[3] = 0.5;
    problem_fix(&p, "body", "0", "0", "0");
    assert_ok(problem_create(&p));
    assert_ok(elasticity_body_totals(p.e, &t));
    const double m = 12, a = m / 12 * 25, b = m / 12 * 20; /* about its own edges 2 and 3 */
    const double c = turn[COSINE], s = turn[SINE];
    const double J[6] = {c * c * a + s * s * b, s * s * a + c * c * b, m / 12 * 13, c * s * (a - b), 0, 0};
    assert_near(t.volume, 24, 1e-13);
    assert_near(t.mass, m, 1e-13);
    assert_near(t.center[0], 101, 1e-12);
    assert_near(t.center[1], -5.5, 1e-12);
    assert_near(t.center[2], 2, 1e-12);
    for (int i = 0; i < 6; ++i) assert_near(t.inertia[i], J[i], 1e-10);
    problem_release(&p);
  }
}

static void flat(double x[3]) { x[0] += 1; }

/* A plate with thickness, and the ring 1 <= r <= 2 of height 1. */
static void plate_and_ring(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  for (int ring = 0; ring < 2; ++ring) {
    Problem p;
    BodyTotals t;
    problem_box(&p, exec, ELEMENT_QUAD8, 4, 0);
    bend_mesh(p.mesh, flat);
    p.model = ring ? MODEL_AXISYMMETRIC : MODEL_PLANE_STRESS;
    p.material[0] = (MaterialValues){.kind = 0, .value = {1000, 0.3, ring ? 1 : 0.1, 8}};
    problem_fix(&p, "body", "0", "0", NULL);
    assert_ok(problem_create(&p));
    assert_ok(elasticity_body_totals(p.e, &t));
    const double volume = ring ? 3 * pi : 0.1, m = 8 * volume;
    const double about_axis = ring ? m * 2.5 : m / 12; /* m (R^2 + r^2) / 2 */
    const double across = ring ? 0.5 * about_axis + m / 12 : m / 12;
    assert_near(t.volume, volume, 1e-12);
    assert_near(t.mass, m, 1e-12);
    assert_near(t.center[0], ring ? 0 : 1.5, 1e-12);
    assert_near(t.center[1], 0.5, 1e-12);
    assert_near(t.inertia[1], about_axis, 1e-10);
    assert_near(t.inertia[0], across, 1e-10);
    problem_release(&p);
  }
}

/* No density: the centre is that of the volume. */
static void without_mass(void **state) {
  (void)state;
  Problem p;
  BodyTotals t;
  problem_box(&p, exec, ELEMENT_TET4, 3, 0);
  p.material[0].value[3] = 0;
  problem_fix(&p, "body", "0", "0", "0");
  assert_ok(problem_create(&p));
  assert_ok(elasticity_body_totals(p.e, &t));
  assert_near(t.volume, 1, 1e-13);
  assert_true(t.mass == 0 && t.inertia[0] == 0);
  for (int i = 0; i < 3; ++i) assert_near(t.center[i], 0.5, 1e-12);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(block), cmocka_unit_test(plate_and_ring),
                                     cmocka_unit_test(without_mass)};
  return testing_run("assembly/body_totals", tests, exec);
}
