#include "core/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int own_file_make(const char *path) {
  if (unlink(path) != 0 && errno != ENOENT) return -1;
  return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

Status own_file_open(const char *path, int *out) {
  struct stat what;
  const int file = *out = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  CHECK(file >= 0 || errno != ENOENT, ERR_RESTART, "'%s' is missing", path);
  CHECK(file >= 0 || errno != ELOOP, ERR_RESTART,
        "'%s' is a link, and a run writes only to files in its own folder; put the file itself there", path);
  CHECK(file >= 0, ERR_IO, "cannot open '%s' to continue it: %s", path, strerror(errno));
  if (fstat(file, &what) == 0 && S_ISREG(what.st_mode)) return OK;
  close(file);
  *out = -1;
  return FAIL(ERR_RESTART, "'%s' is not a regular file", path);
}
