/* Patch tests of every element (MacNeal and Harder 1985): a linear displacement on the skin of a distorted patch must
 * come out inside, with constant stress; rigid motions are free of stress; an element has 3 or 6 zero eigenvalues. */
#include "assembly/space/small_matrix.h"
#include "core/memory.h"
#include "tests/assembly/problem.h"
#include "tests/mesh/mixed_mesh.h"

#include <math.h>
#include <string.h>

static void finish(Problem *p) {
  Exec *exec = p->exec;
  problem_release(p);
  exec_destroy(&exec);
}

static void check_stress(Problem *p, const double *wanted, double scale) {
  ElasticFields f;
  assert_ok(elasticity_recover(p->e, p->exec_u, FIELD_ALL, &f));
  for (int32_t i = 0; i < p->mesh->n_node; ++i)
    for (int c = 0; c < 6; ++c) assert_near(f.stress[i][c] / scale, wanted[c] / scale, 1e-11);
  int32_t n_solved = 0;
  for (int32_t b = 0; b < p->mesh->n_block; ++b)
    if (element_type(p->mesh->block[b].kind)->dim == p->mesh->dim) n_solved += p->mesh->block[b].n;
  for (int64_t q = 0; q < f.point_start[n_solved]; ++q)
    for (int c = 0; c < 6; ++c) assert_near(f.point_stress[q][c] / scale, wanted[c] / scale, 1e-12);
  for (int32_t e = 0; e < n_solved; ++e)
    for (int c = 0; c < 6; ++c) assert_near(f.element_stress[e][c] / scale, wanted[c] / scale, 1e-12);
  elastic_fields_release(&f);
}

static void plane_patch(ElementKind kind, ElasticModel model) {
  Problem p;
  problem_init(&p, testing_exec(), patch_mesh(kind), model, 1e6, 0.25);
  p.material[0].value[2] = 0.001;
  problem_fix(&p, "skin", "1e-3*(x+y/2)", "1e-3*(y+x/2)", NULL);
  problem_solve(&p);
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double *x = p.mesh->x[i];
    assert_near(p.u[2 * i] / 1e-3, x[0] + x[1] / 2, 1e-12);
    assert_near(p.u[2 * i + 1] / 1e-3, x[1] + x[0] / 2, 1e-12);
  }
  /* plane strain: lambda = mu = 4e5, so xx = yy = lambda 2e-3 + 2 mu 1e-3 and zz = nu (xx + yy) */
  const double stress[6] = {4000.0 / 3, 4000.0 / 3, 0, 400, 0, 0}, strain[6] = {1600, 1600, 800, 400, 0, 0};
  check_stress(&p, model == MODEL_PLANE_STRESS ? stress : strain, 1000);
  finish(&p);
}

static void solid_patch(Mesh *mesh) {
  Problem p;
  problem_init(&p, testing_exec(), mesh, MODEL_SOLID, 1e6, 0.25);
  problem_fix(&p, "skin", "5e-4*(2*x+y+z)", "5e-4*(x+2*y+z)", "5e-4*(x+y+2*z)");
  problem_solve(&p);
  for (int32_t i = 0; i < p.mesh->n_node; ++i) {
    const double *x = p.mesh->x[i], sum = x[0] + x[1] + x[2];
    for (int c = 0; c < 3; ++c) assert_near(p.u[3 * i + c] / 5e-4, sum + x[c], 1e-12);
  }
  const double stress[6] = {2000, 2000, 2000, 400, 400, 400};
  check_stress(&p, stress, 1000);
  finish(&p);
}

static void all_patches(void **state) {
  (void)state;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const int32_t dim = element_type((ElementKind)k)->dim;
    if (dim == 3) solid_patch(patch_mesh((ElementKind)k));
    if (dim == 2) plane_patch((ElementKind)k, MODEL_PLANE_STRESS);
    if (dim == 2) plane_patch((ElementKind)k, MODEL_PLANE_STRAIN);
  }
}

/* Translations and linearised rotations of a free patch: no stress, no energy, no force. */
static void rigid_motions(void **state) {
  (void)state;
  for (int k = 0; k < N_ELEMENT_KINDS; ++k) {
    const int32_t dim = element_type((ElementKind)k)->dim, modes = dim == 3 ? 6 : 3;
    if (dim < 2) continue;
    Problem p;
    problem_init(&p, testing_exec(), patch_mesh((ElementKind)k), dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRAIN, 1e6,
                 0.25);
    p.params.allow_free_motion = true;
    assert_ok(problem_create(&p));
    assert_int_equal(elasticity_part_count(p.e), 1);
    assert_int_equal(elasticity_part(p.e, 0)->n_free, modes);
    problem_assemble(&p);
    double *r = calloc((size_t)elasticity_dofs(p.e), sizeof *r);
    for (int m = 0; m < modes; ++m) {
      for (int32_t i = 0; i < p.mesh->n_node; ++i) {
        const double *x = p.mesh->x[i];
        const int a = dim == 2 ? 0 : (m + 1) % 3, b = dim == 2 ? 1 : (m + 2) % 3;
        for (int c = 0; c < dim; ++c) p.u[i * dim + c] = m < dim ? c == m : c == a ? -x[b] : c == b ? x[a] : 0;
      }
      assert_ok(exec_upload(p.exec, p.exec_u, p.u, (size_t)elasticity_dofs(p.e) * sizeof *p.u));
      problem_residual(&p, r);
      for (int64_t i = 0; i < elasticity_dofs(p.e); ++i) assert_near(r[i] / 1e6, 0, 1e-14);
      ElasticFields f;
      assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_STRESS, &f));
      assert_near(f.energy / 1e6, 0, 1e-14);
      for (int32_t i = 0; i < p.mesh->n_node; ++i)
        for (int c = 0; c < 6; ++c) assert_near(f.stress[i][c] / 1e6, 0, 1e-12);
      elastic_fields_release(&f);
    }
    free(r);
    finish(&p);
  }
}

/* Eigenvalues of A[n][n] by cyclic Jacobi, in place. */
static void eigenvalues(int n, double *A) {
  for (int sweep = 0; sweep < 30; ++sweep)
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (fabs(A[p * n + q]) < 1e-30) continue;
        const double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1),
                     s = t * c;
        for (int k = 0; k < n; ++k) {
          const double x = A[k * n + p], y = A[k * n + q];
          A[k * n + p] = c * x - s * y;
          A[k * n + q] = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const double x = A[p * n + k], y = A[q * n + k];
          A[p * n + k] = c * x - s * y;
          A[q * n + k] = s * x + c * y;
        }
      }
}

static void zero_eigenvalues(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const ElementType *type = element_type((ElementKind)kind);
    if (type->dim < 2) continue;
    Mesh *mesh = NULL;
    const BoxParams box = {.kind = (ElementKind)kind, .n = {1, 1, 1}, .size = {1, 1.2, 0.9}};
    assert_ok(mesh_box(&box, &mesh));
    Problem p;
    problem_init(&p, testing_exec(), mesh, type->dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRESS, 1, 0.3);
    p.params.allow_free_motion = true;
    assert_ok(problem_create(&p));
    problem_assemble(&p);
    const int n = (int)elasticity_dofs(p.e), b = type->dim;
    const Pattern *pattern = elasticity_pattern(p.e);
    double *A = calloc((size_t)(n * n), sizeof *A);
    for (int32_t i = 0; i < pattern->n; ++i)
      for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        for (int r = 0; r < b; ++r)
          for (int c = 0; c < b; ++c)
            A[(i * b + r) * n + pattern->column[k] * b + c] = p.values[p.slots.slot[k] + r * p.slots.row_step[i] + c];
    eigenvalues(n, A);
    int zero = 0, negative = 0;
    for (int i = 0; i < n; ++i) {
      zero += fabs(A[i * n + i]) < 1e-12;
      negative += A[i * n + i] < -1e-12;
    }
    const int reduced = kind == ELEMENT_QUAD8R ? 1 : kind == ELEMENT_HEX20R ? 6 : 0; /* deformations without energy */
    if (zero != (type->dim == 3 ? 6 : 3) + reduced || negative)
      fail_msg("%s has %d zero eigenvalues", type->name, zero);
    free(A);
    finish(&p);
  }
}

/* Hexahedra, pyramids, tetrahedra and wedges in one body, linear and quadratic, and refined. */
static void mixed(void **state) {
  (void)state;
  Mesh *mesh, *fine;
  for (int32_t order = 1; order <= 2; ++order) {
    if (!mixed_mesh(order, &mesh)) return;
    solid_patch(mesh);
  }
  assert_true(mixed_mesh(1, &mesh));
  assert_ok(mesh_refine(mesh, &fine));
  mesh_destroy(&mesh);
  solid_patch(fine);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_patches), cmocka_unit_test(mixed),
                                     cmocka_unit_test(rigid_motions), cmocka_unit_test(zero_eigenvalues)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
