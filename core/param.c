/* Ranges of parameters, as text and as a check. */
#include "core/param.h"
#include "core/curve_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_words(const Param *p) { return p->unit && strchr(p->unit, '|'); }

/* Word k of the unit; its length, 0: there is none. */
static size_t find_word(const Param *p, double k, const char **word) {
  *word = p->unit;
  if (!has_words(p)) return 0;
  for (; k > 0 && **word; --k) {
    const size_t n = strcspn(*word, "|");
    *word += n + ((*word)[n] == '|');
  }
  return strcspn(*word, "|");
}

bool param_is_pairs(const Param *p) { return p->unit && strstr(p->unit, " with "); }
bool param_is_tables(const Param *p) { return p->unit && strstr(p->unit, PARAM_TABLES); }
bool param_is_warm(const Param *p) { return p->unit && strstr(p->unit, PARAM_WARM); }
bool param_is_curve(const Param *p) {
  return param_is_pairs(p) || (p->unit && strstr(p->unit, " over ") && !param_is_warm(p));
}

int param_place(const Param *p, double value) {
  if (param_is_warm(p)) return value <= -PARAM_MOST ? (int)-value : 0;
  return param_is_curve(p) && value > 0 ? (int)value : 0;
}

int param_list(const Param *param, int n, int k) {
  if (k > 0 && strcmp(param[k - 1].name, param[k].name) == 0) return 0;
  int rows = 1;
  while (k + rows < n && strcmp(param[k + rows].name, param[k].name) == 0) ++rows;
  return rows;
}

int param_label(const Param *p) {
  const size_t n = strcspn(p->meaning, ":");
  return p->meaning[n] && n <= 8 ? (int)n : 0;
}

bool param_is_map(const Param *p, int rows) { return rows > 1 && strcmp(p[0].unit, p[1].unit) != 0; }

bool param_number(const Param *p, const char *text, double *value) {
  const char *word;
  for (double k = 0; p->min + k <= p->max; ++k) {
    const size_t n = find_word(p, k, &word);
    if (n == 0) return false;
    if (strlen(text) != n || strncmp(text, word, n) != 0) continue;
    *value = p->min + k;
    return true;
  }
  return false;
}

bool param_word(const Param *p, double value, char *text, int size) {
  const char *word;
  const double k = value - p->min;
  const size_t n = k >= 0 && k <= p->max - p->min && k == floor(k) ? find_word(p, k, &word) : 0;
  if (n > 0) snprintf(text, (size_t)size, "%.*s", (int)n, word);
  return n > 0;
}

/* "v, w, k" */
static void list_words(const Param *p, char *text, size_t size) {
  const char *word;
  size_t used = 0;
  for (double k = 0; used < size; ++k) {
    const size_t n = find_word(p, k, &word);
    if (n == 0) return;
    used += (size_t)snprintf(text + used, size - used, "%s%.*s", k > 0 ? ", " : "", (int)n, word);
  }
}

const char *param_range(const Param *p, char *text, int size) {
  const size_t n = (size_t)size;
  if (has_words(p)) list_words(p, text, n);
  else if (isinf(p->min) && isinf(p->max)) snprintf(text, n, "any number");
  else if (isinf(p->max)) snprintf(text, n, "%s %g", p->open_min ? ">" : ">=", p->min);
  else if (isinf(p->min)) snprintf(text, n, "%s %g", p->open_max ? "<" : "<=", p->max);
  else snprintf(text, n, "%c%g, %g%c", p->open_min ? '(' : '[', p->min, p->max, p->open_max ? ')' : ']');
  return text;
}

Status param_check(const Param *p, double value) {
  const bool low = p->open_min ? value <= p->min : value < p->min;
  const bool high = p->open_max ? value >= p->max : value > p->max;
  const bool between = has_words(p) && value != floor(value);
  if (isfinite(value) && !low && !high && !between) return OK;
  char range[80];
  param_range(p, range, sizeof range);
  if (has_words(p)) return FAIL(ERR_INPUT, "%s is %g, must be one of: %s", p->name, value, range);
  char seen[32] = "not a number"; /* with no sign in front, which says nothing */
  if (!isnan(value)) snprintf(seen, sizeof seen, "%g", value);
  return FAIL(ERR_INPUT, "%s is %s, must %s%s", p->name, seen,
              isinf(p->min) && isinf(p->max)   ? "be finite: "
              : isinf(p->min) || isinf(p->max) ? "be "
                                               : "lie in ",
              range);
}

static Status check_curve(const Param *p, const double *curve) {
  const double *point = curve + 1;
  for (int i = 0; i < (int)*curve; ++i, point += 2) {
    TRY(param_check(p, point[1]));
    CHECK(isfinite(point[0]), ERR_INPUT, "%s: the first number of pair %d is not finite", p->name, i + 1);
    CHECK(i == 0 || param_is_pairs(p) || point[0] > point[-2], ERR_INPUT,
          "%s: the first number of pair %d is %g and that of pair %d is %g; they must ascend", p->name, i, point[-2],
          i + 1, point[0]);
  }
  return OK;
}

Status param_check_at(const Param *p, const double *value, int k) {
  const int place = param_place(p, value[k]);
  if (!param_is_curve(p) && place == 0) return param_check(p, value[k]);
  if (place == 0) return p->required ? FAIL(ERR_INPUT, "%s is not given", p->name) : OK;
  const double *curve = value + place, *last = NULL;
  for (int i = 0; i < curve_tables(curve); ++i) {
    const double *table = curve_table(curve, i);
    CHECK(*curve > 0 || isfinite(table[-1]), ERR_INPUT, "%s: the temperature of table %d is not finite", p->name,
          i + 1);
    CHECK(!last || table[-1] > last[-1], ERR_INPUT,
          "%s: the temperature of table %d is %g and that of table %d is %g; they must ascend", p->name, i, last[-1],
          i + 1, table[-1]);
    TRY(check_curve(p, last = table));
  }
  return OK;
}
