/* B = (S A S)^-1 by CHOLMOD: conjugate gradients with it are iterative refinement that minimises the error. The solve is
 * a row kernel of one row, which only a CPU can run. A matrix of a GPU comes to the CPU for its factor, and each residual
 * of a refinement goes there and back: nothing of that can be in a recorded loop. */
#include "algebra/graph/sparse_direct.h"
#include "core/host_memory.h"
#include "core/memory.h"
#include "solver/precond/precond_many.h"

#include <math.h>
#include <string.h>

typedef struct Direct {
  SparseDirect *direct;   /* owned, as is all here */
  int64_t *start, *place; /* columns of the upper triangle, and where their entries are in the matrix' values */
  int64_t *row;           /* of those */
  double *x;
  double *value;     /* the matrix' values where those of a GPU come to; else NULL */
  bool failed, told; /* the matrix is not positive definite: B = 1, with which conjugate gradients find where */
  bool told_indefinite;
} Direct;

static void direct_destroy(Precond *m) {
  Direct *p = m->own;
  if (!p) return;
  if (m->low != m->residual) exec_release(m->exec, m->n, sizeof(float), &m->low);
  exec_release(m->exec, m->n, precision_bytes(m->precision), &m->result);
  EXEC_RELEASE(m->exec, m->residual, m->n);
  sparse_direct_destroy(&p->direct);
  FREE(p->start);
  FREE(p->row);
  FREE(p->place);
  FREE(p->x);
  FREE(p->value);
  FREE(m->own);
}

/* Scalar (r, c) of pattern entry k in block row i. */
static int64_t place_of(const SlotMap *slots, int32_t B, int32_t i, int64_t k, int32_t r, int32_t c) {
  if (slots->per_scalar) return slots->slot[k * B * B + r * B + c];
  return slots->slot[k] + r * slots->row_step[slots->same_step ? 0 : i] + c * slots->column_step;
}

/* Rows of the lower triangle are columns of the upper one. */
static void list_entries(const Precond *m, Direct *p) {
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

/* What the factor takes is known before it is made. A fifth of what is free is left to the rest of the run. */
static Status check_room(const Precond *m, const Direct *p) {
  const double needed = sparse_direct_bytes(p->direct), room = host_memory_free();
  CHECK(!(room > 0) || needed <= 0.8 * room, ERR_MEMORY,
        "a direct solve of %lld equations takes %.2f GB for its factor of %.3g entries, and %.2f GB of memory are "
        "free\n  "
        "remedy: 'method: iterative', elements of lower order or fewer of them, or a machine with more memory",
        (long long)m->n, 1e-9 * needed, sparse_direct_entries(p->direct), 1e-9 * room);
  return OK;
}

static Status take_structure(const Precond *m, Direct *p) {
  const int64_t n = pattern_entries(m->pattern), B = m->pattern->block, most = (n + m->pattern->n) / 2 * B * B + B * B;
  ALLOC(p->place, most, "entries of a sparse factorisation");
  ALLOC(p->row, most, "entries of a sparse factorisation");
  ALLOC(p->start, m->n + 1, "columns of a sparse factorisation");
  ALLOC(p->x, m->n, "vector of a sparse factorisation");
  if (!exec_is_host(m->exec)) ALLOC(p->value, mat_slots(m->a)->n_value, "values of a sparse factorisation");
  TRY(pattern_fetch(m->pattern));
  TRY(slot_map_fetch(mat_slots(m->a)));
  list_entries(m, p);
  TRY(sparse_direct_create(m->n, (int32_t)B, p->start, p->row, &p->direct));
  return check_room(m, p);
}

/* Below other levels it works in their precision, else in double. */
static Status take_vectors(Precond *m) {
  if (!m->inner) m->precision = PRECISION_DOUBLE;
  m->storage = m->precision;
  EXEC_ALLOC(m->exec, m->residual, m->n, "preconditioner workspace");
  m->low = m->residual;
  if (m->precision == PRECISION_FLOAT) {
    m->low = NULL;
    TRY(exec_alloc(m->exec, m->n, sizeof(float), "preconditioner workspace", &m->low));
  }
  return exec_alloc(m->exec, m->n, precision_bytes(m->precision), "preconditioner workspace", &m->result);
}

static Status direct_create(Precond *m) {
  CHECK(sparse_direct_there(), ERR_INPUT, "a sparse factorisation ('%s'): %s", m->name, sparse_direct_why_not());
  CHECK(exec_is_host(m->exec) || !m->inner, ERR_INPUT,
        "a sparse factorisation below other levels solves on the CPU only\n  remedy: --backend cpu, or another "
        "preconditioner");
  CHECK(!m->pattern || !m->pattern->share.n_whole, ERR_INPUT,
        "a sparse factorisation ('%s'): %s\n  remedy: another preconditioner, or one process", m->name, m->type->alone);
  CHECK(m->pattern, ERR_BUG, "preconditioner '%s' uses the graph of the matrix, which was not provided", m->name);
  Direct *p = NULL;
  ALLOC(p, 1, "a sparse factorisation");
  m->own = p;
  TRY(take_vectors(m));
  TRY(take_structure(m, p));
  m->factor_entries = sparse_direct_entries(p->direct);
  return OK;
}

/* Beyond a limit or bifurcation point a tangent is indefinite, and so are some that Newton's method tries. */
static Status factor_indefinite(Precond *m, Direct *p) {
  const double needed = 16 * sparse_direct_entries(p->direct), room = host_memory_free();
  int64_t n_negative, n_zero;
  if (room > 0 && needed > 0.8 * room) return ERR_NUMERIC; /* as if it could not */
  status_clear();
  TRY(sparse_direct_factor_indefinite(p->direct, &n_negative, &n_zero));
  m->refines = true;
  if (!p->told_indefinite && !n_negative)
    status_warn(
        "a tangent is singular to its last digits: %lld motion%s no force, and how far they go is arbitrary\n  likely: "
        "a part that can move freely; elements of the reduced rule (hex20r, quad8r) in a row one element wide, which "
        "have motions without strain; or a limit point of the load\n  remedy: what is said of parts that can move "
        "freely, 'hex20' or 'quad8' (C3D20), two elements across, or a motion that is prescribed",
        (long long)(n_zero ? n_zero : 1), n_zero > 1 ? "s take" : " takes");
  if (!p->told_indefinite && n_negative)
    status_warn(
        "a tangent has %lld negative eigenvalue%s: where Newton's method ends with such a one, the equilibrium is not "
        "stable\n  the direct solver goes on, beyond a limit or bifurcation point",
        (long long)n_negative, n_negative == 1 ? "" : "s");
  p->told_indefinite = true;
  return OK;
}

static Status factor(Precond *m, Direct *p) {
  m->refines = !exec_is_host(m->exec);
  const Status status = sparse_direct_factor(p->direct);
  return status == ERR_NUMERIC && m->may_be_indefinite && !m->inner ? factor_indefinite(m, p) : status;
}

static Status take_values(const Precond *m, Direct *p, const void *values, const double *scale) {
  const double *value = values;
  const float *low = values;
  const bool is_float = mat_precision(m->a) == PRECISION_FLOAT;
  double *to = sparse_direct_values(p->direct);
  TRY(exec_sync(m->exec));
  for (int64_t j = 0; j < m->n; ++j)
    for (int64_t k = p->start[j]; k < p->start[j + 1]; ++k)
      to[k] = (is_float ? (double)low[p->place[k]] : value[p->place[k]]) * (scale[p->row[k]] * scale[j]);
  return OK;
}

static Status fetch_values(const Precond *m, Direct *p) {
  const size_t bytes = (size_t)mat_slots(m->a)->n_value * precision_bytes(mat_precision(m->a));
  TRY(exec_download(m->exec, p->value, mat_values(m->a), bytes));
  TRY(exec_download(m->exec, p->x, m->scale, (size_t)m->n * sizeof *p->x));
  return take_values(m, p, p->value, p->x);
}

static Status direct_setup(Precond *m) {
  Direct *p = m->own;
  TRY(exec_is_host(m->exec) ? take_values(m, p, mat_values(m->a), m->scale) : fetch_values(m, p));
  const Status status = factor(m, p);
  p->failed = status == ERR_NUMERIC && !m->must_be_definite && exec_is_host(m->exec);
  if (p->failed) {
    if (!p->told) status_warn("%s: conjugate gradients go on with its diagonal", status_message());
    status_clear();
    p->told = true;
  } else {
    TRY(status);
  }
  m->bound = m->max_eigenvalue = 1;
  m->products = 0;
  m->factor_entries = p->failed ? 0 : sparse_direct_entries(p->direct);
  m->factor_bytes = p->failed ? 0 : sparse_direct_bytes(p->direct);
  m->bytes = 2 * 8 * m->factor_entries;
  m->version += 1;
  return OK;
}

typedef struct DirectArgs {
  const Precond *m;
  Direct *p;
} DirectArgs;

/* Out of memory: conjugate gradients see NaN and stop. */
static void direct_range(const void *args, int64_t begin, int64_t end, double *sum) {
  const DirectArgs *a = args;
  const Precond *m = a->m;
  (void)sum;
  if (begin == end || m->krylov->stop) return;
  const bool is_float = m->precision == PRECISION_FLOAT;
  double *x = is_float ? a->p->x : m->result;
  if (a->p->failed) {
    memcpy(x, m->residual, (size_t)m->n * sizeof *x);
  } else if (sparse_direct_solve(a->p->direct, 1, m->residual, x) != OK) {
    status_clear();
    for (int64_t i = 0; i < m->n; ++i) x[i] = HUGE_VAL - HUGE_VAL;
  }
  for (int64_t i = 0; i < m->n && is_float; ++i) ((float *)m->result)[i] = (float)x[i];
}

/* r.z, which those below do not need. */
static void direct_sum_range(const void *args, int64_t begin, int64_t end, double *sum) {
  const Precond *m = ((const DirectArgs *)args)->m;
  for (int64_t i = begin; i < end && !m->krylov->stop; ++i) sum[0] += m->residual[i] * ((const double *)m->result)[i];
}
static void direct_sum_finish(const void *args, const double *sum) {
  const Precond *m = ((const DirectArgs *)args)->m;
  if (!m->krylov->stop) krylov_step(m->krylov, KRYLOV_BETA, sum);
}

static Status solve_for_gpu(const Precond *m, Direct *p) {
  const size_t bytes = (size_t)m->n * sizeof *p->x;
  TRY(exec_download(m->exec, p->x, m->residual, bytes));
  TRY(sparse_direct_solve(p->direct, 1, p->x, p->x));
  return exec_upload(m->exec, m->result, p->x, bytes);
}

static Status direct_record(Precond *m) {
  static const RowKernel solve = {"direct", 0, sizeof(DirectArgs), direct_range, NULL};
  static const RowKernel add = {"direct_sum", 1, sizeof(DirectArgs), direct_sum_range, direct_sum_finish};
  const DirectArgs args = {m, m->own};
  if (!exec_is_host(m->exec)) return solve_for_gpu(m, m->own);
  TRY(exec_rows(m->exec, &solve, &args, 1));
  return m->inner || m->refines ? OK : exec_rows(m->exec, &add, &args, m->n);
}

/* ---- several vectors at once: the factor is read once for all of them ---- */

typedef struct DirectMany {
  double *column; /* owned, [room][n]: the vectors one after the other, and then the answers */
} DirectMany;

static const char *many_obstacle(const Precond *m) {
  if (m->inner) return "a factor below other levels works on one vector at a time";
  if (!exec_is_host(m->exec)) return "a factor for a GPU works on one vector at a time";
  return m->may_be_indefinite ? "a factor of what may be indefinite is followed by refinement, of one vector at a time"
                              : NULL;
}

static Status many_create(PrecondMany *many) {
  DirectMany *own = NULL;
  ALLOC(own, 1, "a factor for several vectors");
  many->own = own;
  ALLOC(own->column, many->m->n * many->room, "vectors of a factor");
  return OK;
}

static void many_destroy(PrecondMany *many) {
  DirectMany *own = many->own;
  if (own) FREE(own->column);
  FREE(many->own);
}

static void *many_low(const PrecondMany *many) {
  (void)many;
  return NULL;
}

typedef struct DirectManyArgs {
  const Precond *m;
  double *column;
  PrecondManyCall call;
} DirectManyArgs;

static void many_solve(const DirectManyArgs *a, int64_t k) {
  const Precond *m = a->m;
  const Direct *p = m->own;
  double *x = a->call.result;
  for (int64_t c = 0; c < k; ++c)
    for (int64_t i = 0; i < m->n; ++i) a->column[c * m->n + i] = a->call.residual[i * k + c];
  const bool fine = p->failed || sparse_direct_solve(p->direct, k, a->column, a->column) == OK;
  if (!fine) status_clear(); /* out of memory: as for one vector */
  for (int64_t c = 0; c < k; ++c)
    for (int64_t i = 0; i < m->n; ++i) x[i * k + c] = fine ? a->column[c * m->n + i] : HUGE_VAL - HUGE_VAL;
}

static void many_range(const void *args, int64_t begin, int64_t end, double *sum) {
  const DirectManyArgs *a = args;
  KrylovMany *many = a->call.many;
  const int64_t k = (int64_t)1 << a->call.shift;
  (void)sum;
  if (begin == end || many->stop) return;
  many_solve(a, k);
  if (!a->call.sums) return;
  for (int32_t c = 0; c < k; ++c) {
    double both = 0;
    for (int64_t i = 0; i < a->m->n; ++i) both += a->call.residual[i * k + c] * ((double *)a->call.result)[i * k + c];
    many_column(many, c, KRYLOV_BETA, both);
  }
  many_close(many);
}

static Status many_record(PrecondMany *many, const PrecondManyCall *call) {
  static const RowKernel solve = {"direct_many", 0, sizeof(DirectManyArgs), many_range, NULL};
  const DirectManyArgs args = {many->m, ((DirectMany *)many->own)->column, *call};
  return exec_rows(many->m->exec, &solve, &args, 1);
}

static double many_bytes(const PrecondMany *many, int32_t shift) {
  return many->m->bytes + 4.0 * (double)(1 << shift) * (double)many->m->n * 8;
}

static const PrecondManyType direct_many = {many_obstacle, many_create, many_destroy, many_low,
                                            many_record,   many_bytes,  NULL};

/* Nothing can be more careful. */
static Status direct_raise(Precond *m, double factor) {
  (void)m, (void)factor;
  return OK;
}

const PrecondType direct_precond = {.graph = true,
                                    .host = true,
                                    .alone = "it factors the matrix as a whole, which ranks share",
                                    .create = direct_create,
                                    .destroy = direct_destroy,
                                    .setup = direct_setup,
                                    .record = direct_record,
                                    .raise = direct_raise,
                                    .many = &direct_many};
