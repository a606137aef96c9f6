#include "physics/import/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Powers of kg, m, s, A, K, mol, cd (Bureau international des poids et mesures, The International System of Units, 9th
 * ed.). */
static const struct Named {
  const char *name;
  double factor, power[UNIT_BASES];
} named[] = {
    {"1", 1, {0}},
    {"dimensionless", 1, {0}},
    {"g", 1e-3, {1}},
    {"kg", 1, {1}},
    {"m", 1, {0, 1}},
    {"s", 1, {0, 0, 1}},
    {"A", 1, {0, 0, 0, 1}},
    {"K", 1, {0, 0, 0, 0, 1}},
    {"mol", 1, {0, 0, 0, 0, 0, 1}},
    {"cd", 1, {0, 0, 0, 0, 0, 0, 1}},
    {"V", 1, {1, 2, -3, -1}},
    {"C", 1, {0, 0, 1, 1}},
    {"F", 1, {-1, -2, 4, 2}},
    {"S", 1, {-1, -2, 3, 2}},
    {"R", 1, {1, 2, -3, -2}},
    {"ohm", 1, {1, 2, -3, -2}},
    {"J", 1, {1, 2, -2}},
    {"N", 1, {1, 1, -2}},
    {"Pa", 1, {1, -1, -2}},
    {"W", 1, {1, 2, -3}},
    {"Hz", 1, {0, 0, -1}},
    {"H", 1, {1, 2, -2, -2}},
    {"Wb", 1, {1, 2, -2, -1}},
    {"T", 1, {1, 0, -2, -1}},
    {"L", 1e-3, {0, 3}},
    {"M", 1e3, {0, -3, 0, 0, 0, 1}},
    {"min", 60, {0, 0, 1}},
    {"rad", 1, {0}},
    /* as CellML calls them */
    {"ampere", 1, {0, 0, 0, 1}},
    {"volt", 1, {1, 2, -3, -1}},
    {"coulomb", 1, {0, 0, 1, 1}},
    {"farad", 1, {-1, -2, 4, 2}},
    {"siemens", 1, {-1, -2, 3, 2}},
    {"joule", 1, {1, 2, -2}},
    {"newton", 1, {1, 1, -2}},
    {"pascal", 1, {1, -1, -2}},
    {"watt", 1, {1, 2, -3}},
    {"hertz", 1, {0, 0, -1}},
    {"kelvin", 1, {0, 0, 0, 0, 1}},
    {"mole", 1, {0, 0, 0, 0, 0, 1}},
    {"metre", 1, {0, 1}},
    {"meter", 1, {0, 1}},
    {"second", 1, {0, 0, 1}},
    {"gram", 1e-3, {1}},
    {"kilogram", 1, {1}},
    {"litre", 1e-3, {0, 3}},
    {"liter", 1e-3, {0, 3}},
    {"radian", 1, {0}},
    {"candela", 1, {0, 0, 0, 0, 0, 0, 1}},
    {"henry", 1, {1, 2, -2, -2}},
    {"weber", 1, {1, 2, -2, -1}},
    {"tesla", 1, {1, 0, -2, -1}},
    {"becquerel", 1, {0, 0, -1}},
    {"katal", 1, {0, 0, -1, 0, 0, 1}},
    {"gray", 1, {0, 2, -2}},
    {"sievert", 1, {0, 2, -2}},
    {"lumen", 1, {0, 0, 0, 0, 0, 0, 1}},
    {"lux", 1, {0, -2, 0, 0, 0, 0, 1}},
    {"steradian", 1, {0}},
    /* as EasyML does */
    {"unitless", 1, {0}},
};
enum { N_NAMED = sizeof named / sizeof *named };
static const struct Prefix {
  char letter;
  double factor;
} prefixes[] = {{'y', 1e-24}, {'z', 1e-21}, {'a', 1e-18}, {'f', 1e-15}, {'p', 1e-12}, {'n', 1e-9},
                {'u', 1e-6},  {'m', 1e-3},  {'c', 1e-2},  {'d', 1e-1},  {'h', 1e2},   {'k', 1e3},
                {'M', 1e6},   {'G', 1e9},   {'T', 1e12},  {'P', 1e15},  {'E', 1e18}};

Unit unit_one(void) { return (Unit){.known = true, .factor = 1}; }

static bool named_exactly(const char *name, int n, double factor, Unit *out) {
  for (int k = 0; k < N_NAMED; ++k) {
    if ((int)strlen(named[k].name) != n || strncmp(named[k].name, name, (size_t)n)) continue;
    *out = (Unit){.known = true, .factor = factor * named[k].factor};
    memcpy(out->power, named[k].power, sizeof out->power);
    return true;
  }
  return false;
}

bool unit_named(const char *name, int n, Unit *out) {
  if (named_exactly(name, n, 1, out)) return true;
  for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes && n > 1; ++k)
    if (prefixes[k].letter == name[0] && named_exactly(name + 1, n - 1, prefixes[k].factor, out)) return true;
  return false;
}

Unit unit_product(Unit a, Unit b, double power) {
  Unit out = {.known = a.known && b.known, .factor = a.factor * pow(b.factor, power)};
  if (!out.known) return (Unit){0};
  for (int k = 0; k < UNIT_BASES; ++k) out.power[k] = a.power[k] + power * b.power[k];
  return out;
}

bool unit_same_powers(Unit a, Unit b) {
  for (int k = 0; k < UNIT_BASES; ++k)
    if (fabs(a.power[k] - b.power[k]) > 1e-9) return false;
  return true;
}

bool unit_fits(Unit a, Unit b) {
  if (!a.known || !b.known) return true;
  return unit_same_powers(a, b) && fabs(a.factor - b.factor) <= 1e-9 * fabs(a.factor);
}

static const char *skip(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t')) ++p;
  return p;
}

/* One unit with its power behind p; NULL: there is none. */
static const char *one_unit(const char *p, const char *end, Unit *unit, double *power) {
  const char *from = p = skip(p, end);
  while (p < end && !strchr(" \t*/^()", *p)) ++p;
  if (p == from || !unit_named(from, (int)(p - from), unit)) return NULL;
  const char *at = skip(p, end);
  *power = 1;
  if (at == end || *at != '^') return p;
  char *stop;
  *power = strtod(at + 1, &stop);
  return stop == at + 1 || stop > end ? NULL : stop;
}

bool unit_parse(const char *text, int n, Unit *out, const char **bad, int *n_bad) {
  const char *p = text, *end = text + n;
  double sign = 1;
  *out = unit_one();
  *bad = text, *n_bad = n;
  for (;;) {
    Unit unit;
    double power;
    const char *next = one_unit(p, end, &unit, &power);
    if (!next) {
      p = skip(p, end);
      *bad = p;
      for (*n_bad = 0; p < end && !strchr(" \t*/^()", *p); ++p) ++*n_bad;
      return false;
    }
    *out = unit_product(*out, unit, sign * power);
    p = skip(next, end);
    if (p == end) return true;
    if (*p == '*' || *p == '/') {
      sign = *p++ == '*' ? 1 : -1;
      continue;
    }
    char *stop;
    if (*p != '(') return *bad = p, *n_bad = (int)(end - p), false;
    const double factor = strtod(p + 1, &stop);
    if (stop == p + 1 || skip(stop, end) >= end || *skip(stop, end) != ')' || !(factor > 0))
      return *bad = p, *n_bad = (int)(end - p), false;
    out->factor *= factor;
    return skip(skip(stop, end) + 1, end) == end;
  }
}

const char *unit_text(Unit unit, char text[UNIT_TEXT]) {
  static const char *const common[] = {
      "1",  "mV",    "V",     "ms",      "s",  "1/ms", "1/s", "mV/ms", "A/F", "uA/cm^2", "mS/uF",   "uF/cm^2",
      "mM", "mM/ms", "uA",    "pA",      "nA", "pF",   "uF",  "mS",    "S/F", "S",       "mS/cm^2", "um^3",
      "L",  "pL",    "C/mol", "J/mol/K", "K",  "1/mV", "uM",  "cm^2",  "cm",  "mV^2",    "1/mM",    "1/ms/mM"};
  static const char *const base[] = {"kg", "m", "s", "A", "K", "mol", "cd"};
  if (!unit.known) return snprintf(text, UNIT_TEXT, "no unit"), text;
  for (size_t k = 0; k < sizeof common / sizeof *common; ++k) {
    Unit other;
    const char *bad;
    int n_bad;
    if (!unit_parse(common[k], (int)strlen(common[k]), &other, &bad, &n_bad) || !unit_fits(unit, other)) continue;
    return snprintf(text, UNIT_TEXT, "[%s]", common[k]), text;
  }
  int at = snprintf(text, UNIT_TEXT, "[");
  if (fabs(unit.factor - 1) > 1e-9) at += snprintf(text + at, UNIT_TEXT - (size_t)at, "%.6g ", unit.factor);
  for (int k = 0; k < UNIT_BASES && at < UNIT_TEXT - 16; ++k) {
    if (fabs(unit.power[k]) < 1e-9) continue;
    at += snprintf(text + at, UNIT_TEXT - (size_t)at, "%s", base[k]);
    if (fabs(unit.power[k] - 1) > 1e-9) at += snprintf(text + at, UNIT_TEXT - (size_t)at, "^%g", unit.power[k]);
    at += snprintf(text + at, UNIT_TEXT - (size_t)at, " ");
  }
  text[at - (at > 1)] = at > 1 ? ']' : text[at];
  return text;
}
