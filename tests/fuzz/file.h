/* Bytes as a file without a name, for readers that take a path. */
#pragma once
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* A descriptor; its path into path[32]. */
static inline int fuzz_file(const void *bytes, size_t size, char path[32]) {
  const int file = memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0 || write(file, bytes, size) != (ssize_t)size) _exit(1);
  snprintf(path, 32, "/proc/self/fd/%d", file);
  return file;
}
