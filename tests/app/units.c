/* Units of the results from the label of a case. */
#include "app/input/units.h"
#include "tests/testing.h"

#include <stdio.h>
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(labels), cmocka_unit_test(contradictions)};
  return cmocka_run_group_tests_name("app/units", tests, NULL, NULL);
}
