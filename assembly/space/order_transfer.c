/* One step down: number the nodes of the elements of lower order, then two interpolations, whose weights are the shape
 * functions of the one kind at the nodes of the other. Neighbours agree on the nodes that they share, so the first
 * element at a node says its row. */
#include "assembly/space/order_transfer.h"
#include "core/comm.h"
#include "core/memory.h"
#include "core/parts.h"

#include <math.h>

static const double ZERO_WEIGHT = 1e-12;

static void node_map_release(NodeMap *map) {
  FREE(map->start);
  FREE(map->column);
  FREE(map->value);
}

void order_transfers_release(OrderTransfers *transfers) {
  for (int32_t l = 0; l < ORDER_TRANSFERS; ++l) {
    node_map_release(&transfers->level[l].up);
    node_map_release(&transfers->level[l].down);
    FREE(transfers->level[l].number);
  }
  transfers->n = 0;
}

/* The solved blocks of a set with elements of lower order; their nodes are a selection of the set's, in its order. */
typedef struct LowerSet {
  ElementSet set;                     /* by its own numbers of nodes */
  int32_t *nodes[ELEMENT_SET_BLOCKS]; /* owned, of its blocks */
  int32_t *number;                    /* owned, [n_node of the set it comes from], number here or -1 */
} LowerSet;

/* A space of one order: its elements and the frames of its nodes. */
typedef struct Level {
  LowerSet lower;    /* empty in the first one */
  ElementSet set;    /* solved blocks only */
  int32_t *frame_of; /* owned, [n_node]; NULL: no node has a frame */
} Level;

static void level_release(Level *level) {
  for (int32_t k = 0; k < ELEMENT_SET_BLOCKS; ++k) FREE(level->lower.nodes[k]);
  FREE(level->lower.number);
  FREE(level->frame_of);
}

/* The kind of the next lower order on the same vertices. */
static const ElementType *lower_type(const ElementType *type) {
  return type->order > 2 ? element_quadratic(type->linear, false) : element_type(type->linear);
}

static int32_t highest_order(const ElementSet *set) {
  int32_t order = 0;
  for (int32_t b = 0; b < set->n_solved_block; ++b)
    if (set->block[b].n > 0 && set->block[b].type->order > order) order = set->block[b].type->order;
  return order;
}

/* One step down of a block: row r of a table is what node r takes from the nodes of the other kind. */
typedef struct Step {
  const ElementType *fine, *coarse;
  int32_t home[ELEMENT_MAX_NODES][2];                 /* [coarse node], fine nodes that it takes more than half from */
  double up[ELEMENT_MAX_NODES * ELEMENT_MAX_NODES];   /* [fine][coarse] */
  double down[ELEMENT_MAX_NODES * ELEMENT_MAX_NODES]; /* [coarse][fine] */
} Step;

static void find_step(const ElementType *fine, const ElementType *coarse, Step *step) {
  const int32_t n = fine->n_node, m = coarse->n_node;
  step->fine = fine;
  step->coarse = coarse;
  for (int32_t a = 0; a < n; ++a) coarse->values(fine->node[a], step->up + a * m);
  for (int32_t b = 0; b < m; ++b) {
    double *N = step->down + b * n;
    fine->values(coarse->node[b], N);
    int32_t found = 0;
    for (int32_t a = 0; a < n && found < 2; ++a)
      if (N[a] > 0.5) step->home[b][found++] = a;
    if (found == 1) step->home[b][1] = step->home[b][0];
  }
}

/* The fine node that a coarse one is known by: the smaller of its homes in the whole. */
static int32_t key_of(const Step *step, HaloOrder order, const int32_t *nodes, int32_t b) {
  const int32_t p = nodes[step->home[b][0]], q = nodes[step->home[b][1]];
  return halo_place(order, p) < halo_place(order, q) ? p : q;
}

/* Of the numbers that are given, those of a rank and those below them in the whole. */
static HaloOrder lower_order(const ElementSet *fine, const int32_t *number) {
  HaloOrder order = {0};
  for (int32_t i = 0; i < fine->order.n_own; ++i) order.n_own += number[i] >= 0;
  for (int32_t i = 0; i < fine->order.n_low; ++i) order.n_low += number[fine->order.n_own + i] >= 0;
  return order;
}

/* number[n_node of fine]: the coarse node that a fine one is the key of, -1 for none; in the order of the keys. */
static int32_t number_nodes(const ElementSet *fine, const Step *step, int32_t *number) {
  int32_t n = 0;
  for (int32_t i = 0; i < fine->n_node; ++i) number[i] = -1;
  for (int32_t k = 0; k < fine->n_solved_block; ++k) {
    const SetBlock *c = &fine->block[k];
    const int32_t m = step[k].coarse->n_node;
#pragma omp parallel for schedule(static) num_threads(parts_of(c->n))
    for (int64_t e = 0; e < c->n; ++e)
      for (int32_t b = 0; b < m; ++b)
        __atomic_store_n(&number[key_of(&step[k], fine->order, c->nodes + e * c->type->n_node, b)], 0,
                         __ATOMIC_RELAXED);
  }
  for (int32_t i = 0; i < fine->n_node; ++i)
    if (number[i] == 0) number[i] = n++;
  return n;
}

static Status lower_nodes(const SetBlock *fine, const Step *step, HaloOrder order, const int32_t *number,
                          int32_t **out) {
  const int32_t m = step->coarse->n_node;
  int32_t *nodes;
  ALLOC(*out, (int64_t)fine->n * m, "elements of lower order");
  nodes = *out;
#pragma omp parallel for schedule(static) num_threads(parts_of(fine->n))
  for (int64_t e = 0; e < fine->n; ++e)
    for (int32_t b = 0; b < m; ++b)
      nodes[e * m + b] = number[key_of(step, order, fine->nodes + e * fine->type->n_node, b)];
  return OK;
}

static Status lower_set_fill(const ElementSet *fine, const Step *step, LowerSet *out) {
  ALLOC(out->number, fine->n_node, "nodes of lower order");
  out->set = (ElementSet){.n_node = number_nodes(fine, step, out->number), .dim = fine->dim};
  out->set.order = lower_order(fine, out->number);
  for (int32_t k = 0; k < fine->n_solved_block; ++k) {
    TRY(lower_nodes(&fine->block[k], &step[k], fine->order, out->number, &out->nodes[k]));
    element_set_add(&out->set, step[k].coarse, fine->block[k].n, out->nodes[k], true);
    out->set.n_solved += fine->block[k].n;
  }
  out->set.n_solved_block = out->set.n_block;
  return OK;
}

static Status make_level(const Level *fine, const Step *step, Level *out) {
  TRY(lower_set_fill(&fine->set, step, &out->lower));
  out->set = out->lower.set;
  if (!fine->frame_of) return OK;
  ALLOC(out->frame_of, out->set.n_node, "frames of nodes of lower order");
  for (int32_t i = 0; i < fine->set.n_node; ++i)
    if (out->lower.number[i] >= 0) out->frame_of[out->lower.number[i]] = fine->frame_of[i];
  return OK;
}

/* Two spaces, rows of the one from columns of the other, block by block of the same elements. */
typedef struct MapWork {
  const ElementSet *row, *column;
  const double *table[ELEMENT_SET_BLOCKS]; /* Step.up or down */
  int64_t first[ELEMENT_SET_BLOCKS + 1];   /* nodes of elements before those of a block */
  int64_t *owner; /* owned, [row->n_node]: the first node of an element that is this one, by number */
} MapWork;

static const int64_t NOBODY = INT64_MAX;

static void take_lowest(int64_t *slot, int64_t number) {
  int64_t now = __atomic_load_n(slot, __ATOMIC_RELAXED);
  while (number < now && !__atomic_compare_exchange_n(slot, &now, number, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static void find_owners(MapWork *w) {
  for (int32_t i = 0; i < w->row->n_node; ++i) w->owner[i] = NOBODY;
  for (int32_t k = 0; k < w->row->n_solved_block; ++k) {
    const SetBlock *block = &w->row->block[k];
    const int64_t n = (int64_t)block->n * block->type->n_node;
    w->first[k + 1] = w->first[k] + n;
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
    for (int64_t a = 0; a < n; ++a) take_lowest(&w->owner[block->nodes[a]], w->first[k] + a);
  }
}

/* The weights of row i and the nodes that they belong to; gives how many nodes there are. */
static int32_t row_of(const MapWork *w, int32_t i, const double **weight, const int32_t **node) {
  const int64_t owner = w->owner[i];
  int32_t k = 0;
  if (owner == NOBODY) return 0;
  while (owner >= w->first[k + 1]) ++k;
  const int32_t n = w->row->block[k].type->n_node, m = w->column->block[k].type->n_node;
  const int64_t at = owner - w->first[k];
  *weight = w->table[k] + at % n * m;
  *node = w->column->block[k].nodes + at / n * m;
  return m;
}

static int64_t count_row(const MapWork *w, int32_t i) {
  const double *weight;
  const int32_t *node;
  const int32_t m = row_of(w, i, &weight, &node);
  int64_t n = 0;
  for (int32_t c = 0; c < m; ++c) n += fabs(weight[c]) >= ZERO_WEIGHT;
  return n;
}

/* Columns ascending in the order of the whole. */
static void fill_row(const MapWork *w, int32_t i, NodeMap *map) {
  const HaloOrder order = w->column->order;
  const double *weight;
  const int32_t *node;
  const int32_t m = row_of(w, i, &weight, &node);
  const int64_t begin = map->start[i];
  int64_t at = begin;
  for (int32_t c = 0; c < m; ++c) {
    if (fabs(weight[c]) < ZERO_WEIGHT) continue;
    int64_t k = at++;
    for (; k > begin && halo_place(order, map->column[k - 1]) > halo_place(order, node[c]); --k) {
      map->column[k] = map->column[k - 1];
      map->value[k] = map->value[k - 1];
    }
    map->column[k] = node[c];
    map->value[k] = weight[c];
  }
}

static Status map_fill(MapWork *w, NodeMap *map) {
  const char *what = "transfer between orders";
  const int32_t n = map->n_row;
  ALLOC(w->owner, n, what);
  ALLOC(map->start, (int64_t)n + 1, what);
  find_owners(w);
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; ++i) map->start[i + 1] = count_row(w, i);
  for (int32_t i = 0; i < n; ++i) map->start[i + 1] += map->start[i];
  ALLOC(map->column, map->start[n], what);
  ALLOC(map->value, map->start[n], what);
#pragma omp parallel for schedule(static) num_threads(parts_of(n))
  for (int32_t i = 0; i < n; ++i) fill_row(w, i, map);
  return OK;
}

/* All rows; upward: those of the fine space. */
static Status make_map(const ElementSet *fine, const ElementSet *coarse, const Step *step, bool upward, NodeMap *map) {
  MapWork w = {.row = upward ? fine : coarse, .column = upward ? coarse : fine};
  for (int32_t k = 0; k < fine->n_solved_block; ++k) w.table[k] = upward ? step[k].up : step[k].down;
  *map = (NodeMap){.n_row = w.row->n_node, .n_column = w.column->n_node, .block = 1};
  const Status status = map_fill(&w, map);
  FREE(w.owner);
  return status;
}

/* Numbers become matrices R_i^T w R_j. */
static Status order_transfer_turn(const NodeFrames *frames, const int32_t *row, const int32_t *column, NodeMap *map) {
  const int32_t d = frames->dim;
  const int64_t n = map->start[map->n_row];
  double *value = NULL;
  ALLOC(value, n * d * d, "transfer between orders");
  for (int32_t i = 0; i < map->n_row; ++i)
    for (int64_t k = map->start[i]; k < map->start[i + 1]; ++k) {
      const double *R = row[i] >= 0 ? frames->frame + 9 * (int64_t)row[i] : NULL, *Q = NULL;
      if (column[map->column[k]] >= 0) Q = frames->frame + 9 * (int64_t)column[map->column[k]];
      for (int32_t r = 0; r < d; ++r)
        for (int32_t c = 0; c < d; ++c) {
          double t = 0;
          for (int32_t g = 0; g < d; ++g)
            t += (R ? R[3 * g + r] : (double)(g == r)) * (Q ? Q[3 * g + c] : (double)(g == c));
          value[(k * d + r) * d + c] = map->value[k] * t;
        }
    }
  FREE(map->value);
  map->value = value;
  map->block = d;
  return OK;
}

/* From `fine`, of this order, to the next lower one. */
static Status step_down(const Level *fine, int32_t order, const NodeFrames *frames, Level *coarse, OrderTransfer *out) {
  Step *step = NULL;
  Status status;
  ALLOC_DONE(step, N_ELEMENT_KINDS, "shape functions of lower order");
  for (int32_t k = 0; k < fine->set.n_solved_block; ++k) {
    const ElementType *type = fine->set.block[k].type;
    find_step(type, type->order == order ? lower_type(type) : type, &step[k]);
  }
  TRY_DONE(make_level(fine, step, coarse));
  TRY_DONE(make_map(&fine->set, &coarse->set, step, true, &out->up));
  TRY_DONE(make_map(&fine->set, &coarse->set, step, false, &out->down));
  out->number = coarse->lower.number;
  coarse->lower.number = NULL;
  if (!fine->frame_of) goto done;
  TRY_DONE(order_transfer_turn(frames, fine->frame_of, coarse->frame_of, &out->up));
  TRY_DONE(order_transfer_turn(frames, coarse->frame_of, fine->frame_of, &out->down));
done:
  FREE(step);
  return status;
}

/* With frames where any rank has one. */
static Status first_level(Comm *comm, const ElementSet *set, const NodeFrames *frames, Level *out) {
  double framed = frames->of != NULL;
  out->set = *set;
  TRY(comm_most(comm, &framed));
  if (framed == 0) return OK;
  ALLOC(out->frame_of, set->n_node, "frames of nodes");
  for (int32_t i = 0; i < set->n_node; ++i) out->frame_of[i] = frames->of ? frames->of[i] : -1;
  return OK;
}

/* Of all ranks. */
static Status find_order(Comm *comm, const ElementSet *set, int32_t *order) {
  double highest = highest_order(set);
  TRY(comm_most(comm, &highest));
  *order = (int32_t)highest;
  return OK;
}

Status order_transfers_create(Comm *comm, const ElementSet *set, const NodeFrames *frames, OrderTransfers *out) {
  Level fine = {0}, coarse = {0};
  int32_t order = 0;
  *out = (OrderTransfers){0};
  Status status = first_level(comm, set, frames, &fine);
  if (status == OK) status = find_order(comm, &fine.set, &order);
  while (status == OK && order > 1 && out->n < ORDER_TRANSFERS) {
    status = step_down(&fine, order, frames, &coarse, &out->level[out->n]);
    out->n += 1;
    level_release(&fine);
    fine = coarse;
    coarse = (Level){0};
    if (status == OK) status = find_order(comm, &fine.set, &order);
  }
  level_release(&fine);
  if (status != OK) order_transfers_release(out);
  return status;
}
