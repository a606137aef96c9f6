/* Samples of meshes, and the counts by which they are scaled: the same for any number of threads. */
#include "app/setup/mesh_sample.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static const int THREADS[] = {1, 2, 3, 5};
enum { N_THREADS = 4 };

static void set_threads(int n) {
  (void)n;
#ifdef _OPENMP
  omp_set_num_threads(n);
#endif
}

static Mesh *box_of(ElementKind kind, int32_t nx, int32_t ny, int32_t nz) {
  Mesh *mesh = NULL;
  assert_ok(mesh_box(&(BoxParams){.kind = kind, .n = {nx, ny, nz}, .size = {1, 1, 1}}, &mesh));
  return mesh;
}

/* Its elements are those of the whole, with their nodes where they were, and one group. */
static void hold_sample(const Mesh *whole, const MeshSample *s) {
  const Mesh *m = s->mesh;
  assert_int_equal(m->dim, whole->dim);
  assert_int_equal(m->n_group, 1);
  assert_int_equal(m->group[0].n, 1);
  for (int32_t i = 0; i < m->n_node; ++i) {
    assert_true(i == 0 || s->node[i] > s->node[i - 1]);
    assert_memory_equal(m->x[i], whole->x[s->node[i]], sizeof *m->x);
  }
  for (int32_t e = 0; e < m->n_element; ++e) {
    const int32_t *part = mesh_nodes_of(m, e), *all = mesh_nodes_of(whole, s->element[e]);
    const int32_t n = element_type(mesh_block_of(m, e)->kind)->n_node;
    assert_int_equal(mesh_block_of(m, e)->kind, mesh_block_of(whole, s->element[e])->kind);
    assert_true(e == 0 || s->element[e] > s->element[e - 1]);
    for (int32_t a = 0; a < n; ++a) assert_int_equal(s->node[part[a]], all[a]);
  }
}

/* A cube of about the nodes asked for. */
static void samples(void **state) {
  (void)state;
  Mesh *whole = box_of(ELEMENT_HEX8, 30, 30, 30);
  MeshSample first = {0};
  for (int t = 0; t < N_THREADS; ++t) {
    MeshSample s;
    set_threads(THREADS[t]);
    assert_ok(mesh_sample_create(whole, 3000, &s));
    hold_sample(whole, &s);
    assert_in_range(s.mesh->n_node, 2700, 3900);
    if (t == 0) first = s;
    if (t == 0) continue;
    assert_int_equal(s.mesh->n_element, first.mesh->n_element);
    assert_memory_equal(s.element, first.element, (size_t)s.mesh->n_element * sizeof *s.element);
    mesh_sample_release(&s);
  }
  mesh_sample_release(&first);
  MeshSample s;
  assert_ok(mesh_sample_create(whole, 10 * whole->n_node, &s)); /* all of it */
  hold_sample(whole, &s);
  assert_int_equal(s.mesh->n_node, whole->n_node);
  mesh_sample_release(&s);
  assert_true(testing_fail_each_of(mesh_sample_create(whole, 100, &s), mesh_sample_release(&s)) > 3);
  mesh_destroy(&whole);
}

/* Exact where all rows are looked at, near where some are. */
static void entries(void **state) {
  (void)state;
  Mesh *few = box_of(ELEMENT_HEX8, 9, 8, 7), *many = box_of(ELEMENT_HEX8, 40, 41, 42);
  MeshCounts exact, first;
  assert_ok(mesh_count(few, &exact));
  assert_true(exact.entries == 28.0 * 25 * 22);
  assert_true(exact.elements == 9 * 8 * 7 && exact.nodes == 10 * 9 * 8);
  for (int t = 0; t < N_THREADS; ++t) {
    MeshCounts counts;
    set_threads(THREADS[t]);
    assert_ok(mesh_count(many, &counts));
    if (t == 0) first = counts;
    assert_memory_equal(&counts, &first, sizeof counts);
  }
  assert_within(first.entries / (121.0 * 124 * 127), 1, 0.01);
  mesh_destroy(&few);
  mesh_destroy(&many);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(samples), cmocka_unit_test(entries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
