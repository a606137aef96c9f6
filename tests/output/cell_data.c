/* What cells are, and in which unit numbers stand, as others see it (raw HDF5 calls). */
#include "output/read.h"
#include "output/writer.h"

#include "sample.h"
#include "tests/testing.h"

#include <hdf5.h>
#include <string.h>

static void expect_raw(hid_t file, const char *path, int n, const double *wanted) {
  double got[64];
  hsize_t shape[2];
  const hid_t data = H5Dopen2(file, path, H5P_DEFAULT);
  if (data < 0) fail_msg("no dataset %s", path);
  const hid_t space = H5Dget_space(data);
  assert_true(H5Sget_simple_extent_dims(space, shape, NULL) >= 1 && (int)shape[0] == n);
  assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, got) >= 0);
  for (int i = 0; i < n; ++i)
    if (got[i] != wanted[i]) fail_msg("%s[%d] is %g, not %g", path, i, got[i], wanted[i]);
  H5Sclose(space);
  H5Dclose(data);
}

static void expect_unit(hid_t file, const char *path, const char *wanted) {
  char text[32] = "";
  const hid_t data = H5Dopen2(file, path, H5P_DEFAULT);
  assert_int_equal(H5Aexists(data, "units") > 0, wanted != NULL);
  if (wanted) {
    const hid_t id = H5Aopen(data, "units", H5P_DEFAULT), type = H5Aget_type(id);
    assert_true(H5Aread(id, type, text) >= 0);
    assert_string_equal(text, wanted);
    H5Tclose(type);
    H5Aclose(id);
  }
  H5Dclose(data);
}

/* Of groups that share an element the first of the mesh counts; a material is the place of its entry, from 1. */
static void cells_say_what_they_are(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(3, (const ElementKind[]){ELEMENT_TRI3, ELEMENT_TRI6, ELEMENT_QUAD8});
  sample_groups(mesh);
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, 2);
  const char *const material[] = {"steel", "left, right"};
  const int32_t of_element[] = {-1, -1, 1, 0, -1};
  params.n_material = 2, params.material = material, params.element_material = of_element;
  params.length_unit = "mm", params.time_unit = "s";
  assert_ok(writer_create(&params, &writer));
  assert_ok(sample_step(writer, mesh, 0));
  assert_ok(writer_close(&writer));
  const hid_t file = H5Fopen(sample_path("results.hdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_raw(file, "/VTKHDF/CellData/element-id", 3, (double[]){3, 4, 5});
  expect_raw(file, "/VTKHDF/CellData/group", 3, (double[]){7, 9, 9});
  expect_raw(file, "/VTKHDF/CellData/material", 3, (double[]){2, 1, 0});
  expect_raw(file, "/VTKHDF/Steps/CellDataOffsets/group", 1, (double[]){0});
  expect_raw(file, "/Sinew/groups/number", 2, (double[]){7, 9});
  expect_raw(file, "/Sinew/materials/number", 2, (double[]){1, 2});
  char names[2][11];
  const hid_t data = H5Dopen2(file, "/Sinew/materials/name", H5P_DEFAULT), type = H5Dget_type(data);
  assert_int_equal(H5Tget_size(type), sizeof names[0]);
  assert_true(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) >= 0);
  assert_memory_equal(names, "steel\0\0\0\0\0\0left, right", sizeof names);
  H5Tclose(type);
  H5Dclose(data);
  expect_unit(file, "/VTKHDF/PointData/displacement", "mm");
  expect_unit(file, "/VTKHDF/PointData/von-mises", NULL);
  expect_unit(file, "/VTKHDF/CellData/stress", "MPa");
  expect_unit(file, "/VTKHDF/Points", "mm");
  expect_unit(file, "/VTKHDF/Steps/Values", "s");
  H5Fclose(file);
  mesh_destroy(&mesh);
  sample_clean();
}

/* Read back as `sinew plot` does. */
static void units_are_read(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, (const ElementKind[]){ELEMENT_QUAD4});
  Writer *writer = NULL;
  Result *result = NULL;
  char text[8];
  WriterParams params = sample_params(mesh, 1);
  params.time_unit = "a long unit";
  assert_ok(writer_create(&params, &writer));
  assert_ok(sample_step(writer, mesh, 0));
  assert_ok(writer_close(&writer));
  assert_ok(result_open(sample_path("results.hdf"), &result));
  result_unit(result, result_field(result, "stress", true), text, sizeof text);
  assert_string_equal(text, "MPa");
  result_unit(result, result_field(result, "von-mises", false), text, sizeof text);
  assert_string_equal(text, "");
  result_time_unit(result, text, sizeof text);
  assert_string_equal(text, "a long ");
  result_close(&result);
  mesh_destroy(&mesh);
  sample_clean();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cells_say_what_they_are), cmocka_unit_test(units_are_read)};
  return cmocka_run_group_tests_name("output/cell_data", tests, NULL, NULL);
}
