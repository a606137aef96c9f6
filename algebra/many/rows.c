/* The row kernels of algebra/many/rows.def for the CPU. */
#include "algebra/many/rows.h"

#include "core/rows.h"
#include "algebra/many/rows.def"
