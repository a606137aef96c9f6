/* Rows of fields that other processes than the Writer's put into its file, past HDF5, at places that it tells them:
 * the Writer then takes the step as stored (writer_step without values). */
#pragma once
#include "output/writer.h"

enum { SLAB_FIELDS = 96, SLAB_PATH = 4096, SLAB_ROWS = 1 << 20 /* made into floats at a time */ };

/* Plain bytes, to be told to other processes of the host. */
typedef struct SlabSite {
  char path[SLAB_PATH];
  uint64_t device, inode;
  bool single;
  int32_t n_field;
  int64_t step;               /* before the one that is written */
  int64_t place[SLAB_FIELDS]; /* of the step's first number of each field, bytes */
} SlabSite;

/* Of the next step. False: the file is compressed, or has fields that are written once. */
bool writer_site(const Writer *writer, SlabSite *out);
/* The file, to be closed by the caller; -1 where this process does not find the Writer's own under that path. */
int slab_open(const SlabSite *site);
/* n numbers of field f from the first-th of the step on. ERR_IO; ERR_NUMERIC: floats do not hold them. */
Status slab_write(const SlabSite *site, int descriptor, int32_t f, const WriterField *field, int64_t first, int64_t n,
                  const double *values);
/* Numbers as the file has them: the values themselves, or floats in `room`. ERR_NUMERIC: they are beyond those. */
Status stored_numbers(bool single, const char *field, const double *values, int64_t n, float *room, const void **out);
