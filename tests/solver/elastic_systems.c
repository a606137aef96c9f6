#include "tests/solver/elastic_systems.h"
#include "core/memory.h"
#include "physics/material.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static void flatten(const ElasticSystemParams *p, Mesh *mesh) {
  for (int32_t i = 7; i < mesh->n_node; i += 50) {
    bool inside = true;
    for (int k = 0; k < mesh->dim; ++k) {
      const double x = mesh->x[i][k] / p->box.size[k];
      inside = inside && x > 1e-9 && x < 1 - 1e-9;
    }
    if (inside) mesh->x[i][0] += p->flatten * p->box.size[0] / p->box.n[0];
  }
}

/* 0 and 1 by turns, by the first node. */
static int32_t checker(const ElasticSystemParams *p, const Mesh *mesh, int32_t e) {
  const double *x = mesh->x[mesh_nodes_of(mesh, e)[0]];
  int turns = 0;
  for (int k = 0; k < mesh->dim; ++k) turns += (int)floor(4 * x[k] / p->box.size[k] + 1e-9);
  return turns & 1;
}

static MaterialValues material(const ElasticSystemParams *p, double young) {
  MaterialValues m = {.kind = material_by_name("isotropic")};
  const MaterialType *type = material_type(m.kind);
  for (int k = 0; k < type->n_param; ++k)
    m.value[k] = !strcmp(type->param[k].name, "young")     ? young
                 : !strcmp(type->param[k].name, "poisson") ? (p->poisson > 0 ? p->poisson : 0.3)
                                                           : type->param[k].value;
  return m;
}

static void assemble(const ElasticSystemParams *p, ElasticSystem *s) {
  s->n = elasticity_dofs(s->elasticity);
  assert_ok(mat_create(s->exec, &(MatParams){.format = p->format}, elasticity_pattern(s->elasticity), &s->a));
  assert_ok(elasticity_bind(s->elasticity, mat_slots(s->a)));
  assert_ok(exec_alloc(s->exec, s->n, sizeof *s->x, "x", (void **)&s->x));
  assert_ok(exec_alloc(s->exec, s->n, sizeof *s->b, "b", (void **)&s->b));
  assert_ok(elasticity_initial(s->elasticity, s->x));
  assert_ok(elasticity_residual(s->elasticity, s->x, s->b));
  assert_ok(elasticity_tangent(s->elasticity, s->x, mat_values(s->a)));
}

void elastic_system_create(Exec *exec, const ElasticSystemParams *p, ElasticSystem *s) {
  *s = (ElasticSystem){.exec = exec};
  assert_ok(mesh_box(&p->box, &s->mesh));
  if (p->flatten > 0) flatten(p, s->mesh);
  assert_ok(mem_alloc(s->mesh->n_element, sizeof *s->material_of, "materials", (void **)&s->material_of));
  for (int32_t e = 0; e < s->mesh->n_element; ++e)
    s->material_of[e] = mesh_block_of(s->mesh, e)->kind == p->box.kind ? checker(p, s->mesh, e) : -1;
  const MaterialValues materials[2] = {material(p, 210), material(p, p->contrast > 0 ? 210 * p->contrast : 210)};
  const bool solid = element_type(p->box.kind)->dim == 3;
  Support held = {.on = mesh_group(s->mesh, "x0"), .where = "test"};
  Load shear = {.kind = LOAD_TRACTION, .on = mesh_group(s->mesh, "x1"), .where = "test"};
  for (int k = 0; k < (solid ? 3 : 2); ++k) {
    held.value[k] = expr_constant(0);
    shear.value[k] = expr_constant(k == (solid ? 2 : 1) ? -1 : 0);
  }
  const ElasticityParams params = {.mesh = s->mesh,
                                   .model = solid ? MODEL_SOLID : MODEL_PLANE_STRAIN,
                                   .n_material = 2,
                                   .material = materials,
                                   .element_material = s->material_of,
                                   .n_support = 1,
                                   .support = &held,
                                   .n_load = 1,
                                   .load = &shear};
  assert_ok(elasticity_create(exec, &params, &s->elasticity));
  assemble(p, s);
}

void elastic_system_release(ElasticSystem *s) {
  EXEC_RELEASE(s->exec, s->x, s->n);
  EXEC_RELEASE(s->exec, s->b, s->n);
  mat_destroy(&s->a);
  elasticity_destroy(&s->elasticity);
  FREE(s->material_of);
  mesh_destroy(&s->mesh);
}

Status elastic_system_solve(ElasticSystem *s, const LinearParams *params, LinearReport *report) {
  LinearSolver *solver = NULL;
  TRY(exec_zero(s->exec, s->x, (size_t)s->n * sizeof *s->x));
  Status status = linear_create(s->exec, params, s->a, &solver);
  if (status == OK) status = linear_setup(solver);
  if (status == OK) status = linear_solve(solver, s->b, s->x, report);
  linear_destroy(&solver);
  return status;
}
