/* Which variables are the potential and the stimulus, where a model or a case says so, or the names do. */
#include "physics/import/cell_model.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool model_needs_time(const CellModel *m, int32_t at, uint8_t *mark) {
  if (at < 0) return false;
  const FormulaNode *n = &m->node[at];
  bool needs = false;
  if (n->kind == FORMULA_NAME) {
    const ModelVariable *v = &m->variable[n->variable];
    enum { NOT_SEEN, NO, YES };
    if (v->role == ROLE_TIME) return true;
    if (v->is_state || v->role == ROLE_PACE) return false;
    if (mark[n->variable] == NOT_SEEN) mark[n->variable] = model_needs_time(m, v->formula, mark) ? YES : NO;
    return mark[n->variable] == YES;
  }
  for (int k = 0; k < 3 && n->kind == FORMULA_OP; ++k) needs |= model_needs_time(m, n->child[k], mark);
  return needs;
}

/* i_Stim, Istim, I_app ...: small letters without underscores. */
static bool is_stimulus_name(Name name) {
  static const char *const whole[] = {"ist", "iapp", "iapplied", "iext", "iinj"};
  char text[NAME_TEXT];
  int n = 0;
  for (int32_t k = 0; k < name.n && n < NAME_TEXT - 1; ++k)
    if (name.text[k] != '_') text[n++] = (char)tolower((unsigned char)name.text[k]);
  text[n] = 0;
  for (size_t k = 0; k < sizeof whole / sizeof *whole; ++k)
    if (!strcmp(text, whole[k])) return true;
  return strstr(text, "istim") != NULL;
}

static bool mentions(const CellModel *m, int32_t at, int32_t variable) {
  if (at < 0) return false;
  const FormulaNode *n = &m->node[at];
  if (n->kind == FORMULA_NAME) return n->variable == variable;
  return mentions(m, n->child[0], variable) || mentions(m, n->child[1], variable) || mentions(m, n->child[2], variable);
}

Status model_find_stimulus(CellModel *m) {
  Status status = OK;
  uint8_t *mark = NULL, *candidate = NULL;
  int32_t found = NONE, n = 0;
  for (int32_t i = 0; i < m->n_variable; ++i)
    if (m->variable[i].role == ROLE_PACE) return OK;
  ALLOC_DONE(mark, m->n_variable, "variables of a cell model");
  ALLOC_DONE(candidate, m->n_variable, "variables of a cell model");
  for (int32_t i = 0; i < m->n_variable; ++i) {
    const ModelVariable *v = &m->variable[i];
    candidate[i] =
        !v->is_state && v->role == ROLE_NONE && is_stimulus_name(v->name) && model_needs_time(m, v->formula, mark);
  }
  for (int32_t i = 0; i < m->n_variable; ++i) {
    bool part = false; /* of another candidate */
    for (int32_t o = 0; candidate[i] && o < m->n_variable; ++o)
      part |= candidate[o] && o != i && mentions(m, m->variable[o].formula, i);
    if (candidate[i] && !part) found = i, ++n;
  }
  if (n == 1) m->variable[found].role = ROLE_PACE;
done:
  FREE(mark);
  FREE(candidate);
  return status;
}

static Status choose(CellModel *m, const char *name, ModelRole role) {
  const char *key = role == ROLE_POTENTIAL ? "potential" : "stimulus";
  const int32_t i = cell_model_find(m, name);
  char text[NAME_TEXT];
  if (i < 0) return cell_model_unknown(m, name);
  const ModelVariable *v = &m->variable[i];
  if (v->role == ROLE_TIME || v->is_state != (role == ROLE_POTENTIAL))
    return model_fail(m, v->place, "'%s' is %s; the %s must be %s", cell_model_name(m, i, text),
                      v->role == ROLE_TIME ? "the time"
                      : v->is_state        ? "a state"
                                           : "not a state",
                      key, role == ROLE_POTENTIAL ? "one" : "a current or its level, worked out or constant");
  for (int32_t o = 0; o < m->n_variable; ++o)
    if (m->variable[o].role == role) m->variable[o].role = ROLE_NONE;
  m->variable[i].role = role;
  return OK;
}

Status cell_model_unknown(const CellModel *m, const char *name) {
  char text[NAME_TEXT], best[NAME_TEXT] = "";
  int least = 1 << 20;
  for (int32_t v = 0; v < m->n_variable; ++v) {
    const int far = nearest_distance(name, cell_model_name(m, v, text));
    if (far < least) least = far, snprintf(best, sizeof best, "%s", text);
  }
  return FAIL(ERR_INPUT, "unknown variable '%s' of the cell model %s; the nearest is '%s'", name, m->path, best);
}

/* Passive cells have none beside the potential, and programs have at least one: it never changes. */
static Status give_a_state(CellModel *model) {
  const FormulaNode zero = {.kind = FORMULA_NUMBER, .child = {NONE, NONE, NONE}};
  ModelVariable v = {.name = {"unused", 6}, .component = NONE, .parent = NONE, .is_state = true};
  int32_t potential = NONE, index;
  for (int32_t k = 0; k < model->n_variable; ++k) {
    if (model->variable[k].is_state && model->variable[k].role != ROLE_POTENTIAL) return OK;
    if (model->variable[k].role == ROLE_POTENTIAL) potential = k;
  }
  if (potential < 0) return OK; /* said elsewhere */
  TRY(model_add_node(model, zero, &v.formula));
  TRY(model_add_node(model, zero, &v.initial));
  v.component = model->variable[potential].component;
  TRY(model_add_variable(model, v, &index));
  FREE(model->order);
  return model_sort(model);
}

Status cell_model_choose(CellModel *m, const char *potential, const char *stimulus) {
  if (potential) TRY(choose(m, potential, ROLE_POTENTIAL));
  if (stimulus) TRY(choose(m, stimulus, ROLE_PACE));
  return give_a_state(m);
}
