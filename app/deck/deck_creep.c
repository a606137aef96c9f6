/* *CREEP of Norton's law and *VISCO, the steps in which metals creep: load steps in true time. As in CalculiX, loads and supports
 * without an AMPLITUDE act in full from the beginning of such a step, and beside *PLASTIC what creeps is the stress beyond
 * the yield stress. */
#include "app/deck/deck_private.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Row n of A, n, m and the temperature. */
static Status read_norton(Deck *d, const InpLine *line, int n, double (*row)[4]) {
  double *v = row[n];
  for (int k = 0; k < 4; ++k) TRY(inp_number(d->inp, d->card, line, k, &v[k]));
  if (v[2] < 0 || v[2] > 0)
    return inp_line_fail(d->inp, d->card, line,
                         "the exponent of the time is %g (m of A q^n t^m), which is not understood; 0 is", v[2]);
  if (!(v[0] > 0) || !(v[1] >= 1))
    return inp_line_fail(d->inp, d->card, line, "A is %g and n is %g of A q^n; A > 0 and n >= 1 are understood", v[0],
                         v[1]);
  if (n && !(v[3] > v[-1]))
    return inp_line_fail(d->inp, d->card, line, "the temperature %g follows %g; temperatures must rise", v[3], v[-1]);
  return OK;
}

static void creep_text(DeckMaterial *m, int n, double (*row)[4]) {
  char norm[DECK_PAIRS], exponent[DECK_PAIRS];
  deck_pairs(norm, sizeof norm, n, &row[0][3], &row[0][0], 4);
  deck_pairs(exponent, sizeof exponent, n, &row[0][3], &row[0][1], 4);
  if (n > 1) snprintf(m->creep, sizeof m->creep, ", creep: {norm: %s, exponent: %s}", norm, exponent);
  else snprintf(m->creep, sizeof m->creep, ", creep: {norm: %.17g, exponent: %.17g}", row[0][0], row[0][1]);
  m->warm = m->warm || n > 1;
}

Status deck_card_creep(Deck *d) {
  const char *law = inp_parameter(d->card, "LAW");
  double row[DECK_WARM_MOST][4];
  int n = 0;
  InpCursor cursor = {0};
  InpLine line;
  if (d->model.n_material == 0) return inp_fail(d->inp, d->card, "does not follow a *MATERIAL");
  DeckMaterial *m = &d->model.material[d->model.n_material - 1];
  if (law && strcasecmp(law, "NORTON") != 0 && strcasecmp(law, "TIME") != 0)
    return inp_fail(d->inp, d->card, "LAW=%.40s is not understood; NORTON is", law);
  if (*m->creep) return inp_fail(d->inp, d->card, "is given twice");
  TRY(deck_row(d, NULL, &m->creep_row));
  for (; inp_next(d->inp, d->card, &cursor, &line); ++n) {
    if (n == DECK_WARM_MOST) return inp_line_fail(d->inp, d->card, &line, "more than %d rows", DECK_WARM_MOST);
    TRY(read_norton(d, &line, n, row));
  }
  if (n == 0) return inp_fail(d->inp, d->card, "has no line with A, n and m");
  creep_text(m, n, row);
  return OK;
}

Status deck_card_visco(Deck *d) {
  const char *most = inp_parameter(d->card, "CETOL");
  double value = 0;
  TRY(deck_card_static(d));
  d->procedure.viscous = true;
  if (most && (sscanf(most, "%lf", &value) != 1 || !(value > 0)))
    return inp_fail(d->inp, d->card, "CETOL=%.40s is not a number above 0", most);
  if (!most && !d->procedure.direct)
    TRY(deck_warn(d, deck_card(d),
                  "*VISCO without CETOL=, the largest plastic strain of an increment here: increments are as long as "
                  "iterations bear, and the error of each grows with what creeps in it"));
  d->procedure.creep_most = d->procedure.direct ? 0 : value;
  if (!d->procedure.flows) return inp_fail(d->inp, d->card, "no section has a material with *CREEP or *PLASTIC");
  return deck_rows_follow(d, true);
}

bool deck_any_creeps(const Deck *d) {
  bool any = false;
  for (int32_t i = 0; i < d->model.n_section; ++i) {
    const DeckMaterial *m = deck_material_named(d, d->model.section[i].material);
    any = any || (m && *m->creep);
  }
  return any;
}

/* Creep needs a time: steps of *STATIC have none, and metals do not creep in them, as in CalculiX. */
Status deck_creep_check(Deck *d) {
  d->procedure.viscous = false;
  d->procedure.creep_most = 0;
  for (int32_t i = 0; i < d->model.n_section && !d->procedure.creeps; ++i) {
    DeckMaterial *m = deck_material_named(d, d->model.section[i].material);
    if (!m || !*m->creep) continue;
    *m->creep = 0;
    TRY(deck_warn(d, deck_card(d), "*STATIC has no time in which '%.80s' could creep: its *CREEP changes nothing",
                  m->name));
  }
  return OK;
}
