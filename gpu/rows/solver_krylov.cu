/* CUDA launchers of solver/krylov/rows.def. */
#define ROWS_FILE "solver/krylov/rows.def"
#define ROWS_TABLE cuda_kernels_rows_solver_krylov
#include "gpu/rows_launch.cuh"
