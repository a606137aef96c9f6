/* The solver's history in the result file: see history.h. */
#include "output/history.h"
#include "core/clock.h"

#include <stdio.h>
#include <string.h>

/* What rows of the history may cost of the time of a run: each time the chunk of a column is written whole. */
static const double SHARE = 0.005;

static Status open_column(History *history, hid_t group, const char *path, const char *name) {
  CHECK(history->n < HISTORY_COLUMNS && strlen(name) < HISTORY_NAME && name[0] && !strchr(name, '/'), ERR_BUG,
        "column '%s' of the history does not fit", name);
  const hid_t data = H5Dopen2(group, name, H5P_DEFAULT);
  if (data < 0) return h5_error(path, "open column '%s' of the history of", name);
  history->data[history->n] = data;
  snprintf(history->name[history->n++], HISTORY_NAME, "%s", name);
  return OK;
}

Status history_create(History *history, hid_t file, const char *path, int32_t n, const char *const *names) {
  Status status = OK;
  const hid_t group = H5Gopen2(file, "/Sinew/history", H5P_DEFAULT);
  if (group < 0) return h5_error(path, "open the history of");
  for (int32_t c = 0; c < n && status == OK; ++c) {
    if (!h5_series_create(group, names[c], H5T_IEEE_F64LE, history->capacity))
      status = h5_error(path, "make column '%s' of the history of", names[c]);
    else status = open_column(history, group, path, names[c]);
  }
  H5Gclose(group);
  return status;
}

Status history_open(History *history, hid_t file, const char *path) {
  Status status = OK;
  const hid_t group = H5Gopen2(file, "/Sinew/history", H5P_DEFAULT);
  H5G_info_t info;
  if (group < 0) return h5_error(path, "open the history of");
  if (H5Gget_info(group, &info) < 0) {
    status = h5_error(path, "open the history of");
    info.nlinks = 0;
  }
  for (hsize_t i = 0; i < info.nlinks && status == OK; ++i) {
    char name[HISTORY_NAME + 1] = "";
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
    status = open_column(history, group, path, name);
    int rank;
    hsize_t rows[4];
    if (status != OK || !h5_shape(group, name, &rank, rows)) continue;
    /* A run killed between two columns leaves one of them a row longer. */
    if (i == 0 || (int64_t)rows[0] < history->row) history->row = (int64_t)rows[0];
    const hid_t space = H5Dget_space(history->data[i]);
    hsize_t most[4] = {0};
    H5Sget_simple_extent_dims(space, NULL, most);
    H5Sclose(space);
    history->capacity = (int64_t)most[0];
  }
  H5Gclose(group);
  return status;
}

/* Puts n values behind `row` others. */
static Status write_numbers(hid_t data, const char *path, int64_t row, int32_t n, const double *values) {
  const hsize_t end = (hsize_t)(row + n), start = (hsize_t)row, count = (hsize_t)n;
  if (H5Dset_extent(data, &end) < 0) return h5_error(path, "add a row to the history of");
  const hid_t space = H5Dget_space(data), memory = H5Screate_simple(1, &count, NULL);
  const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL) >= 0 &&
                    H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
  const Status status = good ? OK : h5_error(path, "write the history to");
  H5Sclose(space);
  H5Sclose(memory);
  return status;
}

Status history_flush(History *history, const char *path, bool now) {
  const double begin = clock_seconds();
  if (history->n_kept == 0 || (!now && SHARE * (begin - history->flushed_at) < history->cost)) return OK;
  for (int32_t c = 0; c < history->n; ++c) {
    TRY(write_numbers(history->data[c], path, history->row - history->n_kept, history->n_kept, history->kept[c]));
    checksum_add(&history->sum[c], history->kept[c], history->n_kept * (int64_t)sizeof(double));
  }
  if (H5Fflush(history->data[0], H5F_SCOPE_LOCAL) < 0) return h5_error(path, "write the history to");
  history->n_kept = 0;
  history->flushed_at = clock_seconds();
  history->cost = history->flushed_at - begin;
  return OK;
}

/* The column of this name, -1 when there is none; `guess` is looked at first. */
static int32_t history_find(const History *history, const char *name, int32_t guess) {
  if (guess < history->n && strcmp(history->name[guess], name) == 0) return guess;
  for (int32_t c = 0; c < history->n; ++c)
    if (strcmp(history->name[c], name) == 0) return c;
  return -1;
}

Status history_row(History *history, hid_t file, const char *path, int32_t n, const char *const *names,
                   const double *values) {
  if (history->lost) return OK;
  if (history->n == 0) TRY(history_create(history, file, path, n, names));
  CHECK(n == history->n, ERR_BUG, "a history row of %d numbers in a table of %d", n, history->n);
  if (history->row == history->capacity) {
    if (!history->full)
      status_warn("the history of '%s' is full after %lld rows; later ones are not stored", path,
                  (long long)history->row);
    history->full = true;
    return OK;
  }
  if (history->n_kept == HISTORY_KEPT) TRY(history_flush(history, path, true));
  for (int32_t i = 0; i < n; ++i) {
    const int32_t c = history_find(history, names[i], i);
    CHECK(c >= 0, ERR_BUG, "no column '%s' in the history", names[i]);
    history->kept[c][history->n_kept] = values[i];
  }
  ++history->n_kept;
  ++history->row;
  return OK;
}

void history_close(History *history) {
  for (int32_t c = 0; c < history->n; ++c) H5Dclose(history->data[c]);
  history->n = history->n_kept = 0;
}
