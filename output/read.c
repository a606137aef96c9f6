/* Reads results.hdf: see layout.h for what lies where. */
#include "output/read.h"

#include "core/memory.h"
#include "mesh/io/h5.h"
#include "output/layout.h"

#include <stdio.h>
#include <string.h>

/* More than any field has: what is beyond comes from a damaged file. */
enum { COMPONENTS_MAX = 1000 };

static bool read_integer(hid_t file, const char *name, int64_t *out) {
  return h5_read_list(file, name, H5T_NATIVE_INT64, 1, out);
}

/* Number of links of a group, 0 when it is not there. */
static int32_t count_links(hid_t file, const char *name) {
  H5G_info_t info;
  if (H5Lexists(file, name, H5P_DEFAULT) <= 0 || H5Gget_info_by_name(file, name, &info, H5P_DEFAULT) < 0) return 0;
  return (int32_t)info.nlinks;
}

static Status read_fields(Result *result, const char *group, bool on_cells) {
  const hid_t file = result->file;
  const int32_t n = count_links(file, group);
  const int64_t n_row = on_cells ? result->n_cell : result->n_node;
  for (int32_t i = 0; i < n; ++i) {
    ResultField *field = &result->field[result->n_field];
    char path[FIELD_PATH];
    int rank;
    hsize_t dims[4];
    H5Lget_name_by_idx(file, group, H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, field->name, sizeof field->name,
                       H5P_DEFAULT);
    snprintf(path, sizeof path, "%s/%s", group, field->name);
    CHECK(h5_shape(file, path, &rank, dims) && (rank == 1 || (rank == 2 && dims[1] > 0 && dims[1] <= COMPONENTS_MAX)),
          ERR_IO, "'%s' is damaged: no field at %s", result->path, path);
    field->on_cells = on_cells;
    field->n_component = rank == 2 ? (int32_t)dims[1] : 1;
    field->once = (int64_t)dims[0] == n_row && result->n_reserved > 1;
    CHECK(field->once || (int64_t)dims[0] == n_row * result->n_reserved, ERR_IO,
          "'%s' is damaged: field '%s' has %lld rows", result->path, field->name, (long long)dims[0]);
    ++result->n_field;
  }
  return OK;
}

static Status read_steps(Result *result) {
  int rank;
  hsize_t dims[4];
  const hid_t steps = H5Gopen2(result->file, "/VTKHDF/Steps", H5P_DEFAULT);
  bool good = steps >= 0 && h5_integer_read(steps, "NSteps", &result->n_step);
  good = good && h5_shape(steps, "NumberOfParts", &rank, dims) && dims[0] <= INT32_MAX && result->n_step >= 0 &&
         result->n_step <= (int64_t)dims[0];
  if (good) result->n_reserved = (int64_t)dims[0];
  good = good && h5_shape(steps, "Values", &rank, dims);
  if (good && result->n_step > (int64_t)dims[0]) result->n_step = (int64_t)dims[0];
  Status status = good ? mem_alloc(result->n_step, sizeof(double), "the times of a result", (void **)&result->time)
                       : FAIL(ERR_IO, "'%s' is damaged: its table of steps cannot be read", result->path);
  if (status == OK && !h5_read_list(steps, "Values", H5T_NATIVE_DOUBLE, result->n_step, result->time))
    status = h5_error(result->path, "read the times of");
  if (steps >= 0) H5Gclose(steps);
  return status;
}

static Status read_head(Result *result) {
  const hid_t file = result->file;
  CHECK(H5Lexists(file, "/VTKHDF", H5P_DEFAULT) > 0 && H5Lexists(file, "/VTKHDF/Steps", H5P_DEFAULT) > 0, ERR_IO,
        "'%s' is not a result of Sinew: it has no group /VTKHDF/Steps", result->path);
  if (!read_integer(file, "/VTKHDF/NumberOfPoints", &result->n_node) ||
      !read_integer(file, "/VTKHDF/NumberOfCells", &result->n_cell))
    return h5_error(result->path, "read the sizes of");
  CHECK(result->n_node >= 0 && result->n_node <= INT32_MAX && result->n_cell >= 0 && result->n_cell <= INT32_MAX,
        ERR_IO, "'%s' is damaged: %lld nodes, %lld cells", result->path, (long long)result->n_node,
        (long long)result->n_cell);
  TRY(read_steps(result));
  const int32_t n = count_links(file, "/VTKHDF/PointData") + count_links(file, "/VTKHDF/CellData");
  ALLOC(result->field, n, "the fields of a result");
  TRY(read_fields(result, "/VTKHDF/PointData", false));
  return read_fields(result, "/VTKHDF/CellData", true);
}

Status result_open(const char *path, Result **out) {
  *out = NULL;
  Result *result = NULL;
  Status status = OK;
  TRY(h5_mine());
  ALLOC(result, 1, "a result");
  result->file = -1;
  TRY_DONE(mem_text(path, "the path of a result", &result->path));
  result->file = h5_file_open(path, false);
  if (result->file < 0) status = h5_error(path, "open");
  else status = h5_check_inside(result->file, path, ERR_IO);
  if (status == OK) status = read_head(result);
done:
  if (status != OK) result_close(&result);
  else *out = result;
  return status;
}

int64_t result_memory(const Result *result) {
  enum {
    LIBRARY = 64 << 20 /* tables and caches of HDF5 */,
    NUMBER = 8,
    CONNECTED = 64 /* nodes of a cell, at most */
  };
  const int64_t rows = result->n_node > result->n_cell ? result->n_node : result->n_cell;
  int64_t width = CONNECTED;
  for (int32_t f = 0; f < result->n_field; ++f)
    if (result->field[f].n_component > width) width = result->field[f].n_component;
  return LIBRARY + 2 * rows * width * NUMBER;
}

void result_close(Result **out) {
  Result *result = *out;
  if (!result) return;
  if (result->file >= 0) H5Fclose(result->file);
  FREE(result->path);
  FREE(result->time);
  FREE(result->field);
  FREE(*out);
}

const ResultField *result_field(const Result *result, const char *name, bool on_cells) {
  for (int32_t f = 0; f < result->n_field; ++f)
    if (result->field[f].on_cells == on_cells && strcmp(result->field[f].name, name) == 0) return &result->field[f];
  return NULL;
}

Status result_read(const Result *result, const ResultField *field, int64_t step, double *values) {
  if (step < 0) step += result->n_step;
  CHECK(step >= 0 && step < result->n_step, ERR_INPUT, "'%s' has %lld steps, not a step %lld", result->path,
        (long long)result->n_step, (long long)step + 1);
  const int64_t n = field->on_cells ? result->n_cell : result->n_node;
  char name[FIELD_PATH];
  snprintf(name, sizeof name, "/VTKHDF/%s/%s", field->on_cells ? "CellData" : "PointData", field->name);
  if (!h5_read_rows(result->file, name, H5T_NATIVE_DOUBLE, field->once ? 0 : step * n, n, values))
    return h5_error(result->path, "read '%s' of", field->name);
  return OK;
}

static void read_unit(hid_t file, const char *name, char *text, int size) {
  text[0] = 0;
  h5_read_text_attribute(file, name, "units", text, (size_t)size);
}

void result_unit(const Result *result, const ResultField *field, char *text, int size) {
  char name[FIELD_PATH];
  snprintf(name, sizeof name, "/VTKHDF/%s/%s", field->on_cells ? "CellData" : "PointData", field->name);
  read_unit(result->file, name, text, size);
}

void result_time_unit(const Result *result, char *text, int size) {
  read_unit(result->file, "/VTKHDF/Steps/Values", text, size);
}

void result_axis(const Result *result, char *text, int size) {
  text[0] = 0;
  h5_read_text_attribute(result->file, "/VTKHDF/Steps/Values", "axis", text, (size_t)size);
}

bool result_provenance(const Result *result, const char *name, char *text, int size) {
  char path[64];
  snprintf(path, sizeof path, "/Sinew/%s", name);
  return size > 0 && h5_read_text(result->file, path, text, (size_t)size);
}

/* Name `step` of names of one length. */
static bool read_name(hid_t set, int64_t step, char *text, int size) {
  const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
  const size_t length = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0;
  const hssize_t n = H5Sget_simple_extent_npoints(space);
  char *all = NULL;
  bool good = length > 0 && length < 4096 && step >= 0 && step < n && n < 1 << 20;
  good = good && mem_alloc((int64_t)length * n, 1, "names of a result", (void **)&all) == OK;
  good = good && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0;
  if (good) snprintf(text, (size_t)size, "%.*s", (int)length, all + (size_t)step * length);
  FREE(all);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

/* Name k of a list below /Sinew. */
static bool name_of(const Result *result, const char *list, int64_t k, char *text, int size) {
  if (H5Lexists(result->file, list, H5P_DEFAULT) <= 0) return false;
  const hid_t group = H5Gopen2(result->file, list, H5P_DEFAULT);
  const hid_t set = group >= 0 ? H5Dopen2(group, "name", H5P_DEFAULT) : -1;
  const bool good = set >= 0 && size > 0 && read_name(set, k, text, size);
  if (set >= 0) H5Dclose(set);
  if (group >= 0) H5Gclose(group);
  return good;
}

bool result_step_name(const Result *result, int64_t step, char *text, int size) {
  return name_of(result, "/Sinew/load-cases", step, text, size);
}

bool result_group_name(const Result *result, int64_t k, char *text, int size) {
  return name_of(result, "/Sinew/groups", k, text, size);
}
