/* Decks with *MASS, *SPRING and *DASHPOT: numbers of CalculiX 2.20, of a column by hand, and what is refused. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const HEAD = "*NODE, NSET=ALL\n"
                                "1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
                                "9,0,0,2\n10,1,0,2\n11,1,1,2\n12,0,1,2\n30,3,1,2\n40,0.4,0.3,3\n41,0,0,0\n"
                                "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n2,5,6,7,8,9,10,11,12\n"
                                "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=TOP\n9,10,11,12\n"
                                "*MATERIAL, NAME=M\n*ELASTIC\n1000.,0.3\n*DENSITY\n1\n"
                                "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY\nLOW,1,3\n";

#define EACH                                                                                                           \
  "*ELEMENT,TYPE=SPRING1,ELSET=A\n60,11\n*SPRING,ELSET=A\n1\n50.\n"                                                    \
  "*ELEMENT,TYPE=SPRING2,ELSET=B\n61,10,8\n*SPRING,ELSET=B\n2,2\n70.\n"
#define LINE "*ELEMENT,TYPE=SPRINGA,ELSET=C\n62,9,7\n*SPRING,ELSET=C\n\n90.\n"
#define GROUND "*ELEMENT,TYPE=SPRINGA,ELSET=D\n63,11,30\n*SPRING,ELSET=D\n\n40.\n*BOUNDARY\n30,1,3\n"
#define MASSES "*ELEMENT,TYPE=MASS,ELSET=W\n50,11\n51,10\n*MASS,ELSET=W\n2.\n"
#define DASHPOTS                                                                                                       \
  "*ELEMENT,TYPE=DASHPOTA,ELSET=P\n64,11,30\n*DASHPOT,ELSET=P\n\n5.\n*BOUNDARY\n30,1,3\n"                              \
  "*ELEMENT,TYPE=DASHPOTA,ELSET=Q\n65,9,7\n*DASHPOT,ELSET=Q\n\n3.\n*AMPLITUDE,NAME=A\n0,0,1,1,2,0\n"
#define HUB "*RIGID BODY,NSET=TOP,REF NODE=40,ROT NODE=41\n*ELEMENT,TYPE=MASS,ELSET=W\n50,40\n*MASS,ELSET=W\n2.\n"
#define PUSH "*CLOAD\n11,1,10.\n10,2,20.\n9,3,30.\n"
#define TABLE "*NODE PRINT,NSET=ALL\nU\n*END STEP\n"

static Run run_deck(const char *folder, const char *before, const char *step) {
  char deck[4096];
  snprintf(deck, sizeof deck, "%s%s%s", HEAD, before, step);
  put_text(folder, "d.inp", deck);
  return run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
}

static const struct Known {
  const char *before, *step;
  int node;
  double u[3];
  double within; /* of the largest */
} known[] = {
    {EACH LINE GROUND, "*STEP\n*STATIC\n" PUSH TABLE, 9, {1.517443e-01, 4.863328e-01, 3.744087e-01}, 1e-6},
    {EACH LINE GROUND, "*STEP\n*STATIC\n" PUSH TABLE, 11, {1.449405e-01, 4.323973e-01, -1.389427e-01}, 1e-6},
    {EACH, "*STEP,NLGEOM\n*STATIC,DIRECT\n0.5,1.\n" PUSH TABLE, 9, {1.903905e-01, 3.636500e-01, 2.618166e-01}, 1e-6},
    {HUB,
     "*STEP\n*STATIC\n*DLOAD\nBODY,GRAV,3.,0,0,-1\nW,GRAV,5.,0.2,0,-1\n" TABLE,
     9,
     {6.740418e-02, -3.564457e-02, -1.592513e-02},
     1e-6},
    /* a mass has its weight where its set is named only */
    {MASSES,
     "*STEP\n*STATIC\n*DLOAD\nBODY,GRAV,10.,0,0,-1\n" TABLE,
     11,
     {4.083770e-4, 4.083770e-4, -1.844503e-2},
     1e-6},
    {MASSES,
     "*STEP\n*STATIC\n*DLOAD\nBODY,GRAV,10.,0,0,-1\nW,GRAV,10.,0,0,-1\n" TABLE,
     11,
     {3.082621e-01, 1.816248e-02, -2.477498e-01},
     1e-6},
    /* its lines turn in CalculiX, by 1e-4 here */
    {MASSES LINE DASHPOTS,
     "*STEP,INC=1000\n*DYNAMIC,DIRECT,ALPHA=-0.05\n0.05,1.\n*CLOAD,AMPLITUDE=A\n11,1,0.001\n10,2,0.002\n9,3,0."
     "003\n" TABLE,
     9,
     {4.101610e-05, 5.490985e-05, 4.962957e-05},
     2e-5}};

/* Displacement of a node in the last table of them. */
static void expect_displacement(const char *folder, const struct Known *k, int deck) {
  char *dat = get_text(folder, "out/d.dat"), label[32];
  const char *line = NULL;
  snprintf(label, sizeof label, "\n%10d ", k->node);
  for (const char *p = dat; (p = strstr(p, label)); ++p) line = p + strlen(label);
  expect_that(line != NULL, "no node %d in\n%s", k->node, dat);
  double most = 0;
  for (int i = 0; i < 3; ++i) most = fmax(most, fabs(k->u[i]));
  for (int i = 0; i < 3; ++i) {
    const double u = strtod(line, (char **)(void *)&line);
    expect_that(fabs(u - k->u[i]) < k->within * most, "deck %d: u%d is %.9g, not %.9g", deck, i, u, k->u[i]);
  }
  free(dat);
}

static void as_calculix_has_them(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    Run run = run_deck(folder, known[i].before, known[i].step);
    expect_that(run.code == 0, "deck %d: exit %d\n%s", (int)i, run.code, run.err);
    run_release(&run);
    expect_displacement(folder, &known[i], (int)i);
  }
  folder_remove(&folder);
}

static void first_modes(const char *folder, int n, double *value) {
  char *modes = get_text(folder, "out/modes.csv");
  const char *p = modes;
  for (int i = 0; i < n; ++i) {
    p = strchr(p, '\n');
    assert_non_null(p);
    p = strchr(p, ',');
    value[i] = strtod(p + 1, NULL);
  }
  free(modes);
}

static void modes_as_calculix_has_them(void **state) {
  (void)state;
  static const struct {
    const char *before;
    double frequency[3];
  } row[] = {{MASSES LINE, {0.4056273, 0.4571497, 0.7896944}}, {HUB, {0.4074285, 0.4096093, 2.221026}}};
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    double f[3];
    Run run = run_deck(folder, row[i].before, "*STEP\n*FREQUENCY\n3\n*END STEP\n");
    assert_code(&run, 0);
    run_release(&run);
    first_modes(folder, 3, f);
    for (int k = 0; k < 3; ++k) assert_relative(f[k], row[i].frequency[k], 1e-6);
  }
  folder_remove(&folder);
}

/* A column of C3D20R, 20 x 1 x 1, held at the foot, with a spring of k = 10 E I / L^3 across its head:
 * tan u = u (1 - u^2 / 10), u^2 = P L^2 / E I, so that P = 2.0562 (0.5140 without); shear and length cost below 1 %. */
static void column_with_a_spring(void **state) {
  (void)state;
  enum { N = 20 };
  static char deck[40000];
  static const int corner[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                   {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
  static const int edge[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                  {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  char *folder = folder_create(), *at = deck, *const end = deck + sizeof deck;
  double factor;
  at += snprintf(at, (size_t)(end - at), "*NODE, NSET=ALL\n");
  for (int i = 0; i <= 2 * N; ++i)
    for (int j = 0; j < 9; ++j)
      if (i % 2 + (j % 3 == 1) + (j / 3 == 1) <= 1)
        at += snprintf(at, (size_t)(end - at), "%d,%g,%g,%g\n", 9 * i + j + 1, 0.5 * i, 0.5 * (j / 3), 0.5 * (j % 3));
  at += snprintf(at, (size_t)(end - at), "*ELEMENT,TYPE=C3D20R,ELSET=E\n");
  for (int e = 0; e < N; ++e) {
    at += snprintf(at, (size_t)(end - at), "%d", e + 1);
    for (int a = 0; a < 20; ++a) {
      int x[3];
      for (int k = 0; k < 3; ++k)
        x[k] = a < 8 ? corner[a][k] : (corner[edge[a - 8][0]][k] + corner[edge[a - 8][1]][k]) / 2;
      at += snprintf(at, (size_t)(end - at), "%s%d", a == 10 ? ",\n" : ",", 9 * (2 * e + x[0]) + 3 * x[1] + x[2] + 1);
    }
    at += snprintf(at, (size_t)(end - at), "\n");
  }
  const int head = 9 * 2 * N;
  at += snprintf(at, (size_t)(end - at),
                 "*NSET,NSET=FOOT\n1,2,3,4,6,7,8,9\n*MATERIAL,NAME=M\n*ELASTIC\n1000.,0.\n*SOLID SECTION,ELSET=E,"
                 "MATERIAL=M\n*BOUNDARY\nFOOT,1,3\n");
  for (int k = 2; k <= 3; ++k)
    at += snprintf(at, (size_t)(end - at),
                   "*ELEMENT,TYPE=SPRING1,ELSET=S%d\n%d1,%d\n%d2,%d\n%d3,%d\n%d4,%d\n*SPRING,ELSET=S%d\n%d\n%.12g\n", k,
                   90 + k, head + 1, 90 + k, head + 3, 90 + k, head + 7, 90 + k, head + 9, k, k,
                   (k == 2 ? 1 : 3) * 10 * (1000. / 12) / 8000 / 4);
  at += snprintf(at, (size_t)(end - at), "*STEP\n*BUCKLE\n1\n*CLOAD\n");
  for (int j = 1; j <= 9; j += 2) {
    if (j != 5) at += snprintf(at, (size_t)(end - at), "%d,1,%.12g\n", head + j, 1. / 12);
    if (j < 9) at += snprintf(at, (size_t)(end - at), "%d,1,%.12g\n", head + j + 1, -1. / 3);
  }
  snprintf(at, (size_t)(end - at), "*END STEP\n");
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  if (run.code) print_message("%s\n", run.err);
  assert_code(&run, 0);
  run_release(&run);
  first_modes(folder, 1, &factor);
  assert_relative(factor, 2.0562, 0.01);
  folder_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const char *const statics = "*STEP\n*STATIC\n" PUSH "*END STEP\n";
  static const struct {
    const char *before, *step, *said;
  } row[] = {
      {"*ELEMENT,TYPE=SPRINGA,ELSET=C\n62,9,7\n*SPRING,ELSET=C,NONLINEAR\n\n0.,0.\n9.,1.\n", NULL,
       "*SPRING: the parameter NONLINEAR is not understood"},
      {"*ELEMENT,TYPE=SPRINGA,ELSET=C\n62,9,7\n*SPRING,ELSET=C\n\n90.,,10.\n80.,,20.\n", NULL,
       "a second line, of a constant that varies, is not understood"},
      {"*ELEMENT,TYPE=SPRING2,ELSET=C\n62,9,7\n*SPRING,ELSET=C\n1,2\n90.\n", NULL,
       "SPRING2 between two different directions is not understood"},
      {"*ELEMENT,TYPE=SPRING1,ELSET=C\n62,9\n*SPRING,ELSET=C\n4\n90.\n", NULL, "'4' is not a direction; 1 to 3 are"},
      {"*ELEMENT,TYPE=SPRING1,ELSET=C\n62,9\n*SPRING,ELSET=C\n1\n-90.\n", NULL, "the constant is -90, must be >= 0"},
      {"*ELEMENT,TYPE=SPRINGA,ELSET=C\n62,9,30\n*SPRING,ELSET=C\n\n90.\n", NULL,
       "node 30 belongs to no solid element: it must be held at 0 in all directions"},
      {"*ELEMENT,TYPE=SPRINGA,ELSET=C\n62,9\n*SPRING,ELSET=C\n\n90.\n", NULL, "an element of SPRINGA has 2 nodes"},
      {"*ELEMENT,TYPE=SPRINGA,ELSET=C\n62,9,99\n*SPRING,ELSET=C\n\n90.\n", NULL, "node 99 does not exist"},
      {"*ELEMENT,TYPE=SPRINGA,ELSET=C\n62,9,7\n", NULL, "TYPE=SPRINGA: there is no *SPRING with its ELSET"},
      {"*SPRING,ELSET=C\n\n90.\n", NULL, "there is no *ELEMENT with ELSET=C"},
      {HUB "*ELEMENT,TYPE=SPRINGA,ELSET=C\n62,6,40\n*SPRING,ELSET=C\n\n90.\n", NULL,
       "an end at node 40, a reference node, is not understood"},
      {LINE, "*STEP,NLGEOM\n*STATIC\n" PUSH "*END STEP\n", "along a line, which turns in a step with NLGEOM"},
      {"*ELEMENT,TYPE=MASS,ELSET=W\n50,30\n*MASS,ELSET=W\n2.\n", NULL, "node 30 is none of a solid element"},
      {MASSES "*ELSET,ELSET=BOTH\nBODY,W\n", NULL, "'W' holds elements at nodes (TYPE=MASS)"},
      {MASSES, "*STEP\n*STATIC\n*DLOAD\nW,CENTRIF,1.,0,0,0,0,0,1\n*END STEP\n", "on which GRAV alone is understood"},
      {MASSES, "*STEP\n*STATIC\n*DLOAD\nBODY,GRAV,1.,0,0,1\n*END STEP\n*STEP,PERTURBATION\n*FREQUENCY\n2\n*END STEP\n",
       "GRAV of solid elements beside *MASS in modes or motion is not understood"},
  };
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    Run run = run_deck(folder, row[i].before, row[i].step ? row[i].step : statics);
    const char *end = strchr(run.err, '\n');
    expect_that(run.code >= 3 && run.code <= 4 && strstr(run.err, row[i].said) && end && !end[1],
                "'%s': exit %d, said\n%s\nwanted one line\n%s", row[i].before, run.code, run.err, row[i].said);
    run_release(&run);
  }
  Run run = run_deck(folder, DASHPOTS, statics);
  assert_code(&run, 0);
  assert_said(&run, "*DASHPOT changes nothing in this step");
  run_release(&run);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_calculix_has_them),
      cmocka_unit_test(modes_as_calculix_has_them),
      cmocka_unit_test(column_with_a_spring),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests_name("deck points", tests, NULL, NULL);
}
