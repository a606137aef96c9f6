/* Points of a sweep that differ in what acts alone: one stiffness and one preconditioner for all, whose right-hand sides are solved
 * for several at a time, as those of load cases, from the best sum of solutions before. Each point has the files of a run of its own; what is there of it at a time are
 * its setup and its fields, so that any number of points takes the memory of eight. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_run.h"
#include "app/run/ranks.h"
#include "app/run/together.h"
#include "assembly/elasticity/elasticity.h"
#include "core/memory.h"
#include "physics/material.h"
#include "solver/krylov/linear_many.h"
#include "solver/krylov/warm.h"

typedef struct PointsWork {
  ElasticRun r; /* of the first point, for what all share */
  Together *all;
  int32_t next;                      /* of all->point */
  int32_t n;                         /* points that are solved now: */
  TogetherPoint *point[LINEAR_MANY]; /* borrowed */
  ElasticActs act[LINEAR_MANY];      /* what acts in them: views of their setups, but for the list of loads */
  ElasticCases cases;                /* their solutions */
  LinearMany *many;
  Warm *warm;    /* solutions that others begin near */
  double *rest;  /* owned, on the Exec: 0, what of their right-hand sides is left, about */
  double *b, *x; /* owned, on the Exec: right-hand sides and increments of LINEAR_MANY points */
} PointsWork;

/* What is in the way, by name. */
static Status points_refuse(const Case *c) {
  if (c->load_cases.n) return together_refuse("a case with 'load-cases:'");
  if (place_given(c->adapt.place)) return together_refuse("a case with 'adapt:'");
  if (c->thermal.temperature.results.text) return together_refuse("a temperature of 'results:'");
  return OK;
}

static Status temperatures_refuse(const Setup *setup) {
  const ElasticSetup *own = elastic_setup(setup);
  for (int32_t m = 0; own->params.temperature && m < own->params.n_material; ++m)
    if (material_over_temperature(own->material[m].kind, own->material[m].value))
      return together_refuse("a parameter at several temperatures");
  return OK;
}

/* Springs are part of the stiffness, which has them. */
static Status acts_of_point(const TogetherPoint *p, ElasticActs *out) {
  const ElasticityParams *params = &elastic_setup(&p->setup)->params;
  *out = (ElasticActs){.name = p->folder, .where = p->c->path, .n_support = params->n_support};
  out->support = (Support *)(uintptr_t)params->support;
  ALLOC(out->load, params->n_load, "loads of a point");
  for (int32_t i = 0; i < params->n_load; ++i)
    if (!load_is_coefficient(params->load[i].kind)) out->load[out->n_load++] = params->load[i];
  out->heated = params->temperature != NULL;
  if (out->heated) out->temperature = *params->temperature;
  return OK;
}

static ElasticSolve solve_with(const PointsWork *w) {
  const ElasticRun *r = &w->r;
  return (ElasticSolve){r->run, &r->setup, &r->setup, r->elasticity, r->a, r->solver, r->parts};
}

/* The point is the next of those that are solved now, and its right-hand side is there. */
static Status point_begin(PointsWork *w, TogetherPoint *p) {
  const ElasticSolve with = solve_with(w);
  const int64_t rows = elasticity_rows(w->r.elasticity);
  ElasticSetup *own = elastic_setup(&w->r.setup);
  TRY(together_point_open(w->r.run, p, &w->r.setup));
  TRY(acts_of_point(p, &w->act[w->n]));
  w->point[w->n] = p;
  own->act = w->act, own->n_act = w->n + 1;
  const Status status = elastic_cases_prepare(&with, &w->cases, false, w->n, w->b + w->n * rows);
  if (status != OK) FREE(w->act[w->n].load);
  else ++w->n;
  return status;
}

static void batch_release(PointsWork *w) {
  for (int32_t k = 0; k < w->n; ++k) {
    FREE(w->act[k].load);
    together_point_release(w->point[k]);
  }
  w->n = 0;
}

static Status batch_begin(PointsWork *w) {
  for (; w->n < LINEAR_MANY && w->next < w->all->n; ++w->next) {
    TogetherPoint *p = &w->all->point[w->next];
    const Status status = point_begin(w, p);
    if (status == OK) continue;
    TRY(together_point_fail(w->all, status, p));
    together_point_release(p);
  }
  return OK;
}

/* The files of a point that is solved. */
static Status point_store(void *work, int32_t k) {
  PointsWork *w = work;
  const ElasticSolve with = solve_with(w);
  Run *run = w->r.run, *own = &w->point[k]->run;
  TogetherPoint *p = w->point[k];
  StaticOutput *output = NULL;
  TRY(elastic_cases_recover(&with, &w->cases, k, &w->r.fields));
  TRY(elastic_solution_tell(own, &p->setup, w->r.elasticity, w->cases.u + k * w->cases.dofs, &w->r.fields));
  progress_phase(&run->progress, PHASE_RECOVER);
  run->report->linear = w->cases.linear[k];
  together_tell(run, p);
  p->report.unknowns = run->report->unknowns, p->report.entries = run->report->entries;
  p->report.has_energy = true, p->report.energy = w->r.fields.energy;
  Status status = results_open(own, &p->setup, &w->r.fields, &output);
  if (status == OK) status = results_store(output);
  const Status closed = results_close(&output);
  TRY(status);
  TRY(closed);
  progress_phase(&run->progress, PHASE_WRITE);
  return together_point_save(run, p);
}

static Status batch_store(PointsWork *w) {
  const double *external = elasticity_external(w->r.elasticity);
  const Status status = together_points_store(w->all, w->n, w->point, point_store, w);
  elasticity_set_external(w->r.elasticity, external);
  return status;
}

/* Where one fails, no point of the batch is known to be right. */
static Status batch_solve(PointsWork *w) {
  ElasticRun *r = &w->r;
  int32_t failed = -1;
  linear_set_poll(r->solver, progress_poll, &r->run->progress);
  const int64_t rows = elasticity_rows(r->elasticity), n = w->cases.dofs;
  const WarmNear none = {0};
  const SumParts *before = exec_sum_over(r->run->device.exec, r->parts);
  Status status = exec_zero(r->run->device.exec, w->rest, (size_t)rows * sizeof *w->rest);
  for (int32_t k = 0; k < w->n && status == OK; ++k) status = warm_begin(w->warm, w->b + k * rows, &none, w->x + k * n);
  if (status == OK) status = elastic_cases_increments(w->many, &w->cases, 0, w->n, w->b, w->x, &failed);
  for (int32_t k = 0; k < w->n && status == OK; ++k)
    status = warm_keep(w->warm, w->b + k * rows, w->rest, &none, w->x + k * n, NULL);
  exec_sum_over(r->run->device.exec, before);
  progress_phase(&r->run->progress, PHASE_SOLVE);
  for (int32_t k = 0; k < w->n && status != OK; ++k) TRY(together_point_fail(w->all, status, w->point[k]));
  if (status != OK) batch_release(w);
  return OK;
}

static Status points_solve(PointsWork *w) {
  Run *run = w->r.run;
  const int64_t dofs = w->cases.dofs;
  TRY(linear_many_create(w->r.solver, w->cases.n, &w->many));
  TRY(warm_create(run->device.exec, elasticity_rows(w->r.elasticity), &w->warm));
  EXEC_ALLOC(run->device.exec, w->rest, elasticity_rows(w->r.elasticity), "right-hand sides");
  EXEC_ALLOC(run->device.exec, w->b, w->cases.n * dofs, "right-hand sides");
  EXEC_ALLOC(run->device.exec, w->x, w->cases.n * dofs, "increments");
  while (w->next < w->all->n) {
    TRY(batch_begin(w));
    progress_phase(&run->progress, PHASE_SETUP);
    if (w->n) TRY(batch_solve(w));
    run_guard(run, 1);
    TRY(batch_store(w));
    batch_release(w);
    TRY(together_goes_on(run, w->all->n - w->next));
  }
  return together_failures(w->all);
}

static Status points_end(void *work) {
  PointsWork *w = work;
  Exec *exec = w->r.run->device.exec;
  batch_release(w);
  linear_many_destroy(&w->many);
  warm_destroy(&w->warm);
  if (w->cases.exec) {
    EXEC_RELEASE(exec, w->rest, elasticity_rows(w->r.elasticity));
    EXEC_RELEASE(exec, w->b, w->cases.n * w->cases.dofs);
    EXEC_RELEASE(exec, w->x, w->cases.n * w->cases.dofs);
  }
  elastic_cases_release(&w->cases);
  if (w->r.setup.own) elastic_setup(&w->r.setup)->act = NULL, elastic_setup(&w->r.setup)->n_act = 0;
  return elastic_run_release(&w->r);
}

/* Equation, matrix and preconditioner, of the first point. */
static Status points_stiffness(PointsWork *w) {
  ElasticRun *r = &w->r;
  Run *run = r->run;
  StepReport seconds = {0};
  const int32_t room = w->all->n < LINEAR_MANY ? w->all->n : LINEAR_MANY;
  TRY(run_check_memory(run, &r->setup));
  elastic_run_params(r)->in_batches = true;
  TRY(elastic_equation(run, &r->setup, &r->elasticity));
  TRY(elastic_matrix(run, r->elasticity, &r->a));
  r->linear.solves = r->linear.together = w->all->n;
  TRY(elastic_solver_or_direct(run, r->elasticity, r->a, &r->linear, false, &r->parts, &r->solver));
  progress_phase(&run->progress, PHASE_SETUP);
  run->progress.goal = r->linear.rtol;
  run->solving = run->report->converged = true;
  const ElasticSolve with = solve_with(w);
  TRY(elastic_cases_assemble(&with, room, &w->cases, &seconds));
  progress_phase(&run->progress, PHASE_PREPARE);
  run->report->seconds[PHASE_ASSEMBLY] += seconds.assembly_seconds;
  run->report->seconds[PHASE_PREPARE] -= seconds.assembly_seconds;
  return OK;
}

static Status points_pipeline(void *work) {
  PointsWork *w = work;
  ElasticRun *r = &w->r;
  Run *run = r->run;
  TRY(together_load(run, w->all));
  if (w->all->n == 0) return OK;
  run->c = w->all->point[0].c;
  TRY(linear_params_of_case(run->c, &r->linear));
  TRY(setup_create(run->c, run->mesh, &r->setup));
  TRY(run_choose_device(run));
  if (run->c->physics->solve_setup) TRY(run->c->physics->solve_setup(run->c, run->mesh, run->device.exec, &r->setup));
  TRY(temperatures_refuse(&r->setup));
  status_warnings_clear(); /* that each point has from its own setup */
  TRY(ranks_share(run, &r->setup));
  TRY(points_stiffness(w));
  return points_solve(w);
}

Status static_together(Run *run, Together *all) {
  PointsWork w = {.r = {.run = run, .analysis = &static_analysis}, .all = all};
  for (int32_t k = 0; k < all->n; ++k) TRY(points_refuse(all->point[k].c));
  return together_run(run, &w, points_pipeline, points_end);
}
