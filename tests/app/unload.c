/* Bodies without load from meshes of them under pressure: against closed forms, and that everything else goes on with them. */
#include "app/app.h"
#include "app/electromechanics/unloaded.h"
#include "app/input/case_axes.h"
#include "app/elasticity/case_elasticity.h"
#include "core/memory.h"
#include "tests/app/scratch.h"
#include "tests/cli/small_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THROUGH = 4, AROUND = 8, ROWS = 2 * AROUND + 1, COLUMNS = 2 * THROUGH + 1 };
static const double INNER = 20, OUTER = 30, SHEAR = 4;

static int node(int i, int j) { return 1 + j * COLUMNS + i; } /* from inside, then from y = 0 */

/* A quarter of a ring of curved quad9: endo, y0 (y = 0), x0 (x = 0), wall. */
static char *ring_mesh(void) {
  enum { BYTES = 1 << 16 };
  char *text = malloc(BYTES);
  int n = 0, id = 0;
  const int n_element = AROUND * THROUGH + AROUND + 2 * THROUGH;
  n += snprintf(text + n, BYTES - (size_t)n,
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n1 1 \"endo\"\n1 2 \"y0\"\n1 3 \"x0\"\n2 4 "
                "\"wall\"\n$EndPhysicalNames\n$Nodes\n%d\n",
                ROWS * COLUMNS);
  for (int j = 0; j < ROWS; ++j)
    for (int i = 0; i < COLUMNS; ++i) {
      const double r = INNER + (OUTER - INNER) * i / (COLUMNS - 1), a = asin(1) * j / (ROWS - 1);
      n += snprintf(text + n, BYTES - (size_t)n, "%d %.17g %.17g 0\n", node(i, j), j == ROWS - 1 ? 0 : r * cos(a),
                    j == 0 ? 0 : r * sin(a));
    }
  n += snprintf(text + n, BYTES - (size_t)n, "$EndNodes\n$Elements\n%d\n", n_element);
  for (int j = 0; j < AROUND; ++j)
    n += snprintf(text + n, BYTES - (size_t)n, "%d 8 2 1 1 %d %d %d\n", ++id, node(0, 2 * j + 2), node(0, 2 * j),
                  node(0, 2 * j + 1));
  for (int side = 0; side < 2; ++side)
    for (int i = 0; i < THROUGH; ++i) {
      const int j = side * (ROWS - 1);
      n += snprintf(text + n, BYTES - (size_t)n, "%d 8 2 %d %d %d %d %d\n", ++id, 2 + side, 2 + side, node(2 * i, j),
                    node(2 * i + 2, j), node(2 * i + 1, j));
    }
  for (int j = 0; j < AROUND; ++j)
    for (int i = 0; i < THROUGH; ++i) {
      const int a = 2 * i, b = 2 * j;
      n += snprintf(text + n, BYTES - (size_t)n, "%d 10 2 4 4 %d %d %d %d %d %d %d %d %d\n", ++id, node(a, b),
                    node(a + 2, b), node(a + 2, b + 2), node(a, b + 2), node(a + 1, b), node(a + 2, b + 1),
                    node(a + 1, b + 2), node(a, b + 1), node(a + 1, b + 1));
    }
  snprintf(text + n, BYTES - (size_t)n, "$EndElements\n");
  return text;
}

/* Pressure that holds a thick cylinder (power 2) or sphere (3) of incompressible rubber open, of radii A and B without load: the
 * integral of mu (lambda^2 - lambda^-2) / r, or of 2 mu (lambda^2 - lambda^-4) / r, over the wall, by Simpson's rule. */
static double pressure_of(int power, double A, double B) {
  enum { N = 2000 };
  double sum = 0;
  (void)B;
  for (int k = 0; k <= N; ++k) {
    const double r = INNER + (OUTER - INNER) * k / N;
    const double R = pow(pow(r, power) - pow(INNER, power) + pow(A, power), 1. / power), l = r / R;
    const double f = power == 2 ? SHEAR * (l * l - 1 / (l * l)) / r : 2 * SHEAR * (l * l - pow(l, -4)) / r;
    sum += (k == 0 || k == N ? 1 : k % 2 ? 4 : 2) * f;
  }
  return sum * (OUTER - INNER) / N / 3;
}

/* The inner radius without load, by bisection; *outer with it. */
static double radius_of(int power, double pressure, double *outer) {
  double low = 5, high = INNER;
  for (int k = 0; k < 60; ++k) {
    const double A = (low + high) / 2;
    if (pressure_of(power, A, 0) > pressure) low = A;
    else high = A;
  }
  *outer = pow(pow(OUTER, power) - pow(INNER, power) + pow(low, power), 1. / power);
  return low;
}

#define RING(model, axis, pressure, tolerance)                                                                         \
  "version: 1\nmesh: {file: ring.msh}\nphysics: electromechanics\nmodel: " model                                       \
  "\nmuscle: [{on: wall, type: neo-hooke, shear: 4, bulk: 1e6}]\n"                                                     \
  "boundary: [{on: x0, " axis "}, {on: y0, symmetry: true}]\n"                                                         \
  "unload: {lv: " pressure ", tolerance: " tolerance "}\n"                                                             \
  "cavities: [{name: lv, on: endo, pressure: \"" pressure "*t\"}]\ntime: {end: 1, step: 0.5}\n"                        \
  "output: {probes: [{name: a, at: [20, 0], field: displacement-x}, {name: b, at: [30, 0], field: displacement-x}]}\n"

/* The case ends where the mesh was: displacements are those from the closed form's radii to those of the mesh. */
static void is_closed_form(const char *text, int power, double pressure, double within) {
  char *folder = scratch_create(), *mesh = ring_mesh();
  double outer, value[3]; /* behind the time */
  scratch_write(folder, "ring.msh", mesh);
  app_runs(folder, text);
  const double inner = radius_of(power, pressure, &outer);
  scratch_last_row(folder, 3, value);
  assert_within(value[1], INNER - inner, within);
  assert_within(value[2], OUTER - outer, within);
  free(mesh);
  scratch_remove(&folder);
}

static void cylinder(void **state) {
  (void)state;
  double outer;
  assert_within(radius_of(2, 1, &outer), 15.780342, 2e-6); /* and the formula itself, by other means */
  assert_within(outer, 27.368215, 2e-6);
  is_closed_form(RING("plane-strain", "symmetry: true", "0.3", "1e-5"), 2, 0.3, 1e-4);
  is_closed_form(RING("plane-strain", "symmetry: true", "1", "1e-5"), 2, 1, 1e-4);
}

static void sphere(void **state) {
  (void)state;
  is_closed_form(RING("axisymmetric", "fix: {x: 0}", "1.5", "1e-5"), 3, 1.5, 2e-4);
}

#define WALL(more, cavity)                                                                                             \
  "version: 1\nmesh: {file: wall.msh}\nphysics: electromechanics\nmodel: plane-strain\n"                               \
  "muscle:\n  - {on: body, type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 20, fibers: {direction: [0.6, 0.8]}, "    \
  "tension: {value: \"20*sin(pi*t/400)^2\", form: stretch}}\n"                                                         \
  "boundary:\n  - {on: [low, up], symmetry: true}\n  - {on: out, fix: all}\n" more                                     \
  "cavities: [{name: lv, on: endo, pressure: " cavity "}]\n"

/* Stopped in the course of the beat, and gone on with, on other threads: the same bytes. What is filled again is the mesh. */
static void goes_on(void **state) {
  (void)state;
  char *folder = scratch_create(), *at = NULL;
  scratch_write(folder, "wall.msh", WALL_MESH);
  scratch_write(folder, "case.yaml",
                WALL("unload: {lv: 0.6, tolerance: 1e-7}\n",
                     "0.6") "circulation:\n  cycle: 400\n  lv:\n    from: {pressure: 0.6, valve: {open: 80}}\n"
                            "    to: {valve: {open: 80}, windkessel: {zc: 400, r: 3000, c: 0.1, pressure: 1}}\n"
                            "time: {end: 400, step: 25}\noutput: {every: 400, checkpoint: 100}\n");
  assert_int_equal(app_run_until(folder, "whole", "--overwrite", NULL, 0), 0);
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", "3", 10), 10);
  assert_int_equal(app_run_until(folder, "parts", "--resume", "1", 0), 0);
  char *whole = scratch_read(folder, "whole/loops.csv"), *again = scratch_read(folder, "parts/loops.csv");
  assert_string_equal(whole, again);
  const double filled = strtod(strchr(strchr(whole, '\n') + 1, ',') + 1, &at);
  assert_within(filled, 1.0, 1e-8); /* mL of the mesh */
  free(whole), free(again);
  scratch_remove(&folder);
}

/* unloaded.h5 is a mesh like others: filled without `unload` it moves alike. */
static void is_a_mesh(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[2][3]; /* behind the time */
  scratch_write(folder, "wall.msh", WALL_MESH);
  scratch_write(folder, "other.yaml", "");
  for (int k = 0; k < 2; ++k) {
    char text[4096];
    snprintf(text, sizeof text, "%s", k ? WALL("", "\"6*t/400\"") : WALL("unload: {lv: 6}\n", "\"6*t/400\""));
    char *mesh = strstr(text, "wall.msh");
    if (k) memcpy(mesh, "body.h5 ", 8);
    strcat(text, "time: {end: 400, step: 50}\noutput: {sums: [{name: push, on: out, field: reaction}]}\n");
    app_runs(folder, text);
    scratch_last_row(folder, 3, value[k]);
    char *from = strdup(scratch_path(folder, "results/unloaded.h5"));
    if (!k) assert_int_equal(rename(from, scratch_path(folder, "body.h5")), 0);
    free(from);
  }
  assert_true(fabs(value[0][1]) > 1);
  for (int k = 1; k < 3; ++k) assert_within(value[0][k], value[1][k], 1e-7 * fabs(value[0][1]));
  scratch_remove(&folder);
}

#define STRIP(more)                                                                                                    \
  "version: 1\nmesh: {file: wall.msh}\nphysics: electromechanics\nmodel: plane-strain\n"                               \
  "tissue:\n  - {on: body, ionic: {model: ten-tusscher, preset: epi}, diffusivity: {along: 5, across: 2}, "            \
  "fibers: {direction: [0.6, 0.8]}}\n"                                                                                 \
  "stimuli: [{name: left, on: {sphere: {center: [50, 0, 0], radius: 1}}, duration: 5, amplitude: 200}]\n"              \
  "muscle:\n  - {on: body, type: guccione, c: 2, bf: 8, bt: 2, bfs: 4, bulk: 20, tension: {model: land}}\n"            \
  "boundary:\n  - {on: [low, up], symmetry: true}\n  - {on: out, fix: all}\n" more                                     \
  "cavities: [{name: lv, on: endo, pressure: \"3*min(1, t/10)\"}]\n"                                                   \
  "time: {end: 40, step: 2, cells: {step: 0.1}}\n"                                                                     \
  "output: {fields: [displacement, potential], probes: [{name: v, at: [57.5, 15], field: potential}]}\n"

/* Cells conduct in the body of the mesh, and places of stimuli and probes are those of it: their potential is the same. */
static void cells_stay(void **state) {
  (void)state;
  char *folder = scratch_create();
  double value[2][2];
  scratch_write(folder, "wall.msh", WALL_MESH);
  for (int k = 0; k < 2; ++k) {
    app_runs(folder, k ? STRIP("unload: {lv: 3}\n") : STRIP(""));
    scratch_last_row(folder, 2, value[k]);
  }
  assert_true(value[0][1] > -30); /* the wave has come */
  assert_within(value[1][1], value[0][1], 0);
  assert_int_equal(app_run_until(folder, "parts", "--overwrite", NULL, 14), 10); /* and cells go on with the body */
  assert_int_equal(app_run_until(folder, "parts", "--resume", NULL, 0), 0);
  char *whole = scratch_read(folder, "results/loops.csv"), *again = scratch_read(folder, "parts/loops.csv");
  assert_string_equal(whole, again);
  free(whole), free(again);
  scratch_remove(&folder);
}

/* A ventricle that its base and its outside hold softly: errors of the next body are larger than those of this one in some direction, and only
 * what the ones before have changed tells which. */
static void ventricle_on_springs(void **state) {
  (void)state;
  char *folder = scratch_create(), *mesh = scratch_read(SINEW_SOURCE_DIR "/cases/left-ventricle-beat", "mesh.geo"),
       *size = strstr(mesh, "h = {7.5");
  assert_non_null(size);
  memcpy(size, "h = {17.", strlen("h = {17."));
  scratch_write(folder, "mesh.geo", mesh);
  Said said = app_run_says(
      folder,
      "version: 1\nmesh: {file: mesh.geo}\nphysics: electromechanics\n"
      "muscle: [{on: wall, type: guccione, c: 0.9, bf: 8, bt: 2, bfs: 4, bulk: 100, fibers: {rule: ldrb, lv: endo, "
      "epi: epi, base: base, alpha: {endo: 60, epi: -60}}}]\n"
      "boundary: [{on: base, spring: 0.1}, {on: epi, spring: {normal: 0.02}}]\n"
      "unload: {lv: 2}\ncavities: [{name: lv, on: endo, pressure: 2, lid: carries}]\ntime: {end: 1, step: 1}\n");
  if (said.code == 4) testing_missing("no gmsh");
  else if (said.code) fail_msg("exit code %d:\n%s", said.code, said.err);
  said_release(&said);
  free(mesh);
  scratch_remove(&folder);
}

/* Directions of nodes and of elements go with the body; others do not. */
static void directions(void **state) {
  (void)state;
  const double A[3][3] = {{0.8, 0.1, 0}, {0, 1.1, 0.2}, {0.05, 0, 0.9}}, f[3] = {0.6, 0, 0.8};
  const BoxParams box = {.kind = ELEMENT_TET10, .n = {2, 1, 1}, .size = {2, 1, 1}, .distort = 0.2};
  Mesh *mesh = NULL;
  Unloaded body;
  CaseMaterial muscle = {.axes = {.fibers = {.field = {.text = "f"}}, .field = {.text = "R"}}};
  Case c = {.materials = {.item = &muscle, .n = 1, .size = sizeof muscle}};
  assert_int_equal(mesh_box(&box, &mesh), OK);
  FREE(mesh->field);
  mesh->n_field = 3;
  assert_int_equal(mem_alloc(3, sizeof *mesh->field, "fields", (void **)&mesh->field), OK);
  for (int k = 0; k < 3; ++k) {
    MeshField *field = &mesh->field[k];
    *field = (MeshField){.on_nodes = k != 1, .n_component = k == 1 ? 9 : 3};
    assert_int_equal(mem_alloc(8, 1, "a name", (void **)&field->name), OK);
    strcpy(field->name, k == 0 ? "f" : k == 1 ? "R" : "other");
    const int n = field->n_component * (k == 1 ? mesh->n_element : mesh->n_node);
    assert_int_equal(mem_alloc(n, sizeof *field->value, "a field", (void **)&field->value), OK);
    for (int i = 0; i < n; ++i) field->value[i] = f[i % 3];
  }
  assert_int_equal(unloaded_create(&c, mesh, &body), OK);
  for (int32_t i = 0; i < mesh->n_node; ++i)
    for (int k = 0; k < 3; ++k) {
      const double *x = body.x[i];
      mesh->x[i][k] = 3 + A[k][0] * x[0] + A[k][1] * x[1] + A[k][2] * x[2];
    }
  unloaded_turn(mesh, &body);
  double to[3], length = 0;
  for (int k = 0; k < 3; ++k) to[k] = A[k][0] * f[0] + A[k][1] * f[1] + A[k][2] * f[2], length += to[k] * to[k];
  for (int k = 0; k < 3; ++k) {
    const double wanted = to[k] / sqrt(length);
    for (int32_t i = 0; i < mesh->n_node; ++i) {
      assert_within(mesh->field[0].value[3 * i + k], wanted, 1e-12);
      assert_within(mesh->field[2].value[3 * i + k], f[k], 0);
    }
    for (int32_t e = 0; e < mesh->n_element; ++e)
      if (element_type(mesh_block_of(mesh, e)->kind)->dim == 3)
        for (int d = 0; d < 3; ++d) assert_within(mesh->field[1].value[9 * e + 3 * d + k], wanted, 1e-12);
  }
  unloaded_swap(mesh, &body);
  assert_within(mesh->field[0].value[0], f[0], 0);
  unloaded_release(&body);
  mesh_destroy(&mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cylinder),   cmocka_unit_test(sphere),
                                     cmocka_unit_test(goes_on),    cmocka_unit_test(is_a_mesh),
                                     cmocka_unit_test(cells_stay), cmocka_unit_test(ventricle_on_springs),
                                     cmocka_unit_test(directions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
