/* A part of a text, which is not terminated. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct Name {
  const char *text;
  int32_t n;
} Name;

static inline bool name_is(Name name, const char *text) {
  return (int32_t)strlen(text) == name.n && !strncmp(name.text, text, (size_t)name.n);
}
static inline bool name_same(Name a, Name b) { return a.n == b.n && !strncmp(a.text, b.text, (size_t)a.n); }
