/* All launchers in one table sorted by name. */
#include "gpu/launch.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

#define LAUNCHERS(folder, file) extern const CudaKernel cuda_kernels_##folder##_##file[];
#include "launchers_found.def"
#undef LAUNCHERS

struct CudaRegistry {
  int n;
  const CudaKernel *kernel[]; /* [n], by name */
};

static int by_name(const void *a, const void *b) {
  return strcmp((*(const CudaKernel *const *)a)->name, (*(const CudaKernel *const *)b)->name);
}

static int key_to_name(const void *key, const void *entry) {
  return strcmp((const char *)key, (*(const CudaKernel *const *)entry)->name);
}

Status cuda_registry_create(CudaRegistry **out) {
  *out = NULL;
  static const CudaKernel *const tables[] = {
#define LAUNCHERS(folder, file) cuda_kernels_##folder##_##file,
#include "launchers_found.def"
#undef LAUNCHERS
  };
  enum { N_TABLES = sizeof tables / sizeof *tables };
  int n = 0;
  for (int t = 0; t < N_TABLES; ++t)
    for (const CudaKernel *k = tables[t]; k->name; ++k) ++n;
  CudaRegistry *registry = NULL;
  const size_t bytes = sizeof *registry + (size_t)n * sizeof registry->kernel[0];
  TRY(mem_alloc((int64_t)bytes, 1, "the table of GPU kernels", (void **)&registry));
  for (int t = 0; t < N_TABLES; ++t)
    for (const CudaKernel *k = tables[t]; k->name; ++k) registry->kernel[registry->n++] = k;
  qsort(registry->kernel, (size_t)n, sizeof registry->kernel[0], by_name);
  for (int i = 1; i < n; ++i) {
    if (strcmp(registry->kernel[i - 1]->name, registry->kernel[i]->name)) continue;
    const char *name = registry->kernel[i]->name;
    FREE(registry);
    return FAIL(ERR_BUG, "two GPU kernels are named '%s'", name);
  }
  *out = registry;
  return OK;
}

void cuda_registry_destroy(CudaRegistry **registry) { mem_free((void **)registry); }

const CudaKernel *cuda_registry_find(const CudaRegistry *registry, const char *name) {
  const CudaKernel *const *found = bsearch(name, registry->kernel, (size_t)registry->n, sizeof *found, key_to_name);
  return found ? *found : NULL;
}

int cuda_registry_count(const CudaRegistry *registry) { return registry->n; }
