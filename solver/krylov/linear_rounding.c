/* What rounding alone leaves of a residual. Each product a_ij x_j and each x_j is rounded by up to eps / 2 of itself;
 * as rounding errors are independent in the mean, |fl(b - A x) - (b - A x)| is about eps sqrt(sum_ij a_ij^2 x_j^2) (the
 * rule of thumb of Higham, Accuracy and Stability of Numerical Algorithms, 2002). With signs s_j that look random, |A
 * (s x)|^2 is that sum in the mean: one product and no matrix of squares. */
#include "core/memory.h"
#include "solver/krylov/linear_solver.h"

#include <float.h>
#include <math.h>

/* A bit of a number that has no pattern (the finalizer of splitmix64): the same signs for any executor. */
static bool odd_hash(uint64_t i) {
  i = (i + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  i = (i ^ i >> 27) * 0x94d049bb133111ebu;
  return (i >> 40) & 1;
}

Status linear_rounding(LinearSolver *s, const double *b, const double *x, double norm_b, double *relative) {
  const int64_t n = s->pcg.n, n_read = mat_columns(s->a);
  const size_t bytes = (size_t)n * sizeof(double);
  double *host = NULL, *turned = NULL;
  *relative = 0;
  ALLOC(host, n, "the solution with other signs");
  Status status = exec_alloc(s->exec, n_read, sizeof *turned, "the solution with other signs", (void **)&turned);
  if (status == OK) status = exec_download(s->exec, host, x, bytes);
  for (int64_t i = 0; status == OK && i < n; ++i)
    if (odd_hash((uint64_t)(mat_first(s->a) + i))) host[i] = -host[i];
  if (status == OK) status = exec_upload(s->exec, turned, host, bytes);
  if (status == OK) status = exec_sync(s->exec);
  if (status == OK) status = pcg_residual(&s->pcg, b, turned);
  if (status == OK) *relative = DBL_EPSILON * sqrt(s->pcg.host.sum[0]) / norm_b;
  EXEC_RELEASE(s->exec, turned, n_read);
  FREE(host);
  return status;
}
