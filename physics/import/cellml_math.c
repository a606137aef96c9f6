/* Formulas of CellML: content MathML (W3C, Mathematical Markup Language 2.0, ch. 4) as far as CellML 1.0 to 2.0 have it. */
#include "physics/import/cellml.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 1 << 20, PIECES_MOST = 500 };

static const double PI = 3.14159265358979323846;

/* Operations that need no more than a name: n-ary ones are folded from the left; inverse: 1/x stands around, or in place of
 * the operand. */
typedef enum How { PLAIN, SWAPPED, FOLDED, ONE_OVER, OF_ONE_OVER } How;
static const struct Operator {
  const char *name;
  int op, operands;
  How how;
} operators[] = {{"plus", IONIC_OP_ADD, MANY, FOLDED},      {"times", IONIC_OP_MUL, MANY, FOLDED},
                 {"and", IONIC_OP_AND, MANY, FOLDED},       {"or", IONIC_OP_OR, MANY, FOLDED},
                 {"min", IONIC_OP_MIN, MANY, FOLDED},       {"max", IONIC_OP_MAX, MANY, FOLDED},
                 {"divide", IONIC_OP_DIV, 2, PLAIN},        {"power", IONIC_OP_POW, 2, PLAIN},
                 {"eq", IONIC_OP_EQUAL, 2, PLAIN},          {"neq", IONIC_OP_OTHER, 2, PLAIN},
                 {"lt", IONIC_OP_LESS, 2, PLAIN},           {"gt", IONIC_OP_LESS, 2, SWAPPED},
                 {"leq", IONIC_OP_AT_MOST, 2, PLAIN},       {"geq", IONIC_OP_AT_MOST, 2, SWAPPED},
                 {"not", IONIC_OP_NOT, 1, PLAIN},           {"abs", IONIC_OP_ABS, 1, PLAIN},
                 {"exp", IONIC_OP_EXP, 1, PLAIN},           {"ln", IONIC_OP_LOG, 1, PLAIN},
                 {"floor", IONIC_OP_FLOOR, 1, PLAIN},       {"ceiling", IONIC_OP_CEIL, 1, PLAIN},
                 {"sin", IONIC_OP_SIN, 1, PLAIN},           {"cos", IONIC_OP_COS, 1, PLAIN},
                 {"tan", IONIC_OP_TAN, 1, PLAIN},           {"sinh", IONIC_OP_SINH, 1, PLAIN},
                 {"cosh", IONIC_OP_COSH, 1, PLAIN},         {"tanh", IONIC_OP_TANH, 1, PLAIN},
                 {"arcsin", IONIC_OP_ASIN, 1, PLAIN},       {"arccos", IONIC_OP_ACOS, 1, PLAIN},
                 {"arctan", IONIC_OP_ATAN, 1, PLAIN},       {"csc", IONIC_OP_SIN, 1, ONE_OVER},
                 {"sec", IONIC_OP_COS, 1, ONE_OVER},        {"cot", IONIC_OP_TAN, 1, ONE_OVER},
                 {"csch", IONIC_OP_SINH, 1, ONE_OVER},      {"sech", IONIC_OP_COSH, 1, ONE_OVER},
                 {"coth", IONIC_OP_TANH, 1, ONE_OVER},      {"arccsc", IONIC_OP_ASIN, 1, OF_ONE_OVER},
                 {"arcsec", IONIC_OP_ACOS, 1, OF_ONE_OVER}, {"arccot", IONIC_OP_ATAN, 1, OF_ONE_OVER}};

/* A formula on its way: of a part, at an element. */
typedef struct Term {
  Cellml *c;
  int32_t part, doc, node;
} Term;

static Status add_op(const Term *t, int op, int32_t a, int32_t b, int32_t c, int32_t *out) {
  const ModelPlace place = cellml_place(t->c, t->doc, t->node);
  return model_add_node(t->c->model, (FormulaNode){.kind = FORMULA_OP, .op = op, .child = {a, b, c}, .place = place},
                        out);
}

static Status add_number(const Term *t, double number, Unit unit, int32_t *out) {
  const FormulaNode node = {.kind = FORMULA_NUMBER,
                            .number = number,
                            .unit = unit,
                            .child = {NONE, NONE, NONE},
                            .variable = NONE,
                            .place = cellml_place(t->c, t->doc, t->node)};
  return model_add_node(t->c->model, node, out);
}

static Status one_over(const Term *t, int32_t x, int32_t *out) {
  int32_t one;
  TRY(add_number(t, 1, unit_one(), &one));
  return add_op(t, IONIC_OP_DIV, one, x, NONE, out);
}

static Term inside(const Term *t, int32_t node) { return (Term){t->c, t->part, t->doc, node}; }
static const Xml *xml_of(const Term *t) { return &t->c->doc[t->doc].xml; }
static Name name_of(const Term *t, int32_t node) { return xml_of(t)->node[node].name; }

static Status term(const Term *t, int32_t *out);
static Status term_at(const Term *t, int32_t node, int32_t *out) {
  const Term in = inside(t, node);
  return term(&in, out);
}

bool cellml_number(Name text, double *out) {
  char copy[64], *end;
  if (text.n < 1 || text.n >= (int32_t)sizeof copy) return false;
  snprintf(copy, sizeof copy, "%.*s", text.n, text.text);
  if (strspn(copy, "0123456789+-.eE") != strlen(copy)) return false;
  *out = strtod(copy, &end);
  return end > copy && !*end && isfinite(*out);
}

/* <cn type="e-notation">1.5<sep/>-3</cn> and the like. */
static Status number(const Term *t, int32_t *out) {
  const Xml *x = xml_of(t);
  const Name type = xml_attribute(x, t->node, "type"), units = xml_attribute(x, t->node, "units"),
             base = xml_attribute(x, t->node, "base");
  const Name first = xml_text(x, t->node, 0), second = xml_text(x, t->node, 1);
  char text[64] = "";
  double value = NAN, below = 1;
  Unit unit = {0};
  if (base.text && !name_is(base, "10"))
    return CELLML_FAIL(t->c, t->doc, t->node, "a number to the base %.*s; only 10 is read", base.n, base.text);
  const bool power = name_is(type, "e-notation"), ratio = name_is(type, "rational");
  if (type.text && !power && !ratio && !name_is(type, "real") && !name_is(type, "integer"))
    return CELLML_FAIL(t->c, t->doc, t->node,
                       "a number of the type '%.*s'\n  allowed: real, integer, e-notation, rational", type.n,
                       type.text);
  snprintf(text, sizeof text, power ? "%.*se%.*s" : "%.*s", first.n > 30 ? 30 : first.n, first.text,
           second.n > 30 ? 30 : second.n, second.text);
  bool right = first.n <= 30 && second.n <= 30 && (power || ratio) == (second.n > 0);
  right = right && cellml_number((Name){text, (int32_t)strlen(text)}, &value);
  if (ratio) right = right && cellml_number(second, &below);
  if (!right)
    return CELLML_FAIL(t->c, t->doc, t->node, "'%.*s%s%.*s' is not a number", first.n, first.text,
                       second.n ? "<sep/>" : "", second.n, second.text);
  if (units.text) TRY(cellml_unit(t->c, t->doc, t->c->part[t->part].node, units, t->node, &unit));
  return add_number(t, value / below, unit, out);
}

static Status named(const Term *t, int32_t *variable) {
  const Name name = xml_text(xml_of(t), t->node, 0);
  const Name component = t->c->model->component[t->c->part[t->part].component];
  *variable = cellml_find(t->c, t->part, name);
  if (*variable < 0)
    return CELLML_FAIL(t->c, t->doc, t->node, "there is no variable '%.*s' in component '%.*s'", name.n, name.text,
                       component.n, component.text);
  return OK;
}

static Status value(const Term *t, int32_t *out) {
  int32_t variable;
  TRY(named(t, &variable));
  return cellml_value(t->c, variable, t->doc, t->node, out);
}

Status cellml_derivative(Cellml *c, int32_t part, int32_t node, int32_t *of, int32_t *by) {
  const int32_t doc = c->part[part].doc;
  const Xml *x = &c->doc[doc].xml;
  const int32_t bvar = xml_child(x, node, "bvar", NONE), var = xml_child(x, node, "ci", NONE),
                time = bvar < 0 ? NONE : xml_child(x, bvar, "ci", NONE);
  if (var < 0 || time < 0 || xml_child(x, bvar, "degree", NONE) >= 0)
    return CELLML_FAIL(c, doc, node, "a derivative is <diff/><bvar><ci>time</ci></bvar><ci>x</ci>, the first one");
  const Term t = {c, part, doc, var}, u = {c, part, doc, time};
  TRY(named(&t, of));
  return named(&u, by);
}

/* dx/dt as the part has both. */
static Status derivative(const Term *t, int32_t *out) {
  int32_t of, by;
  Cellml *c = t->c;
  TRY(cellml_derivative(c, t->part, t->node, &of, &by));
  const CellmlVariable *first = &c->variable[cellml_first(c, of)];
  const int32_t definer = first->definer;
  if (definer < 0 || c->variable[definer].by < 0)
    return CELLML_FAIL(c, t->doc, t->node, "the derivative of '%.*s', which is not a state", c->variable[of].name.n,
                       c->variable[of].name.text);
  const FormulaNode node = {.kind = FORMULA_DERIVATIVE,
                            .first = c->variable[of].name,
                            .child = {NONE, NONE, NONE},
                            .variable = c->variable[definer].variable,
                            .place = cellml_place(c, t->doc, t->node)};
  TRY(model_add_node(c->model, node, out));
  TRY(cellml_converted(c, *out, c->variable[definer].unit, c->variable[of].unit, out));
  return cellml_converted(c, *out, c->variable[by].unit, c->variable[c->time].unit, out); /* per time: the other way */
}

/* <piece>s from one on, then <otherwise>. */
static Status pieces(const Term *t, int32_t at, int n, int32_t *out) {
  const Xml *x = xml_of(t);
  int32_t then = NONE, when = NONE, rest;
  if (at < 0) return add_number(t, NAN, (Unit){0}, out);
  const Term in = inside(t, at);
  const int32_t first = xml_child(x, at, NULL, NONE), second = first < 0 ? NONE : xml_child(x, at, NULL, first);
  if (n > PIECES_MOST) return CELLML_FAIL(t->c, t->doc, at, "more than %d pieces", PIECES_MOST);
  if (name_is(name_of(t, at), "otherwise") && first >= 0 && second < 0 && xml_child(x, t->node, NULL, at) < 0)
    return term_at(t, first, out);
  if (!name_is(name_of(t, at), "piece") || second < 0 || xml_child(x, at, NULL, second) >= 0)
    return CELLML_FAIL(
        t->c, t->doc, at,
        "<piecewise> consists of <piece> value condition </piece> and at last <otherwise> value </otherwise>");
  TRY(term_at(t, first, &then));
  TRY(term_at(t, second, &when));
  TRY(pieces(t, xml_child(xml_of(t), t->node, NULL, at), n + 1, &rest));
  return add_op(&in, IONIC_OP_SELECT, when, then, rest, out);
}

/* <root/> with <degree>, <log/> with <logbase>; qualifier: that one, or NONE. */
static Status root(const Term *t, int32_t qualifier, int32_t x, int32_t *out) {
  int32_t degree;
  if (qualifier < 0) return add_op(t, IONIC_OP_SQRT, x, NONE, NONE, out);
  TRY(term_at(t, xml_child(xml_of(t), qualifier, NULL, NONE), &degree));
  const FormulaNode *n = &t->c->model->node[degree];
  if (n->kind == FORMULA_NUMBER) TRY(add_number(t, 1 / n->number, unit_one(), &degree));
  else TRY(one_over(t, degree, &degree));
  return add_op(t, IONIC_OP_POW, x, degree, NONE, out);
}

static Status logarithm(const Term *t, int32_t qualifier, int32_t x, int32_t *out) {
  int32_t base;
  if (qualifier < 0) return add_op(t, IONIC_OP_LOG10, x, NONE, NONE, out);
  TRY(term_at(t, xml_child(xml_of(t), qualifier, NULL, NONE), &base));
  TRY(add_op(t, IONIC_OP_LOG, base, NONE, NONE, &base));
  TRY(add_op(t, IONIC_OP_LOG, x, NONE, NONE, out));
  return add_op(t, IONIC_OP_DIV, *out, base, NONE, out);
}

/* arsinh x = ln(x + sqrt(x^2 + 1)), arcosh x = ln(x + sqrt(x^2 - 1)), artanh x = ln((1 + x)/(1 - x))/2. */
static Status inverse_hyperbolic(const Term *t, char kind, int32_t x, int32_t *out) {
  int32_t one, more, less;
  TRY(add_number(t, 1, unit_one(), &one));
  if (kind == 't') {
    int32_t half;
    TRY(add_number(t, 0.5, unit_one(), &half));
    TRY(add_op(t, IONIC_OP_ADD, one, x, NONE, &more));
    TRY(add_op(t, IONIC_OP_SUB, one, x, NONE, &less));
    TRY(add_op(t, IONIC_OP_DIV, more, less, NONE, out));
    TRY(add_op(t, IONIC_OP_LOG, *out, NONE, NONE, out));
    return add_op(t, IONIC_OP_MUL, half, *out, NONE, out);
  }
  TRY(add_op(t, IONIC_OP_MUL, x, x, NONE, out));
  TRY(add_op(t, kind == 's' ? IONIC_OP_ADD : IONIC_OP_SUB, *out, one, NONE, out));
  TRY(add_op(t, IONIC_OP_SQRT, *out, NONE, NONE, out));
  TRY(add_op(t, IONIC_OP_ADD, x, *out, NONE, out));
  return add_op(t, IONIC_OP_LOG, *out, NONE, NONE, out);
}

/* a / b without what is behind the point, and what is then left of a. */
static Status whole_quotient(const Term *t, bool rest, int32_t a, int32_t b, int32_t *out) {
  int32_t ratio, zero, up, down, negative;
  TRY(add_op(t, IONIC_OP_DIV, a, b, NONE, &ratio));
  TRY(add_number(t, 0, (Unit){0}, &zero));
  TRY(add_op(t, IONIC_OP_LESS, ratio, zero, NONE, &negative));
  TRY(add_op(t, IONIC_OP_CEIL, ratio, NONE, NONE, &up));
  TRY(add_op(t, IONIC_OP_FLOOR, ratio, NONE, NONE, &down));
  TRY(add_op(t, IONIC_OP_SELECT, negative, up, down, out));
  if (!rest) return OK;
  TRY(add_op(t, IONIC_OP_MUL, b, *out, NONE, out));
  return add_op(t, IONIC_OP_SUB, a, *out, NONE, out);
}

static Status operands_wrong(const Term *t, Name op, int n, const char *takes) {
  return CELLML_FAIL(t->c, t->doc, t->node, "<%.*s/> has %d operands; it takes %s", op.n, op.text, n, takes);
}

/* Those that are no single operation. False: none of them. */
static Status special(const Term *t, Name op, int n, const int32_t x[2], int32_t qualifier, bool *is, int32_t *out) {
  const bool over = name_is(op, "arcsech") || name_is(op, "arccsch") || name_is(op, "arccoth");
  *is = true;
  if (name_is(op, "minus") && (n == 1 || n == 2))
    return add_op(t, n == 1 ? IONIC_OP_NEG : IONIC_OP_SUB, x[0], x[1], NONE, out);
  if (name_is(op, "minus")) return operands_wrong(t, op, n, "1 or 2");
  if (name_is(op, "root") || name_is(op, "log")) {
    if (n != 1) return operands_wrong(t, op, n, "one");
    return name_is(op, "root") ? root(t, qualifier, x[0], out) : logarithm(t, qualifier, x[0], out);
  }
  if (name_is(op, "rem") || name_is(op, "quotient") || name_is(op, "xor")) {
    int32_t a, b;
    if (n != 2) return operands_wrong(t, op, n, "2");
    if (!name_is(op, "xor")) return whole_quotient(t, name_is(op, "rem"), x[0], x[1], out);
    TRY(add_op(t, IONIC_OP_NOT, x[0], NONE, NONE, &a));
    TRY(add_op(t, IONIC_OP_NOT, x[1], NONE, NONE, &b));
    return add_op(t, IONIC_OP_OTHER, a, b, NONE, out);
  }
  if (over || name_is(op, "arcsinh") || name_is(op, "arccosh") || name_is(op, "arctanh")) {
    int32_t of = x[0];
    if (n != 1) return operands_wrong(t, op, n, "one");
    if (over) TRY(one_over(t, of, &of));
    const char kind = name_is(op, "arcsinh") || name_is(op, "arccsch")   ? 's'
                      : name_is(op, "arctanh") || name_is(op, "arccoth") ? 't'
                                                                         : 'c';
    return inverse_hyperbolic(t, kind, of, out);
  }
  *is = false;
  return OK;
}

static Status plain(const Term *t, const struct Operator *o, int n, int32_t x[2], int32_t *out) {
  const Name op = {o->name, (int32_t)strlen(o->name)};
  if (o->how == FOLDED && n == 0) return operands_wrong(t, op, n, "one at least");
  if (o->how != FOLDED && n != o->operands) return operands_wrong(t, op, n, o->operands == 1 ? "one" : "2");
  if (o->how == FOLDED && n == 1) return *out = x[0], OK;
  if (o->how == OF_ONE_OVER) TRY(one_over(t, x[0], &x[0]));
  TRY(add_op(t, o->op, x[o->how == SWAPPED], x[o->how == SWAPPED ? 0 : 1], NONE, out));
  return o->how == ONE_OVER ? one_over(t, *out, out) : OK;
}

/* <apply> operator, qualifiers, operands </apply>. */
static Status apply(const Term *t, int32_t *out) {
  const int32_t head = xml_child(xml_of(t), t->node, NULL, NONE);
  if (head < 0) return CELLML_FAIL(t->c, t->doc, t->node, "<apply> is empty");
  const Name op = name_of(t, head);
  const struct Operator *o = NULL;
  int32_t x[2] = {NONE, NONE}, qualifier = NONE;
  int n = 0;
  bool is;
  if (name_is(op, "diff")) return derivative(t, out);
  for (size_t k = 0; k < sizeof operators / sizeof *operators; ++k)
    if (name_is(op, operators[k].name)) o = &operators[k];
  for (int32_t k = xml_child(xml_of(t), t->node, NULL, head); k >= 0; k = xml_child(xml_of(t), t->node, NULL, k)) {
    const Name name = name_of(t, k);
    int32_t one;
    if ((name_is(name, "degree") && name_is(op, "root")) || (name_is(name, "logbase") && name_is(op, "log"))) {
      qualifier = k;
      if (xml_child(xml_of(t), k, NULL, NONE) < 0)
        return CELLML_FAIL(t->c, t->doc, k, "<%.*s> is empty", name.n, name.text);
      continue;
    }
    TRY(term_at(t, k, &one));
    if (n < 2) x[n] = one;
    else if (o && o->how == FOLDED) {
      TRY(add_op(t, o->op, x[0], x[1], NONE, &x[0]));
      x[1] = one;
    }
    ++n;
  }
  if (o) return plain(t, o, n, x, out);
  TRY(special(t, op, n, x, qualifier, &is, out));
  if (is) return OK;
  return CELLML_FAIL(
      t->c, t->doc, head,
      "<%.*s/> is not an operator that is read\n  allowed: plus, minus, times, divide, power, root, abs, exp, ln, "
      "log, floor, ceiling, min, max, rem, quotient, eq, neq, lt, gt, leq, geq, and, or, xor, not, diff, sin, "
      "cos, tan, sec, csc, cot, their hyperbolic ones (sinh) and inverses (arcsin)",
      op.n, op.text);
}

static Status term(const Term *t, int32_t *out) {
  static const struct Constant {
    const char *name;
    double value;
  } constants[] = {{"pi", PI},          {"exponentiale", 2.71828182845904523536},
                   {"true", 1},         {"false", 0},
                   {"notanumber", NAN}, {"infinity", INFINITY}};
  const Name name = name_of(t, t->node);
  if (name_is(name, "apply")) return apply(t, out);
  if (name_is(name, "ci")) return value(t, out);
  if (name_is(name, "cn")) return number(t, out);
  const int32_t first = xml_child(xml_of(t), t->node, NULL, NONE);
  if (name_is(name, "piecewise") && first >= 0) return pieces(t, first, 0, out);
  if (name_is(name, "semantics") && first >= 0) return term_at(t, first, out);
  for (size_t k = 0; k < sizeof constants / sizeof *constants; ++k)
    if (name_is(name, constants[k].name)) return add_number(t, constants[k].value, unit_one(), out);
  return CELLML_FAIL(
      t->c, t->doc, t->node,
      "<%.*s> is nothing that a formula consists of\n  allowed: apply, ci, cn, piecewise, pi, exponentiale, true, "
      "false, infinity, notanumber",
      name.n, name.text);
}

Status cellml_formula(Cellml *c, int32_t part, int32_t node, int32_t *out) {
  const Term t = {c, part, c->part[part].doc, node};
  return term(&t, out);
}
