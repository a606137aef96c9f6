/* Numbers that contradict the label `units:`: a steel of 210e9 where stress is in MPa, gravity of 9.81 beside mm; and, without a label,
 * moduli in Pa beside lengths in mm. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/setup_traps.h"
#include "app/input/units.h"
#include "physics/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In SI: stiffer than diamond, softer than any gel; denser than osmium, lighter than an aerogel; larger than mountains, smaller
 * than cells. Moduli of metals and concrete in MPa read as Pa: solids of them are softer than any that is larger than
 * BIG, but for foams, which are light. */
static const double STIFFEST = 1.5e12, SOFTEST = 1, DENSEST = 2.5e4, LIGHTEST = 0.5, LONGEST = 5e4, SHORTEST = 1e-7,
                    SOFT = 2.5e5, BIG = 1, FOAM = 1000, EARTH = 9.81;

static const char *const REMEDY =
    "  nothing is converted; remedy: numbers in these units, or the label that they are in";

/* The parameter by the unit of its table; NULL: none is given as a number. */
static const NumberValue *number_of(const CaseMaterial *material, const char *name) {
  const int at = material_parameter(material->type.value, name);
  const NumberValue *value = at >= 0 ? &material->value[at] : NULL;
  return value && place_given(value->place) && value->value > 0 ? value : NULL;
}

/* One of force length^-4 time^2 in SI; 0: not known. In seconds where the label names no time, `open`, and they fit. */
static double density_unit(const Units *units, bool open) {
  UnitBasis b;
  if (!units_basis(units, &b)) return 0;
  if (open && !(units_factor(units, UNIT_TIME) > 0) && !(units_factor(units, UNIT_MASS) > 0))
    b.mass = b.stress * b.length;
  return b.mass / pow(b.length, 3);
}

static void check_stress(const Case *c, const Units *units, const NumberValue *young) {
  const double si = young->value * units_factor(units, UNIT_STRESS);
  char place[512];
  if (!(si > STIFFEST || (si > 0 && si < SOFTEST))) return;
  status_warn("%s: young is %g %s by the label 'units: %.40s': %s\n%s",
              place_text(c->path, young->place, place, sizeof place), young->value, units_text(units, UNIT_STRESS),
              c->units.text,
              si > STIFFEST ? "stiffer than any material (diamond has 1.2e12 Pa, steel 2.1e11)" : "softer than any gel",
              REMEDY);
}

static bool is_density(double si) { return !(si > DENSEST || (si > 0 && si < LIGHTEST)); }

static void check_density(const Case *c, const Units *units, const NumberValue *density) {
  const double si = density->value * density_unit(units, true);
  char place[512];
  if (is_density(si) || is_density(density->value * density_unit(units, false))) return;
  status_warn("%s: density is %g, which is %.3g kg/m3 by the label 'units: %.40s': %s\n%s",
              place_text(c->path, density->place, place, sizeof place), density->value, si, c->units.text,
              si > DENSEST ? "denser than any material (osmium has 22600, steel 7850)" : "lighter than any solid",
              REMEDY);
}

/* A large body of the softness of a gel: its modulus is one of MPa. */
static void check_soft(const Case *c, const Mesh *mesh, const Units *units, const NumberValue *young,
                       const NumberValue *density) {
  const double si = young->value * units_factor(units, UNIT_STRESS), mega = 1e6;
  const double size = mesh_size(mesh) * units_factor(units, UNIT_LENGTH);
  char place[512];
  if (!(si >= SOFTEST && si < SOFT && size > BIG) || (density && density->value * density_unit(units, true) < FOAM))
    return;
  status_warn(
      "%s: young is %g %s by the label 'units: %.40s', and the body %.3g m large: softer than rubber and soil\n  "
      "nothing is converted; remedy: %g, if %g is in MPa, or the label that the numbers are in",
      place_text(c->path, young->place, place, sizeof place), young->value, units_text(units, UNIT_STRESS),
      c->units.text, size, young->value * mega / units_factor(units, UNIT_STRESS), young->value);
}

/* One of length time^-2 in SI; with no time named, of seconds. */
static double acceleration_unit(const Units *units, double second) {
  const double time = units_factor(units, UNIT_TIME);
  return units_factor(units, UNIT_LENGTH) / pow(time > 0 ? time : second, 2);
}

/* Of the library, whose density is in the time that the label says or implies. */
static bool has_named_density(const Case *c) {
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const NumberValue *density = number_of(case_material(c, m), "density");
    const Place name = case_material(c, m)->name.place;
    if (density && place_given(name) && density->place.line == name.line && density->place.column == name.column)
      return true;
  }
  return false;
}

/* That of the earth in another unit than that of the label. */
static void check_gravity(const Case *c, const Units *units, const CaseBody *body) {
  static const double origin[3], NEAR = 0.01, lengths[] = {1, 1e-3, 1e-2, 0.0254, 0.3048}, times[] = {1, 1e-3};
  UnitBasis basis;
  double square = 0, second = 1;
  int n_time = 2;
  char place[512];
  for (int k = 0; k < body->gravity.n; ++k) {
    const Expr *expr = &body->gravity.item[k].expr;
    if (!expr_is_constant(expr)) return;
    square += pow(expr_value(expr, origin, 0), 2);
  }
  if (has_named_density(c) && units_basis(units, &basis)) second = basis.time, n_time = 1;
  const double value = sqrt(square), right = EARTH / acceleration_unit(units, second);
  bool earth = false;
  if (!isfinite(right)) return;
  for (int t = 0; t < 2; ++t) {
    if (t < n_time && fabs(value * acceleration_unit(units, second * times[t]) - EARTH) < NEAR * EARTH) return;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; ++l)
      earth |= fabs(value * lengths[l] / pow(times[t], 2) - EARTH) < NEAR * EARTH;
  }
  if (earth)
    status_warn(
        "%s: gravity of %g is %.3g m/s2 by the label 'units: %.40s', and the earth's is %.4g there\n  nothing is "
        "converted; remedy: gravity in the units of the label",
        place_text(c->path, body->gravity.place, place, sizeof place), value, value * acceleration_unit(units, second),
        c->units.text, right);
}

static void check_length(const Case *c, const Mesh *mesh, const Units *units) {
  const double size = mesh_size(mesh), si = size * units_factor(units, UNIT_LENGTH);
  char place[512];
  if (!(si > LONGEST || (si > 0 && si < SHORTEST))) return;
  status_warn(
      "%s: the body is %.3g %s large by the label 'units: %.40s'\n  nothing is converted; remedy: mesh: {scale: "
      "FACTOR}, or the label that the mesh is in",
      place_text(c->path, c->units.place, place, sizeof place), size, units_text(units, UNIT_LENGTH), c->units.text);
}

/* Without a label: what is stiffer than diamond in psi, and in MPa, is in Pa, and lengths that go with it are in m. */
static void check_pascals(const Case *c, const Mesh *mesh, const NumberValue *young) {
  static const double PSI = 6895, MEGA = 1e6, LARGE = 30;
  const double size = mesh_size(mesh);
  char place[512];
  if (!(young->value * PSI > STIFFEST && young->value < STIFFEST && size > LARGE)) return;
  status_warn("%s: young is %g, which is in Pa, and goes with lengths in m: the body is %.3g m large\n  remedy: mesh: "
              "{scale: 1e-3} if the mesh is in mm, or %g, in MPa; or the label 'units:' that the numbers are in",
              place_text(c->path, young->place, place, sizeof place), young->value, size, young->value / MEGA);
}

void setup_sizes(const Case *c, const Mesh *mesh) {
  Units units;
  for (int32_t m = 0; m < c->materials.n && !c->units.text; ++m) {
    const NumberValue *young = number_of(case_material(c, m), "young");
    if (young) check_pascals(c, mesh, young);
  }
  if (!c->units.text) return;
  units_of_case(c, &units);
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const NumberValue *young = number_of(case_material(c, m), "young"),
                      *density = number_of(case_material(c, m), "density");
    if (young) check_stress(c, &units, young), check_soft(c, mesh, &units, young, density);
    if (density) check_density(c, &units, density);
  }
  for (int32_t i = 0; i < c->body.n; ++i) check_gravity(c, &units, case_body(c, i));
  for (int32_t l = 0; l < c->load_cases.n; ++l) {
    const MapsValue *body = &case_load_case(c, l)->body;
    for (int32_t i = 0; i < body->n; ++i) check_gravity(c, &units, maps_item(body, sizeof(CaseBody), i));
  }
  check_length(c, mesh, &units);
}
