/* CUDA launchers of assembly/monodomain/rows.def. */
#define ROWS_FILE "assembly/monodomain/rows.def"
#define ROWS_TABLE cuda_kernels_rows_assembly_monodomain
#include "gpu/rows_launch.cuh"
