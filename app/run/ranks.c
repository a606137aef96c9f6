/* See ranks.h. */
#include "app/run/ranks.h"
#include "app/run/run_folder.h"
#include "app/setup/mesh_sample.h"
#include "core/memory.h"
#include "solver/precond/precond.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* By what ranks know that they do the same work. */
typedef struct RankCard {
  char version[32], commit[64];
  uint64_t case_hash;
} RankCard;

static Status cards_compare(const RankCard *card, int n, const char *path) {
  for (int r = 1; r < n; ++r) {
    CHECK(!strcmp(card[r].version, card[0].version) && !strcmp(card[r].commit, card[0].commit), ERR_USAGE,
          "rank %d runs another Sinew (%s, commit %s) than rank 0 (%s, commit %s)\n  install the same program on all "
          "hosts, and start it by its full path",
          r, card[r].version, card[r].commit, card[0].version, card[0].commit);
    CHECK(card[r].case_hash == card[0].case_hash, ERR_INPUT,
          "rank %d has read another case from %s than rank 0: a key or a --set argument differs\n  every host must see "
          "the same file",
          r, path);
  }
  return OK;
}

Status ranks_meet(const Run *run) {
  Comm *comm = run->params->comm;
  if (run_alone(run)) return OK;
  const int n = comm_size(comm);
  RankCard mine = {0}, *all = NULL;
  TRY(run_case_hash(run->c, &mine.case_hash));
  snprintf(mine.version, sizeof mine.version, "%s", sinew_version());
  snprintf(mine.commit, sizeof mine.commit, "%s", sinew_commit());
  ALLOC(all, n, "the cards of all ranks");
  Status status = comm_gather(comm, &mine, sizeof mine, all);
  if (status == OK) status = cards_compare(all, n, run->c->path);
  FREE(all);
  return status == OK ? ranks_refuse(run->c, run->params) : status;
}

Status ranks_same_mesh(Run *run) {
  const int n = comm_size(run->params->comm);
  if (n == 1) return OK;
  uint64_t mine = run_mesh_hash(run), *all = NULL;
  int other = 0;
  ALLOC(all, n, "the meshes of all ranks");
  const Status status = comm_gather(run->params->comm, &mine, sizeof mine, all);
  const uint64_t first = all[0];
  while (other < n && all[other] == first) ++other;
  const uint64_t found = other < n ? all[other] : first;
  FREE(all);
  TRY(status);
  CHECK(found == first, ERR_MESH,
        "rank %d has read another mesh from %s (hash %016" PRIx64 ") than rank 0 (%016" PRIx64
        ")\n  every host must see the same file",
        other, run->c->mesh_path, found, first);
  return OK;
}

Status ranks_same_device(const Run *run) {
  const int n = comm_size(run->params->comm);
  if (n == 1) return OK;
  const uint8_t mine = run->device.on_gpu;
  uint8_t *all = NULL;
  int with = 0, without = 0;
  ALLOC(all, n, "the devices of all ranks");
  const Status status = comm_gather(run->params->comm, &mine, sizeof mine, all);
  for (int r = 0; r < n; ++r) *(all[r] ? &with : &without) = r;
  const bool mixed = all[with] != all[without] && all[with];
  FREE(all);
  TRY(status);
  CHECK(!mixed, ERR_GPU,
        "rank %d has a GPU and rank %d has none\n  all ranks must work alike: use --backend cpu, or hosts "
        "with GPUs",
        with, without);
  const int gpus = run->params->gpus, here = run->params->comm->n_local;
  if (run->device.on_gpu && gpus && here > gpus)
    status_warn("%d ranks share %d GPU%s: they work in turns, which is for tests; start one rank for each GPU", here,
                gpus, gpus == 1 ? "" : "s");
  return OK;
}

Status ranks_tell(Run *run) {
  RunReport *report = run->report;
  Comm *comm = run->params->comm;
  if (!run->share) return OK;
  const RankRow mine = {.nodes = run->share->local.n_own,
                        .halo = run->share->local.mesh->n_node - run->share->local.n_own,
                        .elements = run->share->local.mesh->n_element - setup_first_solved(run->share->local.mesh),
                        .neighbours = run->share->local.n_peer,
                        .host_peak = (int64_t)report->host_peak,
                        .device_peak = report->on_gpu ? (int64_t)report->exec_peak : 0,
                        .wait = comm->waited,
                        .sent = comm->sent};
  ALLOC(report->rank, comm_size(comm), "the table of ranks");
  report->n_rank = comm_size(comm);
  return comm_gather(comm, &mine, sizeof mine, report->rank);
}

void ranks_settle(RunParams *params) {
  const Comm *comm = params->comm;
  const int here = comm ? comm->n_local : 1;
  if (here > 1 && !strcmp(comm->table->name, "mpi")) params->gpus = device_take_turn(comm->local_rank);
#ifdef _OPENMP
  const int all = omp_get_num_procs();
  if (params->threads > 0 || here == 1 || getenv("OMP_NUM_THREADS")) return;
  if (all < sysconf(_SC_NPROCESSORS_ONLN)) return; /* the launcher has given each its cores */
  params->threads = all > here ? all / here : 1;
  omp_set_num_threads(params->threads);
#endif
}

Status ranks_agree(const Run *run, Status mine) { return comm_agree(run->params->comm, mine); }

Status ranks_leave(const Run *run, Status mine) {
  if (mine == OK || mine == ERR_STOPPED) return ranks_agree(run, mine); /* to stop was agreed on */
  comm_fail(run->params->comm, mine);
  return mine;
}

Status ranks_hear(const Run *run, bool *value) { return comm_broadcast(run->params->comm, 0, value, sizeof *value); }

Status ranks_add(const Run *run, int64_t mine, int64_t *sum) {
  const int n = comm_size(run->params->comm);
  int64_t *all = NULL;
  *sum = mine;
  if (n == 1) return OK;
  ALLOC(all, n, "counts of all ranks");
  const Status status = comm_gather(run->params->comm, &mine, sizeof mine, all);
  *sum = 0;
  for (int r = 0; r < n; ++r) *sum += all[r];
  FREE(all);
  return status;
}

/* The parts that this rank owns. */
static Status parts_create(Run *run, const Partition *p) {
  const int rank = comm_rank(run->params->comm);
  const int32_t first = partition_part(p, p->own[rank]), begin = p->part[first];
  int64_t start[PARTITION_PARTS + 1];
  int32_t n = 0;
  for (; first + n < p->n_part && p->part[first + n] < p->own[rank + 1]; ++n) start[n] = p->part[first + n] - begin;
  start[n] = p->own[rank + 1] - begin;
  return sum_parts_create(run->device.exec, n, start, &run->parts);
}

/* Of a node's numbers: 8 vectors of three components side by side, the most that is exchanged. */
enum { HALO_BYTES = 24 * sizeof(double) };

static Status share_halo(Run *run) {
  const LocalMesh *l = &run->share->local;
  const HaloLists lists = local_mesh_lists(l);
  TRY(halo_create(run->device.exec, &lists, HALO_BYTES, &run->share->halo));
  run->share->nodes = (NodeShare){l, run->share->halo};
  return OK;
}

static Status share_fill(Run *run, const Partition *partition, const Setup *whole) {
  RunShare *s = run->share;
  Comm *comm = run->params->comm;
  TRY(local_mesh_create(run->mesh, partition, whole->node_rank, comm_rank(comm), &s->local));
  const MeshSample view = {s->local.mesh, s->local.element, s->local.node, s->local.solver};
  TRY(setup_cut(run->c, whole, &view, &s->setup));
  return collector_create(comm, run->mesh, partition, whole->node_rank, &s->local, &s->collector);
}

Status ranks_share(Run *run, const Setup *whole) {
  Partition partition;
  /* one GPU alone would have the bits of several by parts, for a price: docs/parallel.md */
  if (run->rehearsed || (run_alone(run) && (run->device.on_gpu || !ranks_can(run->c)))) return OK;
  TRY(partition_create(run->mesh->n_node, comm_size(run->params->comm), &partition));
  partition.n_pair = whole->n_pair, partition.pair = (const int32_t(*)[2])whole->pair;
  partition.linked = &whole->linked;
  TRY(exec_join(run->device.exec, run->params->comm));
  TRY(parts_create(run, &partition));
  if (run_alone(run)) return OK;
  ALLOC(run->share, 1, "a rank's share of the work");
  TRY(ranks_agree(run, share_fill(run, &partition, whole)));
  return share_halo(run);
}

void ranks_forget_whole(Run *run, Setup *whole) {
  if (!run->share || run_is_root(run)) return;
  mesh_destroy(&run->mesh);
  setup_thin(whole);
}

void ranks_release(Run *run) {
  RunShare *s = run->share;
  sum_parts_destroy(&run->parts);
  if (!s) return;
  halo_destroy(&s->halo);
  slabs_destroy(&s->slabs);
  collector_destroy(&s->collector);
  setup_release(&s->setup);
  local_mesh_release(&s->local);
  FREE(run->share);
}

const Setup *run_setup(const Run *run, const Setup *whole) { return run->share ? &run->share->setup : whole; }

const Mesh *run_mesh(const Run *run) { return run->share ? run->share->local.mesh : run->mesh; }

Status ranks_check_whole(const Run *run, const DiffusionParams *whole) {
  Diffusion *seen = NULL;
  DiffusionParams params = *whole;
  Status status = OK;
  if (!run->share) return OK;
  params.inspect_only = true;
  if (run_is_root(run)) status = diffusion_create(run->device.exec, &params, &seen);
  diffusion_destroy(&seen);
  return ranks_agree(run, status);
}

const SumParts *run_parts(const Run *run, const char *preconditioner) {
  const PrecondType *type = precond_named(preconditioner);
  return type && type->ranks ? run->parts : NULL;
}

Status ranks_any(const Run *run, bool mine, bool *any) {
  int64_t n = 0;
  TRY(ranks_add(run, mine, &n));
  *any = n > 0;
  return OK;
}
