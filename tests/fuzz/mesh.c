/* libFuzzer target: the .msh reader and the checks of a mesh. */
#include "mesh/io/msh_read.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  Mesh *mesh;
  if (msh_read_bytes((const char *)bytes, (int64_t)size, "fuzz.msh", &mesh) == OK) {
    (void)mesh_hash(mesh);
    (void)mesh_check(mesh);
  } else {
    fuzz_holds(status_message()[0] && !mesh);
  }
  mesh_destroy(&mesh);
  fuzz_end();
  return 0;
}
