/* Equations that hold between two times: switched ones (assembly/space/equations.h), before those of contact and of bolts. */
#include "assembly/elasticity/timed.h"
#include "assembly/elasticity/elasticity_data.h"
#include "core/memory.h"

#include <math.h>

/* Of a time: ends of steps are that near to it. */
static const double EDGE = 1e-9;

bool elasticity_timed(const Elasticity *p) { return p->n_timed > 0; }

Status timed_create(Elasticity *p, const EquationList *list) {
  FREE(p->timed);
  p->n_timed = 0;
  for (int32_t i = 0; list && i < list->n; ++i) p->n_timed += list->item[i].timed;
  ALLOC(p->timed, p->n_timed, "equations between two times");
  for (int32_t k = 0; k < p->n_timed; ++k) {
    const Equation *e = &list->item[list->n - p->n_timed + k];
    CHECK(e->timed, ERR_BUG, "equations between two times are not the last of their list");
    p->timed[k] = (TimedEquation){.from = e->from, .until = e->until, .value = e->value};
  }
  bool changed = false;
  timed_begin(p, p->time, &changed);
  timed_commit(p);
  return OK;
}

void timed_begin(Elasticity *p, double time, bool *changed) {
  for (int32_t k = 0; k < p->n_timed; ++k) {
    TimedEquation *e = &p->timed[k];
    const double begin = e->from + EDGE * e->from, end = e->until + (e->over ? -EDGE : EDGE) * e->until;
    const bool on = (e->from <= 0 || time > begin) && (isinf(e->until) || time <= end);
    *changed = *changed || on != e->on;
    e->on = on;
  }
}

void timed_switch(const Elasticity *p, uint8_t *on, double *value) {
  for (int32_t k = 0; k < p->n_timed; ++k)
    on[k] = p->timed[k].on, value[k] = p->timed[k].on ? p->gap * p->timed[k].value : 0;
}

void timed_commit(Elasticity *p) {
  for (int32_t k = 0; k < p->n_timed; ++k) p->timed[k].kept = p->timed[k].on;
}

static bool timed_exchange(Elasticity *p) {
  bool differs = false;
  for (int32_t k = 0; k < p->n_timed; ++k) {
    TimedEquation *e = &p->timed[k];
    const bool on = e->kept;
    differs = differs || on != e->on;
    e->kept = e->on, e->on = on;
  }
  return differs;
}

/* A trial that failed begins again with unknowns that are not given yet, so that each trial up to the commit gives them. */
Status timed_follow(Elasticity *p, double time, double *u) {
  bool changed = false;
  timed_begin(p, time, &changed);
  if (!timed_exchange(p)) return changed ? contacts_hold(p) : OK;
  TRY(contacts_hold(p));
  TRY(equations_follow(&p->equations, p->gap, u));
  (void)timed_exchange(p);
  return contacts_hold(p);
}

Status elasticity_renew_equations(Elasticity *p, double time, double *u, double *v) {
  bool changed = false;
  for (int32_t k = 0; k < p->n_timed; ++k) p->timed[k].over = time >= p->timed[k].until - EDGE * p->timed[k].until;
  timed_begin(p, time, &changed);
  if (!changed) return OK;
  TRY(equations_follow(&p->equations, p->gap, u)); /* the rows are those of before yet */
  TRY(equations_follow(&p->equations, 0, v));
  return contacts_hold(p);
}
