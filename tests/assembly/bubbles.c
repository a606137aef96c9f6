/* Incompatible modes: patches of any material in any model, the matrix against one that is condensed here with plain loops,
 * forces that are the matrix times the displacement, bars that bend as beams do, heat that only bends, orders of
 * convergence, and meshes of more elements than are condensed at a time. */
#include "core/memory.h"
#include "physics/linear_law.h"
#include "physics/material.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Exec *exec;
static const double NINE[9] = {14, 10, 9, 0.3, 0.25, 0.35, 5, 4, 3};

/* Isotropic; the same in axes; nine constants in axes; in those of a cylinder, which differ from point to point. */
enum { WAYS = 4 };
static void set_material(Problem *p, int way) {
  MaterialValues *m = &p->material[0];
  if (way < 1) return;
  m->kind = material_by_name("orthotropic");
  for (int i = 0; i < 9; ++i) m->value[i] = NINE[i];
  m->value[9] = way == 1 ? 1 : 0.7;
  if (way == 2 && p->model == MODEL_SOLID) {
    const double row[6] = {0.3, -0.8, 0.5, 0.4, 0.1, -0.9};
    m->axes.kind = AXES_CONSTANT;
    memcpy(m->axes.frame, row, sizeof row);
    assert_true(axes_complete(m->axes.frame));
  } else if (way == 2) {
    const double R[9] = {0.8, 0.6, 0, -0.6, 0.8, 0, 0, 0, 1};
    m->axes.kind = AXES_CONSTANT;
    memcpy(m->axes.frame, R, sizeof R);
  } else if (way == 3) m->axes = (MaterialAxes){.kind = AXES_CYLINDER, .frame = {[8] = 1}, .origin = {-2, -1, 0}};
}

static void to_radii(double x[3]) { x[0] += 0.3; }

static void begin(Problem *p, Mesh *mesh, ElasticModel model, int way) {
  problem_init(p, exec, mesh, model, 10, 0.27);
  p->params.formulation = FORMULATION_INCOMPATIBLE_MODES;
  p->params.allow_free_motion = true;
  if (model == MODEL_AXISYMMETRIC) bend_mesh(p->mesh, to_radii);
  set_material(p, way);
}

/* A box of one to three elements along each side, moved about; a name for each side. */
static Mesh *box(ElementKind kind, const int32_t n[3], const double size[3], double distort) {
  Mesh *mesh = NULL;
  const BoxParams params = {
      .kind = kind, .n = {n[0], n[1], n[2]}, .size = {size[0], size[1], size[2]}, .distort = distort};
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}
static Mesh *cube(ElementKind kind, int32_t n, double distort) {
  return box(kind, (const int32_t[3]){n, n, n}, (const double[3]){1, 1, 1}, distort);
}

/* ---- patches ---- */

/* A linear displacement on the skin is linear inside, where the law is the same everywhere; the stress that a law gives it
 * is there at all points. */
static void patch(ElementKind kind, ElasticModel model, int way) {
  Problem p, plain;
  const double H[9] = {0.012, -0.02, 0.015, 0.005, 0.012, -0.01, 0.02, 0.011, -0.005};
  char u[3][96];
  const bool around = model == MODEL_AXISYMMETRIC;
  begin(&p, cube(kind, 3, 0.25), model, way);
  for (int i = 0; i < 3; ++i)
    snprintf(u[i], sizeof u[i], "(%.17g)*x+(%.17g)*y+(%.17g)*z", around && i == 1 ? 0 : H[3 * i],
             around && i == 0 ? 0 : H[3 * i + 1], H[3 * i + 2]);
  const char *const side[6] = {"x0", "x1", "y0", "y1", "z0", "z1"};
  const int dim = p.mesh->dim;
  for (int k = 0; k < 2 * dim; ++k) problem_fix(&p, side[k], u[0], u[1], dim == 3 ? u[2] : NULL);
  if (around) { /* the hoop strain is the radial one, so that the stress is in balance */
    const double nine[9] = {11, 11, 11, 0.27, 0.27, 0.27, 5, 6, 7};
    if (way == 1) memcpy(p.material[0].value, nine, sizeof nine);
  }
  problem_solve(&p);
  ElasticFields f, g;
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
  for (int32_t i = 0; i < p.mesh->n_node; ++i)
    for (int c = 0; c < dim; ++c) {
      double want = 0;
      for (int j = 0; j < dim; ++j)
        if (!around || c == j) want += H[3 * c + j] * p.mesh->x[i][j];
      assert_near(f.displacement[i][c] / 0.01, want / 0.01, 1e-12);
    }
  begin(&plain, cube(kind, 3, 0.25), model, way);
  memcpy(plain.material, p.material, sizeof p.material);
  plain.params.formulation = FORMULATION_DISPLACEMENT;
  assert_ok(problem_create(&plain));
  problem_assemble(&plain);
  memcpy(plain.u, p.u, (size_t)elasticity_dofs(p.e) * sizeof *p.u);
  problem_put(&plain);
  assert_ok(elasticity_recover(plain.e, plain.exec_u, FIELD_ALL, &g));
  assert_relative(f.energy, g.energy, 1e-12);
  for (int32_t i = 0; i < p.mesh->n_node; ++i)
    for (int c = 0; c < 6; ++c) {
      assert_within(f.stress[i][c], g.stress[i][c], 3e-12);
      assert_within(f.strain[i][c], g.strain[i][c], 1e-12);
    }
  for (int64_t q = 0; q < f.point_start[p.mesh->block[p.mesh->n_block - 1].n]; ++q)
    for (int c = 0; c < 6; ++c) assert_within(f.point_stress[q][c], g.point_stress[q][c], 1e-12);
  elastic_fields_release(&f);
  elastic_fields_release(&g);
  problem_release(&p);
  problem_release(&plain);
}

static void patches(void **state) {
  (void)state;
  for (int way = 0; way < 3; ++way) {
    patch(ELEMENT_HEX8, MODEL_SOLID, way);
    patch(ELEMENT_QUAD4, MODEL_PLANE_STRESS, way);
    patch(ELEMENT_QUAD4, MODEL_PLANE_STRAIN, way);
    if (way < 2) patch(ELEMENT_QUAD4, MODEL_AXISYMMETRIC, way);
  }
}

/* ---- one element, by plain loops ---- */

/* Voigt rows of a gradient g of a function that moves along axis i; hoop: N / r. */
static void strain_of(int dim, const double *g, double hoop, int i, double B[6]) {
  const double v[3] = {g[0], g[1], dim == 3 ? g[2] : 0};
  memset(B, 0, 6 * sizeof *B);
  B[i] = v[i];
  if (i == 0) B[2] += hoop, B[3] = v[1], B[5] = v[2];
  if (i == 1) B[3] = v[0], B[4] = v[2];
  if (i == 2) B[4] = v[1], B[5] = v[0];
}

/* Solves A x = b in place by elimination with pivots of the diagonal. */
static void eliminate(int n, double *A, double *b) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      const double f = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; ++j) A[i * n + j] -= f * A[k * n + j];
      b[i] -= f * b[k];
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= A[i * n + j] * b[j];
    b[i] /= A[i * n + i];
  }
}

/* K[n dim][n dim] of the element with nodes x: C at the points of the rule, [n_q][36]. */
static void element_matrix(const ElementType *type, const double (*x)[3], double thickness, bool around,
                           const double (*C)[36], double *K) {
  const int dim = type->dim, n = type->n_node, all = (n + dim) * dim;
  double full[33 * 33] = {0}, J0[3][3], dN[81], N[27];
  const double origin[3] = {0};
  Quadrature rule;
  assert_ok(element_stiffness_quadrature(type, &rule));
  double j0 = element_jacobian(type, x, origin, J0, true), r0 = 0;
  for (int a = 0; a < n; ++a) r0 += x[a][0] / n;
  if (around) j0 *= r0;
  for (int q = 0; q < rule.n; ++q) {
    double J[3][3], B[33][6], r = 1;
    double j = element_jacobian(type, x, rule.xi[q], J, true);
    type->gradients(rule.xi[q], dN);
    type->values(rule.xi[q], N);
    if (around) r = 0;
    for (int a = 0; a < n && around; ++a) r += N[a] * x[a][0];
    j *= r;
    for (int a = 0; a < n + dim; ++a) { /* g J = dN */
      double A[9], g[3];
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k) A[k * dim + i] = a < n ? J[i][k] : J0[i][k];
      for (int k = 0; k < dim; ++k) g[k] = a < n ? dN[a * dim + k] : k == a - n ? -2 * rule.xi[q][k] * j0 / j : 0;
      eliminate(dim, A, g);
      for (int i = 0; i < dim; ++i) strain_of(dim, g, around && a < n ? N[a] / r : 0, i, B[a * dim + i]);
    }
    for (int a = 0; a < all; ++a)
      for (int b = 0; b < all; ++b)
        for (int I = 0; I < 6; ++I)
          for (int L = 0; L < 6; ++L)
            full[a * all + b] += B[a][I] * C[q][6 * I + L] * B[b][L] * j * rule.weight[q] * thickness;
  }
  const int m = dim * dim, first = n * dim;
  for (int b = 0; b < first; ++b) {
    double D[81], v[9];
    for (int i = 0; i < m; ++i) {
      v[i] = full[(first + i) * all + b];
      for (int k = 0; k < m; ++k) D[i * m + k] = full[(first + i) * all + first + k];
    }
    eliminate(m, D, v);
    for (int a = 0; a < first; ++a) {
      K[a * first + b] = full[a * all + b];
      for (int i = 0; i < m; ++i) K[a * first + b] -= full[a * all + first + i] * v[i];
    }
  }
}

static void check_matrix(ElementKind kind, ElasticModel model, int way) {
  Problem p;
  const ElementType *type = element_type(kind);
  const int n = type->n_node, dim = type->dim, size = n * dim;
  begin(&p, cube(kind, 1, 0), model, way);
  for (int a = 0; a < n; ++a) /* corners of a box moved at random */
    for (int i = 0; i < dim; ++i) p.mesh->x[a][i] += 0.13 * sin(7.3 * (3 * a + i) + 1 + kind);
  if (dim == 2) p.material[0].value[way ? 9 : 2] = 0.6;
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  const ElementBlock *block = &p.mesh->block[p.mesh->n_block - 1];
  double x[8][3], C[8][36], K[24 * 24], most = 0;
  for (int a = 0; a < n; ++a) memcpy(x[a], p.mesh->x[block->nodes[a]], sizeof x[a]);
  Quadrature rule;
  assert_ok(element_stiffness_quadrature(type, &rule));
  for (int q = 0; q < rule.n; ++q) {
    double R[9], law[LAW_SIZE], N[27], at[3] = {0};
    type->values(rule.xi[q], N);
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) at[i] += N[a] * x[a][i];
    assert_true(axes_at(&p.material[0].axes, 0, at, R));
    material_law(p.material[0].kind, model, p.material[0].value, R, law);
    for (int I = 0; I < 6; ++I)
      for (int L = 0; L < 6; ++L) C[q][6 * I + L] = law[linear_index(I, L)];
  }
  const double turn = model == MODEL_AXISYMMETRIC ? 2 * acos(-1) : 1,
               thickness = elastic_model_has_thickness(model) ? p.material[0].value[way ? 9 : 2] : 1;
  element_matrix(type, (const double(*)[3])x, thickness * turn, model == MODEL_AXISYMMETRIC, (const double(*)[36])C, K);
  for (int a = 0; a < size; ++a) most = fmax(most, K[a * size + a]);
  for (int a = 0; a < size; ++a)
    for (int b = 0; b < size; ++b)
      assert_within(problem_entry(&p, block->nodes[a / dim] * dim + a % dim, block->nodes[b / dim] * dim + b % dim),
                    K[a * size + b], 1e-13 * most);
  problem_release(&p);
}

static void matrices(void **state) {
  (void)state;
  for (int way = 0; way < WAYS; ++way) {
    check_matrix(ELEMENT_HEX8, MODEL_SOLID, way);
    check_matrix(ELEMENT_QUAD4, MODEL_PLANE_STRESS, way);
    check_matrix(ELEMENT_QUAD4, MODEL_PLANE_STRAIN, way);
    check_matrix(ELEMENT_QUAD4, MODEL_AXISYMMETRIC, way == 3 ? 0 : way);
  }
}

/* ---- forces, energy, and elements in slices ---- */

/* r(u) - r(0) = -K u; the energy is that of the reactions; with heat too. */
static void check_forces(Problem *p, bool heated) {
  const ScalarSource five = {.value = 5};
  if (heated) {
    p->params.temperature = &five;
    p->material[0].value[material_parameter(p->material[0].kind, "expansion")] = 2e-3;
    p->material[0].value[material_parameter(p->material[0].kind, "expansion") + 1] = -1e-3;
  }
  assert_ok(problem_create(p));
  problem_assemble(p);
  const int64_t n = elasticity_dofs(p->e);
  const Pattern *pattern = elasticity_pattern(p->e);
  const int b = pattern->block;
  double *r = calloc((size_t)n, sizeof *r), *r0 = calloc((size_t)n, sizeof *r), size = 0, work = 0;
  problem_residual(p, r0);
  for (int64_t i = 0; i < n; ++i) {
    const double *x = p->mesh->x[i / b];
    p->u[i] = 0.01 * sin(3.1 * x[0] - 2.3 * x[1] + 1.7 * x[2] + 1.9 * (double)(i % b));
  }
  problem_put(p);
  problem_residual(p, r);
  for (int64_t i = 0; i < n; ++i) size = fmax(size, fabs(r[i] - r0[i])), work += 0.5 * p->u[i] * (r0[i] - r[i]);
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int c = 0; c < b; ++c) {
      double sum = r[i * b + c] - r0[i * b + c];
      for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        for (int d = 0; d < b; ++d)
          sum += p->values[p->slots.slot[k] + c * p->slots.row_step[i] + d] * p->u[pattern->column[k] * b + d];
      assert_within(sum, 0, 1e-12 * size);
    }
  if (!heated) assert_relative(problem_energy(p), work, 1e-12);
  free(r), free(r0);
  problem_release(p);
}

static void forces(void **state) {
  (void)state;
  const ElasticModel flat[3] = {MODEL_PLANE_STRESS, MODEL_PLANE_STRAIN, MODEL_AXISYMMETRIC};
  for (int heated = 0; heated < 2; ++heated)
    for (int way = 0; way < WAYS; ++way) {
      Problem p;
      begin(&p, cube(ELEMENT_HEX8, 2, 0.2), MODEL_SOLID, way);
      check_forces(&p, heated);
      for (int k = 0; k < 3; ++k) {
        begin(&p, cube(ELEMENT_QUAD4, 3, 0.2), flat[k], flat[k] == MODEL_AXISYMMETRIC && way == 3 ? 2 : way);
        check_forces(&p, heated);
      }
    }
}

/* More than a slice of elements, of two materials, one of them with axes: the second half of the numbers too. */
static void slices(void **state) {
  (void)state;
  Problem p;
  begin(&p, cube(ELEMENT_QUAD4, 131, 0.2), MODEL_PLANE_STRESS, 0);
  p.n_material = 2;
  p.material[1] = p.material[0];
  set_material(&p, 2);
  const ElementBlock *block = &p.mesh->block[p.mesh->n_block - 1];
  for (int32_t e = 0; e < block->n; ++e) p.element_material[block->first + e] = e % 3 == 1;
  check_forces(&p, false);
}

/* ---- bending ---- */

/* A cantilever of length 12 and height 1, one element high; its tip under an end force against beam theory with the
 * deflection by shear. */
static double cantilever(ElementKind kind, ElasticModel model, int32_t along, ElasticFormulation formulation) {
  Problem p;
  const int32_t n[3] = {along, 1, 1};
  const double size[3] = {12, 1, 0.8};
  begin(&p, box(kind, n, size, 0), model, 0);
  p.params.formulation = formulation;
  p.params.allow_free_motion = false;
  p.material[0].value[2] = 0.8;
  problem_fix(&p, "x0", "0", NULL, NULL);
  problem_fix(&p, "x0", NULL, "0", NULL);
  if (p.mesh->dim == 3) problem_fix(&p, "x0", NULL, NULL, "0");
  problem_load(&p, LOAD_TRACTION, "x1", "0", "0.01", p.mesh->dim == 3 ? "0" : NULL);
  problem_solve(&p);
  double tip = 0;
  for (int32_t i = 0; i < p.mesh->n_node; ++i)
    if (p.mesh->x[i][0] > 12 - 1e-9) tip = p.u[i * p.mesh->dim + 1];
  problem_release(&p);
  const double E = model == MODEL_PLANE_STRAIN ? 10 / (1 - 0.27 * 0.27) : 10, G = 10 / 2.54, load = 0.01;
  return tip / (load * 12 * 12 * 12 / (3 * E / 12) + 1.2 * load * 12 / G);
}

static void bending(void **state) {
  (void)state;
  const struct {
    ElementKind kind;
    ElasticModel model;
  } row[3] = {{ELEMENT_QUAD4, MODEL_PLANE_STRESS}, {ELEMENT_QUAD4, MODEL_PLANE_STRAIN}, {ELEMENT_HEX8, MODEL_SOLID}};
  for (int k = 0; k < 3; ++k) {
    assert_within(cantilever(row[k].kind, row[k].model, 10, FORMULATION_INCOMPATIBLE_MODES), 1, 0.015);
    assert_true(cantilever(row[k].kind, row[k].model, 10, FORMULATION_DISPLACEMENT) < 0.7);
  }
}

/* A temperature that is linear bends a free body of rectangles without stress. */
static void heat(void **state) {
  (void)state;
  const ElementKind kind[2] = {ELEMENT_QUAD4, ELEMENT_HEX8};
  for (int k = 0; k < 2; ++k) {
    Problem p;
    ElasticFields f;
    Expr t;
    const int32_t n[3] = {3, 2, 2};
    const double size[3] = {1.5, 0.8, 0.7};
    const ScalarSource source = {.expr = &t};
    assert_ok(expr_parse(k ? "2*x-y+3*z" : "2*x-y", &t));
    begin(&p, box(kind[k], n, size, 0), k ? MODEL_SOLID : MODEL_PLANE_STRESS, 0);
    for (int c = 0; c < 3; ++c) p.material[0].value[material_parameter(0, "expansion") + c] = 1e-3;
    p.params.temperature = &source;
    if (k)
      problem_fix(&p, "x0", "1e-3*((2*x-y+3*z)*x-(x^2+y^2+z^2))", "1e-3*((2*x-y+3*z)*y+(x^2+y^2+z^2)/2)",
                  "1e-3*((2*x-y+3*z)*z-1.5*(x^2+y^2+z^2))");
    else problem_fix(&p, "x0", "1e-3*((2*x-y)*x-(x^2+y^2))", "1e-3*((2*x-y)*y+(x^2+y^2)/2)", NULL);
    problem_solve(&p);
    assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
    assert_near(f.energy, 0, 1e-16);
    for (int32_t i = 0; i < p.mesh->n_node; ++i) {
      const double *x = p.mesh->x[i], z = k ? x[2] : 0, T = 2 * x[0] - x[1] + 3 * z;
      assert_near(f.displacement[i][0], 1e-3 * (T * x[0] - (x[0] * x[0] + x[1] * x[1] + z * z)), 1e-14);
      for (int c = 0; c < 6; ++c) assert_near(f.stress[i][c], 0, 1e-13);
    }
    elastic_fields_release(&f);
    problem_release(&p);
  }
}

/* Errors of u = (sin(2 x + y), cos(x - 2 y)) at the nodes of distorted meshes, h and h / 2. */
static double manufactured(int n) {
  Problem p;
  begin(&p, cube(ELEMENT_QUAD4, n, 0.2), MODEL_PLANE_STRAIN, 0);
  p.params.allow_free_motion = false;
  p.material[0] = (MaterialValues){.kind = 0, .value = {10, 0.25, 1, 1}}; /* lambda = mu = 4 */
  /* -8 grad div u - 4 laplace u, div u = 2 cos(2 x + y) + 2 sin(x - 2 y) */
  problem_load(&p, LOAD_GRAVITY, "body", "-8*(-4*sin(2*x+y)+2*cos(x-2*y))+20*sin(2*x+y)",
               "-8*(-2*sin(2*x+y)-4*cos(x-2*y))+20*cos(x-2*y)", NULL);
  const char *const side[4] = {"x0", "x1", "y0", "y1"};
  for (int k = 0; k < 4; ++k) problem_fix(&p, side[k], "sin(2*x+y)", "cos(x-2*y)", NULL);
  problem_solve(&p);
  double sum = 0;
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double *x = p.mesh->x[i], a = p.u[2 * i] - sin(2 * x[0] + x[1]), b = p.u[2 * i + 1] - cos(x[0] - 2 * x[1]);
    sum += (a * a + b * b) / p.mesh->n_node;
  }
  problem_release(&p);
  return sqrt(sum);
}

static void order(void **state) {
  (void)state;
  const double coarse = manufactured(12), fine = manufactured(24), slope = log(coarse / fine) / log(2);
  print_message("errors %.3g and %.3g, order %.2f\n", coarse, fine, slope);
  assert_true(fine < 5e-3 && slope > 1.8 && slope < 2.3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(matrices), cmocka_unit_test(patches), cmocka_unit_test(forces),
                                     cmocka_unit_test(slices),   cmocka_unit_test(bending), cmocka_unit_test(heat),
                                     cmocka_unit_test(order)};
  return testing_run("assembly/bubbles", tests, exec);
}
