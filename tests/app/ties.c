/* Ties of meshes that do not match, through the program: patch tests, supports on what is tied, chains, rigid motions of curved
 * interfaces, what is said. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define YOUNG 1000.0
#define POISSON 0.3

static uint64_t seed = 1124;
static double draw(double low, double high) { return draw_between(&seed, low, high); }
static int32_t draw_n(int32_t low, int32_t high) { return draw_whole(&seed, low, high); }

static const struct Blocks {
  ElementKind a, b;
  int32_t order;
} pairs[] = {{ELEMENT_HEX8, ELEMENT_HEX8, 1},   {ELEMENT_TET4, ELEMENT_HEX8, 1}, {ELEMENT_HEX8, ELEMENT_HEX8, 2},
             {ELEMENT_TET4, ELEMENT_TET4, 2},   {ELEMENT_HEX8, ELEMENT_TET4, 2}, {ELEMENT_QUAD4, ELEMENT_QUAD4, 1},
             {ELEMENT_QUAD4, ELEMENT_QUAD4, 2}, {ELEMENT_TRI3, ELEMENT_TRI3, 2}, {ELEMENT_TRI3, ELEMENT_QUAD4, 1}};
/* The pair whose elements are integrated exactly where edges are bent: others see a constant stress in part even in one mesh. */
enum { N_PAIR = sizeof pairs / sizeof *pairs, BENT = 2, POINTS = 8 };

static TwoBlocks drawn(int k) {
  TwoBlocks q = {.kind = {pairs[k].a, pairs[k].b}, .order = pairs[k].order};
  for (int b = 0; b < 2; ++b) q.n[b][0] = draw_n(2, 4), q.n[b][1] = draw_n(2, 4), q.n[b][2] = draw_n(1, 2);
  return q;
}

static int32_t write_mesh(const char *folder, const TwoBlocks *q) {
  Mesh *mesh = two_blocks(q);
  const int32_t dim = mesh->dim;
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  return dim;
}

/* A case up to its boundary, then probes of all components of stress near the tie. */
static int put_solver(char *text, size_t size, int32_t dim, const char *solver) {
  return snprintf(text, size,
                  "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: %s\nsolver: {%s}\n"
                  "materials: [{on: body, young: %g, poisson: %g, density: 1}]\n",
                  dim == 3 ? "3d" : "plane-strain", solver, YOUNG, POISSON);
}
static int put_head(char *text, size_t size, int32_t dim) { return put_solver(text, size, dim, "rtol: 1e-13"); }

static const char *const component[2][6] = {{"xx", "yy", "xy"}, {"xx", "yy", "zz", "xy", "yz", "xz"}};

static void put_probes(char *text, size_t size, double angle, int32_t dim) {
  int n = snprintf(text, size, "output:\n  probes:\n");
  for (int p = 0; p < POINTS; ++p) {
    double x[3] = {draw(0.25, 0.7), draw(0.3, 0.7), 0};
    char at[100];
    x[dim - 1] = p % 2 ? draw(0.15, 0.3) : -draw(0.15, 0.3);
    two_blocks_turn(angle, dim, x);
    if (dim == 3) snprintf(at, sizeof at, "%.17g, %.17g, %.17g", x[0], x[1], x[2]);
    else snprintf(at, sizeof at, "%.17g, %.17g", x[0], x[1]);
    for (int c = 0; c < 3 * (dim - 1); ++c)
      n += snprintf(text + n, size - (size_t)n, "    - {name: p%d-%d, at: [%s], field: stress-%s}\n", p, c, at,
                    component[dim - 2][c]);
  }
  assert_true((size_t)n < size);
}

/* All probes see this stress. */
static void expect_stress(const char *folder, int32_t dim, const double s[3][3], double tolerance) {
  static const int at[2][6][2] = {{{0, 0}, {1, 1}, {0, 1}}, {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};
  double v[6 * POINTS];
  const int n = 3 * (dim - 1);
  scratch_row(folder, n * POINTS, v);
  for (int i = 0; i < n * POINTS; ++i) assert_within(v[i], s[at[dim - 2][i % n][0]][at[dim - 2][i % n][1]], tolerance);
}

/* A linear displacement is prescribed on all other sides, the edges of what is tied among them. */
static void held_all_around(void **state) {
  (void)state;
  char *folder = scratch_create(), text[16384];
  for (int draws = 0; draws < 3 * N_PAIR; ++draws) {
    TwoBlocks q = drawn(draws % N_PAIR);
    q.shear = draw(-0.2, 0.2), q.tilt = draw(-0.2, 0.2), q.angle = draws % 3 ? draw(-1, 1) : 0;
    q.wave = pairs[draws % N_PAIR].order == 1 && draws % 2 ? 0.02 : 0;
    q.bend = draws % N_PAIR == BENT ? 0.1 : 0;
    const int32_t dim = write_mesh(folder, &q);
    double e[3][3] = {{0}}, s[3][3];
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j <= i; ++j) e[i][j] = e[j][i] = draw(-1e-3, 1e-3);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        s[i][j] = YOUNG / (1 + POISSON) *
                  (e[i][j] + (i == j ? POISSON / (1 - 2 * POISSON) * (e[0][0] + e[1][1] + e[2][2]) : 0));
    int n = put_head(text, sizeof text, dim);
    n += snprintf(text + n, sizeof text - (size_t)n, "boundary:\n  - {on: %s, tie: %s}\n  - {on: outer, fix: {",
                  draws % 2 ? "a" : "b", draws % 2 ? "b" : "a");
    for (int i = 0; i < dim; ++i)
      n += snprintf(text + n, sizeof text - (size_t)n, "%s%c: \"(%.17g)*x+(%.17g)*y+(%.17g)*z\"", i ? ", " : "",
                    'x' + i, e[i][0], e[i][1], e[i][2]);
    n += snprintf(text + n, sizeof text - (size_t)n, "}}\n");
    put_probes(text + n, sizeof text - (size_t)n, q.angle, dim);
    app_runs(folder, text);
    expect_stress(folder, dim, (const double(*)[3])s, 1e-9);
  }
  scratch_remove(&folder);
}

/* Pulled at the top, on planes of symmetry that hold nodes of what is tied along the normal, skew ones too. */
static void on_planes_of_symmetry(void **state) {
  (void)state;
  char *folder = scratch_create(), text[16384];
  for (int draws = 0; draws < 2 * N_PAIR; ++draws) {
    TwoBlocks q = drawn(draws % N_PAIR);
    q.angle = draws % 2 ? draw(-1, 1) : 0;
    const int32_t dim = write_mesh(folder, &q);
    double pull[3] = {0}, s[3][3];
    pull[dim - 1] = 1;
    two_blocks_turn(q.angle, dim, pull);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) s[i][j] = 5 * pull[i] * pull[j];
    int n = put_head(text, sizeof text, dim);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "boundary:\n  - {on: %s, tie: %s}\n  - {on: bottom, symmetry: true}\n  - {on: x0, symmetry: true}\n",
                  draws % 2 ? "a" : "b", draws % 2 ? "b" : "a");
    if (dim == 3) n += snprintf(text + n, sizeof text - (size_t)n, "  - {on: y0, symmetry: true}\n");
    n += snprintf(text + n, sizeof text - (size_t)n, "  - {on: top, traction: [%.17g, %.17g", 5 * pull[0], 5 * pull[1]);
    if (dim == 3) n += snprintf(text + n, sizeof text - (size_t)n, ", %.17g", 5 * pull[2]);
    n += snprintf(text + n, sizeof text - (size_t)n, "]}\n");
    put_probes(text + n, sizeof text - (size_t)n, q.angle, dim);
    app_runs(folder, text);
    expect_stress(folder, dim, (const double(*)[3])s, 5e-9);
  }
  scratch_remove(&folder);
}

/* Two squares of n[0] and n[1] elements along their common side, turned about the origin; the plane of symmetry at the left holds the
 * lower one alone, and with it what is tied to it. */
static void one_side_held(const char *folder, const int n[2], double angle, double out[2]) {
  const double c = cos(angle), s = sin(angle);
  char text[8192];
  int at = snprintf(
      text, sizeof text,
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n2 1 \"body\"\n1 2 \"bottom\"\n1 3 \"left\"\n1 4 "
      "\"a\"\n1 5 \"b\"\n1 6 \"top\"\n$EndPhysicalNames\n$Nodes\n%d\n",
      2 * (n[0] + n[1] + 2));
  for (int b = 0, id = 0; b < 2; ++b)
    for (int k = 0; k < 2 * (n[b] + 1); ++k) {
      const double x = (double)(k / 2) / n[b], y = b + k % 2;
      at += snprintf(text + at, sizeof text - (size_t)at, "%d %.17g %.17g 0\n", ++id, c * x - s * y, s * x + c * y);
    }
  at +=
      snprintf(text + at, sizeof text - (size_t)at, "$EndNodes\n$Elements\n%d\n1 1 2 3 1 1 2\n", 3 * (n[0] + n[1]) + 1);
  for (int b = 0, id = 1; b < 2; ++b)
    for (int k = 0; k < n[b]; ++k, id += 3) {
      const int i = 2 * k + 1 + 2 * b * (n[0] + 1);
      at += snprintf(text + at, sizeof text - (size_t)at,
                     "%d 3 2 1 1 %d %d %d %d\n%d 1 2 %d 1 %d %d\n%d 1 2 %d 1 %d %d\n", id + 1, i, i + 2, i + 3, i + 1,
                     id + 2, b ? 5 : 2, i, i + 2, id + 3, b ? 6 : 4, i + 1, i + 3);
    }
  snprintf(text + at, sizeof text - (size_t)at, "$EndElements\n");
  scratch_write(folder, "two.msh", text);
  const double pull[2] = {c * 3 - s, s * 3 + c}, end[2] = {c - 2 * s, s + 2 * c};
  snprintf(text, sizeof text,
           "version: 1\nphysics: elasticity\nmesh: {file: two.msh}\nmodel: plane-strain\nsolver: {rtol: 1e-13}\n"
           "materials: [{on: body, young: 100, poisson: 0.3}]\nboundary:\n  - {on: bottom, symmetry: true}\n"
           "  - {on: left, symmetry: true}\n  - {on: a, tie: b}\n  - {on: top, traction: [%.17g, %.17g]}\n"
           "output: {probes: [{name: x, at: [%.17g, %.17g], field: displacement-x}, {name: y, at: [%.17g, %.17g], "
           "field: displacement-y}]}\n",
           pull[0], pull[1], end[0], end[1], end[0], end[1]);
  double v[2];
  app_runs(folder, text);
  scratch_row(folder, 2, v);
  out[0] = c * v[0] + s * v[1], out[1] = c * v[1] - s * v[0];
}

static void turned_with_its_supports(void **state) {
  (void)state;
  char *folder = scratch_create();
  for (int k = 0; k < 4; ++k) {
    const int n[2] = {k < 2 ? 2 : draw_n(2, 4), k < 2 ? 2 : draw_n(2, 4)};
    double straight[2], turned[2];
    one_side_held(folder, n, 0, straight);
    one_side_held(folder, n, draw(0.2, 1.3), turned);
    for (int i = 0; i < 2; ++i) assert_within(turned[i], straight[i], 1e-9 * fabs(straight[0]));
  }
  scratch_remove(&folder);
}

/* Two blocks that are held at both ends, 0.02 apart: each is stretched by half of that, at small and finite strain, in steps too. */
static void a_gap_closes(void **state) {
  (void)state;
  char *folder = scratch_create(), text[16384];
  for (int k = 0; k < N_PAIR; ++k) {
    TwoBlocks q = drawn(k);
    q.gap = k == 1 ? -0.02 : 0.02, q.angle = k % 2 ? draw(-1, 1) : 0;
    const int32_t dim = write_mesh(folder, &q);
    double up[3] = {0}, s[3][3];
    up[dim - 1] = 1;
    two_blocks_turn(q.angle, dim, up);
    const double stress = 0.5 * q.gap * YOUNG / (dim == 2 ? 1 - POISSON * POISSON : 1);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) s[i][j] = stress * up[i] * up[j];
    int n = put_head(text, sizeof text, dim);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "boundary: [{on: bottom, symmetry: true}, {on: top, symmetry: true}, {on: x0, symmetry: true}%s%s]\n",
                  dim == 3 ? ", {on: y0, symmetry: true}" : "",
                  k % 3 == 2 ? ""
                  : k % 3    ? ", {on: b, tie: a, closes: true, reach: 0.1}"
                             : ", {on: a, tie: b, closes: true, reach: 0.1}");
    if (k % 3 == 2)
      n +=
          snprintf(text + n, sizeof text - (size_t)n,
                   "contact: [{on: a, against: b, tied: true, closes: true, reach: 0.1}]\ntime: {end: 1, step: 0.5}\n");
    put_probes(text + n, sizeof text - (size_t)n, q.angle, dim);
    app_runs(folder, text);
    if (k % 3 == 2) {
      double v[6 * POINTS + 1];
      scratch_last_row(folder, 3 * (dim - 1) * POINTS + 1, v);
      assert_relative(v[dim == 2 ? 2 : 3], s[dim - 1][dim - 1], 1e-8);
    } else expect_stress(folder, dim, (const double(*)[3])s, 2e-8);
  }
  TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_TRI3}, .n = {{2, 2}, {3, 2}}, .order = 1, .gap = 0.2};
  write_mesh(folder, &q);
  const int n = put_head(text, sizeof text, 2);
  snprintf(text + n, sizeof text - (size_t)n,
           "strain: finite\ntime: {end: 1, step: 0.5}\nboundary: [{on: bottom, symmetry: true}, {on: top, symmetry: "
           "true}, {on: x0, symmetry: "
           "true}, {on: b, tie: a, closes: true, reach: 0.3}]\noutput: {probes: [{name: u, at: [0.5, 0], field: "
           "displacement-y}]}\n");
  app_runs(folder, text);
  double v[2];
  scratch_last_row(folder, 2, v);
  assert_relative(v[1], 0.1, 1e-9);
  app_refuses(folder,
              "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: plane-strain\nmaterials: [{on: "
              "body, young: 1, poisson: 0}]\nboundary: [{on: bottom, fix: all, closes: true}]\ncontact: [{on: a, "
              "against: b, closes: true}]\n",
              "closes is of a tie, and this entry has none", "'interference: 0' closes gaps of surfaces that touch");
  app_refuses(folder,
              "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: plane-strain\nanalysis: {type: "
              "transient}\ntime: {end: 1, step: 1}\nmaterials: [{on: body, young: 1, poisson: 0, density: "
              "1}]\nboundary: [{on: bottom, fix: all}, {on: b, tie: a, closes: true}]\n",
              "'closes' is for static", "this is a transient case");
  scratch_remove(&folder);
}

/* Free bodies whose common surface is a wave, of which each mesh has its own chords: rigid motions have no frequency. */
static void rigid_motions(void **state) {
  (void)state;
  char *folder = scratch_create(), text[4096];
  for (int k = 0; k < N_PAIR; ++k) {
    TwoBlocks q = drawn(k);
    q.bulge = 0.15, q.angle = 0.4;
    const int32_t dim = write_mesh(folder, &q), rigid = dim == 3 ? 6 : 3;
    const int n = put_head(text, sizeof text, dim);
    snprintf(text + n, sizeof text - (size_t)n,
             "analysis: {type: modal, modes: %d}\nboundary: [{on: a, tie: b, reach: 0.2}]\n", rigid + 1);
    scratch_write(folder, "case.yaml", text);
    Said run = app_says("run", scratch_path(folder, "case.yaml"), "--overwrite", "--backend", app_backend(), NULL);
    assert_int_equal(run.code, 0);
    snprintf(text, sizeof text, "%d motions of the body, at 0", rigid);
    if (!strstr(run.out, text)) fail_msg("no \"%s\": %s", text, run.out);
    said_release(&run);
  }
  scratch_remove(&folder);
}

/* The step from quadratic to linear elements knows what depends: as many iterations as for one mesh, where it took 32 and 30. */
static void iterations(void **state) {
  (void)state;
  char *folder = scratch_create(), text[4096];
  for (int k = 2; k < 4; ++k) {
    TwoBlocks q = {.kind = {pairs[k].a, pairs[k].b}, .order = 2};
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 3; ++c) q.n[b][c] = 6 - k + (b ? 0 : 2);
    const int32_t dim = write_mesh(folder, &q);
    const int n = put_solver(text, sizeof text, dim, "rtol: 1e-8, preconditioner: pmg");
    snprintf(text + n, sizeof text - (size_t)n,
             "boundary:\n  - {on: bottom, fix: all}\n  - {on: a, tie: b}\n  - {on: top, traction: [1, 0, 2]}\n");
    app_runs(folder, text);
    const double spent = scratch_reported(folder, "iterations");
    if (spent > 20) fail_msg("pair %d: %g iterations", k, spent);
  }
  scratch_remove(&folder);
}

/* What hangs over is free and named; a coarse side that depends is warned of. */
static void said(void **state) {
  (void)state;
  char *folder = scratch_create(), text[4096];
  TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_HEX8}, .n = {{6, 2, 1}, {6, 6, 1}}, .order = 1, .shift = 0.47};
  write_mesh(folder, &q);
  int n = put_solver(text, sizeof text, 3, "rtol: 1e-9");
  snprintf(text + n, sizeof text - (size_t)n,
           "boundary:\n  - {on: a, tie: b}\n  - {on: bottom, fix: all}\n  - {on: top, traction: [1, 0, 1]}\n");
  Said run = app_run_says(folder, text);
  assert_int_equal(run.code, 0);
  if (!strstr(
          run.err,
          "case.yaml:8:18: tie: 6 of 21 nodes of 'a' have nothing of 'b' opposite and stay free, the first is node "))
    fail_msg("%s", run.err);
  said_release(&run);
  q = (TwoBlocks){.kind = {ELEMENT_HEX8, ELEMENT_HEX8}, .n = {{1, 1, 1}, {6, 6, 1}}, .order = 1};
  write_mesh(folder, &q);
  run = app_run_says(folder, text);
  if (!strstr(run.err, "facets of 'a', which depends, are 6 times as large as those of 'b'")) fail_msg("%s", run.err);
  said_release(&run);
  snprintf(text + n, sizeof text - (size_t)n,
           "boundary:\n  - {on: a, tie: [b, bottom], reach: 2}\n  - {on: bottom, fix: all}\n");
  app_refuses(folder, text, "1 facets of 'a' have more than one layer of '", "or a smaller 'reach'");
  snprintf(
      text + n, sizeof text - (size_t)n,
      "boundary: [{on: a, tie: b}, {on: a, tie: [b, top]}, {on: bottom, fix: all}, {on: top, traction: [1, 0, 1]}]\n");
  run = app_run_says(folder, text);
  if (!strstr(run.err, "case.yaml:7:42: tie: facets of 'a' are in an earlier tie too")) fail_msg("%s", run.err);
  said_release(&run);
  snprintf(text + n, sizeof text - (size_t)n,
           "boundary: [{on: a, tie: b, reach: 0}, {on: bottom, fix: all, reach: 1}]\n");
  app_refuses(folder, text, "case.yaml:7:35: reach is 0, must be > 0",
              "reach is of a tie or a periodic pair, and this entry has none");
  scratch_remove(&folder);
}

/* Within reach of the side that looks at a surface is the back of that body, too, which is not tied to. */
/* Where it is curved the finer side has to depend, however little finer it is. */
static void a_coarser_side_on_a_curve(void **state) {
  (void)state;
  char *folder = scratch_create(), text[4096];
  for (int k = 0; k < 4; ++k) {
    const TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_HEX8},
                         .n = {{5, 5, 1}, {6, 6, 1}},
                         .order = 1 + k % 2,
                         .bulge = k < 3 ? 0.1 : 0};
    const char *on = k == 2 ? "b" : "a", *to = k == 2 ? "a" : "b";
    write_mesh(folder, &q);
    const int n = put_solver(text, sizeof text, 3, "rtol: 1e-9");
    snprintf(text + n, sizeof text - (size_t)n,
             "boundary:\n  - {on: %s, tie: %s, reach: 0.1}\n  - {on: bottom, fix: all}\n", on, to);
    Said run = app_run_says(folder, text);
    assert_int_equal(run.code, 0);
    if (!strstr(run.err, "remedy: exchange 'a' and 'b'") == k < 2) fail_msg("%d: %s", k, run.err);
    assert_null(strstr(run.err, "exchange 'b'"));
    said_release(&run);
  }
  scratch_remove(&folder);
}

static void the_back_is_not_taken(void **state) {
  (void)state;
  static const char *const tie[] = {"on: a, tie: b", "on: a, tie: [b, top], reach: 2", "on: [b, top], tie: a, reach: 2",
                                    "on: b, tie: a, reach: 2"};
  char *folder = scratch_create(), text[4096];
  double v[4][2];
  const TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_TET4}, .n = {{3, 2, 1}, {2, 2, 1}}, .order = 1};
  write_mesh(folder, &q);
  const int n = put_solver(text, sizeof text, 3, "rtol: 1e-11");
  for (int k = 0; k < 5; ++k) {
    snprintf(text + n, sizeof text - (size_t)n,
             "boundary: [{on: bottom, fix: all}, {on: x0, symmetry: true}, {on: top, traction: [1, 0, -2]}, "
             "{%s}]\noutput: {probes: [{name: u, at: [1, 0, 1], field: displacement-x}]}\n",
             k < 4 ? tie[k] : "on: a, tie: top, reach: 2");
    if (k == 4) {
      app_refuses(folder, text, "tie: 'a' and 'top' look in the same direction", "the group on the other side of");
      continue;
    }
    Said run = app_run_says(folder, text);
    if (run.code) fail_msg("%s\n%s", text, run.err);
    said_release(&run);
    scratch_last_row(folder, 2, v[k]);
    if (k % 2) assert_relative(v[k][1], v[k - 1][1], 1e-8);
  }
  scratch_remove(&folder);
}

/* An entry of `contact` that is tied is the same tie. */
static void tied_contact_is_a_tie(void **state) {
  (void)state;
  char *folder = scratch_create(), text[4096];
  const TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_TET4}, .order = 1, .n = {{3, 2, 1}, {2, 3, 2}}};
  const int32_t dim = write_mesh(folder, &q);
  static const char *const said[][2] = {{"tied: true, friction: 0.1", "friction is of surfaces that may part"},
                                        {"tied: true, interference: 0", "interference is of surfaces that may part"},
                                        {"tied: true, active: true", "active is of surfaces that may part"}};
  double value[2][3]; /* behind the time */
  for (int k = 0; k < 2; ++k) {
    const int n = put_head(text, sizeof text, dim);
    snprintf(text + n, sizeof text - (size_t)n,
             "boundary:\n%s  - {on: bottom, fix: all}\n  - {on: top, traction: [1, 2, -3]}\n%soutput: {probes: [{name: "
             "u, at: "
             "[0.5, 0.5, 0.2], field: displacement-x}, {name: s, at: [0.5, 0.5, 0.2], field: von-mises}]}\n",
             k ? "" : "  - {on: a, tie: b}\n", k ? "contact: [{on: a, against: b, tied: true}]\n" : "");
    app_runs(folder, text);
    scratch_last_row(folder, 3, value[k]);
  }
  for (int c = 1; c < 3; ++c) assert_relative(value[1][c], value[0][c], 1e-9);
  for (size_t k = 0; k < sizeof said / sizeof *said; ++k) {
    const int n = put_head(text, sizeof text, dim);
    snprintf(text + n, sizeof text - (size_t)n,
             "boundary: [{on: bottom, fix: all}]\ncontact: [{on: a, against: b, %s}]\n", said[k][0]);
    app_refuses(folder, text, said[k][1], "leave");
  }
  int n = put_head(text, sizeof text, dim);
  snprintf(text + n, sizeof text - (size_t)n,
           "boundary: [{on: bottom, fix: all}]\ncontact: [{on: a, against: {plane: {at: [0, 0, 0], normal: [0, 0, "
           "1]}}, tied: "
           "true}]\n");
  app_refuses(folder, text, "tied is between two bodies", "'fix' or 'symmetry'");
  n = put_head(text, sizeof text, dim);
  snprintf(
      text + n, sizeof text - (size_t)n,
      "boundary: [{on: bottom, fix: all}]\nsteps: [{name: one, end: 1, step: 1, contact: [{on: a, against: b, tied: "
      "true}]}]\n");
  app_refuses(folder, text, "tied is part of the stiffness", "'contact' of the case");
  scratch_remove(&folder);
}

/* So are modes of a body that such a contact holds together, about a state of finite strain. */
static void tied_contact_has_modes(void **state) {
  (void)state;
  const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{2, 2, 1}, {3, 2, 1}}, .order = 2};
  char *folder = scratch_create(), *modes[2], text[900];
  (void)write_mesh(folder, &q);
  for (int k = 0; k < 2; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: plane-stress\nstrain: "
             "finite\nformulation: displacement\nanalysis: {type: modal, modes: 2, prestress: true}\nmaterials: [{on: "
             "body, type: neo-hooke, young: 1000, poisson: 0.3, density: 1}]\ntime: {end: 1, step: 1}\nboundary:\n  - "
             "{on: bottom, fix: all}\n  - {on: top, traction: [0, -1]}\n%s",
             k ? "contact: [{on: b, against: a, tied: true}]\n" : "  - {on: b, tie: a}\n");
    app_runs(folder, text);
    modes[k] = scratch_read(folder, "results/modes.csv");
  }
  assert_string_equal(modes[0], modes[1]);
  for (int k = 0; k < 2; ++k) free(modes[k]);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(held_all_around),
                                     cmocka_unit_test(on_planes_of_symmetry),
                                     cmocka_unit_test(turned_with_its_supports),
                                     cmocka_unit_test(a_gap_closes),
                                     cmocka_unit_test(rigid_motions),
                                     cmocka_unit_test(iterations),
                                     cmocka_unit_test(said),
                                     cmocka_unit_test(a_coarser_side_on_a_curve),
                                     cmocka_unit_test(the_back_is_not_taken),
                                     cmocka_unit_test(tied_contact_is_a_tie),
                                     cmocka_unit_test(tied_contact_has_modes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
