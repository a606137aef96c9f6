/* Files of others that name further files of the machine, or filters that HDF5 would load: refused in meshes, results and
 * checkpoints, sealed by whoever made them or not. The further file is a FIFO: who opens it never comes back. */
#include "output/checkpoint.h"
#include "output/read.h"

#include "core/memory.h"
#include "mesh/io/h5.h"
#include "sample.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILTER_OF_OTHERS = 32017, ROWS = 40 };
typedef enum Trick { EXTERNAL_LINK, EXTERNAL_STORAGE, VIRTUAL, FILTER, TRICKS } Trick;
static const char *const said[TRICKS] = {"is a link into another file", "has its numbers in another file",
                                         "is made of the data of other files", "needs a filter that is not part of"};

static hid_t creation_of(Trick trick, hid_t space) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[1] = {8};
  if (trick == EXTERNAL_STORAGE) H5Pset_external(list, sample_path("secret"), 3, ROWS * sizeof(double));
  if (trick == VIRTUAL) H5Pset_virtual(list, space, sample_path("secret"), "/x", space);
  if (trick == FILTER) {
    H5Pset_chunk(list, 1, chunk);
    H5Pset_deflate(list, 3);
    H5Pset_filter(list, FILTER_OF_OTHERS, H5Z_FLAG_OPTIONAL, 0, NULL);
  }
  return list;
}

static void add_trick(hid_t at, const char *name, Trick trick) {
  const hsize_t rows[1] = { ROWS };
  if (trick == EXTERNAL_LINK) {
    assert_true(H5Lcreate_external(sample_path("secret"), "/", at, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    return;
  }
  const hid_t space = H5Screate_simple(1, rows, NULL), list = creation_of(trick, space),
              set = H5Dcreate2(at, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  assert_true(set >= 0);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

/* What is fine: links within the file, filters that HDF5 brings. */
static void add_harmless(hid_t file) {
  const hsize_t rows[2] = { ROWS, 3 }, chunk[2] = {16, 3};
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, rows, NULL);
  H5Pset_chunk(list, 2, chunk);
  H5Pset_shuffle(list);
  H5Pset_deflate(list, 5);
  H5Pset_fletcher32(list);
  H5Gclose(H5Gcreate2(file, "deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "deep/deeper", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Dclose(H5Dcreate2(file, "deep/packed", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Lcreate_soft("/deep/packed", file, "deep/soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/nowhere", file, "deep/dangling", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "deep", file, "deep/deeper/round", H5P_DEFAULT, H5P_DEFAULT);
  H5Sclose(space);
  H5Pclose(list);
}

static void begin(void) {
  sample_clean();
  mkfifo(sample_path("secret"), 0600);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void everywhere_in_a_file(void **state) {
  static const char *const place[] = {"a", "deep/a", "deep/deeper/a"};
  (void)state;
  for (int k = 0; k < 1 + 3 * TRICKS; ++k) {
    begin();
    const hid_t file = H5Fcreate(sample_path("any.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    add_harmless(file);
    if (k == 0) assert_ok(h5_check_inside(file, "any.h5", ERR_MESH));
    if (k > 0) {
      add_trick(file, place[(k - 1) % 3], (Trick)((k - 1) / 3));
      assert_fails(h5_check_inside(file, "any.h5", ERR_MESH), ERR_MESH, said[(k - 1) / 3]);
      assert_non_null(strstr(status_message(), place[(k - 1) % 3]));
    }
    H5Fclose(file);
  }
  sample_clean();
}

static hid_t open_to_edit(const char *path) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(file >= 0);
  return file;
}

/* With a checksum that is right, as anybody can compute. */
static void seal(const char *path) {
  struct stat info;
  assert_int_equal(stat(path, &info), 0);
  unsigned char *bytes = malloc((size_t)info.st_size + H5_TRAILER);
  FILE *file = fopen(path, "r+b");
  assert_non_null(file);
  assert_int_equal(fread(bytes, 1, (size_t)info.st_size, file), info.st_size);
  h5_seal(bytes, info.st_size);
  rewind(file);
  fwrite(bytes, 1, (size_t)info.st_size + H5_TRAILER, file);
  assert_int_equal(fclose(file), 0);
  free(bytes);
}

static void meshes(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_TRI6, ELEMENT_QUAD4};
  for (int k = 0; k < 2 * TRICKS; ++k) {
    begin();
    char path[512];
    snprintf(path, sizeof path, "%s", sample_path("mesh.h5"));
    Mesh *mesh = sample_mesh(2, kinds), *again = NULL;
    assert_ok(mesh_write_h5(mesh, path));
    const hid_t file = open_to_edit(path);
    H5Ldelete(file, "mesh/node_tags", H5P_DEFAULT);
    add_trick(file, "mesh/node_tags", (Trick)(k / 2));
    H5Fclose(file);
    if (k % 2) seal(path);
    const size_t before = mem_in_use();
    assert_fails(mesh_read_h5(path, &again), ERR_MESH, said[k / 2]);
    assert_null(again);
    assert_int_equal(mem_in_use(), before);
    mesh_destroy(&mesh);
  }
  sample_clean();
}

static void results(void **state) {
  (void)state;
  const ElementKind kinds[] = {ELEMENT_HEX8, ELEMENT_TET10};
  for (int k = 0; k < TRICKS; ++k) {
    begin();
    Mesh *mesh = sample_mesh(2, kinds);
    Writer *writer = NULL;
    Result *result = NULL;
    const WriterParams params = sample_params(mesh, 2);
    assert_ok(writer_create(&params, &writer));
    for (int step = 0; step < 2; ++step) assert_ok(sample_step(writer, mesh, step));
    assert_ok(writer_close(&writer));
    assert_ok(result_open(sample_path("results.hdf"), &result));
    result_close(&result);
    const hid_t file = open_to_edit(sample_path("results.hdf"));
    add_trick(file, "VTKHDF/PointData/leak", (Trick)k);
    H5Fclose(file);
    assert_fails(result_open(sample_path("results.hdf"), &result), ERR_IO, said[k]);
    assert_null(result);
    mesh_destroy(&mesh);
  }
  sample_clean();
}

static void checkpoints(void **state) {
  (void)state;
  unsigned char bytes[77] = {1, 2, 3};
  for (int k = 0; k < TRICKS; ++k) {
    begin();
    const Checkpoint given = {.case_hash = 5, .mesh_hash = 6, .time = 2, .state = bytes, .n_byte = sizeof bytes};
    Checkpoint c;
    bool found = false;
    assert_ok(checkpoint_save(sample_folder(), &given));
    assert_ok(checkpoint_load(sample_folder(), 5, 6, &c, &found));
    checkpoint_release(&c);
    const hid_t file = open_to_edit(sample_path("checkpoint-1.hdf"));
    add_trick(file, "Checkpoint/more", (Trick)k);
    H5Fclose(file);
    seal(sample_path("checkpoint-1.hdf"));
    assert_fails(checkpoint_load(sample_folder(), 5, 6, &c, &found), ERR_RESTART, said[k]);
  }
  sample_clean();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everywhere_in_a_file),
      cmocka_unit_test(meshes),
      cmocka_unit_test(results),
      cmocka_unit_test(checkpoints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
