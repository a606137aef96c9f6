/* In place of the kernels that stay on the GPU, where the program is built without them (SINEW_PERSISTENT): no launch is
 * known, so that all loops are graphs. */
#include "gpu/persistent/persist.h"

const PersistKernel persist_copy = {.name = "copy", .krylov = -1}, persist_zero = {.name = "zero", .krylov = -1};
static const PersistKernel none[] = {{.name = NULL}};
const PersistBuild persist_all = {.kernels = none}, persist_jacobi = {.kernels = none},
                   persist_heart = {.kernels = none};

int32_t persist_room(void) { return 0; }

bool persist_fits(const PersistBuild *build, PersistTeam team, int32_t bytes) {
  (void)build, (void)team, (void)bytes;
  return false;
}

cudaError_t persist_launch(cudaStream_t stream, PersistTeam team, const PersistRun *run) {
  (void)stream, (void)team, (void)run;
  return cudaErrorNotSupported;
}
