/* How the CUDA executor finds the code of a row kernel, and what to write to add some.
 *
 * Row kernels of a folder's rows.def need nothing here: a LAUNCHERS_OF line of gpu/launchers.def makes a launcher of every line.
 * A launcher written by hand (a sparse product, say) is a file gpu/<folder>/<file>.cu with
 *   #include "gpu/reduce.cuh"
 *   __global__ void apply_kernel(const __grid_constant__ ProductArgs a, int64_t n) { ... }
 *   static cudaError_t apply(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch) {
 *     apply_kernel<<<launch_blocks(n, LAUNCH_BLOCK), LAUNCH_BLOCK, 0, stream>>>(*(const ProductArgs *)args, n);
 *     return cudaGetLastError();
 *   }
 *   extern "C" const CudaKernel cuda_kernels_<folder>_<file>[] = {{"apply", sizeof(ProductArgs), apply}, {0, 0, 0}};
 * A file gpu/formats/<identifier>.cu belongs to the line FORMAT(<identifier>, ...) of algebra/formats.def and is found
 * through it; any other file gets a line in gpu/launchers.def. The RowKernel itself (name, CPU code) is made elsewhere.
 *
 * Rules for launchers: launch on `stream` only, exactly what the RowKernel of that name does on the CPU; no allocation,
 * no synchronisation, no copy to the host: it may be recorded into a graph and replayed with the same arguments.
 * n may be 0 only for kernels with sums; they must then still finish, with sums of zero.
 * With sums (see reduce.cuh): the grid depends on n only, never on the device or its load, so that the order of the
 * additions is fixed and results repeat to the bit. Sums over the parts of several ranks (gpu/share.cuh) are those of
 * a rows.def only; products go without theirs there (algebra/mat.c). Scratch belongs to one launch at a time; the stream orders them. */
#pragma once
#include "core/exec.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* With sums: 396 blocks of 512 threads, 3 on each of 132 processors. Measured on an H200 with the update of Jacobi-PCG
 * (2 sums, 56 bytes a row), us for 0.5 M / 4 M / 16 M rows: 6.5 / 57.0 / 213; 792 blocks of 256: 6.8 / 57.8 / 214;
 * 1056 of 256: 9.1 / 64.8 / 239 (more than fit at once); a row per thread: 10.9 / 92 / 247 (many partial sums to add).
 * A copy of as many bytes takes 6.8 / 55 / 213. */
enum {
  LAUNCH_BLOCK = 256,         /* threads of a block without sums */
  LAUNCH_SUM_BLOCK = 512,     /* threads of a block with sums */
  LAUNCH_SUM_BLOCKS = 396,    /* most blocks of a generic kernel with sums */
  LAUNCH_SUM_RESIDENT = 3,    /* blocks with sums that shall fit on a processor: at most 42 registers a thread */
  LAUNCH_MAX_PARTIALS = 16384 /* most blocks of any kernel with sums */
};

typedef struct SumShare SumShare; /* gpu/share.h, as is */
typedef struct PeerState PeerState;

/* What a launch with sums over parts does: all, or one half where the host carries them between the ranks: the parts of
 * this rank, and what comes behind those of all. */
typedef enum ShareStage { SHARE_WHOLE, SHARE_PARTIAL, SHARE_TOTALS } ShareStage;

/* Device memory for sums, owned by the Exec. */
typedef struct LaunchScratch {
  double *partial;       /* [LAUNCH_MAX_PARTIALS][ROW_SUMS] */
  unsigned *ticket;      /* blocks that are done; 0 before and after each launch */
  const SumShare *share; /* on the device: the parts of sums; NULL: none, and nothing below */
  PeerState *state;      /* on the device: how many sums there were, and how to wait */
  const int64_t *start;  /* on the device: rows where this rank's parts begin, */
  int64_t factor;        /* and how many of the kernel each of them is */
  int32_t cells, parts;  /* blocks for each part, and parts of this rank */
  ShareStage stage;
  int follows; /* not 0: the launch may begin before the one before it in the stream has ended (follow.cuh) */
} LaunchScratch;

typedef struct CudaKernel {
  const char *name; /* of the RowKernel */
  size_t args_size; /* as in the RowKernel, to catch a mismatch */
  cudaError_t (*launch)(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *scratch);
  int by_parts; /* its sums can go over parts: true of those of a rows.def */
  int follows;  /* a product that can begin early (follow.cuh) */
} CudaKernel;

/* Blocks for n threads, at least 1, at most 2^31 - 1 (kernels step by the grid where n is larger). */
static inline unsigned launch_blocks(int64_t n, int64_t block) {
  const int64_t blocks = (n + block - 1) / block;
  return blocks < 1 ? 1 : blocks > INT32_MAX ? INT32_MAX : (unsigned)blocks;
}
/* Same with another limit: LAUNCH_SUM_BLOCKS for kernels with sums, LAUNCH_MAX_PARTIALS at most. */
static inline unsigned launch_blocks_limited(int64_t n, int64_t block, int64_t limit) {
  const int64_t blocks = (n + block - 1) / block;
  return blocks < 1 ? 1 : blocks > limit ? (unsigned)limit : (unsigned)blocks;
}

/* All launchers by name (gpu/exec/registry.c). */
typedef struct CudaRegistry CudaRegistry;
/* ERR_BUG when two have one name. */
Status cuda_registry_create(CudaRegistry **out);
void cuda_registry_destroy(CudaRegistry **registry);
/* NULL when there is none of that name. */
const CudaKernel *cuda_registry_find(const CudaRegistry *registry, const char *name);
int cuda_registry_count(const CudaRegistry *registry);

#ifdef __cplusplus
}
#endif
