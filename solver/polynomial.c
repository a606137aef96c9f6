/* Polynomial preconditioners B = s(A') on the scaled matrix A' = S A S, stored in double, float (mixed), half or int8.
 * With R_k(t) = 1 - t s_k(t) a three-term recurrence serves all of them,
 *   r_1 = r_0 - c A' r_0,  r_(k+1) = r_k + a_k (r_k - r_(k-1)) - b_k A' r_k,  B r_0 = z = sum of w_j r_j, j < degree.
 * One step is one product that reads the matrix, r_k and r_(k-1) and writes r_(k+1) over r_(k-1); z takes three terms at a
 * time, when all of them are at hand.
 * In float the neighbours' values of r_0 are read from a float copy, but its own value, wherever it appears, in double:
 * with r_0 rounded CG loses its way 1e-7 below the start. quad4 200 x 200 under its weight, degree 8, to 1e-7, -8, -9:
 * all double 175 188 200 iterations, this 175 188 242, r_0 in float 207 232 263. (The recurrence for x_k itself, which the
 * paper suggests, moves as many bytes and is no better.) Rejected too: Polak-Ribiere's beta, alpha from r.p: no change.
 * Least squares (Johnson, Micchelli and Paul 1983; Saad 1985; papers/polynomial-pcg-sbell-elasticity): with the weight
 * t^(-1/2) (b - t)^(-1/2) on (0, b) it is the 4th-kind Chebyshev polynomial (Lottes 2023),
 *   c = 4/3, a_k = (2k - 1)/(2k + 3), b_k = (8k + 4)/(2k + 3) for b = 1.
 * The bound b of the spectrum is divided out of S, so that the coefficients are constants and raising the bound needs no
 * new recording: M only changes by a constant factor.
 * Bytes per application: (degree - 1) times the matrix, and the vectors as vector_traffic() counts them. */
#include "core/memory.h"
#include "solver/precond.h"
#include "solver/rows.h"
#include "solver/spectrum.h"

#include <math.h>

enum { DEGREE_MIN = 2, DEGREE_MAX = 64, DEGREE_DEFAULT = 8, LANCZOS_STEPS = 15 };
/* 15 Lanczos steps find 98 % of the largest eigenvalue and more. */
static const double BOUND_FACTOR = 1.05;

typedef struct Polynomial {
  Mat *scaled;
  void *r[2];   /* r_(k+1) lies in r[k % 2]; r_0 is the residual */
  double *fold;
  double a[DEGREE_MAX], b[DEGREE_MAX]; /* b_0 = c, a_0 = 0 */
  double w[DEGREE_MAX];
} Polynomial;

static size_t scalar_size(const Precond *m) {
  return m->precision == PRECISION_FLOAT ? sizeof(float) : sizeof(double);
}

static void polynomial_destroy(Precond *m) {
  Polynomial *p = m->own;
  if (!p) return;
  mat_destroy(&p->scaled);
  for (int i = 0; i < 2; ++i) exec_release(m->exec, m->n, scalar_size(m), &p->r[i]);
  if (m->low != m->residual) exec_release(m->exec, m->n, scalar_size(m), &m->low);
  EXEC_RELEASE(m->exec, m->residual, m->n);
  exec_release(m->exec, m->n, scalar_size(m), &m->result);
  EXEC_RELEASE(m->exec, p->fold, spectrum_fold_size(m->n));
  FREE(m->own);
}

/* Step k makes r_(k+1) of r_k and r_(k-1). It adds to z when r_(k-1) is the first term that z lacks, or at the end. */
static bool adds_terms(int32_t k, int32_t degree, int32_t pending) { return pending == k - 1 || k + 2 == degree; }

/* Bytes of vectors per unknown that one application reads and writes: r_0 in double in steps 0, 1 and the last. */
static double vector_bytes(int32_t degree, size_t size) {
  size_t bytes = 0;
  int32_t pending = 0;
  for (int32_t k = 0; k + 1 < degree; ++k) {
    const bool last = k + 2 == degree;
    if (k == 0 && size != sizeof(double)) bytes += size;
    if (k < 2 || last) bytes += sizeof(double);
    if (k > 0) bytes += size;
    if (k > 1) bytes += size;
    if (!last) bytes += size;
    if (!adds_terms(k, degree, pending)) continue;
    bytes += (pending ? 2 : 1) * size;
    pending = k + 2;
  }
  return (double)bytes;
}

static Status polynomial_create(Precond *m) {
  if (m->bound_factor <= 0) m->bound_factor = BOUND_FACTOR;
  CHECK(m->degree >= DEGREE_MIN && m->degree <= DEGREE_MAX, ERR_INPUT,
        "degree of the preconditioner is %d, must lie in [%d, %d]; degree 1 is 'jacobi'", m->degree, DEGREE_MIN,
        DEGREE_MAX);
  Polynomial *p = NULL;
  ALLOC(p, 1, "a polynomial preconditioner");
  m->own = p;
  TRY(mat_create_like(m->a, m->storage, &p->scaled));
  for (int i = 0; i < 2; ++i)
    TRY(exec_alloc(m->exec, m->n, scalar_size(m), "preconditioner workspace", &p->r[i]));
  EXEC_ALLOC(m->exec, m->residual, m->n, "preconditioner workspace");
  m->low = m->residual;
  if (m->precision == PRECISION_FLOAT) {
    m->low = NULL;
    TRY(exec_alloc(m->exec, m->n, scalar_size(m), "preconditioner workspace", &m->low));
  }
  TRY(exec_alloc(m->exec, m->n, scalar_size(m), "preconditioner workspace", &m->result));
  EXEC_ALLOC(m->exec, p->fold, spectrum_fold_size(m->n), "preconditioner workspace");
  m->products = m->degree - 1;
  m->bytes = (double)m->products * (double)mat_bytes(p->scaled) + vector_bytes(m->degree, scalar_size(m)) * (double)m->n;
  return OK;
}

static Status times_scale(Precond *m, double factor) {
  return exec_rows(m->exec, &times_kernel, &(TimesArgs){m->scale, factor}, m->n);
}

/* The bound: 1.05 times the Lanczos estimate, but never more than the largest row sum, which is a strict bound. */
static Status polynomial_setup(Precond *m) {
  Polynomial *p = m->own;
  TRY(mat_scale(m->a, m->scale, p->scaled));
  const SpectrumWork work = {{p->r[0], p->r[1], m->low}, p->fold, m->krylov};
  Spectrum spectrum;
  TRY(spectrum_estimate(p->scaled, LANCZOS_STEPS, &work, &spectrum));
  m->bound = fmin(m->bound_factor * spectrum.lanczos, spectrum.row_sum);
  /* the diagonal is 1, so is the mean of the spectrum; a bound that is none (NaN in the matrix) is found by PCG */
  if (!(m->bound > 0) || !isfinite(m->bound)) m->bound = 1;
  TRY(times_scale(m, 1 / sqrt(m->bound)));
  return mat_scale(m->a, m->scale, p->scaled);
}

static Status polynomial_raise(Precond *m, double factor) {
  Polynomial *p = m->own;
  m->bound *= factor;
  TRY(times_scale(m, 1 / sqrt(factor)));
  return mat_scale(m->a, m->scale, p->scaled);
}

/* r_k is v, r_(k-1) is u, except r_0, which is b. */
static Status polynomial_record(Precond *m) {
  const Polynomial *p = m->own;
  int32_t pending = 0;
  for (int32_t k = 0; k + 1 < m->degree; ++k) {
    const bool last = k + 2 == m->degree;
    ProductArgs args = {.v = k ? p->r[(k + 1) % 2] : m->low, .w = last ? NULL : p->r[k % 2], .c0 = -p->b[k],
                        .b = m->residual, .stop = &m->krylov->stop, .krylov = m->krylov, .step = KRYLOV_BETA};
    *(k ? &args.c1 : &args.c3) = 1 + p->a[k];
    if (k) *(k > 1 ? &args.c2 : &args.c3) = -p->a[k];
    if (k > 1) args.u = p->r[k % 2];
    if (adds_terms(k, m->degree, pending)) {
      args.z = m->result;
      args.e0 = pending > 0;
      if (k && pending == k - 1) *(k > 1 ? &args.e1 : &args.e4) = p->w[k - 1];
      if (pending <= k) *(k ? &args.e2 : &args.e4) = p->w[k];
      args.e3 = p->w[k + 1];
      pending = k + 2;
    }
    TRY(mat_product(p->scaled, last ? MAT_COMBINE_DOT : MAT_COMBINE, &args));
  }
  return OK;
}

/* w_j from x_(k+1) = x_k + a_k (x_k - x_(k-1)) + b_k r_k, x_0 = 0, with x written as a sum of r_j. */
static void find_weights(Polynomial *p, int32_t degree) {
  double last[DEGREE_MAX] = {0};
  for (int32_t j = 0; j < DEGREE_MAX; ++j) p->w[j] = 0;
  for (int32_t k = 0; k < degree; ++k) {
    for (int32_t j = 0; j < k; ++j) {
      const double w = p->w[j];
      p->w[j] += p->a[k] * (w - last[j]);
      last[j] = w;
    }
    p->w[k] = p->b[k];
  }
}

static Status least_squares_create(Precond *m) {
  TRY(polynomial_create(m));
  Polynomial *p = m->own;
  p->b[0] = 4.0 / 3;
  for (int32_t k = 1; k < m->degree; ++k) {
    p->a[k] = (2.0 * k - 1) / (2.0 * k + 3);
    p->b[k] = (8.0 * k + 4) / (2.0 * k + 3);
  }
  find_weights(p, m->degree);
  return OK;
}

const PrecondType least_squares_precond = {.degree_max = DEGREE_MAX, .degree_default = DEGREE_DEFAULT, .create = least_squares_create, .destroy = polynomial_destroy,
                                           .setup = polynomial_setup, .record = polynomial_record,
                                           .raise = polynomial_raise};
