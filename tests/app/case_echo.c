/* The resolved case reads back to the same case: echo(parse(echo(parse(x)))) = echo(parse(x)). */
#include "app/input/case.h"
#include "app/input/echo_short.h"
#include "tests/testing.h"

#include <glob.h>
#include <string.h>

static Text echo_of(const char *text) {
  Case *c = NULL;
  Text out = {0};
  assert_ok(case_parse("c.yaml", text, strlen(text), 0, NULL, &c));
  case_echo(c, &out);
  assert_int_equal(out.status, OK);
  case_destroy(&c);
  return out;
}

static void holds_fixpoint(const char *text) {
  Text first = echo_of(text);
  Text second = echo_of(first.data);
  assert_string_equal(first.data, second.data);
  Text brief = {0};
  echo_short(first.data, &brief);
  assert_int_equal(brief.status, OK);
  Text third = echo_of(brief.data);
  assert_string_equal(first.data, third.data);
  text_release(&brief);
  text_release(&third);
  text_release(&first);
  text_release(&second);
}

#define HEAD(model) "version: 1\nmesh: {file: m.msh}\nphysics: elasticity\nmodel: " model "\n"
#define MATERIAL "materials: [{on: body, young: 0.1, poisson: 0.3333333333333333}]\n"

static void fixpoint(void **state) {
  (void)state;
  holds_fixpoint(HEAD("plane-stress") MATERIAL);
  holds_fixpoint(
      HEAD("plane-strain") MATERIAL
      "boundary: [{on: a, fix: all}, {on: [a, b c], fix: {y: \"x^2 - sin(y)\"}, spring: 3, symmetry: false}]\n");
  holds_fixpoint(
      HEAD("3d") MATERIAL
      "title: 'quotes \" and \\ and # : - \xc3\xa4'\nunits: \"tab\\tnew\\nline\"\n"
      "boundary: [{on: 3, fix: all, traction: ['x', 1e-300, -0.1], force: [1, 2, 3], pressure: 'z', spring: [1, 2, "
      "3]}]\n"
      "body: [{on: v, gravity: [0, 0, -9.81]}]\n"
      "solver: {preconditioner: {type: least-squares, degree: 6}, max-iterations: 12, precision: double,\n"
      "  format: {type: ell-warp, variant: k2r, threshold: 8, window: 1024}}\n"
      "output: {fields: [], probes: [{name: \"true\", at: [0.1, 0.2, 0.3], field: reaction-z}], sums: [{name: '- s', "
      "on: [a, b], field: strain-energy}]}\n"
      "expect: [{quantity: strain-energy, value: -1.5e-7, atol: 1e-9}]\n");
  holds_fixpoint(/* keys with a default that mean nothing here */
                 "version: 1\nmesh: a.msh\nphysics: monodomain\ntime: {end: 1000, step: 0.05}\n"
                 "tissue: [{on: body, ionic: ten-tusscher, fibers: fiber, conductivity: {intra: [0.17, 0.019], extra: "
                 "[0.62, 0.24], "
                 "surface-to-volume: 140}}]\n"
                 "purkinje: [{name: lv, grow: {surface: endo, direction: [1, 0, 0], length: 4, branch-length: 4, "
                 "segment: 1}, "
                 "root: [0, 0, 0], diffusivity: 2, radius: 1, junction: {resistance: 1, radius: 1}}]\n"
                 "output: {every: 5, medium: 0.2, ecg: [{name: I, positive: [90, 0, 0]}], probes: [{name: near, at: "
                 "[1, 0, 0]}], "
                 "maps: [activation, {name: dominant-frequency, to: 15}]}\n");
}

/* What stands in the echo is what a run uses. */
static void defaults_are_shown(void **state) {
  (void)state;
  Text text = echo_of(HEAD("plane-stress") MATERIAL);
  static const char *const parts[] = {"scale: 1\n",
                                      "refine: 0\n",
                                      "type: isotropic\n",
                                      "thickness: 1\n",
                                      "density: 0\n",
                                      "rtol: 1e-08\n",
                                      "type: auto\n",
                                      "precision: auto\n",
                                      "type: sbell\n",
                                      "numbering: auto\n",
                                      "fields: [displacement, stress, von-mises]\n",
                                      "poisson: 0.3333333333333333\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (!strstr(text.data, parts[i])) fail_msg("no \"%s\" in\n%s", parts[i], text.data);
  assert_null(strstr(text.data, "order"));
  assert_null(strstr(text.data, "boundary"));
  text_release(&text);
}

/* The echo of each case in `cases` reads back to itself, as does the short form that `sinew check` shows. */
static int reads_back(const char *path) {
  Case *c = NULL;
  Text first = {0}, brief = {0};
  int wrong = 0;
  assert_ok(case_load(path, 0, NULL, &c));
  case_echo(c, &first);
  case_destroy(&c);
  echo_short(first.data, &brief);
  for (int i = 0; i < 2; ++i) {
    const Text *from = i ? &brief : &first;
    Text second = {0};
    if (case_parse(path, from->data, (size_t)from->n, 0, NULL, &c) != OK) {
      print_message("%s: %s\n%s\n", path, i ? "short" : "whole", status_message());
      status_clear();
      ++wrong;
      continue;
    }
    case_echo(c, &second);
    case_destroy(&c);
    size_t k = 0;
    while (first.data[k] && first.data[k] == second.data[k]) ++k;
    if (first.data[k] != second.data[k]) {
      print_message("%s: %s: after %zu bytes\n%.200s\nbecomes\n%.200s\n", path, i ? "short" : "whole", k,
                    &first.data[k > 60 ? k - 60 : 0], &second.data[k > 60 ? k - 60 : 0]);
      ++wrong;
    }
    text_release(&second);
  }
  text_release(&brief);
  text_release(&first);
  return wrong;
}

static void cases_read_back(void **state) {
  (void)state;
  glob_t found;
  int wrong = 0;
  assert_int_equal(glob(SINEW_SOURCE_DIR "/cases/*/*.yaml", 0, NULL, &found), 0);
  assert_true(found.gl_pathc > 100);
  for (size_t i = 0; i < found.gl_pathc; ++i) wrong += reads_back(found.gl_pathv[i]);
  globfree(&found);
  if (wrong) fail_msg("%d echoes do not read back", wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fixpoint), cmocka_unit_test(cases_read_back),
                                     cmocka_unit_test(defaults_are_shown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
