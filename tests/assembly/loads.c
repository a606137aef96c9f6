/* Loads: what they add up to, where outward is, wrong groups, springs. */
#include "tests/assembly/problem.h"

#include <math.h>
#include <string.h>

static Exec *exec;

/* The sum of all loads of a problem that may move freely. */
static void total(Problem *p, double force[3]) {
  p->params.allow_free_motion = true;
  assert_ok(problem_create(p));
  assert_ok(elasticity_total_load(p->e, force));
  problem_release(p);
}

static void check_total(Problem *p, double x, double y, double z, double tolerance) {
  double force[3];
  total(p, force);
  const double wanted[3] = {x, y, z};
  for (int c = 0; c < 3; ++c) assert_near(force[c], wanted[c], tolerance);
}

static void flip_facets(Problem *p, const char *name) { /* turns every facet of a group round */
  const Group *group = problem_group(p, name);
  for (int32_t k = 0; k < group->n; ++k) {
    int32_t *nodes = (int32_t *)mesh_nodes_of(p->mesh, group->element[k]);
    const ElementType *type = element_type(mesh_block_of(p->mesh, group->element[k])->kind);
    const int32_t v = type->n_vertex, first = nodes[0];
    nodes[0] = nodes[v == 2 ? 1 : 2];
    nodes[v == 2 ? 1 : 2] = first;
    if (type->order == 3) { /* two on each edge, in its direction */
      static const int32_t line[4] = {0, 1, 3, 2}, triangle[9] = {0, 1, 2, 6, 5, 4, 3, 8, 7};
      int32_t was[9];
      memcpy(was, nodes, (size_t)(v == 2 ? 4 : 9) * sizeof *was);
      for (int a = v; a < (v == 2 ? 4 : 9); ++a) nodes[a] = was[v == 2 ? line[a] : triangle[a]];
    }
    if (type->order == 2 && v > 2) { /* edges 01 12 20 or 01 12 23 30 */
      const int32_t edge = nodes[v];
      nodes[v] = nodes[v + 1];
      nodes[v + 1] = edge;
      if (v == 4) {
        const int32_t other = nodes[v + 2];
        nodes[v + 2] = nodes[v + 3];
        nodes[v + 3] = other;
      }
    }
  }
}

static void sums(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const int dim = element_type((ElementKind)kind)->dim;
    if (dim < 2) continue;
    Problem p;
    for (int turned = 0; turned < 2; ++turned) { /* the way round of a facet in the file does not matter */
      problem_box(&p, exec, (ElementKind)kind, 2, 0.2);
      p.material[0].value[2] = 0.25; /* counts in 2D only */
      problem_load(&p, LOAD_PRESSURE, "x1", "8", NULL, NULL);
      problem_load(&p, LOAD_PRESSURE, "y0", "x", NULL, NULL);
      if (turned) flip_facets(&p, "x1"), flip_facets(&p, "y0");
      check_total(&p, dim == 2 ? -2 : -8, dim == 2 ? 0.125 : 0.5, 0, 1e-13);
    }
    problem_box(&p, exec, (ElementKind)kind, 2, 0.2);
    problem_load(&p, LOAD_TRACTION, "x0", "1+y", "-2", "3*y");
    check_total(&p, 1.5, -2, dim == 3 ? 1.5 : 0, 1e-13);
    const char *const groups[2] = {"y1", "body"};
    for (int g = 0; g < 2; ++g) {
      problem_box(&p, exec, (ElementKind)kind, 2, 0.2);
      p.material[0].value[2] = 0.25; /* a total force knows no thickness */
      problem_load(&p, LOAD_FORCE, groups[g], "5", "-6", "7");
      check_total(&p, 5, -6, dim == 3 ? 7 : 0, 1e-13);
    }
    problem_box(&p, exec, (ElementKind)kind, 2, 0.2);
    p.material[0].value[2] = 0.5;
    p.material[0].value[3] = 4;
    problem_load(&p, LOAD_GRAVITY, "body", "x*t", "-9.81", "1");
    check_total(&p, 0, dim == 2 ? -19.62 : -39.24, dim == 2 ? 0 : 4, 1e-13);
  }
}

static void to_ring(double x[3]) {
  const double r = 1 + x[0], angle = 0.5 * 3.14159265358979323846 * x[1];
  x[0] = r * cos(angle);
  x[1] = r * sin(angle);
}

/* Pressure inside a quarter of a ring: its sum is that on the projected lengths, whatever the curve in between, and a
 * closed surface under pressure feels no force. */
static void curved(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_QUAD4, ELEMENT_QUAD8, ELEMENT_TRI6, ELEMENT_HEX20, ELEMENT_TET10, ELEMENT_HEX27};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    Problem p;
    problem_box(&p, exec, kinds[k], 3, 0);
    bend_mesh(p.mesh, to_ring);
    problem_load(&p, LOAD_PRESSURE, "x0", "3", NULL, NULL); /* pushes outward, away from the axis */
    check_total(&p, 3, 3, 0, 1e-13);
    problem_box(&p, exec, kinds[k], 3, 0);
    bend_mesh(p.mesh, to_ring);
    const int dim = p.mesh->dim;
    const char *const sides[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};
    for (int s = 0; s < 2 * dim; ++s) problem_load(&p, LOAD_PRESSURE, sides[s], "3", NULL, NULL);
    check_total(&p, 0, 0, 0, 1e-13);
  }
}

/* A total force on points is shared equally, on a curve in 3D by length; supports may be on either too. */
static void points_and_curves(void **state) {
  (void)state;
  for (int dim = 2; dim <= 3; ++dim) {
    Mesh *mesh = NULL;
    Problem p;
    const BoxParams box = {.kind = dim == 2 ? ELEMENT_QUAD4 : ELEMENT_HEX8, .n = {3, 1, 1}, .size = {6, 1, 1}};
    assert_ok(mesh_box(&box, &mesh));
    mesh->x[1][0] = 1; /* nodes 0 to 3 lie on the x axis: pieces of 1, 3 and 2 */
    const int32_t points[2] = {1, 3}, lines[3][2] = {{0, 1}, {2, 1}, {2, 3}};
    add_group(mesh, "axis", ELEMENT_LINE2, 3, lines[0]);
    add_group(mesh, "points", ELEMENT_POINT1, 2, points);
    problem_init(&p, exec, mesh, dim == 2 ? MODEL_PLANE_STRESS : MODEL_SOLID, 1000, 0.3);
    p.material[0].value[2] = 0.5;
    p.params.allow_free_motion = true;
    problem_load(&p, LOAD_FORCE, "points", "8", "0", "0");
    problem_load(&p, LOAD_FORCE, "axis", "0", "-12", "0");
    problem_fix(&p, "points", NULL, NULL, "0"); /* z: nothing in 2D */
    problem_fix(&p, "axis", "0.5", NULL, NULL);
    assert_ok(problem_create(&p));
    const double shares[4] = {1, 4, 5, 2};
    problem_assemble(&p);
    double *r = calloc((size_t)elasticity_dofs(p.e), sizeof *r);
    memset(p.u, 0, (size_t)elasticity_dofs(p.e) * sizeof *p.u);
    assert_ok(exec_upload(exec, p.exec_u, p.u, (size_t)elasticity_dofs(p.e) * sizeof *p.u));
    problem_residual(&p, r);
    for (int i = 0; i < 4; ++i) { /* x is held, y shows the share of the curve's force */
      assert_true(r[i * dim] == 0);
      assert_near(r[i * dim + 1], -shares[i], 1e-14);
    }
    ElasticFields f;
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_REACTION, &f));
    for (int i = 0; i < 4; ++i) assert_near(f.reaction[i][0], i == 1 || i == 3 ? -4 : 0, 1e-14);
    elastic_fields_release(&f);
    free(r);
    problem_release(&p);
  }
}

static void fails(Problem *p, const char *text) {
  p->params.allow_free_motion = true;
  assert_fails(problem_create(p), ERR_INPUT, text);
  problem_release(p);
}

static void wrong(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_HEX8, 2, 0);
  problem_load(&p, LOAD_TRACTION, "body", "1", NULL, NULL);
  fails(&p,
        "load.yaml:1:1: traction on group 'body', a volume group of 8 elements: in 3D it acts on surface groups only");
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  problem_load(&p, LOAD_SPRING, "body", "1", "1", NULL);
  fails(&p, "load.yaml:1:1: spring on group 'body', a surface group of 4 elements: in 2D it acts on curve "
            "groups only");
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  problem_load(&p, LOAD_GRAVITY, "x0", "1", "1", NULL);
  fails(&p, "gravity on group 'x0', a curve group of 2 elements: in 2D it acts on surface groups only");
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  problem_load(&p, LOAD_GRAVITY, "body", "0", "-9.81", NULL);
  fails(&p, "load.yaml:1:1: gravity on group 'body' needs the density of its material");
  problem_box(&p, exec, ELEMENT_HEX8, 2, 0);
  problem_load(&p, LOAD_PRESSURE, "x1", "log(y-2)", NULL, NULL);
  fails(&p, "load.yaml:1:1: pressure is not a number at");
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  problem_load(&p, LOAD_SPRING, "x0", "-1", "1", NULL);
  fails(&p, "spring is -1 at");
  problem_box(&p, exec, ELEMENT_HEX8, 2, 0); /* move the facets of x1 to the middle of the body */
  const Group *x1 = problem_group(&p, "x1");
  for (int32_t k = 0; k < x1->n; ++k)
    for (int a = 0; a < 4; ++a) --((int32_t *)mesh_nodes_of(p.mesh, x1->element[k]))[a];
  problem_load(&p, LOAD_PRESSURE, "x1", "1", NULL, NULL);
  fails(&p, "pressure on group 'x1' lies between two elements near");
  problem_box(&p, exec, ELEMENT_HEX8, 2, 0);
  x1 = problem_group(&p, "x1");
  ((int32_t *)mesh_nodes_of(p.mesh, x1->element[2]))[0] = 0;
  problem_load(&p, LOAD_TRACTION, "x1", "1", NULL, NULL);
  fails(&p, "is not on the surface of the body");
}

static void warns(void **state) {
  (void)state;
  const struct {
    const char *traction, *moved;
    int warnings;
  } rows[] = {{NULL, NULL, 1}, {"0", NULL, 1}, {"1", NULL, 0}, {NULL, "0.1", 0}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Problem p;
    status_warnings_clear();
    problem_box(&p, exec, ELEMENT_HEX8, 1, 0);
    problem_fix(&p, "x0", "0", "0", "0");
    if (rows[k].moved) problem_fix(&p, "x1", rows[k].moved, NULL, NULL);
    if (rows[k].traction) problem_load(&p, LOAD_TRACTION, "x1", rows[k].traction, NULL, NULL);
    assert_ok(problem_create(&p));
    assert_int_equal(status_warning_count(), rows[k].warnings);
    if (rows[k].warnings) assert_non_null(strstr(status_warning(0), "there is no load"));
    problem_release(&p);
  }
  status_warnings_clear();
}

/* A block on springs all round one face: stress-free but for the pull, so the springs' stretch is known exactly; and
 * the springs alone hold it. */
static void springs(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI3,  ELEMENT_QUAD8, ELEMENT_QUAD9, ELEMENT_TET4,
                               ELEMENT_TET10, ELEMENT_HEX8,  ELEMENT_HEX27};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    Problem p;
    problem_box(&p, exec, kinds[k], 2, 0.2);
    p.material[0].value[1] = 0; /* no contraction: u = x T/E + T/k, y and z stay */
    p.material[0].value[2] = 0.5;
    problem_load(&p, LOAD_SPRING, "x0", "50", "70", "90");
    problem_load(&p, LOAD_TRACTION, "x1", "4", "0", "0");
    problem_solve(&p);
    const int dim = p.mesh->dim;
    const double thickness = dim == 2 ? 0.5 : 1;
    ElasticFields f;
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_DISPLACEMENT | FIELD_REACTION | FIELD_STRESS, &f));
    double reaction[3] = {0};
    for (int32_t i = 0; i < p.mesh->n_node; ++i) {
      assert_near(f.displacement[i][0], 4.0 / 50 + 4e-3 * p.mesh->x[i][0], 1e-12);
      assert_near(f.displacement[i][1], 0, 1e-12);
      assert_near(f.stress[i][0], 4, 1e-11);
      for (int c = 0; c < 3; ++c) reaction[c] += f.reaction[i][c];
    }
    assert_near(reaction[0], -4 * thickness, 1e-12);
    assert_near(reaction[1], 0, 1e-12);
    assert_near(f.energy, 0.5 * 4 * 4e-3 * thickness, 1e-12);
    elastic_fields_release(&f);
    problem_release(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums),  cmocka_unit_test(curved), cmocka_unit_test(points_and_curves),
      cmocka_unit_test(wrong), cmocka_unit_test(warns),  cmocka_unit_test(springs)};
  return testing_run("assembly/loads", tests, exec);
}
