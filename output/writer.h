/* The result files of a run: results.hdf (VTKHDF), results.xdmf, probes.csv, report.json.
 * All space is reserved at creation; a step is data, flush, then NSteps, flush, then the sidecar by rename.
 * A new result gets its name with its first whole step, together with probes.csv (publish.h): until then an older one
 * (`overwrite`) stays as it was. Whoever writes holds the folder (output_folder_open): names ending in .new are his. */
#pragma once
#include "core/status.h"
#include "mesh/mesh.h"

typedef struct WriterField {
  const char *name;    /* as in the case file: "displacement" */
  bool on_cells;       /* else on nodes */
  int32_t n_component; /* 1, 3, 6 */
  bool once;           /* written once, the same for all steps (maps) */
  const char *unit;    /* its attribute `units`; NULL: none */
} WriterField;

typedef struct WriterParams {
  const char *folder; /* created if it is not there */
  const Mesh *mesh;   /* borrowed during writer_create; solved elements become the cells, in id order */
  int32_t n_field;
  const WriterField *field;
  int64_t n_step; /* most steps that will ever be written: space is reserved for them */
  bool single;    /* fields are stored as floats, not as doubles */
  bool packed;    /* mesh and fields are compressed, but for fields that are written once */
  bool overwrite; /* else an existing result is ERR_RESTART */
  /* A result that is gone on with: what it held (writer_receipt), borrowed; NULL begins a new one. */
  const void *receipt;
  int64_t n_receipt;
  const char *report; /* what report.json says from the moment on that the result has its name; NULL: there is none */
  bool *published;    /* set to true when it has; may be NULL */
  /* provenance, /Sinew; NULL leaves an entry out */
  const char *version, *commit, *case_text, *device, *precision, *units;
  uint64_t mesh_hash;
  const char *length_unit, *time_unit; /* of the nodes and of the steps' values; NULL: not known */
  const char *axis; /* what the steps' values are: "time", "frequency", "load-factor", "step"; NULL: not said */
  int32_t n_material;
  const char *const *material;     /* [n_material], what each is called */
  const int32_t *element_material; /* [n_element], index per element id, -1 none; NULL: all none */
  int32_t n_load_case;
  const char *const
      *load_case; /* [n_load_case], names of the steps 1, 2 ... in /Sinew/load-cases; 0: it is not there */
  /* Columns of /Sinew/history, when known beforehand, and the most rows; 0: 4096 or 16 a step, whichever is more.
   * Without names the first writer_history call makes the columns: where steps are there already, a run that is killed
   * just then may lose its history (never a step). */
  int32_t n_history;
  const char *const *history;
  int64_t n_history_row;
} WriterParams;

typedef struct Writer Writer;
/* Makes the folder and results.hdf, or opens the one to be gone on with: see receipt.h; steps, times and history are
 * those of the receipt then, and nothing is changed before all of it has been compared.
 * ERR_RESTART: a result is there already, or what is to be gone on with is missing, short, damaged, or has another
 * mesh, other fields or another number of steps. ERR_IO: the folder cannot be made or written. */
Status writer_create(const WriterParams *params, Writer **out);
/* values[f] for every field: [n_node or n_cell][n_component]; NULL keeps a `once` field unwritten in this step (zeros
 * until it is written; it may be written again, in place); values NULL: all fields of the step are in the file already
 * (slab.h). Times rise. ERR_IO says which steps are safe; all later
 * calls then fail too. ERR_NUMERIC: numbers that floats do not hold. */
Status writer_step(Writer *writer, double time, const double *const *values);
/* Adds a row to /Sinew/history: numbers by name, same names every time. On disk with one of the next steps, as often as
 * that takes little of the run's time, by writer_flush and by writer_close. */
Status writer_history(Writer *writer, int32_t n, const char *const *names, const double *values);
Status writer_flush(Writer *writer);
/* /Sinew/timing: seconds by phase; at most 64 phases, a later call replaces an earlier one. */
Status writer_timing(Writer *writer, int32_t n, const char *const *names, const double *seconds);
/* Steps that are whole in the file, and the time of step k. */
int64_t writer_steps(const Writer *writer);
double writer_time(const Writer *writer, int64_t k);
/* Puts all that was stored so far on the disk, probes.csv too (NULL: none), and says in [*n] bytes, owned by the
 * caller, what that is: for a checkpoint. ERR_IO also where one of the files is not under its name any more. */
struct ProbeFile;
/* Of receipts to come: what is on the disk of the file of tables (output/text_file.h). */
void writer_tables(Writer *writer, int64_t n_byte, uint64_t sum);
Status writer_receipt(Writer *writer, struct ProbeFile *probes, void **receipt, int64_t *n);
/* Where the result lies: FOLDER/results.hdf; borrowed. */
const char *writer_path(const Writer *writer);
/* Closes the file; safe on NULL. A result without a step is removed again; one with steps is on the disk. Returns
 * ERR_IO when the last flush failed, or the file is not under its name any more. */
Status writer_close(Writer **writer);

/* probes.csv: header at creation, one row per call, flushed. Numbers as %.17g; names with a comma, quote or line break
 * are quoted. It is probes.csv.new until the result gets its name. With a receipt the rows of then are compared and
 * kept, all behind them is cut off; ERR_RESTART: missing, short, damaged, or with other columns. Create it after the
 * writer. */
typedef struct ProbeFile ProbeFile;
typedef struct ProbeFileParams {
  const char *folder;
  const char *first; /* column, "time" where NULL */
  int32_t n_column;
  const char *const *name;
  const void *receipt; /* as WriterParams */
  int64_t n_receipt;
} ProbeFileParams;
Status probe_file_create(const ProbeFileParams *params, ProbeFile **out);
Status probe_file_row(ProbeFile *file, double time, const double *values);
/* Bytes so far and their checksum, once they are on the disk. ERR_IO. */
Status probe_file_sync(ProbeFile *file, int64_t *n_byte, uint64_t *sum);
/* ERR_IO when something could not be written, or the file is not under its name any more. */
Status probe_file_close(ProbeFile **file);
