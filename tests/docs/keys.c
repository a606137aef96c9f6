/* Keys of the case file: what the tables of the program know is documented, and what the tables of docs/case-file.md
 * name is known. The same for parameters of preconditioners with their defaults and ranges. */
#include "tests/cli/run_program.h"
#include "tests/docs/page.h"
#include "tests/structure/sources.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_MOST = 600, NAME_BYTES = 48 };

typedef struct Names {
  int n;
  char name[NAMES_MOST][NAME_BYTES];
} Names;

static bool holds(const Names *names, const char *name) {
  for (int i = 0; i < names->n; ++i)
    if (!strcmp(names->name[i], name)) return true;
  return false;
}

static void add(Names *names, const char *from, size_t n) {
  char name[NAME_BYTES];
  snprintf(name, sizeof name, "%.*s", (int)n, from);
  if (holds(names, name)) return;
  assert_true(names->n < NAMES_MOST);
  memcpy(names->name[names->n++], name, sizeof name);
}

/* Every {"name" of the application's tables whose next member begins with `member`. */
static void collect(const Sources *sources, const char *member, Names *out) {
  for (int i = 0; i < sources->n; ++i) {
    if (strncmp(sources->file[i].path, "app/", 4) || !strstr(sources->file[i].path, "/case")) continue;
    for (const char *at = sources->file[i].text; (at = strstr(at, "{\"")); ++at) {
      const char *end = strchr(at + 2, '"');
      if (end && !strncmp(end + 1, ", ", 2) && !strncmp(end + 3, member, strlen(member)))
        add(out, at + 2, (size_t)(end - at - 2));
    }
  }
}

/* The second word of every row of acts.def: a key. */
static void collect_acts(const Sources *sources, Names *out) {
  const int before = out->n;
  for (int i = 0; i < sources->n; ++i) {
    if (strcmp(sources->file[i].path, "app/input/acts.def")) continue;
    for (const char *at = sources->file[i].text; (at = strstr(at, "\nACT(")); ++at) {
      const char *from = strstr(at, ", ") + 2;
      add(out, from, strcspn(from, ","));
    }
  }
  assert_true(out->n > before);
}

/* Is it in the document as `name`, `{name`, "name:" or "name," behind something that is no letter? */
static bool is_said(const char *text, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); ++at) {
    const char before = at > text ? at[-1] : '\n', behind = at[n];
    if (!isalnum((unsigned char)before) && before != '-' && !isalnum((unsigned char)behind) && behind != '-')
      return true;
  }
  return false;
}

static void keys_are_documented(void **state) {
  (void)state;
  Sources sources = sources_read();
  Names keys = {0};
  collect(&sources, "VALUE_", &keys);
  collect_acts(&sources, &keys);
  assert_true(keys.n > 60);
  char *page = get_text(SINEW_SOURCE_DIR, "docs/case-file.md");
  int bad = 0;
  for (int i = 0; i < keys.n; ++i)
    if (!is_said(page, keys.name[i]))
      bad += page_complaint("docs/case-file.md", 1, "the key '%s' is not documented", keys.name[i]);
  free(page);
  sources_release(&sources);
  assert_int_equal(bad, 0);
}

/* The `words` of the first column of a table. */
static int check_row(const Names *known, const char *at, int line) {
  const char *end = strchr(at + 1, '|');
  int bad = 0;
  if (!end) return 0;
  for (const char *open = at; (open = memchr(open, '`', (size_t)(end - open)));) {
    const char *close = memchr(open + 1, '`', (size_t)(end - open - 1));
    if (!close) break;
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)(close - open - 1), open + 1);
    if (!holds(known, name)) bad += page_complaint("docs/case-file.md", line, "there is no key '%s'", name);
    open = close + 1;
  }
  return bad;
}

static void documented_keys_are_there(void **state) {
  (void)state;
  Sources sources = sources_read();
  static Names known;
  collect(&sources, "VALUE_", &known);
  collect_acts(&sources, &known);
  static const char *const parameters[] = {"young", "poisson", "shear", "thickness", "density", "expansion", "moduli"};
  for (size_t i = 0; i < sizeof parameters / sizeof *parameters; ++i) add(&known, parameters[i], strlen(parameters[i]));
  char *page = get_text(SINEW_SOURCE_DIR, "docs/case-file.md");
  int bad = 0, line = 1;
  for (const char *at = page; at; ++line) {
    if (!strncmp(at, "| `", 3)) bad += check_row(&known, at, line);
    at = strchr(at, '\n');
    if (at) ++at;
  }
  free(page);
  sources_release(&sources);
  assert_int_equal(bad, 0);
}

/* Fills `cell` with column k of a table's row, without blanks and backticks at its ends. */
static bool cell_of(const char *row, int k, char *cell, size_t size) {
  for (; k > 0 && row; --k) row = strchr(row + 1, '|');
  if (!row) return false;
  ++row;
  row += strspn(row, " ");
  size_t n = strcspn(row, "|\n");
  while (n && row[n - 1] == ' ') --n;
  snprintf(cell, size, "%.*s", (int)n, row);
  return true;
}

/* The default that `sinew list preconditioners` gives for a parameter: -1 no such parameter, 0 another one. */
static int default_is(const char *list, const char *kind, const char *name, const char *wanted) {
  char head[80], line[80];
  snprintf(head, sizeof head, "\n%s:", kind);
  snprintf(line, sizeof line, "\n    %s ", name);
  const char *at = strstr(list, head);
  if (!at) return -1;
  const char *next = at + 1;
  do next = strchr(next, '\n') ? strchr(next, '\n') + 1 : next + strlen(next);
  while (*next == ' ');
  const char *row = strstr(at, line);
  if (!row || row > next) return -1;
  const char *value = strstr(row, "default ");
  if (!value) return -1;
  value += 8;
  const size_t n = strcspn(value, " \n");
  return n == strlen(wanted) && !strncmp(value, wanted, n);
}

static int check_parameter(const char *list, const char *kind, const char *row, int line) {
  char name[64], wanted[64], bare[64];
  if (!cell_of(row, 0, name, sizeof name) || !cell_of(row, 1, wanted, sizeof wanted) || *name != '`' ||
      strchr(name, ','))
    return 0; /* lists of names have a column more */
  snprintf(bare, sizeof bare, "%.*s", (int)strlen(name) - 2, name + 1);
  const char *value = *wanted == '`' ? wanted + 1 : wanted;
  char plain[64];
  snprintf(plain, sizeof plain, "%.*s", (int)strcspn(value, "`"), value);
  const int found = default_is(list, kind, bare, plain);
  if (found < 0) return page_complaint("docs/solvers.md", line, "'%s' has no parameter '%s'", kind, bare);
  return found ? 0
               : page_complaint("docs/solvers.md", line, "the default of '%s' of '%s' is not %s", bare, kind, plain);
}

static void parameters_of_preconditioners(void **state) {
  (void)state;
  Run run = run_sinew(".", "list", "preconditioners", NULL);
  char *list = malloc(strlen(run.out) + 2), *page = get_text(SINEW_SOURCE_DIR, "docs/solvers.md");
  sprintf(list, "\n%s", run.out);
  run_release(&run);
  char kind[64] = "";
  int bad = 0, n = 0, line = 1;
  for (const char *at = page; at; ++line) {
    if (!strncmp(at, "## ", 3))
      snprintf(kind, sizeof kind, "%.*s", at[3] == '`' ? (int)strcspn(at + 4, "`") : 0, at + 4);
    if (!strncmp(at, "## Poly", 7) || !strncmp(at, "## `auto", 8)) *kind = 0;
    if (kind[0] && !strncmp(at, "| `", 3)) bad += check_parameter(list, kind, at, line), ++n;
    at = strchr(at, '\n');
    if (at) ++at;
  }
  assert_true(n > 12);
  free(list);
  free(page);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_documented), cmocka_unit_test(documented_keys_are_there),
                                     cmocka_unit_test(parameters_of_preconditioners)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
