/* Names in formulas become variables; variables are put in an order in which each needs earlier ones only. */
#include "physics/import/cell_model.h"
#include "core/memory.h"
#include "core/nearest.h"

#include <stdio.h>
#include <string.h>

static int32_t named_in(const CellModel *m, int32_t component, int32_t parent, Name name) {
  for (int32_t i = 0; i < m->n_variable; ++i) {
    const ModelVariable *v = &m->variable[i];
    if (v->component == component && v->parent == parent && name_same(v->name, name)) return i;
  }
  return NONE;
}

static int32_t qualified(const CellModel *m, Name component, Name name) {
  for (int32_t c = 0; c < m->n_component; ++c)
    if (name_same(m->component[c], component)) return named_in(m, c, NONE, name);
  return NONE;
}

/* What a name means in the formula of variable `of`: what is nested in it, what is nested beside it and so on outwards,
 * the component, its aliases. */
static int32_t meaning(const CellModel *m, int32_t of, const FormulaNode *node) {
  const int32_t component = m->variable[of].component;
  if (node->second.n) return qualified(m, node->first, node->second);
  for (int32_t parent = of; parent >= 0; parent = m->variable[parent].parent) {
    const int32_t found = named_in(m, component, parent, node->first);
    if (found >= 0) return found;
  }
  const int32_t found = named_in(m, component, NONE, node->first);
  for (int32_t k = 0; found < 0 && k < m->n_alias; ++k)
    if (m->alias[k].component == component && name_same(m->alias[k].name, node->first))
      return qualified(m, m->alias[k].first, m->alias[k].second);
  return found;
}

static Status unknown_name(const CellModel *m, const FormulaNode *node) {
  char seen[NAME_TEXT], text[NAME_TEXT], best[NAME_TEXT] = "";
  int least = 1 << 20;
  snprintf(seen, sizeof seen, "%.*s%s%.*s", node->first.n, node->first.text, node->second.n ? "." : "", node->second.n,
           node->second.n ? node->second.text : "");
  for (int32_t i = 0; i < m->n_variable; ++i) {
    const char *name = cell_model_name(m, i, text), *dot = strchr(name, '.');
    const char *own = node->second.n || !dot ? name : dot + 1;
    const int far = nearest_distance(seen, own);
    if (far >= least || !nearest_name(seen, 1, &own)) continue;
    least = far;
    snprintf(best, sizeof best, "%s", name);
  }
  return model_fail(m, node->place, "unknown name '%s'%s%s%s", seen, *best ? "\n  did you mean '" : "", best,
                    *best ? "'?" : "\n  a variable of another component is written component.name");
}

static Status resolve_formula(CellModel *m, int32_t of, int32_t at) {
  if (at < 0) return OK;
  FormulaNode *node = &m->node[at];
  for (int k = 0; k < 3; ++k) TRY(resolve_formula(m, of, node->child[k]));
  if (node->kind != FORMULA_NAME && node->kind != FORMULA_DERIVATIVE) return OK;
  if (node->variable < 0) node->variable = meaning(m, of, node);
  if (node->variable < 0) return unknown_name(m, node);
  if (node->kind == FORMULA_DERIVATIVE && !m->variable[node->variable].is_state)
    return model_fail(m, node->place, "dot(%.*s): '%.*s' is not a state", node->first.n, node->first.text,
                      node->first.n, node->first.text);
  return OK;
}

Status model_resolve(CellModel *m) {
  for (int32_t k = 0; k < m->n_alias; ++k) {
    const ModelAlias *a = &m->alias[k];
    const FormulaNode node = {.first = a->first, .second = a->second, .place = a->place};
    if (qualified(m, a->first, a->second) < 0) return unknown_name(m, &node);
  }
  for (int32_t i = 0; i < m->n_variable; ++i) {
    TRY(resolve_formula(m, i, m->variable[i].formula));
    TRY(resolve_formula(m, i, m->variable[i].initial));
  }
  return OK;
}

enum { CHAIN_MOST = 5000 };

/* A depth-first walk; where[i] 0: not seen, 1: on the way, 2: done. */
typedef struct Walk {
  CellModel *model;
  uint8_t *where;
  int32_t *depth; /* [n_variable] operations and definitions one after the other below a variable */
  int32_t *path, n_path, n_order, deep;
} Walk;

static Status circle(const Walk *w, int32_t i) {
  char text[1024] = "", name[NAME_TEXT];
  int32_t k = w->n_path;
  while (k > 0 && w->path[k - 1] != i) --k;
  for (--k; k < w->n_path; ++k)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s needs ", cell_model_name(w->model, w->path[k], name));
  const ModelVariable *v = &w->model->variable[i];
  return model_fail(
      w->model, v->place,
      "circular definitions: %s%s\n  one of them must be a state (dot(x) = ..), or must not depend on the others", text,
      cell_model_name(w->model, i, name));
}

static Status visit(Walk *w, int32_t i);
/* *depth: of the formula with all that it needs. */
static Status visit_formula(Walk *w, int32_t at, int32_t *depth) {
  *depth = 0;
  if (at < 0) return OK;
  const FormulaNode *node = &w->model->node[at];
  int32_t below = 0;
  for (int k = 0; k < 3; ++k) {
    int32_t of;
    TRY(visit_formula(w, node->child[k], &of));
    below = of > below ? of : below;
  }
  const bool name = node->kind == FORMULA_NAME && !w->model->variable[node->variable].is_state;
  if (name || node->kind == FORMULA_DERIVATIVE) {
    TRY(visit(w, node->variable));
    below = w->depth[node->variable];
  }
  *depth = below + 1;
  return OK;
}

static Status too_deep(const Walk *w, int32_t i) {
  char name[NAME_TEXT];
  return model_fail(w->model, w->model->variable[i].place,
                    "'%s' needs more than %d operations and definitions one after the other",
                    cell_model_name(w->model, i, name), CHAIN_MOST);
}

static Status visit(Walk *w, int32_t i) {
  if (w->where[i] == 2) return OK;
  if (w->where[i] == 1) return circle(w, i);
  const int32_t formula = w->model->variable[i].formula, own = formula < 0 ? 1 : w->model->node[formula].depth;
  if ((w->deep += own) > CHAIN_MOST) return too_deep(w, i);
  w->where[i] = 1;
  w->path[w->n_path++] = i;
  TRY(visit_formula(w, formula, &w->depth[i]));
  if (w->depth[i] > CHAIN_MOST) return too_deep(w, i);
  --w->n_path;
  w->deep -= own;
  w->where[i] = 2;
  w->model->order[w->n_order++] = i;
  return OK;
}

Status model_sort(CellModel *m) {
  Status status = OK;
  Walk walk = {.model = m};
  ALLOC_DONE(m->order, m->n_variable, "the order of variables");
  ALLOC_DONE(walk.where, m->n_variable, "the order of variables");
  ALLOC_DONE(walk.depth, m->n_variable, "the order of variables");
  ALLOC_DONE(walk.path, m->n_variable, "the order of variables");
  for (int32_t i = 0; i < m->n_variable; ++i) TRY_DONE(visit(&walk, i));
done:
  FREE(walk.where);
  FREE(walk.depth);
  FREE(walk.path);
  return status;
}
