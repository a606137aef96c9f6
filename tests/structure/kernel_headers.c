/* Headers that nvcc compiles too: C text that C++ would refuse must fail here already, and tables at file scope, which
 * do not exist on the device, are an error. */
#include "tests/structure/sources.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

/* A header that stands alone (has a guard) and holds host/device functions. */
static bool is_kernel_header(const Source *s) {
  if (!source_is(s->path, ".h") || !strncmp(s->path, "tests/", 6) || !strncmp(s->path, "gpu/", 4)) return false;
  const bool guarded = strstr(s->text, "#pragma once") != NULL;
  return guarded && (source_is(s->path, "_rows.h") || !strncmp(s->path, "physics/", 8) ||
                     strstr(s->text, "#include \"core/hd.h\""));
}

/* 0 when the compiler takes the text; -Wc++-compat warns of C that is not C++. */
static int compile(const char *text) {
  FILE *gcc = popen(SINEW_C_COMPILER
                    " -std=gnu11 -I'" SINEW_SOURCE_DIR "'"
                    " -D_GNU_SOURCE -Wall -Wextra -Wc++-compat -Werror -Wno-unused-function -fsyntax-only -x c -",
                    "w");
  assert_non_null(gcc);
  fputs(text, gcc);
  return pclose(gcc);
}

static void test_compiler_refuses(void **state) {
  (void)state;
  assert_int_equal(compile("#include \"core/hd.h\"\nHD int f(void) { return 1; }\n"), 0);
  print_message("two refusals by the compiler follow:\n");
  assert_int_not_equal(compile("void *p(void);\nint *q(void);\nint *q(void) { return p(); }\n"), 0);
  assert_int_not_equal(compile("int class;\nint f(int this) { return new; }\n"), 0);
}

static void test_headers_compile(void **state) {
  (void)state;
  Sources sources = sources_read();
  static char all[65536], one[512];
  int n = 0, bad = 0;
  for (int i = 0; i < sources.n; ++i) {
    if (!is_kernel_header(&sources.file[i])) continue;
    snprintf(one, sizeof one, "#include \"%s\"\n", sources.file[i].path);
    strncat(all, one, sizeof all - strlen(all) - 1);
    ++n;
  }
  assert_true(n >= 2);
  if (compile(all) == 0) { /* all at once is the common case; one by one names the culprit */
    sources_release(&sources);
    return;
  }
  for (int i = 0; i < sources.n; ++i) {
    if (!is_kernel_header(&sources.file[i])) continue;
    snprintf(one, sizeof one, "#include \"%s\"\n", sources.file[i].path);
    if (compile(one) != 0) print_error("%s cannot be compiled for the device\n", sources.file[i].path), ++bad;
  }
  sources_release(&sources);
  fail_msg("%d kernel headers, or all together, are not in the common part of C and C++", bad);
}

/* Data at file scope: a definition in column 0 that is no function. */
static bool is_table(const char *line) {
  const char *starts[] = {"static const ", "const ", "static double ", "static float ", "static int", "static char "};
  const char *equals = strchr(line, '='), *bracket = strchr(line, '(');
  if (bracket && (!equals || bracket < equals)) return false;
  for (size_t k = 0; k < sizeof starts / sizeof *starts; ++k)
    if (!strncmp(line, starts[k], strlen(starts[k]))) return true;
  return false;
}

/* Looks at a header as the preprocessor leaves it, so that what only the host sees (under its own #ifdef) does not
 * count. Line markers, # 12 "file", tell which lines are ours. */
static int tables_in(const char *path) {
  char command[1024], line[4096];
  snprintf(command, sizeof command,
           SINEW_C_COMPILER " -std=gnu11 -E -I'" SINEW_SOURCE_DIR "' -include '" SINEW_SOURCE_DIR "/%s' -x c /dev/null",
           path);
  FILE *gcc = popen(command, "r");
  assert_non_null(gcc);
  bool ours = false;
  int bad = 0;
  while (fgets(line, sizeof line, gcc)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] == '#') ours = strstr(line, "\"" SINEW_SOURCE_DIR "/") != NULL;
    else if (ours && is_table(line)) {
      print_error("%s: data at file scope does not exist on the device: %s\n", path, line);
      ++bad;
    }
  }
  assert_int_equal(pclose(gcc), 0);
  return bad;
}

static void test_no_tables(void **state) {
  (void)state;
  assert_true(is_table("static const double GAUSS[2] = {sqrt(0.5)"));
  assert_true(is_table("static int32_t counter;"));
  assert_false(is_table("  static const double GAUSS[2] = {"));
  assert_false(is_table("static int f(int a) {"));
  Sources sources = sources_read();
  int bad = 0;
  for (int i = 0; i < sources.n; ++i)
    if (is_kernel_header(&sources.file[i])) bad += tables_in(sources.file[i].path);
  sources_release(&sources);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_compiler_refuses), cmocka_unit_test(test_headers_compile),
                                     cmocka_unit_test(test_no_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
