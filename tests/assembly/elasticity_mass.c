/* The mass matrix of elasticity: what it weighs, polynomials, supports and skew frames, memory. */
#include "assembly/elasticity/elasticity_mass.h"
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <string.h>

static Exec *exec;
static const double DENSITY[2] = {2.5, 7};

/* M of a problem that is bound to CSR of scalars. */
typedef struct Built {
  ElasticityMass *mass;
  double *value; /* host, [n_value] */
  int64_t n;
} Built;

static void build(Problem *p, Built *b) {
  double *values = NULL;
  const int64_t n = p->slots.n_value;
  assert_ok(elasticity_mass_create(p->e, DENSITY, &b->mass));
  assert_ok(exec_alloc(exec, n, sizeof *values, "test", (void **)&values));
  assert_ok(elasticity_mass_matrix(b->mass, values));
  assert_ok(mem_alloc(n, sizeof *b->value, "test", (void **)&b->value));
  assert_ok(exec_download(exec, b->value, values, (size_t)n * sizeof *values));
  EXEC_RELEASE(exec, values, n);
  b->n = elasticity_dofs(p->e);
}

static void release(Built *b) {
  elasticity_mass_destroy(&b->mass);
  FREE(b->value);
}

/* y = M u by the slots of the pattern. */
static void times(const Problem *p, const Built *b, const double *u, double *y) {
  const Pattern *pattern = elasticity_pattern(p->e);
  const int32_t B = pattern->block;
  int64_t at = 0; /* rows of scalars one after the other */
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int32_t r = 0; r < B; ++r) {
      y[i * B + r] = 0;
      for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
        for (int32_t c = 0; c < B; ++c) y[i * B + r] += b->value[at++] * u[pattern->column[k] * B + c];
    }
}

static double *numbers(int64_t n) {
  double *u = NULL;
  assert_ok(mem_alloc(n, sizeof *u, "test", (void **)&u));
  return u;
}

/* -M u by the elements. */
static void residual(const Built *b, const double *u, double *r) {
  double *exec_u = NULL, *exec_r = NULL;
  assert_ok(exec_alloc_upload(exec, b->n, sizeof *u, u, "test", (void **)&exec_u));
  assert_ok(exec_alloc(exec, b->n, sizeof *r, "test", (void **)&exec_r));
  assert_ok(elasticity_mass_residual(b->mass, exec_u, exec_r));
  assert_ok(exec_download(exec, r, exec_r, (size_t)b->n * sizeof *r));
  EXEC_RELEASE(exec, exec_u, b->n);
  EXEC_RELEASE(exec, exec_r, b->n);
}

/* u.M u of u = x_direction e_component over the unit box is density / 3, of u = e_component the density. */
static void weighs_what_it_should(void **state) {
  (void)state;
  for (int32_t kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const ElementType *type = element_type((ElementKind)kind);
    if (type->dim < 2) continue;
    Problem p;
    Built b;
    problem_box(&p, exec, (ElementKind)kind, 2, 0);
    p.params.allow_free_motion = true;
    assert_ok(problem_create(&p));
    problem_assemble(&p);
    build(&p, &b);
    double *u = numbers(b.n), *y = numbers(b.n), total = 0;
    for (int c = 0; c < type->dim; ++c)
      for (int power = 0; power < 2; ++power) {
        double sum = 0;
        memset(u, 0, (size_t)b.n * sizeof *u);
        for (int32_t i = 0; i < p.mesh->n_node; ++i) u[i * type->dim + c] = power ? p.mesh->x[i][1 - c % 2] : 1;
        times(&p, &b, u, y);
        for (int64_t i = 0; i < b.n; ++i) sum += u[i] * y[i];
        if (fabs(sum - DENSITY[0] / (power ? 3 : 1)) > 1e-12) fail_msg("%s: %g", type->name, sum);
        residual(&b, u, u);
        for (int64_t i = 0; i < b.n; ++i) assert_near(u[i], -y[i], 1e-14);
      }
    assert_ok(elasticity_mass_total(b.mass, &total));
    assert_near(total, DENSITY[0], 1e-13);
    FREE(u);
    FREE(y);
    release(&b);
    problem_release(&p);
  }
}

/* Elements of the reduced rule have the mass of those of the full one, unless that is reduced too. */
static void reduced_rule(void **state) {
  (void)state;
  static const char *const kinds[][2] = {{"hex20", "hex20r"}, {"quad8", "quad8r"}};
  for (int k = 0; k < 2; ++k) {
    Problem p[2];
    Built b[2];
    double total = 0;
    for (int i = 0; i < 2; ++i) {
      problem_box(&p[i], exec, element_by_name(kinds[k][i])->kind, 2, 0.1);
      p[i].params.allow_free_motion = true;
      assert_ok(problem_create(&p[i]));
      problem_assemble(&p[i]);
      build(&p[i], &b[i]);
    }
    assert_int_equal(p[0].slots.n_value, p[1].slots.n_value);
    assert_memory_equal(b[0].value, b[1].value, (size_t)p[0].slots.n_value * sizeof(double));
    double *values = NULL, far = 0;
    elasticity_mass_reduce(b[1].mass);
    assert_ok(exec_alloc(exec, p[1].slots.n_value, sizeof *values, "test", (void **)&values));
    assert_ok(elasticity_mass_matrix(b[1].mass, values));
    assert_ok(exec_download(exec, b[1].value, values, (size_t)p[1].slots.n_value * sizeof *values));
    EXEC_RELEASE(exec, values, p[1].slots.n_value);
    for (int64_t i = 0; i < p[0].slots.n_value; ++i) far = fmax(far, fabs(b[1].value[i] - b[0].value[i]));
    assert_true(far > 1e-3);
    assert_ok(elasticity_mass_total(b[1].mass, &total));
    assert_relative(total, DENSITY[0], 1e-3); /* the volume of distorted elements is by the reduced rule too */
    for (int i = 0; i < 2; ++i) {
      release(&b[i]);
      problem_release(&p[i]);
    }
  }
}

static double number(int64_t i) { return sin(1.0 + 1.7 * (double)i); }

/* Both ways to M u agree on distorted elements with springs, fixed and skew nodes; supported rows and columns are
 * empty. */
static void supports_and_frames(void **state) {
  (void)state;
  static const char *const kinds[] = {"hex8", "tet10", "quad8"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
    const ElementType *type = element_by_name(kinds[k]);
    Problem p;
    Built b;
    const BoxParams box = {.kind = type->kind, .n = {2, 2, 2}, .size = {1, 1, 1}, .distort = 0.1};
    Mesh *mesh = NULL;
    assert_ok(mesh_box(&box, &mesh));
    for (int32_t i = 0; i < mesh->n_node; ++i) mesh->x[i][0] += 0.3 * mesh->x[i][1]; /* skew sides */
    problem_init(&p, exec, mesh, type->dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRESS, 1000, 0.3);
    p.material[0].value[2] = 0.4;
    problem_symmetry(&p, "x0");
    problem_fix(&p, "y0", "0", "0", type->dim == 3 ? "0" : NULL);
    problem_load(&p, LOAD_SPRING, "x1", "5", "5", type->dim == 3 ? "5" : NULL);
    assert_ok(problem_create(&p));
    problem_assemble(&p);
    build(&p, &b);
    double *u = numbers(b.n), *y = numbers(b.n), *r = numbers(b.n), *ones = numbers(b.n);
    for (int64_t i = 0; i < b.n; ++i) ones[i] = number(i);
    times(&p, &b, ones, u); /* supported unknowns of the result are 0, as the matrix takes them */
    times(&p, &b, u, y);
    residual(&b, u, r);
    int64_t empty = 0;
    for (int64_t i = 0; i < b.n; ++i) {
      assert_near(r[i], -y[i], 1e-14);
      empty += u[i] == 0;
    }
    assert_int_equal(empty, b.n - elasticity_unknowns(p.e));
    double *swapped = numbers(b.n), left = 0, right = 0;
    times(&p, &b, ones, y); /* symmetric: u.M v = v.M u */
    for (int64_t i = 0; i < b.n; ++i) swapped[i] = number(3 * i + 1), left += swapped[i] * y[i];
    times(&p, &b, swapped, y);
    for (int64_t i = 0; i < b.n; ++i) right += ones[i] * y[i];
    assert_near(left, right, 1e-13);
    double total = 0;
    assert_ok(elasticity_mass_total(b.mass, &total));
    assert_near(total, DENSITY[0] * (type->dim == 2 ? 0.4 : 1), 1e-12); /* shear keeps the volume */
    FREE(swapped);
    FREE(u);
    FREE(y);
    FREE(r);
    FREE(ones);
    release(&b);
    problem_release(&p);
  }
}

/* -M u at free unknowns counts what supported ones move: the load of a shaken support. */
static void prescribed_motion_loads(void **state) {
  (void)state;
  Problem p;
  Built b;
  problem_box(&p, exec, element_by_name("hex8")->kind, 2, 0);
  problem_fix(&p, "x0", "1", "0", "0");
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  build(&p, &b);
  double *u = numbers(b.n), *r = numbers(b.n), sum = 0;
  assert_ok(exec_download(exec, u, p.exec_u, (size_t)b.n * sizeof *u));
  residual(&b, u, r);
  for (int64_t i = 0; i < b.n; ++i) sum += r[i];
  /* one layer of elements: int rho N_left N_right dV over the face = rho (1/2) / 6 */
  assert_near(sum, -DENSITY[0] / 12, 1e-13);
  FREE(u);
  FREE(r);
  release(&b);
  problem_release(&p);
}

static Elasticity *failing;
static Status attempt(void *context) {
  ElasticityMass *mass = NULL;
  double total;
  (void)context;
  TRY(elasticity_mass_create(failing, DENSITY, &mass));
  const Status status = elasticity_mass_total(mass, &total);
  elasticity_mass_destroy(&mass);
  return status;
}

static void memory_fails(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, element_by_name("hex8")->kind, 1, 0);
  problem_symmetry(&p, "x0");
  p.params.allow_free_motion = true;
  assert_ok(problem_create(&p));
  failing = p.e;
  assert_true(testing_fail_each(exec, attempt, NULL) > 6);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weighs_what_it_should),   cmocka_unit_test(reduced_rule), cmocka_unit_test(supports_and_frames),
      cmocka_unit_test(prescribed_motion_loads), cmocka_unit_test(memory_fails),
  };
  return testing_run("assembly/elasticity_mass", tests, exec);
}
