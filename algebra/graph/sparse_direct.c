#include "algebra/graph/sparse_direct.h"
#include "core/memory.h"

#ifdef SINEW_WITH_CHOLMOD
#include <cholmod.h>
#include <math.h>
#include <metis.h>
#include <string.h>

struct SparseDirect {
  cholmod_common common;
  cholmod_sparse *a; /* owned, as is all below */
  cholmod_factor *factor;
  cholmod_factor *symmetric; /* L D L^T, made when it is first needed; NULL: not yet */
  bool indefinite;           /* the last factorisation is that one */
  cholmod_dense *x, *y, *e;  /* workspaces that CHOLMOD keeps */
  double entries, bytes;
};

#define WHAT "a sparse factorisation"

/* OpenBLAS with threads of its own adds up in an order that depends on their number, and they spin between the small fronts. */
__attribute__((weak)) void openblas_set_num_threads(int n);
static void one_thread(void) {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
}

bool sparse_direct_there(void) { return true; }
const char *sparse_direct_why_not(void) { return ""; }

static Status sparse_direct_answer(const SparseDirect *d, const char *doing) {
  const int status = d->common.status;
  if (status == CHOLMOD_OK || status == CHOLMOD_DSMALL) return OK;
  if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
    return FAIL(ERR_MEMORY, "CHOLMOD ran out of memory while %s a matrix of %lld rows", doing, (long long)d->a->nrow);
  if (status == CHOLMOD_NOT_POSDEF)
    return FAIL(ERR_NUMERIC, "the factorisation finds the matrix not positive definite in equation %lld",
                (long long)sparse_direct_failed(d));
  return FAIL(ERR_BUG, "CHOLMOD returned %d while %s a matrix", status, doing);
}

/* The graph of the blocks, without loops, as METIS takes it, and the order that it finds. Owned. */
typedef struct BlockAdjacency {
  int64_t *start;
  idx_t *to, *first, *old, *new;
} BlockAdjacency;

static void adjacency_release(BlockAdjacency *g) {
  FREE(g->start);
  FREE(g->to);
  FREE(g->first);
  FREE(g->old);
  FREE(g->new);
}

/* Calls for each pair of different blocks that couple; the last column of a block has all rows of those before it. */
#define EACH_PAIR(i, j)                                                                                                \
  for (int64_t i = 0, j; i < n_block; ++i)                                                                             \
    for (int64_t k = start[(i + 1) * block - 1]; (j = row[k] / block) < i; k += block)

static Status adjacency_find(int64_t n_block, int32_t block, const int64_t *start, const int64_t *row,
                             BlockAdjacency *g) {
  ALLOC(g->start, n_block + 2, WHAT);
  ALLOC(g->first, n_block + 1, WHAT);
  ALLOC(g->old, n_block, WHAT);
  ALLOC(g->new, n_block, WHAT);
  int64_t *next = g->start + 1; /* where the next one of a block goes, and at the end where the block ends */
  EACH_PAIR(i, j) next[i + 1] += 1, next[j + 1] += 1;
  for (int64_t i = 0; i < n_block; ++i) next[i + 1] += next[i];
  if (next[n_block] > INT32_MAX) return OK; /* more than METIS holds */
  for (int64_t i = 0; i <= n_block; ++i) g->first[i] = (idx_t)next[i];
  ALLOC(g->to, next[n_block], WHAT);
  EACH_PAIR(i, j) {
    g->to[next[i]++] = (idx_t)j;
    g->to[next[j]++] = (idx_t)i;
  }
  return OK;
}

/* *order [n], old by new, of all rows; NULL where METIS is not asked. */
static Status dissect(int64_t n, int32_t block, const int64_t *start, const int64_t *row, int64_t **order) {
  enum { FEW = 200 };
  idx_t n_block = (idx_t)(n / block), options[METIS_NOPTIONS];
  BlockAdjacency g = {0};
  Status status = OK;
  if (n_block < FEW || n / block > INT32_MAX) return OK;
  TRY_DONE(adjacency_find(n_block, block, start, row, &g));
  if (!g.to || g.first[n_block] == 0) goto done;
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  if (METIS_NodeND(&n_block, g.first, g.to, NULL, options, g.old, g.new) != METIS_OK)
    goto done; /* CHOLMOD's own then */
  ALLOC_DONE(*order, n, WHAT);
  for (int64_t i = 0; i < n; ++i) (*order)[i] = (int64_t)g.old[i / block] * block + i % block;
done:
  adjacency_release(&g);
  return status;
}

/* Of the structure: the largest update of a supernode, and the matrix in the order of the factor, stand beside the factor while it
 * is made. */
static void sparse_direct_foresee(SparseDirect *d) {
  const cholmod_factor *f = d->factor;
  d->entries = d->common.lnz;
  d->bytes = f->is_super ? 8. * ((double)f->xsize + (double)f->maxcsize + (double)f->ssize)
                         : 16 * d->common.lnz + 8. * (double)f->n;
  d->bytes += 8. * 8 * (double)f->n + 16. * (double)d->a->nzmax;
}

static Status sparse_direct_analyse(SparseDirect *d, int64_t n, int32_t block, const int64_t *start,
                                    const int64_t *row) {
  d->a = cholmod_l_allocate_sparse((size_t)n, (size_t)n, (size_t)start[n], 1, 1, 1, CHOLMOD_REAL, &d->common);
  CHECK(d->a, ERR_MEMORY, "out of memory for " WHAT " of %lld rows", (long long)n);
  for (int64_t j = 0; j <= n; ++j) ((SuiteSparse_long *)d->a->p)[j] = start[j];
  for (int64_t k = 0; k < start[n]; ++k) ((SuiteSparse_long *)d->a->i)[k] = row[k];
  int64_t *order = NULL;
  TRY(dissect(n, block, start, row, &order));
  d->common.nmethods = 1;
  d->common.method[0].ordering = order ? CHOLMOD_GIVEN : CHOLMOD_AMD;
  d->factor = cholmod_l_analyze_p(d->a, (SuiteSparse_long *)order, NULL, 0, &d->common);
  FREE(order);
  TRY(sparse_direct_answer(d, "ordering"));
  sparse_direct_foresee(d);
  return OK;
}

Status sparse_direct_create(int64_t n, int32_t block, const int64_t *start, const int64_t *row, SparseDirect **out) {
  *out = NULL;
  SparseDirect *d = NULL;
  ALLOC(d, 1, WHAT);
  one_thread();
  cholmod_l_start(&d->common);
  d->common.print = 0;
  d->common.final_ll = 1; /* L D L^T would not see that a matrix is not positive definite */
  const Status status = sparse_direct_analyse(d, n, block, start, row);
  if (status != OK) sparse_direct_destroy(&d);
  *out = d;
  return status;
}

void sparse_direct_destroy(SparseDirect **direct) {
  SparseDirect *d = *direct;
  if (!d) return;
  cholmod_l_free_sparse(&d->a, &d->common);
  cholmod_l_free_factor(&d->factor, &d->common);
  cholmod_l_free_factor(&d->symmetric, &d->common);
  cholmod_l_free_dense(&d->x, &d->common);
  cholmod_l_free_dense(&d->y, &d->common);
  cholmod_l_free_dense(&d->e, &d->common);
  cholmod_l_finish(&d->common);
  FREE(*direct);
}

double *sparse_direct_values(SparseDirect *d) { return d->a->x; }

Status sparse_direct_factor(SparseDirect *d) {
  d->indefinite = false;
  cholmod_l_factorize(d->a, d->factor, &d->common);
  return sparse_direct_answer(d, "factorising");
}

int64_t sparse_direct_failed(const SparseDirect *d) {
  const cholmod_factor *f = d->indefinite ? d->symmetric : d->factor;
  return f && f->minor < f->n ? ((const SuiteSparse_long *)f->Perm)[f->minor] : -1;
}

/* The symbolic factor, with the ordering of the other one, whose numbers go. */
static Status symmetric_create(SparseDirect *d) {
  cholmod_common *c = &d->common;
  c->supernodal = CHOLMOD_SIMPLICIAL;
  c->final_ll = 0;
  c->method[0].ordering = CHOLMOD_GIVEN;
  if (!d->symmetric) d->symmetric = cholmod_l_analyze_p(d->a, d->factor->Perm, NULL, 0, c);
  if (d->factor->xtype != CHOLMOD_PATTERN)
    cholmod_l_change_factor(CHOLMOD_PATTERN, 0, d->factor->is_super, 0, 0, d->factor, c);
  return sparse_direct_answer(d, "ordering");
}

static void pivots_count(const cholmod_factor *f, int64_t *n_negative, int64_t *n_zero) {
  static const double SMALL = 1e-12; /* of the largest */
  const SuiteSparse_long *start = f->p;
  const double *value = f->x;
  double largest = 0;
  for (size_t j = 0; j < f->n; ++j) largest = fmax(largest, fabs(value[start[j]]));
  for (size_t j = 0; j < f->n; ++j) {
    *n_negative += value[start[j]] < -SMALL * largest;
    *n_zero += fabs(value[start[j]]) <= SMALL * largest;
  }
}

Status sparse_direct_factor_indefinite(SparseDirect *d, int64_t *n_negative, int64_t *n_zero) {
  cholmod_common *c = &d->common;
  const int supernodal = c->supernodal;
  Status status = symmetric_create(d);
  if (status == OK) cholmod_l_factorize(d->a, d->symmetric, c);
  c->supernodal = supernodal;
  c->final_ll = 1;
  d->indefinite = status == OK;
  if (status == OK) status = sparse_direct_answer(d, "factorising");
  *n_negative = *n_zero = 0;
  if (status == OK) pivots_count(d->symmetric, n_negative, n_zero);
  return status;
}

Status sparse_direct_solve(SparseDirect *d, int64_t k, const double *b, double *x) {
  const size_t n = d->a->nrow;
  double *own = NULL;
  memcpy(&own, &b, sizeof own); /* CHOLMOD only reads it, and does not say so */
  cholmod_dense of = {.nrow = n, .ncol = (size_t)k, .nzmax = n * (size_t)k, .d = n, .x = own, .xtype = CHOLMOD_REAL};
  cholmod_l_solve2(CHOLMOD_A, d->indefinite ? d->symmetric : d->factor, &of, NULL, &d->x, NULL, &d->y, &d->e,
                   &d->common);
  TRY(sparse_direct_answer(d, "solving with"));
  memcpy(x, d->x->x, n * (size_t)k * sizeof *x);
  return OK;
}

double sparse_direct_entries(const SparseDirect *d) { return d->entries; }
double sparse_direct_bytes(const SparseDirect *d) { return d->bytes; }

#else

bool sparse_direct_there(void) { return false; }
const char *sparse_direct_why_not(void) {
  return "this Sinew was built without CHOLMOD (apt-get install libsuitesparse-dev, then build again)";
}
Status sparse_direct_create(int64_t n, int32_t block, const int64_t *start, const int64_t *row, SparseDirect **out) {
  (void)n, (void)block, (void)start, (void)row;
  *out = NULL;
  return FAIL(ERR_INPUT, "%s", sparse_direct_why_not());
}
void sparse_direct_destroy(SparseDirect **direct) { *direct = NULL; }
double *sparse_direct_values(SparseDirect *direct) { return (double *)direct; }
Status sparse_direct_factor(SparseDirect *direct) {
  (void)direct;
  return FAIL(ERR_INPUT, "%s", sparse_direct_why_not());
}
Status sparse_direct_factor_indefinite(SparseDirect *direct, int64_t *n_negative, int64_t *n_zero) {
  *n_negative = *n_zero = 0;
  return sparse_direct_factor(direct);
}
int64_t sparse_direct_failed(const SparseDirect *direct) {
  (void)direct;
  return -1;
}
Status sparse_direct_solve(SparseDirect *direct, int64_t k, const double *b, double *x) {
  (void)direct, (void)k, (void)b, (void)x;
  return FAIL(ERR_INPUT, "%s", sparse_direct_why_not());
}
double sparse_direct_entries(const SparseDirect *direct) {
  (void)direct;
  return 0;
}
double sparse_direct_bytes(const SparseDirect *direct) {
  (void)direct;
  return 0;
}
#endif
