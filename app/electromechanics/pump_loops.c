/* Loops of a body with cavities: columns of the circuit in loops.csv, and numbers of beats. */
#include "app/electromechanics/pump.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ROUND_OFF = 1e-9; /* of times */
/* mL, of cavities that are parts of small hearts or of humans; and of the pressure that a cavity begins with what it has again at the
 * end of a beat. */
static const double HELD_LEAST = 1e-4, HELD_MOST = 300, FILLED_AGAIN = 0.5;
static const double EMPTY = 0.02;    /* share of what a cavity held, of which little is left where steps fail */
static const double PERIODIC = 0.01; /* change of volumes in a beat that counts as none, unless the case says so */

void pump_loops_more(const ElasticRun *w, bool head) {
  const PumpRun *o = pump_own(w);
  const Circuit *circuit = &o->circuit;
  const CircuitState *s = &o->state.circuit;
  FILE *file = o->finite.loops;
  for (int32_t i = 0; i < circuit->n_node; ++i) {
    const CircuitNode *node = &circuit->node[i];
    if (node->kind == CIRCUIT_SOURCE || node->kind == CIRCUIT_CAVITY) continue;
    if (head) fprintf(file, ",%s-volume,%s-pressure", node->name, node->name);
    else fprintf(file, ",%.12g,%.12g", s->volume[i], s->pressure[i]);
  }
  for (int32_t b = 0; b < circuit->n_branch; ++b) {
    if (head) fprintf(file, ",%s-flow", circuit->branch[b].name);
    else fprintf(file, ",%.12g", s->flow[b]);
  }
  pump_walls_write(w, head);
}

/* Its node in the circuit; -1: it has none. */
static int32_t loop_node(const PumpRun *o, int32_t m) {
  int32_t node = o->loop[m] < 0 ? -1 - o->loop[m] : -1;
  for (int32_t k = 0; k < o->n_flow; ++k) node = o->flow[k] == o->loop[m] ? o->node[k] : node;
  return node;
}

/* Volume, pressure and flow out of loop m now. */
static void loop_now(const ElasticRun *w, int32_t m, double *volume, double *pressure, double *flow) {
  const PumpRun *o = pump_own(w);
  const FiniteCavities *of = &o->finite.cavities;
  const CircuitState *s = &o->state.circuit;
  const int32_t node = loop_node(o, m);
  if (o->loop[m] < 0) {
    *volume = s->volume[node], *pressure = s->pressure[node];
  } else {
    *volume = of->volume[o->loop[m]] / of->unit, *pressure = of->pressure[o->loop[m]];
  }
  const int32_t out = node >= 0 ? circuit_outflow(&o->circuit, node) : -1;
  *flow = out >= 0 ? s->flow[out] : 0;
}

double pump_volume(const ElasticRun *w, int32_t m) {
  double volume, pressure, flow;
  loop_now(w, m, &volume, &pressure, &flow);
  return volume;
}

/* Volumes that a beat which repeats leaves as they were: of loops, then of vessels; returns how many. */
static int32_t volumes_now(const ElasticRun *w, double *volume) {
  const PumpRun *o = pump_own(w);
  double pressure, flow;
  int32_t n = 0;
  for (; n < o->n_loop; ++n) loop_now(w, n, &volume[n], &pressure, &flow);
  for (int32_t i = 0; i < o->circuit.n_node; ++i)
    if (o->circuit.node[i].kind == CIRCUIT_VESSEL) volume[n++] = o->state.circuit.volume[i];
  return n;
}

void pump_beats_begin(ElasticRun *w) {
  PumpRun *o = pump_own(w);
  double volume, pressure, flow;
  for (int32_t m = 0; m < o->n_loop; ++m) {
    loop_now(w, m, &volume, &pressure, &flow);
    beat_begin(&o->state.beat[m], volume, pressure);
  }
  (void)volumes_now(w, o->state.held);
}

static double change_of_beat(const ElasticRun *w) {
  const PumpState *s = &pump_own(w)->state;
  double volume[PUMP_LOOPS + CIRCUIT_NODES], most = 0, held = 0;
  const int32_t n = volumes_now(w, volume);
  for (int32_t i = 0; i < n; ++i) most = fmax(most, fabs(volume[i] - s->held[i]));
  for (int32_t m = 0; m < pump_own(w)->n_loop; ++m) held = fmax(held, fabs(s->held[m]));
  return held > 0 ? most / held : most;
}

void pump_beats_add(ElasticRun *w, double time) {
  PumpRun *o = pump_own(w);
  PumpState *s = &o->state;
  const double cycle = o->circuit.cycle > 0 ? o->circuit.cycle : w->run->c->time.end.value;
  double volume, pressure, flow;
  for (int32_t m = 0; m < o->n_loop; ++m) {
    loop_now(w, m, &volume, &pressure, &flow);
    s->least[m] = fmin(s->least[m], volume);
    beat_sample(&s->beat[m], time - s->beat_begin, volume, pressure, flow);
    const int32_t node = loop_node(o, m);
    if (node >= 0) beat_error(&s->beat[m], s->circuit.volume[node]);
  }
  if (time - s->beat_begin < cycle * (1 - ROUND_OFF)) return;
  const CaseUntil *until = &w->run->c->time.until;
  memcpy(s->last, s->beat, sizeof s->last);
  s->n_beat += 1, s->beat_begin = time, s->change = change_of_beat(w);
  s->repeats = place_given(until->place) && s->change <= until->periodic.value;
  pump_beats_begin(w);
}

/* Where a beat can be told from one of no heart: a cavity of human size that the beat began from, and one of no size at all. */
static void tell_volumes(const ElasticRun *w) {
  const PumpRun *o = pump_own(w);
  const PumpState *s = &o->state;
  char where[512];
  for (int32_t k = 0; k < o->n_flow && s->n_beat; ++k) {
    int32_t m = 0;
    while (o->loop[m] != o->flow[k]) ++m;
    const CaseCavity *cavity = case_cavity(w->run->c, finite_cavity_of(w, o->loop[m]));
    const char *at = place_text(w->run->c->path, cavity->place, where, sizeof where);
    const double *v = s->last[m].value, end = o->finite.cavities.pressure[o->loop[m]];
    const double filled = expr_value(&o->finite.cavities.target[o->flow[k]], (const double[3]){0}, 0);
    if (v[LOOP_EDV] > HELD_MOST || v[LOOP_EDV] < HELD_LEAST)
      status_warn(
          "%s: '%s' holds %.4g mL, and hearts hold up to %g\n  remedy: check the unit of the mesh, which is mm; "
          "one in m takes 'mesh: {scale: 1000}'",
          at, cavity->name.text, v[LOOP_EDV], HELD_MOST);
    else beat_doubt(&s->last[m], at, cavity->name.text);
    if (filled > 0 && end < FILLED_AGAIN * filled)
      status_warn("%s: '%s' was filled to %g kPa before t = 0, and is at %.3g kPa at the end of the beat: the next one "
                  "contracts before it is filled\n  remedy: a smaller resistance of 'from', a longer 'cycle', or the "
                  "pressure that beats come to",
                  at, cavity->name.text, filled, end);
  }
}

/* Nothing keeps the surfaces of a cavity from passing through each other. */
static void tell_emptied(const ElasticRun *w) {
  const PumpRun *o = pump_own(w);
  char where[512];
  for (int32_t m = 0; m < o->n_loop; ++m) {
    if (o->loop[m] < 0 || !(o->state.least[m] <= 0)) continue;
    const CaseCavity *cavity = case_cavity(w->run->c, finite_cavity_of(w, o->loop[m]));
    if (o->finite.cavities.initial[o->loop[m]] > 0)
      status_warn(
          "%s: '%s' was emptied: it came to %.3g mL, where its surfaces have passed through each other\n  remedy: "
          "less tension, a higher pressure in 'to', or a stiffer muscle",
          place_text(w->run->c->path, cavity->place, where, sizeof where), cavity->name.text, o->state.least[m]);
  }
}

Status pump_failed(const ElasticRun *w, Status why) {
  const PumpRun *o = pump_own(w);
  for (int32_t k = 0; k < o->n_flow && why == ERR_NUMERIC; ++k) {
    const double first = o->finite.cavities.initial[o->flow[k]] / o->finite.cavities.unit;
    const double held = o->state.circuit.volume[o->node[k]];
    if (held < EMPTY * first)
      why = status_context(why, "likely: the cavity '%s' is emptied, it holds %.3g mL of the %.3g mL in the mesh",
                           o->circuit.node[o->node[k]].name, held, first);
  }
  return why;
}

void pump_beats_tell(const ElasticRun *w) {
  const PumpState *s = &pump_own(w)->state;
  const CaseUntil *until = &w->run->c->time.until;
  const double allowed = place_given(until->place) ? until->periodic.value : PERIODIC;
  tell_volumes(w);
  tell_emptied(w);
  if (s->n_beat == 0 && pump_own(w)->n_loop && w->run->c->circulation.cycle.value > 0)
    status_warn(
        "the run ends at %g ms, before the end of its first beat, which lasts %g ms: numbers of beats are those "
        "until then\n  remedy: a later 'end', or a shorter 'cycle'",
        w->run->c->time.end.value, w->run->c->circulation.cycle.value);
  if (s->n_beat < 2) return;
  if (s->change <= allowed)
    progress_say(&w->run->progress, "periodic     after %lld beats: volumes change by %.2g", (long long)s->n_beat,
                 s->change);
  else
    status_warn("beats do not repeat after %lld of them: volumes still change by %.2g of what a chamber holds, and %g "
                "would do\n  remedy: more beats, or 'begin: {beats: 50}' of a closed loop alone before the first one",
                (long long)s->n_beat, s->change, allowed);
}

static const char *loop_name(const ElasticRun *w, int32_t m) {
  const PumpRun *o = pump_own(w);
  return o->loop[m] < 0 ? o->circuit.node[-1 - o->loop[m]].name
                        : case_cavity(w->run->c, finite_cavity_of(w, o->loop[m]))->name.text;
}

Status pump_beats_report(const ElasticRun *w) {
  const PumpRun *o = pump_own(w);
  const Beat *beat = o->state.n_beat ? o->state.last : o->state.beat;
  Columns *columns = &w->run->report->columns;
  const int32_t n = columns->n + o->n_loop * N_LOOP_QUANTITIES;
  RESIZE(columns->name, n, "names of columns");
  RESIZE(columns->value, n, "columns");
  for (int32_t m = 0; m < o->n_loop; ++m)
    for (int q = 0; q < N_LOOP_QUANTITIES; ++q) {
      snprintf(columns->name[columns->n], COLUMN_BYTES, "%s-%s", loop_name(w, m), loop_type[q].word);
      columns->value[columns->n++] = beat[m].value[q];
    }
  return OK;
}

const char *pump_column_unit(const Case *c, const Units *units, int32_t i) {
  int32_t first = c->output.probes.n;
  for (int32_t k = 0; k < c->output.sums.n; ++k) first += sum_columns(c, case_sum(c, k));
  if (i < first) return elastic_column_unit(c, units, i);
  if (i < first + case_leads(c)) return place_given(c->output.medium.place) ? units_text(units, UNIT_POTENTIAL) : "";
  return loop_type[(i - first - case_leads(c)) % N_LOOP_QUANTITIES].unit;
}
