/* Sinew's own mesh file: there and back to the bit, damage of every kind, files of the right layout with one thing
 * wrong, a full disk. */
#include "core/memory.h"
#include "mesh/io/h5.h"
#include "tests/mesh/msh_writer.h"
#include "tests/testing.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void assert_same(const Mesh *a, const Mesh *b) {
  assert_int_equal(mesh_hash(a), mesh_hash(b));
  assert_int_equal(a->dim, b->dim);
  assert_int_equal(a->n_element, b->n_element);
  assert_memory_equal(a->node_tag, b->node_tag, (size_t)a->n_node * sizeof *a->node_tag);
  for (int32_t k = 0; k < a->n_block; ++k) {
    assert_int_equal(a->block[k].first, b->block[k].first);
    assert_memory_equal(a->block[k].tag, b->block[k].tag, (size_t)a->block[k].n * sizeof *a->block[k].tag);
  }
}

static void there_and_back(void **state) {
  (void)state;
  const char *path = temporary_path("mesh.h5"), *second = temporary_path("second.h5");
  Mesh *m = mesh_of(square_text), *again;
  assert_ok(mesh_write_h5(m, path));
  assert_ok(mesh_read_h5(path, &again));
  assert_same(m, again);
  assert_string_equal(again->path, path);
  assert_ok(mesh_write_h5(again, second)); /* the same mesh makes the same bytes */
  size_t a_size, b_size;
  char *a = get_file(path, &a_size), *b = get_file(second, &b_size);
  assert_int_equal(a_size, b_size);
  assert_memory_equal(a, b, a_size);
  free(a), free(b);
  assert_ok(mesh_write_h5(m, path)); /* over an old one */
  mesh_destroy(&m);
  mesh_destroy(&again);
  for (int kind = 0; kind < N_ELEMENT_KINDS; ++kind) {
    if (element_type((ElementKind)kind)->dim < 2) continue;
    assert_ok(mesh_box(&(BoxParams){.kind = (ElementKind)kind, .n = {3, 2, 2}, .size = {1, 1, 1}, .distort = 0.1}, &m));
    assert_ok(mesh_write_h5(m, path));
    assert_ok(mesh_read_h5(path, &again));
    assert_same(m, again);
    mesh_destroy(&m);
    mesh_destroy(&again);
  }
}

static Status read_file(const char *path) {
  const size_t before = mem_in_use();
  Mesh *m;
  const Status status = mesh_read_h5(path, &m);
  if (status == OK) (void)mesh_hash(m);
  else assert_null(m);
  mesh_destroy(&m);
  assert_int_equal(mem_in_use(), before);
  return status;
}

/* With the checksum every damage is told; it is HDF5's own reader that must not see it. */
static void damage_is_told(void **state) {
  (void)state;
  const char *path = temporary_path("mesh.h5"), *bad = temporary_path("damaged.h5");
  Mesh *m = mesh_of(square_text);
  assert_ok(mesh_write_h5(m, path));
  mesh_destroy(&m);
  size_t size;
  char *bytes = get_file(path, &size);
  for (size_t i = 0; i<size; i += i> size - 64 || i < 96 ? 1 : 29) {
    bytes[i] = (char)(bytes[i] ^ 0x5a);
    put_file(bad, bytes, size);
    const Status status = read_file(bad);
    bytes[i] = (char)(bytes[i] ^ 0x5a);
    if (i < size - H5_TRAILER) {
      assert_int_equal(status, ERR_MESH);
      assert_non_null(
          strstr(status_message(), "damaged.h5: the mesh file is damaged (its checksum is wrong); write it again"));
    } else if (i < size - H5_TRAILER + 8) assert_int_equal(status, OK); /* no checksum any more, all else is right */
    else assert_int_equal(status, ERR_MESH);
  }
  for (size_t n = 0; n < size; n += n < 40 || n > size - 40 ? 1 : 37) {
    put_file(bad, bytes, n);
    const Status status = read_file(bad);
    if (n < size - H5_TRAILER) assert_int_equal(status, ERR_MESH);
    assert_true(status == OK || status_message()[0]);
  }
  free(bytes);
}

/* ---- files with the right layout and one thing wrong, made through HDF5 ---- */
static hid_t edit_file(const char *path) {
  Mesh *m = mesh_of(square_text);
  assert_ok(mesh_write_h5(m, path));
  mesh_destroy(&m);
  size_t size;
  char *bytes = get_file(path, &size);
  put_file(path, bytes, size - H5_TRAILER); /* as another program would write it */
  free(bytes);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(file >= 0);
  return file;
}

static void replace_data(hid_t file, const char *name, hid_t type, int rank, hsize_t rows, hsize_t columns,
                         const void *data) {
  const hsize_t size[3] = {rows, columns, 1};
  H5Ldelete(file, name, H5P_DEFAULT);
  hid_t space = H5Screate_simple(rank, size, NULL),
        set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(set >= 0);
  if (data) assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  H5Sclose(space);
  H5Dclose(set);
}

static void replace_int(hid_t file, const char *object, const char *name, int value) {
  hid_t at = H5Oopen(file, object, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
  if (H5Aexists(at, name) > 0) H5Adelete(at, name);
  hid_t a = H5Acreate2(at, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(H5Awrite(a, H5T_NATIVE_INT, &value) >= 0);
  H5Aclose(a), H5Sclose(space), H5Oclose(at);
}

static void delete_attribute(hid_t file, const char *object, const char *name) {
  hid_t at = H5Oopen(file, object, H5P_DEFAULT);
  assert_true(H5Adelete(at, name) >= 0);
  H5Oclose(at);
}

/* One edit per number; the message that it must give, NULL at the end. */
static const char *edit(hid_t f, int number) {
  static const int32_t nodes[] = {0, 1, 2, 0, 2, 9}, twice[] = {0, 1, 2, 0, 2, 2}, ids[] = {5, 4};
  static const double x[18] = {0, 0, 0, 1, 0, NAN};
  switch (number) {
  case 0: H5Ldelete(f, "mesh", H5P_DEFAULT); return "is an HDF5 file, but not a mesh of Sinew: it has no group /mesh";
  case 1:
    replace_int(f, "mesh", "version", 2);
    return "/mesh: the layout is of a later version than this Sinew reads (1)";
  case 2: delete_attribute(f, "mesh", "n_node"); return "/mesh: attribute 'n_node' is missing or not a whole number";
  case 3: replace_int(f, "mesh", "n_node", -3); return "/mesh: attribute 'n_node' is -3, must be 0 to 2147483646";
  case 4: replace_int(f, "mesh", "n_node", 7); return "/mesh/coordinates: has extents [6][3], must be [7][3]";
  case 5:
    replace_data(f, "mesh/coordinates", H5T_NATIVE_DOUBLE, 2, 6, 3, x);
    return "/mesh/coordinates: node 2 at (1, 0, nan)";
  case 6: H5Ldelete(f, "mesh/node_tags", H5P_DEFAULT); return "/mesh/node_tags: is missing";
  case 7:
    replace_data(f, "mesh/node_tags", H5T_NATIVE_DOUBLE, 1, 6, 0, x);
    return "/mesh/node_tags: must hold whole numbers";
  case 8:
    replace_data(f, "mesh/coordinates", H5T_NATIVE_INT, 2, 6, 3, NULL);
    return "/mesh/coordinates: must hold floating-point numbers";
  case 9:
    replace_data(f, "mesh/coordinates", H5T_NATIVE_DOUBLE, 3, 6, 3, NULL);
    return "/mesh/coordinates: has extents that are not supported";
  case 10:
    replace_data(f, "mesh/elements/tri3/nodes", H5T_NATIVE_INT, 2, 2, 3, nodes);
    return "/mesh/elements/tri3/nodes: entry 5 is 9, must be 0 to 5";
  case 11:
    replace_data(f, "mesh/elements/tri3/nodes", H5T_NATIVE_INT, 2, 2, 3, twice);
    return "/mesh/elements/tri3: element 1 has node 2 twice";
  case 12:
    replace_data(f, "mesh/elements/tri3/nodes", H5T_NATIVE_INT, 2, 3, 2, nodes);
    return "/mesh/elements/tri3/nodes: has extents [3][2], must be [3][3]";
  case 13:
    replace_int(f, "mesh/elements/tri3", "first", 5);
    return "/mesh/elements/tri3: attribute 'first' does not follow from the kinds before";
  case 14:
    replace_int(f, "mesh", "n_element", 8);
    return "/mesh/elements: does not hold as many elements as attribute 'n_element' says";
  case 15:
    H5Lmove(f, "mesh/elements/tri3", f, "mesh/elements/tri33", H5P_DEFAULT, H5P_DEFAULT);
    return "/mesh/elements/quad4: attribute 'first' does not";
  case 16:
    H5Lmove(f, "mesh/elements/quad4", f, "mesh/elements/quad44", H5P_DEFAULT, H5P_DEFAULT);
    return "/mesh/elements: holds kinds of elements that this Sinew does not know";
  case 17: H5Ldelete(f, "mesh/groups", H5P_DEFAULT); return "/mesh/groups: the group is missing";
  case 18:
    replace_data(f, "mesh/groups/3", H5T_NATIVE_INT, 1, 2, 0, ids);
    return "/mesh/groups/3: attribute 'name' is missing or not a text of at most 4096 bytes";
  case 19: H5Ldelete(f, "mesh/groups/1", H5P_DEFAULT); return "/mesh/groups/1: is missing";
  case 20:
    replace_int(f, "mesh/groups/1", "dimension", 2);
    return "/mesh/groups/1: holds elements that are not of its dimension";
  case 21:
    replace_int(f, "mesh/groups/1", "dimension", 4);
    return "/mesh/groups/1: attribute 'dimension' must be 0 to 3";
  case 22: {
    hid_t set = H5Dopen2(f, "mesh/groups/3", H5P_DEFAULT);
    static const int32_t down[] = {4, 6, 5};
    H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, down);
    H5Dclose(set);
    return "/mesh/groups/3: entry 2 is 5, must be 0 to 6, ascending";
  }
  case 23: replace_int(f, "mesh/fields/0", "on", 3); return "/mesh/fields/0: attribute 'on' is missing or not a text";
  case 24: H5Ldelete(f, "mesh/fields/0", H5P_DEFAULT); return "/mesh/fields/0: is missing";
  default: return NULL;
  }
}

static void one_thing_wrong(void **state) {
  (void)state;
  const char *path = temporary_path("wrong.h5");
  H5Quiet quiet;
  h5_quiet_begin(&quiet);
  for (int number = 0; number < 25; ++number) {
    hid_t file = edit_file(path);
    const char *want = edit(file, number);
    H5Fclose(file);
    const Status status = read_file(path);
    char all[600];
    snprintf(all, sizeof all, "%s: %s", path, want);
    if (status != ERR_MESH || strncmp(status_message(), all, strlen(all)))
      fail_msg("edit %d: wanted %s\n  got %s", number, all, status_message());
  }
  hid_t file = edit_file(path); /* untouched it reads */
  H5Fclose(file);
  assert_ok(read_file(path));
  h5_quiet_end(&quiet);
}

/* A dataset that claims to be huge and holds nothing must not be allocated. */
static void huge_claims(void **state) {
  (void)state;
  const char *path = temporary_path("huge.h5");
  hid_t f = edit_file(path);
  const hsize_t size[2] = {2000000000, 3}, chunk[2] = {1000, 3};
  hid_t space = H5Screate_simple(2, size, NULL), plain = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(plain, 2, chunk);
  H5Ldelete(f, "mesh/coordinates", H5P_DEFAULT);
  hid_t set = H5Dcreate2(f, "mesh/coordinates", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plain, H5P_DEFAULT);
  H5Dclose(set), H5Sclose(space), H5Pclose(plain);
  replace_int(f, "mesh", "n_node", 2000000000);
  H5Fclose(f);
  assert_int_equal(read_file(path), ERR_MESH);
  assert_non_null(
      strstr(status_message(), "/mesh/coordinates: has more entries than the file can hold; it is damaged"));
}

/* Without the checksum HDF5 sees the damage itself; some of it must still be told, none may crash. */
static void damage_without_checksum(void **state) {
  (void)state;
  const char *path = temporary_path("plain.h5");
  hid_t file = edit_file(path);
  H5Fclose(file);
  size_t size;
  char *bytes = get_file(path, &size);
  int told = 0;
  for (size_t n = 0; n < size; n += 41) {
    put_file(path, bytes, n);
    assert_int_equal(read_file(path), ERR_MESH);
    ++told;
  }
  assert_true(told > 50);
  free(bytes);
}

static void disk_full(void **state) {
  (void)state;
  const char *path = temporary_path("full.h5");
  Mesh *m;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_HEX8, .n = {12, 12, 12}, .size = {1, 1, 1}}, &m));
  put_file(path, "kept", 4);
  struct rlimit kept;
  getrlimit(RLIMIT_FSIZE, &kept);
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  for (rlim_t limit = 0; limit < 200000; limit += 40000) {
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, kept.rlim_max});
    const Status status = mesh_write_h5(m, path);
    setrlimit(RLIMIT_FSIZE, &kept);
    assert_int_equal(status, ERR_IO);
    assert_non_null(strstr(status_message(), "bytes: File too large\n  while writing the mesh file '"));
    size_t size;
    char *bytes = get_file(path, &size);
    assert_int_equal(size, 4); /* the old file as it was */
    free(bytes);
  }
  signal(SIGXFSZ, handler);
  assert_fails(mesh_write_h5(m, "/no/such/folder/x.h5"), ERR_IO, "while writing the mesh file '/no/such/folder/x.h5'");
  mesh_destroy(&m);
  assert_int_equal(run_program("sh", "-c", "! ls \"$TMPDIR\" | grep part", NULL), 0); /* and no temporary one */
}

static void each_allocation_may_fail(void **state) {
  (void)state;
  const char *path = temporary_path("memory.h5");
  Mesh *m = mesh_of(square_text), *again;
  testing_fail_each_of(mesh_write_h5(m, path), (void)0);
  testing_fail_each_of(mesh_read_h5(path, &again), mesh_destroy(&again));
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(there_and_back),           cmocka_unit_test(damage_is_told),
      cmocka_unit_test(one_thing_wrong),          cmocka_unit_test(huge_claims),
      cmocka_unit_test(damage_without_checksum),  cmocka_unit_test(disk_full),
      cmocka_unit_test(each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, temporary_remove);
}
