/* The row kernels of assembly/monodomain/rows.def for the CPU. */
#include "assembly/monodomain/monodomain_lanes.h"
#include "assembly/monodomain/rows.h"

#include "core/rows.h"
#include "assembly/monodomain/rows.def"
