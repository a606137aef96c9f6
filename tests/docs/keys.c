/* Keys of the case file: the tables in docs/case-file.md and docs/reference are what the program's tables of keys say. A block
 *   <!-- keys of elasticity.boundary -->  or  <!-- keys of elasticity.materials type isotropic -->
 *   <!-- end of keys -->
 * has the keys of that map and of those inside of it that have no block themselves and stand in none before, or the parameters
 * of that word. `test_docs_keys --write` (the target `keys`) writes the blocks; the test fails where a committed page differs.
 * The parameters of preconditioners in docs/solvers.md are held by their defaults. */
#include "app/commands/help_key.h"
#include "app/input/case_tables.h"
#include "tests/cli/run_program.h"
#include "tests/docs/page.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

/* In the order in which a map that several share is written: the first has it. */
static const char *const pages[] = {"docs/case-file.md",         "docs/reference/elasticity.md",
                                    "docs/reference/steps.md",   "docs/reference/vibration.md",
                                    "docs/reference/heat.md",    "docs/reference/monodomain.md",
                                    "docs/reference/eikonal.md", "docs/reference/electromechanics.md"};
static const char OPEN[] = "<!-- keys of ", END[] = "<!-- end of keys -->";
enum { KEYS_MOST = 2000, PATH_BYTES = 120, PAGES = sizeof pages / sizeof *pages };

/* What is written so far, and the pages whose blocks are asked for. */
typedef struct Tables {
  char *page[PAGES]; /* owned */
  int n;
  const Key *key[KEYS_MOST];
  FILE *out;
} Tables;

static bool is_written(const Tables *t, const Key *key) {
  for (int k = 0; k < t->n; ++k)
    if (t->key[k] == key) return true;
  return false;
}

static bool has_block(const Tables *t, const char *path) {
  char line[PATH_BYTES + 32];
  snprintf(line, sizeof line, "\n%s%s -->\n", OPEN, path);
  for (int p = 0; p < PAGES; ++p)
    if (strstr(t->page[p], line)) return true;
  return false;
}

/* "modal and buckling: " of the kinds of physics i; nothing where only those of another physics have it, and the meaning says so. */
static void write_kinds(FILE *out, int i, uint32_t only) {
  const Physics *kind;
  char name[KIND_BYTES];
  int n = 0, count = 0;
  for (int k = 0; (kind = physics_kind(i, k)); ++k) count += (kind->kind & only) != 0;
  for (int k = 0; (kind = physics_kind(i, k)); ++k)
    if (kind->kind & only) ++n, fprintf(out, "%s%s", n == 1 ? "" : n == count ? " and " : ", ", kind_name(kind, name));
  if (n) fprintf(out, ": ");
}

static bool of_all(int i, uint32_t only) {
  const Physics *kind;
  bool all = true;
  for (int k = 0; only && (kind = physics_kind(i, k)); ++k) all &= (kind->kind & only) != 0;
  return all;
}

/* The words, those of some kinds of case behind the others; many are left to `sinew list`. */
static void write_words(FILE *out, int i, const Key *key) {
  enum { MANY = 40 };
  int n = 0;
  bool told = true; /* all of them by the meaning */
  for (; key->words[n].name; ++n) told &= strstr(key->meaning, key->words[n].name) != NULL;
  if (n > MANY || told) return;
  for (int first = 0; first < n; ++first) {
    const uint32_t only = key->words[first].only;
    bool before = only == KIND_NONE;
    for (int w = 0; w < first; ++w) before |= key->words[w].only == only;
    if (before) continue;
    fprintf(out, "; ");
    if (!of_all(i, only)) write_kinds(out, i, only);
    for (int w = first, more = 0; w < n; ++w)
      if (key->words[w].only == only) fprintf(out, "%s`%s`", more++ ? ", " : "", key->words[w].name);
  }
}

/* A map, and a name such as C12 or NAME, as code. */
static size_t code_length(const char *text) {
  size_t n = strcspn(text, "}"), word = 0;
  bool name = false;
  if (*text == '{') return text[n] ? n + 1 : 0;
  for (; isalnum((unsigned char)text[word]) || (word && text[word] == '-'); ++word)
    name |= isupper((unsigned char)text[word]) &&
            (isupper((unsigned char)text[word + 1]) || isdigit((unsigned char)text[word + 1]));
  return name && strncmp(text, "ECG", 3) ? word : 0;
}

static void write_cell(FILE *out, const char *text) {
  for (bool inside = false; *text; inside = isalnum((unsigned char)text[-1])) {
    const size_t n = inside ? 0 : code_length(text);
    if (n) fprintf(out, "`%.*s`", (int)n, text);
    else fprintf(out, *text == '|' ? "\\|" : "%c", *text);
    text += n ? n : 1;
  }
}

static void write_row(Tables *t, int i, const Key *key, const char *name) {
  fprintf(t->out, "| `%s` | ", name);
  if (key->required) fprintf(t->out, "required");
  else if (key->initial) fprintf(t->out, "`%s`", key->initial);
  fprintf(t->out, " | ");
  if (!of_all(i, key->only)) write_kinds(t->out, i, key->only);
  write_cell(t->out, key->meaning);
  if (key->words) write_words(t->out, i, key);
  fprintf(t->out, " |\n");
  assert_true(t->n < KEYS_MOST);
  t->key[t->n++] = key;
}

/* The keys below `path`; their names begin with `prefix`. States of cells are one row. */
static void write_map(Tables *t, int i, const Schema *schema, const char *path, const char *prefix) {
  bool states = false;
  for (int k = 0; k < schema->n; ++k) {
    const Key *key = &schema->key[k];
    char name[PATH_BYTES], below[PATH_BYTES];
    const bool state = key->hides && key->type == VALUE_EXPR, again = state && states;
    snprintf(name, sizeof name, "%s%s", prefix, state ? "STATE" : key->name);
    snprintf(below, sizeof below, "%s.%s", path, key->name);
    if (again) t->key[t->n++] = key;
    else write_row(t, i, key, name);
    states |= state;
    if (!key->schema || has_block(t, below) || is_written(t, key->schema->key)) continue;
    snprintf(name, sizeof name, "%s%s.", prefix, key->name);
    write_map(t, i, key->schema, below, name);
  }
}

static void write_params(Tables *t, const Schema *schema, const char *word) {
  const Key *key = schema->params ? schema_key(schema, KIND_ANY, schema->chooser) : NULL;
  const int32_t at = key ? schema_word(key->words, word) : -1;
  int n = 0;
  const Param *param = at >= 0 ? schema->params(at, &n) : NULL;
  if (!n) fail_msg("no parameters of '%s'", word);
  fprintf(t->out, "| parameter | unit | default | range | meaning |\n|---|---|---|---|---|\n");
  for (int k = 0, rows; k < n; k += rows) {
    char range[80];
    rows = param_list(param, n, k);
    for (int row = k; row < k + rows; ++row) {
      fprintf(t->out, rows > 1 ? "| `%s`, %d of %d | " : "| `%s` | ", param[row].name, row - k + 1, rows);
      write_cell(t->out, param[row].unit);
      if (param[row].required) fprintf(t->out, " | required | ");
      else fprintf(t->out, " | %g | ", param[row].value);
      write_cell(t->out, param_range(&param[row], range, sizeof range));
      fprintf(t->out, " | ");
      write_cell(t->out, param[row].meaning);
      fprintf(t->out, " |\n");
    }
  }
}

/* The block of "elasticity.boundary" or "elasticity.materials type isotropic". */
static void write_block(Tables *t, const char *head, size_t n) {
  char path[PATH_BYTES], *word;
  snprintf(path, sizeof path, "%.*s", (int)n, head);
  if ((word = strstr(path, " type "))) *word = 0, word += 6;
  int i = 0;
  while (i < physics_count() &&
         (strncmp(physics_at(i)->name, path, strcspn(path, ".")) || physics_at(i)->name[strcspn(path, ".")]))
    ++i;
  if (i == physics_count()) fail_msg("no physics '%s'", path);
  const Schema *schema = physics_kind(i, 0)->schema;
  for (const char *part = strchr(path, '.'); part; part = strchr(part + 1, '.')) {
    char name[PATH_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(part + 1, "."), part + 1);
    const Key *key = schema_key(schema, KIND_ANY, name);
    if (!key || !key->schema) fail_msg("no map '%s' for the block '%s'", name, path);
    schema = key->schema;
  }
  fprintf(t->out, "\n");
  if (word) write_params(t, schema, word);
  else fprintf(t->out, "| key | default | meaning |\n|---|---|---|\n"), write_map(t, i, schema, path, "");
  fprintf(t->out, "\n");
}

static void tables_read(Tables *t) {
  *t = (Tables){0};
  for (int p = 0; p < PAGES; ++p) t->page[p] = get_text(SINEW_SOURCE_DIR, pages[p]);
}

static void tables_release(Tables *t) {
  for (int p = 0; p < PAGES; ++p) free(t->page[p]);
}

/* Page p with its blocks as they should be; owned by the caller. */
static char *page_written(Tables *t, int p) {
  char *text = NULL;
  size_t size = 0;
  t->out = open_memstream(&text, &size);
  const char *at = t->page[p];
  for (const char *open; (open = strstr(at, OPEN));) {
    const char *head = open + strlen(OPEN), *close = strstr(head, " -->\n"), *end = strstr(head, END);
    if (!close || !end || close > end) fail_msg("a block without end: %.60s", open);
    fprintf(t->out, "%.*s", (int)(close + 5 - at), at);
    write_block(t, head, (size_t)(close - head));
    at = end;
  }
  fprintf(t->out, "%s", at);
  fclose(t->out);
  return text;
}

static int count_missing(const Tables *t, const Schema *schema) {
  int bad = 0;
  for (int k = 0; k < schema->n; ++k) {
    const Key *key = &schema->key[k];
    if (!is_written(t, key)) bad += page_complaint(pages[0], 1, "no block of any page has the key '%s'", key->name);
    if (key->schema && !bad) bad += count_missing(t, key->schema);
  }
  return bad;
}

static int differs(const char *page, const char *text, const char *wanted) {
  int line = 1;
  size_t same = 0;
  for (; text[same] && text[same] == wanted[same]; ++same) line += text[same] == '\n';
  if (text[same] == wanted[same]) return 0;
  return page_complaint(page, line, "differs from the table of keys: run the target 'keys'");
}

static void tables_are_those_of_the_schema(void **state) {
  (void)state;
  static Tables tables;
  int bad = 0;
  tables_read(&tables);
  for (int p = 0; p < PAGES; ++p) {
    char *wanted = page_written(&tables, p);
    bad += differs(pages[p], tables.page[p], wanted);
    free(wanted);
  }
  for (int i = 0; i < physics_count(); ++i) bad += count_missing(&tables, physics_kind(i, 0)->schema);
  tables_release(&tables);
  assert_int_equal(bad, 0);
}

static int count_unknown(const Schema *schema, const char *path, int depth) {
  int bad = 0;
  for (int k = 0; depth < 4 && k < schema->n; ++k) {
    char below[PATH_BYTES];
    assert_in_range(snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", schema->key[k].name), 1,
                    PATH_BYTES - 1);
    if (!help_key_known(below)) bad += page_complaint("sinew help", 1, "does not know '%s'", below);
    if (schema->key[k].schema) bad += count_unknown(schema->key[k].schema, below, depth + 1);
  }
  return bad;
}

static void help_knows_all_keys(void **state) {
  (void)state;
  int bad = 0;
  for (int i = 0; i < physics_count(); ++i) bad += count_unknown(physics_kind(i, 0)->schema, "", 0);
  assert_int_equal(bad, 0);
}

static void all_pages_are_read(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob(SINEW_SOURCE_DIR "/docs/reference/*.md", 0, NULL, &found), 0);
  assert_int_equal(found.gl_pathc, PAGES - 1);
  globfree(&found);
}

static int write_pages(void) {
  static Tables tables;
  bool fine = true;
  tables_read(&tables);
  for (int p = 0; p < PAGES; ++p) {
    char path[400], *wanted = page_written(&tables, p);
    snprintf(path, sizeof path, "%s/%s", SINEW_SOURCE_DIR, pages[p]);
    FILE *file = fopen(path, "w");
    fine &= file && fputs(wanted, file) >= 0;
    if (file) fclose(file);
    free(wanted);
  }
  tables_release(&tables);
  return fine ? 0 : 1;
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

int main(int n, char **argument) {
  if (n > 1 && !strcmp(argument[1], "--write")) return write_pages();
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_are_those_of_the_schema),
                                     cmocka_unit_test(help_knows_all_keys), cmocka_unit_test(all_pages_are_read),
                                     cmocka_unit_test(parameters_of_preconditioners)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
