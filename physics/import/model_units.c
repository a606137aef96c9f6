/* Units of formulas. What has no unit fits everything: a number without one makes the unit of its product unknown. */
#include "physics/import/cell_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Units {
  const CellModel *model;
  int n, shown; /* that do not fit; so many are named */
  char text[2048];
} Units;

static void misfit(Units *u, ModelPlace place, const char *what, Unit a, Unit b) {
  char one[UNIT_TEXT], other[UNIT_TEXT];
  if (u->n++ >= u->shown) return;
  snprintf(u->text + strlen(u->text), sizeof u->text - strlen(u->text), "%s%s:%d:%d: units do not fit: %s: %s and %s",
           u->n > 1 ? "\n" : "", model_path(u->model, place), (int)place.line, (int)place.column, what,
           unit_text(a, one), unit_text(b, other));
}

static Unit same(Units *u, const FormulaNode *node, const char *what, Unit a, Unit b) {
  if (!unit_fits(a, b)) misfit(u, node->place, what, a, b);
  return a.known ? a : b;
}

static Unit unit_of(Units *u, int32_t at);

/* base ^ exponent, an exponent that is a number. */
static Unit unit_of_power(Units *u, const FormulaNode *node, Unit base, Unit exponent) {
  const FormulaNode *power = &u->model->node[node->child[1]];
  double value = power->number;
  bool is_number = power->kind == FORMULA_NUMBER;
  if (power->kind == FORMULA_OP && power->op == IONIC_OP_NEG) {
    const FormulaNode *negated = &u->model->node[power->child[0]];
    is_number = negated->kind == FORMULA_NUMBER, value = -negated->number;
  }
  if (!unit_fits(exponent, unit_one())) misfit(u, power->place, "an exponent has none", exponent, unit_one());
  if (!base.known || (!is_number && !unit_fits(base, unit_one()))) return (Unit){0};
  return is_number ? unit_product(unit_one(), base, value) : unit_one();
}

static Unit unit_of_op(Units *u, const FormulaNode *node) {
  Unit of[3] = {{0}};
  for (int k = 0; k < 3 && node->child[k] >= 0; ++k) of[k] = unit_of(u, node->child[k]);
  switch (node->op) {
  case IONIC_OP_ADD:
  case IONIC_OP_SUB:
  case IONIC_OP_REMAINDER:
  case IONIC_OP_MIN:
  case IONIC_OP_MAX: return same(u, node, "both sides of a sum", of[0], of[1]);
  case IONIC_OP_LESS:
  case IONIC_OP_AT_MOST:
  case IONIC_OP_EQUAL:
  case IONIC_OP_OTHER: (void)same(u, node, "both sides of a comparison", of[0], of[1]); return unit_one();
  case IONIC_OP_MUL: return unit_product(of[0], of[1], 1);
  case IONIC_OP_DIV:
  case IONIC_OP_QUOTIENT: return unit_product(of[0], of[1], -1);
  case IONIC_OP_POW: return unit_of_power(u, node, of[0], of[1]);
  case IONIC_OP_SQRT: return of[0].known ? unit_product(unit_one(), of[0], 0.5) : of[0];
  case IONIC_OP_SELECT: return same(u, node, "what a choice is made between", of[1], of[2]);
  case IONIC_OP_NEG:
  case IONIC_OP_ABS:
  case IONIC_OP_FLOOR:
  case IONIC_OP_CEIL: return of[0];
  case IONIC_OP_AND:
  case IONIC_OP_OR:
  case IONIC_OP_NOT: return unit_one();
  default: /* exp and the like */
    if (!unit_fits(of[0], unit_one())) misfit(u, node->place, "what a function takes", of[0], unit_one());
    return of[0].known ? unit_one() : of[0];
  }
}

/* Of the bound time; not known where none is bound. */
static Unit time_unit(const CellModel *m) {
  for (int32_t i = 0; i < m->n_variable; ++i)
    if (m->variable[i].role == ROLE_TIME) return m->variable[i].unit;
  return (Unit){0};
}

static Unit unit_of(Units *u, int32_t at) {
  const FormulaNode *node = &u->model->node[at];
  switch (node->kind) {
  case FORMULA_NUMBER: return node->unit;
  case FORMULA_NAME: return u->model->variable[node->variable].unit;
  case FORMULA_DERIVATIVE: return unit_product(u->model->variable[node->variable].unit, time_unit(u->model), -1);
  case FORMULA_OP: break;
  }
  return unit_of_op(u, node);
}

/* Names the first misfits; how many there are. */
static void check_units(Units *u) {
  const CellModel *m = u->model;
  for (int32_t i = 0; i < m->n_variable; ++i) {
    const ModelVariable *v = &m->variable[i];
    char what[NAME_TEXT + 40], name[NAME_TEXT];
    cell_model_name(m, i, name);
    const Unit own = v->is_state ? unit_product(v->unit, time_unit(m), -1) : v->unit;
    const Unit got = v->formula >= 0 && v->role != ROLE_TIME ? unit_of(u, v->formula) : own;
    snprintf(what, sizeof what, v->is_state ? "dot(%s) and its formula" : "%s and its formula", name);
    if (!unit_fits(own, got)) misfit(u, v->place, what, own, got);
  }
  const size_t used = strlen(u->text);
  if (u->n > u->shown) snprintf(u->text + used, sizeof u->text - used, "\n  and %d more", u->n - u->shown);
}

Status cell_model_check_units(const CellModel *m) {
  Units u = {.model = m, .shown = 5};
  check_units(&u);
  if (!u.n) return OK;
  return FAIL(ERR_INPUT, "%s\n  correct them, or say 'units: ignore' to take the numbers as they are", u.text);
}

void cell_model_warn_units(const CellModel *m) {
  Units u = {.model = m, .shown = 3};
  check_units(&u);
  if (!u.n) return;
  status_warn(
      "%s: units do not fit at %d place%s; the numbers are taken as they are\n%s\n  remedy: 'units: ignore' says that "
      "this is meant, 'units: check' refuses the file",
      m->path, u.n, u.n > 1 ? "s" : "", u.text);
}
