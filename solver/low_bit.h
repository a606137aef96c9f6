/* Values in 16 or 8 bits on the structure of SBELL, for mat.c and sbell.c. */
#pragma once
#include "solver/mat_format.h"

extern const MatLow low_bit;
