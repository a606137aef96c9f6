/* CUDA launchers of assembly/rows.def. */
#define ROWS_FILE "assembly/rows.def"
#define ROWS_TABLE cuda_kernels_rows_assembly
#include "gpu/rows_launch.cuh"
