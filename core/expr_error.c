/* Running error analysis of an expression (Higham 2002, Accuracy and Stability of Numerical Algorithms, section 3.3):
 * each step carries the round-off of what it is made of, to first order, and adds its own. */
#include "core/expr_ops.h"

#include <float.h>
#include <math.h>

typedef struct Term {
  double value, error;
} Term;

static Term rounded(double value, double error) { return (Term){value, error + DBL_EPSILON * fabs(value)}; }

static Term unary(enum ExprOp op, Term a) {
  switch (op) {
  case EXPR_NEGATE: return (Term){-a.value, a.error};
  case EXPR_ABS: return (Term){fabs(a.value), a.error};
  case EXPR_SQRT: { /* near 0 the root of the error */
    const double v = sqrt(a.value), e = sqrt(a.error);
    return rounded(v, v > e ? a.error / v : e);
  }
  case EXPR_EXP: return rounded(exp(a.value), exp(a.value) * a.error);
  case EXPR_LOG: return rounded(log(a.value), a.error / fabs(a.value));
  case EXPR_SIN: return rounded(sin(a.value), fmin(fabs(cos(a.value)) * a.error + a.error * a.error, 2));
  case EXPR_COS: return rounded(cos(a.value), fmin(fabs(sin(a.value)) * a.error + a.error * a.error, 2));
  default: {
    const double v = tan(a.value);
    return rounded(v, (1 + v * v) * a.error);
  }
  }
}

static Term power(Term a, Term b) {
  const double v = pow(a.value, b.value), size = fabs(a.value);
  if (size <= a.error) return rounded(v, b.value > 0 ? pow(a.error, b.value) : fabs(v));
  return rounded(v, fabs(v) * (fabs(b.value) * a.error / size + fabs(log(size)) * b.error + DBL_EPSILON));
}

static Term binary(enum ExprOp op, Term a, Term b) {
  switch (op) {
  case EXPR_ADD: return rounded(a.value + b.value, a.error + b.error);
  case EXPR_SUBTRACT: return rounded(a.value - b.value, a.error + b.error);
  case EXPR_MULTIPLY:
    return rounded(a.value * b.value, fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error);
  case EXPR_DIVIDE: return rounded(a.value / b.value, (a.error + fabs(a.value / b.value) * b.error) / fabs(b.value));
  case EXPR_POWER: return power(a, b);
  case EXPR_SMALLER: return (Term){fmin(a.value, b.value), fmax(a.error, b.error)};
  default: return (Term){fmax(a.value, b.value), fmax(a.error, b.error)};
  }
}

static int is_binary(enum ExprOp op) {
  return (op >= EXPR_ADD && op <= EXPR_POWER) || op == EXPR_SMALLER || op == EXPR_LARGER;
}

double expr_error(const Expr *expr, const double x[3], double t, double place) {
  Term stack[EXPR_STACK + 1] = {{0, 0}};
  int top = 0; /* as in expr_value */
  for (int32_t i = 0; i < expr->n; ++i) {
    const enum ExprOp op = (enum ExprOp)expr->op[i];
    if (op == EXPR_NUMBER) stack[++top] = rounded(expr->number[i], 0);
    else if (op == EXPR_PI) stack[++top] = rounded(3.14159265358979323846, 0);
    else if (op >= EXPR_X && op <= EXPR_Z) stack[++top] = (Term){x[op - EXPR_X], place};
    else if (op == EXPR_T) stack[++top] = rounded(t, 0);
    else if (is_binary(op)) --top, stack[top] = binary(op, stack[top], stack[top + 1]);
    else stack[top] = unary(op, stack[top]);
  }
  return stack[top].error;
}
