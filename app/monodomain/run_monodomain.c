/* The heart, from a case to files, step by step in time. A request to stop waits until the step and its files are done,
 * and leaves a checkpoint. */
#include "app/monodomain/heart.h"
#include "app/run/run_state.h"
#include "app/monodomain/setup_heart.h"
#include "core/clock.h"
#include "core/memory.h"
#include "algebra/mat.h"
#include "output/file_maker.h"

#include <math.h>

/* How long a request to stop and the progress line may have to wait, seconds. */
static const double PATIENCE = 0.2;

typedef struct Work {
  Run *run;
  Setup setup;
  Heart heart;
  HeartOutput output;
  double next_checkpoint;
  double seconds_a_step; /* as measured so far */
  double begin_time;     /* ms */
  Worker *maker;         /* makes results.hdf beside the set-up; has HDF5 as long as it is there */
  Writer *writer;        /* what it has made, until the output takes it */
} Work;

static Status file_make(void *work, int32_t slot) {
  Work *w = work;
  (void)slot;
  return heart_output_writer(w->run, &w->heart, &w->writer);
}

static Status monodomain_release(void *work) {
  Work *w = work;
  (void)file_maker_end(&w->maker);
  writer_close(&w->writer);
  const Status status = heart_output_close(&w->output);
  progress_phase(&w->run->progress, PHASE_WRITE);
  heart_destroy(&w->heart);
  setup_release(&w->setup);
  return status;
}

/* What each stimulus hits. */
static Status say_stimuli(Work *w) {
  Run *run = w->run;
  double *mass = NULL;
  Text text = {0};
  ALLOC(mass, run->mesh->n_node, "lumped mass");
  Status status = heart_mass(&w->heart, mass);
  if (status == OK) status = setup_warn_stimuli(run->c, run->mesh, &w->setup, mass);
  if (status == OK) stimuli_text(run->c, run->mesh, &w->setup, mass, &text);
  if (status == OK && text.status != OK) status = FAIL(text.status, "not enough memory for the list of stimuli");
  if (status == OK && text.n > 0) progress_say(&run->progress, "%.*s", (int)text.n - 1, text.data);
  text_release(&text);
  FREE(mass);
  return status;
}

static Status state_restore(void *heart, const void *host) { return heart_restore(heart, host); }

static Status run_monodomain_start(Work *w) {
  Run *run = w->run;
  bool resumed = false;
  TRY(run_resume(run, w->heart.stepper, state_restore, &w->heart, &resumed));
  if (!resumed) TRY(heart_start(&w->heart));
  TRY(heart_output_create(run, &w->heart, &w->writer, &w->output));
  if (resumed) return OK;
  TRY(heart_output_store(&w->output, run->report, 0));
  return result_stream_finish(w->output.stream);
}

/* Steps of one call: as many as PATIENCE allows, and not beyond a checkpoint. */
static int64_t steps_at_once(const Work *w) {
  const double step = w->run->c->time.step.value;
  const double most = w->seconds_a_step > 0 ? PATIENCE / w->seconds_a_step : 1,
               left = (w->next_checkpoint - w->run->report->time) / step;
  const double n = fmin(fmin(most, left), 1e6);
  return n < 1 ? 1 : (int64_t)n;
}

static void step_add(RunReport *report, const StepReport *step) {
  report->time = step->time;
  report->steps += step->steps;
  report->heart.newton += step->newton;
  report->rejected += step->rejected + step->failed;
  report->linear.products += step->linear.products;
  report->linear.iterations += step->linear.iterations;
  report->linear.true_residual = step->residual;
  report->heart.last_step = step->dt;
}

static Status one_call(Work *w) {
  Run *run = w->run;
  RunReport *report = run->report;
  StepReport step = {0};
  const double before = clock_seconds();
  const Status status = stepper_step(w->heart.stepper, steps_at_once(w), &step);
  if (step.steps) step_add(report, &step);
  if (status != OK) return status_context(status, "in the step from t = %g ms", report->time);
  w->seconds_a_step = (clock_seconds() - before) / (double)step.steps;
  progress_newton(&run->progress, report->steps, report->time, run->c->time.end.value, report->heart.newton,
                  report->linear.iterations, w->heart.mass_matrix ? "CG" : "Chebyshev");
  if (heart_output_due(run->c, report->time)) {
    progress_phase(&run->progress, PHASE_SOLVE);
    if (stepper_done(w->heart.stepper) || report->time >= w->next_checkpoint) result_stream_request(w->output.stream);
    TRY(heart_output_store(&w->output, report, report->time));
    progress_phase(&run->progress, PHASE_WRITE);
  } else {
    TRY(result_stream_look(w->output.stream, report->time));
  }
  return OK;
}

static Status solve_in_time(Work *w) {
  Run *run = w->run;
  const RunReport *report = run->report;
  w->next_checkpoint = run_next_checkpoint(run, report->time);
  w->begin_time = report->time;
  while (!stepper_done(w->heart.stepper)) {
    TRY(one_call(w));
    if (run->rehearsed) break;
    const bool done = stepper_done(w->heart.stepper);
    if (!done && run_asked_to_stop(run)) return run_stop(run, w->heart.stepper, w->output.stream);
    if (report->time < w->next_checkpoint || done) continue;
    TRY(run_checkpoint(run, w->heart.stepper, w->output.stream, &w->next_checkpoint));
  }
  progress_clear(&run->progress);
  progress_phase(&run->progress, PHASE_SOLVE);
  return OK;
}

/* What the solver of the scheme at integration points is, which goes by `solver:` of the case. */
static void tell_solver(const LinearSolver *solver, LinearReport *linear) {
  LinearReport known;
  linear_begin_report(solver, &known);
  linear->preconditioner = known.preconditioner;
  linear->degree = known.degree;
  linear->precision = known.precision;
  linear->first_precision = known.first_precision;
  linear->bound = known.bound;
  linear->lanczos = known.lanczos;
}

static void report_fill(Work *w) {
  RunReport *report = w->run->report;
  const double seconds = report->seconds[PHASE_SOLVE];
  report->converged = true;
  run_note_steps(w->run, stepper_control(w->heart.stepper));
  report->linear.solve_seconds = seconds;
  report->linear.preconditioner = "chebyshev";
  if (w->heart.solver) tell_solver(w->heart.solver, &report->linear);
  report->heart.real_time = seconds > 0 ? 1e-3 * (report->time - w->begin_time) / seconds : 0;
}

/* Did the stimuli start anything? */
static Status look_back(Work *w) {
  double *activation = NULL;
  if (w->run->c->stimuli.n == 0 || w->run->rehearsed) return OK;
  ALLOC(activation, w->run->mesh->n_node, "times of activation");
  Status status = diffusion_download(w->heart.diffusion, activation_times(w->heart.maps), activation);
  if (status == OK) status = setup_warn_uncaptured(w->run->c, w->run->mesh, &w->setup, activation);
  FREE(activation);
  return status;
}

static Status monodomain_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  const Case *c = run->c;
  TRY(run_begin(run, &w->setup));
  if (!run->rehearsed) TRY(setup_rules(c, run->mesh, run->device.exec, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  TRY(heart_create(run, &w->setup, &w->heart));
  run->report->format = mat_format(w->heart.stiffness);
  run->report->unknowns = diffusion_unknowns(w->heart.diffusion);
  run->report->entries = mat_entries(w->heart.stiffness);
  if (run_files_beside(run) && !run->params->resume)
    TRY(file_maker_begin(file_make, w, &w->maker)); /* a new results.hdf */
  TRY(heart_prepare(&w->heart));
  TRY(say_stimuli(w));
  TRY(file_maker_end(&w->maker));
  run_guard(run, 1); /* from here on a request to stop waits for the end of a step */
  TRY(run_monodomain_start(w));
  warnings_print();
  progress_phase(&run->progress, PHASE_SETUP);
  run->solving = true;
  TRY(solve_in_time(w));
  TRY(look_back(w));
  report_fill(w);
  run_measure_memory(run);
  progress_phase(&run->progress, PHASE_RECOVER);
  return OK;
}

Status run_monodomain(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, monodomain_pipeline, monodomain_release);
}
