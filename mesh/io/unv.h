/* Groups of .unv files for Gmsh, which knows the newest of their data sets only. */
#pragma once
#include "core/status.h"

#include <stdbool.h>

/* Whether the file has groups in data sets 2435, 2452 or 2467, as SALOME and older programs write them; then, written to
 * the open file `to`, its bytes with 2477 in their place, which says the same. ERR_MESH, ERR_IO. */
Status unv_rewrite(const char *path, int to, bool *changed);
bool unv_is(const char *path);
