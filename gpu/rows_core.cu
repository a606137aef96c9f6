/* CUDA launchers of core/rows.def. */
#if __has_include("core/rows.def")
#define ROWS_FILE "core/rows.def"
#define ROWS_TABLE cuda_kernels_rows_core
#include "gpu/rows_launch.cuh"
#else
#include "gpu/launch.h"
extern "C" const CudaKernel cuda_kernels_rows_core[] = {{nullptr, 0, nullptr}};
#endif
