/* A chain of steps as one run: what acts is made a function of t, so that whoever solves it knows of no steps. A load is its value
 * times a share of it, which grows over its step and falls over the step that replaces it; one that depends on t has all of its
 * share at once, and falls from what it was in the end. What is prescribed is one expression over all steps. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "core/memory.h"
#include "solver/time/step_control.h"

#include <math.h>
#include <string.h>

/* A table with its points behind it. */
typedef struct Curve {
  ExprTable table;
  double number[];
} Curve;

/* What is made is the chain's; the first failure is kept. */
typedef struct Maker {
  Case *c;
  CaseChain *chain;
  int32_t room;
} Maker;

/* Of a value: it has t; it does not begin with the one before it, or at the start of the run with 0. */
typedef struct Timing {
  bool timed, rises;
} Timing;

static double end_of(const Case *c, int32_t step) { return case_step(c, step)->end.value; }
/* The step of list i. */
static int32_t step_of(int32_t i) { return i > 0 ? i - 1 : 0; }

/* `most` points; NULL out: no memory. */
static Status curve_create(Maker *m, int64_t most, ExprTable **out) {
  Curve *curve = NULL;
  if (m->chain->n_table == m->room) {
    void **more = NULL;
    ALLOC(more, 2 * (int64_t)m->room + 64, "steps");
    if (m->room) memcpy(more, m->chain->table, (size_t)m->room * sizeof *more);
    mem_free((void **)(void *)&m->chain->table);
    m->chain->table = more, m->room = 2 * m->room + 64;
  }
  TRY(mem_alloc(1, sizeof *curve + (size_t)(2 * most) * sizeof(double), "steps", (void **)&curve));
  curve->table = (ExprTable){.name = "steps", .at = curve->number, .value = curve->number + most};
  m->chain->table[m->chain->n_table++] = curve;
  *out = &curve->table;
  return OK;
}

/* A point behind the others; a time that is there already stays. */
static void curve_add(ExprTable *t, double at, double value) {
  if (t->n && !(at > t->at[t->n - 1])) return;
  t->at[t->n] = at;
  t->value[t->n++] = value;
}

/* When step s has all of what is new in it: with t, from the end of its first load step on; in a step with inertia at once. */
static double full_at(const Case *c, int32_t s, Timing is) {
  if (case_step_moves(c, s) || (is.timed && !is.rises)) return nextafter(case_step_begin(c, s), INFINITY);
  return is.timed ? case_rise_end(c, s) : end_of(c, s);
}

/* How what list i brings goes over t, up to list `next` that replaces it, and how that does; from > lists: nothing does. */
static Status window_of(Maker *m, int32_t i, int32_t next, Timing is, Timing then, CaseWindow *out) {
  const Case *c = m->c;
  const int32_t s = step_of(i), r = next - 1;
  const double begin = case_step_begin(c, s);
  const bool stays = next > c->steps.n, moves = case_step_moves(c, s), timed = is.timed || moves;
  ExprTable *share, *clock;
  TRY(curve_create(m, 5, &share));
  if (timed && s == 0 && (moves || !is.rises)) curve_add(share, 0, 1);
  else curve_add(share, begin, 0), curve_add(share, full_at(c, s, is), 1);
  if (!stays) curve_add(share, end_of(c, r - 1), 1);
  if (!stays) curve_add(share, full_at(c, r, then), 0);
  *out = (CaseWindow){.share = share};
  if (!timed) return OK;
  const double last = end_of(c, stays ? c->steps.n - 1 : r - 1);
  TRY(curve_create(m, 2, &clock));
  curve_add(clock, begin, begin), curve_add(clock, last, last);
  out->clock = clock;
  return OK;
}

/* ---- loads ---- */

/* A list of entries that begin like a CaseRegion: boundary, or body. */
typedef struct Kind {
  bool body;
  const ActTable *acts;
  size_t size, window;
} Kind;
static const Kind kinds[] = {{false, &elastic_acts, sizeof(CaseBoundary), offsetof(CaseBoundary, window)},
                             {true, &elastic_body_acts, sizeof(CaseBody), offsetof(CaseBody, window)}};

static CaseRegion *item_of(const Kind *k, const MapsValue *list, int32_t i) { return maps_item(list, k->size, i); }
/* The force of a rigid group is a load, too. */
static bool is_load(const Act *act, const CaseRegion *entry) {
  const CaseRigid *rigid = &((const CaseBoundary *)(const void *)entry)->rigid;
  const bool moves = act->roles & ACT_MOTION && act->roles & ACT_STIFFNESS;
  return act->roles & ACT_LOAD || (moves && (rigid->force.n || rigid->moment.n));
}
/* Values at one of two places, of an entry whose act brings so many. */
static const double somewhere[2][3] = {{0, 0, 0}, {0.37, 0.61, 0.83}};
static int values_at(const Kind *kind, const Act *act, const void *entry, int place, double t, double out[ACT_EXPRS]) {
  const ExprsValue value = act_value(act, entry);
  const ExprValue *part[ACT_EXPRS];
  int n = kind->body ? 0 : act_exprs(act, entry, part);
  for (int k = 0; k < n; ++k) out[k] = expr_value(&part[k]->expr, somewhere[place], t);
  for (; n < value.n && n < ACT_EXPRS; ++n) out[n] = expr_value(&value.item[n].expr, somewhere[place], t);
  return n;
}
static bool same(double a, double b) {
  static const double SAME = 1e-9; /* rounding of expressions and times */
  return fabs(a - b) <= SAME * (fabs(a) + fabs(b));
}

/* was NULL: there is none before it. */
static Timing timing(const Kind *kind, const Act *act, const void *was, const void *entry, double begin) {
  const ExprsValue value = act_value(act, entry);
  const ExprValue *part[ACT_EXPRS];
  Timing is = {false, false};
  for (int32_t k = 0; k < value.n; ++k) is.timed = is.timed || expr_is_timed(&value.item[k].expr);
  for (int k = 0, n = kind->body ? 0 : act_exprs(act, entry, part); k < n; ++k)
    is.timed = is.timed || expr_is_timed(&part[k]->expr);
  for (int p = 0; p < 2; ++p) {
    double from[ACT_EXPRS] = {0}, to[ACT_EXPRS] = {0};
    const int n_from = was ? values_at(kind, act, was, p, begin, from) : 0,
              n = values_at(kind, act, entry, p, begin, to);
    for (int k = 0; k < n || k < n_from; ++k) is.rises = is.rises || !same(from[k], to[k]);
  }
  return is;
}

static bool is_such(const NamesValue *on, const Act *act, const CaseRegion *other) {
  return place_given(act_place(act, other)) && is_load(act, other) && case_same_groups(on, &other->on);
}
/* The last one before list i with such an act on the same groups; NULL: there is none. */
static const CaseRegion *entry_before(const Maker *m, const Kind *k, int32_t i, const NamesValue *on, const Act *act) {
  while (--i >= 0) {
    const MapsValue *list = case_list(m->c, i, k->body);
    for (int32_t e = list->n - 1; e >= 0; --e)
      if (is_such(on, act, item_of(k, list, e))) return item_of(k, list, e);
  }
  return NULL;
}

/* The first list behind i with such an act on the same groups, and how it goes over t; behind the last one: there is none. */
static int32_t next_list(const Maker *m, const Kind *k, int32_t i, const CaseRegion *from, const Act *act,
                         Timing *then) {
  for (*then = (Timing){false, false}, ++i; i <= m->c->steps.n; ++i) {
    const MapsValue *list = case_list(m->c, i, k->body);
    bool found = false;
    for (int32_t e = 0; e < list->n; ++e) {
      const CaseRegion *other = item_of(k, list, e);
      if (!is_such(&from->on, act, other)) continue;
      const Timing is = timing(k, act, from, other, case_step_begin(m->c, step_of(i)));
      found = true;
      *then = (Timing){then->timed || is.timed, then->rises || is.rises};
    }
    if (found) return i;
  }
  return i;
}

/* A load of the entry alone. */
static void load_alone(const Kind *k, const CaseRegion *from, const Act *act, const CaseWindow *window,
                       CaseRegion *to) {
  *to = *from;
  if (act->roles & ACT_LOAD) memcpy((char *)to + act->offset, (const char *)from + act->offset, act->size);
  memcpy((char *)to + k->window, window, sizeof *window);
  if (k->body) return;
  const CaseBoundary *b = (const CaseBoundary *)(const void *)from;
  CaseBoundary *one = (CaseBoundary *)(void *)to;
  one->follower = b->follower;
  if (!(act->roles & ACT_LOAD)) /* which on a rigid group does what is spread with these sums */
    one->distribute = (CaseDistribute){b->rigid.place, b->rigid.at, b->rigid.force, b->rigid.moment, true};
}

static Status loads_add(Maker *m, const Kind *k, int32_t i, const CaseRegion *from, MapsValue *out) {
  for (const Act *act = NULL; (act = acts_next(k->acts, from, ~0u, act));) {
    Timing then;
    const int32_t next = next_list(m, k, i, from, act, &then);
    const void *was = i > 1 ? entry_before(m, k, i, &from->on, act) : NULL;
    CaseWindow window;
    if (!is_load(act, from) || (i == 0 && next == 1)) continue;
    TRY(window_of(m, i, next, timing(k, act, was, from, case_step_begin(m->c, step_of(i))), then, &window));
    load_alone(k, from, act, &window, (CaseRegion *)(void *)((char *)out->item + (size_t)out->n++ * k->size));
  }
  return OK;
}

/* ---- what is prescribed ---- */

/* The value of a part in list i on these groups; NULL: it has none. */
static const ExprValue *part_in(const Case *c, int32_t i, const NamesValue *on, int p) {
  const MapsValue *list = case_list(c, i, false);
  const ExprValue *value = NULL;
  for (int32_t e = 0; e < list->n; ++e) {
    CaseBoundary *b = maps_item(list, sizeof(CaseBoundary), e);
    if (case_same_groups(on, &b->on) && place_given(case_part(b, p)->place)) value = case_part(b, p);
  }
  return value;
}

/* Numbers alone: straight from one to the next. */
static Status part_of_numbers(Maker *m, const NamesValue *on, int p, Expr *out) {
  const double origin[3] = {0};
  ExprTable *table;
  double last = 0;
  bool any = false;
  TRY(curve_create(m, 2 * (int64_t)m->c->steps.n + 2, &table));
  for (int32_t i = 0; i <= m->c->steps.n; ++i) {
    const ExprValue *value = part_in(m->c, i, on, p);
    if (!value || (i == 0 && part_in(m->c, 1, on, p))) continue;
    const double to = expr_value(&value->expr, origin, 0);
    if (i > 1 || !case_step_moves(m->c, 0)) curve_add(table, case_step_begin(m->c, step_of(i)), last);
    curve_add(table, end_of(m->c, step_of(i)), to);
    any = any || to != 0;
    last = to;
  }
  *out = any ? expr_of_table(table) : expr_constant(0);
  return OK;
}

static Timing part_timing(const Case *c, int32_t i, const ExprValue *was, const ExprValue *value) {
  const double begin = case_step_begin(c, step_of(i));
  Timing is = {value && expr_is_timed(&value->expr), false};
  for (int p = 0; p < 2 && value; ++p)
    is.rises = is.rises || !same(was ? expr_value(&was->expr, somewhere[p], begin) : 0,
                                 expr_value(&value->expr, somewhere[p], begin));
  return is;
}

/* A sum of what each step prescribes times its share. */
static Status part_of_terms(Maker *m, const NamesValue *on, int p, Expr *out) {
  const int32_t n = m->c->steps.n;
  const ExprValue *was = NULL;
  Expr sum = {0};
  for (int32_t i = 0, next; i <= n; i = next) {
    const ExprValue *value = part_in(m->c, i, on, p), *then = NULL;
    CaseWindow window;
    for (next = i + 1; next <= n && !(then = part_in(m->c, next, on, p)); ++next) continue;
    if (!value || (i == 0 && next == 1)) continue;
    Expr term = value->expr;
    Timing is = part_timing(m->c, i, was, value);
    if (p == CASE_VOLUME && !sum.n) is.rises = false; /* it is never 0 */
    if (p == CASE_VOLUME && !is.timed && !sum.n) {    /* from what it was */
      ExprTable *table;
      TRY(expr_parse("V0", &sum));
      TRY(curve_create(m, 2, &table));
      curve_add(table, 0, 1), curve_add(table, end_of(m->c, 0), 0);
      TRY(expr_window(&sum, NULL, table));
    }
    TRY(window_of(m, i, next, is, part_timing(m->c, next, value, then), &window));
    TRY(expr_window(&term, window.clock, window.share));
    TRY(expr_add(&sum, &term));
    was = value;
  }
  *out = sum.n ? sum : expr_constant(0);
  return OK;
}

static Status part_make(Maker *m, const NamesValue *on, int p, Expr *out) {
  bool numbers = p != CASE_VOLUME;
  for (int32_t i = 0; i <= m->c->steps.n; ++i) {
    const ExprValue *value = part_in(m->c, i, on, p);
    numbers = numbers && (!value || expr_is_constant(&value->expr));
  }
  return numbers ? part_of_numbers(m, on, p, out) : part_of_terms(m, on, p, out);
}

/* An entry without its loads, whose motions go over all steps: of the first step only what the case has not. */
static Status rest_add(Maker *m, int32_t i, const CaseBoundary *from, MapsValue *out) {
  CaseBoundary rest = *from;
  char place[512];
  if (i > 1) return OK;
  for (int32_t a = 0; a < elastic_acts.n; ++a)
    if (elastic_acts.row[a].roles & ACT_LOAD)
      memset((char *)&rest + elastic_acts.row[a].offset, 0, elastic_acts.row[a].size);
  rest.rigid.force = rest.rigid.moment = (ExprsValue){0};
  bool any = i == 0;
  if (i == 1) rest.rigid = (CaseRigid){0}, rest.volume = (ExprValue){0};
  for (int p = 0; p < CASE_PARTS; ++p) {
    ExprValue *part = case_part(&rest, p);
    if (i == 1 && part_in(m->c, 0, &from->on, p)) *part = (ExprValue){0};
    if (!place_given(part->place)) continue;
    TRY_CONTEXT(part_make(m, &from->on, p, &part->expr), "%s",
                place_text(m->c->path, part->place, place, sizeof place));
    any = true;
  }
  if (any && act_next(&rest, ACT_ANY, NULL))
    memcpy((char *)out->item + (size_t)out->n++ * sizeof rest, &rest, sizeof rest);
  return OK;
}

static Status list_make(Maker *m, const Kind *k, MapsValue *out) {
  int64_t room = 0;
  for (int32_t i = 0; i <= m->c->steps.n; ++i)
    for (int32_t e = 0; e < case_list(m->c, i, k->body)->n; ++e, ++room)
      for (const Act *act = NULL; (act = acts_next(k->acts, item_of(k, case_list(m->c, i, k->body), e), ~0u, act));)
        ++room;
  TRY(mem_alloc(room, k->size, "what acts over all steps", &out->item));
  out->size = k->size;
  for (int32_t i = 0; i <= m->c->steps.n; ++i)
    for (int32_t e = 0; e < case_list(m->c, i, k->body)->n; ++e) {
      const CaseRegion *from = item_of(k, case_list(m->c, i, k->body), e);
      if (!k->body) TRY(rest_add(m, i, (const CaseBoundary *)(const void *)from, out));
      TRY(loads_add(m, k, i, from, out));
    }
  return OK;
}

/* ---- temperatures ---- */

static const CaseThermal *thermal_in(const Case *c, int32_t i) {
  return i > 0 ? &case_step(c, i - 1)->thermal : &c->thermal;
}
static bool is_heated(const Case *c, int32_t i) { return place_given(thermal_in(c, i)->place); }
static Timing heat_timing(const Case *c, int32_t i) {
  return (Timing){i <= c->steps.n && expr_is_timed(&thermal_in(c, i)->temperature.value.expr), false};
}

/* Without one in a step that of the case is all there is. */
static Status heat_make(Maker *m) {
  const Case *c = m->c;
  bool any = false;
  for (int32_t i = 1; i <= c->steps.n; ++i) any = any || is_heated(c, i);
  if (!any) return OK;
  ALLOC(m->chain->heat, c->steps.n + 1, "temperatures of steps");
  for (int32_t i = 0, next; i <= c->steps.n; i = next) {
    for (next = i + 1; next <= c->steps.n && !is_heated(c, next);) ++next;
    if (!is_heated(c, i) || (i == 0 && next == 1)) continue;
    CaseHeat *heat = &m->chain->heat[m->chain->n_heat++];
    heat->thermal = thermal_in(c, i);
    TRY(window_of(m, i, next, heat_timing(c, i), heat_timing(c, next), &heat->window));
  }
  return OK;
}

static Status spans_make(Maker *m) {
  const Case *c = m->c;
  StepSpan *span = NULL;
  ALLOC(span, c->steps.n, "steps");
  c->chain->span = span;
  for (int32_t k = 0; k < c->steps.n; ++k) {
    const CaseAdaptive *a = &case_step(c, k)->adaptive;
    span[k] = (StepSpan){.end = end_of(c, k), .step = case_step(c, k)->step.value, .adaptive = case_adaptive_on(a)};
    span[k].cuts = !place_given(a->cut.place) || a->cut.value;
    span[k].rests = elastic_has(c, HAS_INERTIA) && !case_step_moves(c, k);
    span[k].tolerance = case_adaptive_on(a) ? a->tolerance.value : 0;
    span[k].min = a->min.value;
    span[k].max = a->max.value > 0 || !span[k].adaptive ? a->max.value : span[k].end - case_step_begin(c, k);
    if (!(c->output.every.value > 0)) span[k].every = case_step_every(c, k);
  }
  return OK;
}

/* ---- without steps ---- */

static Status rise(const ExprTable *share, Expr *e) {
  bool begins = false;
  for (int p = 0; p < 2; ++p) begins = begins || (expr_given(e) && !same(expr_value(e, somewhere[p], 0), 0));
  return begins ? expr_window(e, NULL, share) : OK;
}

static Status rise_entry(const ExprTable *share, CaseBoundary *b) {
  for (const Act *act = NULL; (act = acts_next(&elastic_acts, b, ~0u, act));) {
    const ExprValue *part[ACT_EXPRS];
    const int n = is_load(act, (const CaseRegion *)(const void *)b) ? act_exprs(act, b, part) : 0;
    for (int k = 0; k < n; ++k) TRY(rise(share, &((ExprValue *)(uintptr_t)part[k])->expr));
  }
  for (int p = 0; p < CASE_PARTS; ++p)
    if (p != CASE_VOLUME) TRY(rise(share, &case_part(b, p)->expr));
  return OK;
}

void case_rise_create(Case *c, Diagnostics *out) {
  CaseRise *r = &c->rise;
  Status status = OK;
  if (!elastic_has(c, HAS_LOAD_STEPS) || elastic_has(c, HAS_CELLS) || place_given(c->circulation.place) ||
      !case_timed(c, 0))
    return;
  r->at[1] = case_rise_end(c, 0), r->value[1] = 1;
  r->table = (ExprTable){.name = "rise", .n = 2, .at = r->at, .value = r->value};
  for (int32_t i = 0; i < c->boundary.n && status == OK; ++i)
    status = rise_entry(&r->table, maps_item(&c->boundary, sizeof(CaseBoundary), i));
  for (int32_t i = 0; i < c->body.n; ++i)
    ((CaseBody *)maps_item(&c->body, sizeof(CaseBody), i))->window.share = &r->table;
  if (status != OK) report_error(out, c->boundary.place, "%s", status_message());
}

void case_chain_create(Case *c, Diagnostics *out) {
  Maker m = {.c = c};
  Status status = mem_alloc(1, sizeof *c->chain, "steps", (void **)&c->chain);
  m.chain = c->chain;
  if (status == OK) status = spans_make(&m);
  if (status == OK) status = heat_make(&m);
  if (status == OK) status = list_make(&m, &kinds[0], &c->chain->boundary);
  if (status == OK) status = list_make(&m, &kinds[1], &c->chain->body);
  if (status != OK) report_error(out, c->steps.place, "%s", status_message());
}

void case_chain_release(Case *c) {
  CaseChain *chain = c->chain;
  if (!chain) return;
  for (int32_t k = 0; k < chain->n_table; ++k) mem_free(&chain->table[k]);
  mem_free((void **)(void *)&chain->table);
  mem_free(&chain->boundary.item);
  mem_free(&chain->body.item);
  FREE(chain->heat);
  StepSpan *span = (StepSpan *)(uintptr_t)chain->span;
  FREE(span);
  FREE(c->chain);
}
