/* Writing attributes and datasets of HDF5 files. Each answers ERR_MEMORY where the file is made in memory, else ERR_IO. */
#pragma once
#include "core/status.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

Status h5_put_int(hid_t at, const char *name, int32_t value);
Status h5_put_double(hid_t at, const char *name, double value);
/* Of fixed length with a NUL behind, UTF-8 or ASCII by its type. */
Status h5_put_text(hid_t at, const char *name, const char *text, bool utf8);
/* A new dataset of `columns` columns (0: of rank one); *out stays open unless NULL. */
Status h5_put_data(hid_t at, const char *name, hid_t file_type, hid_t memory_type, int64_t rows, int64_t columns,
                   const void *data, hid_t *out);
/* How a group keeps its links: by name; with the order in which they were made; so that who goes through them in no order, as
 * libmed does, meets them in that one too (for some kilobytes). */
typedef enum H5Links { H5_BY_NAME, H5_ORDERED, H5_IN_ORDER } H5Links;
/* A new group, to be closed. */
Status h5_put_group(hid_t at, const char *name, H5Links links, hid_t *out);

/* What a file is made of. */
typedef struct H5Making {
  Status (*put)(hid_t file, const void *context);
  const void *context;
  size_t growth; /* about how large it becomes: HDF5 grows its memory in steps of this */
  bool sealed;   /* with the checksum of h5.h behind it */
} H5Making;
/* The file is whole or not there. ERR_MEMORY, ERR_IO. */
Status h5_make_file(const char *path, const H5Making *making);
