/* `layers:`: keys, and what they cannot be combined with. */
#include "app/input/case_tables.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/layers.h"

#include <math.h>

static const Key layers_keys[] = {
    {"from", VALUE_NAMES, true, AT(CaseLayers, from), .meaning = "group or list of groups of surfaces, as endocardium"},
    {"to", VALUE_NAMES, true, AT(CaseLayers, to), .meaning = "the surfaces that they are coupled to, as epicardium"},
    {"conductance", VALUE_NUMBER, true, AT(CaseLayers, conductance), .max = INFINITY,
     .meaning = "mm/ms: per area, over surface-to-volume ratio and capacitance; a diffusivity over a distance"},
    {"outside", VALUE_NUMBER, false, AT(CaseLayers, outside), .open_min = true, .max = INFINITY,
     .meaning = "mm/ms, of the bidomain: as conductance, between the spaces outside of the cells"},
    {"within", VALUE_NUMBER, false, AT(CaseLayers, within), .open_min = true, .max = INFINITY,
     .meaning = "mm: nodes of 'from' that are farther away stay alone; none does unless given"}};
const Schema heart_layers_schema = {SCHEMA("an entry of the layers", layers_keys, CaseLayers)};

static void check_outside(const Case *c, Diagnostics *out) {
  const bool both = heart_is_bidomain(c);
  for (int32_t i = 0; i < c->layers.n; ++i) {
    const CaseLayers *l = case_layers(c, i);
    if (both && !place_given(l->outside.place))
      report_error(out, l->place,
                   "layers of 'model: bidomain' need 'outside': the conductance between the spaces outside of their "
                   "cells\n  remedy: {from: endo, to: epi, conductance: 0.05, outside: 0.2}");
    if (!both && place_given(l->outside.place))
      report_error(out, l->outside.place, "outside is of 'model: bidomain'\n  remedy: leave it out");
  }
  if (both && c->torso.n)
    report_error(
        out, c->layers.place,
        "layers and 'bath:' cannot be combined: a bath lies in the plane of a surface, beside its edge, and not "
        "between two of them\n  remedy: leave one of the two out; 'outside' is what conducts between the layers");
  for (int32_t t = 1; t < c->materials.n && both; ++t) {
    const CaseConductivity *first = &heart_tissue(c, 0)->conductivity, *s = &heart_tissue(c, t)->conductivity;
    const double of_first = first->surface.value * first->capacitance.value;
    if (place_given(first->place) && place_given(s->place) &&
        fabs(s->surface.value * s->capacitance.value - of_first) > 1e-9 * of_first)
      report_error(out, s->place,
                   "layers of 'model: bidomain' need one product of surface-to-volume and capacitance, by which their "
                   "conductances count; here %g uF/mm3, of the first tissue %g",
                   s->surface.value * s->capacitance.value, of_first);
  }
}

void layers_check(const Case *c, Diagnostics *out) {
  static const char remedy[] = "\n  remedy: leave one of the two out";
  if (!place_given(c->layers.place)) return;
  if (c->layers.n == 0)
    report_error(out, c->layers.place,
                 "layers is empty; it needs an entry for each pair of surfaces, such as {from: endo, to: epi, "
                 "conductance: 0.05}");
  check_outside(c, out);
  if (place_given(c->eikonal.place))
    report_error(out, c->layers.place, "fronts of 'eikonal:' do not pass from layer to layer%s", remedy);
  if (c->purkinje.n) report_error(out, c->layers.place, "layers and 'purkinje:' cannot be combined%s", remedy);
  if (c->reaction.value > 0)
    report_error(out, c->layers.place, "layers couple nodes, and 'reaction: gauss' has its cells elsewhere%s", remedy);
}
