/* CUDA launchers of assembly/elasticity/bubble.def. */
#define ROWS_FILE "assembly/elasticity/bubble.def"
#define ROWS_TABLE cuda_kernels_rows_assembly_bubble
#include "gpu/rows_launch.cuh"
