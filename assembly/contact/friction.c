/* Friction of closed nodes: what sticks, what slides, and with what force. */
#include "assembly/contact/contact.h"
#include "assembly/space/support.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "friction of contact";
static const double SETTLED = 1e-9;   /* of the largest bound: forces that change by less are settled, */
static const double EXCEEDS = 1e-7;   /* and what sticks may exceed its bound by so much */
static const double BACK = 1e-7;      /* of the largest way in this step, */
static const double ROUNDING = 1e-13; /* and of coordinates */
static const double MOST_FRICTION = 2;
enum { MOST_CHANGES = 3 }; /* of a node in a step; then it stays what slides */

void friction_release(Friction *f) {
  FREE(f->n_tangent);
  FREE(f->coefficient);
  FREE(f->grip);
  FREE(f->path);
  FREE(f->n_change);
  mem_free((void **)(void *)&f->tangent);
  mem_free((void **)(void *)&f->force);
  mem_free((void **)(void *)&f->from);
  mem_free((void **)(void *)&f->angle);
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

/* Supports hold node k along its surface, but not all that it touches. */
static bool rubs_held(const Contact *c, const Supports *s, int32_t k) {
  const Toggles *t = &c->nodes;
  bool alone = false;
  for (int32_t i = 0; i < t->component[k]; ++i) {
    double d[3];
    (void)supports_direction(s, t->node[k], i, d);
    for (int64_t m = t->start[k]; m < t->start[k + 1]; ++m) alone |= !is_held(s, t->other[m], d);
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

Status friction_create(Contact *c, const Supports *s) {
  Friction *f = &c->friction;
  const int32_t n = c->nodes.n;
  int32_t n_held = 0, held = 0;
  for (int32_t i = 0; i < c->n_item; ++i) {
    f->any |= obstacle_rubs(&c->item[i]);
    warn_of_rough(&c->item[i]);
  }
  TRY(mem_alloc(n, sizeof *f->from, WHAT, (void **)(void *)&f->from));
  ALLOC(f->path, n, WHAT);
  if (!f->any) return OK;
  TRY(mem_alloc(n, sizeof *f->tangent, WHAT, (void **)(void *)&f->tangent));
  TRY(mem_alloc(n, sizeof *f->force, WHAT, (void **)(void *)&f->force));
  TRY(mem_alloc(n, sizeof *f->angle, WHAT, (void **)(void *)&f->angle));
  ALLOC(f->n_tangent, n, WHAT);
  ALLOC(f->coefficient, n, WHAT);
  ALLOC(f->grip, n, WHAT);
  ALLOC(f->n_change, n, WHAT);
  for (int32_t k = 0; k < n; ++k) {
    if (!obstacle_rubs(&c->item[c->of[k]])) continue;
    tangents_find(c, s, k);
    if (c->nodes.on[k] && f->n_tangent[k] && expr_acts(&c->item[c->of[k]].phase[0].friction))
      f->grip[k] = GRIP_STICK; /* for those who ask what holds the body */
    if (contact_is_between(c, k) && rubs_held(c, s, k) && n_held++ == 0) held = k;
  }
  if (n_held)
    status_warn("%s: supports hold %d nodes of '%s' along the surface, the first at (%g, %g, %g), where '%s' may slide "
                "by: friction in the direction that they hold does not act at these nodes\n  remedy: the support on "
                "nodes away from the contact, or 'on' and 'against' exchanged",
                c->item[c->of[held]].where, n_held, c->item[c->of[held]].on->name, c->x[held][0], c->x[held][1],
                c->x[held][2], c->item[c->of[held]].body->name);
  return OK;
}

/* ---- steps ---- */

Status friction_begin(Contact *c) {
  Friction *f = &c->friction;
  f->n_frozen = 0;
  for (int32_t k = 0; k < c->nodes.n && f->any; ++k) {
    const Obstacle *o = &c->item[c->of[k]];
    const ContactPhase *phase = obstacle_phase(o, c->time);
    const double mu = expr_given(&phase->friction) ? expr_value(&phase->friction, c->x[k], c->time) : 0;
    CHECK(mu >= 0 && mu <= MOST_FRICTION, ERR_INPUT,
          "%s: friction is %g at (%g, %g, %g), t = %g\n  allowed: 0 to %g everywhere and at all times", o->where, mu,
          c->x[k][0], c->x[k][1], c->x[k][2], c->time, MOST_FRICTION);
    f->coefficient[k] = mu;
    f->n_change[k] = 0;
    f->grip[k] = (uint8_t)(c->nodes.on[k] && mu > 0 && f->n_tangent[k] ? GRIP_STICK : GRIP_NONE);
    memset(f->force[k], 0, sizeof f->force[k]);
  }
  return OK;
}

void friction_see(Contact *c) {
  Friction *f = &c->friction;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    double shift[3];
    const double *n = c->nodes.d[k];
    if (!contact_is_between(c, k)) {
      obstacle_shift(&c->item[c->of[k]], c->time, shift);
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
  if (!contact_is_between(c, k)) obstacle_shift(&c->item[c->of[k]], c->time, shift);
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

void friction_commit(Contact *c) {
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    c->friction.path[k] = friction_path(c, k);
    if (contact_status(c, k) != 2) memcpy(c->friction.from[k], c->across[k], sizeof c->across[k]);
  }
}

/* ---- what sticks and what slides ---- */

static double angle_between(double a, double b) {
  const double pi = acos(-1), d = fmod(a - b, 2 * pi);
  return d > pi ? d - 2 * pi : d < -pi ? d + 2 * pi : d;
}

/* Angle of v among the tangents of node k. */
static double angle_of(const Friction *f, int32_t k, const double v[3]) {
  return atan2(vec3_dot(f->tangent[k] + 3, v), vec3_dot(f->tangent[k], v));
}

/* In space the direction of `force` nears that of `way`, by the secant method: the body gives way to a force, so that directions
 * that are taken over as they are go too far. */
static void direction_follow(Friction *f, int32_t k, const double way[3], double unit[3]) {
  static const double FIRST = -2, LEAST = -0.7, MOST = -100, FAR = 1, STILL = 1e-12;
  double *last = f->angle[k];
  const double now = angle_of(f, k, f->force[k]), ahead = angle_between(angle_of(f, k, way), now);
  const double moved = angle_between(now, last[0]);
  if (!(last[2] < 0)) last[2] = FIRST;
  else if (fabs(moved) > STILL) last[2] = fmin(LEAST, fmax(MOST, (ahead - last[1]) / moved));
  last[0] = now, last[1] = ahead;
  const double to = now + fmin(FAR, fmax(-FAR, -ahead / last[2]));
  for (int d = 0; d < 3; ++d) unit[d] = cos(to) * f->tangent[k][d] + sin(to) * f->tangent[k][3 + d];
}

/* Puts it to that length; where it has none, along `way`. */
static void force_set(double force[3], double length, const double way[3]) {
  if (!(vec3_normalize(force) > 0)) {
    memcpy(force, way, 3 * sizeof *force);
    (void)vec3_normalize(force);
  }
  for (int d = 0; d < 3; ++d) force[d] *= length;
}

/* A node that slides; true: it sticks now. */
static bool slide_update(const Contact *c, Friction *f, int32_t k, double bound, double back) {
  double way[3];
  (void)way_of(c, k, way);
  across_free(f, k, way, way);
  double unit[3];
  memcpy(unit, f->force[k], sizeof unit);
  if (vec3_normalize(unit) > 0 && vec3_dot(way, unit) < -back) {
    if (f->n_change[k] < MOST_CHANGES) return true;
    f->n_frozen += f->n_change[k]++ == MOST_CHANGES;
  } else if (f->n_tangent[k] == 2 && vec3_dot(way, way) > back * back && vec3_dot(f->force[k], f->force[k]) > 0) {
    direction_follow(f, k, way, f->force[k]);
  }
  force_set(f->force[k], bound, way);
  return false;
}

/* Whether grip or, by more than `settled`, the force of node k changed. */
static bool node_update(Contact *c, int32_t k, double most, double back) {
  Friction *f = &c->friction;
  const double bound = f->coefficient[k] * fmax(0, c->seen[2 * k + 1]);
  const uint8_t before = f->grip[k];
  double was[3], change[3];
  memcpy(was, f->force[k], sizeof was);
  if (!c->nodes.on[k]) {
    f->grip[k] = GRIP_NONE;
  } else if (before == GRIP_NONE) {
    f->grip[k] = GRIP_STICK; /* what has just closed */
  } else if (before == GRIP_STICK) {
    if (!(sqrt(vec3_dot(was, was)) > bound + EXCEEDS * most)) return false;
    f->grip[k] = GRIP_SLIDE;
    f->angle[k][2] = 0;
    force_set(f->force[k], bound, was);
  } else if (slide_update(c, f, k, bound, back)) {
    f->grip[k] = GRIP_STICK;
    ++f->n_change[k];
  }
  if (f->grip[k] == GRIP_NONE) memset(f->force[k], 0, sizeof was);
  vec3_minus(f->force[k], was, change);
  return f->grip[k] != before || sqrt(vec3_dot(change, change)) > SETTLED * most;
}

int32_t friction_update(Contact *c) {
  Friction *f = &c->friction;
  double most = 0, farthest = 0, place = 0;
  int32_t n = 0;
  if (!f->any) return 0;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    double way[3];
    most = fmax(most, f->coefficient[k] * fabs(c->seen[2 * k + 1]));
    if (f->n_tangent[k] && c->nodes.on[k]) farthest = fmax(farthest, way_of(c, k, way));
    for (int d = 0; d < 3; ++d) place = fmax(place, fabs(c->x[k][d]));
  }
  const double back = BACK * farthest + ROUNDING * place;
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (f->coefficient[k] > 0 && f->n_tangent[k]) n += node_update(c, k, most, back);
  return n;
}
