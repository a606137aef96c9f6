/* Which states exchange quickly: by the derivatives of their rates along a beat. */
#include "core/memory.h"
#include "physics/import/cell_block.h"
#include "physics/import/cell_sums.h"
#include "physics/import/cell_trial.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 4 }; /* a beat by blocks may show more of them */

/* Who is of one block with whom: of[j] leads to the one that stands for all. */
typedef struct Joined {
  int of[IONIC_IMPORTED_STATES];
} Joined;

static int root_of(const Joined *w, int j) {
  while (w->of[j] != j) j = w->of[j];
  return j;
}
static void join(Joined *w, int j, int k) { w->of[root_of(w, j)] = root_of(w, k); }

/* Is one of them in a set whose sum stays, such as a channel, and the other not? Such a pair, calcium that opens the channel which lets it in,
 * feeds itself rather than exchanges. */
static bool at_border(const CellSums *sums, int n, int j, int k) {
  for (int s = 0; s < sums->n; ++s)
    if (sums->in[s * n + j] != sums->in[s * n + k]) return true;
  return false;
}

/* A set whose sum stays is one block as soon as two of it are. */
static void join_sum(const uint8_t *in, int n, Joined *w) {
  int first = -1;
  bool any = false;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < j && in[j]; ++k) any |= in[k] && root_of(w, j) == root_of(w, k);
  for (int j = 0; j < n && any; ++j) {
    if (!in[j]) continue;
    if (first < 0) first = j;
    join(w, j, first);
  }
}

/* Blocks get their numbers; true: there are others than before. */
static bool number_blocks(CellGraph *c, const Joined *w) {
  uint8_t number[IONIC_IMPORTED_STATES] = {0}, n = 0;
  bool is_gate[IONIC_IMPORTED_STATES], more = false;
  for (int j = 0; j < c->n_state; ++j)
    if (root_of(w, j) != j && !number[root_of(w, j)]) number[root_of(w, j)] = ++n;
  for (int j = 0; j < c->n_state; ++j) {
    more |= number[root_of(w, j)] && !c->block[j];
    for (int k = 0; k < j; ++k) more |= root_of(w, j) == root_of(w, k) && c->block[j] != c->block[k];
  }
  for (int j = 0; j < c->n_state; ++j) {
    c->block[j] = number[root_of(w, j)];
    is_gate[j] = j < c->n_gate && !c->block[j];
  }
  cell_graph_gates_first(c, is_gate);
  return more;
}

static Status join_quick(CellGraph *c, const double *exchange, double fast, bool *more) {
  const int n = c->n_state;
  CellSums sums;
  Joined w;
  TRY(cell_sums_find(c, &sums));
  for (int j = 0; j < n; ++j) w.of[j] = j;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < j; ++k) {
      const bool before = c->block[j] && c->block[j] == c->block[k];
      if (before || (exchange[j * n + k] >= fast && !at_border(&sums, n, j, k))) join(&w, j, k);
    }
  for (int s = 0; s < sums.n; ++s) join_sum(&sums.in[s * n], n, &w);
  cell_sums_release(&sums);
  *more = number_blocks(c, &w);
  return OK;
}

Status cell_block_find(CellGraph *c, double fast, bool *any) {
  double *exchange = NULL;
  bool more = true;
  Status status = OK;
  ALLOC(exchange, c->n_state * c->n_state, "exchange between states of a cell model");
  for (int round = 0; round < ROUNDS && more && status == OK; ++round) {
    memset(exchange, 0, (size_t)(c->n_state * c->n_state) * sizeof *exchange);
    status = cell_trial_exchange(c, exchange);
    if (status == OK) status = join_quick(c, exchange, fast, &more);
  }
  *any = false;
  for (int j = 0; j < c->n_state; ++j) *any |= c->block[j] > 0;
  FREE(exchange);
  return status;
}
