/* Derivatives and replacements. */
#include "physics/import/graph.h"

#include <math.h>
#include <string.h>

static bool needs(const Graph *g, int32_t k, int32_t leaf, uint8_t *mark) {
  if (k == leaf) return true;
  const GraphNode *n = &g->node[k];
  const int operands = graph_operands(n->op);
  if (mark[k] || operands == 0) return false;
  mark[k] = 1; /* seen, and not needed so far */
  return needs(g, n->a, leaf, mark) || (operands > 1 && needs(g, n->b, leaf, mark)) ||
         (operands > 2 && needs(g, n->c, leaf, mark));
}

bool graph_needs(const Graph *g, int32_t node, int32_t leaf, uint8_t *mark) {
  memset(mark, 0, (size_t)g->n);
  return needs(g, node, leaf, mark);
}

static int32_t op1(Graph *g, int op, int32_t a) { return graph_op(g, op, a, -1, -1); }
static int32_t op2(Graph *g, int op, int32_t a, int32_t b) { return graph_op(g, op, a, b, -1); }

/* Of a function f(a) at node k: f'. */
static int32_t slope_of(Graph *g, int32_t k) {
  const GraphNode n = g->node[k];
  const int32_t one = graph_number(g, 1), two = graph_number(g, 2);
  switch (n.op) {
  case IONIC_OP_SQUARE: return op2(g, IONIC_OP_MUL, two, n.a);
  case IONIC_OP_CUBE: return op2(g, IONIC_OP_MUL, graph_number(g, 3), op1(g, IONIC_OP_SQUARE, n.a));
  case IONIC_OP_EXP: return k;
  case IONIC_OP_EXPM1: return op2(g, IONIC_OP_ADD, k, one);
  case IONIC_OP_LOG: return op2(g, IONIC_OP_DIV, one, n.a);
  case IONIC_OP_LOG10: return op2(g, IONIC_OP_DIV, graph_number(g, 1 / log(10)), n.a);
  case IONIC_OP_SQRT: return op2(g, IONIC_OP_DIV, graph_number(g, 0.5), k);
  case IONIC_OP_SIN: return op1(g, IONIC_OP_COS, n.a);
  case IONIC_OP_COS: return op1(g, IONIC_OP_NEG, op1(g, IONIC_OP_SIN, n.a));
  case IONIC_OP_TAN: return op2(g, IONIC_OP_ADD, one, op1(g, IONIC_OP_SQUARE, k));
  case IONIC_OP_ASIN:
  case IONIC_OP_ACOS: {
    const int32_t root = op1(g, IONIC_OP_SQRT, op2(g, IONIC_OP_SUB, one, op1(g, IONIC_OP_SQUARE, n.a)));
    return op2(g, IONIC_OP_DIV, graph_number(g, n.op == IONIC_OP_ASIN ? 1 : -1), root);
  }
  case IONIC_OP_ATAN: return op2(g, IONIC_OP_DIV, one, op2(g, IONIC_OP_ADD, one, op1(g, IONIC_OP_SQUARE, n.a)));
  case IONIC_OP_SINH: return op1(g, IONIC_OP_COSH, n.a);
  case IONIC_OP_COSH: return op1(g, IONIC_OP_SINH, n.a);
  case IONIC_OP_TANH: return op2(g, IONIC_OP_SUB, one, op1(g, IONIC_OP_SQUARE, k));
  case IONIC_OP_ABS:
    return graph_op(g, IONIC_OP_SELECT, op2(g, IONIC_OP_LESS, n.a, graph_number(g, 0)), graph_number(g, -1), one);
  case IONIC_OP_NEG: return graph_number(g, -1);
  default: return graph_number(g, 0); /* steps */
  }
}

/* a^b: b a^(b-1) a' + a^b log(a) b'. */
static int32_t power_slope(Graph *g, int32_t k, int32_t by_a, int32_t by_b) {
  const GraphNode n = g->node[k];
  const int32_t less = op2(g, IONIC_OP_POW, n.a, op2(g, IONIC_OP_SUB, n.b, graph_number(g, 1)));
  const int32_t first = op2(g, IONIC_OP_MUL, op2(g, IONIC_OP_MUL, n.b, less), by_a);
  if (graph_is(g, by_b, 0)) return first;
  return op2(g, IONIC_OP_ADD, first, op2(g, IONIC_OP_MUL, op2(g, IONIC_OP_MUL, k, op1(g, IONIC_OP_LOG, n.a)), by_b));
}

/* y / b, where exp(..) in y is as large as in b and its product with more is not. */
static int32_t over(Graph *g, int32_t y, int32_t b) {
  const GraphNode n = g->node[y];
  if (n.op == IONIC_OP_NEG) return op1(g, IONIC_OP_NEG, over(g, n.a, b));
  if (n.op == IONIC_OP_MUL && g->node[n.b].op == IONIC_OP_EXP)
    return op2(g, IONIC_OP_MUL, n.a, op2(g, IONIC_OP_DIV, n.b, b));
  if (n.op == IONIC_OP_MUL && g->node[n.a].op == IONIC_OP_EXP)
    return op2(g, IONIC_OP_MUL, n.b, op2(g, IONIC_OP_DIV, n.a, b));
  return op2(g, IONIC_OP_DIV, y, b);
}

/* By its operands' derivatives. */
static int32_t chain(Graph *g, int32_t k, int32_t x, int32_t y, int32_t z) {
  const GraphNode n = g->node[k];
  switch (n.op) {
  case IONIC_OP_ADD:
  case IONIC_OP_SUB: return op2(g, n.op, x, y);
  case IONIC_OP_MUL: return op2(g, IONIC_OP_ADD, op2(g, IONIC_OP_MUL, x, n.b), op2(g, IONIC_OP_MUL, n.a, y));
  case IONIC_OP_DIV: /* (x - k y) / b */
    if (graph_is(g, x, 0)) return op2(g, IONIC_OP_MUL, graph_op(g, IONIC_OP_NEG, k, -1, -1), over(g, y, n.b));
    return op2(g, IONIC_OP_DIV, op2(g, IONIC_OP_SUB, x, op2(g, IONIC_OP_MUL, k, y)), n.b);
  case IONIC_OP_POW: return power_slope(g, k, x, y);
  case IONIC_OP_REMAINDER: return x;
  case IONIC_OP_MIN: return graph_op(g, IONIC_OP_SELECT, op2(g, IONIC_OP_LESS, n.a, n.b), x, y);
  case IONIC_OP_MAX: return graph_op(g, IONIC_OP_SELECT, op2(g, IONIC_OP_LESS, n.b, n.a), x, y);
  case IONIC_OP_SELECT: return graph_op(g, IONIC_OP_SELECT, n.a, y, z);
  default: return graph_operands(n.op) == 1 ? op2(g, IONIC_OP_MUL, slope_of(g, k), x) : graph_number(g, 0);
  }
}

int32_t graph_derivative(Graph *g, int32_t k, int32_t leaf, int32_t *map) {
  if (g->status != OK) return 0;
  if (map[k] >= 0) return map[k];
  const GraphNode n = g->node[k];
  const int operands = graph_operands(n.op);
  int32_t by[3] = {-1, -1, -1};
  bool any = false;
  for (int o = 0; o < operands; ++o) {
    by[o] = graph_derivative(g, o == 0 ? n.a : o == 1 ? n.b : n.c, leaf, map);
    any |= !graph_is(g, by[o], 0);
  }
  if (g->status != OK) return 0;
  return map[k] = k == leaf ? graph_number(g, 1) : any ? chain(g, k, by[0], by[1], by[2]) : graph_number(g, 0);
}

int32_t graph_replace(Graph *g, int32_t k, int32_t *map) {
  if (g->status != OK) return 0;
  if (map[k] >= 0) return map[k];
  const GraphNode n = g->node[k];
  const int operands = graph_operands(n.op);
  if (operands == 0) return map[k] = k;
  const int32_t a = graph_replace(g, n.a, map), b = operands > 1 ? graph_replace(g, n.b, map) : -1,
                c = operands > 2 ? graph_replace(g, n.c, map) : -1;
  return map[k] = a == n.a && b == n.b && c == n.c ? k : graph_op(g, n.op, a, b, c);
}
