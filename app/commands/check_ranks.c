#include "app/commands/check_ranks.h"
#include "core/memory.h"
#include "core/percent.h"
#include "mesh/partition.h"
#include "output/wording.h"

#include <stdio.h>

/* What a share takes: of what grows with it its part, the rest whole. */
static double share_bytes(const RanksForecast *f, const PartitionShare *s, bool on_exec) {
  const double part = (double)(s->n_own + s->n_halo) / f->mesh->n_node, whole = on_exec ? 0 : f->host_bytes;
  return whole + part * ((double)f->plan->peak[on_exec] - whole);
}

static void print_row(const RanksForecast *f, int rank, const PartitionShare *s) {
  char own[32], halo[32], elements[32], host[32], device[32];
  printf("%6d %14s %12s %14s %11d %11s", rank, count_text(s->n_own, own), count_text(s->n_halo, halo),
         count_text(s->n_element, elements), s->n_peer, bytes_text(share_bytes(f, s, false), host));
  if (f->plan->peak[1] > 0) printf(" %11s", bytes_text(share_bytes(f, s, true), device));
  printf("\n");
}

static void print_shares(const RanksForecast *f, const PartitionShare *share) {
  int64_t halo = 0, elements = 0, solved = 0;
  int32_t most = 0;
  char bytes[32], border[32], others[32];
  printf("# %d rank%s\n%6s %14s %12s %14s %11s %11s%s\n", f->n_rank, f->n_rank == 1 ? "" : "s", "rank", "nodes", "halo",
         "elements", "neighbours", "memory", f->plan->peak[1] > 0 ? "  of the GPU" : "");
  for (int r = 0; r < f->n_rank; ++r) {
    print_row(f, r, &share[r]);
    halo += share[r].n_halo;
    elements += share[r].n_element;
    most = share[r].n_own > most ? share[r].n_own : most;
  }
  for (int32_t b = 0; b < f->mesh->n_block; ++b)
    if (element_type(f->mesh->block[b].kind)->dim == f->mesh->dim) solved += f->mesh->block[b].n;
  printf("the largest share: %.3g times the mean; elements at borders, shared by several ranks: %s\n"
         "a matrix product fetches %s of other ranks' numbers in all, %s of the vector\n\n",
         (double)most * f->n_rank / f->mesh->n_node, percent_text((double)(elements - solved) / (double)solved, border),
         bytes_text((double)halo * f->n_component * (double)sizeof(double), bytes),
         percent_text((double)halo / f->mesh->n_node, others));
}

/* Of the rank that takes most. */
static Status gpu_holds(const RanksForecast *f, const PartitionShare *share) {
  int most = 0;
  char device[64];
  MemoryPlan *plan = NULL;
  if (f->gpu_free <= 0) return OK;
  for (int r = 1; r < f->n_rank; ++r)
    if (share[r].n_own + share[r].n_halo > share[most].n_own + share[most].n_halo) most = r;
  ALLOC(plan, 1, "the memory table");
  *plan = *f->plan;
  memory_plan_share(plan, (double)(share[most].n_own + share[most].n_halo) / f->mesh->n_node);
  snprintf(device, sizeof device, "the GPU of rank %d of %d", most, f->n_rank);
  const Status status = memory_table_check(plan, f->gpu_free, device);
  FREE(plan);
  return status == OK ? OK : status_context(status, "or start more ranks, each with a GPU of its own");
}

/* As if all ranks were here. */
static void host_holds(const RanksForecast *f, const PartitionShare *share) {
  char all[32], room[32];
  double sum = 0;
  for (int r = 0; r < f->n_rank; ++r) sum += share_bytes(f, &share[r], false);
  if (f->host_free <= 0 || sum <= f->host_free) return;
  status_warn("%d ranks take %s of memory together, and %s are free on this host\n  remedy: more hosts, or fewer ranks",
              f->n_rank, bytes_text(sum, all), bytes_text(f->host_free, room));
}

Status check_ranks_print(const RanksForecast *f) {
  Partition partition;
  PartitionShare *share = NULL;
  TRY_CONTEXT(partition_create(f->mesh->n_node, f->n_rank, &partition), "for --ranks %d", f->n_rank);
  partition.n_pair = f->n_pair, partition.pair = f->pair, partition.linked = f->linked;
  ALLOC(share, f->n_rank, "shares of ranks");
  Status status = partition_shares(&partition, f->mesh, f->number, share);
  if (status == OK) print_shares(f, share);
  if (status == OK) host_holds(f, share);
  if (status == OK) status = gpu_holds(f, share);
  FREE(share);
  return status;
}
