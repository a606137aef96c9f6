/* Determinants and quality of the solved elements in one sweep.
 * Quality of a simplex is the mean ratio (Liu and Joe 1994): 12 (3 V)^(2/3) / sum l^2 in 3D, 4 sqrt(3) A / sum l^2 in
 * 2D; of the others the lowest of their corners' mean ratios of the Jacobian (Knupp 2001): d det^(2/d) / |J|^2 with the
 * edges at the corner as columns of J, relative to those of the ideal shape: a square, a cube, a wedge or pyramid with
 * all edges of one length. All are 1 for the ideal shape. */
#include "mesh/check/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_POINTS = ELEMENT_MAX_NODES + ELEMENT_MAX_QUADRATURE };

/* Reference gradients at the vertices and quadrature points of a kind; one point where the map is affine. */
typedef struct ShapeTable {
  const ElementType *type;
  int32_t n;
  double dN[MAX_POINTS][ELEMENT_MAX_NODES][3]; /* zero beyond the dimension */
} ShapeTable;

static void table_fill(ShapeTable *table, const ElementType *type) {
  Quadrature rule = {0};
  if (element_stiffness_quadrature(type, &rule) != OK) rule.n = 0; /* the vertices remain */
  table->type = type;
  table->n = shape_is_simplex(type->shape) && type->order == 1 ? 1 : type->n_vertex + rule.n;
  memset(table->dN, 0, sizeof table->dN);
  for (int32_t p = 0; p < table->n; ++p) {
    double dN[ELEMENT_MAX_NODES * 3];
    type->gradients(p < type->n_vertex ? type->node[p] : rule.xi[p - type->n_vertex], dN);
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int32_t k = 0; k < type->dim; ++k) table->dN[p][a][k] = dN[a * type->dim + k];
  }
}

static double check_shape_det3(const double J[3][3]) {
  return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) - J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
         J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
}

/* Lowest and highest determinant at the table's points; x [n_node][3]. */
static void check_shape_determinants(const ShapeTable *table, const double (*x)[3], double *low, double *high) {
  const int32_t n_node = table->type->n_node, dim = table->type->dim;
  *low = HUGE_VAL;
  *high = -HUGE_VAL;
  for (int32_t p = 0; p < table->n; ++p) {
    double J[3][3] = {{0}};
    for (int32_t a = 0; a < n_node; ++a) {
      const double *dN = table->dN[p][a];
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) J[i][k] += x[a][i] * dN[k];
    }
    const double det = dim == 3 ? check_shape_det3((const double(*)[3])J) : J[0][0] * J[1][1] - J[0][1] * J[1][0];
    *low = det < *low ? det : *low;
    *high = det > *high ? det : *high;
  }
}

static double squared_distance(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return x * x + y * y + z * z;
}

/* Of the simplex of the first vertices; `det` is that of its affine map. */
static double simplex_quality(const double (*x)[3], int32_t dim, double det) {
  double sum = 0;
  for (int32_t a = 0; a <= dim; ++a)
    for (int32_t b = 0; b < a; ++b) sum += squared_distance(x[a], x[b]);
  if (dim == 2) return 2 * sqrt(3) * det / sum; /* area det/2 */
  const double root = cbrt(det / 2);            /* volume det/6 */
  return copysign(12 * root * root / sum, det);
}

/* A corner: a vertex and its neighbours along edges in right-handed order. */
typedef struct Corner {
  int32_t vertex, next[3];
} Corner;

/* The corners that a shape is judged by, and the inverse of the matrix of the ideal corner's edges where those are not
 * a cube's. A pyramid's apex is in the corners of its base. */
typedef struct Corners {
  int32_t n;
  bool skew;
  Corner corner[8];
  double inverse[3][3];
} Corners;

static const Corners *corners_of(ElementShape shape) {
  static const Corners quad = {4, false, {{0, {1, 3}}, {1, {2, 0}}, {2, {3, 1}}, {3, {0, 2}}}, {{0}}};
  static const Corners hexahedron = {8,
                                     false,
                                     {{0, {1, 3, 4}},
                                      {1, {2, 0, 5}},
                                      {2, {3, 1, 6}},
                                      {3, {0, 2, 7}},
                                      {4, {7, 5, 0}},
                                      {5, {4, 6, 1}},
                                      {6, {5, 7, 2}},
                                      {7, {6, 4, 3}}},
                                     {{0}}};
  /* edges (1, 0, 0), (1/2, sqrt(3)/2, 0), (0, 0, 1) */
  static const Corners wedge = {
      6,
      true,
      {{0, {1, 2, 3}}, {1, {2, 0, 4}}, {2, {0, 1, 5}}, {3, {5, 4, 0}}, {4, {3, 5, 1}}, {5, {4, 3, 2}}},
      {{1, -0.57735026918962576, 0}, {0, 1.1547005383792515, 0}, {0, 0, 1}}};
  /* edges (1, 0, 0), (0, 1, 0), (1/2, 1/2, 1/sqrt(2)) */
  static const Corners pyramid = {
      4,
      true,
      {{0, {1, 3, 4}}, {1, {2, 0, 4}}, {2, {3, 1, 4}}, {3, {0, 2, 4}}},
      {{1, 0, -0.70710678118654752}, {0, 1, -0.70710678118654752}, {0, 0, 1.4142135623730951}}};
  switch (shape) {
  case SHAPE_QUAD: return &quad;
  case SHAPE_WEDGE: return &wedge;
  case SHAPE_PYRAMID: return &pyramid;
  default: return &hexahedron;
  }
}

/* J times the inverse of the ideal corner. */
static void relative_to_ideal(const double inverse[3][3], double J[3][3]) {
  for (int i = 0; i < 3; ++i) {
    const double row[3] = {J[i][0], J[i][1], J[i][2]};
    for (int k = 0; k < 3; ++k) J[i][k] = row[0] * inverse[0][k] + row[1] * inverse[1][k] + row[2] * inverse[2][k];
  }
}

static double corner_quality(const Corners *corners, const Corner *corner, const double (*x)[3], int32_t dim) {
  double J[3][3] = {{0}}, norm = 0;
  for (int32_t k = 0; k < dim; ++k)
    for (int i = 0; i < 3; ++i) J[i][k] = x[corner->next[k]][i] - x[corner->vertex][i];
  if (corners->skew) relative_to_ideal(corners->inverse, J);
  for (int32_t k = 0; k < dim; ++k)
    for (int i = 0; i < 3; ++i) norm += J[i][k] * J[i][k];
  const double det = dim == 3 ? check_shape_det3((const double(*)[3])J) : J[0][0] * J[1][1] - J[0][1] * J[1][0];
  if (dim == 2) return 2 * det / norm;
  const double root = cbrt(det);
  return copysign(3 * root * root / norm, det);
}

/* Quality by the vertices; not above zero where a determinant is not. */
static double element_quality(const ElementType *type, const double (*x)[3], double low, double high) {
  double quality = HUGE_VAL;
  if (shape_is_simplex(type->shape)) {
    double det = low;
    if (type->order > 1) { /* of the straight simplex */
      double J[3][3] = {{0}};
      for (int32_t k = 0; k < type->dim; ++k)
        for (int i = 0; i < 3; ++i) J[i][k] = x[k + 1][i] - x[0][i];
      det = type->dim == 3 ? check_shape_det3((const double(*)[3])J) : J[0][0] * J[1][1] - J[0][1] * J[1][0];
    }
    quality = simplex_quality(x, type->dim, det);
  } else {
    const Corners *corners = corners_of(type->shape);
    for (int32_t c = 0; c < corners->n; ++c)
      quality = fmin(quality, corner_quality(corners, &corners->corner[c], x, type->dim));
  }
  if (low <= 0 && quality > 0) quality = low / fmax(high, -low);
  return isfinite(quality) ? quality : 0;
}

/* Edge of the bounding box of the vertices, to tell zero from rounding. */
static double check_shape_extent(const double (*x)[3], int32_t n) {
  double most = 0;
  for (int d = 0; d < 3; ++d) {
    double low = x[0][d], high = x[0][d];
    for (int32_t a = 1; a < n; ++a) {
      low = x[a][d] < low ? x[a][d] : low;
      high = x[a][d] > high ? x[a][d] : high;
    }
    most = high - low > most ? high - low : most;
  }
  return most;
}

static double check_shape_power(double h, int32_t dim) { return dim == 3 ? h * h * h : h * h; }

static void count_element(ShapeReport *report, int32_t e, double low, double high, double zero, double quality) {
  MeshQuality *q = &report->quality;
  if (report->n_solved++ == 0 || quality < q->worst) {
    q->worst = quality;
    q->worst_element = e;
  }
  q->mean += quality;
  q->n_sliver += quality < 0.1;
  if (low > zero) return;
  if (report->n_bad == 0 || low < report->worst) {
    report->worst = low;
    report->worst_element = e;
  }
  if (report->n_bad < CHECK_SHOWN) report->bad[report->n_bad] = e;
  ++report->n_bad;
  report->n_mirrored += high < -zero;
}

static void check_one_shape(const Mesh *mesh, const ElementBlock *block, const ShapeTable *table, int32_t i,
                            ShapeReport *report) {
  const ElementType *type = table->type;
  const int32_t *nodes = block->nodes + (int64_t)i * type->n_node;
  double x[ELEMENT_MAX_NODES][3], low, high;
  for (int32_t a = 0; a < type->n_node; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  check_shape_determinants(table, (const double(*)[3])x, &low, &high);
  const double zero = 1e-13 * check_shape_power(check_shape_extent((const double(*)[3])x, type->n_vertex), type->dim);
  count_element(report, block->first + i, low, high, zero, element_quality(type, (const double(*)[3])x, low, high));
}

/* Adds what was found in elements that follow those of `to`. */
static void append_shapes(const ShapeReport *from, ShapeReport *to) {
  MeshQuality *q = &to->quality;
  if (from->n_solved == 0) return;
  if (to->n_solved == 0 || from->quality.worst < q->worst) {
    q->worst = from->quality.worst;
    q->worst_element = from->quality.worst_element;
  }
  if (from->n_bad && (to->n_bad == 0 || from->worst < to->worst)) {
    to->worst = from->worst;
    to->worst_element = from->worst_element;
  }
  for (int64_t i = 0; i < from->n_bad && i < CHECK_SHOWN && to->n_bad + i < CHECK_SHOWN; ++i)
    to->bad[to->n_bad + i] = from->bad[i];
  to->n_solved += from->n_solved;
  to->n_bad += from->n_bad;
  to->n_mirrored += from->n_mirrored;
  q->mean += from->quality.mean;
  q->n_sliver += from->quality.n_sliver;
}

/* Chunks of fixed size, put together in their order, a row of them at a time. */
static void check_block_shapes(const Mesh *mesh, const ElementBlock *block, ShapeReport *out) {
  enum { SHAPE_CHUNK = 2048, SHAPE_ROW = 256 };
  ShapeTable table;
  table_fill(&table, element_type(block->kind));
  for (int64_t first = 0; first < block->n; first += (int64_t)SHAPE_ROW * SHAPE_CHUNK) {
    const int64_t left = (block->n - first + SHAPE_CHUNK - 1) / SHAPE_CHUNK;
    const int n = left < SHAPE_ROW ? (int)left : SHAPE_ROW;
    ShapeReport row[SHAPE_ROW];
#pragma omp parallel for schedule(static) if (n > 1)
    for (int k = 0; k < n; ++k) {
      const int64_t begin = first + (int64_t)k * SHAPE_CHUNK, end = begin + SHAPE_CHUNK;
      memset(&row[k], 0, sizeof row[k]);
      for (int64_t i = begin; i < end && i < block->n; ++i) check_one_shape(mesh, block, &table, (int32_t)i, &row[k]);
    }
    for (int k = 0; k < n; ++k) append_shapes(&row[k], out);
  }
}

void check_shapes(const Mesh *mesh, ShapeReport *out) {
  memset(out, 0, sizeof *out);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    if (type->dim == mesh->dim && type->dim >= 2) check_block_shapes(mesh, &mesh->block[b], out);
  }
  if (out->n_solved) out->quality.mean /= (double)out->n_solved;
}

void mesh_quality(const Mesh *mesh, MeshQuality *out) {
  ShapeReport report;
  check_shapes(mesh, &report);
  *out = report.quality;
}
