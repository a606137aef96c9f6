/* Reading attributes and datasets of a mesh file, with all their ways to be wrong. */
#pragma once
#include "mesh/mesh.h"

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

/* The file and the name of what is being read, for messages. */
typedef struct H5Reader {
  const char *label, *remedy; /* "write it again by: ..." */
  hid_t file;
  int bytes; /* the same file without HDF5, -1: none */
  int64_t file_bytes;
  char place[300]; /* "/mesh/groups/3" */
} H5Reader;

/* Reads a file in a child process first, since damage can crash HDF5: OK where `read` lives through it and answers OK; `remedy`
 * is for one that dies. */
Status h5_try(const char *path, Status (*read)(const char *path, Mesh **out), const char *remedy);
/* Opens the file and looks through what is in it (h5_check_inside); to be ended even where it fails. `otherwise`: how to have one
 * that can be read. */
Status h5_open(H5Reader *reader, const char *path, const char *otherwise);
void h5_end(H5Reader *reader);
/* ERR_MESH "file: place: text; remedy". */
Status h5_bad(const H5Reader *reader, const char *text);
/* A whole number from `least` to INT32_MAX - 1. */
Status h5_get_int(const H5Reader *reader, hid_t at, const char *name, int64_t least, int32_t *out);
/* A text; *out is allocated. */
Status h5_get_text(const H5Reader *reader, hid_t at, const char *name, char **out);
/* Opens a dataset of numbers and gives its extents (columns 0 when of rank one). */
Status h5_open_data(const H5Reader *reader, hid_t at, const char *name, H5T_class_t kind, hid_t *set, int64_t *rows,
                    int64_t *columns);
/* A whole dataset into a new array of `size`-byte items of the memory type. *rows < 0: as many as there are, given
 * back. columns 0: of rank one. `reader->place` is where `at` is. */
Status h5_get_data(H5Reader *reader, hid_t at, const char *name, hid_t type, size_t size, int64_t *rows,
                   int64_t columns, void **out);
