/* Linear elements of decks, plain and with incompatible modes, in a slender cantilever of six elements: the numbers are those of
 * CalculiX 2.20, but of CPE4I, which it does not know: those are of beam theory. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ALONG = 6 };

/* 7 long, 0.8 wide and 1.1 high, held at x = 0, an end force of 1 along the last axis. */
static void write_solid(const char *folder, const char *type, const char *more) {
  char text[8192], *to = text;
  to += sprintf(to, "*NODE, NSET=ALL\n");
  for (int i = 0; i <= ALONG; ++i)
    for (int k = 0; k < 4; ++k)
      to += sprintf(to, "%d, %.9g, %g, %g\n", 4 * i + k + 1, 7.0 * i / ALONG, 0.8 * (k / 2), 1.1 * (k % 2));
  to += sprintf(to, "*ELEMENT, TYPE=%s, ELSET=E\n", type);
  for (int i = 0; i < ALONG; ++i) {
    const int a = 4 * i + 1;
    to += sprintf(to, "%d, %d,%d,%d,%d,%d,%d,%d,%d\n", i + 1, a, a + 4, a + 6, a + 2, a + 1, a + 5, a + 7, a + 3);
  }
  sprintf(to,
          "*NSET, NSET=FIX\n1,2,3,4\n*NSET, NSET=TIP\n25,26,27,28\n*MATERIAL, NAME=M\n*ELASTIC\n900, 0.27\n"
          "*DENSITY\n1e-3\n*EXPANSION\n1e-3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\nFIX, 1, 3\n%s",
          more);
  put_text(folder, "d.inp", text);
}

static void write_plane(const char *folder, const char *type) {
  char text[4096], *to = text;
  to += sprintf(to, "*NODE\n");
  for (int i = 0; i <= ALONG; ++i)
    for (int k = 0; k < 2; ++k) to += sprintf(to, "%d, %.9g, %g\n", 2 * i + k + 1, 7.0 * i / ALONG, 1.1 * k);
  to += sprintf(to, "*ELEMENT, TYPE=%s, ELSET=E\n", type);
  for (int i = 0; i < ALONG; ++i)
    to += sprintf(to, "%d, %d,%d,%d,%d\n", i + 1, 2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2);
  sprintf(to, "*NSET, NSET=FIX\n1,2\n*NSET, NSET=TIP\n13,14\n*MATERIAL, NAME=M\n*ELASTIC\n900, 0.27\n"
              "*SOLID SECTION, ELSET=E, MATERIAL=M\n1.\n*BOUNDARY\nFIX, 1, 2\n*STEP\n*STATIC\n*CLOAD\nTIP, 2, 0.5\n"
              "*NODE PRINT, NSET=TIP\nU\n*END STEP\n");
  put_text(folder, "d.inp", text);
}

#define STATIC "*STEP\n*STATIC\n*CLOAD\nTIP, 3, 0.25\n*NODE PRINT, NSET=TIP\nU\n*EL PRINT, ELSET=E\nS\n*END STEP\n"

/* The numbers of the last line of `dat` that begins with `label`. */
static void expect_line(const char *folder, const char *label, int n, const double *wanted, double rtol) {
  char *dat = get_text(folder, "out/d.dat"), *at = strstr(dat, label);
  double most = 0;
  expect_that(at != NULL, "no '%s' in\n%s", label, dat);
  for (char *next = at; (next = strstr(next + 1, label));) at = next;
  at += strlen(label);
  for (int k = 0; k < n; ++k) most = fmax(most, fabs(wanted[k]));
  for (int k = 0; k < n; ++k) assert_within(strtod(at, &at), wanted[k], rtol * most);
  free(dat);
}

static void run_deck(const char *folder, int code, const char *said) {
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  assert_code(&run, code);
  if (said) assert_said(&run, said);
  run_release(&run);
}

static void solid(void **state) {
  (void)state;
  char *folder = folder_create();
  write_solid(folder, "C3D8", STATIC);
  run_deck(folder, 0, NULL);
  expect_line(folder, "\n        25 ", 3, (const double[]){0.1081913, 2.104806e-4, 0.9299856}, 1e-6);
  expect_line(folder, "\n         1   1 ", 6,
              (const double[]){17.3482, 5.184751, 6.083897, 0.4211163, 7.109859, -0.3269622}, 1e-6);
  write_solid(folder, "C3D8I", STATIC);
  run_deck(folder, 0, NULL);
  expect_line(folder, "\n        25 ", 3, (const double[]){0.1673092, 3.209715e-4, 1.426135}, 1e-6);
  expect_line(folder, "\n         1   1 ", 6,
              (const double[]){23.84959, 5.274189, 0.8867986, 0.5180029, 1.136364, 0.5493971}, 1e-6);
  expect_line(folder, "\n         2   2 ", 6,
              (const double[]){19.09307, 0.3956574, 0.3053284, -0.1783506, 1.136364, 0.1891597}, 1e-6);
  folder_remove(&folder);
}

/* At finite strain, and of a metal that flows. */
static void nonlinear(void **state) {
  (void)state;
  char *folder = folder_create();
#define PRINTS "*NODE PRINT, NSET=TIP\nU\n*EL PRINT, ELSET=E\nS\n*END STEP\n"
  write_solid(folder, "C3D8I", "*STEP, NLGEOM\n*STATIC, DIRECT\n0.25, 1.\n*CLOAD\nTIP, 3, 0.25\n" PRINTS);
  run_deck(folder, 0, NULL);
  expect_line(folder, "\n        25 ", 3, (const double[]){-3.859132e-3, 3.473445e-4, 1.395121}, 2e-6);
  expect_line(folder, "\n         1   1 ", 6,
              (const double[]){23.41987, 4.782765, 0.1847471, 0.4789107, 1.889028, 0.5413740}, 2e-6);
  write_solid(folder, "C3D8I", "*STEP\n*STATIC, DIRECT\n0.1, 1.\n*CLOAD\nTIP, 3, 0.15\n" PRINTS);
  char *deck = get_text(folder, "d.inp"), *metal = edited(deck, "*DENSITY", "*PLASTIC\n10.,0.\n30.,0.2\n*DENSITY");
  put_text(folder, "d.inp", metal);
  free(metal);
  free(deck);
  run_deck(folder, 0, NULL);
  expect_line(folder, "\n        25 ", 3, (const double[]){0.1744568, 1.941773e-4, 1.670214}, 2e-6);
  expect_line(folder, "\n         1   1 ", 6,
              (const double[]){16.29967, 6.938967, 2.312493, 0.3423640, 0.6818182, 0.3578771}, 2e-6);
  folder_remove(&folder);
}

/* Six elements, four below and two on the middle of these, that are pressed together, stick, and are pushed sideways in a second step: CalculiX
 * with a slope of 1e8, which leaves some 2e-5. */
static void bodies_touch(void **state) {
  (void)state;
  char *folder = folder_create(), text[4096], *to = text;
  to += sprintf(to, "*NODE, NSET=ALL\n");
  for (int i = 0; i < 32; ++i) {
    const int up = i / 20, n = up ? 3 : 5, k = i - 20 * up;
    to += sprintf(to, "%d, %d, %d, %d\n", i + 1, up + k % n, 3 * (k / n % 2), up + k / n / 2);
  }
  to += sprintf(to, "*ELEMENT, TYPE=C3D8I, ELSET=E\n");
  for (int e = 0; e < 6; ++e) {
    const int n = e < 4 ? 5 : 3, a = e < 4 ? e + 1 : e + 17, b = a + 2 * n;
    to += sprintf(to, "%d, %d,%d,%d,%d,%d,%d,%d,%d\n", e + 1, a, a + 1, a + n + 1, a + n, b, b + 1, b + n + 1, b + n);
  }
  sprintf(to,
          "*ELSET, ELSET=LOW, GENERATE\n1,4\n*ELSET, ELSET=UP\n5,6\n*NSET, NSET=FIX, GENERATE\n1,10\n*NSET, NSET=TOP, "
          "GENERATE\n27,32\n*SURFACE, NAME=SL\n5,S1\n6,S1\n*SURFACE, NAME=MA\n1,S2\n2,S2\n3,S2\n4,S2\n*MATERIAL, "
          "NAME=A\n*ELASTIC\n1000.,.3\n*MATERIAL, NAME=B\n*ELASTIC\n2000.,.3\n*SOLID SECTION, ELSET=LOW, "
          "MATERIAL=A\n*SOLID SECTION, ELSET=UP, MATERIAL=B\n*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, "
          "PRESSURE-OVERCLOSURE=LINEAR\n1e8\n*FRICTION\n1.5,1e7\n*CONTACT PAIR, INTERACTION=SI, TYPE=SURFACE TO "
          "SURFACE\nSL,MA\n*BOUNDARY\nFIX,1,3\nTOP,1,2\n*STEP\n*STATIC\n0.1,1.\n*BOUNDARY\nTOP,3,3,-0.03\n*END "
          "STEP\n*STEP\n*STATIC\n0.1,1.\n*BOUNDARY\nTOP,1,1,0.01\n*NODE PRINT, NSET=ALL\nU\n*EL PRINT, "
          "ELSET=LOW\nS\n*END STEP\n");
  put_text(folder, "d.inp", text);
  run_deck(folder, 0, NULL);
  expect_line(folder, "\n        13 ", 3, (const double[]){5.592403e-3, -1.229024e-2, -2.081111e-2}, 5e-5);
  expect_line(folder, "\n        21 ", 3, (const double[]){1.723556e-3, -1.127528e-2, -1.329211e-2}, 5e-5);
  expect_line(folder, "\n         1   2 ", 6,
              (const double[]){-2.585844, -2.685341, -10.83234, 0.534731, -2.360927, -0.534731}, 5e-5);
  folder_remove(&folder);
}

static void plane(void **state) {
  (void)state;
  char *folder = folder_create();
  write_plane(folder, "CPE4");
  run_deck(folder, 0, NULL);
  expect_line(folder, "\n        13 ", 2, (const double[]){0.07975834, 0.6899975}, 1e-6);
  write_plane(folder, "CPE4I");
  run_deck(folder, 0, NULL);
  const double E = 900 / (1 - 0.27 * 0.27), I = 1.1 * 1.1 * 1.1 / 12, bent = 343 / (3 * E * I),
               sheared = 1.2 * 7 / (1.1 * 900 / 2.54);
  expect_line(folder, "\n        13 ", 2, (const double[]){0.55 * 49 / (2 * E * I), bent + sheared}, 0.02);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(solid), cmocka_unit_test(nonlinear),
                                     cmocka_unit_test(bodies_touch), cmocka_unit_test(plane)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
