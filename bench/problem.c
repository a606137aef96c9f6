/* The polynomial-PCG paper's elasticity problems (Table 1) on generated meshes. */
#include "bench/measure.h"
#include "core/memory.h"
#include "physics/material.h"
#include "solver/precond/precond.h"

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

static void bounds(const Mesh *mesh, double low[3], double high[3]) {
  for (int k = 0; k < 3; ++k) low[k] = high[k] = mesh->n_node ? mesh->x[0][k] : 0;
  for (int32_t i = 1; i < mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) {
      if (mesh->x[i][k] < low[k]) low[k] = mesh->x[i][k];
      if (mesh->x[i][k] > high[k]) high[k] = mesh->x[i][k];
    }
}

/* Material of each element: 0, and 1 in every other cube of a checkerboard of 4 a side where there is a contrast. */
static Status mark_solved(BenchProblem *p, bool checkered) {
  double low[3], high[3];
  ALLOC(p->element_material, p->mesh->n_element, "material of the elements");
  bounds(p->mesh, low, high);
  for (int32_t e = 0; e < p->mesh->n_element; ++e) {
    const double *x = p->mesh->x[mesh_nodes_of(p->mesh, e)[0]];
    int turns = 0;
    for (int k = 0; k < p->mesh->dim; ++k) turns += (int)(4 * (x[k] - low[k]) / (high[k] - low[k]) + 1e-9);
    p->element_material[e] = element_type(mesh_block_of(p->mesh, e)->kind)->dim != p->mesh->dim ? -1
                             : checkered                                                        ? turns & 1
                                                                                                : 0;
  }
  return OK;
}

Status problem_mesh(int i, int32_t percent, Mesh **out) {
  int32_t n = (int32_t)((int64_t)SIZES[i].cells * percent / 100);
  if (n < 2) n = 2;
  const bool solid = SIZES[i].dim == 3;
  const BoxParams box = {SIZES[i].kind, {n, n, solid ? n : 0}, {1, 1, solid ? 1 : 0}, 0};
  return mesh_box(&box, out);
}

static MaterialValues material_of(const ProblemParams *params, double young) {
  MaterialValues material = {.kind = material_by_name("isotropic")};
  const MaterialType *type = material_type(material.kind);
  for (int k = 0; type && k < type->n_param; ++k) {
    const char *name = type->param[k].name;
    material.value[k] = !strcmp(name, "young")     ? young
                        : !strcmp(name, "poisson") ? (params->poisson > 0 ? params->poisson : 0.3)
                        : !strcmp(name, "density") ? 1
                                                   : type->param[k].value;
  }
  return material;
}

static Status build(Exec *exec, const ProblemParams *params, BenchProblem *p) {
  const int32_t dim = p->mesh->dim;
  const Group *held_on = mesh_group(p->mesh, params->held), *body = mesh_group(p->mesh, params->body);
  CHECK(held_on && body, ERR_INPUT, "the mesh of '%s' needs groups '%s' and '%s'", params->name, params->held,
        params->body);
  TRY(mark_solved(p, params->contrast > 0));
  const MaterialValues material[2] = {material_of(params, 210), material_of(params, 210 * params->contrast)};
  const Support held = {held_on, false, {expr_constant(0), expr_constant(0), expr_constant(0)}, "bench"};
  Load weight = {.kind = LOAD_GRAVITY, .on = body, .where = "bench"};
  for (int c = 0; c < dim; ++c) weight.value[c] = expr_constant(c == dim - 1 ? -1 : 0);
  const ElasticityParams elasticity = {.mesh = p->mesh,
                                       .model = dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRESS,
                                       .n_material = params->contrast > 0 ? 2 : 1,
                                       .material = material,
                                       .element_material = p->element_material,
                                       .n_support = 1,
                                       .support = &held,
                                       .n_load = 1,
                                       .load = &weight};
  const double start = bench_now();
  TRY(elasticity_create(exec, &elasticity, &p->elasticity));
  p->create_seconds = bench_now() - start;
  return OK;
}

Status problem_on(Exec *exec, Mesh *mesh, const ProblemParams *params, BenchProblem *out) {
  *out = (BenchProblem){.name = params->name, .mesh = mesh};
  const Status status = build(exec, params, out);
  if (status != OK) problem_release(out);
  return status;
}

Status problem_create(Exec *exec, int i, int32_t percent, BenchProblem *out) {
  const ProblemParams params = {.name = SIZES[i].name, .held = "x0", .body = "body"};
  Mesh *mesh = NULL;
  *out = (BenchProblem){.name = SIZES[i].name};
  TRY(problem_mesh(i, percent > 0 ? percent : 100, &mesh));
  return problem_on(exec, mesh, &params, out);
}

void problem_release(BenchProblem *p) {
  elasticity_destroy(&p->elasticity);
  FREE(p->element_material);
  mesh_destroy(&p->mesh);
}

Status problem_matrix(Exec *exec, BenchProblem *p, const char *format, Mat **out, double *bind_seconds) {
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

Status problem_hints(Exec *exec, const BenchProblem *problem, const Mat *a, LinearParams *params, double **motions) {
  const Elasticity *e = problem->elasticity;
  *motions = NULL;
  params->pattern = elasticity_pattern(e);
  params->has_modes = true;
  params->order = elasticity_order(e);
  const PrecondType *type = precond_named(linear_choice(exec, params, a));
  if (!type || !(type->needs & PRECOND_NEAR_NULL)) return OK;
  TRY(elasticity_rigid_places(e, &params->places));
  if (params->places.x && !(type->needs & PRECOND_ORDERS)) return OK;
  params->n_near_null = elasticity_rigid_count(e);
  ALLOC(*motions, params->n_near_null * elasticity_dofs(e), "rigid motions");
  params->near_null = *motions;
  return elasticity_rigid_motions(e, *motions);
}
