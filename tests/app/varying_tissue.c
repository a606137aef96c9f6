/* Diffusivities, conductivities and velocities that vary with the place: piecewise ones are those of regions, smooth ones
 * those of a plain assembly. */
#include "output/read.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NX = 9, NY = 4, NODES = NX * NY, TRIANGLES = 2 * (NX - 1) * (NY - 1), ROOM = 1 << 16 };

static void corners(int e, int node[3]) {
  const int cell = e / 2, a = cell / (NX - 1) * NX + cell % (NX - 1);
  node[0] = a, node[1] = e % 2 ? a + NX + 1 : a + 1, node[2] = e % 2 ? a + NX : a + NX + 1;
}

static double middle(int e, int d) {
  int node[3];
  double sum = 0;
  corners(e, node);
  for (int a = 0; a < 3; ++a) sum += d == 0 ? node[a] % NX : 0.5 * (node[a] / NX);
  return sum / 3;
}

static bool is_left(int e) { return middle(e, 0) < 4; }

static char *add_data(char *at, const char *name, double left, double right) {
  at += sprintf(at, "$ElementData\n1\n\"%s\"\n1\n0\n3\n0\n1\n%d\n", name, TRIANGLES);
  for (int e = 0; e < TRIANGLES; ++e) at += sprintf(at, "%d %.17g\n", e + 1, is_left(e) ? left : right);
  return at + sprintf(at, "$EndElementData\n");
}

/* A sheet of 8 by 1.5 mm in two halves, with data of its elements. */
static char *sheet(void) {
  char *folder = scratch_create(), *text = calloc(ROOM, 1), *at = text;
  at += sprintf(at,
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"left\"\n2 2 \"right\"\n"
                "$EndPhysicalNames\n$Nodes\n%d\n",
                NODES);
  for (int k = 0; k < NODES; ++k) at += sprintf(at, "%d %d %g 0\n", k + 1, k % NX, 0.5 * (k / NX));
  at += sprintf(at, "$EndNodes\n$Elements\n%d\n", TRIANGLES);
  for (int e = 0; e < TRIANGLES; ++e) {
    int node[3];
    corners(e, node);
    at += sprintf(at, "%d 2 2 %d 1 %d %d %d\n", e + 1, is_left(e) ? 1 : 2, node[0] + 1, node[1] + 1, node[2] + 1);
  }
  at += sprintf(at, "$EndElements\n");
  at = add_data(at, "one", 0.2, 0.05);
  at = add_data(at, "other", 0.05, 0.02);
  (void)add_data(at, "speed", 0.6, 0.3);
  scratch_write(folder, "mesh.msh", text);
  scratch_write(folder, "one.csv", "# by regions\nleft, 0.2\n\"right\", 0.05\n");
  scratch_write(folder, "several.csv",
                "region; across; along; intra-along\nright; 0.02; 0.05; 0.05\nleft; 0.05; 0.2; 0.2\n");
  scratch_write(folder, "out.csv", "left 6\nright 9\n");
  free(text);
  return folder;
}

static void last(const char *folder, const char *text, const char *field, double value[NODES]) {
  Result *result = NULL;
  app_runs(folder, text);
  assert_ok(result_open(scratch_path(folder, "results/results.hdf"), &result));
  assert_int_equal(result->n_node, NODES);
  assert_ok(result_read(result, result_field(result, field, false), -1, value));
  result_close(&result);
}

#define CELLS "ionic: {model: mitchell-schaeffer}, fibers: {direction: [1, 2]}, "
#define HEART(tissue, more, fields)                                                                                    \
  "version: 1\nmesh: mesh.msh\nphysics: monodomain\ntissue:\n" tissue more                                             \
  "stimuli: [{on: {box: {min: [-1, -1], max: [1, 3]}}, duration: 2, amplitude: 40}]\n"                                 \
  "time: {end: 12, step: 0.1}\noutput: {every: 12, fields: [" fields "]}\n"
#define BOTH "- {on: [left, right], " CELLS
#define FRONT(tissue)                                                                                                  \
  "version: 1\nmesh: mesh.msh\nphysics: eikonal\ntissue:\n" tissue                                                     \
  "stimuli: [{on: {box: {min: [-1, -1], max: [0, 3]}}}]\n"

/* The first of each group is of regions. */
static const struct {
  const char *field, *text[5];
} alike[] = {
    {"potential",
     {HEART("- {on: left, " CELLS "diffusivity: {along: 0.2, across: 0.05}}\n- {on: right, " CELLS
            "diffusivity: {along: 0.05, across: 0.02}}\n",
            "", "potential"),
      HEART(BOTH "diffusivity: {along: {field: one}, across: {field: other}}}\n", "", "potential"),
      HEART(BOTH "diffusivity: {along: {table: several.csv, by: region}, across: {table: several.csv, by: region}}}\n",
            "", "potential"),
      HEART(BOTH "diffusivity: {along: \"0.2*step(4 - x) + 0.05*step(x - 4)\", across: \"0.05*step(4 - x) + "
                 "0.02*step(x - 4)\"}}\n",
            "", "potential")}},
    {"extracellular",
     {HEART("- {on: left, " CELLS "conductivity: {intra: [0.2, 0.05], extra: [0.6, 0.3], surface-to-volume: 100}}\n"
            "- {on: right, " CELLS "conductivity: {intra: [0.05, 0.02], extra: [0.6, 0.3], surface-to-volume: 100}}\n",
            "", "potential, extracellular"),
      HEART(BOTH "conductivity: {intra: [{field: one}, {field: other}], extra: [0.6, \"0.3 + 0*x\"], "
                 "surface-to-volume: 100}}\n",
            "", "potential, extracellular"),
      HEART(BOTH "conductivity: {intra: [{table: several.csv, by: region}, {field: other}], extra: [0.6, 0.3], "
                 "surface-to-volume: 100}}\n",
            "", "potential, extracellular")}},
    {"potential",
     {HEART("- {on: left, " CELLS "diffusivity: 0.2, velocity: 0.6}\n- {on: right, " CELLS
            "diffusivity: 0.05, velocity: 0.3}\n",
            "eikonal: {}\n", "potential"),
      HEART(BOTH "diffusivity: {table: one.csv, by: region}, velocity: {field: speed}}\n", "eikonal: {}\n",
            "potential")}},
    {"potential",
     {HEART("- {on: left, ionic: {model: mitchell-schaeffer, tau-out: 6}, diffusivity: 0.2}\n- {on: right, ionic: "
            "{model: "
            "mitchell-schaeffer, tau-out: 9}, diffusivity: 0.2}\n",
            "reaction: gauss\n", "potential"),
      HEART("- {on: [left, right], ionic: {model: mitchell-schaeffer, tau-out: {table: out.csv, by: region}}, "
            "diffusivity: 0.2}\n",
            "reaction: gauss\n", "potential")}},
    {"activation",
     {FRONT("- {on: left, velocity: 0.6}\n- {on: right, velocity: 0.3}\n"),
      FRONT("- {on: [left, right], velocity: {field: speed}}\n"),
      FRONT("- {on: [left, right], velocity: {along: \"0.6*step(4 - x) + 0.3*step(x - 4)\"}}\n")}},
    {"temperature",
     {"version: 1\nmesh: mesh.msh\nphysics: heat\nmaterials: [{on: left, conductivity: 0.2}, {on: right, conductivity: "
      "0.05}]\nsource: [{on: [left, right], value: 1}]\nboundary: [{on: left, temperature: 1}]\n",
      "version: 1\nmesh: mesh.msh\nphysics: heat\nmaterials: [{on: [left, right], conductivity: {table: one.csv, by: "
      "region}}]\nsource: [{on: [left, right], value: 1}]\nboundary: [{on: left, temperature: 1}]\n",
      "version: 1\nmesh: mesh.msh\nphysics: heat\nmaterials: [{on: [left, right], conductivity: \"0.2*step(4 - x) + "
      "0.05*step(x - 4)\"}]\nsource: [{on: [left, right], value: 1}]\nboundary: [{on: left, temperature: 1}]\n"}}};

static void piecewise_as_regions(void **state) {
  (void)state;
  char *folder = sheet();
  for (size_t g = 0; g < sizeof alike / sizeof *alike; ++g) {
    double first[NODES], value[NODES], most = 0;
    last(folder, alike[g].text[0], alike[g].field, first);
    for (int i = 0; i < NODES; ++i) most = fmax(most, fabs(first[i]));
    assert_true(most > 1);
    for (int k = 1; alike[g].text[k]; ++k) {
      last(folder, alike[g].text[k], alike[g].field, value);
      for (int i = 0; i < NODES; ++i) assert_within(value[i], first[i], 1e-12 * most);
    }
  }
  scratch_remove(&folder);
}

/* Cells whose table has one number for all regions are those of that number, to the bit, at nodes of one, three and six triangles. */
static void even_to_the_bit(void **state) {
  (void)state;
  char *folder = sheet();
  double number[NODES], table[NODES];
  scratch_write(folder, "even.csv", "left 6.1\nright 6.1\n");
  last(folder,
       HEART("- {on: [left, right], ionic: {model: mitchell-schaeffer, tau-out: 6.1}, diffusivity: 0.2}\n", "",
             "potential"),
       "potential", number);
  last(folder,
       HEART("- {on: [left, right], ionic: {model: mitchell-schaeffer, tau-out: {table: even.csv, by: region}}, "
             "diffusivity: 0.2}\n",
             "", "potential"),
       "potential", table);
  for (int i = 0; i < NODES; ++i) assert_true(table[i] == number[i]);
  scratch_remove(&folder);
}

/* div(D grad V) of V = 2 sin(x) cos(2 y) with the lumped mass, D smooth, at the nodes. */
static void plain_rate(double rate[NODES]) {
  double mass[NODES] = {0};
  memset(rate, 0, NODES * sizeof *rate);
  for (int e = 0; e < TRIANGLES; ++e) {
    int node[3];
    double x[3], y[3], V[3], gx = 0, gy = 0;
    corners(e, node);
    for (int a = 0; a < 3; ++a) {
      x[a] = node[a] % NX, y[a] = 0.5 * (node[a] / NX);
      V[a] = 2 * sin(x[a]) * cos(2 * y[a]);
    }
    const double twice = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    const double D = 0.3 + 0.1 * sin(middle(e, 0)) * exp(-middle(e, 1));
    for (int a = 0; a < 3; ++a) {
      gx += V[a] * (y[(a + 1) % 3] - y[(a + 2) % 3]) / twice;
      gy += V[a] * (x[(a + 2) % 3] - x[(a + 1) % 3]) / twice;
    }
    for (int a = 0; a < 3; ++a) {
      mass[node[a]] += twice / 6;
      rate[node[a]] -=
          D * twice / 2 * (gx * (y[(a + 1) % 3] - y[(a + 2) % 3]) + gy * (x[(a + 2) % 3] - x[(a + 1) % 3])) / twice;
    }
  }
  for (int i = 0; i < NODES; ++i) rate[i] /= mass[i];
}

/* A short step with D, less one with hardly any. */
static void smooth_as_plain_assembly(void **state) {
  (void)state;
  static const char *const given[] = {"\"0.3 + 0.1*sin(x)*exp(-y)\"", "1e-12"};
  static const double STEP = 1e-4;
  double value[2][NODES], rate[NODES], most = 0;
  char *folder = sheet(), text[1024];
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: mesh.msh\nphysics: monodomain\ntissue: [{on: [left, right], ionic: {model: "
             "mitchell-schaeffer}, diffusivity: %s}]\ninitial: \"-80 + 2*sin(x)*cos(2*y)\"\n"
             "time: {end: %g, step: %g, scheme: backward-euler}\nsolver: {rtol: 1e-13}\n",
             given[k], STEP, STEP);
    last(folder, text, "potential", value[k]);
  }
  plain_rate(rate);
  for (int i = 0; i < NODES; ++i) most = fmax(most, fabs(rate[i]));
  assert_true(most > 1);
  for (int i = 0; i < NODES; ++i) assert_within((value[0][i] - value[1][i]) / STEP, rate[i], 1e-3 * most);
  scratch_remove(&folder);
}

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *tissue, *file, *said, *more;
  } wrong[] = {
      {"diffusivity: \"0.1 - x\"", "", "along is -0.566667 mm2/ms in element", "must lie in"},
      {"diffusivity: \"0.1 + t\"", "", "diffusivity depends on t", "x, y and z only"},
      {"diffusivity: {field: othr}", "", "no field 'othr' for the diffusivity along", "did you mean 'other'"},
      {"diffusivity: {table: no.csv, by: region}", "", "no.csv", "case.yaml:4"},
      {"diffusivity: {table: t.csv}", "left 1\n", "needs 'by: region'", "case.yaml:4"},
      {"diffusivity: {table: t.csv, by: group}", "left 1\n", "unknown by 'group'", "allowed: region"},
      {"diffusivity: {field: one, table: t.csv, by: region}", "left 1\n", "either field or table", "both are given"},
      {"diffusivity: {table: t.csv, by: region}", "left 1\n", "no line for element", "'right'"},
      {"diffusivity: {table: t.csv, by: region}", "left 1\nmiddle 2\nright 3\n", "t.csv:2: unknown region 'middle'",
       "groups: left"},
      {"diffusivity: {table: t.csv, by: region}", "left 1\nright 2\nleft 3\n", "t.csv:3: element",
       "by an earlier line"},
      {"diffusivity: {table: t.csv, by: region}", "region, along, across\nleft, 1, 2\n", "no column 'diffusivity'",
       "columns: along, across"},
      {"diffusivity: {table: t.csv, by: region}", "region, across\nleft, 1\nright, 2\n", "no column 'diffusivity'",
       "columns: across"},
      {"diffusivity: {along: {table: t.csv, by: region}}", "region, across\nleft, 1\nright, 2\n", "no column 'along'",
       "columns: across"},
      {"diffusivity: {table: t.csv, by: region}", "region, tau-in\nleft, 1\nright, 2\n", "no column 'diffusivity'",
       "leave the line of names out"},
      {"diffusivity: {table: t.csv, by: region}", "region, along\nleft, 1\nright, 2\n", "no column 'diffusivity'",
       "columns: along"},
      {"diffusivity: {table: t.csv, by: region}", "left, 1, 2\n", "columns of numbers without names",
       "region, diffusivity"},
      {"diffusivity: {table: t.csv, by: region}", "left, 1\nright, x\n", "t.csv:2: 'x'", "finite number"},
      {"diffusivity: {table: t.csv, by: region}", "# nothing\n", "no line with a region", "t.csv"},
      {"conductivity: {intra: {field: none}, extra: 0.6, surface-to-volume: 140}", "", "no field 'none'", "intra"},
      {"conductivity: {intra: \"0.1 - x\", extra: 0.6, surface-to-volume: 140}", "", "intra is -0.566667 S/m",
       "in element"}};
  char *folder = sheet(), text[1024];
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: mesh.msh\nphysics: monodomain\ntissue: [{on: [left, right], ionic: {model: "
             "mitchell-schaeffer}, %s}]\ntime: {end: 1, step: 0.1}\n",
             wrong[k].tissue);
    scratch_write(folder, "t.csv", wrong[k].file);
    app_refuses(folder, text, wrong[k].said, wrong[k].more);
  }
  scratch_remove(&folder);
}

/* Another table is another case: a run does not go on with it. */
static void table_is_part_of_the_case(void **state) {
  (void)state;
  static const char text[] =
      "version: 1\nmesh: mesh.msh\nphysics: monodomain\ntissue: [{on: [left, right], ionic: {model: "
      "mitchell-schaeffer}, diffusivity: {table: one.csv, by: region}}]\ntime: {end: 1, step: 0.1}\n";
  char *folder = sheet();
  app_runs(folder, text);
  scratch_write(folder, "one.csv", "left 0.2\nright 0.06\n");
  Said said = app_says("run", scratch_path(folder, "case.yaml"), "--resume", "--backend", app_backend(), NULL);
  assert_int_equal(said.code, 5);
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(piecewise_as_regions), cmocka_unit_test(even_to_the_bit),
                                     cmocka_unit_test(smooth_as_plain_assembly), cmocka_unit_test(refused),
                                     cmocka_unit_test(table_is_part_of_the_case)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
