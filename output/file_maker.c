#include "output/file_maker.h"
#include "mesh/io/h5.h"

Status file_maker_begin(Status (*make)(void *context, int32_t slot), void *context, Worker **maker) {
  int32_t slot;
  TRY(worker_create(&(WorkerParams){.n_slot = 1, .context = context, .work = make}, maker));
  h5_lend(true);
  TRY(worker_take(*maker, &slot));
  worker_give(*maker);
  return OK;
}

Status file_maker_end(Worker **maker) {
  if (!*maker) return OK;
  const Status status = worker_finish(*maker);
  worker_destroy(maker);
  h5_lend(false);
  return status;
}
