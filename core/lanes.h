/* Things side by side in a vector register: what is done to one is done to all, and no sum goes over them. As many as a
 * register holds, or nine sums at once do not stay in registers: twice that takes three times as long (AVX2). */
#pragma once

#ifdef __AVX512F__
enum { LANES = 8 };
#else
enum { LANES = 4 };
#endif
typedef double Lanes[LANES];
/* The same in registers, and a view of Lanes. */
typedef double LaneSum __attribute__((vector_size(sizeof(Lanes)), aligned(sizeof(double)), may_alias));
#define FOR_LANES _Pragma("omp simd") for (int l = 0; l < LANES; ++l)
