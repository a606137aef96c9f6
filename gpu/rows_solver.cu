/* CUDA launchers of solver/rows.def. */
#define ROWS_FILE "solver/rows.def"
#define ROWS_TABLE cuda_kernels_rows_solver
#include "gpu/rows_launch.cuh"
