/* Myokit's format (.mmt): components with variables, which may have others nested in them by their indentation. Of the
 * file the part [[model]] is read. */
#include "physics/import/model_token.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 32 };

/* What is nested in what: variables by the column where their line begins. */
typedef struct Nest {
  int32_t column, variable;
} Nest;

typedef struct Mmt {
  TokenText at;
  CellModel *model;
  int32_t component; /* NONE: before the first one */
  Nest nest[DEEPEST];
  int n_nest;
  struct Initial {
    Name first, second;
    int32_t formula;
    ModelPlace place;
  } initial[IONIC_IMPORTED_STATES + 1];
  int n_initial;
} Mmt;

static bool starts_section(const TokenText *t) { return t->token.kind == TOKEN_SECTION; }

/* The variable that a line at this column belongs to, NONE: to the component. */
static int32_t owner(Mmt *p, int32_t column) {
  while (p->n_nest && p->nest[p->n_nest - 1].column >= column) --p->n_nest;
  return p->n_nest ? p->nest[p->n_nest - 1].variable : NONE;
}

static Status expect(Mmt *p, const char *symbol) {
  if (!token_is(&p->at, symbol)) return token_unexpected(&p->at, p->model, symbol);
  return token_next(&p->at, p->model);
}

static Status take_name(Mmt *p, const char *what, Name *out) {
  if (p->at.token.kind != TOKEN_NAME) return token_unexpected(&p->at, p->model, what);
  *out = p->at.token.text;
  return token_next(&p->at, p->model);
}

/* component.name */
static Status take_qualified(Mmt *p, Name *first, Name *second) {
  TRY(take_name(p, "component.name", first));
  TRY(expect(p, "."));
  return take_name(p, "a name after the point", second);
}

static Status take_unit(Mmt *p, int32_t variable) {
  if (p->at.token.kind != TOKEN_UNIT) return token_unexpected(&p->at, p->model, "a unit such as [mV]");
  p->model->variable[variable].unit = p->at.token.unit;
  return token_next(&p->at, p->model);
}

static Status take_role(Mmt *p, int32_t variable, bool label) {
  const ModelPlace place = p->at.token.place;
  Name name = {0};
  TRY(take_name(p, label ? "a label" : "what it is bound to", &name));
  ModelVariable *v = &p->model->variable[variable];
  const ModelRole role = label && name_is(name, "membrane_potential") ? ROLE_POTENTIAL
                         : !label && name_is(name, "time")            ? ROLE_TIME
                         : !label && name_is(name, "pace")            ? ROLE_PACE
                                                                      : ROLE_NONE;
  for (int32_t i = 0; role && i < p->model->n_variable; ++i)
    if (i != variable && p->model->variable[i].role == role)
      return model_fail(p->model, place, "'%.*s' is given twice, first to the variable in line %d", name.n, name.text,
                        (int)p->model->variable[i].place.line);
  if (role) v->role = role;
  return OK;
}

/* "in [mV] bind time label x" behind a formula or in a line of its own, to the end of the line. */
static Status take_properties(Mmt *p, int32_t variable) {
  while (p->at.token.kind == TOKEN_NAME) {
    const Name word = p->at.token.text;
    const bool in = name_is(word, "in"), bind = name_is(word, "bind"), label = name_is(word, "label");
    if (!in && !bind && !label) break;
    TRY(token_next(&p->at, p->model));
    TRY(in ? take_unit(p, variable) : take_role(p, variable, label));
  }
  return OK;
}

static Status already_there(const Mmt *p, const ModelVariable *v) {
  for (int32_t i = 0; i < p->model->n_variable; ++i) {
    const ModelVariable *o = &p->model->variable[i];
    if (o->component == v->component && o->parent == v->parent && name_same(o->name, v->name))
      return model_fail(p->model, v->place, "'%.*s' is defined twice, first in line %d", v->name.n, v->name.text,
                        (int)o->place.line);
  }
  return OK;
}

/* name = formula, or dot(name) = formula, from the name on. */
static Status take_variable(Mmt *p, bool is_state, ModelPlace place) {
  ModelVariable v = {.component = p->component, .initial = NONE, .is_state = is_state, .place = place};
  int32_t index;
  v.parent = owner(p, place.column);
  if (p->component < 0) return model_fail(p->model, place, "a variable before the first component, such as [membrane]");
  if (is_state && v.parent >= 0) return model_fail(p->model, place, "a state cannot be nested in another variable");
  TRY(take_name(p, "the name of a variable", &v.name));
  if (is_state) TRY(expect(p, ")"));
  TRY(expect(p, "="));
  TRY(already_there(p, &v));
  TRY(token_formula(&p->at, p->model, &v.formula));
  TRY(model_add_variable(p->model, v, &index));
  TRY(take_properties(p, index));
  if (p->n_nest == DEEPEST) return model_fail(p->model, place, "variables are nested more than %d deep", DEEPEST);
  p->nest[p->n_nest++] = (Nest){place.column, index};
  return mmt_end_line(&p->at, p->model);
}

static Status take_aliases(Mmt *p) {
  do {
    ModelAlias alias = {.component = p->component};
    TRY(token_next(&p->at, p->model)); /* use, or the comma */
    alias.place = p->at.token.place;
    TRY(take_qualified(p, &alias.first, &alias.second));
    alias.name = alias.second;
    if (p->at.token.kind == TOKEN_NAME && name_is(p->at.token.text, "as")) {
      TRY(token_next(&p->at, p->model));
      TRY(take_name(p, "the other name", &alias.name));
    }
    TRY(model_add_alias(p->model, alias));
  } while (token_is(&p->at, ","));
  return mmt_end_line(&p->at, p->model);
}

/* component.name = number, before the components. */
static Status take_initial(Mmt *p) {
  struct Initial *i = &p->initial[p->n_initial];
  i->place = p->at.token.place;
  if (p->n_initial == IONIC_IMPORTED_STATES)
    return model_fail(p->model, i->place, "more than %d states", IONIC_IMPORTED_STATES);
  TRY(take_qualified(p, &i->first, &i->second));
  TRY(expect(p, "="));
  TRY(token_formula(&p->at, p->model, &i->formula));
  ++p->n_initial;
  return mmt_end_line(&p->at, p->model);
}

static Status take_line(Mmt *p) {
  const Token first = p->at.token;
  if (first.kind == TOKEN_COMPONENT) {
    for (int32_t c = 0; c < p->model->n_component; ++c)
      if (name_same(p->model->component[c], first.text))
        return model_fail(p->model, first.place, "component '%.*s' is defined twice", first.text.n, first.text.text);
    p->n_nest = 0;
    TRY(model_add_component(p->model, first.text, &p->component));
    TRY(token_next(&p->at, p->model));
    return mmt_end_line(&p->at, p->model);
  }
  if (first.kind != TOKEN_NAME) return token_unexpected(&p->at, p->model, "a variable, such as x = 1");
  if (mmt_is_remark(&p->at)) return mmt_skip_remark(&p->at, p->model);
  if (name_is(first.text, "dot")) {
    TRY(token_next(&p->at, p->model));
    TRY(expect(p, "("));
    return take_variable(p, true, first.place);
  }
  const bool property = name_is(first.text, "in") || name_is(first.text, "bind") || name_is(first.text, "label");
  if (property && !mmt_is_before(&p->at, '=')) {
    const int32_t variable = owner(p, first.place.column);
    if (variable < 0)
      return model_fail(p->model, first.place, "'%.*s' belongs to no variable: it must stand below one, indented more",
                        first.text.n, first.text.text);
    TRY(take_properties(p, variable));
    return mmt_end_line(&p->at, p->model);
  }
  if (name_is(first.text, "use") && !mmt_is_before(&p->at, '=')) return take_aliases(p);
  return p->component < 0 ? take_initial(p) : take_variable(p, false, first.place);
}

/* Initial values to their states, and every state has one. */
static Status give_initials(Mmt *p) {
  CellModel *m = p->model;
  for (int k = 0; k < p->n_initial; ++k) {
    const struct Initial *i = &p->initial[k];
    int32_t found = NONE;
    for (int32_t v = 0; v < m->n_variable; ++v)
      if (m->variable[v].is_state && name_same(m->variable[v].name, i->second) &&
          name_same(m->component[m->variable[v].component], i->first))
        found = v;
    if (found < 0)
      return model_fail(m, i->place,
                        "an initial value for '%.*s.%.*s', which is not a state: there is no dot(%.*s) = .. in [%.*s]",
                        i->first.n, i->first.text, i->second.n, i->second.text, i->second.n, i->second.text, i->first.n,
                        i->first.text);
    m->variable[found].initial = i->formula;
  }
  for (int32_t v = 0; v < m->n_variable; ++v) {
    char name[NAME_TEXT];
    if (m->variable[v].is_state && m->variable[v].initial < 0)
      return model_fail(m, m->variable[v].place, "state '%s' has no initial value\n  write '%s = ..' below [[model]]",
                        cell_model_name(m, v, name), name);
  }
  return OK;
}

Status mmt_parse(CellModel *model) {
  Mmt p = {.model = model, .component = NONE};
  bool found = false;
  token_open(&p.at, model->text, false);
  TRY(token_next(&p.at, model));
  while (p.at.token.kind != TOKEN_END_OF_FILE) {
    if (!starts_section(&p.at)) return token_unexpected(&p.at, model, "[[model]]");
    const bool is_model = name_is(p.at.token.text, "model");
    found |= is_model;
    if (!is_model) {
      TRY(mmt_skip_section(&p.at, model));
      continue;
    }
    TRY(token_next(&p.at, model));
    TRY(mmt_end_line(&p.at, model));
    while (p.at.token.kind != TOKEN_END_OF_FILE && !starts_section(&p.at)) TRY(take_line(&p));
  }
  if (!found) return model_fail(model, (ModelPlace){.line = 1, .column = 1}, "there is no [[model]] in this file");
  return give_initials(&p);
}
