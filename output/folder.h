/* The output folder: made when it is not there, held by one run at a time. */
#pragma once
#include "core/status.h"

#include <stdbool.h>

/* A folder that this run may write; the lock goes with the process, however it ends. */
typedef struct OutputFolder OutputFolder;

/* Makes the folder (and its parents) and locks it. ERR_IO: not a folder, not writable. ERR_RESTART: in use by another
 * run, with its process id. On file systems without locks it goes on with a warning. */
Status output_folder_open(const char *path, OutputFolder **out);
/* Accepts NULL, sets NULL; removes the lock file. */
void output_folder_close(OutputFolder **folder);

/* For an early answer, before minutes of solving: ERR_RESTART when a result lies in the folder and neither `overwrite`
 * nor `resume` is given; ERR_IO when the path is a file. A folder that is not there yet is fine. */
Status output_folder_check(const char *path, bool overwrite, bool resume);

/* "folder/name" in new memory (FREE it). */
Status output_path(const char *folder, const char *name, char **out);
