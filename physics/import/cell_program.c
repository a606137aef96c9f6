/* From a graph to operations on registers: each node once, operands before, a register again as soon as nobody reads it
 * any more. */
#include "physics/import/cell_program.h"
#include "core/memory.h"
#include "physics/import/cell_block.h"
#include "physics/import/cell_fuse.h"
#include "physics/tension_program.h"

#include <string.h>

enum { TERMS = 256, LISTS = IONIC_IMPORTED_STATES + 2 + 2 * TERMS, HINT = -1 };

/* What a program must bring out, in this order. A hint is worked out there if anybody needs it. */
typedef struct Wanted {
  int n;
  struct WantedItem {
    int32_t node;
    int op, state;
  } item[LISTS];
} Wanted;

typedef struct Builder {
  const Graph *g;
  int32_t *last;   /* [g->n] how many readers are left; < 0: not looked at */
  int16_t *held;   /* [g->n] its register; -1: none */
  int32_t *number; /* [g->n] its place among the constants; -1: none */
  uint8_t taken[IONIC_REGISTERS_HOST];
  int room;         /* registers that there are */
  bool reload;      /* states are read again by everyone, not kept */
  bool full;        /* there were not enough registers */
  IonicStep *step;  /* owned */
  double *constant; /* owned */
  int32_t n_step, n_constant, step_room, constant_room;
} Builder;

static void want(Wanted *w, int32_t node, int op, int state) { w->item[w->n++] = (struct WantedItem){node, op, state}; }

static int number_of(const CellGraph *c, int j) { return c->graph.node[c->leaf[j]].a; }

/* What a sum is made of. */
static int terms_of(const Graph *g, int32_t k, int n, int32_t *term) {
  const GraphNode *s = &g->node[k];
  if (n == TERMS) return n;
  if (s->op == IONIC_OP_ADD || s->op == IONIC_OP_SUB) return terms_of(g, s->b, terms_of(g, s->a, n, term), term);
  if (s->op == IONIC_OP_NEG) return terms_of(g, s->a, n, term);
  if (s->op == IONIC_OP_MUL && g->node[s->a].op == IONIC_OP_SET) return terms_of(g, s->b, n, term);
  if (n < TERMS) term[n++] = k;
  return n;
}

/* f and df/dV, a current after the other with its derivative, since the two share most of what they need. `replace`: what
 * stands in place of gates, NULL: they themselves. */
static Status want_reaction(CellGraph *c, int32_t *replace, Wanted *w) {
  Graph *g = &c->graph;
  Status status = OK;
  int32_t term[TERMS], *by_V = NULL;
  const int n_term = terms_of(g, c->force, 0, term), n = g->n;
  const int32_t V = graph_leaf(g, IONIC_OP_V, 0);
  ALLOC_DONE(by_V, g->n, "a program of a cell model");
  for (int32_t k = 0; k < g->n; ++k) by_V[k] = -1;
  for (int i = 0; i < n_term; ++i) {
    const int32_t d = graph_derivative(g, term[i], V, by_V);
    want(w, replace ? graph_replace(g, term[i], replace) : term[i], HINT, 0);
    if (d < n) want(w, replace ? graph_replace(g, d, replace) : d, HINT, 0);
  }
  want(w, replace ? graph_replace(g, c->force, replace) : c->force, IONIC_OP_FORCE, 0);
  want(w, replace ? graph_replace(g, c->slope, replace) : c->slope, IONIC_OP_SLOPE, 0);
  status = g->status;
done:
  FREE(by_V);
  return status;
}

/* The next state j, where it has limits the nearest of those beyond them; what is not a number stays so. */
static int32_t within_limits(CellGraph *c, int j, int32_t next) {
  Graph *g = &c->graph;
  if (!c->limited[j]) return next;
  const int32_t lower = graph_number(g, c->lower[j]), upper = graph_number(g, c->upper[j]);
  next = graph_op(g, IONIC_OP_SELECT, graph_op(g, IONIC_OP_LESS, next, lower, -1), lower, next);
  return graph_op(g, IONIC_OP_SELECT, graph_op(g, IONIC_OP_LESS, upper, next, -1), upper, next);
}

/* The next states, then the reaction with the gates that have gone first. */
static Status want_step(CellGraph *c, const bool *stiff, Wanted *w) {
  Graph *g = &c->graph;
  Status status = OK;
  int32_t *map = NULL, next[IONIC_IMPORTED_STATES];
  for (int j = 0; j < c->n_gate; ++j) {
    next[j] = within_limits(c, j, graph_op(g, IONIC_OP_GATE, c->leaf[j], c->target[j], c->decay[j]));
    want(w, next[j], IONIC_OP_STORE, j);
  }
  const int32_t n = g->n;
  ALLOC_DONE(map, n, "a program of a cell model");
  for (int32_t k = 0; k < n; ++k) map[k] = -1;
  for (int j = 0; j < c->n_gate; ++j) map[c->leaf[j]] = next[j];
  TRY_DONE(want_reaction(c, map, w));
  for (int block = 1; block <= IONIC_IMPORTED_STATES; ++block) TRY_DONE(cell_block_step(c, block, map, next));
  for (int j = c->n_gate; j < c->n_state; ++j) {
    if (c->block[j]) {
      want(w, within_limits(c, j, next[j]), IONIC_OP_STORE, j);
      continue;
    }
    const int32_t rate = graph_replace(g, c->rate[j], map), decay = graph_replace(g, c->decay[j], map);
    const bool by_decay = (!stiff || stiff[j]) && !graph_is(g, decay, 0);
    const int32_t positive = by_decay ? graph_op(g, IONIC_OP_MAX, decay, graph_number(g, 0), -1) : -1;
    want(w,
         within_limits(c, j,
                       by_decay ? graph_op(g, IONIC_OP_RELAX, c->leaf[j], rate, positive)
                                : graph_op(g, IONIC_OP_EULER, c->leaf[j], rate, -1)),
         IONIC_OP_STORE, j);
  }
  status = g->status;
done:
  FREE(map);
  return status;
}

/* The next states, and at the step's end the tension and its derivative by the stretch, whose rate is its change over the step. Gates go
 * exactly, all else in one step of what is linear. */
static Status want_tension(CellGraph *c, Wanted *w) {
  Graph *g = &c->graph;
  Status status = OK;
  int32_t *map = NULL, next[IONIC_IMPORTED_STATES];
  const int32_t dt = graph_leaf(g, IONIC_OP_STATE, CELL_TOLD + TENSION_DT), V = graph_leaf(g, IONIC_OP_V, 0);
  const int32_t rate = graph_leaf(g, IONIC_OP_STATE, CELL_TOLD + TENSION_RATE);
  for (int j = 0; j < c->n_gate; ++j) {
    const int32_t x = graph_op(g, IONIC_OP_MUL, c->decay[j], dt, -1);
    const int32_t gone = graph_op(g, IONIC_OP_EXPM1, graph_op(g, IONIC_OP_NEG, x, -1, -1), -1, -1);
    const int32_t away = graph_op(g, IONIC_OP_SUB, c->leaf[j], c->target[j], -1);
    next[j] = within_limits(c, j, graph_op(g, IONIC_OP_ADD, c->leaf[j], graph_op(g, IONIC_OP_MUL, away, gone, -1), -1));
  }
#define MAP_ANEW                                                                                                       \
  do {                                                                                                                 \
    TRY_DONE(g->status);                                                                                               \
    TRY_DONE(mem_resize(g->n, sizeof *map, "a model of tension", (void **)&map));                                      \
    for (int32_t k = 0; k < g->n; ++k) map[k] = -1;                                                                    \
  } while (0)
  MAP_ANEW;
  for (int j = 0; j < c->n_gate; ++j) map[c->leaf[j]] = next[j];
  TRY_DONE(cell_block_euler(c, dt, map, next));
  for (int j = c->n_gate; j < c->n_state; ++j) next[j] = within_limits(c, j, next[j]);
  MAP_ANEW;
  for (int j = 0; j < c->n_state; ++j) map[c->leaf[j]] = next[j];
  const int32_t T = graph_replace(g, c->force, map);
  MAP_ANEW;
  const int32_t by_V = graph_derivative(g, T, V, map);
  MAP_ANEW;
  const int32_t by_rate = graph_derivative(g, T, rate, map);
#undef MAP_ANEW
  for (int j = 0; j < c->n_state; ++j) want(w, next[j], IONIC_OP_STORE, j);
  want(w, T, IONIC_OP_FORCE, 0);
  want(w, graph_op(g, IONIC_OP_ADD, by_V, graph_op(g, IONIC_OP_DIV, by_rate, dt, -1), -1), IONIC_OP_SLOPE, 0);
  status = g->status;
done:
  FREE(map);
  return status;
}

static Status want_all(CellGraph *c, CellProgramKind kind, const bool *stiff, Wanted *w) {
  w->n = 0;
  if (kind == CELL_STEP) return want_step(c, stiff, w);
  if (kind == CELL_TENSION) return want_tension(c, w);
  if (kind == CELL_RATE) TRY(want_reaction(c, NULL, w));
  const int32_t zero = graph_number(&c->graph, 0);
  for (int j = 0; j < c->n_state; ++j)
    want(w, kind == CELL_RATE ? c->rate[j] : j < c->n_gate ? zero : c->decay[j], IONIC_OP_STORE, j);
  return c->graph.status;
}

/* Such a node is made anew for each reader. */
static bool is_brief(const Builder *b, int32_t k) {
  const int op = b->g->node[k].op;
  return op == IONIC_OP_SET || (b->reload && op == IONIC_OP_STATE);
}

static void count_readers(Builder *b, int32_t k) {
  const GraphNode *n = &b->g->node[k];
  const int32_t of[3] = {n->a, n->b, n->c};
  const int operands = graph_operands(n->op);
  if (b->last[k]++ > 0) return;
  for (int o = 0; o < operands; ++o) count_readers(b, of[o]);
}

static int take_register(Builder *b) {
  for (int r = 0; r < b->room; ++r)
    if (!b->taken[r]) return b->taken[r] = 1, r;
  b->full = true;
  return 0;
}

static Status emit(Builder *b, int op, int d, int a, int other, int c) {
  if (b->n_step == b->step_room) {
    b->step_room = b->step_room ? 2 * b->step_room : 256;
    RESIZE(b->step, b->step_room, "a program of a cell model");
  }
  b->step[b->n_step++] = (IonicStep){(uint8_t)op, (uint8_t)d, (uint16_t)a, (uint16_t)other, (uint16_t)c};
  return OK;
}

static Status constant_at(Builder *b, int32_t k, int *out) {
  if (b->number[k] < 0) {
    CHECK(b->n_constant < UINT16_MAX, ERR_INPUT, "a cell model of more than %d different numbers", UINT16_MAX);
    if (b->n_constant == b->constant_room) {
      b->constant_room = b->constant_room ? 2 * b->constant_room : 128;
      RESIZE(b->constant, b->constant_room, "numbers of a cell model");
    }
    b->number[k] = b->n_constant;
    b->constant[b->n_constant++] = b->g->node[k].number;
  }
  *out = b->number[k];
  return OK;
}

static Status make(Builder *b, int32_t k);

/* Register with the value of node k. */
static Status value_in(Builder *b, int32_t k, int *out) {
  TRY(make(b, k));
  *out = b->held[k];
  return OK;
}

/* One reader of node k is served. */
static void served(Builder *b, int32_t k) {
  if (b->held[k] < 0) return;
  if (--b->last[k] > 0 && !is_brief(b, k)) return;
  b->taken[b->held[k]] = 0;
  b->held[k] = -1;
}

/* What is needed first, so that numbers stand in their registers for as short as can be. */
static Status operands_of(Builder *b, const GraphNode *n, int operands, int in[3], int *form) {
  const int32_t of[3] = {n->a, n->b, n->c};
  *form = 0;
  if (operands == 2 && b->g->node[n->b].op == IONIC_OP_SET) *form = 1;
  else if (operands == 2 && b->g->node[n->a].op == IONIC_OP_SET) *form = 2;
  for (int pass = 0; pass < 2; ++pass)
    for (int o = 0; o < operands; ++o) {
      const bool is_constant = *form && o == (*form == 1 ? 1 : 0);
      if (is_brief(b, of[o]) != (pass == 1)) continue;
      TRY(is_constant ? constant_at(b, of[o], &in[o]) : value_in(b, of[o], &in[o]));
    }
  return OK;
}

static Status make(Builder *b, int32_t k) {
  const GraphNode n = b->g->node[k];
  const int operands = graph_operands(n.op);
  const int32_t of[3] = {n.a, n.b, n.c};
  int in[3] = {0}, form = 0;
  if (b->held[k] >= 0) return OK;
  TRY(operands_of(b, &n, operands, in, &form));
  if (n.op == IONIC_OP_SET) TRY(constant_at(b, k, &in[1]));
  if (n.op == IONIC_OP_STATE) in[1] = n.a;
  const int d = take_register(b);
  TRY(emit(b, n.op + form, d, in[0], in[1], in[2]));
  for (int o = 0; o < operands; ++o) served(b, of[o]);
  b->held[k] = (int16_t)d;
  return OK;
}

static Status build(Builder *b, const CellGraph *c, const Wanted *w) {
  b->n_step = b->n_constant = 0;
  b->full = false;
  memset(b->taken, 0, sizeof b->taken);
  for (int32_t k = 0; k < b->g->n; ++k) b->held[k] = -1, b->number[k] = -1, b->last[k] = 0;
  for (int i = 0; i < w->n; ++i)
    if (w->item[i].op != HINT) count_readers(b, w->item[i].node);
  for (int i = 0; i < w->n && !b->full; ++i) {
    int a;
    const bool is_hint = w->item[i].op == HINT;
    if (is_hint && (!b->last[w->item[i].node] || is_brief(b, w->item[i].node))) continue;
    TRY(value_in(b, w->item[i].node, &a));
    if (is_hint) continue;
    TRY(emit(b, w->item[i].op, IONIC_NOWHERE, a, w->item[i].state, 0));
    served(b, w->item[i].node);
  }
  /* states by their number among the sorted */
  int place[IONIC_IMPORTED_STATES];
  for (int j = 0; j < c->n_state; ++j) place[number_of(c, j)] = j;
  for (int32_t i = 0; i < b->n_step; ++i)
    if (b->step[i].op == IONIC_OP_STATE && b->step[i].b >= CELL_TOLD)
      b->step[i].b = (uint16_t)(b->step[i].b - CELL_TOLD + c->n_state);
    else if (b->step[i].op == IONIC_OP_STATE) b->step[i].b = (uint16_t)place[b->step[i].b];
  return OK;
}

static Status build_kept(Builder *b, const CellGraph *c, const Wanted *w) {
  const int32_t n = b->g->n;
  const bool tension = b->room == TENSION_REGISTERS;
  ALLOC(b->last, n, "a program of a cell model");
  ALLOC(b->held, n, "a program of a cell model");
  ALLOC(b->number, n, "a program of a cell model");
  TRY(build(b, c, w));
  if (b->full) {
    b->reload = true;
    TRY(build(b, c, w));
  }
  CHECK(!b->full, ERR_INPUT, "a %s that needs more than %d numbers at once\n  %s",
        tension ? "model of tension" : "cell model", b->room,
        tension ? "remedy: a model whose states depend on fewer others"
                : "'sinew model export' makes a header to compile of it");
  return OK;
}

Status cell_program_create(CellGraph *cell, CellProgramKind kind, const bool *stiff, IonicProgram *out) {
  Wanted *wanted = NULL;
  Builder b = {.g = &cell->graph,
               .room = kind == CELL_TENSION         ? (int)TENSION_REGISTERS
                       : kind == CELL_STEP && stiff ? (int)IONIC_REGISTERS
                                                    : (int)IONIC_NOWHERE};
  *out = (IonicProgram){0};
  ALLOC(wanted, 1, "a program of a cell model");
  Status status = want_all(cell, kind, stiff, wanted);
  if (status == OK) status = build_kept(&b, cell, wanted);
  FREE(wanted);
  FREE(b.last);
  FREE(b.held);
  FREE(b.number);
  *out = (IonicProgram){.n_step = b.n_step, .n_constant = b.n_constant, .step = b.step, .constant = b.constant};
  if (status == OK && b.room == IONIC_REGISTERS) status = cell_program_fuse(out);
  if (status != OK) cell_program_release(out);
  return status;
}

void cell_program_release(IonicProgram *program) {
  mem_free((void **)(void *)&program->step);
  mem_free((void **)(void *)&program->fused);
  mem_free((void **)(void *)&program->constant);
  mem_free((void **)(void *)&program->stream);
  *program = (IonicProgram){0};
}

double cell_program_run(const IonicProgram *program, const double *from, double *to, double V, double stimulus,
                        double dt, double *by_V) {
  const IonicLanes cell = {.from = from, .to = to, .stride = 1, .n = 1, .dt = dt};
  double f = 0;
  ionic_program_host(program, &cell, &V, &stimulus, &f, by_V);
  return f;
}
