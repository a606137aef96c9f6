/* A recursive descent over JSON text, see json.h. */
#include "tests/cli/json.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *value(const char *p, int depth);

static const char *space(const char *p) {
  while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r') ++p;
  return p;
}

static const char *string(const char *p) {
  if (*p++ != '"') return NULL;
  for (; *p != '"'; ++p) {
    if ((unsigned char)*p < 0x20) return NULL; /* the end of the text too */
    if (*p == '\\' && (!*++p || !strchr("\"\\/bfnrtu", *p))) return NULL;
  }
  return p + 1;
}

static const char *number(const char *p) {
  if (*p == '-') ++p;
  if (!isdigit((unsigned char)*p)) return NULL;
  if (*p == '0' && isdigit((unsigned char)p[1])) return NULL;
  while (isdigit((unsigned char)*p)) ++p;
  if (*p == '.') {
    if (!isdigit((unsigned char)*++p)) return NULL;
    while (isdigit((unsigned char)*p)) ++p;
  }
  if (*p == 'e' || *p == 'E') {
    p += p[1] == '+' || p[1] == '-' ? 2 : 1;
    if (!isdigit((unsigned char)*p)) return NULL;
    while (isdigit((unsigned char)*p)) ++p;
  }
  return p;
}

/* Items of an array or, with keys, of an object; p is behind the opening bracket. */
static const char *items(const char *p, char end, bool keys, int depth) {
  p = space(p);
  if (*p == end) return p + 1;
  for (;; p = space(p + 1)) {
    if (keys) {
      if (!(p = string(p)) || *(p = space(p)) != ':') return NULL;
      ++p;
    }
    if (!(p = value(p, depth + 1))) return NULL;
    p = space(p);
    if (*p == end) return p + 1;
    if (*p != ',') return NULL;
  }
}

static const char *value(const char *p, int depth) {
  p = space(p);
  if (depth > 32) return NULL;
  if (*p == '{') return items(p + 1, '}', true, depth);
  if (*p == '[') return items(p + 1, ']', false, depth);
  if (*p == '"') return string(p);
  if (!strncmp(p, "true", 4) || !strncmp(p, "null", 4)) return p + 4;
  if (!strncmp(p, "false", 5)) return p + 5;
  return number(p);
}

bool json_valid(const char *text) {
  const char *end = value(text, 0);
  return end && !*space(end);
}

const char *json_find(const char *text, const char *key) {
  char quoted[128];
  const int n = snprintf(quoted, sizeof quoted, "\"%s\"", key);
  for (const char *p = text; (p = strstr(p, quoted)); p += n) {
    const char *after = space(p + n);
    if (*after == ':') return space(after + 1);
  }
  return NULL;
}
