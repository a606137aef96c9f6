/* Decks of steps that go on from one another, and of one with NLGEOM, against CalculiX 2.20 at the ends of its steps: loads that stay, change, end
 * by OP=NEW and follow amplitudes over their step or all of the time. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const large = "*NODE, NSET=ALL\n"
                                 "1,0,0,0\n"
                                 "2,1.3,0.1,0\n"
                                 "3,2.4,0,0.1\n"
                                 "4,0,0.9,0\n"
                                 "5,1.1,1.1,-0.1\n"
                                 "6,2.4,1,0\n"
                                 "7,0,0,1.2\n"
                                 "8,1.2,-0.1,1\n"
                                 "9,2.4,0.1,1.1\n"
                                 "10,0,1,1.1\n"
                                 "11,1.3,1,1.1\n"
                                 "12,2.4,1.1,1\n"
                                 "*ELEMENT, TYPE=C3D8, ELSET=E\n"
                                 "1,1,2,5,4,7,8,11,10\n"
                                 "2,2,3,6,5,8,9,12,11\n"
                                 "*NSET, NSET=FIX\n"
                                 "1,4,7,10\n"
                                 "*NSET, NSET=TIP\n"
                                 "3,6,9,12\n"
                                 "*AMPLITUDE, NAME=A\n"
                                 "0.,0.,0.6,1.,1.,-0.35\n"
                                 "*AMPLITUDE, NAME=B, TIME=TOTAL TIME\n"
                                 "0.,0.,1.5,1.,3.5,-0.35\n"
                                 "*MATERIAL, NAME=M\n"
                                 "*ELASTIC\n"
                                 "70000.,0.33\n"
                                 "*DENSITY\n"
                                 "1e-3\n"
                                 "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
                                 "*BOUNDARY\n"
                                 "FIX,1,3\n"
                                 "*STEP, INC=1000, NLGEOM\n"
                                 "*STATIC, DIRECT\n"
                                 "0.25,1.\n"
                                 "*CLOAD\n"
                                 "6,1,300\n"
                                 "12,2,200\n"
                                 "*DLOAD\n"
                                 "E,GRAV,1e+06,0,0,-1\n"
                                 "1,P3,150\n"
                                 "*NODE PRINT, NSET=ALL\n"
                                 "U\n"
                                 "*NODE PRINT, NSET=FIX, TOTALS=YES\n"
                                 "RF\n"
                                 "*EL PRINT, ELSET=E\n"
                                 "S\n"
                                 "*END STEP\n"
                                 "*STEP, INC=1000\n"
                                 "*STATIC, DIRECT\n"
                                 "0.5,2.\n"
                                 "*CLOAD\n"
                                 "12,2,0\n"
                                 "6,1,100\n"
                                 "*DLOAD, OP=NEW\n"
                                 "2,P4,80\n"
                                 "*END STEP\n"
                                 "*STEP, INC=1000\n"
                                 "*STATIC, DIRECT\n"
                                 "0.2,1.\n"
                                 "*CLOAD, AMPLITUDE=A\n"
                                 "6,1,500\n"
                                 "*CLOAD, AMPLITUDE=B\n"
                                 "9,3,100\n"
                                 "*EL PRINT, ELSET=E\n"
                                 "S\n"
                                 "*END STEP\n"
                                 "*STEP, INC=1000\n"
                                 "*STATIC, DIRECT\n"
                                 "0.5,1.\n"
                                 "*CLOAD\n"
                                 "6,3,50\n"
                                 "*END STEP\n";

static const char *const metal = "*NODE, NSET=ALL\n"
                                 "1,0,0,0\n"
                                 "2,1.3,0.1,0\n"
                                 "3,2.4,0,0.1\n"
                                 "4,0,0.9,0\n"
                                 "5,1.1,1.1,-0.1\n"
                                 "6,2.4,1,0\n"
                                 "7,0,0,1.2\n"
                                 "8,1.2,-0.1,1\n"
                                 "9,2.4,0.1,1.1\n"
                                 "10,0,1,1.1\n"
                                 "11,1.3,1,1.1\n"
                                 "12,2.4,1.1,1\n"
                                 "*ELEMENT, TYPE=C3D8, ELSET=E\n"
                                 "1,1,2,5,4,7,8,11,10\n"
                                 "2,2,3,6,5,8,9,12,11\n"
                                 "*NSET, NSET=FIX\n"
                                 "1,4,7,10\n"
                                 "*NSET, NSET=TIP\n"
                                 "3,6,9,12\n"
                                 "*AMPLITUDE, NAME=A\n"
                                 "0.,0.,0.6,1.,1.,-0.35\n"
                                 "*AMPLITUDE, NAME=B, TIME=TOTAL TIME\n"
                                 "0.,0.,1.5,1.,3.5,-0.35\n"
                                 "*MATERIAL, NAME=M\n"
                                 "*ELASTIC\n"
                                 "70000.,0.33\n"
                                 "*PLASTIC\n"
                                 "120.,0.\n"
                                 "150.,0.004\n"
                                 "190.,0.05\n"
                                 "*DENSITY\n"
                                 "1e-3\n"
                                 "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
                                 "*BOUNDARY\n"
                                 "FIX,1,3\n"
                                 "*STEP, INC=1000\n"
                                 "*STATIC, DIRECT\n"
                                 "0.05,1.\n"
                                 "*CLOAD\n"
                                 "6,1,40\n"
                                 "12,2,4\n"
                                 "*DLOAD\n"
                                 "E,GRAV,1000,0,0,-1\n"
                                 "1,P3,2\n"
                                 "*NODE PRINT, NSET=ALL\n"
                                 "U\n"
                                 "*NODE PRINT, NSET=FIX, TOTALS=YES\n"
                                 "RF\n"
                                 "*EL PRINT, ELSET=E\n"
                                 "S\n"
                                 "*END STEP\n"
                                 "*STEP, INC=1000\n"
                                 "*STATIC, DIRECT\n"
                                 "0.1,2.\n"
                                 "*CLOAD\n"
                                 "12,2,0\n"
                                 "6,1,-40\n"
                                 "*DLOAD, OP=NEW\n"
                                 "2,P4,4\n"
                                 "*END STEP\n"
                                 "*STEP, INC=1000\n"
                                 "*STATIC, DIRECT\n"
                                 "0.05,1.\n"
                                 "*CLOAD, AMPLITUDE=A\n"
                                 "6,1,45\n"
                                 "*CLOAD, AMPLITUDE=B\n"
                                 "9,3,3\n"
                                 "*EL PRINT, ELSET=E\n"
                                 "S\n"
                                 "*END STEP\n"
                                 "*STEP, INC=1000\n"
                                 "*STATIC, DIRECT\n"
                                 "0.1,1.\n"
                                 "*CLOAD\n"
                                 "6,3,3\n"
                                 "*END STEP\n";

/* A rigid body that amplitudes pull and turn, beside what goes straight. */
static const char *const driven = "*NODE, NSET=ALL\n"
                                  "1,0,0,0\n"
                                  "2,1.1,0.05,0\n"
                                  "3,1.05,1,0.1\n"
                                  "4,-0.05,0.95,0\n"
                                  "5,0,0.1,1\n"
                                  "6,1,0,1.05\n"
                                  "7,1.1,1.1,0.95\n"
                                  "8,0,1,1\n"
                                  "9,2.1,0,0.1\n"
                                  "10,2,1.05,0\n"
                                  "11,2.05,0.1,1\n"
                                  "12,2,1,1.1\n"
                                  "20,2.2,0.4,0.6\n"
                                  "21,2.2,0.4,0.6\n"
                                  "*ELEMENT, TYPE=C3D8, ELSET=E\n"
                                  "1,1,2,3,4,5,6,7,8\n"
                                  "2,2,9,10,3,6,11,12,7\n"
                                  "*MATERIAL, NAME=M\n"
                                  "*ELASTIC\n"
                                  "70000.,0.33\n"
                                  "*DENSITY\n"
                                  "1e-3\n"
                                  "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
                                  "*NSET, NSET=FIX\n"
                                  "1,4,5,8\n"
                                  "*NSET, NSET=END\n"
                                  "9,10,11,12\n"
                                  "*NSET, NSET=BODY\n"
                                  "1,2,3,4,5,6,7,8,9,10,11,12\n"
                                  "*RIGID BODY, NSET=END, REF NODE=20, ROT NODE=21\n"
                                  "*AMPLITUDE, NAME=A\n"
                                  "0,0,0.5,1.5,1,0.7\n"
                                  "*AMPLITUDE, NAME=B, TIME=TOTAL TIME\n"
                                  "0,0,1,1,2,-0.5,3,0.4\n"
                                  "*BOUNDARY\n"
                                  "FIX,1,3\n"
                                  "*STEP, NLGEOM, INC=1000\n"
                                  "*STATIC, DIRECT\n"
                                  "0.25,1\n"
                                  "*CLOAD, AMPLITUDE=A\n"
                                  "20,2,1400\n"
                                  "*CLOAD\n"
                                  "20,1,700\n"
                                  "*BOUNDARY, AMPLITUDE=A\n"
                                  "21,1,1,0.4\n"
                                  "*BOUNDARY\n"
                                  "21,3,3,0.1\n"
                                  "*NODE PRINT, NSET=BODY\n"
                                  "U\n"
                                  "*EL PRINT, ELSET=E\n"
                                  "S\n"
                                  "*END STEP\n"
                                  "*STEP, INC=1000\n"
                                  "*STATIC, DIRECT\n"
                                  "0.25,1\n"
                                  "*CLOAD, AMPLITUDE=B\n"
                                  "20,3,1000\n"
                                  "*CLOAD\n"
                                  "20,1,280\n"
                                  "*BOUNDARY\n"
                                  "21,3,3,-0.1\n"
                                  "*END STEP\n"
                                  "*STEP, INC=1000\n"
                                  "*STATIC, DIRECT\n"
                                  "0.25,1\n"
                                  "*CLOAD\n"
                                  "20,2,-350\n"
                                  "*END STEP\n";

/* The last table whose head has `head` and `time`, and numbers of its line. */
static void expect_near(const char *dat, const char *head, const char *time, const char *label, int n,
                        const double *wanted, double rtol) {
  const char *at = NULL;
  char mark[80];
  double most = 0;
  snprintf(mark, sizeof mark, "time  %s", time);
  for (const char *p = dat; (p = strstr(p, head)); ++p) {
    const char *end = strchr(p, '\n'), *found = strstr(p, mark);
    if (end && found && found < end) at = end;
  }
  expect_that(at != NULL, "no '%s' at %s in\n%s", head, time, dat);
  at = strstr(at, label);
  expect_that(at != NULL, "no '%s' at %s in\n%s", label, time, dat);
  at += strlen(label);
  for (int k = 0; k < n; ++k) most = fmax(most, fabs(wanted[k]));
  for (int k = 0; k < n; ++k) assert_within(strtod(at, (char **)(void *)&at), wanted[k], rtol * most);
}
static void expect_line(const char *dat, const char *head, const char *time, const char *label, int n,
                        const double *wanted) {
  expect_near(dat, head, time, label, n, wanted, 4e-6);
}

static char *run_deck(const char *folder, const char *deck) {
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                      "formulation=displacement", "--set", "solver.rtol=1e-10", NULL);
  assert_code(&run, 0);
  run_release(&run);
  return get_text(folder, "out/d.dat");
}

static int32_t count(const char *text, const char *word) {
  int32_t n = 0;
  for (const char *p = text; (p = strstr(p, word)); ++p) ++n;
  return n;
}

static void large_steps(void **state) {
  (void)state;
  char *folder = folder_create(), *dat = run_deck(folder, large);
  expect_line(dat, " displacements", "0.3000000E+01", "\n         5 ", 3,
              (const double[]){5.031594E-03, -2.365634E-03, 2.465221E-03});
  expect_line(
      dat, " stresses", "0.3000000E+01", "\n         2   8 ", 6,
      (const double[]){-8.341891E+01, -2.208152E+01, -8.215805E+01, -2.265945E+01, -9.534366E+01, 2.056272E+01});
  expect_line(dat, " displacements", "0.5000000E+01", "\n        12 ", 3,
              (const double[]){-6.343499E-03, 1.228471E-02, -2.417297E-03});
  expect_line(dat, " stresses", "0.5000000E+01", "\n         1   1 ", 6,
              (const double[]){-2.243628E+02, -8.431745E+01, -1.125773E+02, 1.119759E+02, -7.874733E+01, 6.728874E+00});
  assert_int_equal(count(dat, " displacements"), 15); /* each increment, and none of t = 0 */
  assert_null(strstr(dat, "time  0.0000000E+00"));
  free(dat);
  folder_remove(&folder);
}

static void metal_steps(void **state) {
  (void)state;
  char *folder = folder_create(), *dat = run_deck(folder, metal);
  expect_line(dat, " displacements", "0.3000000E+01", "\n         5 ", 3,
              (const double[]){-2.606765E-03, 1.163944E-03, -1.222610E-03});
  expect_line(dat, " stresses", "0.3000000E+01", "\n         2   8 ", 6,
              (const double[]){-1.666115E+00, 1.030550E+01, 4.092095E+01, 8.196951E+00, 4.423864E+01, -9.199609E+00});
  expect_line(dat, " displacements", "0.5000000E+01", "\n         5 ", 3,
              (const double[]){-8.749405E-04, 6.462232E-04, -1.690187E-05});
  expect_line(dat, " stresses", "0.5000000E+01", "\n         1   1 ", 6,
              (const double[]){-1.347333E+01, -5.587885E+00, -6.870500E+00, 7.452920E+00, -3.784767E+00, 4.443175E-01});
  free(dat);
  folder_remove(&folder);
}

/* A print of the second step is of its times alone. */
static void tables_of_a_step(void **state) {
  (void)state;
  char *folder = folder_create(), *text = edited(large, "*NODE PRINT, NSET=ALL\nU\n", "");
  char *moved = edited(text, "2,P4,80\n", "2,P4,80\n*NODE PRINT, NSET=TIP, FREQUENCY=2\nU\n");
  char *again = edited(moved, "*CLOAD, AMPLITUDE=A\n", "*NODE PRINT, NSET=FIX\nRF\n*CLOAD, AMPLITUDE=A\n");
  char *dat = run_deck(folder, again);
  assert_int_equal(count(dat, " displacements"), 4); /* FREQUENCY= is not used: increments differ from step to step */
  assert_non_null(strstr(dat, "for set TIP and time  0.1500000E+01"));
  assert_null(strstr(dat, "for set TIP and time  0.1000000E+01"));
  free(dat);
  free(again);
  free(moved);
  free(text);
  folder_remove(&folder);
}

/* Where one direction of a node follows an amplitude from a step on, the load that was there before falls slowly all the same. */
static void directions_apart(void **state) {
  (void)state;
  char *folder = folder_create(),
       *text = edited(large, "*CLOAD\n12,2,0\n6,1,100\n", "*CLOAD, OP=NEW, AMPLITUDE=A\n6,2,10\n");
  char *dat = run_deck(folder, text);
  expect_line(dat, " displacements", "0.1500000E+01", "\n         6 ", 3,
              (const double[]){-7.355191e-02, 2.416284e-02, -2.739781e-01});
  free(dat);
  free(text);
  folder_remove(&folder);
}

/* Two linear steps, one increment each, and then NLGEOM, which begins with what these have left. */
static void large_after_linear(void **state) {
  (void)state;
  char *folder = folder_create(), *text = edited(large, "*STEP, INC=1000, NLGEOM\n", "*STEP, INC=1000\n");
  char *deck = edited(text, "*STEP, INC=1000\n*STATIC, DIRECT\n0.2,1.\n", "*STEP, NLGEOM\n*STATIC, DIRECT\n0.2,1.\n");
  char *dat = run_deck(folder, deck);
  expect_line(dat, " displacements", "0.1000000E+01", "\n        12 ", 3,
              (const double[]){6.362688E-02, 9.053860E-02, -4.009625E-01});
  expect_line(dat, " displacements", "0.3000000E+01", "\n         5 ", 3,
              (const double[]){5.196223E-03, -2.457805E-03, 2.561184E-03});
  expect_line(
      dat, " stresses", "0.3200000E+01", "\n         2   8 ", 6,
      (const double[]){-6.349806E+01, -2.585043E+01, -1.239808E+02, -4.656140E+01, -1.532047E+02, 4.556994E+01});
  expect_line(dat, " displacements", "0.5000000E+01", "\n        12 ", 3,
              (const double[]){-6.343499E-03, 1.228471E-02, -2.417297E-03});
  assert_int_equal(count(dat, " displacements"), 9);
  free(dat);
  free(deck);
  free(text);
  folder_remove(&folder);
}

/* The same of metals, whose laws of large strains differ from CalculiX' by so much, and of a rigid body that turns. */
static void more_after_linear(void **state) {
  (void)state;
  char *folder = folder_create();
  char *deck = edited(metal, "*STEP, INC=1000\n*STATIC, DIRECT\n0.05,1.\n*CLOAD, AMPLITUDE=A\n",
                      "*STEP, NLGEOM, INC=1000\n*STATIC, DIRECT\n0.05,1.\n*CLOAD, AMPLITUDE=A\n");
  char *dat = run_deck(folder, deck);
  expect_line(dat, " stresses", "0.3000000E+01", "\n         2   8 ", 6,
              (const double[]){-1.666115E+00, 1.030550E+01, 4.092095E+01, 8.196951E+00, 4.423864E+01, -9.199609E+00});
  expect_near(dat, " displacements", "0.5000000E+01", "\n         5 ", 3,
              (const double[]){-8.758842E-04, 6.478873E-04, -1.737076E-05}, 1e-3);
  expect_near(dat, " stresses", "0.5000000E+01", "\n         1   1 ", 6,
              (const double[]){-1.348328E+01, -5.579571E+00, -6.874831E+00, 7.474197E+00, -3.787169E+00, 4.458217E-01},
              2e-3);
  free(dat);
  free(deck);
  char *linear = edited(driven, "*STEP, NLGEOM, INC=1000\n", "*STEP, INC=1000\n");
  deck = edited(linear, "*END STEP\n*STEP, INC=1000\n*STATIC, DIRECT\n0.25,1\n*CLOAD, AMPLITUDE=B\n",
                "*END STEP\n*STEP, NLGEOM, INC=1000\n*STATIC, DIRECT\n0.25,1\n*CLOAD, AMPLITUDE=B\n");
  dat = run_deck(folder, deck);
  expect_line(dat, " displacements", "0.1000000E+01", "\n        12 ", 3,
              (const double[]){-2.025005E-02, 7.152441E-02, 1.108090E-01});
  expect_line(dat, " displacements", "0.3000000E+01", "\n        12 ", 3,
              (const double[]){-3.334577E-02, -3.336916E-01, 2.512564E-01});
  free(dat);
  free(deck);
  free(linear);
  folder_remove(&folder);
}

static void rigid_bodies_follow(void **state) {
  (void)state;
  char *folder = folder_create(), *dat = run_deck(folder, driven);
  expect_line(dat, " displacements", "0.7500000E+00", "\n        12 ", 3,
              (const double[]){1.997122E-02, -5.725548E-04, 7.470560E-02});
  expect_line(dat, " displacements", "0.1250000E+01", "\n        12 ", 3,
              (const double[]){-8.501222E-02, -1.965787E-02, 2.823505E-01});
  expect_line(dat, " displacements", "0.3000000E+01", "\n        12 ", 3,
              (const double[]){-3.334557E-02, -3.336916E-01, 2.512560E-01});
  expect_line(dat, " stresses", "0.3000000E+01", "\n         1   1 ", 6,
              (const double[]){2.517306E+02, -4.595453E+02, -3.627583E+02, 1.440589E+02, -5.882302E+01, 7.195766E+01});
  free(dat);
  folder_remove(&folder);
}

/* The same body turned by a moment that an amplitude moves, about the one axis about which it may turn. */
static void moments_follow(void **state) {
  (void)state;
  static const char *const steps = "*BOUNDARY\nFIX,1,3\n21,2,3\n"
                                   "*STEP, NLGEOM, INC=1000\n*STATIC, DIRECT\n0.25,1\n"
                                   "*CLOAD, AMPLITUDE=A\n20,2,1400\n21,1,3000\n*CLOAD\n20,1,700\n"
                                   "*NODE PRINT, NSET=BODY\nU\n*END STEP\n"
                                   "*STEP, NLGEOM, INC=1000\n*STATIC, DIRECT\n0.25,1\n"
                                   "*CLOAD\n21,1,-2000\n*NODE PRINT, NSET=BODY\nU\n*END STEP\n";
  char text[4000];
  snprintf(text, sizeof text, "%.*s%s", (int)(strstr(driven, "*BOUNDARY\n") - driven), driven, steps);
  char *folder = folder_create(), *dat = run_deck(folder, text);
  expect_line(dat, " displacements", "0.5000000E+00", "\n        12 ", 3,
              (const double[]){-6.724949E-02, -8.861017E-01, -5.902521E-01});
  expect_line(dat, " displacements", "0.1500000E+01", "\n        12 ", 3,
              (const double[]){1.131166E-02, 1.285543E-01, -6.697233E-03});
  free(dat);
  folder_remove(&folder);
}

/* One step with NLGEOM: a load by an amplitude beside others that grow with the time. */
static void one_step(void **state) {
  (void)state;
  char *folder = folder_create(), *text = edited(large, "*CLOAD\n6,1,300\n", "*CLOAD, AMPLITUDE=A\n6,1,300\n*CLOAD\n");
  char *end = strstr(text, "*END STEP\n");
  assert_non_null(end);
  end[strlen("*END STEP\n")] = 0;
  char *dat = run_deck(folder, text);
  expect_line(dat, " displacements", "0.5000000E+00", "\n        12 ", 3,
              (const double[]){2.368676E-02, 3.417455E-02, -1.828468E-01});
  expect_line(dat, " stresses", "0.5000000E+00", "\n         1   6 ", 6,
              (const double[]){2.040464E+03, 4.519500E+02, 7.859934E+02, 2.719966E+02, -3.864653E+02, 1.502075E+01});
  assert_int_equal(count(dat, " displacements"), 4);
  free(dat);
  free(text);
  folder_remove(&folder);
}

static const struct Wrong {
  const char *find, *replace, *said;
} wrong[] = {
    {"*STEP, INC=1000\n*STATIC, DIRECT\n0.5,2.\n", "*STEP, NLGEOM=NO\n*STATIC, DIRECT\n0.5,2.\n",
     "NLGEOM=NO after a step with NLGEOM"},
    {"FIX,1,3\n*STEP, INC=1000, NLGEOM\n",
     "FIX,1,3\n*MPC\nPLANE,3,6,9,12\n*STEP\n*STATIC\n*END STEP\n*STEP, INC=1000, NLGEOM\n", "not beside *MPC"},
    {"*STATIC, DIRECT\n0.5,2.\n", "*STATIC, DIRECT, TIME RESET\n0.5,2.\n", "TIME RESET in steps that go on"},
    {"*STATIC, DIRECT\n0.5,2.\n", "*FREQUENCY\n2\n", "after *STATIC with NLGEOM, contact or of metals"},
};

static void wrong_is_said(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = edited(large, wrong[i].find, wrong[i].replace);
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(large_steps),         cmocka_unit_test(metal_steps),        cmocka_unit_test(tables_of_a_step),
      cmocka_unit_test(directions_apart),    cmocka_unit_test(large_after_linear), cmocka_unit_test(more_after_linear),
      cmocka_unit_test(rigid_bodies_follow), cmocka_unit_test(moments_follow),     cmocka_unit_test(one_step),
      cmocka_unit_test(wrong_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
