/* Load steps of bodies whose surfaces slide on each other: what is opposite to what changes from step to step, and with it the
 * pattern of the matrix. */
#include "app/elasticity/finite.h"
#include "assembly/elasticity/contacts.h"
#include "core/exec.h"
#include "core/memory.h"

#include <math.h>

/* What was made for the pattern. */
static Status let_go(ElasticRun *w) {
  TRY(stepper_renew(w->stepper, NULL, NULL));
  linear_destroy(&w->solver);
  mat_destroy(&w->a);
  return OK;
}

static Status take_up(ElasticRun *w) {
  if (w->linear.spare) w->linear.spare = elasticity_pattern(w->elasticity);
  TRY(elastic_matrix(w->run, w->elasticity, &w->a));
  TRY(finite_solver(w));
  return stepper_renew(w->stepper, w->a, w->solver);
}

Status finite_slide(ElasticRun *w) {
  FiniteRun *own = w->own;
  double *vector[STEPPER_KEPT];
  if (!elasticity_slides(w->elasticity) || w->run->report->steps == 0) return OK; /* it is where it was found */
  const int n = stepper_vectors(w->stepper, vector);
  TRY(let_go(w));
  TRY(elasticity_slide(w->elasticity, elastic_run_params(w), w->run->report->time, n, vector));
  TRY(exec_copy(w->run->device.exec, w->u, vector[0], (size_t)w->n * sizeof *w->u));
  TRY(take_up(w));
  TRY(elasticity_slid(w->elasticity));
  own->loaded = (double)NAN;
  return finite_work_renew(w);
}

Status finite_slide_back(ElasticRun *w, const void *host) {
  if (!elasticity_slides(w->elasticity)) return OK;
  TRY(let_go(w));
  TRY(elasticity_slide_back(w->elasticity, elastic_run_params(w), host));
  return take_up(w);
}
