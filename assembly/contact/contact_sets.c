/* Which nodes are closed: primal-dual active set. */
#include "assembly/contact/contact.h"

#include <math.h>

static const double PULLS = 1e-7;     /* of the largest pressure */
static const double ENTERS = 1e-7;    /* of the largest displacement along a normal, */
static const double ROUNDING = 1e-13; /* and of coordinates */
static const double WORST = 0.2;
enum { CALM = 8 }; /* updates after which only the worst change */

/* How far a node is from what it may do, over the largest of its kind; > 0: it changes. */
static double excess(const Contact *c, int32_t k, double pressure, double depth) {
  if (c->nodes.on[k]) return pressure > 0 ? -c->pressure[k] / pressure - PULLS : -1;
  return (c->seen[2 * k] - c->gap[k]) / depth - ENTERS;
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
  for (int32_t k = 0; k < n; ++k) {
    if (!(each[k] > limit * most[c->nodes.on[k]]) && !(each[k] > 0 && each[k] == most[c->nodes.on[k]])) continue;
    each[k] = 0;
    c->nodes.on[k] = !c->nodes.on[k];
    if (n_change++ == 0) c->unsettled = k;
  }
  if (n_change) ++c->turn, ++c->n_update, c->n_change += n_change;
  return n_change;
}
