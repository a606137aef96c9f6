/* EasyML: markups, and the model that statements make. Gates are written without their equation: dx/dt = (x_inf - x)/tau_x, or
 * alpha_x (1 - x) - beta_x x; the potential has dV/dt = -Iion, in mV/ms and A/F. */
#include "physics/import/easyml.h"
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* The text between the brackets of a markup, which is at its opening one. */
static Status take_arguments(EasyMl *e, Name *out) {
  const char *from = e->at.at;
  int open = 1;
  while (open) {
    TRY(token_next(&e->at, e->model));
    if (token_is(&e->at, "(")) ++open;
    if (token_is(&e->at, ")")) --open;
    if (e->at.token.kind == TOKEN_END_OF_FILE || token_is(&e->at, ";"))
      return token_unexpected(&e->at, e->model, "')'");
  }
  const char *to = e->at.token.text.text;
  while (from < to && strchr(" \t\r\n", *from)) ++from;
  while (to > from && strchr(" \t\r\n", to[-1])) --to;
  *out = (Name){from, (int32_t)(to - from)};
  return token_next(&e->at, e->model);
}

/* .flag(A, B): A is 0, B is 1. */
static Status take_flags(EasyMl *e, Name text, ModelPlace place) {
  double number = 0;
  for (const char *p = text.text, *end = text.text + text.n; p < end;) {
    const char *from = p;
    while (p < end && !strchr(", \t\n", *p)) ++p;
    if (p > from) {
      const FormulaNode node = {.kind = FORMULA_NUMBER, .number = number, .child = {NONE, NONE, NONE}, .place = place};
      int32_t variable;
      TRY(easyml_variable(e, (Name){from, (int32_t)(p - from)}, place, &variable));
      if (e->variable[variable].value < 0) TRY(model_add_node(e->model, node, &e->variable[variable].value));
      number += 1;
    }
    while (p < end && strchr(", \t\n", *p)) ++p;
  }
  return OK;
}

static Status unknown_unit(const EasyMl *e, ModelPlace place, Name text) {
  return model_fail(
      e->model, place,
      "unknown unit '%.*s'\n  allowed: products such as mS/uF, uA/cm^2, 1/ms, of s, m, g, A, V, F, S, mol, M, L, K, C, "
      "J, N, unitless with prefixes",
      text.n, text.text);
}

/* .lb(number), .ub(number): what a state stays above and below. */
static Status take_limit(const EasyMl *e, bool upper, ModelPlace place, Name text, EasyVariable *v) {
  char *end = NULL;
  const double limit = text.n ? strtod(text.text, &end) : 0;
  if (end != text.text + text.n || !text.n || limit != limit)
    return model_fail(e->model, place, "limit '%.*s' of '%.*s' is not a number", text.n, text.text, v->name.n,
                      v->name.text);
  v->limited = true;
  *(upper ? &v->upper : &v->lower) = limit;
  if (v->lower > v->upper)
    return model_fail(e->model, place, "'%.*s' must stay above %g and below %g", v->name.n, v->name.text, v->lower,
                      v->upper);
  return OK;
}

/* What one markup means for one variable. */
static Status apply_markup(EasyMl *e, Name word, Name text, ModelPlace place, EasyVariable *v) {
  const char *bad;
  int n_bad;
  if (name_is(word, "external")) v->outside = text.n ? text : v->name;
  if (name_is(word, "param")) v->adjustable = true;
  if (name_is(word, "store")) v->stored = true;
  if (name_is(word, "lb") || name_is(word, "ub")) TRY(take_limit(e, name_is(word, "ub"), place, text, v));
  if (name_is(word, "units") && !unit_parse(text.text, text.n, &v->unit, &bad, &n_bad))
    return unknown_unit(e, place, text);
  return OK;
}

Status easyml_markup(EasyMl *e, int32_t from) {
  static const char *const known[] = {"external", "flag",     "lb",    "lookup", "method", "nodal",
                                      "param",    "regional", "store", "trace",  "ub",     "units"};
  Name text = {"", 0};
  TRY(token_next(&e->at, e->model));
  const Token word = e->at.token;
  bool right = false;
  for (size_t k = 0; k < sizeof known / sizeof *known; ++k) right |= name_is(word.text, known[k]);
  if (word.kind != TOKEN_NAME || !right)
    return model_fail(
        e->model, word.place,
        "unknown markup '.%.*s'\n  allowed: external, flag, lb, lookup, method, nodal, param, regional, store, trace, "
        "ub, units",
        word.text.n, word.text.text);
  TRY(token_next(&e->at, e->model));
  if (!token_is(&e->at, "(")) return token_unexpected(&e->at, e->model, "'('");
  TRY(take_arguments(e, &text));
  for (int32_t k = from; k < e->n_touched; ++k)
    TRY(apply_markup(e, word.text, text, word.place, &e->variable[e->touched[k]]));
  if (name_is(word.text, "flag")) TRY(take_flags(e, text, word.place));
  return OK;
}

static bool starts(Name name, const char *with) {
  const int32_t n = (int32_t)strlen(with);
  return name.n > n && !strncmp(name.text, with, (size_t)n);
}
static bool ends(Name name, const char *with) {
  const int32_t n = (int32_t)strlen(with);
  return name.n > n && !strncmp(name.text + name.n - n, with, (size_t)n);
}
static Name cut(Name name, int32_t front, int32_t back) { return (Name){name.text + front, name.n - front - back}; }

/* The variable "before name after" if it is assigned; NONE. */
static int32_t part_of(const EasyMl *e, const char *before, Name name, const char *after) {
  const int32_t n = (int32_t)strlen(before), k = (int32_t)strlen(after);
  for (int32_t i = 0; i < e->n_variable; ++i) {
    const Name o = e->variable[i].name;
    if (o.n != n + name.n + k || e->variable[i].value < 0) continue;
    if ((!n || starts(o, before)) && (!k || ends(o, after)) && name_same(cut(o, n, k), name)) return i;
  }
  return NONE;
}

/* What makes a variable a state; NONE: not there. */
typedef struct Parts {
  int32_t rate, tau, steady, opening, closing, initial;
} Parts;

static Parts easyml_parts_of(const EasyMl *e, Name x) {
  Parts p = {.rate = part_of(e, "diff_", x, ""),
             .tau = part_of(e, "tau_", x, ""),
             .steady = part_of(e, "", x, "_inf"),
             .opening = part_of(e, "alpha_", x, ""),
             .closing = part_of(e, "beta_", x, ""),
             .initial = part_of(e, "", x, "_init")};
  if (p.rate < 0) p.rate = part_of(e, "d_", x, "_dt");
  if (p.opening < 0) p.opening = part_of(e, "a_", x, "");
  if (p.closing < 0) p.closing = part_of(e, "b_", x, "");
  return p;
}
static bool is_pair(const Parts *p) { return (p->tau >= 0 && p->steady >= 0) || (p->opening >= 0 && p->closing >= 0); }

static bool is_mentioned(const EasyMl *e, Name name) {
  for (int32_t k = 0; k < e->model->n_node; ++k)
    if (e->model->node[k].kind == FORMULA_NAME && name_same(e->model->node[k].first, name)) return true;
  return false;
}

/* Variables that only their rates name become variables too, behind the one that does. */
static Status find_states(EasyMl *e) {
  const int32_t n = e->n_variable;
  for (int32_t i = 0; i < n; ++i) {
    const EasyVariable v = e->variable[i];
    const bool rate = starts(v.name, "diff_") || (starts(v.name, "d_") && ends(v.name, "_dt"));
    const Name x = starts(v.name, "diff_")    ? cut(v.name, 5, 0)
                   : rate                     ? cut(v.name, 2, 3)
                   : starts(v.name, "tau_")   ? cut(v.name, 4, 0)
                   : starts(v.name, "alpha_") ? cut(v.name, 6, 0)
                   : starts(v.name, "a_")     ? cut(v.name, 2, 0)
                                              : (Name){"", 0};
    int32_t state;
    if (x.n <= 0 || v.value < 0) continue;
    const Parts p = easyml_parts_of(e, x);
    if (!rate && (!is_pair(&p) || !is_mentioned(e, x))) continue;
    TRY(easyml_variable(e, x, v.place, &state));
  }
  return OK;
}

static Status number(EasyMl *e, double value, Unit unit, ModelPlace place, int32_t *out) {
  const FormulaNode node = {
      .kind = FORMULA_NUMBER, .number = value, .unit = unit, .child = {NONE, NONE, NONE}, .place = place};
  return model_add_node(e->model, node, out);
}

static Status name_of(EasyMl *e, int32_t variable, ModelPlace place, int32_t *out) {
  return easyml_name(e, e->variable[variable].name, place, out);
}

/* alpha (1 - x) - beta x, and alpha / (alpha + beta). */
static Status by_rates(EasyMl *e, const EasyVariable *v, const Parts *p, int32_t *rate, int32_t *steady) {
  int32_t alpha, beta, x, one, up, down;
  TRY(name_of(e, p->opening, v->place, &alpha));
  TRY(name_of(e, p->closing, v->place, &beta));
  TRY(easyml_name(e, v->name, v->place, &x));
  TRY(number(e, 1, (Unit){0}, v->place, &one));
  TRY(easyml_op(e, IONIC_OP_SUB, v->place, one, x, NONE, &up));
  TRY(easyml_op(e, IONIC_OP_MUL, v->place, alpha, up, NONE, &up));
  TRY(easyml_op(e, IONIC_OP_MUL, v->place, beta, x, NONE, &down));
  TRY(easyml_op(e, IONIC_OP_SUB, v->place, up, down, NONE, rate));
  TRY(easyml_op(e, IONIC_OP_ADD, v->place, alpha, beta, NONE, steady));
  return easyml_op(e, IONIC_OP_DIV, v->place, alpha, *steady, NONE, steady);
}

/* (x_inf - x) / tau, and x_inf. */
static Status by_time(EasyMl *e, const EasyVariable *v, const Parts *p, int32_t *rate, int32_t *steady) {
  int32_t tau, x;
  TRY(name_of(e, p->steady, v->place, steady));
  TRY(name_of(e, p->tau, v->place, &tau));
  TRY(easyml_name(e, v->name, v->place, &x));
  TRY(easyml_op(e, IONIC_OP_SUB, v->place, *steady, x, NONE, rate));
  return easyml_op(e, IONIC_OP_DIV, v->place, *rate, tau, NONE, rate);
}

/* The variable that .external() calls so, else of that name; NONE. */
static int32_t outside(const EasyMl *e, const char *name) {
  int32_t found = NONE;
  for (int32_t k = 0; k < e->n_variable; ++k) {
    if (name_is(e->variable[k].outside, name)) return k;
    if (name_is(e->variable[k].name, name)) found = k;
  }
  return found;
}

static Status minus_current(EasyMl *e, const EasyVariable *v, int32_t *rate) {
  int32_t current, minus;
  const int32_t total = outside(e, "Iion");
  if (total < 0 || e->variable[total].value < 0)
    return model_fail(e->model, v->place,
                      "nothing changes the potential '%.*s': 'Iion' is not assigned\n  write Iion = INa + ..;, in A/F",
                      v->name.n, v->name.text);
  TRY(name_of(e, total, e->variable[total].place, &current));
  TRY(number(e, -1, (Unit){0}, v->place, &minus));
  return easyml_op(e, IONIC_OP_MUL, v->place, minus, current, NONE, rate);
}

/* Does a formula name a variable, be it by others? mark[n_variable]: those that were looked at. */
static bool needs(const EasyMl *e, int32_t at, int32_t variable, uint8_t *mark) {
  if (at < 0) return false;
  const FormulaNode *n = &e->model->node[at];
  bool found = false;
  for (int k = 0; k < 3 && n->kind == FORMULA_OP && !found; ++k) found = needs(e, n->child[k], variable, mark);
  if (n->kind != FORMULA_NAME) return found;
  const int32_t i = easyml_find(e, n->first);
  if (i < 0 || i == variable || mark[i]) return i == variable;
  mark[i] = 1;
  return needs(e, e->variable[i].value, variable, mark);
}

/* What .store() keeps is worked out anew in each step, as anything is, unless it goes on from what it was. */
static Status check_stored(const EasyMl *e, const EasyVariable *v) {
  uint8_t *mark = NULL;
  ALLOC(mark, e->n_variable, "variables of a cell model");
  const bool by_hand = v->value < 0 || needs(e, v->value, easyml_find(e, v->name), mark);
  FREE(mark);
  if (!by_hand) return OK;
  return model_fail(e->model, v->place,
                    "'%.*s' is updated by hand (.store()), which has no rate of change\n  write diff_%.*s = ..;",
                    v->name.n, v->name.text, v->name.n, v->name.text);
}

/* Half of a gate with an initial value: it would stay what it is for ever. */
static bool is_half(const Parts *p) { return (p->steady >= 0) != (p->tau >= 0) && p->initial >= 0 && !is_pair(p); }
static Status fail_half(const EasyMl *e, const EasyVariable *v, const Parts *p) {
  const Name x = v->name;
  return model_fail(
      e->model, v->place,
      "state '%.*s' has no rate: of %.*s_inf and tau_%.*s only the %s is there\n  write the other one, or "
      "diff_%.*s = ..;",
      x.n, x.text, x.n, x.text, x.n, x.text, p->tau >= 0 ? "second" : "first", x.n, x.text);
}

/* Rate and initial value of a state; rate NONE: it is none. */
static Status take_state(EasyMl *e, const EasyVariable *v, bool potential, int32_t *rate, int32_t *initial) {
  *rate = *initial = NONE;
  const Parts p = easyml_parts_of(e, v->name);
  if (v->stored && p.rate < 0 && !is_pair(&p)) TRY(check_stored(e, v));
  if (v->value >= 0) return OK;
  if (p.rate >= 0) TRY(name_of(e, p.rate, v->place, rate));
  else if (potential) TRY(minus_current(e, v, rate));
  else if (is_half(&p) && !v->outside.text && !v->stored) return fail_half(e, v, &p);
  else if (!is_pair(&p) || !is_mentioned(e, v->name)) return OK;
  else if (p.tau >= 0 && p.steady >= 0) TRY(by_time(e, v, &p, rate, initial));
  else TRY(by_rates(e, v, &p, rate, initial));
  if (p.initial >= 0) TRY(name_of(e, p.initial, v->place, initial));
  if (*initial >= 0) return OK;
  return model_fail(e->model, v->place, "state '%.*s' has no initial value\n  write %.*s_init = ..;", v->name.n,
                    v->name.text, v->name.n, v->name.text);
}

/* A variable that is not a state and was never assigned: what x_init says, or the time; of a tension what it is told. False: there is
 * none of it. */
static Status without_value(EasyMl *e, const EasyVariable *v, bool *is, int32_t *formula, ModelRole *role) {
  const int32_t initial = part_of(e, "", v->name, "_init");
  const bool told = e->model->tension && v->outside.text && is_mentioned(e, v->name);
  *is = initial >= 0 || told;
  if (initial >= 0) return name_of(e, initial, v->place, formula);
  if (told) {
    *role = ROLE_OUTSIDE;
    return number(e, 0, v->unit, v->place, formula);
  }
  if (v->outside.text && is_mentioned(e, v->name))
    return model_fail(
        e->model, v->place,
        "'%.*s' comes from outside (.external()), and nothing here gives it a value\n  write %.*s_init = ..;",
        v->name.n, v->name.text, v->name.n, v->name.text);
  return OK;
}

static Status add(EasyMl *e, int32_t i, bool potential) {
  const EasyVariable v = e->variable[i];
  ModelVariable m = {.name = v.name,
                     .outside = v.outside,
                     .component = NONE,
                     .parent = NONE,
                     .formula = v.value,
                     .initial = NONE,
                     .unit = v.unit,
                     .adjustable = v.adjustable,
                     .limited = v.limited,
                     .lower = v.lower,
                     .upper = v.upper,
                     .place = v.place,
                     .role = potential ? ROLE_POTENTIAL : ROLE_NONE};
  int32_t rate, index;
  bool is = true;
  TRY(take_state(e, &v, potential, &rate, &m.initial));
  if (rate >= 0) m.formula = rate, m.is_state = true;
  else if (v.value < 0) TRY(without_value(e, &v, &is, &m.formula, &m.role));
  return is ? model_add_variable(e->model, m, &index) : OK;
}

/* t that is neither assigned nor a state. */
static bool is_time(const EasyMl *e, int32_t k) {
  const EasyVariable *v = &e->variable[k];
  if (!name_is(v->name, "t") || v->value >= 0) return false;
  const Parts p = easyml_parts_of(e, v->name);
  return p.rate < 0 && !is_pair(&p);
}

/* t, which a model may name without more. */
static Status add_time(EasyMl *e) {
  const Name t = {"t", 1};
  ModelVariable m = {.name = t,
                     .component = NONE,
                     .parent = NONE,
                     .initial = NONE,
                     .role = ROLE_TIME,
                     .place = {.line = 1, .column = 1}};
  int32_t index;
  (void)unit_named("ms", 2, &m.unit);
  for (int32_t k = 0; k < e->model->n_variable; ++k)
    if (name_same(e->model->variable[k].name, t)) return OK;
  TRY(number(e, 0, m.unit, m.place, &m.formula));
  return model_add_variable(e->model, m, &index);
}

Status easyml_build(EasyMl *e) {
  TRY(find_states(e));
  const int32_t potential = outside(e, "Vm") >= 0 ? outside(e, "Vm") : easyml_find(e, (Name){"V", 1});
  if (potential < 0 && !e->model->tension)
    return model_fail(e->model, (ModelPlace){.line = 1, .column = 1},
                      "no variable is the potential of the membrane\n  write V; .external(Vm);");
  for (int32_t k = 0; k < e->n_variable; ++k) {
    if (!is_time(e, k)) TRY(add(e, k, k == potential && !e->model->tension));
  }
  return add_time(e);
}
