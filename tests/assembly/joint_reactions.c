/* Reactions where equations join unknowns: over all nodes they balance the loads, whatever is joined with what; and a
 * support bears what hangs on its nodes, as it does where the same nodes are one. Drawn at random. */
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TERMS = 64, EQUATIONS = 16 };

static Exec *exec;
static uint64_t draw_state = 20240611;

/* Uniform in [-1, 1]. */
static double draw(void) {
  draw_state = draw_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(draw_state >> 11) / (double)(1ull << 52) - 1;
}
static int32_t draw_below(int32_t n) { return (int32_t)((draw() + 1) / 2 * 0.999999 * n); }

typedef struct Rows {
  Equation item[EQUATIONS];
  EquationTerm term[TERMS];
  int64_t n_term;
  EquationList list;
} Rows;

static void row(Rows *r, double value, int n, const EquationTerm *term) {
  r->item[r->list.n++] = (Equation){.first = r->n_term, .n = n, .value = value, .where = "eq.yaml:1:1"};
  for (int k = 0; k < n; ++k) r->term[r->n_term++] = term[k];
  r->list.item = r->item, r->list.term = r->term;
}

/* A pair that moves alike; or any sum of three, which the ground bears. */
static void draw_rows(const Problem *p, Rows *r) {
  *r = (Rows){0};
  for (int i = 0; i < 3; ++i) {
    const int32_t a = draw_below(p->mesh->n_node), b = draw_below(p->mesh->n_node), c = draw_below(p->mesh->n_node);
    if (a == b || b == c || a == c) continue;
    for (int k = 0; k < 3; ++k) row(r, 0.01 * draw(), 2, (EquationTerm[]){{a, k, 1}, {b, k, -1}});
    row(r, 0.01 * draw(), 3,
        (EquationTerm[]){{c, draw_below(3), 1 + draw()}, {b, draw_below(3), draw()}, {a, draw_below(3), draw()}});
  }
}

static double angle;
static void turn(double x[3]) {
  const double a = x[0], b = x[1];
  x[0] = cos(angle) * a - sin(angle) * b;
  x[1] = sin(angle) * a + cos(angle) * b;
}

/* A turned cube, so that nodes of x0 have frames of their own, under a traction t on an area of 1; the group "point" is
 * a node, where it is one. */
static void cube(Problem *p, const double t[3], int32_t point) {
  static char text[3][32];
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_HEX8, .n = {2, 2, 2}, .size = {1, 1, 1}}, &mesh));
  bend_mesh(mesh, turn);
  if (point >= 0) add_group(mesh, "point", ELEMENT_POINT1, 1, &point); /* an element more, ahead of the others */
  problem_init(p, exec, mesh, MODEL_SOLID, 1000, 0.3);
  for (int k = 0; k < 3; ++k) snprintf(text[k], sizeof text[k], "%.17g", t[k]);
  problem_fix(p, "z0", "0", "0", "0.01*x");
  problem_symmetry(p, "x0");
  problem_load(p, LOAD_TRACTION, "x1", text[0], text[1], text[2]);
  problem_load(p, LOAD_SPRING, "y1", "5", "2", "1");
}

static void balance(void **state) {
  (void)state;
  int tried = 0;
  for (int round = 0; round < 100; ++round) {
    double t[3] = {3 * draw(), 3 * draw(), 3 * draw()}, sum[3] = {0}, size = 1;
    Problem p;
    Rows rows;
    ElasticFields fields;
    angle = draw();
    cube(&p, t, -1);
    draw_rows(&p, &rows);
    p.params.equations = rows.list.n ? &rows.list : NULL;
    if (problem_create(&p) != OK) { /* they contradict each other, or the supports */
      status_clear();
      problem_release(&p);
      continue;
    }
    elasticity_destroy(&p.e);
    problem_solve(&p);
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_REACTION, &fields));
    for (int32_t i = 0; i < p.mesh->n_node; ++i)
      for (int c = 0; c < 3; ++c) sum[c] += fields.reaction[i][c], size = fmax(size, fabs(fields.reaction[i][c]));
    for (int c = 0; c < 3; ++c)
      if (!(fabs(sum[c] + t[c]) <= 1e-9 * size)) fail_msg("round %d: %g is not %g", round, sum[c], -t[c]);
    elastic_fields_release(&fields);
    problem_release(&p);
    ++tried;
  }
  assert_true(tried > 25);
}

/* A node of this height that the draw picks, off the plane of symmetry. */
static int32_t node_of_height(double z) {
  const double none[3] = {0};
  Problem p;
  int32_t node;
  cube(&p, none, -1);
  do node = draw_below(p.mesh->n_node);
  while (fabs(p.mesh->x[node][2] - z) > 1e-9 ||
         cos(angle) * p.mesh->x[node][0] + sin(angle) * p.mesh->x[node][1] < 1e-9);
  problem_release(&p);
  return node;
}

/* On y1, whose springs count as supports of their nodes. */
static bool is_sprung(const Problem *p, int32_t node) {
  return cos(angle) * p->mesh->x[node][1] - sin(angle) * p->mesh->x[node][0] > 1 - 1e-9;
}

/* A node that hangs on a held one by an equation bears nothing itself, and the held one what it would bear if it were
 * held as well. */
static void handed_on(void **state) {
  (void)state;
  for (int round = 0; round < 10; ++round) {
    const double t[3] = {draw(), 2 * draw(), draw()};
    double bears[3], wanted[3];
    char value[32];
    Problem p;
    Rows rows = {0};
    ElasticFields fields;
    angle = draw();
    const int32_t held = node_of_height(0), hangs = node_of_height(1);
    for (int k = 0; k < 3; ++k) row(&rows, 0, 2, (EquationTerm[]){{held, k, 1}, {hangs, k, -1}});
    for (int way = 0; way < 2; ++way) {
      cube(&p, t, way ? hangs : -1);
      snprintf(value, sizeof value, "%.17g", 0.01 * p.mesh->x[held][0]); /* as z0 moves there */
      if (way) problem_fix(&p, "point", "0", "0", value);
      else p.params.equations = &rows.list;
      problem_solve(&p);
      assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_REACTION, &fields));
      for (int c = 0; c < 3; ++c) {
        (way ? wanted : bears)[c] = fields.reaction[held][c] + fields.reaction[hangs][c];
        if (!way && !is_sprung(&p, hangs)) assert_true(fields.reaction[hangs][c] == 0);
      }
      elastic_fields_release(&fields);
      problem_release(&p);
    }
    for (int c = 0; c < 3; ++c) assert_within(bears[c], wanted[c], 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(balance), cmocka_unit_test(handed_on)};
  return testing_run("assembly/joint_reactions", tests, exec);
}
