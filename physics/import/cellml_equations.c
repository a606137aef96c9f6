/* CellML: where each variable is defined, and the cell model that comes of it. Connected variables are one variable of the model,
 * that of who has the equation or the initial value; where another has another unit, it is one too, a multiple of the first. */
#include "physics/import/cellml.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static const Xml *xml_of(const Cellml *c, int32_t part) { return &c->doc[c->part[part].doc].xml; }

/* <apply><eq/> left right </apply> belongs to the variable on its left, or on its right where left is a formula. */
static Status take_equation(Cellml *c, int32_t part, int32_t node) {
  const int32_t doc = c->part[part].doc;
  const Xml *x = xml_of(c, part);
  const int32_t eq = xml_child(x, node, NULL, NONE), left = eq < 0 ? NONE : xml_child(x, node, NULL, eq),
                right = left < 0 ? NONE : xml_child(x, node, NULL, left);
  if (eq < 0 || !name_is(x->node[eq].name, "eq") || right < 0 || xml_child(x, node, NULL, right) >= 0)
    return CELLML_FAIL(c, doc, node, "an equation is <apply><eq/> variable formula </apply>");
  int32_t variable = NONE, by = NONE;
  for (int side = 0; side < 2 && variable < 0; ++side) {
    const int32_t at = side ? right : left, head = xml_child(x, at, NULL, NONE);
    if (name_is(x->node[at].name, "ci")) {
      variable = cellml_find(c, part, xml_text(x, at, 0));
      const Name name = xml_text(x, at, 0);
      if (variable < 0)
        return CELLML_FAIL(c, doc, at, "there is no variable '%.*s' in this component", name.n, name.text);
    } else if (head >= 0 && name_is(x->node[head].name, "diff")) TRY(cellml_derivative(c, part, at, &variable, &by));
  }
  if (variable < 0)
    return CELLML_FAIL(c, doc, node,
                       "an equation that would have to be solved; a variable or a derivative stands alone on its left");
  CellmlVariable *v = &c->variable[variable];
  if (v->equation >= 0)
    return CELLML_FAIL(c, doc, node, "'%.*s' has two equations, the first one in line %d", v->name.n, v->name.text,
                       (int)x->node[v->equation].place.line);
  v->equation = node;
  v->by = by;
  if (by < 0) return OK;
  if (c->time < 0) c->time = by;
  if (cellml_first(c, by) != cellml_first(c, c->time))
    return CELLML_FAIL(c, doc, node, "derivatives by two variables, '%.*s' and '%.*s'; only those by time are read",
                       c->variable[by].name.n, c->variable[by].name.text, c->variable[c->time].name.n,
                       c->variable[c->time].name.text);
  return OK;
}

/* Of connected variables: one has an equation, else one an initial value. */
static Status find_definer(Cellml *c, int32_t k) {
  const CellmlVariable *v = &c->variable[k];
  CellmlVariable *first = &c->variable[cellml_first(c, k)];
  const int32_t doc = c->part[v->part].doc;
  if (v->equation >= 0) {
    const bool two = first->definer >= 0 && c->variable[first->definer].equation >= 0;
    if (two)
      return CELLML_FAIL(
          c, doc, v->equation, "'%.*s' has two equations in components that are connected, the first one in line %d",
          v->name.n, v->name.text,
          (int)cellml_place(c, c->part[c->variable[first->definer].part].doc, c->variable[first->definer].equation)
              .line);
    first->definer = k;
  }
  if (!v->initial.text) return OK;
  if (first->starter >= 0 && !name_same(v->initial, c->variable[first->starter].initial))
    return CELLML_FAIL(
        c, doc, v->node, "'%.*s' has another initial value than the variable it is connected to, in line %d", v->name.n,
        v->name.text,
        (int)cellml_place(c, c->part[c->variable[first->starter].part].doc, c->variable[first->starter].node).line);
  first->starter = k;
  if (first->definer < 0) first->definer = k;
  return OK;
}

Status cellml_equations(Cellml *c) {
  for (int32_t part = 0; part < c->n_part; ++part)
    for (int32_t math = xml_child(xml_of(c, part), c->part[part].node, "math", NONE); math >= 0;
         math = xml_child(xml_of(c, part), c->part[part].node, "math", math))
      for (int32_t k = xml_child(xml_of(c, part), math, NULL, NONE); k >= 0;
           k = xml_child(xml_of(c, part), math, NULL, k))
        TRY(take_equation(c, part, k));
  for (int32_t k = 0; k < c->n_variable; ++k) TRY(find_definer(c, k));
  return OK;
}

static Status add_number(Cellml *c, ModelPlace place, double number, Unit unit, int32_t *out) {
  const FormulaNode node = {.kind = FORMULA_NUMBER,
                            .number = number,
                            .unit = unit,
                            .child = {NONE, NONE, NONE},
                            .variable = NONE,
                            .place = place};
  return model_add_node(c->model, node, out);
}

Status cellml_converted(Cellml *c, int32_t formula, Unit from, Unit to, int32_t *out) {
  int32_t factor;
  *out = formula;
  if (!from.known || !to.known || !unit_same_powers(from, to) || unit_fits(from, to)) return OK;
  const ModelPlace place = c->model->node[formula].place;
  TRY(add_number(c, place, from.factor / to.factor, unit_product(to, from, -1), &factor));
  const FormulaNode node = {.kind = FORMULA_OP, .op = IONIC_OP_MUL, .child = {factor, formula, NONE}, .place = place};
  return model_add_node(c->model, node, out);
}

static Status add_name(Cellml *c, int32_t variable, ModelPlace place, int32_t *out) {
  const FormulaNode node = {.kind = FORMULA_NAME,
                            .first = c->model->variable[variable].name,
                            .child = {NONE, NONE, NONE},
                            .variable = variable,
                            .place = place};
  return model_add_node(c->model, node, out);
}

static Status add_variable(Cellml *c, int32_t k, int32_t *out) {
  const CellmlVariable *v = &c->variable[k];
  const CellmlPart *part = &c->part[v->part];
  const ModelVariable variable = {.name = v->name,
                                  .component = part->component,
                                  .parent = NONE,
                                  .formula = NONE,
                                  .initial = NONE,
                                  .unit = v->unit,
                                  .place = cellml_place(c, part->doc, v->equation >= 0 ? v->equation : v->node)};
  return model_add_variable(c->model, variable, out);
}

Status cellml_value(Cellml *c, int32_t k, int32_t doc, int32_t at, int32_t *out) {
  const int32_t definer = c->variable[cellml_first(c, k)].definer;
  CellmlVariable *v = &c->variable[k];
  if (definer < 0)
    return CELLML_FAIL(c, doc, at,
                       "'%.*s' has neither an equation nor an initial value, nor has what it is connected to",
                       v->name.n, v->name.text);
  const CellmlVariable *d = &c->variable[definer];
  const bool same = unit_fits(v->unit, d->unit);
  if (same) return add_name(c, d->variable, cellml_place(c, doc, at), out);
  if (v->variable < 0) {
    int32_t formula, variable;
    TRY(add_name(c, d->variable, cellml_place(c, c->part[v->part].doc, v->node), &formula));
    TRY(cellml_converted(c, formula, d->unit, v->unit, &formula));
    TRY(add_variable(c, k, &variable));
    c->model->variable[variable].formula = formula;
    v->variable = variable;
  }
  return add_name(c, v->variable, cellml_place(c, doc, at), out);
}

/* initial_value="1.5", or the name of another variable of the component. */
static Status initial_value(Cellml *c, int32_t k, int32_t *out) {
  const CellmlVariable *v = &c->variable[k];
  const int32_t doc = c->part[v->part].doc;
  Name text = v->initial;
  double number;
  while (text.n && *text.text == ' ') ++text.text, --text.n;
  while (text.n && text.text[text.n - 1] == ' ') --text.n;
  if (cellml_number(text, &number)) return add_number(c, cellml_place(c, doc, v->node), number, v->unit, out);
  const int32_t other = cellml_find(c, v->part, text);
  if (other < 0)
    return CELLML_FAIL(c, doc, v->node,
                       "initial_value '%.*s' of '%.*s' is neither a number nor a variable of this component",
                       v->initial.n, v->initial.text, v->name.n, v->name.text);
  return cellml_value(c, other, doc, v->node, out);
}

/* The formula of a variable that defines itself and others. */
static Status define(Cellml *c, int32_t k) {
  const CellmlVariable v = c->variable[k];
  const CellmlVariable first = c->variable[cellml_first(c, k)];
  const Xml *x = xml_of(c, v.part);
  int32_t formula = NONE, initial = NONE;
  if (v.equation >= 0) {
    const int32_t eq = xml_child(x, v.equation, NULL, NONE), left = xml_child(x, v.equation, NULL, eq);
    const int32_t head = xml_child(x, left, NULL, NONE);
    const bool turned = !name_is(x->node[left].name, "ci") && !(head >= 0 && name_is(x->node[head].name, "diff"));
    TRY(cellml_formula(c, v.part, turned ? left : xml_child(x, v.equation, NULL, left), &formula));
  } else TRY(initial_value(c, k, &formula));
  if (v.by >= 0) {
    const int32_t doc = c->part[v.part].doc;
    TRY(cellml_converted(c, formula, c->variable[c->time].unit, c->variable[v.by].unit, &formula));
    if (first.starter < 0)
      return CELLML_FAIL(c, doc, v.node,
                         "state '%.*s' has no initial value\n  write <variable name=\"%.*s\" initial_value=\"..\" ../>",
                         v.name.n, v.name.text, v.name.n, v.name.text);
    TRY(initial_value(c, first.starter, &initial));
    TRY(cellml_converted(c, initial, c->variable[first.starter].unit, v.unit, &initial));
  }
  ModelVariable *out = &c->model->variable[v.variable];
  out->formula = formula;
  out->initial = initial;
  return OK;
}

Status cellml_variables(Cellml *c) {
  if (c->time >= 0) {
    CellmlVariable *first = &c->variable[cellml_first(c, c->time)];
    c->time = first->definer >= 0 ? first->definer : cellml_first(c, c->time);
    first->definer = c->time;
  }
  for (int32_t k = 0; k < c->n_variable; ++k) {
    int32_t variable;
    if (c->variable[cellml_first(c, k)].definer != k) continue;
    TRY(add_variable(c, k, &variable));
    c->model->variable[variable].is_state = c->variable[k].by >= 0;
    if (k == c->time) c->model->variable[variable].role = ROLE_TIME;
    c->variable[k].variable = variable;
  }
  for (int32_t k = 0; k < c->n_variable; ++k) {
    if (c->variable[k].variable < 0 || c->variable[cellml_first(c, k)].definer != k) continue;
    if (k != c->time) TRY(define(c, k));
    else
      TRY(add_number(c, cellml_place(c, c->part[c->variable[k].part].doc, c->variable[k].node), 0, c->variable[k].unit,
                     &c->model->variable[c->variable[k].variable].formula));
  }
  return OK;
}
