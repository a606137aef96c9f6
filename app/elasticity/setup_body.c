/* Body loads of elasticity: the case against the mesh. */
#include "app/elasticity/elastic.h"
#include "physics/material.h"

#include <math.h>
#include <stdio.h>

static void check_density(const Case *c, const Group *on, const char *what, Place place, const Setup *setup,
                          Diagnostics *diagnostics) {
  for (int32_t i = 0; i < on->n; ++i) {
    const int32_t m = setup->element_material[on->element[i]];
    if (m < 0 || elastic_setup(setup)->material[m].density) continue;
    const int density = material_parameter(elastic_setup(setup)->material[m].kind, "density");
    if (density >= 0 && elastic_setup(setup)->material[m].value[density] > 0) continue;
    char where[512];
    report_error(diagnostics, place, "%s on '%s' needs a density\n  the material of %s has none", what, on->name,
                 place_text(c->path, case_material(c, m)->place, where, sizeof where));
    return;
  }
}

/* The acceleration omega^2 d away from the axis, d = (1 - a a^T) (x - origin), as an expression per direction. */
static Status away_from_axis(const Case *c, const CaseCentrifugal *t, ExprsValue *out) {
  double a[3] = {0}, o[3] = {0}, length = 0;
  const int32_t dim = case_dim(c);
  for (int32_t k = 0; k < 3; ++k) {
    o[k] = k < t->origin.n ? t->origin.value[k] : 0;
    a[k] = k < t->axis.n ? t->axis.value[k] : 0;
  }
  if (!t->axis.n) a[case_axisymmetric(c) ? 1 : 2] = 1;
  for (int k = 0; k < 3; ++k) length += a[k] * a[k];
  for (int k = 0; k < 3; ++k) a[k] /= sqrt(length);
  const double square = t->speed.value * t->speed.value;
  *out = (ExprsValue){.n = dim, .place = t->place};
  for (int32_t i = 0; i < dim; ++i) {
    char text[256];
    double M[3];
    for (int k = 0; k < 3; ++k) M[k] = square * ((i == k) - a[i] * a[k]);
    snprintf(text, sizeof text, "(%.17g)*(x-(%.17g))+(%.17g)*(y-(%.17g))+(%.17g)*(z-(%.17g))", M[0], o[0], M[1], o[1],
             M[2], o[2]);
    TRY(expr_parse(text, &out->item[i].expr));
  }
  return OK;
}

Status setup_body(const Case *c, const Mesh *mesh, const MapsValue *list, Setup *setup, ElasticActs *acts,
                  Diagnostics *diagnostics) {
  for (int32_t i = 0; i < list->n; ++i) {
    const CaseBody *body = maps_item(list, sizeof(CaseBody), i);
    const bool gravity = place_given(body->gravity.place), rotates = place_given(body->centrifugal.place);
    const int32_t first = acts->n_load;
    const char *what = gravity ? "gravity" : "centrifugal";
    const Group *on = setup_group(setup, mesh, &body->on, ON_CELLS, what, diagnostics);
    ExprsValue away;
    if (!on) continue;
    check_density(c, on, what, gravity ? body->gravity.place : body->centrifugal.place, setup, diagnostics);
    if (gravity) TRY(elastic_add_load(c, LOAD_GRAVITY, on, &body->gravity, body->gravity.place, setup, acts));
    if (rotates) TRY(away_from_axis(c, &body->centrifugal, &away));
    if (rotates) TRY(elastic_add_load(c, LOAD_CENTRIFUGAL, on, &away, away.place, setup, acts));
    TRY(elastic_window(&body->window, acts, first));
  }
  return OK;
}
