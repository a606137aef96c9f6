/* CUDA launchers of assembly/rows.def. */
#if __has_include("assembly/rows.def")
#define ROWS_FILE "assembly/rows.def"
#define ROWS_TABLE cuda_kernels_rows_assembly
#include "gpu/rows_launch.cuh"
#else
#include "gpu/launch.h"
extern "C" const CudaKernel cuda_kernels_rows_assembly[] = {{nullptr, 0, nullptr}};
#endif
