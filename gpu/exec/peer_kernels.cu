/* Rows go to the neighbours by stores into their memory, in words that say of which exchange they are; what came from
 * them goes from there into the vector. Two halves in turns: who begins exchange k + 1 has had the rows of exchange k
 * from all neighbours, so they had read those of k - 1. */
#include "gpu/exec/peer_kernels.h"
#include "gpu/share.cuh"

/* Words of a thread that are under way at once. */
enum { PEER_AHEAD = 4 };

template <typename T> struct PeerUnits {
  enum { EACH = 8 / sizeof(T), BITS = 8 * sizeof(T) }; /* of a word */
  uint32_t n;                                          /* units of all rows */
  __device__ PeerUnits(int32_t rows, int32_t units) : n((uint32_t)rows * (uint32_t)units) {}
  __device__ uint32_t words() const { return n ? (n + EACH - 1) / EACH : 1; }
};

template <typename T>
static __device__ __forceinline__ void peer_send(const PeerExchangeArgs &a, const PeerRows &peer, PeerCount count) {
  typedef PeerUnits<T> Units;
  const Units all(peer.n_send, a.units);
  const uint32_t n = all.words(), step = gridDim.x * PEER_BLOCK, units = a.units;
  PeerWord *to = peer.to[count % 2];
  for (uint32_t first = blockIdx.x * PEER_BLOCK + threadIdx.x; first < n; first += PEER_AHEAD * step) {
    PeerCount data[PEER_AHEAD] = {};
    if (all.n)
#pragma unroll
      for (uint32_t u = 0; u < PEER_AHEAD; ++u)
#pragma unroll
        for (uint32_t k = 0; k < Units::EACH; ++k) { /* beyond the end the last one again */
          const uint32_t at = (first + u * step) * Units::EACH + k, i = at < all.n ? at : all.n - 1, row = i / units;
          const T value = ((const T *)a.v)[(int64_t)peer.send_row[row] * units + (i - row * units)];
          data[u] |= (PeerCount)value << (k * Units::BITS % 64);
        }
#pragma unroll
    for (uint32_t u = 0; u < PEER_AHEAD; ++u)
      if (first + u * step < n) word_put(to + first + u * step, data[u], count);
  }
}

template <typename T>
static __device__ __forceinline__ void peer_take(const PeerExchangeArgs &a, const PeerRows &peer, PeerCount count) {
  typedef PeerUnits<T> Units;
  const Units all(peer.n_recv, a.units);
  const uint32_t n = all.words(), step = gridDim.x * PEER_BLOCK;
  const PeerWord *from = peer.from[count % 2];
  for (uint32_t first = blockIdx.x * PEER_BLOCK + threadIdx.x; first < n; first += PEER_AHEAD * step) {
    PeerWord word[PEER_AHEAD];
#pragma unroll
    for (uint32_t u = 0; u < PEER_AHEAD; ++u)
      word[u] = word_poll(from + (first + u * step < n ? first + u * step : first));
#pragma unroll
    for (uint32_t u = 0; u < PEER_AHEAD; ++u) {
      if (first + u * step >= n) continue;
      word_wait(word[u], from + first + u * step, count, a.state, &peer.rank);
#pragma unroll
      for (uint32_t k = 0; k < Units::EACH; ++k) {
        const uint32_t i = (first + u * step) * Units::EACH + k;
        if (i < all.n) ((T *)peer.halo)[i] = (T)(word[u].data >> (k * Units::BITS % 64));
      }
    }
  }
}

template <typename T>
static __global__ void __launch_bounds__(PEER_BLOCK) peer_rows(const __grid_constant__ PeerExchangeArgs a) {
  if (a.stop && *a.stop) return;
  const PeerRows &peer = a.peer[blockIdx.y];
  PeerCount *done = a.count + blockIdx.y * gridDim.x + blockIdx.x;
  const PeerCount count = *done + 1;
  peer_send<T>(a, peer, count);
  peer_take<T>(a, peer, count);
  __syncthreads(); /* all have read it */
  if (threadIdx.x == 0) *done = count;
}

static cudaError_t peer_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *) {
  const PeerExchangeArgs &a = *(const PeerExchangeArgs *)args;
  const dim3 blocks((unsigned)n, (unsigned)a.n_peer);
  switch (a.unit) {
  case 8: peer_rows<uint64_t><<<blocks, PEER_BLOCK, 0, stream>>>(a); break;
  case 4: peer_rows<uint32_t><<<blocks, PEER_BLOCK, 0, stream>>>(a); break;
  default: peer_rows<uint8_t><<<blocks, PEER_BLOCK, 0, stream>>>(a);
  }
  return cudaGetLastError();
}

extern "C" const CudaKernel peer_exchange = {"peer_exchange", sizeof(PeerExchangeArgs), peer_launch, 0};
