/* The bytes of a mesh file: opening, places for messages, counts, lists of instances. Numbers are in text_number.c. */
#include "core/text_source.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_ends(const char *path, const char *extension) {
  const size_t n = strlen(path), m = strlen(extension);
  return n >= m && strcasecmp(path + n - m, extension) == 0;
}

enum { READ_PART = 1 << 22 };

static Status refuse_open(const char *label) {
  if (errno == ENOENT || errno == ENOTDIR)
    return FAIL(ERR_MESH, "%s: mesh file not found; check the path: in a case file it is relative to that file", label);
  if (errno == EACCES) return FAIL(ERR_MESH, "%s: no permission to read this mesh file; try chmod +r", label);
  return FAIL(ERR_MESH, "%s: cannot open this mesh file: %s", label, strerror(errno));
}

/* Only a regular, non-empty file can be a mesh. */
static Status check_kind(const char *label, const struct stat *s) {
  const char *kind = S_ISDIR(s->st_mode)                          ? "a folder (directory)"
                     : S_ISFIFO(s->st_mode)                       ? "a FIFO (named pipe)"
                     : S_ISCHR(s->st_mode) || S_ISBLK(s->st_mode) ? "a device"
                     : !S_ISREG(s->st_mode)                       ? "a socket or the like"
                                                                  : NULL;
  CHECK(!kind, ERR_MESH, "%s: is %s, not a mesh file; name a regular .msh, .h5 or .geo file", label, kind);
  CHECK(s->st_size > 0, ERR_MESH, "%s: the mesh file is empty (0 bytes); write it again", label);
  return OK;
}

/* From byte `at` to `end`; returns how far it came, *error where it broke off. */
static int64_t read_range(int file, char *bytes, int64_t at, int64_t end, int *error) {
  while (at < end) {
    const ssize_t n = pread(file, bytes + at, (size_t)(end - at), (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) *error = errno;
    if (n <= 0) break;
    at += n;
  }
  return at;
}

/* All threads, since what costs most is to take the memory. The file ends where the first part does that broke off: it
 * may have become shorter meanwhile. */
static Status read_all(int file, TextSource *source) {
  const int64_t size = source->size, n_part = (size + READ_PART - 1) / READ_PART;
  int64_t end = size, failed = size;
#pragma omp parallel for schedule(dynamic) reduction(min : end, failed) if (n_part > 1)
  for (int64_t k = 0; k < n_part; ++k) {
    const int64_t first = k * READ_PART, last = first + READ_PART < size ? first + READ_PART : size;
    int error = 0;
    const int64_t at = read_range(file, source->bytes, first, last, &error);
    if (at < last && at < end) end = at;
    if (error && at < failed) failed = at;
  }
  if (failed < size && failed <= end) { /* once more, for its reason */
    int error = EIO;
    read_range(file, source->bytes, failed, failed + 1, &error);
    return FAIL(ERR_IO, "%s: reading failed at byte %lld: %s", source->label, (long long)failed, strerror(error));
  }
  source->size = end;
  source->bytes[source->size] = 0;
  source->at = 0;
  return OK;
}

/* Opens a regular, non-empty file and gives its size; *file is -1 on failure. */
static Status open_regular(const char *path, const char *label, int *file, int64_t *size) {
  *file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY); /* a FIFO must not block */
  if (*file < 0) return refuse_open(label);
  struct stat s;
  const Status status = fstat(*file, &s) == 0 ? check_kind(label, &s) : refuse_open(label);
  *size = s.st_size;
  if (status == OK) return OK;
  close(*file);
  *file = -1;
  return status;
}

Status source_peek(const char *path, const char *label, char head[SOURCE_HEAD]) {
  int file;
  int64_t size;
  memset(head, 0, SOURCE_HEAD);
  TRY(open_regular(path, label, &file, &size));
  const ssize_t n = read(file, head, SOURCE_HEAD);
  close(file);
  CHECK(n >= 0, ERR_IO, "%s: reading failed: %s", label, strerror(errno));
  CHECK(memcmp(head, "\x1f\x8b", 2), ERR_MESH, "%s: is compressed by gzip; unpack it first: gunzip -k '%s'", label,
        label);
  return OK;
}

Status source_open(const char *path, const char *label, TextSource *out) {
  memset(out, 0, sizeof *out);
  out->label = label;
  char head[SOURCE_HEAD];
  int file;
  TRY(source_peek(path, label, head));
  TRY(open_regular(path, label, &file, &out->size));
  Status status = mem_alloc(out->size + 1, 1, "mesh file", (void **)&out->bytes);
  if (status == OK) status = read_all(file, out);
  close(file);
  if (status != OK) source_close(out);
  return status;
}

void source_close(TextSource *source) {
  FREE(source->bytes);
  FREE(source->line_before);
  source->size = source->at = 0;
}

static int64_t line_of(const TextSource *source, int64_t at) {
  int64_t line = 1;
  for (const char *p = source->bytes; (p = memchr(p, '\n', (size_t)(source->bytes + at - p))); ++p) ++line;
  return line;
}

static void write_place(const TextSource *source, int64_t at, char *place, size_t size) {
  if (at > source->size) at = source->size;
  const char *in = source->section[0] ? "in " : "", *colon = source->section[0] ? ": " : "";
  if (source->binary)
    snprintf(place, size, "%s: byte %lld: %s%s%s", source->label, (long long)at, in, source->section, colon);
  else
    snprintf(place, size, "%s:%lld: %s%s%s", source->label, (long long)line_of(source, at), in, source->section, colon);
}

Status source_fail(const TextSource *source, int64_t at, const char *format, ...) {
  char place[1200], text[2048];
  write_place(source, at, place, sizeof place);
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return FAIL(ERR_MESH, "%s%s", place, text);
}

Status source_check_count(const TextSource *source, int64_t at, const char *what, int64_t n, int64_t bytes) {
  if (n < 0) return source_fail(source, at, "%s is %lld, must be 0 or more; the file is damaged", what, (long long)n);
  const int64_t left = source->size - source->at;
  if (n > left / bytes)
    return source_fail(source, at,
                       "%s is %lld, but only %lld bytes are left in the file; it is damaged or cut off: "
                       "write or copy it again",
                       what, (long long)n, (long long)left);
  if (n >= INT32_MAX)
    return source_fail(source, at, "%s is %lld, at most %d are supported", what, (long long)n, INT32_MAX - 1);
  return OK;
}

int64_t source_least_bytes(const TextSource *source, int n_int, int n_size, int n_double) {
  return source->binary ? 4 * n_int + 8 * n_size + 8 * n_double : 2 * (n_int + n_size + n_double);
}

void source_list_add(SourceList *list, int64_t at, const char *format, ...) {
  if (list->n++ == 0) list->at = at;
  if (list->n > 5) return;
  const size_t used = strlen(list->text);
  int n = snprintf(list->text + used, sizeof list->text - used, "%s", used ? ", " : "");
  if (n < 0 || used + (size_t)n >= sizeof list->text) return;
  va_list args;
  va_start(args, format);
  vsnprintf(list->text + used + (size_t)n, sizeof list->text - used - (size_t)n, format, args);
  va_end(args);
}

void source_quote_line(const TextSource *source, int64_t at, char text[64]) {
  int64_t from = at, n = 0;
  while (from > 0 && source->bytes[from - 1] != '\n') --from;
  for (; n < 60 && from + n < source->size && (unsigned char)source->bytes[from + n] >= ' '; ++n)
    text[1 + n] = source->bytes[from + n];
  text[0] = text[n + 1] = '\'';
  text[n + 2] = 0;
}

Status source_list_fail(const TextSource *source, const SourceList *list, const char *what, const char *remedy) {
  if (list->n == 0) return OK;
  char more[48] = "";
  if (list->n > 5) snprintf(more, sizeof more, " and %lld more", (long long)(list->n - 5));
  return source_fail(source, list->at, "%s: %s%s\n  %s", what, list->text, more, remedy);
}

char *source_data_line(char **rest, int64_t *line) {
  for (char *p = *rest, *next; p && *p; p = next) {
    next = strchr(p, '\n');
    if (next) *next++ = 0;
    *rest = next;
    ++*line;
    p[strcspn(p, "#")] = 0;
    p += strspn(p, " \t\r");
    if (*p) return p;
  }
  return NULL;
}
