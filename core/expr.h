/* Expressions of a case file: + - * / ^, parentheses, unary minus, pi, sqrt exp log sin cos tan abs min max, and the
 * variables x, y, z (mesh length unit) and t (time). A plain number is an expression too. Pure data: copy it freely. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { EXPR_MAX = 64, EXPR_STACK = 32 };

typedef struct Expr {
  int32_t n;            /* steps; 0: absent (not given by the user), evaluates to 0 */
  uint8_t op[EXPR_MAX]; /* EXPR_NUMBER, EXPR_X, ... in postfix order */
  double number[EXPR_MAX];
} Expr;

/* ERR_INPUT names the character (1-based column) and what was expected; longer than EXPR_MAX steps is refused. */
Status expr_parse(const char *text, Expr *out);
Expr expr_constant(double value);
bool expr_given(const Expr *expr);
/* True when it depends on none of x, y, z, t. */
bool expr_is_constant(const Expr *expr);
/* True when it depends on t. */
bool expr_is_timed(const Expr *expr);
/* The expression becomes itself times t / end; absent or 0 it stays. ERR_INPUT: it is too long. */
Status expr_ramp(Expr *expr, double end);
/* The same times a factor. */
Status expr_scale(Expr *expr, double factor);
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
