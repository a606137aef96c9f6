/* CUDA launchers of core/rows.def. */
#define ROWS_FILE "core/rows.def"
#define ROWS_TABLE cuda_kernels_rows_core
#include "gpu/rows_launch.cuh"
