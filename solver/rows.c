/* The row kernels of solver/rows.def for the CPU. */
#include "solver/rows.h"

#include "core/rows.h"
#include "solver/rows.def"
