/* A space of any number of components against naive assembly. */
#include "assembly/space/rows.h"
#include "assembly/space/space.h"
#include "core/memory.h"
#include "tests/assembly/problem.h"

#include <string.h>

static Exec *exec;

/* Some number that only depends on its arguments. */
static double number_of(int64_t a, int64_t b, int64_t c, int64_t d) {
  return (double)((a * 131 + b * 37 + c * 17 + d * 7) % 101) - 50;
}

static Mesh *box(ElementKind kind) {
  Mesh *mesh = NULL;
  const int dim = element_type(kind)->dim;
  const BoxParams params = {.kind = kind, .n = {2, 3, dim == 3 ? 2 : 0}, .size = {1, 1, 1}};
  assert_ok(mesh_box(&params, &mesh));
  return mesh;
}

/* The solver's numbers in reverse, or NULL. */
static int32_t *ranks(const Mesh *mesh, bool reversed) {
  int32_t *rank = NULL;
  if (!reversed) return NULL;
  assert_ok(mem_alloc(mesh->n_node, sizeof *rank, "test", (void **)&rank));
  for (int32_t i = 0; i < mesh->n_node; ++i) rank[i] = mesh->n_node - 1 - i;
  return rank;
}

static Space *space_of(const Mesh *mesh, int32_t n_component, const int32_t *rank) {
  Space *s = NULL;
  assert_ok(space_create(exec, mesh, mesh->dim, n_component, &s));
  assert_ok(space_finish(s, NULL, 0, rank, NULL));
  return s;
}

/* Block k of row i at slots of a row-wise matrix, or one slot per scalar in reverse. */
static void slots_of(const Pattern *p, bool per_scalar, SlotMap *out) {
  assert_ok(pattern_fetch(p));
  const int64_t square = (int64_t)p->block * p->block, n = p->start[p->n];
  *out = (SlotMap){.n_value = n * square, .per_scalar = per_scalar, .column_step = 1};
  assert_ok(mem_alloc(per_scalar ? n * square : n, 8, "test", (void **)&out->slot));
  for (int64_t k = 0; k < (per_scalar ? n * square : n); ++k) out->slot[k] = n * square - 1 - k;
  if (per_scalar) return;
  assert_ok(mem_alloc(p->n, 8, "test", (void **)&out->row_step));
  for (int32_t i = 0; i < p->n; ++i) {
    const int64_t columns = p->start[i + 1] - p->start[i];
    out->row_step[i] = columns * p->block;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
      out->slot[k] = p->start[i] * square + (k - p->start[i]) * p->block;
  }
}

/* The scalar (r, c) of pattern block k in row i of values. */
static double value_at(const Pattern *p, const SlotMap *slots, const double *values, int32_t i, int64_t k, int r,
                       int c) {
  int64_t place[SPACE_COMPONENTS * SPACE_COMPONENTS];
  slot_places(slots, p, i, k, place);
  return values[place[r * p->block + c]];
}

/* Dense [rows][columns] from a pattern; entries outside it stay 0. */
static double *dense(const Pattern *p, const SlotMap *slots, const double *values) {
  const int64_t h = p->block, w = p->block, columns = pattern_columns(p) * w;
  double *A = calloc((size_t)(p->n * h * columns), sizeof *A);
  for (int32_t i = 0; i < p->n; ++i)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k)
      for (int r = 0; r < h; ++r)
        for (int c = 0; c < w; ++c)
          A[(i * h + r) * columns + p->column[k] * w + c] += value_at(p, slots, values, i, k, r, c);
  return A;
}

/* Square blocks of 1 to 6 scalars: matrix, vector and elimination. */
static void any_components(void **state) {
  (void)state;
  Mesh *first = box(ELEMENT_QUAD4); /* from then on the Exec has its room for sums */
  Space *warm = space_of(first, 1, NULL);
  space_destroy(&warm);
  mesh_destroy(&first);
  const size_t before = mem_in_use();
  for (int32_t m = 1; m <= SPACE_COMPONENTS; ++m)
    for (int form = 0; form < 4; ++form) {
      Mesh *mesh = box(form & 2 ? ELEMENT_TET10 : ELEMENT_QUAD4);
      int32_t *rank = ranks(mesh, form & 1);
      Space *s = space_of(mesh, m, rank);
      SlotMap slots;
      slots_of(s->pattern, form & 1, &slots);
      const int64_t n = s->n_dof, n_K = s->set.n_pair * m * m, n_f = s->set.n_force * m;
      double *K = calloc((size_t)n_K, 8), *f = calloc((size_t)n_f, 8), *A = calloc((size_t)(n * n), 8),
             *b = calloc((size_t)n, 8);
      uint8_t *fixed = calloc((size_t)s->n_node, 1), *arranged = calloc((size_t)s->n_node, 1);
      for (int32_t i = 0; i < s->n_node; i += 3) fixed[i] = (uint8_t)(1 + i % ((1 << m) - 1));
      numbering_to_solver(&s->numbering, 1, fixed, arranged);
      for (int32_t k = 0; k < s->solver_set->n_block; ++k) {
        const SetBlock *e = &s->solver_set->block[k];
        const int32_t n_node = e->type->n_node;
        for (int32_t id = 0; id < e->n; ++id)
          for (int32_t a = 0; a < n_node; ++a) {
            const int64_t at = e->force_first + a * e->force_a + id * e->force_e, i = e->nodes[id * n_node + a];
            for (int c = 0; c < m; ++c) {
              f[at * s->entry_step + c * s->component_step] = number_of(id, a, c, 5);
              b[i * m + c] -= number_of(id, a, c, 5);
            }
            for (int32_t d = a; d < n_node; ++d)
              for (int rc = 0; rc < m * m; ++rc) {
                const int64_t pair = e->pair_first + pair_number(n_node, a, d) * e->pair_p + id * e->pair_e;
                const int64_t j = e->nodes[id * n_node + d];
                /* a node's own block must be symmetric */
                const double v = a == d ? number_of(id, a, rc / m + rc % m, 1) : number_of(id, a, d, rc);
                K[pair * s->block_step + rc * s->scalar_step] = v;
                A[(i * m + rc / m) * n + j * m + rc % m] += v;
                if (a != d) A[(j * m + rc % m) * n + i * m + rc / m] += v;
              }
          }
      }
      double *values = NULL, *r = NULL, *out = calloc((size_t)slots.n_value, 8), *vector = calloc((size_t)n, 8);
      assert_ok(space_bind(s, &slots, &(PrescribedNodes){fixed, NULL}, false));
      assert_ok(exec_alloc(exec, slots.n_value, 8, "test", (void **)&values));
      assert_ok(exec_alloc(exec, n, 8, "test", (void **)&r));
      assert_ok(exec_upload(exec, s->K, K, (size_t)n_K * 8));
      assert_ok(exec_upload(exec, s->f, f, (size_t)n_f * 8));
      assert_ok(space_gather_matrix(s, values));
      assert_ok(space_eliminate(s, NULL, 2, values));
      assert_ok(space_gather_forces(s, NULL, NULL, r));
      assert_ok(exec_download(exec, out, values, (size_t)slots.n_value * 8));
      assert_ok(exec_download(exec, vector, r, (size_t)n * 8));
      double *found = dense(s->pattern, &slots, out);
      for (int64_t i = 0; i < n; ++i) {
        assert_true(vector[i] == b[i]);
        for (int64_t j = 0; j < n; ++j) {
          const bool gone = arranged[i / m] >> i % m & 1 || arranged[j / m] >> j % m & 1;
          assert_true(found[i * n + j] == (gone ? (i == j ? 2 : 0) : A[i * n + j]));
        }
      }
      EXEC_RELEASE(exec, values, slots.n_value);
      EXEC_RELEASE(exec, r, n);
      free(K), free(f), free(A), free(b), free(fixed), free(arranged), free(out), free(vector), free(found);
      slot_map_release(&slots);
      space_destroy(&s);
      mem_free((void **)(void *)&rank);
      mesh_destroy(&mesh);
      assert_int_equal(mem_in_use(), before);
    }
}

/* No space has seven components. */
static void refused(void **state) {
  (void)state;
  Mesh *mesh = box(ELEMENT_QUAD4);
  Space *s = NULL;
  assert_fails(space_create(exec, mesh, 2, 7, &s), ERR_BUG, "7 components");
  assert_null(s);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_components), cmocka_unit_test(refused)};
  return testing_run("assembly/space", tests, exec);
}
