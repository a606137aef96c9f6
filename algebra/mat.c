/* Matrices of any format: the registry, what all formats share, products. */
#include "algebra/format_choice.h"
#include "algebra/low_bit_rows.h"
#include "algebra/mat_format.h"
#include "algebra/rows.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FORMAT(id, name, meaning) extern const MatFormat id##_format;
#include "algebra/formats.def"
#undef FORMAT
static const MatFormat *const FORMATS[] = {
#define FORMAT(id, name, meaning) &id##_format,
#include "algebra/formats.def"
#undef FORMAT
};
static const char *const NAMES[] = {
#define FORMAT(id, name, meaning) name,
#include "algebra/formats.def"
#undef FORMAT
};
static const char *const MEANINGS[] = {
#define FORMAT(id, name, meaning) meaning,
#include "algebra/formats.def"
#undef FORMAT
};
enum { N_FORMAT = (int)(sizeof NAMES / sizeof *NAMES) };

int32_t mat_format_count(void) { return N_FORMAT; }
const char *mat_format_name(int32_t i) { return i >= 0 && i < N_FORMAT ? NAMES[i] : ""; }
const char *mat_format_meaning(int32_t i) { return i >= 0 && i < N_FORMAT ? MEANINGS[i] : ""; }

static const struct {
  const char *name;
  size_t meaning, given; /* in MatFormat and MatParams */
} PARAMS[] = {
#define MAT_PARAM(name)                                                                                                \
  { #name, offsetof(MatFormat, name), offsetof(MatParams, name) }
    MAT_PARAM(variant), MAT_PARAM(slice), MAT_PARAM(threads), MAT_PARAM(threshold), MAT_PARAM(window)
#undef MAT_PARAM
};
enum { N_PARAM = (int)(sizeof PARAMS / sizeof *PARAMS) };

const char *mat_param_name(int32_t k) { return k >= 0 && k < N_PARAM ? PARAMS[k].name : NULL; }
const char *mat_format_param(int32_t i, int32_t k) {
  if (i < 0 || i >= N_FORMAT || k < 0 || k >= N_PARAM) return NULL;
  return *(const char *const *)(const void *)((const char *)FORMATS[i] + PARAMS[k].meaning);
}

/* Names of the parameters of format i (by_param false), or of the formats that have parameter k. */
static const char *list_params(bool by_param, int32_t i, int32_t k, char *out, size_t size) {
  size_t used = 0;
  *out = 0;
  for (int32_t j = 0; j < (by_param ? (int32_t)N_FORMAT : (int32_t)N_PARAM); ++j) {
    if (!mat_format_param(by_param ? j : i, by_param ? k : j)) continue;
    const int n = snprintf(out + used, size - used, "%s%s", used ? ", " : "", by_param ? NAMES[j] : PARAMS[j].name);
    if (n > 0 && used + (size_t)n < size) used += (size_t)n;
  }
  return used ? out : "none";
}

Status mat_params_check(const MatParams *params) {
  const char *format = params->format ? params->format : NAMES[0];
  int32_t i = 0;
  while (i < N_FORMAT && strcmp(format, NAMES[i]) != 0) ++i;
  if (i == N_FORMAT && strcmp(format, "auto") != 0) return OK; /* mat_format_find tells of it */
  for (int32_t k = 0; k < N_PARAM; ++k) {
    const void *given = (const char *)params + PARAMS[k].given;
    char number[16] = "", takes[64], have[128];
    if (k == 0 && *(const char *const *)given) snprintf(number, sizeof number, "%s", *(const char *const *)given);
    if (k > 0 && *(const int32_t *)given) snprintf(number, sizeof number, "%d", *(const int32_t *)given);
    if (!*number || mat_format_param(i, k)) continue;
    return FAIL(ERR_INPUT,
                "format '%s' %s no %s, '%s' was asked for\n  allowed: %s\n  remedy: leave it out, or use format %s",
                format, i < N_FORMAT ? "has" : "chooses its parameters itself, and takes", PARAMS[k].name, number,
                list_params(false, i, 0, takes, sizeof takes), list_params(true, 0, k, have, sizeof have));
  }
  return OK;
}

const char *mat_format_with(MatTrait trait) {
  int32_t i = 0;
  while (i < N_FORMAT && !(FORMATS[i]->traits & trait)) ++i;
  return mat_format_name(i);
}

bool mat_format_has(const char *name, MatTrait trait) {
  for (int32_t i = 0; i < N_FORMAT; ++i)
    if (!name || !strcmp(name, NAMES[i])) return FORMATS[i]->traits & trait;
  return false;
}

bool mat_has(const Mat *mat, MatTrait trait) { return mat->format->traits & trait; }

Status mat_format_find(const char *name, const MatFormat **out) {
  *out = FORMATS[0];
  if (!name) return OK;
  char list[256] = "";
  size_t used = 0;
  for (int i = 0; i < N_FORMAT; ++i) {
    if (!strcmp(name, NAMES[i])) {
      *out = FORMATS[i];
      return OK;
    }
    const int n = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", NAMES[i]);
    if (n > 0 && used + (size_t)n < sizeof list) used += (size_t)n;
  }
  const char *near = nearest_name(name, N_FORMAT, NAMES);
  return FAIL(ERR_INPUT, "unknown matrix format '%s'\n  formats: %s%s%s%s", name, list,
              near ? "\n  did you mean '" : "", near ? near : "", near ? "'?" : "");
}

const char *precision_name(Precision precision) {
  static const char *const names[] = {"double", "float", "half", "int8", "bfloat16"};
  return names[precision];
}

bool mat_allows(const Mat *a, Precision precision) {
  return !precision_is_low(precision) || (a->low && a->view.slice == LOW_LANES);
}

Status mat_part(Mat *mat, int64_t n, size_t size, const void *from, const char *what, void **out) {
  CHECK(mat->n_part < MAT_PARTS, ERR_BUG, "format '%s' has more than %d arrays", mat_format(mat), MAT_PARTS);
  TRY(from ? exec_alloc_upload(mat->exec, n, size, from, what, out) : exec_alloc(mat->exec, n, size, what, out));
  mat->part[mat->n_part++] = (MatPart){*out, n, size};
  mat->structure_bytes += (size_t)n * size;
  return OK;
}

Status mat_alloc_values(Mat *mat) {
  if (!precision_is_low(mat->precision))
    mat->value_bytes = (size_t)mat->slots.n_value * precision_bytes(mat->precision);
  TRY(exec_alloc(mat->exec, (int64_t)mat->value_bytes, 1, "matrix values", &mat->values));
  mat->view.value = mat->values;
  return exec_zero(mat->exec, mat->values, mat->value_bytes);
}

/* For a sample of a matrix a machine that is as much smaller. */
static FormatMachine machine_of(const Exec *exec) {
  FormatMachine m = format_machine(!exec_is_host(exec));
  const double times = exec_whole(exec, 1);
  m.cache_bytes /= times, m.latency /= times, m.cache_latency /= times, m.launch /= times;
  m.resident = (int32_t)fmax(m.resident / times, 1);
  return m;
}

/* What the parameters stand for, and whether any matrix of the pattern can be. */
static Status mat_resolve(const MatParams *params, const Pattern *pattern, const Exec *exec, MatParams *out,
                          const MatFormat **format) {
  *out = *params;
  TRY(mat_params_check(params));
  CHECK(!precision_is_low(params->precision), ERR_INPUT,
        "a matrix that is assembled has values in double or float, not in %s, which is for copies inside a "
        "preconditioner",
        precision_name(params->precision));
  CHECK(pattern->block >= 1 && pattern->block <= 3, ERR_BUG, "block size %d, must be 1, 2 or 3", pattern->block);
  CHECK((int64_t)pattern_columns(pattern) * pattern->block <= INT32_MAX, ERR_INPUT,
        "%lld unknowns are more than one matrix can number (%d); split the problem over several devices",
        (long long)pattern_columns(pattern) * pattern->block, INT32_MAX);
  const bool chosen = params->format && !strcmp(params->format, "auto");
  if (chosen && pattern->share.n_whole && !pattern->share.halo) out->format = NULL; /* every rank the same */
  else if (chosen) {
    const FormatMachine machine = machine_of(exec);
    TRY(format_choose_on(pattern, params->precision, &machine, out));
  }
  TRY(mat_format_find(out->format, format));
  CHECK(out->window >= 0, ERR_INPUT, "window is %d, must be 1 (natural order) or more (0: chosen)", out->window);
  return OK;
}

static Status in_format(Status status, const MatParams *params) {
  if (status == OK) return OK;
  return status_context(status, "while building a matrix in format '%s'", params->format ? params->format : NAMES[0]);
}

Status mat_create(Exec *exec, const MatParams *params, const Pattern *pattern, Mat **out) {
  *out = NULL;
  const MatFormat *format;
  MatParams chosen;
  TRY(mat_resolve(params, pattern, exec, &chosen, &format));
  Mat *mat = NULL;
  ALLOC(mat, 1, "a matrix");
  mat->exec = exec;
  mat->format = format;
  mat->precision = params->precision;
  mat->n_block = pattern->n;
  mat->block = pattern->block;
  mat->share = pattern->share;
  mat->entries = pattern_entries(pattern) * pattern->block * pattern->block;
  Status status = format->build(mat, &chosen, pattern);
  if (status == OK && mat->slots.exec) status = slot_map_listed(&mat->slots);
  if (status == OK && mat->numbering && mat->share.n_halo)
    status = FAIL(ERR_INPUT, "variant '%s' renumbers the unknowns, which several ranks share; use variant '%s'",
                  chosen.variant, mat->natural_variant);
  mat->view.block = mat->block;
  if (status == OK) status = mat_alloc_values(mat);
  if (status != OK) {
    mat_destroy(&mat);
    return in_format(status, &chosen);
  }
  *out = mat;
  return OK;
}

Status mat_create_like(const Mat *a, Precision precision, Mat **out) {
  *out = NULL;
  CHECK(!precision_is_low(precision) || a->low, ERR_INPUT,
        "format '%s' cannot store values in %s; use format 'sbell', or float", mat_format(a),
        precision_name(precision));
  Mat *mat = NULL;
  ALLOC(mat, 1, "a matrix");
  *mat = *a;
  mat->lender = a->lender ? a->lender : a;
  mat->precision = precision;
  mat->values = NULL;
  mat->n_part = 0;
  Status status = precision_is_low(precision) ? mat->low->create(a, mat) : OK;
  if (status == OK) status = mat_alloc_values(mat);
  if (status != OK) mat_destroy(&mat);
  *out = mat;
  return status;
}

void mat_destroy(Mat **mat) {
  Mat *m = *mat;
  if (!m) return;
  exec_release(m->exec, (int64_t)m->value_bytes, 1, &m->values);
  for (int32_t i = 0; i < m->n_part; ++i) exec_release(m->exec, m->part[i].n, m->part[i].size, &m->part[i].p);
  if (!m->lender) {
    slot_map_release(&m->slots);
    FREE(m->numbering);
  }
  FREE(*mat);
}

const SlotMap *mat_slots(const Mat *mat) { return mat->lender ? &mat->lender->slots : &mat->slots; }
void *mat_values(const Mat *mat) { return mat->values; }
Exec *mat_exec(const Mat *mat) { return mat->exec; }
int32_t mat_block(const Mat *mat) { return mat->block; }
int64_t mat_rows(const Mat *mat) { return (int64_t)mat->n_block * mat->block; }
int64_t mat_columns(const Mat *mat) { return ((int64_t)mat->n_block + mat->share.n_halo) * mat->block; }
int64_t mat_whole(const Mat *mat) {
  return mat->share.n_whole ? (int64_t)mat->share.n_whole * mat->block : mat_rows(mat);
}
int64_t mat_first(const Mat *mat) { return (int64_t)mat->share.first * mat->block; }
int64_t mat_entries(const Mat *mat) { return mat->entries; }
const int32_t *mat_numbering(const Mat *mat) { return mat->numbering; }
const char *mat_natural_variant(const Mat *mat) { return mat->natural_variant; }
Precision mat_precision(const Mat *mat) { return mat->precision; }

const char *mat_format(const Mat *mat) {
  for (int i = 0; i < N_FORMAT; ++i)
    if (mat->format == FORMATS[i]) return NAMES[i];
  return "";
}

size_t mat_bytes(const Mat *mat) { return mat->structure_bytes + mat->value_bytes; }

void mat_sum_in_double(Mat *mat, bool on) {
  if (precision_is_low(mat->precision)) mat->view.threshold = on;
}

/* The halo of a vector of `each` items of `size` bytes to a row, where there is one; nothing where *stop is set. */
static Status bring_halo(const Mat *mat, const void *v, int32_t each, size_t size, const int32_t *stop) {
  if (!mat->share.halo || !v) return OK;
  return exec_exchange_unless(mat->exec, mat->share.halo, (void *)v, (size_t)each * size, stop);
}

static Status product_record(const Mat *mat, MatOp op, const ProductArgs *args) {
  if (!mat_op_visits(op))
    TRY(bring_halo(mat, args->v, mat->block, mat->precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float),
                   args->stop));
  const RowKernel *kernel = (precision_is_low(mat->precision) ? mat->low->kernel : mat->format->kernel)(mat, op);
  ProductArgs a = *args;
  a.a = mat->view;
  return exec_rows(mat->exec, kernel, &a, mat->view.n);
}

/* A product without its sums, then these: formats add up rows as they keep them, which ranks do not share. */
static Status product_then_sums(const Mat *mat, MatOp op, const ProductArgs *a) {
  const RowKernel *kernel = mat->precision == PRECISION_DOUBLE ? &product_sum_d_kernel : &product_sum_f_kernel;
  ProductArgs only = *a;
  ProductSumArgs sums = {.left = a->v, .right = a->w, .step = a->step, .stop = a->stop, .krylov = a->krylov};
  if (op == MAT_RESIDUAL) {
    only.u = NULL, only.z = NULL;
    only.c0 = -1, only.c1 = only.c2 = 0, only.c3 = 1;
    only.v_extra = only.u_extra = NULL, only.w_extra = only.z_extra = NULL;
    sums.left_d = a->b, sums.squares = 1;
  } else if (op == MAT_COMBINE_DOT) {
    sums.left_d = a->b, sums.right = a->z, sums.right_extra = a->z_extra;
  }
  TRY(product_record(mat, op == MAT_DOT ? MAT_APPLY : MAT_COMBINE, &only));
  return exec_rows(mat->exec, kernel, &sums, mat_rows(mat));
}

Status mat_product(const Mat *mat, MatOp op, const ProductArgs *args) {
  const bool sums = op == MAT_DOT || op == MAT_COMBINE_DOT || op == MAT_RESIDUAL;
  return sums && mat->exec->parts ? product_then_sums(mat, op, args) : product_record(mat, op, args);
}

Status mat_apply(const Mat *mat, const void *x, void *y) {
  return mat_product(mat, MAT_APPLY, &(ProductArgs){.v = x, .w = y});
}

Status mat_diagonal(const Mat *mat, double *d) { return mat_product(mat, MAT_DIAGONAL, &(ProductArgs){.w = d}); }

bool mat_knows_blocks(const Mat *mat) { return mat->knows_blocks && mat->block > 1; }

Status mat_diagonal_blocks(const Mat *mat, double *d, double *blocks) {
  CHECK(mat_knows_blocks(mat), ERR_BUG, "format '%s' does not support blocks", mat_format(mat));
  return mat_product(mat, MAT_DIAGONAL, &(ProductArgs){.w = d, .z = blocks});
}

Status mat_store(const Mat *from, Mat *to) {
  CHECK(precision_is_low(to->precision) && !precision_is_low(from->precision) && from->slots.slot == to->slots.slot,
        ERR_BUG, "mat_store needs a copy in low precision made by mat_create_like");
  return to->low->scale(from, NULL, NULL, to);
}

Status mat_scale(const Mat *from, const double *s, Mat *to) { return mat_scale_blocks(from, s, NULL, to); }

Status mat_scale_blocks(const Mat *from, const double *s, const double *blocks, Mat *to) {
  CHECK(!blocks || mat_knows_blocks(from), ERR_BUG, "format '%s' does not support blocks", mat_format(from));
  CHECK(mat_slots(from) == mat_slots(to), ERR_BUG, "mat_scale needs a matrix made by mat_create_like");
  CHECK(!precision_is_low(from->precision), ERR_BUG, "mat_scale starts from a matrix in double");
  TRY(bring_halo(from, s, from->block, sizeof *s, NULL));
  TRY(bring_halo(from, blocks, from->block * from->block, sizeof *blocks, NULL));
  if (precision_is_low(to->precision)) return to->low->scale(from, s, blocks, to);
  return mat_product(from, to->precision == PRECISION_FLOAT ? MAT_SCALE_F : MAT_SCALE_D,
                     &(ProductArgs){.w = to->values, .b = s, .u = blocks});
}
