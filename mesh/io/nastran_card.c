/* Fields of a card of Nastran. */
#include "mesh/io/nastran.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t nas_next_line(const TextSource *source, int64_t at, int64_t end) {
  const char *newline = at < end ? memchr(source->bytes + at, '\n', (size_t)(end - at)) : NULL;
  return newline ? newline + 1 - source->bytes : end;
}

Status nas_fail(const NasCard *card, const char *format, ...) {
  char text[1500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return source_fail(card->source, card->at, "%s: %s", card->name, text);
}

/* Tabs stand for blanks up to the next column that 8 divides. */
static void expand_tabs(NasCard *card) {
  int n = 0;
  for (const char *p = card->line; p < card->line_end && n < 120; ++p) {
    card->tabs[n++] = *p == '\t' ? ' ' : *p;
    while (*p == '\t' && n % 8) card->tabs[n++] = ' ';
  }
  card->line = card->tabs;
  card->line_end = card->tabs + n;
}

/* The line at p of the card. */
static void take_line(NasCard *card, const char *p) {
  const char *stop = memchr(p, '\n', (size_t)(card->end - p));
  card->line = p;
  card->line_end = card->after = stop ? stop : card->end;
  if (memchr(p, '\t', (size_t)(card->line_end - p))) expand_tabs(card);
  if (card->line_end > card->line && card->line_end[-1] == '\r') --card->line_end;
  const size_t length = (size_t)(card->line_end - card->line), head = length < 8 ? length : 8;
  const char *comma = memchr(card->line, ',', length);
  card->separated = comma != NULL;
  card->p = comma ? comma + 1 : NULL;
  card->n = memchr(card->line, '*', comma ? (size_t)(comma - card->line) : head) ? 4 : 8;
  card->k = 0;
}

void nas_card_open(NasCard *card, const TextSource *source, int64_t at, int64_t end) {
  card->source = source;
  card->at = at;
  card->end = source->bytes + end;
  take_line(card, source->bytes + at);
  int n = 0;
  for (const char *p = card->line; p < card->line_end && n < NAS_NAME - 1 && (isalnum((unsigned char)*p)); ++p)
    card->name[n++] = (char)toupper((unsigned char)*p);
  card->name[n] = 0;
}

/* Whether a line continues the card before it; `remark`: it says nothing. */
static bool continues(const char *p, const char *end, bool *remark) {
  const char *q = p;
  while (q < end && (*q == ' ' || *q == '\t' || *q == '\r')) ++q;
  *remark = q >= end || *q == '\n' || *p == '$';
  return *remark || *p == '+' || *p == '*' || *p == ',' || *p == ' ' || *p == '\t';
}

static bool card_line(NasCard *card) {
  for (const char *p = card->after; p < card->end;) {
    bool remark;
    if (++p >= card->end || !continues(p, card->end, &remark)) return false;
    if (!remark) {
      take_line(card, p);
      return true;
    }
    p = memchr(p, '\n', (size_t)(card->end - p));
    if (!p) return false;
  }
  return false;
}

bool nas_field(NasCard *card, const char **text, int *n) {
  if (card->k == card->n && !card_line(card)) return false;
  const int k = card->k++;
  const char *begin = card->line_end, *end = card->line_end;
  if (card->separated && card->p) {
    begin = card->p;
    const char *comma = memchr(begin, ',', (size_t)(card->line_end - begin));
    end = comma ? comma : card->line_end;
    card->p = comma ? comma + 1 : NULL;
  } else if (!card->separated) {
    const int width = card->n == 4 ? 16 : 8;
    const int64_t length = card->line_end - card->line;
    begin = card->line + (8 + width * k < length ? 8 + width * k : length);
    end = card->line + (8 + width * (k + 1) < length ? 8 + width * (k + 1) : length);
  }
  while (begin < end && *begin == ' ') ++begin;
  while (end > begin && end[-1] == ' ') --end;
  *text = begin;
  *n = (int)(end - begin);
  return true;
}

static Status bad_field(const NasCard *card, const char *what, const char *text, int n) {
  char shown[24] = "";
  for (int i = 0; i < n && i < 20; ++i) shown[i] = isprint((unsigned char)text[i]) ? text[i] : '?';
  return nas_fail(card, "'%s' where %s was expected", shown, what);
}

Status nas_whole(NasCard *card, const char *what, int32_t missing, int32_t *out) {
  const char *text;
  int n;
  *out = missing;
  if (!nas_field(card, &text, &n) || n == 0) return OK;
  const bool minus = *text == '-';
  int64_t v = 0;
  int i = minus || *text == '+';
  if (i == n || n > 10) return bad_field(card, what, text, n);
  for (; i < n; ++i) {
    if (text[i] < '0' || text[i] > '9') return bad_field(card, what, text, n);
    v = 10 * v + (text[i] - '0');
  }
  if (v > INT32_MAX) return bad_field(card, what, text, n);
  *out = (int32_t)(minus ? -v : v);
  return OK;
}

/* What strtod understands of a number whose exponent needs no letter: 1.5-3, 1.5D-3. */
static bool slow_real(const char *text, int n, double *out) {
  char number[48], *end;
  int m = 0;
  if (n > 40) return false;
  for (int i = 0; i < n; ++i) {
    const char c = (char)toupper((unsigned char)text[i]);
    if ((c == '+' || c == '-') && i > 0 && (isdigit((unsigned char)text[i - 1]) || text[i - 1] == '.'))
      number[m++] = 'e';
    if (!isdigit((unsigned char)c) && c != '.' && c != '+' && c != '-' && c != 'E' && c != 'D') return false;
    number[m++] = c == 'D' || c == 'E' ? 'e' : c;
  }
  number[m] = 0;
  *out = strtod(number, &end);
  return end != number && !*end && isfinite(*out);
}

/* Digits that a double holds exactly, and a power of ten that it holds exactly: the quotient is the nearest double. */
static bool quick_real(const char *text, int n, double *out) {
  static const double ten[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const bool minus = *text == '-';
  int i = minus || *text == '+', exponent = 0, power = 0, digits = 0;
  int64_t v = 0;
  bool point = false;
  for (; i < n && digits < 16; ++i) {
    if (text[i] == '.' && !point) {
      point = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') break;
    v = 10 * v + (text[i] - '0');
    digits += v > 0 || point;
    exponent -= point;
  }
  if (digits == 16 || (digits == 0 && v == 0 && i == (minus || *text == '+'))) return false;
  if (i < n) { /* E, D or only a sign */
    i += text[i] == 'E' || text[i] == 'e' || text[i] == 'D' || text[i] == 'd';
    const bool down = i < n && text[i] == '-';
    i += i < n && (text[i] == '-' || text[i] == '+');
    if (i == n || n - i > 3) return false;
    for (; i < n; ++i) {
      if (text[i] < '0' || text[i] > '9') return false;
      power = 10 * power + (text[i] - '0');
    }
    exponent += down ? -power : power;
  }
  if (exponent < -22 || exponent > 22) return false;
  *out = exponent < 0 ? (double)v / ten[-exponent] : (double)v * ten[exponent];
  if (minus) *out = -*out;
  return true;
}

Status nas_real(NasCard *card, const char *what, double *out) {
  const char *text;
  int n;
  *out = 0;
  if (!nas_field(card, &text, &n) || n == 0) return OK;
  if (quick_real(text, n, out) || slow_real(text, n, out)) return OK;
  return bad_field(card, what, text, n);
}
