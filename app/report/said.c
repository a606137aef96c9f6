#include "app/report/said.h"
#include "core/memory.h"

#include <string.h>

/* Texts one after the other, each with its zero: no memory is asked for, as an error may be on its way. */
enum { SAID_BYTES = 1 << 15 };
static _Thread_local struct {
  int n;
  char text[SAID_BYTES];
} said;

void said_keep(const char *text) {
  const size_t n = strlen(text) + 1;
  if (n > sizeof said.text - (size_t)said.n) return;
  memcpy(said.text + said.n, text, n);
  said.n += (int)n;
}

void said_save(Json *json, const char *key) {
  json_array(json, key);
  for (int i = 0; i < said.n; i += (int)strlen(said.text + i) + 1) json_string(json, NULL, said.text + i);
  for (int i = 0; i < status_warning_count(); ++i) json_string(json, NULL, status_warning(i));
  json_end(json);
}

void said_back(int mark) { said.n = mark; }

int said_mark(void) { return said.n; }

Status said_take(int mark, char **text, int *n) {
  *text = NULL;
  *n = said.n - mark;
  if (!*n) return OK;
  ALLOC(*text, *n, "warnings");
  memcpy(*text, said.text + mark, (size_t)*n);
  said.n = mark;
  return OK;
}

void said_give(const char *text, int n) {
  for (int i = 0; i < n; i += (int)strlen(text + i) + 1) said_keep(text + i);
}
