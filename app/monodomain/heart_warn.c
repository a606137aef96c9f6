/* Warnings of what a heart did, after its run. */
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/heart.h"
#include "app/monodomain/purkinje.h"
#include "app/run/ranks.h"
#include "core/memory.h"

static Status check_durations(const Heart *h, const double *activation) {
  const Run *run = h->run;
  double *end = NULL;
  if (!heart_asks_durations(h->c)) return OK;
  ALLOC(end, run_is_root(run) ? run->mesh->n_node : 0, "times of repolarization");
  const Status status = heart_download(h, activation_ends(h->maps, 0) + h->first, end);
  if (status == OK && run_is_root(run)) setup_warn_durations(h->c, run->mesh->n_node, activation, end);
  FREE(end);
  return status;
}

/* One warning for one cause: the threshold, a tree in which no front runs on, or stimuli that started nothing. */
static Status warn_once(const Heart *h, const double *activation) {
  bool told = false;
  TRY(setup_warn_uncaptured(h->c, h->mesh, h->setup, activation, true, &told));
  if (!told) TRY(purkinje_warn(h->c, h->mesh, h->setup, activation, &told));
  if (!told) TRY(setup_warn_uncaptured(h->c, h->mesh, h->setup, activation, false, &told));
  return OK;
}

Status heart_warn_uncaptured(const Heart *h) {
  const Run *run = h->run;
  const Case *c = h->c;
  double *activation = NULL;
  const bool asked = place_given(c->output.threshold.place) && !run->params->from;
  if ((c->stimuli.n + c->purkinje.n == 0 && !asked) || run->rehearsed) return OK;
  ALLOC(activation, run_is_root(run) ? run->mesh->n_node : 0, "times of activation");
  Status status = heart_download(h, activation_times(h->maps, 0) + h->first, activation);
  if (status == OK && run_is_root(run)) status = warn_once(h, activation);
  if (status == OK) status = check_durations(h, activation);
  FREE(activation);
  return status;
}
