/* What rows, cards and steps of a deck make of each other: loads that meet, amplitudes, tables of steps. As CalculiX has it, by
 * closed forms of a cube between two planes that is pulled (E 1000, nu 0, area 1, height 1: u = F / 1000). */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static const char *const CUBE =
    "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET,NSET=LOW\n1,2,3,4\n*NSET,NSET=TOP\n5,6,7,8\n"
    "*NSET,NSET=ONE\n7\n*ELSET,ELSET=SAME\n1\n*SURFACE,NAME=LID\nE,S2\n*SURFACE,NAME=LID2\n1,S2\n"
    "*MATERIAL,NAME=M\n*ELASTIC\n1000.,0.\n*DENSITY\n6.\n*EXPANSION\n1e-4\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
    "*BOUNDARY\nLOW,1,3\n"
    "*AMPLITUDE,NAME=STEPWISE\n0,0,1,3,2,-5\n*AMPLITUDE,NAME=ALONG,TIME=TOTAL TIME\n0,0,1,2,3,10\n";
#define STEP "*STEP\n*STATIC\n"
#define END "*NODE PRINT,NSET=ONE\nU\n*END STEP\n"
enum { MOST_STEPS = 3 };

/* Displacement k of node 7, in 1/1000, at the end of each step. */
static const struct Loads {
  const char *what, *steps;
  int k, n;
  double u[MOST_STEPS];
} loads[] = {
    {"rows of *CLOAD add up, in sets that meet too",
     STEP "*CLOAD\nTOP,3,2.\nTOP,3,1.5\n5,3,.25\n6,3,.25\n7,3,.25\n8,3,.25\n" END,
     2,
     1,
     {15}},
    {"those of two cards", STEP "*CLOAD\nTOP,3,2.\n*CLOAD\nTOP,3,-.5\n" END, 2, 1, {6}},
    {"a later step replaces, and adds up its own",
     STEP "*CLOAD\nTOP,3,2.\n" END STEP "*CLOAD\nTOP,3,1.\nTOP,3,3.\n" END STEP
          "*CLOAD,OP=NEW\nTOP,3,.5\n*CLOAD,OP=NEW\nTOP,3,.5\n" END,
     2,
     3,
     {8, 16, 4}},
    {"faces",
     STEP "*DLOAD\n1,P2,-3.\nE,P2,-4.5\n*DSLOAD\nLID,P,-2.\nLID2,P,1.\n" END STEP "*DSLOAD\nLID2,P,-1.25\n" END,
     2,
     2,
     {8.5, 1.25}},
    {"gravity of the same set and direction is replaced, of others is not",
     STEP "*DLOAD\nE,GRAV,2.,0,0,4\nSAME,GRAV,1.,0,0,1\n" END STEP "*DLOAD\nE,GRAV,3.,0,0,1\n" END STEP
          "*DLOAD\nE,GRAV,1.,0,0,-7\n" END,
     2,
     3,
     {9, 12, 9}},
    {"an amplitude of a step stays at its end, where the next says nothing",
     STEP "*CLOAD,AMPLITUDE=STEPWISE\nTOP,3,1.\n" END STEP "1,1.5\n" END STEP
          "1,1.5\n*CLOAD,AMPLITUDE=STEPWISE\nTOP,3,1.\n" END,
     2,
     3,
     {12, 12, -4}},
    {"one over the total time goes on",
     STEP "*CLOAD,AMPLITUDE=ALONG\nTOP,3,1.\n" END STEP "1,1.5\n" END STEP "*CLOAD\nTOP,3,1.\n" END,
     2,
     3,
     {8, 32, 4}},
    {"for faces and bodies too",
     STEP "*DLOAD,AMPLITUDE=ALONG\n1,P2,-1.\nE,GRAV,1.,0,0,1\n" END STEP "1,.5\n" END,
     2,
     2,
     {8, 16}},
    {"and for supports, said before the first step",
     "*BOUNDARY,AMPLITUDE=ALONG\nTOP,3,3,.002\nTOP,1,2\n" STEP END STEP END,
     2,
     2,
     {4, 12}},
    {"directions of a node by amplitudes of their own",
     "*BOUNDARY\nTOP,1,2\n" STEP "*CLOAD,AMPLITUDE=ALONG\nTOP,3,1.\n*CLOAD,AMPLITUDE=STEPWISE\nTOP,1,1.\n" END STEP
     "*CLOAD\nTOP,1,0.\n" END,
     2,
     2,
     {8, 24}},
    {"a motion alone", "*BOUNDARY\nTOP,1,2\n" STEP "*BOUNDARY\nTOP,3,3,.0625\n" END STEP END, 2, 2, {62.5, 62.5}},
    {"a motion alone in a step before one that is heated, and behind it",
     "*BOUNDARY\nTOP,1,2\n*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,20.\n" STEP "*BOUNDARY\nLOW,3,3,.0625\n" END STEP
     "*TEMPERATURE\nALL,95.\n" END STEP "*TEMPERATURE\nALL,20.\n" END,
     2,
     3,
     {62.5, 70, 62.5}},
};

static char *table_of(const char *folder, const char *text) {
  put_text(folder, "d.inp", text);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                      "solver.rtol=1e-11", NULL);
  expect_that(run.code == 0, "exit %d for\n%s\n%s", run.code, text, run.err);
  run_release(&run);
  return get_text(folder, "out/d.dat");
}

static void loads_meet(void **state) {
  (void)state;
  char *folder = folder_create(), text[4096];
  for (size_t i = 0; i < sizeof loads / sizeof *loads; ++i) {
    snprintf(text, sizeof text, "%s%s", CUBE, loads[i].steps);
    char *dat = table_of(folder, text);
    const char *at = dat;
    for (int s = 0; s < loads[i].n; ++s) {
      double u[3] = {NAN, NAN, NAN};
      at = strstr(at + 1, "\n         7 ");
      expect_that(at && sscanf(at, " 7 %lf %lf %lf", &u[0], &u[1], &u[2]) == 3, "%s: no step %d", loads[i].what, s + 1);
      expect_that(fabs(u[loads[i].k] - loads[i].u[s] / 1000) < 2e-7 * fabs(loads[i].u[s]),
                  "%s: step %d: %.9g, wanted %g", loads[i].what, s + 1, u[loads[i].k], loads[i].u[s] / 1000);
    }
    free(dat);
  }
  folder_remove(&folder);
}

static int count_of(const char *text, const char *word) {
  int n = 0;
  for (const char *p = text; (p = strstr(p, word)); p += strlen(word)) ++n;
  return n;
}

/* A print goes on up to a step that asks for others of its kind; FREQUENCY=0 asks for none. */
static void tables_of_steps(void **state) {
  (void)state;
  char *folder = folder_create(), text[4096];
  snprintf(text, sizeof text, "%s%s", CUBE,
           STEP "*CLOAD\nTOP,3,1.\n*NODE PRINT,NSET=ONE\nU\n*EL PRINT,ELSET=E\nELSE\n*END STEP\n" STEP
                "*CLOAD\nTOP,3,2.\n*END STEP\n" STEP "*CLOAD\nTOP,3,3.\n*NODE PRINT,NSET=LOW\nRF\n*END STEP\n" STEP
                "*CLOAD\nTOP,3,4.\n*EL PRINT,ELSET=E,FREQUENCY=0\nELSE\n*END STEP\n");
  char *dat = table_of(folder, text);
  expect_that(count_of(dat, "displacements") == 2 && count_of(dat, "for set LOW") == 2 &&
                  count_of(dat, "internal energy") == 3 && strstr(dat, "for set LOW and time  0.3000000E+01") &&
                  strstr(dat, "for set LOW and time  0.4000000E+01"),
              "tables of four steps:\n%s", dat);
  free(dat);
  folder_remove(&folder);
}

#define HEAT                                                                                                           \
  "*NODE,NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"                           \
  "*ELEMENT,TYPE=DC3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET,NSET=LEFT\n1,4,5,8\n*NSET,NSET=RIGHT\n2,3,6,7\n"              \
  "*MATERIAL,NAME=M\n*DENSITY\n2.\n*SPECIFIC HEAT\n3.\n"

/* Of seven steps the third, the sixth and the last. */
static void tables_of_times(void **state) {
  (void)state;
  char *folder = folder_create();
  char *dat = table_of(folder, HEAT "*CONDUCTIVITY\n10.\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
                                    "*BOUNDARY\nLEFT,11,11,20.\n*STEP\n*HEAT TRANSFER,DIRECT\n.5,3.5\n"
                                    "*NODE PRINT,NSET=RIGHT,FREQUENCY=3\nNT\n*END STEP\n");
  expect_that(strstr(dat, "time  0.1500000E+01") && strstr(dat, "time  0.3000000E+01") &&
                  strstr(dat, "time  0.3500000E+01") && !strstr(dat, "time  0.5000000E+00") &&
                  !strstr(dat, "time  0.1000000E+01"),
              "FREQUENCY=3:\n%s", dat);
  free(dat);
  folder_remove(&folder);
}

/* One degree along x: the flux is the first column of the conductivity, xx xy xz. */
static void conductivity_as_calculix_has_it(void **state) {
  (void)state;
  double q[3] = {0};
  char *folder = folder_create();
  char *dat =
      table_of(folder, HEAT "*CONDUCTIVITY,TYPE=ANISO\n7.,11.,13.,1.5,2.5,.5\n*SOLID SECTION,ELSET=E,MATERIAL=M\n"
                            "*BOUNDARY\nLEFT,11,11,0.\nRIGHT,11,11,1.\n*STEP\n*HEAT TRANSFER,STEADY STATE\n"
                            "*EL PRINT,ELSET=E\nHFL\n*END STEP\n");
  const char *at = strstr(dat, "\n         1   3 ");
  expect_that(at && sscanf(at, " 1 3 %lf %lf %lf", &q[0], &q[1], &q[2]) == 3, "no flux in\n%s", dat);
  assert_within(q[0], -7, 1e-6);
  assert_within(q[1], -1.5, 1e-6);
  assert_within(q[2], -2.5, 1e-6);
  free(dat);
  folder_remove(&folder);
}

static const struct Wrong {
  const char *steps, *said; /* behind CUBE */
} wrong[] = {
    {"*AMPLITUDE,NAME=BACK\n0,0,.5,1,.25,2\n" STEP "*CLOAD\nTOP,3,1.\n" END,
     "the time 0.25 follows 0.5; times must rise"},
    {"*AMPLITUDE,NAME=along\n0,0,1,1\n" STEP "*CLOAD\nTOP,3,1.\n" END, "*AMPLITUDE: 'along' is given twice"},
    {STEP "*CLOAD, TIME DELAY=1.\nTOP,3,1.\n" END, "*CLOAD: TIME DELAY without AMPLITUDE is not understood"},
    {"*AMPLITUDE,NAME=B\n0,0,1,1\n" STEP "*CLOAD, AMPLITUDE=B, TIME DELAY=late\nTOP,3,1.\n" END,
     "TIME DELAY=late is not a number"},
    {"*AMPLITUDE,NAME=B,TIME=LATER\n0,0,1,1\n" STEP END, "TIME=LATER is not understood; STEP TIME and TOTAL TIME are"},
    {STEP "*CLOAD,AMPLITUDE=ALONG\n7,3,1.\n*CLOAD,AMPLITUDE=STEPWISE\nTOP,3,1.\n" END,
     "node 7 has a load by another amplitude"},
    {"*TIE,NAME=T\nLID,LID2\n" STEP "*CLOAD\nTOP,3,1.\n" END, "ties nothing: all 4 nodes of 'LID'"},
    {STEP "*DLOAD\nE,GRAV,1.,0,0,0\n" END, "gravity has no direction: its length is 0"},
    {STEP "*DLOAD\nE,CENTRIF,1.,0,0,0,0,0,1\nSAME,CENTRIF,1.,0,0,0,1,0,0\n" END, "turn about two axes"},
    {STEP "*CLOAD\nTOP,3,1.\n*NODE PRINT,NSET=ONE,FREQUENCY=-2\nU\n*END STEP\n", "FREQUENCY=-2 is not a whole number"},
    {STEP "*CLOAD\nTOP,3,1.\n*NODE PRINT,NSET=ONE,FREQUENCYF=2\nU\n*END STEP\n",
     "the parameter FREQUENCYF is not understood"},
    {"*STEP\n*STATIC,TIME RESET\n*CLOAD\nTOP,3,1.\n" END, "TIME RESET beside an *AMPLITUDE over the total time"},
    {"*STEP\n*BUCKLE\n1\n*CLOAD,AMPLITUDE=ALONG\nTOP,3,1.\n*END STEP\n", "AMPLITUDE in a step of *BUCKLE"},
    {"*NODE\n90,.5,.5,2.\n*COUPLING,REF NODE=90,SURFACE=LID,CONSTRAINT NAME=C\n*DISTRIBUTING\n1,3\n" STEP
     "*CLOAD\n90,5,2.\n" END,
     "a load in direction 5 of the reference node, which *DISTRIBUTING leaves out"},
};

static void wrong_is_said(void **state) {
  (void)state;
  char *folder = folder_create(), text[4096];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    snprintf(text, sizeof text, "%s%s", CUBE, wrong[i].steps);
    put_text(folder, "d.inp", text);
    Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
    expect_that(run.code == 3 && strstr(run.err, wrong[i].said), "exit %d, wanted '%s', said\n%s", run.code,
                wrong[i].said, run.err);
    run_release(&run);
  }
  snprintf(text, sizeof text, "%s%s", CUBE,
           STEP "*CLOAD\nTOP,3,1.\n" END STEP "*CLOAD\nTOP,3,1.\n*CLOAD,OP=NEW\nTOP,1,1.\n" END);
  put_text(folder, "d.inp", text);
  Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
  assert_code(&run, 0);
  assert_said(&run, "OP=NEW drops nothing after another *CLOAD of the step without it");
  run_release(&run);
  snprintf(text, sizeof text, "%s%s", CUBE,
           STEP "*TEMPERATURE,AMPLITUDE=STEPWISE\nALL,4.\n*CLOAD\nTOP,3,1.\n" END STEP END);
  put_text(folder, "d.inp", text);
  run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
  assert_code(&run, 0);
  assert_said(&run, "CalculiX goes through the amplitude again");
  run_release(&run);
  folder_remove(&folder);
}

/* 60,000 names are read in the time of their bytes; one of an empty set (of which memory has no place) is a member of none. */
static double children_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec;
}
#ifdef __SANITIZE_ADDRESS__
static const double MANY_SECONDS = 30; /* sanitizers take ten times as long */
#else
static const double MANY_SECONDS = 3; /* 0.3 when it was written; comparing every pair takes tens */
#endif
static void many_sets(void **state) {
  (void)state;
  char *folder = folder_create(), *text = malloc(2000000), *p = text;
  p += sprintf(p, "%s*NSET,NSET=NONE,GENERATE\n", CUBE);
  for (int i = 0; i < 60000; ++i) p += sprintf(p, "*NSET,NSET=s%d\n%d\n", i, i % 8 + 1);
  sprintf(p, "*NSET,NSET=S59999\nNONE,5\n" STEP "*CLOAD\nTOP,3,1.\n*NODE PRINT,NSET=S59999\nU\n*END STEP\n");
  put_text(folder, "d.inp", text);
  const double begin = children_seconds();
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--output", "out", NULL);
  const double seconds = children_seconds() - begin;
  assert_code(&run, 0);
  expect_that(seconds < MANY_SECONDS, "60,000 sets take %.1f s of the processor", seconds);
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat");
  assert_int_equal(count_of(dat, "\n         5 ") + count_of(dat, "\n         8 "), 2);
  free(dat);
  free(text);
  folder_remove(&folder);
}

/* K 40, mu 2: poisson 0.475. */
static void rubber_is_told(void **state) {
  (void)state;
  char *folder = folder_create();
  char *soft =
           edited(CUBE, "*ELASTIC\n1000.,0.\n*DENSITY\n6.\n*EXPANSION\n1e-4\n", "*HYPERELASTIC,NEO HOOKE\n1.,.05\n"),
       text[4096];
  snprintf(text, sizeof text, "%s*STEP,NLGEOM\n*STATIC\n.5,1.\n*CLOAD\nTOP,3,.01\n*END STEP\n", soft);
  put_text(folder, "d.inp", text);
  Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
  assert_code(&run, 0);
  assert_said(&run, "*HYPERELASTIC: poisson is 0.4754: elements keep the volume in the mean here");
  run_release(&run);
  free(soft);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_meet),      cmocka_unit_test(tables_of_steps),
      cmocka_unit_test(tables_of_times), cmocka_unit_test(conductivity_as_calculix_has_it),
      cmocka_unit_test(wrong_is_said),   cmocka_unit_test(many_sets),
      cmocka_unit_test(rubber_is_told)};
  return cmocka_run_group_tests_name("deck loads", tests, NULL, NULL);
}
