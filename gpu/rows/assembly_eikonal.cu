/* CUDA launchers of assembly/eikonal/rows.def. */
#define ROWS_FILE "assembly/eikonal/rows.def"
#define ROWS_TABLE cuda_kernels_rows_assembly_eikonal
#include "gpu/rows_launch.cuh"
