/* Words of Abaqus that change nothing or little, with what is said of them. */
#include "tests/cli/deck_moved.h"

#define CUBE(type)                                                                                                     \
  "*NODE,NSET=NALL\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9,0,0,3\n"                 \
  "*ELEMENT,TYPE=" type ",ELSET=E\n1,1,2,3,4,5,6,7,8\n*MONITOR,NODE=7,DOF=1\n*PRINT,CONTACT=YES\n"                     \
  "*MATERIAL,NAME=M\n*ELASTIC\n1000,.3\n*CONDUCTIVITY\n2.\n*SPECIFIC HEAT\n1.\n*DENSITY\n1.\n"                         \
  "*SOLID SECTION,ELSET=E,MATERIAL=M\n"
#define STEP "*STEP,UNSYMM=YES,CONVERT SDI=NO,EXTRAPOLATION=PARABOLIC\n"

static const struct Words {
  const char *deck, *said;
  int code;
} words[] = {{CUBE("DC3D8") STEP "*HEAT TRANSFER,END=PERIOD,DELTMX=5.\n.1,1.\n*CFLUX\n7,11,10.\n*END STEP\n",
              "*HEAT TRANSFER: DELTMX changes nothing: steps are as long as their error in time allows", 0},
             {CUBE("DC3D8") STEP "*HEAT TRANSFER,END=SS,DELTMX=5.\n.1,1.\n*CFLUX\n7,11,10.\n*END STEP\n",
              "END=SS is not understood; PERIOD is", 3},
             {CUBE("DC3D8") "*STEP,AMPLITUDE=RAMP\n*HEAT TRANSFER,DIRECT\n.1,1.\n*CFLUX\n7,11,10.\n*END STEP\n",
              "AMPLITUDE=RAMP of its *STEP is not understood in time", 3},
             {CUBE("C3D8") STEP
              "*FREQUENCY,EIGENSOLVER=LANCZOS,SIM,ACOUSTIC COUPLING=ON,NORMALIZATION=DISPLACEMENT\n3,,,\n"
              "*END STEP\n",
              "NORMALIZATION=DISPLACEMENT changes nothing: shapes have a modal mass of 1", 0},
             {CUBE("C3D8") "*NSET,NSET=TOP\n5,6,7,8\n*RIGID BODY,TIE NSET=TOP,REF NODE=9\n" STEP
                           "*STATIC\n*BOUNDARY\n1,1,3\n2,2,3\n3,1,3\n4,3,3\n9,3,3,0.1\n*END STEP\n",
              "rigid: {at: [0, 0, 3], fix: {z: 0.1}}", 0}};

static void words_are_told(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    put_text(folder, "d.inp", words[i].deck);
    Run run = run_sinew(folder, "check", "d.inp", "--backend", "cpu", NULL);
    expect_that(run.code == words[i].code && (strstr(run.err, words[i].said) || strstr(run.out, words[i].said)),
                "row %d: exit %d, wanted '%s', said\n%s\n%s", (int)i, run.code, words[i].said, run.err, run.out);
    run_release(&run);
  }
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
