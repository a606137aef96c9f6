/* Names of code in the documents for developers are names of the code: `function()`, `Type` and `some_name` in backticks, and types in
 * blocks, stand in some source; "`function()` in `path.c`" says where it is defined. CONTRIBUTING.md names the tests of the night. */
#include "tests/docs/page.h"
#include "tests/structure/sources.h"
#include "tests/testing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
static const char *const for_developers[] = {"docs/tour.md", "docs/adding.md", "docs/ten-calls.md", "CONTRIBUTING.md"};

static bool is_for_developers(const char *page) {
  for (size_t i = 0; i < sizeof for_developers / sizeof *for_developers; ++i)
    if (!strcmp(page, for_developers[i])) return true;
  return false;
}

static bool is_part(char c) { return c && strchr(letters, c); }

static bool has_word(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !is_part(at[-1])) && !is_part(at[n])) return true;
  return false;
}

static bool in_sources(const Sources *sources, const char *word) {
  for (int i = 0; i < sources->n; ++i)
    if (has_word(sources->file[i].text, word)) return true;
  return false;
}

/* MatFormat, Mesh; not NAME, U, or GPU. */
static bool is_type(const char *word) {
  const char *lower = word;
  while (*lower && !islower((unsigned char)*lower)) ++lower;
  return isupper((unsigned char)word[0]) && *lower;
}

/* The name in `text`, into word: of a function with (), a type, or words joined by _. */
static bool name_of(const char *text, char word[64], bool *function) {
  const size_t n = strspn(text, letters);
  if (!n || n >= 64 || strstr(text, "NAME") || strstr(text, "ROOM")) return false;
  snprintf(word, 64, "%.*s", (int)n, text);
  *function = !strcmp(text + n, "()");
  return *function || (!text[n] && (is_type(word) || strchr(word, '_')));
}

/* Is the function defined in that file: on a line that begins with its type? */
static bool defines(const Sources *sources, const char *path, const char *function) {
  for (int i = 0; i < sources->n; ++i) {
    const Source *s = &sources->file[i];
    for (int k = 0; !strcmp(s->path, path) && k < s->n_line; ++k) {
      const char *call = strchr(s->line[k], '(');
      const size_t n = strlen(function);
      if (!isalpha((unsigned char)s->line[k][0]) || !call || call < s->line[k] + n + 1) continue;
      if (!strncmp(call - n, function, n) && !is_part(call[-(long)n - 1]) &&
          (strchr(s->line[k], '{') || !strchr(s->line[k], ';')))
        return true;
    }
  }
  return false;
}

/* `function()` in `path`: both on the page with "in" between them, on one line or two. */
static bool is_placed(const Page *page, const char *function, const char *path) {
  char text[400];
  for (int breaks = 0; breaks < 3; ++breaks) {
    static const char *const gap[] = {"`%s()` in `%s`", "`%s()` in\n   `%s`", "`%s()` in\n`%s`"};
    snprintf(text, sizeof text, gap[breaks], function, path);
    if (strstr(page->text, text)) return true;
  }
  return false;
}

static void names(void **state) {
  (void)state;
  Pages pages = pages_read();
  Sources sources = sources_read();
  int bad = 0, n = 0, placed = 0;
  for (int i = 0; i < pages.n_piece; ++i) {
    const Piece *p = &pages.piece[i], *next = i + 1 < pages.n_piece ? p + 1 : NULL;
    char word[64];
    bool function;
    if (p->is_link || !is_for_developers(p->page) || !name_of(p->text, word, &function)) continue;
    if (!strcmp(word, "noun_verb")) continue; /* the form of a name */
    ++n;
    if (!in_sources(&sources, word)) bad += page_complaint(p->page, p->line, "no source has '%s'", word);
    if (!function || !next || strcmp(next->page, p->page)) continue;
    if (!is_placed(pages_find(&pages, p->page), word, next->text)) continue;
    ++placed;
    if (!defines(&sources, next->text, word))
      bad += page_complaint(p->page, p->line, "'%s' does not define '%s'", next->text, word);
  }
  print_message("%d names, %d of them with their file\n", n, placed);
  assert_true(n > 100 && placed > 20);
  sources_release(&sources);
  pages_release(&pages);
  assert_int_equal(bad, 0);
}

static char *text_of(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = calloc(1, 100000);
  assert_true(file && text && fread(text, 1, 99999, file) > 0);
  fclose(file);
  return text;
}

/* Words of blocks: the line of the data at the top of the tour. */
static void types_of_blocks(void **state) {
  (void)state;
  Pages pages = pages_read();
  Sources sources = sources_read();
  int bad = 0, n = 0;
  for (int i = 0; i < pages.n_block; ++i) {
    const Block *b = &pages.block[i];
    char word[64];
    if (*b->language || !is_for_developers(b->page) || !strstr(b->text, "->")) continue;
    for (const char *at = b->text; *(at += strcspn(at, letters)); at += strlen(word)) {
      snprintf(word, sizeof word, "%.*s", (int)strspn(at, letters), at);
      if (!is_type(word)) continue;
      ++n;
      if (!in_sources(&sources, word)) bad += page_complaint(b->page, b->line, "no source has '%s'", word);
    }
  }
  assert_true(n > 5);
  sources_release(&sources);
  pages_release(&pages);
  assert_int_equal(bad, 0);
}

/* CONTRIBUTING.md names all tests that run at night only. */
static void tests_of_the_night(void **state) {
  (void)state;
  char *text = text_of(SINEW_SOURCE_DIR "/tests/labels.cmake");
  Pages pages = pages_read();
  const Page *page = pages_find(&pages, "CONTRIBUTING.md");
  char *at = strstr(text, "set(SINEW_SLOW_TESTS"), *end = at ? strchr(at, ')') : NULL;
  int bad = 0, n = 0;
  assert_non_null(end);
  *end = 0;
  strtok(at, " \n");
  for (char *name = strtok(NULL, " \n"); name; name = strtok(NULL, " \n"), ++n) {
    if (!strstr(page->text, name)) bad += page_complaint(page->path, 1, "the table of labels lacks %s", name);
  }
  assert_true(n > 3);
  pages_release(&pages);
  free(text);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(types_of_blocks),
                                     cmocka_unit_test(tests_of_the_night)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
