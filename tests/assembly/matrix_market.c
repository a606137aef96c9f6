/* Matrix Market files: what is read, against a dense matrix made the slow way; blocks; allocations; damage. What a user
 * reads about wrong files is in tests/cli/solve.c. */
#include "algebra/market/matrix_market.h"
#include "core/memory.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 24 };
static char path[64];

static int make(void **state) {
  (void)state;
  snprintf(path, sizeof path, "/tmp/sinew-market-XXXXXX");
  const int file = mkstemp(path);
  if (file < 0) return -1;
  return close(file);
}
static int drop(void **state) {
  (void)state;
  return unlink(path);
}

static void put_bytes(const char *text, size_t n) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}
static void put(const char *text) { put_bytes(text, strlen(text)); }

static double entry(const MarketMatrix *m, int i, int j) {
  const Pattern *p = m->pattern;
  const int b = p->block;
  for (int64_t k = p->start[i / b]; k < p->start[i / b + 1]; ++k)
    if (p->column[k] == j / b) return m->value[(k * b + i % b) * b + j % b];
  return 0;
}

/* The pattern's promises: ascending columns in range, the diagonal there. */
static void hold_pattern(const Pattern *p) {
  assert_int_equal(p->start[0], 0);
  for (int i = 0; i < p->n; ++i) {
    bool diagonal = false;
    for (int64_t k = p->start[i]; k < p->start[i + 1]; ++k) {
      assert_true(p->column[k] >= 0 && p->column[k] < p->n);
      if (k > p->start[i]) assert_true(p->column[k] > p->column[k - 1]);
      diagonal = diagonal || p->column[k] == i;
    }
    assert_true(diagonal);
  }
}

static uint32_t seed;
static uint32_t next(void) { return (seed = seed * 1664525u + 1013904223u) >> 8; }

/* Random entries, some twice, in random order, as a text and added up in a dense matrix. */
static int random_file(bool symmetric, int n, double dense[MOST][MOST], char *text, size_t size) {
  const int count = 3 * n;
  int used = snprintf(text, size, "%%%%MatrixMarket MATRIX Coordinate real %s\n%% made\n\n%d %d %d\n",
                      symmetric ? "symmetric" : "general", n, n, count);
  memset(dense, 0, sizeof(double[MOST][MOST]));
  for (int k = 0; k < count; ++k) {
    int i = (int)(next() % (unsigned)n), j = (int)(next() % (unsigned)n);
    if (symmetric && i < j) i += j, j = i - j, i -= j;
    const double value = (double)next() / 65536 - 100;
    dense[i][j] += value;
    if (symmetric && i != j) dense[j][i] += value;
    used += snprintf(text + used, size - (size_t)used, "%s%d\t%d  %.17g %s", k % 5 ? "" : "%x\n  ", i + 1, j + 1, value,
                     k % 3 ? "\n" : "\r\n");
  }
  return count;
}

static void random_matrices(void **state) {
  (void)state;
  static double dense[MOST][MOST];
  static char text[16384];
  seed = 1;
  int64_t repeated = 0;
  for (int round = 0; round < 200; ++round) {
    const int n = 1 + round % MOST, count = random_file(round % 2, n, dense, text, sizeof text);
    MarketMatrix m;
    put(text);
    assert_ok(market_matrix_read(path, 0, &m));
    assert_int_equal(m.pattern->n, n);
    assert_int_equal(m.n_stored, count);
    assert_int_equal(m.symmetric, round % 2);
    hold_pattern(m.pattern);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) assert_true(entry(&m, i, j) == dense[i][j]);
    repeated += m.n_repeated;
    const int b = 2 + round % 4 / 2;
    if (n % b == 0) {
      assert_ok(market_matrix_block(&m, b));
      assert_int_equal(m.pattern->n, n / b);
      assert_int_equal(m.pattern->block, b);
      hold_pattern(m.pattern);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) assert_true(entry(&m, i, j) == dense[i][j]);
    } else {
      assert_fails(market_matrix_block(&m, b), ERR_INPUT, "cannot be cut into blocks");
    }
    market_matrix_release(&m);
    status_warnings_clear();
  }
  assert_true(repeated > 100);
}

static void repeated_entries_warn(void **state) {
  (void)state;
  MarketMatrix m;
  put("%%MatrixMarket matrix coordinate integer symmetric\n2 2 5\n1 1 2\n2 1 1\n2 2 4\n2 1 -3\n2 1 1\n");
  assert_ok(market_matrix_read(path, MARKET_SYMMETRIC | MARKET_POSITIVE, &m));
  assert_int_equal(m.n_repeated, 2);
  assert_true(entry(&m, 0, 1) == -1 && entry(&m, 1, 0) == -1);
  assert_int_equal(status_warning_count(), 1);
  assert_non_null(
      strstr(status_warning(0), ":6: entry (2, 1) is given more than once; 2 repeated entries are added up"));
  status_warnings_clear();
  market_matrix_release(&m);
}

/* 1e-12 of the entries may differ, and round-off of the diagonal; more may not. */
static void symmetry_is_held(void **state) {
  (void)state;
  static const struct {
    const char *upper, *lower, *why; /* entries (1, 3) and (3, 1) */
  } rows[] = {{"1 3 0.5\n", "3 1 0.5\n", NULL},
              {"1 3 0.5\n", "3 1 0.5000000000001\n", NULL},
              {"1 3 0.5\n", "3 1 0.500000000002\n", "entry (1, 3) = 0.5 but (3, 1) = 0.500000000002; 1 pair differs"},
              {"1 3 1e-15\n", "3 1 -1e-15\n", NULL},
              {"1 3 1e-13\n", "3 1 -1e-13\n", "1 pair differs"},
              {"1 3 0\n", "2 2 0\n", NULL},
              {"1 3 0.5\n", "2 2 0\n", "entry (1, 3) = 0.5 but (3, 1) is not there"},
              {"2 2 0\n", "3 1 0.5\n", "entry (3, 1) = 0.5 but (1, 3) is not there"},
              {"1 2 7\n", "3 1 0.5\n", "2 pairs differ"},
              {"3 2 7\n", "3 1 0.5\n", "2 pairs differ"},
              {"1 2 7\n", "1 3 0.5\n", "2 pairs differ"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    char text[256];
    MarketMatrix m;
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 1\n3 3 1\n%s%s2 2 1\n",
             rows[i].upper, rows[i].lower);
    put(text);
    if (rows[i].why) assert_fails(market_matrix_read(path, MARKET_SYMMETRIC, &m), ERR_MESH, rows[i].why);
    else assert_ok(market_matrix_read(path, MARKET_SYMMETRIC, &m));
    market_matrix_release(&m);
    assert_ok(market_matrix_read(path, 0, &m));
    market_matrix_release(&m);
    status_warnings_clear();
  }
}

/* Elimination sees small indefinite matrices, leaves singular ones alone, and passes definite ones of the same look. */
static void positive_is_held(void **state) {
  (void)state;
  for (int sign = -1; sign <= 1; ++sign) {
    MarketMatrix m;
    char text[8192];
    int n = 40, used = snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", n,
                                n, 2 * n - 1);
    for (int i = 1; i <= n; ++i) { /* a chain of springs; held, free, or pushed at its end */
      used += snprintf(text + used, sizeof text - (size_t)used, "%d %d %g\n", i, i,
                       i == 1 || i == n ? 1 + 0.25 * sign * (i == n) : 2);
      if (i > 1) used += snprintf(text + used, sizeof text - (size_t)used, "%d %d -1\n", i, i - 1);
    }
    put(text);
    if (sign < 0)
      assert_fails(market_matrix_read(path, MARKET_SYMMETRIC | MARKET_POSITIVE, &m), ERR_NUMERIC, "in row 40");
    else assert_ok(market_matrix_read(path, MARKET_SYMMETRIC | MARKET_POSITIVE, &m));
    market_matrix_release(&m);
  }
}

static void arrays(void **state) {
  (void)state;
  MarketArray a;
  put("%%MatrixMarket matrix array real general\n3 2\n1\n-2.5e3\n3\n\n4 \n5\n6");
  assert_ok(market_array_read(path, 3, "A", &a));
  assert_true(a.rows == 3 && a.columns == 2 && a.value[1] == -2.5e3 && a.value[3] == 4 && a.value[5] == 6);
  market_array_release(&a);
  put("%%MatrixMarket matrix coordinate integer general\n3 2 3\n3 1 7\n1 2 -1\n3 1 2\n");
  assert_ok(market_array_read(path, 3, "A", &a));
  static const double wanted[] = {0, 0, 9, -1, 0, 0};
  assert_memory_equal(a.value, wanted, sizeof wanted);
  market_array_release(&a);
  assert_fails(market_array_read(path, 4, "A.mtx", &a), ERR_MESH,
               ":2: the right-hand side has 3 rows, but A.mtx has 4");
}

/* A one-row matrix holds whatever number strtod would read, to the last bit. */
static void numbers_are_exact(void **state) {
  (void)state;
  static const char *const texts[] = {"1",
                                      "+.5",
                                      "5.",
                                      "0.1",
                                      "1e-310",
                                      "1.7976931348623157e308",
                                      "4.9e-324",
                                      "123456789012345678901234567890",
                                      "9007199254740993",
                                      "3E+2"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    char text[256];
    MarketMatrix m;
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 %s\n", texts[i]);
    put(text);
    assert_ok(market_matrix_read(path, MARKET_SYMMETRIC | MARKET_POSITIVE, &m));
    assert_true(m.value[0] == strtod(texts[i], NULL));
    market_matrix_release(&m);
  }
}

static void allocations(void **state) {
  (void)state;
  const size_t before = mem_in_use();
  static const char *const heads[] = {"general\n4 4 9\n1 2 1\n", "symmetric\n4 4 8\n"};
  for (int h = 0; h < 2; ++h) {
    char text[256];
    snprintf(text, sizeof text,
             "%%%%MatrixMarket matrix coordinate real %s2 1 1\n1 1 9\n2 2 9\n3 3 9\n4 4 9\n4 4 1\n4 4 2\n1 1 2\n",
             heads[h]);
    put(text);
    int64_t total = 1;
    for (int64_t k = 0; k <= total; ++k) { /* 0: none fails */
      MarketMatrix m;
      mem_fail_nth(k);
      Status status = market_matrix_read(path, MARKET_SYMMETRIC | MARKET_POSITIVE, &m);
      if (status == OK) status = market_matrix_block(&m, 2);
      if (k == 0) total = mem_count();
      mem_fail_nth(0);
      if (k == 0) assert_ok(status);
      else assert_int_equal(status, ERR_MEMORY);
      market_matrix_release(&m);
      assert_int_equal(mem_in_use(), before);
    }
    assert_true(total >= 10);
    status_warnings_clear();
  }
}

/* Hundreds of damaged files: an answer, no crash, no memory kept. */
static void damage(void **state) {
  (void)state;
  static double dense[MOST][MOST];
  static char text[16384];
  const size_t before = mem_in_use();
  int good = 0, bad = 0;
  seed = 7;
  for (int round = 0; round < 600; ++round) {
    static const char odd[] = "0-9e.\n %+\0\xff";
    random_file(round % 2, 1 + round % MOST, dense, text, sizeof text);
    size_t n = strlen(text);
    for (int k = 0; k < round % 3; ++k) text[next() % n] = odd[next() % (sizeof odd - 1)];
    if (round % 3 == 0) n = next() % n;
    put_bytes(text, n);
    MarketMatrix m;
    const Status status = market_matrix_read(path, round % 5 ? 0 : MARKET_SYMMETRIC | MARKET_POSITIVE, &m);
    if (status != OK && status != ERR_MESH && status != ERR_NUMERIC) fail_msg("round %d: %s", round, status_message());
    if (status == OK) hold_pattern(m.pattern);
    status == OK ? ++good : ++bad;
    market_matrix_release(&m);
    status_warnings_clear();
    assert_int_equal(mem_in_use(), before);
  }
  if (good < 20 || bad < 100) fail_msg("%d files passed, %d did not", good, bad);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_matrices),  cmocka_unit_test(repeated_entries_warn),
                                     cmocka_unit_test(symmetry_is_held), cmocka_unit_test(positive_is_held),
                                     cmocka_unit_test(arrays),           cmocka_unit_test(numbers_are_exact),
                                     cmocka_unit_test(allocations),      cmocka_unit_test(damage)};
  return cmocka_run_group_tests(tests, make, drop);
}
