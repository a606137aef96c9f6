/* B = (S A S)^-1 by CHOLMOD. The solve is a row kernel of one row, which only a CPU can run. */
#include "solver/multigrid/pmg_direct.h"
#include "core/memory.h"
#include "solver/multigrid/multigrid_rows.h"
#include "algebra/graph/sparse_direct.h"

#include <math.h>

typedef struct PmgDirect {
  SparseDirect *direct; /* owned, as is all here */
  int64_t *start, *row,
      *place; /* columns of the upper triangle, rows of its entries, and where they are in the matrix' values */
  double *value, *x;
} PmgDirect;

static void pmg_direct_destroy(Precond *m) {
  PmgDirect *p = m->own;
  if (!p) return;
  if (m->low != m->residual) exec_release(m->exec, m->n, sizeof(float), &m->low);
  exec_release(m->exec, m->n, precision_bytes(m->precision), &m->result);
  EXEC_RELEASE(m->exec, m->residual, m->n);
  sparse_direct_destroy(&p->direct);
  FREE(p->start);
  FREE(p->row);
  FREE(p->place);
  FREE(p->value);
  FREE(p->x);
  FREE(m->own);
}

/* Scalar (r, c) of pattern entry k in block row i. */
static int64_t place_of(const SlotMap *slots, int32_t B, int32_t i, int64_t k, int32_t r, int32_t c) {
  if (slots->per_scalar) return slots->slot[k * B * B + r * B + c];
  return slots->slot[k] + r * slots->row_step[slots->same_step ? 0 : i] + c * slots->column_step;
}

/* Rows of the lower triangle are columns of the upper one. */
static void list_entries(const Precond *m, PmgDirect *p) {
  const Pattern *pattern = m->pattern;
  const int32_t B = pattern->block;
  int64_t n = 0;
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int32_t r = 0; r < B; ++r) {
      const int64_t scalar = (int64_t)i * B + r;
      for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        for (int32_t c = 0; c < B; ++c) {
          const int64_t column = (int64_t)pattern->column[k] * B + c;
          if (column > scalar) continue;
          p->row[n] = column;
          p->place[n++] = place_of(mat_slots(m->a), B, i, k, r, c);
        }
      p->start[scalar + 1] = n;
    }
}

static Status take_structure(const Precond *m, PmgDirect *p) {
  const int64_t n = pattern_entries(m->pattern), B = m->pattern->block, most = (n + m->pattern->n) / 2 * B * B + B * B;
  ALLOC(p->place, most, "entries of a sparse factorisation");
  ALLOC(p->value, most, "entries of a sparse factorisation");
  ALLOC(p->row, most, "entries of a sparse factorisation");
  ALLOC(p->start, m->n + 1, "columns of a sparse factorisation");
  ALLOC(p->x, m->n, "vector of a sparse factorisation");
  TRY(pattern_fetch(m->pattern));
  TRY(slot_map_fetch(mat_slots(m->a)));
  list_entries(m, p);
  return sparse_direct_create(m->n, p->start, p->row, &p->direct);
}

static Status pmg_direct_create(Precond *m) {
  CHECK(sparse_direct_there(), ERR_INPUT, "'below: " PMG_DIRECT_NAME "': %s\n  remedy: 'below: amg'",
        sparse_direct_why_not());
  CHECK(exec_is_host(m->exec), ERR_INPUT,
        "'below: " PMG_DIRECT_NAME "' solves on the CPU only\n  remedy: 'below: amg' on a GPU, or --backend cpu");
  CHECK(!m->pattern || !m->pattern->share.n_whole, ERR_INPUT,
        "'below: " PMG_DIRECT_NAME "' factors the matrix of linear elements as a whole, which ranks share\n  remedy: "
        "'below: amg', or one process");
  CHECK(m->pattern && mat_precision(m->a) == PRECISION_DOUBLE, ERR_BUG,
        "a sparse factorisation needs a pattern and doubles");
  PmgDirect *p = NULL;
  ALLOC(p, 1, "a sparse factorisation");
  m->own = p;
  m->storage = m->precision;
  EXEC_ALLOC(m->exec, m->residual, m->n, "preconditioner workspace");
  m->low = m->residual;
  if (m->precision == PRECISION_FLOAT) {
    m->low = NULL;
    TRY(exec_alloc(m->exec, m->n, sizeof(float), "preconditioner workspace", &m->low));
  }
  TRY(exec_alloc(m->exec, m->n, precision_bytes(m->precision), "preconditioner workspace", &m->result));
  return take_structure(m, p);
}

static Status pmg_direct_setup(Precond *m) {
  PmgDirect *p = m->own;
  const double *value = mat_values(m->a);
  TRY(exec_sync(m->exec));
  for (int64_t j = 0; j < m->n; ++j)
    for (int64_t k = p->start[j]; k < p->start[j + 1]; ++k)
      p->value[k] = value[p->place[k]] * (m->scale[p->row[k]] * m->scale[j]);
  TRY_CONTEXT(sparse_direct_factor(p->direct, p->value), "while setting up 'below: " PMG_DIRECT_NAME "'");
  m->bound = m->max_eigenvalue = 1;
  m->products = 0;
  m->bytes = 2 * 8 * sparse_direct_entries(p->direct);
  m->version += 1;
  return OK;
}

typedef struct DirectArgs {
  const Precond *m;
  PmgDirect *p;
} DirectArgs;

static void direct_range(const void *args, int64_t begin, int64_t end, double *sum) {
  const DirectArgs *a = args;
  const Precond *m = a->m;
  if (begin == end || m->krylov->stop) return;
  if (sparse_direct_solve(a->p->direct, m->residual, a->p->x) !=
      OK) { /* out of memory: conjugate gradients see NaN and stop */
    status_clear();
    for (int64_t i = 0; i < m->n; ++i) a->p->x[i] = HUGE_VAL - HUGE_VAL;
  }
  const int is_float = m->precision == PRECISION_FLOAT;
  for (int64_t i = 0; i < m->n; ++i) {
    hd_store(m->result, i, a->p->x[i], is_float);
    sum[0] += m->residual[i] * hd_load(m->result, i, is_float);
  }
}

static void direct_finish(const void *args, const double *sum) {
  const Precond *m = ((const DirectArgs *)args)->m;
  if (!m->inner && !m->krylov->stop) krylov_step(m->krylov, KRYLOV_BETA, sum);
}

static Status pmg_direct_record(Precond *m) {
  static const RowKernel kernel = {"pmg_direct", 1, sizeof(DirectArgs), direct_range, direct_finish};
  const DirectArgs args = {m, m->own};
  return exec_rows(m->exec, &kernel, &args, 1);
}

/* Nothing can be more careful. */
static Status pmg_direct_raise(Precond *m, double factor) {
  (void)m, (void)factor;
  return OK;
}

const PrecondType pmg_direct_precond = {.graph = true,
                                        .ranks = true, /* says so itself */
                                        .create = pmg_direct_create,
                                        .destroy = pmg_direct_destroy,
                                        .setup = pmg_direct_setup,
                                        .record = pmg_direct_record,
                                        .raise = pmg_direct_raise};
