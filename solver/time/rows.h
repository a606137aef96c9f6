/* Declares the row kernels of solver/time/rows.def and brings their argument types. */
#pragma once
#define ROWS_DECLARE
#include "core/rows.h"
#include "solver/time/rows.def"
#include "core/rows_end.h"
