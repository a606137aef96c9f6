/* Collecting, sorting and writing the errors of a case. */
#include "app/input/diagnostics.h"
#include "core/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 1000, SHOWN = 40, MESSAGE_BYTES = 4096, TOTAL_BYTES = 15000 };

bool place_given(Place place) { return place.line > 0 || place.option; }

const char *place_text(const char *path, Place place, char *text, int size) {
  if (place.option) snprintf(text, (size_t)size, "--set '%s'", place.option);
  else if (place.file) snprintf(text, (size_t)size, "%s:%d", place.file, place.line);
  else if (place.line > 0) snprintf(text, (size_t)size, "%s:%d:%d", path, place.line, place.column);
  else snprintf(text, (size_t)size, "%s", path);
  return text;
}

static Status diagnostics_keep(Diagnostics *c, Place place, const char *text) {
  if (c->n == c->capacity) {
    RESIZE(c->item, c->capacity ? 2 * c->capacity : 8, "error messages");
    c->capacity = c->capacity ? 2 * c->capacity : 8;
  }
  char *copy;
  TRY(mem_text(text, "an error message", &copy));
  c->item[c->n] = (Diagnostic){place, c->n, copy};
  ++c->n;
  return OK;
}

void report_error(Diagnostics *c, Place place, const char *format, ...) {
  if (c->broken != OK) return;
  if (c->n == KEPT) {
    ++c->n_more;
    return;
  }
  char text[MESSAGE_BYTES];
  place_text(c->path, place, text, 512);
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  const int n = snprintf(text + used, sizeof text - used, ": ");
  vsnprintf(text + used + n, sizeof text - used - (size_t)n, format, args);
  va_end(args);
  for (int32_t i = 0; i < c->n; ++i)
    if (strcmp(c->item[i].text, text) == 0) return; /* two checks look at it */
  c->broken = diagnostics_keep(c, place, text);
}

bool error_reported_at(const Diagnostics *diagnostics, Place place) {
  for (int32_t i = 0; i < diagnostics->n; ++i) {
    const Place at = diagnostics->item[i].place;
    if (at.line == place.line && at.column == place.column && at.option == place.option) return true;
  }
  return false;
}

bool error_reported_of(const Diagnostics *diagnostics, const char *key) {
  char place[512];
  const size_t n = strlen(key);
  for (int32_t i = 0; i < diagnostics->n; ++i) {
    const Diagnostic *item = &diagnostics->item[i];
    const char *said = item->text + strlen(place_text(diagnostics->path, item->place, place, sizeof place));
    if (strncmp(said, ": ", 2) == 0 && strncmp(said + 2, key, n) == 0 && strchr(": ", said[2 + n])) return true;
  }
  return false;
}

static int by_place(const void *left, const void *right) {
  const Diagnostic *a = left, *b = right;
  if (!a->place.option != !b->place.option) return a->place.option ? -1 : 1;
  if (a->place.line != b->place.line) return a->place.line < b->place.line ? -1 : 1;
  if (a->place.column != b->place.column) return a->place.column < b->place.column ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

Status diagnostics_status(Diagnostics *c) {
  CHECK(c->broken == OK, c->broken, "not enough memory to read the case file");
  if (c->n == 0) return OK;
  qsort(c->item, (size_t)c->n, sizeof *c->item, by_place);
  const Status status = c->usage ? ERR_USAGE : ERR_INPUT;
  char *all = NULL;
  ALLOC(all, TOTAL_BYTES + 1, "error messages");
  size_t used = 0;
  int32_t shown = 0;
  for (; shown < c->n && shown < SHOWN; ++shown) {
    const size_t length = strlen(c->item[shown].text);
    if (used + length + 2 > TOTAL_BYTES) break;
    used += (size_t)snprintf(all + used, TOTAL_BYTES - used, "%s%s", shown ? "\n" : "", c->item[shown].text);
  }
  const long long more = c->n - shown + c->n_more;
  if (more) FAIL(status, "%s\nand %lld more errors", all, more);
  else FAIL(status, "%s", all);
  FREE(all);
  return status;
}

void diagnostics_release(Diagnostics *c) {
  for (int32_t i = 0; i < c->n; ++i) FREE(c->item[i].text);
  FREE(c->item);
  *c = (Diagnostics){.path = c->path};
}

const char *seen_text(const char *value, char text[SEEN_BYTES]) {
  size_t n = strlen(value);
  const bool cut = n > 40;
  if (cut) {
    n = 40;
    while (n > 0 && ((unsigned char)value[n] & 0xc0) == 0x80) --n; /* not inside a UTF-8 letter */
  }
  for (size_t i = 0; i < n; ++i) {
    const unsigned char letter = (unsigned char)value[i];
    text[i] = letter < 0x20 || letter == 0x7f ? '?' : value[i];
  }
  memcpy(text + n, "...", 4);
  if (!cut) text[n] = 0;
  return text;
}
