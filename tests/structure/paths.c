/* Every path that a comment of a source names is there; NAME and name stand for any. Documents: tests/docs/links.c. */
#include "tests/structure/sources.h"
#include "tests/testing.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { PATH_BYTES = 256 };
static const char path_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./*-<>";

/* The folders of the repository with sources and documents. */
static bool begins_with_room(const char *text) {
  static const char *const rooms[] = {"algebra", "app", "assembly", "bench",  "cases",   "cmake",  "core",
                                      "docs",    "gpu", "mesh",     "output", "physics", "solver", "tests"};
  for (size_t k = 0; k < sizeof rooms / sizeof *rooms; ++k)
    if (!strncmp(text, rooms[k], strlen(rooms[k])) && text[strlen(rooms[k])] == '/') return true;
  return false;
}

static bool is_file_name(const char *path) {
  static const char *const endings[] = {".c", ".h", ".cu", ".cuh", ".def", ".md", ".sh", ".py", ".cmake"};
  for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k)
    if (source_is(path, endings[k])) return !strstr(path, "NAME") && !strstr(path, "/name.");
  return false;
}

/* <identifier> stands for any: there must be one such file. */
static void any_for_placeholders(char *path) {
  for (char *open; (open = strchr(path, '<')) && strchr(open, '>');) {
    *open = '*';
    memmove(open + 1, strchr(open, '>') + 1, strlen(strchr(open, '>')));
  }
}

/* The next path of a line from *at on, without dots that end a sentence. */
static bool next_path(const char **at, char path[PATH_BYTES]) {
  for (const char *p = *at; *p; ++p) {
    const size_t n = strspn(p, path_letters);
    if (!n) continue;
    snprintf(path, PATH_BYTES, "%.*s", (int)n, p);
    *at = p + n;
    for (size_t end = strlen(path); end && strchr(".-", path[end - 1]);) path[--end] = 0;
    any_for_placeholders(path);
    if (begins_with_room(path) && is_file_name(path)) return true;
    p += n - 1;
  }
  return false;
}

static bool is_there(const char *path) {
  char all[4096];
  glob_t found;
  snprintf(all, sizeof all, "%s/%s", SINEW_SOURCE_DIR, path);
  if (glob(all, 0, NULL, &found) != 0) return false;
  globfree(&found);
  return true;
}

static void test_measure(void **state) {
  (void)state;
  const char *at = " * as in core/exec.h, (docs/tour.md). Not x/core/exec.h, core or mesh/elements/NAME.h; "
                   "tests/none.c-, gpu/<name>.c";
  char path[PATH_BYTES];
  assert_true(next_path(&at, path));
  assert_string_equal(path, "core/exec.h");
  assert_true(next_path(&at, path) && is_there(path));
  assert_string_equal(path, "docs/tour.md");
  assert_true(next_path(&at, path) && !is_there(path));
  assert_string_equal(path, "tests/none.c");
  assert_true(next_path(&at, path) && !is_there(path));
  assert_string_equal(path, "gpu/*.c");
  assert_false(next_path(&at, path));
}

static void test_paths(void **state) {
  (void)state;
  Sources sources = sources_read();
  int bad = 0, seen = 0;
  for (int i = 0; i < sources.n; ++i) {
    const Source *s = &sources.file[i];
    if (!strncmp(s->path, "tests/", 6)) continue; /* which make files of their own */
    for (int k = 0; k < s->n_line; ++k) {
      char path[PATH_BYTES];
      for (const char *at = s->line[k]; next_path(&at, path); ++seen) {
        if (is_there(path) || strstr(s->line[k], "#include")) continue;
        print_error("%s:%d: there is no %s\n", s->path, k + 1, path);
        ++bad;
      }
    }
  }
  sources_release(&sources);
  assert_true(seen > 100);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_measure), cmocka_unit_test(test_paths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
