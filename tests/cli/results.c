/* What PRODUCT promises of the output: names, shapes and values in results.hdf, the sidecar, probes.csv, report.json.
 */
#include "core/clock.h"
#include "tests/cli/json.h"
#include "tests/cli/run_program.h"
#include "tests/cli/small_mesh.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* "cpu", or "cuda" where ctest runs this on a GPU. */
static const char *backend(void) {
  const char *name = getenv("SINEW_TEST_BACKEND");
  return name && *name ? name : "cpu";
}

static char *square_solved(const char *mesh) {
  char *folder = folder_create();
  put_text(folder, "case.yaml", SQUARE_CASE);
  put_text(folder, "square.msh", mesh);
  Run run = run_sinew(folder, "run", "case.yaml", "--backend", backend(), NULL);
  assert_code(&run, 0);
  run_release(&run);
  return folder;
}

static hid_t file_open(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  expect_that(file >= 0, "'%s' is not HDF5", path);
  return file;
}

/* Reads a dataset of exactly this rank and shape as doubles; owned. */
static double *dataset(hid_t file, const char *path, int rank, const hsize_t *shape) {
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  expect_that(set >= 0, "no dataset '%s'", path);
  const hid_t space = H5Dget_space(set);
  hsize_t got[8] = {0};
  expect_that(H5Sget_simple_extent_ndims(space) == rank, "'%s' has %d dimensions, not %d", path,
              H5Sget_simple_extent_ndims(space), rank);
  H5Sget_simple_extent_dims(space, got, NULL);
  size_t n = 1;
  for (int i = 0; i < rank; ++i) {
    expect_that(got[i] == shape[i], "'%s': dimension %d is %llu, not %llu", path, i, (unsigned long long)got[i],
                (unsigned long long)shape[i]);
    n *= (size_t)shape[i];
  }
  double *out = calloc(n, sizeof *out);
  expect_that(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0, "cannot read '%s'", path);
  H5Sclose(space);
  H5Dclose(set);
  return out;
}

static double *vector(hid_t file, const char *path, hsize_t n) { return dataset(file, path, 1, &n); }
static double *matrix(hid_t file, const char *path, hsize_t n, hsize_t m) {
  return dataset(file, path, 2, (hsize_t[]){n, m});
}

static void numbers_are(const double *got, const double *wanted, int n, double tolerance, const char *what) {
  for (int i = 0; i < n; ++i)
    expect_that(fabs(got[i] - wanted[i]) <= tolerance, "%s[%d] is %.12g, not %.12g", what, i, got[i], wanted[i]);
}

static void vtkhdf_layout(void **state) {
  (void)state;
  char *folder = square_solved(SQUARE_MESH);
  const hid_t file = file_open(folder, "results/results.hdf");
  int64_t version[2] = {0};
  const hid_t root = H5Gopen2(file, "/VTKHDF", H5P_DEFAULT);
  expect_that(root >= 0, "no group /VTKHDF");
  hid_t attribute = H5Aopen(root, "Version", H5P_DEFAULT);
  H5Aread(attribute, H5T_NATIVE_INT64, version);
  H5Aclose(attribute);
  expect_that(version[0] == 2 && version[1] == 0, "Version is %d.%d", (int)version[0], (int)version[1]);
  char type[64] = {0};
  attribute = H5Aopen(root, "Type", H5P_DEFAULT);
  const hid_t text = H5Aget_type(attribute);
  expect_that(H5Tget_class(text) == H5T_STRING && !H5Tis_variable_str(text) && H5Tget_size(text) < sizeof type,
              "Type is no short fixed-length string");
  H5Aread(attribute, text, type);
  assert_string_equal(type, "UnstructuredGrid");
  H5Tclose(text), H5Aclose(attribute), H5Gclose(root);

  double *count = vector(file, "/VTKHDF/NumberOfPoints", 1);
  numbers_are(count, (double[]){9}, 1, 0, "NumberOfPoints");
  free(count);
  count = vector(file, "/VTKHDF/NumberOfCells", 1);
  numbers_are(count, (double[]){4}, 1, 0, "NumberOfCells");
  free(count);
  count = vector(file, "/VTKHDF/NumberOfConnectivityIds", 1);
  numbers_are(count, (double[]){16}, 1, 0, "NumberOfConnectivityIds");
  free(count);
  double *offsets = vector(file, "/VTKHDF/Offsets", 5), *types = vector(file, "/VTKHDF/Types", 4),
         *nodes = vector(file, "/VTKHDF/Connectivity", 16);
  numbers_are(offsets, (double[]){0, 4, 8, 12, 16}, 5, 0, "Offsets");
  numbers_are(types, (double[]){9, 9, 9, 9}, 4, 0, "Types");
  double *points = matrix(file, "/VTKHDF/Points", 9, 3);
  for (int e = 0; e < 4; ++e) { /* whatever the numbering: each cell is a square of half the side, counter-clockwise */
    const double *a = points + 3 * (int)nodes[4 * e], *b = points + 3 * (int)nodes[4 * e + 1],
                 *c = points + 3 * (int)nodes[4 * e + 2];
    const double det = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    expect_that(fabs(det - 0.25) < 1e-14, "cell %d has det %g", e, det);
  }
  free(points), free(offsets), free(types), free(nodes);
  H5Fclose(file);
  folder_remove(&folder);
}

static void vtkhdf_steps(void **state) {
  (void)state;
  char *folder = square_solved(SQUARE_MESH_41);
  const hid_t file = file_open(folder, "results/results.hdf");
  const hid_t steps = H5Gopen2(file, "/VTKHDF/Steps", H5P_DEFAULT);
  int64_t n = 0;
  const hid_t attribute = H5Aopen(steps, "NSteps", H5P_DEFAULT);
  H5Aread(attribute, H5T_NATIVE_INT64, &n);
  H5Aclose(attribute), H5Gclose(steps);
  expect_that(n == 1, "NSteps is %d", (int)n);
  static const char *const names[] = {"Values", "PartOffsets", "NumberOfParts", "PointOffsets"};
  static const double wanted[] = {0, 0, 1, 0};
  for (int i = 0; i < 4; ++i) {
    char path[128];
    snprintf(path, sizeof path, "/VTKHDF/Steps/%s", names[i]);
    double *got = vector(file, path, 1);
    numbers_are(got, wanted + i, 1, 0, names[i]);
    free(got);
  }
  free(matrix(file, "/VTKHDF/Steps/CellOffsets", 1, 1));
  free(matrix(file, "/VTKHDF/Steps/ConnectivityIdOffsets", 1, 1));
  free(vector(file, "/VTKHDF/Steps/PointDataOffsets/displacement", 1));
  H5Fclose(file);
  folder_remove(&folder);
}

static void field_values(void **state) {
  (void)state;
  char *folder = square_solved(SQUARE_MESH);
  const hid_t file = file_open(folder, "results/results.hdf");
  double *x = matrix(file, "/VTKHDF/Points", 9, 3), *u = matrix(file, "/VTKHDF/PointData/displacement", 9, 3);
  double *stress = matrix(file, "/VTKHDF/PointData/stress", 9, 6),
         *mises = vector(file, "/VTKHDF/PointData/von-mises", 9);
  double *principal = matrix(file, "/VTKHDF/PointData/principal", 9, 3),
         *reaction = matrix(file, "/VTKHDF/PointData/reaction", 9, 3);
  double sum[3] = {0};
  for (int i = 0; i < 9; ++i) {
    numbers_are(u + 3 * i, (double[]){0.01 * x[3 * i], -0.0025 * x[3 * i + 1], 0}, 3, 1e-10, "displacement");
    numbers_are(stress + 6 * i, (double[]){10, 0, 0, 0, 0, 0}, 6, 1e-6, "stress");
    numbers_are(mises + i, (double[]){10}, 1, 1e-6, "von-mises");
    numbers_are(principal + 3 * i, (double[]){10, 0, 0}, 3, 1e-6, "principal");
    for (int c = 0; c < 3; ++c) sum[c] += reaction[3 * i + c];
    if (x[3 * i] > 0 && x[3 * i + 1] > 0)
      numbers_are(reaction + 3 * i, (double[]){0, 0, 0}, 3, 0, "reaction of a free node");
  }
  numbers_are(sum, (double[]){-5, 0, 0}, 3, 1e-7, "sum of reactions");
  double *energy = vector(file, "/VTKHDF/CellData/strain-energy", 4), total = 0;
  for (int e = 0; e < 4; ++e) total += energy[e];
  numbers_are(&total, (double[]){0.5 * 10 * 0.01 * 0.5}, 1, 1e-9, "strain energy");
  free(x), free(u), free(stress), free(mises), free(principal), free(reaction), free(energy);
  H5Fclose(file);
  folder_remove(&folder);
}

/* Text under a name of /Sinew, kept as an attribute or a dataset; owned. */
static char *provenance(hid_t group, const char *name) {
  const bool is_attribute = H5Aexists(group, name) > 0;
  expect_that(is_attribute || H5Lexists(group, name, H5P_DEFAULT) > 0, "no '%s' in /Sinew", name);
  const hid_t object = is_attribute ? H5Aopen(group, name, H5P_DEFAULT) : H5Dopen2(group, name, H5P_DEFAULT);
  const hid_t type = is_attribute ? H5Aget_type(object) : H5Dget_type(object);
  expect_that(H5Tget_class(type) == H5T_STRING, "'%s' in /Sinew is no text", name);
  char *text = NULL;
  if (H5Tis_variable_str(type)) {
    char *borrowed = NULL;
    if (is_attribute) H5Aread(object, type, &borrowed);
    else H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &borrowed);
    text = strdup(borrowed ? borrowed : "");
  } else {
    text = calloc(1, H5Tget_size(type) + 1);
    if (is_attribute) H5Aread(object, type, text);
    else H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text);
  }
  H5Tclose(type);
  if (is_attribute) H5Aclose(object);
  else H5Dclose(object);
  return text;
}

static void provenance_is_kept(void **state) {
  (void)state;
  char *folder = square_solved(SQUARE_MESH);
  const hid_t file = file_open(folder, "results/results.hdf"), group = H5Gopen2(file, "/Sinew", H5P_DEFAULT);
  expect_that(group >= 0, "no group /Sinew");
  static const char *const names[] = {"version", "commit", "device", "precision", "mesh_hash"};
  for (int i = 0; i < 5; ++i) {
    char *text = provenance(group, names[i]);
    expect_that(*text, "'%s' in /Sinew is empty", names[i]);
    if (i == 0) expect_that(text[0] >= '0' && text[0] <= '9' && strchr(text, '.'), "version is '%s'", text);
    if (i == 3) assert_string_equal(text, "auto");
    free(text);
  }
  char *text = provenance(group, "case");
  expect_that(strstr(text, "Square in tension") != NULL, "the case text is not kept: %s", text);
  free(text);
  H5Gclose(group), H5Fclose(file);
  folder_remove(&folder);
}

/* Every array that the sidecar names is in results.hdf. */
static void sidecar_names_what_is_there(void **state) {
  (void)state;
  char *folder = square_solved(SQUARE_MESH), *text = get_text(folder, "results/results.xdmf");
  const hid_t file = file_open(folder, "results/results.hdf");
  int n = 0;
  for (const char *p = text; (p = strstr(p, "results.hdf:/")); ++n) {
    char path[256] = {0};
    p += strlen("results.hdf:");
    const size_t length = strcspn(p, "|< \n");
    expect_that(length < sizeof path, "a path of %zu characters", length);
    memcpy(path, p, length);
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    expect_that(set >= 0, "results.xdmf names '%s', which is not in results.hdf", path);
    H5Dclose(set);
  }
  expect_that(n == 2 + 3, "results.xdmf names %d arrays", n); /* and fields by their place */
  static const char *const fields[] = {"PointData/displacement", "PointData/stress",   "PointData/von-mises",
                                       "PointData/principal",    "PointData/reaction", "CellData/strain-energy"};
  for (int i = 0; i < 6; ++i) {
    char name[64], seek[64];
    snprintf(name, sizeof name, "\"%s\"", strchr(fields[i], '/') + 1);
    const char *named = strstr(text, name);
    expect_that(named != NULL, "results.xdmf does not name %s", name);
    snprintf(name, sizeof name, "/VTKHDF/%s", fields[i]);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    snprintf(seek, sizeof seek, "Seek=\"%llu\"", (unsigned long long)H5Dget_offset(set));
    H5Dclose(set);
    const char *place = strstr(named, "Seek=");
    expect_that(place && strncmp(place, seek, strlen(seek)) == 0, "%s is not at %s: %.60s", fields[i], seek,
                place ? place : "");
  }
  expect_that(strstr(text, "<Xdmf") && strstr(text, "</Xdmf>"), "results.xdmf is no XDMF");
  free(text);
  H5Fclose(file);
  folder_remove(&folder);
}

static void probes_table(void **state) {
  (void)state;
  char *folder = square_solved(SQUARE_MESH), *text = get_text(folder, "results/probes.csv");
  const char *header = "time,corner,inside,left-reaction-x,left-reaction-y";
  expect_that(!strncmp(text, header, strlen(header)), "probes.csv begins with %.80s", text);
  double t, corner, inside, x, y;
  const char *row = strchr(text, '\n');
  expect_that(row && sscanf(row, " %lf,%lf,%lf,%lf,%lf", &t, &corner, &inside, &x, &y) == 5, "probes.csv is %s", text);
  numbers_are((double[]){t, corner, inside, x, y}, (double[]){0, 0.01, 10, -5, 0}, 5, 1e-6, "probes.csv");
  numbers_are(&corner, (double[]){0.01}, 1, 1e-11, "the corner");
  row = strchr(row + 1, '\n');
  expect_that(row && !row[1], "probes.csv should end after one row: %s", text);
  free(text);
  folder_remove(&folder);
}

static void report_for_machines(void **state) {
  (void)state;
  char *folder = square_solved(SQUARE_MESH), *text = get_text(folder, "results/report.json");
  expect_that(json_valid(text), "report.json is no JSON: %s", text);
  static const char *const keys[] = {"true_residual", "iterations", "unknowns", "seconds",
                                     "device",        "precision",  "status"};
  for (int i = 0; i < 7; ++i)
    expect_that(json_find(text, keys[i]) != NULL, "report.json has no '%s': %s", keys[i], text);
  const double residual = strtod(json_find(text, "true_residual"), NULL);
  expect_that(residual >= 0 && residual <= 1e-10, "true_residual is %g", residual);
  expect_that(strtol(json_find(text, "iterations"), NULL, 10) >= 1, "no iterations: %s", text);
  expect_that(strtol(json_find(text, "unknowns"), NULL, 10) == 12, "12 unknowns are free: %s", text);
  expect_that(*json_find(text, "seconds") == '{', "'seconds' should be by phase: %s", text);
  expect_that(*json_find(text, "device") == '"', "'device' should be a name: %s", text);
  expect_that(!strncmp(json_find(text, "precision"), "\"auto\"", 6), "'precision' should be auto: %s", text);
  expect_that(*json_find(text, "status") == '"', "'status' should be a word: %s", text);
  free(text);
  folder_remove(&folder);
}

/* The phases add up to the total, which is what the process took: nothing is left out, nothing counted twice. */
static void phases_add_up(void **state) {
  (void)state;
  static const char *const phases[] = {"start", "mesh",    "setup", "assembly", "preconditioner",
                                       "solve", "recover", "write", "measure",  "end"};
  char *folder = folder_create();
  put_text(folder, "case.yaml", CUBE_CASE);
  put_text(folder, "cube.msh", CUBE_MESH);
  const double begin = clock_seconds();
  Run run = run_sinew(folder, "run", "case.yaml", "--backend", backend(), NULL);
  const double spent = clock_seconds() - begin;
  assert_code(&run, 0);
  run_release(&run);
  char *text = get_text(folder, "results/report.json"), *map = strstr(text, "\"seconds\"");
  expect_that(map != NULL, "no times: %s", text);
  double sum = 0;
  for (size_t i = 0; i < sizeof phases / sizeof *phases; ++i) {
    const char *value = json_find(map, phases[i]);
    expect_that(value && strtod(value, NULL) >= 0, "no time for '%s': %s", phases[i], map);
    sum += strtod(value, NULL);
  }
  const double total = strtod(json_find(map, "total"), NULL);
  expect_that(fabs(sum - total) <= 1e-9, "the phases add up to %.9g s, the total is %.9g s", sum, total);
  expect_that(total <= spent, "%g s of %g s", total, spent);
  /* starting a program and looking at its end is not its own time; a busy machine makes both longer */
  expect_that(total >= 0.2 * spent - 0.1, "only %g s of %g s are accounted for", total, spent);
  free(text);
  folder_remove(&folder);
}

static char *cube_column(const char *option, const char *value) {
  char *folder = folder_create();
  put_text(folder, "case.yaml", CUBE_CASE);
  put_text(folder, "cube.msh", CUBE_MESH);
  Run run = run_sinew(folder, "run", "case.yaml", "--backend", backend(), option, value, NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *text = get_text(folder, "results/probes.csv");
  folder_remove(&folder);
  return text;
}

static void cube_in_3d(void **state) {
  (void)state;
  char *text = cube_column(NULL, NULL);
  double t = -1, z = 0;
  expect_that(sscanf(text, "time,corner %lf,%lf", &t, &z) == 2, "probes.csv is %s", text);
  numbers_are((double[]){t, z}, (double[]){0, -0.0025}, 2, 1e-9, "the corner");
  free(text);
}

static void same_bits_for_any_threads(void **state) {
  (void)state;
  char *one = cube_column("--threads", "1");
  static const char *const counts[] = {"2", "3", "7"};
  for (int i = 0; i < 3; ++i) {
    char *more = cube_column("--threads", counts[i]);
    assert_string_equal(one, more);
    free(more);
  }
  free(one);
}

/* Every format and precision gives the same answer through the whole program. */
static void any_solver_gives_the_answer(void **state) {
  (void)state;
  static const char *const settings[] = {"solver.format=csr", "solver.format=sbell", "solver.precision=double",
                                         "solver.preconditioner.type=jacobi",
                                         "solver.preconditioner.type=least-squares"};
  for (int i = 0; i < 5; ++i) {
    char *text = cube_column("--set", settings[i]);
    double t = -1, z = 0;
    expect_that(sscanf(text, "time,corner %lf,%lf", &t, &z) == 2 && fabs(z + 0.0025) < 1e-9, "with %s: %s", settings[i],
                text);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vtkhdf_layout),
      cmocka_unit_test(vtkhdf_steps),
      cmocka_unit_test(field_values),
      cmocka_unit_test(provenance_is_kept),
      cmocka_unit_test(sidecar_names_what_is_there),
      cmocka_unit_test(probes_table),
      cmocka_unit_test(phases_add_up),
      cmocka_unit_test(report_for_machines),
      cmocka_unit_test(cube_in_3d),
      cmocka_unit_test(same_bits_for_any_threads),
      cmocka_unit_test(any_solver_gives_the_answer),
  };
  Exec *exec = testing_exec(); /* answers 77 where a GPU is asked for and none is */
  exec_destroy(&exec);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
