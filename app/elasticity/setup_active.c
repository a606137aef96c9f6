/* Muscle in a material: the case against the mesh. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "physics/tension.h"

#include <string.h>

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
    const TensionType *type = model ? tension_type(given->model.value) : NULL;
    for (int k = 0; type && k < type->n_param; ++k) to->point.value[k] = given->value[k].value;
    if (type) to->point.n_state = type->n_state;
    if (type && type->program) {
      to->point.program = *type->program;
      memcpy(to->point.value, type->preset->value, sizeof to->point.value);
    }
    if (!place_given(source->place)) continue; /* cells have it */
    to->source.expr = &source->expr;
    TRY(setup_where(c, source->place, setup, &to->source.where));
  }
  return OK;
}
