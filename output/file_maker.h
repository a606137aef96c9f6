/* Files made on a thread of their own, beside other work of the program. */
#pragma once
#include "core/worker.h"

/* *maker (NULL before) begins with `make`, which has HDF5 until file_maker_end: call that after a failure too. */
Status file_maker_begin(Status (*make)(void *context, int32_t slot), void *context, Worker **maker);
/* Waits until the files are there: what `make` returned. OK where *maker is NULL, which it is afterwards. */
Status file_maker_end(Worker **maker);
