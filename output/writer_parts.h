/* Between writer.c, which stores steps, and writer_files.c, which makes, opens and closes the file. */
#pragma once
#include "output/history.h"
#include "output/layout.h"
#include "output/receipt.h"
#include "output/writer.h"
#include "output/xdmf.h"

/* A packed step of a field. */
typedef struct StoredChunk {
  int64_t place, bytes;
  Checksum sum;
} StoredChunk;

struct Writer {
  Layout layout;
  char *folder, *path, *temporary, *sidecar; /* owned: FOLDER, results.hdf, results.hdf.new, results.xdmf */
  char *report;                              /* owned, or NULL: see WriterParams, as the next */
  bool *told_published;
  hid_t file;
  int descriptor; /* of the same file, for what goes past HDF5; borrowed */
  int64_t place_of_times;
  /* for receipts, so NULL in a result of one step */
  Checksum *sum;      /* owned, [n_field]: of the steps so far; nothing for packed fields and those written once */
  StoredChunk *chunk; /* owned, [n_field][n_step] of packed fields; NULL where there are none */
  Checksum sum_of_times;
  int64_t step;                    /* whole in the file */
  int64_t in_sidecar;              /* named by the sidecar on disk */
  int64_t unsent;                  /* bytes of fields since the disk was last given what there is */
  double sidecar_at, sidecar_cost; /* when it was written last, and how long that took, seconds */
  double *time;                    /* owned, [n_step] */
  bool made;                       /* the temporary file is this writer's */
  bool published;                  /* has its final name */
  bool touched;                    /* an older result is not what it was */
  bool failed;
  int64_t tables_bytes; /* writer_tables */
  uint64_t tables_sum;
  Xdmf xdmf;
  History history;
  Areas areas;        /* found with the first receipt */
  Checksum *constant; /* owned, [areas.n]: of those that never change */
};

/* Ends a failure with what the user still has. */
Status writer_failed(Writer *writer, Status status);
Status writer_sync_file(Writer *writer, const char *what);
Status writer_save_sidecar(Writer *writer, bool now);
