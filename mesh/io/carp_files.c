/* The files of an openCARP mesh: where they are, their heads, and their lines by all threads. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/carp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PARTS = 1024 };

static Status joined(const char *base, const char *ending, char **out) {
  const size_t n = strlen(base) + strlen(ending) + 1;
  TRY(mem_alloc((int64_t)n, 1, "the name of a mesh file", (void **)out));
  snprintf(*out, n, "%s%s", base, ending);
  return OK;
}

static bool is_there(const char *path) {
  struct stat info;
  return stat(path, &info) == 0;
}

/* 1024 bytes of text with numbers: how many, (of fibres: how many elements,) the order of the bytes, 0 the little end
 * first, and a sum that nobody checks. */
static Status read_head(CarpFile *file, bool fibers) {
  char head[CARP_HEAD + 1], *p = head;
  long long number[3] = {0};
  TextSource *source = &file->source;
  source->binary = true;
  if (source->size < CARP_HEAD)
    return source_fail(source, source->size,
                       "a binary file of openCARP begins with a header of %d bytes; this file ends before that",
                       CARP_HEAD);
  memcpy(head, source->bytes, CARP_HEAD);
  head[CARP_HEAD] = 0;
  const int n = fibers ? 3 : 2;
  for (int i = 0; i < n; ++i) {
    char *end;
    number[i] = strtoll(p, &end, 10);
    if (end == p) return source_fail(source, p - head, "the header must hold %d numbers", n);
    p = end;
  }
  const long long order = number[n - 1];
  if (order != 0 && order != 1)
    return source_fail(source, 0, "its byte order is %lld, must be 0 (little-endian) or 1", order);
  file->n = number[0];
  file->more = number[1];
  source->swap = (order == 0) != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  source->at = CARP_HEAD;
  return OK;
}

static Status open_at(char *path, bool binary, bool fibers, CarpFile *out) {
  out->path = path;
  TRY(source_open(path, path, &out->source));
  if (binary) return read_head(out, fibers);
  return fibers ? OK : source_text_int(&out->source, "how many follow", &out->n);
}

Status carp_open(const CarpMesh *m, const char *text, const char *binary, bool missing, CarpFile *out) {
  char *path[2] = {NULL, NULL};
  *out = (CarpFile){0};
  TRY(joined(m->base, m->binary ? binary : text, &path[0]));
  Status status = joined(m->base, m->binary ? text : binary, &path[1]);
  const int k = status == OK && !is_there(path[0]) && is_there(path[1]);
  if (status == OK && !is_there(path[k])) {
    if (!missing)
      status = FAIL(ERR_MESH, "%s: mesh file not found; openCARP has it beside '%s', and '%s' is not there either",
                    path[0], m->path, path[1]);
  } else if (status == OK) {
    status = open_at(path[k], m->binary != (k == 1), missing, out);
    path[k] = NULL;
  }
  FREE(path[0]);
  FREE(path[1]);
  return status;
}

Status carp_open_text(const char *path, CarpFile *out) {
  char *copy = NULL;
  *out = (CarpFile){0};
  TRY(joined(path, "", &copy));
  return open_at(copy, false, false, out);
}

void carp_close(CarpFile *file) {
  source_close(&file->source);
  FREE(file->path);
}

int64_t carp_lines(const TextSource *source) {
  int64_t n = 0;
  const char *p = source->bytes + source->at, *end = source->bytes + source->size;
  while (p < end) {
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    if (!stop) stop = end;
    while (p < stop && (*p == ' ' || *p == '\t' || *p == '\r')) ++p;
    n += p < stop;
    p = stop + 1;
  }
  return n;
}

Status carp_check_lines(CarpFile *file, const char *things) {
  TextSource *source = &file->source;
  if (file->n < 1 || file->n >= INT32_MAX)
    return source_fail(source, 0, "says %lld %s, must be 1 to %d", (long long)file->n, things, INT32_MAX - 1);
  if (source->binary) return OK;
  source_next_line(source);
  const int64_t n = carp_lines(source);
  if (n != file->n)
    return source_fail(source, 0, "says %lld %s, but %lld lines follow; the file was cut or its first line is wrong",
                       (long long)file->n, things, (long long)n);
  return OK;
}

Status carp_check_end(const CarpFile *file, const char *things, int64_t bytes) {
  const TextSource *source = &file->source;
  if (!source->binary || source->size - source->at < bytes) return OK;
  return source_fail(source, source->at,
                     "the header says %lld %s, but %lld bytes follow; it is wrong, or the file belongs to another mesh",
                     (long long)file->n, things, (long long)(source->size - source->at));
}

static Status read_items(TextSource *source, int64_t begin, int64_t end, CarpItem item, void *context) {
  for (int64_t i = begin; i < end; ++i) TRY(item(source, context, i));
  return OK;
}

Status carp_items(TextSource *source, int64_t n, int64_t bytes, CarpItem item, void *context) {
  int64_t start[PARTS + 1], end = -1;
  const int parts = parts_of(n) < PARTS ? parts_of(n) : PARTS;
  bool good = true;
  if (parts == 1) return read_items(source, 0, n, item, context);
  TRY(source_split(source, n, bytes, parts, start));
  if (source->binary && start[parts] < 0) return read_items(source, 0, n, item, context);
#pragma omp parallel for schedule(static, 1) num_threads(parts) reduction(&& : good) reduction(max : end)
  for (int p = 0; p < parts; ++p) {
    TextSource mine = *source;
    mine.at = start[p];
    good = good && read_items(&mine, part_begin(n, p, parts), part_begin(n, p + 1, parts), item, context) == OK;
    if (p == parts - 1) end = mine.at;
    else good = good && source_here(&mine) == start[p + 1];
  }
  if (good) {
    source->at = end;
    return OK;
  }
  status_clear();
  return read_items(source, 0, n, item, context); /* once more in order, for the message */
}

bool carp_line_ends(const TextSource *source) {
  int64_t at = source->at;
  while (at < source->size && strchr(" \t\r", source->bytes[at])) ++at;
  return at == source->size || source->bytes[at] == '\n' || source->bytes[at] == '#';
}

static Status real_of_bytes(TextSource *source, const char *what, double *out) {
  int64_t bits;
  TRY(source_int(source, what, &bits));
  const int32_t word = (int32_t)bits;
  float value;
  memcpy(&value, &word, sizeof value);
  *out = (double)value;
  return OK;
}

Status carp_reals(TextSource *source, const char *what, int n, double *out) {
  if (source->binary) {
    for (int k = 0; k < n; ++k) TRY(real_of_bytes(source, what, &out[k]));
    return OK;
  }
  int k = 0;
  for (; k < n && (k == 0 || !carp_line_ends(source)); ++k) TRY(source_text_double(source, what, &out[k]));
  if (k == n && carp_line_ends(source)) {
    source_next_line(source);
    return OK;
  }
  char line[64];
  source_quote_line(source, source->at, line);
  return source_fail(source, source->at, "%s: the line has %s than %d number%s (%s); write the file again", line,
                     k < n ? "fewer" : "more", n, n > 1 ? "s" : "", what);
}
