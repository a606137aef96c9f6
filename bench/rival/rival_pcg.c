/* Jacobi-PCG as a user of cuSPARSE and cuBLAS writes it, for comparison in benchmarks only: the libraries are opened at
 * run time, so that Sinew itself never needs them. Two ways: scalars on the host, where each dot product waits for the
 * GPU; and scalars on the device (alpha and beta divided by a triangular solve of size one), where the host looks at
 * the residual every 16 iterations. Calls per iteration: 9 and 14. */
#include "bench/pcg/pcg.h"
#include "bench/rival/petsc_dump.h"
#include "core/memory.h"

#define DISABLE_CUSPARSE_DEPRECATED
#include <cublas_v2.h>
#include <cusparse.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

#define SPARSE_FUNCTIONS(X)                                                                                            \
  X(cusparseCreate)                                                                                                    \
  X(cusparseDestroy)                                                                                                   \
  X(cusparseCreateCsr)                                                                                                 \
  X(cusparseDestroySpMat)                                                                                              \
  X(cusparseCreateDnVec)                                                                                               \
  X(cusparseDestroyDnVec)                                                                                              \
  X(cusparseSetPointerMode)                                                                                            \
  X(cusparseSpMV_bufferSize)                                                                                           \
  X(cusparseSpMV)
#define BLAS_FUNCTIONS(X)                                                                                              \
  X(cublasCreate_v2)                                                                                                   \
  X(cublasDestroy_v2)                                                                                                  \
  X(cublasSetPointerMode_v2)                                                                                           \
  X(cublasGetVector)                                                                                                   \
  X(cublasDdot_v2)                                                                                                     \
  X(cublasDaxpy_v2)                                                                                                    \
  X(cublasDscal_v2)                                                                                                    \
  X(cublasDcopy_v2)                                                                                                    \
  X(cublasDdgmm)                                                                                                       \
  X(cublasDtrsv_v2)

enum { MOST = 200000, CHECKED_EVERY = 16 };
/* Scalars on the device. */
typedef enum Scalar { ONE, MINUS_ONE, ZERO, RZ, RZ_NEW, PAP, ALPHA, MINUS_ALPHA, BETA, RR, N_SCALAR } Scalar;

typedef struct Library {
  void *sparse_library, *blas_library;
#define FUNCTION(name) __typeof__(&name) name;
  SPARSE_FUNCTIONS(FUNCTION)
  BLAS_FUNCTIONS(FUNCTION)
#undef FUNCTION
  cusparseHandle_t sparse;
  cublasHandle_t blas;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t p_vector, q_vector;
  Exec *exec;
  int n;
  int64_t entries;
  int32_t *start, *column; /* on the Exec, as all below */
  double *inverse, *r, *z, *p, *q, *x, *scalar;
  const double *b;
  char *buffer;
  size_t buffer_bytes;
} Library;

static bool open_one(void **library, const char *const *names) {
  for (; *names && !*library; ++names) *library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
  return *library != NULL;
}

static bool open_libraries(Library *l, char *why) {
  static const char *const sparse[] = {"libcusparse.so", "libcusparse.so.12", "libcusparse.so.13", NULL};
  static const char *const blas[] = {"libcublas.so", "libcublas.so.12", "libcublas.so.13", NULL};
  if (!open_one(&l->sparse_library, sparse) || !open_one(&l->blas_library, blas)) {
    snprintf(why, PCG_TEXT, "%s is not installed", l->sparse_library ? "libcublas" : "libcusparse");
    return false;
  }
#define FUNCTION(name)                                                                                                 \
  *(void **)&l->name = dlsym(from, #name);                                                                             \
  if (!l->name) {                                                                                                      \
    snprintf(why, PCG_TEXT, "the library has no " #name);                                                              \
    return false;                                                                                                      \
  }
  void *from = l->sparse_library;
  SPARSE_FUNCTIONS(FUNCTION)
  from = l->blas_library;
  BLAS_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return true;
}

static bool sparse_ok(cusparseStatus_t status) { return status == CUSPARSE_STATUS_SUCCESS; }
static bool blas_ok(cublasStatus_t status) { return status == CUBLAS_STATUS_SUCCESS; }

static bool multiply(Library *l, const double *one, const double *zero) {
  return sparse_ok(l->cusparseSpMV(l->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, one, l->a, l->p_vector, zero,
                                   l->q_vector, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, l->buffer));
}

static bool precondition(Library *l) {
  return blas_ok(l->cublasDdgmm(l->blas, CUBLAS_SIDE_LEFT, l->n, 1, l->r, l->n, l->inverse, 1, l->z, l->n));
}

/* r = b, z = M r, p = z; x is zero already. Works in both pointer modes: no scalars. */
static bool begin(Library *l) {
  return blas_ok(l->cublasDcopy_v2(l->blas, l->n, l->b, 1, l->r, 1)) && precondition(l) &&
         blas_ok(l->cublasDcopy_v2(l->blas, l->n, l->z, 1, l->p, 1));
}

static bool dot(Library *l, const double *x, const double *y, double *out) {
  return blas_ok(l->cublasDdot_v2(l->blas, l->n, x, 1, y, 1, out));
}

/* Iterations, 0 when a call failed. */
static int64_t run_host(Library *l, double limit) {
  const double one = 1, zero = 0;
  double rz, rr = HUGE_VAL;
  bool ok = blas_ok(l->cublasSetPointerMode_v2(l->blas, CUBLAS_POINTER_MODE_HOST)) &&
            sparse_ok(l->cusparseSetPointerMode(l->sparse, CUSPARSE_POINTER_MODE_HOST)) && begin(l) &&
            dot(l, l->r, l->z, &rz);
  int64_t k = 0;
  while (ok && k < MOST && rr > limit) {
    double pap = 1, rz_new = 0;
    ok = multiply(l, &one, &zero) && dot(l, l->p, l->q, &pap);
    const double alpha = rz / pap, minus = -alpha;
    ok = ok && blas_ok(l->cublasDaxpy_v2(l->blas, l->n, &alpha, l->p, 1, l->x, 1)) &&
         blas_ok(l->cublasDaxpy_v2(l->blas, l->n, &minus, l->q, 1, l->r, 1)) && dot(l, l->r, l->r, &rr) &&
         precondition(l) && dot(l, l->r, l->z, &rz_new);
    const double beta = rz_new / rz;
    rz = rz_new;
    ok = ok && blas_ok(l->cublasDscal_v2(l->blas, l->n, &beta, l->p, 1)) &&
         blas_ok(l->cublasDaxpy_v2(l->blas, l->n, &one, l->z, 1, l->p, 1));
    k += 1;
  }
  return ok && rr <= limit ? k : 0;
}

/* to = over / under, all on the device. */
static bool divide(Library *l, Scalar to, Scalar over, Scalar under) {
  double *s = l->scalar;
  return blas_ok(l->cublasDcopy_v2(l->blas, 1, s + over, 1, s + to, 1)) &&
         blas_ok(l->cublasDtrsv_v2(l->blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 1, s + under, 1,
                                   s + to, 1));
}

static bool turn_on_device(Library *l) {
  double *s = l->scalar;
  return multiply(l, s + ONE, s + ZERO) && dot(l, l->p, l->q, s + PAP) && divide(l, ALPHA, RZ, PAP) &&
         blas_ok(l->cublasDcopy_v2(l->blas, 1, s + ALPHA, 1, s + MINUS_ALPHA, 1)) &&
         blas_ok(l->cublasDscal_v2(l->blas, 1, s + MINUS_ONE, s + MINUS_ALPHA, 1)) &&
         blas_ok(l->cublasDaxpy_v2(l->blas, l->n, s + ALPHA, l->p, 1, l->x, 1)) &&
         blas_ok(l->cublasDaxpy_v2(l->blas, l->n, s + MINUS_ALPHA, l->q, 1, l->r, 1)) && dot(l, l->r, l->r, s + RR) &&
         precondition(l) && dot(l, l->r, l->z, s + RZ_NEW) && divide(l, BETA, RZ_NEW, RZ) &&
         blas_ok(l->cublasDcopy_v2(l->blas, 1, s + RZ_NEW, 1, s + RZ, 1)) &&
         blas_ok(l->cublasDscal_v2(l->blas, l->n, s + BETA, l->p, 1)) &&
         blas_ok(l->cublasDaxpy_v2(l->blas, l->n, s + ONE, l->z, 1, l->p, 1));
}

static int64_t run_device(Library *l, double limit) {
  double rr = HUGE_VAL;
  bool ok = blas_ok(l->cublasSetPointerMode_v2(l->blas, CUBLAS_POINTER_MODE_DEVICE)) &&
            sparse_ok(l->cusparseSetPointerMode(l->sparse, CUSPARSE_POINTER_MODE_DEVICE)) && begin(l) &&
            dot(l, l->r, l->z, l->scalar + RZ);
  int64_t k = 0;
  while (ok && k < MOST && rr > limit) {
    for (int i = 0; ok && i < CHECKED_EVERY; ++i, ++k) ok = turn_on_device(l);
    ok = ok && blas_ok(l->cublasGetVector(1, sizeof rr, l->scalar + RR, 1, &rr, 1));
  }
  return ok && rr <= limit ? k : 0;
}

static Status allocate(Library *l, const Pattern *pattern, const Mat *csr) {
  static const double constants[N_SCALAR] = {[ONE] = 1, [MINUS_ONE] = -1};
  int32_t *start = NULL, *column = NULL;
  double *diagonal = NULL;
  Exec *exec = l->exec;
  Status status;
  TRY_DONE(pattern_scalar_csr(pattern, &start, &column));
  l->entries = start[l->n];
  TRY_DONE(exec_alloc_upload(exec, l->n + 1, sizeof *start, start, "row starts", (void **)&l->start));
  TRY_DONE(exec_alloc_upload(exec, l->entries, sizeof *column, column, "columns", (void **)&l->column));
  double **const vector[] = {&l->inverse, &l->r, &l->z, &l->p, &l->q};
  for (int i = 0; i < 5; ++i) TRY_DONE(exec_alloc(exec, l->n, sizeof(double), "library PCG", (void **)vector[i]));
  TRY_DONE(exec_alloc_upload(exec, N_SCALAR, sizeof(double), constants, "library PCG", (void **)&l->scalar));
  ALLOC_DONE(diagonal, l->n, "diagonal");
  TRY_DONE(mat_diagonal(csr, l->inverse));
  TRY_DONE(exec_download(exec, diagonal, l->inverse, (size_t)l->n * sizeof *diagonal));
  for (int i = 0; i < l->n; ++i) diagonal[i] = 1 / diagonal[i];
  TRY_DONE(exec_upload(exec, l->inverse, diagonal, (size_t)l->n * sizeof *diagonal));
done:
  FREE(diagonal);
  FREE(start);
  FREE(column);
  return status;
}

static bool describe(Library *l, const Mat *csr) {
  const double one = 1, zero = 0;
  return sparse_ok(l->cusparseCreate(&l->sparse)) && blas_ok(l->cublasCreate_v2(&l->blas)) &&
         sparse_ok(l->cusparseCreateCsr(&l->a, l->n, l->n, l->entries, l->start, l->column, mat_values(csr),
                                        CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                        CUDA_R_64F)) &&
         sparse_ok(l->cusparseCreateDnVec(&l->p_vector, l->n, l->p, CUDA_R_64F)) &&
         sparse_ok(l->cusparseCreateDnVec(&l->q_vector, l->n, l->q, CUDA_R_64F)) &&
         sparse_ok(l->cusparseSpMV_bufferSize(l->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, l->a, l->p_vector,
                                              &zero, l->q_vector, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                                              &l->buffer_bytes));
}

static void release(Library *l) {
  Exec *exec = l->exec;
  if (l->a) l->cusparseDestroySpMat(l->a);
  if (l->p_vector) l->cusparseDestroyDnVec(l->p_vector);
  if (l->q_vector) l->cusparseDestroyDnVec(l->q_vector);
  if (l->sparse) l->cusparseDestroy(l->sparse);
  if (l->blas) l->cublasDestroy_v2(l->blas);
  if (l->sparse_library) dlclose(l->sparse_library);
  if (l->blas_library) dlclose(l->blas_library);
  EXEC_RELEASE(exec, l->start, l->n + 1);
  EXEC_RELEASE(exec, l->column, l->entries);
  double **const vector[] = {&l->inverse, &l->r, &l->z, &l->p, &l->q};
  for (int i = 0; i < 5; ++i) EXEC_RELEASE(exec, *vector[i], l->n);
  EXEC_RELEASE(exec, l->scalar, N_SCALAR);
  EXEC_RELEASE(exec, l->buffer, l->buffer_bytes);
}

/* One solve from zero; cublasGetVector, a blocking copy, is the clock's end. */
static Status time_one(Library *l, bool on_device, double limit, int64_t *iterations, double *seconds) {
  double last;
  TRY(exec_zero(l->exec, l->x, (size_t)l->n * sizeof *l->x));
  TRY(exec_sync(l->exec));
  const double start = bench_now();
  *iterations = on_device ? run_device(l, limit) : run_host(l, limit);
  if (*iterations && !blas_ok(l->cublasGetVector(1, sizeof last, l->x, 1, &last, 1))) *iterations = 0;
  *seconds = bench_now() - start;
  return OK;
}

static Status time_both(Library *l, double rtol, RivalSolve *out) {
  double bb = 0;
  if (!blas_ok(l->cublasSetPointerMode_v2(l->blas, CUBLAS_POINTER_MODE_HOST)) || !dot(l, l->b, l->b, &bb)) {
    snprintf(out->why, sizeof out->why, "a call of cuBLAS failed");
    return OK;
  }
  for (int i = 0; i < 4; ++i) { /* the first of each kind warms up */
    const bool on_device = i % 2;
    int64_t iterations;
    double seconds;
    TRY(time_one(l, on_device, rtol * rtol * bb, &iterations, &seconds));
    if (i < 2 || !iterations || (out->seconds > 0 && out->seconds <= seconds)) continue;
    out->iterations = iterations;
    out->seconds = seconds;
    out->on_device = on_device;
  }
  if (out->seconds <= 0) snprintf(out->why, sizeof out->why, "a call failed, or no convergence in %d iterations", MOST);
  return OK;
}

Status rival_pcg(Exec *exec, const Pattern *pattern, const Mat *csr, const double *b, double *x, double rtol,
                 RivalSolve *out) {
  *out = (RivalSolve){0};
  if (exec_is_host(exec)) {
    snprintf(out->why, sizeof out->why, "this run uses the CPU");
    return OK;
  }
  Library l = {.exec = exec, .n = (int)mat_rows(csr), .b = b, .x = x};
  Status status = OK;
  if (!open_libraries(&l, out->why)) goto done;
  TRY_DONE(allocate(&l, pattern, csr));
  TRY_DONE(exec_sync(exec));
  if (!describe(&l, csr)) {
    snprintf(out->why, sizeof out->why, "a call of cuSPARSE or cuBLAS failed");
    goto done;
  }
  TRY_DONE(exec_alloc(exec, (int64_t)l.buffer_bytes, 1, "library PCG", (void **)&l.buffer));
  TRY_DONE(exec_sync(exec));
  TRY_DONE(time_both(&l, rtol, out));
done:
  release(&l);
  return status;
}
