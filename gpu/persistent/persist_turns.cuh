/* The kernel that stays on the GPU for a whole loop (gpu/persistent/persist.h), built by a .cu file that says what it knows:
 *   PERSIST_FILES     row kernels: a .def file, of which lines LOOP_ROWS and LOOP_ROWS_SUM count (core/loop_rows.h)
 *   PERSIST_FORMATS   products, as in gpu/persistent/persist_formats.h
 *   PERSIST_CALL      __noinline__ or __forceinline__: how a turn comes to the code of a launch
 *   PERSIST_BUILD     the name of the PersistBuild
 * Nothing in here may be read through the cache of __ldg. */
#include "gpu/persistent/persist_formats.cuh"

#define ROWS(NAME, ARGS)
#define ROWS_SUM(NAME, ARGS, N_SUM)
#define LOOP_ROWS(NAME, ARGS)
#define LOOP_ROWS_SUM(NAME, ARGS, N_SUM)
#include PERSIST_FILES /* the headers with the bodies, which may forget the macros in turn */
#undef ROWS
#undef ROWS_SUM
#undef LOOP_ROWS
#undef LOOP_ROWS_SUM
#define ROWS(NAME, ARGS)
#define ROWS_SUM(NAME, ARGS, N_SUM)

enum PersistKind {
  KIND_copy,
  KIND_zero,
#define LOOP_ROWS(NAME, ARGS) KIND_##NAME,
#define LOOP_ROWS_SUM(NAME, ARGS, N_SUM) KIND_##NAME,
#include PERSIST_FILES
#undef LOOP_ROWS
#undef LOOP_ROWS_SUM
#define PRODUCT(OP, NAME, SUMS, KIND, ...) KIND_##KIND##_##NAME,
#define PRODUCTS(SET, ...) PERSIST_##SET(PRODUCT, __VA_ARGS__)
  PERSIST_FORMATS(PRODUCTS)
#undef PRODUCT
};

/* Warps take 32 rows each, blocks in turn, so that few rows are spread over all processors. */
__device__ __forceinline__ int64_t persist_first() {
  return (int64_t)(threadIdx.x / 32 * gridDim.x + blockIdx.x) * 32 + threadIdx.x % 32;
}
__device__ __forceinline__ int64_t persist_step() { return (int64_t)gridDim.x * PERSIST_BLOCK; }

/* The scalars that a finish works on, where its arguments say so: fetched while the sums are still added, since each
 * wait for memory after a barrier costs as much as the rest of a finish. */
__device__ __forceinline__ const void *persist_krylov(const Krylov *k) { return k; }
template <typename ARGS>
__device__ __forceinline__ auto persist_scalars(const ARGS *a, int) -> decltype(persist_krylov(a->k)) {
  return persist_krylov(a->k);
}
__device__ __forceinline__ const void *persist_scalars(const ProductArgs *a, int) { return a->krylov; }
template <typename ARGS> __device__ __forceinline__ const void *persist_scalars(const ARGS *, long) { return nullptr; }
/* Where arguments point to it, -1: nowhere. */
__host__ __device__ constexpr int32_t krylov_only(const Krylov *, size_t at) { return (int32_t)at; }
template <typename ARGS> constexpr auto krylov_at(int) -> decltype(krylov_only(((ARGS *)nullptr)->k, 0)) {
  return (int32_t)offsetof(ARGS, k);
}
template <typename ARGS> constexpr auto krylov_at(long) -> decltype(krylov_only(((ARGS *)nullptr)->krylov, 0)) {
  return (int32_t)offsetof(ARGS, krylov);
}
template <typename ARGS> constexpr int32_t krylov_at(...) { return -1; }
static_assert(sizeof(Krylov) >= 256, "the first two lines of 128 bytes are fetched");
__device__ __forceinline__ void persist_fetch(const void *scalars) {
  if (scalars)
    asm volatile(
        "{\n\t.reg .u32 first, second;\n\tld.global.u32 first, [%0];\n\tld.global.u32 second, [%0 + 128];\n\t}" ::"l"(
            scalars));
}

/* n bytes, by words where both ends lie on one. */
static __device__ __noinline__ void persist_move(const PersistCopyArgs *a, int64_t n) {
  const char *from = (const char *)a->from;
  char *to = (char *)a->to;
  const int64_t words = ((uintptr_t)to | (uintptr_t)from) % 8 ? 0 : n / 8;
#pragma unroll 1
  for (int64_t i = persist_first(); i < words; i += persist_step())
    ((uint64_t *)to)[i] = from ? ((const uint64_t *)from)[i] : 0;
#pragma unroll 1
  for (int64_t i = words * 8 + persist_first(); i < n; i += persist_step()) to[i] = from ? from[i] : 0;
}

/* The rows of one launch that are this thread's, and what is done with complete sums. Not unrolled: that takes a
 * division of 64 bits to begin with, and there are few rows. */
#define LOOP_ROWS(NAME, ARGS)                                                                                          \
  static __device__ PERSIST_CALL PersistSum NAME##_part(const ARGS *args, int64_t n) {                                 \
    PersistSum sum = {};                                                                                               \
    _Pragma("unroll 1") for (int64_t i = persist_first(); i < n; i += persist_step()) NAME##_body(args, i, sum.k);     \
    return sum;                                                                                                        \
  }
#define LOOP_ROWS_SUM(NAME, ARGS, N_SUM)                                                                               \
  LOOP_ROWS(NAME, ARGS)                                                                                                \
  static __device__ PERSIST_CALL void NAME##_end(const ARGS *args, PersistSum sum) { NAME##_finish(args, sum.k); }
#include PERSIST_FILES
#undef LOOP_ROWS
#undef LOOP_ROWS_SUM
#define PRODUCT(OP, NAME, SUMS, KIND, BEFORE, AFTER, B, BYTES, SHAPE, HOW, ...)                                        \
  static __device__ PERSIST_CALL PersistSum KIND##_##NAME##_part(const ProductArgs *args, const PersistOp *op,         \
                                                                 double *row, const unsigned char *program) {          \
    PersistSum sum = {};                                                                                               \
    HOW<OP, __VA_ARGS__>({args, op, row, program}, sum.k);                                                             \
    return sum;                                                                                                        \
  }
PERSIST_FORMATS(PRODUCTS)
#undef PRODUCT
/* Brings the block's rows of the matrix into shared memory. */
template <typename SUM>
static __device__ __noinline__ void hold_rows(const MatView &m, const PersistOp *op, const PersistHeld &h) {
  if constexpr (SUM::HOLDS) SUM::hold(m, op, h);
}
static __device__ __forceinline__ void persist_hold(const PersistOp *op, unsigned char *program) {
  const MatView &m = ((const ProductArgs *)(program + op->args))->a;
  const PersistHeld held = {op->lanes, (char *)program + op->held};
  switch (op->kind) {
#define HOLD_SLICES(HOW, B, ...) hold_rows<__VA_ARGS__>(m, op, held)
#define HOLD_LANES(...) (void)0
#define HOLD_TEAMS(...) (void)0
#define PRODUCT(OP, NAME, SUMS, KIND, BEFORE, AFTER, B, BYTES, SHAPE, ...)                                             \
  case KIND_##KIND##_##NAME: HOLD_##SHAPE(__VA_ARGS__); break;
    PERSIST_FORMATS(PRODUCTS)
#undef PRODUCT
  }
}
static __device__ PERSIST_CALL void product_end(const ProductArgs *args, PersistSum sum) {
  product_finish(args, sum.k);
}

static __device__ __forceinline__ PersistSum persist_part(const PersistOp *op, const unsigned char *program,
                                                          double *row) {
  const void *args = program + op->args;
  switch (op->kind) {
#define LOOP_ROWS(NAME, ARGS)                                                                                          \
  case KIND_##NAME:                                                                                                    \
    return NAME##_part((const ARGS *)args, op->n);
#define LOOP_ROWS_SUM(NAME, ARGS, N_SUM) LOOP_ROWS(NAME, ARGS)
#include PERSIST_FILES
#undef LOOP_ROWS
#undef LOOP_ROWS_SUM
#define PRODUCT(OP, NAME, SUMS, KIND, ...)                                                                             \
  case KIND_##KIND##_##NAME: return KIND##_##NAME##_part((const ProductArgs *)args, op, row, program);
    PERSIST_FORMATS(PRODUCTS)
#undef PRODUCT
  default: persist_move((const PersistCopyArgs *)args, op->n);
  }
  return PersistSum();
}

static __device__ __forceinline__ const void *persist_scalars_of(const PersistOp *op, const void *args) {
  switch (op->kind) {
#define LOOP_ROWS(NAME, ARGS)
#define LOOP_ROWS_SUM(NAME, ARGS, N_SUM)                                                                               \
  case KIND_##NAME:                                                                                                    \
    return persist_scalars((const ARGS *)args, 0);
#include PERSIST_FILES
#undef LOOP_ROWS
#undef LOOP_ROWS_SUM
  default: return persist_scalars((const ProductArgs *)args, 0);
  }
}

static __device__ __forceinline__ void persist_end(const PersistOp *op, const void *args, const PersistSum &sum) {
  switch (op->kind) {
#define LOOP_ROWS(NAME, ARGS)
#define LOOP_ROWS_SUM(NAME, ARGS, N_SUM)                                                                               \
  case KIND_##NAME:                                                                                                    \
    NAME##_end((const ARGS *)args, sum);                                                                               \
    break;
#include PERSIST_FILES
#undef LOOP_ROWS
#undef LOOP_ROWS_SUM
  default: product_end((const ProductArgs *)args, sum);
  }
}

/* The block's own copy of the scalars, and all arguments that point into the original turned to it. The mirror on the
 * host is for one block to write. */
static __device__ void keep_scalars(const PersistRun &run, PersistShared &shared, unsigned char *program) {
  enum { WORDS = sizeof(Krylov) / 8 };
  uint64_t *own = (uint64_t *)&shared.scalars;
  const uint64_t original = (uint64_t)run.scalars;
  for (int32_t i = threadIdx.x; i < WORDS; i += PERSIST_BLOCK) own[i] = ((const uint64_t *)run.scalars)[i];
  uint64_t *word = (uint64_t *)(program + ((const PersistOp *)program)->args), *end = (uint64_t *)(program + run.bytes);
  for (word += threadIdx.x; word < end; word += PERSIST_BLOCK)
    if (*word - original < sizeof(Krylov)) *word = *word - original + (uint64_t)own;
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x > 0) shared.scalars.mirror = nullptr;
  __syncthreads();
}
static __device__ void return_scalars(const PersistRun &run, const PersistShared &shared) {
  enum { WORDS = sizeof(Krylov) / 8 };
  if (blockIdx.x == 0)
    for (int32_t i = threadIdx.x; i < WORDS; i += PERSIST_BLOCK)
      ((uint64_t *)run.scalars)[i] = ((const uint64_t *)&shared.scalars)[i];
}

/* Each matrix once: operations with the same one share the place. */
static __device__ void hold_matrices(const PersistRun &run, unsigned char *program) {
  const PersistOp *ops = (const PersistOp *)program;
  int32_t last = 0;
  for (int32_t k = 0; k < run.n_op; ++k)
    if (ops[k].room && ops[k].held > last) {
      last = ops[k].held;
      persist_hold(ops + k, program);
    }
}

/* Dynamic shared memory: PersistShared, the operations, their arguments, rows of matrices. */
template <typename TEAM>
static __global__ void __launch_bounds__(PERSIST_BLOCK, 1) persist_turns(const __grid_constant__ PersistRun run) {
  extern __shared__ double dynamic[];
  PersistShared &shared = *(PersistShared *)dynamic;
  unsigned char *program = (unsigned char *)dynamic + sizeof(PersistShared);
  const int4 *from = (const int4 *)((const char *)run.program + PERSIST_SYNC);
  for (int32_t i = threadIdx.x; i < run.bytes / 16; i += PERSIST_BLOCK) ((int4 *)program)[i] = from[i];
  const PersistOp *ops = (const PersistOp *)program;
  const bool keeps = TEAM::KEEPS_SCALARS && run.scalars;
  const int32_t *stop = run.stop;
  TEAM team(run.program, run.partial, keeps);
  __syncthreads();
  if (run.held) hold_matrices(run, program);
  if (keeps) {
    keep_scalars(run, shared, program);
    stop = (const int32_t *)((const char *)&shared.scalars + ((const char *)run.stop - (const char *)run.scalars));
  }
  team.barrier(); /* of the block for the list, and of a cluster before one writes into another's memory */
  for (int64_t turn = 0; turn < run.max; ++turn) {
    for (const PersistOp *op = ops, *end = ops + run.n_op; op < end; ++op) {
      const void *args = program + op->args;
      const PersistSum sum = persist_part(op, program, shared.row);
      if (op->n_sum)
        team.sums(
            sum, op->n_sum, shared, [&]() { persist_fetch(persist_scalars_of(op, args)); },
            [&](const PersistSum &all) { persist_end(op, args, all); });
      else team.barrier();
    }
    const int32_t now = *(const volatile int32_t *)stop;
    if (run.guarded) team.barrier();
    if (now) break;
  }
  if (keeps) return_scalars(run, shared);
}

#define PERSIST_NO_GATE false, PERSIST_ALWAYS, 0
#define LOOP_ROWS(NAME, ARGS)                                                                                          \
  {#NAME, sizeof(ARGS), KIND_##NAME, 0, PERSIST_ROWS, 0, 0, krylov_at<ARGS>(0), PERSIST_NO_GATE},
#define LOOP_ROWS_SUM(NAME, ARGS, N_SUM)                                                                               \
  {#NAME, sizeof(ARGS), KIND_##NAME, N_SUM, PERSIST_ROWS, 0, 0, krylov_at<ARGS>(0), PERSIST_NO_GATE},
#define PRODUCT(OP, NAME, SUMS, KIND, BEFORE, AFTER, B, BYTES, SHAPE, ...)                                             \
  {BEFORE #NAME AFTER,        sizeof(ProductArgs), KIND_##KIND##_##NAME, SUMS, PERSIST_##SHAPE, BYTES, B,              \
   krylov_at<ProductArgs>(0), PERSIST_NO_GATE},
static const PersistKernel persist_kernels[] = {
#include PERSIST_FILES
    PERSIST_FORMATS(PRODUCTS){nullptr, 0, 0, 0, PERSIST_ROWS, 0, 0, -1, PERSIST_NO_GATE}};
extern "C" const PersistBuild PERSIST_BUILD = {persist_kernels, (const void *)persist_turns<PersistClusterTeam>,
                                               (const void *)persist_turns<PersistGridTeam>, false};
