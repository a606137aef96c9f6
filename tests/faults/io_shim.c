/* Preloaded library that makes one file operation of a program fail, or kills the program there.
 *   FAULT_AT=n          the nth operation (from 1); unset or 0: none
 *   FAULT_HOW=error     it fails with FAULT_ERRNO (default ENOSPC); with FAULT_STICKY=1 so do all that follow
 *             short     a write does half of its work, the operation after it fails; others fail
 *             kill      SIGKILL before it
 *             half      SIGKILL within it: half of a write is done, other operations not at all
 *   FAULT_UNDER=words   counted are only files whose path has these words in it: not those of MPI
 *   FAULT_LOG=file      one line per operation: its number and name
 * Counted are open (that creates), write, pwrite, ftruncate, rename, link, fsync, fdatasync, mkdir and unlink of files
 * that the program opened itself: what it says on the standard streams is left alone. An unlink is only killed at, it
 * never fails. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

typedef enum How { GO_ON, ERROR, SHORT, KILL, HALF } How;

static struct {
  bool ready, sticky;
  long at;
  How how;
  int reason, log;
  const char *under;
  _Atomic long count;
} fault = {.log = -1};

/* The function of this name behind this library. */
#define REAL(name, pointer)                                                                                            \
  static __typeof__(&name) pointer;                                                                                    \
  if (!pointer) *(void **)&pointer = dlsym(RTLD_NEXT, #name)

static ssize_t real_write(int file, const void *data, size_t n) {
  REAL(write, real);
  return real(file, data, n);
}

static int real_open(const char *path, int flags, mode_t mode) {
  REAL(open, real);
  return real(path, flags, mode);
}

static How how_of(const char *name) {
  static const char *const names[] = {"", "error", "short", "kill", "half"};
  for (int k = ERROR; name && k <= HALF; ++k)
    if (strcmp(name, names[k]) == 0) return (How)k;
  return GO_ON;
}

static void read_settings(void) {
  const char *at = getenv("FAULT_AT"), *reason = getenv("FAULT_ERRNO"), *log = getenv("FAULT_LOG");
  fault.at = at ? atol(at) : 0;
  fault.how = how_of(getenv("FAULT_HOW"));
  fault.reason = reason ? atoi(reason) : ENOSPC;
  fault.sticky = getenv("FAULT_STICKY") != NULL;
  fault.under = getenv("FAULT_UNDER");
  if (log) fault.log = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  fault.ready = true;
}

static bool path_counts(const char *path) {
  if (!fault.ready) read_settings();
  return !fault.under || strstr(path, fault.under);
}

static bool file_counts(int file) {
  char link[64], path[4096];
  if (!fault.ready) read_settings();
  if (!fault.under) return true;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  const ssize_t n = readlink(link, path, sizeof path - 1);
  path[n > 0 ? n : 0] = 0;
  return path_counts(path);
}

/* What shall become of this operation: GO_ON, ERROR (errno is set), SHORT or HALF; a kill does not return. */
static How hit(const char *name) {
  const long n = atomic_fetch_add(&fault.count, 1) + 1;
  if (fault.log >= 0) {
    char line[64];
    const int length = snprintf(line, sizeof line, "%ld %s\n", n, name);
    if (real_write(fault.log, line, (size_t)length) != length) abort();
  }
  if (!fault.at || n < fault.at) return GO_ON;
  const bool after = n > fault.at;
  if (after && !(fault.sticky || (fault.how == SHORT && n == fault.at + 1))) return GO_ON;
  if (fault.how == KILL) raise(SIGKILL);
  errno = fault.reason;
  return after ? ERROR : fault.how;
}

/* For operations without a middle: true when they must fail. */
static bool fails(const char *name, bool counted) {
  if (!counted) return false;
  const How how = hit(name);
  if (how == HALF) raise(SIGKILL);
  return how != GO_ON;
}

static bool counts(int file) { return file > 2 && file != fault.log && file_counts(file); }

ssize_t write(int file, const void *data, size_t n) {
  const How how = counts(file) ? hit("write") : GO_ON;
  if (how == ERROR) return -1;
  const ssize_t done = real_write(file, data, how == GO_ON ? n : n / 2);
  if (how == HALF) raise(SIGKILL);
  return done;
}

ssize_t pwrite64(int file, const void *data, size_t n, off64_t at) {
  REAL(pwrite64, real);
  const How how = counts(file) ? hit("pwrite") : GO_ON;
  if (how == ERROR) return -1;
  const ssize_t done = real(file, data, how == GO_ON ? n : n / 2, at);
  if (how == HALF) raise(SIGKILL);
  return done;
}
ssize_t pwrite(int file, const void *data, size_t n, off_t at) { return pwrite64(file, data, n, at); }

int ftruncate64(int file, off64_t length) {
  REAL(ftruncate64, real);
  return fails("ftruncate", file_counts(file)) ? -1 : real(file, length);
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int rename(const char *from, const char *to) {
  REAL(rename, real);
  return fails("rename", path_counts(to)) ? -1 : real(from, to);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  REAL(renameat2, real);
  return fails("rename", path_counts(to)) ? -1 : real(from_folder, from, to_folder, to, flags);
}
int link(const char *from, const char *to) {
  REAL(link, real);
  return fails("link", path_counts(to)) ? -1 : real(from, to);
}
int fsync(int file) {
  REAL(fsync, real);
  return fails("fsync", file_counts(file)) ? -1 : real(file);
}
int fdatasync(int file) {
  REAL(fdatasync, real);
  return fails("fdatasync", file_counts(file)) ? -1 : real(file);
}
int mkdir(const char *path, mode_t mode) {
  REAL(mkdir, real);
  return fails("mkdir", path_counts(path)) ? -1 : real(path, mode);
}
int unlink(const char *path) {
  REAL(unlink, real);
  if (path_counts(path) && hit("unlink") == HALF) raise(SIGKILL);
  return real(path);
}

int open64(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list list;
    va_start(list, flags);
    mode = va_arg(list, mode_t);
    va_end(list);
  }
  return flags & O_CREAT && fails("open", path_counts(path)) ? -1 : real_open(path, flags, mode);
}
int open(const char *path, int flags, ...) __attribute__((alias("open64"))); /* files are large on 64 bits */
