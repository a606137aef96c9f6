/* Electrodes of the bidomain: what one does, when, and what it goes with. */
#include "app/monodomain/case_monodomain.h"

#include <math.h>
#include <string.h>

static int32_t find_named(const Case *c, const char *name) {
  for (int32_t i = 0; i < c->electrodes.n; ++i)
    if (case_electrode(c, i)->name.text && strcmp(case_electrode(c, i)->name.text, name) == 0) return i;
  return -1;
}

int32_t electrode_source(const Case *c, int32_t i) {
  const char *of = case_electrode(c, i)->balances.text;
  const int32_t source = of ? find_named(c, of) : i;
  return source < 0 ? i : source;
}

bool electrode_is_on(const Case *c, int32_t i, double t) {
  static const double SAME = 1e-9;
  const CaseElectrode *e = case_electrode(c, electrode_source(c, i));
  const double since = t - e->start.value + SAME * c->time.end.value;
  if (e->ground.value) return true;
  if (since < 0 || !place_given(e->duration.place)) return since >= 0;
  if (!place_given(e->period.place)) return since < e->duration.value;
  const double pulse = floor(since / e->period.value);
  return (!place_given(e->count.place) || pulse < (double)e->count.value) &&
         since - pulse * e->period.value < e->duration.value;
}

/* Of the first key that says when. */
static Place time_place(const CaseElectrode *e) {
  const Place place[] = {e->start.place, e->duration.place, e->period.place, e->count.place};
  for (int k = 0; k < 4; ++k)
    if (place_given(place[k])) return place[k];
  return e->place;
}

static void check_one(const Case *c, int32_t i, Diagnostics *out) {
  const CaseElectrode *e = case_electrode(c, i);
  const int n = place_given(e->current.place) + place_given(e->density.place) + place_given(e->potential.place) +
                e->ground.value + place_given(e->balances.place);
  const bool timed = place_given(e->start.place) || place_given(e->duration.place) || place_given(e->period.place) ||
                     place_given(e->count.place);
  heart_check_spot(&e->on, out);
  heart_check_train(c, e->start.value, &e->duration, &e->period, &e->count, out);
  if (place_given(e->period.place) && !place_given(e->duration.place))
    report_error(out, e->period.place, "a train needs 'duration': ms, of a pulse");
  if (n != 1)
    report_error(
        out, e->place,
        "an electrode does one thing, this one %s\n  allowed: one of current (mA), density (uA/mm2), potential "
        "(mV), 'ground: true', 'balances: NAME'",
        n ? "does more" : "does nothing");
  if (e->ground.value && timed)
    report_error(out, time_place(e),
                 "a ground is there at all times\n  remedy: 'potential: 0' for a while, or leave the time out");
  if (!place_given(e->balances.place)) return;
  const int32_t source = find_named(c, e->balances.text);
  if (timed)
    report_error(out, time_place(e), "what balances another electrode has the times of that\n  remedy: leave it out");
  if (source < 0 || source == i)
    report_error(out, e->balances.place, "there is no other electrode '%s' to balance", e->balances.text);
  else if (electrode_holds(case_electrode(c, source)) || place_given(case_electrode(c, source)->balances.place))
    report_error(out, e->balances.place,
                 "electrode '%s' has no current of its own to balance\n  remedy: one with "
                 "'current' or 'density'",
                 e->balances.text);
}

void electrodes_check(const Case *c, Diagnostics *out) {
  bool held = false;
  char where[512];
  if (!place_given(c->electrodes.place)) return;
  if (c->electrodes.n == 0)
    report_error(out, c->electrodes.place, "electrodes is empty; it needs an entry for each, or leave it out");
  if (!heart_is_bidomain(c)) {
    report_error(out, c->electrodes.place,
                 "electrodes act on the extracellular potential, which the monodomain has not\n  remedy: 'model: "
                 "bidomain', or 'stimuli' in the tissue; electrodes of leads are under 'output:'");
    return;
  }
  for (int32_t i = 0; i < c->electrodes.n; ++i) {
    check_one(c, i, out);
    held = held || electrode_holds(case_electrode(c, i));
    const TextValue *name = &case_electrode(c, i)->name;
    for (int32_t k = 0; k < i && name->text; ++k)
      if (case_electrode(c, k)->name.text && strcmp(name->text, case_electrode(c, k)->name.text) == 0)
        report_error(out, name->place, "there are two electrodes '%s'", name->text);
  }
  if (case_leads(c) && !place_given(c->bath.place) && !place_given(c->torso.place))
    report_error(
        out, c->output.ecg.n ? c->output.ecg.place : c->output.electrodes.place,
        "leads in a medium without end do not see electrodes that act\n  remedy: the body around as 'bath:', or "
        "'probes' of the field 'extracellular'");
  if (held && bidomain_means_tissue(c) && place_given(c->reference.place))
    status_warn("%s: the potential is given at an electrode, which is its reference: 'tissue' counts where none is",
                place_text(c->path, c->reference.place, where, sizeof where));
  else if (held && place_given(c->reference.place))
    report_error(out, c->reference.place,
                 "the potential is given at an electrode, which is its reference\n  remedy: leave 'reference' out");
}
