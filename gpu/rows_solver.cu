/* CUDA launchers of solver/rows.def. */
#if __has_include("solver/rows.def")
#define ROWS_FILE "solver/rows.def"
#define ROWS_TABLE cuda_kernels_rows_solver
#include "gpu/rows_launch.cuh"
#else
#include "gpu/launch.h"
extern "C" const CudaKernel cuda_kernels_rows_solver[] = {{nullptr, 0, nullptr}};
#endif
