/* Contact of two bodies whose meshes do not match: constant pressure through elements of all kinds, complementarity of pressure and
 * gap, equal bodies against the plane between them, interference, metals in steps, and what is refused. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"
#include "tests/draw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 32768, MOST = 40 };

static uint64_t seed = 2129;
static double draw(double low, double high) { return draw_between(&seed, low, high); }
static int32_t draw_n(int32_t low, int32_t high) { return draw_whole(&seed, low, high); }

static const struct Blocks {
  ElementKind a, b;
  int32_t order;
} pairs[] = {{ELEMENT_HEX8, ELEMENT_HEX8, 1},   {ELEMENT_TET4, ELEMENT_HEX8, 1}, {ELEMENT_HEX8, ELEMENT_HEX8, 2},
             {ELEMENT_TET4, ELEMENT_TET4, 2},   {ELEMENT_HEX8, ELEMENT_TET4, 2}, {ELEMENT_QUAD4, ELEMENT_QUAD4, 1},
             {ELEMENT_QUAD4, ELEMENT_QUAD4, 2}, {ELEMENT_TRI3, ELEMENT_TRI3, 2}, {ELEMENT_TRI3, ELEMENT_QUAD4, 1}};
enum { N_PAIR = sizeof pairs / sizeof *pairs, BENT = 2 }; /* BENT: exact beside edges that are bent */

static TwoBlocks drawn(int k) {
  TwoBlocks q = {.kind = {pairs[k].a, pairs[k].b}, .order = pairs[k].order};
  for (int b = 0; b < 2; ++b) q.n[b][0] = draw_n(2, 4), q.n[b][1] = draw_n(2, 4), q.n[b][2] = draw_n(1, 2);
  return q;
}

static int32_t write_mesh(const char *folder, const TwoBlocks *q) {
  Mesh *mesh = two_blocks(q);
  const int32_t dim = mesh->dim;
  for (int32_t b = 0; b < mesh->n_block; ++b)
    if (mesh->block[b].kind == ELEMENT_HEX20 && !(q->bend > 0) && draw_n(0, 1)) mesh->block[b].kind = ELEMENT_HEX20R;
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  return dim;
}

__attribute__((format(printf, 2, 3))) static void add(char text[TEXT], const char *format, ...) {
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, TEXT - used, format, args);
  va_end(args);
}

static void begin(char text[TEXT], int32_t dim, const char *rest) {
  *text = 0;
  add(text,
      "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: %s\nsolver: {rtol: 1e-12}\nmaterials: [{on: body, "
      "young: 1000, poisson: 0.3}]\n%s",
      dim == 3 ? "3d" : "plane-strain", rest);
}

static void last(const char *folder, const char *text, int n, double *value) {
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  scratch_last_row(folder, n, value);
}

static void add_at(char text[TEXT], int32_t dim, const double x[3]) {
  add(text, "at: [%.17g, %.17g", x[0], x[1]);
  if (dim == 3) add(text, ", %.17g", x[2]);
  add(text, "]");
}

/* Pressure all around, on planes of symmetry: -5 of all stresses, across a surface that is flat, turned, tilted, sheared. */
static void constant_pressure_passes(void **state) {
  (void)state;
  static const char *const component[] = {"xx", "yy", "xy"};
  char *folder = scratch_create();
  static char text[TEXT];
  for (int draws = 0; draws < 2 * N_PAIR; ++draws) {
    TwoBlocks q = drawn(draws % N_PAIR);
    const bool finite = draws % 5 == 4;
    q.angle = draws % 2 ? draw(-1, 1) : 0, q.tilt = draw(-0.6, 0.6);
    q.wave = q.order == 1 ? 0.02 : 0, q.bend = draws == BENT ? 0.1 : 0;
    const int32_t dim = write_mesh(folder, &q);
    double v[16];
    begin(text, dim, finite ? "strain: finite\ntime: {end: 1, step: 0.5}\n" : "");
    add(text, "boundary: [{on: bottom, symmetry: true}, {on: x0, symmetry: true}, ");
    if (dim == 3) add(text, "{on: y0, symmetry: true}, ");
    add(text, "{on: outer, pressure: 5}]\ncontact: [{on: %s, against: %s}]\noutput: {probes: [",
        draws / 2 % 2 ? "a" : "b", draws / 2 % 2 ? "b" : "a");
    for (int p = 0; p < 12; ++p) {
      double x[3] = {0.3 + 0.03 * p, 0.4, 0};
      x[dim - 1] = p % 2 ? 0.6 : -0.6;
      two_blocks_turn(q.angle, dim, x);
      add(text, "%s{name: s%d, field: stress-%s, ", p ? ", " : "", p, component[p / 4]);
      add_at(text, dim, x);
      add(text, "}");
    }
    add(text, "], sums: [{name: n, on: a, field: contact-force}]}\n");
    last(folder, text, 13, v);
    for (int p = 0; p < 12; ++p)
      if (!(fabs(v[1 + p] + (p < 8 ? 5 : 0)) <= (finite ? 1e-6 : 5e-9)))
        fail_msg("draw %d: stress %d is %.12g\n%s", draws, p, v[1 + p], text);
  }
  scratch_remove(&folder);
}

/* Cylinders that stand on each other, around their axis: 5 at all nodes, also at that on the axis. */
static void pressure_is_known_on_an_axis(void **state) {
  (void)state;
  static char text[TEXT];
  double v[10];
  char *folder = scratch_create();
  const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_TRI3}, .n = {{3, 2, 1}, {4, 2, 1}}, .order = 2, .gap = 1e-4};
  begin(text, write_mesh(folder, &q), "");
  memcpy(strstr(text, "plane-strain"), "axisymmetric", 12);
  add(text, "boundary: [{on: bottom, fix: {y: 0}}, {on: top, traction: [0, -5]}]\ncontact: [{on: b, against: a, "
            "interference: 0}]\noutput: {probes: [");
  for (int i = 0; i < 9; ++i) add(text, "{name: p%d, at: [%g, 1e-4], field: contact-pressure}, ", i, i / 8.0);
  add(text, "]}\n");
  last(folder, text, 10, v);
  for (int i = 0; i < 9; ++i) assert_within(v[1 + i], 5, 1e-8);
  scratch_remove(&folder);
}

/* A stamp, pressed in on one side and lifted on the other: p >= 0, gap >= 0, one of them 0, forces in balance; no other solution. */
static void nodes_are_open_or_closed(void **state) {
  (void)state;
  char *folder = scratch_create();
  static char text[TEXT];
  for (int run = 0; run < 8; ++run) {
    TwoBlocks q = {.kind = {run % 4 < 2 ? ELEMENT_QUAD4 : ELEMENT_TRI3, ELEMENT_QUAD4}, .order = 1 + run % 2};
    q.n[0][0] = draw_n(3, 12), q.n[0][1] = 3, q.n[1][0] = draw_n(4, 14), q.n[1][1] = 3;
    q.gap = draw(0.001, 0.01), q.shift = 1e-3;
    const int32_t dim = write_mesh(folder, &q), nodes = q.order * q.n[1][0] + 1;
    double v[2 * MOST + 8], most = 0;
    int closed = 0;
    begin(text, dim, "");
    add(text,
        "boundary: [{on: bottom, fix: all}, {on: top, fix: {x: 0, y: '(%.17g - %.17g*x)*t'}}]\ncontact: [{on: b, "
        "against: "
        "a, reach: 0.05}]\ntime: {end: 1, step: %s}\noutput: {probes: [",
        draw(0.005, 0.01), draw(0.025, 0.06), run % 3 ? "1" : "0.25");
    for (int k = 0; k < nodes; ++k)
      add(text,
          "%s{name: p%d, at: [%.17g, %.17g], field: contact-pressure}, {name: g%d, at: [%.17g, %.17g], field: "
          "contact-gap}",
          k ? ", " : "", k, 1e-3 + (double)k / (nodes - 1), q.gap, k, 1e-3 + (double)k / (nodes - 1), q.gap);
    add(text, "], sums: [{name: b, on: b, field: contact-force}, {name: a, on: a, field: contact-force}, {name: r, on: "
              "bottom, field: reaction}]}\n");
    last(folder, text, 1 + 2 * nodes + 6, v);
    for (int k = 0; k < nodes; ++k) most = fmax(most, v[1 + 2 * k]);
    for (int k = 0; k < nodes; ++k) {
      const double p = v[1 + 2 * k], gap = v[2 + 2 * k];
      if (p < -2e-7 * most || gap < -1e-9) fail_msg("node %d has pressure %g and gap %g\n%s", k, p, gap, text);
      if (fabs(p) > 0 && gap != 0) fail_msg("node %d presses %g across %g\n%s", k, p, gap, text);
      closed += p > 0;
    }
    const double *sum = v + 1 + 2 * nodes;
    if (!(closed > 0 && closed < nodes - 1)) fail_msg("%d of %d nodes are closed\n%s", closed, nodes, text);
    for (int c = 0; c < 2; ++c) assert_within(sum[c] + sum[2 + c], 0, 1e-8 * fabs(sum[1]));
    for (int c = 0; c < 2; ++c) assert_within(sum[2 + c] + sum[4 + c], 0, 1e-8 * fabs(sum[1]));
    assert_true(sum[1] > 0 && scratch_reported(folder, "contact_updates") <= 32);
  }
  scratch_remove(&folder);
}

/* Equal bodies with equal loads touch as each touches the plane between them. */
static void equal_bodies_meet_in_a_plane(void **state) {
  (void)state;
  char *folder = scratch_create();
  static char text[TEXT];
  for (int run = 0; run < 4; ++run) {
    TwoBlocks q = {.kind = {run < 2 ? ELEMENT_QUAD4 : ELEMENT_HEX8, run < 2 ? ELEMENT_QUAD4 : ELEMENT_HEX8},
                   .order = 1};
    for (int b = 0; b < 2; ++b)
      for (int c = 0; c < 3; ++c) q.n[b][c] = run < 2 ? 7 : 4;
    q.gap = 0.004;
    const int32_t dim = write_mesh(folder, &q);
    const char *z = dim == 3 ? "z" : "y";
    double v[2][8];
    for (int k = 0; k < 2; ++k) {
      begin(text, dim, "");
      add(text,
          "boundary: [{on: bottom, fix: {x: 0, %s%s: '(0.03*x - 0.004)*t'}}, {on: top, fix: {x: 0, %s%s: '-(0.03*x - "
          "0.004)*t'}}]\ncontact: ",
          dim == 3 ? "y: 0, " : "", z, dim == 3 ? "y: 0, " : "", z);
      if (k == 0) add(text, "[{on: %s}]\n", run % 2 ? "b, against: a" : "a, against: b");
      else
        for (int b = 0; b < 2; ++b)
          add(text, "%s{on: %s, against: {plane: {at: [0, %s0.002], normal: [0, %s1]}}}%s", b ? ", " : "[",
              b ? "b" : "a", dim == 3 ? "0, " : "", dim == 3 ? "0, " : "", b ? "]\n" : "");
      add(text, "time: {end: 1, step: 0.5}\noutput: {probes: [");
      for (int p = 0; p < 4; ++p) {
        const double x[3] = {0.2 + 0.2 * p, dim == 3 ? 0.4 : 0.2, 0.2};
        add(text, "%s{name: s%d, field: von-mises, ", p ? ", " : "", p);
        add_at(text, dim, x);
        add(text, "}");
      }
      add(text, "], sums: [{name: r, on: top, field: reaction}]}\n");
      last(folder, text, dim + 5, v[k]);
    }
    for (int c = 1; c < dim + 5; ++c) assert_within(v[1][c], v[0][c], 1e-7 * (fabs(v[0][c]) + 1));
  }
  scratch_remove(&folder);
}

/* Blocks that overlap: the pressure of both together closes the interference, in one step and in two. */
static void interference_grows_over_the_first_step(void **state) {
  (void)state;
  char *folder = scratch_create();
  static char text[TEXT];
  TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_TET4}, .n = {{3, 2, 2}, {2, 4, 2}}, .order = 1};
  write_mesh(folder, &q);
  for (int run = 0; run < 2; ++run) {
    double v[2];
    begin(text, 3,
          run ? "steps: [{name: fit, end: 1, step: 0.5}, {name: rest, end: 2, step: 1}]\n"
              : "time: {end: 1, step: 0.5}\n");
    add(text,
        "boundary: [{on: bottom, fix: {z: 0}}, {on: top, fix: {z: 0}}, {on: x0, fix: {x: 0}}, {on: y0, fix: {y: 0}}]\n"
        "contact: [{on: b, against: a, interference: 0.01}]\noutput: {probes: [{name: s, at: [0.4, 0.3, 0.5], field: "
        "stress-zz}]}\n");
    last(folder, text, 2, v);
    assert_relative(v[1], -1000 * 0.01 / 2, 1e-9);
  }
  scratch_remove(&folder);
}

/* Pressed and let go over steps of a chain: metals keep what has flown, and are open in the end. */
static void metals_are_pressed_and_let_go(void **state) {
  (void)state;
  char *folder = scratch_create();
  static char text[TEXT];
  TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_HEX8}, .n = {{3, 2, 2}, {2, 3, 2}}, .order = 1};
  write_mesh(folder, &q);
  double v[4];
  *text = 0;
  add(text, "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: 3d\nmaterials: [{on: body, type: plastic, "
            "young: 1000, "
            "poisson: 0.3, yield: [[0, 10], [1, 110]]}]\nboundary: [{on: bottom, fix: {z: 0}}, {on: x0, fix: {x: 0}}, "
            "{on: y0, "
            "fix: {y: 0}}, {on: top, fix: {z: '-0.06*min(t, 2 - t)'}}]\ncontact: [{on: b, against: a}]\nsteps: [{name: "
            "press, "
            "end: 1, step: 0.25}, {name: back, end: 2, step: 0.25}]\nsolver: {rtol: 1e-12}\noutput: {probes: [{name: "
            "u, at: [0.4, "
            "0.4, -0.5], field: displacement-z}, {name: s, at: [0.4, 0.4, -0.5], field: stress-zz}, {name: e, at: "
            "[0.4, 0.4, 0.5], "
            "field: plastic-strain}]}\n");
  last(folder, text, 4, v);
  const double stress = (10 * 1000 + 100 * 1000 * 0.03) / 1100, flown = 0.03 - stress / 1000; /* hardening 100 */
  assert_relative(v[1], -flown / 2, 1e-6);
  assert_within(v[2], 0, 1e-6);
  assert_relative(v[3], flown, 1e-6);
  scratch_remove(&folder);
}

/* A body whose lower side is near the other in one half and far in the other. */
static void far_nodes_do_not_pass_silently(void **state) {
  (void)state;
  static const char mesh[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n6\n2 1 \"low\"\n2 2 \"high\"\n1 3 "
                             "\"foot\"\n1 4 \"top\"\n1 5 "
                             "\"under\"\n1 6 \"head\"\n$EndPhysicalNames\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 "
                             "0\n5 0 1.02 0\n6 0.5 1.02 "
                             "0\n7 1 1.6 0\n8 1 2.2 0\n9 0.5 2.2 0\n10 0 2.2 0\n$EndNodes\n$Elements\n9\n1 3 2 1 1 1 2 "
                             "3 4\n2 3 2 2 2 5 6 9 10\n3 3 2 "
                             "2 2 6 7 8 9\n4 1 2 3 1 1 2\n5 1 2 4 2 3 4\n6 1 2 5 3 5 6\n7 1 2 5 3 6 7\n8 1 2 6 4 9 "
                             "10\n9 1 2 6 4 8 9\n$EndElements\n";
  char *folder = scratch_create();
  scratch_write(folder, "far.msh", mesh);
  for (int far = 0; far < 2; ++far) {
    char text[1000];
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: far.msh}\nmodel: plane-strain\nmaterials: [{on: low, young: "
        "1000, poisson: 0.3}, {on: high, young: 1, poisson: 0.3}]\nboundary: [{on: foot, fix: all}, {on: head, fix: "
        "{x: 0, y: '-%g*t'}}]\ncontact: [{on: under, against: top, reach: 0.3}]\ntime: {end: 1, step: 0.5}\n",
        far ? 0.75 : 0.3);
    Said said = app_run_says(folder, text);
    assert_int_equal(said.code, 0);
    if (!!strstr(said.err, "1 nodes were farther away than 'reach' at the start") != far) fail_msg("%s", said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* A body that is pressed across a gap by a force alone, and an interference larger than the facets. */
static void what_holds_nothing_is_told(void **state) {
  (void)state;
  static const TwoBlocks apart = {
      .kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .order = 1, .n = {{2, 2}, {2, 2}}, .gap = 0.05};
  static const TwoBlocks one = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .order = 1, .n = {{2, 2}, {2, 2}}};
  static const struct {
    const TwoBlocks *mesh;
    const char *acts, *contact, *says;
    int code;
  } told[] = {{&apart, "{on: top, pressure: 1}", "", "no node of contact is closed", 6},
              {&one, "{on: top, pressure: -1}", "", "nothing touches, and a part that contact alone holds is free", 6},
              {&one, "{on: top, fix: {y: 0}}", ", interference: 0.6", "times the size of the facets of 'b'", 0},
              {&one, "{on: top, fix: {y: 0}}", ", interference: 0.1", NULL, 0}};
  char *folder = scratch_create(), text[1000];
  for (size_t k = 0; k < sizeof told / sizeof *told; ++k) {
    write_mesh(folder, told[k].mesh);
    snprintf(text, sizeof text,
             "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: plane-strain\nmaterials: [{on: body, "
             "young: 1000, "
             "poisson: 0}]\nboundary: [{on: bottom, fix: {y: 0}}, {on: x0, fix: {x: 0}}, %s]\ncontact: [{on: b, "
             "against: a%s}]\n",
             told[k].acts, told[k].contact);
    Said said = app_run_says(folder, text);
    const char *says = told[k].says ? told[k].says : "times the size of the facets";
    if (said.code != told[k].code || !strstr(said.err, says) != !told[k].says || strstr(said.err, "0 negative"))
      fail_msg("%s\n%s", text, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* A block on a table of three times its length, a fifth of it before the block. */
static void write_table(const char *folder, TwoBlocks q) {
  q.gap = 0.001;
  Mesh *mesh = two_blocks(&q);
  const int up = mesh->dim - 1;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    if (x[up] > 1e-9) x[up] -= q.gap;
    else x[0] = 3 * x[0] - 0.2, x[up] *= 0.5;
  }
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
}

static void begin_sliding(char text[TEXT], int32_t dim, double mu, const char *way) {
  *text = 0;
  add(text,
      "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: %s\nstrain: finite\nsolver: {rtol: "
      "1e-11}\nmaterials: [{on: body, type: neo-hooke, young: 1000, poisson: 0}]\nboundary: [{on: bottom, fix: all}, "
      "{on: a, fix: all}, {on: top, pressure: '10*min(1, 5*t)', follower: false}, {on: top, fix: {x: "
      "'%s'%s}}]\ncontact: "
      "[{on: b, against: a, sliding: finite, friction: %g}]\ntime: {end: 1.2, step: 0.2}\n",
      dim == 3 ? "3d" : "plane-strain", way, dim == 3 ? ", y: 0" : "", mu);
}

/* Over many facets: the same stress all over the block after each step, and with friction a force of mu N against the way. */
static void a_block_slides_far(void **state) {
  (void)state;
  static const int kinds[] = {0, 1, 5, 6, 7};
  char *folder = scratch_create();
  static char text[TEXT];
  for (size_t k = 0; k < 2 * sizeof kinds / sizeof *kinds; ++k) {
    TwoBlocks q = {.kind = {pairs[kinds[k / 2]].a, pairs[kinds[k / 2]].b}, .order = pairs[kinds[k / 2]].order};
    const double mu = k % 2 ? 0.2 : 0;
    const int dim = k / 2 < 2 ? 3 : 2;
    q.n[0][0] = dim == 3 ? 7 : 17, q.n[0][1] = dim == 3 ? 1 : 3, q.n[0][2] = 1;
    q.n[1][0] = dim == 3 ? 3 : 5, q.n[1][1] = 2, q.n[1][2] = 2;
    write_table(folder, q);
    begin_sliding(text, dim, mu, k % 2 ? "1.5*max(0, t - 0.2)" : "1.75*max(0, t - 0.2)");
    add(text, "output: {probes: [");
    for (int p = 0; p < 3; ++p) {
      double x[3] = {0.15 + 0.3 * p, 0.4, 0};
      x[dim - 1] = 0.2 + 0.3 * p;
      add(text, "%s{name: s%d, field: stress-%s, ", p ? ", " : "", p, dim == 3 ? "zz" : "yy");
      add_at(text, dim, x);
      add(text, "}");
    }
    add(text, "], sums: [{name: b, on: b, field: contact-force}, {name: a, on: a, field: contact-force}]}\n");
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    if (mu == 0 && strstr(said.err, "warning: contact")) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
    char *rows = scratch_read(folder, "results/probes.csv"), *at = strchr(strchr(rows, '\n') + 1, '\n') + 1;
    int n = 0;
    for (; *at; ++n, ++at) {
      double v[10];
      for (int c = 0; c < 4 + 2 * dim; ++c) v[c] = strtod(at, &at), at += *at == ',';
      const double *b = v + 4, *a = b + dim;
      for (int p = 0; p < 3 && mu == 0; ++p)
        if (!(fabs(v[1 + p] + 10) <= 1e-6)) fail_msg("time %g: stress is %.12g\n%s", v[0], v[1 + p], text);
      if (!(fabs(b[dim - 1] - 10) <= 1e-5)) fail_msg("time %g: force is %.12g\n%s", v[0], b[dim - 1], text);
      if (v[0] > 0.3 && !(fabs(b[0] + mu * 10) <= 1e-6)) fail_msg("time %g: friction is %.12g\n%s", v[0], b[0], text);
      for (int c = 0; c < dim; ++c) assert_within(a[c] + b[c], 0, 1e-6);
    }
    assert_true(n >= 6);
    free(rows);
  }
  scratch_remove(&folder);
}

/* With any threads, and from a checkpoint, a run that slides has the same bits. */
static void sliding_goes_on_with_the_same_bits(void **state) {
  (void)state;
  char *folder = scratch_create();
  static char text[TEXT];
  char *rows[3];
  TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{17, 3, 1}, {5, 3, 1}}, .order = 1};
  write_table(folder, q);
  begin_sliding(text, 2, 0.2, "1.5*max(0, t - 0.2)");
  add(text, "output: {checkpoint: 0.4, probes: [{name: s, at: [0.3, 0.4], field: stress-yy}, {name: p, at: [0.3, 0], "
            "field: contact-slip}], sums: [{name: b, on: b, field: contact-force}]}\n");
  scratch_write(folder, "case.yaml", text);
  for (int run = 0; run < 3; ++run) {
    const char *words[] = {
        "run",     scratch_path(folder, "case.yaml"),    "--threads", run == 1 ? "3" : "1", "--backend", app_backend(),
        "--quiet", run == 2 ? "--resume" : "--overwrite"};
    if (run == 2)
      assert_int_equal(remove(scratch_path(folder, "results/report.json")), 0); /* it did not get to its end */
    Said said = app_says_words(sizeof words / sizeof *words, words);
    if (said.code) fail_msg("run %d: %s", run, said.err);
    said_release(&said);
    if (run == 2) assert_true(scratch_reported(folder, "steps") >= 6);
    rows[run] = scratch_read(folder, "results/probes.csv");
  }
  for (int run = 1; run < 3; ++run)
    if (strcmp(rows[0], rows[run])) fail_msg("run %d:\n%s\nrun 0:\n%s", run, rows[run], rows[0]);
  for (int run = 0; run < 3; ++run) free(rows[run]);
  scratch_remove(&folder);
}

/* A strip of rubber under a round stamp without friction does not know whether that came along it or was pressed there at once; what
 * steps and facets leave of the difference falls with both. */
static void a_stamp_slides_over_rubber(void **state) {
  (void)state;
  static const double along[] = {1.5e-3, 3e-4};
  char *folder = scratch_create();
  for (int fine = 1; fine < 3; ++fine) {
    double v[2][3];
    for (int once = 0; once < 2; ++once) {
      char text[1500];
      snprintf(text, sizeof text,
               "version: 1\nphysics: elasticity\nmesh: {grid: [%d, %d], size: [2, 0.5]}\nmodel: plane-strain\nstrain: "
               "finite\nmaterials: [{on: body, type: neo-hooke, young: 1, poisson: 0.4}]\nboundary: [{on: y0, fix: "
               "all}]\ncontact: [{on: y1, against: {cylinder: {at: [%g, 1.0001], radius: 0.5, move: ['%g*max(0, t - "
               "0.2)', '-0.1*min(1, 5*t)']}}, sliding: finite}]\ntime: {end: %g, step: %g}\noutput: {sums: [{name: n, "
               "on: y1, field: contact-force}]}\n",
               24 * fine + 1, 4 * fine + 1, once ? 1.24 : 0.6, once ? 0 : 0.8, once ? 0.2 : 1,
               (once ? 0.02 : 0.1) / fine);
      last(folder, text, 3, v[once]);
    }
    assert_within(v[1][2], -0.1607, 1e-4);
    assert_within(v[0][2], v[1][2], 1e-4);
    assert_within(v[0][1], v[1][1], along[fine - 1]);
  }
  scratch_remove(&folder);
}

#define HEAD                                                                                                           \
  "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: 3d\nmaterials: [{on: body, young: 1, poisson: "       \
  "0.3}]\n"
#define HELD "boundary: [{on: bottom, fix: all}, {on: top, fix: {x: 0, y: 0, z: -0.01}}"

static void wrong_use_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *text, *said, *more;
  } row[] = {
      {HEAD HELD "]\ncontact: [{on: a, against: top, reach: 1.5}]\n", "look in the same direction",
       "is one of the bodies"},
      {HEAD HELD "]\ncontact: [{on: b, against: bottom, reach: 1.5}]\n", "'b' and 'bottom' look in the same direction",
       "surfaces that look at each other"},
      {HEAD HELD "]\ncontact: [{on: top, against: bottom, reach: 0.5}]\n",
       "no facet of 'top' has one of 'bottom' within", "remedy: 'reach: "},
      {HEAD HELD "]\ncontact: [{on: b, against: a, sliding: finite}]\n", "sliding: finite needs finite strains",
       "remedy: 'strain: finite'"},
      {HEAD HELD "]\ncontact: [{on: b, against: b}]\n", "a surface that touches itself is not available",
       "of two bodies"},
      {HEAD "boundary: [{on: bottom, fix: all}, {on: b, fix: {z: -0.01}}]\ncontact: [{on: b, against: a}]\n",
       "is prescribed along the normal of contact", "leave it out of the group of 'contact'"},
      {HEAD HELD "]\ncontact: [{on: b, against: a}, {on: b, against: a}]\n", "are in the contact at",
       "one contact at a place"},
      {HEAD HELD "]\ncontact: [{on: b, against: a}, {on: a, against: b}]\n", "in the contact at", "exchange 'on' and "},
      {HEAD HELD ", {on: b, tie: a}]\ncontact: [{on: b, against: a}]\n",
       "is in an equation, a tie or a rigid group too", "leave it out of one of the two groups"},
      {HEAD HELD "]\ncontact: [{on: b, against: a, reach: 0}]\n", "reach is 0", "must be > 0"},
      {HEAD HELD "]\ncontact: [{on: b, against: {plane: {at: [0, 0, 0], normal: [0, 0, 1]}}, interference: 1}]\n",
       "interference is between two bodies", "with 'against: GROUP'"}};
  char *folder = scratch_create();
  TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_HEX8}, .n = {{2, 2, 1}, {3, 3, 1}}, .order = 1};
  write_mesh(folder, &q);
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) app_refuses(folder, row[k].text, row[k].said, row[k].more);
  q.gap = -0.2;
  write_mesh(folder, &q);
  app_refuses(folder, HEAD HELD "]\ncontact: [{on: b, against: a}]\n", "'b' and 'a' overlap by 0.2 at the start",
              "'interference: 0.2' where they are to be fitted");
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(constant_pressure_passes),
                                     cmocka_unit_test(pressure_is_known_on_an_axis),
                                     cmocka_unit_test(nodes_are_open_or_closed),
                                     cmocka_unit_test(equal_bodies_meet_in_a_plane),
                                     cmocka_unit_test(interference_grows_over_the_first_step),
                                     cmocka_unit_test(metals_are_pressed_and_let_go),
                                     cmocka_unit_test(far_nodes_do_not_pass_silently),
                                     cmocka_unit_test(a_block_slides_far),
                                     cmocka_unit_test(sliding_goes_on_with_the_same_bits),
                                     cmocka_unit_test(a_stamp_slides_over_rubber),
                                     cmocka_unit_test(what_holds_nothing_is_told),
                                     cmocka_unit_test(wrong_use_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
