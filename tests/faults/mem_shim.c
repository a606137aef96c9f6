/* Preloaded library that makes one allocation of a program fail, whoever asks for it: the program, HDF5, OpenMP, libc.
 * Counted is what is asked for from main on, by its children too: before it the loader starts libraries, some of which
 * (GnuTLS, that HDF5 brings along by curl) crash when they get no memory. FAULT_AT=n       the nth malloc, calloc or
 * realloc (from 1) answers NULL; with FAULT_STICKY=1 so do all that follow FAULT_LEAST=b    only those of at least b
 * bytes are counted FAULT_COUNT=file at the end: how many were counted FAULT_SITE=file  the library and function that
 * asked for the one that failed */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);

static struct {
  bool ready, sticky;
  long at;
  size_t least;
  const char *site;
  _Atomic long *count; /* children that it forks count on */
  _Atomic bool in_main;
  int (*main)(int, char **, char **);
} fault;
static __thread bool busy; /* in this library: what it allocates itself is not counted */

static void read_settings(void) {
  const char *at = getenv("FAULT_AT"), *least = getenv("FAULT_LEAST");
  fault.at = at ? atol(at) : 0;
  fault.least = least ? (size_t)atol(least) : 0;
  fault.sticky = getenv("FAULT_STICKY") != NULL;
  fault.site = getenv("FAULT_SITE");
  fault.count = mmap(NULL, sizeof *fault.count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (fault.count == MAP_FAILED) _exit(99);
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
  if (busy || !fault.in_main) return false;
  if (!fault.ready) read_settings();
  if (bytes < fault.least) return false;
  const long n = atomic_fetch_add(fault.count, 1) + 1;
  if (!fault.at || n < fault.at || (n > fault.at && !fault.sticky)) return false;
  busy = true;
  if (fault.site && n == fault.at) note_site(bytes, from);
  busy = false;
  errno = ENOMEM;
  return true;
}

void *malloc(size_t n) { return fails(n, __builtin_return_address(0)) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) {
  return fails(n * size, __builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}
void *realloc(void *p, size_t n) { return fails(n, __builtin_return_address(0)) ? NULL : __libc_realloc(p, n); }

static int watched_main(int argc, char **argv, char **environment) {
  fault.in_main = true;
  const int code = fault.main(argc, argv, environment);
  fault.in_main = false;
  return code;
}

typedef int StartMain(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                      void *);
StartMain __libc_start_main;
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*end)(void), void *stack) {
  StartMain *real;
  *(void **)&real = dlsym(RTLD_NEXT, "__libc_start_main");
  fault.main = main;
  return real(watched_main, argc, argv, init, fini, end, stack);
}

__attribute__((destructor)) static void say_count(void) {
  const char *path = getenv("FAULT_COUNT");
  char text[32];
  busy = true;
  if (path) note(path, text, snprintf(text, sizeof text, "%ld\n", fault.count ? (long)*fault.count : 0L));
}
