/* "a, b or c": a list in a sentence. */
#pragma once
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* An item behind what stands in text[size]: the first as it is, the last behind `word` (" or "), others behind a comma. What has no room
 * is cut off. */
static inline void list_text_add(char *text, size_t size, bool first, bool last, const char *word, const char *item) {
  const size_t n = strlen(text);
  snprintf(text + n, size - n, "%s%s", first ? "" : last ? word : ", ", item);
}
