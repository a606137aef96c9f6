/* The step of a block as operations: elimination without pivots, in an order that fills up little. */
#include "physics/import/cell_block.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { STAGES = 3 };

/* M = 1/(c h) - J; entries are nodes, -1 where there is nothing. */
typedef struct Block {
  CellGraph *cell;
  Graph *g;
  int n, state[IONIC_IMPORTED_STATES];
  int order[IONIC_IMPORTED_STATES]; /* of elimination */
  int32_t *M;                       /* [n][n]; below the diagonal, once eliminated, the factors */
  int32_t inverse[IONIC_IMPORTED_STATES];
} Block;

static int32_t op2(Graph *g, int op, int32_t a, int32_t b) { return graph_op(g, op, a, b, -1); }
static int32_t *at(const Block *b, int i, int k) { return &b->M[i * b->n + k]; }

/* The one that has fewest others, again and again: what is eliminated early fills up little. */
static void find_order(Block *b, uint8_t *has) {
  const int n = b->n;
  bool gone[IONIC_IMPORTED_STATES] = {false};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) has[i * n + k] = *at(b, i, k) >= 0 || *at(b, k, i) >= 0;
  for (int step = 0; step < n; ++step) {
    int best = -1, fewest = 0;
    for (int i = 0; i < n; ++i) {
      int others = 0;
      for (int k = 0; k < n && !gone[i]; ++k) others += k != i && !gone[k] && has[i * n + k];
      if (!gone[i] && (best < 0 || others < fewest)) best = i, fewest = others;
    }
    b->order[step] = best;
    gone[best] = true;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n && has[best * n + i]; ++k)
        if (!gone[i] && !gone[k] && has[best * n + k]) has[i * n + k] = 1;
  }
}

static void eliminate(Block *b) {
  Graph *g = b->g;
  const int32_t one = graph_number(g, 1);
  for (int p = 0; p < b->n; ++p) {
    const int row = b->order[p];
    b->inverse[row] = op2(g, IONIC_OP_DIV, one, *at(b, row, row));
    for (int q = p + 1; q < b->n; ++q) {
      const int i = b->order[q];
      if (*at(b, i, row) < 0) continue;
      const int32_t factor = *at(b, i, row) = op2(g, IONIC_OP_MUL, *at(b, i, row), b->inverse[row]);
      for (int r = p + 1; r < b->n; ++r) {
        const int k = b->order[r];
        if (*at(b, row, k) < 0) continue;
        const int32_t part = op2(g, IONIC_OP_MUL, factor, *at(b, row, k));
        *at(b, i, k) =
            *at(b, i, k) < 0 ? graph_op(g, IONIC_OP_NEG, part, -1, -1) : op2(g, IONIC_OP_SUB, *at(b, i, k), part);
      }
    }
  }
}

static void solve(const Block *b, int32_t *y) {
  Graph *g = b->g;
  for (int p = 0; p < b->n; ++p)
    for (int q = p + 1; q < b->n; ++q) {
      const int row = b->order[p], i = b->order[q];
      if (*at(b, i, row) >= 0) y[i] = op2(g, IONIC_OP_SUB, y[i], op2(g, IONIC_OP_MUL, *at(b, i, row), y[row]));
    }
  for (int p = b->n - 1; p >= 0; --p) {
    const int row = b->order[p];
    for (int q = p + 1; q < b->n; ++q) {
      const int k = b->order[q];
      if (*at(b, row, k) >= 0) y[row] = op2(g, IONIC_OP_SUB, y[row], op2(g, IONIC_OP_MUL, *at(b, row, k), y[k]));
    }
    y[row] = op2(g, IONIC_OP_MUL, y[row], b->inverse[row]);
  }
}

/* M of these rates and over = 1/(c h), eliminated. has: [n][n] */
static Status fill(Block *b, const int32_t *rate, int32_t over, uint8_t *has) {
  Graph *g = b->g;
  Status status = OK;
  int32_t *map = NULL;
  const int32_t n = g->n;
  ALLOC_DONE(map, n, "a block of states of a cell model");
  for (int k = 0; k < b->n; ++k) {
    for (int32_t i = 0; i < n; ++i) map[i] = -1;
    for (int i = 0; i < b->n; ++i) {
      const int32_t d = graph_derivative(g, rate[i], b->cell->leaf[b->state[k]], map);
      if (i == k) *at(b, i, k) = op2(g, IONIC_OP_SUB, over, d);
      else *at(b, i, k) = graph_is(g, d, 0) ? -1 : graph_op(g, IONIC_OP_NEG, d, -1, -1);
    }
  }
  find_order(b, has);
  eliminate(b);
  status = g->status;
done:
  FREE(map);
  return status;
}

Status cell_block_step(CellGraph *c, int block, int32_t *map, int32_t *next) {
  Block b = {.cell = c, .g = &c->graph};
  Graph *g = &c->graph;
  uint8_t *has = NULL;
  int32_t y[IONIC_IMPORTED_STATES], sum[IONIC_IMPORTED_STATES];
  Status status = OK;
  const double c1 = 1 - sqrt(2. / 3), more = (0.5 - 3 * c1) / c1;      /* (b - 3 c^2) / c */
  const double weight[STAGES] = {c1, -(more + 2 * c1), 1 + more + c1}; /* of the powers of 1 / (1 - c z) */
  for (int j = 0; j < c->n_state; ++j)
    if (c->block[j] == block) b.state[b.n++] = j;
  if (b.n == 0) return OK;
  for (int k = 0; k < b.n; ++k) y[k] = graph_replace(g, c->rate[b.state[k]], map);
  const int32_t step = op2(g, IONIC_OP_EULER, graph_number(g, 0), graph_number(g, 1)); /* h itself */
  const int32_t over = op2(g, IONIC_OP_DIV, graph_number(g, 1 / c1), step);
  int32_t factor = step;
  ALLOC_DONE(b.M, b.n * b.n, "a block of states of a cell model");
  ALLOC_DONE(has, b.n * b.n, "a block of states of a cell model");
  TRY_DONE(fill(&b, y, over, has));
  for (int k = 0; k < b.n; ++k) sum[k] = c->leaf[b.state[k]];
  for (int stage = 0; stage < STAGES; ++stage) {
    solve(&b, y); /* (1 - c h J)^-1 is over M^-1 */
    factor = op2(g, IONIC_OP_MUL, factor, over);
    const int32_t by = op2(g, IONIC_OP_MUL, graph_number(g, weight[stage]), factor);
    for (int k = 0; k < b.n; ++k) sum[k] = op2(g, IONIC_OP_ADD, sum[k], op2(g, IONIC_OP_MUL, by, y[k]));
  }
  for (int k = 0; k < b.n; ++k) next[b.state[k]] = sum[k];
  status = g->status;
done:
  FREE(b.M);
  FREE(has);
  return status;
}

Status cell_block_euler(CellGraph *c, int32_t step, int32_t *map, int32_t *next) {
  Graph *g = &c->graph;
  Block b = {.cell = c, .g = g};
  uint8_t *has = NULL;
  int32_t y[IONIC_IMPORTED_STATES];
  Status status = OK;
  for (int j = c->n_gate; j < c->n_state; ++j) b.state[b.n++] = j;
  if (b.n == 0) return OK;
  for (int k = 0; k < b.n; ++k) y[k] = graph_replace(g, c->rate[b.state[k]], map);
  ALLOC_DONE(b.M, b.n * b.n, "states of a model of tension");
  ALLOC_DONE(has, b.n * b.n, "states of a model of tension");
  TRY_DONE(fill(&b, y, op2(g, IONIC_OP_DIV, graph_number(g, 1), step), has));
  solve(&b, y);
  for (int k = 0; k < b.n; ++k) next[b.state[k]] = op2(g, IONIC_OP_ADD, c->leaf[b.state[k]], y[k]);
  status = g->status;
done:
  FREE(b.M);
  FREE(has);
  return status;
}
