/* The gather map: equal to naive assembly for any slots, the same bits for any number of threads, symmetric after
 * elimination, and the residual consistent with the tangent. */
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static Exec *exec;
static uint64_t seed;
static uint32_t random_below(uint32_t n) { /* SplitMix64 */
  uint64_t z = (seed += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return (uint32_t)((z ^ (z >> 31)) % n);
}

/* Slots in random order with gaps, in one of the three forms. */
static void random_slots(const Pattern *pattern, int form, SlotMap *out) {
  const int64_t b = pattern->block, n = pattern->start[pattern->n];
  const bool per_scalar = form == 0;
  const int64_t items = per_scalar ? n * b * b : n, size = per_scalar ? 2 : b * (b + 2);
  *out = (SlotMap){.n_value = items * size, .per_scalar = per_scalar, .same_step = form == 1, .column_step = 1};
  assert_ok(mem_alloc(items, 8, "test", (void **)&out->slot));
  for (int64_t i = 0; i < items; ++i) out->slot[i] = i * size;
  for (int64_t i = items - 1; i > 0; --i) {
    const uint32_t j = random_below((uint32_t)i + 1);
    const int64_t s = out->slot[i];
    out->slot[i] = out->slot[j];
    out->slot[j] = s;
  }
  if (per_scalar) return;
  assert_ok(mem_alloc(form == 1 ? 1 : pattern->n, 8, "test", (void **)&out->row_step));
  for (int64_t i = 0; i < (form == 1 ? 1 : pattern->n); ++i) out->row_step[i] = b + 1 + (form == 1 ? 0 : i % 2);
}

/* Element matrix of element e in the test's own words: K = sum_q B^T C B dV with B and C written out. */
static void naive_element(const Problem *p, const SetBlock *b, int32_t e, double *K) {
  const int n = b->type->n_node, dim = b->type->dim, size = n * dim, n_s = dim == 3 ? 6 : 3;
  Quadrature rule;
  assert_ok(element_stiffness_quadrature(b->type, &rule));
  const MaterialValues *m = &p->material[p->element_material[b->first_id + e]];
  const double E = m->value[0], nu = m->value[1], t = dim == 2 ? m->value[2] : 1;
  double C[6][6] = {{0}};
  if (dim == 3 || p->model == MODEL_PLANE_STRAIN) {
    const double f = E / ((1 + nu) * (1 - 2 * nu));
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j) C[i][j] = i == j ? f * (1 - nu) : f * nu;
    for (int i = dim; i < n_s; ++i) C[i][i] = f * (1 - 2 * nu) / 2;
  } else {
    const double f = E / (1 - nu * nu);
    C[0][0] = C[1][1] = f;
    C[0][1] = C[1][0] = f * nu;
    C[2][2] = f * (1 - nu) / 2;
  }
  memset(K, 0, sizeof *K * (size_t)(size * size));
  for (int q = 0; q < rule.n; ++q) {
    double dN[27 * 3], x[27][3], J[3][3], B[6][81] = {{0}}, I[3][3];
    b->type->gradients(rule.xi[q], dN);
    for (int a = 0; a < n; ++a) memcpy(x[a], p->mesh->x[b->nodes[e * n + a]], sizeof x[a]);
    const double det = element_jacobian(b->type, (const double(*)[3])x, rule.xi[q], J, true);
    if (dim == 2) {
      I[0][0] = J[1][1] / det, I[0][1] = -J[0][1] / det, I[1][0] = -J[1][0] / det, I[1][1] = J[0][0] / det;
    } else {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const int a = (j + 1) % 3, c = (j + 2) % 3, d = (i + 1) % 3, g = (i + 2) % 3;
          I[i][j] = (J[a][d] * J[c][g] - J[a][g] * J[c][d]) / det;
        }
    }
    for (int a = 0; a < n; ++a) {
      double g[3] = {0};
      for (int i = 0; i < dim; ++i)
        for (int k = 0; k < dim; ++k) g[i] += dN[a * dim + k] * I[k][i];
      if (dim == 2) {
        B[0][2 * a] = g[0], B[1][2 * a + 1] = g[1], B[2][2 * a] = g[1], B[2][2 * a + 1] = g[0];
      } else {
        for (int i = 0; i < 3; ++i) B[i][3 * a + i] = g[i];
        B[3][3 * a] = g[1], B[3][3 * a + 1] = g[0];
        B[4][3 * a + 1] = g[2], B[4][3 * a + 2] = g[1];
        B[5][3 * a] = g[2], B[5][3 * a + 2] = g[0];
      }
    }
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j)
        for (int r = 0; r < n_s; ++r)
          for (int s = 0; s < n_s; ++s) K[i * size + j] += B[r][i] * C[r][s] * B[s][j] * det * rule.weight[q] * t;
  }
}

/* The whole matrix, dense, supports eliminated (global frames only). */
static double *naive_matrix(const Problem *p) {
  const int64_t n = elasticity_dofs(p->e), dim = p->e->dim;
  double *A = calloc((size_t)(n * n), sizeof *A), *K = calloc(81 * 81, sizeof *K);
  for (int32_t k = 0; k < p->e->space->set.n_solved_block; ++k) {
    const SetBlock *b = &p->e->space->set.block[k];
    const int64_t size = b->type->n_node * dim;
    for (int32_t e = 0; e < b->n; ++e) {
      naive_element(p, b, e, K);
      const int32_t *nodes = b->nodes + (int64_t)e * b->type->n_node;
      for (int64_t i = 0; i < size; ++i)
        for (int64_t j = 0; j < size; ++j)
          A[(nodes[i / dim] * dim + i % dim) * n + nodes[j / dim] * dim + j % dim] += K[i * size + j];
    }
  }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (p->e->supports.fixed[i / dim] >> (i % dim) & 1 || p->e->supports.fixed[j / dim] >> (j % dim) & 1)
        A[i * n + j] = i == j;
  free(K);
  return A;
}

static void any_slots(ElementKind kind, ElasticModel model, int form) {
  Problem p;
  problem_box(&p, exec, kind, 2, 0.2);
  p.model = model;
  problem_material(&p, "body", 70, 0.2); /* the second replaces the first, then every third element goes back */
  const Group *body = problem_group(&p, "body");
  for (int32_t k = 0; k < body->n; k += 3) p.element_material[body->element[k]] = 0;
  p.material[1].value[2] = 0.3;
  problem_fix(&p, "x0", "0", "0", "0");
  problem_fix(&p, "y0", NULL, "0", NULL);
  assert_ok(problem_create(&p));
  const Pattern *pattern = elasticity_pattern(p.e);
  SlotMap slots;
  assert_ok(pattern_fetch(pattern));
  random_slots(pattern, form, &slots);
  const size_t bytes = (size_t)slots.n_value * sizeof(double);
  double *values = malloc(bytes), *on_exec = NULL;
  memset(values, 0x7B, bytes); /* the gaps must stay as they are */
  const double gap = values[0];
  assert_ok(exec_alloc_upload(exec, slots.n_value, sizeof *values, values, "test", (void **)&on_exec));
  assert_ok(elasticity_bind(p.e, &slots));
  assert_ok(elasticity_tangent(p.e, on_exec, on_exec));
  assert_ok(exec_download(exec, values, on_exec, bytes));
  double *A = naive_matrix(&p);
  const int64_t b = pattern->block, n = elasticity_dofs(p.e);
  int64_t seen = 0;
  for (int32_t i = 0; i < pattern->n; ++i)
    for (int64_t k = pattern->start[i]; k < pattern->start[i + 1]; ++k) {
      int64_t place[9];
      slot_places(&slots, pattern, i, k, place);
      for (int64_t s = 0; s < b * b; ++s, ++seen)
        assert_near(values[place[s]] / 1000, A[(i * b + s / b) * n + pattern->column[k] * b + s % b] / 1000, 4e-14);
    }
  int64_t gaps = 0;
  for (int64_t s = 0; s < slots.n_value; ++s) gaps += values[s] == gap;
  assert_int_equal(gaps + seen, slots.n_value);
  free(A), free(values);
  EXEC_RELEASE(exec, on_exec, slots.n_value);
  slot_map_release(&slots);
  problem_release(&p);
}

static void equals_naive(void **state) {
  (void)state;
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    const int dim = element_type((ElementKind)kind)->dim;
    seed = (uint64_t)kind;
    for (int form = 0; form < 3; ++form) {
      if (kind == ELEMENT_HEX27 && form) continue; /* 125 nodes: once is enough */
      if (dim == 2) any_slots((ElementKind)kind, form == 1 ? MODEL_PLANE_STRESS : MODEL_PLANE_STRAIN, form);
      if (dim == 3) any_slots((ElementKind)kind, MODEL_SOLID, form);
    }
  }
}

static void turn(double x[3]) {
  const double y[2] = {0.8 * x[0] - 0.6 * x[1], 0.6 * x[0] + 0.8 * x[1]};
  x[0] = y[0];
  x[1] = y[1];
}

/* Everything at once: skew supports, springs, prescribed values. */
static void skew_problem(Problem *p, ElementKind kind) {
  problem_box(p, exec, kind, 3, 0.2);
  bend_mesh(p->mesh, turn);
  problem_symmetry(p, "x0");
  problem_fix(p, "x1", "0.1*x", "0.2", NULL);
  if (element_type(kind)->dim == 3) problem_fix(p, "z0", NULL, NULL, "0");
  problem_load(p, LOAD_SPRING, "y0", "5", "6", "7");
  problem_load(p, LOAD_PRESSURE, "y1", "1+x", NULL, NULL);
  assert_ok(problem_create(p));
  problem_assemble(p);
}

/* A_ij = A_ji to the last bit; rows of supported components are those of the identity; A = -d r / d u. */
static void symmetric_and_consistent(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD8, ELEMENT_HEX8, ELEMENT_TET4};
  for (size_t t = 0; t < sizeof kinds / sizeof *kinds; ++t) {
    Problem p;
    skew_problem(&p, kinds[t]);
    const int64_t n = elasticity_dofs(p.e), b = p.e->dim;
    assert_true(p.e->supports.n_frame > 0);
    double *r = calloc((size_t)n, sizeof *r), *moved = calloc((size_t)n, sizeof *moved);
    problem_residual(&p, r);
    for (int64_t j = 0; j < n; ++j) {
      const bool fixed = p.e->supports.fixed[j / b] >> (j % b) & 1;
      if (fixed) assert_true(r[j] == 0);
      for (int64_t i = 0; i < n; ++i) {
        assert_near(problem_entry(&p, i, j) / 1000, problem_entry(&p, j, i) / 1000, 1e-15);
        if (fixed) assert_true(problem_entry(&p, i, j) == (i == j));
      }
      if (fixed || j % 7) continue;
      p.u[j] += 1e-3;
      assert_ok(exec_upload(exec, p.exec_u, p.u, (size_t)n * sizeof *p.u));
      problem_residual(&p, moved);
      p.u[j] -= 1e-3;
      for (int64_t i = 0; i < n; ++i) assert_near((r[i] - moved[i]) / 1e-3, problem_entry(&p, i, j), 2e-10);
    }
    free(r), free(moved);
    problem_release(&p);
  }
}

/* A hash of matrix and residual with a number of threads. */
static uint64_t bits(int threads) {
  Problem p;
#ifdef _OPENMP
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
#endif
  Exec *shared = exec;
  if (exec_is_host(shared)) assert_ok(exec_create_cpu(threads, &exec));
  skew_problem(&p, ELEMENT_HEX8);
  const int64_t n = elasticity_dofs(p.e);
  double *r = calloc((size_t)n, sizeof *r);
  problem_residual(&p, r);
  ElasticFields f;
  assert_ok(elasticity_recover(p.e, p.exec_u, FIELD_ALL, &f));
  uint64_t hash = 1469598103934665603u;
  const struct {
    const void *data;
    size_t bytes;
  } parts[] = {{p.values, (size_t)p.slots.n_value * 8},
               {r, (size_t)n * 8},
               {f.stress, (size_t)p.mesh->n_node * 48},
               {&f.energy, 8}};
  for (int k = 0; k < 4; ++k)
    for (size_t i = 0; i < parts[k].bytes; ++i)
      hash = (hash ^ ((const unsigned char *)parts[k].data)[i]) * 1099511628211u;
  elastic_fields_release(&f);
  free(r);
  problem_release(&p);
  if (exec_is_host(shared)) exec_destroy(&exec);
  exec = shared;
#ifdef _OPENMP
  omp_set_num_threads(before);
#endif
  return hash;
}

static void same_bits(void **state) {
  (void)state;
  const uint64_t one = bits(1);
  const int threads[] = {2, 3, 7, 1};
  for (int k = 0; k < 4; ++k) assert_true(bits(threads[k]) == one);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equals_naive), cmocka_unit_test(symmetric_and_consistent),
                                     cmocka_unit_test(same_bits)};
  return testing_run("assembly/gather", tests, exec);
}
