/* The row kernels of algebra/graph/rows.def for the CPU. */
#include "algebra/graph/rows.h"

#include "algebra/graph/graph_set.h"
#include "core/rows.h"
#include "algebra/graph/rows.def"
