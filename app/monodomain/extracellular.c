/* The potential outside of the cells, which nothing in the steps depends on (pseudo-bidomain: Bishop and Plank 2011, IEEE
 * Transactions on Biomedical Engineering 58, 2297-2307): one solve at each time that is stored. Each begins at zero, so
 * that a run that goes on has the same bits. */
#include "app/monodomain/conductor.h"
#include "app/monodomain/heart.h"
#include "core/clock.h"

#include <math.h>

Status heart_extracellular_create(Heart *h) {
  enum { MANY_SOLVES = 100 };
  if (!case_has_extracellular(h->c)) return OK;
  EXEC_ALLOC(h->exec, h->phi, h->n_read, "extracellular potential");
  h->phi_time = (double)NAN;
  return conductor_create(h->exec, h->c, h->mesh, h->setup, MANY_SOLVES, &h->conductor);
}

void heart_extracellular_destroy(Heart *h) {
  conductor_destroy(&h->conductor);
  EXEC_RELEASE(h->exec, h->phi, h->n_read);
}

Status heart_extracellular(Heart *h, const double **phi) {
  *phi = h->phi;
  if (h->phi_time == h->run->report->time) return OK;
  RunReport *report = h->run->report;
  const double begin = clock_seconds();
  TRY(run_solved(h->run, conductor_potential(h->conductor, h->V, h->phi)));
  conductor_work(h->conductor, &report->heart.outside_solves, &report->heart.outside_iterations);
  report->heart.outside_seconds += clock_seconds() - begin;
  h->phi_time = h->run->report->time;
  return OK;
}
