/* Mesh formats that neither Sinew nor Gmsh reads: Gmsh would take them for scripts of its own and speak of syntax
 * errors. */
#pragma once
#include "core/status.h"

/* ERR_MESH with what the file is and how it is converted; OK for all other endings. */
Status foreign_check(const char *path);
