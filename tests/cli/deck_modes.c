/* Decks with steps behind *FREQUENCY: vibrations and motion by its modes. The numbers are those of CalculiX 2.20. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of three cubes; its step from line 44 on. */
static const char *const HEAD =
    "*NODE, NSET=ALL\n1,0,0,0\n2,0,0,1\n3,0,1,0\n4,0,1,1\n5,1,0,0\n6,1,0,1\n7,1,1,0\n8,1,1,1\n"
    "9,2,0,0\n10,2,0,1\n11,2,1,0\n12,2,1,1\n13,3,0,0\n14,3,0,1\n15,3,1,0\n16,3,1,1\n"
    "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,5,7,3,2,6,8,4\n2,5,9,11,7,6,10,12,8\n3,9,13,15,11,10,14,16,12\n"
    "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=TOP\n13,14,15,16\n*MATERIAL, "
    "NAME=STEEL\n*ELASTIC\n1000.,0.25\n*DENSITY\n1.\n"
    "*SOLID SECTION, ELSET=BODY, "
    "MATERIAL=STEEL\n*BOUNDARY\nLOW,1,3\n*AMPLITUDE,NAME=A\n0,0,0.2,1,1,0.5\n*AMPLITUDE,NAME=ONE\n0,1\n"
    "*STEP\n*FREQUENCY,STORAGE=YES\n6\n*END STEP\n*STEP\n";
static const char *const LOADS = "TOP,2,1.\n13,3,2.\n*NODE PRINT,NSET=TOP\nU,V\n*END STEP\n";

static Run run_step(const char *folder, const char *step) {
  char deck[4096];
  snprintf(deck, sizeof deck, "%s%s", HEAD, step);
  put_text(folder, "d.inp", deck);
  return run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
}

/* Point 1 of element 1 in the last table of stress. */
static void check_stress(const char *folder, double rtol, const double expected[6]) {
  char *dat = get_text(folder, "out/d.dat"), *at = NULL;
  double s[6];
  for (char *p = dat; (p = strstr(p, " stresses (elem")); ++p) at = p;
  expect_that(at != NULL, "no stresses in\n%s", dat);
  at = strstr(at, "\n         1   1 ");
  assert_non_null(at);
  assert_int_equal(sscanf(at, "%*d %*d %lf %lf %lf %lf %lf %lf", s, s + 1, s + 2, s + 3, s + 4, s + 5), 6);
  for (int k = 0; k < 6; ++k) assert_within(s[k], expected[k], rtol * fabs(expected[0]));
  free(dat);
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
  snprintf(step, sizeof step,
           "*MODAL DYNAMIC\n0.05,0.3\n*MODAL DAMPING\n1,2,0.02\n3,6,1.5\n*EL PRINT,ELSET=BODY\nS,ELSE\n"
           "*CLOAD,AMPLITUDE=A\n%s",
           LOADS);
  Run run = run_step(folder, step);
  assert_code(&run, 0);
  run_release(&run);
  check_line(folder, "displacements (vx,vy,vz) for set TOP and time  0.3000000E+00", 2e-6,
             (double[]){3.867071e-02, 9.421313e-02, 6.014662e-02});
  check_line(folder, "velocities (vx,vy,vz) for set TOP and time  0.3000000E+00", 2e-6,
             (double[]){2.855099e-01, 8.004836e-01, 4.561773e-01});
  check_stress(folder, 2e-6,
               (double[]){1.280984e+01, 3.911559e+00, 3.732635e+00, 2.102063e+00, 2.734632e+00, -2.676713e-01});
  char *dat = get_text(folder, "out/d.dat");
  assert_non_null(strstr(dat, "internal energy (element, energy) for set BODY and time  0.3000000E+00\n\n"
                              "         1  5.28147"));
  free(dat);
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

/* Amplitudes over the frequency, of all that may have one. */
static void vibrates_by_a_spectrum(void **state) {
  (void)state;
  char *folder = folder_create();
  Run run = run_step(folder, "*STEADY STATE DYNAMICS\n0.5,0.9,3\n*MODAL DAMPING\n1,6,0.05\n*CLOAD,AMPLITUDE=A\n"
                             "TOP,2,1.\n*CLOAD,LOAD CASE=2,AMPLITUDE=A\n13,3,2.\n*DLOAD,AMPLITUDE=A\n1,P3,0.5\n"
                             "BODY,GRAV,9.81,0,0.6,0.8\n*NODE PRINT,NSET=TOP\nU\n*END STEP\n");
  assert_code(&run, 0);
  run_release(&run);
  check_line(folder, "displacements (vx,vy,vz) for set TOP and time  0.9000000E+00", 2e-6,
             (double[]){-4.668614e-02, -8.927679e-02, -1.341968e-01});
  folder_remove(&folder);
}

/* Force and moment on a reference node follow an amplitude, in time and over the frequency. */
static void drives_a_reference_node(void **state) {
  (void)state;
  static const char *const rigid =
      "*NODE\n98,3.2,0.4,0.3\n99,3.2,0.4,0.3\n*RIGID BODY,NSET=TOP,REF NODE=98,ROT NODE=99\n";
  static const struct {
    const char *step, *loads, *head, *said;
    double u[3];
  } rows[] = {{"*STEADY STATE DYNAMICS\n0.5,0.9,3\n*MODAL DAMPING\n1,6,0.05\n",
               "*CLOAD,AMPLITUDE=A\n98,2,4.\n99,1,3.\n",
               "0.9000000E+00",
               NULL,
               {-6.316208e-3, -3.276489e-2, 4.142659e-3}},
              {"*MODAL DYNAMIC\n0.05,0.3\n*MODAL DAMPING\n1,6,0.02\n",
               "*CLOAD,AMPLITUDE=A\n98,2,4.\n99,1,3.\n",
               "0.3000000E+00",
               NULL,
               {3.326729e-2, 2.161581e-1, -9.790071e-2}},
              {"*MODAL DYNAMIC\n0.05,0.3\n",
               "*CLOAD,AMPLITUDE=A\n98,2,4.\n*CLOAD\n99,1,3.\n",
               NULL,
               "loads on a reference node by different amplitudes",
               {0}},
              {"*MODAL DYNAMIC\n0.05,0.3\n",
               "*CLOAD,AMPLITUDE=A\n98,2,4.\n*CLOAD\n14,1,3.\n",
               NULL,
               "node 14, which moves with the reference node, has a force of another amplitude",
               {0}}};
  char *folder = folder_create(), deck[4096], head[80];
  const char *rest = strstr(HEAD, "*STEP");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    snprintf(deck, sizeof deck, "%.*s%s%s%s%s*NODE PRINT,NSET=TOP\nU\n*END STEP\n", (int)(rest - HEAD), HEAD, rigid,
             rest, rows[i].step, rows[i].loads);
    put_text(folder, "d.inp", deck);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
    assert_code(&run, rows[i].said ? 3 : 0);
    if (rows[i].said) expect_that(strstr(run.err, rows[i].said) != NULL, "said\n%s", run.err);
    run_release(&run);
    if (rows[i].said) continue;
    snprintf(head, sizeof head, "displacements (vx,vy,vz) for set TOP and time  %s", rows[i].head);
    check_line(folder, head, 2e-6, rows[i].u);
  }
  folder_remove(&folder);
}

/* As by the displacement a / -omega^2. CalculiX has no damping of what supports that move share with the body. */
static void accelerates_the_base(void **state) {
  (void)state;
  char *folder = folder_create();
  static const char *const amplitude[] = {"A", "ONE"};
  static const double at_top[] = {0.5625, 1};
  for (int k = 0; k < 2; ++k) {
    char step[1000];
    snprintf(step, sizeof step,
             "*STEADY STATE DYNAMICS\n0.5,0.9,2\n*MODAL DAMPING\n1,6,0.05\n*BASE MOTION,DOF=2,AMPLITUDE=%s\n"
             "*NODE PRINT,NSET=LOW\nU\n*END STEP\n",
             amplitude[k]);
    Run run = run_step(folder, step);
    assert_code(&run, 0);
    run_release(&run);
    char *dat = get_text(folder, "out/d.dat"), *node = strstr(strstr(dat, "time  0.9000000E+00"), "\n         1 ");
    double u[3];
    assert_int_equal(sscanf(node, "%*d %lf %lf %lf", &u[0], &u[1], &u[2]), 3);
    assert_within(u[1], -at_top[k] / pow(2 * acos(-1) * 0.9, 2), 1e-8);
    free(dat);
  }
  Run run = run_sinew(folder, "convert", "d.inp", "c.yaml", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *text = get_text(folder, "c.yaml");
  assert_non_null(strstr(text, "y: \"-1/(2*pi*f)^2\""));
  free(text);
  folder_remove(&folder);
}

/* Without the step of modes; the load is dead, the pressure follows its face. CalculiX stops its iterations early. */
static void deforms(void **state) {
  (void)state;
  char *folder = folder_create(), deck[4096];
  const int n = (int)(strstr(HEAD, "*STEP") - HEAD);
  snprintf(deck, sizeof deck,
           "%.*s*STEP,NLGEOM\n*STATIC\n0.5,1.\n*CLOAD\nTOP,2,2.\n13,3,4.\n*DLOAD\n1,P3,1.\n*NODE "
           "PRINT,NSET=TOP\nU\n*EL PRINT,ELSET=BODY\nS\n*END STEP\n",
           n, HEAD);
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  check_line(folder, "displacements (vx,vy,vz) for set TOP and time  0.1000000E+01", 1e-5,
             (double[]){1.288191e-01, 5.853285e-01, 3.929705e-01});
  check_stress(folder, 2e-6,
               (double[]){8.001242e+01, 2.522476e+01, 2.316933e+01, 3.176541e+01, 2.356199e+01, 1.224288e+00});
  folder_remove(&folder);
}

/* All that is held in the direction moves, as by *BOUNDARY of the same nodes. */
static void moves_the_base(void **state) {
  (void)state;
  static const char *const motion[] = {"*BOUNDARY,AMPLITUDE=A\nLOW,2,2,1.\n",
                                       "*BASE MOTION,DOF=2,AMPLITUDE=A,TYPE=DISPLACEMENT\n"};
  char *folder = folder_create(), step[1000], *dat[2];
  for (int k = 0; k < 2; ++k) {
    snprintf(step, sizeof step, "*MODAL DYNAMIC\n0.05,0.3\n%s*NODE PRINT,NSET=ALL\nU\n*END STEP\n", motion[k]);
    Run run = run_step(folder, step);
    assert_code(&run, 0);
    run_release(&run);
    dat[k] = get_text(folder, "out/d.dat");
  }
  assert_string_equal(dat[0], dat[1]);
  assert_non_null(strstr(dat[1], "\n         1  0.000000E+00  9.375000E-01  0.000000E+00"));
  for (int k = 0; k < 2; ++k) free(dat[k]);
  folder_remove(&folder);
}

/* An amplitude of any length, which the case calls by its name. */
static void follows_a_record(void **state) {
  (void)state;
  char *folder = folder_create(), *deck = calloc(1 << 20, 1), *at = deck;
  const char *rest = strstr(HEAD, "*STEP");
  at += sprintf(at, "%.*s*AMPLITUDE,NAME=Quake\n", (int)(rest - HEAD), HEAD);
  for (int k = 0; k <= 4000; ++k) at += sprintf(at, "%.6f,%.6f\n", k * 1e-4, sin(k * 0.01));
  sprintf(at,
          "%s*MODAL DYNAMIC\n0.01,0.3\n*BASE MOTION,DOF=2,AMPLITUDE=QUAKE,TYPE=DISPLACEMENT\n"
          "*NODE PRINT,NSET=LOW\nU\n*END STEP\n",
          rest);
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat"), *line = strstr(dat, "time  0.1500000E+00"),
       *node = strstr(line, "\n         1 ");
  double u[3];
  assert_int_equal(sscanf(node, "%*d %lf %lf %lf", &u[0], &u[1], &u[2]), 3);
  assert_within(u[1], sin(15), 1e-6);
  run = run_sinew(folder, "convert", "d.inp", "c.yaml", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *text = get_text(folder, "c.yaml");
  assert_non_null(strstr(text, "functions:\n  - name: quake\n    points:\n      - {at: 0, value: 0}\n"));
  assert_non_null(strstr(text, "y: \"1*quake(t)\""));
  free(text);
  free(dat);
  free(deck);
  folder_remove(&folder);
}

/* Heat through the row, held at one end and a corner. */
static void conducts(void **state) {
  (void)state;
  char *folder = folder_create(), deck[4096];
  const int n = (int)(strstr(HEAD, "*MATERIAL") - HEAD);
  snprintf(deck, sizeof deck,
           "%.*s*MATERIAL,NAME=M\n*CONDUCTIVITY\n2.\n*SOLID SECTION,ELSET=BODY,MATERIAL=M\n*STEP\n"
           "*HEAT TRANSFER,STEADY STATE\n*BOUNDARY\nLOW,11,11,10.\n15,11,11,50.\n*DFLUX\n2,BF,3.\n"
           "*NODE PRINT,NSET=ALL\nNT,RFL\n*EL PRINT,ELSET=BODY\nHFL\n*END STEP\n",
           n, HEAD);
  put_text(folder, "d.inp", deck);
  Run run =
      run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--output", "out", "--set", "solver.rtol=1e-12", NULL);
  assert_code(&run, 0);
  assert_string_equal(run.err, "");
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat");
  char *flow = strstr(dat, "\n heat generation for set ALL and time  0.1000000E+01\n");
  assert_non_null(flow);
  assert_non_null(strstr(flow, "\n         1 -4.357266E+00\n         2 -4.299847E+00\n"));
  assert_non_null(strstr(flow, "\n        15  1.428477E+01\n"));
  char *flux = strstr(dat, "\n heat flux (elem, integ.pnt.,qx,qy,qz) for set BODY and time  0.1000000E+01\n");
  assert_non_null(flux);
  assert_non_null(strstr(flux, "\n         1   1 -1.714048E+01 -1.429732E-01 -6.828299E-02\n"));
  free(dat);
  folder_remove(&folder);
}

static const struct Wrong {
  const char *step, *said;
} wrong[] = {
    {"*END STEP\n*STEP,NLGEOM\n*STATIC\n", "NLGEOM after a step without it is understood behind *STATIC"},
    {"*STATIC\n", "steps of several kinds are not understood"},
    {"*FREQUENCY\n2\n", "after another step of the same kind is not understood"},
    {"*MODAL DYNAMIC\n1\n", "first step 1 and end 0 must be > 0"},
    {"*MODAL DYNAMIC\n", "has no line with first step and end"},
    {"*MODAL DYNAMIC,STEADY STATE\n1,2\n", "STEADY STATE, which goes on until nothing moves"},
    {"*MODAL DYNAMIC\n1,2\n*MODAL DAMPING\n0,1,2\n", "'0' is not a mode; they count from 1"},
    {"*MODAL DYNAMIC\n1,2\n*MODAL DAMPING\n3,1,2\n", "'1' is not a last mode from 3 on"},
    {"*MODAL DYNAMIC\n1,2\n*MODAL DAMPING\n1,3,-2\n", "the share of critical damping is -2, must be >= 0"},
    {"*MODAL DYNAMIC\n1,2\n*MODAL DAMPING,RAYLEIGH\n,,-1,0\n", "alpha is -1, must be >= 0"},
    {"*MODAL DAMPING\n1,2,1\n", "is understood in a step of *STEADY STATE DYNAMICS or *MODAL DYNAMIC"},
    {"*STEADY STATE DYNAMICS\n", "has no line with the lowest and the highest frequency"},
    {"*STEADY STATE DYNAMICS\n2,1\n", "frequencies from 2 to 1"},
    {"*STEADY STATE DYNAMICS\n1,2,1\n", "1 frequencies with the bias 3"},
    {"*MODAL DYNAMIC\n1,2\n*CLOAD,LOAD CASE=2\n13,2,1.\n", "LOAD CASE=2 is understood in a step of *STEADY STATE"},
    {"*STEADY STATE DYNAMICS\n1,2\n*CLOAD,LOAD CASE=3\n13,2,1.\n", "LOAD CASE=3 is not understood; 1"},
    {"*STEADY STATE DYNAMICS\n1,2\n*DLOAD,LOAD CASE=2\nBODY,GRAV,1,0,0,1\n", "LOAD CASE=2 of body loads"},
    {"*MODAL DYNAMIC\n1,2\n*END STEP\n*STEP\n*MODAL DYNAMIC\n1,2\n",
     "a step after *MODAL DYNAMIC is not understood; one step as long as both is"},
    {"*BASE MOTION,DOF=1,AMPLITUDE=A\n", "*BASEMOTION: is understood in a step of *STEADY STATE"},
    {"*MODAL DYNAMIC\n1,2\n*BASE MOTION,DOF=4,AMPLITUDE=A\n", "DOF=4 is not a direction; 1 to 3 are"},
    {"*MODAL DYNAMIC\n1,2\n*BASE MOTION,DOF=1\n", "*BASEMOTION: has no AMPLITUDE="},
    {"*MODAL DYNAMIC\n1,2\n*BASE MOTION,DOF=1,AMPLITUDE=A\n", "TYPE=ACCELERATION in a step in time is not understood"},
    {"*STEADY STATE DYNAMICS\n0,2\n*BASE MOTION,DOF=1,AMPLITUDE=A\n",
     "an acceleration at the frequency 0 has no amplitude; begin above 0"},
    {"*STEADY STATE DYNAMICS\n1,2\n*BASE MOTION,DOF=1,AMPLITUDE=A,TYPE=VELOCITY\n",
     "TYPE=VELOCITY is not understood; ACCELERATION and DISPLACEMENT are"},
    {"*STEADY STATE DYNAMICS\n1,2\n*DLOAD,AMPLITUDE=A\nBODY,CENTRIF,1,0,0,0,0,0,1\n",
     "AMPLITUDE of centrifugal forces and heat in the inside"},
    {"*MODAL DYNAMIC\n1,2\n*BASE MOTION,DOF=1,AMPLITUDE=B,TYPE=DISPLACEMENT\n", "there is no amplitude 'B'"},
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
      {"*HYPERELASTIC,YEOH\n200.,0.,0.,0.001,0.1,0.\n", ",NLGEOM", "D2 is 0.1; only 0 is understood after D1"},
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(moves),
                                     cmocka_unit_test(vibrates),
                                     cmocka_unit_test(deforms),
                                     cmocka_unit_test(rubber),
                                     cmocka_unit_test(moves_the_base),
                                     cmocka_unit_test(follows_a_record),
                                     cmocka_unit_test(conducts),
                                     cmocka_unit_test(vibrates_by_a_spectrum),
                                     cmocka_unit_test(accelerates_the_base),
                                     cmocka_unit_test(drives_a_reference_node),
                                     cmocka_unit_test(wrong_steps)};
  return cmocka_run_group_tests_name("cli/deck_modes", tests, NULL, NULL);
}
