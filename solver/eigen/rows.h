/* Declares the row kernels of solver/eigen/rows.def and brings their argument types. */
#pragma once
#define ROWS_DECLARE
#include "core/rows.h"
#include "solver/eigen/rows.def"
#include "core/rows_end.h"
