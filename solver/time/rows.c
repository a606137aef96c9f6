/* The row kernels of solver/time/rows.def for the CPU. */
#include "solver/time/rows.h"

#include "core/rows.h"
#include "solver/time/rows.def"
