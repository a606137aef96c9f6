/* Decks whose supports begin, end and stay where they are in later steps, against CalculiX 2.20 with its *CONTROLS at 1e-9. */
#include "tests/cli/deck_moved.h"

#include <stdlib.h>
#include <string.h>

/* NLGEOM stands where it does. */
static const char *const cube = "*NODE,NSET=NALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1.1\n7,1.1,1,1\n"
                                "8,0,1,1\n9,0,0,5\n*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n"
                                "*AMPLITUDE,NAME=A\n0.,1.,1.,2.\n"
                                "*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n*DENSITY\n1.\n"
                                "*SOLID SECTION,ELSET=E,MATERIAL=M\n"
                                "*BOUNDARY\n1,1,3\n2,2,3\n4,3,3\n4,1,1\n"
                                "*STEP,NLGEOM\n*STATIC,DIRECT\n.25,1\n"
                                "*BOUNDARY\n7,3,3,0.1\n*CLOAD\n6,1,10.\n*NODE PRINT,NSET=NALL\nU\n*END STEP\n"
                                "*STEP,NLGEOM\n*STATIC,DIRECT\n.5,1\n"
                                "*BOUNDARY,OP=NEW\n1,1,3\n2,2,3\n4,3,3\n5,1,1,0.05\n*CLOAD\n6,1,10.\n*END STEP\n"
                                "*STEP,NLGEOM\n*STATIC,DIRECT\n.5,1\n"
                                "*BOUNDARY,FIXED\n5,1,1\n6,2,3\n*CLOAD\n7,1,10.\n*END STEP\n"
                                "*STEP,NLGEOM\n*STATIC,DIRECT\n.5,1\n"
                                "*BOUNDARY\n6,2,2,0.02\n7,3,3,0.\n*CLOAD\n7,1,-10.\n*END STEP\n";

static void large(void **state) {
  (void)state;
  char *folder = folder_create(), *dat = run_moved(folder, cube);
  expect_moved(dat, "0.1000000E+01", (const double[]){-6.682435E-02, -3.436292E-02, 1.000000E-01});
  expect_moved(dat, "0.1500000E+01", (const double[]){2.823273E-02, 5.206019E-02, -7.471624E-02});
  expect_moved(dat, "0.2500000E+01", (const double[]){1.165317E-01, 4.549453E-02, -1.208724E-01});
  expect_moved(dat, "0.3500000E+01", (const double[]){4.331810E-02, 4.312757E-02, -7.941925E-02});
  expect_moved(dat, "0.4000000E+01", (const double[]){-1.401368E-01, 3.502071E-02, 0});
  free(dat);
  folder_remove(&folder);
}

static void without(char *text, const char *what) {
  for (char *p; (p = strstr(text, what));) memmove(p, p + strlen(what), strlen(p + strlen(what)) + 1);
}

static void small(void **state) {
  (void)state;
  char *folder = folder_create(), *text = edited(cube, "*AMPLITUDE,NAME=A\n0.,1.,1.,2.\n", "");
  without(text, ",NLGEOM");
  char *dat = run_moved(folder, text);
  expect_moved(dat, "0.1000000E+01", (const double[]){-6.620713E-02, -2.547990E-02, 1.000000E-01});
  expect_moved(dat, "0.2000000E+01", (const double[]){3.022922E-02, 6.025870E-02, -7.780673E-02});
  expect_moved(dat, "0.3000000E+01", (const double[]){2.314855E-01, 4.680782E-02, -1.662853E-01});
  expect_moved(dat, "0.4000000E+01", (const double[]){-1.383791E-01, 4.861912E-02, 0.000000E+00});
  free(dat);
  free(text);
  folder_remove(&folder);
}

/* Supports that are dropped and said again are load cases as before. */
static void the_same_again(void **state) {
  (void)state;
  char *folder = folder_create(), *text = edited(cube, "OP=NEW\n1,1,3\n2,2,3\n4,3,3\n5,1,1,0.05\n",
                                                 "OP=NEW\n1,1,3\n2,2,3\n4,3,3\n4,1,1\n7,3,3,0.05\n");
  without(text, ",NLGEOM");
  char *end = strstr(text, "*BOUNDARY,FIXED");
  end[-(int)strlen("*STEP\n*STATIC,DIRECT\n.5,1\n")] = 0;
  char *dat = run_moved(folder, text);
  expect_moved(dat, "0.1000000E+01", (const double[]){-6.620713E-02, -2.547990E-02, 1.000000E-01});
  expect_moved(dat, "0.2000000E+01", (const double[]){-3.623542E-02, 5.519780E-03, 5.000000E-02});
  Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
  assert_said(&run, "load-cases: [{name: step-1");
  run_release(&run);
  free(dat);
  free(text);
  folder_remove(&folder);
}

/* What *STEP says of rows without an amplitude. */
static const char *const block = "*NODE,NSET=NALL\n"
                                 "1,0,0,0\n"
                                 "2,1,0,0\n"
                                 "3,1,1,0\n"
                                 "4,0,1,0\n"
                                 "5,0,0,1\n"
                                 "6,1,0,1\n"
                                 "7,1,1,1\n"
                                 "8,0,1,1\n"
                                 "*ELEMENT,TYPE=C3D8,ELSET=E\n"
                                 "1,1,2,3,4,5,6,7,8\n"
                                 "*MATERIAL,NAME=M\n"
                                 "*ELASTIC\n"
                                 "1000,.3\n"
                                 "*DENSITY\n"
                                 "1.\n"
                                 "*SOLID SECTION,ELSET=E,MATERIAL=M\n"
                                 "*BOUNDARY\n"
                                 "1,1,3\n"
                                 "2,2,3\n"
                                 "4,3,3\n"
                                 "4,1,1\n"
                                 "3,3,3\n";
static const char *const at_once = "*STEP,NLGEOM,AMPLITUDE=STEP\n"
                                   "*STATIC,DIRECT\n"
                                   ".25,1\n"
                                   "*BOUNDARY\n"
                                   "5,3,3,0.05\n"
                                   "*CLOAD\n"
                                   "7,3,10.\n"
                                   "*NODE PRINT,NSET=NALL\n"
                                   "U\n"
                                   "*END STEP\n"
                                   "*STEP,NLGEOM,AMPLITUDE=STEP\n"
                                   "*STATIC,DIRECT\n"
                                   ".5,1\n"
                                   "*CLOAD\n"
                                   "7,3,20.\n"
                                   "*END STEP\n";
static const char *const grows =
    "*STEP,AMPLITUDE=RAMP\n*DYNAMIC,DIRECT\n.01,.2\n*CLOAD\n7,3,10.\n*NODE PRINT,NSET=NALL\nU\n"
    "*END STEP\n";

static void amplitudes_of_steps(void **state) {
  (void)state;
  char *folder = folder_create(), text[3000];
  snprintf(text, sizeof text, "%s%s", block, at_once);
  char *dat = run_moved(folder, text);
  expect_moved(dat, "0.2500000E+00", (const double[]){-1.635478E-02, -1.635478E-02, 6.195363E-02});
  expect_moved(dat, "0.1500000E+01", (const double[]){-4.051537E-02, -4.051537E-02, 1.185549E-01});
  free(dat);
  snprintf(text, sizeof text, "%s%s", block, grows);
  dat = run_moved(folder, text);
  expect_moved(dat, "0.1000000E+00", (const double[]){-1.019557E-02, -1.019557E-02, 3.066400E-02});
  free(dat);
  snprintf(text, sizeof text, "%s%s%s", block, grows, grows);
  expect_wrong(folder, text, "AMPLITUDE=RAMP of its *STEP is not understood beside other steps");
  snprintf(text, sizeof text, "%s*STEP,AMPLITUDE=SMOOTH\n", block);
  expect_wrong(folder, text, "AMPLITUDE=SMOOTH is not understood; RAMP and STEP are");
  folder_remove(&folder);
}

static const struct Wrong {
  const char *find, *replace, *said;
} wrong[] = {
    {"*BOUNDARY,OP=NEW\n1,1,3\n", "*BOUNDARY,OP=NEW\n1,1,3\n*BOUNDARY,AMPLITUDE=A\n8,1,1,0.1\n",
     "node 5 is held in direction 1 by an AMPLITUDE in a step, and free in another"},
    {"*BOUNDARY,FIXED\n5,1,1\n", "*BOUNDARY,FIXED\n5,1,4\n", "FIXED of directions 1 to 4; 1 to 3 are"},
    {"*STEP,NLGEOM\n*STATIC,DIRECT\n.25,1\n", "*TRANSFORM,NSET=NALL,TYPE=R\n1,1,0,0,1,0\n*STEP,NLGEOM\n*STATIC\n",
     "FIXED of a reference node, or in directions of *TRANSFORM"},
    {"*STEP,NLGEOM\n*STATIC,DIRECT\n.5,1\n*BOUNDARY,OP=NEW\n", "*STEP\n*BOUNDARY,OP=NEW\n1,1,3\n*STATIC\n*BOUNDARY\n",
     "OP=NEW in front of the procedure of a step"},
    {"*STATIC,DIRECT\n.5,1\n*BOUNDARY\n6,2,2,0.02\n", "*DYNAMIC,DIRECT\n.5,1\n*BOUNDARY\n6,2,2,0.02\n",
     "held in direction 1 from a later step on, which is not understood beside *DYNAMIC"},
};

static void wrong_is_said(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = edited(cube, wrong[i].find, wrong[i].replace);
    expect_wrong(folder, text, wrong[i].said);
    free(text);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(large), cmocka_unit_test(small), cmocka_unit_test(the_same_again),
                                     cmocka_unit_test(amplitudes_of_steps), cmocka_unit_test(wrong_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
