/* The polynomial-PCG paper's elasticity problems (Table 1) on generated meshes. */
#include "bench/measure.h"
#include "core/memory.h"
#include "physics/material.h"

#include <string.h>

static const struct {
  const char *name;
  ElementKind kind;
  int32_t cells, dim;
} SIZES[BENCH_PROBLEMS] = {{"quad", ELEMENT_QUAD4, 400, 2},
                           {"hex", ELEMENT_HEX8, 54, 3},
                           {"tet", ELEMENT_TET4, 58, 3},
                           {"tri", ELEMENT_TRI3, 727, 2}};

const char *problem_name(int i) { return SIZES[i].name; }

static Status mark_solved(Problem *p) {
  ALLOC(p->element_material, p->mesh->n_element, "material of the elements");
  for (int32_t e = 0; e < p->mesh->n_element; ++e)
    p->element_material[e] = element_type(mesh_block_of(p->mesh, e)->kind)->dim == p->mesh->dim ? 0 : -1;
  return OK;
}

Status problem_mesh(int i, int32_t percent, Mesh **out) {
  int32_t n = (int32_t)((int64_t)SIZES[i].cells * percent / 100);
  if (n < 2) n = 2;
  const bool solid = SIZES[i].dim == 3;
  const BoxParams box = {SIZES[i].kind, {n, n, solid ? n : 0}, {1, 1, solid ? 1 : 0}, 0};
  return mesh_box(&box, out);
}

static Status build(Exec *exec, int i, int32_t percent, Problem *p) {
  const bool solid = SIZES[i].dim == 3;
  TRY(problem_mesh(i, percent, &p->mesh));
  TRY(mark_solved(p));
  MaterialValues material = {material_by_name("isotropic"), {0}};
  const MaterialType *type = material_type(material.kind);
  CHECK(type, ERR_BUG, "there is no isotropic material");
  for (int k = 0; k < type->n_param; ++k) {
    const char *name = type->param[k].name;
    material.value[k] = !strcmp(name, "young")     ? 210
                        : !strcmp(name, "poisson") ? 0.3
                        : !strcmp(name, "density") ? 1
                                                   : type->param[k].value;
  }
  const Support held = {mesh_group(p->mesh, "x0"), false, {expr_constant(0), expr_constant(0), expr_constant(0)}, "bench"};
  Load weight = {.kind = LOAD_GRAVITY, .on = mesh_group(p->mesh, "body"), .where = "bench"};
  for (int c = 0; c < SIZES[i].dim; ++c) weight.value[c] = expr_constant(c == SIZES[i].dim - 1 ? -1 : 0);
  const ElasticityParams params = {.mesh = p->mesh,
                                   .model = solid ? MODEL_SOLID : MODEL_PLANE_STRESS,
                                   .n_material = 1,
                                   .material = &material,
                                   .element_material = p->element_material,
                                   .n_support = 1,
                                   .support = &held,
                                   .n_load = 1,
                                   .load = &weight};
  const double start = bench_now();
  TRY(elasticity_create(exec, &params, &p->elasticity));
  p->create_seconds = bench_now() - start;
  return OK;
}

Status problem_create(Exec *exec, int i, int32_t percent, Problem *out) {
  *out = (Problem){.name = SIZES[i].name};
  const Status status = build(exec, i, percent > 0 ? percent : 100, out);
  if (status != OK) problem_release(out);
  return status;
}

void problem_release(Problem *p) {
  elasticity_destroy(&p->elasticity);
  FREE(p->element_material);
  mesh_destroy(&p->mesh);
}

Status problem_matrix(Exec *exec, Problem *p, const char *format, Mat **out, double *bind_seconds) {
  const MatParams params = {.format = format};
  Status status = mat_create(exec, &params, elasticity_pattern(p->elasticity), out);
  if (status != OK) return status;
  double *u = NULL;
  const int64_t n = elasticity_dofs(p->elasticity);
  const double start = bench_now();
  TRY_DONE(elasticity_bind(p->elasticity, mat_slots(*out)));
  *bind_seconds = bench_now() - start;
  TRY_DONE(exec_alloc(exec, n, sizeof *u, "displacement", (void **)&u));
  TRY_DONE(elasticity_initial(p->elasticity, u));
  TRY_DONE(elasticity_tangent(p->elasticity, u, mat_values(*out)));
  TRY_DONE(exec_sync(exec));
done:
  exec_release(exec, n, sizeof *u, (void **)&u);
  if (status != OK) mat_destroy(out);
  return status;
}
