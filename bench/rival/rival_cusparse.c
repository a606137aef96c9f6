/* cuSPARSE's CSR product, in benchmarks only: the library is opened at run time, so that Sinew itself never needs
 * it. */
#include "bench/measure.h"
#include "bench/rival/petsc_dump.h"
#include "core/memory.h"

#define DISABLE_CUSPARSE_DEPRECATED
#include <cuda_runtime_api.h>
#include <cusparse.h>
#include <dlfcn.h>
#include <stdio.h>

#define CUSPARSE_FUNCTIONS(X)                                                                                          \
  X(cusparseCreate)                                                                                                    \
  X(cusparseDestroy)                                                                                                   \
  X(cusparseCreateCsr)                                                                                                 \
  X(cusparseDestroySpMat)                                                                                              \
  X(cusparseCreateDnVec)                                                                                               \
  X(cusparseDestroyDnVec)                                                                                              \
  X(cusparseSpMV_bufferSize)                                                                                           \
  X(cusparseSpMV_preprocess)                                                                                           \
  X(cusparseSpMV)

typedef struct Rival {
  void *library;
#define FUNCTION(name) __typeof__(&name) name;
  CUSPARSE_FUNCTIONS(FUNCTION)
#undef FUNCTION
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t x, y;
} Rival;

static bool rival_open(Rival *r, char *why, int size) {
  static const char *const NAMES[] = {"libcusparse.so", "libcusparse.so.12", "libcusparse.so.13", NULL};
  for (int i = 0; NAMES[i] && !r->library; ++i) r->library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL);
  if (!r->library) {
    snprintf(why, (size_t)size, "libcusparse is not installed");
    return false;
  }
#define FUNCTION(name)                                                                                                 \
  *(void **)&r->name = dlsym(r->library, #name);                                                                       \
  if (!r->name) {                                                                                                      \
    snprintf(why, (size_t)size, "libcusparse has no " #name);                                                          \
    return false;                                                                                                      \
  }
  CUSPARSE_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return true;
}

/* Seconds of one product, by the runtime's events in the default stream; 0 when a call failed. */
static double time_one(Rival *r, cusparseSpMVAlg_t algorithm, int32_t repeat) {
  const double one = 1, zero = 0;
  size_t bytes = 0;
  void *buffer = NULL;
  cudaEvent_t start = NULL, end = NULL;
  float ms = 0;
  bool ok = r->cusparseSpMV_bufferSize(r->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, r->a, r->x, &zero, r->y,
                                       CUDA_R_64F, algorithm, &bytes) == CUSPARSE_STATUS_SUCCESS;
  ok = ok && cudaMalloc(&buffer, bytes ? bytes : 1) == cudaSuccess && cudaEventCreate(&start) == cudaSuccess &&
       cudaEventCreate(&end) == cudaSuccess;
  ok = ok && r->cusparseSpMV_preprocess(r->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, r->a, r->x, &zero, r->y,
                                        CUDA_R_64F, algorithm, buffer) == CUSPARSE_STATUS_SUCCESS;
  for (int32_t i = -2; ok && i < repeat; ++i) {
    if (i == 0) ok = cudaEventRecord(start, NULL) == cudaSuccess;
    ok = ok && r->cusparseSpMV(r->handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, r->a, r->x, &zero, r->y, CUDA_R_64F,
                               algorithm, buffer) == CUSPARSE_STATUS_SUCCESS;
  }
  ok = ok && cudaEventRecord(end, NULL) == cudaSuccess && cudaEventSynchronize(end) == cudaSuccess &&
       cudaEventElapsedTime(&ms, start, end) == cudaSuccess;
  if (start) cudaEventDestroy(start);
  if (end) cudaEventDestroy(end);
  cudaFree(buffer);
  return ok ? 1e-3 * (double)ms / repeat : 0;
}

static bool rival_describe(Rival *r, int64_t n, int64_t entries, int32_t *start, int32_t *column, const Mat *csr,
                           const double *x, double *y) {
  return r->cusparseCreate(&r->handle) == CUSPARSE_STATUS_SUCCESS &&
         r->cusparseCreateCsr(&r->a, n, n, entries, start, column, mat_values(csr), CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS &&
         r->cusparseCreateDnVec(&r->x, n, (void *)(uintptr_t)x, CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS &&
         r->cusparseCreateDnVec(&r->y, n, y, CUDA_R_64F) == CUSPARSE_STATUS_SUCCESS;
}

static void rival_close(Rival *r) {
  if (r->a) r->cusparseDestroySpMat(r->a);
  if (r->x) r->cusparseDestroyDnVec(r->x);
  if (r->y) r->cusparseDestroyDnVec(r->y);
  if (r->handle) r->cusparseDestroy(r->handle);
  if (r->library) dlclose(r->library);
}

Status rival_csr(Exec *exec, const Pattern *pattern, const Mat *csr, const double *x, double *y, int32_t repeat,
                 double *seconds, char *why, int size) {
  *seconds = 0;
  if (exec_is_host(exec)) {
    snprintf(why, (size_t)size, "this run uses the CPU");
    return OK;
  }
  int32_t *start = NULL, *column = NULL, *there_start = NULL, *there_column = NULL;
  const int64_t n = (int64_t)pattern->n * pattern->block;
  int64_t entries = 0;
  Rival r = {0};
  Status status;
  TRY_DONE(pattern_scalar_csr(pattern, &start, &column));
  entries = start[n];
  TRY_DONE(exec_alloc_upload(exec, n + 1, sizeof *start, start, "row starts", (void **)&there_start));
  TRY_DONE(exec_alloc_upload(exec, entries, sizeof *column, column, "columns", (void **)&there_column));
  TRY_DONE(exec_sync(exec));
  if (!rival_open(&r, why, size)) goto done;
  if (!rival_describe(&r, n, entries, there_start, there_column, csr, x, y)) {
    snprintf(why, (size_t)size, "a call of cuSPARSE failed");
    goto done;
  }
  const double first = time_one(&r, CUSPARSE_SPMV_CSR_ALG1, repeat > 0 ? repeat : 50);
  const double second = time_one(&r, CUSPARSE_SPMV_CSR_ALG2, repeat > 0 ? repeat : 50);
  *seconds = first > 0 && (second <= 0 || first < second) ? first : second;
  if (*seconds <= 0) snprintf(why, (size_t)size, "a call of cuSPARSE failed");
done:
  rival_close(&r);
  exec_release(exec, n + 1, sizeof *start, (void **)&there_start);
  exec_release(exec, entries, sizeof *column, (void **)&there_column);
  FREE(start);
  FREE(column);
  return status;
}
