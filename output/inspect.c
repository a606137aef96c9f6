/* Describes results.hdf in words. */
#include "output/inspect.h"

#include "core/child.h"
#include "core/memory.h"
#include "core/text_source.h"
#include "output/checkpoint.h"
#include "output/h5.h"
#include "output/layout.h"
#include "output/read.h"
#include "output/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool result_is(const char *path) {
  const hid_t file = h5_file_open(path, false);
  if (file < 0) return false;
  const bool is = H5Lexists(file, "VTKHDF", H5P_DEFAULT) > 0;
  H5Fclose(file);
  return is;
}

/* 1234567 as "1,234,567". */
static const char *inspect_grouped(int64_t n, char out[32]) {
  char digits[32];
  const int length = snprintf(digits, sizeof digits, "%" PRId64, n);
  int k = 0;
  for (int i = 0; i < length; ++i) {
    if (i > 0 && (length - i) % 3 == 0) out[k++] = ',';
    out[k++] = digits[i];
  }
  out[k] = 0;
  return out;
}

static void add_steps(Text *text, const Result *result) {
  char a[32], b[32];
  text_add(text, "  mesh       %s nodes, %s cells\n", inspect_grouped(result->n_node, a),
           inspect_grouped(result->n_cell, b));
  text_add(text, "  steps      %s of %s reserved", inspect_grouped(result->n_step, a),
           inspect_grouped(result->n_reserved, b));
  if (result->n_step == 1) text_add(text, ", at time %g", result->time[0]);
  if (result->n_step > 1) text_add(text, ", times %g to %g", result->time[0], result->time[result->n_step - 1]);
  text_add(text, "\n");
  for (int32_t f = 0; f < result->n_field; ++f) {
    const ResultField *field = &result->field[f];
    char unit[48];
    result_unit(result, field, unit, sizeof unit);
    text_add(text, "  %s %s [%d], on %s%s%s%s\n", f == 0 ? "fields    " : "          ", field->name, field->n_component,
             field->on_cells ? "cells" : "nodes", field->once ? ", once for all steps" : "", *unit ? ", in " : "",
             unit);
  }
}

static void add_provenance(Text *text, const Result *result) {
  static const char *const entry[] = {"version", "commit", "device", "precision", "units", "mesh_hash"};
  char value[256];
  for (size_t i = 0; i < sizeof entry / sizeof *entry; ++i)
    if (result_provenance(result, entry[i], value, sizeof value)) text_add(text, "  %-10s %s\n", entry[i], value);
}

static void add_timing(Text *text, const Result *result) {
  char phase[TIMING_PHASES][TIMING_NAME];
  double seconds[TIMING_PHASES];
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, TIMING_NAME);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  const bool good = h5_read_list(result->file, "/Sinew/timing/phase", type, TIMING_PHASES, phase) &&
                    h5_read_list(result->file, "/Sinew/timing/seconds", H5T_NATIVE_DOUBLE, TIMING_PHASES, seconds);
  H5Tclose(type);
  for (int i = 0; good && i < TIMING_PHASES && phase[i][0]; ++i)
    text_add(text, "  %s %.*s %.3g s\n", i == 0 ? "timing    " : "          ", TIMING_NAME, phase[i], seconds[i]);
}

static void add_history(Text *text, const Result *result) {
  H5G_info_t info;
  if (H5Gget_info_by_name(result->file, "/Sinew/history", &info, H5P_DEFAULT) < 0 || info.nlinks == 0) return;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    char name[64] = "", path[128];
    int rank;
    hsize_t rows[4] = {0};
    H5Lget_name_by_idx(result->file, "/Sinew/history", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
    snprintf(path, sizeof path, "/Sinew/history/%s", name);
    h5_shape(result->file, path, &rank, rows);
    if (i == 0) text_add(text, "  history    %" PRIu64 " rows: ", (uint64_t)rows[0]);
    text_add(text, "%s%s", i > 0 ? ", " : "", name);
  }
  text_add(text, "\n");
}

/* The case text, indented. */
static Status add_case(Text *text, const Result *result) {
  int rank;
  hsize_t dims[4];
  if (!h5_shape(result->file, "/Sinew/case", &rank, dims)) return OK;
  enum { CASE_SHOWN = 1 << 20 };
  char *value = NULL;
  ALLOC(value, CASE_SHOWN, "the case text of a result");
  if (result_provenance(result, "case", value, CASE_SHOWN) && value[0]) {
    text_add(text, "  case\n");
    for (const char *line = value; *line;) {
      const size_t n = strcspn(line, "\n");
      text_add(text, "    %.*s\n", (int)n, line);
      line += n + (line[n] == '\n');
    }
  }
  FREE(value);
  return OK;
}

Status result_describe(const char *path, char *text, int size) {
  Result *result = NULL;
  Text all = {0};
  if (size > 0) text[0] = 0;
  TRY(result_open(path, &result));
  text_add(&all, "%s: a result of Sinew (VTKHDF UnstructuredGrid)\n", path);
  add_steps(&all, result);
  add_provenance(&all, result);
  add_history(&all, result);
  add_timing(&all, result);
  Status status = add_case(&all, result);
  if (status == OK) status = all.status;
  if (status == OK && size > 0) snprintf(text, (size_t)size, "%s", all.data);
  text_release(&all);
  result_close(&result);
  return status;
}

typedef struct Description {
  bool known;
  char text[DESCRIPTION_BYTES];
} Description;

static Status inspect_describe(void *context, void *answer) {
  const char *path = context;
  Description *out = answer;
  child_limit(RESULT_HEAD);
  const bool checkpoint = checkpoint_is(path);
  out->known = checkpoint || result_is(path);
  if (!out->known) return OK;
  return checkpoint ? checkpoint_describe(path, out->text, sizeof out->text)
                    : result_describe(path, out->text, sizeof out->text);
}

Status file_describe(const char *path, bool *known, char *text, int size) {
  enum { SECONDS = 30 };
  const ChildParams params = {.what = path, .doing = "read", .broken = ERR_IO, .seconds = SECONDS};
  char head[SOURCE_HEAD];
  *known = false;
  if (size > 0) text[0] = 0;
  TRY(source_peek(path, path, head));
  if (memcmp(head, "\x89HDF", 4) != 0) return OK;
  Description *out = NULL;
  ALLOC(out, 1, "the description of a file");
  const Status status = child_run(&params, inspect_describe, (void *)(uintptr_t)path, out, sizeof *out);
  *known = out->known;
  if (status == OK && size > 0) snprintf(text, (size_t)size, "%s", out->text);
  FREE(out);
  return status;
}
