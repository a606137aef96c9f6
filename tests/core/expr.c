/* Expressions: values against C's own arithmetic, and every way to be refused. */
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/expr.h"
#include "core/nearest.h"

static const double X[3] = {0.5, -2, 7};
static const double T = 0.125;

static double value(const char *text) {
  Expr e;
  assert_ok(expr_parse(text, &e));
  return expr_value(&e, X, T);
}

static void test_values(void **state) {
  (void)state;
  const double x = X[0], y = X[1], z = X[2], t = T;
  const struct {
    const char *text;
    double wanted;
  } row[] = {
      {"1", 1},
      {" 42 ", 42},
      {"1e-3", 1e-3},
      {".5", .5},
      {"5.", 5},
      {"1E+2", 100},
      {"+3", 3},
      {"210e9", 210e9},
      {"0.1", 0.1},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"8-3-2", 3},
      {"16/4/2", 2},
      {"2*3^2", 18},
      {"2^3^2", 512},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-1", 0.5},
      {"--3", 3},
      {"2--3", 5},
      {"2*-3", -6},
      {"-2*-3", 6},
      {"1-2+3", 2},
      {"x", x},
      {"y", y},
      {"z", z},
      {"t", t},
      {"pi", acos(-1)},
      {"x+y*z^2/t", x + y * z * z / t},
      {"step(x)", 1},
      {"step(y)", 0},
      {"step(x-0.5)", 1},
      {"2*step(9-x^2-y^2)-step(-z)", 2},
      {"sqrt(2)", sqrt(2)},
      {"exp(x)", exp(x)},
      {"log(z)", log(z)},
      {"sin(x)", sin(x)},
      {"cos(y)", cos(y)},
      {"tan(t)", tan(t)},
      {"abs(y)", 2},
      {"min(x,y)", y},
      {"max(x, y)", x},
      {"max(min(1, 2), 1.5)", 1.5},
      {"100e6*(1 - (y/2)^2)*sin(2*pi*x)", 0},
      {"sin (x)", sin(x)},
      {"\t1\n+\n1 ", 2},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    const double got = value(row[i].text), error = fabs(got - row[i].wanted);
    if (!(error <= 1e-15 * fabs(row[i].wanted)))
      fail_msg("'%s' gives %.17g, not %.17g", row[i].text, got, row[i].wanted);
  }
}

static void test_not_finite(void **state) {
  (void)state;
  assert_true(isinf(value("1/0")) && value("1/0") > 0);
  assert_true(isinf(value("-1/(x-x)")));
  assert_true(isnan(value("log(-1)")));
  assert_true(isnan(value("min(0/0, 1)")));
  assert_true(isnan(value("max(1, sqrt(y))")));
}

static void test_refused(void **state) {
  (void)state;
  const struct {
    const char *text, *message;
  } row[] = {
      {"", "the text is empty"},
      {"   ", "the text is empty"},
      {"0,3", "decimals are written with a point"},
      {"1e999", "too large"},
      {"1e-999", "too small"},
      {"1e", "no digits"},
      {"1e+", "no digits"},
      {".", "no digits"},
      {"1 2", "an operator or the end is expected, not '2'"},
      {"2x", "not 'x'"},
      {"1.2.3", "not '.'"},
      {"0x10", "not 'x10'"},
      {"1e-8abc", "not 'abc'"},
      {"2**3", "a power is written '^'"},
      {"1+", "not the end"},
      {"*2", "not '*'"},
      {"(1", "')' is expected, not the end"},
      {"1)", "not ')'"},
      {"()", "not ')'"},
      {"(1,2)", "')' is expected, not ','"},
      {"x < 3", "'<' is a comparison, which expressions do not have; step(a - b) is 1 where a is at least b, else 0"},
      {"2*(x>=3)", "'>' is a comparison"},
      {"x == 3", "'=' is a comparison"},
      {"step(1, 2)", "'step' takes 1 argument"},
      {"sin", "'sin' is a function"},
      {"sin()", "'sin' takes 1 argument, 0 given"},
      {"sin(1,2)", "takes 1 argument, more"},
      {"min(1)", "'min' takes 2 arguments, 1 given"},
      {"max(1,2,3)", "'max' takes 2 arguments, more"},
      {"min(1,", "not the end"},
      {"min(1,2", "after the arguments of 'min'"},
      {"sine(1)", "did you mean 'sin'"},
      {"sqr(2)", "did you mean 'sqrt'"},
      {"temperature", "known are x y z t"},
      {"inf", "unknown name 'inf'"},
      {"nan", "unknown name 'nan'"},
      {"X", "did you mean 'x'"},
      {"1 + \xc3\xa9", "not '\xc3\xa9'"},
      {"1;2", "not ';'"},
      {"pi(2)", "not '('"},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    Expr e = expr_constant(1);
    assert_fails(expr_parse(row[i].text, &e), ERR_INPUT, row[i].message);
    assert_false(expr_given(&e));
  }
  Expr e;
  assert_fails(expr_parse("1 + foo", &e), ERR_INPUT, "in the expression '1 + foo', column 5");
}

/* The longest sum fits, one step more does not; nor does deep nesting, however long the text. */
static void test_limits(void **state) {
  (void)state;
  Expr e;
  char text[4 * EXPR_MAX] = "1";
  for (int i = 1; i < EXPR_MAX / 2; ++i) strcat(text, "+1");
  assert_ok(expr_parse(text, &e));
  assert_near(expr_value(&e, X, T), EXPR_MAX / 2, 0);
  strcat(text, "+1");
  assert_fails(expr_parse(text, &e), ERR_INPUT, "too long: at most 64");
  text[0] = 0;
  for (int i = 0; i < 40; ++i) strcat(text, "x^(");
  strcat(text, "t");
  for (int i = 0; i < 40; ++i) strcat(text, ")");
  assert_fails(expr_parse(text, &e), ERR_INPUT,
               "nested too deeply: at most 64 parentheses, functions, signs and powers");
  for (int n = 64; n <= 65; ++n) { /* as many as the message says, and one more */
    memset(text, '(', (size_t)n);
    text[n] = '1';
    memset(text + n + 1, ')', (size_t)n);
    text[2 * n + 1] = 0;
    if (n == 64) assert_ok(expr_parse(text, &e));
    if (n == 65) assert_fails(expr_parse(text, &e), ERR_INPUT, "at most 64 parentheses");
  }
  /* the deepest stack: 1+(1+(1+ ... )) */
  text[0] = 0;
  for (int i = 1; i < EXPR_MAX / 2; ++i) strcat(text, "1+(");
  strcat(text, "1");
  for (int i = 1; i < EXPR_MAX / 2; ++i) strcat(text, ")");
  assert_ok(expr_parse(text, &e));
  assert_near(expr_value(&e, X, T), EXPR_MAX / 2, 0);
  enum { LONG = 100000 };
  char *deep = malloc(LONG + 1);
  for (int kind = 0; kind < 4; ++kind) {
    memset(deep, "(-+1"[kind], LONG);
    deep[LONG] = 0;
    assert_fails(expr_parse(deep, &e), ERR_INPUT, kind == 3 ? "too long" : "nested too deeply");
  }
  free(deep);
}

static void test_queries(void **state) {
  (void)state;
  Expr e = {0};
  assert_false(expr_given(&e));
  assert_true(expr_is_constant(&e));
  assert_near(expr_value(&e, X, T), 0, 0);
  e = expr_constant(-3.5);
  assert_true(expr_given(&e) && expr_is_constant(&e));
  assert_near(expr_value(&e, X, T), -3.5, 0);
  assert_ok(expr_parse("2*pi*sqrt(2)", &e));
  assert_true(expr_is_constant(&e));
  for (int i = 0; i < 4; ++i) {
    char text[8];
    snprintf(text, sizeof text, "1+%c", "xyzt"[i]);
    assert_ok(expr_parse(text, &e));
    assert_false(expr_is_constant(&e));
  }
}

static void test_nearest(void **state) {
  (void)state;
  const char *names[] = {"left", "right", "body", "Oberseite"};
  assert_string_equal(nearest_name("rigth", 4, names), "right");
  assert_string_equal(nearest_name("LEFT", 4, names), "left");
  assert_string_equal(nearest_name("oberseiten", 4, names), "Oberseite");
  assert_null(nearest_name("pressure", 4, names));
  assert_null(nearest_name("q", 4, names));
  assert_null(nearest_name("left", 0, names));
  const char *ours[] = {"on", "density", "poisson", "young"}; /* what other programs call them */
  assert_string_equal(nearest_name("E", 4, ours), "young");
  assert_string_equal(nearest_name("Youngs_Modulus", 4, ours), "young");
  assert_string_equal(nearest_name("nu", 4, ours), "poisson");
  assert_null(nearest_name("nu", 2, ours));
  assert_int_equal(nearest_distance("kitten", "sitting"), 3);
  assert_int_equal(nearest_distance("ab", "ba"), 1);
  assert_int_equal(nearest_distance("", "abc"), 3);
}

/* Bounds of round-off: above what it is, and not far above. */
static void test_errors(void **state) {
  (void)state;
  const struct {
    const char *text;
    double least, most;
  } row[] = {{"0", 0, 0},
             {"sin(pi)", 1.2e-16, 1e-14},
             {"1-cos(t)^2", 1e-17, 1e-14},
             {"1e200*x-1e200*x", 1e184, 1e190},
             {"1e-160", 1e-180, 1e-174},
             {"sqrt(sin(pi))", 1e-9, 1e-6},
             {"exp(log(2))", 1e-17, 1e-14},
             {"step(x-0.5)", 1, 1},
             {"step(x)", 0, 0},
             {"x^2/7", 1e-18, 1e-14}};
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    Expr e;
    assert_ok(expr_parse(row[i].text, &e));
    const double error = expr_error(&e, X, T, 0);
    if (!(error >= row[i].least && error <= row[i].most)) fail_msg("'%s': %g", row[i].text, error);
  }
  Expr x;
  assert_ok(expr_parse("sin(pi*x)", &x));
  assert_near(expr_error(&x, (const double[3]){1, 0, 0}, 0, 1e-9), 3.14159265e-9, 1e-13); /* of the place */
}

/* Straight between the points, the ends outside of them, at any argument. */
static void test_tables(void **state) {
  (void)state;
  double at[3] = {0, 1, 3}, value[3] = {2, 4, -2}, jump[1] = {5};
  const ExprTable item[] = {{"ramp", 3, at, value}, {"level", 1, at, jump}, {"later", 0, NULL, NULL}};
  const ExprTables tables = {.n = 3, .item = item};
  const struct {
    const char *text;
    double t, value;
  } row[] = {{"ramp(t)", -1, 2},     {"ramp(t)", 0, 2},  {"ramp(t)", 0.25, 2.5},  {"ramp(t)", 1, 4},
             {"ramp(t)", 2.5, -0.5}, {"ramp(t)", 3, -2}, {"ramp(t)", 9, -2},      {"2*ramp(t - 1)^2 + 1", 2, 33},
             {"level(t)", 3, 5},     {"later(t)", 3, 0}, {"ramp(ramp(t))", 1, -2}};
  Expr e;
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    assert_ok(expr_parse_with(row[i].text, &tables, &e));
    assert_false(expr_is_constant(&e));
    assert_true(expr_is_timed(&e));
    assert_near(expr_value(&e, X, row[i].t), row[i].value, 1e-15);
  }
  assert_ok(expr_parse_with("ramp(t)", &tables, &e));
  assert_true(isnan(expr_value(&e, X, NAN)));
  assert_true(expr_error(&e, X, 2, 0) > 0 && expr_error(&e, X, 2, 0) < 1e-14);
  assert_ok(expr_parse_with("ramp(0.5)", &tables, &e));
  assert_false(expr_is_constant(&e) || expr_is_timed(&e));
  assert_fails(expr_parse_with("rampe(t)", &tables, &e), ERR_INPUT, "did you mean 'ramp'?");
  assert_fails(expr_parse_with("earthquake(t)", &tables, &e), ERR_INPUT, "min max ramp level later");
  assert_fails(expr_parse_with("ramp", &tables, &e), ERR_INPUT, "'ramp' is a function: write ramp(...)");
  assert_fails(expr_parse_with("ramp(1, 2)", &tables, &e), ERR_INPUT, "'ramp' takes 1 argument, more are given");
  assert_fails(expr_parse("ramp(t)", &e), ERR_INPUT, "unknown name 'ramp'");
  assert_true(expr_is_name("a_1") && !expr_is_name("1a") && !expr_is_name("") && !expr_is_name("a b"));
  assert_true(expr_knows("sin", false) && expr_knows("t", true) && !expr_knows("ramp", true));
}

/* In vibrations the frequency f stands in the place of t. */
static void test_frequency(void **state) {
  (void)state;
  double at[] = {1, 3}, value[] = {5, 9};
  const ExprTable item[] = {{"spectrum", 2, at, value}};
  const ExprTables over = {.n = 1, .item = item, .frequency = true}, in_time = {.n = 1, .item = item};
  Expr e;
  assert_ok(expr_parse_with("2*spectrum(f) - f^2", &over, &e));
  assert_true(expr_is_timed(&e) && !expr_is_constant(&e) && !expr_is_local(&e));
  assert_string_equal(expr_running(&e), "f");
  assert_near(expr_value(&e, X, 2), 10, 1e-14);
  assert_true(expr_error(&e, X, 2, 0) < 1e-13);
  assert_ok(expr_parse_with("2*t", &in_time, &e));
  assert_string_equal(expr_running(&e), "t");
  assert_fails(expr_parse_with("2*t", &over, &e), ERR_INPUT, "'t' is the time, and in vibrations");
  assert_fails(expr_parse_with("f", &in_time, &e), ERR_INPUT, "unknown name 'f'");
  assert_fails(expr_parse_with("g", &over, &e), ERR_INPUT, "known are x y z f pi");
  assert_fails(expr_parse_with("ff", &over, &e), ERR_INPUT, "did you mean 'f'?");
  assert_fails(expr_parse_with("tt", &over, &e), ERR_INPUT, "known are x y z f pi");
  assert_true(expr_knows("f", true) && !expr_knows("f", false));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors),  cmocka_unit_test(test_values), cmocka_unit_test(test_not_finite),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_limits), cmocka_unit_test(test_queries),
      cmocka_unit_test(test_nearest), cmocka_unit_test(test_tables), cmocka_unit_test(test_frequency),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
