/* cuSPARSE's products in CSR, BSR and SELL on the same matrix, in benchmarks only: the library is opened at run time,
 * and what an older one lacks is told. */
#include "bench/measure.h"
#include "bench/rival/petsc_dump.h"
#include "core/memory.h"
#include "solver/krylov/rows.h"

#define DISABLE_CUSPARSE_DEPRECATED
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <dlfcn.h>
#include <stdio.h>

#define CUSPARSE_FUNCTIONS(X)                                                                                          \
  X(cusparseCreate)                                                                                                    \
  X(cusparseDestroy)                                                                                                   \
  X(cusparseCreateCsr)                                                                                                 \
  X(cusparseCreateBsr)                                                                                                 \
  X(cusparseCreateSlicedEll)                                                                                           \
  X(cusparseDestroySpMat)                                                                                              \
  X(cusparseCreateDnVec)                                                                                               \
  X(cusparseDestroyDnVec)                                                                                              \
  X(cusparseSpMV_bufferSize)                                                                                           \
  X(cusparseSpMV_preprocess)                                                                                           \
  X(cusparseSpMV)

enum { RIVAL_SLICE = 32 };

typedef struct Rival {
  void *library;
#define FUNCTION(name) __typeof__(&name) name;
  CUSPARSE_FUNCTIONS(FUNCTION)
#undef FUNCTION
  cusparseHandle_t handle;
  cusparseDnVecDescr_t x, y;
  cudaDataType type;
  int32_t repeat;
} Rival;

/* One format: arrays on the Exec. */
typedef struct Arrays {
  Exec *exec;
  int64_t n_start, n_column, n_value;
  size_t value_size;
  int32_t *start, *column;
  void *value;
} Arrays;

static void arrays_release(Arrays *a) {
  exec_release(a->exec, a->n_start, sizeof *a->start, (void **)&a->start);
  exec_release(a->exec, a->n_column, sizeof *a->column, (void **)&a->column);
  exec_release(a->exec, a->n_value, a->value_size, &a->value);
}

static void why_not(RivalTimes *out, const char *text) {
  if (!*out->why) snprintf(out->why, sizeof out->why, "%s", text);
}

/* Functions that are missing stay NULL. */
static bool rival_open(Rival *r, int64_t n, const void *x, void *y) {
  static const char *const NAMES[] = {"libcusparse.so", "libcusparse.so.12", "libcusparse.so.13", NULL};
  for (int i = 0; NAMES[i] && !r->library; ++i) r->library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL);
  if (!r->library) return false;
#define FUNCTION(name) *(void **)&r->name = dlsym(r->library, #name);
  CUSPARSE_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return r->cusparseCreate && r->cusparseDestroy && r->cusparseDestroySpMat && r->cusparseCreateDnVec &&
         r->cusparseDestroyDnVec && r->cusparseSpMV_bufferSize && r->cusparseSpMV &&
         r->cusparseCreate(&r->handle) == CUSPARSE_STATUS_SUCCESS &&
         r->cusparseCreateDnVec(&r->x, n, (void *)(uintptr_t)x, r->type) == CUSPARSE_STATUS_SUCCESS &&
         r->cusparseCreateDnVec(&r->y, n, y, r->type) == CUSPARSE_STATUS_SUCCESS;
}

static void rival_close(Rival *r) {
  if (r->x) r->cusparseDestroyDnVec(r->x);
  if (r->y) r->cusparseDestroyDnVec(r->y);
  if (r->handle) r->cusparseDestroy(r->handle);
  if (r->library) dlclose(r->library);
}

/* Seconds of one product, by the runtime's events in the default stream; 0 when a call failed. */
static double time_one(Rival *r, cusparseSpMatDescr_t a, cusparseSpMVAlg_t algorithm) {
  const double one = 1, zero = 0;
  const float one_f = 1, zero_f = 0;
  const void *alpha = r->type == CUDA_R_64F ? (const void *)&one : &one_f;
  const void *beta = r->type == CUDA_R_64F ? (const void *)&zero : &zero_f;
  const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  size_t bytes = 0;
  void *buffer = NULL;
  cudaEvent_t start = NULL, end = NULL;
  float ms = 0;
  bool ok = r->cusparseSpMV_bufferSize(r->handle, plain, alpha, a, r->x, beta, r->y, r->type, algorithm, &bytes) ==
            CUSPARSE_STATUS_SUCCESS;
  ok = ok && cudaMalloc(&buffer, bytes ? bytes : 1) == cudaSuccess && cudaEventCreate(&start) == cudaSuccess &&
       cudaEventCreate(&end) == cudaSuccess;
  /* a hint for CSR; other formats may not know it */
  if (ok && r->cusparseSpMV_preprocess)
    (void)r->cusparseSpMV_preprocess(r->handle, plain, alpha, a, r->x, beta, r->y, r->type, algorithm, buffer);
  for (int32_t i = -2; ok && i < r->repeat; ++i) {
    if (i == 0) ok = cudaEventRecord(start, NULL) == cudaSuccess;
    ok = ok && r->cusparseSpMV(r->handle, plain, alpha, a, r->x, beta, r->y, r->type, algorithm, buffer) ==
                   CUSPARSE_STATUS_SUCCESS;
  }
  ok = ok && cudaEventRecord(end, NULL) == cudaSuccess && cudaEventSynchronize(end) == cudaSuccess &&
       cudaEventElapsedTime(&ms, start, end) == cudaSuccess;
  if (start) cudaEventDestroy(start);
  if (end) cudaEventDestroy(end);
  cudaFree(buffer);
  (void)cudaGetLastError();
  return ok ? 1e-3 * (double)ms / r->repeat : 0;
}

static Status time_csr(Rival *r, Exec *exec, const Pattern *p, const Mat *csr, RivalTimes *out) {
  int32_t *start = NULL, *column = NULL;
  const int64_t n = mat_rows(csr), entries = mat_entries(csr);
  Arrays a = {.exec = exec, .n_start = n + 1, .n_column = entries};
  cusparseSpMatDescr_t matrix = NULL;
  Status status;
  TRY_DONE(pattern_scalar_csr(p, &start, &column));
  TRY_DONE(exec_alloc_upload(exec, n + 1, sizeof *start, start, "row starts", (void **)&a.start));
  TRY_DONE(exec_alloc_upload(exec, entries, sizeof *column, column, "columns", (void **)&a.column));
  TRY_DONE(exec_sync(exec));
  if (r->cusparseCreateCsr &&
      r->cusparseCreateCsr(&matrix, n, n, entries, a.start, a.column, mat_values(csr), CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, r->type) == CUSPARSE_STATUS_SUCCESS) {
    const double first = time_one(r, matrix, CUSPARSE_SPMV_CSR_ALG1),
                 second = time_one(r, matrix, CUSPARSE_SPMV_CSR_ALG2);
    out->csr = first > 0 && (second <= 0 || first < second) ? first : second;
  }
  if (out->csr <= 0) why_not(out, "a call for CSR failed");
done:
  if (matrix) r->cusparseDestroySpMat(matrix);
  arrays_release(&a);
  FREE(start);
  FREE(column);
  return status;
}

/* `value` in float for a float matrix; else as it is. Owned by `a` only when converted. */
static Status convert(Exec *exec, const double *value, int64_t n, Arrays *a) {
  double *high = NULL;
  float *low = NULL;
  Status status;
  ALLOC_DONE(high, n, "matrix values");
  ALLOC_DONE(low, n, "matrix values");
  TRY_DONE(exec_download(exec, high, value, (size_t)n * sizeof *high));
  for (int64_t i = 0; i < n; ++i) low[i] = (float)high[i];
  a->n_value = n;
  a->value_size = sizeof *low;
  TRY_DONE(exec_alloc_upload(exec, n, sizeof *low, low, "matrix values", &a->value));
done:
  FREE(high);
  FREE(low);
  return status;
}

static Status time_bsr(Rival *r, Exec *exec, const Pattern *p, const double *value, RivalTimes *out) {
  const int64_t blocks = p->start[p->n], entries = blocks * p->block * p->block;
  if (p->block == 1) return OK; /* that is CSR */
  Arrays a = {.exec = exec, .n_start = p->n + 1, .n_column = blocks};
  cusparseSpMatDescr_t matrix = NULL;
  int32_t *start = NULL;
  Status status;
  CHECK(blocks <= INT32_MAX, ERR_INPUT, "%lld blocks are too many for BSR", (long long)blocks);
  ALLOC_DONE(start, a.n_start, "row starts");
  for (int32_t i = 0; i <= p->n; ++i) start[i] = (int32_t)p->start[i];
  TRY_DONE(exec_alloc_upload(exec, a.n_start, sizeof *start, start, "row starts", (void **)&a.start));
  TRY_DONE(exec_alloc_upload(exec, blocks, sizeof *p->column, p->column, "columns", (void **)&a.column));
  if (r->type == CUDA_R_32F) TRY_DONE(convert(exec, value, entries, &a));
  TRY_DONE(exec_sync(exec));
  void *values = a.value ? a.value : (void *)(uintptr_t)value;
#if CUSPARSE_VERSION >= 12600
  if (r->cusparseCreateBsr &&
      r->cusparseCreateBsr(&matrix, p->n, p->n, blocks, p->block, p->block, a.start, a.column, values,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, r->type,
                           CUSPARSE_ORDER_ROW) == CUSPARSE_STATUS_SUCCESS)
    out->bsr = time_one(r, matrix, CUSPARSE_SPMV_BSR_ALG1);
#else
  (void)values;
#endif
  if (out->bsr <= 0) why_not(out, "this version has no product in BSR");
done:
  if (matrix) r->cusparseDestroySpMat(matrix);
  arrays_release(&a);
  FREE(start);
  return status;
}

/* Scalar rows in natural order, slices of 32 as wide as their longest row, column-major; padding has column -1. */
static Status build_sell(const Pattern *p, int32_t *start, int32_t **column, int64_t *slot) {
  const int32_t B = p->block;
  const int64_t n = (int64_t)p->n * B, n_slice = (n + RIVAL_SLICE - 1) / RIVAL_SLICE;
  int64_t at = 0;
  for (int64_t s = 0; s < n_slice; ++s) {
    int64_t width = 0;
    for (int64_t i = s * RIVAL_SLICE; i < n && i < (s + 1) * RIVAL_SLICE; ++i)
      if ((p->start[i / B + 1] - p->start[i / B]) * B > width) width = (p->start[i / B + 1] - p->start[i / B]) * B;
    start[s] = (int32_t)at;
    at += width * RIVAL_SLICE;
    CHECK(at <= INT32_MAX, ERR_INPUT, "padding makes this too large for SELL");
  }
  start[n_slice] = (int32_t)at;
  ALLOC(*column, at, "columns");
  for (int64_t k = 0; k < at; ++k) (*column)[k] = -1;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = p->start[i / B]; k < p->start[i / B + 1]; ++k)
      for (int32_t c = 0; c < B; ++c) {
        const int64_t entry = (k - p->start[i / B]) * B + c;
        const int64_t place = start[i / RIVAL_SLICE] + entry * RIVAL_SLICE + i % RIVAL_SLICE;
        (*column)[place] = p->column[k] * B + c;
        slot[(k * B + i % B) * B + c] = place;
      }
  return OK;
}

/* `value` into the slots of the SELL arrays, zero elsewhere. */
static Status fill_sell(Exec *exec, const double *value, const int64_t *slot, int64_t entries, Arrays *a, bool single) {
  int64_t *there = NULL;
  a->value_size = single ? sizeof(float) : sizeof(double);
  TRY(exec_alloc(exec, a->n_value, a->value_size, "matrix values", &a->value));
  TRY(exec_zero(exec, a->value, (size_t)a->n_value * a->value_size));
  TRY(exec_alloc_upload(exec, entries, sizeof *slot, slot, "slots", (void **)&there));
  const RefreshArgs args = {
      .from = value, .to = a->value, .slot = there, .block = 1, .per_scalar = 1, .to_float = single};
  Status status = exec_rows(exec, &refresh_kernel, &args, entries);
  if (status == OK) status = exec_sync(exec);
  EXEC_RELEASE(exec, there, entries);
  return status;
}

static Status time_sell(Rival *r, Exec *exec, const Pattern *p, const double *value, RivalTimes *out) {
  const int64_t n = (int64_t)p->n * p->block, entries = p->start[p->n] * p->block * p->block;
  Arrays a = {.exec = exec, .n_start = (n + RIVAL_SLICE - 1) / RIVAL_SLICE + 1};
  cusparseSpMatDescr_t matrix = NULL;
  int32_t *start = NULL, *column = NULL;
  int64_t *slot = NULL;
  Status status;
  ALLOC_DONE(start, a.n_start, "slice starts");
  ALLOC_DONE(slot, entries, "slots");
  if (build_sell(p, start, &column, slot) != OK) {
    status_clear();
    why_not(out, "padding makes this too large for SELL");
    status = OK;
    goto done;
  }
  a.n_column = a.n_value = start[a.n_start - 1];
  TRY_DONE(exec_alloc_upload(exec, a.n_start, sizeof *start, start, "slice starts", (void **)&a.start));
  TRY_DONE(exec_alloc_upload(exec, a.n_column, sizeof *column, column, "columns", (void **)&a.column));
  TRY_DONE(fill_sell(exec, value, slot, entries, &a, r->type == CUDA_R_32F));
  if (r->cusparseCreateSlicedEll &&
      r->cusparseCreateSlicedEll(&matrix, n, n, entries, a.n_value, RIVAL_SLICE, a.start, a.column, a.value,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                 r->type) == CUSPARSE_STATUS_SUCCESS)
    out->sell = time_one(r, matrix, CUSPARSE_SPMV_SELL_ALG1);
  if (out->sell <= 0) why_not(out, "this version has no product in SELL");
done:
  if (matrix) r->cusparseDestroySpMat(matrix);
  arrays_release(&a);
  FREE(start);
  FREE(column);
  FREE(slot);
  return status;
}

Status rival_formats(Exec *exec, const Pattern *pattern, const Mat *csr, const double *value, const void *x, void *y,
                     int32_t repeat, RivalTimes *out) {
  *out = (RivalTimes){0};
  if (exec_is_host(exec)) {
    why_not(out, "this run uses the CPU");
    return OK;
  }
  TRY(pattern_fetch(pattern));
  Rival r = {.type = mat_precision(csr) == PRECISION_FLOAT ? CUDA_R_32F : CUDA_R_64F,
             .repeat = repeat > 0 ? repeat : 50};
  Status status = OK;
  if (!rival_open(&r, mat_rows(csr), x, y)) {
    why_not(out, "libcusparse is not there or too old");
  } else {
    status = time_csr(&r, exec, pattern, csr, out);
    if (status == OK) status = time_bsr(&r, exec, pattern, value, out);
    if (status == OK) status = time_sell(&r, exec, pattern, value, out);
  }
  rival_close(&r);
  return status;
}
