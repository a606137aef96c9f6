/* Edges of bodies that slide far: forces are along the normal of the face that they are on, whichever of the two is `on`; and a side
 * between two edges that is too narrow for normals of its own is told. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* A square in a slot of five others, with a wall at its left and at its right. */
static void write_slot(const char *folder) {
  scratch_write(
      folder, "slot.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n12\n2 1 \"seat\"\n2 2 \"block\"\n1 3 \"floor\"\n1 4 "
      "\"corner\"\n1 5 \"slot\"\n1 6 \"under\"\n1 7 \"beside\"\n1 8 \"around\"\n1 9 \"foot\"\n1 10 \"lid\"\n1 11 "
      "\"left\"\n1 12 \"right\"\n$EndPhysicalNames\n$Nodes\n16\n1 -1 -1 0\n2 0 -1 0\n3 1 -1 0\n4 2 -1 0\n5 -1 0 0\n6 0 "
      "0 0\n7 1 0 0\n8 2 0 0\n9 -1 1 0\n10 0 1 0\n11 1 1 0\n12 2 1 0\n13 0 0 0\n14 1 0 0\n15 1 1 0\n16 0 1 "
      "0\n$EndNodes\n$Elements\n24\n1 3 2 1 1 1 2 6 5\n2 3 2 1 1 2 3 7 6\n3 3 2 1 1 3 4 8 7\n4 3 2 1 1 5 6 10 9\n5 3 2 "
      "1 1 7 8 12 11\n6 3 2 2 2 13 14 15 16\n7 1 2 3 3 6 7\n8 1 2 4 4 6 7\n9 1 2 4 4 6 10\n10 1 2 5 5 6 7\n11 1 2 5 5 "
      "6 10\n12 1 2 5 5 7 11\n13 1 2 6 6 13 14\n14 1 2 7 7 13 14\n15 1 2 7 7 13 16\n16 1 2 8 8 13 14\n17 1 2 8 8 13 "
      "16\n18 1 2 8 8 14 15\n19 1 2 9 9 1 2\n20 1 2 9 9 2 3\n21 1 2 9 9 3 4\n22 1 2 10 10 15 16\n23 1 2 11 11 13 "
      "16\n24 1 2 12 12 14 15\n$EndElements\n");
}

/* An edge in a corner has a normal for each side where these go on beside it (tests/app/contact_corners.c); a face between two edges
 * that is one facet wide has no node for its own. In two entries such nodes are refused. */
static void a_side_of_one_facet_is_told(void **state) {
  (void)state;
  static const char *const pair[] = {"on: around, against: slot", "on: slot, against: around",
                                     "on: beside, against: corner", "on: corner, against: beside",
                                     "on: under, against: floor"};
  char *folder = scratch_create(), text[600];
  write_slot(folder);
  for (int k = 0; k < 6; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: slot.msh}\nmodel: plane-strain\nmaterials: [{on: seat, young: "
        "1000, poisson: 0}, {on: block, young: 1000, poisson: 0}]\nboundary: [{on: foot, fix: all}, {on: lid, "
        "spring: 1}]\ncontact: [{%s}]\n",
        k < 5 ? pair[k] : "on: under, against: floor}, {on: left, against: slot}, {on: right, against: slot");
    if (k == 5) {
      app_refuses(folder, text, "one of them has no other node near it", "a finer mesh there");
      continue;
    }
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), NULL);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    const bool told = strstr(said.err, "faces one of") && strstr(said.err, "2 nodes, the first at");
    if (told != (k < 2)) fail_msg("%s\n%s", pair[k], said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_edge_is_on_a_slope),
                                     cmocka_unit_test(a_side_of_one_facet_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
