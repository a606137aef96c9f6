/* CUDA launchers of solver/eigen/rows.def. */
#define ROWS_FILE "solver/eigen/rows.def"
#define ROWS_TABLE cuda_kernels_rows_solver_eigen
#include "gpu/rows_launch.cuh"
