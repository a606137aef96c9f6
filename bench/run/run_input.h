/* What `sinew bench run` runs: meshes and case files of its own making. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { RUN_PATH = 1024 };

typedef enum RunKind { RUN_HEX, RUN_TET, RUN_GMSH, RUN_HEART } RunKind;

typedef struct RunInput {
  const char *name; /* "hex-10m" */
  const char *what; /* in the table */
  RunKind kind;
  int32_t cells;         /* per direction of a cube; of a heart: uniform refinements */
  const char *heart;     /* file name in the folder of --meshes */
  double rtol;           /* of a heart's solver */
  bool check;            /* `sinew check` instead of `sinew run` */
  bool large;            /* only on a GPU, or by name */
  double before, target; /* seconds on one H200 with 16 cores: before this was worked on, and what is wanted */
} RunInput;

/* The table: i in [0, run_input_count()). */
int run_input_count(void);
const RunInput *run_input(int i);
/* Writes folder/NAME.h5 (or .msh) unless it is there, and folder/NAME.yaml, whose path is given; meshes: the folder of
 * hearts, NULL: none. ERR_IO; ERR_INPUT: a heart without a file. */
Status run_input_write(const RunInput *input, const char *folder, const char *meshes, char path[RUN_PATH]);
/* A Gmsh 4.1 binary file of a box of one kind of solid element (groups body, x0, x1), in the order of Gmsh: one entity
 * after the other. */
struct Mesh;
Status run_write_gmsh(const struct Mesh *mesh, const char *path);
