/* Curves of metals that read well and mean something else: stresses in another unit than the modulus, strains in percent. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/setup_traps.h"
#include "core/curve_tables.h"
#include "output/wording.h"
#include "physics/curve.h"
#include "physics/material.h"

static const double ELASTIC = 50, STRAIN = 5; /* metals yield below young / 50; no plastic strain is beyond */

static void warn_of_curve(const Case *c, const CaseMaterial *m, const MaterialValues *values, const double *curve) {
  const int young = material_parameter(values->kind, "young"), yield = material_parameter(values->kind, "yield");
  const double *last = curve + 2 * (int)*curve - 1;
  const double modulus = property_at(values->value, young, 0);
  char where[512];
  place_text(c->path, m->value[yield].place, where, sizeof where);
  if (!place_given(m->varying[young].place) && curve[2] > modulus / ELASTIC)
    status_warn("%s: yield %g beside young %g: metals yield below a %gth of it\n  remedy: the same unit for both",
                where, curve[2], modulus, ELASTIC);
  if (*last > STRAIN)
    status_warn("%s: yield goes to a plastic strain of %g, which looks like percent\n  remedy: 0.02 for 2 percent",
                where, *last);
}

void setup_flow(const Case *c, const Setup *setup) {
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const MaterialValues *values = &elastic_setup(setup)->material[m];
    const int yield = material_parameter(values->kind, "yield"), young = material_parameter(values->kind, "young");
    if (!material_type(values->kind)->shape.flows || young < 0 || yield < 0 || !(values->value[yield] > 0)) continue;
    const double *curve = values->value + (int)values->value[yield];
    for (int k = 0; k < curve_tables(curve); ++k) warn_of_curve(c, case_material(c, m), values, curve_table(curve, k));
  }
}
