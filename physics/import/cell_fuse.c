/* From a list of operations to that of a GPU: each result once, then what one other alone reads becomes one with it, then
 * registers anew. */
#include "physics/import/cell_fuse.h"
#include "core/memory.h"

#include <string.h>

enum { MOST_REGISTERS = 3, MOST_CONSTANTS = 4, NO_ITEM = -1 };

/* Operands that are registers and numbers; the first two registers may change places. */
typedef struct Form {
  uint8_t registers, constants, either;
} Form;

static const Form form[N_IONIC_OPS_FUSED] = {
    [IONIC_OP_SET] = {0, 1, 0},
    [IONIC_OP_STORE] = {1, 0, 0},
    [IONIC_OP_FORCE] = {1, 0, 0},
    [IONIC_OP_SLOPE] = {1, 0, 0},
#define OP1(name, value) [IONIC_OP_##name] = {1, 0, 0},
#define OP2(name, value)                                                                                               \
  [IONIC_OP_##name] = {2, 0, IONIC_OP_##name == IONIC_OP_ADD || IONIC_OP_##name == IONIC_OP_MUL},                      \
  [IONIC_OP_##name##_BY] = {1, 1, 0}, [IONIC_OP_##name##_OF] = {1, 1, 0},
#define OP3(name, value) [IONIC_OP_##name] = {3, 0, 0},
#define FUSED(name, first, second, at, R, K, value) [IONIC_OP_##name] = {R, K, 0},
#define FUSED_EITHER(name, first, second, at, R, K, value) [IONIC_OP_##name] = {R, K, 1},
#define TURNED(name, of, R, K, value) [IONIC_OP_##name] = {R, K, 0},
#define ON_STATE(name, of, R, K, value) [IONIC_OP_##name] = {R, K, 0},
#define FUSED_STATE(name, first, second, at, R, K, value) [IONIC_OP_##name] = {R, K, 0},
#include "physics/ionic_ops.def"
#include "physics/ionic_fused.def"
#undef OP1
#undef OP2
#undef OP3
};

/* at: bits of the registers of the second that may be what the first makes. */
static const struct Fused {
  uint8_t op, first, second, at;
} fused[] = {
#define FUSED(name, first, second, at, R, K, value) {IONIC_OP_##name, IONIC_OP_##first, IONIC_OP_##second, at},
#define FUSED_EITHER(name, first, second, at, R, K, value) FUSED(name, first, second, at, R, K, value)
#define FUSED_STATE(name, first, second, at, R, K, value) FUSED(name, first, second, at, R, K, value)
#include "physics/ionic_fused.def"
};

/* With its two registers the other way round. */
static const struct Turned {
  uint8_t op, of;
} turned[] = {
#define TURNED(name, of, R, K, value) {IONIC_OP_##name, IONIC_OP_##of},
#include "physics/ionic_fused.def"
};

/* Of IONIC_OFTEN and IONIC_NEXT: which of both, and twice the place there. */
typedef struct Often {
  uint8_t often, op;
} Often;
#define EIGHT(list, at, a, b, c, d, e, f, g, h)                                                                        \
  [IONIC_OP_##a] = {list, at}, [IONIC_OP_##b] = {list, at + 2}, [IONIC_OP_##c] = {list, at + 4},                       \
  [IONIC_OP_##d] = {list, at + 6}, [IONIC_OP_##e] = {list, at + 8}, [IONIC_OP_##f] = {list, at + 10},                  \
  [IONIC_OP_##g] = {list, at + 12}, [IONIC_OP_##h] = {list, at + 14}
#define SIXTEEN(list, at, a, b, c, d, e, f, g, h, ...)                                                                 \
  EIGHT(list, at, a, b, c, d, e, f, g, h), EIGHT(list, at + 16, __VA_ARGS__)
#define SPREAD(of, list, at, ...) of(list, at, __VA_ARGS__)
static const Often often[N_IONIC_OPS_FUSED] = {SPREAD(EIGHT, IONIC_IS_OFTEN, 0, IONIC_OFTEN),
                                               SPREAD(SIXTEEN, IONIC_IS_NEXT, 0, IONIC_NEXT)};

/* An operation with its operands, which are items before it. */
typedef struct Item {
  uint8_t op;
  bool gone, passed, stored; /* passed: its first operand is what the last operation left */
  int16_t state, at;         /* at: its register */
  int32_t in[MOST_REGISTERS], readers, last;
  double constant[MOST_CONSTANTS];
} Item;

typedef struct Fuser {
  Item *item; /* owned, [n] as steps */
  int32_t n;
  int32_t *store;   /* owned, [n] which item stores it where that is the state that it is made of; NO_ITEM */
  IonicFused *step; /* owned, [n + 2] */
  double *stream;   /* owned */
  int32_t n_step, n_stream;
} Fuser;

static bool is_by(int op) {
  static const uint8_t of[N_IONIC_OPS] = {
#define OP1(name, value)
#define OP2(name, value) [IONIC_OP_##name##_BY] = 1,
#define OP3(name, value)
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
  };
  return of[op];
}

static void read_item(const IonicProgram *p, const IonicStep *s, const int32_t *held, Item *item) {
  const Form f = form[s->op];
  *item = (Item){.op = s->op, .state = -1, .last = NO_ITEM};
  if (s->op == IONIC_OP_SET) item->constant[0] = p->constant[s->b];
  if (s->op == IONIC_OP_STATE || s->op == IONIC_OP_STORE) item->state = (int16_t)s->b;
  if (f.registers == 1 && f.constants == 1) {
    item->in[0] = held[is_by(s->op) ? s->a : s->b];
    item->constant[0] = p->constant[is_by(s->op) ? s->b : s->a];
    return;
  }
  const int32_t in[MOST_REGISTERS] = {held[s->a % IONIC_REGISTERS], held[s->b % IONIC_REGISTERS],
                                      held[s->c % IONIC_REGISTERS]};
  for (int r = 0; r < f.registers; ++r) item->in[r] = in[r];
}

static void read_items(Fuser *f, const IonicProgram *p) {
  int32_t held[IONIC_REGISTERS] = {0};
  for (int32_t i = 0; i < f->n; ++i) {
    const IonicStep *s = &p->step[i];
    read_item(p, s, held, &f->item[i]);
    for (int r = 0; r < form[s->op].registers; ++r) ++f->item[f->item[i].in[r]].readers;
    if (s->d != IONIC_NOWHERE) held[s->d] = i;
  }
}

static void unread(Fuser *f, int32_t i) {
  if (--f->item[i].readers == 0) f->item[i].gone = true;
}

/* A state that is read for its own step alone is read, goes on and is stored by one operation. */
static void join_state(Fuser *f, Item *store) {
  Item *by = &f->item[store->in[0]];
  const bool gate = by->op == IONIC_OP_GATE;
  if (!gate && by->op != IONIC_OP_EULER) return;
  const Item *state = &f->item[by->in[0]];
  if (state->op != IONIC_OP_STATE || state->state != store->state) return;
  unread(f, by->in[0]);
  by->op = gate ? IONIC_OP_GATE_ON : IONIC_OP_EULER_ON;
  by->state = store->state;
  by->in[0] = gate ? by->in[2] : by->in[1];
  --by->readers;
  store->gone = true;
}

/* Item q and what it alone reads, as one. */
static bool join(Fuser *f, Item *q) {
  for (size_t k = 0; k < sizeof fused / sizeof *fused; ++k) {
    if (fused[k].second != q->op) continue;
    for (int r = 0; r < form[q->op].registers; ++r) {
      Item *p = &f->item[q->in[r]];
      if (!(fused[k].at >> r & 1) || p->op != fused[k].first || p->readers != 1) continue;
      const Form of_p = form[p->op], of_q = form[q->op];
      Item both = *p;
      int n = of_p.registers;
      for (int o = 0; o < of_q.registers; ++o)
        if (o != r) both.in[n++] = q->in[o];
      memcpy(both.constant + of_p.constants, q->constant, of_q.constants * sizeof *q->constant);
      both.op = fused[k].op;
      both.readers = q->readers;
      both.state = q->state;
      p->gone = true;
      *q = both;
      return true;
    }
  }
  return false;
}

static void join_all(Fuser *f) {
  for (int32_t i = 0; i < f->n; ++i)
    if (f->item[i].op == IONIC_OP_STORE) join_state(f, &f->item[i]);
  for (int32_t i = 0; i < f->n; ++i)
    while (!f->item[i].gone && join(f, &f->item[i])) continue;
}

static void swap_registers(Item *i) {
  const int32_t t = i->in[0];
  i->in[0] = i->in[1], i->in[1] = t;
}

/* The first operand where it can be what the last operation left. */
static void turn(Item *i, int32_t left) {
  if (form[i->op].registers < 2 || i->in[0] == left || i->in[1] != left) return;
  if (form[i->op].either) swap_registers(i);
  for (size_t k = 0; k < sizeof turned / sizeof *turned; ++k)
    if (turned[k].of == i->op) {
      i->op = turned[k].op;
      swap_registers(i);
      return;
    }
}

/* Who reads what from where. */
static void pass_on(Fuser *f) {
  int32_t left = NO_ITEM;
  for (int32_t i = 0; i < f->n; ++i) {
    Item *q = &f->item[i];
    if (q->gone) continue;
    turn(q, left);
    const int registers = form[q->op].registers;
    q->passed = registers && q->in[0] == left;
    for (int r = q->passed; r < registers; ++r) f->item[q->in[r]].stored = true, f->item[q->in[r]].last = i;
    left = q->op == IONIC_OP_STORE || q->op == IONIC_OP_FORCE || q->op == IONIC_OP_SLOPE ? q->in[0] : i;
  }
}

/* false: there are not enough. */
static bool take_registers(Fuser *f) {
  uint8_t taken[IONIC_REGISTERS] = {0};
  for (int32_t i = 0; i < f->n; ++i) {
    Item *q = &f->item[i];
    if (q->gone) continue;
    for (int r = q->passed; r < form[q->op].registers; ++r)
      if (f->item[q->in[r]].last == i) taken[f->item[q->in[r]].at] = 0;
    if (!q->stored) continue;
    const uint8_t *place = memchr(taken, 0, sizeof taken);
    if (!place) return false;
    q->at = (int16_t)(place - taken);
    taken[q->at] = 1;
  }
  return true;
}

static void put_out(Fuser *f) {
  for (int32_t i = 0; i < f->n; ++i) {
    const Item *q = &f->item[i];
    if (q->gone) continue;
    const Form of = form[q->op];
    IonicFused *to = &f->step[f->n_step++];
    *to = (IonicFused){.op = q->op, .d = IONIC_NONE, .a = IONIC_NONE};
    if (q->stored) to->d = (uint16_t)(q->at * IONIC_PLACE);
    if (of.registers > 0 && !q->passed) to->a = (uint16_t)(f->item[q->in[0]].at * IONIC_PLACE);
    if (of.registers > 1) to->b = (uint8_t)f->item[q->in[1]].at;
    if (of.registers > 2) to->c = (uint8_t)f->item[q->in[2]].at;
    if (q->state >= 0) to->c = (uint8_t)q->state;
    if (often[q->op].often) to->often = often[q->op].often, to->op = often[q->op].op;
    memcpy(f->stream + f->n_stream, q->constant, of.constants * sizeof *q->constant);
    f->n_stream += of.constants;
  }
}

static Status fuse(Fuser *f, const IonicProgram *p) {
  f->n = p->n_step;
  ALLOC(f->item, f->n, "a program of a cell model");
  ALLOC(f->step, f->n + 1, "a program of a cell model"); /* one more is read */
  ALLOC(f->stream, MOST_CONSTANTS * f->n, "a program of a cell model");
  read_items(f, p);
  join_all(f);
  pass_on(f);
  if (!take_registers(f)) { /* operations as one keep more for longer; as they were there was room */
    memset(f->item, 0, (size_t)f->n * sizeof *f->item);
    read_items(f, p);
    pass_on(f);
    (void)take_registers(f);
  }
  put_out(f);
  return OK;
}

Status cell_program_fuse(IonicProgram *program) {
  Fuser f = {0};
  const Status status = fuse(&f, program);
  FREE(f.item);
  if (status != OK) {
    FREE(f.step);
    FREE(f.stream);
    return status;
  }
  program->fused = f.step, program->n_fused = f.n_step;
  program->stream = f.stream, program->n_stream = f.n_stream;
  return OK;
}
