/* The engine of the polynomial preconditioners B = s(A') on the scaled matrix A' = S A S, stored in double, float
 * (mixed), half or int8. With R_k(t) = 1 - t s_k(t) a three-term recurrence serves all kinds (their files say which),
 *   r_1 = r_0 - b_0 A' r_0,  r_(k+1) = r_k + a_k (r_k - r_(k-1)) - b_k A' r_k,  B r_0 = z = sum of w_j r_j, j < degree.
 * One step is one product that reads the matrix, r_k and r_(k-1) and writes r_(k+1) over r_(k-1); z takes three terms
 * at a time, when all of them are at hand. Degree d is that of R: an application takes d - 1 products (degree 1 none: B
 * = 1). With vectors in float only what the neighbours read is rounded to float; an own value keeps 8 bits more
 * (extra_bits.h), that of r_0 is double, and copies in low precision sum in double. Rounded to float, CG loses its way 1e-7
 * below the start: the rounding of a neighbour passes A', which takes off its smooth part, that of an own value reaches
 * z as it is and is raised s(0)-fold. Figures, and what was rejected: docs/theory/precision.md.
 * The bound b of the spectrum is divided out of S, so that the coefficients are constants and raising the bound needs
 * no new recording: M only changes by a constant factor. Derivations: docs/theory/polynomial.md.
 * Bytes per application: (degree - 1) times the matrix, and the vectors as polynomial_vector_bytes() counts them. */
#include "solver/precond/polynomial.h"
#include "core/memory.h"
#include "algebra/mat_format.h"
#include "algebra/rows.h"
#include "solver/precond/rows.h"

#include <math.h>
#include <string.h>

enum { LANCZOS_STEPS = 15 };
/* 15 Lanczos steps find 98 % of the largest eigenvalue and more. */
static const double BOUND_FACTOR = 1.05;
/* What storing a matrix in float can add to a strict bound of its spectrum. */
static const double FLOAT_ROOM = 1 + 1e-5;

typedef struct Polynomial {
  const PolynomialKind *kind;
  double given;     /* bound that the user gave, raised as needed; 0: none */
  Mat *scaled;      /* NULL for degree 1 */
  void *r[2];       /* r_(k+1) lies in r[k % 2]; r_0 is the residual */
  int8_t *extra[2]; /* more bits of r, with vectors in float */
  double *fold;
  PolynomialSteps steps;
  double w[POLYNOMIAL_DEGREE_MAX];
} Polynomial;

void polynomial_destroy(Precond *m) {
  Polynomial *p = m->own;
  if (!p) return;
  mat_destroy(&p->scaled);
  for (int i = 0; i < 2; ++i) exec_release(m->exec, mat_columns(m->a), precision_bytes(m->precision), &p->r[i]);
  if (m->low != m->residual) exec_release(m->exec, mat_columns(m->a), precision_bytes(m->precision), &m->low);
  if (m->result != m->residual) exec_release(m->exec, m->n, precision_bytes(m->precision), &m->result);
  for (int i = 0; i < 2; ++i) EXEC_RELEASE(m->exec, p->extra[i], m->n);
  EXEC_RELEASE(m->exec, m->extra, m->n);
  EXEC_RELEASE(m->exec, m->residual, mat_columns(m->a));
  EXEC_RELEASE(m->exec, p->fold, eigenvalue_bound_fold_size(m->n));
  FREE(m->own);
}

double polynomial_residual(const PolynomialSteps *steps, int32_t degree, double t) {
  double r = 1, last = 1;
  for (int32_t k = 0; k < degree; ++k) {
    const double next = r + steps->a[k] * (r - last) - steps->b[k] * t * r;
    last = r;
    r = next;
  }
  return r;
}

static double polynomial_gain(const Precond *m, double t) {
  const Polynomial *p = m->own;
  return (1 - polynomial_residual(&p->steps, m->degree, t)) / t;
}

/* Largest 1 - R on (0, 1], by a grid that is dense at both ends, where R turns most. */
static double largest_eigenvalue(const PolynomialSteps *steps, int32_t degree) {
  const int32_t n = 32 * degree;
  double largest = 0;
  for (int32_t i = 1; i <= n; ++i) {
    const double s = sin(0.5 * M_PI * i / n);
    largest = fmax(largest, 1 - polynomial_residual(steps, degree, s * s));
  }
  return largest;
}

/* w_j from x_(k+1) = x_k + a_k (x_k - x_(k-1)) + b_k r_k, x_0 = 0, with x written as a sum of r_j. */
static void find_weights(const PolynomialSteps *steps, int32_t degree, double w[POLYNOMIAL_DEGREE_MAX]) {
  double last[POLYNOMIAL_DEGREE_MAX] = {0};
  for (int32_t j = 0; j < POLYNOMIAL_DEGREE_MAX; ++j) w[j] = 0;
  for (int32_t k = 0; k < degree; ++k) {
    for (int32_t j = 0; j < k; ++j) {
      const double now = w[j];
      w[j] += steps->a[k] * (now - last[j]);
      last[j] = now;
    }
    w[k] = steps->b[k];
  }
}

/* Coefficients of the kind; a loop that was recorded with others is void. */
static Status find_steps(Precond *m, double lower) {
  Polynomial *p = m->own;
  PolynomialSteps steps = {0};
  TRY(p->kind->find(m, lower, &steps));
  if (!memcmp(&steps, &p->steps, sizeof steps)) return OK;
  p->steps = steps;
  find_weights(&steps, m->degree, p->w);
  m->max_eigenvalue = m->degree > 1 ? largest_eigenvalue(&steps, m->degree) : 0;
  m->version += 1;
  return OK;
}

/* Step k makes r_(k+1) of r_k and r_(k-1). It adds to z when r_(k-1) is the first term that z lacks, or at the end. */
static bool adds_terms(int32_t k, int32_t degree, int32_t pending) { return pending == k - 1 || k + 2 == degree; }

/* Bytes of vectors per unknown that one application reads and writes: r_0 in double in steps 0, 1 and the last; floats
 * with one byte more. */
double polynomial_vector_bytes(int32_t degree, size_t size) {
  size_t bytes = 0;
  int32_t pending = 0;
  for (int32_t k = 0; k + 1 < degree; ++k) {
    const bool last = k + 2 == degree;
    const size_t own = size == sizeof(double) ? size : size + 1;
    if (k == 0 && size != sizeof(double)) bytes += size;
    if (k < 2 || last) bytes += sizeof(double);
    if (k > 0) bytes += own;
    if (k > 1) bytes += own;
    if (!last) bytes += own;
    if (!adds_terms(k, degree, pending)) continue;
    bytes += (pending ? 2 : 1) * own;
    pending = k + 2;
  }
  return (double)bytes;
}

static Status take_workspaces(Precond *m) {
  Polynomial *p = m->own;
  const int64_t n_read = mat_columns(m->a);
  EXEC_ALLOC(m->exec, m->residual, n_read, "preconditioner workspace");
  m->low = m->residual;
  m->products = m->degree - 1;
  m->wants_strict = m->degree > 1 && !(p->given > 0);
  if (m->degree == 1) {
    m->precision = PRECISION_DOUBLE;
    m->result = m->residual;
    m->bytes = sizeof(double) * (double)m->n;
    return OK;
  }
  TRY(mat_create_like(m->a, m->storage, &p->scaled));
  mat_sum_in_double(p->scaled, true);
  TRY(precond_use_blocks(m));
  m->stored = p->scaled;
  m->gain = polynomial_gain;
  for (int i = 0; i < 2; ++i)
    TRY(exec_alloc(m->exec, n_read, precision_bytes(m->precision), "preconditioner workspace", &p->r[i]));
  if (m->precision == PRECISION_FLOAT) {
    m->low = NULL;
    TRY(exec_alloc(m->exec, n_read, precision_bytes(m->precision), "preconditioner workspace", &m->low));
    for (int i = 0; i < 2; ++i) EXEC_ALLOC(m->exec, p->extra[i], m->n, "preconditioner workspace");
    EXEC_ALLOC(m->exec, m->extra, m->n, "preconditioner workspace");
  }
  TRY(exec_alloc(m->exec, m->n, precision_bytes(m->precision), "preconditioner workspace", &m->result));
  EXEC_ALLOC(m->exec, p->fold, eigenvalue_bound_fold_size(m->n), "preconditioner workspace");
  m->bytes = (double)m->products * (double)mat_bytes(p->scaled) +
             polynomial_vector_bytes(m->degree, precision_bytes(m->precision)) * (double)m->n + precond_block_bytes(m);
  return OK;
}

Status polynomial_create(Precond *m, const PolynomialKind *kind) {
  const double given = m->value[kind->bound];
  if (m->bound_factor <= 0) m->bound_factor = BOUND_FACTOR;
  CHECK(given == 0 || given >= 1, ERR_INPUT,
        "bound is %g, must be at least 1: the scaled matrix has a unit diagonal, so its largest eigenvalue is not "
        "less; 0 or "
        "no bound lets it be estimated",
        given);
  Polynomial *p = NULL;
  ALLOC(p, 1, "a polynomial preconditioner");
  m->own = p;
  p->kind = kind;
  p->given = given;
  TRY(find_steps(m, 0));
  return take_workspaces(m);
}

static Status times_scale(Precond *m, double factor) {
  return exec_rows(m->exec, &times_kernel, &(TimesArgs){m->scale, factor}, m->n);
}

/* The bound: as given, or 1.05 times the Lanczos estimate but never more than the largest row sum and the bound of the
 * elements where that is known, which are strict. */
static Status find_bound(Precond *m) {
  Polynomial *p = m->own;
  const int32_t wanted = p->kind->lanczos >= 0 ? (int32_t)m->value[p->kind->lanczos] : 0;
  m->bound = p->given;
  m->estimate = 0;
  if (p->given > 0 && !wanted) return OK;
  const EigenvalueBoundWork work = {{p->r[0], p->r[1], m->low}, p->fold, m->krylov};
  EigenvalueBound estimate;
  TRY(eigenvalue_bound_estimate(p->scaled, wanted && (p->given > 0 || wanted > LANCZOS_STEPS) ? wanted : LANCZOS_STEPS,
                                &work, &estimate));
  m->estimate = estimate.lanczos;
  if (!(p->given > 0)) m->bound = fmin(m->bound_factor * estimate.lanczos, estimate.row_sum);
  /* a copy in low precision is another matrix: its own row sums are strict, the elements' bound is not */
  if (!(p->given > 0) && m->strict > 0 && !precision_is_low(m->storage))
    m->bound = fmin(m->bound, FLOAT_ROOM * m->strict);
  /* the diagonal is 1, so is the mean of the spectrum; a bound that is none (NaN in the matrix) is found by PCG */
  if (!(m->bound > 0) || !isfinite(m->bound)) m->bound = 1;
  const double lower = estimate.lanczos_min / m->bound;
  return wanted ? find_steps(m, lower > 0 && lower < 1 ? lower : 0) : OK;
}

Status polynomial_setup(Precond *m) {
  Polynomial *p = m->own;
  if (m->degree == 1) return OK;
  TRY(precond_scale(m, p->scaled));
  TRY(find_bound(m));
  TRY(times_scale(m, 1 / sqrt(m->bound)));
  return precond_scale(m, p->scaled);
}

Status polynomial_raise(Precond *m, double factor) {
  Polynomial *p = m->own;
  if (m->degree == 1) return OK;
  m->bound *= factor;
  if (p->given > 0) p->given = m->bound;
  TRY(times_scale(m, 1 / sqrt(factor)));
  return precond_scale(m, p->scaled);
}

bool precond_is_polynomial(const Precond *m) { return m->type->record == polynomial_record; }

/* r_k is v, r_(k-1) is u, except r_0, which is b. */
MatOp polynomial_step(const Precond *m, const PolynomialVectors *v, int32_t k, int32_t *pending, ProductArgs *out) {
  const Polynomial *p = m->own;
  const double *a = p->steps.a, *b = p->steps.b;
  const bool last = k + 2 == m->degree;
  ProductArgs args = {
      .v = k ? v->r[(k + 1) % 2] : v->low, .w = last ? NULL : v->r[k % 2], .c0 = -b[k], .b = v->residual};
  *(k ? &args.c1 : &args.c3) = 1 + a[k];
  if (k) *(k > 1 ? &args.c2 : &args.c3) = -a[k];
  args.w_extra = last ? NULL : v->extra[k % 2];
  if (k) args.v_extra = v->extra[(k + 1) % 2];
  if (k > 1) {
    args.u = v->r[k % 2];
    args.u_extra = v->extra[k % 2];
  }
  if (adds_terms(k, m->degree, *pending)) {
    args.z = v->result;
    args.z_extra = v->result_extra;
    args.e0 = *pending > 0;
    if (k && *pending == k - 1) *(k > 1 ? &args.e1 : &args.e4) = p->w[k - 1];
    if (*pending <= k) *(k ? &args.e2 : &args.e4) = p->w[k];
    args.e3 = p->w[k + 1];
    *pending = k + 2;
  }
  *out = args;
  return last ? MAT_COMBINE_DOT : MAT_COMBINE;
}

Status polynomial_record(Precond *m) {
  const Polynomial *p = m->own;
  if (m->degree == 1)
    return exec_rows(m->exec, &polynomial_one_kernel, &(PolynomialOneArgs){m->residual, m->krylov}, m->n);
  const PolynomialVectors v = {m->residual, m->low, {p->r[0], p->r[1]}, m->result, {p->extra[0], p->extra[1]},
                               m->extra};
  TRY(precond_record_forward(m));
  int32_t pending = 0;
  for (int32_t k = 0; k + 1 < m->degree; ++k) {
    ProductArgs args;
    const MatOp op = polynomial_step(m, &v, k, &pending, &args);
    args.stop = &m->krylov->stop;
    args.krylov = m->krylov;
    args.step = KRYLOV_BETA;
    TRY(mat_product(p->scaled, op, &args));
  }
  return precond_record_back(m);
}
