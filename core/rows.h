/* Turns a folder's rows.def into row kernels for the CPU. rows.def starts with the #include lines of the headers that
 * hold the bodies (they have #pragma once), then one ROWS or ROWS_SUM line per kernel; nvcc compiles the same file
 * (gpu/launchers.def). CMake writes the folder's rows.h, which declares the kernels, and its rows.c (sinew_rows); a folder
 * with loops of its own for the CPU writes rows.c by hand:
 *   #include "solver/eigen/rows.h"
 *   #include "core/rows.h"
 *   #include "solver/eigen/eigen_spans.h"
 *   #include "solver/eigen/rows.def"
 * Where rows.h is not used, kernels are declared by:
 *   #define ROWS_DECLARE
 *   #include "core/rows.h"
 *   #include "core/rows.def"
 *   #include "core/rows_end.h"
 */
#include "core/exec.h"
#undef ROWS
#undef ROWS_SUM
#undef ROWS_SPAN
#ifdef ROWS_DECLARE
#define ROWS(NAME, ARGS) extern const RowKernel NAME##_kernel;
#define ROWS_SUM(NAME, ARGS, N_SUM) extern const RowKernel NAME##_kernel;
#define ROWS_SPAN(NAME, ARGS) ROWS(NAME, ARGS)
#else
#define ROWS_RANGE(NAME, ARGS)                                                                                         \
  static void NAME##_range(const void *args, int64_t begin, int64_t end, double *sum) {                                \
    const ARGS a = *(const ARGS *)args;                                                                                \
    double s[ROW_SUMS] = {0};                                                                                          \
    for (int64_t i = begin; i < end; ++i) NAME##_body(&a, i, s);                                                       \
    for (int k = 0; k < ROW_SUMS; ++k) sum[k] += s[k];                                                                 \
  }
#define ROWS(NAME, ARGS)                                                                                               \
  ROWS_RANGE(NAME, ARGS)                                                                                               \
  const RowKernel NAME##_kernel = {#NAME, 0, sizeof(ARGS), NAME##_range, 0};
#define ROWS_SPAN(NAME, ARGS)                                                                                          \
  static void NAME##_range(const void *args, int64_t begin, int64_t end, double *sum) {                                \
    const ARGS a = *(const ARGS *)args;                                                                                \
    (void)sum;                                                                                                         \
    NAME##_span(&a, begin, end);                                                                                       \
  }                                                                                                                    \
  const RowKernel NAME##_kernel = {#NAME, 0, sizeof(ARGS), NAME##_range, 0};
#define ROWS_SUM(NAME, ARGS, N_SUM)                                                                                    \
  ROWS_RANGE(NAME, ARGS)                                                                                               \
  static void NAME##_end(const void *args, const double *sum) { NAME##_finish((const ARGS *)args, sum); }              \
  const RowKernel NAME##_kernel = {#NAME, N_SUM, sizeof(ARGS), NAME##_range, NAME##_end};
#endif
