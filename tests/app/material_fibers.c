/* Axes of materials that are fibres and sheets, as a heart has them: by rule they are what expressions say of a tube, where all
 * is known, and as exact as an element that has one direction. */
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tube of radii 1 and 1.4 and length 2: hex8. */
enum { ACROSS = 3, AROUND = 24, ALONG = 4, LAYER = (ACROSS + 1) * AROUND };

static int node(int i, int j, int k) { return 1 + i + (ACROSS + 1) * (j % AROUND) + LAYER * k; }

static int write_nodes(char *to) {
  int used = sprintf(to, "$Nodes\n%d\n", LAYER * (ALONG + 1));
  for (int k = 0; k <= ALONG; ++k)
    for (int j = 0; j < AROUND; ++j)
      for (int i = 0; i <= ACROSS; ++i) {
        const double r = 1 + 0.4 * i / ACROSS, a = 4 * acos(0) * j / AROUND;
        used += sprintf(to + used, "%d %.17g %.17g %.17g\n", node(i, j, k), r * cos(a), r * sin(a), 2.0 * k / ALONG);
      }
  return used + sprintf(to + used, "$EndNodes\n");
}

static int write_face(char *to, int *n, int group, int a, int b, int c, int d) {
  *n += 1;
  return sprintf(to, "%d 3 2 %d %d %d %d %d %d\n", *n, group, group, a, b, c, d);
}

static int write_elements(char *to) {
  int n = 0, used = sprintf(to, "$Elements\n%d\n", AROUND * (ACROSS * ALONG + 2 * ALONG + 2 * ACROSS));
  for (int j = 0; j < AROUND; ++j) {
    for (int k = 0; k < ALONG; ++k) {
      for (int i = 0; i < ACROSS; ++i)
        used += sprintf(to + used, "%d 5 2 1 1 %d %d %d %d %d %d %d %d\n", ++n, node(i, j, k), node(i + 1, j, k),
                        node(i + 1, j + 1, k), node(i, j + 1, k), node(i, j, k + 1), node(i + 1, j, k + 1),
                        node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1));
      for (int s = 0; s < 2; ++s)
        used += write_face(to + used, &n, 2 + s, node(s * ACROSS, j, k), node(s * ACROSS, j + 1, k),
                           node(s * ACROSS, j + 1, k + 1), node(s * ACROSS, j, k + 1));
    }
    for (int i = 0; i < ACROSS; ++i)
      for (int s = 0; s < 2; ++s)
        used += write_face(to + used, &n, 4 + s, node(i, j, s * ALONG), node(i + 1, j, s * ALONG),
                           node(i + 1, j + 1, s * ALONG), node(i, j + 1, s * ALONG));
  }
  return used + sprintf(to + used, "$EndElements\n");
}

static void write_tube(const char *folder) {
  static char text[131072];
  int used = sprintf(text, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n3 1 \"wall\"\n2 2 \"endo\"\n2 3 "
                           "\"epi\"\n2 4 \"bottom\"\n2 5 \"top\"\n$EndPhysicalNames\n");
  used += write_nodes(text + used);
  write_elements(text + used);
  scratch_write(folder, "tube.msh", text);
}

static Said says(const char *folder, const char *axes, bool finite) {
  char text[2048];
  snprintf(
      text, sizeof text,
      "version: 1\nmesh: {file: tube.msh}\nphysics: elasticity\nmodel: 3d\n%smaterials: [{on: wall, %s, axes: %s}]\n"
      "boundary:\n- {on: bottom, fix: all}\n- {on: top, fix: {z: %s}}\n- {on: endo, pressure: %s}\nsolver: {rtol: "
      "1e-10}\noutput: {probes: [{name: out, at: [0, 1.4, 1], field: displacement-y}, {name: turn, at: [0, 1.4, "
      "2], field: displacement-x}]}\n%s",
      finite ? "strain: finite\ntime: {end: 1, step: 0.5}\n" : "",
      finite ? "type: guccione, c: 2, bf: 8, bt: 3, bfs: 4, bulk: 50"
             : "type: orthotropic, young: [140, 10, 10], poisson: [0.3, 0.3, 0.45], shear: [5, 5, 3.4]",
      axes, finite ? "'0.05*t'" : "0.05", finite ? "'0.06*t'" : "0.06", finite ? "" : "formulation: displacement\n");
  scratch_write(folder, "case.yaml", text);
  return app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), "--output",
                  scratch_path(folder, "results"), NULL);
}

static void runs(const char *folder, const char *axes, bool finite, double value[2]) {
  Said said = says(folder, axes, finite);
  if (said.code) fail_msg("%s\n%s", axes, said.err);
  said_release(&said);
  char *text = scratch_read(folder, "results/probes.csv"), *at = text + strlen(text) - 1;
  while (at > text && at[-1] != '\n') --at;
  strtod(at, &at);
  for (int k = 0; k < 2; ++k) value[k] = strtod(at + 1, &at);
  free(text);
}

#define RULE(endo, epi)                                                                                                \
  "{fibers: {rule: ldrb, lv: endo, epi: epi, axis: [0, 0, 1], alpha: {endo: " endo ", epi: " epi                       \
  "}, beta: {endo: 0, epi: 0}}}"

/* Around the tube; and at 30 degrees all through the wall, which turns it. */
static void by_rule(void **state) {
  (void)state;
  static const char *const rule[] = {RULE("0", "0"), RULE("30", "30")};
  static const char *const direction[] = {
      "{fibers: {direction: ['-y', x, 0]}, sheets: {direction: [x, y, 0]}}",
      "{fibers: {direction: ['-y*sqrt(3)', 'x*sqrt(3)', 'sqrt(x^2+y^2)']}, sheets: {direction: [x, y, 0]}}"};
  static const char *const expression[] = {"{x: ['-y', x, 0], y: [x, y, 0]}",
                                           "{x: ['-y*sqrt(3)', 'x*sqrt(3)', 'sqrt(x^2+y^2)'], y: [x, y, 0]}"};
  char *folder = scratch_create();
  write_tube(folder);
  for (int finite = 0; finite < 2; ++finite)
    for (int k = 0; k < 2; ++k) {
      double ruled[2], middle[2], point[2];
      runs(folder, rule[k], finite, ruled);
      runs(folder, direction[k], finite, middle);
      runs(folder, expression[k], finite, point);
      printf("finite %d: %g %g by rule, %g %g at the middle, %g %g at points\n", finite, ruled[0], ruled[1], middle[0],
             middle[1], point[0], point[1]);
      for (int i = 0; i <= k; ++i) {
        assert_true(fabs(middle[i]) > 1e-4);
        assert_relative(ruled[i], middle[i], 0.02);
        assert_relative(middle[i], point[i], 0.02);
      }
    }
  scratch_remove(&folder);
}

static void refuses(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"{fibers: {rule: ldrb, lv: endo, axis: [0, 0, 1]}}", "rule ldrb needs the key 'epi'"},
      {"{fibers: {rule: ldrb, lv: endo, epi: epi}}", "rule ldrb needs either 'base' (a group of surfaces) or 'axis'"},
      {"{fibers: {rule: ldrb, lv: endo, epi: wall, axis: [0, 0, 1]}}", "case.yaml:5:"},
      {"{fibers: {rule: ldrb, lv: endo, epi: epi, axis: [0, 0, 1]}, sheets: {direction: [x, y, 0]}}",
       "rule ldrb gives sheets too; leave sheets out"},
      {"{fibers: {direction: ['-y', x, 0]}}", "fibers need sheets too in a 3d model"},
      {"{fibers: {direction: ['-y', x, 0]}, sheets: {direction: [y, '-x', 0]}}",
       "a sheet lies along its fibre in element"},
      {"{fibers: fiber, sheets: sheet}", "the mesh has no field 'fiber' for the fibre"},
      {"{sheets: {direction: [x, y, 0]}}", "sheets need fibers"},
      {"{fibers: {rule: ellipsoid, inner: [7, 17]}}",
       "rule ellipsoid needs the key 'outer': a radius and a half length"},
      {"{fibers: {rule: ellipsoid, inner: [7, 17], outer: [10, 17]}}",
       "the outer ellipsoid has the half length 17 and the inner one 17: it must be larger"},
      {"{fibers: {rule: ellipsoid, inner: [7, 17, 1], outer: [10, 20]}}",
       "inner has 3 entries, the first 7; it is the radius and the half length of an ellipsoid"},
      {"{fibers: {rule: ellipsoid, inner: [7, 17], outer: [10, 20], lv: endo}}",
       "lv belongs to 'rule: ldrb', and this is rule ellipsoid"},
      {"{fibers: {rule: ellipsoid, inner: [7, 17], outer: [10, 20]}}",
       "times the thickness of the wall inside the inner"},
      {"{fibers: {rule: ellipsoid, inner: [0.3, 1], outer: [0.5, 1.3]}}",
       "thickness of the wall outside the outer one"},
      {"{fibers: {rule: ldrb, lv: endo, epi: epi, axis: [0, 0, 1], inner: [7, 17]}}",
       "inner belongs to 'rule: ellipsoid', and this is rule ldrb"},
      {"{fibers: {direction: ['-y', x, 0]}, y: [1, 0, 0]}", "axes have both y and fibers"},
      {"{fibers: {direction: ['-y', x, 0]}, field: a}",
       "axes need one of: x (with y), field, cylinder, fibers (with sheets)"}};
  char *folder = scratch_create();
  write_tube(folder);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Said said = says(folder, rows[k][0], false);
    if (said.code != 3 || !strstr(said.err, rows[k][1])) fail_msg("%s: %d %s", rows[k][0], said.code, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_rule), cmocka_unit_test(refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
