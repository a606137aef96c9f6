/* Decks whose nodes move together or in directions of their own, and materials over the temperature: numbers that are
 * known, and what is refused. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two cubes on top of each other, held below and at one side; what pulls them stands in each test. */
static const char *const HEAD = "*NODE, NSET=ALL\n"
                                "1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
                                "9,0,0,2\n10,1,0,2\n11,1,1,2\n12,0,1,2\n*NODE\n20,0.5,0.5,5\n21,0,0,0\n"
                                "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n2,5,6,7,8,9,10,11,12\n"
                                "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=TOP\n9,10,11,12\n*SURFACE, NAME=LID\n2,S2\n"
                                "*MATERIAL, NAME=M\n*ELASTIC\n1000.,0.\n*DENSITY\n1\n"
                                "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n";
static const char *const HELD = "*BOUNDARY\nLOW,3\n1,1,2\n4,1\n";
static const char *const TAIL = "*NODE PRINT,NSET=ALL,GLOBAL=YES\nU\n*EL PRINT, ELSET=BODY\nS\n*END STEP\n";

static Run run_deck(const char *folder, const char *deck) {
  put_text(folder, "d.inp", deck);
  return run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
}

/* Displacement `column` of a node, in the last table of them. */
static double displacement(const char *folder, int node, int column) {
  char *dat = get_text(folder, "out/d.dat"), label[32];
  snprintf(label, sizeof label, "\n%10d ", node);
  const char *table = dat;
  for (const char *p = dat; (p = strstr(p, "displacements")); ++p) table = p;
  const char *line = strstr(table, label);
  double value = NAN;
  expect_that(line != NULL, "no node %d in\n%s", node, dat);
  char *p = (char *)(uintptr_t)line + strlen(label);
  for (int k = 0; k <= column; ++k) value = strtod(p, &p);
  free(dat);
  return value;
}

static const struct Known {
  const char *before, *step; /* in front of the step and in it */
  int node, column;
  double value;
} known[] = {
    {"*EQUATION\n2\n10,3,1.,9,3,-1.\n2,\n11,3,1.,9,3,-1.\n2\n12,3,1.,\n9,3,-1.\n", "*CLOAD\n9,3,100.\n", 11, 2, 0.2},
    {"*RIGID BODY,NSET=TOP,REF NODE=20\n", "*CLOAD\n20,3,100.\n", 11, 2, 0.2},
    {"*RIGID BODY,NSET=TOP,REF NODE=20,ROT NODE=21\n*BOUNDARY\n20,3,3,0.1\n21,2,2,0.01\n", "", 10, 2, 0.1 - 0.005},
    {"*RIGID BODY,NSET=TOP,REF NODE=20\n*BOUNDARY\n20,3,3,0.1\n20,4,4,0.01\n", "", 11, 2, 0.1 + 0.005},
    {"*COUPLING,REF NODE=20,SURFACE=LID,CONSTRAINT NAME=C\n*KINEMATIC\n1,3\n", "*CLOAD\n20,3,100.\n", 11, 2, 0.2},
    {"*COUPLING,REF NODE=20,SURFACE=LID,CONSTRAINT NAME=C\n*DISTRIBUTING\n1,3\n", "*CLOAD\n20,3,100.\n", 11, 2, 0.2},
    {"*ELEMENT,TYPE=DCOUP3D,ELSET=P\n99,20\n*DISTRIBUTING COUPLING,ELSET=P\nTOP,1.\n", "*CLOAD\n20,3,100.\n", 11, 2,
     0.2},
    /* local 1, 2, 3 are z, x, y */
    {"*TRANSFORM,NSET=TOP\n0,0,1,1,0,0\n", "*CLOAD\nTOP,1,25.\n", 11, 2, 0.2},
    {"*TRANSFORM,NSET=TOP\n0,0,1,1,0,0\n*BOUNDARY\nTOP,1,1,0.3\n", "", 6, 2, 0.15},
    {"*TRANSFORM,NSET=TOP\n1,2,0,-2,1,0\n*BOUNDARY\n10,1,1,0.5\n10,2,3,0.\n", "", 10, 0, 0.5 / 2.23606797749979},
    {"*TRANSFORM,NSET=TOP\n1,2,0,-2,1,0\n*BOUNDARY\n10,1,1,0.5\n9,1,1,0.5\n11,1,1,0.5\n12,1,1,0.5\n9,2,2,0.\n", "", 9,
     1, 1 / 2.23606797749979},
    {"*TRANSFORM,NSET=TOP,TYPE=C\n-1,-1,0,-1,-1,1\n*BOUNDARY\n11,1,1,0.1\n11,2,2,0.\n", "", 11, 0, 0.1 / sqrt(2)},
    /* forces that the constraint bears, beside those that pull evenly or nothing */
    {"*MPC\nPLANE,TOP\n", "*CLOAD\n9,3,50.\n11,3,50.\n", 12, 2, 0.2},
    {"*MPC\nSTRAIGHT,1,9,5\n", "*CLOAD\n5,1,20.\n9,1,-10.\n*DSLOAD\nLID,P,-100.\n", 5, 0, 0},
    {"*MPC\nBEAM,9,11\n", "*CLOAD\n9,1,-10.\n9,2,-10.\n11,1,10.\n11,2,10.\n", 11, 0, 0},
    {"*NODE\n22,0,0,5\n*BOUNDARY\nLOW,1,3\n*MPC\nMEANROT,9,9,9,10,10,10,11,11,11,12,12,12,22\n",
     "*BOUNDARY\n22,1,1,0.01\n", 11, 0, -0.005},
    {"*NODE\n22,0,0,5\n*MPC\nMEANROT,TOP,22\n",
     "*CLOAD\n22,1,4.\n9,1,-1.\n9,2,1.\n10,1,-1.\n10,2,-1.\n11,1,1.\n11,2,-1.\n12,1,1.\n12,2,1.\n", 11, 0, 0},
    {"*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,0.\n", "*TEMPERATURE\nALL,50.\n*DSLOAD\nLID,P,-100.\n", 11, 2,
     0.2 / 0.75},
    {"", "*TEMPERATURE\n5,50.\n6,50.\n7,50.\n8,50.\nTOP,100.\n*DSLOAD\nLID,P,-100.\n", 11, 2, 100. / 875 + 100. / 625},
};
static const char *const SOFTENS = "*ELASTIC\n1000.,0.,0.\n500.,0.,100.\n";

static void known_decks(void **state) {
  (void)state;
  char *folder = folder_create(), deck[4096];
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    const struct Known *k = &known[i];
    char *head = strstr(k->step, "TEMPERATURE") ? edited(HEAD, "*ELASTIC\n1000.,0.\n", SOFTENS) : strdup(HEAD);
    snprintf(deck, sizeof deck, "%s%s%s*STEP\n*STATIC\n%s%s", head, HELD, k->before, k->step, TAIL);
    free(head);
    Run run = run_deck(folder, deck);
    expect_that(run.code == 0, "deck %d: exit %d\n%s%s", (int)i, run.code, run.err, deck);
    run_release(&run);
    const double value = displacement(folder, k->node, k->column);
    expect_that(fabs(value - k->value) < 2e-7, "deck %d: %.9g, wanted %.9g", (int)i, value, k->value);
  }
  folder_remove(&folder);
}

/* Two halves of a cube on top of a whole one: nodes in the middle of an edge of the face below. */
static const char *const TIED =
    "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "11,0,0,1\n12,.4,0,1\n13,1,0,1\n14,0,1,1\n15,.4,1,1\n16,1,1,1\n21,0,0,2\n22,.4,0,2\n23,1,0,2\n24,0,1,2\n25,.4,1,"
    "2\n26,1,1,2\n"
    "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n2,11,12,15,14,21,22,25,24\n3,12,13,16,15,22,23,26,25\n"
    "*NSET, NSET=LOW\n1,2,3,4\n*SURFACE, NAME=UPPER\n2,S1\n3,S1\n*SURFACE, NAME=LOWER\n1,S2\n*SURFACE, "
    "NAME=LID\n2,S2\n3,S2\n"
    "*MATERIAL, NAME=M\n*ELASTIC\n1000.,0.25\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n"
    "*BOUNDARY\nLOW,3\n1,1,2\n4,1\n*TIE, NAME=T\nUPPER,LOWER\n*STEP\n*STATIC\n*DSLOAD\nLID,P,-100.\n"
    "*NODE PRINT,NSET=ALL\nU\n*END STEP\n";

static void tie_of_other_meshes(void **state) {
  (void)state;
  char *folder = folder_create();
  Run run = run_deck(folder, TIED);
  assert_code(&run, 0);
  run_release(&run);
  assert_within(displacement(folder, 26, 2), 0.2, 1e-7);
  assert_within(displacement(folder, 25, 0), -0.4 * 0.025, 1e-7);
  folder_remove(&folder);
}

/* A quarter of a square block that is pressed on its sides. */
static const char *const SECTOR =
    "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n*NSET, NSET=LOW\n1,2,3\n*NSET, NSET=LEFT\n1,4,5,8\n"
    "*NSET, NSET=FRONT\n1,2,5,6\n*SURFACE, NAME=X0, TYPE=NODE\nLEFT\n*SURFACE, NAME=Y0, TYPE=NODE\nFRONT\n"
    "*MATERIAL, NAME=M\n*ELASTIC\n1000.,0.25\n*DENSITY\n1.\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n"
    "*BOUNDARY\nLOW,3\n2,2\n*TIE, NAME=T, CYCLIC SYMMETRY\nX0,Y0\n"
    "*CYCLIC SYMMETRY MODEL, N=4, TIE=T, NGRAPH=4\n0,0,-2,0,0,5\n*STEP\n*STATIC\n*DLOAD\n1,P4,100.\n1,P5,100.\n"
    "*NODE PRINT,NSET=ALL\nU\n*END STEP\n";
static const struct WrongSector {
  const char *from, *to; /* in SECTOR */
  const char *said;
} wrong_sector[] = {
    {"TIE=T, NGRAPH=4", "TIE=S", "there is no *TIE, CYCLIC SYMMETRY, NAME=S before it"},
    {"N=4, TIE", "N=1, TIE", "N=1 is not a number of sectors, 2 or more"},
    {"N=4, TIE", "N=6, TIE", "'X0' and 'Y0' are 90 degrees apart about the axis, and N=6 makes sectors of 60"},
    {"0,0,-2,0,0,5\n", "0,0,5,0,0,5\n", "the two points of the axis are the same"},
    {"*CYCLIC SYMMETRY MODEL, N=4, TIE=T, NGRAPH=4\n0,0,-2,0,0,5\n", "",
     "there is no *CYCLIC SYMMETRY MODEL with its axis"},
    {"*STATIC\n", "*FREQUENCY\n2\n*SELECT CYCLIC SYMMETRY MODES, NMIN=3, NMAX=3\n*STATIC\n",
     "NMIN=3: 4 sectors have 0 to 2 nodal diameters"},
    {"*STATIC\n", "*FREQUENCY\n2\n*SELECT CYCLIC SYMMETRY MODES, NMIN=2, NMAX=1\n*STATIC\n",
     "NMIN=2 to NMAX=1 is no range"},
    {"*STATIC\n", "*SELECT CYCLIC SYMMETRY MODES\n*STATIC\n", "is not behind *FREQUENCY"},
    {"*DLOAD\n", "*DLOAD, SECTOR=2\n", "the parameter SECTOR is not understood"}};

static void sector(void **state) {
  (void)state;
  char *folder = folder_create();
  Run run = run_deck(folder, SECTOR);
  assert_code(&run, 0);
  assert_said(&run, "NGRAPH=4 changes nothing");
  run_release(&run);
  for (int32_t node = 2; node < 9; ++node) /* u = -p (1 - nu)/E x across the axis, the nodes of which stay there */
    for (int c = 0; c < 2; ++c)
      assert_within(displacement(folder, node, c),
                    (c ? node % 4 == 3 || node % 4 == 0 : node % 4 == 3 || node % 4 == 2) ? -0.075 : 0, 1e-9);
  assert_within(displacement(folder, 5, 2), 0.05, 1e-9);
  for (size_t i = 0; i < sizeof wrong_sector / sizeof *wrong_sector; ++i) {
    char *text = edited(SECTOR, wrong_sector[i].from, wrong_sector[i].to);
    run = run_deck(folder, text);
    assert_code(&run, 3);
    assert_said(&run, wrong_sector[i].said);
    run_release(&run);
    free(text);
  }
  folder_remove(&folder);
}

/* Two modes with one nodal diameter and two with two, which four sectors have at most. */
static void sector_modes(void **state) {
  (void)state;
  char *folder = folder_create(), path[512], line[200];
  char *text = edited(SECTOR, "*STATIC\n*DLOAD\n1,P4,100.\n1,P5,100.\n*NODE PRINT,NSET=ALL\nU\n",
                      "*FREQUENCY\n2\n*SELECT CYCLIC SYMMETRY MODES, NMIN=1, NMAX=3\n");
  Run run = run_deck(folder, text);
  int diameter[3] = {0}, d;
  assert_code(&run, 0);
  assert_said(&run, "NMAX=3 is 2: 4 sectors have no more");
  run_release(&run);
  free(text);
  snprintf(path, sizeof path, "%s/out/modes.csv", folder);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file))
    if (sscanf(strrchr(line, ',') + 1, "%d", &d) == 1) ++diameter[d];
  fclose(file);
  assert_true(diameter[0] == 0 && diameter[1] == 2 && diameter[2] == 2);
  folder_remove(&folder);
}

static const struct Wrong {
  const char *from, *to; /* in TIED */
  int code;
  const char *said;
} wrong[] = {
    {"UPPER,LOWER\n", "UPPER,LOVER\n", 3, "*TIE: there is no surface 'LOVER'"},
    {"NAME=T\n", "NAME=T, POSITION TOLERANCE=-1\n", 3, "POSITION TOLERANCE=-1 is not a number > 0"},
    {"*TIE,", "*EQUATION\n2\n1,3,1.\n*TIE,", 3, "*EQUATION: ends inside an equation"},
    {"*TIE,", "*EQUATION\n1\nLOW,3,1.\n*TIE,", 3, "*EQUATION: the set 'LOW' has 4 nodes; single nodes are understood"},
    {"*TIE,", "*EQUATION\n1\n1,4,1.\n*TIE,", 3, "*EQUATION: '4' is not a direction; 1 to 3 are"},
    {"*TIE,", "*EQUATION\nx\n*TIE,", 3, "'x' is not a number of terms; 1 to 50 are"},
    {"*TIE,", "*EQUATION\n1\n99,3,1.\n*TIE,", 3, "*EQUATION: node 99 does not exist"},
    {"*TIE,", "*TRANSFORM,NSET=LOW,TYPE=C\n0,0,0,0,0,1\n*TIE,", 3,
     "gives no directions at node 1: it lies on the axis"},
    {"*TIE,", "*TRANSFORM,NSET=LOW,TYPE=S\n0,0,0,0,0,1\n*TIE,", 3,
     "TYPE=S is not understood; R and C, a cylinder, are"},
    {"*TIE,", "*RIGID BODY,NSET=LOW\n*TIE,", 3, "*RIGIDBODY: has no REF NODE="},
    {"*TIE,", "*RIGID BODY,NSET=LOW,REF NODE=1\n*TIE,", 3, "node 1 is among the nodes of its own group"},
    {"*TIE,", "*RIGID BODY,NSET=SET,REF NODE=1\n*TIE,", 3, "there is no node set 'SET'"},
    {"*TIE,", "*COUPLING,SURFACE=LID,REF NODE=1\n*TIE,", 3, "*KINEMATIC or *DISTRIBUTING must follow"},
    {"*TIE,", "*COUPLING,SURFACE=LID,REF NODE=1\n*KINEMATIC\n1,2\n*TIE,", 3, "*KINEMATIC: leaves direction 3 free"},
    {"*TIE,", "*KINEMATIC\n*TIE,", 3, "*KINEMATIC: does not follow a *COUPLING"},
    {"*TIE,", "*MPC\n*TIE,", 3, "*MPC: has no line with its kind and nodes"},
    {"*TIE,", "*MPC\nDIST,1,2,3\n*TIE,", 3, "*MPC: DIST is not understood; PLANE, STRAIGHT, BEAM and MEANROT are"},
    {"*TIE,", "*MPC\nPLANE,1,2,3\n*TIE,", 3, "*MPC: PLANE has 3 nodes; at least 4 are understood"},
    {"*TIE,", "*MPC\nPLANE,11,12,13,13\n*TIE,", 3, "*MPC: PLANE has 3 nodes"},
    {"*TIE,", "*MPC\nPLANE,LOW,5\n*TIE,", 3,
     "d.inp:44: node 5 is 1 away from the plane through the first nodes; it must lie there"},
    {"*TIE,", "*MPC\nSTRAIGHT,1,2\n*TIE,", 3, "*MPC: STRAIGHT has 2 nodes; at least 3 are understood"},
    {"*TIE,", "*MPC\nSTRAIGHT,1,2,3\n*TIE,", 3, "node 3 is 1 away from the line through the first nodes"},
    {"*TIE,", "*MPC\nSTRAIGHT,6,13,14\n*TIE,", 3, "the first two nodes lie at the same place"},
    {"*STEP\n*STATIC\n", "*NODE\n99,0,0,5\n*MPC\nMEANROT,21,23,24,26,99\n*STEP,NLGEOM\n*STATIC\n*CLOAD\n99,1,2.\n", 3,
     "a moment on the node of MEANROT is not understood with NLGEOM; *BOUNDARY is"},
    {"*TIE,", "*MPC\nBEAM,1,2,3\n*TIE,", 3, "*MPC: BEAM has 3 nodes; 2 are understood"},
    {"*TIE,", "*MPC\nMEANROT,2,3,1\n*TIE,", 3, "node 1, through which the axis of MEANROT goes, lies at the origin"},
    {"*TIE,", "*MPC\nMEANROT,2,3,99\n*TIE,", 3, "*MPC: node 99 does not exist"},
    {"1000.,0.25\n", "1000.,0.25,20\n900.,0.25,10\n", 3, "the temperature 10 does not rise from row to row"},
    {"*STEP\n*STATIC\n", "*STEP\n*FREQUENCY\n2\n*END STEP\n*STEP\n*STATIC\n", 3,
     "steps of several kinds are not understood"},
    {"*TIE,", "*DAMPING,ALPHA=1,BETA=-2\n*TIE,", 3, "BETA=-2 must be >= 0"},
    {"*TIE,", "*DAMPING,ALPHA=1\n*DAMPING,ALPHA=2\n*TIE,", 3, "differs from the one before"},
    {"*STATIC\n", "*DYNAMIC,ALPHA=-1\n1,2\n", 3, "ALPHA=-1 must be from -1/3 to 0"},
    {"*STATIC\n", "*DYNAMIC\n1\n", 3, "first step 1 and end 0 must be > 0"},
    {"*TIE, NAME=T\nUPPER,LOWER\n*STEP\n*STATIC\n",
     "*TIE, NAME=T\nUPPER,LOWER\n*MPC\nBEAM,22,26\n*STEP,NLGEOM\n*DYNAMIC\n.1,1.\n", 3,
     "d.inp:46: *MPC in *DYNAMIC with NLGEOM is not understood; *STATIC is"},
    {"*STEP\n", "*COUPLING,SURFACE=LID,REF NODE=5,CONSTRAINT NAME=C\n*DISTRIBUTING\n*STEP,NLGEOM\n", 3,
     "d.inp:46: *DISTRIBUTING in steps with NLGEOM"},
    {"*STEP\n*STATIC\n",
     "*AMPLITUDE,NAME=A\n0,0,1,1\n*TRANSFORM,NSET=LOW\n1,1,0,-1,1,0\n*STEP\n*DYNAMIC,DIRECT\n0.1,1\n*BOUNDARY,"
     "AMPLITUDE="
     "A\n2,1,1,0.1\n",
     3, "d.inp:54: AMPLITUDE in directions of *TRANSFORM, in time or over the frequency, is not understood"},
};

/* A node of the tied face, off the other one; then a surface of nodes, of which one is on no whole face. */
static void ties_that_do_not_meet(void **state) {
  (void)state;
  char *folder = folder_create(), *text = edited(TIED, "15,.4,1,1\n", "15,.4,1,1.3\n");
  Run run = run_deck(folder, text);
  assert_code(&run, 3);
  assert_said(&run, "d.inp:45");
  assert_said(&run, "2 of 2 facets of 'UPPER' do not lie on 'LOWER': the largest gap is 0.");
  assert_said(&run, "allowed: 0.025");
  run_release(&run);
  free(text);
  text = edited(TIED, "*SURFACE, NAME=UPPER\n2,S1\n3,S1\n", "*SURFACE, NAME=UPPER, TYPE=NODE\n11\n12\n14\n15\n16\n");
  run = run_deck(folder, text);
  assert_code(&run, 3);
  assert_said(&run, "*TIE: node 16 of 'UPPER' is on no face whose nodes are all in it");
  run_release(&run);
  free(text);
  text =
      edited(TIED, "*SURFACE, NAME=UPPER\n2,S1\n3,S1\n", "*SURFACE, NAME=UPPER, TYPE=NODE\n11\n12\n13\n14\n15\n16\n");
  run = run_deck(folder, text);
  assert_code(&run, 0);
  run_release(&run);
  assert_within(displacement(folder, 26, 2), 0.2, 1e-7);
  free(text);
  folder_remove(&folder);
}

static void wrong_joints(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = edited(TIED, wrong[i].from, wrong[i].to);
    Run run = run_deck(folder, text);
    const char *end = strchr(run.err, '\n');
    expect_that(run.code == wrong[i].code && strstr(run.err, wrong[i].said) && end && !end[1],
                "'%s': exit %d, said\n%s\nwanted %d and one line\n%s", wrong[i].to, run.code, run.err, wrong[i].code,
                wrong[i].said);
    run_release(&run);
    free(text);
  }
  folder_remove(&folder);
}

/* At finite strain; CalculiX 2.20, its iterations to 1e-10. */
static void large_joints(void **state) {
  (void)state;
  static const char *const large = "*STEP,NLGEOM\n*STATIC\n0.5,2.\n";
  static const char *const level = "*EQUATION\n2\n10,3,1.,9,3,-1.\n2,\n11,3,1.,9,3,-1.\n2\n12,3,1.,\n9,3,-1.\n";
  static const char *const turned = "*TRANSFORM,NSET=TOP\n1,2,0,-2,1,0\n*BOUNDARY\n9,1,1,0.5\n10,1,1,0.5\n11,1,1,0.5\n"
                                    "12,1,1,0.5\n9,2,2,0.\n";
  char *folder = folder_create(), *bends = edited(HEAD, "1000.,0.", "1000.,0.3"), deck[3][4096];
  char *tied = edited(TIED, "*DSLOAD\nLID,P,-100.\n", "*CLOAD\n21,3,20.\n23,3,40.\n24,3,80.\n26,3,60.\n");
  char *third = edited(tied, "*STEP\n*STATIC\n", large);
  snprintf(deck[0], sizeof *deck, "%s%s%s%s*CLOAD\n9,3,300.\n10,1,40.\n%s", bends, HELD, level, large, TAIL);
  snprintf(deck[1], sizeof *deck, "%s%s%s%s*CLOAD\n12,3,30.\n%s", bends, HELD, turned, large, TAIL);
  snprintf(deck[2], sizeof *deck, "%s", third);
  static const struct {
    int node;
    double u[3];
  } end[3] = {{11, {-1.192146e-01, 5.954777e-02, 4.278791e-01}},
              {12, {2.895614e-01, 4.142363e-01, 1.154938e-01}},
              {26, {-1.314337e-01, -1.628316e-01, 4.619831e-01}}};
  for (int i = 0; i < 3; ++i) {
    Run run = run_deck(folder, deck[i]);
    expect_that(run.code == 0, "deck %d: exit %d\n%s", i, run.code, run.err);
    run_release(&run);
    for (int k = 0; k < 3; ++k) assert_within(displacement(folder, end[i].node, k), end[i].u[k], 2e-7);
  }
  free(third);
  free(tied);
  free(bends);
  folder_remove(&folder);
}

/* *MPC at finite strain, likewise. */
static void large_conditions(void **state) {
  (void)state;
  static const char *const large = "*BOUNDARY\nLOW,1,3\n*NODE\n22,0,0,5\n*MPC\n";
  static const struct {
    const char *before, *step;
    double u[2][3]; /* of nodes 9 and 11 */
  } deck[] = {{"PLANE,TOP\n",
               "*CLOAD\n9,3,15.\n12,3,-10.\n11,1,12.\n",
               {{2.378180e-01, 2.557081e-01, 1.644641e-01}, {3.777823e-01, 6.790034e-02, -2.245529e-01}}},
              {"STRAIGHT,1,9,5\n",
               "*CLOAD\n9,1,15.\n9,2,5.\n5,1,-10.\n",
               {{2.372116e-01, 5.890888e-02, 7.259432e-02}, {1.548638e-01, 1.187539e-01, -9.409303e-02}}},
              {"MEANROT,9,9,9,10,10,10,11,11,11,12,12,12,22\n",
               "*BOUNDARY\n22,1,1,0.3\n*CLOAD\n9,1,10.\n",
               {{4.485061e-01, -1.127869e-01, 4.140781e-02}, {7.977569e-02, 1.293274e-01, -8.074724e-02}}}};
  char *folder = folder_create(), text[4096];
  for (int i = 0; i < 3; ++i) {
    snprintf(text, sizeof text, "%s%s%s*STEP,NLGEOM\n*STATIC\n.25,1.\n%s%s", HEAD, large, deck[i].before, deck[i].step,
             TAIL);
    Run run = run_deck(folder, text);
    expect_that(run.code == 0, "deck %d: exit %d\n%s", i, run.code, run.err);
    run_release(&run);
    for (int k = 0; k < 6; ++k)
      assert_within(displacement(folder, k < 3 ? 9 : 11, k % 3), deck[i].u[k / 3][k % 3], 2e-7);
  }
  folder_remove(&folder);
}

/* The nodes of an equation that a support holds to other values. */
static void equation_against_support(void **state) {
  (void)state;
  char *folder = folder_create(), deck[4096];
  snprintf(deck, sizeof deck, "%s%s*BOUNDARY\n2,2,2,0.1\n*EQUATION\n2\n1,2,1.,2,2,-1.\n*STEP\n*STATIC\n%s", HEAD, HELD,
           TAIL);
  Run run = run_deck(folder, deck);
  assert_code(&run, 3);
  assert_said(&run, "d.inp:39: this constraint contradicts those before it, or what supports prescribe");
  run_release(&run);
  folder_remove(&folder);
}

static void buckles_and_modes(void **state) {
  (void)state;
  static const char *const steps[] = {
      "*STEP\n*BUCKLE\n2\n*DSLOAD\nLID,P,1.\n*END STEP\n", "*STEP\n*FREQUENCY\n2,0.1\n*END STEP\n",
      "*STEP\n*STATIC\n*DSLOAD\nLID,P,1.\n*END STEP\n*STEP,PERTURBATION\n*FREQUENCY\n2\n"
      "*NODE PRINT,FREQUENCY=0\n*END STEP\n"};
  char *folder = folder_create(), deck[4096];
  for (int i = 0; i < 3; ++i) {
    snprintf(deck, sizeof deck, "%s%s%s", HEAD, HELD, steps[i]);
    Run run = run_deck(folder, deck);
    assert_code(&run, 0);
    run_release(&run);
    char *modes = get_text(folder, "out/modes.csv");
    assert_non_null(strstr(modes, i ? "mode,frequency" : "mode,load-factor"));
    free(modes);
  }
  folder_remove(&folder);
}

/* The first two frequencies or factors. */
static void two_modes(const char *folder, const char *deck, double value[2]) {
  Run run = run_deck(folder, deck);
  if (run.code) print_message("%s\n", run.err);
  assert_code(&run, 0);
  run_release(&run);
  char *modes = get_text(folder, "out/modes.csv");
  assert_int_equal(sscanf(strchr(modes, '\n'), "%*d,%lf%*[^\n]%*d,%lf", &value[0], &value[1]), 2);
  free(modes);
}

/* Two cubes that are joined have the modes, and buckle by the load, of two in one piece; a rigid lid changes nothing that
 * bends without contraction. */
static void joints_in_modes(void **state) {
  (void)state;
  static const char *const steps[] = {
      "*STEP\n*FREQUENCY\n2\n*END STEP\n", "*STEP\n*BUCKLE\n2\n*DSLOAD\nLID,P,1.\n*END STEP\n",
      "*STEP\n*STATIC\n*CLOAD\nTOP,3,-5.\n*END STEP\n*STEP,PERTURBATION\n*FREQUENCY\n2\n*END STEP\n"};
  static const char *const low = "*BOUNDARY\nLOW,1,3\n";
  char *folder = folder_create(), deck[4096], equations[1024] = "*EQUATION\n";
  char *nodes = edited(HEAD, "*NODE\n20,", "15,0,0,1\n16,1,0,1\n17,1,1,1\n18,0,1,1\n*NODE\n20,");
  char *split = edited(nodes, "2,5,6,7,8,9", "2,15,16,17,18,9");
  for (int k = 0; k < 12; ++k)
    snprintf(equations + strlen(equations), sizeof equations - strlen(equations), "2\n%d,%d,1.,%d,%d,-1.\n", 15 + k / 3,
             k % 3 + 1, 5 + k / 3, k % 3 + 1);
  const struct {
    const char *head, *joint;
  } joined[] = {{split, equations},
                {split, "*SURFACE,NAME=UP\n2,S1\n*SURFACE,NAME=DOWN\n1,S2\n*TIE,NAME=T\nUP,DOWN\n"},
                {HEAD, "*RIGID BODY,NSET=TOP,REF NODE=20\n"},
                {HEAD, "*COUPLING,REF NODE=20,SURFACE=LID,CONSTRAINT NAME=C\n*KINEMATIC\n1,3\n"}};
  for (int s = 0; s < 3; ++s) {
    double one[2], other[2];
    snprintf(deck, sizeof deck, "%s%s%s", HEAD, low, steps[s]);
    two_modes(folder, deck, one);
    for (int j = 0; j < 4; ++j) {
      snprintf(deck, sizeof deck, "%s%s%s%s", joined[j].head, low, joined[j].joint, steps[s]);
      two_modes(folder, deck, other);
      for (int k = 0; k < 2; ++k)
        expect_that(fabs(other[k] - one[k]) < 1e-8 * one[k], "step %d, joint %d: %.12g, not %.12g", s, j, other[k],
                    one[k]);
    }
  }
  free(split);
  free(nodes);
  folder_remove(&folder);
}

/* Between two walls the nodes in the middle of two cubes move sideways with w^2 = (G - s) 2 / (2 / 3), s = E a T. */
static void heat_in_modes(void **state) {
  (void)state;
  char *folder = folder_create(), deck[4096], *head = edited(HEAD, "*DENSITY", "*EXPANSION\n1e-3\n*DENSITY");
  double value[2];
  static const char *const walls = "*BOUNDARY\nLOW,1,3\nTOP,1,3\n*INITIAL CONDITIONS,TYPE=TEMPERATURE\nALL,0.\n";
  snprintf(deck, sizeof deck,
           "%s%s*STEP\n*STATIC\n*TEMPERATURE\nALL,30.\n*END STEP\n*STEP,PERTURBATION\n*FREQUENCY\n2\n*END STEP\n", head,
           walls);
  two_modes(folder, deck, value);
  expect_that(fabs(value[1] - sqrt((500 - 30) * 3) / (2 * M_PI)) < 1e-8, "frequency %.12g", value[1]);
  snprintf(deck, sizeof deck, "%s%s*STEP\n*BUCKLE\n2\n*TEMPERATURE\nALL,30.\n*END STEP\n", head, walls);
  two_modes(folder, deck, value);
  expect_that(fabs(value[1] - 500. / 30) < 1e-7, "factor %.12g", value[1]);
  free(head);
  folder_remove(&folder);
}

/* 0.5 times an amplitude that rises to 1 and falls to 0 at t = 2; and a free body that keeps its velocity. */
static void steps_in_time(void **state) {
  (void)state;
  static const struct {
    const char *before, *step;
    double value;
  } moves[] = {{"*AMPLITUDE,NAME=A\n0,0,0.5,1,2,0\n", "*BOUNDARY,AMPLITUDE=A\nALL,1,1,0.5\n", 0.5 * 2 / 3},
               {"*DAMPING,ALPHA=0,BETA=0\n*INITIAL CONDITIONS,TYPE=VELOCITY\nALL,1,2.\n", "", 2}};
  char *folder = folder_create(), deck[4096];
  for (int i = 0; i < 2; ++i) {
    snprintf(deck, sizeof deck, "%s%s*STEP\n*DYNAMIC,DIRECT\n0.1,1.\n%s*NODE PRINT,NSET=ALL\nU\n*END STEP\n", HEAD,
             moves[i].before, moves[i].step);
    Run run = run_deck(folder, deck);
    assert_code(&run, 0);
    run_release(&run);
    assert_within(displacement(folder, 11, 0), moves[i].value, 1e-6);
  }
  folder_remove(&folder);
}

/* The cubes swing about an axis above them; CalculiX 2.20, which leaves out a part of the inertia of nodes that turn with the group. */
static void swinging(void **state) {
  (void)state;
  char *folder = folder_create(), *bends = edited(HEAD, "1000.,0.", "1000.,0.3"), deck[4096];
  snprintf(
      deck, sizeof deck,
      "%s*RIGID BODY,NSET=TOP,REF NODE=20\n*BOUNDARY\n20,1,4\n20,6,6\n*AMPLITUDE,NAME=A\n0,0,0.5,1,1,0\n*STEP,NLGEOM"
      "\n*DYNAMIC,DIRECT\n0.02,1\n*CLOAD,AMPLITUDE=A\nLOW,1,0.8\n*NODE PRINT,NSET=ALL,FREQUENCY=50\nU\n*END STEP\n",
      bends);
  Run run = run_deck(folder, deck);
  expect_that(run.code == 0, "exit %d\n%s", run.code, run.err);
  run_release(&run);
  assert_within(displacement(folder, 1, 0), 6.146108e-01, 2e-4);
  assert_within(displacement(folder, 2, 2), 9.980377e-02, 2e-4);
  free(bends);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_decks),
      cmocka_unit_test(tie_of_other_meshes),
      cmocka_unit_test(sector),
      cmocka_unit_test(sector_modes),
      cmocka_unit_test(ties_that_do_not_meet),
      cmocka_unit_test(wrong_joints),
      cmocka_unit_test(equation_against_support),
      cmocka_unit_test(joints_in_modes),
      cmocka_unit_test(heat_in_modes),
      cmocka_unit_test(buckles_and_modes),
      cmocka_unit_test(steps_in_time),
      cmocka_unit_test(large_joints),
      cmocka_unit_test(large_conditions),
      cmocka_unit_test(swinging),
  };
  return cmocka_run_group_tests_name("deck joints", tests, NULL, NULL);
}
