/* Fibres of atria by rule on half a tube, as a surface and with a wall, where directions are known by symmetry; what is refused. */
#include "app/fibers/atrium.h"
#include "core/memory.h"
#include "tests/app/axes.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 24, ALONG = 16, WALL = 2 };
static const double RADIUS = 10, THICK = 2, LENGTH = 20;

/* x of the box is the angle from -90 to 90 degrees, y the height, z the depth. */
static Mesh *half_tube(ElementKind kind) {
  Mesh *mesh = NULL;
  const bool flat = kind == ELEMENT_QUAD4 || kind == ELEMENT_TRI3 || kind == ELEMENT_TRI6;
  const BoxParams params = {.kind = kind, .n = {AROUND, ALONG, WALL}, .size = {1, 1, 1}};
  assert_ok(mesh_box(&params, &mesh));
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double angle = (mesh->x[i][0] - 0.5) * M_PI, r = RADIUS + THICK * mesh->x[i][2], z = LENGTH * mesh->x[i][1];
    mesh->x[i][0] = r * cos(angle), mesh->x[i][1] = r * sin(angle), mesh->x[i][2] = z;
  }
  mesh->in_space = flat;
  return mesh;
}

/* The facets of a group that lie on one side of the plane y = 0; element owned by the caller. */
static Group half_of(const Mesh *mesh, const Group *whole, double side) {
  static char name[] = "half";
  Group half = {.name = name, .dim = whole->dim};
  half.element = calloc((size_t)whole->n, sizeof *half.element);
  assert_non_null(half.element);
  for (int32_t k = 0; k < whole->n; ++k) {
    double y = 0;
    const int32_t e = whole->element[k], n = element_type(mesh_block_of(mesh, e)->kind)->n_node;
    for (int32_t a = 0; a < n; ++a) y += mesh->x[mesh_nodes_of(mesh, e)[a]][1];
    if (side * y > 0) half.element[half.n++] = e;
  }
  return half;
}

typedef struct Seen {
  int around, along, oblique; /* nodes whose fibres run so, within some degrees */
} Seen;

/* Of nodes with that many degrees of angle and heights between two: the fibre, which lies along the wall, and the sheet, across it. */
static Seen see(const Mesh *mesh, const LdrbFields *f, double angle, double within, double low, double high) {
  Seen seen = {0};
  for (int32_t i = 0; i < mesh->n_node; ++i) {
    const double *x = mesh->x[i], r = hypot(x[0], x[1]), *v = f->fiber[i], *s = f->sheet[i];
    const double around[3] = {-x[1] / r, x[0] / r, 0}, out[3] = {x[0] / r, x[1] / r, 0};
    assert_within(axes_dot(v, v), 1, 1e-12);
    assert_within(axes_dot(s, s), 1, 1e-12);
    assert_within(axes_dot(v, s), 0, 1e-9);
    assert_true(fabs(axes_dot(s, out)) > 0.99 && fabs(axes_dot(v, out)) < 0.1);
    if (fabs(atan2(x[1], x[0]) * 180 / M_PI - angle) > 1e-6 || x[2] < low || x[2] > high) continue;
    const bool is_around = fabs(axes_dot(v, around)) > cos(within * M_PI / 180),
               is_along = fabs(v[2]) > cos(within * M_PI / 180);
    seen.around += is_around, seen.along += is_along, seen.oblique += !is_around && !is_along;
  }
  return seen;
}

typedef struct Tube {
  Mesh *mesh;
  Group left, right; /* of the upper opening */
  AtriumParams params;
} Tube;

static void tube_of(ElementKind kind, bool right, Tube *out) {
  *out = (Tube){.mesh = half_tube(kind)};
  const Group *low = mesh_group(out->mesh, "y0"), *high = mesh_group(out->mesh, "y1");
  out->left = half_of(out->mesh, high, 1), out->right = half_of(out->mesh, high, -1);
  out->params = atrium_params_default();
  out->params.mesh = out->mesh, out->params.right = right;
  if (out->mesh->dim == 3)
    out->params.endo = mesh_group(out->mesh, "z0"), out->params.epi = mesh_group(out->mesh, "z1");
  if (right) {
    out->params.rim[RIM_TV] = low, out->params.rim[RIM_TOP] = high, out->params.septum[1] = 1;
    out->params.rim[RIM_IVC] = &out->left, out->params.rim[RIM_SVC] = &out->right,
    out->params.rim[RIM_RAA] = &out->right;
  } else out->params.rim[RIM_MV] = low, out->params.rim[RIM_LPV] = &out->left, out->params.rim[RIM_RPV] = &out->right;
}

static void tube_release(Tube *t) {
  free(t->left.element);
  free(t->right.element);
  mesh_destroy(&t->mesh);
}

/* Nodes of the middle line between two heights, through the wall. */
static int line_of(const Mesh *mesh, double low, double high) {
  int n = 0;
  for (int32_t i = 0; i < mesh->n_node; ++i)
    n += fabs(mesh->x[i][1]) < 1e-9 && mesh->x[i][2] >= low && mesh->x[i][2] <= high;
  return n;
}

/* What is prescribed of the solution from valve to veins. */
static void ends_of(const Tube *t, const LdrbFields *f) {
  for (int32_t i = 0; i < t->mesh->n_node; ++i) {
    const double *x = t->mesh->x[i];
    if (x[2] < 1e-9) assert_within(f->apicobasal[i], 1, 1e-9);
    if (x[2] > LENGTH - 1e-9 && fabs(x[1]) > 2) assert_within(f->apicobasal[i], x[1] > 0 ? 0 : 2, 1e-9);
  }
}

/* In the middle, at angle 0, solutions that are 0 at the left veins and 2, or 1, at the right ones only change along the circle, and the one
 * from the valve along the axis: beyond the bundle of the valve fibres are along the axis there, and in it around. Near the valve, where
 * the solution from valve to veins is held and that between the veins is not, these have fibres around, and along the axis. */
static void left_on(ElementKind kind) {
  Exec *exec = axes_cpu(1);
  Tube t;
  tube_of(kind, false, &t);
  LdrbFields f;
  assert_ok(atrium_create(exec, &t.params, &f));
  ends_of(&t, &f);
  const Seen low = see(t.mesh, &f, 0, 1, -1, 0.34 * LENGTH), high = see(t.mesh, &f, 0, 8, 0.4 * LENGTH, 0.6 * LENGTH);
  assert_int_equal(low.around, line_of(t.mesh, -1, 0.34 * LENGTH));
  assert_int_equal(high.along, line_of(t.mesh, 0.4 * LENGTH, 0.6 * LENGTH));
  assert_true(low.around > 2 && high.along > 2);
  for (int32_t i = 0; i < t.mesh->n_node; ++i) /* the solution from the valve is 1 - z over the length */
    if (t.mesh->x[i][2] <= 0.35 * LENGTH) assert_true(fabs(f.fiber[i][2]) < 0.02);
  for (int32_t i = 0; i < t.mesh->n_node && t.mesh->dim == 3; ++i) {
    const double depth = log(hypot(t.mesh->x[i][0], t.mesh->x[i][1]) / RADIUS) / log(1 + THICK / RADIUS);
    assert_within(f.transmural[i], depth, 2e-3);
  }
  ldrb_release(&f);
  t.params.bundle[TO_MV] = 2, t.params.bundle[TO_RPV] = 0.501; /* none, and all of the right half */
  assert_ok(atrium_create(exec, &t.params, &f));
  const Seen left = see(t.mesh, &f, 45, 20, -1, 1e-3), right = see(t.mesh, &f, -45, 8, -1, 1e-3);
  print_message("near the valve: left %d around, right %d along the axis\n", left.around, right.along);
  assert_true(left.around > 0 && left.along == 0 && right.along > 0 && right.around == 0);
  ldrb_release(&f);
  tube_release(&t);
  exec_destroy(&exec);
}

/* The node in the middle of the valve is one side's, as that between the veins is, so that all is off by half an element: 8 degrees are left for it. */
static void right_on(ElementKind kind) {
  Exec *exec = axes_cpu(1);
  Tube t;
  tube_of(kind, true, &t);
  LdrbFields f;
  t.params.bundle[TO_CT_MINUS] = -2, t.params.bundle[TO_CT_PLUS] = 2; /* all of the lateral wall is crista */
  assert_ok(atrium_create(exec, &t.params, &f));
  const Seen low = see(t.mesh, &f, 0, 8, -1, 0.09 * LENGTH), high = see(t.mesh, &f, 0, 8, 0.6 * LENGTH, 0.9 * LENGTH);
  assert_int_equal(low.around, line_of(t.mesh, -1, 0.09 * LENGTH));
  assert_int_equal(high.along, line_of(t.mesh, 0.6 * LENGTH, 0.9 * LENGTH));
  assert_true(low.around > 0 && high.along > 2);
  ldrb_release(&f);
  t.params.bundle[TO_CT_MINUS] = 1,
  t.params.bundle[TO_CT_PLUS] = 2; /* none is, and none is a vein: from valve to veins */
  t.params.bundle[TO_ICV] = 2, t.params.bundle[TO_SCV] = -2;
  assert_ok(atrium_create(exec, &t.params, &f));
  const Seen wall = see(t.mesh, &f, 90, 8, 0.6 * LENGTH, 0.9 * LENGTH);
  assert_int_equal(wall.oblique + wall.along, 0);
  ldrb_release(&f);
  tube_release(&t);
  exec_destroy(&exec);
}

static void left(void **state) {
  (void)state;
  static const ElementKind kind[] = {ELEMENT_QUAD4, ELEMENT_HEX8};
  for (int k = 0; k < 2; ++k) left_on(kind[k]);
}
static void right(void **state) {
  (void)state;
  static const ElementKind kind[] = {ELEMENT_QUAD4, ELEMENT_HEX8};
  for (int k = 0; k < 2; ++k) right_on(kind[k]);
}

static void refused(void **state) {
  (void)state;
  Exec *exec = axes_cpu(1);
  Tube t;
  tube_of(ELEMENT_QUAD4, false, &t);
  LdrbFields f;
  AtriumParams p = t.params;
  p.rim[RIM_LPV] = NULL;
  assert_fails(atrium_create(exec, &p, &f), ERR_INPUT, "need the group 'lpv', and it is not given");
  p = t.params, p.endo = mesh_group(t.mesh, "x0");
  assert_fails(atrium_create(exec, &p, &f), ERR_INPUT, "are of volumes, and this mesh has surfaces");
  p = t.params, p.right = true;
  assert_fails(atrium_create(exec, &p, &f), ERR_INPUT, "fibres of the right atrium by rule need the group 'tv'");
  t.mesh->in_space = false;
  assert_fails(atrium_create(exec, &t.params, &f), ERR_MESH, "this one is flat");
  tube_release(&t);
  tube_of(ELEMENT_HEX8, true, &t);
  t.params.septum[1] = 0;
  assert_fails(atrium_create(exec, &t.params, &f), ERR_INPUT, "need 'septum'");
  t.params.endo = NULL;
  assert_fails(atrium_create(exec, &t.params, &f), ERR_INPUT, "need 'endo' and 'epi'");
  tube_release(&t);
  exec_destroy(&exec);
}

/* Of a case: keys of the wrong rule, and one that runs on the atrium of the cases. */
static void in_a_case(void **state) {
  (void)state;
  char *folder = scratch_create();
#define SHEET(fibers)                                                                                                  \
  "version: 1\nmesh: {grid: [5, 5], size: [1, 1]}\nphysics: monodomain\ntissue: [{on: body, ionic: aliev-panfilov, "   \
  "diffusivity: {along: 0.2, across: 0.1}, fibers: {" fibers "}}]\ntime: {end: 1, step: 0.1}\n"
  app_refuses(folder, SHEET("rule: left-atrium, mv: y0, lpv: y1"), "rule left-atrium needs the key 'rpv'", "4:");
  app_refuses(folder, SHEET("rule: left-atrium, mv: y0, lpv: y1, rpv: x0, alpha: {endo: 60, epi: -60}"),
              "alpha belongs to 'rule: ldrb'", "this is rule left-atrium");
  app_refuses(folder, SHEET("rule: right-atrium, tv: y0, svc: y1, ivc: x0, raa: x1, top: x0"), "needs the key 'septum'",
              "a direction");
  app_refuses(folder, SHEET("direction: [1, 0], bundles: {mv: 0.5}"), "bundles belongs to 'rule: left-atrium' or",
              "right-atrium");
  app_refuses(folder, SHEET("rule: left-atrim, mv: y0"), "left-atrim", "left-atrium");
  scratch_remove(&folder);
}

/* Two surfaces in space, mirrored at x = 0, and a tree that begins in the middle between them. */
static void write_pair(const char *folder) {
  enum { SIDE = 16, LINES = 14, BYTES = 1 << 17 };
  const double h = 0.3;
  char *text = malloc(BYTES), *at = text;
  assert_non_null(text);
  at += sprintf(at,
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"left\"\n2 2 \"right\"\n"
                "$EndPhysicalNames\n$Nodes\n%d\n",
                2 * (SIDE + 1) * (SIDE + 1));
  for (int k = 0; k < 2 * (SIDE + 1) * (SIDE + 1); ++k) {
    const int i = k % (SIDE + 1), j = k / (SIDE + 1) % (SIDE + 1), right = k >= (SIDE + 1) * (SIDE + 1);
    const double x = 1.5 + h * i;
    at += sprintf(at, "%d %.17g %.17g %.17g\n", k + 1, right ? x : -x, h * j, 0.1 * x * x);
  }
  at += sprintf(at, "$EndNodes\n$Elements\n%d\n", 2 * SIDE * SIDE);
  for (int e = 0; e < 2 * SIDE * SIDE; ++e) {
    const int right = e >= SIDE * SIDE, i = e % SIDE, j = e / SIDE % SIDE,
              a = right * (SIDE + 1) * (SIDE + 1) + j * (SIDE + 1) + i + 1;
    at += sprintf(at, "%d 3 2 %d %d %d %d %d %d\n", e + 1, 1 + right, 1 + right, a, a + 1, a + SIDE + 2, a + SIDE + 1);
  }
  sprintf(at, "$EndElements\n");
  scratch_write(folder, "pair.msh", text);
  at = text;
  at += sprintf(at, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n1 0 2.4 0.5\n", LINES + 1);
  for (int k = 1; k <= LINES; ++k) { /* to the right by even numbers, to the left by odd ones */
    const double x = 1.8 * ((k + 1) / 2) / (LINES / 2);
    at += sprintf(at, "%d %.17g 2.4 %.17g\n", k + 1, k % 2 ? -x : x, 0.5 - 0.05 * x * x);
  }
  at += sprintf(at, "$EndNodes\n$Elements\n%d\n", LINES);
  for (int k = 1; k <= LINES; ++k) at += sprintf(at, "%d 1 2 1 1 %d %d\n", k, k > 2 ? k - 1 : 1, k + 1);
  sprintf(at, "$EndElements\n");
  scratch_write(folder, "bundle.msh", text);
  free(text);
}

/* A bundle of lines takes a front from one atrium to the other, either way alike; none does without it. */
static void joined_by_a_bundle(void **state) {
  (void)state;
#define PAIR(bundle, from, to)                                                                                         \
  "version: 1\nmesh: {file: pair.msh}\nphysics: monodomain\ntissue: [{on: [left, right], ionic: {model: "              \
  "courtemanche}, diffusivity: 0.2, thickness: 2}]\n" bundle "stimuli: [{on: {box: {min: [" from ", 0, 0], max: [" to  \
  ", 5, 9]}}, duration: 2, amplitude: 40}]\ntime: {end: 30, step: 0.1}\noutput: {every: 30, "                          \
  "probes: [{name: l, at: [-5.1, 2.4, 2.601], field: activation}, {name: r, at: [5.1, 2.4, 2.601], field: "            \
  "activation}]}\n"
#define BUNDLE                                                                                                         \
  "purkinje: [{name: bundle, file: bundle.msh, ionic: {model: courtemanche}, diffusivity: 0.4, radius: 1.2, "          \
  "junction: "                                                                                                         \
  "{resistance: 0.01, radius: 0.4}}]\n"
  char *folder = scratch_create();
  double there[3], back[3], none[3];
  write_pair(folder);
  app_runs(folder, PAIR(BUNDLE, "5.7", "6.5"));
  scratch_last_row(folder, 3, there);
  print_message("right at %g ms, left at %g ms\n", there[2], there[1]);
  app_runs(folder, PAIR(BUNDLE, "-6.5", "-5.7"));
  scratch_last_row(folder, 3, back);
  app_runs(folder, PAIR("", "5.7", "6.5"));
  scratch_last_row(folder, 3, none);
  assert_true(there[2] > 0 && there[1] > there[2] + 5);
  assert_relative(back[1], there[2], 1e-6);
  assert_relative(back[2], there[1], 1e-6);
  assert_true(none[2] > 0 && none[1] < 0);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(left), cmocka_unit_test(right), cmocka_unit_test(refused),
                                     cmocka_unit_test(in_a_case), cmocka_unit_test(joined_by_a_bundle)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
