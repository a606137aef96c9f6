/* The row kernels of solver/multigrid/rows.def for the CPU. */
#include "solver/multigrid/rows.h"

#include "core/rows.h"
#include "solver/multigrid/rows.def"
