/* --set: any key by its dotted path, checked like the file; an unknown key is a fault of the command line. */
#include "app/case.h"
#include "tests/testing.h"

#include <string.h>

static const char BASE[] = "version: 1\nmesh: {file: m.msh}\nphysics: elasticity\nmodel: plane-stress\n"
                           "materials: [{on: body, young: 1, poisson: 0}, {on: rib, young: 2, poisson: 0}]\n"
                           "boundary: [{on: a, fix: {x: 0}}]\n";

static Status set_one(const char *set, Case **out) {
  return case_parse("c.yaml", BASE, strlen(BASE), 1, &set, out);
}

static void values_are_set(void **state) {
  (void)state;
  const char *set[] = {"materials.1.young=7e3", "solver.preconditioner.degree=4", "boundary.0.traction=[1, '2*x']",
                       "boundary.0.fix.y=0.5",  "title=some words: no more",      "mesh.file=/abs/other.msh",
                       "model=plane-strain",    "materials.1.young=8e3"};
  Case *c = NULL;
  assert_int_equal(OK, case_parse("c.yaml", BASE, strlen(BASE), 4, set, &c));
  assert_true(case_material(c, 1)->value[0].value == 7e3 && case_material(c, 0)->value[0].value == 1);
  assert_int_equal(c->solver.preconditioner.degree.value, 4);
  assert_int_equal(case_boundary(c, 0)->traction.n, 2);
  assert_true(expr_given(&case_boundary(c, 0)->fix.y.expr) && expr_given(&case_boundary(c, 0)->fix.x.expr));
  assert_non_null(strstr(c->text, "# --set materials.1.young=7e3"));
  case_destroy(&c);
  assert_ok(case_parse("c.yaml", BASE, strlen(BASE), 3, set + 5, &c));
  assert_string_equal(c->mesh_path, "/abs/other.msh");
  assert_int_equal(c->model.value, MODEL_PLANE_STRAIN);
  assert_true(case_material(c, 1)->value[0].value == 8e3);
  case_destroy(&c);
}

static void faults_are_named(void **state) {
  (void)state;
  static const struct {
    const char *set;
    Status status;
    const char *part;
  } rows[] = {
      {"solver.rtl=1", ERR_USAGE, "--set 'solver.rtl=1': unknown key 'rtl' in solver"},
      {"slover.rtol=1", ERR_USAGE, "did you mean 'solver'?"},
      {"solver.rtol", ERR_USAGE, "not key=value"},
      {"=1", ERR_USAGE, "not key=value"},
      {"solver.rtol=", ERR_USAGE, "no value behind '='"},
      {"materials.2.young=1", ERR_USAGE, "'2' is no item of this list; it has 2, counted from 0"},
      {"materials.young=1", ERR_USAGE, "'young' is no item of this list"},
      {"model.x=1", ERR_USAGE, "there is no key 'x'"},
      {"solver..rtol=1", ERR_USAGE, "is no key"},
      {"solver.rtol.=1", ERR_USAGE, "is no key"},
      {"materials.-1.young=1", ERR_USAGE, "'-1' is no item"},
      {"solver.rtol=[", ERR_USAGE, "not valid YAML"},
      {"solver.rtol=-1", ERR_INPUT, "--set 'solver.rtol=-1': rtol is -1, must lie in (0, 1)"},
      {"materials.0.young=x", ERR_INPUT, "young: 'x' is not a number"},
      {"physics=monodomain", ERR_INPUT, "unknown key 'materials' in the case"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    Case *c = NULL;
    assert_fails(set_one(rows[i].set, &c), rows[i].status, rows[i].part);
    assert_null(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_set), cmocka_unit_test(faults_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
