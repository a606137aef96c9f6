/* Sectors that repeat about an axis (`periodic` with `rotate`) against the ring that they make, against closed forms where the meshes of
 * the two cuts differ, and what is refused. */
#include "tests/app/ring.h"

static uint64_t seed = 71;

/* Displacements, and stresses, which are of both sides of a cut and of all sectors on the axis. */
static int put_probes(const Ring *r, char *text, size_t size) {
  static const char *const stress[3] = {"stress-xx", "stress-xy", "von-mises"};
  int n = snprintf(text, size, "output:\n  probes:\n"), count = 0;
  for (int p = 0; p < 5; ++p) {
    double x[3];
    ring_place(r, p % 3, p % (r->around + 1), p % 2 ? r->high : 0, x);
    for (int c = 0; c < r->dim + 3; ++c, ++count) {
      n += snprintf(text + n, size - (size_t)n, "    - {name: p%d, at: [%.17g, %.17g", count, x[0], x[1]);
      if (r->dim == 3) n += snprintf(text + n, size - (size_t)n, ", %.17g", x[2]);
      if (c < r->dim) n += snprintf(text + n, size - (size_t)n, "], field: displacement-%c}\n", "xyz"[c]);
      else n += snprintf(text + n, size - (size_t)n, "], field: %s}\n", stress[c - r->dim]);
    }
  }
  assert_true((size_t)n < size);
  return count;
}

typedef struct Kind {
  int32_t dim, order;
  bool core;
  const char *head;   /* of solver, strain, time, analysis */
  const char *law;    /* of the material */
  const char *acting; /* beside what turns: "%s" is the traction */
  double traction, speed;
} Kind;

/* The case of a sector or of the ring; how many probes. */
static int put_case(const Kind *k, const Ring *r, char *text, size_t size) {
  char about[300], traction[600], probes[8000];
  put_axis(r, about, sizeof about);
  put_traction(r, k->traction, traction, sizeof traction);
  const int n_probe = put_probes(r, probes, sizeof probes);
  int n = snprintf(
      text, size,
      "version: 1\nphysics: elasticity\nmesh: {file: %s, order: %d}\nmodel: %s\n%s\nmaterials: [{on: body, %s, "
      "density: 2}]\nboundary:\n",
      r->closed ? "ring.msh" : "sector.msh", k->order, k->dim == 3 ? "3d" : "plane-strain", k->head, k->law);
  if (!r->closed) n += snprintf(text + n, size - (size_t)n, "- {on: cut0, periodic: cut1, rotate: {%s}}\n", about);
  n += snprintf(text + n, size - (size_t)n, "- {on: %s, %s}\n",
                k->dim == 3 ? "z0"
                : r->core   ? "outer"
                            : "inner",
                k->dim == 2 && r->core ? "spring: 300" : "fix: all");
  n += snprintf(text + n, size - (size_t)n, "- {on: outer, traction: %s}\n", traction);
  if (k->speed > 0)
    n += snprintf(text + n, size - (size_t)n, "body: [{on: body, centrifugal: {%s, speed: %g}}]\n", about, k->speed);
  n += snprintf(text + n, size - (size_t)n, "%s%s", k->acting ? k->acting : "", probes);
  assert_true((size_t)n < size);
  return n_probe;
}

#define EXACT "solver: {rtol: 1e-13}"
#define STEEL "young: 1000, poisson: 0.3, expansion: 1e-3"
#define HOT "thermal: {reference: 0, temperature: 5}\n"
static const Kind kinds[] = {
    {3, 1, true, EXACT, STEEL, HOT, 0.4, 3},
    {3, 2, false, EXACT, STEEL, HOT, 0.4, 3},
    {2, 1, true, EXACT, STEEL, HOT, 0.4, 3},
    {2, 2, false, "solver: {rtol: 1e-13, preconditioner: {type: pmg}}", STEEL, NULL, 0.4, 3},
    {3, 1, false, "solver: {rtol: 1e-13}\nanalysis: {type: harmonic, frequency: 0.3, damping: {loss-factor: 0.05}}",
     STEEL, NULL, 0.4, 0},
    {3, 1, true, "solver: {rtol: 1e-12}\nstrain: finite\ntime: {end: 1, step: 0.5}",
     "type: neo-hooke, young: 1000, poisson: 0.3", NULL, 200, 20}};

enum { ROW = 32 }; /* the time, and components of up to five probes and sums */

static void of_a_ring(void **state) {
  (void)state;
  static char text[16384];
  char *folder = scratch_create();
  double one[ROW], all[ROW];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    Ring r = drawn(kinds[i].dim, kinds[i].core);
    ring_write(folder, "sector.msh", &r);
    const int n = put_case(&kinds[i], &r, text, sizeof text);
    assert_true(n + 1 <= ROW);
    app_runs(folder, text);
    scratch_last_row(folder, n + 1, one);
    r.closed = true;
    ring_write(folder, "ring.msh", &r);
    put_case(&kinds[i], &r, text, sizeof text);
    app_runs(folder, text);
    scratch_last_row(folder, n + 1, all);
    const int dim = kinds[i].dim;
    double most[2] = {0};
    for (int k = 0; k < n; ++k) most[k % (dim + 3) >= dim] = fmax(most[k % (dim + 3) >= dim], fabs(all[k + 1]));
    for (int k = 0; k < n; ++k)
      if (!(fabs(one[k + 1] - all[k + 1]) <= 1e-9 * most[k % (dim + 3) >= dim]))
        fail_msg("kind %zu, probe %d: %.12g in the sector, %.12g in the ring", i, k, one[k + 1], all[k + 1]);
    if (i == 5) assert_true(most[0] > 0.05); /* of a body of 1.2: large */
  }
  scratch_remove(&folder);
}

/* A ring in a bore, along the wall of which it slides: where the wall crosses the cuts its normal is that of the facets on both sides. */
static void slides(void **state) {
  (void)state;
  static char text[16384];
  char *folder = scratch_create(), about[300], traction[600];
  double one[ROW], all[ROW];
  for (int32_t order = 1; order < 3; ++order) {
    Ring r = {
        .n = 6, .dim = 2, .radial = 2, .around = 3, .twist = draw(-0.4, 0.4), .at = {draw(-1, 1), draw(-1, 1), 0}};
    for (int k = 0; k < 2; ++k) {
      r.closed = k == 1;
      ring_write(folder, k ? "ring.msh" : "sector.msh", &r);
      put_axis(&r, about, sizeof about);
      put_traction(&r, 1, traction, sizeof traction);
      int n = snprintf(
          text, sizeof text,
          "version: 1\nphysics: elasticity\nmesh: {file: %s, order: %d}\nmodel: plane-stress\nsolver: {rtol: 1e-13}\n"
          "materials: [{on: body, young: 1000, poisson: 0.3}]\nboundary:\n- {on: outer, symmetry: true, spring: 100}\n"
          "- {on: inner, pressure: 1, traction: %s}\n",
          k ? "ring.msh" : "sector.msh", order, traction);
      if (!k) n += snprintf(text + n, sizeof text - (size_t)n, "- {on: cut0, periodic: cut1, rotate: {%s}}\n", about);
      const int n_probe = put_probes(&r, text + n, sizeof text - (size_t)n);
      app_runs(folder, text);
      scratch_row(folder, n_probe, k ? all : one);
    }
    for (int i = 0; i < 25; ++i) assert_within(one[i], all[i], i % 5 < 2 ? 1e-9 * 1e-2 : 1e-9 * 10);
    assert_true(fmax(fabs(all[10]), fabs(all[11])) > 3e-4); /* it does slide, on the wall */
  }
  scratch_remove(&folder);
}

/* ---- modes ---- */

static int frequencies(const char *folder, const char *text, int n, double *f) {
  app_runs(folder, text);
  char *rows = scratch_read(folder, "results/modes.csv"), *at = strchr(rows, '\n');
  int k = 0;
  for (; k < n && at && sscanf(at, "\n%*d,%lf", &f[k]) == 1; ++k) at = strchr(at + 1, '\n');
  free(rows);
  return k;
}

/* All of the sector are modes of the ring, and what is free turns about its axis and moves along it. */
static void modes(void **state) {
  (void)state;
  static char text[4096];
  char *folder = scratch_create(), about[300];
  double one[5], all[40];
  Ring r = drawn(3, true);
  put_axis(&r, about, sizeof about);
  ring_write(folder, "sector.msh", &r);
  snprintf(
      text, sizeof text,
      "version: 1\nphysics: elasticity\nmesh: {file: sector.msh}\nmodel: 3d\nmaterials: [{on: body, young: 1000, "
      "poisson: "
      "0.3, density: 2}]\nanalysis: {type: modal, modes: 5}\nboundary: [{on: cut0, periodic: cut1, rotate: {%s}}]\n",
      about);
  assert_int_equal(frequencies(folder, text, 5, one), 5);
  assert_near(scratch_reported(folder, "rigid_motions"), 2, 0);
  r.closed = true;
  ring_write(folder, "ring.msh", &r);
  assert_int_equal(
      frequencies(
          folder,
          "version: 1\nphysics: elasticity\nmesh: {file: ring.msh}\nmodel: 3d\nmaterials: [{on: body, young: 1000, "
          "poisson: 0.3, density: 2}]\nanalysis: {type: modal, modes: 40}\n",
          40, all),
      40);
  for (int k = 0; k < 5; ++k) {
    double off = (double)INFINITY;
    for (int i = 0; i < 40; ++i) off = fmin(off, fabs(one[k] - all[i]));
    assert_true(one[k] < all[39] && off <= 1e-7 * all[39]);
  }
  assert_true(one[2] > 1e-3 * all[39]);
  scratch_remove(&folder);
}

/* ---- cuts of different meshes ---- */

/* Two blocks as halves of a sector, the cuts of which have meshes of their own, under pressure from all sides. */
static void other_meshes(void **state) {
  (void)state;
  static const struct {
    ElementKind a, b;
    int32_t order;
  } of[] = {{ELEMENT_HEX8, ELEMENT_HEX8, 1},
            {ELEMENT_TET4, ELEMENT_HEX8, 2},
            {ELEMENT_TET4, ELEMENT_TET4, 1},
            {ELEMENT_QUAD4, ELEMENT_TRI3, 1},
            {ELEMENT_QUAD4, ELEMENT_QUAD4, 2}};
  char *folder = scratch_create(), text[4096];
  for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
    const TwoBlocks q = {.kind = {of[i].a, of[i].b}, .order = 1, .n = {{2, 2, 2}, {3, i > 2 ? 2 : 3, 2}}};
    Mesh *mesh = two_blocks(&q), *higher = NULL;
    const int32_t dim = mesh->dim, n = draw_whole(&seed, 5, 9);
    const double angle = dim == 3 ? draw(0.3, 1) : 0, p = 4, k = -p * (dim == 3 ? 0.4 / 1000 : 1.3 * 0.4 / 1000);
    double axis[3] = {0, 0, 1}, v[4];
    for (int32_t a = 0; a < mesh->n_node; ++a) {
      double *x = mesh->x[a];
      const double radius = 0.5 + 0.7 * x[0], angle_at = PI / n * (x[dim - 1] + 1), up = dim == 3 ? -x[1] : 0;
      x[0] = radius * cos(angle_at), x[1] = radius * sin(angle_at), x[2] = up;
      if (dim == 3) two_blocks_turn(angle, 3, x);
    }
    if (dim == 3) two_blocks_turn(angle, 3, axis);
    if (of[i].order == 2) {
      assert_ok(mesh_elevate(mesh, true, &higher));
      mesh_destroy(&mesh);
      mesh = higher;
    }
    assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
    mesh_destroy(&mesh);
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: %s\nsolver: {rtol: 1e-13}\nmaterials: [{on: "
        "body, "
        "young: 1000, poisson: 0.3}]\nboundary:\n- {on: a, tie: b}\n- {on: %s, periodic: %s, rotate: {origin: [0, 0%s]",
        dim == 3 ? "3d" : "plane-strain", i % 2 ? "top" : "bottom", i % 2 ? "bottom" : "top", dim == 3 ? ", 0" : "");
    if (dim == 3)
      snprintf(text + strlen(text), sizeof text - strlen(text), ", axis: [%.17g, %.17g, %.17g]", axis[0], axis[1],
               axis[2]);
    snprintf(
        text + strlen(text), sizeof text - strlen(text),
        "}}\n- {on: x0, fix: {x: \"%.17g*x\", y: \"%.17g*y\"%s}}\n- {on: [x1%s], pressure: %g}\noutput: {probes: [", k,
        k, dim == 3 ? ", z: 0" : "", dim == 3 ? ", y0, y1" : "", p);
    if (dim == 3) {
      char *z = strstr(text, "z: 0}");
      snprintf(z, sizeof text - (size_t)(z - text),
               "z: \"%.17g*z\"}}\n- {on: [x1, y0, y1], pressure: %g}\noutput: {probes: [", k, p);
    }
    for (int c = 0; c < 4; ++c) {
      double x[3] = {0.5 + 0.7 * draw(0.1, 0.9), 0, dim == 3 ? -draw(0.1, 0.9) : 0};
      const double radius = x[0] * cos(PI / n / 4), angle_at = PI / n * (c < 2 ? 0.06 : 1.94);
      x[0] = radius * cos(angle_at), x[1] = radius * sin(angle_at);
      if (dim == 3) two_blocks_turn(angle, 3, x);
      snprintf(text + strlen(text), sizeof text - strlen(text), "{name: p%d, at: [%.17g, %.17g", c, x[0], x[1]);
      if (dim == 3) snprintf(text + strlen(text), sizeof text - strlen(text), ", %.17g", x[2]);
      snprintf(text + strlen(text), sizeof text - strlen(text), "], field: stress-%s}, ", c % 2 ? "xx" : "xy");
    }
    snprintf(text + strlen(text) - 2, 8, "]}\n");
    app_runs(folder, text);
    scratch_row(folder, 4, v);
    for (int c = 0; c < 4; ++c) assert_within(v[c], c % 2 ? -p : 0, 1e-8);
  }
  scratch_remove(&folder);
}

/* ---- what is refused ---- */

static void refused(void **state) {
  (void)state;
#define SQUARE(more, rest)                                                                                             \
  "version: 1\nphysics: elasticity\nmesh: {grid: [3, 3], size: [1, 1]}\nmodel: plane-stress\nmaterials: [{on: body, "  \
  "young: 1, "                                                                                                         \
  "poisson: 0, density: 1}]\nboundary:\n- {on: x0, " more "}\n" rest
  char *folder = scratch_create();
  app_refuses(folder, SQUARE("fix: all, rotate: {origin: [0, 0]}", ""),
              "rotate is of a periodic pair, and this entry has none", "remedy: 'periodic: GROUP'");
  app_refuses(folder, SQUARE("periodic: y0, rotate: {origin: [0, 0], axis: [0, 0, 1]}", ""), "leave axis out",
              "case.yaml:7:");
  app_refuses(folder, SQUARE("periodic: y0, rotate: {origin: [0, 0, 0]}", ""), "origin", "case.yaml:7:");
  app_refuses(folder,
              SQUARE("periodic: y0, rotate: {origin: [0.5, 0.5]}",
                     "body: [{on: body, centrifugal: {origin: [0.5, 0.4], speed: 1}}]\n"),
              "centrifugal is about another axis than 'rotate'", "remedy: the same 'origin'");
  app_refuses(folder, SQUARE("periodic: y0, rotate: {origin: [0, 0.5]}", ""), "are at no angle about the axis",
              "remedy: 'origin' and 'axis'");
  app_refuses(folder, SQUARE("periodic: y1, rotate: {origin: [0, 0]}", ""), "periodic, turned by 26.565", "opposite");
  scratch_write(folder, "case.yaml", SQUARE("periodic: y0, rotate: {origin: [0, 0]}", "- {on: x1, spring: 1}\n"));
  Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
  assert_int_equal(said.code, 0);
  assert_non_null(
      strstr(said.out, "sector: 90 degrees, one of 4, about (0, 0), from 'y0' to 'x0': 3 pairs of nodes, "));
  said_release(&said);
  said =
      app_run_says(folder, SQUARE("periodic: y0, rotate: {origin: [0, 0]}", "- {on: x1, spring: 1}\nbody: [{on: body, "
                                                                            "gravity: [0, -1]}]\n"));
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.err, "gravity across the axis of a sector turns with it"));
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_ring), cmocka_unit_test(slides), cmocka_unit_test(modes),
                                     cmocka_unit_test(other_meshes), cmocka_unit_test(refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
