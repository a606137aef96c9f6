/* What `sinew plot` draws of a result: the default field of its physics, or the one that is asked for. */
#pragma once
#include "core/status.h"

#include <stdbool.h>

typedef struct PlotParams {
  const char *field; /* "stress-yy"; NULL: von-mises, activation, potential, temperature, whichever there is first */
  int step;          /* from 1; 0: the last one, of a heart's potential the middle one */
  const char *time;  /* the stored time next to it; NULL: by `step` */
  bool film;         /* of all stored times: of `field` there are several */
} PlotParams;

typedef struct Plot {
  char field[128];
  int component; /* -1: the length of a vector, or the only one */
  bool timed;    /* `time` is to be drawn */
  double time;
  bool warp, never;                     /* by displacements; -1 says that it never happened there */
  bool modes;                           /* displacements have no size of their own */
  int bands;                            /* of the colours; 0: smooth */
  char title[256], bar[192], what[256]; /* above the picture, above its bar, and for the user */
  char unit[48];                        /* of `time` */
} Plot;

/* ERR_USAGE with what there is where field or step are not; ERR_IO for files that cannot be read. */
Status plot_choose(const char *path, const PlotParams *params, Plot *out);
