/* Static elasticity: one solve, or one for each load case. */
#include "app/elasticity/acts.h"
#include "app/elasticity/adapt_dual.h"
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_run.h"
#include "app/run/adapt.h"
#include "app/run/ranks.h"
#include "assembly/elasticity/augmented.h"
#include "assembly/elasticity/elasticity.h"
#include "core/memory.h"
#include "core/vec.h"
#include "algebra/mat.h"
#include "solver/time/stepper.h"
#include "output/file_maker.h"

#include <math.h>

typedef struct StaticRun {
  ElasticCases cases;
  ElasticDual dual;
  ElasticFields whole; /* on rank 0 of several: of all shares */
  StaticOutput *output;
  Worker *maker; /* makes the files while a GPU solves; has HDF5 as long as it is there */
} StaticRun;

static StaticRun *own(const ElasticRun *w) { return w->own; }

/* What goes to the files. */
static ElasticFields *shown(ElasticRun *w) { return w->run->share ? &own(w)->whole : &w->fields; }

static Status files_make(void *work, int32_t slot) {
  ElasticRun *w = work;
  (void)slot;
  return results_open(w->run, &w->setup, shown(w), &own(w)->output);
}

/* The files are there. */
static Status files_end(ElasticRun *w) {
  return own(w)->maker || own(w)->output ? file_maker_end(&own(w)->maker) : files_make(w, 0);
}

static Status static_release(ElasticRun *w, Status status) {
  (void)file_maker_end(&own(w)->maker);
  const Status closed = results_close(&own(w)->output);
  elastic_collect_release(&own(w)->whole);
  elastic_cases_release(&own(w)->cases);
  elastic_dual_release(w, &own(w)->dual);
  return status == OK ? closed : status;
}

static Status solution_residual(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  (void)stage, (void)slope;
  TRY(elasticity_residual(context, u, r));
  return elasticity_check_answer(context);
}
static Status solution_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)stage;
  TRY(elasticity_tangent(context, u, mat_values(a)));
  if (elasticity_linear(context) && !elasticity_is_augmented(context)) /* which may need them once more */
    elasticity_release_gathers(context);                               /* room for the preconditioner */
  return OK;
}
static Status solution_eliminate(void *context, const double *u, double *m, bool everywhere, double *change) {
  return elasticity_augment_eliminate(context, u, m, everywhere, change);
}
static Status solution_bound(void *context, const Stage *stage, bool blocks, double *out) {
  (void)stage;
  return elasticity_spectrum_bound(context, blocks, out);
}

static Status solve_once(ElasticRun *w, double rtol, StepReport *report) {
  Problem problem = {.context = w->elasticity,
                     .n = elasticity_rows(w->elasticity),
                     .linear = elasticity_linear(w->elasticity),
                     .force = solution_residual,
                     .tangent = solution_tangent,
                     .bound = solution_bound};
  if (elasticity_is_augmented(w->elasticity)) problem.multipliers.eliminate = solution_eliminate;
  problem.multipliers.value = elasticity_kept(w->elasticity, &problem.multipliers.n);
  linear_set_rtol(w->solver, rtol);
  return stepper_solve(w->run->device.exec, &problem, rtol, w->a, w->solver, w->u, report);
}

Status elastic_left(Exec *exec, Elasticity *elasticity, double first, double *u, double *r, double *left,
                    double *rtol) {
  static const double LOOSEST = 0.5;
  const int64_t n = elasticity_rows(elasticity);
  double norm = 0;
  TRY(elasticity_residual(elasticity, u, r));
  TRY(vec_norm(exec, n, r, r + n));
  TRY(exec_download(exec, &norm, r + n, sizeof norm));
  *left = first > 0 ? norm / first : (double)INFINITY;
  if (!(*left <= 1)) {
    TRY(elasticity_initial(elasticity, u));
    TRY(elasticity_residual(elasticity, u, r));
    *left = 1;
  }
  *rtol = fmin(LOOSEST, *rtol / *left);
  return OK;
}

void elastic_left_add(LinearReport *sum, const LinearReport *report, double left) {
  linear_report_add(sum, report);
  sum->true_residual *= left;
  sum->recursive_residual *= left;
}

/* Where turns of the changes of volume that elements keep get nowhere, the matrix gets all of the bulk moduli, for what is left to do. */
static Status solve_as_needed(ElasticRun *w, StepReport *report) {
  Exec *exec = w->run->device.exec;
  const int64_t n = elasticity_rows(w->elasticity);
  double rtol = w->run->c->solver.rtol.value, left, *r = NULL;
  Status status = solve_once(w, rtol, report);
  if (status != ERR_NUMERIC || !elasticity_is_augmented(w->elasticity) || w->run->rehearsed) return status;
  const StepReport first = *report;
  status_clear();
  TRY(elasticity_augment_end(w->elasticity));
  EXEC_ALLOC(exec, r, n + 1, "residual");
  status = elastic_left(exec, w->elasticity, first.linear.norm_b, w->u, r, &left, &rtol);
  EXEC_RELEASE(exec, r, n + 1);
  TRY(status);
  status = solve_once(w, rtol, report);
  LinearReport sum = first.linear;
  elastic_left_add(&sum, &report->linear, left);
  report->linear = sum;
  report->assembly_seconds += first.assembly_seconds;
  return status;
}

static Status solution_solve(ElasticRun *w) {
  Run *run = w->run;
  StepReport report = {0};
  const SumParts *before = exec_sum_over(run->device.exec, w->parts);
  const Status status = solve_as_needed(w, &report);
  exec_sum_over(run->device.exec, before);
  progress_clear(&run->progress);
  run_phase_solve(run, &report);
  run->report->linear = report.linear;
  if (status == ERR_NUMERIC) run_name_place(run, &w->setup, &report.linear, mat_block(w->a));
  run->report->converged = status == OK;
  TRY(run_solved(run, status));
  return elastic_dual_solve(w, &own(w)->dual);
}

/* What rank 0 says of fields that are good, and its part of the files. */
static Status fields_store(ElasticRun *w) {
  Run *run = w->run;
  run->report->has_energy = true;
  run->report->energy = shown(w)->energy;
  return results_store(own(w)->output);
}

/* Ranks write their fields together where that can be, else rank 0 gets all of them. */
static Status shares_store(ElasticRun *w) {
  Run *run = w->run;
  bool placed = false;
  if (run->share) TRY(results_store_share(run, own(w)->output, &w->fields, &placed));
  if (placed) TRY(elastic_collect_columns(run, &w->setup, &w->fields, &own(w)->whole));
  else if (run->share) TRY(elastic_collect(run, &w->fields, &own(w)->whole));
  return run_is_root(run) ? fields_store(w) : OK;
}

Status elastic_solution_tell(Run *run, const Setup *setup, Elasticity *elasticity, const double *u,
                             const ElasticFields *fields) {
  ElasticPeaks peaks;
  bool told = adapt_goes_on(run);
  TRY(elastic_find_peaks(run, fields, &peaks));
  TRY(ranks_agree(run, run_is_root(run) ? elastic_check_peaks(run, &peaks) : OK));
  TRY(elastic_check_bending(run, elasticity, u, fields->energy));
  TRY(ranks_agree(run, run_is_root(run) ? elastic_warn_of_peak(run->mesh, setup, &peaks, &told) : OK));
  if (run_is_root(run)) elastic_extremes(run->mesh, &peaks, fields, &run->report->extremes);
  told = adapt_goes_on(run);
  return run->share ? OK : elastic_see_surface(run->c, run->mesh, setup, fields, &run->report->extremes, &told);
}

/* Matrix and solver make room for the fields, which come to the host while the files are made, with the mesh in them,
 * where they are not there yet. */
static Status solution_store(ElasticRun *w) {
  Run *run = w->run;
  linear_destroy(&w->solver);
  mat_destroy(&w->a);
  progress_phase(&run->progress, PHASE_END);
  const FieldBits which = elastic_fields_needed(run);
  TRY(elasticity_recover_start(w->elasticity, w->u, which, &w->fields));
  progress_phase(&run->progress, PHASE_RECOVER);
  if (run->rehearsed) return elastic_fields_wait(w->elasticity, &w->fields);
  run_guard(run, 1);
  if (run_is_root(run)) TRY(files_end(w));
  progress_phase(&run->progress, PHASE_WRITE);
  TRY(elastic_fields_wait(w->elasticity, &w->fields));
  TRY(elastic_totals(run, &w->fields));
  TRY(elastic_drop_rounding(run, run_setup(run, &w->setup), w->elasticity, w->fields.energy, &w->fields));
  TRY(elastic_add_errors(run, w->elasticity, &w->fields));
  TRY(elastic_dual_errors(w, &own(w)->dual));
  TRY(elastic_solution_tell(run, &w->setup, w->elasticity, w->u, &w->fields));
  progress_phase(&run->progress, PHASE_RECOVER);
  return shares_store(w);
}

static bool has_cases(ElasticRun *w) { return elastic_setup(run_setup(w->run, &w->setup))->n_act > 0; }

static ElasticSolve solve_with(ElasticRun *w) {
  return (ElasticSolve){w->run, run_setup(w->run, &w->setup), &w->setup, w->elasticity, w->a, w->solver, w->parts};
}

/* All load cases, combinations and envelopes. */
static Status cases_store(ElasticRun *w) {
  Run *run = w->run;
  const ElasticSolve with = solve_with(w);
  linear_destroy(&w->solver);
  mat_destroy(&w->a);
  progress_phase(&run->progress, PHASE_END);
  run_guard(run, 1);
  if (!run->rehearsed && run_is_root(run)) TRY(files_end(w));
  progress_phase(&run->progress, PHASE_WRITE);
  return elastic_cases_store(&with, &own(w)->cases, &w->fields, shown(w), own(w)->output);
}

static Status static_prepare(ElasticRun *w) {
  elastic_run_params(w)->in_batches = true;
  elastic_run_params(w)->augmented = elastic_may_have_levels(&w->linear);
  return OK;
}

static Status static_begin(ElasticRun *w) {
  TRY(elastic_matrix(w->run, w->elasticity, &w->a));
  w->linear.solves = elastic_setup(run_setup(w->run, &w->setup))->n_act;
  w->linear.together = elasticity_is_augmented(w->elasticity) ? 0 : w->linear.solves;
  TRY(elastic_solver_or_direct(w->run, w->elasticity, w->a, &w->linear, false, &w->parts, &w->solver));
  if (has_cases(w)) return OK;
  TRY(elastic_run_u(w));
  return elasticity_augment_linear(w->elasticity, w->u);
}

static Status static_open(ElasticRun *w) {
  return run_files_beside(w->run) ? file_maker_begin(files_make, w, &own(w)->maker) : OK;
}

static Status static_next(ElasticRun *w, bool *more) {
  const ElasticSolve with = solve_with(w);
  *more = false;
  linear_set_poll(w->solver, progress_poll, &w->run->progress);
  return has_cases(w) ? elastic_cases_solve(&with, &own(w)->cases) : solution_solve(w);
}

static Status static_store(ElasticRun *w) { return has_cases(w) ? cases_store(w) : solution_store(w); }

/* What acts, but for what is part of the stiffness. */
static const char *const point_keys[] = {
#define ACT(type, member, value, load, on, roles, ...)                                                                 \
  ((roles) & (ACT_LOAD | ACT_MOTION)) && !((roles)&ACT_STIFFNESS) ? "boundary.*." #member : "",
#include "app/input/acts.def"
    "boundary.*.rigid.force", "boundary.*.rigid.moment", "body.*.gravity",
    "body.*.centrifugal",     "thermal.temperature",     NULL};

const Analysis static_analysis = {.fields = FIELDS_STATIC,
                                  .own = sizeof(StaticRun),
                                  .prepare = static_prepare,
                                  .begin = static_begin,
                                  .open = static_open,
                                  .next = static_next,
                                  .store = static_store,
                                  .release = static_release,
                                  .physics = {ANALYSIS_PHYSICS(ANALYSIS_STATIC), .check = elasticity_check,
                                              .sum_letters = elasticity_sum_letters, .cell_sums = ELASTIC_CELL_SUMS,
                                              .cell_tables = ELASTIC_CELL_TABLES, .step_unit = UNIT_TIME,
                                              .shares = true, .cost = {.build = 55e-6}, .run_together = static_together,
                                              .point_keys = point_keys, .points_share = true}};
