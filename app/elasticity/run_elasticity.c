/* Elasticity, from a case to files: elastic_pipeline is the whole in one function, for all analyses (analysis.h). */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_run.h"
#include "app/run/ranks.h"
#include "app/run/run_state.h"
#include "core/memory.h"

Status elastic_run_u(ElasticRun *r) {
  EXEC_ALLOC(r->run->device.exec, r->u, r->n, "displacement");
  return elasticity_initial(r->elasticity, r->u);
}

Status elastic_run_release(void *work) {
  ElasticRun *r = work;
  Exec *exec = r->run->device.exec;
  Status status = result_stream_close(&r->stream);
  if (r->analysis->release && r->own) status = r->analysis->release(r, status);
  if (status == OK && r->tables.n) status = tables_save(r->run, &r->tables);
  text_release(&r->tables);
  FREE(r->point_start);
  FREE(r->point);
  FREE(r->sides.value);
  elastic_fields_release(&r->fields);
  for (int k = 0; k < 2; ++k) elastic_fields_release(&r->motion[k]);
  FREE(r->state);
  FREE(r->own);
  progress_phase(&r->run->progress, PHASE_WRITE);
  stepper_destroy(&r->stepper);
  linear_destroy(&r->solver);
  mat_destroy(&r->a);
  if (exec) EXEC_RELEASE(exec, r->u, r->n);
  elasticity_destroy(&r->elasticity);
  setup_release(&r->setup);
  return status;
}

static Status store(ElasticRun *r) {
  progress_phase(&r->run->progress, PHASE_SOLVE);
  TRY(r->analysis->store(r));
  progress_phase(&r->run->progress, PHASE_WRITE);
  return OK;
}

/* Some step ends where a bolt is locked, however steps are cut. */
static Status lock_bolts(const Case *c, StepControlParams *control, StepEvent **event) {
  const int32_t most = control->n_event + case_bolts(c) * (c->steps.n + 1);
  RESIZE(*event, most, "times of bolts");
  for (int32_t i = 0; i < case_bolts(c); ++i)
    for (int32_t k = -1; k < c->steps.n; ++k) {
      const CaseBolt *bolt = k < 0 ? case_bolt_at(c, i, NULL) : case_bolt_in(c, i, k);
      if (bolt && place_given(bolt->lock.place)) (*event)[control->n_event++] = (StepEvent){bolt->lock.value, true};
    }
  control->event = *event;
  return OK;
}

static Status stepper_make(ElasticRun *r) {
  Exec *exec = r->run->device.exec;
  Problem problem;
  StepperParams params = {0};
  StepEvent *event = NULL;
  TRY(run_step_control(r->run->c, &params.control, &event));
  Status status = case_bolts(r->run->c) ? lock_bolts(r->run->c, &params.control, &event) : OK;
  if (status == OK) status = r->analysis->problem(r, &problem, &params);
  if (status == OK && problem.force) /* where none of a rank's own does, it takes part in what the others do about it */
    status = ranks_any(r->run, elasticity_load_varies(r->elasticity), &problem.load_varies);
  if (status == OK && problem.force)
    status = ranks_any(r->run, elasticity_prescribed_varies(r->elasticity), &problem.constraint_varies);
  if (status == OK) status = stepper_create(exec, &problem, &params, r->solver ? r->a : NULL, r->solver, &r->stepper);
  FREE(event);
  return status;
}

static Status step_in_time(void *context) {
  ElasticRun *r = context;
  bool more;
  TRY(r->analysis->next(r, &more));
  r->stored = step_control_at_output(stepper_control(r->stepper));
  if (r->stored || elastic_peaks_needed(r)) TRY(store(r));
  return elastic_peaks_see(r);
}

/* From a checkpoint, or from t = 0. */
static Status solve_in_time(ElasticRun *r) {
  Run *run = r->run;
  bool resumed;
  run_guard(run, 1);
  TRY(stepper_make(r));
  TRY(run_start(run, r->stepper, r->u, &resumed));
  TRY(r->analysis->open(r));
  warnings_print();
  progress_phase(&run->progress, PHASE_SETUP);
  if (!resumed) {
    TRY(store(r));
    TRY(elastic_peaks_see(r));
    TRY(result_stream_finish(r->stream));
  }
  return run_in_time(run, r->stepper, r->stream, step_in_time, r);
}

static Status solve(ElasticRun *r) {
  TRY(r->analysis->open(r));
  warnings_print();
  progress_phase(&r->run->progress, PHASE_SETUP);
  for (bool more = true; more;) {
    TRY(r->analysis->next(r, &more));
    TRY(store(r));
  }
  return OK;
}

/* Sums of steps in time go over the parts of all ranks; other analyses have solves of their own. */
static Status steps_solve(ElasticRun *r) {
  Exec *exec = r->run->device.exec;
  if (!r->analysis->problem) return solve(r);
  const SumParts *before = exec_sum_over(exec, r->parts);
  const Status status = solve_in_time(r);
  exec_sum_over(exec, before);
  return status;
}

static Status elastic_pipeline(void *work) {
  ElasticRun *r = work;
  Run *run = r->run;
  const Analysis *analysis = r->analysis, *given = elastic_analysis(run->c);
  TRY(mem_alloc((int64_t)analysis->own, 1, "what an analysis has", &r->own));
  TRY(linear_params_of_case(run->c, &r->linear));
  TRY(run_begin(run, &r->setup));
  TRY(run_check_memory(run, &r->setup));
  if (analysis->prepare) TRY(analysis->prepare(r));
  TRY(elastic_equation(run, &r->setup, &r->elasticity));
  r->n = elasticity_dofs(r->elasticity);
  TRY(analysis->begin(r));
  run->progress.goal = r->linear.rtol;
  run->solving = true;
  TRY(steps_solve(r));
  run->report->converged = true;
  elastic_peaks_tell(r);
  if (analysis->end) TRY(analysis->end(r));
  if (given->like && given->end && !run->rehearsed) TRY(given->end(r));
  progress_phase(&run->progress, PHASE_RECOVER);
  if (run_is_root(run)) run_measure(run);
  else run_measure_memory(run);
  return OK;
}

Status run_elasticity(Run *run) {
  const Analysis *given = elastic_analysis(run->c);
  ElasticRun r = {.run = run, .analysis = given->like ? given->like : given, .stored = true};
  return run_pipeline(run, &r, elastic_pipeline, elastic_run_release);
}
