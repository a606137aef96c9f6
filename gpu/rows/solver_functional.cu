/* Many sums of a vector in one launch (solver/time/functional.h): of an ECG of twelve leads 1 in place of 3. */
#include "gpu/follow.cuh"
#include "gpu/reduce.cuh"
#include "solver/time/functional_rows.h"

static_assert(LAUNCH_SUM_BLOCKS * FUNCTIONAL_WIDE <= LAUNCH_MAX_PARTIALS * ROW_SUMS, "room for the partial sums");

static __global__ void __launch_bounds__(LAUNCH_SUM_BLOCK, 2)
    functional_wide_rows(const __grid_constant__ FunctionalWholesArgs a, const int64_t n,
                         const __grid_constant__ LaunchScratch scratch) {
  double sum[FUNCTIONAL_WIDE] = {0}, total[FUNCTIONAL_WIDE];
  follow_let();
  if (*a.when == 0) return; /* in all threads of all blocks */
  for (int64_t i = launch_first(); i < n; i += launch_step()) functional_wide_body(&a, i, sum);
  if (launch_sums<FUNCTIONAL_WIDE>(sum, scratch, total)) functional_wide_finish(&a, total);
}

static cudaError_t functional_wide_launch(cudaStream_t stream, const void *args, int64_t n,
                                          const LaunchScratch *scratch) {
  functional_wide_rows<<<launch_blocks_limited(n, LAUNCH_SUM_BLOCK, LAUNCH_SUM_BLOCKS), LAUNCH_SUM_BLOCK, 0, stream>>>(
      *(const FunctionalWholesArgs *)args, n, *scratch);
  return cudaGetLastError();
}

extern "C" const CudaKernel cuda_kernels_rows_solver_functional[] = {
    {"functional_wide", sizeof(FunctionalWholesArgs), functional_wide_launch, 0}, {nullptr, 0, nullptr, 0}};
