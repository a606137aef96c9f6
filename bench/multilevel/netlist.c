/* Power grids like those of the IBM benchmarks (Nassif 2008), which are not ours to give away: wires along x on even
 * layers and along y on odd ones, each layer with half as many wires' nodes as the one below, vias wherever two layers
 * share a place, pads to the supply on the top layer, currents drawn at the bottom. All conductances vary by up to 4.
 * Supplies are eliminated: a Laplacian with a ground. Many pads and good vias make easy grids; what makes them hard is
 * in the parameters. */
#include "bench/multilevel/netlist.h"
#include "core/memory.h"

#include <math.h>
#include <stdbool.h>

enum { LAYERS = 8, PAD_STEP = 7, DRAW_STEP = 3 };

typedef struct Layers {
  const NetlistParams *params;
  int32_t n, side;
  int32_t pads;                              /* along an edge; 0: every PAD_STEP-th node */
  int32_t step[LAYERS][2], count[LAYERS][2]; /* of places between nodes; nodes, along x and y */
  int32_t first[LAYERS + 1];                 /* node of a layer */
} Layers;

static double number(int64_t i, int64_t j) {
  uint64_t h = (uint64_t)i * 0x9e3779b97f4a7c15u + (uint64_t)j;
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 27) * 0x94d049bb133111ebu;
  return (double)((h ^ h >> 31) >> 11) * 0x1p-53;
}

static void lay(Layers *l, int32_t side) {
  l->side = side;
  for (int32_t k = 0; k < l->n; ++k) {
    for (int d = 0; d < 2; ++d) {
      l->step[k][d] = 1 << (d == 0 ? (k + 1) / 2 : k / 2);
      l->count[k][d] = (side - 1) / l->step[k][d] + 1;
    }
    l->first[k + 1] = l->first[k] + l->count[k][0] * l->count[k][1];
  }
}

/* The node of layer k at a place; -1: none. */
static int32_t node_at(const Layers *l, int32_t k, int32_t x, int32_t y) {
  if (k < 0 || k >= l->n || x < 0 || y < 0 || x >= l->side || y >= l->side) return -1;
  if (x % l->step[k][0] || y % l->step[k][1]) return -1;
  return l->first[k] + y / l->step[k][1] * l->count[k][0] + x / l->step[k][0];
}

/* What a piece of wire between two nodes of layer k conducts. */
static double wire(const Layers *l, int32_t k) {
  const double top = l->params->top;
  if (!(top > 0)) return ldexp(1, k);
  return (l->n > 1 ? pow(top, (double)k / (l->n - 1)) : 1) / l->step[k][k % 2];
}

/* Whether the j-th node on top is a pad: of `count` nodes in a row those where j pads / count steps. */
static bool is_pad(const Layers *l, int32_t j) {
  const int32_t *count = l->count[l->n - 1];
  if (!l->pads) return j % PAD_STEP == 0;
  const int64_t at[2] = {j % count[0], j / count[0]};
  for (int d = 0; d < 2; ++d)
    if (at[d] * l->pads / count[d] == (at[d] + 1) * l->pads / count[d]) return false;
  return true;
}

/* Nodes that node i of layer k at a place is tied to, ascending, and the conductances. */
static int ties(const Layers *l, int32_t k, int32_t x, int32_t y, int32_t node[4], double g[4]) {
  const int32_t dx = k % 2 ? 0 : l->step[k][0], dy = k % 2 ? l->step[k][1] : 0, self = node_at(l, k, x, y);
  const int32_t to[4] = {node_at(l, k - 1, x, y), node_at(l, k, x - dx, y - dy), node_at(l, k, x + dx, y + dy),
                         node_at(l, k + 1, x, y)};
  const double via = l->params->via > 0 ? l->params->via : 20;
  int n = 0;
  for (int t = 0; t < 4; ++t) {
    if (to[t] < 0) continue;
    const int32_t low = to[t] < self ? to[t] : self, high = to[t] < self ? self : to[t];
    node[n] = to[t];
    g[n++] = (t == 0 || t == 3 ? via : wire(l, k)) * exp2(2 * number(low, high) - 1);
  }
  return n;
}

static void fill(const Layers *l, Netlist *out) {
  Pattern *p = out->pattern;
  for (int32_t k = 0, i = 0; k < l->n; ++k)
    for (int32_t j = 0; j < l->count[k][0] * l->count[k][1]; ++j, ++i) {
      const int32_t x = j % l->count[k][0] * l->step[k][0], y = j / l->count[k][0] * l->step[k][1];
      int32_t node[4];
      double g[4], sum = k + 1 == l->n && is_pad(l, j) ? 100 : 0;
      const int n = ties(l, k, x, y, node, g);
      int64_t at = p->start[i], diagonal = -1;
      for (int t = 0; t <= n; ++t) {
        if (diagonal < 0 && (t == n || node[t] > i)) {
          diagonal = at;
          p->column[at++] = i;
        }
        if (t == n) break;
        p->column[at] = node[t];
        out->value[at++] = -g[t];
        sum += g[t];
      }
      out->value[diagonal] = sum;
      out->current[i] = k == 0 && j % DRAW_STEP == 0 ? -1e-3 * number(i, -1) : 0;
      p->start[i + 1] = at;
    }
}

Status netlist_create(const NetlistParams *params, Netlist *out) {
  *out = (Netlist){.pattern = NULL};
  CHECK(params->n >= 16 && params->n <= 100000000, ERR_INPUT, "a netlist of %d unknowns; 16 to 100000000 are possible",
        params->n);
  CHECK(params->n_layer >= 1 && params->n_layer <= LAYERS, ERR_INPUT, "a netlist of %d layers; 1 to %d are possible",
        params->n_layer, LAYERS);
  CHECK(params->n_pad >= 0 && params->top >= 0 && params->via >= 0, ERR_INPUT,
        "a netlist of %d pads, wires of %g, vias of %g", params->n_pad, params->top, params->via);
  Layers l = {.params = params, .n = params->n_layer, .pads = (int32_t)lround(sqrt(params->n_pad))};
  int32_t side = 2;
  do lay(&l, ++side);
  while (l.first[l.n] <= params->n);
  lay(&l, side - 1);
  const int32_t n = l.first[l.n];
  ALLOC(out->pattern, 1, "a netlist");
  Pattern *p = out->pattern;
  p->n = n;
  p->block = 1;
  ALLOC(p->start, (int64_t)n + 1, "nodes of a netlist");
  ALLOC(p->column, 5 * (int64_t)n, "resistors of a netlist");
  ALLOC(out->value, 5 * (int64_t)n, "resistors of a netlist");
  ALLOC(out->current, n, "currents of a netlist");
  fill(&l, out);
  return OK;
}

void netlist_release(Netlist *netlist) {
  pattern_destroy(&netlist->pattern);
  FREE(netlist->value);
  FREE(netlist->current);
}
