/* Cases that read well and do something else than was meant: each is warned of with its place and a remedy, and so is none that
 * does what it says. */
#include "core/memory.h"
#include "output/text.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Row {
  const char *text, *warning; /* NULL: none */
} Row;

static void rows(const char *folder, const char *command, size_t n, const Row *row) {
  for (size_t i = 0; i < n; ++i) {
    scratch_write(folder, "case.yaml", row[i].text);
    Said said = !strcmp(command, "run") ? app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend",
                                                   app_backend(), NULL)
                                        : app_says("check", scratch_path(folder, "case.yaml"), "--quiet", NULL);
    if (said.code) fail_msg("exit code %d: %s\n%s", said.code, said.err, row[i].text);
    if (!row[i].warning && strstr(said.err, "warning")) fail_msg("not silent: %s\n%s", said.err, row[i].text);
    if (row[i].warning && (!strstr(said.err, row[i].warning) || !strstr(said.err, "remedy: ")))
      fail_msg("no \"%s\" in: %s\n%s", row[i].warning, said.err, row[i].text);
    if (row[i].warning && strstr(strstr(said.err, row[i].warning) + 1, row[i].warning)) fail_msg("twice: %s", said.err);
    said_release(&said);
  }
}
#define ROWS(folder, command, list) rows(folder, command, sizeof(list) / sizeof *(list), list)

/* Rows that need no files. */
static void alone_in_folder(const char *command, size_t n, const Row *row) {
  char *folder = scratch_create();
  rows(folder, command, n, row);
  scratch_remove(&folder);
}
#define ALONE(command, list) alone_in_folder(command, sizeof(list) / sizeof *(list), list)

#define FLAT(model, material, boundary)                                                                                \
  "version: 1\nphysics: elasticity\nmodel: " model "\nmesh: {grid: [7, 4], size: [3, 1]}\n"                            \
  "materials: [{on: body, young: 500, poisson: 0.2" material "}]\nboundary: [" boundary "]\n"

static void loads(void **state) {
  (void)state;
  static const Row row[] = {
      {FLAT("plane-stress", "", "{on: x0, fix: all}, {on: y1, force: [0, 3]}"),
       "case.yaml:6:48: a total force acts on a plate whose thickness is not given"},
      {FLAT("plane-stress", "", "{on: x0, fix: all}, {on: x1, distribute: {at: [3, 0], force: [0, 3]}}"),
       "a total force"},
      {FLAT("plane-stress", "", "{on: x0, fix: all}, {on: y1, traction: [0, 3]}"), NULL},
      {FLAT("plane-stress", "", "{on: x0, fix: all}, {on: y1, traction: [0, 3], force: [0, 0]}"), NULL},
      {FLAT("plane-stress", ", thickness: 1", "{on: x0, fix: all}, {on: y1, force: [0, 3]}"), NULL},
      {FLAT("plane-strain", "", "{on: x0, fix: all}, {on: y1, force: [0, 3]}"), NULL},
      {FLAT("plane-strain", "", "{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: y0, traction: [1, 2]}"),
       "case.yaml:6:77: traction on 'y0' does nothing in y: supports hold all of its nodes"},
      {FLAT("plane-strain", "", "{on: x0, fix: all}, {on: x0, force: [0, 2]}, {on: x1, traction: [1, 0]}"),
       "force on 'x0' does nothing in y"},
      {FLAT("plane-strain", "",
            "{on: x1, symmetry: true}, {on: y0, fix: {y: 0}}, {on: x1, pressure: 2}, {on: x0, traction: "
            "[1, 0]}"),
       "pressure on 'x1' does nothing"},
      {FLAT("plane-strain", "", "{on: x0, fix: all}, {on: y0, pressure: 2}"), NULL}, /* one node of it is held */
      {FLAT("plane-strain", "", "{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: x0, traction: [0, 2]}"), NULL},
      {FLAT("plane-strain", "",
            "{on: x0, fix: all}]\nload-cases: [{name: a, boundary: [{on: y1, pressure: 1}]}, {name: b, "
            "boundary: [{on: x0, traction: [0, 4]}]}"),
       "traction on 'x0' does nothing in y"},
      {FLAT("axisymmetric", "", "{on: y0, fix: {y: 0}}, {on: x0, pressure: 4}, {on: y1, pressure: 1}"),
       "pressure on 'x0' does nothing: all of it has the radius x = 0"},
      {FLAT("axisymmetric", "", "{on: y0, fix: {y: 0}}, {on: x1, pressure: 4}"), NULL}};
  ALONE("check", row);
}

/* Quadrilaterals between two circles, from angle 0 to `turn`, in `n` parts: groups body, bore, rim, low and high. */
static void write_ring(const char *folder, const char *name, int n, double turn) {
  Text text = {0};
  const int closed = turn > 6, rows = closed ? n : n + 1;
  text_add(&text,
           "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n2 1 \"body\"\n1 2 \"bore\"\n1 3 \"rim\"\n1 4 "
           "\"low\"\n$EndPhysicalNames\n$Nodes\n%d\n",
           2 * rows);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < 2; ++k)
      text_add(&text, "%d %.17g %.17g 0\n", 2 * i + k + 1, (1.5 + k) * cos(turn * i / n),
               (1.5 + k) * sin(turn * i / n));
  text_add(&text, "$EndNodes\n$Elements\n%d\n", 3 * n + !closed);
  for (int i = 0; i < n; ++i) {
    const int a = 2 * i, b = 2 * ((i + 1) % rows);
    text_add(&text, "%d 1 2 2 2 %d %d\n%d 1 2 3 3 %d %d\n%d 3 2 1 1 %d %d %d %d\n", 3 * i + 1, b + 1, a + 1, 3 * i + 2,
             a + 2, b + 2, 3 * i + 3, a + 1, a + 2, b + 2, b + 1);
  }
  if (!closed) text_add(&text, "%d 1 2 4 4 1 2\n", 3 * n + 1);
  text_add(&text, "$EndElements\n");
  scratch_write(folder, name, text.data);
  text_release(&text);
}

#define RING(file, boundary)                                                                                           \
  "version: 1\nphysics: elasticity\nmodel: plane-strain\nmesh: " file "\n"                                             \
  "materials: [{on: body, young: 500, poisson: 0.2}]\nboundary: [" boundary "]\n"

static void bores(void **state) {
  (void)state;
  static const Row row[] = {
      {RING("ring.msh", "{on: rim, fix: all}, {on: bore, force: [0, 7]}"),
       "case.yaml:6:51: force is spread evenly over all of the bore 'bore'"},
      {RING("ring.msh", "{on: bore, fix: all}, {on: rim, force: [0, 7]}"), NULL},
      {RING("ring.msh", "{on: rim, fix: all}, {on: bore, traction: [0, 7]}"), NULL},
      {RING("ring.msh", "{on: rim, fix: all}, {on: bore, distribute: {at: [0, 0], force: [0, 7]}}"), NULL},
      {RING("ring.msh", "{on: rim, fix: all}, {on: bore, force: [0, 7]}") "strain: finite\ntime: {end: 1, step: 0.5}\n",
       "force is spread evenly over all of the bore 'bore'"},
      {RING("ring.msh",
            "{on: rim, fix: all}, {on: bore, force: [0, '9*t']}") "strain: finite\ntime: {end: 1, step: 0.5}\n",
       "force is spread evenly over all of the bore 'bore'"},
      {RING("half.msh", "{on: rim, fix: all}, {on: bore, force: [0, 7]}") "strain: finite\ntime: {end: 1, step: 0.5}\n",
       NULL},
      {RING("half.msh", "{on: rim, fix: all}, {on: bore, force: [0, 7]}"), NULL},
      {RING("quarter.msh", "{on: rim, fix: all}, {on: bore, force: [0, 7]}"), NULL}};
  char *folder = scratch_create();
  write_ring(folder, "ring.msh", 24, 2 * M_PI);
  write_ring(folder, "half.msh", 12, M_PI);
  write_ring(folder, "quarter.msh", 6, M_PI / 2);
  ROWS(folder, "check", row);
  scratch_remove(&folder);
}

#define BEARING(file, boundary, more)                                                                                  \
  RING(file, boundary)                                                                                                 \
  more "solver: {rtol: 1e-12}\noutput: {probes: [{name: a, at: [0, 1.5], field: internal-force-y}, {name: b, at: "     \
       "[1.299038105676658, 0.75], field: internal-force-y}, {name: c, at: [0, -1.5], field: internal-force-y}], "     \
       "sums: [{name: r, on: rim, field: reaction}]}\n"

/* A pin: at an angle from the force the wall bears 2 F / pi times its cosine, along the radius; nothing behind. */
static void pins(void **state) {
  (void)state;
  static const char *const text[] = {
      BEARING("ring.msh", "{on: rim, fix: all}, {on: bore, bearing: {force: [0, 7]}}", ""),
      BEARING("ring.msh", "{on: rim, fix: all}, {on: bore, bearing: {force: [0, 7]}}", "time: {end: 1, step: 0.5}\n"),
      BEARING("ring.msh", "{on: rim, fix: all}",
              "load-cases: [{name: a, boundary: [{on: bore, bearing: {force: [0, 2]}}]}, "
              "{name: b, boundary: [{on: bore, bearing: {force: [0, -1]}}]}]\ncombinations: [{name: c, factors: {a: "
              "3.5}}]\n"),
      BEARING("ring.msh", "{on: rim, fix: all}, {on: bore, bearing: {force: [0, 9]}}",
              "steps: [{name: gone, end: 1, step: 1, boundary: [{on: bore, bearing: {force: [0, 0]}}]}, {name: back, "
              "end: 2, step: 1, boundary: [{on: bore, bearing: {force: [0, 7]}}]}]\n")};
  char *folder = scratch_create();
  double v[6];
  write_ring(folder, "ring.msh", 240, 2 * M_PI);
  write_ring(folder, "quarter.msh", 6, M_PI / 2);
  for (int k = 0; k < 4; ++k) {
    const double peak = 2 * 7 / M_PI * (2 * M_PI / 240);
    app_runs(folder, text[k]);
    scratch_last_row(folder, 6, v);
    assert_relative(v[1], peak, 1e-3);
    assert_relative(v[2], peak * 0.25, 2e-3); /* cosine and its part along y, of 60 degrees */
    assert_within(v[3], 0, 1e-9);
    assert_within(v[4], 0, 7e-10);
    assert_within(v[5], -7, 7e-10);
  }
  app_refuses(folder, BEARING("quarter.msh", "{on: rim, fix: all}, {on: bore, bearing: {force: [-1, -1]}}", ""),
              "'bore' has no wall where the force would press on it", "remedy: ");
  app_refuses(folder, BEARING("quarter.msh", "{on: rim, fix: all}, {on: low, bearing: {force: [1, 1]}}", ""),
              "'low' is not part of one cylinder", "remedy: ");
  scratch_remove(&folder);
}

#define HEAT(boundary, more)                                                                                           \
  "version: 1\nphysics: heat\nmesh: {grid: [7, 4], size: [3, 1]}\n"                                                    \
  "materials: [{on: body, conductivity: 2, capacity: 3}]\nboundary: [" boundary "]\n" more
#define MOVES(traction)                                                                                                \
  FLAT("plane-strain", ", density: 1", "{on: x0, fix: all}, {on: x1, traction: [\"" traction "\", 0]}")                \
  "analysis: {type: transient}\ntime: {end: 3, step: 0.05}\n"

#define IN_STEPS "analysis: {type: transient}\ntime: {end: 3, step: 0.05}\n"
#define ADAPTS(max, traction)                                                                                          \
  FLAT("plane-strain", ", density: 1", "{on: x0, fix: all}, {on: x1, traction: [\"" traction "\", 0]}")                \
  "analysis: {type: transient}\ntime: {end: 3, step: 0.01, adaptive: {tolerance: 1e-3, max: " max "}}\n"

/* Laws of small strains at finite strain near 0.5, where Newton's method fails. */
static void linear_laws(void **state) {
  (void)state;
#define LAW(law, strain)                                                                                               \
  "version: 1\nphysics: elasticity\nmodel: plane-strain\nmesh: {grid: [4, 4]}\nstrain: " strain                        \
  "\nmaterials: [{on: body, " law                                                                                      \
  "}]\nboundary: [{on: x0, symmetry: true}, {on: y0, symmetry: true}, {on: y1, fix: {y: 0.01}}]\n"
#define STEPS "time: {end: 1, step: 1}\n"
  static const Row row[] = {
      {LAW("young: 8, poisson: 0.497", "finite") STEPS,
       "case.yaml:6:13: 'isotropic' with poisson 0.497 at finite strain: load steps will hardly converge"},
      {LAW("young: 8, poisson: 0.46", "finite") STEPS, NULL},
      {LAW("type: neo-hooke, young: 8, poisson: 0.497", "finite") STEPS, NULL},
      {LAW("young: 8, poisson: 0.497", "small"), NULL},
      {LAW("young: 8, poisson: 0.497", "finite") STEPS "formulation: displacement\n", "linear elements lock"}};
  ALONE("check", row);
}

static void in_time(void **state) {
  (void)state;
  static const Row row[] = {
      {HEAT("{on: x0, temperature: 12}", "time: {end: 2, step: 0.1}\n"),
       "case.yaml:5:34: a temperature is given here and 'initial' is not"},
      {HEAT("{on: x0, convection: {coefficient: 3, ambient: -4}}", "time: {end: 2, step: 0.1}\n"), "'initial' is not"},
      {HEAT("{on: x0, temperature: 12}", "time: {end: 2, step: 0.1}\ninitial: 0\n"), NULL},
      {HEAT("{on: x0, temperature: 0}, {on: x1, flux: 4}", "time: {end: 2, step: 0.1}\n"), NULL},
      {HEAT("{on: x0, temperature: 12}", ""), NULL},
      {HEAT("{on: x0, temperature: 0}, {on: x1, flux: \"3*step(t - 0.7)*step(1 - t)\"}", "time: {end: 2, step: 0.1}\n"),
       "case.yaml:5:53: the flux on 'x1' has a pulse of 0.3"},
      {MOVES("sin(2*pi*t/0.2)"), "the traction on 'x1' has a period of 0.2"},
      {MOVES("2 + cos(2*pi*t/0.2)"), "the traction on 'x1' has a period of 0.2"},
      {MOVES("sin(2*pi*t/0.3)"), NULL},
      {FLAT("plane-strain", ", density: 1", "{on: x0, fix: {x: \"sin(2*pi*t/0.15)\", y: 0}}") IN_STEPS,
       "case.yaml:6:26: the prescribed displacement on 'x0' has a period of 0.15"},
      {FLAT("plane-strain", ", density: 1",
            "{on: x0, fix: all}") "body: [{on: body, gravity: [\"cos(2*pi*t/0.15)\", 0]}]\n" IN_STEPS,
       "the gravity on 'body' has a period of 0.15"},
      {FLAT("axisymmetric", ", density: 1", "{on: x0, fix: all}, {on: y1, pressure: \"sin(2*pi*t/0.15)\"}") IN_STEPS,
       "the pressure on 'y1' has a period of 0.15"},
      {HEAT("{on: x0, temperature: \"4*sin(2*pi*t/0.4)\"}", "time: {end: 2, step: 0.1}\ninitial: 0\n"),
       "the temperature on 'x0' has a period of 0.4"},
      {HEAT("{on: y0, convection: {coefficient: 2, ambient: \"sin(2*pi*t/0.4)\"}}",
            "time: {end: 2, step: 0.1}\ninitial: 0\n"),
       "the ambient temperature on 'y0' has a period of 0.4"},
      {HEAT("{on: y0, power: \"sin(2*pi*t/0.4)\"}", "time: {end: 2, step: 0.1}\ninitial: 0\n"),
       "the power on 'y0' has a period of 0.4"},
      {HEAT("{on: x0, temperature: 0}",
            "source: [{on: body, value: \"sin(2*pi*t/0.4)\"}]\ntime: {end: 2, step: 0.1}\n"),
       "the source on 'body' has a period of 0.4"},
      {MOVES("max(0, 1 - abs(t - 1.23)/0.07)"), "the traction on 'x1' has a pulse of"},
      {MOVES("-max(0, 1 - abs(t - 1.23)/0.07)"), "the traction on 'x1' has a pulse of"},
      {MOVES("max(0, 1 - abs(t - 1.2)/0.4)"), NULL},
      {MOVES("step(t - 1)"), NULL},
      {ADAPTS("0.4", "max(0, 1 - abs(t - 1.23)/0.07)"),
       "the traction on 'x1' has a pulse of 0.07 at t = 1.2, and steps may become 0.4"},
      {ADAPTS("0.05", "max(0, 1 - abs(t - 1.23)/0.07)"), NULL},
      {ADAPTS("0.4", "sin(2*pi*t/0.2)"), NULL},
      {MOVES("min(t/0.04, 1)"), NULL},
      {MOVES("y*exp(-3*t)"), NULL}};
  ALONE("check", row);
}

#define HOT(thermal) FLAT("plane-strain", ", expansion: 1e-5", "{on: x0, fix: all}") "thermal: " thermal "\n"

static void heated(void **state) {
  (void)state;
  static const Row row[] = {{HOT("{temperature: 35}"), "case.yaml:7:10: thermal has no 'reference'"},
                            {HOT("{temperature: \"3*x\"}"), "thermal has no 'reference'"},
                            {HOT("{temperature: 35, reference: 0}"), NULL},
                            {HOT("{temperature: 35, reference: 20}"), NULL}};
  static const Row of_run[] = {{HOT("{temperature: {results: warm}, reference: 4}"), NULL}};
  static const Row changed[] = {
      {HOT("{temperature: {results: warm}, reference: 4}"), "heat.yaml' has changed since it was run"}};
  static const Row alone[] = {
      {FLAT("plane-strain", ", expansion: 1e-5",
            "{on: x0, fix: all}") "load-cases: [{name: warm, thermal: {reference: 0, temperature: 40}}]\n",
       NULL}}; /* "there is no load" is not true of it */
  static const char *const then = HEAT("{on: x0, temperature: 11}, {on: x1, flux: 2}", "");
  static const char *const same[] = {
      "# of last week\n" HEAT("{on: x0, temperature: 11}, {on: x1, flux: 2}", "# and no more\n"),
      HEAT("{temperature: 11.0, on: [x0]}, {on: 'x1', flux: 2.0}",
           "title: warm\noutput: {fields: [temperature, flux]}\n")};
  static const char *const other[] = {
      HEAT("{on: x0, temperature: 12}, {on: x1, flux: 2}", ""), HEAT("{on: x0, temperature: 11}", ""),
      HEAT("{on: x0, temperature: 11}, {on: x1, flux: 2}", "source: [{on: body, value: 3}]\n")};
  char *folder = scratch_create();
  ROWS(folder, "check", row);
  scratch_write(folder, "heat.yaml", then);
  Said said = app_says("run", scratch_path(folder, "heat.yaml"), "--output", scratch_path(folder, "warm"), "--set",
                       "boundary.1.flux=3", NULL);
  assert_int_equal(said.code, 0);
  said_release(&said);
  ROWS(folder, "check", of_run);
  for (size_t k = 0; k < sizeof same / sizeof *same; ++k) {
    scratch_write(folder, "heat.yaml", same[k]);
    ROWS(folder, "check", of_run);
  }
  for (size_t k = 0; k < sizeof other / sizeof *other; ++k) {
    scratch_write(folder, "heat.yaml", other[k]);
    ROWS(folder, "check", changed);
  }
  ROWS(folder, "run", alone);
  scratch_remove(&folder);
}

/* An L of three squares, its corner at (1, 1), with points at (0, 0) and (2, 1). */
static const char *const ELL =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n2 1 \"body\"\n1 2 \"top\"\n1 3 \"end\"\n0 4 \"foot\"\n0 "
    "5 "
    "\"tip\"\n$EndPhysicalNames\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n7 0 2 0\n8 1 2 "
    "0\n$EndNodes\n$Elements\n7\n1 15 2 4 4 1\n2 15 2 5 5 6\n3 1 2 2 2 8 7\n4 1 2 3 3 3 6\n5 3 2 1 1 1 2 5 4\n6 3 2 1 "
    "1 2 3 6 "
    "5\n7 3 2 1 1 4 5 8 7\n$EndElements\n";
#define LOADED(boundary)                                                                                               \
  "version: 1\nphysics: elasticity\nmodel: plane-strain\nmesh: {file: ell.msh, refine: 3, order: 2}\n"                 \
  "materials: [{on: body, young: 500, poisson: 0.2}]\nboundary: [" boundary "]\n"
#define BOUND(mesh, boundary)                                                                                          \
  "version: 1\nphysics: elasticity\nmodel: 3d\nmesh: {grid: [7, 4, 4], size: [3, 1, 1], order: 2" mesh "}\n"           \
  "materials: [{on: body, young: 500, poisson: 0.2}]\nboundary: [" boundary "]\n"

/* A plate of four triangles, 5 by 2, with a point in its upper edge, or a solid of four wedges with a line there. */
static void write_plate(const char *folder, const char *name, bool solid) {
  static const double x[][2] = {{0, 0}, {2, 0}, {5, 0}, {0, 2}, {3, 2}, {5, 2}};
  static const int tri[][3] = {{1, 2, 4}, {2, 5, 4}, {2, 3, 5}, {3, 6, 5}};
  Text text = {0};
  text_add(&text,
           "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n%d 1 \"body\"\n%d 2 \"left\"\n%d 3 "
           "\"right\"\n%d 4 \"p\"\n$EndPhysicalNames\n$Nodes\n%d\n",
           2 + solid, 1 + solid, 1 + solid, solid, 6 + 6 * solid);
  for (int i = 0; i < 6 + 6 * solid; ++i) text_add(&text, "%d %g %g %d\n", i + 1, x[i % 6][0], x[i % 6][1], i / 6);
  text_add(&text, "$EndNodes\n$Elements\n7\n");
  for (int i = 0; i < 4; ++i) {
    const int a = tri[i][0], b = tri[i][1], c = tri[i][2];
    if (solid) text_add(&text, "%d 6 2 1 1 %d %d %d %d %d %d\n", i + 1, a, b, c, a + 6, b + 6, c + 6);
    else text_add(&text, "%d 2 2 1 1 %d %d %d\n", i + 1, a, b, c);
  }
  text_add(&text, solid ? "5 3 2 2 2 4 1 7 10\n6 3 2 3 3 3 6 12 9\n7 1 2 4 4 5 11\n"
                        : "5 1 2 2 2 4 1\n6 1 2 3 3 3 6\n7 15 2 4 4 5\n");
  text_add(&text, "$EndElements\n");
  scratch_write(folder, name, text.data);
  text_release(&text);
}
#define PLATE(mesh, boundary)                                                                                          \
  "version: 1\nphysics: elasticity\nmodel: plane-strain\nmesh: {file: plate.msh" mesh "}\n"                            \
  "materials: [{on: body, young: 5e4, poisson: 0.27}]\nboundary: [" boundary "]\n"
#define SOLID(mesh, boundary)                                                                                          \
  "version: 1\nphysics: elasticity\nmodel: 3d\nmesh: {file: solid.msh" mesh "}\n"                                      \
  "materials: [{on: body, young: 5e4, poisson: 0.27}]\nboundary: [" boundary "]\n"
#define PROPPED "{on: left, fix: {x: 0}}, {on: p, fix: all}, {on: right, traction: [0, -3"

static void peaks(void **state) {
  (void)state;
  static const Row row[] = {
      {LOADED("{on: top, fix: all}, {on: end, traction: [0, 1]}"), "is at a re-entrant corner: it has no limit there"},
      {LOADED("{on: top, fix: {y: 0}}, {on: end, fix: {x: 0}}, {on: tip, force: [0, 3]}"), "is where the force at "},
      {LOADED("{on: foot, fix: all}, {on: end, traction: [0, 1]}, {on: top, spring: 0.01}"),
       "is where the support at "},
      {BOUND("", "{on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}, {on: z0, fix: {z: 0}}, {on: x1, traction: [1, 0, 0]}"),
       NULL},
      {RING("{file: ring.msh, refine: 2}", "{on: bore, pressure: 1}, {on: rim, spring: 1}"), NULL},
      {PLATE(", refine: 2", PROPPED "]}"), "is next to where the support at "},
      {PLATE(", refine: 3, order: 2", PROPPED "]}"), "is next to where the support at "},
      {PLATE(", refine: 4", "{on: [left, right], fix: all}, {on: p, force: [0, 9]}"), "is next to where the force at "},
      {SOLID(", refine: 2", PROPPED ", 0]}"), "is next to where the support at "},
      {PLATE(", refine: 3, order: 2", "{on: left, fix: all}, {on: p, force: [0, 0.1]}, {on: right, traction: [0, 4]}"),
       NULL}, /* far */
      {PLATE(", order: 2", "{on: left, fix: {x: 0}}, {on: p, fix: {y: 0}}, {on: right, traction: [3, 0]}"),
       NULL}}; /* beside all, and even */
  char *folder = scratch_create();
  scratch_write(folder, "ell.msh", ELL);
  write_plate(folder, "plate.msh", false);
  write_plate(folder, "solid.msh", true);
  write_ring(folder, "ring.msh", 64, 2 * M_PI);
  ROWS(folder, "run", row);
  scratch_remove(&folder);
}

#define SIZED(head, size, material)                                                                                    \
  "version: 1\nphysics: elasticity\nmodel: plane-strain\n" head "mesh: {grid: [7, 4], size: [" size "]}\n"             \
  "materials: [{on: body, poisson: 0.2, " material "}]\nboundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0]}]\n"
#define LABEL(units, size, material) SIZED("units: " units "\n", size, material)

#define WEIGHED(units, material, gravity)                                                                              \
  "version: 1\nphysics: elasticity\nmodel: plane-strain\nunits: " units "\nmesh: {grid: [7, 4], size: [90, 20]}\n"     \
  "materials: [{on: body, " material "}]\nboundary: [{on: x0, fix: all}]\nbody: [{on: body, gravity: " gravity "}]\n"
#define WEIGHT(units, density, gravity) WEIGHED(units, "poisson: 0.2, young: 4e5, density: " density, gravity)
#define NAMED(units, gravity) WEIGHED(units, "name: steel", gravity)

static void sizes(void **state) {
  (void)state;
  static const Row row[] = {
      {LABEL("mm N", "100, 10", "young: 70e9"),
       "case.yaml:6:45: young is 7e+10 MPa by the label 'units: mm N': stiffer"},
      {LABEL("SI", "120, 10", "young: 70e9"), NULL}, /* a bridge */
      {LABEL("SI", "9000, 80", "young: 195e9, density: 7850"), NULL},
      {LABEL("m kN", "240, 10", "young: 195e6"), NULL},
      {LABEL("SI", "90000, 80", "young: 195e9"), "case.yaml:4:8: the body is 9e+04 m large by the label 'units: SI'"},
      {LABEL("SI", "3, 0.2", "young: 195e3"),
       "case.yaml:6:45: young is 195000 Pa by the label 'units: SI', and the body 3 m large"},
      {LABEL("SI", "3, 0.2", "young: 3e4, density: 2400"), "remedy: 3e+10, if 30000 is in MPa"},
      {LABEL("m kN", "4, 0.2", "young: 110"), "young is 110 kPa by the label"},
      {LABEL("SI", "3, 0.2", "young: 3e4, density: 40"), NULL}, /* a mattress */
      {LABEL("SI", "0.2, 0.2", "young: 3e4"), NULL},            /* a gel */
      {LABEL("SI", "3, 0.2", "young: 4e6"), NULL},              /* rubber */
      {LABEL("mm, N, MPA", "100, 10", "young: 7e4"),
       "case.yaml:4:8: 'MPA' in 'units: mm, N, MPA' is not a unit and is ignored"},
      {LABEL("mm mn", "100, 10", "young: 7e4"), "'mn' in"},
      {LABEL("si", "1, 0.2", "young: 7e10"), "'si' in 'units: si' is not a unit"},
      {LABEL("In mm, as drawn by M. T. Kg-Ha", "100, 10", "young: 7e4"), "'Kg' in"},
      {WEIGHT("mm N", "3e-9", "[0, -9.81]"),
       "case.yaml:8:28: gravity of 9.81 is 0.00981 m/s2 by the label 'units: mm N', and the earth's is 9810 there"},
      {WEIGHT("mm N", "3e-9", "[0, 9810]"), NULL},
      {WEIGHT("mm N MPa g ms", "3e-3", "[0, 0.00981]"), NULL},
      {WEIGHT("mm N MPa t s", "3e-9", "[5.886, 7.848]"), "gravity of 9.81"},
      {WEIGHT("in lbf psi", "7e-4", "[0, -386.1]"), NULL},
      {WEIGHT("in lbf psi", "7e-4", "[0, -9.81]"), "the earth's is 386.2 there"},
      {WEIGHT("mm N", "3e-9", "[0, -300]"), NULL}, /* an acceleration of some machine */
      {WEIGHT("whatever", "3e-9", "[0, -9.81]"), NULL},
      {LABEL("mm, N, MPa, t", "100, 10", "young: 70e3, density: 2700"), "density is 2700, which is 2.7e+15 kg/m3"},
      {LABEL("SI", "0.1, 0.01", "young: 70e9, density: 2.7e-9"), "lighter than any solid"},
      {LABEL("mm N MPa", "100, 10", "young: 70e3, density: 2.7e-9"), NULL},
      {LABEL("SI", "120, 10", "young: 30e9, density: 2500"), NULL},       /* a dam */
      {LABEL("mm N W", "100, 10", "young: 70e3, density: 2.7e-3"), NULL}, /* whose time is ms */
      {LABEL("mm N W", "100, 10", "young: 70e3, density: 2.7e-9"), NULL}, /* or was not thought of */
      {LABEL("mm W", "100, 10", "young: 70, density: 2.7e-9"), "density is 2.7e-09, which is 2.7e+06 kg/m3"},
      {NAMED("mm N W", "[0, 9810]"), "gravity of 9810 is 9.81e+06 m/s2 by the label 'units: mm N W'"},
      {NAMED("mm N W", "[0, 0.00981]"), NULL},
      {SIZED("", "120, 10", "young: 210e9"), "case.yaml:5:45: young is 2.1e+11, which is in Pa"},
      {SIZED("", "12, 1", "young: 210e9"), NULL},
      {SIZED("", "120, 10", "young: 30e6"), NULL}, /* psi */
      {LABEL("whatever", "120, 10", "young: 70e15"), NULL}};
  ALONE("check", row);
}

#define HEAT_ROUND(boundary)                                                                                           \
  "version: 1\nphysics: heat\nmodel: axisymmetric\nmesh: {grid: [7, 4], size: [3, 1]}\n"                               \
  "materials: [{on: body, conductivity: 2}]\nboundary: [" boundary "]\n"
#define HEAT_PLATE(thickness, boundary)                                                                                \
  "version: 1\nphysics: heat\nmesh: {grid: [7, 4], size: [3, 1]}\n"                                                    \
  "materials: [{on: body, conductivity: 2" thickness "}]\nboundary: [" boundary "]\n"

/* Heat that given temperatures take, that has no area, or that is of a plate without thickness. */
static void heat_loads(void **state) {
  (void)state;
  static const Row row[] = {
      {HEAT("{on: x0, temperature: 2}, {on: x0, flux: 4}, {on: x1, flux: 1}", ""),
       "case.yaml:5:53: flux on 'x0' does nothing: the temperature of all its nodes is given"},
      {HEAT("{on: x0, temperature: 0, convection: {coefficient: 3, ambient: 5}}, {on: x1, flux: 1}", ""),
       "convection on 'x0' does nothing"},
      {HEAT("{on: x0, temperature: 0}, {on: y1, flux: 4}", ""), NULL}, /* one node of it is held */
      {HEAT("{on: x0, temperature: 0}, {on: x0, flux: 0}, {on: x1, flux: 1}", ""), NULL},
      {HEAT_ROUND("{on: x1, temperature: 0}, {on: x0, flux: 4}, {on: y1, flux: 1}"),
       "flux on 'x0' does nothing: all of it has the radius x = 0"},
      {HEAT_ROUND("{on: x1, temperature: 0}, {on: y0, flux: 4}"), NULL},
      {HEAT_ROUND("{on: x0, temperature: 0}, {on: x1, power: 4}"), NULL}, /* has no thickness */
      {HEAT_PLATE("", "{on: x0, temperature: 0}, {on: x1, power: 4}"),
       "a total power acts on a plate whose thickness is not given"},
      {HEAT_PLATE(", thickness: 1", "{on: x0, temperature: 0}, {on: x1, power: 4}"), NULL},
      {HEAT_PLATE("", "{on: x0, temperature: 0}, {on: x1, power: 0}, {on: y1, flux: 2}"), NULL}};
  ALONE("check", row);
}

#define SHAKEN(traction, more)                                                                                         \
  FLAT("plane-strain", ", density: 1", "{on: x0, fix: all}, {on: x1, traction: [" traction ", 0]}")                    \
  "analysis: {type: harmonic, frequency: [0.2, 0.4], damping: 0.01" more "}\n"

/* A bar 3 long that is drawn by its stress times 3 / 500, and more near a resonance. */
static void amplitudes(void **state) {
  (void)state;
  static const Row row[] = {{SHAKEN("90", ""), "displacements differ by up to "},
                            {SHAKEN("90", ", method: modes, modes: 5"), "displacements differ by up to "},
                            {SHAKEN("9", ""), NULL}};
  ALONE("run", row);
}

#define ACROSS(grid, more, boundary)                                                                                   \
  "version: 1\nphysics: elasticity\nmodel: 3d\nmesh: {grid: [" grid "], size: [7, 0.8, 0.8]" more "}\n"                \
  "materials: [{on: body, young: 900, poisson: 0.22}]\nboundary: [{on: x0, fix: all}" boundary "]\n"
#define TURNED ", {on: x1, fix: {x: 0, y: '-0.02*(z-0.4)', z: '0.02*(y-0.4)'}}"
/* A bar between rollers, of which only the far end is free and flat: its stress vanishes there. */
#define GUIDED(grid, more, poisson, gravity)                                                                           \
  "version: 1\nphysics: elasticity\nmodel: 3d\nmesh: {grid: [" grid "], size: [9, 2, 2]" more "}\n"                    \
  "materials: [{on: body, young: 7e5, poisson: " poisson ", density: 1.5}]\nboundary: [{on: x0, fix: {x: 0}}, "        \
  "{on: [y0, y1], fix: {y: 0}}, {on: [z0, z1], fix: {z: 0}}]\nbody: [{on: body, gravity: [" gravity ", 0, 0]}]\n"
#define TURN_FORCE "the stress leaves a force on the free surface, of "

/* A square bar of one element across has the shear stress G theta r at its edges: there the force on a side is 1 / sqrt(6) of
 * the von Mises stress, and 1 - 0.1406 * 6 of the energy is too much. Two elements across are as blind. */
static void across(void **state) {
  (void)state;
  static const Row row[] = {
      {ACROSS("15, 2, 2", "", TURNED), TURN_FORCE "41 %"},
      {ACROSS("15, 2, 2", ", order: 2", TURNED), TURN_FORCE "41 %"},
      {ACROSS("15, 3, 3", "", TURNED), TURN_FORCE "3"},
      {ACROSS("15, 2, 2", "",
              "]\nload-cases: [{name: a, boundary: [{on: x1, traction: [2, 0, 0]}]}, {name: b, boundary: "
              "[{on: x1, distribute: {at: [7, 0.4, 0.4], moment: [0.3, 0, 0]}}]}, {name: c, boundary: "
              "[{on: x1, distribute: {at: [7, 0.4, 0.4], moment: [-0.7, 0, 0]}}]}"),
       TURN_FORCE},
      {ACROSS("15, 5, 5", "", TURNED), NULL},
      {ACROSS("15, 2, 2", "", ", {on: x1, traction: [0, 0, 0.01]}"), NULL},
      {ACROSS("15, 3, 3", "", ", {on: x1, traction: [0, 0, 0.01]}"), NULL},
      {ACROSS("15, 2, 2", "", ", {on: x1, traction: [3, 0, 0]}"), NULL},
      {ACROSS("15, 2, 2", "", ", {on: z1, pressure: 3}, {on: z0, pressure: 3}"),
       NULL}, /* loads are forces that are meant */
      {ACROSS("2, 2, 2", "", TURNED), NULL},
      {GUIDED("20, 4, 4", "", "0", "2"), NULL},
      {GUIDED("11, 5, 4", ", order: 2", "0.25", "'2+x*x'"), NULL},
      {GUIDED("14, 4, 5", ", order: 2", "0.1", "'x*(9-x)'"), NULL}};
  ALONE("run", row);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads),       cmocka_unit_test(bores),     cmocka_unit_test(pins),
      cmocka_unit_test(linear_laws), cmocka_unit_test(in_time),   cmocka_unit_test(heated),
      cmocka_unit_test(peaks),       cmocka_unit_test(sizes),     cmocka_unit_test(across),
      cmocka_unit_test(heat_loads),  cmocka_unit_test(amplitudes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
