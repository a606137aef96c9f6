/* What is said while work goes on: one live line on a terminal, plain lines now and then otherwise. */
#pragma once
#include "app/report.h"

typedef struct Progress {
  bool quiet, verbose, live;
  double start, last;      /* clock */
  double phase_start;
  double first_residual;   /* of the current solve */
  double goal;             /* relative residual at which it ends */
  double *seconds;         /* borrowed, [N_PHASES] */
} Progress;

Progress progress_start(bool quiet, bool verbose, double *seconds);
/* Ends a phase: notes its seconds (since the last phase ended). */
void progress_phase(Progress *progress, Phase phase);
/* A LinearPoll. */
void progress_poll(void *progress, int64_t iteration, double relative_residual);
/* A step in time is done: the line with its number, the time of `end` reached and the iterations it took. */
void progress_step(Progress *progress, int64_t step, double time, double end, int64_t iterations);
/* The same for a heart, with its Newton steps and matrix products so far. */
void progress_newton(Progress *progress, int64_t step, double time, double end, int64_t newton, int64_t products);
/* A live line such as "reading plate.geo"; on a terminal only. */
void progress_live(Progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Removes the live line. */
void progress_clear(Progress *progress);
/* One line on stdout unless quiet. */
void progress_say(const Progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints and forgets all warnings, on stderr. */
void warnings_print(void);
