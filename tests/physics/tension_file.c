/* Models of tension from files: Land's equations in EasyML are the model that is compiled in, its step and its derivative by the stretch
 * included, at drawn states, stretches, calcium and steps. */
#include "physics/import/tension_file.h"
#include "core/memory.h"
#include "tests/draw.h"
#include "tests/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LAND SINEW_SOURCE_DIR "/tests/physics/cells/land.model"

enum { STATES = 6, DRAWS = 2000 };
static const char *const word[STATES] = {"xs", "xw", "b", "c", "zs", "zw"}; /* in the order of physics/land.h */

/* place[k]: of state k of the row among the file's. */
static void places(const TensionType *file, int place[STATES]) {
  for (int k = 0; k < STATES; ++k) {
    place[k] = -1;
    for (int j = 0; j < file->n_state; ++j)
      if (!strcmp(file->state[j].name, word[k])) place[k] = j;
    assert_true(place[k] >= 0);
  }
}

static void draw_states(uint64_t *seed, double s[STATES]) {
  for (int k = 0; k < 3; ++k) s[k] = draw_between(seed, 0, 0.3);
  s[3] = draw_between(seed, 0.01, 0.9);
  s[4] = draw_between(seed, -1.2, 1), s[5] = draw_between(seed, -1, 1);
}

static void land_of_a_file_is_land(void **state) {
  (void)state;
  int kind, place[STATES];
  uint64_t seed = 5;
  assert_ok(tension_open(&(TensionFile){.path = LAND}, &kind));
  const TensionType *file = tension_type(kind), *row = tension_type(tension_by_name("land"));
  assert_int_equal(file->n_state, STATES);
  assert_true(file->shape.stretches && file->shape.drive == TENSION_BY_CALCIUM);
  places(file, place);
  for (int i = 0; i < DRAWS; ++i) {
    double s[STATES], old[TENSION_STATES] = {0}, next[TENSION_STATES], now[TENSION_STATES];
    draw_states(&seed, s);
    for (int k = 0; k < STATES; ++k) old[place[k]] = s[k];
    const double last = draw_between(&seed, 0.8, 1.3), l = i % 5 ? draw_between(&seed, 0.75, 1.3) : last;
    TensionIn in = {i % 7 ? draw_between(&seed, 0.01, 4) : 0, draw_between(&seed, 0.05, 2), last, l, s};
    if (in.dt <= 0) in.stretch_old = l; /* a body that is filled goes nowhere in no time */
    TensionOut a = {.state = next}, b = {.state = now};
    row->step(row->preset->value, &in, &a);
    in.old = old;
    tension_type_step(file, file->preset->value, &in, &b);
    for (int k = 0; k < STATES; ++k) assert_within(now[place[k]], next[k], in.dt > 0 ? 1e-12 : 1e-8);
    assert_within(b.tension, a.tension, (in.dt > 0 ? 1e-11 : 1e-7) * (1 + fabs(a.tension)));
    assert_within(b.slope, a.slope, (in.dt > 0 ? 1e-9 : 1e-5) * (1 + fabs(a.slope)));
  }
  tension_close(kind);
  assert_null(tension_type(kind));
}

/* Another number for a parameter, and so many times the file's. */
static void parameters_of_a_file(void **state) {
  (void)state;
  const CellSetting half[] = {{"Tref", 0.5, true}}, given[] = {{"Tref", 60, false}}, wrong[] = {{"Tre", 60, false}},
                    told[] = {{"Cai", 1, false}};
  double T[3];
  uint64_t hash[3];
  for (int k = 0; k < 3; ++k) {
    int kind;
    double old[TENSION_STATES] = {0.2, 0.2, 0.2, 0.2, 0.2, 0.2}, now[TENSION_STATES];
    TensionOut out = {.state = now};
    assert_ok(tension_open(&(TensionFile){.path = LAND, .n_setting = k > 0, .setting = k == 1 ? half : given}, &kind));
    tension_type_step(tension_type(kind), NULL, &(TensionIn){1, 0.6, 1, 1.01, old}, &out);
    T[k] = out.tension, hash[k] = tension_hash(kind);
    tension_close(kind);
  }
  assert_within(T[1], T[0] / 2, 1e-12 * T[0]);
  assert_within(T[2], T[1], 1e-12 * T[0]);
  assert_true(hash[0] != hash[1]);
  int kind;
  assert_fails(tension_open(&(TensionFile){.path = LAND, .n_setting = 1, .setting = wrong}, &kind), ERR_INPUT, "Tref");
  assert_fails(tension_open(&(TensionFile){.path = LAND, .n_setting = 1, .setting = told}, &kind), ERR_INPUT,
               "given by the body");
  assert_fails(tension_open(&(TensionFile){.path = LAND, .tension = "Tensio"}, &kind), ERR_INPUT, "Tension");
}

/* Units of a file are its own: mM, seconds and Pa. */
static const char slow[] = "[[model]]\nc.C = 0.1\n[env]\ntime = 0 [s] in [s] bind time\n[c]\ncai = 1e-4 [mM] in [mM]\n"
                           "lambda = 1\ndot(C) = 100 [1/s] * (cai / 1e-3 [mM] - C)\n    in [1]\n"
                           "ta = 1000 [Pa] * C * lambda\n    in [Pa]\n";

static void write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void units_of_a_file(void **state) {
  (void)state;
  const char *path = "tension-units.mmt";
  const double old[TENSION_STATES] = {0.1}, C = 0.5 + (0.1 - 0.5) * exp(-0.2);
  double now[TENSION_STATES];
  TensionOut out = {.state = now};
  int kind;
  write_file(path, slow);
  assert_ok(tension_open(&(TensionFile){.path = path}, &kind));
  tension_type_step(tension_type(kind), NULL, &(TensionIn){2, 0.5, 1, 1.1, old}, &out);
  assert_within(now[0], C, 1e-14);
  assert_within(out.tension, 1.1 * C, 1e-13);
  assert_within(out.slope, C, 1e-13);
  tension_close(kind);
  assert_int_equal(remove(path), 0);
}

#define EASY "Cai; .external();\nTension; .external();\nC_init = 0.1;\ndiff_C = Cai - C;\n"

static void refused(void **state) {
  (void)state;
  static const struct {
    const char *name, *text, *said;
  } row[] = {
      {"none.model", "C_init = 0.1; diff_C = 1 - C; Tension = C;", "is its calcium and none a potential"},
      {"none.model", EASY, "is its tension"},
      {"none.model", "Cai; .external(); C_init = 0.1; diff_C = Cai - C; T = C;", "is its tension"},
      {"none.model", EASY "Tension = C*Ke; Ke; .external();", "'Ke' comes from outside (.external())"},
      {"none.model",
       "Cai; .external(); .units(mV); C_init = 0.1; diff_C = -C; Tension = C + 0*Cai; C; .units(unitless); "
       "Tension; .units(mol);",
       "units do not fit"},
      {"none.model", "Cai; .external(); Tension = 2*Cai;", "0 states, and a model of tension has 1 to 8"},
      {"none.model", EASY "Tension = C/(Cai - Cai);", "the tension is not a number 1 ms after the begin of a twitch"},
      {"none.model", EASY "Tension = C*t;", "depends on the time itself"},
      {"none.model", "Cai_init = 0.1; diff_Cai = -Cai; Tension = Cai;", "'Cai' is a state"},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
    int kind;
    write_file(row[k].name, row[k].text);
    assert_fails(tension_open(&(TensionFile){.path = row[k].name}, &kind), ERR_INPUT, row[k].said);
    assert_int_equal(kind, -1);
    assert_int_equal(remove(row[k].name), 0);
  }
}

static void allocations(void **state) {
  (void)state;
  const TensionFile file = {.path = LAND};
  int kind;
  testing_fail_each_of(tension_open(&file, &kind), tension_close(kind));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(land_of_a_file_is_land),
      cmocka_unit_test(parameters_of_a_file),
      cmocka_unit_test(units_of_a_file),
      cmocka_unit_test(refused),
      cmocka_unit_test(allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
