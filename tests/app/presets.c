/* What presets say of themselves: by how much APD90 changes over 50 beats at 1 Hz from where they begin. */
#include "app/monodomain/single_cell.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEATS = 50 };
static const double STEP = 0.02, CYCLE = 1000; /* ms */

/* The last beat's APD90 less the first one's. */
static double drift(int kind, int preset) {
  const IonicConstants constants = ionic_constants(kind, preset);
  const IonicPulse pulse = ionic_pulse(kind);
  const CellPacing pacing = {pulse.amplitude, pulse.duration, STEP};
  SingleCell cell;
  CellBeat first, last;
  single_cell_start(&constants, &cell);
  assert_ok(single_cell_beat(&cell, &pacing, CYCLE, NULL, &first));
  for (int b = 1; b < BEATS; ++b) assert_ok(single_cell_beat(&cell, &pacing, CYCLE, NULL, &last));
  return last.apd90 - first.apd90;
}

static void steady(void **state) {
  (void)state;
  int n = 0;
  for (int kind = 0; kind < ionic_listed(); ++kind) {
    const IonicType *type = ionic_type(kind);
    for (int p = 0; p < type->n_preset && type->n_gate > 0; ++p) {
      const char *says = strstr(type->preset[p].meaning, "; APD90 ");
      if (!says || !strstr(says, " ms over 50 beats at 1 Hz"))
        fail_msg("%s, %s does not say how far it is from steady", type->name, type->preset[p].name);
      const double wanted = strtod(says + strlen("; APD90 "), NULL), got = drift(kind, p);
      print_message("%-16s %-10s says %+.1f ms, is %+.2f\n", type->name, type->preset[p].name, wanted, got);
      assert_within(got, wanted, fmax(0.15, 0.05 * fabs(wanted)));
      ++n;
    }
  }
  assert_true(n >= 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steady)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
