/* Formulas of Myokit's format, from the weakest to the strongest: or, and, not, comparisons, + -, * / // %, signs, ^. */
#include "physics/import/mmt_token.h"

#include <string.h>

enum { DEEPEST = 200 };

typedef struct Reader {
  MmtText *t;
  CellModel *m;
  int depth;
} Reader;

static Status formula(Reader *r, int level, int32_t *out);

static Status add_op(Reader *r, int op, ModelPlace place, int32_t a, int32_t b, int32_t c, int32_t *out) {
  return model_add_node(r->m, (FormulaNode){.kind = FORMULA_OP, .op = op, .child = {a, b, c}, .place = place}, out);
}

static const struct Binary {
  const char *symbol;
  int level, op;
  bool swap; /* a > b is b < a */
} binary[] = {
    {"or", 0, IONIC_OP_OR, false},       {"and", 1, IONIC_OP_AND, false},     {"==", 3, IONIC_OP_EQUAL, false},
    {"!=", 3, IONIC_OP_OTHER, false},    {"<", 3, IONIC_OP_LESS, false},      {">", 3, IONIC_OP_LESS, true},
    {"<=", 3, IONIC_OP_AT_MOST, false},  {">=", 3, IONIC_OP_AT_MOST, true},   {"+", 4, IONIC_OP_ADD, false},
    {"-", 4, IONIC_OP_SUB, false},       {"*", 5, IONIC_OP_MUL, false},       {"/", 5, IONIC_OP_DIV, false},
    {"//", 5, IONIC_OP_QUOTIENT, false}, {"%", 5, IONIC_OP_REMAINDER, false}, {"^", 7, IONIC_OP_POW, false}};
enum { NOT_LEVEL = 2, SIGN_LEVEL = 6, POWER_LEVEL = 7, ATOM_LEVEL = 8 };

static const struct Binary *binary_at(const MmtText *t, int level) {
  const MmtTokenKind kind = t->token.kind;
  for (size_t k = 0; k < sizeof binary / sizeof *binary; ++k)
    if (binary[k].level == level && (kind == TOKEN_SYMBOL || kind == TOKEN_NAME) &&
        name_is(t->token.text, binary[k].symbol))
      return &binary[k];
  return NULL;
}

static const struct Function {
  const char *name;
  int op;
} functions[] = {{"sqrt", IONIC_OP_SQRT}, {"sin", IONIC_OP_SIN},     {"cos", IONIC_OP_COS},     {"tan", IONIC_OP_TAN},
                 {"asin", IONIC_OP_ASIN}, {"acos", IONIC_OP_ACOS},   {"atan", IONIC_OP_ATAN},   {"exp", IONIC_OP_EXP},
                 {"log", IONIC_OP_LOG},   {"log10", IONIC_OP_LOG10}, {"floor", IONIC_OP_FLOOR}, {"ceil", IONIC_OP_CEIL},
                 {"abs", IONIC_OP_ABS}};

enum { ARGUMENTS = 64 };

/* ( a, b, ... ) */
static Status arguments(Reader *r, int32_t *out, int *n) {
  TRY(mmt_next(r->t, r->m));
  *n = 0;
  do {
    if (*n == ARGUMENTS) return model_fail(r->m, r->t->token.place, "more than %d arguments", ARGUMENTS);
    if (*n) TRY(mmt_next(r->t, r->m));
    TRY(formula(r, 0, &out[(*n)++]));
  } while (token_is(r->t, ","));
  if (!token_is(r->t, ")")) return mmt_unexpected(r->t, r->m, "')' or ','");
  return mmt_next(r->t, r->m);
}

/* if(c, a, b) and piecewise(c, a, c, a, ..., b), from the last to the first. */
static Status choice(Reader *r, ModelPlace place, const int32_t *argument, int n, int32_t *out) {
  *out = argument[n - 1];
  for (int k = n - 3; k >= 0; k -= 2) TRY(add_op(r, IONIC_OP_SELECT, place, argument[k], argument[k + 1], *out, out));
  return OK;
}

static Status function(Reader *r, const MmtToken *name, int32_t *out) {
  int32_t argument[ARGUMENTS];
  int n, op = NONE;
  TRY(arguments(r, argument, &n));
  const Name text = name->text;
  const bool pieces = name_is(text, "piecewise"), chosen = name_is(text, "if");
  if ((chosen && n == 3) || (pieces && n >= 3 && n % 2 == 1)) return choice(r, name->place, argument, n, out);
  for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k)
    if (name_is(text, functions[k].name)) op = functions[k].op;
  if (op == IONIC_OP_LOG && n == 2) {
    int32_t base;
    TRY(add_op(r, IONIC_OP_LOG, name->place, argument[0], NONE, NONE, out));
    TRY(add_op(r, IONIC_OP_LOG, name->place, argument[1], NONE, NONE, &base));
    return add_op(r, IONIC_OP_DIV, name->place, *out, base, NONE, out);
  }
  if (op >= 0 && n == 1) return add_op(r, op, name->place, argument[0], NONE, NONE, out);
  if (op >= 0 || pieces || chosen)
    return model_fail(r->m, name->place, "%.*s has %d arguments; it takes %s", text.n, text.text, n,
                      chosen   ? "3: condition, then, else"
                      : pieces ? "an odd number: condition, value, ..., value otherwise"
                               : "one");
  return model_fail(
      r->m, name->place,
      "unknown function '%.*s'\n  allowed: if, piecewise, sqrt, sin, cos, tan, asin, acos, atan, exp, log, log10, "
      "floor, ceil, abs",
      text.n, text.text);
}

/* x, component.x, or a function. */
static Status named(Reader *r, int32_t *out) {
  const MmtToken name = r->t->token;
  FormulaNode node = {
      .kind = FORMULA_NAME, .first = name.text, .child = {NONE, NONE, NONE}, .variable = NONE, .place = name.place};
  TRY(mmt_next(r->t, r->m));
  const bool dot = name_is(name.text, "dot") && token_is(r->t, "(");
  if (token_is(r->t, "(") && !dot) return function(r, &name, out);
  if (dot) {
    node.kind = FORMULA_DERIVATIVE;
    TRY(mmt_next(r->t, r->m));
    if (r->t->token.kind != TOKEN_NAME) return mmt_unexpected(r->t, r->m, "a state");
    node.first = r->t->token.text;
    TRY(mmt_next(r->t, r->m));
  }
  if (token_is(r->t, ".")) {
    TRY(mmt_next(r->t, r->m));
    if (r->t->token.kind != TOKEN_NAME) return mmt_unexpected(r->t, r->m, "a name behind the point");
    node.second = r->t->token.text;
    TRY(mmt_next(r->t, r->m));
  }
  if (dot && !token_is(r->t, ")")) return mmt_unexpected(r->t, r->m, ")");
  if (dot) TRY(mmt_next(r->t, r->m));
  return model_add_node(r->m, node, out);
}

static Status atom(Reader *r, int32_t *out) {
  const MmtToken token = r->t->token;
  if (token.kind == TOKEN_NAME) return named(r, out);
  if (token.kind == TOKEN_NUMBER) {
    FormulaNode node = {
        .kind = FORMULA_NUMBER, .number = token.number, .child = {NONE, NONE, NONE}, .place = token.place};
    TRY(mmt_next(r->t, r->m));
    if (r->t->token.kind == TOKEN_UNIT) {
      node.unit = r->t->token.unit;
      TRY(mmt_next(r->t, r->m));
    }
    return model_add_node(r->m, node, out);
  }
  if (!token_is(r->t, "(")) return mmt_unexpected(r->t, r->m, "a number, a name or '('");
  TRY(mmt_next(r->t, r->m));
  TRY(formula(r, 0, out));
  if (!token_is(r->t, ")")) return mmt_unexpected(r->t, r->m, ")");
  return mmt_next(r->t, r->m);
}

/* -x, +x, not x. */
static Status prefixed(Reader *r, int level, int32_t *out) {
  const MmtToken sign = r->t->token;
  TRY(mmt_next(r->t, r->m));
  TRY(formula(r, level, out));
  if (name_is(sign.text, "+")) return OK;
  return add_op(r, level == NOT_LEVEL ? IONIC_OP_NOT : IONIC_OP_NEG, sign.place, *out, NONE, NONE, out);
}

static Status operand(Reader *r, int level, int32_t *out) {
  const bool sign = token_is(r->t, "-") || token_is(r->t, "+");
  if (level >= POWER_LEVEL) return sign && level == ATOM_LEVEL ? prefixed(r, ATOM_LEVEL, out) : atom(r, out);
  if (level == SIGN_LEVEL && sign) return prefixed(r, SIGN_LEVEL, out);
  if (level == NOT_LEVEL && r->t->token.kind == TOKEN_NAME && name_is(r->t->token.text, "not"))
    return prefixed(r, NOT_LEVEL, out);
  return formula(r, level + 1, out);
}

static Status formula_deep(Reader *r, int level, int32_t *out) {
  const struct Binary *op;
  TRY(operand(r, level, out));
  while ((op = binary_at(r->t, level))) {
    const ModelPlace place = r->t->token.place;
    int32_t right;
    TRY(mmt_next(r->t, r->m));
    TRY(operand(r, level == POWER_LEVEL ? ATOM_LEVEL : level, &right));
    TRY(add_op(r, op->op, place, op->swap ? right : *out, op->swap ? *out : right, NONE, out));
  }
  return OK;
}

static Status formula(Reader *r, int level, int32_t *out) {
  if (r->depth == 16 * DEEPEST)
    return model_fail(r->m, r->t->token.place, "brackets are nested more than %d deep", DEEPEST);
  ++r->depth;
  const Status status = formula_deep(r, level, out);
  --r->depth;
  return status;
}

Status mmt_formula(MmtText *text, CellModel *model, int32_t *out) {
  Reader r = {text, model, 0};
  return formula(&r, 0, out);
}
