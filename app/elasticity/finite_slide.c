/* Load steps of bodies that touch, from one to the next: where surfaces slide on each other, what is opposite to what changes, and with
 * it the pattern of the matrix; else the levels of a hierarchy. */
#include "app/elasticity/finite.h"
#include "assembly/elasticity/contacts.h"
#include "core/exec.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

Status finite_solver_let_go(ElasticRun *w) {
  TRY(stepper_renew(w->stepper, NULL, NULL));
  linear_destroy(&w->solver);
  return OK;
}

Status finite_solver_take_up(ElasticRun *w) {
  TRY(finite_solver(w));
  return stepper_renew(w->stepper, w->a, w->solver);
}

/* What was made for the pattern. */
Status finite_let_go(ElasticRun *w) {
  TRY(finite_solver_let_go(w));
  if (((FiniteRun *)w->own)->operators) TRY(((FiniteRun *)w->own)->operators(w, false));
  mat_destroy(&w->a);
  return OK;
}

Status finite_take_up(ElasticRun *w) {
  if (w->linear.spare) w->linear.spare = elasticity_pattern(w->elasticity);
  TRY(elastic_matrix(w->run, w->elasticity, &w->a));
  if (((FiniteRun *)w->own)->operators) TRY(((FiniteRun *)w->own)->operators(w, true));
  return finite_solver_take_up(w);
}

/* Levels are those of the first matrix of the step, which a run that goes on finds again: what touches at rest says little of what
 * touches later. */
static Status levels_anew(ElasticRun *w) {
  if (!elasticity_touches(w->elasticity) || !finite_has_levels(w)) return OK;
  TRY(finite_solver_let_go(w));
  return finite_solver_take_up(w);
}

static void note_normals(ElasticRun *w, bool between) {
  FiniteRun *own = w->own;
  const double turned = elasticity_slides(w->elasticity) ? elasticity_slide_turned(w->elasticity, between) : 0;
  if (turned > own->turned) own->turned = turned, own->turned_at = w->run->report->time;
  if (between) own->lag[0] += elasticity_slide_lag(w->elasticity), ++own->lag[1];
}

void finite_slide_end(ElasticRun *w) { note_normals(w, false); }

void finite_slide_hint(const ElasticRun *w, Status why) {
  const FiniteRun *own = w->own;
  if (!elasticity_slides(w->elasticity) || w->run->report->steps == 0) return;
  (void)status_context(
      why,
      "likely: surfaces that slide, which were found anew when this step began, do not fit what the step "
      "before left, however short this one is; normals differed by up to %.3g degrees from those of where a step "
      "ended\n  remedy: "
      "a shorter 'step' from the start, such that surfaces move by less than half of a facet in each",
      own->turned * 180 / acos(-1));
}

enum { MORE = 2 }; /* vectors beside those of a stepper */

/* The geometry of the step, from that of the step before; of motion those are displacement, velocity, acceleration, forces, what of
 * them is the stress's, the displacement before where there are load steps, what nodes bore, and forces of friction. */
static Status slide(ElasticRun *w, const double time[2], double factor, int n, double *const *vector) {
  static const SlideKind places[STEPPER_KEPT + MORE] = {SLIDE_PLACE},
                                               motion[STEPPER_KEPT + MORE] = {SLIDE_PLACE, SLIDE_RATE, SLIDE_RATE,
                                                                              SLIDE_FORCE, SLIDE_RATE, SLIDE_FORCE,
                                                                              SLIDE_FORCE, SLIDE_FORCE};
  const size_t bytes = (size_t)w->run->mesh->n_node * 3 * sizeof(double);
  double(*before)[3] = NULL;
  Status status = OK;
  TRY(mem_alloc(w->run->mesh->n_node, sizeof *before, "displacement of surfaces", (void **)(void *)&before));
  memcpy(before, elasticity_slide_at(w->elasticity), bytes);
  TRY_DONE(elasticity_slide(w->elasticity, elastic_run_params(w), time, factor, n, vector,
                            elastic_has(w->run->c, HAS_INERTIA) ? motion : places));
  status = finite_contact_passed(w, (const double(*)[3])before, elasticity_slide_at(w->elasticity));
done:
  mem_free((void **)(void *)&before);
  return status;
}

Status finite_slide(ElasticRun *w) {
  FiniteRun *own = w->own;
  double *vector[STEPPER_KEPT + MORE], factor;
  if (w->run->report->steps == 0) return OK; /* it is where it was found */
  StepControl next = *stepper_control(w->stepper);
  (void)step_control_next(&next);
  const bool small = case_small_first(w->run->c) && case_small_at(w->run->c, next.target);
  if (!elasticity_slides(w->elasticity) || small) return levels_anew(w);
  int n = stepper_vectors(w->stepper, vector);
  TRY(stepper_line(w->stepper, &factor));
  if (elastic_has(w->run->c, HAS_INERTIA))
    factor = finite_rests_at(w->run->c, next.target) ? 0 : next.target - next.time;
  if (own->bear) TRY(own->bear(w));
  if (own->bear) vector[n++] = own->borne;
  if (own->rub && own->rub[0]) vector[n++] = own->rub[0];
  TRY(finite_let_go(w));
  TRY(slide(w, (double[2]){next.time, next.target}, factor, n, vector));
  note_normals(w, true);
  TRY(exec_copy(w->run->device.exec, w->u, vector[0], (size_t)w->n * sizeof *w->u));
  TRY(finite_take_up(w));
  TRY(elasticity_slid(w->elasticity));
  own->loaded = (double)NAN;
  return OK;
}

Status finite_slide_back(ElasticRun *w, const void *host) {
  if (!elasticity_slides(w->elasticity)) return OK;
  TRY(finite_let_go(w));
  TRY(elasticity_slide_back(w->elasticity, elastic_run_params(w), host));
  return finite_take_up(w);
}
