/* What stands in for MPI where Sinew is built without it. */
#include "core/comm.h"

Status comm_create_mpi(Comm **out) {
  *out = NULL;
  return FAIL(ERR_USAGE,
              "a launcher started this Sinew as one of several processes, but it was built without MPI: run it "
              "alone, or install MPI (apt-get install libopenmpi-dev openmpi-bin) and build again");
}
