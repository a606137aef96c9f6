/* The CPU executor: memory that the host reads where it lies, loops that call their body. Rows: exec_cpu_rows.c. */
#include "core/exec_cpu.h"
#include "core/clock.h"
#include "core/exec_spoil.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

typedef struct CpuLoop {
  ExecLoop base;
  LoopBody body;
  void *context;
  const int32_t *stop;
} CpuLoop;

static void cpu_destroy(Exec *exec) {
  CpuExec *cpu = (CpuExec *)exec;
  FREE(cpu->part_first);
  FREE(cpu->partial);
  FREE(cpu);
}

static bool spoils;
void exec_spoil_new(void) { spoils = true; }

static Status cpu_alloc(Exec *exec, size_t bytes, const char *what, void **out) {
  (void)exec;
  TRY(mem_alloc((int64_t)bytes, 1, what, out));
  if (spoils) memset(*out, 0xff, bytes);
  return OK;
}

static void cpu_release(Exec *exec, void *p, size_t bytes) {
  (void)exec, (void)bytes;
  FREE(p);
}

static Status cpu_mirror_alloc(Exec *exec, size_t bytes, void **host, void **device) {
  (void)exec;
  *device = NULL;
  TRY(mem_alloc((int64_t)bytes, 1, "progress record", host));
  *device = *host;
  return OK;
}

static void cpu_mirror_release(Exec *exec, void *host) {
  (void)exec;
  FREE(host);
}

/* Pieces of large arrays that threads move or clear: one alone does not use all of the memory's width. */
enum { PIECE = 1 << 20 };

static Status cpu_move(Exec *exec, void *to, const void *from, size_t bytes) {
  const int64_t n = (int64_t)(bytes / PIECE) + 1;
  const bool apart = (uintptr_t)to + bytes <= (uintptr_t)from || (uintptr_t)from + bytes <= (uintptr_t)to;
#pragma omp parallel for schedule(static) num_threads(((CpuExec *)exec)->threads) if (n > 4 && apart)
  for (int64_t k = 0; k < n; ++k) {
    const size_t at = apart ? (size_t)k * PIECE : 0, left = bytes - at;
    if (apart) memcpy((char *)to + at, (const char *)from + at, left < PIECE ? left : PIECE);
    else if (k == 0) memmove(to, from, bytes);
  }
  return OK;
}

static Status cpu_zero(Exec *exec, void *to, size_t bytes) {
  const int64_t n = (int64_t)(bytes / PIECE) + 1;
#pragma omp parallel for schedule(static) num_threads(((CpuExec *)exec)->threads) if (n > 4)
  for (int64_t k = 0; k < n; ++k) {
    const size_t left = bytes - (size_t)k * PIECE;
    memset((char *)to + (size_t)k * PIECE, 0, left < PIECE ? left : PIECE);
  }
  return OK;
}

static Status cpu_sync(Exec *exec) {
  (void)exec;
  return OK;
}

static Status cpu_loop_create(Exec *exec, LoopBody body, void *context, const int32_t *stop, ExecLoop **out) {
  CpuLoop *loop = NULL;
  ALLOC(loop, 1, "a loop");
  *loop = (CpuLoop){{.exec = exec}, body, context, stop};
  *out = &loop->base;
  return OK;
}

static Status cpu_loop_run(ExecLoop *base, int64_t max, LoopPoll poll, void *poll_context) {
  CpuLoop *loop = (CpuLoop *)base;
  Exec *exec = base->exec;
  const bool inside = exec->recording;
  double last = poll ? clock_seconds() : 0;
  for (int64_t iteration = 0; iteration < max; ++iteration) {
    exec->recording = true;
    const Status status = loop->body(exec, loop->context);
    exec->recording = inside;
    if (status != OK) return status;
    if (*loop->stop) break;
    if (poll && clock_seconds() - last > 0.1) {
      poll(poll_context);
      last = clock_seconds();
    }
  }
  return OK;
}

static void cpu_loop_destroy(ExecLoop *loop) { FREE(loop); }

static Status cpu_mark(Exec *exec, int slot) {
  ((CpuExec *)exec)->mark[slot] = clock_seconds();
  return OK;
}

static Status cpu_elapsed(Exec *exec, int from, int to, double *seconds) {
  const CpuExec *cpu = (const CpuExec *)exec;
  *seconds = cpu->mark[to] - cpu->mark[from];
  return OK;
}

/* The host may read it where it lies. */
static Status cpu_snapshot_create(Exec *exec, size_t bytes, const char *what, ExecSnapshot **out) {
  ExecSnapshot *snapshot = NULL;
  ALLOC(snapshot, 1, what);
  const Status status = exec_alloc(exec, (int64_t)bytes, 1, what, &snapshot->room);
  if (status != OK) FREE(snapshot);
  else snapshot->host = snapshot->room;
  *out = snapshot;
  return status;
}

static void cpu_snapshot_destroy(ExecSnapshot *snapshot) {
  exec_release(snapshot->exec, (int64_t)snapshot->bytes, 1, &snapshot->room);
  FREE(snapshot);
}

static Status cpu_snapshot_send(ExecSnapshot *snapshot, size_t bytes) {
  (void)snapshot, (void)bytes;
  return OK;
}

static Status cpu_snapshot_wait(ExecSnapshot *snapshot) {
  (void)snapshot;
  return OK;
}

static const ExecTable CPU_TABLE = {.name = "cpu",
                                    .destroy = cpu_destroy,
                                    .alloc = cpu_alloc,
                                    .release = cpu_release,
                                    .mirror_alloc = cpu_mirror_alloc,
                                    .mirror_release = cpu_mirror_release,
                                    .upload = cpu_move,
                                    .download = cpu_move,
                                    .copy = cpu_move,
                                    .zero = cpu_zero,
                                    .sync = cpu_sync,
                                    .rows = cpu_rows,
                                    .exchange = cpu_exchange,
                                    .scan = cpu_scan,
                                    .sort = cpu_sort,
                                    .loop_create = cpu_loop_create,
                                    .loop_run = cpu_loop_run,
                                    .loop_destroy = cpu_loop_destroy,
                                    .mark = cpu_mark,
                                    .elapsed = cpu_elapsed,
                                    .snapshot_create = cpu_snapshot_create,
                                    .snapshot_destroy = cpu_snapshot_destroy,
                                    .snapshot_send = cpu_snapshot_send,
                                    .snapshot_wait = cpu_snapshot_wait};

/* All threads once, so that those that cannot be had are missing here and not in the middle of a run. */
static void wake_threads(int threads) {
  (void)threads;
#pragma omp parallel num_threads(threads) if (threads > 1)
  {}
}

Status exec_create_cpu(int threads, Exec **out) {
  *out = NULL;
  CpuExec *cpu = NULL;
  ALLOC(cpu, 1, "the CPU executor");
#ifdef _OPENMP
  cpu->threads = threads > 0 ? threads : omp_get_max_threads();
#else
  (void)threads;
  cpu->threads = 1;
#endif
  wake_threads(cpu->threads);
  cpu->base.table = &CPU_TABLE;
  snprintf(cpu->base.device, sizeof cpu->base.device, "CPU, %d thread%s", cpu->threads, cpu->threads == 1 ? "" : "s");
  *out = &cpu->base;
  return OK;
}
