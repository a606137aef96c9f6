/* Checks of a case of elasticity in time, with inertia. */
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"

#include <math.h>

static void check_values(const Case *c, const char *key, const ExprsValue *value, Diagnostics *out) {
  case_check_exprs(c, key, value, out);
  for (int32_t i = 0; i < value->n; ++i)
    if (expr_is_timed(&value->item[i].expr))
      report_error(out, value->place, "%s depends on t; it is that of t = 0, a function of x, y and z", key);
}

static void check_initial(const Case *c, Diagnostics *out) {
  check_values(c, "displacement", &c->initial.displacement, out);
  check_values(c, "velocity", &c->initial.velocity, out);
  if (c->initial.field.text && c->initial.velocity.n)
    report_error(out, c->initial.field.place, "velocity and velocity-field are both given\n  allowed: one of the two");
}

static void check_method(const Case *c, Diagnostics *out) {
  if (place_given(c->analysis.hht.place) && place_given(c->analysis.rho_infinity.place))
    report_error(out, c->analysis.hht.place, "hht and rho-infinity are both given\n  allowed: one of the two");
}

void motion_check(Case *c, Diagnostics *out) {
  finite_check(c, out);
  case_check_density(c, "transient", out);
  check_method(c, out);
  if (c->model.text) check_initial(c, out);
}

static void check_steps(const Case *c, Diagnostics *out) {
  if (!case_by_modes(c)) return;
  if (place_given(c->analysis.rho_infinity.place))
    report_error(out, c->analysis.rho_infinity.place,
                 "rho-infinity is for 'method: direct'; steps of modes are exact and damp nothing");
  if (place_given(c->analysis.hht.place))
    report_error(out, c->analysis.hht.place, "hht is for 'method: direct'; steps of modes are exact and damp nothing");
  if (place_given(c->time.adaptive.place))
    report_error(out, c->time.adaptive.place,
                 "adaptive is for 'method: direct'; steps of modes are exact where loads are linear over each: one as "
                 "long as loads allow will do");
}

/* As of modes and of vibrations, whose equations these are. */
static const double RTOL_BY_MODES = 1e-6;

void transient_check(Case *c, Diagnostics *out) {
  if (case_by_modes(c) && !place_given(c->solver.rtol.place)) c->solver.rtol.value = RTOL_BY_MODES;
  case_check_elastic(c, out);
  case_check_density(c, "transient", out);
  check_method(c, out);
  const NumberValue *loss = &c->analysis.damping.loss_factor;
  if (place_given(loss->place) && loss->value > 0)
    report_error(out, loss->place,
                 "a loss factor is for vibrations of one frequency; in time give alpha and beta (Rayleigh), such as "
                 "beta = loss-factor / (2 pi frequency)");
  case_check_response(c, out);
  check_steps(c, out);
  case_check_elastic_tables(c, out);
  if (!c->model.text) return;
  check_initial(c, out);
  case_check_elastic_probes(c, out);
}
