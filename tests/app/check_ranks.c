/* sinew check --ranks: each share is held against the memory that is there. */
#include "app/commands/check_ranks.h"
#include "mesh/mesh.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

enum { MB = 1000000 };

static Mesh *mesh;

static int make(void **state) {
  (void)state;
  assert_ok(mesh_box(&(BoxParams){.kind = ELEMENT_HEX8, .n = {19, 19, 29}, .size = {1, 1, 1}}, &mesh));
  return 0;
}

static int drop(void **state) {
  (void)state;
  mesh_destroy(&mesh);
  return 0;
}

/* A case that takes 500 MB of the host, 100 of them for the mesh, and 1000 MB of a GPU. */
static Status print_with(int n_rank, double gpu_free, double host_free) {
  static MemoryPlan plan;
  plan = (MemoryPlan){.peak = {500 * (int64_t)MB, 1000 * (int64_t)MB}};
  assert_ok(memory_plan_add(&plan, "matrix", 900 * (int64_t)MB, true, true));
  assert_ok(memory_plan_add(&plan, "mesh and case on it", 100 * (int64_t)MB, false, true));
  return check_ranks_print(&(RanksForecast){.n_rank = n_rank,
                                            .mesh = mesh,
                                            .n_component = 3,
                                            .plan = &plan,
                                            .host_bytes = 100 * MB,
                                            .gpu_free = gpu_free,
                                            .host_free = host_free});
}

static void a_share_that_fits(void **state) {
  (void)state;
  status_warnings_clear();
  assert_ok(print_with(1, 1000 * MB, 0));
  assert_ok(print_with(4, 350 * MB, 1000 * MB));
  assert_ok(print_with(4, 0, 0));
  assert_int_equal(status_warning_count(), 0);
}

static void the_gpu_of_a_rank_is_too_small(void **state) {
  (void)state;
  assert_fails(print_with(1, 800 * MB, 0), ERR_GPU, "needs 1.0 GB on the GPU of rank 0 of 1, where 800.0 MB are free");
  assert_fails(print_with(4, 150 * MB, 0), ERR_GPU, "on the GPU of rank");
  assert_non_null(strstr(status_message(), "150.0 MB are free"));
  assert_non_null(strstr(status_message(), "matrix"));
  assert_non_null(strstr(status_message(), "or start more ranks, each with a GPU of its own"));
}

static void the_host_is_too_small_for_all(void **state) {
  (void)state;
  status_warnings_clear();
  assert_ok(print_with(4, 0, 700 * MB)); /* 400 for meshes, and somewhat more than 400 for shares */
  assert_int_equal(status_warning_count(), 1);
  assert_non_null(strstr(status_warning(0), "4 ranks take"));
  status_warnings_clear();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_share_that_fits),
                                     cmocka_unit_test(the_gpu_of_a_rank_is_too_small),
                                     cmocka_unit_test(the_host_is_too_small_for_all)};
  return cmocka_run_group_tests(tests, make, drop);
}
