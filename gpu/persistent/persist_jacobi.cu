/* The kernel that stays on the GPU for turns of Jacobi-PCG alone: with so little to know it has no calls and fits into
 * the instruction caches. */
#include "gpu/persistent/persist_formats.cuh"

#define PERSIST_FILES "gpu/persistent/persist_jacobi.def"
#define PERSIST_CALL __forceinline__
#define PERSIST_BUILD persist_jacobi
#undef PERSIST_FORMATS
#define PERSIST_FORMATS(X)                                                                                             \
  X(DOT, sbell_1d, "sbell_", "_1d", 1, 12, SLICES, persist_lanes, 1, PersistLanes<double, 1, LanesSliced<0>>)          \
  X(DOT, sbell_2d, "sbell_", "_2d", 2, 36, SLICES, persist_lanes, 2, PersistLanes<double, 2, LanesSliced<0>>)          \
  X(DOT, sbell_3d, "sbell_", "_3d", 3, 76, SLICES, persist_lanes, 3, PersistLanes<double, 3, LanesSliced<0>>)
#define PERSIST_DOT(X, ...) X(MAT_DOT, dot, 1, __VA_ARGS__)
#include "gpu/persistent/persist_turns.cuh"
