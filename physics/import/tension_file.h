/* Models of active tension from files among those of physics/tension.h: the equations of a muscle's cross-bridges, as openCARP's EasyML has its
 * plug-ins of stress and CellML and Myokit their models of contraction. A step is worked out here once, to a program that runs within
 * the equations of each integration point (physics/tension_program.h). */
#pragma once
#include "physics/import/cell_graph.h"
#include "physics/import/imported.h"
#include "physics/tension.h"

/* Variables of the file by what they are; NULL: as names say. */
typedef struct TensionFile {
  const char *path;
  int n_setting;
  const CellSetting *setting;
  const char *drive, *stretch, *rate, *tension;
  ImportUnits units;
} TensionFile;

/* *kind is from then on a model of tension as any other, until tension_close. A drive without a unit is in uM, or in mV where it is a
 * potential, a rate 1/ms, a tension kPa. ERR_INPUT with the place: no drive or tension among the variables, a unit that cannot be, more
 * than TENSION_STATES states, a variable from outside that is none of these, no finite tension in a twitch. */
Status tension_open(const TensionFile *file, int *kind);
void tension_close(int kind); /* accepts -1 and kinds that were not read from files */
/* Of all that its steps and the begin are made of. */
uint64_t tension_hash(int kind);
