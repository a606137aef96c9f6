/* The output folder: made when it is not there, held by one run at a time. */
#pragma once
#include "core/status.h"

#include <stdbool.h>

/* A folder that this run may write; the lock goes with the process, however it ends. */
typedef struct OutputFolder OutputFolder;

/* Makes the folder (and its parents) and locks it, then removes what a killed run left half-written. ERR_IO: not a
 * folder, not writable. ERR_RESTART: in use by another run, with its process id; nothing is touched then. On file
 * systems without locks it goes on with a warning. */
Status output_folder_open(const char *path, OutputFolder **out);
/* Accepts NULL, sets NULL; removes the lock file, and the folders it has made where nothing was put there. */
void output_folder_close(OutputFolder **folder);
/* The same from a signal handler, just before the process ends, for the folder that is held; frees nothing. */
void output_folder_abandon(void);

/* Removes a link in the place of a folder within the output folder; what it leads to stays as it is. */
Status output_drop_link(const char *path);

/* Is this open file the one under that name? */
bool output_is_named(int file, const char *path);
/* Fails with ERR_IO unless it is: the file was removed or replaced while it was written. */
Status output_check_named(int file, const char *path);

/* For an early answer, before minutes of solving: ERR_RESTART when a result lies in the folder and neither `overwrite`
 * nor `resume` is given; ERR_IO when the path is a file. A folder that is not there yet is fine. */
Status output_folder_check(const char *path, bool overwrite, bool resume);

/* "folder/name" in new memory (FREE it); of an empty name the folder. */
Status output_path(const char *folder, const char *name, char **out);
