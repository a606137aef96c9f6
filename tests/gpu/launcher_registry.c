/* The launchers that were compiled. */
#include "gpu/launch.h"
#include "tests/gpu/launcher_table.h"
#include "tests/testing.h"

static CudaRegistry *registry;

int launchers_open(void) {
  assert_ok(cuda_registry_create(&registry));
  return cuda_registry_count(registry);
}

void launchers_close(void) {
  cuda_registry_destroy(&registry);
  assert_null(registry);
}

LauncherFound launchers_find(const char *name, size_t args_size) {
  const CudaKernel *found = cuda_registry_find(registry, name);
  if (!found || !found->launch) return LAUNCHER_MISSING;
  return found->args_size == args_size ? LAUNCHER_THERE : LAUNCHER_DIFFERS;
}
