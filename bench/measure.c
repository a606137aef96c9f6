/* Clocks and the copy bandwidth. */
#include "bench/measure.h"

#include <string.h>
#include <time.h>

double bench_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool bench_wants(const BenchParams *params, const char *name) { return !params->only || !strcmp(params->only, name); }

Status bench_time(Exec *exec, BenchOnce once, void *context, int32_t repeat, double *seconds) {
  const int32_t n = repeat > 0 ? repeat : exec_is_host(exec) ? 10 : 50;
  for (int i = 0; i < 2; ++i) TRY(once(context));
  TRY(exec_sync(exec));
  TRY(exec_mark(exec, 0));
  for (int32_t i = 0; i < n; ++i) TRY(once(context));
  TRY(exec_mark(exec, 1));
  TRY(exec_elapsed(exec, 0, 1, seconds));
  *seconds /= n;
  return OK;
}

typedef struct CopyRun {
  Exec *exec;
  double *to;
  const double *from;
  int64_t n;
} CopyRun;

/* Copies chunk by chunk through the executor on the CPU, so that all its threads take part. */
typedef struct CopyArgs {
  double *to;
  const double *from;
} CopyArgs;

static void copy_range(const void *args, int64_t begin, int64_t end, double *sum) {
  (void)sum;
  const CopyArgs *a = args;
  memcpy(a->to + begin, a->from + begin, (size_t)(end - begin) * sizeof *a->to);
}

static const RowKernel HOST_COPY = {"bench_copy", 0, sizeof(CopyArgs), copy_range, NULL};

static Status copy_once(void *context) {
  const CopyRun *run = context;
  if (!exec_is_host(run->exec)) return exec_copy(run->exec, run->to, run->from, (size_t)run->n * sizeof *run->to);
  const CopyArgs args = {run->to, run->from};
  return exec_rows(run->exec, &HOST_COPY, &args, run->n);
}

Status bench_copy(Exec *exec, double *gigabytes_per_second) {
  const int64_t n = exec_is_host(exec) ? (int64_t)1 << 24 : (int64_t)1 << 27;
  double *from = NULL, *to = NULL, best = 0;
  Status status;
  TRY_DONE(exec_alloc(exec, n, sizeof *from, "copy bandwidth", (void **)&from));
  TRY_DONE(exec_alloc(exec, n, sizeof *to, "copy bandwidth", (void **)&to));
  TRY_DONE(exec_zero(exec, from, (size_t)n * sizeof *from));
  CopyRun run = {exec, to, from, n};
  for (int i = 0; i < 5; ++i) {
    double seconds;
    TRY_DONE(bench_time(exec, copy_once, &run, exec_is_host(exec) ? 2 : 10, &seconds));
    const double rate = 2e-9 * (double)n * sizeof *from / seconds;
    if (rate > best) best = rate;
  }
  *gigabytes_per_second = best;
done:
  exec_release(exec, n, sizeof *from, (void **)&from);
  exec_release(exec, n, sizeof *to, (void **)&to);
  return status;
}
