/* Communication between the ranks of a run outside the solver. One rank has none. */
#pragma once
#include "app/run/run.h"
#include "app/run/slabs.h"
#include "app/setup/setup.h"
#include "assembly/diffusion/diffusion.h"
#include "assembly/space/space.h"
#include "core/halo.h"
#include "core/sum_parts.h"

/* What a rank works on. */
typedef struct RunShare {
  LocalMesh local;
  Setup setup;     /* of the local mesh */
  Halo *halo;      /* owned, of its nodes */
  NodeShare nodes; /* views of the two */
  Collector *collector;
  Slabs *slabs; /* owned; NULL: not needed yet */
} RunShare;

/* Before anything else: all are the same program with the same case, which several ranks can run. ERR_USAGE, ERR_INPUT. */
Status ranks_meet(const Run *run);
/* All have read the same mesh. ERR_MESH. */
Status ranks_same_mesh(Run *run);
/* All work on a GPU or none does. ERR_GPU. */
Status ranks_same_device(const Run *run);
/* What the report says of each rank. */
Status ranks_tell(Run *run);
/* A rank's part of its host, before anything is started: threads, unless a number was asked for, and a GPU. */
void ranks_settle(RunParams *params);
/* A phase in which ranks do not wait for each other is over: the worst of them all. */
Status ranks_agree(const Run *run, Status mine);
/* The end: all others hear of a failure; without one, or stopped by run_stop, they leave together. */
Status ranks_leave(const Run *run, Status mine);
/* Cuts out what this rank works on, run->share, and says of what parts sums are, run->parts: also alone, so that the bits
 * are those of any number of ranks. ERR_INPUT: more ranks than there is work for. */
Status ranks_share(Run *run, const Setup *whole);
/* The whole mesh and setup, which rank 0 alone needs for what it says and writes, go on all others. */
void ranks_forget_whole(Run *run, Setup *whole);
void ranks_release(Run *run);
/* The setup and the mesh that this rank works on. */
const Setup *run_setup(const Run *run, const Setup *whole);
const Mesh *run_mesh(const Run *run);
/* Rank 0 holds the whole equation against the whole mesh, as one alone does. */
Status ranks_check_whole(const Run *run, const DiffusionParams *whole);
/* What its sums go over with this preconditioner; NULL: with one that several ranks cannot have, all rows at once. */
const SumParts *run_parts(const Run *run, const char *preconditioner);
/* Does any rank say so? */
Status ranks_any(const Run *run, bool mine, bool *any);
/* *value becomes that of rank 0. */
Status ranks_hear(const Run *run, bool *value);
/* *sum = what all have. */
Status ranks_add(const Run *run, int64_t mine, int64_t *sum);

static inline bool run_alone(const Run *run) { return comm_size(run->params->comm) == 1; }
static inline bool run_is_root(const Run *run) { return comm_rank(run->params->comm) == 0; }

/* ranks_refuse.c. ERR_INPUT: what several ranks cannot do yet, and what to do. */
Status ranks_refuse(const Case *c, const RunParams *params);
/* Could several ranks run it? */
bool ranks_can(const Case *c);
