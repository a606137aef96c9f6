/* The result files of a run: results.hdf (VTKHDF), results.xdmf, probes.csv, report.json.
 * All space is reserved at creation; a step is data, flush, then NSteps, flush, then the sidecar by rename.
 * A new result gets its name with its first whole step: until then an older one (`overwrite`) stays as it was. */
#pragma once
#include "core/status.h"
#include "mesh/mesh.h"

typedef struct WriterField {
  const char *name;    /* as in the case file: "displacement" */
  bool on_cells;       /* else on nodes */
  int32_t n_component; /* 1, 3, 6 */
  bool once;           /* written once, the same for all steps (maps) */
} WriterField;

typedef struct WriterParams {
  const char *folder; /* created if it is not there */
  const Mesh *mesh;   /* borrowed during writer_create; solved elements become the cells, in id order */
  int32_t n_field;
  const WriterField *field;
  int64_t n_step;         /* most steps that will ever be written: space is reserved for them */
  bool overwrite, resume; /* neither: an existing result is ERR_RESTART */
  /* provenance, /Sinew; NULL leaves an entry out */
  const char *version, *commit, *case_text, *device, *precision, *units;
  uint64_t mesh_hash;
  /* Columns of /Sinew/history, when known beforehand, and the most rows; 0: 4096 or 16 a step, whichever is more.
   * Without names the first writer_history call makes the columns: where steps are there already, a run that is killed
   * just then may lose its history (never a step). */
  int32_t n_history;
  const char *const *history;
  int64_t n_history_row;
} WriterParams;

typedef struct Writer Writer;
/* Locks the folder and makes (or, to resume, opens) results.hdf. With `resume` and no result there it starts a new one.
 * ERR_RESTART: a result is there already, the folder is in use by another run, or what is to be resumed has another
 * mesh, other fields or another number of steps. ERR_IO: the folder cannot be made or written. */
Status writer_create(const WriterParams *params, Writer **out);
/* values[f] for every field: [n_node or n_cell][n_component]; NULL keeps a `once` field unwritten in this step (zeros
 * until it is written; it may be written again, in place). Times rise. ERR_IO says which steps are safe; all later
 * calls then fail too. */
Status writer_step(Writer *writer, double time, const double *const *values);
/* Adds a row to /Sinew/history: numbers by name, same names every time. On disk with one of the next steps, as often as that
 * takes little of the run's time, by writer_flush and by writer_close. */
Status writer_history(Writer *writer, int32_t n, const char *const *names, const double *values);
Status writer_flush(Writer *writer);
/* /Sinew/timing: seconds by phase; at most 64 phases, a later call replaces an earlier one. */
Status writer_timing(Writer *writer, int32_t n, const char *const *names, const double *seconds);
/* Steps that are whole in the file, and the time of step k. */
int64_t writer_steps(const Writer *writer);
double writer_time(const Writer *writer, int64_t k);
/* For a resumed run: forgets the steps later than `time` (and 1e-9 of it), which the run is going to store again. */
Status writer_rewind(Writer *writer, double time);
/* Where the result lies: FOLDER/results.hdf; borrowed. */
const char *writer_path(const Writer *writer);
/* Closes the files and frees the folder; safe on NULL. A result without a step is removed again. Returns ERR_IO when
 * the last flush failed. */
Status writer_close(Writer **writer);

/* probes.csv: header at creation, one row per call, flushed. Numbers as %.17g; names with a comma, quote or line break
 * are quoted. `resume` keeps the rows of an existing file with the same header (a torn last line is dropped); another
 * header is ERR_RESTART. Create it after the writer, which holds the folder. */
typedef struct ProbeFile ProbeFile;
Status probe_file_create(const char *folder, int32_t n_column, const char *const *names, bool resume, ProbeFile **out);
/* The same with another first column than "time", such as "frequency". */
Status probe_file_create_over(const char *folder, const char *first, int32_t n_column, const char *const *names,
                              bool resume, ProbeFile **out);
Status probe_file_row(ProbeFile *file, double time, const double *values);
/* Drops the rows later than `time` (and 1e-9 of it). */
Status probe_file_rewind(ProbeFile *file, double time);
Status probe_file_close(ProbeFile **file);
