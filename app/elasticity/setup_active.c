/* Muscle in a material: the case against the mesh. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "physics/tension.h"

Status setup_active(const Case *c, Setup *setup) {
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseActive *given = &case_material(c, m)->active;
    MaterialActive *to = &elastic_setup(setup)->material[m].active;
    if (!place_given(given->place)) continue;
    const bool model = place_given(given->model.place);
    const ExprValue *source = !model                              ? &given->tension
                              : place_given(given->calcium.place) ? &given->calcium
                                                                  : &given->potential;
    to->point.form = place_given(given->form.place) ? ACTIVE_STRETCH + given->form.value : ACTIVE_STRETCH;
    to->point.model = model ? given->model.value : -1;
    for (int k = 0; model && k < tension_type(given->model.value)->n_param; ++k)
      to->point.value[k] = given->value[k].value;
    if (!place_given(source->place)) continue; /* cells have it */
    to->source.expr = &source->expr;
    TRY(setup_where(c, source->place, setup, &to->source.where));
  }
  return OK;
}
