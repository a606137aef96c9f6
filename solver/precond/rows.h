/* Declares the row kernels of solver/precond/rows.def and brings their argument types. */
#pragma once
#define ROWS_DECLARE
#include "core/rows.h"
#include "solver/precond/rows.def"
#include "core/rows_end.h"
