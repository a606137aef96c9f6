/* Lines of data behind the keywords of a deck: fields between commas, and spans of lines for threads. */
#include "core/memory.h"
#include "core/parts.h"
#include "mesh/io/inp.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPAN_BYTES = 1 << 18 };

static bool data_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static int64_t line_end(const TextSource *source, int64_t at, int64_t end) {
  const char *newline = memchr(source->bytes + at, '\n', (size_t)(end - at));
  return newline ? newline + 1 - source->bytes : end;
}

int64_t inp_skip(const TextSource *source, int64_t at, int64_t end) {
  while (at < end) {
    int64_t p = at;
    while (p < end && data_blank(source->bytes[p])) ++p;
    if (p < end && source->bytes[p] != '\n' && source->bytes[p] != '*') return at;
    at = line_end(source, p, end);
  }
  return end;
}

static void cut_fields(InpLine *line) {
  char *p = line->text;
  line->n = 0;
  for (bool more = true; more && line->n < INP_FIELDS;) {
    char *comma = strchr(p, ',');
    more = comma != NULL;
    if (comma) *comma = 0;
    while (isspace((unsigned char)*p)) ++p;
    char *end = p + strlen(p);
    while (end > p && isspace((unsigned char)end[-1])) *--end = 0;
    line->field[line->n++] = p;
    p = comma ? comma + 1 : p;
  }
  while (line->n && !*line->field[line->n - 1]) --line->n;
}

bool inp_next(const InpDeck *deck, const InpCard *card, InpCursor *cursor, InpLine *line) {
  for (; cursor->data < card->n; ++cursor->data, cursor->at = 0) {
    const InpData *data = &deck->data[card->first + cursor->data];
    const TextSource *source = &deck->file[data->file].source;
    const int64_t at = inp_skip(source, cursor->at ? cursor->at : data->begin, data->end);
    if (at >= data->end) continue;
    const int64_t end = line_end(source, at, data->end);
    size_t n = (size_t)(end - at);
    if (n >= INP_LINE) n = INP_LINE - 1;
    memcpy(line->text, source->bytes + at, n);
    line->text[n] = 0;
    for (size_t i = 0; i < n; ++i)
      if (!isprint((unsigned char)line->text[i])) line->text[i] = isspace((unsigned char)line->text[i]) ? ' ' : '?';
    line->file = data->file, line->at = at;
    cursor->at = end;
    cut_fields(line);
    return true;
  }
  return false;
}

bool inp_next_numbers(const InpDeck *deck, const InpCard *card, InpCursor *cursor, InpNumbers *numbers) {
  if (cursor->data >= card->n) return false;
  const InpData *data = &deck->data[card->first + cursor->data];
  const TextSource *source = &deck->file[data->file].source;
  const char *p = source->bytes + inp_skip(source, cursor->at ? cursor->at : data->begin, data->end),
             *stop = source->bytes + data->end;
  for (numbers->n = 0; p < stop && *p != '\n'; ++p) {
    if (*p == ',' || data_blank(*p)) continue;
    const char *digits = p;
    int64_t number = 0;
    for (; *p >= '0' && *p <= '9' && number < INT32_MAX; ++p) number = 10 * number + (*p - '0');
    while (p < stop && data_blank(*p)) ++p; /* a blank inside of a name is no comma */
    if (p == digits || numbers->n == INP_FIELDS || (p < stop && *p != ',' && *p != '\n')) return false;
    numbers->number[numbers->n++] = number;
    --p;
  }
  if (numbers->n == 0) return false;
  cursor->at = p - source->bytes + (p < stop);
  return true;
}

Status inp_line_fail(const InpDeck *deck, const InpCard *card, const InpLine *line, const char *format, ...) {
  char text[1500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return source_fail(&deck->file[line->file].source, line->at, "*%s: %s", card->name, text);
}

Status inp_number(const InpDeck *deck, const InpCard *card, const InpLine *line, int k, double *out) {
  *out = 0;
  if (k >= line->n || !*line->field[k]) return OK;
  const char *end = source_number(line->field[k], out);
  if (!end || *end) return inp_line_fail(deck, card, line, "'%s' where a number was expected", line->field[k]);
  return OK;
}

bool inp_whole(const char *text, int64_t *out) {
  char *end;
  *out = strtoll(text, &end, 10);
  return end != text && !*end && (*text == '-' || isdigit((unsigned char)*text));
}

/* Blanks, commas, line ends, and what no number holds. */
static uint8_t number_ends(char c) { return (uint8_t)(((unsigned char)c <= ' ') | (c == ',')); }

/* Words of [at, end). Counted by bytes in short runs, which the compiler does many at a time. */
static int64_t count_words(const char *bytes, int64_t at, int64_t end) {
  enum { RUN = 240 };
  int64_t n = at < end && !number_ends(bytes[at]);
  for (int64_t p = at + 1; p < end; p += RUN) {
    const int64_t stop = p + RUN < end ? p + RUN : end;
    uint8_t begun = 0;
    for (int64_t k = p; k < stop; ++k) begun += (uint8_t)(number_ends(bytes[k - 1]) & ~number_ends(bytes[k]));
    n += begun;
  }
  return n;
}

static int64_t count_items(const TextSource *source, const InpSpan *span, bool numbers) {
  int64_t n = 0;
  if (numbers && !memchr(source->bytes + span->begin, '*', (size_t)(span->end - span->begin))) /* no comment */
    return count_words(source->bytes, span->begin, span->end);
  for (int64_t at = inp_skip(source, span->begin, span->end); at < span->end;) {
    const int64_t end = line_end(source, at, span->end);
    n += numbers ? count_words(source->bytes, at, end) : 1;
    at = inp_skip(source, end, span->end);
  }
  return n;
}

Status inp_spans(const InpDeck *deck, const InpCard *card, bool numbers, InpSpan **spans, int32_t *n) {
  int64_t most = 0;
  for (int32_t k = 0; k < card->n; ++k) {
    const InpData *data = &deck->data[card->first + k];
    most += (data->end - data->begin) / SPAN_BYTES + 1;
  }
  *n = 0;
  ALLOC(*spans, most, "parts of a deck");
  for (int32_t k = 0; k < card->n; ++k) {
    const InpData *data = &deck->data[card->first + k];
    for (int64_t at = data->begin; at < data->end;) {
      const int64_t stop = at + SPAN_BYTES < data->end
                               ? line_end(&deck->file[data->file].source, at + SPAN_BYTES, data->end)
                               : data->end;
      (*spans)[(*n)++] = (InpSpan){.file = data->file, .begin = at, .end = stop};
      at = stop;
    }
  }
#pragma omp parallel for schedule(static) if (*n > 1)
  for (int32_t k = 0; k < *n; ++k)
    (*spans)[k].n = count_items(&deck->file[(*spans)[k].file].source, &(*spans)[k], numbers);
  for (int32_t k = 1; k < *n; ++k) (*spans)[k].first = (*spans)[k - 1].first + (*spans)[k - 1].n;
  return OK;
}
