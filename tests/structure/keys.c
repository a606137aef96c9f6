/* A member of the structs of a case (app/input/case*.h) is a key, and a key is used: a row of a table of keys names it, and some
 * source reads it. */
#include "tests/structure/sources.h"
#include "tests/testing.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 64 };

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* `before`, the name as a whole word, and one of `behind` ("": anything), in a file of app with `part` in its path. */
static bool stands(const Sources *sources, const char *part, const char *before, const char *name, const char *behind) {
  const size_t n = strlen(name), back = strlen(before);
  for (int i = 0; i < sources->n; ++i) {
    const char *text = sources->file[i].text;
    if (strncmp(sources->file[i].path, "app/", 4) || !strstr(sources->file[i].path, part)) continue;
    for (const char *at = text; (at = strstr(at, name)); at += n)
      if (at >= text + back && !strncmp(at - back, before, back) && !is_name(at[n]) &&
          (!*behind || strchr(behind, at[n])))
        return true;
  }
  return false;
}

/* AT(CaseFix, x), AT(CaseInitial, state[..]), or ACT(ExprValue, pressure, ...). */
static bool has_row(const Sources *sources, const char *name) {
  return stands(sources, "/case", ", ", name, ")[") || stands(sources, "acts.def", ", ", name, ",");
}

static bool is_used(const Sources *sources, const char *name) {
  if (!strcmp(name, "physics_word")) return true; /* app/input/physics.c reads the text before all others */
  return stands(sources, "acts.def", ", ", name, ",") || stands(sources, "", ".", name, "") ||
         stands(sources, "", "->", name, "");
}

/* The names of a line "  TypeValue one, two[3];": how many lack a row or a reader. *n counts them. */
static int check_line(const Sources *sources, const char *path, const char *line, int *n) {
  const char *at = line + strspn(line, " "), *end = strchr(at, ';');
  const size_t type = strcspn(at, " ");
  int bad = 0;
  if (at == line || !end || type < 6 || strncmp(at + type - 5, "Value", 5) || at[type + 1] == '*') return 0;
  for (at += type; at < end; ++*n) {
    char name[NAME];
    size_t length = 0;
    at += strspn(at, " ,");
    while (is_name(at[length])) ++length;
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    at += strcspn(at, ",;");
    if (!has_row(sources, name)) ++bad, print_error("%s: '%s' has no row in a table of keys\n", path, name);
    else if (!is_used(sources, name)) ++bad, print_error("%s: nothing uses the key '%s'\n", path, name);
  }
  return bad;
}

static void members_are_keys_that_are_used(void **state) {
  (void)state;
  Sources sources = sources_read();
  int bad = 0, n = 0;
  for (int i = 0; i < sources.n; ++i) {
    const Source *file = &sources.file[i];
    if (strncmp(file->path, "app/input/case", 14) || !source_is(file->path, ".h")) continue;
    for (int k = 0; k < file->n_line; ++k) bad += check_line(&sources, file->path, file->line[k], &n);
  }
  sources_release(&sources);
  assert_true(n > 200);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(members_are_keys_that_are_used)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
