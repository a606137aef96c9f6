/* The files of a run in its output folder. The folder may come from somebody else, and a name in it may be a link to any
 * file of the machine: nothing is ever written through a link. */
#pragma once
#include "core/status.h"

/* Makes a new, empty file to read and write. Whatever had the name loses it; where that was a link, the file behind it
 * stays as it is. The descriptor, or -1 with errno. */
int own_file_make(const char *path);
/* Opens a file that is there to go on with it. ERR_RESTART: it is missing, a link, or no regular file. ERR_IO: it cannot
 * be opened. */
Status own_file_open(const char *path, int *out);
