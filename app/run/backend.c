/* auto, cpu or cuda; on a GPU the tracker knows how much memory was free at the start. */
#include "app/run/backend.h"
#include "core/memory.h"
#include "core/worker.h"
#include "gpu/exec/cuda_exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Left free for graphs, launches and the driver. */
static const double GPU_RESERVE = 0.03;

struct DeviceBegun {
  Worker *worker; /* owned, with one job */
  Device gpu;     /* owned until device_end takes it */
  bool usable;
  char why[384]; /* not usable */
};

size_t device_room(size_t free_bytes) {
  const char *given = getenv("SINEW_GPU_ROOM");
  const size_t room = given ? (size_t)strtoull(given, NULL, 10) : free_bytes;
  return room < free_bytes ? room : free_bytes;
}

static Status fill_gpu(Device *out) {
  size_t free_bytes = 0, total_bytes = 0;
  TRY(exec_create_cuda(&out->exec));
  out->on_gpu = true;
  out->exec->check = getenv("SINEW_CHECK_LAUNCHES") != NULL; /* loops turn by turn, each launch waited for */
  TRY(cuda_memory(&free_bytes, &total_bytes));
  const size_t reserve = (size_t)(GPU_RESERVE * (double)total_bytes);
  return tracker_open(out->exec, device_room(free_bytes > reserve ? free_bytes - reserve : 1), &out->tracker);
}

/* The GPU, where it is usable. */
static Status begun_open(void *context, int32_t slot) {
  DeviceBegun *b = context;
  (void)slot;
  b->usable = cuda_usable(b->why, sizeof b->why);
  return b->usable ? fill_gpu(&b->gpu) : OK;
}

static Status open_cpu(int threads, Device *out) {
  TRY(exec_create_cpu(threads, &out->exec));
  return tracker_open(out->exec, 0, &out->tracker);
}

/* What has been begun, to its end; or all of it here. */
static Status open_any(DeviceBegun *begun, Backend backend, int threads, Device *out) {
  DeviceBegun here = {0};
  if (backend == BACKEND_CPU) return open_cpu(threads, out);
  const Status status = begun ? worker_finish(begun->worker) : begun_open(&here, 0);
  if (!begun) begun = &here;
  *out = begun->gpu;
  begun->gpu = (Device){0};
  if (status != OK || begun->usable) return status;
  CHECK(backend == BACKEND_AUTO, ERR_GPU, "--backend cuda: %s\n  use --backend cpu or --backend auto", begun->why);
#ifdef SINEW_HAVE_CUDA
  snprintf(out->note, sizeof out->note, "no GPU in use: %s", begun->why);
#endif
  TRY(exec_create_cpu(threads, &out->exec));
  return tracker_open(out->exec, getenv("SINEW_GPU_ROOM") ? device_room(SIZE_MAX) : 0, &out->tracker);
}

Status device_open(Backend backend, int threads, Device *out) {
  DeviceBegun *none = NULL;
  return device_end(&none, backend, threads, out);
}

void device_close(Device *device) {
  tracker_close(&device->tracker);
  exec_destroy(&device->exec);
}

static Status start_begun(DeviceBegun **out) {
  DeviceBegun *b = NULL;
  int32_t slot;
  ALLOC(b, 1, "a device that is opened");
  *out = b;
  TRY(worker_create(&(WorkerParams){.n_slot = 1, .context = b, .work = begun_open}, &b->worker));
  TRY(worker_take(b->worker, &slot));
  worker_give(b->worker);
  return OK;
}

void device_begin(DeviceBegun **out) {
  *out = NULL;
  if (start_begun(out) == OK) return;
  status_clear();
  device_drop(out);
}

Status device_end(DeviceBegun **begun, Backend backend, int threads, Device *out) {
  *out = (Device){0};
#ifdef _OPENMP
  if (threads > 0) omp_set_num_threads(threads); /* the loops over meshes and patterns keep to it too */
#endif
  const Status status = open_any(*begun, backend, threads, out);
  device_drop(begun);
  if (status != OK) device_close(out);
  return status;
}

void device_drop(DeviceBegun **begun) {
  DeviceBegun *b = *begun;
  if (!b) return;
  worker_destroy(&b->worker);
  device_close(&b->gpu);
  FREE(*begun);
}

bool device_gpu_is_likely(void) {
#ifdef SINEW_HAVE_CUDA
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
#else
  return false;
#endif
}

/* GPUs that this process may see, as CUDA_VISIBLE_DEVICES lists them. */
static int list_gpus(char *text, int size) {
  const char *given = getenv("CUDA_VISIBLE_DEVICES");
  int n = 0, at = 0;
  char path[32];
  if (given) {
    snprintf(text, (size_t)size, "%s", given);
    for (const char *c = text; *c; ++c) n += *c == ',';
    return *text ? n + 1 : 0;
  }
  *text = 0;
  for (int i = 0; i < 64; ++i) { /* a container may have some of the host's, which are counted from 0 all the same */
    snprintf(path, sizeof path, "/dev/nvidia%d", i);
    if (access(path, F_OK) == 0) at += snprintf(text + at, (size_t)(size - at), n ? ",%d" : "%d", n), ++n;
  }
  return n;
}

int device_take_turn(int rank) {
  char list[4096], turned[sizeof list + 2];
  const int n = list_gpus(list, sizeof list);
  const char *first = list;
  for (int k = n ? rank % n : 0; k > 0; --k) first = strchr(first, ',') + 1;
  if (first == list) return n;
  snprintf(turned, sizeof turned, "%s,%.*s", first, (int)(first - list - 1), list);
  setenv("CUDA_VISIBLE_DEVICES", turned, 1);
  return n;
}
