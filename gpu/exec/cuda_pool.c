#include "gpu/exec/cuda_pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Block {
  void *p;
  size_t capacity;
  const void *owner; /* of an idle one: who gave it back; NULL: all may take it */
  int device;
  bool idle;
} Block;

/* What finds no place in the table is allocated and freed at once. */
enum { BLOCKS = 8192 };
static struct {
  pthread_mutex_t lock;
  Block block[BLOCKS]; /* in no order */
  int n;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The largest part of the GPU that may be idle: others use it too. */
enum { IDLE_PART = 4 };
/* From here on memory comes in pages of the GPU. */
static const size_t PAGE = 2 << 20, LEAST = 512;

/* SINEW_GPU_POOL=off: each array is an allocation of its own, so that compute-sanitizer sees where it ends. */
static bool pool_off(void) {
  const char *text = getenv("SINEW_GPU_POOL");
  return text && strcmp(text, "off") == 0;
}

static size_t rounded(size_t bytes) {
  const size_t unit = bytes < PAGE / 2 ? LEAST : PAGE;
  return bytes ? (bytes + unit - 1) / unit * unit : LEAST;
}

/* The smallest idle one that holds `bytes` and wastes a quarter at most; NULL: none. */
static Block *find_idle(const void *owner, int device, size_t bytes) {
  const size_t most = bytes + bytes / 4;
  Block *found = NULL;
  for (Block *b = pool.block; b < pool.block + pool.n; ++b) {
    if (!b->idle || b->device != device || b->capacity < bytes || b->capacity > most) continue;
    if (b->owner && b->owner != owner) continue;
    if (!found || b->capacity < found->capacity) found = b;
  }
  return found;
}

static size_t idle_bytes(int device, bool for_all) {
  size_t sum = 0;
  for (const Block *b = pool.block; b < pool.block + pool.n; ++b)
    if (b->idle && b->device == device && !(for_all && b->owner)) sum += b->capacity;
  return sum;
}

static void free_idle(int device) {
  int kept = 0;
  for (int i = 0; i < pool.n; ++i) {
    const Block b = pool.block[i];
    if (b.idle && b.device == device) cudaFree(b.p);
    else pool.block[kept++] = b;
  }
  pool.n = kept;
}

static cudaError_t take(const void *owner, int device, size_t bytes, void **out) {
  Block *found = find_idle(owner, device, bytes);
  if (found) {
    found->idle = false;
    *out = found->p;
    return cudaSuccess;
  }
  cudaError_t error = cudaMalloc(out, bytes);
  if (error == cudaErrorMemoryAllocation && idle_bytes(device, false)) {
    cudaGetLastError();
    free_idle(device);
    error = cudaMalloc(out, bytes);
  }
  if (error == cudaSuccess && pool.n < BLOCKS)
    pool.block[pool.n++] = (Block){.p = *out, .capacity = bytes, .device = device};
  return error;
}

cudaError_t cuda_pool_take(const void *owner, size_t bytes, void **out) {
  int device = 0;
  *out = NULL;
  if (pool_off()) return cudaMalloc(out, bytes ? bytes : 1);
  cudaError_t error = cudaGetDevice(&device);
  if (error != cudaSuccess) return error;
  pthread_mutex_lock(&pool.lock);
  error = take(owner, device, rounded(bytes), out);
  pthread_mutex_unlock(&pool.lock);
  return error;
}

/* False: p is to be freed. */
static bool keep(const void *owner, void *p) {
  size_t free_bytes = 0, total_bytes = 0;
  Block *b = pool.block;
  while (b < pool.block + pool.n && b->p != p) ++b;
  if (b == pool.block + pool.n) return false;
  if (b->capacity >= PAGE && (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess ||
                              idle_bytes(b->device, false) + b->capacity > total_bytes / IDLE_PART)) {
    *b = pool.block[--pool.n];
    return false;
  }
  b->idle = true, b->owner = owner;
  return true;
}

void cuda_pool_give(const void *owner, void *p) {
  if (!p) return;
  pthread_mutex_lock(&pool.lock);
  const bool kept = keep(owner, p);
  pthread_mutex_unlock(&pool.lock);
  if (!kept && cudaFree(p) != cudaSuccess) cudaGetLastError();
}

void cuda_pool_leave(const void *owner) {
  pthread_mutex_lock(&pool.lock);
  for (Block *b = pool.block; b < pool.block + pool.n; ++b)
    if (b->idle && b->owner == owner) b->owner = NULL;
  pthread_mutex_unlock(&pool.lock);
}

size_t cuda_pool_idle(void) {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  pthread_mutex_lock(&pool.lock);
  const size_t sum = idle_bytes(device, true);
  pthread_mutex_unlock(&pool.lock);
  return sum;
}
