/* What a matrix is said to take against what it takes, array by array and to the byte, over all formats, variants,
 * slices, teams and block sizes. */
#include "core/memory.h"
#include "algebra/mat_format.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static Exec *exec;

static const MatParams CASES[] = {
    {.format = "csr"},
    {.format = "csr", .variant = "vector"},
    {.format = "csr", .variant = "scalar", .precision = PRECISION_FLOAT},
    {.format = "ell"},
    {.format = "ellr"},
    {.format = "bell"},
    {.format = "sell"},
    {.format = "sell", .slice = 96},
    {.format = "sbell"},
    {.format = "sbell", .slice = 64, .precision = PRECISION_FLOAT},
    {.format = "sbell", .slice = 96},
    {.format = "sliced-ellr-t"},
    {.format = "sliced-ellr-t", .threads = 1},
    {.format = "sliced-ellr-t", .threads = 2, .slice = 96},
    {.format = "sliced-ellr-t", .threads = 4},
    {.format = "sliced-ellr-t", .threads = 16},
    {.format = "ell-warp"},
    {.format = "ell-warp", .variant = "k1"},
    {.format = "ell-warp", .variant = "k1r"},
    {.format = "ell-warp", .variant = "k1rs"},
    {.format = "ell-warp", .variant = "k2", .threshold = 7},
    {.format = "ell-warp", .variant = "k2r"},
    {.format = "ell-warp", .variant = "k2rs", .precision = PRECISION_FLOAT},
    {.format = "segspmv"},
    {.format = "segspmv", .threshold = 4},
    {.format = "segspmv", .variant = "r"},
    {.format = "segspmv", .variant = "r", .threads = 4},
    {.format = "sell", .window = 64},
    {.format = "sbell", .window = 1},
    {.format = "sbell", .slice = 96, .window = 7},
    {.format = "sliced-ellr-t", .threads = 2, .window = INT32_MAX},
    {.format = "ell-warp", .variant = "k1", .window = 32},
    {.format = "ell-warp", .variant = "k2", .threshold = 4, .window = 50},
    {.format = "ell-warp", .variant = "k2r", .window = INT32_MAX},
    {.format = "auto"},
};
enum { N_CASES = sizeof CASES / sizeof *CASES };

static void hold(const Pattern *pattern, const MatParams *params) {
  MatForecast f;
  Mat *a = NULL;
  const size_t start = mem_in_use();
  assert_ok(mat_forecast(params, pattern, !exec_is_host(exec), &f));
  assert_int_equal(mem_in_use(), start); /* nothing stays */
  assert_ok(mat_create(exec, params, pattern, &a));
  const SlotMap *slots = mat_slots(a);
  const size_t value = params->precision == PRECISION_FLOAT ? sizeof(float) : sizeof(double);
  const size_t on_exec = (size_t)f.structure_bytes + (size_t)f.n_value * value;
  const size_t on_host = (size_t)(f.n_slot + f.n_row_step) * sizeof(int64_t) + (size_t)f.numbering_bytes;
  if (strcmp(f.format, mat_format(a)) != 0 || f.n_value != slots->n_value || on_exec != mat_bytes(a) ||
      f.per_scalar != slots->per_scalar || f.same_step != slots->same_step)
    fail_msg("%s %s, block %d, %d rows: %s %lld values, %zu bytes; is %s %lld, %zu", params->format,
             params->variant ? params->variant : "", pattern->block, pattern->n, f.format, (long long)f.n_value,
             on_exec, mat_format(a), (long long)slots->n_value, mat_bytes(a));
  if (exec_is_host(exec) && mem_in_use() - start != on_exec + on_host + sizeof *a)
    fail_msg("%s %s, block %d, %d rows: takes %zu bytes, %zu were foreseen", params->format,
             params->variant ? params->variant : "", pattern->block, pattern->n, mem_in_use() - start,
             on_exec + on_host + sizeof *a);
  mat_destroy(&a);
}

static void every_format_to_the_byte(void **state) {
  (void)state;
  for (int block = 1; block <= 3; ++block) {
    Problem p[3];
    problem_grid(7, 6, block == 1 ? 1 : 5, block, 1, &p[0]);
    problem_random(300, block, 3, &p[1]); /* rows out of order, one long */
    problem_random(5, block, 4, &p[2]);   /* less than a warp */
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < N_CASES; ++k) hold(p[i].pattern, &CASES[k]);
      problem_release(&p[i]);
    }
  }
}

/* A new format, too, must be in the list above. */
static void no_format_is_left_out(void **state) {
  (void)state;
  for (int32_t i = 0; i < mat_format_count(); ++i) {
    int found = 0;
    for (int k = 0; k < N_CASES; ++k) found += !strcmp(CASES[k].format, mat_format_name(i));
    if (!found) fail_msg("format '%s' is not in the list of this test", mat_format_name(i));
  }
}

static void empty_matrix(void **state) {
  (void)state;
  int64_t start = 0;
  int32_t column = 0;
  const Pattern none = {.n = 0, .block = 1, .start = &start, .column = &column};
  for (int k = 0; k < N_CASES; ++k) hold(&none, &CASES[k]);
}

/* What cannot be built is refused by the forecast with the sentence of the build. */
static void refuses_as_the_build(void **state) {
  (void)state;
  static const MatParams wrong[] = {{.format = "sbel"},
                                    {.format = "sbell", .slice = 33},
                                    {.format = "sbell", .variant = "k2"},
                                    {.format = "csr", .threads = 3},
                                    {.format = "ell-warp", .variant = "k3"},
                                    {.format = "sliced-ellr-t", .threads = 32},
                                    {.format = "segspmv", .threshold = 3},
                                    {.format = "csr", .window = 64},
                                    {.format = "segspmv", .window = 64},
                                    {.format = "sell", .window = -1},
                                    {.format = "sbell", .precision = PRECISION_HALF}};
  Problem p;
  problem_random(40, 1, 1, &p);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    MatForecast f;
    Mat *a = NULL;
    char message[1024];
    assert_int_equal(mat_create(exec, &wrong[k], p.pattern, &a), ERR_INPUT);
    snprintf(message, sizeof message, "%s", status_message());
    assert_int_equal(mat_forecast(&wrong[k], p.pattern, !exec_is_host(exec), &f), ERR_INPUT);
    assert_string_equal(status_message(), message);
  }
  problem_release(&p);
}

static void forecast_without_memory(void **state) {
  (void)state;
  Problem p;
  problem_random(60, 2, 5, &p);
  const size_t before = mem_in_use();
  for (int k = 0; k < N_CASES; ++k) {
    Status status = ERR_MEMORY;
    for (int64_t nth = 1; status != OK && nth < 50; ++nth) {
      MatForecast f;
      mem_fail_nth(nth);
      status = mat_forecast(&CASES[k], p.pattern, !exec_is_host(exec), &f);
      mem_fail_nth(0);
      if (status != OK) assert_int_equal(status, ERR_MEMORY);
      assert_int_equal(mem_in_use(), before);
    }
    assert_ok(status);
  }
  problem_release(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_format_to_the_byte),
                                     cmocka_unit_test(no_format_is_left_out), cmocka_unit_test(empty_matrix),
                                     cmocka_unit_test(refuses_as_the_build), cmocka_unit_test(forecast_without_memory)};
  return testing_run("solver/forecast", tests, exec);
}
