/* Implausible times of a case: steps and pulses in seconds, trains longer than the run, cells paced faster than they
 * recover; and durations that a run is too short for. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>

enum { PLACE = 1024 };
static const double ROUNDING = 1e-9; /* of the end of a pulse against that of the run */

/* Steps and ends, ms, that are seconds where both are smaller: 5e-5 for 0.05 ms with an end at 0.6 for 600, and steps of
 * up to 1e-3 where the run is no longer than a pulse. */
static const struct { double step, end; } seconds[] = {{0.0005, 5}, {0.00101, 1.01}};

static void warn_seconds(const Case *c) {
  const NumberValue *step = &c->time.step, *end = &c->time.end;
  char place[PLACE];
  bool small = false;
  for (size_t k = 0; k < sizeof seconds / sizeof *seconds; ++k)
    small |= step->value < seconds[k].step && end->value < seconds[k].end;
  if (place_given(c->time.adaptive.place) || !small) return;
  status_warn(
      "%s: steps of %g ms to an end at %g ms; are these seconds?\n  remedy: times in ms, 'step: %g' and 'end: %g'",
      place_text(c->path, step->place, place, sizeof place), step->value, end->value, 1e3 * step->value,
      1e3 * end->value);
}

/* No cell of a heart recovers so soon, ms. */
static const double LEAST_PERIOD = 10;

/* 0.002 for 2 ms. What is shorter still stands for a charge that comes at once. */
static void warn_brief(const Case *c, const CaseStimulus *s, const char *name) {
  static const double LEAST = 1e-4, MOST = 0.01; /* ms */
  char place[PLACE];
  if (s->duration.value < LEAST || s->duration.value >= MOST) return;
  status_warn("%s: stimulus '%s' flows for %g ms; is this in seconds?\n  remedy: a duration in ms, 'duration: %g'",
              place_text(c->path, s->duration.place, place, sizeof place), name, s->duration.value,
              1e3 * s->duration.value);
}

static void warn_train(const Case *c, int32_t i) {
  const CaseStimulus *s = case_stimulus(c, i);
  const int64_t pulses = stimulus_pulses(c, s);
  const double end = c->time.end.value;
  const Place cut = s->start.value > 0 ? s->start.place : s->duration.place; /* a start of 0 may not be given */
  char place[PLACE], text[32], n[32], all[32];
  const char *name = stimulus_name(s, i, text);
  warn_brief(c, s, name);
  if (pulses > 1 && s->period.value < LEAST_PERIOD)
    status_warn(
        "%s: stimulus '%s' comes every %g ms, and no cell recovers in so short a time\n  remedy: a period in ms, "
        "such as 600",
        place_text(c->path, s->period.place, place, sizeof place), name, s->period.value);
  if (place_given(s->count.place) && pulses < s->count.value)
    status_warn(
        "%s: stimulus '%s' has %s pulses, of which the run to %g ms sees %s\n  remedy: 'end: %g' under 'time:' or "
        "later",
        place_text(c->path, s->count.place, place, sizeof place), name, count_text(s->count.value, all), end,
        count_text(pulses, n), s->start.value + (double)s->count.value * s->period.value);
  if (s->start.value < end && s->start.value + s->duration.value > end * (1 + ROUNDING))
    status_warn(
        "%s: stimulus '%s' starts at %g ms and flows for %g ms, but the run ends at %g ms\n  remedy: a later 'end' "
        "under 'time:'",
        place_text(c->path, cut, place, sizeof place), name, s->start.value, s->duration.value, end);
}

/* Is a time of activation asked for? */
static bool asks_activation(const Case *c) {
  bool asks = c->output.velocity.n > 0;
  for (int32_t i = 0; i < c->output.maps.n; ++i) asks |= case_map(c, i)->name.value != HEART_DF;
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const int field = case_probe(c, i)->field.value;
    asks |= field >= HEART_PROBE_MAP && field != HEART_PROBE_MAP + HEART_DF;
  }
  return asks;
}

/* Keys of `output:` for what is not asked for. */
static void warn_idle(const Case *c) {
  const CaseOutput *o = &c->output;
  const bool rows = o->probes.n || case_leads(c) || o->velocity.n,
             even = heart_has_phase(c) || heart_map_beats(c, HEART_DF);
  char place[PLACE];
  if (place_given(o->sample.place) && place_given(o->every.place) && !rows && !even)
    status_warn("%s: sample has no effect without probes, leads, phases or frequencies\n  remedy: leave it out",
                place_text(c->path, o->sample.place, place, sizeof place));
  if (place_given(o->threshold.place) && !asks_activation(c))
    status_warn(
        "%s: threshold has no effect without maps, probes or velocities of activation, but in 'sinew protocol'\n"
        "  remedy: 'maps: [activation]', or leave it out",
        place_text(c->path, o->threshold.place, place, sizeof place));
}

void setup_warn_protocol(const Case *c) {
  static const double LEAST_CYCLE = 50; /* of prepace, ms: hearts of mice beat every 100 */
  const NumberValue *cycle = &c->prepace.cycle;
  char place[PLACE];
  warn_seconds(c);
  for (int32_t i = 0; i < c->stimuli.n; ++i) warn_train(c, i);
  warn_idle(c);
  if (place_given(c->prepace.place) && cycle->value < LEAST_CYCLE)
    status_warn(
        "%s: cells are paced every %g ms, and none recovers in so short a time\n  remedy: a cycle in ms, such as "
        "1000",
        place_text(c->path, cycle->place, place, sizeof place), cycle->value);
}

/* The first place that asks for it; NULL: none does. */
static const Place *duration_asked(const Case *c) {
  for (int32_t i = 0; i < c->output.maps.n; ++i) {
    const WordValue *map = &case_map(c, i)->name;
    if (map->value == HEART_REPOLARIZATION || map->value == HEART_APD) return &map->place;
  }
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const WordValue *field = &case_probe(c, i)->field;
    if (field->value == HEART_PROBE_MAP + HEART_REPOLARIZATION || field->value == HEART_PROBE_MAP + HEART_APD)
      return &field->place;
  }
  return NULL;
}

bool heart_asks_durations(const Case *c) { return duration_asked(c) != NULL; }

void setup_warn_durations(const Case *c, int32_t n_node, const double *activation, const double *end) {
  const Place *asked = duration_asked(c);
  int64_t active = 0, over = 0;
  char place[PLACE];
  for (int32_t i = 0; i < n_node; ++i) active += activation[i] >= 0, over += end[i] >= 0;
  if (!asked || active == 0 || over > 0) return;
  status_warn("%s: no node has repolarised by the end of the run, %g ms: repolarization and apd are -1 everywhere\n  "
              "remedy: a later 'end' under 'time:', which is in ms",
              place_text(c->path, *asked, place, sizeof place), c->time.end.value);
}
