/* What the plain program solves: constraints by Gauss and Jordan, one function an analysis. */
#include "tests/native/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reduction { /* u = T q + u0: an unknown is a free one or a row of dependent ones */
  int n, m, *free;         /* [n] number of the free unknown, or -1 - row */
  double *row, *u0;        /* [rows][m], [n] */
} Reduction;

/* Gauss and Jordan with the largest pivot of each row; a row that follows from the others is left out. */
static Reduction reduce(const Plain *p, int n, bool values) {
  const int rows = p->n_row;
  double *C = plain_room((size_t)rows * (size_t)(n + 1));
  int *pivot = calloc((size_t)rows + 1, sizeof *pivot), n_pivot = 0;
  Reduction r = {n, 0, calloc((size_t)n, sizeof(int)), NULL, plain_room((size_t)n)};
  for (int k = 0; k < rows; ++k) {
    double *row = C + (size_t)n_pivot * (size_t)(n + 1);
    memset(row, 0, (size_t)(n + 1) * sizeof *row);
    for (int t = 0; t < p->row[k].n; ++t) row[p->row[k].unknown[t]] += p->row[k].factor[t];
    row[n] = values ? p->row[k].value : 0;
    for (int i = 0; i < n_pivot; ++i) {
      const double f = row[pivot[i]];
      for (int j = 0; j <= n && f != 0; ++j) row[j] -= f * C[(size_t)i * (size_t)(n + 1) + (size_t)j];
    }
    int best = 0;
    for (int j = 1; j < n; ++j)
      if (fabs(row[j]) > fabs(row[best])) best = j;
    if (fabs(row[best]) < 1e-10) continue;
    const double scale = 1 / row[best];
    for (int j = 0; j <= n; ++j) row[j] *= scale;
    for (int i = 0; i < n_pivot; ++i) {
      double *other = C + (size_t)i * (size_t)(n + 1);
      const double f = other[best];
      for (int j = 0; j <= n && f != 0; ++j) other[j] -= f * row[j];
    }
    pivot[n_pivot++] = best;
  }
  for (int i = 0; i < n_pivot; ++i)
    r.free[pivot[i]] = -1 - i, r.u0[pivot[i]] = C[(size_t)i * (size_t)(n + 1) + (size_t)n];
  for (int j = 0; j < n; ++j)
    if (r.free[j] >= 0) r.free[j] = r.m++;
  r.row = plain_room((size_t)n_pivot * (size_t)r.m);
  for (int i = 0; i < n_pivot; ++i)
    for (int j = 0; j < n; ++j)
      if (r.free[j] >= 0)
        r.row[(size_t)i * (size_t)r.m + (size_t)r.free[j]] = -C[(size_t)i * (size_t)(n + 1) + (size_t)j];
  free(C), free(pivot);
  return r;
}

static void reduction_release(Reduction *r) { free(r->free), free(r->row), free(r->u0); }

/* out [m] += factor T^T v of the entry `value` of unknown i. */
static void scatter(const Reduction *r, int i, double value, double *out) {
  if (r->free[i] >= 0) out[r->free[i]] += value;
  else
    for (int j = 0; j < r->m; ++j) out[j] += r->row[(size_t)(-1 - r->free[i]) * (size_t)r->m + (size_t)j] * value;
}

/* T^T A T */
static double *reduced(const Reduction *r, const double *A) {
  double *half = plain_room((size_t)r->n * (size_t)r->m), *out = plain_room((size_t)r->m * (size_t)r->m);
  for (int i = 0; i < r->n; ++i)
    for (int j = 0; j < r->n; ++j)
      if (A[(size_t)i * (size_t)r->n + (size_t)j] != 0)
        scatter(r, j, A[(size_t)i * (size_t)r->n + (size_t)j], half + (size_t)i * (size_t)r->m);
  for (int i = 0; i < r->n; ++i) { /* row i of A T goes to all rows that unknown i depends on */
    const double *from = half + (size_t)i * (size_t)r->m;
    for (int k = 0; k < r->m; ++k) {
      const double t = r->free[i] >= 0 ? r->free[i] == k : r->row[(size_t)(-1 - r->free[i]) * (size_t)r->m + (size_t)k];
      for (int j = 0; j < r->m && t != 0; ++j) out[(size_t)k * (size_t)r->m + (size_t)j] += t * from[j];
    }
  }
  free(half);
  return out;
}

/* T^T (f - A u0) */
static double *reduced_force(const Reduction *r, const double *A, const double *f) {
  double *out = plain_room((size_t)r->m);
  for (int i = 0; i < r->n; ++i) {
    double v = f[i];
    for (int j = 0; j < r->n && A; ++j) v -= A[(size_t)i * (size_t)r->n + (size_t)j] * r->u0[j];
    scatter(r, i, v, out);
  }
  return out;
}

static void expand(const Reduction *r, const double *q, bool values, double *u) {
  for (int i = 0; i < r->n; ++i) {
    u[i] = values ? r->u0[i] : 0;
    if (r->free[i] >= 0) u[i] += q[r->free[i]];
    else
      for (int j = 0; j < r->m; ++j) u[i] += r->row[(size_t)(-1 - r->free[i]) * (size_t)r->m + (size_t)j] * q[j];
  }
}

/* s NULL: without reactions. */
static void results(const Plain *p, const PlainLoad *l, const PlainSystem *s, const double *u, PlainResult *out) {
  const int n = p->dim * p->n_node + p->n_rigid;
  memset(out, 0, sizeof *out);
  for (int i = 0; i < p->dim * p->n_node; ++i) {
    double r = s ? -s->f[i] : 0;
    for (int j = 0; j < n && s; ++j) {
      const size_t at = (size_t)i * (size_t)n + (size_t)j;
      r += (s->K[at] - s->S[at]) * u[j];
    }
    out->u[i / p->dim][i % p->dim] = u[i];
    out->reaction[i / p->dim][i % p->dim] = r;
    out->load[i % p->dim] += s ? s->f[i] : 0;
  }
  const int group = p->dim == 3 ? 6 : 3; /* unknowns of a rigid group: the forces come first */
  for (int k = 0; k < p->n_rigid && p->push; ++k)
    if (k % group < p->dim) out->load[k % group] += p->push[k];
  for (int e = 0; e < p->n_element; ++e) plain_element_results(p, e, l, u, out);
}

void plain_static(const Plain *p, const PlainLoad *load, PlainResult *out) {
  PlainSystem s = plain_assemble(p, load);
  Reduction r = reduce(p, s.n, true);
  double *K = reduced(&r, s.K), *q = reduced_force(&r, s.K, s.f), *u = plain_room((size_t)s.n);
  plain_solve(K, q, r.m, 1);
  expand(&r, q, true, u);
  results(p, load, &s, u, out);
  free(K), free(q), free(u), reduction_release(&r), plain_system_release(&s);
}

/* Lower triangle L of A = L L^T in place. */
static void cholesky(double *A, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double v = A[i * n + j];
      for (int k = 0; k < j; ++k) v -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = i == j ? sqrt(v) : v / A[j * n + j];
    }
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Eigenvalues of a symmetric matrix by Jacobi's turns, on its diagonal at the end. */
static void jacobi(double *A, int n) {
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0, all = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) all += A[i * n + j] * A[i * n + j], off += i == j ? 0 : A[i * n + j] * A[i * n + j];
    if (off <= 1e-26 * all) return;
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        if (A[i * n + j] == 0) continue;
        const double theta = (A[j * n + j] - A[i * n + i]) / (2 * A[i * n + j]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(1 + theta * theta)), c = 1 / sqrt(1 + t * t),
                     s = t * c;
        for (int k = 0; k < n; ++k) {
          const double x = A[k * n + i], y = A[k * n + j];
          A[k * n + i] = c * x - s * y, A[k * n + j] = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const double x = A[i * n + k], y = A[j * n + k];
          A[i * n + k] = c * x - s * y, A[j * n + k] = s * x + c * y;
        }
      }
  }
}

/* L^-1 A L^-T in place. */
static void between(const double *L, double *A, int m) {
  for (int turn = 0; turn < 2; ++turn) { /* L^-1 A, then the same of its transpose */
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) {
        for (int k = 0; k < i; ++k) A[i * m + j] -= L[i * m + k] * A[k * m + j];
        A[i * m + j] /= L[i * m + i];
      }
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < i; ++j) {
        const double t = A[i * m + j];
        A[i * m + j] = A[j * m + i], A[j * m + i] = t;
      }
  }
}

void plain_modes(const Plain *p, const PlainLoad *load, bool buckling, int n, double *out) {
  static PlainResult e;
  PlainSystem s = plain_assemble(p, load);
  Reduction r = reduce(p, s.n, false);
  const int m = r.m;
  double *G = plain_room((size_t)s.n * (size_t)s.n), *u = plain_room((size_t)s.n), *value = plain_room((size_t)m);
  if (load) {
    plain_static(p, load, &e);
    for (int i = 0; i < p->dim * p->n_node; ++i) u[i] = e.u[i / p->dim][i % p->dim];
    plain_stress_stiffness(p, load, u, s.n, G);
  }
  for (int i = 0; i < s.n * s.n; ++i) G[i] = buckling ? -G[i] : G[i] + s.K[i];
  double *A = reduced(&r, G), *L = reduced(&r, buckling ? s.K : s.M);
  cholesky(L, m);
  between(L, A, m);
  jacobi(A, m);
  for (int i = 0; i < m; ++i) value[i] = A[i * m + i];
  qsort(value, (size_t)m, sizeof *value, by_size);
  int first = 0;
  while (first < m && value[first] < 1e-9 * value[m - 1]) ++first;
  for (int k = 0; k < n; ++k) {
    if (buckling) out[k] = k < m && value[m - 1 - k] > 1e-9 * value[m - 1] ? 1 / value[m - 1 - k] : 0;
    else out[k] = first + k < m ? sqrt(value[first + k]) / (2 * M_PI) : 0;
  }
  free(A), free(L), free(G), free(u), free(value), reduction_release(&r), plain_system_release(&s);
}

typedef struct Motion {
  int m;
  double *K, *M, *C, *f, *u, *v, *a;
} Motion;

static void times(const double *A, const double *x, double factor, int m, double *y) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) y[i] += factor * A[i * m + j] * x[j];
}

/* One step of Chung and Hulbert's method: the unknown is the acceleration of the end. */
static void motion_step(Motion *w, double rho, double dt, double now, double end) {
  const int m = w->m;
  const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), g = 0.5 - am + af,
               b = 0.25 * (0.5 + g) * (0.5 + g);
  double *A = plain_room((size_t)m * (size_t)m), *rhs = plain_room((size_t)m), *u = plain_room((size_t)m),
         *v = plain_room((size_t)m);
  for (int i = 0; i < m * m; ++i) A[i] = (1 - am) * w->M[i] + (1 - af) * (g * dt * w->C[i] + b * dt * dt * w->K[i]);
  for (int i = 0; i < m; ++i) {
    rhs[i] = w->f[i] * (now + (1 - af) * dt) / end;
    u[i] = w->u[i] + dt * w->v[i] + dt * dt * (0.5 - b) * w->a[i]; /* without the new acceleration */
    v[i] = w->v[i] + dt * (1 - g) * w->a[i];
  }
  times(w->M, w->a, -am, m, rhs);
  times(w->C, v, -(1 - af), m, rhs), times(w->C, w->v, -af, m, rhs);
  times(w->K, u, -(1 - af), m, rhs), times(w->K, w->u, -af, m, rhs);
  plain_solve(A, rhs, m, 1);
  for (int i = 0; i < m; ++i) {
    w->u[i] = u[i] + b * dt * dt * rhs[i];
    w->v[i] = v[i] + g * dt * rhs[i];
    w->a[i] = rhs[i];
  }
  free(A), free(rhs), free(u), free(v);
}

/* The velocity of the start less what supports do not allow, row by row until nothing is left. */
static void first_velocity(const Plain *p, const double start[3], const Reduction *r, double *q) {
  double *v = plain_room((size_t)r->n);
  for (int i = 0; i < r->n; ++i) v[i] = start[i % p->dim];
  for (int turn = 0; turn < 2000; ++turn)
    for (int k = 0; k < p->n_row; ++k) {
      double along = 0, length = 0;
      for (int t = 0; t < p->row[k].n; ++t) {
        along += p->row[k].factor[t] * v[p->row[k].unknown[t]];
        length += p->row[k].factor[t] * p->row[k].factor[t];
      }
      for (int t = 0; t < p->row[k].n; ++t) v[p->row[k].unknown[t]] -= along / length * p->row[k].factor[t];
    }
  for (int i = 0; i < r->n; ++i)
    if (r->free[i] >= 0) q[r->free[i]] = v[i];
  free(v);
}

void plain_motion(const Plain *p, const PlainLoad *load, double rho, double alpha, double beta, const double start[3],
                  double end, int n, PlainResult *out) {
  PlainSystem s = plain_assemble(p, load);
  Reduction r = reduce(p, s.n, false);
  const int m = r.m;
  Motion w = {m,
              reduced(&r, s.K),
              reduced(&r, s.M),
              reduced(&r, s.C),
              reduced_force(&r, NULL, s.f),
              plain_room((size_t)m),
              plain_room((size_t)m),
              plain_room((size_t)m)};
  for (int i = 0; i < m * m; ++i) w.C[i] += alpha * w.M[i] + beta * w.K[i];
  first_velocity(p, start, &r, w.v);
  double *M = plain_room((size_t)m * (size_t)m);
  memcpy(M, w.M, (size_t)m * (size_t)m * sizeof *M);
  times(w.C, w.v, -1, m, w.a); /* no load and no displacement at t = 0 */
  plain_solve(M, w.a, m, 1);
  for (int k = 0; k < n; ++k) motion_step(&w, rho, end / n, end * k / n, end);
  double *u = plain_room((size_t)s.n);
  expand(&r, w.u, false, u);
  results(p, NULL, NULL, u, out);
  free(M), free(u), free(w.K), free(w.M), free(w.C), free(w.f), free(w.u), free(w.v), free(w.a);
  reduction_release(&r), plain_system_release(&s);
}

void plain_harmonic(const Plain *p, const PlainLoad *load, double frequency, double loss, PlainResult *real,
                    PlainResult *imaginary) {
  PlainSystem s = plain_assemble(p, load);
  Reduction r = reduce(p, s.n, true);
  const int m = r.m;
  const double omega = 2 * M_PI * frequency;
  double *K = reduced(&r, s.K), *M = reduced(&r, s.M), *C = reduced(&r, s.C), *u = plain_room((size_t)s.n);
  double *Z = plain_room((size_t)s.n * (size_t)s.n), *A = plain_room((size_t)(4 * m) * (size_t)m),
         *q = plain_room((size_t)(2 * m));
  for (int i = 0; i < s.n * s.n; ++i) Z[i] = s.K[i] - omega * omega * s.M[i];
  double *f = reduced_force(&r, Z, s.f);
  memset(Z, 0, (size_t)s.n * (size_t)s.n * sizeof *Z);
  for (int i = 0; i < s.n * s.n; ++i) Z[i] = loss * s.K[i] + omega * s.C[i];
  double *nothing = plain_room((size_t)s.n), *g = reduced_force(&r, Z, nothing);
  for (int i = 0; i < m; ++i) {
    q[i] = f[i], q[m + i] = g[i];
    for (int j = 0; j < m; ++j) {
      const double re = K[i * m + j] - omega * omega * M[i * m + j], im = loss * K[i * m + j] + omega * C[i * m + j];
      A[i * 2 * m + j] = A[(m + i) * 2 * m + m + j] = re;
      A[i * 2 * m + m + j] = -im, A[(m + i) * 2 * m + j] = im;
    }
  }
  plain_solve(A, q, 2 * m, 1);
  expand(&r, q, true, u);
  results(p, NULL, NULL, u, real);
  expand(&r, q + m, false, u);
  results(p, NULL, NULL, u, imaginary);
  free(K), free(M), free(C), free(u), free(Z), free(A), free(q), free(f), free(nothing), free(g);
  reduction_release(&r), plain_system_release(&s);
}

void plain_release(Plain *p) { free(p->row), free(p->push); }
