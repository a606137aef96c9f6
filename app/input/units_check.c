/* Whether the units of a label go together: force = mass length / time^2, stress = force / length^2, energy = force
 * length, power = energy / time. Numbers are used as they stand, so results of a label that contradicts itself are in
 * none of its units. */
#include "app/input/physics.h"
#include "app/input/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* length^l time^t mass of what is made of them. */
static const struct Made {
  UnitKind kind;
  int length, time;
} made[] = {{UNIT_FORCE, 1, -2}, {UNIT_STRESS, -1, -2}, {UNIT_ENERGY, 2, -2}, {UNIT_POWER, 2, -3}, {UNIT_MASS, 0, 0}};
enum { N_MADE = sizeof made / sizeof *made };

/* The mass that the i-th named one takes; 0: it is not named. */
static double mass_of(const Units *named, int i, double length, double time) {
  return units_factor(named, made[i].kind) / (pow(length, made[i].length) * pow(time, made[i].time));
}

/* The first and the first other one that takes another mass; false: all go together. */
static bool disagree(const Units *named, bool mass, double length, double time, int *first, int *other) {
  *first = -1;
  for (int i = 0; i < (mass ? N_MADE : N_MADE - 1); ++i) {
    const double m = mass_of(named, i, length, time);
    if (!(m > 0)) continue;
    if (*first < 0) *first = i;
    *other = i;
    const double most = mass_of(named, *first, length, time);
    if (fabs(m - most) > UNIT_ROUND_OFF * most) return true;
  }
  return false;
}

/* With lengths and times that are not named, any will do. */
static bool any_fits(const Units *named, bool mass, double *length, double *time, int *first, int *other) {
  const double l = units_factor(named, UNIT_LENGTH), t = units_factor(named, UNIT_TIME);
  for (int i = 0; l > 0 ? i < 1 : units_each(UNIT_LENGTH, i) > 0; ++i)
    for (int k = 0; t > 0 ? k < 1 : units_each(UNIT_TIME, k) > 0; ++k) {
      *length = l > 0 ? l : units_each(UNIT_LENGTH, i), *time = t > 0 ? t : units_each(UNIT_TIME, k);
      if (!disagree(named, mass, *length, *time, first, other)) return true;
    }
  *length = l > 0 ? l : 1, *time = t > 0 ? t : 1;
  return !disagree(named, mass, *length, *time, first, other);
}

/* Numbers of a heart are in its own units, whatever a label says. */
static void warn_other(const Case *c) {
  Units own, named;
  char place[512];
  if (!c->physics->units || !c->units.text) return;
  units_of_label(c->physics->units, &own);
  units_named(c, &named);
  for (int k = UNIT_NONE + 1; k < N_UNIT_KINDS; ++k)
    if (named.text[k][0] && own.text[k][0] && strcmp(named.text[k], own.text[k]) != 0) {
      status_warn("%s: '%s' in 'units: %.60s' is ignored: numbers and results of this physics are in %s\n  remedy: "
                  "'units: %s', and 'scale:' under 'mesh:' for lengths in another unit",
                  place_text(c->path, c->units.place, place, sizeof place), named.text[k], c->units.text,
                  c->physics->units, c->physics->units);
      return;
    }
}

void units_warn(const Case *c) {
  const char *label = c->units.text, *meant;
  char word[UNIT_BYTES], place[512];
  warn_other(c);
  while (!c->physics->units && label && (meant = units_misspelt(&label, word)))
    status_warn("%s: '%s' in 'units: %.60s' is not a unit and is ignored\n  remedy: '%s', if that is what the "
                "numbers are in",
                place_text(c->path, c->units.place, place, sizeof place), word, c->units.text, meant);
}

void units_check(const Case *c, Diagnostics *out) {
  Units named;
  double length, time;
  int first, other;
  char number[32];
  if (c->physics->units || !c->units.text) return;
  units_named(c, &named);
  if (named.second[0]) {
    report_error(out, c->units.place, "units: '%.60s' names two units of %s, %s and %s\n  remedy: one of them",
                 c->units.text, unit_kind_name(named.second_kind), named.text[named.second_kind], named.second);
    return;
  }
  const bool mass = strcmp(c->physics->name, "heat") != 0; /* which has none */
  if (any_fits(&named, mass, &length, &time, &first, &other)) return;
  const double value =
      mass_of(&named, first, length, time) * pow(length, made[other].length) * pow(time, made[other].time);
  const char *word = units_word(made[other].kind, value), *named_other = named.text[made[other].kind];
  if (!word) {
    snprintf(number, sizeof number, "%.4g %s", value / units_factor(&named, made[other].kind), named_other);
    word = number;
  }
  const bool dynamic = made[first].time != made[other].time;
  report_error(
      out, c->units.place,
      "units: '%.60s' contradicts itself: with %s%s%s and %s the unit of %s is %s, not %s\n  allowed: units that "
      "go together: SI; mm N MPa t s; m kN kPa t s; mm kN GPa kg ms; in lbf psi; ft lbf psf\n  remedy: the units "
      "that the numbers of the case are in; nothing is converted",
      c->units.text, units_word(UNIT_LENGTH, length), dynamic ? ", " : "", dynamic ? units_word(UNIT_TIME, time) : "",
      named.text[made[first].kind], unit_kind_name(made[other].kind), word, named_other);
}
