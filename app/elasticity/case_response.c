/* What responses have in common, in time and at one frequency: whether they are found by modes, and their damping. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/input/case_tables.h"
#include "app/input/number.h"

#include <math.h>
#include <string.h>

static void check_ratio(const CaseAnalysis *a, bool by_modes, Diagnostics *out) {
  const NamesValue *ratio = &a->damping.ratio;
  for (int32_t i = 0; i < ratio->n; ++i) {
    const TextValue *item = &ratio->item[i];
    const char *why;
    char seen[SEEN_BYTES];
    double value;
    if (!number_parse(item->text, &value, &why))
      report_error(out, item->place, "ratio: '%s' %s", seen_text(item->text, seen), why);
    else if (!(value >= 0 && isfinite(value)))
      report_error(out, item->place, "ratio is %g, must be >= 0 (1 is critical damping)", value);
  }
  if (ratio->n && !by_modes)
    report_error(out, ratio->place, "ratio is for modes: take 'method: modes', or alpha and beta");
  else if (place_given(a->modes.place) && ratio->n > a->modes.value)
    report_error(out, ratio->place, "ratio has %d numbers; there are %lld modes", (int)ratio->n,
                 (long long)a->modes.value);
}

void case_check_response(const Case *c, Diagnostics *out) {
  const CaseAnalysis *a = &c->analysis;
  const bool by_modes = case_by_modes(c), given = place_given(a->modes.place);
  if (by_modes && case_has_dashpots(c))
    report_error(out, a->method.place, "method modes: dashpots couple the modes; take 'method: direct'");
  if (by_modes && !given && !error_reported_of(out, "modes"))
    report_error(out, a->method.place,
                 "method modes needs the key 'modes': how many, up to twice the highest frequency");
  if (!by_modes && given) report_error(out, a->modes.place, "modes are for 'method: modes'; this one is direct");
  if (!by_modes && place_given(a->remainder.place))
    report_error(out, a->remainder.place, "remainder is for 'method: modes'; this one is direct");
  check_ratio(a, by_modes, out);
}

bool case_by_modes(const Case *c) { return c->analysis.method.value == RESPONSE_BY_MODES; }

void case_check_phase(const CaseBoundary *b, Diagnostics *out) {
  char names[ACT_NAMES];
  if (!place_given(b->phase.place)) return;
  if (!act_next(b, ACT_MOTION | ACT_LOAD, NULL))
    report_error(out, b->phase.place,
                 "phase shifts a load or a prescribed motion, and this entry has neither\n  allowed: beside %s",
                 acts_list(&elastic_acts, ACT_MOTION | ACT_LOAD, names));
}

bool case_has_phases(const Case *c) {
  for (int32_t i = 0; i < c->boundary.n; ++i)
    if (place_given(case_boundary(c, i)->phase.place)) return true;
  return false;
}
