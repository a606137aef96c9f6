/* The row kernels of assembly/diffusion/ for the CPU, with ranges of whole elements (diffusion_range.h). */
#include "assembly/diffusion/diffusion_range.h"
#include "assembly/diffusion/rows.h"

#include "core/rows.h"
#define ROWS_OWN_RANGE(NAME, ARGS) const RowKernel NAME##_kernel = {#NAME, 0, sizeof(ARGS), NAME##_range, 0};
#include "assembly/diffusion/rows.def"
