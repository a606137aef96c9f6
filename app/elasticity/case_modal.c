/* Checks of a case of modal analysis or buckling. */
#include "app/elasticity/acts.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/modal.h"
#include "app/input/case_tables.h"
#include "app/input/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool modal_buckles(const Case *c) { return elastic_has(c, ANALYSIS_BUCKLING); }
bool modal_loaded(const Case *c) { return modal_buckles(c) || c->analysis.prestress.value; }

int32_t modal_diameter(const Case *c, int32_t i) {
  return (int32_t)strtol(c->analysis.diameters.item[i].text, NULL, 10);
}

int32_t modal_count(const Case *c) {
  return (int32_t)(c->analysis.modes.value * (c->analysis.diameters.n ? c->analysis.diameters.n : 1));
}

/* Whole numbers, each once, of a body that is a sector. */
static void check_diameters(const Case *c, Diagnostics *out) {
  const NamesValue *list = &c->analysis.diameters;
  bool rotates = false;
  for (int32_t i = 0; i < c->boundary.n; ++i) rotates |= place_given(case_boundary(c, i)->rotate.place);
  if (list->n && !rotates)
    report_error(
        out, list->place,
        "diameters: nothing here is a sector\n  remedy: its two cuts, 'periodic: OTHER, rotate: {..}', or leave "
        "it out");
  for (int32_t i = 0; i < list->n; ++i) {
    const TextValue *text = &list->item[i];
    int64_t value;
    const char *why;
    if (!integer_parse(text->text, &value, &why)) report_error(out, text->place, "diameters: '%s' %s", text->text, why);
    else if (value < 0 || value > INT32_MAX)
      report_error(out, text->place, "diameters: %s is no number of nodal diameters\n  allowed: 0 and above",
                   text->text);
    for (int32_t k = 0; k < i; ++k)
      if (strcmp(list->item[k].text, text->text) == 0)
        report_error(out, text->place, "diameters: %s is there twice", text->text);
  }
}

void modal_check_expected(const Case *c, Diagnostics *out) {
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const CaseExpect *row = case_expect(c, i);
    const bool of_mode = place_given(row->mode.place), quantity = place_given(row->quantity.place);
    if (of_mode && place_given(c->analysis.modes.place) && row->mode.value > modal_count(c))
      report_error(out, row->mode.place, "mode is %lld, and modes: %lld of 'analysis:' are found",
                   (long long)row->mode.value, (long long)modal_count(c));
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
  check_diameters(c, out);
  modal_check_expected(c, out);
}
