/* What the files of the CPU executor share. */
#pragma once
#include "core/exec.h"

typedef struct CpuExec {
  Exec base;
  int threads;
  double *partial; /* owned, [capacity][ROW_SUMS_MOST] */
  int64_t capacity;
  int64_t *part_first; /* owned, [part_capacity]: chunks before each part of sums */
  int32_t part_capacity;
  double mark[EXEC_MARKS];
} CpuExec;

/* Entries of the ExecTable, core/exec_cpu_sort.c */
Status cpu_scan(Exec *exec, const void *count, size_t size, int64_t n, int64_t *start);
Status cpu_sort(Exec *exec, ExecSort *sort);
/* core/exec_cpu_rows.c */
Status cpu_rows(Exec *exec, const RowKernel *kernel, const void *args, int64_t n);
Status cpu_exchange(Exec *exec, const Halo *halo, void *v, size_t bytes, const int32_t *stop);
