/* Decks with steps behind *FREQUENCY: vibrations and motion by its modes. The numbers are those of CalculiX 2.20. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of three cubes; its step from line 42 on. */
static const char *const HEAD =
    "*NODE, NSET=ALL\n1,0,0,0\n2,0,0,1\n3,0,1,0\n4,0,1,1\n5,1,0,0\n6,1,0,1\n7,1,1,0\n8,1,1,1\n"
    "9,2,0,0\n10,2,0,1\n11,2,1,0\n12,2,1,1\n13,3,0,0\n14,3,0,1\n15,3,1,0\n16,3,1,1\n"
    "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,5,7,3,2,6,8,4\n2,5,9,11,7,6,10,12,8\n3,9,13,15,11,10,14,16,12\n"
    "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=TOP\n13,14,15,16\n*MATERIAL, "
    "NAME=STEEL\n*ELASTIC\n1000.,0.25\n*DENSITY\n1.\n"
    "*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*BOUNDARY\nLOW,1,3\n*AMPLITUDE,NAME=A\n0,0,0.2,1,1,0.5\n"
    "*STEP\n*FREQUENCY,STORAGE=YES\n6\n*END STEP\n*STEP\n";
static const char *const LOADS = "TOP,2,1.\n13,3,2.\n*NODE PRINT,NSET=TOP\nU,V\n*END STEP\n";

static Run run_step(const char *folder, const char *step) {
  char deck[4096];
  snprintf(deck, sizeof deck, "%s%s", HEAD, step);
  put_text(folder, "d.inp", deck);
  return run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
}

/* The line of node 13 in the last table below `head`. */
static void last_line(const char *folder, const char *head, double value[3]) {
  char *dat = get_text(folder, "out/d.dat"), *at = NULL;
  for (char *p = dat; (p = strstr(p, head)); ++p) at = p;
  expect_that(at != NULL, "no '%s' in\n%s", head, dat);
  at = strstr(at, "\n        13 ");
  assert_non_null(at);
  assert_int_equal(sscanf(at, "%*d %lf %lf %lf", &value[0], &value[1], &value[2]), 3);
  free(dat);
}

static void check_line(const char *folder, const char *head, double rtol, const double expected[3]) {
  double value[3];
  last_line(folder, head, value);
  for (int k = 0; k < 3; ++k)
    expect_that(fabs(value[k] - expected[k]) < rtol * fabs(expected[k]), "%s: %.9g, not %.9g", head, value[k],
                expected[k]);
}

/* Light and more than critical damping, a load along a line with a kink. */
static void moves(void **state) {
  (void)state;
  char *folder = folder_create(), step[1000];
  snprintf(step, sizeof step, "*MODAL DYNAMIC\n0.05,0.3\n*MODAL DAMPING\n1,2,0.02\n3,6,1.5\n*CLOAD,AMPLITUDE=A\n%s",
           LOADS);
  Run run = run_step(folder, step);
  assert_code(&run, 0);
  run_release(&run);
  check_line(folder, "displacements (vx,vy,vz) for set TOP and time  0.3000000E+00", 2e-6,
             (double[]){3.867071e-02, 9.421313e-02, 6.014662e-02});
  check_line(folder, "velocities (vx,vy,vz) for set TOP and time  0.3000000E+00", 2e-6,
             (double[]){2.855099e-01, 8.004836e-01, 4.561773e-01});
  folder_remove(&folder);
}

static void vibrates(void **state) {
  (void)state;
  char *folder = folder_create(), step[1000];
  snprintf(step, sizeof step, "*STEADY STATE DYNAMICS\n0.5,3.,4,2.\n*MODAL DAMPING,RAYLEIGH\n,,0.5,0.01\n*CLOAD\n%s",
           LOADS);
  Run run = run_step(folder, step);
  assert_code(&run, 0);
  run_release(&run);
  check_line(folder, "displacements (vx,vy,vz) for set TOP and time  0.3000000E+01", 2e-6,
             /* the imaginary part is last */ (double[]){-3.140385e-02, -2.634611e-02, -1.515435e-02});
  run = run_step(
      folder,
      "*STEADY STATE DYNAMICS\n0.5,3.,3\n*MODAL DAMPING\n1,6,0.05\n*CLOAD\nTOP,2,1.\n*CLOAD,LOAD CASE=2\n13,3,2.\n"
      "*DLOAD,LOAD CASE=2\n1,P3,0.5\n2,P3,0.5\n*NODE PRINT,NSET=TOP\nU\n*END STEP\n");
  assert_code(&run, 0);
  run_release(&run);
  check_line(folder, "displacements (vx,vy,vz) for set TOP and time  0.3000000E+01", 2e-6,
             (double[]){-9.256642e-03, -2.101603e-02, 3.682104e-03});
  folder_remove(&folder);
}

/* Without the step of modes; the load is dead, the pressure follows its face. CalculiX stops its iterations early. */
static void deforms(void **state) {
  (void)state;
  char *folder = folder_create(), deck[4096];
  const int n = (int)(strstr(HEAD, "*STEP") - HEAD);
  snprintf(deck, sizeof deck,
           "%.*s*STEP,NLGEOM\n*STATIC\n0.5,1.\n*CLOAD\nTOP,2,2.\n13,3,4.\n*DLOAD\n1,P3,1.\n*NODE "
           "PRINT,NSET=TOP\nU\n*END STEP\n",
           n, HEAD);
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  check_line(folder, "displacements (vx,vy,vz) for set TOP and time  0.1000000E+01", 1e-5,
             (double[]){1.288191e-01, 5.853285e-01, 3.929705e-01});
  folder_remove(&folder);
}

static const struct Wrong {
  const char *step, *said;
} wrong[] = {
    {"*END STEP\n*STEP,NLGEOM\n*STATIC\n", "NLGEOM, large deformations, is understood where it is the only step"},
    {"*STATIC\n", "steps of several kinds are not understood"},
    {"*FREQUENCY\n2\n", "behind another step of the same is not understood"},
    {"*MODAL DYNAMIC\n1\n", "first step 1 and end 0 must be > 0"},
    {"*MODAL DYNAMIC\n", "has no line with first step and end"},
    {"*MODAL DYNAMIC,STEADY STATE\n1,2\n", "STEADY STATE, which goes on until nothing moves"},
    {"*MODAL DYNAMIC\n1,2\n*MODAL DAMPING\n0,1,2\n", "'0' is no mode; they count from 1"},
    {"*MODAL DYNAMIC\n1,2\n*MODAL DAMPING\n3,1,2\n", "'1' is no last mode from 3 on"},
    {"*MODAL DYNAMIC\n1,2\n*MODAL DAMPING\n1,3,-2\n", "the share of critical damping is -2, must be >= 0"},
    {"*MODAL DYNAMIC\n1,2\n*MODAL DAMPING,RAYLEIGH\n,,-1,0\n", "alpha is -1, must be >= 0"},
    {"*MODAL DAMPING\n1,2,1\n", "is understood in a step of *STEADY STATE DYNAMICS or *MODAL DYNAMIC"},
    {"*STEADY STATE DYNAMICS\n", "has no line with the lowest and the highest frequency"},
    {"*STEADY STATE DYNAMICS\n2,1\n", "frequencies from 2 to 1"},
    {"*STEADY STATE DYNAMICS\n1,2,1\n", "1 frequencies with the bias 3"},
    {"*MODAL DYNAMIC\n1,2\n*CLOAD,LOAD CASE=2\n13,2,1.\n", "LOAD CASE=2 is understood in a step of *STEADY STATE"},
    {"*STEADY STATE DYNAMICS\n1,2\n*CLOAD,LOAD CASE=3\n13,2,1.\n", "LOAD CASE=3 is not understood; 1"},
    {"*STEADY STATE DYNAMICS\n1,2\n*DLOAD,LOAD CASE=2\nBODY,GRAV,1,0,0,1\n", "LOAD CASE=2 of what acts in the inside"},
    {"*STEADY STATE DYNAMICS,HARMONIC=NO\n1,2\n", "HARMONIC=NO, a load that is periodic in another way"},
};

/* Rubber whose constants stand in the place of *ELASTIC. */
static void rubber(void **state) {
  (void)state;
  static const struct {
    const char *law, *step, *said;
  } rows[] = {
      {"*HYPERELASTIC,OGDEN,N=2\n300.,2.,50.,-2.,0.,0.\n", ",NLGEOM", ""},
      {"*HYPERELASTIC,NEO HOOKE\n200.,0.001\n", "", "is hyperelastic, which is understood in a step with NLGEOM"},
      {"*HYPERELASTIC,YEOH\n200.,0.,0.,0.001,0.1,0.\n", ",NLGEOM", "D2 is 0.1; 0 is understood behind D1"},
      {"*HYPERELASTIC,OGDEN,N=4\n1.\n", ",NLGEOM", "N=4 must be from 1 to 3"},
      {"*HYPERELASTIC,POLYNOMIAL\n1.\n", ",NLGEOM", "POLYNOMIAL is not understood"},
      {"*HYPERELASTIC,MOONEY-RIVLIN\n1.,2.,3.,20.,5.\n", ",NLGEOM", "more than 3 constants and a temperature"}};
  char *folder = folder_create(), deck[4096];
  const char *law = strstr(HEAD, "*ELASTIC"), *rest = strstr(HEAD, "*DENSITY"), *step = strstr(HEAD, "*STEP");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    snprintf(deck, sizeof deck, "%.*s%s%.*s*STEP%s\n*STATIC\n0.5,1.\n*CLOAD\nTOP,2,0.5\n*END STEP\n", (int)(law - HEAD),
             HEAD, rows[i].law, (int)(step - rest), rest, rows[i].step);
    put_text(folder, "d.inp", deck);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
    expect_that(run.code == (*rows[i].said ? 3 : 0) && strstr(run.err, rows[i].said), "%s: exit %d, said\n%s",
                rows[i].law, run.code, run.err);
    run_release(&run);
  }
  folder_remove(&folder);
}

static void wrong_steps(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char step[1000];
    snprintf(step, sizeof step, "%s*END STEP\n", wrong[i].step);
    Run run = run_step(folder, step);
    const char *end = strchr(run.err, '\n');
    expect_that(run.code == 3 && strstr(run.err, wrong[i].said) && end && !end[1], "'%s': exit %d, said\n%s\nwanted %s",
                wrong[i].step, run.code, run.err, wrong[i].said);
    run_release(&run);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves), cmocka_unit_test(vibrates), cmocka_unit_test(deforms),
                                     cmocka_unit_test(rubber), cmocka_unit_test(wrong_steps)};
  return cmocka_run_group_tests_name("cli/deck_modes", tests, NULL, NULL);
}
