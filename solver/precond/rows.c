/* The row kernels of solver/precond/rows.def for the CPU. */
#include "solver/precond/rows.h"

#include "core/rows.h"
#include "solver/precond/rows.def"
