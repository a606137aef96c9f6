/* Elasticity in time with inertia, from a case to files: K and M once, then steps of the generalised-alpha method
 * (solver/time/stepper_dynamic.c), or of each mode by itself (transient_modes.c). docs/theory/dynamics.md. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/transient.h"
#include "app/input/case_tables.h"
#include "app/run/may_factor.h"
#include "app/run/ranks.h"
#include "app/run/run_state.h"
#include "assembly/elasticity/augmented.h"
#include "core/memory.h"
#include "core/vec.h"

#include <math.h>

static TransientRun *own(const ElasticRun *w) { return w->own; }

/* ---- products with the matrices, where no support moves: they have no columns of those ---- */

static int64_t rows(const ElasticRun *w) { return elasticity_rows(w->elasticity); }

/* r <- r - A x at free unknowns, 0 elsewhere. */
static Status product_less(const ElasticRun *w, const Mat *a, const double *x, double *r) {
  TRY(mat_apply(a, x, own(w)->product));
  TRY(vec_axpy(w->run->device.exec, rows(w), -1, own(w)->product, r));
  return elasticity_free_only(w->elasticity, r);
}

/* What acts now, and what the stress of a body has that no product with K has: of supports and gaps. */
static Status force_without_stress(const ElasticRun *w, double *r) {
  TRY(elasticity_load(w->elasticity, r));
  return vec_axpy(w->run->device.exec, rows(w), 1, own(w)->rest, r);
}

/* rest = r - f + K u of the start, for all times. */
static Status rest_find(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  bool moves;
  TRY(ranks_any(w->run, elasticity_prescribed_varies(w->elasticity), &moves));
  if (moves) return OK;
  double *rest = NULL;
  EXEC_ALLOC(exec, own(w)->product, w->n, "product with a matrix");
  EXEC_ALLOC(exec, rest, w->n, "forces of supports that stay");
  own(w)->rest = rest;
  TRY(elasticity_load_at_time(w->elasticity, 0));
  TRY(elasticity_residual(w->elasticity, w->u, rest));
  TRY(elasticity_load(w->elasticity, own(w)->product));
  TRY(vec_axpy(exec, rows(w), -1, own(w)->product, rest));
  TRY(mat_apply(own(w)->of.K, w->u, own(w)->product));
  return vec_axpy(exec, rows(w), 1, own(w)->product, rest);
}

static Status motion_force(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  const ElasticRun *w = context;
  (void)slope;
  TRY(elasticity_load_at_time(w->elasticity, stage->target));
  if (!own(w)->rest) return elasticity_residual(w->elasticity, u, r);
  TRY(force_without_stress(w, r));
  return product_less(w, own(w)->of.K, u, r);
}
static Status motion_inertia(void *context, const double *x, double *r) {
  const ElasticRun *w = context;
  if (!own(w)->rest) return elasticity_mass_residual(own(w)->of.mass, x, r);
  TRY(exec_zero(w->run->device.exec, r, (size_t)rows(w) * sizeof *r));
  return product_less(w, own(w)->of.M, x, r);
}
static Status motion_viscous(void *context, const double *u, const double *v, double *r) {
  const ElasticRun *w = context;
  if (!own(w)->rest) return elasticity_viscous_residual(w->elasticity, u, v, r);
  TRY(exec_zero(w->run->device.exec, r, (size_t)rows(w) * sizeof *r));
  return product_less(w, own(w)->of.C, v, r);
}
static Status motion_free_only(void *context, double *v) {
  return elasticity_free_only(((const ElasticRun *)context)->elasticity, v);
}
static Status motion_constrain(void *context, double time, double *u) {
  return elasticity_prescribed_at_time(((const ElasticRun *)context)->elasticity, time, u);
}
static Status motion_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  (void)u;
  return elastic_operators_combine(&own(context)->of, stage->theta, stage->mass, stage->viscous, a);
}

/* A vector of the system from expressions at the nodes, in the global frame; what none is given for is 0. */
static Status initial_fill(ElasticRun *w, const ExprsValue *value, const char *what, double *out) {
  const Mesh *mesh = run_mesh(w->run);
  const int32_t dim = case_dim(w->run->c);
  double *host = NULL;
  Status status = OK;
  ALLOC_DONE(host, w->n, what);
  for (int64_t k = 0; k < elasticity_rows(w->elasticity); ++k) {
    const int32_t node = elasticity_node(w->elasticity, k), c = (int32_t)(k % dim);
    if (c >= value->n && !value->single) continue;
    host[k] = expr_value(&value->item[c].expr, mesh->x[node], 0);
    if (!isfinite(host[k])) {
      status = FAIL(ERR_INPUT, "%s:%d:%d: %s is %g at node %lld, (%g, %g, %g)", w->run->c->path, value->place.line,
                    value->place.column, what, host[k], (long long)mesh->node_tag[node], mesh->x[node][0],
                    mesh->x[node][1], mesh->x[node][2]);
      goto done;
    }
  }
  TRY_DONE(exec_upload(w->run->device.exec, out, host, (size_t)w->n * sizeof *host));
  TRY_DONE(elasticity_local_frame(w->elasticity, out));
done:
  FREE(host);
  return status;
}

/* From data of the mesh, likewise. */
static Status initial_take(ElasticRun *w, const double (*from)[3], double *out) {
  const int32_t dim = case_dim(w->run->c);
  double *host = NULL;
  Status status = OK;
  ALLOC_DONE(host, w->n, "initial velocity");
  for (int64_t k = 0; k < elasticity_rows(w->elasticity); ++k)
    host[k] = from[elasticity_node(w->elasticity, k)][k % dim];
  TRY_DONE(exec_upload(w->run->device.exec, out, host, (size_t)w->n * sizeof *host));
  TRY_DONE(elasticity_local_frame(w->elasticity, out));
done:
  FREE(host);
  return status;
}

Status transient_start(ElasticRun *w, double **velocity) {
  const CaseInitial *initial = &w->run->c->initial;
  TRY(elastic_run_u(w));
  if (initial->displacement.n) TRY(initial_fill(w, &initial->displacement, "initial displacement", w->u));
  if (initial->velocity.n || initial->field.text) EXEC_ALLOC(w->run->device.exec, *velocity, w->n, "velocity");
  if (initial->field.text)
    TRY(initial_take(w, (const double(*)[3])elastic_setup(run_setup(w->run, &w->setup))->velocity, *velocity));
  else if (initial->velocity.n) TRY(initial_fill(w, &initial->velocity, "initial velocity", *velocity));
  if (!case_rests_first(w->run->c)) TRY(rigid_start(w, velocity));
  TRY(elasticity_prescribed_at_time(w->elasticity, 0, w->u));
  return elasticity_independent_only(w->elasticity, w->u);
}

static Status transient_problem(ElasticRun *w, Problem *problem, StepperParams *params) {
  const CaseAnalysis *analysis = &w->run->c->analysis;
  params->scheme = &generalized_alpha_scheme;
  params->dynamic.rho_infinity = analysis->rho_infinity.value;
  params->dynamic.by_hht = place_given(analysis->hht.place), params->dynamic.hht = analysis->hht.value;
  params->dynamic.mass = analysis->damping.alpha.value;
  params->dynamic.stiffness = analysis->damping.beta.value;
  params->dynamic.velocity = own(w)->velocity;
  if (own(w)->modes) return transient_modes_solve(own(w)->modes, problem);
  *problem = (Problem){.context = w,
                       .n = elasticity_rows(w->elasticity),
                       .linear = true,
                       .constrain = motion_constrain,
                       .force = motion_force,
                       .motion.inertia = motion_inertia,
                       .motion.free_only = motion_free_only,
                       .motion.viscous = own(w)->of.C ? motion_viscous : NULL,
                       .tangent = motion_tangent};
  return OK;
}

/* By then modes, or the acceleration at the start, are found. */
static Status transient_open(ElasticRun *w) {
  progress_phase(&w->run->progress, PHASE_SOLVE);
  static const char *const history[] = {"time",     "dt",       "rejected",     "iterations",
                                        "products", "restarts", "true_residual"};
  StreamParams params = {.n_history = (int)COUNT(history), .history = history};
  return elastic_run_stream(w, &params);
}

static Status transient_store(ElasticRun *w) {
  const double *u[3] = {own(w)->moving[2], own(w)->moving[0], own(w)->moving[1]};
  if (own(w)->modes) TRY(transient_modes_fill(own(w)->modes, own(w)->moving[2], own(w)->moving[0], own(w)->moving[1]));
  else u[0] = w->u, stepper_motion(w->stepper, &u[1], &u[2]);
  TRY(elastic_run_store(w, u));
  return w->stored ? elastic_watch_bending(w->run, w->elasticity, u[0], &own(w)->bending) : OK;
}

static Status transient_next(ElasticRun *w, bool *more) {
  Run *run = w->run;
  StepReport step = {0};
  (void)more;
  const Status status = stepper_step(w->stepper, 1, &step);
  if (status == ERR_NUMERIC) run_name_place(run, &w->setup, &step.linear, mat_block(w->a));
  if (status != OK) return status_context(status, "in the step from time %g", run->report->time);
  const double row[] = {step.time,
                        step.dt,
                        step.rejected,
                        (double)step.linear.iterations,
                        (double)step.linear.products,
                        step.linear.restarts,
                        step.linear.true_residual};
  TRY(result_stream_history(w->stream, row));
  run_add_step(run, &step);
  return OK;
}

/* How many solves a set-up of the preconditioner serves, for `auto`. */
static int32_t solves_expected(const Case *c) {
  enum { MOST = 1000 };
  return (int32_t)fmin(MOST, ceil(run_steps(c)));
}

/* Newmark's formulae make accelerations of prescribed displacements, with errors that alternate: undamped they grow with
 * time, as that times the third derivative of the motion. */
static void warn_of_acceleration(const ElasticRun *w) {
  const Case *c = w->run->c;
  bool wanted = elastic_field_asked(c, ELASTIC_ACCELERATION);
  for (int32_t i = 0; i < c->output.probes.n && run_is_root(w->run); ++i) /* which has the probes */
    wanted |= elastic_setup(&w->setup)->probe[i].row == ELASTIC_ACCELERATION;
  if (wanted &&
      (place_given(c->analysis.hht.place) ? c->analysis.hht.value == 0 : c->analysis.rho_infinity.value == 1) &&
      elasticity_prescribed_varies(w->elasticity))
    status_warn("with rho-infinity 1 and with hht 0 the error of accelerations at and beside supports that move does "
                "not decay: it grows "
                "with time\n  remedy: rho-infinity 0.95 or less; displacements and velocities are right with 1 too");
}

static Status direct_create(ElasticRun *w) {
  Run *run = w->run;
  warn_of_acceleration(w);
  TRY(elastic_operators_create(run, w->elasticity, w->a, &own(w)->of));
  TRY(elastic_operators_assemble(w->elasticity, w->u, &own(w)->of));
  TRY(rest_find(w));
  w->linear.solves = solves_expected(run->c);
  if (run_may_factor(run, w->a, &w->linear) && !elasticity_is_augmented(w->elasticity))
    run_spare(run, elasticity_pattern(w->elasticity), &w->linear);
  return elastic_solver(run, w->elasticity, w->a, &w->linear, &w->parts, &w->solver);
}

static Status modes_create(ElasticRun *w) {
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &own(w)->m));
  TRY(elastic_mass(w->run->c, w->elasticity, false, &own(w)->of.mass));
  elasticity_mass_reduce(own(w)->of.mass);
  TRY(elasticity_tangent(w->elasticity, w->u, mat_values(w->a)));
  TRY(elasticity_mass_matrix(own(w)->of.mass, mat_values(own(w)->m)));
  for (int k = 0; k < 3; ++k) EXEC_ALLOC(w->run->device.exec, own(w)->moving[k], w->n, "motion that is stored");
  const TransientModesParams params = {w->elasticity, own(w)->of.mass, w->a, own(w)->m, w->u, own(w)->velocity};
  TRY(transient_modes_create(w->run, &params, &w->linear, &own(w)->modes));
  w->parts = run_parts(w->run, linear_choice(w->run->device.exec, &w->linear, w->a));
  return OK;
}

static Status transient_prepare(ElasticRun *w) {
  const Case *c = w->run->c;
  ElasticityParams *params = elastic_run_params(w), *whole = &elastic_setup(&w->setup)->params;
  if (!case_by_modes(c)) params->allow_free_motion = whole->allow_free_motion = true; /* inertia holds it */
  params->no_load = whole->no_load =
      c->initial.displacement.n > 0 || c->initial.velocity.n > 0 || c->initial.field.text;
  params->end = c->time.end.value;
  return OK;
}

static Status transient_begin(ElasticRun *w) {
  TRY(transient_start(w, &own(w)->velocity));
  TRY(elastic_matrix(w->run, w->elasticity, &w->a));
  return case_by_modes(w->run->c) ? modes_create(w) : direct_create(w);
}

static Status transient_end(ElasticRun *w) {
  Bending *bending = &own(w)->bending;
  if (bending->calls) /* anything was stored */
    TRY(elastic_add_bending(w->run, w->elasticity, own(w)->modes ? own(w)->moving[2] : w->u, 0, bending));
  elastic_tell_bending(w->run, bending);
  return OK;
}

static Status transient_release(ElasticRun *w, Status status) {
  Exec *exec = w->run->device.exec;
  if (status == OK && w->spread.most > 0)
    elastic_spread_warn(w->run, &w->spread, "at t = %g",
                        "check the units of young, density, loads, initial values and mesh, and the supports");
  transient_modes_destroy(&own(w)->modes);
  mat_destroy(&own(w)->m);
  for (int k = 0; exec && k < 3; ++k) EXEC_RELEASE(exec, own(w)->moving[k], w->n);
  if (exec) EXEC_RELEASE(exec, own(w)->velocity, w->n);
  elastic_operators_release(&own(w)->of);
  if (exec) EXEC_RELEASE(exec, own(w)->rest, w->n);
  if (exec) EXEC_RELEASE(exec, own(w)->product, w->n);
  return status;
}

const Analysis transient_analysis = {
    .fields = FIELDS_TRANSIENT,
    .own = sizeof(TransientRun),
    .prepare = transient_prepare,
    .begin = transient_begin,
    .problem = transient_problem,
    .open = transient_open,
    .next = transient_next,
    .store = transient_store,
    .end = transient_end,
    .release = transient_release,
    .physics = {ANALYSIS_PHYSICS(ANALYSIS_TRANSIENT | HAS_STEPS | HAS_INERTIA), .analysis = "transient",
                .check = transient_check, .cell_tables = ELASTIC_CELL_TABLES, .step_unit = UNIT_TIME,
                .save_steps = report_save_steps, .print_steps = report_print_steps, .shares = true,
                .cost = {.build = 40e-6, .step = 20e-6, .launch = 0.003}, .steps = run_steps}};
