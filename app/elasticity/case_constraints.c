/* Constraints between displacements, and distributing couplings: keys and their checks. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "app/input/number.h"
#include "assembly/space/bent_rows.h"
#include "assembly/space/equations.h"
#include "core/vec3.h"
#include "physics/elastic_model.h"

#include <math.h>
#include <string.h>

static const Key distribute_keys[] = {
    {"at", VALUE_VECTOR, true, AT(CaseDistribute, at), .meaning = "the point that the force acts at"},
    {"force", VALUE_EXPRS, false, AT(CaseDistribute, force), .meaning = "in total"},
    {"moment", VALUE_EXPR_OR_EXPRS, false, AT(CaseDistribute, moment),
     .meaning = "about the point; one number in a flat model"}};
const Schema case_distribute_schema = {SCHEMA("distribute", distribute_keys, CaseDistribute), .optional = true};

static const Key bearing_keys[] = {
    {"force", VALUE_VECTOR, true, AT(CaseBearing, force), .meaning = "in total, across the axis of the bore"}};
const Schema case_bearing_schema = {SCHEMA("bearing", bearing_keys, CaseBearing), .optional = true};

static const Key rigid_fix_keys[] = {
    {"x", VALUE_EXPR, false, AT(CaseRigidFix, x), .meaning = "displacement of the point"},
    {"y", VALUE_EXPR, false, AT(CaseRigidFix, y), .meaning = "the same in y"},
    {"z", VALUE_EXPR, false, AT(CaseRigidFix, z), .meaning = "the same in z"},
    {"rx", VALUE_EXPR, false, AT(CaseRigidFix, rx), .meaning = "rotation, radians"},
    {"ry", VALUE_EXPR, false, AT(CaseRigidFix, ry), .meaning = "rotation, radians"},
    {"rz", VALUE_EXPR, false, AT(CaseRigidFix, rz), .meaning = "rotation, radians"}};
static const Schema rigid_fix_schema = {SCHEMA("fix", rigid_fix_keys, CaseRigidFix), .whole = "all"};
static const Key rigid_keys[] = {
    {"at", VALUE_VECTOR, true, AT(CaseRigid, at), .meaning = "the point of its motion"},
    {"fix", VALUE_MAP, false, AT(CaseRigid, fix), .schema = &rigid_fix_schema,
     .meaning = "all, or {x: 0, rx: 0.01}: what is prescribed of the motion"},
    {"force", VALUE_EXPRS, false, AT(CaseRigid, force), .meaning = "at the point"},
    {"mass", VALUE_NUMBER, false, AT(CaseRigid, mass), .meaning = "at the point"},
    {"inertia", VALUE_TENSOR, false, AT(CaseRigid, inertia),
     .meaning = "about the point: [xx, yy, zz], or three rows; one number in a flat model"},
    {"moment", VALUE_EXPR_OR_EXPRS, false, AT(CaseRigid, moment),
     .meaning = "about the point; one number in a flat model"}};
const Schema case_rigid_schema = {SCHEMA("rigid", rigid_keys, CaseRigid), .optional = true};

static const Key rotate_keys[] = {
    {"origin", VALUE_VECTOR, true, AT(CaseRotate, origin), .meaning = "a point of the axis"},
    {"axis", VALUE_VECTOR, false, AT(CaseRotate, axis),
     .meaning = "direction of the axis; at right angles to a flat model"}};
const Schema case_rotate_schema = {SCHEMA("rotate", rotate_keys, CaseRotate), .optional = true};

static const Word keep_words[] = {{"plane", 0}, {"line", 0}, {"distance", 0}, {"rotation", 0}, {NULL, 0}};
/* In the order of SpanBegin. */
static const Word begin_words[] = {{"jump", 0}, {"ramp", 0}, {"stay", 0}, {NULL, 0}};
static const Key equation_keys[] = {
    {"nodes", VALUE_NAMES, true, AT(CaseEquation, nodes), .meaning = "numbers of the mesh file"},
    {"components", VALUE_NAMES, false, AT(CaseEquation, components), .meaning = "x, y or z for each node"},
    {"factors", VALUE_NAMES, false, AT(CaseEquation, factors), .meaning = "a number for each node"},
    {"keep", VALUE_WORD, false, AT(CaseEquation, keep), .words = keep_words,
     .meaning = "in place of components and factors: nodes stay in the plane of the first three, on the line of the "
                "first two, at the "
                "distance of two; or turn in the mean by `value` about `axis`"},
    {"axis", VALUE_VECTOR, false, AT(CaseEquation, axis), .meaning = "of a rotation: its direction"},
    {"from", VALUE_NUMBER, false, AT(CaseEquation, from), .meaning = "the end of a step, from which on it holds"},
    {"begin", VALUE_WORD, false, AT(CaseEquation, begin), .initial = "jump", .words = begin_words,
     .meaning = "of 'from': the sum is `value` from the end of the first load step on (jump), goes to it over the step "
                "(ramp), or stays what it is"},
    {"until", VALUE_NUMBER, false, AT(CaseEquation, until), .meaning = "the end of a step, up to which it holds"},
    {"value", VALUE_NUMBER, false, AT(CaseEquation, value), .initial = "0",
     .meaning = "what the displacements times their factors add up to; of a rotation the mean angle, radians"}};
const Schema case_equation_schema = {SCHEMA("an equation", equation_keys, CaseEquation)};

void case_refuse_gaps(const Case *c, Diagnostics *out) {
  static const char *const REMEDY = "in a vibration it is 0\n  shake the body by 'fix' on a group that is not rigid";
  const double origin[3] = {0};
  for (int32_t i = 0; i < c->boundary.n; ++i) {
    const CaseRigidFix *f = &case_boundary(c, i)->rigid.fix;
    const ExprValue *const given[] = {&f->x, &f->y, &f->z, &f->rx, &f->ry, &f->rz};
    for (int k = 0; k < COUNT(given); ++k)
      if (place_given(given[k]->place) && expr_value(&given[k]->expr, origin, 0) != 0)
        report_error(out, given[k]->place, "a rigid motion is prescribed as %g; %s",
                     expr_value(&given[k]->expr, origin, 0), REMEDY);
  }
  for (int32_t i = 0; i < c->equations.n; ++i)
    if (case_equation(c, i)->value.value != 0)
      report_error(out, case_equation(c, i)->value.place, "an equation has the value %g; in a vibration it is 0",
                   case_equation(c, i)->value.value);
}

static bool is_zero(const VectorValue *v) {
  for (int32_t k = 0; k < v->n; ++k)
    if (v->value[k] != 0) return false;
  return true;
}
static bool does_nothing(const ExprsValue *v) {
  for (int32_t k = 0; k < v->n; ++k)
    if (expr_acts(&v->item[k].expr)) return false;
  return true;
}

const ExprValue *case_sum_part(const ExprsValue *force, const ExprsValue *moment, int k) {
  if (k < 3) return k < force->n ? &force->item[k] : NULL;
  if (moment->single) return k == 5 ? &moment->item[0] : NULL;
  return k - 3 < moment->n ? &moment->item[k - 3] : NULL;
}

/* They are of the whole group, and so of no place. */
static void check_sums(const Case *c, const ExprsValue *force, const ExprsValue *moment, Diagnostics *out) {
  const int32_t wanted = case_dim(c) == 2 ? 1 : 3, given = moment->single ? 1 : moment->n;
  case_check_directions(c, "force", force->n, force->place, out);
  if (moment->normal || (moment->n && given != wanted))
    report_error(out, moment->place, "moment has %d %s; model '%s' has %s", given,
                 moment->normal ? "along a normal" : "entries", c->model.text,
                 wanted == 1 ? "one, about an axis at right angles to it" : "3");
  for (int k = 0; k < CASE_SUM_PARTS; ++k) {
    const ExprValue *part = case_sum_part(force, moment, k);
    if (part && expr_is_local(&part->expr))
      report_error(
          out, part->place,
          "'%.60s' depends on the place; %s is that of the whole group\n  allowed: numbers, and expressions in "
          "%s\n  remedy: 'traction', which may differ from place to place",
          part->text, k < 3 ? "force" : "moment", elastic_has(c, HAS_FREQUENCIES) ? "f" : "t");
  }
}

/* A step ends a load by the value 0. */
static void check_distribute(const Case *c, const CaseDistribute *d, Diagnostics *out) {
  case_check_directions(c, "at", d->at.n, d->at.place, out);
  check_sums(c, &d->force, &d->moment, out);
  if (!c->steps.n && does_nothing(&d->force) && does_nothing(&d->moment))
    report_error(out, d->place, "distribute has neither force nor moment other than 0");
  if (case_axisymmetric(c))
    report_error(out, d->place,
                 "distribute is not for an axisymmetric model, where a force goes all around; use force or traction");
}

static void check_bearing(const Case *c, const CaseBearing *b, Diagnostics *out) {
  case_check_directions(c, "force", b->force.n, b->force.place, out);
  if (!c->steps.n && b->force.n && is_zero(&b->force))
    report_error(out, b->force.place, "bearing has no force other than 0");
  if (case_axisymmetric(c))
    report_error(out, b->place,
                 "bearing is not for an axisymmetric model, where a bore is pressed all around; use pressure");
}

static void check_rigid(const Case *c, const CaseRigid *r, Diagnostics *out) {
  const ExprValue *given[] = {&r->fix.x, &r->fix.y, &r->fix.z, &r->fix.rx, &r->fix.ry, &r->fix.rz};
  static const char *const name[] = {"x", "y", "z", "rx", "ry", "rz"};
  const bool timed = elastic_has(c, HAS_LOAD_STEPS | HAS_LARGE_STRAIN | ANALYSIS_MOVING);
  case_check_directions(c, "at", r->at.n, r->at.place, out);
  check_sums(c, &r->force, &r->moment, out);
  for (int k = 0; k < COUNT(given); ++k)
    if (place_given(given[k]->place) && (timed ? expr_is_local(&given[k]->expr) : !expr_is_constant(&given[k]->expr)))
      report_error(out, given[k]->place, "%s of a rigid motion is one number%s", name[k],
                   timed ? ", or depends on t alone" : "");
  if (case_axisymmetric(c)) report_error(out, r->place, "rigid is not for an axisymmetric model; use fix or tie");
}

/* A group that is joined to itself. */
static void check_pair(const char *key, const NamesValue *on, const NamesValue *other, Diagnostics *out) {
  if (on->n == 1 && other->n == 1 && on->item[0].text && other->item[0].text &&
      strcmp(on->item[0].text, other->item[0].text) == 0)
    report_error(out, other->place, "%s joins '%s' to itself\n  remedy: the group of the other side", key,
                 on->item[0].text);
}

/* In its main axes: none is larger than the other two together, so that none is below 0 either. */
static void check_inertia(const TensorValue *J, Diagnostics *out) {
  const double six[6] = {J->value[0][0], J->value[1][1], J->value[2][2],
                         J->value[0][1], J->value[1][2], J->value[0][2]};
  double main[3];
  elastic_principal(six, main);
  if (main[0] <= (main[1] + main[2]) * (1 + 1e-9)) return;
  report_error(out, J->place, "inertia %g, %g, %g%s is of no body: none is larger than the other two together", main[0],
               main[1], main[2], J->diagonal ? "" : " in its main axes");
}

static void check_mass(const Case *c, const CaseRigid *r, Diagnostics *out) {
  const bool flat = case_dim(c) == 2;
  const TensorValue *J = &r->inertia;
  if (place_given(r->mass.place) && r->mass.value < 0)
    report_error(out, r->mass.place, "mass is %g, must be >= 0", r->mass.value);
  if (J->n && J->n != (flat ? 1 : 3))
    report_error(out, J->place, "inertia has %d directions; model '%s' has %s", J->n, c->model.text,
                 flat ? "one number" : "[xx, yy, zz], or three rows");
  if (J->n == 1 && J->value[0][0] < 0) report_error(out, J->place, "inertia is %g, must be >= 0", J->value[0][0]);
  if (J->n == 3) check_inertia(J, out);
  if (!place_given(r->mass.place) && !J->n) return;
  const Place place = place_given(r->mass.place) ? r->mass.place : J->place;
  if (case_rotates(c) && elastic_has(c, HAS_INERTIA | ANALYSIS_STRESSED))
    report_error(
        out, place,
        "a rigid group that turns by any angle has no mass of its own in motion\n  remedy: 'mass' on the group");
  else if (case_rotates(c) && !place_given(r->mass.place))
    report_error(out, place, "inertia without mass does nothing in load steps\n  remedy: leave it out");
  for (int32_t i = 0; i < c->body.n; ++i)
    if (place_given(case_body(c, i)->centrifugal.place))
      report_error(out, place,
                   "the mass of a rigid group does not take part in 'centrifugal'\n  remedy: 'mass' on the group");
}

static double length_of(const VectorValue *v) {
  double square = 0;
  for (int32_t k = 0; k < v->n; ++k) square += v->value[k] * v->value[k];
  return sqrt(square);
}

/* The distance of two lines with this direction in common, or -1: they have none. */
static double apart(const CaseRotate *r, const CaseCentrifugal *t, int32_t dim) {
  double one[3] = {0, 0, dim == 2}, two[3] = {0, 0, dim == 2}, across[3], d[3] = {0};
  for (int32_t k = 0; k < 3; ++k) {
    if (k < r->axis.n && k < t->axis.n) one[k] = r->axis.value[k], two[k] = t->axis.value[k];
    if (k < r->origin.n && k < t->origin.n) d[k] = t->origin.value[k] - r->origin.value[k];
  }
  vec3_normalize(one), vec3_normalize(two);
  vec3_cross(one, two, across);
  if (vec3_dot(across, across) > 1e-12) return -1;
  vec3_cross(one, d, across);
  return sqrt(vec3_dot(across, across));
}

/* What acts in a sector acts in all of them, turned with it. */
static void check_rotated(const Case *c, const CaseRotate *r, const MapsValue *body, Diagnostics *out) {
  for (int32_t i = 0; i < body->n; ++i) {
    const CaseCentrifugal *t = &((const CaseBody *)maps_item(body, sizeof(CaseBody), i))->centrifugal;
    if (!place_given(t->place)) continue;
    const double away = apart(r, t, case_dim(c));
    if (away >= 0 && away <= 1e-6 * (length_of(&t->origin) + length_of(&r->origin))) continue;
    report_error(
        out, t->place,
        "centrifugal is about another axis than 'rotate' of a periodic pair: the load of one sector is not that of "
        "the others\n  remedy: the same 'origin' and 'axis' in both, or the whole body");
  }
}

static void check_rotate(const Case *c, const CaseBoundary *b, Diagnostics *out) {
  const CaseRotate *r = &b->rotate;
  if (!b->periodic.n)
    report_error(out, r->place,
                 "rotate is of a periodic pair, and this entry has none\n  remedy: 'periodic: GROUP', the other cut");
  if (case_axisymmetric(c)) {
    report_error(out, r->place, "an axisymmetric model is a section, and has no sectors; leave 'rotate' out");
    return;
  }
  case_check_directions(c, "origin", r->origin.n, r->origin.place, out);
  if (case_dim(c) == 3 && !r->axis.n)
    report_error(out, r->place, "rotate needs the key 'axis' in a 3d model: direction of the axis");
  if (case_dim(c) == 3) case_check_direction(c, "axis", &r->axis, out);
  else if (r->axis.n)
    report_error(out, r->axis.place, "model '%s' turns about an axis at right angles to it; leave axis out",
                 c->model.text);
  check_rotated(c, r, &c->body, out);
  for (int32_t i = 0; i < c->load_cases.n; ++i)
    check_rotated(c, r, &((const CaseLoadCase *)maps_item(&c->load_cases, sizeof(CaseLoadCase), i))->body, out);
  for (int32_t i = 0; i < c->steps.n; ++i) check_rotated(c, r, &case_step(c, i)->body, out);
}

void case_check_constraint(const Case *c, const CaseBoundary *b, Diagnostics *out) {
  check_pair("tie", &b->on, &b->tie, out);
  check_pair("periodic", &b->on, &b->periodic, out);
  if (place_given(b->reach.place) && !b->tie.n && !b->periodic.n)
    report_error(out, b->reach.place,
                 "reach is of a tie or a periodic pair, and this entry has none\n  remedy: 'tie', or leave it out");
  if (place_given(b->rotate.place)) check_rotate(c, b, out);
  if (place_given(b->closes.place) && !b->tie.n)
    report_error(out, b->closes.place, "closes is of a tie, and this entry has none\n  remedy: 'tie', or leave it out");
  if (place_given(b->reach.place) && !(b->reach.value > 0))
    report_error(out, b->reach.place, "reach is %g, must be > 0", b->reach.value);
  if (place_given(b->rigid.place)) check_rigid(c, &b->rigid, out);
  if (place_given(b->rigid.place)) check_mass(c, &b->rigid, out);
  if (place_given(b->bearing.place)) check_bearing(c, &b->bearing, out);
  if (place_given(b->distribute.place)) check_distribute(c, &b->distribute, out);
}

void case_check_node_numbers(const Case *c, const NamesValue *nodes, const char *remedy, Diagnostics *out) {
  if (place_given(c->adapt.place) && nodes->n)
    report_error(out, nodes->place,
                 "'nodes' are numbers of a mesh, and with 'adapt' each pass makes another one\n  remedy: %s", remedy);
}

/* That is the end of a step before the last one, whose time it becomes. */
static void check_end(const Case *c, NumberValue *at, const char *key, Diagnostics *out) {
  double end = 0;
  if (!place_given(at->place)) return;
  for (int32_t k = 0; k + 1 < c->steps.n; ++k)
    if (fabs(at->value - case_step(c, k)->end.value) <= 1e-9 * fabs(at->value)) end = case_step(c, k)->end.value;
  if (!(end > 0))
    report_error(out, at->place,
                 "%s is %g, where no step ends that another one goes on from\n  allowed: the 'end' of one of 'steps' "
                 "but the last",
                 key, at->value);
  at->value = end;
}

static void check_begin(const CaseEquation *e, Diagnostics *out) {
  if (place_given(e->begin.place) && e->begin.value != SPAN_JUMP && !place_given(e->from.place))
    report_error(out, e->begin.place,
                 "begin: %s is of an equation that holds 'from' the end of a step on, and this one has none\n  remedy: "
                 "'from', or leave it out; at the start values grow over the first step",
                 e->begin.text);
  if (e->begin.value == SPAN_STAY && place_given(e->value.place))
    report_error(out, e->value.place,
                 "with begin: stay the value is what there is\n  remedy: leave 'value' out, or ramp");
}

static void check_times(const Case *c, CaseEquation *e, Diagnostics *out) {
  const Place at = place_given(e->from.place) ? e->from.place : e->until.place;
  check_begin(e, out);
  if (!place_given(at)) return;
  if (e->keep.text)
    report_error(out, at, "keep: %s holds at all times\n  remedy: leave 'from' and 'until' out", e->keep.text);
  if (!elastic_has(c, HAS_LOAD_STEPS | HAS_LARGE_STRAIN | ANALYSIS_NEWTON_MOTION) || !c->steps.n) {
    report_error(out, at,
                 "'from' and 'until' of an equation are ends of 'steps', and there are none\n  remedy: leave them out");
    return;
  }
  if (place_given(e->from.place) && elastic_has(c, HAS_INERTIA))
    report_error(out, e->from.place,
                 "an equation that begins in a motion would need an impact\n  allowed: 'until', up to which one "
                 "holds\n  remedy: a "
                 "spring, or an equation from the start on");
  check_end(c, &e->from, "from", out);
  check_end(c, &e->until, "until", out);
  if (place_given(e->from.place) && place_given(e->until.place) && e->until.value <= e->from.value)
    report_error(out, e->until.place, "until is %g, not behind from, %g", e->until.value, e->from.value);
}

/* Of a condition: how many nodes, and what is of other entries. */
static void check_keep(const Case *c, const CaseEquation *e, Diagnostics *out) {
  static const int32_t least[] = {4, 3, 2, 2};
  const int32_t kind = e->keep.value;
  const bool rotation = kind == BENT_ROTATION;
  if (e->nodes.n < least[kind] || (kind == BENT_DISTANCE && e->nodes.n != 2))
    report_error(out, e->nodes.place, "keep: %s has %d nodes; %s%d are allowed", e->keep.text, e->nodes.n,
                 kind == BENT_DISTANCE ? "" : "at least ", least[kind]);
  if (e->components.n || e->factors.n)
    report_error(out, e->place, "keep: %s stands in place of components and factors\n  remedy: leave these out",
                 e->keep.text);
  if (place_given(e->axis.place) != rotation)
    report_error(out, rotation ? e->keep.place : e->axis.place,
                 rotation ? "keep: rotation has no axis; three numbers are its direction"
                          : "axis is of 'keep: rotation'");
  else if (rotation && e->axis.n == 3 && is_zero(&e->axis))
    report_error(out, e->axis.place, "axis is [0, 0, 0], which is no direction");
  if (!rotation && e->value.value != 0)
    report_error(out, e->value.place, "keep: %s has no value; 'keep: rotation' has an angle", e->keep.text);
  if (case_dim(c) == 2 && (rotation || kind == BENT_PLANE))
    report_error(out, e->keep.place, "keep: %s is not for a flat model; line and distance are", e->keep.text);
  if (elastic_has(c, HAS_LARGE_STRAIN) && elastic_has(c, HAS_INERTIA | ANALYSIS_STRESSED))
    report_error(
        out, e->keep.place,
        "keep: %s bends with the body, which is not for motion or modes at finite strain\n  allowed: load steps at "
        "finite strain, and everything at small strain\n  remedy: 'strain: small', or linear equations",
        e->keep.text);
}

void case_check_equations(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->equations.n; ++i) {
    CaseEquation *e = case_equation(c, i);
    bool any = false;
    case_check_node_numbers(c, &e->nodes, "a 'tie', 'periodic' or 'rigid' of groups, or a case without 'adapt'", out);
    check_times(c, e, out);
    if (place_given(e->keep.place)) {
      if (e->keep.text) check_keep(c, e, out);
      continue;
    }
    if (place_given(e->axis.place)) report_error(out, e->axis.place, "axis is of 'keep: rotation'");
    if (e->nodes.n != e->components.n || e->nodes.n != e->factors.n)
      report_error(out, e->place, "an equation has as many components and factors as nodes; here are %d, %d and %d",
                   e->components.n, e->factors.n, e->nodes.n);
    for (int32_t k = 0; k < e->components.n; ++k) {
      const char *text = e->components.item[k].text;
      const char *letters = case_dim(c) == 2 ? "xy" : "xyz";
      if (strlen(text) != 1 || !strchr(letters, *text))
        report_error(out, e->components.item[k].place, "component '%s' is not one of: x, y%s", text,
                     case_dim(c) == 2 ? "" : ", z");
    }
    for (int32_t k = 0; k < e->factors.n; ++k) {
      double value = 0;
      const char *why;
      if (!number_parse(e->factors.item[k].text, &value, &why))
        report_error(out, e->factors.item[k].place, "factors: '%s' %s", e->factors.item[k].text, why);
      any = any || value != 0;
    }
    if (e->factors.n && !any) report_error(out, e->factors.place, "all factors of this equation are 0");
  }
}
