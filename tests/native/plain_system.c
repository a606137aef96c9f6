/* Matrices and loads of the plain program, element by element into dense arrays, and what an element says of a solution. */
#include "tests/native/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUBBLES = 9, COLUMNS = 3 * PLAIN_NODES + BUBBLES, EXACT = 5 };

typedef struct Point {
  double N[PLAIN_NODES], B[6][COLUMNS], x[3], dV; /* columns: nodes, then incompatible modes */
} Point;

double *plain_room(size_t n) {
  double *out = calloc(n ? n : 1, sizeof *out);
  if (!out) abort();
  return out;
}

void plain_solve(double *A, double *B, int n, int m) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    for (int j = 0; j < n && best != k; ++j) {
      const double t = A[k * n + j];
      A[k * n + j] = A[best * n + j], A[best * n + j] = t;
    }
    for (int j = 0; j < m && best != k; ++j) {
      const double t = B[k * m + j];
      B[k * m + j] = B[best * m + j], B[best * m + j] = t;
    }
    for (int i = k + 1; i < n; ++i) {
      const double f = A[i * n + k] / A[k * n + k];
      if (f == 0) continue;
      for (int j = k; j < n; ++j) A[i * n + j] -= f * A[k * n + j];
      for (int j = 0; j < m; ++j) B[i * m + j] -= f * B[k * m + j];
    }
  }
  for (int k = n - 1; k >= 0; --k)
    for (int j = 0; j < m; ++j) {
      for (int i = k + 1; i < n; ++i) B[k * m + j] -= A[k * n + i] * B[i * m + j];
      B[k * m + j] /= A[k * n + k];
    }
}

static double invert(int dim, double J[3][3], double inverse[3][3]) {
  for (int d = dim; d < 3; ++d) J[d][d] = 1;
  double det = 0;
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    det += J[0][i] * (J[1][a] * J[2][b] - J[1][b] * J[2][a]);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      inverse[j][i] = (J[a][c] * J[b][d] - J[a][d] * J[b][c]) / det;
    }
  return det;
}

static bool has_bubbles(const Plain *p, const Kind *kind) {
  return p->incompatible && kind->order == 1 && (kind->shape == QUAD || kind->shape == HEX);
}

static int columns_of(const Plain *p, const Kind *kind) {
  return p->dim * kind->n + (has_bubbles(p, kind) ? p->dim * p->dim : 0);
}

/* A column of B: the strain of the function with this gradient (and value over the radius) in direction d. */
static void strain_column(Point *out, int column, int d, const double g[3], double hoop) {
  static const int shear[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  for (int k = 0; k < 6; ++k) out->B[k][column] = 0;
  for (int j = 0; j < 3; ++j) out->B[shear[d][j]][column] += g[j];
  if (d == 0) out->B[2][column] += hoop;
}

static void gradient(const double inverse[3][3], const double ref[3], double scale, double g[3]) {
  for (int i = 0; i < 3; ++i) g[i] = scale * (inverse[0][i] * ref[0] + inverse[1][i] * ref[1] + inverse[2][i] * ref[2]);
}

static double jacobian(const Plain *p, const PlainElement *e, const double xi[3], double *N, double (*dN)[3],
                       double inverse[3][3]) {
  const Kind *kind = &plain_kind[e->kind];
  double J[3][3] = {{0}};
  plain_shape(kind, xi, N, dN);
  for (int a = 0; a < kind->n; ++a)
    for (int i = 0; i < p->dim; ++i)
      for (int j = 0; j < p->dim; ++j) J[j][i] += dN[a][i] * p->x[e->node[a]][j];
  /* J[j][i] = dx_j / dxi_i; inverse[i][j] = dxi_i / dx_j */
  return invert(p->dim, J, inverse);
}

static void point_at(const Plain *p, const PlainElement *e, const double xi[3], double weight, Point *out) {
  const Kind *kind = &plain_kind[e->kind];
  double dN[PLAIN_NODES][3], inverse[3][3], g[3], unused[PLAIN_NODES], middle[3][3];
  const double center[3] = {0}, j = jacobian(p, e, xi, out->N, dN, inverse);
  memset(out->x, 0, sizeof out->x);
  for (int a = 0; a < kind->n; ++a)
    for (int d = 0; d < p->dim; ++d) out->x[d] += out->N[a] * p->x[e->node[a]][d];
  const double ring = p->model == AXISYMMETRIC ? 2 * M_PI * out->x[0] : 1;
  out->dV = weight * j * ring * (p->dim == 2 && p->model != AXISYMMETRIC ? p->material[e->material].thickness : 1);
  for (int a = 0; a < kind->n; ++a) {
    gradient(inverse, dN[a], 1, g);
    for (int d = 0; d < p->dim; ++d)
      strain_column(out, p->dim * a + d, d, g, p->model == AXISYMMETRIC ? out->N[a] / out->x[0] : 0);
  }
  if (!has_bubbles(p, kind)) return;
  double dM[PLAIN_NODES][3];
  double j0 = jacobian(p, e, center, unused, dM, middle), r0 = 0;
  for (int a = 0; a < kind->n; ++a) r0 += unused[a] * p->x[e->node[a]][0];
  if (p->model == AXISYMMETRIC) j0 *= r0 / out->x[0];
  for (int b = 0, column = p->dim * kind->n; b < p->dim; ++b)
    for (int d = 0; d < p->dim; ++d, ++column) {
      double ref[3] = {0};
      ref[b] = -2 * xi[b];
      gradient(middle, ref, j0 / j, g);
      strain_column(out, column, d, g, 0);
    }
}

static int rule_of(const Kind *kind, double (*xi)[3], double *weight) {
  const bool own = kind->shape == QUAD ||
                   kind->shape == HEX; /* where 1 / r or a third gradient makes the rule part of the element */
  return plain_rule(kind->shape, own ? kind->order + 1 : EXACT, xi, weight);
}

/* The moduli of the model: of plane stress without zz. */
static void moduli(const Plain *p, int material, double D[6][6]) {
  memcpy(D, p->material[material].C, 36 * sizeof(double));
  if (p->model != PLANE_STRESS) return;
  double C[6][6];
  memcpy(C, D, sizeof C);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) D[i][j] = i == 2 || j == 2 ? 0 : C[i][j] - C[i][2] * C[2][j] / C[2][2];
}

static double heat_at(const PlainLoad *l, const double x[3]) {
  return l && l->heated ? l->heat + l->heat_slope[0] * x[0] + l->heat_slope[1] * x[1] + l->heat_slope[2] * x[2] : 0;
}

typedef struct ElementSystem {
  double K[COLUMNS][COLUMNS], f[COLUMNS], M[PLAIN_NODES][PLAIN_NODES], body[PLAIN_NODES][3];
} ElementSystem;

static void body_force(const Plain *p, const PlainLoad *l, const double x[3], double b[3]) {
  memset(b, 0, 3 * sizeof *b);
  if (!l) return;
  double r[3] = {0}, along = 0;
  for (int d = 0; d < 3; ++d) r[d] = x[d] - l->turning_at[d], along += r[d] * l->turning_axis[d];
  for (int d = 0; d < p->dim; ++d) b[d] = l->gravity[d] + l->speed * l->speed * (r[d] - along * l->turning_axis[d]);
}

static void element_system(const Plain *p, const PlainElement *e, const PlainLoad *l, ElementSystem *out) {
  const Kind *kind = &plain_kind[e->kind];
  const int n = columns_of(p, kind);
  double xi[125][3], weight[125], D[6][6], b[3];
  const double density = p->material[e->material].density;
  memset(out, 0, sizeof *out);
  moduli(p, e->material, D);
  for (int q = rule_of(kind, xi, weight) - 1; q >= 0; --q) {
    Point at;
    point_at(p, e, xi[q], weight[q], &at);
    const double heat = heat_at(l, at.x);
    body_force(p, l, at.x, b);
    for (int i = 0; i < n; ++i) {
      double s[6] = {0};
      for (int k = 0; k < 6; ++k)
        for (int m = 0; m < 6; ++m) s[k] += at.B[m][i] * D[m][k];
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < 6; ++k) out->K[i][j] += s[k] * at.B[k][j] * at.dV;
      for (int k = 0; k < 6; ++k) out->f[i] += s[k] * p->material[e->material].expansion[k] * heat * at.dV;
    }
    for (int a = 0; a < kind->n; ++a) {
      for (int c = 0; c < kind->n; ++c) out->M[a][c] += density * at.N[a] * at.N[c] * at.dV;
      for (int d = 0; d < p->dim; ++d) out->body[a][d] += density * at.N[a] * b[d] * at.dV;
    }
  }
}

/* Incompatible modes leave the element: K - Kua Kaa^-1 Kau, f - Kua Kaa^-1 fa. */
static void condense(ElementSystem *s, int n, int m, double *A, double *B) {
  const int k = m - n;
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j) A[i * k + j] = s->K[n + i][n + j];
    for (int j = 0; j < n; ++j) B[i * (n + 1) + j] = s->K[n + i][j];
    B[i * (n + 1) + n] = s->f[n + i];
  }
  if (k) plain_solve(A, B, k, n + 1);
  for (int i = 0; i < n; ++i)
    for (int a = 0; a < k; ++a) {
      for (int j = 0; j < n; ++j) s->K[i][j] -= s->K[i][n + a] * B[a * (n + 1) + j];
      s->f[i] -= s->K[i][n + a] * B[a * (n + 1) + n];
    }
}

static void add_element(const Plain *p, const PlainElement *e, const PlainLoad *l, PlainSystem *s) {
  static ElementSystem es;
  double A[BUBBLES * BUBBLES], B[BUBBLES * (COLUMNS + 1)];
  const Kind *kind = &plain_kind[e->kind];
  const int dim = p->dim, n = dim * kind->n;
  element_system(p, e, l, &es);
  condense(&es, n, columns_of(p, kind), A, B);
  for (int i = 0; i < n; ++i) {
    const int row = dim * e->node[i / dim] + i % dim;
    s->f[row] += es.f[i] + es.body[i / dim][i % dim];
    for (int j = 0; j < n; ++j) {
      const int64_t at = (int64_t)row * s->n + dim * e->node[j / dim] + j % dim;
      s->K[at] += es.K[i][j];
      if (i % dim == j % dim) s->M[at] += es.M[i / dim][j / dim];
    }
  }
}

typedef struct FacetPoint {
  double N[9], x[3], normal[3], dA;
} FacetPoint;

static void facet_point(const Plain *p, const PlainFacet *f, const double xi[3], double weight, FacetPoint *out) {
  const Kind *kind = &plain_kind[f->kind];
  double N[PLAIN_NODES], dN[PLAIN_NODES][3], t[2][3] = {{0}}, inside[3] = {0}, length = 0, side = 0;
  plain_shape(kind, xi, N, dN);
  memset(out, 0, sizeof *out);
  for (int a = 0; a < kind->n; ++a) {
    out->N[a] = N[a];
    for (int d = 0; d < 3; ++d) {
      out->x[d] += N[a] * p->x[f->node[a]][d];
      for (int k = 0; k < 2; ++k) t[k][d] += dN[a][k] * p->x[f->node[a]][d];
    }
  }
  if (p->dim == 2) t[1][0] = t[1][1] = 0, t[1][2] = 1;
  for (int d = 0; d < 3; ++d) {
    out->normal[d] = t[0][(d + 1) % 3] * t[1][(d + 2) % 3] - t[0][(d + 2) % 3] * t[1][(d + 1) % 3];
    length += out->normal[d] * out->normal[d];
  }
  length = sqrt(length);
  const PlainElement *e = &p->element[f->element];
  for (int a = 0; a < plain_kind[e->kind].n; ++a)
    for (int d = 0; d < 3; ++d) inside[d] += p->x[e->node[a]][d] / plain_kind[e->kind].n;
  for (int d = 0; d < 3; ++d) side += out->normal[d] * (out->x[d] - inside[d]);
  for (int d = 0; d < 3; ++d) out->normal[d] /= side > 0 ? length : -length;
  const double wide = p->model == AXISYMMETRIC ? 2 * M_PI * out->x[0]
                      : p->dim == 2            ? p->material[e->material].thickness
                                               : 1;
  out->dA = weight * length * wide;
}

double plain_area(const Plain *p, Side side) {
  double xi[125][3], weight[125], area = 0;
  for (int k = 0; k < p->n_facet; ++k)
    for (int q = plain_rule(plain_kind[p->facet[k].kind].shape, EXACT, xi, weight) - 1;
         q >= 0 && p->facet[k].side == side; --q) {
      FacetPoint at;
      facet_point(p, &p->facet[k], xi[q], weight[q], &at);
      area += at.dA;
    }
  return area;
}

/* `distribute`: the traction a + w x (x - at) with this force and moment. */
static void spread_of(const Plain *p, const PlainLoad *l, Side side, double a[3], double w[3]) {
  static const int known[6] = {0, 1, 5, 2, 3, 4};
  double A[36] = {0}, B[6] = {0}, xi[125][3], weight[125];
  const int m = p->dim == 2 ? 3 : 6;
  double full[6][6] = {{0}};
  for (int k = 0; k < p->n_facet; ++k) {
    if (p->facet[k].side != side) continue;
    for (int q = plain_rule(plain_kind[p->facet[k].kind].shape, EXACT, xi, weight) - 1; q >= 0; --q) {
      FacetPoint at;
      double G[3][6] = {{0}}; /* traction of the six unknowns */
      facet_point(p, &p->facet[k], xi[q], weight[q], &at);
      double r[3];
      for (int d = 0; d < 3; ++d) r[d] = at.x[d] - l->spread_at[side][d], G[d][d] = 1;
      G[0][4] = r[2], G[0][5] = -r[1], G[1][5] = r[0], G[1][3] = -r[2], G[2][3] = r[1], G[2][4] = -r[0];
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
          for (int d = 0; d < 3; ++d) full[i][j] += G[d][i] * G[d][j] * at.dA;
    }
  }
  for (int i = 0; i < m; ++i) {
    const int row = m == 6 ? i : known[i];
    for (int j = 0; j < m; ++j) A[i * m + j] = full[row][m == 6 ? j : known[j]];
    B[i] = l->spread[side][row / 3][row % 3];
  }
  plain_solve(A, B, m, 1);
  memset(a, 0, 3 * sizeof *a), memset(w, 0, 3 * sizeof *w);
  for (int i = 0; i < m; ++i) {
    const int row = m == 6 ? i : known[i];
    if (row < 3) a[row] = B[i];
    else w[row - 3] = B[i];
  }
}

static void traction_at(const Plain *p, const PlainLoad *l, Side side, const FacetPoint *at, double t[3]) {
  double pressure = l->pressure[side];
  for (int d = 0; d < 3; ++d) {
    pressure += l->pressure_slope[side][d] * at->x[d];
    t[d] = l->traction[side][d];
    for (int j = 0; j < 3; ++j) t[d] += l->slope[side][d][j] * at->x[j];
  }
  for (int d = 0; d < 3; ++d) t[d] -= pressure * at->normal[d];
  if (!l->spreads[side]) return;
  double a[3], w[3], r[3];
  spread_of(p, l, side, a, w);
  for (int d = 0; d < 3; ++d) r[d] = at->x[d] - l->spread_at[side][d];
  for (int d = 0; d < 3; ++d) t[d] += a[d] + w[(d + 1) % 3] * r[(d + 2) % 3] - w[(d + 2) % 3] * r[(d + 1) % 3];
}

static void add_facet(const Plain *p, const PlainFacet *f, const PlainLoad *l, PlainSystem *s) {
  const Kind *kind = &plain_kind[f->kind];
  double xi[125][3], weight[125], t[3] = {0};
  for (int q = plain_rule(kind->shape, EXACT, xi, weight) - 1; q >= 0; --q) {
    FacetPoint at;
    facet_point(p, f, xi[q], weight[q], &at);
    if (l && l->on[f->side]) traction_at(p, l, f->side, &at, t);
    for (int a = 0; a < kind->n; ++a)
      for (int d = 0; d < p->dim; ++d) {
        const int row = p->dim * f->node[a] + d;
        s->f[row] += at.N[a] * t[d] * at.dA;
        for (int b = 0; b < kind->n; ++b) {
          const int64_t entry = (int64_t)row * s->n + p->dim * f->node[b] + d;
          const double k = p->spring[f->side][d] * at.N[a] * at.N[b] * at.dA;
          s->K[entry] += k, s->S[entry] += k;
          s->C[entry] += p->dashpot[f->side][d] * at.N[a] * at.N[b] * at.dA;
        }
      }
  }
}

PlainSystem plain_assemble(const Plain *p, const PlainLoad *l) {
  const int n = p->dim * p->n_node + p->n_rigid;
  const size_t square = (size_t)n * (size_t)n;
  PlainSystem s = {
      n, plain_room(square), plain_room(square), plain_room(square), plain_room(square), plain_room((size_t)n)};
  for (int e = 0; e < p->n_element; ++e) add_element(p, &p->element[e], l, &s);
  for (int k = 0; k < p->n_facet; ++k) add_facet(p, &p->facet[k], l, &s);
  for (int k = 0; k < p->n_rigid; ++k) s.f[n - p->n_rigid + k] += p->push ? p->push[k] : 0;
  return s;
}

void plain_system_release(PlainSystem *s) { free(s->K), free(s->S), free(s->M), free(s->C), free(s->f); }

/* Displacements of the nodes of an element, and its incompatible modes. */
static void element_values(const Plain *p, const PlainElement *e, const PlainLoad *l, const double *u,
                           ElementSystem *es, double *value) {
  const Kind *kind = &plain_kind[e->kind];
  const int n = p->dim * kind->n, m = columns_of(p, kind);
  double A[BUBBLES * BUBBLES], B[BUBBLES * (COLUMNS + 1)];
  for (int i = 0; i < n; ++i) value[i] = u[p->dim * e->node[i / p->dim] + i % p->dim];
  element_system(p, e, l, es);
  condense(es, n, m, A, B);
  for (int a = 0; a < m - n; ++a) {
    value[n + a] = B[a * (n + 1) + n];
    for (int j = 0; j < n; ++j) value[n + a] -= B[a * (n + 1) + j] * value[j];
  }
}

/* Stress, and the strain that makes it. */
static void point_stress(const Plain *p, const PlainElement *e, const PlainLoad *l, const Point *at,
                         const double *value, const double D[6][6], double stress[6], double *strain) {
  const int m = columns_of(p, &plain_kind[e->kind]);
  for (int k = 0; k < 6; ++k) {
    strain[k] = -p->material[e->material].expansion[k] * heat_at(l, at->x);
    for (int i = 0; i < m; ++i) strain[k] += at->B[k][i] * value[i];
  }
  for (int k = 0; k < 6; ++k) {
    stress[k] = 0;
    for (int j = 0; j < 6; ++j) stress[k] += D[k][j] * strain[j];
  }
}

/* Adds the geometric stiffness of the stress under a load, grad N_a . sigma . grad N_b at the points of the element's own
 * rule, and takes away what the force of a turning body grows by as it moves. u [n]: the static displacements. */
static void element_stress_stiffness(const Plain *p, const PlainElement *e, const PlainLoad *l, const double *u, int n,
                                     double *K) {
  static const int voigt[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  static ElementSystem es;
  const Kind *kind = &plain_kind[e->kind];
  double value[COLUMNS], xi[125][3], weight[125], D[6][6];
  element_values(p, e, l, u, &es, value);
  moduli(p, e->material, D);
  for (int q = rule_of(kind, xi, weight) - 1; q >= 0; --q) {
    Point at;
    double stress[6], dN[PLAIN_NODES][3], unused[PLAIN_NODES], inverse[3][3], g[PLAIN_NODES][3];
    point_at(p, e, xi[q], weight[q], &at);
    point_stress(p, e, l, &at, value, (const double(*)[6])D, stress, unused);
    jacobian(p, e, xi[q], unused, dN, inverse);
    for (int a = 0; a < kind->n; ++a) gradient((const double(*)[3])inverse, dN[a], 1, g[a]);
    for (int a = 0; a < kind->n; ++a)
      for (int b = 0; b < kind->n; ++b) {
        double k = 0;
        for (int i = 0; i < p->dim; ++i)
          for (int j = 0; j < p->dim; ++j) k += g[a][i] * stress[voigt[i][j]] * g[b][j];
        const double both = at.N[a] * at.N[b] * at.dV, spin = p->material[e->material].density * l->speed * l->speed;
        for (int i = 0; i < p->dim; ++i)
          for (int j = 0; j < p->dim; ++j) {
            double v = i == j ? k * at.dV - spin * both : 0;
            v += spin * both * l->turning_axis[i] * l->turning_axis[j];
            K[(size_t)(p->dim * e->node[a] + i) * (size_t)n + (size_t)(p->dim * e->node[b] + j)] += v;
          }
      }
  }
}

void plain_stress_stiffness(const Plain *p, const PlainLoad *l, const double *u, int n, double *K) {
  for (int e = 0; e < p->n_element; ++e) element_stress_stiffness(p, &p->element[e], l, u, n, K);
}

void plain_element_results(const Plain *p, int number, const PlainLoad *l, const double *u, PlainResult *out) {
  static ElementSystem es;
  const PlainElement *e = &p->element[number];
  const Kind *kind = &plain_kind[e->kind];
  double value[COLUMNS], xi[125][3], weight[125], D[6][6], volume = 0;
  element_values(p, e, l, u, &es, value);
  moduli(p, e->material, D);
  out->energy[number] = 0;
  memset(out->stress[number], 0, sizeof out->stress[number]);
  for (int q = rule_of(kind, xi, weight) - 1; q >= 0; --q) {
    Point at;
    double strain[6], stress[6];
    point_at(p, e, xi[q], weight[q], &at);
    point_stress(p, e, l, &at, value, (const double(*)[6])D, stress, strain);
    for (int k = 0; k < 6; ++k) {
      out->stress[number][k] += stress[k] * at.dV;
      out->energy[number] += 0.5 * stress[k] * strain[k] * at.dV;
    }
    volume += at.dV;
  }
  for (int k = 0; k < 6; ++k) out->stress[number][k] /= volume;
}
