/* Friction: what sticks and what slides on a slope, a block that is pushed, shear through meshes that do not match, sliding to and fro
 * in the plane, around an axis and in space, contacts that begin and end in steps, and what is refused. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"
#include "tests/draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 8192 };

static uint64_t seed = 2811;

__attribute__((format(printf, 2, 3))) static void add(char text[TEXT], const char *format, ...) {
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, TEXT - used, format, args);
  va_end(args);
}

static int32_t write_mesh(const char *folder, const TwoBlocks *q) {
  Mesh *mesh = two_blocks(q);
  const int32_t dim = mesh->dim;
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  return dim;
}

static void begin(char text[TEXT], const char *mesh, const char *model, const char *rest) {
  *text = 0;
  add(text,
      "version: 1\nphysics: elasticity\nmesh: %s\nmodel: %s\nsolver: {rtol: 1e-10}\nmaterials: [{on: body, young: "
      "1000, poisson: 0.3}]\n%s",
      mesh, model, rest);
}

static void last(const char *folder, const char *text, int n, double *value) {
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  scratch_last_row(folder, n, value);
}

/* On a slope with the angle a a block stays where tan(a) < mu; where it does not, nothing holds it. */
static void a_block_on_a_slope(void **state) {
  (void)state;
  static const double mu = 0.4;
  static char text[TEXT];
  char *folder = scratch_create();
  for (int k = 0; k < 4; ++k) {
    const int dim = k < 2 ? 2 : 3;
    const double angle = atan(mu) * (1 + (k % 2 ? 1 : -1) * (dim == 2 ? 1e-3 : 0.01)), x = sin(angle), y = -cos(angle);
    begin(text, dim == 2 ? "{grid: [21, 6], size: [2, 1]}" : "{grid: [7, 4, 4], size: [2, 1, 1]}",
          dim == 2 ? "plane-strain" : "3d", "");
    char *end = strstr(text, "0.3}]");
    memmove(end + 15, end + 3, strlen(end + 3) + 1);
    memcpy(end + 3, ", density: 1", 12);
    add(text,
        "body: [{on: body, gravity: [%.17g, %s%.17g]}]\ncontact: [{on: %s, against: {plane: {at: [0, 0%s], normal: "
        "[0%s, "
        "1]}}, friction: %s}]\noutput: {sums: [{name: n, on: %s, field: contact-force}, {name: m, on: %s, field: "
        "contact-moment, about: [1, 0.5%s]}]}\n",
        x, dim == 2 ? "" : "0, ", y, dim == 2 ? "y0" : "z0", dim == 2 ? "" : ", 0", dim == 2 ? "" : ", 0",
        dim == 2 ? "0.4" : "'0.4 + 0*x*t'", dim == 2 ? "y0" : "z0", dim == 2 ? "y0" : "z0", dim == 2 ? "" : ", 0.5");
    if (k % 2) {
      Said said = app_run_says(folder, text);
      if (said.code != 6) fail_msg("%s\nends with %d", text, said.code);
      said_release(&said);
      continue;
    }
    double v[7];
    last(folder, text, dim == 2 ? 4 : 7, v);
    assert_within(v[1], -2 * x, dim == 2 ? 1e-6 : 1e-5);
    assert_within(v[dim], -2 * y, 1e-6);
    assert_within(v[dim == 2 ? 3 : 5], 0, 1e-5); /* of all forces, about the middle */
  }
  scratch_remove(&folder);
}

/* Pressed from above and pushed from the left; displacements of an independent program with bilinear elements. */
static void a_block_that_is_pushed(void **state) {
  (void)state;
  static const struct {
    int n;
    double mu, push, ux;
    int slide;
  } row[] = {{8, 0.3, 0.45, 7.4310e-4, 4}, {16, 0.3, 0.45, 7.4512e-4, 6}, {8, 0.1, 0.15, 6.589e-4, -1}};
  static char text[TEXT];
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    double v[2];
    char mesh[80];
    snprintf(mesh, sizeof mesh, "{grid: [%d, %d], size: [2, 1]}", 2 * row[k].n + 1, row[k].n + 1);
    begin(text, mesh, "plane-strain", "formulation: displacement\n");
    add(text,
        "boundary: [{on: y1, pressure: 1}, {on: x0, pressure: %g}]\ncontact: [{on: y0, against: {plane: {at: [0, 0], "
        "normal: [0, 1]}}, friction: %g}]\noutput: {probes: [{name: u, at: [2, 1], field: displacement-x}]}\n",
        row[k].push, row[k].mu);
    last(folder, text, 2, v);
    assert_relative(v[1], row[k].ux, 1e-4);
    if (row[k].slide > 0) assert_int_equal((int)scratch_reported(folder, "stick"), 2 * row[k].n + 1 - row[k].slide);
  }
  scratch_remove(&folder);
}

/* A column that is pressed, cut askew by a surface that sticks: constant stress across meshes that do not match. */
static void shear_passes_where_it_sticks(void **state) {
  (void)state;
  static const struct {
    ElementKind kind[2];
    int32_t order;
  } pair[] = {{{ELEMENT_HEX8, ELEMENT_HEX8}, 1},
              {{ELEMENT_TET4, ELEMENT_HEX8}, 2},
              {{ELEMENT_QUAD4, ELEMENT_TRI3}, 1},
              {{ELEMENT_QUAD4, ELEMENT_QUAD4}, 2}};
  static char text[TEXT];
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof pair / sizeof *pair; ++k) {
    TwoBlocks q = {.kind = {pair[k].kind[0], pair[k].kind[1]}, .order = pair[k].order, .tilt = 0.4};
    for (int b = 0; b < 2; ++b) q.n[b][0] = draw_whole(&seed, 2, 4), q.n[b][1] = draw_whole(&seed, 2, 4), q.n[b][2] = 2;
    const int32_t dim = write_mesh(folder, &q);
    const char *side = dim == 3 ? "0.4, " : "", *up = dim == 3 ? "zz" : "yy";
    double v[6];
    begin(text, "{file: two.h5}", dim == 3 ? "3d" : "plane-strain", "");
    memcpy(strstr(text, "poisson: 0.3"), "poisson: 0.0", 12);
    add(text,
        "boundary: [{on: bottom, fix: all}, {on: top, traction: [0, %s-1]}]\ncontact: [{on: %s, friction: 1}]\noutput: "
        "{probes: [{name: s, at: [0.4, %s0.7], field: stress-%s}, {name: r, at: [0.7, %s-0.6], field: stress-%s}, "
        "{name: t, at: [0.7, %s0.6], field: stress-x%c}, {name: x, at: [0.4, %s-0.7], field: stress-xx}, {name: u, at: "
        "[0.4, %s1], field: displacement-%c}]}\n",
        dim == 3 ? "0, " : "", k % 2 ? "b, against: a" : "a, against: b", side, up, side, up, side, up[0], side, side,
        up[0]);
    last(folder, text, 6, v);
    static const double expected[] = {-1, -1, 0, 0, -2e-3};
    for (int i = 0; i < 5; ++i) assert_within(v[1 + i], expected[i], i < 4 ? 1e-9 : 1e-12);
    assert_within(scratch_reported(folder, "stick"), scratch_reported(folder, "closed"), 0);
  }
  scratch_remove(&folder);
}

/* A block that is pushed over the other and back: the force is mu N against the motion, and what has slid is what went by. */
static void sliding_to_and_fro(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  for (int k = 0; k < 3; ++k) {
    const int order = k == 1 ? 2 : 1;
    TwoBlocks q = {.kind = {k < 2 ? ELEMENT_QUAD4 : ELEMENT_HEX8, k < 2 ? ELEMENT_QUAD4 : ELEMENT_HEX8},
                   .n = {{3, 2, 2}, {4, k < 2 ? 2 : 3, 2}},
                   .order = order};
    const int32_t dim = write_mesh(folder, &q);
    double v[10];
    begin(text, "{file: two.h5}", dim == 3 ? "3d" : "plane-strain", "");
    add(text,
        "boundary: [{on: bottom, fix: all}, {on: top, fix: {x: '%s'%s}, pressure: 10}]\ntime: {end: 3, step: "
        "0.5}\ncontact: [{on: b, against: a, friction: '0.2 + 0*t'}]\noutput: {fields: [displacement, contact-slip, "
        "contact-status], sums: [{name: n, on: b, field: contact-force}, {name: a, on: a, field: contact-force}, "
        "{name: "
        "r, on: bottom, field: reaction}]}\n",
        dim == 3 ? "0.1*sin(t)" : "0.1*min(t, 2 - t)", dim == 3 ? ", y: '0.05*(1 - cos(t))'" : "");
    last(folder, text, 1 + 3 * dim, v);
    double force = 0, other = 0;
    for (int d = 0; d < dim - 1; ++d) force += v[1 + d] * v[1 + d], other += v[1 + dim + d] * v[1 + d];
    assert_within(v[dim], 10, 1e-6);
    assert_within(v[2 * dim], -10, 1e-6);
    if (dim == 2) assert_within(v[1], 2, 1e-6); /* back */
    else assert_true(sqrt(force) > 1.9 && sqrt(force) < 2 + 1e-6);
    assert_within(other, -force, 1e-9);
    for (int d = 0; d < dim; ++d) assert_within(v[1 + d], v[1 + 2 * dim + d], dim == 2 ? 1e-6 : 1e-4);
  }
  scratch_remove(&folder);
}

/* Pressed and pushed in space by nearly as much as makes all slide, in a direction that fits no edge, over a plane and over another block:
 * the force is that which pushes, at every node at most mu times what presses, and few linear solves find it. */
static void nearly_all_slides_in_space(void **state) {
  (void)state;
  static const struct {
    double mu, part, angle;
    int two;
  } row[] = {{0.3, 0.9, 0.7, 0}, {0.3, 0.99, 0.3, 0}, {0.1, 0.999, 2, 0}, {0.3, 0.95, 0.4, 1}};
  static char text[TEXT];
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    const double push = row[k].part * row[k].mu, x = push * cos(row[k].angle), y = push * sin(row[k].angle);
    double v[4];
    if (row[k].two) {
      const TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_HEX8}, .n = {{5, 5, 2}, {4, 4, 2}}, .order = 1};
      (void)write_mesh(folder, &q);
    }
    begin(text, row[k].two ? "{file: two.h5}" : "{grid: [6, 6, 4], size: [1, 1, 0.6]}", "3d", "");
    add(text, "boundary: [{on: %s, traction: [%.17g, %.17g, -1]}%s]\ncontact: [{on: %s, against: %s, friction: %g}]\n",
        row[k].two ? "top" : "z1", x, y, row[k].two ? ", {on: bottom, fix: all}" : "", row[k].two ? "b" : "z0",
        row[k].two ? "a" : "{plane: {at: [0, 0, 0], normal: [0, 0, 1]}}", row[k].mu);
    add(text, "output: {fields: [displacement], sums: [{name: n, on: %s, field: contact-force}]}\n",
        row[k].two ? "b" : "z0");
    last(folder, text, 4, v);
    assert_within(v[1], -x, 2e-6);
    assert_within(v[2], -y, 2e-6);
    assert_within(v[3], 1, 1e-6);
    assert_in_range((int)scratch_reported(folder, "linear_solves"), 1, 15);
  }
  scratch_remove(&folder);
}

/* By more than friction holds, where nothing else does. */
static void what_friction_cannot_hold_is_told(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  begin(text, "{grid: [9, 5], size: [2, 1]}", "plane-strain", "");
  add(text, "boundary: [{on: y1, traction: [0.5, -1]}]\ncontact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, "
            "1]}}, friction: 0.3}]\n");
  Said said = app_run_says(folder, text);
  if (said.code != 6 || !strstr(said.err, "all closed nodes of contact slide")) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

/* In the plane, too. */
static void few_solves_find_friction(void **state) {
  (void)state;
  static const struct {
    double mu, part;
    int solves, on_gpu; /* where conjugate gradients leave 1e-8 to the next solve; a CPU has a factor here */
  } row[] = {{0.3, 0.5, 6, 9}, {0.6, 0.9, 12, 22}};
  static char text[TEXT];
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    double v[3];
    begin(text, "{grid: [33, 17], size: [2, 1]}", "plane-strain", "");
    add(text,
        "boundary: [{on: y1, traction: [%.17g, -1]}]\ncontact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, "
        "1]}}, friction: %g}]\noutput: {fields: [displacement], sums: [{name: n, on: y0, field: contact-force}]}\n",
        row[k].part * row[k].mu, row[k].mu);
    last(folder, text, 3, v);
    assert_within(v[1], -2 * row[k].part * row[k].mu, 1e-6);
    const int solves = (int)scratch_reported(folder, "linear_solves");
    print_message("friction %g, %g of its limit: %d solves\n", row[k].mu, row[k].part, solves);
    assert_in_range(solves, 1, strcmp(app_backend(), "cuda") ? row[k].solves : row[k].on_gpu);
  }
  scratch_remove(&folder);
}

/* A belt half around a drum, both ends of which are pulled, then one of them by more, or the drum turns: tensions are as exp(mu pi), of
 * forces about the axis, which act at half the thickness (Euler and Eytelwein). What slid in a step goes on sliding in the next. */
static void a_belt_around_a_drum(void **state) {
  (void)state;
  static const double RADIUS = 10, THICK = 0.1, MU = 0.2;
  static char text[TEXT];
  char *folder = scratch_create();
  double v[3];
  Mesh *mesh = NULL;
  const BoxParams box = {.kind = ELEMENT_QUAD4, .n = {60, 1, 1}, .size = {1, 1, 1}};
  assert_ok(mesh_box(&box, &mesh));
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    const double turn = acos(-1) * x[0], r = RADIUS + THICK * x[1];
    x[0] = -r * cos(turn), x[1] = r * sin(turn);
  }
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "belt.h5")));
  mesh_destroy(&mesh);
  for (int turns = 0; turns < 2; ++turns) {
    *text = 0;
    add(text,
        "version: 1\nphysics: elasticity\nmesh: {file: belt.h5}\nmodel: plane-stress\nmaterials: [{on: body, young: "
        "500, "
        "poisson: 0}]\nboundary: [{on: x1, fix: {y: '-0.02*min(t, 1) - %g*max(0, t - 1)'}}, {on: x0, traction: [0, "
        "'-min(t, 1)']}]\ncontact: [{on: y0, against: {cylinder: {at: [0, 0], radius: %g, rotate: {angle: '%g*max(0, t "
        "- "
        "1)'}}}, friction: %g}]\ntime: {end: "
        "2, "
        "step: 0.25}\noutput: {fields: [displacement], sums: [{name: pull, on: x1, field: reaction}]}\n",
        turns ? 0 : 0.06, RADIUS, turns ? 0.4 : 0, MU);
    last(folder, text, 3, v);
    assert_relative(-v[2] / THICK, exp(MU * acos(-1) * RADIUS / (RADIUS + THICK / 2)), 2e-3);
    const int solves = (int)scratch_reported(folder, "linear_solves");
    print_message("belt: %d solves in 8 steps\n", solves);
    assert_in_range(solves, 1, 160);
  }
  scratch_remove(&folder);
}

/* Both a block and the plane that it is pressed on are moved, or turned: to them nothing happens. With `sliding: finite` what sticks was
 * moved twice in each step in which supports are moved. */
static void what_sticks_goes_along(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  double v[3], force[3];
  for (int run = 0; run < 8; ++run) {
    const int way = run % 4;
    const double angle = way >= 2 ? draw_between(&seed, 0.3, 0.8) : 0;
    const double shift = way % 2 ? draw_between(&seed, 0.2, 0.4) : 0;
    begin(text, "{grid: [5, 4], size: [1, 1]}", "plane-strain", "");
    add(text,
        "strain: finite\nboundary: [{on: y1, rigid: {at: [0.5, 0.1], fix: {x: '%.17g*max(0, t - 1)', y: '-0.1*min(1, "
        "t)', "
        "rz: '%.17g*max(0, t - 1)'}}}]\ncontact: [{on: y0, against: {plane: {at: [0.5, 0], normal: [0, 1], move: "
        "['%.17g*max(0, t - 1)', 0], rotate: {angle: '%.17g*max(0, t - 1)'}}}, friction: %g, sliding: finite}]\ntime: "
        "{end: %d, step: 0.25}\noutput: {fields: [displacement], sums: [{name: f, on: y0, field: contact-force}]}\n",
        shift, angle, shift, angle * 180 / acos(-1), run < 4 ? 2 : 0.3, way ? 2 : 1);
    last(folder, text, 3, way ? v : force);
    if (!way) continue;
    assert_within(v[1], -sin(angle) * force[2], 1e-8 * force[2]);
    assert_within(v[2], cos(angle) * force[2], 1e-8 * force[2]);
  }
  scratch_remove(&folder);
}

/* The coarser side as the one that depends; a body that nothing holds and that is far away. */
static void what_is_doubtful_is_told(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  for (int far = 0; far < 2; ++far) {
    const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{8, 4, 0}, {2, 1, 0}}, .order = 1, .gap = far};
    (void)write_mesh(folder, &q);
    begin(text, "{file: two.h5}", "plane-strain", "");
    add(text,
        "boundary: [{on: bottom, fix: all}, {on: top, traction: [0, -1]}%s]\ncontact: [{on: b, against: a, reach: "
        "1.5}]\n",
        far ? "" : ", {on: top, fix: {x: 0}}");
    Said said = app_run_says(folder, text);
    const char *words = far ? "no node of contact is closed" : "remedy: the finer side as 'on', {on: a, against: b}";
    if (!said.code != !far || !strstr(said.err, words)) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* A support across a plane of symmetry of both bodies takes nothing from friction, one of a body alone does. */
static void supports_along_the_surface_are_told(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  for (int k = 0; k < 8; ++k) {
    const bool solid = k >= 4, apart = k % 2;
    const TwoBlocks q = {.kind = {solid ? ELEMENT_HEX8 : ELEMENT_QUAD4, solid ? ELEMENT_TET4 : ELEMENT_TRI3},
                         .n = {{4, solid ? 3 : 1, 1}, {3, solid ? 2 : 1, 1}},
                         .order = 1 + k / 2 % 2,
                         .shift = apart ? 0.1 : 0};
    (void)write_mesh(folder, &q);
    begin(text, "{file: two.h5}", solid ? "3d" : "plane-strain", "");
    add(text,
        "boundary: [{on: bottom, fix: {%s: 0}}, {on: top, fix: {%s: -0.01}}, {on: x0, symmetry: true}%s]\ncontact: "
        "[{on: b, against: a, friction: 0.2}]\n",
        solid ? "z" : "y", solid ? "z" : "y", solid ? ", {on: y0, symmetry: true}" : "");
    Said said = app_run_says(folder, text);
    if (said.code || !strstr(said.err, "nodes of 'b' along the surface") != !apart)
      fail_msg("%d: %s\n%s", k, text, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Aggregates of a hierarchy have nodes of one body: bodies that slide on each other take as many iterations as tied ones. */
static void bodies_apart_take_few_iterations(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  double n[2];
  const TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_HEX8}, .n = {{10, 10, 10}, {7, 7, 7}}, .order = 1};
  (void)write_mesh(folder, &q);
  for (int touch = 0; touch < 2; ++touch) {
    *text = 0;
    add(text,
        "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: 3d\nsolver: {rtol: 1e-8, preconditioner: "
        "amg}\nmaterials: [{on: body, young: 1000, poisson: 0.3}]\nboundary: [{on: bottom, fix: all}, {on: top, fix: "
        "{x: 0, y: 0}}, {on: top, traction: [0, 0, -10]}%s]\n%s",
        touch ? "" : ", {on: b, tie: a}", touch ? "contact: [{on: b, against: a}]\n" : "");
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
    n[touch] = scratch_reported(folder, "iterations");
  }
  if (!(n[1] <= 1.5 * n[0])) fail_msg("%g iterations, tied %g", n[1], n[0]);
  scratch_remove(&folder);
}

/* What contact or a tie hangs on may be a rigid group that loads move, or one that is moved by numbers, not by expressions in t: it would stand
 * still. */
static void prescribed_rigid_groups(void **state) {
  (void)state;
  static const struct {
    const char *rigid, *joint, *said; /* NULL: it is solved */
  } row[] = {
      {"fix: {x: 0, rz: 0}, force: [0, 3]", "contact: [{on: b, against: a}]", NULL},
      {"fix: {x: 0, y: 0.01, rz: 0}", "contact: [{on: b, against: a}]", NULL},
      {"fix: {x: 0, y: '0.01*t', rz: 0}", "contact: [{on: b, against: a}]", "another constraint or contact too"},
      {"fix: {x: 0, y: '0.01*t', rz: 0}", "strain: finite\ntime: {end: 1, step: 1}", "another constraint or contact"}};
  static char text[TEXT];
  char *folder = scratch_create();
  const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{3, 2, 0}, {2, 2, 0}}, .order = 1};
  (void)write_mesh(folder, &q);
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    begin(text, "{file: two.h5}", "plane-strain", "");
    add(text, "boundary: [{on: top, fix: all}, {on: a, rigid: {at: [0.5, 0], %s}}%s]\n%s\n", row[k].rigid,
        k == 3 ? ", {on: b, tie: a}" : "", row[k].joint);
    Said said = app_run_says(folder, text);
    if (!said.code != !row[k].said || (row[k].said && !strstr(said.err, row[k].said)))
      fail_msg("%s\n%s", text, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* A contact that begins, gets slippery, and ends. */
static void contacts_change_in_steps(void **state) {
  (void)state;
  static char text[TEXT];
  char *folder = scratch_create();
  begin(text, "{grid: [4, 4], size: [1, 1]}", "plane-strain", "");
  add(text,
      "boundary: [{on: y1, fix: {x: '0.05*t', y: '-0.01*min(t, 1)'}}, {on: y0, spring: [1e-3, 1e-3]}]\nsteps:\n"
      "- {name: away, end: 1, step: 1}\n"
      "- {name: rubs, end: 2, step: 0.5, contact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, 1]}}, friction: "
      "0.3}]}\n"
      "- {name: oil, end: 3, step: 0.5, contact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, 1]}}, friction: "
      "0.1}]}\n"
      "- {name: lifted, end: 4, step: 1, contact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, 1]}}, active: "
      "false}]}\n"
      "output: {every: 0.5, sums: [{name: n, on: y0, field: contact-force}]}\n");
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  FILE *f = fopen(scratch_path(folder, "results/probes.csv"), "r");
  char line[400];
  double t, x, y;
  assert_non_null(f);
  for (int n = 0; fgets(line, sizeof line, f);) {
    if (sscanf(line, "%lf,%lf,%lf", &t, &x, &y) != 3) continue;
    if (t < 1.2 || t > 3.9) assert_true(fabs(x) + fabs(y) < 1e-6);
    if (fabs(t - 2) < 1e-9) assert_true(y > 1), assert_relative(-x, 0.3 * y, 1e-5), ++n;
    if (fabs(t - 3) < 1e-9) assert_true(y > 1), assert_relative(-x, 0.1 * y, 1e-5), ++n;
    if (t > 3.9) assert_int_equal(n, 2);
  }
  fclose(f);
  scratch_remove(&folder);
}

#define HEAD                                                                                                           \
  "version: 1\nphysics: elasticity\nmesh: {grid: [2, 2], size: [1, 1]}\nmodel: plane-strain\nmaterials: [{on: body, "  \
  "young: 1, poisson: 0.3}]\nboundary: [{on: y1, fix: {x: 0, y: -0.01}}]\n"
#define PLANE "{plane: {at: [0, 0], normal: [0, 1]}}"

static void wrong_use_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *said, *more;
  } row[] = {
      {HEAD "contact: [{on: y0, against: " PLANE ", friction: -0.1}]\n", "friction is -0.1", "must be between 0 and 2"},
      {HEAD "contact: [{on: y0, against: " PLANE ", friction: 30}]\n", "friction is 30", "not an angle"},
      {HEAD "contact: [{on: y0, against: " PLANE ", friction: '3*t'}]\n", "friction is 3", "0 to 2 everywhere"},
      {HEAD "contact: [{on: y0, against: " PLANE ", frction: 0.1}]\n", "frction", "friction"},
      {HEAD "contact: [{on: y0, against: " PLANE "}]\nsteps: [{name: a, end: 1, step: 1}, {name: b, end: 2, step: 1, "
            "contact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, 1], move: [0, 1]}}}]}]\n",
       "move of a contact that is there already changes in step 'b'", "'friction' and 'active'"},
      {HEAD "contact: [{on: y0, against: x1, reach: 5}]\n",
       "no facet of 'y0' has one of 'x1' opposite along its normal", "do they lie side by side?"},
      {HEAD "steps: [{name: b, end: 2, step: 1, contact: [{on: y0, against: " PLANE "}, {on: y0, against: " PLANE
            "}]}]\n",
       "this contact stands in the step twice", "one entry"}};
  char *folder = scratch_create();
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) app_refuses(folder, row[k].text, row[k].said, row[k].more);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_block_on_a_slope),
                                     cmocka_unit_test(a_block_that_is_pushed),
                                     cmocka_unit_test(shear_passes_where_it_sticks),
                                     cmocka_unit_test(nearly_all_slides_in_space),
                                     cmocka_unit_test(what_friction_cannot_hold_is_told),
                                     cmocka_unit_test(few_solves_find_friction),
                                     cmocka_unit_test(a_belt_around_a_drum),
                                     cmocka_unit_test(what_sticks_goes_along),
                                     cmocka_unit_test(what_is_doubtful_is_told),
                                     cmocka_unit_test(supports_along_the_surface_are_told),
                                     cmocka_unit_test(bodies_apart_take_few_iterations),
                                     cmocka_unit_test(prescribed_rigid_groups),
                                     cmocka_unit_test(sliding_to_and_fro),
                                     cmocka_unit_test(contacts_change_in_steps),
                                     cmocka_unit_test(wrong_use_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
