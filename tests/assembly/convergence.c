/* Manufactured solution u = (sin, cos, ...) on distorted boxes: orders 2/1 in L2/H1 for linear, 3/2 for quadratic
 * elements (quad8 and hex20 on affine cells only). The body force is typed as gravity with density 1. */
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Exec *exec;
static const double YOUNG = 10, NU = 0.3; /* lambda = 5.769.., mu = 3.846.. */

/* u = (sin(2x + y + z), cos(x - 2y), sin(x + z) y)/10 in 3D, the first two with z = 0 in 2D; H_ij = du_i/dx_j. */
static void exact(int dim, const double *x, double *u, double H[3][3]) {
  const double z = dim == 3 ? x[2] : 0, a = 2 * x[0] + x[1] + z, b = x[0] - 2 * x[1], c = x[0] + z;
  u[0] = sin(a) / 10, u[1] = cos(b) / 10, u[2] = sin(c) * x[1] / 10;
  const double G[3][3] = {
      {2 * cos(a), cos(a), cos(a)}, {-sin(b), 2 * sin(b), 0}, {cos(c) * x[1], sin(c), cos(c) * x[1]}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) H[i][j] = G[i][j] / 10;
}

/* -div sigma = -(lambda + mu) grad div u - mu laplace u, as text. */
static void body_force(int dim, char text[3][400]) {
  const double lambda = YOUNG * NU / ((1 + NU) * (1 - 2 * NU)), mu = YOUNG / (2 * (1 + NU)), s = (lambda + mu) / 10,
               m = mu / 10;
  const char *z = dim == 3 ? "+z" : "";
  /* div u = (2 cos a + 2 sin b [+ y cos c]) / 10 with a = 2x+y+z, b = x-2y, c = x+z */
  const char *last[3] = {dim == 3 ? "-y*sin(x+z)" : "", dim == 3 ? "+cos(x+z)" : "", "-y*sin(x+z)"};
  snprintf(text[0], 400, "-%.17g*(-4*sin(2*x+y%s)+2*cos(x-2*y)%s)+%.17g*sin(2*x+y%s)", s, z, last[0],
           (dim == 3 ? 6 : 5) * m, z);
  snprintf(text[1], 400, "-%.17g*(-2*sin(2*x+y%s)-4*cos(x-2*y)%s)+%.17g*cos(x-2*y)", s, z, last[1], 5 * m);
  snprintf(text[2], 400, "-%.17g*(-2*sin(2*x+y+z)%s)+%.17g*y*sin(x+z)", s, last[2], 2 * m);
}

/* Errors by quadrature of the mass rule. */
static void errors(const Problem *p, double *l2, double *h1) {
  const Mesh *mesh = p->mesh;
  const ElementBlock *block = &mesh->block[mesh->n_block - 1];
  const ElementType *type = element_type(block->kind);
  const int dim = type->dim, n = type->n_node;
  Quadrature rule;
  assert_ok(element_mass_quadrature(type, &rule));
  *l2 = *h1 = 0;
  for (int32_t e = 0; e < block->n; ++e)
    for (int q = 0; q < rule.n; ++q) {
      double N[27], dN[81], x[27][3], J[3][3], at[3] = {0}, u[3] = {0}, D[3][3] = {{0}}, want[3], H[3][3];
      type->values(rule.xi[q], N);
      type->gradients(rule.xi[q], dN);
      for (int a = 0; a < n; ++a) memcpy(x[a], mesh->x[block->nodes[e * n + a]], sizeof x[a]);
      const double dV = element_jacobian(type, (const double(*)[3])x, rule.xi[q], J, true) * rule.weight[q];
      for (int a = 0; a < n; ++a)
        for (int i = 0; i < dim; ++i) {
          at[i] += N[a] * x[a][i];
          u[i] += N[a] * p->u[block->nodes[e * n + a] * dim + i];
          for (int k = 0; k < dim; ++k) D[i][k] += p->u[block->nodes[e * n + a] * dim + i] * dN[a * dim + k];
        }
      exact(dim, at, want, H);
      for (int i = 0; i < dim; ++i) { /* compare du/dxi = H J: no inverse needed, scaled to x by the mean size below */
        *l2 += (u[i] - want[i]) * (u[i] - want[i]) * dV;
        for (int k = 0; k < dim; ++k) {
          double wanted = 0;
          for (int j = 0; j < dim; ++j) wanted += H[i][j] * J[j][k];
          *h1 += (D[i][k] - wanted) * (D[i][k] - wanted) / pow(fabs(dV / rule.weight[q]), 2.0 / dim) * dV;
        }
      }
    }
  *l2 = sqrt(*l2);
  *h1 = sqrt(*h1);
}

static void one_size(ElementKind kind, int n, double distort, double *l2, double *h1) {
  Problem p;
  char b[3][400];
  const int dim = element_type(kind)->dim;
  problem_box(&p, exec, kind, n, distort);
  p.material[0] = (MaterialValues){.kind = 0, .value = {YOUNG, NU, 1, 1}};
  body_force(dim, b);
  problem_load(&p, LOAD_GRAVITY, "body", b[0], b[1], dim == 3 ? b[2] : NULL);
  const char *const sides[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};
  for (int s = 0; s < 2 * dim; ++s)
    problem_fix(&p, sides[s], dim == 3 ? "sin(2*x+y+z)/10" : "sin(2*x+y)/10", "cos(x-2*y)/10",
                dim == 3 ? "y*sin(x+z)/10" : NULL);
  problem_solve(&p);
  errors(&p, l2, h1);
  problem_release(&p);
}

static void orders(void **state) {
  (void)state;
  const struct {
    ElementKind kind;
    int coarse, fine;
    double distort;
  } rows[] = {{ELEMENT_TRI3, 12, 24, 0.2},  {ELEMENT_QUAD4, 12, 24, 0.2}, {ELEMENT_TRI6, 6, 12, 0.2},
              {ELEMENT_QUAD9, 6, 12, 0.2},  {ELEMENT_QUAD8, 6, 12, 0},    {ELEMENT_TET4, 6, 12, 0.1},
              {ELEMENT_HEX8, 6, 12, 0.2},   {ELEMENT_TET10, 3, 5, 0.1},   {ELEMENT_HEX20, 2, 4, 0},
              {ELEMENT_HEX27, 2, 4, 0.1},   {ELEMENT_TRI10, 4, 8, 0.1},   {ELEMENT_TET20, 2, 4, 0},
              {ELEMENT_WEDGE6, 6, 12, 0.1}, {ELEMENT_WEDGE15, 3, 6, 0},   {ELEMENT_PYRAMID5, 6, 12, 0.1},
              {ELEMENT_PYRAMID13, 2, 4, 0}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    double l2[2], h1[2];
    one_size(rows[k].kind, rows[k].coarse, rows[k].distort, &l2[0], &h1[0]);
    one_size(rows[k].kind, rows[k].fine, rows[k].distort, &l2[1], &h1[1]);
    const ElementType *type = element_type(rows[k].kind);
    const double ratio = log((double)rows[k].fine / rows[k].coarse), order = type->order;
    const double slope_l2 = log(l2[0] / l2[1]) / ratio, slope_h1 = log(h1[0] / h1[1]) / ratio;
    print_message("%-6s L2 %.3g order %.2f, H1 %.3g order %.2f\n", type->name, l2[1], slope_l2, h1[1], slope_h1);
    assert_true(l2[1] < 2e-3);
    assert_true(fabs(slope_l2 - order - 1) < 0.15 && fabs(slope_h1 - order) < 0.15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders)};
  return testing_run("assembly/convergence", tests, exec);
}
