/* A script of Gmsh's language is read for commands that start programs, for a message that names the place. What keeps
 * a script from it is confine.h: a command can be included from another file or built where no reader finds it. */
#pragma once
#include "core/status.h"

/* ERR_MESH with line and command where the file has one. */
Status geo_script_check(const char *path);
/* Is `name` in a DefineConstant of the file? ERR_MESH with those that are, where it is not: a number for it would change nothing. */
Status geo_script_defines(const char *path, const char *name);
