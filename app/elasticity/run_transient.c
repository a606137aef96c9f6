/* Elasticity in time with inertia, from a case to files: K and M once, then steps of the generalised-alpha method
 * (solver/time/stepper_dynamic.c), or of each mode by itself (transient_modes.c). docs/theory/dynamics.md. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_fields.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_system.h"
#include "app/elasticity/transient.h"
#include "app/elasticity/transient_modes.h"
#include "app/run/ranks.h"
#include "app/run/run_state.h"
#include "core/memory.h"
#include "core/vec.h"
#include "solver/time/stepper.h"

#include <math.h>

typedef struct Work {
  Run *run;
  Setup setup;
  Elasticity *elasticity;
  int64_t n;
  Mat *a, *m; /* m: mass, of modes; NULL: direct */
  ElasticOperators of;
  double *u, *velocity;  /* on the Exec, [n]: displacement; velocity at the start */
  TransientModes *modes; /* NULL: direct, */
  double *moving[3];     /* by modes: velocity, acceleration, displacement at the time that is stored, on the Exec */
  LinearSolver *solver;
  const SumParts *parts; /* of sums in the solve */
  Stepper *stepper;
  TransientOutput output;
  Bending bending;
} Work;

static Status transient_release(void *work) {
  Work *w = work;
  Exec *exec = w->run->device.exec;
  const Status status = transient_output_close(&w->output);
  progress_phase(&w->run->progress, PHASE_WRITE);
  stepper_destroy(&w->stepper);
  linear_destroy(&w->solver);
  transient_modes_destroy(&w->modes);
  mat_destroy(&w->m);
  mat_destroy(&w->a);
  for (int k = 0; exec && k < 3; ++k) EXEC_RELEASE(exec, w->moving[k], w->n);
  if (exec) EXEC_RELEASE(exec, w->u, w->n);
  if (exec) EXEC_RELEASE(exec, w->velocity, w->n);
  elastic_operators_release(exec, &w->of);
  elasticity_destroy(&w->elasticity);
  setup_release(&w->setup);
  return status;
}

static Status motion_force(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  const Work *w = context;
  (void)slope;
  TRY(elasticity_load_at_time(w->elasticity, stage->target));
  return elasticity_residual(w->elasticity, u, r);
}
static Status motion_inertia(void *context, const double *x, double *r) {
  return elasticity_mass_residual(((const Work *)context)->of.mass, x, r);
}
static Status motion_viscous(void *context, const double *v, double *r) {
  return elasticity_viscous_residual(((const Work *)context)->elasticity, v, r);
}
static Status motion_free_only(void *context, double *v) {
  return elasticity_free_only(((const Work *)context)->elasticity, v);
}
static Status motion_constrain(void *context, double time, double *u) {
  return elasticity_prescribed_at_time(((const Work *)context)->elasticity, time, u);
}
static Status motion_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  const Work *w = context;
  (void)u;
  TRY(elasticity_combine(w->run->device.exec, w->of.n_value, stage->theta, w->of.K, stage->mass, w->of.M,
                         mat_values(a)));
  return w->of.C ? vec_axpy(w->run->device.exec, w->of.n_value, stage->viscous, w->of.C, mat_values(a)) : OK;
}

/* A vector of the system from expressions at the nodes, in the global frame; what none is given for is 0. */
static Status initial_fill(Work *w, const ExprsValue *value, const char *what, double *out) {
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

static Status motion_start(Work *w) {
  const CaseInitial *initial = &w->run->c->initial;
  Exec *exec = w->run->device.exec;
  EXEC_ALLOC(exec, w->u, w->n, "displacement");
  TRY(elasticity_initial(w->elasticity, w->u));
  if (initial->displacement.n) TRY(initial_fill(w, &initial->displacement, "initial displacement", w->u));
  TRY(elasticity_prescribed_at_time(w->elasticity, 0, w->u));
  TRY(elasticity_independent_only(w->elasticity, w->u));
  if (!initial->velocity.n) return OK;
  EXEC_ALLOC(exec, w->velocity, w->n, "velocity");
  return initial_fill(w, &initial->velocity, "initial velocity", w->velocity);
}

static Status problem_make(Work *w, Problem *out) {
  if (w->modes) return transient_modes_solve(w->modes, out);
  *out = (Problem){.context = w,
                   .n = elasticity_rows(w->elasticity),
                   .linear = true,
                   .constrain = motion_constrain,
                   .force = motion_force,
                   .motion.inertia = motion_inertia,
                   .motion.free_only = motion_free_only,
                   .motion.viscous = w->of.C ? motion_viscous : NULL,
                   .tangent = motion_tangent};
  /* where none of a rank's own does, it takes part in what the others do about it */
  TRY(ranks_any(w->run, elasticity_load_varies(w->elasticity), &out->load_varies));
  return ranks_any(w->run, elasticity_prescribed_varies(w->elasticity), &out->constraint_varies);
}

static Status stepper_make(Work *w) {
  const Case *c = w->run->c;
  const CaseAnalysis *analysis = &c->analysis;
  Problem problem;
  StepperParams params = {.scheme = &generalized_alpha_scheme,
                          .dynamic = {.rho_infinity = analysis->rho_infinity.value,
                                      .mass = analysis->damping.alpha.value,
                                      .stiffness = analysis->damping.beta.value,
                                      .velocity = w->velocity}};
  StepEvent *event = NULL;
  TRY(problem_make(w, &problem));
  TRY(run_step_control(c, &params.control, &event));
  const Status status =
      stepper_create(w->run->device.exec, &problem, &params, w->modes ? NULL : w->a, w->solver, &w->stepper);
  FREE(event);
  return status;
}

static Status transient_store(Work *w, double time) {
  const double *velocity, *acceleration;
  progress_phase(&w->run->progress, PHASE_SOLVE);
  if (w->modes) {
    TRY(transient_modes_fill(w->modes, w->moving[2], w->moving[0], w->moving[1]));
    velocity = w->moving[0], acceleration = w->moving[1];
  } else stepper_motion(w->stepper, &velocity, &acceleration);
  const double *u = w->modes ? w->moving[2] : w->u;
  TRY(transient_output_store(&w->output, time, u, velocity, acceleration));
  progress_phase(&w->run->progress, PHASE_WRITE);
  return elastic_watch_bending(w->run, w->elasticity, u, &w->bending);
}

/* From a checkpoint, or from t = 0. */
static Status start_time(Work *w) {
  Run *run = w->run;
  bool resumed;
  TRY(stepper_make(w));
  TRY(run_start(run, w->stepper, w->u, &resumed));
  TRY(transient_output_create(run, &w->setup, w->elasticity, &w->output));
  warnings_print();
  progress_phase(&run->progress, PHASE_SOLVE); /* of modes, where there are any */
  if (resumed) return OK;
  TRY(transient_store(w, 0));
  return result_stream_finish(w->output.stream);
}

static Status one_step(void *context) {
  Work *w = context;
  Run *run = w->run;
  StepReport step = {0};
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
  TRY(result_stream_history(w->output.stream, row));
  run_add_step(run, &step);
  return step_control_at_output(stepper_control(w->stepper)) ? transient_store(w, step.time) : OK;
}

static Status solve_in_time(Work *w) {
  run_guard(w->run, 1);
  TRY(start_time(w));
  return run_in_time(w->run, w->stepper, w->output.stream, one_step, w);
}

/* How many solves a set-up of the preconditioner serves, for `auto`. */
static int32_t solves_expected(const Case *c) {
  enum { MOST = 1000 };
  return (int32_t)fmin(MOST, ceil(run_steps(c)));
}

/* Newmark's formulae make accelerations of prescribed displacements, with errors that alternate: undamped they grow with
 * time, as that times the third derivative of the motion. */
static void warn_of_acceleration(const Work *w) {
  const Case *c = w->run->c;
  bool wanted = elastic_field_asked(c, ELASTIC_ACCELERATION);
  for (int32_t i = 0; i < c->output.probes.n; ++i) wanted |= elastic_probe(c, i).row == ELASTIC_ACCELERATION;
  if (wanted && c->analysis.rho_infinity.value == 1 && elasticity_prescribed_varies(w->elasticity))
    status_warn(
        "with rho-infinity 1 the error of accelerations at and beside supports that move does not fade: it grows "
        "with time\n  remedy: rho-infinity 0.95 or less; displacements and velocities are right with 1 too");
}

static Status direct_create(Work *w, LinearParams *linear) {
  Run *run = w->run;
  warn_of_acceleration(w);
  TRY(elastic_operators_create(run, w->elasticity, w->a, &w->of));
  TRY(elastic_operators_assemble(w->elasticity, w->u, &w->of));
  linear->solves = solves_expected(run->c);
  return elastic_solver(run, w->elasticity, w->a, linear, &w->parts, &w->solver);
}

static Status modes_create(Work *w, LinearParams *linear) {
  TRY(mat_create_like(w->a, PRECISION_DOUBLE, &w->m));
  TRY(elastic_mass(w->run->c, w->elasticity, false, &w->of.mass));
  elasticity_mass_reduce(w->of.mass);
  TRY(elasticity_tangent(w->elasticity, w->u, mat_values(w->a)));
  TRY(elasticity_mass_matrix(w->of.mass, mat_values(w->m)));
  for (int k = 0; k < 3; ++k) EXEC_ALLOC(w->run->device.exec, w->moving[k], w->n, "motion that is stored");
  const TransientModesParams params = {w->elasticity, w->of.mass, w->a, w->m, w->u, w->velocity};
  return transient_modes_create(w->run, &params, linear, &w->modes);
}

static Status transient_pipeline(void *work) {
  Work *w = work;
  Run *run = w->run;
  const Case *c = run->c;
  LinearParams linear;
  TRY(linear_params_of_case(c, &linear));
  TRY(run_begin(run, &w->setup));
  TRY(run_check_memory(run, &w->setup));
  Exec *exec = run->device.exec;
  ElasticityParams *params = &elastic_setup(run_setup(run, &w->setup))->params;
  CHECK(!case_by_modes(c) || !run->share, ERR_INPUT,
        "'method: modes' is for one rank\n  remedy: 'method: direct', or one rank");
  if (!case_by_modes(c)) /* inertia holds it */
    params->allow_free_motion = elastic_setup(&w->setup)->params.allow_free_motion = true;
  params->no_load = elastic_setup(&w->setup)->params.no_load =
      c->initial.displacement.n > 0 || c->initial.velocity.n > 0;
  params->end = c->time.end.value;
  TRY(elastic_equation(run, &w->setup, &w->elasticity));
  w->n = elasticity_dofs(w->elasticity);
  TRY(motion_start(w));
  TRY(elastic_matrix(run, w->elasticity, &w->a));
  TRY(case_by_modes(c) ? modes_create(w, &linear) : direct_create(w, &linear));
  run->solving = true;
  run->progress.goal = linear.rtol;
  const SumParts *before = exec_sum_over(exec, w->parts);
  const Status status = solve_in_time(w);
  exec_sum_over(exec, before);
  TRY(status);
  run->report->converged = true;
  if (w->bending.looks) /* anything was stored */
    TRY(elastic_add_bending(run, w->elasticity, w->modes ? w->moving[2] : w->u, 0, &w->bending));
  elastic_tell_bending(run, &w->bending);
  progress_phase(&run->progress, PHASE_RECOVER);
  if (run_speaks(run)) run_measure(run);
  else run_measure_memory(run);
  return OK;
}

Status run_transient(Run *run) {
  Work w = {.run = run};
  return run_pipeline(run, &w, transient_pipeline, transient_release);
}
