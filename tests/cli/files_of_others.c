/* An output folder and results that come from somebody else can do no harm: no link in them is written through, damage
 * costs one sentence, and nothing of an old result stays beside a new one. */
#include "tests/cli/run_program.h"
#include "tests/cli/small_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A static case with tables, one of modes, heat in time with checkpoints, and what is heated by it. */
static const char beam[] =
    "version: 1\nmesh: {grid: [7, 3], size: [3, 1]}\nphysics: elasticity\nmodel: plane-stress\n"
    "materials: [{on: body, young: 50, poisson: 0.2, thickness: 0.4, density: 3, expansion: 1e-4}]\n"
    "boundary: [{on: x0, fix: all}, {on: x1, traction: [0, 0.01]}]\n";
static const char tables[] = "output: {tables: [{on: x1, field: displacement}]}\n";
static const char modes[] = "version: 1\nmesh: {grid: [6, 3], size: [3, 1]}\nphysics: elasticity\nmodel: plane-stress\n"
                            "materials: [{on: body, young: 50, poisson: 0.2, thickness: 0.4, density: 3}]\n"
                            "boundary: [{on: x0, fix: all}]\nanalysis: {type: modal, modes: 2}\n";
static const char heat[] = "version: 1\nmesh: {grid: [7, 3], size: [3, 1]}\nphysics: heat\n"
                           "materials: [{on: body, conductivity: 2, capacity: 1}]\n"
                           "boundary: [{on: x0, temperature: 5}]\ninitial: 1\ntime: {end: 2, step: 0.5}\n"
                           "output: {every: 0.5, checkpoint: 1, probes: [{name: a, at: [2, 0.5]}]}\n";
static const char heated[] = "thermal: {temperature: {results: heat}, reference: 0}\n";

static char *new_folder(void) {
  char *folder = folder_create(), text[2048];
  put_text(folder, "beam.yaml", beam);
  snprintf(text, sizeof text, "%s%s", beam, tables);
  put_text(folder, "bar \"1\".yaml", text);
  snprintf(text, sizeof text, "%s%s", beam, heated);
  put_text(folder, "heated.yaml", text);
  put_text(folder, "modes.yaml", modes);
  put_text(folder, "heat.yaml", heat);
  put_text(folder, "victim", "precious");
  return folder;
}

static void runs(const char *folder, const char *file, const char *output, const char *more, int code) {
  Run run = run_sinew(folder, "run", file, "-q", "--backend", "cpu", "--output", output, more, NULL);
  assert_code(&run, code);
  run_release(&run);
}

static void link_to_victim(const char *folder, const char *name) {
  char path[512];
  snprintf(path, sizeof path, "%s/out/%s", folder, name);
  unlink(path);
  assert_int_equal(symlink("../victim", path), 0);
}

static void victim_is_whole(const char *folder, const char *name) {
  char *text = get_text(folder, "victim");
  expect_that(!strcmp(text, "precious"), "a run has written through the link %s", name);
  free(text);
}

static void no_link_is_written_through(void **state) {
  static const char *const names[] = {"results.hdf",      "results.hdf.new",  "results.xdmf",  "results.xdmf.new",
                                      "probes.csv",       "probes.csv.new",   "report.json",   "report.json.new",
                                      "checkpoint.new",   "checkpoint.old",   "modes.csv",     "modes.csv.new",
                                      "checkpoint-1.hdf", "checkpoint-2.hdf", "bar \"1\".dat", "bar \"1\".dat.new",
                                      "filaments.csv",    "tracks.csv",       "intervals.csv", "torso"};
  static const char *const cases[] = {"bar \"1\".yaml", "modes.yaml", "heat.yaml"};
  (void)state;
  char *folder = new_folder(), path[512];
  snprintf(path, sizeof path, "%s/out", folder);
  mkdir(path, 0777);
  for (int k = 0; k < 3; ++k) {
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) link_to_victim(folder, names[i]);
    runs(folder, cases[k], "out", "--overwrite", 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) victim_is_whole(folder, names[i]);
  }
  put_text(folder, "out.yaml", "");
  for (int k = 0; k < 2; ++k) {
    link_to_victim(folder, k ? "a.med.new" : "a.vtu.new");
    Run run = run_sinew(folder, "convert", "out", k ? "out/a.med" : "out/a.vtu", NULL);
    assert_code(&run, 0);
    run_release(&run);
    victim_is_whole(folder, k ? "a.med.new" : "a.vtu.new");
  }
  folder_remove(&folder);
}

static void a_lock_is_a_file(void **state) {
  (void)state;
  char *folder = new_folder(), path[512], victim[512];
  runs(folder, "beam.yaml", "out", NULL, 0);
  snprintf(path, sizeof path, "%s/out/.sinew-lock", folder);
  snprintf(victim, sizeof victim, "%s/victim", folder);
  for (int k = 0; k < 3; ++k) {
    if (k == 0) assert_int_equal(symlink("../victim", path), 0);
    if (k == 1) assert_int_equal(link(victim, path), 0);
    if (k == 2) assert_int_equal(mkdir(path, 0777), 0);
    Run run = run_sinew(folder, "run", "beam.yaml", "-q", "--output", "out", "--overwrite", NULL);
    assert_code(&run, 9);
    assert_said(&run, "out/.sinew-lock' is not a file of its own");
    run_release(&run);
    victim_is_whole(folder, ".sinew-lock");
    assert_int_equal(k == 2 ? rmdir(path) : unlink(path), 0);
  }
  runs(folder, "beam.yaml", "out", "--overwrite", 0);
  folder_remove(&folder);
}

/* A run goes on in the files of its folder alone, also where the link leads to what the checkpoint counts on. */
static void no_run_goes_on_through_a_link(void **state) {
  static const char *const names[] = {"results.hdf", "probes.csv"};
  (void)state;
  for (int k = 0; k < 2; ++k) {
    char *folder = new_folder(), command[256];
    runs(folder, "heat.yaml", "out", NULL, 0);
    snprintf(command, sizeof command,
             "sed -i s/converged/running/ out/report.json && mv out/%s away && ln -s ../away out/%s && cp away before",
             names[k], names[k]);
    Run run = run_program(folder, "sh", (const char *[]){"-c", command, NULL});
    assert_code(&run, 0);
    run_release(&run);
    run = run_sinew(folder, "run", "heat.yaml", "-q", "--output", "out", "--resume", NULL);
    assert_code(&run, 5);
    assert_said(&run, "is a link, and a run writes only to files in its own folder");
    run_release(&run);
    run = run_program(folder, "cmp", (const char *[]){"away", "before", NULL});
    assert_code(&run, 0);
    run_release(&run);
    folder_remove(&folder);
  }
}

static void nothing_old_stays(void **state) {
  (void)state;
  char *folder = new_folder();
  runs(folder, "modes.yaml", "out", NULL, 0);
  expect_that(is_there(folder, "out/modes.csv"), "no modes.csv");
  runs(folder, "bar \"1\".yaml", "out", "--overwrite", 0);
  expect_that(!is_there(folder, "out/modes.csv"), "modes.csv stays");
  expect_that(is_there(folder, "out/bar \"1\".dat"), "no tables");
  put_text(folder, "out/notes.dat", "of the user");
  runs(folder, "heat.yaml", "out", "--overwrite", 0);
  expect_that(!is_there(folder, "out/bar \"1\".dat"), "the tables stay");
  expect_that(is_there(folder, "out/checkpoint-1.hdf"), "no checkpoint");
  runs(folder, "beam.yaml", "out", "--overwrite", 0);
  expect_that(!is_there(folder, "out/checkpoint-1.hdf"), "the checkpoint stays");
  expect_that(is_there(folder, "out/notes.dat"), "a file of the user is gone");
  /* A report of somebody else names no file that tables cannot be. */
  put_text(folder, "out/report.json", "{\n  \"status\": \"converged\",\n  \"tables\": \"../victim.dat\"\n}\n");
  put_text(folder, "victim.dat", "precious");
  runs(folder, "beam.yaml", "out", "--overwrite", 0);
  expect_that(is_there(folder, "victim.dat"), "a file of another folder is gone");
  folder_remove(&folder);
}

/* Places where a damaged header makes HDF5 crash: the flags of the fill value of each dataset. */
static void damage_is_a_sentence(void **state) {
  static const unsigned char message[] = {5, 0, 8, 0, 1, 0, 0, 0};
  (void)state;
  char *folder = new_folder(), path[512];
  struct stat info;
  runs(folder, "heat.yaml", "heat", NULL, 0);
  snprintf(path, sizeof path, "%s/heat/results.hdf", folder);
  assert_int_equal(stat(path, &info), 0);
  unsigned char *bytes = (unsigned char *)get_text(folder, "heat/results.hdf");
  int n_place = 0, n_refused = 0;
  for (off_t at = 0; at + (off_t)sizeof message < info.st_size; ++at) {
    if (memcmp(bytes + at, message, sizeof message) != 0) continue;
    if (n_place++ % 3) continue;
    bytes[at + 4] = 0xb2;
    put_bytes(folder, "heat/results.hdf", bytes, (size_t)info.st_size);
    bytes[at + 4] = message[4];
    static const char *const arguments[][6] = {{"convert", "heat", "a.vtu", "--overwrite", NULL},
                                               {"convert", "heat", "a.med", "--overwrite", NULL},
                                               {"check", "heated.yaml", "-q", NULL}};
    for (int k = 0; k < 3; ++k) {
      Run run = run_program(folder, SINEW_PROGRAM, arguments[k]);
      expect_that(run.signal == 0 && run.code != 1, "damage at %ld ends '%s' with %d", (long)at, arguments[k][0],
                  run.code);
      n_refused += run.code != 0;
      if (run.code != 0) assert_said(&run, "heat/results.hdf");
      if (run.code != 0) assert_said(&run, "damaged");
      run_release(&run);
    }
    expect_that(!is_there(folder, "a.vtu.new") && !is_there(folder, "a.med.new"), "half of a file stays");
  }
  expect_that(n_place > 10 && n_refused > 5, "%d places, %d refused", n_place, n_refused);
  free(bytes);
  folder_remove(&folder);
}

/* A number of 4 GB, one of 8 bytes as it was: HDF5 takes memory for it before it looks for its bytes. */
static void no_size_is_believed(void **state) {
  static const unsigned char type[] = {0x11, 0x20, 0x3f, 0, 8, 0, 0, 0};
  enum { SIZE = 4, MEGABYTE = 1 << 10 };
  (void)state;
  char *folder = new_folder(), path[512];
  struct stat info;
  struct rusage used;
  runs(folder, "heat.yaml", "heat", NULL, 0);
  snprintf(path, sizeof path, "%s/heat/results.hdf", folder);
  assert_int_equal(stat(path, &info), 0);
  unsigned char *bytes = (unsigned char *)get_text(folder, "heat/results.hdf");
  int n_refused = 0;
  for (off_t at = 0; at + (off_t)sizeof type < info.st_size; ++at) {
    if (memcmp(bytes + at, type, sizeof type) != 0) continue;
    unsigned char kept[8];
    memcpy(kept, bytes + at + SIZE, sizeof kept);
    memset(bytes + at + SIZE, 0xfe, sizeof kept);
    put_bytes(folder, "heat/results.hdf", bytes, (size_t)info.st_size);
    memcpy(bytes + at + SIZE, kept, sizeof kept);
    Run run = run_sinew(folder, "check", "heated.yaml", "-q", NULL);
    if (run.code == 0) run_release(&run);
    if (run.code == 0) continue;
    assert_code(&run, 3);
    assert_said(&run, "results must name the folder of a heat run");
    run_release(&run);
    run = run_sinew(folder, "convert", "heat", "a.vtu", "--overwrite", NULL);
    assert_code(&run, 9);
    run_release(&run);
    ++n_refused;
  }
  expect_that(n_refused > 1, "%d refused", n_refused);
  assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
  expect_that(used.ru_maxrss < 1000 * MEGABYTE, "%ld MB were taken", used.ru_maxrss / MEGABYTE);
  free(bytes);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_link_is_written_through),    cmocka_unit_test(a_lock_is_a_file),
      cmocka_unit_test(no_run_goes_on_through_a_link), cmocka_unit_test(nothing_old_stays),
      cmocka_unit_test(damage_is_a_sentence),          cmocka_unit_test(no_size_is_believed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
