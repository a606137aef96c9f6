/* Maps of what fibres had in the last whole beat, or in what there is of the first: the largest stretch, the stretch at the end of systole, which is where
 * the first cavity of the case holds least, the largest tension, and when. They go on with each step, at nodes and on the Exec. */
#include "app/electromechanics/pump.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/elastic_fields.h"
#include "app/run/ranks.h"
#include "core/memory.h"

#include <string.h>

static const char *const WHAT = "what fibres had in a beat";

Status pump_peaks_create(ElasticRun *w) {
  PumpPeaks *k = &pump_own(w)->peaks;
  const Run *run = w->run;
  Exec *exec = run->device.exec;
  if (!elastic_peaks_asked(run->c)) return OK;
  k->n = run_mesh(run)->n_node;
  k->n_whole = run->share ? collector_items(run->share->collector, OF_NODES) : k->n;
  EXEC_ALLOC(exec, k->stretch, k->n, WHAT);
  EXEC_ALLOC(exec, k->tension, k->n, WHAT);
  EXEC_ALLOC(exec, k->now, ELASTIC_PEAKS * k->n, WHAT);
  EXEC_ALLOC(exec, k->last, ELASTIC_PEAKS * k->n, WHAT);
  return exec_zero(exec, k->last, (size_t)(ELASTIC_PEAKS * k->n) * sizeof *k->last);
}

void pump_peaks_release(ElasticRun *w) {
  PumpPeaks *k = &pump_own(w)->peaks;
  Exec *exec = w->run->device.exec;
  elastic_fields_release(&k->fields);
  if (!exec) return;
  EXEC_RELEASE(exec, k->stretch, k->n);
  EXEC_RELEASE(exec, k->tension, k->n);
  EXEC_RELEASE(exec, k->now, ELASTIC_PEAKS * k->n);
  EXEC_RELEASE(exec, k->last, ELASTIC_PEAKS * k->n);
}

/* Stretches and tensions of now. */
static Status read_states(ElasticRun *w, const double *u) {
  PumpPeaks *k = &pump_own(w)->peaks;
  TRY(k->fields.own ? elasticity_recover_here(w->elasticity, u, &k->fields)
                    : elasticity_recover_begin(w->elasticity, u, FIELD_STATES, &k->fields));
  TRY(elastic_states_take(w->elasticity, &k->fields, ELASTIC_STATES, w->cells.first, k->stretch));
  return elastic_states_take(w->elasticity, &k->fields, ELASTIC_STATES, w->cells.first + 1, k->tension);
}

Status pump_peaks_see(ElasticRun *w, const double *u, double time) {
  PumpRun *o = pump_own(w);
  PumpPeaks *k = &o->peaks;
  if (!k->n) return OK;
  TRY(read_states(w, u));
  const BeatMoment now = {.stretch = k->stretch,
                          .tension = k->tension,
                          .time = time - o->state.beat_begin,
                          .least = o->n_loop > 0 && pump_volume(w, 0) < o->state.beat[0].value[LOOP_ESV]};
  return elasticity_beat_peak(w->elasticity, &now, k->now);
}

Status pump_peaks_begin(ElasticRun *w, const double *u) {
  PumpPeaks *k = &pump_own(w)->peaks;
  const BeatMoment now = {.stretch = k->stretch, .tension = k->tension, .first = true};
  if (!k->n) return OK;
  if (u) TRY(read_states(w, u));
  else TRY(exec_copy(w->run->device.exec, k->last, k->now, (size_t)(ELASTIC_PEAKS * k->n) * sizeof *k->last));
  return elasticity_beat_peak(w->elasticity, &now, k->now);
}

Status pump_peaks_take(ElasticRun *w, CellField field, double *room) {
  const PumpPeaks *k = &pump_own(w)->peaks;
  const double *from = pump_own(w)->state.n_beat ? k->last : k->now;
  return exec_copy(w->run->device.exec, room, from + (field - CELL_PEAK_STRETCH) * k->n, (size_t)k->n * sizeof *room);
}

/* ---- checkpoints: arrays of the whole mesh ---- */

int64_t pump_peaks_bytes(const ElasticRun *w) {
  return 2 * ELASTIC_PEAKS * pump_own(w)->peaks.n_whole * (int64_t)sizeof(double);
}

static Status save_one(const ElasticRun *w, const double *from, double *here, double *host) {
  const PumpPeaks *k = &pump_own(w)->peaks;
  for (int32_t i = 0; i < ELASTIC_PEAKS; ++i) {
    double *to = host ? host + i * k->n_whole : NULL;
    TRY(exec_download(w->run->device.exec, here, from + i * k->n, (size_t)k->n * sizeof *here));
    if (w->run->share) TRY(collect(w->run->share->collector, OF_NODES, sizeof *here, here, to));
    else memcpy(to, here, (size_t)k->n * sizeof *here);
  }
  return OK;
}

Status pump_peaks_save(ElasticRun *w, void *host) {
  const PumpPeaks *k = &pump_own(w)->peaks;
  double *here = NULL, *to = host;
  if (!k->n) return OK;
  ALLOC(here, k->n, WHAT);
  Status status = save_one(w, k->now, here, to);
  if (status == OK) status = save_one(w, k->last, here, to ? to + ELASTIC_PEAKS * k->n_whole : NULL);
  FREE(here);
  return status;
}

static Status restore_one(const ElasticRun *w, const char *host, double *here, double *to) {
  const PumpPeaks *k = &pump_own(w)->peaks;
  const RunShare *share = w->run->share;
  const int32_t *own = NULL, n = share ? collector_own(share->collector, OF_NODES, &own) : (int32_t)k->n;
  memset(here, 0, (size_t)k->n * sizeof *here);
  for (int32_t i = 0; i < ELASTIC_PEAKS; ++i, host += (size_t)k->n_whole * sizeof *here) {
    for (int32_t j = 0; j < n; ++j)
      memcpy(&here[own ? own[j] : j],
             host + (size_t)(share ? collector_whole(share->collector, OF_NODES, j) : j) * sizeof *here, sizeof *here);
    TRY(exec_upload(w->run->device.exec, to + i * k->n, here, (size_t)k->n * sizeof *here));
  }
  return OK;
}

Status pump_peaks_restore(ElasticRun *w, const void *host) {
  const PumpPeaks *k = &pump_own(w)->peaks;
  const char *from = host;
  double *here = NULL;
  if (!k->n) return OK;
  ALLOC(here, k->n, WHAT);
  Status status = restore_one(w, from, here, k->now);
  if (status == OK) status = restore_one(w, from + (size_t)(ELASTIC_PEAKS * k->n_whole) * sizeof *here, here, k->last);
  FREE(here);
  return status;
}

void pump_peaks_check(const Case *c, Diagnostics *out) {
  bool model = false;
  if (!elastic_peaks_asked(c)) return;
  Place place = c->output.cell_maps.place;
  for (int32_t i = 0; i < c->output.probes.n && !place_given(place); ++i)
    if (elastic_probe(c, i).row >= elastic_cell_row() + CELL_PEAK_STRETCH) place = case_probe(c, i)->field.place;
  for (int32_t m = 0; m < c->materials.n; ++m) model |= case_material(c, m)->active.model.text != NULL;
  if (!model)
    report_error(out, place,
                 "maps of stretch and tension are those of a tension with a model, and no entry of muscle has one\n  "
                 "such as: tension: {model: land}");
  if (!c->cavities.n && elastic_state_asked(c, elastic_cell_row() + CELL_END_SYSTOLIC_STRETCH))
    report_error(out, place,
                 "end-systolic-stretch is that at the moment when the first cavity holds least, and this body has "
                 "none\n  remedy: 'cavities', or leave it out");
}
