/* Imported models among the ionic models (physics/ionic.h): a file becomes an IonicType with a number of its own. */
#pragma once
#include "physics/import/cell_graph.h"
#include "physics/ionic.h"

/* What units that do not fit do: a warning in CellML and an error in other formats, an error, nothing. */
typedef enum ImportUnits { UNITS_BY_FORMAT, UNITS_CHECK, UNITS_IGNORE } ImportUnits;

typedef struct ImportParams {
  const char *path;
  int n_setting;
  const CellSetting *setting;
  const char *potential, *stimulus; /* variables; NULL: as the file says, or by their names */
  ImportUnits units;
  bool again; /* of a file that was read before, of which all warnings are known */
} ImportParams;

/* *kind is from then on an ionic model as any other, until imported_close. ERR_INPUT as the parts of physics/import. */
Status imported_open(const ImportParams *params, int *kind);
void imported_close(int kind); /* accepts -1 */
/* Of all that a step and the beginning of such a model are made of. */
uint64_t imported_hash(int kind);
/* Steps in ms that change durations of beats by more than 0.5 %: ERR_INPUT with the model, by how much and how long steps may be. OK
 * of a model that is compiled in. */
Status imported_check_step(int kind, double step);
/* What `sinew check` says of it: states, gates, blocks, operations, accuracy. */
enum { IMPORTED_TEXT = 256 };
const char *imported_text(int kind, char text[IMPORTED_TEXT]);
