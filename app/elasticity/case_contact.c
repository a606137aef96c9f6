/* Contact: its keys as tables, and their checks. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "assembly/contact/obstacle.h"

#include <math.h>

static const Key rotation_keys[] = {
    {"axis", VALUE_VECTOR, false, AT(CaseRotation, axis),
     .meaning = "direction of the axis, through 'at'; the normal or the axis of the obstacle unless given; z in a flat "
                "model"},
    {"angle", VALUE_EXPR, true, AT(CaseRotation, angle), .meaning = "degrees, a number or an expression in t"}};
static const Schema rotation_schema = {SCHEMA("rotate", rotation_keys, CaseRotation), .optional = true};
#define WAY_KEYS                                                                                                       \
  {"move", VALUE_EXPRS, false, AT(CaseObstacle, move),                                                                 \
   .meaning = "how far it has moved, numbers or expressions in t; not at all unless given"},                           \
  {                                                                                                                    \
    "rotate", VALUE_MAP, false, AT(CaseObstacle, rotate),                                                              \
        .schema = &rotation_schema,                                                                                    \
        .meaning = "how far it has turned about an axis through 'at': {axis: [0, 0, 1], angle: 90*t}"                  \
  }
static const Key plane_keys[] = {{"at", VALUE_VECTOR, true, AT(CaseObstacle, at), .meaning = "a point of it"},
                                 {"normal", VALUE_VECTOR, true, AT(CaseObstacle, axis), .meaning = "either way"},
                                 WAY_KEYS};
static const Key cylinder_keys[] = {{"at", VALUE_VECTOR, true, AT(CaseObstacle, at), .meaning = "a point of its axis"},
                                    {"axis", VALUE_VECTOR, false, AT(CaseObstacle, axis),
                                     .meaning = "direction of its axis; z in a flat model, where it is left out"},
                                    {"radius", VALUE_NUMBER, true, AT(CaseObstacle, radius), .open_min = true,
                                     .max = INFINITY, .meaning = "of a shaft, or of a hole that the body lies in"},
                                    WAY_KEYS};
static const Key sphere_keys[] = {{"at", VALUE_VECTOR, true, AT(CaseObstacle, at), .meaning = "its center"},
                                  {"radius", VALUE_NUMBER, true, AT(CaseObstacle, radius), .open_min = true,
                                   .max = INFINITY, .meaning = "of a ball, or of a hollow that the body lies in"},
                                  WAY_KEYS};
static const Key cone_keys[] = {{"at", VALUE_VECTOR, true, AT(CaseObstacle, at), .meaning = "its tip"},
                                {"axis", VALUE_VECTOR, true, AT(CaseObstacle, axis), .meaning = "from the tip inwards"},
                                {"angle", VALUE_NUMBER, true, AT(CaseObstacle, angle), .open_min = true, .max = 90,
                                 .open_max = true, .meaning = "between its axis and its surface, degrees"},
                                WAY_KEYS};
static const Schema plane_schema = {SCHEMA("plane", plane_keys, CaseObstacle), .optional = true};
static const Schema cylinder_schema = {SCHEMA("cylinder", cylinder_keys, CaseObstacle), .optional = true};
static const Schema sphere_schema = {SCHEMA("sphere", sphere_keys, CaseObstacle), .optional = true};
static const Schema cone_schema = {SCHEMA("cone", cone_keys, CaseObstacle), .optional = true};

/* In the order of ObstacleKind. */
static const Key against_keys[] = {
    {"plane", VALUE_MAP, false, AT(CaseAgainst, obstacle[0]), .schema = &plane_schema,
     .meaning = "{at: [0, 0, 0], normal: [0, 0, 1]}"},
    {"cylinder", VALUE_MAP, false, AT(CaseAgainst, obstacle[1]), .schema = &cylinder_schema,
     .meaning = "{at: [0, 0, 5], axis: [0, 1, 0], radius: 5}"},
    {"sphere", VALUE_MAP, false, AT(CaseAgainst, obstacle[2]), .schema = &sphere_schema,
     .meaning = "{at: [0, 0, 5], radius: 5}"},
    {"cone", VALUE_MAP, false, AT(CaseAgainst, obstacle[3]), .schema = &cone_schema,
     .meaning = "{at: [0, 0, 0], axis: [0, 0, 1], angle: 30}"},
    {"group", VALUE_NAMES, false, AT(CaseAgainst, group),
     .meaning = "the surface of another body, a group or a list of groups, as against: NAME"}};
static const Schema against_schema = {SCHEMA("against", against_keys, CaseAgainst), .plain = "group"};
enum { SLIDING_SMALL, SLIDING_FINITE }; /* in the order of */
static const Word sliding_words[] = {{"small", 0}, {"finite", 0}, {NULL, 0}};
static const Key contact_keys[] = {
    {"on", VALUE_NAMES, true, AT(CaseContact, on), .meaning = "surface of the body, a group or a list of groups"},
    {"against", VALUE_MAP, true, AT(CaseContact, against), .schema = &against_schema,
     .meaning = "what it may touch: the surface of another body, or a rigid obstacle: one of plane, cylinder, sphere, "
                "cone"},
    {"interference", VALUE_NUMBER, false, AT(CaseContact, interference), .min = -INFINITY, .max = INFINITY,
     .meaning =
         "how far the two bodies overlap, whatever the mesh says; it grows over the first step; below 0: how far "
         "they are apart, from the start"},
    {"reach", VALUE_NUMBER, false, AT(CaseContact, reach), .open_min = true, .max = INFINITY,
     .meaning = "nodes farther from the other body at the start do not touch it; the size of the facets unless given"},
    {"friction", VALUE_EXPR, false, AT(CaseContact, friction),
     .meaning = "coefficient, a number or an expression in x, y, z and t, from 0 to 2; none unless given"},
    {"sliding", VALUE_WORD, false, AT(CaseContact, sliding), .words = sliding_words, .initial = "small",
     .meaning = "small: nodes keep the normals and the places opposite that they have at the start; finite: both are "
                "found anew where "
                "surfaces are when a step begins, with strain: finite"},
    {"active", VALUE_FLAG, false, AT(CaseContact, active), .initial = "true",
     .meaning = "false: nothing touches, until a step says otherwise"},
    {"tied", VALUE_FLAG, false, AT(CaseContact, tied), .initial = "false",
     .meaning = "true: two surfaces that stay joined, as with 'tie'; 'reach' and 'closes' are those of the tie"},
    {"closes", VALUE_FLAG, false, AT(CaseContact, closes),
     .meaning = "of surfaces that are 'tied': true: gaps of the mesh close"}};
const Schema case_contact_schema = {SCHEMA("a contact", contact_keys, CaseContact)};

const CaseObstacle *case_obstacle(const CaseContact *contact, int32_t *kind) {
  for (int32_t k = 0; k < CASE_OBSTACLES; ++k)
    if (place_given(contact->against.obstacle[k].place)) {
      *kind = k;
      return &contact->against.obstacle[k];
    }
  return NULL;
}

bool case_contact_slides(const CaseContact *contact) { return contact->sliding.value == SLIDING_FINITE; }

static void check_rotation(const Case *c, const CaseObstacle *o, int32_t kind, bool slides, Diagnostics *out) {
  const CaseRotation *rotation = &o->rotate;
  if (!place_given(rotation->place)) return;
  if (expr_is_local(&rotation->angle.expr))
    report_error(out, rotation->angle.place,
                 "angle is the same for all of an obstacle and depends on t alone, not on x, y or z");
  if (case_axisymmetric(c))
    report_error(out, rotation->place,
                 "rotate moves a surface out of the plane of an axisymmetric model\n  allowed: in flat models and in "
                 "space\n  remedy: a part of the body in space, or 'move'");
  else if (case_dim(c) == 2 && rotation->axis.n)
    report_error(out, rotation->axis.place, "in model '%s' obstacles turn about z; leave axis out", c->model.text);
  else if (case_dim(c) == 3 && kind == OBSTACLE_SPHERE && !rotation->axis.n)
    report_error(out, rotation->place, "rotate of a sphere needs the key 'axis': direction of the axis");
  else if (rotation->axis.n) case_check_direction(c, "axis", &rotation->axis, out);
  if (elastic_has(c, HAS_INERTIA))
    report_error(out, rotation->place,
                 "rotate of an obstacle in motion is not available\n  allowed: in load steps; in motion 'move', and a "
                 "body in place of the obstacle\n  remedy: one of these");
  else if (elastic_has(c, HAS_LARGE_STRAIN) && kind == OBSTACLE_PLANE && !slides)
    report_error(out, rotation->place,
                 "a plane that turns needs small strains: nodes keep the normals and the places of the start\n  "
                 "allowed: 'strain: "
                 "small', or with 'sliding: finite'\n  remedy: 'sliding: finite', which finds normals anew in each "
                 "step");
}

static void check_obstacle(const Case *c, const CaseObstacle *o, int32_t kind, bool slides, Diagnostics *out) {
  case_check_directions(c, "at", o->at.n, o->at.place, out);
  if (o->move.n) case_check_exprs(c, "move", &o->move, out);
  for (int32_t k = 0; k < o->move.n; ++k)
    if (expr_is_local(&o->move.item[k].expr))
      report_error(out, o->move.item[k].place,
                   "move is the same for all of an obstacle and depends on t alone, not on x, y or z");
  if (kind == OBSTACLE_CYLINDER && case_dim(c) == 2) {
    if (o->axis.n)
      report_error(out, o->axis.place,
                   "in model '%s' the axis of a cylinder is z, and it is seen as a circle; leave "
                   "axis out, or use 'plane'",
                   c->model.text);
  } else if (kind == OBSTACLE_CYLINDER && !o->axis.n) {
    report_error(out, o->place, "cylinder needs the key 'axis' in a 3d model: direction of its axis");
  } else if (kind != OBSTACLE_SPHERE) {
    case_check_direction(c, kind == OBSTACLE_PLANE ? "normal" : "axis", &o->axis, out);
  }
  check_rotation(c, o, kind, slides, out);
  if (elastic_has(c, HAS_LARGE_STRAIN) && kind != OBSTACLE_PLANE && !slides)
    report_error(out, o->place,
                 "a curved obstacle needs small strains: nodes keep the normals of the start, which are not those of "
                 "where they slide to\n  allowed: 'plane' with 'strain: finite'\n  remedy: %s",
                 elastic_has(c, HAS_INERTIA)
                     ? "'sliding: finite', which finds normals anew in each step"
                     : "'sliding: finite', which finds normals anew in each step, or 'strain: small'");
}

static void check_bodies(const CaseContact *contact, int32_t n_obstacle, Diagnostics *out) {
  const CaseAgainst *against = &contact->against;
  if (n_obstacle)
    report_error(out, against->group.place,
                 "against has a group and an obstacle\n  allowed: one of the two\n  remedy: an entry for each");
  if (case_same_groups(&contact->on, &against->group))
    report_error(out, against->group.place,
                 "a surface that touches itself is not available\n  allowed: 'on' and 'against' of two bodies");
}

/* Keys that an obstacle has no use for. */
static void refuse_of_bodies(const CaseContact *contact, Diagnostics *out) {
  const struct {
    const char *name;
    Place place;
  } key[] = {{"interference", contact->interference.place}, {"reach", contact->reach.place}};
  for (size_t k = 0; k < sizeof key / sizeof *key; ++k)
    if (place_given(key[k].place))
      report_error(out, key[k].place,
                   "%s is between two bodies\n  allowed: with 'against: GROUP'\n  remedy: for an obstacle, 'at' and "
                   "'move'",
                   key[k].name);
}

/* ---- over steps ---- */

static CaseContact *contact_of(const MapsValue *list, int32_t i) { return maps_item(list, sizeof(CaseContact), i); }

static bool same_vector(const VectorValue *a, const VectorValue *b) {
  bool same = a->n == b->n;
  for (int32_t k = 0; k < a->n && same; ++k) same = a->value[k] == b->value[k];
  return same;
}

/* The same surface and the same thing that it may touch, wherever that moves. */
static bool same_contact(const CaseContact *a, const CaseContact *b) {
  int32_t kind[2] = {0};
  const CaseObstacle *x = case_obstacle(a, &kind[0]), *y = case_obstacle(b, &kind[1]);
  if (!case_same_groups(&a->on, &b->on) || !x != !y) return false;
  if (!x) return case_same_groups(&a->against.group, &b->against.group);
  return kind[0] == kind[1] && same_vector(&x->at, &y->at) && same_vector(&x->axis, &y->axis) &&
         x->radius.value == y->radius.value && x->angle.value == y->angle.value;
}

/* Whether entry i of step k is one that is there already. */
static bool is_known(const Case *c, int32_t k, int32_t i) {
  const CaseContact *contact = contact_of(&case_step(c, k)->contact, i);
  bool known = false;
  for (int32_t l = 0; l < c->contact.n; ++l) known |= same_contact(case_contact(c, l), contact);
  for (int32_t s = 0; s < k; ++s)
    for (int32_t l = 0; l < case_step(c, s)->contact.n; ++l)
      known |= same_contact(contact_of(&case_step(c, s)->contact, l), contact);
  return known;
}

const CaseContact *case_contact_at(const Case *c, int32_t i, int32_t *step) {
  if (step) *step = -1;
  if (i < c->contact.n) return case_contact(c, i);
  i -= c->contact.n;
  for (int32_t k = 0; k < c->steps.n; ++k)
    for (int32_t l = 0; l < case_step(c, k)->contact.n; ++l) {
      if (is_known(c, k, l) || i-- > 0) continue;
      if (step) *step = k;
      return contact_of(&case_step(c, k)->contact, l);
    }
  return NULL;
}

int32_t case_contacts(const Case *c) {
  int32_t n = c->contact.n;
  while (case_contact_at(c, n, NULL)) ++n;
  return n;
}

const CaseContact *case_contact_in(const Case *c, int32_t i, int32_t k) {
  const CaseContact *contact = case_contact_at(c, i, NULL), *found = NULL;
  for (int32_t l = 0; l < case_step(c, k)->contact.n; ++l)
    if (same_contact(contact, contact_of(&case_step(c, k)->contact, l)))
      found = contact_of(&case_step(c, k)->contact, l);
  return found;
}

/* What is fixed when a contact begins is not told again; twice in a step is a slip of the pen. */
static void check_changes(const Case *c, int32_t k, Diagnostics *out) {
  const MapsValue *list = &case_step(c, k)->contact;
  for (int32_t i = 0; i < list->n; ++i) {
    const CaseContact *contact = contact_of(list, i);
    int32_t kind;
    const CaseObstacle *o = case_obstacle(contact, &kind);
    const Place place[] = {contact->interference.place, contact->reach.place, contact->sliding.place,
                           o ? o->move.place : (Place){0}, o ? o->rotate.place : (Place){0}};
    static const char *const name[] = {"interference", "reach", "sliding", "move", "rotate"};
    for (size_t p = 0; p < sizeof place / sizeof *place && is_known(c, k, i); ++p)
      if (place_given(place[p]))
        report_error(out, place[p],
                     "%s of a contact that is there already changes in step '%s'\n  allowed: 'friction' and 'active'\n "
                     " remedy: %s where the contact begins",
                     name[p], case_step(c, k)->name.text ? case_step(c, k)->name.text : "", name[p]);
    for (int32_t l = 0; l < i; ++l)
      if (same_contact(contact, contact_of(list, l)))
        report_error(out, contact->place, "this contact stands in the step twice\n  remedy: one entry for it");
  }
}

static void check_friction(const CaseContact *contact, Diagnostics *out) {
  static const double MOST = 2;
  const ExprValue *f = &contact->friction;
  const double value =
      place_given(f->place) && expr_is_constant(&f->expr) ? expr_value(&f->expr, (double[3]){0}, 0) : 0;
  if (!(value >= 0 && value <= MOST))
    report_error(
        out, f->place,
        "friction is %g, must be between 0 and %g\n  remedy: the coefficient of friction, not an angle and not "
        "per cent",
        value, MOST);
}

/* In motion nodes go with what they meet. */
static void check_motion(const Case *c, const CaseContact *contact, Diagnostics *out) {
  if (!elastic_has(c, HAS_INERTIA)) return;
  if (contact->against.group.n && place_given(contact->interference.place))
    report_error(
        out, contact->interference.place,
        "bodies that touch each other in motion begin apart or as the mesh has them\n  remedy: leave it out, or a "
        "case of load steps");
  if (place_given(contact->friction.place) && case_rests_first(c) && (c->initial.velocity.n || c->initial.field.text))
    report_error(
        out, contact->friction.place,
        "friction in load steps sticks where the velocity of 'initial' begins behind them\n  allowed: one of the "
        "two\n  remedy: a motion without load steps before it, or a load that moves the body");
  Place adaptive = c->time.adaptive.place;
  for (int32_t k = 0; k < c->steps.n; ++k)
    if (case_step_moves(c, k) && place_given(case_step(c, k)->adaptive.place))
      adaptive = case_step(c, k)->adaptive.place;
  if (place_given(adaptive))
    report_error(out, adaptive,
                 "adaptive goes by the error of a motion that is smooth, and nodes that meet an obstacle stop at "
                 "once\n  allowed: "
                 "with contact steps of one length, which are cut where they fail\n  remedy: leave it out");
  for (int32_t i = 0; i < c->boundary.n; ++i)
    if (place_given(case_boundary(c, i)->rigid.place))
      report_error(out, contact->place,
                   "contact in motion beside a rigid group that turns is not available\n  remedy: a stiff part in the "
                   "mesh, or 'tie'");
}

static void check_contacts(Case *c, const MapsValue *list, Diagnostics *out) {
  for (int32_t i = 0; i < list->n; ++i) {
    const CaseContact *contact = contact_of(list, i);
    const CaseAgainst *against = &contact->against;
    int32_t kind = 0, n = 0;
    if (place_given(contact->closes.place))
      report_error(out, contact->closes.place,
                   "closes is of surfaces that are tied\n  remedy: with 'tied: true'; 'interference: 0' closes gaps of "
                   "surfaces that touch, without stress");
    const CaseObstacle *o = case_obstacle(contact, &kind);
    for (int32_t k = 0; k < CASE_OBSTACLES; ++k) n += place_given(against->obstacle[k].place);
    if (against->group.n) check_bodies(contact, n, out);
    else if (n != 1 && place_given(against->place))
      report_error(out, against->place, "against has %d obstacles; allowed: one of plane, cylinder, sphere, cone", n);
    else if (o && c->model.text) check_obstacle(c, o, kind, case_contact_slides(contact), out);
    if (o) refuse_of_bodies(contact, out);
    if (case_contact_slides(contact) && !elastic_has(c, HAS_LARGE_STRAIN))
      report_error(out, contact->sliding.place,
                   "sliding: finite needs finite strains: at small ones nothing is where its displacement says\n  "
                   "allowed: with 'strain: finite'\n  remedy: 'strain: finite', or 'sliding: small'");
    check_friction(contact, out);
    check_motion(c, contact, out);
  }
}

/* Empty lists of these would make a case one of load steps, in which nothing touches. */
static void refuse_empty(const char *key, const MapsValue *list, Diagnostics *out) {
  if (place_given(list->place) && !list->n && !error_reported_at(out, list->place))
    report_error(out, list->place, "%s is empty\n  remedy: leave the key out", key);
}

void case_check_contact(Case *c, Diagnostics *out) {
  refuse_empty("contact", &c->contact, out);
  refuse_empty("bolts", &c->bolts, out);
  case_take_tied(c, out);
  check_contacts(c, &c->contact, out);
  for (int32_t k = 0; k < c->steps.n; ++k) {
    check_contacts(c, &case_step(c, k)->contact, out);
    check_changes(c, k, out);
  }
  /* what acts grows over one step, where nothing says how */
  const Place place = place_given(c->contact.place) ? c->contact.place : c->bolts.place;
  if (place_given(place) && !place_given(c->time.place) && !place_given(c->steps.place)) {
    c->time.place = place;
    c->time.end.value = c->time.step.value = 1;
  }
}
