/* The geometric stiffness of a stress that differs at every integration point, against a direct sum over them,
 * K_g w = sum_q dV sigma grad w . grad N_a, with stresses by Hooke's law that share no code with recovery: every element and
 * model, heated bodies, skew supports. */
#include "assembly/elasticity/elasticity_mass.h"
#include "core/memory.h"
#include "physics/material.h"
#include "tests/assembly/problem.h"
#include "tests/mesh/mixed_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static Exec *exec;
static const double YOUNG = 730, POISSON = 0.27, ALPHA = 4e-3, DENSITY = 1;

static double drawn(void) { return 2.0 * rand() / RAND_MAX - 1; }

/* One integration point of an element, and grad N_a there. */
typedef struct Point {
  double dV, g[ELEMENT_MAX_NODES][3], N[ELEMENT_MAX_NODES], x[3];
} Point;

static void point_at(const ElementType *type, const double (*x)[3], const double xi[3], Point *p) {
  double dN[3 * ELEMENT_MAX_NODES], J[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, inverse[3][3];
  type->values(xi, p->N);
  type->gradients(xi, dN);
  memset(p->x, 0, sizeof p->x);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; i < type->dim && k < type->dim; ++k) J[i][k] = 0;
  for (int a = 0; a < type->n_node; ++a)
    for (int i = 0; i < type->dim; ++i) {
      p->x[i] += p->N[a] * x[a][i];
      for (int k = 0; k < type->dim; ++k) J[i][k] += x[a][i] * dN[a * type->dim + k];
    }
  const double det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                     J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                     J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      inverse[k][i] = (J[(i + 1) % 3][(k + 1) % 3] * J[(i + 2) % 3][(k + 2) % 3] -
                       J[(i + 1) % 3][(k + 2) % 3] * J[(i + 2) % 3][(k + 1) % 3]) /
                      det;
  p->dV = det;
  memset(p->g, 0, sizeof p->g);
  for (int a = 0; a < type->n_node; ++a) {
    for (int i = 0; i < type->dim; ++i)
      for (int k = 0; k < type->dim; ++k) p->g[a][i] += dN[a * type->dim + k] * inverse[k][i];
  }
}

/* Of Hooke's law for the strains of u less those of heat. */
static void stress_at(const ElementType *type, ElasticModel model, const Point *p, const double (*u)[3], double heat,
                      double s[3][3]) {
  const double mu = YOUNG / (2 * (1 + POISSON)), lambda = YOUNG * POISSON / (1 + POISSON) / (1 - 2 * POISSON);
  double e[3][3] = {{0}}, H[3][3] = {{0}};
  for (int a = 0; a < type->n_node; ++a)
    for (int i = 0; i < type->dim; ++i)
      for (int j = 0; j < type->dim; ++j) H[i][j] += u[a][i] * p->g[a][j];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) e[i][j] = 0.5 * (H[i][j] + H[j][i]) - (i == j ? ALPHA * heat : 0);
  if (model == MODEL_PLANE_STRESS) e[2][2] = -POISSON / (1 - POISSON) * (e[0][0] + e[1][1]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s[i][j] = 2 * mu * e[i][j] + (i == j ? lambda * (e[0][0] + e[1][1] + e[2][2]) : 0);
}

/* f += K_g w of one element; mean: by the mean stress over its points, which is wrong. */
static void element_force(const Problem *p, const ElementType *type, const int32_t *nodes, const double *u,
                          const double *w, const Expr *heat, bool mean, double *f) {
  double x[ELEMENT_MAX_NODES][3], at[ELEMENT_MAX_NODES][3] = {{0}}, s[3][3], average[3][3] = {{0}}, volume = 0;
  const int dim = type->dim;
  const double thickness = dim == 2 ? p->material[0].value[2] : 1;
  Quadrature rule;
  Point q;
  assert_ok(element_stiffness_quadrature(type, &rule));
  for (int a = 0; a < type->n_node; ++a) {
    memcpy(x[a], p->mesh->x[nodes[a]], sizeof x[a]);
    for (int i = 0; i < dim; ++i) at[a][i] = u[nodes[a] * dim + i];
  }
  for (int turn = mean ? 0 : 1; turn < 2; ++turn)
    for (int k = 0; k < rule.n; ++k) {
      point_at(type, x, rule.xi[k], &q);
      const double dV = q.dV * rule.weight[k] * thickness;
      stress_at(type, p->model, &q, at, heat ? expr_value(heat, q.x, 0) : 0, s);
      for (int i = 0; i < 9; ++i) average[i / 3][i % 3] += turn ? 0 : s[i / 3][i % 3] * dV;
      volume += turn ? 0 : dV;
      for (int i = 0; turn && mean && i < 9; ++i) s[i / 3][i % 3] = average[i / 3][i % 3] / volume;
      for (int c = 0; turn && c < dim; ++c) {
        double grad[3] = {0}, flux[3] = {0};
        for (int a = 0; a < type->n_node; ++a)
          for (int i = 0; i < dim; ++i) grad[i] += w[nodes[a] * dim + c] * q.g[a][i];
        for (int i = 0; i < dim; ++i)
          for (int j = 0; j < dim; ++j) flux[i] += s[i][j] * grad[j];
        for (int a = 0; a < type->n_node; ++a)
          for (int i = 0; i < dim; ++i) f[nodes[a] * dim + c] += dV * flux[i] * q.g[a][i];
      }
    }
}

static void direct(const Problem *p, const double *u, const double *w, const Expr *heat, bool mean, double *f) {
  memset(f, 0, (size_t)elasticity_dofs(p->e) * sizeof *f);
  for (int32_t b = 0; b < p->mesh->n_block; ++b) {
    const ElementBlock *block = &p->mesh->block[b];
    const ElementType *type = element_type(block->kind);
    for (int32_t e = 0; e < block->n && type->dim == p->mesh->dim; ++e)
      element_force(p, type, block->nodes + (int64_t)e * type->n_node, u, w, heat, mean, f);
  }
}

/* y = K_g w for the stress of the u of the problem. */
static void product(Problem *p, const double *w, double *y) {
  const Pattern *pattern = elasticity_pattern(p->e);
  const int32_t B = pattern->block;
  ElasticityMass *mass = NULL;
  ElasticFields fields;
  problem_put(p);
  assert_ok(elasticity_mass_create(p->e, &DENSITY, &mass));
  assert_ok(elasticity_recover(p->e, p->exec_u, FIELD_POINT_STRESS, &fields));
  assert_ok(elasticity_geometric_matrix(mass, &fields, p->exec_values));
  assert_ok(exec_download(exec, p->values, p->exec_values, (size_t)p->slots.n_value * sizeof(double)));
  elastic_fields_release(&fields);
  elasticity_mass_destroy(&mass);
  for (int32_t i = 0, at = 0; i < pattern->n; ++i)
    for (int32_t r = 0; r < B; ++r) {
      y[i * B + r] = 0;
      for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        for (int32_t c = 0; c < B; ++c) y[i * B + r] += p->values[at++] * w[pattern->column[k] * B + c];
    }
}

/* The farthest of two vectors over the largest of the second. */
static double apart(const double *a, const double *b, int64_t n) {
  double far = 0, most = 0;
  for (int64_t i = 0; i < n; ++i) far = fmax(far, fabs(a[i] - b[i])), most = fmax(most, fabs(b[i]));
  return far / most;
}

/* Nodes moved as drawn: as many different stresses as there are points. */
static void compare(Problem *p, const Expr *heat, const char *name) {
  assert_ok(problem_create(p));
  problem_assemble(p);
  const int64_t n = elasticity_dofs(p->e);
  double *w = calloc((size_t)n, sizeof *w), *y = calloc((size_t)n, sizeof *y), *f = calloc((size_t)n, sizeof *f);
  for (int64_t i = 0; i < n; ++i) p->u[i] = 0.1 * drawn(), w[i] = drawn();
  product(p, w, y);
  direct(p, p->u, w, heat, false, f);
  if (apart(y, f, n) > 1e-12) fail_msg("%s, model %d: %g", name, (int)p->model, apart(y, f, n));
  direct(p, p->u, w, heat, true, f);
  const ElementType *type = element_by_name(name);
  Quadrature rule;
  assert_ok(element_stiffness_quadrature(type, &rule));
  if (rule.n > 1 && apart(y, f, n) < 1e-2) fail_msg("%s: a mean stress would pass", name);
  free(w), free(y), free(f);
}

static void drawn_material(Problem *p) {
  p->material[0].value[0] = YOUNG, p->material[0].value[1] = POISSON, p->material[0].value[2] = 0.3;
  for (int i = 0; i < 3; ++i) p->material[0].value[material_parameter(0, "expansion") + i] = ALPHA;
  p->params.allow_free_motion = p->params.no_load = true;
}

static void every_element(void **state) {
  (void)state;
  static const ElasticModel plane[] = {MODEL_PLANE_STRESS, MODEL_PLANE_STRAIN};
  Expr warm;
  assert_ok(expr_parse("3 + 2*x - y^2", &warm));
  const ScalarSource field = {.expr = &warm};
  srand(31);
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind)
    for (int k = 0; k < 4; ++k) {
      const ElementType *type = element_type((ElementKind)kind);
      if (type->dim < 2 || (type->dim == 3 && k > 1)) continue;
      Problem p;
      problem_box(&p, exec, (ElementKind)kind, 2, 0.15);
      if (type->dim == 2) p.model = plane[k / 2];
      drawn_material(&p);
      p.params.temperature = k % 2 ? &field : NULL;
      compare(&p, k % 2 ? &warm : NULL, type->name);
      problem_release(&p);
    }
}

/* Blocks of elements of all shapes, in an order of nodes and elements of the solver's own. */
static void mixed(void **state) {
  (void)state;
  srand(33);
  for (int order = 1; order <= 2; ++order) {
    Mesh *mesh = NULL;
    Problem p;
    if (!mixed_mesh(order, &mesh)) continue;
    problem_init(&p, exec, mesh, MODEL_SOLID, YOUNG, POISSON);
    drawn_material(&p);
    compare(&p, NULL, order == 1 ? "hex8" : "hex27");
    problem_release(&p);
  }
}

/* With supports along the axes and skew ones: what is not held has R^T K_g R, in the frames that the vectors are in. */
static void supports_and_frames(void **state) {
  (void)state;
  static const char *const kinds[] = {"hex20", "tet10", "quad8r"};
  srand(32);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    const ElementType *type = element_by_name(kinds[k]);
    const int32_t dim = type->dim;
    Problem p[2];
    double *w[2], *y[2];
    for (int held = 0; held < 2; ++held) {
      problem_box(&p[held], exec, type->kind, 2, 0.1);
      for (int32_t i = 0; i < p[held].mesh->n_node; ++i) p[held].mesh->x[i][0] += 0.3 * p[held].mesh->x[i][1];
      p[held].params.allow_free_motion = p[held].params.no_load = true;
      if (held) problem_symmetry(&p[held], "x0");
      if (held) problem_fix(&p[held], "y0", "0", NULL, dim == 3 ? "0" : NULL);
      assert_ok(problem_create(&p[held]));
      problem_assemble(&p[held]);
      const size_t n = (size_t)elasticity_dofs(p[held].e);
      w[held] = calloc(n, sizeof **w), y[held] = calloc(n, sizeof **y);
    }
    const int64_t n = elasticity_dofs(p[0].e);
    for (int64_t i = 0; i < n; ++i) p[0].u[i] = 0.1 * drawn(), w[0][i] = drawn();
    double *to_exec = NULL, *free_w = calloc((size_t)n, sizeof *free_w), left = 0, right = 0;
    assert_ok(exec_alloc(exec, n, sizeof *to_exec, "test", (void **)&to_exec));
    for (int turn = 0; turn < 2; ++turn) { /* w without what supports hold, in both frames; then u as it is */
      assert_ok(exec_upload(exec, to_exec, turn ? p[0].u : w[0], (size_t)n * sizeof *to_exec));
      assert_ok(elasticity_local_frame(p[1].e, to_exec));
      assert_ok(elasticity_free_only(p[1].e, to_exec));
      assert_ok(exec_download(exec, turn ? p[1].u : w[1], to_exec, (size_t)n * sizeof *to_exec));
    }
    /* the same vectors in the global frame, by what recovery makes of them */
    for (int turn = 0; turn < 2; ++turn) {
      ElasticFields f;
      assert_ok(exec_upload(exec, to_exec, turn ? p[1].u : w[1], (size_t)n * sizeof *to_exec));
      assert_ok(elasticity_recover(p[1].e, to_exec, FIELD_DISPLACEMENT, &f));
      for (int64_t i = 0; i < n; ++i) (turn ? p[0].u : free_w)[i] = f.displacement[i / dim][i % dim];
      elastic_fields_release(&f);
    }
    product(&p[0], free_w, y[0]);
    product(&p[1], w[1], y[1]);
    for (int64_t i = 0; i < n; ++i) left += free_w[i] * y[0][i], right += w[1][i] * y[1][i];
    assert_relative(right, left, 1e-12);
    EXEC_RELEASE(exec, to_exec, n);
    free(free_w);
    for (int held = 0; held < 2; ++held) {
      free(w[held]), free(y[held]);
      problem_release(&p[held]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_element), cmocka_unit_test(mixed),
                                     cmocka_unit_test(supports_and_frames)};
  return testing_run("assembly/geometric", tests, exec);
}
