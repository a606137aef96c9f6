/* results.hdf is made, or opened again by its receipt, and closed. */
#include "output/writer_parts.h"

#include "core/memory.h"
#include "core/own_file.h"
#include "mesh/io/h5.h"
#include "output/folder.h"
#include "output/shrink.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Arrays that never change are kept by their checksum from this size on, and byte by byte below. */
enum { CONSTANT_LEAST = 4096 };
static const char TIMES[] = "/VTKHDF/Steps/Values", HISTORY[] = "/Sinew/history/", TIMING[] = "/Sinew/timing/";

/* The file is there: where its numbers go. */
static void find_places(Writer *writer) {
  writer->descriptor = h5_descriptor(writer->file);
  const bool past = writer->descriptor >= 0;
  layout_find_places(writer->file, past, &writer->layout);
  writer->place_of_times = past ? h5_place(writer->file, TIMES) : -1;
}

/* ---- a new one ---- */

static Status start_new(Writer *writer, const WriterParams *params) {
  writer->made = true;                              /* a failure may leave something too */
  const int own = own_file_make(writer->temporary); /* HDF5 would write through a link */
  CHECK(own >= 0, ERR_IO, "cannot make '%s': %s", writer->temporary, strerror(errno));
  close(own);
  writer->file = h5_file_create(writer->temporary, layout_most_chunks(&writer->layout));
  if (writer->file < 0) return h5_error(writer->temporary, "make");
  TRY(layout_create(writer->file, writer->temporary, params, &writer->layout));
  find_places(writer);
  if (params->n_history > 0)
    TRY(history_create(&writer->history, writer->file, writer->temporary, params->n_history, params->history));
  TRY(writer_sync_file(writer, "the mesh"));
  h5_start_writeback(writer->descriptor, 0, 0);
  return OK;
}

/* ---- one that is gone on with ---- */

/* All stored times again in what the sidecar will say. */
static void rebuild_sidecar(Writer *writer) {
  xdmf_release(&writer->xdmf);
  xdmf_begin(&writer->xdmf);
  for (int64_t k = 0; k < writer->step; ++k) xdmf_step(&writer->xdmf, &writer->layout, k, writer->time[k]);
}

static bool writer_files_packed(const Writer *writer, int32_t f) {
  return layout_chunk_rows(&writer->layout, &writer->layout.field[f]) > 0;
}

/* Chunks of the steps so far, the last pieces: by field, then by step. */
static void take_chunks(Writer *writer, const Receipt *receipt, const Checksum *sum) {
  int64_t n = 0;
  for (int32_t f = 0; f < writer->layout.n_field; ++f) n += writer_files_packed(writer, f) ? writer->step : 0;
  int64_t at = receipt->head.n_piece - n;
  for (int32_t f = 0; f < writer->layout.n_field && at >= 0; ++f)
    for (int64_t k = 0; writer_files_packed(writer, f) && k < writer->step; ++k, ++at)
      writer->chunk[f * writer->layout.n_step + k] =
          (StoredChunk){receipt->piece[at].place, receipt->piece[at].bytes, sum[at]};
}

/* The sums go on where the pieces end. */
static Status take_sums(Writer *writer, const Receipt *receipt, const Checksum *sum) {
  const Layout *layout = &writer->layout;
  CHECK(receipt->head.n_field == layout->n_field, ERR_RESTART, "'%s' has %lld fields, this case stores %d",
        writer->path, (long long)receipt->head.n_field, layout->n_field);
  for (int32_t f = 0; f < layout->n_field; ++f) {
    char name[FIELD_PATH];
    layout_field_path(&layout->field[f], name, sizeof name);
    CHECK(strcmp(name, receipt->piece[f].name) == 0, ERR_RESTART, "'%s' has a field %s where this case stores %s",
          writer->path, receipt->piece[f].name, name);
    writer->sum[f] = sum[f];
  }
  take_chunks(writer, receipt, sum);
  writer->sum_of_times = sum[layout->n_field];
  for (int64_t k = 0; k < receipt->head.n_history; ++k) {
    const int64_t piece = layout->n_field + 1 + k;
    for (int32_t c = 0; c < writer->history.n; ++c)
      if (strcmp(writer->history.name[c], receipt->piece[piece].name + strlen(HISTORY)) == 0)
        writer->history.sum[c] = sum[piece];
  }
  return OK;
}

/* The bytes are those of then: HDF5 may look at them. */
static Status open_restored(Writer *writer, const WriterParams *params, const Receipt *receipt, const Checksum *sum) {
  const int64_t n = receipt->head.step;
  writer->file = h5_file_open(writer->path, true);
  if (writer->file < 0) return h5_error(writer->path, "open");
  TRY(h5_check_inside(writer->file, writer->path, ERR_RESTART));
  TRY(layout_check(writer->file, writer->path, params, &writer->layout));
  find_places(writer);
  CHECK(n <= params->n_step && h5_read_rows(writer->file, TIMES, H5T_NATIVE_DOUBLE, 0, n, writer->time), ERR_RESTART,
        "'%s' has %lld steps, this case stores %lld", writer->path, (long long)n, (long long)params->n_step);
  writer->step = n;
  rebuild_sidecar(writer);
  TRY(history_open(&writer->history, writer->file, writer->path));
  return take_sums(writer, receipt, sum);
}

static Status writer_files_compare(const Writer *writer, const Receipt *receipt, int file, Checksum *sum) {
  struct stat what;
  CHECK(fstat(file, &what) == 0, ERR_IO, "cannot read '%s': %s", writer->path, strerror(errno));
  CHECK(what.st_size >= receipt->head.file_bytes, ERR_RESTART, "'%s' is cut short: %lld of %lld bytes", writer->path,
        (long long)what.st_size, (long long)receipt->head.file_bytes);
  return receipt_verify(file, writer->path, receipt, sum);
}

static Status continue_by(Writer *writer, const WriterParams *params, const Receipt *receipt) {
  Checksum *sum = NULL;
  int file;
  TRY(own_file_open(writer->path, &file));
  Status status = mem_alloc(receipt->head.n_piece, sizeof *sum, "checksums of a result", (void **)&sum);
  if (status == OK) status = writer_files_compare(writer, receipt, file, sum);
  if (status == OK) status = receipt_restore(file, writer->path, receipt);
  close(file);
  if (status == OK) status = open_restored(writer, params, receipt, sum);
  FREE(sum);
  return status;
}

static Status continue_old(Writer *writer, const WriterParams *params) {
  Receipt receipt;
  TRY(receipt_unpack(params->receipt, params->n_receipt, &receipt));
  writer->published = true;
  if (writer->told_published) *writer->told_published = true;
  Status status = continue_by(writer, params, &receipt);
  if (status == ERR_RESTART)
    status_context(
        status, "the checkpoint counts on %lld stored times in it; restore the file, or use --overwrite to start again",
        (long long)receipt.head.step);
  receipt_release(&receipt);
  if (status == OK) status = writer_save_sidecar(writer, true);
  return status;
}

/* ---- both ---- */

static Status writer_files_prepare(Writer *writer, const WriterParams *params) {
  TRY(mem_text(params->folder, "a text of the result writer", &writer->folder));
  TRY(mem_text(params->report, "a text of the result writer", &writer->report));
  TRY(output_path(params->folder, "results.hdf", &writer->path));
  TRY(output_path(params->folder, "results.hdf.new", &writer->temporary));
  TRY(output_path(params->folder, "results.xdmf", &writer->sidecar));
  ALLOC(writer->time, params->n_step, "the times of the steps");
  if (params->n_step > 1) ALLOC(writer->sum, writer->layout.n_field, "checksums of the fields");
  if (params->n_step > 1 && params->packed)
    ALLOC(writer->chunk, writer->layout.n_field * params->n_step, "places of the fields");
  writer->told_published = params->published;
  TRY(output_folder_check(params->folder, params->overwrite, params->receipt != NULL));
  const int64_t rows = params->n_step > INT64_MAX / 16 ? params->n_step : 16 * params->n_step;
  writer->history.capacity = params->n_history_row > 0 ? params->n_history_row : rows > 4096 ? rows : 4096;
  xdmf_begin(&writer->xdmf);
  if (params->receipt) return continue_old(writer, params);
  const Status status = start_new(writer, params);
  return status == OK ? OK : writer_failed(writer, status);
}

Status writer_create(const WriterParams *params, Writer **out) {
  *out = NULL;
  Writer *writer = NULL;
  TRY(h5_mine());
  ALLOC(writer, 1, "the result writer");
  writer->file = writer->descriptor = -1;
  Status status = layout_init(params, &writer->layout);
  if (status == OK) status = writer_files_prepare(writer, params);
  if (status != OK) {
    writer->failed = true; /* nothing more is to be said by closing */
    writer_close(&writer);
    return status;
  }
  *out = writer;
  return OK;
}

/* ---- the receipt ---- */

/* Or is written at the end, whatever it was. */
static bool writer_files_grows(const Writer *writer, const Area *area) {
  if (strcmp(area->name, TIMES) == 0 || strncmp(area->name, HISTORY, strlen(HISTORY)) == 0 ||
      strncmp(area->name, TIMING, strlen(TIMING)) == 0)
    return true;
  for (int32_t f = 0; f < writer->layout.n_field; ++f) {
    char name[FIELD_PATH];
    layout_field_path(&writer->layout.field[f], name, sizeof name);
    if (strcmp(area->name, name) == 0) return true;
  }
  return false;
}

/* The chunks of a packed field come one by one. */
static bool writer_files_chunked(const Writer *writer, const char *path) {
  for (int32_t f = 0; f < writer->layout.n_field; ++f) {
    char name[FIELD_PATH];
    layout_field_path(&writer->layout.field[f], name, sizeof name);
    if (strcmp(path, name) == 0) return writer_files_packed(writer, f);
  }
  return false;
}

/* Once: what lies where, without the small arrays that never grow, and the sums of the large ones. */
static Status writer_files_survey(Writer *writer) {
  if (writer->constant) return OK;
  Areas *areas = &writer->areas;
  TRY(areas_find(writer->file, writer->path, areas));
  int32_t n = 0;
  for (int32_t i = 0; i < areas->n; ++i)
    if (!writer_files_chunked(writer, areas->area[i].name) &&
        (areas->area[i].bytes >= CONSTANT_LEAST || writer_files_grows(writer, &areas->area[i])))
      areas->area[n++] = areas->area[i];
  areas->n = n;
  ALLOC(writer->constant, n, "checksums of a result");
  for (int32_t i = 0; i < n; ++i) {
    const Area *area = &areas->area[i];
    if (!writer_files_grows(writer, area))
      TRY(receipt_sum(writer->descriptor, writer->path, area->name, area->place, area->bytes, &writer->constant[i]));
  }
  return OK;
}

static void add_piece(Receipt *receipt, const Area *area, const Checksum *sum) {
  ReceiptPiece *piece = &receipt->piece[receipt->head.n_piece++];
  *piece = (ReceiptPiece){.place = area->place, .bytes = sum->n_byte, .sum = checksum_value(sum)};
  snprintf(piece->name, sizeof piece->name, "%s", area->name);
}

static Status add_named(const Writer *writer, Receipt *receipt, const char *name, const Checksum *sum) {
  const Area *area = areas_of(&writer->areas, name);
  CHECK(area && sum->n_byte <= area->bytes, ERR_BUG, "'%s' has no place for %s", writer->path, name);
  add_piece(receipt, area, sum);
  return OK;
}

/* A packed field is a piece of its own name without bytes, and one for each step at the end of the list. */
static Status list_field(const Writer *writer, int32_t f, Receipt *receipt) {
  Area area = {0};
  layout_field_path(&writer->layout.field[f], area.name, sizeof area.name);
  if (!writer_files_packed(writer, f)) return add_named(writer, receipt, area.name, &writer->sum[f]);
  add_piece(receipt, &area, &writer->sum[f]);
  return OK;
}

static void list_chunks(const Writer *writer, Receipt *receipt) {
  for (int32_t f = 0; f < writer->layout.n_field; ++f)
    for (int64_t k = 0; writer_files_packed(writer, f) && k < writer->step; ++k) {
      const StoredChunk *chunk = &writer->chunk[f * writer->layout.n_step + k];
      Area area = {.place = chunk->place};
      layout_field_path(&writer->layout.field[f], area.name, sizeof area.name);
      add_piece(receipt, &area, &chunk->sum);
    }
}

static Status list_pieces(const Writer *writer, Receipt *receipt) {
  char name[FIELD_PATH];
  const Layout *layout = &writer->layout;
  ALLOC(receipt->piece, writer->areas.n + layout->n_field * (writer->step + 1), "the receipt of a result");
  for (int32_t f = 0; f < layout->n_field; ++f) TRY(list_field(writer, f, receipt));
  TRY(add_named(writer, receipt, TIMES, &writer->sum_of_times));
  for (int32_t c = 0; c < writer->history.n; ++c) {
    snprintf(name, sizeof name, "%s%s", HISTORY, writer->history.name[c]);
    TRY(add_named(writer, receipt, name, &writer->history.sum[c]));
  }
  for (int32_t i = 0; i < writer->areas.n; ++i)
    if (!writer_files_grows(writer, &writer->areas.area[i]))
      add_piece(receipt, &writer->areas.area[i], &writer->constant[i]);
  list_chunks(writer, receipt);
  receipt->head.step = writer->step;
  receipt->head.n_field = layout->n_field;
  receipt->head.n_history = writer->history.n;
  receipt->head.history_row = writer->history.row;
  return OK;
}

/* All bytes that are in no array and in no chunk. */
static Status take_images(const Writer *writer, Receipt *receipt) {
  Areas all = {0};
  const int64_t n_chunk = writer->chunk ? writer->layout.n_field * writer->step : 0;
  ALLOC(all.area, writer->areas.n + n_chunk, "the places of a result's data");
  for (int32_t i = 0; i < writer->areas.n; ++i) all.area[all.n++] = writer->areas.area[i];
  for (int32_t f = 0; f < writer->layout.n_field; ++f)
    for (int64_t k = 0; writer_files_packed(writer, f) && k < writer->step; ++k) {
      const StoredChunk *chunk = &writer->chunk[f * writer->layout.n_step + k];
      all.area[all.n++] = (Area){.place = chunk->place, .bytes = chunk->bytes};
    }
  areas_sort(&all);
  const Status status = receipt_take_images(writer->descriptor, writer->path, &all, receipt);
  FREE(all.area);
  return status;
}

static Status take_receipt(Writer *writer, ProbeFile *probes, Receipt *receipt) {
  struct stat what;
  TRY(writer_sync_file(writer, "the results"));
  TRY(output_check_named(writer->descriptor, writer->path));
  TRY(writer_files_survey(writer));
  TRY(list_pieces(writer, receipt));
  CHECK(fdatasync(writer->descriptor) == 0 && fstat(writer->descriptor, &what) == 0, ERR_IO,
        "cannot put '%s' on the disk: %s", writer->path, strerror(errno));
  receipt->head.file_bytes = what.st_size;
  receipt->head.probes_bytes = -1;
  receipt->head.tables_bytes = writer->tables_bytes, receipt->head.tables_sum = writer->tables_sum;
  if (probes) TRY(probe_file_sync(probes, &receipt->head.probes_bytes, &receipt->head.probes_sum));
  return take_images(writer, receipt);
}

void writer_tables(Writer *writer, int64_t n_byte, uint64_t sum) {
  writer->tables_bytes = n_byte, writer->tables_sum = sum;
}

Status writer_receipt(Writer *writer, ProbeFile *probes, void **out, int64_t *n) {
  Receipt receipt = {0};
  *out = NULL;
  TRY(writer_flush(writer));
  CHECK(writer->descriptor >= 0 && writer->published, ERR_BUG, "a checkpoint without a result");
  Status status = take_receipt(writer, probes, &receipt);
  if (status == OK) status = receipt_pack(&receipt, out, n);
  receipt_release(&receipt);
  return status == OK ? OK : writer_failed(writer, status);
}

/* ---- the end ---- */

/* Arrays as long as there are steps, and the sidecar that names them so. */
static Status fit_lengths(Writer *writer) {
  bool done = false;
  if (writer->step == writer->layout.n_step) return OK;
  TRY(result_shrink(writer->file, writer->descriptor, writer->path, &writer->layout, writer->step, &done));
  if (!done) return OK;
  writer->layout.n_step = writer->step;
  writer->in_sidecar = 0;
  rebuild_sidecar(writer);
  return OK;
}

/* On the disk, and under its name. */
static Status writer_files_settle(Writer *writer) {
  TRY(writer_sync_file(writer, "the last of the results"));
  if (!writer->published || writer->descriptor < 0) return OK;
  TRY(fit_lengths(writer));
  TRY(output_check_named(writer->descriptor, writer->path));
  CHECK(fdatasync(writer->descriptor) == 0, ERR_IO, "cannot put '%s' on the disk: %s", writer->path, strerror(errno));
  return OK;
}

/* Closes the HDF5 file; what cannot be written any more is given up. */
static Status close_file(Writer *writer) {
  history_close(&writer->history);
  if (writer->file < 0) return OK;
  const bool good = H5Fclose(writer->file) >= 0;
  writer->file = -1;
  if (good || writer->failed) return OK;
  return writer_failed(writer, h5_error(writer->path, "finish writing"));
}

Status writer_close(Writer **out) {
  Writer *writer = *out;
  if (!writer) return OK;
  Status status = writer->failed || writer->file < 0 ? OK : writer_flush(writer);
  if (status == OK && !writer->failed && writer->file >= 0) {
    status = writer_files_settle(writer);
    if (status != OK) writer_failed(writer, status);
  }
  const Status closed = close_file(writer);
  if (status == OK) status = closed;
  if (status == OK && !writer->failed && writer->published) status = writer_save_sidecar(writer, true);
  if (writer->made && !writer->published) unlink(writer->temporary);
  areas_release(&writer->areas);
  xdmf_release(&writer->xdmf);
  layout_release(&writer->layout);
  FREE(writer->constant);
  FREE(writer->folder);
  FREE(writer->report);
  FREE(writer->path);
  FREE(writer->temporary);
  FREE(writer->sidecar);
  FREE(writer->time);
  FREE(writer->sum);
  FREE(writer->chunk);
  FREE(*out);
  return status;
}
