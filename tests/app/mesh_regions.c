/* Regions that a case makes: by thresholds of data they give what the data themselves give, at random the same on any mesh with the
 * same seed; what makes none is refused. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 13, NY = 5, NODES = NX * NY, QUADS = (NX - 1) * (NY - 1), ROOM = 1 << 15 };

/* Of an element, by its middle: an island of low values. */
static double datum(int e) {
  const double x = e % (NX - 1) + 0.5, y = 0.5 * (e / (NX - 1)) + 0.25;
  return 0.4 * (x - 6) * (x - 6) + 4 * (y - 1) * (y - 1) < 2.3 ? 0.02 : 0.2;
}

/* 12 by 2 mm in quadrilaterals of 1 by 0.5. */
static char *sheet(void) {
  char *folder = scratch_create(), *text = calloc(ROOM, 1), *at = text;
  at += sprintf(
      at, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"body\"\n$EndPhysicalNames\n$Nodes\n%d\n",
      NODES);
  for (int k = 0; k < NODES; ++k) at += sprintf(at, "%d %d %g 0\n", k + 1, k % NX, 0.5 * (k / NX));
  at += sprintf(at, "$EndNodes\n$Elements\n%d\n", QUADS);
  for (int e = 0; e < QUADS; ++e) {
    const int a = e / (NX - 1) * NX + e % (NX - 1) + 1;
    at += sprintf(at, "%d 3 2 1 1 %d %d %d %d\n", e + 1, a, a + 1, a + NX + 1, a + NX);
  }
  at += sprintf(at, "$EndElements\n$ElementData\n1\n\"lge\"\n1\n0\n3\n0\n1\n%d\n", QUADS);
  for (int e = 0; e < QUADS; ++e) at += sprintf(at, "%d %.17g\n", e + 1, datum(e));
  (void)sprintf(at, "$EndElementData\n");
  scratch_write(folder, "mesh.msh", text);
  free(text);
  return folder;
}

static void last(const char *folder, const char *text, double *value) {
  Result *result = NULL;
  app_runs(folder, text);
  assert_int_equal(result_open(scratch_path(folder, "results/results.hdf"), &result), OK);
  const ResultField *field = result_field(result, "potential", false);
  assert_non_null(field);
  assert_int_equal(result_read(result, field, result->n_step - 1, value), OK);
  result_close(&result);
}

#define TAIL "initial: \"-80 + 60*step(2 - x)\"\ntime: {end: 20, step: 0.5}\noutput: {every: 20, fields: [potential]}\n"
static void by_data(void **state) {
  (void)state;
  static const char *const tissue[] = {
      "mesh: mesh.msh\nphysics: monodomain\n"
      "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: {field: lge}}]\n",
      "mesh: {file: mesh.msh, regions: [{name: scar, field: lge, below: 0.1}]}\nphysics: monodomain\n"
      "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.2}, {on: scar, ionic: aliev-panfilov, "
      "diffusivity: 0.02}]\n",
      "mesh: {file: mesh.msh, regions: [{name: low, field: lge, below: 0.1}, {name: high, field: lge, below: 1}]}\n"
      "physics: monodomain\n"
      "tissue: [{on: high, ionic: aliev-panfilov, diffusivity: 0.2}, {on: low, ionic: aliev-panfilov, "
      "diffusivity: 0.02}]\n",
      "mesh: {file: mesh.msh, regions: [{name: well, within: body, field: lge, above: 0.02, below: 0.3}, {name: dense, "
      "within: well, field: lge, below: 0.2}]}\nphysics: monodomain\n"
      "tissue: [{on: well, ionic: aliev-panfilov, diffusivity: 0.2}, {on: dense, ionic: aliev-panfilov, "
      "diffusivity: 0.02}]\n"};
  double value[4][NODES];
  char *folder = sheet(), text[1024];
  for (int k = 0; k < 4; ++k) {
    snprintf(text, sizeof text, "version: 1\n%s" TAIL, tissue[k]);
    last(folder, text, value[k]);
    if (k) assert_memory_equal(value[k], value[0], sizeof value[k]);
  }
  assert_true(value[0][NX - 1] < -60 && value[0][0] > 0); /* a wave on its way */
  scratch_remove(&folder);
}

/* The area of group `scar` that check prints behind "groups": "scar 3 mm^2 (12)". */
static double area_of(const char *folder, const char *region, int refine) {
  char text[1024];
  snprintf(text, sizeof text,
           "version: 1\nmesh: {grid: [31, 21], size: [15, 10], refine: %d, regions: [{name: scar, %s}]}\n"
           "physics: monodomain\ntissue: [{on: [body, scar], ionic: aliev-panfilov, diffusivity: 1}]\n"
           "time: {end: 1, step: 0.5}\n",
           refine, region);
  scratch_write(folder, "case.yaml", text);
  Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  assert_int_equal(said.code, 0);
  const char *groups = strstr(said.out, "\ngroups "), *area = groups ? strstr(groups, " scar ") : NULL;
  assert_non_null(area);
  const double value = strtod(area + 6, NULL);
  said_release(&said);
  return value;
}

static void at_random(void **state) {
  (void)state;
  char *folder = sheet();
  const double a = area_of(folder, "share: 0.4, size: 0.5, seed: 1", 0);
  assert_true(fabs(a / 150 - 0.4) < 0.06);
  assert_within(area_of(folder, "share: 0.4, size: 0.5, seed: 1", 1), a,
                1e-9 * a); /* the pattern is not that of the mesh */
  assert_true(fabs(area_of(folder, "share: 0.4, size: 0.5, seed: 2", 0) - a) > 0.1);
  assert_true(fabs(area_of(folder, "share: 0.4, seed: 1", 1) / 150 - 0.4) < 0.04);
  const double graded = area_of(folder, "share: \"step(x - 7.5)\"", 0);
  assert_within(graded, 75, 1e-9);
  scratch_remove(&folder);
}

/* Regions of one seed draw apart: each has its share of what is left, or of the one that it lies in, whose pattern it does not repeat. */
static void of_one_seed(void **state) {
  (void)state;
  static const char *const how[] = {"size: 0.5", "seed: 7"};
  static const double share[2][2] = {{0.3, 0.7 * 0.4}, {0.5 * 0.6, 0.5 * 0.4}}; /* of all: a and b */
  char *folder = scratch_create(), text[1024];
  for (int k = 0; k < 4; ++k) {
    const int nested = k / 2;
    snprintf(
        text, sizeof text,
        "version: 1\nmesh: {grid: [61, 41], size: [30, 20], regions: [{name: a, share: %g, %s}, {name: b, share: 0.4, "
        "%s%s}]}\nphysics: monodomain\ntissue: [{on: [body, a, b], ionic: aliev-panfilov, diffusivity: 1}]\n"
        "time: {end: 1, step: 0.5}\n",
        nested ? 0.5 : 0.3, how[k % 2], how[k % 2], nested ? ", within: a" : "");
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    if (said.code) fail_msg("%s", said.err);
    const char *groups = strstr(said.out, "\ngroups ");
    for (int g = 0; g < 2; ++g) {
      const char *area = groups ? strstr(groups, g ? " b " : " a ") : NULL;
      assert_non_null(area);
      assert_within(strtod(area + 3, NULL) / 600, share[nested][g], 0.04);
    }
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* A plateau at the threshold is in: the mean of three times 0.9 is 0.9. */
static void plateau(void **state) {
  (void)state;
  char *folder = scratch_create();
  scratch_write(folder, "two.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"body\"\n$EndPhysicalNames\n$Nodes\n5\n"
                "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n$EndNodes\n$Elements\n3\n1 2 2 1 1 1 2 3\n2 2 2 1 1 1 3 "
                "4\n3 2 2 1 1 2 5 3\n$EndElements\n$NodeData\n1\n\"lge\"\n1\n0\n3\n0\n1\n5\n1 0.9\n2 0.9\n3 0.9\n4 "
                "0.9\n5 0.8\n$EndNodeData\n");
  scratch_write(folder, "case.yaml",
                "version: 1\nmesh: {file: two.msh, regions: [{name: scar, field: lge, above: 0.9}]}\n"
                "physics: monodomain\ntissue: [{on: [body, scar], ionic: aliev-panfilov, diffusivity: 1}]\n"
                "time: {end: 1, step: 0.5}\n");
  Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  if (said.code) fail_msg("%s", said.err);
  assert_non_null(strstr(said.out, "scar 1 mm^2 (2)"));
  said_release(&said);
  scratch_remove(&folder);
}

/* Taken out, the region is a hole: the nodes that only it has are gone. */
static void taken_out(void **state) {
  (void)state;
  char *folder = sheet();
  app_runs(folder, "version: 1\nmesh: {file: mesh.msh, regions: [{name: scar, field: lge, below: 0.1}]}\n"
                   "physics: monodomain\nwithout: scar\n"
                   "tissue: [{on: body, ionic: aliev-panfilov, diffusivity: 0.2}]\n" TAIL);
  int inside = 0;
  for (int k = 0; k < NODES; ++k) {
    const int i = k % NX, j = k / NX;
    bool only = i > 0 && i < NX - 1 && j > 0 && j < NY - 1;
    for (int e = 0; e < 4 && only; ++e) only = datum((j - e / 2) * (NX - 1) + i - e % 2) < 0.1;
    inside += only;
  }
  assert_true(inside > 2);
  assert_within(scratch_reported(folder, "unknowns"), NODES - inside, 1e-9);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *region, *said, *more;
  } wrong[] = {{"{name: scar}", "needs 'field' with 'above' or 'below', or 'share'", "case.yaml:2"},
               {"{name: scar, field: lge}", "field needs 'above' or 'below'", "case.yaml:2"},
               {"{name: scar, above: 1}", "are values of a 'field'", "case.yaml:2"},
               {"{name: scar, field: lge, above: 2, below: 1}", "must be less than below, 1", "above is 2"},
               {"{name: scar, field: lgw, above: 2}", "no field 'lgw'", "did you mean 'lge'"},
               {"{name: scar, field: lge, above: 2}", "region 'scar' is empty", "goes from 0.02 to 0.2"},
               {"{name: body, field: lge, below: 0.1}", "has a group 'body' already", "case.yaml:2"},
               {"{name: scar, within: bdy, field: lge, below: 0.1}", "unknown group 'bdy'", "did you mean 'body'"},
               {"{name: scar, field: lge, below: 0.1, size: 1}", "size and seed go with a 'share'", "case.yaml:2"},
               {"{name: scar, share: 1.5}", "share is 1.5, must lie in [0, 1]", "case.yaml:2"},
               {"{name: scar, share: \"0.1*t\"}", "share depends on t", "case.yaml:2"},
               {"{name: scar, share: 0}", "region 'scar' is empty", "none"},
               {"{name: a, share: 0.5}, {name: a, share: 0.5}", "two regions 'a'", "case.yaml:2"}};
  char *folder = sheet(), text[512];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {file: mesh.msh, regions: [%s]}\nphysics: heat\n"
             "materials: [{on: body, conductivity: 1, capacity: 1}]\ntime: {end: 1, step: 0.5}\n",
             wrong[i].region);
    app_refuses(folder, text, wrong[i].said, wrong[i].more);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_data),     cmocka_unit_test(at_random),
                                     cmocka_unit_test(of_one_seed), cmocka_unit_test(plateau),
                                     cmocka_unit_test(taken_out),   cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("mesh_regions", tests, NULL, NULL);
}
