/* Restricted Damerau-Levenshtein distance over three rows of a table. */
#include "core/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { NAME_BYTES = 64 };

static int nearest_lower(char c) { return tolower((unsigned char)c); }

int nearest_distance(const char *a, const char *b) {
  const size_t na = strlen(a), nb = strlen(b);
  if (na >= NAME_BYTES || nb >= NAME_BYTES) return NAME_BYTES;
  int rows[3][NAME_BYTES];
  int *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= nb; ++j) above[j] = (int)j;
  for (size_t i = 1; i <= na; ++i) {
    row[0] = (int)i;
    for (size_t j = 1; j <= nb; ++j) {
      const bool same = nearest_lower(a[i - 1]) == nearest_lower(b[j - 1]);
      int best = above[j - 1] + !same;
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      const bool swapped = i > 1 && j > 1 && nearest_lower(a[i - 1]) == nearest_lower(b[j - 2]) &&
                           nearest_lower(a[i - 2]) == nearest_lower(b[j - 1]);
      if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
      row[j] = best;
    }
    int *const next = before;
    before = above, above = row, row = next;
  }
  return above[nb];
}

/* The same but for the case of letters and for what joins words. */
static bool nearest_same(const char *a, const char *b) {
  static const char *const joints = "-_ ";
  for (;; ++a, ++b) {
    a += strspn(a, joints), b += strspn(b, joints);
    if (nearest_lower(*a) != nearest_lower(*b)) return false;
    if (!*a) return true;
  }
}

/* What other programs call one of the names; NULL: none of them. */
static const char *nearest_other(const char *name, int n, const char *const *names) {
  static const struct {
    const char *theirs, *ours;
  } words[] = {
#define OTHER(theirs, ours) {theirs, ours},
#include "core/other_words.def"
#undef OTHER
  };
  for (size_t w = 0; w < sizeof words / sizeof *words; ++w)
    for (int i = 0; i < n && nearest_same(name, words[w].theirs); ++i)
      if (strcmp(words[w].ours, names[i]) == 0) return names[i];
  return NULL;
}

const char *nearest_name(const char *name, int n, const char *const *names) {
  for (int i = 0; i < n && *name; ++i)
    if (nearest_same(name, names[i])) return names[i];
  const char *other = nearest_other(name, n, names);
  if (other) return other;
  const char *best = NULL;
  int least = NAME_BYTES;
  for (int i = 0; i < n; ++i) {
    const size_t a = strlen(name), b = strlen(names[i]), longer = a > b ? a : b;
    const int distance = nearest_distance(name, names[i]);
    const int allowed = longer < 2 ? 0 : (int)((longer + 2) / 3);
    if (distance <= allowed && distance < least) least = distance, best = names[i];
  }
  return best;
}
