/* Elasticity, from a case to files: elasticity_pipeline is the whole in one function. */
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_system.h"
#include "app/run/ranks.h"
#include "app/run/run.h"
#include "app/setup/setup.h"
#include "assembly/elasticity/augmented.h"
#include "assembly/elasticity/elasticity.h"
#include "core/memory.h"
#include "core/vec.h"
#include "algebra/mat.h"
#include "solver/time/stepper.h"
#include "output/file_maker.h"

#include <math.h>

typedef struct Work {
  Run *run;
  Setup setup;
  Elasticity *elasticity;
  Mat *a;
  LinearSolver *solver;
  const SumParts *parts; /* of sums in the solve */
  double *u;             /* on the Exec, [dofs]; NULL: there are load cases */
  ElasticCases cases;
  ElasticFields fields;
  ElasticFields whole; /* on rank 0 of several: of all shares */
  StaticOutput *output;
  Worker *maker; /* makes the files while a GPU solves; has HDF5 as long as it is there */
} Work;

/* What goes to the files. */
static ElasticFields *shown(Work *w) { return w->run->share ? &w->whole : &w->fields; }

static Status files_make(void *work, int32_t slot) {
  Work *w = work;
  (void)slot;
  return results_open(w->run, &w->setup, shown(w), &w->output);
}

/* The files are there. */
static Status files_end(Work *w) { return w->maker || w->output ? file_maker_end(&w->maker) : files_make(w, 0); }

static Status elasticity_release(void *work) {
  Work *w = work;
  (void)file_maker_end(&w->maker);
  const Status status = results_close(&w->output);
  progress_phase(&w->run->progress, PHASE_WRITE);
  elastic_fields_release(&w->fields);
  elastic_collect_release(&w->whole);
  elastic_cases_release(&w->cases);
  if (w->run->device.exec && w->elasticity) EXEC_RELEASE(w->run->device.exec, w->u, elasticity_dofs(w->elasticity));
  linear_destroy(&w->solver);
  mat_destroy(&w->a);
  elasticity_destroy(&w->elasticity);
  setup_release(&w->setup);
  return status;
}

static Status run_elasticity_residual(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  (void)stage, (void)slope;
  TRY(elasticity_residual(context, u, r));
  return elasticity_check_answer(context);
}
static Status run_elasticity_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)stage;
  TRY(elasticity_tangent(context, u, mat_values(a)));
  if (elasticity_linear(context) && !elasticity_is_augmented(context)) /* which may need them once more */
    elasticity_release_gathers(context);                               /* room for the preconditioner */
  return OK;
}
static Status run_elasticity_turn(void *context, const double *u, double *m, bool everywhere, double *change) {
  return elasticity_augment_turn(context, u, m, everywhere, change);
}
static Status run_elasticity_bound(void *context, const Stage *stage, bool blocks, double *out) {
  (void)stage;
  return elasticity_spectrum_bound(context, blocks, out);
}

static Status solve_once(Work *w, double rtol, StepReport *report) {
  Problem problem = {.context = w->elasticity,
                     .n = elasticity_rows(w->elasticity),
                     .linear = elasticity_linear(w->elasticity),
                     .force = run_elasticity_residual,
                     .tangent = run_elasticity_tangent,
                     .bound = run_elasticity_bound};
  if (elasticity_is_augmented(w->elasticity)) problem.multipliers.eliminate = run_elasticity_turn;
  problem.multipliers.value = elasticity_kept(w->elasticity, &problem.multipliers.n);
  linear_set_rtol(w->solver, rtol);
  return stepper_solve(w->run->device.exec, &problem, rtol, w->a, w->solver, w->u, report);
}

/* *left: |R| with all of the bulk moduli at what is known of the solution, over |R| at first. */
static Status solve_left(Work *w, double first, double *left) {
  Exec *exec = w->run->device.exec;
  const int64_t n = elasticity_rows(w->elasticity);
  double *r = NULL, norm = 0;
  EXEC_ALLOC(exec, r, n + 1, "residual");
  Status status = elasticity_residual(w->elasticity, w->u, r);
  if (status == OK) status = vec_norm(exec, n, r, r + n);
  if (status == OK) status = exec_download(exec, &norm, r + n, sizeof norm);
  EXEC_RELEASE(exec, r, n + 1);
  *left = first > 0 ? norm / first : (double)INFINITY;
  return status;
}

/* Where turns of the changes of volume that elements keep get nowhere, the matrix gets all of the bulk moduli, for what is left to do. */
static Status solve_as_needed(Work *w, StepReport *report) {
  static const double LOOSEST = 0.5;
  const double rtol = w->run->c->solver.rtol.value;
  const Status status = solve_once(w, rtol, report);
  if (status != ERR_NUMERIC || !elasticity_is_augmented(w->elasticity) || w->run->rehearsed) return status;
  const StepReport first = *report;
  double left;
  status_clear();
  TRY(elasticity_augment_end(w->elasticity));
  TRY(solve_left(w, first.linear.norm_b, &left));
  if (!(left <= 1)) {
    TRY(elasticity_initial(w->elasticity, w->u));
    left = 1;
  }
  const Status again = solve_once(w, fmin(LOOSEST, rtol / left), report);
  LinearReport sum = first.linear;
  linear_report_add(&sum, &report->linear);
  report->linear = sum;
  report->linear.true_residual *= left;
  report->linear.recursive_residual *= left;
  report->assembly_seconds += first.assembly_seconds;
  return again;
}

static Status run_elasticity_solve(Work *w) {
  Run *run = w->run;
  StepReport report = {0};
  run->progress.goal = run->c->solver.rtol.value;
  run->solving = true;
  linear_set_poll(w->solver, progress_poll, &run->progress);
  const SumParts *before = exec_sum_over(run->device.exec, w->parts);
  const Status status = solve_as_needed(w, &report);
  exec_sum_over(run->device.exec, before);
  progress_clear(&run->progress);
  run_phase_solve(run, &report);
  run->report->linear = report.linear;
  if (status == ERR_NUMERIC) run_name_place(run, &w->setup, &report.linear, mat_block(w->a));
  run->report->converged = status == OK;
  return run_solved(run, status);
}

/* What rank 0 says of fields that are good, and its part of the files. */
static Status fields_store(Work *w) {
  Run *run = w->run;
  run->report->has_energy = true;
  run->report->energy = shown(w)->energy;
  TRY(results_store(w->output));
  progress_phase(&run->progress, PHASE_WRITE);
  run_measure(run); /* what the bandwidth takes is no part of the run's memory */
  return results_close(&w->output);
}

/* Ranks write their fields together where that can be, else rank 0 gets all of them. */
static Status shares_store(Work *w) {
  Run *run = w->run;
  bool placed = false;
  if (run->share) TRY(results_store_share(run, w->output, &w->fields, &placed));
  if (placed) TRY(elastic_collect_columns(run, &w->setup, &w->fields, &w->whole));
  else if (run->share) TRY(elastic_collect(run, &w->fields, &w->whole));
  if (run_speaks(run)) return fields_store(w);
  run_measure_memory(run);
  return OK;
}

/* Matrix and solver make room for the fields, which come to the host while the files are made, with the mesh in them,
 * where they are not there yet. */
static Status elasticity_store(Work *w) {
  Run *run = w->run;
  ElasticLook look;
  bool told = false;
  linear_destroy(&w->solver);
  mat_destroy(&w->a);
  progress_phase(&run->progress, PHASE_END);
  const unsigned which = elastic_fields_needed(run);
  TRY(elasticity_recover_start(w->elasticity, w->u, which, &w->fields));
  progress_phase(&run->progress, PHASE_RECOVER);
  if (run->rehearsed) return elastic_fields_wait(w->elasticity, &w->fields);
  run_guard(run, 1);
  if (run_speaks(run)) TRY(files_end(w));
  progress_phase(&run->progress, PHASE_WRITE);
  TRY(elastic_fields_wait(w->elasticity, &w->fields));
  TRY(elastic_totals(run, &w->fields));
  TRY(elastic_look(run, &w->fields, &look));
  TRY(ranks_agree(run, run_speaks(run) ? elastic_check_look(run, &look) : OK));
  TRY(elastic_look_at_bending(run, w->elasticity, w->u, w->fields.energy));
  TRY(ranks_agree(run, run_speaks(run) ? elastic_warn_of_peak(run->mesh, &w->setup, &look, &told) : OK));
  if (run_speaks(run)) elastic_extremes(run->mesh, &look, &w->fields, &run->report->extremes);
  told = false;
  if (!run->share) TRY(elastic_see_surface(run->c, run->mesh, &w->setup, &w->fields, &run->report->extremes, &told));
  progress_phase(&run->progress, PHASE_RECOVER);
  return shares_store(w);
}

static bool has_cases(Work *w) { return elastic_setup(run_setup(w->run, &w->setup))->n_act > 0; }

/* Load cases, from the matrix to the files. */
static Status load_cases_run(Work *w) {
  Run *run = w->run;
  const ElasticSolve with = {run, run_setup(run, &w->setup), &w->setup, w->elasticity, w->a, w->solver, w->parts};
  run->progress.goal = run->c->solver.rtol.value;
  run->solving = true;
  linear_set_poll(w->solver, progress_poll, &run->progress);
  TRY(elastic_cases_solve(&with, &w->cases));
  linear_destroy(&w->solver);
  mat_destroy(&w->a);
  progress_phase(&run->progress, PHASE_END);
  run_guard(run, 1);
  if (!run->rehearsed && run_speaks(run)) TRY(files_end(w));
  progress_phase(&run->progress, PHASE_WRITE);
  TRY(elastic_cases_store(&with, &w->cases, &w->fields, shown(w), w->output));
  if (run->rehearsed) return OK;
  if (!run_speaks(run)) {
    run_measure_memory(run);
    return OK;
  }
  run_measure(run);
  return results_close(&w->output);
}

static Status elasticity_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  LinearParams linear;
  TRY(linear_params_of_case(run->c, &linear));
  TRY(run_begin(run, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  elastic_setup(run_setup(run, &w->setup))->params.in_batches = true;
  elastic_setup(run_setup(run, &w->setup))->params.augmented = !has_cases(w) && elastic_may_have_levels(&linear);
  TRY(elastic_equation(run, &w->setup, &w->elasticity));
  TRY(elastic_matrix(run, w->elasticity, &w->a));
  linear.solves = linear.together = elastic_setup(run_setup(run, &w->setup))->n_act;
  TRY(elastic_solver(run, w->elasticity, w->a, &linear, &w->parts, &w->solver));
  if (!has_cases(w)) {
    EXEC_ALLOC(run->device.exec, w->u, elasticity_dofs(w->elasticity), "displacement");
    TRY(elasticity_initial(w->elasticity, w->u));
    TRY(elasticity_augment_linear(w->elasticity, w->u));
  }
  warnings_print();
  progress_phase(&run->progress, PHASE_SETUP);
  if (run_files_beside(run)) TRY(file_maker_begin(files_make, w, &w->maker));
  if (has_cases(w)) return load_cases_run(w);
  TRY(run_elasticity_solve(w));
  return elasticity_store(w);
}

Status run_elasticity(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, elasticity_pipeline, elasticity_release);
}
