/* Declares the row kernels of solver/krylov/rows.def and brings their argument types. */
#pragma once
#define ROWS_DECLARE
#include "core/rows.h"
#include "solver/krylov/rows.def"
#include "core/rows_end.h"
