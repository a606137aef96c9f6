#include "physics/import/graph.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

enum { BUCKETS = 4096, NODES_MOST = 200000 };

Status graph_create(Graph *g) {
  *g = (Graph){.n_bucket = BUCKETS};
  ALLOC(g->bucket, BUCKETS, "formulas of a cell model");
  for (int k = 0; k < BUCKETS; ++k) g->bucket[k] = -1;
  return OK;
}

void graph_release(Graph *g) {
  FREE(g->node);
  FREE(g->bucket);
  FREE(g->before);
}

int graph_operands(int op) {
  static const uint8_t operands[N_IONIC_OPS] = {
#define OP1(name, value) [IONIC_OP_##name] = 1,
#define OP2(name, value) [IONIC_OP_##name] = 2,
#define OP3(name, value) [IONIC_OP_##name] = 3,
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
  };
  return operands[op];
}

static uint32_t hash_of(const GraphNode *n) {
  uint64_t bits, h = n->op;
  memcpy(&bits, &n->number, sizeof bits);
  h = h * 1000003 + (uint64_t)(n->a + 1);
  h = h * 1000003 + (uint64_t)(n->b + 1);
  h = h * 1000003 + (uint64_t)(n->c + 1);
  h = (h ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
  return (uint32_t)(h >> 40) % BUCKETS;
}

static bool same_node(const GraphNode *x, const GraphNode *y) {
  return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c &&
         !memcmp(&x->number, &y->number, sizeof x->number);
}

static Status grow(Graph *g) {
  const int32_t more = g->capacity ? 2 * g->capacity : 1024;
  CHECK(more <= NODES_MOST, ERR_INPUT, "a cell model of more than %d operations", NODES_MOST / 2);
  RESIZE(g->node, more, "formulas of a cell model");
  RESIZE(g->before, more, "formulas of a cell model");
  g->capacity = more;
  return OK;
}

static int32_t node_of(Graph *g, GraphNode n) {
  const uint32_t h = hash_of(&n);
  for (int32_t k = g->bucket[h]; k >= 0; k = g->before[k])
    if (same_node(&g->node[k], &n)) return k;
  if (g->n == g->capacity && g->status == OK) g->status = grow(g);
  if (g->status != OK) return 0;
  g->node[g->n] = n;
  g->before[g->n] = g->bucket[h];
  return g->bucket[h] = g->n++;
}

int32_t graph_number(Graph *g, double value) {
  return node_of(g, (GraphNode){.op = IONIC_OP_SET, .a = -1, .b = -1, .c = -1, .number = value + 0.0});
}
int32_t graph_leaf(Graph *g, int op, int32_t index) {
  return node_of(g, (GraphNode){.op = (uint8_t)op, .a = index, .b = -1, .c = -1});
}

static bool is_number(const Graph *g, int32_t k) { return k >= 0 && g->node[k].op == IONIC_OP_SET; }
bool graph_is(const Graph *g, int32_t k, double value) {
  return is_number(g, k) && !(g->node[k].number < value) && !(g->node[k].number > value);
}
static bool is_op(const Graph *g, int32_t k, int op) { return g->node[k].op == op; }

/* The value of numbers; dt is not known here. */
static double folded(int op, double a, double b, double c) {
  const double dt = NAN;
  (void)dt;
  double result = NAN;
  switch (op) {
#define OP1(name, value)                                                                                               \
  case IONIC_OP_##name: {                                                                                              \
    result = value;                                                                                                    \
    break;                                                                                                             \
  }
#define OP2(name, value) OP1(name, value)
#define OP3(name, value) OP1(name, value)
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
  default: break;
  }
  return result;
}

static bool is_of_step(int op) { return op == IONIC_OP_GATE || op == IONIC_OP_RELAX || op == IONIC_OP_EULER; }

static int32_t negative(Graph *g, int32_t a) {
  const GraphNode n = g->node[a];
  if (n.op == IONIC_OP_NEG) return n.a;
  if (n.op == IONIC_OP_SUB) return graph_op(g, IONIC_OP_SUB, n.b, n.a, -1);
  if (n.op == IONIC_OP_ADD && is_number(g, n.a))
    return graph_op(g, IONIC_OP_SUB, graph_number(g, -g->node[n.a].number), n.b, -1);
  if ((n.op == IONIC_OP_MUL || n.op == IONIC_OP_DIV) && is_number(g, n.a))
    return graph_op(g, n.op, graph_number(g, -g->node[n.a].number), n.b, -1);
  return node_of(g, (GraphNode){.op = IONIC_OP_NEG, .a = a, .b = -1, .c = -1});
}

/* x^2, x^3 and so on without pow; -1: none of them. */
static int32_t power(Graph *g, int32_t a, double exponent) {
  const double whole = floor(exponent);
  if (exponent < 0 && exponent >= -8) {
    const int32_t p = power(g, a, -exponent);
    return p < 0 ? p : graph_op(g, IONIC_OP_DIV, graph_number(g, 1), p, -1);
  }
  if (fabs(exponent - 0.5) <= 0) return graph_op(g, IONIC_OP_SQRT, a, -1, -1);
  if (exponent > whole || exponent > 8 || exponent < 0) return -1;
  const int n = (int)whole;
  if (n == 0) return graph_number(g, 1);
  if (n == 1) return a;
  if (n == 3) return graph_op(g, IONIC_OP_CUBE, a, -1, -1);
  const int32_t half = power(g, a, n / 2), square = graph_op(g, IONIC_OP_SQUARE, half, -1, -1);
  return n % 2 ? graph_op(g, IONIC_OP_MUL, square, a, -1) : square;
}

/* What sums and products become without being worked out; -1: nothing. */
static int32_t simpler_sum(Graph *g, int op, int32_t a, int32_t b) {
  const bool minus = op == IONIC_OP_SUB;
  if (graph_is(g, b, 0)) return a;
  if (graph_is(g, a, 0)) return minus ? negative(g, b) : b;
  if (is_op(g, b, IONIC_OP_NEG)) return graph_op(g, minus ? IONIC_OP_ADD : IONIC_OP_SUB, a, g->node[b].a, -1);
  if (is_op(g, a, IONIC_OP_NEG) && minus) return negative(g, graph_op(g, IONIC_OP_ADD, g->node[a].a, b, -1));
  if (is_op(g, a, IONIC_OP_NEG)) return graph_op(g, IONIC_OP_SUB, b, g->node[a].a, -1);
  if (minus && is_number(g, b)) return graph_op(g, IONIC_OP_ADD, graph_number(g, -g->node[b].number), a, -1);
  return minus && a == b ? graph_number(g, 0) : -1;
}

/* A number times or over what begins with another number: one of both, unless that leaves the range of numbers; times a
 * difference from a number: times a sum with one. -1: neither. */
static int32_t simpler_multiple(Graph *g, int op, int32_t a, int32_t b) {
  const GraphNode of = g->node[b];
  const bool by = op == IONIC_OP_DIV;
  if (!is_number(g, a) || is_number(g, b) || graph_operands(of.op) != 2 || !is_number(g, of.a)) return -1;
  const double x = g->node[a].number, y = g->node[of.a].number, both = by ? x / y : x * y;
  if (!by && of.op == IONIC_OP_SUB)
    return graph_op(g, op, graph_number(g, -x), graph_op(g, IONIC_OP_ADD, graph_number(g, -y), of.b, -1), -1);
  if (!(of.op == IONIC_OP_MUL || (!by && of.op == IONIC_OP_DIV)) || !isnormal(both)) return -1;
  return graph_op(g, by ? op : of.op, graph_number(g, both), of.b, -1);
}

static int32_t simpler_product(Graph *g, int op, int32_t a, int32_t b) {
  const bool by = op == IONIC_OP_DIV;
  if (graph_is(g, a, 0) || (!by && graph_is(g, b, 0))) return graph_number(g, 0);
  if (graph_is(g, b, 1)) return a;
  if (!by && graph_is(g, a, 1)) return b;
  if (graph_is(g, b, -1)) return negative(g, a);
  if (!by && graph_is(g, a, -1)) return negative(g, b);
  if (by && is_number(g, b)) return graph_op(g, IONIC_OP_MUL, a, graph_number(g, 1 / g->node[b].number), -1);
  if (is_op(g, a, IONIC_OP_NEG) && is_op(g, b, IONIC_OP_NEG)) return graph_op(g, op, g->node[a].a, g->node[b].a, -1);
  if (is_op(g, a, IONIC_OP_NEG)) return negative(g, graph_op(g, op, g->node[a].a, b, -1));
  if (is_op(g, b, IONIC_OP_NEG)) return negative(g, graph_op(g, op, a, g->node[b].a, -1));
  if (!by && a == b) return graph_op(g, IONIC_OP_SQUARE, a, -1, -1);
  if (!by && is_number(g, b)) return graph_op(g, op, b, a, -1);
  return simpler_multiple(g, op, a, b);
}

static int32_t simpler(Graph *g, int op, int32_t a, int32_t b, int32_t c) {
  switch (op) {
  case IONIC_OP_NEG: return negative(g, a);
  case IONIC_OP_ADD:
  case IONIC_OP_SUB: return simpler_sum(g, op, a, b);
  case IONIC_OP_MUL:
  case IONIC_OP_DIV: return simpler_product(g, op, a, b);
  case IONIC_OP_POW: return is_number(g, b) ? power(g, a, g->node[b].number) : -1;
  case IONIC_OP_SELECT:
    if (is_number(g, a)) return graph_is(g, a, 0) ? c : b;
    return b == c ? b : -1;
  default: return -1;
  }
}

int32_t graph_op(Graph *g, int op, int32_t a, int32_t b, int32_t c) {
  const int n = graph_operands(op);
  if (g->status != OK) return 0;
  if (!is_of_step(op) && is_number(g, a) && (n < 2 || is_number(g, b)) && (n < 3 || is_number(g, c)))
    return graph_number(g, folded(op, g->node[a].number, n > 1 ? g->node[b].number : 0, n > 2 ? g->node[c].number : 0));
  const int32_t other = simpler(g, op, a, b, c);
  if (other >= 0) return other;
  if ((op == IONIC_OP_ADD || op == IONIC_OP_MUL) && (is_number(g, b) || (!is_number(g, a) && a > b))) {
    const int32_t swap = a; /* x + y and y + x are one; a number stands in front */
    a = b, b = swap;
  }
  return node_of(g, (GraphNode){.op = (uint8_t)op, .a = a, .b = n > 1 ? b : -1, .c = n > 2 ? c : -1});
}
