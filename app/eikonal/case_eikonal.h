/* Between the files of an eikonal case. */
#pragma once
#include "app/input/physics.h"

extern const Schema eikonal_schema;
void eikonal_check(Case *c, Diagnostics *diagnostics);
