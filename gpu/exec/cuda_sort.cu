/* Sums and sorting of whole arrays on the GPU, by CUB. */
#include "gpu/exec/cuda_private.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

template <typename T> struct SizeOf {
  __host__ __device__ int64_t operator()(T count) const { return count < 0 ? -(int64_t)count : (int64_t)count; }
};

template <typename T>
static cudaError_t scan_sizes(void *work, size_t *bytes, const void *count, int64_t n, int64_t *start,
                              cudaStream_t stream) {
  const auto sizes = thrust::make_transform_iterator((const T *)count, SizeOf<T>());
  return cub::DeviceScan::InclusiveSum(work, *bytes, sizes, start + 1, (int)n, stream);
}

Status cuda_scan(Exec *exec, const void *count, size_t size, int64_t n, int64_t *start) {
  const cudaStream_t stream = ((CudaExec *)exec)->stream;
  const auto scan = size == 4 ? scan_sizes<int32_t> : scan_sizes<int64_t>;
  size_t bytes = 0;
  void *work = nullptr;
  TRY(exec_zero(exec, start, sizeof *start));
  if (n == 0) return OK;
  CUDA_TRY(scan(nullptr, &bytes, count, n, start, stream), "adding up sizes on the GPU failed");
  TRY(exec_alloc(exec, (int64_t)bytes, 1, "sums of sizes", &work));
  const Status status = cuda_check(scan(work, &bytes, count, n, start, stream), "adding up sizes on the GPU failed");
  exec_release(exec, (int64_t)bytes, 1, &work);
  return status;
}

/* in_other is what the call with room to work in says. */
template <typename Key> static cudaError_t sort_pairs(void *work, size_t *bytes, ExecSort *s, cudaStream_t stream) {
  cub::DoubleBuffer<Key> key((Key *)s->key, (Key *)s->other_key);
  cub::DoubleBuffer<uint32_t> payload(s->payload, s->other_payload);
  const cudaError_t error = cub::DeviceRadixSort::SortPairs(work, *bytes, key, payload, s->n, 0, s->bits, stream);
  s->in_other = key.Current() == s->other_key;
  return error;
}

Status cuda_sort(Exec *exec, ExecSort *s) {
  const cudaStream_t stream = ((CudaExec *)exec)->stream;
  const auto sort = s->key_size == 4 ? sort_pairs<uint32_t> : sort_pairs<uint64_t>;
  size_t bytes = 0;
  void *work = nullptr;
  CUDA_TRY(sort(nullptr, &bytes, s, stream), "sorting on the GPU failed");
  TRY(exec_alloc(exec, (int64_t)bytes, 1, "room for sorting", &work));
  const Status status = cuda_check(sort(work, &bytes, s, stream), "sorting on the GPU failed");
  exec_release(exec, (int64_t)bytes, 1, &work);
  return status;
}
