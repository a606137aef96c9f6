/* Finding the solved element that holds a point, or how far outside it lies.
 *
 * One pass over the bounding boxes of all solved elements, by all threads; only those near the point are looked at. The nearest point
 * of an element is found by Gauss-Newton on |x(xi) - p|^2 in its reference domain, on each of its faces, their edges
 * and vertices: exact for straight sides, the nearest stationary point on curved ones. A point is inside when the
 * nearest point is within 1e-9 of the mesh size, so the boundary belongs to the mesh, but the chord of a curved edge
 * does not reach the curve: such a point is outside, with its distance. Takes no memory. */
#include "core/parts.h"
#include "core/vec3.h"
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-9; /* of the mesh size (PRODUCT: probes) */
enum { MAX_NEWTON = 40 };

/* The best so far. */
typedef struct Nearest {
  double square; /* distance^2, INFINITY at first */
  double xi[3];  /* reference coordinates in the whole element */
} Nearest;

/* An element, or a face or edge of one, by its nodes: where they are, and their reference coordinates in the
 * element. */
typedef struct Piece {
  const ElementType *type;
  double x[ELEMENT_MAX_NODES][3], at[ELEMENT_MAX_NODES][3];
} Piece;

static void start_in_middle(const ElementType *type, double xi[3]) {
  memset(xi, 0, 3 * sizeof *xi);
  for (int32_t v = 0; v < type->n_vertex; v++) {
    for (int32_t k = 0; k < 3; k++) xi[k] += type->node[v][k] / type->n_vertex;
  }
}

/* Solves the symmetric A s = b of size n by elimination without pivoting; false when A is not positive definite. */
static bool locate_solve(int32_t n, double A[3][3], double b[3]) {
  for (int32_t k = 0; k < n; k++) {
    if (!(A[k][k] > 0.0)) return false;
    for (int32_t i = k + 1; i < n; i++) {
      const double factor = A[i][k] / A[k][k];
      for (int32_t j = k; j < n; j++) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int32_t k = n - 1; k >= 0; k--) {
    for (int32_t j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return true;
}

/* Sum over the nodes of the shape functions at xi times v. */
static void locate_interpolate(const ElementType *type, const double (*v)[3], const double xi[3], double out[3]) {
  double N[ELEMENT_MAX_NODES];
  type->values(xi, N);
  memset(out, 0, 3 * sizeof *out);
  for (int32_t a = 0; a < type->n_node; a++) {
    for (int32_t k = 0; k < 3; k++) out[k] += N[a] * v[a][k];
  }
}

/* The damping of a step from zeta by `move` that keeps a tenth of the way to a pyramid's apex, beyond which its shape
 * functions mean nothing. */
static double below_apex(double zeta, double move, double damp) {
  const double most = 0.9 * (1.0 - zeta);
  return move > most ? damp * most / move : damp;
}

/* Stationary point of |x(xi) - p|^2 over the extended domain; false when the iteration ends outside the domain. Far
 * from a strongly curved face it may end before it has settled: the square is then that of a point nearby. */
static bool locate_project(const ElementType *type, const double (*x)[3], const double p[3], double xi[3],
                           double *square, bool *settled) {
  double J[3][3], at[3], r[3];
  start_in_middle(type, xi);
  *settled = false;
  for (int32_t step = 0; step < MAX_NEWTON; step++) {
    double A[3][3] = {{0}}, b[3] = {0}, length = 0.0;
    locate_interpolate(type, x, xi, at);
    for (int32_t i = 0; i < 3; i++) r[i] = p[i] - at[i];
    element_jacobian(type, x, xi, J, false);
    for (int32_t k = 0; k < type->dim; k++) {
      for (int32_t i = 0; i < 3; i++) {
        b[k] += J[i][k] * r[i];
        for (int32_t l = 0; l < type->dim; l++) A[k][l] += J[i][k] * J[i][l];
      }
    }
    if (!locate_solve(type->dim, A, b)) return false;
    for (int32_t k = 0; k < type->dim; k++) length = fmax(length, fabs(b[k]));
    double damp = length > 1.0 ? 1.0 / length : 1.0; /* at most half a domain a step */
    if (type->shape == SHAPE_PYRAMID) damp = below_apex(xi[2], damp * b[2], damp);
    for (int32_t k = 0; k < type->dim; k++) xi[k] += damp * b[k];
    *settled = length < 1e-10;
    if (length < 1e-13) break;
    for (int32_t k = 0; k < type->dim; k++) {
      if (!(fabs(xi[k]) < 10.0)) return false; /* far away: the nearest point is on the boundary */
    }
  }
  locate_interpolate(type, x, xi, at);
  for (int32_t i = 0; i < 3; i++) r[i] = p[i] - at[i];
  *square = vec3_dot(r, r);
  return shape_holds(type->shape, xi, 1e-12);
}

/* Nearest point of a piece: inside it, then on each of its faces, and on theirs in turn (depth 3 at most). */
static void nearest_in(const Piece *piece, const double p[3], Nearest *best) {
  const ElementType *type = piece->type;
  double xi[3] = {0}, square;
  bool settled;
  if (type->dim == 0) {
    const double r[3] = {p[0] - piece->x[0][0], p[1] - piece->x[0][1], p[2] - piece->x[0][2]};
    square = vec3_dot(r, r);
    if (square >= best->square) return;
    best->square = square;
    memcpy(best->xi, piece->at[0], sizeof best->xi);
    return;
  }
  if (locate_project(type, (const double(*)[3])piece->x, p, xi, &square, &settled) && square < best->square) {
    best->square = square;
    locate_interpolate(type, (const double(*)[3])piece->at, xi, best->xi);
    if (type->dim == 3 && settled) return; /* it holds the point */
  }
  for (int32_t f = 0; f < type->n_face; f++) {
    Piece face = {.type = element_type(type->face[f].kind)};
    for (int32_t a = 0; a < face.type->n_node; a++) {
      memcpy(face.x[a], piece->x[type->face[f].nodes[a]], sizeof face.x[a]);
      memcpy(face.at[a], piece->at[type->face[f].nodes[a]], sizeof face.at[a]);
    }
    nearest_in(&face, p, best);
  }
}

/* Distance^2 to the box around the nodes, widened where curved sides may leave it. */
static double box_distance(const ElementType *type, const double (*x)[3], const double p[3]) {
  double square = 0.0;
  for (int32_t k = 0; k < 3; k++) {
    double low = x[0][k], high = x[0][k];
    for (int32_t a = 1; a < type->n_node; a++) { /* comparisons: fmin and fmax are calls */
      low = x[a][k] < low ? x[a][k] : low;
      high = x[a][k] > high ? x[a][k] : high;
    }
    const double margin = type->order > 1 ? 0.25 * (high - low) : 0.0;
    const double left = low - margin - p[k], right = p[k] - high - margin, gap = left > right ? left : right;
    if (gap > 0) square += gap * gap;
  }
  return square;
}

/* Looks at one element; updates the location when the point is at a node of it, in it, or nearer than before. */
static void locate_in_element(const ElementType *type, int32_t id, const int32_t *nodes, const double (*x)[3],
                              const double p[3], double tolerance, double *node_square, double *nearest_square,
                              Location *out) {
  for (int32_t a = 0; a < type->n_node; a++) {
    const double r[3] = {p[0] - x[a][0], p[1] - x[a][1], p[2] - x[a][2]};
    const double square = vec3_dot(r, r);
    if (square > tolerance * tolerance || square >= *node_square) continue;
    *node_square = square;
    *nearest_square = 0.0;
    out->element = id;
    out->node = nodes[a];
    memcpy(out->xi, type->node[a], sizeof out->xi);
  }
  if (out->element >= 0) return; /* found before: only a node may still take it over */
  Nearest best = {.square = INFINITY};
  Piece whole = {.type = type};
  memcpy(whole.x, x, (size_t)type->n_node * sizeof *x);
  memcpy(whole.at, type->node, (size_t)type->n_node * sizeof *type->node);
  nearest_in(&whole, p, &best);
  if (best.square < *nearest_square) {
    *nearest_square = best.square;
    out->nearest = id;
    memcpy(out->nearest_xi, best.xi, sizeof out->nearest_xi);
  }
  if (best.square > tolerance * tolerance) return;
  out->element = id;
  *nearest_square = 0.0;
  memcpy(out->xi, best.xi, sizeof out->xi);
}

/* What the elements of a part have found: the nearest so far, and how far its node is. */
typedef struct Found {
  Location at;
  double node_square, nearest_square;
} Found;

static const Found nothing = {.at = {.element = -1, .node = -1}, .node_square = INFINITY, .nearest_square = INFINITY};

static void locate_one(const Mesh *mesh, const ElementType *type, int32_t id, const int32_t *nodes, const double p[3],
                       double tolerance, Found *out) {
  double y[ELEMENT_MAX_NODES][3];
  for (int32_t a = 0; a < type->n_node; a++) memcpy(y[a], mesh->x[nodes[a]], sizeof y[a]);
  const double gap = box_distance(type, (const double(*)[3])y, p);
  if (gap > fmax(out->nearest_square, tolerance * tolerance)) return;
  locate_in_element(type, id, nodes, (const double(*)[3])y, p, tolerance, &out->node_square, &out->nearest_square,
                    &out->at);
}

static void locate_in_part(const Mesh *mesh, const ElementBlock *block, const double p[3], double tolerance,
                           int32_t begin, int32_t end, Found *out) {
  const ElementType *type = element_type(block->kind);
  for (int32_t i = begin; i < end; i++)
    locate_one(mesh, type, block->first + i, block->nodes + (int64_t)i * type->n_node, p, tolerance, out);
}

/* Parts in order, as one pass over all would find it: a node where there is one, else the first element that holds the
 * point, else the distance. */
static void take_part(Found *all, const Found *part) {
  const bool nearer = part->nearest_square < all->nearest_square, takes_node = part->node_square < all->node_square;
  if (nearer) all->nearest_square = part->nearest_square;
  if (takes_node) all->node_square = part->node_square;
  if (takes_node || (all->at.element < 0 && (part->at.element >= 0 || nearer))) all->at = part->at;
}

static void finish(const Found *all, Location *out) {
  *out = all->at;
  out->distance = out->element >= 0 ? 0.0 : sqrt(all->nearest_square);
  if (out->element < 0) return;
  out->nearest = out->element;
  memcpy(out->nearest_xi, out->xi, sizeof out->xi);
}

Status mesh_locate(const Mesh *mesh, const double x[3], Location *out) {
  enum { MOST_PARTS = 64 };
  static const double FAR = 1e150; /* whose square is a number: what is farther lies outside too */
  const double tolerance = TOLERANCE * mesh_size(mesh);
  const double p[3] = {fmax(-FAR, fmin(FAR, x[0])), fmax(-FAR, fmin(FAR, x[1])), fmax(-FAR, fmin(FAR, x[2]))};
  Found all = nothing;
  *out = nothing.at;
  CHECK(isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]), ERR_INPUT, "the point (%g, %g, %g) is not finite", x[0],
        x[1], x[2]);
  for (int32_t b = 0; b < mesh->n_block; b++) {
    const ElementBlock *block = &mesh->block[b];
    Found part[MOST_PARTS];
    const int worth = parts_of(block->n), parts = worth < MOST_PARTS ? worth : MOST_PARTS;
    if (element_type(block->kind)->dim != mesh->dim) continue;
#pragma omp parallel for schedule(static) num_threads(parts)
    for (int k = 0; k < parts; k++) {
      part[k] = nothing;
      locate_in_part(mesh, block, p, tolerance, (int32_t)part_begin(block->n, k, parts),
                     (int32_t)part_begin(block->n, k + 1, parts), &part[k]);
    }
    for (int k = 0; k < parts; k++) take_part(&all, &part[k]);
  }
  CHECK(isfinite(all.nearest_square), ERR_MESH, "the mesh has no solved elements to find a point in");
  finish(&all, out);
  return OK;
}

void mesh_locate_among(const Mesh *mesh, const double x[3], int32_t n, const int32_t *element, Location *out) {
  Found all = nothing;
  for (int32_t i = 0; i < n; i++)
    locate_one(mesh, element_type(mesh_block_of(mesh, element[i])->kind), element[i], mesh_nodes_of(mesh, element[i]),
               x, 0, &all);
  finish(&all, out);
}

int32_t mesh_location_nodes(const Mesh *mesh, const Location *at, int32_t *nodes, double *weight) {
  if (at->node >= 0) {
    nodes[0] = at->node, weight[0] = 1;
    return 1;
  }
  const ElementType *type = element_type(mesh_block_of(mesh, at->element)->kind);
  type->values(at->xi, weight);
  memcpy(nodes, mesh_nodes_of(mesh, at->element), (size_t)type->n_node * sizeof *nodes);
  return type->n_node;
}
