/* One verdict per row: probe, sum or quantity. */
#include "app/report/expect.h"

#include "app/input/physics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double column_value(const Columns *columns, const char *name) {
  for (int32_t i = 0; i < columns->n; ++i)
    if (strcmp(columns->name[i], name) == 0) return columns->value[i];
  return (double)NAN;
}

const char *expect_column(const CaseExpect *row) {
  return row->probe.text ? row->probe.text
         : row->sum.text ? row->sum.text
         : row->ecg.text ? row->ecg.text
                         : row->velocity.text;
}

/* What a row says of a mode, or of a whole modal analysis; NaN: it is no such quantity. */
static double modal_value(const CaseExpect *row, const RunReport *report) {
  const char *what = row->quantity.text;
  const int64_t k = row->mode.value - 1;
  const size_t n = strlen(what);
  if (!strcmp(what, "rigid-motions")) return report->modes.rigid;
  if (k < 0 || k >= report->modes.n) return (double)NAN;
  const ModeRow *mode = &report->modes.row[k];
  const int direction = n ? what[n - 1] - 'x' : 0;
  if (!strncmp(what, "participation-", 14)) return mode->participation[direction];
  if (!strncmp(what, "effective-mass-", 15)) return mode->effective[direction];
  return strcmp(what, "frequency") && strcmp(what, "load-factor") ? (double)NAN : mode->frequency;
}

/* "lv-ejection-fraction": the column of a quantity of a chamber. */
static const char *loop_column(const CaseExpect *row, char text[COLUMN_BYTES]) {
  snprintf(text, COLUMN_BYTES, "%s-%s", row->loop.text, row->quantity.text);
  return text;
}

/* The smallest factor of a load case or combination, or of all that there are; NaN: none. */
static double safety_of(const CaseExpect *row, const RunReport *report) {
  double least = report->extremes.has_safety ? report->extremes.safety.value : (double)NAN;
  for (int32_t k = 0; k < report->n_load_case; ++k) {
    const RunLoadCase *load = &report->load_case[k];
    if (load->extremes.has_safety && (!row->load_case.text || !strcmp(row->load_case.text, load->name)))
      least = fmin(least, load->extremes.safety.value); /* the number of the two */
  }
  return least;
}

static double value_of(const Case *c, const CaseExpect *row, const RunReport *report) {
  enum { OF_THE_RUN = 9 };
  static const char *const of_the_run[OF_THE_RUN] = {
      "unknowns",       "iterations",        "strain-energy", "steps",  "filaments",
      "kinetic-energy", "dissipated-energy", "external-work", "reentry"};
  const char *what = row->quantity.text;
  char column[COLUMN_BYTES];
  int32_t k = 0;
  if (row->loop.text) return column_value(&report->columns, loop_column(row, column));
  while (what && k < OF_THE_RUN && strcmp(what, of_the_run[k])) ++k;
  if (!expect_column(row) && report->modes.n && k == OF_THE_RUN) return modal_value(row, report);
  if (what && !strcmp(what, "safety")) return safety_of(row, report);
  if (place_given(row->time.place) || place_given(row->frequency.place) || row->load_case.text ||
      place_given(row->mode.place) || (row->ecg.text && what))
    return report->at_time ? report->at_time[row - case_expect(c, 0)] : (double)NAN;
  if (expect_column(row)) return column_value(&report->columns, expect_column(row));
  const double value[] = {(double)report->unknowns,
                          (double)report->linear.iterations,
                          report->energy,
                          (double)report->steps,
                          (double)report->heart.filaments,
                          report->energies.kinetic,
                          report->energies.dissipated,
                          report->energies.external,
                          report->heart.reentry,
                          (double)NAN};
  return value[what ? k : OF_THE_RUN];
}

Verdict expect_verdict(const Case *c, const CaseExpect *row, const RunReport *report) {
  Verdict v = {.expected = row->value.value, .got = value_of(c, row, report)};
  const char *name = expect_column(row) ? expect_column(row) : row->quantity.text;
  if (row->loop.text) loop_column(row, v.name);
  else if (row->ecg.text && row->quantity.text)
    snprintf(v.name, sizeof v.name, "%.60s of %.60s", row->quantity.text, name);
  else if (place_given(row->time.place)) snprintf(v.name, sizeof v.name, "%.90s at t = %g", name, row->time.value);
  else if (place_given(row->frequency.place))
    snprintf(v.name, sizeof v.name, "%.90s at %g Hz", name, row->frequency.value);
  else if (row->load_case.text) snprintf(v.name, sizeof v.name, "%.60s in %.60s", name, row->load_case.text);
  else if (place_given(row->mode.place))
    snprintf(v.name, sizeof v.name, "%.90s of mode %lld", name, (long long)row->mode.value);
  else snprintf(v.name, sizeof v.name, "%s", name);
  const bool absolute = place_given(row->atol.place);
  v.relative = !absolute && v.expected != 0; /* an expected 0 without a tolerance: 1e-6 in its own unit */
  v.tolerance = absolute ? row->atol.value : place_given(row->rtol.place) ? row->rtol.value : EXPECT_RTOL;
  v.error = fabs(v.got - v.expected) / (v.relative ? fabs(v.expected) : 1);
  v.held = v.error <= v.tolerance; /* false for NaN */
  return v;
}

static UnitKind quantity_kind(const CaseExpect *row) {
  const char *what = row->quantity.text;
  if (!what) return UNIT_NONE;
  if (!strcmp(what, "frequency")) return UNIT_FREQUENCY;
  if (!strncmp(what, "effective-mass-", 15)) return UNIT_MASS;
  return strstr(what, "-energy") || !strcmp(what, "external-work") ? UNIT_ENERGY : UNIT_NONE;
}

/* The unit of a row's numbers, "" where the case does not say. */
static const char *expect_unit(const Case *c, const CaseExpect *row, const RunReport *report, const Units *units) {
  const char *column = expect_column(row), *unit = NULL;
  char loop[COLUMN_BYTES];
  if (row->loop.text) column = loop_column(row, loop);
  const bool interval = row->ecg.text && row->quantity.text;
  if (interval) column = NULL;
  if (!column) unit = units_text(units, interval ? UNIT_TIME : quantity_kind(row));
  for (int32_t i = 0; column && i < report->columns.n; ++i)
    if (!strcmp(report->columns.name[i], column)) unit = c->physics->column_unit(c, units, i);
  return unit ? unit : "";
}

int expect_print(const Case *c, const RunReport *report) {
  int missed = 0;
  Units units;
  units_of_case(c, &units);
  if (c->expect.n == 0) {
    printf("  no 'expect:' rows: it ran, and nothing was compared with a reference\n");
    return 0;
  }
  printf("  %-24s %16s %16s %10s %10s  %s\n", "quantity", "expected", "got", "error", "tolerance", "verdict");
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const Verdict v = expect_verdict(c, case_expect(c, i), report);
    const char *unit = expect_unit(c, case_expect(c, i), report, &units);
    char name[sizeof v.name + UNIT_BYTES + 4];
    snprintf(name, sizeof name, "%s%s%s%s", v.name, *unit ? " [" : "", unit, *unit ? "]" : "");
    printf("  %-24s %16.9g %16.9g %10.2e %10g%s  %s\n", name, v.expected, v.got, v.error, v.tolerance,
           v.relative ? " r" : " a", v.held ? "ok" : "MISSED");
    missed += !v.held;
  }
  return missed;
}
