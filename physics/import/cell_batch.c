#include "physics/import/cell_batch.h"
#include "core/memory.h"

#include <string.h>

enum { WIDTH = CELL_BATCH_WIDTH, LATER = -1, FEW = 2 * WIDTH };

/* An operation on values: operands below n_leaf are leaves, others n_leaf + the operation that makes them. */
typedef struct Item {
  int32_t of[3];
  int16_t op, operands;
  int32_t ahead; /* operations that follow from it one after the other */
} Item;

typedef struct Sort {
  const IonicProgram *program;
  CellBatch *out;
  Item *item;       /* owned, [n] */
  int32_t *value;   /* owned, [n] place of its result; LATER: not in a row yet */
  int32_t *pending; /* owned, [n_pending] items that are in no row */
  int32_t n, n_pending, n_leaf, n_place;
  int32_t store[IONIC_IMPORTED_STATES], force, slope;
} Sort;

/* What a step does, with constants as values like others: the operation, and which operand is a constant (1: the second,
 * 2: the first). */
static Item plain_of(const IonicStep *s, const int32_t held[]) {
  static const struct {
    uint8_t op, operands, constant;
  } plain[N_IONIC_OPS] = {
#define OP1(name, value) [IONIC_OP_##name] = {IONIC_OP_##name, 1, 0},
#define OP2(name, value)                                                                                               \
  [IONIC_OP_##name] = {IONIC_OP_##name, 2, 0}, [IONIC_OP_##name##_BY] = {IONIC_OP_##name, 2, 1},                       \
  [IONIC_OP_##name##_OF] = {IONIC_OP_##name, 2, 2},
#define OP3(name, value) [IONIC_OP_##name] = {IONIC_OP_##name, 3, 0},
#include "physics/ionic_ops.def"
#undef OP1
#undef OP2
#undef OP3
  };
  const int operands = plain[s->op].operands, constant = plain[s->op].constant;
  Item item = {.op = plain[s->op].op, .operands = (int16_t)operands};
  item.of[0] = constant == 2 ? s->a : held[s->a];
  if (operands > 1) item.of[1] = constant == 1 ? s->b : held[s->b];
  if (operands > 2) item.of[2] = held[s->c];
  if (item.op == IONIC_OP_SQUARE) item = (Item){{item.of[0], item.of[0], 0}, IONIC_OP_MUL, 2, 0};
  return item;
}

/* Registers are written again and again; each result here has a place of its own. */
static void read_program(Sort *s) {
  int32_t held[IONIC_REGISTERS_HOST] = {0};
  const int32_t n_constant = s->program->n_constant;
  for (int32_t i = 0; i < s->program->n_step; ++i) {
    const IonicStep *step = &s->program->step[i];
    switch (step->op) {
    case IONIC_OP_SET: held[step->d] = step->b; break;
    case IONIC_OP_V: held[step->d] = n_constant; break;
    case IONIC_OP_STIMULUS: held[step->d] = n_constant + 1; break;
    case IONIC_OP_STATE: held[step->d] = n_constant + 2 + step->b; break;
    case IONIC_OP_STORE: s->store[step->b] = held[step->a]; break;
    case IONIC_OP_FORCE: s->force = held[step->a]; break;
    case IONIC_OP_SLOPE: s->slope = held[step->a]; break;
    default: s->item[s->n] = plain_of(step, held); held[step->d] = s->n_leaf + s->n++;
    }
  }
}

static int32_t place_of(const Sort *s, int32_t operand) {
  return operand < s->n_leaf ? operand : s->value[operand - s->n_leaf];
}

static bool is_ready(const Sort *s, const Item *item) {
  for (int o = 0; o < item->operands; ++o)
    if (place_of(s, item->of[o]) < 0) return false;
  return true;
}

/* Calls of the C library, which no vector has: there a row is not filled up. */
static bool is_call(int op) {
  static const int16_t call[] = {IONIC_OP_LOG10, IONIC_OP_SIN,  IONIC_OP_COS,  IONIC_OP_TAN,
                                 IONIC_OP_ASIN,  IONIC_OP_ACOS, IONIC_OP_ATAN, IONIC_OP_SINH,
                                 IONIC_OP_COSH,  IONIC_OP_TANH, IONIC_OP_POW};
  for (size_t k = 0; k < sizeof call / sizeof *call; ++k)
    if (op == call[k]) return true;
  return false;
}

static void count_ahead(Sort *s) {
  for (int32_t k = s->n - 1; k >= 0; --k)
    for (int o = 0; o < s->item[k].operands; ++o) {
      const int32_t of = s->item[k].of[o] - s->n_leaf;
      if (of >= 0 && s->item[of].ahead <= s->item[k].ahead) s->item[of].ahead = s->item[k].ahead + 1;
    }
}

/* The operation of which most are ready; of few the one for which most others wait. */
static int most_ready(const Sort *s, int32_t *n_most) {
  int32_t n[N_IONIC_OPS] = {0}, ahead[N_IONIC_OPS] = {0};
  int most = 0, urgent = 0;
  for (int32_t k = 0; k < s->n_pending; ++k) {
    const Item *item = &s->item[s->pending[k]];
    if (!is_ready(s, item)) continue;
    ++n[item->op];
    if (item->ahead > ahead[item->op]) ahead[item->op] = item->ahead;
  }
  for (int op = 0; op < N_IONIC_OPS; ++op) {
    if (n[op] > n[most]) most = op;
    if (n[op] && (!n[urgent] || ahead[op] > ahead[urgent])) urgent = op;
  }
  if (n[most] <= FEW) most = urgent;
  *n_most = n[most];
  return most;
}

/* All of them that are ready, and the last again and again until the row is full. */
static void take_row(Sort *s, int op, int32_t n) {
  CellBatch *b = s->out;
  const int32_t room = is_call(op) ? n : (n + WIDTH - 1) / WIDTH * WIDTH, before = s->n_pending;
  uint16_t *place = b->place + s->n_place;
  int32_t taken[CELL_BATCH_VALUES], n_taken = 0;
  s->n_pending = 0;
  for (int32_t k = 0; k < before; ++k) {
    const int32_t i = s->pending[k];
    if (s->item[i].op == op && is_ready(s, &s->item[i])) taken[n_taken++] = i;
    else s->pending[s->n_pending++] = i;
  }
  b->row[b->n_row++] = (CellRow){op, room, b->n_value, s->n_place, is_call(op)};
  const int operands = s->item[taken[0]].operands;
  for (int o = 0; o < operands; ++o)
    for (int32_t k = 0; k < room; ++k)
      place[o * room + k] = (uint16_t)place_of(s, s->item[taken[k < n ? k : n - 1]].of[o]);
  for (int32_t k = 0; k < n; ++k) s->value[taken[k]] = b->n_value + k;
  s->n_place += operands * room;
  b->n_value += room;
}

static Status sort(Sort *s) {
  CellBatch *b = s->out;
  const int32_t most = s->program->n_step;
  ALLOC(s->item, most, "a program of a cell alone");
  ALLOC(s->value, most, "a program of a cell alone");
  ALLOC(s->pending, most, "a program of a cell alone");
  ALLOC(b->row, most, "a program of a cell alone");
  ALLOC(b->place, 3 * WIDTH * most, "a program of a cell alone");
  ALLOC(b->constant, s->program->n_constant, "a program of a cell alone");
  ALLOC(b->store, b->n_state, "a program of a cell alone");
  for (int32_t k = 0; k < b->n_constant; ++k) b->constant[k] = s->program->constant[k];
  read_program(s);
  count_ahead(s);
  for (int32_t i = 0; i < s->n; ++i) s->value[i] = LATER, s->pending[i] = i;
  s->n_pending = s->n;
  b->n_value = s->n_leaf;
  while (s->n_pending > 0) {
    int32_t n;
    const int op = most_ready(s, &n);
    if (b->n_value + n + WIDTH > CELL_BATCH_VALUES) return OK;
    take_row(s, op, n);
  }
  for (int j = 0; j < b->n_state; ++j) b->store[j] = s->store[j] < 0 ? -1 : place_of(s, s->store[j]);
  b->force = s->force < 0 ? -1 : place_of(s, s->force);
  b->slope = s->slope < 0 ? -1 : place_of(s, s->slope);
  return OK;
}

Status cell_batch_create(const IonicProgram *program, int n_state, CellBatch *out) {
  *out = (CellBatch){.n_constant = program->n_constant, .n_state = n_state, .program = program};
  const int32_t n_leaf = program->n_constant + 2 + n_state;
  if (n_leaf >= CELL_BATCH_VALUES || program->n_step >= CELL_BATCH_VALUES) return OK;
  Sort s = {.program = program, .out = out, .n_leaf = n_leaf, .force = LATER, .slope = LATER};
  for (int j = 0; j < IONIC_IMPORTED_STATES; ++j) s.store[j] = LATER;
  const Status status = sort(&s);
  FREE(s.item);
  FREE(s.value);
  FREE(s.pending);
  if (status != OK) cell_batch_release(out);
  else if (s.n_pending > 0) out->n_row = 0;
  return status;
}

void cell_batch_release(CellBatch *batch) {
  FREE(batch->row);
  FREE(batch->place);
  FREE(batch->constant);
  FREE(batch->store);
  *batch = (CellBatch){0};
}
