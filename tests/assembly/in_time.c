/* Supports and loads of elasticity that depend on t: at a time they are what the same expressions with a number in
 * place of t are, in any frame and in the solver's order. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Exec *exec;

static void turn(double x[3]) {
  const double y[2] = {0.8 * x[0] - 0.6 * x[1], 0.6 * x[0] + 0.8 * x[1]};
  x[0] = y[0];
  x[1] = y[1];
}

/* An expression with every 't' replaced. */
static const char *with(const char *expression, const char *t, char text[96]) {
  size_t n = 0;
  for (; *expression; ++expression) {
    if (*expression == 't') n += (size_t)snprintf(text + n, 96 - n, "%s", t);
    else text[n++] = *expression;
  }
  text[n] = 0;
  return text;
}

/* Skew supports, one that moves, and every kind of load. */
static void describe(Problem *p, ElementKind kind, const char *t, bool reversed) {
  char a[96], b[96], c[96];
  problem_box(p, exec, kind, 2, 0.2);
  bend_mesh(p->mesh, turn);
  for (int m = 0; m < p->n_material; ++m) p->material[m].value[3] = 2.5; /* density */
  problem_symmetry(p, "x0");
  problem_fix(p, "x1", with("0.1*t*x", t, a), with("0.2+t^2", t, b), NULL);
  if (element_type(kind)->dim == 3) problem_fix(p, "z0", NULL, NULL, "0.3");
  problem_load(p, LOAD_SPRING, "y0", "5", "6", "7");
  problem_load(p, LOAD_PRESSURE, "y1", with("1+t*x", t, a), NULL, NULL);
  problem_load(p, LOAD_TRACTION, "y0", with("t-y", t, a), "3", with("2*t", t, c));
  problem_load(p, LOAD_FORCE, "y1", "1", with("7*t", t, b), NULL);
  problem_load(p, LOAD_GRAVITY, "body", with("t", t, a), "x", NULL);
  problem_load(p, LOAD_TRACTION, "y1", "0.5", "y", NULL);
  if (!reversed) return;
  int32_t *rank = NULL;
  assert_ok(mem_alloc(p->mesh->n_node, sizeof *rank, "test", (void **)&rank));
  for (int32_t i = 0; i < p->mesh->n_node; ++i) rank[i] = p->mesh->n_node - 1 - i;
  p->params.node_rank = rank;
}

static void give_back(Problem *p) {
  mem_free((void **)(void *)&p->params.node_rank);
  problem_release(p);
}

static void same_as_at_rest(ElementKind kind, bool reversed) {
  const double times[] = {0, 0.7, 0.25, 0.7};
  const char *const text[] = {"0", "0.7", "0.25", "0.7"};
  Problem p;
  describe(&p, kind, "t", reversed);
  assert_ok(problem_create(&p));
  assert_true(elasticity_load_varies(p.e) && elasticity_prescribed_varies(p.e));
  problem_assemble(&p);
  const int64_t n = elasticity_dofs(p.e);
  double *r = calloc((size_t)n, 8), *still = calloc((size_t)n, 8), *u = calloc((size_t)n, 8);
  for (size_t k = 0; k < sizeof times / sizeof *times; ++k) {
    Problem q;
    describe(&q, kind, text[k], reversed);
    assert_ok(problem_create(&q));
    assert_true(!elasticity_load_varies(q.e) && !elasticity_prescribed_varies(q.e));
    problem_assemble(&q);
    double force[3], total[3];
    assert_ok(elasticity_initial(q.e, q.exec_u));
    assert_ok(elasticity_prescribed_at_time(p.e, times[k], p.exec_u));
    assert_ok(elasticity_load_at_time(p.e, times[k]));
    assert_ok(exec_download(exec, u, p.exec_u, (size_t)n * 8));
    assert_ok(exec_download(exec, q.u, q.exec_u, (size_t)n * 8));
    problem_residual(&p, r);
    problem_residual(&q, still);
    assert_ok(elasticity_total_load(p.e, force));
    assert_ok(elasticity_total_load(q.e, total));
    for (int64_t i = 0; i < n; ++i) {
      assert_near(u[i], q.u[i], 1e-15);
      assert_near(r[i] / 1000, still[i] / 1000, 1e-14);
    }
    for (int c = 0; c < 3; ++c) assert_near(force[c], total[c], 1e-13);
    give_back(&q);
  }
  free(r), free(still), free(u);
  give_back(&p);
}

static void as_with_numbers(void **state) {
  (void)state;
  same_as_at_rest(ELEMENT_QUAD8, false); /* the Exec's room for sums is there from now on */
  const size_t before = mem_in_use();
  same_as_at_rest(ELEMENT_TRI3, true);
  same_as_at_rest(ELEMENT_HEX8, true);
  same_as_at_rest(ELEMENT_TET10, false);
  assert_int_equal(mem_in_use(), before);
}

/* Equal at the start only: told before a run in time, else when it comes. */
static void contradictions(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  problem_fix(&p, "x0", "0.1*t", "0", NULL);
  problem_fix(&p, "y0", "0.2*t", NULL, NULL);
  p.params.end = 1;
  assert_fails(problem_create(&p), ERR_INPUT,
               "conflicting supports at node 1 (0, 0, 0): support.yaml:1:1 prescribes x = ");
  p.params.end = 0;
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  assert_ok(elasticity_prescribed_at_time(p.e, 0, p.exec_u));
  assert_fails(elasticity_prescribed_at_time(p.e, 0.5, p.exec_u), ERR_INPUT,
               "support.yaml:1:1 prescribes x = 0.05, support.yaml:2:1 prescribes x = 0.1 at t = 0.5");
  assert_ok(elasticity_prescribed_at_time(p.e, 0, p.exec_u));
  problem_release(&p);
}

static void refused(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  problem_fix(&p, "x0", "0", "1/(t-1)", NULL);
  problem_load(&p, LOAD_TRACTION, "x1", "1", "1/(t-2)", NULL);
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  assert_fails(elasticity_prescribed_at_time(p.e, 1, p.exec_u), ERR_INPUT,
               "support.yaml:1:1: the prescribed displacement y is infinite at (0, 0, 0), t = 1, must be finite");
  assert_fails(elasticity_load_at_time(p.e, 2), ERR_INPUT, "load.yaml:1:1: traction is infinite at (1, ");
  problem_release(&p);
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  problem_load(&p, LOAD_SPRING, "x0", "1+t", "1", NULL);
  assert_fails(problem_create(&p), ERR_INPUT, "load.yaml:1:1: spring depends on t, but it is part of the matrix");
  problem_release(&p);
}

/* A normal 15 degrees from an axis that is held too is a direction of its own. */
static void tilt(double x[3]) {
  const double c = cos(M_PI / 12), s = sin(M_PI / 12), y[2] = {c * x[0] - s * x[1], s * x[0] + c * x[1]};
  x[0] = y[0];
  x[1] = y[1];
}
static void directions_apart(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, ELEMENT_QUAD4, 2, 0);
  bend_mesh(p.mesh, tilt);
  problem_symmetry(&p, "x0");
  problem_fix(&p, "y0", "0", NULL, NULL);
  problem_fix(&p, "y1", NULL, "0", NULL);
  assert_ok(problem_create(&p));
  assert_int_equal(p.e->supports.fixed[0], 3); /* the corner of x0 and y0 */
  assert_int_equal(p.e->supports.frame_of[0], -1);
  problem_release(&p);
}

/* Around the axis x = 0: what loads add up to, and what the axis holds. */
static void around_an_axis(void **state) {
  (void)state;
  static const char *const NAME[] = {"displacement x", "displacement y"};
  const BoxParams box = {.kind = ELEMENT_QUAD8, .n = {2, 3}, .size = {1, 2}};
  Mesh *mesh = NULL;
  Space *space = NULL;
  Loads loads;
  Supports supports;
  double total[3];
  assert_ok(mesh_box(&box, &mesh));
  assert_ok(space_create(exec, mesh, 2, 2, &space));
  const Load load[] = {{.kind = LOAD_TRACTION, .on = mesh_group(mesh, "x1"), .value = {expr_constant(3)}},
                       {.kind = LOAD_PRESSURE, .on = mesh_group(mesh, "y1"), .value = {expr_constant(5)}},
                       {.kind = LOAD_FORCE, .on = mesh_group(mesh, "y0"), .value = {expr_constant(0.25)}}};
  const LoadParams params = {.mesh = mesh,
                             .set = &space->set,
                             .incidence = &space->incidence,
                             .n_component = 2,
                             .n = 3,
                             .item = load,
                             .axisymmetric = true};
  assert_ok(loads_create(&params, &loads));
  loads_total(&loads, mesh->n_node, total);
  assert_near(total[0], 3 * 2 * M_PI * 1 * 2 + 0.25, 1e-13);
  assert_near(total[1], -5 * M_PI, 1e-13);
  loads_release(&loads);
  const Support moves = {.on = mesh_group(mesh, "x0"), .value = {expr_constant(0.5)}, .where = "case.yaml:3:1"};
  SupportParams held = {
      .mesh = mesh, .incidence = &space->incidence, .dim = 2, .n_component = 2, .name = NAME, .axisymmetric = true};
  assert_ok(supports_create(&held, &supports));
  assert_int_equal(supports.n_value, 7); /* the nodes of three quadratic edges, in x */
  supports_release(&supports);
  held.n = 1;
  held.item = &moves;
  assert_fails(supports_create(&held, &supports), ERR_INPUT,
               "case.yaml:3:1 prescribes x = 0.5, the axis of the model, x = 0, prescribes x = 0");
  space_destroy(&space);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_with_numbers), cmocka_unit_test(contradictions),
                                     cmocka_unit_test(refused), cmocka_unit_test(directions_apart),
                                     cmocka_unit_test(around_an_axis)};
  return testing_run("assembly/in_time", tests, exec);
}
