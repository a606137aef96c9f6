/* Motion by Newton's method, at finite strain or of materials that remember: the load steps of analysis_finite.c with inertia, by the generalised-alpha method
 * (solver/time/stepper_motion.c), and their energies. docs/theory/dynamics.md. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/motion_run.h"
#include "app/input/case_tables.h"
#include "app/run/ranks.h"
#include "assembly/elasticity/bolts.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/dissipated.h"
#include "assembly/elasticity/timed.h"
#include "assembly/elasticity/turning.h"
#include "core/memory.h"
#include "core/vec.h"
#include "output/wording.h"

#include <math.h>
#include <stdio.h>

/* Of the most that energies have been: what their sum may lose or gain before it is said. */
static const double DRIFT = 0.05;

static MotionRun *own(const ElasticRun *w) { return w->own; }

static Status motion_inertia(void *context, const double *x, double *r) {
  return elasticity_mass_residual(own(context)->of.mass, x, r);
}
static Status motion_inertia_everywhere(void *context, const double *x, double *r) {
  const ElasticRun *w = context;
  TRY(elasticity_mass_force(own(w)->of.mass, x, r));
  return elasticity_reduce_others(w->elasticity, r);
}
static Status motion_viscous(void *context, const double *u, const double *v, double *r) {
  return elasticity_viscous_residual(((const ElasticRun *)context)->elasticity, u, v, r);
}
static Status motion_viscous_everywhere(void *context, const double *u, const double *v, double *r) {
  const ElasticRun *w = context;
  TRY(elasticity_viscous_force(w->elasticity, u, v, r));
  return elasticity_reduce_others(w->elasticity, r);
}
static Status motion_internal(void *context, const double *u, double *r) {
  const ElasticRun *w = context;
  TRY(elasticity_internal_force(w->elasticity, u, r));
  return elasticity_reduce_others(w->elasticity, r);
}
static Status motion_free_only(void *context, double *v) {
  return elasticity_free_only(((const ElasticRun *)context)->elasticity, v);
}
static Status motion_rotate(void *context, double time, double *u) {
  ElasticRun *w = context;
  if (own(w)->finite.loaded != time) {
    own(w)->finite.loaded = (double)NAN; /* loads are those of another */
    TRY(elasticity_rotate_at_time(w->elasticity, time));
  }
  return elasticity_rotate(w->elasticity, u);
}
static Status motion_along(void *context, double *d) {
  return elasticity_rotate_along(((const ElasticRun *)context)->elasticity, d);
}
static Status motion_reduce(void *context, double *r) {
  return elasticity_rotate_reduce(((const ElasticRun *)context)->elasticity, r);
}
static Status motion_take(void *context, const double *from, double *to) {
  return elasticity_rotate_take(((const ElasticRun *)context)->elasticity, from, to);
}
static Status motion_renew(void *context, double time, double *u, double *v) {
  return elasticity_renew_equations(((const ElasticRun *)context)->elasticity, time, u, v);
}
/* Loads in force[0] less what inertia and dampers take of them in the step that ends at u; at rest the loads. */
static Status loads_left(ElasticRun *w, const double *u) {
  Exec *exec = w->run->device.exec;
  double *all = own(w)->force[0], *part = own(w)->force[1];
  const int64_t n = elasticity_rows(w->elasticity);
  StepRates at;
  TRY(exec_copy(exec, all, elasticity_external(w->elasticity), (size_t)n * sizeof *all));
  TRY(stepper_trial_rates(w->stepper, u, elasticity_contact_carries(w->elasticity), &at));
  if (!at.heavy) return OK;
  if (motion_hits(own(w)))
    TRY(vec_axpy(exec, n, -1 / (at.share * stepper_control(w->stepper)->dt), motion_hits(own(w)), all));
  TRY(elasticity_mass_force(own(w)->of.mass, at.heavy, part));
  TRY(vec_axpy(exec, n, 1 / at.share, part, all));
  if (motion_swerves(own(w))) TRY(vec_axpy(exec, n, 1 / at.share, motion_swerves(own(w)), all));
  TRY(motion_borne_leave(w, at.share, part, all));
  if (!own(w)->of.C) return OK;
  TRY(elasticity_viscous_force(w->elasticity, at.stiff, at.slow, part));
  return vec_axpy(exec, n, 1 / at.share, part, all);
}
/* These, of the step that ends at u, are the loads; or, u NULL, those of the time again. */
static Status loads_are_left(ElasticRun *w, const double *u) {
  if (u) own(w)->external = elasticity_external(w->elasticity);
  if (u) TRY(loads_left(w, u));
  elasticity_set_external(w->elasticity, u ? own(w)->force[0] : own(w)->external);
  return OK;
}
static Status motion_choose(void *context, const Stage *stage, double residual, double *u, bool *changed) {
  ElasticRun *w = context;
  (void)stage, (void)residual; /* of another measure than forces */
  TRY(loads_are_left(w, u));
  const Status status = elasticity_contact_update(w->elasticity, 0, u, changed);
  (void)loads_are_left(w, NULL);
  return status == OK && *changed ? motion_catch(w) : status;
}
/* What bolts bear. */
static Status motion_commit(void *context, const Stage *stage, const double *u, const double *before) {
  ElasticRun *w = context;
  TRY(loads_are_left(w, u));
  const Status status = own(w)->commit(context, stage, u, before);
  (void)loads_are_left(w, NULL);
  return status;
}

static Status motion_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  const ElasticRun *w = context;
  const ElasticOperators *of = &own(w)->of;
  /* M and C are those of what groups, obstacles and bolts hold now */
  const Elasticity *e = w->elasticity;
  const bool renews = elasticity_has_turning(e) || elasticity_touches(e) || elasticity_bolts(e) || elasticity_timed(e);
  double *values = mat_values(a);
  finite_set_step(w, stage);
  TRY(elasticity_tangent(w->elasticity, u, values));
  if (renews) TRY(elasticity_mass_matrix(of->mass, mat_values(of->M)));
  TRY(elasticity_combine(w->run->device.exec, of->n_value, stage->theta, values, stage->mass, mat_values(of->M),
                         values));
  if (of->C && (renews || elasticity_viscosity_varies(e)))
    TRY(elasticity_viscous_matrix(w->elasticity, u, mat_values(of->C)));
  return of->C ? vec_axpy(w->run->device.exec, of->n_value, stage->viscous, mat_values(of->C), values) : OK;
}

/* M and C are those of the matrix; what is in them is found with the next tangent. */
static Status motion_operators(ElasticRun *w, bool there) {
  elastic_operators_release(&own(w)->of);
  if (there) TRY(elastic_operators_create(w->run, w->elasticity, w->a, &own(w)->of));
  return there && own(w)->carried[0] ? motion_carried_find(w) : OK;
}

static Status motion_problem(ElasticRun *w, Problem *problem, StepperParams *params) {
  const CaseAnalysis *analysis = &w->run->c->analysis;
  const bool viscous = own(w)->of.C != NULL;
  TRY(finite_problem(w, problem, params));
  problem->tangent = motion_tangent;
  problem->motion = (MotionPart){.inertia = motion_inertia,
                                 .free_only = motion_free_only,
                                 .viscous = viscous ? motion_viscous : NULL,
                                 .internal = motion_internal,
                                 .inertia_everywhere = motion_inertia_everywhere,
                                 .viscous_everywhere = viscous ? motion_viscous_everywhere : NULL};
  if (elasticity_has_turning(w->elasticity))
    problem->motion.turning = (TurningPart){motion_rotate, motion_along, motion_reduce, motion_take};
  own(w)->commit = problem->commit;
  if (elasticity_bolts(w->elasticity)) problem->commit = motion_commit;
  if (elasticity_timed(w->elasticity)) problem->motion.renew = motion_renew;
  if (elasticity_touches(w->elasticity)) {
    problem->statics.choose = motion_choose;
    problem->motion.impact = motion_impact(w);
  }
  params->scheme = &generalized_alpha_scheme;
  params->dynamic = (DynamicParams){.rho_infinity = analysis->rho_infinity.value,
                                    .by_hht = place_given(analysis->hht.place),
                                    .hht = analysis->hht.value,
                                    .mass = analysis->damping.alpha.value,
                                    .velocity = own(w)->velocity};
  params->control.cuts = own(w)->finite.cuts = true;
  params->control.grow = params->control.shrink = 0; /* those of steps by their error */
  return OK;
}

static Status motion_prepare(ElasticRun *w) {
  const CaseInitial *initial = &w->run->c->initial;
  ElasticityParams *params = elastic_run_params(w), *whole = &elastic_setup(&w->setup)->params;
  TRY(finite_prepare(w));
  params->in_batches = params->augmented = false; /* mass needs all elements, and steps forces of one kind */
  params->damping = whole->damping = w->run->c->analysis.damping.beta.value;
  params->free_rim = own(w)->finite.free_rim = false; /* what is skew of a tangent is little beside inertia */
  params->allow_free_motion = whole->allow_free_motion = !case_rests_first(w->run->c);
  params->no_load = whole->no_load = initial->displacement.n > 0 || initial->velocity.n > 0 || initial->field.text;
  return OK;
}

/* Collective. */
static Status strain_find(ElasticRun *w, double *energy) {
  ElasticFields *fields = &own(w)->energy;
  elasticity_set_step(w->elasticity, 0);
  if (fields->own) TRY(elasticity_recover_again(w->elasticity, w->u, fields));
  else TRY(elasticity_recover_start(w->elasticity, w->u, FIELD_STRAIN_ENERGY, fields));
  TRY(elastic_fields_wait(w->elasticity, fields));
  TRY(elastic_totals(w->run, fields));
  *energy = fields->energy;
  return OK;
}

static Status motion_begin(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  if (elasticity_touches(w->elasticity) && !case_rests_first(w->run->c)) TRY(elasticity_contact_open(w->elasticity));
  TRY(transient_start(w, &own(w)->velocity));
  if (elasticity_touches(w->elasticity) && !case_rests_first(w->run->c))
    TRY(elasticity_contact_begins(w->elasticity, w->u, 0, true));
  TRY(finite_begin(w));
  TRY(elasticity_keep_turning(w->elasticity));
  own(w)->finite.operators = motion_operators;
  TRY(motion_operators(w, true));
  TRY(elasticity_mass_matrix(own(w)->of.mass, mat_values(own(w)->of.M)));
  if (own(w)->of.C) TRY(elasticity_viscous_matrix(w->elasticity, w->u, mat_values(own(w)->of.C)));
  for (int k = 0; k < 2; ++k) EXEC_ALLOC(exec, own(w)->force[k], w->n, "forces of inertia");
  TRY(motion_impact_begin(w));
  return strain_find(w, &own(w)->strain);
}

static bool has_muscle(const Case *c) {
  bool any = false;
  for (int32_t m = 0; m < c->materials.n; ++m) any |= place_given(case_material(c, m)->active.place);
  return any;
}

/* What there is now, and of a material that remembers what it has not kept of all that was done to it, less what muscle has done; where
 * heat has a part in that, what its states say. Collective. */
static Status energies_find(ElasticRun *w, RunEnergies *out) {
  StepEnergies step;
  TRY(stepper_energies(w->stepper, &step));
  own(w)->given = step.given;
  if (elasticity_contact_moves(w->elasticity)) { /* with what obstacles carry along */
    const double *v, *a;
    stepper_motion(w->stepper, &v, &a);
    TRY(elasticity_kinetic_energy(own(w)->of.mass, v, own(w)->force[0], &step.kinetic));
  }
  *out = (RunEnergies){.kinetic = step.kinetic, .dissipated = step.dissipated, .external = step.external};
  TRY(strain_find(w, &out->strain));
  double taken = 0;
  if (elastic_run_params(w)->heat_in_steps) TRY(finite_dissipated(w, &taken));
  else if (elasticity_remembers(w->elasticity) || has_muscle(w->run->c))
    taken = step.internal + own(w)->strain - out->strain;
  out->dissipated += taken;
  return OK;
}

static const char *const history[] = {FINITE_HISTORY, "kinetic_energy", "strain_energy", "dissipated_energy",
                                      "external_work"};

static Status motion_open(ElasticRun *w) {
  StreamParams params = {.n_history = COUNT(history), .history = history};
  TRY(finite_open_with(w, &params));
  TRY(energies_find(w, &own(w)->first));
  TRY(motion_impact_rest(w));
  own(w)->first.kinetic -= own(w)->given;
  own(w)->most = fmax(fabs(own(w)->first.kinetic), own(w)->first.strain);
  return OK;
}

/* The forces that supports bear are those of loads, stress, dampers and inertia. */
static Status motion_store(ElasticRun *w) {
  Exec *exec = w->run->device.exec;
  const double *u[3] = {w->u}, *external = elasticity_external(w->elasticity);
  double *all = own(w)->force[0];
  const int64_t n = elasticity_rows(w->elasticity);
  stepper_motion(w->stepper, &u[1], &u[2]);
  TRY(motion_inertia_find(w));
  TRY(vec_axpy(exec, n, 1, external, all));
  elasticity_set_external(w->elasticity, all);
  const Status status = elastic_run_store(w, u);
  elasticity_set_external(w->elasticity, external);
  return status;
}

/* How far their sum is from what loads and supports have done, and how large energies have been. */
static void balance_watch(ElasticRun *w, const RunEnergies *now) {
  MotionRun *o = own(w);
  const double had = o->first.kinetic + o->first.strain + o->first.dissipated - o->first.external;
  const double drift = now->kinetic - o->given + now->strain + now->dissipated - now->external - had;
  o->most = fmax(o->most, fmax(fabs(now->kinetic), fabs(now->strain)));
  if (!(fabs(drift) <= fabs(o->drift))) o->drift = drift, o->drift_at = w->run->report->time;
}

bool finite_rests_at(const Case *c, double time) {
  return c->steps.n > 0 && !case_step_moves(c, case_step_at(c, time));
}

static Status motion_next(ElasticRun *w, bool *more) {
  RunEnergies *now = &w->run->report->energies;
  double row[COUNT(history)];
  (void)more;
  if (finite_rests_at(w->run->c, w->run->report->time)) TRY(finite_work_begin(w));
  TRY(finite_rotate(w));
  if (elasticity_slides(w->elasticity)) TRY(finite_slide(w));
  TRY(motion_impact_next(w));
  TRY(motion_bear_begin(w));
  TRY(motion_press_begin(w));
  TRY(finite_step(w, row));
  finite_slide_end(w);
  const bool rests = finite_rests_at(w->run->c, w->run->report->time);
  if (rests) TRY(finite_work_add(w));
  if (rests) TRY(motion_impact_rest(w));
  TRY(energies_find(w, now));
  balance_watch(w, now);
  double *at = row + FINITE_COLUMNS;
  *at++ = now->kinetic, *at++ = now->strain, *at++ = now->dissipated, *at++ = now->external;
  return result_stream_history(w->stream, row);
}

static Status motion_end(ElasticRun *w) {
  const MotionRun *o = own(w);
  const SumParts *before = exec_sum_over(w->run->device.exec, w->parts);
  const Status status = energies_find(w, &w->run->report->energies); /* of a run that had no step left as well */
  exec_sum_over(w->run->device.exec, before);
  TRY(status);
  w->run->report->has_energies = true;
  if (run_is_root(w->run) && !elastic_run_params(w)->heat_in_steps && fabs(o->drift) > DRIFT * o->most)
    status_warn("the energies do not balance: at t = %g kinetic, strain and dissipated energy have together %s %.3g %s "
                "what loads and supports have done, %.2g of the largest energy\n  likely: %s\n  remedy: shorter steps, "
                "or 'adaptive: {tolerance: 1e-3}' under 'time:'",
                o->drift_at, o->drift > 0 ? "gained" : "lost", fabs(o->drift), o->drift > 0 ? "beyond" : "of",
                fabs(o->drift) / o->most,
                finite_rests_at(w->run->c, o->drift_at)
                    ? "load steps too long for the path: their work is that of forces which change straight"
                : o->drift > 0
                    ? "steps too long for the motion"
                    : "vibrations that are faster than the steps, which rho-infinity below 1, or hht below 0, lets go");
  return finite_end(w);
}

static Status motion_release(ElasticRun *w, Status status) {
  Exec *exec = w->run->device.exec;
  MotionRun *o = own(w);
  elastic_fields_release(&o->energy);
  finite_work_release(w);
  for (int k = 0; exec && k < 2; ++k) EXEC_RELEASE(exec, o->force[k], w->n);
  motion_impact_release(w);
  if (exec) EXEC_RELEASE(exec, o->velocity, w->n);
  elastic_operators_release(&o->of);
  return status;
}

void motion_save(const RunReport *report, Json *json) {
  report_save_steps(report, json);
  json_integer(json, "newton_iterations", report->heart.newton);
  json_integer(json, "linear_solves", report->linear.solves);
  finite_contact_save(report, json);
  finite_bolts_save(report, json);
  if (!report->has_energies) return;
  json_number(json, "kinetic_energy", report->energies.kinetic);
  json_number(json, "dissipated_energy", report->energies.dissipated);
  json_number(json, "external_work", report->energies.external);
}

void motion_print(const RunReport *report, const Case *c) {
  finite_print(report, c);
  if (report->has_energies)
    printf("energies     kinetic %.6g, dissipated %.6g; loads and supports have done %.6g\n", report->energies.kinetic,
           report->energies.dissipated, report->energies.external);
}

const Analysis motion_analysis = {
    .fields = FIELDS_MOTION,
    .own = sizeof(MotionRun),
    .prepare = motion_prepare,
    .begin = motion_begin,
    .problem = motion_problem,
    .open = motion_open,
    .next = motion_next,
    .store = motion_store,
    .end = motion_end,
    .release = motion_release,
    .physics = {LOAD_STEPS_PHYSICS(ANALYSIS_MOTION | HAS_MEMORY | HAS_LARGE_STRAIN | HAS_INERTIA),
                .analysis = "transient", .strain = "finite", .check = motion_check, .step_unit = UNIT_TIME,
                .save_steps = motion_save, .print_steps = motion_print}};
