/* Checks of what an elasticity problem is given: does the mesh fit the model, has each element a material. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "physics/material.h"

static Status check_materials(const ElasticityParams *params) {
  const Mesh *mesh = params->mesh;
  for (int32_t m = 0; m < params->n_material; ++m) {
    if (params->material[m].n_varying) continue; /* where its laws are made */
    TRY_CONTEXT(material_check(params->material[m].kind, params->material[m].value), "in material %d of %d", (int)m + 1,
                (int)params->n_material);
  }
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
  const int32_t dim = elastic_model_dim(params->model);
  if (params->model == MODEL_AXISYMMETRIC) TRY(space_check_radius(mesh));
  CHECK(mesh->dim >= dim, ERR_MESH,
        "the mesh has no %s elements, which a %s model needs; mesh the %s, or choose another model",
        dim == 3 ? "volume" : "surface", dim == 3 ? "3d" : "plane", dim == 3 ? "volume ('gmsh -3')" : "surface");
  CHECK(mesh->dim == dim, ERR_MESH,
        "the mesh has volume elements, a plane model needs a surface mesh; use 'model: 3d'");
  CHECK(params->n_material > 0, ERR_INPUT, "there is no material");
  if (dim == 2)
    TRY(space_check_flat(mesh, "a plane model", "for a shell-like or solid body use 'model: 3d' with a volume mesh"));
  return check_materials(params);
}
