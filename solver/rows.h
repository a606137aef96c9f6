/* Declares the row kernels of solver/rows.def and brings their argument types. */
#pragma once
#include "solver/activation_rows.h"
#include "solver/aggregation_rows.h"
#include "solver/amg_rows.h"
#include "solver/block_rows.h"
#include "solver/cocg_rows.h"
#include "solver/evolution_rows.h"
#include "solver/functional_rows.h"
#include "solver/graph_rows.h"
#include "solver/low_bit_rows.h"
#include "solver/many_rows.h"
#include "solver/multigrid_rows.h"
#include "solver/pcg_rows.h"
#include "solver/polynomial_rows.h"
#include "solver/refresh_rows.h"
#include "solver/scaling_rows.h"
#include "solver/ssor_rows.h"
#include "solver/transient_rows.h"

#define ROWS_DECLARE
#include "core/rows.h"
#include "solver/rows.def"
#include "core/rows_end.h"
