/* Axes of materials: the case against the mesh. */
#include "app/elasticity/elastic.h"
#include "core/memory.h"
#include "mesh/fibers/fibers.h"
#include "physics/linear_law.h"
#include "physics/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_direction(const VectorValue *v, double *row) {
  for (int32_t k = 0; k < 3; ++k) row[k] = k < v->n ? v->value[k] : 0;
}

static void direction_at(const ExprsValue *v, const double x[3], double *row) {
  for (int32_t k = 0; k < 3; ++k) row[k] = k < v->n ? expr_value(&v->item[k].expr, x, 0) : 0;
}

/* Row 2 of a frame whose first row is there: what the case says, or in a flat model the other direction of it; where that is not
 * said, in space it stays. */
static void second_row(const CaseAxes *given, bool flat, const double x[3], double *R) {
  direction_at(&given->y, x, R + 3);
  if (given->across) R[3 + (R[0] * R[0] > 0.8 * (R[0] * R[0] + R[1] * R[1] + R[2] * R[2]))] = 1;
  if (given->y.n || !flat) return;
  R[3] = -R[1];
  R[4] = R[0];
}

static void place_at(const void *context, const double x[3], double R[9]) {
  const CaseAxes *given = context;
  direction_at(&given->x, x, R);
  second_row(given, given->x.n == 2, x, R);
}

static bool is_constant(const ExprsValue *v) {
  bool constant = true;
  for (int32_t k = 0; k < v->n; ++k) constant = constant && expr_is_constant(&v->item[k].expr);
  return constant;
}

static void bind_directions_of(const CaseAxes *given, MaterialAxes *axes, Diagnostics *out) {
  const double origin[3] = {0};
  double R[9] = {0};
  axes->kind = AXES_PLACE;
  axes->at = place_at;
  axes->context = given;
  if (!is_constant(&given->x) || !is_constant(&given->y)) return;
  axes->kind = AXES_CONSTANT;
  place_at(given, origin, R);
  for (int k = 0; k < 9; ++k) axes->frame[k] = R[k];
  if (!axes_complete(axes->frame))
    report_error(out, given->place,
                 "axes x = [%g, %g, %g] and y = [%g, %g, %g] lie along one line; they must span a plane\n  y is the "
                 "direction of axis 2, as far as it is at right angles to x",
                 R[0], R[1], R[2], R[3], R[4], R[5]);
}

static void bind_cylinder(const CaseCylinder *given, MaterialAxes *axes) {
  double *axis = axes->frame + 6, length = 0;
  axes->kind = AXES_CYLINDER;
  put_direction(&given->origin, axes->origin);
  put_direction(&given->axis, axis);
  if (!given->axis.n) axis[2] = 1;
  for (int k = 0; k < 3; ++k) length += axis[k] * axis[k];
  for (int k = 0; k < 3; ++k) axis[k] /= sqrt(length);
}

/* Is a turn about axis 1 of no consequence? Then any direction across it is axis 2. */
static bool same_across(const MaterialValues *m) {
  const MaterialType *type = material_type(m->kind);
  const double c = cos(0.7), s = sin(0.7), R[9] = {1, 0, 0, 0, c, s, 0, -s, c};
  double own[LAW_MODULI], turned[LAW_MODULI];
  if (!type->moduli) return type->shape.across;
  type->moduli(m->value, own);
  linear_rotate(own, R, turned);
  for (int k = 0; k < LAW_MODULI; ++k)
    if (fabs(turned[k] - own[k]) > 1e-9 * fabs(own[0])) return false;
  return true;
}

static void centre_of(const Mesh *mesh, int32_t e, double x[3]) {
  const int32_t n = element_type(mesh_block_of(mesh, e)->kind)->n_vertex, *nodes = mesh_nodes_of(mesh, e);
  for (int k = 0; k < 3; ++k) x[k] = 0;
  for (int32_t a = 0; a < n; ++a)
    for (int k = 0; k < 3; ++k) x[k] += mesh->x[nodes[a]][k] / n;
}

/* The three axes of element e from 9 numbers, or from axis 1 and what the case says of axis 2. */
static bool frame_of_element(const Mesh *mesh, const Case *c, const CaseAxes *given, const MeshField *field, int32_t e,
                             double *R) {
  if (field && field->n_component == 9) {
    memcpy(R, field->value + 9 * (int64_t)e, 6 * sizeof *R);
    return axes_complete(R);
  }
  double x[3];
  centre_of(mesh, e, x);
  second_row(given, case_dim(c) == 2, x, R);
  if (!given->y.n && case_dim(c) == 3) R[3 + (fabs(R[0]) > 0.9)] = 1; /* any: it is the same across axis 1 */
  return axes_complete(R);
}

static Status find_first_axes(const Mesh *mesh, const CaseAxes *given, const Setup *setup, int32_t m,
                              double (*axis)[3]) {
  const FiberSource source = {.field = given->field.text};
  return fiber_axes(mesh, &source, "material axis", setup->element_material, m, axis);
}

static Status bind_field(const Case *c, const Mesh *mesh, int32_t m, Setup *setup, Diagnostics *out) {
  Status status = OK;
  const CaseAxes *given = &case_material(c, m)->axes;
  const MeshField *all = mesh_field(mesh, given->field.text, false);
  const int32_t first = setup_first_solved(mesh), n = mesh->n_element - first;
  double(*axis)[3] = NULL;
  if (all && all->n_component != 9) all = NULL;
  ALLOC_DONE(elastic_setup(setup)->axes[m], n, "axes of the materials");
  if (!all) {
    ALLOC_DONE(axis, n, "axes of the materials");
    status = find_first_axes(mesh, given, setup, m, axis);
    if (status == ERR_INPUT) {
      char text[2048];
      snprintf(text, sizeof text, "%s", status_message());
      report_error(out, given->field.place, "%s", text);
      status = OK;
      goto done;
    }
    TRY_DONE(status);
    if (case_dim(c) == 3 && !given->y.n && !same_across(&elastic_setup(setup)->material[m]))
      report_error(
          out, given->field.place,
          "field '%s' gives axis 1 only, and the material is not the same in all directions across it\n  give a "
          "field of 9 components on elements, or y, a direction in the plane of axes 1 and 2",
          given->field.text);
  }
  for (int32_t e = 0; e < n; ++e) {
    if (setup->element_material[first + e] != m) continue;
    double *R = elastic_setup(setup)->axes[m][e];
    if (axis) memcpy(R, axis[e], sizeof axis[e]);
    if (frame_of_element(mesh, c, given, all, first + e, R)) continue;
    report_error(out, given->field.place, "field '%s': axes 1 and 2 span no plane in element %lld", given->field.text,
                 (long long)mesh_block_of(mesh, first + e)->tag[first + e - mesh_block_of(mesh, first + e)->first]);
    break;
  }
  elastic_setup(setup)->material[m].axes = (MaterialAxes){
      .kind = AXES_ELEMENT, .element = (const double(*)[9])elastic_setup(setup)->axes[m], .first = first};
done:
  FREE(axis);
  return status;
}

/* What local tables are in. */
static Status bind_directions(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  ElasticSetup *own = elastic_setup(setup);
  ALLOC(own->direction, c->output.directions.n, "directions of tables");
  for (int32_t i = 0; i < c->output.directions.n; ++i) {
    const CaseDirections *given = case_directions(c, i);
    ElasticDirection *d = &own->direction[own->n_direction++];
    d->nodes = given->of.value == 1;
    d->mark = given->name.text ? given->name.text : "L";
    d->on = setup_group(setup, mesh, &given->on, d->nodes ? ON_ANY : ON_CELLS, "directions", diagnostics);
    if (given->axes.x.n) bind_directions_of(&given->axes, &d->axes, diagnostics);
    if (place_given(given->axes.cylinder.place)) bind_cylinder(&given->axes.cylinder, &d->axes);
  }
  return OK;
}

Status setup_axes(const Case *c, const Mesh *mesh, Setup *setup, Diagnostics *diagnostics) {
  TRY(bind_directions(c, mesh, setup, diagnostics));
  ALLOC(elastic_setup(setup)->axes, c->materials.n, "axes of the materials");
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseAxes *given = &case_material(c, m)->axes;
    if (given->x.n) bind_directions_of(given, &elastic_setup(setup)->material[m].axes, diagnostics);
    if (place_given(given->cylinder.place)) bind_cylinder(&given->cylinder, &elastic_setup(setup)->material[m].axes);
    if (given->field.text) TRY(bind_field(c, mesh, m, setup, diagnostics));
    if (place_given(given->fibers.place)) TRY(setup_fibers(c, mesh, m, setup, diagnostics));
    if (place_given(given->place))
      TRY(setup_where(c, given->place, setup, &elastic_setup(setup)->material[m].axes.where));
  }
  return OK;
}
