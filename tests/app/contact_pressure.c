/* Pressures where bodies touch at finite strain, and what touches at the start. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

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
  const char *words[] = {"check", scratch_path(folder, "case.yaml")};
  Said said = app_says_words(2, words);
  static const char *const says[] = {
      "b against a: 5 nodes within 0.2, 5 touch at the start; facets of 0.25",
      "bottom against its obstacle: 4 nodes, 0 touch at the start, the others are 0.25 away",
      "part 2 is held by what joins it to others alone"};
  for (size_t k = 0; k < sizeof says / sizeof *says; ++k)
    if (!strstr(said.out, says[k])) fail_msg("'%s' is not in\n%s\n%s", says[k], said.out, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pressure_is_of_the_area_as_it_is),
                                     cmocka_unit_test(check_says_what_touches)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
