/* Are cells at rest at the start? Initial states of a model are at rest for one set of parameters; with others, such as
 * more extracellular potassium, the potential drifts everywhere before any stimulus. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/single_cell.h"

#include <math.h>
#include <stdio.h>

/* mV/ms of cells that are looked at, and after so many ms so many mV are worth a word. */
static const double DRIFT = 0.2, WAIT = 20, MOVED = 5, STEP = 0.02;

static double drift_of(const IonicConstants *ionic) {
  double s[IONIC_STATES], by_s[IONIC_STATES], by_V;
  const double V = ionic_type(ionic->kind)->rest(ionic, s);
  return fabs(ionic_type(ionic->kind)->reaction(ionic, V, s, &by_V, by_s));
}

Status setup_warn_rest(const Case *c, const Setup *setup) {
  const HeartSetup *own = heart_setup(setup);
  const int32_t n = own->n_region - c->purkinje.n;
  int32_t worst = -1;
  double most = DRIFT;
  char name[128] = "cells that vary with the place";
  if (own->start || place_given(c->prepace.place) || place_given(c->initial.place)) return OK;
  for (int32_t r = 0; r < n; ++r) {
    const double drift = drift_of(&own->ionic[r]);
    if (drift > most) most = drift, worst = r;
  }
  if (worst < 0) return OK;
  SingleCell cell;
  CellBeat beat;
  single_cell_start(&own->ionic[worst], &cell);
  const double begin = cell.V;
  TRY(single_cell_beat(&cell, &(CellPacing){.step = STEP}, WAIT, NULL, &beat));
  if (!(fabs(cell.V - begin) > MOVED)) return OK;
  if (worst < own->n_tissue)
    snprintf(name, sizeof name, "the cells of tissue '%s'", heart_tissue(c, worst)->on.item[0].text);
  status_warn("%s do not start at rest: with their parameters they drift from %.4g mV to %.4g in %g ms without a "
              "stimulus\n  remedy: 'prepace: {cycle: 1000, beats: 20}'%s",
              name, begin, cell.V, WAIT,
              worst < own->n_tissue ? ""
                                    : ", which paces the mean of an entry: an entry of its own for each kind of cell");
  return OK;
}
