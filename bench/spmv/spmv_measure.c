/* One variant on one matrix: how long it takes to build, to take new values and to multiply, and whether it is right.
 */
#include "bench/spmv/spmv.h"
#include "core/memory.h"
#include "solver/krylov/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { REFRESHES = 3, ROUNDS = 3 };
static const double LONG_PRODUCT = 5e-3; /* s */

void spmv_why(char *why) {
  const char *message = status_message();
  size_t n = strcspn(message, "\n");
  if (n >= SPMV_TEXT) n = SPMV_TEXT - 1;
  memcpy(why, message, n);
  why[n] = 0;
  status_clear();
}

/* A number in [-1, 1) that depends on i (splitmix64). */
static double number(uint64_t i) {
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

/* Symmetric, since copies in low precision keep symmetry; of size 1/4 to 1, since half loses digits below 6e-5 and an error
 * is held against the entries of its row. */
static void fill_values(const Pattern *p, double *value) {
  const int32_t B = p->block;
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
      for (int32_t e = 0; e < B * B; ++e) {
        const uint64_t r = (uint64_t)i * (uint64_t)B + (uint64_t)(e / B);
        const uint64_t c = (uint64_t)p->column[k] * (uint64_t)B + (uint64_t)(e % B);
        const double t = number(r < c ? r << 32 | c : c << 32 | r);
        value[k * B * B + e] = 0.75 * t + (t < 0 ? -0.25 : 0.25);
      }
}

/* wanted = A x and size = |A| |x| row by row, in long double. */
static void reference(const SpmvRun *run, const double *value) {
  const Pattern *p = run->pattern;
  const int32_t B = p->block;
  for (int32_t i = 0; i < p->n; ++i)
    for (int32_t r = 0; r < B; ++r) {
      long double sum = 0, size = 0;
      for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
        for (int32_t c = 0; c < B; ++c) {
          const long double t = (long double)value[(k * B + r) * B + c] * run->x[(int64_t)p->column[k] * B + c];
          sum += t;
          size += t < 0 ? -t : t;
        }
      run->wanted[(int64_t)i * B + r] = (double)sum;
      run->size[(int64_t)i * B + r] = (double)size;
    }
}

Status spmv_run_create(SpmvRun *run) {
  Exec *exec = run->exec;
  const Pattern *p = run->pattern;
  double *value = NULL;
  Status status;
  run->n = (int64_t)p->n * p->block;
  run->entries = p->start[p->n] * p->block * p->block;
  TRY_DONE(row_profile_create(p, &run->profile));
  ALLOC_DONE(run->figure, SPMV_VARIANTS, "figures");
  ALLOC_DONE(value, run->entries, "matrix values");
  ALLOC_DONE(run->x, run->n, "vector");
  ALLOC_DONE(run->here, run->n, "vector");
  ALLOC_DONE(run->wanted, run->n, "reference product");
  ALLOC_DONE(run->size, run->n, "size of the reference product");
  fill_values(p, value);
  for (int64_t i = 0; i < run->n; ++i) run->x[i] = number(~(uint64_t)i);
  reference(run, value);
  TRY_DONE(exec_alloc_upload(exec, run->entries, sizeof *value, value, "matrix values", (void **)&run->value));
  TRY_DONE(exec_alloc(exec, run->n, sizeof(double), "vector", &run->there_x));
  TRY_DONE(exec_alloc(exec, run->n, sizeof(double), "product", &run->there_y));
done:
  FREE(value);
  return status;
}

void spmv_run_release(SpmvRun *run) {
  FREE(run->figure);
  FREE(run->x);
  FREE(run->here);
  FREE(run->wanted);
  FREE(run->size);
  exec_release(run->exec, run->entries, sizeof *run->value, (void **)&run->value);
  exec_release(run->exec, run->n, sizeof(double), &run->there_x);
  exec_release(run->exec, run->n, sizeof(double), &run->there_y);
  row_profile_release(&run->profile);
}

/* The slots of a matrix on the Exec, for the row kernel that brings new values. */
typedef struct Refresh {
  Exec *exec;
  RefreshArgs args;
  int64_t n_slot, n_step, n_block, entries;
  int64_t *slot, *row_step; /* on the Exec */
  int32_t *row;
} Refresh;

static void refresh_release(Refresh *r) {
  exec_release(r->exec, r->n_slot, sizeof *r->slot, (void **)&r->slot);
  exec_release(r->exec, r->n_step, sizeof *r->row_step, (void **)&r->row_step);
  exec_release(r->exec, r->n_block, sizeof *r->row, (void **)&r->row);
}

static Status upload_rows(Refresh *r, const Pattern *p) {
  int32_t *row = NULL;
  ALLOC(row, r->n_block, "rows of the blocks");
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) row[k] = i;
  const Status status =
      exec_alloc_upload(r->exec, r->n_block, sizeof *row, row, "rows of the blocks", (void **)&r->row);
  FREE(row);
  return status;
}

static Status refresh_create(const SpmvRun *run, const Mat *a, Refresh *r) {
  const SlotMap *s = mat_slots(a);
  const Pattern *p = run->pattern;
  TRY(slot_map_fetch(s));
  *r = (Refresh){.exec = run->exec, .n_block = p->start[p->n], .entries = run->entries};
  r->n_slot = s->per_scalar ? run->entries : r->n_block;
  r->n_step = s->per_scalar || s->same_step ? 1 : p->n;
  Status status = exec_alloc_upload(r->exec, r->n_slot, sizeof *s->slot, s->slot, "slots", (void **)&r->slot);
  if (status == OK && !s->per_scalar)
    status =
        exec_alloc_upload(r->exec, r->n_step, sizeof *s->row_step, s->row_step, "row steps", (void **)&r->row_step);
  if (status == OK && !s->per_scalar && !s->same_step) status = upload_rows(r, p);
  r->args = (RefreshArgs){.from = run->value,
                          .slot = r->slot,
                          .row_step = r->row_step,
                          .row = r->row,
                          .column_step = s->column_step,
                          .block = p->block,
                          .per_scalar = s->per_scalar};
  if (status != OK) refresh_release(r);
  return status;
}

static Status refresh_once(void *context) {
  const Refresh *r = context;
  return exec_rows(r->exec, &refresh_kernel, &r->args, r->entries);
}

typedef struct Apply {
  const Mat *a;
  const void *x;
  void *y;
} Apply;

static Status apply_once(void *context) {
  const Apply *apply = context;
  return mat_apply(apply->a, apply->x, apply->y);
}

/* x in the numbering and the precision of the matrix; y zero. */
static Status put_vector(SpmvRun *run, const Mat *a) {
  const int32_t *numbering = mat_numbering(a);
  const bool single = mat_precision(a) != PRECISION_DOUBLE;
  float *low = (float *)(void *)run->here;
  for (int64_t i = 0; i < run->n; ++i) {
    const int64_t to = numbering ? numbering[i] : i;
    if (single) low[to] = (float)run->x[i];
    else run->here[to] = run->x[i];
  }
  const size_t bytes = (size_t)run->n * (single ? sizeof(float) : sizeof(double));
  TRY(exec_upload(run->exec, run->there_x, run->here, bytes));
  return exec_zero(run->exec, run->there_y, bytes);
}

static Status check_product(SpmvRun *run, SpmvFigure *f, const Mat *a) {
  const int32_t *numbering = mat_numbering(a);
  const bool single = mat_precision(a) != PRECISION_DOUBLE;
  const float *low = (const float *)(const void *)run->here;
  TRY(exec_download(run->exec, run->here, run->there_y, (size_t)run->n * (single ? sizeof(float) : sizeof(double))));
  double worst = 0;
  for (int64_t i = 0; i < run->n; ++i) {
    const int64_t at = numbering ? numbering[i] : i;
    const double y = single ? (double)low[at] : run->here[at], error = fabs(y - run->wanted[i]);
    if (!(error <= worst * run->size[i])) worst = run->size[i] > 0 ? error / run->size[i] : error;
  }
  const Precision p = mat_precision(a);
  const double length = (double)run->profile.longest * run->pattern->block;
  const double most[SPMV_PRECISIONS] = {fmax(1e-14, 1e-15 * sqrt(length)), fmax(1e-6, 1e-7 * sqrt(length)), 1e-3, 3e-2};
  f->error[p] = worst;
  CHECK(worst <= most[p], ERR_NUMERIC, "%s on %s in %s is wrong by %.1e of |A||x|, must be %.1e at most", f->label,
        run->source->name, precision_name(p), worst, most[p]);
  return OK;
}

/* Best of some rounds: other work on the machine only ever makes it slower. What takes long is not repeated. */
static Status best_time(Exec *exec, BenchOnce once, void *context, int32_t repeat, double *seconds) {
  TRY(bench_time(exec, once, context, 1, seconds));
  for (int round = 0; round < ROUNDS && *seconds < LONG_PRODUCT; ++round) {
    double t;
    TRY(bench_time(exec, once, context, repeat, &t));
    if (t < *seconds) *seconds = t;
  }
  return OK;
}

static Status measure_one(SpmvRun *run, SpmvFigure *f, Mat *a, Refresh *refresh) {
  const bool single = mat_precision(a) == PRECISION_FLOAT;
  refresh->args.to = mat_values(a);
  refresh->args.to_float = single;
  if (run->params->quick) TRY(refresh_once(refresh));
  else TRY(best_time(run->exec, refresh_once, refresh, REFRESHES, &f->refresh[single]));
  TRY(put_vector(run, a));
  Apply apply = {a, run->there_x, run->there_y};
  TRY(best_time(run->exec, apply_once, &apply, run->params->repeat, &f->seconds[single]));
  f->bytes[single] = (double)mat_bytes(a) + 2.0 * (double)run->n * (single ? sizeof(float) : sizeof(double));
  FormatCost cost;
  MatParams params = f->params;
  params.precision = mat_precision(a);
  f->predicted[single] = format_predict(&run->profile, &params, &run->machine, &cost) ? cost.seconds : 0;
  return check_product(run, f, a);
}

/* Copies in half and 8 bits, where the format makes them. */
static Status measure_low(SpmvRun *run, SpmvFigure *f, const Mat *a) {
  double *one = NULL;
  Mat *low = NULL;
  Status status;
  for (int64_t i = 0; i < run->n; ++i) run->here[i] = 1;
  TRY_DONE(exec_alloc_upload(run->exec, run->n, sizeof *one, run->here, "scaling", (void **)&one));
  for (Precision p = PRECISION_HALF; p <= PRECISION_INT8; ++p) {
    status = mat_create_like(a, p, &low);
    if (status == ERR_INPUT) {
      status_clear();
      status = OK;
      continue;
    }
    TRY_DONE(status);
    TRY_DONE(mat_scale(a, one, low));
    TRY_DONE(put_vector(run, low));
    Apply apply = {low, run->there_x, run->there_y};
    TRY_DONE(best_time(run->exec, apply_once, &apply, run->params->repeat, &f->seconds[p]));
    f->bytes[p] = (double)mat_bytes(low) + 2.0 * (double)run->n * sizeof(float);
    TRY_DONE(check_product(run, f, low));
    mat_destroy(&low);
  }
done:
  mat_destroy(&low);
  EXEC_RELEASE(run->exec, one, run->n);
  return status;
}

/* What a user may meet too: a format that refuses, or memory that does not suffice. */
static bool is_refusal(Status status) { return status == ERR_INPUT || status == ERR_MEMORY || status == ERR_GPU; }

Status spmv_measure(SpmvRun *run, SpmvFigure *f) {
  Mat *a = NULL, *low = NULL;
  Refresh refresh = {.exec = run->exec};
  Status status;
  const double start = bench_now();
  status = mat_create(run->exec, &f->params, run->pattern, &a);
  if (is_refusal(status)) {
    spmv_why(f->cannot);
    return OK;
  }
  TRY_DONE(status);
  TRY_DONE(exec_sync(run->exec));
  f->build = bench_now() - start;
  f->natural = !mat_numbering(a);
  f->padding = (double)mat_slots(a)->n_value / (double)(run->entries > 0 ? run->entries : 1);
  TRY_DONE(refresh_create(run, a, &refresh));
  TRY_DONE(measure_one(run, f, a, &refresh));
  if (!run->params->quick) TRY_DONE(measure_low(run, f, a));
  TRY_DONE(mat_create_like(a, PRECISION_FLOAT, &low));
  TRY_DONE(measure_one(run, f, low, &refresh));
done:
  refresh_release(&refresh);
  mat_destroy(&low);
  mat_destroy(&a);
  return status;
}

Status spmv_rivals(SpmvRun *run) {
  Mat *a = NULL;
  Refresh refresh = {.exec = run->exec};
  Status status = OK;
  for (int p = 0; p < 2 && status == OK; ++p) {
    const MatParams params = {.format = "csr", .precision = p ? PRECISION_FLOAT : PRECISION_DOUBLE};
    TRY_DONE(mat_create(run->exec, &params, run->pattern, &a));
    TRY_DONE(refresh_create(run, a, &refresh));
    refresh.args.to = mat_values(a);
    refresh.args.to_float = p;
    TRY_DONE(refresh_once(&refresh));
    TRY_DONE(put_vector(run, a));
    TRY_DONE(exec_sync(run->exec));
    TRY_DONE(rival_formats(run->exec, run->pattern, a, run->value, run->there_x, run->there_y, run->params->repeat,
                           &run->rival[p]));
    refresh_release(&refresh);
    mat_destroy(&a);
  }
done:
  refresh_release(&refresh);
  mat_destroy(&a);
  return status;
}
