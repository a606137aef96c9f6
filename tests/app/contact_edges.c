/* Edges of bodies that slide far: forces are along the normal of the face that they are on, whichever of the two is `on`. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

#include <math.h>
#include <stdio.h>

static const double SLOPE = 0.1;
static const double DENT = 0.012; /* by which the edge, 0.004 deep over facets of 0.2 to 0.4, turns the slope */

/* A table three times as long as the block on it, which rises by SLOPE, so that the block is on its front edge. */
static int write_slope(const char *folder, const TwoBlocks *q) {
  Mesh *mesh = two_blocks(q);
  const int up = mesh->dim - 1;
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    if (x[up] > 1e-9) x[up] -= q->gap;
    else x[0] = 3 * x[0] - 0.2, x[up] += SLOPE * (x[0] - 1);
  }
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
  return up + 1;
}

/* The block is pressed on the slope and pushed up it, by up to a facet a step, without friction and with it. */
static void an_edge_is_on_a_slope(void **state) {
  (void)state;
  static const TwoBlocks blocks[] = {
      {.kind = {ELEMENT_QUAD4, ELEMENT_QUAD4}, .n = {{17, 3, 1}, {4, 3, 1}}, .order = 1, .gap = 0.001},
      {.kind = {ELEMENT_TRI3, ELEMENT_QUAD4}, .n = {{9, 3, 1}, {3, 2, 1}}, .order = 2, .gap = 0.001},
      {.kind = {ELEMENT_HEX8, ELEMENT_HEX8}, .n = {{8, 1, 1}, {3, 1, 2}}, .order = 1, .gap = 0.001}};
  char *folder = scratch_create(), text[1500];
  for (int run = 0; run < 12; ++run) {
    const int dim = write_slope(folder, &blocks[run / 4]), exchanged = run / 2 % 2;
    const double mu = run % 2 ? 0.2 : 0;
    const char *last = dim == 3 ? "z" : "y", *side = dim == 3 ? ", y: 0" : "";
    double v[4];
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: %s\nstrain: finite\nmaterials: [{on: body, "
        "type: neo-hooke, young: 1000, poisson: 0}]\nboundary: [{on: bottom, fix: all}, {on: top, fix: {x: "
        "'0.8*max(0, t - 0.2)'%s, %s: '-0.004*min(1, 5*t) + %g*max(0, t - 0.2)'}}]\ncontact: [{on: %s, against: %s, "
        "sliding: finite, friction: %g}]\ntime: {end: 1.2, step: 0.2}\noutput: {sums: [{name: b, on: b, field: "
        "contact-force}]}\n",
        dim == 3 ? "3d" : "plane-strain", side, last, 0.8 * SLOPE, exchanged ? "a" : "b", exchanged ? "b" : "a", mu);
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
    scratch_last_row(folder, 1 + dim, v);
    const double got = -v[1] / v[dim], expected = tan(atan(SLOPE) + atan(mu));
    if (!(v[dim] > 0.01 && fabs(got - expected) < DENT)) fail_msg("%g for %g of %g\n%s", got, expected, v[dim], text);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_edge_is_on_a_slope)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
