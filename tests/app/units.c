/* Units of the results from the label of a case. */
#include "app/input/library.h"
#include "app/input/units.h"
#include "physics/isotropic.h"
#include "tests/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void case_text(const char *physics, const char *label, char *text, size_t size) {
  const bool heat = strcmp(physics, "heat") == 0;
  snprintf(text, size, "version: 1\nunits: '%s'\nmesh: a.msh\nphysics: %s\n%s", label, physics,
           heat ? "materials: [{on: a, conductivity: 1, capacity: 1}]\nboundary: [{on: b, temperature: 0}]\n"
                : "model: plane-stress\nmaterials: [{on: a, young: 1, poisson: 0}]\nboundary: [{on: b, fix: all}]\n");
}

static void check(const char *physics, const char *label, const char *const wanted[5]) {
  static const UnitKind kinds[5] = {UNIT_LENGTH, UNIT_FORCE, UNIT_STRESS, UNIT_ENERGY, UNIT_TEMPERATURE};
  char text[1024];
  Case *c = NULL;
  case_text(physics, label, text, sizeof text);
  assert_ok(case_parse("c.yaml", text, strlen(text), 0, NULL, &c));
  Units units;
  units_of_case(c, &units);
  for (int i = 0; i < 5; ++i) {
    const char *got = units_text(&units, kinds[i]);
    if (!got != !wanted[i] || (got && strcmp(got, wanted[i]) != 0))
      fail_msg("%s: unit %d is %s, not %s", label, i, got ? got : "none", wanted[i] ? wanted[i] : "none");
  }
  case_destroy(&c);
}

static void labels(void **state) {
  (void)state;
  check("elasticity", "SI", (const char *const[]){"m", "N", "Pa", "J", "K"});
  check("elasticity", "mm, N, MPa, t", (const char *const[]){"mm", "N", "MPa", "mJ", NULL});
  check("elasticity", "mm N", (const char *const[]){"mm", "N", "MPa", "mJ", NULL});
  check("elasticity", "mm MPa", (const char *const[]){"mm", "N", "MPa", "mJ", NULL});
  check("elasticity", "t-mm-s", (const char *const[]){"mm", "N", "MPa", "mJ", NULL});
  check("elasticity", "m kN s", (const char *const[]){"m", "kN", "kPa", "kJ", NULL});
  check("elasticity", "kg mm", (const char *const[]){"mm", NULL, NULL, NULL, NULL}); /* the time is missing */
  check("elasticity", "mm", (const char *const[]){"mm", NULL, NULL, NULL, NULL});
  check("elasticity", "whatever comes", (const char *const[]){NULL, NULL, NULL, NULL, NULL});
  check("elasticity", "stress in MPa, mm and N", (const char *const[]){"mm", "N", "MPa", "mJ", NULL});
  check("elasticity", "in kip ksi", (const char *const[]){"in", "kip", "ksi", NULL, NULL}); /* nothing is made up */
  check("heat",
        "m W s \xc2\xb0"
        "C",
        (const char *const[]){"m", NULL, NULL, NULL,
                              "\xc2\xb0"
                              "C"});
}

/* Numbers of a label whose units do not go together are in none of them. */
static void contradictions(void **state) {
  (void)state;
  static const struct {
    const char *physics, *label, *said;
  } bad[] = {{"elasticity", "mm, kN, kPa", "with mm and kN the unit of stress is GPa, not kPa"},
             {"elasticity", "mm N GPa", "with mm and N the unit of stress is MPa, not GPa"},
             {"elasticity", "m N MPa", "with m and N the unit of stress is Pa, not MPa"},
             {"elasticity", "cm N MPa", "with cm and N the unit of stress is 0.01 MPa, not MPa"},
             {"elasticity", "mm N s g", "with mm, s and N the unit of mass is t, not g"},
             {"elasticity", "mm MPa kg", "with mm, s and MPa the unit of mass is t, not kg"},
             {"elasticity", "m kPa mJ", "with m and kPa the unit of energy is kJ, not mJ"},
             {"elasticity", "mm and cm", "names two units of length, mm and cm"},
             {"heat", "m N h kW", "with m, h and N the unit of power is 2.778e-07 kW, not kW"},
             {"heat", "MPa kN mm W", "with mm and kN the unit of stress is GPa, not MPa"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    Case *c = NULL;
    char text[1024];
    case_text(bad[i].physics, bad[i].label, text, sizeof text);
    assert_fails(case_parse("c.yaml", text, strlen(text), 0, NULL, &c), ERR_INPUT, bad[i].said);
  }
}

static Status read_named(const char *units, const char *material, Case **c) {
  char text[1024];
  snprintf(text, sizeof text, "version: 1\n%s\nmesh: a.msh\n%s\nmaterials: [{on: a, %s}]\n", units,
           strstr(material, "heat") ? "physics: heat\nboundary: [{on: b, temperature: 0}]"
                                    : "physics: elasticity\nmodel: 3d\nboundary: [{on: b, fix: all}]",
           strstr(material, "heat") ? "name: steel" : material);
  return case_parse("c.yaml", text, strlen(text), 0, NULL, c);
}

/* 210 GPa, 7850 kg/m3, 12e-6/K, 53.3 W/(m K) and 440 J/(kg K). */
static void names_in_units(void **state) {
  (void)state;
  static const struct {
    const char *units;
    double young, density, expansion, conductivity, capacity;
  } in[] = {{"units: SI", 210e9, 7850, 12e-6, 53.3, 3454e3},
            {"units: mm N MPa s", 210e3, 7850e-12, 12e-6, 53.3, 3.454},
            {"units: mm N", 210e3, 7850e-12, 12e-6, 53.3, 3.454},
            {"units: mm t MPa", 210e3, 7850e-12, 12e-6, 53.3, 3.454},
            {"units: mm ms g N MPa", 210e3, 7850e-6, 12e-6, 53.3e-3, 3.454},
            {"units: mm kN GPa kg", 210, 7850e-9, 12e-6, 53.3e-6, 3.454e-3},
            {"units: mm kg ms", 210, 7850e-9, 12e-6, 53.3e-6, 3.454e-3},
            {"units: m kN s", 210e6, 7.85, 12e-6, 53.3e-3, 3454},
            {"units: mm W s K", 210, 7850e-15, 12e-6, 53.3e-3, 3454e-6},
            {"units: m W h", 210e9 / 3600, 7850. / 3600 / 3600 / 3600, 12e-6, 53.3, 3454e3 / 3600},
            {"units: in lbf psi F", 210e9 / 6894.757293168, 7850 * 0.0254 * 0.0254 * 0.0254 * 0.0254 / 4.4482216152605,
             12e-6 / 1.8, 53.3 / 4.4482216152605 / 1.8, 3454e3 / 6894.757293168 / 1.8}};
  for (size_t i = 0; i < sizeof in / sizeof *in; ++i) {
    Case *c = NULL;
    assert_ok(read_named(in[i].units, "name: steel", &c));
    const NumberValue *value = case_material(c, 0)->value;
    assert_relative(value[ISOTROPIC_YOUNG].value, in[i].young, 1e-11);
    assert_relative(value[ISOTROPIC_POISSON].value, 0.3, 1e-11);
    assert_relative(value[ISOTROPIC_DENSITY].value, in[i].density, 1e-11);
    for (int k = 0; k < 3; ++k) assert_relative(value[ISOTROPIC_EXPANSION + k].value, in[i].expansion, 1e-11);
    case_destroy(&c);
    assert_ok(read_named(in[i].units, "heat", &c));
    assert_relative(heat_material(c, 0)->conductivity.value[1][1], in[i].conductivity, 1e-11);
    assert_relative(heat_material(c, 0)->capacity.value, in[i].capacity, 1e-11);
    case_destroy(&c);
  }
}

/* What the entry gives goes before the name; nothing else is filled in, and the resolved case reads back to itself. */
static void names_are_overridden(void **state) {
  (void)state;
  Case *c = NULL, *again = NULL;
  Text echo = {0};
  assert_ok(read_named("units: mm N", "young: 200e3, name: aluminium-6061, expansion: [1, 2, 3]", &c));
  case_echo(c, &echo);
  assert_ok(case_parse("c.yaml", echo.data, (size_t)echo.n, 0, NULL, &again));
  for (int k = 0; k < 2; ++k) {
    const CaseMaterial *m = case_material(k ? again : c, 0);
    assert_string_equal(m->name.text, "aluminium-6061");
    assert_true(m->value[ISOTROPIC_YOUNG].value == 200e3 && m->value[ISOTROPIC_EXPANSION + 2].value == 3);
    assert_relative(m->value[ISOTROPIC_DENSITY].value, 2700e-12, 1e-11);
    assert_true(m->value[ISOTROPIC_THICKNESS].value == 1);
  }
  text_release(&echo);
  case_destroy(&c);
  case_destroy(&again);
  assert_ok(read_named(
      "units: mm N",
      "name: steel, type: plastic, yield: 235}]\ntime: {end: 1, step: 1}\nexpect: [{quantity: steps, value: 1", &c));
  case_destroy(&c);
}

/* The table of the documents has each row of the library as it is. */
static void names_are_documented(void **state) {
  (void)state;
  enum { ROOM = 1 << 19 };
  FILE *file = fopen(SINEW_SOURCE_DIR "/docs/reference/elasticity.md", "r");
  char *text = calloc(ROOM, 1), line[256], strength[16];
  assert_true(file && text && fread(text, 1, ROOM - 1, file) > 0);
  fclose(file);
  for (int i = 0; i < library_count(); ++i) {
    const LibraryRow *r = library_row(i);
    snprintf(strength, sizeof strength, "%g", r->strength * 1e-6);
    snprintf(line, sizeof line, "\n| `%s` | %g | %g | %g | %g | %g | %g | %s | %s |\n", r->word, r->young * 1e-9,
             r->poisson, r->density, r->expansion * 1e6, r->conductivity, r->capacity / r->density,
             r->strength > 0 ? strength : "", r->meaning);
    if (!strstr(text, line)) fail_msg("docs/reference/elasticity.md lacks%s", line);
  }
  free(text);
}

static void names_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *units, *material, *said;
  } bad[] = {{"units: mm N", "name: steal", "did you mean 'steel'?"},
             {"title: none", "name: steel", "c.yaml:7:27: name: 'steel' needs 'units:'"},
             {"units: mm", "name: steel", "a length and a force, stress, energy or power"},
             {"units: MPa", "name: steel", "'steel' needs 'units:'"},
             {"units: MPa", "heat", "'steel' needs 'units:'"},
             {"units: mm N", "name: steel, type: orthotropic", "which type 'orthotropic' does not take"},
             {"units: mm N", "name: steel, type: mooney-rivlin", "which type 'mooney-rivlin' does not take"},
             {"units: mm N", "name: steel, type: plastic", "yield is not given"},
             {"units: mm kN kPa", "name: steel", "contradicts itself"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    Case *c = NULL;
    assert_fails(read_named(bad[i].units, bad[i].material, &c), ERR_INPUT, bad[i].said);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(labels),
                                     cmocka_unit_test(contradictions),
                                     cmocka_unit_test(names_in_units),
                                     cmocka_unit_test(names_are_overridden),
                                     cmocka_unit_test(names_are_refused),
                                     cmocka_unit_test(names_are_documented)};
  return cmocka_run_group_tests_name("app/units", tests, NULL, NULL);
}
