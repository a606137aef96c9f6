#include "app/input/units.h"
#include "app/input/physics.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct UnitWord {
  const char *word;
  UnitKind kind;
  double factor; /* to SI; 0: it does not go together with others */
} UnitWord;

static const UnitWord words[] = {{"m", UNIT_LENGTH, 1},
                                 {"mm", UNIT_LENGTH, 1e-3},
                                 {"cm", UNIT_LENGTH, 1e-2},
                                 {"um", UNIT_LENGTH, 1e-6},
                                 {"in", UNIT_LENGTH, 0.0254},
                                 {"ft", UNIT_LENGTH, 0.3048},
                                 {"s", UNIT_TIME, 1},
                                 {"ms", UNIT_TIME, 1e-3},
                                 {"min", UNIT_TIME, 60},
                                 {"h", UNIT_TIME, 3600},
                                 {"kg", UNIT_MASS, 1},
                                 {"g", UNIT_MASS, 1e-3},
                                 {"t", UNIT_MASS, 1e3},
                                 {"N", UNIT_FORCE, 1},
                                 {"kN", UNIT_FORCE, 1e3},
                                 {"MN", UNIT_FORCE, 1e6},
                                 {"mN", UNIT_FORCE, 1e-3},
                                 {"kip", UNIT_FORCE, 4448.2216152605},
                                 {"lbf", UNIT_FORCE, 4.4482216152605},
                                 {"Pa", UNIT_STRESS, 1},
                                 {"kPa", UNIT_STRESS, 1e3},
                                 {"MPa", UNIT_STRESS, 1e6},
                                 {"GPa", UNIT_STRESS, 1e9},
                                 {"psi", UNIT_STRESS, 6894.757293168},
                                 {"ksi", UNIT_STRESS, 6894757.293168},
                                 {"psf", UNIT_STRESS, 47.88025898034},
                                 {"J", UNIT_ENERGY, 1},
                                 {"mJ", UNIT_ENERGY, 1e-3},
                                 {"kJ", UNIT_ENERGY, 1e3},
                                 {"MJ", UNIT_ENERGY, 1e6},
                                 {"W", UNIT_POWER, 1},
                                 {"mW", UNIT_POWER, 1e-3},
                                 {"kW", UNIT_POWER, 1e3},
                                 {"mV", UNIT_POTENTIAL, 0},
                                 {"K", UNIT_TEMPERATURE, 0},
                                 {"C", UNIT_TEMPERATURE, 0},
                                 {"F", UNIT_TEMPERATURE, 0},
                                 {"degC", UNIT_TEMPERATURE, 0},
                                 {"degF", UNIT_TEMPERATURE, 0},
                                 {"\xc2\xb0"
                                  "C",
                                  UNIT_TEMPERATURE, 0},
                                 {"\xc2\xb0"
                                  "F",
                                  UNIT_TEMPERATURE, 0}};

/* Units that go together: force per length squared is the stress, force times length the energy, energy per time the
 * power. Mass and time (NULL: any) are those of force = mass length / time^2. */
typedef struct UnitSystem {
  const char *length, *time, *mass, *force, *stress, *energy;
} UnitSystem;

static const UnitSystem systems[] = {
    {"m", "s", "kg", "N", "Pa", "J"},           {"mm", "s", "t", "N", "MPa", "mJ"},
    {"m", "s", "t", "kN", "kPa", "kJ"},         {"mm", "ms", "kg", "kN", "GPa", "J"},
    {"mm", "ms", "g", "N", "MPa", "mJ"},        {"mm", "s", "kg", "mN", "kPa", "uJ"},
    {"m", NULL, NULL, "MN", "MPa", "MJ"},       {"cm", NULL, NULL, "N", "N/cm2", "N cm"},
    {"in", NULL, NULL, "lbf", "psi", "in lbf"}, {"ft", NULL, NULL, "lbf", "psf", "ft lbf"}};

/* "in" beside another length is no inch: "stress in MPa". */
static void take_word(const char *word, Units *units) {
  if (strcmp(word, "SI") == 0) {
    static const char *const si[][2] = {{"m", "s"}, {"kg", "N"}, {"Pa", "J"}, {"W", "K"}};
    for (size_t i = 0; i < sizeof si / sizeof *si; ++i)
      for (int k = 0; k < 2; ++k) take_word(si[i][k], units);
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (strcmp(word, words[i].word) != 0) continue;
    char *has = units->text[words[i].kind];
    const bool other = has[0] && strcmp(has, word) != 0, inch = strcmp(word, "in") == 0;
    if (!has[0] || (other && strcmp(has, "in") == 0)) snprintf(has, UNIT_BYTES, "%s", word);
    else if (other && !inch && words[i].factor > 0 && !units->second[0])
      snprintf(units->second, UNIT_BYTES, "%s", word), units->second_kind = words[i].kind;
  }
}

/* The next word of a label from *at on; false: there is none. */
static bool next_word(const char **at, char word[UNIT_BYTES]) {
  size_t n = 0;
  for (; **at; ++*at) {
    const bool inside = isalpha((unsigned char)**at) || (unsigned char)**at >= 0x80;
    if (!inside && n) break;
    if (inside && n + 1 < UNIT_BYTES) word[n++] = **at;
  }
  word[n] = 0;
  return n > 0;
}

static void take_label(const char *label, Units *units) {
  char word[UNIT_BYTES];
  while (next_word(&label, word)) take_word(word, units);
}

/* Single letters may be anything, and "In" begins a sentence. */
const char *units_misspelt(const char **label, char word[UNIT_BYTES]) {
  while (next_word(label, word)) {
    const char *meant = strcasecmp(word, "SI") == 0 ? "SI" : NULL;
    bool is = strcmp(word, "SI") == 0 || !word[1] || strcasecmp(word, "in") == 0;
    for (size_t i = 0; i < sizeof words / sizeof *words && !is; ++i) {
      is = strcmp(word, words[i].word) == 0;
      if (!meant && strcasecmp(word, words[i].word) == 0) meant = words[i].word;
    }
    if (!is && meant) return meant;
  }
  return NULL;
}

/* 1: named and the same, 0: one of them is silent, -1: another one. */
static int units_agrees(const char *named, const char *wanted) {
  if (!named[0] || !wanted) return 0;
  return strcmp(named, wanted) == 0 ? 1 : -1;
}

/* The system that agrees with all that is named, and with enough of it to be the only one meant. */
static const UnitSystem *find_system(const Units *units) {
  for (size_t i = 0; i < sizeof systems / sizeof *systems; ++i) {
    const UnitSystem *s = &systems[i];
    const int found[] = {
        units_agrees(units->text[UNIT_LENGTH], s->length), units_agrees(units->text[UNIT_FORCE], s->force),
        units_agrees(units->text[UNIT_STRESS], s->stress), units_agrees(units->text[UNIT_ENERGY], s->energy),
        units_agrees(units->text[UNIT_MASS], s->mass)};
    int same = 0;
    bool other = units_agrees(units->text[UNIT_TIME], s->time) < 0 && found[4] > 0;
    for (size_t k = 0; k < sizeof found / sizeof *found; ++k) same += found[k] > 0, other |= found[k] < 0;
    /* Mass tells a force only together with the time. */
    const bool dynamic = found[4] > 0 && units_agrees(units->text[UNIT_TIME], s->time) == 0;
    if (!other && same - (dynamic ? 1 : 0) >= 2) return s;
  }
  return NULL;
}

static void units_fill(Units *units, UnitKind kind, const char *text) {
  if (!units->text[kind][0] && text) snprintf(units->text[kind], UNIT_BYTES, "%s", text);
}

/* What stands for two units, where both are known and nothing else was said. */
static void units_join(Units *units, UnitKind kind, UnitKind a, const char *between, UnitKind b, const char *behind) {
  char text[2 * UNIT_BYTES + 8];
  const char *second = b == UNIT_NONE ? "" : units->text[b];
  if (!units->text[a][0] || (b != UNIT_NONE && !*second)) return;
  snprintf(text, sizeof text, "%s%s%s%s", units->text[a], between, second, behind);
  if (strlen(text) < UNIT_BYTES) units_fill(units, kind, text);
}

static void units_derive(Units *units) {
  const UnitSystem *s = find_system(units);
  if (s) {
    units_fill(units, UNIT_LENGTH, s->length);
    units_fill(units, UNIT_FORCE, s->force);
    units_fill(units, UNIT_STRESS, s->stress);
    units_fill(units, UNIT_ENERGY, s->energy);
  }
  units_join(units, UNIT_FLUX, UNIT_POWER, "/", UNIT_LENGTH, "2");
}

static void units_products(Units *units) {
  units_join(units, UNIT_VELOCITY, UNIT_LENGTH, "/", UNIT_TIME, "");
  units_join(units, UNIT_ACCELERATION, UNIT_LENGTH, "/", UNIT_TIME, "^2");
  units_join(units, UNIT_AREA, UNIT_LENGTH, "^2", UNIT_NONE, "");
  units_join(units, UNIT_VOLUME, UNIT_LENGTH, "^3", UNIT_NONE, "");
  units_join(units, UNIT_INERTIA, UNIT_MASS, " ", UNIT_LENGTH, "^2");
  units_join(units, UNIT_MOMENT, UNIT_FORCE, " ", UNIT_LENGTH, "");
}

void units_named(const Case *c, Units *out) {
  *out = (Units){0};
  if (c->units.text) take_label(c->units.text, out);
}

double units_factor(const Units *units, UnitKind kind) {
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (words[i].kind == kind && strcmp(words[i].word, units->text[kind]) == 0) return words[i].factor;
  return 0;
}

const char *units_word(UnitKind kind, double factor) {
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (words[i].kind == kind && fabs(words[i].factor - factor) <= UNIT_ROUND_OFF * factor) return words[i].word;
  return NULL;
}

double units_each(UnitKind kind, int i) {
  for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
    if (words[k].kind == kind && i-- == 0) return words[k].factor;
  return 0;
}

bool units_basis(const Units *units, UnitBasis *out) {
  const double l = units_factor(units, UNIT_LENGTH), force = units_factor(units, UNIT_FORCE),
               energy = units_factor(units, UNIT_ENERGY);
  UnitBasis b = {.length = l,
                 .time = units_factor(units, UNIT_TIME),
                 .mass = units_factor(units, UNIT_MASS),
                 .stress = units_factor(units, UNIT_STRESS),
                 .power = units_factor(units, UNIT_POWER),
                 .degree = strchr(units->text[UNIT_TEMPERATURE], 'F') ? 5. / 9 : 1};
  if (!(l > 0)) return false;
  if (!(b.stress > 0)) b.stress = force > 0 ? force / (l * l) : energy / (l * l * l);
  if (!(b.time > 0) && b.stress > 0 && b.mass > 0) b.time = sqrt(b.mass / (b.stress * l));
  if (!(b.time > 0) && b.stress > 0 && b.power > 0) b.time = b.stress * l * l * l / b.power;
  if (!(b.time > 0)) b.time = 1;
  if (!(b.stress > 0)) b.stress = b.power > 0 ? b.power * b.time / (l * l * l) : b.mass / (l * b.time * b.time);
  if (!(b.mass > 0)) b.mass = b.stress * l * b.time * b.time;
  if (!(b.power > 0)) b.power = b.stress * l * l * l / b.time;
  *out = b;
  return b.stress > 0;
}

void units_of_label(const char *label, Units *out) {
  *out = (Units){0};
  take_label(label, out);
  units_derive(out);
}

void units_of_case(const Case *c, Units *out) {
  *out = (Units){0};
  if (c->units.text && !c->physics->units) units_of_label(c->units.text, out);
  units_fill(out, UNIT_FREQUENCY, "Hz");
  units_fill(out, UNIT_ANGLE, c->physics->units ? "radians" : "degrees");
  if (c->physics->units) take_label(c->physics->units, out);
  units_products(out);
}

const char *unit_kind_name(UnitKind kind) {
  static const char *const names[N_UNIT_KINDS] = {NULL,        "length", "time",      "mass",        "force",
                                                  "stress",    "energy", "power",     "temperature", "flux",
                                                  "frequency", "angle",  "potential", "velocity",    "acceleration",
                                                  "area",      "volume", "inertia",   "moment"};
  return kind < N_UNIT_KINDS ? names[kind] : NULL;
}

const char *unit_behind(const Units *units, UnitKind kind, char text[UNIT_BYTES + 1]) {
  const char *unit = units_text(units, kind);
  snprintf(text, UNIT_BYTES + 1, "%s%s", unit ? " " : "", unit ? unit : "");
  return text;
}

const char *units_text(const Units *units, UnitKind kind) {
  return kind > UNIT_NONE && kind < N_UNIT_KINDS && units->text[kind][0] ? units->text[kind] : NULL;
}
