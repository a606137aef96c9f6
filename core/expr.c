/* Parser (recursive descent straight into postfix steps) and evaluation of the expressions of a case file.
 *   sum     = product (('+' | '-') product)*
 *   product = unary (('*' | '/') unary)*
 *   unary   = ('-' | '+') unary | power            so that -2^2 = -4
 *   power   = primary ('^' unary)?                 so that 2^3^2 = 2^9 and 2^-1 = 0.5
 *   primary = number | name | function '(' sum (',' sum)? ')' | '(' sum ')' */
#include "core/expr_ops.h"
#include "core/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64, TOKEN_BYTES = 64 };

/* A postfix sequence of n steps needs at most (n + 1) / 2 places. */
_Static_assert(EXPR_STACK >= (EXPR_MAX + 1) / 2, "the stack holds every expression");

typedef struct Parser {
  const char *text, *at;
  int depth;
  Expr *out;
  const ExprTables *tables;
} Parser;

#define EXPECT(parser, condition, ...)                                                                                 \
  do {                                                                                                                 \
    if (!(condition)) return expr_fail(FAIL(ERR_INPUT, __VA_ARGS__), (parser));                                        \
  } while (0)

static Status expr_fail(Status status, const Parser *p) {
  return status_context(status, "in the expression '%.60s%s', column %d", p->text, strlen(p->text) > 60 ? "..." : "",
                        (int)(p->at - p->text) + 1);
}

static void skip_blanks(Parser *p) {
  while (isspace((unsigned char)*p->at)) ++p->at;
}

/* What stands at the parser's place, for messages: at most 20 bytes of it. */
static const char *expr_seen(const Parser *p, char text[32]) {
  if (!*p->at) {
    snprintf(text, 32, "the end");
    return text;
  }
  size_t n = 1;
  if (isalnum((unsigned char)*p->at) || *p->at == '_')
    while (n < 20 && (isalnum((unsigned char)p->at[n]) || p->at[n] == '_')) ++n;
  else
    while (n < 4 && ((unsigned char)p->at[n] & 0xC0) == 0x80) ++n; /* the rest of a UTF-8 character */
  text[0] = '\'';
  memcpy(text + 1, p->at, n);
  text[n + 1] = '\'';
  text[n + 2] = 0;
  return text;
}

static Status expr_emit(Parser *p, enum ExprOp op, double number) {
  EXPECT(p, p->out->n < EXPR_MAX, "the expression is too long: at most %d numbers, names and operators", EXPR_MAX);
  p->out->op[p->out->n] = (uint8_t)op;
  p->out->number[p->out->n++] = number;
  return OK;
}

static Status parse_sum(Parser *p);
static Status parse_unary(Parser *p);

static Status parse_number(Parser *p) {
  const char *end = p->at;
  while (isdigit((unsigned char)*end)) ++end;
  if (*end == '.')
    for (++end; isdigit((unsigned char)*end);) ++end;
  EXPECT(p, end > p->at + (*p->at == '.'), "a number is expected, '.' has no digits");
  if (*end == 'e' || *end == 'E') {
    const char *digit = end + 1 + (end[1] == '+' || end[1] == '-');
    EXPECT(p, isdigit((unsigned char)*digit), "the exponent of a number has no digits");
    for (end = digit; isdigit((unsigned char)*end);) ++end;
  }
  char token[TOKEN_BYTES];
  const size_t n = (size_t)(end - p->at);
  EXPECT(p, n < TOKEN_BYTES, "a number of %zu characters is too long, at most %d", n, TOKEN_BYTES - 1);
  memcpy(token, p->at, n);
  token[n] = 0;
  errno = 0;
  const double value = strtod(token, NULL);
  EXPECT(p, isfinite(value), "the number '%s' is too large, at most 1.79e308", token);
  EXPECT(p, value != 0 || errno != ERANGE, "the number '%s' is too small, at least 4.9e-324 (or write 0)", token);
  p->at = end;
  return expr_emit(p, EXPR_NUMBER, value);
}

static Status parse_arguments(Parser *p, const char *name, int n_arg) {
  skip_blanks(p);
  EXPECT(p, *p->at == '(', "'%s' is a function: write %s(%s)", name, name, n_arg == 1 ? "..." : "..., ...");
  ++p->at;
  skip_blanks(p);
  int given = 0;
  if (*p->at != ')') {
    for (;;) {
      TRY(parse_sum(p));
      ++given;
      if (*p->at != ',') break;
      EXPECT(p, given < n_arg, "'%s' takes %d argument%s, more are given", name, n_arg, n_arg == 1 ? "" : "s");
      ++p->at;
    }
  }
  EXPECT(p, given == n_arg || *p->at != ')', "'%s' takes %d argument%s, %d given", name, n_arg, n_arg == 1 ? "" : "s",
         given);
  char text[32];
  EXPECT(p, *p->at == ')', "')' is expected after the arguments of '%s', not %s", name, expr_seen(p, text));
  ++p->at;
  return OK;
}

static const struct Named {
  const char *name;
  enum ExprOp op;
  int n_arg;
} named[] = {
#define EXPR_ROW(name, op, n_arg) {name, op, n_arg},
    EXPR_NAMED(EXPR_ROW)
#undef EXPR_ROW
};
enum { N_NAMED = sizeof named / sizeof *named };

bool expr_knows(const char *name, bool frequency) {
  if (frequency && strcmp(name, "f") == 0) return true;
  for (int i = 0; i < N_NAMED; ++i)
    if (strcmp(named[i].name, name) == 0) return true;
  return false;
}

bool expr_is_name(const char *name) {
  size_t n = 0;
  if (isdigit((unsigned char)*name)) return false;
  while (isalnum((unsigned char)name[n]) || name[n] == '_') ++n;
  return n > 0 && n < TOKEN_BYTES && !name[n];
}

/* A call of a table; *found false: the name is none. */
static Status parse_table(Parser *p, const char *name, size_t n, bool *found) {
  const ExprTable *table = NULL;
  for (int32_t i = 0; p->tables && i < p->tables->n && !table; ++i)
    if (strcmp(p->tables->item[i].name, name) == 0) table = &p->tables->item[i];
  *found = table != NULL;
  if (!table) return OK;
  int32_t k = 0;
  while (k < p->out->n_table && p->out->table[k] != table) ++k;
  EXPECT(p, k < EXPR_TABLES, "an expression calls at most %d functions that are tables", EXPR_TABLES);
  p->out->table[k] = table;
  if (k == p->out->n_table) ++p->out->n_table;
  p->at += n;
  TRY(parse_arguments(p, name, 1));
  return expr_emit(p, EXPR_TABLE, k);
}

static bool over_frequency(const Parser *p) { return p->tables && p->tables->frequency; }

static Status unknown_name(Parser *p, const char *name) {
  const char *known[N_NAMED + 64];
  char tables[512] = "";
  int n = 0;
  for (; n < N_NAMED; ++n) known[n] = over_frequency(p) && !strcmp(named[n].name, "t") ? "f" : named[n].name;
  for (int32_t i = 0; p->tables && i < p->tables->n && i < 64; ++i) {
    known[n++] = p->tables->item[i].name;
    snprintf(tables + strlen(tables), sizeof tables - strlen(tables), " %.40s", p->tables->item[i].name);
  }
  const char *near = nearest_name(name, n, known);
  EXPECT(p, !near, "unknown name '%s', did you mean '%s'?", name, near);
  return expr_fail(FAIL(ERR_INPUT,
                        "unknown name '%s'; known are x y z %s pi sqrt exp log sin cos tan abs step min max%s", name,
                        over_frequency(p) ? "f" : "t", tables),
                   p);
}

/* t, or f in its place; *found false: the name is neither. */
static Status parse_running(Parser *p, const char *name, bool *found) {
  const bool f = over_frequency(p);
  EXPECT(
      p, !f || strcmp(name, "t"),
      "'t' is the time, and in vibrations loads are amplitudes: of cos(omega t)\n"
      "  f, the frequency, may be used ('phase' shifts them), or follow it in time with 'analysis: {type: transient}'");
  *found = strcmp(name, f ? "f" : "t") == 0;
  if (!*found) return OK;
  ++p->at;
  return expr_emit(p, f ? EXPR_F : EXPR_T, 0);
}

static Status parse_name(Parser *p) {
  char name[TOKEN_BYTES];
  size_t n = 0;
  while (isalnum((unsigned char)p->at[n]) || p->at[n] == '_') ++n;
  EXPECT(p, n < TOKEN_BYTES, "a name of %zu characters is too long", n);
  memcpy(name, p->at, n);
  name[n] = 0;
  bool found;
  TRY(parse_running(p, name, &found));
  if (found) return OK;
  for (int i = 0; i < N_NAMED; ++i) {
    if (strcmp(name, named[i].name)) continue;
    p->at += n;
    if (named[i].n_arg) TRY(parse_arguments(p, name, named[i].n_arg));
    return expr_emit(p, named[i].op, 0);
  }
  TRY(parse_table(p, name, n, &found));
  return found ? OK : unknown_name(p, name);
}

static Status parse_primary(Parser *p) {
  skip_blanks(p);
  char text[32];
  if (isdigit((unsigned char)*p->at) || *p->at == '.') return parse_number(p);
  if (isalpha((unsigned char)*p->at) || *p->at == '_') return parse_name(p);
  EXPECT(p, *p->at != '*' || p->at == p->text || p->at[-1] != '*', "'**' is not an operator; a power is written '^'");
  EXPECT(p, *p->at == '(', "a number, a name or '(' is expected, not %s", expr_seen(p, text));
  ++p->at;
  TRY(parse_sum(p));
  EXPECT(p, *p->at == ')', "')' is expected, not %s", expr_seen(p, text));
  ++p->at;
  return OK;
}

static Status parse_power(Parser *p) {
  TRY(parse_primary(p));
  skip_blanks(p);
  if (*p->at != '^') return OK;
  ++p->at;
  TRY(parse_unary(p));
  return expr_emit(p, EXPR_POWER, 0);
}

/* All recursion passes through here, so the depth is counted here. */
static Status parse_unary(Parser *p) {
  EXPECT(p, p->depth <= DEPTH_MAX,
         "the expression is nested too deeply: at most %d parentheses, functions, signs and powers inside each other\n"
         "  write it flatter: a sum or product needs no parentheses around each part",
         DEPTH_MAX);
  ++p->depth;
  skip_blanks(p);
  const char sign = *p->at;
  if (sign == '-' || sign == '+') {
    ++p->at;
    TRY(parse_unary(p));
    if (sign == '-') TRY(expr_emit(p, EXPR_NEGATE, 0));
  } else {
    TRY(parse_power(p));
  }
  --p->depth;
  return OK;
}

static Status parse_product(Parser *p) {
  TRY(parse_unary(p));
  for (skip_blanks(p); *p->at == '*' || *p->at == '/'; skip_blanks(p)) {
    const enum ExprOp op = *p->at++ == '*' ? EXPR_MULTIPLY : EXPR_DIVIDE;
    TRY(parse_unary(p));
    TRY(expr_emit(p, op, 0));
  }
  return OK;
}

static Status parse_sum(Parser *p) {
  TRY(parse_product(p));
  for (skip_blanks(p); *p->at == '+' || *p->at == '-'; skip_blanks(p)) {
    const enum ExprOp op = *p->at++ == '+' ? EXPR_ADD : EXPR_SUBTRACT;
    TRY(parse_product(p));
    TRY(expr_emit(p, op, 0));
  }
  EXPECT(p, !*p->at || !strchr("<>=", *p->at),
         "'%c' is a comparison, which expressions do not have; step(a - b) is 1 where a is at least b, else 0", *p->at);
  return OK;
}

Status expr_parse(const char *text, Expr *out) { return expr_parse_with(text, NULL, out); }

Status expr_parse_with(const char *text, const ExprTables *tables, Expr *out) {
  memset(out, 0, sizeof *out);
  Expr parsed = {0};
  Parser p = {text, text, 0, &parsed, tables};
  skip_blanks(&p);
  EXPECT(&p, *p.at, "a number or an expression is expected, the text is empty");
  TRY(parse_sum(&p));
  char what[32];
  EXPECT(&p, *p.at != ',', "',' is not allowed here; decimals are written with a point");
  EXPECT(&p, !*p.at, "an operator or the end is expected, not %s", expr_seen(&p, what));
  *out = parsed;
  return OK;
}

Expr expr_constant(double value) {
  Expr expr = {.n = 1};
  expr.op[0] = EXPR_NUMBER;
  expr.number[0] = value;
  return expr;
}

bool expr_given(const Expr *expr) { return expr->n > 0; }

bool expr_is_constant(const Expr *expr) {
  for (int32_t i = 0; i < expr->n; ++i)
    if ((expr->op[i] >= EXPR_X && expr->op[i] <= EXPR_T) || expr->op[i] >= EXPR_F) return false;
  return true;
}

static bool has_op(const Expr *expr, enum ExprOp op) {
  for (int32_t i = 0; i < expr->n; ++i)
    if (expr->op[i] == op) return true;
  return false;
}

bool expr_is_timed(const Expr *expr) { return has_op(expr, EXPR_T) || has_op(expr, EXPR_F); }

const char *expr_running(const Expr *expr) { return has_op(expr, EXPR_F) ? "f" : "t"; }

bool expr_is_local(const Expr *expr) {
  for (int32_t i = 0; i < expr->n; ++i)
    if (expr->op[i] >= EXPR_X && expr->op[i] <= EXPR_Z) return true;
  return false;
}

bool expr_has_v0(const Expr *expr) {
  for (int32_t i = 0; i < expr->n; ++i)
    if (expr->op[i] == EXPR_V0) return true;
  return false;
}

void expr_place(Expr *expr, double v0) {
  for (int32_t i = 0; i < expr->n; ++i) {
    if (expr->op[i] != EXPR_V0) continue;
    expr->op[i] = EXPR_NUMBER;
    expr->number[i] = v0;
  }
}

static double apply_unary(enum ExprOp op, double a) {
  switch (op) {
  case EXPR_NEGATE: return -a;
  case EXPR_SQRT: return sqrt(a);
  case EXPR_EXP: return exp(a);
  case EXPR_LOG: return log(a);
  case EXPR_SIN: return sin(a);
  case EXPR_COS: return cos(a);
  case EXPR_TAN: return tan(a);
  case EXPR_STEP: return isnan(a) ? a : a >= 0;
  default: return fabs(a);
  }
}

static double apply_binary(enum ExprOp op, double a, double b) {
  switch (op) {
  case EXPR_ADD: return a + b;
  case EXPR_SUBTRACT: return a - b;
  case EXPR_MULTIPLY: return a * b;
  case EXPR_DIVIDE: return a / b;
  case EXPR_POWER: return pow(a, b);
  case EXPR_SMALLER: return isnan(a) || isnan(b) ? a + b : fmin(a, b); /* not fmin's habit of dropping a NaN */
  default: return isnan(a) || isnan(b) ? a + b : fmax(a, b);
  }
}

double expr_value(const Expr *expr, const double x[3], double t) {
  double stack[EXPR_STACK + 1] = {0};
  int top = 0; /* stack[1 .. top] is in use: an absent expression reads stack[0] = 0 */
  for (int32_t i = 0; i < expr->n; ++i) {
    const enum ExprOp op = (enum ExprOp)expr->op[i];
    switch (op) {
    case EXPR_NUMBER: stack[++top] = expr->number[i]; break;
    case EXPR_X: stack[++top] = x[0]; break;
    case EXPR_Y: stack[++top] = x[1]; break;
    case EXPR_Z: stack[++top] = x[2]; break;
    case EXPR_T:
    case EXPR_F: stack[++top] = t; break;
    case EXPR_V0: stack[++top] = 1; break; /* until expr_place knows it */
    case EXPR_PI: stack[++top] = 3.14159265358979323846; break;
    case EXPR_ADD:
    case EXPR_SUBTRACT:
    case EXPR_MULTIPLY:
    case EXPR_DIVIDE:
    case EXPR_POWER:
    case EXPR_SMALLER:
    case EXPR_LARGER: --top, stack[top] = apply_binary(op, stack[top], stack[top + 1]); break;
    case EXPR_TABLE: stack[top] = expr_table_value(expr->table[(int)expr->number[i]], stack[top]); break;
    default: stack[top] = apply_unary(op, stack[top]);
    }
  }
  return stack[top];
}

double expr_table_value(const ExprTable *table, double at) {
  int64_t low = 0, high = table->n - 1;
  if (table->n == 0 || isnan(at)) return table->n ? at : 0;
  if (at <= table->at[0]) return table->value[0];
  if (at >= table->at[high]) return table->value[high];
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    *(table->at[middle] <= at ? &low : &high) = middle;
  }
  const double share = (at - table->at[low]) / (table->at[high] - table->at[low]);
  return (1 - share) * table->value[low] + share * table->value[high];
}

Status expr_scale(Expr *expr, double factor) {
  const double origin[3] = {0};
  if (expr->n == 0) return OK;
  if (factor == 0 || expr_is_constant(expr)) {
    *expr = expr_constant(factor == 0 ? 0 : factor * expr_value(expr, origin, 0));
    return OK;
  }
  CHECK(expr->n + 2 <= EXPR_MADE, ERR_INPUT, "an expression of %d steps is too long to have a factor", (int)expr->n);
  expr->number[expr->n] = factor;
  expr->op[expr->n++] = EXPR_NUMBER;
  expr->op[expr->n++] = EXPR_MULTIPLY;
  return OK;
}

bool expr_acts(const Expr *expr) {
  const double origin[3] = {0};
  return expr_given(expr) && !(expr_is_constant(expr) && expr_value(expr, origin, 0) == 0);
}

Status expr_ramp(Expr *expr, double end) {
  if (!expr_acts(expr)) return OK;
  CHECK(expr->n + 4 <= EXPR_MADE, ERR_INPUT, "an expression of %d steps is too long to grow with t; write * t in it",
        (int)expr->n);
  expr->op[expr->n++] = EXPR_T;
  expr->number[expr->n] = end;
  expr->op[expr->n++] = EXPR_NUMBER;
  expr->op[expr->n++] = EXPR_DIVIDE;
  expr->op[expr->n++] = EXPR_MULTIPLY;
  return OK;
}
