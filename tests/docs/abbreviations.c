/* Every abbreviation of the documents stands in the glossary. An abbreviation is a word with a capital letter and another
 * or a digit behind it, outside of code and links; Roman numbers are none. */
#include "tests/docs/page.h"
#include "tests/testing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 64, WORDS = 1000 };

typedef struct Words {
  int n;
  char word[WORDS][WORD];
} Words;

static bool known(const Words *words, const char *word) {
  for (int i = 0; i < words->n; ++i)
    if (!strcmp(words->word[i], word)) return true;
  return false;
}

/* The next run of letters and digits at or after *at, without the s of a plural; false at the end. */
static bool next_word(const char **at, char word[WORD]) {
  while (**at && !isalnum((unsigned char)**at)) ++*at;
  const char *from = *at;
  while (isalnum((unsigned char)**at)) ++*at;
  size_t n = (size_t)(*at - from);
  if (n > 2 && from[n - 1] == 's' && isupper((unsigned char)from[n - 2])) --n;
  snprintf(word, WORD, "%.*s", (int)n, from);
  return n > 0;
}

static bool is_abbreviation(const char *word) {
  if (strspn(word, "IVX") == strlen(word)) return false;
  for (const char *c = word; *c; ++c)
    if (isupper((unsigned char)c[0]) && (isupper((unsigned char)c[1]) || isdigit((unsigned char)c[1]))) return true;
  return false;
}

/* Words in the first column of the glossary's tables. */
static void read_glossary(const char *text, Words *out) {
  for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    char cell[200], word[WORD];
    if (*line != '|') continue;
    snprintf(cell, sizeof cell, "%.*s", (int)strcspn(line + 1, "|\n"), line + 1);
    for (const char *at = cell; next_word(&at, word) && out->n < WORDS;) strcpy(out->word[out->n++], word);
  }
}

/* Blanks where code and the targets of links stand. */
static char *prose_of(const char *text) {
  char *prose = strdup(text);
  bool fenced = false, code = false;
  for (char *at = prose; *at; ++at) {
    const bool start = at == prose || at[-1] == '\n';
    const bool fence = start && !strncmp(at, "```", 3);
    if (fence) fenced = !fenced;
    if (fence ||
        (start && !fenced &&
         (!strncmp(at, "    ", 4) || !strncmp(at, "<!--", 4)))) /* indented code too, and what readers do not see */
      while (*at && *at != '\n') *at++ = ' ';
    if (!*at) break;
    if (!fenced && *at == '`') code = !code;
    if (at[0] == ']' && at[1] == '(')
      while (*at && *at != ')' && *at != '\n') *at++ = ' ';
    if ((fenced || code) && *at != '\n') *at = ' ';
  }
  return prose;
}

static int missing_in(const Page *page, const Words *glossary) {
  char *prose = prose_of(page->text), word[WORD];
  int missing = 0, line = 1;
  const char *last = prose;
  for (const char *at = prose; next_word(&at, word);) {
    for (; last < at; ++last) line += *last == '\n';
    if (is_abbreviation(word) && !known(glossary, word))
      missing += page_complaint(page->path, line, "'%s' is not in docs/glossary.md", word);
  }
  free(prose);
  return missing;
}

static void abbreviations_are_explained(void **state) {
  (void)state;
  Pages pages = pages_read();
  const Page *glossary = pages_find(&pages, "docs/glossary.md");
  static Words words;
  assert_non_null(glossary);
  read_glossary(glossary->text, &words);
  static const char *const needed[] = {"AMG",  "PMG",  "CMG",     "SSOR", "LDRB", "APD",  "ECG",  "SELL", "SBELL",
                                       "BELL", "ELLR", "segSpMV", "RCM",  "PCG",  "COCG", "BDF2", "LAT",  "CFL"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; ++i)
    if (!known(&words, needed[i])) fail_msg("'%s' is not in docs/glossary.md", needed[i]);
  int missing = 0;
  for (int p = 0; p < pages.n; ++p) missing += missing_in(&pages.page[p], &words);
  pages_release(&pages);
  if (missing) fail_msg("%d abbreviations without an explanation", missing);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(abbreviations_are_explained)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
