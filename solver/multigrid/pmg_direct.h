/* What pmg may have below the linear elements in place of amg: a sparse direct solve on the CPU, as in the paper
 * multilevel-pcg-sliced-ellr-t. A type of preconditioner that is not in the registry. */
#pragma once
#include "solver/precond/precond.h"

extern const PrecondType pmg_direct_precond;
#define PMG_DIRECT_NAME "cholmod"
