#include "algebra/graph/sparse_direct.h"
#include "core/memory.h"

#ifdef SINEW_WITH_CHOLMOD
#include <cholmod.h>
#include <string.h>

struct SparseDirect {
  cholmod_common common;
  cholmod_sparse *a; /* owned, as is all below */
  cholmod_factor *factor;
  cholmod_dense *b, *x, *y, *e; /* b is the right-hand side; y and e are workspaces that CHOLMOD keeps */
};

bool sparse_direct_there(void) { return true; }
const char *sparse_direct_why_not(void) { return ""; }

static Status sparse_direct_answer(const SparseDirect *d, const char *doing) {
  const int status = d->common.status;
  if (status == CHOLMOD_OK || status == CHOLMOD_DSMALL) return OK;
  if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
    return FAIL(ERR_MEMORY, "CHOLMOD ran out of memory while %s a matrix of %lld rows\n  remedy: 'below: amg'", doing,
                (long long)d->a->nrow);
  if (status == CHOLMOD_NOT_POSDEF)
    return FAIL(ERR_NUMERIC,
                "CHOLMOD finds the matrix not positive definite at column %lld: a part that can move freely?",
                (long long)(d->factor ? d->factor->minor : 0));
  return FAIL(ERR_BUG, "CHOLMOD returned %d while %s a matrix", status, doing);
}

static Status sparse_direct_analyse(SparseDirect *d, int64_t n, const int64_t *start, const int64_t *row) {
  d->a = cholmod_l_allocate_sparse((size_t)n, (size_t)n, (size_t)start[n], 1, 1, 1, CHOLMOD_REAL, &d->common);
  d->b = cholmod_l_allocate_dense((size_t)n, 1, (size_t)n, CHOLMOD_REAL, &d->common);
  CHECK(d->a && d->b, ERR_MEMORY, "out of memory for a sparse factorisation of %lld rows", (long long)n);
  for (int64_t j = 0; j <= n; ++j) ((SuiteSparse_long *)d->a->p)[j] = start[j];
  for (int64_t k = 0; k < start[n]; ++k) ((SuiteSparse_long *)d->a->i)[k] = row[k];
  d->factor = cholmod_l_analyze(d->a, &d->common);
  return sparse_direct_answer(d, "ordering");
}

Status sparse_direct_create(int64_t n, const int64_t *start, const int64_t *row, SparseDirect **out) {
  *out = NULL;
  SparseDirect *d = NULL;
  ALLOC(d, 1, "a sparse factorisation");
  cholmod_l_start(&d->common);
  d->common.print = 0;
  const Status status = sparse_direct_analyse(d, n, start, row);
  if (status != OK) sparse_direct_destroy(&d);
  *out = d;
  return status;
}

void sparse_direct_destroy(SparseDirect **direct) {
  SparseDirect *d = *direct;
  if (!d) return;
  cholmod_l_free_sparse(&d->a, &d->common);
  cholmod_l_free_factor(&d->factor, &d->common);
  cholmod_l_free_dense(&d->b, &d->common);
  cholmod_l_free_dense(&d->x, &d->common);
  cholmod_l_free_dense(&d->y, &d->common);
  cholmod_l_free_dense(&d->e, &d->common);
  cholmod_l_finish(&d->common);
  FREE(*direct);
}

Status sparse_direct_factor(SparseDirect *d, const double *value) {
  memcpy(d->a->x, value, (size_t)((const SuiteSparse_long *)d->a->p)[d->a->ncol] * sizeof *value);
  cholmod_l_factorize(d->a, d->factor, &d->common);
  return sparse_direct_answer(d, "factorising");
}

Status sparse_direct_solve(SparseDirect *d, const double *b, double *x) {
  const size_t bytes = d->a->nrow * sizeof *b;
  memcpy(d->b->x, b, bytes);
  cholmod_l_solve2(CHOLMOD_A, d->factor, d->b, NULL, &d->x, NULL, &d->y, &d->e, &d->common);
  TRY(sparse_direct_answer(d, "solving with"));
  memcpy(x, d->x->x, bytes);
  return OK;
}

double sparse_direct_entries(const SparseDirect *d) { return d->common.lnz; }

#else

bool sparse_direct_there(void) { return false; }
const char *sparse_direct_why_not(void) {
  return "this Sinew was built without CHOLMOD (apt-get install libsuitesparse-dev, then build again)";
}
Status sparse_direct_create(int64_t n, const int64_t *start, const int64_t *row, SparseDirect **out) {
  (void)n, (void)start, (void)row;
  *out = NULL;
  return FAIL(ERR_INPUT, "%s", sparse_direct_why_not());
}
void sparse_direct_destroy(SparseDirect **direct) { *direct = NULL; }
Status sparse_direct_factor(SparseDirect *direct, const double *value) {
  (void)direct, (void)value;
  return FAIL(ERR_INPUT, "%s", sparse_direct_why_not());
}
Status sparse_direct_solve(SparseDirect *direct, const double *b, double *x) {
  (void)direct, (void)b, (void)x;
  return FAIL(ERR_INPUT, "%s", sparse_direct_why_not());
}
double sparse_direct_entries(const SparseDirect *direct) {
  (void)direct;
  return 0;
}
#endif
