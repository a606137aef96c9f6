/* Numbers that contradict the label `units:`: a steel of 210e9 where stress is in MPa, a body of metal 100 m long. */
#include "app/elasticity/case_elasticity.h"
#include "app/elasticity/elastic.h"
#include "app/elasticity/setup_traps.h"
#include "app/input/units.h"
#include "physics/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* In SI: stiffer than diamond, softer than any gel; denser than osmium, lighter than an aerogel; metals, and larger than
 * what is solved of them in one piece; larger than mountains, smaller than cells. */
static const double STIFFEST = 1.5e12, SOFTEST = 1, DENSEST = 2.5e4, LIGHTEST = 0.5, METAL = 4e10, METAL_LONGEST = 50,
                    LONGEST = 5e4, SHORTEST = 1e-7;

static const char *const REMEDY =
    "  nothing is converted; remedy: numbers in these units, or the label that they are in";

/* The parameter by the unit of its table; NULL: none is given as a number. */
static const NumberValue *number_of(const CaseMaterial *material, const char *name) {
  const int at = material_parameter(material->type.value, name);
  const NumberValue *value = at >= 0 ? &material->value[at] : NULL;
  return value && place_given(value->place) && value->value > 0 ? value : NULL;
}

/* One of force length^-4 time^2 in SI; 0: not known. */
static double density_unit(const Units *units) {
  const double mass = units_factor(units, UNIT_MASS), length = units_factor(units, UNIT_LENGTH),
               time = units_factor(units, UNIT_TIME), stress = units_factor(units, UNIT_STRESS);
  if (mass > 0 && length > 0) return mass / pow(length, 3);
  return stress > 0 && length > 0 ? stress * pow((time > 0 ? time : 1) / length, 2) : 0;
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

static void check_density(const Case *c, const Units *units, const NumberValue *density) {
  const double si = density->value * density_unit(units);
  char place[512];
  if (!(si > DENSEST || (si > 0 && si < LIGHTEST))) return;
  status_warn("%s: density is %g, which is %.3g kg/m3 by the label 'units: %.40s': %s\n%s",
              place_text(c->path, density->place, place, sizeof place), density->value, si, c->units.text,
              si > DENSEST ? "denser than any material (osmium has 22600, steel 7850)" : "lighter than any solid",
              REMEDY);
}

static void check_length(const Case *c, const Mesh *mesh, const Units *units, bool metal) {
  const double size = mesh_size(mesh), si = size * units_factor(units, UNIT_LENGTH);
  char place[512];
  if (!(si > LONGEST || (metal && si > METAL_LONGEST) || (si > 0 && si < SHORTEST))) return;
  status_warn(
      "%s: the body is %.3g %s large by the label 'units: %.40s'%s\n  nothing is converted; remedy: mesh: {scale: "
      "FACTOR}, or the label that the mesh is in",
      place_text(c->path, c->units.place, place, sizeof place), size, units_text(units, UNIT_LENGTH), c->units.text,
      metal ? ", and of metal" : "");
}

void setup_sizes(const Case *c, const Mesh *mesh) {
  Units units;
  bool metal = false;
  if (!c->units.text) return;
  units_of_case(c, &units);
  for (int32_t m = 0; m < c->materials.n; ++m) {
    const NumberValue *young = number_of(case_material(c, m), "young"),
                      *density = number_of(case_material(c, m), "density");
    if (young) check_stress(c, &units, young);
    if (density) check_density(c, &units, density);
    metal = metal || (young && young->value * units_factor(&units, UNIT_STRESS) > METAL);
  }
  check_length(c, mesh, &units, metal);
}
