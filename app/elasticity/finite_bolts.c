/* What is said of bolts in the end. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/finite.h"
#include "assembly/elasticity/bolts.h"
#include "core/memory.h"
#include "output/json.h"

#include <stdio.h>

Status finite_bolts_end(ElasticRun *w) {
  RunReport *report = w->run->report;
  const int32_t n = elasticity_bolts(w->elasticity);
  FREE(report->bolt);
  if (!n) return OK;
  ALLOC(report->bolt, n, "bolts");
  report->n_bolt = n;
  for (int32_t i = 0; i < n; ++i) {
    const BoltSeen seen = elasticity_bolt(w->elasticity, i);
    report->bolt[i] =
        (RunBolt){case_bolt_at(w->run->c, i, NULL)->on.item[0].text, seen.force, seen.elongation, seen.locked};
  }
  return OK;
}

void finite_bolts_sample(const ElasticRun *w, double *value) {
  for (int32_t i = 0; i < elasticity_bolts(w->elasticity); ++i) {
    const BoltSeen bolt = elasticity_bolt(w->elasticity, i);
    value[2 * i] = bolt.force, value[2 * i + 1] = bolt.elongation;
  }
}

void finite_bolts_save(const RunReport *report, Json *json) {
  if (!report->n_bolt) return;
  json_array(json, "bolts");
  for (int32_t i = 0; i < report->n_bolt; ++i) {
    const RunBolt *row = &report->bolt[i];
    json_object(json, NULL);
    json_string(json, "on", row->name);
    json_number(json, "force", row->force);
    json_number(json, "elongation", row->elongation);
    json_bool(json, "locked", row->locked);
    json_end(json);
  }
  json_end(json);
}

void finite_bolts_print(const RunReport *report) {
  for (int32_t i = 0; i < report->n_bolt; ++i) {
    const RunBolt *row = &report->bolt[i];
    printf("bolt         %s: force %.8g, elongation %.6g, %s\n", row->name, row->force, row->elongation,
           row->locked ? "locked" : "under its preload");
  }
}
