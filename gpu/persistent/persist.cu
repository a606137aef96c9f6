/* The kernel that stays on the GPU for a whole loop, with all it can know, and how it is launched. Each launch of the
 * list is a function of its own: all of them in one made 800 kB of code that kept its sums in memory, which every
 * barrier makes slow, and functions called through pointers save 28 registers of each thread in memory first. Element
 * kernels need too many registers to share a kernel with others. */
#define PERSIST_FILES "gpu/persistent/persist_rows.def"
#define PERSIST_CALL __noinline__
#define PERSIST_BUILD persist_all
#include "gpu/persistent/persist_turns.cuh"

static size_t shared_bytes(int32_t bytes) { return sizeof(PersistShared) + (size_t)bytes; }
/* Without a GPU that of compute capability 9.0. */
int32_t persist_room(void) {
  int device = 0, most = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess) {
    cudaGetLastError();
    most = 227 << 10;
  }
  return most - (int32_t)sizeof(PersistShared);
}

/* The launch as the runtime wants it. */
static void configure(PersistTeam team, int32_t bytes, cudaLaunchConfig_t *config, cudaLaunchAttribute *attribute) {
  *config = cudaLaunchConfig_t();
  config->blockDim = dim3(PERSIST_BLOCK);
  config->dynamicSmemBytes = shared_bytes(bytes);
  config->attrs = attribute;
  config->numAttrs = 1;
  if (team == PERSIST_CLUSTER) {
    config->gridDim = dim3(PERSIST_CLUSTER_BLOCKS);
    attribute->id = cudaLaunchAttributeClusterDimension;
    attribute->val.clusterDim.x = PERSIST_CLUSTER_BLOCKS;
    attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
  } else {
    config->gridDim = dim3(PERSIST_GRID_BLOCKS);
    attribute->id = cudaLaunchAttributeCooperative;
    attribute->val.cooperative = 1;
  }
}

static const void *kernel_of(const PersistBuild *build, PersistTeam team) {
  return team == PERSIST_CLUSTER ? build->cluster : build->grid;
}

static cudaError_t count_places(const PersistBuild *build, PersistTeam team, int32_t bytes, int *places) {
  const void *kernel = kernel_of(build, team);
  cudaFuncAttributes attributes;
  if (!kernel) return cudaSuccess;
  cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
  if (error != cudaSuccess || (team == PERSIST_CLUSTER && attributes.binaryVersion < 90)) return error;
  error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes(bytes));
  if (error != cudaSuccess) return error;
  if (team == PERSIST_CLUSTER) {
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (error != cudaSuccess) return error;
    cudaLaunchConfig_t config;
    cudaLaunchAttribute attribute;
    configure(team, bytes, &config, &attribute);
    return cudaOccupancyMaxActiveClusters(places, kernel, &config);
  }
  int device = 0, processors = 0, cooperative = 0, blocks = 0;
  error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, PERSIST_BLOCK, shared_bytes(bytes));
  if (error == cudaSuccess) *places = cooperative ? blocks * processors / PERSIST_GRID_BLOCKS : 0;
  return error;
}

bool persist_fits(const PersistBuild *build, PersistTeam team, int32_t bytes) {
  int places = 0;
  if (count_places(build, team, bytes, &places) == cudaSuccess) return places > 0;
  cudaGetLastError();
  return false;
}

cudaError_t persist_launch(cudaStream_t stream, PersistTeam team, const PersistRun *run) {
  cudaError_t error = cudaMemsetAsync(run->program, 0, PERSIST_SYNC, stream);
  if (error != cudaSuccess) return error;
  /* the attribute is the kernel's, and another loop may have asked for less */
  const void *kernel = kernel_of(run->build, team);
  error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)shared_bytes(run->bytes + run->held));
  if (error != cudaSuccess) return error;
  cudaLaunchConfig_t config;
  cudaLaunchAttribute attribute;
  configure(team, run->bytes + run->held, &config, &attribute);
  config.stream = stream;
  void *args[] = {(void *)run};
  return cudaLaunchKernelExC(&config, kernel, args);
}

extern "C" const PersistKernel persist_copy = {"copy", sizeof(PersistCopyArgs), KIND_copy, 0, PERSIST_ROWS, 0, 0,
                                               -1,     PERSIST_NO_GATE};
extern "C" const PersistKernel persist_zero = {"zero", sizeof(PersistCopyArgs), KIND_zero, 0, PERSIST_ROWS, 0, 0,
                                               -1,     PERSIST_NO_GATE};
