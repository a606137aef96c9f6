/* The clock of a run in time. Events are the sorted list of those given, the multiples of `every`, and the end. */
#include "solver/time/step_control.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

static const double SAFETY = 0.9;           /* of the tolerance that the next step aims at */
static const double LITTLE = 1.15;          /* growth below that is not worth a new matrix */
static const double SAME = 1e-9;            /* relative difference of times that count as the same, */
static const double ROUNDING = 8 * 2.3e-16; /* and of edges: a pulse however short is not skipped */
static const double SPARE = 0.25;           /* of the tolerance, spread evenly over the run */
static const double SHORTEST = 1e-12;       /* step, of the whole run */
static const double SHORTEST_CUT = 1e-3;    /* of a fixed step that is cut where it has no solution */

static int by_time(const void *a, const void *b) {
  const StepEvent *p = a, *q = b;
  return p->time < q->time ? -1 : p->time > q->time;
}

static double step_control_nearness(const StepControlParams *p) { return SAME * fmin(p->step, p->end - p->start); }
/* The same for an event: only other edges and the ends of the run are told apart from an edge. */
static double edge_nearness(const StepControlParams *p) { return ROUNDING * fmax(fabs(p->start), fabs(p->end)); }
static double event_nearness(const StepControlParams *p, const StepEvent *event) {
  return event->edge ? fmin(edge_nearness(p), step_control_nearness(p)) : step_control_nearness(p);
}

static Status step_control_check(const StepControlParams *p) {
  CHECK(isfinite(p->start) && isfinite(p->end) && p->end > p->start, ERR_INPUT,
        "time: end is %g, must be after the start, %g", p->end, p->start);
  CHECK(isfinite(p->step) && p->step > 0, ERR_INPUT, "time: step is %g, must be > 0", p->step);
  CHECK(p->every >= 0, ERR_INPUT, "output: every is %g, must be > 0", p->every);
  CHECK((p->end - p->start) / p->step < 1e12, ERR_INPUT, "time: step %g is too small for a run from %g to %g", p->step,
        p->start, p->end);
  if (!p->adaptive) return OK;
  CHECK(isfinite(p->tolerance) && p->tolerance > 0, ERR_INPUT, "adaptive: tolerance is %g, must be > 0", p->tolerance);
  CHECK(p->min >= 0 && p->max >= 0 && p->first >= 0, ERR_INPUT, "adaptive: min %g and max %g must be > 0", p->min,
        p->max);
  CHECK(p->min == 0 || p->min >= SHORTEST * (p->end - p->start), ERR_INPUT,
        "adaptive: min is %g, must be at least %g: shorter steps are lost in the rounding of times up to %g", p->min,
        SHORTEST * (p->end - p->start), p->end);
  CHECK(p->max == 0 || p->max >= SHORTEST * (p->end - p->start), ERR_INPUT, "adaptive: max is %g, must be at least %g",
        p->max, SHORTEST * (p->end - p->start));
  CHECK(p->max == 0 || p->min <= p->max, ERR_INPUT, "adaptive: min is %g, must not be larger than max, %g", p->min,
        p->max);
  CHECK(p->grow == 0 || p->grow > 1, ERR_INPUT, "adaptive: growth is %g, must be > 1", p->grow);
  CHECK(p->shrink == 0 || (p->shrink > 0 && p->shrink < 1), ERR_INPUT, "adaptive: shrinkage is %g, must lie in (0, 1)",
        p->shrink);
  return OK;
}

static void fill_defaults(StepControlParams *p) {
  if (p->order == 0) p->order = 1;
  if (p->budget == 0) p->budget = 1;
  if (p->grow == 0) p->grow = 2;
  if (p->shrink == 0) p->shrink = 0.2;
  if (p->cuts && p->min == 0) p->min = SHORTEST_CUT * p->step;
  if (!p->adaptive) return;
  if (p->max == 0) p->max = p->end - p->start;
  if (p->min == 0) p->min = fmin(1e-6 * p->step, p->max);
  if (p->first == 0) p->first = p->step / 100;
  p->first = fmin(fmax(p->first, p->min), p->max);
}

/* Copies the events inside the run, sorted; times that are the same become one, an edge if any of them is, at its
 * time. */
static Status copy_events(const StepControlParams *from, StepControlParams *to) {
  StepEvent *event = NULL;
  int32_t n = 0;
  ALLOC(event, from->n_event, "times to be hit");
  for (int32_t k = 0; k < from->n_event; ++k) {
    const double near = event_nearness(from, &from->event[k]);
    if (from->event[k].time > from->start + near && from->event[k].time < from->end - near) event[n++] = from->event[k];
  }
  qsort(event, (size_t)n, sizeof *event, by_time);
  to->event = event;
  to->n_event = 0;
  for (int32_t k = 0; k < n; ++k) {
    StepEvent *last = to->n_event ? &event[to->n_event - 1] : NULL;
    if (!last || event[k].time - last->time >
                     (last->edge && event[k].edge ? event_nearness(from, last) : step_control_nearness(from)))
      event[to->n_event++] = event[k];
    else if (!last->edge && event[k].edge) *last = event[k];
  }
  return OK;
}

static Status copy_spans(const StepControlParams *from, StepControlParams *to) {
  StepSpan *span = NULL;
  if (!from->n_span) return OK;
  ALLOC(span, from->n_span, "spans of steps");
  for (int32_t k = 0; k < from->n_span; ++k) span[k] = from->span[k];
  to->span = span;
  return OK;
}

static double start_step(const StepControlParams *p) { return p->adaptive ? p->first : p->step; }

/* What the span has that the next step lies in. */
static void take_span(StepControl *c) {
  StepControlParams *p = &c->params;
  if (!p->n_span) return;
  const StepSpan *s = &p->span[c->span];
  p->step = s->step;
  p->first = s->tolerance > 0 ? 0 : s->step;
  if (s->tolerance > 0) p->tolerance = s->tolerance;
  p->adaptive = s->adaptive, p->cuts = s->cuts;
  p->min = s->min, p->max = s->max;
  if (s->every > 0) p->every = s->every;
}

void step_control_restored(StepControl *c) {
  take_span(c);
  if (c->params.n_span) fill_defaults(&c->params);
}

/* A step has come to the end of its span: false where it has not. */
static bool next_span(StepControl *c) {
  const StepControlParams *p = &c->params;
  if (c->span + 1 >= p->n_span || c->time < p->span[c->span].end - edge_nearness(p)) return false;
  ++c->span;
  step_control_restored(c);
  if (p->span[c->span].every > 0) c->every_from = c->time, c->every_done = 0;
  c->wanted = start_step(p);
  return true;
}

Status step_control_create(const StepControlParams *params, StepControl *out) {
  *out = (StepControl){.params = *params};
  out->params.event = NULL, out->params.span = NULL;
  TRY(step_control_check(params));
  for (int32_t k = 0; k < params->n_event; ++k)
    CHECK(isfinite(params->event[k].time), ERR_INPUT, "time %d to be hit is not a number", (int)k + 1);
  TRY(copy_spans(params, &out->params));
  TRY(copy_events(params, &out->params));
  out->time = out->every_from = params->start;
  take_span(out);
  fill_defaults(&out->params);
  out->wanted = start_step(&out->params);
  out->error = NAN;
  out->edge = true;
  return OK;
}

void step_control_release(StepControl *control) {
  mem_free((void **)&control->params.event);
  mem_free((void **)&control->params.span);
  *control = (StepControl){0};
}

bool step_control_done(const StepControl *c) { return c->time >= c->params.end; }

/* The k-th multiple of every; the end where that is the same. */
static double step_control_multiple(const StepControl *c, int64_t k) {
  return c->every_from + (double)k * c->params.every;
}

/* The next time that must be hit. */
static double next_stop(const StepControl *c) {
  const StepControlParams *p = &c->params;
  double stop = p->end;
  const double near = step_control_nearness(p);
  if (p->every > 0 && step_control_multiple(c, c->every_done + 1) < stop - near)
    stop = step_control_multiple(c, c->every_done + 1);
  if (c->next_event < p->n_event && p->event[c->next_event].time < stop + near) {
    const StepEvent *event = &p->event[c->next_event];
    stop = event->time < stop - event_nearness(p, event) ? event->time : stop;
  }
  return stop;
}

double step_control_next(StepControl *c) {
  const double stop = next_stop(c), left = stop - c->time;
  const double near = fmax(SAME * c->wanted, 8 * 2.3e-16 * fmax(fabs(c->time), fabs(stop)));
  if (c->base_dt != c->wanted) {
    c->base = c->time;
    c->base_dt = c->wanted;
    c->n_base = 0;
  }
  c->dt = c->wanted;
  c->target = c->base + (double)(c->n_base + 1) * c->dt;
  if (fabs(left - c->wanted) <= near) {
    c->target = stop; /* the step fits: rounding does not change its length */
  } else if (left < c->wanted) {
    c->dt = left;
    c->target = stop;
  } else if ((c->params.adaptive || c->wanted < c->params.step) && left < 2 * c->wanted) {
    c->dt = 0.5 * left; /* two equal steps instead of one and a sliver */
    c->target = c->time + c->dt;
  }
  return c->dt;
}

/* time = target: what lies behind is ticked off. */
static void step_control_arrive(StepControl *c) {
  const StepControlParams *p = &c->params;
  const double near = step_control_nearness(p);
  const bool on_grid = c->dt == c->base_dt && fabs(c->target - (c->base + (double)(c->n_base + 1) * c->dt)) == 0;
  c->n_base = on_grid ? c->n_base + 1 : 0;
  c->base_dt = on_grid ? c->base_dt : 0; /* a new base */
  c->time = c->target;
  c->n_accepted += 1;
  c->edge = false;
  c->after_failure = false;
  while (p->every > 0 && step_control_multiple(c, c->every_done + 1) <= c->time + near) c->every_done += 1;
  while (c->next_event < p->n_event &&
         p->event[c->next_event].time <= c->time + event_nearness(p, &p->event[c->next_event]))
    c->edge |= p->event[c->next_event++].edge;
}

double step_control_allowed(const StepControl *c, double change) {
  const StepControlParams *p = &c->params;
  return p->budget * p->tolerance * (change + SPARE * c->dt / (p->end - p->start));
}

/* The step that would have met the tolerance, relative to the one tried: the error falls with dt^(order + 1), what is
 * allowed with dt. */
static double step_control_better(const StepControl *c, double ratio) {
  const double least = c->params.shrink, most = c->params.grow;
  if (!(ratio > 0)) return most;
  return fmin(most, fmax(least, SAFETY * pow(ratio, -1.0 / c->params.order)));
}

static void step_control_accept(StepControl *c, double ratio) {
  const StepControlParams *p = &c->params;
  const bool failed = c->after_failure, cut = c->dt < c->wanted * (1 - SAME);
  const double dt = c->dt;
  step_control_arrive(c);
  if (next_span(c)) return;
  if (!p->adaptive && !failed) c->wanted = fmin(p->step, p->grow * c->wanted);
  if (!p->adaptive) return;
  if (c->edge) {
    c->wanted = fmin(c->wanted, p->first);
    return;
  }
  /* an unknown error says nothing against the step; after a failure it rests for one step */
  double factor = isnan(ratio) ? 1 : step_control_better(c, ratio);
  if (failed) factor = fmin(factor, 1);
  const double next = fmin(fmax(dt * factor, p->min), p->max);
  if (cut && next < c->wanted && factor >= 1)
    return; /* a step cut short by an event says nothing against the longer one */
  if (next > c->wanted && next < LITTLE * c->wanted && next < p->max) return;
  if (next < c->wanted && factor >= SAFETY) return; /* within the tolerance, only not by the safety factor */
  c->wanted = next;
}

Status step_control_judge(StepControl *c, double ratio, bool *accepted) {
  const StepControlParams *p = &c->params;
  c->error = ratio;
  *accepted = true;
  CHECK(!isinf(ratio), ERR_NUMERIC, "the error of the step from t = %g to %g is not finite", c->time, c->target);
  if (p->adaptive && ratio > 1) {
    if (c->dt > p->min * (1 + SAME)) {
      *accepted = false;
      c->n_rejected += 1;
      c->after_failure = true;
      c->wanted = fmax(c->dt * fmin(step_control_better(c, ratio), SAFETY), p->min);
      return OK;
    }
    c->n_forced += 1;
    c->worst_forced = fmax(c->worst_forced, ratio);
  }
  step_control_accept(c, ratio);
  return OK;
}

bool step_control_is_shortest(const StepControl *c) {
  const StepControlParams *p = &c->params;
  return !(p->adaptive || p->cuts) || !(c->dt > p->min * (1 + SAME));
}

void step_control_again(StepControl *c) {
  c->after_failure = false;
  c->wanted = start_step(&c->params);
}

Status step_control_failed(StepControl *c) {
  const StepControlParams *p = &c->params;
  c->n_failed += 1;
  CHECK(p->adaptive || p->cuts, ERR_NUMERIC,
        "the step from t = %g to %g gave no solution and steps are fixed\n  remedy: a smaller "
        "step, or 'adaptive'",
        c->time, c->target);
  CHECK(c->dt > p->min * (1 + SAME), ERR_NUMERIC,
        "the step from t = %g to %g gave no solution and is the smallest allowed\n  remedy: a smaller %s", c->time,
        c->target, p->adaptive ? "'min'" : "step, or 'adaptive: {min: ...}'");
  c->after_failure = true;
  c->wanted = fmax(c->dt * fmax(p->shrink, 0.25), p->min);
  return OK;
}

static bool at_multiple(const StepControl *c) {
  const StepControlParams *p = &c->params;
  return p->every > 0 && c->every_done > 0 &&
         fabs(c->time - step_control_multiple(c, c->every_done)) <= step_control_nearness(p);
}
static bool at_event(const StepControl *c) {
  const StepControlParams *p = &c->params;
  return c->next_event > 0 && fabs(c->time - p->event[c->next_event - 1].time) <= step_control_nearness(p);
}
static bool at_an_end(const StepControl *c) { return step_control_done(c) || c->time <= c->params.start; }

bool step_control_at_output(const StepControl *c) { return at_an_end(c) || at_multiple(c) || at_event(c); }

bool step_control_at_sample(const StepControl *c) {
  const int64_t through = c->params.through;
  return through > 1 && !at_an_end(c) && at_multiple(c) && c->every_done % through != 0 && !at_event(c);
}
