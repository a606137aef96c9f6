/* The end of a result that stores less than was reserved for it: arrays of steps become as long as there are steps, so
 * that whoever reads them whole reads nothing that was never written. */
#pragma once
#include "output/layout.h"

/* HDF5 cannot shorten contiguous arrays. Their length stands in one number of the object header, which is written past
 * HDF5 (HDF5 File Format Specification 3.0, IV.A.1.a and IV.A.2.b, IV.A.2.i). The file must be flushed, and closed
 * afterwards; its steps become n_step. Where a header is not of the kind that this program's files have, all is left as
 * it is (*done = false). ERR_IO, ERR_MEMORY. */
Status result_shrink(hid_t file, int descriptor, const char *path, const Layout *layout, int64_t n_step, bool *done);
