/* Smoothers of a multigrid cycle: polynomials in a matrix whose diagonal blocks are 1, one step a product:
 *   x_(k+1) = x_k + a_k (x_k - x_(k-1)) + b_k (b - A x_k), a_0 = 0
 * A smoother is a file that fills in the numbers and a line in smoothers.def. */
#pragma once
#include <stdint.h>

enum { SMOOTHER_DEGREE_MAX = 8 };
typedef struct SmootherSteps {
  double a[SMOOTHER_DEGREE_MAX], b[SMOOTHER_DEGREE_MAX];
} SmootherSteps;

/* `bound`: an upper bound of the spectrum. The error must be reduced, |1 - t s(t)| < 1, on all of (0, bound]. */
typedef struct Smoother {
  void (*find)(int32_t degree, double bound, SmootherSteps *out);
} Smoother;

/* How many there are, for tables; and their names, each followed by a bar, as words of a Param (core/param.h). */
enum {
  SMOOTHER_COUNT = 0
#define SMOOTHER(id, name, meaning) +1
#include "solver/multigrid/smoothers.def"
#undef SMOOTHER
};
extern const char SMOOTHER_WORDS[];

int32_t smoother_count(void);
const char *smoother_name(int32_t i);
const Smoother *smoother_type(int32_t i); /* NULL when there is none */
