/* Linear equations between unknowns, against the same problem with Lagrange multipliers, solved densely on the host. */
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 256, EQUATIONS = 64, UNKNOWNS = 300 };

static Exec *exec;

typedef struct Rows {
  Equation item[EQUATIONS];
  EquationTerm term[TERMS];
  int32_t n;
  int64_t n_term;
  EquationList list;
} Rows;

static void row(Rows *r, double value, int n, const EquationTerm *term) {
  static char where[EQUATIONS][24];
  snprintf(where[r->n], sizeof where[r->n], "eq.yaml:%d:1", r->n + 1);
  r->item[r->n] = (Equation){.first = r->n_term, .n = n, .value = value, .where = where[r->n]};
  ++r->n;
  for (int k = 0; k < n; ++k) r->term[r->n_term++] = term[k];
  r->list = (EquationList){.n = r->n, .item = r->item, .term = r->term};
}

static int32_t node_at(const Mesh *mesh, double x, double y, double z) {
  for (int32_t i = 0; i < mesh->n_node; ++i)
    if (fabs(mesh->x[i][0] - x) + fabs(mesh->x[i][1] - y) + fabs(mesh->x[i][2] - z) < 1e-9) return i;
  fail_msg("no node at (%g, %g, %g)", x, y, z);
  return -1;
}

static double angle;
static void turn(double x[3]) {
  const double a = x[0], b = x[1];
  x[0] = cos(angle) * a - sin(angle) * b;
  x[1] = sin(angle) * a + cos(angle) * b;
}

/* The problem of all tests; with `skew` the plane y0 is one of symmetry, else free. */
static void cube(Problem *p, bool skew) {
  problem_box(p, exec, ELEMENT_HEX8, 2, 0);
  angle = 0.4;
  bend_mesh(p->mesh, turn);
  problem_fix(p, "x0", "cos(0.4)*(0.02+0.01*z)", "sin(0.4)*(0.02+0.01*z)", "0"); /* along y0 */
  if (skew) problem_symmetry(p, "y0");
  problem_load(p, LOAD_TRACTION, "x1", "3", "-1", "2");
  problem_load(p, LOAD_SPRING, "z0", "50", "20", "10");
}

/* a x = b by Gauss with pivots. */
static void dense_solve(int n, double *a, double *b) {
  for (int j = 0; j < n; ++j) {
    int p = j;
    for (int i = j + 1; i < n; ++i)
      if (fabs(a[i * n + j]) > fabs(a[p * n + j])) p = i;
    if (!(fabs(a[p * n + j]) > 1e-12)) fail_msg("the dense matrix is singular in column %d", j);
    for (int k = 0; k < n; ++k) {
      const double t = a[j * n + k];
      a[j * n + k] = a[p * n + k], a[p * n + k] = t;
    }
    const double t = b[j];
    b[j] = b[p], b[p] = t;
    for (int i = j + 1; i < n; ++i) {
      const double f = a[i * n + j] / a[j * n + j];
      for (int k = j; k < n; ++k) a[i * n + k] -= f * a[j * n + k];
      b[i] -= f * b[j];
    }
  }
  for (int j = n - 1; j >= 0; --j) {
    for (int k = j + 1; k < n; ++k) b[j] -= a[j * n + k] * b[k];
    b[j] /= a[j * n + j];
  }
}

/* u[n_node][3] with multipliers: K x + C^T l = r, C x = value - C u0, x = 0 where prescribed. */
static void reference(const Rows *rows, double *u) {
  static double a[UNKNOWNS * UNKNOWNS], b[UNKNOWNS], r[UNKNOWNS];
  Problem p;
  cube(&p, false);
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  problem_residual(&p, r);
  const Pattern *pattern = elasticity_pattern(p.e);
  const int n = (int)elasticity_dofs(p.e), all = n + rows->n;
  assert_true(all <= UNKNOWNS);
  memset(a, 0, sizeof a);
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      for (int rr = 0; rr < 3; ++rr)
        for (int c = 0; c < 3; ++c)
          a[(3 * i + rr) * all + 3 * pattern->column[k] + c] = p.values[p.slots.slot[k] + rr * p.slots.row_step[i] + c];
  memcpy(b, r, (size_t)n * sizeof *b);
  for (int q = 0; q < rows->n; ++q) {
    b[n + q] = rows->item[q].value;
    for (int k = 0; k < rows->item[q].n; ++k) {
      const EquationTerm *t = &rows->term[rows->item[q].first + k];
      const int at = 3 * t->node + t->component;
      b[n + q] -= t->factor * p.u[at];
      const double *x = p.mesh->x[t->node];
      if (fabs(cos(angle) * x[0] + sin(angle) * x[1]) < 1e-9) continue; /* on x0: prescribed */
      a[at * all + n + q] += t->factor;
      a[(n + q) * all + at] += t->factor;
    }
  }
  dense_solve(all, a, b);
  for (int i = 0; i < n; ++i) u[i] = p.u[i] + b[i];
  problem_release(&p);
}

static void agrees(const Rows *rows, const Rows *reference_rows, bool skew, int32_t depends) {
  static double wanted[UNKNOWNS];
  Problem p;
  ElasticFields fields;
  reference(reference_rows, wanted);
  cube(&p, skew);
  p.params.equations = &rows->list;
  problem_solve(&p);
  assert_int_equal(elasticity_unknowns(p.e), 81 - 27 - (skew ? 6 : 0) - depends);
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_DISPLACEMENT | FIELD_REACTION, &fields));
  for (int32_t i = 0; i < p.mesh->n_node; ++i)
    for (int c = 0; c < 3; ++c) assert_within(fields.displacement[i][c], wanted[3 * i + c], 1e-10);
  elastic_fields_release(&fields);
  problem_release(&p);
}

/* Points of the unturned cube. */
static int32_t at(const Mesh *mesh, double x, double y, double z) {
  double p[3] = {x, y, z};
  turn(p);
  return node_at(mesh, p[0], p[1], p[2]);
}

/* Ties, a chain, a row with several terms and a value, terms that are prescribed. */
static void several(const Mesh *mesh, Rows *r) {
  const int32_t a = at(mesh, 1, 0.5, 0.5), b = at(mesh, 1, 1, 1), c = at(mesh, 1, 1, 0), d = at(mesh, 0.5, 1, 0.5),
                e = at(mesh, 0, 0.5, 1), f = at(mesh, 1, 0.5, 1);
  *r = (Rows){0};
  for (int k = 0; k < 3; ++k) row(r, 0, 2, (EquationTerm[]){{b, k, 1}, {c, k, -1}});
  row(r, 0.03, 3, (EquationTerm[]){{a, 0, 2}, {b, 1, -1}, {d, 2, 0.5}});
  row(r, 0, 2, (EquationTerm[]){{c, 1, 1}, {d, 1, 1}});
  row(r, -0.01, 3, (EquationTerm[]){{f, 2, 1}, {e, 0, 3}, {f, 0, 0.25}});
}

static void lagrange(void **state) {
  (void)state;
  Problem p;
  Rows r, more;
  cube(&p, false);
  several(p.mesh, &r);
  agrees(&r, &r, false, 6);
  more = r; /* what follows from the others is left out */
  row(&more, 0, 2, (EquationTerm[]){{at(p.mesh, 1, 1, 1), 1, 2}, {at(p.mesh, 0.5, 1, 0.5), 1, 2}});
  agrees(&more, &r, false, 6);
  problem_release(&p);
}

/* Nodes with frames of their own: symmetry is an equation of the reference. */
static void skew_nodes(void **state) {
  (void)state;
  Problem p;
  Rows r, with;
  cube(&p, false);
  several(p.mesh, &r);
  const int32_t g = at(p.mesh, 0.5, 0, 1), h = at(p.mesh, 1, 0, 0.5);
  row(&r, 0, 2, (EquationTerm[]){{g, 0, 1}, {h, 0, -1}});
  row(&r, 0.02, 2, (EquationTerm[]){{h, 2, 1}, {at(p.mesh, 1, 0.5, 0), 0, -1}});
  with = r;
  for (int i = 1; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int32_t node = at(p.mesh, 0.5 * i, 0, 0.5 * k);
      row(&with, 0, 2, (EquationTerm[]){{node, 0, -sin(angle)}, {node, 1, cos(angle)}});
    }
  agrees(&r, &with, true, 8);
  problem_release(&p);
}

/* Any order of the nodes gives the same. */
static void other_order(void **state) {
  (void)state;
  Problem p;
  Rows r;
  static double u[2][UNKNOWNS];
  int32_t rank[27];
  ElasticFields fields;
  for (int32_t i = 0; i < 27; ++i) rank[i] = (7 * i + 3) % 27;
  for (int k = 0; k < 2; ++k) {
    cube(&p, true);
    several(p.mesh, &r);
    p.params.equations = &r.list;
    p.params.node_rank = k ? rank : NULL;
    problem_solve(&p);
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_DISPLACEMENT, &fields));
    memcpy(u[k], fields.displacement, 81 * sizeof(double));
    elastic_fields_release(&fields);
    problem_release(&p);
  }
  for (int i = 0; i < 81; ++i) assert_within(u[1][i], u[0][i], 1e-11);
}

static void refused(void **state) {
  (void)state;
  for (int k = 0; k < 3; ++k) {
    Problem p;
    Rows r;
    cube(&p, false);
    several(p.mesh, &r);
    const int32_t b = at(p.mesh, 1, 1, 1), e = at(p.mesh, 0, 0.5, 1);
    if (k == 0) row(&r, 0.5, 2, (EquationTerm[]){{b, 1, 2}, {at(p.mesh, 0.5, 1, 0.5), 1, 2}});
    if (k == 1) row(&r, 0.5, 1, (EquationTerm[]){{e, 1, 1}});
    if (k == 2) row(&r, 0, 1, (EquationTerm[]){{b, 3, 1}});
    p.params.equations = &r.list;
    assert_fails(problem_create(&p), ERR_INPUT, k < 2 ? "contradicts those before it" : "has a term off the mesh");
    problem_release(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lagrange), cmocka_unit_test(skew_nodes),
                                     cmocka_unit_test(other_order), cmocka_unit_test(refused)};
  return testing_run("assembly/equations", tests, exec);
}
