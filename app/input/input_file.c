#include "app/input/input_file.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static Status check_kind(const char *path, const char *what, size_t most, const struct stat *info) {
  CHECK(!S_ISDIR(info->st_mode), ERR_INPUT, "%s: is a folder; a %s is expected", path, what);
  CHECK(S_ISREG(info->st_mode), ERR_INPUT, "%s: is not a regular file (a pipe or device); a %s is expected", path,
        what);
  CHECK((size_t)info->st_size <= most, ERR_INPUT, "%s: is %lld bytes long; a %s has at most %zu MiB", path,
        (long long)info->st_size, what, most >> 20);
  return OK;
}

Status input_file(const char *path, const char *what, size_t most, char **bytes, size_t *n) {
  *bytes = NULL, *n = 0;
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  CHECK(file >= 0, ERR_INPUT, "%s: cannot open the %s: %s", path, what, strerror(errno));
  struct stat info;
  Status status =
      fstat(file, &info) == 0 ? check_kind(path, what, most, &info) : FAIL(ERR_INPUT, "%s: %s", path, strerror(errno));
  if (status == OK) status = mem_alloc((int64_t)info.st_size + 1, 1, what, (void **)bytes);
  while (status == OK && *n < (size_t)info.st_size) {
    const ssize_t got = read(file, *bytes + *n, (size_t)info.st_size - *n);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) status = FAIL(ERR_INPUT, "%s: cannot read: %s", path, strerror(errno));
    if (got <= 0) break;
    *n += (size_t)got;
  }
  close(file);
  if (status != OK) FREE(*bytes);
  return status;
}

/* All up to the end, with a NUL behind; what was read stays with the caller, also of an error. */
static Status read_on(const char *what, size_t most, char **bytes, size_t *n) {
  enum { PIECE = 1 << 16 };
  for (ssize_t got = 1; got;) {
    RESIZE(*bytes, *n + PIECE + 1, what);
    got = read(STDIN_FILENO, *bytes + *n, PIECE);
    if (got < 0 && errno == EINTR) continue;
    CHECK(got >= 0, ERR_INPUT, "<stdin>: cannot read the %s: %s", what, strerror(errno));
    *n += (size_t)got;
    CHECK(*n <= most, ERR_INPUT, "<stdin>: is longer than %zu MiB, the most that a %s has", most >> 20, what);
  }
  (*bytes)[*n] = 0;
  return OK;
}

Status input_stdin(const char *what, size_t most, char **bytes, size_t *n) {
  *bytes = NULL, *n = 0;
  const Status status = read_on(what, most, bytes, n);
  if (status != OK) FREE(*bytes);
  return status;
}
