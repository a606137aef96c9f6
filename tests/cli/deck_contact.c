/* Decks of two bodies that touch: numbers that are known, tables, and what is refused. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two cubes, one on top of the other, with nodes of their own; the second begins at `lift`. Without the effect of
 * Poisson: under a pressure p on top it goes down by 2 p / E. */
static const char *const REST =
    "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n2,9,10,11,12,13,14,15,16\n"
    "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=TOP\n13,14,15,16\n*NSET, NSET=UNDER\n9,10,11,12\n"
    "*SURFACE, NAME=MASTER\n1,S2\n*SURFACE, NAME=SLAVE\n2,S1\n*SURFACE, NAME=NODES, TYPE=NODE\nUNDER\n"
    "*SURFACE, NAME=ONE, TYPE=NODE\n9\n"
    "*MATERIAL, NAME=M\n*ELASTIC\n1000.,0.\n*DENSITY\n1.\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n"
    "*BOUNDARY\nLOW,3\n1,1,2\n4,1\n9,1,2\n12,1\n13,1,2\n16,1\n";
static const char *const PAIR = "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nSLAVE, MASTER\n";
static const char *const LINEAR = "*SURFACE INTERACTION, NAME=I\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e7\n";
static const char *const STEP = "*STEP\n*STATIC\n*DLOAD\n2,P2,10.\n";
static const char *const TAIL = "*NODE PRINT,NSET=ALL\nU,RF\n*CONTACT PRINT\nCDIS,CSTR,CF\n*END STEP\n";

static Run run_with(const char *folder, const char *lift, const char *rest, const char *pair, const char *step) {
  char deck[4096];
  snprintf(deck, sizeof deck,
           "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
           "9,0,0,%s\n10,1,0,%s\n11,1,1,%s\n12,0,1,%s\n13,0,0,2\n14,1,0,2\n15,1,1,2\n16,0,1,2\n%s%s%s%s",
           lift, lift, lift, lift, rest, pair, step, TAIL);
  put_text(folder, "d.inp", deck);
  return run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
}

static Run run_parts(const char *folder, const char *lift, const char *pair, const char *step) {
  return run_with(folder, lift, REST, pair, step);
}

/* Number `column` of the line of a node in the last table whose head has the word. */
static double listed(const char *folder, const char *word, int node, int column) {
  char *dat = get_text(folder, "out/d.dat"), label[32];
  const char *table = NULL;
  double value = NAN;
  snprintf(label, sizeof label, "\n%10d ", node);
  for (const char *p = dat; (p = strstr(p, word)); ++p) table = p;
  const char *line = table ? strstr(table, label) : NULL;
  expect_that(line != NULL, "no node %d below '%s' in\n%s", node, word, dat);
  char *p = (char *)(uintptr_t)line + strlen(label);
  for (int k = 0; k <= column; ++k) value = strtod(p, &p);
  free(dat);
  return value;
}

static const struct Known {
  const char *lift, *before, *step, *head;
  int node, column;
  double value;
} known[] = {
    {"1", "", "", "displacements", 15, 2, -0.02},
    {"1", "", "", "contact stress", 11, 0, 10},
    {"1", "", "", " forces", 7, 2, 0}, /* of contact, which is left out */
    {"1", "", "", " forces", 3, 2, 2.5},
    {"1", "", "", " forces", 15, 2, -2.5},
    {"1", "", "", "contact displacement", 11, 0, 0},
    {"1", "", "", "contact force", 11, 2, 2.5},
    {"1", "EXPONENTIAL", "", "displacements", 15, 2, -0.02},
    {"1", "TIED", "*DLOAD\n2,P2,-20.\n", "displacements", 15, 2, 0.02},      /* the rows add up: it pulls */
    {"1.01", "TIED", "*DLOAD\n2,P2,-20.\n", "displacements", 15, 2, 0.0099}, /* a gap closes, and an overlap opens */
    {"0.98", "TIED", "*DLOAD\n2,P2,-20.\n", "displacements", 15, 2, 0.0402},
    {"1.3", "TIED", "*DLOAD\n2,P2,-20.\n", "displacements", 15, 2, -0.283},
    {"1.004", "TIE", "", "displacements", 15, 2, -0.02}, /* nodes of *TIE are moved, or stay where they are told to */
    {"1.1", "TIE, POSITION TOLERANCE=0.2", "", "displacements", 15, 2, -0.02},
    {"1.1", "TIE, POSITION TOLERANCE=0.2, ADJUST=NO", "", "displacements", 15, 2, -0.019},
    {"1", "NODES", "", "contact stress", 11, 0, 10},
    /* a gap of 0.01 under a top that is pressed down by 0.03: what is left makes the strain; likewise closed */
    {"1.01", "", "*BOUNDARY\nTOP,3,3,-0.03\n", "contact stress", 11, 0, 1000 * 0.02 / 1.99},
    {"1.01", "ADJUST=0.02", "*BOUNDARY\nTOP,3,3,-0.03\n", "contact stress", 11, 0, 1000 * 0.03 / 2},
    {"1.01", "ADJUST=UNDER", "*BOUNDARY\nTOP,3,3,-0.03\n", "contact stress", 11, 0, 1000 * 0.03 / 2},
    {"1.01", "ADJUST=0.001", "*BOUNDARY\nTOP,3,3,-0.03\n", "contact stress", 11, 0, 1000 * 0.02 / 1.99},
    /* both lie over each other evenly: fitted */
    {"0.98", "", "*BOUNDARY\nTOP,3,3,0.\n", "contact stress", 11, 0, 1000 * 0.02 / 2.02},
    {"1", "CLEARANCE", "*BOUNDARY\nTOP,3,3,0.\n", "contact stress", 11, 0, 1000 * 0.02 / 2},
    /* or apart by 0.01, whatever the mesh says */
    {"1", "APART", "*BOUNDARY\nTOP,3,3,-0.03\n", "contact stress", 11, 0, 1000 * 0.02 / 2},
    {"1.005", "APART", "*BOUNDARY\nTOP,3,3,-0.005\n", "contact displacement", 11, 0, 0.005},
    /* a second step goes on from the first */
    {"1", "", "*END STEP\n*STEP\n*STATIC\n*DLOAD\n2,P2,30.\n", "contact stress", 11, 0, 30},
    {"1", "", "*END STEP\n*STEP\n*STATIC\n*DLOAD\n2,P2,30.\n", "displacements", 15, 2, -0.06},
    /* of large strains, with surfaces that slide: (l^3 - l) E / 2 = -p */
    {"1", "", "*END STEP\n*STEP,NLGEOM\n*STATIC,DIRECT\n0.25,1.\n*DLOAD\n2,P2,80.\n", "contact stress", 11, 0, 80},
    {"1", "", "*END STEP\n*STEP,NLGEOM\n*STATIC,DIRECT\n0.25,1.\n*DLOAD\n2,P2,80.\n", "displacements", 15, 2,
     -0.18483315866},
};

/* The pair with what `word` changes in it. */
static void pair_text(const char *word, char text[600]) {
  if (strncmp(word, "TIE", 3) == 0 && strcmp(word, "TIED") != 0) {
    snprintf(text, 600, "*%s, NAME=T\nSLAVE, MASTER\n", word);
    return;
  }
  char *behavior =
      strcmp(word, "TIED") == 0 || strcmp(word, "EXPONENTIAL") == 0 ? edited(LINEAR, "LINEAR", word) : strdup(LINEAR);
  snprintf(text, 600, "*CONTACT PAIR, INTERACTION=I, TYPE=%s%s%s\n%s, MASTER\n%s%s",
           strcmp(word, "NODES") == 0 ? "NODE TO SURFACE" : "SURFACE TO SURFACE", strstr(word, "ADJUST") ? "," : "",
           strstr(word, "ADJUST") ? word : "", strcmp(word, "NODES") == 0 ? "NODES" : "SLAVE", behavior,
           strcmp(word, "CLEARANCE") == 0 ? "*CLEARANCE, MASTER=MASTER, SLAVE=SLAVE, VALUE=-0.02\n"
           : strcmp(word, "APART") == 0   ? "*CLEARANCE, MASTER=MASTER, SLAVE=SLAVE, VALUE=0.01\n"
                                          : "");
  free(behavior);
}

static void known_decks(void **state) {
  (void)state;
  char *folder = folder_create(), pair[600], step[600];
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
    const struct Known *k = &known[i];
    pair_text(k->before, pair);
    snprintf(step, sizeof step, "%s%s", strstr(k->step, "TOP,3") ? "*STEP\n*STATIC\n" : STEP, k->step);
    Run run = run_parts(folder, k->lift, pair, step);
    expect_that(run.code == 0, "%s: %s", k->before, run.err);
    const double value = listed(folder, k->head, k->node, k->column);
    expect_that(fabs(value - k->value) <= 1e-5 * fabs(k->value) + 1e-9, "deck %d: %.9g, wanted %.9g", (int)i, value,
                k->value);
    run_release(&run);
  }
  folder_remove(&folder);
}

static const struct Refused {
  const char *pair, *step, *says;
} refused[] = {
    {"*CLEARANCE, MASTER=SLAVE, SLAVE=MASTER, VALUE=0.\n", "", "no *CONTACT PAIR"},
    {"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=TABULAR\n1,0\n", "", "TABULAR"},
    {"*CONTACT PAIR, INTERACTION=J\nSLAVE, MASTER\n", "", "no *SURFACE INTERACTION 'J'"},
    {"*CONTACT PAIR, INTERACTION=I, TYPE=MASSLESS\nSLAVE, MASTER\n", "", "MASSLESS"},
    {"*CONTACT PAIR, INTERACTION=I\nONE, MASTER\n", "", "node 9"},
    {"*CONTACT PAIR, INTERACTION=I, ADJUST=NOWHERE\nSLAVE, MASTER\n", "", "NOWHERE"},
    {"*TIE, NAME=T, ADJUST=MAYBE\nSLAVE, MASTER\n", "", "ADJUST=MAYBE is not understood; YES and NO are"},
    {"", "*CHANGE FRICTION, INTERACTION=I\n", "has no *FRICTION behind it"},
    {"", "*CHANGE FRICTION, INTERACTION=K\n*FRICTION\n0.1\n", "no *SURFACE INTERACTION 'K'"},
    {"", "*FRICTION\n0.1\n", "without *CHANGE FRICTION in front of it"},
    {"", "*CHANGE SURFACE BEHAVIOR, INTERACTION=I\n", "as in the first one"},
    {"", "*FREQUENCY\n2\n", "*CONTACT PAIR is understood in steps of *STATIC"},
};

static void refused_decks(void **state) {
  (void)state;
  char *folder = folder_create(), pair[1200], step[600];
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    const bool modes = strstr(refused[i].step, "FREQUENCY") != NULL;
    snprintf(pair, sizeof pair, "%s%s%s", PAIR, LINEAR, refused[i].pair);
    snprintf(step, sizeof step, "%s%s", modes ? "*STEP\n" : STEP, refused[i].step);
    Run run = run_parts(folder, "1", pair, step);
    expect_that(run.code == 3 && strstr(run.err, refused[i].says), "'%s' is not in\n%s", refused[i].says, run.err);
    run_release(&run);
  }
  folder_remove(&folder);
}

/* What is other than in the program that the deck is of is said. */
static void told(void **state) {
  (void)state;
  static const char *const words[] = {"", "exact here", "EXPONENTIAL", "exponential law", "TIED", "tied exactly"};
  char *folder = folder_create(), pair[600];
  for (size_t i = 0; i < sizeof words / sizeof *words; i += 2) {
    pair_text(words[i], pair);
    Run run = run_parts(folder, "1", pair, STEP);
    expect_that(run.code == 0 && strstr(run.err, words[i + 1]), "'%s' is not in\n%s", words[i + 1], run.err);
    run_release(&run);
  }
  folder_remove(&folder);
}

/* The coefficient is that of the pair in the case; the stick slope is left out. */
static void friction_is_taken(void **state) {
  (void)state;
  char *folder = folder_create(), pair[1200];
  snprintf(pair, sizeof pair, "%s%s*FRICTION\n0.3,1e4\n", PAIR, LINEAR);
  Run run = run_parts(folder, "1", pair, STEP);
  expect_that(run.code == 0, "%s", run.err);
  run_release(&run);
  expect_that(fabs(listed(folder, "contact force", 11, 2) - 2.5) < 1e-5, "friction changes what is only pressed");
  run = run_sinew(folder, "convert", "d.inp", "friction.yaml", NULL);
  expect_that(run.code == 0, "%s", run.err);
  run_release(&run);
  char *text = get_text(folder, "friction.yaml");
  expect_that(strstr(text, ", friction: 0.29999999999999999") || strstr(text, ", friction: 0.3"), "%s", text);
  free(text);
  folder_remove(&folder);
}

/* As CalculiX does, surfaces slide far with NLGEOM unless SMALL SLIDING is said. */
/* The block on top, free across, is pushed along by as much as makes it slide: the force is that of the coefficient of the step. */
static void friction_changes(void **state) {
  (void)state;
  char *folder = folder_create(), step[1200];
  const char *const pair =
      "*SURFACE INTERACTION, NAME=I\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e7\n*FRICTION\n0.3,1e4\n"
      "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nSLAVE, MASTER\n";
  snprintf(step, sizeof step, "%s",
           "*STEP\n*STATIC\n*BOUNDARY\nTOP,1,2\nTOP,3,3,-0.02\n*END STEP\n"
           "*STEP\n*STATIC\n*CHANGE FRICTION, INTERACTION=I\n*FRICTION\n0.1,1e4\n*BOUNDARY\nTOP,1,1,0.1\n");
  char *free_sides = edited(REST, "9,1,2\n12,1\n13,1,2\n16,1\n", "");
  Run run = run_with(folder, "1", free_sides, pair, step);
  free(free_sides);
  expect_that(run.code == 0, "%s", run.err);
  run_release(&run);
  double force[2] = {0};
  for (int node = 9; node <= 12; ++node)
    for (int k = 0; k < 2; ++k) force[k] += listed(folder, "contact force", node, 2 * k);
  expect_that(force[1] > 1 && fabs(fabs(force[0]) - 0.1 * force[1]) < 1e-5 * force[1], "force along %g, across %g",
              force[0], force[1]);
  folder_remove(&folder);
}

static void surfaces_slide_far(void **state) {
  (void)state;
  static const struct {
    const char *more, *step;
    bool far;
  } row[] = {{"", "*STEP,NLGEOM\n*STATIC\n", true},
             {",SMALL SLIDING", "*STEP,NLGEOM\n*STATIC\n", false},
             {"", "*STEP\n*STATIC\n", false}};
  char *folder = folder_create(), pair[1024];
  for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
    snprintf(pair, sizeof pair, "%s%s", PAIR, LINEAR);
    char *end = strchr(strstr(pair, "*CONTACT PAIR"), '\n');
    memmove(end + strlen(row[i].more), end, strlen(end) + 1);
    memcpy(end, row[i].more, strlen(row[i].more));
    Run run = run_parts(folder, "1", pair, row[i].step);
    expect_that(run.code == 0, "%s", run.err);
    run_release(&run);
    run = run_sinew(folder, "convert", "d.inp", "far.yaml", "--overwrite", NULL);
    expect_that(run.code == 0, "%s", run.err);
    run_release(&run);
    char *text = get_text(folder, "far.yaml");
    expect_that(!strstr(text, "sliding: finite") == !row[i].far, "%s", text);
    free(text);
  }
  folder_remove(&folder);
}

/* A support that begins in the second step goes on from where the first has left its nodes, also where surfaces are found anew. */
static void supports_begin(void **state) {
  (void)state;
  char *folder = folder_create(), pair[600];
  pair_text("", pair);
  Run run =
      run_parts(folder, "1", pair,
                "*STEP,NLGEOM\n*STATIC,DIRECT\n0.5,1.\n*DLOAD\n2,P2,80.\n*END STEP\n*STEP,NLGEOM\n*STATIC,DIRECT\n"
                "0.25,1.\n*BOUNDARY\nTOP,3,3,-0.3\n");
  expect_that(run.code == 0, "%s", run.err);
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat"), *at = strstr(dat, "time  0.1500000E+01");
  at = at ? strstr(at, "\n        15 ") : NULL;
  expect_that(at != NULL, "no node 15 at 1.5 in\n%s", dat);
  double u[3];
  at += 11;
  for (int k = 0; k < 3; ++k) u[k] = strtod(at, &at);
  assert_within(u[2], (-0.18483315866 - 0.3) / 2, 1e-6);
  free(dat);
  folder_remove(&folder);
}

/* A shank of two elements beside a sleeve of one, whose tops move alike: stiffness 1000 and 500 of cubes of 2000 and 500 times 2. */
static void shank_text(const char *section, const char *steps, char deck[4096]) {
  snprintf(
      deck, 4096,
      "*NODE, NSET=ALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9,0,0,2\n10,1,0,2\n"
      "11,1,1,2\n12,0,1,2\n21,3,0,0\n22,5,0,0\n23,5,1,0\n24,3,1,0\n25,3,0,2\n26,5,0,2\n27,5,1,2\n28,3,1,2\n"
      "*NODE\n50,0,0,0\n*ELEMENT, TYPE=C3D8, ELSET=SHANK\n1,1,2,3,4,5,6,7,8\n2,5,6,7,8,9,10,11,12\n"
      "*ELEMENT, TYPE=C3D8, ELSET=SLEEVE\n3,21,22,23,24,25,26,27,28\n*NSET, NSET=LOW\n1,2,3,4,21,22,23,24\n"
      "*NSET, NSET=PILOT\n50\n*SURFACE, NAME=CUT\n1,S2\n*SURFACE, NAME=OVER\n2,S1\n"
      "*MATERIAL, NAME=A\n*ELASTIC\n2000.,0.\n*SOLID SECTION, ELSET=SHANK, MATERIAL=A\n"
      "*MATERIAL, NAME=B\n*ELASTIC\n500.,0.\n*SOLID SECTION, ELSET=SLEEVE, MATERIAL=B\n*BOUNDARY\nLOW,1,3\nALL,1,2\n"
      "*EQUATION\n2\n10,3,1.,9,3,-1.\n2\n11,3,1.,9,3,-1.\n2\n12,3,1.,9,3,-1.\n2\n25,3,1.,9,3,-1.\n2\n"
      "26,3,1.,9,3,-1.\n2\n27,3,1.,9,3,-1.\n2\n28,3,1.,9,3,-1.\n%s%s*NODE PRINT,NSET=ALL\nRF\n*END STEP\n",
      section, steps);
}

static Run run_shank(const char *folder, const char *section, const char *steps) {
  char deck[4096];
  shank_text(section, steps, deck);
  put_text(folder, "d.inp", deck);
  return run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
}

/* The shank pulls at node 1 with a quarter of its force. CalculiX 2.20 gives the same. */
static const struct Tightened {
  const char *section, *steps;
  double force;
} tightened[] = {
    {"*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n0.,0.,1.\n", "*STEP\n*STATIC\n*CLOAD\n50,1,30.\n", 30},
    {"*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n0.,0.,-1.\n", "*STEP\n*STATIC\n*CLOAD\n50,1,-30.\n", 30},
    {"*PRE-TENSION SECTION, SURFACE=OVER, NODE=50\n0.,0.,1.\n", "*STEP\n*STATIC\n*CLOAD\n50,1,-30.\n", 30},
    {"*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n", "*STEP\n*STATIC\n*BOUNDARY\n50,1,1,0.09\n", 30},
    {"*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n0.,0.,1.\n",
     "*STEP\n*STATIC\n*CLOAD\n50,1,30.\n*END STEP\n*STEP\n*STATIC\n*CLOAD\n9,3,12.\n", 30},
    {"*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n0.,0.,1.\n",
     "*STEP\n*STATIC\n*CLOAD\n50,1,30.\n*END STEP\n*STEP\n*STATIC\n*BOUNDARY,FIXED\n50,1,1\n*CLOAD,OP=NEW\n9,3,12.\n",
     38},
    {"*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n0.,0.,1.\n",
     "*STEP\n*STATIC\n*CLOAD\n50,1,30.\n*END STEP\n*STEP\n*STATIC\n*BOUNDARY,FIXED\n50,1,1\n*CLOAD,OP=NEW\n9,3,12.\n"
     "*END STEP\n*STEP\n*STATIC\n*BOUNDARY,FIXED\n50,1,1\n*CLOAD,OP=NEW\n9,3,24.\n",
     46}, /* it is fixed already, from the end of the first step on */
    {"*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n0.,0.,1.\n",
     "*STEP\n*STATIC\n*CLOAD\n50,1,30.\n*END STEP\n*STEP\n*STATIC\n*CLOAD\n50,1,50.\n", 50},
    {"*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n0.,0.,1.\n",
     "*STEP\n*STATIC\n*CLOAD\n50,1,30.\n*END STEP\n*STEP,NLGEOM\n*STATIC,DIRECT\n0.25,1.\n*BOUNDARY,FIXED\n"
     "50,1,1\n*CLOAD,OP=NEW\n9,3,120.\n",
     112.72044},
    {"*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n0.,0.,1.\n",
     "*STEP\n*STATIC\n*CLOAD\n50,1,30.\n*END STEP\n*STEP,NLGEOM\n*STATIC,DIRECT\n0.25,1.\n*CLOAD\n50,1,50.\n", 50}};

static void shanks_are_tightened(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof tightened / sizeof *tightened; ++i) {
    Run run = run_shank(folder, tightened[i].section, tightened[i].steps);
    expect_that(run.code == 0, "%s: %s", tightened[i].steps, run.err);
    run_release(&run);
    const double force = -4 * listed(folder, " forces", 1, 2);
    expect_that(fabs(force - tightened[i].force) < 1e-5, "%s: %.9g, not %g", tightened[i].steps, force,
                tightened[i].force);
  }
  folder_remove(&folder);
}

static void shanks_are_refused(void **state) {
  (void)state;
  static const char *const words[] = {
      "*PRE-TENSION SECTION, ELEMENT=1, NODE=50\n",
      "ELEMENT= is a bolt as a beam",
      "*PRE-TENSION SECTION, SURFACE=CUT\n",
      "has no NODE=",
      "*PRE-TENSION SECTION, SURFACE=NONE, NODE=50\n",
      "no surface of faces 'NONE'",
      "*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n1.,0.,0.\n",
      "lies in its surface",
      "*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n*STEP\n*STATIC\n*CLOAD\n50,2,30.\n*END STEP\n",
      "direction 1 alone",
      "*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n*STEP\n*STATIC\n*BOUNDARY,FIXED\n50,1,1\n*END STEP\n",
      "has not moved yet",
      "*PRE-TENSION SECTION, SURFACE=CUT, NODE=50\n*NSET,NSET=MIX\n9,50\n*STEP\n*STATIC\n*END STEP\n*STEP\n*STATIC\n"
      "*BOUNDARY,FIXED\nMIX,1,1\n*END STEP\n",
      "FIXED of nodes of *PRE-TENSION SECTION beside others"};
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof words / sizeof *words; i += 2) {
    Run run = run_shank(folder, words[i], "*STEP\n*STATIC\n*CLOAD\n9,3,1.\n");
    expect_that(run.code != 0 && strstr(run.err, words[i + 1]), "'%s' is not in\n%s", words[i + 1], run.err);
    run_release(&run);
  }
  folder_remove(&folder);
}

/* A stiff block that slides on a table which gets slippery in the second step of its motion: its mean way by Coulomb's law. */
static void friction_changes_in_motion(void **state) {
  (void)state;
  char *folder = folder_create(), deck[4096];
  snprintf(
      deck, sizeof deck,
      "*NODE, NSET=ALL\n1,0,0,0\n2,3,0,0\n3,3,1,0\n4,0,1,0\n5,0,0,1\n6,3,0,1\n7,3,1,1\n8,0,1,1\n"
      "9,1,0.1,1\n10,2,0.1,1\n11,2,0.9,1\n12,1,0.9,1\n13,1,0.1,1.5\n14,2,0.1,1.5\n15,2,0.9,1.5\n16,1,0.9,1.5\n"
      "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n2,9,10,11,12,13,14,15,16\n*ELSET, ELSET=UP\n2\n"
      "*NSET, NSET=FOOT\n1,2,3,4,5,6,7,8\n*NSET, NSET=BLOCK\n9,10,11,12,13,14,15,16\n"
      "*SURFACE, NAME=MASTER\n1,S2\n*SURFACE, NAME=SLAVE\n2,S1\n*MATERIAL, NAME=M\n*ELASTIC\n1e6,0.3\n*DENSITY\n1.\n"
      "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n%s*FRICTION\n0.4,1e7\n%s*BOUNDARY\nFOOT,1,3\n"
      "*INITIAL CONDITIONS, TYPE=VELOCITY\nBLOCK,1,1.\n*STEP, NLGEOM, INC=1000\n*DYNAMIC, DIRECT\n0.001,0.05\n*DLOAD\n"
      "UP,GRAV,10.,0.,0.,-1.\n*NODE PRINT, NSET=BLOCK, FREQUENCY=50\nU\n*END STEP\n*STEP, NLGEOM, INC=1000\n*DYNAMIC, "
      "DIRECT\n0.001,0.05\n*CHANGE FRICTION, INTERACTION=I\n*FRICTION\n0.1,1e7\n*END STEP\n",
      LINEAR, PAIR);
  put_text(folder, "d.inp", deck);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  double way = 0;
  for (int node = 9; node <= 16; ++node) way += listed(folder, "displacements", node, 0) / 8;
  const double first = 0.05 - 2 * 0.05 * 0.05, then = 0.8 * 0.05 - 0.5 * 0.05 * 0.05; /* 4e-3 less with 0.4 in both */
  assert_within(way, first + then, 4e-4);
  folder_remove(&folder);
}

/* Modes about two distorted cubes that are pressed together: where they stick, to the digits of CalculiX with a slope of 1e11; without friction
 * pressures turn with the surface there, which moves frequencies by about 1.2e-4 of the modulus. */
static void modes_as_calculix_has_them(void **state) {
  (void)state;
  static const char *const rubs[] = {"", "*FRICTION\n1.5,1e8\n"};
  static const double load[] = {0.01, 1}, near[] = {1e-4, 4e-7},
                      wanted[][4] = {{1.378958, 2.015697, 3.185537, 4.112917},
                                     {2.725315, 4.098226, 4.265690, 4.650863}};
  char *folder = folder_create(), deck[4096];
  for (int k = 0; k < 2; ++k) {
    snprintf(deck, sizeof deck,
             "*NODE, NSET=ALL\n1,0,0,0\n2,1.1,0,0\n3,1,1,0\n4,0,0.9,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
             "9,0,0,1\n10,1,0,1\n11,1,1,1\n12,0,1,1\n13,0,0,2.1\n14,0.9,0,2\n15,1,1.2,2\n16,0,1,2\n"
             "*ELEMENT, TYPE=C3D8, ELSET=BODY\n1,1,2,3,4,5,6,7,8\n2,9,10,11,12,13,14,15,16\n"
             "*SURFACE, NAME=MASTER\n1,S2\n*SURFACE, NAME=SLAVE\n2,S1\n*MATERIAL, NAME=M\n*ELASTIC\n1000.,0.3\n"
             "*DENSITY\n1.\n*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*BOUNDARY\n1,1,3\n2,1,3\n3,1,3\n4,1,3\n13,1,2\n"
             "16,1\n%s%s%s*STEP, NLGEOM\n*STATIC\n0.5,1.\n*CLOAD\n13,3,%g\n14,3,%g\n15,3,%g\n16,3,%g\n*END STEP\n"
             "*STEP, PERTURBATION\n*FREQUENCY\n4\n*END STEP\n",
             LINEAR, rubs[k], PAIR, -4 * load[k], -3 * load[k], -2 * load[k], -3 * load[k]);
    put_text(folder, "d.inp", deck);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
    assert_code(&run, 0);
    (k ? assert_not_said : assert_said)(&run, "keep their normals");
    char *modes = get_text(folder, "out/modes.csv"), *row = modes;
    for (int i = 0; i < 4; ++i) {
      row = strchr(strchr(row, '\n') + 1, ',') + 1;
      assert_relative(strtod(row, NULL), wanted[k][i], near[k]);
    }
    free(modes);
    run_release(&run);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_decks),
                                     cmocka_unit_test(refused_decks),
                                     cmocka_unit_test(friction_is_taken),
                                     cmocka_unit_test(friction_changes),
                                     cmocka_unit_test(surfaces_slide_far),
                                     cmocka_unit_test(told),
                                     cmocka_unit_test(supports_begin),
                                     cmocka_unit_test(shanks_are_tightened),
                                     cmocka_unit_test(shanks_are_refused),
                                     cmocka_unit_test(friction_changes_in_motion),
                                     cmocka_unit_test(modes_as_calculix_has_them)};
  return cmocka_run_group_tests_name("deck contact", tests, NULL, NULL);
}
