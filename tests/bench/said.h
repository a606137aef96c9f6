/* What a bench wrote. */
#pragma once
#include "core/memory.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

/* The whole of a file; FREE it. */
static inline char *text_of(FILE *f) {
  char *text = NULL;
  fseek(f, 0, SEEK_END);
  const long size = ftell(f);
  rewind(f);
  assert_ok(mem_alloc(size + 1, 1, "text", (void **)&text));
  assert_int_equal(fread(text, 1, (size_t)size, f), size);
  return text;
}

/* How often a part stands in a text. */
static inline int count(const char *text, const char *part) {
  int n = 0;
  for (const char *at = strstr(text, part); at; at = strstr(at + 1, part)) ++n;
  return n;
}
