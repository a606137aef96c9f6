/* Numbers as HDF5's own filters shuffle and deflate (level 1) would leave them, made by all threads: the shuffled bytes
 * are cut into pieces that are deflated one by one and joined to one stream (RFC 1950 and 1951), which any HDF5 reads.
 * The same bytes for any number of threads. */
#pragma once
#include "core/status.h"

#include <stdint.h>

enum { PACKED_LEVEL = 1 };

typedef struct Packed {
  unsigned char *data; /* owned */
  int64_t n;           /* bytes */
} Packed;

/* A chunk of n_full numbers of `size` bytes, of which the first n are there and the others 0. ERR_MEMORY. */
Status packed_build(const void *values, int64_t n, int64_t n_full, int32_t size, Packed *out);
void packed_release(Packed *packed);
