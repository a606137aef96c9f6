/* Heat, from a case to files: steady in one solve, or step by step in time. */
#include "app/heat/heat_columns.h"
#include "app/input/case_format.h"
#include "app/heat/heat_output.h"
#include "app/run/may_factor.h"
#include "app/run/ranks.h"
#include "app/run/run.h"
#include "app/run/run_state.h"
#include "app/setup/setup.h"
#include "assembly/diffusion/diffusion.h"
#include "core/memory.h"
#include "algebra/mat.h"
#include "solver/precond/precond.h"
#include "solver/time/stepper.h"

#include <string.h>

typedef struct Work {
  Run *run;
  Setup setup;
  Diffusion *diffusion;
  Mat *a, *stiffness, *mass; /* the last two: in time */
  LinearSolver *solver;
  const SumParts *parts; /* of sums in the solve */
  double *u, *f;         /* on the Exec, [dofs]: temperature; load of a steady case, else its rate in time */
  Stepper *stepper;      /* in time */
  HeatOutput output;
} Work;

static Status heat_release(void *work) {
  Work *w = work;
  Exec *exec = w->run->device.exec;
  const Status status = heat_output_close(&w->output);
  progress_phase(&w->run->progress, PHASE_WRITE);
  stepper_destroy(&w->stepper);
  if (exec && w->diffusion) EXEC_RELEASE(exec, w->u, diffusion_dofs(w->diffusion));
  if (exec && w->diffusion) EXEC_RELEASE(exec, w->f, diffusion_dofs(w->diffusion));
  linear_destroy(&w->solver);
  mat_destroy(&w->mass);
  mat_destroy(&w->stiffness);
  mat_destroy(&w->a);
  diffusion_destroy(&w->diffusion);
  setup_release(&w->setup);
  return status;
}

static Status run_heat_residual(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  const Work *w = context;
  (void)stage, (void)slope;
  return diffusion_residual(w->diffusion, u, NULL, w->f, false, r);
}
static Status run_heat_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  const Work *w = context;
  (void)u;
  if (!stage->clock) return diffusion_matrix(w->diffusion, 1, 0, mat_values(a));
  return diffusion_combine(w->diffusion, mat_values(w->stiffness), mat_values(w->mass), &stage->clock->theta,
                           mat_values(a));
}
/* In time of all matrices that there will be. */
static Status run_heat_bound(void *context, const Stage *stage, bool blocks, double *out) {
  (void)blocks; /* one unknown per node */
  return diffusion_spectrum_bound(((const Work *)context)->diffusion, stage ? 1 : 0, 0, out);
}
static Status run_heat_load(void *context, double time, double *f) {
  return diffusion_load(((const Work *)context)->diffusion, time, f);
}
static Status run_heat_prescribed(void *context, double time, double *u) {
  return diffusion_prescribed(((const Work *)context)->diffusion, time, u);
}

static Status solve_steady(Work *w) {
  Run *run = w->run;
  const Problem problem = {.context = w,
                           .n = diffusion_rows(w->diffusion),
                           .linear = true,
                           .force = run_heat_residual,
                           .tangent = run_heat_tangent,
                           .bound = run_heat_bound};
  StepReport report = {0};
  linear_set_poll(w->solver, progress_poll, &run->progress);
  TRY(diffusion_load(w->diffusion, 0, w->f));
  const Status status =
      stepper_solve(run->device.exec, &problem, run->c->solver.rtol.value, w->a, w->solver, w->u, &report);
  progress_clear(&run->progress);
  run_phase_solve(run, &report);
  run->report->linear = report.linear;
  if (status == ERR_NUMERIC) run_name_place(run, &w->setup, &report.linear, 1);
  TRY(run_solved(run, status));
  TRY(heat_add_error(run, &w->setup, w->diffusion, w->solver, w->u));
  run_guard(run, 1);
  Status stored = heat_output_store(&w->output, 0, w->u, NULL);
  if (stored == OK) stored = result_stream_finish(w->output.stream);
  progress_phase(&run->progress, PHASE_WRITE);
  run_guard(run, 0);
  return stored;
}

static Status heat_stepper(Work *w) {
  const Case *c = w->run->c;
  Problem problem = {.context = w,
                     .n = diffusion_rows(w->diffusion),
                     .linear = true,
                     .fixed = diffusion_fixed(w->diffusion),
                     .stiffness = w->stiffness,
                     .mass = w->mass,
                     .load = run_heat_load,
                     .constrain = run_heat_prescribed,
                     .tangent = run_heat_tangent,
                     .bound = run_heat_bound};
  StepperParams params = {.scheme = time_scheme(c->time.scheme.value)};
  w->run->report->scheme = c->time.scheme.text;
  StepEvent *event = NULL;
  /* where none of a rank's own does, it takes part in the products of the others */
  TRY(ranks_any(w->run, diffusion_load_varies(w->diffusion), &problem.load_varies));
  TRY(ranks_any(w->run, diffusion_prescribed_varies(w->diffusion), &problem.constraint_varies));
  TRY(run_step_control(c, &params.control, &event));
  const Status status = stepper_create(w->run->device.exec, &problem, &params, w->a, w->solver, &w->stepper);
  FREE(event);
  return status;
}

/* K and M as they are; `a` is their sum. */
static Status heat_operators(Work *w) {
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &w->stiffness));
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &w->mass));
  return diffusion_operators(w->diffusion, mat_values(w->stiffness), mat_values(w->mass));
}

/* From a checkpoint, or from t = 0. */
static Status start_time(Work *w) {
  Run *run = w->run;
  bool resumed;
  TRY(heat_operators(w));
  TRY(heat_stepper(w));
  TRY(run_start(run, w->stepper, w->u, &resumed));
  TRY(heat_output_create(run, &w->setup, w->diffusion, &w->output));
  warnings_print();
  if (resumed) return OK;
  TRY(heat_output_store(&w->output, 0, w->u, NULL));
  return result_stream_finish(w->output.stream);
}

static Status run_heat_store(Work *w, double time) {
  const bool rate = w->output.needed >> HEAT_REACTION & 1;
  progress_phase(&w->run->progress, PHASE_SOLVE);
  if (rate) TRY(stepper_rate(w->stepper, w->f));
  TRY(heat_output_store(&w->output, time, w->u, rate ? w->f : NULL));
  progress_phase(&w->run->progress, PHASE_WRITE);
  return OK;
}

static Status run_heat_steady(Work *w) {
  Run *run = w->run;
  run_guard(run, 1);
  const Status status = heat_output_create(run, &w->setup, w->diffusion, &w->output);
  run_guard(run, 0);
  TRY(status);
  warnings_print();
  progress_phase(&run->progress, PHASE_SETUP);
  return solve_steady(w);
}

static Status one_step(void *context) {
  Work *w = context;
  Run *run = w->run;
  StepReport step = {0};
  const Status status = stepper_step(w->stepper, 1, &step);
  if (status == ERR_NUMERIC) run_name_place(run, &w->setup, &step.linear, 1);
  if (status != OK) return status_context(status, "in the step from time %g", run->report->time);
  TRY(heat_output_step(&w->output, step.time, step.dt, step.rejected, &step.linear));
  run_add_step(run, &step);
  return step_control_at_output(stepper_control(w->stepper)) ? run_heat_store(w, step.time) : OK;
}

static Status solve_in_time(Work *w) {
  run_guard(w->run, 1);
  TRY(start_time(w));
  return run_in_time(w->run, w->stepper, w->output.stream, one_step, w);
}

/* The solver, which is told the orders of the elements where it goes by them. */
static Status create_solver(Work *w, LinearParams *linear) {
  OrderTransfers lower = {0};
  linear->pattern = diffusion_pattern(w->diffusion);
  linear->pattern_once = true;
  if (run_may_factor(w->run, w->a, linear)) run_spare(w->run, linear->pattern, linear);
  const PrecondType *type = precond_is_auto(linear->preconditioner) ? NULL : precond_named(linear->preconditioner);
  if (type && type->needs & PRECOND_ORDERS) TRY(diffusion_order_transfers(w->diffusion, &lower));
  linear->lower = lower.level;
  linear->n_lower = lower.n;
  w->parts = run_parts(w->run, linear_choice(w->run->device.exec, linear, w->a));
  const Status status = linear_create(w->run->device.exec, linear, w->a, &w->solver);
  linear->lower = NULL;
  order_transfers_release(&lower);
  return status;
}

/* The equation on what this rank works on. */
static Status create_diffusion(Work *w) {
  Run *run = w->run;
  HeatSetup *mine = heat_setup(run_setup(run, &w->setup));
  mine->diffusion.share = run->share ? &run->share->nodes : NULL;
  TRY(ranks_check_whole(run, &heat_setup(&w->setup)->diffusion));
  ranks_forget_whole(run, &w->setup);
  return diffusion_create(run->device.exec, &mine->diffusion, &w->diffusion);
}

static Status heat_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  const Case *c = run->c;
  LinearParams linear;
  const MatParams format = case_mat_params(c);
  TRY(linear_params_of_case(c, &linear));
  TRY(run_begin(run, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  Exec *exec = run->device.exec;
  linear.preconditioner = heat_preconditioner(c, run->mesh, &w->setup);
  TRY(create_diffusion(w));
  TRY(mat_create(exec, &format, diffusion_pattern(w->diffusion), &w->a));
  run->report->format = mat_format(w->a);
  TRY(diffusion_bind(w->diffusion, mat_slots(w->a)));
  linear.has_modes = true;
  if (place_given(c->time.place)) linear.solves = HEAT_SOLVES;
  TRY(create_solver(w, &linear));
  EXEC_ALLOC(exec, w->u, diffusion_dofs(w->diffusion), "temperature");
  EXEC_ALLOC(exec, w->f, diffusion_dofs(w->diffusion), "heat load");
  TRY(diffusion_initial(w->diffusion, heat_setup(run_setup(run, &w->setup))->initial, w->u));
  TRY(ranks_add(run, diffusion_unknowns(w->diffusion), &run->report->unknowns));
  TRY(ranks_add(run, mat_entries(w->a), &run->report->entries));
  run->solving = true;
  run->progress.goal = linear.rtol;
  const SumParts *before = exec_sum_over(exec, w->parts);
  TRY(place_given(c->time.place) ? solve_in_time(w) : run_heat_steady(w));
  exec_sum_over(exec, before);
  run->report->converged = true;
  progress_phase(&run->progress, PHASE_RECOVER);
  if (run_is_root(run)) run_measure(run);
  else run_measure_memory(run);
  return OK;
}

Status run_heat(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, heat_pipeline, heat_release);
}
