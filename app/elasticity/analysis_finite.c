/* Elasticity at finite strain, from a case to files: load steps in pseudo-time, each solved by Newton's method
 * (solver/time/stepper_static.c). docs/theory/finite-strain.md. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "app/elasticity/transient.h"
#include "app/input/case_tables.h"
#include "app/run/ranks.h"
#include "app/run/run_state.h"
#include "assembly/elasticity/augmented.h"
#include "assembly/elasticity/bolts.h"
#include "assembly/elasticity/contacts.h"
#include "assembly/elasticity/timed.h"
#include "core/clock.h"
#include "core/memory.h"
#include "physics/material.h"
#include "solver/precond/precond.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Newton steps of a load step at most, and how much longer or shorter the next one becomes. */
enum { NEWTON_MOST = 20, AUGMENTED_MOST = 60 };
/* Easier problems on the way to one with kinks or with gaps of equations, and to one whose surfaces were found anew. */
enum { EASIER = 7, EASIER_SLIDES = 3, TENSION_EXACT = 0 };
static const double GROW = 1.5, SHRINK = 0.5;
/* Of what is left of forces, the most that changes of volume may leave. */
static const double UNSEEN = 100;

static FiniteRun *own(const ElasticRun *w) { return w->own; }

/* What equations prescribe grows with time, over the first step, or is there from the start. */
static double grown(const ElasticRun *w, double time) {
  const Case *c = w->run->c;
  return elastic_has(c, HAS_INERTIA) && !case_rests_first(c)
             ? 1
             : fmin(1, time / (c->steps.n ? case_step(c, 0)->end.value : c->time.end.value));
}
/* Of an easier problem, nearer to those of the last step. */
static Status hold_gaps(const ElasticRun *w, double time) {
  const double gap = grown(w, time);
  TRY(elasticity_grow_equations(w->elasticity, gap + own(w)->eased * (grown(w, w->run->report->time) - gap)));
  if (!case_small_first(w->run->c)) return OK;
  return elasticity_set_strain(w->elasticity, !case_small_at(w->run->c, time));
}

/* The temperature of a time: of the case, or of the steps that it comes from and goes to. */
static Status hold_heat(ElasticRun *w, double time) {
  const Case *c = w->run->c;
  const ElasticSetup *setup = elastic_setup(run_setup(w->run, &w->setup));
  const ScalarSource **source = NULL;
  double *factor = NULL, *at = NULL;
  Status status = OK;
  if (!setup->params.temperature) return OK;
  if (!setup->n_heat)
    return elasticity_renew(w->elasticity, POINT_TEMPERATURE, setup->params.temperature, time,
                            case_heat_ramps(c) ? grown(w, time) : 1);
  ALLOC_DONE(source, setup->n_heat, "temperatures of steps");
  ALLOC_DONE(factor, setup->n_heat, "temperatures of steps");
  ALLOC_DONE(at, setup->n_heat, "temperatures of steps");
  for (int32_t k = 0; k < setup->n_heat; ++k) {
    const CaseWindow *window = &setup->heat[k].window;
    source[k] = &setup->heat[k].source;
    factor[k] = window->share ? expr_table_value(window->share, time) : 1;
    at[k] = window->clock ? expr_table_value(window->clock, time) : time;
  }
  status = elasticity_renew_heat(w->elasticity, setup->n_heat, source, factor, at);
done:
  mem_free((void **)(void *)&source);
  FREE(factor);
  FREE(at);
  return status;
}

/* Loads and temperatures of a time. */
static Status hold_time(ElasticRun *w, double time) {
  const Case *c = w->run->c;
  if (own(w)->loaded == time) return OK;
  TRY(elasticity_load_at_time(w->elasticity, time));
  finite_turning_loaded(w);
  TRY(finite_cavities_press(&own(w)->cavities, time));
  TRY(elasticity_press_cavities(w->elasticity, own(w)->cavities.pressure)); /* sizes of inputs see it */
  TRY(hold_heat(w, time));
  TRY(elasticity_activate(w->elasticity, elastic_run_params(w), time, case_tension_ramps(c) ? grown(w, time) : 1));
  if (w->cells.drive) TRY(w->cells.drive(w->cells.context, time));
  own(w)->loaded = time;
  return OK;
}

void finite_set_step(const ElasticRun *w, const Stage *stage) {
  const Case *c = w->run->c;
  int32_t k = 0;
  while (k + 1 < c->steps.n && stage->target > case_step(c, k)->end.value * (1 + 1e-12)) ++k;
  const bool creeps = !c->steps.n || case_step(c, k)->creep.value;
  elasticity_set_step(w->elasticity, creeps ? stage->dt : -stage->dt);
}

static Status body_force(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  ElasticRun *w = context;
  (void)slope;
  TRY(hold_gaps(w, stage->target));
  finite_set_step(w, stage);
  TRY(hold_time(w, stage->target));
  TRY(elasticity_press_cavities(w->elasticity, own(w)->cavities.pressure));
  TRY(finite_turning_load(w, stage->target, u));
  TRY(elasticity_residual(w->elasticity, u, r));
  return elasticity_check_answer(w->elasticity);
}
static Status body_scale(void *context, double *scale) {
  return elasticity_force_scale(((const ElasticRun *)context)->elasticity, scale);
}
static Status body_constrain(void *context, double time, double *u) {
  return elasticity_prescribed_at_time(((const ElasticRun *)context)->elasticity, time, u);
}
static Status body_keep(void *context, int n, const double *const *at, const double *weight) {
  const ElasticRun *w = context;
  TRY(hold_gaps(w, w->run->report->time));
  return elasticity_augment_start(w->elasticity, n, at, weight);
}
/* Those of u alone. */
static Status keep_here(ElasticRun *w) {
  const double *const at[] = {w->u};
  return elasticity_augment_start(w->elasticity, 1, at, (const double[]){1});
}
static Status body_follow(void *context, const double *u) {
  return elasticity_augment(((const ElasticRun *)context)->elasticity, u);
}
static Status body_eliminate(void *context, const double *x, double *m, bool everywhere, double *change) {
  return elasticity_augment_eliminate(((const ElasticRun *)context)->elasticity, x, m, everywhere, change);
}
static Status body_couple(void *context, const double *u, double *lag) {
  const ElasticRun *w = context;
  if (own(w)->free_rim) TRY(elasticity_beyond_at(w->elasticity, u));
  return elasticity_augment_couple(w->elasticity, u, lag);
}
static Status body_beyond(void *context, const double *x, double *change) {
  return elasticity_beyond(((const ElasticRun *)context)->elasticity, x, change);
}
/* Pressures that forces say nothing of, as of a body that supports enclose, have all of the bulk modulus in the matrix. */
static Status body_settle(void *context, const double *u, double goal, bool *again) {
  const ElasticRun *w = context;
  double left;
  *again = false;
  if (!elasticity_is_augmented(w->elasticity)) return OK;
  TRY(elasticity_augment_left(w->elasticity, u, &left));
  *again = left > UNSEEN * goal;
  return *again ? elasticity_augment_end(w->elasticity) : OK;
}
/* There are no multipliers: tangents are not exact where a surface under pressure has a free rim, and steps are mixed. */
static Status body_stays(void *context, const double *u) {
  (void)context, (void)u;
  return OK;
}
static bool has_kinks(const Case *c) {
  bool any = false;
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const CaseMaterial *of = case_material(c, m);
    const int tension = material_parameter(of->type.value, "tension");
    any = any || (tension >= 0 && of->value[tension].value == TENSION_EXACT);
  }
  return any;
}
/* Gaps that are found anew jump between bodies alone: on obstacles an easier problem would be the same again. */
static bool gaps_jump(const ElasticRun *w) {
  const ElasticityParams *params = &elastic_setup(run_setup(w->run, &w->setup))->params;
  bool jump = false;
  for (int32_t i = 0; i < params->n_obstacle; ++i)
    jump |= params->obstacle[i].slides && params->obstacle[i].kind == OBSTACLE_BODY;
  return jump;
}

/* At the first guess one unknown of each equation bears all that its value has grown. */
static bool gaps_grow(const Case *c) {
  bool grow = false;
  for (int32_t i = 0; i < c->equations.n; ++i) grow = grow || case_equation(c, i)->value.value != 0;
  return grow;
}

static int32_t easier(const ElasticRun *w) {
  return has_kinks(w->run->c) || gaps_grow(w->run->c) ? EASIER : gaps_jump(w) ? EASIER_SLIDES : 0;
}
/* Fibres that begin to pull over a hundredth of a strain, then over a tenth of that, and so on; gaps of surfaces that slide, and of
 * equations, in equal parts. */
static Status body_ease(void *context, int32_t k) {
  ElasticRun *w = context;
  if (has_kinks(w->run->c)) elasticity_set_kink(w->elasticity, k ? pow(10, k - 2 - EASIER) : 0);
  own(w)->eased = gaps_grow(w->run->c) ? k / (1. + EASIER) : 0;
  own(w)->loaded = (double)NAN;
  elasticity_ease_equations(w->elasticity, own(w)->eased);
  return elasticity_slides(w->elasticity) ? elasticity_contact_ease(w->elasticity, k / (1. + easier(w))) : OK;
}
static Status body_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  ElasticRun *w = context;
  TRY(hold_gaps(w, stage->target));
  finite_set_step(w, stage);
  TRY(elasticity_press_cavities(w->elasticity, own(w)->cavities.pressure));
  TRY(stage->again ? elasticity_tangent_pressed(w->elasticity, u, mat_values(a))
                   : elasticity_tangent(w->elasticity, u, mat_values(a)));
  return finite_turning_tangent(w, stage->target, a);
}
/* Pressures that are unknown, and the volumes that they are to make. */
Status finite_border(void *context, const Stage *stage, const double *u, double *const *g, double *gap, double *size,
                     double *slope) {
  ElasticRun *w = context;
  FiniteCavities *of = &own(w)->cavities;
  (void)slope;
  TRY(elasticity_cavity_volumes(w->elasticity, u, of->volume));
  for (int32_t i = 0; i < of->n_unknown; ++i) {
    if (!of->flows[i]) TRY(finite_cavity_target(of, i, stage->target, &size[i]));
    gap[i] = of->flows[i] ? 0 : size[i] - of->volume[i];
    if (g) TRY(elasticity_cavity_forces(w->elasticity, u, i, g[i]));
  }
  return OK;
}
/* Flow is looked at while states are those before the step. */
static Status body_judge(void *context, const Stage *stage, const double *u, const double *before, double *ratio) {
  const ElasticRun *w = context;
  const double most = case_adaptive_at(w->run->c, stage->target)->strain.value;
  const FlowBefore at = {grown(w, stage->target - stage->dt), stage->target - stage->dt, stage->target};
  TRY(elasticity_flow(w->elasticity, u, &at, before, own(w)->flow));
  if (most > 0) *ratio = own(w)->flow[FLOW_STRAIN] / most;
  return OK;
}
static Status body_commit(void *context, const Stage *stage, const double *u, const double *before) {
  (void)stage, (void)before;
  TRY(elasticity_bolts_commit(((const ElasticRun *)context)->elasticity, u));
  TRY(elasticity_timed_see(((const ElasticRun *)context)->elasticity, u));
  elasticity_slide_end(((const ElasticRun *)context)->elasticity);
  return elasticity_commit(((const ElasticRun *)context)->elasticity);
}
static Status body_save(void *context, void *host) {
  TRY(finite_rotate_save(context, host));
  return elasticity_state_save(((const ElasticRun *)context)->elasticity, host);
}
static Status body_restore(void *context, const void *host) {
  TRY(finite_slide_back(context, host));
  TRY(finite_rotate_back(context, host));
  return elasticity_state_restore(((const ElasticRun *)context)->elasticity, host);
}

Status finite_problem(ElasticRun *w, Problem *problem, StepperParams *params) {
  const Case *c = w->run->c;
  *problem = (Problem){.context = w,
                       .n = elasticity_rows(w->elasticity),
                       .constrain = body_constrain,
                       .force = body_force,
                       .statics.scale = body_scale,
                       .tangent = body_tangent,
                       .statics.n_border = own(w)->cavities.n_unknown,
                       .statics.factor = own(w)->cavities.pressure,
                       .statics.border = finite_border,
                       .commit = body_commit,
                       .states.bytes = elasticity_state_bytes(w->elasticity) + finite_rotate_bytes(w),
                       .states.save = body_save,
                       .states.restore = body_restore};
  if (elasticity_flows(w->elasticity)) problem->statics.judge = body_judge;
  if (own(w)->free_rim && !own(w)->eliminates) problem->multipliers.update = body_stays;
  if (elasticity_is_augmented(w->elasticity)) {
    problem->multipliers.begin = body_keep, problem->multipliers.update = body_follow;
    problem->multipliers.agree = body_settle;
  }
  if (own(w)->eliminates)
    problem->multipliers.eliminate = body_eliminate, problem->multipliers.measure_lag = body_couple;
  if (own(w)->eliminates && own(w)->free_rim) problem->multipliers.beyond = body_beyond;
  problem->statics.n_ease = easier(w);
  if (problem->statics.n_ease) problem->statics.ease = body_ease;
  problem->multipliers.value = elasticity_kept(w->elasticity, &problem->multipliers.n);
  params->rtol = w->linear.rtol;
  params->max_newton = problem->multipliers.update && !own(w)->eliminates ? AUGMENTED_MOST : NEWTON_MOST;
  params->line_search = true;
  params->predictor = 1;
  params->watch.iteration = finite_tell_iteration, params->watch.context = w;
  params->control.cuts = own(w)->cuts = !place_given(c->time.adaptive.cut.place) || c->time.adaptive.cut.value;
  params->control.grow = GROW;
  params->control.shrink = SHRINK;
  return finite_contact_problem(w, problem, params);
}

Status finite_open_with(ElasticRun *w, StreamParams *params) {
  finite_sample(w, params);
  TRY(elastic_run_stream(w, params));
  own(w)->begin = clock_seconds();
  TRY(hold_gaps(w, w->run->report->time));
  TRY(keep_here(w));
  TRY(elasticity_commit(w->elasticity));
  TRY(hold_time(w, w->run->report->time));
  timed_commit(w->elasticity);
  return finite_loops_open(w);
}

Status finite_open(ElasticRun *w) {
  static const char *const history[] = {FINITE_HISTORY};
  StreamParams params = {.n_history = (int)COUNT(history), .history = history};
  return finite_open_with(w, &params);
}

Status finite_store(ElasticRun *w) {
  const double *u[3] = {w->u};
  TRY(finite_turning_load(w, w->run->report->time, w->u));
  return elastic_run_store(w, u);
}

static Status note_step(RunReport *report, const StepReport *step, const double flow[FLOW_PARTS]) {
  if (report->n_load_step == report->load_step_room) {
    report->load_step_room = 2 * report->load_step_room + 64;
    RESIZE(report->load_step, report->load_step_room, "load steps");
  }
  report->load_step[report->n_load_step++] = (RunLoadStep){step->time,   step->residual,
                                                           step->newton, step->linear.iterations,
                                                           step->failed, {flow[FLOW_STRAIN], flow[FLOW_DIRECTION]}};
  return OK;
}

/* The last good step goes to the files before a failure is told. */
static Status step_failed(ElasticRun *w, Status why, bool indefinite) {
  const Run *run = w->run;
  finite_say_why(w, why, indefinite);
  char message[4096];
  snprintf(message, sizeof message, "%s", status_message());
  if (why == ERR_NUMERIC && run->report->steps > 0 && !w->stored) {
    (void)elasticity_augment_back(w->elasticity);
    (void)elasticity_contact_back(w->elasticity);
    (void)hold_gaps(w, run->report->time);
    (void)hold_time(w, run->report->time);
    w->stored = true;
    (void)w->analysis->store(w);
  }
  if (why == ERR_NUMERIC && run->report->steps > 0) (void)finite_check_linear_laws(w);
  FAIL(why, "%s", message);
  return why;
}

Status finite_step(ElasticRun *w, double row[FINITE_COLUMNS]) {
  Run *run = w->run;
  RunReport *report = run->report;
  StepReport step = {0};
  const Status status = stepper_step(w->stepper, 1, &step);
  elasticity_set_step(w->elasticity, 0); /* results are those of the time reached */
  linear_report_add(&report->linear, &step.linear);
  report->linear.true_residual = report->linear.recursive_residual = own(w)->relative; /* of equilibrium */
  own(w)->assembly_seconds += step.assembly_seconds;
  report->rejected += step.failed + step.rejected;
  report->heart.newton += step.newton;
  if (status != OK) return step_failed(w, status, step.indefinite);
  report->time = step.time;
  ++report->steps;
  TRY(note_step(report, &step, own(w)->flow));
  const double is[FINITE_COLUMNS] = {step.time,           step.dt,           (double)step.newton,
                                     (double)step.failed, (double)step.cuts, (double)step.linear.iterations,
                                     step.residual};
  memcpy(row, is, sizeof is);
  return OK;
}

Status finite_next(ElasticRun *w, bool *more) {
  double row[FINITE_COLUMNS];
  (void)more;
  TRY(finite_work_begin(w)); /* before equations and surfaces are those of the step */
  TRY(finite_rotate(w));
  TRY(finite_slide(w));
  TRY(finite_step(w, row));
  finite_slide_end(w);
  TRY(finite_see_energy(w));
  TRY(finite_work_add(w));
  TRY(finite_loops_add(w));
  return result_stream_history(w->stream, row);
}

Status finite_end(ElasticRun *w) {
  finite_warn_of_flow(w);
  double *seconds = w->run->report->seconds;
  ElasticFields fields;
  seconds[PHASE_ASSEMBLY] += own(w)->assembly_seconds;
  seconds[PHASE_SOLVE] -= own(w)->assembly_seconds;
  TRY(elasticity_recover(w->elasticity, w->u, FIELD_STRAIN_ENERGY, &fields));
  TRY(elastic_totals(w->run, &fields));
  w->run->report->has_energy = true;
  w->run->report->energy = fields.energy;
  elastic_fields_release(&fields);
  TRY(finite_errors(w, w->run->report->energy));
  if (!elastic_has(w->run->c, HAS_INERTIA)) TRY(finite_energies(w));
  bool rest;
  TRY(finite_at_rest(w, &rest));
  if (!rest) TRY(elastic_check_bending(w->run, w->elasticity, w->u, 0));
  TRY(finite_contact_end(w));
  TRY(finite_bolts_end(w));
  return finite_check_linear_laws(w);
}

Status finite_prepare(ElasticRun *w) {
  ElasticityParams *params = elastic_run_params(w), *whole = &elastic_setup(&w->setup)->params;
  TRY(elasticity_free_rim(whole, &own(w)->free_rim));
  params->free_rim = own(w)->free_rim;
  params->end = whole->end = w->run->c->time.end.value;
  params->in_batches = !finite_has_turning(params), params->in_load_steps = true;
  params->small_first = case_small_first(w->run->c);
  params->augmented = params->finite && !params->small_first;
  return OK;
}

bool finite_has_levels(const ElasticRun *w) {
  LinearReport at;
  linear_begin_report(w->solver, &at);
  return precond_named(at.preconditioner)->needs & PRECOND_NEAR_NULL;
}

/* A hierarchy has the levels of the body at rest, which a run that goes on finds again: by the first matrix of either they would
 * be others. Bodies that touch have levels of their own in each step. */
static Status find_levels(ElasticRun *w) {
  if (!finite_has_levels(w) || elastic_has(w->run->c, HAS_INERTIA) || elasticity_touches(w->elasticity)) return OK;
  elasticity_set_step(w->elasticity, 0);
  TRY(keep_here(w));
  TRY(elasticity_tangent(w->elasticity, w->u, mat_values(w->a)));
  const SumParts *before = exec_sum_over(w->run->device.exec, w->parts);
  const Status status = linear_setup(w->solver);
  exec_sum_over(w->run->device.exec, before);
  return status;
}

Status finite_begin(ElasticRun *w) {
  Run *run = w->run;
  own(w)->loaded = (double)NAN;
  if (elastic_has(run->c, ANALYSIS_STRESSED)) TRY(stressed_begin(w));
  TRY(finite_cavities_create(run, &w->setup, w->elasticity, &own(w)->cavities));
  if (!w->u) {
    TRY(elastic_run_u(w));
    TRY(rigid_start(w, NULL));
  }
  TRY(elastic_matrix(run, w->elasticity, &w->a));
  if (elasticity_is_augmented(w->elasticity)) elastic_prefer_hierarchy(w->elasticity, w->a, &w->linear);
  own(w)->eliminates = (elasticity_is_augmented(w->elasticity) || own(w)->free_rim) &&
                       elastic_may_have_levels(&w->linear) && !mat_numbering(w->a);
  w->linear.solves = 1; /* of each set-up */
  w->linear.may_be_indefinite = true;
  TRY(finite_solver(w));
  TRY(finite_turning_begin(w));
  return find_levels(w);
}

Status finite_solver(ElasticRun *w) {
  const bool free_rim = own(w)->free_rim && own(w)->cavities.n == 0;
  return elastic_solver_or_direct(w->run, w->elasticity, w->a, &w->linear, free_rim, &w->parts, &w->solver);
}

Status finite_release(ElasticRun *w, Status status) {
  finite_work_release(w);
  finite_turning_release(w);
  return finite_loops_close(w, status);
}

const Analysis finite_analysis = {.fields = FIELDS_FINITE,
                                  .own = sizeof(FiniteRun),
                                  .prepare = finite_prepare,
                                  .begin = finite_begin,
                                  .problem = finite_problem,
                                  .open = finite_open,
                                  .next = finite_next,
                                  .store = finite_store,
                                  .end = finite_end,
                                  .release = finite_release,
                                  .physics = {LOAD_STEPS_PHYSICS(ANALYSIS_LARGE_STEPS | HAS_CAVITY), .strain = "finite",
                                              .check = finite_check, .step_unit = UNIT_NONE, .save_steps = finite_save,
                                              .print_steps = finite_print}};
