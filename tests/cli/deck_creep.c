/* Metals that creep in steps of *VISCO: bars by their closed form, and what of it is refused. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bar of 2 x 1 x 1 under the stress 100, which acts at once. */
#define BAR                                                                                                            \
  "*NODE, NSET=ALL\n1,0,0,0\n2,2,0,0\n3,2,1,0\n4,0,1,0\n5,0,0,1\n6,2,0,1\n7,2,1,1\n8,0,1,1\n"                          \
  "*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET, NSET=L\n1,4,5,8\n*NSET, NSET=R\n2,3,6,7\n"                  \
  "*NSET, NSET=Y\n1,2,5,6\n*NSET, NSET=Z\n1,2,3,4\n*MATERIAL, NAME=M\n*ELASTIC\n180000.,.3\n"                          \
  "*CREEP, LAW=NORTON\n1e-13,4.,0.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*STEP, INC=1000\n"                            \
  "*VISCO, CETOL=1e-2, DIRECT\n1.,20.\n*BOUNDARY\nL,1\nY,2\nZ,3\n*CLOAD\nR,1,25.\n"                                    \
  "*NODE PRINT, NSET=ALL\nU\n*EL PRINT, ELSET=E\nS\n*END STEP\n"

static char *run_deck(const char *folder, const char *deck) {
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                      "formulation=displacement", "--set", "solver.rtol=1e-9", NULL);
  assert_code(&run, 0);
  run_release(&run);
  return get_text(folder, "out/d.dat");
}

/* The numbers behind `label` in the last table whose head begins with `head`. */
static void expect_line(const char *dat, const char *head, const char *label, int n, const double *wanted,
                        double rtol) {
  const char *at = NULL;
  double most = 0;
  for (const char *p = dat; (p = strstr(p, head)); ++p) at = p;
  expect_that(at != NULL, "no table '%s' in\n%s", head, dat);
  at = strstr(at, label);
  expect_that(at != NULL, "no '%s' in the last table '%s'", label, head);
  at += strlen(label);
  for (int k = 0; k < n; ++k) most = fmax(most, fabs(wanted[k]));
  for (int k = 0; k < n; ++k) assert_within(strtod(at, (char **)(void *)&at), wanted[k], rtol * most);
}

/* E p = stress, and 1e-13 stress^4 a time; beyond a yield stress of 60 that hardens by 200 steps are implicit. */
static void bars_creep(void **state) {
  (void)state;
  char *folder = folder_create(), *dat = run_deck(folder, BAR);
  const double creep = 20 * 1e-13 * 1e8, strain = 100 / 180000. + creep;
  expect_line(dat, " displacements", "\n         7 ", 1, (const double[]){2 * strain}, 1e-6);
  expect_line(dat, " stresses", "\n         1   4 ", 1, (const double[]){100}, 1e-6);
  free(dat);
  char *at = edited(BAR, "1e-13,4.,0.\n", "1e-14,4.4,0.,0.\n2e-13,3.8,0.,300.\n"),
       *warm = edited(at, "*CLOAD", "*TEMPERATURE\nALL,200.\n*CLOAD");
  const double rate = (1e-14 + 2 * 2e-13) / 3 * pow(100, (4.4 + 2 * 3.8) / 3); /* at 200, from the beginning on */
  dat = run_deck(folder, warm);
  expect_line(dat, " displacements", "\n         7 ", 1, (const double[]){2 * (100 / 180000. + 20 * rate)}, 1e-6);
  free(dat), free(at), free(warm);
  char *beyond = edited(BAR, "*CREEP, LAW=NORTON\n1e-13", "*PLASTIC\n60.,0.\n80.,0.1\n*CREEP\n1e-10");
  double p = 0;
  for (int step = 0; step < 20; ++step) {
    double next = p;
    for (int k = 0; k < 200; ++k) next = p + 1e-10 * pow(40 - 200 * next, 4);
    p = next;
  }
  dat = run_deck(folder, beyond);
  expect_line(dat, " displacements", "\n         7 ", 1, (const double[]){2 * (100 / 180000. + p)}, 1e-6);
  free(dat);
  free(beyond);
  char *free_steps = edited(BAR, "CETOL=1e-2, DIRECT", "CETOL=1e-5"), *yaml;
  put_text(folder, "d.inp", free_steps);
  Run run = run_sinew(folder, "convert", "d.inp", "c.yaml", NULL);
  assert_code(&run, 0);
  run_release(&run);
  yaml = get_text(folder, "c.yaml");
  expect_that(strstr(yaml, "strain: 1.0000000000000001e-05}") != NULL, "no largest strain of a step in\n%s", yaml);
  free(yaml);
  free(free_steps);
  folder_remove(&folder);
}

/* A yield stress of 0 is none: all stress creeps. Without CETOL nothing bounds an increment. */
static void yields_at_once(void **state) {
  (void)state;
  char *folder = folder_create(), *zero = edited(BAR, "*CREEP", "*PLASTIC\n0.,0.\n0.,10.\n*CREEP"),
       *loose = edited(zero, "CETOL=1e-2, DIRECT", "SOLVER=SPOOLES");
  put_text(folder, "d.inp", loose);
  Run run = run_sinew(folder, "convert", "d.inp", "c.yaml", NULL);
  assert_code(&run, 0);
  assert_said(&run, "*VISCO without CETOL=");
  run_release(&run);
  char *yaml = get_text(folder, "c.yaml");
  expect_that(strstr(yaml, "creep: {norm: ") && !strstr(yaml, "yield") && !strstr(yaml, "strain: 0"), "%s", yaml);
  free(yaml), free(loose), free(zero);
  folder_remove(&folder);
}

/* In *STATIC nothing creeps: the bar is elastic, or flows by its curve, as in CalculiX 2.20. */
static void static_has_no_time(void **state) {
  (void)state;
  static const double wanted[2][3] = {{1.111111e-3, -1.666667e-4, -1.666667e-4},
                                      {9.111111e-3, -2.166667e-3, -2.166667e-3}};
  char *folder = folder_create(), *still = edited(BAR, "*VISCO, CETOL=1e-2, DIRECT\n1.,20.", "*STATIC, DIRECT\n5.,20.");
  char *metal = edited(still, "*CREEP", "*PLASTIC\n60.,0.\n1060.,.1\n*CREEP");
  for (int k = 0; k < 2; ++k) {
    char *dat = run_deck(folder, k ? metal : still);
    expect_line(dat, " displacements", "\n         7 ", 3, wanted[k], 1e-6);
    free(dat);
  }
  Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
  assert_code(&run, 0);
  assert_said(&run, "*STATIC has no time in which 'M' could creep: its *CREEP changes nothing");
  run_release(&run);
  free(still), free(metal);
  folder_remove(&folder);
}

/* Steps of *STATIC before, between and behind those of *VISCO: the load comes and goes, and nothing creeps in them. A metal flows there by its
 * curve, and what has hardened to the stress does not creep. */
static void static_steps_take_no_time(void **state) {
  (void)state;
  static const char steps[] = "*STATIC, DIRECT\n0.5,1.\n*BOUNDARY\nL,1\nY,2\nZ,3\n*CLOAD\nR,1,25.\n*END STEP\n"
                              "*STEP, INC=1000\n*VISCO, CETOL=1e-2, DIRECT\n1.,20.\n*END STEP\n"
                              "*STEP\n*STATIC, DIRECT\n1.,1.\n*CLOAD\nR,1,12.5\n*END STEP\n"
                              "*STEP, INC=1000\n*VISCO, CETOL=1e-2, DIRECT\n1.,10.\n";
  char *folder = folder_create(), *start = edited(BAR, "*VISCO, CETOL=1e-2, DIRECT\n1.,20.", steps),
       *deck = edited(start, "*BOUNDARY\nL,1\nY,2\nZ,3\n*CLOAD\nR,1,25.\n*NODE", "*NODE");
  char *metal = edited(deck, "*CREEP, LAW=NORTON\n1e-13", "*PLASTIC\n60.,0.\n1060.,.1\n*CREEP\n1e-10");
  const double creep = 1e-13 * (20 * 1e8 + 10 * 6.25e6);
  char *dat = run_deck(folder, deck);
  expect_line(dat, " displacements", "\n         7 ", 1, (const double[]){2 * (50 / 180000. + creep)}, 1e-6);
  free(dat);
  dat = run_deck(folder, metal);
  expect_line(dat, " displacements", "\n         7 ", 1, (const double[]){2 * (50 / 180000. + 4e-3)}, 1e-6);
  free(dat), free(start), free(deck), free(metal);
  folder_remove(&folder);
}

static void wrong_is_said(void **state) {
  (void)state;
  static const struct Wrong {
    const char *find, *replace, *said;
  } wrong[] = {
      {"1e-13,4.,0.", "1e-13,4.,-0.5", "d.inp:24: *CREEP: the exponent of the time is -0.5"},
      {"1e-13,4.,0.", "1e-13,0.5,0.", "d.inp:24: *CREEP: A is 1e-13 and n is 0.5"},
      {"1e-13,4.,0.", "1e-13,4.,0.,20.\n2e-13,4.,0.,10.", "d.inp:25: *CREEP: the temperature 10 follows 20"},
      {"LAW=NORTON", "LAW=USER", "d.inp:23: *CREEP: LAW=USER is not understood"},
      {"CETOL=1e-2, DIRECT", "CETOL=0.", "d.inp:27: *VISCO: CETOL=0. is not a number above 0"},
      {"*CREEP, LAW=NORTON\n1e-13,4.,0.\n", "", "d.inp:25: *VISCO: no section has a material with *CREEP"},
      {"S\n*END STEP\n", "S\n*END STEP\n*STEP\n*VISCO, DIRECT\n1.,1.\n*CLOAD, OP=NEW\nR,1,9.\n*END STEP\n",
       "OP=NEW in a step of *VISCO is not understood"},
  };
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = edited(BAR, wrong[i].find, wrong[i].replace);
    put_text(folder, "d.inp", text);
    Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
    expect_that(run.code == 3 && strstr(run.err, wrong[i].said), "row %d: exit %d, wanted '%s', said\n%s", (int)i,
                run.code, wrong[i].said, run.err);
    run_release(&run);
    free(text);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(bars_creep), cmocka_unit_test(yields_at_once),
                                     cmocka_unit_test(static_has_no_time), cmocka_unit_test(static_steps_take_no_time),
                                     cmocka_unit_test(wrong_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
