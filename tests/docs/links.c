/* Every relative link of a document leads to a file and a heading that are there, every path and file name in backticks
 * names something of the repository. */
#include "tests/cli/run_program.h"
#include "tests/docs/page.h"
#include "tests/structure/sources.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

/* "Fine `print`, so" is the anchor "fine-print-so". */
static void anchor_of(const char *heading, char *text, size_t size) {
  size_t n = 0;
  for (; *heading && *heading != '\n' && n + 1 < size; ++heading) {
    const unsigned char c = (unsigned char)*heading;
    if (isalnum(c) || c == '_' || c == '-' || c >= 128) text[n++] = (char)tolower(c);
    if (c == ' ') text[n++] = '-';
  }
  text[n] = 0;
}

static bool has_anchor(const Page *page, const char *anchor) {
  bool fenced = false;
  for (const char *at = page->text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
    char name[300];
    if (!strncmp(at, "```", 3)) fenced = !fenced;
    if (*at != '#' || fenced) continue;
    anchor_of(at + strspn(at, "# "), name, sizeof name);
    if (!strcmp(name, anchor)) return true;
  }
  return false;
}

/* "docs/" + "../cases/x" is "cases/x". */
static void join(const char *page, const char *target, char *path, size_t size) {
  char parts[2100];
  const char *slash = strrchr(page, '/');
  snprintf(parts, sizeof parts, "%.*s/%s", slash ? (int)(slash - page) : 0, page, target);
  path[0] = 0;
  for (char *part = strtok(parts, "/"); part; part = strtok(NULL, "/")) {
    if (!strcmp(part, ".")) continue;
    if (!strcmp(part, "..")) {
      char *last = strrchr(path, '/');
      *(last ? last : path) = 0;
      continue;
    }
    const size_t used = strlen(path);
    snprintf(path + used, size - used, "%s%s", used ? "/" : "", part);
  }
}

static int check_link(const Pages *pages, const Piece *piece) {
  const char *target = piece->text, *hash = strchr(target, '#');
  if (strstr(target, "://") || !strncmp(target, "mailto:", 7)) return 0;
  char file[1000], path[1000];
  snprintf(file, sizeof file, "%.*s", hash ? (int)(hash - target) : (int)strlen(target), target);
  if (*file) join(piece->page, file, path, sizeof path);
  else snprintf(path, sizeof path, "%s", piece->page);
  if (!is_there(SINEW_SOURCE_DIR, path))
    return page_complaint(piece->page, piece->line, "the link '%s' leads nowhere", target);
  const Page *page = pages_find(pages, path);
  if (hash && page && !has_anchor(page, hash + 1))
    return page_complaint(piece->page, piece->line, "'%s' has no heading '#%s'", path, hash + 1);
  return 0;
}

static bool has_placeholder(const char *text) {
  static const char *const words[] = {"NAME", "ROOM", "PHYSICS", "FORMAT", "DIR", "BUILD", "...", "PATH", "FOLDER"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strstr(text, words[i])) return true;
  return false;
}

/* Is it written like a path that starts at one of the repository's folders? */
static bool is_path(const char *text) {
  static const char *const rooms[] = {"app",  "algebra", "assembly", "bench",  "cases",   "cmake",  "core",
                                      "docs", "gpu",     "mesh",     "output", "physics", "solver", "tests"};
  const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./*-");
  if (text[n] || has_placeholder(text)) return false;
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; ++i)
    if (!strncmp(text, rooms[i], strlen(rooms[i])) && text[strlen(rooms[i])] == '/') return true;
  return false;
}

static bool there_is(const char *pattern) {
  char all[4096];
  snprintf(all, sizeof all, "%s/%s", SINEW_SOURCE_DIR, pattern);
  glob_t found;
  const bool any = glob(all, 0, NULL, &found) == 0;
  if (any) globfree(&found);
  return any;
}

/* A file name alone, such as `load.c`, must be that of a source file. */
static bool is_source_name(const char *text) {
  const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_*");
  static const char *const endings[] = {".c", ".h", ".cu", ".cuh", ".def"};
  for (size_t i = 0; n && i < sizeof endings / sizeof *endings; ++i)
    if (!strcmp(text + n, endings[i])) return true;
  return false;
}

static bool is_name_of(const Sources *sources, const char *name) {
  const char *star = strchr(name, '*');
  for (int i = 0; i < sources->n; ++i) {
    const char *slash = strrchr(sources->file[i].path, '/'), *file = slash + 1;
    if (star ? !strncmp(file, name, (size_t)(star - name)) : !strcmp(file, name)) return true;
  }
  return false;
}

/* The folders whose results and build outputs documents may name without their being there. */
static bool is_made(const char *path) { return strstr(path, "results") != NULL; }

static void links(void **state) {
  (void)state;
  Pages pages = pages_read();
  int bad = 0, n = 0;
  for (int i = 0; i < pages.n_piece; ++i)
    if (pages.piece[i].is_link) ++n, bad += check_link(&pages, &pages.piece[i]);
  assert_true(n > 50);
  pages_release(&pages);
  assert_int_equal(bad, 0);
}

static void paths(void **state) {
  (void)state;
  Pages pages = pages_read();
  Sources sources = sources_read();
  int bad = 0, n = 0;
  for (int i = 0; i < pages.n_piece; ++i) {
    const Piece *p = &pages.piece[i];
    if (p->is_link || !strcmp(p->page, "CHANGELOG.md")) continue; /* which tells of files that were */
    const bool path = is_path(p->text), name = is_source_name(p->text);
    n += path || name;
    if (path && !is_made(p->text) && !there_is(p->text))
      bad += page_complaint(p->page, p->line, "there is no '%s'", p->text);
    if (name && !is_name_of(&sources, p->text))
      bad += page_complaint(p->page, p->line, "there is no source file '%s'", p->text);
  }
  assert_true(n > 100);
  sources_release(&sources);
  pages_release(&pages);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(links), cmocka_unit_test(paths)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
