/* Formulas of Myokit's format, from the weakest to the strongest: or, and, not, comparisons, + -, * / // %, signs, ^. Those of
 * EasyML have || and &&, ! as strong as a sign, a ? b : c as the weakest, and no ^. */
#include "physics/import/model_token.h"

#include <string.h>

enum { DEEPEST = 200 };

typedef struct Reader {
  TokenText *t;
  CellModel *m;
  int depth;
} Reader;

static Status formula(Reader *r, int level, int32_t *out);
static Status whole(Reader *r, int32_t *out);

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
    {"//", 5, IONIC_OP_QUOTIENT, false}, {"%", 5, IONIC_OP_REMAINDER, false}, {"||", 0, IONIC_OP_OR, false},
    {"&&", 1, IONIC_OP_AND, false},      {"^", 7, IONIC_OP_POW, false}};
enum { NOT_LEVEL = 2, SIGN_LEVEL = 6, POWER_LEVEL = 7, ATOM_LEVEL = 8 };

static const struct Binary *binary_at(const TokenText *t, int level) {
  const TokenKind kind = t->token.kind;
  for (size_t k = 0; k < sizeof binary / sizeof *binary; ++k)
    if (binary[k].level == level && (kind == TOKEN_SYMBOL || kind == TOKEN_NAME) &&
        name_is(t->token.text, binary[k].symbol) && !(t->easyml && level == POWER_LEVEL))
      return &binary[k];
  return NULL;
}

static const struct Function {
  const char *name;
  int op, operands;
  bool easyml; /* it alone has it */
} functions[] = {
    {"sqrt", IONIC_OP_SQRT, 1, false},    {"sin", IONIC_OP_SIN, 1, false},     {"cos", IONIC_OP_COS, 1, false},
    {"tan", IONIC_OP_TAN, 1, false},      {"asin", IONIC_OP_ASIN, 1, false},   {"acos", IONIC_OP_ACOS, 1, false},
    {"atan", IONIC_OP_ATAN, 1, false},    {"exp", IONIC_OP_EXP, 1, false},     {"log", IONIC_OP_LOG, 1, false},
    {"log10", IONIC_OP_LOG10, 1, false},  {"floor", IONIC_OP_FLOOR, 1, false}, {"ceil", IONIC_OP_CEIL, 1, false},
    {"abs", IONIC_OP_ABS, 1, false},      {"fabs", IONIC_OP_ABS, 1, true},     {"expm1", IONIC_OP_EXPM1, 1, true},
    {"sinh", IONIC_OP_SINH, 1, true},     {"cosh", IONIC_OP_COSH, 1, true},    {"tanh", IONIC_OP_TANH, 1, true},
    {"square", IONIC_OP_SQUARE, 1, true}, {"cube", IONIC_OP_CUBE, 1, true},    {"pow", IONIC_OP_POW, 2, true},
    {"min", IONIC_OP_MIN, 2, true},       {"max", IONIC_OP_MAX, 2, true},      {"fmin", IONIC_OP_MIN, 2, true},
    {"fmax", IONIC_OP_MAX, 2, true}};

enum { ARGUMENTS = 64 };

/* ( a, b, ... ) */
static Status arguments(Reader *r, int32_t *out, int *n) {
  TRY(token_next(r->t, r->m));
  *n = 0;
  do {
    if (*n == ARGUMENTS) return model_fail(r->m, r->t->token.place, "more than %d arguments", ARGUMENTS);
    if (*n) TRY(token_next(r->t, r->m));
    TRY(whole(r, &out[(*n)++]));
  } while (token_is(r->t, ","));
  if (!token_is(r->t, ")")) return token_unexpected(r->t, r->m, "')' or ','");
  return token_next(r->t, r->m);
}

/* if(c, a, b) and piecewise(c, a, c, a, ..., b), from the last to the first. */
static Status choice(Reader *r, ModelPlace place, const int32_t *argument, int n, int32_t *out) {
  *out = argument[n - 1];
  for (int k = n - 3; k >= 0; k -= 2) TRY(add_op(r, IONIC_OP_SELECT, place, argument[k], argument[k + 1], *out, out));
  return OK;
}

static Status add_two(Reader *r, int op, ModelPlace place, int32_t a, int32_t b, int32_t *out) {
  return add_op(r, op, place, a, b, NONE, out);
}

static Status constant(Reader *r, ModelPlace place, double value, int32_t *out) {
  const FormulaNode node = {.kind = FORMULA_NUMBER, .number = value, .child = {NONE, NONE, NONE}, .place = place};
  return model_add_node(r->m, node, out);
}

/* log(1 + x), where x is small too: u = 1 + x, log(u) + (x - (u - 1)) / u. */
static Status log_of_one_more(Reader *r, ModelPlace place, int32_t x, int32_t *out) {
  int32_t number, u, rest;
  TRY(constant(r, place, 1, &number));
  TRY(add_two(r, IONIC_OP_ADD, place, number, x, &u));
  TRY(add_two(r, IONIC_OP_SUB, place, u, number, &rest));
  TRY(add_two(r, IONIC_OP_SUB, place, x, rest, &rest));
  TRY(add_two(r, IONIC_OP_DIV, place, rest, u, &rest));
  TRY(add_op(r, IONIC_OP_LOG, place, u, NONE, NONE, out));
  return add_two(r, IONIC_OP_ADD, place, *out, rest, out);
}

/* The remainder of a / b as C has it, of the sign of a. */
static Status remainder_of(Reader *r, ModelPlace place, int32_t a, int32_t b, int32_t *out) {
  int32_t times, up, down, zero, negative;
  TRY(add_two(r, IONIC_OP_DIV, place, a, b, &times));
  TRY(add_op(r, IONIC_OP_CEIL, place, times, NONE, NONE, &up));
  TRY(add_op(r, IONIC_OP_FLOOR, place, times, NONE, NONE, &down));
  TRY(constant(r, place, 0, &zero));
  TRY(add_two(r, IONIC_OP_LESS, place, times, zero, &negative));
  TRY(add_op(r, IONIC_OP_SELECT, place, negative, up, down, &times));
  TRY(add_two(r, IONIC_OP_MUL, place, b, times, &times));
  return add_two(r, IONIC_OP_SUB, place, a, times, out);
}

/* What x is below 0, at 0 and above. */
static Status by_sign(Reader *r, ModelPlace place, int32_t x, const double value[3], int32_t *out) {
  int32_t zero, number[3], less, more;
  TRY(constant(r, place, 0, &zero));
  for (int k = 0; k < 3; ++k) TRY(constant(r, place, value[k], &number[k]));
  TRY(add_two(r, IONIC_OP_LESS, place, x, zero, &less));
  TRY(add_two(r, IONIC_OP_LESS, place, zero, x, &more));
  TRY(add_op(r, IONIC_OP_SELECT, place, more, number[2], number[1], out));
  return add_op(r, IONIC_OP_SELECT, place, less, number[0], *out, out);
}

static Status wrong_function(const Reader *r, const Token *name, const char *takes, int n) {
  const Name text = name->text;
  if (takes) return model_fail(r->m, name->place, "%.*s has %d arguments; it takes %s", text.n, text.text, n, takes);
  return model_fail(
      r->m, name->place,
      "unknown function '%.*s'\n  allowed: %ssqrt, sin, cos, tan, asin, acos, atan, exp, log, log10, "
      "floor, ceil, abs%s",
      text.n, text.text, r->t->easyml ? "" : "if, piecewise, ",
      r->t->easyml ? ", fabs, expm1, sinh, cosh, tanh, square, cube, pow, min, max, fmin, fmax, log1p, fmod, heav, sign"
                   : "");
}

static Status function(Reader *r, const Token *name, int32_t *out) {
  int32_t argument[ARGUMENTS];
  int n;
  TRY(arguments(r, argument, &n));
  const Name text = name->text;
  const struct Function *f = NULL;
  const bool pieces = !r->t->easyml && name_is(text, "piecewise"), chosen = !r->t->easyml && name_is(text, "if");
  if ((chosen && n == 3) || (pieces && n >= 3 && n % 2 == 1)) return choice(r, name->place, argument, n, out);
  for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k)
    if (name_is(text, functions[k].name) && (r->t->easyml || !functions[k].easyml)) f = &functions[k];
  if (f && f->op == IONIC_OP_LOG && n == 2 && !r->t->easyml) {
    int32_t base;
    TRY(add_op(r, IONIC_OP_LOG, name->place, argument[0], NONE, NONE, out));
    TRY(add_op(r, IONIC_OP_LOG, name->place, argument[1], NONE, NONE, &base));
    return add_op(r, IONIC_OP_DIV, name->place, *out, base, NONE, out);
  }
  if (r->t->easyml && n == 1 && name_is(text, "log1p")) return log_of_one_more(r, name->place, *argument, out);
  if (r->t->easyml && n == 2 && name_is(text, "fmod"))
    return remainder_of(r, name->place, argument[0], argument[1], out);
  if (r->t->easyml && n == 1 && name_is(text, "heav"))
    return by_sign(r, name->place, *argument, (const double[]){0, 1, 1}, out);
  if (r->t->easyml && n == 1 && name_is(text, "sign"))
    return by_sign(r, name->place, *argument, (const double[]){-1, 0, 1}, out);
  if (f && n == f->operands) return add_op(r, f->op, name->place, argument[0], n > 1 ? argument[1] : NONE, NONE, out);
  return wrong_function(r, name,
                        chosen   ? "3: condition, then, else"
                        : pieces ? "an odd number: condition, value, ..., value otherwise"
                        : f      ? (f->operands == 1 ? "one" : "2")
                                 : NULL,
                        n);
}

/* x, component.x, or a function. */
static Status named(Reader *r, int32_t *out) {
  const Token name = r->t->token;
  FormulaNode node = {
      .kind = FORMULA_NAME, .first = name.text, .child = {NONE, NONE, NONE}, .variable = NONE, .place = name.place};
  TRY(token_next(r->t, r->m));
  const bool dot = !r->t->easyml && name_is(name.text, "dot") && token_is(r->t, "(");
  if (token_is(r->t, "(") && !dot) return function(r, &name, out);
  if (dot) {
    node.kind = FORMULA_DERIVATIVE;
    TRY(token_next(r->t, r->m));
    if (r->t->token.kind != TOKEN_NAME) return token_unexpected(r->t, r->m, "a state");
    node.first = r->t->token.text;
    TRY(token_next(r->t, r->m));
  }
  if (token_is(r->t, ".") && !r->t->easyml) {
    TRY(token_next(r->t, r->m));
    if (r->t->token.kind != TOKEN_NAME) return token_unexpected(r->t, r->m, "a name after the point");
    node.second = r->t->token.text;
    TRY(token_next(r->t, r->m));
  }
  if (dot && !token_is(r->t, ")")) return token_unexpected(r->t, r->m, ")");
  if (dot) TRY(token_next(r->t, r->m));
  return model_add_node(r->m, node, out);
}

static Status atom(Reader *r, int32_t *out) {
  const Token token = r->t->token;
  if (token.kind == TOKEN_NAME) return named(r, out);
  if (token.kind == TOKEN_NUMBER) {
    FormulaNode node = {
        .kind = FORMULA_NUMBER, .number = token.number, .child = {NONE, NONE, NONE}, .place = token.place};
    TRY(token_next(r->t, r->m));
    if (r->t->token.kind == TOKEN_UNIT) {
      node.unit = r->t->token.unit;
      TRY(token_next(r->t, r->m));
    }
    return model_add_node(r->m, node, out);
  }
  if (!token_is(r->t, "(")) return token_unexpected(r->t, r->m, "a number, a name or '('");
  TRY(token_next(r->t, r->m));
  TRY(whole(r, out));
  if (!token_is(r->t, ")")) return token_unexpected(r->t, r->m, ")");
  return token_next(r->t, r->m);
}

/* -x, +x, not x, !x. A number with its sign is one number. */
static Status prefixed(Reader *r, int level, int32_t *out) {
  const Token sign = r->t->token;
  TRY(token_next(r->t, r->m));
  TRY(formula(r, level, out));
  if (name_is(sign.text, "+")) return OK;
  if (!name_is(sign.text, "-")) return add_op(r, IONIC_OP_NOT, sign.place, *out, NONE, NONE, out);
  FormulaNode *number = &r->m->node[*out];
  if (number->kind != FORMULA_NUMBER) return add_op(r, IONIC_OP_NEG, sign.place, *out, NONE, NONE, out);
  number->number = -number->number;
  number->place = sign.place;
  return OK;
}

static Status operand(Reader *r, int level, int32_t *out) {
  const bool sign = token_is(r->t, "-") || token_is(r->t, "+") || (r->t->easyml && token_is(r->t, "!"));
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
    TRY(token_next(r->t, r->m));
    TRY(operand(r, level == POWER_LEVEL ? ATOM_LEVEL : level, &right));
    if (r->t->easyml && op->op == IONIC_OP_REMAINDER) TRY(remainder_of(r, place, *out, right, out));
    else TRY(add_op(r, op->op, place, op->swap ? right : *out, op->swap ? *out : right, NONE, out));
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

/* a, or a ? b : c. */
static Status whole(Reader *r, int32_t *out) {
  TRY(formula(r, 0, out));
  if (!r->t->easyml || !token_is(r->t, "?")) return OK;
  const ModelPlace place = r->t->token.place;
  int32_t then, rest;
  if ((r->depth += 8) > 16 * DEEPEST)
    return model_fail(r->m, place, "choices are nested more than %d deep", 2 * DEEPEST);
  TRY(token_next(r->t, r->m));
  TRY(whole(r, &then));
  if (!token_is(r->t, ":")) return token_unexpected(r->t, r->m, "':' of a choice, a ? b : c");
  TRY(token_next(r->t, r->m));
  TRY(whole(r, &rest));
  r->depth -= 8;
  return add_op(r, IONIC_OP_SELECT, place, *out, then, rest, out);
}

Status token_formula(TokenText *text, CellModel *model, int32_t *out) {
  Reader r = {text, model, 0};
  return whole(&r, out);
}
