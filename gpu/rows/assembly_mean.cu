/* CUDA launchers of assembly/elasticity/mean.def. */
#define ROWS_FILE "assembly/elasticity/mean.def"
#define ROWS_TABLE cuda_kernels_rows_assembly_mean
#include "gpu/rows_launch.cuh"
