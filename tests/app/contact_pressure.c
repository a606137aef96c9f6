/* Pressures where bodies touch at finite strain. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

#include <stdio.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pressure_is_of_the_area_as_it_is)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
