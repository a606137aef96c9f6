/* Fields of a result as openCARP has them: .igb (1024 bytes of text, then floats) and .dat (text). */
#include "output/export.h"

#include "core/memory.h"
#include "core/own_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { IGB_HEAD = 1024, IGB_LINE = 80, NAME = 64 };

static Status export_fail(const ExportFile *file) {
  return FAIL(ERR_IO, "cannot write '%s': %s", file->path, strerror(errno));
}

void export_discard(const char *path) {
  ExportFile file;
  if (export_open(path, &file) == OK) export_close(&file, ERR_IO);
}

Status export_open(const char *path, ExportFile *out) {
  const size_t n = strlen(path) + 5;
  *out = (ExportFile){.path = path};
  TRY(mem_alloc((int64_t)n, 1, "the name of a file", (void **)&out->beside));
  snprintf(out->beside, n, "%s.new", path);
  const int file = own_file_make(out->beside);
  out->file = file >= 0 ? fdopen(file, "w") : NULL;
  if (out->file) return OK;
  if (file >= 0) close(file);
  FREE(out->beside);
  return export_fail(out);
}

Status export_close(ExportFile *file, Status status) {
  if (file->file && fclose(file->file) != 0 && status == OK) status = export_fail(file);
  if (file->file && status == OK && rename(file->beside, file->path) != 0) status = export_fail(file);
  if (file->file && status != OK) unlink(file->beside);
  file->file = NULL;
  FREE(file->beside);
  return status;
}

Status export_bytes(const ExportFile *file, const void *bytes, size_t n) {
  return fwrite(bytes, 1, n, file->file) == n ? OK : export_fail(file);
}

/* Adds words to the head; lines end before 80 characters. */
static void head_add(char head[IGB_HEAD], size_t *n, size_t *line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void head_add(char head[IGB_HEAD], size_t *n, size_t *line, const char *format, ...) {
  char word[NAME + 16];
  va_list args;
  va_start(args, format);
  vsnprintf(word, sizeof word, format, args);
  va_end(args);
  const size_t m = strlen(word);
  if (*n + m + 4 > IGB_HEAD) return;
  if (*n + m - *line >= IGB_LINE - 2) {
    head[(*n)++] = '\r', head[(*n)++] = '\n';
    *line = *n;
  } else if (*n > *line) {
    head[(*n)++] = ' ';
  }
  memcpy(head + *n, word, m);
  *n += m;
}

static void igb_head(const Result *result, const ResultField *field, int64_t n_step, char head[IGB_HEAD]) {
  char unit[NAME], time_unit[NAME];
  size_t n = 0, line = 0;
  const double step = n_step > 1 ? (result->time[n_step - 1] - result->time[0]) / (double)(n_step - 1) : 1;
  const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
  result_unit(result, field, unit, sizeof unit);
  result_time_unit(result, time_unit, sizeof time_unit);
  memset(head, ' ', IGB_HEAD);
  head_add(head, &n, &line, "x:%" PRId64, result->n_node);
  head_add(head, &n, &line, "y:1");
  head_add(head, &n, &line, "z:1");
  head_add(head, &n, &line, "t:%" PRId64, n_step);
  head_add(head, &n, &line, "type:%s", field->n_component == 3 ? "vec3f" : "float");
  head_add(head, &n, &line, "systeme:%s_endian", little ? "little" : "big");
  head_add(head, &n, &line, "org_t:%.10g", n_step ? result->time[0] : 0);
  head_add(head, &n, &line, "inc_t:%.10g", step);
  head_add(head, &n, &line, "dim_t:%.10g", step * (double)(n_step > 1 ? n_step - 1 : 0));
  head_add(head, &n, &line, "unites_t:%s", *time_unit ? time_unit : "ms");
  if (*unit && !strchr(unit, ' ')) head_add(head, &n, &line, "unites:%s", unit);
  head_add(head, &n, &line, "facteur:1");
  head_add(head, &n, &line, "zero:0");
  head[n] = '\r', head[n + 1] = '\n';
  head[IGB_HEAD - 2] = '\n', head[IGB_HEAD - 1] = '\f';
}

/* How many steps lie evenly from the first on. */
static int64_t even_steps(const Result *result) {
  const double *t = result->time;
  int64_t n = result->n_step < 2 ? result->n_step : 2;
  while (n >= 2 && n < result->n_step && fabs(t[n] - t[n - 1] - (t[1] - t[0])) <= 1e-6 * (t[1] - t[0])) ++n;
  return n;
}

static Status igb_steps(const Result *result, const ResultField *field, int64_t n_step, const ExportFile *file) {
  const int64_t n = result->n_node * field->n_component;
  double *value = NULL;
  float *single = NULL;
  Status status = OK;
  ALLOC_DONE(value, n, "a field");
  ALLOC_DONE(single, n, "a field");
  for (int64_t k = 0; k < n_step && status == OK; ++k) {
    status = result_read(result, field, k, value);
    for (int64_t i = 0; i < n; ++i) single[i] = (float)value[i];
    if (status == OK) status = export_bytes(file, single, (size_t)n * sizeof *single);
  }
done:
  FREE(value);
  FREE(single);
  return status;
}

Status export_igb(const Result *result, const ResultField *field, const char *path) {
  CHECK(!field->on_cells && (field->n_component == 1 || field->n_component == 3), ERR_USAGE,
        "sinew: '%s' has %d components on %s; .igb takes fields of one or three on nodes\n  .vtu takes all",
        field->name, field->n_component, field->on_cells ? "elements" : "nodes");
  const int64_t n = field->once && result->n_step ? 1 : even_steps(result);
  ExportFile file;
  char head[IGB_HEAD];
  if (n < result->n_step && !field->once)
    status_warn("'%s' has %lld of the %lld stored times: .igb takes those that lie evenly, up to t = %g", path,
                (long long)n, (long long)result->n_step, result->time[n - 1]);
  igb_head(result, field, n, head);
  TRY(export_open(path, &file));
  Status status = export_bytes(&file, head, sizeof head);
  if (status == OK) status = igb_steps(result, field, n, &file);
  return export_close(&file, status);
}

Status export_dat(const Result *result, const ResultField *field, int64_t step, const char *path) {
  const int64_t n = field->on_cells ? result->n_cell : result->n_node;
  double *value = NULL;
  ExportFile file;
  ALLOC(value, n * field->n_component, "a field");
  Status status = result_read(result, field, step, value);
  if (status == OK) status = export_open(path, &file);
  if (status == OK) {
    for (int64_t i = 0; i < n; ++i)
      for (int32_t c = 0; c < field->n_component; ++c)
        fprintf(file.file, "%.9g%c", value[i * field->n_component + c], c == field->n_component - 1 ? '\n' : ' ');
    status = export_close(&file, ferror(file.file) ? export_fail(&file) : OK);
  }
  FREE(value);
  return status;
}
