/* Reading a result back: for `sinew info`, `sinew verify` and tests. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ResultField {
  char name[128];
  bool on_cells, once;
  int32_t n_component;
} ResultField;

/* Open data; read it freely. */
typedef struct Result {
  char *path;   /* owned */
  int64_t file; /* HDF5's id */
  int64_t n_node, n_cell, n_step, n_reserved;
  double *time; /* owned, [n_step] */
  int32_t n_field;
  ResultField *field; /* owned, [n_field]; node fields first, each sorted by name */
} Result;

enum { RESULT_HEAD = 256 << 20 }; /* memory that is enough to open any result: for a child that reads a damaged one */
/* A running result may be opened. ERR_IO: missing, not HDF5, not a result, damaged. */
Status result_open(const char *path, Result **out);
/* How much memory is enough to read any field of it, twice over. */
int64_t result_memory(const Result *result);
/* Accepts NULL, sets NULL. */
void result_close(Result **result);
/* NULL when there is none. */
const ResultField *result_field(const Result *result, const char *name, bool on_cells);
/* Its attribute `units`, cut to size - 1 bytes; empty where there is none. And that of the stored times. */
void result_unit(const Result *result, const ResultField *field, char *text, int size);
void result_time_unit(const Result *result, char *text, int size);
/* What the stored times are ("time", "frequency", ...), cut likewise; empty where the file does not say. */
void result_axis(const Result *result, char *text, int size);
/* values[n_node or n_cell][n_component] of a step (from 0; -1 is the last). */
Status result_read(const Result *result, const ResultField *field, int64_t step, double *values);
/* A text of the provenance ("version", "case", ...), cut to size - 1 bytes; false when it is not there. */
bool result_provenance(const Result *result, const char *name, char *text, int size);
/* The name of a step (from 0) that is a load case, a combination or an envelope, cut likewise; false: it is none. */
bool result_step_name(const Result *result, int64_t step, char *text, int size);
/* The name of a group of cells, of those that /Sinew/groups/number lists (from 0), cut likewise; false: it is not there. */
bool result_group_name(const Result *result, int64_t k, char *text, int size);
