/* Decks of metals that flow: two distorted boxes pulled and pushed back as in CalculiX 2.20, bars by the closed form of one
 * direction, and what is refused. CalculiX' kinematic hardening without NLGEOM has the wrong sign: nothing is held against that. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK                                                                                                          \
  "*NODE, NSET=ALL\n1,0,0,0\n2,1.3,0.1,0\n3,2.4,0,0.1\n4,0,0.9,0\n5,1.1,1.1,-0.1\n6,2.4,1,0\n7,0,0,1.2\n"              \
  "8,1.2,-0.1,1\n9,2.4,0.1,1.1\n10,0,1,1.1\n11,1.3,1,1.1\n12,2.4,1.1,1\n*ELEMENT, TYPE=C3D8, ELSET=E\n"                \
  "1,1,2,5,4,7,8,11,10\n2,2,3,6,5,8,9,12,11\n*NSET, NSET=FIX\n1,4,7,10\n*NSET, NSET=TIP\n3,6,9,12\n"                   \
  "*AMPLITUDE, NAME=A\n0.,0.,0.6,1.,1.,-0.35\n*MATERIAL, NAME=M\n*ELASTIC\n70000.,0.33\n"                              \
  "*PLASTIC\n120.,0.\n150.,0.004\n190.,0.05\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*STEP, INC=1000\n"                   \
  "*STATIC, DIRECT\n0.05,1.\n*BOUNDARY\nFIX,1,3\n*BOUNDARY, AMPLITUDE=A\nTIP,1,1,0.017\nTIP,3,3,0.008\n"               \
  "*NODE PRINT, NSET=ALL\nU\n*EL PRINT, ELSET=E\nS\n*END STEP\n"

/* One box 2 x 1 x 1, pulled along x to the strain 0.0125 and pushed to -0.0075. */
#define BAR(plastic)                                                                                                   \
  "*NODE, NSET=ALL\n1,0,0,0\n2,2,0,0\n3,2,1,0\n4,0,1,0\n5,0,0,1\n6,2,0,1\n7,2,1,1\n8,0,1,1\n"                          \
  "*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n*NSET, NSET=L\n1,4,5,8\n*NSET, NSET=R\n2,3,6,7\n"                  \
  "*NSET, NSET=Y\n1,2,5,6\n*NSET, NSET=Z\n1,2,3,4\n*AMPLITUDE, NAME=A\n0.,0.,.5,1.,1.,-.6\n"                           \
  "*MATERIAL, NAME=M\n*ELASTIC\n180000.,.3\n" plastic "*SOLID SECTION, ELSET=E, MATERIAL=M\n*STEP, INC=1000\n"         \
  "*STATIC, DIRECT\n.05,1.\n*BOUNDARY\nL,1\nY,2\nZ,3\n*BOUNDARY, AMPLITUDE=A\nR,1,1,.025\n"                            \
  "*EL PRINT, ELSET=E\nS\n*END STEP\n"

/* A cube of second order. */
#define ONE_C3D20                                                                                                      \
  "*NODE, NSET=ALL\n"                                                                                                  \
  "1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9,0.5,0,0\n10,1,0.5,0\n11,0.5,1,0\n12,0,0." \
  "5,0\n13,0.5,0,1\n14,1,0.5,1\n15,0.5,1,1\n16,0,0.5,1\n17,0,0,0.5\n18,1,0,0.5\n19,1,1,0.5\n20,0,1,0.5\n"              \
  "*ELEMENT, TYPE=C3D20, ELSET=E\n1,1,2,3,4,5,6,7,8,9,10,\n11,12,13,14,15,16,17,18,19,20\n"                            \
  "*NSET, NSET=L\n1,4,5,8,12,16,17,20\n*MATERIAL, NAME=M\n*ELASTIC\n180000.,.3\n*PLASTIC\n200.,0.\n300.,.1\n"          \
  "*SOLID SECTION, ELSET=E, MATERIAL=M\n*STEP, INC=1000\n*STATIC, DIRECT\n.1,1.\n*BOUNDARY\nL,1,3\n2,1,1,.01\n"        \
  "*NODE PRINT, NSET=ALL\nU\n*END STEP\n"

static char *run_deck(const char *folder, const char *deck, const char *formulation) {
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                      formulation, NULL);
  assert_code(&run, 0);
  run_release(&run);
  return get_text(folder, "out/d.dat");
}

/* The numbers behind the last line of `dat` that begins with `label`. */
static void expect_line(const char *dat, const char *label, int n, const double *wanted, double rtol) {
  const char *at = NULL;
  double most = 0;
  for (const char *p = dat; (p = strstr(p, label)); ++p) at = p;
  expect_that(at != NULL, "no '%s' in\n%s", label, dat);
  at += strlen(label);
  for (int k = 0; k < n; ++k) most = fmax(most, fabs(wanted[k]));
  for (int k = 0; k < n; ++k) assert_within(strtod(at, (char **)(void *)&at), wanted[k], rtol * most);
}

static void block_as_calculix_has_it(void **state) {
  (void)state;
  char *folder = folder_create(), *dat = run_deck(folder, BLOCK, "formulation=displacement");
  expect_line(dat, "\n         5 ", 3, (const double[]){-3.874939e-3, 1.377772e-3, -1.948709e-3}, 1e-6);
  expect_line(dat, "\n         9 ", 3, (const double[]){-5.95e-3, -3.956936e-4, -2.8e-3}, 1e-6);
  expect_line(dat, "\n         1   1 ", 6,
              (const double[]){-230.4391, -91.11344, -89.70022, -6.386015, -32.60132, -1.22021}, 1e-6);
  expect_line(dat, "\n         2   8 ", 6,
              (const double[]){-172.9673, 8.059653, -65.92907, 7.085422, -20.52695, 4.731886}, 1e-6);
  free(dat);
  folder_remove(&folder);
}

/* Kinematic and combined hardening at large strains: CalculiX' law is another one (Simo 1988), and differs by about the strain. */
static void block_of_backstress_as_calculix_has_it(void **state) {
  (void)state;
  static const char *const tables[] = {
      "*PLASTIC, HARDENING=KINEMATIC\n120.,0.\n620.,0.5",
      "*PLASTIC, HARDENING=COMBINED\n120.,0.\n620.,0.5\n*CYCLIC HARDENING\n120.,0.\n130.,0.01\n160.,0.2"};
  static const double moved[2][3] = {{-3.564830E-03, 1.457694E-03, -1.860800E-03},
                                     {-3.678663E-03, 1.459026E-03, -1.904683E-03}},
                      stress[2][6] = {
                          {-1.230648E+02, 1.291807E+01, -4.423822E+01, 5.092538E+00, -1.595058E+01, 2.875637E+00},
                          {-1.373698E+02, 1.115540E+01, -5.084508E+01, 5.621927E+00, -1.711493E+01, 3.426420E+00}};
  char *folder = folder_create();
  for (int k = 0; k < 2; ++k) {
    char *flows = edited(BLOCK, "*PLASTIC\n120.,0.\n150.,0.004\n190.,0.05", tables[k]),
         *large = edited(flows, "*STEP", "*STEP, NLGEOM"), *dat = run_deck(folder, large, "formulation=displacement");
    expect_line(dat, "\n         5 ", 3, moved[k], 1.2e-3);
    expect_line(dat, "\n         2   8 ", 6, stress[k], 4e-3);
    free(flows), free(large), free(dat);
  }
  folder_remove(&folder);
}

/* All of the law over the temperature, which follows an amplitude; then the table of *EXPANSION from another zero, over two steps,
 * and with temperatures of single nodes. */
static void block_heated_as_calculix_has_it(void **state) {
  (void)state;
  static const char *const tables =
      "*PLASTIC\n120.,0.,20.\n150.,0.004,20.\n190.,0.05,20.\n90.,0.,200.\n130.,0.01,200.\n"
      "140.,0.05,200.\n60.,0.,400.\n70.,0.1,400.\n*EXPANSION";
  static const char *const second = "S\n*END STEP\n*STEP, INC=1000\n*STATIC, DIRECT\n0.1,1.\n*BOUNDARY\nTIP,1,1,0.01\n"
                                    "*TEMPERATURE\nALL,100.\n*END STEP\n";
  char *folder = folder_create(), *warm = edited(BLOCK, "70000.,0.33\n", "70000.,0.33,20.\n50000.,.35,400.\n"),
       *flows = edited(warm, "*PLASTIC\n120.,0.\n150.,0.004\n190.,0.05\n", tables),
       *begins = edited(flows, "*STEP", "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL,20.\n*STEP"),
       *by = edited(begins, "*MATERIAL", "*AMPLITUDE, NAME=B\n0.,20.,0.5,300.,1.,180.\n*MATERIAL"),
       *once = edited(by, "*EXPANSION", "*EXPANSION, ZERO=20.\n2e-5,20.\n3e-5,400.\n"),
       *one = edited(once, "*NODE PRINT", "*TEMPERATURE, AMPLITUDE=B\nALL,1.\n*NODE PRINT"),
       *from = edited(begins, "*EXPANSION", "*EXPANSION\n2e-5,20.\n3e-5,200.\n3.1e-5,400.\n"),
       *first = edited(from, "*NODE PRINT", "*TEMPERATURE\nALL,300.\n*NODE PRINT"),
       *two = edited(first, "S\n*END STEP\n", second), *dat = run_deck(folder, one, "formulation=displacement");
  expect_line(dat, "\n         5 ", 3, (const double[]){2.182108E-03, -1.401445E-03, -1.080354E-02}, 1e-6);
  expect_line(dat, "\n         1   1 ", 6,
              (const double[]){-485.0230, -359.5719, -357.9983, -7.711969, -17.25378, -0.04014701}, 2e-6);
  free(dat);
  dat = run_deck(folder, two, "formulation=displacement");
  expect_line(dat, "\n         5 ", 3, (const double[]){8.848412E-03, -6.433161E-03, -2.698882E-03}, 1e-5);
  expect_line(dat, "\n         2   8 ", 6,
              (const double[]){217.1048, 25.66493, 138.8888, -9.001032, 4.920155, -3.669446}, 1e-5);
  free(dat);
  char *some = edited(two, "ALL,300.\n", "ALL,300.\n1,150.\nTIP,340.\n"),
       *nodes = edited(some, "ALL,100.\n", "ALL,100.\n5,220.\n");
  dat = run_deck(folder, nodes, "formulation=displacement");
  expect_line(dat, "\n         5 ", 3, (const double[]){9.256276E-03, -6.372951E-03, -3.549855E-03}, 1e-5);
  expect_line(dat, "\n         2   8 ", 6,
              (const double[]){210.3659, 25.19387, 139.0021, -9.46785, 5.770407, -3.516987}, 1e-5);
  free(dat);
  char *const all[] = {warm, flows, begins, by, once, one, from, first, two, some, nodes};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
  folder_remove(&folder);
}

/* Straight curves: sigma = alpha -+ sy, with alpha = C ep of Prager and sy = s0 + H p, over one reversal. At large strains these are logarithms, and
 * what works on them is J sigma, J = exp((1 - 2 nu) J sigma / E). */
static double bar_stress(double s0, double H, double C, bool large) {
  static const double E = 180000, nu = 0.3;
  const double up = large ? log1p(0.0125) : 0.0125, down = large ? log1p(-0.0075) : -0.0075;
  double stress[2] = {0};
  for (int again = 0; again < (large ? 40 : 1); ++again) {
    const double J[2] = {exp((1 - 2 * nu) * stress[0] / E), exp((1 - 2 * nu) * stress[1] / E)};
    stress[0] = J[0] * (s0 + (H + C) * up) / (1 + J[0] * (H + C) / E);
    const double p = up - stress[0] / E;
    /* down: sigma = C ep - (s0 + H (p + (p - ep))), ep = down - J sigma / E */
    stress[1] = J[1] * (C * down - s0 - 2 * H * p + H * down) / (1 + J[1] * (C + H) / E);
  }
  return large ? stress[1] / exp((1 - 2 * nu) * stress[1] / E) : stress[1];
}

static void bars_by_their_closed_form(void **state) {
  (void)state;
  static const struct Bar {
    const char *deck;
    double s0, H, C;
  } row[] = {
      {BAR("*PLASTIC\n210.,0.\n390.,0.06\n"), 210, 3000, 0},
      {BAR("*PLASTIC\n210.,0.,20.\n390.,0.06,20.\n"), 210, 3000, 0},
      {BAR("*PLASTIC, HARDENING=KINEMATIC\n210.,0.\n390.,0.06\n"), 210, 0, 3000},
      {BAR("*PLASTIC, HARDENING=COMBINED\n210.,0.\n390.,0.06\n*CYCLIC HARDENING\n210.,0.\n250.,0.05\n"), 210, 800,
       3000},
      {BAR("*PLASTIC, HARDENING=COMBINED, DATA TYPE=PARAMETERS, NUMBER BACKSTRESSES=2\n210.,2000.,0.,1000.,0.\n"), 210,
       0, 3000},
  };
  char *folder = folder_create();
  for (size_t i = 0; i < 2 * sizeof row / sizeof *row; ++i) {
    const struct Bar *bar = &row[i / 2];
    char *large = edited(bar->deck, "*STEP", "*STEP, NLGEOM"),
         *dat = run_deck(folder, i % 2 ? large : bar->deck, "solver.rtol=1e-9");
    expect_line(dat, "\n         1   4 ", 1, (const double[]){bar_stress(bar->s0, bar->H, bar->C, i % 2)}, 1e-6);
    free(large);
    free(dat);
  }
  folder_remove(&folder);
}

static void parameters_of_abaqus(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "d.inp",
           BAR("*PLASTIC, HARDENING=COMBINED, DATA TYPE=PARAMETERS\n210.,60000.,400.\n"
               "*CYCLIC HARDENING, PARAMETERS\n205.,45.,7.\n"));
  Run run = run_sinew(folder, "convert", "d.inp", "c.yaml", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *text = get_text(folder, "c.yaml");
  expect_that(strstr(text, "yield: [[0, 205]], saturation: {to: 250, rate: 7}, backstress: [[60000, 400]]") != NULL,
              "%s", text);
  expect_that(strstr(text, "plastic-strain") != NULL, "no plastic strain in\n%s", text);
  free(text);
  folder_remove(&folder);
}

/* Kinematic hardening over the temperature, of both kinds, becomes tables of `backstress`. */
static void backstresses_over_the_temperature(void **state) {
  (void)state;
  static const struct {
    const char *deck, *said;
  } row[] = {
      {BAR("*PLASTIC, HARDENING=KINEMATIC\n210.,0.,20.\n390.,0.06,20.\n150.,0.,220.\n210.,0.06,220.\n"),
       "yield: [{temperature: 20, table: [[0, 210]]}, {temperature: 220, table: [[0, 150]]}], backstress: "
       "[{temperature: 20, table: [[3000, 0]]}, {temperature: 220, table: [[1000, 0]]}]"},
      {BAR("*PLASTIC, HARDENING=COMBINED, DATA TYPE=PARAMETERS, NUMBER BACKSTRESSES=2\n210.,2000.,10.,1000.,0.,20.\n"
           "150.,1000.,5.,500.,0.,220.\n"),
       "backstress: [{temperature: 20, table: [[2000, 10], [1000, 0]]}, {temperature: 220, table: [[1000, 5], [500, "
       "0]]}]"},
      {BAR("*PLASTIC, HARDENING=KINEMATIC\n210.,0.,20.\n150.,0.,220.\n"),
       "yield: [{temperature: 20, table: [[0, 210]]}, {temperature: 220, table: [[0, 150]]}], expansion"},
  };
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    char *begins = edited(row[i].deck, "*STEP", "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL,20.\n*STEP"),
         *swells = edited(begins, "*SOLID", "*EXPANSION\n1e-5\n*SOLID"),
         *heated = edited(swells, "*EL PRINT", "*TEMPERATURE\nALL,120.\n*EL PRINT");
    put_text(folder, "d.inp", heated);
    Run run = run_sinew(folder, "convert", "d.inp", "c.yaml", "--overwrite", NULL);
    assert_code(&run, 0);
    run_release(&run);
    char *text = get_text(folder, "c.yaml");
    expect_that(strstr(text, row[i].said) != NULL, "row %d:\n%s", (int)i, text);
    free(text), free(begins), free(swells), free(heated);
  }
  folder_remove(&folder);
}

static const struct Wrong {
  const char *find, *replace, *said;
} wrong[] = {
    {"*PLASTIC\n", "*PLASTIC, HARDENING=USER\n", "*PLASTIC: HARDENING=USER is not understood"},
    {"*PLASTIC\n", "*PLASTIC, HARDENING=KINEMATIC\n", "kinematic hardening by 3 rows is not understood"},
    {"*PLASTIC\n", "*PLASTIC, DATA TYPE=PARAMETERS\n",
     "DATA TYPE=PARAMETERS is not understood with HARDENING=ISOTROPIC"},
    {"150.,0.004", "150.,0.004,-30.", "the temperature -30 follows 0; temperatures must rise"},
    {"120.,0.\n150.,0.004\n190.,0.05", "120.,0.,20.\n150.,0.004,20.\n90.,0.02,60.", "table 2 of yield"},
    {"*PLASTIC\n120.,0.\n150.,0.004\n190.,0.05",
     "*PLASTIC, HARDENING=KINEMATIC\n120.,0.,20.\n150.,0.004,20.\n90.,0.,60.", "hardens at 1 of 2 temperatures"},
    {"*PLASTIC\n120.,0.\n150.,0.004\n190.,0.05", "*PLASTIC\n120.,0.,20.\n150.,0.004,20.\n90.,0.,60.\n*DENSITY\n1.",
     "a temperature that differs from node to node"},
    {"120.,0.\n150.,0.004\n190.,0.05", "0.,0.\n0.,10.", "a yield stress of 0 is understood beside *CREEP"},
    {"120.,0.\n", "120.,0.001\n", "the curve begins at plastic strain 0"},
    {"190.,0.05", "140.,0.05", "softening"},
    {"*PLASTIC\n120.,0.\n", "*CYCLIC HARDENING\n120.,0.\n", "does not follow a *PLASTIC with HARDENING=COMBINED"},
    {"70000.,0.33", "70000.,70000.,70000.,.3,.3,.3,26000.,26000.\n26000.",
     "*PLASTIC is understood of an isotropic *ELASTIC"},
    {"*STATIC, DIRECT\n0.05,1.", "*FREQUENCY\n2", "*PLASTIC is understood in a step of *STATIC"},
    {"*NODE PRINT", "*DLOAD\nE,CENTRIF,1e3,0,0,0,1,0,0\n*NODE PRINT", "CENTRIF beside *PLASTIC is not understood"},
    {"*STEP",
     "*SURFACE, NAME=LID\n2,S4\n*COUPLING, REF NODE=1, SURFACE=LID, CONSTRAINT NAME=C\n*DISTRIBUTING\n1,3\n*STEP",
     "a reference node that spreads loads or has a mean rotation beside *PLASTIC is not understood"},
    {"*PLASTIC\n120.,0.\n150.,0.004\n190.,0.05",
     "*PLASTIC, HARDENING=COMBINED\n120.,0.\n150.,0.004\n*CYCLIC HARDENING, PARAMETERS\n120.,45.,7.\n90.,40.,7.",
     "PARAMETERS at several temperatures are not understood"},
    {"*PLASTIC\n120.,0.\n150.,0.004\n190.,0.05",
     "*PLASTIC, HARDENING=COMBINED, DATA TYPE=PARAMETERS\n120.,1e3,0.,20.\n90.,1e3,0.,20.",
     "the temperature 20 follows 20; temperatures must rise"},
};

static void wrong_is_said(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = edited(BLOCK, wrong[i].find, wrong[i].replace);
    if (strstr(wrong[i].replace, "70000.,70000.")) {
      char *typed = edited(text, "*ELASTIC\n", "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n");
      free(text);
      text = typed;
    }
    if (strstr(wrong[i].said, "node to node")) {
      char *uneven = edited(text, "*NODE PRINT", "*TEMPERATURE\n1,70.\n*NODE PRINT");
      free(text);
      text = uneven;
    }
    put_text(folder, "d.inp", text);
    Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
    expect_that(run.code == 3 && strstr(run.err, wrong[i].said), "row %d: exit %d, wanted '%s', said\n%s", (int)i,
                run.code, wrong[i].said, run.err);
    run_release(&run);
    free(text);
  }
  put_text(folder, "d.inp", BLOCK);
  Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
  assert_code(&run, 0);
  assert_said(&run, "*PLASTIC: C3D8 keep the volume in the mean here");
  run_release(&run);
  for (int reduced = 0; reduced < 2; ++reduced) { /* the rule of C3D20R is reduced as it is */
    char *text = edited(ONE_C3D20, "TYPE=C3D20,", reduced ? "TYPE=C3D20R," : "TYPE=C3D20,");
    put_text(folder, "d.inp", text);
    run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
    assert_code(&run, 0);
    assert_true((strstr(run.err, "keep the volume in the mean here") == NULL) == (reduced != 0));
    run_release(&run);
    free(text);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(block_as_calculix_has_it),
                                     cmocka_unit_test(block_heated_as_calculix_has_it),
                                     cmocka_unit_test(block_of_backstress_as_calculix_has_it),
                                     cmocka_unit_test(bars_by_their_closed_form),
                                     cmocka_unit_test(parameters_of_abaqus),
                                     cmocka_unit_test(backstresses_over_the_temperature),
                                     cmocka_unit_test(wrong_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
