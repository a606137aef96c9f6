/* Muscle by one rank and by several: the same files, with tension alone, and with cavities whose pressures are given, found with their
 * volumes, and found with a circulation. What several ranks do not do yet is refused by name. */
#include "tests/app/ranks_run.h"
#include "tests/app/scratch.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Quarters of two rings, one around the other, of radii 20 to 30 and 40 to 50: the cavity of the outer one is all that is inside of it. */
enum { ACROSS = 9, ALONG = 201, RINGS = 2 };
static int node_at(int ring, int i, int j) { return 1 + i + ACROSS * (j + ALONG * ring); }

static int write_nodes(char *to) {
  int used = sprintf(to, "$Nodes\n%d\n", RINGS * ACROSS * ALONG);
  for (int ring = 0; ring < RINGS; ++ring)
    for (int j = 0; j < ALONG; ++j)
      for (int i = 0; i < ACROSS; ++i) {
        const double r = 20 + 20 * ring + 10. * i / (ACROSS - 1), angle = acos(0) * j / (ALONG - 1);
        used += sprintf(to + used, "%d %.17g %.17g 0\n", node_at(ring, i, j), j == ALONG - 1 ? 0 : r * cos(angle),
                        j == 0 ? 0 : r * sin(angle));
      }
  return used + sprintf(to + used, "$EndNodes\n");
}

static int write_line(char *to, int *n, int group, int a, int b) {
  return sprintf(to, "%d 1 2 %d %d %d %d\n", ++*n, group, group, a, b);
}

static int write_elements(char *to) {
  const int across = ACROSS - 1, along = ALONG - 1;
  int used = sprintf(to, "$Elements\n%d\n", RINGS * (across * along + 2 * across + 2 * along)), n = 0;
  for (int ring = 0; ring < RINGS; ++ring) {
    for (int i = 0; i < across; ++i) {
      used += write_line(to + used, &n, 2, node_at(ring, i, 0), node_at(ring, i + 1, 0));
      used += write_line(to + used, &n, 3, node_at(ring, i, along), node_at(ring, i + 1, along));
    }
    for (int j = 0; j < along; ++j) {
      used += write_line(to + used, &n, 4 + ring, node_at(ring, 0, j), node_at(ring, 0, j + 1));
      used += write_line(to + used, &n, 6, node_at(ring, across, j), node_at(ring, across, j + 1));
    }
  }
  for (int ring = 0; ring < RINGS; ++ring)
    for (int j = 0; j < along; ++j)
      for (int i = 0; i < across; ++i)
        used += sprintf(to + used, "%d 3 2 1 1 %d %d %d %d\n", ++n, node_at(ring, i, j), node_at(ring, i + 1, j),
                        node_at(ring, i + 1, j + 1), node_at(ring, i, j + 1));
  return used + sprintf(to + used, "$EndElements\n");
}

static void write_rings(const char *folder) {
  static char text[1 << 19];
  int used = sprintf(text, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n2 1 \"wall\"\n1 2 \"y0\"\n1 3 "
                           "\"x0\"\n1 4 \"lv\"\n1 5 \"rv\"\n1 6 \"epi\"\n$EndPhysicalNames\n");
  used += write_nodes(text + used);
  used += write_elements(text + used);
  assert_true(used < (int)sizeof text);
  scratch_write(folder, "rings.msh", text);
}

#define AROUND "fibers: {direction: [\"-y/sqrt(x^2+y^2)\", \"x/sqrt(x^2+y^2)\"]}"
#define RINGS_OF(law, tension)                                                                                         \
  "version: 1\nmesh: {file: rings.msh}\nphysics: electromechanics\nmodel: plane-strain\n"                              \
  "muscle: [{on: wall, " law ", " AROUND ", tension: {" tension "}}]\n"                                                \
  "boundary:\n- {on: [x0, y0], symmetry: true}\n- {on: epi, spring: {normal: 0.1}, dashpot: {normal: 1}}\n"
#define RUBBER "type: neo-hooke, shear: 4, bulk: 40"
#define PULL "value: '10*t*(x+y)/50', form: stretch"
#define ROWS(fields)                                                                                                   \
  "solver: {preconditioner: amg, rtol: 1e-3}\noutput:\n  every: 2\n  checkpoint: 1\n  fields: [" fields "]\n"          \
  "  probes: [{name: a, at: [25, 0], field: displacement-x}, {name: b, at: [0, 42], field: displacement-y}]\n"         \
  "  sums: [{name: v, on: lv, field: volume}, {name: p, on: lv, field: pressure}, {name: w, on: rv, field: volume}, "  \
  "{name: q, on: rv, field: pressure}, {name: r, on: x0, field: reaction}]\n"

static const SharedCase muscle = {
    "muscle", 0,
    "version: 1\nmesh: {grid: [31, 113], size: [2, 8]}\nphysics: electromechanics\nmodel: plane-strain\n"
    "muscle: [{on: body, type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 40, viscosity: 20, fibers: {direction: [1, "
    "'0.2*y']}, tension: {model: land, preset: whole-organ, calcium: '0.14 + 0.05*t*(1+0.1*y)'}}]\n"
    "boundary:\n- {on: x0, symmetry: true}\n- {on: y0, symmetry: true}\n- {on: x1, pressure: '0.1*t'}\n- {on: y1, "
    "spring: {normal: 0.5}, dashpot: {normal: 3}}\n"
    "time: {end: 3.5, step: 0.5}\nsolver: {preconditioner: amg, rtol: 1e-3}\n"
    "output:\n  every: 2\n  checkpoint: 1\n  fields: [displacement, cauchy, tension, fiber-stretch, fiber-stress]\n"
    "  maps: [peak-stretch, peak-tension, peak-tension-time]\n"
    "  probes: [{name: a, at: [1, 8], field: displacement-x}, {name: b, at: [1, 4], field: tension}]\n"};

static const SharedCase cavities[] = {
    {"volume and pressure", 1,
     RINGS_OF(RUBBER, PULL) "cavities: [{name: lv, on: lv, volume: 'V0*(1 + 0.02*t)'}, {name: rv, on: rv, pressure: "
                            "'0.2*t'}]\ntime: {end: 2, step: 1}\n" ROWS("displacement, cauchy, reaction")},
    {"circulation", 0,
     RINGS_OF(RUBBER,
              PULL) "cavities: [{name: lv, on: lv, pressure: 0.2}, {name: rv, on: rv, pressure: 0.1}]\n"
                    "circulation:\n  cycle: 4\n"
                    "  lv: {from: {pressure: 0.2, valve: {open: 20}}, to: {valve: {open: 20}, windkessel: {zc: 10, r: "
                    "300, c: 0.1, pressure: 0.3}}}\n"
                    "  rv: {from: {pressure: 0.1, valve: {open: 10}}, to: {valve: {open: 10}, windkessel: {zc: 10, r: "
                    "100, c: 0.3, pressure: 0.2}}}\n"
                    "time: {end: 4, step: 0.4}\n" ROWS("displacement")},
};

/* A hollow sphere around the axis, filled beyond what a pressure would. */
static const SharedCase balloon = {
    "balloon", 1,
    "version: 1\nmesh: {file: rings.msh}\nphysics: elasticity\nmodel: axisymmetric\nstrain: finite\n"
    "materials: [{on: wall, " RUBBER "}]\nboundary:\n- {on: [x0, y0], symmetry: true}\n"
    "- {on: rv, pressure: '0.1*t'}\n- {on: lv, volume: 'V0*(1 + 0.2*t)'}\n"
    "time: {end: 1, step: 0.5}\nsolver: {preconditioner: amg, rtol: 1e-4}\noutput:\n  fields: [displacement]\n"
    "  sums: [{name: p, on: lv, field: pressure}, {name: v, on: lv, field: volume}]\n"};

/* A block in space with a lid over the rim of its left side, and another over that of its right one, which end on a plane of symmetry;
 * and strains in directions of the wall between the two. */
static const SharedCase lids[] = {
    {"lid", 2,
     "version: 1\nmesh: {grid: [13, 17, 17], size: [3, 4, 4]}\nphysics: electromechanics\n"
     "muscle: [{on: body, " RUBBER ", fibers: {direction: [0, 1, 1]}, tension: {" PULL "}}]\n"
     "boundary:\n- {on: y0, symmetry: true}\n- {on: z1, fix: all}\n"
     "cavities: [{name: lv, on: x0, pressure: '0.3*t', lid: carries, wall: x1}, {name: rv, on: x1, volume: 'V0 + "
     "0.0002*t', lid: "
     "carries}]\ntime: {end: 1, step: 1}\nsolver: {preconditioner: amg, rtol: 1e-3}\n"
     "output:\n  fields: [displacement, reaction, fiber-stress, strain-circumferential, strain-longitudinal, "
     "strain-radial]\n  probes: [{name: a, at: [3, 4, 0], field: "
     "displacement-x}]\n"}};

static void muscle_is_that_of_one_rank(void **state) {
  (void)state;
  ranks_write = NULL;
  ranks_stop_and_go_on(&muscle);
}

static void cavities_are_those_of_one_rank(void **state) {
  (void)state;
  ranks_write = write_rings;
  ranks_same_as_alone(&balloon);
  ranks_same_as_alone(&cavities[0]);
  ranks_same_as_alone(&lids[0]);
  ranks_stop_and_go_on(&cavities[1]);
}

/* A block in space that a cavity presses along x between planes that hold it across: the volume is the way of its surface times its
 * area, and the wall becomes thinner by the difference of the ways of both sides. */
static void walls_are_those_of_one_rank(void **state) {
  (void)state;
  static const char *const ranks[] = {"1", "2"};
  char path[512], *rows[2],
      *folder =
          ranks_folder("version: 1\nmesh: {grid: [9, 15, 18], size: [2, 3, 4]}\nphysics: electromechanics\n"
                       "muscle: [{on: body, " RUBBER "}]\nboundary:\n- {on: [y0, y1, z0, z1], symmetry: true}\n"
                       "- {on: x1, spring: {normal: 2}}\n"
                       "cavities: [{name: lv, on: x0, pressure: 't', wall: x1}]\ntime: {end: 1, step: 0.5}\n"
                       "solver: {preconditioner: amg, rtol: 1e-6}\noutput: {fields: [displacement], probes: [{name: "
                       "a, at: [0, 1, 1], field: displacement-x}, {name: b, at: [2, 1, 1], field: "
                       "displacement-x}]}\n");
  for (int k = 0; k < 2; ++k) {
    ranks_run(ranks[k], folder, ranks[k], NULL, 0, path);
    rows[k] = scratch_read(path, "loops.csv");
  }
  assert_string_equal(rows[0], rows[1]);
  char *probes = scratch_read(path, "probes.csv"), *at = strstr(rows[1], "\n1,"), *probe = strstr(probes, "\n1,");
  assert_non_null(strstr(rows[1], "lv-thickness,lv-radial-strain"));
  const double volume = strtod(at + 3, &at), pressure = strtod(at + 1, &at), thick = strtod(at + 1, &at);
  const double radial = strtod(at + 1, &at), a = strtod(probe + 3, &probe), b = strtod(probe + 1, NULL);
  assert_true(a > 0.05 && b > 0.01);
  assert_within(pressure, 1, 1e-12);
  assert_within(volume, 12 * a / 1000, 1e-8); /* mL; rows of loops.csv have 12 digits */
  assert_within(thick, 2 + b - a, 1e-7);
  assert_within(radial, (b - a) / 2, 1e-7);
  for (int k = 0; k < 2; ++k) free(rows[k]);
  free(probes);
  scratch_remove(&folder);
}

/* Volumes and what probes see at interfaces are numbers of one sample. */
static void probes_beside_a_cavity(void **state) {
  (void)state;
  static const char *const ranks[] = {"1", "2"};
  char path[512], *rows[2],
      *folder = ranks_folder("version: 1\nmesh: {grid: [17, 141], size: [2, 8], regions: [{name: soft, share: 0.5, "
                             "size: 1, seed: 3}]}\nphysics: electromechanics\nmodel: plane-strain\n"
                             "muscle: [{on: soft, type: neo-hooke, shear: 2, bulk: 20}, {on: body, " RUBBER "}]\n"
                             "boundary:\n- {on: [y0, y1], symmetry: true}\n- {on: x1, spring: {normal: 2}}\n"
                             "cavities: [{name: lv, on: x0, pressure: 't'}]\ntime: {end: 1, step: 1}\n"
                             "solver: {preconditioner: amg, rtol: 1e-6}\noutput: {fields: [displacement], probes: "
                             "[{name: a, at: [0.31, 2.03], field: stress-xx}, {name: b, at: [1.19, 5.03], field: "
                             "von-mises}, {name: c, at: [1.69, 3.53], field: stress-yy}]}\n");
  for (int k = 0; k < 2; ++k) {
    ranks_run(ranks[k], folder, ranks[k], NULL, 0, path);
    rows[k] = scratch_read(path, "probes.csv");
  }
  assert_string_equal(rows[0], rows[1]);
  for (int k = 0; k < 2; ++k) free(rows[k]);
  scratch_remove(&folder);
}

/* What no muscle does is found over the elements of all, and said once. */
static void warnings_are_those_of_one_rank(void **state) {
  (void)state;
  static const char *const ranks[] = {"1", "2"};
  static const char *const say[] = {"warning: fibres are stretched to less than 0.8", "warning: the mean tension is"};
  char *folder = ranks_folder("version: 1\nmesh: {grid: [21, 111], size: [2, 8]}\nphysics: electromechanics\n"
                              "model: plane-strain\nmuscle: [{on: body, " RUBBER ", fibers: {direction: [1, 0]}, "
                              "tension: {model: land, calcium: '3 + y'}}]\nboundary: [{on: [x0, y0], symmetry: true}, "
                              "{on: x1, fix: {x: '0.006*t'}}]\ntime: {end: 100, step: 50}\n"
                              "solver: {preconditioner: amg, rtol: 1e-3}\noutput: {fields: [displacement]}\n"),
       *told[2][2] = {{NULL}};
  for (int k = 0; k < 2; ++k) {
    setenv("SINEW_RANKS_AS_THREADS", ranks[k], 1);
    Said said = app_says("run", scratch_path(folder, "case.yaml"), "--backend", app_backend(), "--overwrite", NULL);
    unsetenv("SINEW_RANKS_AS_THREADS");
    if (said.code) fail_msg("exit code %d:\n%s", said.code, said.err);
    for (int i = 0; i < 2; ++i) {
      const char *at = strstr(said.err, say[i]);
      if (!at || strstr(at + 1, say[i])) fail_msg("%s ranks: not '%s' once:\n%s", ranks[k], say[i], said.err);
      told[k][i] = strndup(at, strcspn(at, "\n"));
    }
    said_release(&said);
  }
  for (int i = 0; i < 2; ++i) assert_string_equal(told[0][i], told[1][i]);
  for (int i = 0; i < 4; ++i) free(told[i / 2][i % 2]);
  scratch_remove(&folder);
}

/* The polygon of the nodes: what is inside of it is the volume, in mL of a slice of 1 mm. */
static void volumes_are_those_of_polygons(void **state) {
  (void)state;
  char path[512], *folder = ranks_folder(cavities[0].text);
  write_rings(folder);
  ranks_run("3", folder, "3", NULL, 0, path);
  char *rows = scratch_read(path, "loops.csv"), *at = strchr(rows, '\n');
  const double share = (ALONG - 1) * sin(acos(0) / (ALONG - 1)) / 2000; /* of r^2 */
  double value[5];
  for (int row = 0; row < 3; ++row, at = strchr(at, '\n')) {
    for (int k = 0; k < 5; ++k) value[k] = strtod(at + 1, &at);
    assert_within(value[1], 400 * share * (1 + 0.02 * row), 1e-3 * 400 * share); /* of the tolerance of the solver */
    assert_within(value[4], 0.2 * row, 1e-12);
    if (row == 0) assert_within(value[3], 1600 * share, 1e-11 * 1600 * share);
  }
  free(rows);
  scratch_remove(&folder);
}

static void the_rest_is_refused(void **state) {
  (void)state;
  static const char *const said[][2] = {
      {"cavities: [{name: lv, on: x0, pressure: 1}]\nunload: {lv: 1}\n", "'unload' is not for several processes"}};
  for (size_t k = 0; k < sizeof said / sizeof *said; ++k) {
    char text[4096];
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 1]}\nphysics: electromechanics\n"
             "muscle: [{on: body, " RUBBER "}]\nboundary: [{on: y0, fix: all}]\n%stime: {end: 1, step: 1}\n",
             said[k][0]);
    ranks_refused(text, "2", said[k][1]);
  }
  ranks_refused("version: 1\nmesh: {grid: [3, 3, 3], size: [1, 1, 1]}\nphysics: electromechanics\n"
                "tissue: [{on: body, ionic: ten-tusscher, diffusivity: 0.1, fibers: {direction: [1, 0, 0]}}]\n"
                "muscle: [{on: body, " RUBBER ", tension: {model: land}}]\nboundary: [{on: y0, fix: all}]\n"
                "time: {end: 1, step: 1, cells: {step: 0.05}}\n",
                "2", "a cells-and-muscle case is not for several processes");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(muscle_is_that_of_one_rank),
                                     cmocka_unit_test(cavities_are_those_of_one_rank),
                                     cmocka_unit_test(warnings_are_those_of_one_rank),
                                     cmocka_unit_test(walls_are_those_of_one_rank),
                                     cmocka_unit_test(probes_beside_a_cavity),
                                     cmocka_unit_test(volumes_are_those_of_polygons),
                                     cmocka_unit_test(the_rest_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
