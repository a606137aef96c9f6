/* A growing buffer over core/memory.h, and saving by rename. */
#include "output/text.h"

#include "core/memory.h"
#include "core/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool text_reserve(Text *text, int64_t more) {
  if (text->status != OK) return false;
  if (text->n + more < text->capacity) return true;
  int64_t capacity = text->capacity > 0 ? text->capacity : 256;
  while (capacity <= text->n + more) capacity *= 2;
  text->status = mem_resize(capacity, 1, "a text to be written", (void **)&text->data);
  if (text->status == OK) text->capacity = capacity;
  return text->status == OK;
}

void text_add_bytes(Text *text, const char *bytes, int64_t n) {
  if (!text_reserve(text, n)) return;
  if (n > 0) memcpy(text->data + text->n, bytes, (size_t)n);
  text->n += n;
  text->data[text->n] = 0;
}

void text_add(Text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n > 0 && text_reserve(text, n)) {
    vsnprintf(text->data + text->n, (size_t)n + 1, format, again);
    text->n += n;
  }
  va_end(again);
}

void text_cut(Text *text, int64_t n) {
  if (n >= text->n) return;
  text->n = n;
  text->data[n] = 0;
}

void text_release(Text *text) {
  FREE(text->data);
  text->n = text->capacity = 0;
  text->status = OK;
}

static bool write_all(int file, const char *data, int64_t n) {
  while (n > 0) {
    const ssize_t done = write(file, data, (size_t)n);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    data += done;
    n -= done;
  }
  return true;
}

/* Writes and closes `temporary`; errno says why not. */
static bool write_file(const Text *text, const char *temporary, bool durable) {
  const int file = own_file_make(temporary);
  if (file < 0) return false;
  bool good = write_all(file, text->data, text->n) && (!durable || fsync(file) == 0);
  const int reason = errno;
  good = close(file) == 0 && good;
  if (!good && reason) errno = reason;
  return good;
}

Status text_write(const Text *text, const char *path, bool durable) {
  if (text->status != OK) return FAIL(text->status, "not enough memory for the text of '%s'", path);
  if (write_file(text, path, durable)) return OK;
  FAIL(ERR_IO, "cannot write '%s': %s", path, strerror(errno));
  unlink(path);
  return ERR_IO;
}

Status text_save(const Text *text, const char *path, bool durable) {
  if (text->status != OK) return FAIL(text->status, "not enough memory for the text of '%s'", path);
  char *temporary = NULL;
  Status status = OK;
  const size_t room = strlen(path) + 5;
  ALLOC(temporary, room, "the name of a temporary file");
  snprintf(temporary, room, "%s.new", path);
  if (!write_file(text, temporary, durable)) {
    status = FAIL(ERR_IO, "cannot write '%s': %s", path, strerror(errno));
    unlink(temporary);
  } else if (rename(temporary, path) != 0) {
    status = FAIL(ERR_IO, "cannot rename '%s' to '%s': %s", temporary, path, strerror(errno));
    unlink(temporary);
  } else if (durable) {
    status = folder_sync_of(path);
  }
  FREE(temporary);
  return status;
}

Status folder_sync_of(const char *path) {
  char *folder = NULL;
  const char *slash = strrchr(path, '/');
  const size_t n = slash ? (size_t)(slash - path) : 0;
  ALLOC(folder, n + 2, "the name of a folder");
  if (n > 0) memcpy(folder, path, n);
  else folder[0] = slash ? '/' : '.';
  const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  FREE(folder);
  if (file < 0) return OK; /* a folder that may be written but not read: the rename itself has happened */
  /* Some file systems answer EINVAL: they have nothing to sync for a folder. */
  const bool good = fsync(file) == 0 || errno == EINVAL || errno == EROFS;
  const int reason = errno;
  close(file);
  CHECK(good, ERR_IO, "cannot sync the folder of '%s': %s", path, strerror(reason));
  return OK;
}

void shell_word(const char *text, Text *out) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-@%";
  if (*text && text[strspn(text, plain)] == 0) {
    text_add(out, "%s", text);
    return;
  }
  text_add(out, "'");
  for (; *text; ++text) text_add(out, *text == '\'' ? "'\\''" : "%c", *text);
  text_add(out, "'");
}
