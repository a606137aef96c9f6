/* Beats of a circulation, and its tables: pressures, volumes and flows over time, numbers of each beat, the last state. */
#include "app/electromechanics/run_loops.h"
#include "core/memory.h"
#include "output/folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ROUND_OFF = 1e-9; /* of counts of steps */

static void head_add(Loops *k) {
  const Circuit *circuit = &k->circuit;
  text_add(&k->loops, "time");
  for (int32_t i = 0; i < circuit->n_node; ++i) {
    if (circuit->node[i].kind == CIRCUIT_SOURCE) continue;
    text_add(&k->loops, ",%s-volume,%s-pressure", circuit->node[i].name, circuit->node[i].name);
  }
  for (int32_t b = 0; b < circuit->n_branch; ++b) text_add(&k->loops, ",%s-flow", circuit->branch[b].name);
  text_add(&k->loops, "\n");
  text_add(&k->beats, "beat,chamber");
  for (int q = 0; q < N_LOOP_QUANTITIES; ++q) text_add(&k->beats, ",%s", loop_type[q].word);
  text_add(&k->beats, "\n");
}

static void row_add(Loops *k) {
  const Circuit *circuit = &k->circuit;
  const CircuitState *s = &k->state;
  text_add(&k->loops, "%.10g", s->t);
  for (int32_t i = 0; i < circuit->n_node; ++i)
    if (circuit->node[i].kind != CIRCUIT_SOURCE) text_add(&k->loops, ",%.10g,%.10g", s->volume[i], s->pressure[i]);
  for (int32_t b = 0; b < circuit->n_branch; ++b) text_add(&k->loops, ",%.10g", s->flow[b]);
  text_add(&k->loops, "\n");
}

void loops_start(const Case *c, Loops *out) {
  *out = (Loops){.c = c, .picture = {.x_label = "volume, mL", .y_label = "pressure, kPa"}};
  circuit_of_case(c, true, &out->circuit);
  circuit_start(&out->circuit, &out->state);
  out->n_chamber = circuit_chambers(&out->circuit, out->chamber);
  out->per_beat = (int64_t)ceil(out->circuit.cycle / c->time.step.value * (1 - ROUND_OFF));
  out->step = out->circuit.cycle / (double)out->per_beat;
  out->sample = (int64_t)fmax(1, round(c->output.sample.value / out->step));
  head_add(out);
  row_add(out);
}

void loops_release(Loops *k) {
  text_release(&k->loops);
  text_release(&k->beats);
  chart_release(&k->picture);
}

static void beat_row_add(Loops *k, int32_t m) {
  const Beat *beat = &k->beat[m];
  text_add(&k->beats, "%lld,%s", (long long)k->n_beat, k->circuit.node[k->chamber[m]].name);
  for (int q = 0; q < N_LOOP_QUANTITIES; ++q) text_add(&k->beats, ",%.10g", beat->value[q]);
  text_add(&k->beats, "\n");
}

Status loops_beat(Loops *k, int64_t steps) {
  const double begin = (double)k->n_beat * k->circuit.cycle;
  double before[CIRCUIT_NODES];
  CircuitState *s = &k->state;
  memcpy(before, s->volume, sizeof before);
  for (int32_t m = 0; m < k->n_chamber; ++m)
    beat_begin(&k->beat[m], s->volume[k->chamber[m]], s->pressure[k->chamber[m]]);
  for (int64_t i = 1; i <= steps; ++i) {
    const Status status = circuit_step(&k->circuit, begin + k->step * (double)i, s);
    if (status != OK) return status_context(status, "at t = %g ms, in beat %lld", s->t, (long long)k->n_beat + 1);
    for (int32_t m = 0; m < k->n_chamber; ++m) {
      const int32_t out = circuit_outflow(&k->circuit, k->chamber[m]);
      beat_sample(&k->beat[m], k->step * (double)i, s->volume[k->chamber[m]], s->pressure[k->chamber[m]],
                  out >= 0 ? s->flow[out] : 0);
    }
    if (s->steps % k->sample == 0 || i == steps) row_add(k);
  }
  k->n_beat += 1;
  for (int32_t m = 0; m < k->n_chamber; ++m) beat_row_add(k, m);
  if (steps == k->per_beat) k->change = circuit_change(&k->circuit, &k->state, before);
  return k->loops.status == OK && k->beats.status == OK ? OK : FAIL(ERR_MEMORY, "not enough memory for the tables");
}

void loops_curve(Chart *chart, const char *rows, int column, const double span[2]) {
  for (const char *line = strchr(rows, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
    const char *at = line + 1;
    char *end = NULL;
    const double t = strtod(at, NULL);
    if (t < span[0] || t > span[1]) continue;
    for (int i = 0; i < column; ++i) at = strchr(at, ',') + 1;
    const double volume = strtod(at, &end);
    chart_point(chart, volume, strtod(end + 1, NULL));
  }
}

/* Of the rows of loops.csv in a beat: columns of chamber m. */
static void curve_add(const Loops *k, Chart *chart, int64_t beat, int32_t m) {
  char name[CIRCUIT_NAME + 32];
  const double from = (double)beat * k->circuit.cycle, to = from + k->circuit.cycle, edge = 0.5 * k->step;
  int column = 1;
  for (int32_t i = 0; i < k->chamber[m]; ++i) column += k->circuit.node[i].kind == CIRCUIT_SOURCE ? 0 : 2;
  snprintf(name, sizeof name, "%s, beat %lld", k->circuit.node[k->chamber[m]].name, (long long)beat + 1);
  chart_curve(chart, name);
  loops_curve(chart, k->loops.data, column, (const double[2]){from - edge, to + edge});
}

static void state_text(const Loops *k, Text *out) {
  const CircuitState *s = &k->state;
  text_add(out, "quantity,value,unit\ntime,%.17g,ms\n", s->t);
  for (int32_t i = 0; i < k->circuit.n_node; ++i) {
    const char *name = k->circuit.node[i].name;
    if (k->circuit.node[i].kind == CIRCUIT_SOURCE) continue;
    text_add(out, "%s-volume,%.17g,mL\n%s-pressure,%.17g,kPa\n", name, s->volume[i], name, s->pressure[i]);
  }
  for (int32_t b = 0; b < k->circuit.n_branch; ++b)
    text_add(out, "%s-flow,%.17g,mL/ms\n", k->circuit.branch[b].name, s->flow[b]);
}

static Status save_texts(const Loops *k, const char *folder, const Text *state, const Text *picture) {
  const struct {
    const char *name;
    const Text *text;
  } file[] = {{"beats.csv", &k->beats}, {"state.csv", state}, {"loops.svg", picture}, {"loops.csv", &k->loops}};
  for (size_t i = 0; i < sizeof file / sizeof *file; ++i) {
    char *path = NULL;
    TRY(output_path(folder, file[i].name, &path));
    const Status status = text_save(file[i].text, path, false);
    FREE(path);
    TRY(status);
  }
  return OK;
}

Status loops_save(const Loops *k, const char *folder) {
  Text state = {0}, picture = {0};
  Chart chart = k->picture;
  state_text(k, &state);
  for (int32_t m = 0; m < k->n_chamber; ++m) {
    curve_add(k, &chart, 0, m);
    if (k->n_beat > 1) curve_add(k, &chart, k->n_beat - 1, m);
  }
  chart_draw(&chart, &picture);
  chart_release(&chart);
  const Status status = save_texts(k, folder, &state, &picture);
  text_release(&state);
  text_release(&picture);
  return status;
}
