/* Symmetric successive over-relaxation in colours (Young 1971; Adams and Ortega 1982; Saad, Iterative Methods, 12.4),
 * the preconditioner that papers/ellpack-r-cg-heat leaves open because its sweeps are serial. Block rows of one colour
 * do not couple, so each colour is one launch; a half sweep goes through the colours up, the other one down.
 *
 * The matrix inside is A~ = G^-1 S A S G^-T with the Cholesky factors G of the scaled diagonal blocks: its diagonal
 * blocks are 1, that is, diagonal blocks are solved exactly and nothing of them is left in the sweeps. With A~ = 1 + L
 * + L^T in the order of places one application of one sweep is
 *   B = G^-T N^-1 G^-1,   N = (1 + omega L) (1 + omega L^T) / (omega (2 - omega)),
 * which is symmetric and positive for 0 < omega < 2 whatever L is. More sweeps are the stationary iteration with N from
 * zero, symmetric again, and positive since N - A~ is never negative when A~ is positive.
 *
 * A half sweep needs the sums over one triangle only: from zero the others are zero, on the way back (1 + omega L) x is
 * known from the way there, and later the sums over the other triangle are those of the half sweep before (Conrad and
 * Wallach 1979). So every coupling is read once per sweep: an application costs as much as `sweeps` products. The last
 * colour goes up and down in one launch: 2 colours - 1 launches a sweep, and one to put the result in order.
 * Rejected: Eisenstat's trick, which saves the product of CG itself. It puts CG's matrix and both sweeps into one
 * precision, and here the matrix of CG is in double and the sweeps are in float.
 *
 * Bytes per application: sweeps (A~ + 4 per coupling of blocks + vectors as vector_bytes() counts them). */
#include "core/memory.h"
#include "solver/precond/precond.h"
#include "solver/precond/rows.h"
#include "solver/precond/ssor_layout.h"

#include <math.h>

typedef struct Ssor {
  int32_t n_block, block, n_color, n_slice, sweeps;
  int32_t *first, *first_slice; /* owned, host, as in SsorLayout */
  int64_t n_stored;             /* couplings of blocks, padding included */
  /* Owned, on the Exec. */
  int64_t *start, *source, *diagonal, *row_step;
  int32_t *column, *row, *home, *top;
  void *value, *factor;
  void *x, *carry; /* by places; x is m->low in float, where nothing else reads that; carry NULL for one sweep */
} Ssor;

enum { OMEGA, SWEEPS, N_PARAM };
static const Param params[N_PARAM] = {
    [OMEGA] = {"omega", "1", 1, false, 0, 2, true, true, "relaxation; 1 is symmetric Gauss-Seidel"},
    [SWEEPS] = {"sweeps", "1", 1, false, 1, 100, false, false, "symmetric sweeps per application, a whole number"}};

static int64_t slots_per_block(const Precond *m) {
  return mat_slots(m->a)->per_scalar ? (int64_t)mat_block(m->a) * mat_block(m->a) : 1;
}
static int64_t n_row_step(const Precond *m, const Ssor *p) {
  return mat_slots(m->a)->per_scalar ? 0 : mat_slots(m->a)->same_step ? 1 : p->n_block;
}
static int64_t n_factor(const Ssor *p) { return (int64_t)p->n_block * (p->block * (p->block + 1) / 2); }

static void ssor_destroy(Precond *m) {
  Ssor *p = m->own;
  if (!p) return;
  Exec *exec = m->exec;
  if (p->x != m->low) exec_release(exec, m->n, precision_bytes(m->precision), &p->x);
  exec_release(exec, m->n, precision_bytes(m->precision), &p->carry);
  exec_release(exec, m->n, precision_bytes(m->precision), &m->low);
  exec_release(exec, m->n, precision_bytes(m->precision), &m->result);
  EXEC_RELEASE(exec, m->residual, m->n);
  EXEC_RELEASE(exec, p->start, 2 * (int64_t)p->n_slice + 1);
  EXEC_RELEASE(exec, p->source, p->n_stored * slots_per_block(m));
  EXEC_RELEASE(exec, p->diagonal, p->n_block * slots_per_block(m));
  EXEC_RELEASE(exec, p->row_step, n_row_step(m, p));
  EXEC_RELEASE(exec, p->column, p->n_stored);
  EXEC_RELEASE(exec, p->row, p->n_block);
  EXEC_RELEASE(exec, p->home, p->n_block);
  EXEC_RELEASE(exec, p->top, (int64_t)p->n_slice + 1);
  exec_release(exec, p->n_stored * p->block * p->block, precision_bytes(m->precision), &p->value);
  exec_release(exec, n_factor(p), precision_bytes(m->precision), &p->factor);
  FREE(p->first);
  FREE(p->first_slice);
  FREE(m->own);
}

/* Slots of blocks of the pattern, -1 for padding, to the Exec. */
static Status upload_slots(const Precond *m, const int64_t *entry, int64_t n, int64_t **out) {
  const SlotMap *slots = mat_slots(m->a);
  const int64_t each = slots_per_block(m);
  int64_t *slot = NULL;
  ALLOC(slot, n * each, "where the matrix entries are");
  for (int64_t e = 0; e < n; ++e)
    for (int64_t k = 0; k < each; ++k) slot[e * each + k] = entry[e] < 0 ? -1 : slots->slot[entry[e] * each + k];
  const Status status =
      exec_alloc_upload(m->exec, n * each, sizeof *slot, slot, "where the matrix entries are", (void **)out);
  FREE(slot);
  return status;
}

static Status upload_row_steps(const Precond *m, const SsorLayout *l, Ssor *p) {
  const SlotMap *slots = mat_slots(m->a);
  const int64_t n = n_row_step(m, p);
  int64_t *step = NULL;
  ALLOC(step, n, "row steps of the matrix entries");
  for (int64_t i = 0; i < n; ++i) step[i] = slots->row_step[slots->same_step ? 0 : l->row[i]];
  const Status status =
      exec_alloc_upload(m->exec, n, sizeof *step, step, "row steps of the matrix entries", (void **)&p->row_step);
  FREE(step);
  return status;
}

#define UPLOAD(to, from, n, what) TRY(exec_alloc_upload(m->exec, (n), sizeof *(to), (from), (what), (void **)&(to)))

static Status upload_layout(const Precond *m, SsorLayout *l, Ssor *p) {
  p->n_color = l->n_color;
  p->n_slice = l->n_slice;
  p->n_stored = l->start[2 * l->n_slice];
  UPLOAD(p->start, l->start, 2 * (int64_t)l->n_slice + 1, "starts of the slices");
  UPLOAD(p->column, l->column, p->n_stored, "columns by colour");
  UPLOAD(p->row, l->row, p->n_block, "rows by colour");
  UPLOAD(p->home, l->home, p->n_block, "slices of the places");
  UPLOAD(p->top, l->top, (int64_t)l->n_slice + 1, "slices of the colours");
  TRY(upload_slots(m, l->entry, p->n_stored, &p->source));
  TRY(upload_slots(m, l->diagonal, p->n_block, &p->diagonal));
  TRY(upload_row_steps(m, l, p));
  p->first = l->first;
  p->first_slice = l->first_slice;
  l->first = l->first_slice = NULL;
  return OK;
}

static Status alloc_vector(const Precond *m, void **out) {
  TRY(exec_alloc(m->exec, m->n, precision_bytes(m->precision), "preconditioner workspace", out));
  return exec_zero(m->exec, *out, (size_t)m->n * precision_bytes(m->precision));
}

static Status alloc_work(Precond *m, Ssor *p) {
  const size_t size = precision_bytes(m->precision);
  TRY(exec_alloc(m->exec, p->n_stored * p->block * p->block, size, "matrix of the preconditioner", &p->value));
  if (p->block > 1) TRY(exec_alloc(m->exec, n_factor(p), size, "factors of the diagonal blocks", &p->factor));
  EXEC_ALLOC(m->exec, m->residual, m->n, "preconditioner workspace");
  TRY(alloc_vector(m, &m->result));
  if (m->precision == PRECISION_FLOAT) {
    TRY(alloc_vector(m, &m->low));
    p->x = m->low;
  } else {
    TRY(alloc_vector(m, &p->x));
  }
  return p->sweeps > 1 ? alloc_vector(m, &p->carry) : OK;
}

/* Bytes of vectors per unknown: from zero up (S r, row, factor; x out), down (x in and out), later half sweeps (S r,
 * row, factor, carry, x; x, carry out), each with x of the neighbours once; back (x, factor, row, S r; z out). */
static double vector_bytes(const Ssor *p, double size) {
  const double factor = p->block > 1 ? size * (p->block + 1) / 2 : 0, own = 8 + 4.0 / p->block + factor;
  const double first = own + 4 * size + (p->sweeps > 1 ? size : 0), later = 2 * (own + 5 * size);
  return 2 * size + first + (p->sweeps - 1) * later + own + 2 * size;
}

static Status ssor_create(Precond *m) {
  const double sweeps = m->value[SWEEPS];
  CHECK(sweeps == floor(sweeps), ERR_INPUT, "sweeps is %g, must be a whole number", sweeps);
  CHECK(m->pattern, ERR_BUG, "preconditioner 'ssor' colours the graph of the matrix, which was not provided");
  CHECK((int64_t)m->pattern->n * m->pattern->block == m->n && m->pattern->block == mat_block(m->a), ERR_BUG,
        "the pattern given to the preconditioner is not that of the matrix");
  Ssor *p = NULL;
  ALLOC(p, 1, "an ssor preconditioner");
  m->own = p;
  m->degree = 0;
  m->storage = m->precision; /* nothing lower */
  TRY(pattern_fetch(m->pattern));
  TRY(slot_map_fetch(mat_slots(m->a)));
  p->n_block = m->pattern->n;
  p->block = m->pattern->block;
  p->sweeps = (int32_t)sweeps;
  SsorLayout *layout = NULL;
  TRY(ssor_layout_create(m->pattern, &layout));
  const Status status = upload_layout(m, layout, p);
  ssor_layout_destroy(&layout);
  TRY(status);
  TRY(alloc_work(m, p));
  const double size = (double)precision_bytes(m->precision), couplings = (double)p->n_stored;
  m->products = p->sweeps;
  m->bytes = p->sweeps * couplings * (p->block * p->block * size + 4) + vector_bytes(p, size) * (double)m->n;
  return OK;
}

static Status ssor_setup(Precond *m) {
  const Ssor *p = m->own;
  const SlotMap *slots = mat_slots(m->a);
  const SsorFillArgs args = {.from = mat_values(m->a),
                             .diagonal = p->diagonal,
                             .source = p->source,
                             .row_step = p->row_step,
                             .column_step = slots->column_step,
                             .scale = m->scale,
                             .row = p->row,
                             .column = p->column,
                             .start = p->start,
                             .home = p->home,
                             .top = p->top,
                             .value = p->value,
                             .factor = p->factor,
                             .n_slice = p->n_slice,
                             .block = p->block,
                             .per_scalar = slots->per_scalar,
                             .same_step = slots->same_step,
                             .to_float = m->precision == PRECISION_FLOAT};
  if (p->factor) TRY(exec_rows(m->exec, &ssor_factor_kernel, &args, p->n_block));
  return exec_rows(m->exec, &ssor_fill_kernel, &args, p->n_block);
}

/* Sweeps on the CPU, a slice at a time: chunks of rows begin and end where slices do. GPUs know kernels of these names
 * from rows.def, a row per thread. */
_Static_assert(ROW_CHUNK % (2 * SSOR_SLICE) == 0 && ROW_CHUNK % (3 * SSOR_SLICE) == 0, "slices are not cut by chunks");
#define SSOR_RANGE(B, P)                                                                                               \
  static void sweep_range_##B##P(const void *args, int64_t begin, int64_t end, double *sum) {                          \
    (void)sum;                                                                                                         \
    const SsorArgs a = *(const SsorArgs *)args;                                                                        \
    if (*a.stop) return;                                                                                               \
    for (int64_t t = begin; t < end; t += SSOR_SLICE * B) ssor_slice_##P(&a, t / (SSOR_SLICE * B), B);                 \
  }                                                                                                                    \
  static const RowKernel sweep_##B##P = {"ssor_sweep_" #B #P, 0, sizeof(SsorArgs), sweep_range_##B##P, 0};
SSOR_RANGE(1, d)
SSOR_RANGE(2, d)
SSOR_RANGE(3, d)
SSOR_RANGE(1, f)
SSOR_RANGE(2, f)
SSOR_RANGE(3, f)

static const RowKernel *kernel_of(const Precond *m, bool back) {
  static const RowKernel *const kernels[2][2][3] = {
      {{&sweep_1d, &sweep_2d, &sweep_3d}, {&sweep_1f, &sweep_2f, &sweep_3f}},
      {{&ssor_back_1d_kernel, &ssor_back_2d_kernel, &ssor_back_3d_kernel},
       {&ssor_back_1f_kernel, &ssor_back_2f_kernel, &ssor_back_3f_kernel}}};
  return kernels[back][m->precision == PRECISION_FLOAT][mat_block(m->a) - 1];
}

/* One colour of a half sweep. */
static Status record_color(const Precond *m, int32_t color, bool down, SsorArgs args) {
  const Ssor *p = m->own;
  args.start = p->start + (down ? p->n_slice : 0) + p->first_slice[color];
  args.first = p->first[color];
  args.count = p->first[color + 1] - p->first[color];
  return exec_rows(m->exec, kernel_of(m, false), &args, args.count * p->block);
}

static Status ssor_record(Precond *m) {
  const Ssor *p = m->own;
  SsorArgs args = {.value = p->value,
                   .column = p->column,
                   .factor = p->factor,
                   .row = p->row,
                   .residual = m->residual,
                   .x = p->x,
                   .carry = p->carry,
                   .result = m->result,
                   .krylov = m->krylov,
                   .stop = &m->krylov->stop,
                   .omega = m->value[OMEGA]};
  for (int32_t sweep = 0; sweep < p->sweeps; ++sweep) {
    for (int32_t c = 0; c < p->n_color; ++c) {
      args.kind = sweep ? SSOR_NEXT : SSOR_START;
      args.twice = c + 1 == p->n_color;
      args.keep = sweep && !args.twice; /* what the last colour carries is zero for ever */
      TRY(record_color(m, c, false, args));
    }
    args.kind = sweep ? SSOR_NEXT : SSOR_TURN;
    args.twice = 0;
    args.keep = sweep + 1 < p->sweeps;
    for (int32_t c = p->n_color - 2; c >= 0; --c) TRY(record_color(m, c, true, args));
  }
  return exec_rows(m->exec, kernel_of(m, true), &args, m->n);
}

const PrecondType ssor_precond = {.graph = true,
                                  .alone = "its sweeps go through colours of all rows, each after the one before",
                                  .param = params,
                                  .n_param = N_PARAM,
                                  .create = ssor_create,
                                  .destroy = ssor_destroy,
                                  .setup = ssor_setup,
                                  .record = ssor_record};
