/* As many parts as OpenMP has threads, or one. */
#include "core/parts.h"

#ifdef _OPENMP
#include <omp.h>
#endif

int parts_of(int64_t n) {
#ifdef _OPENMP
  return n < PART_WORTH || omp_in_parallel() ? 1 : omp_get_max_threads();
#else
  (void)n;
  return 1;
#endif
}
