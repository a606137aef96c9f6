/* Where the time of an Exec goes, by the name of the row kernel. While a Profile is on, launches are timed one by one
 * and loops run turn by turn from the host: the work is the same, a GPU's graph and resident kernel are not. Loops and
 * solvers that are used meanwhile must be created after profile_begin and destroyed before profile_end. */
#pragma once
#include "core/exec.h"

typedef struct ProfileRow {
  const char *name; /* of the row kernel; PROFILE_COPIES: copies and clears, to and from the host */
  int64_t n;        /* rows of a launch, with profile_by_rows; else 0 */
  int64_t launches;
  double seconds;
} ProfileRow;
#define PROFILE_COPIES "copies"

typedef struct Profile Profile;
Status profile_begin(Exec *exec, Profile **out);
/* Accepts NULL, sets NULL. The Exec is as before. */
void profile_end(Profile **profile);
/* From now on launches of a kernel over different numbers of rows are told apart: levels of a hierarchy. */
void profile_by_rows(Profile *profile);
/* Everything so far is forgotten. */
Status profile_reset(Profile *profile);
/* Rows in the order of their first launch; borrowed, until the next launch. Waits for the Exec. */
Status profile_rows(Profile *profile, const ProfileRow **rows, int *n);
