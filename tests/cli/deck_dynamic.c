/* Decks of *DYNAMIC: two distorted boxes that are struck, in steps of the method of Hilber, Hughes and Taylor, as in CalculiX 2.20 with
 * tight *CONTROLS; with NLGEOM at finite strain, of metal, behind *STATIC, and what of it is refused. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MESH(more)                                                                                                     \
  "*NODE, NSET=ALL\n1,0,0,0\n2,1.3,0.1,0\n3,2.4,0,0.1\n4,0,0.9,0\n5,1.1,1.1,-0.1\n6,2.4,1,0\n7,0,0,1.2\n"              \
  "8,1.2,-0.1,1\n9,2.4,0.1,1.1\n10,0,1,1.1\n11,1.3,1,1.1\n12,2.4,1.1,1\n*ELEMENT, TYPE=C3D8, ELSET=E\n"                \
  "1,1,2,5,4,7,8,11,10\n2,2,3,6,5,8,9,12,11\n*NSET, NSET=FIX\n1,4,7,10\n*NSET, NSET=TIP\n3,6,9,12\n"                   \
  "*AMPLITUDE, NAME=A\n0.,0.,4e-6,1.,1e-5,-0.35\n*MATERIAL, NAME=M\n*ELASTIC\n70000.,0.33\n*DENSITY\n2.7e-9\n" more    \
  "*SOLID SECTION, ELSET=E, MATERIAL=M\n"
#define STRIKE(load)                                                                                                   \
  "*DYNAMIC, DIRECT\n5e-7,1e-5\n*BOUNDARY\nFIX,1,3\n*CLOAD, AMPLITUDE=A\n" load                                        \
  "*NODE PRINT, NSET=ALL\nU,V\n*EL PRINT, ELSET=E\nS\n*END STEP\n"
#define BLOCK(more, step, load) MESH(more) "*STEP, INC=1000" step "\n" STRIKE("TIP,3," load "\nTIP,1,40.\n")
/* Pulled at rest, in the time of a step, and then struck. */
#define PULLED(more, step, pull, load)                                                                                 \
  MESH(more)                                                                                                           \
  "*STEP, INC=1000" step "\n*STATIC, DIRECT\n5e-6,1e-5\n*BOUNDARY\nFIX,1,3\n*CLOAD\nTIP,3," pull                       \
  "\n*NODE PRINT, NSET=ALL\nU\n*END STEP\n*STEP, INC=1000" step "\n" STRIKE("TIP,1," load "\n")
#define METAL "*PLASTIC\n120.,0.\n400.,0.1\n"

/* That differ from node to node. */
#define VELOCITIES                                                                                                     \
  "*NSET, NSET=MID\n2,5\n*INITIAL CONDITIONS, "                                                                        \
  "TYPE=VELOCITY\nTIP,1,8000.\nTIP,3,-50000.\nMID,2,3000.\n8,1,2500.\n*AMPLITUDE"

/* The numbers behind `label` in the last table whose head begins with `head`. */
static void expect_line(const char *dat, const char *head, const char *label, int n, const double *wanted,
                        double share) {
  const char *at = NULL;
  double most = 0;
  for (const char *p = dat; (p = strstr(p, head)); ++p) at = p;
  at = at ? strstr(at, label) : NULL;
  expect_that(at != NULL, "no '%s' in a table '%s'", label, head);
  at += strlen(label);
  for (int k = 0; k < n; ++k) most = fmax(most, fabs(wanted[k]));
  for (int k = 0; k < n; ++k) assert_within(strtod(at, (char **)(void *)&at), wanted[k], share * most);
}

static void blocks_as_calculix_has_them(void **state) {
  (void)state;
  static const struct Case {
    const char *deck;
    double node[3], speed[3], stress[6];
    const char *begin; /* what moves at first; NULL: nothing */
  } row[] = {
      {BLOCK("", "", "150."),
       {-0.004048081, -0.01063626, 0.004792201},
       {-1365.972, 16465.83, 22911.65},
       {-9.820911, 4.244044, 9.40347, -12.67516, -35.55677, -5.931215},
       NULL},
      {BLOCK("", ", NLGEOM", "1500."),
       {0.075041, -0.0656425, -0.4592285},
       {-44971.05, -115345.4, 192351.2},
       {1629.774, 359.7768, 965.4, -39.04677, -945.3154, -135.7076},
       NULL},
      {BLOCK("", "", "150."),
       {-1.297435e-2, -1.193797e-2, 3.125566e-2},
       {-840.0982, 21398.76, 14202.04},
       {-117.9965, -17.20754, -29.72161, -27.01779, -3.325272, -1.184135},
       VELOCITIES},
      {BLOCK("", ", NLGEOM", "150."),
       {-1.307652e-2, -1.053156e-2, 2.788885e-2},
       {2264.247, 19491.41, 649.669},
       {-146.8967, -20.33012, -32.01763, -27.9415, -7.081105, -1.616193},
       VELOCITIES},
      {BLOCK(METAL, "", "150."),
       {-1.026989, -0.4260572, 6.122378},
       {-10323.6, -48546.14, 225152.1},
       {126.8899, 205.7328, 68.3005, -79.68433, 203.3502, -29.60296},
       NULL},
      {PULLED("", "", "150.", "40."),
       {-0.06781853, 0.01266933, 0.2277981},
       {-245.3522, -611.3418, -133.0583},
       {-877.0649, -169.9391, -314.1792, -57.90264, 298.9058, 66.73841},
       NULL},
      {PULLED("*DAMPING, ALPHA=0., BETA=3e-7\n", "", "150.", "40."),
       {-6.724477e-2, 1.289992e-2, 0.227707},
       {-1060.503, -26.27321, 149.5465},
       {-861.8433, -170.049, -313.9308, -57.40809, 299.6778, 66.68353},
       NULL},
      {PULLED("", ", NLGEOM", "1500.", "400."),
       {-1.134183, 0.04508967, 1.425681},
       {-68420.44, 8952.198, 37156.31},
       {-4118.523, -1837.255, -820.7083, -641.7823, -589.0684, -218.8992},
       NULL},
      {PULLED(METAL, "", "30.", "400."),
       {-0.2610695, 0.5717481, 3.722729},
       {-124345, -20770.99, 262403.4},
       {-1087.581, -718.8224, -809.3406, -44.43167, 108.1068, 52.34194},
       NULL},
  };
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    char *deck = edited(row[i].deck, "*AMPLITUDE", row[i].begin ? row[i].begin : "*AMPLITUDE");
    put_text(folder, "d.inp", deck);
    free(deck);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                        "formulation=displacement", "--set", "solver.rtol=1e-10", NULL);
    assert_code(&run, 0);
    run_release(&run);
    char *dat = get_text(folder, "out/d.dat");
    expect_line(dat, " displacements", "\n         9 ", 3, row[i].node, 1e-6);
    expect_line(dat, " velocities", "\n         9 ", 3, row[i].speed, 1e-6);
    expect_line(dat, " stresses", "\n         2   8 ", 6, row[i].stress, 1e-6);
    free(dat);
  }
  folder_remove(&folder);
}

static void wrong_is_said(void **state) {
  (void)state;
  static const struct Wrong {
    const char *deck, *find, *replace, *said;
  } wrong[] = {
      {PULLED("", "", "15.", "3."), "*AMPLITUDE", "*INITIAL CONDITIONS, TYPE=VELOCITY\nTIP,1,8.\n*AMPLITUDE",
       "*DYNAMIC behind *STATIC with initial velocities is not understood"},
      {PULLED("", "", "15.", "3."), "*STATIC, DIRECT\n5e-6,1e-5", "*DYNAMIC, ALPHA=-0.1, DIRECT\n5e-7,1e-5",
       "ALPHA=-0.05 differs from that of the step before"},
      {BLOCK("", "", "15.") "*STEP\n*STATIC\n*END STEP\n", "15.", "15.", "steps of several kinds are not understood"},
      {PULLED("", "", "15.", "3."), "*CLOAD\nTIP,3,15.", "*CLOAD\nTIP,3,15.\n*BOUNDARY\n1,1,1,0.1",
       "at once, at t = 1e-05 where the step 'step-2' begins"},
      {BLOCK("", "", "15."), "*STEP", "*INITIAL CONDITIONS, TYPE=VELOCITY\nTIP,4,1.\n*STEP", "'4' is not a direction"},
      {BLOCK("", ", NLGEOM", "15."), "*DYNAMIC, DIRECT\n5e-7,1e-5", "*FREQUENCY\n2", "*STATIC and *DYNAMIC are"},
  };
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = edited(wrong[i].deck, wrong[i].find, wrong[i].replace);
    put_text(folder, "d.inp", text);
    Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
    expect_that(run.code == 3 && strstr(run.err, wrong[i].said), "row %d: exit %d, wanted '%s', said\n%s", (int)i,
                run.code, wrong[i].said, run.err);
    run_release(&run);
    free(text);
  }
  folder_remove(&folder);
}

/* Two distorted cubes that equations hold together, up to the second step; the last displacements of CalculiX 2.20. */
#define APART                                                                                                          \
  "*NODE, "                                                                                                            \
  "NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1.1,1,0\n4,0,1,0.1\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n11,0,0,1\n12,1,0,1\n13,1,1,"  \
  "1\n"                                                                                                                \
  "14,0,1,1\n15,0.1,0,2\n16,1,0.1,2.2\n17,1,1,2\n18,0,1,2\n*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n"       \
  "2,11,12,13,14,15,16,17,18\n*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=FRONT\n11,12\n*NSET, "                             \
  "NSET=FOOT\n11,12,13,14\n*MATERIAL, "                                                                                \
  "NAME=M\n*ELASTIC\n1000.,0.3\n"                                                                                      \
  "*DENSITY\n1\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY\nLOW,1,3\n*EQUATION\n" PAIR("11", "5")               \
      PAIR("12", "6") PAIR("13", "7") PAIR("14", "8") "*AMPLITUDE,NAME=A\n0,0,.2,1,.4,1\n"
#define PAIR(a, b) "2\n" a ",1,1.," b ",1,-1.\n2\n" a ",2,1.," b ",2,-1.\n2\n" a ",3,1.," b ",3,-1.\n"
#define PUSHED(large, how, by)                                                                                         \
  "*STEP" large "\n" how "*CLOAD" by "\n16,1,20.\n17,3,30.\n*NODE PRINT,NSET=ALL\nU\n*END STEP\n*STEP" large "\n" how
#define MOVES "*DYNAMIC,DIRECT\n.02,.1\n"
#define SOME "*EQUATION,REMOVE\n11,1\nFOOT,2\n*END STEP\n"

/* A bar of 8 C3D8 that meets one at rest, without a lateral effect: they exchange their velocities, by CalculiX 2.20 up to 0.00225 of 0.1. */
static void bars_collide(void **state) {
  (void)state;
  enum { N = 8, ROOM = 12000 };
  char *folder = folder_create(), *deck = malloc(ROOM), *at = deck;
  at += sprintf(at, "*NODE, NSET=ALL\n");
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i <= N; ++i)
      for (int j = 0; j < 4; ++j)
        at +=
            sprintf(at, "%d,%.9g,%d,%d\n", 1 + 1000 * b + 4 * i + j, 10.005 * b + 10. * i / N, j == 1 || j == 2, j / 2);
  for (int b = 0; b < 2; ++b) {
    at += sprintf(at, "*ELEMENT, TYPE=C3D8, ELSET=B%d\n", b);
    for (int i = 0; i < N; ++i) {
      const int k = 1 + 1000 * b + 4 * i, l = k + 4;
      at +=
          sprintf(at, "%d,%d,%d,%d,%d,%d,%d,%d,%d\n", 1 + 1000 * b + i, k, l, l + 1, k + 1, k + 3, l + 3, l + 2, k + 2);
    }
    at += sprintf(at, "*NSET, NSET=N%d, GENERATE\n%d,%d\n", b, 1 + 1000 * b, 1000 * b + 4 * (N + 1));
  }
  sprintf(at,
          "*SURFACE, NAME=S\n%d,S4\n*SURFACE, NAME=M\n1001,S6\n*MATERIAL, NAME=M\n*ELASTIC\n1e4,0.\n*DENSITY\n1.\n"
          "*SOLID SECTION, ELSET=B0, MATERIAL=M\n*SOLID SECTION, ELSET=B1, MATERIAL=M\n*CONTACT PAIR, INTERACTION=I, "
          "TYPE=SURFACE TO SURFACE\nS,M\n*SURFACE INTERACTION, NAME=I\n*SURFACE BEHAVIOR, "
          "PRESSURE-OVERCLOSURE=HARD\n*BOUNDARY\nALL,2,3\n*INITIAL CONDITIONS, TYPE=VELOCITY\nN0,1,0.1\n*STEP, NLGEOM, "
          "INC=1000\n*DYNAMIC, ALPHA=-0.05\n0.005,0.35\n*NODE PRINT, NSET=ALL\nU,V\n*END STEP\n",
          N);
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  expect_that(run.code == 0 && strstr(run.err, "increments have the first length"), "%s", run.err);
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat"), *table = NULL;
  double mean[2] = {0};
  for (char *p = dat; (p = strstr(p, " velocities")); ++p) table = p;
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i <= N; ++i) {
      char label[16];
      sprintf(label, "\n%10d ", 1 + 1000 * b + 4 * i);
      char *line = table ? strstr(table, label) : NULL;
      expect_that(line != NULL, "no velocities in\n%s", dat);
      mean[b] += strtod(line + strlen(label), NULL) * (i % N ? 1. : 0.5) / N;
    }
  print_message("%g, %g\n", mean[0], mean[1]);
  assert_within(mean[0] + mean[1], 0.1, 1e-6);
  assert_within(mean[1], 0.09775, 1e-3);
  free(dat);
  free(deck);
  folder_remove(&folder);
}

static void equations_are_removed(void **state) {
  (void)state;
  static const struct {
    const char *deck;
    double u[2][3]; /* of nodes 5 and 11 */
    double share;   /* in motion CalculiX has another first acceleration behind the removal */
  } row[] = {{APART PUSHED("", MOVES, ",AMPLITUDE=A") "*EQUATION,REMOVE ALL\n*END STEP\n",
              {{-1.451142e-02, 4.468573e-03, -1.185744e-02}, {2.232906e-01, -5.802895e-03, -2.651044e-02}},
              1e-2},
             {APART PUSHED("", MOVES, ",AMPLITUDE=A") SOME,
              {{5.891407e-02, -7.877058e-02, -2.740447e-03}, {1.430268e-01, -7.142692e-02, -2.740447e-03}},
              1e-2},
             {APART PUSHED(",NLGEOM", MOVES, ",AMPLITUDE=A") SOME,
              {{4.968010e-02, -7.067364e-02, -5.352533e-03}, {1.624882e-01, -8.327083e-02, -5.352533e-03}},
              1e-2},
             {APART PUSHED(",NLGEOM", "*STATIC,DIRECT\n.5,1.\n", "") "*EQUATION,REMOVE\n11,1\nFRONT,2\n*END STEP\n",
              {{1.317905e-01, -6.852979e-02, 1.369593e-02}, {3.106772e-01, -1.932882e-01, 1.369593e-02}},
              1e-6}};
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    put_text(folder, "d.inp", row[i].deck);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                        "solver.rtol=1e-9", NULL);
    expect_that(run.code == 0, "row %d: exit %d\n%s", (int)i, run.code, run.err);
    run_release(&run);
    char *dat = get_text(folder, "out/d.dat");
    expect_line(dat, "displacements", "\n         5 ", 3, row[i].u[0], row[i].share);
    expect_line(dat, "displacements", "\n        11 ", 3, row[i].u[1], row[i].share);
    free(dat);
  }
  folder_remove(&folder);
}

static void wrong_removals(void **state) {
  (void)state;
  static const struct {
    const char *find, *replace, *said;
  } wrong[] = {{"11,1\nFOOT,2", "5,1", "*EQUATION: no equation has '5' and direction 1 as its first term"},
               {"11,1\nFOOT,2", "11,4", "'4' is not a direction; 1 to 3 are"},
               {"*AMPLITUDE,NAME=A", "*EQUATION,REMOVE ALL\n*AMPLITUDE,NAME=A", "REMOVE is outside a step"},
               {"*AMPLITUDE,NAME=A", "*MPC\nBEAM,15,16\n*AMPLITUDE,NAME=A", "*MPC in *DYNAMIC with NLGEOM"},
               {"*EQUATION,REMOVE\n11,1\nFOOT,2\n", "*EQUATION\n2\n15,1,1.,16,1,-1.\n",
                "an equation that begins in a motion would need an impact"}};
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = edited(APART PUSHED(",NLGEOM", MOVES, ",AMPLITUDE=A") SOME, wrong[i].find, wrong[i].replace);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_as_calculix_has_them), cmocka_unit_test(wrong_is_said),
                                     cmocka_unit_test(equations_are_removed), cmocka_unit_test(wrong_removals),
                                     cmocka_unit_test(bars_collide)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
