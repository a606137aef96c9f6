/* Loops of small systems in one kernel that stays on the GPU: it reads a list of the launches of one turn and does them
 * turn after turn, with a barrier where a graph starts another kernel. A turn of a graph's WHILE node costs 5.5 us
 * alone, which is more than the arithmetic of some ten thousand unknowns.
 * Two teams of blocks can do it: one thread block cluster (a cheap barrier, few processors) and a cooperative grid (all
 * processors, a dearer barrier). What the list may hold: the row kernels of persist_rows.def, copies, zeros, and the
 * products of persist_formats.cuh. A loop with anything else takes the graph.
 * Sums are added in an order that depends on the number of rows and the team only: the same bits every time.
 * Two things come into the blocks' own memory for a run where the list allows it (persist_plan): the scalars of a
 * Krylov method, of which each block of a cluster then has a copy and takes every step itself, so that sums need one
 * barrier instead of two; and each block's rows of the matrices, as far as there is room. */
#pragma once
#include "gpu/launch.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum PersistTeam { PERSIST_NONE, PERSIST_CLUSTER, PERSIST_GRID } PersistTeam;

enum {
  PERSIST_BLOCK = 512, /* threads: 128 registers each */
  PERSIST_WARPS = PERSIST_BLOCK / 32,
  PERSIST_CLUSTER_BLOCKS = 16,
  PERSIST_GRID_BLOCKS = 132,
  PERSIST_PROGRAM = 96 << 10, /* most bytes of a list: it lies in shared memory */
  PERSIST_SYNC = 256,         /* bytes before the list for the barrier of a grid, zero before a run */
  PERSIST_OPS = 95,           /* most launches of a list in a build that owns rows */
  PERSIST_OWN_HEAD = 144,     /* bytes before the rows that a block holds there (persist_heart.cu), */
  PERSIST_OWN_HALO = 2048     /* and most rows of a tile's halo */
};

/* How the products of a kernel are shared among threads (persist_formats.cuh). SLICES: lanes whose entries can be held
 * in shared memory. TILES: the same in tiles, algebra/formats/tiled.c; builds that own rows only. */
typedef enum PersistShape { PERSIST_ROWS, PERSIST_LANES, PERSIST_SLICES, PERSIST_TILES, PERSIST_TEAMS } PersistShape;

/* When a launch does anything: always, while an int32_t that its arguments point to is not 0, or while it is 0. Told by
 * kernels of builds that own rows only. */
typedef enum PersistGate { PERSIST_ALWAYS, PERSIST_WHEN_SET, PERSIST_UNLESS_SET } PersistGate;

/* What a kernel knows how to do, by the name of the RowKernel. */
typedef struct PersistKernel {
  const char *name;
  size_t args_size;
  int32_t kind, n_sum;
  PersistShape shape;
  int32_t entry_bytes, block; /* of products: bytes of one entry of a row with its column, and block size */
  int32_t krylov; /* where the arguments point to the scalars of a Krylov method; -1: nowhere. Such a kernel's
                                 finish writes to nothing else */
  bool apart;     /* its rows are not those of the products; builds that own rows only */
  PersistGate gate;
  int32_t gate_at; /* where the arguments point to the number of `gate` */
} PersistKernel;
extern const PersistKernel persist_copy, persist_zero;

/* The kernel is built three times: with all of persist_rows.def and persist_formats.cuh, with what an iteration of Jacobi-PCG
 * needs, and for steps of a heart (persist_heart.cu), where each block owns rows. */
typedef struct PersistBuild {
  const PersistKernel *kernels; /* ends with a NULL name; `kind` is this build's own number */
  const void *cluster, *grid;   /* for the runtime; NULL: there is none for this team */
  bool owns;                    /* rows belong to blocks for a whole run */
} PersistBuild;
extern const PersistBuild persist_all, persist_jacobi, persist_heart;

typedef struct PersistCopyArgs {
  void *to;
  const void *from; /* NULL: zero */
} PersistCopyArgs;

/* One launch. Arguments lie `args` bytes after the first operation. */
typedef struct PersistOp {
  int64_t n;
  int32_t kind, n_sum, args;
  int32_t lanes, parts; /* LANES: rows of a block at a time, threads that share one; TEAMS: parts threads share a row */
  int32_t held,
      room; /* SLICES: where in shared memory the block's rows may be held, and bytes there; room 0: nowhere */
  const int32_t *gate; /* in builds that own rows: what `gated`, a PersistGate, looks at; */
  int32_t gated, apart;
} PersistOp;

/* On the device: PERSIST_SYNC bytes, the operations, their arguments. */
typedef struct PersistRun {
  const PersistBuild *build; /* of the host */
  void *program;
  int32_t n_op, bytes; /* of operations and arguments, a multiple of 16 */
  int32_t held;        /* bytes of shared memory behind them for rows of matrices */
  void *scalars;       /* the Krylov that every block keeps a copy of; NULL: none */
  bool guarded;        /* the first operation may write the stop flag: it starts after all have read the flag */
  int64_t max;
  const int32_t *stop;
  double *partial; /* LaunchScratch */
} PersistRun;

/* Whether all blocks of the team can be on this GPU at once, with so many bytes of list and matrices each. */
bool persist_fits(const PersistBuild *build, PersistTeam team, int32_t bytes);
/* Runs at least one turn, at most run->max; part of the stream like a launch. */
cudaError_t persist_launch(cudaStream_t stream, PersistTeam team, const PersistRun *run);

/* A launch as it was recorded. */
typedef struct PersistEntry {
  const CudaKernel *launcher; /* NULL: a copy or zeros, or */
  struct CudaLoop *inside;    /* a loop of at most n turns; else NULL */
  const PersistKernel *known; /* NULL: the persistent kernel does not know it */
  int64_t n, args;            /* args: where the arguments lie among those of the list */
  LaunchScratch scratch;      /* set by who adds it */
} PersistEntry;
/* The launches of one turn: what a graph is captured from, or a persistent kernel works through (persist_list.c). */
typedef struct PersistList {
  int32_t n_op;
  PersistEntry *op;         /* owned */
  int64_t bytes;            /* of arguments */
  unsigned char *args;      /* owned */
  int64_t rows;             /* most scalar rows of a launch */
  int64_t traffic, largest; /* bytes of the matrices of a turn, and of one product */
  bool unknown;             /* some launch is known to no build, or adds up parts */
} PersistList;
/* Adds a launch. ERR_MEMORY. */
Status persist_add(PersistList *list, const CudaKernel *launcher, const void *args, int64_t n);
/* from NULL: zeros. */
Status persist_add_copy(PersistList *list, void *to, const void *from, size_t bytes);
/* A loop inside of the one that is listed, which no persistent kernel knows. */
Status persist_add_loop(PersistList *list, struct CudaLoop *loop, int64_t max);
void persist_forget(PersistList *list);
/* Whether the k-th launch may begin before the one before it has ended: a product that can (gpu/follow.cuh), behind a kernel
 * that does not write its matrix. */
bool persist_follows(const PersistList *list, int32_t k);
/* The team for the list on this GPU; PERSIST_NONE: the graph is the better way, or the only one. The environment
 * variable SINEW_GPU_LOOP forces one: graph, cluster, grid, or persistent (the better team, however large the system);
 * ERR_INPUT for another value. */
Status persist_choose(const PersistList *list, PersistTeam *out);
/* Whether a row body (not a finish) of the first launch may write the stop flag: one row, a copy, or zeros
 * (core/exec.h). */
bool persist_guards(const PersistList *list);
/* Bytes of the list as the kernel reads it, and its copy there: program[persist_bytes]. Shares out the products and the
 * shared memory: run->build, n_op, bytes, held, guarded, scalars and stop are set. */
int64_t persist_bytes(const PersistList *list);
void persist_write(const PersistList *list, PersistTeam team, const int32_t *stop, unsigned char *program,
                   PersistRun *run);
/* Bytes of shared memory that lists and matrices can have. */
int32_t persist_room(void);

#ifdef __cplusplus
}
#endif
