/* results.hdf and its sidecar, step by step. The order of writes is what keeps a killed run's result whole:
 * fields, then the time and NSteps, flush, then (first step only) the rename to the final name, then the sidecar. Fields and
 * times go to their places in the file past HDF5, so that they are there before HDF5 is asked for anything. */
#include "output/writer.h"

#include "core/memory.h"
#include "mesh/h5.h"
#include "output/folder.h"
#include "output/history.h"
#include "output/layout.h"
#include "output/xdmf.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Replacing the sidecar waits for the disk, milliseconds, and its length grows with the steps: after the first steps it is written
 * when that takes no more than this share of the time since it was written last, and at the end. */
static const double SIDECAR_SHARE = 0.02;
enum { SIDECAR_FIRST = 4 };

struct Writer {
  Layout layout;
  OutputFolder *folder;
  char *path, *temporary, *sidecar; /* owned: results.hdf, results.hdf.new, results.xdmf */
  hid_t file;
  int descriptor;      /* of the same file, for what goes past HDF5; borrowed */
  int64_t *place;      /* owned, [n_field]: see h5_place; -1: through HDF5 */
  int64_t place_of_times;
  int64_t step;       /* whole in the file */
  int64_t in_sidecar; /* named by the sidecar on disk */
  double sidecar_at, sidecar_cost; /* when it was written last, and how long that took, seconds */
  double *time;       /* owned, [n_step] */
  bool published;     /* has its final name */
  bool failed;
  Xdmf xdmf;
  History history;
};

/* Ends a failure with what the user still has. */
static Status failed(Writer *writer, Status status) {
  const bool first = !writer->failed;
  writer->failed = true;
  if (status != ERR_IO || !first) return status;
  if (writer->step == 0 && !writer->published && access(writer->path, F_OK) == 0)
    return status_context(status, "no step was stored; the old result '%s' is untouched", writer->path);
  if (writer->step == 0) return status_context(status, "no step was stored; make room or choose another --output");
  if (writer->step == 1) return status_context(status, "step 1 is safe in '%s'", writer->path);
  return status_context(status, "steps 1 to %lld are safe in '%s'", (long long)writer->step, writer->path);
}

static Status flush(Writer *writer, const char *what) {
  if (H5Fflush(writer->file, H5F_SCOPE_LOCAL) < 0) return h5_error(writer->path, "write %s to", what);
  return OK;
}

/* NSteps and the length of Values, together in one flush. */
static Status set_steps(Writer *writer, int64_t n) {
  const bool past = writer->place_of_times >= 0;
  CHECK(n == 0 || !past || h5_write_place(writer->descriptor, writer->place_of_times + 8 * (n - 1), 1, &writer->time[n - 1]),
        ERR_IO, "cannot write the time of step %lld to '%s': %s", (long long)n, writer->path, strerror(errno));
  const hid_t steps = H5Gopen2(writer->file, "/VTKHDF/Steps", H5P_DEFAULT);
  bool good = steps >= 0 && h5_series_resize(steps, "Values", n > 0 ? n : 1);
  if (n > 0 && !past) good = good && h5_write_rows(steps, "Values", H5T_NATIVE_DOUBLE, n - 1, 1, &writer->time[n - 1]);
  good = good && h5_integer_write(steps, "NSteps", n);
  const Status status = good ? OK : h5_error(writer->path, "write the time of step %lld to", (long long)n);
  if (steps >= 0) H5Gclose(steps);
  TRY(status);
  TRY(flush(writer, "the number of steps"));
  writer->step = n;
  return OK;
}

static Status start_new(Writer *writer, const WriterParams *params) {
  writer->file = h5_file_create(writer->temporary);
  if (writer->file < 0) return h5_error(writer->temporary, "make");
  TRY(layout_create(writer->file, writer->temporary, params, &writer->layout));
  if (params->n_history > 0)
    TRY(history_create(&writer->history, writer->file, writer->temporary, params->n_history, params->history));
  return flush(writer, "the mesh");
}

static void rebuild_sidecar(Writer *writer) {
  xdmf_release(&writer->xdmf);
  xdmf_begin(&writer->xdmf);
  for (int64_t k = 0; k < writer->step; ++k) xdmf_step(&writer->xdmf, &writer->layout, k, writer->time[k]);
}

static Status continue_old(Writer *writer, const WriterParams *params) {
  int rank;
  hsize_t length[4];
  int64_t n = 0;
  writer->published = true;
  writer->file = h5_file_open(writer->path, true);
  if (writer->file < 0) {
    const Status status = h5_error(writer->path, "open");
    return status_context(status == ERR_IO ? ERR_RESTART : status, "use --overwrite or another --output");
  }
  TRY(layout_check(writer->file, writer->path, params, &writer->layout));
  const hid_t steps = H5Gopen2(writer->file, "/VTKHDF/Steps", H5P_DEFAULT);
  bool good = steps >= 0 && h5_integer_read(steps, "NSteps", &n) && h5_shape(steps, "Values", &rank, length);
  /* A run killed at the worst moment leaves the two apart by one. */
  if (good && n > (int64_t)length[0]) n = (int64_t)length[0];
  good = good && n >= 0 && n <= params->n_step && h5_read_rows(steps, "Values", H5T_NATIVE_DOUBLE, 0, n, writer->time);
  if (steps >= 0) H5Gclose(steps);
  CHECK(good, ERR_RESTART, "the table of steps of '%s' is damaged; use --overwrite or another --output", writer->path);
  writer->step = n;
  rebuild_sidecar(writer);
  if (history_open(&writer->history, writer->file, writer->path) == OK) return OK;
  /* Killed while the columns were being made (see WriterParams.history): the steps are whole all the same. */
  status_clear();
  status_warn("the history in '%s' is damaged and not continued; its steps are whole", writer->path);
  history_close(&writer->history);
  writer->history.lost = true;
  return OK;
}

static Status prepare(Writer *writer, const WriterParams *params) {
  TRY(output_path(params->folder, "results.hdf", &writer->path));
  TRY(output_path(params->folder, "results.hdf.new", &writer->temporary));
  TRY(output_path(params->folder, "results.xdmf", &writer->sidecar));
  ALLOC(writer->time, params->n_step, "the times of the steps");
  TRY(output_folder_open(params->folder, &writer->folder));
  TRY(output_folder_check(params->folder, params->overwrite, params->resume));
  const int64_t rows = params->n_step > INT64_MAX / 16 ? params->n_step : 16 * params->n_step;
  writer->history.capacity = params->n_history_row > 0 ? params->n_history_row : rows > 4096 ? rows : 4096;
  xdmf_begin(&writer->xdmf);
  if (params->resume && access(writer->path, F_OK) == 0) return continue_old(writer, params);
  const Status status = start_new(writer, params);
  return status == OK ? OK : failed(writer, status);
}

/* The file is there: where its numbers go. */
static Status find_places(Writer *writer) {
  const Layout *layout = &writer->layout;
  ALLOC(writer->place, layout->n_field, "the places of the fields");
  writer->descriptor = h5_descriptor(writer->file);
  const bool past = writer->descriptor >= 0;
  for (int32_t f = 0; f < layout->n_field; ++f) {
    char name[FIELD_PATH];
    layout_field_path(&layout->field[f], name, sizeof name);
    writer->place[f] = past ? h5_place(writer->file, name) : -1;
  }
  writer->place_of_times = past ? h5_place(writer->file, "/VTKHDF/Steps/Values") : -1;
  return OK;
}

Status writer_create(const WriterParams *params, Writer **out) {
  *out = NULL;
  Writer *writer = NULL;
  TRY(h5_mine());
  ALLOC(writer, 1, "the result writer");
  writer->file = writer->descriptor = -1;
  Status status = layout_init(params, &writer->layout);
  if (status == OK) status = prepare(writer, params);
  if (status == OK) status = find_places(writer);
  if (status != OK) {
    writer->failed = true; /* nothing more is to be said by closing */
    writer_close(&writer);
    return status;
  }
  *out = writer;
  return OK;
}

static Status store_field(Writer *writer, int32_t f, const double *values) {
  const WriterField *field = &writer->layout.field[f];
  const int64_t n = layout_rows(&writer->layout, field), first = field->once ? 0 : writer->step * n;
  const long long step = writer->step + 1;
  char name[FIELD_PATH];
  if (writer->place[f] >= 0) {
    const int64_t place = writer->place[f] + first * field->n_component * (int64_t)sizeof *values;
    if (h5_write_place(writer->descriptor, place, n * field->n_component, values)) return OK;
    return FAIL(ERR_IO, "cannot write '%s' of step %lld to '%s': %s", field->name, step, writer->path, strerror(errno));
  }
  layout_field_path(field, name, sizeof name);
  if (h5_write_rows(writer->file, name, H5T_NATIVE_DOUBLE, first, n, values)) return OK;
  return h5_error(writer->path, "write '%s' of step %lld to", field->name, step);
}

static Status store_fields(Writer *writer, const double *const *values) {
  for (int32_t f = 0; f < writer->layout.n_field; ++f) {
    const WriterField *field = &writer->layout.field[f];
    if (!values[f] && field->once) continue;
    CHECK(values[f], ERR_BUG, "no values for result field '%s'", field->name);
    TRY(store_field(writer, f, values[f]));
  }
  return writer->descriptor >= 0 ? OK : flush(writer, "the fields");
}

static Status publish(Writer *writer) {
  if (writer->published) return OK;
  if (rename(writer->temporary, writer->path) != 0) {
    writer->step = 0;
    return FAIL(ERR_IO, "cannot rename '%s' to '%s': %s", writer->temporary, writer->path, strerror(errno));
  }
  writer->published = true;
  return OK;
}

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Status save_sidecar(Writer *writer, bool now) {
  const double begin = seconds_now();
  const bool soon = SIDECAR_SHARE * (begin - writer->sidecar_at) < writer->sidecar_cost;
  if (writer->step == writer->in_sidecar || (!now && writer->step > SIDECAR_FIRST && soon)) return OK;
  TRY(xdmf_save(&writer->xdmf, writer->sidecar));
  writer->in_sidecar = writer->step;
  writer->sidecar_at = seconds_now();
  writer->sidecar_cost = writer->sidecar_at - begin;
  return OK;
}

static Status step(Writer *writer, double time, const double *const *values) {
  TRY(store_fields(writer, values));
  TRY(history_flush(&writer->history, writer->path, false));
  writer->time[writer->step] = time;
  TRY(set_steps(writer, writer->step + 1));
  TRY(publish(writer));
  xdmf_step(&writer->xdmf, &writer->layout, writer->step - 1, time);
  return save_sidecar(writer, false);
}

Status writer_step(Writer *writer, double time, const double *const *values) {
  CHECK(!writer->failed, ERR_IO, "an earlier write to '%s' failed", writer->path);
  CHECK(writer->step < writer->layout.n_step, ERR_BUG, "more than %lld steps for '%s'",
        (long long)writer->layout.n_step, writer->path);
  CHECK(isfinite(time) && (writer->step == 0 || time > writer->time[writer->step - 1]), ERR_BUG,
        "step %lld of '%s' at time %g", (long long)writer->step + 1, writer->path, time);
  const Status status = step(writer, time, values);
  return status == OK ? OK : failed(writer, status);
}

Status writer_history(Writer *writer, int32_t n, const char *const *names, const double *values) {
  CHECK(!writer->failed, ERR_IO, "an earlier write to '%s' failed", writer->path);
  const Status status = history_row(&writer->history, writer->file, writer->path, n, names, values);
  return status == OK ? OK : failed(writer, status);
}

Status writer_flush(Writer *writer) {
  CHECK(!writer->failed, ERR_IO, "an earlier write to '%s' failed", writer->path);
  const Status status = history_flush(&writer->history, writer->path, true);
  return status == OK ? OK : failed(writer, status);
}

Status writer_timing(Writer *writer, int32_t n, const char *const *names, const double *seconds) {
  CHECK(!writer->failed, ERR_IO, "an earlier write to '%s' failed", writer->path);
  CHECK(n >= 0 && n <= TIMING_PHASES, ERR_BUG, "%d phases in the timing", n);
  char phase[TIMING_PHASES][TIMING_NAME] = {{0}};
  double value[TIMING_PHASES] = {0};
  for (int32_t i = 0; i < n; ++i) {
    snprintf(phase[i], TIMING_NAME, "%s", names[i]);
    value[i] = seconds[i];
  }
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, TIMING_NAME);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  const bool good = h5_write_rows(writer->file, "/Sinew/timing/phase", type, 0, TIMING_PHASES, phase) &&
                    h5_write_rows(writer->file, "/Sinew/timing/seconds", H5T_NATIVE_DOUBLE, 0, TIMING_PHASES, value);
  const Status status = good ? OK : failed(writer, h5_error(writer->path, "write the timing to"));
  H5Tclose(type);
  return status;
}

int64_t writer_steps(const Writer *writer) {
  return writer->step;
}
double writer_time(const Writer *writer, int64_t k) {
  return k >= 0 && k < writer->step ? writer->time[k] : (double)NAN;
}
const char *writer_path(const Writer *writer) {
  return writer->path;
}

Status writer_rewind(Writer *writer, double time) {
  CHECK(!writer->failed, ERR_IO, "an earlier write to '%s' failed", writer->path);
  int64_t n = writer->step;
  while (n > 0 && writer->time[n - 1] > time + 1e-9 * fabs(time)) --n;
  history_rewind(&writer->history, time + 1e-9 * fabs(time));
  if (n == writer->step) return OK;
  Status status = set_steps(writer, n);
  rebuild_sidecar(writer);
  if (status == OK) status = save_sidecar(writer, true);
  return status == OK ? OK : failed(writer, status);
}

/* Closes the HDF5 file; what cannot be written any more is given up. */
static Status close_file(Writer *writer) {
  history_close(&writer->history);
  if (writer->file < 0) return OK;
  const bool good = H5Fclose(writer->file) >= 0;
  writer->file = -1;
  if (good || writer->failed) return OK;
  return failed(writer, h5_error(writer->path, "finish writing"));
}

Status writer_close(Writer **out) {
  Writer *writer = *out;
  if (!writer) return OK;
  Status status = writer->failed || writer->file < 0 ? OK : history_flush(&writer->history, writer->path, true);
  if (status == OK && !writer->failed && writer->file >= 0) status = flush(writer, "the last of the results");
  if (status != OK) status = failed(writer, status);
  const Status closed = close_file(writer);
  if (status == OK) status = closed;
  if (status == OK && !writer->failed && writer->published) status = save_sidecar(writer, true);
  if (!writer->published && writer->temporary) unlink(writer->temporary);
  output_folder_close(&writer->folder);
  xdmf_release(&writer->xdmf);
  layout_release(&writer->layout);
  FREE(writer->path);
  FREE(writer->temporary);
  FREE(writer->sidecar);
  FREE(writer->time);
  FREE(writer->place);
  FREE(*out);
  return status;
}
