/* Tables of steps that go on from one another, against CalculiX 2.20 with tight *CONTROLS: forces at nodes, which loads are part of,
 * strains, Green and Lagrange's with NLGEOM, and plastic strains; and modes about their end. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLASTIC "*PLASTIC\n120.,0.\n150.,0.004\n190.,0.05\n"
/* Two distorted boxes under forces and a pressure; the forces along x turn in the second step. */
#define BLOCK                                                                                                          \
  "*NODE, NSET=ALL\n1,0,0,0\n2,1.3,0.1,0\n3,2.4,0,0.1\n4,0,0.9,0\n5,1.1,1.1,-0.1\n6,2.4,1,0\n7,0,0,1.2\n"              \
  "8,1.2,-0.1,1\n9,2.4,0.1,1.1\n10,0,1,1.1\n11,1.3,1,1.1\n12,2.4,1.1,1\n*ELEMENT, TYPE=C3D8, ELSET=E\n"                \
  "1,1,2,5,4,7,8,11,10\n2,2,3,6,5,8,9,12,11\n*NSET, NSET=FIX\n1,4,7,10\n*NSET, NSET=TIP\n3,6,9,12\n"                   \
  "*MATERIAL, NAME=M\n*ELASTIC\n70000.,0.33\n" PLASTIC "*SOLID SECTION, ELSET=E, MATERIAL=M\n*STEP, INC=1000\n"        \
  "*STATIC, DIRECT\n0.1,1.\n*BOUNDARY\nFIX,1,3\n*CLOAD\nTIP,1,30.\nTIP,3,4.\n9,2,-3.\n*DLOAD\n2,P2,-20.\n"             \
  "*NODE PRINT, NSET=ALL\nU,RF\n*EL PRINT, ELSET=E\nS,E,PEEQ,PE\n*END STEP\n*STEP, INC=1000\n"                         \
  "*STATIC, DIRECT\n0.1,1.\n*CLOAD\nTIP,1,-10.\n*END STEP\n"

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

static void metal_as_calculix_has_it(void **state) {
  (void)state;
  char *folder = folder_create(), *dat = run_deck(folder, BLOCK);
  expect_line(dat, " displacements", "\n         9 ", 3, (const double[]){-6.183736e-3, -2.182062e-3, 2.139692e-2},
              1e-6);
  expect_line(dat, " forces", "\n         1 ", 3, (const double[]){-20.34818, -24.53496, -14.58647}, 1e-6);
  expect_line(dat, " forces", "\n         9 ", 3, (const double[]){-10.2, -2.8, 10}, 1e-6);
  expect_line(dat, " strains", "\n         1   6 ", 6,
              (const double[]){-2.112355e-3, 5.887867e-4, -1.654707e-5, -3.750786e-4, 2.449477e-4, -3.815246e-4}, 1e-6);
  expect_line(dat, " equivalent plastic strain", "\n         1   6 ", 1, (const double[]){2.302870e-4}, 2e-6);
  expect_line(dat, " equivalent plastic strain", "\n         2   5 ", 1, (const double[]){6.024502e-4}, 2e-6);
  free(dat);
  folder_remove(&folder);
}

static void large_as_calculix_has_it(void **state) {
  (void)state;
  char *folder = folder_create(), *elastic = edited(BLOCK, PLASTIC, ""), *plain = edited(elastic, "S,E,PEEQ,PE", "S,E"),
       *first = edited(plain, "MATERIAL=M\n*STEP, INC=1000", "MATERIAL=M\n*STEP, INC=1000, NLGEOM"),
       *dat = run_deck(folder, first);
  expect_line(dat, " forces", "\n         1 ", 3, (const double[]){-20.39407, -5.292666, -6.402083}, 1e-6);
  expect_line(dat, " forces", "\n         9 ", 3, (const double[]){-10.23952, -2.802607, 9.993837}, 1e-6);
  expect_line(dat, " strains", "\n         1   2 ", 6,
              (const double[]){6.987616e-4, -2.678091e-4, 1.710386e-4, 6.354216e-5, 6.177651e-6, -2.461801e-4}, 2e-6);
  free(dat);
  free(first);
  free(plain);
  free(elastic);
  folder_remove(&folder);
}

/* A rigid end that is turned about two axes and pulled at its reference node, then a force beside it; once by *RIGID BODY, then by *COUPLING. */
static void rigid_turns_as_calculix_has_it(void **state) {
  (void)state;
  static const char *const first = "*STEP, INC=1000\n*STATIC, DIRECT\n0.1,1.\n*BOUNDARY",
                           *const second = "*STEP, INC=1000\n*STATIC, DIRECT\n0.1,1.\n*CLOAD\nTIP,1,-10.\n",
                           *const pull = "*CLOAD\nTIP,1,30.\nTIP,3,4.\n9,2,-3.\n*DLOAD\n2,P2,-20.\n",
                           *const by[] = {"*RIGID BODY, NSET=TIP, REF NODE=21, ROT NODE=22\n",
                                          "*SURFACE, NAME=LID\n2,S4\n*COUPLING, REF NODE=21, SURFACE=LID, CONSTRAINT "
                                          "NAME=C\n*KINEMATIC\n1,3\n"},
                           *const turn[] = {"22,1,1,0.7\n22,3,3,0.5\n", "21,4,4,0.7\n21,6,6,0.5\n"};
  char *folder = folder_create(), text[600];
  for (int k = 0; k < 2; ++k) {
    char *elastic = edited(BLOCK, PLASTIC, ""), *tables = edited(elastic, "S,E,PEEQ,PE", "S"),
         *nodes = edited(tables, "*ELEMENT", "*NODE\n21,3,0.5,0.5\n22,3,0.5,0.5\n*ELEMENT");
    snprintf(text, sizeof text, "%s*STEP, NLGEOM\n*STATIC, DIRECT\n0.25,1.\n*BOUNDARY\n21,1,1,0.1\n%s", by[k], turn[k]);
    char *turned = edited(nodes, first, text), *pulled = edited(turned, pull, "*CLOAD\n21,2,500.\n"),
         *last = edited(pulled, second, "*STEP, NLGEOM\n*STATIC, DIRECT\n0.5,1.\n*CLOAD\n5,3,200.\n"),
         *dat = run_deck(folder, last);
    expect_line(dat, " displacements", "\n         9 ", 3, (const double[]){4.396201E-01, 2.011729E-01, -2.452788E-01},
                1e-6);
    expect_line(dat, " forces", "\n         9 ", 3, (const double[]){5.848410E+03, -6.645464E+02, 2.935093E+02}, 1e-6);
    char *const all[] = {elastic, tables, nodes, turned, pulled, last, dat};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
  }
  folder_remove(&folder);
}

/* Modes about the state of one step with NLGEOM and of two, to the seven digits of CalculiX; of metal that has flown its law is another one. */
static void modes_as_calculix_has_them(void **state) {
  (void)state;
  static const char *const steps[] = {"", "*STEP, NLGEOM\n*STATIC, DIRECT\n0.5,1.\n*CLOAD\nTIP,1,-200.\n*END STEP\n",
                                      ""};
  static const double wanted[][2] = {{200556.7, 212624.8}, {159530.2, 175306.8}}, flown[] = {254931.3, 654806.7};
  char *folder = folder_create(), text[4000];
  for (int k = 0; k < 3; ++k) {
    const char *tail = strstr(BLOCK, "*STEP"), *at = strstr(BLOCK, PLASTIC);
    const int head = (int)(at - BLOCK);
    snprintf(
        text, sizeof text,
        "%.*s%s*DENSITY\n2.7e-9\n%.*s%s\nFIX,1,3\n%s*NODE PRINT, NSET=ALL\nU\n*END STEP\n%s*STEP, PERTURBATION\n"
        "*FREQUENCY\n2\n*END STEP\n",
        head, BLOCK, k == 2 ? PLASTIC : "", (int)(tail - at - (long)strlen(PLASTIC)), at + strlen(PLASTIC),
        k == 2
            ? "*AMPLITUDE, NAME=A\n0.,0.,0.6,1.,1.,-0.35\n*STEP, NLGEOM, INC=1000\n*STATIC, DIRECT\n0.05,1.\n*BOUNDARY"
            : "*STEP, NLGEOM\n*STATIC, DIRECT\n0.25,1.\n*BOUNDARY",
        k == 2 ? "*BOUNDARY, AMPLITUDE=A\nTIP,1,1,0.017\nTIP,3,3,0.008\n" : "*CLOAD\nTIP,1,500.\nTIP,3,300.\n",
        steps[k]);
    free(run_deck(folder, text));
    char *modes = get_text(folder, "out/modes.csv"), *row = modes;
    for (int i = 0; i < 2; ++i) {
      row = strchr(strchr(row, '\n') + 1, ',') + 1;
      assert_relative(strtod(row, NULL), k == 2 ? flown[i] : wanted[k][i], k == 2 ? 6e-3 : 4e-7);
    }
    free(modes);
  }
  folder_remove(&folder);
}

/* One amplitude that begins before the step and behind its start, one over the time of both steps. */
static void amplitudes_are_delayed(void **state) {
  (void)state;
  const char *tail = strstr(BLOCK, "*STEP"), *at = strstr(BLOCK, PLASTIC);
  char *folder = folder_create(), text[4000];
  const int n = snprintf(
      text, sizeof text,
      "%.*s%.*s*AMPLITUDE, NAME=A\n0.,0.,0.3,1.,0.7,-0.5,1.,2.\n*AMPLITUDE,NAME=B,TIME=TOTAL "
      "TIME\n0.,0.,1.5,1.,2.,0.5\n"
      "*STEP, NLGEOM, INC=1000\n*STATIC, DIRECT\n0.25,1.\n*BOUNDARY\nFIX,1,3\n*BOUNDARY, AMPLITUDE=A, TIME DELAY=-0.2\n"
      "12,2,2,0.02\n*CLOAD, AMPLITUDE=A, TIME DELAY=0.4\nTIP,1,300.\n*DLOAD, AMPLITUDE=B, TIME DELAY=0.5\n2,P2,-20.\n"
      "*NODE PRINT, NSET=ALL\nU\n*END STEP\n*STEP, NLGEOM, INC=1000\n*STATIC, DIRECT\n0.25,1.\n*CLOAD, AMPLITUDE=A, "
      "TIME "
      "DELAY=0.1\nTIP,3,100.\n*END STEP\n",
      (int)(at - BLOCK), BLOCK, (int)(tail - at - (long)strlen(PLASTIC)), at + strlen(PLASTIC));
  assert_true(n < (int)sizeof text);
  char *dat = run_deck(folder, text);
  expect_line(dat, " displacements", "\n         9 ", 3, (const double[]){-6.355785E-02, 3.670480E-02, 1.904891E-01},
              1e-6);
  free(dat);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(metal_as_calculix_has_it), cmocka_unit_test(large_as_calculix_has_it),
      cmocka_unit_test(rigid_turns_as_calculix_has_it), cmocka_unit_test(modes_as_calculix_has_them),
      cmocka_unit_test(amplitudes_are_delayed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
