/* CUDA launchers of algebra/many/rows.def. */
#define ROWS_FILE "algebra/many/rows.def"
#define ROWS_TABLE cuda_kernels_rows_algebra_many
#include "gpu/rows_launch.cuh"
