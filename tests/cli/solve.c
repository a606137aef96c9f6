/* `sinew solve` as its user meets it: every kind of wrong file with its exit code and the exact words, where the files
 * go, and that a wrong input leaves nothing behind. */
#include "tests/cli/json.h"
#include "tests/cli/run_program.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define GENERAL "%%MatrixMarket matrix coordinate real general\n"
#define NEEDED "\n  conjugate gradients need a symmetric positive definite matrix"
#define GOOD SYMMETRIC "3 3 5\n1 1 4\n2 1 -1\n2 2 4\n3 2 -1\n3 3 4\n"
#define LAPLACIAN SYMMETRIC "3 3 5\n1 1 1\n2 1 -1\n2 2 2\n3 2 -1\n3 3 1\n"
#define SYMMETRIC_ARRAY "%%MatrixMarket matrix array real symmetric\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

typedef struct Bad {
  const char *name, *a, *b; /* b NULL: ones */
  int code;
  const char *said; /* the whole of stderr; an ending in "..." stands for more */
} Bad;

static const Bad bad[] = {
    {"good", GOOD, NULL, 0, ""},
    {"CRLF, comments and blank lines",
     "%%MatrixMarket matrix coordinate real symmetric\r\n% c\r\n\r\n1 1 1\r\n%x\r\n1 1 2\r\n\r\n", NULL, 0, ""},
    {"byte-order mark, capitals", "\xef\xbb\xbf%%matrixmarket MATRIX Coordinate Integer SYMMETRIC\n1 1 1\n1 1 2", NULL,
     0, ""},
    {"empty", "", NULL, 4, "A.mtx: the file is empty (0 bytes); write it again"},
    {"no header", "3 3 5\n1 1 4\n", NULL, 4,
     "A.mtx:1: '3 3 5' is not the header of a Matrix Market file\n"
     "  the first line must be '%%MatrixMarket matrix coordinate real symmetric' or the like"},
    {"short header", "%%MatrixMarket matrix coordinate\n", NULL, 4,
     "A.mtx:1: the header '%%MatrixMarket matrix coordinate' must have 5 words, such as '%%MatrixMarket matrix "
     "coordinate "
     "real symmetric'"},
    {"unknown object", "%%MatrixMarket vector coordinate real general\n1 1 1\n", NULL, 4,
     "A.mtx:1: unknown object 'vector' in the header\n  allowed: matrix"},
    {"unknown format", "%%MatrixMarket matrix cordinate real general\n1 1 1\n", NULL, 4,
     "A.mtx:1: unknown format 'cordinate' in the header\n  allowed: coordinate, array\n  did you mean 'coordinate'?"},
    {"unknown field", "%%MatrixMarket matrix coordinate reel general\n1 1 1\n", NULL, 4,
     "A.mtx:1: unknown field 'reel' in the header\n  allowed: real, integer\n  did you mean 'real'?"},
    {"unknown symmetry", "%%MatrixMarket matrix coordinate real symetric\n1 1 1\n", NULL, 4,
     "A.mtx:1: unknown symmetry 'symetric' in the header\n  allowed: general, symmetric\n  did you mean 'symmetric'?"},
    {"complex", "%%MatrixMarket matrix coordinate complex symmetric\n1 1 1\n1 1 1 0\n", NULL, 4,
     "A.mtx:1: complex numbers are not supported; only 'real' and 'integer'"},
    {"hermitian", "%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n", NULL, 4,
     "A.mtx:1: 'hermitian' is for complex numbers, which are not supported; a real matrix is 'symmetric'"},
    {"skew", "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n", NULL, 4,
     "A.mtx:1: a skew-symmetric matrix is not supported: its diagonal is zero, so it is not positive definite"},
    {"pattern", "%%MatrixMarket matrix coordinate pattern symmetric\n1 1 1\n1 1\n", NULL, 4,
     "A.mtx:1: a 'pattern' has places but no values, so there is nothing to solve; write the matrix as 'coordinate "
     "real'"},
    {"dense", ARRAY "2 2\n4\n1\n1\n4\n", NULL, 0, ""},
    {"dense, one triangle", SYMMETRIC_ARRAY "3 3\n4\n-1\n0\n4\n-1\n4\n", NULL, 0, ""},
    {"dense, unsymmetric", ARRAY "2 2\n4\n1\n2\n4\n", NULL, 4,
     "A.mtx:5: the matrix is not symmetric: entry (1, 2) = 2 but (2, 1) = 1; 1 pair differs" NEEDED},
    {"dense, cut off", SYMMETRIC_ARRAY "3 3\n4\n-1\n0\n4\n-1\n", NULL, 4,
     "A.mtx:8: the file ends after 5 of 6 numbers; it is cut off: write or copy it again"},
    {"dense, a number more", SYMMETRIC_ARRAY "2 2\n4\n-1\n4\n4\n", NULL, 4,
     "A.mtx:6: the line '4' follows although all 3 numbers have been read; the sizes are wrong or lines were added"},
    {"dense, rectangular", SYMMETRIC_ARRAY "2 3\n4\n-1\n4\n", NULL, 4,
     "A.mtx:2: the matrix is rectangular, 2 rows and 3 columns; it must be square"},
    {"hexadecimal", SYMMETRIC "2 2 2\n1 1 0x4\n2 2 4\n", NULL, 4,
     "A.mtx:3: '0x4' where the value was expected, which must be a decimal number"},
    {"hexadecimal, negative", SYMMETRIC "2 2 3\n1 1 4\n2 1 -0X1p0\n2 2 4\n", NULL, 4,
     "A.mtx:4: '-0X1p0' where the value was expected, which must be a decimal number"},
    {"graph Laplacian", LAPLACIAN, NULL, 6,
     "A.mtx: the matrix is singular: the rows of its only connected part add up to 0 (a graph Laplacian, or a problem "
     "without "
     "supports), and the right-hand side has a mean there\n  --project-constant solves it up to the mean of each such "
     "part"},
    {"graph Laplacian with a right-hand side in its range", LAPLACIAN, ARRAY "3 1\n1\n0\n-1\n", 0, ""},
    {"graph with a lone vertex", SYMMETRIC "3 3 3\n1 1 1\n2 1 -1\n2 2 1\n", NULL, 6,
     "A.mtx: the matrix is not positive definite: diagonal entry (3, 3) is not in the file, which makes it zero; 1 "
     "such entry" NEEDED "; a graph Laplacian is solved by --project-constant"},
    {"no sizes", SYMMETRIC "% nothing\n", NULL, 4,
     "A.mtx:3: the file ends where the number of rows was expected; it is cut off: write or copy it again"},
    {"two sizes", SYMMETRIC "3 3\n1 1 4\n", NULL, 4,
     "A.mtx:2: the line '3 3' ends where the number of entries was expected"},
    {"four sizes", SYMMETRIC "3 3 5 7\n1 1 4\n", NULL, 4,
     "A.mtx:2: there is more on the line '3 3 5 7' than rows, columns and entries"},
    {"no rows", SYMMETRIC "0 0 0\n", NULL, 4, "A.mtx:2: the number of rows is 0, must be 1 or more"},
    {"negative columns", GENERAL "3 -3 5\n", NULL, 4, "A.mtx:2: the number of columns is -3, must be 1 or more"},
    {"negative entries", SYMMETRIC "3 3 -5\n", NULL, 4, "A.mtx:2: the number of entries is -5, must be 0 or more"},
    {"too many rows", SYMMETRIC "3000000000 3000000000 1\n1 1 1\n", NULL, 4,
     "A.mtx:2: the number of rows is 3000000000, at most 2147483646 are supported"},
    {"beyond integers", SYMMETRIC "99999999999999999999 1 1\n", NULL, 4,
     "A.mtx:2: '99999999999999999999' where the number of rows was expected, which must be a whole number below "
     "9.2e18"},
    {"more rows than bytes", SYMMETRIC "2000000000 2000000000 1\n1 1 1\n", NULL, 4,
     "A.mtx:2: 2000000000 rows and 2000000000 columns are declared, but only 7 bytes are left in the file: most rows "
     "would "
     "be empty; it is damaged"},
    {"more entries than bytes", SYMMETRIC "3 3 4000000000000\n1 1 1\n", NULL, 4,
     "A.mtx:2: 4000000000000 entries are declared, but only 7 bytes are left in the file; it is damaged or cut off: "
     "write or "
     "copy it again"},
    {"rectangular", GENERAL "2 3 2\n1 1 1\n2 2 1\n", NULL, 4,
     "A.mtx:2: the matrix is rectangular, 2 rows and 3 columns; it must be square"},
    {"one line missing", SYMMETRIC "3 3 5\n1 1 4\n2 1 -1\n2 2 4\n3 2 -1\n", NULL, 4,
     "A.mtx:7: the file ends after 4 of 5 entries; it is cut off: write or copy it again"},
    {"cut in a line", SYMMETRIC "3 3 5\n1 1 4\n2 1 -1\n2 2", NULL, 4,
     "A.mtx:5: the file ends where the value was expected; it is cut off: write or copy it again"},
    {"one line more", GOOD "3 1 -1\n", NULL, 4,
     "A.mtx:8: the line '3 1 -1' follows although all 5 entries have been read; the sizes are wrong or lines were "
     "added"},
    {"short line", SYMMETRIC "2 2 2\n1 1\n2 2 4\n", NULL, 4,
     "A.mtx:3: the line '1 1' ends where the value was expected"},
    {"long line", SYMMETRIC "2 2 2\n1 1 4 4\n2 2 4\n", NULL, 4,
     "A.mtx:3: there is more on the line '1 1 4 4' than row, column and value"},
    {"row 0", SYMMETRIC "2 2 2\n1 1 4\n0 1 4\n", NULL, 4,
     "A.mtx:4: the row is 0, must be 1 to 2 (Matrix Market counts from 1)"},
    {"column too large", SYMMETRIC "2 2 2\n1 1 4\n2 3 4\n", NULL, 4, "A.mtx:4: the column is 3, must be 1 to 2"},
    {"row negative", SYMMETRIC "2 2 2\n1 1 4\n-2 2 4\n", NULL, 4, "A.mtx:4: the row is -2, must be 1 to 2"},
    {"row a fraction", SYMMETRIC "2 2 2\n1 1 4\n2.0 2 4\n", NULL, 4,
     "A.mtx:4: '2.0' where the row was expected, which must be a whole number"},
    {"nan", SYMMETRIC "2 2 2\n1 1 nan\n2 2 4\n", NULL, 4,
     "A.mtx:3: the value in the line '1 1 nan' is not a finite number"},
    {"infinite", SYMMETRIC "2 2 2\n1 1 4\n2 2 -inf\n", NULL, 4,
     "A.mtx:4: the value in the line '2 2 -inf' is not a finite number"},
    {"overflow", SYMMETRIC "2 2 2\n1 1 4\n2 2 1e999\n", NULL, 4,
     "A.mtx:4: the value in the line '2 2 1e999' is not a finite number"},
    {"decimal comma", SYMMETRIC "2 2 2\n1 1 4\n2 2 1,5\n", NULL, 4,
     "A.mtx:4: '1,5' where the value was expected, which must be a number"},
    {"both triangles", SYMMETRIC "2 2 4\n1 1 4\n2 2 4\n2 1 1\n1 2 1\n", NULL, 4,
     "A.mtx:6: entry (1, 2) lies above the diagonal, others before it on the other side: 'symmetric' storage holds one "
     "triangle\n  remedy: omit one triangle, or write 'general' in the header"},
    {"unsymmetric", GENERAL "2 2 4\n1 1 4\n1 2 1\n2 1 3\n2 2 4\n", NULL, 4,
     "A.mtx:4: the matrix is not symmetric: entry (1, 2) = 1 but (2, 1) = 3; 1 pair differs" NEEDED},
    {"one-sided", GENERAL "2 2 3\n1 1 4\n2 1 3\n2 2 4\n", NULL, 4,
     "A.mtx:4: the matrix is not symmetric: entry (2, 1) = 3 but (1, 2) is not there; 1 pair differs" NEEDED},
    {"repeated", SYMMETRIC "1 1 2\n1 1 4\n1 1 4\n", NULL, 0,
     "warning: A.mtx:4: entry (1, 1) is given more than once; 1 repeated entry is added up"},
    {"negative diagonal", SYMMETRIC "2 2 2\n1 1 4\n2 2 -4\n", NULL, 6,
     "A.mtx:4: the matrix is not positive definite: diagonal entry (2, 2) is -4; 1 such entry" NEEDED},
    {"zero diagonal", SYMMETRIC "2 2 2\n1 1 0\n2 2 4\n", NULL, 6,
     "A.mtx:3: the matrix is not positive definite: diagonal entry (1, 1) is 0; 1 such entry" NEEDED},
    {"no diagonal", SYMMETRIC "2 2 1\n2 1 1\n", NULL, 6,
     "A.mtx: the matrix is not positive definite: diagonal entry (1, 1) is not in the file, which makes it zero; 2 "
     "such "
     "entries" NEEDED "; all entries of the diagonal are like that: change the sign of matrix and right-hand side"},
    {"a bad pair", SYMMETRIC "2 2 3\n1 1 1\n2 1 2\n2 2 1\n", NULL, 6,
     "A.mtx:4: the matrix is not positive definite: entry (2, 1) is 2, too large beside (2, 2) = 1 and (1, 1) = "
     "1" NEEDED},
    {"indefinite", SYMMETRIC "3 3 5\n1 1 1\n2 1 -0.8\n2 2 1\n3 2 -0.8\n3 3 1\n", NULL, 6,
     "A.mtx:7: the matrix is not positive definite: elimination meets -0.777778 on the diagonal in row 3" NEEDED},
    {"right-hand side", GOOD, ARRAY "3 1\n1\n2\n3\n", 0, ""},
    {"right-hand side too short", GOOD, ARRAY "% two\n2 1\n1\n2\n", 4,
     "B.mtx:3: the right-hand side has 2 rows, but A.mtx has 3"},
    {"right-hand side cut off", GOOD, ARRAY "3 2\n1\n2\n3\n4\n5", 4,
     "B.mtx:7: the file ends after 5 of 6 numbers; it is cut off: write or copy it again"},
    {"right-hand side with more", GOOD, ARRAY "3 1\n1\n2\n3\n4\n", 4,
     "B.mtx:6: the line '4' follows although all 3 numbers have been read; the sizes are wrong or lines were added"},
    {"right-hand side nan", GOOD, ARRAY "3 1\n1\nnan\n3\n", 4,
     "B.mtx:4: the value in the line 'nan' is not a finite number"},
    {"right-hand side complex", GOOD, "%%MatrixMarket matrix array complex general\n3 1\n1 0\n", 4,
     "B.mtx:1: complex numbers are not supported; only 'real' and 'integer'"},
    {"right-hand side symmetric", GOOD, "%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 4,
     "B.mtx:1: a right-hand side is 'general', not 'symmetric'"},
    {"right-hand side huge", GOOD, ARRAY "3 2000000000\n1\n2\n3\n", 4,
     "B.mtx:2: 6000000000 numbers are declared, but only 7 bytes are left in the file; it is damaged or cut off: write "
     "or "
     "copy it again"},
};

static void hold_words(const Bad *row, const Run *run) {
  size_t n = strlen(run->err);
  while (n && run->err[n - 1] == '\n') --n;
  if (n != strlen(row->said) || strncmp(run->err, row->said, n))
    fail_msg("%s:\n  got    %s\n  wanted %s", row->name, run->err, row->said);
}

/* What is found while solving leaves a report. */
static bool is_reported(const Bad *row) {
  return row->code == 6 && !strncmp(row->said, "A.mtx: the matrix is singular", 29);
}

static void wrong_files(void **state) {
  (void)state;
  char *folder = folder_create();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    char out[32];
    snprintf(out, sizeof out, "out-%d", (int)i);
    put_text(folder, "A.mtx", bad[i].a);
    if (bad[i].b) put_text(folder, "B.mtx", bad[i].b);
    Run run = bad[i].b
                  ? run_sinew(folder, "solve", "A.mtx", "B.mtx", "--backend", "cpu", "--output", out, "--quiet", NULL)
                  : run_sinew(folder, "solve", "A.mtx", "--backend", "cpu", "--output", out, "--quiet", NULL);
    if (run.code != bad[i].code)
      fail_msg("%s: exit code %d, wanted %d\n%s", bad[i].name, run.code, bad[i].code, run.err);
    hold_words(&bad[i], &run);
    if (*run.out) fail_msg("%s: --quiet says %s", bad[i].name, run.out);
    if (is_there(folder, out) != (bad[i].code == 0 || is_reported(&bad[i])))
      fail_msg("%s: the folder of the results is wrong", bad[i].name);
    run_release(&run);
  }
  folder_remove(&folder);
}

static void strange_files(void **state) {
  (void)state;
  char *folder = folder_create(), path[4096];
  put_text(folder, "A.mtx", GOOD);
  put_bytes(folder, "z.mtx", "\x1f\x8b\x08\0\0", 5);
  snprintf(path, sizeof path, "%s/fifo", folder);
  assert_int_equal(mkfifo(path, 0666), 0);
  static const char *const rows[][2] = {
      {"missing.mtx", "missing.mtx: file not found; check the path"},
      {".", ".: is a folder (directory), not a Matrix Market file; name a regular file"},
      {"fifo", "fifo: is a FIFO (named pipe), not a Matrix Market file; name a regular file"},
      {"/dev/null", "/dev/null: is a device, a socket or the like, not a Matrix Market file; name a regular file"},
      {"z.mtx", "z.mtx: is compressed by gzip; unpack it first: gunzip -k 'z.mtx'"},
  };
  for (int i = 0; i < 5; ++i)
    for (int second = 0; second < 2; ++second) {
      Run run = run_sinew(folder, "solve", second ? "A.mtx" : rows[i][0], second ? rows[i][0] : "A.mtx", NULL);
      assert_code(&run, 4);
      assert_said(&run, rows[i][1]);
      run_release(&run);
    }
  folder_remove(&folder);
}

/* What a preconditioner does not have is not ignored. */
static void degree_of_none(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "A.mtx", GOOD);
  static const char *const without[] = {"jacobi", "block-jacobi", "ssor", "none"};
  for (size_t i = 0; i < sizeof without / sizeof *without; ++i) {
    Run run = run_sinew(folder, "solve", "A.mtx", "--preconditioner", without[i], "--degree", "3", NULL);
    assert_code(&run, 2);
    assert_said(&run, "has no degree (3 is given)");
    assert_said(&run, "leave it out, or take one that has a degree: least-squares");
    run_release(&run);
    assert_false(is_there(folder, "results"));
  }
  static const char *const with[] = {"least-squares", "chebyshev", "neumann", "auto"};
  for (size_t i = 0; i < sizeof with / sizeof *with; ++i) {
    Run run = run_sinew(folder, "solve", "A.mtx", "--preconditioner", with[i], "--degree", "3", NULL);
    assert_code(&run, 0);
    run_release(&run);
  }
  folder_remove(&folder);
}

static void wrong_words(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "A.mtx", GOOD);
  static const char *const rows[][4] = {
      {"--format", "sbel", "unknown format 'sbel'", "did you mean 'sbell'?"},
      {"--preconditioner", "jacoby", "unknown preconditioner 'jacoby'", "did you mean 'jacobi'?"},
      {"--precision", "doubel", "unknown precision 'doubel'", "did you mean 'double'?"},
      {"--backend", "cup", "unknown backend 'cup'", "did you mean 'cpu'?"},
      {"--rtol", "0", "--rtol is 0; it must be more than 0", ""},
      {"--rtol", "1.5", "--rtol is 1.5; it must be less than 1", ""},
      {"--rtol", "nan", "--rtol 'nan' is not a finite number", ""},
      {"--max-iterations", "-1", "--max-iterations is -1; allowed: 1 to 2147483647", ""},
      {"--block", "4", "--block is 4; allowed: 1 to 3", ""},
      {"--block", "2", "3 rows cannot be cut into blocks of 2", "by --block 2"},
      {"--degree", "65", "--degree is 65; allowed: 1 to 64", ""},
      {"--solution", "A.mtx", "the solution 'A.mtx' would replace the input 'A.mtx'", ""},
      {"--refine", "1", "unknown option '--refine' of 'sinew solve'", ""},
      {"--solutoin", "x", "unknown option '--solutoin'", "did you mean '--solution'?"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    Run run = run_sinew(folder, "solve", "A.mtx", rows[i][0], rows[i][1], NULL);
    assert_code(&run, 2);
    assert_said(&run, rows[i][2]);
    assert_said(&run, rows[i][3]);
    run_release(&run);
    assert_false(is_there(folder, "results"));
  }
  folder_remove(&folder);
}

/* The report beside the solution, the solution in --output, both at their defaults; a later solve replaces them. */
static void places(void **state) {
  (void)state;
  char *folder = folder_create(), *one, *other;
  put_text(folder, "A.mtx", GOOD);
  Run run = run_sinew(folder, "solve", "A.mtx", NULL);
  assert_code(&run, 0);
  assert_said(&run, "results/solution.mtx");
  run_release(&run);
  one = get_text(folder, "results/solution.mtx");
  assert_true(is_there(folder, "results/report.json"));
  run = run_sinew(folder, "solve", "A.mtx", "--output", "o/p", NULL);
  assert_code(&run, 0);
  run_release(&run);
  assert_true(is_there(folder, "o/p/solution.mtx") && is_there(folder, "o/p/report.json"));
  run = run_sinew(folder, "solve", "A.mtx", "--solution", "s/x.mtx", "--rtol", "1e-12", NULL);
  assert_code(&run, 0);
  run_release(&run);
  assert_true(is_there(folder, "s/x.mtx") && is_there(folder, "s/report.json") && !is_there(folder, "s/solution.mtx"));
  run = run_sinew(folder, "solve", "A.mtx", "--solution", "y.mtx", "--output", "q", NULL);
  assert_code(&run, 0);
  run_release(&run);
  assert_true(is_there(folder, "y.mtx") && is_there(folder, "q/report.json") && !is_there(folder, "q/solution.mtx"));
  put_text(folder, "A.mtx", SYMMETRIC "1 1 1\n1 1 8\n");
  run = run_sinew(folder, "solve", "A.mtx", NULL);
  assert_code(&run, 0);
  run_release(&run);
  other = get_text(folder, "results/solution.mtx");
  assert_non_null(strstr(other, "\n1 1\n0.125\n"));
  assert_string_not_equal(one, other);
  free(one);
  free(other);
  folder_remove(&folder);
}

static void unwritable(void **state) {
  (void)state;
  char *folder = folder_create();
  put_text(folder, "A.mtx", GOOD);
  put_text(folder, "file", "");
  Run run = run_sinew(folder, "solve", "A.mtx", "--output", "file", NULL);
  assert_code(&run, 9);
  run_release(&run);
  run = run_sinew(folder, "solve", "A.mtx", "--solution", ".", NULL);
  assert_code(&run, 9);
  run_release(&run);
  run = run_sinew(folder, "solve", "A.mtx", "--output", "o", "--solution", "none/x.mtx", NULL);
  assert_code(&run, 9);
  assert_said(&run, "none/x.mtx");
  run_release(&run);
  folder_remove(&folder);
}

static void hold_report(const char *text, const char *status) {
  static const char *const keys[] = {"true_residual", "iterations", "unknowns", "seconds", "device",
                                     "precision",     "status",     "solution", "matrix",  "version",
                                     "commit",        "read",       "setup",    "write",   "total"};
  char wanted[64];
  assert_true(json_valid(text));
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    if (!json_find(text, keys[i])) fail_msg("no '%s' in %s", keys[i], text);
  snprintf(wanted, sizeof wanted, "\"%s\"", status);
  assert_int_equal(strncmp(json_find(text, "status"), wanted, strlen(wanted)), 0);
  assert_int_equal(atoi(json_find(text, "unknowns")), 3);
}

/* A solve that gives up: code 6, a report that says so, no solution. */
static void not_converged(void **state) {
  (void)state;
  char *folder = folder_create(), *text;
  put_text(folder, "A.mtx", GOOD);
  put_text(folder, "B.mtx", ARRAY "3 2\n0\n0\n0\n1\n2\n-5\n");
  Run run = run_sinew(folder, "solve", "A.mtx", "B.mtx", "--max-iterations", "1", "--preconditioner", "jacobi", NULL);
  assert_code(&run, 6);
  assert_said(&run, "A.mtx: right-hand side 2: conjugate gradients (jacobi) did not converge in 1 iterations");
  assert_said(&run, "raise --max-iterations");
  run_release(&run);
  text = get_text(folder, "results/report.json");
  hold_report(text, "not-converged");
  assert_int_equal(strncmp(json_find(text, "solution"), "null", 4), 0);
  assert_false(is_there(folder, "results/solution.mtx"));
  free(text);
  run = run_sinew(folder, "solve", "A.mtx", "B.mtx", NULL);
  assert_code(&run, 0);
  assert_said(&run, "2 columns");
  run_release(&run);
  text = get_text(folder, "results/report.json");
  hold_report(text, "converged");
  free(text);
  folder_remove(&folder);
}

/* A solution takes the place of an older one, of nothing else; reports of runs stay. */
static void replaces_nothing_else(void **state) {
  (void)state;
  char *folder = folder_create(), *text;
  put_text(folder, "A.mtx", GOOD);
  put_text(folder, "notes.txt", "%% hours of work\n");
  Run run = run_sinew(folder, "solve", "A.mtx", "--solution", "notes.txt", NULL);
  assert_code(&run, 9);
  assert_said(&run, "'notes.txt' exists already and is no matrix; choose another --solution");
  run_release(&run);
  text = get_text(folder, "notes.txt");
  assert_string_equal(text, "%% hours of work\n");
  free(text);
  for (int k = 0; k < 2; ++k) {
    run = run_sinew(folder, "solve", "A.mtx", "--solution", "x.mtx", NULL);
    assert_code(&run, 0);
    run_release(&run);
  }
  put_text(folder, "results.hdf", "");
  run = run_sinew(folder, "solve", "A.mtx", "--output", ".", NULL);
  assert_code(&run, 5);
  assert_said(&run, "holds the result of a run, whose report.json would be replaced; choose another --output");
  run_release(&run);
  folder_remove(&folder);
}

static void help(void **state) {
  (void)state;
  Run run = run_sinew("/", "solve", "--help", NULL);
  assert_code(&run, 0);
  assert_said(&run, "sinew solve A.mtx [B.mtx]");
  assert_said(&run, "--solution FILE");
  assert_said(&run, "Example:");
  run_release(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_files),
                                     cmocka_unit_test(strange_files),
                                     cmocka_unit_test(degree_of_none),
                                     cmocka_unit_test(wrong_words),
                                     cmocka_unit_test(places),
                                     cmocka_unit_test(unwritable),
                                     cmocka_unit_test(not_converged),
                                     cmocka_unit_test(replaces_nothing_else),
                                     cmocka_unit_test(help)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
