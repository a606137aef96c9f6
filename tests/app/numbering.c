/* `solver: numbering:` through the whole program: whatever the order inside, the files hold the same mesh and the same
 * values, node by node and element by element. */
#include "core/memory.h"
#include "mesh/mesh.h"
#include "mesh/order/order.h"
#include "tests/app/scratch.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char CASE[] =
    "version: 1\nmesh: {file: box.h5}\nphysics: elasticity\nmodel: 3d\n"
    "materials: [{on: body, young: 100, poisson: 0.3}]\n"
    "boundary:\n  - {on: x0, fix: all}\n  - {on: x1, traction: [1, 2, 3]}\n  - {on: y0, spring: 5}\n"
    "solver: {rtol: 1e-13, precision: double}\n"
    "output:\n  fields: [displacement, stress, von-mises, principal, reaction, strain-energy, element-stress]\n"
    "  probes: [{name: inside, at: [0.31, 0.52, 0.17], field: stress-xx}]\n"
    "  sums: [{name: wall, on: x0, field: reaction}]\n";

/* A dataset as doubles, to be freed. */
static double *dataset(hid_t file, const char *path, hssize_t *n) {
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(set);
  if (set < 0) fail_msg("no %s", path);
  *n = H5Sget_simple_extent_npoints(space);
  double *out = calloc((size_t)*n, sizeof *out);
  assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  return out;
}

static void same_set(hid_t a, hid_t b, const char *path, double tolerance) {
  hssize_t n, m;
  double *x = dataset(a, path, &n), *y = dataset(b, path, &m), scale = 0;
  assert_int_equal(n, m);
  for (hssize_t i = 0; i < n; ++i) scale = fmax(scale, fabs(x[i]));
  assert_true(scale > 0);
  for (hssize_t i = 0; i < n; ++i)
    if (!(fabs(x[i] - y[i]) <= tolerance * scale)) fail_msg("%s %lld: %.17g and %.17g", path, (long long)i, x[i], y[i]);
  free(x);
  free(y);
}

static void same_files(const char *folder, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "%s/results.hdf", name);
  const hid_t a = H5Fopen(scratch_path(folder, "natural/results.hdf"), H5F_ACC_RDONLY, H5P_DEFAULT),
              b = H5Fopen(scratch_path(folder, path), H5F_ACC_RDONLY, H5P_DEFAULT);
  static const char *const exact[] = {"Points", "Connectivity", "Offsets", "Types"},
                           *const near[] = {"PointData/displacement", "PointData/stress",   "PointData/von-mises",
                                            "PointData/principal",    "PointData/reaction", "CellData/strain-energy",
                                            "CellData/element-stress"};
  for (size_t k = 0; k < sizeof exact / sizeof *exact; ++k) {
    snprintf(path, sizeof path, "/VTKHDF/%s", exact[k]);
    same_set(a, b, path, 0);
  }
  for (size_t k = 0; k < sizeof near / sizeof *near; ++k) {
    snprintf(path, sizeof path, "/VTKHDF/%s", near[k]);
    same_set(a, b, path, 1e-10);
  }
  H5Fclose(a);
  H5Fclose(b);
}

static void probes_of(const char *folder, const char *name, double value[5]) {
  char path[64];
  snprintf(path, sizeof path, "%s/probes.csv", name);
  char *table = scratch_read(folder, path);
  const char *line = strchr(table, '\n');
  assert_non_null(line);
  assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf", &value[0], &value[1], &value[2], &value[3], &value[4]), 5);
  free(table);
}

static void files_keep_the_order_of_the_mesh(void **state) {
  (void)state;
  const char *backend = getenv("SINEW_TEST_BACKEND");
  char *folder = scratch_create();
  Mesh *mesh = NULL;
  const BoxParams box = {.kind = ELEMENT_TET4, .n = {5, 4, 6}, .size = {1, 1, 1}, .distort = 0.2};
  double expected[5], value[5];
  assert_ok(mesh_box(&box, &mesh));
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "box.h5")));
  mesh_destroy(&mesh);
  scratch_write(folder, "c.yaml", CASE);
  const size_t before = mem_in_use();
  for (int k = 0; k <= N_MESH_ORDERS; ++k) {
    const char *name = k < N_MESH_ORDERS ? mesh_order_name(k) : "auto";
    char setting[64];
    snprintf(setting, sizeof setting, "solver.numbering=%s", name);
    Said said = app_says("run", scratch_path(folder, "c.yaml"), "--set", setting, "--backend",
                         backend && *backend ? backend : "cpu", "--output", scratch_path(folder, name), NULL);
    if (said.code) fail_msg("%s: %s", name, said.err);
    said_release(&said);
    same_files(folder, name);
    probes_of(folder, name, value);
    if (k == 0) memcpy(expected, value, sizeof value);
    for (int c = 0; c < 5; ++c) assert_near(value[c], expected[c], 1e-9);
  }
  assert_int_equal(mem_in_use(), before);
  scratch_remove(&folder);
}

static void unknown_order_names_the_known(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "square.msh", SQUARE_MSH);
  scratch_write(folder, "case.yaml", SQUARE_YAML);
  Said said = app_says("check", scratch_path(folder, "case.yaml"), "--set", "solver.numbering=hilbrt", NULL);
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "did you mean 'hilbert'?"));
  assert_non_null(strstr(said.err, "nested-dissection"));
  said_release(&said);
  said = app_says("check", scratch_path(folder, "case.yaml"), "--set", "solver.numbering=rcm", NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "numbering: rcm"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  Exec *exec = testing_exec(); /* answers 77 where a GPU is asked for and none is */
  exec_destroy(&exec);
  const struct CMUnitTest tests[] = {cmocka_unit_test(files_keep_the_order_of_the_mesh),
                                     cmocka_unit_test(unknown_order_names_the_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
