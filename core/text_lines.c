/* Where the items of a section begin, so that threads can read parts of it: in a binary file all take the same bytes,
 * in text the item is a line as a rule. Whoever reads sees whether that holds: a part must end where the next begins. */
#include "core/text_source.h"
#include "core/memory.h"
#include "core/parts.h"

#include <string.h>

enum { LINE_BLOCK = 1 << 16 };

static int64_t count_lines(const char *p, const char *end) {
  int64_t n = 0;
  while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) ++n, ++p;
  return n;
}

/* source->line_before[k]: line feeds before byte k LINE_BLOCK, for all blocks and the end. */
static Status index_lines(TextSource *source) {
  const int64_t n_block = source->size / LINE_BLOCK + 1;
  if (source->line_before) return OK;
  ALLOC(source->line_before, n_block + 1, "lines of a file");
#pragma omp parallel for schedule(static) if (n_block > 4)
  for (int64_t k = 0; k < n_block; ++k) {
    const int64_t end = (k + 1) * LINE_BLOCK;
    source->line_before[k + 1] =
        count_lines(source->bytes + k * LINE_BLOCK, source->bytes + (end < source->size ? end : source->size));
  }
  for (int64_t k = 0; k < n_block; ++k) source->line_before[k + 1] += source->line_before[k];
  return OK;
}

static int64_t line_number(const TextSource *source, int64_t at) {
  const int64_t k = at / LINE_BLOCK;
  return source->line_before[k] + count_lines(source->bytes + k * LINE_BLOCK, source->bytes + at);
}

Status source_line(TextSource *source, int64_t at, int64_t *line) {
  TRY(index_lines(source));
  *line = line_number(source, at < source->size ? at : source->size) + 1;
  return OK;
}

/* The first byte of a line, counted from 0; the end of the file when there are fewer. */
static int64_t line_begin(const TextSource *source, int64_t line) {
  int64_t low = 0, high = source->size / LINE_BLOCK + 1; /* the last block with fewer line feeds before it */
  if (line == 0) return 0;
  if (source->line_before[high] < line) return source->size;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (source->line_before[middle] < line) low = middle;
    else high = middle;
  }
  const char *p = source->bytes + low * LINE_BLOCK, *end = source->bytes + source->size;
  for (int64_t n = source->line_before[low]; n < line; ++n) p = (char *)memchr(p, '\n', (size_t)(end - p)) + 1;
  return p - source->bytes;
}

Status source_split(TextSource *source, int64_t n, int64_t bytes, int parts, int64_t *start) {
  const int64_t here = source_here(source);
  int64_t line = 0;
  if (!source->binary) {
    TRY(index_lines(source));
    line = line_number(source, here);
  }
  for (int p = 0; p < parts; ++p) {
    const int64_t first = part_begin(n, p, parts);
    TextSource at = *source;
    at.at = source->binary || p == 0 ? here + (p ? first * bytes : 0) : line_begin(source, line + first);
    start[p] = at.at < source->size ? source_here(&at) : source->size;
  }
  start[parts] = source->binary && bytes <= (source->size - here) / (n ? n : 1) ? here + n * bytes : -1;
  return OK;
}
