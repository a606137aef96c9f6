/* A sphere pressed onto a block of its own material and pushed along it, in space: pressure of Hertz, traction and what sticks of
 * Mindlin (Compliance of elastic bodies in contact, Journal of Applied Mechanics 16, 1949). */
#include "tests/app/scratch.h"
#include "tests/assembly/two_blocks.h"

#include <math.h>
#include <stdio.h>

enum { STRIP = 8, BESIDE = 5, N = STRIP + BESIDE };
static const double HALF = 0.48, SIDE = 4, RADIUS = 10, YOUNG = 200e3, POISSON = 0.3, FRICTION = 0.2;

/* Sizes that grow by a factor from h (or behind h) on, n of them until `end`. */
static double grown(double h, int n, double end) {
  double low = 1 + 1e-6, high = 8;
  for (int k = 0; k < 100; ++k) {
    const double q = 0.5 * (low + high), sum = h * (pow(q, n) - 1) / (q - 1);
    if (sum > end) high = q;
    else low = q;
  }
  return low;
}

/* Place i of the nodes away from the contact: `even` equal elements, then growing ones. */
static double place(int i, int even, double h, int n) {
  const double q = grown(even ? h * 1.5 : h, n, SIDE - even * h);
  return i <= even ? i * h : even * h + (even ? h * 1.5 : h) * (pow(q, i - even) - 1) / (q - 1);
}

static void write_mesh(const char *folder) {
  const TwoBlocks q = {.kind = {ELEMENT_HEX8, ELEMENT_HEX8}, .n = {{2 * N, N, BESIDE}, {2 * N, N, BESIDE}}, .order = 1};
  const double h = HALF / STRIP;
  Mesh *mesh = two_blocks(&q);
  bool upper[2 * (2 * N + 1) * (N + 1) * (BESIDE + 1)] = {false};
  assert_true(mesh->n_node == sizeof upper / sizeof *upper);
  for (int32_t e = 0; e < mesh->n_element; ++e) {
    const int32_t *nodes = mesh_nodes_of(mesh, e);
    if (mesh_block_of(mesh, e)->kind != ELEMENT_HEX8) continue;
    for (int a = 0; a < 8; ++a) upper[nodes[0]] |= mesh->x[nodes[a]][2] > 1e-6;
    for (int a = 1; a < 8; ++a) upper[nodes[a]] |= upper[nodes[0]];
  }
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    double *x = mesh->x[i];
    const int at[3] = {(int)lround(2 * N * x[0]) - N, (int)lround(N * x[1]), (int)lround(BESIDE * fabs(x[2]))};
    x[0] = (at[0] < 0 ? -1 : 1) * place(abs(at[0]), STRIP, h, BESIDE), x[1] = place(at[1], STRIP, h, BESIDE);
    x[2] = place(at[2], 0, 0.8 * h, BESIDE);
    if (upper[i]) x[2] += (x[0] * x[0] + x[1] * x[1]) / (2 * RADIUS) * (1 - x[2] / SIDE);
    else x[2] = -x[2];
  }
  assert_ok(mesh_write_h5(mesh, scratch_path(folder, "two.h5")));
  mesh_destroy(&mesh);
}

static void inner_part_sticks(void **state) {
  (void)state;
  static const char text[] =
      "version: 1\nphysics: elasticity\nmesh: {file: two.h5}\nmodel: 3d\nmaterials: [{on: body, young: 200e3, poisson: "
      "0.3}]\nboundary: [{on: bottom, fix: all}, {on: y0, symmetry: true}, {on: top, fix: {x: '0.0022*max(0, t - 1)', "
      "y: 0, z: '-0.018*min(1, t)'}}]\ncontact: [{on: a, against: b, friction: 0.2}]\ntime: {end: 2, step: 1}\n"
      "output: {fields: [displacement], probes: [{name: p, at: [0, 0, 0], field: contact-pressure}, {name: q, at: [0, "
      "0, 0], field: stress-xz}], sums: [{name: n, on: a, field: contact-force}]}\n";
  char *folder = scratch_create();
  double v[6];
  write_mesh(folder);
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
  scratch_last_row(folder, 6, v);
  const double P = 2 * fabs(v[5]), Q = 2 * fabs(v[3]), stiff = YOUNG / (2 * (1 - POISSON * POISSON));
  const double a = cbrt(3 * P * RADIUS / (4 * stiff)), p = 3 * P / (2 * acos(-1) * a * a);
  const double inner = cbrt(1 - Q / (FRICTION * P));
  assert_true(inner > 0.6 && inner < 0.8);
  assert_relative(v[1], p, 0.012);
  assert_relative(v[2], FRICTION * p * (1 - inner), 0.01);
  const double area = scratch_reported(folder, "stick") / scratch_reported(folder, "closed");
  assert_within(sqrt(area), inner, 0.03); /* as far as nodes tell */
  assert_true(scratch_reported(folder, "linear_solves") <= 24);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(inner_part_sticks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
