/* The step of cells side by side of each model, a function of its own that nothing is inlined into. */
#include "physics/ionic_lanes.h"
#include "physics/ionic_kernels.h"

#define IONIC(name, text, n)                                                                                           \
  void name##_abreast(const IonicConstants *restrict c, const double dt, const double *restrict V,                     \
                      const double *restrict stimulus, const double *restrict from, double *restrict to,               \
                      double *restrict f, double *restrict by_V) {                                                     \
    _Pragma("omp simd") for (int64_t l = 0; l < IONIC_ABREAST; ++l) f[l] =                                             \
        name##_first(c, V[l], stimulus[l], dt, from + l, to + l, IONIC_ABREAST, by_V + l);                             \
  }
#include "physics/ionics.def"
