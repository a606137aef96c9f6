/* Ranks on GPUs that do not reach each other's memory: on several hosts, or cards that know no peers. What goes between
 * them goes by NCCL, or comes to the host, goes through the Comm and back, some 50 us a time. Loops go turn by turn from
 * the host. */
#include "core/comm.h"
#include "core/halo.h"
#include "core/sum_parts.h"
#include "gpu/exec/cuda_nccl.h"
#include "gpu/exec/cuda_peers.h"

/* The sums of all parts to all boards; start [n_rank + 1]: bytes of each rank. */
static Status carry_parts(CudaExec *cuda, const SumParts *parts, const int64_t *start) {
  Exec *exec = &cuda->base;
  char *board = cuda->peers->arena.own, *words = (char *)cuda->peers->words;
  const int me = comm_rank(exec->comm), n_rank = comm_size(exec->comm);
  const size_t own = (size_t)(start[me + 1] - start[me]);
  if (cuda->peers->nccl) return cuda_nccl_parts(cuda->peers->nccl, cuda, start, board);
  if (parts->n_own) TRY(exec->table->download(exec, words + start[me], board + start[me], own));
  TRY(comm_gather_parts(exec->comm, words + start[me], start, words));
  return exec->table->upload(exec, board, words, (size_t)start[n_rank]);
}

/* The kernel up to the sums of this rank's parts, those of all ranks, and what it does with them. */
Status cuda_carry_sums(CudaExec *cuda, const CudaKernel *found, const void *args, int64_t n, LaunchScratch scratch) {
  enum { PART = ROW_SUMS * sizeof(PeerWord) / sizeof(double) }; /* doubles of one on the board */
  _Static_assert((int)PART <= (int)ROW_SUMS_MOST, "what SumParts knows the places of");
  const SumParts *parts = cuda->base.parts;
  scratch.stage = SHARE_PARTIAL;
  TRY(cuda_launch(cuda, found, args, n, &scratch));
  TRY(carry_parts(cuda, parts, parts->gather_start + (PART - 1) * (comm_size(cuda->base.comm) + 1)));
  scratch.stage = SHARE_TOTALS;
  return cuda_launch(cuda, found, args, n, &scratch);
}

Status cuda_carry_rows(const Halo *halo, void *host, void *v, size_t bytes) {
  Exec *exec = halo->exec;
  const CudaNccl *nccl = ((CudaExec *)exec)->peers->nccl;
  const size_t send = (size_t)halo->send_start[halo->n_peer] * bytes, recv = (size_t)halo->n_halo * bytes;
  char *arrived = (char *)host + (size_t)halo->send_start[halo->n_peer] * halo->most;
  TRY(halo_pack(halo, v, bytes));
  if (nccl) return cuda_nccl_rows(nccl, halo, v, bytes);
  if (send) TRY(exec->table->download(exec, host, halo->room, send));
  else TRY(exec->table->sync(exec)); /* what arrived before is in the vector */
  TRY(halo_swap(halo, host, arrived, bytes));
  return recv ? exec->table->upload(exec, (char *)v + (size_t)halo->n_own * bytes, arrived, recv) : OK;
}
