/* Bolts: their keys as a table, and what steps say of them. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"

#include <math.h>

static const Key bolt_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseBolt, on),
     .meaning = "surface inside of the shank, all across it, that elements on its two sides share"},
    {"axis", VALUE_VECTOR, false, AT(CaseBolt, axis), .meaning = "of the shank; across the surface unless given"},
    {"preload", VALUE_EXPR, false, AT(CaseBolt, preload),
     .meaning = "force, a number or an expression in t; numbers grow over the step that brings them"},
    {"elongation", VALUE_EXPR, false, AT(CaseBolt, elongation),
     .meaning = "in place of a force: how far the two sides of the cut are drawn over each other"},
    {"lock", VALUE_NUMBER, false, AT(CaseBolt, lock), .open_min = true, .max = INFINITY,
     .meaning = "from this time on, at which a step ends, the length that was reached stays; never unless given"}};
const Schema case_bolt_schema = {SCHEMA("a bolt", bolt_keys, CaseBolt)};

static CaseBolt *bolt_of(const MapsValue *list, int32_t i) { return maps_item(list, sizeof(CaseBolt), i); }
static const MapsValue *list_of(const Case *c, int32_t step) {
  return step < 0 ? &c->bolts : &case_step(c, step)->bolts;
}

/* Whether an entry before entry i of this list (-1: that of the case) is on the same groups. */
static bool is_known(const Case *c, int32_t step, int32_t i) {
  const NamesValue *on = &bolt_of(list_of(c, step), i)->on;
  bool known = false;
  for (int32_t s = -1; s <= step; ++s)
    for (int32_t l = 0; l < (s < step ? list_of(c, s)->n : i); ++l)
      known |= case_same_groups(on, &bolt_of(list_of(c, s), l)->on);
  return known;
}

const CaseBolt *case_bolt_at(const Case *c, int32_t i, int32_t *step) {
  for (int32_t s = -1; s < c->steps.n; ++s)
    for (int32_t l = 0; l < list_of(c, s)->n; ++l) {
      if (is_known(c, s, l) || i-- > 0) continue;
      if (step) *step = s;
      return bolt_of(list_of(c, s), l);
    }
  return NULL;
}

int32_t case_bolts(const Case *c) {
  int32_t n = 0;
  while (case_bolt_at(c, n, NULL)) ++n;
  return n;
}

const CaseBolt *case_bolt_in(const Case *c, int32_t i, int32_t k) {
  const CaseBolt *bolt = case_bolt_at(c, i, NULL), *found = NULL;
  for (int32_t l = 0; l < list_of(c, k)->n; ++l)
    if (case_same_groups(&bolt->on, &bolt_of(list_of(c, k), l)->on)) found = bolt_of(list_of(c, k), l);
  return found;
}

int32_t case_bolt_on(const Case *c, const NamesValue *on) {
  const CaseBolt *bolt;
  for (int32_t i = 0; (bolt = case_bolt_at(c, i, NULL)); ++i)
    if (case_same_groups(on, &bolt->on)) return i;
  return -1;
}

static void check_axis(const Case *c, const CaseBolt *b, Diagnostics *out) {
  case_check_direction(c, "axis", &b->axis, out);
  if (case_axisymmetric(c) && b->axis.n == 2 && b->axis.value[0] != 0)
    report_error(out, b->axis.place,
                 "the axis of a bolt is that of the body in an axisymmetric model, as a preload across it has no "
                 "resultant\n  allowed: [0, 1]\n  remedy: a bolt along the axis, or 'model: 3d'");
}

static void check_preload(const CaseBolt *b, Diagnostics *out) {
  const double origin[3] = {0};
  const Expr *e = &b->preload.expr;
  if (place_given(b->elongation.place) && expr_is_local(&b->elongation.expr))
    report_error(out, b->elongation.place,
                 "elongation is one length of a bolt and depends on t alone, not on x, y or z");
  if (!place_given(b->preload.place)) return;
  if (place_given(b->elongation.place))
    report_error(out, b->elongation.place,
                 "a bolt has a preload and an elongation\n  allowed: one of the two, the other is a result");
  if (expr_is_local(e))
    report_error(out, b->preload.place, "preload is one force of a bolt and depends on t alone, not on x, y or z");
  else if (expr_is_constant(e) && !(expr_value(e, origin, 0) >= 0))
    report_error(out, b->preload.place, "preload is %g, must not be negative: it is what the shank is pulled with",
                 expr_value(e, origin, 0));
}

static void check_lock(const Case *c, const CaseBolt *b, double begin, Diagnostics *out) {
  const double end = c->steps.n ? case_step(c, c->steps.n - 1)->end.value : c->time.end.value;
  if (place_given(b->lock.place) && b->lock.value > end * (1 + 1e-12))
    report_error(out, b->lock.place,
                 "lock is %g, and the run ends at %g, before that: the bolt is never locked\n  allowed: up to %g\n  "
                 "remedy: a time at which a step ends, or leave lock out",
                 b->lock.value, end, end);
  if (place_given(b->lock.place) && b->lock.value < begin)
    report_error(out, b->lock.place, "lock is %g, and the step that says so begins at %g, after that", b->lock.value,
                 begin);
}

static bool same_axis(const VectorValue *a, const VectorValue *b) {
  bool same = a->n == b->n;
  for (int32_t k = 0; k < a->n && same; ++k) same = a->value[k] == b->value[k];
  return same;
}

static bool is_tightened(const CaseBolt *b) {
  return place_given(b->preload.place) || place_given(b->elongation.place);
}

/* When the bolt would be locked by what steps before this one say. */
static double locked_before(const Case *c, const NamesValue *on, int32_t step) {
  double lock = (double)INFINITY;
  for (int32_t s = -1; s < step; ++s)
    for (int32_t l = 0; l < list_of(c, s)->n; ++l) {
      const CaseBolt *b = bolt_of(list_of(c, s), l);
      if (!case_same_groups(&b->on, on)) continue;
      if (place_given(b->lock.place)) lock = b->lock.value;
      else if (is_tightened(b)) lock = (double)INFINITY;
    }
  return lock;
}

/* What is said of a bolt again in a step: its axis stays, and so does one that is locked. */
static void check_again(const Case *c, const CaseBolt *b, int32_t step, Diagnostics *out) {
  const CaseBolt *first = case_bolt_at(c, case_bolt_on(c, &b->on), NULL);
  const double lock = step < 0 ? (double)INFINITY : locked_before(c, &b->on, step);
  if (place_given(b->lock.place) && !is_tightened(b) && lock <= case_step_begin(c, step) * (1 + 1e-12))
    report_error(out, b->lock.place,
                 "lock is %g, and this bolt is locked from %g on\n  allowed: a bolt that is locked stays so\n  remedy: "
                 "leave it out, or tighten it again by 'preload' or 'elongation'",
                 b->lock.value, lock);
  if (b->axis.n && !same_axis(&b->axis, &first->axis))
    report_error(out, b->axis.place,
                 "the axis of a bolt that is there already changes\n  allowed: 'preload', 'elongation' and 'lock'\n"
                 "  remedy: leave it out");
}

/* In motion bolts have their length. */
static void check_motion(const Case *c, Diagnostics *out) {
  int32_t first = 0;
  while (first < c->steps.n && !case_step_moves(c, first)) ++first;
  const double begin = first < c->steps.n ? case_step_begin(c, first) : 0;
  for (int32_t i = 0; i < case_bolts(c); ++i) {
    const CaseBolt *b = case_bolt_at(c, i, NULL);
    bool locked = false;
    for (int32_t k = -1; k < c->steps.n; ++k) {
      const CaseBolt *now = k < 0 ? b : case_bolt_in(c, i, k);
      if (!now) continue;
      locked = place_given(now->lock.place) ? now->lock.value <= begin * (1 + 1e-12) : locked && now == b;
      if (k >= first)
        report_error(out, now->place,
                     "a bolt is tightened in step '%s', which has inertia\n  allowed: in steps with 'inertia: false'",
                     case_step(c, k)->name.text ? case_step(c, k)->name.text : "");
    }
    if (!locked)
      report_error(out, b->place,
                   "a bolt moves that is under its preload yet\n  allowed in motion: bolts that are locked before\n  "
                   "remedy: a step with "
                   "'inertia: false' that tightens it, and 'lock' at its end%s",
                   first ? "" : ", before those that move");
  }
}

void case_check_bolts(const Case *c, Diagnostics *out) {
  for (int32_t s = -1; s < c->steps.n && c->model.text; ++s)
    for (int32_t i = 0; i < list_of(c, s)->n; ++i) {
      const CaseBolt *b = bolt_of(list_of(c, s), i);
      bool twice = false;
      for (int32_t l = 0; l < i; ++l) twice |= case_same_groups(&b->on, &bolt_of(list_of(c, s), l)->on);
      if (twice) report_error(out, b->place, "this bolt stands in the list twice\n  remedy: one entry for it");
      check_axis(c, b, out);
      check_preload(b, out);
      check_lock(c, b, s < 0 ? 0 : case_step_begin(c, s), out);
      if (is_known(c, s, i)) check_again(c, b, s, out);
      else if (!is_tightened(b))
        report_error(out, b->place, "a bolt needs the key 'preload', such as preload: 5e4, or 'elongation'");
    }
  if (elastic_has(c, HAS_INERTIA)) check_motion(c, out);
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *sum = case_sum(c, i);
    if (sum->field.text && sum->field.value >= SUM_BOLT_FORCE && case_bolt_on(c, &sum->on) < 0)
      report_error(
          out, sum->place,
          "%s of '%s': there is no bolt on it\n  allowed: the groups of an entry of 'bolts', by the same names",
          sum->field.text, sum->on.n ? sum->on.item[0].text : "");
  }
}
