/* Friction of closed nodes: what sticks, what slides, and with what force. */
#include "assembly/contact/contact.h"
#include "assembly/space/support.h"
#include "core/anderson.h"
#include "core/ascending.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "friction of contact";
static const double SETTLED = 1e-8;   /* of the sum of bounds: forces that change by less are settled, */
static const double DIRECTED = 2e-6;  /* and directions in space, which come more slowly */
static const double EXCEEDS = 1e-7;   /* of the largest bound: what sticks may exceed its own by so much */
static const double BACK = 1e-7;      /* of the largest way in this step, */
static const double ROUNDING = 1e-13; /* and of coordinates */
static const double MOST_FRICTION = 2;

void friction_release(Friction *f) {
  FREE(f->n_tangent);
  FREE(f->coefficient);
  FREE(f->grip);
  FREE(f->path);
  FREE(f->n_change);
  FREE(f->part);
  FREE(f->share);
  FREE(f->kept);
  mem_free((void **)(void *)&f->kept_force);
  mem_free((void **)(void *)&f->tangent);
  mem_free((void **)(void *)&f->force);
  mem_free((void **)(void *)&f->from);
  mem_free((void **)(void *)&f->last);
  FREE(f->resists);
  FREE(f->lateral);
  FREE(f->next_lateral);
  mem_free((void **)(void *)&f->applied);
  FREE(f->mixed);
}

/* ---- directions ---- */

/* Part of v that supports leave free across the normal of node k. */
static void across_free(const Friction *f, int32_t k, const double v[3], double out[3]) {
  double part[3] = {0};
  for (int a = 0; a < f->n_tangent[k]; ++a) {
    const double along = vec3_dot(f->tangent[k] + 3 * a, v);
    for (int d = 0; d < 3; ++d) part[d] += along * f->tangent[k][3 * a + d];
  }
  memcpy(out, part, sizeof part);
}

/* The node is free along components behind that of its normal. */
static void tangents_find(Contact *c, const Supports *s, int32_t k) {
  Friction *f = &c->friction;
  for (int32_t i = c->nodes.component[k] + 1; i < s->n_component; ++i)
    (void)supports_direction(s, c->nodes.node[k], i, f->tangent[k] + 3 * f->n_tangent[k]++);
}

/* Whether supports hold node i along d. */
static bool is_held(const Supports *s, int32_t i, const double d[3]) {
  double held = 0;
  for (int32_t c = 0; c < s->n_component; ++c) {
    double unit[3];
    if (supports_direction(s, i, c, unit)) held += pow(vec3_dot(unit, d), 2);
  }
  return held > 1 - 1e-9;
}

/* Ends of edges are in rows of their middles, too. */
static bool is_own(const Contact *c, int32_t node) {
  return ascending_find(c->nodes.n, c->nodes.node, node) >= 0 || ascending_find(c->handed.n, c->handed.node, node) >= 0;
}

/* What node k touches is held along d beside it, as on a plane of symmetry of both bodies. */
static bool is_held_opposite(const Contact *c, const Supports *s, const Mesh *mesh, int32_t k, const double d[3]) {
  static const double BESIDE = 1e-3; /* of the facets */
  const Toggles *t = &c->nodes;
  bool any = false, held = true;
  for (int64_t m = t->start[k]; m < t->start[k + 1]; ++m) {
    double way[3];
    vec3_minus(mesh->x[t->other[m]], c->x[k], way);
    if (fabs(vec3_dot(way, d)) > BESIDE * c->size[c->of[k]] || is_own(c, t->other[m])) continue;
    any = true, held &= is_held(s, t->other[m], d);
  }
  return any && held;
}

/* Supports hold node k along its surface, but not what it touches. */
static bool rubs_held(const Contact *c, const Supports *s, const Mesh *mesh, int32_t k) {
  bool alone = false;
  for (int32_t i = 0; i < c->nodes.component[k]; ++i) {
    double d[3];
    (void)supports_direction(s, c->nodes.node[k], i, d);
    alone |= !is_held_opposite(c, s, mesh, k, d);
  }
  return alone;
}

static void warn_of_rough(const Obstacle *o) {
  static const double ORIGIN[3] = {0}, RARE = 1;
  for (int32_t k = 0; k < o->n_phase; ++k) {
    const Expr *mu = &o->phase[k].friction;
    if (expr_given(mu) && expr_is_constant(mu) && expr_value(mu, ORIGIN, 0) > RARE)
      status_warn("%s: friction is %g: coefficients above %g are rare\n  remedy: look for an angle or per cent in its "
                  "place",
                  o->where, expr_value(mu, ORIGIN, 0), RARE);
  }
}

Status friction_create(Contact *c, const Mesh *mesh, const Supports *s) {
  Friction *f = &c->friction;
  const int32_t n = c->nodes.n;
  int32_t n_held = 0, held = 0;
  for (int32_t i = 0; i < c->n_item; ++i) {
    f->any |= obstacle_rubs(&c->item[i]);
    if (!c->again) warn_of_rough(&c->item[i]);
  }
  TRY(mem_alloc(n, sizeof *f->from, WHAT, (void **)(void *)&f->from));
  ALLOC(f->path, n, WHAT);
  if (!f->any) return OK;
  TRY(mem_alloc(n, sizeof *f->tangent, WHAT, (void **)(void *)&f->tangent));
  TRY(mem_alloc(n, sizeof *f->force, WHAT, (void **)(void *)&f->force));
  TRY(mem_alloc(n, sizeof *f->last, WHAT, (void **)(void *)&f->last));
  TRY(mem_alloc(n, sizeof *f->kept_force, WHAT, (void **)(void *)&f->kept_force));
  ALLOC(f->kept, n, WHAT);
  ALLOC(f->lateral, n, WHAT);
  ALLOC(f->next_lateral, n, WHAT);
  TRY(mem_alloc(n, sizeof *f->applied, WHAT, (void **)(void *)&f->applied));
  ALLOC(f->mixed, (int64_t)n * (2 + ANDERSON_ROOM), WHAT);
  ALLOC(f->n_tangent, n, WHAT);
  ALLOC(f->coefficient, n, WHAT);
  ALLOC(f->grip, n, WHAT);
  ALLOC(f->n_change, n, WHAT);
  ALLOC(f->part, n, WHAT);
  ALLOC(f->share, c->n_item, WHAT);
  for (int32_t k = 0; k < n; ++k) {
    if (!obstacle_rubs(&c->item[c->of[k]])) continue;
    tangents_find(c, s, k);
    if (c->nodes.on[k] && f->n_tangent[k] && expr_acts(&c->item[c->of[k]].phase[0].friction))
      f->grip[k] = GRIP_STICK; /* for those who ask what holds the body */
    if (contact_is_between(c, k) && rubs_held(c, s, mesh, k) && n_held++ == 0) held = k;
  }
  if (n_held && !c->again)
    status_warn("%s: supports hold %d nodes of '%s' along the surface, the first at (%g, %g, %g), where '%s' may slide "
                "by: friction in the direction that they hold does not act at these nodes\n  remedy: the support on "
                "nodes away from the contact, or 'on' and 'against' exchanged",
                c->item[c->of[held]].where, n_held, c->item[c->of[held]].on->name, c->x[held][0], c->x[held][1],
                c->x[held][2], c->item[c->of[held]].body->name);
  return OK;
}

/* ---- steps ---- */

/* Surfaces that slide far would be sheared by as much, did they begin each step by sticking. */
static void slide_on(Friction *f, int32_t k) {
  f->grip[k] = GRIP_SLIDE;
  across_free(f, k, f->kept_force[k], f->force[k]);
  if (f->n_tangent[k] == 2) friction_groove(f, k);
}

Status friction_begin(Contact *c) {
  Friction *f = &c->friction;
  f->n_frozen = 0, f->n_mixed = -1;
  if (f->any) memset(f->last, 0xff, (size_t)c->nodes.n * sizeof *f->last); /* no displacement */
  for (int32_t k = 0; k < c->nodes.n && f->any; ++k) {
    const Obstacle *o = &c->item[c->of[k]];
    const ContactPhase *phase = obstacle_phase(o, c->time);
    const double mu = expr_given(&phase->friction) ? expr_value(&phase->friction, c->x[k], c->time) : 0;
    CHECK(mu >= 0 && mu <= MOST_FRICTION, ERR_INPUT,
          "%s: friction is %g at (%g, %g, %g), t = %g\n  allowed: 0 to %g everywhere and at all times", o->where, mu,
          c->x[k][0], c->x[k][1], c->x[k][2], c->time, MOST_FRICTION);
    f->coefficient[k] = mu;
    f->n_change[k] = 0, f->part[k] = 1;
    f->grip[k] = (uint8_t)(c->nodes.on[k] && mu > 0 && f->n_tangent[k] ? GRIP_STICK : GRIP_NONE);
    memset(f->force[k], 0, sizeof f->force[k]);
    f->lateral[k] = f->next_lateral[k] = (Lateral){0};
    if (f->grip[k] == GRIP_STICK && f->kept[k] == GRIP_SLIDE) slide_on(f, k);
    f->mixed[k] = sqrt(vec3_dot(f->force[k], f->force[k]));
  }
  friction_apply(c);
  return OK;
}

void friction_keep(Contact *c) {
  const size_t n = (size_t)c->nodes.n;
  if (!c->friction.any) return;
  memcpy(c->friction.kept, c->friction.grip, n);
  memcpy(c->friction.kept_force, c->friction.force, n * sizeof *c->friction.force);
}

/* How far the obstacle has come where node k is. */
static void shift_at(const Contact *c, int32_t k, double shift[3]) {
  obstacle_carry(&c->item[c->of[k]], c->time, c->found, c->arm[k], shift);
}

void friction_see(Contact *c) {
  Friction *f = &c->friction;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    double shift[3];
    const double *n = c->nodes.d[k];
    if (!contact_is_between(c, k)) {
      shift_at(c, k, shift);
      const double along = vec3_dot(shift, n);
      for (int d = 0; d < 3; ++d) c->across[k][d] -= shift[d] - along * n[d];
    }
    if (!f->any || f->grip[k] != GRIP_STICK) continue;
    across_free(f, k, c->force[k], f->force[k]);
    for (int d = 0; d < 3; ++d) f->force[k][d] /= c->nodes.scale[k];
  }
}

double friction_value(const Contact *c, int32_t k, int a) {
  const double *t = c->friction.tangent[k] + 3 * a;
  double shift[3] = {0};
  if (!contact_is_between(c, k)) shift_at(c, k, shift);
  return vec3_dot(t, c->friction.from[k]) + vec3_dot(t, shift);
}

/* How far node k has come in this step. */
static double way_of(const Contact *c, int32_t k, double way[3]) {
  vec3_minus(c->across[k], c->friction.from[k], way);
  return sqrt(vec3_dot(way, way));
}

double friction_path(const Contact *c, int32_t k) {
  double way[3];
  return c->friction.path[k] + (contact_status(c, k) == 1 ? way_of(c, k, way) : 0);
}

static double bound_of(const Contact *c, int32_t k) {
  return c->friction.coefficient[k] * fmax(0, c->seen[2 * k + 1]) * c->friction.share[c->of[k]];
}

/* The largest bound and their sum. */
static void bounds_sum(const Contact *c, double *most, double *all) {
  *most = *all = 0;
  for (int32_t k = 0; k < c->nodes.n; ++k) *most = fmax(*most, bound_of(c, k)), *all += bound_of(c, k);
}

static void bounds_borne(Contact *c) {
  double most, all;
  if (!c->friction.any) return;
  bounds_sum(c, &most, &all);
  c->borne[BORNE_BOUND] = fmax(c->borne[BORNE_BOUND], most);
  c->borne[BORNE_BOUNDS] = fmax(c->borne[BORNE_BOUNDS], all);
}

void friction_commit(Contact *c) {
  if (c->friction.n_frozen && !c->friction.told)
    status_warn(
        "contact: in the step to time %g %d nodes went on changing between sticking and sliding: their friction "
        "is below its bound in part\n  remedy: shorter steps",
        c->time, c->friction.n_frozen);
  c->friction.told |= c->friction.n_frozen > 0;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    c->friction.path[k] = friction_path(c, k);
    if (contact_status(c, k) != 2) memcpy(c->friction.from[k], c->across[k], sizeof c->across[k]);
  }
  bounds_borne(c);
  friction_keep(c);
}

/* ---- what sticks and what slides ---- */

/* Puts it to that length; where it has none, along `way`. */
static void force_set(double force[3], double length, const double way[3]) {
  if (!(vec3_normalize(force) > 0)) {
    memcpy(force, way, 3 * sizeof *force);
    (void)vec3_normalize(force);
  }
  for (int d = 0; d < 3; ++d) force[d] *= length;
}

void friction_part(Friction *f, int32_t k, bool back) {
  if (back) {
    f->n_frozen += f->n_change[k] == FRICTION_CHANGES;
    f->n_change[k] = (uint8_t)(f->n_change[k] < UINT8_MAX ? f->n_change[k] + 1 : UINT8_MAX);
    f->part[k] = fmax(0, f->part[k] - ldexp(1, FRICTION_CHANGES - f->n_change[k]));
  } else if (f->n_change[k] > FRICTION_CHANGES) {
    f->part[k] = fmin(1, f->part[k] + ldexp(1, FRICTION_CHANGES - f->n_change[k]));
  }
}

/* A node that slides; true: it sticks now. */
static bool slide_update(const Contact *c, Friction *f, int32_t k, double bound, double back) {
  double way[3], unit[3];
  (void)way_of(c, k, way);
  across_free(f, k, way, way);
  memcpy(unit, f->force[k], sizeof unit);
  const bool against = vec3_normalize(unit) > 0 && vec3_dot(way, unit) < -back;
  if (against && f->n_change[k] < FRICTION_CHANGES) return true;
  friction_part(f, k, against);
  force_set(f->force[k], f->part[k] * bound, way);
  return false;
}

/* A set that is not settled has nodes that pull beside others that press as much more: together they bear no more than those that
 * press alone will. Without pull the share is 1. */
static void shares_find(Contact *c) {
  double *share = c->friction.share;
  for (int32_t i = 0; i < c->n_item; ++i) {
    double sum = 0, all = 0;
    for (int32_t k = 0; k < c->nodes.n; ++k)
      if (c->of[k] == i) sum += c->seen[2 * k + 1], all += fabs(c->seen[2 * k + 1]);
    share[i] = sum < all ? fmax(0, sum) / all : 1;
  }
}

/* Whether grip or, by more than `settled`, the force of node k changed. */
static bool node_update(Contact *c, int32_t k, double exceeds, double settled, double back) {
  Friction *f = &c->friction;
  const double bound = bound_of(c, k);
  const uint8_t before = f->grip[k];
  const bool turns = f->n_tangent[k] == 2;
  double was[3], change[3];
  memcpy(was, f->force[k], sizeof was);
  f->next_lateral[k] = (Lateral){0};
  if (!c->nodes.on[k]) {
    f->grip[k] = GRIP_NONE;
  } else if (before == GRIP_NONE) {
    f->grip[k] = GRIP_SLIDE; /* with no force yet: what sticks would be pulled back to where the step began */
  } else if (before == GRIP_STICK) {
    if (!(sqrt(vec3_dot(was, was)) > bound + exceeds)) return false;
    if (turns) (void)friction_turn(c, k, bound, back, was);
    f->grip[k] = GRIP_SLIDE;
    force_set(f->force[k], bound, was);
  } else if (turns ? friction_turn(c, k, bound, back, was) : slide_update(c, f, k, bound, back)) {
    f->grip[k] = GRIP_STICK;
    ++f->n_change[k];
  }
  if (f->grip[k] == GRIP_NONE) memset(f->force[k], 0, sizeof was);
  vec3_minus(f->force[k], was, change);
  if (turns) settled *= DIRECTED / SETTLED;
  return f->grip[k] != before || sqrt(vec3_dot(change, change)) > settled;
}

/* Lengths of forces from those that were applied to bounds as seen: the next ones from these and those before (core/anderson.h), since
 * nodes give way together. */
static void bounds_mix(Contact *c) {
  static const double FARTHEST = 2;
  Friction *f = &c->friction;
  const int64_t n = c->nodes.n;
  double *const was = f->mixed, *const to = was + n;
  Anderson mixing = {.n = n, .count = f->n_mixed, .room = to + n};
  for (int32_t k = 0; k < n; ++k) to[k] = f->grip[k] == GRIP_SLIDE ? bound_of(c, k) : 0;
  anderson_next(&mixing, to, was);
  f->n_mixed = mixing.count;
  for (int32_t k = 0; k < n; ++k) {
    was[k] = fmax(to[k] / FARTHEST, fmin(FARTHEST * to[k], was[k]));
    for (int d = 0; d < 3 && to[k] > 0; ++d) f->force[k][d] *= was[k] / to[k];
  }
}

/* What slides has changed: its lengths are bounds as seen. */
static void bounds_begin(Contact *c) {
  Friction *f = &c->friction;
  f->n_mixed = 0;
  for (int32_t k = 0; k < c->nodes.n; ++k) f->mixed[k] = f->grip[k] == GRIP_SLIDE ? bound_of(c, k) : 0;
}

/* Where all that sticks would slide at once, those nodes that are nearest to sticking go on doing so, as many as hold a body: the
 * others bear their bounds then, and the body may be held by that. -1: it is not so. */
static void last_to_stick(const Contact *c, double exceeds, int32_t last[2]) {
  const Friction *f = &c->friction;
  double least[2] = {(double)INFINITY, (double)INFINITY};
  int32_t n = 0;
  last[0] = last[1] = -1;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    if (f->grip[k] != GRIP_STICK || !c->nodes.on[k]) continue;
    const double force = sqrt(vec3_dot(f->force[k], f->force[k])),
                 part = bound_of(c, k) > 0 ? force / bound_of(c, k) : (double)INFINITY;
    if (!(force > bound_of(c, k) + exceeds)) {
      last[0] = last[1] = -1;
      return;
    }
    const int at = part < least[0] ? 0 : 1;
    ++n;
    if (!(part < least[at])) continue;
    if (at == 0) least[1] = least[0], last[1] = last[0];
    least[at] = part, last[at] = k;
  }
  if (n < 3) last[0] = last[1] = -1; /* they were held back already */
}

void friction_apply(Contact *c) {
  Friction *f = &c->friction;
  if (!f->any) return;
  memcpy(f->applied, f->force, (size_t)c->nodes.n * sizeof *f->applied);
  memcpy(f->lateral, f->next_lateral, (size_t)c->nodes.n * sizeof *f->lateral);
}

int32_t friction_update(Contact *c, int32_t n_changed) {
  Friction *f = &c->friction;
  const size_t bytes = (size_t)c->nodes.n * sizeof *f->last;
  double most, all, farthest = 0, place = 0;
  int32_t n = 0, n_set = n_changed, held[2];
  bool turns = false;
  if (!f->any || (!n_changed && !memcmp(f->last, c->across, bytes))) return 0; /* nothing was solved since */
  memcpy(f->last, c->across, bytes);
  shares_find(c);
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    double way[3];
    if (f->n_tangent[k] && c->nodes.on[k]) farthest = fmax(farthest, way_of(c, k, way));
    for (int d = 0; d < 3; ++d) place = fmax(place, fabs(c->x[k][d]));
  }
  bounds_sum(c, &most, &all);
  const double back = BACK * farthest + ROUNDING * place,
               exceeds = fmax(EXCEEDS * most, BORNE_ROUNDING * c->borne[BORNE_BOUND]),
               settled = fmax(SETTLED * all, BORNE_ROUNDING * c->borne[BORNE_BOUNDS]);
  last_to_stick(c, exceeds, held);
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (f->coefficient[k] > 0 && f->n_tangent[k] && k != held[0] && k != held[1]) {
      const uint8_t before = f->grip[k];
      if (node_update(c, k, exceeds, settled, back) && n++ == 0) c->unsettled = k;
      n_set += f->grip[k] != before;
      turns |= f->n_tangent[k] == 2 && f->grip[k] == GRIP_SLIDE;
    }
  if (turns || n_set) bounds_begin(c);
  else if (n) bounds_mix(c);
  if (n + n_changed) friction_apply(c);
  return n;
}
