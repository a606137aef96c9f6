#include "tests/docs/page.h"
#include "tests/cli/run_program.h"

#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int page_complaint(const char *page, int line, const char *format, ...) {
  char text[1000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  print_error("%s:%d: %s\n", page, line, text);
  return 1;
}

static char *copy(const char *from, size_t n) {
  char *text = calloc(n + 1, 1);
  memcpy(text, from, n);
  return text;
}

static void add_block(Pages *pages, const Page *page, int line, const char *language, char *marker, const char *from,
                      size_t n) {
  pages->block = realloc(pages->block, (size_t)(pages->n_block + 1) * sizeof *pages->block);
  pages->block[pages->n_block++] =
      (Block){page->path, line, copy(language, strcspn(language, "\n ")), marker, copy(from, n)};
}

static void add_piece(Pages *pages, const Page *page, int line, bool is_link, const char *from, size_t n) {
  pages->piece = realloc(pages->piece, (size_t)(pages->n_piece + 1) * sizeof *pages->piece);
  pages->piece[pages->n_piece++] = (Piece){page->path, line, is_link, copy(from, n)};
}

/* Code and links of one line; code goes before links, a link in code is none. */
static void cut_line(Pages *pages, const Page *page, int line, const char *at, const char *end) {
  while (at < end) {
    if (*at == '`') {
      const char *close = memchr(at + 1, '`', (size_t)(end - at - 1));
      if (!close) return;
      add_piece(pages, page, line, false, at + 1, (size_t)(close - at - 1));
      at = close + 1;
    } else if (at[0] == ']' && at[1] == '(') {
      const char *close = memchr(at, ')', (size_t)(end - at));
      if (!close) return;
      add_piece(pages, page, line, true, at + 2, (size_t)(close - at - 2));
      at = close + 1;
    } else {
      ++at;
    }
  }
}

static const char *line_end(const char *at) {
  const char *end = strchr(at, '\n');
  return end ? end : at + strlen(at);
}

static const char *next_line(const char *at) {
  const char *end = line_end(at);
  return *end ? end + 1 : end;
}

static char *marker_of(const char *at) {
  static const char opening[] = "<!-- example: ";
  if (strncmp(at, opening, sizeof opening - 1)) return NULL;
  const char *from = at + sizeof opening - 1, *to = strstr(from, " -->");
  return to ? copy(from, (size_t)(to - from)) : NULL;
}

static void cut(Pages *pages, const Page *page) {
  char *marker = NULL;
  bool empty = true;
  int line = 1;
  for (const char *at = page->text; *at; at = next_line(at), ++line) {
    const char *end = line_end(at);
    if (!strncmp(at, "```", 3)) {
      const char *language = at + 3, *from = next_line(at), *to = from;
      const int first = ++line;
      for (; *to && strncmp(to, "```", 3); ++line) to = next_line(to);
      add_block(pages, page, first, language, marker, from, (size_t)(to - from));
      marker = NULL;
      at = to;
      if (!*at) return;
    } else if (!strncmp(at, "    ", 4) && empty) {
      const char *from = at;
      const int first = line;
      for (; !strncmp(at, "    ", 4); ++line) at = next_line(at);
      add_block(pages, page, first, "", NULL, from, (size_t)(at - from));
      if (!*at) return;
    } else {
      if (!marker) marker = marker_of(at);
      if (end > at && !marker) cut_line(pages, page, line, at, end);
    }
    empty = *at == '\n';
  }
  free(marker);
}

static void read_pages(Pages *pages, const char *pattern) {
  char all[4096];
  snprintf(all, sizeof all, "%s/%s", SINEW_SOURCE_DIR, pattern);
  glob_t found;
  if (glob(all, 0, NULL, &found)) return;
  for (size_t i = 0; i < found.gl_pathc; ++i) {
    const char *path = found.gl_pathv[i] + strlen(SINEW_SOURCE_DIR) + 1;
    pages->page = realloc(pages->page, (size_t)(pages->n + 1) * sizeof *pages->page);
    pages->page[pages->n++] =
        (Page){copy(path, strlen(path)), get_text(SINEW_SOURCE_DIR, path), !strncmp(path, "cases/", 6)};
  }
  globfree(&found);
}

Pages pages_read(void) {
  Pages pages = {0};
  static const char *const patterns[] = {"README.md",   "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md",
                                         "docs/*/*.md", "*/README.md",     "*/*/README.md"};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; ++i) read_pages(&pages, patterns[i]);
  assert_true(pages.n > 20);
  for (int i = 0; i < pages.n; ++i) cut(&pages, &pages.page[i]);
  return pages;
}

const Page *pages_find(const Pages *pages, const char *path) {
  for (int i = 0; i < pages->n; ++i)
    if (!strcmp(pages->page[i].path, path)) return &pages->page[i];
  return NULL;
}

void pages_release(Pages *pages) {
  for (int i = 0; i < pages->n; ++i) free(pages->page[i].path), free(pages->page[i].text);
  for (int i = 0; i < pages->n_block; ++i)
    free(pages->block[i].language), free(pages->block[i].marker), free(pages->block[i].text);
  for (int i = 0; i < pages->n_piece; ++i) free(pages->piece[i].text);
  free(pages->page);
  free(pages->block);
  free(pages->piece);
  *pages = (Pages){0};
}
