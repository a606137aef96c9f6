/* A case by one rank and by several, which are threads of this process: the same files. */
#pragma once
#include <stddef.h>

typedef struct SharedCase {
  const char *name;
  size_t n_ranks; /* the first so many of 2, 3, 5 */
  const char *text;
} SharedCase;

/* A new folder with SQUARE_MSH and this case. */
char *ranks_folder(const char *text);
/* `sinew run` of folder/case.yaml by n ranks, which ends with `code`; path becomes the folder of its results, `into` in
 * the first. ranks_stop_at: one rank is asked to stop when its guard is called so often; 0: none. */
void ranks_run(const char *n, const char *folder, const char *into, const char *option, int code, char path[512]);
extern int ranks_stop_at;
/* results.hdf, probes.csv and, where the case has checkpoints or cavities, the last of these and loops.csv are those of the other
 * folder. */
void ranks_same_files(const SharedCase *t, const char *together, const char *alone);
/* What else the cases below read, into their folder; NULL: nothing. */
extern void (*ranks_write)(const char *folder);
void ranks_same_as_alone(const SharedCase *t);
/* One rank is asked, all stop behind the same step, and any number of ranks goes on. */
void ranks_stop_and_go_on(const SharedCase *t);
/* `sinew run` of this case by n ranks ends with the code of wrong input and says this, once. */
void ranks_refused(const char *text, const char *n, const char *said);
