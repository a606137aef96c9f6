/* The CUDA executor: a stream, plain device memory, launchers found by the name of the row kernel. */
#include "gpu/exec/cuda_exec.h"

#include "core/memory.h"
#include "gpu/exec/cuda_peers.h"
#include "gpu/exec/loop_kernels.h"

#include <stdio.h>
#include <string.h>

Status cuda_check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return OK;
  cudaGetLastError();
  return FAIL(ERR_GPU, "%s: %s (%s)", what, cudaGetErrorString(error), cudaGetErrorName(error));
}

static const char *cuda_bytes_text(size_t bytes, char text[32]) {
  if (bytes < 10000) snprintf(text, 32, "%zu bytes", bytes);
  else if (bytes < 10000000) snprintf(text, 32, "%.1f kB", 1e-3 * (double)bytes);
  else if (bytes < (size_t)10000000000) snprintf(text, 32, "%.1f MB", 1e-6 * (double)bytes);
  else snprintf(text, 32, "%.1f GB", 1e-9 * (double)bytes);
  return text;
}

/* The failure of an allocation: what for, how much, and what there is. */
static Status memory_short(cudaError_t error, const char *kind, size_t bytes, const char *what) {
  cudaGetLastError();
  size_t free_bytes = 0, total_bytes = 0;
  char asked[32], free_text[32], total_text[32];
  cuda_bytes_text(bytes, asked);
  if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) {
    cudaGetLastError();
    return FAIL(ERR_GPU, "not enough %s for %s: %s were asked for (%s)", kind, what, asked, cudaGetErrorName(error));
  }
  return FAIL(ERR_GPU, "not enough %s for %s: %s were asked for, %s of %s on the GPU are free (%s)", kind, what, asked,
              cuda_bytes_text(free_bytes, free_text), cuda_bytes_text(total_bytes, total_text),
              cudaGetErrorName(error));
}

/* mem_must_fail: tests fail allocations on the device by the same switch as those of the host. */
static Status cuda_alloc(Exec *exec, size_t bytes, const char *what, void **out) {
  (void)exec;
  *out = NULL;
  void *p = NULL;
  /* an empty array needs an address of its own */
  const cudaError_t error = mem_must_fail() ? cudaErrorMemoryAllocation : cudaMalloc(&p, bytes ? bytes : 1);
  if (error != cudaSuccess) return memory_short(error, "GPU memory", bytes, what);
  *out = p;
  return OK;
}

static void cuda_release(Exec *exec, void *p, size_t bytes) {
  (void)bytes;
  /* While capturing cudaFree would break the capture; exec_release has noted the misuse and the loop fails with it. */
  if (!((CudaExec *)exec)->capturing && cudaFree(p) != cudaSuccess) cudaGetLastError();
}

static Status cuda_mirror_alloc(Exec *exec, size_t bytes, void **host, void **device) {
  (void)exec;
  *host = *device = NULL;
  void *p = NULL;
  cudaError_t error =
      mem_must_fail() ? cudaErrorMemoryAllocation : cudaHostAlloc(&p, bytes ? bytes : 1, cudaHostAllocMapped);
  if (error != cudaSuccess)
    return memory_short(error, "host memory that the GPU can reach", bytes, "a progress record");
  memset(p, 0, bytes);
  error = cudaHostGetDevicePointer(device, p, 0);
  if (error != cudaSuccess) {
    cudaFreeHost(p);
    *device = NULL;
    return cuda_check(error, "the GPU cannot reach host memory");
  }
  *host = p;
  return OK;
}

static void cuda_mirror_release(Exec *exec, void *host) {
  if (!((CudaExec *)exec)->capturing && cudaFreeHost(host) != cudaSuccess) cudaGetLastError();
}

/* From this size on memory is the program's own, touched by all threads and then pinned: on a machine with an H200 430 MB
 * take 29 ms so, and 8 to give back; the runtime's own, page by page in one thread, 224 and 69. */
static const size_t PINNED_LARGE = 8 << 20;
enum { PINNED_PAGE = 4096 };

static Status large_pinned_alloc(size_t bytes, const char *what, void **out) {
  TRY(mem_alloc((int64_t)bytes, 1, what, out));
  char *p = *out;
#pragma omp parallel for schedule(static)
  for (size_t page = 0; page < bytes; page += PINNED_PAGE) *(volatile char *)(p + page) = 0;
  const cudaError_t error = cudaHostRegister(p, bytes, cudaHostRegisterDefault);
  if (error == cudaSuccess) return OK;
  mem_free(out);
  return memory_short(error, "host memory that the GPU can reach", bytes, what);
}

Status cuda_pinned_alloc(size_t bytes, const char *what, void **out) {
  *out = NULL;
  if (bytes >= PINNED_LARGE) return large_pinned_alloc(bytes, what, out);
  const cudaError_t error =
      mem_must_fail() ? cudaErrorMemoryAllocation : cudaHostAlloc(out, bytes ? bytes : 1, cudaHostAllocDefault);
  if (error != cudaSuccess) return memory_short(error, "host memory that the GPU can reach", bytes, what);
  mem_count_bytes(bytes, 0);
  return OK;
}

void cuda_pinned_release(size_t bytes, void **p) {
  if (!*p) return;
  if ((bytes >= PINNED_LARGE ? cudaHostUnregister(*p) : cudaFreeHost(*p)) != cudaSuccess) cudaGetLastError();
  if (bytes >= PINNED_LARGE) {
    mem_free(p);
    return;
  }
  mem_count_bytes(0, bytes);
  *p = NULL;
}

static Status move(Exec *exec, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, const char *what) {
  CudaExec *cuda = (CudaExec *)exec;
  CUDA_TRY(cudaMemcpyAsync(to, from, bytes, kind, cuda->stream), what);
  /* What comes from pageable memory, which all of the host's is, has left it when the call returns (CUDA runtime, "API
   * synchronization behavior"): the host goes on while the GPU is still busy with what was before. */
  if (kind != cudaMemcpyDeviceToHost) return OK;
  return cuda_peers_wait(cuda, what);
}

static Status cuda_upload(Exec *exec, void *to, const void *from, size_t bytes) {
  bool done;
  TRY(cuda_stage_upload((CudaExec *)exec, to, from, bytes, &done));
  return done ? OK : move(exec, to, from, bytes, cudaMemcpyHostToDevice, "copying to the GPU failed");
}

static Status cuda_download(Exec *exec, void *to, const void *from, size_t bytes) {
  bool done;
  TRY(cuda_stage_download((CudaExec *)exec, to, from, bytes, &done));
  return done ? OK : move(exec, to, from, bytes, cudaMemcpyDeviceToHost, "copying from the GPU failed");
}

static Status cuda_copy(Exec *exec, void *to, const void *from, size_t bytes) {
  PersistList *list = ((CudaExec *)exec)->list;
  if (list) return persist_add_copy(list, to, from, bytes);
  return move(exec, to, from, bytes, cudaMemcpyDeviceToDevice, "copying on the GPU failed");
}

static Status cuda_zero(Exec *exec, void *to, size_t bytes) {
  PersistList *list = ((CudaExec *)exec)->list;
  if (list) return persist_add_copy(list, to, NULL, bytes);
  return cuda_check(cudaMemsetAsync(to, 0, bytes, ((CudaExec *)exec)->stream), "clearing GPU memory failed");
}

static Status cuda_sync(Exec *exec) { return cuda_peers_wait((CudaExec *)exec, "work on the GPU failed"); }

Status cuda_launch(CudaExec *cuda, const CudaKernel *found, const void *args, int64_t n, const LaunchScratch *scratch) {
  cudaError_t error = found->launch(cuda->stream, args, n, scratch);
  if (error == cudaSuccess && cuda->base.check && !cuda->capturing) {
    TRY(cuda_peers_check(cuda));
    error = cudaStreamSynchronize(cuda->stream);
  }
  if (error == cudaSuccess) return OK;
  cudaGetLastError();
  return FAIL(ERR_GPU, "row kernel '%s' failed on the GPU for %lld rows: %s (%s)", found->name, (long long)n,
              cudaGetErrorString(error), cudaGetErrorName(error));
}

Status cuda_launch_any(CudaExec *cuda, const CudaKernel *found, const void *args, int64_t n,
                       const LaunchScratch *scratch) {
  PersistList *list = cuda->list;
  if (!list) return cuda_launch(cuda, found, args, n, scratch);
  TRY(persist_add(list, found, args, n));
  list->op[list->n_op - 1].scratch = *scratch;
  if (scratch->share) list->unknown = true; /* kernels that stay do not know of parts */
  return OK;
}

static Status cuda_rows(Exec *exec, const RowKernel *kernel, const void *args, int64_t n) {
  CudaExec *cuda = (CudaExec *)exec;
  LaunchScratch scratch;
  const CudaKernel *found = cuda_registry_find(cuda->registry, kernel->name);
  CHECK(found, ERR_BUG, "row kernel '%s' has no GPU launcher (see gpu/launch.h)", kernel->name);
  CHECK(found->args_size == kernel->args_size, ERR_BUG,
        "row kernel '%s' has arguments of %zu bytes, its GPU launcher of %zu", kernel->name, kernel->args_size,
        found->args_size);
  TRY(cuda_peers_scratch(cuda, kernel, found, n, &scratch));
  if (scratch.share && cuda_peers_carry(cuda)) return cuda_carry_sums(cuda, found, args, n, scratch);
  return cuda_launch_any(cuda, found, args, n, &scratch);
}

static Status cuda_mark(Exec *exec, int slot) {
  CudaExec *cuda = (CudaExec *)exec;
  return cuda_check(cudaEventRecord(cuda->mark[slot], cuda->stream), "setting a time mark failed");
}

static Status cuda_elapsed(Exec *exec, int from, int to, double *seconds) {
  CudaExec *cuda = (CudaExec *)exec;
  float ms = 0;
  CUDA_TRY(cudaEventSynchronize(cuda->mark[from]), "work on the GPU failed");
  CUDA_TRY(cudaEventSynchronize(cuda->mark[to]), "work on the GPU failed");
  CUDA_TRY(cudaEventElapsedTime(&ms, cuda->mark[from], cuda->mark[to]), "reading a time mark failed");
  *seconds = 1e-3 * (double)ms;
  return OK;
}

/* Also puts away an executor that is only half made. */
static void cuda_destroy(Exec *exec) {
  CudaExec *cuda = (CudaExec *)exec;
  if (cuda->stream) cudaStreamSynchronize(cuda->stream);
  for (int i = 0; i < EXEC_MARKS; ++i)
    if (cuda->mark[i]) cudaEventDestroy(cuda->mark[i]);
  cuda_stage_destroy(cuda);
  cuda_peers_destroy(cuda);
  cudaFree(cuda->scratch.partial);
  cudaFree(cuda->scratch.ticket);
  if (cuda->stream) cudaStreamDestroy(cuda->stream);
  if (cuda->copies) cudaStreamDestroy(cuda->copies);
  cudaGetLastError();
  cuda_registry_destroy(&cuda->registry);
  FREE(cuda);
}

static const ExecTable CUDA_TABLE = {
    .name = "cuda",
    .destroy = cuda_destroy,
    .alloc = cuda_alloc,
    .release = cuda_release,
    .mirror_alloc = cuda_mirror_alloc,
    .mirror_release = cuda_mirror_release,
    .upload = cuda_upload,
    .download = cuda_download,
    .copy = cuda_copy,
    .zero = cuda_zero,
    .sync = cuda_sync,
    .rows = cuda_rows,
    .exchange = cuda_exchange,
    .join = cuda_join,
    .halo_open = cuda_halo_open,
    .halo_close = cuda_halo_close,
    .parts_open = cuda_parts_open,
    .parts_close = cuda_parts_close,
    .scan = cuda_scan,
    .sort = cuda_sort,
    .loop_create = cuda_loop_create,
    .loop_run = cuda_loop_run,
    .loop_destroy = cuda_loop_destroy,
    .mark = cuda_mark,
    .elapsed = cuda_elapsed,
    .snapshot_create = cuda_snapshot_create,
    .snapshot_destroy = cuda_snapshot_destroy,
    .snapshot_send = cuda_snapshot_send,
    .snapshot_wait = cuda_snapshot_wait,
};

/* Everything that the executor holds besides what its user allocates. */
static Status fill_in(CudaExec *cuda) {
  struct cudaDeviceProp properties;
  int device = 0;
  CUDA_TRY(cudaGetDevice(&device), "choosing a GPU failed");
  CUDA_TRY(cudaGetDeviceProperties(&properties, device), "asking for the GPU's properties failed");
  snprintf(cuda->base.device, sizeof cuda->base.device, "%.127s", properties.name);
  cuda->lets_follow = loop_kernels_follow();
  CUDA_TRY(cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking), "the GPU could not be opened");
  TRY(cuda_registry_create(&cuda->registry));
  void *p = NULL;
  TRY(cuda_alloc(&cuda->base, sizeof(double) * LAUNCH_MAX_PARTIALS * ROW_SUMS, "partial sums", &p));
  cuda->scratch.partial = p;
  TRY(cuda_alloc(&cuda->base, sizeof *cuda->scratch.ticket, "the ticket of sums", &p));
  cuda->scratch.ticket = p;
  TRY(cuda_zero(&cuda->base, p, sizeof *cuda->scratch.ticket));
  for (int i = 0; i < EXEC_MARKS; ++i) CUDA_TRY(cudaEventCreate(&cuda->mark[i]), "creating time marks failed");
  return cuda_sync(&cuda->base);
}

Status cuda_choose(int k) {
  int n = 0;
  CUDA_TRY(cudaGetDeviceCount(&n), "counting the GPUs failed");
  CHECK(n > 0, ERR_GPU, "there is no GPU");
  return cuda_check(cudaSetDevice(k % n), "choosing a GPU failed");
}

Status exec_create_cuda(Exec **out) {
  *out = NULL;
  char why[256];
  CHECK(cuda_usable(why, sizeof why), ERR_GPU, "no usable GPU: %s", why);
  CudaExec *cuda = NULL;
  ALLOC(cuda, 1, "the CUDA executor");
  cuda->base.table = &CUDA_TABLE;
  const Status status = fill_in(cuda);
  if (status != OK) {
    cuda_destroy(&cuda->base);
    return status;
  }
  *out = &cuda->base;
  return OK;
}

/* Conditional graph nodes, on which loops rest, came with this driver. */
enum { OLDEST_DRIVER = 12040 };

bool cuda_usable(char *why, int size) {
  const size_t room = size > 0 ? (size_t)size : 0;
  int n = 0, driver = 0;
  if (room) why[0] = 0;
  const cudaError_t error = cudaGetDeviceCount(&n);
  cudaGetLastError();
  if (cudaDriverGetVersion(&driver) != cudaSuccess) driver = 0;
  const int built = CUDART_VERSION;
  if (driver == 0) {
    snprintf(why, room, "no NVIDIA driver is installed");
  } else if (error == cudaErrorInsufficientDriver || driver < OLDEST_DRIVER) {
    snprintf(why, room, "the NVIDIA driver is too old: it supports CUDA %d.%d, this Sinew needs %d.%d", driver / 1000,
             driver % 1000 / 10, built / 1000, error == cudaErrorInsufficientDriver ? 0 : 4);
  } else if (error == cudaErrorNoDevice || (error == cudaSuccess && n == 0)) {
    snprintf(why, room, "a driver but no NVIDIA GPU is there (or CUDA_VISIBLE_DEVICES hides it)");
  } else if (error != cudaSuccess) {
    snprintf(why, room, "%s (%s)", cudaGetErrorString(error), cudaGetErrorName(error));
  } else {
    const cudaError_t fit = loop_kernels_fit();
    if (fit == cudaSuccess) return true;
    cudaGetLastError();
    struct cudaDeviceProp gpu;
    if (cudaGetDeviceProperties(&gpu, 0) != cudaSuccess)
      snprintf(why, room, "%s (%s)", cudaGetErrorString(fit), cudaGetErrorName(fit));
    else if (fit == cudaErrorNoKernelImageForDevice || fit == cudaErrorInvalidDeviceFunction ||
             fit == cudaErrorUnsupportedPtxVersion)
      snprintf(why, room,
               "%s has architecture %d%d, for which this Sinew was not compiled; build with "
               "-DSINEW_CUDA_ARCHITECTURES=%d%d",
               gpu.name, gpu.major, gpu.minor, gpu.major, gpu.minor);
    else snprintf(why, room, "%s: %s (%s)", gpu.name, cudaGetErrorString(fit), cudaGetErrorName(fit));
  }
  return false;
}

Status cuda_memory(size_t *free_bytes, size_t *total_bytes) {
  *free_bytes = *total_bytes = 0;
  return cuda_check(cudaMemGetInfo(free_bytes, total_bytes), "asking for the GPU's memory failed");
}
