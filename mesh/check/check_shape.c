/* Determinants and quality of the solved elements in one sweep.
 * Quality of a simplex is the mean ratio (Liu and Joe 1994): 12 (3 V)^(2/3) / sum l^2 in 3D, 4 sqrt(3) A / sum l^2 in
 * 2D; of the others the lowest of their corners' mean ratios of the Jacobian (Knupp 2001): d det^(2/d) / |J|^2 with the
 * edges at the corner as columns of J, relative to those of the ideal shape: a square, a cube, a wedge or pyramid with
 * all edges of one length. All are 1 for the ideal shape. */
#include "core/lanes.h"
#include "mesh/check/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_POINTS = ELEMENT_MAX_NODES + ELEMENT_MAX_QUADRATURE };

/* Reference gradients at the vertices and quadrature points of a kind; one point where the map is affine. */
typedef struct ShapeTable {
  const ElementType *type;
  int32_t n, dim;                              /* of the Jacobian: 3 of surfaces in space too */
  double dN[MAX_POINTS][ELEMENT_MAX_NODES][3]; /* zero beyond the dimension */
} ShapeTable;

static void table_fill(ShapeTable *table, const Mesh *mesh, const ElementType *type) {
  Quadrature rule = {0};
  if (element_stiffness_quadrature(type, &rule) != OK) rule.n = 0; /* the vertices remain */
  table->type = type;
  table->dim = mesh->in_space ? 3 : type->dim;
  table->n = shape_is_simplex(type->shape) && type->order == 1 ? 1 : type->n_vertex + rule.n;
  memset(table->dN, 0, sizeof table->dN);
  for (int32_t p = 0; p < table->n; ++p) {
    double dN[ELEMENT_MAX_NODES * 3];
    type->gradients(p < type->n_vertex ? type->node[p] : rule.xi[p - type->n_vertex], dN);
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int32_t k = 0; k < type->dim; ++k) table->dN[p][a][k] = dN[a * type->dim + k];
  }
}

/* Coordinates of the nodes of a batch, and what is found: lowest and highest determinant, quality, and the edge of the
 * bounding box of the vertices, to tell zero from rounding. */
typedef struct ShapeBatch {
  Lanes x[ELEMENT_MAX_NODES][3];
  Lanes normal[3]; /* of a surface in space, of length 1: the third column of its Jacobians; else not set */
  Lanes low, high, quality, extent;
} ShapeBatch;

/* Determinants of J, [dim][dim]. */
static inline void check_shape_det(const Lanes J[3][3], int32_t dim, Lanes det) {
  if (dim == 2) {
    FOR_LANES det[l] = J[0][0][l] * J[1][1][l] - J[0][1][l] * J[1][0][l];
    return;
  }
  FOR_LANES
  det[l] = J[0][0][l] * (J[1][1][l] * J[2][2][l] - J[1][2][l] * J[2][1][l]) -
           J[0][1][l] * (J[1][0][l] * J[2][2][l] - J[1][2][l] * J[2][0][l]) +
           J[0][2][l] * (J[1][0][l] * J[2][1][l] - J[1][1][l] * J[2][0][l]);
}

/* J at a point of the table. */
static inline void jacobian_at(const ShapeTable *table, const ShapeBatch *b, int32_t p, Lanes J[3][3]) {
  LaneSum sum[3][3] = {{{0}}};
  for (int32_t a = 0; a < table->type->n_node; ++a) {
    const LaneSum *x = (const LaneSum *)(const void *)b->x[a];
    for (int k = 0; k < 3; ++k) {
      const double slope = table->dN[p][a][k];
      if (slope == 0) continue; /* at vertices most are */
      for (int i = 0; i < 3; ++i) sum[i][k] += x[i] * slope;
    }
  }
  memcpy(J, sum, sizeof sum);
}

static inline void put_normal(const ShapeBatch *b, Lanes J[3][3]) {
  for (int i = 0; i < 3; ++i) FOR_LANES J[i][2][l] = b->normal[i][l];
}

/* The mean of the normals at the table's points; 0 where an element has none. */
static void batch_normal(const ShapeTable *table, ShapeBatch *b) {
  Lanes J[3][3];
  for (int i = 0; i < 3; ++i) FOR_LANES b->normal[i][l] = 0;
  for (int32_t p = 0; p < table->n; ++p) {
    jacobian_at(table, b, p, J);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      FOR_LANES b->normal[i][l] += J[j][0][l] * J[k][1][l] - J[k][0][l] * J[j][1][l];
    }
  }
  FOR_LANES {
    const double x = b->normal[0][l], y = b->normal[1][l], z = b->normal[2][l], length = sqrt(x * x + y * y + z * z);
    for (int i = 0; i < 3; ++i) b->normal[i][l] = length > 0 ? b->normal[i][l] / length : 0;
  }
}

/* Lowest and highest determinant at the table's points. */
static void check_shape_determinants(const ShapeTable *table, ShapeBatch *b) {
  const bool in_space = table->dim > table->type->dim;
  FOR_LANES b->low[l] = HUGE_VAL, b->high[l] = -HUGE_VAL;
  if (in_space) batch_normal(table, b);
  for (int32_t p = 0; p < table->n; ++p) {
    Lanes J[3][3], det;
    jacobian_at(table, b, p, J);
    if (in_space) put_normal(b, J);
    check_shape_det((const Lanes(*)[3])J, table->dim, det);
    FOR_LANES {
      b->low[l] = det[l] < b->low[l] ? det[l] : b->low[l];
      b->high[l] = det[l] > b->high[l] ? det[l] : b->high[l];
    }
  }
}

/* Squared length of the edge from vertex a to b, added. */
static inline void add_square(const ShapeBatch *batch, int32_t a, int32_t b, Lanes sum) {
  for (int d = 0; d < 3; ++d) FOR_LANES {
      const double edge = batch->x[a][d][l] - batch->x[b][d][l];
      sum[l] += edge * edge;
    }
}

/* Of the simplex of the first vertices; `det` is that of its affine map. */
static void simplex_quality(ShapeBatch *b, int32_t dim, const Lanes det) {
  Lanes sum = {0};
  for (int32_t a = 0; a <= dim; ++a)
    for (int32_t c = 0; c < a; ++c) add_square(b, a, c, sum);
  FOR_LANES {
    const double root = dim == 2 ? 0 : cbrt(det[l] / 2); /* area det/2, volume det/6 */
    b->quality[l] = dim == 2 ? 2 * sqrt(3) * det[l] / sum[l] : copysign(12 * root * root / sum[l], det[l]);
  }
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
static void relative_to_ideal(const double inverse[3][3], Lanes J[3][3]) {
  for (int i = 0; i < 3; ++i) FOR_LANES {
      const double row[3] = {J[i][0][l], J[i][1][l], J[i][2][l]};
      for (int k = 0; k < 3; ++k) J[i][k][l] = row[0] * inverse[0][k] + row[1] * inverse[1][k] + row[2] * inverse[2][k];
    }
}

/* The lowest of all corners: the cube of a corner's quality, which orders them as well, saves all roots but one. */
static void corners_quality(const Corners *corners, const ShapeTable *table, ShapeBatch *b) {
  const int32_t dim = table->type->dim;
  const double flat = dim == 2;
  Lanes worst;
  FOR_LANES worst[l] = HUGE_VAL;
  for (int32_t c = 0; c < corners->n; ++c) {
    const Corner *corner = &corners->corner[c];
    Lanes J[3][3] = {{{0}}}, norm = {0}, det;
    for (int32_t k = 0; k < dim; ++k)
      for (int i = 0; i < 3; ++i) FOR_LANES J[i][k][l] = b->x[corner->next[k]][i][l] - b->x[corner->vertex][i][l];
    if (corners->skew) relative_to_ideal(corners->inverse, J);
    for (int i = 0; i < 3; ++i)
      for (int32_t k = 0; k < dim; ++k) FOR_LANES norm[l] += J[i][k][l] * J[i][k][l];
    if (table->dim > dim) put_normal(b, J);
    check_shape_det((const Lanes(*)[3])J, table->dim, det);
    FOR_LANES {
      const double share = det[l] / norm[l]; /* in 3D a length, like the root of the norm */
      const double cube = fabs(share) * (share / norm[l]), here = flat * share + (1 - flat) * cube;
      worst[l] = here < worst[l] ? here : worst[l];
    }
  }
  FOR_LANES b->quality[l] = dim == 2 ? 2 * worst[l] : 3 * cbrt(worst[l]);
}

/* Quality by the vertices; not above zero where a determinant is not. */
static void batch_quality(const ShapeTable *table, ShapeBatch *b) {
  const ElementType *type = table->type;
  if (shape_is_simplex(type->shape)) {
    Lanes J[3][3] = {{{0}}}, det;
    for (int32_t k = 0; k < type->dim; ++k)
      for (int i = 0; i < 3; ++i) FOR_LANES J[i][k][l] = b->x[k + 1][i][l] - b->x[0][i][l];
    if (table->dim > type->dim) put_normal(b, J);
    check_shape_det((const Lanes(*)[3])J, table->dim, det);
    simplex_quality(b, type->dim, type->order > 1 ? det : b->low); /* curved ones: of the straight simplex */
  } else {
    corners_quality(corners_of(type->shape), table, b);
  }
  for (int l = 0; l < LANES; ++l) {
    if (b->low[l] <= 0 && b->quality[l] > 0) b->quality[l] = b->low[l] / fmax(b->high[l], -b->low[l]);
    if (!isfinite(b->quality[l])) b->quality[l] = 0;
  }
}

static void batch_extent(int32_t n_vertex, ShapeBatch *b) {
  FOR_LANES b->extent[l] = 0;
  for (int d = 0; d < 3; ++d) {
    Lanes low, high;
    FOR_LANES low[l] = high[l] = b->x[0][d][l];
    for (int32_t a = 1; a < n_vertex; ++a) FOR_LANES {
        low[l] = b->x[a][d][l] < low[l] ? b->x[a][d][l] : low[l];
        high[l] = b->x[a][d][l] > high[l] ? b->x[a][d][l] : high[l];
      }
    FOR_LANES b->extent[l] = high[l] - low[l] > b->extent[l] ? high[l] - low[l] : b->extent[l];
  }
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

/* Determinants and quality of elements [begin, end) of a block, at most LANES; lanes beyond have those of the last. */
static void batch_fill(const Mesh *mesh, const ElementBlock *block, const ShapeTable *table, int32_t begin, int32_t end,
                       ShapeBatch *b) {
  const ElementType *type = table->type;
  for (int l = 0; l < LANES; ++l) {
    const int32_t *nodes = block->nodes + (int64_t)(begin + l < end ? begin + l : end - 1) * type->n_node;
    for (int32_t a = 0; a < type->n_node; ++a)
      for (int d = 0; d < 3; ++d) b->x[a][d][l] = mesh->x[nodes[a]][d];
  }
  check_shape_determinants(table, b);
  batch_quality(table, b);
}

static void check_batch(const Mesh *mesh, const ElementBlock *block, const ShapeTable *table, int32_t begin,
                        int32_t end, ShapeReport *report) {
  const ElementType *type = table->type;
  ShapeBatch b;
  batch_fill(mesh, block, table, begin, end, &b);
  batch_extent(type->n_vertex, &b);
  for (int32_t i = begin; i < end; ++i) {
    const int l = i - begin;
    const double zero = 1e-13 * check_shape_power(b.extent[l], type->dim);
    count_element(report, block->first + i, b.low[l], b.high[l], zero, b.quality[l]);
  }
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
  table_fill(&table, mesh, element_type(block->kind));
  for (int64_t first = 0; first < block->n; first += (int64_t)SHAPE_ROW * SHAPE_CHUNK) {
    const int64_t left = (block->n - first + SHAPE_CHUNK - 1) / SHAPE_CHUNK;
    const int n = left < SHAPE_ROW ? (int)left : SHAPE_ROW;
    ShapeReport row[SHAPE_ROW];
#pragma omp parallel for schedule(static) if (n > 1)
    for (int k = 0; k < n; ++k) {
      const int64_t begin = first + (int64_t)k * SHAPE_CHUNK, end = begin + SHAPE_CHUNK;
      memset(&row[k], 0, sizeof row[k]);
      for (int64_t i = begin; i < end && i < block->n; i += LANES)
        check_batch(mesh, block, &table, (int32_t)i, (int32_t)(i + LANES < block->n ? i + LANES : block->n), &row[k]);
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
  out->quality.n_element = out->n_solved;
}

void mesh_quality(const Mesh *mesh, MeshQuality *out) {
  ShapeReport report;
  *out = mesh->quality;
  if (out->n_element) return;
  check_shapes(mesh, &report);
  *out = report.quality;
}

void mesh_mark_poor(const Mesh *mesh, double below, uint8_t *node) {
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementBlock *block = &mesh->block[k];
    const ElementType *type = element_type(block->kind);
    ShapeTable table;
    if (type->dim != mesh->dim || type->dim < 2) continue;
    table_fill(&table, mesh, type);
#pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < block->n; i += LANES) {
      ShapeBatch b;
      const int32_t end = i + LANES < block->n ? i + LANES : block->n;
      batch_fill(mesh, block, &table, i, end, &b);
      for (int32_t e = i; e < end; ++e)
        for (int32_t a = 0; a < type->n_node && b.quality[e - i] < below; ++a) {
#pragma omp atomic write
          node[block->nodes[(int64_t)e * type->n_node + a]] = 1;
        }
    }
  }
}
