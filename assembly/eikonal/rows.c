/* The row kernels of assembly/eikonal/rows.def for the CPU. */
#include "assembly/eikonal/rows.h"

#include "core/rows.h"
#include "assembly/eikonal/rows.def"
