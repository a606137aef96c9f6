/* The keys of a case of the heart as a pump, as tables. So far it has its circulation alone. */
#include "app/electromechanics/case_electromechanics.h"
#include "app/input/case_tables.h"

#include <math.h>
#include <string.h>

static const Word quantity_words[] = {
#define LOOP(NAME, word, unit, meaning) {word, 0},
#include "app/electromechanics/loops.def"
#undef LOOP
    {NULL, 0}};

static const Key time_keys[] = {
    {"end", VALUE_NUMBER, false, AT(CaseTime, end), .open_min = true, .max = INFINITY,
     .meaning = "ms; unless given, beats go on until they repeat"},
    {"step", VALUE_NUMBER, false, AT(CaseTime, step), .initial = "0.1", .open_min = true, .max = INFINITY,
     .meaning = "ms, at most a tenth of a cycle; as many as make up the cycle have one length"}};
static const Schema time_schema = {SCHEMA("time", time_keys, CaseTime)};

static const Key output_keys[] = {{"sample", VALUE_NUMBER, false, AT(CaseOutput, sample), .initial = "1",
                                   .open_min = true, .max = INFINITY,
                                   .meaning = "ms between rows of loops.csv, about: a whole number of steps"}};
static const Schema output_schema = {SCHEMA("output", output_keys, CaseOutput)};

static const Key expect_keys[] = {{"loop", VALUE_TEXT, true, AT(CaseExpect, loop), .meaning = "name of a chamber"},
                                  CASE_EXPECT_VALUE_KEYS(quantity_words)};
static const Schema expect_schema = {SCHEMA("an expect row", expect_keys, CaseExpect)};

static const Key case_keys[] = {
    CASE_TITLE_KEYS,
    CASE_PHYSICS_KEY,
    {"circulation", VALUE_MAP, true, AT(Case, circulation), .schema = &circulation_schema,
     .meaning = "chambers, valves and vessels, without space"},
    {"time", VALUE_MAP, false, AT(Case, time), .schema = &time_schema, .meaning = "{end: 1600, step: 0.1}, ms"},
    {"output", VALUE_MAP, false, AT(Case, output), .schema = &output_schema, .meaning = "{sample: 1}"},
    {"expect", VALUE_MAPS, false, AT(Case, expect), .schema = &expect_schema,
     .meaning = "rows for 'sinew verify', of the last beat: {loop: lv, quantity: ejection-fraction, value: 0.55}"}};

/* What a heart in space would have. */
static const char *case_elsewhere(const char *key) {
  static const char *const space[] = {"mesh",    "muscle",  "tissue",  "cavities", "boundary",
                                      "stimuli", "eikonal", "prepace", "unload",   "body"};
  for (int k = 0; k < COUNT(space); ++k)
    if (strcmp(space[k], key) == 0)
      return "belongs to a heart in space, which electromechanics does not have yet: it runs the circulation alone\n  "
             "remedy: leave it out; muscle is solved by 'physics: elasticity' with 'strain: finite', cells by "
             "'physics: monodomain'";
  return NULL;
}
const Schema electromechanics_schema = {SCHEMA("the case", case_keys, Case), .elsewhere = case_elsewhere};

void electromechanics_check(Case *c, Diagnostics *out) {
  const double cycle = c->circulation.cycle.value, step = c->time.step.value;
  if (cycle > 0 && step > cycle / 10)
    report_error(out, c->time.step.place, "step is %g ms, must be at most a tenth of the cycle of %g ms", step, cycle);
  if (cycle > 0 && c->output.sample.value > cycle / 10)
    report_error(out, c->output.sample.place, "sample is %g ms, must be at most a tenth of the cycle of %g ms",
                 c->output.sample.value, cycle);
  circulation_check(c, out);
}
