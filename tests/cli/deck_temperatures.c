/* Temperatures of decks: each step has its own, boxes of first order one each, the mean of their nodes, with what a material is at
 * it. The numbers are those of CalculiX 2.20 on the same decks. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of three cubes. */
#define ROW(elastic, expansion)                                                                                        \
  "*NODE, NSET=ALL\n1,0,0,0\n2,0,0,1\n3,0,1,0\n4,0,1,1\n5,1,0,0\n6,1,0,1\n7,1,1,0\n8,1,1,1\n"                          \
  "9,2,0,0\n10,2,0,1\n11,2,1,0\n12,2,1,1\n13,3,0,0\n14,3,0,1\n15,3,1,0\n16,3,1,1\n"                                    \
  "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,5,7,3,2,6,8,4\n2,5,9,11,7,6,10,12,8\n3,9,13,15,11,10,14,16,12\n"               \
  "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=TOP\n13,14,15,16\n*MATERIAL, NAME=STEEL\n*ELASTIC\n" elastic                  \
  "*DENSITY\n1.\n*EXPANSION\n" expansion "*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*BOUNDARY\nLOW,1,3\n"            \
  "*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,5.\n"
#define PRINT "*NODE PRINT,NSET=TOP\nU\n*END STEP\n"

/* The line of node 13 in table k. */
static void check_line(const char *dat, int k, const double expected[3]) {
  const char *at = dat;
  double u[3];
  for (int i = 0; i <= k; ++i) at = strstr(at + 1, "displacements");
  assert_non_null(at);
  assert_int_equal(sscanf(strstr(at, "\n        13 "), "%*d %lf %lf %lf", &u[0], &u[1], &u[2]), 3);
  for (int c = 0; c < 3; ++c)
    expect_that(fabs(u[c] - expected[c]) < 2e-6 * fabs(expected[1]), "table %d, %c: %.7g, not %.7g", k, "xyz"[c], u[c],
                expected[c]);
}

static char *tables_of(const char *folder, const char *deck) {
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                      "solver.rtol=1e-10", NULL);
  assert_code(&run, 0);
  run_release(&run);
  return get_text(folder, "out/d.dat");
}

static void of_steps(void **state) {
  (void)state;
  static const double expected[4][3] = {{1.007785e-1, 8.053582e-2, -9.721531e-3},
                                        {9.059951e-2, 1.068335e-1, -1.007411e-2},
                                        {9.325887e-2, 7.418847e-2, -2.650460e-2},
                                        {5.716782e-3, 9.035009e-2, -1.034298e-2}};
  char *folder = folder_create();
  char *dat = tables_of(
      folder, ROW("1000.,0.25\n",
                  "1e-3\n") "*STEP\n*STATIC\n*TEMPERATURE\nALL,25.\n*DLOAD\n"
                            "BODY,CENTRIF,2.,0,0,0,0,0,1\n" PRINT "*STEP\n*STATIC\n*DLOAD,OP=NEW\n3,P3,2.\n" PRINT
                            "*STEP\n*STATIC\n*DLOAD,OP=NEW\n*CLOAD\n13,2,1.\n*TEMPERATURE\nTOP,45.\n" PRINT
                            "*STEP\n*STATIC\n*TEMPERATURE,OP=NEW\nLOW,-15.\n" PRINT);
  for (int k = 0; k < 4; ++k) check_line(dat, k, expected[k]);
  free(dat);
  folder_remove(&folder);
}

static void of_materials(void **state) {
  (void)state;
  char *folder = folder_create();
  char *dat = tables_of(
      folder,
      ROW("1000.,0.25,0.\n700.,0.3,40.\n",
          "1e-3,0.\n2e-3,60.\n") "*STEP\n*STATIC\n*DLOAD\n3,P3,2.\n*TEMPERATURE\nLOW,10.\n5,20\n6,23.\n7,30.\n8,31\n"
                                 "9,32\n10,40.\nTOP,45.\n" PRINT);
  check_line(dat, 0, (double[]){1.252674e-1, 1.119551e-1, -2.398779e-2});
  free(dat);
  folder_remove(&folder);
}

/* A cube of eight nodes, and a wedge or a hexahedron of second order apart from it, both free, in a temperature that is linear across:
 * without stress. Plain cubes have it all the same, and a warning; others have neither. */
static void beside(void **state) {
  (void)state;
  static const struct {
    const char *cube, *other, *expansion, *top;
    bool told;
  } row[] = {{"C3D8", "C3D6", "*EXPANSION\n2e-5\n", "90.", true},
             {"C3D8I", "C3D6", "*EXPANSION\n2e-5\n", "90.", false},
             {"C3D8", "C3D6", "", "90.", false},
             {"C3D8", "C3D6", "*EXPANSION\n2e-5\n", "15.", false},
             {"C3D8", "C3D8", "*EXPANSION\n2e-5\n", "90.", false},
             {"C3D8", "C3D10", "*EXPANSION\n2e-5\n", "90.", true}};
  char *folder = folder_create(), deck[4096];
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const char *nodes = strcmp(row[k].other, "C3D6") == 0   ? "2,9,10,11,13,14,15"
                        : strcmp(row[k].other, "C3D8") == 0 ? "2,9,10,12,11,13,14,16,15"
                                                            : "2,9,10,11,13,17,18,19,20,21,22";
    snprintf(
        deck, sizeof deck,
        "*NODE, NSET=ALL\n1,0,0,0\n2,2,0,0\n3,2,1.5,0\n4,0,1.5,0\n5,0,0,1\n6,2,0,1\n7,2,1.5,1\n8,0,1.5,1\n"
        "9,4,0,0\n10,6,0,0\n11,4,1.5,0\n12,6,1.5,0\n13,4,0,1\n14,6,0,1\n15,4,1.5,1\n16,6,1.5,1\n"
        "17,5,0,0\n18,5,.75,0\n19,4,.75,0\n20,4,0,.5\n21,5,0,.5\n22,4,.75,.5\n"
        "*ELEMENT, TYPE=%s, ELSET=CUBE\n1,1,2,3,4,5,6,7,8\n*ELEMENT, TYPE=%s, ELSET=OTHER\n%s\n"
        "*NSET, NSET=TOP\n3,4,7,8,11,12,15,16\n*NSET, NSET=MIDDLE\n18,19,22\n*MATERIAL, NAME=M\n*ELASTIC\n7e4,0.31\n%s"
        "*SOLID SECTION, ELSET=CUBE, MATERIAL=M\n*SOLID SECTION, ELSET=OTHER, MATERIAL=M\n"
        "*BOUNDARY\n1,1,3\n2,2,3\n5,2\n9,1,3\n10,2,3\n13,2\n*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,15.\n"
        "*STEP\n*STATIC\n*TEMPERATURE\nALL,15.\nMIDDLE,%s\nTOP,%s\n*EL PRINT, ELSET=CUBE\nS\n*END STEP\n",
        row[k].cube, row[k].other, nodes, row[k].expansion, strcmp(row[k].top, "15.") == 0 ? "15." : "52.5",
        row[k].top);
    put_text(folder, "d.inp", deck);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
    assert_code(&run, 0);
    if (!strstr(run.err, "C3D8I in place of C3D8") == row[k].told) fail_msg("%zu: %s", k, run.err);
    char *dat = get_text(folder, "out/d.dat");
    double most = 0, s[6];
    for (const char *at = strstr(dat, "stresses"); at; at = strchr(at + 1, '\n'))
      if (sscanf(at, "%*d %*d %lf %lf %lf %lf %lf %lf", &s[0], &s[1], &s[2], &s[3], &s[4], &s[5]) == 6)
        for (int i = 0; i < 6; ++i) most = fmax(most, fabs(s[i]));
    const double whole = 7e4 * 2e-5 * 75;
    print_message("%s beside %s: %.3g of E alpha dT\n", row[k].cube, row[k].other, most / whole);
    expect_that((most > 0.1 * whole) == row[k].told && (row[k].told || most < 1e-5 * whole), "%zu: stress %g of %g", k,
                most, whole);
    free(dat);
    run_release(&run);
  }
  folder_remove(&folder);
}

/* Of *DYNAMIC: along an amplitude, at once, and behind *STATIC, at finite strain with the thermal strain of another program. */
static void in_motion(void **state) {
  (void)state;
#define WARM ROW("1000.,0.3\n", "1e-4\n")
  static const struct {
    const char *deck;
    double u[3], tolerance;
  } of[] = {
      {WARM "*AMPLITUDE,NAME=A\n0.,0.05,0.5,1.,1.,0.3\n*STEP,INC=1000\n*DYNAMIC,DIRECT\n0.02,1.\n*TEMPERATURE,"
            "AMPLITUDE=A\nALL,100.\n*CLOAD,AMPLITUDE=A\nTOP,3,0.8\n" PRINT,
       {8.583086e-02, -4.757706e-04, 3.221214e-01},
       3e-7},
      {WARM "*STEP,INC=1000\n*DYNAMIC,DIRECT,ALPHA=0.\n0.02,0.5\n*TEMPERATURE\nALL,100.\n" PRINT,
       {4.502343e-02, -3.080454e-03, -3.080454e-03},
       1e-8},
      {WARM "*STEP,INC=1000,NLGEOM\n*STATIC,DIRECT\n1.,1.\n*TEMPERATURE\nALL,50.\n*CLOAD\nTOP,3,0.4\n*NODE PRINT,"
            "NSET=TOP\nU\n*EL FILE\nENER\n*END STEP\n*STEP,INC=1000,NLGEOM\n*DYNAMIC,DIRECT,ALPHA=0.\n0.01,0.25\n"
            "*TEMPERATURE\nALL,80.\n*END STEP\n",
       {5.299698e-02, -3.356365e-03, 1.140400e-01},
       3e-5},
  };
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
    char *dat = tables_of(folder, of[i].deck), *at = dat;
    double u[3];
    for (char *next = at; (next = strstr(next + 1, "displacements"));) at = next;
    assert_int_equal(sscanf(strstr(at, "\n        13 "), "%*d %lf %lf %lf", &u[0], &u[1], &u[2]), 3);
    for (int c = 0; c < 3; ++c) assert_within(u[c], of[i].u[c], of[i].tolerance);
    free(dat);
  }
  folder_remove(&folder);
}

static void run_and_convert(const char *folder, const char *deck, const char *file) {
  put_text(folder, "heat.inp", deck);
  Run run = run_sinew(folder, "run", "heat.inp", "--backend", "cpu", "--overwrite", "--output", "heat", NULL);
  assert_code(&run, 0);
  run_release(&run);
  run = run_sinew(folder, "convert", "heat", file, NULL);
  assert_code(&run, 0);
  run_release(&run);
}

/* What a deck of heat has left in a .frd, which is of one step here; with the second step of CalculiX behind it. */
static void of_heat(void **state) {
  (void)state;
#define HEAT ROW("1000.,0.25\n", "1e-3\n") "*STEP\n*STATIC\n*TEMPERATURE,"
  static const struct {
    const char *card, *said;
  } wrong[] = {
      {"FILE=heat.frd,BSTEP=3\n", "'heat.frd' has no temperatures of step 3; it has those of steps up to 2"},
      {"FILE=heat.frd,BSTEP=0\n", "BSTEP=0 is not understood; a number of a step is"},
      {"FILE=heat.frd\nALL,5.\n", "lines beside FILE are not understood"},
      {"FILE=none.frd\n", "*TEMPERATURE: FILE: none.frd: cannot open the file of temperatures"},
      {"FILE=d.inp\n", "'d.inp' has no temperatures: *NODE FILE with NT"},
      {"FILE=binary.frd\n", "'binary.frd' is binary, which is not understood; text is"},
      {"FILE=broken.frd\n", "'broken.frd' has a line of temperatures without a number: ' -1         1'"},
      {"FILE=other.frd\n", "'other.frd' has the temperature of no node of this deck"},
  };
  char *folder = folder_create(), *frd, text[4096];
  run_and_convert(
      folder,
      ROW("1000.,0.25\n*CONDUCTIVITY\n2.\n*SPECIFIC HEAT\n1.\n",
          "1e-3\n") "*STEP\n*HEAT TRANSFER, STEADY STATE\n*BOUNDARY\nLOW,11,11,5.\nTOP,11,11,65.\n*END STEP\n",
      "heat.frd");
  char *dat = tables_of(folder, HEAT "FILE=heat.frd\n" PRINT);
  check_line(dat, 0, (double[]){9.168350e-02, -2.646465e-02, -2.646465e-02});
  free(dat);
  frd = get_text(folder, "heat.frd");
  snprintf(text, sizeof text, "%.*s", (int)(strstr(frd, "\n 9999") - frd), frd);
  free(frd);
  char *at = text + strlen(text);
  at += sprintf(at, "\n    1PSTEP%26d%12d%12d          \n  100CL  102%12.5E%12d%20s%2d%5d%10s%2d\n", 2, 1, 2, 1., 16,
                "", 0, 2, "", 0);
  at += sprintf(at, " -4  NDTEMP      1    1\n -5  T           1    1    0    0\n"); /* in the short form */
  static const double warm[16] = {5,       5,       5,       5,       37.8052, 41.2857, 41.2857, 39.6234,
                                  91.8052, 67.2857, 67.2857, 73.6234, 95,      95,      95,      95};
  for (int i = 0; i < 16; ++i) at += sprintf(at, " -1%5d%12.5E\n", i + 1, warm[i]);
  sprintf(at, " -3\n 9999\n");
  put_text(folder, "heat.frd", text);
  put_text(folder, "binary.frd", "    2C                            16                                     3\n");
  put_text(folder, "broken.frd", "    1PSTEP 1 1 1\n -4  NDTEMP      1    1\n -1         1\n");
  put_text(folder, "other.frd", "    1PSTEP 1 1 1\n -4  NDTEMP      1    1\n -1        99 1.00000E+00\n -3\n");
  dat = tables_of(folder, HEAT "FILE=heat.frd,BSTEP=2\n" PRINT "*STEP\n*STATIC\n*TEMPERATURE,FILE=heat.frd\n" PRINT);
  check_line(dat, 0, (double[]){1.528956e-01, -4.191919e-02, -4.191919e-02});
  check_line(dat, 1, (double[]){9.168350e-02, -2.646465e-02, -2.646465e-02});
  free(dat);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    snprintf(text, sizeof text, "%s%s%s", HEAT, wrong[k].card, PRINT);
    put_text(folder, "d.inp", text);
    Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
    expect_that(run.code == 3 && strstr(run.err, wrong[k].said), "%zu: exit %d, wanted '%s', said\n%s", k, run.code,
                wrong[k].said, run.err);
    run_release(&run);
  }
  put_text(folder, "other.frd", "    1PSTEP 1 1 1\n -4  NDTEMP      1    1\n -1        13 6.00000E+00\n -3\n");
  put_text(folder, "d.inp", HEAT "FILE=other.frd\n" PRINT);
  Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
  assert_code(&run, 0);
  assert_said(&run, "'other.frd' has no temperature of 15 nodes, the first is 1: they keep theirs");
  run_release(&run);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_steps), cmocka_unit_test(of_materials),
                                     cmocka_unit_test(beside), cmocka_unit_test(in_motion), cmocka_unit_test(of_heat)};
  return cmocka_run_group_tests_name("cli/deck_temperatures", tests, NULL, NULL);
}
