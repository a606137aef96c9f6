/* Loops of a body with cavities: columns of the circuit in loops.csv, and numbers of beats. */
#include "app/electromechanics/pump.h"
#include "core/memory.h"

#include <stdio.h>
#include <string.h>

static const double ROUND_OFF = 1e-9; /* of times */

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
}

/* Volume, pressure and flow out of loop m now. */
static void loop_now(const ElasticRun *w, int32_t m, double *volume, double *pressure, double *flow) {
  const PumpRun *o = pump_own(w);
  const FiniteCavities *of = &o->finite.cavities;
  const CircuitState *s = &o->state.circuit;
  int32_t node = -1;
  if (o->loop[m] < 0) {
    node = -1 - o->loop[m];
    *volume = s->volume[node], *pressure = s->pressure[node];
  } else {
    *volume = of->volume[o->loop[m]] / of->unit, *pressure = of->pressure[o->loop[m]];
    for (int32_t k = 0; k < o->n_flow; ++k) node = o->flow[k] == o->loop[m] ? o->node[k] : node;
  }
  const int32_t out = node >= 0 ? circuit_outflow(&o->circuit, node) : -1;
  *flow = out >= 0 ? s->flow[out] : 0;
}

void pump_beats_begin(ElasticRun *w) {
  PumpRun *o = pump_own(w);
  double volume, pressure, flow;
  for (int32_t m = 0; m < o->n_loop; ++m) {
    loop_now(w, m, &volume, &pressure, &flow);
    beat_begin(&o->state.beat[m], volume, pressure);
  }
}

void pump_beats_add(ElasticRun *w, double time) {
  PumpRun *o = pump_own(w);
  PumpState *s = &o->state;
  const double cycle = o->circuit.cycle > 0 ? o->circuit.cycle : w->run->c->time.end.value;
  double volume, pressure, flow;
  for (int32_t m = 0; m < o->n_loop; ++m) {
    loop_now(w, m, &volume, &pressure, &flow);
    beat_sample(&s->beat[m], time - s->beat_begin, volume, pressure, flow);
  }
  if (time - s->beat_begin < cycle * (1 - ROUND_OFF)) return;
  memcpy(s->last, s->beat, sizeof s->last);
  s->n_beat += 1, s->beat_begin = time;
  pump_beats_begin(w);
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
  return i < first ? elastic_column_unit(c, units, i) : loop_type[(i - first) % N_LOOP_QUANTITIES].unit;
}
