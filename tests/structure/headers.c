/* Each header compiles alone, in whatever order it is included; those that are text for several inclusions say so by their
 * name, *.tmpl.h. */
#include "tests/structure/sources.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { AT_ONCE = 40, COMMAND_BYTES = 16384 };

static bool is_template(const Source *s) { return source_is(s->path, ".tmpl.h"); }

/* Those of gpu/ need the toolkit's headers, those of tests/fuzz a mode of clang, additions the lines that go with
 * them. */
static bool is_checked(const Source *s) {
  const bool cuda = !strncmp(s->path, "gpu/", 4) && !*SINEW_CUDA_HEADERS;
  if (strncmp(s->path, "tests/fuzz/", 11) == 0 || strncmp(s->path, "tests/additions/", 16) == 0) return false;
  return source_is(s->path, ".h") && !is_template(s) && !cuda;
}

/* 0 when the compiler takes each of the files by itself. */
static int compile(const char *files) {
  static char command[2 * COMMAND_BYTES];
  snprintf(command, sizeof command,
           "cd '" SINEW_SOURCE_DIR "' && " SINEW_C_COMPILER
           " -std=gnu11 -D_GNU_SOURCE -w -fsyntax-only -I. %s%s%s -x c%s",
           SINEW_INCLUDES, *SINEW_CUDA_HEADERS ? " -isystem " : "", SINEW_CUDA_HEADERS, files);
  return system(command);
}

static void test_measure(void **state) {
  (void)state;
  print_message("a refusal by the compiler follows:\n");
  FILE *file = fopen("headers_alone.h", "w");
  assert_non_null(file);
  fputs("Unknown f(void);\n", file);
  fclose(file);
  char path[4096], full[4096 + 64];
  assert_non_null(getcwd(path, sizeof path));
  snprintf(full, sizeof full, " '%s/headers_alone.h'", path);
  assert_int_not_equal(compile(full), 0);
  assert_int_equal(unlink("headers_alone.h"), 0);
  assert_int_equal(compile(" core/status.h"), 0);
}

static void test_headers_alone(void **state) {
  (void)state;
  Sources sources = sources_read();
  static char files[COMMAND_BYTES];
  int n = 0, bad = 0;
  for (int i = 0; i < sources.n; ++i) {
    const Source *s = &sources.file[i];
    if (is_checked(s)) {
      snprintf(files + strlen(files), sizeof files - strlen(files), " %s", s->path);
      ++n;
    }
    if (*files && (strlen(files) + 200 > sizeof files || i + 1 == sources.n || n % AT_ONCE == 0)) {
      bad += compile(files) != 0;
      *files = 0;
    }
  }
  assert_true(n > 100);
  sources_release(&sources);
  if (bad)
    fail_msg(
        "headers above do not compile alone: include what they use, or name a text for several inclusions *.tmpl.h");
}

/* A text for several inclusions has no guard, and is named as one wherever it is taken. */
static void test_templates(void **state) {
  (void)state;
  Sources sources = sources_read();
  int bad = 0;
  for (int i = 0; i < sources.n; ++i) {
    const Source *s = &sources.file[i];
    if (!is_template(s) || !strstr(s->text, "#pragma once")) continue;
    print_error("%s is a text for several inclusions and has '#pragma once'\n", s->path);
    ++bad;
  }
  sources_release(&sources);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_measure), cmocka_unit_test(test_headers_alone),
                                     cmocka_unit_test(test_templates)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
