/* A named number that a user may set: the tables of these drive the case file, range errors, `sinew list` and docs. */
#pragma once
#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Param {
  const char *name;
  const char
      *unit; /* "stress", "length", "1", "ms" ... as shown to the user; "1" is dimensionless; with bars in it the words
                          that may be given for min, min + 1, ...: "v|w|k"; "stress over strain" is a curve, whose range
                          is that of the stress, and "stress over strain and temperature" may be several;
                          "stress, also over temperature" is a number, or a curve over the temperature;
                          "rate with stress" are pairs [stress, rate] in any order */
  double value; /* default; ignored when required */
  bool required;
  double min, max;         /* allowed range; +-INFINITY where open-ended */
  bool open_min, open_max; /* true: the bound itself is not allowed */
  const char *meaning;     /* one line */
} Param;

/* A map has room for so many parameters, and behind them for the numbers of its curves (core/curve_tables.h). The number of a curve
 * says where it begins, counted from the first parameter; x and temperatures ascend. A number alone is a curve of one point at x = 0;
 * 0 is none. Of a number that may be a curve over the temperature, minus the place says so: it is at or below -PARAM_MOST. */
enum { PARAM_MOST = 32, PARAM_CURVES = 480 };
typedef struct ParamCurves {
  int32_t n;
  double item[PARAM_CURVES];
} ParamCurves;
bool param_is_curve(const Param *param); /* or pairs */
bool param_is_pairs(const Param *param);
bool param_is_tables(const Param *param); /* a curve, or several over the temperature */
bool param_is_warm(const Param *param);   /* a number, or a curve over the temperature */
#define PARAM_TABLES " and temperature"
#define PARAM_WARM ", also over temperature"
/* Where the numbers of its curve begin, counted as above; 0: it has none. */
int param_place(const Param *param, double value);
/* Rows of one name that follow each other are a list of numbers under that name. How many values stand in the list that
 * row k of param[n] starts: 1 where it is a number alone, 0 where row k is further down in a list. */
int param_list(const Param *param, int n, int k);
/* How many letters the word has that the meaning of a row begins with, "to: ..."; 0: none. And whether the list of so many rows that
 * begins here is given as a map of these words, {to: 260, rate: 8}, since its numbers are not of one unit. */
int param_label(const Param *param);
bool param_is_map(const Param *param, int rows);
/* OK, or ERR_INPUT "poisson is 0.5, must lie in (-1, 0.5)". NaN and infinities never pass. */
Status param_check(const Param *param, double value);
/* value[k] of a map, whose row this is; of a curve the range of all y, and x that ascends. */
Status param_check_at(const Param *param, const double *value, int k);
/* The number that a word of `text` stands for. False: this parameter has no such word. */
bool param_number(const Param *param, const char *text, double *value);
/* The word of a number into text[size]. False: it has none. */
bool param_word(const Param *param, double value, char *text, int size);
/* Writes the range as "(-1, 0.5)" or "> 0", words as "v, w, k", into text[size]; returns text. */
const char *param_range(const Param *param, char *text, int size);

#ifdef __cplusplus
}
#endif
