/* Declares the row kernels of algebra/rows.def and brings their argument types. */
#pragma once
#define ROWS_DECLARE
#include "core/rows.h"
#include "algebra/rows.def"
#include "core/rows_end.h"
