/* A build without MPI (core/comm_mpi_none.c is linked here in any case): alone without a launcher, a sentence under one. */
#include "core/comm.h"
#include "tests/testing.h"

#include <stdlib.h>

static void test_without_launcher(void **state) {
  (void)state;
  Comm *comm = NULL;
  assert_ok(comm_create(&comm));
  assert_int_equal(comm_size(comm), 1);
  assert_true(comm_heard(comm));
  comm_destroy(&comm);
}

static void test_under_launchers(void **state) {
  (void)state;
  static const char *const launched[][2] = {{"OMPI_COMM_WORLD_SIZE", NULL},
                                            {"PMI_SIZE", NULL},
                                            {"MPI_LOCALNRANKS", NULL},
                                            {"SLURM_STEP_NUM_TASKS", "PMI_RANK"}};
  for (size_t k = 0; k < sizeof launched / sizeof *launched; ++k) {
    Comm *comm = NULL;
    setenv(launched[k][0], "2", 1);
    if (launched[k][1]) setenv(launched[k][1], "0", 1);
    assert_fails(comm_create(&comm), ERR_USAGE, "was built without MPI: run it alone, or install MPI");
    assert_null(comm);
    setenv(launched[k][0], "1", 1); /* one process of a launcher is alone */
    assert_ok(comm_create(&comm));
    assert_string_equal(comm->table->name, "alone");
    comm_destroy(&comm);
    unsetenv(launched[k][0]);
    if (launched[k][1]) unsetenv(launched[k][1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_without_launcher), cmocka_unit_test(test_under_launchers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
