/* The products that the kernel which stays on the GPU knows (persist_formats.cuh has them), as a table that tests can read
 * without a GPU. */
#pragma once
/* X(set of operations, kind, name before and after the operation, block size, bytes of an entry, shape, function with its types) */
#define PERSIST_FORMATS(X)                                                                                             \
  X(OUTER, sbell_1d, "sbell_", "_1d", 1, 12, SLICES, persist_lanes, 1, PersistLanes<double, 1, LanesSliced<0>>)        \
  X(OUTER, sbell_2d, "sbell_", "_2d", 2, 36, SLICES, persist_lanes, 2, PersistLanes<double, 2, LanesSliced<0>>)        \
  X(OUTER, sbell_3d, "sbell_", "_3d", 3, 76, SLICES, persist_lanes, 3, PersistLanes<double, 3, LanesSliced<0>>)        \
  X(INNER, sbell_1f, "sbell_", "_1f", 1, 8, SLICES, persist_lanes, 1, PersistLanes<float, 1, LanesSliced<0>>)          \
  X(INNER, sbell_2f, "sbell_", "_2f", 2, 20, SLICES, persist_lanes, 2, PersistLanes<float, 2, LanesSliced<0>>)         \
  X(INNER, sbell_3f, "sbell_", "_3f", 3, 40, SLICES, persist_lanes, 3, PersistLanes<float, 3, LanesSliced<0>>)         \
  X(OUTER, sell_1d, "sell_", "_1d", 1, 12, SLICES, persist_lanes, 1, PersistLanes<double, 1, LanesSliced<0>>)          \
  X(INNER, sell_1f, "sell_", "_1f", 1, 8, SLICES, persist_lanes, 1, PersistLanes<float, 1, LanesSliced<0>>)            \
  X(OUTER, csr_1d, "csr_", "_1d", 1, 12, TEAMS, persist_csr, double)                                                   \
  X(INNER, csr_1f, "csr_", "_1f", 1, 8, TEAMS, persist_csr, float)                                                     \
  X(INNER, low_1h, "low_bit_", "_1h", 1, 4, LANES, persist_lanes, 1, PersistLow<16, 1>)                                \
  X(INNER, low_2h, "low_bit_", "_2h", 2, 10, LANES, persist_lanes, 2, PersistLow<16, 2>)                               \
  X(INNER, low_3h, "low_bit_", "_3h", 3, 20, LANES, persist_lanes, 3, PersistLow<16, 3>)                               \
  X(INNER, low_1b, "low_bit_", "_1b", 1, 4, LANES, persist_lanes, 1, PersistLow<8, 1>)                                 \
  X(INNER, low_2b, "low_bit_", "_2b", 2, 8, LANES, persist_lanes, 2, PersistLow<8, 2>)                                 \
  X(INNER, low_3b, "low_bit_", "_3b", 3, 12, LANES, persist_lanes, 3, PersistLow<8, 3>)
/* X(operation, name, sums): what is recorded in loops. OUTER: the method's own products; INNER: of preconditioners in lower
 * precision. */
#define PERSIST_OUTER(X, ...)                                                                                          \
  X(MAT_APPLY, apply, 0, __VA_ARGS__)                                                                                  \
  X(MAT_DOT, dot, 1, __VA_ARGS__)                                                                                      \
  PERSIST_INNER(X, __VA_ARGS__)
#define PERSIST_INNER(X, ...)                                                                                          \
  X(MAT_COMBINE, combine, 0, __VA_ARGS__)                                                                              \
  X(MAT_COMBINE_DOT, combine_dot, 1, __VA_ARGS__)
