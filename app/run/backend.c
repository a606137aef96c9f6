/* auto, cpu or cuda; on a GPU the tracker knows how much memory was free at the start. */
#include "app/run/backend.h"
#include "gpu/exec/cuda_exec.h"

#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Left free for graphs, launches and the driver. */
static const double GPU_RESERVE = 0.03;

static Status open_gpu(Device *out) {
  size_t free_bytes = 0, total_bytes = 0;
  TRY(exec_create_cuda(&out->exec));
  out->on_gpu = true;
  out->exec->check = getenv("SINEW_CHECK_LAUNCHES") != NULL; /* loops turn by turn, each launch waited for */
  TRY(cuda_memory(&free_bytes, &total_bytes));
  const size_t reserve = (size_t)(GPU_RESERVE * (double)total_bytes);
  return tracker_open(out->exec, free_bytes > reserve ? free_bytes - reserve : 1, &out->tracker);
}

static Status open_cpu(int threads, Device *out) {
  TRY(exec_create_cpu(threads, &out->exec));
  return tracker_open(out->exec, 0, &out->tracker);
}

static Status open_any(Backend backend, int threads, Device *out) {
  char why[384];
  if (backend == BACKEND_CPU) return open_cpu(threads, out);
  if (cuda_usable(why, sizeof why)) return open_gpu(out);
  CHECK(backend == BACKEND_AUTO, ERR_GPU, "--backend cuda: %s\n  use --backend cpu or --backend auto", why);
#ifdef SINEW_HAVE_CUDA
  snprintf(out->note, sizeof out->note, "no GPU in use: %s", why);
#endif
  return open_cpu(threads, out);
}

Status device_open(Backend backend, int threads, Device *out) {
  *out = (Device){0};
#ifdef _OPENMP
  if (threads > 0) omp_set_num_threads(threads); /* the loops over meshes and patterns keep to it too */
#endif
  const Status status = open_any(backend, threads, out);
  if (status != OK) device_close(out);
  return status;
}

void device_close(Device *device) {
  tracker_close(&device->tracker);
  exec_destroy(&device->exec);
}
