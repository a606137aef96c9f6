/* The materials at finite strain in long double, to hold those in double against. */
#pragma once
#include <stdbool.h>

typedef long double Wide;
/* H[9] -> W, P[9] and, where not NULL, A[81]; what material_point returns. */
int wide_point(int kind, const Wide *law, const Wide *H, bool plane_stress, Wide *W, Wide *P, Wide *A);
