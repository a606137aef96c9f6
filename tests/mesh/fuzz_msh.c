/* libFuzzer target for the .msh reader and the checks, not built by default:
 *   CC=clang cmake -S . -B build-fuzz -DSINEW_FUZZ=ON -DSINEW_CUDA=OFF && cmake --build build-fuzz --target fuzz_msh
 *   build-fuzz/tests/mesh/fuzz_msh -max_len=4096 a-folder-of-small-msh-files */
#include "core/memory.h"
#include "mesh/msh_read.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  Mesh *mesh;
  if (msh_read_bytes((const char *)bytes, (int64_t)size, "fuzz.msh", &mesh) == OK) {
    (void)mesh_hash(mesh);
    (void)mesh_check(mesh);
    status_warnings_clear();
  } else if (!status_message()[0] || mesh)
    abort();
  mesh_destroy(&mesh);
  if (mem_in_use()) abort();
  return 0;
}
