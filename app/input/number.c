/* digits [. digits] [e [sign] digits]: no hexadecimal, no names, nothing after it. */
#include "app/input/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *skip_digits(const char *p) {
  while (isdigit((unsigned char)*p)) ++p;
  return p;
}

/* The end of the longest number at the start of text, or NULL. */
static const char *number_end(const char *text) {
  const char *p = text;
  if (*p == '+' || *p == '-') ++p;
  const char *whole = skip_digits(p), *end = whole;
  int64_t digits = whole - p;
  if (*end == '.') {
    end = skip_digits(whole + 1);
    digits += end - whole - 1;
  }
  if (digits == 0) return NULL;
  if (*end == 'e' || *end == 'E') {
    const char *power = end + 1;
    if (*power == '+' || *power == '-') ++power;
    const char *last = skip_digits(power);
    if (last > power) end = last;
  }
  return end;
}

static bool is_name_of_no_number(const char *text) {
  static const char *const names[] = {"nan", "inf", "infinity"};
  while (*text == '+' || *text == '-' || *text == '.') ++text;
  for (int i = 0; i < 3; ++i)
    if (strcasecmp(text, names[i]) == 0) return true;
  return false;
}

static const char *number_reason(const char *text, const char *end) {
  if (!*text) return "is empty, a number is expected";
  if (is_name_of_no_number(text)) return "is not a finite number";
  if (end && *end == ',' && isdigit((unsigned char)end[1])) return "is not a number: decimals are written with a point";
  if (end && strchr("+-*/^", end[strspn(end, " ")])) return "is an expression, where a number is expected";
  if (end) return "is not a number: something follows it";
  return "is not a number";
}

bool number_parse(const char *text, double *out, const char **why) {
  const char *end = number_end(text);
  if (!end || *end) {
    *why = number_reason(text, end);
    return false;
  }
  errno = 0;
  *out = strtod(text, NULL); /* the locale stays "C": setlocale is never called */
  *why = isinf(*out) ? "is too large for a double (1.8e308)" : "is too small for a double (2.2e-308)";
  return errno == 0 || (isfinite(*out) && *out != 0);
}

bool integer_parse(const char *text, int64_t *out, const char **why) {
  const char *digits = text + (*text == '+' || *text == '-');
  const char *end = skip_digits(digits);
  if (end == digits || *end) {
    double value;
    *why = number_parse(text, &value, why) ? "is not a whole number" : *why;
    return false;
  }
  errno = 0;
  *out = strtoll(text, NULL, 10);
  *why = "is too large";
  return errno == 0;
}
