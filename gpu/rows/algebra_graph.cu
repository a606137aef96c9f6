/* CUDA launchers of algebra/graph/rows.def. */
#define ROWS_FILE "algebra/graph/rows.def"
#define ROWS_TABLE cuda_kernels_rows_algebra_graph
#include "gpu/rows_launch.cuh"
