/* libFuzzer target: what Sinew does with a mesh in HDF5 once its checksum holds: the bytes are sealed here, so that the
 * layout is what is tried and HDF5's own parser, which sees no unsealed file unguarded, sees them too. Its own crashes
 * on hostile files end the run of the fuzzer: look at the stack whether the fault is ours. */
#include "mesh/io/h5.h"
#include "mesh/mesh.h"
#include "tests/fuzz/file.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  char path[32];
  unsigned char *sealed = malloc(size + H5_TRAILER);
  Mesh *mesh = NULL;
  memcpy(sealed, bytes, size);
  h5_seal(sealed, (int64_t)size);
  const int file = fuzz_file(sealed, size + H5_TRAILER, path);
  if (mesh_read_h5(path, &mesh) == OK) (void)mesh_check(mesh);
  else fuzz_holds(status_message()[0] && !mesh);
  mesh_destroy(&mesh);
  close(file);
  free(sealed);
  fuzz_end();
  return 0;
}
