/* The row kernels of assembly/: bodies and declarations. */
#pragma once
#define ROWS_DECLARE
#include "core/rows.h"
#include "assembly/rows.def"
#include "core/rows_end.h"
