/* Elements of the plain program: nodes, monomials, rules of Gauss on products of lines. */
#include "tests/native/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const Kind plain_kind[N_KIND] = {
    {"line2", {0}, LINE, 1, 2, 1, {0, 0}, false},
    {"line3", {"01"}, LINE, 2, 3, 8, {0, 0}, false},
    {"tri3", {0}, TRI, 1, 3, 2, {0, 0}, false},
    {"tri6", {"01", "12", "20"}, TRI, 2, 6, 9, {1, 1}, false},
    {"quad4", {0}, QUAD, 1, 4, 3, {0, 0}, true},
    {"quad8", {"01", "12", "23", "30"}, QUAD, 2, 8, 16, {1, 1}, false},
    {"quad9", {"01", "12", "23", "30", "0123"}, QUAD, 2, 9, 10, {1, 1}, true},
    {"tet4", {0}, TET, 1, 4, 4, {2, 4}, false},
    {"tet10", {"01", "12", "20", "30", "23", "13"}, TET, 2, 10, 11, {3, 5}, false},
    {"hex8", {0}, HEX, 1, 8, 5, {2, 4}, true},
    {"hex20", {"01", "03", "04", "12", "15", "23", "26", "37", "45", "47", "56", "67"}, HEX, 2, 20, 17, {3, 5}, false},
    {"hex27",
     {"01", "03", "04", "12", "15", "23", "26", "37", "45", "47", "56", "67", "0321", "0154", "0473", "1265", "2376",
      "4567", "01234567"},
     HEX,
     2,
     27,
     12,
     {3, 6},
     true},
    {"wedge6", {0}, WEDGE, 1, 6, 6, {2, 4}, false},
    {"wedge15", {"01", "02", "03", "12", "14", "25", "34", "35", "45"}, WEDGE, 2, 15, 18, {3, 5}, false},
};

int plain_kind_named(const char *name) {
  for (int k = 0; k < N_KIND; ++k)
    if (plain_kind[k].name && !strcmp(plain_kind[k].name, name)) return k;
  abort();
}

int plain_dim(Shape shape) { return shape == LINE ? 1 : shape <= QUAD ? 2 : 3; }

int plain_corners(Shape shape) { return (const int[]){2, 3, 4, 4, 8, 6}[shape]; }

static void corner_at(Shape shape, int a, double xi[3]) {
  static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
                      simplex[4][3] = {{0}, {1}, {0, 1}, {0, 0, 1}};
  xi[0] = xi[1] = xi[2] = 0;
  if (shape == LINE) xi[0] = 2 * a - 1;
  if (shape == TRI || shape == TET) memcpy(xi, simplex[a], 3 * sizeof *xi);
  if (shape == QUAD || shape == HEX) memcpy(xi, square[a % 4], 2 * sizeof *xi);
  if (shape == WEDGE) memcpy(xi, simplex[a % 3], 2 * sizeof *xi);
  if (shape == HEX) xi[2] = a < 4 ? -1 : 1;
  if (shape == WEDGE) xi[2] = a < 3 ? -1 : 1;
}

void plain_node(const Kind *kind, int a, double xi[3]) {
  const int corners = plain_corners(kind->shape);
  if (a < corners) {
    corner_at(kind->shape, a, xi);
    return;
  }
  const char *word = kind->middle[a - corners];
  const int n = (int)strlen(word);
  xi[0] = xi[1] = xi[2] = 0;
  for (int k = 0; k < n; ++k) {
    double c[3];
    corner_at(kind->shape, word[k] - '0', c);
    for (int d = 0; d < 3; ++d) xi[d] += c[d] / n;
  }
}

static bool has_monomial(const Kind *kind, const int e[3]) {
  const int dim = plain_dim(kind->shape), sum = e[0] + e[1] + e[2], p = kind->order;
  int high = 0;
  for (int d = 0; d < 3; ++d) {
    if (d >= dim && e[d]) return false;
    high += e[d] == 2;
  }
  if (kind->shape == TRI || kind->shape == TET) return sum <= p;
  if (kind->shape == WEDGE)
    return p == 1 ? e[0] + e[1] <= 1 && e[2] <= 1 : (e[2] <= 1 ? e[0] + e[1] <= 2 : e[0] + e[1] <= 1);
  for (int d = 0; d < dim; ++d)
    if (e[d] > p) return false;
  return p == 1 || kind->full || high <= 1;
}

static int exponents(const Kind *kind, int (*e)[3]) {
  int n = 0;
  for (int k = 0; k < 27; ++k) {
    const int trial[3] = {k % 3, k / 3 % 3, k / 9};
    if (has_monomial(kind, trial)) memcpy(e[n++], trial, sizeof trial);
  }
  if (n != kind->n) abort();
  return n;
}

static double power(double x, int e) { return e == 0 ? 1 : e == 1 ? x : x * x; }
static double slope(double x, int e) { return e == 0 ? 0 : e == 1 ? 1 : 2 * x; }

/* Coefficients of the shape functions: the inverse of the monomials at the nodes, once a kind. */
static const double *coefficients(const Kind *kind) {
  static double *known[N_KIND];
  const int k = (int)(kind - plain_kind), n = kind->n;
  if (known[k]) return known[k];
  int e[27][3];
  exponents(kind, e);
  double *V = calloc((size_t)(n * n), sizeof *V), *I = calloc((size_t)(n * n), sizeof *I);
  for (int a = 0; a < n; ++a) {
    double xi[3];
    plain_node(kind, a, xi);
    for (int m = 0; m < n; ++m) V[a * n + m] = power(xi[0], e[m][0]) * power(xi[1], e[m][1]) * power(xi[2], e[m][2]);
    I[a * n + a] = 1;
  }
  plain_solve(V, I, n, n);
  free(V);
  return known[k] = I;
}

void plain_shape(const Kind *kind, const double xi[3], double *N, double (*dN)[3]) {
  const double *c = coefficients(kind);
  const int n = kind->n;
  int e[27][3];
  exponents(kind, e);
  for (int a = 0; a < n; ++a) {
    N[a] = dN[a][0] = dN[a][1] = dN[a][2] = 0;
    for (int m = 0; m < n; ++m) {
      double p[3], s[3];
      for (int d = 0; d < 3; ++d) p[d] = power(xi[d], e[m][d]), s[d] = slope(xi[d], e[m][d]);
      N[a] += c[m * n + a] * p[0] * p[1] * p[2];
      dN[a][0] += c[m * n + a] * s[0] * p[1] * p[2];
      dN[a][1] += c[m * n + a] * p[0] * s[1] * p[2];
      dN[a][2] += c[m * n + a] * p[0] * p[1] * s[2];
    }
  }
}

/* Gauss and Legendre on [-1, 1]: Newton's method for the roots of the polynomial. */
static void gauss(int m, double *x, double *w) {
  for (int k = 0; k < m; ++k) {
    double z = cos(M_PI * (k + 0.75) / (m + 0.5)), d = 1;
    for (int turn = 0; turn < 50; ++turn) {
      double p0 = 1, p1 = z;
      for (int j = 2; j <= m; ++j) {
        const double p = ((2 * j - 1) * z * p1 - (j - 1) * p0) / j;
        p0 = p1, p1 = p;
      }
      d = m * (z * p1 - p0) / (z * z - 1);
      z -= p1 / d;
    }
    x[k] = z, w[k] = 2 / ((1 - z * z) * d * d);
  }
}

int plain_rule(Shape shape, int m, double (*xi)[3], double *weight) {
  double x[8], w[8];
  gauss(m, x, w);
  const int dim = plain_dim(shape);
  int n = 0;
  for (int k = 0; k < (dim == 3 ? m : 1); ++k)
    for (int j = 0; j < (dim >= 2 ? m : 1); ++j)
      for (int i = 0; i < m; ++i, ++n) {
        double p[3] = {x[i], dim >= 2 ? x[j] : 0, dim == 3 ? x[k] : 0};
        double f = w[i] * (dim >= 2 ? w[j] : 1) * (dim == 3 ? w[k] : 1);
        if (shape == TRI || shape == WEDGE) { /* the square folded onto the triangle */
          const double u = (1 + p[0]) / 2, v = (1 + p[1]) / 2;
          p[0] = u, p[1] = v * (1 - u), f *= (1 - u) / 4;
        } else if (shape == TET) {
          const double u = (1 + p[0]) / 2, v = (1 + p[1]) / 2, t = (1 + p[2]) / 2;
          p[0] = u, p[1] = v * (1 - u), p[2] = t * (1 - u) * (1 - v), f *= (1 - u) * (1 - u) * (1 - v) / 8;
        }
        memcpy(xi[n], p, sizeof p);
        weight[n] = f;
      }
  return n;
}
