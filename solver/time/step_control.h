/* The clock of a run in time: how long the next step is, whether a step is accepted, which times are hit exactly. It knows
 * nothing of the problem; whoever steps asks for the next step, tries it, and reports its error over what is allowed.
 * Host only.
 *
 *   while (!step_control_done(c)) {
 *     double dt = step_control_next(c);         ... try from c->time to c->target ...
 *     TRY(step_control_judge(c, ratio, &stands)) or, where the trial gave nothing, TRY(step_control_failed(c))
 *   }
 *
 * What a step may add to the error is the tolerance (times a number that whoever steps has measured) times what the
 * step changes, so errors add up to the tolerance times what the whole solution does, whatever the number of steps; and
 * a quarter of the tolerance is spread over the run, for times when nothing happens. The step is changed by the
 * elementary controller dt safety ratio^(-1/order) (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations
 * I, II.4, for errors per step of unit length), within limits of growth and shrinkage, and left alone where little
 * would be gained, because a new step costs a new matrix. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A time that some step must end at. */
typedef struct StepEvent {
  double time;
  bool edge; /* the load jumps there: history is worth nothing beyond it, and the step starts small again */
} StepEvent;

/* A part of the run with steps of its own, up to `end`, which is an edge. */
typedef struct StepSpan {
  double end, step;
  bool adaptive, cuts;
  bool rests; /* of second order: without inertia, so that each step of it ends at rest */
  double min, max;
  double tolerance; /* adaptive, of a problem in time; 0: lengths are judged otherwise */
  double every;     /* from where the span begins; 0: that of the run goes on */
} StepSpan;

typedef struct StepControlParams {
  double start, end; /* start < end */
  double step;       /* > 0: of a fixed run; where an adaptive one starts from (see first) */
  bool adaptive;
  bool cuts;    /* fixed: a step without a solution becomes shorter, and those behind it as long as before by and by */
  double first; /* adaptive: the first step, and that after an edge; 0: step / 100, at least min */
  double tolerance; /* adaptive: > 0, of the error of the whole solution; see step_control_allowed */
  double
      budget; /* adaptive: errors of all steps may add up to so many times the tolerance, since not all of an error stays in the
                             solution; 0: 1 */
  double min,
      max; /* adaptive; 0: step / 1e6, end - start; not less than 1e-12 of the run; min: with `cuts` too, 0: step / 1000 */
  double grow, shrink; /* most and least that a step changes by; 0: 2, 0.2 */
  int32_t order; /* of the scheme: the error of a step falls with dt^(order + 1), its share of dt with dt^order; 0: 1 */
  double every;  /* > 0: start + k every are events too */
  int64_t through; /* 2 or more: of these only each so-many-th is more than a sample */
  int32_t n_span;  /* 0: all of the run goes as above */
  const StepSpan *
      span; /* ascending, the last ends with the run; what they have takes the place of the above; borrowed during create */
  int32_t n_event;
  const StepEvent *event; /* any order, borrowed during create; those outside (start, end) are left out */
} StepControlParams;

/* Open data, written by the functions below only. */
typedef struct StepControl {
  StepControlParams params; /* defaults filled in; event is owned, ascending, without repetitions */
  double time;              /* reached */
  double dt, target;        /* of the step now tried: target is time + dt, or exactly an event */
  double wanted;            /* step length if no event were in the way */
  double base, base_dt;     /* since the time base all steps had the length base_dt, so that rounding does not add up */
  int64_t n_base;           /* how many they were */
  double error;             /* of the last step that was judged over what was allowed, NaN when unknown */
  bool edge;                /* the step now tried is the first one, or the first after an edge */
  bool after_failure;       /* the last trial did not stand: no growth right after */
  int32_t next_event;
  int32_t span;       /* the one in which the next step lies */
  double every_from;  /* where multiples of every are counted from, */
  int64_t every_done; /* and those that lie behind */
  int64_t n_accepted, n_rejected, n_failed;
  int64_t n_forced;    /* accepted above the tolerance because the step was at its minimum, */
  double worst_forced; /* and by how many times */
} StepControl;

/* ERR_INPUT with the value and what is allowed. */
Status step_control_create(const StepControlParams *params, StepControl *out);
void step_control_release(StepControl *control);
bool step_control_done(const StepControl *control);
/* Sets dt and target of the next trial and returns dt. Bitwise the same dt as before wherever the wanted step did not
 * change and no event cuts it short (rounding of the time does not count). */
double step_control_next(StepControl *control);
/* What the error of the step now tried may be, where u changes by `change`; both relative to the size of u. */
double step_control_allowed(const StepControl *control, double change);
/* The trial gave a result whose error is so many times what is allowed (NaN: unknown, then it stands). Accepted: time
 * becomes target. Rejected: the next trial is shorter. A fixed run accepts whatever comes, but an infinite error is
 * ERR_NUMERIC. */
Status step_control_judge(StepControl *control, double ratio, bool *accepted);
/* The trial gave nothing (Newton diverged): shorter next time. ERR_NUMERIC when the run is fixed without cuts or the step
 * was the smallest already. */
Status step_control_failed(StepControl *control);
/* Whether that would be the end. */
bool step_control_is_shortest(const StepControl *control);
/* The trial gave nothing, and the next one is as long as the first: something else is tried. */
void step_control_again(StepControl *control);
/* Of a control that was saved and has the params of a new one: its span goes on. */
void step_control_restored(StepControl *control);
/* True when `time`, just reached, is a multiple of every, the end, or an event. */
bool step_control_at_output(const StepControl *control);
/* True when it is a sample (params.through) and nothing else. */
bool step_control_at_sample(const StepControl *control);
