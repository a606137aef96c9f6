/* Results of a run: results.hdf, probes.csv, and the rows of `expect:` that name a time or a frequency. A
 * physics gives the table of its fields and a function for its columns; the stream has the files.
 *
 * A recorded stream is written by a thread of its own (output/recorder.h). In the loop a stored time is then only what
 * the fields' `take` leave in a snapshot; `unpack` and `columns` run on the thread, which
 * owns all that they write: the run's report gets the columns when the stream is closed. A stream that is not recorded
 * does the same immediately, in result_stream_store. Callers guard the files (run_guard). */
#pragma once
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "core/field_type.h"
#include "output/recorder.h"
#include "output/slab.h"

/* A time on its way to the files. */
typedef struct StreamMoment {
  double time;
  bool stored;          /* else only columns are asked for, of result_stream_row by fields, else by the sample alone */
  const double *sample; /* [n_sample] */
  const double *const *taken; /* [n_field]: the numbers that a field has taken; NULL: none at this time */
  const double *const *value; /* [n_field]: fields in the mesh's order; NULL as above */
} StreamMoment;

typedef enum StreamWhen {
  STREAM_EACH,    /* stored time */
  STREAM_REQUEST, /* once in the file: with the first stored time and after result_stream_request */
  STREAM_FIRST    /* once in the file: with the first stored time */
} StreamWhen;

typedef struct StreamField {
  const char *name;
  bool wanted; /* in the file; else there for columns or other fields */
  bool on_cells;
  int32_t n_component;
  UnitKind unit;
  StreamWhen when;
  int64_t n_taken; /* numbers of the snapshot; 0: `take` is not called */
  int64_t n_room;  /* numbers of the array that `unpack` may fill; 0: it has its own */
  /* In the loop: has the Exec write field f of now. */
  Status (*take)(void *context, int32_t f, double *room);
  /* Field f in the mesh's order, in `room` or where it lies; NULL: the field only takes. */
  const double *(*unpack)(void *context, const StreamMoment *moment, int32_t f, double *room);
} StreamField;

/* Of a row, without its functions. */
StreamField stream_field(const FieldType *type, bool wanted);

typedef struct StreamParams {
  Writer *writer;    /* made before by result_writer, and taken over, also where this fails; NULL: it is made */
  const char *first; /* column of probes.csv; NULL: "time" */
  bool recorded;
  int32_t n_field;
  const StreamField *field; /* copied */
  int64_t n_step, n_history_row;
  int32_t n_history; /* columns of the history; the names are borrowed */
  const char *const *history;
  int64_t n_sample;
  int64_t n_ring; /* most samples that come at once; 0: 1 */
  void *context;
  Status (*sample)(void *context, double *room); /* in the loop: what the columns need; NULL: fields are enough */
  /* Of several ranks: what rank 0 makes columns of, whole [n_sample], from the samples of all. Collective. NULL: fields
   * are enough. */
  Status (*gather)(void *context, const double *mine, double *whole);
  Status (*columns)(void *context, const StreamMoment *moment, double *value); /* as columns_create names them */
  Text *tables; /* that `columns` adds to, borrowed; a run that goes on has those before. NULL: there are none */
} StreamParams;

typedef struct ResultStream ResultStream;
/* results.hdf with the mesh in it, which takes a while: beside other work, by a thread that has HDF5. */
Status result_writer(Run *run, const Setup *setup, const StreamParams *params, Writer **out);
/* Makes the files, or continues those of the run that is resumed, and names the columns in the report. */
Status result_stream_create(Run *run, const Setup *setup, const StreamParams *params, ResultStream **out);
/* Waits for the files; columns and values of `expect:` go to the report. Accepts NULL, sets NULL. ERR_IO when something
 * could not be written. */
Status result_stream_close(ResultStream **stream);
/* Everything of now, at this time. */
Status result_stream_store(ResultStream *stream, double time);
/* A row of probes.csv by fields of now, which are not stored. */
Status result_stream_row(ResultStream *stream, double time);
/* Columns for the rows of `expect:` at this time, which is not stored; nothing where there is no such row. */
Status result_stream_observe(ResultStream *stream, double time);
/* Columns of now for the summary, of a run that goes on from its end and has no step left. */
Status result_stream_now(ResultStream *stream, double time);
/* A row of probes.csv at this time, which is not stored; the rows of `expect:` as well. */
Status result_stream_sample(ResultStream *stream, double time);
/* The same of n samples that were taken before, value [n][n_sample] on the Exec. Of one rank. */
Status result_stream_samples(ResultStream *stream, int64_t n, const double *time, const double *value);
/* Fields that are kept once are written again with the next stored time. */
void result_stream_request(ResultStream *stream);
/* Where the fields of the next step go that others put there (output/slab.h), of a stream that is not recorded; false: they
 * cannot. And that they have: it is stored without them. */
bool result_stream_site(const ResultStream *stream, SlabSite *out);
void result_stream_placed(ResultStream *stream);
/* A row of the history. */
Status result_stream_history(ResultStream *stream, const double *row);
/* Waits until everything so far is in the files. */
Status result_stream_finish(ResultStream *stream);
Recorder *result_stream_recorder(ResultStream *stream); /* NULL where nothing is recorded */

/* Stored times of a run in time, at most: t = 0, the end, every multiple between. */
int64_t result_steps_most(const Case *c);
/* Rows of its history for which there is room from the start. */
int64_t result_history_most(const Case *c);
/* StreamField.unpack of fields that are taken in the mesh's order. */
const double *result_field_taken(void *context, const StreamMoment *moment, int32_t f, double *room);
/* Names of probes, sums, leads and velocities, in this order; values 0. */
Status columns_create(const Case *c, Columns *out);
/* From values at the nodes of an element, [n_node][stride], to its point. */
double location_value(const Mesh *mesh, const Location *at, const double *nodal, int32_t stride);
/* A number of a field there: one of elements is that of its element. */
double field_at(const Mesh *mesh, const Location *at, const FieldType *type, int32_t component, const double *value);
