/* The row kernels of solver/eigen/rows.def for the CPU. */
#include "solver/eigen/rows.h"

#include "core/rows.h"
#include "solver/eigen/eigen_spans.h"
#include "solver/eigen/rows.def"
