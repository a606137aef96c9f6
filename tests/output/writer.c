/* results.hdf as others see it (raw HDF5 calls), every kind of cell, resuming, overwriting, locking. */
#include "output/writer.h"
#include "output/folder.h"
#include "output/inspect.h"
#include "output/read.h"

#include "core/memory.h"
#include "sample.h"
#include "tests/testing.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const ElementKind solid[] = {ELEMENT_TET4, ELEMENT_TET10, ELEMENT_HEX8, ELEMENT_HEX20, ELEMENT_HEX27};
static const ElementKind plane[] = {ELEMENT_TRI3, ELEMENT_TRI6, ELEMENT_QUAD4, ELEMENT_QUAD8, ELEMENT_QUAD9};

static void write_steps(const Mesh *mesh, int64_t reserved, int to) {
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, reserved);
  assert_ok(writer_create(&params, &writer));
  for (int k = 0; k < to; ++k) assert_ok(sample_step(writer, mesh, k));
  assert_ok(writer_close(&writer));
  assert_null(writer);
}

/* All of a dataset as doubles, with its shape. */
static int read_raw(hid_t file, const char *path, hsize_t shape[2], double *out) {
  const hid_t data = H5Dopen2(file, path, H5P_DEFAULT);
  if (data < 0) fail_msg("no dataset %s", path);
  const hid_t space = H5Dget_space(data);
  const int rank = H5Sget_simple_extent_dims(space, shape, NULL);
  assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
  H5Sclose(space);
  H5Dclose(data);
  return rank;
}

static void expect_raw(hid_t file, const char *path, int n, const double *wanted) {
  double got[4096];
  hsize_t shape[2];
  assert_int_equal(read_raw(file, path, shape, got), 1);
  if ((int)shape[0] != n) fail_msg("%s has %d numbers, not %d", path, (int)shape[0], n);
  for (int i = 0; i < n; ++i)
    if (got[i] != wanted[i]) fail_msg("%s[%d] is %g, not %g", path, i, got[i], wanted[i]);
}

static void layout_as_stored(void) {
  const ElementKind kinds[] = {ELEMENT_TRI3, ELEMENT_QUAD8};
  Mesh *mesh = sample_mesh(2, kinds);
  write_steps(mesh, 5, 3);
  const hid_t file = H5Fopen(sample_path("results.hdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  expect_raw(file, "/VTKHDF/NumberOfPoints", 1, (double[]){11});
  expect_raw(file, "/VTKHDF/NumberOfCells", 1, (double[]){2});
  expect_raw(file, "/VTKHDF/NumberOfConnectivityIds", 1, (double[]){11});
  expect_raw(file, "/VTKHDF/Connectivity", 11, (double[]){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  expect_raw(file, "/VTKHDF/Offsets", 3, (double[]){0, 3, 11});
  expect_raw(file, "/VTKHDF/Types", 2, (double[]){5, 23});
  expect_raw(file, "/Sinew/topology", 13, (double[]){4, 0, 1, 2, 37, 3, 4, 5, 6, 7, 8, 9, 10});
  /* ParaView copies all of Values into an array of NSteps numbers. */
  expect_raw(file, "/VTKHDF/Steps/Values", 3, (double[]){0, 0.5, 1});
  expect_raw(file, "/VTKHDF/Steps/PartOffsets", 3, (double[]){0, 0, 0});
  expect_raw(file, "/VTKHDF/Steps/NumberOfParts", 3, (double[]){1, 1, 1});
  expect_raw(file, "/VTKHDF/Steps/PointOffsets", 3, (double[]){0, 0, 0});
  expect_raw(file, "/VTKHDF/Steps/PointDataOffsets/displacement", 3, (double[]){0, 11, 22});
  expect_raw(file, "/VTKHDF/Steps/PointDataOffsets/activation", 3, (double[]){0, 0, 0});
  expect_raw(file, "/VTKHDF/Steps/CellDataOffsets/stress", 3, (double[]){0, 2, 4});
  double values[4096];
  hsize_t shape[2];
  assert_int_equal(read_raw(file, "/VTKHDF/Steps/CellOffsets", shape, values), 2);
  assert_true(shape[0] == 3 && shape[1] == 1);
  assert_int_equal(read_raw(file, "/VTKHDF/PointData/displacement", shape, values), 2);
  assert_true(shape[0] == 33 && shape[1] == 3);
  assert_true(values[(11 + 4) * 3 + 2] == sample_value(0, 1, 4, 2));
  assert_int_equal(read_raw(file, "/VTKHDF/PointData/activation", shape, values), 1);
  assert_true(shape[0] == 11 && values[10] == sample_value(3, 0, 10, 0));
  const hid_t steps = H5Gopen2(file, "/VTKHDF/Steps", H5P_DEFAULT), attribute = H5Aopen(steps, "NSteps", H5P_DEFAULT);
  int64_t n = 0;
  assert_true(H5Aread(attribute, H5T_NATIVE_INT64, &n) >= 0 && n == 3);
  H5Aclose(attribute);
  H5Gclose(steps);
  H5Fclose(file);
  mesh_destroy(&mesh);
  sample_clean();
}

/* Node i of a cell in VTK's order is our node vtk_order[i]; our nodes are numbered along, so the ids show the order. */
static void cells_of(const ElementKind *kinds, int n) {
  Mesh *mesh = sample_mesh(n, kinds);
  write_steps(mesh, 1, 1);
  const hid_t file = H5Fopen(sample_path("results.hdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
  double wanted[256], types[8];
  int k = 0, first = 0;
  for (int i = 0; i < n; ++i) {
    const ElementType *type = element_type(kinds[i]);
    types[i] = type->vtk_type;
    for (int a = 0; a < type->n_node; ++a) wanted[k++] = first + type->vtk_order[a];
    first += type->n_node;
  }
  expect_raw(file, "/VTKHDF/Connectivity", k, wanted);
  expect_raw(file, "/VTKHDF/Types", n, types);
  H5Fclose(file);
  assert_int_equal(sample_check(mesh, 1, 1), 1);
  mesh_destroy(&mesh);
  sample_clean();
}

static void all_cells_stored(void) {
  cells_of(solid, 5);
  cells_of(plane, 5);
  for (int i = 0; i < 5; ++i) {
    cells_of(&solid[i], 1);
    cells_of(&plane[i], 1);
  }
}

static void provenance_and_tables(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, solid);
  WriterParams params = sample_params(mesh, 2);
  static char long_case[70001]; /* longer than an attribute may be */
  memset(long_case, '#', 70000);
  params.case_text = long_case;
  Writer *writer = NULL;
  assert_ok(writer_create(&params, &writer));
  static const char *const names[] = {"iteration", "residual"};
  for (int i = 0; i < 6; ++i) assert_ok(writer_history(writer, 2, names, (double[]){i, 1.0 / (i + 1)}));
  assert_ok(sample_step(writer, mesh, 0));
  static const char *const swapped[] = {"residual", "iteration"};
  assert_ok(writer_history(writer, 2, swapped, (double[]){0.125, 7}));
  static const char *const other[] = {"residual", "speed"};
  assert_fails(writer_history(writer, 2, other, (double[]){1, 2}), ERR_BUG, "speed");
  mesh_destroy(&mesh);
  assert_fails(writer_timing(writer, 1, swapped, (double[]){1}), ERR_IO, "earlier");
  assert_ok(writer_close(&writer));
  sample_clean();

  mesh = sample_mesh(1, solid);
  params.mesh = mesh;
  params.folder = sample_folder();
  assert_ok(writer_create(&params, &writer));
  assert_ok(writer_history(writer, 2, names, (double[]){0, 1}));
  assert_ok(sample_step(writer, mesh, 0));
  assert_ok(writer_history(writer, 2, swapped, (double[]){0.125, 7}));
  assert_ok(writer_timing(writer, 2, names, (double[]){0.25, 2}));
  assert_ok(writer_close(&writer));
  const hid_t file = H5Fopen(sample_path("results.hdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_raw(file, "/Sinew/history/iteration", 2, (double[]){0, 7});
  expect_raw(file, "/Sinew/history/residual", 2, (double[]){1, 0.125});
  const hid_t group = H5Gopen2(file, "/Sinew", H5P_DEFAULT);
  static const char *const entries[] = {"version", "commit", "mesh_hash", "device", "precision"};
  for (int i = 0; i < 5; ++i)
    assert_true(H5Aexists(group, entries[i]) > 0 && H5Lexists(group, entries[i], H5P_DEFAULT) > 0);
  assert_true(H5Aexists(group, "case") == 0 && H5Lexists(group, "case", H5P_DEFAULT) > 0);
  H5Gclose(group);
  H5Fclose(file);
  Result *result = NULL;
  char hash[32], text[4096];
  assert_ok(result_open(sample_path("results.hdf"), &result));
  assert_true(result_provenance(result, "mesh_hash", hash, sizeof hash));
  assert_string_equal(hash, "0123456789abcdef");
  result_close(&result);
  assert_ok(result_describe(sample_path("results.hdf"), text, sizeof text));
  static const char *const said[] = {"4 nodes, 1 cells",
                                     "1 of 1 reserved, at time 0",
                                     "displacement [3], on nodes",
                                     "stress [6], on cells",
                                     "activation [1], on nodes",
                                     "CPU, 1 thread",
                                     "2 rows: iteration, residual",
                                     "residual 2 s",
                                     "####"};
  for (int i = 0; i < 9; ++i)
    if (!strstr(text, said[i])) fail_msg("no '%s' in:\n%s", said[i], text);
  mesh_destroy(&mesh);
  sample_clean();
}

const char *__lsan_default_suppressions(void);
/* HDF5 1.10 leaks when it meets damaged metadata. */
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

/* A result that is cut short or scribbled over is refused or read, never a crash. */
static void damaged_results(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(2, solid);
  write_steps(mesh, 3, 3);
  mesh_destroy(&mesh);
  struct stat what;
  stat(sample_path("results.hdf"), &what);
  FILE *file = fopen(sample_path("results.hdf"), "rb");
  unsigned char *bytes = malloc((size_t)what.st_size);
  assert_int_equal(fread(bytes, 1, (size_t)what.st_size, file), what.st_size);
  fclose(file);
  static char text[20000];
  unsigned random = 1;
  for (int turn = 0; turn < 400; ++turn) {
    file = fopen(sample_path("damaged.hdf"), "wb");
    const long n = turn < 200 ? what.st_size * turn / 200 : what.st_size;
    fwrite(bytes, 1, (size_t)n, file);
    for (int i = 0; turn >= 200 && i < 3; ++i) {
      random = random * 1664525u + 1013904223u;
      fseek(file, 512 + (long)(random >> 8) % (what.st_size - 512), SEEK_SET);
      fputc((int)(random & 255), file);
    }
    fclose(file);
    const Status status = result_describe(sample_path("damaged.hdf"), text, sizeof text);
    if (status != OK && status != ERR_IO && status != ERR_MEMORY) fail_msg("turn %d: %s", turn, status_message());
    if (turn < 200) assert_int_equal(status, ERR_IO);
  }
  free(bytes);
  sample_clean();
}

static void history_has_an_end(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, solid);
  static const char *const names[] = {"residual"};
  WriterParams params = sample_params(mesh, 1);
  params.n_history = 1;
  params.history = names;
  params.n_history_row = 5;
  Writer *writer = NULL;
  assert_ok(writer_create(&params, &writer));
  for (int i = 0; i < 8; ++i) assert_ok(writer_history(writer, 1, names, (double[]){i}));
  assert_int_equal(status_warning_count(), 1);
  status_warnings_clear();
  assert_ok(sample_step(writer, mesh, 0));
  assert_ok(writer_close(&writer));
  const hid_t file = H5Fopen(sample_path("results.hdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_raw(file, "/Sinew/history/residual", 5, (double[]){0, 1, 2, 3, 4});
  H5Fclose(file);
  mesh_destroy(&mesh);
  sample_clean();
}

/* Four steps, and what the file held after the third. */
static void write_four(const Mesh *mesh, void **receipt, int64_t *n) {
  static const char *const names[] = {"iteration"};
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, 6);
  params.n_history = 1, params.history = names;
  assert_ok(writer_create(&params, &writer));
  for (int k = 0; k < 4; ++k) {
    assert_ok(writer_history(writer, 1, names, (double[]){k}));
    assert_ok(sample_step(writer, mesh, k));
    if (k == 2) assert_ok(writer_receipt(writer, NULL, receipt, n));
  }
  assert_ok(writer_close(&writer));
}

static void goes_on_stored(void) {
  static const char *const names[] = {"iteration"};
  Mesh *mesh = sample_mesh(2, solid);
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, 6);
  void *receipt = NULL;
  write_four(mesh, &receipt, &params.n_receipt);
  params.receipt = receipt;
  assert_ok(writer_create(&params, &writer)); /* a checkpoint at t = 1: step 4 comes again */
  assert_int_equal(writer_steps(writer), 3);
  assert_true(writer_time(writer, 2) == 1.0);
  char *sidecar = sample_text("results.xdmf");
  assert_null(strstr(sidecar, "Time Value=\"1.5\""));
  free(sidecar);
  assert_fails(sample_step(writer, mesh, 1), ERR_BUG, "time");
  for (int k = 3; k < 6; ++k) {
    assert_ok(writer_history(writer, 1, names, (double[]){k}));
    assert_ok(sample_step(writer, mesh, k));
  }
  assert_fails(sample_step(writer, mesh, 6), ERR_BUG, "more than 6 steps");
  assert_ok(writer_close(&writer));
  assert_int_equal(sample_check(mesh, 6, 6), 6);
  sidecar = sample_text("results.xdmf");
  assert_non_null(strstr(sidecar, "Time Value=\"2.5\""));
  free(sidecar);
  const hid_t file = H5Fopen(sample_path("results.hdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_raw(file, "/Sinew/history/iteration", 6, (double[]){0, 1, 2, 3, 4, 5});
  H5Fclose(file);
  WriterField renamed = {"strain", false, 6, false, NULL};
  params.n_field = 1;
  params.field = &renamed;
  assert_fails(writer_create(&params, &writer), ERR_RESTART, "no field 'strain'");
  params = sample_params(mesh, 7);
  params.receipt = "nothing", params.n_receipt = 7;
  assert_fails(writer_create(&params, &writer), ERR_RESTART, "another version");
  mem_free(&receipt);
  mesh_destroy(&mesh);
  sample_clean();
}

static void put(const char *name, const char *bytes, size_t n) {
  FILE *file = fopen(sample_path(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  fclose(file);
}

/* A result that is gone on with has each bit in turn flipped, and each length: it is refused, or comes to the very
 * same. */
static void believes_nothing_stored(void) {
  Mesh *mesh = sample_mesh(2, plane);
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, 6);
  void *receipt = NULL;
  struct stat what;
  write_four(mesh, &receipt, &params.n_receipt);
  params.receipt = receipt;
  char *bytes = sample_text("results.hdf");
  stat(sample_path("results.hdf"), &what);
  int refused = 0, mended = 0;
  for (long at = 0; at < what.st_size; at += sample_storage ? 499 : 61) {
    bytes[at] ^= (char)(1 << at % 8);
    put("results.hdf", bytes, (size_t)what.st_size);
    const Status status = writer_create(&params, &writer);
    if (status != OK && status != ERR_RESTART) fail_msg("byte %ld: %s", at, status_message());
    refused += status != OK, mended += status == OK;
    for (int k = 3; k < 6 && status == OK; ++k) assert_ok(sample_step(writer, mesh, k));
    assert_ok(writer_close(&writer));
    if (status == OK) assert_int_equal(sample_check(mesh, 6, 6), 6);
    bytes[at] ^= (char)(1 << at % 8);
  }
  print_message("%d refused, %d mended\n", refused, mended);
  assert_true((sample_storage || refused > 10) && mended > 10);
  put("results.hdf", bytes, (size_t)what.st_size - 1);
  assert_fails(writer_create(&params, &writer), ERR_RESTART, "is cut short");
  put("results.hdf", bytes, 0);
  assert_fails(writer_create(&params, &writer), ERR_RESTART, "is cut short");
  unlink(sample_path("results.hdf"));
  assert_fails(writer_create(&params, &writer), ERR_RESTART, "results.hdf' is missing");
  free(bytes);
  mem_free(&receipt);
  mesh_destroy(&mesh);
  sample_clean();
}

/* What was stored and is not under its name any more must not be called stored. */
static void removed_meanwhile(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, plane);
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, 3);
  void *receipt = NULL;
  int64_t n = 0;
  assert_ok(writer_create(&params, &writer));
  assert_ok(sample_step(writer, mesh, 0));
  unlink(sample_path("results.hdf"));
  assert_fails(writer_receipt(writer, NULL, &receipt, &n), ERR_IO, "was removed, renamed or replaced");
  writer_close(&writer);
  assert_ok(writer_create(&params, &writer));
  assert_ok(sample_step(writer, mesh, 0));
  unlink(sample_path("results.hdf"));
  assert_fails(writer_close(&writer), ERR_IO, "was removed, renamed or replaced");
  const ProbeFileParams probe = {.folder = sample_folder()};
  ProbeFile *probes = NULL;
  assert_ok(probe_file_create(&probe, &probes));
  unlink(sample_path("probes.csv.new"));
  assert_fails(probe_file_close(&probes), ERR_IO, "was removed, renamed or replaced");
  mesh_destroy(&mesh);
  sample_clean();
}

static void old_results_are_kept(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, plane);
  write_steps(mesh, 2, 2);
  Writer *writer = NULL;
  WriterParams params = sample_params(mesh, 3);
  assert_fails(writer_create(&params, &writer), ERR_RESTART, "--overwrite");
  assert_fails(output_folder_check(sample_folder(), false, false), ERR_RESTART, "results.hdf");
  assert_ok(output_folder_check(sample_folder(), true, false));
  params.overwrite = true;
  assert_ok(writer_create(&params, &writer));
  assert_int_equal(sample_check(mesh, 2, 2), 2); /* until the first new step is whole */
  assert_ok(writer_close(&writer));
  assert_int_equal(sample_check(mesh, 2, 2), 2);
  assert_int_equal(access(sample_path("results.hdf.new"), F_OK), -1);
  assert_ok(writer_create(&params, &writer));
  assert_ok(sample_step(writer, mesh, 0));
  assert_int_equal(sample_check(mesh, 1, 1), 1);
  assert_ok(writer_close(&writer));
  mesh_destroy(&mesh);
  sample_clean();
}

static void one_run_per_folder(void **state) {
  (void)state;
  OutputFolder *folder = NULL, *second = NULL;
  assert_ok(output_folder_open(sample_folder(), &folder));
  char process[64];
  snprintf(process, sizeof process, "process %ld", (long)getpid());
  put("results.hdf.new", "of the first", 12);
  assert_fails(output_folder_open(sample_folder(), &second), ERR_RESTART, process);
  assert_null(second);
  assert_int_equal(access(sample_path("results.hdf.new"), F_OK), 0); /* the second has touched nothing */
  output_folder_close(&folder);
  assert_int_equal(access(sample_path(".sinew-lock"), F_OK), -1);
  /* A killed run leaves the lock file, but not the lock, and files that never got their names. */
  const pid_t child = fork();
  if (child == 0) {
    if (output_folder_open(sample_folder(), &folder) != OK) _exit(1);
    kill(getpid(), 9);
  }
  int how = 0;
  waitpid(child, &how, 0);
  assert_true(WIFSIGNALED(how));
  assert_int_equal(access(sample_path(".sinew-lock"), F_OK), 0);
  put("checkpoint.old", "left", 4);
  assert_ok(output_folder_open(sample_folder(), &folder));
  assert_int_equal(access(sample_path("checkpoint.old"), F_OK), -1);
  output_folder_close(&folder);
  char deep[256];
  snprintf(deep, sizeof deep, "%s/a/b/", sample_folder());
  assert_ok(output_folder_open(deep, &folder));
  assert_int_equal(access(sample_path("a/b"), F_OK), 0);
  output_folder_close(&folder); /* nothing was put there */
  assert_int_equal(access(sample_path("a"), F_OK), -1);
  sample_clean();
}

static void folders(void **state) {
  (void)state;
  Mesh *mesh = sample_mesh(1, plane);
  Writer *writer = NULL;
  OutputFolder *folder = NULL;
  WriterParams params = sample_params(mesh, 1);
  char deep[256];
  snprintf(deep, sizeof deep, "%s/a b/\xc3\xa4/", sample_folder());
  params.folder = deep;
  assert_ok(output_folder_open(deep, &folder));
  assert_ok(writer_create(&params, &writer));
  assert_ok(sample_step(writer, mesh, 0));
  assert_ok(writer_close(&writer));
  output_folder_close(&folder);
  assert_int_equal(access(sample_path("a b/\xc3\xa4/results.xdmf"), F_OK), 0);
  fclose(fopen(sample_path("plain"), "w"));
  params.folder = sample_path("plain");
  assert_fails(writer_create(&params, &writer), ERR_IO, "is a file, not a folder");
  assert_fails(output_folder_open(sample_path("plain"), &folder), ERR_IO, "is a file, not a folder");
  assert_fails(output_folder_open(sample_path("plain/inside"), &folder), ERR_IO, "Not a directory");
  assert_fails(output_folder_open("/proc/sinew", &folder), ERR_IO, "/proc/sinew");
  assert_fails(output_folder_open("", &folder), ERR_IO, "empty name");
  assert_fails(result_describe(sample_path("plain"), deep, sizeof deep), ERR_IO, "plain");
  assert_fails(result_describe(sample_path("missing"), deep, sizeof deep), ERR_IO, "No such file");
  assert_false(result_is(sample_path("plain")));
  assert_true(result_is(sample_path("a b/\xc3\xa4/results.hdf")));
  mesh_destroy(&mesh);
  sample_clean();
}

/* In doubles or floats, packed or not. */
static void in_every_storage(void (*test)(void), int step) {
  for (sample_storage = 0; sample_storage < 4; sample_storage += step) test();
  sample_storage = 0;
}
static void resume_goes_on(void **state) {
  (void)state;
  in_every_storage(goes_on_stored, 1);
}
static void resume_believes_nothing(void **state) {
  (void)state;
  in_every_storage(believes_nothing_stored, 3); /* plain, and all of it */
}
static void layout_is_vtkhdf(void **state) {
  (void)state;
  in_every_storage(layout_as_stored, 1);
}
static void all_kinds_of_cells(void **state) {
  (void)state;
  in_every_storage(all_cells_stored, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layout_is_vtkhdf),
      cmocka_unit_test(all_kinds_of_cells),
      cmocka_unit_test(provenance_and_tables),
      cmocka_unit_test(resume_goes_on),
      cmocka_unit_test(resume_believes_nothing),
      cmocka_unit_test(removed_meanwhile),
      cmocka_unit_test(old_results_are_kept),
      cmocka_unit_test(one_run_per_folder),
      cmocka_unit_test(folders),
      cmocka_unit_test(history_has_an_end),
      cmocka_unit_test(damaged_results),
  };
  return cmocka_run_group_tests_name("output/writer", tests, NULL, NULL);
}
