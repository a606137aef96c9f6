/* results.hdf and its sidecar, step by step. The order of writes is what keeps a killed run's result whole:
 * fields, then the time and NSteps, flush, then (first step only) the rename to the final name, then the sidecar.
 * Fields and times go to their places in the file past HDF5, so that they are there before HDF5 is asked for
 * anything; packed ones through it, with a flush of their own. */
#include "output/writer_parts.h"

#include "core/clock.h"
#include "core/memory.h"
#include "mesh/io/h5.h"
#include "output/folder.h"
#include "output/packed.h"
#include "output/publish.h"
#include "output/slab.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Replacing the sidecar waits for the disk, milliseconds, and its length grows with the steps: after the first steps it
 * is written when that takes no more than this share of the time since it was written last, and at the end. */
static const double SIDECAR_SHARE = 0.02;
enum { SIDECAR_FIRST = 4, WRITEBACK_LEAST = 8 << 20 };

/* Ends a failure with what the user still has. */
Status writer_failed(Writer *writer, Status status) {
  const bool first = !writer->failed;
  writer->failed = true;
  if (status != ERR_IO || !first) return status;
  if (writer->step == 0 && writer->touched)
    return status_context(status, "no step was stored; the old result was being replaced");
  if (writer->step == 0 && !writer->published && access(writer->path, F_OK) == 0)
    return status_context(status, "no step was stored; the old result '%s' is untouched", writer->path);
  if (writer->step == 0) return status_context(status, "no step was stored; make room or choose another --output");
  if (writer->step == 1) return status_context(status, "step 1 is safe in '%s'", writer->path);
  return status_context(status, "steps 1 to %lld are safe in '%s'", (long long)writer->step, writer->path);
}

Status writer_sync_file(Writer *writer, const char *what) {
  if (H5Fflush(writer->file, H5F_SCOPE_LOCAL) < 0) return h5_error(writer->path, "write %s to", what);
  return OK;
}

/* NSteps and the length of Values, together in one flush. */
static Status set_steps(Writer *writer, int64_t n) {
  const bool past = writer->place_of_times >= 0;
  CHECK(n == 0 || !past ||
            h5_write_place(writer->descriptor, writer->place_of_times + 8 * (n - 1), 8, &writer->time[n - 1]),
        ERR_IO, "cannot write the time of step %lld to '%s': %s", (long long)n, writer->path, strerror(errno));
  const hid_t steps = H5Gopen2(writer->file, "/VTKHDF/Steps", H5P_DEFAULT);
  bool good = steps >= 0 && h5_rows_resize(steps, "Values", n > 0 ? n : 1);
  if (n > 0 && !past) good = good && h5_write_rows(steps, "Values", H5T_NATIVE_DOUBLE, n - 1, 1, &writer->time[n - 1]);
  good = good && h5_integer_write(steps, "NSteps", n);
  const Status status = good ? OK : h5_error(writer->path, "write the time of step %lld to", (long long)n);
  if (steps >= 0) H5Gclose(steps);
  TRY(status);
  TRY(writer_sync_file(writer, "the number of steps"));
  writer->step = n;
  return OK;
}

static Status stored_failed(const Writer *writer, const WriterField *field, bool past) {
  const long long step = writer->step + 1;
  if (!past) return h5_error(writer->path, "write '%s' of step %lld to", field->name, step);
  return FAIL(ERR_IO, "cannot write '%s' of step %lld to '%s': %s", field->name, step, writer->path, strerror(errno));
}

/* A chunk from its row in the step on. */
static Status store_chunk(Writer *writer, int32_t f, int64_t row, const double *values, float *room) {
  const WriterField *field = &writer->layout.field[f];
  const int64_t rows = layout_rows(&writer->layout, field), chunk = layout_chunk_rows(&writer->layout, field);
  const int64_t n = (rows - row < chunk ? rows - row : chunk) * field->n_component;
  const void *numbers;
  char name[FIELD_PATH];
  Packed packed;
  StoredChunk stored = {0};
  TRY(stored_numbers(writer->layout.single, field->name, values + row * field->n_component, n, room, &numbers));
  TRY(packed_build(numbers, n, chunk * field->n_component, layout_number_bytes(&writer->layout), &packed));
  layout_field_path(field, name, sizeof name);
  const bool good =
      h5_write_packed(writer->file, name, writer->step * rows + row, packed.data, packed.n, &stored.place);
  stored.bytes = packed.n;
  if (writer->chunk) {
    checksum_add(&stored.sum, packed.data, packed.n);
    writer->chunk[f * writer->layout.n_step + writer->step] = stored;
  }
  packed_release(&packed);
  return good ? OK : stored_failed(writer, field, false);
}

/* Numbers [first, first + n) of a step at their place. */
static Status store_numbers(Writer *writer, int32_t f, int64_t first, int64_t n, const void *numbers) {
  const Layout *layout = &writer->layout;
  const WriterField *field = &layout->field[f];
  const int64_t size = layout_number_bytes(layout), before = field->once ? 0 : writer->step;
  const int64_t rows = layout_rows(layout, field), at = before * rows * field->n_component + first;
  char name[FIELD_PATH];
  if (writer->sum && !field->once) checksum_add(&writer->sum[f], numbers, n * size);
  writer->unsent += n * size;
  if (layout->place[f] >= 0) {
    if (h5_write_place(writer->descriptor, layout->place[f] + at * size, n * size, numbers)) return OK;
    return stored_failed(writer, field, true);
  }
  layout_field_path(field, name, sizeof name);
  const hid_t type = layout->single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  if (h5_write_rows(writer->file, name, type, at / field->n_component, n / field->n_component, numbers)) return OK;
  return stored_failed(writer, field, false);
}

static Status store_field(Writer *writer, int32_t f, const double *values) {
  const WriterField *field = &writer->layout.field[f];
  const int64_t rows = layout_rows(&writer->layout, field), chunk = layout_chunk_rows(&writer->layout, field);
  const int64_t all = rows * field->n_component, piece = SLAB_ROWS * field->n_component;
  Status status = OK;
  float *room = NULL;
  if (writer->layout.single) ALLOC(room, chunk > 0 ? chunk * field->n_component : piece < all ? piece : all, "floats");
  for (int64_t row = 0; chunk > 0 && row < rows && status == OK; row += chunk)
    status = store_chunk(writer, f, row, values, room);
  const int64_t step = room ? piece : all; /* doubles go in one piece */
  for (int64_t at = 0; chunk == 0 && at < all && status == OK; at += step) {
    const int64_t n = all - at < step ? all - at : step;
    const void *numbers;
    status = stored_numbers(writer->layout.single, field->name, values + at, n, room, &numbers);
    if (status == OK) status = store_numbers(writer, f, at, n, numbers);
  }
  FREE(room);
  return status;
}

static Status store_fields(Writer *writer, const double *const *values) {
  const bool past = writer->descriptor >= 0 && !writer->layout.packed;
  for (int32_t f = 0; f < writer->layout.n_field; ++f) {
    const WriterField *field = &writer->layout.field[f];
    if (!values[f] && field->once) continue;
    CHECK(values[f], ERR_BUG, "no values for result field '%s'", field->name);
    TRY(store_field(writer, f, values[f]));
  }
  return past ? OK : writer_sync_file(writer, "the fields");
}

static Status writer_publish(Writer *writer) {
  if (writer->published) return OK;
  const Status status = result_publish(writer->folder, writer->report, &writer->touched);
  if (status != OK) {
    writer->step = 0;
    return status;
  }
  writer->published = true;
  if (writer->told_published) *writer->told_published = true;
  return OK;
}

Status writer_save_sidecar(Writer *writer, bool now) {
  const double begin = clock_seconds();
  const bool soon = SIDECAR_SHARE * (begin - writer->sidecar_at) < writer->sidecar_cost;
  if (writer->step == writer->in_sidecar || (!now && writer->step > SIDECAR_FIRST && soon)) return OK;
  TRY(xdmf_save(&writer->xdmf, writer->sidecar));
  writer->in_sidecar = writer->step;
  writer->sidecar_at = clock_seconds();
  writer->sidecar_cost = writer->sidecar_at - begin;
  return OK;
}

static Status step_writer(Writer *writer, double time, const double *const *values) {
  if (values) TRY(store_fields(writer, values));
  TRY(history_flush(&writer->history, writer->path, false));
  writer->time[writer->step] = time;
  TRY(set_steps(writer, writer->step + 1));
  if (writer->unsent >= WRITEBACK_LEAST) {
    h5_start_writeback(writer->descriptor, 0, 0);
    writer->unsent = 0;
  }
  checksum_add(&writer->sum_of_times, &time, sizeof time);
  TRY(writer_publish(writer));
  xdmf_step(&writer->xdmf, &writer->layout, writer->step - 1, time);
  return writer_save_sidecar(writer, false);
}

Status writer_step(Writer *writer, double time, const double *const *values) {
  CHECK(!writer->failed, ERR_IO, "an earlier write to '%s' failed", writer->path);
  CHECK(writer->step < writer->layout.n_step, ERR_BUG, "more than %lld steps for '%s'",
        (long long)writer->layout.n_step, writer->path);
  CHECK(isfinite(time) && (writer->step == 0 || time > writer->time[writer->step - 1]), ERR_BUG,
        "step %lld of '%s' at time %g", (long long)writer->step + 1, writer->path, time);
  const Status status = step_writer(writer, time, values);
  return status == OK ? OK : writer_failed(writer, status);
}

Status writer_history(Writer *writer, int32_t n, const char *const *names, const double *values) {
  CHECK(!writer->failed, ERR_IO, "an earlier write to '%s' failed", writer->path);
  const Status status = history_row(&writer->history, writer->file, writer->path, n, names, values);
  return status == OK ? OK : writer_failed(writer, status);
}

Status writer_flush(Writer *writer) {
  CHECK(!writer->failed, ERR_IO, "an earlier write to '%s' failed", writer->path);
  const Status status = history_flush(&writer->history, writer->path, true);
  return status == OK ? OK : writer_failed(writer, status);
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
  const Status status = good ? OK : writer_failed(writer, h5_error(writer->path, "write the timing to"));
  H5Tclose(type);
  return status;
}

bool writer_site(const Writer *writer, SlabSite *out) {
  const Layout *layout = &writer->layout;
  struct stat file;
  *out = (SlabSite){.single = layout->single, .n_field = layout->n_field, .step = writer->step};
  if (layout->packed || layout->n_field > SLAB_FIELDS || writer->descriptor < 0) return false;
  const int n = snprintf(out->path, sizeof out->path, "%s", writer->published ? writer->path : writer->temporary);
  if (n >= (int)sizeof out->path || fstat(writer->descriptor, &file) != 0) return false;
  out->device = (uint64_t)file.st_dev, out->inode = (uint64_t)file.st_ino;
  for (int32_t f = 0; f < layout->n_field; ++f) {
    const WriterField *field = &layout->field[f];
    if (layout->place[f] < 0 || field->once) return false;
    out->place[f] = layout->place[f] + writer->step * layout_rows(layout, field) * field->n_component *
                                           (int64_t)layout_number_bytes(layout);
  }
  return true;
}

int64_t writer_steps(const Writer *writer) { return writer->step; }
double writer_time(const Writer *writer, int64_t k) {
  return k >= 0 && k < writer->step ? writer->time[k] : (double)NAN;
}
const char *writer_path(const Writer *writer) { return writer->path; }
