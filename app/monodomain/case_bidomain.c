/* Checks of `model: bidomain`: what belongs to it alone, and what it cannot be combined with. */
#include "app/input/number.h"
#include "app/monodomain/case_monodomain.h"

#include <string.h>

static void check_keys(const Case *c, Diagnostics *out) {
  static const char remedy[] = "\n  remedy: 'model: bidomain', or leave it out";
  if (place_given(c->bath.place))
    report_error(out, c->bath.place, "bath is of the bidomain; the monodomain has 'torso:' for leads and 'without:'%s",
                 remedy);
  if (place_given(c->reference.place))
    report_error(out, c->reference.place, "reference is of the extracellular potential of the bidomain%s", remedy);
}

static void check_reference(const TextValue *reference, Diagnostics *out) {
  const char *why;
  int64_t node;
  if (!reference->text || strcmp(reference->text, "tissue") == 0 || strcmp(reference->text, "all") == 0) return;
  if (integer_parse(reference->text, &node, &why) && node >= 0) return;
  report_error(out, reference->place,
               "reference is '%s'\n  allowed: tissue, all, or the number of a node in the mesh, as reference: 17",
               reference->text);
}

bool bidomain_means_tissue(const Case *c) {
  return heart_is_bidomain(c) && (!c->reference.text || strcmp(c->reference.text, "tissue") == 0);
}

/* Elements outside of the tissue are conductors in the same way, whatever they are called. */
static void take_bath(Case *c, Diagnostics *out) {
  if (!place_given(c->bath.place)) return;
  if (c->bath.n == 0)
    report_error(out, c->bath.place,
                 "bath is empty; it needs an entry for each group, such as {on: blood, "
                 "conductivity: 0.6}, S/m");
  if (place_given(c->torso.place)) {
    report_error(out, c->torso.place,
                 "bath and torso are both given; the bidomain has one conductor around its "
                 "tissue: put all groups under 'bath:'");
    return;
  }
  c->torso = c->bath; /* a view, which monodomain_release drops */
}

/* The bath conducts for leads as a torso does. */
static void check_augmented(Case *c, Diagnostics *out) {
  if (!place_given(c->bath.place))
    report_error(out, c->heart_model.place,
                 "model: augmented needs 'bath:', beside which tissue conducts better\n  remedy: bath: [{on: blood, "
                 "conductivity: 0.6}], or leave 'model' out");
  if (place_given(c->reference.place))
    report_error(out, c->reference.place,
                 "reference is of the extracellular potential of the bidomain\n  remedy: leave it out");
  for (int32_t i = 0; i < c->materials.n; ++i)
    if (!place_given(heart_tissue(c, i)->conductivity.place))
      report_error(out, heart_tissue(c, i)->place,
                   "model: augmented needs the conductivity inside and outside of the cells\n  remedy: 'conductivity: "
                   "{intra: .., extra: .., surface-to-volume: ..}' in the place of 'diffusivity'");
  for (int32_t i = 0; i < c->bath.n; ++i)
    if (case_bath(c, i)->conductivity.n > 1)
      report_error(out, case_bath(c, i)->conductivity.place,
                   "the bath beside 'model: augmented' conducts alike in all directions\n  allowed: one number");
  take_bath(c, out);
}

static void check_depths(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->bath.n; ++i)
    if (place_given(case_bath(c, i)->depth.place))
      report_error(out, case_bath(c, i)->depth.place, "depth is of 'model: augmented'\n  remedy: leave it out");
}

void bidomain_check(Case *c, Diagnostics *out) {
  electrodes_check(c, out);
  if (heart_is_augmented(c)) {
    check_augmented(c, out);
    return;
  }
  check_depths(c, out);
  if (!heart_is_bidomain(c)) {
    check_keys(c, out);
    return;
  }
  take_bath(c, out);
  check_reference(&c->reference, out);
  if (c->reaction.value > 0)
    report_error(out, c->reaction.place,
                 "reaction is gauss, but 'model: bidomain' needs 'reaction: nodal'\n  remedy: leave 'reaction' out, or "
                 "'model: monodomain'");
}
