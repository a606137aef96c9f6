/* Imported models among the ionic models (physics/ionic.h): a file becomes an IonicType with a number of its own. */
#pragma once
#include "physics/import/cell_graph.h"
#include "physics/ionic.h"

typedef struct ImportParams {
  const char *path;
  int n_setting;
  const CellSetting *setting;
  const char *potential, *stimulus; /* variables; NULL: as the file says, or by their names */
  bool ignore_units;
} ImportParams;

/* *kind is from then on an ionic model as any other, until imported_close. ERR_INPUT as the parts of physics/import. */
Status imported_open(const ImportParams *params, int *kind);
void imported_close(int kind); /* accepts -1 */
/* Of all that a step and the beginning of such a model are made of. */
uint64_t imported_hash(int kind);
