/* Makes CUDA launchers of all row kernels in one rows.def. Included once for each LAUNCHERS_OF line of
 * gpu/launchers.def, with
 *   #define ROWS_FILE "solver/krylov/rows.def"
 *   #define ROWS_TABLE cuda_kernels_rows_solver_krylov
 * One row per thread without sums; with sums a fixed number of blocks steps over the rows by the grid, so that few
 * partial sums are left to add (launch.h has the measurement). */
#include "gpu/follow.cuh"
#include "gpu/reduce.cuh"

#define ROWS(NAME, ARGS)
#define ROWS_SUM(NAME, ARGS, N_SUM)
#include ROWS_FILE /* the headers with the bodies, which may forget the macros in turn */
#undef ROWS
#undef ROWS_SUM

/* Threads of a block; a rows.def may set it for some of its rows. */
#define ROWS_BLOCK LAUNCH_BLOCK
/* Blocks of it that a multiprocessor has room for at least, which says how many registers a thread may have; 0: as the compiler chooses. */
#define ROWS_RESIDENT 0
/* The next row of a thread, where n needs more blocks than there may be; a rows.def may say that none of its rows has so many. */
#define ROWS_NEXT i += launch_step()
#define ROWS(NAME, ARGS)                                                                                               \
  static __global__ void __launch_bounds__(ROWS_BLOCK, ROWS_RESIDENT)                                                  \
      NAME##_rows(const __grid_constant__ ARGS a, const int64_t n) {                                                   \
    double none[ROW_SUMS] = {0};                                                                                       \
    follow_let();                                                                                                      \
    for (int64_t i = launch_first(); i < n; ROWS_NEXT) NAME##_body(&a, i, none);                                       \
  }                                                                                                                    \
  static cudaError_t NAME##_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *) {          \
    NAME##_rows<<<launch_blocks(n, ROWS_BLOCK), ROWS_BLOCK, 0, stream>>>(*(const ARGS *)args, n);                      \
    return cudaGetLastError();                                                                                         \
  }
#define ROWS_SUM(NAME, ARGS, N_SUM)                                                                                    \
  static __global__ void __launch_bounds__(LAUNCH_SUM_BLOCK, LAUNCH_SUM_RESIDENT)                                      \
      NAME##_rows(const __grid_constant__ ARGS a, const int64_t n, const __grid_constant__ LaunchScratch scratch) {    \
    double sum[ROW_SUMS] = {0}, total[ROW_SUMS];                                                                       \
    follow_let();                                                                                                      \
    const LaunchRows r = launch_rows(n, scratch);                                                                      \
    for (int64_t i = r.first; i < r.end; i += r.step) NAME##_body(&a, i, sum);                                         \
    if (launch_sums<N_SUM, true>(sum, scratch, total)) NAME##_finish(&a, total);                                       \
  }                                                                                                                    \
  static cudaError_t NAME##_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {   \
    const unsigned blocks =                                                                                            \
        scratch->share ? share_blocks(*scratch) : launch_blocks_limited(n, LAUNCH_SUM_BLOCK, LAUNCH_SUM_BLOCKS);       \
    NAME##_rows<<<blocks, LAUNCH_SUM_BLOCK, 0, stream>>>(*(const ARGS *)args, n, *scratch);                            \
    return cudaGetLastError();                                                                                         \
  }
#include ROWS_FILE
#undef ROWS
#undef ROWS_SUM

#define ROWS(NAME, ARGS) {#NAME, sizeof(ARGS), NAME##_launch, 0},
#define ROWS_SUM(NAME, ARGS, N_SUM) {#NAME, sizeof(ARGS), NAME##_launch, 1},
extern "C" const CudaKernel ROWS_TABLE[] = {
#include ROWS_FILE
    {nullptr, 0, nullptr}};
#undef ROWS
#undef ROWS_SUM
