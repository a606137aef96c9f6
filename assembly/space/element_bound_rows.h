/* The largest eigenvalue of each element matrix, scaled symmetrically by its own diagonal or diagonal blocks, from
 * above. Compiled by gcc and nvcc; element_bound.c has the order, docs/theory/polynomial.md the equations.
 *
 * An element e works in memory of its own: G of its nodes ([n][B][B] row-major, A'_ab = G_a K_ab G_b^T), A' (lower
 * triangle, rows one after the other), three vectors for Lanczos. Numbers of consecutive elements lie side by side on a
 * GPU, those of one element on the CPU. */
#pragma once
#include "core/hd.h"

#include <math.h>

enum { BOUND_STEPS = 8, BOUND_RAISES = 200 };
/* From one number of an element to the next; the CPU's compiler knows that it is 1. */
#ifdef __CUDA_ARCH__
#define BOUND_STEP(s) ((s)->work_k)
#else
#define BOUND_STEP(s) ((void)(s), 1)
#endif

typedef struct ElementBoundArgs {
  const double *K; /* scalar c of pair p, element e: K[(pair_first + p pair_p + e pair_e) block_step + c scalar_step] */
  int64_t pair_first, pair_p, pair_e, block_step, scalar_step;
  int32_t n, size;      /* nodes of an element, scalars B of a node */
  int32_t blocks;       /* scaled by blocks, else by scalars */
  const int32_t *nodes; /* node a of element e at node_a a + node_e e; read with frames only */
  int64_t node_a, node_e;
  const int32_t *frame_of; /* [nodes of the mesh] frame of a node, -1: the global one; NULL: none has one */
  const double *frame;     /* [n][3][3] */
  int64_t first;           /* element of row 0 */
  double *work;            /* number k of row r at k work_k + r work_r; work_k is 1 on the CPU */
  int64_t work_k, work_r;
  double *bound; /* [rows]; HUGE_VAL: the diagonal is not positive */
} ElementBoundArgs;

HD int64_t element_bound_triangle(const int64_t n) { return n * (n + 1) / 2; }
/* Numbers of an element in `work`. */
HD int64_t element_bound_work(const int32_t n_node, const int32_t size) {
  const int64_t n = (int64_t)n_node * size;
  return n * size + element_bound_triangle(n) + 3 * n;
}

/* Block (a, b), a <= b, of element e. */
HD void bound_read(const int32_t B, const ElementBoundArgs *s, const int64_t e, const int32_t a, const int32_t b,
                   double *K) {
  const int64_t pair = (int64_t)a * s->n - (int64_t)a * (a - 1) / 2 + b - a;
  const double *from = s->K + (s->pair_first + pair * s->pair_p + e * s->pair_e) * s->block_step;
  for (int32_t c = 0; c < B * B; ++c) K[c] = from[c * s->scalar_step];
}

/* The frame of node a, or NULL. Blocks do not need one: turning D and A alike changes no eigenvalue. */
HD const double *bound_frame(const ElementBoundArgs *s, const int64_t e, const int32_t a) {
  if (!s->frame_of || s->blocks) return 0;
  const int32_t frame = s->frame_of[s->nodes[a * s->node_a + e * s->node_e]];
  return frame < 0 ? 0 : s->frame + 9 * (int64_t)frame;
}

/* g <- scaling by the diagonal of R^T K R, times R^T; false where the diagonal is negative or NaN. A zero (a direction
 * without stiffness, as of a spring) is left out. */
HD int bound_scale_point(const int32_t B, const double *K, const double *R, double *g) {
  for (int32_t c = 0; c < B; ++c) {
    double d = 0;
    for (int32_t i = 0; i < B; ++i)
      for (int32_t j = 0; j < B; ++j) {
        const double left = R ? R[3 * i + c] : i == c, right = R ? R[3 * j + c] : j == c;
        d += left * K[i * B + j] * right;
      }
    if (!(d >= 0 && d - d == 0)) return 0;
    for (int32_t i = 0; i < B; ++i) g[c * B + i] = d > 0 ? (R ? R[3 * i + c] : i == c) / sqrt(d) : 0;
  }
  return 1;
}

/* g <- inverse of the Cholesky factor of K; directions without stiffness are left out. False where K is not
 * positive. */
HD int bound_scale_block(const int32_t B, const double *K, double *g) {
  double L[9] = {0}, largest = 0;
  for (int32_t r = 0; r < B; ++r) largest = K[r * B + r] > largest ? K[r * B + r] : largest;
  for (int32_t r = 0; r < B; ++r)
    for (int32_t c = 0; c <= r; ++c) {
      double d = K[r * B + c];
      for (int32_t k = 0; k < c; ++k) d -= L[r * B + k] * L[c * B + k];
      if (c < r) {
        L[r * B + c] = L[c * B + c] > 0 ? d / L[c * B + c] : 0;
        continue;
      }
      if (!(d >= -1e-13 * largest && d - d == 0)) return 0;
      L[r * B + r] = d > 1e-13 * largest ? sqrt(d) : 0;
    }
  for (int32_t c = 0; c < B; ++c)
    for (int32_t r = 0; r < B; ++r) {
      double t = r == c;
      for (int32_t k = c; k < r; ++k) t -= L[r * B + k] * g[k * B + c];
      g[r * B + c] = r < c || !(L[r * B + r] > 0) ? 0 : t / L[r * B + r];
    }
  return 1;
}

/* G of all nodes into work. */
HD int bound_scale(const int32_t B, const ElementBoundArgs *s, const int64_t e, double *work) {
  double K[9], g[9];
  for (int32_t a = 0; a < s->n; ++a) {
    bound_read(B, s, e, a, a, K);
    if (!(s->blocks ? bound_scale_block(B, K, g) : bound_scale_point(B, K, bound_frame(s, e, a), g))) return 0;
    for (int32_t c = 0; c < B * B; ++c) work[((int64_t)a * B * B + c) * BOUND_STEP(s)] = g[c];
  }
  return 1;
}

/* A'_ab = G_a K_ab G_b^T, its lower triangle, into A. */
HD void bound_fill(const int32_t B, const ElementBoundArgs *s, const int64_t e, const double *G, double *A) {
  double K[9], T[9];
  for (int32_t a = 0; a < s->n; ++a)
    for (int32_t b = a; b < s->n; ++b) {
      bound_read(B, s, e, a, b, K);
      for (int32_t r = 0; r < B; ++r)
        for (int32_t c = 0; c < B; ++c) {
          T[r * B + c] = 0;
          for (int32_t k = 0; k < B; ++k)
            T[r * B + c] += G[(((int64_t)a * B + r) * B + k) * BOUND_STEP(s)] * K[k * B + c];
        }
      for (int32_t c = 0; c < B; ++c) /* entry (b B + c, a B + r), the transposed one */
        for (int32_t r = 0; r < (a == b ? c + 1 : B); ++r) {
          double t = 0;
          for (int32_t k = 0; k < B; ++k) t += T[r * B + k] * G[(((int64_t)b * B + c) * B + k) * BOUND_STEP(s)];
          A[(element_bound_triangle((int64_t)b * B + c) + (int64_t)a * B + r) * BOUND_STEP(s)] = t;
        }
    }
}

/* Largest eigenvalue of the tridiagonal matrix of n rows: the largest x at which a Sturm sequence changes. */
HD double bound_ritz(const int32_t n, const double *alpha, const double *beta) {
  double low = alpha[0], high = alpha[0];
  for (int32_t i = 0; i < n; ++i) {
    const double radius = (i ? fabs(beta[i - 1]) : 0) + (i + 1 < n ? fabs(beta[i]) : 0);
    if (alpha[i] > low) low = alpha[i];
    if (alpha[i] + radius > high) high = alpha[i] + radius;
  }
  for (int32_t turn = 0; turn < 14; ++turn) {
    const double x = 0.5 * (low + high);
    double pivot = x - alpha[0];
    int32_t above = pivot > 0;
    for (int32_t i = 1; i < n && above; ++i) {
      pivot = x - alpha[i] - beta[i - 1] * beta[i - 1] / pivot;
      above = pivot > 0;
    }
    if (above) high = x;
    else low = x;
  }
  return low;
}

/* Largest Ritz value of A' after a few Lanczos steps (Golub and Van Loan, section 10.1). It only makes the bound
 * tight. */
HD double bound_lanczos(const ElementBoundArgs *s, const int32_t n, const double *A, double *v) {
  double *last = v + n * BOUND_STEP(s), *w = v + 2 * n * BOUND_STEP(s), alpha[BOUND_STEPS], beta[BOUND_STEPS], norm = 0;
  for (int32_t i = 0; i < n; ++i) { /* the golden ratio: a start that no symmetry of the element shares */
    const double x = 0.6180339887498949 * (i + 1), start = 2 * (x - floor(x)) - 1;
    v[i * BOUND_STEP(s)] = start;
    last[i * BOUND_STEP(s)] = 0;
    norm += start * start;
  }
  norm = sqrt(norm);
  int32_t steps = 0;
  while (steps < BOUND_STEPS && norm > 1e-6) {
    double dot = 0, next = 0;
    for (int32_t i = 0; i < n; ++i) v[i * BOUND_STEP(s)] /= norm;
    for (int32_t i = 0; i < n; ++i) {
      const double *row = A + element_bound_triangle(i) * BOUND_STEP(s), now = v[i * BOUND_STEP(s)];
      double t = row[i * BOUND_STEP(s)] * now;
      for (int32_t j = 0; j < i; ++j) {
        t += row[j * BOUND_STEP(s)] * v[j * BOUND_STEP(s)];
        w[j * BOUND_STEP(s)] += row[j * BOUND_STEP(s)] * now;
      }
      w[i * BOUND_STEP(s)] = t;
    }
    for (int32_t i = 0; i < n; ++i) dot += w[i * BOUND_STEP(s)] * v[i * BOUND_STEP(s)];
    alpha[steps] = dot;
    for (int32_t i = 0; i < n; ++i) {
      const double now = v[i * BOUND_STEP(s)],
                   t = w[i * BOUND_STEP(s)] - dot * now - (steps ? norm : 0) * last[i * BOUND_STEP(s)];
      last[i * BOUND_STEP(s)] = now;
      v[i * BOUND_STEP(s)] = t;
      next += t * t;
    }
    norm = sqrt(next);
    beta[steps++] = norm;
  }
  return bound_ritz(steps, alpha, beta);
}

/* Whether beta - A' has a Cholesky factor, which overwrites A': then no eigenvalue lies beyond beta. */
HD int bound_holds(const ElementBoundArgs *s, const int32_t n, const double beta, double *A) {
  for (int32_t i = 0; i < n; ++i) {
    double *row = A + element_bound_triangle(i) * BOUND_STEP(s);
    double pivot = beta - row[i * BOUND_STEP(s)];
    for (int32_t j = 0; j < i; ++j) {
      const double *other = A + element_bound_triangle(j) * BOUND_STEP(s);
      double t = -row[j * BOUND_STEP(s)];
      for (int32_t k = 0; k < j; ++k) t -= row[k * BOUND_STEP(s)] * other[k * BOUND_STEP(s)];
      t *= other[j * BOUND_STEP(s)]; /* the inverse of the pivot's root lies on the diagonal */
      row[j * BOUND_STEP(s)] = t;
      pivot -= t * t;
    }
    if (!(pivot > 1e-12 * beta)) return 0; /* NaN too */
    row[i * BOUND_STEP(s)] = 1 / sqrt(pivot);
  }
  return 1;
}

HD double bound_element(const int32_t B, const ElementBoundArgs *s, const int64_t i) {
  const int32_t n = s->n * B;
  const int64_t e = s->first + i;
  double *G = s->work + i * s->work_r, *A = G + (int64_t)n * B * BOUND_STEP(s);
  if (!bound_scale(B, s, e, G)) return HUGE_VAL;
  bound_fill(B, s, e, G, A);
  double beta = 1.004 * bound_lanczos(s, n, A, A + element_bound_triangle(n) * BOUND_STEP(s));
  if (!(beta >= 1.001)) beta = 1.001;
  for (int32_t turn = 0; turn < BOUND_RAISES; ++turn) {
    if (bound_holds(s, n, beta, A)) return beta;
    beta *= 1.02;
    bound_fill(B, s, e, G, A);
  }
  return HUGE_VAL;
}

/* Row i is element first + i. */
HD void element_bound_body(const ElementBoundArgs *s, int64_t i, double *sum) {
  (void)sum;
  s->bound[i] = s->size == 3 ? bound_element(3, s, i) : s->size == 2 ? bound_element(2, s, i) : bound_element(1, s, i);
}

/* out_i = largest of v_i, v_(i+m), v_(i+2m) ... */
typedef struct ElementLargestArgs {
  const double *v;
  double *out;
  int64_t n, m;
} ElementLargestArgs;
HD void element_largest_body(const ElementLargestArgs *s, int64_t i, double *sum) {
  (void)sum;
  double largest = 0;
  for (int64_t j = i; j < s->n; j += s->m) largest = s->v[j] <= largest ? largest : s->v[j];
  s->out[i] = largest;
}
