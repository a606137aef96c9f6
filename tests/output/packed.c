/* Packed chunks are what HDF5's own filters undo, of any length, and the same bytes for any number of threads; results are
 * stored as they were asked for. */
#include "output/packed.h"

#include "output/h5.h"
#include "sample.h"
#include "tests/testing.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double *values_of(int64_t n) {
  double *value = calloc((size_t)n + 1, sizeof *value);
  for (int64_t i = 0; i < n; ++i) value[i] = (double)(i * 7919 % 10007) / 1024 + (i % 3 ? 0 : 1e-9 * (double)i);
  return value;
}

/* Written as a chunk of n_full numbers of a dataset of n and read by HDF5. */
static void comes_back(const double *value, int64_t n, int64_t n_full) {
  char path[] = "/tmp/sinew-packed-XXXXXX";
  close(mkstemp(path));
  const hsize_t dims = (hsize_t)n;
  Packed packed;
  int64_t place = -1;
  assert_ok(packed_build(value, n, n_full, 8, &packed));
  const hid_t file = h5_file_create(path, 1);
  assert_true(h5_reserve_packed(file, "x", H5T_NATIVE_DOUBLE, 1, &dims, (hsize_t)n_full));
  assert_true(h5_write_packed(file, "x", 0, packed.data, packed.n, &place) && place > 0);
  double *read = calloc((size_t)n, sizeof *read);
  assert_true(h5_read_list(file, "x", H5T_NATIVE_DOUBLE, n, read));
  assert_memory_equal(read, value, (size_t)n * sizeof *read);
  H5Fclose(file);
  unlink(path);
  free(read);
  packed_release(&packed);
}

static void hdf5_reads_it(void **state) {
  (void)state;
  const int64_t most = 500000;
  double *value = values_of(most);
  const int64_t length[] = {1,     2,     7,      1000, 65535,
                            65536, 65537, 131072, most}; /* a piece is 65,536 numbers of 8 bytes */
  for (size_t i = 0; i < sizeof length / sizeof *length; ++i) comes_back(value, length[i], length[i]);
  free(value);
}

static void same_for_any_number_of_threads(void **state) {
  (void)state;
  const int64_t n = 700001, n_full = 700100;
  const int threads[] = {1, 2, 3, 5}, before = omp_get_max_threads();
  double *value = values_of(n);
  Packed packed[4];
  for (int k = 0; k < 4; ++k) {
    omp_set_num_threads(threads[k]);
    assert_ok(packed_build(value, n, n_full, 8, &packed[k]));
    assert_int_equal(packed[k].n, packed[0].n);
    assert_memory_equal(packed[k].data, packed[0].data, (size_t)packed[0].n);
  }
  omp_set_num_threads(before);
  assert_true(packed[0].n < n * 8);
  for (int k = 0; k < 4; ++k) packed_release(&packed[k]);
  free(value);
}

static void write_steps(const Mesh *mesh) {
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, 4);
  assert_ok(writer_create(&params, &writer));
  for (int k = 0; k < 3; ++k) assert_ok(sample_step(writer, mesh, k));
  assert_ok(writer_close(&writer));
}

/* A number that is none in single precision is not a result. */
static void too_large_for_floats(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, (const ElementKind[]){ELEMENT_TET4});
  const double *values[SAMPLE_FIELDS];
  for (sample_storage = 1; sample_storage < 4; sample_storage += 2) {
    Writer *writer = NULL;
    WriterParams params = sample_params(mesh, 2);
    assert_ok(writer_create(&params, &writer));
    sample_values(mesh, 0, values);
    *(double *)(uintptr_t)&values[1][2] = 1e39;
    assert_fails(writer_step(writer, 0, values), ERR_NUMERIC, "'von-mises' has numbers beyond 3.4e38");
    sample_release(values);
    assert_ok(writer_close(&writer));
    sample_clean();
  }
  sample_storage = 0;
  mesh_destroy(&mesh);
}

/* What is stored is what was asked for: floats, and chunks with HDF5's own filters. */
static void storage_is_as_asked(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, (const ElementKind[]){ELEMENT_TET4});
  for (sample_storage = 0; sample_storage < 4; ++sample_storage) {
    write_steps(mesh);
    const hid_t file = H5Fopen(sample_path("results.hdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, "/VTKHDF/CellData/stress", H5P_DEFAULT), type = H5Dget_type(data);
    const hid_t list = H5Dget_create_plist(data);
    assert_int_equal(H5Tget_size(type), sample_storage & 1 ? 4 : 8);
    assert_int_equal(H5Pget_nfilters(list), sample_storage & 2 ? 2 : 0);
    assert_int_equal(H5Pget_layout(list), sample_storage & 2 ? H5D_CHUNKED : H5D_CONTIGUOUS);
    H5Pclose(list);
    H5Tclose(type);
    H5Dclose(data);
    H5Fclose(file);
    char *sidecar = sample_text("results.xdmf");
    assert_non_null(strstr(sidecar, sample_storage & 1 ? "NumberType=\"Float\" Precision=\"4\"" : "Precision=\"8\""));
    assert_int_equal(strstr(sidecar, "Format=\"Binary\"") != NULL && !strstr(sidecar, "stress|"),
                     !(sample_storage & 2));
    free(sidecar);
    sample_clean();
  }
  sample_storage = 0;
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(hdf5_reads_it), cmocka_unit_test(same_for_any_number_of_threads),
                                     cmocka_unit_test(storage_is_as_asked), cmocka_unit_test(too_large_for_floats)};
  return cmocka_run_group_tests_name("output/packed", tests, NULL, NULL);
}
