/* A script of Gmsh's language is read for commands that start programs, for a message that names the place. What keeps
 * a script from it is confine.h: a command can be included from another file or built where no reader finds it. */
#pragma once
#include "core/status.h"

/* ERR_MESH with line and command where the file has one. */
Status geo_script_check(const char *path);
