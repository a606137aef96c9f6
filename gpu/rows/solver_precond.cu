/* CUDA launchers of solver/precond/rows.def. */
#define ROWS_FILE "solver/precond/rows.def"
#define ROWS_TABLE cuda_kernels_rows_solver_precond
#include "gpu/rows_launch.cuh"
