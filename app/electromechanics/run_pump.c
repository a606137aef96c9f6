/* The step of a body and its circulation as one: pressures of chambers are unknowns beside displacements, and a step of the circuit
 * says what volumes they make, and how much less by more pressure (solver/time/problem.h, StaticPart.border). */
#include "app/electromechanics/pump.h"

#include <string.h>

Status pump_prepare(ElasticRun *w) {
  if (w->run->c->unload.n && !w->run->rehearsed) TRY(pump_unload(w));
  return finite_prepare(w);
}

Status pump_begin(ElasticRun *w) {
  const Case *c = w->run->c;
  PumpRun *o = pump_own(w);
  TRY(finite_begin(w));
  const FiniteCavities *of = &o->finite.cavities;
  if (place_given(c->circulation.place)) circuit_of_case(c, false, &o->circuit);
  o->circuit.first_order = true; /* steps may be cut */
  for (int32_t i = 0; i < of->n; ++i) {
    const int32_t cavity = finite_cavity_of(w, i);
    if (cavity < 0) continue;
    o->loop[o->n_loop++] = i;
    if (!of->flows[i]) continue;
    o->flow[o->n_flow] = i;
    o->node[o->n_flow++] = circuit_chamber_node(c, &o->circuit, case_cavity_chamber(c, cavity));
  }
  for (int32_t i = 0; i < o->circuit.n_node && o->n_loop < PUMP_LOOPS; ++i)
    if (o->circuit.node[i].kind == CIRCUIT_CHAMBER) o->loop[o->n_loop++] = -1 - i;
  o->finite.loops_more = pump_loops_more;
  TRY(watch_create(w, &o->watch));
  TRY(pump_walls_create(w));
  TRY(pump_strain_create(w));
  TRY(pump_peaks_create(w));
  w->cells.context = w, w->cells.take = pump_take;
  return pump_dashpots_begin(w);
}

/* Volumes by a step of the circuit, in the unit of the mesh. */
static Status pump_border(void *context, const Stage *stage, const double *u, double *const *g, double *gap,
                          double *size, double *slope) {
  const ElasticRun *w = context;
  PumpRun *o = pump_own(w);
  const FiniteCavities *of = &o->finite.cavities;
  double pressure[ELASTIC_CAVITIES], volume[ELASTIC_CAVITIES], by[ELASTIC_CAVITIES * ELASTIC_CAVITIES];
  TRY(finite_border(context, stage, u, g, gap, size, slope));
  for (int32_t k = 0; k < o->n_flow; ++k) pressure[k] = of->pressure[o->flow[k]];
  TRY(circuit_answer(&o->circuit, stage->target, &o->state.circuit, o->n_flow, o->node, pressure, volume, by));
  for (int32_t k = 0; k < o->n_flow; ++k) {
    const int32_t i = o->flow[k];
    size[i] = of->initial[i];
    gap[i] = volume[k] * of->unit - of->volume[i];
    for (int32_t j = 0; slope && j < o->n_flow; ++j)
      slope[i * of->n_unknown + o->flow[j]] = by[k * o->n_flow + j] * of->unit;
  }
  return OK;
}

static Status pump_commit(void *context, const Stage *stage, const double *u, const double *before) {
  ElasticRun *w = context;
  PumpRun *o = pump_own(w);
  TRY(o->base.commit(context, stage, u, before));
  for (int32_t k = 0; k < o->n_flow; ++k)
    o->state.circuit.pressure[o->node[k]] = o->finite.cavities.pressure[o->flow[k]];
  if (o->n_flow) TRY(circuit_step(&o->circuit, stage->target, &o->state.circuit));
  TRY(elasticity_cavity_volumes(w->elasticity, u, o->finite.cavities.volume));
  TRY(pump_walls_see(w, u));
  const int64_t n_beat = o->state.n_beat;
  TRY(pump_peaks_see(w, u, stage->target));
  pump_beats_add(w, stage->target);
  if (o->state.n_beat > n_beat) TRY(pump_peaks_begin(w, NULL));
  return pump_dashpots_start(w, u);
}

/* The state lies behind that of the body. */
static Status pump_save(void *context, void *host) {
  const PumpRun *o = pump_own(context);
  if (o->base.states.bytes) TRY(o->base.states.save(context, host));
  char *own = host ? (char *)host + o->base.states.bytes : NULL;
  if (own) memcpy(own, &o->state, sizeof o->state);
  return pump_peaks_save(context, own ? own + sizeof o->state : NULL);
}
static Status pump_restore(void *context, const void *host) {
  PumpRun *o = pump_own(context);
  if (o->base.states.bytes) TRY(o->base.states.restore(context, host));
  const char *own = (const char *)host + o->base.states.bytes;
  memcpy(&o->state, own, sizeof o->state);
  return pump_peaks_restore(context, own + sizeof o->state);
}

/* Steps that a hierarchy serves: what sets it up takes as long as half of an increment, and a millisecond changes little. */
enum { HOLD = 8 };

Status pump_problem(ElasticRun *w, Problem *problem, StepperParams *params) {
  PumpRun *o = pump_own(w);
  TRY(finite_problem(w, problem, params));
  o->base = *problem;
  if (place_given(w->run->c->circulation.place) || elastic_has(w->run->c, HAS_CELLS)) { /* a beat is smooth */
    params->hold = HOLD;
    params->predictor = 2; /* a third fewer Newton steps than from the line */
  }
  problem->commit = pump_commit;
  problem->states.bytes += (int64_t)sizeof o->state + pump_peaks_bytes(w);
  problem->states.save = pump_save;
  problem->states.restore = pump_restore;
  if (o->n_flow) problem->statics.border = pump_border;
  pump_dashpots_problem(w, problem);
  return OK;
}

Status pump_open(ElasticRun *w) {
  PumpRun *o = pump_own(w);
  const bool begun = o->state.begun != 0;
  if (!begun) {
    if (o->n_flow) TRY(pump_fill(w));
    if (o->n_flow) TRY(stepper_start(w->stepper, w->u)); /* from where it is now */
    TRY(elasticity_cavity_volumes(w->elasticity, w->u, o->finite.cavities.volume));
    pump_beats_begin(w);
    for (int32_t m = 0; m < o->n_loop; ++m) o->state.least[m] = pump_volume(w, m);
    o->state.begun = 1;
  }
  TRY(pump_dashpots_start(w, w->u));
  TRY(pump_walls_see(w, w->u));
  TRY(pump_unloaded_write(w));
  TRY(finite_open(w));
  if (!begun) TRY(pump_peaks_begin(w, w->u));
  if (o->state.repeats) stepper_stop(w->stepper); /* a run that had ended goes on */
  return OK;
}

Status pump_next(ElasticRun *w, bool *more) {
  const CaseUntil *until = &w->run->c->time.until;
  const PumpState *s = &pump_own(w)->state;
  const Status status = finite_next(w, more);
  if (status != OK) return pump_failed(w, status);
  const bool most = place_given(until->beats.place) && s->n_beat >= until->beats.value;
  if (s->repeats || most) stepper_stop(w->stepper);
  if (step_control_done(stepper_control(w->stepper))) result_stream_request(w->stream); /* maps */
  return OK;
}

Status pump_store(ElasticRun *w) {
  TRY(pump_dashpots_store(w));
  return watch_see(w, &pump_own(w)->watch);
}

Status pump_end(ElasticRun *w) {
  watch_tell(&pump_own(w)->watch);
  pump_beats_tell(w);
  return finite_end(w);
}

Status pump_release(ElasticRun *w, Status status) {
  pump_dashpots_release(w);
  watch_destroy(w->run->device.exec, &pump_own(w)->watch);
  pump_walls_release(w);
  pump_strain_release(w);
  pump_peaks_release(w);
  unloaded_release(&pump_own(w)->unloaded);
  const bool beats = !w->run->rehearsed && w->run->report->steps > 0;
  if (status == OK && beats) status = pump_beats_report(w);
  status = finite_release(w, status);
  const bool picture = beats && w->run->c->cavities.n && run_is_root(w->run);
  return status == OK && picture ? pump_picture(w) : status;
}
