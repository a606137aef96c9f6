/* Holds what a run left against an undisturbed one: data, not bytes, as times of the clock are in the files too. */
#pragma once
#include <stdbool.h>

/* What a results.hdf is beside a reference. */
typedef enum Likeness {
  ABSENT,
  UNREADABLE, /* HDF5 or this comparison cannot make sense of it */
  OTHER,      /* readable, but its values are not those of the reference */
  PART,       /* the first steps of the reference, or the beginning of its rows */
  WHOLE
} Likeness;
const char *likeness_word(Likeness likeness);

/* Compares all of /VTKHDF and the history but for its times, in a process of its own with a time limit: files may be
 * damaged. `steps_only`: what a killed run leaves, whose maps and history may be behind its last step. *n_step: steps
 * that the file says it has. */
Likeness result_likeness(const char *path, const char *reference, bool steps_only, int *n_step);
/* The same of probes.csv: WHOLE, PART (a beginning, cut between lines or not), OTHER. */
Likeness rows_likeness(const char *path, const char *reference);
