/* What a file of cells or of a model of tension is told by a case. */
#pragma once
#include "app/input/schema.h"
#include "physics/cell_setting.h"

/* [n of them]; owned by the caller. */
Status case_cell_settings(const FactorsValue *parameters, CellSetting **out);
