/* Bolts: a shank and a sleeve side by side between a foot and a rigid top, which share forces by their stiffness; shanks askew
 * between planes of symmetry; elements of all kinds; and what is refused. */
#include "mesh/mesh.h"
#include "tests/app/scratch.h"
#include "tests/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 2 };
static uint64_t seed = 417;

static const double HEIGHT = 4, PRELOAD = 30, PULL = 12, YOUNG[PARTS] = {2000, 500}, WIDTH[PARTS] = {1, 2};
static double stiffness(int part) { return YOUNG[part] * WIDTH[part] / HEIGHT; }

/* Group numbers of the file; the first two are the parts. */
enum { BOLT = 1, SLEEVE, CUT, FOOT, TOP, SIDE, FRONT };
static const char NAMES[] = "$PhysicalNames\n7\n%d 1 \"bolt\"\n%d 2 \"sleeve\"\n%d 3 \"cut\"\n%d 4 \"foot\"\n%d 5 "
                            "\"top\"\n%d 6 \"side\"\n%d 7 \"front\"\n$EndPhysicalNames\n";

typedef struct Text {
  char *at;
  size_t n, room;
} Text;

static void say(Text *t, const char *word, int64_t a) {
  char text[64];
  const int n = word ? snprintf(text, sizeof text, "%s", word) : snprintf(text, sizeof text, " %lld", (long long)a);
  if (t->n + (size_t)n + 1 > t->room) t->at = realloc(t->at, t->room = 2 * t->room + 4096);
  assert_non_null(t->at);
  memcpy(t->at + t->n, text, (size_t)n + 1);
  t->n += (size_t)n;
}

/* All nodes at this coordinate, or none is wanted. */
static bool lies_on(const Mesh *m, int32_t n, const int32_t *nodes, int d, double at) {
  bool all = true;
  for (int32_t a = 0; a < n; ++a) all = all && fabs(m->x[nodes[a]][d] - at) < 1e-9;
  return all;
}

static int group_of_facet(const Mesh *m, int32_t n, const int32_t *nodes) {
  const int up = m->dim - 1;
  if (lies_on(m, n, nodes, up, 0)) return FOOT;
  if (lies_on(m, n, nodes, up, HEIGHT)) return TOP;
  if (lies_on(m, n, nodes, up, HEIGHT / 2)) return CUT;
  if (lies_on(m, n, nodes, 0, 0)) return SIDE;
  return m->dim == 3 && lies_on(m, n, nodes, 1, 0) ? FRONT : 0;
}

static void say_element(Text *t, int64_t *n, const ElementType *type, int group, const int32_t *nodes,
                        const int32_t *local, int32_t before) {
  say(t, NULL, ++*n), say(t, NULL, type->gmsh_type), say(t, NULL, 2), say(t, NULL, group), say(t, NULL, group);
  for (int32_t a = 0; a < type->n_node; ++a) say(t, NULL, before + 1 + nodes[local ? local[a] : a]);
  say(t, "\n", 0);
}

/* Elements of a box, and facets of groups: of the cut the lower ones alone, and none of the sleeve. */
static void say_box(Text *t, int64_t *n, const Mesh *m, int part, int32_t before) {
  for (int32_t e = 0; e < m->n_element; ++e) {
    const ElementType *type = element_type(mesh_block_of(m, e)->kind);
    const int32_t *nodes = mesh_nodes_of(m, e);
    double middle = 0;
    if (type->dim < m->dim) continue;
    for (int32_t a = 0; a < type->n_vertex; ++a) middle += m->x[nodes[a]][m->dim - 1] / type->n_vertex;
    say_element(t, n, type, BOLT + part, nodes, NULL, before);
    for (int32_t f = 0; f < type->n_face; ++f) {
      const ElementType *facet = element_type(type->face[f].kind);
      int32_t of[ELEMENT_MAX_FACE_NODES];
      for (int32_t a = 0; a < facet->n_node; ++a) of[a] = nodes[type->face[f].nodes[a]];
      const int group = group_of_facet(m, facet->n_node, of);
      if (group && !(group == CUT && (part || middle > HEIGHT / 2)))
        say_element(t, n, facet, group, nodes, type->face[f].nodes, before);
    }
  }
}

/* Boxes one beside the other, turned by the columns of R. */
static void write_mesh(const char *path, const ElementKind kind[PARTS], int n_part, int32_t order,
                       const double R[3][3]) {
  Text element = {0};
  Mesh *box[PARTS] = {NULL};
  int64_t n_element = 0, n_node = 0;
  for (int k = 0; k < n_part; ++k) {
    Mesh *plain = NULL;
    const int32_t dim = element_type(kind[k])->dim;
    BoxParams params = {
        .kind = kind[k], .n = {1 + k, dim == 3 ? 2 : 4 - 2 * k, 4 - 2 * k}, .size = {WIDTH[k], 1, HEIGHT}};
    if (dim == 2) params.size[1] = HEIGHT;
    assert_ok(mesh_box(&params, &plain));
    if (order > 1) assert_ok(mesh_elevate(plain, true, &box[k]));
    else box[k] = plain, plain = NULL;
    mesh_destroy(&plain);
    say_box(&element, &n_element, box[k], k, (int32_t)n_node);
    n_node += box[k]->n_node;
  }
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  const int d = box[0]->dim, s = d - 1;
  fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
  fprintf(file, NAMES, d, d, s, s, s, s, s);
  fprintf(file, "$Nodes\n%lld\n", (long long)n_node);
  for (int k = 0, i = 0; k < n_part; ++k)
    for (int32_t j = 0; j < box[k]->n_node; ++j) {
      double x[3] = {0}, from[3] = {box[k]->x[j][0] + 1.5 * k, box[k]->x[j][1], box[k]->x[j][2]};
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) x[a] += R[a][b] * from[b];
      fprintf(file, "%d %.17g %.17g %.17g\n", ++i, x[0], x[1], x[2]);
    }
  fprintf(file, "$EndNodes\n$Elements\n%lld\n%s$EndElements\n", (long long)n_element, element.at);
  fclose(file);
  free(element.at);
  for (int k = 0; k < n_part; ++k) mesh_destroy(&box[k]);
}

static const double STRAIGHT[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Row `row` of the columns `force` and `longer` of probes.csv. */
static void row_of(const char *folder, int row, double value[3]) {
  char line[512] = "";
  FILE *file = fopen(scratch_path(folder, "results/probes.csv"), "r");
  assert_non_null(file);
  for (int k = 0; k <= row + 1; ++k) assert_non_null(fgets(line, sizeof line, file));
  fclose(file);
  assert_int_equal(sscanf(line, "%*[^,],%lf,%lf,%lf", &value[0], &value[1], &value[2]), 3);
}

static const char OUTPUT[] =
    "output: {fields: [displacement], sums: [{name: force, on: cut, field: bolt-force}, {name: longer, on: "
    "cut, field: bolt-elongation}, {name: foot, on: foot, field: reaction}]}\n";

static void run(const char *folder, const char *text) {
  Said said = app_run_says(folder, text);
  if (said.code) fail_msg("%s\n%s", text, said.err);
  said_release(&said);
}

static void parallel_text(char text[4096], int32_t dim, const char *bolts, const char *steps) {
  snprintf(
      text, 4096,
      "version: 1\nphysics: elasticity\nmesh: {file: two.msh}\nmodel: %s\nsolver: {rtol: 1e-12}\nmaterials: [{on: "
      "bolt, young: 2000, poisson: 0}, {on: sleeve, young: 500, poisson: 0}]\nboundary:\n  - {on: foot, fix: {x: 0, "
      "y: 0%s}}\n  - {on: top, rigid: {at: [0, 0%s], fix: {%s}}}\n%s%s%s",
      dim == 3 ? "3d" : "plane-stress", dim == 3 ? ", z: 0" : "", dim == 3 ? ", 4" : "",
      dim == 3 ? "x: 0, y: 0, rx: 0, ry: 0, rz: 0" : "x: 0, rz: 0", bolts, steps, OUTPUT);
}

static void pull_text(char text[512], int32_t dim, const char *more) {
  snprintf(text, 512,
           "steps:\n  - {name: tighten, end: 1, step: 0.5}\n  - {name: pull, end: 2, step: 0.5%s, boundary: [{on: top, "
           "rigid: "
           "{at: [0, 0%s], force: [%s%g]}}]}\n",
           more, dim == 3 ? ", 4" : "", dim == 3 ? "0, 0, " : "0, ", PULL);
}

/* Force and elongation of a shank of stiffness a beside a sleeve of stiffness b. */
static void assert_parallel(const char *folder) {
  const double a = stiffness(0), b = stiffness(1), longer = PRELOAD * (1 / a + 1 / b);
  double value[3];
  for (int row = 1; row <= 4; ++row) {
    const double part = fmin(1, 0.5 * row), pull = row > 2 ? PULL * 0.5 * (row - 2) : 0;
    row_of(folder, row, value);
    assert_within(value[0], part * PRELOAD + pull * a / (a + b), 1e-8 * PRELOAD);
    assert_within(value[1], part * longer, 1e-8 * longer);
  }
}

static void forces_divide_by_stiffness(void **state) {
  (void)state;
  static const struct Try {
    ElementKind kind[PARTS];
    int32_t order;
  } tries[] = {{{ELEMENT_HEX8, ELEMENT_HEX8}, 1},  {{ELEMENT_HEX8, ELEMENT_TET4}, 2},
               {{ELEMENT_TET4, ELEMENT_HEX8}, 2},  {{ELEMENT_WEDGE6, ELEMENT_HEX8}, 1},
               {{ELEMENT_QUAD4, ELEMENT_TRI3}, 2}, {{ELEMENT_TRI3, ELEMENT_QUAD4}, 1}};
  char *folder = scratch_create();
  char text[4096], steps[512];
  for (size_t k = 0; k < sizeof tries / sizeof *tries; ++k) {
    const int32_t dim = element_type(tries[k].kind[0])->dim;
    write_mesh(scratch_path(folder, "two.msh"), tries[k].kind, PARTS, tries[k].order, STRAIGHT);
    pull_text(steps, dim, k % 2 ? ", bolts: [{on: cut, lock: 1}]" : "");
    parallel_text(text, dim,
                  k % 2      ? "bolts: [{on: cut, preload: 30}]\n"
                  : dim == 3 ? "bolts: [{on: cut, axis: [0, 0, 2], preload: 30, lock: 1}]\n"
                             : "bolts: [{on: cut, axis: [0, -1], preload: 30, lock: 1}]\n",
                  steps);
    run(folder, text);
    assert_parallel(folder);
  }
  scratch_remove(&folder);
}

/* A bolt that is not locked bears its preload whatever pulls; one that is tightened again goes on from what it bears. */
static void preloads_stay_and_follow(void **state) {
  (void)state;
  static const ElementKind kind[PARTS] = {ELEMENT_QUAD4, ELEMENT_QUAD4};
  char *folder = scratch_create();
  char text[4096], steps[512];
  double value[3];
  write_mesh(scratch_path(folder, "two.msh"), kind, PARTS, 1, STRAIGHT);
  pull_text(steps, 2, "");
  parallel_text(text, 2, "bolts: [{on: cut, preload: 30}]\n", steps);
  run(folder, text);
  row_of(folder, 4, value);
  assert_within(value[0], PRELOAD, 1e-8 * PRELOAD);
  parallel_text(text, 2, "bolts: [{on: cut, preload: '30*min(t, 1)', lock: 1}]\n", "time: {end: 3, step: 0.5}\n");
  run(folder, text);
  row_of(folder, 1, value);
  assert_within(value[0], 0.5 * PRELOAD, 1e-8 * PRELOAD);
  parallel_text(text, 2, "bolts: [{on: cut, preload: '30*min(t, 1)', lock: 0.7}]\n", "time: {end: 3, step: 0.5}\n");
  run(folder, text); /* some step ends there */
  row_of(folder, 5, value);
  assert_within(value[0], 0.7 * PRELOAD, 1e-8 * PRELOAD);
  pull_text(steps, 2, ", bolts: [{on: cut, preload: 50}]");
  parallel_text(text, 2, "bolts: [{on: cut, preload: 30, lock: 1}]\n", steps);
  run(folder, text);
  row_of(folder, 3, value);
  assert_within(value[0], 40, 1e-8 * PRELOAD);
  row_of(folder, 4, value);
  assert_within(value[0], 50, 1e-8 * PRELOAD);
  parallel_text(text, 2, "bolts: [{on: cut, elongation: 0.18, lock: 1}]\n", steps);
  run(folder, text); /* by a length, then to a force */
  row_of(folder, 1, value);
  assert_within(value[0], 0.09 / (1 / stiffness(0) + 1 / stiffness(1)), 1e-8 * PRELOAD);
  row_of(folder, 4, value);
  assert_within(value[0], 50, 1e-8 * PRELOAD);
  scratch_remove(&folder);
}

static void draw_rotation(double R[3][3]) {
  double w[3], length = 0;
  for (int k = 0; k < 3; ++k) w[k] = draw_between(&seed, -1, 1), length += w[k] * w[k];
  const double angle = draw_between(&seed, 0.2, 1.3), s = sin(angle), c = cos(angle);
  for (int k = 0; k < 3; ++k) w[k] /= sqrt(length);
  const double W[3][3] = {{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R[i][j] = c * (i == j) + s * W[i][j] + (1 - c) * w[i] * w[j];
}

/* Planes of symmetry in any direction go through the cut; small and finite strain. */
static void shanks_lie_askew(void **state) {
  (void)state;
  static const ElementKind kinds[][PARTS] = {{ELEMENT_HEX8, 0}, {ELEMENT_TET4, 0}};
  char *folder = scratch_create();
  double R[3][3], value[3];
  char text[4096];
  for (int k = 0; k < 3; ++k) {
    draw_rotation(R);
    write_mesh(scratch_path(folder, "two.msh"), kinds[k % 2], 1, 1 + k % 2, R);
    snprintf(text, sizeof text,
             "version: 1\nphysics: elasticity\nmesh: {file: two.msh}\nmodel: 3d\n%ssolver: {rtol: 1e-12}\nmaterials: "
             "[{on: bolt, "
             "young: 2000, poisson: 0.3}]\nboundary:\n  - {on: foot, symmetry: true}\n  - {on: top, symmetry: true}\n  "
             "- {on: "
             "side, symmetry: true}\n  - {on: front, symmetry: true}\nbolts: [{on: cut, axis: [%.17g, %.17g, %.17g], "
             "preload: %g}]\n%s%s",
             k == 2 ? "strain: finite\n" : "", R[0][2], R[1][2], R[2][2], k == 2 ? 1e-3 : PRELOAD,
             k == 2 ? "time: {end: 1, step: 1}\n" : "", OUTPUT);
    run(folder, text);
    const double force = k == 2 ? 1e-3 : PRELOAD;
    row_of(folder, 1, value);
    assert_within(value[0], force, 1e-8 * force);
    assert_within(value[1], force / stiffness(0), (k == 2 ? 1e-5 : 1e-8) * force / stiffness(0));
  }
  scratch_remove(&folder);
}

static const struct Refused {
  const char *bolts, *says;
} refused[] = {
    {"bolts: [{on: cut}]\n", "needs the key 'preload'"},
    {"bolts: [{on: cut, preload: 3, elongation: 1}]\n", "a preload and an elongation"},
    {"bolts: [{on: cut, preload: -3}]\n", "must not be negative"},
    {"bolts: [{on: cut, preload: 3*x}]\n", "depends on t alone"},
    {"bolts: [{on: cut, preload: 3 - 4*t}]\n", "the preload of bolt 'cut' is -1 at time 1, must not be negative"},
    {"bolts: [{on: cut, preload: sqrt(0.5 - t)}]\n", "the preload of bolt 'cut' is not finite at time 1"},
    {"bolts: [{on: cut, preload: 3, lock: 2}]\n", "lock is 2, and the run ends at 1"},
    {"bolts: [{on: cut, preload: 3, lock: 1}]\nsteps: [{name: one, end: 1, step: 1}, {name: two, end: 2, step: 1, "
     "bolts: "
     "[{on: cut, lock: 2}]}]\n",
     "lock is 2, and this bolt is locked from 1 on"},
    {"bolts: [{on: cut, preload: 3, axis: [0, 0]}]\n", "axis has no length"},
    {"bolts: [{on: cut, preload: 3, axis: [1, 0]}]\n", "lies along the axis"},
    {"bolts: [{on: cut, preload: 3}, {on: cut, preload: 4}]\n", "twice"},
    {"bolts: [{on: foot, preload: 3}]\n", "an element on each side"},
    {"bolts: [{on: nowhere, preload: 3}]\n", "nowhere"},
    {"contact: [{on: cut, against: {plane: {at: [0, 2], normal: [0, 1]}}}]\nbolts: [{on: cut, preload: 3}]\n", "cut"},
    {"analysis: {type: modal}\nbolts: [{on: cut, preload: 3}]\n", "bolts"}};

static void is_refused_by_name(void **state) {
  (void)state;
  static const ElementKind kind[PARTS] = {ELEMENT_QUAD4, ELEMENT_QUAD4};
  char *folder = scratch_create();
  char text[4096];
  write_mesh(scratch_path(folder, "two.msh"), kind, PARTS, 1, STRAIGHT);
  for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k) {
    const bool modal = strstr(refused[k].bolts, "modal") != NULL;
    const bool steps = strstr(refused[k].bolts, "steps") != NULL;
    parallel_text(text, 2, refused[k].bolts, modal || steps ? "" : "steps: [{name: all, end: 1, step: 1}]\n");
    *strstr(text, "output:") = 0;
    Said said = app_run_says(folder, text);
    if (said.code == 0 || !strstr(said.err, refused[k].says)) fail_msg("%s\n%s", refused[k].bolts, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_divide_by_stiffness),
                                     cmocka_unit_test(preloads_stay_and_follow), cmocka_unit_test(shanks_lie_askew),
                                     cmocka_unit_test(is_refused_by_name)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
