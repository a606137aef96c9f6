/* Diffusivities of a case file, as they are or by conductivities. */
#include "app/monodomain/case_monodomain.h"

#include <math.h>

/* Values that vary are of the place alone; their range is looked at on the mesh (setup_numbers.c). */
static void check_place(const char *what, const VaryingValue *v, Diagnostics *out) {
  if (place_given(v->expr.place) && expr_is_timed(&v->expr.expr))
    report_error(out, v->place, "%s depends on %s; it varies with x, y and z only", what, expr_running(&v->expr.expr));
}

void heart_check_places(const CaseTissue *t, const char *what, Diagnostics *out) {
  for (int k = 0; k < 3; ++k) {
    check_place(what, &t->diffusivity.varying[k], out);
    check_place("intra", &t->conductivity.intra_varying[k], out);
    check_place("extra", &t->conductivity.extra_varying[k], out);
  }
  check_place("velocity", &t->velocity_varying, out);
}

void heart_check_diffusivity(const char *what, const NumberValue *D, Diagnostics *out) {
  static const double LEAST = 1e-60, MOST = 1e60;
  if (place_given(D->place) && !error_reported_at(out, D->place) && !isnan(D->value) &&
      !(D->value >= LEAST && D->value <= MOST))
    report_error(out, D->place, "%s is %g mm2/ms, must lie in [%g, %g]\n  tissue has about 0.01 to 1 mm2/ms", what,
                 D->value, LEAST, MOST);
}

/* D = sigma / (chi C) of the conductivities inside and outside in series, where those are given: S/m over 1/mm and
 * uF/mm2 is mm2/ms. */
void heart_make_diffusivity(CaseTissue *t, Diagnostics *out) {
  CaseConductivity *c = &t->conductivity;
  CaseDiffusivity *d = &t->diffusivity;
  NumberValue *const D[] = {&d->along, &d->across, &d->normal};
  static const char *const name[] = {"along", "across", "normal"};
  if (!place_given(c->place)) {
    if (!place_given(d->place))
      report_error(out, t->place,
                   "a tissue entry needs the key 'diffusivity': a number, or {along: 0.10, across: 0.02}, mm2/ms; or "
                   "'conductivity'");
    for (int k = 0; k < 3; ++k) {
      const bool alone = k == 0 && D[k]->place.line == d->place.line && D[k]->place.column == d->place.column;
      heart_check_diffusivity(alone ? "diffusivity" : name[k], D[k], out);
    }
    return;
  }
  if (place_given(d->place)) {
    report_error(out, c->place, "conductivity and diffusivity are both given; leave one of them out");
    return;
  }
  if (!c->intra.n || !c->extra.n || !(c->surface.value > 0) || !(c->capacitance.value > 0)) return; /* said before */
  if (c->intra.n != c->extra.n) {
    report_error(out, c->extra.place, "extra has %d conductivities and intra has %d: one, or along, across and normal",
                 c->extra.n, c->intra.n);
    return;
  }
  for (int k = 0; k < c->intra.n; ++k) {
    const double in = c->intra.value[k], around = c->extra.value[k];
    if (isnan(in) || isnan(around)) {
      d->varying[k].place = c->place;
      *D[k] = (NumberValue){(double)NAN, c->place};
    }
    if (isnan(in) ? isnan(around) || (around > 0 && isfinite(around)) : isnan(around) && in > 0 && isfinite(in))
      continue;
    if (!(in > 0 && isfinite(in)) || !(around > 0 && isfinite(around))) {
      report_error(out, in > 0 && isfinite(in) ? c->extra.place : c->intra.place,
                   "a conductivity is %g S/m, must be > 0", in > 0 && isfinite(in) ? around : in);
      return;
    }
    *D[k] = (NumberValue){in / (in + around) * around / (c->surface.value * c->capacitance.value), c->place};
    heart_check_diffusivity("conductivity makes a diffusivity, which", D[k], out);
  }
}
