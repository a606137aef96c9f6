/* Equations that hold in spans of time: switched ones (assembly/space/equations.h), before those of contact and of bolts. */
#include "assembly/elasticity/timed.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static const char WHAT[] = "equations between two times";
/* Of a time: ends of steps are that near to it. */
static const double EDGE = 1e-9;

bool elasticity_timed(const Elasticity *p) { return p->n_timed > 0; }

void timed_release(Elasticity *p) {
  FREE(p->timed);
  FREE(p->timed_span);
  FREE(p->timed_term);
  p->n_timed = 0;
}

/* Spans and terms of the last equations of a list, which does not outlive them. */
static Status lists_copy(Elasticity *p, const EquationList *list) {
  int64_t n_span = 0, n_term = 0;
  for (int32_t i = list->n - p->n_timed; i < list->n; ++i) n_span += list->item[i].n_span, n_term += list->item[i].n;
  ALLOC(p->timed_span, n_span, WHAT);
  ALLOC(p->timed_term, n_term, WHAT);
  n_span = n_term = 0;
  for (int32_t k = 0; k < p->n_timed; ++k) {
    const Equation *e = &list->item[list->n - p->n_timed + k];
    CHECK(e->timed, ERR_BUG, "equations between two times are not the last of their list");
    memcpy(p->timed_span + n_span, list->span + e->first_span, (size_t)e->n_span * sizeof *list->span);
    memcpy(p->timed_term + n_term, list->term + e->first, (size_t)e->n * sizeof *list->term);
    p->timed[k] = (TimedEquation){.span = p->timed_span + n_span,
                                  .term = p->timed_term + n_term,
                                  .n_span = e->n_span,
                                  .n_term = e->n,
                                  .now = -1,
                                  .state = {.span = -1},
                                  .over = -(double)INFINITY};
    n_span += e->n_span, n_term += e->n;
  }
  return OK;
}

Status timed_create(Elasticity *p, const EquationList *list) {
  if (p->n_timed) return OK; /* surfaces are found anew: what holds goes on */
  for (int32_t i = 0; list && i < list->n; ++i) p->n_timed += list->item[i].timed;
  if (!p->n_timed) return OK;
  ALLOC(p->timed, p->n_timed, WHAT);
  TRY(lists_copy(p, list));
  bool changed = false;
  timed_begin(p, p->time, &changed);
  timed_commit(p);
  return OK;
}

/* Whether a span holds at a time. */
static bool span_holds(const EquationSpan *s, double time, double over) {
  const bool ended = over >= s->until - EDGE * s->until;
  const double begin = s->from + EDGE * s->from, end = s->until + (ended ? -EDGE : EDGE) * s->until;
  return (s->from <= 0 || time > begin) && (isinf(s->until) || time <= end);
}

static double value_at(const Elasticity *p, const TimedEquation *e, double time) {
  const EquationSpan *s = &e->span[e->now];
  const double start = e->now == (int32_t)e->state.span ? e->state.start : e->state.sum;
  const double part = fmin(1, fmax(0, (time - s->from) / (s->grown - s->from)));
  if (s->from <= 0) return p->gap * s->value;
  if (s->begin == SPAN_STAY) return start;
  const double value = start + (s->value - start) * part;
  return value + p->timed_eased * ((e->kept ? e->kept_value : start) - value);
}

void elasticity_ease_equations(Elasticity *p, double part) { p->timed_eased = part; }

void timed_begin(Elasticity *p, double time, bool *changed) {
  for (int32_t k = 0; k < p->n_timed; ++k) {
    TimedEquation *e = &p->timed[k];
    e->now = e->n_span - 1;
    while (e->now >= 0 && !span_holds(&e->span[e->now], time, e->over)) --e->now;
    const bool on = e->now >= 0;
    const double value = on ? value_at(p, e, time) : 0;
    *changed = *changed || on != e->on || (value < e->value || value > e->value);
    e->on = on, e->value = value;
  }
  p->timed_time = time;
}

void timed_switch(const Elasticity *p, uint8_t *on, double *value) {
  for (int32_t k = 0; k < p->n_timed; ++k) on[k] = p->timed[k].on, value[k] = p->timed[k].value;
}

void timed_commit(Elasticity *p) {
  for (int32_t k = 0; k < p->n_timed; ++k)
    p->timed[k].kept = p->timed[k].on, p->timed[k].kept_value = p->timed[k].value;
}

/* ---- sums that later spans start from ---- */

static bool starts_at(const TimedEquation *e, double time) {
  bool any = false;
  for (int32_t k = 0; k < e->n_span; ++k)
    any = any || (e->span[k].from > 0 && fabs(e->span[k].from - time) <= EDGE * fabs(time));
  return any;
}

static double sum_of(const Elasticity *p, const TimedEquation *e, const double *u) {
  double sum = 0;
  for (int32_t i = 0; i < e->n_term; ++i) {
    const EquationTerm *t = &e->term[i];
    sum += t->factor * u[(int64_t)p->dim * numbering_rank(&p->space->numbering, t->node) + t->component];
  }
  return sum;
}

Status elasticity_timed_see(Elasticity *p, const double *u) {
  const int64_t n = p->n_timed ? p->space->n_dof : 0;
  double *host = NULL;
  Status status = OK;
  bool any = false;
  for (int32_t k = 0; k < p->n_timed; ++k) any = any || starts_at(&p->timed[k], p->timed_time);
  if (any) {
    ALLOC_DONE(host, n, WHAT);
    TRY_DONE(elasticity_global_frame(p, &u));
    TRY_DONE(exec_download(p->space->exec, host, u, (size_t)n * sizeof *host));
  }
  for (int32_t k = 0; k < p->n_timed; ++k) {
    TimedEquation *e = &p->timed[k];
    if (e->on && e->now != (int32_t)e->state.span) e->state.start = e->state.sum, e->state.span = e->now;
    if (any) e->state.sum = sum_of(p, e, host);
  }
done:
  FREE(host);
  return status;
}

int64_t timed_bytes(const Elasticity *p) { return p->n_timed * (int64_t)sizeof(TimedState); }
void timed_save(const Elasticity *p, void *host) {
  for (int32_t k = 0; k < p->n_timed; ++k)
    memcpy((char *)host + (size_t)k * sizeof(TimedState), &p->timed[k].state, sizeof(TimedState));
}
void timed_restore(Elasticity *p, const void *host) {
  for (int32_t k = 0; k < p->n_timed; ++k)
    memcpy(&p->timed[k].state, (const char *)host + (size_t)k * sizeof(TimedState), sizeof(TimedState));
}

/* ---- what is switched off ---- */

static bool timed_exchange(Elasticity *p) {
  bool differs = false;
  for (int32_t k = 0; k < p->n_timed; ++k) {
    TimedEquation *e = &p->timed[k];
    const bool on = e->kept;
    const double value = e->kept_value;
    differs = differs || on != e->on;
    e->kept = e->on, e->on = on;
    e->kept_value = e->value, e->value = value;
  }
  return differs;
}

/* A trial that failed begins again with unknowns that are not given yet, so that each trial up to the commit gives them. */
Status timed_follow(Elasticity *p, double time, double *u) {
  bool changed = false;
  timed_begin(p, time, &changed);
  if (timed_exchange(p)) {
    changed = true;
    TRY(contacts_hold(p));
    TRY(equations_follow_others(&p->equations, p->gap, u)); /* rows of groups that turn are of rates */
  }
  (void)timed_exchange(p);
  return changed ? contacts_hold(p) : OK;
}

Status elasticity_renew_equations(Elasticity *p, double time, double *u, double *v) {
  bool changed = false;
  for (int32_t k = 0; k < p->n_timed; ++k) p->timed[k].over = time;
  timed_begin(p, time, &changed);
  if (!changed) return OK;
  /* the rows are those of before yet */
  TRY(equations_follow_others(&p->equations, p->gap, u));
  TRY(equations_follow_others(&p->equations, 0, v));
  return contacts_hold(p);
}
