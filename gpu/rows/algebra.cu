/* CUDA launchers of algebra/rows.def. */
#define ROWS_FILE "algebra/rows.def"
#define ROWS_TABLE cuda_kernels_rows_algebra
#include "gpu/rows_launch.cuh"
