/* Polynomial preconditioners B = s(A') on the scaled matrix A' = S A S, stored in float (mixed) or double.
 * One three-term recurrence serves all of them,
 *   x_1 = c r,  x_(k+1) = x_k + a_k (x_k - x_(k-1)) + b_k (r - A' x_k),
 * where one step is one product that reads the matrix, x_k, x_(k-1) and r and writes one vector over x_(k-1).
 * Least squares (Johnson, Micchelli and Paul 1983; Saad 1985; papers/polynomial-pcg-sbell-elasticity): with the weight
 * t^(-1/2) (b - t)^(-1/2) on (0, b) it is the 4th-kind Chebyshev polynomial (Lottes 2023),
 *   c = 4/3, a_k = (2k - 1)/(2k + 3), b_k = (8k + 4)/(2k + 3) for b = 1.
 * The bound b of the spectrum is divided out of S, so that the coefficients are constants and raising the bound needs no
 * new recording: M only changes by a constant factor.
 * Bytes per application of degree d with matrix bytes A and n unknowns of size T: (d - 1) A + (2 + 3 + 4 (d - 3)) n T. */
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
  void *x[2];
  double *fold;
  double c, a[DEGREE_MAX], b[DEGREE_MAX];
} Polynomial;

static size_t scalar_size(const Precond *m) {
  return m->precision == PRECISION_FLOAT ? sizeof(float) : sizeof(double);
}

static void polynomial_destroy(Precond *m) {
  Polynomial *p = m->own;
  if (!p) return;
  mat_destroy(&p->scaled);
  for (int i = 0; i < 2; ++i) exec_release(m->exec, m->n, scalar_size(m), &p->x[i]);
  exec_release(m->exec, m->n, scalar_size(m), &m->residual);
  EXEC_RELEASE(m->exec, p->fold, spectrum_fold_size(m->n));
  FREE(m->own);
}

static Status polynomial_create(Precond *m) {
  if (m->degree == 0) m->degree = DEGREE_DEFAULT;
  if (m->bound_factor <= 0) m->bound_factor = BOUND_FACTOR;
  CHECK(m->degree >= DEGREE_MIN && m->degree <= DEGREE_MAX, ERR_INPUT,
        "degree of the preconditioner is %d, must lie in [%d, %d]; degree 1 is 'jacobi'", m->degree, DEGREE_MIN,
        DEGREE_MAX);
  Polynomial *p = NULL;
  ALLOC(p, 1, "a polynomial preconditioner");
  m->own = p;
  TRY(mat_create_like(m->a, m->precision, &p->scaled));
  for (int i = 0; i < 2; ++i)
    TRY(exec_alloc(m->exec, m->n, scalar_size(m), "preconditioner workspace", &p->x[i]));
  TRY(exec_alloc(m->exec, m->n, scalar_size(m), "preconditioner workspace", &m->residual));
  EXEC_ALLOC(m->exec, p->fold, spectrum_fold_size(m->n), "preconditioner workspace");
  m->result = p->x[m->degree % 2];
  m->products = m->degree - 1;
  const double vectors = m->degree == 2 ? 2 : 5 + 4 * (m->degree - 3);
  m->bytes = (double)m->products * (double)mat_bytes(p->scaled) + vectors * (double)m->n * (double)scalar_size(m);
  return OK;
}

static Status times_scale(Precond *m, double factor) {
  return exec_rows(m->exec, &times_kernel, &(TimesArgs){m->scale, factor}, m->n);
}

/* The bound: 1.05 times the Lanczos estimate, but never more than the largest row sum, which is a strict bound. */
static Status polynomial_setup(Precond *m) {
  Polynomial *p = m->own;
  TRY(mat_scale(m->a, m->scale, p->scaled));
  const SpectrumWork work = {{p->x[0], p->x[1], m->residual}, p->fold, m->krylov};
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

/* Step 1 finds x_1 = c r in r; step 2 has x_1 = c r as the vector before; from step 3 on all vectors are there. */
static Status polynomial_record(Precond *m) {
  const Polynomial *p = m->own;
  for (int32_t k = 1; k < m->degree; ++k) {
    void *to = p->x[(k + 1) % 2], *from = p->x[k % 2];
    ProductArgs args = {.w = to, .b = m->residual, .stop = &m->krylov->stop, .krylov = m->krylov, .step = KRYLOV_BETA};
    if (k == 1) {
      args.v = m->residual;
      args.c0 = -p->b[1] * p->c;
      args.c1 = (1 + p->a[1]) * p->c + p->b[1];
      if (m->degree > 2) args.b = NULL;
    } else {
      args.v = from;
      args.c0 = -p->b[k];
      args.c1 = 1 + p->a[k];
      args.c3 = p->b[k] - (k == 2 ? p->a[2] * p->c : 0);
      if (k > 2) {
        args.u = to;
        args.c2 = -p->a[k];
      }
    }
    TRY(mat_product(p->scaled, k + 1 == m->degree ? MAT_COMBINE_DOT : MAT_COMBINE, &args));
  }
  return OK;
}

static Status least_squares_create(Precond *m) {
  TRY(polynomial_create(m));
  Polynomial *p = m->own;
  p->c = 4.0 / 3;
  for (int32_t k = 1; k < m->degree; ++k) {
    p->a[k] = (2.0 * k - 1) / (2.0 * k + 3);
    p->b[k] = (8.0 * k + 4) / (2.0 * k + 3);
  }
  return OK;
}

const PrecondType least_squares_precond = {.create = least_squares_create, .destroy = polynomial_destroy,
                                           .setup = polynomial_setup, .record = polynomial_record,
                                           .raise = polynomial_raise};
