/* Frames that a bolt holds together, beside a plain solution of the same elements: Lagrange multipliers at pairs of nodes, by a dense factor. */
#include "tests/cli/run_program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A ring of 4 x 4 cubes without the middle 2 x 2, 0.8 thick, on the ground. The bolt is the left side, cut half way up, and the right
 * side is in two parts there, of nodes 43 to 49 below and from 100 on above. */
static int node_at(int i, int j, int k, bool above) { return (above ? 100 : 1) + i + 5 * j + 10 * k; }

static void frame_write(const char *folder, const char *contact) {
  char text[8192], *to = text;
  int n = 0;
  to += sprintf(to, "*NODE, NSET=ALL\n");
  for (int k = 0; k <= 4; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i <= 4; ++i) {
        if (i == 2 && k == 2) continue;
        to += sprintf(to, "%d,%d,%g,%d\n", node_at(i, j, k, false), i, 0.8 * j, k);
        if (i > 2 && k == 2) to += sprintf(to, "%d,%d,%g,%d\n", node_at(i, j, k, true), i, 0.8 * j, k);
      }
  to += sprintf(to, "*NODE\n500,0,0,0\n*ELEMENT, TYPE=C3D8, ELSET=E\n");
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i) {
      if ((i == 1 || i == 2) && (k == 1 || k == 2)) continue;
      to += sprintf(to, "%d", ++n);
      for (int c = 0; c < 8; ++c) {
        const int a = i + ((c % 4) == 1 || (c % 4) == 2), b = (c % 4) > 1, h = k + c / 4;
        to += sprintf(to, ",%d", node_at(a, b, h, i == 3 && k == 2 && h == 2));
      }
      to += sprintf(to, "\n");
    }
  sprintf(to,
          "*SURFACE, NAME=CUT\n5,S2\n*SURFACE, NAME=MASTER\n6,S2\n*SURFACE, NAME=SLAVE\n8,S1\n*NSET, NSET=LOW, "
          "GENERATE\n1,10\n*MATERIAL, NAME=M\n*ELASTIC\n1000,0.3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*PRE-TENSION "
          "SECTION, SURFACE=CUT, NODE=500\n0,0,1\n*BOUNDARY\nLOW,1,3\n%s*STEP\n*STATIC\n*CLOAD\n500,1,10\n*NODE PRINT, "
          "NSET=ALL\nU\n*END STEP\n",
          contact);
  put_text(folder, "d.inp", text);
}

/* CalculiX 2.20 has these to 2e-4 with TYPE=MORTAR and to 2e-2 with SURFACE TO SURFACE, whose springs open within a facet. */
static void clamped_parts_slide(void **state) {
  (void)state;
  static const struct {
    int node;
    double u[3];
  } wanted[] = {{41, {-1.383221393, -0.00899677725, -2.492604556}},
                {43, {-1.499028996, -0.0085827674, -1.01759926}},
                {24, {-0.04209361929, -0.005704568293, -0.04862054519}},
                {123, {0.286652375, -0.00639486067, -0.04862054519}},
                {124, {0.2906735896, 0.002657745966, 0.8180947725}}};
  char *folder = folder_create(), label[32];
  frame_write(folder, "*CONTACT PAIR, INTERACTION=I, TYPE=SURFACE TO SURFACE\nSLAVE, MASTER\n*SURFACE INTERACTION, "
                      "NAME=I\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e7\n");
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  assert_code(&run, 0);
  run_release(&run);
  char *dat = get_text(folder, "out/d.dat");
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    snprintf(label, sizeof label, "\n%10d ", wanted[i].node);
    char *at = strstr(dat, label);
    expect_that(at != NULL, "no node %d in\n%s", wanted[i].node, dat);
    at += strlen(label);
    for (int k = 0; k < 3; ++k) assert_within(strtod(at, &at), wanted[i].u[k], 2e-6);
  }
  free(dat);
  folder_remove(&folder);
}

/* An element of the reduced rule alone has six motions without strain. */
static void motions_without_strain_are_told(void **state) {
  (void)state;
  static const int end[12][2] = {{1, 2}, {2, 3}, {3, 4}, {4, 1}, {5, 6}, {6, 7},
                                 {7, 8}, {8, 5}, {1, 5}, {2, 6}, {3, 7}, {4, 8}};
  char *folder = folder_create(), text[2048], *to = text;
  double x[9][3];
  to += sprintf(to, "*NODE, NSET=ALL\n");
  for (int c = 1; c <= 8; ++c) {
    x[c][0] = (c - 1) % 4 == 1 || (c - 1) % 4 == 2, x[c][1] = (c - 1) % 4 > 1, x[c][2] = c > 4;
    to += sprintf(to, "%d,%g,%g,%g\n", c, x[c][0], x[c][1], x[c][2]);
  }
  for (int e = 0; e < 12; ++e) {
    to += sprintf(to, "%d", e + 9);
    for (int k = 0; k < 3; ++k) to += sprintf(to, ",%g", 0.5 * (x[end[e][0]][k] + x[end[e][1]][k]));
    to += sprintf(to, "\n");
  }
  sprintf(to, "*ELEMENT, TYPE=C3D20R, ELSET=E\n1,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\n16,17,18,19,20\n*MATERIAL, "
              "NAME=M\n*ELASTIC\n1000,0.3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\n1,1,3\n2,2,3\n4,3,3\n"
              "*STEP, NLGEOM\n*STATIC\n*DLOAD\n1,P2,-1\n*NODE PRINT, NSET=ALL\nU\n*END STEP\n");
  put_text(folder, "d.inp", text);
  Run run = run_sinew(folder, "run", "d.inp", "--backend", "cpu", "--overwrite", "--output", "out", NULL);
  expect_that(strstr(run.err, "built without CHOLMOD") || strstr(run.err, "6 motions take no force"), "%s", run.err);
  assert_not_said(&run, "negative eigenvalue");
  run_release(&run);
  folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(clamped_parts_slide),
                                     cmocka_unit_test(motions_without_strain_are_told)};
  return cmocka_run_group_tests_name("deck bolts", tests, NULL, NULL);
}
