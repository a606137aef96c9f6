/* The element bound against the largest eigenvalue of the assembled, scaled matrix, found by bisection with dense
 * Cholesky factors: never below it, and on a single element hardly above it. */
#include "assembly/space/element_bound.h"
#include "core/memory.h"
#include "tests/assembly/scalar.h"

#include <math.h>
#include <string.h>

/* Whether x - A has a Cholesky factor; work [n][n]. */
static bool is_above(int n, const double *A, double x, double *work) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double t = (i == j ? x : 0) - A[i * n + j];
      for (int k = 0; k < j; ++k) t -= work[i * n + k] * work[j * n + k];
      if (i == j && !(t > 0)) return false;
      work[i * n + j] = i == j ? sqrt(t) : t / work[j * n + j];
    }
  return true;
}

static double largest_eigenvalue(int n, const double *A) {
  double low = 0, high = n, *work = calloc((size_t)n * (size_t)n, sizeof *work);
  while (high - low > 1e-10 * high) {
    const double x = 0.5 * (low + high);
    *(is_above(n, A, x, work) ? &high : &low) = x;
  }
  free(work);
  return high;
}

/* The dense matrix of CSR values, scaled by its diagonal (step 1) or by the Cholesky factors of its blocks of
 * `step`. */
static double *scaled(const Pattern *pattern, const SlotMap *slots, const double *values, int step) {
  const int B = pattern->block, n = pattern->n * B;
  double *A = calloc((size_t)n * (size_t)n, sizeof *A), *L = calloc((size_t)n * (size_t)n, sizeof *L);
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k)
      for (int r = 0; r < B; ++r)
        for (int c = 0; c < B; ++c)
          A[(i * B + r) * n + pattern->column[k] * B + c] =
              values[slots->per_scalar
                         ? slots->slot[(k * B + r) * B + c]
                         : slots->slot[k] + r * slots->row_step[slots->same_step ? 0 : i] + c * slots->column_step];
  for (int at = 0; at < n; at += step) /* L: block-diagonal factor */
    for (int r = at; r < at + step; ++r)
      for (int c = at; c <= r; ++c) {
        double t = A[r * n + c];
        for (int k = at; k < c; ++k) t -= L[r * n + k] * L[c * n + k];
        L[r * n + c] = r == c ? sqrt(t) : t / L[c * n + c];
      }
  for (int pass = 0; pass < 2; ++pass) /* A <- (L^-1 A)^T, twice */
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < n; ++r) {
        double t = A[r * n + c];
        for (int k = r - r % step; k < r; ++k) t -= L[r * n + k] * A[k * n + c];
        A[r * n + c] = t / L[r * n + r];
        if (r == n - 1 && c == n - 1)
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < i; ++j) {
              const double swap = A[i * n + j];
              A[i * n + j] = A[j * n + i];
              A[j * n + i] = swap;
            }
      }
  free(L);
  return A;
}

static void compare(const char *what, const Pattern *pattern, const SlotMap *slots, const double *values, int step,
                    double bound, double most) {
  double *A = scaled(pattern, slots, values, step);
  const double largest = largest_eigenvalue(pattern->n * pattern->block, A);
  free(A);
  if (!(bound >= largest * (1 - 1e-9) && bound <= most * largest))
    fail_msg("%s, scaled by %d: bound %.10g, largest eigenvalue %.10g", what, step, bound, largest);
}

/* Both scalings of an elasticity problem; most: how far above the bound may lie. */
static void check(const char *what, Problem *p, double most) {
  double bound[2];
  assert_ok(problem_create(p));
  assert_fails(elasticity_spectrum_bound(p->e, false, bound), ERR_BUG, "before elasticity_tangent");
  problem_assemble(p);
  const int dim = elasticity_pattern(p->e)->block;
  for (int blocks = 0; blocks < 2; ++blocks) {
    assert_ok(elasticity_spectrum_bound(p->e, blocks, &bound[blocks]));
    compare(what, elasticity_pattern(p->e), &p->slots, p->values, blocks ? dim : 1, bound[blocks], most);
  }
  print_message("%-28s point %.4f, blocks %.4f\n", what, bound[0], bound[1]);
  problem_release(p);
}

static Exec *exec;

static void single_elements(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const ElementType *type = element_type((ElementKind)kind);
    if (type->dim < 2) continue;
    /* a box of one element, or of the few simplices that it is made of */
    Mesh *mesh = NULL;
    assert_ok(mesh_box(&(BoxParams){.kind = (ElementKind)kind, .n = {1, 1, 1}, .size = {1, 1.3, 0.8}}, &mesh));
    Problem p;
    problem_init(&p, exec, mesh, type->dim == 3 ? MODEL_SOLID : MODEL_PLANE_STRESS, 1, 0.3);
    p.params.allow_free_motion = true;
    int32_t n_solved = 0;
    for (int32_t e = 0; e < mesh->n_element; ++e) n_solved += p.element_material[e] == 0;
    check(type->name, &p, n_solved == 1 ? 1.03 : 2.5);
  }
}

static void meshes(void **state) {
  (void)state;
  static const char *const NAMES[] = {"tri3", "quad4", "tri6", "quad8", "tet4", "hex8", "tet10"};
  for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; ++k) {
    const ElementType *type = element_by_name(NAMES[k]);
    Problem p;
    problem_box(&p, exec, type->kind, type->dim == 2 ? 3 : 2, 0.2);
    problem_fix(&p, "x0", "0", "0", type->dim == 3 ? "0" : NULL);
    check(NAMES[k], &p, 2.5);
  }
}

/* What makes matrices hard: 100:1, slivers, a ratio near 0.5, contrast. */
static void flatten(double x[3]) { x[2] *= 0.01; }
static void crush(double x[3]) {
  if (x[0] > 0.3 && x[0] < 0.7) x[0] = 0.5 + 1e-3 * (x[0] - 0.5) + 0.499 * (x[1] - 0.5);
}
static void hard(void **state) {
  (void)state;
  static const double RATIO[] = {0.3, 0.3, 0.499, 0.3};
  static const char *const WHAT[] = {"stretched 100:1", "slivers", "ratio 0.499", "contrast 1e6"};
  for (int k = 0; k < 4; ++k)
    for (int tet = 0; tet < 2; ++tet) {
      Problem p;
      problem_box(&p, exec, element_by_name(tet ? "tet4" : "hex8")->kind, tet ? 2 : 3, k == 1 ? 0.3 : 0.15);
      p.material[0].value[1] = RATIO[k];
      if (k == 0) bend_mesh(p.mesh, flatten);
      if (k == 1 && tet) bend_mesh(p.mesh, crush);
      if (k == 3) {
        p.material[p.n_material++] = (MaterialValues){.kind = 0, .value = {1e9, 0.2, 1, 0}};
        for (int32_t e = 0; e < p.mesh->n_element; e += 3)
          if (p.element_material[e] == 0) p.element_material[e] = 1;
      }
      problem_fix(&p, "x0", "0", "0", "0");
      check(WHAT[k], &p, 4);
    }
}

/* Skew symmetry planes turn the unknowns of their nodes; springs add matrices of their own, stiff ones too. */
static void turn(double x[3]) {
  const double y = x[1];
  x[1] = 0.8 * x[1] - 0.6 * x[2];
  x[2] = 0.6 * y + 0.8 * x[2];
}
static void skew_and_springs(void **state) {
  (void)state;
  for (int springs = 0; springs < 3; ++springs) {
    Problem p;
    problem_box(&p, exec, element_by_name("hex8")->kind, 2, 0);
    bend_mesh(p.mesh, turn);
    problem_fix(&p, "x0", "0", "0", "0");
    problem_symmetry(&p, "y0");
    if (springs) problem_load(&p, LOAD_SPRING, "x1", springs == 1 ? "1e2" : "1e8", "0", "3");
    int32_t *rank = NULL;
    assert_ok(mem_alloc(p.mesh->n_node, sizeof *rank, "test", (void **)&rank));
    for (int32_t i = 0; i < p.mesh->n_node; ++i) rank[i] = p.mesh->n_node - 1 - i;
    if (springs == 1) p.params.node_rank = rank;
    check(springs ? "skew with springs" : "skew", &p, 3);
    FREE(rank);
  }
}

static void scalars(void **state) {
  (void)state;
  static const double FACTOR[][2] = {{1, 0}, {0, 1}, {0.02, 1}, {1, 0.3}};
  static const char *const NAMES[] = {"tri3", "quad4", "tet4", "hex8", "quad9"};
  for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; ++k) {
    Scalar s;
    double any, bound;
    scalar_begin(&s, testing_exec(), scalar_box(element_by_name(NAMES[k])->kind, 3, 0.2));
    scalar_load(&s, LOAD_CONVECTION, "x1", "5", "1");
    scalar_prescribe(&s, "x0", "1");
    scalar_create(&s);
    assert_ok(diffusion_spectrum_bound(s.d, 0, 0, &any));
    for (size_t j = 0; j < sizeof FACTOR / sizeof *FACTOR; ++j) {
      assert_ok(diffusion_spectrum_bound(s.d, FACTOR[j][0], FACTOR[j][1], &bound));
      scalar_matrix(&s, FACTOR[j][0], FACTOR[j][1]);
      compare(NAMES[k], diffusion_pattern(s.d), &s.slots, s.A, 1, bound, 3);
      assert_true(bound <= any * 1.03);
    }
    scalar_finish(&s);
  }
}

/* More elements than a batch holds, the worst of them in the last batch and then in the first; any number of
 * threads. */
static void batches(void **state) {
  (void)state;
  double bound[3];
  for (int k = 0; k < 3; ++k) {
    Mesh *mesh = NULL;
    assert_ok(mesh_box(&(BoxParams){element_by_name("hex8")->kind, {17, 17, 17}, {1, 1, 1}, 0}, &mesh));
    for (int32_t i = 0; i < mesh->n_node && k < 2; ++i)
      if (k ? mesh->x[i][0] < 1e-9 : mesh->x[i][0] > 1 - 1e-9) mesh->x[i][0] += k ? 0.05 : -0.05;
    Problem p;
    problem_init(&p, exec, mesh, MODEL_SOLID, 1, 0.3);
    p.params.allow_free_motion = true;
    assert_ok(problem_create(&p));
    problem_assemble(&p);
    assert_ok(elasticity_spectrum_bound(p.e, true, &bound[k]));
    problem_release(&p);
  }
  assert_relative(bound[0], bound[1], 1e-9);
  assert_true(bound[0] > 1.01 * bound[2]);
}

static Status attempt(void *context) {
  double bound;
  return elasticity_spectrum_bound(context, false, &bound);
}
static void memory(void **state) {
  (void)state;
  Problem p;
  problem_box(&p, exec, element_by_name("tet4")->kind, 2, 0);
  bend_mesh(p.mesh, turn);
  problem_fix(&p, "x0", "0", "0", "0");
  problem_symmetry(&p, "y0");
  assert_ok(problem_create(&p));
  problem_assemble(&p);
  assert_true(testing_fail_each(exec, attempt, p.e) > 4);
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(single_elements),
                                     cmocka_unit_test(meshes),
                                     cmocka_unit_test(hard),
                                     cmocka_unit_test(skew_and_springs),
                                     cmocka_unit_test(scalars),
                                     cmocka_unit_test(batches),
                                     cmocka_unit_test(memory)};
  return testing_run("element_bound", tests, exec);
}
