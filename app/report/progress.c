/* Progress of a solve from the pace of its residual. */
#include "app/report/progress.h"
#include "app/report/said.h"
#include "output/wording.h"
#include "core/clock.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static const double LIVE_PACE = 0.1, PLAIN_PACE = 5; /* seconds between two lines */

Progress progress_start(bool quiet, bool verbose, double begin, double *seconds) {
  return (Progress){.quiet = quiet,
                    .verbose = verbose,
                    .live = !quiet && isatty(STDOUT_FILENO),
                    .start = begin,
                    .last = clock_seconds(),
                    .phase_start = begin,
                    .seconds = seconds};
}

void progress_live(Progress *p, const char *format, ...) {
  if (!p->live) return;
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  fflush(stdout);
}

void progress_clear(Progress *p) {
  if (p->live) printf("\r\033[K"), fflush(stdout);
}

void progress_phase(Progress *p, Phase phase) {
  const double now = clock_seconds();
  char text[32];
  p->seconds[phase] += now - p->phase_start;
  if (p->verbose) progress_clear(p), printf("%-14s %s\n", phase_name(phase), seconds_text(now - p->phase_start, text));
  p->phase_start = now;
  p->first_residual = 0;
}

double pace_left(Pace *p, double clock, double done, double all) {
  static const double SECOND = 1, LONG = 20, SHARE = 0.05;
  if (!p->begun) *p = (Pace){true, clock, done, {clock, done}, {clock, done}};
  const double spent = clock - p->begin, share = (done - p->first) / (all - p->first);
  if (clock - p->newer[0] >= 0.25 * spent && clock > p->newer[0]) {
    p->older[0] = p->newer[0], p->older[1] = p->newer[1];
    p->newer[0] = clock, p->newer[1] = done;
  }
  if (spent < SECOND || (share < SHARE && spent < LONG)) return -1;
  const double speed = (done - p->older[1]) / (clock - p->older[0]);
  return speed > 0 && done < all ? (all - done) / speed : -1;
}

/* The residual falls by a constant factor per iteration, more or less. */
static double seconds_left(Progress *p, double residual, double now) {
  return pace_left(&p->pace, now, log(p->first_residual / residual), log(p->first_residual / p->goal));
}

/* ", about 3 s left", or nothing. */
static const char *left_text(double seconds, char text[64]) {
  char rest[32];
  text[0] = 0;
  if (seconds >= 0) snprintf(text, 64, ", about %s left", seconds_text(seconds, rest));
  return text;
}

void progress_poll(void *context, int64_t iteration, double residual) {
  Progress *p = context;
  const double now = clock_seconds();
  if (p->quiet || iteration < 1 || !(residual > 0)) return;
  if (p->first_residual <= 0) p->first_residual = residual > 1 ? residual : 1, p->pace = (Pace){0};
  char spent[32], rest[64];
  const double left = seconds_left(p, residual, now);
  if (now - p->last < (p->live ? LIVE_PACE : PLAIN_PACE)) return;
  p->last = now;
  printf("%ssolve: iteration %lld, residual %.2e, %s%s%s", p->live ? "\r" : "", (long long)iteration, residual,
         seconds_text(now - p->phase_start, spent), left_text(left, rest), p->live ? "\033[K" : "\n");
  fflush(stdout);
}

void progress_step(Progress *p, int64_t step, double time, double end, int64_t iterations) {
  const double now = clock_seconds();
  const double left = pace_left(&p->pace, now, time, end);
  if (p->quiet || now - p->last < (p->live ? LIVE_PACE : PLAIN_PACE)) return;
  p->last = now;
  char rest[64];
  printf("%sstep %lld, time %g of %g%s, %lld iteration%s%s%s", p->live ? "\r" : "", (long long)step, time, end,
         p->time_unit, (long long)iterations, iterations == 1 ? "" : "s", left_text(left, rest),
         p->live ? "\033[K" : "\n");
  fflush(stdout);
}

void progress_newton(Progress *p, int64_t step, double time, double end, int64_t newton, int64_t iterations,
                     const char *method) {
  const double now = clock_seconds();
  const double left = pace_left(&p->pace, now, time, end);
  if (p->quiet || now - p->last < (p->live ? LIVE_PACE : PLAIN_PACE)) return;
  p->last = now;
  char rest[64], a[32], b[32];
  printf("%sstep %lld, t = %g of %g ms, ", p->live ? "\r" : "", (long long)step, time, end);
  if (newton > 0) printf("%s Newton, ", count_text(newton, a));
  printf("%s %s%s%s", count_text(iterations, b), method, left_text(left, rest), p->live ? "\033[K" : "\n");
  fflush(stdout);
}

void progress_say(const Progress *p, const char *format, ...) {
  if (p->quiet) return;
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\n");
  fflush(stdout);
}

void warnings_print(void) {
  for (int i = 0; i < status_warning_count(); ++i) {
    fprintf(stderr, "warning: %s\n", status_warning(i));
    said_keep(status_warning(i));
  }
  status_warnings_clear();
}
