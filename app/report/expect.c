/* One verdict per row: probe, sum or quantity. */
#include "app/report/expect.h"

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

static double value_of(const Case *c, const CaseExpect *row, const RunReport *report) {
  if (place_given(row->time.place) || place_given(row->frequency.place))
    return report->at_time ? report->at_time[row - case_expect(c, 0)] : (double)NAN;
  if (expect_column(row)) return column_value(&report->columns, expect_column(row));
  switch ((ExpectQuantity)row->quantity.value) {
  case QUANTITY_STRAIN_ENERGY: return report->energy;
  case QUANTITY_STEPS: return (double)report->steps;
  case QUANTITY_UNKNOWNS: return (double)report->unknowns;
  case QUANTITY_ITERATIONS: return (double)report->linear.iterations;
  }
  return (double)NAN;
}

Verdict expect_verdict(const Case *c, const CaseExpect *row, const RunReport *report) {
  Verdict v = {.expected = row->value.value, .got = value_of(c, row, report)};
  const char *name = expect_column(row) ? expect_column(row) : row->quantity.text;
  if (place_given(row->time.place)) snprintf(v.name, sizeof v.name, "%.90s at t = %g", name, row->time.value);
  else if (place_given(row->frequency.place))
    snprintf(v.name, sizeof v.name, "%.90s at %g Hz", name, row->frequency.value);
  else snprintf(v.name, sizeof v.name, "%s", name);
  const bool absolute = place_given(row->atol.place);
  v.relative = !absolute && v.expected != 0; /* an expected 0 without a tolerance: 1e-6 in its own unit */
  v.tolerance = absolute ? row->atol.value : place_given(row->rtol.place) ? row->rtol.value : EXPECT_RTOL;
  v.error = fabs(v.got - v.expected) / (v.relative ? fabs(v.expected) : 1);
  v.held = v.error <= v.tolerance; /* false for NaN */
  return v;
}

int expect_print(const Case *c, const RunReport *report) {
  int missed = 0;
  if (c->expect.n == 0) {
    printf("  no 'expect:' rows: it ran, and nothing was held against a reference\n");
    return 0;
  }
  printf("  %-24s %16s %16s %10s %10s  %s\n", "quantity", "expected", "got", "error", "tolerance", "verdict");
  for (int32_t i = 0; i < c->expect.n; ++i) {
    const Verdict v = expect_verdict(c, case_expect(c, i), report);
    printf("  %-24s %16.9g %16.9g %10.2e %10g%s  %s\n", v.name, v.expected, v.got, v.error, v.tolerance,
           v.relative ? " r" : " a", v.held ? "ok" : "MISSED");
    missed += !v.held;
  }
  return missed;
}
