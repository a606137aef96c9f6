/* Units of CellML: those that are built in, and <units> made of others. */
#include "physics/import/cellml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32, UNITS_MOST = 4000000 };

/* CellML 2.0, table of built-in units; celsius is an affine one and needs more than a factor. */
static bool is_built_in(Name name) {
  static const char *const names[] = {
      "ampere",  "becquerel", "candela", "coulomb", "dimensionless", "farad",  "gram",   "gray",   "henry",
      "hertz",   "joule",     "katal",   "kelvin",  "kilogram",      "liter",  "litre",  "lumen",  "lux",
      "meter",   "metre",     "mole",    "newton",  "ohm",           "pascal", "radian", "second", "siemens",
      "sievert", "steradian", "tesla",   "volt",    "watt",          "weber"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
    if (name_is(name, names[k])) return true;
  return false;
}

static bool prefix_of(Name text, double *factor) {
  static const struct Prefix {
    const char *name;
    int power;
  } prefixes[] = {{"yotta", 24}, {"zetta", 21},  {"exa", 18},   {"peta", 15}, {"tera", 12},  {"giga", 9},
                  {"mega", 6},   {"kilo", 3},    {"hecto", 2},  {"deca", 1},  {"deka", 1},   {"deci", -1},
                  {"centi", -2}, {"milli", -3},  {"micro", -6}, {"nano", -9}, {"pico", -12}, {"femto", -15},
                  {"atto", -18}, {"zepto", -21}, {"yocto", -24}};
  double power;
  *factor = 1;
  if (!text.text) return true;
  for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; ++k)
    if (name_is(text, prefixes[k].name)) return *factor = pow(10, prefixes[k].power), true;
  if (!cellml_number(text, &power) || power > floor(power) || fabs(power) > 300) return false;
  *factor = pow(10, power);
  return true;
}

static Status number_of(Cellml *c, int32_t doc, int32_t unit, const char *key, double *out) {
  const Name text = xml_attribute(&c->doc[doc].xml, unit, key);
  if (text.text && !cellml_number(text, out))
    return CELLML_FAIL(c, doc, unit, "%s '%.*s' is not a number", key, text.n, text.text);
  return OK;
}

static Status unit_deep(Cellml *c, int32_t doc, int32_t component, Name name, int32_t at, int deep, Unit *out);

static Status offset_refused(Cellml *c, int32_t doc, int32_t unit, double offset) {
  const Xml *x = &c->doc[doc].xml;
  const Name name = xml_attribute(x, x->node[unit].parent, "name");
  return CELLML_FAIL(
      c, doc, unit,
      "units '%.*s' are based on a unit with an offset, %g; give such values in a unit without one, such as kelvin",
      name.n, name.text, offset);
}

/* <unit units="volt" prefix="milli" exponent="-1" multiplier="2"/>: multiplier (prefix units)^exponent. */
static Status one_unit(Cellml *c, int32_t doc, int32_t component, int32_t unit, int deep, Unit *out) {
  const Xml *x = &c->doc[doc].xml;
  const Name of = xml_attribute(x, unit, "units"), prefix = xml_attribute(x, unit, "prefix");
  double exponent = 1, multiplier = 1, offset = 0, factor;
  if (!of.text) return CELLML_FAIL(c, doc, unit, "<unit> needs the attribute 'units'");
  if (!prefix_of(prefix, &factor))
    return CELLML_FAIL(c, doc, unit,
                       "unknown prefix '%.*s'\n  allowed: yotta .. milli, micro, nano .. yocto, or a power of ten",
                       prefix.n, prefix.text);
  TRY(number_of(c, doc, unit, "exponent", &exponent));
  TRY(number_of(c, doc, unit, "multiplier", &multiplier));
  TRY(number_of(c, doc, unit, "offset", &offset));
  if (fabs(offset) > 0) return offset_refused(c, doc, unit, offset);
  if (!(multiplier > 0) || !(fabs(exponent) < 100))
    return CELLML_FAIL(c, doc, unit,
                       "multiplier %g, exponent %g; a multiplier must be above 0, an exponent from -99 to 99",
                       multiplier, exponent);
  TRY(unit_deep(c, doc, component, of, unit, deep + 1, out));
  out->factor *= factor;
  *out = unit_product(unit_one(), *out, exponent);
  out->factor *= multiplier;
  return OK;
}

static Status made_unit(Cellml *c, int32_t doc, int32_t component, int32_t units, int deep, Unit *out) {
  const Xml *x = &c->doc[doc].xml;
  int32_t unit = xml_child(x, units, "unit", NONE);
  const Name base = xml_attribute(x, units, "base_units");
  *out = unit_one();
  if (name_is(base, "yes") || unit < 0) return *out = (Unit){0}, OK; /* a base of its own */
  for (; unit >= 0; unit = xml_child(&c->doc[doc].xml, units, "unit", unit)) {
    Unit one;
    if (++c->n_unit > UNITS_MOST) return CELLML_FAIL(c, doc, unit, "units are made of more than %d others", UNITS_MOST);
    TRY(one_unit(c, doc, component, unit, deep, &one));
    *out = unit_product(*out, one, 1);
  }
  return OK;
}

/* <units> of that name below a model or component; NONE. */
static int32_t units_in(const Xml *x, int32_t parent, Name name) {
  for (int32_t k = parent < 0 ? NONE : xml_child(x, parent, "units", NONE); k >= 0;
       k = xml_child(x, parent, "units", k))
    if (name_same(xml_attribute(x, k, "name"), name)) return k;
  return NONE;
}

/* Of an import: <units name= units_ref=>. */
static Status imported_unit(Cellml *c, int32_t doc, Name name, int deep, bool *found, Unit *out) {
  *found = false;
  for (int32_t k = xml_child(&c->doc[doc].xml, 0, "import", NONE); k >= 0;
       k = xml_child(&c->doc[doc].xml, 0, "import", k)) {
    const int32_t units = units_in(&c->doc[doc].xml, k, name);
    if (units < 0) continue;
    int32_t other;
    const Name ref = xml_attribute(&c->doc[doc].xml, units, "units_ref");
    TRY(cellml_imported(c, doc, k, &other));
    *found = true;
    if (units_in(&c->doc[other].xml, 0, ref) < 0)
      return CELLML_FAIL(c, doc, units, "there are no units '%.*s' in %s", ref.n, ref.text, c->doc[other].path);
    return unit_deep(c, other, NONE, ref, 0, deep + 1, out);
  }
  return OK;
}

static Status unit_deep(Cellml *c, int32_t doc, int32_t component, Name name, int32_t at, int deep, Unit *out) {
  if (deep > DEEPEST)
    return CELLML_FAIL(c, doc, at, "units '%.*s' are defined through themselves, or nested more than %d deep", name.n,
                       name.text, DEEPEST);
  int32_t units = units_in(&c->doc[doc].xml, component, name);
  if (units < 0) units = units_in(&c->doc[doc].xml, 0, name);
  if (units >= 0) return made_unit(c, doc, component, units, deep, out);
  if (is_built_in(name)) {
    (void)unit_named(name.text, name.n, out);
    return OK;
  }
  bool found;
  TRY(imported_unit(c, doc, name, deep, &found, out));
  if (found) return OK;
  if (name_is(name, "celsius")) {
    const Name of = xml_attribute(&c->doc[doc].xml, at, "name");
    return CELLML_FAIL(c, doc, at, "%s%.*s%scelsius is a unit with an offset; give such values in kelvin",
                       of.text ? "'" : "", of.n, of.text ? of.text : "", of.text ? "': " : "");
  }
  return CELLML_FAIL(
      c, doc, at,
      "unknown units '%.*s'\n  define them: <units name=\"%.*s\"><unit units=\"volt\" prefix=\"milli\"/></units>",
      name.n, name.text, name.n, name.text);
}

Status cellml_unit(Cellml *c, int32_t doc, int32_t component, Name name, int32_t at, Unit *out) {
  return unit_deep(c, doc, component, name, at, 0, out);
}
