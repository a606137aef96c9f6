/* Files of at most 500 lines, functions of at most 60 (of tests and benches 100) and of at most 9 parameters, or a reason at
 * the head of the file; clang-tidy has the same limits (.clang-tidy). */
#include "tests/structure/sources.h"
#include "tests/testing.h"

#include <ctype.h>
#include <string.h>

enum { FILE_LINES = 500, FUNCTION_LINES = 60, OTHER_LINES = 100, PARAMETERS = 9, HEAD_LINES = 30 };

static bool head_says(const Source *s, const char *words) {
  for (int k = 0; k < s->n_line && k < HEAD_LINES; ++k)
    if (strstr(s->line[k], words)) return true;
  return false;
}

/* Parameters of the function whose definition begins there; types of functions among them count as one. */
static int parameters_of(const Source *s, int start, int end) {
  int n = 0, depth = 0;
  for (int k = start; k < end; ++k)
    for (const char *p = s->line[k]; *p; ++p) {
      if (*p == '(' && depth++ == 0) n = 1;
      if (*p == ',' && depth == 1) ++n;
      if (*p == ')' && --depth == 0) return n;
    }
  return n;
}

/* The longest function that ends with "}" in column 0 and the most parameters of one; *at gets their first lines. */
static int longest_function(const Source *s, int *at, int *most, int *most_at) {
  int longest = 0, start = -1;
  *most = 0;
  for (int k = 0; k < s->n_line; ++k) {
    const char *line = s->line[k];
    if (isalpha((unsigned char)line[0]) && !strchr(line, ';') && strchr(line, '(')) start = k;
    if (line[0] != '}' || start < 0) continue;
    if (k - start + 1 > longest) longest = k - start + 1, *at = start + 1;
    const int n = parameters_of(s, start, k);
    if (n > *most) *most = n, *most_at = start + 1;
    start = -1;
  }
  return longest;
}

static void test_files(void **state) {
  (void)state;
  Sources sources = sources_read();
  int bad = 0;
  for (int i = 0; i < sources.n; ++i) {
    const Source *s = &sources.file[i];
    if (s->n_line <= FILE_LINES || head_says(s, "Over 500 lines because")) continue;
    print_error("%s has %d lines, at most %d\n", s->path, s->n_line, FILE_LINES);
    ++bad;
  }
  sources_release(&sources);
  assert_int_equal(bad, 0);
}

static void test_functions(void **state) {
  (void)state;
  Sources sources = sources_read();
  int bad = 0, seen = 0;
  for (int i = 0; i < sources.n; ++i) {
    const Source *s = &sources.file[i];
    int at = 0, parameters = 0, parameters_at = 0;
    const int lines = longest_function(s, &at, &parameters, &parameters_at);
    const bool other = !strncmp(s->path, "tests/", 6) || !strncmp(s->path, "bench/", 6);
    const int most = other ? OTHER_LINES : FUNCTION_LINES;
    seen += lines > 0;
    if (lines > most && !head_says(s, "Over 60 lines because"))
      print_error("%s:%d: a function of %d lines, at most %d\n", s->path, at, lines, most), ++bad;
    if (parameters > PARAMETERS)
      print_error("%s:%d: a function of %d parameters, at most %d: make a struct of them\n", s->path, parameters_at,
                  parameters, PARAMETERS),
          ++bad;
  }
  sources_release(&sources);
  assert_true(seen > 10);
  assert_int_equal(bad, 0);
}

/* The measure itself. */
static void test_measure(void **state) {
  (void)state;
  char *line[] = {"#include <a.h>",
                  "int table[] = {",
                  "  1,",
                  "};",
                  "static int f(int a,",
                  "             int b) {",
                  "  return a;",
                  "}",
                  "",
                  "int g(void);",
                  "int g(void) {",
                  "}",
                  NULL};
  const Source s = {"x.c", "", line, 12};
  int at = 0, most = 0, most_at = 0;
  assert_int_equal(longest_function(&s, &at, &most, &most_at), 4);
  assert_true(at == 5 && most == 2 && most_at == 5);
  assert_false(head_says(&s, "Over 500"));
  assert_true(head_says(&s, "include"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_measure), cmocka_unit_test(test_files),
                                     cmocka_unit_test(test_functions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
