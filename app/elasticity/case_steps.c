/* Steps of a chain: the keys as tables, and what of an entry may change from one step to the next. Ends and names are checked in
 * app/input/case_steps.c. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "physics/elastic_model.h"
#include "physics/material.h"

#include <math.h>
#include <string.h>

static const Word strain_words[] = {{"small", 0}, {"finite", 0}, {NULL, 0}};
static const Key step_keys[] = {
    {"name", VALUE_TEXT, true, AT(CaseStep, name), .meaning = "of the step, for messages"},
    {"end", VALUE_NUMBER, true, AT(CaseStep, end), .open_min = true, .max = INFINITY,
     .meaning = "when it ends; t goes on from step to step"},
    {"step", VALUE_NUMBER, true, AT(CaseStep, step), .open_min = true, .max = INFINITY,
     .meaning = "length of a load step, or about that of the first when adaptive"},
    {"adaptive", VALUE_MAP, false, AT(CaseStep, adaptive), .schema = &case_load_adaptive_schema, .only = HAS_LOAD_STEPS,
     .meaning = "as of 'time'"},
    {"adaptive", VALUE_MAP, false, AT(CaseStep, adaptive), .schema = &case_motion_adaptive_schema,
     .only = ANALYSIS_NEWTON_MOTION, .meaning = "as of 'time'"},
    {"inertia", VALUE_FLAG, false, AT(CaseStep, inertia), .initial = "true", .only = ANALYSIS_NEWTON_MOTION,
     .meaning = "of motion: false, a load step, from one equilibrium to the next, before all "
                "steps with inertia"},
    {"creep", VALUE_FLAG, false, AT(CaseStep, creep), .initial = "true",
     .only = HAS_LOAD_STEPS | ANALYSIS_NEWTON_MOTION,
     .meaning = "of metals: false: nothing creeps in this step, as if it took no time"},
    {"strain", VALUE_WORD, false, AT(CaseStep, strain), .words = strain_words, .only = ANALYSIS_FINITE,
     .instead = "load steps with 'strain: finite'",
     .meaning =
         "small: of linear materials and metals, before all steps with finite strains, which are those of the case"},
    {"boundary", VALUE_MAPS, false, AT(CaseStep, boundary), .schema = &case_elastic_boundary_schema,
     .meaning = "what is other than in the step before, of supports and loads"},
    {"body", VALUE_MAPS, false, AT(CaseStep, body), .schema = &case_elastic_body_schema,
     .meaning = "the same of forces on volumes"},
    {"thermal", VALUE_MAP, false, AT(CaseStep, thermal), .schema = &case_thermal_schema,
     .meaning = "the temperature to which it goes, from that of the step before"},
    {"contact", VALUE_MAPS, false, AT(CaseStep, contact), .schema = &case_contact_schema,
     .only = HAS_LOAD_STEPS | ANALYSIS_MOTION,
     .instead = "a chain of load steps, without 'analysis', or 'strain: finite'",
     .meaning = "contacts that begin here, and what becomes other of those before"},
    {"bolts", VALUE_MAPS, false, AT(CaseStep, bolts), .schema = &case_bolt_schema,
     .only = HAS_LOAD_STEPS | ANALYSIS_NEWTON_MOTION, .instead = "a chain of load steps, without 'analysis'",
     .meaning = "bolts that are tightened here, or tightened again, or locked"}};
const Schema case_step_schema = {SCHEMA("a step", step_keys, CaseStep)};

const MapsValue *case_list(const Case *c, int32_t i, bool body) {
  if (i == 0) return body ? &c->body : &c->boundary;
  return body ? &case_step(c, i - 1)->body : &case_step(c, i - 1)->boundary;
}

/* What an entry prescribes by one expression, and its words. */
static const struct Part {
  size_t offset;
  const char *words;
} part[CASE_PARTS] = {
    {offsetof(CaseBoundary, fix.x), "fix of x"},
    {offsetof(CaseBoundary, fix.y), "fix of y"},
    {offsetof(CaseBoundary, fix.z), "fix of z"},
    {offsetof(CaseBoundary, volume), "volume"},
    {offsetof(CaseBoundary, rigid.fix.x), "x of the rigid motion"},
    {offsetof(CaseBoundary, rigid.fix.y), "y of the rigid motion"},
    {offsetof(CaseBoundary, rigid.fix.z), "z of the rigid motion"},
    {offsetof(CaseBoundary, rigid.fix.rx), "rx of the rigid motion"},
    {offsetof(CaseBoundary, rigid.fix.ry), "ry of the rigid motion"},
    {offsetof(CaseBoundary, rigid.fix.rz), "rz of the rigid motion"},
};

ExprValue *case_part(CaseBoundary *b, int k) { return (ExprValue *)(void *)((char *)b + part[k].offset); }
const ExprValue *case_part_of(const CaseBoundary *b, int k) {
  return (const ExprValue *)(const void *)((const char *)b + part[k].offset);
}

static bool has_name(const NamesValue *names, const char *name) {
  bool any = false;
  for (int32_t i = 0; i < names->n && !any; ++i) any = !strcmp(names->item[i].text, name);
  return any;
}

bool case_same_groups(const NamesValue *a, const NamesValue *b) {
  bool same = a->n == b->n;
  for (int32_t i = 0; i < a->n && same; ++i) same = has_name(b, a->item[i].text);
  return same;
}

static CaseBoundary *entry(const MapsValue *list, int32_t i) { return maps_item(list, sizeof(CaseBoundary), i); }

/* An entry before step k, from the last on, on the same groups that has part p (p < 0: is rigid). NULL: there is none. */
static CaseBoundary *entry_before(const Case *c, int32_t k, const NamesValue *on, int p) {
  for (int32_t l = k; l >= 0; --l)
    for (int32_t i = case_list(c, l, false)->n - 1; i >= 0; --i) {
      CaseBoundary *b = entry(case_list(c, l, false), i);
      if (case_same_groups(&b->on, on) && place_given(p < 0 ? b->rigid.place : case_part(b, p)->place)) return b;
    }
  return NULL;
}

/* Whoever names some of the groups of an entry that acts may think that the entry is replaced. */
static void check_overlap(const Case *c, int32_t k, const CaseBoundary *b, const Act *act, Diagnostics *out) {
  char place[512];
  for (int32_t l = 0; l <= k; ++l)
    for (int32_t i = 0; i < case_list(c, l, false)->n; ++i) {
      const CaseBoundary *other = entry(case_list(c, l, false), i);
      if (!place_given(act_place(act, other)) || case_same_groups(&b->on, &other->on)) continue;
      for (int32_t n = 0; n < b->on.n; ++n)
        if (has_name(&other->on, b->on.item[n].text)) {
          report_error(
              out, b->on.item[n].place,
              "%s on '%s' is there already, at %s, where other groups stand beside it\n  allowed: all groups of "
              "that entry, which then is replaced, or none\n  remedy: the same list of groups",
              act->key, b->on.item[n].text, place_text(c->path, act_place(act, other), place, sizeof place));
          return;
        }
    }
}

/* The place and the mass of a rigid group stay. */
static void check_rigid(const Case *c, const CaseStep *s, const CaseBoundary *b, Diagnostics *out) {
  const CaseBoundary *base = entry_before(c, 0, &b->on, -1);
  char place[512];
  if (!base) {
    report_error(out, b->rigid.place,
                 "the rigid group begins in step '%s'; it is part of the stiffness, which all steps share\n  remedy: "
                 "'rigid' in the 'boundary' of the case, and its force and moment in the step",
                 s->name.text);
    return;
  }
  const Place weighs[] = {b->rigid.mass.place, b->rigid.inertia.place};
  for (int i = 0; i < 2; ++i)
    if (place_given(weighs[i]))
      report_error(out, weighs[i],
                   "%s of a rigid group is part of the mass, which all steps share\n  remedy: in the 'boundary' of the "
                   "case, and force and moment in the step",
                   i == 0 ? "mass" : "inertia");
  bool same = b->rigid.at.n == base->rigid.at.n;
  for (int32_t i = 0; i < b->rigid.at.n && same; ++i) same = b->rigid.at.value[i] == base->rigid.at.value[i];
  if (!same)
    report_error(
        out, b->rigid.at.place,
        "step '%s' puts the rigid group at another place than %s\n  allowed: the same place in all steps, that "
        "of the body as it was",
        s->name.text, place_text(c->path, base->rigid.at.place, place, sizeof place));
}

static void check_entry(const Case *c, int32_t k, CaseBoundary *b, Diagnostics *out) {
  const CaseStep *s = case_step(c, k);
  for (const Act *act = NULL; (act = act_next(b, ACT_ANY, act));) {
    check_overlap(c, k, b, act, out);
    if (act->roles & (ACT_STIFFNESS | ACT_VISCOUS) && !(act->roles & ACT_MOTION))
      report_error(out, act_place(act, b),
                   "%s is part of the %s, which all steps share; it belongs to the 'boundary' of the case", act->key,
                   act_is_of(act));
  }
  if (place_given(b->rigid.place)) check_rigid(c, s, b, out);
  for (int p = 0; p < CASE_PARTS && (k > 0 || p >= CASE_VOLUME); ++p)
    if (place_given(case_part(b, p)->place) && !entry_before(c, p >= CASE_VOLUME ? 0 : 1, &b->on, p))
      report_error(
          out, case_part(b, p)->place,
          "%s on '%s' begins in step '%s'; what is held is held from the first step on\n  allowed: groups that an "
          "entry of the 'boundary' of the case%s holds, by the same names",
          part[p].words, b->on.n ? b->on.item[0].text : "", s->name.text,
          p >= CASE_VOLUME ? "" : ", or of the first step,");
}

bool case_step_moves(const Case *c, int32_t k) { return elastic_has(c, HAS_INERTIA) && case_step(c, k)->inertia.value; }

bool case_rests_first(const Case *c) { return elastic_has(c, HAS_INERTIA) && c->steps.n && !case_step_moves(c, 0); }

/* Lengths of a step in motion are judged by its error, those of one without inertia by Newton's method. */
static void check_judged(const Case *c, int32_t k, Diagnostics *out) {
  const CaseAdaptive *a = &case_step(c, k)->adaptive;
  const bool moves = case_step_moves(c, k), given = place_given(a->tolerance.place);
  if (case_adaptive_on(a) && moves && !given)
    report_error(out, a->place,
                 "adaptive of a step with inertia needs the key 'tolerance'\n  such as: adaptive: {tolerance: 1e-3}");
  if (given && !moves)
    report_error(
        out, a->tolerance.place,
        "tolerance is of steps with inertia; without it steps are as long as Newton's method converges quickly");
}

/* What is held cannot jump: there is no such velocity. */
static void check_jump(const Case *c, int32_t k, CaseBoundary *b, int p, Diagnostics *out) {
  static const double SAME = 1e-9; /* of values and times: rounding of expressions */
  const CaseBoundary *base = entry_before(c, k, &b->on, p);
  static const double place[2][3] = {{0, 0, 0}, {0.37, 0.61, 0.83}};
  const double begin = case_step_begin(c, k);
  double from = 0, to = 0;
  if (!place_given(case_part(b, p)->place) || !base) return;
  const Expr *was = &case_part_of(base, p)->expr, *is = &case_part(b, p)->expr;
  for (int i = 0; i < 2 && !(fabs(to - from) > SAME * (fabs(to) + fabs(from))); ++i)
    from = expr_value(was, place[i], begin), to = expr_value(is, place[i], begin);
  if (!(fabs(to - from) > SAME * (fabs(to) + fabs(from)))) return;
  report_error(
      out, case_part(b, p)->place,
      "%s goes from %g to %g at once, at t = %g where the step '%s' begins with inertia\n  remedy: an expression "
      "that begins with the old value, such as \"%g + %g*min((t - %g)/0.1, 1)\"",
      part[p].words, from, to, begin, case_step(c, k)->name.text, from, to - from, begin);
}

static void check_motion(const Case *c, Diagnostics *out) {
  const CaseInitial *initial = &c->initial;
  bool any = false;
  for (int32_t k = 0; k < c->steps.n; ++k) {
    const CaseStep *s = case_step(c, k);
    any = any || case_step_moves(c, k);
    check_judged(c, k, out);
    if (k > 0 && !case_step_moves(c, k) && case_step_moves(c, k - 1))
      report_error(out, s->inertia.place,
                   "step '%s' has no inertia, and the one before it has: a body that moves is not at rest at once\n  "
                   "allowed: 'inertia: false' in the first steps",
                   s->name.text);
    for (int32_t i = 0; k > 0 && case_step_moves(c, k) && i < s->boundary.n; ++i)
      for (int p = 0; p < CASE_PARTS; ++p) check_jump(c, k, entry(&s->boundary, i), p, out);
  }
  if (!any)
    report_error(out, c->steps.place,
                 "no step has inertia\n  remedy: leave 'analysis' out, or 'inertia: false' of the last step");
  if (case_rests_first(c) && place_given(initial->displacement.place))
    report_error(
        out, initial->displacement.place,
        "displacement is that at the start, where a step without inertia finds its own\n  remedy: leave it out; "
        "'velocity' is that with which the first step with inertia begins");
}

/* The body is free of stress at one temperature. */
static void check_thermal(const Case *c, const CaseThermal *thermal, Diagnostics *out) {
  const CaseThermal *first = case_first_thermal(c);
  case_check_thermal(c, thermal, out);
  if (place_given(thermal->reference.place) && fabs(thermal->reference.value - first->reference.value) > 0)
    report_error(
        out, thermal->reference.place,
        "reference is %g, and it is %g before: the temperature at which the body is free of stress is one for all "
        "steps\n  remedy: leave it out here",
        thermal->reference.value, first->reference.value);
}

/* What a case has that small strains before large ones have not; NULL: nothing. */
static const char *beyond_small(const Case *c, Place *at) {
  if (c->model.text && c->model.value == MODEL_PLANE_STRESS) return *at = c->model.place, "plane stress";
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseMaterial *of = case_material(c, m);
    const MaterialType *type = material_type(of->type.value);
    if (type && !type->shape.linear && !type->shape.flows)
      return *at = of->place, "a material that is neither linear nor 'plastic'";
    if (place_given(of->active.place)) return *at = of->active.place, "muscle";
  }
  for (int32_t k = 0; k <= c->steps.n; ++k)
    for (int32_t i = 0; i < case_list(c, k, false)->n; ++i) {
      const CaseBoundary *b = entry(case_list(c, k, false), i);
      if (place_given(b->volume.place)) return *at = b->volume.place, "a volume";
    }
  for (int32_t i = 0; i < c->equations.n; ++i)
    if (case_equation(c, i)->keep.text) return *at = case_equation(c, i)->place, "a condition that bends with the body";
  return NULL;
}

/* Steps in which nothing creeps are of metals that do. */
static void check_creep(const Case *c, const CaseStep *s, Diagnostics *out) {
  bool any = false;
  if (!place_given(s->creep.place) || s->creep.value) return;
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseMaterial *of = case_material(c, m);
    const MaterialType *type = material_type(of->type.value);
    const int norm = material_parameter(of->type.value, "creep");
    any = any || (norm >= 0 && place_given(of->value[norm].place));
    if (!type || type->shape.linear || norm >= 0) continue;
    report_error(out, s->creep.place,
                 "creep: false beside a material '%s' is not understood\n  allowed: materials that are "
                 "linear, and 'plastic'",
                 type->name);
    return;
  }
  if (!any) report_error(out, s->creep.place, "no material creeps; leave 'creep' out");
}

/* Linear steps come first, as CalculiX has them: large strains stay. */
static void check_strains(const Case *c, Diagnostics *out) {
  const char *other;
  int32_t n = 0;
  Place at = {0};
  char place[512];
  for (int32_t k = 0; k < c->steps.n; ++k) {
    const CaseStep *s = case_step(c, k);
    if (!s->strain.text || s->strain.value != STEP_STRAIN_SMALL) continue;
    if (k > n)
      report_error(out, s->strain.place,
                   "step '%s' has small strains, and the one before it has not\n  allowed: 'strain: small' in the "
                   "first steps",
                   s->name.text);
    ++n;
  }
  if (!n || !case_small_first(c) || !elastic_has(c, HAS_LARGE_STRAIN)) return;
  if (n == c->steps.n)
    report_error(out, case_step(c, 0)->strain.place,
                 "all steps have small strains\n  remedy: 'strain: small' of the case, and none in steps");
  else if ((other = beyond_small(c, &at)))
    report_error(out, case_step(c, 0)->strain.place,
                 "small strains come before finite ones in some cases only; here is %s, at %s\n  allowed: linear "
                 "materials and metals in 3d, plane strain or around an axis, without volumes and 'keep'\n"
                 "  remedy: finite strains in this step too",
                 other, place_text(c->path, at, place, sizeof place));
}

void case_check_steps(Case *c, Diagnostics *out) {
  for (int32_t k = 0; k < c->steps.n && c->model.text; ++k) {
    CaseStep *s = case_step(c, k);
    case_check_boundary(c, &s->boundary, out);
    case_check_body(c, &s->body, out);
    check_thermal(c, &s->thermal, out);
    check_creep(c, s, out);
    for (int32_t i = 0; i < s->boundary.n; ++i) check_entry(c, k, entry(&s->boundary, i), out);
  }
  check_strains(c, out);
  if (elastic_has(c, HAS_INERTIA) && c->steps.n && !out->n) check_motion(c, out);
}
