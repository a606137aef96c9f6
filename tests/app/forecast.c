/* Memory of a run forecast from two samples of its mesh, which were fitted to nothing: within 10 % of what the run takes, and
 * on a GPU of what a rehearsal on the whole mesh does. */
#include "core/memory.h"
#include "tests/app/planned.h"
#include "tests/app/scratch.h"

#include <stdio.h>
#include <string.h>

/* Multigrid of one component needs larger samples to have its levels. */
enum { SAMPLE = 1500, SCALAR = 4000 };
static const char *const jacobi[] = {"solver.preconditioner.type=jacobi"},
                         *const chebyshev[] = {"solver.preconditioner.type=chebyshev"},
                         *const amg[] = {"solver.preconditioner.type=amg"},
                         *const pmg[] = {"solver.preconditioner.type=pmg"}, *const step[] = {"time={end: 1, step: 1}"},
                         *const gauss[] = {"reaction=gauss"};
static const BoxParams hex8 = {.kind = ELEMENT_HEX8, .n = {16, 14, 21}, .size = {6, 6, 6}, .distort = 0.2},
                       block = {.kind = ELEMENT_HEX8, .n = {22, 20, 25}, .size = {1, 1, 1}, .distort = 0.2},
                       plate = {.kind = ELEMENT_HEX8, .n = {50, 40, 2}, .size = {1, 1, 0.02}},
                       tet4 = {.kind = ELEMENT_TET4, .n = {14, 17, 16}, .size = {1, 1, 1}, .distort = 0.2},
                       tet10 = {.kind = ELEMENT_TET10, .n = {7, 9, 8}, .size = {1, 1, 1}},
                       hex27 = {.kind = ELEMENT_HEX27, .n = {7, 8, 9}, .size = {1, 1, 1}},
                       quad4 = {.kind = ELEMENT_QUAD4, .n = {80, 70, 1}, .size = {1, 1, 1}};
static const Planned planned[] = {{PLANNED_3D, &hex8, SAMPLE, 1, jacobi},
                                  {PLANNED_3D, &hex8, SAMPLE, 1, chebyshev},
                                  {PLANNED_3D, &hex8, SAMPLE, 1, amg},
                                  {PLANNED_3D, &plate, SAMPLE, 1, amg},
                                  {PLANNED_3D, &tet4, SAMPLE, 0, NULL},
                                  {PLANNED_3D, &tet10, SAMPLE, 1, pmg},
                                  {PLANNED_3D, &hex27, SAMPLE, 1, pmg},
                                  {PLANNED_2D, &quad4, SAMPLE, 0, NULL},
                                  {PLANNED_HEAT, &block, SCALAR, 1, amg},
                                  {PLANNED_HEAT, &tet10, SAMPLE, 1, step},
                                  {PLANNED_HARMONIC, &hex8, SAMPLE, 1, chebyshev},
                                  {PLANNED_HEART, &hex8, SAMPLE, 0, NULL},
                                  {PLANNED_HEART, &hex8, SAMPLE, 1, gauss}};
enum { N = sizeof planned / sizeof *planned };

static void samples_are_near(void **state) {
  (void)state;
  for (int k = 0; k < N; ++k) planned_hold(&planned[k]);
}

static void samples_are_near_on_a_gpu(void **state) {
  (void)state;
  for (int k = 0; k < N; ++k) planned_hold_gpu(&planned[k]);
}

/* Of runs in steps, whose probes, sums and tables a sample has no places for. */
static void samples_pass_by_what_is_put_out(void **state) {
  (void)state;
  static const char *const rest[] = {
      "materials: [{on: body, young: 1, poisson: 0.3}]\ntime: {end: 1, step: 1}\n",
      "materials: [{on: body, type: plastic, young: 1, poisson: 0.3, yield: 1}]\ntime: {end: 1, step: 1}\n",
      "materials: [{on: body, type: neo-hooke, young: 1, poisson: 0.3}]\nstrain: finite\ntime: {end: 1, step: 1}\n",
      "materials: [{on: body, young: 1, poisson: 0.3}]\ncontact: [{on: y0, against: {plane: {at: [0, 0], normal: [0, "
      "1]}}, friction: 0.2}]\n"};
  char *folder = scratch_create(), text[1500];
  for (size_t k = 0; k < sizeof rest / sizeof *rest; ++k) {
    snprintf(text, sizeof text,
             "version: 1\nmesh: {grid: [120, 80], size: [2, 1]}\nphysics: elasticity\nmodel: plane-strain\nboundary: "
             "[{on: x0, fix: {x: 0}}, {on: y1, fix: {y: -0.001}}]\noutput: {probes: [{name: u, at: [1.303, 0.501], "
             "field: displacement-x}, {name: s, at: [1, 0.4], field: stress-xx}], sums: [{name: r, on: x0, field: "
             "reaction}, {name: m, on: x0, field: moment, about: [0, 0]}], tables: [{on: x0, field: reaction}]}\n%s",
             rest[k]);
    scratch_write(folder, "case.yaml", text);
    Said said = app_says("check", scratch_path(folder, "case.yaml"), "--quiet", NULL);
    if (said.code || strstr(said.err, "memory")) fail_msg("%s\n%s", text, said.err);
    said_release(&said);
  }
  scratch_remove(&folder);
}

/* Room that has a size of its own, which a sample says for the whole. */
static void room_of_fixed_size_stays(void **state) {
  (void)state;
  char *folder = scratch_create();
  double size = 0;
  scratch_write(
      folder, "case.yaml",
      "version: 1\nmesh: {grid: [50, 50, 50]}\nphysics: elasticity\nmodel: 3d\nmaterials: [{on: body, young: 1, "
      "poisson: 0.3}]\nboundary: [{on: x0, fix: all}, {on: x1, traction: [1, 0, 0]}]\n");
  Said said = app_says("check", scratch_path(folder, "case.yaml"), "--verbose", NULL);
  const char *at = strstr(said.out, "  incompatible modes ");
  if (said.code || !at || sscanf(at, "  incompatible modes %lf MB", &size) != 1 || !(size > 20 && size < 32))
    fail_msg("%g MB for 28.3\n%s%s", size, said.out, said.err);
  said_release(&said);
  scratch_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(samples_are_near), cmocka_unit_test(samples_are_near_on_a_gpu),
                                     cmocka_unit_test(samples_pass_by_what_is_put_out),
                                     cmocka_unit_test(room_of_fixed_size_stays)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
