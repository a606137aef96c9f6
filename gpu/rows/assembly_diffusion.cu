/* CUDA launchers of assembly/diffusion/rows.def. */
#define ROWS_FILE "assembly/diffusion/rows.def"
#define ROWS_TABLE cuda_kernels_rows_assembly_diffusion
#include "gpu/rows_launch.cuh"
