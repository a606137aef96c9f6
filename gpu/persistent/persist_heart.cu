/* The kernel that stays on the GPU for steps of a heart of up to 67,584 nodes (gpu/persistent/persist.h,
 * solver/time/stepper_resident.c). What a list of launches costs more than its arithmetic is barriers and waits for
 * memory, and a step of the heart needs few of them: each block owns rows, a tile of K'' (algebra/formats/tiled.c), and
 * a thread does all that is to be done for its row, so that only a product has to wait for other blocks, and the end of
 * sums. Launches whose turn it is not are known after each end of sums, and after what begins the next step, by one look at their
 * flags, and cost nothing.
 * The block's tile of K'' and its slices of K in double are copied into shared memory as they lie, if they fit. What
 * K'' is multiplied with comes into shared memory too: a load of a warp from places far apart takes the first cache
 * about 15 turns, one from shared memory 4; a product took 6.2 us without that, 5.2 with it, of which the barrier is
 * 1.2. Barriers of a step of one Newton step with k products: k + 3. Nothing in here may be read through the cache of
 * __ldg. */
#include <cuda_fp16.h>

#include "gpu/persistent/persist_team.cuh"
#include "gpu/formats/spmv.cuh"
#include "algebra/formats/tiled.h"
#include "algebra/formats/tiled_rows.h"

#define ROWS(NAME, ARGS)
#define ROWS_SUM(NAME, ARGS, N_SUM)
#define APART(NAME, ARGS)
#define CELLS(NAME, ARGS)
#include "gpu/persistent/persist_heart.def"
#undef ROWS
#undef ROWS_SUM
#undef APART
#undef CELLS

enum HeartKind {
#define ROWS(NAME, ARGS) KIND_##NAME,
#define ROWS_SUM(NAME, ARGS, N_SUM) KIND_##NAME,
#define APART(NAME, ARGS) KIND_##NAME,
#define CELLS(NAME, ARGS) KIND_##NAME,
#include "gpu/persistent/persist_heart.def"
#undef ROWS
#undef ROWS_SUM
#undef APART
#undef CELLS
  KIND_apply, /* K u in double */
  KIND_semi   /* a step of Chebyshev's iteration with K'', tiled */
};

/* Where the arguments of a kernel point to its flag. */
template <typename ARGS> struct HeartGate { static constexpr size_t at = offsetof(ARGS, when); };
template <> struct HeartGate<StageEndArgs> {
  static constexpr size_t at = offsetof(StageEndArgs, step) + offsetof(EvolutionArgs, when);
};
template <> struct HeartGate<MonodomainNodeArgs> {
  static constexpr size_t at = offsetof(MonodomainNodeArgs, cells) + offsetof(MonodomainCells, when);
};
template <> struct HeartGate<MonodomainFirstArgs> {
  static constexpr size_t at = offsetof(MonodomainFirstArgs, cells) + offsetof(MonodomainCells, when);
};

/* A slice that a block holds: where its entries begin among the block's, and how many a row has. */
struct HeartSlice {
  int32_t begin, width;
};
/* What is held of a matrix. K: slices, values, columns. K'': slices, records, rows of the halo, the row of each lane in
 * the tile. entries 0: nothing, it did not fit. */
struct HeartHeld {
  HeartSlice slice[PERSIST_BLOCK / 32];
  int32_t entries, n_halo, unused[2];
};
static_assert(sizeof(HeartHeld) == PERSIST_OWN_HEAD, "the host counts it");
static_assert((int)PERSIST_BLOCK >= (int)TILED_ROWS, "a thread owns a row");

struct HeartTurn {
  const PersistOp *op;
  unsigned char *program;
  double *row; /* shared, [PERSIST_BLOCK * 3] */
};

/* All threads of the block: where its slices begin, and how many entries they have; 0 where they need more than there
 * is room. */
static __device__ __forceinline__ int32_t heart_slices(const HeartTurn &t, const MatView &m, int64_t bytes,
                                                       int32_t entry_bytes, int64_t *begin) {
  HeartHeld *held = (HeartHeld *)(t.program + t.op->held);
  const int32_t n_slice = (int32_t)((t.op->n + 31) / 32), each = t.op->lanes / 32, first = (int32_t)blockIdx.x * each;
  const int32_t end = first + each < n_slice ? first + each : n_slice;
  *begin = first < n_slice ? m.start[first] : 0;
  const int64_t entries = first < n_slice ? m.start[end] - *begin : 0;
  const bool fits = PERSIST_OWN_HEAD + bytes + entries * entry_bytes <= t.op->room;
  if (threadIdx.x == 0) held->entries = fits ? (int32_t)entries : 0;
  for (int32_t s = first + threadIdx.x; s < end && fits; s += PERSIST_BLOCK)
    held->slice[s - first] = {(int32_t)(m.start[s] - *begin), (int32_t)(m.start[s + 1] - m.start[s]) / 32};
  return fits ? (int32_t)entries : 0;
}

static __device__ __noinline__ void heart_hold_apply(const HeartTurn &t) {
  const MatView &m = ((const ProductArgs *)(t.program + t.op->args))->a;
  int64_t begin;
  const int32_t entries = heart_slices(t, m, 0, 12, &begin);
  double *value = (double *)(t.program + t.op->held + PERSIST_OWN_HEAD);
  int32_t *column = (int32_t *)(value + entries);
  for (int32_t k = threadIdx.x; k < entries; k += PERSIST_BLOCK) {
    value[k] = ((const double *)m.value)[begin + k];
    column[k] = m.column[begin + k];
  }
}

static __device__ __noinline__ void heart_hold_semi(const HeartTurn &t) {
  const MatView &m = ((const ProductArgs *)(t.program + t.op->args))->a;
  HeartHeld *held = (HeartHeld *)(t.program + t.op->held);
  const int32_t first = (int32_t)blockIdx.x * t.op->lanes, n = (int32_t)t.op->n,
                own = n - first < t.op->lanes ? n - first : t.op->lanes;
  const int32_t halo = own > 0 ? m.order[blockIdx.x] : 0, n_halo = own > 0 ? m.order[blockIdx.x + 1] - halo : 0;
  int64_t begin;
  const int32_t entries = heart_slices(t, m, 4 * n_halo + 2 * t.op->lanes, 4, &begin);
  uint32_t *record = (uint32_t *)(held + 1);
  int32_t *far = (int32_t *)(record + entries);
  uint16_t *row = (uint16_t *)(far + n_halo);
  if (threadIdx.x == 0) held->n_halo = n_halo;
  for (int32_t k = threadIdx.x; k < entries; k += PERSIST_BLOCK) record[k] = ((const uint32_t *)m.value)[begin + k];
  for (int32_t k = threadIdx.x; k < n_halo && entries; k += PERSIST_BLOCK) far[k] = m.length[halo + k];
  for (int32_t k = threadIdx.x; k < own && entries; k += PERSIST_BLOCK) row[k] = (uint16_t)(m.row[first + k] - first);
}

/* Asks for a word and does not wait for it; what is read of its line later is near then. */
static __device__ __forceinline__ void heart_ahead(const void *p) {
  asm volatile("{\n\t.reg .u32 word;\n\tld.global.u32 word, [%0];\n\t}" ::"l"(p));
}
/* What the end of a row reads, on its way while the row is summed. */
static __device__ __forceinline__ void heart_ahead_of_row(const ProductArgs *a, int64_t i) {
  heart_ahead((const float *)a->w + i);
  heart_ahead((const float *)a->v + i);
  heart_ahead((const float *)a->u + i);
  heart_ahead((const float *)a->z + i);
  heart_ahead((const float *)a->diagonal + i);
  heart_ahead(a->f);
}

/* K u in double: op.parts threads share a row; their parts are added in order by the thread that owns it. */
static __device__ __forceinline__ double heart_apply_sum(const HeartTurn &t, const ProductArgs *a, int32_t in,
                                                         int32_t part) {
  const HeartHeld *h = (const HeartHeld *)(t.program + t.op->held);
  const int32_t lane = blockIdx.x * t.op->lanes + in, parts = t.op->parts;
  const double *v = (const double *)a->v;
  double sum = 0;
  if (t.op->room && h->entries) {
    const HeartSlice s = h->slice[in / 32];
    const double *value = (const double *)(h + 1) + s.begin + in % 32;
    const int32_t *column = (const int32_t *)((const double *)(h + 1) + h->entries) + s.begin + in % 32;
#pragma unroll 8
    for (int32_t k = part; k < s.width; k += parts) sum += value[k * 32] * v[column[k * 32]];
    return sum;
  }
  const int64_t begin = a->a.start[lane / 32], end = a->a.start[lane / 32 + 1];
#pragma unroll 4
  for (int64_t k = begin + lane % 32 + part * 32; k < end; k += parts * 32)
    sum += ((const double *)a->a.value)[k] * v[a->a.column[k]];
  return sum;
}
static __device__ __forceinline__ void heart_apply(const HeartTurn &t) {
  const ProductArgs *a = (const ProductArgs *)(t.program + t.op->args);
  const int32_t lanes = t.op->lanes, parts = t.op->parts, part = threadIdx.x / lanes, in = threadIdx.x - part * lanes;
  const int32_t lane = blockIdx.x * lanes + in;
  const bool mine = part < parts && lane < t.op->n, owner = part == 0 && lane < t.op->n;
  double s = mine ? heart_apply_sum(t, a, in, part) : 0, none[2];
  if (parts > 1) {
    if (mine && part) t.row[part * lanes + in] = s;
    __syncthreads();
    for (int32_t q = 1; q < parts && owner; ++q) s += t.row[q * lanes + in];
    __syncthreads();
  }
  if (owner) spmv_row<double>(a, MAT_APPLY, lane, s, none);
}

static __device__ __forceinline__ float heart_record_value(uint32_t record) {
  return __half2float(__ushort_as_half((unsigned short)record));
}
/* A step with K''. In shared memory: x of the tile and its halo, then the parts of sums by row; they are written again
 * behind a barrier of the grid only. */
static __device__ __forceinline__ void heart_semi(const HeartTurn &t) {
  const ProductArgs *a = (const ProductArgs *)(t.program + t.op->args);
  const HeartHeld *h = (const HeartHeld *)(t.program + t.op->held);
  const bool held = t.op->room && h->entries;
  const int32_t lanes = t.op->lanes, parts = t.op->parts, part = threadIdx.x / lanes, in = threadIdx.x - part * lanes;
  const int32_t first = blockIdx.x * lanes, n = (int32_t)t.op->n, own = n - first < lanes ? n - first : lanes;
  const float *v = (const float *)a->v;
  float *x = (float *)t.row, *sums = x + lanes + a->a.threads;
  const bool mine = part < parts && in < own, owner = part == 0 && in < own;
  float s = 0;
  double none[2];
  if (owner) heart_ahead_of_row(a, first + in);
  if (own > 0) { /* all threads of the block or none */
    const uint32_t *record = held ? (const uint32_t *)(h + 1) : (const uint32_t *)a->a.value;
    const int32_t from = held ? 0 : a->a.order[blockIdx.x],
                  n_halo = held ? h->n_halo : a->a.order[blockIdx.x + 1] - from;
    const int32_t *far = held ? (const int32_t *)(record + h->entries) : a->a.length + from;
    for (int32_t k = threadIdx.x; k < n_halo; k += PERSIST_BLOCK) x[lanes + k] = v[far[k]];
    for (int32_t k = threadIdx.x; k < own; k += PERSIST_BLOCK) x[k] = v[first + k];
    __syncthreads();
    if (mine) {
      const int64_t begin = held ? 0 : a->a.start[(first + in) / 32];
      const HeartSlice slice =
          held ? h->slice[in / 32] : HeartSlice{0, (int32_t)(a->a.start[(first + in) / 32 + 1] - begin) / 32};
      record += begin + slice.begin + in % 32;
#pragma unroll 4
      for (int32_t k = part; k < slice.width; k += parts) {
        const uint32_t r = record[k * 32];
        s += heart_record_value(r) * x[r >> 16];
      }
      const int32_t row = held ? ((const uint16_t *)(far + n_halo))[in] : a->a.row[first + in] - first;
      sums[part * lanes + row] = s;
    }
    __syncthreads();
    s = 0;
    for (int32_t q = 0; q < parts && owner; ++q) s += sums[q * lanes + in];
    if (owner) spmv_row<float>(a, MAT_SEMI, first + in, (double)s, none);
  }
}

/* Not inlined: the registers that a cell needs are then no others'. */
#define ROWS(NAME, ARGS)
#define ROWS_SUM(NAME, ARGS, N_SUM)
#define APART(NAME, ARGS)
#define CELLS(NAME, ARGS)                                                                                              \
  static __device__ __noinline__ void heart_##NAME(const ARGS *args, int64_t n) {                                      \
    double none[ROW_SUMS];                                                                                             \
    for (int64_t i = launch_first(); i < n; i += launch_step()) NAME##_body(args, i, none);                            \
  }
#include "gpu/persistent/persist_heart.def"
#undef ROWS
#undef ROWS_SUM
#undef APART
#undef CELLS

static __device__ __forceinline__ PersistSum heart_part(const HeartTurn &t) {
  PersistSum sum = {};
  const PersistOp *op = t.op;
  const void *args = t.program + op->args;
  const int64_t own = (int64_t)blockIdx.x * op->lanes + threadIdx.x;
  const bool mine = (int32_t)threadIdx.x < op->lanes && own < op->n;
  switch (op->kind) {
#define ROWS(NAME, ARGS)                                                                                               \
  case KIND_##NAME:                                                                                                    \
    if (mine) NAME##_body((const ARGS *)args, own, sum.k);                                                             \
    break;
#define ROWS_SUM(NAME, ARGS, N_SUM) ROWS(NAME, ARGS)
#define APART(NAME, ARGS)                                                                                              \
  case KIND_##NAME:                                                                                                    \
    for (int64_t i = launch_first(); i < op->n; i += launch_step()) NAME##_body((const ARGS *)args, i, sum.k);         \
    break;
#define CELLS(NAME, ARGS)                                                                                              \
  case KIND_##NAME:                                                                                                    \
    heart_##NAME((const ARGS *)args, op->n);                                                                           \
    break;
#include "gpu/persistent/persist_heart.def"
#undef ROWS
#undef ROWS_SUM
#undef APART
#undef CELLS
  case KIND_apply: heart_apply(t); break;
  default: heart_semi(t);
  }
  return sum;
}

static __device__ __forceinline__ void heart_end(const HeartTurn &t, const PersistSum &sum) {
  const void *args = t.program + t.op->args;
  switch (t.op->kind) {
#define ROWS(NAME, ARGS)
#define APART(NAME, ARGS)
#define CELLS(NAME, ARGS)
#define ROWS_SUM(NAME, ARGS, N_SUM)                                                                                    \
  case KIND_##NAME:                                                                                                    \
    NAME##_finish((const ARGS *)args, sum.k);                                                                          \
    break;
#include "gpu/persistent/persist_heart.def"
#undef ROWS
#undef ROWS_SUM
#undef APART
#undef CELLS
  default: break;
  }
}

/* The scalars that the end of all sums works on, line by line by a warp. */
static __device__ __forceinline__ void heart_fetch(const HeartTurn &t) {
  if (t.op->kind == KIND_functional_wholes) return; /* has none */
  const EvolutionArgs *args = (const EvolutionArgs *)(t.program + t.op->args);
  for (size_t at = threadIdx.x % 32 * 128; at < sizeof(EvolutionScalars); at += 32 * 128)
    heart_ahead((const char *)args->s + at);
}

static __device__ __forceinline__ bool heart_waits(const PersistOp *op, bool written, bool strange) {
  return strange || (written && (op->apart || op->kind == KIND_apply || op->kind == KIND_semi));
}

/* Which launches are idle until the next end of sums, and whether the loop is at its end. All threads of the block. */
static __device__ __forceinline__ void heart_check_stop(const PersistRun &run, const PersistOp *ops,
                                                        PersistShared &shared) {
  for (int32_t k = threadIdx.x; k <= run.n_op; k += PERSIST_BLOCK) {
    const int32_t gated = k < run.n_op ? ops[k].gated : PERSIST_UNLESS_SET;
    const bool set = gated != PERSIST_ALWAYS && *(k < run.n_op ? ops[k].gate : run.stop) != 0;
    shared.idle[k] = gated == PERSIST_WHEN_SET ? !set : set;
  }
  __syncthreads();
}

/* Dynamic shared memory: PersistShared, the operations, their arguments, rows of matrices. */
static __global__ void __launch_bounds__(PERSIST_BLOCK, 1) heart_turns(const __grid_constant__ PersistRun run) {
  extern __shared__ double dynamic[];
  PersistShared &shared = *(PersistShared *)dynamic;
  unsigned char *program = (unsigned char *)dynamic + sizeof(PersistShared);
  const int4 *from = (const int4 *)((const char *)run.program + PERSIST_SYNC);
  for (int32_t i = threadIdx.x; i < run.bytes / 16; i += PERSIST_BLOCK) ((int4 *)program)[i] = from[i];
  const PersistOp *ops = (const PersistOp *)program;
  PersistGridTeam team(run.program, run.partial, false);
  __syncthreads();
  int32_t last = 0;
  for (int32_t k = 0; k < run.n_op; ++k) {
    if (!ops[k].room || ops[k].held <= last) continue;
    last = ops[k].held;
    if (ops[k].kind == KIND_apply) heart_hold_apply({ops + k, program, shared.row});
    else heart_hold_semi({ops + k, program, shared.row});
  }
  heart_check_stop(run, ops, shared);
  bool written = false, strange = false; /* since the last barrier: something; rows that belong to others */
  for (int64_t turn = 0; turn < run.max; ++turn) {
    for (int32_t k = 0; k < run.n_op; ++k) {
      if (shared.idle[k]) continue;
      const HeartTurn t = {ops + k, program, shared.row};
      if (heart_waits(t.op, written, strange)) {
        team.barrier();
        strange = false;
      }
      const PersistSum sum = heart_part(t);
      written = t.op->n_sum == 0;
      strange = t.op->apart;
      if (t.op->kind == KIND_stage_next) { /* flags of the next step are its own */
        team.barrier();
        written = strange = false;
        heart_check_stop(run, ops, shared);
        continue;
      }
      if (written) continue;
      team.sums(
          sum, t.op->n_sum, shared, [&]() { heart_fetch(t); }, [&](const PersistSum &all) { heart_end(t, all); });
      heart_check_stop(run, ops, shared);
    }
    if (shared.idle[run.n_op]) break;
  }
}

#define ROWS(NAME, ARGS)                                                                                               \
  {#NAME, sizeof(ARGS), KIND_##NAME, 0, PERSIST_ROWS, 0, 0, -1, false, PERSIST_WHEN_SET, (int32_t)HeartGate<ARGS>::at},
#define ROWS_SUM(NAME, ARGS, N_SUM)                                                                                    \
  {#NAME,                                                                                                              \
   sizeof(ARGS),                                                                                                       \
   KIND_##NAME,                                                                                                        \
   N_SUM,                                                                                                              \
   PERSIST_ROWS,                                                                                                       \
   0,                                                                                                                  \
   0,                                                                                                                  \
   -1,                                                                                                                 \
   false,                                                                                                              \
   PERSIST_WHEN_SET,                                                                                                   \
   (int32_t)HeartGate<ARGS>::at},
#define APART(NAME, ARGS)                                                                                              \
  {#NAME, sizeof(ARGS), KIND_##NAME, 0, PERSIST_ROWS, 0, 0, -1, true, PERSIST_WHEN_SET, (int32_t)HeartGate<ARGS>::at},
#define CELLS(NAME, ARGS) APART(NAME, ARGS)
#define HEART_PRODUCT(NAME, KIND, SHAPE, BYTES)                                                                        \
  {NAME,                                                                                                               \
   sizeof(ProductArgs),                                                                                                \
   KIND,                                                                                                               \
   0,                                                                                                                  \
   SHAPE,                                                                                                              \
   BYTES,                                                                                                              \
   1,                                                                                                                  \
   -1,                                                                                                                 \
   false,                                                                                                              \
   PERSIST_UNLESS_SET,                                                                                                 \
   (int32_t)offsetof(ProductArgs, stop)},
static const PersistKernel heart_kernels[] = {
#include "gpu/persistent/persist_heart.def"
    HEART_PRODUCT("sbell_apply_1d", KIND_apply, PERSIST_SLICES, 12)
        HEART_PRODUCT("tiled_semi_1h", KIND_semi, PERSIST_TILES, 4){nullptr, 0, 0, 0, PERSIST_ROWS, 0, 0, -1, false,
                                                                    PERSIST_ALWAYS, 0}};
extern "C" const PersistBuild persist_heart = {heart_kernels, nullptr, (const void *)heart_turns, true};
