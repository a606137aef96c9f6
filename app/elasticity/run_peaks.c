/* The largest displacement and stress and the smallest safety factor of all steps in time, whatever is stored. Load steps of a case with
 * a strength have the factor without being asked: in the end a body may be unloaded. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic_run.h"

FieldBits elastic_peaks_needed(const ElasticRun *r) {
  const Case *c = r->run->c;
  const bool asked = c->output.peaks.value;
  FieldBits which = asked ? FIELD_DISPLACEMENT | FIELD_VON_MISES : 0;
  if (case_has_strength(c) && (asked || !elastic_has(c, HAS_INERTIA))) which |= FIELD_SAFETY;
  return which;
}

/* The first of equal ones stays. */
static void keep(RunPeak *peak, bool less, double value, int32_t node, double time) {
  if (node < 0 || (peak->place && !(less ? value < peak->value : value > peak->value))) return;
  *peak = (RunPeak){value, time, node + 1};
}

Status elastic_peaks_see(ElasticRun *r) {
  Run *run = r->run;
  RunPeak *peak = run->report->peak;
  ElasticPeaks found;
  if (!elastic_peaks_needed(r)) return OK;
  progress_phase(&run->progress, PHASE_SOLVE);
  TRY(elastic_fields_send(&r->fields));
  TRY(elastic_fields_wait(r->elasticity, &r->fields));
  TRY(elastic_find_peaks(run, &r->fields, &found));
  for (int k = 0; k < 2; ++k) keep(&peak[k], false, found.most[k], found.at[k], run->report->time);
  keep(&peak[PEAK_SAFETY], true, found.safety, found.unsafe, run->report->time);
  progress_phase(&run->progress, PHASE_RECOVER);
  return OK;
}

void elastic_peaks_tell(const ElasticRun *r) {
  const Run *run = r->run;
  if (!r->stepper || !run_is_root(run)) return;
  const RunPeak *peak = run->report->peak;
  ElasticPeaks all = {.most = {peak[0].value, peak[1].value},
                      .at = {peak[0].place - 1, peak[1].place - 1},
                      .safety = peak[PEAK_SAFETY].value,
                      .unsafe = peak[PEAK_SAFETY].place - 1};
  Extremes *out = &run->report->extremes;
  elastic_extremes(run->mesh, &all, &(ElasticFields){.error = -1}, out);
  for (int32_t k = 0, n = 0; k < 2; ++k)
    if (peak[k].place) out->item[n].timed = true, out->item[n++].time = peak[k].time;
  out->safety.timed = true, out->safety.time = peak[PEAK_SAFETY].time;
}
