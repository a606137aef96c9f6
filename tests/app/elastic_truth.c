/* What would be silently wrong in elasticity: elements that are too stiff are warned of, with a remedy that is one;
 * stress at nodes is that of one material. */
#include "core/memory.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>

/* The value of the last column but `back` of the only row of probes.csv. */
static double column(const char *folder, int back) {
  char *text = scratch_read(folder, "results/probes.csv"), *at = text + strlen(text);
  for (int k = 0; k <= back; ++k) {
    *at = 0;
    at = strrchr(text, ',');
    if (!at) fail_msg("too few columns");
  }
  const double value = strtod(at + 1, NULL);
  free(text);
  return value;
}

/* Runs or checks; what is warned of is in the result. */
static Said says(const char *folder, const char *command, const char *text) {
  scratch_write(folder, "case.yaml", text);
  const bool run = !strcmp(command, "run");
  Said said = app_says(command, scratch_path(folder, "case.yaml"), "--backend", app_backend(),
                       run ? "--overwrite" : "--quiet", NULL);
  if (said.code) fail_msg("exit code %d: %s", said.code, said.err);
  return said;
}

#define CASE(mesh, model, poisson) CASE_OF("auto", mesh, model, poisson)
#define PLAIN(mesh, model, poisson) CASE_OF("displacement", mesh, model, poisson)
#define BENDS(mesh, model, poisson) CASE_OF("incompatible-modes", mesh, model, poisson)
#define CASE_OF(formulation, mesh, model, poisson)                                                                     \
  "version: 1\nmesh: {" mesh "}\nphysics: elasticity\nformulation: " formulation "\nmodel: " model                     \
  "\nmaterials: [{on: body, young: 1000, poisson: " poisson "}]\nboundary: [{on: x0, fix: all}, "
#define PLANE "{on: x1, traction: [0, 1]}]\noutput: {probes: [{name: tip, at: [2, 0.5], field: displacement-y}]}\n"
#define ROUND "{on: x1, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: y1, traction: [0, 1]}]\n"
#define SPACE "{on: x1, traction: [0, 1, 0]}]\n"

typedef struct Row {
  const char *text, *warning; /* NULL: no warning of elements */
} Row;

static void warned(void **state) {
  (void)state;
  static const Row rows[] = {
      {CASE("grid: [9, 5], size: [2, 1], element: tri3", "plane-stress", "0.3") PLANE,
       "64 tri3 elements: linear triangles are too stiff"},
      {CASE("grid: [3, 2, 2], element: tet4", "3d", "0.3") SPACE, "12 tet4 elements: linear tetrahedra are too stiff"},
      {CASE("grid: [9, 5], size: [2, 1], element: tri3, order: 2", "plane-stress", "0.4999") PLANE, NULL},
      {CASE("grid: [9, 5], size: [2, 1]", "plane-stress", "0.4999") PLANE, NULL},
      {BENDS("grid: [9, 5], size: [2, 1]", "plane-strain", "0.45") PLANE, NULL},
      {PLAIN("grid: [9, 5], size: [2, 1]", "plane-strain", "0.4999") PLANE,
       "case.yaml:6:13: 32 quad4 elements with poisson 0.4999: linear elements lock above 0.45"},
      {PLAIN("grid: [3, 2, 2]", "3d", "0.46") SPACE, "2 hex8 elements with poisson 0.46: linear elements lock"},
      {BENDS("grid: [9, 5], size: [2, 1]", "plane-strain", "0.4999") PLANE, NULL},
      {BENDS("grid: [3, 2, 2]", "3d", "0.48") SPACE, NULL},
      {BENDS("grid: [3, 2, 2]", "3d", "0.495") SPACE,
       "2 hex8 elements with poisson 0.495: linear elements lock above 0.49"},
      {BENDS("grid: [9, 5], size: [2, 1]", "axisymmetric", "0.4999") ROUND,
       "32 quad4 elements with poisson 0.4999: linear elements lock above 0.49"},
      {CASE("grid: [9, 5], size: [2, 1], order: 2", "plane-strain", "0.4999") PLANE, NULL},
      {CASE("grid: [3, 3, 3], element: tet4, order: 2", "3d", "0.4999") SPACE, NULL},
  };
  static const char *const commands[] = {"check", "run"};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
    for (int c = 0; c < 2; ++c) {
      Said said = says(folder, commands[c], rows[k].text);
      const char *part = rows[k].warning ? rows[k].warning : "remedy:";
      if ((strstr(said.err, part) != NULL) != (rows[k].warning != NULL))
        fail_msg("row %d, %s: %s", (int)k, commands[c], said.err);
      if (rows[k].warning && !strstr(said.err, "remedy: mesh: {order: 2}")) fail_msg("no remedy in %s", said.err);
      said_release(&said);
    }
  scratch_remove(&folder);
}

/* Bars one element thick, which mean dilatation lets bend too far and in which trapezoids are stiff; not two elements, nor a
 * slice between planes of symmetry. */
static void one_thick(void **state) {
  (void)state;
#define BAR(mesh, model, poisson, more)                                                                                \
  "version: 1\nmesh: {" mesh "}\nphysics: elasticity\nmodel: " model                                                   \
  "\nmaterials: [{on: body, young: 700, poisson: " poisson "}]\nboundary: [{on: x0, fix: all}, " more "]\n"
#define PULL2 "{on: x1, traction: [0, 0.01]}"
#define PULL3 "{on: x1, traction: [0, 0.01, 0]}"
  static const char *const far = "elements span the body from surface to surface, and have one pressure each",
                           *const stiff = "elements span the body from surface to surface and are no parallelograms";
  static const Row rows[] = {
      {BAR("grid: [21, 2], size: [30, 1.5]", "plane-strain", "0.499", PULL2), "19 "},
      {BAR("grid: [21, 2], size: [30, 1.5], element: tri3, order: 2", "plane-strain", "0.499", PULL2), "38 "},
      {BAR("grid: [11, 2, 2], size: [15, 1, 2]", "3d", "0.4995", PULL3), "9 "},
      {BAR("grid: [21, 2], size: [30, 1.5], order: 2", "plane-strain", "0.499", PULL2), NULL},
      {BAR("grid: [21, 3], size: [30, 1.5]", "plane-strain", "0.499", PULL2), NULL},
      {BAR("grid: [21, 2], size: [30, 1.5]", "plane-strain", "0.48", PULL2), NULL},
      {BAR("grid: [11, 5, 2], size: [15, 2, 1]", "3d", "0.4995", PULL3 ", {on: [z0, z1], symmetry: true}"), NULL},
      {BAR("file: bar.msh", "plane-stress", "0.3", PULL2), "3 "},
  };
  char *folder = scratch_create(), bar[4096], *to = bar;
  to += sprintf(to, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"x0\"\n1 2 \"x1\"\n2 3 \"body\"\n"
                    "$EndPhysicalNames\n$Nodes\n10\n");
  for (int i = 0; i < 10; ++i) /* edges across lean by turns */
    to += sprintf(to, "%d %g %d 0\n", i + 1, 3. * (i / 2) + (i < 2 || i > 7 ? 0 : (i / 2 + i) % 2 ? 0.3 : -0.3), i % 2);
  to += sprintf(to, "$EndNodes\n$Elements\n6\n1 1 2 1 1 1 2\n2 1 2 2 1 9 10\n");
  for (int e = 0; e < 4; ++e)
    to += sprintf(to, "%d 3 2 3 1 %d %d %d %d\n", e + 3, 2 * e + 1, 2 * e + 3, 2 * e + 4, 2 * e + 2);
  sprintf(to, "$EndElements\n");
  scratch_write(folder, "bar.msh", bar);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    char part[128];
    Said said = says(folder, "check", rows[k].text);
    snprintf(part, sizeof part, "%s%s", rows[k].warning ? rows[k].warning : "",
             strstr(rows[k].text, ".msh") ? stiff : far);
    if ((strstr(said.err, part) != NULL) != (rows[k].warning != NULL)) fail_msg("row %d: %s", (int)k, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Two to four long elements through the thickness, which one pressure each makes too stiff; not more, nor short or better ones. */
static void few_through(void **state) {
  (void)state;
  static const Row rows[] = {
      {BAR("grid: [13, 3, 3], size: [24, 1.6, 1.6]", "3d", "0.4999", PULL3), "48 long linear elements, few through"},
      {BAR("grid: [11, 5, 5], size: [30, 2, 2]", "3d", "0.4999", PULL3), "124 long linear elements"},
      {BAR("grid: [21, 5], size: [30, 1.5]", "plane-strain", "0.4999", PULL2), "42 long linear elements"},
      {BAR("grid: [41, 9], size: [30, 1.5]", "plane-strain", "0.4999", PULL2), NULL},
      {BAR("grid: [9, 11, 11], size: [24, 10, 10]", "3d", "0.4999", PULL3), NULL},
      {BAR("grid: [21, 3], size: [10, 1]", "plane-strain", "0.4999", PULL2), NULL},
      {BAR("grid: [13, 3, 3], size: [24, 1.6, 1.6], order: 2", "3d", "0.4999", PULL3), NULL},
      {BAR("grid: [13, 3, 3], size: [24, 1.6, 1.6]", "3d", "0.3", PULL3), NULL}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Said said = says(folder, "check", rows[k].text);
    const char *part = rows[k].warning ? rows[k].warning : "few through the thickness";
    if ((strstr(said.err, part) != NULL) != (rows[k].warning != NULL)) fail_msg("row %d: %s", (int)k, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* The remedies help: against 0.0346 and 0.0290 on fine meshes of cubic triangles. */
static void remedied(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double low, high;
  } rows[] = {
      {CASE("grid: [9, 5], size: [2, 1], element: tri3", "plane-strain", "0.3") PLANE, 0.027, 0.029},
      {CASE("grid: [9, 5], size: [2, 1], element: tri3, order: 2", "plane-strain", "0.3") PLANE, 0.0343, 0.0347},
      {PLAIN("grid: [9, 5], size: [2, 1]", "plane-strain", "0.4999") PLANE, 0.006, 0.007},
      {BENDS("grid: [9, 5], size: [2, 1]", "plane-strain", "0.4999") PLANE, 0.027, 0.028},
      {CASE("grid: [21, 11], size: [2, 1], order: 2", "plane-strain", "0.4999") PLANE, 0.0283, 0.0291},
      {CASE("grid: [21, 11], size: [2, 1], element: tri3, order: 2", "plane-strain", "0.4999") PLANE, 0.0283, 0.0291},
  };
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    Said said = says(folder, "run", rows[k].text);
    said_release(&said);
    const double tip = column(folder, 0);
    if (!(tip > rows[k].low && tip < rows[k].high)) fail_msg("row %d: %g", (int)k, tip);
  }
  scratch_remove(&folder);
}

/* Two strips one on the other, the soft one below, four quads each way; groups soft, hard, part (of soft), left,
 * right. */
static void write_strips(const char *folder) {
  char text[8192], *to = text;
  to += sprintf(
      to, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n1 1 \"left\"\n1 2 \"right\"\n2 3 \"soft\"\n2 4 "
          "\"hard\"\n2 5 \"part\"\n$EndPhysicalNames\n$Nodes\n25\n");
  for (int i = 0; i < 25; ++i) to += sprintf(to, "%d %d %d 0\n", i + 1, i % 5, i / 5);
  to += sprintf(to, "$EndNodes\n$Elements\n24\n");
  int n = 0;
  for (int j = 0; j < 4; ++j) {
    to += sprintf(to, "%d 1 2 1 1 %d %d\n", n + 1, 5 * j + 1, 5 * j + 6);
    to += sprintf(to, "%d 1 2 2 2 %d %d\n", n + 2, 5 * j + 5, 5 * j + 10);
    n += 2;
    for (int i = 0; i < 4; ++i, ++n) {
      const int a = 5 * j + i + 1, group = j > 1 ? 4 : i < 2 ? 3 : 5;
      to += sprintf(to, "%d 3 2 %d %d %d %d %d %d\n", n + 1, group, group, a, a + 1, a + 6, a + 5);
    }
  }
  sprintf(to, "$EndElements\n");
  scratch_write(folder, "strips.msh", text);
}

#define STRIPS(materials, more)                                                                                        \
  "version: 1\nmesh: strips.msh\nphysics: elasticity\nmodel: plane-stress\nmaterials: [" materials "]\n"               \
  "boundary: [{on: left, fix: {x: 0, y: 0}}, {on: right, fix: {x: 0.004, y: 0}}]\n" more
#define SOFT "{on: [soft, part], young: 10, poisson: 0}"
#define SOFT_TWICE "{on: soft, young: 10, poisson: 0}, {on: part, young: 10, poisson: 0}"
#define HARD "{on: hard, young: 210, poisson: 0}"
#define PROBES                                                                                                         \
  "output: {probes: [{name: edge, at: [2, 2], field: stress-xx}, {name: below, at: [1.3, 1.9], field: stress-xx}, "    \
  "{name: above, at: [1.3, 2.1], field: stress-xx}, {name: mises, at: [1.3, 2.1], field: von-mises}, "                 \
  "{name: first, at: [1.3, 2.1], field: principal-1}]}\n"

/* Strain xx is 0.001 everywhere: stress 0.01 in the soft strip and 0.21 in the hard one. */
static void strips(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double edge;
  } rows[] = {{STRIPS(SOFT ", " HARD, PROBES), 0.01},
              {STRIPS(HARD ", " SOFT, PROBES), 0.21},
              {STRIPS(SOFT_TWICE ", " HARD, PROBES), 0.01},
              {STRIPS(HARD ", " SOFT_TWICE, PROBES), 0.21}};
  char *folder = scratch_create();
  write_strips(folder);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
    app_runs(folder, rows[k].text);
    const double wanted[] = {0.21, 0.21, 0.21, 0.01, rows[k].edge};
    for (int c = 0; c < 5; ++c) assert_near(column(folder, c), wanted[c], 1e-9);
  }
  scratch_remove(&folder);
}

/* The same in vibration, far below the first resonance; the loss is in the stress. */
static void strips_vibrate(void **state) {
  (void)state;
  char *folder = scratch_create();
  write_strips(folder);
  app_runs(
      folder,
      STRIPS(
          "{on: [soft, part], young: 10, poisson: 0, density: 1e-9}, {on: hard, young: 210, poisson: 0, density: 1e-9}",
          "analysis: {type: harmonic, frequency: 1, damping: 0.1}\n"
          "output: {probes: [{name: edge, at: [2, 2], field: stress-xx, part: real}, "
          "{name: above, at: [1.3, 2.1], field: stress-xx, part: real}, "
          "{name: loss, at: [1.3, 2.1], field: stress-xx, part: imaginary}, "
          "{name: mises, at: [1.3, 2.1], field: von-mises}]}\n"));
  assert_near(column(folder, 3), 0.01, 1e-6);
  assert_near(column(folder, 2), 0.21, 1e-6);
  assert_near(column(folder, 1), 0.021, 1e-6);
  assert_near(column(folder, 0), 0.21 * 1.00498756, 1e-6);
  scratch_remove(&folder);
}

static void warns(const char *folder, const char *text, const char *part, bool expected) {
  Said said = says(folder, "run", text);
  if ((strstr(said.err, part) != NULL) != expected) fail_msg("%s \"%s\" in: %s", expected ? "no" : "a", part, said.err);
  said_release(&said);
}

/* A displacement near the size of the body is outside the theory, and mostly a matter of units. */
static void large(void **state) {
  (void)state;
  char *folder = scratch_create();
#define BENT(traction)                                                                                                 \
  CASE("grid: [9, 5], size: [2, 1], order: 2", "plane-stress", "0.3") "{on: x1, traction: [0, " traction "]}]\n"
  warns(folder, BENT("1"), "small-displacement theory", false);
  warns(folder, BENT("10"), "small-displacement theory, which is used here, does not hold", true);
  scratch_remove(&folder);
}

/* Two squares side by side, the right one half a step lower or farther away: no common node. */
static void write_squares(const char *folder, double shift) {
  char text[1024];
  snprintf(
      text, sizeof text,
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"body\"\n1 2 \"left\"\n1 3 \"right\"\n"
      "$EndPhysicalNames\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 %g 0.5 0\n6 %g 0.5 0\n7 %g 1.5 0\n8 %g 1.5 "
      "0\n"
      "$EndNodes\n$Elements\n4\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 5 6 7 8\n3 1 2 2 1 4 1\n4 1 2 3 1 6 7\n$EndElements\n",
      1 + shift, 2 + shift, 2 + shift, 1 + shift);
  scratch_write(folder, "squares.msh", text);
}

static void apart(void **state) {
  (void)state;
  char *folder = scratch_create();
  const char *text =
      "version: 1\nmesh: squares.msh\nphysics: elasticity\nmodel: plane-stress\nmaterials: [{on: body, young: 1, "
      "poisson: 0}]\nboundary: [{on: left, fix: all}, {on: right, fix: {x: 0.01, y: 0}}]\n";
  write_squares(folder, 0);
  warns(folder, text, "2 parts that share no node, and parts 1 (around (0.5, 0.5, 0), groups body) and 2", true);
  write_squares(folder, 1);
  warns(folder, text, "share no node", false);
  scratch_remove(&folder);
}

/* A slender beam is at the end of what double resolves: that is no failure at the default rtol, is said, and the answer
 * is right (F l^3 / 3 E I = 1.1905e-3 and what shear and the clamp make of it). Who asks for less is told that it
 * cannot be had. */
static void slender(void **state) {
  (void)state;
  static const char *const preconditioners[] = {"auto", "amg", "pmg"};
  char *folder = scratch_create();
  for (int k = 0; k < 3; ++k) {
    char text[1024];
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [41, 3], size: [1, 0.02], order: 2}\nphysics: elasticity\nmodel: plane-stress\n"
             "materials: [{on: body, young: 210e9, poisson: 0.3, thickness: 0.02}]\n"
             "boundary: [{on: x0, fix: all}, {on: x1, force: [0, 10]}]\nsolver: {preconditioner: %s}\n"
             "output: {probes: [{name: tip, at: [1, 0.01], field: displacement-y}]}\n",
             preconditioners[k]);
    Said said = says(folder, "run", text);
    char *report = scratch_read(folder, "results/report.json"), *at = strstr(report, "\"true_residual\":");
    assert_non_null(at);
    const bool reached =
        strtod(at + strlen("\"true_residual\":"), NULL) <= 1e-8; /* sums in another order may, by luck */
    free(report);
    if (!reached != (strstr(said.err, "rounding in double precision leaves about") != NULL))
      fail_msg("%s: %s", preconditioners[k], said.err);
    assert_near(1000 * column(folder, 0), 1.18974862, 1e-7);
    said_release(&said);
    said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--overwrite", "--set",
                    "solver.rtol=1e-10", NULL);
    assert_int_equal(said.code, 6);
    said_release(&said);
    said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--overwrite", "--set",
                    "boundary.1.force=[0, 1e-190]", NULL); /* solved times a power of two, with the same limit */
    assert_int_equal(said.code, 0);
    assert_near(1e194 * column(folder, 0), 1.18974862, 1e-7);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(warned),   cmocka_unit_test(one_thick), cmocka_unit_test(few_through),
      cmocka_unit_test(remedied), cmocka_unit_test(strips),    cmocka_unit_test(strips_vibrate),
      cmocka_unit_test(large),    cmocka_unit_test(apart),     cmocka_unit_test(slender)};
  return cmocka_run_group_tests_name("app/elastic_truth", tests, NULL, NULL);
}
