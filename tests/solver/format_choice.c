/* The choice of a format without measuring: what the model counts is what the formats store, and it picks sensibly. */
#include "algebra/format_choice.h"
#include "core/memory.h"
#include "tests/solver/problems.h"
#include "tests/testing.h"

#include <math.h>
#include <string.h>

static Exec *exec;

/* n rows of `length(i)` entries each, columns wherever, the diagonal among them. */
static Pattern *pattern_of(int32_t n, int32_t block, int32_t (*length)(int32_t)) {
  Pattern *p = NULL;
  assert_ok(mem_alloc(1, sizeof *p, "pattern", (void **)&p));
  p->n = n;
  p->block = block;
  assert_ok(mem_alloc((int64_t)n + 1, sizeof *p->start, "starts", (void **)&p->start));
  for (int32_t i = 0; i < n; ++i) p->start[i + 1] = p->start[i] + length(i);
  assert_ok(mem_alloc(p->start[n], sizeof *p->column, "columns", (void **)&p->column));
  for (int32_t i = 0; i < n; ++i) {
    const int32_t first = i + length(i) > n ? n - length(i) : i;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) p->column[k] = first + (int32_t)(k - p->start[i]);
  }
  return p;
}

static int32_t even(int32_t i) {
  (void)i;
  return 9;
}
static int32_t mixed(int32_t i) { return 5 + (int32_t)((uint32_t)i * 2654435761u % 20); }
static int32_t one_long(int32_t i) { return i == 7 ? 4700 : 1 + i % 5; }

static void profiles_count_rows(void **state) {
  (void)state;
  Pattern *p = pattern_of(1000, 2, mixed);
  RowProfile profile;
  assert_ok(row_profile_create(p, &profile));
  int64_t rows = 0, entries = 0, natural = 0;
  for (int32_t l = 0; l <= profile.longest; ++l) rows += profile.count[l], entries += profile.count[l] * l;
  assert_int_equal(rows, 1000);
  assert_int_equal(entries, p->start[1000]);
  assert_int_equal(profile.entries, entries);
  assert_int_equal(profile.shortest, 5);
  assert_int_equal(profile.longest, 24);
  for (int32_t first = 0; first < 1000; first += 64) {
    int32_t longest = 0;
    for (int32_t i = first; i < first + 64 && i < 1000; ++i) longest = mixed(i) > longest ? mixed(i) : longest;
    natural += 64 * longest;
  }
  assert_int_equal(profile.natural[1], natural);
  row_profile_release(&profile);
  pattern_destroy(&p);
}

/* Values of the built matrix against the model's count, in per cent. */
static void check_slots(const Pattern *p, const MatParams *params, double percent) {
  RowProfile profile;
  FormatCost cost;
  Mat *a = NULL;
  const FormatMachine machine = format_machine(true);
  assert_ok(row_profile_create(p, &profile));
  assert_true(format_predict(&profile, params, &machine, &cost));
  assert_ok(mat_create(exec, params, p, &a));
  const double stored = (double)mat_slots(a)->n_value;
  if (!(fabs(cost.slots - stored) <= 0.01 * percent * stored))
    fail_msg("%s %s: predicted %g slots, stored %g", params->format, params->variant ? params->variant : "", cost.slots,
             stored);
  /* bytes: matrix and both vectors */
  const double bytes = (double)mat_bytes(a) + 2.0 * (double)mat_rows(a) * sizeof(double);
  if (!(fabs(cost.bytes - bytes) <= 0.05 * bytes))
    fail_msg("%s %s: predicted %g bytes, has %g", params->format, params->variant ? params->variant : "", cost.bytes,
             bytes);
  mat_destroy(&a);
  row_profile_release(&profile);
}

static bool registered(const char *format) {
  for (int32_t i = 0; i < mat_format_count(); ++i)
    if (!strcmp(mat_format_name(i), format)) return true;
  return false;
}

static void predicted_bytes_are_those_of_the_formats(void **state) {
  (void)state;
  static const MatParams all[] = {{.format = "csr"},
                                  {.format = "sell", .slice = 32},
                                  {.format = "sbell", .slice = 32},
                                  {.format = "sbell", .slice = 96},
                                  {.format = "ell"},
                                  {.format = "bell"},
                                  {.format = "sliced-ellr-t", .slice = 32, .threads = 4},
                                  {.format = "csr-balanced"},
                                  {.format = "csr-balanced", .threshold = 256},
                                  {.format = "segspmv", .threshold = 16},
                                  {.format = "segspmv", .variant = "r", .threshold = 16},
                                  {.format = "ell-warp", .variant = "k1"},
                                  {.format = "ell-warp", .variant = "k2", .threshold = 8}};
  int seen = 0;
  for (int w = 0; w < 3; ++w) {
    Pattern *p = pattern_of(20000, w == 1 ? 3 : w == 2 ? 2 : 1, w == 2 ? even : mixed);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
      if (!registered(all[i].format)) continue;
      check_slots(p, &all[i], 2);
      ++seen;
    }
    pattern_destroy(&p);
  }
  assert_true(seen >= 9);
}

static MatParams choose(const Pattern *p, bool gpu) {
  MatParams params;
  assert_ok(format_choose(p, PRECISION_DOUBLE, gpu, &params));
  assert_true(registered(params.format));
  return params;
}

static void blocks_take_sbell(void **state) {
  (void)state;
  for (int32_t block = 2; block <= 3; ++block)
    for (int gpu = 0; gpu < 2; ++gpu) {
      Pattern *p = pattern_of(100000, block, even);
      assert_string_equal(choose(p, gpu).format, "sbell");
      pattern_destroy(&p);
    }
}

/* A row of thousands may not be one thread's work on a GPU. */
static void a_long_row_is_shared(void **state) {
  (void)state;
  Pattern *p = pattern_of(200000, 1, one_long);
  const FormatMachine machine = format_machine(true);
  RowProfile profile;
  FormatCost chosen, plain;
  const MatParams params = choose(p, true), one_thread = {.format = "sbell", .slice = 32};
  assert_ok(row_profile_create(p, &profile));
  assert_true(format_predict(&profile, &params, &machine, &chosen));
  assert_true(format_predict(&profile, &one_thread, &machine, &plain));
  assert_true(plain.chain >= 4700 / 4);
  assert_true(chosen.chain <= 4700 / 8);
  assert_true(chosen.seconds < 0.5 * plain.seconds);
  row_profile_release(&profile);
  pattern_destroy(&p);
}

/* Couplings near the diagonal against the same numbers of them anywhere: x comes through the cache in sectors. */
static void columns_far_apart_cost_more(void **state) {
  (void)state;
  Pattern *p = pattern_of(215000, 1, mixed);
  const FormatMachine machine = format_machine(true);
  RowProfile near, far;
  FormatCost cost[2];
  assert_ok(row_profile_create(p, &near));
  for (int64_t k = 0; k < p->start[p->n]; ++k)
    p->column[k] = (int32_t)(((uint64_t)k * 0x9e3779b97f4a7c15u >> 20) % 215000u);
  assert_ok(row_profile_create(p, &far));
  for (int low = 0; low < 2; ++low) {
    assert_true(far.sector[SECTOR_NATURAL][low] > 4 * near.sector[SECTOR_NATURAL][low]);
    assert_true(near.sector[SECTOR_SORTED][low] > near.sector[SECTOR_NATURAL][low]);
    const MatParams params = {
        .format = "ell-warp", .variant = "k1", .precision = low ? PRECISION_FLOAT : PRECISION_DOUBLE};
    assert_true(format_predict(&near, &params, &machine, &cost[0]));
    assert_true(format_predict(&far, &params, &machine, &cost[1]));
    assert_true(cost[1].bytes == cost[0].bytes && cost[1].seconds > 1.2 * cost[0].seconds);
  }
  row_profile_release(&near);
  row_profile_release(&far);
  pattern_destroy(&p);
}

/* One row that is coupled with all: tiles of equal work, whatever the format that cuts them. */
static int32_t arrow(int32_t i) { return i == 0 ? 200000 : 4; }
static void an_arrow_is_balanced(void **state) {
  (void)state;
  Pattern *p = pattern_of(200000, 1, arrow);
  for (int low = 0; low < 2; ++low) {
    MatParams chosen;
    assert_ok(format_choose(p, low ? PRECISION_FLOAT : PRECISION_DOUBLE, true, &chosen));
    assert_string_equal(chosen.format, "csr-balanced");
  }
  pattern_destroy(&p);
}

static void the_machine_matters(void **state) {
  (void)state;
  Pattern *p = pattern_of(400000, 1, even);
  FormatMachine machine = format_machine(true);
  RowProfile profile;
  FormatCost cached, far, low;
  MatParams params = {.format = "sbell", .slice = 32};
  assert_ok(row_profile_create(p, &profile));
  machine.cache_bytes = 1e9;
  assert_true(format_predict(&profile, &params, &machine, &cached));
  machine.cache_bytes = 1e6;
  assert_true(format_predict(&profile, &params, &machine, &far));
  assert_true(cached.seconds < far.seconds);
  params.precision = PRECISION_FLOAT;
  assert_true(format_predict(&profile, &params, &machine, &low));
  assert_true(low.bytes < 0.75 * far.bytes);
  assert_true(low.seconds < far.seconds);
  /* what the model does not know it does not guess */
  assert_false(format_predict(&profile, &(MatParams){.format = "ell-warp", .variant = "k9"}, &machine, &low));
  assert_false(format_predict(&profile, &(MatParams){.format = "nothing"}, &machine, &low));
  row_profile_release(&profile);
  pattern_destroy(&p);
}

static void auto_multiplies_right(void **state) {
  (void)state;
  for (int w = 0; w < 4; ++w) {
    Problem p;
    if (w < 3) problem_random(w == 0 ? 1 : 211, w + 1, (unsigned)w, &p);
    else problem_grid(17, 11, 9, 3, 10, &p);
    Mat *a = problem_mat(exec, &p, "auto");
    const int64_t n = mat_rows(a);
    assert_true(registered(mat_format(a)));
    assert_null(mat_numbering(a)); /* solvers take vectors in natural order */
    double *x = problem_vector(exec, n, NULL), *y = problem_vector(exec, n, NULL), *hx = NULL, *hy = NULL,
           *wanted = NULL;
    assert_ok(mem_alloc(n, sizeof *hx, "x", (void **)&hx));
    assert_ok(mem_alloc(n, sizeof *hy, "y", (void **)&hy));
    assert_ok(mem_alloc(n, sizeof *wanted, "reference", (void **)&wanted));
    assert_ok(mat_apply(a, x, y));
    assert_ok(exec_download(exec, hx, x, (size_t)n * sizeof *hx));
    assert_ok(exec_download(exec, hy, y, (size_t)n * sizeof *hy));
    problem_apply(&p, hx, wanted);
    double size = 1;
    for (int64_t i = 0; i < n; ++i) size = fmax(size, fabs(wanted[i]));
    for (int64_t i = 0; i < n; ++i) assert_near(hy[i] / size, wanted[i] / size, 1e-14);
    FREE(hx);
    FREE(hy);
    FREE(wanted);
    EXEC_RELEASE(exec, x, n);
    EXEC_RELEASE(exec, y, n);
    mat_destroy(&a);
    problem_release(&p);
  }
}

static void a_failed_allocation_is_told(void **state) {
  (void)state;
  Pattern *p = pattern_of(100, 1, mixed);
  const size_t before = mem_in_use();
  MatParams params;
  mem_fail_nth(1);
  assert_int_equal(format_choose(p, PRECISION_DOUBLE, true, &params), ERR_MEMORY);
  mem_fail_nth(0);
  status_clear();
  assert_int_equal(mem_in_use(), before);
  pattern_destroy(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(profiles_count_rows),         cmocka_unit_test(predicted_bytes_are_those_of_the_formats),
      cmocka_unit_test(blocks_take_sbell),           cmocka_unit_test(a_long_row_is_shared),
      cmocka_unit_test(the_machine_matters),         cmocka_unit_test(auto_multiplies_right),
      cmocka_unit_test(a_failed_allocation_is_told), cmocka_unit_test(columns_far_apart_cost_more),
      cmocka_unit_test(an_arrow_is_balanced),
  };
  return testing_run("solver/format_choice", tests, exec);
}
