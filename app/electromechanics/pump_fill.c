/* Cavities are filled before t = 0: load steps of their pressures alone, during which no time goes by. Then the circuit begins, with
 * the volumes that they have. */
#include "app/electromechanics/pump.h"

#include <stdio.h>
#include <string.h>

/* Of a load step, and what it may be at least: shares of the pressures. */
static const double FIRST_SHARE = 0.25;

/* The moment t = 0, at this share of the pressures; dashpots do not resist. */
static Stage filling(PumpRun *o, const Stage *stage) {
  Stage at = *stage;
  for (int32_t k = 0; k < o->n_press; ++k)
    o->finite.cavities.pressure[o->press[k].cavity] = stage->target * o->press[k].pressure;
  at.time = at.target = at.dt = 0;
  return at;
}

static Status fill_force(void *context, const Stage *stage, const double *u, double *r, double *slope) {
  PumpRun *o = pump_own(context);
  const Stage at = filling(o, stage);
  return o->base.force(context, &at, u, r, slope);
}
static Status fill_tangent(void *context, const Stage *stage, const double *u, Mat *a) {
  PumpRun *o = pump_own(context);
  const Stage at = filling(o, stage);
  return o->base.tangent(context, &at, u, a);
}
static Status fill_constrain(void *context, double time, double *u) {
  (void)time;
  return pump_own(context)->base.constrain(context, 0, u);
}

/* How far it came, in each of them. */
static Status not_filled(const ElasticRun *w, Status status, const char *when, double share) {
  const PumpRun *o = pump_own(w);
  char text[256] = "";
  if (status != ERR_NUMERIC) return status_context(status, "while cavities were filled, %s", when);
  for (int32_t k = 0; k < o->n_press; ++k)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s'%s' came to %.3g of %g kPa", k ? ", " : "",
             case_cavity(w->run->c, finite_cavity_of(w, o->press[k].cavity))->name.text, share * o->press[k].pressure,
             o->press[k].pressure);
  return status_context(status,
                        "while cavities were filled, %s: %s\n  remedy: less pressure, a stiffer muscle, or a "
                        "better 'formulation' (docs/pump.md#muscle)",
                        when, text);
}

static Status fill_steps(ElasticRun *w, const char *when, Stepper *stepper) {
  TRY(stepper_start(stepper, w->u));
  while (!stepper_done(stepper)) {
    StepReport step = {0};
    const Status status = stepper_step(stepper, 1, &step);
    linear_report_add(&w->run->report->linear, &step.linear);
    w->run->report->heart.newton += step.newton;
    if (status != OK) return not_filled(w, status, when, stepper_control(stepper)->time);
  }
  return OK;
}

Status pump_press(ElasticRun *w, const char *when) {
  Problem problem;
  StepperParams params = {0};
  Stepper *stepper = NULL;
  TRY(finite_problem(w, &problem, &params));
  pump_own(w)->base = problem;
  problem.force = fill_force, problem.tangent = fill_tangent, problem.constrain = fill_constrain;
  problem.statics.n_border = 0;
  params.control = (StepControlParams){.end = 1, .step = FIRST_SHARE, .cuts = true};
  params.watch.iteration = NULL;
  Status status = stepper_create(w->run->device.exec, &problem, &params, w->a, w->solver, &stepper);
  if (status == OK) status = fill_steps(w, when, stepper);
  stepper_destroy(&stepper);
  return status;
}

/* What vessels and chambers without a body hold once beats of the circulation alone have gone by. */
static Status begin_alone(const Case *c, Circuit *circuit, CircuitState *out) {
  const CaseBegin *begin = &c->circulation.begin;
  const int64_t steps = 1000; /* of a beat */
  Circuit alone;
  CircuitState state;
  circuit_of_case(c, true, &alone);
  circuit_start(&alone, &state);
  bool repeats = false;
  for (int64_t beat = 0; beat < begin->beats.value && !repeats; ++beat) {
    const CircuitState before = state;
    for (int64_t k = beat * steps + 1; k <= (beat + 1) * steps; ++k)
      TRY(circuit_step(&alone, alone.cycle * (double)k / (double)steps, &state));
    repeats =
        place_given(begin->tolerance.place) && circuit_change(&alone, &state, before.volume) <= begin->tolerance.value;
  }
  for (int32_t i = 0; i < circuit->n_node; ++i) {
    if (circuit->node[i].kind == CIRCUIT_CAVITY) continue;
    out->volume[i] = state.volume[i], out->pressure[i] = state.pressure[i];
  }
  for (int32_t b = 0; b < circuit->n_branch; ++b) out->flow[b] = state.flow[b], out->inert[b] = state.inert[b];
  return OK;
}

Status pump_fill(ElasticRun *w) {
  const Case *c = w->run->c;
  const double origin[3] = {0};
  PumpRun *o = pump_own(w);
  FiniteCavities *of = &o->finite.cavities;
  o->n_press = o->n_flow;
  for (int32_t k = 0; k < o->n_flow; ++k)
    o->press[k] = (PumpPress){o->flow[k], expr_value(&of->target[o->flow[k]], origin, 0)};
  TRY(pump_press(w, "before t = 0"));
  TRY(elasticity_cavity_volumes(w->elasticity, w->u, of->volume));
  for (int32_t k = 0; k < o->n_flow; ++k) {
    CircuitNode *node = &o->circuit.node[o->node[k]];
    node->pressure = of->pressure[o->flow[k]], node->begin = of->volume[o->flow[k]] / of->unit;
    progress_say(&w->run->progress, "filled       '%s' to %g kPa: %.6g mL", node->name, node->pressure, node->begin);
  }
  circuit_start(&o->circuit, &o->state.circuit);
  const bool closed = c->circulation.model.value == CIRCULATION_CLOSED;
  return closed && place_given(c->circulation.begin.place) ? begin_alone(c, &o->circuit, &o->state.circuit) : OK;
}
