/* The row kernels of assembly/space/rows.def for the CPU. */
#include "assembly/space/rows.h"

#include "core/rows.h"
#include "assembly/space/rows.def"
