/* Progress messages: one live line on a terminal, plain lines now and then otherwise. */
#pragma once
#include "app/report/report.h"

/* How fast something goes on, from what it did lately: adaptive steps start small and solves start slowly. */
typedef struct Pace {
  bool begun;
  double begin, first;       /* clock and amount done when it was first asked */
  double older[2], newer[2]; /* the same at two later looks */
} Pace;
/* Seconds until `all` is done at the pace of the last quarter to half of the time; negative as long as nothing can be
 * said: in the first second, and in the first 20 with less than a twentieth done. */
double pace_left(Pace *pace, double clock, double done, double all);

typedef struct Progress {
  bool quiet, verbose, live;
  double start, last; /* clock */
  double phase_start;
  double first_residual;          /* of the current solve */
  double goal;                    /* relative residual at which it ends */
  Pace pace;                      /* of the current solve, or of simulated time */
  double *seconds;                /* borrowed, [N_PHASES] */
  char time_unit[UNIT_BYTES + 1]; /* " s" behind simulated times, or nothing */
} Progress;

/* begin: on clock_seconds. */
Progress progress_start(bool quiet, bool verbose, double begin, double *seconds);
/* Ends a phase: notes its seconds (since the last phase ended). */
void progress_phase(Progress *progress, Phase phase);
/* A LinearPoll. */
void progress_poll(void *progress, int64_t iteration, double relative_residual);
/* A step in time is done: the line with its number, the time of `end` reached and the iterations it took. */
void progress_step(Progress *progress, int64_t step, double time, double end, int64_t iterations);
/* The same for a heart, with its Newton steps, if any, and the iterations of its linear solver so far, "CG", "Chebyshev" or
 * "stages". */
void progress_newton(Progress *progress, int64_t step, double time, double end, int64_t newton, int64_t iterations,
                     const char *method);
/* A live line such as "reading plate.geo"; on a terminal only. */
void progress_live(Progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Removes the live line. */
void progress_clear(Progress *progress);
/* One line on stdout unless quiet. */
void progress_say(const Progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints and forgets all warnings, on stderr. */
void warnings_print(void);
