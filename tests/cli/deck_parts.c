/* Decks of parts and instances: the same numbers as the flat deck of the same, and what is refused. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two cubes on top of each other, stiff along the local 1 = x. Instance B stands on A, turned by 90 degrees. */
#define BAR_NODES                                                                                                      \
  "1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9,0,0,2\n10,1,0,2\n11,1,1,2\n12,0,1,2\n"
static const char *const PARTS =
    "*HEADING\nTwo of a kind\n*PART, NAME=Bar\n*NODE, NSET=ALL\n" BAR_NODES
    "*ELEMENT, TYPE=C3D8, ELSET=Body\n1,1,2,3,4,5,6,7,8\n2,5,6,7,8,9,10,11,12\n"
    "*NSET, NSET=LOW, GENERATE\n1,4,1\n*NSET, NSET=TOP\n9,10,11,12\n*NSET, NSET=ENDS\nLOW,TOP\n"
    "*ELSET, ELSET=UPPER\n2\n*SURFACE, NAME=LID\nUPPER,S2\n*SURFACE, NAME=FOOT\n1,S1\n"
    "*ORIENTATION, NAME=O\n1,0,0,0,1,0\n*SOLID SECTION, ELSET=Body, MATERIAL=M, ORIENTATION=O\n*END PART\n"
    "*ASSEMBLY, NAME=Both\n*INSTANCE, NAME=A, PART=bar\n*END INSTANCE\n"
    "*INSTANCE, NAME=B, PART=Bar\n0,0,2\n0.5,0.5,0,0.5,0.5,1,90.\n*END INSTANCE\n"
    "*NSET, NSET=PULLED, INSTANCE=B\nTOP\n*NSET, NSET=EDGE\nB.9,B.12\n*ELSET, ELSET=CUBE, INSTANCE=B\n2\n"
    "JOINT"
    "*END ASSEMBLY\n"
    "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n3000.,1000.,1000.,0.1,0.2,0.3,400.,500.\n450.\n"
    "*BOUNDARY\nA.LOW,1,3\n*STEP\n*STATIC\n*CLOAD\nPULLED,3,10.\nB.11,1,3.\nEDGE,2,1.\n*DSLOAD\nB.LID,P,1.\n"
    "*NODE PRINT,NSET=A.ALL\nU\n*NODE PRINT,NSET=B.ENDS\nU,RF\n*EL PRINT,ELSET=CUBE,GLOBAL=YES\nS\n"
    "*EL PRINT,ELSET=B.Body\nS\n*END STEP\n";
static const char *const FLAT =
    "*NODE, NSET=A.ALL\n" BAR_NODES
    "*NODE, NSET=B.ALL\n101,1,0,2\n102,1,1,2\n103,0,1,2\n104,0,0,2\n105,1,0,3\n106,1,1,3\n107,0,1,3\n108,0,0,3\n"
    "109,1,0,4\n110,1,1,4\n111,0,1,4\n112,0,0,4\n"
    "*ELEMENT, TYPE=C3D8, ELSET=A.Body\n1,1,2,3,4,5,6,7,8\n2,5,6,7,8,9,10,11,12\n"
    "*ELEMENT, TYPE=C3D8, ELSET=B.Body\n11,101,102,103,104,105,106,107,108\n12,105,106,107,108,109,110,111,112\n"
    "*NSET, NSET=LOW\n1,2,3,4\n*NSET, NSET=PULLED\n109,110,111,112\n*NSET, NSET=EDGE\n109,112\n"
    "*NSET, NSET=B.ENDS\n101,102,103,104,PULLED\n*ELSET, ELSET=CUBE\n12\n"
    "*SURFACE, NAME=A.LID\n2,S2\n*SURFACE, NAME=B.FOOT\n11,S1\n*SURFACE, NAME=B.LID\n12,S2\n"
    "*ORIENTATION, NAME=A.O\n1,0,0,0,1,0\n*ORIENTATION, NAME=B.O\n0,1,0,-1,0,0\n"
    "*SOLID SECTION, ELSET=A.Body, MATERIAL=M, ORIENTATION=A.O\n"
    "*SOLID SECTION, ELSET=B.Body, MATERIAL=M, ORIENTATION=B.O\nJOINT"
    "*MATERIAL, NAME=M\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n3000.,1000.,1000.,0.1,0.2,0.3,400.,500.\n450.\n"
    "*BOUNDARY\nLOW,1,3\n*STEP\n*STATIC\n*CLOAD\nPULLED,3,10.\n111,1,3.\nEDGE,2,1.\n*DSLOAD\nB.LID,P,1.\n"
    "*NODE PRINT,NSET=A.ALL\nU\n*NODE PRINT,NSET=B.ENDS\nU,RF\n*EL PRINT,ELSET=CUBE,GLOBAL=YES\nS\n"
    "*EL PRINT,ELSET=B.Body\nS\n*END STEP\n";

static char *dat_of(const char *folder, const char *deck, const char *joint) {
  char *text = edited(deck, "JOINT", joint);
  put_text(folder, "d.inp", text);
  free(text);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", "--set",
                      "solver.rtol=1e-11", NULL);
  assert_code(&run, 0);
  run_release(&run);
  return get_text(folder, "out/d.dat");
}

/* Word by word; numbers as far as seven digits of the largest say. */
static void expect_same(char *a, char *b) {
  char *next_a, *next_b, *word_b = strtok_r(b, " \n", &next_b);
  int n = 0;
  for (char *word = strtok_r(a, " \n", &next_a); word; word = strtok_r(NULL, " \n", &next_a), ++n) {
    char *end_a, *end_b;
    assert_non_null(word_b);
    const double x = strtod(word, &end_a), y = strtod(word_b, &end_b);
    if (*end_a || *end_b) assert_string_equal(word, word_b);
    else expect_that(fabs(x - y) <= 1e-6 * (fabs(y) + 0.01), "number %d: %s and %s", n, word, word_b);
    word_b = strtok_r(NULL, " \n", &next_b);
  }
  assert_null(word_b);
  assert_true(n > 200);
}

static void equal_flat(const char *joint, const char *flat_joint) {
  char *folder = folder_create(), *flat = dat_of(folder, FLAT, flat_joint), *parts = dat_of(folder, PARTS, joint);
  expect_same(parts, flat);
  free(flat);
  free(parts);
  folder_remove(&folder);
}

static void tied_instances_are_the_flat_deck(void **state) {
  (void)state;
  equal_flat("*TIE, NAME=T\nB.FOOT,A.LID\n", "*TIE, NAME=T\nB.FOOT,A.LID\n");
}

/* Node 1 of B is at node 10 of A, and so on around. */
static void joined_by_equations(void **state) {
  (void)state;
  char joint[2000] = "", flat[2000] = "";
  for (int i = 0; i < 12; ++i) {
    const int a = 9 + (i / 3 + 1) % 4, b = i / 3 + 1, k = i % 3 + 1;
    snprintf(joint + strlen(joint), sizeof joint - strlen(joint), "*EQUATION\n2\nB.%d,%d,1.,A.%d,%d,-1.\n", b, k, a, k);
    snprintf(flat + strlen(flat), sizeof flat - strlen(flat), "*EQUATION\n2\n%d,%d,1.,%d,%d,-1.\n", 100 + b, k, a, k);
  }
  equal_flat(joint, flat);
}

/* The mesh within the instance, as is written for a part without its own. */
static void mesh_in_the_instance(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "d.inp",
           "*PART, NAME=P\n*END PART\n*ASSEMBLY, NAME=S\n*INSTANCE, NAME=I, PART=P\n*NODE\n" BAR_NODES
           "*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n2,5,6,7,8,9,10,11,12\n*SOLID SECTION, ELSET=E, "
           "MATERIAL=M\n*END INSTANCE\n*NODE\n1,0.5,0.5,3\n*SURFACE, NAME=LID\nI.2,S2\n"
           "*COUPLING, REF NODE=1, SURFACE=LID, CONSTRAINT NAME=C\n*KINEMATIC\n1,3\n*NSET, NSET=ALL, INSTANCE=I, "
           "GENERATE\n1,12\n*END ASSEMBLY\n*MATERIAL, NAME=M\n*ELASTIC\n1000,0\n*BOUNDARY\nI.1,1,3\nI.2,1,3\nI.3,1,3\n"
           "I.4,1,3\n*STEP\n*STATIC\n*CLOAD\n1,3,100.\n*NODE PRINT,NSET=ALL\nU\n*END STEP\n");
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat"), *line = strstr(dat, "\n        11 ");
  assert_non_null(line);
  strtod(line + 11, &line);
  strtod(line, &line);
  assert_within(strtod(line, NULL), 0.2, 1e-6);
  free(dat);
  folder_remove(&folder);
}

static const struct Wrong {
  const char *from, *to, *said;
  int code;
} wrong[] = {
    {"PART=bar", "PART=beam", "d.inp:37: *INSTANCE: there is no part 'beam' before it", 4},
    {"NAME=B, PART", "NAME=a, PART", "d.inp:39: *INSTANCE: the instance 'a' is given twice", 4},
    {"*END PART\n", "", "d.inp:3: *PART: has no *END PART", 4},
    {"*END INSTANCE\n*INSTANCE", "*INSTANCE", "d.inp:37: *INSTANCE: has no *END INSTANCE", 4},
    {"0.5,0.5,0,0.5,0.5,1,", "0.5,0.5,1,0.5,0.5,1,", "d.inp:41: *INSTANCE: the two points of the axis are the same", 4},
    {"INSTANCE=B\nTOP", "INSTANCE=C\nTOP", "d.inp:43: *NSET: there is no instance 'C'", 4},
    {"INSTANCE=B\nTOP", "INSTANCE=B\nLID", "d.inp:44: *NSET: there is no node set 'LID'", 4},
    {"B.9,B.12", "B.9,B.13", "d.inp:46: *NSET: node 113 does not exist", 4},
    {"B.9,B.12", "B.9,C.12", "d.inp:46: *NSET: there is no node set 'C.12'", 4},
    {"A.LOW,1,3", "LOW,1,3", "*BOUNDARY: there is no node set 'LOW'", 3},
    {"*END PART\n", "*BOUNDARY\nLOW,1,3\n*END PART\n",
     "d.inp:35: *BOUNDARY: inside a part or an instance is not understood; *NODE, *ELEMENT", 4},
    {"NAME=A, PART", "NAME=A, LIBRARY=x, PART", "d.inp:37: *INSTANCE: the parameter LIBRARY is not understood", 4},
};

static void wrong_parts_are_refused(void **state) {
  (void)state;
  char *folder = folder_create(), *deck = edited(PARTS, "JOINT", "*TIE, NAME=T\nB.FOOT,A.LID\n");
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *text = edited(deck, wrong[i].from, wrong[i].to);
    put_text(folder, "d.inp", text);
    free(text);
    Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--output", "out", NULL);
    expect_that(run.code == wrong[i].code && strstr(run.err, wrong[i].said), "'%s': exit %d, said\n%s\nwanted %d\n%s",
                wrong[i].to, run.code, run.err, wrong[i].code, wrong[i].said);
    const char *end = strchr(run.err, '\n');
    expect_that(end && !end[1], "'%s': more than a line:\n%s", wrong[i].to, run.err);
    run_release(&run);
  }
  free(deck);
  folder_remove(&folder);
}

/* What Abaqus/CAE writes beside that changes nothing. */
static void words_that_change_nothing(void **state) {
  (void)state;
  static const char *const more[][2] = {
      {"ORIENTATION=O\n*END", "ORIENTATION=O, CONTROLS=EC-1\n,\n*END"},
      {"*ORIENTATION, NAME=O\n1,0,0,0,1,0\n", "*ORIENTATION, NAME=O\n1,0,0,0,1,0\n3, 0.\n"},
      {"*SURFACE, NAME=LID\n", "*SURFACE, TYPE=ELEMENT, NAME=LID, INTERNAL\n"},
      {"*MATERIAL, NAME=M\n", "*SECTION CONTROLS, NAME=EC-1, HOURGLASS=ENHANCED\n1., 1., 1.\n*MATERIAL, NAME=M\n"},
      {"*NODE PRINT,NSET=A.ALL\n", "*OUTPUT, FIELD\n*CONTACT OUTPUT\nCDISP,CSTRESS\n*OUTPUT, HISTORY\n*ENERGY OUTPUT\n"
                                   "ALLSE\n*NODE PRINT,NSET=A.ALL\n"}};
  char *folder = folder_create(), *text = edited(PARTS, "NAME=Both", "NAME=Both");
  for (size_t i = 0; i < sizeof more / sizeof *more; ++i) {
    char *next = edited(text, more[i][0], more[i][1]);
    free(text);
    text = next;
  }
  char *parts = dat_of(folder, text, "*TIE, NAME=T, ADJUST=YES, TYPE=SURFACE TO SURFACE\nB.FOOT,A.LID\n"),
       *flat = dat_of(folder, FLAT, "*TIE, NAME=T\nB.FOOT,A.LID\n");
  expect_same(parts, flat);
  free(parts);
  free(flat);
  free(text);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tied_instances_are_the_flat_deck),
                                     cmocka_unit_test(joined_by_equations), cmocka_unit_test(mesh_in_the_instance),
                                     cmocka_unit_test(words_that_change_nothing),
                                     cmocka_unit_test(wrong_parts_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
