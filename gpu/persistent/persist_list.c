/* The list of launches that a persistent kernel works through, and which loops are given to one. */
#include "gpu/persistent/persist.h"

#include "core/memory.h"
#include "algebra/product.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Measured on an H200, in cycles: a barrier of the grid costs so much more than one of the cluster, with and without
 * sums, and the few processors of the cluster so much more per MB of matrices. Jacobi-PCG with a kernel of its own,
 * cluster / grid / graph in us a turn: 2.7 MB 8.5 13.7 11.9, 7 MB 12.9 14.3 12.5, 17 MB 20.9 13.8 13.8. Least squares
 * of degree 8, all in float, in us an iteration of whole solves: 2.9 MB 66 78 83, 12 MB 69 69 77, 32 MB 93 66 75, 78 MB
 * 128 61 72, 250 MB 339 114 89. */
enum { SUMS_COST = 3700, SUMS_COST_JACOBI = 4900, PLAIN_COST = 1100, COST_PER_MB = 1500, CLUSTER_ROWS = 12288 };
/* Beyond this the products of the graph win by being made for many rows: the matrix of one product. */
enum { GRID_PRODUCT = 24 << 20, GRID_ROWS = 1 << 15 };

static const PersistKernel *find(const PersistBuild *build, const char *name) {
  for (const PersistKernel *k = build->kernels; k->name; ++k)
    if (!strcmp(k->name, name)) return k;
  return NULL;
}

/* The smallest build first. */
static const PersistBuild *const builds[] = {&persist_jacobi, &persist_heart, &persist_all};
enum { N_BUILDS = sizeof builds / sizeof *builds };

static const PersistKernel *find_any(const char *name) {
  const PersistKernel *found = NULL;
  for (int32_t b = N_BUILDS - 1; b >= 0 && !found; --b) found = find(builds[b], name);
  return found;
}

/* A launch as a build knows it. */
static const PersistKernel *known_to(const PersistBuild *build, const PersistEntry *e) {
  return e->launcher ? find(build, e->known->name) : build == &persist_all ? e->known : NULL;
}

static const MatView *matrix_of(const PersistList *list, const PersistEntry *e) {
  return &((const ProductArgs *)(const void *)(list->args + e->args))->a;
}

/* Rows of a block that owns rows: whole slices, and at most a thread for each. */
static int64_t own_lanes(int64_t n) { return ((n + PERSIST_GRID_BLOCKS - 1) / PERSIST_GRID_BLOCKS + 31) / 32 * 32; }

/* Slices of a warp in natural order, or a tile for each block. */
static bool can_own_product(PersistShape shape, const MatView *m, int64_t n) {
  if (shape == PERSIST_TILES) return m->slice == own_lanes(n) && m->threads <= PERSIST_OWN_HALO;
  return shape == PERSIST_SLICES && m->slice == 32 && !m->row;
}

/* Whether rows can belong to blocks for a whole run: as many in all launches but those apart. */
static bool can_own(const PersistBuild *build, const PersistList *list) {
  int64_t n = 0;
  for (int32_t k = 0; k < list->n_op; ++k) {
    const PersistEntry *e = &list->op[k];
    const PersistKernel *own = known_to(build, e);
    if (own->apart) continue;
    if (n && e->n != n) return false;
    n = e->n;
    if (own->shape != PERSIST_ROWS && !can_own_product(own->shape, matrix_of(list, e), n)) return false;
  }
  return n > 0 && own_lanes(n) <= PERSIST_BLOCK && list->n_op <= PERSIST_OPS;
}

/* The smallest build that knows all of a list without unknown launches; NULL: none. */
static const PersistBuild *build_for(const PersistList *list) {
  for (int32_t b = 0; b < N_BUILDS; ++b) {
    bool knows = true;
    for (int32_t k = 0; k < list->n_op && knows; ++k) knows = known_to(builds[b], &list->op[k]) != NULL;
    if (knows && (!builds[b]->owns || can_own(builds[b], list))) return builds[b];
  }
  return NULL;
}

static Status append(PersistList *list, PersistEntry entry, const void *args, size_t size) {
  const int64_t bytes = ((int64_t)size + 15) / 16 * 16;
  RESIZE(list->op, list->n_op + 1, "the launches of a loop");
  RESIZE(list->args, list->bytes + bytes, "the arguments of a loop");
  memset(list->args + list->bytes, 0, (size_t)bytes);
  memcpy(list->args + list->bytes, args, size);
  entry.args = list->bytes;
  list->op[list->n_op++] = entry;
  list->bytes += bytes;
  return OK;
}

static int64_t width_of(const void *args) {
  const int64_t width = ((const ProductArgs *)args)->a.width;
  return width > 0 ? width : 8;
}

Status persist_add(PersistList *list, const CudaKernel *launcher, const void *args, int64_t n) {
  const PersistKernel *known = find_any(launcher->name);
  if (known && known->shape != PERSIST_ROWS) {
    const int64_t bytes = n * width_of(args) * known->entry_bytes;
    list->traffic += bytes;
    if (bytes > list->largest) list->largest = bytes;
  }
  if (!known) list->unknown = true;
  const int64_t rows = known && known->shape != PERSIST_ROWS ? n * known->block : n;
  if (rows > list->rows) list->rows = rows;
  return append(list, (PersistEntry){.launcher = launcher, .known = known, .n = n}, args, launcher->args_size);
}

Status persist_add_copy(PersistList *list, void *to, const void *from, size_t bytes) {
  if ((int64_t)bytes / 8 > list->rows) list->rows = (int64_t)bytes / 8;
  const PersistEntry entry = {.known = from ? &persist_copy : &persist_zero, .n = (int64_t)bytes};
  return append(list, entry, &(PersistCopyArgs){to, from}, sizeof(PersistCopyArgs));
}

Status persist_add_loop(PersistList *list, struct CudaLoop *loop, int64_t max) {
  list->unknown = true;
  return append(list, (PersistEntry){.inside = loop, .known = &persist_zero, .n = max}, &loop, sizeof loop);
}

void persist_forget(PersistList *list) {
  FREE(list->op);
  FREE(list->args);
  *list = (PersistList){0};
}

bool persist_guards(const PersistList *list) { return list->n_op > 0 && (list->op[0].n <= 1 || !list->op[0].launcher); }

int64_t persist_bytes(const PersistList *list) {
  const int64_t ops = (int64_t)sizeof(PersistOp) * list->n_op;
  return (ops + 15) / 16 * 16 + list->bytes;
}

/* Rows are shared evenly by the blocks and then by as many threads as there are, but by no more than a row has entries.
 * Rows of a block come by eights, so that doubles next to each other are read in whole sectors. */
static void share_lanes(PersistOp *op, int64_t width, int64_t blocks) {
  const int64_t each = (op->n + blocks - 1) / blocks, turns = (each + PERSIST_BLOCK - 1) / PERSIST_BLOCK;
  const int64_t lanes = turns ? (each + turns - 1) / turns : 1;
  op->lanes = (int32_t)((lanes + 7) / 8 * 8);
  const int64_t most = PERSIST_BLOCK / op->lanes;
  op->parts = (int32_t)(most < width ? most : width);
}

/* Teams of 1, 2 ... 32 threads of a warp. */
static void share_teams(PersistOp *op, int64_t width, int64_t blocks) {
  op->parts = 1;
  while (op->parts < 32 && op->parts < width && 2 * op->parts * op->n <= blocks * PERSIST_BLOCK) op->parts *= 2;
}

/* A thread for each row that the block owns, whole slices of them; more for a row where there are few. */
static void share_own(PersistOp *op, int64_t width) {
  op->lanes = (int32_t)own_lanes(op->n);
  const int64_t most = PERSIST_BLOCK / op->lanes;
  op->parts = (int32_t)(most < width ? most : width);
}

/* Whether arguments of operation k name this address, but not at the place `but`. */
static bool names(const PersistList *list, int32_t k, const void *address, int64_t but) {
  const PersistEntry *e = &list->op[k];
  const int64_t size = (int64_t)(e->launcher ? e->launcher->args_size : sizeof(PersistCopyArgs));
  for (int64_t at = 0; at + (int64_t)sizeof address <= size; at += (int64_t)sizeof address) {
    const void *word;
    memcpy(&word, list->args + e->args + at, sizeof word);
    if (word == address && at != but) return true;
  }
  return false;
}

bool persist_follows(const PersistList *list, int32_t k) {
  const PersistEntry *e = &list->op[k], *before = k > 0 ? e - 1 : NULL;
  if (!before || !before->launcher || !e->launcher || !e->launcher->follows) return false;
  return before->launcher->follows || !names(list, k - 1, matrix_of(list, e)->value, -1);
}

/* Whether the operation may write to the scalars, or read them other than through arguments that can be turned to a
 * copy: one row (core/exec.h), a copy of them, a pointer to what begins with them. */
static bool touches(const PersistList *list, int32_t k, const unsigned char *scalars) {
  const PersistEntry *e = &list->op[k];
  if (names(list, k, scalars, e->known->krylov)) return true;
  if (e->launcher) return e->known->shape == PERSIST_ROWS && !e->known->n_sum && e->n <= 1;
  const PersistCopyArgs *copy = (const void *)(list->args + e->args);
  const uintptr_t to = (uintptr_t)copy->to, from = (uintptr_t)copy->from, size = (uintptr_t)e->n;
  const uintptr_t first = (uintptr_t)scalars, end = first + sizeof(Krylov);
  return (to < end && to + size > first) || (from && from < end && from + size > first);
}

/* The Krylov that each block may have a copy of: all sums end in a step of it, the stop flag lies in it, and nothing
 * else writes to it. NULL: there is none. */
static void *common_scalars(const PersistList *list, const int32_t *stop) {
  unsigned char *common = NULL;
  for (int32_t k = 0; k < list->n_op; ++k) {
    const PersistEntry *e = &list->op[k];
    unsigned char *own = NULL;
    if (!e->known->n_sum) continue;
    if (e->known->krylov < 0) return NULL;
    memcpy(&own, list->args + e->args + e->known->krylov, sizeof own);
    if (own && common && own != common) return NULL;
    if (own) common = own;
  }
  if (!common || (uintptr_t)stop - (uintptr_t)common >= sizeof(Krylov)) return NULL;
  for (int32_t k = 0; k < list->n_op; ++k)
    if (touches(list, k, common)) return NULL;
  return common;
}

/* Whether arguments name the values of this matrix but as a matrix: then they may change. */
static bool changes(const PersistList *list, const void *value) {
  for (int32_t k = 0; k < list->n_op; ++k) {
    const bool product = list->op[k].known->shape != PERSIST_ROWS;
    if (names(list, k, value, product ? (int64_t)offsetof(ProductArgs, a.value) : -1)) return true;
  }
  return false;
}

/* Bytes that the rows of a block take in shared memory where rows have so many entries. */
static int64_t held_bytes(const PersistRun *run, const PersistKernel *own, const MatView *m, int64_t lanes,
                          int64_t width) {
  const int64_t entries = own->entry_bytes * width * lanes;
  if (!run->build->owns) return entries + 8 * lanes + 16;
  return entries + PERSIST_OWN_HEAD + (own->shape == PERSIST_TILES ? 2 * lanes + 4 * (int64_t)m->threads : 0);
}

/* A place for the rows of the matrix of operation k in shared memory, that of an operation before it with the same one,
 * or none. The longest row has some more entries than the mean, and slices of a block differ; the kernel looks at
 * whether it fits. */
static void hold(const PersistList *list, int32_t k, const PersistKernel *own, int64_t blocks, PersistOp *ops,
                 PersistRun *run) {
  const PersistEntry *e = &list->op[k];
  const MatView *m = matrix_of(list, e);
  PersistOp *op = &ops[k];
  if ((own->shape != PERSIST_SLICES && own->shape != PERSIST_TILES) || op->lanes * blocks < op->n ||
      changes(list, m->value))
    return;
  for (int32_t b = 0; b < k; ++b) {
    if (!ops[b].room || matrix_of(list, &list->op[b])->value != m->value || ops[b].n != op->n) continue;
    op->held = ops[b].held;
    op->room = ops[b].room;
    return;
  }
  const int64_t width = width_of(list->args + e->args),
                more = run->build->owns ? width + width / 4 + 2 : width + width / 8 + 1;
  const int64_t left = persist_room() - run->bytes - run->held, room = held_bytes(run, own, m, op->lanes, more);
  if (held_bytes(run, own, m, op->lanes, width) > left) return;
  op->held = run->bytes + run->held;
  op->room = (int32_t)((room < left ? room : left) / 16 * 16);
  run->held += op->room;
}

static PersistOp operation(const PersistList *list, int32_t k, const PersistBuild *build, int64_t blocks,
                           int64_t first) {
  const PersistEntry *e = &list->op[k];
  const void *args = list->args + e->args;
  const PersistKernel *own = known_to(build, e);
  PersistOp op = {.n = e->n, .kind = own->kind, .n_sum = own->n_sum, .args = (int32_t)(first + e->args)};
  if (build->owns) {
    share_own(&op, own->shape == PERSIST_ROWS ? 1 : width_of(args));
    op.apart = own->apart;
    op.gated = (int32_t)own->gate;
    if (own->gate != PERSIST_ALWAYS) memcpy(&op.gate, (const unsigned char *)args + own->gate_at, sizeof op.gate);
    if (!op.gate) op.gated = PERSIST_ALWAYS;
  } else if (own->shape == PERSIST_LANES || own->shape == PERSIST_SLICES) {
    share_lanes(&op, width_of(args), blocks);
  } else if (own->shape == PERSIST_TEAMS) {
    share_teams(&op, width_of(args), blocks);
  }
  return op;
}

void persist_write(const PersistList *list, PersistTeam team, const int32_t *stop, unsigned char *program,
                   PersistRun *run) {
  const int64_t blocks = team == PERSIST_CLUSTER ? PERSIST_CLUSTER_BLOCKS : PERSIST_GRID_BLOCKS;
  const int64_t first = persist_bytes(list) - list->bytes;
  PersistOp *ops = (PersistOp *)(void *)program;
  run->build = build_for(list);
  run->n_op = list->n_op;
  run->bytes = (int32_t)persist_bytes(list);
  run->held = 0;
  run->guarded = persist_guards(list);
  run->stop = stop;
  run->scalars = team == PERSIST_CLUSTER ? common_scalars(list, stop) : NULL;
  memset(program, 0, (size_t)first);
  for (int32_t k = 0; k < list->n_op; ++k) {
    ops[k] = operation(list, k, run->build, blocks, first);
    hold(list, k, known_to(run->build, &list->op[k]), blocks, ops, run);
  }
  memcpy(program + first, list->args, (size_t)list->bytes);
}

static PersistTeam first_that_fits(const PersistBuild *build, PersistTeam team, int32_t bytes) {
  if (persist_fits(build, team, bytes)) return team;
  const PersistTeam other = team == PERSIST_CLUSTER ? PERSIST_GRID : PERSIST_NONE;
  return other != PERSIST_NONE && persist_fits(build, other, bytes) ? other : PERSIST_NONE;
}

static bool suits_cluster(const PersistList *list) {
  const int64_t sums = build_for(list) == &persist_jacobi ? SUMS_COST_JACOBI : SUMS_COST;
  int64_t saved = 0;
  for (int32_t k = 0; k < list->n_op; ++k) saved += list->op[k].known->n_sum ? sums : PLAIN_COST;
  return list->rows <= CLUSTER_ROWS && list->traffic / 1000 * COST_PER_MB <= 1000 * saved;
}

Status persist_choose(const PersistList *list, PersistTeam *out) {
  *out = PERSIST_NONE;
  const char *forced = getenv("SINEW_GPU_LOOP");
  if (!forced || !*forced) forced = "auto";
  const PersistBuild *build = list->unknown ? NULL : build_for(list);
  const bool cluster = !strcmp(forced, "cluster"), grid = !strcmp(forced, "grid"), stay = !strcmp(forced, "persistent");
  CHECK(cluster || grid || stay || !strcmp(forced, "auto") || !strcmp(forced, "graph"), ERR_INPUT,
        "SINEW_GPU_LOOP is '%s', must be auto, graph, persistent, cluster or grid", forced);
  const int64_t bytes = persist_bytes(list);
  if (!strcmp(forced, "graph") || !build || !list->n_op || bytes > PERSIST_PROGRAM) return OK;
  if (cluster || (!grid && suits_cluster(list))) *out = first_that_fits(build, PERSIST_CLUSTER, (int32_t)bytes);
  else if (grid || stay || build->owns || (list->largest <= GRID_PRODUCT && list->rows <= GRID_ROWS))
    *out = first_that_fits(build, PERSIST_GRID, (int32_t)bytes);
  return OK;
}
