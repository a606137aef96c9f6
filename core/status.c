/* The thread-local chain of messages and warnings behind status.h. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAIN_BYTES = 16384, WARNINGS = 256, WARNING_BYTES = 1024 };

static _Thread_local struct {
  char chain[CHAIN_BYTES];
  size_t used;
  char *warning[WARNINGS];
  int n_warning;
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

static void append(const char *format, va_list args) {
  if (message.used + 1 >= CHAIN_BYTES) return;
  const int n = vsnprintf(message.chain + message.used, CHAIN_BYTES - message.used, format, args);
  if (n > 0) message.used += (size_t)n;
  if (message.used > CHAIN_BYTES - 1) message.used = CHAIN_BYTES - 1;
}

static void append_text(const char *format, ...) {
  va_list args;
  va_start(args, format);
  append(format, args);
  va_end(args);
}

Status status_fail(Status status, const char *file, int line, const char *format, ...) {
  status_clear();
  if (status == ERR_BUG) append_text("%s:%d: internal error: ", file, line);
  va_list args;
  va_start(args, format);
  append(format, args);
  va_end(args);
  return status;
}

Status status_context(Status status, const char *format, ...) {
  append_text("%s", message.used ? "\n  " : "");
  va_list args;
  va_start(args, format);
  append(format, args);
  va_end(args);
  return status;
}

const char *status_message(void) { return message.chain; }

void status_clear(void) {
  message.chain[0] = 0;
  message.used = 0;
}

void status_warn(const char *format, ...) {
  const int i = message.n_warning++;
  if (i >= WARNINGS) return;
  char *text = malloc(WARNING_BYTES); /* not mem_alloc: a warning must not fail its caller */
  if (!text) {
    --message.n_warning;
    return;
  }
  va_list args;
  va_start(args, format);
  vsnprintf(text, WARNING_BYTES, format, args);
  va_end(args);
  message.warning[i] = text;
}

int status_warning_count(void) { return message.n_warning < WARNINGS ? message.n_warning : WARNINGS; }

const char *status_warning(int i) { return i >= 0 && i < status_warning_count() ? message.warning[i] : ""; }

void status_warnings_clear(void) {
  for (int i = 0; i < status_warning_count(); ++i) {
    free(message.warning[i]);
    message.warning[i] = NULL;
  }
  message.n_warning = 0;
}
