/* A result in the formats of other programs. Files are whole or not there: they are written beside their name and moved.
 * ERR_USAGE where the format cannot hold it, ERR_IO, ERR_MEMORY. */
#pragma once
#include "output/read.h"

#include <stdio.h>

/* IGB of openCARP: every stored time of a node field of one or three components, in float. Times lie evenly: those
 * behind that do not (a last one between two, the end of a run) are left out with a warning. */
Status export_igb(const Result *result, const ResultField *field, const char *path);
/* A line per node or cell with its components, of one step (from 0). */
Status export_dat(const Result *result, const ResultField *field, int64_t step, const char *path);
/* VTK's XML file of the mesh with all fields of a step; whole numbers (group, material) stay whole. */
Status export_vtu(const Result *result, int64_t step, const char *path);
/* CalculiX' .frd in text: the mesh with the fields that it has names for, of one step (from 0) or, -1, of all. */
Status export_frd(const Result *result, int64_t step, const char *path);
/* A MED file (mesh/io/med.h): the mesh with the groups of its cells and all fields, likewise. ERR_MESH: cubic cells. */
Status export_med(const Result *result, int64_t step, const char *path);

/* ---- export.c: between the files of export ---- */
typedef struct ExportFile {
  const char *path; /* borrowed */
  char *beside;     /* owned */
  FILE *file;
} ExportFile;
Status export_open(const char *path, ExportFile *out);
/* Removes what a process that was ended has left of it. */
void export_discard(const char *path);
/* Closes; status OK: moves the file to its name, else removes it. Returns what came of both. */
Status export_close(ExportFile *file, Status status);
Status export_bytes(const ExportFile *file, const void *bytes, size_t n);
