/* Text that grows, and files that are either old or new, never in between. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise: Text text = {0}. Adding never fails visibly: the first failure is kept in `status`, later additions
 * do nothing, and text_save (or the caller) hands it up. */
typedef struct Text {
  char *data; /* owned, [n + 1], zero-terminated; NULL while empty */
  int64_t n, capacity;
  Status status; /* OK, or ERR_MEMORY from growing */
} Text;

void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(Text *text, const char *bytes, int64_t n);
/* Cuts back to n bytes; text_cut(t, 0) keeps the memory. */
void text_cut(Text *text, int64_t n);
void text_release(Text *text);

/* Writes `text` as the whole content of `path`: a temporary file beside it, fsync when `durable`, rename. On any
 * failure the old file stays and the temporary one is removed. ERR_IO with the path and the system's reason. */
Status text_save(const Text *text, const char *path, bool durable);
/* The same without the exchange: writes `path` itself, which is removed again on failure. */
Status text_write(const Text *text, const char *path, bool durable);
/* fsync of the folder that holds `path`, so that a rename survives a power cut. */
Status folder_sync_of(const char *path);
/* A word as the shell reads it back. */
void shell_word(const char *text, Text *out);
