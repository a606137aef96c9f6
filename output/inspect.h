/* What `sinew info` says about results and checkpoints. */
#pragma once
#include "core/status.h"

#include <stdbool.h>

/* True when the file is HDF5 with a group /VTKHDF (a result); false for meshes and everything else. */
bool result_is(const char *path);
/* Writes lines about sizes, fields, steps, times, provenance, history and timing into text[size], cut when it is too
 * short. ERR_IO: missing, foreign or damaged. */
Status result_describe(const char *path, char *text, int size);

enum { DESCRIPTION_BYTES = 1 << 16 };
/* The same for a file of which nothing is known yet, in a process of its own, because damage can crash HDF5 or keep it
 * busy for ever. *known = false: neither result nor checkpoint (a mesh, or no HDF5 at all). ERR_IO: damaged, ERR_MESH:
 * no such file, or none to read from. */
Status file_describe(const char *path, bool *known, char *text, int size);
