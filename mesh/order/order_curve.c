/* Nodes along a Hilbert curve through the bounding box. Cells are cubes (squares in a plane, steps on a line) of the
 * same size in all directions, 2^21 a side in space and 2^31 in a plane; the way from coordinates to the place on the
 * curve is Skilling's (Programming the Hilbert curve, AIP Conf. Proc. 707, 2004). Nodes in one cell keep their order.
 */
#include "core/exec.h"
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/order/order_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The box of the nodes: the directions in which it has an extent, and cells a side per length. */
typedef struct Curve {
  int n_axis, axis[3], bits;
  double low[3], scale;
} Curve;

static Curve curve_of(const Mesh *mesh) {
  Curve c = {.bits = 31};
  double high[3], widest = 0;
  mesh_extent(mesh, c.low, high);
  for (int k = 0; k < 3; k++) widest = fmax(widest, high[k] - c.low[k]);
  for (int k = 0; k < 3; k++)
    if (high[k] - c.low[k] > 1e-9 * widest) c.axis[c.n_axis++] = k; /* a plane mesh is flat up to rounding */
  if (c.n_axis == 3) c.bits = 21;
  c.scale = widest > 0 ? (double)((1u << c.bits) - 1) / widest : 0;
  return c;
}

/* Nodes of a batch, side by side: what is done to one is done to all, without branches. */
enum { BATCH = 32 };

/* Coordinates to the transposed place on the curve, in place: bit b of X[0], X[1], ... are the digits of level b. */
static void to_curve(uint32_t X[3][BATCH], int n, int bits) {
  uint32_t turned[BATCH] = {0};
  for (int level = bits - 1; level > 0; level--) { /* undo the turns, coarse to fine */
    const uint32_t below = (1u << level) - 1;
    for (int k = 0; k < n; k++)
      for (int i = 0; i < BATCH; i++) { /* where the bit is set X[0] is inverted, else swapped with X[k] */
        const uint32_t set = 0u - (X[k][i] >> level & 1), swap = (X[0][i] ^ X[k][i]) & below & ~set;
        X[0][i] ^= swap | (below & set);
        X[k][i] ^= swap;
      }
  }
  for (int k = 1; k < n; k++) /* Gray code */
    for (int i = 0; i < BATCH; i++) X[k][i] ^= X[k - 1][i];
  for (int level = bits - 1; level > 0; level--)
    for (int i = 0; i < BATCH; i++) turned[i] ^= (0u - (X[n - 1][i] >> level & 1)) & ((1u << level) - 1);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < BATCH; i++) X[k][i] ^= turned[i];
}

/* Bits 0, 1, ... of x to bits 0, 3, ... (of 21) or 0, 2, ... (of 32). */
static uint64_t spread_three(uint64_t x) {
  x = (x | x << 32) & 0x1f00000000ffffu;
  x = (x | x << 16) & 0x1f0000ff0000ffu;
  x = (x | x << 8) & 0x100f00f00f00f00fu;
  x = (x | x << 4) & 0x10c30c30c30c30c3u;
  return (x | x << 2) & 0x1249249249249249u;
}
static uint64_t spread_two(uint64_t x) {
  x = (x | x << 16) & 0xffff0000ffffu;
  x = (x | x << 8) & 0xff00ff00ff00ffu;
  x = (x | x << 4) & 0xf0f0f0f0f0f0f0fu;
  x = (x | x << 2) & 0x3333333333333333u;
  return (x | x << 1) & 0x5555555555555555u;
}

/* Places of n nodes, at most BATCH. */
static void places_on(const Curve *c, const double (*x)[3], int n, uint64_t *key) {
  uint32_t X[3][BATCH] = {{0}};
  const double most = (double)((1u << c->bits) - 1);
  for (int k = 0; k < c->n_axis; k++)
    for (int i = 0; i < n; i++) {
      const double cells = (x[i][c->axis[k]] - c->low[c->axis[k]]) * c->scale;
      X[k][i] = cells > 0 ? (uint32_t)fmin(cells, most) : 0; /* not a number: 0 */
    }
  if (c->n_axis > 1) to_curve(X, c->n_axis, c->bits); /* else a line, or all in one point */
  for (int i = 0; i < n; i++) {
    if (c->n_axis == 3) key[i] = spread_three(X[0][i]) << 2 | spread_three(X[1][i]) << 1 | spread_three(X[2][i]);
    else key[i] = c->n_axis == 2 ? spread_two(X[0][i]) << 1 | spread_two(X[1][i]) : X[0][i];
  }
}

/* Bits by which places are sorted beyond those that count the nodes, so that few are the same in them; and the most nodes
 * that may be. */
enum { SPARE_BITS = 7, LONGEST_RUN = 64 };

/* Nodes whose upper keys are the same, by their whole ones: few each. False: they are many somewhere. */
static bool settle_runs(int32_t n, const uint32_t *upper, const uint64_t *key, uint32_t *order) {
  bool settled = true;
#pragma omp parallel for schedule(static) num_threads(parts_of(n)) reduction(&& : settled)
  for (int32_t i = 0; i < n - 1; i++) {
    if (upper[i] != upper[i + 1] || (i > 0 && upper[i - 1] == upper[i])) continue; /* no run begins here */
    int32_t end = i + 2;
    while (end < n && end - i <= LONGEST_RUN && upper[end] == upper[i]) end++;
    settled = settled && end - i <= LONGEST_RUN;
    for (int32_t k = i + 1; k < end && end - i <= LONGEST_RUN; k++) {
      const uint32_t node = order[k];
      int32_t to = k;
      for (; to > i && key[order[to - 1]] > key[node]; to--) order[to] = order[to - 1];
      order[to] = node;
    }
  }
  return settled;
}

static void order_begin(int32_t n, uint32_t *order) {
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; i++) order[i] = (uint32_t)i;
}

/* order[n] by key, which has `bits` bits, stable. Half the work where the upper bits tell nearly all nodes apart. */
static Status order_by_key(Exec *exec, int32_t n, uint64_t *key, int bits, uint32_t *order) {
  uint32_t *upper = NULL;
  int kept = SPARE_BITS;
  while (kept < 32 && n >> (kept - SPARE_BITS)) kept++;
  const int shift = bits - kept;
  ALLOC(upper, n, "places on the curve");
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; i++) upper[i] = (uint32_t)(key[i] >> shift);
  order_begin(n, order);
  Status status = exec_sort(exec, n, upper, sizeof *upper, kept, order);
  const bool settled = status == OK && settle_runs(n, upper, key, order);
  FREE(upper);
  if (settled || status != OK) return status;
  order_begin(n, order);
  return exec_sort(exec, n, key, sizeof *key, bits, order);
}

Status order_hilbert(const Mesh *mesh, int32_t *rank) {
  Status status = OK;
  uint64_t *key = NULL;
  uint32_t *order = NULL;
  Exec *exec = NULL;
  const int32_t n = mesh->n_node;
  ALLOC_DONE(key, n, "places on the curve");
  ALLOC_DONE(order, n, "order of nodes");
  const Curve curve = curve_of(mesh);
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int64_t i = 0; i < n; i += BATCH)
    places_on(&curve, (const double(*)[3])mesh->x + i, n - i < BATCH ? (int)(n - i) : BATCH, key + i);
  TRY_DONE(exec_create_cpu(0, &exec));
  TRY_DONE(order_by_key(exec, n, key, curve.n_axis == 3 ? 63 : 62, order));
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; i++) rank[order[i]] = i;
done:
  exec_destroy(&exec);
  FREE(key);
  FREE(order);
  return status;
}

/* ---- how near nodes of an element are, from a sample ---- */

enum { SAMPLE_PLACES = 1 << 13, SAMPLE_ELEMENTS = 1 << 11 };

/* The k-th of a sequence that is spread evenly, and in step with no grid. */
static int32_t spread_evenly(int32_t k, int32_t n) {
  const double golden = 0.6180339887498949;
  const int32_t at = (int32_t)(fmod(k * golden, 1) * n);
  return at < n ? at : n - 1;
}

static int by_place(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* How many of the sorted places lie below. */
static int32_t places_below(const uint64_t *place, uint64_t key) {
  int32_t low = 0, n = SAMPLE_PLACES;
  while (n > 0) {
    const int32_t half = n / 2;
    if (place[low + half] < key) low += half + 1, n -= half + 1;
    else n = half;
  }
  return low;
}

/* Adds the pairs of nodes of an element: distances in the mesh, and in places along the curve. */
static void sample_element(const Mesh *mesh, const Curve *curve, const uint64_t *place, int32_t e, int64_t sum[3]) {
  const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_node, *nodes = mesh_nodes_of(mesh, e);
  double x[ELEMENT_MAX_NODES][3];
  uint64_t key[ELEMENT_MAX_NODES];
  int32_t at[ELEMENT_MAX_NODES];
  for (int32_t a = 0; a < n; ++a) memcpy(x[a], mesh->x[nodes[a]], sizeof x[a]);
  places_on(curve, (const double(*)[3])x, n, key);
  for (int32_t a = 0; a < n; ++a) {
    at[a] = places_below(place, key[a]);
    for (int32_t b = 0; b < a; ++b) {
      sum[0] += abs(nodes[a] - nodes[b]);
      sum[1] += abs(at[a] - at[b]);
    }
  }
  sum[2] += n * (n - 1) / 2;
}

Status order_sample(const Mesh *mesh, double *own, double *along_curve) {
  uint64_t *place = NULL;
  int64_t sum[3] = {0};
  ALLOC(place, SAMPLE_PLACES, "places on the curve");
  const Curve curve = curve_of(mesh);
#pragma omp parallel for schedule(static) num_threads(parts_of(SAMPLE_PLACES))
  for (int32_t k = 0; k < SAMPLE_PLACES; k += BATCH) {
    double x[BATCH][3];
    for (int32_t i = 0; i < BATCH; ++i) memcpy(x[i], mesh->x[spread_evenly(k + i, mesh->n_node)], sizeof x[i]);
    places_on(&curve, (const double(*)[3])x, BATCH, place + k);
  }
  qsort(place, SAMPLE_PLACES, sizeof *place, by_place);
#pragma omp parallel for schedule(static) num_threads(parts_of((int64_t)SAMPLE_ELEMENTS *BATCH)) reduction(+ : sum)
  for (int32_t k = 0; k < SAMPLE_ELEMENTS; ++k)
    sample_element(mesh, &curve, place, spread_evenly(k, mesh->n_element), sum);
  const double pairs = sum[2] > 0 ? (double)sum[2] : 1;
  *own = (double)sum[0] / pairs;
  *along_curve = (double)sum[1] / pairs * mesh->n_node / SAMPLE_PLACES;
  FREE(place);
  return OK;
}
