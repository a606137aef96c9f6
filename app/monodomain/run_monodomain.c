/* The heart, from a case to files, step by step in time. A request to stop waits until the step and its files are done,
 * and leaves a checkpoint. */
#include "app/monodomain/layers.h"
#include "app/monodomain/filaments.h"
#include "app/monodomain/intervals.h"
#include "app/monodomain/heart.h"
#include "app/run/ranks.h"
#include "app/run/run_state.h"
#include "app/monodomain/purkinje.h"
#include "app/monodomain/case_monodomain.h"
#include "app/monodomain/setup_heart.h"
#include "app/monodomain/torso_file.h"
#include "core/clock.h"
#include "core/fnv.h"
#include "core/memory.h"
#include "algebra/mat.h"
#include "output/file_maker.h"

#include <math.h>
#include <string.h>

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
  int64_t steps;         /* of the next call; 0: the run shall stop */
  Checkpoint from;       /* the state that the run begins with, or goes on from, if any */
  bool resumed;          /* goes on: that of another run is not asked for */
  Worker *maker;         /* makes results.hdf beside the set-up; has HDF5 as long as it is there */
  Writer *writer;        /* what it has made, until the output takes it */
} Work;

static Status file_make(void *work, int32_t slot) {
  Work *w = work;
  (void)slot;
  return heart_output_writer(w->run, &w->heart, &w->writer);
}

/* Of a run that is done and whose files are there: a run that goes on later makes the whole table then. */
static Status save_filaments(const Run *run) {
  if (!heart_has_filaments(run->c) || !run->report->converged || run->rehearsed || !run_is_root(run)) return OK;
  return filaments_save(run->mesh, run->params->folder, &run->report->heart.filaments, &run->report->heart.reentry);
}

static Status monodomain_end(void *work) {
  Work *w = work;
  (void)file_maker_end(&w->maker);
  writer_close(&w->writer);
  Status status = heart_output_close(&w->output);
  if (status == OK) status = save_filaments(w->run);
  if (status == OK && w->run->report->converged) status = intervals_save(w->run);
  if (status == OK) status = torso_save(w->run, &w->heart);
  progress_phase(&w->run->progress, PHASE_WRITE);
  heart_destroy(&w->heart);
  checkpoint_release(&w->from);
  setup_release(&w->setup);
  return status;
}

/* What each stimulus hits, by the lumped mass [n_node] of the whole. */
static Status tell_stimuli(Work *w, const double *mass) {
  Run *run = w->run;
  Text text = {0};
  TRY(setup_warn_stimuli(run->c, run->mesh, &w->setup, mass));
  if (!run->params->from && !run->params->resume) TRY(setup_warn_rest(run->c, &w->setup));
  setup_warn_wave(run->c, &w->setup);
  purkinje_text(run->c, run->mesh, &w->setup, &text);
  layers_text(run->c, &w->setup, &text);
  augment_text(run->c, &w->setup, &text);
  front_text(run->c, &w->setup, &text);
  wave_text(run->c, &w->setup, &text);
  stimuli_text(run->c, run->mesh, &w->setup, mass, &text);
  electrodes_text(run->c, &w->setup, &text);
  Status status = text.status;
  if (status != OK) status = FAIL(status, "not enough memory for the list of stimuli");
  if (status == OK && text.n > 0) progress_say(&run->progress, "%.*s", (int)text.n - 1, text.data);
  text_release(&text);
  return status;
}

static void say_paced(Work *w) {
  const HeartSetup *own = heart_setup(&w->setup);
  const CasePrepace *p = &w->run->c->prepace;
  if (!own->n_paced || w->run->rehearsed) return;
  progress_say(&w->run->progress, "prepaced     %lld beats of %g ms; different cells: %d, of these stored before: %d",
               (long long)p->beats.value, p->cycle.value, (int)own->n_paced, (int)own->n_stored);
}

static void say_leads(Work *w) {
  const HeartSetup *own = heart_setup(&w->setup);
  RunReport *report = w->run->report;
  if (!own->lead_solves || w->run->rehearsed) return;
  report->heart.lead_solves = own->lead_solves, report->heart.lead_iterations = own->lead_iterations;
  report->heart.lead_seconds = own->lead_seconds;
  progress_say(&w->run->progress, "leads        %d in the torso: %lld solves, %lld iterations, %.3g s",
               (int)own->n_lead, (long long)own->lead_solves, (long long)own->lead_iterations, own->lead_seconds);
}

/* A warning of steps is that of the scheme that is taken. */
static Status say_scheme(const Work *w) {
  const Run *run = w->run;
  const WordValue *taken = w->heart.scheme_word;
  if (run->rehearsed) return OK;
  if (taken != &run->c->time.scheme)
    progress_say(&run->progress,
                 "scheme       %s: explicit stages would be more than %d in a step of %g ms on this mesh", taken->text,
                 HEART_STAGES_MOST, run->c->time.step.value);
  if (w->heart.guarded && case_adapts(&run->c->time))
    progress_say(&run->progress,
                 "bidomain     steps choose their lengths: they have the conductivity inside of the cells, which is "
                 "stable for any");
  else if (w->heart.guarded)
    progress_say(&run->progress,
                 "bidomain     elements are short for steps of %g ms: these have the conductivity inside of the cells, "
                 "which is stable for any",
                 run->c->time.step.value);
  return run_is_root(run) ? setup_warn_steps(run->c, taken, &w->setup) : OK;
}

/* A run from a state whose stimuli are all over was meant otherwise, or goes on to see them end. */
static void say_over(const Work *w) {
  const Run *run = w->run;
  bool flows = run->c->stimuli.n == 0;
  for (int32_t i = 0; i < run->c->stimuli.n; ++i) {
    const CaseStimulus *s = case_stimulus(run->c, i);
    const double last = s->start.value + (double)(stimulus_pulses(run->c, s) - 1) * s->period.value;
    flows |= last + s->duration.value > run->start;
  }
  if (run->params->from && !flows)
    progress_say(&w->run->progress,
                 "stimuli      none is left from t = %g ms on: their times count from the start of the first run",
                 run->start);
}

static Status say_stimuli(Work *w) {
  double *mass = NULL;
  ALLOC(mass, run_is_root(w->run) ? w->run->mesh->n_node : 0, "lumped mass");
  Status status = heart_download(&w->heart, w->heart.mass, mass);
  if (status == OK && run_is_root(w->run)) status = tell_stimuli(w, mass);
  FREE(mass);
  return status;
}

static Status state_restore(void *heart, const void *host) { return heart_restore(heart, host); }

static Status run_monodomain_start(Work *w) {
  Run *run = w->run;
  if (w->resumed) TRY(run_restore(run, w->heart.stepper, &w->from, state_restore, &w->heart));
  else if (run->params->from) TRY(heart_take_over(&w->heart, w->from.state, w->from.n_byte));
  else TRY(heart_start(&w->heart));
  checkpoint_release(&w->from);
  TRY(heart_output_create(run, &w->heart, &w->writer, &w->output));
  if (w->resumed) return stepper_done(w->heart.stepper) ? result_stream_now(w->output.stream, run->report->time) : OK;
  run->report->time = run->start;
  TRY(heart_output_store(&w->output, run->report, run->start));
  return result_stream_finish(w->output.stream);
}

/* Steps of one call: as many as PATIENCE allows, and not beyond a checkpoint. */
static int64_t steps_at_once(const Work *w) {
  if (w->heart.bidomain && !heart_bidomain_in_loop(&w->heart)) return 1;
  const double step = w->run->c->time.step.value;
  const double most = w->seconds_a_step > 0 ? PATIENCE / w->seconds_a_step : 1,
               left = (w->next_checkpoint - w->run->report->time) / step;
  const double n = fmin(fmin(most, left), 1e6);
  return heart_bidomain_steps(&w->heart, n < 1 ? 1 : (int64_t)n);
}

/* What all ranks do next: as many steps as rank 0 says, or, where one of them is asked to stop, none. */
static Status agree_on_steps(Work *w) {
  Comm *comm = w->run->params->comm;
  const int n = comm_size(comm);
  const int64_t mine = run_asked_to_stop(w->run) ? 0 : steps_at_once(w);
  int64_t *all = NULL;
  w->steps = mine;
  if (n == 1) return OK;
  ALLOC(all, n, "the steps of all ranks");
  const Status status = comm_gather(comm, &mine, sizeof mine, all);
  w->steps = all[0];
  for (int r = 0; r < n; ++r)
    if (all[r] == 0) w->steps = 0;
  FREE(all);
  return status;
}

void heart_add_step(RunReport *report, const StepReport *step) {
  report->time = step->time;
  report->steps += step->steps;
  report->heart.newton += step->newton;
  report->rejected += step->rejected + step->failed;
  report->linear.products += step->linear.products;
  report->linear.iterations += step->linear.iterations;
  report->linear.true_residual = step->residual;
  report->heart.last_step = step->dt;
}

/* What the progress line counts. */
static const char *solver_name(const Work *w) {
  if (w->heart.solver) return "CG";
  return stepper_stages(w->heart.stepper).n ? "stages" : "Chebyshev";
}

static Status one_call(Work *w) {
  Run *run = w->run;
  RunReport *report = run->report;
  StepReport step = {0};
  const double before = clock_seconds();
  TRY(heart_bidomain_before(&w->heart));
  const Status status = stepper_step(w->heart.stepper, w->steps, &step);
  bool seen;
  if (step.steps) heart_add_step(report, &step);
  if (status == OK) TRY(heart_bidomain_step(&w->heart));
  TRY(heart_output_samples(&w->output, report->time, &seen));
  if (status != OK) return status_context(status, "in the step from t = %g ms", report->time);
  w->seconds_a_step = (clock_seconds() - before) / (double)step.steps;
  progress_newton(&run->progress, report->steps, report->time, run->c->time.end.value, report->heart.newton,
                  report->linear.iterations, solver_name(w));
  if (heart_output_due(run, report->time)) {
    progress_phase(&run->progress, PHASE_SOLVE);
    if (stepper_done(w->heart.stepper) || report->time >= w->next_checkpoint) result_stream_request(w->output.stream);
    TRY(heart_output_store(&w->output, report, report->time));
    progress_phase(&run->progress, PHASE_WRITE);
  } else if (!seen) {
    TRY(heart_output_observe(&w->output, report->time));
  }
  return OK;
}

static Status solve_in_time(Work *w) {
  Run *run = w->run;
  const RunReport *report = run->report;
  w->next_checkpoint = run_next_checkpoint(run, report->time);
  w->begin_time = report->time;
  w->steps = 1;
  while (!stepper_done(w->heart.stepper)) {
    TRY(one_call(w));
    if (run->rehearsed) break;
    if (stepper_done(w->heart.stepper)) { /* its end is where another run may begin */
      if (isfinite(w->next_checkpoint))
        TRY(run_checkpoint(run, w->heart.stepper, w->output.stream, &w->next_checkpoint));
      break;
    }
    TRY(agree_on_steps(w));
    if (w->steps == 0) return run_stop(run, w->heart.stepper, w->output.stream);
    if (report->time < w->next_checkpoint) continue;
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

void heart_tell_solve(const Heart *heart, RunReport *report) {
  const StepStages stages = stepper_stages(heart->stepper);
  report->converged = true;
  report->linear.solve_seconds = report->seconds[PHASE_SOLVE];
  report->linear.preconditioner = stages.n ? "none" : "chebyshev";
  report->heart.stages = stages.n;
  report->heart.n_raised = stages.n_raised, report->heart.added = stages.added;
}

static void report_fill(Work *w) {
  RunReport *report = w->run->report;
  const double seconds = report->seconds[PHASE_SOLVE];
  run_note_steps(w->run, stepper_control(w->heart.stepper));
  heart_tell_solve(&w->heart, report);
  if (w->heart.solver) tell_solver(w->heart.solver, &report->linear);
  report->heart.real_time = seconds > 0 ? 1e-3 * (report->time - w->begin_time) / seconds : 0;
}

static uint64_t add_text(uint64_t hash, const char *text) { return fnv_words(hash, text, strlen(text) + 1); }

/* Which cells a state is of, and what the scheme keeps of them; parameters may differ. */
static uint64_t state_kind(const Case *c, const Setup *setup) {
  const HeartSetup *own = heart_setup(setup);
  const int32_t more[] = {(int32_t)time_scheme(c->time.scheme.value)->carries, (int32_t)c->reaction.value};
  uint64_t hash = fnv_words(FNV_BASIS, more, sizeof more);
  for (int32_t k = 0; k < heart_ionics(c); ++k) {
    const int32_t region = k < c->materials.n ? k : own->n_region - heart_ionics(c) + k;
    const IonicType *type = ionic_type(own->ionic[region].kind);
    hash = add_text(hash, type->program ? "" : ionic_type(ionic_in_double(own->ionic[region].kind))->name);
    for (int s = 0; s < type->n_state; ++s) hash = add_text(hash, type->state[s].name);
  }
  return hash;
}

static Status monodomain_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  TRY(run_begin(run, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  TRY(heart_create(run, &w->setup, &w->heart));
  run->report->format = mat_format(w->heart.stiffness);
  TRY(ranks_add(run, diffusion_unknowns(w->heart.diffusion), &run->report->unknowns));
  TRY(ranks_add(run, mat_entries(w->heart.stiffness), &run->report->entries));
  run->state_kind = state_kind(run->c, &w->setup);
  TRY(run_find(run, &w->from, &w->resumed));
  if (run->params->from && !w->resumed) TRY(run_take(run, &w->from));
  if (run_files_beside(run) && !run->params->resume)
    TRY(file_maker_begin(file_make, w, &w->maker)); /* a new results.hdf */
  const SumParts *before = exec_sum_over(run->device.exec, w->heart.parts);
  TRY(heart_prepare(&w->heart));
  run->report->scheme = w->heart.scheme_word->text;
  say_paced(w);
  TRY(say_scheme(w));
  say_leads(w);
  TRY(say_stimuli(w));
  say_over(w);
  TRY(file_maker_end(&w->maker));
  run_guard(run, 1); /* from here on a request to stop waits for the end of a step */
  TRY(run_monodomain_start(w));
  warnings_print();
  progress_phase(&run->progress, PHASE_SETUP);
  run->solving = true;
  TRY(solve_in_time(w));
  exec_sum_over(run->device.exec, before);
  TRY(heart_warn_uncaptured(&w->heart));
  report_fill(w);
  run_measure_memory(run);
  progress_phase(&run->progress, PHASE_RECOVER);
  return OK;
}

Status run_monodomain(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, monodomain_pipeline, monodomain_end);
}
