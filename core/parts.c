/* As many parts as OpenMP has threads. */
#include "core/parts.h"

#ifdef _OPENMP
#include <omp.h>
#endif

int parts_of(int64_t n) {
#ifdef _OPENMP
  const int64_t most = n / PART_WORTH + 1;
  const int threads = omp_in_parallel() ? 1 : omp_get_max_threads();
  return most < threads ? (int)most : threads;
#else
  (void)n;
  return 1;
#endif
}
