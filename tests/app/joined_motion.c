/* Dashpots, and ties, equations and rigid groups in motion and modes: against closed forms, and against bodies in one
 * piece. */
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NX = 4, NY = 2, COLUMNS = 8 };

/* Two rectangles beside each other, each of size 1 x 0.5, with nodes of their own where they meet (groups a and b), turned
 * by an angle. */
static void write_two(const char *folder, double angle) {
  const double c = cos(angle), s = sin(angle);
  const int each = (NX + 1) * (NY + 1);
  char text[16384];
  int n = snprintf(text, sizeof text,
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n2 1 \"body\"\n1 2 \"x0\"\n1 3 \"x1\"\n"
                   "1 4 \"a\"\n1 5 \"b\"\n1 6 \"y0\"\n$EndPhysicalNames\n$Nodes\n%d\n",
                   2 * each);
  for (int i = 0; i < 2 * each; ++i) {
    const double x = i / each + i % each % (NX + 1) / (double)NX, y = 0.5 * (i % each / (NX + 1)) / NY;
    n += snprintf(text + n, sizeof text - (size_t)n, "%d %.17g %.17g 0\n", i + 1, c * x - s * y, s * x + c * y);
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "$EndNodes\n$Elements\n%d\n", 2 * NX * NY + 4 * NY + 2 * NX);
  int id = 0;
  for (int p = 0; p < 2; ++p)
    for (int k = 0; k < NX * NY; ++k) {
      const int at = p * each + k / NX * (NX + 1) + k % NX + 1;
      n += snprintf(text + n, sizeof text - (size_t)n, "%d 3 2 1 1 %d %d %d %d\n", ++id, at, at + 1, at + NX + 2,
                    at + NX + 1);
    }
  static const int side[4][3] = {{2, 0, 0}, {4, 0, NX}, {5, 1, 0}, {3, 1, NX}}; /* group, part, column */
  for (int g = 0; g < 4; ++g)
    for (int k = 0; k < NY; ++k) {
      const int at = side[g][1] * each + k * (NX + 1) + side[g][2] + 1;
      n += snprintf(text + n, sizeof text - (size_t)n, "%d 1 2 %d %d %d %d\n", ++id, side[g][0], side[g][0], at,
                    at + NX + 1);
    }
  for (int k = 0; k < 2 * NX; ++k) {
    const int at = k / NX * each + k % NX + 1;
    n += snprintf(text + n, sizeof text - (size_t)n, "%d 1 2 6 6 %d %d\n", ++id, at, at + 1);
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "$EndElements\n");
  assert_true(n < (int)sizeof text);
  scratch_write(folder, "two.msh", text);
}

/* The last row of the probes, behind its first column. */
static void last_row(const char *folder, int n, double *value) {
  char *text = scratch_read(folder, "results/probes.csv");
  text[strlen(text) - 1] = 0;
  char *at = strrchr(text, '\n');
  for (int i = 0; i < n; ++i) {
    at = strchr(at, ',') + 1;
    assert_int_equal(sscanf(at, "%lf", &value[i]), 1);
  }
  free(text);
}

#define HEAD "version: 1\nphysics: elasticity\nmodel: plane-stress\n"
#define STEEL "materials: [{on: body, young: 1000, poisson: 0.3, density: 2}]\n"
#define ONE "mesh: {grid: [9, 3], size: [2, 0.5]}\n"
#define TWO "mesh: two.msh\n"
#define TRANSIENT                                                                                                      \
  HEAD "analysis: {type: transient, damping: {alpha: 0.1, beta: 1e-3}}\nsolver: {rtol: 1e-12}\n"                       \
       "time: {end: 0.4, step: 0.01}\n"                                                                                \
       "output: {every: 0.1, probes: [{name: a, at: [2, 0.5], field: displacement-y}, {name: b, at: [1, 0.25], "       \
       "field: velocity-y}, {name: c, at: [2, 0], field: acceleration-x}, {name: d, at: [1, 0], field: "               \
       "displacement-x}]}\n"
#define HARMONIC                                                                                                       \
  HEAD "analysis: {type: harmonic, frequency: [0.2, 1.1], damping: {loss-factor: 0.05}}\nsolver: {rtol: 1e-10}\n"      \
       "output: {probes: [{name: a, at: [2, 0.5], field: displacement-y}, {name: b, at: [1, 0.25], "                   \
       "field: displacement-y, part: imaginary}, {name: c, at: [2, 0], field: displacement-x, part: phase}, "          \
       "{name: d, at: [1, 0], field: displacement-x}]}\n"

static void same_last_row(const char *one, const char *two, double tolerance) {
  char *folder = scratch_create();
  double a[4], b[4];
  write_two(folder, 0);
  app_runs(folder, one);
  last_row(folder, 4, a);
  app_runs(folder, two);
  last_row(folder, 4, b);
  for (int k = 0; k < 4; ++k) {
    assert_within(b[k], a[k], tolerance * fmax(fabs(a[k]), 1e-3));
  }
  scratch_remove(&folder);
}

/* Two bodies that a tie joins move as one does, supports that move and dashpots included. */
static void tie_joins(void **state) {
  (void)state;
#define ENDS(more)                                                                                                     \
  STEEL "boundary: [{on: x0, fix: {x: 0, y: \"0.01*sin(9*t)\"}}, {on: x1, traction: [\"t\", 3], dashpot: [1, 2]}" more \
        "]\ninitial: {velocity: [0, \"x\"], displacement: [\"0.01*x\", 0]}\n"
#define SHAKEN(more)                                                                                                   \
  STEEL "boundary: [{on: x0, fix: {x: 0, y: 0.01}}, {on: x1, traction: [1, 3], dashpot: [1, 2]}" more "]\n"
  same_last_row(TRANSIENT ONE ENDS(""), TRANSIENT TWO ENDS(", {on: a, tie: b}"), 1e-8);
#define LARGE                                                                                                          \
  HEAD "strain: finite\nanalysis: {type: transient, damping: {alpha: 0.1, beta: 1e-3}}\nsolver: {rtol: 1e-10}\n"       \
       "time: {end: 0.4, step: 0.01}\noutput: {every: 0.1, probes: [{name: a, at: [2, 0.5], field: displacement-y}, "  \
       "{name: b, at: [1, 0.25], field: velocity-y}, {name: c, at: [2, 0], field: acceleration-x}, {name: d, at: [1, " \
       "0], field: displacement-x}]}\n"
  same_last_row(LARGE ONE ENDS(""), LARGE TWO ENDS(", {on: a, tie: b}"), 1e-6);
  same_last_row(HARMONIC ONE SHAKEN(""), HARMONIC TWO SHAKEN(", {on: a, tie: b}"), 1e-6);
}

/* A bar of 2 x 0.5 x 0.5 of three hex8, turned about z by an angle, with its ends. */
static void write_bar(const char *folder, double angle) {
  const double c = cos(angle), s = sin(angle);
  char text[4096];
  int n = snprintf(text, sizeof text,
                   "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n3 1 \"body\"\n2 2 \"x0\"\n2 3 \"x1\"\n"
                   "$EndPhysicalNames\n$Nodes\n16\n");
  for (int i = 0; i < 16; ++i) {
    const double x = i / 4 * 2 / 3., y = i % 4 % 3 ? 0.5 : 0, z = i % 4 > 1 ? 0.5 : 0;
    n += snprintf(text + n, sizeof text - (size_t)n, "%d %.17g %.17g %g\n", i + 1, c * x - s * y, s * x + c * y, z);
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "$EndNodes\n$Elements\n5\n");
  for (int i = 0; i < 12; i += 4)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d 5 2 1 1 %d %d %d %d %d %d %d %d\n", i / 4 + 1, i + 1, i + 2,
                  i + 3, i + 4, i + 5, i + 6, i + 7, i + 8);
  n += snprintf(text + n, sizeof text - (size_t)n, "4 3 2 2 2 1 2 3 4\n5 3 2 3 3 13 14 15 16\n$EndElements\n");
  assert_true(n < (int)sizeof text);
  scratch_write(folder, "bar.msh", text);
}

/* Supports that move along a plane do the same work, and carry the same mass, however the plane lies; in load steps too. */
static void works_of_skew_supports(void **state) {
  (void)state;
  static const char *const motion[2] = {"", "analysis: {type: transient, damping: {alpha: 0.2, beta: 0.003}}\n"};
  for (int k = 0; k < 2; ++k) {
    double done[2], energy[2];
    for (int skew = 0; skew < 2; ++skew) {
      char *folder = scratch_create(), text[1024];
      write_bar(folder, 0.5 * skew);
      snprintf(text, sizeof text,
               "version: 1\nmesh: bar.msh\nphysics: elasticity\nmodel: 3d\nstrain: finite\n%smaterials: [{on: body, "
               "young: 100, poisson: 0.3, density: 1}]\nboundary: [{on: x0, symmetry: true, fix: {z: '0.3*t^2'}}, {on: "
               "x1, symmetry: true, spring: 2}]\ntime: {end: 0.5, step: 0.02}\nsolver: {rtol: 1e-10}\n",
               motion[k]);
      app_runs(folder, text);
      done[skew] = scratch_reported(folder, "external_work");
      energy[skew] = k ? scratch_reported(folder, "kinetic_energy") : scratch_reported(folder, "strain_energy");
      scratch_remove(&folder);
    }
    print_message("work %.12g %.12g, energy %.12g %.12g\n", done[0], done[1], energy[0], energy[1]);
    assert_true(done[0] > 1e-4);
    assert_relative(done[1], done[0], 1e-7);
    assert_relative(energy[1], energy[0], 1e-7);
  }
}

/* In a bar that does not grow thinner the end stays plane by itself, and keeps where its rigid motion is prescribed. */
static void rigid_end(void **state) {
  (void)state;
#define BAR(end)                                                                                                       \
  "materials: [{on: body, young: 1000, poisson: 0, density: 2}]\ninitial: {displacement: [0, 0.01]}\n"                 \
  "boundary: [{on: x0, fix: {x: 0, y: 0.01}}, {on: x1, traction: [3, 0]" end "}]\n"
  same_last_row(TRANSIENT ONE BAR(", fix: {y: 0.01}"),
                TRANSIENT ONE BAR("}, {on: x1, rigid: {at: [2, 0.25], fix: {y: 0.01, rz: 0}}"), 1e-8);
}

/* Frequencies in modes.csv from the first on, and how many rigid motions there are. */
static int modes(const char *folder, int n, double *value) {
  char *text = scratch_read(folder, "results/modes.csv"), *at = text;
  for (int k = 0; k < n; ++k) {
    at = strchr(at, '\n') + 1;
    assert_int_equal(sscanf(at, "%*d,%lf", &value[k]), 1);
  }
  free(text);
  text = scratch_read(folder, "results/report.json");
  int rigid = -1;
  assert_non_null(at = strstr(text, "\"rigid_motions\": "));
  assert_int_equal(sscanf(at, "\"rigid_motions\": %d", &rigid), 1);
  free(text);
  return rigid;
}

static void same_modes(const char *one, const char *two, int rigid) {
  enum { MODES = 4 };
  char *folder = scratch_create();
  double a[MODES], b[MODES];
  write_two(folder, 0);
  app_runs(folder, one);
  assert_int_equal(modes(folder, MODES, a), rigid);
  app_runs(folder, two);
  assert_int_equal(modes(folder, MODES, b), rigid);
  for (int k = 0; k < MODES; ++k) assert_relative(b[k], a[k], 1e-8);
  scratch_remove(&folder);
}

/* Two bodies that a tie joins have the modes of one: held, on springs, free, under stress, and the factors of buckling. */
static void tied_modes(void **state) {
  (void)state;
#define MODAL HEAD "analysis: {type: modal, modes: 4}\nsolver: {rtol: 1e-8}\n"
#define STRESSED HEAD "analysis: {type: modal, modes: 4, prestress: true}\nsolver: {rtol: 1e-8}\n"
#define BUCKLING HEAD "analysis: {type: buckling, modes: 4}\nsolver: {rtol: 1e-8}\n"
#define ON(more) STEEL "boundary: [" more "]\n"
#define TIE ", {on: a, tie: b}"
  same_modes(MODAL ONE ON("{on: x0, fix: all}"), MODAL TWO ON("{on: x0, fix: all}" TIE), 0);
  same_modes(MODAL ONE STEEL, MODAL TWO ON("{on: a, tie: b}"), 3);
  same_modes(MODAL ONE ON("{on: x0, fix: {x: 0}}"), MODAL TWO ON("{on: x0, fix: {x: 0}}" TIE), 1);
  same_modes(MODAL ONE ON("{on: x1, spring: [5, 0]}"), MODAL TWO ON("{on: x1, spring: [5, 0]}" TIE), 1);
#define PUSHED "{on: x0, fix: all}, {on: x1, traction: [-5, 0]}"
  same_modes(STRESSED ONE ON(PUSHED), STRESSED TWO ON(PUSHED TIE), 0);
}

static void tied_buckling(void **state) {
  (void)state;
  char *folder = scratch_create();
  double a, b;
  write_two(folder, 0);
  for (int k = 0; k < 2; ++k) {
    app_runs(folder, k ? BUCKLING TWO ON(PUSHED TIE) : BUCKLING ONE ON(PUSHED));
    char *text = scratch_read(folder, "results/modes.csv");
    assert_int_equal(sscanf(strchr(text, '\n') + 1, "%*d,%lf", k ? &b : &a), 1);
    free(text);
  }
  assert_relative(b, a, 1e-7);
  scratch_remove(&folder);
}

/* A stiff block on a dashpot: m v' = -c A v, and u = F / (i omega c A - omega^2 m). */
static void dashpot_slows(void **state) {
  (void)state;
  const double decay = 3 * 0.5 / (2 * 1.0), omega = 2 * acos(-1) * 0.5; /* of a block 2 x 0.5 */
  char *folder = scratch_create(), text[2048];
  double v[COLUMNS];
  const double turn[2] = {0, 0.7};
  for (int k = 0; k < 2; ++k) {
    write_two(folder, turn[k]);
    snprintf(text, sizeof text,
             HEAD "analysis: {type: transient}\nsolver: {rtol: 1e-11}\n" TWO
                  "materials: [{on: body, young: 1e7, poisson: 0.3, density: 2}]\n"
                  "boundary: [{on: a, tie: b}, {on: y0, symmetry: true}, {on: x0, dashpot: 3}]\n"
                  "initial: {velocity: [%.17g, %.17g]}\ntime: {end: 1, step: 0.01}\noutput: {every: 1, probes: ["
                  "{name: a, at: [%.17g, %.17g], field: velocity-x}, {name: b, at: [0, 0], field: velocity-y}]}\n",
             cos(turn[k]), sin(turn[k]), cos(turn[k]), sin(turn[k]));
    app_runs(folder, text);
    last_row(folder, 2, v);
    assert_within(v[0], cos(turn[k]) * exp(-decay), 2e-4);
    assert_within(v[1], sin(turn[k]) * exp(-decay), 2e-4);
  }
  app_runs(folder, HEAD "analysis: {type: harmonic, frequency: 0.5}\n" ONE
                        "materials: [{on: body, young: 1e8, poisson: 0.3, density: 2}]\n"
                        "boundary: [{on: y0, fix: {y: 0}}, {on: x0, dashpot: [3, 0]}, {on: x1, traction: [2, 0]}]\n"
                        "output: {probes: [{name: a, at: [1, 0], field: displacement-x, part: real}, {name: b, "
                        "at: [1, 0], field: displacement-x, part: imaginary}]}\n");
  last_row(folder, 2, v);
  const double m = 2, c = 1.5, below = pow(omega * omega * m, 2) + pow(omega * c, 2);
  assert_relative(v[0], -omega * omega * m / below, 1e-5);
  assert_relative(v[1], -omega * c / below, 1e-5);
  scratch_remove(&folder);
}

/* A bar between two walls with a bolt across its middle that is tightened at rest, locked and shaken: one whose end was pulled. */
#define BAR_MESH                                                                                                       \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n2 1 \"body\"\n1 2 \"left\"\n1 3 \"right\"\n1 4 \"cut\"\n"  \
  "$EndPhysicalNames\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 3 0 0\n5 4 0 0\n6 0 1 0\n7 1 1 0\n8 2 1 0\n9 3 1 "      \
  "0\n10 4 1 "                                                                                                         \
  "0\n$EndNodes\n$Elements\n7\n1 3 2 1 1 1 2 7 6\n2 3 2 1 1 2 3 8 7\n3 3 2 1 1 3 4 9 8\n4 3 2 1 1 4 5 10 9\n5 1 2 2 "  \
  "2 1 6\n"                                                                                                            \
  "6 1 2 3 3 5 10\n7 1 2 4 4 3 8\n$EndElements\n"
#define SHAKEN_BAR(strain, pulled, bolts, rest, sums)                                                                  \
  "version: 1\nmesh: bar.msh\nphysics: elasticity\nmodel: plane-stress\nstrain: " strain                               \
  "\nanalysis: {type: transient, damping: {alpha: 0.5}}\n"                                                             \
  "materials: [{on: body, young: 1000, poisson: 0, density: 1}]\n"                                                     \
  "boundary: [{on: left, fix: {x: 0, y: 0}}, {on: right, fix: {x: " pulled "}}]\n" bolts                               \
  "steps:\n- {name: tighten, end: 1, step: 0.5" rest                                                                   \
  "}\n- {name: shake, end: 1.5, step: 0.005, boundary: [{on: right, "                                                  \
  "traction: [0, '3*sin(20*(t-1))']}]}\nsolver: {rtol: 1e-11}\noutput: {every: 0.1, probes: [{name: v, at: [2.5, 1], " \
  "field: velocity-y}, {name: a, at: [1, 0], field: acceleration-x}, {name: u, at: [4, 0], field: "                    \
  "displacement-y}, {name: w, at: [1, 1], field: velocity-x}]" sums "}\n"
static void locked_bolts(void **state) {
  (void)state;
  char *folder = scratch_create();
  double a[6], b[4], row[7];
  scratch_write(folder, "bar.msh", BAR_MESH);
  app_runs(folder,
           SHAKEN_BAR("small", "0", "bolts: [{on: cut, preload: 20, lock: 1}]\n", ", inertia: false",
                      ", sums: [{name: f, on: cut, field: bolt-force}, {name: e, on: cut, field: bolt-elongation}]"));
  scratch_last_row(folder, 7, row);
  for (int k = 0; k < 6; ++k) a[k] = row[1 + k];
  app_runs(folder, SHAKEN_BAR("small", "0.08", "", ", inertia: false", ""));
  last_row(folder, 4, b);
  for (int k = 0; k < 4; ++k) assert_within(a[k], b[k], 1e-9 * fmax(1, fabs(b[k])));
  assert_within(a[4], 20, 1e-9);
  assert_within(a[5], 0.08, 1e-12);
  /* at finite strain it bears the waves that cross it, and keeps its length */
  app_runs(folder,
           SHAKEN_BAR("finite", "0", "bolts: [{on: cut, preload: 20, lock: 1}]\n", ", inertia: false",
                      ", sums: [{name: f, on: cut, field: bolt-force}, {name: e, on: cut, field: bolt-elongation}]"));
  scratch_last_row(folder, 7, row);
  assert_true(fabs(row[5] - 20) > 1e-2 && fabs(row[5] - 20) < 2);
  assert_within(row[6], 0.0777201699783, 1e-9);
  app_runs(folder, SHAKEN_BAR("finite", "0.0777201699783", "", ", inertia: false", ""));
  last_row(folder, 4, b);
  for (int k = 0; k < 4; ++k) assert_within(row[1 + k], b[k], 1e-7 * fmax(1, fabs(b[k])));
  static const char *const WHY[] = {"is under its preload yet", "is tightened in step 'tighten', which has inertia"};
  app_refuses(folder, SHAKEN_BAR("small", "0", "bolts: [{on: cut, preload: 20}]\n", ", inertia: false", ""), WHY[0],
              "'lock'");
  app_refuses(folder, SHAKEN_BAR("small", "0", "", ", bolts: [{on: cut, preload: 20, lock: 1}]", ""), WHY[1],
              "inertia: false");
  scratch_remove(&folder);
}

static void refused(const char *text, const char *part, const char *more) {
  char *folder = scratch_create();
  app_refuses(folder, text, part, more);
  scratch_remove(&folder);
}

static void wrong_use(void **state) {
  (void)state;
#define HELD HEAD ONE STEEL "boundary: [{on: x0, fix: all}, {on: x1, dashpot: "
  refused(HELD "2}]\n", "'dashpot' is for harmonic, transient and finite-strain transient cases; this is a static case",
          "leave it out, write 'analysis: {type: harmonic}'");
  refused(HELD "2}]\nanalysis: {type: modal, modes: 2}\n",
          "'dashpot' is for harmonic, transient and finite-strain transient cases; this is a modal case",
          "write 'analysis: {type: transient}', or write");
  refused(HELD "-2}]\nanalysis: {type: harmonic, frequency: 2}\n", "dashpot is -2 at (2, ", "must be >= 0");
  refused(HELD "['f', 0]}]\nanalysis: {type: harmonic, frequency: 2}\n", "dashpot depends on f", "part of the matrix");
  refused(HELD "[2, 1, 0]}]\nanalysis: {type: harmonic, frequency: 2}\n", "dashpot has 3 entries", "has 2 directions");
  refused(HEAD ONE STEEL "analysis: {type: harmonic, frequency: 2}\nboundary: [{on: x0, rigid: {at: [0, 0], fix: {x: "
                         "0.1}}}, {on: x1, traction: [1, 0]}]\n",
          "case.yaml:7:50: a rigid motion is prescribed as 0.1; in a vibration it is 0", "not rigid");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(works_of_skew_supports),
                                     cmocka_unit_test(tie_joins),
                                     cmocka_unit_test(rigid_end),
                                     cmocka_unit_test(tied_modes),
                                     cmocka_unit_test(tied_buckling),
                                     cmocka_unit_test(dashpot_slows),
                                     cmocka_unit_test(locked_bolts),
                                     cmocka_unit_test(wrong_use)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
