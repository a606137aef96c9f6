/* Declares the row kernels of assembly/elasticity/mean.def. */
#pragma once
#define ROWS_DECLARE
#include "core/rows.h"
#include "assembly/elasticity/mean.def"
#include "core/rows_end.h"
/* The heads of elements at args->e.u, where they are kept: before each kernel here that has args. */
Status mean_heads(Exec *exec, const PointArgs *args);
/* For CPUs: rows as of point_pairs. */
extern const RowKernel mean_pairs_kernel;
