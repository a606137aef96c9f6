/* Finite strain for every element and every material, by iteration over the registries: an affine motion needs no force
 * inside, a body turned by 90 degrees none at all and the energy of before, the tangent is the derivative of the
 * residual, Newton's method is quadratic, and what is turned inside out is told. */
#include "tests/assembly/problem.h"
#include "tests/physics/material_samples.h"

#include <math.h>
#include <stdlib.h>

static Exec *exec;
static ElasticFormulation formulation;

static void begin(Problem *p, ElementKind kind, ElasticModel model, int kind_of_material, const double *value,
                  const char *pressure) {
  const ElementType *type = element_type(kind);
  problem_init(p, exec, patch_mesh(kind), type->dim == 3 ? MODEL_SOLID : model, 1, 0.3);
  p->material[0] = (MaterialValues){.kind = kind_of_material};
  for (int i = 0; i < 32; ++i) p->material[0].value[i] = value[i];
  const int thickness = material_parameter(kind_of_material, "thickness");
  if (thickness >= 0) p->material[0].value[thickness] = 1;
  for (int32_t i = 0; model == MODEL_AXISYMMETRIC && i < p->mesh->n_node; ++i) p->mesh->x[i][0] += 0.5;
  p->params.allow_free_motion = p->params.no_load = p->params.finite = true;
  p->params.formulation = formulation;
  if (pressure) problem_load(p, LOAD_FOLLOWER, "skin", pressure, NULL, NULL);
  assert_ok(problem_create(p));
  problem_assemble(p);
}

/* u = (F - 1) x, and the residual. */
static void move(Problem *p, const double *F, double *r) {
  const int dim = p->mesh->dim;
  for (int64_t i = 0; i < elasticity_dofs(p->e); ++i) {
    const double *x = p->mesh->x[i / dim];
    p->u[i] = -x[i % dim];
    for (int k = 0; k < dim; ++k) p->u[i] += F[3 * (i % dim) + k] * x[k];
  }
  assert_ok(exec_upload(p->exec, p->exec_u, p->u, (size_t)elasticity_dofs(p->e) * sizeof *p->u));
  problem_residual(p, r);
  assert_ok(elasticity_check_answer(p->e));
}

static double energy(Problem *p) {
  ElasticFields f;
  assert_ok(elasticity_recover(p->e, p->exec_u, 0, &f));
  const double out = f.energy;
  elastic_fields_release(&f);
  return out;
}

/* Nodes of facets of the patch are on its skin. */
static void mark_skin(const Problem *p, bool *skin) {
  const Group *group = problem_group(p, "skin");
  for (int32_t i = 0; i < group->n; ++i) {
    const int32_t *nodes = mesh_nodes_of(p->mesh, group->element[i]);
    for (int32_t a = 0; a < element_type(mesh_block_of(p->mesh, group->element[i])->kind)->n_node; ++a)
      skin[nodes[a]] = true;
  }
}

static void check_motions(ElementKind kind, ElasticModel model, int material, const double *value) {
  static const double stretched[9] = {1.2, 0.3, 0.1, -0.1, 0.9, 0.2, 0.05, -0.15, 1.1},
                      turned[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  Problem p;
  begin(&p, kind, model, material, value, NULL);
  const int dim = p.mesh->dim;
  double F[9], Q[9] = {0}, *r = calloc((size_t)elasticity_dofs(p.e), sizeof *r), most = 0;
  bool *skin = calloc((size_t)p.mesh->n_node, sizeof *skin);
  mark_skin(&p, skin);
  for (int k = 0; k < 9; ++k) F[k] = stretched[k];
  if (dim == 2) F[2] = F[5] = F[6] = F[7] = 0;
  move(&p, F, r);
  for (int64_t i = 0; i < elasticity_dofs(p.e); ++i) most = fmax(most, fabs(r[i]));
  for (int64_t i = 0; i < elasticity_dofs(p.e); ++i)
    if (!skin[i / dim]) assert_within(r[i], 0, 1e-12 * most);
  const double before = energy(&p);
  assert_true(before > 0 && most > 0);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      for (int m = 0; m < 3; ++m) Q[3 * i + k] += turned[3 * i + m] * F[3 * m + k];
  move(&p, Q, r);
  assert_relative(energy(&p), before, 1e-12);
  move(&p, turned, r);
  for (int64_t i = 0; i < elasticity_dofs(p.e); ++i) assert_within(r[i], 0, 1e-12 * most);
  assert_within(energy(&p), 0, 1e-12 * before);
  free(skin), free(r);
  problem_release(&p);
}

/* Around an axis the same stretch along the radius and the hoop, of materials that know no direction; and a shift along
 * it. */
static void check_turned(ElementKind kind, int material, const double *value) {
  static const double stretched[9] = {1.2, 0, 0, 0, 0.9, 0, 0, 0, 1.2}, still[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  Problem p;
  begin(&p, kind, MODEL_AXISYMMETRIC, material, value, NULL);
  double *r = calloc((size_t)elasticity_dofs(p.e), sizeof *r), most = 0;
  bool *skin = calloc((size_t)p.mesh->n_node, sizeof *skin);
  mark_skin(&p, skin);
  move(&p, stretched, r);
  for (int64_t i = 0; i < elasticity_dofs(p.e); ++i) most = fmax(most, fabs(r[i]));
  for (int64_t i = 0; i < elasticity_dofs(p.e); ++i)
    if (!skin[i / 2]) assert_within(r[i], 0, 1e-11 * most);
  assert_true(energy(&p) > 0 && most > 0);
  move(&p, still, r);
  for (int64_t i = 0; i < elasticity_dofs(p.e); ++i) p.u[i] = i % 2 ? 3 : 0;
  problem_put(&p);
  problem_residual(&p, r);
  for (int64_t i = 0; i < elasticity_dofs(p.e); ++i) assert_within(r[i], 0, 1e-11 * most);
  free(skin), free(r);
  problem_release(&p);
}

static void turned(void **state) {
  (void)state;
  double value[32];
  int material, n = 0;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k)
    for (int s = 0; element_type((ElementKind)k)->dim == 2 && s < N_MATERIAL_SAMPLES; ++s)
      if (material_sample(s, &material, value) && material_samples[s].shear > 0)
        check_turned((ElementKind)k, material, value), ++n;
  assert_true(n > 40);
}

/* A block that is held at one end while the other is moved aside: the last corrections of Newton's method, without a line
 * search and with exact solves. */
static void check_rate(ElementKind kind, int material, const double *value) {
  Problem p;
  problem_box(&p, exec, kind, 2, 0.1);
  p.material[0] = (MaterialValues){.kind = material};
  for (int i = 0; i < 32; ++i) p.material[0].value[i] = value[i];
  const int thickness = material_parameter(material, "thickness");
  if (thickness >= 0) p.material[0].value[thickness] = 1;
  p.params.finite = true;
  p.params.formulation = formulation;
  problem_fix(&p, "x0", "0", "0", p.mesh->dim == 3 ? "0" : NULL);
  problem_fix(&p, "x1", "0.02", "0.06", NULL);
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  const int64_t n = elasticity_dofs(p.e);
  double *r = calloc((size_t)n, sizeof *r), *du = calloc((size_t)n, sizeof *du), most[16] = {0};
  for (int64_t i = 0; i < n; ++i) { /* all of it moves aside */
    const double *x = p.mesh->x[i / p.mesh->dim];
    p.u[i] = i % p.mesh->dim == 0 ? 0.02 * x[0] : i % p.mesh->dim == 1 ? 0.06 * x[0] : 0;
  }
  problem_put(&p);
  int k = 0;
  for (; k < 15 && (k == 0 || most[k - 1] > 1e-11); ++k) {
    problem_residual(&p, r);
    assert_ok(elasticity_check_answer(p.e));
    problem_tangent(&p);
    problem_solve_linear(&p, r, du);
    for (int64_t i = 0; i < n; ++i) p.u[i] += du[i], most[k] = fmax(most[k], fabs(du[i]));
    problem_put(&p);
  }
  assert_true(k > 2 && k < 15);
  for (int i = k - 2; i < k; ++i) /* to what solves leave */
    if (!(most[i] <= fmax(30 * most[i - 1] * most[i - 1], 1e-11)))
      fail_msg("%s, material %s: %g after %g", element_type(kind)->name, material_type(material)->name, most[i],
               most[i - 1]);
  free(r), free(du);
  problem_release(&p);
}

static void rates(void **state) {
  (void)state;
  double value[32];
  int material;
  for (int s = 0; material_sample(s, &material, value); ++s) {
    check_rate(ELEMENT_HEX8, material, value);
    check_rate(s % 2 ? ELEMENT_QUAD9 : ELEMENT_TRI6, material, value);
  }
}

static void motions(void **state) {
  (void)state;
  double value[32];
  int material, n = 0;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    if (type->dim < 2) continue;
    const bool all = k == ELEMENT_QUAD4 || k == ELEMENT_TET4 || k == ELEMENT_HEX8;
    for (int s = 0; material_sample(s, &material, value); ++s) {
      if (!all && s != k % N_MATERIAL_SAMPLES && s != N_MATERIAL_SAMPLES) continue;
      ++n;
      check_motions((ElementKind)k, MODEL_PLANE_STRAIN, material, value);
      if (type->dim == 2 && !material_type(material)->shape.linear)
        check_motions((ElementKind)k, MODEL_PLANE_STRESS, material, value);
    }
  }
  assert_true(n > 40);
}

/* With pressure on the whole skin, which has a potential. */
static void check_tangent(ElementKind kind, ElasticModel model, int material, const double *value) {
  Problem p;
  /* on cubic facets what the two halves of the tangent differ by is not integrated to 0 */
  const double h = 1e-6, near = element_type(kind)->order == 3 ? 1e-5 : 1e-6;
  begin(&p, kind, model, material, value, "20");
  const int64_t n = elasticity_dofs(p.e);
  const int dim = p.mesh->dim;
  double *side[2] = {calloc((size_t)n, sizeof(double)), calloc((size_t)n, sizeof(double))}, most = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double *x = p.mesh->x[i / dim];
    p.u[i] = 0.01 * sin(9 * x[0] - 7 * x[1] + 5 * x[2] + 1.9 * (double)(i % dim));
  }
  assert_ok(exec_upload(exec, p.exec_u, p.u, (size_t)n * sizeof *p.u));
  assert_ok(elasticity_tangent(p.e, p.exec_u, p.exec_values));
  assert_ok(exec_download(exec, p.values, p.exec_values, (size_t)p.slots.n_value * sizeof(double)));
  for (int64_t i = 0; i < p.slots.n_value; ++i) most = fmax(most, fabs(p.values[i]));
  for (int64_t j = 0; j < n; j += 1 + n / 3) {
    for (int s = 0; s < 2; ++s) {
      const double u = p.u[j];
      p.u[j] = u + (s ? h : -h);
      assert_ok(exec_upload(exec, p.exec_u, p.u, (size_t)n * sizeof *p.u));
      problem_residual(&p, side[s]);
      p.u[j] = u;
    }
    assert_ok(elasticity_check_answer(p.e));
    for (int64_t i = 0; i < n; ++i) {
      const double there = problem_entry(&p, i, j), found = -(side[1][i] - side[0][i]) / (2 * h);
      if (!(fabs(found - there) <= near * most))
        fail_msg("%s, model %d: %.10g is not %.10g", element_type(kind)->name, (int)model, found, there);
    }
  }
  free(side[0]), free(side[1]);
  problem_release(&p);
}

static void tangents(void **state) {
  (void)state;
  double value[32];
  int material;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const ElementType *type = element_type((ElementKind)k);
    if (type->dim < 2) continue;
    assert_true(material_sample(k % 2, &material, value));
    check_tangent((ElementKind)k, MODEL_PLANE_STRAIN, material, value);
    if (type->dim == 2) check_tangent((ElementKind)k, MODEL_PLANE_STRESS, material, value);
    if (type->dim == 2) check_tangent((ElementKind)k, MODEL_AXISYMMETRIC, material, value);
    assert_true(material_sample(N_MATERIAL_SAMPLES + k % 2, &material, value));
    check_tangent((ElementKind)k, MODEL_PLANE_STRAIN, material, value);
  }
}

/* All of this with incompatible modes, in all materials. */
static void incompatible(void **state) {
  (void)state;
  double value[32];
  int material, n = 0;
  formulation = FORMULATION_INCOMPATIBLE_MODES;
  for (int s = 0; material_sample(s, &material, value); ++s, ++n) {
    const bool plane = !material_type(material)->shape.linear;
    const bool turns = s < N_MATERIAL_SAMPLES && material_samples[s].shear > 0; /* fibres that are pressed give way */
    if (turns) check_motions(ELEMENT_HEX8, MODEL_SOLID, material, value);
    if (turns) check_motions(ELEMENT_QUAD4, plane ? MODEL_PLANE_STRESS : MODEL_PLANE_STRAIN, material, value);
    check_tangent(ELEMENT_HEX8, MODEL_SOLID, material, value);
    check_tangent(ELEMENT_QUAD4, MODEL_PLANE_STRAIN, material, value);
    check_tangent(ELEMENT_QUAD4, plane ? MODEL_PLANE_STRESS : MODEL_AXISYMMETRIC, material, value);
    check_rate(ELEMENT_HEX8, material, value);
  }
  formulation = FORMULATION_DISPLACEMENT;
  assert_true(n > 5);
}

/* On a face whose rim is free: the derivative of the residual is what the tangent and what is beyond it say together. */
static void check_beyond(ElementKind kind, ElasticModel model, const char *pressure) {
  Problem p;
  const double h = 1e-6;
  double moved = 0, most = 0;
  problem_box(&p, exec, kind, 2, 0.1);
  p.model = p.params.model = p.mesh->dim == 3 ? MODEL_SOLID : model;
  for (int32_t i = 0; model == MODEL_AXISYMMETRIC && i < p.mesh->n_node; ++i) p.mesh->x[i][0] += 0.5;
  p.material[0] = (MaterialValues){.kind = material_by_name("neo-hooke"), .value = {10, 0.3}};
  p.material[0].value[material_parameter(p.material[0].kind, "thickness")] = 1;
  p.params.finite = p.params.free_rim = p.params.allow_free_motion = true;
  problem_fix(&p, "x0", "0", "0", p.mesh->dim == 3 ? "0" : NULL);
  problem_load(&p, LOAD_FOLLOWER, "x1", pressure, NULL, NULL);
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  const int64_t n = elasticity_dofs(p.e);
  const size_t bytes = (size_t)n * sizeof(double);
  double *x = calloc((size_t)n, sizeof *x), *u = calloc((size_t)n, sizeof *u), *change = calloc((size_t)n, sizeof *u);
  double *side[2] = {calloc((size_t)n, sizeof(double)), calloc((size_t)n, sizeof(double))};
  for (int64_t i = 0; i < n; ++i) {
    const double *at = p.mesh->x[i / p.mesh->dim];
    u[i] = 0.05 * sin(9 * at[0] - 7 * at[1] + 5 * at[2] + 1.9 * (double)(i % p.mesh->dim));
    x[i] = at[0] < 1e-9 + (model == MODEL_AXISYMMETRIC && p.mesh->dim == 2 ? 0.5 : 0) ? 0 : cos(3.3 * (double)i);
  }
  for (int s = 0; s < 2; ++s) {
    for (int64_t i = 0; i < n; ++i) p.u[i] = u[i] + (s ? h : -h) * x[i];
    problem_put(&p);
    problem_residual(&p, side[s]);
  }
  assert_ok(exec_upload(exec, p.exec_u, u, bytes));
  problem_tangent(&p);
  assert_ok(elasticity_beyond_at(p.e, p.exec_u));
  assert_ok(exec_upload(exec, p.exec_u, x, bytes));
  assert_ok(elasticity_beyond(p.e, p.exec_u, p.exec_r));
  assert_ok(exec_download(exec, change, p.exec_r, bytes));
  for (int64_t i = 0; i < n; ++i) {
    double there = change[i];
    moved = fmax(moved, fabs(change[i]));
    if (x[i] == 0) continue;
    for (int64_t j = 0; j < n; ++j) there -= x[j] ? problem_entry(&p, i, j) * x[j] : 0;
    most = fmax(most, fabs(there));
    const double found = (side[1][i] - side[0][i]) / (2 * h);
    if (!(fabs(found - there) <= 1e-5 * fmax(1, most)))
      fail_msg("%s, model %d, pressure %s: %.10g is not %.10g", element_type(kind)->name, (int)model, pressure, found,
               there);
  }
  assert_true(moved > 0.01);
  free(x), free(u), free(change), free(side[0]), free(side[1]);
  problem_release(&p);
}

static void beyond(void **state) {
  (void)state;
  static const ElementKind kind[] = {ELEMENT_HEX8, ELEMENT_TET10, ELEMENT_QUAD9, ELEMENT_TRI3};
  for (size_t k = 0; k < sizeof kind / sizeof *kind; ++k)
    for (int pulls = 0; pulls < 2; ++pulls) {
      const char *pressure = pulls ? "-2 - y" : "2 + y";
      check_beyond(kind[k], MODEL_PLANE_STRAIN, pressure);
      if (element_type(kind[k])->dim == 2) check_beyond(kind[k], MODEL_AXISYMMETRIC, pressure);
    }
}

/* Linear laws are of the Green-Lagrange strain: S, E, J and sigma of a stretch of 1.5 at constant width. */
static void recovered(void **state) {
  (void)state;
  const double F[9] = {1.5, 0, 0, 0, 1, 0, 0, 0, 0.8}, value[32] = {10, 0};
  Problem p;
  ElasticFields f;
  begin(&p, ELEMENT_HEX8, MODEL_SOLID, material_by_name("isotropic"), value, NULL);
  double *r = calloc((size_t)elasticity_dofs(p.e), sizeof *r);
  move(&p, F, r);
  const unsigned which = FIELD_STRESS | FIELD_STRAIN | FIELD_PIOLA | FIELD_JACOBIAN | FIELD_STRETCHES;
  assert_ok(elasticity_recover(p.e, p.exec_u, which, &f));
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    assert_within(f.strain[i][0], 0.625, 1e-12);
    assert_within(f.piola[i][0], 6.25, 1e-11);
    assert_within(f.stress[i][0], 1.5 * 6.25 / 0.8, 1e-11);
    for (int k = 0; k < 3; ++k) assert_within(f.stretches[i][k], k == 0 ? 1.5 : k == 1 ? 1 : 0.8, 1e-13);
    assert_within(f.piola[i][1], 0, 1e-11);
  }
  assert_within(f.jacobian[0], 1.2, 1e-13);
  elastic_fields_release(&f);
  p.u[0] += 5;
  assert_ok(exec_upload(exec, p.exec_u, p.u, (size_t)elasticity_dofs(p.e) * sizeof *p.u));
  problem_residual(&p, r);
  assert_fails(elasticity_check_answer(p.e), ERR_NUMERIC, "turned inside out: the first is hex8 element");
  assert_fails(elasticity_check_answer(p.e), ERR_NUMERIC, "of 'body' near (");
  assert_fails(elasticity_check_answer(p.e), ERR_NUMERIC, "det F = -");
  free(r);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions), cmocka_unit_test(turned),    cmocka_unit_test(rates),       cmocka_unit_test(tangents),
      cmocka_unit_test(beyond),  cmocka_unit_test(recovered), cmocka_unit_test(incompatible)};
  exec = testing_exec();
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  exec_destroy(&exec);
  return failed;
}
