/* Expressions made of others: at another time, times a share of it, and added up. */
#include "core/expr_ops.h"

#include <stddef.h>

static const char REMEDY[] = "\n  remedy: one table of t over the whole run, in 'functions', that the entry of the "
                             "first step calls, and none of "
                             "later steps; numbers in place of expressions in t";

static Status put(Expr *e, enum ExprOp op, double number) {
  CHECK(e->n < EXPR_MADE, ERR_INPUT,
        "what is prescribed over all steps has more than %d numbers, names and operators%s", EXPR_MADE, REMEDY);
  e->op[e->n] = (uint8_t)op;
  e->number[e->n++] = number;
  return OK;
}

/* The table's value of what stands before. */
static Status put_table(Expr *e, const ExprTable *table) {
  int32_t k = 0;
  while (k < e->n_table && e->table[k] != table) ++k;
  CHECK(k < EXPR_MADE_TABLES, ERR_INPUT,
        "what is prescribed over all steps calls more than %d tables: each step that has an expression in t brings two "
        "of "
        "its own%s",
        EXPR_MADE_TABLES, REMEDY);
  e->table[k] = table;
  if (k == e->n_table) ++e->n_table;
  return put(e, EXPR_TABLE, k);
}

/* All operations of `from`, with clock(t) in the place of t. */
static Status put_all(Expr *e, const Expr *from, const ExprTable *clock) {
  for (int32_t i = 0; i < from->n; ++i) {
    const enum ExprOp op = (enum ExprOp)from->op[i];
    if (op == EXPR_TABLE) TRY(put_table(e, from->table[(int)from->number[i]]));
    else TRY(put(e, op, from->number[i]));
    if (op == EXPR_T && clock) TRY(put_table(e, clock));
  }
  return OK;
}

Status expr_window(Expr *expr, const ExprTable *clock, const ExprTable *share) {
  Expr out = {0};
  if (!share || !expr_acts(expr)) return OK;
  TRY(put_all(&out, expr, clock));
  TRY(put(&out, EXPR_T, 0));
  TRY(put_table(&out, share));
  TRY(put(&out, EXPR_MULTIPLY, 0));
  *expr = out;
  return OK;
}

Status expr_add(Expr *sum, const Expr *term) {
  if (!expr_acts(term)) return OK;
  if (!expr_acts(sum)) {
    *sum = *term;
    return OK;
  }
  TRY(put_all(sum, term, NULL));
  return put(sum, EXPR_ADD, 0);
}

Status expr_multiply(Expr *product, const Expr *factor) {
  TRY(put_all(product, factor, NULL));
  return put(product, EXPR_MULTIPLY, 0);
}

Expr expr_of_table(const ExprTable *table) {
  Expr out = {.n = 2, .n_table = 1};
  out.op[0] = EXPR_T, out.op[1] = EXPR_TABLE;
  out.table[0] = table;
  return out;
}
