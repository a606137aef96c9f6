/* sinew: the only place but bench/main.c where a process begins and ends. */
#include "app/app.h"
#include "app/process.h"
#include "core/status.h"

#include <stdio.h>

/* This file is compiled for any processor, all others for those of SINEW_MARCH (cmake/SinewFlags.cmake). */
static int processor_is_too_old(void) {
#ifdef SINEW_NEEDS_AVX2
  __builtin_cpu_init();
  return !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma");
#else
  return 0;
#endif
}

int main(int argc, char **argv) {
  if (processor_is_too_old()) {
    fputs("sinew: this program needs a processor with AVX2 and FMA (x86-64 of 2013 and later), which this one lacks\n"
          "  build it here: sh quickstart.sh\n",
          stderr);
    return ERR_USAGE;
  }
  return process_run(argc, argv, app_main_guarded);
}
