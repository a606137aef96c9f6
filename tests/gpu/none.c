/* Built without CUDA: the answers say so. */
#include "tests/testing.h"

#include <string.h>

#include "gpu/exec/cuda_exec.h"

static void test_says_so(void **state) {
  (void)state;
  Exec *exec = (Exec *)&exec;
  assert_fails(exec_create_cuda(&exec), ERR_GPU, "built without CUDA");
  assert_null(exec);
  char why[256] = "";
  assert_false(cuda_usable(why, sizeof why));
  assert_non_null(strstr(why, "built without CUDA"));
  char small[8] = "1234567";
  assert_false(cuda_usable(small, 5));
  assert_int_equal(strlen(small), 4);
  assert_false(cuda_usable(NULL, 0));
  size_t free_bytes = 1, total_bytes = 1;
  assert_fails(cuda_memory(&free_bytes, &total_bytes), ERR_GPU, "built without CUDA");
  assert_int_equal(free_bytes + total_bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_says_so)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
