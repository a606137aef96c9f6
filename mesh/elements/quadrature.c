/* Quadrature rules with positive weights and inner points: products of Gauss rules on lines, quads and hexes; symmetric
 * rules on triangles (Strang and Fix 1973; Dunavant 1985) and tetrahedra (Walkington 2000, 14 points; Keast 1986, 24
 * points); products of Gauss-Jacobi rules in collapsed coordinates (Stroud 1971) where no symmetric rule is kept here
 * and on pyramids, where they are exact for the products of rational shape functions too, since those are polynomials
 * in the collapsed coordinates; triangle times line on wedges.
 * Every rule is held against the exact integrals of all monomials by a test. */
#include "mesh/elements/element.h"

#include <math.h>
#include <string.h>

enum { MAX_LINE = 8 };

/* A symmetric orbit of barycentric points: the ones that arise by permuting the coordinates, each with this weight as a
 * share of the simplex. S1: the centroid. The others give the coordinate `a` that is repeated most (and `b`). */
typedef enum OrbitKind { ORBIT_CENTRE, ORBIT_A, ORBIT_AA, ORBIT_AAB } OrbitKind;
typedef struct Orbit {
  OrbitKind kind;
  double weight, a, b;
} Orbit;

/* Jacobi polynomial P_n^(alpha, 0) and its derivative at x in (-1, 1), by the three-term recurrence (Abramowitz and
 * Stegun 22.7.1) and 22.8.1. */
static void quadrature_jacobi(int32_t n, double alpha, double x, double *value, double *slope) {
  double before = 1.0, now = 0.5 * (alpha + (alpha + 2.0) * x);
  if (n == 0) {
    *value = 1.0;
    *slope = 0.0;
    return;
  }
  for (int32_t k = 1; k < n; k++) {
    const double c = 2.0 * k + alpha;
    const double a1 = 2.0 * (k + 1) * (k + alpha + 1.0) * c;
    const double a2 = (c + 1.0) * alpha * alpha, a3 = c * (c + 1.0) * (c + 2.0);
    const double a4 = 2.0 * (k + alpha) * k * (c + 2.0);
    const double next = ((a2 + a3 * x) * now - a4 * before) / a1;
    before = now;
    now = next;
  }
  const double c = 2.0 * n + alpha;
  *value = now;
  *slope = (n * (alpha - c * x) * now + 2.0 * (n + alpha) * n * before) / (c * (1.0 - x * x));
}

/* Gauss-Jacobi points in ascending order and weights of int_-1^1 (1 - x)^alpha f(x) dx, exact to degree 2 n - 1
 * (Abramowitz and Stegun 25.4.33). Newton with the roots found so far divided out. */
static void gauss_jacobi(int32_t n, double alpha, double x[MAX_LINE], double w[MAX_LINE]) {
  for (int32_t i = 0; i < n; i++) {
    double r = -cos((2.0 * i + 1.0) * acos(-1.0) / (2.0 * n));
    if (i > 0) r = 0.5 * (r + x[i - 1]);
    for (int32_t step = 0; step < 100; step++) {
      double p, dp, pole = 0.0;
      quadrature_jacobi(n, alpha, r, &p, &dp);
      for (int32_t j = 0; j < i; j++) pole += 1.0 / (r - x[j]);
      const double move = -p / (dp - pole * p);
      r += move;
      if (fabs(move) < 1e-16) break;
    }
    x[i] = r;
  }
  for (int32_t i = 0; i < n; i++) {
    double p, dp;
    quadrature_jacobi(n, alpha, x[i], &p, &dp);
    w[i] = pow(2.0, alpha + 1.0) / ((1.0 - x[i] * x[i]) * dp * dp);
  }
}

static void add_point(Quadrature *rule, double x, double y, double z, double weight) {
  rule->xi[rule->n][0] = x;
  rule->xi[rule->n][1] = y;
  rule->xi[rule->n][2] = z;
  rule->weight[rule->n++] = weight;
}

/* Product of n-point Gauss rules on [-1,1]^dim, the first coordinate fastest. */
static void gauss_product(int32_t dim, int32_t n, Quadrature *rule) {
  double x[MAX_LINE], w[MAX_LINE];
  gauss_jacobi(n, 0.0, x, w);
  for (int32_t k = 0; k < (dim > 2 ? n : 1); k++) {
    for (int32_t j = 0; j < (dim > 1 ? n : 1); j++) {
      for (int32_t i = 0; i < n; i++) {
        add_point(rule, x[i], dim > 1 ? x[j] : 0.0, dim > 2 ? x[k] : 0.0,
                  w[i] * (dim > 1 ? w[j] : 1.0) * (dim > 2 ? w[k] : 1.0));
      }
    }
  }
}

/* Simplex as a collapsed cube: x = u (1 - v) (1 - t), y = v (1 - t), z = t with u, v, t in (0, 1); the Jacobian
 * (1 - v) (1 - t)^2 goes into the weights of the one-dimensional rules. */
static void conical_product(int32_t dim, int32_t n, Quadrature *rule) {
  double x[3][MAX_LINE], w[3][MAX_LINE];
  for (int32_t d = 0; d < dim; d++) {
    gauss_jacobi(n, d, x[d], w[d]);
    for (int32_t i = 0; i < n; i++) {
      x[d][i] = 0.5 * (1.0 + x[d][i]);
      w[d][i] *= pow(0.5, d + 1.0);
    }
  }
  for (int32_t k = 0; k < (dim > 2 ? n : 1); k++) {
    const double t = dim > 2 ? x[2][k] : 0.0, wt = dim > 2 ? w[2][k] : 1.0;
    for (int32_t j = 0; j < n; j++) {
      for (int32_t i = 0; i < n; i++) {
        add_point(rule, x[0][i] * (1.0 - x[1][j]) * (1.0 - t), x[1][j] * (1.0 - t), t, w[0][i] * w[1][j] * wt);
      }
    }
  }
}

/* All permutations of the orbit's barycentric coordinates; the point is (L_1, L_2, L_3). */
static void add_orbit(int32_t dim, const Orbit *orbit, Quadrature *rule) {
  const int32_t n = dim + 1;
  const double weight = orbit->weight / (dim == 2 ? 2.0 : 6.0);
  double L[4] = {0};
  if (orbit->kind == ORBIT_CENTRE) {
    add_point(rule, 1.0 / n, 1.0 / n, dim > 2 ? 1.0 / n : 0.0, weight);
  } else if (orbit->kind == ORBIT_A) { /* dim coordinates a, one 1 - dim a */
    for (int32_t i = 0; i < n; i++) {
      for (int32_t k = 0; k < n; k++) L[k] = orbit->a;
      L[i] = 1.0 - dim * orbit->a;
      add_point(rule, L[1], L[2], L[3], weight);
    }
  } else { /* ORBIT_AA: two a, two 1/2 - a. ORBIT_AAB: one b, one the rest, the others a */
    for (int32_t i = 0; i < n; i++) {
      for (int32_t j = orbit->kind == ORBIT_AA ? i + 1 : 0; j < n; j++) {
        if (i == j) continue;
        for (int32_t k = 0; k < n; k++) L[k] = orbit->a;
        L[i] = orbit->kind == ORBIT_AA ? 0.5 - orbit->a : orbit->b;
        L[j] = orbit->kind == ORBIT_AA ? 0.5 - orbit->a : 1.0 - orbit->b - (dim - 1) * orbit->a;
        add_point(rule, L[1], L[2], L[3], weight);
      }
    }
  }
}

static bool symmetric_triangle(int32_t degree, Quadrature *rule) {
  const double s10 = sqrt(10.0), s15 = sqrt(15.0);
  const double root = sqrt(38.0 - 44.0 * sqrt(0.4)), share = sqrt(213125.0 - 53320.0 * s10);
  const Orbit one[] = {{ORBIT_CENTRE, 1.0, 0.0, 0.0}};
  const Orbit three[] = {{ORBIT_A, 1.0 / 3.0, 1.0 / 6.0, 0.0}};
  const Orbit six[] = {{ORBIT_A, (620.0 + share) / 3720.0, (8.0 - s10 + root) / 18.0, 0.0},
                       {ORBIT_A, (620.0 - share) / 3720.0, (8.0 - s10 - root) / 18.0, 0.0}};
  const Orbit seven[] = {{ORBIT_CENTRE, 9.0 / 40.0, 0.0, 0.0},
                         {ORBIT_A, (155.0 + s15) / 1200.0, (6.0 + s15) / 21.0, 0.0},
                         {ORBIT_A, (155.0 - s15) / 1200.0, (6.0 - s15) / 21.0, 0.0}};
  const Orbit twelve[] = {{ORBIT_A, 0.116786275726379366, 0.249286745170910421, 0.0},
                          {ORBIT_A, 0.050844906370206817, 0.063089014491502227, 0.0},
                          {ORBIT_AAB, 0.082851075618373575, 0.053145049844816947, 0.310352451033784405}};
  const struct {
    int32_t degree, n;
    const Orbit *orbit;
  } rules[] = {{1, 1, one}, {2, 1, three}, {4, 2, six}, {5, 3, seven}, {6, 3, twelve}};
  for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
    if (degree > rules[r].degree) continue;
    for (int32_t i = 0; i < rules[r].n; i++) add_orbit(2, &rules[r].orbit[i], rule);
    return true;
  }
  return false;
}

static bool symmetric_tetrahedron(int32_t degree, Quadrature *rule) {
  const double s5 = sqrt(5.0);
  const Orbit one[] = {{ORBIT_CENTRE, 1.0, 0.0, 0.0}};
  const Orbit four[] = {{ORBIT_A, 0.25, (5.0 - s5) / 20.0, 0.0}};
  const Orbit fourteen[] = {{ORBIT_A, 0.11268792571801585080, 0.31088591926330060980, 0.0},
                            {ORBIT_A, 0.073493043116361949544, 0.092735250310891226402, 0.0},
                            {ORBIT_AA, 0.042546020777081466438, 0.045503704125649649492, 0.0}};
  const Orbit many[] = {{ORBIT_A, 0.0399227502581678792, 0.214602871259151684, 0.0},
                        {ORBIT_A, 0.0100772110553206572, 0.0406739585346113397, 0.0},
                        {ORBIT_A, 0.0553571815436543876, 0.322337890142275646, 0.0},
                        {ORBIT_AAB, 27.0 / 560.0, 0.0636610018750175252992, 0.269672331458315808034}};
  const struct {
    int32_t degree, n;
    const Orbit *orbit;
  } rules[] = {{1, 1, one}, {2, 1, four}, {5, 3, fourteen}, {6, 4, many}};
  for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
    if (degree > rules[r].degree) continue;
    for (int32_t i = 0; i < rules[r].n; i++) add_orbit(3, &rules[r].orbit[i], rule);
    return true;
  }
  return false;
}

/* The triangle's rule in each point of a line. */
static void wedge_product(int32_t degree, int32_t n, Quadrature *rule) {
  double x[MAX_LINE], w[MAX_LINE];
  Quadrature triangle = {0};
  gauss_jacobi(n, 0.0, x, w);
  if (!symmetric_triangle(degree, &triangle)) conical_product(2, n, &triangle);
  for (int32_t k = 0; k < n; k++) {
    for (int32_t i = 0; i < triangle.n; i++) {
      add_point(rule, triangle.xi[i][0], triangle.xi[i][1], x[k], triangle.weight[i] * w[k]);
    }
  }
}

/* Base times height: x = u (1 - z), y = v (1 - z) with u, v in (-1, 1), z in (0, 1) and the Jacobian (1 - z)^2. */
static void pyramid_product(int32_t n, Quadrature *rule) {
  double t[MAX_LINE], weight[MAX_LINE];
  Quadrature base = {0};
  gauss_product(2, n, &base);
  gauss_jacobi(n, 2.0, t, weight);
  for (int32_t k = 0; k < n; k++) {
    const double z = 0.5 * (1.0 + t[k]);
    for (int32_t i = 0; i < base.n; i++) {
      add_point(rule, base.xi[i][0] * (1.0 - z), base.xi[i][1] * (1.0 - z), z, base.weight[i] * weight[k] / 8.0);
    }
  }
}

Status quadrature_create(ElementShape shape, int32_t degree, Quadrature *out) {
  static const int32_t max_points[] = {1, MAX_LINE, MAX_LINE, MAX_LINE,
                                       4, 4,        4,        4}; /* per direction, at most 64 in all */
  const int32_t n = degree / 2 + 1;
  memset(out, 0, sizeof *out);
  CHECK((int)shape >= 0 && shape < N_ELEMENT_SHAPES, ERR_BUG, "no element shape has the number %d", (int)shape);
  CHECK(degree >= 0, ERR_BUG, "quadrature of degree %d", degree);
  if (shape == SHAPE_POINT) {
    add_point(out, 0.0, 0.0, 0.0, 1.0);
    return OK;
  }
  CHECK(n <= max_points[shape], ERR_BUG, "no quadrature rule of degree %d for shape %d, the highest is %d", degree,
        (int)shape, 2 * max_points[shape] - 1);
  switch (shape) {
  case SHAPE_TRIANGLE:
    if (!symmetric_triangle(degree, out)) conical_product(2, n, out);
    break;
  case SHAPE_TETRAHEDRON:
    if (!symmetric_tetrahedron(degree, out)) conical_product(3, n, out);
    break;
  case SHAPE_WEDGE: wedge_product(degree, n, out); break;
  case SHAPE_PYRAMID: pyramid_product(n, out); break;
  default: gauss_product(shape == SHAPE_LINE ? 1 : shape == SHAPE_QUAD ? 2 : 3, n, out);
  }
  return OK;
}
