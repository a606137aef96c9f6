/* Decks of Abaqus and CalculiX: what they say is solved, converted to the same numbers, or refused in one line. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two cubes on top of each other, pulled: sigma = 100, u_z = 100 / 2000 at the top of z = 2. */
static const char *const DECK = "*HEADING\nTwo cubes\n*NODE, NSET=ALL\n"
                                "1, 0, 0, 0\n2, 1., 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n"
                                "5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1.0d0, 1\n8, 0, 1, 1\n"
                                "9, 0, 0, 2\n10, 1, 0, 2\n11, 1, 1, 2\n12, 0, 1, 2\n"
                                "** a comment\n*ELEMENT, TYPE=C3D8,\n ELSET=BODY\n"
                                "1, 1, 2, 3, 4, 5,\n6, 7, 8\n2, 5, 6, 7, 8, 9, 10, 11, 12\n"
                                "*NSET, NSET=low, GENERATE\n1, 4, 1\n*NSET, NSET=LEFT\n1, 4, 5, 8,\n9, 12\n"
                                "*ELSET, ELSET=TOP\n2\n*SURFACE, NAME=LID\nTOP, S2\n"
                                "*MATERIAL, NAME=STEEL\n*ELASTIC\n1000., 0.25\n"
                                "*SOLID SECTION, ELSET=body, MATERIAL=steel\n"
                                "*BOUNDARY\nLOW, 3\nLEFT, 1\n1, 2, 2, 0.\n4, 2\n"
                                "*STEP\n*STATIC\n*BOUNDARY\n4, 2, 2, -0.025\n*DSLOAD\nLID, P, -100.\n"
                                "*NODE PRINT, NSET=ALL\nU\n*EL PRINT, ELSET=TOP\nS\n*END STEP\n";

/* Number `column` of the line of .dat that begins with these words. */
static double table_value(const char *dat, const char *label, int column) {
  const char *line = strstr(dat, label);
  double value = NAN;
  expect_that(line != NULL, "no line '%s' in\n%s", label, dat);
  char *p = (char *)(uintptr_t)line + strlen(label);
  for (int k = 0; k <= column; ++k) value = strtod(p, &p);
  return value;
}

static void deck_is_solved(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "pull.inp", DECK);
  Run run = run_sinew(folder, "run", "pull.inp", "--backend", "cpu", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *dat = get_text(folder, "out/pull.dat");
  assert_within(table_value(dat, "\n        11 ", 2), 0.2, 1e-7);
  assert_within(table_value(dat, "\n         2   8 ", 2), 100, 1e-4);
  assert_non_null(strstr(dat, "\n displacements (vx,vy,vz) for set ALL and time  0.1000000E+01\n\n         1 "));
  assert_non_null(
      strstr(dat, "\n stresses (elem, integ.pnt.,sxx,syy,szz,sxy,sxz,syz) for set TOP and time  0.1000000E+01\n"));
  free(dat);
  folder_remove(&folder);
}

static void converted_is_the_same(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "pull.inp", DECK);
  Run run = run_sinew(folder, "convert", "pull.inp", "case.yaml", NULL);
  assert_code(&run, 0);
  run_release(&run);
  run = run_sinew(folder, "run", "case.yaml", "--backend", "cpu", "--output", "a", NULL);
  assert_code(&run, 0);
  run_release(&run);
  run = run_sinew(folder, "run", "pull.inp", "--backend", "cpu", "--output", "b", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *a = get_text(folder, "a/case.dat"), *b = get_text(folder, "b/pull.dat");
  assert_string_equal(a, b);
  free(a);
  free(b);
  run = run_sinew(folder, "convert", "pull.inp", "case.yaml", NULL);
  assert_code(&run, 9);
  assert_said(&run, "case.yaml' exists already; --overwrite");
  run_release(&run);
  folder_remove(&folder);
}

static const struct Wrong {
  const char *from, *to; /* in DECK */
  int code;
  const char *said;
} wrong[] = {
    {"TYPE=C3D8,", "TYPE=C3D8H,", 4, "pull.inp:17: *ELEMENT: TYPE=C3D8H is not understood"},
    {"6, 7, 8\n2,", "6, 7, 8\n*ELEMENT, TYPE=C3D8I, ELSET=BODY\n2,", 3,
     "pull.inp:21: *ELEMENT: C3D8I beside C3D8: linear elements have incompatible modes all or none"},
    {"TYPE=C3D8,", "TYPE=C3D8R,", 4, "C3D8I and C3D20R bend as well"},
    {"*STATIC", "*STATIC\n*MODEL CHANGE", 3,
     "pull.inp:42: *MODELCHANGE: is not understood; understood are INCLUDE, AMPLITUDE"},
    {"6, 7, 8\n2,", "6, 7\n2,", 4, "pull.inp:21: *ELEMENT: an element with 16 nodes; C3D8 has 8"},
    {"5, 6, 7, 8, 9, 10, 11, 12", "5, 6, 7, 8, 9, 10, 11, 99", 4, "pull.inp:21: *ELEMENT: node 99 does not exist"},
    {"6, 7, 8\n2,", "6, 7, x\n2,", 4, "pull.inp:20: *ELEMENT: a line holds something other than numbers"},
    {"5, 0, 0, 1\n", "4, 0, 0, 1\n", 4, "1 node numbers are given twice, the first is 4"},
    {"5, 0, 0, 1\n", "5, 0, nan, 1\n", 4, "pull.inp:8: *NODE: node 5: coordinate 2 is not a finite number"},
    {"5, 0, 0, 1\n", "5, 0, 1e999, 1\n", 4, "not a finite number"},
    {"5, 0, 0, 1\n", "five, 0, 0, 1\n", 4, "pull.inp:8: *NODE: the line does not begin with the number of a node"},
    {"TOP, S2", "LID, S2", 4, "there is no element set 'LID'"},
    {"TOP, S2", "TOP, S7", 4, "element 2 (hex8) has no face S7"},
    {"1, 4, 1\n", "4, 1, 1\n", 4, "*NSET: goes from 4 to 1 by 1"},
    {"*ELSET, ELSET=TOP\n2", "*ELSET, ELSET=TOP\n7", 4, "*ELSET: element 7 does not exist"},
    {"LOW, 3\n", "LOWER, 3\n", 3, "*BOUNDARY: there is no node set 'LOWER'"},
    {"LOW, 3\n", "LOW, 12\n", 3, "directions 12 to 12"},
    {"LID, P,", "LOD, P,", 3, "there is no surface of elements 'LOD'"},
    {"1000., 0.25", "1000., 0.25, 100\n900, 0.25, 100", 3, "*ELASTIC: the temperature 100 does not rise"},
    {"1000., 0.25", "1000.", 3, "*ELASTIC: has 1 of 2 constants"},
    {"1000., 0.25", "1000., 0.75", 3, "pull.inp:34: poisson is 0.75"},
    {"1000., 0.25", "1000., abc", 3, "'abc' where a number was expected"},
    {"MATERIAL=steel", "MATERIAL=iron", 3, "there is no material 'iron'"},
    {"*STATIC\n", "*UNCOUPLED TEMPERATURE-DISPLACEMENT\n", 3,
     "*UNCOUPLEDTEMPERATURE-DISPLACEMENT: heat and stress in one step are not understood; two decks are"},
    {"*STEP\n*STATIC\n", "*STEP, NLGEOM\n*BUCKLE\n2\n", 3,
     "*BUCKLE: in a step with NLGEOM is not understood; *STATIC and *DYNAMIC are"},
    {"*END STEP\n", "*END STEP\n*STEP\n*HEAT TRANSFER\n*END STEP\n", 3,
     "*STATIC: the elements are for heat transfer; two decks are"},
    {"*STEP\n*STATIC\n", "", 3, "is outside a step"},
    {"*DSLOAD\n", "*DSLOAD, REGION TYPE=SLIDING\n", 3, "the parameter REGIONTYPE is not understood"},
    {"*HEADING\n", "*INCLUDE, INPUT=pull.inp\n*HEADING\n", 4, "pull.inp:1: *INCLUDE: 'pull.inp' includes itself"},
    {"*HEADING\n", "*INCLUDE, INPUT=other.inp\n*HEADING\n", 4, "cannot find 'other.inp'"},
    {"*HEADING\n", "*INCLUDE\n*HEADING\n", 4, "has no INPUT="},
};

/* One line, which says it all. */
static void wrong_decks_are_refused(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = edited(DECK, wrong[i].from, wrong[i].to);
    put_text(folder, "pull.inp", text);
    free(text);
    Run run = run_sinew(folder, "run", "pull.inp", "--backend", "cpu", "--output", "out", NULL);
    expect_that(run.code == wrong[i].code && strstr(run.err, wrong[i].said), "'%s': exit %d, said\n%s\nwanted %d\n%s",
                wrong[i].to, run.code, run.err, wrong[i].code, wrong[i].said);
    const char *end = strchr(run.err, '\n');
    expect_that(end && !end[1], "'%s': more than a line:\n%s", wrong[i].to, run.err);
    assert_false(is_there(folder, "out"));
    run_release(&run);
  }
  folder_remove(&folder);
}

/* A deck in two files; its mesh alone in a case. */
static void included_and_named(void **state) {
  (void)state;
  char *folder = folder_create();
  const char *cut = strstr(DECK, "*MATERIAL"), *data = strstr(DECK, "5, 0, 0, 1");
  char *mesh = edited(DECK, cut, ""), *head = edited(mesh, strstr(mesh, "5, 0, 0, 1"), "");
  char text[4096];
  put_text(folder, "rest.inp", data);
  snprintf(text, sizeof text, "%s*INCLUDE, INPUT=rest.inp\n", head);
  put_text(folder, "whole.inp", text);
  put_text(folder, "mesh.inp", mesh);
  put_text(folder, "case.yaml",
           "version: 1\nmesh: mesh.inp\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: BODY, young: 1000, poisson: "
           "0.25}]\n"
           "boundary: [{on: low, fix: all}, {on: LID, pressure: 1}]\n");
  Run run = run_sinew(folder, "run", "whole.inp", "--backend", "cpu", "--output", "a", NULL);
  assert_code(&run, 0);
  run_release(&run);
  run = run_sinew(folder, "run", "case.yaml", "--backend", "cpu", "--output", "b", NULL);
  assert_code(&run, 0);
  run_release(&run);
  free(mesh);
  free(head);
  folder_remove(&folder);
}

/* Two steps: the load of the first stays, and gets another beside it, or goes by OP=NEW. */
static void steps_are_load_cases(void **state) {
  (void)state;
  char *folder = folder_create();
  char *first = edited(DECK, "4, 2\n*STEP", "*STEP"), *free_side = edited(first, "*BOUNDARY\n4, 2, 2, -0.025\n", "");
  char *text = edited(free_side, "*END STEP\n",
                      "*END STEP\n*STEP\n*STATIC\n*CLOAD\n9, 3, 25.\n10, 3, 25.\n11, 3, 25.\n12, 3, 25.\n*END STEP\n"
                      "*STEP\n*STATIC\n*DSLOAD, OP=NEW\nLID, P, -50.\n*CLOAD, OP=NEW\n*END STEP\n");
  free(first);
  free(free_side);
  put_text(folder, "pull.inp", text);
  free(text);
  Run run = run_sinew(folder, "run", "pull.inp", "--backend", "cpu", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *dat = get_text(folder, "out/pull.dat");
  static const double stress[3] = {100, 200, 50};
  const char *at = dat;
  for (int k = 0; k < 3; ++k) {
    at = strstr(at + 1, "stresses");
    assert_non_null(at);
    assert_within(table_value(at, "\n         2   1 ", 2), stress[k], 1e-3);
  }
  free(dat);
  folder_remove(&folder);
}

/* Each step has its temperature, which stays until another comes; OP=NEW puts what it does not name back. The pull makes 0.2,
 * each degree 0.002. */
static void steps_have_temperatures(void **state) {
  (void)state;
  static const struct {
    const char *loads;
    double uz;
  } steps[] = {{"*TEMPERATURE\nALL,55.\n", 0.1},
               {"*DSLOAD\nLID,P,-100.\n", 0.3},
               {"*TEMPERATURE,OP=NEW\nALL,25.\n", 0.24},
               {"*TEMPERATURE,OP=NEW\nLOW,5.\n", 0.2}};
  char *folder = folder_create(), text[4096];
  char *free_side = edited(DECK, "1, 2, 2, 0.\n4, 2\n", "1, 2, 2, 0.\n"),
       *deck = edited(free_side, "1000., 0.25\n", "1000., 0.25\n*EXPANSION\n1e-3\n");
  int n = snprintf(text, sizeof text, "%.*s*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,5.\n",
                   (int)(strstr(deck, "*STEP") - deck), deck);
  for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k)
    n += snprintf(text + n, sizeof text - (size_t)n, "*STEP\n*STATIC\n%s*NODE PRINT,NSET=ALL\nU\n*END STEP\n",
                  steps[k].loads);
  put_text(folder, "d.inp", text);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat");
  const char *at = dat;
  for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k) {
    at = strstr(at + 1, "displacements");
    assert_non_null(at);
    assert_within(table_value(at, "\n        11 ", 2), steps[k].uz, 1e-6);
  }
  free(dat);
  char *soft = edited(text, "1000., 0.25\n", "1000., 0.25, 0.\n900., 0.25, 100.\n");
  put_text(folder, "d.inp", soft);
  run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  assert_code(&run, 3);
  assert_non_null(strstr(run.err, "depends on the temperature, which differs from step to step"));
  run_release(&run);
  free(soft), free(deck), free(free_side);
  folder_remove(&folder);
}

static const char *const HEAT =
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT, TYPE=DC3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET,NSET=LOW\n1,2,3,4\n*NSET,NSET=N\n5,7\n"
    "*MATERIAL,NAME=M\n*CONDUCTIVITY\n50.\n*DENSITY\n2\n*SPECIFIC HEAT\n3\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
    "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nLOW,10\n"
    "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nLOW,11,11,10.\n*CFLUX\n5,11,5\n6,11,5\n7,11,5\n8,11,5\n"
    "*FILM\n1,F2,30.,10.\n*NODE PRINT,NSET=N\nNT\n*END STEP\n";

/* 50 (T - 10) = 20 + 10 (30 - T): T = 820 / 60. In time with a long step the same. */
static void heat(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "steady.inp", HEAT);
  char *timed = edited(HEAT, ", STEADY STATE", ",DIRECT\n1e3, 1e4");
  put_text(folder, "timed.inp", timed);
  free(timed);
  for (int i = 0; i < 2; ++i) {
    Run run =
        run_sinew(folder, "run", i ? "timed.inp" : "steady.inp", "--backend", "cpu", "--output", i ? "b" : "a", NULL);
    assert_code(&run, 0);
    run_release(&run);
    char *dat = get_text(folder, i ? "b/timed.dat" : "a/steady.dat");
    const char *last = dat;
    for (const char *p = dat; (p = strstr(p, "temperatures")); ++p) last = p;
    assert_within(table_value(last, "\n         7 ", 0), 820. / 60, 1e-5);
    free(dat);
  }
  folder_remove(&folder);
}

/* The temperature below follows an amplitude: 20 at the end, 50 (T - 20) = 20 + 10 (30 - T). */
static void heat_by_an_amplitude(void **state) {
  (void)state;
  char *folder = folder_create();
  char *timed = edited(HEAT, ", STEADY STATE", ",DIRECT\n1e3, 1e4"),
       *text = edited(timed, "*BOUNDARY\n", "*BOUNDARY, AMPLITUDE=A\n"),
       *deck = edited(text, "*STEP\n", "*AMPLITUDE, NAME=A\n0, 1, 1e4, 2\n*STEP\n");
  put_text(folder, "timed.inp", deck);
  free(timed), free(text), free(deck);
  Run run = run_sinew(folder, "run", "timed.inp", "--backend", "cpu", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *dat = get_text(folder, "out/timed.dat");
  const char *last = dat;
  for (const char *p = dat; (p = strstr(p, "temperatures")); ++p) last = p;
  assert_within(table_value(last, "\n         7 ", 0), 22, 1e-3);
  free(dat);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deck_is_solved),
      cmocka_unit_test(converted_is_the_same),
      cmocka_unit_test(wrong_decks_are_refused),
      cmocka_unit_test(included_and_named),
      cmocka_unit_test(heat),
      cmocka_unit_test(heat_by_an_amplitude),
      cmocka_unit_test(steps_are_load_cases),
      cmocka_unit_test(steps_have_temperatures),
  };
  return cmocka_run_group_tests_name("decks", tests, NULL, NULL);
}
