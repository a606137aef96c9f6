/* Jobs of the thread: rows of the history first, then a step, a look or a checkpoint. */
#include "output/recorder.h"
#include "core/memory.h"
#include "core/worker.h"
#include "mesh/io/h5.h"
#include "output/h5.h"

#include <stdatomic.h>
#include <string.h>

enum { ROWS = 64, SLOTS_LEAST = 2, SLOTS_MOST = 8 };
static const int64_t RING_BYTES = 64 << 20; /* beyond which there are only SLOTS_LEAST */

typedef enum JobKind { JOB_ROWS, JOB_OBSERVE, JOB_SAMPLE, JOB_STEP, JOB_CHECKPOINT } JobKind;

typedef struct Job {
  JobKind kind;
  int32_t n;             /* times: 1, or as many samples */
  double *time;          /* a part of Recorder.time */
  Checkpoint checkpoint; /* its state is owned */
  int32_t n_row;
  double *row; /* a part of Recorder.row, [ROWS][n_history] */
} Job;

struct Recorder {
  RecorderParams params;
  Worker *worker;
  /* the thread's */
  Writer *writer; /* owned, as are the next two */
  ProbeFile *probes;
  Job *job;     /* [n_slot]; a slot's is the thread's while the slot is */
  double *row;  /* owned, [n_slot + 1][ROWS][n_history] */
  double *time; /* owned, [n_slot][n_sample] */
  /* the loop's */
  int32_t slot, n_pending;
  double *pending;     /* the last part of row: rows that wait for a slot */
  _Atomic bool saving; /* a checkpoint is not written yet */
};

int32_t recorder_slots(int64_t bytes) {
  const int64_t n = bytes > 0 ? RING_BYTES / bytes : SLOTS_MOST;
  return n < SLOTS_LEAST ? SLOTS_LEAST : n > SLOTS_MOST ? SLOTS_MOST : (int32_t)n;
}

/* ---- on the thread ---- */
static Status save_checkpoint(Recorder *r, Job *job) {
  Checkpoint *c = &job->checkpoint;
  int64_t n_byte = 0;
  uint64_t sum = 0;
  Status status = r->params.sync ? r->params.sync(r->params.context, &n_byte, &sum) : OK;
  writer_tables(r->writer, n_byte, sum);
  if (status == OK) status = writer_receipt(r->writer, r->probes, &c->receipt, &c->n_receipt);
  if (status == OK) status = checkpoint_save(r->params.folder, c);
  checkpoint_release(&job->checkpoint);
  r->saving = false;
  return status;
}

static Status observe_recorder(Recorder *r, int32_t slot, const Job *job) {
  for (int32_t k = 0; k < job->n; ++k) {
    RecordedStep step = {.time = job->time[k], .stored = job->kind == JOB_STEP, .sample = k};
    TRY(r->params.unpack(r->params.context, slot, &step));
    if (job->kind != JOB_OBSERVE && r->probes) TRY(probe_file_row(r->probes, step.time, step.column));
    if (step.stored) TRY(writer_step(r->writer, step.time, step.value));
  }
  return OK;
}

static Status recorder_work(void *context, int32_t slot) {
  Recorder *r = context;
  Job *job = &r->job[slot];
  h5_silence();
  for (int32_t i = 0; i < job->n_row; ++i)
    TRY(writer_history(r->writer, r->params.n_history, r->params.history, job->row + i * r->params.n_history));
  return job->kind == JOB_CHECKPOINT ? save_checkpoint(r, job)
         : job->kind == JOB_ROWS     ? OK
                                     : observe_recorder(r, slot, job);
}

/* ---- in the loop ---- */
static void recorder_give(Recorder *r, JobKind kind, int32_t n, const double *time) {
  Job *job = &r->job[r->slot];
  job->kind = kind;
  job->n = n;
  if (n) memcpy(job->time, time, (size_t)n * sizeof *time);
  job->n_row = r->n_pending;
  if (r->n_pending) memcpy(job->row, r->pending, (size_t)(r->n_pending * r->params.n_history) * sizeof *job->row);
  r->n_pending = 0;
  worker_give(r->worker);
}

static Status take_arrays(Recorder *r) {
  const int64_t part = (int64_t)ROWS
  *r->params.n_history, n_time = r->params.n_sample > 1 ? r->params.n_sample : 1;
  ALLOC(r->job, r->params.n_slot, "the ring of the output");
  ALLOC(r->row, (r->params.n_slot + 1) * part, "rows of the history");
  ALLOC(r->time, r->params.n_slot * n_time, "the ring of the output");
  for (int32_t k = 0; k < r->params.n_slot; ++k)
    r->job[k].row = r->row + k * part, r->job[k].time = r->time + k * n_time;
  r->pending = r->row + r->params.n_slot * part;
  return worker_create(&(WorkerParams){.n_slot = r->params.n_slot, .context = r, .work = recorder_work}, &r->worker);
}

static void recorder_release(Recorder **recorder) {
  Recorder *r = *recorder;
  worker_destroy(&r->worker);
  for (int32_t k = 0; r->job && k < r->params.n_slot; ++k) checkpoint_release(&r->job[k].checkpoint);
  FREE(r->job);
  FREE(r->row);
  FREE(r->time);
  FREE(*recorder);
}

Status recorder_create(const RecorderParams *params, Writer **writer, ProbeFile **probes, Recorder **out) {
  *out = NULL;
  CHECK(params->n_slot > 0 && *writer, ERR_BUG, "a recorder without slots or files");
  Recorder *r = NULL;
  ALLOC(r, 1, "the recorder of results");
  r->params = *params;
  const Status status = take_arrays(r);
  if (status != OK) {
    recorder_release(&r);
    return status;
  }
  r->writer = *writer, r->probes = *probes;
  *writer = NULL, *probes = NULL;
  h5_lend(true);
  *out = r;
  return OK;
}

Status recorder_take(Recorder *r, int32_t *slot) {
  TRY(worker_take(r->worker, &r->slot));
  *slot = r->slot;
  return OK;
}

void recorder_step(Recorder *r, double time) { recorder_give(r, JOB_STEP, 1, &time); }

void recorder_observe(Recorder *r, double time, bool row) {
  recorder_give(r, row ? JOB_SAMPLE : JOB_OBSERVE, 1, &time);
}

void recorder_samples(Recorder *r, int32_t n, const double *time) { recorder_give(r, JOB_SAMPLE, n, time); }

Status recorder_history(Recorder *r, const double *values) {
  const int32_t n = r->params.n_history;
  if (r->n_pending == ROWS) {
    TRY(worker_take(r->worker, &r->slot));
    recorder_give(r, JOB_ROWS, 0, NULL);
  }
  memcpy(r->pending + r->n_pending++ * n, values, (size_t)n * sizeof *values);
  return OK;
}

Status recorder_checkpoint(Recorder *r, const Checkpoint *head, Status (*save)(void *context, void *host),
                           void *context) {
  if (r->saving) TRY(worker_finish(r->worker));
  TRY(worker_take(r->worker, &r->slot));
  Checkpoint *c = &r->job[r->slot].checkpoint;
  *c = *head;
  c->state = c->receipt = NULL;
  TRY(mem_alloc(c->n_byte, 1, "the state of a checkpoint", &c->state));
  const Status status = save(context, c->state);
  if (status != OK) {
    checkpoint_release(c);
    return status;
  }
  r->saving = true;
  recorder_give(r, JOB_CHECKPOINT, 0, NULL);
  return OK;
}

Status recorder_finish(Recorder *r) { return worker_finish(r->worker); }

Status recorder_close(Recorder **recorder, Writer **writer, ProbeFile **probes) {
  Recorder *r = *recorder;
  if (!r) return OK;
  Status status = OK;
  if (r->n_pending) status = worker_take(r->worker, &r->slot);
  if (r->n_pending && status == OK) recorder_give(r, JOB_ROWS, 0, NULL);
  if (status == OK) status = worker_finish(r->worker);
  worker_destroy(&r->worker); /* before its files are anybody else's */
  *writer = r->writer, *probes = r->probes;
  h5_lend(false);
  recorder_release(recorder);
  return status;
}
