/* Numbers of a mesh file. Text decimals of up to 19 digits are converted with one multiplication or division by an
 * exact power of ten: in double where the digits fit 53 bits (Clinger 1990, How to read floating point numbers
 * accurately), else in the 64-bit significand of x87 long double, unless that lands exactly half-way between two
 * doubles, where rounding twice could err. All else goes to strtod. The result is always the nearest double. */
#include "core/text_source.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool text_number_blank(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

void source_skip_blanks(TextSource *source) {
  while (source->at < source->size && text_number_blank(source->bytes[source->at])) ++source->at;
}

int64_t source_here(TextSource *source) {
  if (!source->binary) source_skip_blanks(source);
  return source->at;
}

/* The end of the word at the cursor. */
static const char *word_end(const TextSource *source, const char *p) {
  const char *end = source->bytes + source->size;
  while (p < end && !text_number_blank(*p)) ++p;
  return p;
}

static Status bad_word(TextSource *source, const char *what, const char *kind) {
  const char *p = source->bytes + source->at;
  if (source->at >= source->size)
    return source_fail(source, source->size,
                       "the file ends where %s was expected; it is cut off: write or copy it again", what);
  const int64_t length = word_end(source, p) - p;
  const int n = (int)(length < 40 ? length : 40);
  char shown[44];
  for (int i = 0; i < n; ++i) shown[i] = isprint((unsigned char)p[i]) ? p[i] : '?';
  shown[n] = 0;
  return source_fail(source, source->at, "'%s' where %s was expected, which must be %s", shown, what, kind);
}

Status source_text_int(TextSource *source, const char *what, int64_t *out) {
  source_skip_blanks(source);
  const char *p = source->bytes + source->at; /* the NUL at the end stops every loop below */
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  const char *digits = p;
  int64_t value = 0;
  bool fits = true;
  for (; *p >= '0' && *p <= '9'; ++p)
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *p - '0', &value)) fits = false;
  if (p == digits || (*p && !text_number_blank(*p)) || (!*p && p < source->bytes + source->size))
    return bad_word(source, what, "a whole number");
  if (!fits) return bad_word(source, what, "a whole number below 9.2e18");
  source->at = p - source->bytes;
  *out = negative ? -value : value;
  return OK;
}

/* |significand| 10^exponent when that can be had exactly rounded, else false. */
static bool quick_decimal(uint64_t significand, int exponent, double *out) {
  static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (exponent < -22 || exponent > 22) return false;
  if (significand <= (uint64_t)1 << 53) {
    const double s = (double)significand;
    *out = exponent < 0 ? s / ten[-exponent] : s * ten[exponent];
    return true;
  }
#if LDBL_MANT_DIG == 64
  const long double s = (long double)significand, power = (long double)ten[exponent < 0 ? -exponent : exponent];
  const long double wide = exponent < 0 ? s / power : s * power;
  uint64_t bits;
  memcpy(&bits, &wide, sizeof bits); /* the significand of the 80-bit format */
  if ((bits & 0x7ff) == 0x400) return false;
  *out = (double)wide;
  return true;
#else
  return false;
#endif
}

/* Reads [+-]digits[.digits][e[+-]digits] at p when it can be had exactly rounded without strtod; returns its end or
 * NULL. */
static const char *quick_double(const char *p, double *out) {
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  uint64_t significand = 0;
  int n_digit = 0, exponent = 0;
  bool point = false, any = false;
  for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); ++p) {
    if (*p == '.') {
      point = true;
      continue;
    }
    any = true;
    if (significand || *p != '0') ++n_digit;
    if (n_digit > 19 || exponent < -40) return NULL;
    significand = 10 * significand + (uint64_t)(*p - '0');
    exponent -= point;
  }
  if (!any) return NULL;
  if (*p == 'e' || *p == 'E') {
    const bool down = *++p == '-';
    if (*p == '-' || *p == '+') ++p;
    int e = 0;
    const char *first = p;
    for (; *p >= '0' && *p <= '9' && e < 1000; ++p) e = 10 * e + (*p - '0');
    if (p == first) return NULL;
    exponent += down ? -e : e;
  }
  if (!quick_decimal(significand, significand ? exponent : 0, out)) return NULL;
  if (negative) *out = -*out;
  return p;
}

Status source_text_double(TextSource *source, const char *what, double *out) {
  source_skip_blanks(source);
  const char *start = source->bytes + source->at, *file_end = source->bytes + source->size;
  const char *end = quick_double(start, out);
  if (!end || !(text_number_blank(*end) || end == file_end)) {
    char *stop;
    *out = strtod(start, &stop);
    if (start == file_end || stop == start || !(text_number_blank(*stop) || stop == file_end))
      return bad_word(source, what, "a number");
    end = stop;
  }
  source->at = end - source->bytes;
  return OK;
}

const char *source_number(const char *p, double *out) {
  const char *end = quick_double(p, out);
  if (!end) {
    char *stop;
    const char *digit = p + (*p == '-' || *p == '+');
    if (*digit != '.' && !isdigit((unsigned char)*digit)) return NULL;
    *out = strtod(p, &stop);
    end = stop == p ? NULL : stop;
  }
  if (!end || (*end != 'd' && *end != 'D')) return end && isfinite(*out) ? end : NULL;
  char text[64]; /* an exponent of Fortran */
  const size_t n = strspn(p, "+-.0123456789dD");
  if (n >= sizeof text) return NULL;
  memcpy(text, p, n);
  text[n] = 0;
  text[end - p] = 'e';
  char *stop;
  *out = strtod(text, &stop);
  return stop == text + n && isfinite(*out) ? p + n : NULL;
}

Status source_text_quoted(TextSource *source, const char *what, const char **text, int64_t *length) {
  source_skip_blanks(source);
  const char *p = source->bytes + source->at, *end = source->bytes + source->size;
  if (p >= end || *p != '"') return bad_word(source, what, "in double quotes");
  const char *newline = memchr(p, '\n', (size_t)(end - p)), *stop = newline ? newline : end, *last = stop;
  while (last > p && *--last != '"') {}
  if (last == p) return source_fail(source, source->at, "%s has no closing quote on its line", what);
  *text = p + 1;
  *length = last - p - 1;
  source->at = last + 1 - source->bytes;
  return OK;
}

void source_next_line(TextSource *source) {
  const char *p = source->bytes + source->at;
  const char *newline = memchr(p, '\n', (size_t)(source->size - source->at));
  source->at = newline ? newline + 1 - source->bytes : source->size;
}

bool source_take_word(TextSource *source, const char *word) {
  int64_t at = source->at;
  while (at < source->size && text_number_blank(source->bytes[at])) ++at;
  const int64_t n = (int64_t)strlen(word);
  if (source->size - at < n || memcmp(source->bytes + at, word, (size_t)n)) return false;
  if (at + n < source->size && !text_number_blank(source->bytes[at + n])) return false;
  source->at = at + n;
  return true;
}

static Status text_number_take(TextSource *source, const char *what, void *to, int n) {
  if (source->size - source->at < n)
    return source_fail(source, source->at, "the file ends where %s was expected; it is cut off: write or copy it again",
                       what);
  const char *from = source->bytes + source->at;
  char *bytes = to;
  if (source->swap)
    for (int i = 0; i < n; ++i) bytes[i] = from[n - 1 - i];
  else memcpy(to, from, (size_t)n);
  source->at += n;
  return OK;
}

Status source_int(TextSource *source, const char *what, int64_t *out) {
  if (!source->binary) return source_text_int(source, what, out);
  int32_t value = 0;
  TRY(text_number_take(source, what, &value, 4));
  *out = value;
  return OK;
}

Status source_size(TextSource *source, const char *what, int64_t *out) {
  return source->binary ? text_number_take(source, what, out, 8) : source_text_int(source, what, out);
}

Status source_double(TextSource *source, const char *what, double *out) {
  return source->binary ? text_number_take(source, what, out, 8) : source_text_double(source, what, out);
}
