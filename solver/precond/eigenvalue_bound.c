/* Lanczos process (Lanczos 1950; Golub and Van Loan, section 10.1) with vectors that are not normalised, so that a step
 * is two launches: the product with its dot, and the next vector with its norm. */
#include "solver/precond/eigenvalue_bound.h"
#include "algebra/rows.h"
#include "core/comm.h"
#include "solver/precond/rows.h"

#include <math.h>

enum { FOLD = 256 };

/* Where the maxima of all turns lie one after the other, down to a single one. */
int64_t eigenvalue_bound_fold_size(int64_t n) {
  int64_t size = 0;
  do size += n = (n + FOLD - 1) / FOLD;
  while (n > 1);
  return size;
}

/* Eigenvalues of the tridiagonal matrix below x: negative pivots of T - x I. */
static int32_t count_below(int32_t n, const double *alpha, const double *beta, double x) {
  int32_t count = 0;
  double pivot = 1;
  for (int32_t i = 0; i < n; ++i) {
    const double b = i ? beta[i - 1] : 0;
    pivot = alpha[i] - x - (i ? b * b / pivot : 0);
    if (pivot == 0) pivot = 1e-300;
    if (pivot < 0) ++count;
  }
  return count;
}

double tridiagonal_eigenvalue(int32_t n, const double *alpha, const double *beta, int32_t k) {
  double low = INFINITY, high = -INFINITY;
  for (int32_t i = 0; i < n; ++i) {
    const double radius = (i ? fabs(beta[i - 1]) : 0) + (i + 1 < n ? fabs(beta[i]) : 0);
    low = fmin(low, alpha[i] - radius);
    high = fmax(high, alpha[i] + radius);
  }
  for (int turn = 0; turn < 200; ++turn) {
    const double middle = 0.5 * (low + high);
    if (!(middle > low && middle < high)) break;
    if (count_below(n, alpha, beta, middle) > k) high = middle;
    else low = middle;
  }
  return 0.5 * (low + high);
}

/* Leaves it at *out, on the Exec, so that nothing waits for it. */
static Status largest_row_sum(const Mat *a, const EigenvalueBoundWork *work, const double **out) {
  const RowKernel *fold = mat_precision(a) != PRECISION_DOUBLE ? &fold_f_kernel : &fold_d_kernel;
  const void *from = work->v[0];
  double *to = work->fold;
  int64_t n = mat_rows(a);
  TRY(mat_product(a, MAT_ABS, &(ProductArgs){.w = work->v[0]}));
  do {
    const int64_t m = (n + FOLD - 1) / FOLD;
    TRY(exec_rows(mat_exec(a), fold, &(FoldArgs){from, to, n, m}, m));
    *out = to;
    from = to;
    to += m;
    n = m;
    fold = &fold_d_kernel;
  } while (n > 1);
  return OK;
}

Status eigenvalue_bound_estimate(const Mat *a, int32_t steps, const EigenvalueBoundWork *work, EigenvalueBound *out) {
  Exec *exec = mat_exec(a);
  const bool small = mat_precision(a) != PRECISION_DOUBLE;
  const int64_t n = mat_rows(a);
  CHECK(steps >= 1 && steps <= LANCZOS_MAX, ERR_BUG, "%d Lanczos steps, at most %d", steps, LANCZOS_MAX);
  const double *row_sum = NULL;
  TRY(largest_row_sum(a, work, &row_sum));
  void *t = work->v[1], *last = work->v[2];
  LanczosArgs args = {.last = t, .k = work->krylov, .first = mat_first(a)};
  TRY(exec_rows(exec, small ? &lanczos_start_f_kernel : &lanczos_start_d_kernel, &args, n));
  TRY(exec_zero(exec, last, (size_t)n * (small ? sizeof(float) : sizeof(double))));
  for (int32_t k = 0; k < steps; ++k) {
    TRY(mat_product(a, MAT_DOT,
                    &(ProductArgs){.v = t, .w = work->v[0], .step = KRYLOV_LANCZOS, .krylov = work->krylov}));
    args = (LanczosArgs){.last = last, .t = t, .w = work->v[0], .k = work->krylov};
    TRY(exec_rows(exec, small ? &lanczos_next_f_kernel : &lanczos_next_d_kernel, &args, n));
    void *swap = t;
    t = last;
    last = swap;
  }
  Krylov host;
  TRY(exec_download(exec, &host, work->krylov, sizeof host));
  TRY(exec_download(exec, &out->row_sum, row_sum, sizeof *row_sum));
  TRY(comm_most(exec->comm, &out->row_sum));
  const int32_t done = host.lanczos_n % LANCZOS_OVER;
  out->lanczos = tridiagonal_eigenvalue(done, host.lanczos_alpha, host.lanczos_beta, done - 1);
  out->lanczos_min = tridiagonal_eigenvalue(done, host.lanczos_alpha, host.lanczos_beta, 0);
  return OK;
}
