/* Identifiers use the words of the glossary: no part of a name ("heart_look", "NewtonTurn") is a word that the glossary
 * replaces in the folder where the name stands. The words are those of its table "Words that names do not use". */
#include "tests/structure/sources.h"
#include "tests/testing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64, WORD = 40, ROOMS = 300, NAME = 128 };

typedef struct Banned {
  char word[WORD], instead[200], rooms[ROOMS]; /* rooms: "core/ solver/time/"; "": all */
} Banned;

typedef struct Table {
  int n;
  Banned row[WORDS];
} Table;

/* The next cell of a table's line without blanks and back quotes around it. */
static const char *cell_of(const char *line, char *out, size_t size) {
  const char *bar = *line ? strchr(line + 1, '|') : NULL;
  size_t n = 0;
  *out = 0;
  if (!bar) return line + strlen(line);
  for (const char *p = line + 1; p < bar && n + 1 < size; ++p)
    if (*p != '`' && (n || *p != ' ')) out[n++] = *p;
  while (n && out[n - 1] == ' ') --n;
  out[n] = 0;
  return bar;
}

/* A row for each word of the first column. */
static void read_table(const char *glossary, Table *out) {
  const char *line = strstr(glossary, "\n## Words that names do not use\n");
  assert_non_null(line);
  for (line = strchr(line + 4, '\n') + 1; *line && strncmp(line, "## ", 3); line = strchr(line, '\n') + 1) {
    char row[1000], words[200], *save = NULL;
    Banned b;
    snprintf(row, sizeof row, "%.*s", (int)strcspn(line, "\n"), line);
    if (row[0] != '|' || row[1] == '-') continue;
    const char *at = cell_of(row, words, sizeof words);
    at = cell_of(at, b.instead, sizeof b.instead);
    cell_of(at, b.rooms, sizeof b.rooms);
    if (!strcmp(words, "word")) continue;
    if (!strcmp(b.rooms, "everywhere")) *b.rooms = 0;
    for (char *w = strtok_r(words, ", ", &save); w; w = strtok_r(NULL, ", ", &save)) {
      assert_true(out->n < WORDS && strlen(w) < WORD);
      strcpy(b.word, w);
      out->row[out->n++] = b;
    }
  }
}

static bool is_in(const char *path, const char *rooms) {
  if (!*rooms) return true;
  for (const char *at = rooms; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
    const size_t n = strcspn(at, " ");
    if (!strncmp(path, at, n)) return true;
  }
  return false;
}

/* Parts of a name begin behind '_' and with capitals: linear, first, look of "linear_first_look"; Elastic, Look. */
static bool has_part(const char *name, const char *word) {
  const size_t n = strlen(word);
  for (size_t i = 0; name[i]; ++i) {
    const bool begins = i == 0 || !isalpha((unsigned char)name[i - 1]) ||
                        (isupper((unsigned char)name[i]) && islower((unsigned char)name[i - 1]));
    if (!begins || strncasecmp(name + i, word, n) != 0) continue;
    const char end = name[i + n], last = name[i + n - 1];
    if (!isalpha((unsigned char)end) || (isupper((unsigned char)end) && islower((unsigned char)last))) return true;
  }
  return false;
}

static const Banned *banned_in(const Table *table, const char *path, const char *name) {
  for (int k = 0; k < table->n; ++k)
    if (is_in(path, table->row[k].rooms) && has_part(name, table->row[k].word)) return &table->row[k];
  return NULL;
}

/* The next identifier outside of comments, texts and includes; NULL at the end. */
static const char *next_name(const char *p, char name[NAME]) {
  while (*p) {
    if (!strncmp(p, "/*", 2)) {
      const char *end = strstr(p + 2, "*/");
      if (!end) return NULL;
      p = end + 2;
    } else if (!strncmp(p, "//", 2) || !strncmp(p, "#include", 8)) {
      p += strcspn(p, "\n");
    } else if (*p == '"' || *p == '\'') {
      const char quote = *p++;
      while (*p && *p != quote) p += *p == '\\' && p[1] ? 2 : 1;
      if (*p) ++p;
    } else if (isalpha((unsigned char)*p) || *p == '_') {
      size_t n = 0;
      for (; isalnum((unsigned char)*p) || *p == '_'; ++p)
        if (n + 1 < NAME) name[n++] = *p;
      name[n] = 0;
      return p;
    } else {
      p += isdigit((unsigned char)*p) ? strspn(p, "0123456789abcdefABCDEFxXuUlLpP.") : 1;
    }
  }
  return NULL;
}

static int complaints_of(const Source *s, const Table *table) {
  char name[NAME];
  int bad = 0;
  for (const char *p = s->text; (p = next_name(p, name));) {
    const Banned *b = banned_in(table, s->path, name);
    if (!b) continue;
    int line = 1;
    for (const char *q = s->text; q < p; ++q) line += *q == '\n';
    print_error("%s:%d: '%s': the glossary has no '%s' in names: %s\n", s->path, line, name, b->word, b->instead);
    ++bad;
  }
  return bad;
}

static const Table *glossary_table(void) {
  static Table table;
  static char text[1 << 16];
  FILE *file = fopen(SINEW_SOURCE_DIR "/docs/glossary.md", "r");
  assert_non_null(file);
  assert_true(fread(text, 1, sizeof text - 1, file) > 0 && feof(file));
  fclose(file);
  table.n = 0;
  read_table(text, &table);
  return &table;
}

static void names_use_the_glossary(void **state) {
  (void)state;
  const Table *table = glossary_table();
  Sources sources = sources_read();
  int bad = 0;
  assert_true(table->n >= 5);
  for (int i = 0; i < sources.n; ++i)
    if (strncmp(sources.file[i].path, "tests/", 6) != 0) bad += complaints_of(&sources.file[i], table);
  sources_release(&sources);
  assert_int_equal(bad, 0);
}

static void is_found(void **state) {
  (void)state;
  assert_true(has_part("linear_first_look", "look"));
  assert_true(has_part("ElasticLook", "look"));
  assert_true(has_part("LOOK_MOST", "look"));
  assert_true(has_part("look2", "look"));
  assert_false(has_part("lookup", "look"));
  assert_false(has_part("outlook", "look"));
  assert_false(has_part("Lookup", "look"));
  assert_true(is_in("solver/time/newton.c", "core/ solver/time/"));
  assert_false(is_in("solver/krylov/pcg.c", "core/ solver/time/"));
  char name[NAME];
  const char *p = next_name("/* turn */ \"turn\" 0x1e5 'a' // turn\n#include \"turn.h\"\n turned", name);
  assert_non_null(p);
  assert_string_equal(name, "turned");
  assert_null(next_name(p, name));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_use_the_glossary), cmocka_unit_test(is_found)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
