/* Thickness and strains of the wall of a cavity: of a block whose nodes are moved so that all of it is stretched alike, on
 * quadrilaterals and on triangles, around and along axes that are given; and what is refused. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x from 50 to 60, y and z from 0 to 20: of one hexahedron, of six tetrahedra. */
#define HEAD                                                                                                           \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"endo\"\n2 2 \"epi\"\n3 5 \"body\"\n"                 \
  "$EndPhysicalNames\n$Nodes\n8\n1 50 0 0\n2 60 0 0\n3 60 20 0\n4 50 20 0\n5 50 0 20\n6 60 0 20\n7 60 20 20\n8 50 20 " \
  "20\n$EndNodes\n"
#define HEXAHEDRON HEAD "$Elements\n3\n1 3 2 1 1 1 5 8 4\n2 3 2 2 2 2 3 7 6\n3 5 2 5 5 1 2 3 4 5 6 7 8\n$EndElements\n"
#define TETRAHEDRA                                                                                                     \
  HEAD "$Elements\n10\n1 2 2 1 1 1 4 8\n2 2 2 1 1 1 8 5\n3 2 2 2 2 2 3 7\n4 2 2 2 2 6 2 7\n5 4 2 5 5 1 2 3 7\n6 4 2 "  \
       "5 5 1 3 4 7\n7 4 2 5 5 1 4 8 7\n8 4 2 5 5 1 8 5 7\n9 4 2 5 5 1 5 6 7\n10 4 2 5 5 1 6 2 7\n$EndElements\n"

#define BLOCK(wall)                                                                                                    \
  "version: 1\nmesh: {file: block.msh}\nphysics: electromechanics\nformulation: displacement\n"                        \
  "muscle: [{on: body, type: neo-hooke, shear: 4, bulk: 8}]\n"                                                         \
  "boundary:\n  - {on: endo, fix: {y: \"0.2*t*y\", z: \"0.1*t*z\"}}\n"                                                 \
  "  - {on: epi, fix: {x: \"0.3*t\", y: \"0.2*t*y\", z: \"0.1*t*z\"}}\n"                                               \
  "cavities: [{name: lv, on: endo, pressure: \"0.01*t\", lid: carries, wall: " wall "}]\n"                             \
  "time: {end: 1, step: 0.5}\noutput: {probes: [{name: x, at: [50, 0, 0], field: displacement-x}, {name: y, at: [50, " \
  "20, 20], field: displacement-x}]}\n"

enum { COLUMNS = 6 };
/* The last row behind the time: volume, pressure, thickness, radial, circumferential, longitudinal. */
static void last_row(const char *folder, double value[COLUMNS]) {
  char *text = scratch_read(folder, "results/loops.csv"), *at = text + strlen(text) - 1;
  assert_non_null(strstr(text, ",lv-thickness,lv-radial-strain,lv-circumferential-strain,lv-longitudinal-strain\n"));
  while (at > text && at[-1] != '\n') --at;
  strtod(at, &at);
  for (int k = 0; k < COLUMNS; ++k) value[k] = strtod(at + 1, &at);
  free(text);
}

static void is_stretched(void **state) {
  (void)state;
  static const char *const mesh[] = {HEXAHEDRON, TETRAHEDRA};
  static const char *const text[] = {BLOCK("epi"), BLOCK("{on: epi, axis: [0, 3, 0]}"),
                                     BLOCK("{on: epi, axis: [1, 2, 2]}")};
  const double half = sqrt((1.2 * 1.2 + 1.1 * 1.1) / 2) - 1, expected[][2] = {{0.2, 0.1}, {0.1, 0.2}, {half, half}};
  char *folder = scratch_create();
  for (int k = 0; k < 2; ++k) {
    scratch_write(folder, "block.msh", mesh[k]);
    for (int i = 0; i < 3; ++i) {
      double value[COLUMNS], moved[3];
      app_runs(folder, text[i]);
      last_row(folder, value);
      scratch_last_row(folder, 3, moved);
      assert_within(value[4], expected[i][0],
                    k ? 1e-6 : 1e-9); /* tetrahedra tilt the facets, which lengthens them in the second order */
      assert_within(value[5], expected[i][1], k ? 1e-6 : 1e-9);
      if (k) continue; /* tetrahedra do not move alike along x */
      assert_true(fabs(moved[1]) > 0.01);
      assert_within(value[2], 10 + 0.3 - moved[1], 1e-6);
      assert_within(value[3], (0.3 - moved[1]) / 10, 1e-7);
    }
  }
  scratch_remove(&folder);
}

static void refuses(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "block.msh", HEXAHEDRON);
  app_refuses(folder, BLOCK("eip"), "unknown group 'eip'", "did you mean 'epi'?");
  app_refuses(folder, BLOCK("{on: epi, axis: [0, 0, 0]}"), "axis has 3 entries and the length 0", "[0, 0, 1]");
  Said said = app_run_says(folder, BLOCK("endo"));
  assert_int_equal(said.code, 3);
  assert_non_null(strstr(said.err, "the wall has no thickness beside (50, 0, 0)"));
  said_release(&said);
  scratch_remove(&folder);
}

/* The nearest place outside lies in a facet of 20 by 20, 8 away, while the nearest node outside is one of a side at y = -1. */
static void is_nearest(void **state) {
  (void)state;
  char *folder = scratch_create(), *at;
  scratch_write(folder, "block.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"endo\"\n2 2 \"epi\"\n3 5 \"body\"\n"
                "$EndPhysicalNames\n$Nodes\n8\n1 50 -1 0\n2 58 0 0\n3 58 20 0\n4 50 20 0\n5 50 -1 20\n6 58 0 20\n7 58 "
                "20 20\n8 50 20 20\n$EndNodes\n$Elements\n4\n1 3 2 1 1 1 5 8 4\n2 3 2 2 2 2 3 7 6\n3 3 2 2 2 1 2 6 5\n"
                "4 5 2 5 5 1 2 3 4 5 6 7 8\n$EndElements\n");
  app_runs(folder, BLOCK("epi"));
  char *text = scratch_read(folder, "results/loops.csv");
  at = strchr(text, '\n') + 1;
  for (int k = 0; k < 3; ++k) at = strchr(at, ',') + 1;
  assert_within(strtod(at, NULL), 8, 1e-12);
  free(text);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_stretched), cmocka_unit_test(is_nearest),
                                     cmocka_unit_test(refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
