/* A parameter file of openCARP as the text of a case. */
#pragma once
#include "output/text.h"

/* By its name, .par. */
bool par_is(const char *path);
/* The text of a case file at `out`, which names the mesh and other files relative to itself. What is left out without a change of the answer that
 * was asked for is one warning, a line each. ERR_INPUT with all lines that cannot be had; ERR_MESH of the mesh. */
Status par_case(const char *path, const char *out, Text *text);
