/* Units of the results from the label of a case. */
#include "app/input/units.h"
#include "tests/testing.h"

#include <stdio.h>
#include <string.h>

static void check(const char *physics, const char *label, const char *const wanted[5]) {
  static const UnitKind kinds[5] = {UNIT_LENGTH, UNIT_FORCE, UNIT_STRESS, UNIT_ENERGY, UNIT_TEMPERATURE};
  char text[1024];
  Case *c = NULL;
  const bool heat = strcmp(physics, "heat") == 0;
  snprintf(text, sizeof text, "version: 1\nunits: '%s'\nmesh: a.msh\nphysics: %s\n%s", label, physics,
           heat ? "materials: [{on: a, conductivity: 1, capacity: 1}]\nboundary: [{on: b, temperature: 0}]\n"
                : "model: plane-stress\nmaterials: [{on: a, young: 1, poisson: 0}]\nboundary: [{on: b, fix: all}]\n");
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
  check("elasticity", "mm N GPa",
        (const char *const[]){"mm", "N", "GPa", NULL, NULL}); /* as named: nothing is made up */
  check("heat",
        "m W s \xc2\xb0"
        "C",
        (const char *const[]){"m", NULL, NULL, NULL,
                              "\xc2\xb0"
                              "C"});
}

static void fields(void **state) {
  (void)state;
  assert_int_equal(unit_kind_of_field("stress-real"), UNIT_STRESS);
  assert_int_equal(unit_kind_of_field("displacement-phase"), UNIT_ANGLE);
  assert_int_equal(unit_kind_of_field("displacement-amplitude"), UNIT_LENGTH);
  assert_int_equal(unit_kind_of_field("apd"), UNIT_TIME);
  assert_int_equal(unit_kind_of_field("u1"), UNIT_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(labels), cmocka_unit_test(fields)};
  return cmocka_run_group_tests_name("app/units", tests, NULL, NULL);
}
