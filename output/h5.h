/* The few HDF5 calls that results are made of. Each answers false (or a negative id) on failure; h5_error then says why
 * in words. HDF5 prints nothing, locks nothing and runs no exit handler (1.10 crashes there when the disk was full). */
#pragma once
#include "core/status.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* HDF5's own words are switched off thread by thread; opening a file does it for the thread that does so. */
void h5_silence(void);
/* A new file (an old one of that name is emptied), or an existing one. */
/* most_chunks: of a packed dataset; so many find room in its table as it is, which a killed run then never leaves
 * half-changed. */
hid_t h5_file_create(const char *path, int64_t most_chunks);
hid_t h5_file_open(const char *path, bool write);

/* A new, empty group; parents must exist. The id must be closed. */
hid_t h5_group_create(hid_t where, const char *name);
/* Contiguous space taken now and not written: the file is sparse there and reads as zeros. `dims` [rank]. */
bool h5_reserve(hid_t where, const char *name, hid_t type, int rank, const hsize_t *dims);
/* h5_reserve and its values. */
bool h5_store(hid_t where, const char *name, hid_t type, hid_t memory_type, int rank, const hsize_t *dims,
              const void *values);
/* Chunks of so many rows, which come packed (packed.h): space is taken for each when it is written, zeros until then. */
bool h5_reserve_packed(hid_t where, const char *name, hid_t type, int rank, const hsize_t *dims, hsize_t chunk_rows);
/* Stores the chunk that begins with row `first`; *place in the file. */
bool h5_write_packed(hid_t where, const char *name, int64_t first, const void *bytes, int64_t n, int64_t *place);
/* One row of space for `capacity` numbers in one chunk, now showing `length` (at least 1) of them. */
bool h5_series_create(hid_t where, const char *name, hid_t type, int64_t capacity);
/* Another number of rows of a dataset in chunks. */
bool h5_rows_resize(hid_t where, const char *name, int64_t rows);
/* Rows [first, first + n) of a dataset. */
bool h5_write_rows(hid_t where, const char *name, hid_t memory_type, int64_t first, int64_t n, const void *values);
bool h5_read_rows(hid_t where, const char *name, hid_t memory_type, int64_t first, int64_t n, void *values);
/* The first n items of a list: false too where it is a table, which would need more room. */
bool h5_read_list(hid_t where, const char *name, hid_t memory_type, int64_t n, void *values);
/* Where the numbers of a dataset lie in its file, in bytes: all of them in one piece, contiguous or the one chunk of a
 * series, as doubles or floats of this machine. -1 where that is not so. They may then be written past HDF5, which is several
 * times cheaper, as long as nothing of the dataset is read or written through it (its caches would not know). */
int64_t h5_place(hid_t where, const char *name);
/* Bytes of a number of a dataset; 0 where there is none. */
int32_t h5_number_bytes(hid_t where, const char *name);
/* The system's file behind an HDF5 file; -1 where there is none. */
int h5_descriptor(hid_t file);
/* Lets the system put n bytes from `place` on (0: all behind it) on the disk without waiting for it, so that a later
 * fdatasync has little left to wait for. Advice: where it is not to be had nothing happens. */
void h5_start_writeback(int descriptor, int64_t place, int64_t n);
/* Writes n bytes at a place of that file. False: errno says why. */
bool h5_write_place(int descriptor, int64_t place, int64_t n, const void *bytes);
/* Extents [rank] of a dataset; at most 4, the others are 0. False when it is not there. */
bool h5_shape(hid_t where, const char *name, int *rank, hsize_t dims[4]);

/* Fixed-length ASCII or UTF-8 text of exactly strlen(text) bytes (one zero byte when empty). */
bool h5_text_attribute(hid_t object, const char *name, const char *text, bool utf8);
bool h5_text_dataset(hid_t where, const char *name, const char *text);
/* Reads such a dataset, at most size - 1 bytes of it, zero-terminated. */
bool h5_read_text(hid_t where, const char *name, char *text, size_t size);
/* A text attribute of the object `name`, cut to size - 1 bytes and zero-terminated; false and empty where there is
 * none. */
bool h5_read_text_attribute(hid_t where, const char *name, const char *attribute, char *text, size_t size);
/* n numbers of 64 bits; `write` an existing one, in place. */
bool h5_integers_attribute(hid_t object, const char *name, int n, const int64_t *values);
bool h5_integer_write(hid_t object, const char *name, int64_t value);
bool h5_integer_read(hid_t object, const char *name, int64_t *value);

/* Fails with ERR_IO: "cannot <action> '<path>': <reason>", the reason from HDF5's error stack, system errors first. */
Status h5_error(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));
