#include "tests/faults/same.h"

#include "tests/faults/program.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 20 };

typedef struct Pair {
  hid_t file, reference;
  hsize_t n_step, n_whole; /* of the file and of the reference */
  hsize_t n_node, n_cell;
  bool steps_only;
} Pair;

const char *likeness_word(Likeness likeness) {
  static const char *const words[] = {"absent", "unreadable", "of another run", "the first steps", "whole"};
  return words[likeness];
}

static hsize_t steps_of(hid_t file) {
  int64_t n = -1;
  const hid_t steps = H5Gopen2(file, "/VTKHDF/Steps", H5P_DEFAULT);
  const hid_t attribute = steps >= 0 ? H5Aopen(steps, "NSteps", H5P_DEFAULT) : -1;
  if (attribute < 0 || H5Aread(attribute, H5T_NATIVE_INT64, &n) < 0 || n < 0) _exit(UNREADABLE);
  H5Aclose(attribute);
  H5Gclose(steps);
  return (hsize_t)n;
}

static hsize_t first_of(hid_t file, const char *name) {
  int64_t n = 0;
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
  if (data < 0 || H5Dread(data, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &n) < 0) _exit(UNREADABLE);
  H5Dclose(data);
  return (hsize_t)n;
}

/* A dataset's bytes and its rows; the whole of it is read. */
static unsigned char *data_of(hid_t file, const char *name, hsize_t *n_row, size_t *row_bytes) {
  const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
  if (data < 0) _exit(UNREADABLE);
  const hid_t type = H5Dget_type(data), space = H5Dget_space(data);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  const int rank = H5Sget_simple_extent_ndims(space);
  hsize_t dims[H5S_MAX_RANK] = {1};
  if (rank > 0) H5Sget_simple_extent_dims(space, dims, NULL);
  const size_t size = H5Tget_size(type);
  if (points < 0 || size == 0 || (size_t)points > (1u << 28) / size) _exit(UNREADABLE);
  unsigned char *bytes = calloc((size_t)points + 1, size);
  if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0) _exit(UNREADABLE);
  *n_row = rank > 0 ? dims[0] : 1;
  *row_bytes = *n_row ? (size_t)points / (size_t)*n_row * size : 0;
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(data);
  return bytes;
}

/* How many rows of a dataset belong to the steps that the file has. */
static hsize_t rows_due(const Pair *pair, const char *name, hsize_t whole) {
  const bool nodes = strncmp(name, "VTKHDF/PointData/", 17) == 0, cells = strncmp(name, "VTKHDF/CellData/", 16) == 0;
  const hsize_t each = nodes ? pair->n_node : cells ? pair->n_cell : 0;
  if (each && whole > each) return pair->n_step * each;
  if (each && (pair->steps_only || pair->n_step < pair->n_whole)) return 0; /* maps: what they say so far */
  if (strncmp(name, "VTKHDF/Steps/", 13) == 0 && whole >= pair->n_whole) return pair->n_step;
  return whole;
}

static herr_t visit(hid_t reference, const char *name, const H5O_info_t *info, void *context) {
  Pair *pair = context;
  const bool history = strncmp(name, "Sinew/history/", 14) == 0 && !strstr(name, "seconds");
  if (info->type != H5O_TYPE_DATASET || (strncmp(name, "VTKHDF/", 7) != 0 && !history)) return 0;
  if (history && (pair->steps_only || pair->n_step < pair->n_whole))
    return 0; /* its rows are those of the solver's steps */
  hsize_t n, m;
  size_t a, b;
  unsigned char *whole = data_of(reference, name, &n, &a), *part = data_of(pair->file, name, &m, &b);
  const hsize_t due = rows_due(pair, name, n);
  const bool same = a == b && m >= due && n >= due && memcmp(whole, part, (size_t)due * a) == 0;
  free(whole);
  free(part);
  return same ? 0 : 1;
}

static Likeness compare(const char *path, const char *reference, bool steps_only, int *n_step) {
  H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  Pair pair = {.steps_only = steps_only,
               .file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT),
               .reference = H5Fopen(reference, H5F_ACC_RDONLY, H5P_DEFAULT)};
  if (pair.file < 0 || pair.reference < 0) return UNREADABLE;
  pair.n_step = steps_of(pair.file), pair.n_whole = steps_of(pair.reference);
  pair.n_node = first_of(pair.reference, "/VTKHDF/NumberOfPoints");
  pair.n_cell = first_of(pair.reference, "/VTKHDF/NumberOfCells");
  *n_step = (int)pair.n_step;
  if (pair.n_step > pair.n_whole) return OTHER;
  if (H5Ovisit2(pair.reference, H5_INDEX_NAME, H5_ITER_INC, visit, &pair, H5O_INFO_BASIC) != 0) return OTHER;
  return pair.n_step < pair.n_whole ? PART : WHOLE;
}

Likeness result_likeness(const char *path, const char *reference, bool steps_only, int *n_step) {
  *n_step = 0;
  if (!file_there(path)) return ABSENT;
  int *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) give_up("no shared memory");
  *shared = 0;
  const pid_t child = fork();
  if (child < 0) give_up("no new process");
  if (child == 0) {
    setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    _exit((int)compare(path, reference, steps_only, shared));
  }
  int status = 0;
  waitpid(child, &status, 0);
  *n_step = *shared;
  munmap(shared, sizeof *shared);
  return WIFEXITED(status) ? (Likeness)WEXITSTATUS(status) : UNREADABLE;
}

Likeness rows_likeness(const char *path, const char *reference) {
  size_t n, m;
  unsigned char *rows = file_read(path, &n), *whole = file_read(reference, &m);
  Likeness likeness = OTHER;
  if (!whole) give_up("'%s' is missing", reference);
  if (!rows) likeness = ABSENT;
  else if (n <= m && memcmp(rows, whole, n) == 0) likeness = n == m ? WHOLE : PART;
  free(rows);
  free(whole);
  return likeness;
}
