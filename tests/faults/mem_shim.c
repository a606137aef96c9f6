/* Preloaded library that makes one allocation of a program fail, whoever asks for it: the program, HDF5, OpenMP, libc.
 *   FAULT_AT=n       the nth malloc, calloc or realloc (from 1) answers NULL; with FAULT_STICKY=1 so do all that follow
 *   FAULT_LEAST=b    only those of at least b bytes are counted
 *   FAULT_COUNT=file at the end: how many were counted
 *   FAULT_SITE=file  the library and function that asked for the one that failed */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static struct {
  bool ready, sticky;
  long at;
  size_t least;
  const char *site;
  _Atomic long count;
} fault;
static __thread bool busy; /* in this library: what it allocates itself is not counted */

static void read_settings(void) {
  const char *at = getenv("FAULT_AT"), *least = getenv("FAULT_LEAST");
  fault.at = at ? atol(at) : 0;
  fault.least = least ? (size_t)atol(least) : 0;
  fault.sticky = getenv("FAULT_STICKY") != NULL;
  fault.site = getenv("FAULT_SITE");
  fault.ready = true;
}

static void note(const char *path, const char *text, int n) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0) return;
  if (write(file, text, (size_t)n) != n) _exit(99);
  close(file);
}

static void note_site(size_t bytes, const void *from) {
  char text[512];
  Dl_info info = {0};
  dladdr(from, &info);
  const int n = snprintf(text, sizeof text, "%zu bytes for %s in %s\n", bytes, info.dli_sname ? info.dli_sname : "?",
                         info.dli_fname ? info.dli_fname : "?");
  note(fault.site, text, n < (int)sizeof text ? n : (int)sizeof text - 1);
}

static bool fails(size_t bytes, const void *from) {
  if (busy) return false;
  if (!fault.ready) read_settings();
  if (bytes < fault.least) return false;
  const long n = atomic_fetch_add(&fault.count, 1) + 1;
  if (!fault.at || n < fault.at || (n > fault.at && !fault.sticky)) return false;
  busy = true;
  if (fault.site && n == fault.at) note_site(bytes, from);
  busy = false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t n) {
  return fails(n, __builtin_return_address(0)) ? NULL : __libc_malloc(n);
}
void *calloc(size_t n, size_t size) {
  return fails(n * size, __builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}
void *realloc(void *p, size_t n) {
  return fails(n, __builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}

__attribute__((destructor)) static void say_count(void) {
  const char *path = getenv("FAULT_COUNT");
  char text[32];
  busy = true;
  if (path) note(path, text, snprintf(text, sizeof text, "%ld\n", (long)fault.count));
}
