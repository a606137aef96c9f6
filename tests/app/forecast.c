/* Memory of a run forecast from two samples of its mesh, which were fitted to nothing: within 10 % of what the run takes, and
 * on a GPU of what a rehearsal on the whole mesh does. */
#include "core/memory.h"
#include "tests/app/planned.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(samples_are_near), cmocka_unit_test(samples_are_near_on_a_gpu)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
