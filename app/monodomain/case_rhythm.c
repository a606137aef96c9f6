/* The keys of phases and of the dominant frequency, which both look at the potential at even times. */
#include "app/monodomain/case_monodomain.h"
#include "app/input/case_tables.h"

#include <math.h>
#include <string.h>

enum { LAG_MOST = 1000, FREQUENCIES_MOST = 2000 };
static const double DELAY = 20;         /* ms, unless given */
static const double CENTER = -40;       /* mV, unless given */
static const double LOW = 1, HIGH = 20; /* Hz, unless given */
static const double PERIODS =
    2; /* of the lowest frequency in the window: Hann's keeps the mean out of it from there on */
static const double SAMPLES = 4; /* of a period of the highest */

bool heart_has_filaments(const Case *c) { return words_have(&c->output.fields, HEART_FILAMENT); }

bool heart_has_phase(const Case *c) {
  return words_have(&c->output.fields, HEART_PHASE) || words_have(&c->output.fields, HEART_FILAMENT);
}

double heart_sampling(const Case *c) { return c->output.sample.value > 0 ? c->output.sample.value : case_every(c); }

int32_t heart_phase_lag(const Case *c) {
  const double n = (c->output.phase.delay.value > 0 ? c->output.phase.delay.value : DELAY) / heart_sampling(c);
  return n > LAG_MOST ? LAG_MOST + 1 : (int32_t)ceil(n * (1 - 1e-9));
}

double heart_phase_center(const Case *c) {
  return place_given(c->output.phase.center.place) ? c->output.phase.center.value : CENTER;
}

static const CaseMap *frequency_map(const Case *c) {
  for (int32_t i = 0; i < c->output.maps.n; ++i)
    if (case_map(c, i)->name.text && case_map(c, i)->name.value == HEART_DF) return case_map(c, i);
  return NULL;
}

HeartWindow heart_window(const Case *c, double start) {
  const CaseMap *map = frequency_map(c);
  HeartWindow w = {.begin = fmax(start, map->start.value), .end = c->time.end.value};
  const double least = 1e3 * PERIODS / (w.end - w.begin), most = 1e3 / (SAMPLES * heart_sampling(c));
  w.from = fmax(place_given(map->from.place) ? map->from.value : LOW, least);
  w.to = place_given(map->to.place) ? map->to.value : fmin(HIGH, most);
  return w;
}

static void check_frequency(const Case *c, Diagnostics *out) {
  const CaseMap *map = frequency_map(c);
  const double end = c->time.end.value, sampling = heart_sampling(c), most = 1e3 / (SAMPLES * sampling);
  if (!map) return;
  if (place_given(map->start.place) && !(map->start.value < end)) {
    report_error(out, map->start.place, "start is %g ms, not before the end of the run at %g ms", map->start.value,
                 end);
    return;
  }
  const HeartWindow w = heart_window(c, 0);
  if (place_given(map->beats.place) && map->beats.text && strcmp(map->beats.text, "1") != 0)
    report_error(out, map->beats.place,
                 "beats does not apply to dominant-frequency, which covers everything from 'start' on");
  if (place_given(map->from.place) && map->from.value < w.from * (1 - 1e-9))
    report_error(
        out, map->from.place,
        "from is %g Hz, but %g ms resolve frequencies from %g Hz, of which they have %g periods\n  remedy: a later "
        "end, or an earlier 'start'",
        map->from.value, w.end - w.begin, w.from, PERIODS);
  else if (place_given(map->to.place) && map->to.value > most * (1 + 1e-9))
    report_error(
        out, map->to.place,
        "to is %g Hz, but potentials every %g ms resolve frequencies up to %g Hz\n  remedy: 'sample: %g' under "
        "'output:', or shorter",
        map->to.value, sampling, most, 1e3 / (SAMPLES * map->to.value));
  else if (w.from > w.to)
    report_error(
        out, map->name.place,
        "dominant-frequency: %g ms resolve frequencies from %g Hz, and those up to %g Hz are looked for\n  remedy: a "
        "later end, or 'to:' of more Hz",
        w.end - w.begin, w.from, w.to);
  else if ((w.to - w.from) * (w.end - w.begin) * 1e-3 > FREQUENCIES_MOST)
    report_error(out, map->name.place, "dominant-frequency: %.0f frequencies from %g to %g Hz, at most %d are possible",
                 (w.to - w.from) * (w.end - w.begin) * 1e-3, w.from, w.to, FREQUENCIES_MOST);
}

static void check_other_maps(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.maps.n; ++i) {
    const CaseMap *map = case_map(c, i);
    const NumberValue *const own[] = {&map->start, &map->from, &map->to};
    for (int k = 0; k < 3 && map->name.text && map->name.value != HEART_DF; ++k)
      if (place_given(own[k]->place))
        report_error(out, own[k]->place, "start, from and to are of dominant-frequency, not of %s", map->name.text);
  }
}

static void check_frequency_probes(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.probes.n; ++i) {
    const WordValue *field = &case_probe(c, i)->field;
    if (field->value == HEART_PROBE_MAP + HEART_DF && !frequency_map(c))
      report_error(out, field->place,
                   "a probe of dominant-frequency needs the map\n  remedy: 'maps: [dominant-frequency]'");
  }
}

static void check_phase_state(const CasePhase *p, Diagnostics *out) {
  const NumberValue *const own[] = {&p->middle, &p->range};
  const bool by_state = place_given(p->state.place);
  for (int k = 0; k < 2 && !by_state; ++k)
    if (place_given(own[k]->place))
      report_error(out, own[k]->place, "middle and range belong to a 'state:', which this phase does not have");
  if (!by_state) return;
  if (place_given(p->delay.place))
    report_error(out, p->delay.place, "a phase comes from a delay or from a state; leave one of them out");
  if (!place_given(p->middle.place))
    report_error(out, p->state.place, "a phase from a state needs 'middle': the value of it that waves go around");
  if (place_given(p->range.place) && !(fabs(p->range.value) > 0))
    report_error(out, p->range.place, "range is %g, must not be 0: it is largest less least value of the state",
                 p->range.value);
}

static void check_phase(const Case *c, Diagnostics *out) {
  const CasePhase *p = &c->output.phase;
  const double sampling = heart_sampling(c), n = p->delay.value / sampling;
  if (place_given(p->place) && !heart_has_phase(c))
    report_error(out, p->place, "phase belongs to the fields 'phase' and 'filament', of which none is listed");
  check_phase_state(p, out);
  if (!heart_has_phase(c) || place_given(p->state.place)) return;
  if (p->delay.value > 0 && (n < 1 - 1e-9 || fabs(n - round(n)) > 1e-9 * n))
    report_error(
        out, p->delay.place,
        "delay is %g ms, must be a multiple of the %g ms between samples\n  remedy: 'sample: %g' under 'output:'",
        p->delay.value, sampling, p->delay.value);
  else if (heart_phase_lag(c) > LAG_MOST)
    report_error(
        out, place_given(p->delay.place) ? p->delay.place : c->output.fields.place,
        "phases look back at more than %d potentials, every %g ms\n  remedy: a longer 'every' or 'sample' under "
        "'output:'",
        LAG_MOST, sampling);
}

void heart_check_rhythm(const Case *c, Diagnostics *out) {
  if (!(c->time.end.value > 0) || !(heart_sampling(c) > 0)) return;
  check_phase(c, out);
  check_frequency(c, out);
  check_other_maps(c, out);
  check_frequency_probes(c, out);
  for (int32_t i = 0; i < c->expect.n; ++i)
    if (case_expect(c, i)->quantity.text && !heart_has_filaments(c) &&
        (!strcmp(case_expect(c, i)->quantity.text, "filaments") ||
         !strcmp(case_expect(c, i)->quantity.text, "reentry")))
      report_error(out, case_expect(c, i)->quantity.place,
                   "filaments are counted where the field 'filament' is listed");
}
