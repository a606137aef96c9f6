/* CUDA launchers of assembly/space/rows.def. */
#define ROWS_FILE "assembly/space/rows.def"
#define ROWS_TABLE cuda_kernels_rows_assembly_space
#include "gpu/rows_launch.cuh"
