/* A parameter file in lines, `name = value` each, and what becomes of it. */
#pragma once
#include "app/carp/par_case.h"
#include "app/input/diagnostics.h"
#include "mesh/mesh.h"

typedef struct ParLine {
  char *name, *value; /* views of the text; value without its quotes */
  int32_t line;
  bool used; /* read by a part, or told of */
} ParLine;

enum { PAR_NAME = 96, PAR_TAGS_MOST = 4096, PAR_ARRAYS = 8 };
/* An array whose entries a counter has counted. */
typedef struct ParArray {
  const char *name, *counter;
  int n;
} ParArray;
typedef struct ParTags {
  int32_t n;
  int64_t tag[PAR_TAGS_MOST];
} ParTags;

typedef struct Par {
  const char *path, *out; /* borrowed */
  char *bytes;            /* owned */
  int32_t n;
  ParLine *item;       /* owned, [n] */
  Diagnostics refused; /* lines that cannot be had */
  Text left;           /* lines that are left out, for one warning */
  int32_t n_left;
  int32_t n_array;
  ParArray array[PAR_ARRAYS];
  Mesh *mesh;        /* owned; in mm */
  ParTags tags;      /* working space */
  ParTags bare;      /* tags of elements without cells */
  uint8_t *no_cells; /* owned, [n_element]: 1 at these, after par_tissue */
  bool shocked;      /* currents or potentials act outside of the cells */
  Text *text;        /* the case */
} Par;

/* ---- par_file.c ---- */
Status par_read(Par *par);
void par_release(Par *par);
/* The last line of that name, which is then used; NULL: there is none. */
const ParLine *par_find(Par *par, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Whether a line begins with it. */
bool par_any(const Par *par, const char *prefix);
/* The number of a line, or what it is without one. One that is none is refused. */
double par_number(Par *par, double otherwise, const char *format, ...) __attribute__((format(printf, 3, 4)));
int par_integer(Par *par, int otherwise, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* How many entries an array has: what `counter` says, else one more than the highest index. */
int par_count(Par *par, const char *counter, const char *array, int otherwise);
/* The tags of a region: name.ID[k] below name.num_IDs, or name.ID as a list with ranges. */
void par_tags(Par *par, const char *name, ParTags *out);
/* A line is told of: it cannot be had, or it is left out. NULL: no line, of the whole file. */
void par_refuse(Par *par, const ParLine *line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void par_leave(Par *par, const ParLine *line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A file that the parameters name, with the ending where it is missing: as it lies from here (to be freed), beside the parameter file or
 * in the current folder. NULL: there is none. */
Status par_path(const Par *par, const char *name, const char *ending, char **out);
/* The same as the case file names it. */
Status par_relative(const Par *par, const char *path, Text *text);

/* ---- the parts, which add to the case ---- */
Status par_tissue(Par *par);
/* What is at a point, in mm, after par_tissue: nothing, tissue, or elements without cells. PAR_LEFT: the point is left out. */
typedef enum ParPlace { PAR_NOWHERE, PAR_TISSUE, PAR_BARE, PAR_LEFT } ParPlace;
/* cells[n_node], owned by the caller: which nodes have tissue. */
Status par_cell_nodes(const Par *par, uint8_t **cells);
Status par_locate(const Par *par, const double x[3], ParPlace *out);
/* ionic: of a region; and what cells begin with. */
Status par_cells(Par *par, int region);
Status par_begin(Par *par, int regions);
Status par_stimuli(Par *par);
Status par_times(Par *par);
/* What no part has read. */
void par_check(Par *par);
bool par_bidomain(Par *par);
/* Coordinates of a place: three of surfaces in space too. */
static inline int par_coordinates(const Par *par) { return par->mesh->dim + (par->mesh->in_space ? 1 : 0); }
