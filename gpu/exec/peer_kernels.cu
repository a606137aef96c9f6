/* Rows go to the neighbours by stores into their memory, then a flag; what came from them goes from the staging into the
 * vector. Two halves of staging in turns: who begins exchange k + 1 has had the rows of exchange k from all neighbours,
 * so they had read those of k - 1. */
#include "gpu/exec/peer_kernels.h"
#include "gpu/share.cuh"

struct PeerPiece {
  int64_t begin, end; /* of n rows, those of this block */
  __device__ PeerPiece(int64_t n) : begin(n * blockIdx.x / gridDim.x), end(n * (blockIdx.x + 1) / gridDim.x) {}
};

template <typename T> static __global__ void peer_rows(const __grid_constant__ PeerExchangeArgs a) {
  const PeerCount turn = a.turn[blockIdx.x] + 1;
  const int half = turn % 2, units = a.units;
  for (int p = 0; p < a.n_peer; ++p) {
    const PeerRows &peer = a.peer[p];
    const PeerPiece piece(peer.n_send);
    T *to = (T *)peer.to[half];
    for (int64_t i = piece.begin * units + threadIdx.x; i < piece.end * units; i += blockDim.x) {
      const int64_t row = i / units;
      to[i] = ((const T *)a.v)[(int64_t)peer.send_row[row] * units + (i - row * units)];
    }
  }
  __syncthreads();
  if ((int)threadIdx.x < a.n_peer) {
    const PeerRows &peer = a.peer[threadIdx.x];
    peer_tell(peer.tell + blockIdx.x, turn);
    peer_wait(peer.told + blockIdx.x, turn, a.state, peer.rank);
  }
  __syncthreads();
  for (int p = 0; p < a.n_peer; ++p) {
    const PeerRows &peer = a.peer[p];
    const PeerPiece piece(peer.n_recv);
    const volatile T *from = (const volatile T *)peer.from[half];
    for (int64_t i = piece.begin * units + threadIdx.x; i < piece.end * units; i += blockDim.x)
      ((T *)peer.halo)[i] = from[i];
  }
  if (threadIdx.x == 0) a.turn[blockIdx.x] = turn;
}

static cudaError_t peer_launch(cudaStream_t stream, const void *args, int64_t n, const LaunchScratch *) {
  const PeerExchangeArgs &a = *(const PeerExchangeArgs *)args;
  const unsigned blocks = (unsigned)n;
  switch (a.unit) {
  case 8: peer_rows<uint64_t><<<blocks, PEER_BLOCK, 0, stream>>>(a); break;
  case 4: peer_rows<uint32_t><<<blocks, PEER_BLOCK, 0, stream>>>(a); break;
  default: peer_rows<uint8_t><<<blocks, PEER_BLOCK, 0, stream>>>(a);
  }
  return cudaGetLastError();
}

extern "C" const CudaKernel peer_exchange = {"peer_exchange", sizeof(PeerExchangeArgs), peer_launch, 0};
