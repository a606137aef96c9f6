/* Load cases: one matrix, and right-hand sides that are solved for several at a time; combinations are sums of what was
 * found, which linear elasticity allows, so that reactions and stresses of a combination are exact too. */
#include "app/elasticity/elastic.h"
#include "app/run/adapt.h"
#include "app/run/ranks.h"
#include "assembly/elasticity/augmented.h"
#include "core/clock.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/krylov/linear_many.h"

Status elastic_cases_begin(const Setup *setup, bool checked, int32_t i, Elasticity *elasticity) {
  const ElasticSetup *own = elastic_setup(setup);
  const ElasticActs *act = &own->act[i];
  ElasticityParams params = own->params;
  params.support = act->support, params.n_support = act->n_support;
  params.load = act->load, params.n_load = act->n_load;
  params.temperature = act->heated ? &act->temperature : NULL;
  const Status status = elasticity_load_case(elasticity, &params, act->name, own->act[0].name);
  if (status != OK) return status_context(status, "%s: in load case '%s'", act->where, act->name);
  CHECK(!checked || own->params.no_load || elasticity_has_load(elasticity), ERR_INPUT,
        "%s: load case '%s' has no load: no traction, pressure, force, body force or temperature other than 0 and no "
        "prescribed displacement other than 0\n  remedy: give it one, or leave it out",
        act->where, act->name);
  return OK;
}

static Status cases_alloc(const ElasticSolve *with, int32_t n, ElasticCases *out) {
  *out = (ElasticCases){.exec = with->run->device.exec, .dofs = elasticity_dofs(with->elasticity), .n = n};
  EXEC_ALLOC(out->exec, out->u, n * out->dofs, "displacement of load cases");
  EXEC_ALLOC(out->exec, out->f, n * out->dofs, "loads of load cases");
  ALLOC(out->linear, n, "load cases");
  return OK;
}

void elastic_cases_release(ElasticCases *cases) {
  if (!cases->exec) return;
  EXEC_RELEASE(cases->exec, cases->u, cases->n * cases->dofs);
  EXEC_RELEASE(cases->exec, cases->f, cases->n * cases->dofs);
  EXEC_RELEASE(cases->exec, cases->sum, 2 * cases->dofs);
  EXEC_RELEASE(cases->exec, cases->kept, cases->n * cases->n_kept);
  FREE(cases->linear);
  *cases = (ElasticCases){0};
}

/* Stiffness and preconditioner; *seconds of the assembly. */
static Status stiffness_assemble(const ElasticSolve *with, const double *u, double *seconds, double *bound_seconds) {
  const double begin = clock_seconds();
  bool blocks;
  TRY(elasticity_tangent(with->elasticity, u, mat_values(with->a)));
  TRY(exec_sync(with->run->device.exec)); /* for the clock */
  *seconds = clock_seconds() - begin;
  if (linear_wants_bound(with->solver, &blocks)) {
    double bound;
    TRY(elasticity_spectrum_bound(with->elasticity, blocks, &bound));
    linear_set_bound(with->solver, bound);
  }
  if (!elasticity_is_augmented(with->elasticity))
    elasticity_release_gathers(with->elasticity); /* room for the preconditioner */
  *bound_seconds = clock_seconds() - begin - *seconds;
  return linear_setup(with->solver);
}

Status elastic_cases_prepare(const ElasticSolve *with, const ElasticCases *cases, bool checked, int32_t i, double *b) {
  const size_t bytes = (size_t)elasticity_rows(with->elasticity) * sizeof *b;
  double *u = cases->u + i * cases->dofs;
  TRY(elastic_cases_begin(with->setup, checked, i, with->elasticity));
  TRY(elasticity_initial(with->elasticity, u));
  TRY(elasticity_residual(with->elasticity, u, b));
  return exec_copy(cases->exec, cases->f + i * cases->dofs, elasticity_external(with->elasticity), bytes);
}

Status elastic_cases_increments(LinearMany *many, const ElasticCases *cases, int32_t first, int32_t k, const double *b,
                                double *x, int32_t *failed) {
  const int64_t n = cases->dofs;
  TRY(linear_solve_many(many, b, x, k, cases->linear + first, failed));
  return vec_axpy(cases->exec, k * n, 1, x, cases->u + first * n);
}

/* Load cases [first, first + k): b is [k][rows], x [k][dofs]. */
static Status batch_solve(const ElasticSolve *with, LinearMany *many, const ElasticCases *cases, int32_t first,
                          int32_t k, double *b, double *x) {
  const bool whole = !with->run->rehearsed && !with->run->share;
  const int64_t rows = elasticity_rows(with->elasticity);
  int32_t failed = -1;
  for (int32_t i = 0; i < k; ++i) TRY(elastic_cases_prepare(with, cases, whole, first + i, b + i * rows));
  TRY(exec_zero(cases->exec, x, (size_t)(k * cases->dofs) * sizeof *x));
  const Status status = elastic_cases_increments(many, cases, first, k, b, x, &failed);
  if (failed >= 0)
    return status_context(status, "in load case '%s'", elastic_setup(with->setup)->act[first + failed].name);
  return status;
}

static Status batches_solve(const ElasticSolve *with, const ElasticCases *cases) {
  Status status = OK;
  LinearMany *many = NULL;
  double *b = NULL, *x = NULL;
  const int32_t room = cases->n < LINEAR_MANY ? cases->n : LINEAR_MANY;
  TRY(linear_many_create(with->solver, room, &many));
  TRY_DONE(exec_alloc(cases->exec, room * cases->dofs, sizeof *b, "right-hand sides", (void **)&b));
  TRY_DONE(exec_alloc(cases->exec, room * cases->dofs, sizeof *x, "increments", (void **)&x));
  for (int32_t first = 0; first < cases->n; first += room) {
    const int32_t left = cases->n - first;
    TRY_DONE(batch_solve(with, many, cases, first, left < room ? left : room, b, x));
  }
done:
  EXEC_RELEASE(cases->exec, b, room * cases->dofs);
  EXEC_RELEASE(cases->exec, x, room * cases->dofs);
  linear_many_destroy(&many);
  return status;
}

/* As batches_solve, of bodies that nearly keep their volume. Where turns get nowhere, the matrix gets all of the bulk moduli, for
 * what is left to do. */
static Status kept_solve(const ElasticSolve *with, ElasticCases *cases, StepReport *report, double *bound_seconds) {
  bool all;
  const double seconds = report->assembly_seconds;
  TRY(elastic_cases_iterate(with, cases, &all));
  if (all || with->run->rehearsed) return OK;
  TRY(elasticity_augment_end(with->elasticity));
  TRY(stiffness_assemble(with, cases->u, &report->assembly_seconds, bound_seconds));
  report->assembly_seconds += seconds;
  return elastic_cases_end(with, cases);
}

/* Sums over the load cases, whose preconditioner is set up once; the residual is the worst. */
static void cases_report(const ElasticCases *cases, LinearReport *sum) {
  double setup_seconds = 0;
  for (int32_t i = 0; i < cases->n; ++i) {
    const LinearReport *one = &cases->linear[i];
    const double residual = sum->true_residual;
    if (!one->preconditioner) continue; /* not reached */
    linear_report_add(sum, one);
    if (residual > sum->true_residual) sum->true_residual = residual;
    if (one->setup_seconds > setup_seconds) setup_seconds = one->setup_seconds;
  }
  sum->setup_seconds = setup_seconds;
}

/* From the matrix on; sums go over the parts of all ranks. */
static Status cases_solve(const ElasticSolve *with, ElasticCases *out, StepReport *report, double *bound_seconds) {
  const SumParts *before = exec_sum_over(out->exec, with->parts);
  Status status = elasticity_augment_linear(with->elasticity, out->u);
  if (status == OK) status = stiffness_assemble(with, out->u, &report->assembly_seconds, bound_seconds);
  if (status == OK)
    status = elasticity_is_augmented(with->elasticity) ? kept_solve(with, out, report, bound_seconds)
                                                       : batches_solve(with, out);
  exec_sum_over(out->exec, before);
  return status;
}

static Status cases_create(const ElasticSolve *with, int32_t n, ElasticCases *out) {
  TRY(cases_alloc(with, n, out));
  CHECK(elasticity_linear(with->elasticity), ERR_INPUT,
        "load cases need linear materials, since results are added\n  remedy: solve separate cases");
  return exec_zero(out->exec, out->u, (size_t)out->dofs * sizeof *out->u);
}

Status elastic_cases_assemble(const ElasticSolve *with, int32_t n, ElasticCases *out, StepReport *seconds) {
  double bound_seconds;
  TRY(cases_create(with, n, out));
  const SumParts *before = exec_sum_over(out->exec, with->parts);
  const Status status = stiffness_assemble(with, out->u, &seconds->assembly_seconds, &bound_seconds);
  exec_sum_over(out->exec, before);
  return status;
}

Status elastic_cases_solve(const ElasticSolve *with, ElasticCases *out) {
  StepReport report = {0};
  double bound_seconds = 0;
  Run *run = with->run;
  TRY(cases_create(with, elastic_setup(with->setup)->n_act, out));
  const Status status = cases_solve(with, out, &report, &bound_seconds);
  cases_report(out, &report.linear);
  report.linear.setup_seconds += bound_seconds;
  progress_clear(&run->progress);
  run_phase_solve(run, &report);
  run->report->linear = report.linear;
  if (status == ERR_NUMERIC) run_name_place(run, with->whole, &report.linear, mat_block(with->a));
  run->report->converged = status == OK;
  return run_solved(run, status);
}

/* The sum that combination i is, to the first two vectors of cases->sum; *gap: the sum of its factors. */
static Status combination_add(const ElasticSolve *with, ElasticCases *cases, int32_t i, double *gap) {
  const Case *c = with->run->c;
  const FactorsValue *factors = &case_combination(c, i)->factors;
  const int64_t n = cases->dofs;
  *gap = 0;
  TRY(exec_zero(cases->exec, cases->sum, (size_t)(2 * n) * sizeof *cases->sum));
  for (int32_t k = 0; k < factors->n; ++k) {
    const int32_t at = case_load_step_find(c, factors->item[k].name.text) - 1;
    *gap += factors->item[k].value;
    TRY(vec_axpy(cases->exec, n, factors->item[k].value, cases->u + at * n, cases->sum));
    TRY(vec_axpy(cases->exec, n, factors->item[k].value, cases->f + at * n, cases->sum + n));
    TRY(elastic_cases_keep(with, cases, at, factors->item[k].value, k == 0));
  }
  return OK;
}

/* Temperatures become those of step k, a load case or a combination. */
static Status step_heat(const ElasticSolve *with, const ElasticCases *cases, int32_t k) {
  const Case *c = with->run->c;
  const ElasticSetup *own = elastic_setup(with->setup);
  const FactorsValue *factors = k > cases->n ? &case_combination(c, k - 1 - cases->n)->factors : NULL;
  const int32_t n = factors ? factors->n : 1;
  const ScalarSource **source = NULL;
  double *factor = NULL;
  int32_t n_heat = 0;
  Status status = OK;
  if (!own->params.temperature) return OK;
  TRY(mem_alloc(n, sizeof *source, "temperatures of a combination", (void **)(void *)&source));
  ALLOC_DONE(factor, n, "temperatures of a combination");
  for (int32_t i = 0; i < n; ++i) {
    const ElasticActs *act = &own->act[factors ? case_load_step_find(c, factors->item[i].name.text) - 1 : k - 1];
    if (act->heated) source[n_heat] = &act->temperature, factor[n_heat++] = factors ? factors->item[i].value : 1;
  }
  status = elasticity_heat(with->elasticity, n_heat, source, factor);
done:
  mem_free((void **)(void *)&source);
  FREE(factor);
  return status;
}

/* Fields of step k, 1 and on. */
static Status step_recover(const ElasticSolve *with, ElasticCases *cases, int32_t k, ElasticFields *fields) {
  const bool solved = k <= cases->n;
  double gap = 1;
  if (solved) TRY(elastic_cases_keep(with, cases, k - 1, 1, true));
  else TRY(combination_add(with, cases, k - 1 - cases->n, &gap));
  (void)elasticity_set_gap(with->elasticity, gap);
  TRY(step_heat(with, cases, k));
  const double *u = solved ? cases->u + (k - 1) * cases->dofs : cases->sum;
  elasticity_set_external(with->elasticity, solved ? cases->f + (k - 1) * cases->dofs : cases->sum + cases->dofs);
  if (fields->own) TRY(elasticity_recover_again(with->elasticity, u, fields));
  else TRY(elasticity_recover_start(with->elasticity, u, elastic_fields_needed(with->run), fields));
  return elastic_fields_wait(with->elasticity, fields);
}

Status elastic_cases_recover(const ElasticSolve *with, ElasticCases *cases, int32_t i, ElasticFields *fields) {
  return step_recover(with, cases, i + 1, fields);
}

/* Of a step that was stored: what the report says of it. */
static void step_report(const ElasticSolve *with, const LinearReport *linear, int32_t k, const ElasticPeaks *peaks,
                        const ElasticFields *fields, double energy) {
  RunReport *report = with->run->report;
  RunLoadCase *of = &report->load_case[report->n_load_case++];
  *of = (RunLoadCase){.name = case_load_step(with->run->c, k)->text,
                      .iterations = linear ? linear->iterations : 0,
                      .true_residual = linear ? linear->true_residual : 0,
                      .energy = energy};
  elastic_extremes(with->run->mesh, peaks, fields, &of->extremes);
}

/* Of load cases: their combinations bend no other way. */
static Status step_bending(const ElasticSolve *with, const ElasticCases *cases, int32_t k, double energy,
                           Bending *worst) {
  Bending one = {0};
  if (k > cases->n) return OK;
  TRY(elastic_add_bending(with->run, with->elasticity, cases->u + (k - 1) * cases->dofs, energy, &one));
  *worst = elastic_worse_bending(*worst, one);
  return OK;
}

/* Fields of this rank to those that are shown, on rank 0. */
static Status step_show(const ElasticSolve *with, ElasticFields *fields, ElasticFields *shown) {
  if (!with->run->share) return OK;
  TRY(elastic_totals(with->run, fields));
  elastic_collect_release(shown);
  return elastic_collect(with->run, fields, shown);
}

Status elastic_cases_store(const ElasticSolve *with, ElasticCases *cases, ElasticFields *fields, ElasticFields *shown,
                           StaticOutput *output) {
  Run *run = with->run;
  RunReport *report = run->report;
  const Case *c = run->c;
  const int32_t n = cases->n + c->combinations.n;
  ElasticPeaks peaks;
  Bending bending = {0};
  bool told = adapt_goes_on(run), seen = told;
  EXEC_ALLOC(cases->exec, cases->sum, 2 * cases->dofs, "a combination");
  ALLOC(report->load_case, n, "load cases");
  for (int32_t k = 1; k <= n; ++k) {
    const LinearReport *linear = k <= cases->n ? &cases->linear[k - 1] : NULL;
    TRY(step_recover(with, cases, k, fields));
    if (run->rehearsed) return OK;
    if (k <= cases->n) TRY(elastic_add_errors(run, with->elasticity, fields));
    TRY(elastic_find_peaks(run, fields, &peaks));
    TRY(step_show(with, fields, shown));
    TRY(elastic_drop_rounding(run, with->setup, with->elasticity, fields->energy, fields));
    TRY(step_bending(with, cases, k, fields->energy, &bending));
    if (!run_is_root(run)) continue;
    const Status status = elastic_check_peaks(run, &peaks);
    if (status != OK) return status_context(status, "in step %d, '%s'", k, case_load_step(c, k)->text);
    TRY(elastic_warn_of_peak(run->mesh, with->whole, &peaks, &told));
    step_report(with, linear, k, &peaks, fields, shown->energy);
    TRY(elastic_see_surface(c, run->mesh, with->whole, shown, &report->load_case[k - 1].extremes, &seen));
    progress_phase(&run->progress, PHASE_RECOVER);
    TRY(results_store_case(output, k, shown, linear));
    progress_phase(&run->progress, PHASE_WRITE);
  }
  elastic_tell_bending(run, &bending);
  return run_is_root(run) ? results_store_envelopes(output) : OK;
}
