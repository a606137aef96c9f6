/* What results.hdf, probes.csv and the file of tables held when a checkpoint was made, kept in the checkpoint, so that a resumed run
 * believes nothing that it has not compared. A file is two sorts of bytes:
 *   pieces   large arrays and those that grow with the run: place, length so far, checksum
 *   images   all between them, HDF5's own tables: the bytes themselves, some 10 kB
 * Once every piece is what it was, the images are put back, and the file is the one of that moment: HDF5 never sees a
 * damaged byte, and what was stored later is free to be stored again. */
#pragma once
#include "core/status.h"
#include "output/areas.h"
#include "output/checksum.h"

typedef struct ReceiptHead {
  int64_t file_bytes;
  int64_t step; /* whole steps */
  int64_t n_field, n_history, history_row;
  int64_t n_piece; /* fields, then the times, then columns of the history, then what never changes */
  int64_t n_image, image_bytes;
  int64_t probes_bytes; /* of probes.csv; -1: there is none */
  uint64_t probes_sum;
  int64_t tables_bytes; /* of the file of tables; 0: there is none so far */
  uint64_t tables_sum;
} ReceiptHead;

typedef struct ReceiptPiece {
  int64_t place, bytes;
  uint64_t sum;
  char name[AREA_NAME];
} ReceiptPiece;

typedef struct ReceiptImage {
  int64_t place, bytes;
} ReceiptImage;

typedef struct Receipt {
  ReceiptHead head;
  ReceiptPiece *piece;  /* owned, [n_piece] */
  ReceiptImage *image;  /* owned, [n_image] */
  unsigned char *bytes; /* owned, [image_bytes], of one image after the other */
} Receipt;

/* Accepts one that is zero. */
void receipt_release(Receipt *receipt);
/* As one block of bytes, owned by the caller. ERR_MEMORY. */
Status receipt_pack(const Receipt *receipt, void **bytes, int64_t *n);
/* ERR_RESTART where it cannot be one. */
Status receipt_unpack(const void *bytes, int64_t n, Receipt *out);

/* Reads the images, all that `areas` (ascending) leaves over of the first file_bytes. ERR_IO, ERR_MEMORY. */
Status receipt_take_images(int file, const char *path, const Areas *areas, Receipt *receipt);
/* Adds n bytes of the file to a sum. ERR_RESTART: they are not there. `name` is what they are. */
Status receipt_sum(int file, const char *path, const char *name, int64_t place, int64_t n, Checksum *sum);
/* The first n bytes of a text beside the results, whose checksum must be `value`, to an empty sum. ERR_RESTART: they are not these. */
Status receipt_sum_beside(int file, const char *path, const char *name, int64_t n, uint64_t value, Checksum *sum);
/* Says of an ERR_RESTART that the checkpoint counts on n bytes of such a text; returns it. */
Status receipt_counts_on(Status status, int64_t n);
/* ERR_RESTART, with what differs, unless every piece is as it was; sum[n_piece] can be added to then. */
Status receipt_verify(int file, const char *path, const Receipt *receipt, Checksum *sum);
/* Puts the images back, writing only where something differs. ERR_IO. */
Status receipt_restore(int file, const char *path, const Receipt *receipt);
