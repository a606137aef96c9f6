/* A table of small cases and meshes with what a user must get for each. One row is one test. */
#pragma once
#include "tests/cli/run_program.h"

enum { ROW_EDITS = 4, ROW_PARTS = 8 };

typedef struct Row {
  const char *name;
  const char *case_text;          /* NULL: SQUARE_CASE */
  const char *edit[ROW_EDITS][2]; /* find, replace; each must occur once */
  const char *mesh;               /* NULL: the mesh of the case; "" leaves it away */
  const char *mesh_edit[ROW_EDITS][2];
  int code;
  const char *said[ROW_PARTS]; /* parts that stderr must hold */
  const char *not_said;        /* NULL, or what it must not hold */
  bool solving;                /* only `run` finds it, `check` answers 0 */
} Row;

/* Runs every row as a cmocka test: `sinew check` and `sinew run` must both answer with the code and the parts, and an
 * error leaves no output behind. Returns the number of failed rows. */
int table_run(const char *name, const Row *rows, int n);
