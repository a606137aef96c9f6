#include "tests/structure/symbols.h"
#include "tests/testing.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "core/exec.c" of ".../core/CMakeFiles/sinew_core.dir/exec.c.o"; false for what no source of the repository has made: a
 * generated one, or an object that was left behind by a file that is gone. */
static bool source_of(const char *object, char path[4096]) {
  const char *middle = strstr(object, "/CMakeFiles/"), *rest = middle ? strstr(middle, ".dir/") : NULL;
  char full[8192];
  if (!rest || strncmp(object, SINEW_BINARY_DIR "/", strlen(SINEW_BINARY_DIR) + 1) != 0) return false;
  object += strlen(SINEW_BINARY_DIR) + 1;
  snprintf(path, 4096, "%.*s/%.*s", (int)(middle - object), object, (int)strlen(rest + 5) - 2, rest + 5);
  snprintf(full, sizeof full, SINEW_SOURCE_DIR "/%s", path);
  return access(full, F_OK) == 0;
}

static int by_name(const void *a, const void *b) {
  const Symbol *s = a, *t = b;
  const int order = strcmp(s->name, t->name);
  return order ? order : s->needs != t->needs ? s->needs - t->needs : strcmp(s->path, t->path);
}

Symbols symbols_read(void) {
  Symbols found = {0, NULL};
  char line[16384], path[4096];
  FILE *nm = popen("find '" SINEW_BINARY_DIR "' -path '*/CMakeFiles/*' -name '*.o' ! -path '" SINEW_BINARY_DIR
                   "/tests/*' -exec '" SINEW_NM "' -A -P -g {} + 2>/dev/null",
                   "r");
  assert_non_null(nm);
  while (fgets(line, sizeof line, nm)) { /* "file: name letter value size" */
    char name[8192], letter;
    char *colon = strstr(line, ": ");
    if (!colon || sscanf(colon + 2, "%8191s %c", name, &letter) != 2) continue;
    *colon = 0;
    if (!strncmp(name, "__", 2) || !source_of(line, path)) continue; /* the compiler's own */
    if (found.n % 4096 == 0) found.item = realloc(found.item, (size_t)(found.n + 4096) * sizeof *found.item);
    found.item[found.n++] = (Symbol){strdup(path), strdup(name), letter == 'U'};
  }
  pclose(nm);
  if (found.n) qsort(found.item, (size_t)found.n, sizeof *found.item, by_name);
  return found;
}

void symbols_release(Symbols *symbols) {
  for (int i = 0; i < symbols->n; ++i) {
    free(symbols->item[i].path);
    free(symbols->item[i].name);
  }
  free(symbols->item);
  *symbols = (Symbols){0, NULL};
}

const char *symbols_home(const Symbols *symbols, const char *name) {
  const Symbol key = {(char *)"", (char *)name, false};
  int low = 0, high = symbols->n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (by_name(&symbols->item[middle], &key) < 0) low = middle + 1;
    else high = middle;
  }
  const Symbol *s = low < symbols->n ? &symbols->item[low] : NULL;
  return s && !s->needs && !strcmp(s->name, name) ? s->path : NULL;
}

bool symbols_static(const char *line, char name[128]) {
  if (strncmp(line, "static ", 7) != 0 && strncmp(line, "HD ", 3) != 0) return false;
  const char *end = line + strcspn(line, "(=;["), *begin = end;
  while (end > line && end[-1] == ' ') --end;
  for (begin = end; begin > line && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_');) --begin;
  snprintf(name, 128, "%.*s", (int)(end - begin), begin);
  return *name != 0;
}
