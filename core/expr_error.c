/* Running error analysis of an expression (Higham 2002, Accuracy and Stability of Numerical Algorithms, section 3.3):
 * each step carries the round-off of what it is made of, to first order, and adds its own. */
#include "core/expr_ops.h"

#include <float.h>
#include <math.h>

typedef struct Term {
  double value, error;
} Term;

static Term expr_error_rounded(double value, double error) { return (Term){value, error + DBL_EPSILON * fabs(value)}; }

static Term expr_error_unary(enum ExprOp op, Term a) {
  switch (op) {
  case EXPR_NEGATE: return (Term){-a.value, a.error};
  case EXPR_ABS: return (Term){fabs(a.value), a.error};
  case EXPR_STEP: return (Term){a.value >= 0, fabs(a.value) <= a.error ? 1 : 0};
  case EXPR_SQRT: { /* near 0 the root of the error */
    const double v = sqrt(a.value), e = sqrt(a.error);
    return expr_error_rounded(v, v > e ? a.error / v : e);
  }
  case EXPR_EXP: return expr_error_rounded(exp(a.value), exp(a.value) * a.error);
  case EXPR_LOG: return expr_error_rounded(log(a.value), a.error / fabs(a.value));
  case EXPR_SIN: return expr_error_rounded(sin(a.value), fmin(fabs(cos(a.value)) * a.error + a.error * a.error, 2));
  case EXPR_COS: return expr_error_rounded(cos(a.value), fmin(fabs(sin(a.value)) * a.error + a.error * a.error, 2));
  default: {
    const double v = tan(a.value);
    return expr_error_rounded(v, (1 + v * v) * a.error);
  }
  }
}

static Term expr_error_power(Term a, Term b) {
  const double v = pow(a.value, b.value), size = fabs(a.value);
  if (size <= a.error) return expr_error_rounded(v, b.value > 0 ? pow(a.error, b.value) : fabs(v));
  return expr_error_rounded(v, fabs(v) * (fabs(b.value) * a.error / size + fabs(log(size)) * b.error + DBL_EPSILON));
}

static Term expr_error_binary(enum ExprOp op, Term a, Term b) {
  switch (op) {
  case EXPR_ADD: return expr_error_rounded(a.value + b.value, a.error + b.error);
  case EXPR_SUBTRACT: return expr_error_rounded(a.value - b.value, a.error + b.error);
  case EXPR_MULTIPLY:
    return expr_error_rounded(a.value * b.value, fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error);
  case EXPR_DIVIDE:
    return expr_error_rounded(a.value / b.value, (a.error + fabs(a.value / b.value) * b.error) / fabs(b.value));
  case EXPR_POWER: return expr_error_power(a, b);
  case EXPR_SMALLER: return (Term){fmin(a.value, b.value), fmax(a.error, b.error)};
  default: return (Term){fmax(a.value, b.value), fmax(a.error, b.error)};
  }
}

/* As far as the function goes where its argument may be. */
static Term expr_error_table(const ExprTable *table, Term a) {
  const double v = expr_table_value(table, a.value);
  return expr_error_rounded(v, fmax(fabs(expr_table_value(table, a.value + a.error) - v),
                                    fabs(expr_table_value(table, a.value - a.error) - v)));
}

static int is_binary(enum ExprOp op) {
  return (op >= EXPR_ADD && op <= EXPR_POWER) || op == EXPR_SMALLER || op == EXPR_LARGER;
}

double expr_error(const Expr *expr, const double x[3], double t, double place) {
  Term stack[EXPR_STACK + 1] = {{0, 0}};
  int top = 0; /* as in expr_value */
  for (int32_t i = 0; i < expr->n; ++i) {
    const enum ExprOp op = (enum ExprOp)expr->op[i];
    if (op == EXPR_NUMBER) stack[++top] = expr_error_rounded(expr->number[i], 0);
    else if (op == EXPR_PI) stack[++top] = expr_error_rounded(3.14159265358979323846, 0);
    else if (op >= EXPR_X && op <= EXPR_Z) stack[++top] = (Term){x[op - EXPR_X], place};
    else if (op == EXPR_T || op == EXPR_F) stack[++top] = expr_error_rounded(t, 0);
    else if (is_binary(op)) --top, stack[top] = expr_error_binary(op, stack[top], stack[top + 1]);
    else if (op == EXPR_TABLE) stack[top] = expr_error_table(expr->table[(int)expr->number[i]], stack[top]);
    else stack[top] = expr_error_unary(op, stack[top]);
  }
  return stack[top].error;
}
