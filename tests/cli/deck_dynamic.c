/* Decks of *DYNAMIC: two distorted boxes that are struck, in steps of the method of Hilber, Hughes and Taylor, as in CalculiX 2.20 with
 * tight *CONTROLS; with NLGEOM at finite strain, and what of it is refused. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK(more, step, load)                                                                                        \
  "*NODE, NSET=ALL\n1,0,0,0\n2,1.3,0.1,0\n3,2.4,0,0.1\n4,0,0.9,0\n5,1.1,1.1,-0.1\n6,2.4,1,0\n7,0,0,1.2\n"              \
  "8,1.2,-0.1,1\n9,2.4,0.1,1.1\n10,0,1,1.1\n11,1.3,1,1.1\n12,2.4,1.1,1\n*ELEMENT, TYPE=C3D8, ELSET=E\n"                \
  "1,1,2,5,4,7,8,11,10\n2,2,3,6,5,8,9,12,11\n*NSET, NSET=FIX\n1,4,7,10\n*NSET, NSET=TIP\n3,6,9,12\n"                   \
  "*AMPLITUDE, NAME=A\n0.,0.,4e-6,1.,1e-5,-0.35\n*MATERIAL, NAME=M\n*ELASTIC\n70000.,0.33\n*DENSITY\n2.7e-9\n" more    \
  "*SOLID SECTION, ELSET=E, MATERIAL=M\n*STEP, INC=1000" step "\n*DYNAMIC, DIRECT\n5e-7,1e-5\n*BOUNDARY\nFIX,1,3\n"    \
  "*CLOAD, AMPLITUDE=A\nTIP,3," load "\nTIP,1,40.\n*NODE PRINT, NSET=ALL\nU,V\n*EL PRINT, ELSET=E\nS\n*END STEP\n"

/* That differ from node to node. */
#define VELOCITIES                                                                                                     \
  "*NSET, NSET=MID\n2,5\n*INITIAL CONDITIONS, "                                                                        \
  "TYPE=VELOCITY\nTIP,1,8000.\nTIP,3,-50000.\nMID,2,3000.\n8,1,2500.\n*STEP"

/* The numbers behind `label` in the last table whose head begins with `head`. */
static void expect_line(const char *dat, const char *head, const char *label, int n, const double *wanted) {
  const char *at = NULL;
  double most = 0;
  for (const char *p = dat; (p = strstr(p, head)); ++p) at = p;
  at = at ? strstr(at, label) : NULL;
  expect_that(at != NULL, "no '%s' in a table '%s'", label, head);
  at += strlen(label);
  for (int k = 0; k < n; ++k) most = fmax(most, fabs(wanted[k]));
  for (int k = 0; k < n; ++k) assert_within(strtod(at, (char **)(void *)&at), wanted[k], 1e-6 * most);
}

static void blocks_as_calculix_has_them(void **state) {
  (void)state;
  static const struct Case {
    const char *deck;
    double node[3], speed[3], stress[6];
    const char *begin; /* in front of the step; NULL: at rest */
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
  };
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    char *deck = edited(row[i].deck, "*STEP", row[i].begin ? row[i].begin : "*STEP");
    put_text(folder, "d.inp", deck);
    free(deck);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                        "formulation=displacement", "--set", "solver.rtol=1e-10", NULL);
    assert_code(&run, 0);
    run_release(&run);
    char *dat = get_text(folder, "out/d.dat");
    expect_line(dat, " displacements", "\n         9 ", 3, row[i].node);
    expect_line(dat, " velocities", "\n         9 ", 3, row[i].speed);
    expect_line(dat, " stresses", "\n         2   8 ", 6, row[i].stress);
    free(dat);
  }
  folder_remove(&folder);
}

static void wrong_is_said(void **state) {
  (void)state;
  static const struct Wrong {
    const char *deck, *find, *replace, *said;
  } wrong[] = {
      {BLOCK("*DAMPING, ALPHA=0., BETA=1e-8\n", ", NLGEOM", "15."), "15.", "15.",
       "*DAMPING by BETA in a step with NLGEOM is not understood"},
      {BLOCK("*PLASTIC\n120.,0.\n", "", "15."), "15.", "15.", "or of *DYNAMIC with NLGEOM"},
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_as_calculix_has_them), cmocka_unit_test(wrong_is_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
