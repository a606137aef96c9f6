/* Pressures where bodies touch, at finite strain and on bent faces, and what touches at the start. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bodies that get wider by some per cent: the pressure is the stress across, on two bodies and on an obstacle, around an axis too. */
static void pressure_is_of_the_area_as_it_is(void **state) {
  (void)state;
  char text[1500];
  double v[4];
  char *folder = scratch_create();
  const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_TRI3}, .n = {{3, 2, 1}, {4, 2, 1}}, .order = 2};
  Mesh *mesh = two_blocks(&q);
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  for (int k = 0; k < 8; ++k) {
    const char *sides = k & 4 ? "sliding: finite, friction: 0" : "sliding: small";
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: %s\nstrain: finite\nsolver: {rtol: "
        "1e-12}\nmaterials: [{on: body, type: neo-hooke, young: 1000, poisson: 0.3}]\nboundary: [%s{on: top, fix: {y: "
        "-0.2}}, {on: x0, fix: {x: 0}}]\ncontact: [{on: b, against: a, %s}%s]\ntime: {end: 1, step: 0.25}\noutput: "
        "{probes: [{name: p, at: [0.5, %d], field: contact-pressure}, {name: s, at: [0.5, -0.5], field: stress-yy}, "
        "{name: x, at: [0.5, 0.5], field: stress-xx}]}\n",
        k & 1 ? "axisymmetric" : "plane-strain", k & 2 ? "" : "{on: bottom, fix: {y: 0}}, ", sides,
        k & 2 ? ", {on: bottom, against: {plane: {at: [0, -1], normal: [0, 1]}}}" : "", k & 2 ? -1 : 0);
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
    scratch_last_row(folder, 4, v);
    assert_true(v[1] > 100);
    assert_relative(v[1], -v[2], 1e-7);
    assert_within(v[3], 0, 1e-5);
  }
  scratch_remove(&folder);
}

/* Blocks bent to an eighth of a tube, radii 10 to 25, and of a hub, 25 to 50. */
static void write_tubes(const char *folder, const TwoBlocks *q) {
  Mesh *mesh = two_blocks(q);
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    const double turn = 0.25 * acos(-1) * x[0], r = 25 + (x[2] < 0 ? 15 : 25) * x[2];
    x[0] = r * sin(turn), x[2] = r * cos(turn), x[1] *= 6;
  }
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
}

/* Lame: the interference is the same along all normals, at ends of edges and between them. */
static void a_press_fit_has_its_pressure(void **state) {
  (void)state;
  char text[3000], *folder = scratch_create();
  const double modulus = 1000 / (1 - 0.09), ratio = 0.3 / 0.7;
  const double p = 0.025 * modulus / 25 / ((3125.0 / 1875 + ratio) + (725.0 / 525 - ratio));
  const TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_HEX8}, .n = {{8, 2, 4}, {10, 1, 4}}, .order = 2, .gap = 4e-5};
  write_tubes(folder, &q);
  for (int side = 0; side < 2; ++side) {
    double v[24];
    const int32_t nodes = 2 * q.n[side][0];
    int n = snprintf(text, sizeof text,
                     "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: 3d\nmaterials: [{on: body, young: "
                     "1000, poisson: 0.3}]\nboundary: [{on: x0, symmetry: true}, {on: x1, symmetry: true}, {on: y0, "
                     "symmetry: true}, {on: y1, symmetry: true}]\ncontact: [{on: %s, against: %s, interference: "
                     "0.025}]\noutput: {probes: [",
                     side ? "b" : "a", side ? "a" : "b");
    for (int32_t i = 0; i <= nodes; ++i) {
      const double turn = 0.25 * acos(-1) * i / nodes, r = 25 * (1 + side * q.gap);
      n += snprintf(text + n, sizeof text - (size_t)n, "{name: p%d, at: [%.17g, 0, %.17g], field: contact-pressure}, ",
                    i, r * sin(turn), r * cos(turn));
    }
    snprintf(text + n, sizeof text - (size_t)n, "]}\n");
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
    scratch_last_row(folder, nodes + 2, v);
    for (int32_t i = 0; i <= nodes; ++i) assert_relative(v[1 + i], p, 1e-3);
  }
  scratch_remove(&folder);
}

/* Nodes of both bodies in one place: a probe there has what the surface `on` knows, whichever comes first in the mesh. */
static void probes_find_the_surface(void **state) {
  (void)state;
  char text[900], *folder = scratch_create();
  const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{2, 2, 1}, {4, 2, 1}}, .order = 1};
  Mesh *mesh = two_blocks(&q);
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  for (int side = 0; side < 2; ++side) {
    double v[4];
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: plane-strain\nmaterials: [{on: body, young: "
        "1000, poisson: 0}]\nboundary: [{on: bottom, fix: all}, {on: x0, symmetry: true}, {on: top, pressure: 5}]\n"
        "contact: [{on: %s, against: %s}]\noutput: {probes: [{name: p, at: [0.5, 0], field: contact-pressure}, {name: "
        "s, at: [0.5, 0], field: contact-status}, {name: u, at: [0.5, 0], field: displacement-y}]}\n",
        side ? "b" : "a", side ? "a" : "b");
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
    scratch_last_row(folder, 4, v);
    assert_relative(v[1], 5, 1e-8);
    assert_within(v[2], 1, 0);
    assert_relative(v[3], -5e-3, 1e-8);
  }
  scratch_remove(&folder);
}

/* What is left of the pressure within the elements beside it is told, and nothing of it elsewhere. */
static void probes_off_the_surface_are_told(void **state) {
  (void)state;
  static const struct Row {
    double y;
    int code;
    const char *says, *field;
  } row[] = {{-1e-9, 0, NULL, "contact-force-y"},
             {0.4, 3, "probe 'p' of contact-force-y lies on no surface of contact", "contact-force-y"},
             {0.005, 0, NULL, "contact-pressure"},
             {0.1, 0, "probe 'p' lies beside the surface of contact, and shows 0.8 of its contact-pressure",
              "contact-pressure"},
             {0.4, 3, "probe 'p' of contact-pressure lies on no surface of contact", "contact-pressure"},
             {-0.6, 3, "probe 'p' of contact-pressure lies on no surface of contact", "contact-pressure"}};
  char text[700], *folder = scratch_create();
  const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{2, 2, 1}, {4, 2, 1}}, .order = 1};
  Mesh *mesh = two_blocks(&q);
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: plane-strain\nmaterials: [{on: body, young: "
        "1000, poisson: 0}]\nboundary: [{on: bottom, fix: all}, {on: x0, symmetry: true}, {on: top, pressure: "
        "5}]\ncontact: [{on: b, against: a}]\noutput: {probes: [{name: p, at: [0.5, %g], field: "
        "%s}]}\n",
        row[k].y, row[k].field);
    Said said = app_run_says(folder, text);
    if (said.code != row[k].code || (row[k].says ? !strstr(said.err, row[k].says) : strstr(said.err, "probe") != NULL))
      fail_msg("%s\n%s", text, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Whichever of its neighbours are in the group, a surface bears its own force, and sums of groups that are no part of one are refused. */
static void sums_are_of_their_facets(void **state) {
  (void)state;
  static const char *const on[] = {"b", "a", "[b, x1]", "body", "x1"};
  char text[700], *folder = scratch_create();
  const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{2, 2, 1}, {4, 2, 1}}, .order = 1};
  Mesh *mesh = two_blocks(&q);
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  for (int k = 0; k < 5; ++k) {
    double v[3];
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: plane-strain\nmaterials: [{on: body, young: "
        "1000, poisson: 0}]\nboundary: [{on: bottom, fix: all}, {on: x0, symmetry: true}, {on: top, pressure: "
        "5}]\ncontact: [{on: b, against: a}]\noutput: {sums: [{name: f, on: %s, field: contact-force}], tables: [{on: "
        "%s, field: contact-pressure}]}\n",
        on[k], k ? "b" : "x1");
    if (k == 4) {
      app_refuses(folder, text, "sum 'f' of contact-force is over 'x1', which is in no contact", "'against' of");
      continue;
    }
    Said said = app_run_says(folder, text);
    if (said.code || !strstr(said.err, "lists zeros") != (k > 0)) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
    scratch_last_row(folder, 3, v);
    assert_within(v[1], 0, 1e-9);
    assert_within(v[2], k == 1 ? -5 : k == 3 ? 0 : 5, 1e-7);
  }
  scratch_remove(&folder);
}

/* Sides that a plane of symmetry holds, or nothing, share nodes with the one on an obstacle, which alone bears the load: without friction and
 * with it. */
static void reactions_are_of_their_sides(void **state) {
  (void)state;
  char text[900], *folder = scratch_create();
  for (int run = 0; run < 4; ++run) {
    double v[13];
    snprintf(text, sizeof text,
             "version: 1\nphysics: elasticity\nmesh: {grid: [4, 3, 3], size: [1, 1, 0.5], order: %d}\nmodel: "
             "3d\nmaterials: [{on: body, young: 1000, poisson: 0.3}]\nboundary: [{on: x0, symmetry: true}, {on: y0, "
             "symmetry: true}, {on: z1, pressure: 1}]\ncontact: [{on: z0, against: {plane: {at: [0, 0, 0], normal: [0, "
             "0, 1]}}%s}]\noutput: {sums: [{name: a, on: x0, field: reaction}, {name: b, on: x1, field: reaction}, "
             "{name: c, on: z0, field: reaction}, {name: m, on: x1, field: moment, about: [0, 0, 0]}]}\n",
             1 + run / 2, run % 2 ? ", friction: 0.2" : "");
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
    scratch_last_row(folder, 13, v);
    assert_within(v[1] + v[7], 0, 1e-6); /* what friction puts on the plane, the plane of symmetry bears */
    if (run % 2 == 0) assert_within(v[1], 0, 1e-6);
    assert_within(v[3], 0, 1e-6);
    for (int k = 4; k < 7; ++k) assert_within(v[k], 0, 1e-6);
    assert_within(v[9], 1, 1e-6);
    for (int k = 10; k < 13; ++k) assert_within(v[k], 0, 1e-6);
  }
  scratch_remove(&folder);
}

/* Blocks on each other, and one above a plane. */
static void check_says_what_touches(void **state) {
  (void)state;
  char *folder = scratch_create();
  const TwoBlocks q = {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{3, 2, 1}, {4, 2, 1}}, .order = 1};
  Mesh *mesh = two_blocks(&q);
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  scratch_write(folder, "case.yaml",
                "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: plane-strain\nmaterials: [{on: body, "
                "young: 1000, poisson: 0.3}]\nboundary: [{on: top, pressure: 1}]\ncontact: [{on: b, against: a, reach: "
                "0.2}, {on: bottom, against: {plane: {at: [0, -1.25], normal: [0, 1], move: [0, 0.3]}}}]\n");
  const char *words[] = {"check", scratch_path(folder, "case.yaml"), "--draw", scratch_path(folder, "drawn")};
  const char *info[] = {"info", scratch_path(folder, "drawn/results.hdf")};
  static const char *const says[] = {
      "b against a: 5 nodes within 0.2, 5 touch at the start; facets of 0.25",
      "bottom against its obstacle: 4 nodes, 0 touch at the start, the others are 0.25 away",
      "part 2 (around (0.5, 0.5, 0), groups body) is held by what joins it to others alone, by contact where that is "
      "closed: 5 nodes at the start",
      "part 1 (around (0.5, -0.5, 0), groups body) is held by what joins it to others alone"};
  static const char *const fields[] = {"contact [1], on nodes", "contact-gap [1]", "held-by-contact [1]", "part [1]"};
  Said said = app_says_words(4, words);
  for (size_t k = 0; k < sizeof says / sizeof *says; ++k)
    if (!strstr(said.out, says[k])) fail_msg("'%s' is not in\n%s\n%s", says[k], said.out, said.err);
  said_release(&said);
  said = app_says_words(2, info);
  for (size_t k = 0; k < sizeof fields / sizeof *fields; ++k)
    if (!strstr(said.out, fields[k])) fail_msg("'%s' is not in\n%s\n%s", fields[k], said.out, said.err);
  said_release(&said);
  const char *far[] = {"check", words[1], "--set", "contact.0.interference=0.3"};
  said = app_says_words(4, far);
  if (said.code || !strstr(said.err, "interference is 0.3, 1.2 times the size of the facets of 'b'"))
    fail_msg("%d %s", said.code, said.err);
  said_release(&said);
  said = app_says_words(4, words);
  assert_int_equal(said.code, 5); /* there is one */
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pressure_is_of_the_area_as_it_is), cmocka_unit_test(a_press_fit_has_its_pressure),
      cmocka_unit_test(probes_find_the_surface),          cmocka_unit_test(probes_off_the_surface_are_told),
      cmocka_unit_test(sums_are_of_their_facets),         cmocka_unit_test(reactions_are_of_their_sides),
      cmocka_unit_test(check_says_what_touches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
