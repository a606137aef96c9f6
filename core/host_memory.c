#include "core/host_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* kB behind this key of a file of /proc, in bytes; 0 where it is not there. */
static double proc_bytes(const char *path, const char *key) {
  char line[128];
  double bytes = 0;
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, key, strlen(key)) == 0) bytes = 1024 * strtod(line + strlen(key), NULL);
  if (file) fclose(file);
  return bytes;
}

double host_memory_free(void) {
  const double room = proc_bytes("/proc/meminfo", "MemAvailable:"), taken = proc_bytes("/proc/self/status", "VmSize:");
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return room;
  const double left = (double)limit.rlim_cur - taken;
  return left < 1 ? 1 : room > 0 && room < left ? room : left;
}
