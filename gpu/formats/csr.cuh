/* The sum of a row of CSR by a team of 1, 2, 4 ... 32 threads of a warp, which read its entries side by side and add
 * their parts by shuffles in a fixed order. Values pass by the caches where a team reads whole sectors of 32 bytes at a
 * time; smaller ones come back to a sector, which must wait in the cache. */
#pragma once
#include "gpu/formats/spmv.cuh"

/* Row i, complete in the team's first thread; whole warps must come here. Rows from n on are empty, for teams that only
 * keep company. */
template <typename T, typename LOAD>
__device__ __forceinline__ double csr_sum(const MatView &m, const T *__restrict__ v, int64_t i, int64_t n,
                                          const int team, int member) {
  const T *__restrict__ value = (const T *)m.value;
  const bool sectors = team * sizeof(T) >= 32;
  double s = 0;
  if (i < n) {
    const int64_t end = LOAD::again(m.start + i + 1);
#pragma unroll 4
    for (int64_t k = LOAD::again(m.start + i) + member; k < end; k += team)
      s += (double)(sectors ? LOAD::once(value + k) : LOAD::again(value + k)) *
           (double)LOAD::again(v + LOAD::again(m.column + k));
  }
#pragma unroll
  for (int offset = team / 2; offset > 0; offset /= 2) s += __shfl_down_sync(0xffffffffu, s, offset, team);
  return s;
}
