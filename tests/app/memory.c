/* What `sinew check` says about memory against what a run then takes: within 10 %, on meshes small enough to be rehearsed as they
 * are. Large ones: forecast.c. */
#include "app/report/report.h"
#include "app/run/backend.h"
#include "algebra/mat.h"
#include "core/memory.h"
#include "tests/app/planned.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void hold(const char *text, const BoxParams *box, int n_set, const char *const *set) {
  const Planned planned = {.text = text, .box = box, .n_set = n_set, .set = set};
  planned_hold(&planned);
}

static void heat_plan_is_near(void **state) {
  (void)state;
  static const char *const amg[] = {"solver.preconditioner.type=amg"},
                           *const cmg[] = {"solver.preconditioner.type=cmg"},
                           *const jacobi[] = {"solver.preconditioner.type=jacobi"},
                           *const steps[] = {"time={end: 2, step: 1}"};
  const BoxParams flat = {.kind = ELEMENT_QUAD4, .n = {60, 60, 1}, .size = {1, 1, 1}},
                  solid = {.kind = ELEMENT_HEX8, .n = {11, 11, 11}, .size = {1, 1, 1}};
  hold(PLANNED_HEAT, &flat, 1, jacobi);
  hold(PLANNED_HEAT, &flat, 1, amg);
  hold(PLANNED_HEAT, &flat, 1, cmg);
  hold(PLANNED_HEAT, &solid, 1, amg);
  hold(PLANNED_HEAT, &solid, 0, NULL);
  hold(PLANNED_HEAT, &flat, 1, steps);
}

static void plan_is_near(void **state) {
  (void)state;
  static const char *const csr[] = {"solver.format=csr", "solver.preconditioner=jacobi"},
                           *const twice[] = {"solver.precision=double"}, *const curve[] = {"solver.numbering=hilbert"},
                           *const plain[] = {"solver.preconditioner=jacobi"};
  hold(PLANNED_2D, &(BoxParams){.kind = ELEMENT_QUAD4, .n = {48, 48, 1}, .size = {1, 1, 1}}, 0, NULL);
  hold(PLANNED_2D, &(BoxParams){.kind = ELEMENT_TRI6, .n = {22, 22, 1}, .size = {1, 1, 1}}, 1, twice);
  hold(PLANNED_3D, &(BoxParams){.kind = ELEMENT_HEX8, .n = {8, 8, 8}, .size = {1, 1, 1}}, 0, NULL);
  hold(PLANNED_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {8, 8, 8}, .size = {1, 1, 1}}, 2, csr);
  hold(PLANNED_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {8, 8, 8}, .size = {1, 1, 1}}, 1, curve);
  hold(PLANNED_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {6, 6, 6}, .size = {1, 1, 1}}, 0, NULL); /* auto is jacobi */
  hold(PLANNED_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {6, 6, 6}, .size = {1, 1, 1}}, 1, plain);
  hold(PLANNED_3D, &(BoxParams){.kind = ELEMENT_HEX20, .n = {5, 5, 5}, .size = {1, 1, 1}}, 0, NULL);
}

static void heart_is_near(void **state) {
  (void)state;
  static const char *const gauss[] = {"reaction=gauss"};
  const BoxParams solid = {.kind = ELEMENT_HEX8, .n = {9, 9, 9}, .size = {6, 6, 6}};
  hold(PLANNED_HEART, &solid, 0, NULL);
  hold(PLANNED_HEART, &solid, 1, gauss);
}

static void harmonic_is_near(void **state) {
  (void)state;
  static const char *const more[] = {"analysis.damping=0", "solver.format=csr",
                                     "output.fields=[displacement, stress, von-mises]"};
  hold(PLANNED_HARMONIC, &(BoxParams){.kind = ELEMENT_HEX8, .n = {8, 8, 8}, .size = {1, 1, 1}}, 0, NULL);
  hold(PLANNED_HARMONIC, &(BoxParams){.kind = ELEMENT_TET4, .n = {8, 8, 8}, .size = {1, 1, 1}}, 3, more);
}

/* Every format, in space and in the plane; row orders, listed slots and padding all count. */
static void every_format_is_near(void **state) {
  (void)state;
  char word[64];
  const char *const set[] = {word, "solver.preconditioner=least-squares"};
  for (int32_t i = -1; i < mat_format_count(); ++i) {
    snprintf(word, sizeof word, "solver.format=%s", i < 0 ? "auto" : mat_format_name(i));
    hold(PLANNED_3D, &(BoxParams){.kind = ELEMENT_TET4, .n = {6, 6, 6}, .size = {1, 1, 1}}, 2, set);
    hold(PLANNED_2D, &(BoxParams){.kind = ELEMENT_TRI6, .n = {16, 16, 1}, .size = {1, 1, 1}}, 2, set);
  }
}

/* Beyond its limit the tracker refuses with a table, and the device is not asked. */
static void tracker_refuses(void **state) {
  (void)state;
  Exec *exec = NULL;
  MemoryTracker *tracker = NULL;
  double *a = NULL, *b = NULL;
  assert_ok(exec_create_cpu(1, &exec));
  const size_t before = mem_in_use();
  assert_ok(tracker_open(exec, 10000, &tracker));
  assert_ok(exec_alloc(exec, 1000, sizeof *a, "matrix values", (void **)&a));
  assert_fails(exec_alloc(exec, 300, sizeof *b, "a vector", (void **)&b), ERR_GPU, "a vector does not fit");
  assert_non_null(strstr(status_message(), "matrix values"));
  assert_non_null(strstr(status_message(), "8.0 kB"));
  assert_null(b);
  exec_release(exec, 1000, sizeof *a, (void **)&a);
  assert_ok(exec_alloc(exec, 1200, sizeof *b, "a vector", (void **)&b));
  assert_int_equal(tracker_peak(tracker), 9600);
  exec_release(exec, 1200, sizeof *b, (void **)&b);
  tracker_close(&tracker);
  assert_int_equal(mem_in_use(), before);
  assert_ok(exec_alloc(exec, 100000, sizeof *a, "after the tracker", (void **)&a));
  exec_release(exec, 100000, sizeof *a, (void **)&a);
  exec_destroy(&exec);
}

static void small_gpu_is_told(void **state) {
  (void)state;
  MemoryPlan plan = {.peak = {9000000, 3000000}};
  assert_ok(memory_plan_add(&plan, "matrix values", 3000000, true, true));
  assert_ok(memory_plan_add(&plan, "mesh", 9000000, false, true));
  assert_ok(memory_table_check(&plan, 2.8e6, "the GPU")); /* what may fit within the exactness of a forecast is tried */
  assert_fails(memory_table_check(&plan, 2.7e6, "the GPU"), ERR_GPU,
               "this case needs 3.0 MB on the GPU, where 2.7 MB are free");
  assert_non_null(strstr(status_message(), "matrix values"));
}

static int lines_with(const char *text, const char *word) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) ++n;
  return n;
}

/* A message has the ten largest arrays, what is shown has all. */
static void messages_are_short(void **state) {
  (void)state;
  MemoryPlan plan = {.peak = {1, 70000000}};
  Text all = {0};
  char name[32];
  for (int i = 0; i < 70; ++i) {
    snprintf(name, sizeof name, "array %02d", i);
    assert_ok(memory_plan_add(&plan, name, 1000000 + 1000 * ((i * 37) % 70), true, true));
  }
  assert_fails(memory_table_check(&plan, 1e6, "the GPU"), ERR_GPU, "array");
  assert_int_equal(lines_with(status_message(), "  array "), 10);
  assert_int_equal(lines_with(status_message(), "  others "), 1);
  for (int i = 0; i < 70; ++i) {
    snprintf(name, sizeof name, "array %02d", i);
    assert_int_equal(strstr(status_message(), name) != NULL, (i * 37) % 70 >= 60);
  }
  assert_ok(memory_table_text(&plan, true, MEMORY_ROWS_ALL, &all));
  assert_int_equal(lines_with(all.data, "  array "), 70);
  text_release(&all);
}

static void shares_beyond_all_say_nothing(void **state) {
  (void)state;
  const double given[] = {2.5, 1.06, 1.04, 0.8, 1e-3, 0, -1, NAN};
  const bool holds[] = {false, false, true, true, true, false, false, false};
  for (int i = 0; i < 8; ++i) assert_int_equal(bandwidth_share_holds(given[i]), holds[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(heat_plan_is_near),
                                     cmocka_unit_test(plan_is_near),
                                     cmocka_unit_test(every_format_is_near),
                                     cmocka_unit_test(harmonic_is_near),
                                     cmocka_unit_test(heart_is_near),
                                     cmocka_unit_test(tracker_refuses),
                                     cmocka_unit_test(small_gpu_is_told),
                                     cmocka_unit_test(messages_are_short),
                                     cmocka_unit_test(shares_beyond_all_say_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
