/* Initial values, and the level of an activation, against the cells of a case: impossible initial values are errors,
 * and values in another unit give a warning with its remedy. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/strand.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PLACE = 1024 };

/* What a state must lie in, of all cells that have one of that name; and what they rest with, of concentrations in mM, else 0. By
 * what the tables say of them; of a file gates alone are known. */
typedef struct StateSpan {
  double least, most, rest;
  bool small; /* of a model without gates: of the order of 1 */
} StateSpan;

static StateSpan span_of(const Case *c, const char *state) {
  static const double ROUNDED = 1e-6; /* published states are so far out of range at times */
  StateSpan span = {.least = -INFINITY, .most = INFINITY};
  for (int32_t i = 0; i < heart_ionics(c); ++i) {
    const IonicConstants constants = monodomain_constants_of(heart_ionic(c, i));
    const IonicType *type = ionic_type(constants.kind);
    const int j = type ? ionic_state(constants.kind, state) : -1;
    double s[IONIC_STATES];
    if (j < 0 || (type->program && j >= type->n_gate)) continue;
    span.small |= type->n_gate == 0 && strand_front(&constants) > 0;
    if (type->n_gate == 0) continue;
    const char *meaning = type->state[j].meaning, *unit = strrchr(meaning, ',');
    type->rest(&constants, s);
    span.least = -ROUNDED;
    if (type->program || strstr(meaning, "0 to 1")) span.most = 1 + ROUNDED;
    else if (unit && !strcmp(unit, ", mM")) span.rest = fmax(span.rest, s[j]);
  }
  return span;
}

/* Where value[n_node] is the farthest out. */
static int32_t farthest(const Mesh *mesh, const double *value, double least, double most, int32_t *n) {
  int32_t at = -1;
  double worst = 0;
  *n = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double out = fmax(value[i] - most, least - value[i]);
    *n += out > 0;
    if (out > worst) worst = out, at = i;
  }
  return at;
}

/* How far from 0 mV the cells rest that are excited, those that are the nearest; 0: none are. */
static double rest_from_zero(const Case *c) {
  double least = INFINITY;
  for (int32_t i = 0; i < heart_ionics(c); ++i) {
    const IonicConstants constants = monodomain_constants_of(heart_ionic(c, i));
    const IonicType *type = ionic_type(constants.kind);
    double s[IONIC_STATES];
    if (type && strand_front(&constants) > 0) least = fmin(least, fabs(type->rest(&constants, s)));
  }
  return isfinite(least) ? least : 0;
}

/* -0.085 for -85: everywhere next to nothing, of cells that rest far from it. */
static const double LEAST_REST = 30, MOST_VOLTS = 0.2; /* mV; V, of a membrane */

static void warn_potential(const Case *c, const Mesh *mesh, Place at, const double *value) {
  static const double MOST_POTENTIAL = 200; /* mV, as of stimuli */
  char place[PLACE], count[32];
  int32_t n, node = farthest(mesh, value, -MOST_POTENTIAL, MOST_POTENTIAL, &n);
  if (node >= 0)
    status_warn("%s: initial: the potential is %g mV at node %lld, (%g, %g, %g)%s%s%s; cell models are valid from "
                "about -100 to 60 mV\n  remedy: a potential in mV; cells rest at about -85 mV without 'initial:'",
                place_text(c->path, at, place, sizeof place), value[node], (long long)mesh->node_tag[node],
                mesh->x[node][0], mesh->x[node][1], mesh->x[node][2], n > 1 ? ", and beyond 200 mV at " : "",
                n > 1 ? count_text(n - 1, count) : "", n > 1 ? " others" : "");
  if (node >= 0 || rest_from_zero(c) < LEAST_REST || farthest(mesh, value, -MOST_VOLTS, MOST_VOLTS, &n) >= 0) return;
  node = farthest(mesh, value, 0, 0, &n);
  if (node < 0) node = 0;
  status_warn(
      "%s: initial: the potential is %g mV, and within %g mV of 0 everywhere: all cells begin excited; is it in "
      "volts?\n  remedy: a potential in mV, %g, or no 'initial:', with which cells begin at rest",
      place_text(c->path, at, place, sizeof place), value[node], MOST_VOLTS, 1e3 * value[node]);
}

/* Amounts of a unit that is too small or too large by a thousand. */
static void warn_amount(const Case *c, const Mesh *mesh, const char *state, Place at, const double *value,
                        double rest) {
  static const double MOST_TIMES = 100; /* of what cells rest with */
  char place[PLACE];
  int32_t n, node = farthest(mesh, value, 0, MOST_TIMES * rest, &n);
  if (node < 0 && farthest(mesh, value, -INFINITY, rest / MOST_TIMES, &n) < 0) node = 0; /* nowhere more */
  if (node < 0) return;
  status_warn("%s: initial: %s is %g at node %lld, %.2g times what its cells rest with, %.4g\n  remedy: the unit that "
              "'sinew list ionic' has: concentrations are in mM",
              place_text(c->path, at, place, sizeof place), state, value[node], (long long)mesh->node_tag[node],
              value[node] / rest, rest);
}

void setup_check_initial(const Case *c, const Mesh *mesh, const char *state, Place at, const double *value,
                         Diagnostics *out) {
  static const double MOST_STATE = 10;
  char place[PLACE];
  if (!state) {
    warn_potential(c, mesh, at, value);
    return;
  }
  const StateSpan span = span_of(c, state);
  int32_t n, node = farthest(mesh, value, span.least, span.most, &n);
  if (node >= 0) {
    report_error(out, at, "initial: %s is %g at node %lld, (%g, %g, %g)%s; it is %s, which %s", state, value[node],
                 (long long)mesh->node_tag[node], mesh->x[node][0], mesh->x[node][1], mesh->x[node][2],
                 n > 1 ? " and out of range at others" : "", isfinite(span.most) ? "a share" : "an amount",
                 isfinite(span.most) ? "must lie in [0, 1]" : "must be >= 0");
    return;
  }
  node = span.small ? farthest(mesh, value, -MOST_STATE, MOST_STATE, &n) : -1;
  if (node >= 0)
    status_warn(
        "%s: initial: %s is %g at node %lld; states of its model are of the order of 1\n  remedy: 'sinew list ionic' "
        "says what they range over",
        place_text(c->path, at, place, sizeof place), state, value[node], (long long)mesh->node_tag[node]);
  if (span.rest > 0) warn_amount(c, mesh, state, at, value, span.rest);
}

/* -0.03 for -30: a level at 0 mV, where upstrokes are late and durations short. */
void setup_warn_threshold(const Case *c) {
  const NumberValue *t = &c->output.threshold;
  char place[PLACE];
  if (!place_given(t->place) || t->value == 0 || fabs(t->value) > MOST_VOLTS || rest_from_zero(c) < LEAST_REST) return;
  status_warn("%s: threshold is %g mV, next to 0; is it in volts?\n  remedy: a level in mV, %g",
              place_text(c->path, t->place, place, sizeof place), t->value, 1e3 * t->value);
}
