/* output.tables: numbers of groups as text, in the layout of the .dat files of CalculiX, so that what reads those reads
 * these. The file is beside results.hdf and has the name of the case. */
#pragma once
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "output/text_file.h"

/* What a table lists: values of nodes, of elements, or of the integration points of elements. */
typedef struct TableValues {
  const char *head; /* " displacements (vx,vy,vz)" */
  int width;        /* numbers of a line, at most 6 */
  int stride;       /* numbers of a node, element or point in `value` */
  const int *order; /* [width]: which of them, NULL: the first */
  const double *value;
  const int64_t *start;    /* of points: [n_solved + 1], where those of an element begin; NULL: no points */
  bool cells;              /* one value for each solved element */
  const char *total;       /* head of the sum over nodes or elements; NULL: it has none */
  const double *summed;    /* what is summed; NULL: value */
  const char *const *mark; /* of nodes or solved elements: what their lines end with, NULL: nothing; NULL: none */
} TableValues;

/* Appends table i of the case at this time. */
Status table_add(const Run *run, const Setup *setup, int32_t i, double time, const TableValues *values, Text *out);
/* The file of a run in time; the text is what a run that goes on has of it. */
Status tables_open(const Run *run, TextFile *file, Text *text);
/* Writes the file, where the case has tables. */
Status tables_save(const Run *run, const Text *text);
