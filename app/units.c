#include "app/units.h"
#include "app/case_tables.h"

#include <stdio.h>
#include <string.h>

typedef enum Quantity { LENGTH, FORCE, STRESS, TIME, TEMPERATURE, POWER, ENERGY, N_QUANTITIES } Quantity;

/* Words that a label may have; the first of a quantity in the label counts. */
static const char *const words[N_QUANTITIES][12] = {
    [LENGTH] = {"m", "mm", "cm", "um", "km", "in", "ft"}, [FORCE] = {"N", "kN", "MN", "mN", "lbf", "kip"},
    [STRESS] = {"Pa", "kPa", "MPa", "GPa", "psi", "ksi"}, [TIME] = {"s", "ms", "min", "h"},
    [TEMPERATURE] = {"K", "C", "degC", "F"},              [POWER] = {"W", "kW", "mW"},
    [ENERGY] = {"J", "kJ", "mJ"}};
static const char *const si[N_QUANTITIES] = {"m", "N", "Pa", "s", "K", "W", "J"};

static bool is_quantity(const char *word, Quantity q) {
  for (int k = 0; k < 12 && words[q][k]; ++k)
    if (!strcmp(words[q][k], word)) return true;
  return false;
}

/* The word of the label for a quantity into text. */
static const char *named(const Case *c, Quantity q, char text[UNIT_BYTES]) {
  text[0] = 0;
  for (const char *p = c->units.text; p && *p;) {
    const size_t n = strcspn(p, " ,;/\t");
    if (n > 0 && n < 8) {
      char word[8];
      memcpy(word, p, n);
      word[n] = 0;
      if (is_quantity(word, q)) snprintf(text, UNIT_BYTES, "%s", word);
      else if (!strcmp(word, "SI")) snprintf(text, UNIT_BYTES, "%s", si[q]);
      if (text[0]) return text;
    }
    p += n;
    p += strspn(p, " ,;/\t");
  }
  return text;
}

/* "A B" or "A/B" where both are known. */
static const char *joined(const Case *c, Quantity a, const char *between, Quantity b, char text[UNIT_BYTES]) {
  char first[UNIT_BYTES], second[UNIT_BYTES];
  text[0] = 0;
  if (*named(c, a, first) && *named(c, b, second)) snprintf(text, UNIT_BYTES, "%.7s%s%.7s", first, between, second);
  return text;
}

const char *unit_of_time(const Case *c, char text[UNIT_BYTES]) { return named(c, TIME, text); }

const char *unit_of_energy(const Case *c, char text[UNIT_BYTES]) {
  return *named(c, ENERGY, text) ? text : joined(c, FORCE, " ", LENGTH, text);
}

static const char *of_elasticity(const Case *c, int32_t i, char text[UNIT_BYTES]) {
  if (i < c->output.probes.n) {
    const int32_t field = case_probe(c, i)->field.value;
    return named(c, field >= PROBE_REACTION ? FORCE : field >= PROBE_STRESS ? STRESS : LENGTH, text);
  }
  i -= c->output.probes.n;
  for (int32_t k = 0; k < c->output.sums.n; ++k) {
    const bool reaction = case_sum(c, k)->field.value == SUM_REACTION;
    const int32_t width = reaction ? case_dim(c) : 1;
    if (i < width) return reaction ? named(c, FORCE, text) : unit_of_energy(c, text);
    i -= width;
  }
  return text;
}

static const char *of_heat(const Case *c, int32_t i, char text[UNIT_BYTES]) {
  if (i < c->output.probes.n) {
    if (case_probe(c, i)->field.value < HEAT_PROBE_FLUX) return named(c, TEMPERATURE, text);
    const char *flux = joined(c, POWER, "/", LENGTH, text);
    if (*flux) strcat(text, "2");
    return text;
  }
  i -= c->output.probes.n;
  if (i >= c->output.sums.n) return text;
  return named(c, case_sum(c, i)->field.value == HEAT_SUM_FLOW ? POWER : ENERGY, text);
}

/* A heart is in mm, ms and mV. */
static const char *of_heart(const Case *c, int32_t i) {
  if (i < c->output.probes.n) {
    const int32_t field = case_probe(c, i)->field.value;
    return field == HEART_POTENTIAL ? "mV" : field >= HEART_PROBE_MAP ? "ms" : "";
  }
  return i >= c->output.probes.n + c->output.ecg.n ? "mm/ms" : "";
}

const char *unit_of_column(const Case *c, int32_t i, char text[UNIT_BYTES]) {
  text[0] = 0;
  if (!strcmp(c->kind->name, "monodomain")) return of_heart(c, i);
  return !strcmp(c->kind->name, "heat") ? of_heat(c, i, text) : of_elasticity(c, i, text);
}
