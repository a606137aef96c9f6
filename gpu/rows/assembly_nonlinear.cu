/* CUDA launchers of assembly/elasticity/nonlinear.def. */
#define ROWS_FILE "assembly/elasticity/nonlinear.def"
#define ROWS_TABLE cuda_kernels_rows_assembly_nonlinear
#include "gpu/rows_launch.cuh"
