#include "core/clock.h"

#include <time.h>

static double clock_now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double process_start;
__attribute__((constructor)) static void clock_note_start(void) {
  process_start = clock_now(CLOCK_MONOTONIC) - clock_now(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_seconds(void) { return clock_now(CLOCK_MONOTONIC); }
double clock_process_start(void) { return process_start; }
