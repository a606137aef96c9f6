/* Expressions of a case file: + - * / ^, parentheses, unary minus, pi, sqrt exp log sin cos tan abs min max, step (1 where its
 * argument is at least 0, else 0), and the variables x, y, z (mesh length unit) and t (time), or f (frequency). A plain number is
 * an expression too. Pure data: copy it freely. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of a text, and of what is made of several: numbers, names and operators, and functions that are tables. */
enum { EXPR_MAX = 64, EXPR_TABLES = 4, EXPR_MADE = 128, EXPR_MADE_TABLES = 16, EXPR_STACK = 40 };

/* A function of one number by its points: straight from one to the next, the first and the last value outside of them. */
typedef struct ExprTable {
  const char *name; /* as expressions call it */
  int64_t n;        /* 0: not known yet, all is 0 */
  double *at;       /* [n] rising */
  double *value;    /* [n] */
} ExprTable;
/* What an expression may call, borrowed for as long as the expression lives. */
typedef struct ExprTables {
  int32_t n;
  const ExprTable *item;
  bool frequency; /* what runs is the frequency f, not the time t */
} ExprTables;

typedef struct Expr {
  int32_t n;             /* steps; 0: absent (not given by the user), evaluates to 0 */
  uint8_t op[EXPR_MADE]; /* EXPR_NUMBER, EXPR_X, ... in postfix order */
  double number[EXPR_MADE];
  int32_t n_table; /* those that it calls; EXPR_TABLE has the place in number[] */
  const ExprTable *table[EXPR_MADE_TABLES];
} Expr;

/* ERR_INPUT names the character (1-based column) and what was expected; longer than EXPR_MAX steps is refused. */
Status expr_parse(const char *text, Expr *out);
/* The same with further functions of one number, by their names. */
Status expr_parse_with(const char *text, const ExprTables *tables, Expr *out);
/* Whether expressions know the name without tables, f included where it is the frequency; what a name must look like: [A-Za-z_][A-Za-z0-9_]*. */
bool expr_knows(const char *name, bool frequency);
bool expr_is_name(const char *name);
double expr_table_value(const ExprTable *table, double at);
Expr expr_constant(double value);
bool expr_given(const Expr *expr);
/* True when it is given, and no constant 0. */
bool expr_acts(const Expr *expr);
/* True when it depends on none of x, y, z, t, f, and on no table, which may not be known yet. */
bool expr_is_constant(const Expr *expr);
/* True when it depends on t or f. */
bool expr_is_timed(const Expr *expr);
/* "f" where it depends on f, else "t". */
const char *expr_running(const Expr *expr);
/* The expression becomes itself times t / end; absent or 0 it stays. ERR_INPUT: it is too long. */
Status expr_ramp(Expr *expr, double end);
/* The same times a factor. */
Status expr_scale(Expr *expr, double factor);
/* Of a run in steps: the expression at the time clock(t) (NULL: t), times share(t); share NULL, or it is 0: it stays. And a
 * sum with another one. ERR_INPUT: too long. Tables are borrowed. */
Status expr_window(Expr *expr, const ExprTable *clock, const ExprTable *share);
Status expr_add(Expr *sum, const Expr *term);
Status expr_multiply(Expr *product, const Expr *factor);
Expr expr_of_table(const ExprTable *table); /* its value at t */
/* t: the frequency where it depends on f. */
double expr_value(const Expr *expr, const double x[3], double t);
/* True when it depends on the place, or has V0 in it, which a volume alone knows; the latter becomes a number. */
bool expr_is_local(const Expr *expr);
bool expr_has_v0(const Expr *expr);
void expr_place(Expr *expr, double v0);
/* How far the value may be off by round-off, where the coordinates are exact to `place` (core/expr_error.c); infinite
 * or NaN where the value is. */
double expr_error(const Expr *expr, const double x[3], double t, double place);

#ifdef __cplusplus
}
#endif
