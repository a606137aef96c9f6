/* CUDA launchers of assembly/elasticity/rows.def. */
#define ROWS_FILE "assembly/elasticity/rows.def"
#define ROWS_TABLE cuda_kernels_rows_assembly_elasticity
#include "gpu/rows_launch.cuh"
