/* Checks of a case of modal analysis or buckling. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/modal.h"
#include "app/input/case_tables.h"

#include <math.h>

bool modal_buckles(const Case *c) { return elastic_has(c, ANALYSIS_BUCKLING); }
bool modal_loaded(const Case *c) { return modal_buckles(c) || c->analysis.prestress.value; }

void modal_check_expected(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *row = case_expect(c, i);
    const bool of_mode = place_given(row->mode.place), quantity = place_given(row->quantity.place);
    if (of_mode && place_given(c->analysis.modes.place) && row->mode.value > c->analysis.modes.value)
      report_error(out, row->mode.place, "mode is %lld, and modes: %lld of 'analysis:' are found",
                   (long long)row->mode.value, (long long)c->analysis.modes.value);
    if (!quantity || !row->quantity.text) continue;
    if (of_mode && row->quantity.value < MODAL_FREQUENCY)
      report_error(out, row->mode.place, "%s belongs to the whole run; it has no mode", row->quantity.text);
    else if (!of_mode && row->quantity.value >= MODAL_FREQUENCY)
      report_error(out, row->quantity.place, "%s needs the key 'mode': which one, from 1", row->quantity.text);
  }
}

/* Loads would be expected to do something. */
static void check_loads(const Case *c, Diagnostics *out) {
  if (modal_loaded(c)) return;
  if (c->body.n)
    report_error(out, c->body.place,
                 "body does not act on the modes of an unloaded body; leave it out, or set prestress");
  if (place_given(c->thermal.place))
    report_error(out, c->thermal.place,
                 "thermal does not act on the modes of an unloaded body; leave it out, or set prestress");
  for (int32_t i = 0; i < c->boundary.n; ++i) {
    const CaseBoundary *b = case_boundary(c, i);
    const char *const none = "%s does not act on the modes of an unloaded body; leave it out, or set prestress";
    for (const Act *act = NULL; (act = act_next(b, ACT_LOAD, act));)
      report_error(out, act_place(act, b), none, act->key);
    if (b->rigid.force.n) report_error(out, b->rigid.force.place, none, "force of rigid");
    if (b->rigid.moment.n) report_error(out, b->rigid.moment.place, none, "moment of rigid");
  }
}

void modal_check(Case *c, Diagnostics *out) {
  if (!place_given(c->solver.rtol.place)) c->solver.rtol.value = MODAL_RTOL;
  case_check_elastic(c, out);
  if (!modal_buckles(c)) case_check_density(c, "modal", out);
  if (modal_loaded(c) && c->model.text && case_axisymmetric(c))
    report_error(out, c->model.place,
                 "model 'axisymmetric' has no modes under stress, as they need not be the same all around; use '3d'");
  case_check_thermal(c, &c->thermal, out);
  case_check_elastic_probes(c, out);
  check_loads(c, out);
  modal_check_expected(c, out);
}
