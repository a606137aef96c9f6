/* Checkpoints: FOLDER/checkpoint-1.hdf, the newest, and checkpoint-2.hdf, the one before it. Each is an HDF5 file of
 * its own with a checksum over all of it behind its end, and gets its name only when it is whole on the disk: temporary
 * file in the same folder, fsync, the last one linked to the second name, rename, fsync of the folder. A run that is
 * killed at any moment leaves at least one whole checkpoint once there was one. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { CHECKPOINT_COUNTS = 17 };

typedef struct Checkpoint {
  double time;
  uint64_t kind; /* of the state, for checkpoint_take: a hash; 0: not known */
  double start;  /* where the run began: the time of the state that it took over, else 0 */
  uint64_t case_hash, mesh_hash;
  int64_t count[CHECKPOINT_COUNTS]; /* whatever the run counts */
  int64_t n_byte;
  void *state; /* [n_byte]; owned where checkpoint_load made it, as is the next */
  int64_t n_receipt;
  void *receipt;                                     /* [n_receipt], what the result held then: see receipt.h */
  const char *version, *commit, *case_text, *device; /* written only; NULL leaves an entry out */
  char made_by[64];                                  /* read only: the commit of the program that wrote it */
} Checkpoint;

/* ERR_IO with the path and the reason: then the checkpoints that were there are as they were. */
Status checkpoint_save(const char *folder, const Checkpoint *checkpoint);
/* The newest one that is whole; *found is false where the folder has none at all. A damaged one is named in a warning
 * and the other one used. ERR_RESTART: all of them are damaged, or one is of another case or mesh. */
Status checkpoint_load(const char *folder, uint64_t case_hash, uint64_t mesh_hash, Checkpoint *out, bool *found);
/* For another run: the one that is next to `time`, or the newest where that is NAN, of any case on this mesh. ERR_RESTART: there
 * is none, or it is of another mesh. */
Status checkpoint_take(const char *folder, uint64_t mesh_hash, double time, Checkpoint *out);
/* Frees state and receipt. */
void checkpoint_release(Checkpoint *checkpoint);
/* Is there any, whole or not? */
Status checkpoint_exists(const char *folder, bool *out);
/* Removes the checkpoints of an earlier run. ERR_IO. */
Status checkpoint_remove(const char *folder);

/* For `sinew info`: true when the file is HDF5 with a group /Checkpoint. */
bool checkpoint_is(const char *path);
/* Lines about time, hashes and size into text[size], and whether it is whole. ERR_IO: missing or no checkpoint. */
Status checkpoint_describe(const char *path, char *text, int size);
