/* prepace: a run begins with what pacing cells alone leaves, with each tissue's parameters; the store changes no bit, and
 * damaged files in it do no harm. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two halves of different parameters; mirrored halves of the same ones would be paced once. */
static const char heart[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"epi\"\n2 2 \"endo\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n$EndNodes\n"
    "$Elements\n2\n1 3 2 1 1 1 2 5 4\n2 3 2 2 2 2 3 6 5\n$EndElements\n";
#define HEAD_WITH(gates)                                                                                               \
  "version: 1\nmesh: two.msh\nphysics: monodomain\ntissue:\n"                                                          \
  "  - {on: epi, ionic: {model: ten-tusscher, g-kr: 0.2" gates "}, diffusivity: 0.1}\n"                                \
  "  - {on: endo, ionic: {model: bueno-orovio, preset: endo}, diffusivity: 0.1}\n"
#define HEAD HEAD_WITH("")
#define TAIL                                                                                                           \
  "time: {end: 0.1, step: 0.05, scheme: rush-larsen}\noutput: {every: 0.05, probes: [{name: a, at: [0, 0]}, "          \
  "{name: c, at: [0, 0], field: ca-sr}, {name: b, at: [2, 0]}, {name: v, at: [2, 0], field: v}]}\n"
#define PACED "prepace: {cycle: 300, beats: 3}\n"

/* probes.csv of a run that says so about its pacing. */
static char *probes_of(const char *folder, const char *text, const char *said) {
  scratch_write(folder, "case.yaml", text);
  Said run = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--overwrite", NULL);
  if (run.code != 0 || !strstr(run.out, said)) fail_msg("%d, %s%s", run.code, run.out, run.err);
  said_release(&run);
  return scratch_read(folder, "results/probes.csv");
}

/* Number `n` of the store's files, by name. */
static const char *stored_file(const char *folder, int n) {
  static char path[2][512];
  const char *store = scratch_path(folder, "store");
  DIR *list = opendir(store);
  int found = 0;
  assert_non_null(list);
  for (const struct dirent *entry = readdir(list); entry; entry = readdir(list))
    if (!strncmp(entry->d_name, "cell-", 5) && found < 2)
      (void)snprintf(path[found++], sizeof path[0], "store/%s", entry->d_name);
  closedir(list);
  assert_int_equal(found, 2);
  return path[n];
}

static void store(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "two.msh", heart);
  setenv("SINEW_CACHE", scratch_path(folder, "two.msh/none"), 1); /* cannot be written */
  char *rest = probes_of(folder, HEAD TAIL, "");
  char *alone = probes_of(folder, HEAD PACED TAIL, "3 beats of 300 ms; different cells: 2, of these stored before: 0");
  setenv("SINEW_CACHE", scratch_path(folder, "store"), 1);
  char *first = probes_of(folder, HEAD PACED TAIL, "different cells: 2, of these stored before: 0");
  char *second = probes_of(folder, HEAD PACED TAIL, "different cells: 2, of these stored before: 2");
  assert_string_equal(first, alone);
  assert_string_equal(second, alone);
  assert_string_not_equal(rest, alone);
  char *whole = scratch_read(folder, stored_file(folder, 0));
  char *at = strstr(strstr(whole, "after the last beat\n"), "potential") - 2; /* a bit of the potential */
  *at = *at == '7' ? '6' : '7';
  scratch_write(folder, stored_file(folder, 0), whole);
  scratch_write(folder, stored_file(folder, 1), "");
  char *damaged = probes_of(folder, HEAD PACED TAIL, "different cells: 2, of these stored before: 0");
  assert_string_equal(damaged, alone);
  char *other = probes_of(folder, HEAD "prepace: {cycle: 300, beats: 4}\n" TAIL, "of these stored before: 0");
  assert_string_not_equal(other, alone);
  char *in_float = probes_of(folder, HEAD_WITH(", gates: float") PACED TAIL, "of these stored before: 1");
  assert_string_not_equal(in_float, alone);
  char *const text[] = {rest, alone, first, second, whole, damaged, other, in_float};
  for (size_t k = 0; k < sizeof text / sizeof *text; ++k) free(text[k]);
  scratch_remove(&folder);
}

/* The line of a table that begins so, to be freed. */
static char *line_of(const char *table, const char *begin) {
  const char *at = strstr(table, begin);
  assert_non_null(at);
  return strndup(at + 1, strcspn(at + 1, "\n"));
}

/* Three beats before and one of `sinew cell` are its fourth. */
static void cell_goes_on(void **state) {
  (void)state;
  char *folder = scratch_create(), *line[2];
  setenv("SINEW_CACHE", scratch_path(folder, "store"), 1);
  for (int k = 0; k < 2; ++k) {
    scratch_write(folder, "case.yaml", k ? HEAD PACED TAIL : HEAD TAIL);
    const char *const words[] = {"cell",        scratch_path(folder, "case.yaml"),
                                 "--cycle",     "300",
                                 "--overwrite", "--time-step",
                                 "0.01",        "--beats",
                                 k ? "1" : "4"};
    Said said = app_says_words(9, words);
    assert_int_equal(said.code, 0);
    said_release(&said);
    char *trace = scratch_read(folder, "cell/trace.csv");
    line[k] = line_of(trace, "\nepi,0,");
    free(trace);
  }
  assert_string_equal(line[0], line[1]);
  free(line[0]);
  free(line[1]);
  scratch_remove(&folder);
}

static void too_weak(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "two.msh", heart);
  setenv("SINEW_CACHE", scratch_path(folder, "store"), 1);
  scratch_write(folder, "case.yaml", HEAD "prepace: {cycle: 50, beats: 1, amplitude: 2}\n" TAIL);
  Said run = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), NULL);
  assert_int_equal(run.code, 0);
  assert_non_null(strstr(run.err, "prepace: 2 mV/ms for 1 ms starts no beat in the cells of 'epi'"));
  said_release(&run);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(store), cmocka_unit_test(cell_goes_on),
                                     cmocka_unit_test(too_weak)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
