/* Row kernels on the CPU: OpenMP over fixed chunks of rows. Partial sums are kept per chunk and added in chunk order, so
 * that a sum has the same bits for any number of threads; with parts (core/sum_parts.h) for any number of ranks. */
#include "core/comm.h"
#include "core/exec_cpu.h"
#include "core/halo.h"
#include "core/memory.h"
#include "core/sum_parts.h"

#include <string.h>

/* Fewer chunks than this are done by the calling thread: waking the others costs more than they would save. */
enum { SERIAL_CHUNKS = 3 };

/* Chunk c has up to ROW_CHUNK rows, and none of another part of sums. */
typedef struct ChunkList {
  int64_t n, n_row;
  int64_t factor;        /* rows for each one of the parts */
  const SumParts *parts; /* NULL: one part */
  int64_t *first;        /* [parts + 1] chunks before those of each part; NULL with one part */
} ChunkList;

static int64_t chunks_of(int64_t rows) { return (rows + ROW_CHUNK - 1) / ROW_CHUNK; }

/* One chunk of rows, its sums into partial[chunk]. */
static void chunk_work(const RowKernel *kernel, const void *args, const ChunkList *list, int64_t chunk,
                       double *partial) {
  int64_t begin = chunk * ROW_CHUNK, stop = list->n_row;
  if (list->first) {
    int32_t low = 0, high = list->parts->n_own; /* its part is in [low, high) */
    while (high - low > 1) {
      const int32_t middle = low + (high - low) / 2;
      if (list->first[middle] <= chunk) low = middle;
      else high = middle;
    }
    begin = list->parts->start[low] * list->factor + (chunk - list->first[low]) * ROW_CHUNK;
    stop = list->parts->start[low + 1] * list->factor;
  }
  double sum[ROW_SUMS_MOST] = {0};
  kernel->range(args, begin, begin + ROW_CHUNK < stop ? begin + ROW_CHUNK : stop, sum);
  if (kernel->n_sum) memcpy(partial + chunk * ROW_SUMS_MOST, sum, sizeof sum);
}

static void chunks_add(const double *partial, int64_t begin, int64_t end, double *total) {
  for (int64_t chunk = begin; chunk < end; ++chunk)
    for (int k = 0; k < ROW_SUMS_MOST; ++k) total[k] += partial[chunk * ROW_SUMS_MOST + k];
}

/* The parts of all ranks, added in their order. */
static Status parts_add(Exec *exec, const ChunkList *list, int n_sum, double *total) {
  const SumParts *parts = list->parts;
  const double *partial = ((CpuExec *)exec)->partial;
  double *own = parts->part + (int64_t)parts->first * n_sum;
  for (int32_t p = 0; p < parts->n_own; ++p) {
    double sum[ROW_SUMS_MOST] = {0};
    chunks_add(partial, list->first[p], list->first[p + 1], sum);
    memcpy(own + (int64_t)p * n_sum, sum, (size_t)n_sum * sizeof *sum);
  }
  const int64_t *start = parts->gather_start + (n_sum - 1) * (comm_size(exec->comm) + 1);
  TRY(comm_gather_parts(exec->comm, own, start, parts->part));
  for (int32_t p = 0; p < parts->n_part; ++p)
    for (int k = 0; k < n_sum; ++k) total[k] += parts->part[(int64_t)p * n_sum + k];
  return OK;
}

/* Room for the sums of each chunk, and where those of each part lie. */
static Status chunk_list(CpuExec *cpu, const SumParts *parts, ChunkList *list) {
  if (parts) {
    if (parts->n_own >= cpu->part_capacity) {
      RESIZE(cpu->part_first, parts->n_own + 1, "parts of sums");
      cpu->part_capacity = parts->n_own + 1;
    }
    list->parts = parts;
    list->first = cpu->part_first;
    list->factor = parts->n_row ? list->n_row / parts->n_row : 0;
    list->first[0] = 0;
    for (int32_t p = 0; p < parts->n_own; ++p)
      list->first[p + 1] = list->first[p] + chunks_of((parts->start[p + 1] - parts->start[p]) * list->factor);
    list->n = list->first[parts->n_own];
  }
  if (list->n > cpu->capacity) {
    RESIZE(cpu->partial, list->n * ROW_SUMS_MOST, "partial sums");
    cpu->capacity = list->n;
  }
  return OK;
}

/* In loops a thread has the same rows every time, which its caches know. Elsewhere rows may differ in their work from
 * the first to the last, as those of a gather map do, which are sorted by it: whoever is free takes the next. */
Status cpu_rows(Exec *exec, const RowKernel *kernel, const void *args, int64_t n) {
  CpuExec *cpu = (CpuExec *)exec;
  ChunkList list = {.n = chunks_of(n), .n_row = n};
  if (kernel->n_sum) TRY(chunk_list(cpu, exec->parts, &list));
  double *partial = cpu->partial;
  if (exec->recording || list.n <= SERIAL_CHUNKS) {
#pragma omp parallel for schedule(static) num_threads(cpu->threads) if (list.n > SERIAL_CHUNKS)
    for (int64_t chunk = 0; chunk < list.n; ++chunk) chunk_work(kernel, args, &list, chunk, partial);
  } else {
#pragma omp parallel for schedule(dynamic, 2) num_threads(cpu->threads)
    for (int64_t chunk = 0; chunk < list.n; ++chunk) chunk_work(kernel, args, &list, chunk, partial);
  }
  if (kernel->n_sum) {
    double total[ROW_SUMS_MOST] = {0};
    if (list.parts) TRY(parts_add(exec, &list, kernel->n_sum, total));
    else chunks_add(partial, 0, list.n, total);
    kernel->finish(args, total);
  } else if (kernel->finish) {
    kernel->finish(args, NULL);
  }
  return OK;
}

/* What other ranks have comes to where it is read. */
Status cpu_exchange(Exec *exec, const Halo *halo, void *v, size_t bytes, const int32_t *stop) {
  (void)exec;
  if (stop && *stop) return OK;
  TRY(halo_pack(halo, v, bytes));
  return halo_swap(halo, halo->room, (char *)v + (size_t)halo->n_own * bytes, bytes);
}
