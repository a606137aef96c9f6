/* Checks of a case of elasticity at finite strain, and which loads depend on t. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/input/case_tables.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

bool case_is_linear(const Case *c) {
  bool linear = !elastic_has(c, HAS_LARGE_STRAIN);
  for (int32_t m = 0; m < c->materials.n && linear; ++m) {
    const MaterialType *type = material_type(case_material(c, m)->type.value);
    linear = !type || type->shape.linear;
  }
  return linear;
}

/* The strain says what kind of case it is, whatever the analysis. */
static void refuse_analysis(const Case *c, Diagnostics *out) {
  if (!elastic_has(c, HAS_INERTIA | ANALYSIS_STRESSED) && place_given(c->analysis.place) && c->analysis.type.text &&
      c->analysis.type.value != ANALYSIS_NUMBER_STATIC)
    report_error(out, c->analysis.place,
                 "a %s analysis is one of small strains\n  remedy: 'strain: small', or leave 'analysis' out",
                 c->analysis.type.text);
}

/* What a load does where the same entry holds: nothing, but in reactions. */
static void refuse_held_loads(const Case *c, const MapsValue *boundary, Diagnostics *out) {
  for (int32_t i = 0; i < boundary->n; ++i) {
    const CaseBoundary *b = maps_item(boundary, sizeof(CaseBoundary), i);
    const ExprValue *fix[3] = {&b->fix.x, &b->fix.y, &b->fix.z};
    bool all = true;
    for (int k = 0; k < case_dim(c); ++k) all = all && place_given(fix[k]->place);
    for (const Act *act = NULL; (act = act_next(b, ACT_LOAD, act));) {
      const ExprValue *value[ACT_EXPRS];
      const int n = act_exprs(act, b, value);
      for (int k = 0; k < n && act->type == VALUE_EXPRS; ++k)
        if (place_given(fix[k]->place) && expr_acts(&value[k]->expr))
          report_error(out, act_place(act, b),
                       "%s acts in %c where fix prescribes %c; it would go into the reaction alone\n  allowed: one of "
                       "the two in each direction\n  remedy: write 0 for it, or leave %c out of fix",
                       act->key, "xyz"[k], "xyz"[k], "xyz"[k]);
      if (n && act->type == VALUE_EXPR && all && expr_acts(&value[0]->expr))
        report_error(out, act_place(act, b),
                     "%s acts where fix prescribes all directions; it would go into the reaction alone\n  remedy: "
                     "leave one of the two out",
                     act->key);
    }
    if (all && place_given(b->volume.place))
      report_error(out, b->volume.place,
                   "volume is prescribed where fix prescribes all directions, so that nothing can change it\n  remedy: "
                   "leave one of the two out");
  }
}

/* Volumes and pressures are those of cavities, by the names of their entries. */
static void check_cavity_sums(const Case *c, Diagnostics *out) {
  const bool muscle = elastic_has(c, HAS_PUMP);
  for (int32_t i = 0; i < c->output.sums.n; ++i) {
    const CaseSum *sum = case_sum(c, i);
    bool there = !sum->field.text || (sum->field.value != SUM_VOLUME && sum->field.value != SUM_PRESSURE) ||
                 !place_given(sum->on.place);
    for (int32_t k = 0; k < c->boundary.n; ++k)
      there = there ||
              (place_given(case_boundary(c, k)->volume.place) && case_same_groups(&sum->on, &case_boundary(c, k)->on));
    for (int32_t k = 0; k < c->cavities.n; ++k) there = there || case_same_groups(&sum->on, &case_cavity(c, k)->on);
    if (!there)
      report_error(
          out, sum->place,
          "%s of '%s': no entry of '%s there\n  allowed: the groups of %s, by the same names\n  remedy: name them, or "
          "ask for another field",
          sum->field.text, sum->on.n ? sum->on.item[0].text : "",
          muscle ? "cavities' is" : "boundary' prescribes a volume", muscle ? "a cavity" : "an entry with 'volume'");
  }
}

void finite_check(Case *c, Diagnostics *out) {
  const CaseTime *t = &c->time;
  case_check_contact(c, out);
  case_check_bolts(c, out);
  if (!place_given(t->place) && !place_given(c->steps.place))
    report_error(out, c->place, "the case needs the key 'time', or 'steps'\n  such as: time: {end: 1, step: 0.1}");
  case_check_elastic(c, out);
  case_check_thermal(c, &c->thermal, out);
  case_check_steps(c, out);
  refuse_analysis(c, out);
  for (int32_t k = 0; c->model.text && k <= c->steps.n; ++k) refuse_held_loads(c, case_list(c, k, false), out);
  case_check_elastic_tables(c, out);
  case_check_elastic_probes(c, out);
  case_check_sums(c, out);
  case_check_adapt(c, out);
  case_check_states(c, out);
  check_cavity_sums(c, out);
  if (!place_given(c->output.every.place) && case_adapts(t))
    c->output.every.value = t->adaptive.max.value > 0 ? fmin(t->adaptive.max.value, t->end.value) : 0.1 * t->end.value;
  if (c->steps.n && !out->n) case_chain_create(c, out);
  else if (!out->n) case_rise_create(c, out);
}

/* The first of these that varies, once *skip of them have gone by; NULL: none. */
static const ExprValue *timed(int32_t n, const ExprValue *value, int32_t *skip) {
  for (int32_t k = 0; k < n; ++k)
    if (expr_is_timed(&value[k].expr) && (*skip)-- == 0) return &value[k];
  return NULL;
}

static const ExprValue *timed_among(const MapsValue *boundary, const MapsValue *body, int32_t *skip) {
  const ExprValue *found = NULL;
  for (int32_t i = 0; i < boundary->n && !found; ++i) {
    const CaseBoundary *b = maps_item(boundary, sizeof(CaseBoundary), i);
    for (const Act *act = NULL; !found && (act = act_next(b, ACT_ANY, act));) {
      const ExprValue *value[ACT_EXPRS];
      const int n = act_exprs(act, b, value);
      for (int k = 0; k < n && !found; ++k) found = timed(1, value[k], skip);
    }
    for (int p = CASE_RIGID; p < CASE_PARTS && !found; ++p) found = timed(1, case_part_of(b, p), skip);
  }
  for (int32_t i = 0; i < body->n && !found; ++i) {
    const CaseBody *b = maps_item(body, sizeof(CaseBody), i);
    found = timed(b->gravity.n, b->gravity.item, skip);
  }
  return found;
}

const ExprValue *case_timed(const Case *c, int32_t skip) {
  const ExprValue *found = timed_among(case_acting(c), case_acting_body(c), &skip);
  for (int32_t i = 0, kind; i < case_contacts(c) && !found; ++i) {
    const CaseObstacle *o = case_obstacle(case_contact_at(c, i, NULL), &kind);
    if (o) found = timed(o->move.n, o->move.item, &skip);
    if (o && !found) found = timed(1, &o->rotate.angle, &skip);
  }
  for (int32_t i = 0; i < c->bolts.n && !found; ++i) found = timed(2, &case_bolt_at(c, i, NULL)->preload, &skip);
  if (!found) found = timed(1, &c->thermal.temperature.value, &skip);
  for (int32_t m = 0; m < c->materials.n && !found; ++m) {
    const CaseActive *active = &case_material(c, m)->active;
    found = timed(1, &active->tension, &skip);
    if (!found) found = timed(1, &active->calcium, &skip);
    if (!found) found = timed(1, &active->potential, &skip);
  }
  for (int32_t i = 0; i < c->cavities.n && !found; ++i) {
    found = timed(1, &case_cavity(c, i)->pressure, &skip);
    if (!found) found = timed(1, &case_cavity(c, i)->volume, &skip);
  }
  for (int32_t i = 0; i < c->load_cases.n && !found; ++i)
    found = timed_among(&case_load_case(c, i)->boundary, &case_load_case(c, i)->body, &skip);
  return found;
}

/* A mass of a rigid group beside gravity: a force at its point, which goes over t. */
static bool has_weight(const Case *c) {
  const MapsValue *boundary = case_acting(c), *body = case_acting_body(c);
  bool mass = false, gravity = false;
  for (int32_t i = 0; i < boundary->n; ++i)
    mass = mass || ((const CaseBoundary *)maps_item(boundary, sizeof(CaseBoundary), i))->rigid.mass.value > 0;
  for (int32_t i = 0; i < body->n; ++i)
    gravity = gravity || place_given(((const CaseBody *)maps_item(body, sizeof(CaseBody), i))->gravity.place);
  return mass && gravity && !elastic_has(c, HAS_INERTIA);
}

bool case_rotates(const Case *c) {
  const MapsValue *boundary = case_acting(c);
  const bool whole = elastic_has(c, HAS_LOAD_STEPS) && !c->chain && case_timed(c, 0); /* numbers do not grow */
  bool rotates = elastic_has(c, HAS_LARGE_STRAIN);
  for (int32_t i = 0; elastic_has(c, HAS_LOAD_STEPS | ANALYSIS_MOVING) && i < boundary->n; ++i)
    for (int p = CASE_RIGID; p < CASE_PARTS; ++p) {
      const Expr *e = &case_part_of(maps_item(boundary, sizeof(CaseBoundary), i), p)->expr;
      rotates = rotates || expr_is_timed(e) || (whole && expr_acts(e));
    }
  return rotates || (elastic_has(c, HAS_LOAD_STEPS) && has_weight(c));
}

bool case_ramps(const Case *c) {
  return elastic_has(c, HAS_LOAD_STEPS) && !c->chain && !place_given(c->circulation.place) &&
         !elastic_has(c, HAS_CELLS) && !case_timed(c, 0);
}

bool case_tension_ramps(const Case *c) {
  bool ramps = c->chain || case_ramps(c);
  for (int32_t m = 0; m < c->materials.n; ++m)
    ramps = ramps && !expr_is_timed(&case_material(c, m)->active.tension.expr);
  return ramps;
}

bool case_heat_ramps(const Case *c) {
  return c->chain ? !expr_is_timed(&c->thermal.temperature.value.expr) : case_ramps(c);
}
