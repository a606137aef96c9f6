/* What `sinew info` says about a result. */
#pragma once
#include "core/status.h"

#include <stdbool.h>

/* True when the file is HDF5 with a group /VTKHDF (a result); false for meshes and everything else. */
bool result_is(const char *path);
/* Writes lines about sizes, fields, steps, times, provenance, history and timing into text[size], cut when it is too
 * short. ERR_IO: missing, foreign or damaged. */
Status result_describe(const char *path, char *text, int size);
