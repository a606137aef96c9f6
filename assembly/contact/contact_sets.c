/* Which nodes are closed: primal-dual active set. */
#include "assembly/contact/contact.h"

#include <math.h>

static const double PULLS = 1e-7;     /* of the largest pressure */
static const double ENTERS = 1e-7;    /* of the largest displacement along a normal, */
static const double ROUNDING = 1e-13; /* and of coordinates */
static const double WORST = 0.2;
static const double AHEAD = 0.5; /* of the mean of what pulls */
enum {
  CALM = 8, /* updates after which only the worst change */
  RIM = 4   /* nodes at least, and this part of the closed ones at most, that pull as a rim */
};

/* How far a node is from what it may do, over the largest of its kind; > 0: it changes. Where the load is gone, all pressures are rounding, and
 * nodes that would open by that leave the body to nothing. */
static double excess(const Contact *c, int32_t k, double pressure, double depth) {
  if (c->nodes.on[k] && -c->pressure[k] <= BORNE_ROUNDING * c->borne[BORNE_PRESSURE]) return -1;
  if (c->nodes.on[k]) return pressure > 0 ? -c->pressure[k] / pressure - PULLS : -1;
  return (c->seen[2 * k] - c->gap[k]) / depth - ENTERS;
}

/* Closed nodes of an obstacle with a pressure from 0 to `below`. */
static int32_t count_below(const Contact *c, int32_t item, const double *each, double below) {
  int32_t n = 0;
  for (int32_t k = 0; k < c->nodes.n; ++k)
    n += c->of[k] == item && c->nodes.on[k] && !(each[k] > 0) && c->pressure[k] < below;
  return n;
}

/* A model in the plane. */
static bool is_flat(const Contact *c) {
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (c->x[k][2] != 0 || c->nodes.d[k][2] != 0) return false;
  return true;
}

/* Where too much is closed a rim of some width pulls, and once that is open as wide a rim again does, so that each update takes half of what is
 * left. That next rim opens at once: a parabola that is held up to b, where it would touch up to a, has p ~ (x0^2 - x^2) / sqrt(b^2 - x^2) with
 * x0^2 = (a^2 + b^2) / 2, so that a is about as far inside of x0 as b is outside, and there p is 0.53 of the mean of what pulls. Rims of a
 * node's width gain nothing, and in space most are. */
static void open_ahead(const Contact *c, int32_t item, double *each) {
  int32_t n_on = 0, n_pull = 0;
  double area = 0, force = 0;
  for (int32_t k = 0; k < c->nodes.n; ++k) {
    if (c->of[k] != item || !c->nodes.on[k]) continue;
    ++n_on;
    if (!(each[k] > 0)) continue;
    ++n_pull;
    area += c->area[k], force -= c->area[k] * c->pressure[k];
  }
  if (n_pull < RIM || RIM * n_pull > n_on) return;
  double below = AHEAD * force / area;
  while (count_below(c, item, each, below) > n_pull) below *= 0.5;
  for (int32_t k = 0; k < c->nodes.n; ++k)
    if (c->of[k] == item && c->nodes.on[k] && !(each[k] > 0) && c->pressure[k] < below) each[k] = PULLS;
}

int32_t contact_update(Contact *c) {
  const int32_t n = c->nodes.n;
  double *each = c->room, pressure = 0, depth = 0, place = 0, limit = 0, most[2] = {0};
  int32_t n_change = 0;
  for (int32_t k = 0; k < n; ++k) {
    pressure = fmax(pressure, fabs(c->pressure[k]));
    depth = fmax(depth, fabs(c->seen[2 * k]));
    for (int d = 0; d < 3; ++d) place = fmax(place, fabs(c->x[k][d]));
  }
  depth += ROUNDING / ENTERS * place;
  for (int32_t k = 0; k < n; ++k) {
    each[k] = excess(c, k, pressure, depth);
    most[c->nodes.on[k]] = fmax(most[c->nodes.on[k]], each[k]);
  }
  if (c->turn >= CALM) limit = 1 - WORST;
  else if (!c->friction.any && is_flat(c)) /* with friction its own updates are as many */
    for (int32_t i = 0; i < c->n_item; ++i) open_ahead(c, i, each);
  for (int32_t k = 0; k < n; ++k) {
    if (!(each[k] > limit * most[c->nodes.on[k]]) && !(each[k] > 0 && each[k] == most[c->nodes.on[k]])) continue;
    each[k] = 0;
    c->nodes.on[k] = !c->nodes.on[k];
    if (n_change++ == 0) c->unsettled = k;
  }
  if (n_change) ++c->turn, ++c->n_update, c->n_change += n_change;
  return n_change;
}
