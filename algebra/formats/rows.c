/* The row kernels of algebra/formats/rows.def for the CPU. */
#include "algebra/formats/rows.h"

#include "core/rows.h"
#include "algebra/formats/rows.def"
