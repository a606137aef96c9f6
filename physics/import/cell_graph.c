#include "physics/import/cell_graph.h"
#include "core/memory.h"
#include "physics/tension_program.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { CANDIDATES = 5 * NAME_TEXT + 16 };

typedef struct Lower {
  const CellModel *m;
  CellGraph *out;
  Graph *g;
  int32_t potential;
  int32_t *value, *by_time; /* [n_variable] nodes */
  double *set;              /* [n_variable] NAN: its own formula */
  bool parameters, some_adjustable;
  const CellTension *tension;
  double mV, per_ms; /* V of the model is mV times V; rates of the model times per_ms are rates per ms */
} Lower;

static int32_t lower(Lower *l, int32_t at) {
  const FormulaNode *n = &l->m->node[at];
  switch (n->kind) {
  case FORMULA_NUMBER: return graph_number(l->g, n->number);
  case FORMULA_NAME: return l->value[n->variable];
  case FORMULA_DERIVATIVE: return l->by_time[n->variable];
  case FORMULA_OP: break;
  }
  int32_t of[3] = {-1, -1, -1};
  for (int k = 0; k < 3 && n->child[k] >= 0; ++k) of[k] = lower(l, n->child[k]);
  return graph_op(l->g, n->op, of[0], of[1], of[2]);
}

/* Up to five names of variables behind the text. */
static void list_name(const CellModel *m, int32_t i, int *n, char text[CANDIDATES]) {
  char name[NAME_TEXT];
  if (++*n > 5) return;
  snprintf(text + strlen(text), CANDIDATES - strlen(text), "%s%s", *n > 1 ? ", " : "", cell_model_name(m, i, name));
}

/* Which states may be it: those in volts, else all. */
static Status no_potential(const CellModel *m) {
  char text[CANDIDATES] = "";
  Unit volt;
  int n = 0;
  (void)unit_named("V", 1, &volt);
  for (int all = 0; all < 2 && !n; ++all)
    for (int32_t i = 0; i < m->n_variable; ++i) {
      const ModelVariable *v = &m->variable[i];
      if (v->is_state && (all || (v->unit.known && unit_same_powers(v->unit, volt)))) list_name(m, i, &n, text);
    }
  return FAIL(ERR_INPUT,
              "%s: no state is the potential of the membrane\n  write 'label membrane_potential' below dot(V) = .. of "
              "an .mmt, or "
              "'potential: component.name' in the case (--potential of 'sinew model')%s%s%s",
              m->path, n ? "; states: " : "; there are no states", text, n > 5 ? ", .." : "");
}

/* The state that is the potential: labelled so, or of a usual name. */
static Status find_potential(Lower *l) {
  static const char *const usual[] = {"V", "Vm", "v", "V_m"};
  const CellModel *m = l->m;
  for (int32_t i = 0; i < m->n_variable; ++i)
    if (m->variable[i].role == ROLE_POTENTIAL) l->potential = i;
  for (size_t k = 0; k < sizeof usual / sizeof *usual && l->potential < 0; ++k)
    for (int32_t i = 0; i < m->n_variable && l->potential < 0; ++i)
      if (m->variable[i].is_state && name_is(m->variable[i].name, usual[k])) l->potential = i;
  char name[NAME_TEXT];
  if (l->potential < 0) return no_potential(m);
  if (!m->variable[l->potential].is_state)
    return model_fail(m, m->variable[l->potential].place, "'%s' is labelled membrane_potential and is not a state",
                      cell_model_name(m, l->potential, name));
  return OK;
}

/* A unit that is none, or 1, stands for the one that is wanted, as mV and ms. */
static Status scale_of(const CellModel *m, int32_t i, const char *what, const char *wanted, double *out) {
  Unit unit, want;
  char text[UNIT_TEXT];
  const char *bad;
  int n_bad;
  (void)unit_parse(wanted, (int)strlen(wanted), &want, &bad, &n_bad);
  *out = 1;
  if (i < 0) return OK;
  unit = m->variable[i].unit;
  if (!unit.known || unit_same_powers(unit, unit_one())) return OK;
  if (!unit_same_powers(unit, want))
    return model_fail(m, m->variable[i].place, "%s has the unit %s; expected: [%s]", what, unit_text(unit, text),
                      wanted);
  *out = fabs(unit.factor - want.factor) <= 1e-12 * want.factor ? 1 : want.factor / unit.factor;
  return OK;
}

static int32_t of_role(const CellModel *m, ModelRole role) {
  for (int32_t i = 0; i < m->n_variable; ++i)
    if (m->variable[i].role == role) return i;
  return NONE;
}

static Status apply_settings(Lower *l, int n, const CellSetting *setting) {
  for (int32_t i = 0; i < l->m->n_variable; ++i) l->set[i] = NAN;
  for (int k = 0; k < n; ++k) {
    const int32_t i = cell_model_find(l->m, setting[k].name);
    if (i < 0) return cell_model_unknown(l->m, setting[k].name);
    const ModelVariable *v = &l->m->variable[i];
    CHECK(!v->is_state && v->role == ROLE_NONE && l->m->node[v->formula].kind != FORMULA_OP, ERR_INPUT,
          "'%s' of the cell model %s is %s; only a constant that is a number can be set", setting[k].name, l->m->path,
          v->is_state             ? "a state"
          : v->role == ROLE_INPUT ? "given by the body"
          : v->role != ROLE_NONE  ? "bound to time or pace"
                                  : "worked out by a formula");
    const bool number = l->m->node[v->formula].kind == FORMULA_NUMBER;
    CHECK(number || !setting[k].times, ERR_INPUT,
          "'%s' of the cell model %s is another variable, which has no number of its own; give a number in place of "
          "'*%g'",
          setting[k].name, l->m->path, setting[k].value);
    if (setting[k].times && l->m->node[v->formula].number == 0)
      status_warn("'%s' of the cell model %s is 0, and a multiple of 0 is 0: '*%g' changes nothing\n  remedy: a number "
                  "in place of the factor",
                  setting[k].name, l->m->path, setting[k].value);
    l->set[i] = setting[k].times ? setting[k].value * l->m->node[v->formula].number : setting[k].value;
  }
  return OK;
}

static int32_t scaled(Lower *l, int32_t node, double factor) {
  return graph_op(l->g, IONIC_OP_MUL, graph_number(l->g, factor), node, -1);
}

/* A constant of a component that is a plain number stays a parameter where they are asked for. */
static bool is_parameter(const Lower *l, int32_t i) {
  const ModelVariable *v = &l->m->variable[i];
  return l->parameters && (v->adjustable || !l->some_adjustable) && !v->is_state && v->role == ROLE_NONE &&
         v->parent < 0 && l->out->n_parameter < IONIC_PARAMS && l->m->node[v->formula].kind == FORMULA_NUMBER &&
         isnan(l->set[i]);
}

static int32_t value_of(Lower *l, int32_t i) {
  CellGraph *out = l->out;
  if (!isnan(l->set[i])) return graph_number(l->g, l->set[i]);
  if (!is_parameter(l, i)) return lower(l, l->m->variable[i].formula);
  out->parameter[out->n_parameter] = i;
  return graph_leaf(l->g, IONIC_OP_STATE, GRAPH_PARAMETER + out->n_parameter++);
}

/* What the body tells a muscle, in the file's unit. */
static Status lower_inputs(Lower *l) {
  for (int k = 0; l->tension && k < N_CELL_INPUTS; ++k) {
    const int32_t i = l->tension->input[k];
    double scale;
    if (i < 0) continue;
    TRY(scale_of(l->m, i, "what the body gives a model of tension", l->tension->unit[k], &scale));
    const int32_t leaf = k == CELL_DRIVE     ? graph_leaf(l->g, IONIC_OP_STIMULUS, 0)
                         : k == CELL_STRETCH ? graph_leaf(l->g, IONIC_OP_V, 0)
                                             : graph_leaf(l->g, IONIC_OP_STATE, CELL_TOLD + TENSION_RATE);
    l->value[i] = scaled(l, leaf, scale);
  }
  return OK;
}

/* All variables, in their order. */
static Status lower_variables(Lower *l) {
  const CellModel *m = l->m;
  CellGraph *out = l->out;
  for (int32_t i = 0; i < m->n_variable; ++i) {
    const ModelVariable *v = &m->variable[i];
    if (v->role == ROLE_TIME) l->value[i] = graph_leaf(l->g, IONIC_OP_STATE, GRAPH_TIME);
    if (v->role == ROLE_PACE) l->value[i] = graph_leaf(l->g, IONIC_OP_STATE, GRAPH_PACE);
    if (i == l->potential) l->value[i] = scaled(l, graph_leaf(l->g, IONIC_OP_V, 0), l->mV);
    if (!v->is_state || i == l->potential) continue;
    if (out->n_state == IONIC_IMPORTED_STATES)
      return model_fail(m, v->place, "more than %d states beside the potential", IONIC_IMPORTED_STATES);
    const int32_t j = out->n_state++;
    out->variable[j] = i;
    out->leaf[j] = l->value[i] = graph_leaf(l->g, IONIC_OP_STATE, j);
  }
  TRY(lower_inputs(l));
  for (int32_t k = 0; k < m->n_variable; ++k) {
    const int32_t i = m->order[k];
    const ModelVariable *v = &m->variable[i];
    if (v->role == ROLE_TIME || v->role == ROLE_PACE || v->role == ROLE_INPUT) continue;
    const int32_t node = value_of(l, i);
    if (v->is_state) l->by_time[i] = node;
    else l->value[i] = node;
  }
  return l->g->status;
}

typedef struct Maps {
  int32_t *map;
  uint8_t *mark;
} Maps;

static Status maps_fit(const Graph *g, Maps *maps) {
  RESIZE(maps->map, g->n, "derivatives of a cell model");
  RESIZE(maps->mark, g->n, "derivatives of a cell model");
  for (int32_t k = 0; k < g->n; ++k) maps->map[k] = -1;
  return OK;
}

/* Numbers in place of leaves: parameters, and states whose initial value is known. */
static Status initial_map(Lower *l, const bool *known, int32_t *map) {
  const CellGraph *c = l->out;
  Graph *g = l->g;
  const int32_t n = g->n; /* what is made on the way is no operand of what was there */
  for (int32_t k = 0; k < n; ++k) map[k] = -1;
  for (int32_t k = 0; k < n; ++k) {
    const GraphNode leaf = g->node[k];
    if (leaf.op == IONIC_OP_V && known[c->n_state]) map[k] = graph_number(g, c->V);
    if (leaf.op != IONIC_OP_STATE) continue;
    if (leaf.a >= GRAPH_PARAMETER)
      map[k] = graph_number(g, l->m->node[l->m->variable[c->parameter[leaf.a - GRAPH_PARAMETER]].formula].number);
    else if (leaf.a < c->n_state && known[leaf.a]) map[k] = graph_number(g, c->initial[leaf.a]);
  }
  return g->status;
}

/* Initial values, which may need others of those: as many rounds as bring something. */
static Status initial_values(Lower *l, Maps *maps) {
  CellGraph *c = l->out;
  bool known[IONIC_IMPORTED_STATES + 1] = {false}, more = true;
  int32_t left = NONE;
  char name[NAME_TEXT];
  if (l->tension) known[c->n_state] = true, c->V = 1; /* at rest */
  while (more) {
    more = false, left = NONE;
    for (int32_t j = 0; j <= c->n_state; ++j) {
      if (known[j]) continue;
      const int32_t i = j < c->n_state ? c->variable[j] : l->potential, node = lower(l, l->m->variable[i].initial);
      TRY(l->g->status);
      TRY(maps_fit(l->g, maps));
      TRY(initial_map(l, known, maps->map));
      const int32_t value = graph_replace(l->g, node, maps->map);
      TRY(l->g->status);
      known[j] = l->g->node[value].op == IONIC_OP_SET && isfinite(l->g->node[value].number);
      if (!known[j]) left = i;
      else if (j < c->n_state) c->initial[j] = l->g->node[value].number;
      else c->V = l->g->node[value].number / l->mV;
      more |= known[j];
    }
  }
  if (left < 0) return OK;
  return model_fail(l->m, l->m->node[l->m->variable[left].initial].place, "the initial value of '%s' is not a number",
                    cell_model_name(l->m, left, name));
}

/* Which variables ask for the time itself. */
static bool timed(const CellModel *m, int32_t at) {
  if (at < 0) return false;
  const FormulaNode *n = &m->node[at];
  if (n->kind == FORMULA_NAME) return m->variable[n->variable].role == ROLE_TIME;
  return timed(m, n->child[0]) || timed(m, n->child[1]) || timed(m, n->child[2]);
}

static Status refuse_time(const Lower *l) {
  char name[NAME_TEXT], text[CANDIDATES] = "";
  int32_t first = NONE;
  int n = 0;
  for (int32_t i = 0; i < l->m->n_variable; ++i) {
    const ModelRole role = l->m->variable[i].role;
    if (role == ROLE_TIME || role == ROLE_PACE || !timed(l->m, l->m->variable[i].formula)) continue;
    if (first < 0) first = i;
    list_name(l->m, i, &n, text);
  }
  CHECK(first >= 0, ERR_INPUT, "%s: rates depend on the time itself", l->m->path);
  return model_fail(l->m, l->m->variable[first].place,
                    "'%s' depends on the time itself; a cell does so by its states alone\n  a stimulus comes from the "
                    "case: say which "
                    "variable it stands for, 'stimulus: component.name' (--stimulus of 'sinew model'), or 'bind pace' "
                    "in an .mmt; the "
                    "time is in: %s%s",
                    cell_model_name(l->m, first, name), text, n > 5 ? ", .." : "");
}

/* Neither 0 nor a matter of the cell's state. */
static Status is_constant(Lower *l, int32_t node, Maps *maps, bool *out) {
  const CellGraph *c = l->out;
  const int32_t V = graph_leaf(l->g, IONIC_OP_V, 0), pace = graph_leaf(l->g, IONIC_OP_STATE, GRAPH_PACE);
  TRY(l->g->status);
  TRY(maps_fit(l->g, maps));
  *out =
      !graph_is(l->g, node, 0) && !graph_needs(l->g, node, V, maps->mark) && !graph_needs(l->g, node, pace, maps->mark);
  for (int32_t j = 0; j < c->n_state && *out; ++j) *out = !graph_needs(l->g, node, c->leaf[j], maps->mark);
  return OK;
}

/* Pace is 0 in the reaction; elsewhere what makes the stimulus of it. */
static Status take_pace(Lower *l, Maps *maps) {
  CellGraph *c = l->out;
  Graph *g = l->g;
  const int32_t pace = graph_leaf(g, IONIC_OP_STATE, GRAPH_PACE), stimulus = graph_leaf(g, IONIC_OP_STIMULUS, 0);
  TRY(maps_fit(g, maps));
  const int32_t by_pace = graph_derivative(g, c->force, pace, maps->map);
  const int32_t zero = graph_number(g, 0);
  TRY(maps_fit(g, maps));
  maps->map[pace] = zero;
  c->force = graph_replace(g, c->force, maps->map);
  bool known;
  TRY(is_constant(l, by_pace, maps, &known));
  const int32_t level = known ? graph_op(g, IONIC_OP_DIV, stimulus, by_pace, -1) : zero;
  TRY(maps_fit(g, maps));
  maps->map[pace] = level;
  for (int32_t j = 0; j < c->n_state; ++j) c->rate[j] = graph_replace(g, c->rate[j], maps->map);
  return g->status;
}

/* x / y; of (target - s) / time the target itself. */
static int32_t target_of(Graph *g, int32_t x, int32_t y) {
  const GraphNode over = g->node[x], under = g->node[y];
  if (over.op == IONIC_OP_DIV && under.op == IONIC_OP_DIV && over.b == under.b)
    return graph_op(g, IONIC_OP_DIV, over.a, under.a, -1);
  return graph_op(g, IONIC_OP_DIV, x, y, -1);
}

/* The choice that a node is, but for a factor. */
static GraphNode choice_of(const Graph *g, int32_t k) {
  while (g->node[k].op == IONIC_OP_NEG || (g->node[k].op == IONIC_OP_MUL && g->node[g->node[k].a].op == IONIC_OP_SET))
    k = g->node[k].op == IONIC_OP_NEG ? g->node[k].a : g->node[k].b;
  return g->node[k];
}

/* A gate that stands still in some range, rate and decay 0, has no target there; any will do. false: it goes on without a decay. */
static bool target_where_still(CellGraph *c, int32_t j) {
  Graph *g = &c->graph;
  const GraphNode rate = choice_of(g, c->rate[j]), decay = choice_of(g, c->decay[j]);
  if (decay.op != IONIC_OP_SELECT || !(graph_is(g, decay.b, 0) || graph_is(g, decay.c, 0))) return true;
  const bool first = graph_is(g, decay.b, 0);
  if (rate.op != IONIC_OP_SELECT || rate.a != decay.a || !graph_is(g, first ? rate.b : rate.c, 0)) return false;
  c->target[j] = graph_op(g, IONIC_OP_SELECT, c->decay[j], c->target[j], graph_number(g, 0));
  return true;
}

/* ds/dt = decay (target - s) with both free of s, and s from 0 to 1. */
static Status find_gate(Lower *l, int32_t j, Maps *maps, bool *is_gate) {
  CellGraph *c = l->out;
  Graph *g = l->g;
  const Unit unit = l->m->variable[c->variable[j]].unit;
  TRY(maps_fit(g, maps));
  c->decay[j] = graph_op(g, IONIC_OP_NEG, graph_derivative(g, c->rate[j], c->leaf[j], maps->map), -1, -1);
  const int32_t zero = graph_number(g, 0);
  TRY(maps_fit(g, maps));
  *is_gate = unit_fits(unit, unit_one()) && c->initial[j] >= 0 && c->initial[j] <= 1 && !graph_is(g, c->decay[j], 0) &&
             !graph_needs(g, c->decay[j], c->leaf[j], maps->mark);
  if (!*is_gate) return g->status;
  maps->map[c->leaf[j]] = zero;
  c->target[j] = target_of(g, graph_replace(g, c->rate[j], maps->map), c->decay[j]);
  *is_gate = target_where_still(c, j);
  return g->status;
}

/* A rate that is not a number whatever the cell does, as by a time constant of 0. */
static Status check_rate(const Lower *l, int32_t j) {
  const CellGraph *c = l->out;
  const int32_t i = c->variable[j], node[] = {c->rate[j], c->decay[j]};
  char name[NAME_TEXT];
  for (int k = 0; k < 2; ++k)
    if (l->g->node[node[k]].op == IONIC_OP_SET && !isfinite(l->g->node[node[k]].number))
      return model_fail(l->m, l->m->variable[i].place,
                        "the rate of change of '%s' is not a number: is a time constant in it 0?",
                        cell_model_name(l->m, i, name));
  return OK;
}

#define MOVE(list)                                                                                                     \
  do {                                                                                                                 \
    memcpy(old, list, sizeof list);                                                                                    \
    for (int32_t k = 0; k < c->n_state; ++k)                                                                           \
      memcpy(&(list)[k], old + (size_t)from[k] * sizeof *(list), sizeof *(list));                                      \
  } while (0)

void cell_graph_gates_first(CellGraph *c, const bool *is_gate) {
  char old[IONIC_IMPORTED_STATES * sizeof(double)];
  int32_t from[IONIC_IMPORTED_STATES], n = 0;
  for (int gates = 1; gates >= 0; --gates) {
    for (int32_t j = 0; j < c->n_state; ++j)
      if (is_gate[j] == (gates == 1)) from[n++] = j;
    if (gates) c->n_gate = n;
  }
  MOVE(c->variable);
  MOVE(c->leaf);
  MOVE(c->rate);
  MOVE(c->decay);
  MOVE(c->target);
  MOVE(c->initial);
  MOVE(c->block);
  MOVE(c->limited);
  MOVE(c->lower);
  MOVE(c->upper);
}
#undef MOVE

static Status lower_states(Lower *l, Maps *maps) {
  CellGraph *c = l->out;
  bool is_gate[IONIC_IMPORTED_STATES] = {false};
  TRY(initial_values(l, maps));
  double kPa = 1;
  if (l->tension) TRY(scale_of(l->m, l->tension->tension, "a tension", "kPa", &kPa));
  c->force = l->tension ? scaled(l, l->value[l->tension->tension], 1 / kPa)
                        : scaled(l, l->by_time[l->potential], l->per_ms / l->mV);
  for (int32_t j = 0; j < c->n_state; ++j) c->rate[j] = scaled(l, l->by_time[c->variable[j]], l->per_ms);
  if (!l->tension) TRY(take_pace(l, maps));
  const int32_t time = graph_leaf(l->g, IONIC_OP_STATE, GRAPH_TIME);
  TRY(maps_fit(l->g, maps));
  bool needs_time = graph_needs(l->g, c->force, time, maps->mark);
  for (int32_t j = 0; j < c->n_state; ++j) needs_time |= graph_needs(l->g, c->rate[j], time, maps->mark);
  if (needs_time) return refuse_time(l);
  for (int32_t j = 0; j < c->n_state; ++j) {
    TRY(find_gate(l, j, maps, &is_gate[j]));
    TRY(check_rate(l, j));
  }
  for (int32_t j = 0; j < c->n_state; ++j) {
    const ModelVariable *v = &l->m->variable[c->variable[j]];
    c->limited[j] = v->limited, c->lower[j] = v->lower, c->upper[j] = v->upper;
  }
  cell_graph_gates_first(c, is_gate);
  if (l->tension) return l->g->status;
  TRY(maps_fit(l->g, maps));
  c->slope = graph_derivative(l->g, c->force, graph_leaf(l->g, IONIC_OP_V, 0), maps->map);
  return l->g->status;
}

static Status lower_all(Lower *l, const CellGraphParams *params, Maps *maps) {
  const CellModel *m = l->m;
  TRY(graph_create(l->g));
  ALLOC(l->value, m->n_variable, "variables of a cell model");
  ALLOC(l->by_time, m->n_variable, "variables of a cell model");
  ALLOC(l->set, m->n_variable, "variables of a cell model");
  for (int32_t i = 0; i < m->n_variable; ++i) l->some_adjustable |= m->variable[i].adjustable;
  if (!l->tension) TRY(find_potential(l));
  TRY(scale_of(m, l->potential, "the potential", "mV", &l->mV));
  TRY(scale_of(m, of_role(m, ROLE_TIME), "the time", "ms", &l->per_ms));
  TRY(apply_settings(l, params->n_setting, params->setting));
  TRY(lower_variables(l));
  return lower_states(l, maps);
}

Status cell_graph_create(const CellModel *model, const CellGraphParams *params, CellGraph **out) {
  CellGraph *c = NULL;
  Maps maps = {0};
  *out = NULL;
  ALLOC(c, 1, "equations of a cell model");
  Lower l = {.m = model,
             .out = c,
             .g = &c->graph,
             .potential = NONE,
             .tension = params->tension,
             .parameters = params->parameters};
  const Status status = lower_all(&l, params, &maps);
  FREE(l.value);
  FREE(l.by_time);
  FREE(l.set);
  FREE(maps.map);
  FREE(maps.mark);
  if (status != OK) cell_graph_destroy(&c);
  *out = c;
  return status;
}

void cell_graph_destroy(CellGraph **graph) {
  if (!*graph) return;
  graph_release(&(*graph)->graph);
  FREE(*graph);
}

static void as_word(char *text) {
  for (; *text; ++text) *text = *text == '.' || *text == '_' ? '-' : (char)tolower((unsigned char)*text);
}

const char *cell_state_word(const CellModel *m, const CellGraph *c, int state, char text[NAME_TEXT]) {
  int same = 0;
  for (int k = 0; k < c->n_state; ++k) {
    const Name a = m->variable[c->variable[k]].name, b = m->variable[c->variable[state]].name;
    same += a.n == b.n && !strncasecmp(a.text, b.text, (size_t)a.n);
  }
  const Name own = m->variable[c->variable[state]].name;
  if (same > 1) cell_model_name(m, c->variable[state], text);
  else snprintf(text, NAME_TEXT, "%.*s", own.n, own.text);
  as_word(text);
  return text;
}
