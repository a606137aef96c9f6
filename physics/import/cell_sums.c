#include "physics/import/cell_sums.h"
#include "core/memory.h"
#include "physics/import/cell_batch.h"
#include "physics/import/cell_program.h"

#include <math.h>
#include <string.h>

static const double PULL = 1; /* 1/ms */
static const double NOTHING = 1e-8, SAME = 1e-6, NOISE = 1e-14, SOME = 1e-4;
enum { MORE_ROWS = 4 };

/* Rates of some states at places that have nothing in common, one place in a row. */
typedef struct Sums {
  CellGraph *cell;
  CellBatch rate;
  int32_t n, n_row, state[IONIC_IMPORTED_STATES];
  int32_t pivot[IONIC_IMPORTED_STATES]; /* the row that stands for a column; -1: none */
  double most[IONIC_IMPORTED_STATES];   /* of a column */
  double *R;                            /* [n_row][n] */
} Sums;

/* From 0 to 1: Knuth's generator for 64 bits (The Art of Computer Programming 2, section 3.3.4, table 1). */
static double draw(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 9007199254740992.;
}

static void fill_row(Sums *w, int32_t r, uint64_t *seed) {
  const CellGraph *c = w->cell;
  double s[IONIC_IMPORTED_STATES], g[IONIC_IMPORTED_STATES], by_V, most = 0;
  bool finite = true;
  for (int32_t j = 0; j < c->n_state; ++j)
    s[j] = j < c->n_gate ? 0.05 + 0.9 * draw(seed) : c->initial[j] * (0.8 + 0.4 * draw(seed));
  for (int32_t k = 0; k < w->n; ++k)
    s[w->state[k]] = c->initial[w->state[k]] * (0.8 + 0.4 * draw(seed)) + SOME * draw(seed);
  (void)cell_batch_run(&w->rate, s, g, -90 + 130 * draw(seed), 0, 0, &by_V);
  for (int32_t k = 0; k < w->n; ++k) {
    most = fmax(most, fabs(g[w->state[k]]));
    finite &= isfinite(g[w->state[k]]) != 0;
  }
  for (int32_t k = 0; k < w->n; ++k) w->R[r * w->n + k] = finite && most > 0 ? g[w->state[k]] / most : 0;
}

/* Gauss and Jordan: columns without a pivot are sums of those before them. */
static void eliminate(Sums *w) {
  int32_t used = 0;
  for (int32_t k = 0; k < w->n; ++k) {
    w->most[k] = 0;
    for (int32_t r = 0; r < w->n_row; ++r) w->most[k] = fmax(w->most[k], fabs(w->R[r * w->n + k]));
  }
  for (int32_t k = 0; k < w->n; ++k) {
    int32_t best = used;
    for (int32_t r = used; r < w->n_row; ++r)
      if (fabs(w->R[r * w->n + k]) > fabs(w->R[best * w->n + k])) best = r;
    w->pivot[k] = -1;
    if (used == w->n_row || !(fabs(w->R[best * w->n + k]) > fmax(NOTHING * w->most[k], NOISE))) continue;
    double *own = w->R + (int64_t)used * w->n, *other = w->R + (int64_t)best * w->n;
    for (int32_t i = 0; i < w->n; ++i) {
      const double t = own[i];
      own[i] = other[i], other[i] = t;
    }
    const double scale = 1 / own[k];
    for (int32_t i = 0; i < w->n; ++i) own[i] *= scale;
    for (int32_t r = 0; r < w->n_row; ++r) {
      const double by = r == used ? 0 : w->R[r * w->n + k];
      for (int32_t i = 0; by != 0 && i < w->n; ++i) w->R[r * w->n + i] -= by * own[i];
    }
    w->pivot[k] = used++;
  }
}

static void draw_to_sum(CellGraph *c, const uint8_t *in, bool *stiff) {
  Graph *g = &c->graph;
  double sum = 0;
  int32_t most = -1, all = -1;
  for (int32_t j = 0; j < c->n_state; ++j) {
    if (!in[j]) continue;
    sum += c->initial[j];
    all = all < 0 ? c->leaf[j] : graph_op(g, IONIC_OP_ADD, all, c->leaf[j], -1);
    if (most < 0 || c->initial[j] > c->initial[most]) most = j;
  }
  const int32_t pull = graph_number(g, PULL), left = graph_op(g, IONIC_OP_SUB, graph_number(g, sum), all, -1);
  const int32_t decay = graph_op(g, IONIC_OP_ADD, c->decay[most], pull, -1);
  c->rate[most] = graph_op(g, IONIC_OP_ADD, c->rate[most], graph_op(g, IONIC_OP_MUL, pull, left, -1), -1);
  if (most < c->n_gate) /* s + rate / decay, which has no s in it */
    c->target[most] = graph_op(g, IONIC_OP_ADD, c->leaf[most], graph_op(g, IONIC_OP_DIV, c->rate[most], decay, -1), -1);
  c->decay[most] = decay;
  stiff[most] = true;
}

/* A column without a pivot and those that it is a sum of, where all count alike. */
static void add_sum(const Sums *w, int32_t column, CellSums *out) {
  uint8_t *in = &out->in[out->n * w->cell->n_state];
  int32_t n = 1;
  memset(in, 0, (size_t)w->cell->n_state);
  in[w->state[column]] = 1;
  for (int32_t k = 0; k < column; ++k) {
    const double part = w->pivot[k] < 0 ? 0 : -w->R[w->pivot[k] * w->n + column];
    if (fabs(part) < SAME) continue;
    if (!(fabs(part - 1) < SAME)) return;
    in[w->state[k]] = 1, ++n;
  }
  if (n > 1) ++out->n;
}

static Status find_sums(Sums *w, CellSums *out) {
  uint64_t seed = 1;
  ALLOC(w->R, w->n_row * w->n, "sums of states of a cell model");
  ALLOC(out->in, w->n * w->cell->n_state, "sums of states of a cell model");
  for (int32_t r = 0; r < w->n_row; ++r) fill_row(w, r, &seed);
  eliminate(w);
  for (int32_t k = 0; k < w->n; ++k)
    if (w->pivot[k] < 0) add_sum(w, k, out);
  return OK;
}

Status cell_sums_find(CellGraph *cell, CellSums *out) {
  Sums w = {.cell = cell};
  IonicProgram program = {0};
  *out = (CellSums){0};
  for (int32_t j = 0; j < cell->n_state; ++j)
    if (cell->initial[j] >= 0 && cell->initial[j] <= 1) w.state[w.n++] = j;
  w.n_row = w.n + MORE_ROWS;
  if (w.n < 2) return OK;
  Status status = cell_program_create(cell, CELL_RATE, NULL, &program);
  if (status == OK) status = cell_batch_create(&program, cell->n_state, &w.rate);
  if (status == OK) status = find_sums(&w, out);
  cell_batch_release(&w.rate);
  cell_program_release(&program);
  FREE(w.R);
  if (status != OK) cell_sums_release(out);
  return status;
}

void cell_sums_release(CellSums *sums) { FREE(sums->in); }

/* Does one of them step by its own decay? Those of a block keep their sum. */
static bool is_own(const CellGraph *c, const uint8_t *in, const bool *stiff) {
  bool own = false, together = true;
  uint8_t block = 0;
  for (int32_t j = 0; j < c->n_state; ++j) {
    if (!in[j]) continue;
    own |= j < c->n_gate || stiff[j];
    if (!block) block = c->block[j];
    together &= c->block[j] && c->block[j] == block;
  }
  return own && !together;
}

Status cell_keep_sums(CellGraph *cell, bool *stiff) {
  CellSums sums;
  TRY(cell_sums_find(cell, &sums));
  for (int k = 0; k < sums.n; ++k) {
    const uint8_t *in = &sums.in[k * cell->n_state];
    if (is_own(cell, in, stiff)) draw_to_sum(cell, in, stiff);
  }
  cell_sums_release(&sums);
  return cell->graph.status;
}
