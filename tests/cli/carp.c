/* From an openCARP mesh to its formats again: a sheet in micrometres with a region, fibres and named nodes is paced; the
 * potential as .igb, activation as .dat, all of it as .vtu, which opens as a mesh. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 10, NY = 2, N_NODE = (NX + 1) * (NY + 1), N_CELL = NX * NY, IGB_HEAD = 1024 };

#define CASE                                                                                                           \
  "version: 1\n"                                                                                                       \
  "mesh: {file: sheet.pts, scale: 1e-3}\n"                                                                             \
  "physics: monodomain\n"                                                                                              \
  "tissue:\n"                                                                                                          \
  "  - {on: 4, ionic: {model: aliev-panfilov}, diffusivity: {along: 2, across: 0.5}, fibers: {field: fiber}}\n"        \
  "stimuli:\n"                                                                                                         \
  "  - {name: pace, on: pace, duration: 3, amplitude: 60}\n"                                                           \
  "time: {end: 25, step: 0.5}\n"                                                                                       \
  "output: {every: 10, maps: [activation], fields: [potential]}\n"

/* 10 mm x 2 mm in squares of 1 mm. */
static char *sheet(void) {
  char *folder = folder_create(), text[8000];
  int n = snprintf(text, sizeof text, "%d\n", N_NODE);
  for (int i = 0; i < N_NODE; ++i)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d.0 %d.0 0.0\n", 1000 * (i % (NX + 1)), 1000 * (i / (NX + 1)));
  put_text(folder, "sheet.pts", text);
  n = snprintf(text, sizeof text, "%d\n", N_CELL);
  for (int i = 0; i < N_CELL; ++i) {
    const int first = i % NX + i / NX * (NX + 1);
    n += snprintf(text + n, sizeof text - (size_t)n, "Qd %d %d %d %d 4\n", first, first + 1, first + NX + 2,
                  first + NX + 1);
  }
  put_text(folder, "sheet.elem", text);
  n = snprintf(text, sizeof text, "1\n");
  for (int i = 0; i < N_CELL; ++i) n += snprintf(text + n, sizeof text - (size_t)n, "1 0 0\n");
  put_text(folder, "sheet.lon", text);
  put_text(folder, "sheet.pace.vtx", "6\nintra\n0\n11\n22\n1\n12\n23\n");
  put_text(folder, "case.yaml", CASE);
  return folder;
}

static void said(const char *folder, int code, const char *part, const char *a, const char *b, const char *c,
                 const char *d) {
  Run run = run_sinew(folder, "convert", a, b, c, d, NULL);
  assert_code(&run, code);
  if (part) assert_said(&run, part);
  run_release(&run);
}

static void assert_igb(const char *folder, const double *activation) {
  char *head = get_text(folder, "v.igb"), path[4096];
  static const char *const parts[] = {"x:33 ", "t:3 ", "type:float", "org_t:0 ", "inc_t:10 ", "_endian"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    expect_that(strstr(head, parts[i]) != NULL, "no '%s' in '%.200s'", parts[i], head);
  expect_that(head[IGB_HEAD - 1] == '\f', "the head does not end in a form feed");
  free(head);
  snprintf(path, sizeof path, "%s/v.igb", folder);
  FILE *file = fopen(path, "r");
  float value[3][N_NODE];
  expect_that(file && fseek(file, IGB_HEAD, SEEK_SET) == 0 && fread(value, sizeof value, 1, file) == 1, "too short");
  expect_that(fgetc(file) == EOF, "more than three steps");
  fclose(file);
  for (int i = 0; i < N_NODE; ++i) { /* up where the wave has passed */
    expect_that(value[0][i] < -79, "V is %g at the start", (double)value[0][i]);
    for (int k = 1; k < 3; ++k)
      expect_that((value[k][i] > -30) == (activation[i] >= 0 && activation[i] < 10 * k),
                  "V is %g at node %d, step %d, activated at %g", (double)value[k][i], i, k, activation[i]);
  }
}

static void there_and_back(void **state) {
  (void)state;
  char *folder = sheet();
  double activation[N_NODE];
  Run run = run_sinew(folder, "run", "case.yaml", "--backend", "cpu", NULL);
  assert_code(&run, 0);
  assert_said(&run, "remedy: a sphere or a box, whose size stays");
  run_release(&run);
  said(folder, 0, "v.igb", "results", "v.igb", "--field", "potential");
  said(folder, 0, NULL, ".", "act.dat", NULL, NULL);
  char *text = get_text(folder, "act.dat"), *at = text;
  for (int i = 0; i < N_NODE; ++i) activation[i] = strtod(at, &at);
  expect_that(strcmp(at, "\n") == 0, "more than a line a node: '%.40s'", at);
  free(text);
  expect_that(activation[0] < activation[5] && activation[5] < activation[10], "no wave along the fibres");
  assert_igb(folder, activation);
  said(folder, 0, "out.vtu", "results", "out.vtu", "--step", "2");
  run = run_sinew(folder, "info", "out.vtu", NULL);
  assert_code(&run, 0);
  assert_said(&run, "33 nodes");
  assert_said(&run, "20 quad4 elements");
  assert_said(&run, "field potential: on nodes, 1 component");
  assert_said(&run, "group group-1: surface, 20 elements");
  run_release(&run);
  folder_remove(&folder);
}

static void what_is_refused(void **state) {
  (void)state;
  char *folder = sheet();
  Run run = run_sinew(folder, "run", "case.yaml", "--backend", "cpu", NULL);
  assert_code(&run, 0);
  run_release(&run);
  said(folder, 9, "holds no results.hdf", "nowhere", "v.igb", NULL, NULL);
  said(folder, 2, "there are: activation, potential", "results", "v.igb", "--field", "potentail");
  said(folder, 2, "--step is 9", "results", "v.dat", "--step", "9");
  said(folder, 2, ".igb takes all stored times", "results", "v.igb", "--step", "1");
  said(folder, 2, ".vtu takes all fields", "results", "v.vtu", "--field", "potential");
  said(folder, 2, "has 1 components on elements; .igb takes", "results", "v.igb", "--field", "group");
  said(folder, 2, "must end in .yaml", "results", "v.txt", NULL, NULL);
  put_text(folder, "v.dat", "mine");
  said(folder, 9, "exists already; --overwrite replaces it", "results", "v.dat", NULL, NULL);
  said(folder, 0, NULL, "results", "v.dat", "--overwrite", NULL);
  folder_remove(&folder);
}

/* Micrometres taken for mm, and files of two meshes. */
static void what_is_told(void **state) {
  (void)state;
  char *folder = sheet();
  Run run = run_sinew(folder, "info", "sheet.pts", NULL);
  assert_code(&run, 0);
  assert_said(&run, "group 4: surface, 20 elements");
  assert_said(&run, "group pace: point, 6 elements");
  assert_said(&run, "field fiber: on elements, 3 components");
  assert_said(&run, "openCARP writes micrometres");
  run_release(&run);
  run = run_sinew(folder, "run", "sheet.pts", NULL);
  assert_code(&run, 3);
  assert_said(&run, "sheet.pts: is a mesh or a geometry; a case file (YAML) is expected");
  run_release(&run);
  run = run_sinew(folder, "check", "case.yaml", NULL);
  assert_code(&run, 0);
  assert_said(&run, "stimulus 'pace' acts on the nodes of a group");
  run_release(&run);
  run = run_sinew(folder, "check", "case.yaml", "--set", "mesh.file=sheet", NULL);
  assert_code(&run, 4);
  assert_said(&run, "sheet.pts'?");
  run_release(&run);
  put_text(folder, "sheet.lon", "1\n1 0 0\n");
  run = run_sinew(folder, "check", "case.yaml", NULL);
  assert_code(&run, 4);
  assert_said(&run, "sheet.lon:1: has fibres of 1 elements, but ");
  assert_said(&run, "sheet.elem has 20 elements; the two do not belong together");
  run_release(&run);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(there_and_back),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(what_is_told),
  };
  return cmocka_run_group_tests_name("carp", tests, NULL, NULL);
}
