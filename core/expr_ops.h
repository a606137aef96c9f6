/* The steps of an expression, for expr.c and expr_error.c. */
#pragma once
#include "core/expr.h"

/* name, operator, arguments */
#define EXPR_VARIABLES(X) X("x", EXPR_X, 0) X("y", EXPR_Y, 0) X("z", EXPR_Z, 0) X("t", EXPR_T, 0) X("pi", EXPR_PI, 0)
#define EXPR_FUNCTIONS(X)                                                                                              \
  X("sqrt", EXPR_SQRT, 1)                                                                                              \
  X("exp", EXPR_EXP, 1)                                                                                                \
  X("log", EXPR_LOG, 1)                                                                                                \
  X("sin", EXPR_SIN, 1)                                                                                                \
  X("cos", EXPR_COS, 1)                                                                                                \
  X("tan", EXPR_TAN, 1)                                                                                                \
  X("abs", EXPR_ABS, 1) X("step", EXPR_STEP, 1) X("min", EXPR_SMALLER, 2) X("max", EXPR_LARGER, 2)
/* Behind all others: a number that is not known yet (expr_place). */
#define EXPR_UNKNOWN(X) X("V0", EXPR_V0, 0)
#define EXPR_NAMED(X) EXPR_VARIABLES(X) EXPR_FUNCTIONS(X) EXPR_UNKNOWN(X)

enum ExprOp {
  EXPR_NUMBER,
  EXPR_NEGATE,
  EXPR_ADD,
  EXPR_SUBTRACT,
  EXPR_MULTIPLY,
  EXPR_DIVIDE,
  EXPR_POWER,
#define EXPR_ENUM(name, op, n_arg) op,
  EXPR_NAMED(EXPR_ENUM)
#undef EXPR_ENUM
      EXPR_F,
  EXPR_TABLE
};
