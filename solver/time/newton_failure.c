/* What is said of a Newton iteration that failed. */
#include "solver/time/newton.h"

#include <stdio.h>

const char *newton_failure(const Newton *w, const NewtonReport *r, double unit, char text[NEWTON_TEXT]) {
  const double now = r->residual / unit, first = r->first / unit, goal = r->goal / unit;
  const char *why = newton_why(w);
  if (r->reason == NEWTON_STUCK)
    snprintf(text, NEWTON_TEXT,
             "Newton's method did not converge in %d steps: residual %.3e, at the first guess %.3e, asked for %.3e",
             (int)r->steps, now, first, goal);
  else if (r->reason == NEWTON_DIVERGED)
    snprintf(text, NEWTON_TEXT, "Newton's method diverges: residual %.3e, at the first guess %.3e", now, first);
  else if (r->reason == NEWTON_ASCENT)
    snprintf(text, NEWTON_TEXT, "no length of Newton step %d reduces the residual %.3e", (int)r->steps, now);
  else if (r->reason == NEWTON_UNSOLVABLE) snprintf(text, NEWTON_TEXT, "in Newton step %d: %.900s", (int)r->steps, why);
  else
    snprintf(text, NEWTON_TEXT,
             "the residual is not a number after %d Newton steps%s%.800s\n  likely: a load, a stimulus, a prescribed "
             "value or "
             "a parameter that overflows; a step that is too large",
             (int)r->steps, *why ? ": " : "", why);
  return text;
}
