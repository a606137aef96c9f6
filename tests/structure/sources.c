#include "tests/structure/sources.h"

#include "tests/testing.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>

static Sources found; /* nftw takes no context */

bool source_is(const char *path, const char *ending) {
  const size_t n = strlen(path), m = strlen(ending);
  return n >= m && !strcmp(path + n - m, ending);
}

static void split(Source *s) {
  s->n_line = 0;
  for (const char *p = s->text; *p; ++p) s->n_line += *p == '\n';
  s->line = calloc((size_t)s->n_line + 2, sizeof *s->line);
  char *copy = strdup(s->text), *rest = copy;
  int n = 0;
  for (char *end; (end = strchr(rest, '\n')); rest = end + 1) {
    *end = 0;
    s->line[n++] = strdup(rest);
  }
  if (*rest) s->line[n++] = strdup(rest);
  s->n_line = n;
  free(copy);
}

static int visit(const char *path, const struct stat *st, int type, struct FTW *at) {
  (void)st;
  const char *name = path + at->base;
  if (type == FTW_D && at->level > 0 && (name[0] == '.' || !strncmp(name, "build", 5))) return FTW_SKIP_SUBTREE;
  if (type != FTW_F) return FTW_CONTINUE;
  if (!source_is(name, ".c") && !source_is(name, ".h") && !source_is(name, ".cu") && !source_is(name, ".cuh") &&
      !source_is(name, ".def"))
    return FTW_CONTINUE;
  found.file = realloc(found.file, (size_t)(found.n + 1) * sizeof *found.file);
  Source *s = &found.file[found.n++];
  s->path = strdup(path + strlen(SINEW_SOURCE_DIR) + 1);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  const size_t size = (size_t)ftell(file);
  rewind(file);
  s->text = calloc(size + 1, 1);
  assert_int_equal(fread(s->text, 1, size, file), size);
  fclose(file);
  split(s);
  return FTW_CONTINUE;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const Source *)a)->path, ((const Source *)b)->path);
}

Sources sources_read(void) {
  found = (Sources){0, NULL};
  assert_int_equal(nftw(SINEW_SOURCE_DIR, visit, 16, FTW_PHYS | FTW_ACTIONRETVAL), 0);
  qsort(found.file, (size_t)found.n, sizeof *found.file, by_path);
  assert_true(found.n > 20);
  return found;
}

void sources_release(Sources *sources) {
  for (int i = 0; i < sources->n; ++i) {
    Source *s = &sources->file[i];
    for (int k = 0; k < s->n_line; ++k) free(s->line[k]);
    free(s->line);
    free(s->text);
    free(s->path);
  }
  free(sources->file);
  *sources = (Sources){0, NULL};
}

const char *source_room(const char *path, char room[32]) {
  const char *slash = strchr(path, '/');
  snprintf(room, 32, "%.*s", slash ? (int)(slash - path) : 0, path);
  return room;
}

bool source_include(const char *line, char name[256]) {
  char rest[2];
  return sscanf(line, " # include \"%255[^\"]%1[\"]", name, rest) == 2;
}
