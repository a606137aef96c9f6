/* A cell model as a header of physics/ionic_model.h, to be compiled in. */
#pragma once
#include "physics/import/cell_trial.h"

/* `name`: what its functions and its line in physics/ionics.def are called, [a-z0-9_]. *text is owned by the caller (FREE). Constants of
 * components that are plain numbers become its parameters, the first IONIC_PARAMS of them. */
Status model_export(const CellModel *model, const char *name, char **text);
