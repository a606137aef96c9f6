/* EasyML: statements. What if assigns becomes a choice between that and what the variable was before. */
#include "physics/import/easyml.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64 };

/* What is assigned within a branch of if; outer NULL: not in any. */
typedef struct Branch {
  struct Branch *outer;
  struct Assigned {
    int32_t variable, value;
  } * item; /* owned, [n] */
  int32_t n;
} Branch;

static Status next(EasyMl *e) { return token_next(&e->at, e->model); }
static bool is(const EasyMl *e, const char *symbol) { return token_is(&e->at, symbol); }
static bool is_word(const EasyMl *e, const char *word) {
  return e->at.token.kind == TOKEN_NAME && name_is(e->at.token.text, word);
}

static Status expect(EasyMl *e, const char *symbol, const char *what) {
  if (!is(e, symbol)) return token_unexpected(&e->at, e->model, what);
  return next(e);
}

int32_t easyml_find(const EasyMl *e, Name name) {
  for (int32_t k = 0; k < e->n_variable; ++k)
    if (name_same(e->variable[k].name, name)) return k;
  return NONE;
}

Status easyml_variable(EasyMl *e, Name name, ModelPlace place, int32_t *out) {
  *out = easyml_find(e, name);
  if (*out >= 0) return OK;
  if (e->n_variable == MODEL_VARIABLES) return model_fail(e->model, place, "more than %d variables", MODEL_VARIABLES);
  if (model_list_full(e->n_variable)) RESIZE(e->variable, model_list_grown(e->n_variable), "variables of a cell model");
  *out = e->n_variable++;
  e->variable[*out] =
      (EasyVariable){.name = name, .value = NONE, .lower = -INFINITY, .upper = INFINITY, .place = place};
  return OK;
}

Status easyml_op(EasyMl *e, int op, ModelPlace place, int32_t a, int32_t b, int32_t c, int32_t *out) {
  return model_add_node(e->model, (FormulaNode){.kind = FORMULA_OP, .op = op, .child = {a, b, c}, .place = place}, out);
}

Status easyml_name(EasyMl *e, Name name, ModelPlace place, int32_t *out) {
  const FormulaNode node = {
      .kind = FORMULA_NAME, .first = name, .child = {NONE, NONE, NONE}, .variable = NONE, .place = place};
  return model_add_node(e->model, node, out);
}

Status easyml_text(EasyMl *e, Name a, Name b, const char *c, Name *out) {
  char *text = NULL;
  int32_t file;
  const int32_t n = a.n + b.n + (int32_t)strlen(c);
  ALLOC(text, n + 1, "a name of a cell model");
  snprintf(text, (size_t)n + 1, "%.*s%.*s%s", a.n, a.text, b.n, b.text, c);
  const Status status = model_keep(e->model, NULL, text, &file);
  if (status != OK) FREE(text);
  *out = (Name){text, n};
  return status;
}

static Status touch(EasyMl *e, int32_t variable) {
  if (model_list_full(e->n_touched)) RESIZE(e->touched, model_list_grown(e->n_touched), "variables of a cell model");
  e->touched[e->n_touched++] = variable;
  return OK;
}

static int32_t assigned_in(const Branch *b, int32_t variable) {
  for (int32_t k = 0; k < b->n; ++k)
    if (b->item[k].variable == variable) return b->item[k].value;
  return NONE;
}

/* What a variable is so far; NONE: nothing. */
static int32_t so_far(const EasyMl *e, const Branch *b, int32_t variable) {
  for (; b; b = b->outer) {
    const int32_t value = assigned_in(b, variable);
    if (value >= 0) return value;
  }
  return e->variable[variable].value;
}

static Status assign(EasyMl *e, Branch *b, int32_t variable, int32_t value) {
  if (!b) {
    e->variable[variable].value = value;
    return OK;
  }
  for (int32_t k = 0; k < b->n; ++k)
    if (b->item[k].variable == variable) {
      b->item[k].value = value;
      return OK;
    }
  if (model_list_full(b->n)) RESIZE(b->item, model_list_grown(b->n), "branches of a cell model");
  b->item[b->n++] = (struct Assigned){variable, value};
  return OK;
}

/* A formula that several others take up gets a name of its own, "x before line 12". */
static Status shared(EasyMl *e, int32_t variable, ModelPlace place, int32_t value, int32_t *out) {
  const FormulaNode *n = &e->model->node[value];
  const EasyVariable v = e->variable[variable];
  char text[64];
  Name name;
  int32_t hidden;
  *out = value;
  if (n->kind != FORMULA_OP) return OK;
  snprintf(text, sizeof text, " before line %d, column %d", (int)place.line, (int)place.column);
  TRY(easyml_text(e, v.name, (Name){"", 0}, text, &name));
  TRY(easyml_variable(e, name, v.place, &hidden));
  e->variable[hidden].unit = v.unit;
  e->variable[hidden].value = value;
  return easyml_name(e, name, place, out);
}

/* Both branches into the one around: where one has nothing, what was before. */
static Status merge(EasyMl *e, Branch *outer, int32_t condition, ModelPlace place, const Branch *then,
                    const Branch *rest) {
  for (int side = 0; side < 2; ++side) {
    const Branch *from = side ? rest : then;
    for (int32_t k = 0; k < from->n; ++k) {
      const int32_t v = from->item[k].variable;
      int32_t other = assigned_in(side ? then : rest, v), value;
      if (side && other >= 0) continue; /* done */
      if (other < 0) other = so_far(e, outer, v);
      if (other < 0)
        return model_fail(e->model, place,
                          "'%.*s' has no value where this condition is%s met\n  assign it before, or in all branches",
                          e->variable[v].name.n, e->variable[v].name.text, side ? "" : " not");
      if (assigned_in(side ? then : rest, v) < 0) TRY(shared(e, v, place, other, &other));
      TRY(easyml_op(e, IONIC_OP_SELECT, place, condition, side ? other : from->item[k].value,
                    side ? from->item[k].value : other, &value));
      TRY(assign(e, outer, v, value));
    }
  }
  return OK;
}

static Status statements(EasyMl *e, Branch *b);

static Status block(EasyMl *e, Branch *b) {
  TRY(expect(e, "{", "'{'"));
  if (++e->depth > DEEPEST)
    return model_fail(e->model, e->at.token.place, "blocks are nested more than %d deep", DEEPEST);
  TRY(statements(e, b));
  --e->depth;
  return expect(e, "}", "'}'");
}

/* From the condition on: if (c) {..} elif (c) {..} else {..}; else if is elif. */
static Status conditional(EasyMl *e, Branch *outer) {
  const ModelPlace place = e->at.token.place;
  Branch then = {.outer = outer}, rest = {.outer = outer};
  int32_t condition;
  Status status = expect(e, "(", "'(' and a condition");
  if (status == OK) status = token_formula(&e->at, e->model, &condition);
  if (status == OK) status = expect(e, ")", "')'");
  if (status == OK) status = block(e, &then);
  const bool other = status == OK && is_word(e, "else");
  if (other) status = next(e);
  if (status == OK && (is_word(e, "elif") || (other && is_word(e, "if")))) {
    if (++e->depth > DEEPEST) status = model_fail(e->model, place, "more than %d conditions in a row", DEEPEST);
    if (status == OK) status = next(e);
    if (status == OK) status = conditional(e, &rest);
    --e->depth;
  } else if (other && status == OK) status = block(e, &rest);
  if (status == OK) status = merge(e, outer, condition, place, &then, &rest);
  FREE(then.item);
  FREE(rest.item);
  return status;
}

/* x; or x = formula; or x += formula; from the name on. */
static Status simple(EasyMl *e, Branch *b) {
  static const struct Update {
    const char *symbol;
    int op;
  } updates[] = {{"+=", IONIC_OP_ADD}, {"-=", IONIC_OP_SUB}, {"*=", IONIC_OP_MUL}, {"/=", IONIC_OP_DIV}};
  const Token name = e->at.token;
  int32_t variable, value, op = NONE;
  TRY(easyml_variable(e, name.text, name.place, &variable));
  TRY(touch(e, variable));
  TRY(next(e));
  if (is(e, ";")) return next(e);
  for (size_t k = 0; k < sizeof updates / sizeof *updates; ++k)
    if (is(e, updates[k].symbol)) op = updates[k].op;
  if (!is(e, "=") && op < 0) return token_unexpected(&e->at, e->model, "';', or '=' and a formula");
  const int32_t before = so_far(e, b, variable);
  const EasyVariable *v = &e->variable[variable];
  if (op >= 0 && before < 0)
    return model_fail(e->model, name.place, "'%.*s' has no value yet that could be updated", v->name.n, v->name.text);
  if (op < 0 && !b && v->value >= 0)
    return model_fail(e->model, name.place,
                      "'%.*s' is assigned twice, first in line %d\n  allowed is += and the like, and if", v->name.n,
                      v->name.text, (int)v->place.line);
  if (v->value < 0) e->variable[variable].place = name.place;
  TRY(next(e));
  TRY(token_formula(&e->at, e->model, &value));
  if (op >= 0) TRY(easyml_op(e, op, name.place, before, value, NONE, &value));
  if (!is(e, ";")) return token_unexpected(&e->at, e->model, "';' (a power is pow(a, b))");
  TRY(assign(e, b, variable, value));
  return next(e);
}

static Status statements(EasyMl *e, Branch *b) {
  int32_t from = e->n_touched; /* what the last statement named */
  while (e->at.token.kind != TOKEN_END_OF_FILE && !is(e, "}")) {
    if (is(e, ".")) {
      TRY(easyml_markup(e, from));
      continue;
    }
    if (is(e, ";")) {
      TRY(next(e));
      continue;
    }
    if (e->at.token.kind != TOKEN_NAME) return token_unexpected(&e->at, e->model, "a statement, such as x = 1;");
    from = e->n_touched;
    if (is_word(e, "group")) {
      TRY(next(e));
      TRY(block(e, b));
    } else if (is_word(e, "if")) {
      TRY(next(e));
      TRY(conditional(e, b));
    } else TRY(simple(e, b));
  }
  return OK;
}

static Status read_all(EasyMl *e) {
  token_open(&e->at, e->model->text, true);
  TRY(next(e));
  TRY(statements(e, NULL));
  if (is(e, "}")) return token_unexpected(&e->at, e->model, "a statement; this bracket was never opened");
  return easyml_build(e);
}

Status easyml_parse(CellModel *model) {
  EasyMl e = {.model = model};
  const Status status = read_all(&e);
  FREE(e.variable);
  FREE(e.touched);
  return status;
}
