/* The result files of a run: results.hdf (VTKHDF), results.xdmf, probes.csv, report.json.
 * All space is reserved at creation; a step is data, flush, then NSteps, flush, then the sidecar by rename. */
#pragma once
#include "core/status.h"
#include "mesh/mesh.h"

typedef struct WriterField {
  const char *name;      /* as in the case file: "displacement" */
  bool on_cells;         /* else on nodes */
  int32_t n_component;   /* 1, 3, 6 */
  bool once;             /* written once, the same for all steps (maps) */
} WriterField;

typedef struct WriterParams {
  const char *folder;      /* created if it is not there */
  const Mesh *mesh;        /* borrowed; solved elements become the cells, in id order */
  int32_t n_field;
  const WriterField *field;
  int64_t n_step;          /* most steps that will ever be written: space is reserved for them */
  bool overwrite, resume;  /* neither: an existing result is ERR_RESTART */
  /* provenance, /Sinew */
  const char *version, *commit, *case_text, *device, *precision, *units;
  uint64_t mesh_hash;
} WriterParams;

typedef struct Writer Writer;
Status writer_create(const WriterParams *params, Writer **out);
/* values[f] for every field: [n_node or n_cell][n_component]; NULL keeps a `once` field unwritten in this step. */
Status writer_step(Writer *writer, double time, const double *const *values);
/* Adds a row to /Sinew/history: numbers by name, same names every time. */
Status writer_history(Writer *writer, int32_t n, const char *const *names, const double *values);
/* /Sinew/timing: seconds by phase. */
Status writer_timing(Writer *writer, int32_t n, const char *const *names, const double *seconds);
/* Closes the files; safe on NULL. Returns ERR_IO when the last flush failed. */
Status writer_close(Writer **writer);

/* probes.csv: header at creation, one row per call, flushed. */
typedef struct ProbeFile ProbeFile;
Status probe_file_create(const char *folder, int32_t n_column, const char *const *names, bool resume, ProbeFile **out);
Status probe_file_row(ProbeFile *file, double time, const double *values);
Status probe_file_close(ProbeFile **file);
