/* CUDA launchers of solver/time/rows.def. */
#define ROWS_FILE "solver/time/rows.def"
#define ROWS_TABLE cuda_kernels_rows_solver_time
#include "gpu/rows_launch.cuh"
