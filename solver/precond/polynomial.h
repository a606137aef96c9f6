/* Polynomial preconditioners B = s(A') on the scaled matrix A' = S A S: one engine (polynomial.c) for all of them. A
 * kind is a file that says what its recurrence is and what a user may set; start from neumann.c, the shortest. */
#pragma once
#include "solver/precond/precond.h"
#include "solver/precond/eigenvalue_bound.h"

enum { POLYNOMIAL_DEGREE_MAX = 64, POLYNOMIAL_DEGREE = 8 };

/* R_k(t) = 1 - t s_k(t) for a spectrum in (0, 1]:
 *   R_0 = 1, R_1 = R_0 - b_0 t R_0, R_(k+1) = R_k + a_k (R_k - R_(k-1)) - b_k t R_k, k < degree; a_0 = 0. */
typedef struct PolynomialSteps {
  double a[POLYNOMIAL_DEGREE_MAX], b[POLYNOMIAL_DEGREE_MAX];
} PolynomialSteps;

/* Fills steps for k < m->degree. `lower`: smallest Ritz value over the bound of the spectrum, in (0, 1); 0 before it is
 * known, or where m->lanczos_steps asked for none. ERR_INPUT where parameters do not go together. */
typedef Status (*PolynomialFind)(const Precond *m, double lower, PolynomialSteps *steps);

/* Parameters that every kind has, at the end of its table. */
/* clang-format off */
#define POLYNOMIAL_PARAM_BOUND                                                                                         \
  {"bound", "1", 0, false, 0, 1e6, false, false,                                                                       \
   "upper bound of the scaled matrix' spectrum, at least 1; 0: estimated by 15 Lanczos steps"}
/* clang-format on */

typedef struct PolynomialKind {
  PolynomialFind find;
  int32_t bound;   /* index of POLYNOMIAL_PARAM_BOUND */
  int32_t lanczos; /* index of a number of Lanczos steps for `lower`; -1: the kind needs none */
} PolynomialKind;

/* For PrecondType. create is called by the kind's own with its description, which is kept. */
Status polynomial_create(Precond *m, const PolynomialKind *kind);
void polynomial_destroy(Precond *m);
Status polynomial_setup(Precond *m);
Status polynomial_record(Precond *m);
Status polynomial_raise(Precond *m, double factor);

/* The vectors of one application, in the layout of the products that it is made of. */
typedef struct PolynomialVectors {
  const double *residual;
  const void *low; /* the residual in float, or the same */
  void *r[2], *result;
  int8_t *extra[2], *result_extra; /* NULL with vectors in double */
} PolynomialVectors;
bool precond_is_polynomial(const Precond *m);
/* Product k of degree - 1 of one application, with the matrix m->stored: operation, factors and vectors. stop, krylov
 * and step are the caller's to set; *pending is 0 before k = 0. */
MatOp polynomial_step(const Precond *m, const PolynomialVectors *v, int32_t k, int32_t *pending, ProductArgs *out);
/* Bytes of vectors per unknown that one application reads and writes; size: of a scalar in them. */
double polynomial_vector_bytes(int32_t degree, size_t size);
#define POLYNOMIAL_FUNCTIONS                                                                                           \
  .bounded = true, .ranks = true, .degree_max = POLYNOMIAL_DEGREE_MAX, .degree_default = POLYNOMIAL_DEGREE,            \
  .destroy = polynomial_destroy, .setup = polynomial_setup, .record = polynomial_record, .raise = polynomial_raise

/* R_degree(t), t relative to the bound. */
double polynomial_residual(const PolynomialSteps *steps, int32_t degree, double t);
