/* Steps of a chain: `time` is what they say of it, or the one step that there is. */
#include "app/input/case_tables.h"

#include <math.h>
#include <string.h>

bool case_adaptive_on(const CaseAdaptive *a) {
  return place_given(a->place) && !(place_given(a->cut.place) && !a->cut.value);
}
bool case_adapts(const CaseTime *time) { return case_adaptive_on(&time->adaptive); }

double case_step_begin(const Case *c, int32_t k) { return k > 0 ? case_step(c, k - 1)->end.value : 0; }

int32_t case_step_at(const Case *c, double time) {
  static const double EDGE = 1e-12; /* of the time: rounding */
  int32_t k = 0;
  while (k + 1 < c->steps.n && time > case_step(c, k)->end.value * (1 + EDGE)) ++k;
  return k;
}

const CaseAdaptive *case_adaptive_at(const Case *c, double time) {
  return c->steps.n ? &case_step(c, case_step_at(c, time))->adaptive : &c->time.adaptive;
}

static bool is_small(const CaseStep *s) { return s->strain.text && s->strain.value == STEP_STRAIN_SMALL; }
bool case_small_first(const Case *c) { return c->steps.n > 0 && is_small(case_step(c, 0)); }
bool case_small_at(const Case *c, double time) {
  return c->steps.n > 0 && is_small(case_step(c, case_step_at(c, time)));
}

double case_step_every(const Case *c, int32_t k) {
  const CaseStep *s = case_step(c, k);
  const double longest =
      s->adaptive.max.value > 0 ? s->adaptive.max.value : 0.1 * (s->end.value - case_step_begin(c, k));
  return case_adaptive_on(&s->adaptive) ? longest : s->step.value;
}

double case_rise_end(const Case *c, int32_t k) {
  static const double NEAR = 1e-9; /* of `every`: rounding */
  const bool chain = c->steps.n > 0;
  const double begin = case_step_begin(c, k), stored = case_every(c);
  const double longest = chain ? case_step(c, k)->adaptive.max.value : c->time.adaptive.max.value;
  double end = chain ? fmin(case_step(c, k)->end.value, begin + case_step(c, k)->step.value)
                     : fmin(c->time.end.value, c->time.step.value);
  if (longest > 0) end = fmin(end, begin + longest);
  if (chain && !(c->output.every.value > 0)) end = fmin(end, begin + case_step_every(c, k));
  else if (stored > 0) end = fmin(end, (floor(begin / stored + NEAR) + 1) * stored);
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const double time = place_given(case_expect(c, i)->time.place) ? case_expect(c, i)->time.value : 0;
    if (time > begin * (1 + NEAR)) end = fmin(end, time);
  }
  return end;
}

double case_stored(const Case *c) {
  double n = 0;
  if (!c->steps.n || c->output.every.value > 0) return c->time.end.value / case_every(c) + c->steps.n;
  for (int32_t k = 0; k < c->steps.n; ++k)
    n += ceil((case_step(c, k)->end.value - case_step_begin(c, k)) / case_step_every(c, k));
  return n;
}

double case_step_count(const Case *c) {
  double n = 0;
  for (int32_t k = 0; k < c->steps.n; ++k)
    n += (case_step(c, k)->end.value - case_step_begin(c, k)) / case_step(c, k)->step.value;
  return c->steps.n ? n : c->time.end.value / c->time.step.value;
}

const CaseThermal *case_first_thermal(const Case *c) {
  if (place_given(c->thermal.place)) return &c->thermal;
  for (int32_t k = 0; k < c->steps.n; ++k)
    if (place_given(case_step(c, k)->thermal.place)) return &case_step(c, k)->thermal;
  return NULL;
}

static void check_name(const Case *c, int32_t k, Diagnostics *out) {
  const TextValue *name = &case_step(c, k)->name;
  char place[512];
  for (int32_t i = 0; i < k && name->text; ++i)
    if (case_step(c, i)->name.text && !strcmp(case_step(c, i)->name.text, name->text)) {
      report_error(out, name->place, "there is a step '%s' already, at %s; choose another name", name->text,
                   place_text(c->path, case_step(c, i)->name.place, place, sizeof place));
      return;
    }
}

static void check_span(const Case *c, int32_t k, Diagnostics *out) {
  const CaseStep *s = case_step(c, k);
  const double begin = case_step_begin(c, k), length = s->end.value - begin;
  if (!(s->end.value > 0 && s->step.value > 0)) return; /* said already */
  if (!(length > 0))
    report_error(out, s->end.place,
                 "the step ends at %g, must end after the one before, at %g: t goes on from step to step", s->end.value,
                 begin);
  else if (s->step.value > length * (1 + 1e-9))
    report_error(out, s->step.place, "step is %g, longer than all of the step, from %g to %g\n  allowed: at most %g",
                 s->step.value, begin, s->end.value, length);
  case_check_adaptive(&s->adaptive, s->step.value, s->end.value, out);
}

void case_fill_time(Case *c, Diagnostics *out) {
  CaseTime *t = &c->time;
  if (place_given(c->single.place)) *t = c->single;
  if (!place_given(c->steps.place)) return;
  if (place_given(c->single.place))
    report_error(out, c->steps.place,
                 "steps, and time at the same time: each step has an 'end' and a 'step' of its own\n  allowed: one of "
                 "the two\n  remedy: leave 'time' out");
  t->place = c->steps.place;
  if (!c->steps.n)
    report_error(out, c->steps.place, "steps is empty\n  allowed: [{name: pull, end: 1, step: 0.1, boundary: [..]}]");
  for (int32_t k = 0; k < c->steps.n; ++k) {
    const CaseStep *s = case_step(c, k);
    check_name(c, k, out);
    check_span(c, k, out);
    t->end = s->end;
    if (k == 0 || s->step.value < t->step.value) t->step = s->step; /* the shortest */
  }
}
