/* Declares the row kernels of assembly/eikonal/rows.def and brings their argument types. */
#pragma once
#define ROWS_DECLARE
#include "core/rows.h"
#include "assembly/eikonal/rows.def"
#include "core/rows_end.h"
