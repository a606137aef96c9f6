/* Exec: where work runs, as an ordered stream. The CPU (OpenMP) and CUDA implement it; solver code is written once.
 *
 * A row kernel is the unit of arithmetic. In a header that gcc and nvcc both compile:
 *   typedef struct AxpyArgs { const double *x; double *y; Scalars *s; } AxpyArgs;
 *   HD void axpy_body(const AxpyArgs *a, int64_t i, double sum[]) { a->y[i] += a->s->alpha * a->x[i]; sum[0] += ...; }
 *   HD void axpy_finish(const AxpyArgs *a, const double sum[]) { a->s->rr = sum[0]; }
 * and one line ROWS_SUM(axpy, AxpyArgs, 1) (or ROWS(axpy, AxpyArgs) without sums) in the folder's rows.def. The
 * folder's rows.h declares `extern const RowKernel axpy_kernel` from it, its rows.c defines it (core/rows.h), gpu/
 * builds the CUDA launcher from the same line. `exec_rows(exec, &axpy_kernel, &args, n)` records or runs it.
 *
 * Sums are added in fixed chunks in a fixed order: bitwise the same for any thread count, and from run to run.
 * Scalars live where the Exec works; no floating-point number comes back to the host inside a loop. A body writes what
 * belongs to its row; scalars, the stop flag of a loop among them, are written by a finish or by a kernel of one row.
 * Inside exec_loop a body only records: allocating, releasing, uploading, downloading or synchronising there is
 * ERR_BUG. */
#pragma once
#include "core/loop_history.h"
#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ROW_SUMS_MOST: of kernels whose GPU launchers are written by hand (algebra/many.h, solver/time/functional.h). */
enum { ROW_SUMS = 4, ROW_SUMS_MOST = 12, ROW_CHUNK = 1152 /* multiple of the slice sizes 32, 64, 96 */ };

typedef struct RowKernel {
  const char *name; /* the key under which gpu/ finds its launcher */
  int n_sum;        /* 0 to ROW_SUMS, or ROW_SUMS_MOST by hand */
  size_t args_size;
  /* CPU: rows [begin, end) of one chunk; adds its part to sum[n_sum]. Chunks start at multiples of ROW_CHUNK. */
  void (*range)(const void *args, int64_t begin, int64_t end, double *sum);
  void (*finish)(const void *args, const double *sum); /* once after all rows; may be NULL when n_sum is 0 */
} RowKernel;

typedef struct Exec Exec;
typedef struct Comm Comm;         /* core/comm.h */
typedef struct Halo Halo;         /* core/halo.h */
typedef struct SumParts SumParts; /* core/sum_parts.h */
typedef struct ExecLoop ExecLoop;
typedef struct ExecSnapshot ExecSnapshot;
/* Records one turn of a loop: launches only. */
typedef Status (*LoopBody)(Exec *exec, void *context);
/* Called now and then from the host while a loop runs; may read mirrors. */
typedef void (*LoopPoll)(void *context);

/* Pairs on their way through a sort: what is sorted, and as much room beside it. */
typedef struct ExecSort {
  int64_t n;
  size_t key_size; /* 4 or 8 */
  int bits;
  void *key, *other_key;
  uint32_t *payload, *other_payload;
  bool in_other; /* out: the sorted pairs lie in the room beside */
} ExecSort;

typedef struct ExecTable {
  const char *name; /* "cpu", "cuda" */
  void (*destroy)(Exec *exec);
  Status (*alloc)(Exec *exec, size_t bytes, const char *what, void **out);
  void (*release)(Exec *exec, void *p, size_t bytes);
  Status (*mirror_alloc)(Exec *exec, size_t bytes, void **host, void **device);
  void (*mirror_release)(Exec *exec, void *host);
  Status (*upload)(Exec *exec, void *to, const void *from, size_t bytes);
  Status (*download)(Exec *exec, void *to, const void *from, size_t bytes);
  Status (*copy)(Exec *exec, void *to, const void *from, size_t bytes);
  Status (*zero)(Exec *exec, void *to, size_t bytes);
  Status (*sync)(Exec *exec);
  Status (*rows)(Exec *exec, const RowKernel *kernel, const void *args, int64_t n);
  Status (*exchange)(Exec *exec, const Halo *halo, void *v, size_t bytes, const int32_t *stop);
  /* What an executor needs beside the Comm, each collective; NULL: nothing. */
  Status (*join)(Exec *exec);
  Status (*halo_open)(Halo *halo);
  void (*halo_close)(Halo *halo);
  Status (*parts_open)(SumParts *parts);
  void (*parts_close)(SumParts *parts);
  Status (*scan)(Exec *exec, const void *count, size_t size, int64_t n, int64_t *start);
  Status (*sort)(Exec *exec, ExecSort *sort);
  Status (*loop_create)(Exec *exec, LoopBody body, void *context, const int32_t *stop, ExecLoop **out);
  Status (*loop_run)(ExecLoop *loop, int64_t max, LoopPoll poll, void *poll_context);
  void (*loop_destroy)(ExecLoop *loop);
  Status (*mark)(Exec *exec, int slot);
  Status (*elapsed)(Exec *exec, int from, int to, double *seconds);
  Status (*snapshot_create)(Exec *exec, size_t bytes, const char *what, ExecSnapshot **out);
  void (*snapshot_destroy)(ExecSnapshot *snapshot);
  Status (*snapshot_send)(ExecSnapshot *snapshot, size_t bytes);
  Status (*snapshot_wait)(ExecSnapshot *snapshot);
} ExecTable;

enum { EXEC_MARKS = 32 };

/* Implementations embed this first. */
struct Exec {
  const ExecTable *table;
  Comm *comm;            /* the ranks that work on this together; NULL: alone */
  const SumParts *parts; /* what sums go over; NULL: the rows of this rank */
  bool recording;        /* inside a loop body */
  bool check;            /* debug: synchronise and check after every launch outside a recording */
  size_t in_use, peak;   /* bytes allocated through exec_alloc */
  const char *misuse;    /* what was done while recording that has no status to return; NULL: nothing */
  uint32_t marked;       /* bit k: time mark k was set */
  double stands_for; /* how many times larger the whole is of which a sample is worked on; 0: this is all there is */
  char device[128];  /* "NVIDIA H200", "CPU, 2 threads" */
};
struct ExecLoop {
  Exec *exec;
  const LoopHistory *history; /* borrowed, exec_loop_idles; NULL: it does not idle */
};
struct ExecSnapshot {
  Exec *exec;
  size_t bytes;
  void *room; /* on the Exec */
  void *host; /* the same memory on the CPU */
};

/* ---- several ranks (core/comm.h), each with its Exec ---- */
/* Once, behind exec_create_*; borrowed, it outlives the Exec. Collective. */
Status exec_join(Exec *exec, Comm *comm);
/* From here on, recorded or not, sums of row kernels go over these parts, which are on all ranks; their rows are c times
 * those of the parts, c = 1, 2 ... (scalars at a node). NULL, as at first: over the rows of this rank alone, as for what
 * all ranks do alike. Returns what it was, to be put back. */
const SumParts *exec_sum_over(Exec *exec, const SumParts *parts);
/* The halo rows of v, [own + halo rows][bytes], become what their owners have there. Recorded or not, like a row
 * kernel; on all ranks. */
Status exec_exchange(Exec *exec, const Halo *halo, void *v, size_t bytes);
/* The same, but nothing where *stop, on the Exec, is not 0 when its turn comes: on all ranks or on none. NULL: 0. */
Status exec_exchange_unless(Exec *exec, const Halo *halo, void *v, size_t bytes, const int32_t *stop);

/* threads <= 0: as many as OpenMP gives. */
Status exec_create_cpu(int threads, Exec **out);
void exec_destroy(Exec **exec);
/* True when pointers of this Exec may be read by the host. */
bool exec_is_host(const Exec *exec);

/* What a number that grows with the problem is for the whole: choices by size ask for it. */
static inline double exec_whole(const Exec *exec, double n) { return exec->stands_for > 0 ? exec->stands_for * n : n; }

/* n items of `size` bytes, not initialised: what reads them first must have written them. ERR_MEMORY or ERR_GPU with `what`. */
Status exec_alloc(Exec *exec, int64_t n, size_t size, const char *what, void **out);
/* Accepts NULL, sets NULL; n and size as allocated. */
void exec_release(Exec *exec, int64_t n, size_t size, void **p);
#define EXEC_ALLOC(exec, pointer, n, what)                                                                             \
  TRY(exec_alloc((exec), (int64_t)(n), sizeof *(pointer), (what), (void **)&(pointer)))
#define EXEC_RELEASE(exec, pointer, n) exec_release((exec), (int64_t)(n), sizeof *(pointer), (void **)&(pointer))
/* Memory that a kernel writes and the host may read while a loop runs (progress). Same pointer twice on the CPU. */
Status exec_mirror_alloc(Exec *exec, size_t bytes, void **host, void **device);
void exec_mirror_release(Exec *exec, void **host);

/* Host to Exec: from[] may change at once, the stream sees it in order. And back: complete when it returns. */
Status exec_upload(Exec *exec, void *to, const void *from, size_t bytes);
Status exec_download(Exec *exec, void *to, const void *from, size_t bytes);
/* exec_alloc and exec_upload in one. */
Status exec_alloc_upload(Exec *exec, int64_t n, size_t size, const void *from, const char *what, void **out);
/* What the host has, for kernels that read it: where it lies on the CPU, else uploaded to new memory. */
Status exec_lend(Exec *exec, int64_t n, size_t size, const void *from, const char *what, const void **out);
/* Accepts NULL, sets NULL; n and size as lent. */
void exec_lend_end(Exec *exec, int64_t n, size_t size, const void **p);
/* What lies on the Exec comes to the host as well, new memory, the caller's (FREE). On the CPU it is the same, changes
 * hands, and *p is NULL afterwards. */
Status exec_fetch(Exec *exec, int64_t n, size_t size, const char *what, void **p, void **host);
/* Ordered in the stream; may be recorded. */
Status exec_copy(Exec *exec, void *to, const void *from, size_t bytes);
Status exec_zero(Exec *exec, void *to, size_t bytes);
Status exec_rows(Exec *exec, const RowKernel *kernel, const void *args, int64_t n);
Status exec_sync(Exec *exec);

/* ---- whole arrays of integers (core/exec_sort.c): the same on every Exec; not inside a loop ---- */
/* start [n + 1]: sums of the sizes before each, start[0] = 0, and *total (NULL: not asked for) that of all, start[n]. A
 * size is |count[i]|, an int32_t or int64_t by `size` (4, 8). n < 2^31. */
Status exec_scan(Exec *exec, const void *count, size_t size, int64_t n, int64_t *start, int64_t *total);
/* Sorts key[n], uint32_t or uint64_t by `key_size` (4, 8), ascending and the payload with it, stable. Bits of keys from
 * `bits` on are 0. Takes as much room again while it works. */
Status exec_sort(Exec *exec, int64_t n, void *key, size_t key_size, int bits, uint32_t *payload);
/* index [*n_index], new on the Exec and the caller's: which of flag[n] are not 0, ascending. */
Status exec_compact(Exec *exec, const uint8_t *flag, int64_t n, const char *what, int64_t **index, int64_t *n_index);

/* A loop whose body is recorded once and kept: the CPU calls body until *stop != 0 (looked at after each turn), CUDA
 * captures it into a graph with a WHILE node and launches that once per run. `stop` is memory of this Exec, as is all
 * that the body touches; pointers must stay valid as long as the loop. `context` must outlive the loop. */
Status exec_loop_create(Exec *exec, LoopBody body, void *context, const int32_t *stop, ExecLoop **out);
/* Promises, before the first run, that a turn changes nothing once *stop is set, and that the body sets it in time by
 * itself: then several turns may be recorded at once, which is faster on CUDA, where each look at the flag costs 4 us.
 * Turns after the stop are empty; `max` is rounded up to what is recorded at once. How many are is learnt from
 * `history`, to which the caller adds each run and which outlives the loop: the same turns to the same bits, however
 * many at once. */
void exec_loop_idles(ExecLoop *loop, const LoopHistory *history);
/* At least one turn, at most max (host decides on the CPU, the device on CUDA); *stop must be 0 before, set through an upload or
 * kernel. Complete when it returns; poll may be NULL. Inside a body: recorded, run in each of its turns; `loop` outlives that one. */
Status exec_loop_run(ExecLoop *loop, int64_t max, LoopPoll poll, void *poll_context);
void exec_loop_destroy(ExecLoop **loop);

/* Time marks in the stream, not inside a loop: elapsed synchronises and gives the seconds between two marks (0 to
 * EXEC_MARKS - 1). */
Status exec_mark(Exec *exec, int slot);
Status exec_elapsed(Exec *exec, int from, int to, double *seconds);

/* ---- snapshots: results that go to the host while work on the Exec goes on (core/snapshot.c) ---- */
/* `bytes` on the Exec and as many on the host that it can reach; all counted. Nothing of this in a recording. */
Status exec_snapshot_create(Exec *exec, size_t bytes, const char *what, ExecSnapshot **out);
/* Waits for a copy that is under way. Accepts NULL, sets NULL. */
void exec_snapshot_destroy(ExecSnapshot **snapshot);
/* Memory of the Exec, [bytes], that exec_copy and row kernels may fill in: what is given to the stream here is in the
 * snapshot. */
void *exec_snapshot_room(ExecSnapshot *snapshot);
/* Its first `bytes` begin their way to the host, behind all that the stream was given so far and beside what follows.
 * The room must not be touched before exec_snapshot_wait. */
Status exec_snapshot_send(ExecSnapshot *snapshot, size_t bytes);
/* What was sent last, when it is there. May be called on another thread than that of the Exec, by one at a time. */
Status exec_snapshot_wait(ExecSnapshot *snapshot, const void **host);

#ifdef __cplusplus
}
#endif
