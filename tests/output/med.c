/* A result as a MED file, read again: cells of every kind that MED has, groups, and fields at each step. */
#include "output/export.h"
#include "output/writer.h"

#include "sample.h"
#include "tests/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ElementKind kinds[2][11] = {
    {ELEMENT_TRI3, ELEMENT_TRI6, ELEMENT_QUAD4, ELEMENT_QUAD8, ELEMENT_QUAD8R, ELEMENT_QUAD9},
    {ELEMENT_TET4, ELEMENT_TET10, ELEMENT_HEX8, ELEMENT_HEX20, ELEMENT_HEX20R, ELEMENT_HEX27, ELEMENT_WEDGE6,
     ELEMENT_WEDGE15, ELEMENT_PYRAMID5, ELEMENT_PYRAMID13}};

static Status convert(int64_t step) {
  Result *result = NULL;
  assert_ok(result_open(sample_path("results.hdf"), &result));
  const Status status = export_med(result, step, sample_path("out.med"));
  result_close(&result);
  return status;
}

static Mesh *sample_result(int n, const ElementKind *kind, int n_step) {
  Mesh *mesh = sample_mesh(n, kind);
  Writer *writer = NULL;
  sample_groups(mesh);
  const WriterParams params = sample_params(mesh, n_step);
  assert_ok(writer_create(&params, &writer));
  for (int k = 0; k < n_step; ++k) assert_ok(sample_step(writer, mesh, k));
  assert_ok(writer_close(&writer));
  return mesh;
}

/* xx yy zz xy yz xz of cells come back as tensors by rows. */
static void same_fields(const Mesh *mesh, const Mesh *read, int step) {
  static const int place[9] = {0, 3, 5, 3, 1, 4, 5, 4, 2};
  for (int f = 0; f < SAMPLE_FIELDS; ++f) {
    const WriterField *from = &sample_field[f];
    const MeshField *to = mesh_field(read, from->name, !from->on_cells);
    const int n = from->on_cells ? mesh->n_element - 2 : mesh->n_node,
              m = from->n_component == 6 ? 9 : from->n_component;
    assert_non_null(to);
    assert_int_equal(to->n_component, m);
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < m; ++c) assert_true(to->value[i * m + c] == sample_value(f, step, i, m == 9 ? place[c] : c));
  }
}

static void every_kind_and_step(void **state) {
  (void)state;
  enum { STEPS = 3 };
  for (int dim = 2; dim <= 3; ++dim) {
    const int n = dim == 2 ? 6 : 10;
    Mesh *mesh = sample_result(n, kinds[dim - 2], STEPS), *read = NULL;
    for (int step = -1; step < STEPS; ++step) {
      assert_ok(convert(step));
      status_warnings_clear();
      assert_ok(mesh_read_med(sample_path("out.med"), &read));
      assert_int_equal(status_warning_count(), step < 0 ? 3 : 0); /* several steps: the last is read */
      status_warnings_clear();
      assert_int_equal(read->n_element, n);
      assert_memory_equal(read->x, mesh->x, sizeof *mesh->x * (size_t)mesh->n_node);
      for (int32_t e = 0; e < n; ++e) {
        const ElementType *type = element_type(mesh_block_of(mesh, e + 2)->kind);
        const ElementType *other = element_type(mesh_block_of(read, e)->kind);
        assert_true(other->shape == type->shape && other->n_node == type->n_node);
        assert_memory_equal(mesh_nodes_of(read, e), mesh_nodes_of(mesh, e + 2), sizeof(int32_t) * (size_t)type->n_node);
      }
      same_fields(mesh, read, step < 0 ? STEPS - 1 : step);
      const Group *first = mesh_group(read, "first"), *all = mesh_group(read, "all");
      assert_true(first && all && first->n == 1 && *first->element == 0 && all->n == n - 1 && read->n_group == 2);
      mesh_destroy(&read);
    }
    mesh_destroy(&mesh);
    sample_clean();
  }
}

static void cubic_cells_are_refused(void **state) {
  (void)state;
  Mesh *mesh = sample_result(1, (const ElementKind[]){ELEMENT_TET20}, 1);
  assert_fails(convert(-1), ERR_MESH, "MED has no element like tet20\n  .vtu takes it");
  assert_int_equal(access(sample_path("out.med"), F_OK), -1);
  assert_int_equal(access(sample_path("out.med.new"), F_OK), -1);
  mesh_destroy(&mesh);
  sample_clean();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_and_step), cmocka_unit_test(cubic_cells_are_refused)};
  return cmocka_run_group_tests_name("output/med", tests, NULL, NULL);
}
