#include "app/report/unit_columns.h"
#include "app/input/case_tables.h"

#include <string.h>

static const char *text_or_empty(const Units *units, UnitKind kind) {
  const char *text = units_text(units, kind);
  return text ? text : "";
}

static UnitKind elasticity_column(const Case *c, int32_t i) {
  if (i < c->output.probes.n) {
    const int32_t field = case_probe(c, i)->field.value;
    return field >= PROBE_REACTION ? UNIT_FORCE : field >= PROBE_STRESS ? UNIT_STRESS : UNIT_LENGTH;
  }
  i -= c->output.probes.n;
  for (int32_t k = 0; k < c->output.sums.n; ++k) {
    const bool reaction = case_sum(c, k)->field.value == SUM_REACTION;
    const int32_t width = reaction ? case_dim(c) : 1;
    if (i < width) return reaction ? UNIT_FORCE : UNIT_ENERGY;
    i -= width;
  }
  return UNIT_NONE;
}

static UnitKind heat_column(const Case *c, int32_t i) {
  if (i < c->output.probes.n) return case_probe(c, i)->field.value < HEAT_PROBE_FLUX ? UNIT_TEMPERATURE : UNIT_FLUX;
  i -= c->output.probes.n;
  if (i >= c->output.sums.n) return UNIT_NONE;
  return case_sum(c, i)->field.value == HEAT_SUM_FLOW ? UNIT_POWER : UNIT_ENERGY;
}

static const char *heart_column(const Case *c, const Units *units, int32_t i) {
  if (i >= c->output.probes.n) return i >= c->output.probes.n + c->output.ecg.n ? "mm/ms" : "";
  const int32_t field = case_probe(c, i)->field.value;
  return field == HEART_POTENTIAL   ? text_or_empty(units, UNIT_POTENTIAL)
         : field >= HEART_PROBE_MAP ? text_or_empty(units, UNIT_TIME)
                                    : "";
}

const char *unit_of_column(const Case *c, const Units *units, int32_t i) {
  if (!strcmp(c->kind->name, "monodomain")) return heart_column(c, units, i);
  return text_or_empty(units, !strcmp(c->kind->name, "heat") ? heat_column(c, i) : elasticity_column(c, i));
}
