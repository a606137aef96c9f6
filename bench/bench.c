/* The list of benchmarks. */
#include "bench/bench.h"

#include <string.h>

static const BenchType TYPES[] = {
#define BENCH(name, folder, meaning) {#name, meaning, bench_##name},
#include "bench/benches.def"
};

int bench_count(void) { return (int)(sizeof TYPES / sizeof *TYPES); }

const BenchType *bench_type(int i) { return i >= 0 && i < bench_count() ? &TYPES[i] : NULL; }

const BenchType *bench_by_name(const char *name) {
  for (int i = 0; i < bench_count(); ++i)
    if (!strcmp(TYPES[i].name, name)) return &TYPES[i];
  return NULL;
}
