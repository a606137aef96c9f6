/* Nodes along a Hilbert curve through the bounding box. Cells are cubes (squares in a plane, steps on a line) of the
 * same size in all directions, 2^21 a side in space and 2^31 in a plane; the way from coordinates to the place on the
 * curve is Skilling's (Programming the Hilbert curve, AIP Conf. Proc. 707, 2004). Nodes in one cell keep their order.
 */
#include "core/memory.h"
#include "mesh/order/order_graph.h"

#include <math.h>
#include <string.h>

enum { DIGIT = 16, BUCKETS = 1 << DIGIT };

/* The box of the nodes: the directions in which it has an extent, and cells a side per length. */
typedef struct Curve {
  int n_axis, axis[3], bits;
  double low[3], scale;
} Curve;

static Curve curve_of(const Mesh *mesh) {
  Curve c = {.bits = 31};
  double high[3] = {0}, widest = 0;
  for (int k = 0; k < 3; k++) {
    c.low[k] = INFINITY;
    high[k] = -INFINITY;
    for (int32_t i = 0; i < mesh->n_node; i++) {
      c.low[k] = fmin(c.low[k], mesh->x[i][k]);
      high[k] = fmax(high[k], mesh->x[i][k]);
    }
    widest = fmax(widest, high[k] - c.low[k]);
  }
  for (int k = 0; k < 3; k++)
    if (high[k] - c.low[k] > 1e-9 * widest) c.axis[c.n_axis++] = k; /* a plane mesh is flat up to rounding */
  if (c.n_axis == 3) c.bits = 21;
  c.scale = widest > 0 ? (double)((1u << c.bits) - 1) / widest : 0;
  return c;
}

/* Coordinates to the transposed place on the curve, in place: bit b of X[0], X[1], ... are the digits of level b. */
static void to_curve(uint32_t *X, int n, int bits) {
  const uint32_t top = 1u << (bits - 1);
  for (uint32_t q = top; q > 1; q >>= 1) { /* undo the turns, coarse to fine */
    const uint32_t below = q - 1;
    for (int k = 0; k < n; k++) {
      if (X[k] & q) {
        X[0] ^= below;
      } else {
        const uint32_t t = (X[0] ^ X[k]) & below;
        X[0] ^= t;
        X[k] ^= t;
      }
    }
  }
  for (int k = 1; k < n; k++) X[k] ^= X[k - 1]; /* Gray code */
  uint32_t t = 0;
  for (uint32_t q = top; q > 1; q >>= 1)
    if (X[n - 1] & q) t ^= q - 1;
  for (int k = 0; k < n; k++) X[k] ^= t;
}

static uint64_t place_on(const Curve *c, const double *x) {
  uint32_t X[3] = {0};
  uint64_t key = 0;
  for (int k = 0; k < c->n_axis; k++) {
    const double cells = (x[c->axis[k]] - c->low[c->axis[k]]) * c->scale, most = (double)((1u << c->bits) - 1);
    X[k] = cells > 0 ? (uint32_t)fmin(cells, most) : 0; /* not a number: 0 */
  }
  if (c->n_axis <= 1) return X[0]; /* a line, or all in one point */
  to_curve(X, c->n_axis, c->bits);
  for (int b = c->bits - 1; b >= 0; b--)
    for (int k = 0; k < c->n_axis; k++) key = key << 1 | (X[k] >> b & 1);
  return key;
}

/* One pass of a stable sort by digits, least first. */
static void sort_digit(int32_t n, int shift, const uint64_t *key, const int32_t *from, int32_t *to, int32_t *count) {
  int32_t sum = 0;
  memset(count, 0, BUCKETS * sizeof *count);
  for (int32_t i = 0; i < n; i++) count[key[i] >> shift & (BUCKETS - 1)]++;
  for (int32_t d = 0; d < BUCKETS; d++) {
    const int32_t here = count[d];
    count[d] = sum;
    sum += here;
  }
  for (int32_t i = 0; i < n; i++) to[count[key[from[i]] >> shift & (BUCKETS - 1)]++] = from[i];
}

Status order_hilbert(const Mesh *mesh, int32_t *rank) {
  Status status = OK;
  uint64_t *key = NULL;
  int32_t *order = NULL, *count = NULL;
  const int32_t n = mesh->n_node;
  ALLOC_DONE(key, n, "places on the curve");
  ALLOC_DONE(order, n, "order of nodes");
  ALLOC_DONE(count, BUCKETS, "order of nodes");
  const Curve curve = curve_of(mesh);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < n; i++) key[i] = place_on(&curve, mesh->x[i]);
  TRY_DONE(order_natural(mesh, order));
  for (int shift = 0; shift < 64; shift += 2 * DIGIT) { /* there and back */
    sort_digit(n, shift, key, order, rank, count);
    sort_digit(n, shift + DIGIT, key, rank, order, count);
  }
  for (int32_t i = 0; i < n; i++) rank[order[i]] = i;
done:
  FREE(key);
  FREE(order);
  FREE(count);
  return status;
}
