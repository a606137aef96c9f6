/* Small steps with HDF5 for the mesh file: quiet, checked, one line of reason. */
#pragma once
#include "core/status.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* HDF5 is not made for several threads. One that starts another to write files lends the library to it (true) until
 * that has ended (false); in between h5_mine, which comes before every way into the library, answers ERR_BUG on the
 * lender. Lending counts, so that it may be nested. */
void h5_lend(bool lent);
Status h5_mine(void);

/* Switches HDF5's own error printing off (and its exit handler, before its first use); _end puts it back. */
typedef struct H5Quiet {
  H5E_auto2_t print;
  void *data;
} H5Quiet;
void h5_quiet_begin(H5Quiet *quiet);
void h5_quiet_end(const H5Quiet *quiet);
/* What went wrong in HDF5's last call, in its own words. */
void h5_reason(char *text, int size);
/* Closes when >= 0, sets to -1. */
void h5_close(hid_t *id);

/* OK where all that the open file holds lies in the file; else `broken`, with the place: a link into another file, numbers
 * in other files (external storage, virtual datasets), or a filter that HDF5 would have to load. Comes before anything
 * else of the file is looked at; reads links and headers, no data. */
Status h5_check_inside(hid_t file, const char *label, Status broken);

/* Reads from an open file as many of `bytes` bytes at `at` as there are; returns how many. */
int64_t h5_pread(int file, void *to, int64_t bytes, int64_t at);

/* A checksum of the whole file behind its end, where HDF5 does not look: 8 bytes, the size and the sum of what is before
 * them (uint64, little-endian). "SINEWSM2" is that of fnv_blocks (core/fnv.h), "SINEWSUM" that of fnv_words, which
 * smaller files and those of earlier versions have. It tells damage before HDF5, which can crash on it, sees the
 * file. */
enum { H5_TRAILER = 24 };
/* Fills in the trailer of a whole file in memory; bytes [size + H5_TRAILER]. */
void h5_seal(unsigned char *bytes, int64_t size);
/* OK when the sum is right or there is none (*sealed = false: not written by Sinew, or damaged just there). ERR_MESH
 * when it is wrong. */
Status h5_check_seal(const char *path, const char *label, bool *sealed);
