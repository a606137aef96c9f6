#include "app/run/may_factor.h"
#include "solver/precond/precond.h"

#include <string.h>

enum { MOST = 1000000 }; /* unknowns, of a factor that some machine has room for */

bool run_may_factor(const Run *run, const Mat *a, const LinearParams *linear) {
  const CaseSolver *s = &run->c->solver;
  const bool asked = !precond_is_auto(linear->preconditioner) || linear->degree || place_given(s->precision.place) ||
                     strcmp(s->method.text, "iterative") == 0;
  return !asked && !run->share && precond_works(precond_named("direct")) &&
         exec_whole(run->device.exec, (double)mat_rows(a)) <= MOST && !mat_numbering(a);
}

void run_spare(const Run *run, const Pattern *pattern, LinearParams *linear) {
  if (place_given(run->c->solver.max_iterations.place)) return;
  linear->spare = run->rehearsed ? NULL : pattern;
  linear->pattern_kept = true;
}
