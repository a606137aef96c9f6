/* The row kernels of algebra/rows.def for the CPU. */
#include "algebra/rows.h"

#include "core/rows.h"
#include "algebra/rows.def"
