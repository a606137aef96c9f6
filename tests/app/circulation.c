/* `sinew circulation`: beats, tables and pictures; beats that repeat, and so many. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE SINEW_SOURCE_DIR "/cases/circulation/case.yaml"

/* A number of beats.csv. */
static double beat_value(const char *csv, int beat, const char *chamber, const char *column) {
  char row[64];
  int k = 0;
  for (const char *at = csv; strncmp(at, column, strlen(column)); ++k) at = strchr(at, ',') + 1;
  snprintf(row, sizeof row, "\n%d,%s,", beat, chamber);
  const char *at = strstr(csv, row);
  if (!at) fail_msg("no row of beat %d", beat);
  for (++at; k > 0; --k) at = strchr(at, ',') + 1;
  return strtod(at, NULL);
}

/* Beats 1 and 23 of the open loop, by an implicit method of order 5: 1e-4 is asked for, 1e-5 reached. */
static void beats_are_those_of_the_equations(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said = app_says("circulation", CASE, "--beats", "23", "--output", folder, NULL);
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  assert_non_null(strstr(said.out, "beats        23 of 800 ms"));
  said_release(&said);
  char *csv = scratch_read(folder, "beats.csv");
  assert_relative(beat_value(csv, 1, "lv", "end-systolic-volume"), 52.2545, 1e-5);
  assert_relative(beat_value(csv, 1, "lv", "peak-pressure"), 16.1031, 1e-5);
  assert_relative(beat_value(csv, 1, "lv", "peak-outflow"), 0.46276, 2e-5);
  assert_relative(beat_value(csv, 23, "lv", "end-diastolic-volume"), 103.1805, 1e-5);
  assert_relative(beat_value(csv, 23, "lv", "end-systolic-volume"), 46.0692, 1e-5);
  free(csv);
  const char *const made[] = {"loops.csv", "state.csv", "loops.svg", "report.json"};
  const char *const held[] = {"\n800,", "time,18400,ms\nlv-volume,10", "lv, beat 23",
                              "\"lv-ejection-fraction\": 0.5535"};
  for (int i = 0; i < 4; ++i) {
    char *text = scratch_read(folder, made[i]);
    if (!strstr(text, held[i])) fail_msg("%s has no '%s'", made[i], held[i]);
    free(text);
  }
  scratch_remove(&folder);
}

/* The closed loop's first beat. */
static void closed_loop(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said = app_says("circulation", SINEW_SOURCE_DIR "/cases/circulation/closed-loop.yaml", "--beats", "1",
                       "--time-step", "0.2", "--output", folder, NULL);
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  said_release(&said);
  char *csv = scratch_read(folder, "beats.csv");
  assert_relative(beat_value(csv, 1, "lv", "end-diastolic-volume"), 132.199, 1e-4);
  assert_relative(beat_value(csv, 1, "lv", "end-systolic-volume"), 46.404, 1e-4);
  assert_relative(beat_value(csv, 1, "lv", "peak-pressure"), 120.160 * 0.1333224, 1e-4);
  free(csv);
  scratch_remove(&folder);
}

/* Atria are ahead of the ventricles by as much, whatever the pace. */
static void atria_keep_pace(void **state) {
  (void)state;
  static const char cycle[] = "circulation.cycle=800";
  static const char *const set[2][2] = {
      {cycle, cycle}, {"circulation.la={elastance: {start: 600}}", "circulation.ra={elastance: {start: 600}}"}};
  char *folder = scratch_create(), *rows[2];
  for (int k = 0; k < 2; ++k) {
    Said said = app_says("circulation", SINEW_SOURCE_DIR "/cases/circulation/closed-loop.yaml", "--beats", "2",
                         "--time-step", "0.5", "--set", cycle, "--set", set[k][0], "--set", set[k][1], "--output",
                         folder, "--overwrite", NULL);
    if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
    said_release(&said);
    rows[k] = scratch_read(folder, "beats.csv");
  }
  assert_string_equal(rows[0], rows[1]);
  for (int k = 0; k < 2; ++k) free(rows[k]);
  scratch_remove(&folder);
}

/* Numbers of another unit make no heart, and part of a beat tells nothing. */
static void other_units_are_doubted(void **state) {
  (void)state;
  static const char *const set[][3] = {
      {"circulation.lv={elastance: {active: 2.75}}", "time.end=2000", "'lv' ejects 89.8 % of the 111.7 mL"},
      {"circulation.rv={elastance: {active: 8, passive: 0.7}}", "time.end=1000", "the pressure in 'rv' peaks at"},
      {"circulation.lv={elastance: {active: 2.75}}", "time.end=200", NULL},
      {"circulation.lv={elastance: {active: 0.3}}", "time.end=1000", NULL}};
  for (int i = 0; i < 4; ++i) {
    char *folder = scratch_create();
    Said said = app_says("circulation", SINEW_SOURCE_DIR "/cases/circulation/closed-loop.yaml", "--time-step", "0.5",
                         "--set", set[i][0], "--set", set[i][1], "--set", "expect=[]", "--output", folder, NULL);
    if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
    if (set[i][2] ? !strstr(said.err, set[i][2]) : strstr(said.err, "hearts") != NULL) fail_msg("%s", said.err);
    said_release(&said);
    scratch_remove(&folder);
  }
}

/* Into a constant pressure; from an atrium that contracts into four elements. */
static void other_parts(void **state) {
  (void)state;
  static const char *const set[2][2] = {
      {"circulation.lv.to={valve: 2, pressure: 8}", "circulation.lv.from.valve.closed=1e6"},
      {"circulation.lv.to.windkessel.l=500", "circulation.lv.from.atrium={r: 5, elastance: {active: 0.02, passive: "
                                             "0.02, v0: 5, start: 600, contraction: 100, "
                                             "relaxation: 90, volume: 60}}"}};
  static const char *const held[2] = {"lv-ejection-fraction", "lv-atrium-ejection-fraction"};
  for (int i = 0; i < 2; ++i) {
    char *folder = scratch_create();
    Said said = app_says("circulation", CASE, "--time-step", "1", "--set", set[i][0], "--set", set[i][1], "--output",
                         folder, NULL);
    if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
    assert_non_null(strstr(said.out, held[i]));
    assert_non_null(strstr(said.out, "periodic"));
    said_release(&said);
    scratch_remove(&folder);
  }
}

/* Once periodic, no more beats; a result stays unless it may go. */
static void until_beats_repeat(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said = app_says("circulation", CASE, "--time-step", "1", "--output", folder, NULL);
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  assert_non_null(strstr(said.out, "periodic     after 15 beats"));
  said_release(&said);
  said = app_says("circulation", CASE, "--time-step", "1", "--output", folder, NULL);
  assert_int_equal(said.code, 5);
  assert_non_null(strstr(said.err, "there is a result already"));
  said_release(&said);
  said = app_says("circulation", CASE, "--time-step", "1", "--set", "circulation.begin.beats=3", "--overwrite",
                  "--output", folder, NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.err, "beats do not repeat after 3 of them"));
  said_release(&said);
  scratch_remove(&folder);
}

/* What `sinew check` shows of the case is the same case. */
static void echo_reads_back(void **state) {
  (void)state;
  char *folder = scratch_create();
  Said said = app_says("check", CASE, "--set", "circulation.lv.to.windkessel.zc=5", NULL);
  assert_int_equal(said.code, 0);
  char *end = strstr(said.out, "\n# circulation");
  assert_non_null(end);
  assert_non_null(strstr(end, "with 5 behind it"));
  *end = 0;
  scratch_write(folder, "case.yaml", said.out);
  Said again = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  if (again.code) fail_msg("exit code %d: %s", again.code, again.err);
  end = strstr(again.out, "\n# circulation");
  assert_non_null(end);
  *end = 0;
  assert_string_equal(said.out, again.out);
  said_release(&said);
  said_release(&again);
  scratch_remove(&folder);
}

static void other_physics_are_refused(void **state) {
  (void)state;
  Said said = app_says("circulation", SINEW_SOURCE_DIR "/cases/kirsch/case.yaml", NULL);
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "needs a case with physics: electromechanics"));
  said_release(&said);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(beats_are_those_of_the_equations),
                                     cmocka_unit_test(closed_loop),
                                     cmocka_unit_test(atria_keep_pace),
                                     cmocka_unit_test(other_units_are_doubted),
                                     cmocka_unit_test(other_parts),
                                     cmocka_unit_test(until_beats_repeat),
                                     cmocka_unit_test(echo_reads_back),
                                     cmocka_unit_test(other_physics_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
