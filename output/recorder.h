/* What a run in time leaves behind, written beside its loop by a thread of its own (core/worker.h): fields of stored
 * times, rows of probes.csv and of the history, checkpoints. The loop only fills in a slot of a ring, and waits where
 * all of them are with the thread. Order is kept: what was given before a checkpoint is in the files before the
 * checkpoint is.
 *
 * HDF5 must never be entered by two threads at once. While there is a recorder, only its thread has the files: they are
 * taken over by recorder_create and come back by recorder_close, and the thread that made the recorder has lent HDF5 to
 * it (mesh/io/h5.h: whatever enters the library elsewhere asks h5_mine and fails with ERR_BUG).
 *
 * A failure (a full disk) is told by the next call that can fail, with the message of the writer, which names the steps
 * that are safe; nothing is written behind it. */
#pragma once
#include "output/checkpoint.h"
#include "output/writer.h"

/* A slot on the thread: what the files take of it. */
typedef struct RecordedStep {
  double time;
  bool stored;                /* else only looked at: no file takes anything */
  int32_t sample;             /* which one of a slot with several */
  const double *const *value; /* out: as for writer_step */
  const double *column;       /* out: as for probe_file_row */
} RecordedStep;

typedef struct RecorderParams {
  const char *folder; /* of checkpoints; borrowed */
  int32_t n_slot;     /* at least 1 */
  int32_t n_sample;   /* most samples of a slot; 0: 1 */
  int32_t n_history;  /* columns of the history, 0 where there is none; names borrowed */
  const char *const *history;
  void *context;
  /* On the thread: makes fields and columns of what the loop has left in this slot. */
  Status (*unpack)(void *context, int32_t slot, RecordedStep *step);
  /* On the thread, before a checkpoint: the file of tables is on the disk, n_byte with this checksum. NULL: there is none. */
  Status (*sync)(void *context, int64_t *n_byte, uint64_t *sum);
} RecorderParams;

typedef struct Recorder Recorder;
/* Takes over both files and sets the pointers to NULL; *probes may be NULL. On failure they stay where they are. */
Status recorder_create(const RecorderParams *params, Writer **writer, ProbeFile **probes, Recorder **out);
/* Waits for a free slot, which is the loop's until recorder_step, recorder_observe or recorder_samples. */
Status recorder_take(Recorder *recorder, int32_t *slot);
/* The slot goes to the thread: a stored time, or one that is only unpacked, for a row of probes.csv or for none. */
void recorder_step(Recorder *recorder, double time);
void recorder_observe(Recorder *recorder, double time, bool row);
/* The same of n samples, a row of probes.csv each. */
void recorder_samples(Recorder *recorder, int32_t n, const double *time);
/* A row of the history, in the files with the next stored time or the end. */
Status recorder_history(Recorder *recorder, const double *values);
/* A checkpoint as `head` says, but for its state: `save` fills in head->n_byte bytes of it now, the file is written
 * later. Waits where the last one is not written yet. */
Status recorder_checkpoint(Recorder *recorder, const Checkpoint *head, Status (*save)(void *context, void *host),
                           void *context);
/* Waits until everything is in the files. */
Status recorder_finish(Recorder *recorder);
/* Finishes, ends the thread and gives the files back, whole or not: close them. Its answer is the first failure.
 * Accepts NULL, sets NULL. */
Status recorder_close(Recorder **recorder, Writer **writer, ProbeFile **probes);

/* Slots of `bytes` each: few of large ones, up to 8 where they are small, so that a hiccup of the disk does not stop
 * the loop. */
int32_t recorder_slots(int64_t bytes);
