/* Edges of bodies that slide far: forces are along the normal of the face that they are on, whichever of the two is `on`; and a side
 * between two edges that is too narrow for normals of its own is told. */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* A strip of 34 by 2 cells, 0.1 thick, over an edge of a table that turns down by 20 degrees. Columns of nodes along x, of strip and table;
 * `under`, `tail` and `head` of the strip, `top` and `foot` of the table. */
static void write_strip(const char *folder) {
  static const double TURN = 0.35, CELL = 0.05;
  enum { COLUMNS = 35, BACK = 24, ROWS = 3, STRIP = COLUMNS * ROWS };
  const double c = cos(TURN), d = sin(TURN), half = tan(TURN / 2);
  FILE *f = fopen(scratch_path(folder, "strip.msh"), "w");
  int e = 0;
  assert_non_null(f);
  fprintf(f,
          "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n7\n2 1 \"strip\"\n2 2 \"table\"\n1 3 \"under\"\n1 4 "
          "\"top\"\n1 5 \"foot\"\n1 6 \"tail\"\n1 7 \"head\"\n$EndPhysicalNames\n$Nodes\n%d\n",
          2 * STRIP);
  for (int body = 0; body < 2; ++body)
    for (int i = 0; i < COLUMNS; ++i)
      for (int j = 0; j < ROWS; ++j) {
        const double s = (body ? 1.9 : 1) * (i - BACK) * CELL, up = body ? 0 : 0.05 * j, x = s > 0 ? s * c : s,
                     y = s > 0 ? -s * d : 0;
        const double at[2] = {x + up * (s > 0 ? d : s < 0 ? 0 : half), y + up * (s > 0 ? c : 1)};
        fprintf(f, "%d %.17g %.17g 0\n", body * STRIP + i * ROWS + j + 1, at[0], body ? y - (y + 1) * j / 2 : at[1]);
      }
  fprintf(f, "$EndNodes\n$Elements\n%d\n", 2 * 2 * (COLUMNS - 1) + 3 * (COLUMNS - 1) + 4);
  for (int i = 0; i + 1 < COLUMNS; ++i) {
    const int a = i * ROWS
    +1, b = a + ROWS
    , t = a + STRIP, u = b + STRIP;
    for (int j = 0; j < 2; ++j) {
      fprintf(f, "%d 3 2 1 1 %d %d %d %d\n", ++e, a + j, b + j, b + j + 1, a + j + 1);
      fprintf(f, "%d 3 2 2 2 %d %d %d %d\n", ++e, t + j + 1, u + j + 1, u + j, t + j);
    }
    fprintf(f, "%d 1 2 3 3 %d %d\n%d 1 2 4 4 %d %d\n", e + 1, a, b, e + 2, t, u);
    fprintf(f, "%d 1 2 5 5 %d %d\n", e + 3, t + 2, u + 2), e += 3;
  }
  for (int j = 1; j < ROWS; ++j) {
    fprintf(f, "%d 1 2 6 6 %d %d\n", e + 1, j, j + 1);
    fprintf(f, "%d 1 2 7 7 %d %d\n", e + 2, STRIP - ROWS + j, STRIP - ROWS + j + 1), e += 2;
  }
  fprintf(f, "$EndElements\n");
  assert_int_equal(fclose(f), 0);
}

/* The strip is pulled over the edge: normals are those of where a step was to end, which drags. How much is told, and that it is less where
 * steps are shorter. */
static void what_drags_is_told(void **state) {
  (void)state;
  char *folder = scratch_create(), text[1200];
  write_strip(folder);
  for (int run = 0; run < 2; ++run) {
    snprintf(
        text, sizeof text,
        "version: 1\nphysics: elasticity\nmesh: {file: strip.msh}\nmodel: plane-strain\nstrain: finite\nmaterials: "
        "[{on: "
        "strip, type: neo-hooke, young: 1000, poisson: 0.3}, {on: table, type: neo-hooke, young: 1e5, poisson: "
        "0.3}]\nboundary: [{on: foot, fix: all}, {on: tail, traction: ['-10*min(1, 2*t)', 0]}, {on: tail, fix: {y: "
        "0}}, "
        "{on: head, fix: {x: '%g*max(0, t - 0.5)', y: '%g*max(0, t - 0.5)'}}]\ncontact: [{on: under, against: top, "
        "sliding: finite}]\ntime: {end: 1, step: %g}\noutput: {sums: [{name: f, on: under, field: contact-force}]}\n",
        0.3 * cos(0.35), -0.3 * sin(0.35), run ? 0.0125 : 0.1);
    Said said = app_run_says(folder, text);
    const char *found = strstr(said.err, "were dragged by up to ");
    const double part = found ? atof(found + strlen("were dragged by up to ")) : 0;
    if (said.code || (run ? found != NULL : !(part > 0.01 && part < 0.05))) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_edge_is_on_a_slope), cmocka_unit_test(what_drags_is_told),
                                     cmocka_unit_test(a_side_of_one_facet_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
