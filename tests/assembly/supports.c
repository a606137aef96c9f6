/* Supports: conflicts and their texts, skew symmetry against an axis-aligned twin, nodes without elements. */
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <string.h>

static Exec *exec;

static void fails(Problem *p, Status wanted, const char *text) {
  assert_fails(problem_create(p), wanted, text);
  assert_null(p->e);
  problem_release(p);
}

static void conflicts(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  problem_fix(&p, "x0", "0", NULL, NULL);
  problem_fix(&p, "y0", "0.1", "0", NULL);
  fails(&p, ERR_INPUT,
        "conflicting supports at node 1 (0, 0, 0): support.yaml:1:1 prescribes x = 0, support.yaml:2:1 prescribes x = "
        "0.1");
  problem_box(&p, exec, ELEMENT_HEX8, 1, 0); /* the same values agree, dependent normals too */
  problem_fix(&p, "x0", "0.1*y", "0", "0");
  problem_fix(&p, "y0", "0.1*y", NULL, NULL);
  problem_symmetry(&p, "z0");
  assert_ok(problem_create(&p));
  assert_int_equal(elasticity_unknowns(p.e), 24 - 12 - 2 - 2); /* z0 adds z, y0 adds x at the two nodes off x0 */
  problem_release(&p);
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0); /* round-off is no conflict: sin(pi) is 1.2e-16 */
  problem_fix(&p, "x0", "0", "0", NULL);
  problem_fix(&p, "y0", "0.1*sin(pi*(x+1))", "cos(2*pi)*x-x", NULL);
  assert_ok(problem_create(&p));
  problem_release(&p);
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0); /* a small value is */
  problem_fix(&p, "x0", "0", "0", NULL);
  problem_fix(&p, "y0", "1e-160", "0", NULL);
  fails(&p, ERR_INPUT, "prescribes x = 1e-160");
  problem_box(&p, exec, ELEMENT_HEX8, 1, 0); /* a symmetry plane that another support moves away */
  problem_symmetry(&p, "x0");
  problem_fix(&p, "body", "0.5", "0", "0");
  fails(&p, ERR_INPUT, "support.yaml:1:1 prescribes x = 0, support.yaml:2:1 prescribes x = 0.5");
  problem_box(&p, exec, ELEMENT_QUAD4, 9, 0); /* 10 nodes: five told, the rest counted */
  problem_fix(&p, "x0", "0", "0", NULL);
  problem_fix(&p, "x0", "1", "0", NULL);
  fails(&p, ERR_INPUT, "and at 5 more nodes");
}

static void wrong_groups(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_HEX8, 1, 0);
  problem_symmetry(&p, "body");
  fails(&p, ERR_INPUT,
        "support.yaml:1:1: symmetry on group 'body' of volumes, which have no normal here: allowed are surfaces");
  problem_box(&p, exec, ELEMENT_HEX8, 1, 0);
  problem_fix(&p, "x0", "1/(x)", "0", "0");
  fails(&p, ERR_INPUT, "support.yaml:1:1: the prescribed displacement x is infinite at (0, 0, 0), must be finite");
  problem_box(&p, exec, ELEMENT_HEX8, 1, 0);
  p.model = MODEL_PLANE_STRESS;
  fails(&p, ERR_MESH, "the mesh has volume elements, a plane model needs a surface mesh");
  problem_box(&p, exec, ELEMENT_QUAD4, 1, 0);
  p.model = MODEL_SOLID;
  fails(&p, ERR_MESH, "the mesh has no volume elements");
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  p.element_material[problem_group(&p, "body")->element[1]] = -1;
  fails(&p, ERR_INPUT, "has no material");
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  p.material[0].value[1] = 0.5;
  fails(&p, ERR_INPUT, "poisson is 0.5, must lie in (-1, 0.5)");
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  p.mesh->x[4][2] = 0.1;
  fails(&p, ERR_MESH, "is out of plane");
}

static void mirror(double x[3]) { x[0] = -x[0]; }

static void inverted(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    if (element_type((ElementKind)kind)->dim < 2) continue;
    Problem p;
    problem_box(&p, exec, (ElementKind)kind, 2, 0);
    bend_mesh(p.mesh, mirror);
    fails(&p, ERR_MESH, "the whole mesh is mirrored");
  }
}

static double turn[3][3];
static void rotate(double x[3]) {
  double y[3];
  for (int i = 0; i < 3; ++i) y[i] = turn[i][0] * x[0] + turn[i][1] * x[1] + turn[i][2] * x[2];
  memcpy(x, y, sizeof y);
}

/* Rotation about an axis (Rodrigues' formula). */
static void set_turn(double x, double y, double z, double angle) {
  const double length = sqrt(x * x + y * y + z * z), a[3] = {x / length, y / length, z / length};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      turn[i][j] = (i == j ? cos(angle) : 0) + (1 - cos(angle)) * a[i] * a[j] +
                   (i == j ? 0 : ((j - i + 3) % 3 == 1 ? -1 : 1) * sin(angle) * a[3 - i - j]);
}

/* A block on three symmetry planes, pulled on the fourth side: turned as a whole, its displacement turns with it. */
static void skew_twin(ElementKind kind, int n, double ax, double ay, double az, double angle) {
  const int dim = element_type(kind)->dim;
  set_turn(ax, ay, az, angle);
  Problem p[2];
  double reaction[2][3], energy[2];
  ElasticFields f[2];
  for (int k = 0; k < 2; ++k) {
    problem_box(&p[k], exec, kind, n, 0.2);
    if (k) bend_mesh(p[k].mesh, rotate);
    problem_symmetry(&p[k], "x0");
    problem_symmetry(&p[k], "y0");
    if (dim == 3) problem_symmetry(&p[k], "z0");
    problem_load(&p[k], LOAD_PRESSURE, "x1", "-7", NULL, NULL);
    problem_solve(&p[k]);
    assert_ok(elasticity_recover(p[k].e, p[k].exec_u, FIELD_ALL, &f[k]));
    energy[k] = f[k].energy;
    for (int c = 0; c < 3; ++c) reaction[k][c] = 0;
    for (int32_t i = 0; i < p[k].mesh->n_node; ++i)
      for (int c = 0; c < 3; ++c) reaction[k][c] += f[k].reaction[i][c];
  }
  assert_int_equal(elasticity_unknowns(p[0].e), elasticity_unknowns(p[1].e));
  assert_near(energy[0], energy[1], 1e-12);
  assert_true(energy[0] > 1e-3);
  rotate(reaction[0]);
  for (int c = 0; c < 3; ++c) assert_near(reaction[0][c], reaction[1][c], 1e-11);
  for (int32_t i = 0; i < p[0].mesh->n_node; ++i) {
    rotate(f[0].displacement[i]);
    rotate(f[0].reaction[i]);
    for (int c = 0; c < 3; ++c) {
      assert_near(f[0].displacement[i][c] * 100, f[1].displacement[i][c] * 100, 1e-11);
      assert_near(f[0].reaction[i][c], f[1].reaction[i][c], 1e-10);
      assert_near(f[0].principal[i][c], f[1].principal[i][c], 1e-9);
    }
    assert_near(f[0].von_mises[i], f[1].von_mises[i], 1e-9);
  }
  for (int k = 0; k < 2; ++k) {
    elastic_fields_release(&f[k]);
    problem_release(&p[k]);
  }
}

static void skew_symmetry(void **state) {
  (void)state;
  skew_twin(ELEMENT_QUAD4, 4, 0, 0, 1, 0.5);
  skew_twin(ELEMENT_TRI6, 3, 0, 0, 1, 2.1);
  skew_twin(ELEMENT_HEX8, 3, 1, 2, 3, 0.7);
  skew_twin(ELEMENT_TET10, 2, -1, 0.3, 0.2, 1.3);
  skew_twin(ELEMENT_HEX8, 2, 0, 0, 1, 1.5707963267948966); /* onto the axes again: no frames, the same answer */
}

static double lean;
static void incline(double x[3]) { x[0] += lean * x[1]; }

/* A side with its normal and the axis x prescribed: at an angle whose sine is above 0.05 both hold, and what is prescribed
 * along x makes the side slide along itself; below they are one direction, whose values must agree. */
static void directions_at_small_angles(void **state) {
  static const double sines[] = {0.01, 0.03, 0.045, 0.055, 0.08, 0.15, 0.28, 0.43, 0.6};
  (void)state;
  for (int k = 0; k < 9; ++k) {
    const bool apart = sines[k] > 0.05;
    for (int moved = 0; moved < 2; ++moved) {
      Problem p;
      problem_box(&p, exec, ELEMENT_QUAD4, 3, 0);
      p.model = MODEL_PLANE_STRESS;
      lean = tan(asin(sines[k]));
      bend_mesh(p.mesh, incline);
      problem_symmetry(&p, "x0");
      problem_fix(&p, "x0", moved ? "0.003" : "0", NULL, NULL);
      if (moved && !apart) {
        fails(&p, ERR_INPUT, "prescribes x = 0.003");
        continue;
      }
      if (!apart) problem_fix(&p, "y0", NULL, "0", NULL);
      problem_load(&p, LOAD_TRACTION, "x1", "2", "1", NULL);
      problem_solve(&p);
      assert_int_equal(elasticity_unknowns(p.e), 2 * 16 - 2 * 4);
      ElasticFields f;
      assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_DISPLACEMENT, &f));
      for (int32_t i = 0; i < p.mesh->n_node; ++i) {
        if (fabs(p.mesh->x[i][0] - lean * p.mesh->x[i][1]) > 1e-9) continue;
        assert_near(f.displacement[i][0], moved ? 0.003 : 0, 1e-12);
        if (apart) assert_near(f.displacement[i][1], (moved ? 0.003 : 0) / lean, 1e-11);
      }
      elastic_fields_release(&f);
      problem_release(&p);
    }
  }
}

/* A quarter of a ring: on the curved inside symmetry means no radial displacement at any node. */
static void to_ring(double x[3]) {
  const double r = 1 + x[0], angle = 0.5 * 3.14159265358979323846 * x[1];
  x[0] = r * cos(angle);
  x[1] = r * sin(angle);
}

static void curved_symmetry(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_QUAD9, 4, 0);
  bend_mesh(p.mesh, to_ring);
  p.model = MODEL_PLANE_STRESS;
  problem_symmetry(&p, "x0");
  problem_symmetry(&p, "y0");
  problem_symmetry(&p, "y1");
  problem_load(&p, LOAD_PRESSURE, "x1", "1", NULL, NULL);
  problem_solve(&p);
  ElasticFields f;
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_DISPLACEMENT, &f));
  int on_curve = 0;
  double outer = 0;
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double *x = p.mesh->x[i], r = hypot(x[0], x[1]),
                 ur = (f.displacement[i][0] * x[0] + f.displacement[i][1] * x[1]) / r;
    if (fabs(r - 1) < 1e-9) {
      assert_near(ur, 0, 1e-9);
      ++on_curve;
    }
    if (fabs(r - 2) < 1e-9) outer = ur;
  }
  assert_int_equal(on_curve, 9);
  /* Lame: u = A r + B / r with u(1) = 0 and sigma_r(2) = -1 in plane stress */
  const double young = 1000, nu = 0.3, A = -1 / (young / (1 - nu * nu) * ((1 + nu) + (1 - nu) / 4));
  assert_relative(outer, A * (2 - 0.5), 1e-4);
  elastic_fields_release(&f);
  problem_release(&p);
}

/* Two supports whose normals nearly agree are one; a group that is split in two parts holds like the whole. */
static void loose_nodes(void **state) {
  (void)state;
  Problem p;
  Mesh *mesh = NULL;
  const BoxParams box = {.kind = ELEMENT_QUAD4, .n = {2, 2, 1}, .size = {1, 1, 1}};
  assert_ok(mesh_box(&box, &mesh));
  const int32_t last = mesh->n_node; /* a node that no element uses */
  assert_ok(mem_resize(last + 1, sizeof *mesh->x, "test", (void **)&mesh->x));
  assert_ok(mem_resize(last + 1, sizeof *mesh->node_tag, "test", (void **)&mesh->node_tag));
  mesh->n_node = last + 1;
  problem_init(&p, exec, mesh, MODEL_PLANE_STRESS, 1000, 0.3);
  problem_fix(&p, "x0", "0", "0", NULL);
  problem_load(&p, LOAD_TRACTION, "x1", "1", "0", NULL);
  problem_solve(&p);
  assert_int_equal(elasticity_unknowns(p.e), 2 * 6);
  assert_true(p.u[2 * last] == 0 && p.u[2 * last + 1] == 0);
  const Pattern *pattern = elasticity_pattern(p.e);
  assert_int_equal(pattern->start[last + 1] - pattern->start[last], 1);
  const int64_t at = p.slots.slot[pattern->start[last]];
  assert_true(p.values[at] == 1 && p.values[at + 1] == 0 && p.values[at + 2] == 0 && p.values[at + 3] == 1);
  ElasticFields f;
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
  assert_true(f.stress[last][0] == 0 && f.von_mises[last] == 0 && f.reaction[last][0] == 0);
  elastic_fields_release(&f);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(conflicts),
                                     cmocka_unit_test(wrong_groups),
                                     cmocka_unit_test(inverted),
                                     cmocka_unit_test(skew_symmetry),
                                     cmocka_unit_test(directions_at_small_angles),
                                     cmocka_unit_test(curved_symmetry),
                                     cmocka_unit_test(loose_nodes)};
  return testing_run("assembly/supports", tests, exec);
}
