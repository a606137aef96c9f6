/* CUDA launchers of algebra/formats/rows.def. */
#define ROWS_FILE "algebra/formats/rows.def"
#define ROWS_TABLE cuda_kernels_rows_algebra_formats
#include "gpu/rows_launch.cuh"
