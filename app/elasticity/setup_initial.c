/* The stress that a body has before anything acts: the key `initial-stress` of a material, and the case against the mesh. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/modal.h"
#include "core/memory.h"
#include "physics/material.h"

static bool may_begin(const CaseMaterial *m) {
  const MaterialType *type = material_type(m->type.value);
  return !type || ((type->shape.linear || type->shape.begins) && !place_given(m->active.place));
}

void case_check_initial_stress(const Case *c, const CaseMaterial *m, Diagnostics *out) {
  const Place place = m->initial.place;
  if (!place_given(place)) return;
  if (!may_begin(m))
    report_error(out, place,
                 "initial-stress in a material '%s'%s is not understood\n  allowed: materials that are linear, and "
                 "'plastic'",
                 m->type.text ? m->type.text : "", place_given(m->active.place) ? " with 'active'" : "");
  if (elastic_has(c, ANALYSIS_MODAL) && !modal_loaded(c))
    report_error(out, place,
                 "initial-stress does not act on the modes of an unloaded body; leave it out, or set prestress");
  if (c->combinations.n)
    report_error(out, c->combinations.place,
                 "combinations add up load cases, each of which has the initial-stress of the materials: the sum would "
                 "count it several times\n  remedy: a load case with all that acts together, in place of combinations");
  for (int k = 0; k < 6; ++k) {
    const VaryingValue *v = &m->initial.varying[k];
    if (place_given(v->expr.place) && expr_is_timed(&v->expr.expr))
      report_error(out, v->place, "initial-stress depends on %s; it varies with x, y and z only",
                   expr_running(&v->expr.expr));
  }
}

/* Data of elements with a component for each point. */
static const MeshField *points_field(const Mesh *mesh, const VaryingValue *given) {
  const MeshField *field = given->field.text ? mesh_field(mesh, given->field.text, false) : NULL;
  return field && field->n_component > 1 ? field : NULL;
}

/* They belong to the points of its solved elements, as the file has these. */
static bool fits(const Case *c, const Mesh *mesh, const MeshField *field, const VaryingValue *given, Diagnostics *out) {
  const int32_t most = mesh_most_points(mesh);
  if (c->mesh.refine.value > 0) {
    report_error(out, given->field.place,
                 "'%s' has numbers of integration points, which a refined mesh has elsewhere\n  remedy: refine: 0, or "
                 "one number for an element",
                 field->name);
    return false;
  }
  if (field->n_component == most) return true;
  report_error(
      out, given->field.place,
      "'%s' has %d components, and the elements have up to %d integration points\n  allowed: one component, or "
      "as many as the elements with most have points",
      field->name, field->n_component, most);
  return false;
}

static Status bind_stress(const Case *c, const Mesh *mesh, int32_t m, MaterialInitial *to, Setup *setup,
                          Diagnostics *out) {
  static const char *const name[6] = {"xx", "yy", "zz", "xy", "yz", "xz"};
  const CaseStress *given = &case_material(c, m)->initial;
  for (int k = 0; k < 6; ++k) {
    const VaryingValue *varying = &given->varying[k];
    const MeshField *field = points_field(mesh, varying);
    to->stress[k] = (ScalarSource){.value = given->value[k].value};
    if (field && fits(c, mesh, field, varying, out)) to->points[k] = field->value, to->n_point = field->n_component;
    else if (!field && place_given(varying->place))
      TRY(setup_source(c, mesh, setup, m, varying, name[k], "initial-stress", &to->stress[k], out));
    TRY(setup_where(c, place_given(varying->place) ? varying->place : given->place, setup, &to->stress[k].where));
  }
  return OK;
}

Status setup_initial(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  ALLOC(own->initial, c->materials.n, "initial stress");
  for (int32_t m = 0; m < c->materials.n; ++m) {
    if (!place_given(case_material(c, m)->initial.place)) continue;
    TRY(bind_stress(c, mesh, m, &own->initial[m], setup, diagnostics));
    own->material[m].initial = &own->initial[m];
  }
  return OK;
}
