/* The materials in long double: the same text, compiled once more. */
#include "tests/physics/wide.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define double long double
#define log1p log1pl
#define expm1 expm1l
#define exp expl
#define log logl
#define sqrt sqrtl
#define fabs fabsl
#define fmax fmaxl
#define fmin fminl
#define sinh sinhl
#define pow powl
#define tanh tanhl
#include "physics/material_kernels.h"

int wide_point(int kind, const Wide *law, const Wide *H, bool plane_stress, Wide *W, Wide *P, Wide *A) {
  PointIn in = {.H = H, .axes = law + LAW_AXES, .finite = true, .plane_stress = plane_stress};
  PointOut out = {.A = A};
  const int failed = material_point(kind, law, &in, &out);
  *W = out.energy;
  for (int k = 0; k < 9; ++k) P[k] = out.P[k];
  return failed;
}
