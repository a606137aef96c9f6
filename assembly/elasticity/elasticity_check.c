/* Checks of what an elasticity problem is given: does the mesh fit the model, has each element a material, is none
 * inverted. */
#include "assembly/elasticity/elasticity_data.h"
#include "assembly/space/plane.h"
#include "core/memory.h"
#include "physics/material.h"

#include <math.h>

/* A plane model needs its elements in a plane z = constant. */
static Status check_flat(const Mesh *mesh) {
  double z;
  const int32_t node = plane_departure(mesh, &z);
  if (node < 0) return OK;
  const double *x = mesh->x[node];
  return FAIL(
      ERR_MESH,
      "node %lld at (%g, %g, %g) is out of plane: a plane model needs all elements at the same z (here %g); for a "
      "shell-like or solid body use 'model: 3d' with a volume mesh",
      (long long)mesh->node_tag[node], x[0], x[1], x[2], z);
}

static Status check_materials(const ElasticityParams *params) {
  const Mesh *mesh = params->mesh;
  for (int32_t m = 0; m < params->n_material; ++m)
    TRY_CONTEXT(material_check(params->material[m].kind, params->material[m].value), "in material %d of %d", (int)m + 1,
                (int)params->n_material);
  int64_t missing = 0;
  for (int32_t k = 0; k < mesh->n_block; ++k) {
    const ElementBlock *block = &mesh->block[k];
    if (element_type(block->kind)->dim != mesh->dim) continue;
    for (int32_t e = 0; e < block->n; ++e) {
      const int32_t m = params->element_material[block->first + e];
      CHECK(m < params->n_material, ERR_BUG, "element %d has material %d of %d", (int)(block->first + e), (int)m,
            (int)params->n_material);
      if (m >= 0) continue;
      const double *x = mesh->x[block->nodes[(int64_t)e * element_type(block->kind)->n_node]];
      if (missing++ == 0)
        (void)FAIL(ERR_INPUT, "element %lld (%s) near (%g, %g, %g) has no material", (long long)block->tag[e],
                   element_type(block->kind)->name, x[0], x[1], x[2]);
    }
  }
  if (missing == 0) return OK;
  if (missing > 1) (void)status_context(ERR_INPUT, "and %lld more elements", (long long)(missing - 1));
  return status_context(ERR_INPUT, "give every %s group a material, or leave the elements out of the mesh",
                        mesh->dim == 3 ? "volume" : "surface");
}

Status elasticity_check_params(const ElasticityParams *params) {
  const Mesh *mesh = params->mesh;
  const int32_t dim = params->model == MODEL_SOLID ? 3 : 2;
  CHECK(mesh->dim >= dim, ERR_MESH,
        "the mesh has no %s elements, which a %s model needs; mesh the %s, or choose another model",
        dim == 3 ? "volume" : "surface", dim == 3 ? "3d" : "plane", dim == 3 ? "volume ('gmsh -3')" : "surface");
  CHECK(mesh->dim == dim, ERR_MESH,
        "the mesh has volume elements, a plane model needs a surface mesh; use 'model: 3d'");
  CHECK(params->n_material > 0, ERR_INPUT, "there is no material");
  if (dim == 2) TRY(check_flat(mesh));
  return check_materials(params);
}

/* Smallest det J of element e over its nodes and integration points' tables dN[n][n_node][dim]. */
static double worst_jacobian(const Mesh *mesh, const SetBlock *b, int32_t e, int32_t n_point, const double *dN) {
  double x[ELEMENT_MAX_NODES * 3], inverse[9], worst = INFINITY;
  const int32_t n = b->type->n_node, dim = b->type->dim;
  for (int32_t a = 0; a < n; ++a)
    for (int32_t i = 0; i < dim; ++i) x[a * dim + i] = mesh->x[b->nodes[(int64_t)e * n + a]][i];
  for (int32_t q = 0; q < n_point; ++q)
    worst = fmin(worst, element_inverse(n, dim, x, dN + (int64_t)q * n * dim, inverse));
  return worst;
}

typedef struct Inverted {
  int64_t n;
  double det;
  int32_t block, element;
} Inverted;

static Status check_block(const Mesh *mesh, const ElementSet *set, int32_t k, Inverted *bad) {
  Status status = OK;
  const SetBlock *b = &set->block[k];
  double *dN = NULL, *det = NULL;
  Quadrature rule;
  TRY_DONE(element_stiffness_quadrature(b->type, &rule));
  TRY_DONE(reference_gradients(b->type, &rule, &dN));
  ALLOC_DONE(det, b->n, "Jacobians");
#pragma omp parallel for schedule(static)
  for (int32_t e = 0; e < b->n; ++e) det[e] = worst_jacobian(mesh, b, e, rule.n, dN);
  for (int32_t e = 0; e < b->n; ++e) {
    if (det[e] > 0) continue;
    if (bad->n++ && !(det[e] < bad->det)) continue;
    bad->det = det[e];
    bad->block = k;
    bad->element = e;
  }
done:
  FREE(dN);
  FREE(det);
  return status;
}

Status elasticity_check_elements(const Mesh *mesh, const ElementSet *set) {
  Inverted bad = {0};
  for (int32_t k = 0; k < set->n_solved_block; ++k) TRY(check_block(mesh, set, k, &bad));
  if (bad.n == 0) return OK;
  const SetBlock *b = &set->block[bad.block];
  const double *x = mesh->x[b->nodes[(int64_t)bad.element * b->type->n_node]];
  return FAIL(ERR_MESH,
              "%lld of %d elements %s inverted: the worst is %s element %lld near (%g, %g, %g) with det J = %g; %s",
              (long long)bad.n, (int)set->n_solved, bad.n == 1 ? "is" : "are", b->type->name,
              (long long)mesh_block_of(mesh, b->first_id)->tag[bad.element], x[0], x[1], x[2], bad.det,
              bad.n == set->n_solved ? "the whole mesh is mirrored: reverse its orientation"
                                     : "mesh that region finer or improve it ('Optimize' in Gmsh)");
}
