/* The thread-local chain of messages and warnings behind status.h. */
#include "core/status.h"
#include "core/status_warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN_BYTES = 16384, WARNINGS = 256, WARNING_BYTES = 1 << 16 };

static _Thread_local struct {
  char chain[CHAIN_BYTES], added[CHAIN_BYTES];
  size_t used;
  char *warning[WARNINGS];
  int n_warning;
  bool dropped; /* warnings */
} message;

const char *status_text(Status status) {
  switch (status) {
#define STATUS_CASE(name, code, text)                                                                                  \
  case name: return text;
    STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
  }
  return "an unknown status";
}

static void status_append(const char *text) {
  const size_t room = CHAIN_BYTES - 1 - message.used, length = strlen(text), n = length < room ? length : room;
  memcpy(message.chain + message.used, text, n);
  message.used += n;
  message.chain[message.used] = 0;
}

/* folder/file.c: where the sources were compiled is of no interest. */
static const char *source_name(const char *file) {
  const char *name = file;
  int parts = 0;
  for (const char *p = file + strlen(file); p > file && parts < 2; --p) {
    if (p[-1] == '/') ++parts;
    if (parts < 2) name = p - 1;
  }
  return name;
}

/* Both write to a second buffer first, because an argument may be the chain itself. */
Status status_fail(Status status, const char *file, int line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(message.added, sizeof message.added, format, args);
  va_end(args);
  status_clear();
  if (status == ERR_BUG) {
    char place[256];
    snprintf(place, sizeof place, "%s:%d: internal error: ", source_name(file), line);
    status_append(place);
  }
  status_append(message.added);
  return status;
}

Status status_context(Status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(message.added, sizeof message.added, format, args);
  va_end(args);
  if (message.used) status_append("\n  ");
  status_append(message.added);
  return status;
}

const char *status_message(void) { return message.chain; }

void status_clear(void) {
  message.chain[0] = 0;
  message.used = 0;
}

void status_warnings_drop(bool drop) { message.dropped = drop; }

void status_warn(const char *format, ...) {
  if (message.dropped) return;
  const int i = message.n_warning++;
  if (i >= WARNINGS) return;
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  const size_t bytes = n < 0 ? 1 : n < WARNING_BYTES ? (size_t)n + 1 : WARNING_BYTES;
  char *text = malloc(bytes); /* not mem_alloc: a warning must not fail its caller */
  if (!text) {
    --message.n_warning;
    return;
  }
  *text = 0;
  va_start(args, format);
  vsnprintf(text, bytes, format, args);
  va_end(args);
  message.warning[i] = text;
  for (int k = 0; k < i; ++k) {
    if (strcmp(message.warning[k], text) != 0) continue; /* said already */
    free(text);
    message.warning[--message.n_warning] = NULL;
    return;
  }
}

int status_warning_count(void) { return message.n_warning < WARNINGS ? message.n_warning : WARNINGS; }

int status_warning_lost(void) { return message.n_warning - status_warning_count(); }

const char *status_warning(int i) { return i >= 0 && i < status_warning_count() ? message.warning[i] : ""; }

void status_warnings_clear(void) {
  for (int i = 0; i < status_warning_count(); ++i) {
    free(message.warning[i]);
    message.warning[i] = NULL;
  }
  message.n_warning = 0;
}

int status_warnings_move(char **to, int most, int *lost) {
  const int kept = status_warning_count(), n = kept < most ? kept : most;
  for (int i = 0; i < n; ++i) {
    to[i] = message.warning[i];
    message.warning[i] = NULL;
  }
  *lost += message.n_warning - n;
  status_warnings_clear();
  return n;
}

void status_warning_adopt(char *text) {
  if (message.dropped || message.n_warning++ >= WARNINGS) free(text);
  else message.warning[message.n_warning - 1] = text;
}
