/* Checks of what leads and extracellular potentials need: conductivities, electrodes, the torso. */
#include "app/monodomain/case_monodomain.h"
#include "app/input/case_tables.h"
#include "app/monodomain/intervals.h"

#include <math.h>
#include <string.h>

bool case_has_extracellular(const Case *c) {
  if (c->physics != &monodomain_physics) return false;
  bool has = heart_is_bidomain(c) || words_have(&c->output.fields, HEART_EXTRACELLULAR);
  for (int32_t i = 0; i < c->output.probes.n; ++i) has |= case_probe(c, i)->field.value == HEART_EXTRACELLULAR;
  return has;
}

/* Potentials outside of the cells go by conductivities, whose axes are those of the diffusivity. */
static void check_conductivities(const Case *c, const char *what, Place place, Diagnostics *out) {
  for (int32_t i = 0; i < c->materials.n; ++i) {
    const CaseTissue *t = heart_tissue(c, i);
    const CaseDiffusivity *d = &t->diffusivity;
    const VectorValue *intra = &t->conductivity.intra, *extra = &t->conductivity.extra;
    const char *on = t->on.n ? t->on.item[0].text : "";
    const double value[] = {d->along.value, d->across.value, d->normal.value};
    bool same = false;
    for (int k = 1; k < intra->n; ++k)
      for (int l = 0; l < k; ++l)
        same |= value[k] == value[l] && (intra->value[k] != intra->value[l] || extra->value[k] != extra->value[l]);
    if (intra->n == 0 && c->physics->by_velocity)
      report_error(out, place,
                   "%s needs the conductivity inside the cells of tissue '%s'\n  remedy: 'conductivity: "
                   "{intra: [0.17, 0.019]}' there, S/m",
                   what, on);
    else if (intra->n == 0)
      report_error(out, place,
                   "%s needs the conductivity inside the cells of tissue '%s', which has a diffusivity\n  remedy: "
                   "'conductivity: {intra: .., extra: .., surface-to-volume: ..}' in its place",
                   what, on);
    else if (same)
      report_error(out, intra->place,
                   "the conductivities of tissue '%s' %s in two directions, by which their axes "
                   "cannot be told; leads in mV%s need them",
                   on,
                   c->physics->by_velocity ? "differ where its velocities are the same" : "make the same diffusivity",
                   c->physics->by_velocity ? "" : " and 'extracellular'");
  }
}

static void check_medium(const Case *c, Diagnostics *out) {
  const CaseOutput *o = &c->output;
  const bool leads = case_leads(c) > 0;
  if (!place_given(o->medium.place) || !(o->medium.value > 0)) return;
  if (!leads) report_error(out, o->medium.place, "medium has no effect without leads: give 'electrodes' or 'ecg'");
  if (place_given(c->torso.place))
    report_error(
        out, o->medium.place,
        "medium is infinite and stands for the body around the heart, which is 'torso:' here; leave one of them "
        "out");
  else check_conductivities(c, "medium", o->medium.place, out);
}

static void check_torso(const Case *c, Diagnostics *out) {
  const Place place = c->torso.place;
  if (!place_given(place)) return;
  if (c->torso.n == 0 && !place_given(c->bath.place))
    report_error(out, place, "torso is empty; it needs an entry for each group around the heart");
  if (!case_leads(c) && !case_has_extracellular(c) && !c->output.torso.value && !heart_is_augmented(c))
    report_error(out, place,
                 "torso has no effect without leads: give 'electrodes' or 'ecg', the field 'extracellular', or "
                 "'output: {torso: true}'");
  for (int32_t i = 0; i < c->output.ecg.n; ++i)
    if (case_lead(c, i)->negative.n == 0 && !case_has_extracellular(c))
      report_error(
          out, case_lead(c, i)->place,
          "lead '%s' has no 'negative' electrode; in a torso nothing is far away\n  remedy: the position of the "
          "one it is measured against, or 'fields: [extracellular]', whose mean over heart and torso is 0",
          case_lead(c, i)->name.text ? case_lead(c, i)->name.text : "");
  conductors_check(c, out);
  check_conductivities(c, place_given(c->bath.place) ? "bath" : "torso", place, out);
}

static void check_ends(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->output.ecg.n; ++i) {
    const CaseLead *lead = case_lead(c, i);
    const VectorValue *a = &lead->positive, *b = &lead->negative;
    bool same = a->n > 0 && a->n == b->n;
    for (int k = 0; same && k < a->n; ++k) same = !(fabs(a->value[k] - b->value[k]) > 0);
    if (same)
      report_error(out, b->place, "both electrodes of a lead are at the same place, where it is 0 at all times");
  }
}

/* Maps of the body are made of the potentials that are stored. */
static void check_maps(const Case *c, Diagnostics *out) {
  const FlagValue *torso = &c->output.torso;
  if (!torso->value) return;
  if (!place_given(c->torso.place))
    report_error(out, torso->place,
                 "torso has no effect without a body around the heart\n  remedy: name its groups under 'torso:', or "
                 "'fields: [extracellular]' for the heart alone");
  else if (!words_have(&c->output.fields, HEART_POTENTIAL))
    report_error(out, torso->place,
                 "maps of the torso are made of the potentials that are stored\n  remedy: add 'potential' to 'fields'");
}

/* The field, or the first probe of it. */
static void check_extracellular(const Case *c, Diagnostics *out) {
  Place place = heart_is_bidomain(c) ? c->heart_model.place : c->output.fields.place;
  if (!case_has_extracellular(c) || place_given(c->torso.place)) return;
  for (int32_t i = c->output.probes.n - 1; i >= 0 && !heart_is_bidomain(c); --i)
    if (case_probe(c, i)->field.value == HEART_EXTRACELLULAR) place = case_probe(c, i)->field.place;
  check_conductivities(c, heart_is_bidomain(c) ? "model: bidomain" : "extracellular", place, out);
}

/* Of a lead, and of one that is sampled closely. */
static void check_intervals(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *row = case_expect(c, i);
    bool interval = false;
    for (int k = 0; k < INTERVAL_WORDS && row->quantity.text; ++k)
      interval |= strcmp(row->quantity.text, interval_word[k]) == 0;
    if (interval && !place_given(row->ecg.place))
      report_error(out, row->quantity.place, "%s is of a lead\n  remedy: {ecg: II, quantity: %s, ..}",
                   row->quantity.text, row->quantity.text);
    else if (interval && !heart_has_intervals(c))
      report_error(out, row->quantity.place, "%s needs leads at least every 2 ms\n  remedy: %s", row->quantity.text,
                   c->physics->by_velocity ? "'step: 1' under 'time:'" : "'sample: 1' under 'output:'");
    else if (row->quantity.text && row->ecg.text && !interval)
      report_error(out, row->quantity.place, "%s is of the whole run, not of a lead\n  allowed: qrs, t-peak, qt",
                   row->quantity.text);
  }
}

void heart_check_leads(const Case *c, Diagnostics *out) {
  const int32_t before = out->n;
  check_ends(c, out);
  check_intervals(c, out);
  check_medium(c, out);
  if (out->n == before) check_torso(c, out);
  if (out->n == before) check_extracellular(c, out);
  if (out->n == before) check_maps(c, out);
}
