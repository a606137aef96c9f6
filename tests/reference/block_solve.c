/* Runs both programs on the block and reads what they found, see block.h. */
#include "tests/cli/run_program.h"
#include "tests/reference/block.h"

#include <complex.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int node_near(const Block *block, const double x[3]) {
  for (int i = 0; i < block->n_node; ++i)
    if (fabs(block->x[i][0] - x[0]) + fabs(block->x[i][1] - x[1]) + fabs(block->x[i][2] - x[2]) < 1e-7) return i;
  return -1;
}

static double (*rows_of_3(hid_t file, const char *name, int n))[3] {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set);
  hsize_t shape[2] = {0};
  if (set < 0 || H5Sget_simple_extent_ndims(space) != 2) fail_msg("no [n][3] dataset '%s'", name);
  H5Sget_simple_extent_dims(space, shape, NULL);
  if (shape[0] != (hsize_t)n || shape[1] != 3)
    fail_msg("'%s' is [%d][%d], not [%d][3]", name, (int)shape[0], (int)shape[1], n);
  double(*out)[3] = calloc((size_t)n, sizeof *out);
  if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) fail_msg("cannot read '%s'", name);
  H5Sclose(space);
  H5Dclose(set);
  return out;
}

static hid_t run_case(const char *folder) {
  char path[4096];
  Run run = run_sinew(folder, "run", "case.yaml", "--overwrite", NULL);
  assert_code(&run, 0);
  run_release(&run);
  snprintf(path, sizeof path, "%s/results/results.hdf", folder);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) fail_msg("'%s' is not HDF5", path);
  return file;
}

/* Step k of n_step of a field, in the block's order. */
static void read_step(const Block *block, hid_t file, const char *name, int k, int n_step, double (*u)[3]) {
  double(*x)[3] = rows_of_3(file, "/VTKHDF/Points", block->n_node);
  double(*all)[3] = rows_of_3(file, name, n_step * block->n_node),
  (*found)[3] = all + (size_t)k * (size_t)block->n_node;
  for (int i = 0; i < block->n_node; ++i) u[i][0] = (double)NAN;
  for (int i = 0; i < block->n_node; ++i) {
    const int at = node_near(block, x[i]);
    if (at < 0) fail_msg("no node of the mesh at %g %g %g", x[i][0], x[i][1], x[i][2]);
    memcpy(u[at], found[i], sizeof u[at]);
  }
  free(x);
  free(all);
}

void block_solve_sinew(const Block *block, const char *folder, double (*u)[3]) {
  block_write_sinew(block, folder, NULL);
  const hid_t file = run_case(folder);
  read_step(block, file, "/VTKHDF/PointData/displacement", 0, 1, u);
  H5Fclose(file);
}

void block_shake_sinew(const Block *block, const char *folder, const BlockShake *shake, double (*u)[2][BLOCK_GRID][3]) {
  block_write_sinew(block, folder, shake);
  const hid_t file = run_case(folder);
  for (int k = 0; k < BLOCK_FREQUENCIES; ++k) {
    read_step(block, file, "/VTKHDF/PointData/displacement-real", k, BLOCK_FREQUENCIES, u[k][0]);
    read_step(block, file, "/VTKHDF/PointData/displacement-imaginary", k, BLOCK_FREQUENCIES, u[k][1]);
  }
  H5Fclose(file);
}

static char *run_calculix(const char *folder) {
  Run run = run_program(folder, "ccx", (const char *[]){"block", NULL});
  assert_code(&run, 0);
  run_release(&run);
  return get_text(folder, "block.dat");
}

/* Reads the next table of displacements at a time (a frequency) from *text on, and moves *text behind it. */
static void read_table(const Block *block, char **text, double time, double (*u)[3]) {
  static const char title[] = "displacements (vx,vy,vz) for set ALL and time";
  char *at = *text;
  do {
    at = strstr(at, title);
    if (!at) fail_msg("CalculiX gave no displacements at %g", time);
    at += sizeof title - 1;
  } while (fabs(strtod(at, &at) - time) > 1e-6 * time);
  for (int i = 0, id; i < block->n_node; ++i) {
    double v[3];
    at += strspn(at, " \r\n");
    if (sscanf(at, "%d %lf %lf %lf", &id, v, v + 1, v + 2) != 4 || id != i + 1)
      fail_msg("CalculiX gave %d of %d displacements at %g", i, block->n_node, time);
    memcpy(u[i], v, sizeof v);
    at += strcspn(at, "\n");
  }
  *text = at;
}

void block_solve_calculix(const Block *block, const char *folder, double (*u)[3]) {
  block_write_calculix(block, folder, NULL);
  char *text = run_calculix(folder), *at = text;
  read_table(block, &at, 1, u);
  free(text);
}

void block_shake_calculix(const Block *block, const char *folder, const BlockShake *shake,
                          double (*u)[2][BLOCK_GRID][3]) {
  static double still[BLOCK_GRID][3], slow[2][BLOCK_GRID][3];
  block_write_calculix(block, folder, shake);
  char *text = run_calculix(folder), *at = text;
  read_table(block, &at, 1, still);
  for (int part = 0; part < 2; ++part) read_table(block, &at, 1e-6, slow[part]);
  for (int k = 0; k < BLOCK_FREQUENCIES; ++k) {
    for (int part = 0; part < 2; ++part) read_table(block, &at, shake->frequency[k], u[k][part]);
    const double complex damped = 1 + I * shake->loss, more = I * 2 * acos(-1) * shake->frequency[k] * shake->beta;
    for (int i = 0; i < block->n_node; ++i)
      for (int c = 0; c < 3; ++c) {
        const double complex rest = still[i][c] / damped - (slow[0][i][c] + I * slow[1][i][c]);
        u[k][0][i][c] += creal(rest * damped / (damped + more));
        u[k][1][i][c] += cimag(rest * damped / (damped + more));
      }
  }
  free(text);
}

void block_read_reference(const Block *block, const char *path, double (*u)[3]) {
  FILE *file = fopen(path, "r");
  if (!file) fail_msg("no reference '%s'", path);
  char line[256];
  int found = 0;
  while (fgets(line, sizeof line, file)) {
    double x[3], v[3];
    if (*line == '#') continue;
    if (sscanf(line, "%lf %lf %lf %lf %lf %lf", x, x + 1, x + 2, v, v + 1, v + 2) != 6)
      fail_msg("%s: cannot read '%s'", path, line);
    const int k = node_near(block, x);
    if (k < 0) fail_msg("%s: no node of the mesh at %g %g %g", path, x[0], x[1], x[2]);
    memcpy(u[k], v, sizeof v);
    ++found;
  }
  fclose(file);
  if (found != block->n_node) fail_msg("%s holds %d of %d displacements", path, found, block->n_node);
}

void block_write_reference(const Block *block, const char *path, const char *made_by, double (*u)[3]) {
  FILE *file = fopen(path, "w");
  if (!file) fail_msg("cannot write '%s'", path);
  fprintf(file,
          "# Block of tests/reference/block.h, %s: x y z, displacement x y z, as CalculiX prints them.\n"
          "# Made by: %s\n",
          block->name, made_by);
  for (int i = 0; i < block->n_node; ++i)
    fprintf(file, "%.10g %.10g %.10g  %.6e %.6e %.6e\n", block->x[i][0], block->x[i][1], block->x[i][2], u[i][0],
            u[i][1], u[i][2]);
  if (fclose(file)) fail_msg("cannot write '%s'", path);
}

void block_compare(const Block *block, double (*u)[3], double (*reference)[3]) {
  double largest = 0, apart = 0;
  int worst = 0;
  for (int i = 0; i < block->n_node; ++i)
    for (int c = 0; c < 3; ++c) {
      const double d = fabs(u[i][c] - reference[i][c]);
      if (fabs(reference[i][c]) > largest) largest = fabs(reference[i][c]);
      if (!(d <= apart)) apart = d, worst = i;
    }
  print_message("%s: %d nodes, largest displacement %g, largest difference %.2e of it\n", block->name, block->n_node,
                largest, apart / largest);
  if (!(largest > 0) || !(apart <= 2e-6 * largest))
    fail_msg("%s: node at %g %g %g: %.9g %.9g %.9g here, %.9g %.9g %.9g there", block->name, block->x[worst][0],
             block->x[worst][1], block->x[worst][2], u[worst][0], u[worst][1], u[worst][2], reference[worst][0],
             reference[worst][1], reference[worst][2]);
}

const char *calculix_version(char *text, size_t size) {
  Run run = run_program(".", "sh", (const char *[]){"-c", "command -v ccx >/dev/null && ccx -v", NULL});
  snprintf(text, size, "%s", "");
  const char *at = strstr(run.out, "Version");
  if (at) snprintf(text, size, "CalculiX %.*s", (int)strcspn(at + 8, "\n"), at + 8);
  run_release(&run);
  return text;
}
