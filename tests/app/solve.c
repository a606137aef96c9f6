/* `sinew solve` in this process: Poisson matrices in every format with every preconditioner and precision against their
 * known solution; storage, blocks, right-hand sides; what is written can be read; every allocation failed once. */
#include "algebra/market/matrix_market.h"
#include "core/memory.h"
#include "algebra/mat.h"
#include "solver/precond/precond.h"
#include "algebra/graph/sparse_direct.h"
#include "tests/app/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NX = 13, NY = 12, N = NX * NY, COLUMNS = 3 };

static char *folder;

/* A known solution, one per column. */
static double known(int i, int column) { return 1 + sin(0.37 * i + column) + (column ? i % 5 : 0); }

static double laplace(int i, int j) {
  const int dx = abs(i % NX - j % NX), dy = abs(i / NX - j / NX);
  return dx + dy == 0 ? 4.1 : dx + dy == 1 ? -1 : 0;
}

/* The five-point matrix, its entries in one triangle or both, by columns from the last. */
static void write_matrix(const char *name, bool symmetric) {
  FILE *file = fopen(scratch_path(folder, name), "wb");
  int count = 0;
  assert_non_null(file);
  for (int pass = 0; pass < 2; ++pass) {
    if (pass)
      fprintf(file, "%%%%MatrixMarket matrix coordinate real %s\n%d %d %d\n", symmetric ? "symmetric" : "general", N, N,
              count);
    for (int j = N; j-- > 0;)
      for (int i = symmetric ? j : 0; i < N; ++i) {
        if (laplace(i, j) == 0) continue;
        if (pass) fprintf(file, "%d %d %g\n", i + 1, j + 1, laplace(i, j));
        else ++count;
      }
  }
  assert_int_equal(fclose(file), 0);
}

static void write_right(const char *name, int columns, bool coordinate) {
  FILE *file = fopen(scratch_path(folder, name), "wb");
  assert_non_null(file);
  fprintf(file, "%%%%MatrixMarket matrix %s real general\n%d %d", coordinate ? "coordinate" : "array", N, columns);
  fprintf(file, coordinate ? " %d\n" : "\n", N * columns);
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < N; ++i) {
      double sum = 0;
      for (int j = 0; j < N; ++j) sum += laplace(i, j) * known(j, c);
      if (coordinate) fprintf(file, "%d %d ", i + 1, c + 1);
      fprintf(file, "%.17g\n", sum);
    }
  assert_int_equal(fclose(file), 0);
}

static int make(void **state) {
  (void)state;
  folder = scratch_create();
  write_matrix("sym.mtx", true);
  write_matrix("gen.mtx", false);
  write_right("b.mtx", 1, false);
  write_right("b3.mtx", COLUMNS, false);
  write_right("c3.mtx", COLUMNS, true);
  write_right("b11.mtx", 11, false);
  return 0;
}

static int drop(void **state) {
  (void)state;
  scratch_remove(&folder);
  return 0;
}

/* Solves with more words; returns the solution, to be released. */
static MarketArray solved(const char *a, const char *b, int n, const char *const *more) {
  const char *words[24] = {"solve",
                           scratch_path(folder, a),
                           scratch_path(folder, b),
                           "--solution",
                           scratch_path(folder, "x.mtx"),
                           "--rtol",
                           "1e-12",
                           "--quiet"};
  const char *backend = getenv("SINEW_TEST_BACKEND");
  int k = 8;
  words[k++] = "--backend";
  words[k++] = backend && *backend ? backend : "cpu";
  for (int i = 0; i < n; ++i) words[k++] = more[i];
  unlink(words[4]);
  Said said = app_says_words(k, words);
  if (said.code)
    fail_msg("%s %s %s: exit code %d\n%s", n ? more[0] : a, n ? more[1] : b, n > 2 ? more[3] : "", said.code, said.err);
  assert_string_equal(said.out, "");
  /* near_null_space; a matrix says nothing of elements */
  if (!strstr(said.err, "'amg' has translations but no rotations") && !strstr(said.err, "'pmg' finds no lower order"))
    assert_string_equal(said.err, "");
  said_release(&said);
  MarketArray x;
  assert_ok(market_array_read(words[4], N, "x", &x));
  return x;
}

static void hold_known(const MarketArray *x, int columns) {
  assert_int_equal(x->columns, columns);
  for (int c = 0; c < columns; ++c)
    for (int i = 0; i < N; ++i) assert_near(x->value[c * N + i], known(i, c), 1e-10);
}

/* Where the Exec under test has not got it. */
static bool is_away(int32_t p) {
  return precond_type(p)->host && (strcmp(app_backend(), "cpu") != 0 || !sparse_direct_there());
}

static void every_format(void **state) {
  (void)state;
  int n = 0;
  for (int32_t f = -1; f < mat_format_count(); ++f)
    for (int32_t p = -1; p < precond_count(); ++p)
      if (!(p >= 0 && (precond_type(p)->dominant || is_away(p))))
        for (int k = 0; k < 6; ++k) {
          const char *more[] = {"--format",         f < 0 ? "auto" : mat_format_name(f),
                                "--preconditioner", p < 0 ? "auto" : precond_name(p),
                                "--precision",      k % 2 ? "double" : "mixed",
                                "--block",          k / 2 == 0 ? "1" : k / 2 == 1 ? "2" : "3"};
          MarketArray x = solved("sym.mtx", "b.mtx", 8, more);
          hold_known(&x, 1);
          market_array_release(&x);
          ++n;
        }
  assert_true(n >= 3 * 4 * 6);
}

static void write_array(const char *name, int rows, int columns) {
  FILE *file = fopen(scratch_path(folder, name), "wb");
  assert_non_null(file);
  fprintf(file, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, columns);
  for (int k = 0; k < rows * columns; ++k) fprintf(file, "%d\n", k < rows ? k % 7 : k / 7 % 11);
  assert_int_equal(fclose(file), 0);
}

/* What multigrid is told of rigid motions: taken where it fits, told where it is missing, refused where it cannot
 * be. */
static void near_null_space(void **state) {
  (void)state;
  write_array("places.mtx", N / 2, 2);
  write_array("vectors.mtx", N, 3);
  write_array("many.mtx", N, 7);
  const char *places = strdup(scratch_path(folder, "places.mtx")),
             *vectors = strdup(scratch_path(folder, "vectors.mtx")), *many = strdup(scratch_path(folder, "many.mtx"));
  const struct {
    const char *option[4];
    int n, code;
    const char *says;
  } cases[] = {{{"--block", "2"}, 2, 0, "has translations but no rotations"},
               {{"--block", "2", "--coordinates", places}, 4, 0, ""},
               {{"--near-null", vectors}, 2, 0, ""},
               {{"--near-null", vectors, "--block", "3"}, 4, 0, ""},
               {{"--coordinates", places}, 2, 2, "need --block 2 or 3"},
               {{"--coordinates", places, "--near-null", vectors}, 4, 2, "give one of them"},
               {{"--coordinates", places, "--block", "3"}, 4, 4, "as the places of --coordinates"},
               {{"--coordinates", vectors, "--block", "2"}, 4, 4, "as the places of --coordinates"},
               {{"--near-null", many}, 2, 4, "7 vectors, at most 6"},
               {{"--near-null", places}, 2, 4, "as the vectors of --near-null"},
               {{"--near-null", vectors, "--preconditioner", "jacobi"}, 4, 2, "is for --preconditioner amg"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    const char *words[16] = {"solve", scratch_path(folder, "sym.mtx"), "--output", scratch_path(folder, "near"),
                             "--quiet"};
    int n = 5;
    if (cases[k].n < 4 || strcmp(cases[k].option[2], "--preconditioner")) {
      words[n++] = "--preconditioner";
      words[n++] = "amg";
    }
    for (int i = 0; i < cases[k].n; ++i) words[n++] = cases[k].option[i];
    Said said = app_says_words(n, words);
    if (said.code != cases[k].code) fail_msg("case %d: exit code %d\n%s", (int)k, said.code, said.err);
    assert_non_null(strstr(said.err, cases[k].says));
    if (!*cases[k].says) assert_string_equal(said.err, "");
    said_release(&said);
  }
  free((void *)(uintptr_t)places);
  free((void *)(uintptr_t)vectors);
  free((void *)(uintptr_t)many);
}

/* Bit by bit. */
static void storage_and_shape(void **state) {
  (void)state;
  MarketArray a = solved("sym.mtx", "b.mtx", 0, NULL), b = solved("gen.mtx", "b.mtx", 0, NULL);
  assert_memory_equal(a.value, b.value, N * sizeof *a.value);
  market_array_release(&b);
  b = solved("gen.mtx", "b3.mtx", 0, NULL);
  hold_known(&b, COLUMNS); /* solved side by side: other roundings than alone */
  market_array_release(&a);
  a = solved("sym.mtx", "c3.mtx", 0, NULL);
  assert_memory_equal(a.value, b.value, COLUMNS * N * sizeof *a.value);
  market_array_release(&a);
  market_array_release(&b);
}

/* More columns than are solved at once, and choices that take one after another: the note says so. */
static void many_columns(void **state) {
  (void)state;
  static const char *const more[][4] = {{"--format", "csr", "--preconditioner", "least-squares"},
                                        {"--format", "sbell", "--preconditioner", "chebyshev"},
                                        {"--precision", "half", "--preconditioner", "least-squares"},
                                        {"--format", "ell", "--preconditioner", "jacobi"},
                                        {"--preconditioner", "ssor", "--block", "2"}};
  for (size_t i = 0; i < sizeof more / sizeof *more; ++i) {
    MarketArray x = solved("gen.mtx", "b11.mtx", 4, more[i]);
    hold_known(&x, 11);
    market_array_release(&x);
    const char *words[] = {"solve",
                           scratch_path(folder, "gen.mtx"),
                           scratch_path(folder, "b11.mtx"),
                           "--output",
                           scratch_path(folder, "o"),
                           more[i][0],
                           more[i][1],
                           more[i][2],
                           more[i][3]};
    Said said = app_says_words(9, words);
    assert_int_equal(said.code, 0);
    assert_non_null(strstr(said.out, "11 columns"));
    assert_int_equal(strstr(said.out, "one after another") != NULL, i >= 3);
    said_release(&said);
  }
}

/* The solution of A x = 1 is a file that can be read back as a right-hand side, with its residual small. */
static void ones_by_default(void **state) {
  (void)state;
  const char *words[] = {"solve", scratch_path(folder, "gen.mtx"), "--output", scratch_path(folder, "o"), "--rtol",
                         "1e-13"};
  Said said = app_says_words(6, words);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.out, "all ones"));
  assert_non_null(strstr(said.out, "156 unknowns, 730 entries, general storage"));
  said_release(&said);
  MarketArray x;
  assert_ok(market_array_read(scratch_path(folder, "o/solution.mtx"), N, "x", &x));
  for (int i = 0; i < N; ++i) {
    double sum = 0;
    for (int j = 0; j < N; ++j) sum += laplace(i, j) * x.value[j];
    assert_near(sum, 1, 1e-12);
  }
  market_array_release(&x);
  x = solved("sym.mtx", "o/solution.mtx", 0, NULL);
  market_array_release(&x);
}

/* The five-point matrix of n x n points with this diagonal: 4 and more is definite, 3 is not, and too large for the
 * reader's elimination. */
static void indefinite(void **state) {
  (void)state;
  enum { SIDE = 20, ROWS = SIDE * SIDE };
  FILE *file = fopen(scratch_path(folder, "indefinite.mtx"), "wb");
  assert_non_null(file);
  fprintf(file, "%%%%MatrixMarket matrix coordinate integer symmetric\n%d %d %d\n", ROWS, ROWS,
          ROWS + 2 * SIDE * (SIDE - 1));
  for (int i = 1; i <= ROWS; ++i) {
    fprintf(file, "%d %d 3\n", i, i);
    if (i % SIDE != 1) fprintf(file, "%d %d -1\n", i, i - 1);
    if (i > SIDE) fprintf(file, "%d %d -1\n", i, i - SIDE);
  }
  assert_int_equal(fclose(file), 0);
  for (int32_t p = 0; p < precond_count(); ++p) {
    if (precond_type(p)->dominant || is_away(p)) continue;
    const char *words[] = {"solve",    scratch_path(folder, "indefinite.mtx"), "--preconditioner", precond_name(p),
                           "--output", scratch_path(folder, "indefinite")};
    Said said = app_says_words(6, words);
    assert_int_equal(said.code, 6);
    assert_non_null(
        strstr(said.err, "indefinite.mtx: the matrix is not positive definite: conjugate gradients stopped"));
    assert_non_null(strstr(said.err, "of the file)\n  conjugate gradients need a symmetric positive definite matrix"));
    assert_null(strstr(said.err, "support"));
    said_release(&said);
    assert_int_equal(access(scratch_path(folder, "indefinite/report.json"), F_OK), 0);
    assert_int_not_equal(access(scratch_path(folder, "indefinite/solution.mtx"), F_OK), 0);
  }
}

/* Two free parts, a regular one (grounded) and an empty row, in one file: paths of conductances. */
static void write_parts(const char *name, bool grounded_only) {
  enum { PATH = 130 };
  FILE *file = fopen(scratch_path(folder, name), "wb");
  assert_non_null(file);
  const int parts = grounded_only ? 1 : 3, rows = parts * PATH + (grounded_only ? 0 : 1);
  fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", rows, rows,
          parts * (2 * PATH - 1) + (grounded_only ? 0 : 1));
  for (int p = 0; p < parts; ++p)
    for (int i = 0; i < PATH; ++i) {
      const int row = p * PATH + i + 1;
      const double left = i ? 1 + 0.1 * (i % 7) : 0, right = i + 1 < PATH ? 1 + 0.1 * ((i + 1) % 7) : 0;
      fprintf(file, "%d %d %.17g\n", row, row, left + right + (p == 0 && i == 5 ? 0.5 : 0));
      if (i) fprintf(file, "%d %d %.17g\n", row, row - 1, -left);
    }
  if (!grounded_only) fprintf(file, "%d %d 0\n", rows, rows);
  assert_int_equal(fclose(file), 0);
}

/* Currents with a mean in each part; the answer balances them without it, and has mean 0 in the free parts. */
static void free_constants(void **state) {
  (void)state;
  enum { PATH = 130, ROWS = 3 * PATH + 1 };
  write_parts("parts.mtx", false);
  FILE *file = fopen(scratch_path(folder, "currents.mtx"), "wb");
  assert_non_null(file);
  fprintf(file, "%%%%MatrixMarket matrix array real general\n%d 1\n", ROWS);
  for (int i = 0; i < ROWS; ++i) fprintf(file, "%.17g\n", sin(0.3 * i) + 0.7);
  assert_int_equal(fclose(file), 0);
  for (int32_t p = 0; p < precond_count(); ++p) {
    if (is_away(p)) continue;
    const char *words[] = {"solve",
                           scratch_path(folder, "parts.mtx"),
                           scratch_path(folder, "currents.mtx"),
                           "--preconditioner",
                           precond_name(p),
                           "--output",
                           scratch_path(folder, "free"),
                           "--backend",
                           app_backend(),
                           "--project-constant"};
    Said said = app_says_words(10, words);
    if (said.code) fail_msg("%s: %s", precond_name(p), said.err);
    assert_non_null(strstr(said.out, "3 of 4 connected parts are free"));
    said_release(&said);
    MarketArray x;
    assert_ok(market_array_read(scratch_path(folder, "free/solution.mtx"), ROWS, "x", &x));
    for (int part = 0; part < 3; ++part) {
      double mean = 0, b_mean = 0;
      const double *v = x.value + part * PATH;
      for (int i = 0; part && i < PATH; ++i) mean += v[i] / PATH, b_mean += (sin(0.3 * (part * PATH + i)) + 0.7) / PATH;
      if (part) assert_near(mean, 0, 1e-9);
      for (int i = 0; i < PATH; ++i) {
        const double left = i ? (1 + 0.1 * (i % 7)) * (v[i] - v[i - 1]) : 0;
        const double right = i + 1 < PATH ? (1 + 0.1 * ((i + 1) % 7)) * (v[i] - v[i + 1]) : 0;
        const double ground = part == 0 && i == 5 ? 0.5 * v[i] : 0;
        assert_within(left + right + ground, sin(0.3 * (part * PATH + i)) + 0.7 - b_mean, 1e-6);
      }
    }
    assert_true(x.value[ROWS - 1] == 0);
    market_array_release(&x);
  }
  const char *bare[] = {"solve", scratch_path(folder, "parts.mtx"), "--output", scratch_path(folder, "bare")};
  Said said = app_says_words(4, bare);
  assert_int_equal(said.code, 6); /* without the option it is named */
  assert_non_null(strstr(said.err, "not positive definite"));
  said_release(&said);
  write_parts("grounded.mtx", true);
  const char *regular[] = {"solve", scratch_path(folder, "grounded.mtx"), "--output", scratch_path(folder, "bare"),
                           "--project-constant"};
  said = app_says_words(5, regular);
  assert_int_equal(said.code, 0);
  assert_non_null(strstr(said.err, "nothing is projected"));
  said_release(&said);
  const char *blocks[] = {"solve", scratch_path(folder, "grounded.mtx"), "--block", "2", "--project-constant"};
  said = app_says_words(5, blocks);
  assert_int_equal(said.code, 2);
  said_release(&said);
}

/* A factor has no bound of the spectrum, so that nothing is said of one where rounding makes it start again, as on Hilbert's matrix. */
static void factors_have_no_bound(void **state) {
  (void)state;
  enum { HILBERT = 14 };
  FILE *file = fopen(scratch_path(folder, "hilbert.mtx"), "wb");
  assert_non_null(file);
  fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", HILBERT, HILBERT,
          HILBERT * (HILBERT + 1) / 2);
  for (int i = 0; i < HILBERT; ++i)
    for (int j = 0; j <= i; ++j) fprintf(file, "%d %d %.17g\n", i + 1, j + 1, 1.0 / (i + j + 1));
  assert_int_equal(fclose(file), 0);
  const char *words[] = {"solve",    scratch_path(folder, "hilbert.mtx"), "--preconditioner", "direct",
                         "--output", scratch_path(folder, "hilbert"),     "--quiet"};
  Said said = app_says_words(7, words);
  assert_null(strstr(said.err, "bound of the spectrum")); /* whether it converges, rounding says */
  said_release(&said);
}

static void allocations(void **state) {
  (void)state;
  const char *solution = scratch_path(folder, "y.mtx");
  const char *words[] = {"solve",
                         scratch_path(folder, "gen.mtx"),
                         scratch_path(folder, "b3.mtx"),
                         "--solution",
                         solution,
                         "--backend",
                         "cpu",
                         "--threads",
                         "1",
                         "--block",
                         "2",
                         "--quiet",
                         "--rtol",
                         "1e-12"};
  enum { WORDS = 14 };
  Said said = app_says_words(WORDS, words);
  said_release(&said);
  const size_t before = mem_in_use();
  mem_fail_nth(0);
  said = app_says_words(WORDS, words);
  const int64_t total = mem_count();
  assert_int_equal(said.code, 0);
  said_release(&said);
  int64_t fewer = 0; /* attempts that went on with fewer right-hand sides at once */
  for (int64_t k = 1; k <= total; ++k) {
    unlink(solution);
    mem_fail_nth(k);
    said = app_says_words(WORDS, words);
    mem_fail_nth(0);
    if (said.code == 0 && !access(solution, F_OK)) ++fewer;
    else if (said.code != 7) fail_msg("allocation %d of %d: exit code %d\n%s", (int)k, (int)total, said.code, said.err);
    else if (!strstr(said.err, "memory")) fail_msg("allocation %d: nothing about memory in %s", (int)k, said.err);
    if (mem_in_use() != before) fail_msg("allocation %d: %d bytes are lost", (int)k, (int)(mem_in_use() - before));
    said_release(&said);
    MarketArray x; /* a failure behind the last step leaves a solution, which must be whole */
    if (access(solution, F_OK)) continue;
    assert_ok(market_array_read(solution, N, "x", &x));
    hold_known(&x, COLUMNS);
    market_array_release(&x);
  }
  assert_in_range(fewer, 10, 30);
  print_message("%d allocations failed once each\n", (int)total);
}

int main(void) {
  Exec *exec = testing_exec(); /* skips where the GPU asked for is not there */
  exec_destroy(&exec);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_format),   cmocka_unit_test(near_null_space), cmocka_unit_test(storage_and_shape),
      cmocka_unit_test(many_columns),   cmocka_unit_test(ones_by_default), cmocka_unit_test(indefinite),
      cmocka_unit_test(free_constants), cmocka_unit_test(allocations),     cmocka_unit_test(factors_have_no_bound)};
  return cmocka_run_group_tests(tests, make, drop);
}
