#include "app/electromechanics/unloaded.h"
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "assembly/space/geometry_rows.h"
#include "core/memory.h"
#include "core/vec3.h"

#include <string.h>

static bool is_called(const TextValue *name, const MeshField *field) {
  return name->text && strcmp(name->text, field->name) == 0;
}

/* Does a direction of the muscle come from it? */
static bool is_direction(const Case *c, const MeshField *field) {
  bool any = false;
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseAxes *a = &case_material(c, m)->axes;
    any |= is_called(&a->fibers.field, field) || is_called(&a->sheets.field, field) || is_called(&a->field, field);
  }
  return any && field->n_component % 3 == 0;
}

static int64_t numbers(const Mesh *mesh, const MeshField *f) {
  return (int64_t)(f->on_nodes ? mesh->n_node : mesh->n_element) * f->n_component;
}

Status unloaded_create(const Case *c, const Mesh *mesh, Unloaded *out) {
  *out = (Unloaded){.there = true, .n_field = mesh->n_field};
  ALLOC(out->x, mesh->n_node, "the body without load");
  memcpy(out->x, mesh->x, (size_t)mesh->n_node * sizeof *out->x);
  ALLOC(out->value, mesh->n_field, "fibres without load");
  for (int32_t f = 0; f < mesh->n_field; ++f) {
    const MeshField *field = &mesh->field[f];
    if (!is_direction(c, field)) continue;
    ALLOC(out->value[f], numbers(mesh, field), "fibres without load");
    memcpy(out->value[f], field->value, (size_t)numbers(mesh, field) * sizeof *field->value);
  }
  return OK;
}

void unloaded_release(Unloaded *body) {
  for (int32_t f = 0; body->value && f < body->n_field; ++f) FREE(body->value[f]);
  mem_free((void **)(void *)&body->value);
  mem_free((void **)(void *)&body->x);
}

void unloaded_swap(Mesh *mesh, Unloaded *body) {
  double(*x)[3] = mesh->x;
  mesh->x = body->x, body->x = x;
  mesh->quality = (MeshQuality){0};
  for (int32_t f = 0; f < mesh->n_field; ++f) {
    double *value = mesh->field[f].value;
    if (!body->value[f]) continue;
    mesh->field[f].value = body->value[f], body->value[f] = value;
  }
}

/* dX/dx at a place xi of element e; false: the element has no volume there. */
static bool gradient(const Mesh *mesh, const double (*x)[3], int32_t e, const double xi[3], double out[9]) {
  const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
  const int32_t *node = mesh_nodes_of(mesh, e);
  double dN[3 * ELEMENT_MAX_NODES], j[9] = {0}, J[9] = {0}, inverse[9];
  const int dim = type->dim;
  type->gradients(xi, dN);
  for (int32_t a = 0; a < type->n_node; ++a) {
    add_dyad(dim, x[node[a]], dN + dim * a, 1, j);
    add_dyad(dim, mesh->x[node[a]], dN + dim * a, 1, J);
  }
  if (!(invert(dim, j, inverse) > 0)) return false;
  memset(out, 0, 9 * sizeof *out);
  out[8] = 1; /* of a flat mesh */
  for (int i = 0; i < dim; ++i)
    for (int k = 0; k < dim; ++k) {
      out[3 * i + k] = 0;
      for (int l = 0; l < dim; ++l) out[3 * i + k] += J[dim * i + l] * inverse[dim * l + k];
    }
  return true;
}

/* Each direction of `from`, three numbers of it, by F. */
static void turn(int32_t n, const double F[9], const double *from, double *to) {
  for (int32_t d = 0; d + 3 <= n; d += 3) {
    double v[3];
    for (int i = 0; i < 3; ++i) v[i] = vec3_dot(F + 3 * i, from + d);
    vec3_normalize(v);
    memcpy(to + d, v, sizeof v);
  }
}

/* At nodes by the mean of what the elements there have. */
static void turn_nodes(const Mesh *mesh, const Unloaded *body, const MeshField *field, const double *from) {
  const double(*x)[3] = (const double(*)[3])body->x;
  double F[9], part[9];
  memset(field->value, 0, (size_t)numbers(mesh, field) * sizeof *field->value);
  for (int32_t b = 0; b < mesh->n_block; ++b) {
    const ElementType *type = element_type(mesh->block[b].kind);
    for (int32_t e = mesh->block[b].first; type->dim == mesh->dim && e < mesh->block[b].first + mesh->block[b].n; ++e)
      for (int32_t a = 0; a < type->n_node; ++a) {
        const int64_t at = (int64_t)mesh_nodes_of(mesh, e)[a] * field->n_component;
        if (!gradient(mesh, x, e, type->node[a], F)) continue;
        turn(field->n_component, F, from + at, part);
        for (int32_t k = 0; k < field->n_component; ++k) field->value[at + k] += part[k];
      }
  }
  for (int64_t k = 0; k + 3 <= numbers(mesh, field); k += 3) vec3_normalize(field->value + k);
}

static void turn_elements(const Mesh *mesh, const Unloaded *body, const MeshField *field, const double *from) {
  for (int32_t e = 0; e < mesh->n_element; ++e) {
    const ElementType *type = element_type(mesh_block_of(mesh, e)->kind);
    const int64_t at = (int64_t)e * field->n_component;
    double middle[3] = {0}, F[9];
    if (type->dim != mesh->dim) continue;
    for (int32_t a = 0; a < type->n_vertex; ++a)
      for (int i = 0; i < 3; ++i) middle[i] += type->node[a][i] / type->n_vertex;
    if (gradient(mesh, (const double(*)[3])body->x, e, middle, F))
      turn(field->n_component, F, from + at, field->value + at);
  }
}

void unloaded_turn(Mesh *mesh, Unloaded *body) {
  for (int32_t f = 0; f < mesh->n_field; ++f) {
    const MeshField *field = &mesh->field[f];
    if (!body->value[f]) continue;
    if (field->on_nodes) turn_nodes(mesh, body, field, body->value[f]);
    else turn_elements(mesh, body, field, body->value[f]);
  }
}
