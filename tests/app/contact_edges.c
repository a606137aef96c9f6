/* Edges of bodies that slide far: forces are along the normal of the face that they are on, whichever of the two is `on`; and an edge
 * that lies in another one is told. */
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

/* A square in the corner of three others. */
static void write_corner(const char *folder) {
  scratch_write(folder, "corner.msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n8\n2 1 \"seat\"\n2 2 \"block\"\n1 3 \"floor\"\n"
                "1 4 \"inside\"\n1 5 \"under\"\n1 6 \"outside\"\n1 7 \"foot\"\n0 8 \"tip\"\n$EndPhysicalNames\n"
                "$Nodes\n12\n1 -1 -1 0\n2 0 -1 0\n3 1 -1 0\n4 -1 0 0\n5 0 0 0\n6 1 0 0\n7 -1 1 0\n8 0 1 0\n9 0 0 0\n"
                "10 1 0 0\n11 1 1 0\n12 0 1 0\n$EndNodes\n$Elements\n13\n1 3 2 1 1 1 2 5 4\n2 3 2 1 1 2 3 6 5\n"
                "3 3 2 1 1 4 5 8 7\n4 3 2 2 2 9 10 11 12\n5 1 2 3 3 5 6\n6 1 2 4 4 5 6\n7 1 2 4 4 5 8\n8 1 2 5 5 9 10\n"
                "9 1 2 6 6 9 10\n10 1 2 6 6 9 12\n11 1 2 7 7 1 2\n12 1 2 7 7 2 3\n13 15 2 8 8 11\n$EndElements\n");
}

/* Nodes of an edge that lies in another one would need two normals; that of a face on a face does not. */
static void an_edge_in_a_corner_is_told(void **state) {
  (void)state;
  static const char *const pair[] = {"on: outside, against: inside", "on: inside, against: outside",
                                     "on: under, against: floor"};
  char *folder = scratch_create(), text[600];
  write_corner(folder);
  for (int k = 0; k < 3; ++k) {
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: corner.msh}\nmodel: plane-strain\nmaterials: [{on: seat, young: "
        "1000, poisson: 0}, {on: block, young: 1000, poisson: 0}]\nboundary: [{on: foot, fix: all}, {on: tip, fix: {x: "
        "-0.001, y: -0.001}}]\ncontact: [{%s}]\n",
        pair[k]);
    Said said = app_run_says(folder, text);
    if (said.code) fail_msg("%s\n%s", text, said.err);
    const bool told = strstr(said.err, "faces one of") && strstr(said.err, "up to 45 degrees");
    if (told != (k < 2)) fail_msg("%s\n%s", pair[k], said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_edge_is_on_a_slope),
                                     cmocka_unit_test(an_edge_in_a_corner_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
