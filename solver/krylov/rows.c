/* The row kernels of solver/krylov/rows.def for the CPU. */
#include "solver/krylov/rows.h"

#include "core/rows.h"
#include "solver/krylov/rows.def"
