/* CUDA launchers of solver/multigrid/rows.def. */
#define ROWS_FILE "solver/multigrid/rows.def"
#define ROWS_TABLE cuda_kernels_rows_solver_multigrid
#include "gpu/rows_launch.cuh"
