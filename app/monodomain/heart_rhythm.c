/* Phases and the dominant frequency of sustained waves, from potentials at even times. */
#include "app/monodomain/heart.h"
#include "core/vec.h"

#include <math.h>

static const double MS = 1e-3;       /* s */
static const double AMPLITUDE = 100; /* mV, of an action potential: what the range of a state counts as */
static const double SWING = 1; /* mV: nodes whose spectrum has no sine of that amplitude have no dominant frequency */

Status heart_rhythm_create(Heart *h) {
  const Case *c = h->c;
  const bool by_state = place_given(c->output.phase.state.place);
  if (heart_has_phase(c) && by_state) EXEC_ALLOC(h->exec, h->phase_state, h->n, "a state that phases go by");
  if (heart_has_phase(c) && !by_state)
    TRY(wave_phase_create(h->exec, h->n, heart_phase_lag(c), heart_phase_center(c), &h->phase));
  if (!heart_map_beats(c, HEART_DF)) return OK;
  const HeartWindow window = heart_window(c, h->run->start);
  const DominantFrequencyParams params = {
      .begin = MS * window.begin, .end = MS * window.end, .from = window.from, .to = window.to, .least = SWING};
  CHECK(
      window.from <= window.to, ERR_INPUT,
      "dominant-frequency: %g ms from the start of this run to its end resolve frequencies from %g Hz, and up to %g Hz "
      "are "
      "asked for\n  remedy: a later end",
      window.end - window.begin, window.from, window.to);
  return dominant_frequency_create(h->exec, h->n, &params, &h->frequency);
}

void heart_rhythm_destroy(Heart *h) {
  wave_phase_destroy(&h->phase);
  EXEC_RELEASE(h->exec, h->phase_state, h->n);
  dominant_frequency_destroy(&h->frequency);
}

Status heart_rhythm_keep(Heart *h, double time) {
  if (h->phase) TRY(wave_phase_keep(h->phase, h->V));
  return h->frequency ? dominant_frequency_add(h->frequency, MS * time, h->V) : OK;
}

/* By a state: it stands in the place of the earlier potential, moved and stretched to the potential's range. */
Status heart_rhythm_phase(Heart *h, double *angle) {
  const CasePhase *p = &h->c->output.phase;
  const double center = heart_phase_center(h->c),
               scale = AMPLITUDE / (place_given(p->range.place) ? p->range.value : 1);
  if (h->phase) return wave_phase_angle(h->phase, angle);
  TRY(monodomain_state(h->monodomain, ionic_state_word(p->state.value), NULL, angle));
  TRY(vec_fill(h->exec, h->n, center - scale * p->middle.value, h->phase_state));
  TRY(vec_axpy(h->exec, h->n, scale, angle, h->phase_state));
  return wave_phase_of(h->exec, h->n, h->V, h->phase_state, center, angle);
}

Status heart_rhythm_frequency(Heart *h, double *frequency) {
  return dominant_frequency_peak(h->frequency, MS * h->run->report->time, frequency);
}

int64_t heart_rhythm_state_size(const Heart *h) {
  return (h->phase ? wave_phase_state_size(h->phase) : 0) +
         (h->frequency ? dominant_frequency_state_size(h->frequency) : 0);
}

Status heart_rhythm_save(const Heart *h, double *host) {
  if (h->phase) TRY(wave_phase_save(h->phase, host));
  if (host && h->phase) host += wave_phase_state_size(h->phase);
  return h->frequency ? dominant_frequency_save(h->frequency, host) : OK;
}

Status heart_rhythm_restore(Heart *h, const double *host) {
  if (h->phase) {
    TRY(wave_phase_restore(h->phase, host));
    host += wave_phase_state_size(h->phase);
  }
  return h->frequency ? dominant_frequency_restore(h->frequency, host) : OK;
}
