/* The row kernels of solver/multigrid/rows.def for the CPU. */
#include "solver/multigrid/rows.h"

#include "solver/multigrid/amg_product_spans.h"
#include "core/rows.h"
#include "solver/multigrid/rows.def"
