/* Loads in time that the steps do not resolve: a pulse between two steps is lost, and a period of few steps is aliased. */
#include "app/setup/setup_steps.h"
#include "core/memory.h"

#include <math.h>

/* How finely a step is looked at, and for how many points at most; what a swing has to be of all that the load does. */
enum { FINE = 32, POINTS = 1 << 20 };
static const double LOW = 0.25, HIGH = 0.75, STEPS = 5;

/* Swings above the middle and back, of those that go through most of the range. */
typedef struct Swings {
  int64_t n;
  double shortest, at; /* the time above the middle, and when it began */
} Swings;

static void swings_find(const Expr *e, const double x[3], double end, int64_t n, Swings *out) {
  double low = (double)INFINITY, high = -(double)INFINITY, up = -1, down = -1;
  bool above = false, began = false;
  *out = (Swings){.shortest = (double)INFINITY};
  for (int64_t k = 0; k <= n; ++k) {
    const double value = expr_value(e, x, end * (double)k / (double)n);
    low = fmin(low, value), high = fmax(high, value);
  }
  if (!(high > low) || !isfinite(high - low)) return;
  for (int64_t k = 0; k <= n; ++k) {
    const double t = end * (double)k / (double)n, share = (expr_value(e, x, t) - low) / (high - low);
    if (share < 0.5) {
      if (up >= 0 && down < 0) down = t;
    } else if (!above && (up < 0 || down >= 0)) up = t, down = -1, began = k > 0;
    if (share > HIGH) above = true;
    if (share < LOW && above && down >= 0) {
      above = false, ++out->n;
      if (began && down - up < out->shortest) out->shortest = down - up, out->at = up;
    }
    if (share < LOW && !above) up = down = -1;
  }
}

void setup_step_advice(const Case *c, const Mesh *mesh, const Group *on, const Expr *expr, const char *what,
                       const char *where) {
  const CaseTime *t = &c->time;
  const double points = FINE * t->end.value / t->step.value;
  /* Steps that adapt follow what they meet: only a single pulse can fall between two of them. */
  const bool adapts = case_adapts(t);
  const double longest = !adapts ? t->step.value : t->adaptive.max.value > 0 ? t->adaptive.max.value : t->end.value;
  Swings swings;
  if (!on->n || !expr_given(expr) || !expr_is_timed(expr) || !(points < POINTS)) return;
  const int32_t node = mesh_nodes_of(mesh, on->element[on->n / 2])[0];
  for (int sign = 0; sign < 2; ++sign) { /* and what swings below the middle */
    Expr e = *expr;
    if (sign && expr_scale(&e, -1) != OK) {
      status_clear();
      return;
    }
    swings_find(&e, mesh->x[node], t->end.value, (int64_t)ceil(points), &swings);
    if (!swings.n || !isfinite(swings.shortest)) continue;
    const bool once = swings.n < 3;
    const double length = swings.shortest * (once ? 1 : 2);
    if (adapts && once && length < longest)
      status_warn(
          "%s: the %s on '%s' has a pulse of %.2g at t = %.3g, and steps may become %.4g long: it can fall between "
          "two of them and do nothing\n  remedy: 'adaptive: {max: %.2g}' or less",
          where, what, on->name, length, swings.at, longest, length / 2);
    if (adapts || !(length < STEPS * t->step.value * (1 - 1e-9))) continue;
    const double unit = pow(10, floor(log10(length / STEPS)) - 1); /* rounded down: a step of it is short enough */
    status_warn(
        "%s: the %s on '%s' has a %s of %.2g at t = %.3g, and steps are %.4g long: fewer than %g of them do not "
        "show it\n  remedy: 'step' of %.2g or less",
        where, what, on->name, once ? "pulse" : "period", length, swings.at, t->step.value, STEPS,
        unit * floor(length / STEPS / unit));
    return;
  }
}
